#!/bin/sh
# Sweeps by MPI: the same files and tables as with threads, for any number of ranks; a worker that is killed costs its
# unfinished runs only, where mpirun goes on (--enable-recovery), and otherwise --resume finishes.
. "$(dirname "$0")/common.sh"

# What Open MPI takes from its start to its end it does not give back: with AddressSanitizer leaks are not looked for.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS

cd "$scratch" || exit 1
SOURCE_DATE_EPOCH=0
export SOURCE_DATE_EPOCH

if [ ! -x "$KNOTEN-mpi" ]; then
    "$KNOTEN" --mpi deck.cir >out 2>err && fail "--mpi without MPI"
    grep -q 'built without MPI' err || grep -q 'cannot open' err || fail "not said that there is no MPI"
    [ "$failures" -gt 0 ] || skip "knoten was built without MPI"
    finish
fi
mpirun=$(command -v mpirun) || skip "mpirun is not installed"
# Root has to say that it means it.
ranks()
{
    count=$1
    shift
    timeout 120 "$mpirun" --allow-run-as-root --oversubscribe "$@" 2>err >out
}
ranks 1 -n 1 true || skip "mpirun does not run here: $(head -n 3 err)"

# deck RUNS
deck()
{
    cat >deck.cir <<END
by MPI
V1 a 0 SIN(0 5 1k)
D1 a b dm
R1 b 0 {agauss(1k,100,1)}
C1 b 0 1u
.model dm d is=1e-14 rs=1
.tran 50u 5m
.ac dec 5 1 1k
.print tran v(b)
.meas tran top MAX v(b)
.meas tran never WHEN v(b)=17
.step param r list 1 2
.mc $1
.end
END
    "$KNOTEN" -o whole.raw deck.cir >whole.out 2>whole.err || { fail "with threads"; cat whole.err; }
}

# same NAME: results, tables and messages are those with threads
same()
{
    cmp -s whole.raw m.raw || fail "$1: other results"
    cmp -s whole.out out || fail "$1: other tables"
    grep -v '^knoten: \|PMIX' err >said
    grep -v '^knoten: ' whole.err | cmp -s - said || { fail "$1: other messages"; head -n 5 err; }
    [ ! -e m.raw.journal ] || fail "$1: the journal stays"
}

deck 6
for count in 1 2 3; do
    ranks $count -n $count "$KNOTEN" --mpi -o m.raw deck.cir || { fail "$count ranks: status $?"; cat err; }
    same "$count ranks"
done

# A deck without sweeps, and one with errors: one process speaks.
printf 'plain\nV1 a 0 1\nR1 a 0 1k\n.op\n.end\n' >plain.cir
ranks 2 -n 2 "$KNOTEN" --mpi -o p.raw plain.cir || fail "a deck without sweeps"
[ "$(grep -c '^v(a)' out)" -eq 1 ] || { fail "a deck without sweeps is run several times"; cat out; }
printf 'bad\nV1 a 0 1\nR1 a 0 {x}\n.op\n.end\n' >bad.cir
ranks 2 -n 2 "$KNOTEN" --mpi -o p.raw bad.cir && fail "a deck with an error"
[ "$(grep -c 'unknown parameter\|is no parameter' err)" -eq 1 ] || { fail "an error is not said once"; cat err; }

# victim: the last of the ranks, by the process that mpirun started
victim()
{
    tries=0
    while [ $tries -lt 100 ]; do
        worker=$(ps -e -o pid=,ppid=,args= | awk -v deck="$scratch" '/--mpi -o m.raw/ && !/mpirun|timeout|awk/ { pid = $1 } END { print pid }')
        [ -n "$worker" ] && [ -s m.raw.journal ] && return 0
        tries=$((tries + 1))
        sleep 0.05
    done
    return 1
}

deck 120
ranks 3 --enable-recovery -n 3 "$KNOTEN" --mpi -o m.raw deck.cir &
job=$!
if victim; then
    sleep 0.1
    kill -s KILL "$worker" 2>/dev/null
    wait $job || fail "a worker killed: status $?"
    same "a worker killed"
    grep -q '1 of 2 workers was lost' err || { fail "the loss is not said"; cat err; }
else
    wait $job
    echo "over before a worker could be killed"
fi

rm -f m.raw*
ranks 3 -n 3 "$KNOTEN" --mpi -o m.raw deck.cir &
job=$!
if victim; then
    sleep 0.1
    kill -s KILL "$worker" 2>/dev/null
    wait $job
    ranks 2 -n 2 "$KNOTEN" --mpi --resume -o m.raw deck.cir || { fail "--resume: status $?"; cat err; }
    sed -i '/runs are those of\|nothing to resume/d' err
    same "mpirun brought down, then --resume"
else
    wait $job
fi

finish
