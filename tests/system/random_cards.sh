# random_cards.sh - transistors of random cards at random biases against ngspice; sourced, not run, by the tests of models that
# have many parameters.  A test has `cards.awk`, which prints independent transistors with sources at every node, and what
# to print of them.
. "$(dirname "$0")/common.sh"
# ngspice evaluates BSIM in two threads that wait for each other at full speed: on a busy machine ten times as long as in one.
export OMP_THREAD_LIMIT=1
cd "$scratch" || exit 1
[ -n "$ngspice" ] || skip "ngspice is not installed to compare with"

# What cards.awk draws with; -v count=, and excited= the node whose sources have an amplitude, whose voltages are at[].
cat >random.awk <<'END'
function between(a, b) { return a + (b - a) * rand() }
function spread(a, b) { return exp(between(log(a), log(b))) }
function maybe(p) { return rand() < p }
function put(name, value) { printf "+ %s=%.9g\n", name, value }
function source(node, i, v) {
    printf "v%s%d %s%d 0 DC %.9g%s\n", node, i, node, i, v, excited == node ? " AC 1" : ""
    if (excited == node) at[i] = v
}
# A row "NAME LOW HIGH [SHARE]", in that share of cards; over decades where it has some.
function draw(row, always,   a) {
    if (split(row, a, " ") && (always || a[4] == "" || maybe(a[4])))
        put(a[1], a[2] > 0 && a[3] > 20 * a[2] ? spread(a[2], a[3]) : between(a[2], a[3]))
}
function each(what,   i) { for (i = 1; i <= count; i++) printf what "\n", i, i, i, i }
function small_signals(power, first, second,   i) {
    printf "ac lin 1 1e%d 1e%d\n", power, power
    for (i = 1; i <= count; i++) {
        printf "let br = real(i(v%s%d))\nlet bi = imag(i(v%s%d))\n", first, i, first, i
        printf "let cr = real(i(v%s%d))\nlet ci = imag(i(v%s%d))\nprint br\nprint bi\nprint cr\nprint ci\n", second, i, second, i
    }
}
END

# cards NAME=VALUE.. >DECK
cards()
{
    set -- "$@" -f random.awk -f cards.awk
    awk "$@"
}

printed() { sed -n 's/^\(i(v[a-z0-9]*)\|[bc][ri]\) = /\1 /p'; }

# both DECK: what it prints, in n.txt and k.txt.
both()
{
    timeout 60 "$ngspice" -b "$1" 2>/dev/null </dev/null | printed >n.txt
    timeout 60 "$KNOTEN" -q -o k.raw "$1" 2>k.err | printed >k.txt
}

# Currents to 1e-6 of themselves, or to the floor.  -v floor= -v rows=
cat >currents.awk <<'END'
{ d = $2 - $4; d = d < 0 ? -d : d; s = $2 < 0 ? -$2 : $2
  if ($1 != $3 || !(d <= 1e-6 * s + floor)) { print; bad = 1 } }
END { exit bad || NR != rows }
END

# The same to 1e-5 of the largest of the operating point of a transistor (three), and of its small signals at a frequency (four),
# which -v still=1 leaves out.  -v count= -v floor= -v rows= -v still=
cat >groups.awk <<'END'
function size(x) { return x < 0 ? -x : x }
function end_of_group(   k) {
    for (k = 1; k <= n; k++)
        if (!(size(a[k] - b[k]) <= 1e-5 * most + floor)) { print NR, name[k], a[k], b[k], most; bad = 1 }
}
{ n++; name[n] = $1; a[n] = $2; b[n] = $4; if (size($2) > most) most = size($2)
  if ($1 != $3) bad = 1
  if (n == (NR <= 3 * count ? 3 : 4)) { if (!still || NR <= 3 * count) end_of_group(); n = most = 0 } }
END { exit bad || NR != rows }
END

# What ngspice's charges, which are those of an n-channel, change by, against the imaginary parts of -i: to the last column
# times the largest of the same transistor; not at all where that is above 1.
cat >charges.awk <<'END'
{ split($6, z, ","); w = 2 * 3.14159265358979 * 1e8; c = $7 * ($4 - $2) / 4e-5; k = -z[2] / w; d = c - k
  d = d < 0 ? -d : d; size = (NR % 3 == 1 ? 0 : size); s = c < 0 ? -c : c; size = s > size ? s : size
  off = (NR % 3 == 1 || d > off ? d : off); text = text "\n" $0
  if (NR % 3 == 0) { if (!($8 > 1 || off <= $8 * size + 1e-19)) { print "off by " off " of " size text; bad = 1 } text = "" } }
END { exit bad || NR != rows }
END

# mosfets SEEDS COUNT FLOOR TOLERANCES: currents, and for even seeds charges, of MOSFETs; FLOOR of odd seeds, which have
# resistances around them; TOLERANCES: an awk program that prints sign and tolerance thrice a transistor, of a deck.
mosfets()
{
    count=$2
    for seed in $1; do
        case $((seed / 2 % 4)) in 0) excited=d ;; 1) excited=g ;; 2) excited=s ;; 3) excited=b ;; esac
        for side in ngspice knoten; do
            cards -v seed="$seed" -v count="$count" -v excited=$excited -v side=$side >$side.cir
        done
        timeout 60 "$ngspice" -b ngspice.cir >n.out 2>/dev/null
        timeout 60 "$KNOTEN" -q knoten.cir >k.out 2>k.err || { fail "seed $seed: exit status $?"; cat k.err; }
        printed <n.out >n.txt
        printed <k.out >k.txt
        sed -n 's/^\(@m[0-9]*.q[dsgb].\) = /\1 /p' n.out >q.txt
        head -n $((4 * count)) k.txt >k.dc
        floor=2e-17 # what sums of currents lose
        [ $((seed % 2)) -eq 0 ] || floor=$3
        paste -d' ' n.txt k.dc | awk -v floor="$floor" -v rows=$((4 * count)) -f currents.awk >off ||
            { fail "currents, seed $seed"; cat off; }
        [ $((seed % 2)) -eq 0 ] || continue # behind resistances small signals lag
        tail -n +$((4 * count + 1)) k.txt >k.ac
        head -n $((3 * count)) q.txt >q1
        awk -v bulk=$((seed / 2 % 4 > 1)) "$4" ngspice.cir >signs
        tail -n +$((3 * count + 1)) q.txt | paste -d' ' q1 - k.ac signs | awk -v rows=$((3 * count)) -f charges.awk >off ||
            { fail "charges at $excited, seed $seed"; cat off; }
    done
}

# noise_of_mosfet WHAT GATE SUPPLY SIZE MODEL: at 1 kHz and 1 MHz, to 1e-5.
noise_of_mosfet()
{
    cat >noise.cir <<END
noise
VG g 0 DC $2 AC 1
VD p 0 $3
RL p d 2k
M1 d g 0 0 n $4
.model n nmos($5)
.options reltol=1e-7
.temp 50
.control
set numdgt=10
noise v(d) VG lin 2 1k 1meg
setplot noise1
print onoise_spectrum
.endc
.end
END
    timeout 60 "$ngspice" -b noise.cir 2>/dev/null | awk '$1 ~ /^[01]$/ && NF == 3 { print $2, $3 }' >n.txt
    timeout 60 "$KNOTEN" -q noise.cir 2>k.err | awk '$1 ~ /^[01]$/ && NF == 3 { print $2, $3 }' >k.txt
    paste -d' ' n.txt k.txt | awk '{ d = $2 / $4 - 1; if (!(d < 1e-5 && d > -1e-5)) bad = 1 } END { exit bad || NR != 2 }' ||
        { fail "noise of $1 at $2 V"; paste n.txt k.txt; cat k.err; }
}

# ring SUPPLY TOLERANCE STEP STOP FROM TO N P <MODELS: five inverters of such transistors (nodes b a p of the inverter, model mn
# or mp, size): period, charge from FROM to TO, largest voltage behind FROM.
ring()
{
    models=$(cat)
    half=$(awk -v all="$1" 'BEGIN { print all / 2 }')
    cat >ring.cir <<END
ring
VD p 0 $1
$models
.subckt inv a b p
MN $7
MP $8
.ends
X1 a b p inv
X2 b c p inv
X3 c d p inv
X4 d e p inv
X5 e a p inv
.ic v(a)=0
.options reltol=1e-5
.tran $3 $4 0 $3
.meas tran period TRIG v(a) VAL=$half RISE=1 TARG v(a) VAL=$half RISE=3
.meas tran charge INTEG i(VD) FROM=$5 TO=$6
.meas tran high MAX v(a) FROM=$5
.end
END
    timeout 120 "$ngspice" -b ring.cir 2>/dev/null | awk '$2 == "=" && $1 ~ /^(period|charge|high)$/ { print $1, $3 }' | sort >n.txt
    timeout 120 "$KNOTEN" -q -o k.raw --measures k.json ring.cir >out 2>err || { fail "ring: exit status $?"; cat err; }
    tr -d ' \n' <k.json | tr '{' '\n' | sed -n 's/.*"name":"\([^"]*\)","value":\([^,}]*\).*/\1 \2/p' | sort >k.txt
    paste -d' ' n.txt k.txt | awk -v most="$2" '{ d = $2 / $4 - 1; if ($1 != $3 || !(d < most && d > -most)) { print; bad = 1 } }
        END { exit bad || NR != 3 }' >off || { fail "a ring of inverters"; cat off n.txt k.txt; }
}
