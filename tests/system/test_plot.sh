#!/bin/sh
# knoten plot: what it draws of files of several programs is what closed forms and the deck say; what cannot be drawn is refused.
# The numbers are those that gnuplot would get.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1
mkdir fake none
printf '#!/bin/sh\ncat >told\necho "<svg></svg>"\n' >fake/gnuplot
chmod +x fake/gnuplot
for tool in gzip cat; do ln -s "$(command -v $tool)" none/$tool; done

# drawn ARGUMENTS: the script is in `told`.
drawn()
{
    rm -f told
    PATH=$scratch/fake:$PATH "$KNOTEN" plot -q -o x.svg "$@" >out 2>err || fail "plot $*: exit status $? $(cat err)"
    [ -s told ] || { fail "plot $*: nothing was drawn"; : >told; }
}

# curve PANEL TRACE: its rows.
curve()
{
    sed -n "/^\$p$1_$2 << END\$/,/^END\$/p" told | sed '1d;$d'
}

# near NAME VALUE EXPECTED TOLERANCE
near()
{
    awk -v x="$2" -v e="$3" -v t="$4" 'BEGIN { exit !(x != "" && x - e <= t && e - x <= t) }' || fail "$1: $2, expected $3"
}

tells()
{
    grep -qF -- "$1" told || fail "gnuplot is not told: $1"
}

cat >step.cir <<'END'
Low pass, stepped
.param rv=1k
v1 in 0 dc 0 ac 1 pulse(0 1 0 1n 1n 10m 20m)
r1 in out {rv}
c1 out 0 100n
.step param rv list 500 1k 2k
.ac dec 20 1 1meg
.tran 1u 1m
.end
END
"$KNOTEN" --quiet -o step.raw step.cir >out 2>&1 || fail "step.cir: $(cat out)"

# ---- families of sweeps, units, one panel for each of them ----
drawn step.raw 'v(out)' 'v(in)-v(out)' 'i(v1)' --analysis tran
tells "title 'v(out), rv = 500'"
tells "title 'v(in)-v(out), rv = 2 k'"
tells "'time (ms)'"
tells "'voltage (V)'"
tells "'current (mA)'"
[ "$(grep -c '^plot ' told)" -eq 2 ] || fail "not two panels, of volts and of amperes"
[ "$(grep -c "^set label '[a-z]* ([mV]*A*)' .* at screen 0.01778, graph 0.5 center rotate" told)" -eq 2 ] ||
    fail "what y axes show does not stand at the edge, where no number reaches"
# 1 - exp(-t/(R C)) at 0.1 ms with R C = 0.1 ms: 0.6321
at=$(curve 0 1 | awk '{ if ($1 >= 0.1 && !done) { print y + ($2 - y) * (0.1 - x) / ($1 - x); done = 1 } x = $1; y = $2 }')
near "the curve of rv = 1k" "$at" 0.63212 0.002
# Complex vectors: decibels and phase, both -3.01 dB and -45 degrees at 1/(2 pi R C) = 1591.5 Hz.
drawn step.raw 'v(out)' --analysis ac
tells "'magnitude (dB)'"
tells "'phase (°)'"
tells "set logscale x"
between='{ if ($1 >= 1591.549 && !done) { f = (log(1591.549) - log(x)) / (log($1) - log(x)); print y + ($2 - y) * f; done = 1 } x = $1; y = $2 }'
near "decibels at the corner" "$(curve 0 1 | awk "$between")" -3.0103 0.02
near "phase at the corner" "$(curve 1 1 | awk "$between")" -45 0.05
drawn step.raw 'v(out)' --analysis ac --db
[ "$(grep -c '^plot ' told)" -eq 1 ] || fail "--db: not one panel"
# All analyses in one picture, each over its own scale.
drawn step.raw 'v(out)'
tells "'frequency (Hz)'"
tells "'time (ms)'"
tells "'Transient Analysis'"

# ---- spectra: sines of 1 V at 10 kHz and of 10 mV at 30 kHz ----
printf 'Two sines\nv1 a 0 sin(0 1 10k)\nv2 b a sin(0 10m 30k)\nr1 b 0 1k\n.options reltol=1e-6\n.tran 0.2u 1m 0 0.2u\n.end\n' >two.cir
"$KNOTEN" --quiet -o two.raw two.cir || fail two.cir
drawn two.raw 'v(b)' --spectrum
peak='$1 > from && $1 < to && (m == "" || $2 > m) { m = $2 } END { print m }'
near "first line" "$(curve 0 0 | awk -v from=8000 -v to=12000 "$peak")" 0 0.01
near "second line" "$(curve 0 0 | awk -v from=28000 -v to=32000 "$peak")" -40 0.05
near "between them" "$(curve 0 0 | awk -v from=15000 -v to=25000 "$peak")" -120 45

# ---- eyes and curves over others ----
drawn two.raw 'v(a)' --eye 100u
curve 0 0 | awk 'NF == 2 && ($1 < 0 || $1 > 100.0001) { bad = 1 } NF == 0 { gaps++ }
    NF == 2 { e = sin(6.283185307179586 * $1 / 100) - $2; if (e > 0.003 || e < -0.003) bad = 1 }
    END { exit bad || gaps < 8 }' || fail "the eye is no sine between 0 and 100 us, or has no gaps"
drawn two.raw --xy 'v(a)' 'v(a)*2+1'
curve 0 0 | awk '{ e = 2 * $1 + 1 - $2; if (e > 1e-8 || e < -1e-8) exit 1 }' || fail "--xy: not the line 2 x + 1"
tells "'v(a) (V)'"

# ---- logarithmic axes ----
drawn two.raw 'v(a)' --log y
grep -q "points of 'v(a)' are not positive" err || fail "--log y of a sine: no warning"
tells "set logscale y"

# ---- files of others: the same curve from each ----
gzip -k two.raw
drawn two.raw.gz 'v(b)'
curve 0 0 >packed
drawn two.raw 'v(b)'
curve 0 0 | cmp -s - packed || fail "the packed file is another one"
PATH=$scratch/fake:$PATH "$KNOTEN" plot -q -o x.svg - 'v(b)' <two.raw.gz || fail "standard input"
curve 0 0 | cmp -s - packed || fail "standard input is another one"
"$KNOTEN" --quiet --format ascii -o text.raw two.cir
drawn text.raw 'v(b)'
curve 0 0 | cmp -s - packed || fail "the raw file in text is another one"
if [ -n "$ngspice" ]; then
    ngspice_run two.cir peer.raw || fail "ngspice"
    drawn peer.raw b
    near "ngspice's vector" "$(curve 0 0 | awk -v from=-1 -v to=1e9 "$peak")" 0.99 0.001
fi
# Xyce: steps are plots, currents have #branch.
for k in 1 2; do
    printf 'Title: x\nPlotname: Step Analysis: Step %d of 2 params:  name = R1:R value = %d00 \nFlags: real\nNo. Variables: 3\n' $k $k
    printf 'No. Points: 3         \nVariables:\n\t0\ttime\ttime\n\t1\tOUT\tvoltage\n\t2\tV1#branch\tcurrent\nValues:\n'
    for i in 0 1 2; do printf '%d\t%d\n\t%d\n\t-%d\n\n' $i $i $((k * i)) $k; done
done >xyce.raw
drawn xyce.raw 'v(out)' 'i(v1)'
tells "title 'v(out), R1:R = 200'"
curve 0 1 | tail -n 1 | grep -qx '2 4' || fail "the second step of Xyce: $(curve 0 1 | tail -n 1)"
curve 1 1 | head -n 1 | grep -qx '0 -2' || fail "the current of Xyce: $(curve 1 1 | head -n 1)"

# ---- characters ----
"$KNOTEN" plot two.raw 'v(b)' >out 2>err || fail "in the terminal"
grep -q '500 mV' out && grep -q '1 ms' out || fail "the plot in characters has no axes"

# ---- what cannot be drawn ----
refused() # STATUS TEXT ARGUMENTS
{
    status=$1 text=$2
    shift 2
    PATH=$scratch/fake:$PATH "$KNOTEN" plot "$@" >out 2>err
    got=$?
    [ "$got" -eq "$status" ] || fail "plot $*: exit status $got, expected $status"
    grep -qF -- "$text" err || fail "plot $*: '$text' is not in: $(cat err)"
}
refused 1 "there is no vector 'v(aa)'" two.raw 'v(aa)'
refused 1 "did you mean 'v(a)'?" two.raw 'v(aa)'
refused 1 "there are time, v(a), v(b), i(v1), i(v2)" two.raw 'v(nowhere)'
refused 1 "expected a number or a vector" two.raw 'v(a)+'
refused 1 "unknown function 'sinn'" two.raw 'sinn(v(a))'
refused 1 "there is no plot 'noise' of more than a point" two.raw --analysis noise
refused 1 "there is no transient" step.raw --analysis ac --spectrum 'v(out)'
refused 1 "cannot read 'nix.raw'" nix.raw
refused 1 "this is no raw file" step.cir
refused 2 "must end in" two.raw -o x.gif
refused 2 "--size needs width and height" two.raw -o x.svg --size big
refused 2 "--xy needs two vectors" two.raw --xy 'v(a)'
refused 2 "only one of" two.raw --xy --spectrum 'v(a)' 'v(b)'
refused 2 "no raw file given" -o x.svg
head -c 20000 two.raw >cut.raw
refused 1 "are left, for" cut.raw
head -c 300 two.raw.gz >cut.raw.gz
refused 1 "gzip could not unpack it" cut.raw.gz
ln -sf two.raw link.svg
refused 2 "would overwrite" two.raw -o link.svg
PATH=$scratch/none "$KNOTEN" plot two.raw 'v(a)' -o y.svg >out 2>err
[ $? -eq 1 ] || fail "without gnuplot the exit status is not 1"
grep -q 'gnuplot is not installed' err || fail "without gnuplot: $(cat err)"
[ ! -e y.svg ] || fail "without gnuplot there is a picture"

# ---- pictures of a run ----
sed 's/^\.step.*/.print tran v(out)\n.measure tran peak max v(out)\n.measure tran rise trig v(out) val=0.1 rise=1 targ v(out) val=0.9 rise=1\n.measure tran half when v(out)=0.5\n.measure tran soon find v(out) at=0.05m/' step.cir >run.cir
ran() # ARGUMENTS: the script is in `told`
{
    rm -f told
    PATH=$scratch/fake:$PATH "$KNOTEN" -q run.cir "$@" >out 2>err || fail "run $*: exit status $? $(cat err)"
    [ -s told ] || { fail "run $*: nothing was drawn"; : >told; }
}
ran --plot=r.svg -o r.raw
[ -s r.svg ] && [ -s r.raw ] || fail "--plot=r.svg -o r.raw: not both files"
tells "title 'v(out)'"
grep -q "title 'v(in)'" told && fail "a vector that .print does not name is drawn"
# rise from 0.1 to 0.9: R C ln 9 = 219.7 us, an arrow; the largest value a point on the curve.
tells "set label 'rise = 219.7 "
grep -qE 'set arrow from 0\.010[0-9]*, graph [0-9.]+ to 0\.230[0-9]*,' told || fail "rise is no arrow from 10.5 to 230.3 us: $(grep arrow told | head -n 3)"
tells "set label 'peak = "
grep -E "set label 'peak = .*pointtype 7" told >/dev/null || fail "peak is no point"
# A place (R C ln 2 = 69.3 us) is a dashed line with the time beside it, a value found there a point on the curve.
tells "set label 'half = 69.32 µs' at 0.0693"
grep -E "set label 'soon = 393.* mV' at 0.05,.*pointtype 7" told >/dev/null || fail "soon is no point: $(grep soon told)"
ran --plot='v(in)-v(out),i(v1),s.svg'
tells "title 'v(in)-v(out)'"
tells "'current (mA)'"
[ -s s.svg ] && [ -s run.raw ] || fail "--plot with vectors and a file"
grep -q '┤' out && fail "a picture in a file is drawn in the terminal, too"
rm -f run.raw
ran -o t.svg
[ "$(head -c 4 t.svg)" = '<svg' ] && [ -s run.raw ] || fail "-o t.svg: no picture, or no results"
sed '/^\.end$/d;/^\.tran/d;/^\.measure/d;/^\.ac/d' run.cir >script.cir
printf '.control\ntran 1u 1m\n.endc\n.end\n' >>script.cir
PATH=$scratch/fake:$PATH "$KNOTEN" -q script.cir --plot=u.svg >out 2>err && [ -s u.svg ] || fail ".control and --plot: $(cat err)"
cp step.cir run.cir
PATH=$scratch/fake:$PATH "$KNOTEN" -q run.cir --plot='v(nix),n.svg' >out 2>err
[ $? -eq 1 ] && grep -q "there is no vector 'v(nix)'" err || fail "a picture of v(nix): $(cat err)"
"$KNOTEN" -q run.cir --plot=run.cir.svg -o run.cir.svg >out 2>err
[ $? -eq 2 ] && grep -q 'would both go to' err || fail "two outputs in one file: $(cat err)"
cp run.cir deck.svg
"$KNOTEN" -q deck.svg --plot=deck.svg >out 2>err
[ $? -eq 2 ] && grep -q 'would overwrite the deck' err || fail "a picture over the deck: $(cat err)"

# ---- real pictures ----
if command -v gnuplot >/dev/null; then
    sed 's/^Two sines/A '"'"'title'"'"' with `touch stolen` and <tags> \& "quotes"/' two.cir >odd.cir
    "$KNOTEN" --quiet -o odd.raw odd.cir
    for kind in svg png pdf; do
        "$KNOTEN" plot -q odd.raw 'v(b)' 'v(a)' -o "p.$kind" >out 2>err || fail "$kind: $(cat err)"
        [ ! -s err ] || fail "$kind: $(cat err)"
    done
    [ ! -e stolen ] || fail "gnuplot has obeyed a title"
    grep -q '>v(b)<\|v(b)</' p.svg || fail "p.svg does not name its curve"
    grep -q '&lt;tags' p.svg || fail "p.svg has not the title"
    [ "$(head -c 4 p.png | tail -c 3)" = PNG ] || fail "p.png is none"
    [ "$(head -c 4 p.pdf)" = %PDF ] || fail "p.pdf is none"
    printf "quoted\nV1 a 0 1\nR1 a 0 1\n.control\ntran 1u 1m\nplot 'v(a)/2' v(a)\n.endc\n.end\n" >quoted.cir
    "$KNOTEN" -q -o quoted.raw quoted.cir >out 2>err || fail "a label that begins with a quote: $(cat err)"
    "$KNOTEN" plot -q odd.raw 'v(b)' -o small.png --size 400x300 --dark || fail "a small dark one"
fi

# ---- what cannot be drawn is said, and what a file calls things moves no cursor ----

esc=$(printf '\033')
{
    printf 'Title: a%s[2Jb\nPlotname: Transient Analysis\nFlags: real\nNo. Variables: 4\nNo. Points: 3\nVariables:\n' "$esc"
    printf '\t0\ttime\ttime\n\t1\tv(x%s[31m)\tvoltage\n\t2\tv(n)\tvoltage\n\t3\tv(big)\tvoltage\nValues:\n' "$esc"
    for i in 0 1 2; do printf '%s\t%s\n\t%s\n\tnan\n\t%s1e308\n' "$i" "$i" "$i" "${i#[02]}-"; done
} | sed 's/1-1e308/1e308/' >strange.raw
"$KNOTEN" plot strange.raw 'v(x?[31m)' >out 2>err || fail "a name with a control character: $(cat err)"
! grep -q "$esc" out err || fail "a name of a file is obeyed by the screen"
for vector in 'v(n)' 'v(big)'; do
    for kind in '' svg html; do
        status=0
        "$KNOTEN" plot strange.raw "$vector" ${kind:+-o "none.$kind"} >out 2>err || status=$?
        [ "$status" -eq 1 ] && grep -qF "no point of '$vector' can be drawn" err || fail "$vector $kind: $status, $(cat err)"
        [ ! -e "none.$kind" ] || fail "$vector: an empty none.$kind"
    done
done
if command -v gnuplot >/dev/null; then
    "$KNOTEN" plot -q strange.raw 'v(x?[31m)' 'v(n)' -o some.svg 2>err || fail "one of two: $(cat err)"
    ! grep -q 'valid points' err || fail "gnuplot complains: $(cat err)"
fi

finish
