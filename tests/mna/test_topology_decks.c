/* The topological analysis of netlists: names, devices, subcircuits, and what users are told about defects. */
#include "deck.h"

#include <stdio.h>

/* ---- sets as text, in the order in which they are reported ---- */

static void write_set(const struct branch_set *set, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < set->count; i++) {
        const size_t used = strlen(text);
        const struct branch *b = set->branches[i];
        snprintf(text + used, size - used, "%s%s%s%s", i ? " - " : "", b->element->name, b->part ? ":" : "",
                 b->part ? b->part : "");
    }
}

static void check_text(const char *actual, const char *expected)
{
    const bool same = strcmp(actual, expected) == 0;
    if (!same)
        fprintf(stderr, "\n'%s', expected '%s'\n", actual, expected);
    CU_ASSERT(same);
}

static void check_one(const struct branch_sets *sets, const char *expected)
{
    char text[512];
    CU_ASSERT_EQUAL(sets->count, 1);
    if (sets->count != 1)
        return;
    write_set(&sets->sets[0], text, sizeof text);
    check_text(text, expected);
}

static void check_index2(const struct topology *t, const char *expected)
{
    char text[512] = "";
    for (size_t i = 0; i < t->index2_count; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", i ? " " : "", t->unknowns[t->index2[i].unknown].name);
    }
    check_text(text, expected);
}

static void check_verdict(const struct topology *t, enum topology_verdict verdict, int freedom)
{
    const bool right = t->verdict == verdict && t->degrees_of_freedom == freedom;
    if (!right)
        fprintf(stderr, "\nverdict %d, %d degrees of freedom, %s\n", t->verdict, t->degrees_of_freedom,
                t->because ? t->because : "");
    CU_ASSERT(right);
}

/* ---- verdicts ---- */

static void loops_are_named_in_the_order_of_the_deck(void)
{
    struct deck s;
    if (!deck_open(&s, "t\nV1 a 0 1\nC2 c 0 1u\nC1 a b 1u\nR1 b 0 1k\nVs b c 0\n.end\n"))
        return;
    check_verdict(s.topology, TOPOLOGY_INDEX_2, 1);
    check_one(&s.topology->cv_loops, "V1 - C2 - Vs - C1");
    check_index2(s.topology, "i(v1) i(vs)");
    deck_close(&s);
}

static void subcircuits_give_their_path(void)
{
    struct deck s;
    if (!deck_open(&s, "t\n.subckt tank a b\nC1 a m 1n\nL1 m b 1u\n.ends\n.subckt pair a b\nX1 a c tank\nX2 c b tank\n"
                       "R1 c 0 1k\n.ends\nX9 in out pair\nRl out 0 50\nI1 0 x 1m\nL5 x in 1u\nRin in 0 1k\n.end\n"))
        return;
    check_verdict(s.topology, TOPOLOGY_INDEX_2, 4);
    check_one(&s.topology->li_cutsets, "I1 - L5");
    check_index2(s.topology, "v(x)");
    deck_close(&s);
    if (!deck_open(&s, "t\n.subckt cell p\nVs p q 1\nC1 q p 1n\nR1 q 0 1\n.ends\nX1 a cell\nR2 a 0 1\n.end\n"))
        return;
    check_one(&s.topology->cv_loops, "X1.Vs - X1.C1");
    check_index2(s.topology, "i(x1.vs)");
    deck_close(&s);
}

static void zero_ohms_and_zero_henries_are_shorts(void)
{
    struct deck s;
    if (!deck_open(&s, "t\nI1 0 a 1\nR1 a b 0\nC1 a b 1u\nL1 b 0 0\nC2 b 0 1u\n.end\n"))
        return;
    CU_ASSERT_EQUAL(s.topology->cv_loops.count, 2);
    check_index2(s.topology, "i(r1) i(l1)");
    deck_close(&s);
}

static void gate_on_an_ideal_source_makes_a_loop_through_its_charge(void)
{
    struct deck s;
    if (!deck_open(&s, "t\nVdd vdd 0 5\nVin g 0 0\nRd vdd d 10k\nM1 d g 0 0 n W=10u L=1u\n"
                       ".model n nmos level=1 tox=20n vto=0.7 kp=50u\n.end\n"))
        return;
    check_verdict(s.topology, TOPOLOGY_INDEX_2, 1);
    check_one(&s.topology->cv_loops, "Vin - M1:gate-source charge");
    check_index2(s.topology, "i(vin)");
    deck_close(&s);
}

static void diode_with_charge_across_a_source_is_index_2_and_without_is_1(void)
{
    struct deck s;
    if (!deck_open(&s, "t\nV1 a 0 1\nD1 a 0 d\n.model d d is=1e-14 cjo=1p\n.end\n"))
        return;
    check_verdict(s.topology, TOPOLOGY_INDEX_2, 0);
    check_one(&s.topology->cv_loops, "V1 - D1:junction charge");
    deck_close(&s);
    if (!deck_open(&s, "t\nV1 a 0 1\nD1 a 0 d\n.model d d is=1e-14 cjo=1p rs=1\n.end\n"))
        return;
    check_verdict(s.topology, TOPOLOGY_INDEX_1, 1);
    deck_close(&s);
    if (!deck_open(&s, "t\nV1 a 0 1\nD1 a 0 d\n.model d d is=1e-14\n.end\n"))
        return;
    check_verdict(s.topology, TOPOLOGY_INDEX_1, 0);
    deck_close(&s);
}

static void bipolar_amplifier_with_charges_is_index_1(void)
{
    struct deck s;
    if (!deck_open(&s, "t\nVcc c 0 12\nR1 c b 100k\nR2 b 0 10k\nRc c o 1k\nRe e 0 100\nQ1 o b e q\n"
                       ".model q npn bf=100 cje=1p cjc=1p tf=1n\n.end\n"))
        return;
    check_verdict(s.topology, TOPOLOGY_INDEX_1, 2);
    deck_close(&s);
    if (!deck_open(&s, "t\nVcc c 0 12\nR1 c b 100k\nR2 b 0 10k\nRc c o 1k\nRe e 0 100\nQ1 o b e q\n"
                       ".model q npn bf=100\n.end\n"))
        return;
    check_verdict(s.topology, TOPOLOGY_UNDECIDED, -1);
    check_text(s.topology->because,
               "the transport current of Q1 (line 7) is controlled by v(b,e), which is not determined "
               "by capacitances and voltage sources");
    deck_close(&s);
}

static void formulas_are_judged_by_what_they_depend_on(void)
{
    struct deck s;
    if (!deck_open(&s, "t\nV1 a 0 1\nR1 a b 1k\nC1 b 0 1u\nB1 c 0 V='2*V(b)'\nR2 c 0 1k\nB2 d 0 I='V(d)^3'\nR3 c d 1\n"
                       "B3 e 0 I='sin(time)'\nL1 e 0 1m\n.end\n"))
        return;
    check_verdict(s.topology, TOPOLOGY_INDEX_2, 1);
    check_one(&s.topology->li_cutsets, "B3 - L1");
    deck_close(&s);
    if (!deck_open(&s, "t\nV1 a 0 1\nR1 a b 1k\nR2 b 0 1k\nB1 c 0 V='2*V(b)'\nR3 c 0 1k\n.end\n"))
        return;
    check_verdict(s.topology, TOPOLOGY_UNDECIDED, -1);
    check_text(s.topology->because,
               "B1 (line 5) is controlled by v(b), which is not determined by capacitances and voltage "
               "sources");
    deck_close(&s);
}

static void coupled_inductors_and_lines_take_part(void)
{
    struct deck s;
    if (!deck_open(
            &s, "t\nI1 0 a 1\nL1 a 0 1m\nL2 b 0 1m\nK1 L1 L2 0.9\nR1 b 0 1\nT1 b 0 c 0 z0=50 td=1n\nR2 c 0 50\n.end\n"))
        return;
    check_verdict(s.topology, TOPOLOGY_INDEX_2, 1);
    check_index2(s.topology, "v(a)");
    deck_close(&s);
    if (!deck_open(&s, "t\nV1 a 0 1\nL1 a 0 1m\nL2 b 0 1m\nK1 L1 L2 1\nR1 b 0 1\n.end\n"))
        return;
    check_verdict(s.topology, TOPOLOGY_UNDECIDED, -1);
    CU_ASSERT(strstr(s.topology->because, "L1 (line 3), L2 (line 4)") != NULL);
    deck_close(&s);
}

static void a_line_between_capacitors_floats(void)
{
    struct deck s;
    if (!deck_open(&s, "t\nV1 a 0 1\nC1 a b 1n\nT1 b 0 c 0 z0=50 td=1n\nC2 c 0 1n\nT2 a 0 d 0 z0=50 td=1n\n.end\n"))
        return;
    check_verdict(s.topology, TOPOLOGY_INDEX_1, 2);
    CU_ASSERT_EQUAL(s.topology->floating.count, 1);
    CU_ASSERT(s.topology->floating.count == 1 && s.topology->floating.sets[0].count == 2);
    CU_ASSERT(!s.topology->floating_fed[0]);
    deck_close(&s);
}

/* ---- messages ---- */

struct defect {
    const char *deck;
    const char *code;
    int line; /* of the message */
    const char *text, *hint;
};

static void check_defect(const struct defect *e)
{
    struct deck s;
    if (!deck_open(&s, e->deck))
        return;
    CU_ASSERT_EQUAL(topology_report_defects(s.topology, s.mna, s.diagnostics), KN_ERROR_CIRCUIT);
    CU_ASSERT_EQUAL(s.topology->verdict, TOPOLOGY_SINGULAR);
    CU_ASSERT_EQUAL(kn_diagnostics_errors(s.diagnostics), 1);
    for (size_t i = 0; i < kn_diagnostics_count(s.diagnostics); i++) {
        const struct kn_diagnostic *d = kn_diagnostics_get(s.diagnostics, i);
        if (d->severity != KN_ERROR)
            continue;
        check_text(d->code, e->code);
        check_text(d->text, e->text);
        CU_ASSERT_EQUAL(d->where.line, e->line);
        CU_ASSERT(d->hint && strstr(d->hint, e->hint));
    }
    deck_close(&s);
}

static void every_defect_is_told_with_its_culprits(void)
{
    static const struct defect defects[] = {
        {"t\nV1 a 0 1\nR1 a 0 1k\nV2 a 0 2\n.end\n", "v-loop", 2,
         "V1 (line 2) and V2 (line 4) form a loop of voltage sources (or shorts): their voltages contradict or repeat "
         "each "
         "other, and nothing determines the current around the loop",
         "remove one of them"},
        {"t\nV1 a 0 1\nR1 a b 0\nR2 b 0 1k\nL1 b 0 0\n.end\n", "v-loop", 2,
         "V1 (line 2), R1 (line 3) and L1 (line 5) form a loop of voltage sources (or shorts): their voltages "
         "contradict or "
         "repeat each other, and nothing determines the current around the loop",
         "in series"},
        {"t\nV1 a a 1\nR1 a 0 1k\n.end\n", "v-loop", 2,
         "both ends of V1 are connected to 'a': it shorts itself and its current is not determined", "remove it"},
        {"t\nI1 0 a 1m\nI2 a 0 2m\nR1 b 0 1k\n.end\n", "i-cutset", 2,
         "I1 (line 2) and I2 (line 3) alone feed node 'a': their currents cannot both hold, and nothing determines the "
         "voltage there",
         "a resistance or a capacitance"},
        {"t\nR1 b 0 1k\nI1 b c 1m\n.end\n", "i-cutset", 3,
         "I1 (line 3) alone feeds node 'c': its current has nowhere to go, and nothing determines the voltage there",
         "give the current a path"},
        {"t\nI1 0 a 1m\nR1 a b 1k\nI2 b 0 1m\nI3 b 0 1m\nR2 c 0 1\n.end\n", "i-cutset", 2,
         "I1 (line 2), I2 (line 4) and I3 (line 5) alone feed nodes 'a' and 'b': their currents cannot all hold, and "
         "nothing "
         "determines the voltage there",
         "give the current a path"},
        {"t\nV1 a 0 1\nR1 a 0 1k\nR2 x y 1k\nC1 x y 1n\n.end\n", "island", 4,
         "nodes 'x' and 'y' (R2 (line 4) and C1 (line 5)) have no path to ground: nothing determines the voltages "
         "there",
         "connect one of them to node 0"},
        {"t\n.subckt iso p q\nLs p m 1m\nRs m q 1\n.ends\nV1 a 0 1\nR1 a 0 1\nX1 u u iso\n.end\n", "island", 8,
         "nodes 'u' and 'x1.m' (X1.Ls (line 3) and X1.Rs (line 4)) have no path to ground: nothing determines the "
         "voltages there",
         "connect"},
        {"t\nE1 o 0 in 0 2\nR1 o 0 1k\n.end\n", "island", 2, "node 'in' controls E1, but no element is connected to it",
         "connect an element"},
        {"t\nV1 a b 1\nR1 a b 1k\n.end\n", "no-ground", 2,
         "the circuit has no ground: no element is connected to node 0", "0 (or gnd)"},
    };
    for (size_t i = 0; i < sizeof defects / sizeof defects[0]; i++)
        check_defect(&defects[i]);
}

static void many_defects_are_counted(void)
{
    char deck[4096] = "t\nR0 a 0 1\n";
    for (int i = 1; i <= 40; i++) {
        const size_t used = strlen(deck);
        snprintf(deck + used, sizeof deck - used, "R%d x%d y%d 1\n", i, i, i);
    }
    struct deck s;
    if (!deck_open(&s, deck))
        return;
    CU_ASSERT_EQUAL(topology_report_defects(s.topology, s.mna, s.diagnostics), KN_ERROR_CIRCUIT);
    CU_ASSERT_EQUAL(kn_diagnostics_errors(s.diagnostics), 21);
    check_text(kn_diagnostics_get(s.diagnostics, kn_diagnostics_count(s.diagnostics) - 1)->text,
               "and 20 more parts without a path to ground");
    deck_close(&s);
}

static void a_sound_circuit_has_no_defects(void)
{
    struct deck s;
    if (!deck_open(&s, "t\nV1 a 0 1\nR1 a b 1k\nC1 b 0 1n\n.end\n"))
        return;
    CU_ASSERT_EQUAL(topology_report_defects(s.topology, s.mna, s.diagnostics), KN_OK);
    CU_ASSERT_EQUAL(kn_diagnostics_count(s.diagnostics), 0);
    deck_close(&s);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(loops_are_named_in_the_order_of_the_deck),
        CLAIM(subcircuits_give_their_path),
        CLAIM(zero_ohms_and_zero_henries_are_shorts),
        CLAIM(gate_on_an_ideal_source_makes_a_loop_through_its_charge),
        CLAIM(diode_with_charge_across_a_source_is_index_2_and_without_is_1),
        CLAIM(bipolar_amplifier_with_charges_is_index_1),
        CLAIM(formulas_are_judged_by_what_they_depend_on),
        CLAIM(coupled_inductors_and_lines_take_part),
        CLAIM(a_line_between_capacitors_floats),
        CLAIM(every_defect_is_told_with_its_culprits),
        CLAIM(many_defects_are_counted),
        CLAIM(a_sound_circuit_has_no_defects),
    };
    return run_claims("topology of netlists", claims, sizeof claims / sizeof claims[0]);
}
