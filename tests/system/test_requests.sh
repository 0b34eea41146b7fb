#!/bin/sh
# What a deck asks for and does not exist is left out of the run, which goes on; what is left is there.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1

# run EXPECTED HEADER CARD..: the vectors of the result of a sine at node 1 over 1 kOhm with these cards.
header()
{
    expected=$1
    shift
    { printf 'requests\nV1 1 0 SIN(0 1 10k)\nR1 1 0 1k\n'; printf '%s\n' "$@"; printf '.tran 1u 100u\n.end\n'; } >deck.cir
    "$KNOTEN" --quiet --format csv -o out.csv deck.cir >out 2>err || fail "exit status $? with: $*"
    [ "$(head -n 1 out.csv)" = "$expected" ] || fail "'$(head -n 1 out.csv)' instead of '$expected' with: $*"
}

header 'time,v(1),i(v1)' '.print tran v(nosuch)' '.save v(nosuch) i(r9)' '.probe v(zz)'
header 'time,v(1)' '.save v(1) v(nosuch)'
header 'time,i(v1)' '.print tran R1:X' '.save v(1,zz) i(V1)'
header 'time,v(1),i(v1),v(1)/10,v(1)*i(r1)' '.print tran v(1)/10 {v(1)*i(R1)}' '.print homotopy v(1)'
awk -F, 'NR > 1 && ($4 - $2 / 10) ^ 2 + ($5 - $2 ^ 2 / 1e3) ^ 2 > 1e-18 { bad = 1 } END { exit bad }' out.csv ||
    fail "expressions have other values than their voltages"
header 'time,2*v(1),v(1)' '.save 2*v(1) v(1)'
grep -q warning err && fail "a warning without a reason: $(cat err)"

# With tables on the screen.
"$KNOTEN" --quiet -o out.raw deck.cir >out 2>err || fail "exit status $?"
sed 's/^.save.*/.print tran v(nosuch) v(1)\/4 v(1)/' deck.cir >print.cir
"$KNOTEN" --quiet -o out.raw print.cir >out 2>err || fail "exit status $?"
grep -q '^ *time *v(1)/4 *v(1)$' out || fail "the table lacks what exists: $(head -n 2 out)"
grep -q "print.cir:4:15: warning: there is no node 'nosuch'; it is left out" err || fail "no warning: $(cat err)"
sed 's/^.save.*/.print tran v(nosuch)/' deck.cir >print.cir
"$KNOTEN" --quiet --plot -o out.raw print.cir >out 2>err || fail "exit status $?"
grep -q 'v(1)' out || fail "the plot of a deck without a vector that exists is empty"

# Options that make no sense do not stop a run, those of the command line do.
sed 's/^.save.*/.options method=9 nosuch=1/' deck.cir >method.cir
"$KNOTEN" -o out.raw method.cir >out 2>err || fail "exit status $? with method=9"
grep -q 'method.cir:4:10: warning: .*a word such as bdf' err || fail "no warning about method=9: $(cat err)"
"$KNOTEN" --method 8 -o out.raw deck.cir >out 2>err
[ $? -eq 2 ] || fail "--method 8 is accepted"

finish
