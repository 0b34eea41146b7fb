#!/bin/sh
# ngspice loads the raw files, binary and ASCII, without a complaint and with every bit of every value.
set -eu
ngspice=${NGSPICE:-ngspice}
command -v "$ngspice" >/dev/null 2>&1 || {
  echo "ngspice is not installed"
  exit 77
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cat >deck.cir <<'END'
Raw files for ngspice
V1 in 0 SIN(0 1 1k)
R1 in out 1k
C1 out 0 100n
X1 out part
.subckt part a
R1 a mid 10k
R2 mid 0 10k
.ends
.op
.tran 10u 3m
.end
END

for format in raw ascii; do
  "$KNOTEN" --quiet --format $format -o $format.raw deck.cir >/dev/null
  cat >load-$format.cir <<END
* load
.control
set numdgt=17
set wr_singlescale
set wr_vecnames
load $format.raw
display
print out_of_op
wrdata $format.txt time v(in) v(out) v(x1.mid) i(v1)
setplot previous
wrdata $format.op v(out)
quit
.endc
.end
END
  sed -i '/out_of_op/d' load-$format.cir
  "$ngspice" -b load-$format.cir >$format.log 2>&1 || true
  ! grep -iE 'error|warning|strange|no such|can.t' $format.log || {
    cat $format.log
    exit 1
  }
  grep -q 'Transient Analysis' $format.log
  [ -s $format.txt ]
done
"$KNOTEN" --quiet --format csv -o all.csv deck.cir >/dev/null
cmp raw.txt ascii.txt

# The same numbers as in the CSV file, compared as 17 digit decimals, which name a double uniquely.
awk -F, 'part == 2 { print } /^$/ { part = 2 }' all.csv >tran.csv
columns=$(head -n 1 tran.csv | tr '[:upper:]' '[:lower:]' | tr , '\n' | grep -n . |
  awk -F: '{ at[$2] = $1 } END { print at["time"], at["v(in)"], at["v(out)"], at["v(x1.mid)"], at["i(v1)"] }')
awk -F, -v columns="$columns" 'BEGIN { n = split(columns, at, " ") }
  NR > 1 { for (i = 1; i <= n; i++) printf "%.16e%s", $at[i], i < n ? " " : "\n" }' tran.csv >ours.txt
awk 'NR > 1 { printf "%.16e %.16e %.16e %.16e %.16e\n", $2, $3, $4, $5, $6 }' raw.txt >theirs.txt
rows=$(wc -l <ours.txt)
[ "$rows" -gt 100 ]
cmp ours.txt theirs.txt
echo "$rows rows agree in every digit"
