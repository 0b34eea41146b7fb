#!/bin/sh
# BSIM4 transistors are those of ngspice's version 4.8: currents, charges, noise and a ring oscillator, of random cards at
# random sizes, biases and temperatures.
#
# Charges are compared by what ngspice's own charges (@m[qg] ..) change by around a bias, as in test_bsim3_ngspice.sh.  Not
# compared: stress on the mobility, which ngspice forgets for mulu0, rgeomod above 1, and charges
# under a forward bulk with capmod = 0.  With that
# ngspice's charges jump at the threshold because they have vbs on one side and Vbseff on the other; here Vbseff is on both,
# which is up to 3e-3 off below the threshold (compared at gate and drain).
. "$(dirname "$0")/random_cards.sh"

cat >cards.awk <<'END'
# -v seed= -v count= -v excited=d|g|s|b: independent transistors with sources at every node, and what to print.  `side` is
# ngspice: charges at both sides of the bias; knoten: small signals.  Odd seeds have resistances around the transistor.
function transistor(i,   p, s, l, w, vd, vg, vb, vs, mod, j, n, row, a, shell, nf, material, warm, mobility) {
    p = maybe(0.5); s = p ? -1 : 1; mod = int(rand() * 3); shell = seed % 2; material = maybe(0.25)
    l = spread(0.05e-6, 3e-6); nf = maybe(0.4) ? 1 + int(rand() * 5) : 1; w = nf * spread(0.2e-6, 20e-6)
    vd = between(-0.5, 2.5); vg = between(-1, 2.5); vs = maybe(0.5) ? 0 : between(0, 1)
    vb = between(-2, 0.3); if (mod == 0 && vb > vd - vs) vb = vd - vs; if (mod == 0 && vb > 0) vb = 0
    if (mod == 0) vb -= 0.01
    turned[i] = vd < vs; source("d", i, s * vd); source("g", i, s * vg); source("s", i, s * vs); source("b", i, s * (vb + vs))
    printf "m%d d%d g%d s%d b%d mod%d l=%.9g w=%.9g nf=%d", i, i, i, i, i, i, l, w, nf
    if (maybe(0.6)) printf " ad=%.9g as=%.9g pd=%.9g ps=%.9g", w * 0.5e-6, w * 0.7e-6, spread(1, 3) * w, spread(1, 3) * w
    if (maybe(0.2)) printf " m=%d", 1 + int(rand() * 5)
    if (maybe(0.3)) printf " nrd=%.4g nrs=%.4g", between(0.1, 3), between(0.1, 3)
    if (maybe(0.2)) printf " delvto=%.4g mulu0=%.4g", between(-0.1, 0.1), between(0.8, 1.2)
    if (maybe(0.3)) printf " sa=%.4g sb=%.4g sd=%.4g", between(1e-7, 2e-6), between(1e-7, 2e-6), between(1e-7, 1e-6)
    if (maybe(0.3)) printf " sc=%.4g", between(2e-7, 3e-6)
    printf " geomod=%d rgeomod=%d min=%d\n", int(rand() * 9), shell ? int(rand() * 2) : 0, int(rand() * 2)
    printf ".model mod%d %smos level=%d version=4.8.2\n", i, p ? "p" : "n", maybe(0.5) ? 14 : 54
    put("capmod", mod); put("mobmod", mobility = int(rand() * 7)); if (maybe(0.4)) put("ud", between(0, mobility == 3 ? 0.5 : 1e17)); put("xpart", int(rand() * 3) / 2); put("cvchargemod", int(rand() * 2))
    put("igcmod", int(rand() * 3)); put("igbmod", int(rand() * 2)); put("diomod", int(rand() * 3)); put("tempmod", warm = int(rand() * 4))
    put("at", warm ? between(-1e-3, 1e-3) : between(1e4, 5e4)); put("prt", warm ? between(-1e-3, 1e-3) : between(-20, 20))
    if (maybe(0.5)) { put("ua1", between(-1e-3, 1e-3) * (warm ? 1 : 1e-7)); put("ub1", between(-1e-3, 1e-3) * (warm ? 1 : 1e-15)) }
    put("gidlmod", int(rand() * 2)); put("permod", int(rand() * 2)); put("wpemod", int(rand() * 2))
    if (shell) { put("rdsmod", int(rand() * 2)); put("rgatemod", int(rand() * 3)); put("rbodymod", int(rand() * 3)); put("rsh", between(1, 20)) }
    if (material) { put("mtrlmod", 1); put("mtrlcompatmod", int(rand() * 2)); put("eot", spread(1e-9, 3e-9)); put("epsrsub", between(10, 13)); put("phig", between(4, 4.3)) }
    else if (maybe(0.7)) put("toxe", spread(1.2e-9, 6e-9))
    if (maybe(0.3)) put("toxp", spread(1e-9, 4e-9))
    if (maybe(0.3)) put("toxm", spread(1e-9, 4e-9))
    if (maybe(0.5)) put("ndep", spread(1e17, 5e18))
    if (maybe(0.5)) put("ngate", spread(1e19, 5e20))
    if (maybe(0.8)) put("vth0", s * between(0.2, 0.7)); else if (maybe(0.5)) put("vfb", between(-1.2, -0.5))
    if (maybe(0.8)) { put("k1", between(0.2, 0.6)); if (maybe(0.8)) put("k2", between(-0.1, 0.05)) }
    else {
        if (maybe(0.3)) put("gamma1", between(0.3, 0.8)); if (maybe(0.3)) put("gamma2", between(0.2, 0.6))
        if (maybe(0.3)) put("vbx", between(-3, -1)); if (maybe(0.3)) put("nsub", spread(1e15, 3e17))
    }
    if (!shell) { # ngspice's charges are those of the channel alone
        for (j = split("cgso cgdo cgbo cf cgsl cgdl cjs cjd cjsws cjswd cjswgs cjswgd", row, " "); j; j--) put(row[j], 0)
    }
    n = split(ranges, row, ";")
    for (j = 1; j <= n; j++) if (maybe(0.4) && (shell || row[j] !~ /^c(gso|gdo|gbo|f|gsl|gdl|js|jd|jsws|jswgs) /)) { split(row[j], a, " "); put(a[1], between(a[2], a[3])) }
}
function charges(h,   i) {
    for (i = 1; i <= count; i++) printf "alter v%s%d = %.12g\n", excited, i, at[i] + h
    print "ac lin 1 1e8 1e8"
    # ngspice calls the end that acts as drain so
    for (i = 1; i <= count; i++) printf "print @m%d[q%s]\nprint @m%d[qg]\nprint @m%d[qb]\n", i, turned[i] ? "s" : "d", i, i
}
BEGIN {
    ranges = "k3 -5 5;k3b -1 1;w0 1e-6 5e-6;lpe0 0 1e-7;lpeb -2e-8 1e-7;dvtp0 0 1e-6;dvtp1 0 0.3;dvtp2 -1e-6 1e-6;dvtp3 0 0.5;" \
        "dvtp4 0 1;dvtp5 0 0.03;dvt0 0 4;dvt1 0.2 1;dvt2 -0.3 0.1;dvt0w -1 3;dvt1w 1e6 6e6;dvt2w -0.2 0.1;phin 0 0.1;" \
        "nsd 5e19 3e20;xj 2e-8 2e-7;voff -0.15 -0.03;voffl -1e-9 1e-9;tvoff -1e-3 1e-3;minv -0.5 0.5;minvcv -0.5 0.5;nfactor 0.5 2;" \
        "tnfactor -0.2 0.2;cit 0 5e-4;cdsc 0 5e-4;cdscb -1e-4 1e-4;cdscd 0 2e-4;eta0 0 0.2;teta0 -0.05 0.05;etab -0.15 0.05;" \
        "dsub 0.2 1;u0 0.01 0.06;ua -5e-10 2e-9;ub 1e-19 2e-18;ucs 0.5 2;up 0 0.5;lp 5e-9 5e-8;eu 0.5 2;ute -2 -1;" \
        "ucste -0.01 0.01;vsat 5e4 2e5;lambda 0 1e-10;vtl 5e4 3e5;xn 2 4;a0 0.3 2;ags 0 1;b0 0 1e-7;b1 0 1e-7;keta -0.1 0.05;" \
        "a1 -0.1 0.1;a2 0.4 1;rdsw 0 300;rdw 0 200;rsw 0 200;rdswmin 0 50;rdwmin 0 30;rswmin 0 30;prwg 0 1;prwb -0.2 0.2;" \
        "wr 0.8 1.1;dwg -2e-8 1e-8;dwb -1e-8 2e-8;delta 0.001 0.05;pclm 0.1 2;pdiblc1 0 1;pdiblc2 0 0.02;pdiblcb -0.2 0.2;" \
        "drout 0.2 1;pscbe1 1e8 8e8;pscbe2 1e-9 1e-7;pvag -0.5 3;fprout 0 300;pdits 0 0.5;pditsd 0 1;pditsl 0 1e6;alpha0 0 1e-6;" \
        "alpha1 0 1;beta0 5 30;kt1 -0.3 0;kt1l -1e-8 1e-8;kt2 -0.05 0.05;agidl 0 1e-8;bgidl 5e8 2e9;cgidl 0.1 1;egidl 0.1 0.8;" \
        "rgidl 0.5 1.5;kgidl 0 0.3;fgidl -0.2 0.3;agisl 0 1e-8;bgisl 5e8 2e9;egisl 0.1 0.8;aigc 0.008 0.014;bigc 5e-4 2e-3;" \
        "cigc 0.03 0.1;aigsd 0.008 0.014;bigsd 5e-4 2e-3;cigsd 0.03 0.1;aigbacc 0.008 0.014;bigbacc 5e-4 2e-3;cigbacc 0.03 0.1;" \
        "aigbinv 0.008 0.014;nigc 0.8 1.5;nigbacc 0.8 1.5;nigbinv 2 4;ntox 0.8 1.2;eigbinv 0.5 1.2;pigcd 0.5 2;poxedge 0.9 1.1;" \
        "dlcig 0 2e-8;dlcigd 0 2e-8;vfbsdoff -0.1 0.1;xrcrg1 1 20;xrcrg2 0.5 2;xgw 0 1e-6;xgl -1e-8 1e-8;rshg 0.1 20;cgsl 0 2e-10;cgdl 0 2e-10;" \
        "ckappas 0.3 1.5;ckappad 0.3 1.5;cf 0 1e-10;clc 0 2e-7;cle 0.3 1;vfbcv -1.2 -0.6;acde 0.4 1.2;moin 5 25;noff 0.6 2;voffcv -0.1 0.1;" \
        "kvth0we -0.001 0.001;k2we -0.001 0.001;web -1 1;wec -1 1;kvth0 -1e-8 1e-8;lkvth0 -1e-8 1e-8;stk2 -1e-9 1e-9;" \
        "steta0 -1e-9 1e-9;lint -5e-9 5e-9;wint -5e-9 2e-8;dlc 0 5e-9;dwc -5e-9 1e-8;dwj -5e-9 1e-8;ll -1e-16 1e-16;lw -1e-16 1e-16;" \
        "wl -1e-16 1e-16;ww -1e-16 1e-16;xl -5e-9 5e-9;xw -5e-9 5e-9;cgso 1e-11 3e-10;cgdo 1e-11 3e-10;cgbo 0 1e-10;dmcg 5e-8 2e-7;" \
        "dmci 5e-8 2e-7;dmdg 3e-8 1e-7;dmcgt 0 2e-8;cjs 1e-4 2e-3;cjd 1e-4 2e-3;mjs 0.2 0.6;pbs 0.5 1.1;cjsws 1e-11 6e-10;" \
        "mjsws 0.1 0.6;pbsws 0.5 1.1;cjswgs 1e-11 6e-10;mjswgs 0.1 0.6;pbswgs 0.5 1.1;tcj -1e-3 1e-3;tpb -1e-3 2e-3;tcjsw -1e-3 1e-3;" \
        "tpbsw -1e-3 2e-3;tcjswg -1e-3 1e-3;tpbswg -1e-3 2e-3;jss 1e-8 1e-3;jsd 1e-8 1e-3;jsws 0 1e-8;jswgs 0 1e-8;njs 0.9 1.3;" \
        "xtis 1 4;ijthsfwd 1e-4 0.2;ijthdfwd 1e-4 0.2;ijthsrev 1e-3 0.2;bvs 1.5 10;bvd 1.5 10;xjbvs 0.5 2;jtss 0 1e-3;jtssws 0 1e-9;" \
        "jtsswgs 0 1e-9;njts 10 25;xtss 0.01 0.1;tnjts -0.1 0.1;vtss 1 10;jtweff 0 1e-7;lvth0 -0.02 0.02;wvth0 -0.02 0.02;pvth0 -0.01 0.01;" \
        "lk1 -0.02 0.02;pua -1e-11 1e-11;lvsat -500 500;wa0 -0.05 0.05;pketa -0.002 0.002;lpclm -0.01 0.01;lagidl -1e-10 1e-10;tnom 20 30"
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

mosfets '2 3 4 5 6 7 8 9 10 12' 12 2e-12 '/^.model/ { sign = $3 == "pmos" ? -1 : 1 }
    /capmod=/ { for (i = 0; i < 3; i++) print sign, /=2/ || /=1/ ? 1e-5 : bulk ? 1e9 : 3e-3 }'

# ---- noise ----

card='toxe=2n vth0=0.4 u0=0.04 k1=0.4 ndep=2e18 rdsw=150 kf=2e-26 af=1.1 ef=0.9 rsh=5 noia=2e41 noib=1e26 igcmod=1 igbmod=1'
for model in 'fnoimod=0' 'fnoimod=1' 'tnoimod=1 rdsmod=1' 'tnoimod=2' 'fnoimod=0 rgatemod=1 rbodymod=1'; do
    for gate in 0.5 0.8 1.5; do
        noise_of_mosfet "$model" $gate 1.8 'l=0.2u w=10u nf=2 m=2 nrd=1 nrs=2' "level=14 version=4.8.2 $card $model"
    done
done

# ---- a ring of inverters ----

ring 1.2 2e-3 0.2p 0.6n 0.2n 0.5n 'b a 0 0 mn l=0.1u w=1u ad=0.2p as=0.2p pd=2u ps=2u' 'b a p p mp l=0.1u w=3u ad=0.6p as=0.6p pd=4u ps=4u' <<'END'
.model mn nmos(level=54 version=4.8.2 toxe=2n toxp=1.4n vth0=0.35 u0=0.05 k1=0.4 k2=0.01 k3=0 ndep=1.9e18 rdsw=150 xj=3e-8
+ dvt0=1 dvt1=2 eta0=0.006 nfactor=1.8 vsat=1.1e5 pclm=0.05 pdiblc1=0.001 pdiblc2=0.001 prwg=0 lpe0=0 cgso=1e-10
+ cgdo=1e-10 cjs=1e-3 cjsws=1e-10 jss=1e-6 igcmod=1 pigcd=1 rgatemod=1)
.model mp pmos(level=54 version=4.8.2 toxe=2n toxp=1.4n vth0=-0.35 u0=0.012 k1=0.4 k2=-0.01 k3=0 ndep=1.5e18 rdsw=200 xj=3e-8
+ dvt0=1 dvt1=2 eta0=0.006 nfactor=2 vsat=7e4 pclm=0.1 pdiblc1=0.001 pdiblc2=0.001 prwg=0 lpe0=0 cgso=1e-10
+ cgdo=1e-10 cjs=1e-3 cjsws=1e-10 jss=1e-6 igcmod=1 pigcd=1 rbodymod=1)
END

finish
