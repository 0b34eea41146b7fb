#!/bin/sh
# docs/tutorial-analysis.md: the program built with its file and its line (tests/tutorial.cmake) knows .power.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1
program=$KNOTEN_BUILD/tests/knoten_with_power
deck=$KNOTEN_BUILD/tutorial/power.cir

# The line is the only difference to the list of analyses.
added=$(diff "$KNOTEN_SOURCE/analyses/list.h" "$KNOTEN_BUILD/tutorial/analyses/list.h" | grep -c '^[<>]')
[ "$added" -eq 1 ] || fail "the tutorial adds $added lines to analyses/list.h, not one"

# The values of the page: exact ones of the divider.
"$program" --format csv -o out.csv "$deck" >out 2>err || fail "exit status $?: $(head -n 3 err)"
awk -F, '/p\(total\)/ { getline
      if ($1 - 21.2e-3 > 1e-9 || 21.2e-3 - $1 > 1e-9 || $2 - 14e-3 > 1e-9 || 14e-3 - $2 > 1e-9) exit 1
      if ($3 - 7.2e-3 > 1e-9 || 7.2e-3 - $3 > 1e-9) exit 1
      found = 1 }
    END { exit !found }' out.csv || { fail "the powers are not those of the page"; cat out.csv; }
grep -q 'p(total)' out || { fail "the listing does not show them"; cat out; }

# One set-up for .op and .power: one operating point, counted once.
sed '/^\.power/d' "$deck" >op.cir
"$program" -o out.raw op.cir >out 2>alone || fail "without .power: exit status $?"
iterations() { sed -n 's/.* \([0-9]*\) Newton iteration.*/\1/p' "$1"; }
[ -n "$(iterations err)" ] || fail "no Newton iterations are told"
[ "$(iterations err)" = "$(iterations alone)" ] || fail "the operating point was sought again"

# Names, and names that are no sources.
sed 's/^\.power/.power I2/' "$deck" >one.cir
"$program" -q --format csv -o out.csv one.cir >out 2>&1 || fail "named source: exit status $?"
grep -qx 'p(total),p(I2)' out.csv || { fail "not just the source that is named"; cat out.csv; }
sed 's/^\.power/.power R1/' "$deck" >wrong.cir
"$program" wrong.cir >out 2>err && fail "a resistor is taken for a source"
grep -q "wrong.cir:7:8: error: there is no source 'R1'" err || { fail "the place of the mistake"; cat err; }

# Without it the card is unknown.
"$KNOTEN" "$deck" >out 2>&1 && fail "the program without it runs the deck"
grep -q "unknown card '.power'" out || { fail "the program without it does not say why"; cat out; }
finish
