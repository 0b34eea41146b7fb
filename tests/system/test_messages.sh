#!/bin/sh
# Messages name the culprit, with place, time and value, and come once.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1

# answer STATUS CARD..: runs a deck of these cards.
answer()
{
    expected=$1
    shift
    { printf 'messages\n'; printf '%s\n' "$@"; printf '.end\n'; } >deck.cir
    "$KNOTEN" -o out.raw deck.cir >out 2>err
    status=$?
    [ "$status" -eq "$expected" ] || fail "status $status with: $*: $(cat err)"
}

says() { grep -q -e "$1" err || fail "'$1' is not in: $(cat err)"; }
says_not() { ! grep -q -e "$1" err || fail "'$1' is in: $(cat err)"; }
once() { [ "$(grep -c -e "$1" err)" -eq 1 ] || fail "'$1' comes $(grep -c -e "$1" err) times: $(cat err)"; }

# ---- each once, however many analyses there are

answer 0 'V1 a 0 1' 'R1 a b 1k foo=3' 'R2 b 0 -2k' 'C1 b 0 1u' 'C2 c a 1n' 'C3 c 0 1n' '.op' '.tran 10u 3m' '.tran 10u 1m' \
    '.options nosuch=1'
once "no parameter 'foo'"
once "'R2' is negative"
once "no path for direct current leads to v(c)"
once "unknown option 'nosuch'"

# Two floating parts are two.
answer 0 'V1 a 0 1' 'R0 a 0 1' 'C1 a b 1n' 'R1 b c 1' 'C2 a d 1n' 'R2 d e 1' '.op' '.tran 1u 1m'
once 'leads to v(b), v(c):'
once 'leads to v(d), v(e):'

# ---- equations without a solution: that of the formula is named, not a source beside it

answer 1 'V1 in 0 1' 'B1 a 0 V=V(a)^2+1' 'R1 a in 1k' '.tran 1u 1m'
says '^deck.cir:3:1: error: no operating point found.*equation of i(b1).*B1 (line 3)'
says_not 'V1 (line'
answer 1 'V1 in 0 1' 'B1 a 0 V=V(a)^2+V(in)' 'R1 a in 1k' '.op'
says '^deck.cir:3:1: error.*B1 (line 3)'
answer 1 'V1 in 0 1' 'R0 in b 1k' 'D1 b c DM' 'R2 c 0 1k' '.model DM D' 'B7 a 0 V=exp(V(a))+V(in)' 'R1 a c 1k' '.op'
says '^deck.cir:7:1: error.*B7 (line 7)'
# What nothing determines is still called so.
answer 1 'V1 a 0 1' 'R1 a 0 1k' 'E1 b 0 c 0 1' 'E2 c 0 b 0 1' 'B1 d 0 I=v(a)*v(b)' 'R2 d 0 1' '.op'
says_not 'came nearest'

# ---- formulas that have no value

# value FORMULA WORDS: B1 with this formula of a sine v(in) fails, and the words say why.
value()
{
    answer 1 'V1 in 0 SIN(0.5 1 1k)' "B1 out 0 V={$1}" 'R1 out 0 1k' '.tran 10u 1m'
    says "^deck.cir:3:1: error: the formula of B1 has no value at t = [0-9.e-]* s: $2"
}
value 'sqrt(v(in))' 'sqrt(-[0-9.e-]*), the square root of a negative number'
value '1+sqrt(0.2+v(in))*2' 'sqrt(-[0-9.e-]*), the square root of a negative number'
value 'log(v(in))' 'log(-[0-9.e-]*), the logarithm of a negative number'
value 'log10(0.1+v(in))' 'log10(-[0-9.e-]*), the logarithm of a negative number'
value 'asin(v(in))' 'asin(1\.[0-9]*), an argument beyond 1'
value 'acosh(1.3+v(in))' 'acosh(0\.[0-9]*), an argument below 1'
value '2/max(0.9-v(in),0)' '2/0, a division by zero'
value 'sqrt(0.9m-time)' 'sqrt(-[0-9.e-]*), the square root of a negative number'

# At the operating point, for Newton's method and all others come there.
answer 1 'V1 in 0 -1' 'B1 out 0 V={sqrt(v(in))}' 'R1 out 0 1k' '.op'
says '^deck.cir:3:1: error: no operating point found: the formula of B1 has no finite value .*sqrt(-[0-9.]*), the square root'

# ---- explain calls by its name what is no operating point

printf 'label\nV1 a 0 SIN(0 1 1k)\nC1 a 0 1u\n.op\n.end\n' >label.cir
"$KNOTEN" explain label.cir >out 2>err || fail "explain: status $?"
grep -q '^Consistent initial values at time 0:$' out || fail "explain has no label"
grep -q 'Operating point at time' out && fail "explain calls initial values an operating point"

finish
