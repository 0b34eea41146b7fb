#!/bin/sh
# knoten compare: what the table says agrees with a closed form, failures are shown, the plot is drawn where gnuplot is.
. "$KNOTEN_SOURCE/tests/system/common.sh"
cd "$scratch" || exit 1

cat >rc.cir <<'END'
RC behind a "sine" of 'one' volt
V1 in 0 SIN(0 1 1k)
R1 in out 1k
C1 out 0 100n
.save v(out)
.tran 10u 3m
.end
END

"$KNOTEN" compare rc.cir --methods bdf,radau,trap --tol 1e-3:1e-6 --format csv --runs 1 >table.csv 2>err ||
    fail "compare rc.cir failed: $(cat err)"
[ "$(wc -l <table.csv)" -eq 13 ] || fail "3 methods at 4 tolerances are not 12 rows"
awk -F, 'NR > 1 && $3 != "ok" { bad = 1 } END { exit bad }' table.csv || fail "a method failed on an RC circuit"

# A smaller tolerance gives a smaller error (a factor of ten tolerance must be worth two at least) for more steps.
awk -F, 'NR > 1 && $1 == last && $1 != "radau" && !($4 < before / 2 && $6 > steps) { bad = 1 }
  NR > 1 && $4 > 300 * $2 { bad = 1 }
  { last = $1; before = $4; steps = $6 } END { exit bad }' table.csv || fail "errors do not follow the tolerances"

# Radau is not its own judge, nor is BDF.
grep -q '^radau,.*,\(rodas\|bdf\),' table.csv || fail "radau is not judged by another method"
grep -q '^bdf,.*,radau,' table.csv || fail "bdf is not judged by radau"
awk -F, 'NR == 2 { exit !($12 < 1e-8) }' table.csv || fail "the references differ by more than 1e-8"

# The final error it states for BDF is the one against the closed form: at whole periods the steady state of v(out) is
# -wT/(1 + (wT)^2), the transient has died out to exp(-30).
"$KNOTEN" --quiet rc.cir --method bdf --reltol 1e-4 --format csv -o bdf.csv || fail "knoten rc.cir failed"
tail -n 1 bdf.csv | awk -F, -v stated="$(awk -F, '$1 == "bdf" && $2 == "1e-04" { print $5 }' table.csv)" '
  { w = 2 * 3.14159265358979 * 1000 * 1e-4; exact = -w / (1 + w * w) + w / (1 + w * w) * exp(-30)
    range = 2 / sqrt(1 + w * w); error = ($2 - exact) / range; if (error < 0) error = -error
    exit !(error < 1.2 * stated + 1e-9 && stated < 1.2 * error + 1e-9) }' || fail "the stated final error is not the true one"

"$KNOTEN" compare rc.cir --tol 1e-3:1e-4 --runs 1 >table.txt 2>err || fail "compare --methods all failed: $(cat err)"
for method in $("$KNOTEN" run --help | sed -n '/--method /,/--reltol/s/^ \{21\}\([a-z0-9]*\) .*/\1/p'); do
    grep -q "^$method " table.txt || fail "$method is not in the table of all methods"
done
grep -q '^reference: radau at reltol 1e-07' table.txt || fail "the reference is not stated"

grep -q '^limex, to learn from: good for smooth circuits.*; .*behind a rectifier' table.txt ||
    fail "where limex fails is not in the table"
! grep -q '^bdf, to learn from' table.txt || fail "bdf is called a method to learn from"

# What fails is shown as such and does not end the comparison.
"$KNOTEN" compare rc.cir --methods euler,bdf --tol 1e-9 --runs 1 --limit 0.002 >limit.txt 2>err
grep -q '^euler .*given up' limit.txt || fail "a run that takes too long is not shown as given up"
grep -q '^bdf .*1e-09 *[0-9]' limit.txt || grep -q '^bdf .*given up' limit.txt || fail "the comparison ended early"

# Rows appear as they are measured, and an interrupted comparison keeps them: this one would take ten seconds.
sed 's/^\.tran.*/.tran 10u 3m 0 30n/' rc.cir >slow.cir
"$KNOTEN" compare slow.cir --methods bdf,radau --tol 1e-3:1e-9 --runs 20 >slow.txt 2>err &
program=$!
waited=0
until grep -q '^bdf  *1e-03' slow.txt || [ $waited -ge 600 ]; do
    waited=$((waited + 1))
    sleep 0.1
done
kill -TERM $program
wait $program
[ $? -eq 1 ] || fail "an interrupted comparison does not end with status 1"
grep -q '^bdf  *1e-03 .*v(out)$' slow.txt || fail "rows do not appear before the end"
grep -q '^reference: ' slow.txt || fail "an interrupted comparison does not state its reference"
grep -q 'interrupted' err || fail "an interrupted comparison does not say so"
! grep -q '^radau' slow.txt || fail "the comparison was at its end before it was interrupted"

# Nor does a method that cannot use an option of the deck, even where it would have judged others.
cat >ggl.cir <<'END'
C-V loop, hidden constraint stated
V1 in 0 SIN(0 1 1k)
C1 in 0 1u
R1 in out 1k
C2 out 0 100n
.options ggl
.tran 10u 1m
.end
END
"$KNOTEN" compare ggl.cir --methods rodas,radau --tol 1e-3 --format csv --runs 1 >table.csv 2>err || fail "compare ggl.cir failed: $(cat err)"
awk -F, '$1 == "radau" { good = $3 == "ok" } $1 == "rodas" && $3 == "ok" { good = 0 } END { exit !good }' table.csv ||
    fail "radau is not compared, or rodas is not refused, where hidden constraints are stated"

expect_usage()
{
    "$KNOTEN" compare "$@" >out 2>err
    [ $? -eq 2 ] || fail "compare $*: exit status is not 2"
}
expect_usage
expect_usage rc.cir --methods radua
grep -q "did you mean 'radau'" err || fail "no correction for radua"
expect_usage rc.cir --tol 1e-9:1e-3
expect_usage rc.cir -o plot.pdf
expect_usage missing.cir
printf 'operating point only\nV1 a 0 1\nR1 a 0 1k\n.op\n.end\n' >op.cir
expect_usage op.cir
grep -q 'no transient analysis' err || fail "a deck without .tran is not explained"

# Plots: drawn with gnuplot, and without it the table and a note.
if command -v gnuplot >/dev/null; then
    for plot in plot.svg plot.png; do
        "$KNOTEN" compare rc.cir --methods bdf,trap --tol 1e-3:1e-5 --runs 1 -o "$plot" >out 2>err || fail "$plot: $(cat err)"
        [ -s "$plot" ] || fail "$plot is empty"
    done
    grep -q '<svg' plot.svg || fail "plot.svg is no SVG"
    grep -q '>bdf<\|bdf</' plot.svg || fail "plot.svg does not name its curves"
fi
program=$(cd "$(dirname "$KNOTEN")" && pwd)/$(basename "$KNOTEN")
mkdir empty
PATH=$scratch/empty "$program" compare rc.cir --methods bdf --tol 1e-3 --runs 1 -o none.svg >out 2>err ||
    fail "without gnuplot the exit status is not 0"
grep -q 'gnuplot is not installed' err || fail "no note about gnuplot"
grep -q '^bdf' out || fail "without gnuplot there is no table"
[ ! -e none.svg ] || fail "none.svg exists"
finish
