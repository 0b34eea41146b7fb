#!/bin/sh
# m= of subcircuits is as many of them in parallel: random decks, nested, in .op, .ac, .noise and .tran.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1

# deck SEED COPIES: the deck of a seed, its instances with m= or, COPIES 1, written out.
deck()
{
    awk -v seed="$1" -v copies="$2" '
        function some(low, high) { return low + (high - low) * rand() }
        function pick(n) { return 1 + int(n * rand()) }
        function instance(name, nodes, body, m,    i) {
            if (!copies)
                print name " " nodes " " body " m=" m
            for (i = 1; copies && i <= m; i++)
                print name "_" i " " nodes " " body
        }
        function element(n,    kind) {
            kind = pick(12)
            if (kind == 1) print "R" n " a b " some(500, 5000)
            if (kind == 2) print "C" n " a b " some(1, 20) "n"
            if (kind == 3) print "R" n " a x" n " " some(500, 2000) "\nL" n " x" n " b " some(1, 10) "m"
            if (kind == 4) print "R" n " a x" n " " some(500, 2000) "\nD" n " x" n " b dm area=" some(1, 3)
            if (kind == 5) print "R" n " a x" n " 100k\nQ" n " a x" n " b qm"
            if (kind == 6) print "R" n " a x" n " 1k\nM" n " x" n " a b b mm w=10u l=2u"
            if (kind == 7) print "R" n " a x" n " 1k\nJ" n " x" n " b b jm"
            if (kind == 8) print "I" n " b a " some(0, 1) "m"
            if (kind == 9) print "R" n " a x" n " 2k\nV" n " x" n " b 0\nF" n " a b V" n " " some(0, 1)
            if (kind == 10) print "R" n " a x" n " 2k\nV" n " x" n " b 0\nB" n " a b I=I(V" n ")*I(V" n ")*100"
            if (kind == 11) print "R" n " a x" n " 2k\nV" n " x" n " b 0\nH" n " y" n " b V" n " 500\nR" n "y y" n " a 3k"
            if (kind == 12) print "R" n " a x" n " 2k\nV" n " x" n " b 0\nW" n " a b V" n " wm"
        }
        BEGIN {
            srand(seed)
            print "random subcircuits of seed " seed
            print "V1 in 0 DC 2 AC 1 SIN(2 1 5k)\nR1 in out 1k\nR2 out 0 2k\nC1 out 0 2n"
            instance("X1", "out 0", "s1", 1 + pick(3))
            instance("X2", "in out", "s2", 1 + pick(2))
            for (s = 1; s <= 2; s++) {
                print ".subckt s" s " a b"
                for (n = 1; n <= 3; n++)
                    element(n)
                if (s == 1)
                    instance("X3", "a b", "s2", 1 + pick(2))
                print ".ends"
            }
            print ".model dm d(is=1e-14 cjo=10p tt=1n)\n.model qm npn(bf=50 cje=2p cjc=1p tf=1n)"
            print ".model mm nmos(vto=0.7 kp=100u tox=20n)\n.model jm njf(vto=-1 beta=1m cgs=2p)"
            print ".model wm iswitch(ion=2m ioff=0 ron=1k roff=10k)"
            print ".op\n.ac lin 3 2k 4k\n.noise v(out) V1 lin 3 2k 4k\n.tran 1u 0.4m"
            print ".measure ac mr find vr(out) at=3k\n.measure ac mi find vi(out) at=3k"
            print ".measure noise mn find onoise_spectrum at=3k"
            print ".measure tran mt find v(out) at=0.31m\n.measure tran ma avg i(v1)\n.end"
        }'
}

seed=1
while [ "$seed" -le 40 ]; do
    deck "$seed" 0 >m.cir
    deck "$seed" 1 >copies.cir
    timeout 60 "$KNOTEN" -q --reltol 1e-6 --measures m.json -o m.raw m.cir >m.out 2>&1 || { cat m.out; fail "seed $seed: exit status with m="; }
    timeout 60 "$KNOTEN" -q --reltol 1e-6 --measures copies.json -o copies.raw copies.cir >copies.out 2>&1 || fail "seed $seed: exit status with copies"
    awk -F'[:,}]' '
        /"value": [-0-9]/ { split($0, part, "\"value\": "); value = part[2] + 0; key = FNR
                    if (FILENAME == "m.json") { m[key] = value; count++ }
                    else { size = value < 0 ? -value : value; d = value - m[key]; d = d < 0 ? -d : d
                           if (d > 1e-4 * size + 1e-12) { print "    " $0 " against " m[key]; bad = 1 } seen++ } }
        END { exit bad || count != 5 || seen != 5 }' m.json copies.json || fail "seed $seed: m= differs from copies"
    seed=$((seed + 1))
done
finish
