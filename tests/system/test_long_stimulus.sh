#!/bin/sh
# A file of 300,000 rows for d_source is read at once: each row goes behind the last one. (Looking for its place among all took
# over a minute.) Row n, of n ns, has n mod 2.
. "$KNOTEN_SOURCE/tests/system/common.sh"
cd "$scratch" || exit 1
awk 'BEGIN { for (n = 0; n < 300000; n++) printf "%.9e %ds\n", n * 1e-9, n % 2 }' >rows.txt
cat >deck.cir <<'END'
title
A1 [d] source
A2 [d] [a] dac
R1 a 0 1k
.model source d_source(input_file="rows.txt")
.model dac dac_bridge(out_low=0 out_high=1 t_rise=0.1n t_fall=0.1n)
.tran 1n 10n
.measure tran low find v(a) at=4.5n
.measure tran high find v(a) at=5.5n
.end
END
timeout 20 "$KNOTEN" deck.cir -o deck.raw >out 2>&1 </dev/null || fail "exit status $?"
grep -q 'low  *0 ' out || fail "no 0 in row 4"
grep -q 'high  *1 ' out || fail "no 1 in row 5"
[ "$failures" = 0 ] || cat out
finish
