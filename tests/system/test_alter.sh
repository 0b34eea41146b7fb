#!/bin/sh
# .alter blocks and .step lib: each gives what the deck gives in which the changes are written by hand.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1

cat >models.lib <<'END'
.lib tt
.param rr=1k
.model dm d is=1e-14
.endl
.lib ff
.param rr=500
.model dm d is=1e-13
.endl
.lib ss
.param rr=2k
.model dm d is=1e-15
.endl
END

# deck SECTION R1 DC TEMP: the deck with these written in; its results as CSV
deck()
{
    printf 'by hand\n.lib "models.lib" %s\nV1 a 0 2\nX1 a b sub\n%s\nD1 b 0 dm\n.subckt sub a b\nR1 a b 10\n.ends\n.op\n%s\n.temp %s\n.meas tran top MAX v(b)\n.tran 1u 2u\n.end\n' "$1" "$2" "$3" "$4" >hand.cir
    "$KNOTEN" -q --format csv -o hand.csv hand.cir >hand.out 2>err || { fail "by hand"; cat err; }
    cat hand.csv
}

cat >alter.cir <<'END'
corners
.lib "models.lib" tt
V1 a 0 2
X1 a b sub
R1 b 0 {rr}
D1 b 0 dm
.subckt sub a b
R1 a b 10
.ends
.op
.dc V1 0 2 1
.temp 27
.tran 1u 2u
.alter twice the resistor
R1 b 0 {2*rr}
.alter fast and hot
.del lib "models.lib" tt
.lib "models.lib" ff
.dc V1 0 3 1.5
.temp 50
.end
END
for jobs in 1 3; do
    "$KNOTEN" -q -j $jobs --format csv -o alter.csv alter.cir >out 2>err || { fail ".alter"; cat err; }
    [ ! -s err ] || { fail ".alter is warned about"; cat err; }
    { deck tt 'R1 b 0 {rr}' '.dc V1 0 2 1' 27; echo; deck tt 'R1 b 0 {2*rr}' '.dc V1 0 2 1' 27; echo
      deck ff 'R1 b 0 {2*rr}' '.dc V1 0 3 1.5' 50; } >expected.csv
    cmp -s expected.csv alter.csv || { fail ".alter differs from decks by hand (-j $jobs)"; diff expected.csv alter.csv | head; }
done
"$KNOTEN" -q --format ascii -o alter.raw alter.cir >/dev/null 2>&1
[ "$(grep -ac '^Title: corners .alter: fast and hot$' alter.raw)" -eq 3 ] || fail "titles of .alter: $(grep -a ^Title alter.raw)"

# Sections, alone, inside out with other steps, with Monte Carlo, and in blocks.
sed '/^.alter/,$d' alter.cir >lib.cir
printf '.step lib "models.lib" tt ff ss\n.step V1 2 3 1\n.end\n' >>lib.cir
"$KNOTEN" -q -j 2 --format csv -o lib.csv lib.cir >out 2>err || { fail ".step lib"; cat err; }
number=0
for section in tt ff ss; do
    number=$((number + 1))
    deck $section 'R1 b 0 {rr}' '.dc V1 0 2 1' 27 | sed -n '/^time/,$p' | grep '^[0-9]' >expected
    grep "^2,$number,[0-9.e-]*,2,2,\|^2,$number,[0-9.e-]*,2," lib.csv | sed -n "/^2,$number,/p" | cut -d, -f3- >got
    sed -n '/^v1,lib,time/,$p' lib.csv | grep "^2,$number," | cut -d, -f3- >got
    [ -s got ] && cmp -s expected got || { fail ".step lib: section $section"; diff expected got | head -n 4; }
done
head -n 1 lib.csv | grep -q '^v1,lib,v(a)' || fail ".step lib: columns"
sed 's/{rr}/{agauss(rr,10,1)}/; s/^.step V1.*/.mc 3/' lib.cir >mc.cir
"$KNOTEN" -q -j 2 --format csv -o mc.csv mc.cir >out 2>err || { fail ".step lib and .mc"; cat err; }
[ "$(grep -c '^[123],[123],' mc.csv)" -gt 17 ] || fail ".step lib and .mc: rows"
sed 's/^.end$/.alter\nR1 b 0 7k\n.end/' lib.cir >both.cir
"$KNOTEN" -q -j 2 --format csv -o both.csv both.cir >out 2>err || { fail ".step lib and .alter"; cat err; }
[ "$(grep -c '^v1,lib,time' both.csv)" -eq 2 ] || fail ".step lib and .alter: tables"

# A run that fails is named by its section.
cat >fails.lib <<'END'
.lib good
.param g=-0.1
.endl
.lib bad
.param g=1
.endl
END
printf 'fails\n.lib "fails.lib" good\nB1 0 a I=v(a)*v(a)+{g}\nR1 a 0 1\n.op\n.step lib "fails.lib" bad good\n.end\n' >fails.cir
"$KNOTEN" -q --format csv -o fails.csv fails.cir >out 2>err && fail "a section without a solution"
grep -q "error: '.step': the run with lib = bad failed" err || { fail "the section is not named"; cat err; }
[ "$(grep -c '^2,' fails.csv)" -eq 1 ] || fail "the other section is missing"

# Mistakes, in all blocks, before anything runs.
cat >bad.cir <<'END'
mistakes
.lib "models.lib" tt
V1 a 0 2
R1 a 0 {rr}
.op
.alter
R1 a 0 {rrr}
.alter
R9 a 0 7 8
.del lib "models.lib" xx
.step lib "models.lib" tt nn
.end
END
"$KNOTEN" bad.cir >out 2>err && fail "mistakes are taken"
for said in "11:1: error: '.step lib' in an '.alter' block" "7:9: error: unknown parameter 'rrr'" "9:10: error: resistor 'R9' has two values" \
    "10:10: error: no '.lib' in front of this reads 'models.lib'"; do
    grep -qF "$said" err || { fail "not said: $said"; cat err; }
done
sed -i '/^.alter/,/^.del/d; /^R1/d' bad.cir
"$KNOTEN" bad.cir >out 2>err && fail "a section that is not there is taken"
grep -q "library 'models.lib' has no section 'nn'" err || { fail "a missing section is not said"; cat err; }
[ ! -s out ] || fail "something was simulated in spite of mistakes"

finish
