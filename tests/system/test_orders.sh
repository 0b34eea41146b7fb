#!/bin/sh
# knoten compare --orders: the textbook orders on smooth decks of every index, errors against a closed form, plots.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1
decks=$KNOTEN_SOURCE/tests/decks/orders

measure()
{
    "$KNOTEN" compare --orders --quiet --format csv "$decks/$1.cir" >table.csv 2>err || fail "$1: $(cat err)"
}

# expect DECK METHOD KIND ORDER: within 0.15 of it
expect()
{
    observed=$(awk -F, -v m="$2" -v k="$3" '$1 == m && $2 == k { print $5; exit }' table.csv)
    awk -v a="$observed" -v b="$4" 'BEGIN { exit !(a != "" && a == a + 0 && (a - b) ^ 2 <= 0.15 ^ 2) }' || fail "$1: $2, $3: order $observed, not $4"
}

# Orders: Hairer and Wanner, Solving ODEs II, 1996, Tables VI.1, VII.4.1; Hairer, Lubich and Roche 1989, Table 2.3; BDF with
# index 3: Brenan, Campbell and Petzold 1996, 3.2.  Columns: method, differential and index 1, index 2, index 3.
orders='euler 1 1 1
bdf1 1 1 1
bdf2 2 2 2
bdf3 3 3 3
bdf4 4 4 4
bdf5 5 5 5
gear 2 2 2
trap 2 2 0
trbdf2 2 2 1
radau1 1 1 1
radau3 3 2 1
radau5 5 3 2
rodas 4 1 0
row2 3 2 -'
check()
{
    deck=$1
    shift
    echo "$orders" >orders.txt
    while read -r method smooth second third; do
        for kind in "$@"; do
            case $kind in
            index2) expect $deck $method 'index 2' $second ;;
            index3) [ "$third" = - ] || expect $deck $method 'index 3' $third ;;
            index1) expect $deck $method 'index 1' $smooth ;;
            *) expect $deck $method differential $smooth ;;
            esac
        done
    done <orders.txt
}
measure rc
check rc differential index1
for method in rodasp gauss4; do expect rc $method differential 4; done
for method in dae3s; do expect rc $method 'index 1' 3; done
measure cv-loop
check cv-loop differential index1 index2
expect cv-loop gauss2 'index 2' 1
expect cv-loop dae3s 'index 2' 1
[ "$(awk -F, '$1 == "trap" { print $2 }' table.csv | sort -u | tr '\n' ' ')" = "differential index 1 index 2 " ] || fail "cv-loop: kinds of unknowns"
measure li-cutset
check li-cutset differential index2
measure index3-chain
check index3-chain differential index2 index3
expect index3-chain radau9 'index 3' 4

# A nonlinear charge: orders of all methods that differentiate it well enough.
measure nonlinear
for pair in 'euler 1' 'bdf2 2' 'trap 2' 'trbdf2 2' 'radau3 3' 'radau5 5' 'gauss2 2'; do
    set -- $pair
    expect nonlinear $1 differential $2
    expect nonlinear $1 'index 1' $2
done

# Errors are those of the closed form: Euler's current of a capacitor at a sine is a difference, at the common times.
measure capacitor
for steps in 20 160 1280; do
    awk -F, -v steps=$steps '$1 == "euler" && $2 == "index 2" && $3 == steps { stated = $4 }
        END { w = 2 * 3.14159265358979 * 1000; h = 1.3e-3 / steps
              for (j = 5; j <= 10; j++) { t = j * 1.3e-4; c = cos(w * t); c = c < 0 ? -c : c; scale = c > scale ? c : scale
                  e = cos(w * t) - (sin(w * t) - sin(w * (t - h))) / (w * h); e = e < 0 ? -e : e; worst = e > worst ? e : worst }
              d = stated / (worst / scale) - 1; exit !(d * d < 1e-8) }' table.csv || fail "capacitor: the error of $steps Euler steps"
done

# The table, the drawing, the picture.
"$KNOTEN" compare --orders --plot "$decks/cv-loop.cir" --methods bdf,trap -o orders.svg >table.txt 2>err || fail "table: $(cat err)"
grep -q '^index 2 *i(v1); errors below' table.txt || fail "the unknowns of index 2 are not named"
grep -Eq '^bdf3 .* 3\.00 +3 ' table.txt || fail "no row of bdf3"
grep -q '^index 2: error against steps' table.txt && grep -q 'a bdf1, b bdf2' table.txt || fail "nothing is drawn"
if command -v gnuplot >/dev/null; then
    grep -q '<svg' orders.svg && grep -q 'bdf3' orders.svg || fail "orders.svg does not show bdf3"
fi

"$KNOTEN" compare --orders --json "$decks/cv-loop.cir" --methods trap >orders.json 2>err || fail "json: $(cat err)"
grep -q '"i(v1)": "index 2"' orders.json && grep -q '"method": "trap"' orders.json || fail "JSON: $(cat orders.json)"

# Who has no order; too few steps; a deck without .tran.
# radau5 by its own name: that order of radau alone.
"$KNOTEN" compare --orders --quiet --format csv --methods radau5 "$decks/cv-loop.cir" >table.csv 2>err || fail "radau5: $(cat err)"
expect cv-loop radau5 'index 2' 3
! grep -q '^radau[139]' table.csv || fail "other orders of radau"

for bad in '--methods auto' '--steps 2'; do
    "$KNOTEN" compare --orders $bad "$decks/rc.cir" >out 2>err
    [ $? -eq 2 ] || fail "compare --orders $bad: exit status"
done
printf 'no transient\nV1 a 0 1\nR1 a 0 1k\n.op\n.end\n' >op.cir
"$KNOTEN" compare --orders op.cir >out 2>err && fail "a deck without .tran"
grep -q 'no transient analysis' err || fail "a deck without .tran is not explained: $(cat err)"
finish
