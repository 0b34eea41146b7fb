#!/bin/sh
# .control blocks: scripts of our own in tests/decks/control, whose output is what they say (*= line), and whose numbers are
# those of ngspice (*~ relative difference; 1e-5 without it), where it is installed.  Then what is refused, and the files.
. "$(dirname "$0")/common.sh"
decks=$KNOTEN_SOURCE/tests/decks/control
cd "$scratch" || exit 1
mkdir own peer

for deck in "$decks"/*.cir; do
    name=${deck##*/}
    name=${name%.cir}
    status=0
    (ulimit -t 20 && exec "$KNOTEN" -q -o "own/$name.raw" "$deck") >"$name.out" 2>"$name.err" || status=$?
    printf '%s\t%s\n' $status "$name" >>list
done
cp "$decks"/* peer
[ -z "$ngspice" ] || for name in $(cd peer && grep -L '^\*! alone' ./*.cir); do
    (cd peer && ulimit -t 20 && exec "$ngspice" -b "$name") >"${name%.cir}.peer" 2>/dev/null </dev/null
done
awk -v decks="$decks" -v peers="$ngspice" -f "$KNOTEN_SOURCE/tests/tools/control.awk" list || fail "scripts give something else"

# ---- files

grep -q '^v(in) = 1.000000e+00$' own/shown.txt || fail "print > file"
grep -q '^top  *= ' own/top.txt || fail "meas > file"
grep -q '^ *time *: time, real' own/names.txt || fail "let > file"
[ -f own/log.txt ] || fail "tran > file"
grep -q '^more$' own/shown.txt || fail "echo >> file"
[ "$(wc -l <own/numbers)" -eq 11 ] || fail "wrdata: 11 rows expected"
grep -q 'Plotname: Operating Point' own/vectors.raw || fail "write: no raw file"
grep -q '^No. Variables: 2' own/vectors.raw || fail "write: two vectors expected"
printf 't\nv1 a 0 1\nr1 a b 1k\nr2 b 0 1k\nd1 0 a dm\n.model dm d\n.control\nop\noption noopalter\nprint allv > volts.txt\nprint alli > amps.txt\n.endc\n.end\n' >all.cir
"$KNOTEN" -q -o all.raw all.cir >all.out 2>&1 || fail "print allv: exit status $?"
[ "$(cut -d' ' -f1,3 volts.txt | tr '\n' ' ')" = "v(a) 1.000000e+00 v(b) 5.000000e-01 " ] || fail "print allv"
[ "$(cut -d' ' -f1,3 amps.txt | tr '\n' ' ')" = "i(v1) -5.000000e-04 " ] || fail "print alli, without quantities of devices that nobody saved"
cat >two.cir <<'DECK'
a scalar beside a vector, and S parameters of a 50 ohm resistor in series: s11 = z/(z + 2 z0) = 1/3, s21 = 2/3
v1 a 0 ac 1
r1 a b 50
.control
ac lin 2 1k 2k
let one = 7
set filetype=ascii
write two.vectors one
write two.both v(a) one
let s11 = v(a)/3 $ whose voltage is 1
let s22 = s11
let s21 = 2*s11
let s12 = s21
let rbase = 50
wrs2p two.s2p
.endc
.end
DECK
"$KNOTEN" -q -o two.raw two.cir >two.out 2>&1 || fail "wrs2p: exit status $?"
[ "$(sed -n '/^#/p' two.s2p)" = "# HZ S RI R 50" ] || fail "wrs2p: another head"
[ "$(grep -c '^ 2000 0.33333[0-9]* 0 0.66666[0-9]* 0 0.66666[0-9]* 0 0.33333[0-9]* 0$' two.s2p)" -eq 1 ] || fail "wrs2p: other rows"
sed 's/s\([12]\)\([12]\)/s_\1_\2/g; s/two.s2p/named.s2p/' two.cir >named.cir
"$KNOTEN" -q -o named.raw named.cir >named.out 2>&1 || fail "wrs2p of s_1_1: exit status $?"
[ "$(grep -v '^!' two.s2p)" = "$(grep -v '^!' named.s2p)" ] || fail "wrs2p of s_1_1"
[ "$(sed -n '/^Values/,$p' two.both | awk '{ print $NF }' | tr '\n' ' ')" = "Values: 1000,0 1,0 7,0 2000,0 1,0 0,0 " ] ||
    fail "write: behind the end of a vector there are no zeros"
cat >uneven.cir <<'DECK'
fft of rows at uneven times takes those of linearize, every tstep: 2 V at 1 kHz above 1 V are line 10 of 100 Hz
v1 a 0 sin(1 2 1k)
r1 a 0 1k
.control
tran 10u 10m
set specwindow=none
fft v(a)
if length(v(a)) = 501 & abs(mag(v(a)[10])-2) < 4e-3 & abs(mag(v(a)[0])-1) < 4e-3 & mag(v(a)[11]) < 4e-3
  echo found
end
.endc
.end
DECK
"$KNOTEN" -q -o uneven.raw uneven.cir >uneven.out 2>uneven.err || fail "fft of uneven times: exit status $?"
grep -q '^found$' uneven.out || fail "fft of uneven times: not what linearize gives"
grep -q 'warning: fft: the times of plot tran1 are not even; its vectors are taken every 1e-05 s' uneven.err ||
    fail "fft of uneven times: no warning"
if command -v gnuplot >/dev/null 2>&1; then
    grep -q '<svg' own/picture.svg || fail "hardcopy: no picture"
fi

# What gnuplot is told, and the names of pictures.
mkdir bin drawn
printf '#!/bin/sh\ncat >>"%s/told"\necho "<svg>"\n' "$scratch" >bin/gnuplot
chmod +x bin/gnuplot
printf 't `touch x` "\nv1 in 0 sin(0 1 1k)\nr1 in 0 1k\n.control\ntran 10u 1m\nplot v(in) vs time xlimit 0 0.5m title "a b"\n' >draw.cir
printf 'plot v(in)*2 i(v1)\nhardcopy last.svg v(in) ylog\nhardcopy old.ps v(in)\npyplot py v(in) title "c"\n.endc\n' >>draw.cir
PATH=$scratch/bin:$PATH "$KNOTEN" -q -o drawn/d.raw draw.cir >out 2>err || { fail "pictures"; cat err; }
[ "$(ls drawn | tr '\n' ' ')" = 'd.plot1.svg d.plot2.svg d.raw last.svg old.ps.svg py.svg ' ] || fail "pictures: $(ls drawn)"
grep -qF "hardcopy: 'old.ps' is written as 'old.ps.svg'" err || fail "hardcopy of another kind of file: no warning"
grep -q '`' told && fail "gnuplot is told backticks"
grep -q '^set xrange \[0:500\]' told || fail "xlimit"
grep -q "^set xlabel 'time (µs)'" told || fail "the unit of the numbers along the time"
grep -q 'set logscale y' told || fail "ylog"

# `run` knows every analysis that a card can ask for.
for card in '.disto dec 2 1k 10k' '.dc v1 0 1 0.5' '.pz a 0 a 0 cur pz' '.sp dec 1 1k 10k' '.tf v(a) v1' '.sens v(a)'; do
    printf 't\nv1 a 0 dc 0.6 ac 1 distof1 0.01 portnum 1 z0 50\nr1 a 0 1k\nd1 a 0 dm\n.model dm d cjo=1p\n%s\n.control\nrun\n.endc\n' "$card" >any.cir
    "$KNOTEN" -q -o any.raw any.cir >out 2>err || { fail "run with $card"; cat err; }
done

# ---- refused before anything runs

# refused NAME COMMANDS WORD..: they end with status 2, the words in the messages and no file (which is looked at in the end).
refused()
{
    name=$1
    printf "t\nv1 a 0 sin(0 1 1k)\nr1 a 0 1k\n.control\n$2.endc\n.end\n" >refused.cir
    shift 2
    status=0
    said=$(ulimit -t 20 && exec "$KNOTEN" -q -o refused/out.raw refused.cir 2>&1 >refused.out) || status=$?
    [ "$status" -eq 2 ] || fail "$name: exit status $status"
    for word; do
        case $said in *"$word"*) ;; *) fail "$name: no '$word' in: $said" ;; esac
    done
    [ ! -s refused.out ] || fail "$name: ran"
}

mkdir refused
refused backtick 'echo `touch refused/x`\n' "runs no program"
refused unknown 'op\nprnt v(a)\n' "refused.cir:6:1" "unknown command 'prnt'" "did you mean 'print'"
refused node 'op\nprint v(b)\n' "there is no node 'b'"
refused element 'op\nprint i(v2)\n' "there is no element 'v2'"
refused function 'op\nprint foo(v(a))\n' "unknown function 'foo'"
refused grammar 'op\nprint v(a)+*2\n' "refused.cir:6:1" "expected a number or a vector"
refused variable 'op\necho $x\n' "there is no variable 'x'"
refused open 'while 1\nop\n' "has no 'end'"
refused else 'else\n' "'else' without an 'if'"
refused break 'break\n' "stands in no loop"
refused card 'tran a\n' "refused.cir:5"
refused sweep 'dc v7 0 1 0.1\n' "v7"
refused run 'run\n' "the deck asks for no analysis"
refused alter 'alter r7 = 1k\nop\n' "there is no element 'r7'"
refused altermod 'altermod mm is = 1\nop\n' "mm"
refused alterparam 'alterparam w = 1\nreset\nop\n' "'w'"
refused waveform 'alter @v1[sin] = [ 0 2 1k\nop\n' "end with ']'"
refused numbers 'alter @v1[sin] = [ 0 ]\nop\n' "takes at least 2"
refused no-waveform 'alter @v1[sine5] = [ 0 1 ]\nop\n' "no waveform 'sine5'"
refused definition 'define f(a b) a\n' "expected ')'"
refused endless 'define f(a) f(a)\nlet x = f(1)\n' "too deeply"
refused compose 'compose x start=1 middle=2\n' "'middle' is unknown"
refused reshape 'reshape x [0]\n' "8 dimensions"
refused transpose 'transpose\n' "expected vectors"
refused spec 'tran 1u 1m\nspec 0 1k\n' "the first and last frequency"
refused psd 'tran 1u 1m\npsd\n' "a number of lines"
refused subcircuit 'alterparam nowhere w = 3\nop\n' "no instance of a subcircuit 'nowhere'"
refused folder 'op\nwrite ../out/ v(a)\n' "it is no plain name"
refused absolute 'op\nwrite /home/user/.profile v(a)\n' "begins with a dot"
refused dotfile 'op\nwrdata .profile v(a)\n' "begins with a dot"
refused result 'op\nwrite out.raw v(a)\n' "the result file"
refused redirection 'op\nprint v(a) > ../.x\n' "begins with a dot"
refused source 'source nothing.txt\n' "cannot read 'nothing.txt'"
refused all 'prnt 1\nload x\nplto v(a)\n' "'prnt'" "'load'" "'plto'"
[ -z "$(ls -A refused)" ] || fail "what is refused wrote $(ls -A refused)"

# No program is run: what would run one is passed over with a warning, whatever is behind it, and the script goes on.
mkdir passed
for command in 'shell touch passed/x' '! touch passed/x' 'system touch passed/x $nothing `touch passed/x`' 'edit' 'jobs' 'eprvcd a b > a.vcd' \
    'cd ..' 'snsave a.snap' 'codemodel /usr/lib/analog.cm' 'pre_osdi a.osdi' 'diff a b'; do
    printf 't\nv1 a 0 2\nr1 a 0 1k\n.control\nop\n%s\nprint v(a)\n.endc\n.end\n' "$command" >passed.cir
    said=$("$KNOTEN" -q -o passed/out.raw passed.cir 2>&1) || fail "$command: exit status $?: $said"
    case $said in *"passed.cir:6:1: warning: command '"*"' is passed over"*) ;; *) fail "$command: no warning: $said" ;; esac
    case $said in *'v(a) = 2.000000e+00'*) ;; *) fail "$command: the script did not go on" ;; esac
done
[ "$(ls -A passed)" = out.raw ] || fail "commands that are passed over wrote $(ls -A passed)"

# source of a netlist makes it the circuit; what stands behind it is looked at when it runs.
mkdir -p parts
printf 'title\nv1 a 0 3\nr1 a b 1k\nr2 b 0 2k\n.op\n.end\n' >parts/divider.cir
printf 't\nv1 x 0 1\nr1 x 0 1k\n.control\nop\nprint v(x)\nsource parts/divider.cir\nrun\nprint v(b)\nalter r2 = 1k\nop\nprint v(b)\n.endc\n' >outer.cir
"$KNOTEN" -q -o outer.raw outer.cir >out 2>err || { fail "source of a netlist: exit status $?"; cat err; }
[ "$(grep '^v(' out | tr '\n' ' ')" = 'v(x) = 1.000000e+00 v(b) = 2.000000e+00 v(b) = 1.500000e+00 ' ] || { fail "source of a netlist"; cat out err; }
printf 't\n.control\nsource parts/divider.cir\nop\nprint v(nowhere)\n.endc\n' >outer.cir
"$KNOTEN" -q -o outer.raw outer.cir >out 2>err && fail "a node that the netlist has not is there"
grep -q "outer.cir:5:1: error: print: there is no" err || { fail "source of a netlist: no error"; cat err; }
printf 't\n.control\nsource parts/divider.cir\nop\nwrite parts/divider.cir\n.endc\n' >outer.cir
"$KNOTEN" -q -o parts/outer.raw outer.cir >out 2>err && fail "a netlist that was read is written over"
grep -q '^r2 b 0 2k' parts/divider.cir || fail "a netlist that was read has changed"

# What stands behind > is a file for let, too, unless it is a number or a vector; the run that has been is not asked for again.
printf 't\nv1 a 0 2\nr1 a 0 1k\n.control\ndc v1 0 2 1\nrun\nlet x = 3\nlet y = x > file1\nlet z = x > 4\nlet w = x > y\nprint y z w\n.endc\n' >let.cir
"$KNOTEN" -q -o let.raw let.cir >out 2>err || { fail "let > file: exit status $?"; cat err; }
[ "$(tr '\n' ' ' <out)" = 'y = 3.000000e+00 z = 0.000000e+00 w = 0.000000e+00 ' ] || { fail "let > file"; cat out; }
[ -f file1 ] || fail "let > file: no file"
[ "$(grep -c warning: err)" -eq 3 ] || { fail "let > file, run: three warnings expected"; cat err; }

# A script without elements may save and reset before source reads its circuit, and take it away again.
printf 'set n = 1\n*\n.control\nsave b\nlet i = 0\nwhile i < 2\nreset\nsource parts/divider.cir\nop\ndisplay\nremcirc\nlet i = i + 1\nend\n.endc\n' >loop.cir
"$KNOTEN" -q -o loop.raw loop.cir >out 2>err || { fail "source in a loop: exit status $?"; cat err; }
[ "$(grep -c '^ *v(b)' out)" -eq 2 ] || { fail "source in a loop"; cat out err; }

# A label that is not there is known when goto runs.
printf 't\nv1 a 0 1\nr1 a 0 1\n.control\nif 1\nlabel x\nend\ngoto x\n.endc\n' >goto.cir
"$KNOTEN" -q goto.cir >/dev/null 2>err && fail "goto went nowhere"
grep -q "goto.cir:8:1: error: goto: there is no 'label x'" err || { fail "not said that there is no label"; cat err; }

# Inputs are not written over, whatever they are called.
printf 't\nv1 a 0 1\nr1 a 0 1\n.include part.inc\n.control\nop\nwrite victim.cir v(a)\n.endc\n' >victim.cir
printf 'r2 a 0 1\n' >part.inc
cp victim.cir kept.cir
"$KNOTEN" -q victim.cir >/dev/null 2>err && fail "a deck wrote over itself"
grep -q 'there is the deck' err || { fail "not said that it is the deck"; cat err; }
cmp -s victim.cir kept.cir || fail "the deck has changed"
sed 's/write victim.cir/write part.inc/' kept.cir >victim.cir
"$KNOTEN" -q victim.cir >/dev/null 2>err && fail "a deck wrote over what it includes"
grep -q 'a file that the deck includes' err || { fail "not said that it is included"; cat err; }
printf 'echo hello\n' >commands.txt
sed 's/^op/op\nsource commands.txt/;s/write victim.cir/write commands.txt/' kept.cir >victim.cir
"$KNOTEN" -q victim.cir >/dev/null 2>err && fail "a deck wrote over its commands"
grep -q 'a file of commands' err || { fail "not said that these are commands"; cat err; }
ln -s /tmp/elsewhere-of-knoten link.txt
sed 's/write victim.cir v(a)/wrdata link.txt v(a)/' kept.cir >victim.cir
"$KNOTEN" -q victim.cir >/dev/null 2>err && fail "a link was followed"
grep -q 'a link' err || { fail "not said that it is a link"; cat err; }
# Of a name with folders the last part counts, and the deck itself is not written over by another name.
mkdir aside
sed 's/write victim.cir v(a)/wrdata aside\/of.csv v(a)\nprint v(a) > ..\/far.txt\nwrite "C:\\x\\w.raw" v(a)/' kept.cir >victim.cir
"$KNOTEN" -q victim.cir >/dev/null 2>err || { fail "names with folders: exit status $?"; cat err; }
[ -s of.csv ] && [ -s far.txt ] && [ -s w.raw ] && [ -z "$(ls -A aside)" ] && [ ! -e ../far.txt ] || { fail "names with folders"; ls; }
grep -q "victim.cir:7:1: warning: wrdata: 'aside/of.csv' is written as 'of.csv' beside the result file" err ||
    { fail "names with folders: no warning"; cat err; }
sed 's/write victim.cir v(a)/write aside\/..\/victim.cir v(a)/' kept.cir >victim.cir
"$KNOTEN" -q victim.cir >/dev/null 2>err && fail "a deck wrote over itself by another name"
# A name that is known only when it runs.
sed 's/write victim.cir v(a)/set f = ..\/.x.raw\nwrite $f v(a)/' kept.cir >victim.cir
status=0
"$KNOTEN" -q victim.cir >/dev/null 2>err || status=$?
[ "$status" -eq 1 ] || fail "a name out of a variable: exit status $status"
grep -q 'it begins with a dot' err || { fail "a name out of a variable was taken"; cat err; }

# ---- what goes wrong on the way is told with its line, and the script goes on, as in ngspice; the exit status tells it in the end

printf 't\nv1 a 0 1\nr1 a 0 1\n.control\nop\nprint nothing\necho after\n.endc\n' >late.cir
status=0
"$KNOTEN" -q late.cir >out 2>err || status=$?
[ "$status" -eq 1 ] || fail "an unknown vector: exit status $status"
grep -q "late.cir:6:1: error: print: there is no vector 'nothing'" err || { fail "unknown vector"; cat err; }
grep -q after out || fail "the script ended at an error"

# Slips of meas are warnings as those of .measure are, and name what the line has.
printf 't\nv1 a 0 sin(0 1 1k)\nr1 a 0 1\n.control\ntran 10u 1m\nmeas tran\nmeas tran x TRIG v(a) VAL=0 RISE=1 v(a) VAL=0\nmeas tran top MAX v(a)\n.endc\n' >slips.cir
"$KNOTEN" -q slips.cir >out 2>err || fail "slips of meas: exit status $?"
for words in 'slips.cir:6:1: warning: meas: expected an analysis' "expected TARG, found 'v(a)'" "slips.cir:7:1: warning: meas: 'x' cannot be measured"; do
    grep -qF "$words" err || { fail "slips of meas: no '$words'"; cat err; }
done
grep -q '^top .*= *1.0' out || { fail "the script ended at a slip of meas"; cat out; }

# An end too many is left out.
printf 't\nv1 a 0 1\nr1 a 0 1\n.control\nop\nif v(a) > 0\necho inside\nend\nend\necho behind\n.endc\n' >ends.cir
"$KNOTEN" -q ends.cir >out 2>err || fail "an end too many: exit status $?"
grep -q "ends.cir:9:1: warning: 'end' without a block" err && grep -q behind out || { fail "an end too many"; cat out err; }

# The second draw has no operating point; those behind it are made all the same, in the loop and behind it.
printf 't\nv1 a 0 1\nr1 a b 1\nr2 b 0 1\n.control\nforeach r 1 nothing 3\nalter r2 = $r\nop\nif v(b) > nowhere\necho never\nelse\necho otherwise\nend\nprint v(b)\nend\nop\nprint v(b)\n.endc\n' >draws.cir
status=0
"$KNOTEN" -q draws.cir >out 2>err || status=$?
[ "$status" -eq 1 ] || fail "a draw that fails: exit status $status"
[ "$(grep -c '^v(b)' out)" -eq 4 ] && ! grep -q never out && [ "$(grep -c otherwise out)" -eq 3 ] || { fail "commands behind those that failed"; cat out err; }

# A loop without an end is left by an interrupt.
printf 't\nv1 a 0 1\nr1 a 0 1\n.control\nlet i = 0\nwhile 1\nlet i = i + 1\nend\n.endc\n' >endless.cir
status=0
timeout -s INT 2 "$KNOTEN" -q endless.cir >/dev/null 2>&1 || status=$?
[ "$status" -ne 0 ] || fail "an endless loop ended well"

# what the deck's commands write has the name that they say; the results, which would have it, are beside it
printf 't\nV1 a 0 2\nR1 a 0 1k\nR2 a b 1k\n.control\nop\nwrite same.raw v(b)\n.endc\n.end\n' >same.cir
"$KNOTEN" -q same.cir >out 2>err || { fail "a file of the results' name: $?"; cat err; }
head -n 8 same.raw | grep -q 'No. Variables: 1' || fail "write same.raw v(b) wrote something else"
head -n 8 same.all.raw | grep -q 'No. Variables: 3' || fail "the results are not in same.all.raw"

# .four does not make its plot the current one
printf 't\nV1 a 0 sin(0 1 1k)\nR1 a 0 1k\n.tran 10u 5m\n.four 1k v(a)\n.control\nrun\necho $curplot\n.endc\n.end\n' >four.cir
"$KNOTEN" -q four.cir 2>&1 | grep -qx tran1 || fail "the plot of .four is the current one"

# a loop of commands that fail ends, as each of them takes a message
printf 't\nV1 a 0 1\nR1 a 0 1k\n.control\nop\nrepeat 1e9\nprint v(a)[7]\nend\n.endc\n.end\n' >failing.cir
timeout 60 "$KNOTEN" -q failing.cir >out 2>&1
[ $? -eq 1 ] || fail "a loop of commands that fail does not end"
grep -q 'so many commands have failed' out || fail "a loop of commands that fail ends in silence"

finish
