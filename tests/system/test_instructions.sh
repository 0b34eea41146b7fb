#!/bin/sh
# Six small decks need no more than 5 % more instructions than in the last row of bench/history.csv.
. "$KNOTEN_SOURCE/tests/system/common.sh"
BUILD=$KNOTEN_BUILD
export BUILD
"$KNOTEN_SOURCE/bench/speed" --check >"$scratch/counts"
status=$?
cat "$scratch/counts"
[ "$status" -ne 77 ] || skip "$(tail -n 1 "$scratch/counts")"
[ "$status" -eq 0 ] || fail "more instructions than before; bench/README.md says what to do"

# Half as many in the history: the check fails.
awk -F, -v OFS=, 'NR > 1 { for (i = NF - 5; i <= NF; i++) $i = int($i / 2) } { print }' "$KNOTEN_SOURCE/bench/history.csv" \
    >"$scratch/history.csv"
HISTORY=$scratch/history.csv "$KNOTEN_SOURCE/bench/speed" --check rc >"$scratch/counts" && fail "twice as many are not noticed"
finish
