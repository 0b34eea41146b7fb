#!/bin/sh
# Raw files are what other programs of the SPICE family read: ngspice loads binary and ASCII ones, finds every vector
# with its points, and writes them out again unchanged.
. "$(dirname "$0")/common.sh"

[ -n "$ngspice" ] || skip "ngspice is not installed"

# reload FORMAT NAME: through ngspice and back, in both formats ngspice writes.
reload()
{
    "$KNOTEN" "$KNOTEN_SOURCE/examples/$2.cir" --format "$1" -o "$scratch/$2.raw" --quiet >"$scratch/out" 2>&1 ||
        { fail "$2: exit status $?"; cat "$scratch/out"; return; }
    cat >"$scratch/load.cir" <<END
load and write
.control
load $scratch/$2.raw
set filetype=binary
write $scratch/$2.binary all
set filetype=ascii
set numdgt=16
write $scratch/$2.ascii all
echo loaded \$curplottitle, \$curplotname, points:
print length(time)
quit
.endc
.end
END
    "$ngspice" -b "$scratch/load.cir" >"$scratch/log" 2>&1
    grep -qiE '(^|[^a-z])(error|warning)' "$scratch/log" && { fail "$2 $1: ngspice complains"; cat "$scratch/log"; }
    for copy in binary ascii; do
        "$tools/compare_raw" "$scratch/$2.$copy" "$scratch/$2.raw" --limit 1e-9 --least "$3" >"$scratch/table" ||
            { fail "$2 $1: changed on the way through ngspice ($copy)"; cat "$scratch/table" "$scratch/log"; }
    done
    points=$(sed -n 's/^No. Points: *//p' "$scratch/$2.raw" | head -n 1)
    [ "$points" -gt 1 ] || fail "$2 $1: header says '$points' points"
    again=$(sed -n 's/^No. Points: *//p' "$scratch/$2.ascii" | head -n 1)
    [ "$points" -eq "$again" ] || fail "$2 $1: $points points became $again"
}

# deck and its number of vectors besides time
for format in raw ascii; do
    reload $format rc 3
    reload $format transformer 4
    reload $format latch 4
    reload $format opamp-filter 13
done

# The header is plain: what viewers look for, and who wrote it.
"$KNOTEN" "$KNOTEN_SOURCE/examples/rc.cir" -o "$scratch/h.raw" --quiet >"$scratch/out" 2>&1
head -n 12 "$scratch/h.raw" | tr -d '\000' >"$scratch/header"
for line in 'Title: RC low-pass' 'Date:' 'Plotname: Transient Analysis' 'Flags: real' 'No. Variables: ' 'No. Points: '; do
    grep -qaF "$line" "$scratch/header" || fail "header lacks '$line'"
done
grep -qai knoten "$scratch/header" || fail "header does not name the program"

# Both formats hold the same numbers.
"$KNOTEN" "$KNOTEN_SOURCE/examples/rc.cir" --format ascii -o "$scratch/a.raw" --quiet >"$scratch/out" 2>&1
"$KNOTEN" "$KNOTEN_SOURCE/examples/rc.cir" --format csv -o "$scratch/c.csv" --quiet >"$scratch/out" 2>&1
"$tools/compare_raw" "$scratch/a.raw" "$scratch/h.raw" --limit 1e-12 --least 3 || fail "ASCII and binary differ"
"$tools/compare_raw" "$scratch/c.csv" "$scratch/h.raw" --limit 1e-12 --least 3 || fail "CSV and binary differ"

# A deck with .op and .tran holds both plots.
sed 's/^\.tran/.op\n&/' "$KNOTEN_SOURCE/examples/rc.cir" >"$scratch/both.cir"
(cd "$scratch" && "$KNOTEN" both.cir --quiet >out 2>&1) || fail "op and tran in one deck: exit status $?"
[ "$(grep -ac '^Plotname: ' "$scratch/both.raw")" -eq 2 ] || fail "op and tran in one deck: not two plots in both.raw"

finish
