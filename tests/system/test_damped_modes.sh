#!/bin/sh
# A 741 as follower has modes about 65 degrees from the negative axis, which backward differentiation of order 5 excites and the
# circuit damps well: orders are chosen such that they do not cost steps.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1
awk -v kind=follower -v n=1 -v amplifier="$KNOTEN_SOURCE/bench/ua741.cir" -f "$KNOTEN_SOURCE/bench/large.awk" >follower.cir || fail "no deck"

# steps OPTION..: accepted ones of bdf
steps()
{
    "$KNOTEN" --method bdf "$@" -o follower.raw follower.cir 2>err >out || fail "$*: $(cat err)"
    cat out err | sed -n 's/.* \([0-9]*\) steps accepted.*/\1/p'
}
all=$(steps) low=$(steps --maxord 3)
[ "${all:-0}" -gt 0 ] && [ "${low:-0}" -gt 0 ] || fail "no steps: $all, $low"
[ "$all" -le $((2 * low)) ] || fail "$all steps, but $low up to order 3"
finish
