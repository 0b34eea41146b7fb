#!/bin/sh
# .measure: what the screen and the JSON file say, other programs' spellings, and the numbers beside those of ngspice.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1

cat >deck.cir <<'END'
RC driven by a pulse train, and a sine
.param vdd=5
V1 in 0 PULSE(0 5 10u 1u 2u 30u 100u)
R1 in out 1k
C1 out 0 10n
V2 s 0 SIN(1 2 20k)
Rs s 0 100
.tran 0.1u 400u 0 20n
.options reltol=1e-6
.meas tran tr TRIG v(out) VAL=0.5 RISE=1 TARG v(out) VAL=4.5 RISE=1
.meas tran tpd TRIG v(in) VAL=2.5 RISE=2 TARG v(out) VAL=2.5 RISE=2
.meas tran tf TRIG v(out) VAL={0.9*vdd} FALL=LAST TARG v(out) VAL={0.1*vdd} FALL=LAST
.meas tran t1 WHEN v(out)=2.5 CROSS=3
.meas tran t2 WHEN v(out)=v(s) RISE=1 TD=50u
.meas tran v1 FIND v(out) AT=15u
.meas tran v2 FIND v(s) WHEN v(out)=2.5 FALL=1
.meas tran vmax MAX v(s)
.meas tran vmin MIN v(s) FROM=30u TO=200u
.meas tran vpp PP v(s)
.meas tran av AVG v(out) FROM=10u TO=100u
.meas tran r RMS v(s) FROM=0 TO=400u
.meas tran none WHEN v(out)=6
.end
END

"$KNOTEN" -q --measures m.json deck.cir >out 2>err || fail "exit status $?"
grep -q '^Measurements' out || fail "no list of measurements"
grep -q '^  none  *failed' out || fail "what was not found is not listed as such"
grep -q 'deck.cir:22:12: warning: none: v(out) never crosses 6' err || { fail "no warning about 'none'"; cat err; }
[ "$(grep -c '"name"' m.json)" -eq 13 ] || { fail "13 objects expected in m.json"; cat m.json; }
grep -q '{"name": "none", "value": null}' m.json || fail "null expected in m.json"
if command -v python3 >/dev/null 2>&1; then
    python3 -c 'import json; json.load(open("m.json"))' || fail "m.json is no JSON"
fi

# Standard output carries nothing else when it is the result's or that of the JSON.
"$KNOTEN" -q --format csv -o - deck.cir 2>err | grep -q Measurements && fail "measurements within the CSV"
grep -q '^  tr  ' err || fail "no measurements beside the CSV"
"$KNOTEN" -q --measures - deck.cir 2>/dev/null | head -n 1 | grep -qx '\[' || fail "JSON on standard output"

# Spellings of LTspice, HSPICE and PSpice.
cat >spellings.cir <<'END'
spellings
V1 a 0 SIN(0 1 1k)
R1 a 0 1k
.tran 1u 3m
.MEAS m1 FIND V(a) AT 0.25m
.MEASURE TRAN m2 TRIG V(a)=0.5 RISE=1 TARG V(a)=-0.5 FALL=1
.meas tran m3 max par('v(a)*v(a)') from 0 to 1m
.meas tran m4 AVG V(a)*I(R1) FROM=0 TO=2m
.meas tran m5 when v(a)='0.5/1' cross=last
.measure tran m6 integ abs( v(a) ) from=0 to={1m}
.meas tran m7 pp v(a, 0)
.end
END
"$KNOTEN" -q spellings.cir >out 2>err || { fail "other spellings"; cat err; }
[ ! -s err ] || { fail "other spellings are warned about"; cat err; }
awk '/^  m/ { v[$1] = $2 }
    function near(name, value) { if (v[name] < value * 0.998 || v[name] > value * 1.002) { print name, v[name], value; bad = 1 } }
    END { near("m1", 1); near("m2", 0.5e-3); near("m3", 1); near("m4", 0.5e-3); near("m5", 2e-3 + 5e-3 / 12)
        near("m6", 2e-3 / 3.14159265); near("m7", 2); exit bad }' out || fail "values of other spellings"

command -v ngspice >/dev/null 2>&1 || { [ "$failures" -gt 0 ] || skip "ngspice is not installed to compare with"; finish; }
"$KNOTEN" -q deck.cir 2>/dev/null | awk '/^  / { print $1, $2 }' | sort >knoten.txt
ngspice -b deck.cir 2>/dev/null | awk '$2 == "=" && NF > 2 { print $1, $3 }' | sort >ngspice.txt
join knoten.txt ngspice.txt >both.txt
[ "$(wc -l <both.txt)" -eq 12 ] || { fail "12 measurements expected from both"; cat both.txt; }
# ngspice lets windows end at its next time point: 1e-4 of an average here.
awk '{ d = $2 - $3; d = d < 0 ? -d : d; s = $3 < 0 ? -$3 : $3; if (d > 2e-4 * s) { print; bad = 1 } } END { exit bad }' both.txt ||
    fail "ngspice measures something else"

finish
