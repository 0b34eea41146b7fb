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
  Vin(t)  PULSE, voltage source
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
    name=$(basename "$deck" .cir)
    for format in text latex html; do
        explain 0 --format "$format" "$deck"
        cp out "$name.$format"
    done
    if awk 'length($0) > 160 { found = 1 } END { exit !found }' "$name.text"; then
        fail "$name: lines of text are not longer than a page"
    fi
    if grep -n -i -e '<script' -e 'src=' -e 'href=' "$name.html"; then
        fail "$name: the page loads something"
    fi
done

# The page is XML as well: tags close in the order they open, no entities that XML does not know.
if command -v python3 >/dev/null; then
    for page in *.html; do
        python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$page" || fail "$page is well-formed"
    done
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
