# common.sh - what the tests of the program share; sourced, not run.
#
# The build gives KNOTEN (the program), KNOTEN_SOURCE and KNOTEN_BUILD.  Each test works in a scratch folder of its own
# ($scratch, removed at the end), calls `fail` for each broken claim and ends with `finish`.

set -u
: "${KNOTEN:?path of the program}" "${KNOTEN_SOURCE:?source folder}" "${KNOTEN_BUILD:?build folder}"
LC_ALL=C
export LC_ALL
tools=$KNOTEN_BUILD/tests/tools
failures=0
scratch=$(mktemp -d) || exit 1
broken=$scratch.broken # a line for each broken claim, also of subshells, such as a function behind a pipe
trap 'rm -rf "$scratch" "$broken"' EXIT
trap 'exit 1' HUP INT TERM

fail()
{
    failures=$((failures + 1))
    printf 'FAILED: %s\n' "$*" | tee -a "$broken"
}

skip()
{
    printf 'skipped: %s\n' "$*"
    exit 77
}

finish()
{
    [ ! -s "$broken" ] || { printf '%d claim(s) failed\n' "$(wc -l <"$broken")"; exit 1; }
    printf 'all claims hold\n'
    exit 0
}

# Finds ngspice: NGSPICE= or the path; empty when there is none.
ngspice=${NGSPICE:-$(command -v ngspice || true)}

# ngspice_run DECK RAW: in batch; true when it wrote the file.
ngspice_run()
{
    "$ngspice" -b -r "$2" "$1" >"$2.log" 2>&1
    [ -s "$2" ] || { tail -n 5 "$2.log"; return 1; }
}

# value NAME COLUMN EXPECTED TOLERANCE: in the first row of $scratch/k.csv.
value()
{
    awk -F, -v name="$1" -v column="$2" -v expected="$3" -v tolerance="$4" '
        NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i; next }
        NR == 2 {
            if (!(column in place)) { print name ": no " column; exit 1 }
            e = $place[column] - expected
            if (!(e <= tolerance && e >= -tolerance)) { print name ": " column " = " $place[column]; exit 1 }
            exit 0
        }' "$scratch/k.csv" >"$scratch/table" || { fail "$1"; cat "$scratch/table"; }
}

# said TEXT: the program's messages in $scratch/out hold it.
said()
{
    grep -q "$1" "$scratch/out" || { fail "expected: $1"; cat "$scratch/out"; }
}
