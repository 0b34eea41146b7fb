#!/bin/sh
# The installed library, as a program finds it: docs/api.md is followed, with pkg-config and with CMake; the examples say
# what circuits of their kind must give.
set -eu
command -v pkg-config >/dev/null || exit 77
grep -q '^KNOTEN_SANITIZE:[A-Z]*=ON' "$KNOTEN_BUILD/CMakeCache.txt" && exit 77
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
HOME=$scratch/home
export HOME
mkdir -p "$HOME"
cmake --install "$KNOTEN_BUILD" --prefix "$HOME/.local" >"$scratch/install.log" 2>&1 || { tail "$scratch/install.log"; exit 1; }
cp -r "$KNOTEN_SOURCE/examples" "$scratch/examples"
cd "$scratch"

# The blocks of commands of the page, in one shell; `cmake --install` was above.
awk '/^```sh$/ { on = 1; next } /^```$/ { on = 0 } on' "$KNOTEN_SOURCE/docs/api.md" | grep -v '^cmake --install' >commands
[ "$(wc -l <commands)" -ge 6 ]
sh -eu commands >out 2>err || { cat out err; exit 1; }

fail() {
  echo "$*" >&2
  cat out err >&2
  exit 1
}
[ ! -s err ] || fail "there are messages"
# 1 - e^(-t/RC) of each row, to a part of 1e-5.
awk 'NF == 3 && $1 + 0 > 0 && $2 ~ /^0\./ { n++; if (($2 - $3) ^ 2 > 1e-10) exit 1 } END { exit n != 4 }' out ||
  fail "the sweep is not that of a low-pass"
awk '$2 == "ms" { v = $3; n++ } END { exit !(n == 10 && (v - 5) ^ 2 < 0.03 ^ 2) }' out || fail "the controller does not hold 5 V"
grep -q '^index 2, 0 degrees of freedom' out || fail "no index"
grep -q '^C-V loop: V1 C1$' out || fail "no loop"
grep -q '^L-I cutset: L1 I2$' out || fail "no cutset"
# Every block of C on the page is a program's, with what the comment in front of it says is given.
awk '/^<!-- given: / { given = substr($0, 13); sub(/ -->$/, "", given) }
  /^```c$/ { on = 1; n++; printf "void block%d(%s)\n{\n", n, given == "" ? "void" : given; given = ""; next }
  on && /^```$/ { on = 0; print "}\n"; next }
  on { print }
  BEGIN { print "#include <knoten.h>\n#include <math.h>\n#include <stdio.h>\nvoid block0(void);" }' \
  "$KNOTEN_SOURCE/docs/api.md" >blocks.c
[ "$(grep -c '^void block[1-9]' blocks.c)" -eq "$(grep -c '^```c$' "$KNOTEN_SOURCE/docs/api.md")" ] || fail "blocks of C are lost"
grep -q '^void block2' blocks.c || fail "there are no two blocks of C"
# shellcheck disable=SC2046
cc -std=c17 -Wall -Wextra -Werror -Wno-unused -Wno-unused-but-set-variable -c -o blocks.o blocks.c \
  $(PKG_CONFIG_PATH=$HOME/.local/lib/pkgconfig pkg-config --cflags knoten) 2>err || fail "the page's C"
# With CMake, and with C++, which reads the header as well.
[ -x cmake-build/buck ] || fail "CMake has built nothing"
if command -v c++ >/dev/null; then
  printf '#include <knoten.h>\nint main() { return kn_version()[0] == 0; }\n' >cxx.cpp
  # shellcheck disable=SC2046
  PKG_CONFIG_PATH=$HOME/.local/lib/pkgconfig c++ -Wall -Wextra -Werror -pedantic -o cxx cxx.cpp \
    $(PKG_CONFIG_PATH=$HOME/.local/lib/pkgconfig pkg-config --cflags --libs knoten)
  LD_LIBRARY_PATH=$HOME/.local/lib ./cxx
fi
# The name that programs ask for at run time.
readelf -d "$HOME/.local/lib/libknoten.so" 2>/dev/null | grep -q 'SONAME.*libknoten.so.0' || fail "no soname"
