#!/bin/sh
# The closing line of limex: a rectifier is of index 1, however stiff, unless its source, a junction's capacitance and
# the capacitor make a C-V loop, whose current is of index 2.
. "$KNOTEN_SOURCE/tests/system/common.sh"

# half|bridge  capacitance  load  junctions  reltol
rectifier() {
    if [ "$1" = half ]
    then branches='D1 in out dm'
    else branches='D1 in out dm
D2 0 out dm
D3 m in dm
D4 m 0 dm
R2 m 0 1meg'
    fi
    back=$([ "$1" = half ] && echo 0 || echo m)
    cat <<END_OF_DECK
rectifier
V1 in 0 SIN(0 10 50)
$branches
C1 out $back $2
R1 out $back $3
.model dm D(is=1e-14 $4)
.tran 100u 60m
.options reltol=$5
.end
END_OF_DECK
}

for kind in half bridge
do
    for capacitance in 1u 100u 1m
    do
        for junction in '' 'cjo=20p' 'cjo=20p tt=5n rs=0.1'
        do
            for reltol in 1e-2 1e-3 1e-4
            do
                rectifier $kind $capacitance 1k "$junction" $reltol > deck.cir
                "$KNOTEN" --method limex -o out.raw deck.cir > log 2>&1 || fail "$kind $capacitance $junction $reltol"
                [ "$junction" != cjo=20p ] && grep -q 'of index' log && fail "index of $kind $capacitance $junction $reltol: $(tail -n 1 log)"
                grep -q 'of index 3' log && fail "index 3 of $kind $capacitance $junction $reltol: $(tail -n 1 log)"
            done
        done
    done
done

cat > deck.cir <<'END_OF_DECK'
loop
V1 a 0 SIN(0 1 1k)
C1 a 0 1u
R1 a b 1k
C2 b 0 1u
.tran 10u 5m
.end
END_OF_DECK
"$KNOTEN" --method limex -o out.raw deck.cir > log 2>&1
grep -q 'steps i(v1) behaved like an unknown of index 2' log || fail "index 2 is observed: $(tail -n 1 log)"

# Who chooses a method to learn from is told where it fails.
rectifier half 1u 1k '' 1e-3 >deck.cir
for method in limex dae4sf gauss2 bdf auto; do
    "$KNOTEN" --method $method -o out.raw deck.cir >log 2>&1 || fail "$method runs"
    case $method in
    bdf | auto) if grep 'to learn from' log; then fail "$method is no method to learn from"; fi ;;
    *) grep -q "note: $method is a method to learn from, good for .*: it .* tolerances" log || fail "$method says where it fails" ;;
    esac
done

finish
