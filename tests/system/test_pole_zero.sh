#!/bin/sh
# .pz gives what ngspice gives, where that converges, says what is at infinity, and reads both forms of the card.
. "$(dirname "$0")/common.sh"

# deck CARDS..: $scratch/deck with these cards behind it.
deck()
{
    { cat "$scratch/deck"; printf '%s\n' "$@"; echo .end; } >"$scratch/k.cir"
}

# run: knoten on it; its messages in $scratch/out.
run()
{
    "$KNOTEN" "$scratch/k.cir" --format csv -o "$scratch/k.csv" --reltol 1e-9 >"$scratch/out" 2>&1
}

# roots: one line for each pole and zero of the CSV file: name re im.
roots()
{
    awk -F, 'NR == 1 { n = split($0, name, ","); next }
             NR == 2 { for (i = 1; i < n; i += 2) print substr(name[i], 4), $i, $(i + 1) }' "$scratch/k.csv"
}

# same NAME FILE: every root of both has one in the other, to 1e-4 of its size or 1e-9 of the smallest of its kind.
same()
{
    roots | awk -v name="$1" '
        function kind(text) { return substr(text, 1, 4) }
        function near(i, j,   d, s) {
            d = sqrt((nr[i] - kr[j])^2 + (ni[i] - ki[j])^2); s = sqrt(nr[i]^2 + ni[i]^2)
            return nk[i] == kk[j] && !used[j] && d <= 1e-4 * s + 1e-6
        }
        NR == FNR { n++; nk[n] = kind($1); nr[n] = $2; ni[n] = $3; next }
        { k++; kk[k] = kind($1); kr[k] = $2; ki[k] = $3 }
        END {
            if (n != k || n == 0) { print name ": " k " roots, expected " n; bad = 1 }
            for (i = 1; i <= n; i++) {
                for (j = 1; j <= k && !near(i, j); j++) ;
                if (j > k) { print name ": none is " nk[i] " " nr[i] " " ni[i]; bad = 1 } else used[j] = 1
            }
            exit bad
        }' "$2" - >"$scratch/table" || { fail "$1"; cat "$scratch/table"; roots; }
}

# compare NAME CARD: with ngspice.
compare()
{
    [ -n "$ngspice" ] || return 0
    deck ".$2"
    run || { fail "$1: exit status $?"; cat "$scratch/out"; return; }
    { cat "$scratch/deck"
      printf '.options reltol=1e-9 vntol=1e-12 abstol=1e-15\n.control\nset numdgt=12\n%s\nprint all\nquit\n.endc\n.end\n' "$2"
    } >"$scratch/n.cir"
    timeout 20 "$ngspice" -b "$scratch/n.cir" 2>&1 | tr ',' ' ' |
        awk '$1 ~ /^(pole|zero)\(/ && $2 == "=" { print $1, $3, $4 }
             $1 == "all" && $2 == "=" { print "pole", $3, $4 } # there is one vector only' >"$scratch/n.roots"
    same "$1" "$scratch/n.roots"
}

# closed NAME CARD: with the lines "pole re im" and "zero re im" of standard input.
closed()
{
    cat >"$scratch/expected"
    deck "$2"
    run || { fail "$1: exit status $?"; cat "$scratch/out"; return; }
    same "$1" "$scratch/expected"
}

# says TEXT: in the messages of the last run.
says()
{
    grep -q "$1" "$scratch/out" || { fail "expected: $1"; cat "$scratch/out"; }
}

# refuses STATUS TEXT CARD..
refuses()
{
    status=$1 text=$2
    shift 2
    deck "$@"
    run
    [ $? = "$status" ] || fail "expected exit status $status: $*"
    says "$text"
}

cat >"$scratch/deck" <<'END_OF_DECK'
a resonant circuit
V1 in 0 DC 0 AC 1
R1 in a 10
L1 a out 1m
C1 out 0 100n
R2 out 0 10k
END_OF_DECK
compare "rlc" "pz in 0 out 0 vol pz"
compare "rlc, across the coil" "pz in 0 a out vol pz"
compare "rlc, its own source open" "pz in 0 out 0 cur pol"
sed -i 's/AC 1//' "$scratch/deck" # ngspice opens all voltage sources with an AC value, knoten the one at the input
compare "rlc, current into the output" "pz out 0 out 0 cur pz"
# s = -R2-branch: L (s C + 1/R2) / .. between a and out: zeros at 0 and -1/(R2 C).
closed "rlc by its source" ".pz v(out,a) v1" <<'END_OF_LIST'
pole -5500 99898.6986902
pole -5500 -99898.6986902
zero 0 0
zero -1000 0
END_OF_LIST
says "2 poles; the other 3 of 5 eigenvalues are at infinity (index 1); known to "

cat >"$scratch/deck" <<'END_OF_DECK'
a twin-T notch, driven at nodes without a source
R1 in a 10k
R2 a out 10k
C3 a 0 20n
C1 in b 10n
C2 b out 10n
R3 b 0 5.5k
R4 out 0 100k
R5 in 0 1k
END_OF_DECK
compare "twin-T by voltage" "pz in 0 out 0 vol pz"
compare "twin-T by current" "pz in 0 out 0 cur pz"
# ngspice does not find the pair of zeros where it lies on the imaginary axis.
sed -i 's/5.5k/5k/' "$scratch/deck"
closed "twin-T, balanced" ".pz in 0 out 0 vol zer" <<'END_OF_LIST'
zero -1e4 0
zero 0 1e4
zero 0 -1e4
END_OF_LIST

cat >"$scratch/deck" <<'END_OF_DECK'
an op-amp macro with feedback
V1 in 0 DC 0.1 AC 1
R1 in m 1k
R2 m out 10k
C2 m out 1n
G1 0 p 0 m 1m
Rp p 0 100meg
Cp p 0 1n
E1 e 0 p 0 1
Ro e out 75
Cl out 0 1n
END_OF_DECK
compare "op-amp" "pz in 0 out 0 vol pz"

cat >"$scratch/deck" <<'END_OF_DECK'
coupled coils
V1 in 0 AC 1
R1 in a 50
L1 a 0 1m
L2 b 0 2m
K1 L1 L2 0.9
C2 b 0 10n
R2 b 0 1k
END_OF_DECK
compare "coils" "pz in 0 b 0 vol pz"

cat >"$scratch/deck" <<'END_OF_DECK'
a bipolar amplifier
VCC vcc 0 12
VIN in 0 DC 0 AC 1
RS in b0 600
CB b0 b 10u
RB1 vcc b 47k
RB2 b 0 10k
RC vcc c 2.2k
RE e 0 470
CE e 0 100u
Q1 c b e QN
CL c 0 100p
.model QN NPN(BF=150 IS=1e-14 VAF=80 CJE=10p CJC=4p TF=0.4n)
END_OF_DECK
compare "bipolar transistor" "pz in 0 c 0 vol pz"

cat >"$scratch/deck" <<'END_OF_DECK'
a MOS stage
VDD d0 0 5
VG g0 0 DC 1.2 AC 1
RG g0 g 1k
RD d0 d 10k
RS s 0 200
CS s 0 1u
M1 d g s 0 MN W=20u L=2u
CGD g d 20f
CL d 0 50f
CG g 0 30f
.model MN NMOS(VTO=0.7 KP=60u LAMBDA=0.02 GAMMA=0.4 PHI=0.65)
END_OF_DECK
compare "MOS transistor" "pz g0 0 d 0 vol pz"

cat >"$scratch/deck" <<'END_OF_DECK'
index 2: a loop of capacitors and the input, and a coil behind a coil
V1 in 0 AC 1
C1 in a 1n
C2 a 0 2n
R1 a 0 1k
C3 a b 3n
R2 b 0 5k
END_OF_DECK
compare "C-V loop" "pz in 0 b 0 vol pz"
says "(index 2)"
cat >"$scratch/deck" <<'END_OF_DECK'
index 2: an L-I cutset
I1 0 a AC 1
L1 a b 1m
R1 b 0 100
C1 b 0 1n
END_OF_DECK
compare "L-I cutset" "pz 0 a b 0 cur pz"
closed "L-I cutset by its source" ".pz v(a) I1" <<'END_OF_LIST'
pole -1e7 0
zero -101020.514433644 0
zero -9898979.48556636 0
END_OF_LIST

# ngspice finds one pole where equal ones belong to stages one behind the other, or none.
cat >"$scratch/deck" <<'END_OF_DECK'
equal poles: of two stages with a buffer between them, and of a critically damped one
V1 in 0 0
R1 in a 1k
C1 a 0 1u
E1 b 0 a 0 1
R2 b c 1k
C2 c 0 1u
E2 d 0 c 0 2
R3 d e 2
L3 e f 1
C3 f 0 1
END_OF_DECK
closed "equal poles" ".pz v(f) v1" <<'END_OF_LIST'
pole -1000 0
pole -1000 0
pole -1 0
pole -1 0
END_OF_LIST

cat >"$scratch/deck" <<'END_OF_DECK'
an unstable stage, and a part that the input does not reach
V1 in 0 0
R1 in a 1k
C1 a 0 1u
G1 0 a a 0 2m
R2 x 0 1k
C2 x 0 1u
END_OF_DECK
closed "unstable" ".pz in 0 a 0 vol pz" <<'END_OF_LIST'
pole 1000 0
pole -1000 0
zero -1000 0
END_OF_LIST
says "unstable: pole(.*) in the right half plane; there signals grow by a factor e every 0.001 s"
closed "no transfer" ".pz in 0 x 0 vol pz" <<'END_OF_LIST'
pole 1000 0
pole -1000 0
END_OF_LIST
says "nothing gets from the input to the output, so there are no zeros"
refuses 1 "a voltage source lies across the input" ".pz in 0 a 0 cur pz"
refuses 2 "did you mean" ".pz in 0 aa 0 vol pz"
refuses 2 "expected vol or cur" ".pz in 0 a 0 vl pz"
refuses 2 "expected pol, zer or pz" ".pz in 0 a 0 vol all"
refuses 2 "four nodes and two words" ".pz in 0 a 0 vol"
refuses 2 "a source is missing" ".pz v(a)"
refuses 2 "there is no voltage or current source 'r1'" ".pz v(a) r1"
refuses 2 "both nodes of the output are the same" ".pz in 0 a a vol pz"
refuses 2 "near= is a frequency" ".pz v(a) v1 count=0"
refuses 2 "infinitely many poles" "T1 a 0 y 0 z0=50 td=1n" "R9 y 0 50" ".pz v(a) v1"

# Ladders of N equal R and C, open at the end: poles -4 sin^2((2 k - 1) pi / (4 N + 2)) / (R C).
ladder()
{
    awk -v n="$1" 'BEGIN { print "a ladder\nV1 n0 0 AC 1"
        for (i = 1; i <= n; i++) printf "R%d n%d n%d 1k\nC%d n%d 0 1n\n", i, i - 1, i, i, i }' >"$scratch/deck"
}
slowest()
{
    awk -v n="$1" -v count="$2" 'BEGIN { for (k = 1; k <= count; k++)
        printf "pole %.12g 0\n", -4e6 * sin((2 * k - 1) * 3.14159265358979 / (4 * n + 2))^2 }'
}
ladder 100
slowest 100 100 | closed "ladder of 100" ".pz v(n100) v1"
says "0 zeros; the other 103 of 103 eigenvalues are at infinity (index 101)"
slowest 100 3 | closed "ladder, the nearest ones" ".pz v(n100) v1 count=3"
ladder 2000
deck ".pz v(n2000) v1"
if run || ! grep -q "without ARPACK" "$scratch/out"; then
    slowest 2000 20 | closed "ladder of 2000" ".pz v(n2000) v1"
    says "2000 poles; the other 2 of 2002 eigenvalues are at infinity"
    says "the 20 of 2000 poles nearest to 0 Hz"
fi

# Coils short the output for direct current: a zero at 0, whatever rounding makes of the square roots in their coupling.
cat >"$scratch/deck" <<'END_OF_DECK'
coupled coils in a network
R1 b 0 467.47
R2 c a 171.57
R3 e c 48.299
V2 s b 0
R4 0 s 12.596
H1 h b V2 -1.1285
R5 h d 1923.8
L1 b 0 6.0117u
L2 c 0 0.44841u
K1 L1 L2 0.516
C1 d a 1.5907p
C2 d e 15.767p
C3 c b 2.3712p
R6 c a 27405
R7 e c 1881.5
V1 in 0 0
R8 in b 443.99
END_OF_DECK
deck ".pz v(s,d) v1"
run
grep -q "rounding hides" "$scratch/out" && { fail "a zero is left out"; cat "$scratch/out"; }
[ "$(roots | awk '/^zero/ { n++ } /^zero.1.+ 0 0$/ { at = 1 } END { print n, at }')" = "5 1" ] || { fail "the zero at 0"; roots; }

# The charge qco of a VBIC transistor that is off hangs on e^-160 of its voltage: 1e-90 F are no capacitance, whose pole would be at
# -1e87/s.  What is left is 0.9n behind R1 beside R2, and R3.
cat >"$scratch/deck" <<'END_OF_DECK'
charges that are none
V1 1 0 AC 1
R1 1 2 1k
R2 2 0 9k
C1 2 3 0.9n
R3 3 0 100
V2 4 0 4
R4 4 c 1k
R5 b 0 1k
Q1 c b 0 0 n1
.model n1 npn level=4 is=1e-16 rci=60 rcx=10 rbi=40 rbx=10 re=2 vo=2 gamm=2e-11 qco=1e-12
END_OF_DECK
deck ".pz 1 0 2 0 vol pz"
run
[ "$(roots | awk '{ printf "%s %.5e;", substr($1, 1, 7), $2 }')" = "pole(1) -1.11111e+06;zero(1) -1.11111e+07;" ] || { fail "charges that are none"; roots; }

# The raw file is complex, with ngspice's names.
cat >"$scratch/deck" <<'END_OF_DECK'
one pole
V1 in 0 0
R1 in a 1k
C1 a 0 1u
END_OF_DECK
deck ".pz v(a) v1"
"$KNOTEN" "$scratch/k.cir" --format ascii -o "$scratch/k.raw" >"$scratch/out" 2>&1
grep -q "Plotname: Pole-Zero Analysis" "$scratch/k.raw" || fail "raw: plot name"
grep -q "Flags: complex" "$scratch/k.raw" || fail "raw: complex"
grep -q "pole(1)" "$scratch/k.raw" || fail "raw: name"
grep -q "pole(1)  *-1.000000e+03 + 0.000000e+00j" "$scratch/out" || fail "listing"

# Nothing reaches v(3), as no current flows through R2, which rounding cannot tell here; the poles are a result all the same.
# They are those of det(G + s C) in 250 digits.
cat >"$scratch/k.cir" <<'END'
zeros in the dark
V1 1 0 DC -0.5724710987
R1 2 0 5709.975825
R2 3 0 1603.182973
R3 4 3 1137.856422
F1 0 1 V1 -0.3829488193
R4 1 m4 159.5590621
E1 m4 2 1 4 -1.814544532
R5 0 m5 97.950391
L1 m5 2 0.0004898606219
R6 4 m6 1.461434586
L2 3 m6 0.001906385803
K1 L2 L1 -0.3570340835
.pz v(3) v1
.end
END
"$KNOTEN" -q "$scratch/k.cir" --format csv -o "$scratch/k.csv" >"$scratch/out" 2>&1
awk -F, 'NR == 2 { d = $1 + 213387.0418; e = $2 * $2 - 555393.6106 ^ 2; good = d * d < 1e-4 && e * e < 1e10 }
    END { exit !good }' "$scratch/k.csv" || fail "poles without zeros"

# Zeros over four decades, which the reduction to the finite part loses; they are those of det(G + s C) with a border, in 120 digits.
cat >"$scratch/k.cir" <<'END'
zeros far apart
V1 1 0 0
R1 2 0 1268.268195
R2 3 1 10865.19022
R3 1 m3 38.47611853
L1 3 m3 0.07423243665
R4 2 m4 202.9292697
L2 m4 3 0.004347301237
K1 L2 L1 0.8128686702
R5 3 m5 120.5944332
L3 m5 2 0.009164083028
R6 0 m6 121.6961258
L4 m6 1 0.003391812317
K2 L4 L3 0.8444800497
R7 2 m7 219.0960878
H1 m7 0 V1 77.52766004
R8 3 m8 417.3505661
L5 m8 1 0.001215088563
R9 0 m9 17.8635121
L6 3 m9 0.004083983676
R10 1 m10 212.542205
L7 3 m10 0.01705735406
K3 L6 L5 -0.5627553845
K4 L7 L5 0.5845401531
K5 L7 L6 -0.0107838405
.pz v(m4) V1
.end
END
"$KNOTEN" -q "$scratch/k.cir" --format csv -o "$scratch/k.csv" >"$scratch/out" 2>&1
[ "$(roots | awk '/^zero/ { printf "%.6e %.6e;", $2, $3 }')" = "1.889045e+03 0.000000e+00;-7.531512e+03 1.273096e+04;-7.531512e+03 -1.273096e+04;-1.703639e+04 0.000000e+00;1.782780e+05 0.000000e+00;-2.201450e+07 0.000000e+00;" ] ||
    { fail "zeros over four decades"; roots; }

# A transfer of 1e-9, which ranks do not tell from none, is not called none.
cat >"$scratch/k.cir" <<'END'
a feedthrough of a billionth
VCC vcc 0 7.680184400660902
V1 in 0 DC 2.2540355559817815 AC 1
RIN in n1 171.12395982838552
R2 n2 n1 1109.612712010578
R3 n3 vcc 1106.5674988534104
R4 n4 n2 315.74521747288856
RB1 n1 0 35391.224595457716
RB2 n2 vcc 24379.260213965757
RB3 n3 vcc 15205.277649430936
RB4 n4 vcc 5206.773962619021
C1 n1 n2 2.323226686024813e-08
C2 n2 0 2.805687572633659e-11
C3 n3 0 2.261908921712344e-09
M0 n1 n3 0 0 mp2 w=2.722517820457857e-06 l=1.9348382424048586e-06
Q1 n2 0 n4 qn area=2.010256990806158
D2 n4 n1 dm
.model dm d(is=8.875320977304834e-14 n=1.5227568376749638 rs=17.103989117638697 cjo=1e-11 tt=5e-09 bv=17.118188716507916 kf=1e-15)
.model qn NPN(is=7.792460520926049e-16 bf=138.49604182164632 br=2.5 vaf=63.242350906483445 var=16.997844759401097 ikf=0.01 ise=1e-14 ne=1.6 rb=200.0 rbm=20.0 rc=10.0 re=1.0 cje=1e-12 cjc=2e-12 tf=3e-10 xtf=2 itf=0.02 vtf=3 tr=1e-08 xcjc=0.6 kf=1e-14 ptf=20)
.model mp2 PMOS(level=2 vto=-0.673343500465946 kp=0.00012447715828607355 gamma=0.4 lambda=0.03 phi=0.7 nsub=1e+16 nfs=1e11 tox=2e-08 rd=20.0 rs=10.0 cgso=1e-10 cgdo=1e-10 cbd=1e-14 kf=1e-25)
.options reltol=1e-9 abstol=1e-16 vntol=1e-11
.pz v(n3) V1
.end
END
"$KNOTEN" -q "$scratch/k.cir" -o "$scratch/k.raw" >"$scratch/out" 2>&1 && fail "zeros that nobody can count"
grep -q "how many zeros there are cannot be told" "$scratch/out" || { fail "a transfer that is called none"; cat "$scratch/out"; }
grep -q "pole(11)" "$scratch/out" || fail "poles beside zeros that nobody can count"

finish
