#!/bin/sh
# Ctrl-C and SIGTERM are obeyed at once, whatever the program is doing, and what there is of results is kept.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1

# chain N: inverters of one transistor each; the operating point of a long chain takes factorisations of seconds.
chain()
{
    awk -v n="$1" 'BEGIN {
        print "chain"; print "VCC vcc 0 5"; print "VIN n0 0 0.8"
        for (i = 1; i <= n; i++)
            printf "RC%d vcc n%d 1k\nRB%d n%d b%d 10k\nQ%d n%d b%d 0 QM\n", i, i, i, i - 1, i, i, i, i
        print ".model QM NPN(is=1e-15 bf=100 cje=1p cjc=1p tf=0.1n)\n.tran 1n 1u\n.end"
    }'
}
chain 10000 >chain.cir

milliseconds() { echo $(($(date +%s%N) / 1000000)); }

# interrupt SIGNAL SECONDS ARGUMENTS..: sends the signal after so many seconds; sets status.  The answer must come within
# 0.2 s; 0.5 s where the machine has other things to do.
interrupt()
{
    signal=$1 delay=$2
    shift 2
    "$KNOTEN" "$@" >out 2>err &
    process=$!
    sleep "$delay"
    begin=$(milliseconds)
    kill -s "$signal" $process || { wait $process; fail "$*: ended before it was interrupted: $(tail -n 1 err)"; return; }
    wait $process
    status=$?
    took=$(($(milliseconds) - begin))
    [ $took -le 500 ] || fail "knoten $* answers $signal after $took ms"
}

# A fast machine may be in the transient by then, with rows or without.
for delay in 0.5 2; do
    interrupt TERM $delay -o chain.raw chain.cir
    [ "$status" -eq 1 ] || [ "$status" -eq 143 ] || fail "status $status in the operating point"
    [ "$status" -eq 143 ] || grep -q '^knoten: interrupted' err || fail "not said: $(cat err)"
    if [ -e chain.raw ]; then
        grep -q 'interrupted; [1-9][0-9]* finished row' err || fail "a result file without a row: $(cat err)"
        rm chain.raw
    fi
done
interrupt INT 1 -o chain.raw chain.cir
[ "$status" -eq 1 ] || [ "$status" -eq 130 ] || fail "status $status by SIGINT"

for command in check explain; do
    interrupt TERM 0.5 $command chain.cir
    [ "$status" -eq 143 ] || [ "$status" -eq 1 ] || fail "$command: status $status"
done
interrupt TERM 1 compare --methods bdf --tol 1e-3:1e-3 chain.cir
[ "$status" -eq 1 ] || fail "compare: status $status"
grep -q 'interrupted; nothing was compared' err || fail "compare: $(cat err)"
interrupt TERM 1 verify chain.cir
[ "$status" -eq 1 ] || fail "verify: status $status"
grep -q 'interrupted; nothing was verified' err || fail "verify: $(cat err)"

# Reading from someone who writes nothing.
mkfifo never.cir
sleep 5 >never.cir &
writer=$!
interrupt TERM 0.3 -o never.raw never.cir
[ "$status" -eq 143 ] || fail "reading: status $status"
kill $writer

# A transient whose rows have not begun leaves no file.
printf 'late\nV1 a 0 SIN(0 1 1k)\nR1 a b 1k\nC1 b 0 1u\n.tran 1u 1000 999\n.end\n' >late.cir
interrupt TERM 0.6 -o late.raw late.cir
[ "$status" -eq 1 ] || fail "status $status before the first row"
grep -q '^knoten: interrupted$' err || fail "not said: $(cat err)"
[ ! -e late.raw ] || fail "a result file of a transient without a row"

# Results of a run that is in the middle of a transient or of its second analysis.
printf 'long\nV1 a 0 SIN(0 1 1k)\nR1 a b 1k\nC1 b 0 1u\n.op\n.print tran v(b)\n.tran 1u 1\n.tran 1u 1000\n.end\n' >long.cir
interrupt TERM 0.6 -o long.raw --measures long.json long.cir
[ "$status" -eq 1 ] || fail "status $status in a long run"
grep -q 'interrupted; [0-9]* finished rows kept in long.raw' err || fail "not said: $(cat err)"
rows=$(sed -n 's/.*interrupted; \([0-9]*\) finished.*/\1/p' err)
points=$(grep -a '^No\. Points: ' long.raw | awk '{ sum += $3 } END { print sum }')
[ "${rows:-0}" -gt 0 ] && [ "$rows" = "$points" ] || fail "$rows rows are announced, the file has $points"
[ "$(tr -d ' \n' <long.json)" = '[]' ] || fail "measures are no JSON: $(cat long.json)"

# Runs that hang in their operating point are given up like others; without a limit each would take 10 s and more.
chain 6000 >shorter.cir
(ulimit -t 30 && exec "$KNOTEN" compare --methods bdf --tol 1e-3:1e-3 --runs 1 --limit 0.05 -q shorter.cir) >out 2>err
[ $? -eq 1 ] || fail "compare --limit 0.05 does not keep its limit"
grep -q 'no run that could be the reference ended in time' err || fail "compare --limit: $(cat err)"

# Progress of the operating point on a terminal.
if command -v script >/dev/null; then
    script -qec "timeout -s TERM 3 $KNOTEN -o chain.raw shorter.cir" typescript >terminal 2>&1 </dev/null
    grep -q 'finding the operating point, [1-9] s' terminal || fail "no progress: $(tail -c 300 terminal)"
fi

finish
