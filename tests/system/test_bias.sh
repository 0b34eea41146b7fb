#!/bin/sh
# .savebias and .loadbias: the branch of a bistable circuit is kept, at rest and at a time; no input is overwritten.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1

says()
{
    grep -q "$1" out || { fail "expected: $1"; cat out; }
}

# A flip-flop: two inverters, one of the nodes pulled high by .nodeset.
flipflop()
{
    cat <<'END_OF_DECK'
a flip-flop
VCC vcc 0 5
R1 vcc a 1k
R2 vcc b 1k
R3 a c 10k
R4 b d 10k
Q1 a d 0 QN
Q2 b c 0 QN
.model QN NPN(BF=100 IS=1e-15)
END_OF_DECK
}
{ flipflop; printf '.nodeset v(a)=5\n.op\n.savebias state.op\n.end\n'; } >save.cir
mkdir other
"$KNOTEN" save.cir -o other/save.raw >out 2>&1 || { fail "save: exit status $?"; cat out; }
[ -f other/state.op ] || fail "the file lies beside the results"
[ ! -e state.op ] || fail "the file lies elsewhere"
grep -q '^\.nodeset v(a)=4\.' other/state.op || { fail "v(a)"; cat other/state.op; }
[ -z "$(ls -A other | grep -v -e '^state.op$' -e '^save.raw$')" ] || fail "something is left beside it"
{ flipflop; printf '.op\n.loadbias other/state.op\n.end\n'; } >load.cir
"$KNOTEN" load.cir --format csv -o load.csv >out 2>&1 || { fail "load: exit status $?"; cat out; }
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) p[$i] = i; next } { exit !($p["v(a)"] > 4 && $p["v(b)"] < 0.5) }' load.csv ||
    fail "the branch that was saved"
{ flipflop; printf '.nodeset v(b)=5\n.op\n.end\n'; } >load.cir
"$KNOTEN" load.cir --format csv -o load.csv >out 2>&1
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) p[$i] = i; next } { exit !($p["v(a)"] < 0.5) }' load.csv || fail "the other branch"

# The digits are all there, and .save does not matter.
printf 'divider\nV1 x 0 1\nR1 x y 1k\nR2 y 0 2k\nX1 y s\n.subckt s p\nR1 p q 1k\nR2 q 0 1k\n.ends\n.save v(x)\n.op\n.savebias d.op\n.end\n' >d.cir
"$KNOTEN" d.cir -o d.raw >out 2>&1 || fail "divider"
grep -q '^\.nodeset v(y)=0\.5$' d.op || { fail "v(y)"; cat d.op; }
grep -q '^\.nodeset v(X1.q)=0\.25$' d.op || { fail "v(x1.q)"; cat d.op; }
sed 's/^.savebias.*/.loadbias "d.op"/' d.cir >e.cir
"$KNOTEN" e.cir -o e.raw >out 2>&1 || { fail "names in subcircuits"; cat out; }

# At a time: 1 - e^(-t/us).
printf 'rc\nV1 x 0 PWL(0 0 1n 1 1 1)\nR1 x y 1k\nC1 y 0 1n\n.tran 10n 5u\n.savebias t.op time=2u\n.options reltol=1e-8\n.end\n' >t.cir
"$KNOTEN" t.cir -o t.raw >out 2>&1 || { fail "in time: exit status $?"; cat out; }
awk -F= '/v\(y\)/ { e = $2 - (1 - exp(-1.9995)); n++; if (e * e > 1e-12) { print; exit 1 } } END { exit n != 1 }' t.op ||
    { fail "in time"; cat t.op; }
sed -i 's/time=2u/time=9u/' t.cir
rm t.op
"$KNOTEN" t.cir -o t.raw >out 2>&1
says "no transient reaches 9e-06 s"
[ ! -e t.op ] || fail "nothing is to be saved"

# .save of HSPICE and Xyce: initial values or guesses, named after the deck unless the card says otherwise.
divider='divider\nV1 x 0 1\nR1 x y 1k\nR2 y 0 1k\nC1 y 0 1u ic=0\n.tran 1u 10u\n'
saves()
{
    printf "$divider$2\n.end\n" >amp.cir
    "$KNOTEN" amp.cir --dialect "$1" -o other/amp.raw >out 2>&1 || { fail "$2: exit status $?"; cat out; }
    grep -qx "$4" "other/$3" || { fail "$1, $2: no $4 in $3"; ls other; }
    rm -f "other/$3"
}
saves xyce ".save type=ic file=amp.ic level=all" amp.ic '\.ic v(y)=0\.5'
saves xyce ".save" amp.cir.ic '\.nodeset v(y)=0\.5'
saves hspice ".save type=ic" amp.ic0 '\.ic v(y)=0\.5'
saves spice ".save type=ic file='amp.ic'" amp.ic '\.ic v(y)=0\.5'
printf "$divider.save level=none\n.save file=../amp.ic\n.end\n" >amp.cir
"$KNOTEN" amp.cir --dialect xyce -o other/amp.raw >out 2>&1 || fail ".save: exit status $?"
says "a name without folders"
[ ! -e amp.ic ] && [ ! -e other/amp.cir.ic ] || fail ".save: a file that nobody wants"

# Inputs are left alone, and so is all that is not beside the results.
refuses()
{
    { printf 'x\nV1 a 0 1\n.op\n'; printf '%s\n' "$2"; echo .end; } >r.cir
    sum=$(cat r.cir other/state.op | cksum)
    "$KNOTEN" r.cir -o "${3:-r.raw}" >out 2>&1
    [ $? = 2 ] || fail "expected exit status 2: $2"
    says "$1"
    [ "$sum" = "$(cat r.cir other/state.op | cksum)" ] || fail "an input was changed"
}
refuses "a name without folders is needed" ".savebias ../r.op"
refuses "a name without folders is needed" ".savebias /tmp/r.op"
refuses "a name without folders is needed" ".savebias .."
refuses "the name of the file is missing" ".savebias"
refuses "there may be time=" ".savebias a.op foo=3"
refuses "a time must be a number from 0 on" ".savebias a.op time=-1"
refuses "would overwrite the deck" ".savebias r.cir"
refuses "would both go to" ".savebias r.raw"
printf '.nodeset v(a)=1\n' >other/state.op
refuses "would overwrite a file that the deck includes" "$(printf '.loadbias other/state.op\n.savebias state.op')" other/r.raw
ln -s r.cir link.op
refuses "would overwrite the deck" ".savebias link.op"
refuses "nothere.op" ".loadbias nothere.op"

finish
