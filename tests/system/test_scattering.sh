#!/bin/sh
# .sp gives what ngspice gives, closed forms, and matrices as networks must have them; Touchstone files.
. "$(dirname "$0")/common.sh"

# run CARD [OPTIONS]: $scratch/deck with the card; CSV in $scratch/k.csv.
run()
{
    { cat "$scratch/deck"; printf '.%s\n.end\n' "$1"; } >"$scratch/k.cir"
    "$KNOTEN" "$scratch/k.cir" --format csv -o "$scratch/k.csv" --reltol 1e-9 >"$scratch/out" 2>&1
}

# compare NAME CARD VECTOR..: phasors of ngspice against those of the CSV file, by name.
compare()
{
    [ -n "$ngspice" ] || return 0
    name=$1 card=$2
    shift 2
    run "$card" || { fail "$name: exit status $?"; cat "$scratch/out"; return; }
    { cat "$scratch/deck"
      printf '.options reltol=1e-9 vntol=1e-12 abstol=1e-15\n.control\nset wr_singlescale\nset numdgt=12\n'
      printf '%s\nwrdata %s %s\nquit\n.endc\n.end\n' "$card" "$scratch/n.data" "$*"; } >"$scratch/n.cir"
    rm -f "$scratch/n.data"
    timeout 20 "$ngspice" -b "$scratch/n.cir" >"$scratch/log" 2>&1
    [ -s "$scratch/n.data" ] || { fail "$name: ngspice"; tail -n 5 "$scratch/log"; return; }
    awk -v name="$name" -v vectors="$*" '
        function size(re, im) { return sqrt(re * re + im * im) }
        BEGIN { count = split(vectors, wanted, " ") }
        NR == FNR { rows++; for (i = 1; i <= NF; i++) n[rows, i] = $i; next }
        FNR == 1 {
            split($0, head, ",")
            for (i in head) place[head[i]] = i
            next
        }
        { points++; split($0, cell, ","); for (i in cell) k[points, i] = cell[i] }
        END {
            if (points != rows || points < 2) { print name ": " points " points, ngspice " rows; exit 1 }
            for (v = 1; v <= count; v++) {
                re = place["re(" tolower(wanted[v]) ")"]; im = place["im(" tolower(wanted[v]) ")"]
                if (re == "") { print name ": no " wanted[v]; bad = 1; continue }
                most = 0
                for (r = 1; r <= rows; r++) { s = size(n[r, 2 * v], n[r, 2 * v + 1]); if (s > most) most = s }
                for (r = 1; r <= rows; r++) {
                    s = size(n[r, 2 * v], n[r, 2 * v + 1])
                    e = size(k[r, re] - n[r, 2 * v], k[r, im] - n[r, 2 * v + 1])
                    if (e > 1e-4 * s + 1e-9 * most || most == 0) {
                        print name ": " wanted[v] " at " n[r, 1] " Hz: " k[r, re] " " k[r, im] ", ngspice " \
                            n[r, 2 * v] " " n[r, 2 * v + 1]
                        bad = 1; break
                    }
                }
            }
            exit bad
        }' "$scratch/n.data" "$scratch/k.csv" >"$scratch/table" || { fail "$name"; cat "$scratch/table"; }
}



refuses()
{
    run "$2"
    [ $? = 2 ] || fail "expected exit status 2: $1"
    said "$1"
}

two="S_1_1 S_1_2 S_2_1 S_2_2 Y_1_1 Y_1_2 Y_2_1 Y_2_2 Z_1_1 Z_1_2 Z_2_1 Z_2_2"

cat >"$scratch/deck" <<'END_OF_DECK'
a pad with a capacitor
V1 in 0 DC 0 AC 1 portnum 1 z0 50
V2 out 0 DC 0 AC 0 portnum 2 z0 50
R1 in m 16.6
R2 m out 16.6
R3 m 0 66.9
C1 m 0 1p
END_OF_DECK
compare "pad" "sp dec 5 1meg 10g" $two
compare "pad, its noise" "sp lin 3 1g 3g 1" Cy_1_1 Cy_1_2 Cy_2_1 Cy_2_2

cat >"$scratch/deck" <<'END_OF_DECK'
a low-pass filter between two impedances
V1 in 0 DC 0 AC 1 portnum 1 z0 50
V2 out 0 portnum=2 z0=75
L1 in a 100n
C1 a 0 33p
L2 a out 120n
C2 in out 1p
R1 a 0 1k
END_OF_DECK
compare "filter" "sp oct 4 10meg 320meg" $two

# amplifier Z0 MORE: a bipolar stage between two ports; MORE for its model.
amplifier()
{
    cat >"$scratch/deck" <<END_OF_DECK
a bipolar amplifier
VCC vcc 0 12
V1 in 0 DC 0 AC 1 portnum 1 z0 $1
V2 out 0 DC 0 portnum 2 z0 50
CI in b 10u
RB1 vcc b 47k
RB2 b 0 10k
RC vcc c 1k
RE e 0 470
CE e 0 100u
CO c out 10u
Q1 c b e QN
.model QN NPN(BF=150 IS=1e-14 VAF=80 CJE=10p CJC=4p TF=0.4n RB=50 $2)
END_OF_DECK
}

amplifier 50 ""
compare "bipolar amplifier" "sp dec 5 10k 1g" $two

cat >"$scratch/deck" <<'END_OF_DECK'
a MOS stage
VDD vdd 0 5
VB g0 0 1.5
RG g0 g 1meg
V1 in 0 DC 0 AC 1 portnum 1 z0 50
CI in g 1u
V2 out 0 DC 0 portnum 2 z0 50
RD vdd d 1k
CO d out 1u
CGD g d 50f
CG g 0 200f
M1 d g 0 0 MN W=100u L=1u
.model MN NMOS(VTO=0.7 KP=60u LAMBDA=0.02)
END_OF_DECK
compare "MOS stage" "sp dec 5 10k 10g" $two

cat >"$scratch/deck" <<'END_OF_DECK'
a lossless line, and one behind it
V1 in 0 DC 0 AC 1 portnum 1 z0 50
V2 out 0 DC 0 portnum 2 z0 50
T1 in 0 m 0 z0=75 td=1n
T2 m 0 out 0 z0=30 td=0.7n
R1 m 0 300
END_OF_DECK
compare "lines" "sp lin 20 10meg 900meg" $two

cat >"$scratch/deck" <<'END_OF_DECK'
three ports: a resistive divider with coils
V1 a 0 DC 0 AC 1 portnum 1 z0 50
V2 b 0 DC 0 portnum 2 z0 50
V3 c 0 DC 0 portnum 3 z0 100
R1 a m 16.7
R2 b m 16.7
L3 c d 10n
L4 d m 20n
K1 L3 L4 0.3
C1 m 0 2p
END_OF_DECK
compare "three ports" "sp dec 5 10meg 1g" S_1_1 S_1_2 S_1_3 S_2_3 S_3_1 S_3_3 Y_1_3 Y_3_3 Z_2_1 Z_3_3

# A matched pad of 6 dB: Z0 (a - 1) / (a + 1) in series, 2 Z0 a / (a^2 - 1) across, a = 2.
cat >"$scratch/deck" <<'END_OF_DECK'
6 dB
V1 in 0 portnum 1 z0 50
V2 out 0 portnum 2
R1 in m 16.6666666666667
R2 m out 16.6666666666667
R3 m 0 66.6666666666667
.temp 16.85
END_OF_DECK
run "sp dec 1 1k 10k donoise"
value "pad of 6 dB" "re(s_1_1)" 0 1e-12
value "pad of 6 dB" "re(s_2_1)" 0.5 1e-12
value "pad of 6 dB" "re(z_2_1)" 66.6666666666667 1e-9
value "pad of 6 dB" "z0_2" 50 0
# At 290 K its noise figure is its attenuation, and matched is best.
value "pad of 6 dB" "nf" 6.020599913 1e-6
value "pad of 6 dB" "nfmin" 6.020599913 1e-6
value "pad of 6 dB" "re(sopt)" 0 1e-6

# Passive and mismatched at T: F = 1 + T/T0 (1/Gav - 1), Gav = |S21|^2 / (1 - |S22|^2), and the least F has the largest
# available gain: (K - sqrt(K^2 - 1)) |S21/S12|, K = (1 - |S11|^2 - |S22|^2 + |D|^2) / (2 |S12 S21|).
cat >"$scratch/deck" <<'END_OF_DECK'
lossy
V1 in 0 portnum 1 z0 50
V2 out 0 portnum 2 z0 50
R1 in m 5
R2 m out 40
R3 m 0 120
L1 m 0 20n
C1 in 0 3p
.temp 80
END_OF_DECK
run "sp list 100meg donoise"
awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) p[$i] = i; next }
    function c2(name) { return $p["re(" name ")"]^2 + $p["im(" name ")"]^2 }
    function re(a, b) { return $p["re(" a ")"] * $p["re(" b ")"] - $p["im(" a ")"] * $p["im(" b ")"] }
    function im(a, b) { return $p["re(" a ")"] * $p["im(" b ")"] + $p["im(" a ")"] * $p["re(" b ")"] }
    {
        t = (80 + 273.15) / 290
        f = 1 + t * ((1 - c2("s_2_2")) / c2("s_2_1") - 1)
        d2 = (re("s_1_1", "s_2_2") - re("s_1_2", "s_2_1"))^2 + (im("s_1_1", "s_2_2") - im("s_1_2", "s_2_1"))^2
        k = (1 - c2("s_1_1") - c2("s_2_2") + d2) / (2 * sqrt(c2("s_1_2") * c2("s_2_1")))
        least = 1 + t * (k + sqrt(k * k - 1) - 1)
        e = $p["nf"] - 10 * log(f) / log(10); g = $p["nfmin"] - 10 * log(least) / log(10)
        if (e * e > 1e-12 || g * g > 1e-12) { print "noise figures: off by", e, g; exit 1 }
    }' "$scratch/k.csv" >"$scratch/table" || { fail "passive noise"; cat "$scratch/table"; }

# A quarter of a wave of 100 ohm between 50 ohm: S11 = (200 - 50) / (200 + 50), all else goes through.
cat >"$scratch/deck" <<'END_OF_DECK'
a quarter of a wave
V1 in 0 portnum 1 z0 50
V2 out 0 portnum 2 z0 50
T1 in 0 out 0 z0=100 td=1n
END_OF_DECK
run "sp list 250meg"
value "quarter of a wave" "re(s_1_1)" 0.6 1e-12
value "quarter of a wave" "im(s_2_1)" -0.8 1e-12

# Only in series there are no Z parameters, only across no Y parameters.
cat >"$scratch/deck" <<'END_OF_DECK'
in series
V1 in 0 portnum 1 z0 50
V2 out 0 portnum 2 z0 50
R1 in out 100
END_OF_DECK
run "sp list 1k" || fail "series: exit status $?"
value "series" "re(s_2_1)" 0.5 1e-12
value "series" "re(y_2_1)" -0.01 1e-12
said "no Z parameters at 1000 Hz"
sed -i 's/^R1.*/R1 in 0 100\nR2 in out 0/' "$scratch/deck"
run "sp list 1k donoise" || fail "across: exit status $?"
said "no Y parameters at 1000 Hz"
value "across" "re(z_2_1)" 100 1e-9
value "across" "nf" 1.81128700 1e-6 # F = 1 + T/T0 z0/R

# The figure is that of .noise: onoise^2 / (gain^2 4 k 290 K z0), of the generator's own voltage.
amplifier 75 KF=1e-14
run "noise v(out) V1 list 1k 10meg"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) p[$i] = i; next }
    NR <= 3 { printf "%.12g\n", 10 * log(1 + ($p["inoise_spectrum"])^2 / (4 * 1.380649e-23 * 290 * 75)) / log(10) }' "$scratch/k.csv" \
    >"$scratch/expected"
run "sp list 1k 10meg donoise" || { fail "amplifier: exit status $?"; cat "$scratch/out"; }
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) p[$i] = i; next } { print $p["nf"] }' "$scratch/k.csv" |
    paste "$scratch/expected" - | awk '{ e = $1 - $2; if (!(e * e < 1e-16) || $1 < 0.1) { print "nf", $0; bad = 1 } n++ }
        END { exit bad || n != 2 }' >"$scratch/table" || { fail "noise figure"; cat "$scratch/table"; }

# Random networks of R, L and C are reciprocal; without R they are lossless: S S^H = 1.
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
    awk -v seed="$seed" 'BEGIN {
        srand(seed); lossless = seed % 2
        print "random network"
        for (p = 1; p <= 3; p++) printf "V%d n%d 0 portnum %d z0 %g\n", p, p, p, 10 + 90 * rand()
        for (n = 1; n <= 7; n++) printf "C%d n%d 0 %gp\nL%d n%d n%d %gn\n", n, n, 1 + 9 * rand(), n, n, n % 7 + 1, 1 + 20 * rand()
        for (k = 8; k <= 16; k++) {
            a = 1 + int(7 * rand()); b = int(7 * rand()); b = b >= a ? b + 1 : b; t = int((lossless ? 2 : 3) * rand())
            if (t == 0) printf "C%d n%d n%d %gp\n", k, a, b ? b : 1 + a % 7, 1 + 9 * rand()
            if (t == 1) printf "L%d n%d n%d %gn\n", k, a, b ? b : 1 + a % 7, 1 + 20 * rand()
            if (t == 2) printf "R%d n%d n%d %g\n", k, a, b ? b : 1 + a % 7, 10 + 1000 * rand()
        }
    }' >"$scratch/deck"
    run "sp lin 5 20meg 900meg" || { fail "random $seed: exit status $?"; cat "$scratch/out"; continue; }
    awk -F, -v seed="$seed" '
        NR == 1 { for (i = 1; i <= NF; i++) p[$i] = i; next }
        function re(i, j) { return $p["re(s_" i "_" j ")"] }
        function im(i, j) { return $p["im(s_" i "_" j ")"] }
        {
            for (i = 1; i <= 3; i++)
                for (j = 1; j <= 3; j++) {
                    x = 0; y = 0
                    for (k = 1; k <= 3; k++) {
                        x += re(i, k) * re(j, k) + im(i, k) * im(j, k); y += im(i, k) * re(j, k) - re(i, k) * im(j, k)
                    }
                    d = (re(i, j) - re(j, i))^2 + (im(i, j) - im(j, i))^2
                    u = (x - (i == j))^2 + y^2
                    if (d > 1e-20 || (seed % 2 && u > 1e-20) || (i == j && x > 1 + 1e-10)) {
                        print "seed", seed, "at", $1, "Hz:", d, u; exit 1
                    }
                }
            rows++
        }
        END { if (rows != 5) exit 1 }' "$scratch/k.csv" >"$scratch/table" || { fail "random network"; cat "$scratch/table"; }
done

# A port is a source behind z0 in every analysis, here a divider of two.
cat >"$scratch/deck" <<'END_OF_DECK'
a port at rest
V1 in 0 DC 2 AC 3 portnum 1 z0 50
R1 in 0 50
END_OF_DECK
run "op"
value "port at rest" "v(in)" 1 1e-9
run "ac lin 2 1 2"
value "port of .ac" "re(v(in))" 1.5 1e-9
run "noise v(in) V1 list 1 2"
value "a port is noiseless" "onoise_spectrum" 4.5513e-10 1e-13 # 25 ohm sqrt(4 k T / 50 ohm)

# ---- Touchstone ----

cat >"$scratch/deck" <<'END_OF_DECK'
6 dB, not symmetric
V1 in 0 portnum 1 z0 50
V2 out 0 portnum 2 z0 50
R1 in out 50
R3 out 0 50
.sp lin 2 1k 2k donoise
.op
.end
END_OF_DECK
"$KNOTEN" "$scratch/deck" -o "$scratch/k.s2p" >"$scratch/out" 2>&1 || fail "touchstone: exit status $?"
said "'Operating Point' is not in it"
grep -q '^# HZ S RI R 50$' "$scratch/k.s2p" || fail "touchstone: option line"
# S11 = 0.2, S21 = S12 = 0.4, S22 = -0.2 in the order 11 21 12 22.
awk '/^[!#]/ { next }
    NF == 9 { n++; if (($2 - 0.2)^2 + ($4 - 0.4)^2 + ($6 - 0.4)^2 + ($8 + 0.2)^2 > 1e-20) bad = 1 }
    NF == 5 { noise++; if ($1 < last) bad = 1; last = $1 }
    END { exit bad || n != 2 || noise != 2 }' "$scratch/k.s2p" || { fail "touchstone: numbers"; cat "$scratch/k.s2p"; }
sed 's/^R3 .*/R3 out 0 {r}\n.step param r list 50 60/' "$scratch/deck" >"$scratch/steps"
"$KNOTEN" "$scratch/steps" -o "$scratch/steps.s2p" >"$scratch/out" 2>&1 && fail "touchstone: several steps"
said "cannot hold the S parameters of several steps"
sed -i 's/portnum 2 z0 50/portnum 2 z0 75/' "$scratch/deck"
"$KNOTEN" "$scratch/deck" --format touchstone -o "$scratch/k.txt" >"$scratch/out" 2>&1 || fail "touchstone 2: exit status $?"
for line in '\[Version\] 2.0' '\[Number of Ports\] 2' '\[Two-Port Data Order\] 21_12' '\[Number of Frequencies\] 2 *' \
    '\[Reference\] 50 75' '\[Network Data\]' '\[Noise Data\]' '\[End\]'; do
    grep -q "^$line\$" "$scratch/k.txt" || { fail "touchstone 2: $line"; cat "$scratch/k.txt"; }
done

# ---- messages ----

cat >"$scratch/deck" <<'END_OF_DECK'
mistakes
V1 in 0 portnum 1 z0 50
R1 in 0 50
END_OF_DECK
refuses "needs frequencies" "sp"
refuses "expected dec, oct, lin or list" "sp 10 1 2"
refuses "the frequencies must rise" "sp list 2 1"
refuses "there may be donoise, 0 or 1" "sp dec 1 1 2 7"
cp "$scratch/deck" "$scratch/good"
sed -i 's/portnum 1/portnum 3/' "$scratch/deck"
refuses "there is a port 3, but no port 1" "sp dec 1 1 2"
sed -i 's/portnum 3 z0 50//' "$scratch/deck"
refuses "the circuit has no ports" "sp dec 1 1 2"
sed 's/^R1/V2 x 0 portnum 1\nR1/' "$scratch/good" >"$scratch/deck"
refuses "port 1 is there twice" "sp dec 1 1 2"
sed 's/z0 50/z0 0/' "$scratch/good" >"$scratch/deck"
refuses "z0 must be greater than 0" "sp dec 1 1 2"
sed 's/portnum 1/portnum 1.5/' "$scratch/good" >"$scratch/deck"
refuses "must be a whole number" "sp dec 1 1 2"
sed 's/portnum 1//' "$scratch/good" >"$scratch/deck"
refuses "'z0' without 'portnum'" "sp dec 1 1 2"
sed 's/z0 50/z0 50 Rser=1/' "$scratch/good" >"$scratch/deck"
refuses "no Rser or Cpar" "sp dec 1 1 2"
sed 's/^V1/I1/' "$scratch/good" >"$scratch/deck"
refuses "'portnum' belongs to voltage sources" "sp dec 1 1 2"

# Parts of entries on .print: a filter without losses lets through what it does not reflect.
cat >"$scratch/parts.cir" <<'END_OF_DECK'
a low-pass filter
V1 in 0 portnum 1
V2 out 0 portnum 2
L1 in a 100n
C1 a 0 60p
L2 a out 100n
.sp dec 3 10meg 1g
.print sp s_1_1 db(s_2_1) s21(p) mag(s_2_1) re(s_2_1) im(s_2_1)
.end
END_OF_DECK
"$KNOTEN" -q "$scratch/parts.cir" --format csv -o "$scratch/parts.csv" >"$scratch/parts" 2>"$scratch/err" || fail "parts of entries: exit status"
[ ! -s "$scratch/err" ] || { fail "parts of entries"; cat "$scratch/err"; }
"$KNOTEN" -q "$scratch/parts.cir" -o "$scratch/parts.raw" >"$scratch/parts" 2>&1
[ "$(awk 'NF == 8 && $1 + 0 > 0' "$scratch/parts" | wc -l)" -eq 7 ] || { fail "the table of parts"; cat "$scratch/parts"; }
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
     NF > 8 {
        through = 10 * log(1 - $at["re(s_1_1)"]^2 - $at["im(s_1_1)"]^2) / log(10)
        re = $at["re(s_2_1)"]; im = $at["im(s_2_1)"]; phase = atan2(im, re) * 45 / atan2(1, 1)
        if (($at["db(s_2_1)"] - through)^2 > 1e-12 || ($at["ph(s_2_1)"] - phase)^2 > 1e-18 ||
            ($at["mag(s_2_1)"]^2 - re^2 - im^2)^2 > 1e-28) { print; bad = 1 }
        rows++ }
     END { exit bad || rows != 7 }' "$scratch/parts.csv" || { fail "parts of entries are wrong"; cat "$scratch/parts.csv"; }

finish
