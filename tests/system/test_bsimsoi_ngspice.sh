#!/bin/sh
# Transistors on insulator are those of ngspice's level 10: currents of random cards at random sizes, biases and temperatures,
# with a contact of the body, partially or fully depleted; and a ring oscillator with bodies tied.
#
# Not compared: the depletion of the gate and bodies that are far forward, which ngspice's version 4 has otherwise, and small
# signals, whose derivatives are not exact there.
. "$(dirname "$0")/random_cards.sh"

cat >cards.awk <<'END'
# -v seed= -v count=: independent transistors with sources at every node, and what to print.
function transistor(i,   p, s, l, w, vd, vs, j, n, row, a) {
    p = maybe(0.5); s = p ? -1 : 1; l = spread(0.1e-6, 3e-6); w = spread(0.3e-6, 20e-6); vs = maybe(0.5) ? 0 : between(0, 1)
    vd = between(-0.5, 2); source("d", i, s * vd); source("g", i, s * between(-0.5, 2)); source("s", i, s * vs)
    source("e", i, s * between(-2, 2)); source("p", i, s * ((vd < vs ? vd : vs) + between(-1, 0.25)))
    printf "m%d d%d g%d s%d e%d p%d mod%d l=%.9g w=%.9g", i, i, i, i, i, i, i, l, w
    if (maybe(0.6)) printf " ad=%.9g as=%.9g pd=%.9g ps=%.9g", w * 0.5e-6, w * 0.7e-6, spread(1, 3) * w, spread(1, 3) * w
    if (maybe(0.2)) printf " m=%d", 1 + int(rand() * 5)
    if (maybe(0.3)) printf " nrd=%.4g nrs=%.4g", between(0.1, 3), between(0.1, 3)
    if (maybe(0.2)) printf " nseg=%d", 1 + int(rand() * 3)
    if (maybe(0.2)) printf " pdbcp=%.4g psbcp=%.4g", between(0, 1e-7), between(0, 1e-7)
    printf "\n.model mod%d %smos level=10\n", i, p ? "p" : "n"
    put("capmod", 2 + int(rand() * 2)); put("mobmod", 1 + int(rand() * 3)); put("xpart", int(rand() * 3) / 2)
    put("soimod", int(rand() * 2)); put("rbody", maybe(0.5) ? 0 : spread(1, 1e4))
    if (maybe(0.3)) put("rsh", between(1, 20))
    put("vth0", s * between(0.2, 0.7)); put("tox", spread(2e-9, 8e-9)); put("nch", spread(1e17, 1e18)); put("tsi", spread(3e-8, 2e-7))
    put("tbox", spread(1e-7, 4e-7)); put("nsub", spread(1e15, 3e17)); put("k1", between(0.2, 0.6)); put("k2", between(-0.1, 0.05))
    n = split(ranges, row, ";")
    for (j = 1; j <= n; j++) if (row[j] != "" && maybe(0.4)) { split(row[j], a, " "); put(a[1], between(a[2], a[3])) }
}
BEGIN {
    ranges = "k1w1 0 1e-7;k1w2 0 1e-7;k3 -5 5;k3b -1 1;kb1 0.5 1.5;w0 1e-6 5e-6;nlx 0 2e-7;dvt0 0 4;dvt1 0.2 1;dvt2 -0.3 0.1;dvt0w -1 3;" \
        "dvt1w 1e6 6e6;dvt2w -0.2 0.1;xj 3e-8 2e-7;voff -0.15 -0.03;nfactor 0.5 2;cit 0 5e-4;cdsc 0 5e-4;cdscb -1e-4 1e-4;cdscd 0 2e-4;" \
        "eta0 0 0.2;etab -0.15 0.05;dsub 0.2 1;u0 0.02 0.08;ua -5e-10 3e-9;ub 1e-19 2e-18;ua1 -1e-9 5e-9;ub1 -8e-18 1e-18;ute -2 -1;" \
        "vsat 5e4 2e5;at 1e4 5e4;a0 0.3 2;ags 0 1;b0 0 1e-7;b1 0 1e-7;keta -0.6 0.05;ketas 0 0.3;a1 -0.1 0.1;a2 0.4 1;rdsw 0 300;" \
        "prwg 0 0.3;prwb -0.2 0.2;prt -20 20;wr 0.8 1.1;dwg -2e-8 1e-8;dwb -1e-8 2e-8;delta 0.001 0.05;pclm 0.3 2;pdiblc1 0 1;" \
        "pdiblc2 0 0.02;pdiblcb -0.2 0.2;drout 0.2 1;pvag -0.5 3;kt1 -0.3 0;kt1l -1e-8 1e-8;kt2 -0.05 0.05;alpha0 0 1e-3;beta0 0 0.1;" \
        "beta1 0 0.1;beta2 0.05 0.2;fbjtii 0 0.5;vdsatii0 0.6 1;tii -0.2 0.2;lii 0 1e-7;esatii 5e6 2e7;sii0 0.3 0.7;sii1 0 0.3;sii2 0 0.2;" \
        "siid 0 0.3;tt 1e-12 1e-10;cjswg 1e-11 1e-9;mjswg 0.2 0.6;pbswg 0.5 1;ln 1e-6 4e-6;lint -5e-9 1e-8;wint -5e-9 2e-8;dlc 0 1e-8;" \
        "dwc -5e-9 1e-8;dlcb 0 1e-8;dlbg 0 1e-8;cgso 0 3e-10;cgdo 0 3e-10;cgeo 0 1e-10;cgsl 0 2e-10;cgdl 0 2e-10;ckappa 0.3 1.5;" \
        "clc 0 2e-8;cle 0.3 1;acde 0.4 1.2;moin 5 25;noff 0.8 1.2;fbody 0.7 1;csdesw 0 1e-10;asd 0.2 0.6;lvth0 -0.02 0.02;wvth0 -0.02 0.02;" \
        "lk1 -0.02 0.02;lvsat -500 500;wa0 -0.05 0.05;tcjswg -1e-3 1e-3;tpbswg -1e-3 1e-3;tnom 20 30"
    srand(seed)
    printf "random transistors %d\n.temp %d\n.options reltol=1e-9 abstol=1e-21 vntol=1e-12 gmin=1e-15\n", seed, between(-40, 125)
    for (i = 1; i <= count; i++) transistor(i)
    print ".control\nset numdgt=14\nop"
    each("print i(vd%d)\nprint i(vg%d)\nprint i(vs%d)\nprint i(vp%d)")
    print ".endc\n.end"
}
END

count=8
for seed in 1 2 5 6 7 8; do # with others ngspice does not come to an end
    cards -v seed="$seed" -v count="$count" >soi.cir
    both soi.cir
    paste -d' ' n.txt k.txt | awk -v floor=1e-15 -v rows=$((4 * count)) -f currents.awk >off || # what gmin carries
        { fail "currents, seed $seed"; cat off k.err; }
done

# ---- a ring of inverters ----

ring 1.5 5e-3 0.5p 2n 1n 1.5n 'b a 0 0 0 mn l=0.2u w=1u ad=0.2p as=0.2p pd=2u ps=2u' 'b a p 0 p mp l=0.2u w=3u ad=0.6p as=0.6p pd=4u ps=4u' <<'END'
.model mn nmos(level=10 tox=4n vth0=0.4 u0=0.04 k1=0.4 k2=0.01 nch=5e17 rdsw=150 tsi=80n tbox=150n cgso=1e-10 cgdo=1e-10 isrec=1e-3)
.model mp pmos(level=10 tox=4n vth0=-0.4 u0=0.012 k1=0.4 k2=-0.01 nch=5e17 rdsw=200 tsi=80n tbox=150n cgso=1e-10 cgdo=1e-10 isrec=1e-3)
END

finish
