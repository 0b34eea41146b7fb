#!/bin/sh
# `knoten parasitics` and .options quasistatic as their users see them: report, JSON, exit statuses, what is refused.
. "$(dirname "$0")/common.sh"

deck()
{
    cat >"$scratch/$1.cir" <<E2
two nodes
C1 1 0 1 ic=1
R1 1 0 1
R12 1 2 1
R2 2 0 1
C2 2 0 1m ic=0
I1 0 1 SIN(0 1 0.15915494309189535)
$2
.tran 0.05 5 uic
.end
E2
}

says()
{
    grep -q -e "$2" "$scratch/$1" || { fail "'$2' is not in $1"; cat "$scratch/$1"; }
}

report()
{
    "$KNOTEN" parasitics "$@" >"$scratch/out" 2>"$scratch/err"
}

deck plain ''
report --elements C2 "$scratch/plain.cir" || fail "attractive: exit status $?"
says out '1 parasitic looked at, 1 may go'
says out 'attractive'
says out '^  C2  *0\.001 F  *0\.5 ohm  *0\.0005 s  *may go'
says out 'coupling 0\.25 of what the bound allows'
says out '^  v(1)  *0\.00024[0-9]* V' # -eps/4 behind the layer, dying out with 1.5/s
says out 'C2 jumps by up to 0\.5 V'

report --cmax 2m --json "$scratch/plain.cir" || fail "json: exit status $?"
if [ -x /usr/bin/python3 ]; then
    /usr/bin/python3 - "$scratch/out" <<'E2' || fail "JSON"
import json, sys
r = json.load(open(sys.argv[1]))
assert r["all"]["verdict"] == "attractive" and r["all"]["index"] == 1 and r["index"] == 0
assert abs(r["all"]["time_constants"][0][0] - 5e-4) < 1e-12
assert [e["name"] for e in r["elements"]] == ["C2"] and r["elements"][0]["may_go"]
assert abs({e["name"]: e["first_order"] for e in r["run"]["errors"]}["v(1)"] - 0.25e-3) < 0.02 * 0.25e-3
E2
fi

report "$scratch/plain.cir" && fail "nothing chosen: exit status 0"
says err 'which parasitics shall go'
report --cmax 1p "$scratch/plain.cir" && fail "none as small: exit status 0"
says err 'as small as that'
report --elements R1,C9 "$scratch/plain.cir" && fail "wrong names: exit status 0"
says err "'R1' is nothing that can be left out"
says err "'C9' is nothing that can be left out: there is no such element"
report --cmax -1 "$scratch/plain.cir" && fail "a negative size: exit status 0"
says err 'farads'

# A run without it, with a note; rows are those of the circuit without C2.
deck run '.options quasistatic="C2"'
"$KNOTEN" "$scratch/run.cir" -o "$scratch/run.csv" --format csv >"$scratch/out" 2>"$scratch/err" || fail "run: exit status $?"
says err 'the run was made without C2 .*0.0005 s'
awk -F, 'NR == 2 { exit !($1 == 0 && $2 > 0.9999 && $2 < 1.0001 && $3 > 0.4999 && $3 < 0.5001) }' "$scratch/run.csv" ||
    fail "the run does not start on the slow manifold"

# Names without quotes would be lost, numbers are no names, sizes that fit nothing are told.
deck run '.options quasistatic=C1,C2'
"$KNOTEN" "$scratch/run.cir" -o "$scratch/run.raw" >"$scratch/out" 2>"$scratch/err" && fail "names without quotes: exit status 0"
says err 'run.cir:8:.*need quotes'
deck run '.options quasistatic=1p'
"$KNOTEN" "$scratch/run.cir" -o "$scratch/run.raw" >"$scratch/out" 2>"$scratch/err" && fail "a number: exit status 0"
says err 'needs names of capacitors'
deck run '.options quasistatic=C7'
"$KNOTEN" "$scratch/run.cir" -o "$scratch/run.raw" >"$scratch/out" 2>"$scratch/err" && fail "no such element: exit status 0"
says err 'run.cir:8:.*no such element'
deck run '.options quasistatic_cmax=1p'
"$KNOTEN" "$scratch/run.cir" -o "$scratch/run.raw" >"$scratch/out" 2>"$scratch/err" || fail "none as small: exit status $?"
says err 'no capacitor and no inductor is as small'

# A slow start: what swings in does not; what would not have swung in is refused.
deck run '.options slow_start="C2"'
"$KNOTEN" "$scratch/run.cir" -o "$scratch/run.csv" --format csv >"$scratch/out" 2>"$scratch/err" || fail "slow start: exit status $?"
says err 'v(2) starts at 0.500375 V, not at 0 V'
awk -F, 'NR == 2 { exit !($1 == 0 && $2 > 0.9999 && $2 < 1.0001 && $3 > 0.50037 && $3 < 0.50038) }' "$scratch/run.csv" ||
    fail "the run does not start slowly"
deck run '.options slow_start=C1,C2'
"$KNOTEN" "$scratch/run.cir" -o "$scratch/run.raw" >"$scratch/out" 2>"$scratch/err" && fail "slow start without quotes: exit status 0"
says err 'slow_start="c1 c2"'
deck run '.options slow_start=R1'
"$KNOTEN" "$scratch/run.cir" -o "$scratch/run.raw" >"$scratch/out" 2>"$scratch/err" && fail "slow start of R1: exit status 0"
says err 'run.cir:8:.*only capacitors'
sed 's/^R2.*/G2 2 0 2 0 -1.5/; s/^\.tran/.options slow_start=C2\n.tran/' "$scratch/plain.cir" >"$scratch/growing.cir"
"$KNOTEN" "$scratch/growing.cir" -o "$scratch/run.raw" >"$scratch/out" 2>"$scratch/err" && fail "slow start of what grows: exit status 0"
says err 'no slow start of C2: unstable'

# Refused: the index would rise, with the cutset; a mode that grows; nodes without a path.
cat >"$scratch/cutset.cir" <<'E2'
tanks
C1 1 0 5m
L1 1 0 0.1
L2 1 2 0.1 ic=-1
C2 2 0 1
I1 0 2 0.1
.options quasistatic=C1
.tran 0.1 5 uic
.end
E2
"$KNOTEN" "$scratch/cutset.cir" -o "$scratch/run.raw" >"$scratch/out" 2>"$scratch/err" && fail "cutset: exit status 0"
says err 'cutset.cir:7:.*C1 cannot be left out: undamped.*L1 (line 3) - L2 (line 4)'
report "$scratch/cutset.cir" && fail "cutset: exit status 0 of the report"
says out 'index  *0 as it is, 2 without'

sed 's/^R2.*/G2 2 0 2 0 -1.5/; s/^\.tran/.options quasistatic=C2\n.tran/' "$scratch/plain.cir" >"$scratch/negative.cir"
"$KNOTEN" "$scratch/negative.cir" -o "$scratch/run.raw" >"$scratch/out" 2>"$scratch/err" && fail "negative: exit status 0"
says err 'unstable: a fast mode grows like exp(t/0.002 s)'

cat >"$scratch/open.cir" <<'E2'
divider
V1 a 0 SIN(0 1 1k)
R1 a b 1k
C1 b c 1p
C2 c 0 1p
.tran 1u 1m uic
.end
E2
report --cmax 1p "$scratch/open.cir" && fail "open node: exit status 0"
says out 'no unique solution'

# Many parasitics: a line of 150 sections, and one of too many.
awk -v n=150 'BEGIN { print "line"; print "V1 0n 0 PULSE(0 1 0 1n 1n 1u 2u)"
    for (k = 1; k <= n; k++) printf "R%d %dn %dn 1\nC%d %dn 0 1f\n", k, k - 1, k, k, k
    print "RL " n "n out 1k\nCL out 0 1n\n.tran 10n 4u\n.end" }' >"$scratch/line.cir"
report --cmax 10f "$scratch/line.cir" || fail "line: exit status $?"
says out '150 parasitics looked at, 150 may go'
# Of n equal sections the k-th time constant is RC / (4 sin^2((2 k - 1) pi / (4 n + 2))): the slowest of 520.
awk -v n=520 'BEGIN { print "line"; print "V1 0n 0 1"; for (k = 1; k <= n; k++) printf "R%d %dn %dn 1k\nC%d %dn 0 1p\n", k, k - 1, k, k, k
    print ".end" }' >"$scratch/line.cir"
report --cmax 10p --json "$scratch/line.cir" || fail "520: exit status $?"
awk -v n=520 'BEGIN { pi = atan2(0, -1); wanted = 1e-9 / (4 * sin(pi / (4 * n + 2)) ^ 2) }
    match($0, /"time_constants": *\[\[[-+.e0-9]+/) { v = substr($0, RSTART, RLENGTH); sub(/.*\[/, "", v); if ((v / wanted - 1) ^ 2 < 1e-16) good = 1 }
    END { exit !good }' "$scratch/out" || fail "520: another slowest time constant"
# A gain between them makes the matrix unsymmetric.  Each node has 1 mS to ground, 1 mS to both neighbours, and a transistor's gain
# of 2 uS from the node before it: G is tridiagonal with diagonal 3 mS, 1 mS above and 0.998 mS below, whose eigenvalues are
# 3 mS - 2 sqrt(1 mS 0.998 mS) cos(k pi/(n + 1)) (Toeplitz), n = 520: the slowest time constant is 1 pF over the least of them.
awk -v n=520 'BEGIN { print "line"; for (k = 1; k <= n; k++) printf "C%d n%d 0 1p\nRG%d n%d 0 1k\n", k, k, k, k
    for (k = 0; k <= n; k++) printf "R%d %s %s 1k\n", k, k ? "n" k : "0", k < n ? "n" k + 1 : "0"
    for (k = 1; k < n; k++) printf "G%d n%d 0 n%d 0 2u\n", k, k + 1, k
    print ".end" }' >"$scratch/line.cir"
report --cmax 10p --json "$scratch/line.cir" || fail "520 with gains: exit status $?"
awk -v n=520 'BEGIN { pi = atan2(0, -1); wanted = 1e-12 / (3e-3 - 2 * sqrt(0.998e-6) * cos(pi / (n + 1))) }
    match($0, /"time_constants": *\[\[[-+.e0-9]+/) { v = substr($0, RSTART, RLENGTH); sub(/.*\[/, "", v); if ((v / wanted - 1) ^ 2 < 1e-12) good = 1 }
    END { exit !good }' "$scratch/out" || fail "520 with gains: another slowest time constant"
awk -v n=520 'BEGIN { print "line"; print "V1 0n 0 1"; for (k = 1; k <= n; k++) printf "R%d %dn %dn 1k\nC%d %dn 0 1p\n", k, k - 1, k, k, k
    print "G1 3n 0 200n 0 1u\n.end" }' >"$scratch/line.cir"
report --cmax 10p "$scratch/line.cir" || fail "520 with a gain: exit status $?"
says out '520 parasitics looked at, 520 may go'
# 300 inverters one behind the other, with two parasitics each: parts that act on each other in one direction.
awk -v n=300 'BEGIN { print "inverters"; print ".model nm nmos(vto=0.7 kp=100u)\n.model pm pmos(vto=-0.7 kp=50u)"
    print "VD vdd 0 3\nV1 n0 0 pulse(0 3 0 1n 1n 5n 10n)"
    for (k = 1; k <= n; k++) { printf "MP%d n%d n%d vdd vdd pm w=2u l=1u\nMN%d n%d n%d 0 0 nm w=1u l=1u\n", k, k, k - 1, k, k, k - 1
        printf "CA%d n%d 0 5f\nCB%d n%d m%d 1f\nRB%d m%d 0 10k\n", k, k, k, k, k, k, k }
    print ".end" }' >"$scratch/inverters.cir"
report --cmax 10f "$scratch/inverters.cir" || fail "inverters: exit status $?"
says out '600 parasitics looked at, 600 may go'
awk 'BEGIN { print "line"; print "V1 0n 0 1"; for (k = 1; k <= 2001; k++) printf "R%d %dn %dn 1\nC%d %dn 0 1f\n", k, k - 1, k, k, k
    print ".end" }' >"$scratch/line.cir"
report --cmax 10f "$scratch/line.cir" && fail "2001: exit status 0"
says err '2001 capacitors and inductors are chosen; at most 2000'

finish
