#!/bin/sh
# --history FILE: every attempt of a step with what limits it.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1

# deck TRAN: an RC circuit behind a pulse whose corners are at 1, 1.001, 6.001 and 6.002 us.
deck()
{
    printf 'rc\nV1 in 0 PULSE(0 1 1u 1n 1n 5u)\nR1 in out 1k\nC1 out 0 1n\n.tran %s\n.end\n' "$1" >rc.cir
}

run()
{
    "$KNOTEN" rc.cir --history steps.csv -o rows.raw "$@" >out 2>err || fail "exit status $?: $(cat err)"
}

# count WORD COLUMN
count()
{
    awk -F, -v w="$1" -v c="$2" 'NR > 1 && $c == w { n++ } END { print n + 0 }' steps.csv
}

# Order 5 needs no step for the error of this exponential.
for method in auto bdf radau rodasp trap; do
    deck '0.1u 10u'
    run --method $method
    accepted=$(sed -n 's/.* \([0-9]*\) steps accepted.*/\1/p' err) rejected=$(sed -n 's/.*accepted, \([0-9]*\) rejected.*/\1/p' err)
    [ "$(count accepted 6)" = "$accepted" ] || fail "$method: $(count accepted 6) lines of accepted steps, not $accepted"
    [ "$(awk 'END { print NR - 1 }' steps.csv)" = $((accepted + rejected)) ] || fail "$method: lines are not accepted and rejected steps"
    # Accepted steps lie end to end from 0 to tstop; rejected ones begin where they do and are longer than what follows.
    awk -F, 'NR > 1 && ($2 - t) ^ 2 > 1e-36 { bad = 1 }
             NR > 1 && $6 == "accepted" { t += $3; if ($7 > 1) bad = 1 }
             NR > 1 && $6 != "accepted" && $7 <= 1 { bad = 1 }
             END { exit bad || (t - 1e-5) ^ 2 > 1e-36 }' steps.csv || fail "$method: steps are not end to end"
    for at in 1e-6 1.001e-6 6.001e-6 6.002e-6; do
        awk -F, -v at=$at '$6 == "accepted" && $10 == "breakpoint" && ($2 + $3 - at) ^ 2 < 1e-36 { hit = 1 } END { exit !hit }' steps.csv ||
            fail "$method: no step ends at the corner $at for a breakpoint"
    done
    [ "$method" = radau ] || [ "$(count error 10)" -ge 3 ] || fail "$method: no step is limited by its error"
    [ "$(count start 10)" -ge 1 ] || fail "$method: no first step"
done

deck '0.1u 10u 0 50n'
run --method bdf
[ "$(count tmax 10)" -gt 100 ] || fail "steps of tmax are not called so"
awk -F, '$10 == "tmax" && ($3 - 5e-8) ^ 2 > 1e-24 { bad = 1 } END { exit bad }' steps.csv || fail "steps limited by tmax are not as long"

# Several runs are numbered; the method that auto uses is named.
deck '0.1u 10u
.tran 1u 10u'
run
[ "$(cut -d, -f1 steps.csv | sort -u | tr '\n' ' ')" = "1 2 transient " ] || fail "transients are not numbered"
[ "$(count auto 4)" = 0 ] && [ "$(count rodasp 4)" -gt 10 ] || fail "the methods are not those of the steps"

# Standard output; a file that cannot be written; the deck.
"$KNOTEN" rc.cir -q --history - -o rows.raw >out 2>err && head -n 1 out | grep -q '^transient,time,step,method' || fail "not on standard output"
"$KNOTEN" rc.cir --history nosuch/steps.csv -o rows.raw >out 2>err && fail "a file in no folder is written"
grep -q "cannot write 'nosuch/steps.csv'" err || fail "no message: $(cat err)"
"$KNOTEN" rc.cir --history rc.cir -o rows.raw >out 2>err && fail "the deck is overwritten"
grep -q '^R1' rc.cir || fail "the deck is lost"

finish
