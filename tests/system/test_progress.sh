#!/bin/sh
# Long work tells how long it will still take, on a terminal and nowhere else.
. "$KNOTEN_SOURCE/tests/system/common.sh"
command -v script >/dev/null || skip "no script, which gives programs a terminal"
cd "$scratch" || exit 1
cp "$KNOTEN_SOURCE/docs/decks/van-der-pol-10.cir" long.cir
sed 's/^.param mu=10/.param mu=10\n.step param mu 9 12 0.1/' long.cir >sweep.cir

# on_terminal COMMAND: what it draws, a line each, until the first remaining time; it need not come to its end.
on_terminal()
{
    timeout 20 script -qec "$KNOTEN $1" /dev/null 2>/dev/null </dev/null | tr '\r' '\n' |
        awk '/% *, .* left/ { print; shown = 1; exit } END { exit !shown }' >shown || fail "knoten $1 shows no remaining time"
}
on_terminal '-j 1 --method euler --reltol 1e-6 -o sweep.raw sweep.cir'
on_terminal 'compare --runs 1 --methods euler --tol 1e-5:1e-7 long.cir'
on_terminal 'verify --method euler --reltol 1e-7 long.cir'
timeout 1.4 "$KNOTEN" --method euler --reltol 1e-6 -o long.raw long.cir >out 2>err
! grep -q left err || fail "progress where there is no terminal"
finish
