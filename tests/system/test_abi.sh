#!/bin/sh
# What programs were compiled against stays: sizes and offsets of structs, numbers of enums, parameters of functions, symbols
# and their versions,
# as tests/abi/knoten.abi has them.  What is new goes into that file behind what was there (scripts/abi writes it).
set -eu
[ "$(uname -m)" = x86_64 ] || exit 77
command -v nm >/dev/null || exit 77
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$KNOTEN_SOURCE"

"$KNOTEN_SOURCE/scripts/abi" "$KNOTEN_BUILD" >"$scratch/now"
diff -u tests/abi/knoten.abi "$scratch/now" || {
  echo "the binary interface has changed: programs that were built before break, unless only lines are new at the end of a" \
    "struct with a size or of the symbols; then scripts/abi $KNOTEN_BUILD > tests/abi/knoten.abi" >&2
  exit 1
}

# Every struct and function of the header is looked at.
for struct in $(sed -n 's/^struct \(kn_[a-z_]*\) {$/\1/p' include/knoten.h); do
  grep -q "^struct $struct " tests/abi/knoten.abi || { echo "tests/abi/layout.c does not know struct $struct" >&2; exit 1; }
done
for function in $(grep -o 'kn_[a-z_]*(' include/knoten.h | tr -d '(' | sort -u); do
  grep -q "^$function@@" tests/abi/knoten.abi || { echo "$function is declared, but libknoten.so does not have it" >&2; exit 1; }
done
# Nothing else is to be seen from outside.
! nm -D --defined-only "$KNOTEN_BUILD/libknoten.so" | awk '{ print $3 }' | grep -v '^kn_\|^KNOTEN_'

# The structs of the Python package are the same.
python=/usr/bin/python3
if [ -d python/knoten ] && [ -x $python ] && $python -c 'import numpy' 2>/dev/null && ! grep -q '^KNOTEN_SANITIZE:[A-Z]*=ON' "$KNOTEN_BUILD/CMakeCache.txt"; then
  KNOTEN_LIBRARY=$KNOTEN_BUILD/libknoten.so.0 PYTHONPATH=python $python - tests/abi/knoten.abi <<'END'
import ctypes, re, sys
from knoten import _library
names = {"Location": "kn_location", "Diagnostic": "kn_diagnostic", "Column": "kn_column", "Table": "kn_table",
         "Sink": "kn_sink", "Measurement": "kn_measurement", "Partner": "kn_partner", "Options": "kn_options",
         "Summary": "kn_summary", "ResultsTable": "kn_results_table", "Vector": "kn_vector", "Set": "kn_set",
         "Sets": "kn_sets", "Index": "kn_index", "Compared": "kn_compared"}
text = open(sys.argv[1]).read()
for python, c in names.items():
    struct = getattr(_library, python)
    members = [int(o) for o in re.findall(rf"^  {c}\.\w+ (\d+)$", text, re.M)]
    own = [getattr(struct, name).offset for name, _ in struct._fields_]
    size = int(re.search(rf"^struct {c} (\d+)$", text, re.M).group(1))
    assert own == members and size == ctypes.sizeof(struct), f"python/knoten/_library.py: {python} is not struct {c}: {own} {members}"
END
fi
