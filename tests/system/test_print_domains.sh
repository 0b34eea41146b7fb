#!/bin/sh
# A .print card concerns the analysis it names and no other of the deck.
. "$(dirname "$0")/common.sh"

# tables CARD..: "title:rows" of each table that is shown with these cards.
tables()
{
    { printf 'many\nV1 in 0 DC 1 AC 1 SIN(1 1 1k)\nR1 in out 1k\nC1 out 0 1u\n.op\n.dc v1 0 1 0.5\n.ac lin 3 1k 3k\n'
      printf '.tran 1m 4m\n.pss 1k points=16 harms=4\n.noise v(out) v1 lin 2 1k 2k\n'
      printf '%s\n' "$@" .end; } >"$scratch/k.cir"
    "$KNOTEN" "$scratch/k.cir" -q -o "$scratch/k.raw" >"$scratch/out" 2>"$scratch/err" ||
        { fail "$*: exit status $?"; cat "$scratch/err"; }
    awk '/^ *[-0-9]/ { rows++; next } /^ / { next } { if (rows) printf "%s:%d ", title, rows; rows = 0; title = $0 }
         END { if (rows) printf "%s:%d", title, rows }' "$scratch/out"
}
expect()
{
    wanted=$1
    shift
    got=$(tables "$@")
    [ "$got" = "$wanted" ] || fail "$*: '$got' instead of '$wanted'"
}
dc='DC transfer characteristic:3 ' ac='AC Analysis:3 ' tran='Transient Analysis:5 '
pss='Periodic Steady State:17 Periodic Steady State Harmonics:5'
expect '' '.temp 27'
expect "$dc" '.print dc v(out)'
expect "$dc" '.print dc v(out)*2'
expect "$ac" '.print ac vdb(out)'
expect "${tran% }" '.print tran v(out)'
expect "${tran% }" '.print tran v(out)/2'
expect "$pss" '.print pss v(out) i(v1)'
expect "$ac$pss" '.print ac vp(out)' '.print pss v(out)'
expect 'Noise Spectral Density Curves:2 ' '.print noise onoise'
expect "$dc$ac$tran$pss" '.print v(out)'
# Those whose results are listed in any case take no vectors.
for analysis in tf four fft sens; do
    expect '' ".print $analysis v(out)"
    grep -q "'.print $analysis' is ignored" "$scratch/err" || { fail "$analysis"; cat "$scratch/err"; }
done

# Nor do tables of steps that no .print is of fail where there is one of another analysis.
for card in '.tf v(out) v1' '.pz v(out) v1' '.sens v(out)' '.sens v(out) ac lin 1 1k 1k' '.noise v(out) v1 lin 2 1k 2k' \
    '.tran 10u 5m
.four 1k v(out)' '.tran 10u 5m
.fft v(out) np=16' '.disto lin 2 1k 2k'; do
    for print in '.print v(out)' '.print dc v(out)' '.print ac vp(out)' '.print tran v(out)'; do
        printf 'steps\nV1 in 0 DC 1 AC 1 SIN(1 1 1k) DISTOF1\nR1 in out 1k\nC1 out 0 1u\n%s\n%s\n%s\n.end\n' "$card" "$print" \
            '.step r1 1k 2k 1k' >"$scratch/k.cir"
        "$KNOTEN" "$scratch/k.cir" -q -o "$scratch/k.raw" >"$scratch/out" 2>"$scratch/err" ||
            { fail "$card with $print: exit status $?"; cat "$scratch/err"; }
    done
done

finish
