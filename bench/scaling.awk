# Decks whose cost might grow faster than their size:  awk -v kind=KIND -v n=SIZE -f bench/scaling.awk
#
# switches     n switches, each with a control of its own: pulses that begin one after the other
# shared       n switches with one control
# comparisons  n sources with one comparison: v(c) > 0.3 ? .. : ..
# corners      n pulses with an RC each; all corners at different times
# lines        n lossless lines in a chain, matched at its end, driven by a pulse
# bipolar      operating point of a chain of n bipolar inverters
# models       n .model cards that no element uses
# coils        one K card that couples n coils

function decimal(x) { return sprintf("%.9g", x) }

# Numbers between 0 and 1 without a pattern: multiples of the golden section.
function spread(i) { return i * 0.6180339887498949 % 1 }

BEGIN {
    print kind " " n
    if (kind == "switches") {
        print "vin in 0 10\n.model s1 sw(vt=0.5 ron=1 roff=1meg)\n.tran 1u 100u\n.save v(a1)"
        for (i = 1; i <= n; i++) {
            printf "vc%d c%d 0 pulse(0 1 %s 1u 1u 20u 50u)\ns%d in a%d c%d 0 s1\n", i, i, decimal(25e-6 * spread(i)), i, i, i
            printf "r%d a%d 0 1k\nc%d a%d 0 1n\n", i, i, i, i
        }
    } else if (kind == "shared") {
        print "vin in 0 10\nvc c 0 pulse(0 1 1u 1u 1u 20u 50u)\n.model s1 sw(vt=0.5 ron=1 roff=1meg)\n.tran 1u 100u\n.save v(a1)"
        for (i = 1; i <= n; i++)
            printf "s%d in a%d c 0 s1\nr%d a%d 0 1k\nc%d a%d 0 1n\n", i, i, i, i, i, i
    } else if (kind == "comparisons") {
        print "vc c 0 sin(0 1 10k)\n.tran 1u 200u\n.save v(y1)"
        for (i = 1; i <= n; i++)
            printf "b%d x%d 0 v=v(c)>0.3?5:0\nr%d x%d y%d 1k\nc%d y%d 0 1n\n", i, i, i, i, i, i, i
    } else if (kind == "corners") {
        print ".tran 1u 100u\n.save v(b1)"
        for (i = 1; i <= n; i++) {
            printf "v%d a%d 0 pulse(0 1 %s %s 1u", i, i, decimal(50e-6 * spread(i)), decimal(1e-6 * (1 + spread(7 * i)))
            printf " %s 200u)\nr%d a%d b%d 1k\nc%d b%d 0 1n\n", decimal(1e-5 * (1 + spread(3 * i))), i, i, i, i, i
        }
    } else if (kind == "lines") {
        print "v0 n0 0 pulse(0 1 1n 1n 1n 50n)\n.tran 1n 200n\n.save v(n1)"
        for (i = 1; i <= n; i++)
            printf "t%d n%d 0 n%d 0 z0=50 td=%sn\n", i, i - 1, i, decimal(1 + spread(i))
        printf "r%d n%d 0 50\n", n, n
    } else if (kind == "bipolar") {
        print ".model q1 npn(is=1e-15 bf=100)\nvcc vcc 0 5\nvin b0 0 0.6\n.op"
        for (i = 1; i <= n; i++)
            printf "q%d b%d a%d 0 q1\nra%d a%d b%d 10k\nrc%d vcc b%d 1k\n", i, i, i, i, i, i - 1, i, i
    } else if (kind == "models") {
        print "v1 1 0 1\nr1 1 0 1k\n.op"
        for (i = 1; i <= n; i++)
            printf ".model m%d d(is=%se-15 rs=1 cjo=1p)\n", i, decimal(1 + spread(i))
    } else if (kind == "coils") {
        print "v1 1 0 sin(0 1 1meg)\nr1 1 c1 50\n.tran 10n 2u\n.save v(c1)"
        for (i = 1; i <= n; i++) {
            printf "l%d c%d 0 1u\n", i, i
            if (i > 1)
                printf "r%d c%d 0 50\n", i, i
        }
        printf "k1"
        for (i = 1; i <= n; i++)
            printf "%s l%d", i % 20 ? "" : "\n+", i
        print " 0.5"
    } else {
        print "no kind " kind >"/dev/stderr"
        exit 1
    }
    print ".end"
}
