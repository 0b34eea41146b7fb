#!/bin/sh
# bench/calibration, bench/verify, bench/speed and bench/slower run, and what they state of simple circuits is plausible.
. "$KNOTEN_SOURCE/tests/system/common.sh"
grep -q '^KNOTEN_SANITIZE:[A-Z]*=ON' "$KNOTEN_BUILD/CMakeCache.txt" && skip "the meter is compiled without sanitizers"
BUILD=$KNOTEN_BUILD OUT=$scratch/out
CC=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$KNOTEN_BUILD/CMakeCache.txt")
export BUILD OUT CC
cd "$scratch" || exit 1

METHODS=bdf,trap RELTOLS=1e-3,1e-5 "$KNOTEN_SOURCE/bench/calibration" rc rlc >table 2>err || fail "calibration: $(cat err)"
# circuit,method,reltol,worst,..: four runs of each circuit; errors are neither zero nor a thousand times the tolerance
for circuit in rc rlc; do
    [ "$(grep -c "^$circuit,\(bdf\|trap\)," out/$circuit.csv)" -eq 4 ] || fail "$circuit: not every run is measured"
    awk -F, '$2 == "bdf" && ($4 < 1e-4 || $4 > 1000) { bad = 1 } $2 == "bdf" && !($8 > 50) { bad = 1 } END { exit bad }' \
        out/$circuit.csv || fail "$circuit: $(cat out/$circuit.csv)"
done
grep -q '^rlc, 1e-03 .*(.*)' table && grep -q '^bdf .* of 4$' table || fail "no tables: $(cat table)"
RELTOLS=1e-3 METHODS=bdf "$KNOTEN_SOURCE/bench/calibration" --markdown rc >table 2>err || fail "calibration --markdown: $(cat err)"
grep -q '^| rc, 1e-03 | .* |$' table && grep -q '^| --- |' table || fail "no markdown: $(cat table)"

"$KNOTEN_SOURCE/bench/verify" "$KNOTEN_SOURCE/examples/rc.cir" >lines 2>err || fail "verify: $(cat lines err)"
grep -q 'auto *reltol deck *1 of 1 good' lines || fail "verify: $(cat lines)"

# weights: a line for each circuit and means of both kinds; time for a unit of work differs by less than ten times.
RUNS=1 "$KNOTEN_SOURCE/bench/weights" inverters:3 rc:50 >table 2>err || fail "weights: $(cat err)"
for row in inverters:3 rc:50 'mean, linear' 'mean, other'; do
    awk -v row="$row" 'index($0, row) == 1 { found = $(NF - 1) > 0.1 && $NF > 0.1 && $(NF - 1) < 10 && $NF < 10 } END { exit !found }' \
        table || fail "weights: $(cat table)"
done

# The generators: as many transistors as bench/README.md says, and products that are right (15 times 15 is 225).
transistors=$(awk -v kind=multiplier -v n=16 -f "$KNOTEN_SOURCE/bench/large.awk" | sed 1d | grep -c '^m')
[ "$transistors" -eq 10112 ] || fail "multiplier of $transistors transistors"
awk -v kind=multiplier -v n=4 -f "$KNOTEN_SOURCE/bench/large.awk" |
    sed 's/^\.save.*/.save v(h0_0) v(s1_0) v(s2_0) v(s3_0) v(s4_0) v(s4_1) v(s4_2) v(c4_2)/' >product.cir
"$KNOTEN" --quiet --format csv -o product.csv product.cir 2>err || fail "multiplier: $(cat err)"
bits=$(tail -n 1 product.csv | awk -F, '{ for (i = 2; i <= NF; i++) printf "%d", ($i > 2.5) }')
[ "$bits" = 10000111 ] || fail "15 times 15 in bits from the lowest: $bits"

# slower: 5 % more is said, less is not, and instructions of another compiler are not compared.
cat >rows.csv <<END
date,commit,compiler,rc,mul,instructions of rc
2026-01-01,a,gcc 1,0.500,0.300,1000
2026-01-02,b,gcc 1,0.530,0.310,1040
END
"$KNOTEN_SOURCE/bench/slower" rows.csv >lines && fail "slower: what got slower by 6 % is not said"
grep -q '^rc: 0.530, was 0.500 (+6 %)' lines && grep -q '1 of 3 slower' lines || fail "slower: $(cat lines)"
echo 2026-01-03,c,gcc 2,0.500,,2000 >>rows.csv
"$KNOTEN_SOURCE/bench/slower" rows.csv >lines || fail "slower: $(cat lines)"
grep -q '0 of 1 slower' lines || fail "slower: $(cat lines)"

if [ -n "$ngspice" ]; then
    TURNS=1 "$KNOTEN_SOURCE/bench/speed" inverters:3 >table 2>err || fail "speed: $(cat err)"
    grep -q '^| inverters:3 | 0[.0-9]* | [0-9.e+]* % | 0[.0-9]* | [0-9.]* % | [0-9.]* | 0.5 | [0-9.]* | 0.35 | [0-9.]* |$' table ||
        fail "speed: $(cat table)"
fi
finish
