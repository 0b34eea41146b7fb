#!/bin/sh
# check names the elements whose values rounding or tolerances cannot tell from another index, and no others.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1
decks=$KNOTEN_SOURCE/tests/decks/near

# names DECK ELEMENT WORDS: that element and nothing else
names()
{
    "$KNOTEN" check "$decks/$1.cir" >out 2>err || fail "$1: $(cat err)"
    sed -n '/nearly of another index/,/^$/p' out | grep "$2 (line" | grep -q "$3" || fail "$1: $2 is not named: $(cat out)"
    [ "$("$KNOTEN" check --json "$decks/$1.cir" | grep -o '"element":' | wc -l)" = 1 ] || fail "$1: not one element alone"
    "$KNOTEN" check "$decks/$1-ordinary.cir" >out 2>err || fail "$1-ordinary: $(cat err)"
    ! grep -q 'nearly' out || fail "$1-ordinary: a false alarm: $(cat out)"
}

# The capacitor across the gain 1 - 1e-13 is C 1e-13; the loops of gains have 1/(1 - g) = 1e13.
names gain E1 'a part of 1.0e-13 gives a higher index'
names algebraic-loop E1 'a part of 1.0e-13 gives'
names coupling K1 'a part of 1.0e-13 gives'
names short R1 '1e-16 ohm cannot be told from a short, with which the index is 2'
names open R1 'cannot be told from an open circuit, with which the index is 2'
names amplifier E1 '1e+15 cannot be told from an infinite gain, with which the index is 2'
names loop C1 'the index is 2 by its 1e-21 F only, whose current stays below the tolerance; without it the index is 1'
names cutset L1 'the index is 2 by its 1e-15 H only, whose voltage stays below the tolerance; without it the index is 1'

# With a gain of exactly 1 the index is higher, and that is the verdict.
"$KNOTEN" check "$decks/gain-exact.cir" >out 2>err
grep -q 'DAE index 2' out || fail "a gain of 1: $(cat out)"
! grep -q nearly out || fail "a gain of 1 is told as nearly 1"

# Parasitics as real circuits have them are no reason to speak up (decades-*.cir have others).
for deck in "$KNOTEN_SOURCE"/examples/*.cir "$KNOTEN_SOURCE"/tests/decks/index/[!d]*.cir "$KNOTEN_SOURCE"/tests/decks/orders/*.cir; do
    "$KNOTEN" check "$deck" >out 2>err
    ! grep -q nearly out || fail "$deck: a false alarm: $(grep -A3 nearly out)"
done

# Random ladders: an ordinary one is quiet, the same with a resistor of 1e-17 ohm between source and capacitor is not.
for seed in 1 2 3 4 5 6 7 8; do
    for tiny in 0 1; do
        awk -v seed=$seed -v tiny=$tiny 'BEGIN { srand(seed); n = 3 + int(4 * rand()); place = int(n * rand())
            print "ladder " seed; print "V1 n0 0 SIN(0 1 1k)"
            for (k = 0; k < n; k++) {
                r = 10 ^ (4 * rand()); if (tiny && k == 0) r = 1e-17
                printf "R%d n%d n%d %g\nC%d n%d 0 %g\n", k, k, k + 1, r, k, k + 1, 10 ^ (-10 + 4 * rand()) }
            print ".tran 10u 1m\n.end" }' >ladder.cir
        "$KNOTEN" check ladder.cir >out 2>err
        if [ $tiny = 1 ]; then
            grep -q 'R0 (line 3): 1e-17 ohm cannot be told from a short' out || fail "ladder $seed: R0 is not named: $(cat out)"
        else
            ! grep -q nearly out || fail "ladder $seed: a false alarm: $(cat out)"
        fi
    done
done
finish
