#!/bin/sh
# A sweep that is cut off, at any moment and also in the middle of a write, is finished by --resume: files and tables are
# those of one that was not.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1
SOURCE_DATE_EPOCH=0
export SOURCE_DATE_EPOCH

cat >deck.cir <<'END'
a sweep of some time
V1 a 0 SIN(0 5 1k)
D1 a b dm
R1 b 0 {agauss(1k,100,1)}
C1 b 0 1u
.model dm d is=1e-14 rs=1
.tran 50u 5m
.ac dec 5 1 1k
.meas tran top MAX v(b)
.meas tran never WHEN v(b)=17
.print tran v(b)
.step param r list 1 2
.mc 20
.end
END

# said FILE: messages without the closing line and those of resuming
said()
{
    grep -v '^knoten: \|runs are those of\|nothing to resume' "$1"
}

"$KNOTEN" -o whole.raw --measures whole.json deck.cir >whole.out 2>whole.err || { fail "the whole sweep"; cat whole.err; }
[ ! -e whole.raw.journal ] || fail "a finished sweep leaves its journal"
said whole.err >whole.said

# resume NAME: finishes cut.raw and compares
resume()
{
    "$KNOTEN" -o cut.raw --measures cut.json --resume "$2" deck.cir >cut.out 2>cut.err || { fail "$1: --resume fails"; cat cut.err; }
    for suffix in raw json out; do
        cmp -s "whole.$suffix" "cut.$suffix" || fail "$1: the $suffix file differs"
    done
    said cut.err | cmp -s whole.said - || { fail "$1: messages differ"; said cut.err | diff whole.said - | head -n 5; }
    [ ! -e cut.raw.journal ] || fail "$1: the journal stays"
}

# cut SIGNAL SECONDS: sets runs, how many have ended
cut()
{
    rm -f cut.raw*
    "$KNOTEN" -j "$3" -o cut.raw deck.cir >cut.out 2>cut.err &
    process=$!
    sleep "$2"
    kill -s "$1" $process 2>/dev/null
    wait $process 2>/dev/null
}

interrupted=0
for delay in 0.02 0.05 0.1 0.2 0.4 0.8 1.6; do
    [ "${resumed:-no}" = no ] || [ $interrupted -lt 2 ] || break # the later ones are for slow machines
    cut KILL $delay 2
    [ ! -e cut.raw.journal ] || interrupted=$((interrupted + 1))
    resume "killed after $delay s" -j3
    ! grep -q 'runs are those of' cut.err || resumed=yes
done
[ $interrupted -gt 0 ] || fail "every run was over before it was killed"
[ "${resumed:-no}" = yes ] || fail "nothing was ever taken from a journal"

# SIGTERM says how to go on.
"$KNOTEN" -j 2 -o cut.raw deck.cir >cut.out 2>cut.err &
process=$!
sleep 0.1
kill -s TERM $process 2>/dev/null
wait $process
if [ $? -eq 1 ] && [ -e cut.raw.journal ]; then
    grep -q 'the same command with --resume goes on' cut.err || { fail "not said how to go on"; cat cut.err; }
fi
resume "interrupted" -j1

# A journal torn anywhere.
cut KILL 0.25 2
size=$(cat cut.raw.journal 2>/dev/null | wc -c)
if [ "$size" -gt 32 ]; then # its head takes 32 bytes
    cp cut.raw.journal kept
    for part in 1 30 33 50 77 99; do
        head -c $((32 + (size - 32) * part / 100)) kept >cut.raw.journal
        resume "torn at $part %" -j2
    done
    # A byte that has changed ends it.
    cp kept cut.raw.journal
    printf 'x' | dd of=cut.raw.journal bs=1 seek=$((32 + (size - 32) / 2)) conv=notrunc 2>/dev/null
    resume "a byte changed" -j2
fi

# Nothing to resume; another deck; a file that is no journal; no journal wanted.
rm -f cut.raw*
resume "without a journal" -j2
grep -q 'there is nothing to resume' cut.err || fail "not said that there is nothing"
if [ -s kept ]; then
    cp kept cut.raw.journal
    sed 's/1u$/2u/' deck.cir >other.cir
    "$KNOTEN" -o cut.raw --resume other.cir >out 2>err && fail "another deck goes on"
    grep -q "belongs to another deck" err || { fail "another deck is not said"; cat err; }
    "$KNOTEN" -o cut.raw --resume --reltol 1e-4 deck.cir >out 2>err && fail "another tolerance goes on"
    [ -s cut.raw.journal ] || fail "the journal of another deck is gone"
fi
echo precious >cut.raw.journal
"$KNOTEN" -o cut.raw deck.cir >out 2>err && fail "a file that is no journal is written over"
grep -q "is no journal" err || { fail "not said that it is none"; cat err; }
[ "$(cat cut.raw.journal)" = precious ] || fail "a file that is no journal has changed"
rm -f cut.raw*
"$KNOTEN" --no-journal -o cut.raw deck.cir >out 2>err &
process=$!
sleep 0.1
[ ! -e cut.raw.journal ] || fail "--no-journal keeps one"
wait $process || fail "--no-journal"

# A folder that cannot be written to is said once, and the sweep goes on.
mkdir results
"$KNOTEN" -o results/s.raw deck.cir >out 2>err || fail "results in a folder"
[ "$(ls results)" = s.raw ] || fail "more than results in the folder"

finish
