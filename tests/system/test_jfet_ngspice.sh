#!/bin/sh
# JFETs of level 2 (Parker and Skellern) are those of ngspice: currents of random cards at random biases, drain and source changing
# places, breakdown of the gate and any temperature among them.  Junctions conduct by 1.1 V at most: further up 1e-7 of kT/q is 1e-5 of
# a current.  Rounding of 8 V behind 1 ohm is some 1e-15 A.
. "$(dirname "$0")/random_cards.sh"

cat >cards.awk <<'EOF'
# -v seed= -v count=: independent transistors with sources at every node, and what to print.
function transistor(i,   j, n, row, s, vto) {
    s = maybe(0.4) ? -1 : 1
    vto = between(-3, -0.5)
    printf "vg%d g%d 0 DC %.9g\nvd%d d%d 0 DC %.9g\nvs%d s%d 0 DC 0\n", i, i, s * between(vto - 0.3, 0.5), i, i, s * between(-0.6, 8), i, i
    printf "j%d d%d g%d s%d mod%d area=%.4g\n", i, i, i, i, i, between(0.5, 3)
    printf ".model mod%d %s level=2 vto=%.9g\n", i, s < 0 ? "pjf" : "njf", vto
    n = split(ranges, row, ";")
    for (j = 1; j <= n; j++) draw(row[j])
}
BEGIN {
    ranges = "beta 1e-4 1e-2;vbi 0.6 1.1;p 1.6 3 0.6;q 1.5 2.5 0.6;z 0.1 1.5 0.6;xi 1 50 0.6;mxi 0 0.3 0.5;vst 0.02 0.2 0.5;mvst 0 0.1 0.5;" \
        "lfgam 0 0.08 0.6;lfg1 0 0.02 0.4;lfg2 0 0.02 0.4;delta 0 1 0.5;lambda 0 0.05 0.6;is 1e-16 1e-12;n 1 1.6 0.5;ibd 1e-13 1e-9 0.4;" \
        "vbd 0.5 3 0.4;rd 1 50 0.5;rs 1 50 0.5"
    srand(seed)
    printf "random transistors %d\n.options reltol=1e-9 abstol=1e-18 vntol=1e-12 gmin=1e-18 temp=%.4g tnom=27\n", seed, between(10, 80)
    for (i = 1; i <= count; i++) transistor(i)
    print ".control\nset numdgt=12\nop"
    each("print i(vd%d)\nprint i(vg%d)\nprint i(vs%d)")
    print ".endc\n.end"
}
EOF

count=8
for seed in 1 2 3 4 5 6 7 8; do
    cards -v seed="$seed" -v count="$count" >j.cir
    both j.cir
    paste -d' ' n.txt k.txt |
        awk -v count="$count" -v floor=1e-14 -v still=1 -v rows=$((3 * count)) -f groups.awk >off ||
        { fail "seed $seed"; head -5 off; cat k.err; }
done
finish
