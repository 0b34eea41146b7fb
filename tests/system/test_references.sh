#!/bin/sh
# Published and exact answers are reached, at the end of the run exactly:
#   - every deck of tests/decks/reference, at several tolerances: relative to the size of each waveform the error is at
#     most reltol * (100 + 2 * steps).  reltol bounds the error of one step; an undamped circuit adds them all up, and 100
#     is left to amplification;
#   - the same with Radau IIA of order 5 and of variable order, and numbers of steps known from the literature;
#   - the two-stage transistor amplifier, also as it stands in examples/: 3 digits at the default, 6 at reltol 1e-8.
. "$(dirname "$0")/common.sh"

method= # empty: the default
decks=$KNOTEN_SOURCE/tests/decks/reference
known=$decks/reference.json

# solve DECK NAME [ARGUMENT].. -> $scratch/run.raw, in which a number takes less time than in a CSV file, and $steps
solve()
{
    deck=$1 name=$2
    shift 2
    out=$("$KNOTEN" "$deck" -o "$scratch/run.raw" ${method:+--method "$method"} "$@" 2>&1) ||
        { fail "$name $*: exit status $?: $out"; return 1; }
    steps=${out% steps accepted*}
    [ "$steps" != "$out" ] || { fail "$name $*: it tells no steps: $out"; return 1; }
    steps=${steps##* }
}

# claim DECK NAME RELTOL CHECK..: RELTOL "default" leaves the tolerance alone; without CHECK, at 1e-N, the error
# of scale is held against what the steps add up to.
claim()
{
    deck=$1 name=$2 tolerance=$3
    shift 3
    if [ "$tolerance" = default ]; then
        solve "$deck" "$name" || return
    else
        solve "$deck" "$name" --reltol "$tolerance" || return
    fi
    [ $# -gt 0 ] || set -- --of-scale "$((100 + 2 * steps))${tolerance#1}"
    printf '%-14s %-8s %-7s' "$name" "$tolerance" "$method"
    "$tools/check_reference" "$known" "$name" "$scratch/run.raw" "$@" || fail "$name at reltol $tolerance"
}

for deck in "$decks"/*.cir; do
    name=${deck##*/}
    name=${name%.cir}
    for tolerance in 1e-4 1e-6 1e-8; do
        claim "$deck" "$name" "$tolerance"
    done
done

for deck in "$decks/transamp.cir" "$KNOTEN_SOURCE/examples/transistor-amplifier.cir"; do
    claim "$deck" transamp default --digits 3
    claim "$deck" transamp 1e-8 --digits 6
done

# Radau IIA: every deck at every tolerance (the ring modulator with order 5 once: half a million steps at 1e-9), and what
# high order is for: 10 digits of the amplifier, 7 of the ring modulator and of the NAND gate.
for method in radau5 radau; do
    for deck in "$decks"/*.cir; do
        name=${deck##*/}
        name=${name%.cir}
        for tolerance in 1e-3 1e-5 1e-7 1e-9; do
            [ "$name/$method" = ringmod/radau5 ] && [ "$tolerance" != 1e-3 ] && continue
            [ "$name/$method/$tolerance" = ringmod/radau/1e-9 ] && continue # below
            claim "$deck" "$name" "$tolerance"
        done
    done
done
claim "$decks/transamp.cir" transamp 1e-11 --digits 10
claim "$decks/amp1t.cir" amp1t 1e-11 --digits 10
claim "$decks/ringmod.cir" ringmod 1e-9 --digits 7
claim "$decks/nand.cir" nand 1e-11 --digits 7

# at_most STEPS DECK RELTOL: RADAU5 is known to need 481 steps for the amplifier of one transistor and some 250 for van der
# Pol's equation; a step control or a Newton iteration that has gone wrong needs many times as many.
at_most()
{
    steps=999999
    claim "$decks/$2.cir" "$2" "$3"
    [ "$steps" -le "$1" ] || fail "$2 at reltol $3: $steps steps, at most $1 expected"
}
method=radau5
at_most 500 amp1t 1e-3
at_most 250 vdpol 1e-3
at_most 200 rober 1e-3
method=radau
at_most 350 vdpol 1e-9
at_most 250 rober 1e-9

# A rectifier with forced steps, floating but for 1 megohm: round-off of its 100 uF, divided by the step, exceeds the tolerance
# and must not shorten the steps (some 10000 are forced).
sed 's/^\.tran.*/.tran 1u 10m 0 1u/' "$KNOTEN_SOURCE/bench/graetz.cir" >"$scratch/graetz.cir"
for method in radau5 radau; do
    solve "$scratch/graetz.cir" graetz || continue
    [ "$steps" -le 11000 ] || fail "graetz with $method: $steps steps"
done
method=

# The Schmitt trigger on its way: v(1)..v(4) at three times, each as the end of a run of its own.
while read -r time values; do
    sed "s/^\.tran.*/.tran 0.1u $time uic/" "$decks/schmitt.cir" >"$scratch/schmitt.cir"
    printf '{"schmitt": {"time": %s, "values": {%s}}}\n' "$time" \
        "$(printf '%s' "$values" | awk '{ for (i = 1; i <= 4; i++) printf "%s\"v(%d)\": %s", (i > 1 ? ", " : ""), i, $i }')" \
        >"$scratch/schmitt.json"
    known=$scratch/schmitt.json
    claim "$scratch/schmitt.cir" schmitt 1e-6 --of-scale 1e-4
done <<END
2e-05 8.6326867827469 0.96454335291713 1.0382230794615 1.79612070572
4e-05 1.56637796107441 1.54396829273336 9.99999999999975 1.55466613733474
6e-05 1.566383362059 1.543970513165 10.0 1.57810133117
END
finish
