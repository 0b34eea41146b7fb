#!/bin/sh
# What knoten check says of formulas with states: the derivative of what a capacitor keeps costs no index, that of what a
# source tells one for each ddt( ), an integral none.
. "$(dirname "$0")/program.sh"

index_is() { # wanted, lines of the deck
  printf 'index\n%b\n.tran 10u 1m\n.end\n' "$2" >deck.cir
  "$KNOTEN" check deck.cir >out.txt 2>&1 || fail "check of '$2' fails: $(cat out.txt)"
  grep -q "DAE index $1 " out.txt || fail "'$2' is not of index $1: $(grep 'DAE index' out.txt)"
}

in='V1 in 0 SIN(0 1 1k)\n'
index_is 1 "${in}R1 in a 1k\nC1 a 0 1u\nB1 y 0 V=ddt(v(a)^2+v(a))\nR2 y 0 1"
index_is 2 "${in}B1 y 0 V=ddt(v(in))\nR2 y 0 1"
index_is 3 "${in}B1 y 0 V=ddt(ddt(v(in)))\nR2 y 0 1"
index_is 1 "${in}B1 y 0 V=sdt(v(in))\nR2 y 0 1"
index_is 1 "${in}B1 y 0 V=delay(v(in),1u)\nR2 y 0 1"
index_is 1 "${in}E1 y 0 LAPLACE {V(in)} = {s/(1+s*1m)}\nR2 y 0 1"
index_is 2 "${in}E1 y 0 LAPLACE {V(in)} = {s*s*1u/(1+s*1m)}\nR2 y 0 1"

# The equations have the rate of the formula in them, and the unknown by its name.
printf 'explain\nV1 in 0 1\nR1 in a 1k\nC1 a 0 1u\nB1 y 0 V=2*ddt(v(a)^2)\nR2 y 0 1\n.tran 1u 1m\n.end\n' >deck.cir
"$KNOTEN" explain deck.cir >out.txt 2>/dev/null || fail "explain fails"
grep -qF 'd/dt [v(a)^2]' out.txt || fail "explain has no rate of v(a)^2"
grep -qF '2*v(B1#ddt)' out.txt || fail "explain does not name the state"
[ "$failures" -eq 0 ]
