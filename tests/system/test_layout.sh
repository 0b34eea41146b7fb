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

# Folder, then what it may include besides itself and knoten.h. A path with .h is that header only.
arrows='
base
netlist base
devices base netlist
sparse base
integrators base sparse
mna base netlist devices sparse integrators/dae.h integrators/newton.h
output base
analyses base netlist devices sparse integrators mna output
cli base netlist devices integrators analyses output
'

allowed() { # folder header
  case $2 in
  knoten.h | "$1"/*) return 0 ;;
  *_scanner.h | *_parser.h) # generated from the folder's own grammars
    [ -e "$1/${2%_*}.l" ] || [ -e "$1/${2%_*}.y" ]
    return ;;
  esac
  for target in $(echo "$arrows" | sed -n "s/^$1 //p"); do
    case $target in
    *.h) [ "$2" = "$target" ] && return 0 ;;
    *) [ "${2%%/*}" = "$target" ] && [ "$2" != "${2#*/}" ] && return 0 ;;
    esac
  done
  return 1
}

checked=0
for folder in $(echo "$arrows" | sed -n 's/^\([a-z]\{1,\}\).*/\1/p'); do
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
for file in */*.[chly]; do
  case $file in
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
for file in */*.[chly]; do
  folder=${file%%/*}
  case $folder in
  include | tests | bench) continue ;;
  build*) continue ;;
  esac
  echo "$arrows" | grep -q "^$folder\b" || fail "folder $folder is not in the layout"
done

for file in */*.[chly] tests/*/*.[ch]; do
  case $file in build*) continue ;; esac
  lines=$(wc -l <"$file")
  [ "$lines" -le 900 ] || fail "$file has $lines lines; split it by idea"
  head -n 1 "$file" | grep -qE '^(/\*|%\{|%|//)' || fail "$file does not begin with a comment that says what it is for"
done

echo "$checked includes checked, $failures complaints"
[ "$failures" -eq 0 ]
