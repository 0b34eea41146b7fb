#!/bin/sh
# .measure of tran, ac and dc gives what ngspice measures of the same circuits with dense points.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1
[ -n "$ngspice" ] || skip "ngspice is not installed to compare with"

# compare NAME CARD MEASUREMENTS..: $scratch/deck with the analysis, its dense points for ngspice and the .meas cards.
compare()
{
    name=$1 ours=$2 theirs=$3
    { cat deck; printf '.options reltol=1e-6\n%s\n' "$ours"; cat cards; echo .end; } >k.cir
    { cat deck; printf '.options reltol=1e-6\n.save all\n%s\n' "$theirs"; cat cards; echo .end; } >n.cir
    timeout 60 "$KNOTEN" -q -o k.raw k.cir >out 2>err || { fail "$name: exit status $?"; cat err; return; }
    [ ! -s err ] || { fail "$name is warned about"; cat err; }
    awk '/^  / { print tolower($1), $2 }' out | sort >k.txt
    timeout 60 "$ngspice" -b n.cir 2>/dev/null | awk '$2 == "=" && NF > 2 { print tolower($1), $3 }' | sort >n.txt
    count=$(grep -ci '^\.meas' cards)
    join k.txt n.txt >both.txt
    [ "$(wc -l <both.txt)" -eq "$count" ] || { fail "$name: $count measurements expected from both"; cat k.txt n.txt; return; }
    awk '{ d = $2 - $3; d = d < 0 ? -d : d; s = $3 < 0 ? -$3 : $3; if (d > 1e-3 * s) { print; bad = 1 } } END { exit bad }' both.txt ||
        { fail "$name: ngspice measures something else"; awk '{ d = $2 / $3 - 1; if (d > 1e-3 || d < -1e-3) print }' both.txt; }
}

# ---- ac ----

cat >deck <<'END'
a low-pass
V1 in 0 AC 1
R1 in out 1k
C1 out 0 159n
END
cat >cards <<'END'
.meas ac f3 WHEN vdb(out)=-3
.meas ac g FIND vdb(out) AT=5k
.meas ac p FIND vm(out) WHEN vp(out)=-1
.meas ac hi MAX vm(out)
.meas ac lo MIN vdb(out) FROM=100 TO=10k
.meas ac i FIND vi(out) AT=1k
END
# vp is in radians there.
sed 's/vp(out)=-1$/vp(out)=-57.29577951/' cards >cards.k && cp cards cards.n
compare_radians()
{
    cp cards.k cards
    name=$1
    { cat deck; printf '%s\n' "$2"; cat cards.k; echo .end; } >k.cir
    { cat deck; printf '.save all\n%s\n' "$3"; cat cards.n; echo .end; } >n.cir
    timeout 60 "$KNOTEN" -q -o k.raw k.cir 2>err | awk '/^  / { print tolower($1), $2 }' | sort >k.txt
    timeout 60 "$ngspice" -b n.cir 2>/dev/null | awk '$2 == "=" && NF > 2 { print tolower($1), $3 }' | sort >n.txt
    join k.txt n.txt >both.txt
    [ "$(wc -l <both.txt)" -eq 6 ] || { fail "$name: 6 measurements expected from both"; cat err k.txt n.txt; return; }
    awk '{ d = $2 - $3; d = d < 0 ? -d : d; s = $3 < 0 ? -$3 : $3; if (d > 1e-3 * s) { print; bad = 1 } } END { exit bad }' both.txt ||
        { fail "$name: ngspice measures something else"; cat both.txt; }
}
compare_radians "low-pass" ".ac dec 5 10 100k" ".ac dec 2000 10 100k"

cat >deck <<'END'
a resonance
V1 in 0 AC 1
R1 in a 20
L1 a out 1m
C1 out 0 10n
END
cat >cards <<'END'
.meas ac top MAX vm(out)
.meas ac fm MAX_AT vm(out)
.meas ac up WHEN vdb(out)=6 RISE=1
.meas ac bw TRIG vdb(out) VAL=6 RISE=1 TARG vdb(out) VAL=6 FALL=1
.meas ac re FIND vr(out) AT=40k
.meas ac span PP vdb(out) FROM=10k TO=100k
END
compare "resonance" ".ac dec 10 5k 500k" ".ac dec 4000 5k 500k"

cat >deck <<'END'
a stage with a transistor
Vcc vcc 0 12
V1 in 0 AC 1
C1 in b 1u
R1 vcc b 47k
R2 b 0 10k
Q1 c b e qn
R3 vcc c 2.2k
R4 e 0 1k
C4 e 0 10u
.model qn npn (is=1e-15 bf=200 vaf=80 cje=8p cjc=4p tf=300p rb=50)
END
cat >cards <<'END'
.meas ac gain MAX vdb(c)
.meas ac low WHEN vdb(c)=30 RISE=1
.meas ac high WHEN vdb(c)=30 FALL=1
.meas ac at FIND vm(c) AT=1meg
END
compare "transistor" ".ac dec 10 1 1g" ".ac dec 1000 1 1g"

cat >deck <<'END'
a filter of fourth order
V1 in 0 AC 1
R1 in a 50
L1 a b 1u
C1 b 0 400p
L2 b c 2u
C2 c 0 800p
R2 c 0 50
END
cat >cards <<'END'
.meas ac pass FIND vm(c) AT=100k
.meas ac edge WHEN vm(c)=0.25
.meas ac far FIND vdb(c) AT=50meg
.meas ac input FIND vm(a) AT=1meg
END
compare "filter" ".ac dec 8 10k 100meg" ".ac dec 2000 10k 100meg"

cat >deck <<'END'
an amplifier with two poles and feedback
V1 in 0 AC 1
G1 0 p in m 1m
Rp p 0 10meg
Cp p 0 100p
E1 q 0 p 0 1
Ro q out 100
Co out 0 1n
R1 out m 9k
R2 m 0 1k
END
cat >cards <<'END'
.meas ac dc FIND vdb(out) AT=10
.meas ac f3 WHEN vdb(out)=17
.meas ac peak MAX vm(out)
.meas ac least MIN vm(out)
END
compare "feedback" ".ac dec 6 1 100meg" ".ac dec 2000 1 100meg"

cat >deck <<'END'
a line without a match
V1 in 0 AC 1
R1 in a 20
T1 a 0 b 0 z0=50 td=5n
R2 b 0 200
END
cat >cards <<'END'
.meas ac hi MAX vm(b) FROM=10meg TO=150meg
.meas ac lo MIN vm(b) FROM=10meg TO=80meg
.meas ac av AVG vm(b)
END
compare "line" ".ac lin 60 1meg 200meg" ".ac lin 20000 1meg 200meg"

# ---- dc ----

cat >deck <<'END'
a diode
V1 in 0 0
R1 in d 1k
D1 d 0 dm
.model dm d is=1e-14 n=1.1 rs=5
END
cat >cards <<'END'
.meas dc vth WHEN v(d)=0.6
.meas dc at FIND v(d) AT=1.234
.meas dc hi MAX v(d)
.meas dc av AVG v(d) FROM=0 TO=3
.meas dc i INTEG v(d) FROM=1 TO=2
.meas dc w TRIG v(d) VAL=0.5 RISE=1 TARG v(d) VAL=0.65 RISE=1
END
compare "diode" ".dc V1 0 3 0.25" ".dc V1 0 3 0.001"

cat >deck <<'END'
an inverter
Vdd vdd 0 3
V1 in 0 0
M1 out in 0 0 nm w=2u l=1u
M2 out in vdd vdd pm w=5u l=1u
.model nm nmos vto=0.6 kp=100u lambda=0.05
.model pm pmos vto=-0.6 kp=40u lambda=0.05
END
cat >cards <<'END'
.meas dc vm WHEN v(out)=v(in)
.meas dc half WHEN v(out)=1.5 FALL=1
.meas dc low FIND v(out) AT=2.1
.meas dc swing PP v(out)
END
compare "inverter" ".dc V1 0 3 0.05" ".dc V1 0 3 0.0005"

cat >deck <<'END'
a divider with a parabola
V1 a 0 0
R1 a b 1k
R2 b 0 3k
B1 c 0 V=v(b)*v(b)-2*v(b)
R3 c 0 1k
END
cat >cards <<'END'
.meas dc bottom MIN v(c)
.meas dc where MIN_AT v(c)
.meas dc second WHEN v(c)=-0.5 CROSS=2
.meas dc rms RMS v(c) FROM=0 TO=4
END
compare "parabola" ".dc V1 0 4 0.5" ".dc V1 0 4 0.0005"

cat >deck <<'END'
a transistor's output curve
Vc c 0 5
Ib 0 b 20u
Q1 c b 0 qn
.model qn npn is=1e-15 bf=120 vaf=50
END
cat >cards <<'END'
.meas dc ic FIND i(Vc) AT=3.3
.meas dc most MIN i(Vc)
.meas dc knee WHEN i(Vc)=-1m
END
compare "output curve" ".dc Vc 0 5 0.1" ".dc Vc 0 5 0.001"

cat >deck <<'END'
a bridge
V1 t 0 0
R1 t a 1k
R2 a 0 2k
R3 t b 2k
D1 b 0 dm
.model dm d is=1e-12
END
cat >cards <<'END'
.meas dc balance WHEN v(a)=v(b) CROSS=1
.meas dc d FIND v(a,b) AT=2
.meas dc hi MAX v(b)
END
sed 's/v(a,b)/v(a)/' cards >cards.k && mv cards.k cards
compare "bridge" ".dc V1 0.1 4 0.3" ".dc V1 0.1 4 0.0003"

cat >deck <<'END'
a temperature sweep
V1 a 0 5
R1 a d 10k
D1 d 0 dm
.model dm d is=1e-14
END
cat >cards <<'END'
.meas dc cold FIND v(d) AT=0
.meas dc t WHEN v(d)=0.6
END
compare "temperature" ".dc temp -40 120 20" ".dc temp -40 120 0.1"

# ---- tran: besides those of test_measure.sh ----

cat >deck <<'END'
a ringing step
V1 in 0 PULSE(0 1 1u 1n 1n 1 2)
R1 in a 20
L1 a out 100u
C1 out 0 1n
R2 out 0 100k
END
cat >cards <<'END'
.meas tran over MAX v(out)
.meas tran when MAX_AT v(out)
.meas tran under MIN v(out) FROM=3u TO=8u
.meas tran rise TRIG v(out) VAL=0.1 RISE=1 TARG v(out) VAL=0.9 RISE=1
.meas tran period TRIG v(out) VAL=1 RISE=1 TARG v(out) VAL=1 RISE=2
.meas tran q INTEG i(V1) FROM=1u TO=3u
END
compare "ringing" ".tran 10n 20u" ".tran 1n 20u 0 1n"

cat >deck <<'END'
a full-wave rectifier
V1 a b SIN(0 10 50)
D1 a p dm
D2 b p dm
D3 0 a dm
D4 0 b dm
R1 p 0 1k
C1 p 0 22u
Rb b 0 1meg
.model dm d is=1e-12 n=1.5 rs=0.5
END
cat >cards <<'END'
.meas tran mean AVG v(p) FROM=60m TO=100m
.meas tran ripple PP v(p) FROM=60m TO=100m
.meas tran eff RMS v(p) FROM=60m TO=100m
.meas tran first WHEN v(p)=5 RISE=1
END
compare "rectifier" ".tran 10u 100m" ".tran 2u 100m 0 2u"

cat >deck <<'END'
a clipper
V1 a 0 SIN(0 5 1k)
R1 a b 1k
D1 b p dm
D2 n b dm
Vp p 0 1
Vn n 0 -1.5
.model dm d is=1e-14
END
cat >cards <<'END'
.meas tran top MAX v(b)
.meas tran bottom MIN v(b)
.meas tran eff RMS v(b) FROM=1m TO=3m
.meas tran on TRIG v(b) VAL=1 RISE=1 TARG v(b) VAL=1 FALL=1
.meas tran at FIND i(V1) AT=0.25m
END
compare "clipper" ".tran 1u 4m" ".tran 0.5u 4m 0 0.5u"

cat >deck <<'END'
a chain of two inverters
Vdd vdd 0 3
V1 in 0 PULSE(0 3 1n 0.1n 0.1n 5n 20n)
M1 x in 0 0 nm w=2u l=1u
M2 x in vdd vdd pm w=5u l=1u
M3 out x 0 0 nm w=2u l=1u
M4 out x vdd vdd pm w=5u l=1u
C1 x 0 20f
C2 out 0 50f
.model nm nmos vto=0.6 kp=100u
.model pm pmos vto=-0.6 kp=40u
END
cat >cards <<'END'
.meas tran tphl TRIG v(in) VAL=1.5 RISE=1 TARG v(x) VAL=1.5 FALL=1
.meas tran tplh TRIG v(in) VAL=1.5 FALL=1 TARG v(x) VAL=1.5 RISE=1
.meas tran tp TRIG v(in) VAL=1.5 RISE=2 TARG v(out) VAL=1.5 RISE=2
.meas tran rise TRIG v(out) VAL=0.3 RISE=1 TARG v(out) VAL=2.7 RISE=1
END
compare "inverters" ".tran 10p 40n" ".tran 2p 40n 0 2p"

cat >deck <<'END'
a Colpitts-like tank that is struck
V1 a 0 PWL(0 0 1u 0 1.001u 1 1.2u 1 1.201u 0)
R1 a t 10k
L1 t 0 10u
C1 t m 2n
C2 m 0 1n
R2 m 0 50k
END
cat >cards <<'END'
.meas tran hi MAX v(t)
.meas tran hi_at MAX_AT v(t)
.meas tran p TRIG v(t) VAL=5m RISE=3 TARG v(t) VAL=5m RISE=5
.meas tran e INTEG v(m) FROM=2u TO=2.4u
END
compare "tank" ".tran 1n 6u" ".tran 1n 6u 0 1n"

cat >deck <<'END'
two stages with bipolar transistors, fed by a sine
Vcc cc 0 9
V1 in 0 SIN(0 0.02 20k)
C1 in b 1u
R1 cc b 82k
R2 b 0 18k
Q1 c b e qn
R3 cc c 3.3k
R4 e 0 820
Q2 cc c out qn
R5 out 0 1.5k
C2 out o2 100n
R6 o2 0 22k
.model qn npn (is=1e-15 bf=150 vaf=90 rb=60)
END
cat >cards <<'END'
.meas tran top MAX v(out) FROM=100u TO=300u
.meas tran low MIN v(out) FROM=100u TO=300u
.meas tran mean AVG v(out) FROM=100u TO=200u
.meas tran eff RMS v(o2) FROM=100u TO=200u
.meas tran t TRIG v(in) VAL=5m RISE=2 TARG v(o2) VAL=10m FALL=3
.meas tran here FIND v(c) AT=137u
END
compare "stages" ".tran 1u 300u" ".tran 20n 300u 0 20n"

finish
