#!/bin/sh
# Long work tells how long it will still take, on a terminal and nowhere else.
. "$KNOTEN_SOURCE/tests/system/common.sh"
command -v script >/dev/null || skip "no script, which gives programs a terminal"
cd "$scratch" || exit 1
# So long that no machine is through before the first remaining time is told.
sed 's/^.tran .*/.tran 0.05 300 uic/' "$KNOTEN_SOURCE/docs/decks/van-der-pol-10.cir" >long.cir
sed 's/^.param mu=10/.param mu=10\n.step param mu 9 12 0.1/' long.cir >sweep.cir

# on_terminal COMMAND: until the first remaining time is drawn; it need not come to its end.
on_terminal()
{
    rm -f drawn
    script -qfec "$KNOTEN $1" drawn >/dev/null 2>&1 </dev/null &
    waited=0
    while kill -0 $! 2>/dev/null && [ $waited -lt 100 ] && ! grep -q '% *, .* left' drawn 2>/dev/null; do
        sleep 0.2
        waited=$((waited + 1))
    done
    kill $! 2>/dev/null
    wait $! 2>/dev/null
    grep -q '% *, .* left' drawn || fail "knoten $1 shows no remaining time"
}
on_terminal '-j 1 --method euler --reltol 1e-6 -o sweep.raw sweep.cir'
on_terminal 'compare --runs 1 --methods euler --tol 1e-5:1e-7 long.cir'
on_terminal 'verify --method euler --reltol 1e-7 long.cir'
timeout 1.4 "$KNOTEN" --method euler --reltol 1e-6 -o long.raw long.cir >out 2>err
! grep -q left err || fail "progress where there is no terminal"
finish
