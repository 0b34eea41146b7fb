#!/bin/sh
# BSIM3 transistors are those of ngspice's version 3.3.0: currents, charges, noise and a ring oscillator, of random cards
# at random sizes, biases and temperatures.
#
# Charges are compared by what ngspice's own charges (@m[qg] ..) change by around a bias: its small-signal capacitances
# leave out some of the bulk's slopes, by up to some per cent with capmod = 3.  Not compared: charges at vds = 0 and vbs = 0,
# where those of the model have a kink, and with capmod = 0 under a forward bulk, where ngspice's jump at the threshold; under
# a reverse one they jump by some 1e-5, vbs standing in one place and Vbseff in the other.
. "$(dirname "$0")/random_cards.sh"

cat >cards.awk <<'END'
# -v seed= -v count= -v excited=d|g|s|b: independent transistors with sources at every node, and what to print.  `side` is
# ngspice: charges at both sides of the bias; knoten: small signals.
function transistor(i,   acm, p, s, l, w, vd, vg, vb, vs, mod, j, n, row, a) {
    p = maybe(0.5); s = p ? -1 : 1; mod = int(rand() * 4)
    l = spread(0.18e-6, 5e-6); w = spread(0.3e-6, 50e-6)
    vd = between(-0.5, 3.5); vg = between(-1, 3.5); vs = maybe(0.5) ? 0 : between(0, 1)
    vb = seed % 2 && maybe(0.3) ? 0 : between(-3, 0.3); if (mod == 0 && vb > vd - vs) vb = vd - vs; if (mod == 0 && vb > 0) vb = 0
    if (mod == 0) vb -= 0.01
    source("d", i, s * vd); source("g", i, s * vg); source("s", i, s * vs); source("b", i, s * (vb + vs))
    printf "m%d d%d g%d s%d b%d mod%d l=%.9g w=%.9g", i, i, i, i, i, i, l, w
    if (maybe(0.7)) printf " ad=%.9g as=%.9g pd=%.9g ps=%.9g", w * 0.5e-6, w * 0.7e-6, spread(0.3, 3) * w, spread(0.3, 3) * w
    if (maybe(0.2)) printf " m=%d", 1 + int(rand() * 5)
    if (maybe(0.3)) printf " nrd=%.4g nrs=%.4g", between(0.1, 3), between(0.1, 3)
    if (maybe(0.2)) printf " delvto=%.4g mulu0=%.4g", between(-0.1, 0.1), between(0.8, 1.2)
    printf " geo=%d\n.model mod%d %smos level=%d version=3.3.0\n", int(rand() * 4), i, p ? "p" : "n", maybe(0.5) ? 8 : 49
    put("capmod", mod); put("mobmod", 1 + int(rand() * 3)); put("xpart", int(rand() * 3) / 2); put("tox", spread(2e-9, 2e-8))
    if (maybe(0.3)) put("toxm", spread(2e-9, 2e-8))
    if (maybe(0.5)) put("nch", spread(5e16, 2e18))
    if (maybe(0.3)) put("ngate", spread(2e18, 3e20))
    if (maybe(0.8)) put("vth0", s * between(0.2, 0.9)); else if (maybe(0.5)) put("vfb", between(-1.2, -0.5))
    if (maybe(0.8)) { put("k1", between(0.3, 0.9)); if (maybe(0.8)) put("k2", between(-0.1, 0.05)) }
    else {
        if (maybe(0.3)) put("gamma1", between(0.3, 0.8)); if (maybe(0.3)) put("gamma2", between(0.2, 0.6))
        if (maybe(0.3)) put("vbx", between(-3, -1)); if (maybe(0.3)) put("nsub", spread(1e15, 3e17))
    }
    n = split(ranges, row, ";"); acm = seed % 2 && maybe(0.5) # ngspice forgets acm for ijth, and for tcjswg
    for (j = 1; j <= n; j++) if (maybe(0.5) && !(acm && row[j] ~ /^ijth/)) { split(row[j], a, " "); put(a[1], between(a[2], a[3])) }
    if (maybe(0.2)) put("u0", between(0.02, 0.06)); else { put("u0", between(100, 600)); put("wu0", between(-10, 10)) }
    if (seed % 2 && maybe(0.5)) put("rsh", between(1, 20))
    if (acm) {
        put("ijth", 0); put("acm", int(rand() * 4)); put("hdif", between(2e-7, 6e-7)); put("ldif", between(0, 2e-7))
        put("rd", between(0, 1e-4)); put("rdc", between(0, 5)); put("rsc", between(0, 5)); put("wmlt", between(0.8, 1))
    } else put("tcjswg", between(-1e-3, 1e-3))
}
function charges(h,   i) {
    for (i = 1; i <= count; i++) printf "alter v%s%d = %.12g\n", excited, i, at[i] + h
    print "ac lin 1 1e8 1e8"
    each("print @m%d[qd]\nprint @m%d[qg]\nprint @m%d[qb]")
}
BEGIN {
    ranges = "k3 -20 80;k3b -5 5;w0 1e-6 5e-6;nlx 0 3e-7;dvt0 0 5;dvt1 0.2 1;dvt2 -0.3 0.1;dvt0w -1 3;dvt1w 1e6 6e6;" \
        "dvt2w -0.2 0.1;xj 5e-8 3e-7;voff -0.15 -0.03;nfactor 0.3 2;cit 0 5e-4;cdsc 0 5e-4;cdscb -1e-4 1e-4;cdscd 0 2e-4;" \
        "eta0 0 0.2;etab -0.15 0.05;dsub 0.2 1;ua -2e-9 4e-9;ub 1e-19 4e-18;vsat 5e4 2e5;a0 0.3 2;ags 0 1;b0 0 1e-6;" \
        "b1 0 1e-6;keta -0.1 0.05;a1 -0.1 0.1;a2 0.4 1;rdsw 0 800;prwg -0.1 0.2;prwb -0.2 0.2;wr 0.8 1.1;dwg -2e-8 1e-8;" \
        "dwb -1e-8 2e-8;delta 0.001 0.05;pclm 0.3 3;pdiblc1 0 1;pdiblc2 0 0.02;pdiblcb -0.2 0.2;drout 0.2 1;" \
        "pscbe1 1e8 8e8;pscbe2 1e-9 1e-4;pvag -0.5 3;alpha0 0 1e-6;alpha1 0 1;beta0 5 30;kt1 -0.3 0;kt1l -1e-8 1e-8;" \
        "kt2 -0.05 0.05;ute -2 -1;ua1 -1e-9 5e-9;ub1 -8e-18 1e-18;at 1e4 5e4;prt -50 50;cgsl 0 4e-10;cgdl 0 4e-10;" \
        "ckappa 0.3 1.5;clc 0 2e-7;cle 0.3 1;vfbcv -1.2 -0.6;acde 0.4 1.6;moin 5 25;noff 0.6 2;voffcv -0.1 0.1;" \
        "lint -1e-8 3e-8;wint -2e-8 5e-8;dlc 0 4e-8;dwc -1e-8 3e-8;ll -1e-15 1e-15;lw -1e-15 1e-15;lwl -1e-22 1e-22;" \
        "wl -1e-15 1e-15;ww -1e-15 1e-15;wwl -1e-22 1e-22;xl -2e-8 2e-8;xw -2e-8 2e-8;cgso 1e-11 5e-10;cgdo 1e-11 5e-10;" \
        "cgbo 0 1e-10;cj 1e-4 2e-3;mj 0.2 0.6;pb 0.5 1.1;cjsw 1e-11 6e-10;mjsw 0.1 0.6;pbsw 0.5 1.1;cjswg 1e-11 6e-10;" \
        "mjswg 0.1 0.6;pbswg 0.5 1.1;tcj -1e-3 1e-3;tpb -1e-3 2e-3;tcjsw -1e-3 1e-3;tpbsw -1e-3 2e-3;tpbswg -1e-3 2e-3;" \
        "js 1e-8 1e-3;jsw 0 1e-8;nj 0.9 1.3;xti 1 4;ijth 0 0.2;lvth0 -0.02 0.02;wvth0 -0.02 0.02;pvth0 -0.01 0.01;" \
        "lk1 -0.05 0.05;pua -1e-10 1e-10;lvsat -1e4 1e4;lnch -1e16 1e16;wa0 -0.1 0.1;pketa -0.01 0.01;" \
        "lpclm -0.1 0.1;wrdsw -20 20;weta0 -0.01 0.01;lcf -1e-12 1e-12;tnom 20 30"
    srand(seed)
    printf "random transistors %d\n.temp %d\n.options reltol=1e-9 abstol=1e-18 vntol=1e-12 gmin=1e-20\n", seed, between(-40, 125)
    for (i = 1; i <= count; i++) transistor(i)
    print ".control\nset numdgt=14\nop"
    each("print i(vd%d)\nprint i(vg%d)\nprint i(vs%d)\nprint i(vb%d)")
    if (side == "ngspice") { charges(-2e-5); charges(2e-5) }
    else { print "ac lin 1 1e8 1e8"; each("print i(vd%d)\nprint i(vg%d)\nprint i(vb%d)") }
    print ".endc\n.end"
}
END

mosfets '1 2 3 4 5 6 8 10 12 14 16 18' 12 1e-14 '/^.model/ { sign = $3 == "pmos" ? -1 : 1 } /capmod=/ { for (i = 0; i < 3; i++) print sign, /=0/ ? 5e-5 : 1e-5 }'

# ---- noise ----

card='tox=5n vth0=0.5 u0=400 k1=0.5 k2=-0.01 nch=3e17 rdsw=300 kf=2e-26 af=1.1 ef=0.9 rsh=5 noia=8e19 noib=4e4 noic=1e-13'
for model in 1 2 3 4 5 6; do
    for gate in 0.6 0.9 1.8; do
        noise_of_mosfet "noimod=$model" $gate 2.5 'l=0.5u w=10u m=2' "level=8 version=3.3.0 $card noimod=$model"
    done
done

# ---- a ring of inverters ----

ring 2.5 2e-3 0.5p 2n 0.5n 1.5n 'b a 0 0 mn l=0.25u w=1u ad=0.5p as=0.5p pd=3u ps=3u' 'b a p p mp l=0.25u w=3u ad=1.5p as=1.5p pd=7u ps=7u' <<'END'
.model mn nmos(level=8 version=3.3.0 tox=5n vth0=0.45 u0=420 k1=0.5 nch=3e17 rdsw=300 cgso=2e-10 cgdo=2e-10 cj=1e-3
+ cjsw=2e-10 js=1e-6)
.model mp pmos(level=8 version=3.3.0 tox=5n vth0=-0.5 u0=100 k1=0.5 nch=3e17 rdsw=500 cgso=2e-10 cgdo=2e-10 cj=1e-3
+ cjsw=2e-10 js=1e-6)
END

finish
