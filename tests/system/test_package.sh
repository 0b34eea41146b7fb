#!/bin/sh
# What is installed is complete, and Debian packages of it hold what they should, depend on what they need, run, and are
# without errors for lintian.
. "$KNOTEN_SOURCE/tests/system/common.sh"
! grep -q '^KNOTEN_SANITIZE:[A-Z]*=ON' "$KNOTEN_BUILD/CMakeCache.txt" || skip "sanitizers are not for packages"

# ---- the version stands in one place ----

version=$("$KNOTEN" --version | cut -d ' ' -f 2)
grep -q "^project(knoten VERSION $version " "$KNOTEN_SOURCE/CMakeLists.txt" || fail "version $version is not CMake's"
grep -m 1 '^## ' "$KNOTEN_SOURCE/CHANGELOG.md" | grep -q "^## $version, 20..-..-..$" || fail "CHANGELOG.md does not begin with $version"

# ---- cmake --install ----

usr=$scratch/usr
cmake --install "$KNOTEN_BUILD" --prefix "$usr" >"$scratch/log" 2>&1 || { fail "cmake --install"; cat "$scratch/log"; }
for file in bin/knoten include/knoten.h share/man/man1/knoten.1.gz share/man/man1/knoten-check.1.gz \
    share/bash-completion/completions/knoten share/zsh/*/_knoten share/knoten/examples/rectifier.cir share/doc/knoten/manual.md \
    share/doc/knoten/course/02-index.md share/doc/knoten/decks/cv-loop.cir share/doc/knoten/copyright lib*/libknoten.so lib*/libknoten.a; do
    found=$(cd "$usr" && ls -d $file 2>/dev/null)
    [ -n "$found" ] && [ -s "$usr/$found" ] || fail "$file is not installed"
done
[ "$("$usr/bin/knoten" --version)" = "knoten $version" ] || fail "the installed program"
for command in $("$KNOTEN" --help | sed -n 's/^  knoten \([a-z][a-z]*\)\( .*\)*$/\1/p'); do
    [ -s "$usr/share/man/man1/knoten-$command.1.gz" ] || fail "no manual page of knoten $command"
done
if command -v man >/dev/null; then
    LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l "$usr/share/man/man1/knoten.1.gz" >"$scratch/page" 2>"$scratch/err"
    [ -s "$scratch/page" ] && [ ! -s "$scratch/err" ] || { fail "man knoten"; cat "$scratch/err"; }
fi

# ---- packages ----

command -v cpack >/dev/null && command -v dpkg-shlibdeps >/dev/null && command -v dpkg-deb >/dev/null || finish
mkdir "$scratch/packages"
cd "$scratch/packages" || exit 1
# CPackDeb asks file(1) for each of 120 files by way of `cmake -E env`, which takes three times as long to start as env.
cat >"$scratch/cmake" <<'END'
#!/bin/sh
[ "$1 $2" = '-E env' ] || exec cmake "$@"
shift 2
exec env "$@"
END
chmod +x "$scratch/cmake"
cpack -G DEB --config "$KNOTEN_BUILD/CPackConfig.cmake" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip -D CMAKE_COMMAND="$scratch/cmake" -B . >log 2>&1 ||
    { fail "cpack"; tail -n 5 log; finish; }
package=$(ls knoten_"$version"_*.deb) || fail "no package"
dpkg-deb -f "$package" Depends >depends
for needed in 'libc6 (>=' libklu liblapack3; do
    grep -q "$needed" depends || fail "the package does not depend on $needed: $(cat depends)"
done
! grep -q -i mpi depends || fail "the package depends on MPI"
[ "$(dpkg-deb -f "$package" Version)" = "$version" ] || fail "version of the package"
dpkg-deb -x "$package" root || fail "dpkg-deb -x"
cp root/usr/share/knoten/examples/rectifier.cir .
root/usr/bin/knoten -q rectifier.cir && [ -s rectifier.raw ] || fail "the packaged program does not run"
dpkg-deb -c python3-knoten_*.deb >contents
grep -q ' ./usr/lib/python3/dist-packages/knoten/__init__.py$' contents || fail "no Python package"
dpkg-deb -f python3-knoten_*.deb Depends | grep -q "knoten (= $version).*python3-numpy" || fail "the Python package without the library"
for mpi in knoten-mpi_*.deb; do
    [ ! -e "$mpi" ] || dpkg-deb -f "$mpi" Depends | grep -q "knoten (= $version)" || fail "knoten-mpi of another version"
done
if command -v lintian >/dev/null; then
    lintian --fail-on error ./*.deb >lint 2>&1 || { fail "lintian"; grep '^E' lint; }
fi
finish
