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
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

fail()
{
    failures=$((failures + 1))
    printf 'FAILED: %s\n' "$*"
}

skip()
{
    printf 'skipped: %s\n' "$*"
    exit 77
}

finish()
{
    [ "$failures" -eq 0 ] || { printf '%d claim(s) failed\n' "$failures"; exit 1; }
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
