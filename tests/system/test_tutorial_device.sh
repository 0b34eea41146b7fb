#!/bin/sh
# docs/tutorial-device.md: the program built with its file and its line (tests/tutorial.cmake) knows the tunnel diode.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1
program=$KNOTEN_BUILD/tests/knoten_of_tutorial
deck=$KNOTEN_BUILD/tutorial/tunnel.cir

# The line is the only difference to the list of families.
added=$(diff "$KNOTEN_SOURCE/devices/families.h" "$KNOTEN_BUILD/tutorial/devices/families.h" | grep -c '^[<>]')
[ "$added" -eq 1 ] || fail "the tutorial adds $added lines to devices/families.h, not one"

"$program" -q --format csv -o out.csv "$deck" 2>err || fail "exit status $?: $(head -n 3 err)"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i ~ /v\(a\)/) v = i; if ($i ~ /i\(v1\)/) c = i } next }
    { x = $v; thermal = 8.617333262e-5 * 300.15
      expected = 1e-3 * (x / 65e-3) * exp(1 - x / 65e-3) + 1e-12 * (exp(x / thermal) - 1) + 1e-12 * x + 5e-12 * 0.5
      miss = -$c - expected; miss = miss < 0 ? -miss : miss
      # reltol counts from the largest current so far, which is 0.19 mA at the end of the first step
      if (miss > 1e-3 * expected + 2e-7) bad++
      if (expected > 0.999e-3 && x < 0.1) peak++
      rows++ }
    END { exit !(rows > 50 && bad == 0 && peak > 0) }' out.csv || { fail "the curve is not that of the closed form"; head -n 5 out.csv; }

"$program" check "$deck" >out 2>&1 || fail "check: exit status $?: $(head -n 3 out)"
grep -q 'index' out || fail "check says nothing of the index"
"$program" explain "$deck" >out 2>&1 || fail "explain: exit status $?"
grep -q 'tunnel diode D1' out || { fail "explain does not name the tunnel diode"; cat out; }
"$program" devices tunnel >out 2>&1 || fail "devices: exit status $?"
grep -q 'D: tunnel diode' out || fail "devices does not list the tunnel diode"
grep -q 'voltage at the peak' out || fail "devices does not list its parameters"

# Without it the type is unknown, and a typing error in it is understood with it.
"$KNOTEN" "$deck" >out 2>&1 && fail "the program without it runs the deck"
grep -q "unknown model type 'tunnel'" out || fail "the program without it does not say why"
sed 's/tunnel(/tunel(/' "$deck" >typo.cir
"$program" typo.cir >out 2>&1 && fail "a typing error is read"
grep -q "did you mean 'tunnel'" out || { fail "no correction is offered"; cat out; }
finish
