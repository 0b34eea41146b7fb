#!/bin/sh
# `knoten explain`: the exact text of small circuits, all examples in all formats, documents that other programs accept.
. "$KNOTEN_SOURCE/tests/system/common.sh"
cd "$scratch" || exit 1
examples=$KNOTEN_SOURCE/examples
decks=$KNOTEN_SOURCE/tests/decks/explain

# explain STATUS ARGUMENTS..: output in out, messages in err.
explain()
{
    wanted=$1
    shift
    "$KNOTEN" explain "$@" >out 2>err
    status=$?
    [ "$status" -eq "$wanted" ] || fail "explain $*: exit status $status, expected $wanted; $(head -n 3 err)"
}

# contains CLAIM: the lines on standard input stand in out, one after the other.
contains()
{
    cat >expected
    awk 'NR == FNR { want[NR] = $0; n = NR; next }
         { have[++m] = $0 }
         END {
             for (i = 1; i + n - 1 <= m; i++) {
                 for (k = 1; k <= n && have[i + k - 1] == want[k]; k++);
                 if (k > n) exit 0
             }
             exit 1
         }' expected out || { fail "$1: this is not in the text:"; cat expected; }
}

lacks() # pattern claim
{
    if grep -q -e "$1" out; then fail "$2"; fi
}

# ---- the inherent differential equation: test_inherent has the numbers, here is how it reads ----

explain 0 "$KNOTEN_SOURCE/tests/decks/orders/index3-chain.cir"
contains 'hidden constraints to the last one' <<'END_OF_TEXT'
  derivative 1  0 = -0.001*v(1) + 0.001*v(3) - i(v1) - 1e-06*d/dt V1(t)
  derivative 2  0 = 0.011*v(1) - v(2) - 0.011*v(3) + i(v1) - 1e-09*d^2/dt^2 V1(t)
END_OF_TEXT
contains 'the inherent equation' <<'END_OF_TEXT'
    d/dt v(3) = -10000*v(3) + 10000*V1(t)
END_OF_TEXT
contains 'each unknown with its own index' <<'END_OF_TEXT'
    v(1) = V1(t)
    v(2) = -0.01*v(3) + 0.01*V1(t) - 1e-06*d/dt V1(t) - 1e-09*d^2/dt^2 V1(t)    index 3
    i(l1) = 0.001*v(3) - 0.001*V1(t) - 1e-06*d/dt V1(t)    index 2
    i(v1) = 0.001*v(3) - 0.001*V1(t) - 1e-06*d/dt V1(t)    index 2
END_OF_TEXT
explain 0 --format html "$KNOTEN_SOURCE/tests/decks/orders/index3-chain.cir"
grep -q '<mfrac><msup><mi>d</mi><mn>2</mn></msup>' out || fail 'no second derivative in MathML'
explain 0 --format latex "$KNOTEN_SOURCE/tests/decks/orders/index3-chain.cir"
grep -q 'tfrac{d^{2}}{dt^{2}}' out || fail 'no second derivative in LaTeX'
explain 0 "$KNOTEN_SOURCE/tests/decks/orders/nonlinear.cir"
contains 'laws as if they were sources' <<'END_OF_TEXT'
    d/dt v(out) = -15000*v(out) - 1e+07*i_D1(v(out)) + 10000*V1(t) - 1e+07*d/dt q_D1(v(out))
END_OF_TEXT
grep -q '^Not solved: where a charge' out || fail 'what is not solved is not said'

# ---- laws of devices: what is printed, with the parameters that are printed, is what the operating point has ----

cat >laws.cir <<'END'
one device of each kind, its voltages held by sources
V1 a 0 0.6
D1 a 0 dm
V2 z 0 -5.1
D2 z 0 zm
Vb b 0 0.65
Vc c 0 0.3
Q1 c b 0 qm
Vg g 0 2.5
Vd d 0 0.7
Vs s 0 -1
M1 d g 0 s mm w=20u l=2u
M2 d2 g 0 s mm w=20u l=2u
Vd2 d2 0 4
Vj j 0 -0.5
J1 d j 0 jm
J2 d2 j 0 jm
.model dm d is=1e-14 n=1.1 isr=1e-12 nr=2
.model zm d is=1e-14 bv=5 ibv=1m
.model qm npn is=2e-16 bf=120 br=3 vaf=60 ikf=5m ise=1e-15 ne=1.5
.model mm nmos level=1 vto=0.8 kp=5e-5 lambda=0.02 gamma=0.4 phi=0.7
.model jm njf beta=1m vto=-2 lambda=0.01 b=0.8
.op
.end
END
explain 0 laws.cir
mv out laws.txt
# value DEVICE MODEL VARIABLES LINES..: what the last line, "i = ..", is; the others come before it.
value()
{
    device=$1 model=$2 variables=$3
    shift 3
    {
        echo "Vt = $(sed -n 's/^  Vt *k T.q = \([^ ]*\) V.*/\1/p' laws.txt); gmin = 1e-12; $variables"
        sed -n "s/^  \([A-Z]*\) of \($model\|$device\) *\([^ ,]*\)[ ,].*/\1 = \3;/p" laws.txt
        for line in "$@"; do echo "$line"; done | sed 's/\<if\>/i_f/g; s/sqrt(/sqrt(/g'
    } >"law-$device.awk"
    awk "BEGIN { $(cat "law-$device.awk") ; printf \"%.9g\", result }"
}
# law NAME [NUMBER]: the right side of that line, without what is said beside it
law()
{
    awk -v left="    $1 = " -v number="${2:-1}" '
        index($0, left) == 1 && ++count == number { sub(/^ *[^ ]* = /, ""); sub(/    .*/, ""); print; exit }' laws.txt
}
"$KNOTEN" laws.cir --quiet --format csv -o laws.csv >points.txt 2>err || fail "laws.cir: $(cat err)"
current() # of a source, its sign turned
{
    awk -F, -v n="i($1)" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == n) c = k } NR == 2 { printf "%.9g", -$c }' laws.csv
}
agree() # label printed simulated
{
    awk -v a="$2" -v b="$3" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(d <= 2e-4 * (b < 0 ? -b : b)) }' ||
        fail "$1: the printed law gives $2, the simulator $3"
}
agree D1 "$(value D1 dm 'v = 0.6;' "result = $(law i_D1)")" "$(current v1)"
agree D2 "$(value D2 zm 'v = -5.1; vb = BV;' "$(for k in 1 2 3 4 5; do echo "vb = $(law vb | sed 's/ln(/log(/');"; done)" "result = $(law i_D2)")" "$(current v2)"
agree Q1.c "$(value Q1 qm 'vbe = 0.65; vbc = 0.35;' "if = $(law if); ir = $(law ir); q2 = $(law q2); q1 = $(law q1); qb = $(law qb);" \
    "result = $(law i_Q1.ce) - ($(law i_Q1.bc))")" "$(current vc)"
agree Q1.b "$(value Q1 qm 'vbe = 0.65; vbc = 0.35;' "if = $(law if); ir = $(law ir);" "result = $(law i_Q1.be) + $(law i_Q1.bc)")" "$(current vb)"
agree M1+J1 "$(value M1 mm 'vgs = 2.5; vds = 0.7; vbs = -1;' "u = $(law u); beta = $(law beta);" "result = $(law i_M1.ds 3)" \
    | awk -v j="$(value J1 jm 'vgs = -0.5; vds = 0.7;' "u = vgs - VTO; c = $(law c);" "result = $(law i_J1.ds 3)")" '{ printf "%.9g", $1 + j }')" "$(current vd)"
agree M2+J2 "$(value M2 mm 'vgs = 2.5; vds = 4; vbs = -1;' "u = $(law u); beta = $(law beta);" "result = $(law i_M2.ds 2)" \
    | awk -v j="$(value J2 jm 'vgs = -0.5; vds = 4;' "u = vgs - VTO; c = $(law c);" "result = $(law i_J2.ds 2)")" '{ printf "%.9g", $1 + j }')" "$(current vd2)"
# The higher levels of MOSFETs: level LABEL VDS MODEL WHICH NAMES..: of the lines of the law the WHICH-th for the current, with
# the helping names in the order in which they follow from each other.
level()
{
    label=$1 vds=$2 which=$4
    printf 'level\nVd d 0 %s\nVg g 0 2.5\nVs s 0 -1\nM1 d g 0 s mm w=20u l=2u\n.model mm nmos %s vto=0.8 kp=5e-5 gamma=0.4 phi=0.7 tox=100n\n.op\n.end\n' \
        "$vds" "$3" >laws.cir
    shift 4
    explain 0 laws.cir
    mv out laws.txt
    "$KNOTEN" laws.cir --quiet --format csv -o laws.csv >points.txt 2>err || fail "$label: $(cat err)"
    {
        echo 'BEGIN { pi = atan2(0, -1); epsSi = 11.7 * 8.8541878e-12; Cox = 3.9 * 8.8541878e-12/1e-7; k = 8.15e-22'
        echo "vgs = 2.5; vbs = -1; vds = $vds"
        sed -n 's/^  \([A-Z]*[0-9]*\) of \(mm\|M1\) *\([^ ,]*\)[ ,].*/\1 = \3/p' laws.txt
        echo 'UCRIT *= 100; UO *= 1e-4; D = sqrt(2 * epsSi/(1.602176634e-19 * 1e6 * (NSUB ? NSUB : 1)))'
        for name in "$@"; do echo "$name = $(law "$name")"; done
        echo "result = $(law i_M1.ds "$which"); printf \"%.9g\", result }"
    } | sed 's/^v = vds$/v = vds < vdsat ? vds : vdsat/' >law.awk
    agree "$label" "$(awk -f law.awk)" "$(current vd)"
}
for vds in 0.7 4; do
    level "level 2, $vds V" $vds 'level=2 nsub=1e16 lambda=0.02 xj=0.3u uexp=0.1 ucrit=2e4 delta=1' 2 f eta vt g von r vg vdsat v dL beta
    level "level 3, $vds V" $vds 'level=3 theta=0.1 eta=0.5 delta=1' 2 f s sigma vth von vg u F vdsat v dL beta
    level "level 3 with vmax, $vds V" $vds 'level=3 theta=0.1 uo=600 vmax=1e5' 2 f s sigma vth von vg u F vc vdsat v dL beta
done
level 'level 2 beyond saturation' 4 'level=2 nsub=1e16' 2 f eta vt g von r vg vdsat v dL beta
level6='level=6 kv=0.9 nv=0.8 kc=4e-5 nc=1.2 lambda0=0.03 lambda1=0.01 gamma1=0.1 sigma=0.02'
level 'level 6' 0.7 "$level6" 3 u lambda isat vdsat
level 'level 6 saturated' 4 "$level6" 2 u lambda isat vdsat
explain 0 --format html laws.cir
grep -q '<mi>exp</mi>' out && grep -q '<mfrac><mrow><mi>v</mi></mrow>' out || fail 'laws are no formulas in MathML'
grep -q '<td><math><mi>KV</mi><mtext>&#160;of&#160;mm</mtext></math></td><td>0.9' out || fail 'parameters have no names in MathML'
! sed -n '/Their parameters/,$p' out | grep -E '<math>[^<]' || fail 'text without an element, which browsers do not show in a formula'
explain 0 --format latex laws.cir
grep -q 'mathit{IS}' out && grep -q 'frac{v}' out || fail 'laws are no formulas in LaTeX'
grep -Fq '{$\mathit{KV}\text{ of mm}$}' out || fail 'parameters lose their blanks in LaTeX'

# ---- the Schmitt trigger: Deuflhard and Bornemann, Numerische Mathematik 2, section 1.4, (1.12) to (1.15) ----

explain 0 "$decks/deuflhard-bornemann.cir"
contains 'known potentials' <<'END_OF_TEXT'
    v(d) = Vdd
    v(in) = Vin(t)
END_OF_TEXT
contains 'the five equations of the book' <<'END_OF_TEXT'
  (1)  0 = G_R1*(v(1) - Vin(t)) + (1 - alpha)*g(v(1,3)) + XT1.Cj*d/dt (v(1) - v(3))
  (2)  0 = G_R2*(v(2) - Vdd) + G_R4*(v(2) - v(4)) + C0*d/dt (v(2) - v(4)) + alpha*g(v(1,3))
  (3)  0 = G_R3*v(3) - (1 - alpha)*g(v(1,3)) + XT1.Cj*d/dt (v(3) - v(1)) - alpha*g(v(1,3))
         - (1 - alpha)*g(v(4,3)) + XT2.Cj*d/dt (v(3) - v(4)) - alpha*g(v(4,3))
  (4)  0 = G_R4*(v(4) - v(2)) + C0*d/dt (v(4) - v(2)) + (1 - alpha)*g(v(4,3))
         + XT2.Cj*d/dt (v(4) - v(3))
  (5)  0 = G_R5*(v(5) - Vdd) + alpha*g(v(4,3))
END_OF_TEXT
contains 'the two algebraic equations of the book' <<'END_OF_TEXT'
Algebraic equations (2):

  (1)+(2)+(3)+(4)+(5)  0 = G_R1*(v(1) - Vin(t)) + G_R2*(v(2) - Vdd) + G_R3*v(3) + G_R5*(v(5) - Vdd)
  (5)                  0 = G_R5*(v(5) - Vdd) + alpha*g(v(4,3))
END_OF_TEXT

explain 0 "$examples/schmitt-trigger.cir"
contains 'the five equations of the example' <<'END_OF_TEXT'
  (1)  0 = G_R1*(v(1) - Vin(t)) + (1 - k_XT1.Fc)*i_XT1.Dbe(v(1) - v(3)) + XT1.Cj*d/dt (v(1) - v(3))
  (2)  0 = G_R2*(v(2) - Vdd) + G_R4*(v(2) - v(4)) + C0*d/dt (v(2) - v(4))
         + k_XT1.Fc*i_XT1.Dbe(v(1) - v(3))
  (3)  0 = G_R3*v(3) - i_XT1.Dbe(v(1) - v(3)) + XT1.Cj*d/dt (v(3) - v(1)) - i_XT2.Dbe(v(4) - v(3))
         + XT2.Cj*d/dt (v(3) - v(4))
  (4)  0 = G_R4*(v(4) - v(2)) + C0*d/dt (v(4) - v(2)) + (1 - k_XT2.Fc)*i_XT2.Dbe(v(4) - v(3))
         + XT2.Cj*d/dt (v(4) - v(3))
  (5)  0 = G_R5*(v(5) - Vdd) + k_XT2.Fc*i_XT2.Dbe(v(4) - v(3))
END_OF_TEXT
contains 'the capacitance matrix of rank 3' <<'END_OF_TEXT'
What multiplies the derivatives of the voltages in the balances above. Its rank is 3 of 5: the rows
of nodes that only capacitors join add to zero.

  C       v(1)  v(2)             v(3)         v(4)  v(5)
  (1)   XT1.Cj     .          -XT1.Cj            .     .
  (2)        .    C0                .          -C0     .
  (3)  -XT1.Cj     .  XT1.Cj + XT2.Cj      -XT2.Cj     .
  (4)        .   -C0          -XT2.Cj  C0 + XT2.Cj     .
  (5)        .     .                .            .     .
END_OF_TEXT
contains 'two algebraic equations' <<'END_OF_TEXT'
Algebraic equations (2):

  (1)+(2)+(3)+(4)+(5)  0 = G_R1*(v(1) - Vin(t)) + G_R2*(v(2) - Vdd) + G_R3*v(3) + G_R5*(v(5) - Vdd)
  (5)                  0 = G_R5*(v(5) - Vdd) + k_XT2.Fc*i_XT2.Dbe(v(4) - v(3))
END_OF_TEXT
contains 'no hidden equations' <<'END_OF_TEXT'
Hidden equations: the graph of the circuit gives none (no C-V loop, no L-I cutset).
END_OF_TEXT
grep -q 'Index 1; 3 degrees of freedom' out || fail "the Schmitt trigger has index 1 and 3 degrees of freedom"

# ---- RC ----

explain 0 "$examples/rc.cir"
contains 'incidence matrices of RC' <<'END_OF_TEXT'
  A_C     C1
  v(in)    .
  v(out)   1

resistors and what else conducts by its own voltage:

  A_R     R1
  v(in)    1
  v(out)  -1

voltage sources:

  A_V     Vin
  v(in)     1
  v(out)    .

A_L, A_I: no such branches.
END_OF_TEXT
contains 'MNA equations of RC' <<'END_OF_TEXT'
  (in)    0 = i(vin) + G_R1*(v(in) - v(out))
  (out)   0 = G_R1*(v(out) - v(in)) + C1*d/dt v(out)
  i(vin)  0 = v(in) - Vin(t)
END_OF_TEXT
contains 'RC is one ordinary differential equation' <<'END_OF_TEXT'
Differential equations (1), as above:

  (out)  0 = G_R1*(v(out) - Vin(t)) + C1*d/dt v(out)

Algebraic equations: none.
END_OF_TEXT
contains 'N and S of RC meet in 0 only' <<'END_OF_TEXT'
S = {z : G z in im C}, the directions that the algebraic equations leave free, dimension 1:

  S
  v(in)       .
  v(out)      1
  i(vin)  0.001

END_OF_TEXT
contains 'symbols of RC' <<'END_OF_TEXT'
  G_R1    1/R1, R1 = 1 kohm
  C1      100 nF
  Vin(t)  PULSE from 0 to 5 V, voltage source
END_OF_TEXT

# ---- a C-V loop ----

explain 0 "$examples/cv-loop.cir"
contains 'the current of the source has the derivative' <<'END_OF_TEXT'
    i(v1) = -C1*d/dt V1(t) + G_R1*(v(b) - V1(t))
END_OF_TEXT
contains 'the loop and its hidden equation' <<'END_OF_TEXT'
C-V loop V1 - C1: sources impose a voltage on charges, so its derivative is an equation, too, and
the current of the source depends on derivatives of the data:

  constraint  0 = v(a) - V1(t)
  hidden      0 = d/dt v(a) - d/dt V1(t)
END_OF_TEXT
contains 'N1 of the C-V loop' <<'END_OF_TEXT'
  N_1
  v(a)        1
  v(b)        .
  i(v1)  -1e-06
END_OF_TEXT
grep -q 'Index 2; 0 degrees of freedom' out || fail "the C-V loop has index 2"
grep -q 'depend on derivatives of the data: i(v1) (index 2)\.' out || fail "i(v1) depends on derivatives"

# ---- an L-I cutset ----

explain 0 "$examples/li-cutset.cir"
contains 'the cutset and its hidden equation' <<'END_OF_TEXT'
L-I cutset I1 - L1: a current is imposed on inductors, so its derivative is an equation, too, and
the voltages at the cutset depend on derivatives of the data:

  constraint  0 = i(l1) - I1(t)
  hidden      0 = (v(a) - v(b))/L1 - d/dt I1(t)
END_OF_TEXT
grep -q 'Index 2; 0 degrees of freedom' out || fail "the L-I cutset has index 2"
lacks 'With known voltages' 'a circuit without voltage sources needs no second form'

# ---- a transformer ----

explain 0 "$examples/transformer.cir"
contains 'equations of coupled inductors' <<'END_OF_TEXT'
Differential equations (2), as above:

  i(l1)  0 = v(p) - L1*d/dt i(l1) - M_K1*d/dt i(l2)
  i(l2)  0 = v(s) - L2*d/dt i(l2) - M_K1*d/dt i(l1)

Algebraic equations (3):

  (p)    0 = G_Rp*(v(p) - Vac(t)) + i(l1)
  (s)    0 = i(l2) + G_Rs*(v(s) - v(out))
  (out)  0 = G_Rs*(v(out) - v(s)) + G_RL*v(out)
END_OF_TEXT
grep -q 'Index 1; 2 degrees of freedom' out || fail "the transformer has index 1 and 2 degrees of freedom"

# ---- singular circuits, bad decks, usage ----

printf 'V loop\nV1 a 0 1\nV2 a 0 2\nR1 a 0 1\n.end\n' >singular.cir
explain 1 singular.cir
grep -q 'V1 (line 2)' err || fail "the loop of voltage sources is named"
contains 'a singular circuit has equations, too' <<'END_OF_TEXT'
  i(v1)  0 = v(a) - V1
  i(v2)  0 = v(a) - V2
END_OF_TEXT
printf 'bad\nR1 a\n.end\n' >bad.cir
explain 2 bad.cir
explain 2 missing.cir
explain 2
explain 2 --format htlm singular.cir
grep -q "html" err || fail "a likely correction of --format"
explain 2 -o singular.cir singular.cir
[ "$(head -n 1 singular.cir)" = 'V loop' ] || fail "the deck was overwritten"
explain 0 --format html -o page.html "$examples/rc.cir"
[ ! -s out ] || fail "with -o nothing goes to standard output"
grep -q '</html>' page.html || fail "-o writes the page"
explain 0 --help
grep -q 'latex' out || fail "--help of explain"

# ---- large circuits: matrices are listed ----

awk 'BEGIN { print "ladder"; print "V1 n0 0 SIN(0 1 1k)"
             for (i = 0; i < 60; i++) printf "R%d n%d n%d 1k\nC%d n%d 0 1n\n", i, i, i + 1, i, i + 1
             print ".end" }' >ladder.cir
explain 0 ladder.cir
contains 'matrices of a large circuit are listed' <<'END_OF_TEXT'
The circuit has 62 unknowns; beyond 30 the matrices are listed column by column.
END_OF_TEXT
grep -qx '  C59  n60 -> 0' out || fail "a column of A_C in the list"
lacks '^  A_C  ' 'no matrix is drawn for a large circuit'

# ---- all examples, all formats ----

for deck in "$examples"/*.cir "$decks"/*.cir; do
    name=${deck##*/}
    name=${name%.cir}
    for format in text latex html; do
        "$KNOTEN" explain --format $format "$deck" >"$name.$format" 2>err || fail "explain $deck as $format: exit status $?; $(head -n 3 err)"
    done
done
awk 'length($0) > 160 { print FILENAME ": " $0; long = 1 } END { exit long }' ./*.text || fail 'lines of text are longer than a page'
if grep -n -i -e '<script' -e 'src=' -e 'href=' ./*.html; then fail 'a page loads something'; fi

# Power MOSFETs and those of BSIM have laws of their own: what is written out is that of level 1.
cat >levels.cir <<'END_OF_TEXT'
one MOSFET of each kind
V1 d 0 10
V2 g 0 5
M1 d g 0 VM
M2 d g 0 0 BM l=1u w=1u
M3 d g 0 0 NM l=1u w=1u
.model VM vdmos(vto=2 kp=1)
.model BM nmos level=8
.model NM nmos level=1
.tran 1u 1m
.end
END_OF_TEXT
explain 0 levels.cir
grep -q 'i_M3.ds = beta' out || fail 'the law of level 1 is written out'
if grep -E '^ *i_M[12]\.(ds|bd) = ' out; then fail 'laws of level 1 for power MOSFETs or BSIM3'; fi

# The page is XML as well: tags close in the order they open, no entities that XML does not know.
if command -v python3 >/dev/null; then
    python3 -c 'import sys, xml.dom.minidom
for page in sys.argv[1:]:
    try:
        xml.dom.minidom.parse(page)
    except Exception as reason:
        print(page, reason)' ./*.html >malformed 2>&1 && [ ! -s malformed ] || { fail 'pages are not well-formed'; cat malformed; }
fi

if command -v pdflatex >/dev/null; then
    for text in *.latex; do
        cp "$text" document.tex
        pdflatex -interaction=nonstopmode -halt-on-error document.tex >document.log 2>&1 ||
            fail "pdflatex does not take $text: $(grep -m 1 -A 2 '^!' document.log)"
    done
else
    echo 'pdflatex is not installed: LaTeX output was not compiled'
fi

finish
