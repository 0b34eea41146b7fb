#!/bin/sh
# .four gives the harmonics and the distortion that ngspice gives, .fft and .four agree on what both can see, and their
# tables are where a reader looks for them.
. "$(dirname "$0")/common.sh"
cd "$scratch" || exit 1

# four NAME FREQUENCY STOP MAX_STEP VECTOR: $scratch/deck, harmonics to 0.1 % of the fundamental's size.
four()
{
    { cat deck; printf '.options reltol=1e-7\n.tran %s %s\n.four %s %s\n.end\n' "$4" "$3" "$2" "$5"; } >k.cir
    { cat deck
      printf '.options reltol=1e-5\n.control\nset fourgridsize=20000\nset polydegree=2\ntran %s %s 0 %s\nfourier %s %s\nquit\n.endc\n.end\n' \
          "$4" "$3" "$4" "$2" "$5"; } >n.cir
    timeout 60 "$ngspice" -b n.cir >log 2>&1
    awk '/THD:/ { for (i = 1; i <= NF; i++) if ($i == "THD:") print "thd", $(i + 1) }
        $1 ~ /^[0-9]+$/ && NF >= 6 { print $1, $3, $4 }' log >n.txt
    timeout 60 "$KNOTEN" -q -o k.raw k.cir >out 2>err || { fail "$1: exit status $?"; cat err; return; }
    [ ! -s err ] || { fail "$1 is warned about"; cat err; }
    awk '/^thd\(/ { print "thd", $2 } $1 ~ /e\+00$/ && NF == 6 { print $1 + 0, $3, $4 }' out | sort >k.txt
    [ "$(wc -l <n.txt)" -eq 11 ] || { fail "$1: ngspice"; tail -n 5 log; return; }
    awk -v name="$1" '
        function near(a, b, e) { return a - b <= e && b - a <= e }
        NR == FNR { size[$1] = $2; phase[$1] = $3; next }
        { rows++ }
        $1 == "thd" { if (!near($2, size["thd"], 1e-3 * size["thd"] + 1e-2)) { print name ": THD " $2 ", ngspice " size["thd"]; bad = 1 } next }
        !near($2, size[$1], 1e-3 * size[1]) { print name ": harmonic " $1 ": " $2 ", ngspice " size[$1]; bad = 1 }
        $1 > 0 && size[$1] > 1e-2 * size[1] {
            d = $3 - phase[$1]; while (d > 180) d -= 360; while (d < -180) d += 360
            if (d > 0.3 || d < -0.3) { print name ": phase " $1 ": " $3 ", ngspice " phase[$1]; bad = 1 }
        }
        END { if (rows != 11) { print name ": " rows " rows"; bad = 1 } exit bad }' n.txt k.txt >table || { fail "$1"; cat table; }
}

# lines NAME FREQUENCY STOP MAX_STEP VECTOR WINDOW KIND: the magnitudes of .fft, WINDOW, over the last 8 periods up to STOP at
# the first five harmonics, beside those of ngspice's spec, KIND, of 16,000 samples; to 0.1 % of the largest.
lines()
{
    begin=$(awk -v f="$2" -v stop="$3" 'function number(t) { u = t; sub(/[0-9.]+/, "", u); return t * (u == "m" ? 1e-3 : u == "k" ? 1e3 : 1) }
        BEGIN { printf "%.12g", number(stop) - 8 / number(f) }')
    { cat deck
      printf '.options reltol=1e-7\n.tran %s %s\n.fft %s np=4096 start=%s stop=%s window=%s format=unorm\n' "$4" "$3" "$5" "$begin" "$3" "$6"
      for k in 1 2 3 4 5; do printf ".measure fft h%d FIND vm(%s) AT='%d*%s'\n" $k "$(expr "$5" : 'v(\(.*\))')" $k "$2"; done
      echo .end; } >k.cir
    { cat deck
      printf '.options reltol=1e-5\n.control\nset specwindow=%s\ntran %s %s 0 %s\nlet lin-tstart=%s\nlet lin-tstep=%s\n' \
          "$7" "$4" "$3" "$4" "$begin" "$(awk -v f="$2" 'BEGIN { u = f; sub(/[0-9.]+/, "", u); printf "%.12g", 8 / (f * (u == "k" ? 1e3 : 1)) / 16000 }')"
      printf 'linearize %s\nspec %s %s %s %s\nlet m = mag(%s)\nprint m[0] m[1] m[2] m[3] m[4]\nquit\n.endc\n.end\n' \
          "$5" "$2" "$(awk -v f="$2" 'BEGIN { u = f; sub(/[0-9.]+/, "", u); print 5 * f u }')" "$2" "$5" "$5"; } >n.cir
    timeout 60 "$ngspice" -b n.cir 2>&1 | awk '/^m\[[0-4]\] = / { print $3 }' >n.txt
    timeout 60 "$KNOTEN" -q -o k.raw k.cir >out 2>err || { fail "$1: exit status $?"; cat err; return; }
    [ "$(wc -l <n.txt)" -eq 5 ] || { fail "$1: ngspice's spec"; return; }
    awk '/^  h[1-5] / { print $2 }' out | paste - n.txt | awk -v name="$1" '
        { a[NR] = $1; b[NR] = $2; if ($2 > most) most = $2 }
        END { for (i = 1; i <= NR; i++) if (a[i] - b[i] > 1e-3 * most || b[i] - a[i] > 1e-3 * most) {
                  print name ": line " i ": " a[i] ", ngspice " b[i]; bad = 1 } exit bad || NR != 5 }' >table || { fail "$1, .fft"; cat table; }
}

if [ -n "$ngspice" ]; then
    cat >deck <<'END'
a sum of sines through a low-pass
V1 a 0 SIN(0.3 1 1k)
V2 b a SIN(0 0.4 3k 0 0 40)
R1 b out 1k
C1 out 0 100n
END
    four "sum of sines" 1k 6m 0.5u "v(out)"
    lines "sum of sines" 1k 10m 0.5u "v(out)" rect none
    cat >deck <<'END'
a pulse train into a low-pass
V1 a 0 PULSE(0 5 10u 20u 30u 200u 500u)
R1 a out 1k
C1 out 0 47n
END
    four "pulses" 2k 5m 0.2u "v(out)"
    lines "pulses" 2k 5m 0.2u "v(out)" hann hanning
    cat >deck <<'END'
a half-wave rectifier
V1 a 0 SIN(0 10 50)
D1 a out dm
R1 out 0 1k
C1 out 0 1u
.model dm d is=1e-12 rs=1 n=1.2
END
    four "rectifier" 50 100m 5u "v(out)"
    lines "rectifier" 50 200m 5u "v(out)" rect none
    cat >deck <<'END'
a transistor stage that clips
Vcc vcc 0 12
V1 in 0 SIN(0 0.05 10k)
C1 in b 10u
R1 vcc b 47k
R2 b 0 10k
Q1 c b e qn
R3 vcc c 4.7k
R4 e 0 1k
R5 e x 50
C4 x 0 100u
.model qn npn is=1e-15 bf=150
END
    four "clipped stage" 10k 2m 50n "v(c)"
    lines "clipped stage" 10k 2m 50n "v(c)" rect none
    cat >deck <<'END'
a squarer
V1 a 0 SIN(0.2 1 5k)
B1 b 0 V=v(a)+0.3*v(a)*v(a)-0.1*v(a)*v(a)*v(a)
R1 b out 1k
C1 out 0 10n
END
    four "squarer" 5k 2m 0.1u "v(out)"
    lines "squarer" 5k 2m 0.1u "v(out)" rect none
    cat >deck <<'END'
the current of a series resonance driven by a triangle
V1 a 0 PULSE(-1 1 0 50u 50u 1p 100u)
L1 a b 100u
C1 b c 100n
R1 c 0 20
END
    four "triangle" 10k 2m 20n "i(v1)"
    lines "triangle" 10k 2m 20n "v(c)" rect none
else
    echo "ngspice is not installed to compare with"
fi

# ---- what the cards say ----

cat >all.cir <<'END'
harmonics
V1 a 0 SIN(0.5 2 1k)
B1 b 0 V=v(a)+0.1*v(a)*v(a)
R1 a 0 1k
R2 b 0 1k
.options reltol=1e-6
.tran 1u 8m
.four 1k 5 2 v(a) v(b) v(a)-v(b)
.fft v(b) np=512 window=hann start=0 stop=8m format=unorm fmin=500 fmax=3.5k
.measure fft h2 FIND vm(b) AT=2k
.measure fft th THD v(b)
.measure tran x FOUR v(a) AT=1k
.measure four p2 FIND vp(b) AT=2k
.end
END
"$KNOTEN" -q --format csv -o all.csv all.cir >out 2>err || { fail "exit status $?"; cat err; }
[ ! -s err ] || { fail "warnings"; cat err; }
grep -q '^harmonic,frequency,mag(v(a)),phase(v(a)),norm_mag(v(a)),norm_phase(v(a)),mag(v(b))' all.csv ||
    { fail "no table of harmonics in the CSV"; grep harm all.csv; }
grep -q '^frequency,mag(v(b)),db(v(b)),phase(v(b))$' all.csv || fail "no spectrum in the CSV"
[ "$(awk '/^frequency,/ { on = 1; next } /^[a-z]/ { on = 0 } on && NF' all.csv | wc -l)" -eq 25 ] ||
    { fail "fmin and fmax"; awk '/^frequency,/ { on = 1 } on' all.csv | head -n 40; }
grep -q '^ *harmonic ' out || fail "no table of harmonics on the screen"
# v(b) = 0.725 + 2.2 sin - 0.2 cos(2wt): amplitudes 2.2 and 0.2, the phase of the second -90 degrees of a sine.
awk '/^  (h2|th|x|p2) / { v[$1] = $2 }
    function near(name, value, e) { if (v[name] - value > e || value - v[name] > e) { print name, v[name], value; bad = 1 } }
    END { near("h2", 0.2, 1e-5); near("th", 100 / 11, 1e-3); near("x", 0, 1e-3); near("p2", -90, 1e-3); exit bad }' out ||
    { fail "measurements of the spectra"; cat out; }

# Stepped: one table of all steps, the values behind the scale.
sed 's/SIN(0.5 2 1k)/SIN(0.5 {u} 1k)/; s/^\.measure.*//; s/^\.end$/.param u=1\n.step param u list 1 2\n.end/' all.cir >step.cir
"$KNOTEN" -q --format csv -o step.csv step.cir >out 2>err || { fail "stepped: exit status $?"; cat err; }
grep -q '^u,harmonic,frequency,' step.csv || { fail "steps of .four"; grep -n harm step.csv; }

# Mistakes.
cat >bad.cir <<'END'
mistakes
V1 a 0 SIN(0 1 1k)
R1 a 0 1k
.tran 1u 2.5m
.four v(a)
.four 1k
.four 0 v(a)
.four 100 v(a)
.fft v(a) window=hamster
.fft v(a) np=1000
.fft v(a) start=2m stop=1m
.fft v(zz)
.fft v(a) stop=5m
.meas fft m thd v(b)
.end
END
"$KNOTEN" -q -o bad.raw bad.cir >out 2>err || fail "mistakes on cards of spectra end the run"
for line in "5:7: warning: '.four': expected the frequency" "6:9: warning: '.four': expected a signal" \
    "7:7: warning: '.four': expected a frequency greater than 0" "8:1: warning: '.four': the run from 0 s to 0.0025 s is shorter" \
    "9:18: warning: '.fft': there is no window 'hamster'" "10:14: warning: '.fft': np becomes 1024" \
    "warning: '.fft': expected start before stop" "12:8: warning: there is no node 'zz'" \
    "13:1: warning: '.fft': from 0 s to 0.005 s there is no run"; do
    grep -qF "$line" err || { fail "not said: $line"; cat err; }
done

finish
