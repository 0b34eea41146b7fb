#!/bin/sh
# The Schmitt trigger of examples/ switches at the two thresholds that its comments derive.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
deck=$KNOTEN_SOURCE/examples/schmitt-trigger.cir
"$KNOTEN" --quiet --reltol 1e-5 --format csv -o "$scratch/out.csv" "$deck"

# The numbers of the deck's own comments are the expectation.
up=$(sed -n 's/^\* *rising  input: \([0-9.]*\) V.*/\1/p' "$deck")
down=$(sed -n 's/^\* *falling input: \([0-9.]*\) V.*/\1/p' "$deck")
awk -F, -v up="$up" -v down="$down" '
  function away(a, b) { return a > b ? a - b : b - a }
  NR == 1 {
    for (i = 1; i <= NF; i++) column[tolower($i)] = i
    input = column["v(in)"]; output = column["v(5)"]
    next
  }
  NR > 2 && ($output > 3.9) != high { crossings++; at[crossings] = (last + $input) / 2; risen[crossings] = $output > 3.9 }
  { high = $output > 3.9; last = $input; if ($output > most) most = $output }
  END {
    printf "expected %s V up and %s V down; %d crossings: %.4f V, %.4f V; highest output %.4f V\n", \
      up, down, crossings, at[1], at[2], most
    good = crossings == 2 && risen[1] && !risen[2] && away(at[1], up) < 3e-3 && away(at[2], down) < 3e-3 && \
      away(most, 5) < 1e-3
    exit !good
  }' "$scratch/out.csv"
