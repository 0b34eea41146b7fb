# program.sh - tests of what the program says and how it ends, in a scratch folder of their own; sourced, not run.
set -u
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
unset NO_COLOR COLUMNS LINES LANG LC_CTYPE
export LC_ALL=C
failures=0

fail() {
  echo "FAILED: $*" >&2
  sed 's/^/  out: /' out >&2
  sed 's/^/  err: /' err >&2
  failures=$((failures + 1))
}

# expect STATUS ARGUMENTS..: runs knoten; its output is in out and err.
expect() {
  wanted=$1
  shift
  "$KNOTEN" "$@" >out 2>err
  status=$?
  [ "$status" -eq "$wanted" ] || fail "knoten $*: exit status $status, expected $wanted"
}
