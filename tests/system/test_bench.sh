#!/bin/sh
# bench/calibration and bench/verify run, and what they state of simple circuits is plausible.
. "$KNOTEN_SOURCE/tests/system/common.sh"
grep -q '^KNOTEN_SANITIZE:BOOL=ON' "$KNOTEN_BUILD/CMakeCache.txt" && skip "the meter is compiled without sanitizers"
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
finish
