#!/bin/sh
# Every example deck runs and agrees with ngspice: 0.5 % of each waveform's range at common times, both at tight
# tolerances.  ngspice gets the same deck with reltol 1e-7 and a largest step (second column) at which halving the step
# moves none of its waveforms by a fifth of that limit, so that the comparison is with the circuit and not with its errors.
. "$(dirname "$0")/common.sh"

# deck, ngspice's largest step, arguments for compare_raw.
#   cv-loop, li-cutset: ngspice starts these from its operating point, where the derivative of the source is taken as
#   zero, and rings around the truth for some steps; compared from 0.1 ms on.
#   schmitt-trigger: without its two jumps, where a nanosecond between the two programs is some percent.  The thresholds
#   have a test of their own.
#   cmos-*: the currents of gates and supply hold the transistors' own charges, in ngspice Meyer's, which do not conserve
#   charge; voltages are compared.
decks='
rc                    0.5u
rlc                   0.05u
rectifier             5u
bjt-amplifier         0.2u
astable               1n
colpitts              0.3n
cmos-inverter         10p    --only v(in) --only v(out)
cmos-ring             10p
opamp-filter          0.5u
transformer           10u
transistor-amplifier  10u
multiplier            0.1u
lossless-line         5p
nonlinear-capacitor   0.5u
van-der-pol           0.2m
cv-loop               1u     --from 1e-4
li-cutset             1u     --from 1e-4
ring-modulator        0.2u
latch                 10p
differential-pair     20n
buck                  5n    --only v(out) --only i(l1)
schmitt-trigger       1u     --without 6.520e-3:6.522e-3 --without 16.395e-3:16.397e-3
'

compare_example()
{
    name=$1 largest_step=$2
    shift 2
    deck=$KNOTEN_SOURCE/examples/$name.cir
    awk -v tmax="$largest_step" -v method=trap -f "$KNOTEN_SOURCE/tests/tools/tight_ngspice.awk" "$deck" \
        >"$scratch/$name.cir"
    ngspice_run "$scratch/$name.cir" "$scratch/$name.ngspice.raw" || { fail "$name: ngspice wrote nothing"; return; }
    "$tools/compare_raw" "$scratch/$name.raw" "$scratch/$name.ngspice.raw" --limit 0.5 "$@" ||
        fail "$name: differs from ngspice"
}

run_example()
{
    sed 's/^\.end *$/.options vntol=1e-9 abstol=1e-13\n.end/' "$KNOTEN_SOURCE/examples/$1.cir" >"$scratch/$1.cir"
    "$KNOTEN" "$scratch/$1.cir" -o "$scratch/$1.raw" --reltol 1e-7 --quiet >"$scratch/$1.out" 2>"$scratch/$1.err" || { fail "$1: exit status $?"; cat "$scratch/$1.err"; return 1; }
    [ ! -s "$scratch/$1.err" ] || { fail "$1: says something on stderr"; cat "$scratch/$1.err"; }
}

# An example without a line in the table above would never be compared.
for deck in "$KNOTEN_SOURCE"/examples/*.cir; do
    name=$(basename "$deck" .cir)
    printf '%s' "$decks" | grep -q "^$name " || fail "$name has no line in the table of this test"
done

printf '%s' "$decks" >"$scratch/table"
while read -r name step arguments; do
    [ -n "$name" ] || continue
    printf '%s\n' "$name"
    run_example "$name" || continue
    [ -z "$ngspice" ] || eval "compare_example $name $step $(printf '%s' "$arguments" | sed 's/[()]/\\&/g')"
    rm -f "$scratch/$name".*
done <"$scratch/table"

[ -n "$ngspice" ] || [ "$failures" -gt 0 ] || skip "examples run, but ngspice is not installed to compare with"
finish
