#!/bin/sh
# Fixed steps: --step, .tran step= and .options step, for every method; grids, breakpoints, closed recursions, failures.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1

run()
{
    "$KNOTEN" "$@" --history steps.csv --format csv -o rows.csv >out 2>err || fail "$*: exit status $?: $(cat err)"
}

# expect LABEL NUMBER EXPECTED RELATIVE
expect()
{
    awk -v a="$2" -v b="$3" -v r="$4" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(d <= r * (b < 0 ? -b : b)) }' || fail "$1: $2, not $3"
}

cat >rc.cir <<'END'
a capacitor discharges: v = exp(-t / 1 us)
R1 out 0 1k
C1 out 0 1n ic=1
.tran 0.1u 4u uic
.end
END

# Every method takes 20 steps of 0.2 us, whatever their errors are, and the rows are its points.
for method in $("$KNOTEN" --help | sed -n '/--method /,/--reltol/s/^ \{21\}\([a-z0-9]*\) .*/\1/p'); do
    run rc.cir --method "$method" --step 0.2u
    awk -F, 'NR > 1 && ($6 != "accepted" || ($3 - 2e-7) ^ 2 > 1e-34 || $10 != (NR == 21 ? "breakpoint" : "fixed")) { bad = 1 }
             END { exit bad || NR != 21 }' steps.csv || fail "$method: steps are not 20 of 0.2 us"
    [ "$(wc -l <rows.csv)" = 22 ] || fail "$method: rows are not the points of the method"
    expect "$method" "$(tail -n 1 rows.csv | cut -d, -f2)" 0.018315638888734 0.5
done

# Stability functions (Hairer and Wanner 1996, IV.3): R(-z)^n of z = h/RC = 0.2; BDF of order 2 behind its first step by Radau.
value()
{
    run rc.cir --method "$1" --step 0.2u
    tail -n 1 rows.csv | cut -d, -f2
}
expect euler "$(value euler)" "$(awk 'BEGIN { printf "%.9g", (1 / 1.2) ^ 20 }')" 1e-5
expect radau5 "$(value radau5)" "$(awk 'BEGIN { z = -0.2; printf "%.9g", ((1 + 2 * z / 5 + z * z / 20) / (1 - 3 * z / 5 + 3 * z * z / 20 - z ^ 3 / 60)) ^ 20 }')" 1e-5
expect gauss2 "$(value gauss2)" "$(awk 'BEGIN { printf "%.9g", (0.9 / 1.1) ^ 20 }')" 1e-5
expect gauss4 "$(value gauss4)" "$(awk 'BEGIN { z = -0.2; printf "%.9g", ((1 + z / 2 + z * z / 12) / (1 - z / 2 + z * z / 12)) ^ 20 }')" 1e-5
expect trbdf2 "$(value trbdf2)" "$(awk 'BEGIN { z = -0.2; g = 2 - sqrt(2); m = (1 + g * z / 2) / (1 - g * z / 2)
    printf "%.9g", ((m - (1 - g) ^ 2) / (g * (2 - g)) / (1 - (1 - g) / (2 - g) * z)) ^ 20 }')" 1e-3
expect bdf "$(value bdf)" "$(awk 'BEGIN { z = -0.2; a = 1; b = (1 + 2 * z / 5 + z * z / 20) / (1 - 3 * z / 5 + 3 * z * z / 20 - z ^ 3 / 60)
    for (n = 2; n <= 20; n++) { c = (4 * b - a) / (3 - 2 * z); a = b; b = c } printf "%.9g", b }')" 1e-5
value bdf >/dev/null
[ "$(sed -n 2p steps.csv | cut -d, -f4,5)" = radau5,5 ] && [ "$(sed -n 3p steps.csv | cut -d, -f4,5)" = bdf,2 ] || fail "bdf does not start with a step of radau5"
run rc.cir --method bdf --maxord 4 --step 0.2u
[ "$(grep -c ',bdf,4,accepted,' steps.csv)" = 17 ] || fail "bdf of order 4 does not take 17 of 20 steps itself"
grep -q ',bdf,4,accepted,,"",' steps.csv || fail "an error that is not known is not left empty"
run rc.cir --method radau --maxord 9 --step 0.2u
[ "$(grep -c ',radau,9,accepted,' steps.csv)" = 20 ] || fail "radau does not keep order 9"

# Breakpoints are met exactly, the steps between them are equal and no longer.
printf 'corners\nV1 in 0 PULSE(0 1 1u 1n 1n 5u)\nR1 in out 1k\nC1 out 0 1n\n.tran 0.1u 10u step=0.3u\n.end\n' >pulse.cir
for method in bdf trap radau rodas; do
    run pulse.cir --method $method
    for at in 1e-6 1.001e-6 6.001e-6 6.002e-6; do
        awk -F, -v at=$at 'NR > 1 && ($2 + $3 - at) ^ 2 < 1e-40 && $10 == "breakpoint" { hit = 1 } END { exit !hit }' steps.csv || fail "$method: no step ends at $at"
    done
    awk -F, 'NR > 1 && ($3 > 3.0000001e-7 || $6 != "accepted") { bad = 1 } NR > 1 && $2 < 0.99e-6 && ($3 - 2.5e-7) ^ 2 > 1e-30 { bad = 1 }
             END { exit bad }' steps.csv || fail "$method: the steps to 1 us are not four of 0.25 us"
done

# Who says it last: the command line, the card, .options.
steps_of()
{
    run "$@" --method trap
    awk 'END { print NR - 1 }' steps.csv
}
sed 's/uic/step=0.4u uic/' rc.cir >card.cir
sed 's/^\.end/.options step=0.8u\n.end/' rc.cir >option.cir
sed 's/^\.end/.options step=0.8u\n.end/' card.cir >both.cir
[ "$(steps_of card.cir) $(steps_of option.cir) $(steps_of both.cir) $(steps_of both.cir --step 1u)" = "10 5 10 4" ] || fail "precedence of steps"

# Nonsense has a place; a step that Newton's method cannot make ends the run, with the rows so far.
for bad in 0 -1u 5u 1e-20; do
    sed "s/uic/step=$bad uic/" rc.cir >bad.cir
    "$KNOTEN" bad.cir -o none.raw >out 2>err && fail "step=$bad is taken"
    grep -q "bad.cir:4:20: error: '.tran'" err || fail "step=$bad: no place: $(cat err)"
done
sed 's/^\.end/.options step=-1\n.end/' rc.cir >bad.cir
"$KNOTEN" bad.cir -o none.raw >out 2>err && fail ".options step=-1 is taken"
"$KNOTEN" rc.cir --step 0 -o none.raw >out 2>err
[ $? -eq 2 ] || fail "--step 0 is taken"
cat >none.cir <<'END'
v(a) - v(in) + v(a)^2 + 2 = 0 has no solution for inputs below 1.75 V
V1 in 0 PWL(0 5 10u -5)
R1 in a 1
B1 a 0 I=2 + v(a)*v(a)
.tran 0.1u 10u step=0.25u
.end
END
for method in bdf trap radau; do
    "$KNOTEN" none.cir --method $method --history steps.csv --format csv -o rows.csv >out 2>err && fail "$method: equations without a solution are solved"
    grep -q 'could not be solved in the fixed step of' err || fail "$method: $(cat err)"
    tail -n 1 steps.csv | grep -qv accepted || fail "$method: the failed attempt is not in the history"
done
# Methods without Newton's iteration go on, and a note says how far off they are; it is not said where nothing is wrong.
for method in rodas limex; do
    run none.cir --method $method
    grep -q 'fixed steps exceeds the tolerance, most that of v(a)' err || fail "$method: no note: $(cat err)"
done
run rc.cir --method radau5 --step 20n
! grep -q 'exceeds the tolerance' err || fail "a note about errors that are small"
finish
