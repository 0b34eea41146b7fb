# Decks of large circuits:  awk -v kind=KIND -v n=SIZE -f bench/large.awk
#
# inverters  a chain of n CMOS inverters through which one pulse runs
# lines      n CMOS inverters, each with a line without loss and clamping diodes behind it
# bsim4      a chain of n inverters of BSIM4 transistors of 45 nm, each with a network of resistances in its bulk
# ring       a ring of n (odd) CMOS inverters
# adder      a ripple-carry adder of n bits, each of nine NAND gates of four transistors; a carry runs through all bits
# ecl        a chain of n emitter-coupled inverters with emitter followers, three transistors each
# diodes     a line of n sections: resistance, then diode and capacitance to ground, driven by a sine
# rc, rlc    a line of n sections, driven by a pulse
# mesh       n x n nodes joined by resistances, a capacitance at each, driven by a pulse in one corner
# mixed      an RLC line of n sections, each of which drives an inverter, which drives a diode with a capacitance
# multiplier n x n bits: n^2 AND gates, n - 1 rows of adders that save their carries and one that passes them on; all
#            nodes begin at 0 and the bits of one factor rise together (16: 10,112 transistors)
# sram       n x n cells of six transistors with bit lines that are charged, written through and read
# bjt        a ring of n (odd) inverters of a bipolar transistor and two resistances
# follower   n operational amplifiers of the 741's kind (ua741.cir) as followers in a chain, behind a pulse
# lc         a line of n sections without loss, matched on both sides, driven by a pulse
# grid       n x n nodes as in mesh, fed in its corners, with n drivers that draw pulses of current, 100 fixed steps
# buck, boost, halfbridge, dickson
#            switching converters for n periods: an ideal switch and a diode, a MOS transistor and a diode, two legs of switches with
#            diodes whose comparators make the pulses from a sine, and a pump of five diodes
# flat       n elements, a line of resistances and capacitances, and its operating point

function mos_models()
{
    print ".model n1 nmos (level=1 vto=0.7 kp=110u gamma=0.4 lambda=0.04 phi=0.7 tox=14n cgso=0.3n cgdo=0.3n"
    print "+ cj=0.4m mj=0.5 cjsw=0.3n mjsw=0.33 pb=0.8)"
    print ".model p1 pmos (level=1 vto=-0.8 kp=40u gamma=0.5 lambda=0.05 phi=0.7 tox=14n cgso=0.3n cgdo=0.3n"
    print "+ cj=0.6m mj=0.5 cjsw=0.35n mjsw=0.33 pb=0.9)"
    print "vdd vdd 0 5"
}

# From n0 on.
function rc_line(sections,    i)
{
    for (i = 1; i <= sections; i++)
        printf "r%d n%d n%d 1\nc%d n%d 0 1p\n", i, i - 1, i, i, i
}

function bsim4_model(name, type, oxide, threshold, mobility, velocity)
{
    printf ".model %s %s (level=14 version=4.5 toxe=%s vth0=%s u0=%s vsat=%s\n", name, type, oxide, threshold, mobility, velocity
    print "+ rgatemod=1 rshg=0.4 rbodymod=1 gbmin=1p rbpb=5 rbpd=15 rbps=15 rbdb=15 rbsb=15"
    print "+ cgso=0.11n cgdo=0.11n jss=0.1m cjs=0.5m rdsw=155)"
}

function bsim4_inverter(i, input, output)
{
    printf "mn%d %s %s 0 0 n1 w=200n l=45n as=2e-14 ad=2e-14 ps=0.6u pd=0.6u\n", i, output, input
    printf "mp%d %s %s vdd vdd p1 w=400n l=45n as=4e-14 ad=4e-14 ps=1u pd=1u\nc%d %s 0 0.5f\n", i, output, input, i, output
}

function mos(name, drain, gate, source, type, width)
{
    printf "m%s %s %s %s %s %s w=%su l=1u ad=%sp as=%sp pd=%su ps=%su\n", name, drain, gate, source, \
        type == "p1" ? "vdd" : "0", type, width, 2 * width, 2 * width, width + 4, width + 4
}

function inverter(name, input, output)
{
    mos("p" name, output, input, "vdd", "p1", 20)
    mos("n" name, output, input, "0", "n1", 10)
}

function nand(name, a, b, output)
{
    mos("pa" name, output, a, "vdd", "p1", 20)
    mos("pb" name, output, b, "vdd", "p1", 20)
    mos("na" name, output, a, "m" name, "n1", 20)
    mos("nb" name, "m" name, b, "0", "n1", 20)
}

# Sum s<i> and carry c<i>.  Without a carry (0) the gate that would always be 1 is left out.
function full_adder(i, a, b, carry,   t)
{
    t = carry == "0" ? "vdd" : "t" i
    nand(i "p", a, b, "p" i)
    nand(i "q", a, "p" i, "q" i)
    nand(i "r", "p" i, b, "r" i)
    nand(i "x", "q" i, "r" i, "x" i)
    if (t != "vdd")
        nand(i "t", "x" i, carry, t)
    nand(i "u", "x" i, t, "u" i)
    nand(i "w", t, carry, "w" i)
    nand(i "s", "u" i, "w" i, "s" i)
    nand(i "c", t, "p" i, "c" i)
}

# Bit i of one factor times bit j of the other.
function and_gate(i, j)
{
    nand("g" i "_" j, "b" i, "a" j, "g" i "_" j)
    inverter("h" i "_" j, "g" i "_" j, "h" i "_" j)
}

# Row i of the array adds bit i of one factor times the other to the sums and carries of the row above; the last row
# passes carries on.
function multiplier(n,   i, j, above)
{
    for (j = 0; j < n; j++)
        printf "va%d a%d 0 pulse(0 5 1n 0.1n 0.1n 30n)\nvb%d b%d 0 5\n", j, j, j, j
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            and_gate(i, j)
    for (i = 1; i <= n; i++)
        for (j = 0; j < n - 1; j++) {
            above = i == 1 || j == n - 2 ? "h" i - 1 "_" j + 1 : "s" i - 1 "_" j + 1
            if (i < n)
                full_adder(i "_" j, "h" i "_" j, above, i == 1 ? "0" : "c" i - 1 "_" j)
            else
                full_adder(i "_" j, "c" i - 1 "_" j, above, j == 0 ? "0" : "c" i "_" j - 1)
        }
}

# Cell of row i, column j: two inverters in a ring and two transistors to the bit lines.
function cell(i, j,   name)
{
    name = i "_" j
    inverter("a" name, "q" name, "p" name)
    inverter("b" name, "p" name, "q" name)
    mos("x" name, "t" j, "w" i, "q" name, "n1", 6)
    mos("y" name, "f" j, "w" i, "p" name, "n1", 6)
    printf ".ic v(%s%s)=5 v(%s%s)=0\n", (i + j) % 2 ? "q" : "p", name, (i + j) % 2 ? "p" : "q", name
}

# Row 0 is written, charged again and read, and row 1 is read.
function sram(n,   i, j)
{
    print "vc charge 0 pulse(0 5 1n 0.2n 0.2n 3.6n 5n)\nvw write 0 pulse(0 5 1n 0.2n 0.2n 3.4n 100n)"
    print "vw0 w0 0 pulse(0 5 1.5n 0.2n 0.2n 2.6n 5n 2)\nvw1 w1 0 pulse(0 5 11.5n 0.2n 0.2n 2.6n 100n)"
    for (i = 2; i < n; i++)
        printf "vw%d w%d 0 0\n", i, i
    for (j = 0; j < n; j++) {
        mos("ct" j, "t" j, "charge", "vdd", "p1", 40)
        mos("cf" j, "f" j, "charge", "vdd", "p1", 40)
        mos("wt" j, j % 2 ? "t" j : "f" j, "write", "0", "n1", 60)
        printf "ct%d t%d 0 0.2p\ncf%d f%d 0 0.2p\n.ic v(t%d)=5 v(f%d)=5\n", j, j, j, j, j, j
        for (i = 0; i < n; i++)
            cell(i, j)
    }
}

function mesh(n,   i, j)
{
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            if (j + 1 < n)
                printf "rx%d_%d n%d_%d n%d_%d 10\n", i, j, i, j, i, j + 1
            if (i + 1 < n)
                printf "ry%d_%d n%d_%d n%d_%d 10\n", i, j, i, j, i + 1, j
            printf "c%d_%d n%d_%d 0 1p\n", i, j, i, j
        }
}

function emitter_coupled(i)
{
    printf "qa%d a%d v%d e%d q1\nqb%d b%d ref e%d q1\n", i, i, i - 1, i, i, i, i
    printf "ra%d 0 a%d 220\nrb%d 0 b%d 220\nre%d e%d vee 820\n", i, i, i, i, i, i
    printf "qf%d 0 a%d v%d q1\nrf%d v%d vee 2k\n", i, i, i, i, i
}

BEGIN {
    half = int((n + 1) / 2)
    print kind " " n
    if (kind == "inverters") {
        mos_models()
        print "vin v0 0 pulse(0 5 1n 0.2n 0.2n 4n)"
        for (i = 1; i <= n; i++)
            inverter(i, "v" i - 1, "v" i)
        printf ".tran 0.1n %gn\n.save v(v1) v(v%d) v(v%d)\n", 6 + 0.1 * n, half, n
    } else if (kind == "bsim4") {
        bsim4_model("n1", "nmos", "1.75n", 0.32, 0.035, "120k")
        bsim4_model("p1", "pmos", "1.85n", -0.30, 0.01, "100k")
        print "vdd vdd 0 1"
        print "vin v0 0 pulse(0 1 0.1n 20p 20p 1n)"
        for (i = 1; i <= n; i++)
            bsim4_inverter(i, "v" i - 1, "v" i)
        printf ".tran 10p %gn\n.save v(v1) v(v%d) v(v%d)\n", 1.5 + 0.015 * n, half, n
    } else if (kind == "lines") {
        mos_models()
        print ".model d1 d (is=1e-14 rs=5 cjo=0.3p tt=0.1n)"
        print "vin o0 0 pulse(0 5 1n 0.1n 0.1n 9n 20n)"
        print "r0 o0 n0 50"
        for (i = 1; i <= n; i++) {
            inverter(i, "n" (i - 1), "o" i)
            printf "t%d o%d 0 n%d 0 z0=50 td=%gn\nda%d n%d vdd d1\ndb%d 0 n%d d1\n", i, i, i, 0.4 + 0.13 * i, i, i, i, i
        }
        print ".tran 0.1n 30n"
    } else if (kind == "ring") {
        mos_models()
        for (i = 1; i <= n; i++)
            inverter(i, "v" (i > 1 ? i - 1 : n), "v" i)
        printf ".ic v(v1)=0\n.tran 0.1n 50n\n.save v(v1) v(v%d)\n", half
    } else if (kind == "adder") {
        # one number is 1 during the pulse, the other all ones
        mos_models()
        print "va a 0 pulse(0 5 1n 0.2n 0.2n 60n)\nvb b 0 5"
        for (i = 1; i <= n; i++)
            full_adder(i, i == 1 ? "a" : "0", "b", i == 1 ? "0" : "c" i - 1)
        printf ".tran 0.1n %gn\n.save v(s1) v(s%d) v(c%d)\n", 6 + 0.9 * n, half, n
    } else if (kind == "ecl") {
        print ".model q1 npn (is=1e-17 bf=100 br=1 vaf=50 ikf=10m rb=50 re=2 rc=20 cje=30f vje=0.9 mje=0.4"
        print "+ cjc=20f vjc=0.7 mjc=0.33 cjs=40f tf=10p tr=1n)"
        print "vee vee 0 -5.2\nvref ref 0 -1.3\nvin v0 0 pulse(-1.7 -0.9 0.2n 50p 50p 2n)"
        for (i = 1; i <= n; i++)
            emitter_coupled(i)
        printf ".tran 20p %gn\n.save v(v1) v(v%d) v(v%d)\n", 3 + 0.06 * n, half, n
    } else if (kind == "diodes") {
        print ".model d1 d (is=1e-14 rs=1 cjo=2p tt=1n)\nvin n0 0 sin(0 10 1meg)"
        for (i = 1; i <= n; i++) {
            printf "r%d n%d n%d 10\nd%d n%d m%d d1\n", i, i - 1, i, i, i, i
            printf "c%d m%d 0 10p\nrl%d m%d 0 100k\n", i, i, i, i
        }
        print ".tran 10n 3u\n.save v(m1) v(m20) v(m100)"
    } else if (kind == "rc") {
        print "vin n0 0 pulse(0 1 1n 1n 1n 1u 2u)"
        rc_line(n)
        print ".tran 10n 4u\n.save v(n1) v(n100) v(n500)"
    } else if (kind == "rlc") {
        print "vin n0 0 pulse(0 1 1n 1n 1n 20n 40n)"
        for (i = 1; i <= n; i++)
            printf "r%d n%d m%d 0.1\nl%d m%d n%d 2.5n\nc%d n%d 0 1p\n", i, i - 1, i, i, i, i, i, i
        print ".tran 0.1n 40n\n.save v(n1) v(n100) v(n500)"
    } else if (kind == "mesh") {
        print "vin in 0 pulse(0 1 1n 1n 1n 1u 2u)\nrin in n0_0 1"
        mesh(n)
        print ".tran 10n 4u\n.save v(n0_0) v(n9_9) v(n30_30)"
    } else if (kind == "mixed") {
        mos_models()
        print ".model d1 d (is=1e-14 rs=10 cjo=0.1p tt=0.1n)\nvin n0 0 pulse(0 5 1n 1n 1n 10n 20n)"
        for (i = 1; i <= n; i++) {
            printf "r%d n%d k%d 1\nl%d k%d n%d 2.5n\nc%d n%d 0 1p\n", i, i - 1, i, i, i, i, i, i
            inverter(i, "n" i, "v" i)
            printf "d%d v%d m%d d1\ncm%d m%d 0 0.1p\nrm%d m%d 0 10k\n", i, i, i, i, i, i, i
        }
        print ".tran 0.1n 40n\n.save v(n1) v(v1) v(m1) v(v50)"
    } else if (kind == "multiplier") {
        mos_models()
        multiplier(n)
        printf ".tran 100p 20n uic\n.save v(s1_0) v(s%d_0) v(s%d_%d)\n", half, n, n - 2
    } else if (kind == "sram") {
        mos_models()
        sram(n)
        print ".tran 100p 20n uic\n.save v(t0) v(q0_0) v(p1_1) v(f1)"
    } else if (kind == "bjt") {
        print ".model q1 npn (is=1e-16 bf=100 br=1 vaf=80 rb=100 re=1 rc=20 cje=0.5p cjc=0.3p tf=0.1n tr=5n)\nvcc vcc 0 5"
        for (i = 1; i <= n; i++)
            printf "q%d c%d b%d 0 q1\nrb%d c%d b%d 10k\nrc%d vcc c%d 1k\n", i, i, i, i, (i > 1 ? i - 1 : n), i, i, i
        printf ".ic v(c1)=0\n.tran 1n 1u\n.save v(c1) v(c%d)\n", half
    } else if (kind == "follower") {
        while ((getline line < amplifier) > 0) {
            inside = inside || line ~ /^\.subckt/
            if (inside)
                print line
            inside = inside && line !~ /^\.ends/
        }
        print "vp vp 0 15\nvn vn 0 -15\nvin o0 0 pulse(-5 5 10u 1u 1u 100u 200u)"
        for (i = 1; i <= n; i++)
            printf "x%d o%d o%d o%d vp vn ua741\nrl%d o%d 0 2k\n", i, i - 1, i, i, i, i
        printf ".tran 1u 1m\n.save v(o1) v(o%d)\n", n
    } else if (kind == "lc") {
        print "vin in 0 pulse(0 1 1n 1n 1n 20n 40n)\nrin in n0 50"
        for (i = 1; i <= n; i++)
            printf "l%d n%d n%d 2.5n\nc%d n%d 0 1p\n", i, i - 1, i, i, i
        printf "rout n%d 0 50\n.tran 0.1n 40n\n.save v(n1) v(n100) v(n500)\n", n
    } else if (kind == "buck") {
        print "vin in 0 24\nvg g 0 pulse(0 5 0 10n 10n 4u 10u)\ns1 in sw g 0 s1\n.model s1 sw(vt=2.5 ron=10m roff=1meg)"
        print "d1 0 sw d1\n.model d1 d(is=1e-9 rs=5m cjo=200p tt=10n)\nl1 sw out 47u\nc1 out 0 100u\nr1 out 0 2"
        printf ".tran 1u %du\n.save v(out) i(l1)\n", 10 * n
    } else if (kind == "boost") {
        print "vin in 0 12\nvg g 0 pulse(0 10 0 20n 20n 5u 10u)\nl1 in d 100u\nm1 d g 0 0 m1"
        print ".model m1 nmos(vto=3 kp=5 rd=20m cgso=1n cgdo=200p cbd=300p)"
        print "d1 d out d1\n.model d1 d(is=1e-8 n=1.1 rs=20m cjo=150p tt=5n)\nc1 out 0 47u\nr1 out 0 20"
        printf ".tran 1u %du\n.save v(out) i(l1)\n", 10 * n
    } else if (kind == "halfbridge") {
        print "vdc dc 0 100\nvtri tri 0 pulse(-1 1 0 24.9u 24.9u 0.1u 50u)\nvref ref 0 sin(0 0.8 500)"
        print "bg1 g1 0 v=v(ref)>v(tri) ? 1 : 0\nbg2 g2 0 v=1-v(g1)\n.model s1 sw(vt=0.5 ron=10m roff=1meg)"
        print "s1 dc a g1 0 s1\ns2 a 0 g2 0 s1\ns3 dc b g2 0 s1\ns4 b 0 g1 0 s1\n.model d1 d(is=1e-10 rs=10m cjo=100p)"
        print "d1 0 a d1\nd2 a dc d1\nd3 0 b d1\nd4 b dc d1\nl1 a x 2m\nr1 x b 8"
        printf ".tran 10u %du\n.save i(l1)\n", 50 * n
    } else if (kind == "dickson") {
        print "vdd in 0 5\nvp p 0 pulse(0 5 0 10n 10n 490n 1u)\nvn n 0 pulse(5 0 0 10n 10n 490n 1u)"
        print ".model d1 d(is=1e-9 rs=1 cjo=10p)\nd1 in 1 d1\nd2 1 2 d1\nd3 2 3 d1\nd4 3 4 d1\nd5 4 out d1"
        print "c1 1 p 10n\nc2 2 n 10n\nc3 3 p 10n\nc4 4 n 10n\nco out 0 100n\nro out 0 100k"
        printf ".tran 100n %du\n.save v(out)\n", n
    } else if (kind == "grid") {
        for (i = 0; i < 4; i++)
            printf "v%d p%d 0 1.2\nr%d p%d n%d_%d 0.1\n", i, i, i, i, i % 2 * (n - 1), int(i / 2) * (n - 1)
        for (i = 0; i < n; i++)
            printf "i%d n%d_%d 0 pulse(0 1u %.9gn 0.1n 0.1n 0.3n 1n)\n", i, i, i * 617 % n, 0.1 * (i % 8)
        mesh(n)
        print ".tran 20p 2n 0 20p\n.save v(n0_0) v(n1_617) v(n9_9)"
    } else if (kind == "flat") {
        print "vin n0 0 1"
        rc_line(half)
        print ".op\n.save v(n1)"
    }
    print ".end"
}
