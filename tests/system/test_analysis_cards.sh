#!/bin/sh
# Cards of analyses that ask for what cannot be: each is said with its place and its reason.
. "$(dirname "$0")/common.sh"

# says STATUS CARD TEXT: what the deck with this card says.
says()
{
    printf 'cards\nV1 in 0 DC 1 AC 1 SIN(0 1 1k)\nR1 in out 1k\nC1 out 0 1u\n%b\n.end\n' "$2" >"$scratch/deck"
    "$KNOTEN" "$scratch/deck" -q -o "$scratch/k.raw" >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ "$status" -eq "$1" ] || fail "$2: exit status $status"
    grep -qF -- "$3" "$scratch/err" || { fail "$2: no '$3'"; cat "$scratch/err"; }
    grep -q 'nan' "$scratch/out" && fail "$2: results that are no numbers"
}

tran='.tran 10u 5m\n'
says 0 "$tran.fft v(out) np=16 freq=1e12" "there is no line at 1e+12 Hz, lines are from 200 Hz to 1600 Hz"
says 0 "$tran.fft v(out) np=16 freq=20" "there is no line at 20 Hz"
says 0 "$tran.fft v(out) freq=-1k" "expected freq greater than 0"
says 0 "$tran.fft v(out) fmin=1meg fmax=1k" "expected fmin not above fmax"
says 0 "$tran.fft 1024 v(out)" "expected a signal such as v(out), found '1024'"

says 2 ".hb 1k 1414.2135623" "write 1414.14141 here and in its source, so that all are multiples of 10.101 Hz"
says 2 ".pss 1k points=2.5" "the points must be a whole number from 2"
says 2 ".pss 1k harms=0" "the harmonics must be a whole number from 1 to 10000"
says 2 ".pss 1k harms=1meg" "the harmonics must be a whole number from 1 to 10000"
says 2 ".pss 1k tstab=-1m" "the time to settle must be a number"
says 0 ".pss 1k\\n.measure pss x max v(out)" "'.measure pss' is not supported"

says 2 ".op\\n.mc list 5 7:6" "the number of runs is a whole number from 1"
says 2 ".tran 1u 10u sweep monte=list (5 7:6)" "the number of runs is a whole number from 1"
says 0 ".param r={agauss(1,1)}\\n.tran 1u 10u\\n.measure tran t when v(out)=9\\n.mc 2" "never crosses 9"
says 0 ".op\\n.mc 3" "nothing in the deck is random"
says 0 ".tran 1u 10u sweep monte=3" "nothing in the deck is random"

says 2 ".dc V1 0 1 0.1 V1 0 1 0.5" "'.dc': 'v1' is swept twice"
says 2 ".dc temp 0 50 10 r1 1k 2k 1k temp 0 50 10" "'.dc': 'temp' is swept twice"

# A circuit without poles and zeros has no results, and no file is named as if it had.
printf 'cards\nV1 a 0 1\nR1 a b 1k\nR2 b 0 1k\n.pz v(b) v1\n.end\n' >"$scratch/deck"
"$KNOTEN" "$scratch/deck" -o "$scratch/none.raw" >"$scratch/out" 2>&1 || fail "no poles: exit status $?"
grep -q 'no results, .*none.raw has not been written' "$scratch/out" || { fail "no poles"; cat "$scratch/out"; }

# Mistakes of the circuit do not hide those of cards that are looked at by their analyses: all come in one run.
cat >"$scratch/many.cir" <<'END'
mistakes everywhere
V1 a 0
R1 a b
Q1 b a 0 nomodel
.dc V1 0 1
.dc R1 1k 2k 1k
.tf v(b) r1
.pz a b
.step param r 1 2
.pss
.hb
.pac dec 1
.mc 0
.savebias
.end
END
"$KNOTEN" -q -o "$scratch/many.raw" "$scratch/many.cir" >"$scratch/out" 2>&1 && fail "mistakes everywhere: exit status 0"
for line in 3 4 5 7 8 9 10 11 12 13 14; do
    grep -q "many.cir:$line:.*error:" "$scratch/out" || { fail "nothing is said of line $line"; cat "$scratch/out"; }
done
[ "$(grep -c 'error:' "$scratch/out")" -eq 11 ] || { fail "11 errors expected"; cat "$scratch/out"; }

finish
