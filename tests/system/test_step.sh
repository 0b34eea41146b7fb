#!/bin/sh
# .step: the rows of each step are those of a deck with the value written in, digit by digit; tables of .measure, raw
# files, steps that fail, and what is said of cards that make no sense.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1

body='V1 a 0 PULSE(0 3 1u 1u 1u 20u 50u)
R1 a b {r}
C1 b 0 {c}
D1 b 0 dm
Q1 q b 0 qn
RQ a q 1k
.model qn npn is=1e-15 bf=100 cje=1p
.tran 1u 60u
.op
.meas tran top MAX v(b)
.meas tran when WHEN v(b)=0.3 RISE=1'

# single R C IS CELSIUS: every result of the deck with these values, as lines without the headings.
single()
{
    printf 'one\n%s\n.param r=%s c=%s\n.model dm d is=%s cjo=2p\n.temp %s\n.end\n' "$body" "$1" "$2" "$3" "$4" >one.cir
    "$KNOTEN" -q --format csv -o one.csv one.cir >one.out 2>err || { fail "the single run"; cat err; }
    grep '^[-0-9]' one.csv
}

# rows FILE VALUES: those of a step in a CSV, without the values in front.
rows()
{
    grep "^$2," "$1" | sed "s/^$2,//"
}

# claim NAME VALUES: the rows of stepped.csv for these values are those on standard input.
claim()
{
    cat >expected.txt
    rows stepped.csv "$2" >got.txt
    [ -s got.txt ] || fail "$1: no rows for $2"
    cmp -s expected.txt got.txt || { fail "$1: rows for $2 differ from the single run"; diff expected.txt got.txt | head -n 4; }
}

# stepped NAME LINES
stepped()
{
    printf 'stepped\n%s\n%b\n.end\n' "$body" "$2" >stepped.cir
    "$KNOTEN" -q --format csv -o stepped.csv stepped.cir >out 2>err || { fail "$1: exit status $?"; cat err; }
    [ ! -s err ] || { fail "$1 is warned about"; cat err; }
}

fixed='.param c=1n\n.model dm d is=1e-14 cjo=2p'
stepped list "$fixed\n.param r=7\n.step param r list 1k 2.5k"
single 1000 1n 1e-14 27 | claim list 1000
single 2500 1n 1e-14 27 | claim list 2500
head -n 1 stepped.csv | grep -q '^r,v(a),' || fail "the operating point has no column of the steps in front"
grep -q '^r,time,v(a),' stepped.csv || fail "the transient has no column of the steps in front"
grep -q '^ *r  *top  *when$' out || { fail "no heading of the measurements"; cat out; }
[ "$(grep -cE '^ +(1000|2500) ' out)" -eq 2 ] || { fail "no table of measurements"; cat out; }

# A parameter that no other card defines; nested, the first card inside.
stepped nested '.model dm d is=1e-14 cjo=2p\n.step param r 1k 3k 2k\n.step dec param c 100p 10n 1'
for c in 1e-10 1e-09 1e-08; do
    for r in 1000 3000; do
        single $r $c 1e-14 27 | claim nested "$r,$c"
    done
done
[ "$(sed -n '2,7s/^\([^,]*,[^,]*\).*/\1/p' stepped.csv | tr '\n' ' ')" = \
    '1000,1e-10 3000,1e-10 1000,1e-09 3000,1e-09 1000,1e-08 3000,1e-08 ' ] || { fail "order of nested steps"; head -n 7 stepped.csv; }

stepped temperature "$fixed\n.param r=1k\n.step temp 0 50 50"
single 1k 1n 1e-14 0 | claim temperature 0
single 1k 1n 1e-14 50 | claim temperature 50
stepped model "$fixed\n.param r=1k\n.step D dm(is) list 1e-14 1e-12"
single 1k 1n 1e-14 27 | claim model 1e-14
single 1k 1n 1e-12 27 | claim model 1e-12
stepped element "$fixed\n.param r=9\n.step R1 2k 4k 2k"
single 2k 1n 1e-14 27 | claim element 2000
single 4k 1n 1e-14 27 | claim element 4000

# A sweep within steps.
cat >dc.cir <<'END'
sweep and steps
V1 a 0 0
R1 a b {r}
R2 b 0 1k
.step param r list 1k 3k
.dc V1 0 4 2
.end
END
"$KNOTEN" -q --format csv -o dc.csv dc.cir 2>err || fail ".dc in steps"
grep '^[-0-9]' dc.csv | cut -d, -f1,2,4 | tr '\n' ' ' >got.txt
[ "$(cat got.txt)" = '1000,0,0 1000,2,1 1000,4,2 3000,0,0 3000,2,0.5 3000,4,1 ' ] || { fail ".dc in steps"; cat dc.csv; }

# Values in a file; analyses of several tables; words behind the cards of other analyses.
mkdir -p folder
printf '1k 2.5k\n4k\n' >folder/values.txt
printf 'a file\nV1 a 0 1\nR1 a b {r}\nR2 b 0 1k\n.dc V1 0 1 1\n.step param r file=values.txt\n.end\n' >folder/file.cir
"$KNOTEN" -q --format csv -o file.csv folder/file.cir 2>err || { fail "values in a file"; cat err; }
[ "$(grep '^[0-9]' file.csv | cut -d, -f1 | uniq | tr '\n' ' ')" = '1000 2500 4000 ' ] || { fail "values in a file"; cat file.csv; }
for bad in 'missing.txt:cannot read values from .folder/missing.txt.: No such file' 'file.cir:.a. is no number'; do
    sed "s/values.txt/${bad%%:*}/" folder/file.cir >folder/bad.cir
    "$KNOTEN" -q --format csv -o bad.csv folder/bad.cir 2>err && fail "a bad file of values"
    grep -q "6:15: error: '.step': .*${bad#*:}" err || { fail "a bad file of values is not said"; cat err; }
done
single_noise()
{
    printf 'noise\nV1 a 0 1 AC 1\nR1 a b %s\nC1 b 0 1n\n.noise v(b) v1 dec 2 1k 100k\n.end\n' "$1" >one.cir
    "$KNOTEN" -q --format csv -o one.csv one.cir >/dev/null || fail "a single .noise"
    sed -n "$2p" one.csv | grep '^[0-9]'
}
printf 'noise\nV1 a 0 1 AC 1\nR1 a b {r}\nC1 b 0 1n\n.param r=1\n.noise v(b) v1 dec 2 1k 100k sweep r list 1k 2k\n.end\n' >noise.cir
"$KNOTEN" -q --format csv -o noise.csv noise.cir >/dev/null 2>err || { fail ".noise sweep"; cat err; }
{ single_noise 1k '1,/^$/'; single_noise 2k '1,/^$/'; single_noise 1k '/^$/,$'; single_noise 2k '/^$/,$'; } >expected.txt
grep '^[0-9]' noise.csv | cut -d, -f2- | cmp -s expected.txt - || { fail ".noise sweep: rows"; cat noise.csv expected.txt; }

# Outer loops of .dc are shared by the workers: the same for any number of them, and as single sweeps with these values.
cat >outer.cir <<'END'
outer loops
VC c 0 5
IB 0 b 1u
Q1 c b 0 qn
RB b 0 1meg
.model qn npn is=1e-15 bf=100 vaf=50 rb=100 rc=1
.dc VC 0 5 0.05 IB 1u 40u 1u
.end
END
for jobs in 1 2 5; do
    "$KNOTEN" -q -j $jobs --format csv -o outer$jobs.csv outer.cir 2>err || { fail "outer loops, -j $jobs"; cat err; }
    cmp -s outer1.csv outer$jobs.csv || fail "outer loops: other results with -j $jobs"
done
[ "$(grep -c '^[0-9]' outer1.csv)" -eq 4040 ] || fail "outer loops: rows"
sed 's/^.dc.*/.dc VC 0 5 0.05/; s/^IB 0 b 1u/IB 0 b 33u/' outer.cir >single.cir
"$KNOTEN" -q --format csv -o single.csv single.cir || fail "a single sweep"
awk -F, '$2 == "3.3e-05" || $2 == "3.2999999999999996e-05" || $2 == "3.3000000000000003e-05"' outer1.csv | cut -d, -f1,3- >outer.rows
grep '^[0-9]' single.csv >single.rows
paste -d, outer.rows single.rows | awk -F, '{ h = NF / 2; for (i = 1; i <= h; i++) { d = $i - $(i + h); s = $i * $i; if (d * d > 1e-10 * s + 1e-22) bad++ } }
    END { exit !(NR == 101 && !bad) }' || { fail "outer loops differ from a single sweep"; wc -l outer.rows; }

# One step without a solution: v = v^2 + g has none for g > 1/4.
cat >fails.cir <<'END'
a step that fails
B1 0 a I=v(a)*v(a)+{g}
R1 a 0 1
.op
.step param g list -0.1 1 -0.2
.end
END
"$KNOTEN" -q --format csv -o fails.csv fails.cir >out 2>err
[ $? -eq 1 ] || fail "a step that fails: exit status"
grep -q "error: '.step': the run with g = 1 failed" err || { fail "the step that failed is not named"; cat err; }
[ "$(grep -c '^-0\.[12],' fails.csv)" -eq 2 ] || { fail "the other steps are missing"; cat fails.csv; }

cat >bad.cir <<'END'
mistakes
V1 a 0 1
R1 a 0 {r}
.param r=1
.op
.step param r 1 2 0
.step D dx(is) list 1 2
.step r9 1 2 1
END
"$KNOTEN" bad.cir >out 2>err && fail "mistakes are taken"
[ ! -s out ] || fail "something was simulated in spite of mistakes"
for line in "6:19: error: '.step': the step is 0" "7:9: error: '.step': there is no model 'dx'" \
    "8:7: error: '.step': there is no source, element or parameter 'r9'"; do
    grep -qF "$line" err || { fail "not said: $line"; cat err; }
done

# Values that nothing uses are told; those that one analysis of two uses are not.
printf 'idle\n.param r=1k unused=3 c=1u\nV1 in 0 SIN(0 1 1k)\nR1 in out {r}\nC1 out 0 {c}\n.op\n.tran 10u 1m\n.step param %s 1n 3n 1n\n.end\n' \
    unused >idle.cir
"$KNOTEN" idle.cir -o idle.raw >out 2>err || fail "an unused parameter: exit status"
grep -q "'.step': unused changes nothing" err || { fail "an unused parameter is swept in silence"; cat err; }
sed 's/.step param unused/.step param c/' idle.cir >used.cir
"$KNOTEN" used.cir -o used.raw >out 2>err
grep -q "changes nothing" err && { fail "a capacitor that .op does not see"; cat err; }

# As many poles as the circuit has at each value: 1/(RC), and the roots of 1 + 3 s RC + (s RC)^2 with two capacitors.
printf 'poles\nV1 in 0 0\nR1 in a 1k\nC1 a 0 1u\nR2 a b 1k\nC2 b 0 {c}\n.param c=0\n.pz v(b) v1\n.step param c list 0 1u\n.end\n' >poles.cir
"$KNOTEN" -q --format csv poles.cir -o poles.csv >out 2>err || { fail "poles that come and go: exit status"; cat err; }
awk -F, '/^[0-9]/ { for (i = 2; i < NF; i += 2) found[++n] = $i }
         END { split("-1000 -381.966011 -2618.033989", expected, " ")
               for (i = 1; i <= 3; i++) if ((found[i] - expected[i])^2 > 1e-6) exit 1
               exit n != 3 }' poles.csv || { fail "poles that come and go"; cat poles.csv; }

# A measurement by a result of another analysis, which each step makes aside: v(a) = x / (1 + r/1k), d1 = v(a) at 1 V,
# t1 = v(a) where V1 is d1.
cat >aside.cir <<'END'
aside
V1 in 0 PWL(0 0 10u 10)
R1 in a {r}
R2 a 0 1k
.step param r list 1k 3k
.dc V1 0 2 1
.tran 1u 10u
.measure dc d1 FIND v(a) AT=1
.measure tran t1 FIND v(a) AT='d1*1u'
.end
END
"$KNOTEN" -q -o aside.raw aside.cir >out 2>err || { fail "a measurement by one of .dc: exit status $?"; cat err; }
awk '$1 == "r" { of = $2 }
of == "t1" && $1 == 1000 { first = $2 }
of == "t1" && $1 == 3000 { second = $2 }
END { exit !(first > 0.24999 && first < 0.25001 && second > 0.062499 && second < 0.062501) }' out ||
    { fail "a measurement by one of .dc has other values"; cat out; }

# A transistor that is off depends on nothing: v(d) = -R W/L kp (vgs - vto), by kp where it is on, no column where it is off.
cat >off.cir <<'END'
off
VC vcc 0 5
VG g 0 {bias} AC 1
RD vcc d 1k
M1 d g 0 0 nm w=10u l=1u
.model nm nmos(level=1 vto=0.7)
.step param bias list 2 0.2
.sens v(d) ac list 1k
.end
END
"$KNOTEN" -q --format csv -o off.csv off.cir >out 2>err || { fail "sensitivities that come and go: exit status $?"; cat err; }
awk -F, '/^bias,frequency/ { tables++; kp = 0; for (i = 1; i <= NF; i++) if ($i == "re(nm:kp)") kp = i }
/^2,1000,/ && kp && !found { found = $kp }
/^0.2,1000,/ { rows++ }
END { exit !(tables == 4 && rows == 2 && found < -12999.9 && found > -13000.1) }' off.csv ||
    { fail "sensitivities that come and go"; cat off.csv; }

# Raw files.
"$KNOTEN" -q -o s.raw stepped.cir >out 2>err
grep -a '^Flags' s.raw | tr '\n' ' ' | grep -q 'Flags: real Flags: real stepped ' || fail "flags of the raw file"
[ -n "$ngspice" ] || { [ "$failures" -gt 0 ] || skip "ngspice is not installed to read the file"; finish; }
printf 'load\n.control\nload s.raw\nprint length(r1) vecmax(r1)\nquit\n.endc\n.end\n' >load.cir
"$ngspice" -b load.cir >log 2>&1
grep -q 'vecmax(r1) = 4.000000e+03' log || { fail "ngspice does not read it"; cat log; }

finish
