#!/bin/sh
# .pss finds the orbit of a Colpitts oscillator whose base drifts for 7 ms, 13,000 periods, from 3.1 V to -1.1 V and swings by
# 0.3 mV: the period is that which .measure finds behind 20 ms of .tran at reltol=1e-4, 0.5124810 us.
. "$(dirname "$0")/common.sh"

for case in '.pss 2meg osc=c|1e-3' '.pss 2meg|1e-3' '.pss 1.8meg osc=e|1e-3' '.pss 2.3meg|1e-4' '.pss 2meg osc=c|1e-5'; do
    cat >"$scratch/k.cir" <<DECK
a Colpitts oscillator
Vcc cc 0 10
Rb1 cc b 22k
Rb2 b 0 10k
Cb b 0 1u
L1 cc c 10u
C1 c e 1n
C2 e 0 2n
Re e 0 1k
Q1 c b e qn
.model qn npn is=1e-15 bf=100 cje=2p cjc=1p tf=0.1n
.options reltol=${case#*|}
${case%|*}
.end
DECK
    "$KNOTEN" "$scratch/k.cir" -o "$scratch/k.raw" >"$scratch/out" 2>&1 || { fail "$case"; cat "$scratch/out"; continue; }
    sed -n 's/.*period \([^ ]*\) s .*/\1/p' "$scratch/out" |
        awk '{ found = 1; off = $1 / 5.124810e-07 - 1; bad = off * off > 1e-8 } END { exit bad || !found }' ||
        { fail "$case: another period"; cat "$scratch/out"; }
done

finish
