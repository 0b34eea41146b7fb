#!/bin/sh
# Every command of README.md works: the blocks marked sh run one after the other in a fresh copy of the sources.
# `scripts/test` is what runs this very test; the block that holds nothing else is not run again.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# What is built by the commands takes most of the test's time.  Under scripts/test with ccache it has the objects already, where they
# are compiled with these flags; else nothing is optimised.
if [ "${CMAKE_C_COMPILER_LAUNCHER-}" = ccache ]; then
  export CCACHE_DIR="${CCACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/ccache}" CMAKE_BUILD_TYPE=None CFLAGS="-O3 -DNDEBUG"
else
  export CMAKE_BUILD_TYPE=Debug CFLAGS=-g0
fi
export HOME="$scratch/home" LC_ALL=C.UTF-8
mkdir "$HOME" "$scratch/copy"
cd "$KNOTEN_SOURCE"
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
  git ls-files -z --cached --others --exclude-standard | tar -c --null --ignore-failed-read -T - -f - | tar -x -C "$scratch/copy" -f -
else
  tar -c --exclude='./build*' -f - . | tar -x -C "$scratch/copy" -f -
fi
awk -v folder="$scratch" -v kind=sh -f "$KNOTEN_SOURCE/tests/system/blocks.awk" README.md >"$scratch/count"
[ "$(cat "$scratch/count")" -ge 5 ] || {
  echo "only $(cat "$scratch/count") blocks of commands found in README.md"
  exit 1
}

cd "$scratch/copy"
for block in "$scratch"/block*; do
  [ "$(cat "$block")" != scripts/test ] || continue
  echo "---- $(head -n 1 "$block") .."
  sh -eu "$block" >"$scratch/log" 2>&1 || {
    echo "failed:"
    cat "$block" "$scratch/log"
    exit 1
  }
  cp "$scratch/log" "$block.log"
done

# What the text around the commands promises.
says() {
  cat "$scratch"/block*.log | grep -q "$1" || {
    echo "no command of README.md printed '$1'"
    exit 1
  }
}
says '━━ v(5)'
says 'exit status 1'
says 'I1'
says 'I2'
for file in schmitt-trigger.raw rectifier.raw rectifier.csv "$HOME/.local/bin/knoten" "$HOME/.local/include/knoten.h"; do
  [ -s "$file" ] || {
    echo "$file is missing"
    exit 1
  }
done
# Its links lead somewhere.
for target in $(grep -o '](\([^)#]*\))' README.md | tr -d '()]' | grep -v '^http'); do
  [ -e "$target" ] || {
    echo "README.md links to $target, which does not exist"
    exit 1
  }
done
echo "every command of README.md works"
