#!/bin/sh
# .noise gives what ngspice gives, mechanism by mechanism, densities and totals, and what goes wrong is said.
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/random_stage.sh"

[ -n "$ngspice" ] || skip "ngspice is not installed"

# compare NAME CARD: $scratch/deck with the .noise card.  Every column (but gain) to 1e-4 of ngspice's vector of that name,
# and below 1e-9 of the whole noise nothing counts.  Totals at the output as well; those referred to the input ngspice
# weighs with the gain at the upper end of each step, see "totals at the input" below.
compare()
{
    { cat "$scratch/deck"; printf '.%s 1\n.end\n' "$2"; } >"$scratch/k.cir"
    "$KNOTEN" "$scratch/k.cir" --format csv -o "$scratch/k.csv" --reltol 1e-9 --quiet >"$scratch/out" 2>&1 ||
        { fail "$1: exit status $?"; cat "$scratch/out"; return; }
    awk -F, 'NF == 0 { exit } NR == 1 { next } { print }' "$scratch/k.csv" | tr ',' ' ' >"$scratch/k.spectrum"
    awk -F, 'NF == 0 { n = NR } n && NR > n + 1 { print }' "$scratch/k.csv" | tr ',' ' ' >"$scratch/k.totals"
    spectrum=$(head -n 1 "$scratch/k.csv" | tr ',' '\n' | grep -vx -e frequency -e gain)
    totals=$(awk -F, 'NF == 0 { getline; print }' "$scratch/k.csv" | tr ',' '\n')
    rm -f "$scratch"/n.*.data
    { cat "$scratch/deck"
      printf '.options reltol=1e-9 vntol=1e-12 abstol=1e-15 chgtol=1e-18\n.control\nset wr_singlescale\nset numdgt=12\n'
      printf '%s 1\nsetplot noise1\nwrdata %s %s\nsetplot noise2\n' "$2" "$scratch/n.1.data" "$(echo $spectrum)"
      for v in $totals; do printf 'echo %s $&%s >>%s\n' "$v" "$v" "$scratch/n.2.data"; done
      printf 'quit\n.endc\n.end\n'; } >"$scratch/n.cir"
    timeout 60 "$ngspice" -b "$scratch/n.cir" >"$scratch/log" 2>&1
    [ -s "$scratch/n.1.data" ] && [ -s "$scratch/n.2.data" ] ||
        { fail "$1: ngspice"; grep -i -e error -e 'no such' "$scratch/log"; return; }
    awk -v name="$1" -v vectors="$(echo $spectrum)" '
        BEGIN { count = split(vectors, called, " ") }
        NR == FNR { rows++; for (i = 1; i <= NF; i++) n[rows, i] = $i; next }
        { points++; k[points, 1] = $1; k[points, 2] = $2; k[points, 3] = $3; for (i = 5; i <= NF; i++) k[points, i - 1] = $i }
        END {
            if (points != rows || points < 1) { print name ": " points " points, ngspice " rows; exit 1 }
            for (v = 2; v <= count + 1; v++)
                for (r = 1; r <= rows; r++) {
                    e = k[r, v] - n[r, v]; if (e < 0) e = -e
                    if (e > 1e-4 * n[r, v] + 1e-9 * n[r, 2]) {
                        print name ": " called[v - 1] " at " n[r, 1] " Hz: " k[r, v] ", ngspice " n[r, v]
                        bad = 1; break
                    }
                }
            exit bad
        }' "$scratch/n.1.data" "$scratch/k.spectrum" >"$scratch/table" || { fail "$1"; cat "$scratch/table"; }
    echo $totals | tr ' ' '\n' | paste - "$scratch/n.2.data" >"$scratch/pairs"
    tr ' ' '\n' <"$scratch/k.totals" | paste "$scratch/pairs" - | awk -v name="$1" -v most="${3:-1e-3}" '
        NR % 2 == 0 { next }
        NR == 1 { whole = $3 }
        { e = $4 - $3; if (e < 0) e = -e }
        NF != 4 || $1 != $2 || e > most * $3 + 1e-9 * whole { print name ": " $0; bad = 1 }
        END { exit bad || NR < 2 }' >"$scratch/table" || { fail "$1, totals"; cat "$scratch/table"; }
}

cat >"$scratch/deck" <<'END'
a network of resistors, one of them noiseless, and one that flickers
V1 in 0 DC 3 AC 1
R1 in a 1k
R2 a 0 2k
R3 a b 3.3k noisy=0
R4 b c rm 4.7k
R5 c 0 10k m=2
R6 b 0 22k
.model rm r (kf=1e-11 af=2 ef=1.1)
END
compare "resistors" "noise v(b) V1 dec 20 1 1k"

cat >"$scratch/deck" <<'END'
resistors with geometry; ngspice takes narrow and short twice
.options temp=60
V1 in 0 DC 3 AC 1
R1 in a rm l=20u w=2u
R2 a 0 rm l=40u m=2
.model rm r (rsh=500 defw=3u kf=1e-22 af=1.8 wf=1.1 lf=0.9 tc1=1m)
END
compare "geometry" "noise v(a) V1 dec 20 1 1k"

cat >"$scratch/deck" <<'END'
an RC, a resonance, a current as input
I1 0 a DC 1m AC 1
R1 a 0 1k
C1 a 0 1n
L1 a b 1m
R2 b 0 500
C2 b 0 470p
END
compare "RC" "noise v(b,a) I1 dec 100 1k 10meg"

cat >"$scratch/deck" <<'END'
bias by diodes; breakdown; no areas, by which ngspice multiplies the noise of rs twice
V1 in 0 DC 12 AC 1
R1 in a 1k
D1 a b dm
D2 b 0 dm
R2 in z 4.7k
D3 0 z dz
R3 z a 22k
C1 a 0 1n
.model dm d (is=1e-14 rs=7 n=1.2 kf=2e-15 af=1.1 cjo=4p tt=5n)
.model dz d (is=1e-14 rs=3 bv=6.2 ibv=5m kf=1e-15)
END
compare "diodes" "noise v(a) V1 dec 50 10 10meg"

cat >"$scratch/deck" <<'END'
a stage with a bipolar transistor; without rbm, whose derivatives SPICE leaves out of its conductances
Vcc vcc 0 12
V1 in 0 AC 1
Rs in i 600
C1 i b 10u
R1 vcc b 47k
R2 b 0 10k
Q1 c b e qn
R3 vcc c 2.2k
R4 e 0 1k
C4 e 0 100u
C5 c out 10u
R5 out 0 10k
.model qn npn (is=1e-15 bf=200 vaf=80 ikf=50m rb=50 rc=1 re=0.2 cje=8p cjc=4p tf=300p tr=10n ise=1e-14 ne=1.6
+ kf=1e-14 af=1.2)
END
compare "bipolar transistor" "noise v(out) V1 dec 50 10 100meg"

cat >"$scratch/deck" <<'END'
stages with MOS transistors; without the oxide, whose charges ngspice shares out otherwise
Vdd vdd 0 5
V1 in 0 DC 1.3 AC 1
M1 d in 0 0 nm w=20u l=2u
M2 d d vdd vdd pm w=10u l=2u
M3 o d s 0 nm w=30u l=3u
R3 vdd o 20k
R4 s 0 5k
C1 d 0 50f
C2 o 0 100f
.model nm nmos (vto=0.8 kp=50u lambda=0.02 gamma=0.4 phi=0.65 rd=30 rs=20 ld=0.1u kf=1e-26 af=1.1 cgso=200p cgdo=200p)
.model pm pmos (vto=-0.9 kp=20u lambda=0.03 rs=50 kf=2e-26)
END
compare "MOS transistors" "noise v(o) V1 dec 50 10 1g"

cat >"$scratch/deck" <<'END'
an op-amp of eleven transistors, in feedback
Vp vp 0 15
Vn vn 0 -15
V1 in 0 DC 0 AC 1
Rin in m 10k
Rf m out 100k
Cf m out 10p
Q1 c1 m e1 qp
Q2 c2 p e1 qp
Rp p 0 9.1k
Q3 c1 c1 vn qn
Q4 c2 c1 vn qn
Q5 e1 b5 vp qp
Q6 b5 b5 vp qp
R6 b5 vn 220k
Q7 vp c2 e7 qn
R7 e7 vn 50k
Q8 c8 e7 e8 qn
R8 e8 vn 100
Q9 c8 b5 vp qp 3
Cc c8 c2 30p
D1 x c8 dm
D2 y x dm
Q10 vp y o1 qn
Q11 vn c8 o2 qp
R12 vp y 200k
R10 o1 out 25
R11 out o2 25
RL out 0 2k
.model qn npn (is=1e-14 bf=250 vaf=130 rb=200 rc=50 re=2 cje=1p cjc=0.5p tf=0.35n kf=5e-16 af=1)
.model qp pnp (is=1e-15 bf=50 vaf=50 rb=300 rc=100 re=5 cje=1p cjc=1p tf=5n subs=1 kf=1e-15 af=1.2)
.model dm d (is=1e-14 rs=20)
END
compare "op-amp" "noise v(out) V1 dec 50 10 10meg" 2e-3

# SEED_NOISE=n begins with other circuits, CIRCUITS_NOISE=n takes so many.
seed=${SEED_NOISE:-1001}
last=$((seed + ${CIRCUITS_NOISE:-8}))
while [ "$seed" -lt "$last" ]; do
    random_stage "$seed"
    compare "random stage $seed" "noise v(n3,n1) V1 dec 10 10 1g" 1e-2
    seed=$((seed + 1))
done

# ---- what ngspice does not have ----

# column NAME: of the last row of the spectrum in $scratch/k.csv
column()
{
    awk -F, -v name="$1" 'NF == 0 { exit } NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { v = $c }
        END { print v }' "$scratch/k.csv"
}
run()
{
    "$KNOTEN" "$scratch/deck" --format csv -o "$scratch/k.csv" >"$scratch/out" 2>&1 || { fail "$1: status $?"; cat "$scratch/out"; }
}
near()
{
    awk -v a="$2" -v b="$3" 'BEGIN { e = a / b - 1; exit !(e < 1e-6 && e > -1e-6) }' || fail "$1: $2, expected $3"
}

# Two devices in parallel are m=2, and a resistor of its own temperature is noisy by that.
for m in 'M1 d g 0 0 nm w=20u l=2u m=2|M1 d g 0 0 nm w=20u l=2u
M2 d g 0 0 nm w=20u l=2u' 'D1 d 0 dm m=2|D1 d 0 dm
D2 d 0 dm' 'Q1 d g 0 qm m=2|Q1 d g 0 qm
Q2 d g 0 qm' 'R1 d 0 rm 1k m=2|R1 d 0 rm 1k
R2 d 0 rm 1k'; do
    for part in "${m%%|*}" "${m#*|}"; do
        printf 'parallel\nV1 g 0 DC 0.7 AC 1\nVd dd 0 5\nRd dd d 1k\nRg d g 1meg\n%s\n.noise v(d) V1 lin 1 1k 1k\n' "$part"
        printf '.model nm nmos (vto=0.4 kp=50u kf=1e-24 af=1.4 nlev=1)\n.model dm d (rs=1 kf=1e-13 af=1.3)\n'
        printf '.model qm npn (rb=100 kf=1e-13 af=1.3)\n.model rm r (kf=1e-12 af=1.7)\n.end\n'
    done | awk -v to="$scratch/part" '/^parallel/ { n++ } { print >(to n) }'
    cp "$scratch/part1" "$scratch/deck"; run "$m"; one=$(column onoise_spectrum)
    cp "$scratch/part2" "$scratch/deck"; run "$m"; near "parallel $m" "$one" "$(column onoise_spectrum)"
done
printf 'hot\nV1 a 0 AC 1\nR1 a b 1k noise=0\nR2 b 0 1k temp=127\n.noise v(b) V1 lin 1 1k 1k\n.end\n' >"$scratch/deck"
run hot
near "its own temperature" "$(column onoise_spectrum)" "$(awk 'BEGIN { printf "%.12g", sqrt(4 * 1.380649e-23 * 400.15 * 1000) / 2 }')"

# A switch is as noisy as its resistance (ngspice takes it for open at the first frequency).
for part in 'S1 a b c 0 sm' 'W1 a b Vc wm' 'R3 a b 300'; do
    printf 'switch\nV1 in 0 DC 1 AC 1\nVc c 0 5\nRc c 0 1\nR1 in a 1k\n%s\nR2 b 0 1k\nC1 b 0 1n\n.noise v(b) V1 lin 1 1k 1k 1\n' "$part"
    printf '.model sm sw (vt=2 ron=300 roff=1meg)\n.model wm iswitch (ion=-4 ioff=-2 ron=300 roff=1meg)\n.end\n'
done | awk -v to="$scratch/part" '/^switch/ { n++ } { print >(to n) }'
# Of a current across 300 ohm between 1k and 1k with 1n.
loss()
{
    awk 'BEGIN { w = 2 * atan2(0, -1) * 1000 * 1e-9 * 1000 * 1300 / 2300; print 1 / sqrt(1 + w * w) }' OFMT=%.12g
}
for i in 1 2 3; do
    cp "$scratch/part$i" "$scratch/deck"; run "switch $i"
    set -- onoise_s1 onoise_w1 onoise_r3; shift $((i - 1))
    near "switch $i" "$(column "$1")" "$(awk 'BEGIN { printf "%.12g", sqrt(4 * 1.380649e-23 * 300.15 / 300) * 300 * 1000 / 2300 * '"$(loss)"' }')"
done

# A formula that is 1.3 kilohm at the operating point is as noisy as that, if it shall be, also without a current; its slope
# is a transconductance beside it.
for dc in 0 2; do
    printf 'formula\nV1 in 0 DC %s AC 1\nR1 in a 1k noisy=0\nR2 a 0 %s\n.noise v(a) V1 lin 1 1k 1k 1\n.end\n' "$dc" "R='1.3k+0*v(a)' noisy=1" >"$scratch/deck"
    run formula
    near "formula at $dc V" "$(column onoise_r2_thermal)" "$(awk 'BEGIN { printf "%.12g", sqrt(4 * 1.380649e-23 * 300.15 * 1300) / 2.3 }')"
done
printf 'formula\nV1 in 0 DC 2 AC 1\nR1 in a 1k noisy=0\nR2 a 0 %s\n.noise v(a) V1 lin 1 1k 1k 1\n.end\n' "R='1k+v(a)*300' noisy=1" >"$scratch/deck"
run formula
sed '/^.noise/d; s/^.end/.control\nset numdgt=10\noption reltol=1e-9\nnoise v(a) V1 lin 1 1k 1k 1\nprint onoise_spectrum\nquit\n.endc\n.end/' "$scratch/deck" >"$scratch/n.cir"
near "formula in ngspice" "$(column onoise_spectrum)" "$(timeout 60 "$ngspice" -b "$scratch/n.cir" 2>/dev/null | awk '$1 == "onoise_spectrum" { print $3 }')"

# Totals at the input: white noise behind a pole, S = 4 k T R, is S (1 + (f/fc)^2) in front of it.
printf 'total\nV1 in 0 AC 1\nR1 in b 1k noisy=0\nC1 b 0 1u\nE1 c 0 b 0 1\nR3 c d 1k\nR4 d 0 1meg noisy=0\n.noise v(d) V1 dec 400 1 10k\n.end\n' >"$scratch/deck"
run total
total=$(awk -F, 'NF == 0 { getline; getline; print $2 }' "$scratch/k.csv")
awk -v a="$total" 'BEGIN { f = 10000; s = 4 * 1.380649e-23 * 300.15 * 1000; fc = 1 / (2 * atan2(0, -1) * 1000 * 1e-6)
    b = sqrt(s * (f - 1 + (f ^ 3 - 1) / (3 * fc ^ 2))); e = a / b - 1; exit !(e < 1e-6 && e > -1e-6) }' ||
    fail "total at the input: $total"

# ---- files and tables ----

printf 'files\nV1 a 0 AC 1\nR1 a b 1k\nC1 b 0 1u\n.noise v(b) V1 dec 5 1 1k\n.print noise onoise inoise onoise_r1_thermal\n.end\n' >"$scratch/deck"
"$KNOTEN" "$scratch/deck" -o "$scratch/k.raw" >"$scratch/out" 2>&1 || fail "status of a table"
grep -q '^ *frequency *onoise_spectrum *inoise_spectrum *onoise_r1_thermal' "$scratch/out" || { fail table; cat "$scratch/out"; }
printf 'load\n.control\nload %s\nsetplot\nprint length(onoise_total)\nsetplot noise1\nprint length(onoise_spectrum)\nquit\n.endc\n.end\n' "$scratch/k.raw" >"$scratch/n.cir"
timeout 60 "$ngspice" -b "$scratch/n.cir" >"$scratch/log" 2>&1
grep -q 'length(onoise_spectrum) = 1.600000e+01' "$scratch/log" || { fail "ngspice does not read the file"; cat "$scratch/log"; }

# ---- messages ----

says()
{
    "$KNOTEN" "$scratch/deck" -o "$scratch/k.raw" >"$scratch/out" 2>&1
    grep -qF -- "$2" "$scratch/out" || { fail "$1"; cat "$scratch/out"; }
}
for case in '.noise|needs an output and a source' '.noise v(a)|needs the name of a source' '.noise v(a) R1 dec 1 1 10|no voltage or current source' \
    '.noise v(q) V1 dec 1 1 10|no node' '.noise v(a) V1|needs frequencies' '.noise v(a) V1 dec 0 1 10|whole number from 1' \
    '.noise v(a) V1 lin 3 0 10|greater than 0' '.noise v(a) V1 list 2 1|and rise' '.noise v(a) V1 dec 1 1 10 0.5|points per summary' \
    '.noise v(a) V1 dec 1 1 10 1 2|ignored' '.noise v(b) V1 dec 1 1 10|nothing of V1 arrives at v(b)' \
    '.noise v(a) V1 dec 1 1 10
.print noise foo|not supported' '.noise i(R9) V1 dec 1 1 10|no element'; do
    printf 'case\nV1 a 0 1\nR1 a 0 1\nR2 b 0 1\n%s\n.end\n' "${case%|*}" >"$scratch/deck"
    says "$case" "${case#*|}"
done

# The current of a source in a loop with a capacitor differentiates the noise behind it.
printf 'index 2\nI1 a 0 DC 0 AC 1\nR1 a 0 1k\nE1 b 0 a 0 1\nC1 b 0 1n\n.noise i(E1) I1 dec 3 1 1meg\n.end\n' >"$scratch/deck"
says "the current of a controlled source" 'the density of the noise at i(e1) (V^2/Hz or A^2/Hz) still grows as f^2'
printf 'index 2\nI1 a 0 DC 0 AC 1\nR1 a 0 1k\nE1 b 0 a 0 1\nV2 b c 0\nC1 c 0 1n\n.noise i(V2) I1 dec 3 1 1meg\n.end\n' >"$scratch/deck"
says "differentiated noise" 'the density of the noise at i(v2) (V^2/Hz or A^2/Hz) still grows as f^2'
finish
