#!/bin/sh
# knoten verify: finds a planted error, passes a good run, says what it did in text and in JSON, and with which status.
. "$KNOTEN_SOURCE/tests/system/common.sh"
cd "$scratch" || exit 1

# expect STATUS ARGUMENTS..
expect()
{
    wanted=$1
    shift
    "$KNOTEN" verify "$@" >out 2>err
    status=$?
    [ $status -eq "$wanted" ] || fail "verify $*: exit status $status, not $wanted: $(head -n 5 err out)"
}

cat >tank.cir <<'END'
Tank of Q = 100, rung by a step
V1 in 0 PULSE(0 1 10u 1u 1u 1 1)
R1 in a 10
L1 a out 1m
C1 out 0 1n
.save v(out) i(L1)
.tran 0.2u 200u
.end
END
expect 0 tank.cir
grep -q 'against radau at reltol 0.0001' out || fail "the second run is not stated"
grep -q '^v(out) ' out && grep -q '^i(l1) ' out || fail "a vector is not in the table"
grep -q 'all vectors are within 3 times the tolerance' out || fail "no verdict"

# The implicit Euler method damps the tank: at a step of h the amplitude falls by 1/sqrt(1 + (wh)^2) a step.  Its own error
# estimate is met all the same where tmax decides.
sed 's/^\.tran.*/.tran 0.2u 200u 0 0.2u/' tank.cir >damped.cir
expect 1 --method euler --reltol 0.05 damped.cir
grep -q '^euler at reltol 0.05' out || fail "the first run is not the one asked for"
grep -q '2 of 2 vectors differ' out || fail "a damped oscillation is not found"
expect 0 --method radau damped.cir
grep -q 'against bdf' out || fail "radau judges itself"
expect 0 --method radau --against trbdf2 --reltol 1e-4 damped.cir
grep -q 'against trbdf2 at reltol 1e-05' out || fail "--against is not obeyed"

if command -v python3 >/dev/null; then
    "$KNOTEN" verify --json --quiet --method euler --reltol 0.05 damped.cir >euler.json
    "$KNOTEN" verify --json --quiet tank.cir >good.json || fail "--json changes the status"
    python3 - <<'END' || fail "JSON is not what the text says"
import json
bad, good = json.load(open('euler.json'))[0], json.load(open('good.json'))[0]
assert bad['method'] == 'euler' and bad['against'] == 'radau' and bad['beyond'] == 2 and good['beyond'] == 0
assert {v['name'] for v in bad['vectors']} == {'v(out)', 'i(l1)'}
assert all(v['excess'] > bad['factor'] for v in bad['vectors']) and all(v['excess'] <= 3 for v in good['vectors'])
v = bad['vectors'][0]
place = v['at_rows']
assert abs(abs(place['first'] - place['second']) - place['difference']) < 1e-9 and 0 < place['time'] <= 200e-6
END
fi

# Both .tran are verified; one that is not good is enough.
sed 's/^\.tran.*/.tran 0.2u 5u\n.tran 0.2u 200u 0 0.2u\n.options method=euler reltol=0.05/' tank.cir >both.cir
expect 1 both.cir
[ "$(grep -c '^euler at' out)" -eq 2 ] || fail "the second .tran is not verified"

# A second run that takes too long is no verification.
sed 's/^\.tran.*/.tran 0.2u 200u 0 0.1n/' tank.cir >slow.cir
expect 1 --limit 0.01 slow.cir
grep -q 'not verified.*longer than 0.01 s' out || fail "a run that is given up is not said"

# .options verify: the run goes on as it is, with a note or a warning.
sed 's/^\.end/.options verify\n.end/' tank.cir >option.cir
"$KNOTEN" option.cir -o option.raw 2>err || fail "a run with .options verify failed"
grep -q 'note: verified by radau at reltol 0.0001' err || fail ".options verify says nothing"
sed 's/^\.end/.options verify method=euler reltol=0.05\n.end/' damped.cir >warned.cir
"$KNOTEN" warned.cir -o warned.raw 2>err || fail "a run with .options verify failed"
grep -q 'warning: 2 of 2 vectors differ by more than 3 times the tolerance' err || fail ".options verify does not warn"
"$KNOTEN" tank.cir -o tank.raw --quiet
for file in tank option; do grep -av '^Date:' $file.raw >$file.rest; done
cmp -s tank.rest option.rest || fail ".options verify changes the result"

# Usage.
expect 2
expect 2 missing.cir
expect 2 --against radua tank.cir
grep -q "did you mean 'radau'" err || fail "no correction for radua"
expect 2 --limit never tank.cir
printf 'operating point only\nV1 a 0 1\nR1 a 0 1k\n.op\n.end\n' >op.cir
expect 2 op.cir
grep -q 'no transient analysis' err || fail "a deck without .tran is not explained"
"$KNOTEN" verify - <tank.cir >out 2>err || fail "a deck from standard input is not verified"
"$KNOTEN" verify --help >out && grep -q -- '--against' out || fail "no help"

finish
