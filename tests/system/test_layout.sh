#!/bin/sh
# The folder arrows: a file includes headers of its own folder and of folders to its left only, by paths rooted at the
# repository; functions and files stay short enough to be read.
set -eu
cd "$KNOTEN_SOURCE"
failures=0

fail() {
  echo "$*" >&2
  failures=$((failures + 1))
}

# Folder, then what it may include besides itself and knoten.h: folders (a room below it is named on its own), headers.
arrows='
base
netlist/expression base netlist/circuit.h
netlist/deck base netlist netlist/expression
netlist/expand base netlist netlist/expression netlist/deck
netlist base netlist/expression netlist/expand
devices base netlist netlist/expression
devices/linear base devices
devices/source base devices devices/linear
devices/semiconductor base devices devices/linear
sparse base
integrators base sparse
integrators/multistep base sparse integrators
integrators/radau base sparse integrators
integrators/rosenbrock base sparse integrators
integrators/study base sparse integrators
mna base netlist devices sparse integrators/dae.h integrators/newton.h
mna/linear base sparse
mna/topology base netlist devices mna
mna/index base netlist sparse mna mna/linear mna/topology
mna/start base netlist devices sparse integrators/dae.h integrators/newton.h mna mna/linear mna/topology mna/index
mna/equations base netlist devices mna mna/topology
mna/stabilised base sparse integrators/dae.h mna/linear
mna/watch base mna mna/topology mna/index
output base
analyses base netlist netlist/expression devices sparse integrators integrators/study mna mna/linear mna/topology mna/index mna/start mna/equations mna/stabilised mna/watch output analyses/compare/verify.h
analyses/compare base netlist integrators mna mna/index output analyses
analyses/check base netlist integrators mna mna/topology mna/index mna/start analyses analyses/compare
analyses/explain base netlist mna mna/linear mna/topology mna/index mna/start mna/equations analyses analyses/check
cli base netlist netlist/expression devices integrators output analyses analyses/compare analyses/check analyses/explain
'

folders=$(echo "$arrows" | sed -n 's/^\([a-z][a-z/]*\).*/\1/p')

allowed() { # folder header
  [ "$2" = knoten.h ] && return 0
  [ "${2%/*}" = "$1" ] && return 0
  case $2 in
  *_scanner.h | *_parser.h) # generated from the folder's own grammars
    [ -e "$1/${2%_*}.l" ] || [ -e "$1/${2%_*}.y" ]
    return ;;
  esac
  for target in $(echo "$arrows" | sed -n "s|^$1 ||p"); do
    [ "$2" = "$target" ] || [ "${2%/*}" = "$target" ] && return 0
  done
  return 1
}

checked=0
for folder in $folders; do
  for file in "$folder"/*.[chly]; do
    [ -e "$file" ] || continue
    for header in $(sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$file"); do
      checked=$((checked + 1))
      allowed "$folder" "$header" || fail "$file includes \"$header\" against the arrows"
    done
  done
done
[ "$checked" -gt 50 ] || fail "only $checked includes found: the check itself is broken"

# KLU is known to sparse/ only, and nothing but the program prints or exits.
for file in */*.[chly] */*/*.[chly]; do
  case $file in
  build*) continue ;;
  cli/* | tests/* | sparse/*) ;;
  *) ! grep -n '#include <\(suitesparse/\)\{0,1\}klu' "$file" >&2 || fail "$file uses KLU directly" ;;
  esac
  case $file in
  cli/* | tests/* | bench/*) continue ;;
  esac
  ! grep -nE '(^|[^_a-z.>])(exit|abort|printf|puts|perror) *\(' "$file" >&2 || fail "$file prints or exits"
  ! grep -nE '\bstd(out|err)\b' "$file" >&2 || fail "$file knows the standard streams"
done

# Every folder of sources is in the list above.
for file in */*.[chly] */*/*.[chly]; do
  folder=${file%/*}
  case $folder in
  include | tests | tests/* | bench | bench/* | build*) continue ;;
  esac
  echo "$arrows" | grep -qE "^$folder( |$)" || fail "folder $folder is not in the layout"
done

# A folder holds what one can keep in mind.
for folder in $folders; do
  files=$(find "$folder" -maxdepth 1 -name '*.[chly]' | wc -l)
  [ "$files" -le 30 ] || fail "$folder holds $files files; make rooms in it"
done

for file in */*.[chly] */*/*.[chly]; do
  case $file in
  build*) continue ;;
  tests/*) most=900 ;;
  *) most=700 ;;
  esac
  lines=$(wc -l <"$file")
  [ "$lines" -le $most ] || fail "$file has $lines lines; split it by idea"
  head -n 1 "$file" | grep -qE '^(/\*|%\{|%|//)' || fail "$file does not begin with a comment that says what it is for"
done

echo "$checked includes checked, $failures complaints"
[ "$failures" -eq 0 ]
