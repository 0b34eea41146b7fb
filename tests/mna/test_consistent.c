/* test_consistent.c - starting values: given charges kept to the last bit, everything else from the equations. */
#include "deck.h"

#include "mna/start/consistent.h"

static const double RELATIVE = 1e-6;

/* The start of a run with uic, into s->x. */
static bool starts(struct deck *s, const char *text)
{
    if (!deck_open(s, text))
        return false;
    const enum kn_status status = deck_make_consistent(s, 0, RELATIVE, true);
    CU_ASSERT_EQUAL(status, KN_OK);
    if (status == KN_OK)
        return true;
    deck_print(s);
    deck_close(s);
    return false;
}

static bool restarts(struct deck *s, double time)
{
    const enum kn_status status = deck_make_consistent(s, time, RELATIVE, false);
    CU_ASSERT_EQUAL(status, KN_OK);
    if (status != KN_OK)
        deck_print(s);
    return status == KN_OK;
}

/* ---- index 0 and 1 ---- */

static void a_given_capacitor_voltage_stays_to_the_last_bit(void)
{
    struct deck s;
    if (!starts(&s, "rc\nV1 1 0 10\nR1 1 2 1k\nC1 2 0 1u ic=0.1\n.end\n"))
        return;
    CU_ASSERT_EQUAL(deck_value(&s, "v(2)"), 0.1);
    CHECK_NEAR(deck_value(&s, "v(1)"), 10, 1e-12);
    CHECK_NEAR(deck_value(&s, "i(v1)"), -9.9e-3, 1e-11);
    deck_close(&s);
}

static void a_given_node_voltage_stays_to_the_last_bit(void)
{
    struct deck s;
    if (!starts(&s, "rc\nV1 1 0 10\nR1 1 2 1k\nC1 2 0 1u\nC2 2 3 1n\nR2 3 0 1k\n.ic v(2)=0.7 v(3)=0.3\n.end\n"))
        return;
    CU_ASSERT_EQUAL(deck_value(&s, "v(2)"), 0.7);
    CU_ASSERT_EQUAL(deck_value(&s, "v(3)"), 0.3);
    deck_close(&s);
}

/* Robertson's kinetics: the first steps are short against 25 s, but v(2) makes time constants of 1.6 ms within them.  Once these
 * had shortened the steps, the zero that these found lengthened them again, and v(2) was -2.4e-7 V. */
static void what_grows_out_of_zero_starts_at_zero(void)
{
    struct deck s;
    if (!starts(&s, "rober\n.options vntol=1e-12\nC1 1 0 1\nC2 2 0 1\nC3 3 0 1\n"
                    "B1 0 1 I=-0.04*v(1)+1e4*v(2)*v(3)\nB2 0 2 I=0.04*v(1)-1e4*v(2)*v(3)-3e7*v(2)*v(2)\n"
                    "B3 0 3 I=3e7*v(2)*v(2)\n.ic v(1)=1 v(2)=0 v(3)=0\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(1)"), 1, 1e-12);
    CHECK_NEAR(deck_value(&s, "v(2)"), 0, 1e-12);
    CHECK_NEAR(deck_value(&s, "v(3)"), 0, 1e-12);
    deck_close(&s);
}

static void a_given_inductor_current_stays_to_the_last_bit(void)
{
    struct deck s;
    if (!starts(&s, "rl\nV1 1 0 1\nR1 1 2 10\nL1 2 0 1m ic=0.03\n.end\n"))
        return;
    CU_ASSERT_EQUAL(deck_value(&s, "i(l1)"), 0.03);
    CHECK_NEAR(deck_value(&s, "v(2)"), 1 - 0.3, 1e-10);
    deck_close(&s);
}

static void what_is_not_given_starts_from_zero_charge(void)
{
    struct deck s;
    if (!starts(&s, "rc\nV1 1 0 10\nC1 1 2 1u\nR1 2 0 1k\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(2)"), 10, 1e-8);
    CHECK_NEAR(deck_value(&s, "i(v1)"), -10e-3, 1e-9);
    deck_close(&s);
}

/* The capacitor to the supply must not lift the node that .ic gives: its charge is that of 1 V against 10 V. */
static void a_given_node_keeps_its_voltage_against_the_supply(void)
{
    struct deck s;
    if (!starts(&s, "supply\nVcc 6 0 10\nC1 6 2 1n\nC2 2 0 1n\nR1 2 0 1k\nR2 6 2 1k\n.ic v(2)=1\n.end\n"))
        return;
    CU_ASSERT_EQUAL(deck_value(&s, "v(2)"), 1);
    CHECK_NEAR(deck_value(&s, "v(6)"), 10, 1e-12);
    deck_close(&s);
}

static void capacitors_with_ic_in_series_add_up(void)
{
    struct deck s;
    if (!starts(&s, "series\nC1 a b 1u ic=5\nC2 b 0 2u ic=2\nR1 a 0 1k\nR2 b 0 1k\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(b)"), 2, 1e-12);
    CHECK_NEAR(deck_value(&s, "v(a)"), 7, 1e-12);
    deck_close(&s);
}

/* A charged capacitor between two equal resistors: only its own voltage is given. */
static void a_floating_capacitor_keeps_its_voltage_and_finds_its_potential(void)
{
    struct deck s;
    if (!starts(&s, "floating\nC1 a b 1u ic=5\nR1 a 0 1k\nR2 b 0 1k\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(a)"), 2.5, 1e-8);
    CHECK_NEAR(deck_value(&s, "v(b)"), -2.5, 1e-8);
    deck_close(&s);
}

/* The capacitor without ic= lifts its node to 5 V above the one with it. */
static void an_empty_capacitor_in_series_with_a_charged_one_stays_empty(void)
{
    struct deck s;
    if (starts(&s, "series\nC1 a 0 1u ic=5\nC2 b a 1u\nR1 b 0 1k\n.end\n")) {
        CHECK_NEAR(deck_value(&s, "v(a)"), 5, 1e-9);
        CHECK_NEAR(deck_value(&s, "v(b)"), 5, 1e-9);
        deck_close(&s);
    }
    if (starts(&s, "supply\nR1 out a 10k\nC1 a p 10n\nR2 p 0 10k\nC2 p 0 10n IC=10\nV1 out 0 33\n.end\n")) {
        CHECK_NEAR(deck_value(&s, "v(p)"), 10, 1e-9);
        CHECK_NEAR(deck_value(&s, "v(a)"), 10, 1e-9);
        deck_close(&s);
    }
}

/* As in SPICE: .ic charges the capacitors at its node against nodes at 0 V. */
static void ic_of_a_node_is_in_the_capacitors_at_it(void)
{
    struct deck s;
    if (!starts(&s, "coupling\nR1 a 0 1k\nC1 a b 1u\nC2 a 0 1n\nR2 b 0 1k\n.ic v(a)=3\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(a)"), 3, 1e-9);
    CHECK_NEAR(deck_value(&s, "v(b)"), 0, 1e-9);
    deck_close(&s);
}

/* 8 V across D1 and 1 k when the guess puts them all on the junction. */
static void a_charged_capacitor_across_a_diode_and_a_resistor_starts(void)
{
    struct deck s;
    if (!starts(&s, "diode\nC1 a 0 1u ic=8\nD1 a k d\nR1 k 0 1k\n.model d d(is=1e-14)\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(a)"), 8, 1e-9);
    const double drop = 8 - deck_value(&s, "v(k)"); /* the root of 1e-14 (exp(d / Vt) - 1) = (8 - d) / 1k */
    CHECK_NEAR(1e-14 * exp(drop / 0.025864926), (8 - drop) / 1e3, 1e-5);
    deck_close(&s);
}

/* C1 holds 5 V; C2 and C3 to ground were empty, and their charges stay equal and opposite: 3u va = -1u vb. */
static void an_empty_loop_gives_way_to_the_capacitor_with_ic(void)
{
    struct deck s;
    if (!starts(&s, "loop\nC1 a b 1u ic=5\nC2 a 0 3u\nC3 b 0 1u\nR1 a 0 1k\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(a)") - deck_value(&s, "v(b)"), 5, 1e-9);
    CHECK_NEAR(3 * deck_value(&s, "v(a)"), -deck_value(&s, "v(b)"), 1e-8);
    deck_close(&s);
}

static void expect_contradiction(const char *deck, const char *text)
{
    struct deck s;
    if (!starts(&s, deck))
        return;
    const struct kn_diagnostic *said = deck_said(&s, "initial-contradiction");
    CU_ASSERT_PTR_NOT_NULL(said);
    if (said)
        CU_ASSERT_STRING_EQUAL(said->text, text);
    deck_close(&s);
}

static void ic_against_the_source_of_a_loop_or_cutset_is_a_warning_with_its_size(void)
{
    expect_contradiction(
        "loop\nV1 a 0 3\nC1 a b 1u ic=2\nC2 b 0 1u ic=2.5\nR1 b 0 1k\n.end\n",
        "initial values in the C-V loop V1 (line 2) - C1 (line 3) - C2 (line 4) contradict the rest of "
        "it by 1.5 V; the nearest ones that fit are used");
    expect_contradiction("cutset\nI1 0 a 1m\nL1 a b 1m ic=2m\nL2 c a 3m ic=-0.5m\nR1 b 0 1\nR2 c 0 1\n.end\n",
                         "initial values in the L-I cutset I1 (line 2) - L1 (line 3) - L2 (line 4) contradict the rest "
                         "of it by 0.0015 A; the nearest ones that fit are used");
    struct deck s;
    if (!starts(&s, "fits\nV1 a 0 3\nC1 a b 1u ic=2\nC2 b 0 1u ic=1\nR1 b 0 1k\n.end\n"))
        return;
    CU_ASSERT_PTR_NULL(deck_said(&s, "initial-contradiction"));
    deck_close(&s);
}

/* What is given is possible: the capacitor or inductor without ic= takes what is left. */
static void ic_is_kept_where_others_of_the_loop_or_cutset_are_not_given(void)
{
    struct deck s;
    if (starts(&s, "upper\nV1 a 0 5\nC1 a b 1n ic=2\nC2 b 0 3n\nR1 b 0 1k\n.end\n")) {
        CHECK_NEAR(deck_value(&s, "v(b)"), 3, 1e-8);
        CU_ASSERT_EQUAL(kn_diagnostics_count(s.diagnostics), 0);
        deck_close(&s);
    }
    if (starts(&s, "lower\nV1 a 0 5\nC1 a b 1n\nC2 b 0 3n ic=2\nR1 b 0 1k\n.end\n")) {
        CHECK_NEAR(deck_value(&s, "v(b)"), 2, 1e-8);
        CU_ASSERT_EQUAL(kn_diagnostics_count(s.diagnostics), 0);
        deck_close(&s);
    }
    if (starts(&s, "cutset\nV1 a 0 5\nL1 a b 1m ic=1\nL2 b c 3m\nR1 c 0 1k\n.end\n")) {
        CHECK_NEAR(deck_value(&s, "i(l1)"), 1, 1e-7);
        CHECK_NEAR(deck_value(&s, "i(l2)"), 1, 1e-7);
        CHECK_NEAR(deck_value(&s, "v(b)"), 5 + 1e-3 * 995 / 4e-3, 1e-3);
        CU_ASSERT_EQUAL(kn_diagnostics_count(s.diagnostics), 0);
        deck_close(&s);
    }
}

/* Beside a loop whose values contradict the source, which shares what it misses by its capacitances. */
static void ic_is_kept_beside_a_loop_that_contradicts(void)
{
    struct deck s;
    if (!starts(&s, "two loops\nV1 a 0 5\nC1 a b 1n ic=2\nC2 b c 3n\nC3 c 0 2n ic=.5\nR1 b 0 1k\n"
                    "C4 a d 1n ic=1\nC5 d 0 3n ic=1\nR5 d 0 1k\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(b)"), 3, 1e-8);
    CHECK_NEAR(deck_value(&s, "v(c)"), 0.5, 1e-8);
    CHECK_NEAR(deck_value(&s, "v(d)"), 1.75, 1e-8);
    deck_close(&s);
}

/* Capacitors side by side, and a loop whose values agree, beside one that is not given: it takes what is left. */
static void ic_is_kept_where_values_of_a_loop_agree(void)
{
    struct deck s;
    if (starts(&s, "side by side\nV1 a 0 0\nR1 a b 1k\nC1 b 0 60n ic=-2\nC2 b 0 60n ic=-2\nC3 b c 30n ic=-2\nC4 c 0 120n\n"
                   "R2 c 0 100\n.end\n")) {
        CHECK_NEAR(deck_value(&s, "v(b)"), -2, 1e-6);
        CU_ASSERT(fabs(deck_value(&s, "v(c)")) < 1e-6);
        deck_close(&s);
    }
    if (starts(&s, "loop\nV1 a 0 5\nR1 a b 1k\nC1 b 0 100n ic=5\nC2 b c 30n ic=2\nC3 c 0 100n ic=3\nC4 c d 100n\n"
                   "C5 d 0 100n ic=1\n.end\n")) {
        CHECK_NEAR(deck_value(&s, "v(b)"), 5, 1e-6);
        CHECK_NEAR(deck_value(&s, "v(c)"), 3, 1e-6);
        CHECK_NEAR(deck_value(&s, "v(d)"), 1, 1e-6);
        deck_close(&s);
    }
}

/* 3 V forward across the junction would be 1e37 A: C1 is not what it is given. */
static void ic_that_a_junction_forbids_gives_way(void)
{
    struct deck s;
    if (!starts(&s, "junction\nV1 a 0 5\nD1 a m d\nC1 m 0 1p ic=2\n.model d d cjo=1p\n.end\n"))
        return;
    const double across = 5 - deck_value(&s, "v(m)");
    CU_ASSERT(across > 0.3 && across < 1.2);
    deck_close(&s);
}

static void contradicting_ic_around_a_loop_is_a_warning_with_its_size(void)
{
    struct deck s;
    if (!starts(&s, "contradiction\nC1 a 0 1u ic=5\nC2 a 0 2u ic=3\nR1 a 0 1k\n.end\n"))
        return;
    const struct kn_diagnostic *said = deck_said(&s, "initial-contradiction");
    CU_ASSERT_TRUE(deck_mentions(said, "C2") && deck_mentions(said, "-2 V") && said->severity == KN_WARNING);
    deck_close(&s);
}

static void a_given_node_without_charge_is_replaced_and_named(void)
{
    struct deck s;
    if (!starts(&s, "algebraic\nV1 1 0 10\nR1 1 2 1k\nR2 2 0 1k\n.ic v(2)=3 v(1)=9\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(2)"), 5, 1e-12);
    CHECK_NEAR(deck_value(&s, "v(1)"), 10, 1e-12);
    const struct kn_diagnostic *said = deck_said(&s, "initial-moved");
    CU_ASSERT_TRUE(deck_mentions(said, "v(2) = 3 became 5") && deck_mentions(said, "v(1) = 9 became 10"));
    deck_close(&s);
}

/* Algebraic nodes 1, 2, 5, 6 follow; the capacitors' nodes 3 and 4 are as given. */
static void schmitt_trigger_starts_on_its_algebraic_equations(void)
{
    struct deck s;
    if (!starts(&s, "schmitt\n.func fe(v) {1e-16/0.99*(exp(38.78*v)-1)}\n.func fc(v) {1e-16/0.5*(exp(38.78*v)-1)}\n"
                    "Vcc 6 0 10\nVin 5 0 PWL(0 0 50u 3 100u 0)\nRc1 6 1 2e3\nRc2 6 3 1e3\nR3 1 4 10e3\nRe 2 0 100\n"
                    "B1c 1 5 I=0.99*fe(v(5,2))-fc(v(5,1))\nB1e 5 2 I=fe(v(5,2))-0.5*fc(v(5,1))\n"
                    "B2c 3 4 I=0.99*fe(v(4,2))-fc(v(4,3))\nB2e 4 2 I=fe(v(4,2))-0.5*fc(v(4,3))\n"
                    "C4 4 0 20p\nC3 3 0 10p\n.ic v(6)=10 v(5)=0 v(1)=1.79 v(2)=0.978 v(3)=1.02 v(4)=1.79\n.end\n"))
        return;
    CU_ASSERT_EQUAL(deck_value(&s, "v(3)"), 1.02);
    CU_ASSERT_EQUAL(deck_value(&s, "v(4)"), 1.79);
    const struct dae *dae = mna_dae(s.mna);
    double f[8];
    struct dae_values out = {.f = f};
    CU_ASSERT_EQUAL(dae->eval(dae->problem, 0, s.x, DAE_F, &out), KN_OK);
    static const char *const algebraic[] = {"v(1)", "v(2)", "v(5)", "v(6)"};
    for (int k = 0; k < 4; k++)
        CHECK_NEAR(f[deck_unknown(&s, algebraic[k])], 0, 1e-9);
    deck_close(&s);
}

/* The junctions inside a transistor with series resistances start at the voltages of its terminals. */
static void initial_voltages_of_a_transistor_reach_its_inner_nodes(void)
{
    struct deck s;
    if (!starts(&s, "inner\n.model q NPN(is=1e-15 bf=100 rb=100 rc=10 re=1 cje=1p cjc=1p)\nVcc vcc 0 5\nRc vcc c 1k\n"
                    "Rb vcc b 100k\nCb b 0 1n\nCc c 0 1n\nQ1 c b 0 q\n.ic v(c)=3 v(b)=0.6\n.end\n"))
        return;
    CU_ASSERT_EQUAL(deck_value(&s, "v(b)"), 0.6);
    CU_ASSERT_EQUAL(deck_value(&s, "v(c)"), 3);
    CHECK_NEAR(deck_value(&s, "v(q1#base)"), 0.6, 1e-8);
    CHECK_NEAR(deck_value(&s, "v(q1#collector)"), 3, 1e-8);
    deck_close(&s);
}

/* ---- index 2 ---- */

/* i(v1) = -C dV/dt - V/R at t = 0 of 2 sin(2 pi 1k t + 0) + 1. */
static void the_current_of_a_source_across_a_capacitor_is_exact(void)
{
    struct deck s;
    if (!starts(&s, "cv\nV1 1 0 sin(1 2 1k)\nC1 1 0 1u\nR1 1 0 1k\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(1)"), 1, 1e-12);
    const double expected = -1e-6 * 2 * 2e3 * acos(-1) - 1e-3;
    CHECK_NEAR(deck_value(&s, "i(v1)"), expected, 1e-11 * fabs(expected));
    deck_close(&s);
}

/* v = L dI/dt at t = 0 of an inductor in series with a current source, 1 ohm beside it. */
static void the_voltage_of_an_inductor_at_a_current_source_is_exact(void)
{
    struct deck s;
    if (!starts(&s, "li\nI1 0 1 sin(0.5 1 1k)\nL1 1 2 1m\nR1 2 0 1\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "i(l1)"), 0.5, 1e-10);
    const double expected = 1e-3 * 2e3 * acos(-1) + 0.5;
    CHECK_NEAR(deck_value(&s, "v(1)"), expected, 1e-11 * expected);
    deck_close(&s);
}

/* A picofarad junction asks for steps of 1e-17 s, in which the 0.1 mC of C1 would drown its current: it is taken from
 * the differentiated constraint instead.  i(v1) = -C1 dV/dt - 0.25 V / R1. */
static void an_index_2_current_is_exact_beside_fast_junctions(void)
{
    struct deck s;
    if (!starts(&s, "noise\n.model d D(is=1e-14 cjo=1p rs=0.1 tt=1p)\nV1 1 0 sin(1 2 1k)\nC1 1 0 100u\nR1 1 2 100\n"
                    "D1 2 0 d\nC2 2 0 1n\n.ic v(2)=0.75\n.end\n"))
        return;
    const double expected = -100e-6 * 2 * 2e3 * acos(-1) - 0.25 / 100;
    CHECK_NEAR(deck_value(&s, "i(v1)"), expected, 1e-9 * fabs(expected));
    deck_close(&s);
}

/* Two capacitors in series on the source, a resistor at their joint: C1 C2/(C1+C2) dV/dt and what the resistor makes
 * the loop carry, C1/(C1+C2) v(2)/R. */
static void the_current_into_a_capacitive_divider_is_exact(void)
{
    struct deck s;
    if (!starts(&s, "divider\nV1 1 0 sin(3 2 1k)\nC1 1 2 1u\nC2 2 0 3u\nR1 2 0 1k\n.ic v(1)=3 v(2)=0.5\n.end\n"))
        return;
    CU_ASSERT_EQUAL(deck_value(&s, "v(2)"), 0.5);
    const double expected = -(0.75e-6 * 2 * 2e3 * acos(-1) + 0.25 * 0.5 / 1e3);
    CHECK_NEAR(deck_value(&s, "i(v1)"), expected, 1e-11 * fabs(expected));
    deck_close(&s);
}

/* Three inductors meet a current source: the node's voltage follows from dI/dt split by 1/L, v = (dI/dt + sum of
 * currents' rates by the resistors) / sum of 1/L. */
static void the_voltage_of_a_cutset_of_inductors_is_exact(void)
{
    struct deck s;
    if (!starts(&s, "cutset\nI1 0 1 sin(0.3 1 1k)\nL1 1 2 1m ic=0.1\nL2 1 3 2m ic=0.2\nR2 2 0 5\nR3 3 0 7\n.end\n"))
        return;
    CU_ASSERT_EQUAL(deck_value(&s, "i(l1)"), 0.1);
    CU_ASSERT_EQUAL(deck_value(&s, "i(l2)"), 0.2);
    const double rate = 2e3 * acos(-1), expected = (rate + 0.1 * 5 / 1e-3 + 0.2 * 7 / 2e-3) / (1 / 1e-3 + 1 / 2e-3);
    CHECK_NEAR(deck_value(&s, "v(1)"), expected, 1e-11 * expected);
    deck_close(&s);
}

/* Charge law q = 1u v + 0.1u v^2: i(v1) = -(1u + 0.2u v) dV/dt. */
static void the_current_of_a_source_across_a_nonlinear_capacitor_is_exact(void)
{
    struct deck s;
    if (!starts(&s, "nonlinear\nV1 1 0 sin(1.5 2 1k)\nC1 1 0 q='1u*v(1)+0.1u*v(1)^2'\n.end\n"))
        return;
    const double expected = -(1e-6 + 0.2e-6 * 1.5) * 2 * 2e3 * acos(-1);
    CHECK_NEAR(deck_value(&s, "i(v1)"), expected, 1e-11 * fabs(expected));
    deck_close(&s);
}

/* Arnold 1996, Ex. 8 with mu0 = 1 at t = 0.5: y1 = sin t and y2 = 2 sin t are given, z = cos t is the root of a cubic
 * hidden equation. */
static void an_index_2_unknown_is_exact_where_it_enters_nonlinearly(void)
{
    struct deck s;
    if (!starts(&s, "Ex. 8\nC1 y1 0 1\nC2 y2 0 1\nB1 0 y1 I=4*v(y1)^2-v(y2)^2+v(z)\n"
                    "B2 0 y2 I=(v(y1)*v(y2)+2*v(z)^2)*v(z)\nB3 z 0 I=4*v(y1)+v(y2)-6*sin(time+0.5)\n"
                    ".ic v(y1)=0.479425538604203 v(y2)=0.958851077208406\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(z)"), cos(0.5), 1e-12);
    CHECK_NEAR(deck_value(&s, "v(y1)"), sin(0.5), 1e-14);
    deck_close(&s);
}

/* An ideal amplifier integrates: v(out) is held by the capacitor, its current is that of the input resistor. */
static void a_miller_integrator_starts_from_its_capacitor(void)
{
    struct deck s;
    if (!starts(&s, "integrator\nVin in 0 sin(1 1 1k)\nR1 in m 1k\nC1 m out 1u ic=0.5\nE1 out 0 0 m 1e6\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(out)"), -0.5, 1e-5);
    CHECK_NEAR(deck_value(&s, "i(e1)"), (1 - 0.5e-6) / 1e3, 1e-8);
    deck_close(&s);
}

/* 10 V into two empty capacitors in series: charge 10 C1 C2 / (C1 + C2) flows at once. */
static void a_voltage_on_empty_capacitors_is_an_impulse_of_known_charge(void)
{
    struct deck s;
    if (!starts(&s, "impulse\nV1 1 0 10\nC1 1 2 1u\nC2 2 0 3u\nR1 2 0 1k\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(2)"), 2.5, 1e-8);
    /* C1 keeps 7.5 V + .. : i = C1 C2/(C1+C2) .. of dv2/dt = -v2/(R (C1+C2)) through C1. */
    CHECK_NEAR(deck_value(&s, "i(v1)"), -1e-6 * 2.5 / (1e3 * 4e-6), 1e-9);
    const struct kn_diagnostic *said = deck_said(&s, "impulse");
    CU_ASSERT_TRUE(deck_mentions(said, "i(v1)") && deck_mentions(said, "-7.5e-06 C"));
    deck_close(&s);
}

/* 0.2 A forced into an inductor at rest: flux 0.2 mWb at the node. */
static void a_current_into_an_inductor_at_rest_is_an_impulse_of_known_flux(void)
{
    struct deck s;
    if (!starts(&s, "impulse\nI1 0 1 0.2\nL1 1 0 1m\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "i(l1)"), 0.2, 1e-10);
    CHECK_NEAR(deck_value(&s, "v(1)"), 0, 1e-6);
    CU_ASSERT_TRUE(deck_mentions(deck_said(&s, "impulse"), "0.0002 Wb"));
    deck_close(&s);
}

/* ---- restart ---- */

static void a_restart_keeps_charges_and_moves_algebraic_values(void)
{
    struct deck s;
    if (!deck_open(&s, "step\nV1 1 0 pwl(0 0 1m 0 1m 5 2m 5)\nR1 1 2 1k\nR2 2 3 1k\nC1 3 0 1u\n.end\n"))
        return;
    s.x[deck_unknown(&s, "v(3)")] = 0.3;
    if (restarts(&s, 1e-3)) {
        CU_ASSERT_EQUAL(deck_value(&s, "v(3)"), 0.3);
        CHECK_NEAR(deck_value(&s, "v(1)"), 5, 1e-12);
        CHECK_NEAR(deck_value(&s, "v(2)"), 2.65, 1e-10);
        CU_ASSERT_PTR_NULL(deck_said(&s, "impulse"));
    }
    deck_close(&s);
}

static void a_jump_into_a_capacitor_loop_is_a_warning_said_once(void)
{
    struct deck s;
    if (!deck_open(&s, "step\nV1 1 0 pwl(0 0 1m 0 1m 5 2m 5 2m 9 3m 9)\nC1 1 2 1u\nC2 2 0 1u\nR1 2 0 1meg\n.end\n"))
        return;
    if (restarts(&s, 1e-3)) {
        CHECK_NEAR(deck_value(&s, "v(2)"), 2.5, 1e-8);
        const struct kn_diagnostic *said = deck_said(&s, "impulse");
        CU_ASSERT_TRUE(deck_mentions(said, "-2.5e-06 C") && said->severity == KN_WARNING);
        const size_t before = kn_diagnostics_count(s.diagnostics);
        if (restarts(&s, 2e-3))
            CHECK_NEAR(deck_value(&s, "v(2)"), 4.5, 1e-8);
        CU_ASSERT_EQUAL(kn_diagnostics_count(s.diagnostics), before);
    }
    deck_close(&s);
}

/* ---- events: a left and a right value ---- */

static bool passes(struct deck *s, double time, bool *moved)
{
    const enum kn_status status = consistent_event(&s->run, time, s->diagnostics, s->x, moved);
    CU_ASSERT_EQUAL(status, KN_OK);
    return status == KN_OK;
}

static void a_jump_of_a_source_moves_what_holds_no_charge(void)
{
    struct deck s;
    bool moved;
    if (!starts(&s, "jump\nV1 1 0 pwl(0 1 1m 1 1m 5)\nR1 1 2 1k\nC1 2 0 1u ic=0.5\n.tran 1u 3m uic\n.end\n"))
        return;
    if (passes(&s, 1e-3, &moved)) {
        CU_ASSERT(moved);
        CHECK_NEAR(deck_value(&s, "v(1)"), 5, 1e-12);
        CU_ASSERT_EQUAL(deck_value(&s, "v(2)"), 0.5);
        CHECK_NEAR(deck_value(&s, "i(v1)"), -4.5e-3, 1e-12);
    }
    if (passes(&s, 2e-3, &moved))
        CU_ASSERT(!moved);
    deck_close(&s);
}

/* i = -C dv/dt jumps where the slope of the source does, from 0 to 1 kV/s and to -2 kV/s. */
static void a_corner_of_a_source_moves_index_2_unknowns_only(void)
{
    struct deck s;
    bool moved;
    if (!starts(&s, "corner\nV1 1 0 pwl(0 3 1m 3 2m 4 3m 2)\nC1 1 0 1u ic=3\nR1 1 0 1k\n.tran 1u 3m uic\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "i(v1)"), -3e-3, 1e-9);
    if (passes(&s, 1e-3, &moved)) {
        CU_ASSERT(moved);
        CU_ASSERT_EQUAL(deck_value(&s, "v(1)"), 3);
        CHECK_NEAR(deck_value(&s, "i(v1)"), -3e-3 - 1e-3, 1e-9);
    }
    s.x[deck_unknown(&s, "v(1)")] = 4;
    s.x[deck_unknown(&s, "i(v1)")] = -4e-3 - 1e-3;
    if (passes(&s, 2e-3, &moved)) {
        CU_ASSERT(moved);
        CHECK_NEAR(deck_value(&s, "i(v1)"), -4e-3 + 2e-3, 1e-9);
    }
    deck_close(&s);
}

static void corners_do_not_matter_where_the_index_is_1(void)
{
    struct deck s;
    bool moved;
    if (!starts(&s, "calm\nV1 1 0 pwl(0 3 1m 3 2m 4)\nR1 1 2 1k\nC1 2 0 1u ic=3\n.tran 1u 3m uic\n.end\n"))
        return;
    s.run.index_1 = true;
    if (passes(&s, 1e-3, &moved))
        CU_ASSERT(!moved);
    CU_ASSERT_EQUAL(deck_value(&s, "v(2)"), 3);
    deck_close(&s);
}

static void a_restart_at_a_consistent_point_changes_nothing(void)
{
    struct deck s;
    if (!starts(&s,
                "quiet\n.model d D(is=1e-14 cjo=2p tt=1n)\nV1 1 0 sin(2 1 1k)\nR1 1 2 1k\nD1 2 3 d\nC1 3 0 1u ic=0.6\n"
                "R2 3 0 2k\nL1 3 4 1m ic=1m\nR3 4 0 10\n.end\n"))
        return;
    double before[16];
    memcpy(before, s.x, (size_t)mna_unknown_count(s.mna) * sizeof *s.x);
    if (restarts(&s, 0))
        for (int i = 0; i < mna_unknown_count(s.mna); i++)
            CHECK_NEAR(s.x[i], before[i], 1e-9 * (1 + fabs(before[i])));
    CU_ASSERT_EQUAL(deck_value(&s, "v(3)"), 0.6);
    CU_ASSERT_EQUAL(deck_value(&s, "i(l1)"), 1e-3);
    deck_close(&s);
}

static void coupled_inductors_start_from_their_fluxes(void)
{
    struct deck s;
    if (!starts(&s, "coupled\nV1 1 0 1\nR1 1 2 10\nL1 2 0 1m ic=0.02\nL2 3 0 4m ic=-0.01\nK1 L1 L2 0.5\nR2 3 0 100\n"
                    ".end\n"))
        return;
    CU_ASSERT_EQUAL(deck_value(&s, "i(l1)"), 0.02);
    CU_ASSERT_EQUAL(deck_value(&s, "i(l2)"), -0.01);
    CHECK_NEAR(deck_value(&s, "v(2)"), 0.8, 1e-9);
    CHECK_NEAR(deck_value(&s, "v(3)"), 1, 1e-9);
    deck_close(&s);
}

/* ---- hard starts ---- */

/* (v2 - 1)/Rf = 1m sqrt(|v1 - v2|) has its only root at v2 - v1 = s^2, s = (r + sqrt(r^2 + 4 (1 - v1)))/2, r = Rf 1m;
 * Newton's method, gmin and source stepping stay below the kink.  With charge elsewhere and without any. */
static void a_start_without_charge_is_found_by_the_pseudo_transient(void)
{
    static const char *const more[] = {"", "R4 3 1 1k\nC4 3 0 1u ic=0.25\n"};
    for (int k = 0; k < 2; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "kink\nV1 0a 0 1\nR1 0a 1 1.8k\nR2 1 0 88k\nR3 2 0a 4.7k\nB1 0 2 I=1m*sqrt(abs(v(1,2)))\n%s.end\n",
                 more[k]);
        struct deck s;
        if (!starts(&s, text))
            continue;
        const double divided = k == 0 ? 88.0 / 89.8 : (1 / 1.8 + 0.25) / (1 / 1.8 + 1 / 88.0 + 1);
        const double root = (4.7 + sqrt(4.7 * 4.7 + 4 * (1 - divided))) / 2;
        CHECK_NEAR(deck_value(&s, "v(1)"), divided, 1e-6);
        CHECK_NEAR(deck_value(&s, "v(2)"), divided + root * root, 1e-4);
        if (k == 1)
            CU_ASSERT_EQUAL(deck_value(&s, "v(3)"), 0.25);
        deck_close(&s);
    }
}

/* A memristor after Strukov et al. (2008): at the start no time constant of the linearised circuit tells how fast the
 * sine will move its state, only the run's length does. */
static void steps_of_a_start_are_short_against_the_run(void)
{
    struct deck s;
    if (!starts(&s,
                "memristor\nV1 1 0 SIN(0 1.2 1)\nBx 0 x I=i(V1)*-1e4*(1-(2*v(x)-1)^2)\nCx x 0 1 ic=0.076\nRx x 0 1T\n"
                "R1 1 3 100\nE1 3 0 4 0 1\nB4 4 0 V=-i(V1)*15900*(1-v(x))\n.tran 2m 3 uic\n.end\n"))
        return;
    CU_ASSERT_EQUAL(deck_value(&s, "v(x)"), 0.076);
    CU_ASSERT_PTR_NULL(deck_said(&s, "initial-moved"));
    deck_close(&s);
}

/* Capacitances between nodes that sources hold, beside 1e-12 S only, must not lengthen the steps: 600 s against 10 ps.
 */
static void held_nodes_with_hardly_any_conductance_do_not_lengthen_the_steps(void)
{
    struct deck s;
    if (!deck_open(&s,
                   "held\nV1 a 0 12\nV2 b 0 pwl(0 12 1m -999988)\nC1 a b 0.6n\nR1 a b 1e12\nR2 b 0 1e12\nC2 b c 0.2n\n"
                   "C3 c 0 0.5n\nR3 c 0 20m\n.tran 1u 1\n.end\n"))
        return;
    s.x[deck_unknown(&s, "v(a)")] = s.x[deck_unknown(&s, "v(b)")] = 12;
    s.x[deck_unknown(&s, "v(c)")] = -0.2;
    CU_ASSERT_EQUAL(deck_make_consistent(&s, 0, 1e-6, false), KN_OK);
    CHECK_NEAR(deck_value(&s, "v(c)"), -0.2, 1e-9);
    /* C2 (b - c)' with (C2 + C3) c' = C2 b' - c / R3 */
    const double b = -1e9, c = (0.2e-9 * b + 0.2 / 0.02) / 0.7e-9;
    CHECK_NEAR(deck_value(&s, "i(v2)"), -0.6e-9 * b - 0.2e-9 * (b - c), 1e-6);
    CU_ASSERT_PTR_NULL(deck_said(&s, "impulse"));
    deck_close(&s);
}

/* The diffusion charge of an idle transistor has a time constant of some 1e-19 s; steps of that length would leave
 * nothing of the conductances beside C/h of the other capacitor. */
static void a_negligible_capacitance_does_not_make_the_steps_of_a_start_useless(void)
{
    struct deck s;
    if (!starts(&s, "tiny\nVcc vcc 0 12\n.model q NPN(tr=20n)\nV1 a 0 5\nR1 a 1 470\nC1 1 2 351n\nQ1 vcc 3 4 q\n"
                    ".tran 80n 24u uic\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(1)"), 5, 1e-6);
    CHECK_NEAR(deck_value(&s, "v(2)"), 5, 1e-6);
    deck_close(&s);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(a_given_capacitor_voltage_stays_to_the_last_bit),
        CLAIM(a_given_node_voltage_stays_to_the_last_bit),
        CLAIM(what_grows_out_of_zero_starts_at_zero),
        CLAIM(a_given_inductor_current_stays_to_the_last_bit),
        CLAIM(what_is_not_given_starts_from_zero_charge),
        CLAIM(a_given_node_keeps_its_voltage_against_the_supply),
        CLAIM(capacitors_with_ic_in_series_add_up),
        CLAIM(an_empty_capacitor_in_series_with_a_charged_one_stays_empty),
        CLAIM(ic_of_a_node_is_in_the_capacitors_at_it),
        CLAIM(a_charged_capacitor_across_a_diode_and_a_resistor_starts),
        CLAIM(a_floating_capacitor_keeps_its_voltage_and_finds_its_potential),
        CLAIM(an_empty_loop_gives_way_to_the_capacitor_with_ic),
        CLAIM(ic_is_kept_where_others_of_the_loop_or_cutset_are_not_given),
        CLAIM(ic_is_kept_beside_a_loop_that_contradicts),
        CLAIM(ic_is_kept_where_values_of_a_loop_agree),
        CLAIM(ic_that_a_junction_forbids_gives_way),
        CLAIM(contradicting_ic_around_a_loop_is_a_warning_with_its_size),
        CLAIM(ic_against_the_source_of_a_loop_or_cutset_is_a_warning_with_its_size),
        CLAIM(a_given_node_without_charge_is_replaced_and_named),
        CLAIM(schmitt_trigger_starts_on_its_algebraic_equations),
        CLAIM(initial_voltages_of_a_transistor_reach_its_inner_nodes),
        CLAIM(the_current_of_a_source_across_a_capacitor_is_exact),
        CLAIM(the_voltage_of_an_inductor_at_a_current_source_is_exact),
        CLAIM(an_index_2_current_is_exact_beside_fast_junctions),
        CLAIM(the_current_into_a_capacitive_divider_is_exact),
        CLAIM(the_voltage_of_a_cutset_of_inductors_is_exact),
        CLAIM(the_current_of_a_source_across_a_nonlinear_capacitor_is_exact),
        CLAIM(an_index_2_unknown_is_exact_where_it_enters_nonlinearly),
        CLAIM(a_miller_integrator_starts_from_its_capacitor),
        CLAIM(a_voltage_on_empty_capacitors_is_an_impulse_of_known_charge),
        CLAIM(a_current_into_an_inductor_at_rest_is_an_impulse_of_known_flux),
        CLAIM(a_restart_keeps_charges_and_moves_algebraic_values),
        CLAIM(a_jump_into_a_capacitor_loop_is_a_warning_said_once),
        CLAIM(a_jump_of_a_source_moves_what_holds_no_charge),
        CLAIM(a_corner_of_a_source_moves_index_2_unknowns_only),
        CLAIM(corners_do_not_matter_where_the_index_is_1),
        CLAIM(a_restart_at_a_consistent_point_changes_nothing),
        CLAIM(coupled_inductors_start_from_their_fluxes),
        CLAIM(a_start_without_charge_is_found_by_the_pseudo_transient),
        CLAIM(steps_of_a_start_are_short_against_the_run),
        CLAIM(held_nodes_with_hardly_any_conductance_do_not_lengthen_the_steps),
        CLAIM(a_negligible_capacitance_does_not_make_the_steps_of_a_start_useless),
    };
    return run_claims("consistent", claims, sizeof claims / sizeof claims[0]);
}
