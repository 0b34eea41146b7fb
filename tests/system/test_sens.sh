#!/bin/sh
# .sens gives what ngspice gives where that knows the derivative: of elements with values, sources, parameters of diodes and
# MOS transistors; and what goes wrong is said.
. "$(dirname "$0")/common.sh"

# ---- messages and files ----

says()
{
    "$KNOTEN" "$scratch/deck" -o "$scratch/k.raw" >"$scratch/out" 2>&1
    grep -qF -- "$2" "$scratch/out" || { fail "$1"; cat "$scratch/out"; }
}
for case in '.sens|needs an output' '.sens v(q)|no node' '.sens R1|expected v(node)' '.sens v(a) foo|expected dc or ac' \
    '.sens v(a) ac|needs frequencies' '.sens v(a) ac dec 0 1 10|whole number from 1' '.sens v(a) dc 3|ignored' \
    '.sens i(R9)|no element' '.sens v(a)
.print sens v(a)|are written'; do
    printf 'case\nV1 a 0 1\nR1 a 0 1\n%s\n.end\n' "${case%|*}" >"$scratch/deck"
    says "$case" "${case#*|}"
done
# What has no adjoint is refused before its transient is run.
for case in 'S1 b 0 a 0 sm|switches' 'T1 b 0 c 0 z0=50 td=1n|lines remember' '.ic v(b)=1|.ic without uic'; do
    printf 'early\nV1 a 0 1\nR1 a b 1\nC1 b 0 1u\n.model sm sw(vt=0.5 vh=0.1)\n%s\nR2 c 0 50\n.tran 1u 1m\n.measure tran d max v(b)\n.sens tran d\n.end\n' \
        "${case%|*}" >"$scratch/deck"
    says "$case" "${case#*|}"
    grep -q Measurements "$scratch/out" && fail "run first: $case"
done
printf 'listing\nV1 a 0 6\nR1 a b 1k\nR2 b 0 2k\n.sens v(b)\n.end\n' >"$scratch/deck"
says listing 'Sensitivity Analysis, per percent'
grep -q '^r1 *-1.333333e-03' "$scratch/out" && grep -q '^r1 *-1.333333e-02' "$scratch/out" || { fail "values"; cat "$scratch/out"; }

# A bend that the smallest step meets is said: the switch is smooth within a hundredth of a microvolt.
printf 'bend\nV1 in 0 5\nVc c 0 1\nR1 in a 1k\nS1 a 0 c 0 sm\n.model sm vswitch (von=1.000000005 voff=0.999999995 ron=1 roff=1g)\n.sens v(a)\n.end\n' >"$scratch/deck"
says "a bend" 'is uncertain'

# Rounding is no bend: G3 is controlled by the voltage of a coil, which is nothing.
cat >"$scratch/deck" <<'DECK'
a gain that nothing controls
V1 1 0 1
Rs 1 2 13.2267
R3 3 2 416.617
G3 3 0 5 4 0.000146813
R4 4 0 1044.11
R5 5 3 88927.6
L5 5 4 0.406129
R6 6 3 24.8344
C6 6 5 9.78569n
Rg3 3 0 4289.37
Rg4 4 0 19091.8
Rg5 5 0 2564.22
Rg6 6 0 12736.4
.sens v(6)
.end
DECK
"$KNOTEN" "$scratch/deck" -o "$scratch/k.raw" 2>&1 | grep -q uncertain && fail "rounding is taken for a bend"

# Three in series where the card of the diode says so, one where it does not: that is no value of the deck, the emission coefficient is.
printf 'series\nV1 a 0 5\nR1 a b 1k\nD1 b c dm n=3\nD2 c 0 dm\n.model dm d(is=1e-14)\n.sens v(b)\n.end\n' >"$scratch/deck"
says "diodes in series" d1:n
says "the emission coefficient" dm:n
grep -q '^d2:n' "$scratch/out" && { fail "d2:n, which nobody asks for"; cat "$scratch/out"; }

[ -n "$ngspice" ] || finish

# compare NAME CARD VECTOR..: ours, and behind = ngspice's where it is called otherwise.  ngspice takes differences with
# steps of 1e-4 or so; its .sens ac lin leaves the last frequency out, and its steps are others.
compare()
{
    name=$1 card=$2
    shift 2
    ours=$(for v in "$@"; do echo "${v%%=*}"; done) theirs=$(for v in "$@"; do echo "${v#*=}"; done)
    { cat "$scratch/deck"; printf '.%s\n.end\n' "$card"; } >"$scratch/k.cir"
    rm -f "$scratch/n.data"
    { cat "$scratch/deck"
      printf '.options reltol=1e-9 vntol=1e-12 abstol=1e-15\n.control\nset wr_singlescale\nset numdgt=12\n%s\n' "$card"
      printf 'wrdata %s %s\nquit\n.endc\n.end\n' "$scratch/n.data" "$(echo $theirs)"; } >"$scratch/n.cir"
    timeout 60 "$ngspice" -b "$scratch/n.cir" >"$scratch/log" 2>&1
    "$KNOTEN" "$scratch/k.cir" --format csv -o "$scratch/k.csv" --reltol 1e-9 --quiet >"$scratch/out" 2>&1 ||
        { fail "$name: exit status $?"; cat "$scratch/out"; return; }
    [ -s "$scratch/n.data" ] || { fail "$name: ngspice"; tail -n 5 "$scratch/log"; return; }
    awk -v name="$name" -v wanted="$(echo $ours)" -v complex="$(expr "$card" : '.* ac ')" '
        NR == FNR { rows++; for (i = 1; i <= NF; i++) n[rows, i] = $i; next }
        FNR == 1 { split($0, head, ","); next }
        /^$/ { exit }
        { k++; count = split($0, x, ","); for (i = 1; i <= count; i++) got[k, head[i]] = x[i] }
        END {
            if (k != rows) { print name ": " k " rows, ngspice " rows; exit 1 }
            count = split(wanted, vectors, " ")
            for (v = 1; v <= count; v++)
                for (r = 1; r <= rows; r++) {
                    if (complex) { re = got[r, "re(" vectors[v] ")"]; im = got[r, "im(" vectors[v] ")"]
                        a = n[r, 2 * v]; b = n[r, 2 * v + 1] }
                    else { re = got[r, vectors[v]]; im = 0; a = n[r, v + 1]; b = 0 }
                    e = sqrt((re - a) ^ 2 + (im - b) ^ 2); s = sqrt(a * a + b * b)
                    if (re == "" || s == 0 || e > 3e-4 * s) { print name ": " vectors[v] ": " re " " im ", ngspice " a " " b; bad = 1 }
                }
            exit bad
        }' "$scratch/n.data" "$scratch/k.csv" >"$scratch/table" || { fail "$name"; cat "$scratch/table"; }
}

cat >"$scratch/deck" <<'END'
a bridge of resistors
V1 in 0 DC 5
I1 0 b DC 1m
R1 in a 1k
R2 a 0 2k
R3 in b 3.3k
R4 b 0 1.5k
R5 a b 470
END
compare bridge "sens v(a,b)" v1 i1 r1 r2 r3 r4 r5

cat >"$scratch/deck" <<'END'
a diode and a resistor; for area and temp ngspice says .039 and 4.2m, and its own runs with other values .0070 and 0.50m
V1 in 0 DC 5
R1 in a 1k
D1 a d dm area=2
Rd d 0 500
.model dm d(is=1e-14 rs=10 n=1.1)
END
compare diode "sens v(d)" v1 r1 rd dm:is=d1:is dm:n=d1:n

cat >"$scratch/deck" <<'END'
a MOS transistor, and a diode behind it
Vdd dd 0 5
V1 g 0 1.5
M1 d g 0 0 nm w=20u l=2u
R1 dd d 10k
D1 d x dm
R2 x 0 10k
.model nm nmos(vto=0.7 kp=60u lambda=0.02)
.model dm d(is=1e-14 n=1.1 rs=10)
END
compare transistor "sens v(x)" vdd v1 r1 r2 m1:w=m1_w m1:l=m1_l nm:kp=m1:kp nm:vto=m1:vto nm:lambda=m1:lambda dm:is=d1:is

cat >"$scratch/deck" <<'END'
filters with an amplifier between
V1 in 0 DC 1 AC 1
R1 in a 1k
L1 a b 1m
C1 b 0 1n
G1 0 f b 0 1m
R3 f 0 3k
C3 f 0 100p
END
compare filters "sens v(f) ac dec 2 1k 1meg" r1=r1_ac l1 c1 r3=r3_ac c3 v1:acmag=v1_acmag

cat >"$scratch/deck" <<'END'
a supply of diodes; ngspice 39 itself fails on bipolar transistors here, and by rs has 0
V1 in 0 DC 12
R1 in p 220
D1 p a d1
D2 a b d1
D3 0 z dz
R2 p z 1.8k
R3 b z 2.7k
R4 b 0 330
.model d1 d (is=2e-14 n=1.2 rs=4)
.model dz d (is=1e-13 rs=6 bv=5.1 ibv=5m)
END
compare supply "sens v(p,z)" v1 r1 r2 r3 r4 d1:is=d1:is+d2:is

cat >"$scratch/deck" <<'END'
controlled sources of all four kinds
V1 in 0 DC 2
R1 in a 1k
G1 0 b a 0 2m
R2 b 0 4.7k
E1 c 0 b a 0.7
VS c d 0
R3 d 0 330
F1 0 e VS 3
R4 e 0 150
H1 f 0 VS 250
R5 f e 1k
R6 a 0 2.2k
END
compare "controlled sources" "sens v(e)" v1 r1 r2 r3 r4 r5 r6 g1=g1_gain e1=e1_gain f1=f1_gain h1=h1_gain

cat >"$scratch/deck" <<'END'
a follower with a JFET
Vdd dd 0 15
V1 g 0 DC 2
J1 dd g s jm
R1 s 0 2.2k
.model jm njf (vto=-2.2 beta=1.1m lambda=0.01 rd=5 rs=8)
END
compare follower "sens v(s)" vdd v1 r1 jm:vto=j1:vt0 jm:beta=j1:beta jm:lambda=j1:lambda

cat >"$scratch/deck" <<'END'
a notch and the amplifier behind it, over the frequency
V1 in 0 DC 0 AC 1 30
R1 in a 10k
R2 a b 10k
C3 a 0 20n
C1 in c 10n
C2 c b 10n
R3 c 0 5k
E1 d 0 b 0 12
R4 d e 600
L1 e f 10m
R5 f 0 1k
F1 0 f V1 2
END
compare notch "sens v(f) ac dec 5 100 100k" r1=r1_ac r2=r2_ac r3=r3_ac r5=r5_ac c1 c2 c3 l1 e1=e1_gain f1=f1_gain v1:acmag=v1_acmag

cat >"$scratch/deck" <<'END'
a current into a ladder, one end of which is measured against the other
I1 0 a DC 0 AC 1m
R1 a 0 1k
L1 a b 100u
C1 b 0 1n
R2 b c 50
L2 c d 47u
C2 d 0 470p
R3 d 0 75
END
compare ladder "sens v(a,d) ac dec 4 100k 1meg" r1=r1_ac r2=r2_ac r3=r3_ac l1 l2 c1 c2 i1:acmag=i1_acmag
finish
