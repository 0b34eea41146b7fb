#!/bin/sh
# What the program says of itself: --help of every command with examples that work, manual pages without a warning,
# knoten doctor, and JSON that is JSON.
. "$KNOTEN_SOURCE/tests/system/program.sh"
mkdir bin folder
ln -s "$KNOTEN" bin/knoten
PATH=$scratch/bin:$PATH
cp "$KNOTEN_SOURCE"/examples/* folder/
commands=$("$KNOTEN" --help | sed -n 's/^  knoten \([a-z][a-z]*\)\( .*\)*$/\1/p')
[ "$(echo "$commands" | wc -l)" -ge 10 ] || fail "commands in --help: $commands"

# ---- every command has examples, and they work, and a manual page ----

line_end='
'
for command in run $commands; do
  expect 0 "$command" --help
  help=$(cat out)
  expect 0 help "$command"
  [ "$help" = "$(cat out)" ] || fail "knoten help $command is not knoten $command --help"
  case $help in 'usage: knoten '*"${line_end}exit status: "*) ;; *) fail "$command --help" ;; esac
  sed -n '/^examples:/,/^exit status/s/^  \([^ ].*\)/\1/p' out >examples
  [ -s examples ] || fail "$command --help has no examples"
  while read -r line; do
    case $line in
    *'<('*) shell=bash ;;
    *) shell=sh ;;
    esac
    case $line in
    *groff*) tool=groff ;;
    *.svg*compare* | *compare*.svg* | *'knoten plot'*.svg*) tool=gnuplot ;;
    *'knoten plot'*.html*) tool=npm ;;
    *.svg*) tool=dot ;;
    *) tool=$shell ;;
    esac
    command -v $tool >/dev/null || continue
    (cd folder && exec timeout 60 $shell -c "$line") >out 2>err </dev/null || fail "example of $command: $line"
  done <examples
  expect 0 help --man "$command"
  page=$line_end$(sed 's/\\-/-/g' out)$line_end
  for heading in NAME SYNOPSIS DESCRIPTION OPTIONS EXAMPLES; do
    case $page in *"$line_end.SH $heading$line_end"*) ;; *) fail "the page of $command has no $heading" ;; esac
  done
  for option in $(printf '%s\n' "$help" | grep -oE '^  --?[a-z-]+'); do
    case $page in *"fB$option\\fR"*) ;; *) fail "the page of $command does not tell of $option" ;; esac
  done
  ! command -v groff >/dev/null || { groff -man -Tutf8 -ww out >text 2>err && [ ! -s err ]; } || fail "page of $command"
done
expect 2 help nosuch
grep -q "no command 'nosuch'" err || fail "help nosuch"

# ---- what is on this machine ----

expect 0 doctor
for helper in gnuplot Graphviz ARPACK MPI ngspice; do
  grep -q "^$helper  *\(found\|missing\)" out || fail "doctor tells nothing of $helper"
done
for pair in gnuplot:gnuplot Graphviz:dot ngspice:ngspice; do
  there=missing
  ! command -v "${pair#*:}" >/dev/null || there=found
  grep -q "^${pair%:*}  *$there" out || fail "doctor: ${pair%:*} is $there"
done
# In an empty PATH little is found, and each has a remedy.
mkdir nothing
PATH=$scratch/nothing "$KNOTEN" doctor >out 2>err || fail "doctor without programs"
grep -q '^gnuplot  *missing' out && grep -q 'apt install gnuplot' out || fail "doctor finds gnuplot in an empty PATH"

# ---- JSON ----

# Looked at together, at the end.
mkdir reports
reports=0
is_json() { reports=$((reports + 1)) && cp out "reports/$reports $*"; }

# json STATUS ARGUMENTS..
json() {
  expect "$@"
  is_json "$@"
}
cp "$KNOTEN_SOURCE"/tests/decks/index/*.cir .
printf 'title "quoted" \\ back\tslash\nV1 a 0 1\nR1 a 0 1k\n.tran 1u 1m\n.meas tran top max v(a)\n.print tran v(a)\n' >good.cir
printf 'bad\nR1 a 0 abc\nR2 b\n' >bad.cir
printf 'loop\nV1 a 0 1\nV2 a 0 2\nR1 a 0 1\n.tran 1u 1m\n' >loop.cir
json 0 --json good.cir
grep -q '"outcome": "done"' out && grep -q '"rows": ' out && grep -q '"name": "top", "value": 1' out || fail "summary of a run"
! grep -q 'Measurements' out || fail "the list of measurements is in the JSON"
json 1 --json loop.cir
grep -q '"outcome": "failed"' out && grep -q '"code": "v-loop"' out || fail "summary of a run that fails"
json 2 --json bad.cir
grep -q '"outcome": "refused"' out && grep -q '"line": 2' out && grep -q '"line": 3' out || fail "errors of a deck as data"
printf 'stepped\nV1 a 0 1\nR1 a 0 {r}\n.param r=1k\n.step param r list 1k 2k\n.op\n.meas op cur find i(V1)\n' >step.cir
printf 'scripted\nV1 a 0 1\nR1 a 0 1k\n.control\nop\nprint v(a)\n.endc\n' >script.cir
json 0 --json step.cir
json 0 --json script.cir
expect 2 --json -o - good.cir
expect 2 --json --measures m.json good.cir
for command in check explain verify report "compare --methods bdf,trap --tol 1e-3"; do
  json 0 $command --json good.cir
  json 1 $command --json loop.cir
  json 2 $command --json bad.cir
done
json 0 report --json good.cir
tr -d ' \n' <out >flat
for part in '"outcome":"done"' '"index":{' '"limits":{' '"name":"top","value":1,'; do
  grep -q -F -e "$part" flat || fail "report as data: no $part"
done
expect 2 report --json -o x.html good.cir
for deck in *.cir; do
  for command in check explain; do
    "$KNOTEN" $command --json "$deck" >"reports/$command $deck" 2>err
  done
done
for command in devices cards functions doctor; do
  json 0 $command --json
done
for command in devices cards functions; do
  "$KNOTEN" $command --json nosuch >out 2>err && fail "$command nosuch"
  is_json "$command" nosuch
done
json 0 devices --json d
grep -q '"letter": "d"' out && grep -q '"name": "tt"' out && ! grep -q '"letter": "r"' out || fail "devices --json d"

set -- reports/*
[ $# -ge 40 ] || fail "only $# reports"
: >out
if command -v python3 >/dev/null; then
  python3 -c 'import json, sys
for name in sys.argv[1:]:
    try:
        json.load(open(name, encoding="utf-8"))
    except ValueError as reason:
        print(name, reason)' "$@" >out 2>err
elif command -v node >/dev/null; then
  node -e 'for (const name of process.argv.slice(1))
    try { JSON.parse(require("fs").readFileSync(name)) } catch (reason) { console.log(name, reason) }' "$@" >out 2>err
fi
[ ! -s out ] && [ ! -s err ] || fail "reports that are no JSON"

[ $failures -eq 0 ] || exit 1
