#!/bin/sh
# .wc: corners of tolerances against closed forms, all of them where they are few, by sensitivities where they are many;
# the same for any number of workers; what is said of mistakes.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1

# A divider: V(b) = 1 / (1 + R1 (1/R2 + 1/R3)).
cat >few.cir <<'END'
few
V1 a 0 1
R1 a b {unif(1k,0.05)}
R2 b 0 {agauss(2k,60,3)}
R3 b 0 {mc(10k,0.1)}
.dc V1 1 2 1
.meas dc vb FIND v(b) AT=1
.wc
.end
END
"$KNOTEN" -o few.raw few.cir >out 2>err || { fail "few values"; cat err; }
awk 'BEGIN { least = 9; most = 0
         for (i = 0; i < 8; i++) {
             r1 = 1000 * (1 + 0.05 * (i % 2 * 2 - 1)); r2 = 2000 + 60 * (int(i / 2) % 2 * 2 - 1); r3 = 10000 * (1 + 0.1 * (int(i / 4) * 2 - 1))
             v = 1 / (1 + r1 * (1 / r2 + 1 / r3)); if (v < least) least = v; if (v > most) most = v
         } }
     /vb is largest/ { if ((most - $7)^2 > 1e-10) exit 1; found++ }
     /vb is smallest/ { if ((least - $7)^2 > 1e-10) exit 1; found++ }
     END { exit found != 2 }' err || { fail "extremes of a divider"; cat err; }
grep -q 'largest.*corner 7: R1 low, R2 high, R3 high (nominal: 0.625)' err || { fail "corner of the largest value"; cat err; }
[ "$(awk '/^ +[0-9]+ +[0-9.]+$/' out | wc -l)" -eq 9 ] || { fail "not all corners are there"; cat out; }

# Many resistors in a row: i = 1 / (sum of R); tolerances of 1 % to 20 % of 1k.
{
    printf 'many\nV1 n0 0 1\n'
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do
        printf 'R%d n%d n%d {aunif(1k,%d)}\n' $i $((i - 1)) $i $((10 * i))
    done
    printf 'RL n19 0 1k\nVS s 0 1\n.tran 1u 2u\n.meas tran i FIND i(v1) AT=1u\n.meas tran v FIND v(n19) AT=1u\n.wc\n.end\n'
} >many.cir
for jobs in 1 3; do
    SOURCE_DATE_EPOCH=0 "$KNOTEN" -j $jobs -o many$jobs.raw many.cir >out$jobs 2>err$jobs || { fail "many values"; cat err$jobs; }
done
cmp -s many1.raw many3.raw && cmp -s out1 out3 || fail "corners depend on the number of workers"
awk '/i is largest/ { if (($7 + 1 / 21900)^2 > 1e-18) exit 1; found++ }
     /i is smallest/ { if (($7 + 1 / 18100)^2 > 1e-18) exit 1; found++ }
     /v is largest/ { if (($7 - 1000 / 18100)^2 > 1e-12) exit 1; found++ }
     /v changes most, from nominal to the high end alone, by: R19 -0.0004[0-9]*, R18 / { found++ }
     END { exit found != 4 }' err1 || { fail "extremes of a row of resistors"; cat err1; }

printf 'none\nV1 a 0 1\nR1 a 0 1k\n.op\n.wc\n.end\n' >none.cir
"$KNOTEN" none.cir >out 2>err && fail "no tolerances"
grep -q "5:1: error: '.wc': nothing in the deck has a tolerance" err || { fail "no tolerances: not said"; cat err; }
sed 's/^.wc/.mc 3\n.wc/' few.cir >both.cir
"$KNOTEN" both.cir >out 2>err && fail ".mc and .wc"
grep -q "'.wc': random values cannot be drawn and at the ends" err || { fail ".mc and .wc: not said"; cat err; }
sed 's/^.wc/.wcase tran v(b) ymax/' few.cir >pspice.cir
"$KNOTEN" -o p.raw pspice.cir >out 2>err || fail "PSpice's card"
grep -q "warning: '.wcase': 'tran' is ignored" err || { fail "words that are ignored"; cat err; }

finish
