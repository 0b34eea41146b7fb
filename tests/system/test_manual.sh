#!/bin/sh
# The manual is what the program does: its parameter tables are the program's own, every option of the program is in it,
# and its decks run.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
docs=$KNOTEN_SOURCE/docs
failures=0

fail() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}

"$KNOTEN" devices --markdown >"$scratch/devices.md"
diff -u "$docs/devices.md" "$scratch/devices.md" ||
  fail "docs/devices.md is out of date: build/knoten devices --markdown > docs/devices.md"

"$KNOTEN" functions --markdown >"$scratch/functions.md"
diff -u "$docs/functions.md" "$scratch/functions.md" ||
  fail "docs/functions.md is out of date: build/knoten functions --markdown > docs/functions.md"
"$KNOTEN" functions --dialect xyce log | grep -q 'base 10' || fail "log of Xyce"
! "$KNOTEN" functions --dialect hspice log | grep -q 'base 10' || fail "log of HSPICE"
! "$KNOTEN" functions nosuch 2>"$scratch/err" || fail "a function that does not exist is listed"

"$KNOTEN" cards | sed -n 's/^\(\.[a-z]*\) .*/\1/p' >"$scratch/cards"
[ "$(wc -l <"$scratch/cards")" -ge 35 ] || fail "only $(wc -l <"$scratch/cards") cards are listed"
while read -r card; do
  grep -qF -e "\`$card" "$docs/manual.md" || fail "the manual does not mention $card"
done <"$scratch/cards"
"$KNOTEN" cards pss | grep -q '^\.pss  *periodic' || fail "knoten cards pss"
! "$KNOTEN" cards nosuch 2>"$scratch/err" || fail "a card that does not exist is listed"

"$KNOTEN" --help | sed -n 's/^  knoten \([a-z][a-z]*\)\( .*\)*$/\1/p' >"$scratch/commands"
[ "$(wc -l <"$scratch/commands")" -ge 10 ] || fail "only $(wc -l <"$scratch/commands") commands in --help"
while read -r command; do
  grep -qF -e "\`knoten $command" "$docs/manual.md" || fail "the manual does not mention knoten $command"
done <"$scratch/commands"
{
  "$KNOTEN" run --help
  while read -r command; do "$KNOTEN" "$command" --help; done <"$scratch/commands"
} | grep -oE '^ +--?[a-z]+' | tr -d ' ' | sort -u >"$scratch/options"
[ "$(wc -l <"$scratch/options")" -ge 20 ] || fail "no options found in --help"
while read -r option; do
  grep -qF -e "\`$option" "$docs/manual.md" || fail "the manual does not mention $option"
done <"$scratch/options"

# Every block marked spice is a complete deck.
awk -v folder="$scratch" -v kind=spice -v ending=.cir -f "$KNOTEN_SOURCE/tests/system/blocks.awk" "$docs/manual.md" \
  >"$scratch/count"
[ "$(cat "$scratch/count")" -ge 2 ] || fail "no decks found in the manual"
cd "$scratch"
for deck in block*.cir; do
  "$KNOTEN" --quiet "$deck" >out 2>err || {
    fail "$deck of the manual: exit status $?"
    cat "$deck" err >&2
  }
  [ ! -s err ] || fail "$deck of the manual: $(cat err)"
done

# The C program of the last section compiles against the installed library and runs.
cache=$KNOTEN_BUILD/CMakeCache.txt
if ! grep -q '^KNOTEN_SANITIZE:[A-Z]*=ON' "$cache"; then
  compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$cache")
  mkdir c
  awk -v folder=c -v kind=c -f "$KNOTEN_SOURCE/tests/system/blocks.awk" "$docs/manual.md" >out
  cat c/block* >program.c
  cmake --install "$KNOTEN_BUILD" --prefix "$scratch/usr" >out 2>&1 || fail "cmake --install: $(cat out)"
  library=$(dirname "$(find usr -name libknoten.so | head -n 1)")
  "$compiler" -std=c17 -Wall -Wextra -Wpedantic -Werror -Iusr/include program.c -o program -L"$library" -lknoten ||
    fail "the program of the manual does not compile"
  LD_LIBRARY_PATH=$library ./program block01.cir >out 2>err || fail "the program of the manual: $(cat err)"
  [ "$(wc -l <out)" -gt 50 ] && head -n 1 out | grep -q '^time v(in)' || fail "the program of the manual prints no rows"
  LD_LIBRARY_PATH=$library ./program missing.cir >out 2>err && fail "the program of the manual accepts a missing deck"
fi

[ $failures -eq 0 ] && echo "$(cat "$scratch/count") decks run"
exit $((failures > 0))
