# common.sh - what the programs of bench/ that run knoten and ngspice share; sourced, not run.
#
# KNOTEN=   the program; default: build/knoten of this repository, else the path
# NGSPICE=  ngspice; default: the path
# LIMIT=    seconds of the processor after which a run is given up; 60

LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")" && pwd)
source=$(dirname "$here")
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
limit=${LIMIT:-60}

die() { printf 'bench/%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

find_knoten()
{
    [ -z "${KNOTEN:-}" ] || return 0
    KNOTEN=$source/build/knoten
    [ -x "$KNOTEN" ] || KNOTEN=$(command -v knoten) || die "no knoten; build it in $source/build or set KNOTEN="
}

find_ngspice()
{
    ngspice=${NGSPICE:-$(command -v ngspice)} || die "no ngspice; install it (Debian: apt install ngspice) or set NGSPICE="
}

versions()
{
    printf '%s; %s\n' "$("$KNOTEN" --version | head -n 1)" \
        "$([ -z "$ngspice" ] || "$ngspice" --version 2>/dev/null | sed -n 's/.*\(ngspice-[^ ]*\).*/\1/p' | head -n 1)"
}

# The meter and the comparer are helper programs of the test-suite; they need nothing but a C compiler.
compile_tools()
{
    for tool in "peak_memory peak_memory.c" "compare_raw compare_raw.c waveforms.c"; do
        (cd "$source/tests/tools" &&
            ${CC:-cc} -std=c17 -D_XOPEN_SOURCE=700 -O2 -o "$scratch/"$tool -lm) || die "cannot compile ${tool%% *}"
    done
}

# deck KIND:SIZE >FILE
deck()
{
    case ${1%:*} in
    switches | shared | comparisons | corners | lines | bipolar | models | coils) generator=scaling.awk ;;
    *) generator=large.awk ;;
    esac
    awk -v kind="${1%:*}" -v n="${1#*:}" -v amplifier="$here/ua741.cir" -f "$here/$generator" || die "no deck $1"
}

# measured COMMAND..: one run within the limit; "KILOBYTES SECONDS PROCESSOR" goes to $scratch/once, the rest to
# $scratch/log.  ulimit counts the time of the processor, as the meter does: others on the machine do not matter.  What waits
# for ten times as long ends as well.
measured()
{
    (ulimit -t "$limit" && timeout $((10 * limit)) "$scratch/peak_memory" "$scratch/once" "$@") >"$scratch/log" 2>&1
}

# knoten_runs DECK RESULT [OPTION]..; ngspice_runs DECK RESULT [RELTOL].  ngspice evaluates BSIM in threads of OpenMP, which spin where
# they wait: its processor time was 1.2 to 6.6 s of a run of 0.3 s.  With one thread both count alike; it reads that from ~/.spiceinit.
knoten_runs()
{
    file=$1 result=$2
    shift 2
    measured "$KNOTEN" "$@" -o "$result" "$file"
}
ngspice_runs()
{
    file=$1
    [ $# -lt 3 ] || { sed '/^\.end *$/d' "$1"; printf '.options reltol=%s\n.end\n' "$3"; } >"$scratch/ngspice.cir"
    [ $# -lt 3 ] || file=$scratch/ngspice.cir
    echo "set num_threads=1" >"$scratch/.spiceinit"
    measured env HOME="$scratch" "$ngspice" -b -r "$2" "$file" && [ -s "$2" ]
}

median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
# column NUMBER FILE: its median
column() { cut -d ' ' -f "$1" "$2" | median; }

# error RESULT REFERENCE: largest deviation in per cent, "-" where one is missing or has one row only.
error()
{
    [ -s "$1" ] && [ -s "$2" ] || { echo -; return; }
    "$scratch/compare_raw" "$1" "$2" --limit 1e9 |
        sed -n 's/.*= *\([0-9.]*\) %.*/\1/p' | sort -n | tail -n 1 | grep . || echo -
}
