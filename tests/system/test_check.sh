#!/bin/sh
# `knoten check` as its users see it: report, JSON, exit statuses, pictures.
. "$(dirname "$0")/program.sh"

says() { # file text
  grep -qF -e "$2" "$1" || fail "'$2' is not in $1"
}

decks=$KNOTEN_SOURCE/tests/decks/index

# ---- the report ----

expect 0 check "$decks/cv-loop.cir"
says out 'DAE index 2     topology: 1 C-V loop      confirmed numerically (condition 1.0)'
says out 'C-V loop        V1 (line 6) - C1 (line 7)'
says out 'v(a) = V1(t) holds for a charge, so its derivative is a hidden equation:'
says out 'i(v1) = -C1 * dV1/dt - v(a,b)/R1'
says out 'index-2       i(v1)'
says out 'noise in V1(t) reaches i(v1) amplified by 1/h; a jump of V1 means an impulse of i(v1)'
says out 'to index 1    a resistance in series with V1 or C1'

expect 0 check "$decks/opamp-inverter.cir"
says out 'topology alone cannot decide because E1 (line 6)'
says out 'decided numerically'

expect 1 check "$decks/v-loop.cir"
says out 'singular'
says out 'V loop          V1 (line 4) - V2 (line 5)'
says err 'error: V1'

expect 1 check "$decks/undetermined-follower.cir"
says err 'no unique solution'

# ---- JSON: one object that a parser accepts, with the promised keys ----

mkdir reports
for deck in "$decks"/*.cir "$KNOTEN_SOURCE"/examples/*.cir; do
  "$KNOTEN" check --json "$deck" >"reports/$(basename "${deck%/*}")-$(basename "$deck")" 2>err
  status=$?
  [ "$status" -le 1 ] || fail "$deck: exit status $status"
done
if command -v python3 >/dev/null; then
  cat >keys.py <<'END'
import json, sys
for name in sys.argv[1:]:
    report = json.load(open(name))
    for key in ("title unknowns index topological_index numerical_index singular cv_loops li_cutsets v_loops i_cutsets "
                "index2_unknowns degrees_of_freedom floating_nodes hidden_constraints").split():
        assert key in report, (name, key)
    assert isinstance(report["unknowns"], int) and isinstance(report["singular"], bool), name
    for key in ("cv_loops", "li_cutsets", "v_loops", "i_cutsets"):
        for group in report[key]:
            assert group and all(element == element.lower() for element in group), (name, key)
END
  python3 keys.py reports/*.cir >out 2>err || fail "bad JSON"
fi
printf 'title with "quotes", a \\ and \351\nV1 a 0 1\nR1 a 0 1\n.end\n' >odd.cir
expect 0 check --json odd.cir
says out '"title": "title with \"quotes\", a \\ and \u00e9"'

# ---- usage ----

expect 2 check
expect 2 check no-such-file.cir
expect 2 check --at never "$decks/rc.cir"
says err '--at'
printf 'bad\nR1 a\n.end\n' >bad.cir
expect 2 check bad.cir
expect 0 check --at 1m "$decks/rectifier.cir"
says out 'poles at t = 0.001 s'
expect 0 check - <"$decks/rc.cir"
expect 0 check --help
says out '--graph'

# ---- pictures ----

expect 0 check --graph graph.dot "$decks/cv-loop.cir"
grep -q '"a" -- "0" \[label=" C1 ", color="#d62728"' graph.dot || fail "the loop is not coloured"
# Arrows from what controls to what is controlled, and between coupled inductors.
cat >controls.cir <<'END'
all kinds of control
V1 a 0 1
R1 a b 1k
R2 b 0 1k
E1 c 0 a b 2
F1 c 0 V1 3
H1 d 0 V1 3
G1 d 0 c 0 1m
B1 e 0 I=v(a)*i(V1)
S1 e 0 b 0 sw
W1 e 0 V1 cw
.model sw sw vt=0.5
.model cw csw it=1
L1 a f 1m
L2 e 0 1m
K1 L1 L2 0.9
R3 f 0 1
R4 c 0 1
Q1 c b 0 qq
.model qq npn
.op
.end
END
expect 0 check --graph controls.dot controls.cir
middle()
{
  sed -n "s/.* -- \"\(branch [0-9]*\)\" \[label=\" $1 \".*/\1/p" controls.dot
}
for pair in a-E1 b-E1 V1-F1 V1-H1 c-G1 a-B1 V1-B1 b-S1 V1-W1; do
  from=${pair%-*} to=$(middle ${pair#*-})
  [ "$from" = V1 ] && from=$(middle V1)
  grep -q "\"$from\" -- \"$to\" \[dir=forward, style=dotted" controls.dot || fail "no arrow $pair"
done
[ "$(grep -c dir=forward controls.dot)" = 9 ] || fail "$(grep -c dir=forward controls.dot) arrows, not 9: a transistor controls itself"
grep -q "\"$(middle L1)\" -- \"$(middle L2)\" \[label=\" K1 \", dir=both" controls.dot || fail "K1 is no arrow"
expect 2 check --graph graph.jpeg "$decks/cv-loop.cir"
says err '.svg'
if command -v dot >/dev/null; then
  expect 0 check --graph graph.svg "$decks/cv-loop.cir"
  grep -q '</svg>' graph.svg || fail "no picture was drawn"
fi
mkdir empty
PATH=$scratch/empty "$KNOTEN" check --graph none.svg "$decks/cv-loop.cir" >out 2>err
[ $? -eq 2 ] || fail "a missing Graphviz is no success"
says err 'Graphviz'

# The unknown that nothing determines is named, whatever else the topology could not decide.
cat >absent.cir <<'END'
a gate whose ground is connected to nothing, and an amplifier
.probe64
V1 a 0 sin(0 1 100)
R1 a m 10k
E1 o 0 0 m 1e5
R2 m o 10k
C1 m o 10n
U1 NAND(2) $G_DPWR fg a a y D1 IO
R3 y 0 1k
.model D1 ugate
.model IO uio
.tran 1u 10m
.end
END
expect 1 check absent.cir
says err 'nothing determines v(fg)'

[ "$failures" -eq 0 ]
