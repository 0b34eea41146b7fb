#!/bin/sh
# .ac and .tf give what ngspice gives, on linear and nonlinear circuits, and ngspice reads the complex raw files.
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/random_stage.sh"

[ -n "$ngspice" ] || skip "ngspice is not installed"

# compare NAME CARD VECTOR..: $scratch/deck with the .ac card, phasors of ngspice against those of a CSV file.
compare()
{
    name=$1 card=$2
    shift 2
    { cat "$scratch/deck"; printf '.save %s\n.%s\n.end\n' "$*" "$card"; } >"$scratch/k.cir"
    { cat "$scratch/deck"
      printf '.options reltol=1e-9 vntol=1e-12 abstol=1e-15 chgtol=1e-18\n.control\nset wr_singlescale\nset numdgt=12\n'
      printf '%s\nwrdata %s %s\nquit\n.endc\n.end\n' "$card" "$scratch/n.data" "$*"; } >"$scratch/n.cir"
    rm -f "$scratch/n.data"
    timeout 60 "$ngspice" -b "$scratch/n.cir" >"$scratch/log" 2>&1
    [ -s "$scratch/n.data" ] || { fail "$name: ngspice"; tail -n 5 "$scratch/log"; return; }
    "$KNOTEN" "$scratch/k.cir" --format csv -o "$scratch/k.csv" --reltol 1e-9 --quiet >"$scratch/out" 2>&1 ||
        { fail "$name: exit status $?"; cat "$scratch/out"; return; }
    # Each phasor to 1e-4 of its own magnitude, or 1e-9 of the largest of its vector.
    tr ',' ' ' <"$scratch/k.csv" | awk -v name="$name" -v vectors="$#" '
        function size(re, im) { return sqrt(re * re + im * im) }
        NR == FNR { rows++; for (i = 1; i <= NF; i++) n[rows, i] = $i; next }
        FNR == 1 { next }
        { points++; for (i = 1; i <= 1 + 2 * vectors; i++) k[points, i] = $i }
        END {
            if (points != rows || points < 2) { print name ": " points " points, ngspice " rows; exit 1 }
            for (v = 0; v < vectors; v++) {
                most = 0
                for (r = 1; r <= rows; r++) {
                    s = size(n[r, 2 + 2 * v], n[r, 3 + 2 * v]); if (s > most) most = s
                }
                if (most == 0) { print name ": vector " v " is 0 in ngspice"; bad = 1 }
                for (r = 1; r <= rows; r++) {
                    e = size(k[r, 2 + 2 * v] - n[r, 2 + 2 * v], k[r, 3 + 2 * v] - n[r, 3 + 2 * v])
                    s = size(n[r, 2 + 2 * v], n[r, 3 + 2 * v])
                    f = k[r, 1] / n[r, 1] - 1
                    if (e > 1e-4 * s + 1e-9 * most || f > 1e-9 || f < -1e-9) {
                        print name ": vector " v " at " n[r, 1] " Hz: " k[r, 2 + 2 * v] " " k[r, 3 + 2 * v] \
                            ", ngspice " n[r, 2 + 2 * v] " " n[r, 3 + 2 * v]
                        bad = 1; break
                    }
                }
            }
            exit bad
        }' "$scratch/n.data" - >"$scratch/table" || { fail "$name"; cat "$scratch/table"; }
}

cat >"$scratch/deck" <<'END'
a resonant circuit; magnitude and phase behind a waveform
V1 in 0 SIN(0 1 1k) AC 2 30
R1 in a 10
L1 a out 1m
C1 out 0 100n
R2 out 0 10k
END
compare "rlc" "ac dec 17 100 300k" "v(a)" "v(out)" "i(v1)"
compare "octaves" "ac oct 3 1k 50k" "v(out)"
compare "linear steps" "ac lin 7 1k 50k" "v(out)"

cat >"$scratch/deck" <<'END'
an op-amp macro: poles, a gain of 1e5, and feedback
V1 in 0 DC 0.1 AC 1
R1 in m 1k
R2 m out 10k
C2 m out 1n
G1 0 p 0 m 1m
Rp p 0 100meg
Cp p 0 1n
E1 e 0 p 0 1
F1 0 x V1 0.5
Rx x 0 20
H1 y 0 V1 30
Ry y 0 7
Ro e out 75
END
compare "op-amp" "ac dec 10 1 10meg" "v(out)" "v(m)" "v(x)" "v(y)"

cat >"$scratch/deck" <<'END'
coupled coils, two of them, and a third
I1 0 a DC 1m AC 1m -45
R1 a 0 1k
L1 a 0 1m
L2 b 0 4m
L3 c 0 2m
K1 L1 L2 0.95
K2 L2 L3 0.5
R2 b 0 50
R3 c 0 300
C3 c 0 10n
END
compare "coils" "ac dec 10 100 1meg" "v(a)" "v(b)" "v(c)"

cat >"$scratch/deck" <<'END'
a power transistor and a JFET
VG g 0 5 AC 1
VDD dd 0 12
RD dd d 2
M1 d g 0 pwr
RG g h 1k
VJ j h -6
RJ dd e 1k
J1 e j 0 jm
.model pwr VDMOS(Rg=3 Vto=4 Rd=72m Rs=18m Rb=36m Kp=4.9 Lambda=.03 Cgdmax=1.34n Cgdmin=.1n Cgs=1.25n Cjo=1.25n Is=67p a=0.5)
.model jm njf(vto=-2.5 beta=1.2m lambda=0.02 rd=10 rs=15 is=2e-14 b=0.8 pb=0.9 cgs=4p cgd=3p)
END
compare "field-effect transistors" "ac dec 5 1k 100meg" "v(d)" "v(e)"

cat >"$scratch/deck" <<'END'
a line that is matched nowhere
V1 in 0 AC 1
R1 in a 20
T1 a 0 b 0 z0=50 td=3.3n
C1 b 0 5p
R2 b 0 170
T2 b 0 c 0 z0=75 f=100meg nl=0.37
R3 c 0 1k
END
compare "lines" "ac lin 400 1meg 1g" "v(a)" "v(b)" "v(c)"

cat >"$scratch/deck" <<'END'
a stage with a bipolar transistor
Vcc vcc 0 12
V1 in 0 AC 1
C1 in b 10u
R1 vcc b 47k
R2 b 0 10k
Q1 c b e qn
R3 vcc c 2.2k
R4 e 0 1k
C4 e 0 100u
C5 c out 10u
R5 out 0 10k
.model qn npn (is=1e-15 bf=200 vaf=80 ikf=50m rb=50 rc=1 re=0.2 cje=8p cjc=4p tf=300p tr=10n ise=1e-14 ne=1.6)
END
compare "bipolar transistor" "ac dec 10 1 1g" "v(out)" "v(b)" "v(e)" "i(vcc)"

cat >"$scratch/deck" <<'END'
a diode with charge
V1 in 0 DC 1 AC 1
R1 in x 10k
D1 x y dm
Rd y 0 5k
.model dm d (is=1e-14 cjo=2p vj=0.8 m=0.4 tt=5n rs=10)
END
compare "diode" "ac dec 5 1k 10g" "v(x)" "v(y)" "i(v1)"

cat >"$scratch/deck" <<'END'
a stage with MOS transistors, and diodes; without the oxide, whose charges ngspice shares out otherwise
Vdd vdd 0 5
V1 in 0 DC 1.3 AC 1
M1 d in 0 0 nm w=20u l=2u ad=100p as=100p pd=40u ps=40u
M2 d d vdd vdd pm w=10u l=2u
C1 d 0 50f
R1 d x 10k
D1 x y dm
Rd y 0 5k
.model nm nmos (vto=0.8 kp=50u lambda=0.02 gamma=0.4 phi=0.65 cgso=200p cgdo=200p cgbo=300p cj=2e-4 cjsw=1n)
.model pm pmos (vto=-0.9 kp=20u lambda=0.03 cgso=200p cgdo=200p)
.model dm d (is=1e-14 cjo=2p vj=0.8 m=0.4 tt=5n rs=10)
END
compare "MOS transistors" "ac dec 5 1k 10g" "v(d)" "v(x)" "v(y)" "i(vdd)"

cat >"$scratch/deck" <<'END'
behavioural sources
V1 a 0 DC 0.7 AC 1
R1 a b 1k
C1 b 0 1n
B1 c 0 V=tanh(v(b))*exp(v(a))+i(V1)*100
R2 c 0 1k
B2 0 d I=v(b)^2*1m+v(c)*1m
R3 d 0 2k
C3 d c 3n
END
compare "behavioural sources" "ac dec 5 1k 10meg" "v(b)" "v(c)" "v(d)"

cat >"$scratch/deck" <<'END'
at 80 degrees
.options temp=80
V1 a 0 DC 2 AC 1
R1 a b 1k tc1=2m
D1 b 0 dm
C1 b 0 1n
.model dm d (is=1e-14 n=1.1 cjo=2p)
END
compare "temperature" "ac dec 5 1k 10meg" "v(b)"

# Random stages.  SEED_AC=n begins with other circuits, CIRCUITS_AC=n takes so many.
seed=${SEED_AC:-1}
last=$((seed + ${CIRCUITS_AC:-12}))
while [ "$seed" -lt "$last" ]; do
    random_stage "$seed"
    compare "random stage $seed" "ac dec 3 10 1g" "v(n1)" "v(n2)" "v(n3)" "i(v1)"
    seed=$((seed + 1))
done

# ---- .tf ----

# transfer NAME CARD
transfer()
{
    { cat "$scratch/deck"; printf '.tf %s\n.end\n' "$2"; } >"$scratch/k.cir"
    { cat "$scratch/deck"; printf '.control\nset numdgt=12\ntf %s\nprint all\nquit\n.endc\n.end\n' "$2"; } >"$scratch/n.cir"
    timeout 60 "$ngspice" -b "$scratch/n.cir" 2>"$scratch/log" | awk 'tolower($1) ~ /transfer_function|impedance/ && $2 == "=" {
        print tolower($1), $3 }' | sort >"$scratch/n"
    "$KNOTEN" "$scratch/k.cir" --format csv -o "$scratch/k.csv" --quiet >"$scratch/out" 2>&1 ||
        { fail "$1: exit status $?"; cat "$scratch/out"; return; }
    tr -d '"' <"$scratch/k.csv" | awk -F, 'NR == 1 { split($0, name, ",") } NR == 2 { for (i = 1; i <= 3; i++)
        print tolower(name[i]), $i }' | sort >"$scratch/k"
    # Of a current ngspice has no impedance at the output, but 1e20.
    case $2 in i\(*) for of in n k; do sed -i '/output_impedance/d' "$scratch/$of"; done ;; esac
    [ "$(wc -l <"$scratch/n")" -ge 2 ] || { fail "$1: ngspice"; cat "$scratch/n" "$scratch/log"; return; }
    paste "$scratch/k" "$scratch/n" | awk '{ e = $2 - $4; if (e < 0) e = -e; s = $4 < 0 ? -$4 : $4
        if (e > 1e-4 * s && !($2 == "inf" && s >= 1e12)) { print; bad = 1 } } END { exit bad }' >"$scratch/table" ||
        { fail "$1"; cat "$scratch/table"; }
}

cat >"$scratch/deck" <<'END'
a stage
Vcc vcc 0 12
V1 b 0 DC 0.75
Q1 c b e qn
R3 vcc c 2.2k
R4 e 0 100
I1 0 c DC 0.1m
V2 c x 0
R5 x 0 10k
.options reltol=1e-8 vntol=1e-10
.model qn npn (is=1e-15 bf=200 vaf=80)
END
transfer "voltage by voltage" "v(c) V1"
transfer "voltage by current" "v(c) I1"
transfer "nothing drawn" "v(c) V2"

cat >"$scratch/deck" <<'END'
a feedback amplifier of controlled sources; E1 hears the difference, F1 returns a current, H1 adds a voltage
V1 in 0 DC 0.3
R1 in p 1.5k
E1 q 0 p m 900
Ro q s 75
VS s out 0
R2 out m 9.1k
R3 m 0 1k
F1 0 m VS 0.002
H1 h 0 VS 12
R4 h p 47k
G1 out 0 h 0 0.3m
R5 out 0 600
END
transfer "feedback" "v(out) V1"
transfer "feedback, a difference" "v(out,h) V1"
transfer "feedback, a current" "i(VS) V1"

cat >"$scratch/deck" <<'END'
a CMOS inverter in its middle, loaded
Vdd dd 0 3.3
V1 in 0 DC 1.45
M1 out in dd dd pm w=24u l=1u
M2 out in 0 0 nm w=8u l=1u
RL out 0 220k
I1 0 out DC 2u
.options reltol=1e-8 vntol=1e-10
.model nm nmos (vto=0.7 kp=110u lambda=0.04 gamma=0.4 phi=0.7)
.model pm pmos (vto=-0.8 kp=38u lambda=0.05 gamma=0.5 phi=0.7)
END
transfer "inverter" "v(out) V1"
transfer "inverter, load" "v(out) I1"
transfer "inverter, supply" "i(vdd) Vdd"

cat >"$scratch/deck" <<'END'
a bridge of diodes with a load, a coil and a capacitor in it
V1 a b DC 9
R0 b 0 1meg
D1 a p dm
D2 b p dm
D3 n a dm
D4 n b dm
L1 p x 1m
RL x n 330
C1 x n 1u
.options reltol=1e-8 vntol=1e-10
.model dm d (is=1e-11 n=1.4 rs=0.8)
END
transfer "rectifier" "v(x,n) V1"

cat >"$scratch/deck" <<'END'
a JFET as a source follower, a current source of another below it
Vdd dd 0 15
V1 in 0 DC 2
R1 in g 10k
J1 dd g s jm
R2 s t 220
J2 t 0 0 jm
RL s 0 22k
.options reltol=1e-8 vntol=1e-10
.model jm njf (vto=-2.2 beta=1.1m lambda=0.01 rd=5 rs=8)
END
transfer "follower" "v(s) V1"
transfer "follower, the supply" "v(s) Vdd"

cat >"$scratch/deck" <<'END'
a differential pair with a mirror
Vcc cc 0 10
Vee ee 0 -10
V1 p 0 DC 1m
V2 m 0 DC 0
Q1 c1 p e qn
Q2 c2 m e qn
Q3 c1 c1 cc qp
Q4 c2 c1 cc qp
IE e ee DC 0.4m
RL c2 0 150k
.options reltol=1e-8 vntol=1e-10
.model qn npn (is=2e-16 bf=180 vaf=90 rb=80)
.model qp pnp (is=1e-16 bf=60 vaf=50)
END
transfer "pair" "v(c2) V1"
transfer "pair, its supply" "v(c2) Vcc"

seed=301
while [ $seed -le 310 ]; do
    random_stage "$seed"
    echo '.options reltol=1e-8 vntol=1e-10' >>"$scratch/deck"
    transfer "random stage $seed" "v(n3) V1"
    seed=$((seed + 1))
done

# ---- files ----

cat >"$scratch/k.cir" <<'END'
for files
V1 in 0 AC 1
R1 in out 1k
C1 out 0 1u
.op
.ac dec 5 1 100k
.print ac vdb(out) vp(out) v(out) vg(out)
.end
END
for format in raw ascii; do
    "$KNOTEN" "$scratch/k.cir" --format $format -o "$scratch/k.raw" --quiet >"$scratch/out" 2>&1 || fail "$format: status $?"
    cat >"$scratch/n.cir" <<END
load
.control
load $scratch/k.raw
setplot
print length(frequency) mag(v(out))[15] ph(v(out))[15] vdb(out)[15]
quit
.endc
.end
END
    timeout 60 "$ngspice" -b "$scratch/n.cir" >"$scratch/log" 2>&1
    for line in 'length(frequency) = 2.600000e+01' 'mag(v(out))\[15\] = 1.571767e-01' 'ph(v(out))\[15\] = -1.41297e+00'; do
        grep -q "$line" "$scratch/log" || { fail "$format: ngspice does not print $line"; cat "$scratch/log"; }
    done
done
grep -a -q '^Flags: complex' "$scratch/k.raw" || fail "the raw file is not complex"
grep -q '^AC Analysis' "$scratch/out" || fail "no table of .print ac"
grep -q 'vdb(out) .*re(v(out)) .*im(v(out))' "$scratch/out" || { fail "heads of the table"; cat "$scratch/out"; }

# ---- messages ----

# says NAME TEXT: the deck fails or not, and says so.
says()
{
    "$KNOTEN" "$scratch/deck" -o "$scratch/k.raw" >"$scratch/out" 2>&1
    grep -qF -- "$2" "$scratch/out" || { fail "$1"; cat "$scratch/out"; }
}
for case in '.ac dec 0 1 1k|whole number from 1' '.ac dec 2.5 1 1k|whole number from 1' '.ac dec 10 0 1k|greater than 0' \
    '.ac dec 10 1k 1|were they meant the other way round' '.ac dek 10 1 1k|dec' '.ac dec 10 1|the last frequency is missing' \
    '.ac|needs frequencies' '.ac lin 3 1 2 3|unexpected' '.ac list 1 -2|must not be negative' '.tf v(q) V1|no node' \
    '.tf v(a) R1|no voltage or current source' '.tf i(R7) V1|there is no element' '.tf v(a)|needs the name' \
    '.ac dec 1 1 10|AC 1' '.print ac vx(a)|not supported'; do
    printf 'case\nV1 a 0 1\nR1 a 0 1\n%s\n.end\n' "${case%|*}" >"$scratch/deck"
    says "$case" "${case#*|}"
done
printf 'singular\nI1 0 a AC 1\nR1 a 0 1\nR2 a b 1k\nE1 b 0 b a 0.5\nL1 c 0 1\nC1 c 0 1\nI2 0 c AC 1\n.ac list 0.15915494309189535\n.end\n' >"$scratch/deck"
says "a resonance without losses" 'at 0.159155 Hz have no unique solution: nothing determines'
finish
