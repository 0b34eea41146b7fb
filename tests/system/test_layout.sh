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
netlist/functions base netlist/dialect.h
netlist/expression base netlist/circuit.h netlist/dialect.h netlist/functions
netlist/deck base netlist netlist/expression
netlist/expand base netlist netlist/expression netlist/deck netlist/formulas
netlist/expand/sources base netlist netlist/expression netlist/deck netlist/formulas netlist/expand
netlist/formulas base netlist netlist/expression netlist/deck netlist/expand
netlist/additions base netlist netlist/deck netlist/expand netlist/formulas
netlist/ports base netlist netlist/expression netlist/deck netlist/expand netlist/formulas/line_modes.h
netlist/requests base netlist netlist/functions netlist/expression netlist/deck netlist/expand netlist/formulas
netlist base netlist/functions netlist/expression netlist/deck netlist/expand
devices base netlist netlist/expression
devices/linear base devices
devices/microstrip base devices devices/linear
devices/magnetic base devices
devices/source base devices devices/linear
devices/channel base
devices/junction base devices
devices/semiconductor base devices devices/linear devices/channel devices/junction
devices/power base devices devices/channel devices/junction devices/semiconductor
devices/bsim base devices devices/channel devices/junction devices/semiconductor
devices/bsim3 base devices devices/bsim devices/channel devices/junction devices/semiconductor
devices/bsim4 base devices devices/bsim devices/channel devices/junction devices/semiconductor
devices/bsimsoi base devices devices/bsim devices/channel devices/junction devices/semiconductor
devices/vbic base devices devices/junction devices/semiconductor
devices/mesfet base devices devices/channel devices/junction devices/semiconductor
devices/bipolar base devices devices/junction devices/semiconductor
devices/behavioural base netlist netlist/expression devices devices/linear sparse/lapack.h
devices/memory base
devices/logic base devices devices/memory netlist netlist/expression
devices/code_models base devices/microstrip devices devices/memory netlist netlist/expression devices/behavioural/network.h devices/junction/junction.h
sparse base
sparse/factors base sparse
integrators base sparse
integrators/drive base sparse integrators
integrators/multistep base sparse integrators
integrators/radau base sparse integrators
integrators/rosenbrock base sparse integrators
integrators/study base sparse integrators integrators/rosenbrock
mna base netlist devices sparse integrators/dae.h integrators/newton.h
mna/topology base netlist devices mna
mna/index base netlist sparse mna mna/topology
mna/start base netlist devices sparse integrators/dae.h integrators/newton.h mna mna/topology mna/index mna/start/hidden mna/stabilised/cutset_equations.h
mna/start/hidden base sparse integrators/dae.h mna mna/index mna/start
mna/equations base netlist devices sparse/field.h mna mna/topology
mna/stabilised base devices sparse mna integrators/dae.h
mna/watch base mna mna/topology mna/index
mna/quasistatic base netlist sparse mna mna/topology mna/index
output base
output/pictures base output
output/read base output
analyses/measure base netlist netlist/expression integrators/bracket.h
analyses base netlist netlist/expression analyses/transient/carry.h devices integrators mna mna/topology mna/index mna/start mna/quasistatic output analyses/measure analyses/sweeps
analyses/sweeps base netlist netlist/expression integrators analyses
analyses/small_signal base netlist netlist/expression devices sparse mna mna/index mna/start/dc_plan.h analyses analyses/measure integrators/dae.h
analyses/spectrum base netlist netlist/expression analyses/measure
analyses/transient base netlist devices/device.h integrators integrators/study mna mna/topology mna/start mna/stabilised mna/watch mna/quasistatic netlist/expression analyses analyses/measure analyses/spectrum/spectra.h analyses/compare/verify.h
analyses/periodic base netlist devices sparse integrators integrators/radau/radau_tableau.h mna mna/start analyses analyses/small_signal/frequencies.h analyses/small_signal/linear.h analyses/transient/set_off.h
analyses/adjoint base netlist netlist/expression devices sparse integrators mna mna/start analyses analyses/measure analyses/small_signal analyses/periodic analyses/transient/reader.h analyses/transient/set_off.h
analyses/compare base netlist integrators mna mna/index output analyses analyses/transient
analyses/check base netlist devices/setup.h devices/couplings.h integrators mna mna/topology mna/index mna/start analyses analyses/transient analyses/compare
analyses/parasitics base netlist integrators mna mna/topology mna/index mna/start mna/quasistatic analyses analyses/transient
analyses/explain base netlist sparse mna mna/topology mna/index mna/start mna/equations analyses analyses/transient analyses/check
control/vectors base netlist netlist/expression analyses/spectrum/samples.h
control/script base netlist netlist/deck netlist/expression output control/control.h control/vectors
control base netlist netlist/deck netlist/expression output analyses analyses/transient/carry.h analyses/measure analyses/spectrum control/vectors control/script
control/session base netlist netlist/deck netlist/expression analyses control control/vectors control/script
ngspice base netlist control control/vectors control/session
api base netlist integrators analyses analyses/transient analyses/check analyses/compare control control/vectors
cli/results base netlist output control cli/terminal.h cli/files.h
cli/pictures base netlist output output/pictures output/read analyses/spectrum control control/vectors cli/results cli/terminal.h cli/command.h cli/files.h
cli/comparison base netlist analyses analyses/compare cli/command.h cli/results/picture.h output/pictures
cli/prompt base netlist control control/vectors control/session cli cli/results cli/pictures
cli/report base netlist output output/pictures analyses/check analyses/explain cli/results/picture.h cli/files.h
cli/self base netlist netlist/functions devices analyses cli
cli base cli/report cli/self/help.h netlist netlist/expression devices integrators output analyses analyses/transient analyses/compare analyses/check analyses/explain analyses/parasitics control control/session/session.h cli/results output/pictures cli/pictures cli/comparison
'

folders=$(echo "$arrows" | sed -n 's/^\([a-z][a-z0-9_/]*\).*/\1/p')

# One process looks at all files: several for each of a thousand took minutes.
sources=$(find * -maxdepth 3 \( -name '*.[chly]' -o -name '*.def' \) ! -path 'build*' | LC_ALL=C sort)
of_product=$(echo "$sources" | grep -vE '^(cli|tests|bench|examples)/')

complain() { # lines, if there are any
  [ -z "$1" ] || fail "$1"
}

# Headers by the folder that includes them, "FILE includes "HEADER"" where that is against the arrows; last the number of all.
includes=$(ARROWS=$arrows awk '
    function allowed(folder, header, count, target, k, room, stem) {
      room = header; sub(/\/[^\/]*$/, "", room)
      if (header == "knoten.h" || room == folder) return 1
      if (header ~ /_(scanner|parser)\.h$/) { # generated from the own grammars of the folder
        stem = folder "/" header; sub(/_[a-z]*\.h$/, "", stem)
        return (stem ".l") in there || (stem ".y") in there
      }
      count = split(may[folder], target, " ")
      for (k = 1; k <= count; k++) if (header == target[k] || room == target[k]) return 1
      return 0
    }
    BEGIN {
      for (k = 1; k < ARGC; k++) there[ARGV[k]] = 1
      count = split(ENVIRON["ARROWS"], line, "\n")
      for (k = 1; k <= count; k++) { folder = line[k]; sub(/ .*/, "", folder); sub(/^[^ ]*/, "", line[k]); may[folder] = line[k] }
    }
    FNR == 1 { folder = FILENAME; sub(/\/[^\/]*$/, "", folder) }
    folder in may && /^[ \t]*#[ \t]*include[ \t]*"/ {
      split($0, part, "\""); checked++
      if (!allowed(folder, part[2])) print FILENAME " includes \"" part[2] "\" against the arrows" }
    END { print checked }' $sources)
checked=$(echo "$includes" | tail -n 1)
complain "$(echo "$includes" | sed '$d')"
[ "$checked" -gt 50 ] || fail "only $checked includes found: the check itself is broken"

# KLU and LAPACK are known to sparse/ only, and nothing but the program prints or exits.
complain "$(grep -nE '#include <((suitesparse/)?klu|lapack|arpack)' $(echo "$sources" | grep -vE '^(cli|tests|sparse)/') |
  sed 's/$/ (uses KLU or LAPACK directly)/')"
complain "$(grep -nE '(^|[^_a-z.>])(exit|abort|printf|puts|perror) *\(' $of_product | sed 's/$/ (prints or exits)/')"
# Hosts of libngspice are told "stderr ..": there these are words.
complain "$(grep -nE '\bstd(out|err)\b' $of_product | grep -v '"std' | sed 's/$/ (knows the standard streams)/')"

# Every folder of sources is in the list above.
for folder in $(echo "$sources" | sed 's|/[^/]*$||' | sort -u); do
  case $folder in
  include | tests | tests/* | bench | bench/* | examples/*) continue ;;
  esac
  echo "$arrows" | grep -qE "^$folder( |$)" || fail "folder $folder is not in the layout"
done

# A folder holds what one can keep in mind, and so does a file.
for folder in $folders; do
  count=$(echo "$sources" | grep -c "^$folder/[^/]*$")
  [ "$count" -le 30 ] || fail "$folder holds $count files; make rooms in it"
done
complain "$(wc -l $sources |
  awk '$2 != "total" && $1 > ($2 ~ /^tests\// ? 900 : 600) { print $2 " has " $1 " lines; split it by idea" }')"
complain "$(awk 'FNR == 1 && !/^(\/\*|%\{|%|\/\/)/ { print FILENAME " does not begin with a comment that says what it is for" }' $sources)"

# No circles: where a file calls functions of another, that one calls none of the first, also not by way of third ones.
# From the symbols in the objects of the library.  Circles that are known to be there; a file that is in none any more
# leaves the list.
known='
'

# Objects of sources that exist: a build that has been used before keeps those of files that have moved.
objects() {
  find "$KNOTEN_BUILD/CMakeFiles" -path '*/knoten_*.dir/*' -name '*.o' | while read -r object; do
    source=${object##*/knoten_}
    source=${source#*.dir/}
    source=${source%.o}
    if [ -e "$source" ] || [ -e "$KNOTEN_BUILD/$source" ]; then echo "$object"; fi
  done
}

# "file file": the first uses symbols of the second.
uses() {
  objects | tr '\n' '\0' | xargs -0 nm -A -g | awk '
    { file = $1; sub(/^.*\/knoten_[a-z]*\.dir\//, "", file); sub(/\.o:.*$/, "", file)
      if ($(NF - 1) == "U") { user[++count] = file; used[count] = $NF } else home[$NF] = file }
    END { for (k = 1; k <= count; k++) if (used[k] in home && home[used[k]] != user[k]) print user[k], home[used[k]] }' |
    sort -u
}

# Of lines "file file" those files that reach themselves: what nothing uses, or uses nothing, is taken away first.
circles() {
  awk '
    { from[NR] = $1; to[NR] = $2; alive[NR] = 1 }
    END {
      do {
        split("", in_use); split("", users); gone = 0
        for (k = 1; k <= NR; k++) if (alive[k]) { users[from[k]] = 1; in_use[to[k]] = 1 }
        for (k = 1; k <= NR; k++)
          if (alive[k] && (!(to[k] in users) || !(from[k] in in_use))) { alive[k] = 0; gone = 1 }
      } while (gone)
      for (file in users) {
        split("", seen); seen[file] = 1; ends = 0
        do {
          grown = 0
          for (k = 1; k <= NR; k++)
            if (alive[k] && (from[k] in seen)) {
              if (to[k] == file) ends = 1
              if (!(to[k] in seen)) { seen[to[k]] = 1; grown = 1 }
            }
        } while (grown)
        if (ends) print file
      }
    }'
}

# What is there for the tests alone: functions that no other file of library or program uses, nor their own, "source name".
# Generated scanners have some.
unused() {
  { objects; find "$KNOTEN_BUILD/CMakeFiles/cli_objects.dir" "$KNOTEN_BUILD/CMakeFiles/knoten.dir" \
    "$KNOTEN_BUILD/CMakeFiles/libngspice.dir" -name '*.o'; } | tr '\n' '\0' | xargs -0 nm -A -g | awk '
    { file = $1; sub(/^.*\.dir\//, "", file); sub(/\.o:.*$/, "", file)
      if ($(NF - 1) == "T") home[$NF] = file; else used[$NF] = 1 }
    END { for (name in home) if (!(name in used)) print home[name], name }' |
    awk '
      { candidate[$2] = $1 }
      END {
        for (name in candidate) files[candidate[name]] = 1
        for (file in files) {
          while ((getline line < file) > 0) {
            readable[file] = 1
            gsub(/[^A-Za-z0-9_]+/, " ", line); count = split(line, word, " ")
            for (k = 1; k <= count; k++) if (candidate[word[k]] == file) seen[word[k]]++
          }
        }
        while ((getline line < "include/knoten.h") > 0 || (getline line < "ngspice/shared.h") > 0) {
          gsub(/[^A-Za-z0-9_]+/, " ", line); count = split(line, word, " ")
          for (k = 1; k <= count; k++) public[word[k]] = 1
        }
        for (name in candidate) if (seen[name] < 2 && readable[candidate[name]] && !(name in public) && name != "main") print candidate[name], name
      }'
}

if command -v nm >/dev/null; then
  for_tests=$(unused)
  [ -z "$for_tests" ] || fail "functions that only tests use: $for_tests"
  edges=$(uses)
  [ "$(echo "$edges" | wc -l)" -gt 200 ] || fail "too few calls between files found: the check itself is broken"
  in_circle=$(echo "$edges" | circles)
  for file in $in_circle; do
    echo "$known" | grep -qx "$file" || fail "$file is in a circle: it uses what uses it (nm of the objects tells which)"
  done
  for file in $known; do
    echo "$in_circle" | grep -qx "$file" || fail "$file is in no circle any more: take it off the list in $0"
  done
fi

echo "$checked includes checked, $failures complaints"
[ "$failures" -eq 0 ]
