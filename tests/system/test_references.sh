#!/bin/sh
# Published and exact answers are reached, at the end of the run exactly:
#   - every deck of tests/decks/reference, at several tolerances: relative to the size of each waveform the error is at
#     most reltol * (100 + 2 * steps).  reltol bounds the error of one step; an undamped circuit adds them all up, and 100
#     is left to amplification;
#   - the two-stage transistor amplifier, also as it stands in examples/: 3 digits at the default, 6 at reltol 1e-8.
. "$(dirname "$0")/common.sh"

decks=$KNOTEN_SOURCE/tests/decks/reference
known=$decks/reference.json

# solve DECK NAME [ARGUMENT].. -> $scratch/NAME.csv
solve()
{
    deck=$1 name=$2
    shift 2
    "$KNOTEN" "$deck" -o "$scratch/$name.csv" --format csv "$@" >"$scratch/out" 2>&1 && return
    fail "$name $*: exit status $?"
    cat "$scratch/out"
    return 1
}

# What the steps of the last run add up to at reltol $1.
allowance()
{
    steps=$(sed -n 's/.* \([0-9][0-9]*\) steps accepted.*/\1/p' "$scratch/out" | tail -n 1)
    awk "BEGIN { print $1 * (100 + 2 * ${steps:-0}) }"
}

# claim DECK NAME RELTOL CHECK..: RELTOL "default" leaves the tolerance alone; without CHECK the error of scale is held
# against the allowance.
claim()
{
    deck=$1 name=$2 tolerance=$3
    shift 3
    if [ "$tolerance" = default ]; then
        solve "$deck" "$name" || return
    else
        solve "$deck" "$name" --reltol "$tolerance" || return
    fi
    [ $# -gt 0 ] || set -- --of-scale "$(allowance "$tolerance")"
    printf '%-14s %-8s ' "$name" "$tolerance"
    "$tools/check_reference" "$known" "$name" "$scratch/$name.csv" "$@" || fail "$name at reltol $tolerance"
    rm -f "$scratch/$name.csv"
}

for deck in "$decks"/*.cir; do
    name=$(basename "$deck" .cir)
    for tolerance in 1e-4 1e-6 1e-8; do
        claim "$deck" "$name" "$tolerance"
    done
done

for deck in "$decks/transamp.cir" "$KNOTEN_SOURCE/examples/transistor-amplifier.cir"; do
    claim "$deck" transamp default --digits 3
    claim "$deck" transamp 1e-8 --digits 6
done

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
