#!/bin/sh
# The Python package, installed by pip as docs/python.md says: doctests of the page and of the package, results against
# the program's to the last bit, raw files of others, exceptions, callbacks, notebooks' pictures.
set -eu
python=/usr/bin/python3
[ -x $python ] && $python -c 'import numpy' 2>/dev/null || exit 77
grep -q '^KNOTEN_SANITIZE:[A-Z]*=ON' "$KNOTEN_BUILD/CMakeCache.txt" && exit 77
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r "$KNOTEN_SOURCE/python" "$scratch/python"
cp "$KNOTEN_SOURCE/CMakeLists.txt" "$scratch"
cd "$scratch"
export KNOTEN_LIBRARY="$KNOTEN_BUILD/libknoten.so.0" HOME="$scratch" MPLCONFIGDIR="$scratch"
installed=no
if $python -c 'import setuptools' 2>/dev/null && $python -c 'import pip' 2>/dev/null; then
  installed=yes
  $python -m pip install --quiet --no-build-isolation --no-deps --no-index --target "$scratch/site" "$scratch/python" >pip.log 2>&1 ||
    { cat pip.log; exit 1; }
  [ -e "$scratch/site/knoten/py.typed" ]
else
  mv python site
fi
rm -rf python
export PYTHONPATH="$scratch/site"
# Its version is the library's, and where it says the library is not there, it says what to do.
[ $installed = no ] || $python -c "import knoten, importlib.metadata as m
assert knoten.__version__ == m.version('knoten'), (knoten.__version__, m.version('knoten'))"
KNOTEN_LIBRARY=$scratch/none.so $python -c 'import knoten' 2>&1 | grep -q 'ImportError.*KNOTEN_LIBRARY'

$python - "$KNOTEN_SOURCE" <<'END'
import doctest, importlib, sys
failed = 0
for name in ("knoten", "knoten.circuit", "knoten.transient"):
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0, name
    failed += result.failed
page = doctest.testfile(sys.argv[1] + "/docs/python.md", module_relative=False)
assert page.attempted > 20
sys.exit(1 if failed or page.failed else 0)
END
$python "$KNOTEN_SOURCE/tests/python/checks.py" "$KNOTEN" "$KNOTEN_SOURCE"
if command -v mypy >/dev/null; then mypy --ignore-missing-imports "$scratch/site/knoten" >mypy.log || { cat mypy.log; exit 1; }; fi
