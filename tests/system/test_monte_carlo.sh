#!/bin/sh
# Monte Carlo: runs by number and seed, the same for any number of workers, alone and together; statistics; the deterministic
# part against ngspice; tables of .data; what is said of mistakes.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1
SOURCE_DATE_EPOCH=0
export SOURCE_DATE_EPOCH

body='V1 a 0 PULSE(0 1 0 1n 1n 1 2) AC 1
R1 a b {agauss(1k,100,1)}
.param cc=unif(1n,0.1)
C1 b 0 {cc}
X1 b c sub
.subckt sub i o
.param w=aunif(2,1)
R1 i o {w*1k}
C1 o 0 {mc(1n,.2)}
.ends
.meas tran t50 WHEN v(b)=0.5
.meas tran never WHEN v(b)=7'

# deck NAME CARDS
deck()
{
    printf 'monte carlo\n%s\n%b\n.end\n' "$body" "$2" >"$1.cir"
}

# run NAME ARGUMENTS..: NAME.raw, NAME.out, NAME.err
run()
{
    name=$1
    shift
    "$KNOTEN" -o "$name.raw" "$@" >"$name.out" 2>"$name.err"
}

# ---- any number of workers ----
deck mc '.tran 10n 5u\n.ac dec 3 1k 1meg\n.mc 40 seed=7'
for jobs in 1 2 3 7; do
    run "j$jobs" -j $jobs mc.cir || { fail "-j $jobs"; cat "j$jobs.err"; }
    cmp j1.raw "j$jobs.raw" || fail "-j $jobs: other results"
    cmp j1.out "j$jobs.out" || fail "-j $jobs: other measurements"
    grep -v '^knoten: ' "j$jobs.err" >said
    grep -v '^knoten: ' j1.err | cmp - said || fail "-j $jobs: other messages"
done
[ "$(grep -c "warning: 'never': no crossing\|warning.*never" j1.err)" -eq 1 ] || { fail "a message is not said once"; cat j1.err; }
grep -aq 'Flags: real stepped' j1.raw || fail "the raw file is not marked as stepped"

# ---- statistics: those of the table above them ----
awk '/^ +[0-9]+ /{ n++; s += $2; q += $2 * $2; if (n == 1 || $2 < least) { least = $2; at = $1 } }
     $1 == "t50" { if ($2 != n || $3 != 0) exit 1
                   m = s / n; d = sqrt((q - s * m) / (n - 1))
                   if ((m - $4)^2 > 1e-10 * m^2 || (d - $5)^2 > 1e-6 * d^2 || least != $6 || at != $7) exit 1; t = 1 }
     $1 == "never" { if ($2 != 0 || $3 != n) exit 1; u = 1 }
     END { exit !(n == 40 && t && u) }' j1.out || { fail "statistics"; tail -n 4 j1.out; }
run json --measures j.json mc.cir
grep -q '"name": "t50", "runs": 40, "failed": 0, "mean": ' j.json || fail "no statistics in JSON"

# ---- a density of the deck's own: 1 from -1 to -0.5, nothing up to 0, then rising to 2 at 1: a third and two thirds, of these
# a quarter below 0.5, and a mean of 1/3 (-3/4) + 2/3 2/3; within 4.5 standard deviations of 4000 draws
printf 'own\n.probe64\nI1 0 a 1\nR1 a 0 rm 1\n.model rm RES (R=1 DEV/own=10%%)
.distribution own (-1,1) (-0.5,1) (-0.5,0) (0,0) (1,2)\n.op\n.measure op r find v(a)\n.mc 4000 seed=5\n.end\n' >own.cir
run own own.cir
awk '$1 ~ /^[0-9]+$/ { d = ($2 - 1) / 0.1; n++; s += d; low += d < -0.5; none += d > -0.5 && d < 0; half += d > 0 && d < 0.5
                       bad += d < -1 - 1e-9 || d > 1 + 1e-9 }
     END { exit !(n == 4000 && !bad && !none && (low / n - 1 / 3)^2 < 0.0336^2 && (half / n - 1 / 6)^2 < 0.0266^2 &&
                  (s / n - 7 / 36)^2 < 0.05^2) }' own.out || { fail "a distribution of the deck's own"; tail -n 3 own.out; cat own.err; }
sed 's/^\.distribution.*/.distribution own (-1,1) (-2,1)/' own.cir >amiss.cir
run amiss amiss.cir && fail "a distribution that is none"
grep -q "expected points (deviation,density)" amiss.err || { fail "a distribution that is none: no message"; cat amiss.err; }

# ---- the same alone, through any card, with any other sweeps ----
deck all '.tran 10n 5u\n.mc 12 seed=3'
"$KNOTEN" -q --format csv -o all.csv all.cir >/dev/null 2>&1
# alone NAME CARDS: run 11 is that of the twelve
alone()
{
    deck alone "$2"
    "$KNOTEN" -q --format csv -o alone.csv alone.cir >/dev/null 2>err || { fail "$1"; cat err; return; }
    grep '^11,' all.csv >expected
    grep '^11,' alone.csv | cmp - expected || fail "$1: run 11 is another one"
    [ -s expected ] || fail "no rows of run 11"
}
alone "firstrun" '.tran 10n 5u\n.mc 1 firstrun=11 seed=3'
alone "list" '.tran 10n 5u\n.mc list 9:11 2 seed=3'
alone "HSPICE's words" '.tran 10n 5u sweep monte=3 firstrun=9\n.options seed=3'
alone "HSPICE's list" '.tran 10n 5u sweep monte=list (9:11 2)\n.options seed=3'
alone "LTspice's step" '.tran 10n 5u\n.step param run 9 11 1\n.options seed=3'
deck alone '.tran 10n 5u\n.mc 1 firstrun=11'
"$KNOTEN" -q --seed 3 --format csv -o alone.csv alone.cir >/dev/null 2>&1
grep '^11,' alone.csv | cmp - expected || fail "--seed: run 11 is another one"
"$KNOTEN" -q --seed 4 --format csv -o alone.csv alone.cir >/dev/null 2>&1
grep '^11,' alone.csv | cmp -s - expected && fail "--seed does nothing"

# ---- nominal ----
deck nominal '.tran 10n 5u'
run nominal nominal.cir || fail "nominal run"
grep -q 'note: the random values of the deck (.*) are the nominal ones' nominal.err || { fail "nominal values are not said"; cat nominal.err; }
[ "$(grep -c "note: the random" nominal.err)" -eq 1 ] || fail "nominal values are not said once"

# ---- results of one analysis in a formula of another ----
cat >wander.cir <<'END'
results that wander
V1 a 0 AC 1 DC 1 PULSE(0 1 0 1n 1n 1 2)
R1 a b {r}
C1 b 0 1n
.param r=1k
.ac dec 3 1k 1meg
.tran 1u 10u
.meas ac g FIND vm(b) AT=100k
.meas tran t PARAM='2*g'
.step param r list 1k 2k
.end
END
"$KNOTEN" -q -j 2 -o wander.raw wander.cir >out 2>err || { fail "results that wander"; cat err; }
[ ! -s err ] || { fail "results that wander: something is said"; cat err; }
awk '/^ +[0-9]/ { for (i = 1; i <= NF; i++) v[++n] = $i } END { exit !(n == 8 && (v[6] - 2 * v[2])^2 < 1e-10 && (v[8] - 2 * v[4])^2 < 1e-10) }' out ||
    { fail "results that wander"; cat out; }
[ "$(grep -c '^ *r  *[gt]$' out)" -eq 2 ] || { fail "results of two analyses have one heading"; cat out; }
"$KNOTEN" -o /dev/full mc.cir >out 2>err && fail "a full disk"
[ ! -e /dev/full.journal ] || fail "a journal beside a device"

# ---- tables ----
cat >data.cir <<'END'
a table
V1 a 0 2
R1 a b {r}
R2 b 0 {s}
.param r=1 s=1
.data tab r s
1k 1k
2k
+ 1k
3k 6k
.enddata
.tran 1u 2u sweep data=tab
.dc V1 0 4 4 sweep data=tab
.end
END
"$KNOTEN" -q --format csv -o data.csv data.cir 2>err || { fail "a table"; cat err; }
sed -n '/^r,s,v(v-sweep)/,/^$/p' data.csv | cut -d, -f1-3,5 | sed 1d | tr '\n' ' ' >got
[ "$(cat got)" = '1000,1000,0,0 1000,1000,4,2 2000,1000,0,0 2000,1000,4,1.3333333333333333 3000,6000,0,0 3000,6000,4,2.6666666666666665  ' ] ||
    { fail "rows of a table"; cat got; }
[ "$(grep -c '^3000,6000,[0-9.e-]*,2,' data.csv)" -gt 1 ] || fail "no transient of the table's last row"

printf 'same\nV1 a 0 1\nR1 a 0 1k\n.op\n.mc 3\n.end\n' >same.cir
run same same.cir || fail "runs without random values"
[ "$(grep -c "same.cir:5:5: warning: '.mc': nothing in the deck is random" same.err)" -eq 1 ] || { fail "runs that are the same are not said"; cat same.err; }

# ---- mistakes, all in one run, before anything is simulated ----
cat >bad.cir <<'END'
mistakes
V1 a 0 1
R1 a 0 {agauss(1k)}
R2 a 0 {mc(1k,v(a))}
.op
END
"$KNOTEN" bad.cir >out 2>err && fail "mistakes are taken"
for said in "bad.cir:3:9: error: function 'agauss' takes at least 2 arguments, not 1" 'the arguments of mc() must be constant'; do
    grep -qF "$said" err || { fail "not said: $said"; cat err; }
done
cat >bad.cir <<'END'
mistakes
V1 a 0 1
R1 a 0 {r}
.param r=1k
.data tab r
1k x
.enddata
.data two r
.enddata
.tran 1u 2u sweep data=tub
.tran 1u 2u sweep data=tab
.tran 1u 2u sweep data=two
.tran 1u 2u sweep monte=0
.tran 1u 2u sweep monte=2.5
.mc
.mc 3 seed=-1
.options seed=abc
.end
END
"$KNOTEN" bad.cir >out 2>err && fail "mistakes are taken"
for said in "10:19: error: '.tran': there is no table 'tub'" "did you mean 'tab'?" "6:4: error: '.data': expected a number" \
    "'.data': each row needs a number for each name" "there are 1 names and 0 numbers" \
    "13:19: error: '.tran': the number of runs is a whole number from 1" "14:19: error" "15:1: error: '.mc': the number" \
    "16:7: error: the seed must be a whole number" "17:10: error: the seed must be"; do
    grep -qF -- "$said" err || { fail "not said: $said"; cat err; }
done
[ ! -s out ] || fail "something was simulated in spite of mistakes"

# ---- against ngspice: the drawn values written in by hand ----
[ -n "$ngspice" ] || { [ "$failures" -gt 0 ] || skip "ngspice is not installed"; finish; }
printf 'drawn\nV1 a 0 1\nR1 a b {agauss(1k,100,1)}\nV2 b 0 0\nR2 a c {unif(2k,0.3)}\nV3 c 0 0\n.op\n.mc 3\n.end\n' >drawn.cir
"$KNOTEN" -q --format csv -o drawn.csv drawn.cir >/dev/null || fail "drawn values"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
         { printf "%.17g %.17g\n", 1 / $at["i(v2)"], 1 / $at["i(v3)"] }' drawn.csv >resistors
number=0
while read -r first second; do
    number=$((number + 1))
    printf 'by hand\nV1 a 0 PULSE(0 1 0 1n 1n 1 2)\nR1 a b %s\nC1 b 0 1n\nR2 b c %s\nC2 c 0 1n\n.tran 10n 3u\n.end\n' "$first" "$second" >hand.cir
    printf 'drawn\nV1 a 0 PULSE(0 1 0 1n 1n 1 2)\nR1 a b {agauss(1k,100,1)}\nC1 b 0 1n\nR2 b c {unif(2k,0.3)}\nC2 c 0 1n\n.tran 10n 3u\n.meas tran last FIND v(c) AT=2.5u\n.mc 1 firstrun=%d\n.end\n' $number >drawn.cir
    timeout 20 "$ngspice" -b -r hand.raw hand.cir >/dev/null 2>&1
    printf 'load\n.control\nload hand.raw\nmeas tran last FIND v(c) AT=2.5u\nquit\n.endc\n.end\n' >load.cir
    theirs=$(timeout 20 "$ngspice" -b load.cir 2>/dev/null | awk '$1 == "last" { print $3 }')
    ours=$("$KNOTEN" -q drawn.cir 2>/dev/null | awk -v run=$number '$1 == run { print $2 }')
    awk -v a="$ours" -v b="$theirs" 'BEGIN { exit !(a > 0 && (a - b)^2 < 1e-6 * b^2) }' || fail "run $number: $ours, ngspice $theirs"
done <resistors

# Yields: the parts of the runs within LBOUND and UBOUND, counted in the table of the runs.
cat >yield.cir <<'END_OF_DECK'
yields
.param r={unif(1k,0.1)} c={unif(1u,0.2)}
V1 in 0 PULSE(0 1 0 1n 1n 1 2)
R1 in out {r}
C1 out 0 {c}
.tran 10u 3m
.measure tran slow WHEN v(out)=0.5 LBOUND=0.6m UBOUND=0.75m
.measure tran top MAX v(out) LBOUND=0.945
.measure tran free MAX v(out)
.mc 200 seed=5
.end
END_OF_DECK
"$KNOTEN" -q yield.cir -o yield.raw >out 2>err || { fail "yields: exit status"; cat err; }
awk 'NF == 4 && $1 + 0 > 0 { n++; a = $2 >= 0.6e-3 && $2 <= 0.75e-3; b = $3 >= 0.945; slow += a; top += b; both += a && b }
     $1 == "slow" && /yield/ { said_slow = $(NF - 1) } $1 == "top" && /yield/ { said_top = $(NF - 1) }
     $1 == "free" && /yield/ { exit 2 } /^Within all bounds/ { said_both = $4 }
     END { exit !(n == 200 && slow < n && slow > 0 && both < top && said_slow == 100 * slow / n &&
                  said_top == 100 * top / n && said_both == 100 * both / n) }' out || { fail "yields"; tail -6 out; }

finish
