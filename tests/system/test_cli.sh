#!/bin/sh
# The program as its users see it: options, files, messages, exit statuses, signals.
. "$(dirname "$0")/program.sh"

says() { # file pattern
  grep -q -e "$2" "$1" || fail "'$2' is not in $1"
}

silent() {
  [ ! -s "$1" ] || fail "$1 is not empty"
}

no_file() {
  [ ! -e "$1" ] || fail "$1 exists"
}

cat >rc.cir <<'END'
RC low-pass
V1 in 0 PULSE(0 1 0 1n 1n 1m 2m)
R1 in out 1k
C1 out 0 100n
.tran 10u 1m
.end
END

cat >divider.cir <<'END'
Divider
V1 in 0 12
R1 in out 2k
R2 out 0 1k
.op
.end
END

# ---- help and usage ----

expect 0 --version
grep -qx 'knoten [0-9][0-9.]*' out || fail "--version"
expect 0 --help
says out 'exit status'
for option in -o --format --method --reltol --maxord --plot --quiet --version --help; do
  says out "$option"
done
for command in run check explain devices compare verify; do
    expect 0 $command --help
    says out "  --help "
done
printf 'unreadable\nR1 a 0 1k\nR2 b\n.end\n' >unreadable.cir
for command in run:simulated check:checked explain:explained compare:compared verify:verified; do
    expect 2 ${command%:*} unreadable.cir
    says err "in unreadable.cir; nothing was ${command#*:}"
done
expect 0 run --help
expect 2
says err 'usage:'
expect 2 --formt csv rc.cir
says err "did you mean '--format'"
expect 2 --format rwa rc.cir
says err "did you mean 'raw'"
expect 2 --format
says err 'needs a value'
expect 2 --quiet=yes rc.cir
says err 'takes no value'
expect 2 --reltol 0 rc.cir
expect 2 --reltol much rc.cir
says err 'reltol'
expect 2 --maxord 0 rc.cir
expect 2 --maxord 2x rc.cir
expect 2 --method gaer rc.cir
says err "gear"
expect 2 rc.cir divider.cir
says err 'divider.cir'
expect 2 missing.cir
says err 'missing.cir'
expect 2 chek rc.cir
says err "did you mean 'knoten check'"
expect 2 copmare
says err "did you mean 'knoten compare'"
expect 0 devices npn
says out '^Q: bipolar'
says out 'npn: current flows into the collector'
expect 0 devices pmos
says out 'pmos: .* below vto'
expect 0 devices 'voltage source'
[ "$(grep -c '^[A-Z]: ' out)" -eq 1 ] || fail "one device is called voltage source"
expect 2 devices npm
expect 2 .
no_file rc.raw

# ---- results ----

expect 0 rc.cir
silent out
[ "$(wc -l <err)" -eq 1 ] || fail "one closing line expected"
says err '3 unknowns, auto, [0-9]* steps accepted, [0-9]* rejected ([0-9]* [a-z]*; .*), [0-9]* Newton iterations'
says err 'rows in rc.raw'
[ "$(head -c 6 rc.raw)" = 'Title:' ] || fail "rc.raw is no raw file"
mkdir folder && cp rc.cir folder/deep.name.cir
expect 0 --quiet folder/deep.name.cir
silent out
silent err
[ -s deep.name.raw ] || fail "the raw file is named after the deck, in the current folder"
expect 0 --quiet --format=csv rc.cir
[ "$(head -n 1 rc.csv)" = 'time,v(in),v(out),i(V1)' ] || [ "$(head -n 1 rc.csv)" = 'time,v(in),v(out),i(v1)' ] ||
  fail "header of rc.csv: $(head -n 1 rc.csv)"
expect 0 --quiet -o named.dat --format ascii rc.cir
grep -q '^Values:' named.dat || fail "--format ascii"
expect 0 --quiet -ojoined.raw rc.cir
[ -s joined.raw ] || fail "-oFILE"
expect 0 run --quiet -o run.raw -- rc.cir
[ -s run.raw ] || fail "knoten run"
for method in bdf trap gear; do
  expect 0 --method $method --reltol 1e-4 --format csv -o $method.csv rc.cir
  says err ", $method, "
  # v(out) = 1 - exp(-t/tau) for t << 1 ms, tau = 0.1 ms
  awk -F, -v m=$method 'NR > 1 && $1 > 2e-9 && $1 < 0.9e-3 {
      e = $3 - (1 - exp(-($1 - 0.5e-9) / 1e-4)); if (e < 0) e = -e; if (e > worst) worst = e }
    END { if (NR < 10 || worst > 1e-3) { print m, NR, worst; exit 1 } }' $method.csv >&2 ||
    fail "$method does not follow the exponential"
done

# Standard input and output.
expect 0 - <rc.cir
[ -s stdin.raw ] || fail "results of a deck from standard input"
expect 0 -o ended.CSV rc.cir
head -n 1 ended.CSV | grep -q '^time,' || fail "a file that ends in .csv is none"
expect 0 --format csv -o - rc.cir
says out '^time,'
cmp -s out rc.csv || fail "standard output differs from the file"

# A CSV file is a table itself: that of .print would be a second one.
sed 's/^.tran.*/&\n.print tran v(out)/' rc.cir >print.cir
expect 0 --quiet print.cir
says out '^Transient'
expect 0 --quiet --format csv print.cir
silent out

# The index in one line, once.
sed 's/^.tran.*/C2 in 0 1n\n&\n.tran 10u 2m/' rc.cir >twice.cir
expect 0 twice.cir
says err '^twice.cir: note: index 2 by the C-V loop V1 (line 2) - C2 (line 5): i(v1) depends .* knoten check'
[ "$(wc -l <err)" -eq 2 ] || fail "one line about the index and a closing line expected"

# What ran away is said.
cat >runaway.cir <<'END'
a positive feedback that nothing limits
I1 0 a 1
B1 0 a I=1e3*V(a)
C1 a 0 1u
.tran 1u 1 uic
.end
END
expect 1 runaway.cir
says err 'v(a), which has run away to [0-9.]*e+[0-9]*, where these meet: I1 (line 2), B1'

# ---- the screen ----

expect 0 divider.cir
says out '^Operating Point$'
says out '^v(out) *4.000000e+00  4 V$'
says out '^i(.1) *-4.000000e-03  -4 mA$'
sed 's/^\.op//' divider.cir >nothing.cir
expect 0 nothing.cir
says err 'warning:'
says err '\.tran'
says out '^v(out) *4.000000e+00'
sed 's/^\.end/.print tran v(out) v(in,out)/' rc.cir >print.cir
expect 0 --quiet print.cir
says out '^ *time *v(out) *v(in,out)$'
[ "$(grep -c '^ *[0-9]' out)" -eq 101 ] || fail "a row for each multiple of tstep expected"
says out '^ *5.00000e-04 '
printf 'rows\nV1 a 0 SIN(0 1 1)\nR1 a 0 1\n.tran 1n 1\n.print tran v(a)\n.end\n' >rows.cir
expect 0 rows.cir
[ "$(wc -l <out)" -lt 1000 ] || fail "a table of a thousand million rows is printed"
grep -q 'would have 1e+09 rows' err || fail "the table's rows are not remarked on"
expect 0 --quiet --plot print.cir
says out 'v(in,out)'
says out '400 us'
LC_ALL=C.UTF-8 expect 0 --quiet --plot='v(in), v(out)' rc.cir
says out '━━ v(in)'
expect 0 --quiet --plot='v(nix)' rc.cir
says err "v(nix)"

# ---- bad decks and circuits ----

cat >bad.cir <<'END'
Bad deck
V1 in 0 1
D1 in 0 D1N4148x
.model d1n4148 D
R1 in
.tran 1u 1m
.end
END
expect 2 bad.cir
says err '^bad.cir:3:9: error:'
says err "d1n4148"
says err '^bad.cir:5:'
says err '\^'
says err '2 errors in bad.cir; nothing was simulated'
no_file bad.raw
printf 'Loop\nV1 a 0 1\nV2 a 0 2\nR1 a 0 1k\n.op\n.end\n' >loop.cir
expect 1 loop.cir
says err 'V1'
says err 'V2'
no_file loop.raw
printf '' >empty.cir
expect 2 empty.cir
head -c 3000 "$KNOTEN" >garbage.cir
expect 2 garbage.cir

# ---- places that cannot be written ----

cp rc.cir deck.raw
expect 2 deck.raw
says err 'overwrite'
cmp -s rc.cir deck.raw || fail "the deck was overwritten"
ln -s rc.cir link.raw
expect 2 -o link.raw rc.cir
expect 1 -o /nowhere/x.raw rc.cir
says err '/nowhere/x.raw'
expect 1 -o /dev/full rc.cir
says err '/dev/full'
sed 's/10u 1m/10n 1m 0 10n/' rc.cir >many.cir
{
  "$KNOTEN" --format csv -o - many.cir 2>err
  echo $? >status
} | head -n 3 >out
[ "$(cat status)" -eq 1 ] || fail "a reader that goes away: exit status $(cat status)"
[ "$(wc -l <err)" -le 3 ] || fail "a reader that goes away is reported once"
sed 's/^\.end/.print tran v(out)/' many.cir >table.cir
{
  "$KNOTEN" --quiet table.cir 2>err
  echo $? >status
} | head -n 3 >out
[ "$(cat status)" -eq 0 ] || fail "looking at the first lines of a table must not end the run"

# ---- signals ----

sed 's/10u 1m/1u 1000/' rc.cir >long.cir
for signal in INT TERM; do
  rm -f long.raw
  "$KNOTEN" long.cir >out 2>err &
  process=$!
  waited=0
  while [ ! -s long.raw ] && [ $waited -lt 100 ]; do
    sleep 0.1
    waited=$((waited + 1))
  done
  sleep 0.3
  kill -$signal $process
  wait $process
  status=$?
  [ $status -eq 1 ] || fail "SIG$signal: exit status $status"
  says err 'interrupted; [0-9]* finished rows kept in long.raw'
  rows=$(sed -n 's/.*interrupted; \([0-9]*\) finished.*/\1/p' err)
  points=$(head -n 20 long.raw | sed -n 's/^No\. Points: \([0-9]*\) *$/\1/p')
  [ "${rows:-0}" -gt 0 ] && [ "$rows" = "$points" ] || fail "SIG$signal: $rows rows, file says '$points'"
done

[ $failures -eq 0 ] && echo "all as expected"
exit $((failures > 0))
