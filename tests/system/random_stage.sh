# random_stage.sh - random circuits whose phasors and noise are the same in ngspice; sourced, not run.

# random_stage SEED: a ladder from V1 to ground with diodes, transistors, capacitors and coils on it, in $scratch/deck.
random_stage()
{
    awk -v seed="$1" '
        function pick(n) { return int(n * rand()) }
        function value(low, high) { return sprintf("%.4g", low * exp(log(high / low) * rand())) }
        BEGIN {
            srand(seed); n = 3 + pick(4)
            printf "random stage %d\nV1 n0 0 DC %s AC 1 %d\nV9 s 0 3\nRS s n1 %s\n", seed, value(0.5, 4), pick(360), value(1e3, 1e4)
            for (i = 0; i < n; i++) print "R" i, "n" i, "n" i + 1, value(100, 5e3)
            print "RL n" n, 0, value(500, 5e3)
            for (i = 1; i <= n; i++) {
                k = pick(6); other = "n" pick(n + 1)
                if (k == 0) print "D" i, "n" i, 0, "d1"
                if (k == 1) print "Q" i, "n" i, other, 0, "qn"
                if (k == 2) print "M" i, "n" i, other, 0, 0, "mn w=20u l=2u"
                if (k == 3) printf "Q%d n%d b%d s qp\nRB%d b%d 0 %s\n", i, i, i, i, i, value(1e4, 1e6)
                if (k == 4) printf "L%d n%d l%d %s\nRL%d l%d 0 %s\n", i, i, i, value(1e-6, 1e-2), i, i, value(1e3, 1e5)
                if (k == 5) printf "B%d n%d 0 I=1m*tanh(v(n%d)*(1+v(n%d)^2))+0.1m*tanh(v(%s))\n", i, i, i, i, other
                print "C" i, "n" i, (rand() < 0.5 ? 0 : "n" i - 1), value(1e-12, 1e-8)
            }
            print ".model d1 d is=1e-14 n=1.2 rs=2 cjo=3p tt=4n kf=1e-15 af=1.1\n.model qn npn is=1e-15 bf=80 vaf=60 rb=50 cje=2p cjc=1p tf=0.3n kf=1e-14"
            print ".model qp pnp is=1e-15 bf=60 vaf=50 rc=20 cje=2p cjc=1p tf=1n kf=1e-15 af=1.2"
            print ".model mn nmos vto=0.7 kp=2e-4 lambda=0.02 gamma=0.4 phi=0.6 is=1e-18 cgso=200p cgdo=200p kf=1e-25"
        }' >"$scratch/deck"
}
