/* test_operating_point.c - operating points against closed forms and ngspice, hard ones, ambiguous and impossible ones.
 */
#include "deck.h"

#include "mna/start/homotopy.h"

#include <stdint.h>

/* Kirchhoff's equations of the circuit itself at the point reached: the largest residual. */
static double worst_residual(struct deck *s)
{
    const struct dae *dae = mna_dae(s->mna);
    double *f = calloc((size_t)dae->n, sizeof *f), worst = 0;
    struct dae_values out = {.f = f};
    CU_ASSERT_EQUAL(dae->eval(dae->problem, 0, s->x, DAE_F, &out), KN_OK);
    for (int i = 0; i < dae->n; i++)
        worst = fmax(worst, fabs(f[i]));
    free(f);
    return worst;
}

/* Opens a deck and finds its operating point; a failure is shown. */
static bool operates(struct deck *s, const char *text)
{
    if (!deck_open(s, text))
        return false;
    const enum kn_status status = deck_operate(s, 1e-6, false);
    CU_ASSERT_EQUAL(status, KN_OK);
    if (status == KN_OK)
        return true;
    deck_print(s);
    deck_close(s);
    return false;
}

/* Opens a deck that has no operating point: the status, and the diagnostic of this code. */
static const struct kn_diagnostic *refuses(struct deck *s, const char *text, enum kn_status expected, const char *code)
{
    if (!deck_open(s, text))
        return NULL;
    CU_ASSERT_EQUAL(deck_operate(s, 1e-6, false), expected);
    const struct kn_diagnostic *said = deck_said(s, code);
    CU_ASSERT_PTR_NOT_NULL(said);
    if (!said)
        deck_print(s);
    return said;
}

/* ---- plain ---- */

static void divider_divides(void)
{
    struct deck s;
    if (!operates(&s, "divider\nV1 1 0 12\nR1 1 2 1k\nR2 2 0 2k\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(2)"), 8, 1e-14);
    CHECK_NEAR(deck_value(&s, "i(v1)"), -4e-3, 1e-17);
    CU_ASSERT_EQUAL(s.report.method, OPERATING_NEWTON);
    deck_close(&s);
}

/* I = Is (exp(v/Vt) - 1) = (5 - v)/R at 27 C with Is = 1e-14, R = 1k: Lambert's W gives v = 0.694078873 V (gmin aside).
 */
static void diode_and_resistor_meet_at_lamberts_w(void)
{
    struct deck s;
    if (!operates(&s, "diode\n.model d D(is=1e-14)\nV1 1 0 5\nR1 1 2 1k\nD1 2 0 d\n.options gmin=1e-18\n.end\n"))
        return;
    const double vt = 1.380649e-23 / 1.602176634e-19 * 300.15, is = 1e-14;
    double v = 0.7;
    for (int k = 0; k < 50; k++) {
        const double e = is * exp(v / vt), f = e - is - (5 - v) / 1e3;
        v -= f / (e / vt + 1e-3);
    }
    CHECK_NEAR(deck_value(&s, "v(2)"), v, 1e-9);
    deck_close(&s);
}

/* ngspice 39.3 at reltol 1e-9; its physical constants are older, which moves junction voltages by 1e-5. */
static void bjt_bias_agrees_with_ngspice(void)
{
    struct deck s;
    if (!operates(&s, "four-resistor bias\n"
                      ".model q2n NPN(is=1e-15 bf=150 vaf=80 ikf=0.1 ise=1e-14 ne=1.6 br=4 rb=50 re=0.5 rc=2)\n"
                      "Vcc vcc 0 12\nR1 vcc b 47k\nR2 b 0 10k\nRc vcc c 2.2k\nRe e 0 470\nQ1 c b e q2n\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(b)"), 1.962675976166, 2e-5);
    CHECK_NEAR(deck_value(&s, "v(c)"), 6.317862660580, 1e-4);
    CHECK_NEAR(deck_value(&s, "v(e)"), 1.222038625268, 2e-5);
    CHECK_NEAR(deck_value(&s, "i(vcc)"), -2.79634978535e-03, 1e-7);
    deck_close(&s);
}

static void mos_stages_agree_with_ngspice(void)
{
    struct deck s;
    if (!operates(&s, "inverter and follower\n"
                      ".model nm NMOS(level=1 vto=0.7 kp=110u gamma=0.4 phi=0.7 lambda=0.04)\n"
                      ".model pm PMOS(level=1 vto=-0.8 kp=40u gamma=0.5 phi=0.7 lambda=0.05)\n"
                      "Vdd vdd 0 3.3\nVin in 0 1.4\nM1 out in 0 0 nm w=10u l=1u\n"
                      "M2 out in vdd vdd pm w=20u l=1u\nM3 vdd out s 0 nm w=50u l=1u\nRs s 0 10k\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(out)"), 2.888169930590, 1e-6);
    CHECK_NEAR(deck_value(&s, "v(s)"), 1.668568445681, 1e-6);
    CHECK_NEAR(deck_value(&s, "i(vdd)"), -4.67491324307e-04, 1e-9);
    deck_close(&s);
}

static void diode_bridge_agrees_with_ngspice(void)
{
    struct deck s;
    if (!operates(&s, "bridge\n.model d1 D(is=1e-14 n=1.05 rs=0.5)\nVs p n 10\nD1 p a d1\nD2 n a d1\nD3 b p d1\n"
                      "D4 b n d1\nRl a b 1k\nRg n 0 1meg\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(p)") - deck_value(&s, "v(n)"), 10, 1e-12);
    CHECK_NEAR(deck_value(&s, "v(a)") - deck_value(&s, "v(b)"), 9.249726244659 - 0.7502107755688, 2e-5);
    CHECK_NEAR(deck_value(&s, "i(vs)"), -8.49951551686e-03, 2e-8);
    deck_close(&s);
}

/* ---- hard ---- */

static void nine_stacked_diodes_converge(void)
{
    struct deck s;
    if (!operates(&s, "stack\n.model d D(is=1e-14)\nV1 1 0 20\nR1 1 2 1k\nD1 2 3 d\nD2 3 4 d\nD3 4 5 d\nD4 5 6 d\n"
                      "D5 6 7 d\nD6 7 8 d\nD7 8 9 d\nD8 9 10 d\nD9 10 0 d\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(2)"), 6.501893581420, 2e-4);
    CU_ASSERT_TRUE(worst_residual(&s) < 1e-9);
    deck_close(&s);
}

static void a_diode_fed_by_a_current_source_needs_no_help(void)
{
    struct deck s;
    if (!operates(&s, "current\n.model d D(is=1e-14)\nI1 0 1 1\nD1 1 0 d\n.end\n"))
        return;
    const double vt = 1.380649e-23 / 1.602176634e-19 * 300.15;
    CHECK_NEAR(deck_value(&s, "v(1)"), vt * log(1 / 1e-14), 1e-6);
    deck_close(&s);
}

/* Two cross-coupled transistors with base resistors (Schmitt trigger of the operating-point literature). */
#define SCHMITT(input, guesses)                                                                                        \
    "schmitt\n"                                                                                                        \
    ".func fe(v) {1e-16/0.99*(exp(38.78*v)-1)}\n.func fc(v) {1e-16/0.5*(exp(38.78*v)-1)}\n"                            \
    "Vcc 6 0 10\nVin 5 0 " input "\nRc1 6 1 2e3\nRc2 6 3 1e3\nR3 1 4 10e3\nRe 2 0 100\n"                               \
    "B1c 1 5 I=0.99*fe(v(5,2))-fc(v(5,1))\nB1e 5 2 I=fe(v(5,2))-0.5*fc(v(5,1))\n"                                      \
    "B2c 3 4 I=0.99*fe(v(4,2))-fc(v(4,3))\nB2e 4 2 I=fe(v(4,2))-0.5*fc(v(4,3))\n" guesses ".end\n"

static void schmitt_trigger_converges_at_any_input(void)
{
    static const char *const decks[] = {SCHMITT("0", ""),   SCHMITT("0.5", ""), SCHMITT("1", ""),
                                        SCHMITT("1.5", ""), SCHMITT("2", ""),   SCHMITT("3", "")};
    for (size_t k = 0; k < sizeof decks / sizeof decks[0]; k++) {
        struct deck s;
        if (!operates(&s, decks[k]))
            continue;
        CU_ASSERT_TRUE(worst_residual(&s) < 1e-8);
        deck_close(&s);
    }
}

/* Between the thresholds the trigger has three solutions; .nodeset picks either stable one. */
static void nodesets_pick_the_branch_of_the_schmitt_trigger(void)
{
    struct deck low, high;
    if (operates(&low, SCHMITT("1.5", ".nodeset v(1)=1.8 v(3)=1.1\n"))) {
        CU_ASSERT_TRUE(worst_residual(&low) < 1e-8);
        if (operates(&high, SCHMITT("1.5", ".nodeset v(1)=0.9 v(3)=10\n"))) {
            CU_ASSERT_TRUE(worst_residual(&high) < 1e-8);
            CU_ASSERT_TRUE(deck_value(&high, "v(3)") - deck_value(&low, "v(3)") > 1);
            deck_close(&high);
        }
        deck_close(&low);
    }
}

#define CMOS                                                                                                           \
    ".model nm NMOS(level=1 vto=0.7 kp=110u gamma=0.4 phi=0.7 lambda=0.04)\n"                                          \
    ".model pm PMOS(level=1 vto=-0.8 kp=40u gamma=0.5 phi=0.7 lambda=0.05)\n"                                          \
    ".subckt inv in out vdd\nM1 out in 0 0 nm w=10u l=1u\nM2 out in vdd vdd pm w=25u l=1u\nC1 out 0 10f\n.ends\n"      \
    "Vdd vdd 0 3.3\n"

/* Stages that all amplify multiply the corrections of Newton's method, beyond what a double holds.  With stages on two
 * hundred times as many unknowns the path takes a like number of iterations, and factors do not fill up. */
static long iterations_of_inverters(int stages)
{
    const size_t size = 200 * (size_t)stages + 200;
    char *text = malloc(size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    size_t used = (size_t)snprintf(text, size, "inverters\n.model qn npn(is=1e-15 bf=100)\nVcc vcc 0 5\nVin n0 0 0\n");
    for (int i = 0; i < stages; i++)
        used += (size_t)snprintf(text + used, size - used, "RB%d n%d b%d 10k\nRC%d vcc n%d 1k\nQ%d n%d b%d 0 qn\n", i,
                                 i, i, i, i + 1, i, i + 1, i);
    snprintf(text + used, size - used, ".end\n");
    struct deck s;
    long iterations = -1;
    if (operates(&s, text)) {
        char high[20], low[20];
        snprintf(high, sizeof high, "v(n%d)", stages / 2 * 2 - 1);
        snprintf(low, sizeof low, "v(n%d)", stages / 2 * 2);
        /* Saturated, and (5 V - 0.8 V) / 11 k into the next base. */
        CU_ASSERT(deck_value(&s, low) > 0.005 && deck_value(&s, low) < 0.1);
        CHECK_NEAR(deck_value(&s, high), 5 - 4.2 / 11, 0.05);
        iterations = s.report.iterations;
        deck_close(&s);
    }
    free(text);
    return iterations;
}

static void the_effort_for_a_chain_of_inverters_grows_with_its_length_only(void)
{
    const long few = iterations_of_inverters(20), many = iterations_of_inverters(4000);
    CU_ASSERT(few > 0 && many > 0);
    CU_ASSERT(many < 1500);
}

/* The only operating point of an odd ring of equal stages: all nodes at the inverter's threshold. */
static void ring_oscillator_rests_at_the_threshold_of_its_stages(void)
{
    struct deck s;
    if (!operates(&s, "ring\n" CMOS "X1 a b vdd inv\nX2 b c vdd inv\nX3 c d vdd inv\nX4 d e vdd inv\nX5 e a vdd inv\n"
                      ".end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(a)"), deck_value(&s, "v(b)"), 1e-6);
    CHECK_NEAR(deck_value(&s, "v(c)"), deck_value(&s, "v(e)"), 1e-6);
    CU_ASSERT_TRUE(deck_value(&s, "v(a)") > 1 && deck_value(&s, "v(a)") < 2.3);
    CU_ASSERT_TRUE(worst_residual(&s) < 1e-9);
    deck_close(&s);
}

static void nodesets_set_a_latch(void)
{
    static const char *const decks[] = {
        "latch\n" CMOS "X1 q p vdd inv\nX2 p q vdd inv\n.nodeset v(q)=3.3 v(p)=0\n.end\n",
        "latch\n" CMOS "X1 q p vdd inv\nX2 p q vdd inv\n.nodeset v(q)=0 v(p)=3.3\n.end\n"};
    for (int k = 0; k < 2; k++) {
        struct deck s;
        if (!operates(&s, decks[k]))
            continue;
        CHECK_NEAR(deck_value(&s, "v(q)"), k == 0 ? 3.3 : 0, 1e-6);
        CHECK_NEAR(deck_value(&s, "v(p)"), k == 0 ? 0 : 3.3, 1e-6);
        CU_ASSERT_TRUE(worst_residual(&s) < 1e-9);
        deck_close(&s);
    }
}

static void a_latch_without_a_hint_comes_to_one_of_its_solutions(void)
{
    struct deck s;
    if (!operates(&s, "latch\n" CMOS "X1 q p vdd inv\nX2 p q vdd inv\n.end\n"))
        return;
    CU_ASSERT_TRUE(worst_residual(&s) < 1e-9);
    deck_close(&s);
}

/* Comparator: gain 1e6, positive feedback 10k/100k, output clamped by diodes to supplies of 5 V. */
static void op_amp_with_positive_feedback_saturates(void)
{
    struct deck s;
    if (!operates(&s,
                  "comparator\n.model d D(is=1e-14)\nVin in 0 0.1\nVp vp 0 5\nVn vn 0 -5\nR1 in p 10k\nR2 out p 100k\n"
                  "E1 g 0 p 0 1e6\nRo g out 1k\nD1 out vp d\nD2 vn out d\n.end\n"))
        return;
    CU_ASSERT_TRUE(fabs(deck_value(&s, "v(out)")) < 6.5);
    const double f = worst_residual(&s);
    CU_ASSERT_TRUE(f < 1e-3 * fabs(deck_value(&s, "v(g)")) / 1e3);
    deck_close(&s);
}

static void inverting_amplifier_of_gain_one_million_is_exact(void)
{
    struct deck s;
    if (!operates(&s, "inverting\nVin in 0 0.5\nR1 in m 1k\nR2 m out 10k\nE1 out 0 0 m 1e6\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(out)"), -5 / (1 + 11e-6), 1e-9);
    deck_close(&s);
}

/* ---- not unique ---- */

/* 3 V over 1 uF and 2 uF in series: without charge between them 1 V remains on the larger. */
static void a_node_between_capacitors_carries_no_charge(void)
{
    struct deck s;
    if (!operates(&s, "floating\nV1 1 0 3\nC1 1 2 1u\nC2 2 0 2u\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(2)"), 1, 1e-9);
    CHECK_NEAR(deck_value(&s, "i(v1)"), 0, 1e-12);
    CU_ASSERT_TRUE(deck_mentions(deck_said(&s, "no-dc-path"), "v(2)"));
    deck_close(&s);
}

/* The island 2-3 has an inner resistor that carries no current, so both nodes stand at the same voltage:
 * 1u (v - 6) + 3u v + 2u v = 0. */
static void an_island_with_a_resistor_inside_is_equipotential_and_uncharged(void)
{
    struct deck s;
    if (!operates(&s, "island\nV1 1 0 6\nC1 1 2 1u\nC2 2 0 3u\nR1 2 3 1meg\nC3 3 0 2u\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(2)"), 1, 1e-8);
    CHECK_NEAR(deck_value(&s, "v(3)"), 1, 1e-8);
    CU_ASSERT_TRUE(worst_residual(&s) < 1e-11);
    deck_close(&s);
}

static void a_nodeset_chooses_the_charge_of_an_island(void)
{
    struct deck s;
    if (!operates(&s, "island\nV1 1 0 6\nC1 1 2 1u\nC2 2 0 3u\nR1 2 3 1meg\nC3 3 0 2u\n.nodeset v(3)=4\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(2)"), 4, 1e-9);
    CHECK_NEAR(deck_value(&s, "v(3)"), 4, 1e-9);
    CU_ASSERT_PTR_NULL(deck_said(&s, "no-dc-path"));
    deck_close(&s);
}

static void a_floating_gate_is_named(void)
{
    struct deck s;
    if (!operates(&s, "floating gate\n.model nm NMOS(level=1 vto=0.7 kp=110u tox=20n)\nVdd vdd 0 3\nR1 vdd d 10k\n"
                      "M1 d g 0 0 nm w=10u l=1u\nC1 g 0 1f\n.end\n"))
        return;
    CU_ASSERT_TRUE(deck_mentions(deck_said(&s, "no-dc-path"), "v(g)"));
    CU_ASSERT_TRUE(worst_residual(&s) < 1e-11);
    deck_close(&s);
}

/* 2 A into two parallel inductors: they share it in inverse proportion, since the loop has no net flux. */
static void parallel_inductors_share_a_current_inversely(void)
{
    struct deck s;
    if (!operates(&s, "share\nI1 0 1 2\nL1 1 0 1m\nL2 1 0 3m\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "i(l1)"), 1.5, 1e-9);
    CHECK_NEAR(deck_value(&s, "i(l2)"), 0.5, 1e-9);
    CHECK_NEAR(deck_value(&s, "v(1)"), 0, 1e-9);
    CU_ASSERT_TRUE(deck_mentions(deck_said(&s, "inductor-loop"), "L1"));
    deck_close(&s);
}

/* z0 td are 50 and 100 nH, and a coil of 100 nH beside them: half of 10 mA, and a quarter each. */
static void parallel_lines_share_a_current_as_inductors(void)
{
    struct deck s;
    if (!operates(&s, "share\nV1 1 0 1\nR1 1 2 50\nT1 2 0 3 0 z0=50 td=1n\nT2 2 0 3 0 z0=100 td=1n\nL1 2 3 100n\n"
                      "R2 3 0 50\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "i(t1#1)"), 5e-3, 1e-12);
    CHECK_NEAR(deck_value(&s, "i(t1#2)"), -5e-3, 1e-12);
    CHECK_NEAR(deck_value(&s, "i(t2#1)"), 2.5e-3, 1e-12);
    CHECK_NEAR(deck_value(&s, "i(l1)"), 2.5e-3, 1e-12);
    CHECK_NEAR(deck_value(&s, "v(3)"), 0.5, 1e-9);
    CU_ASSERT_TRUE(deck_mentions(deck_said(&s, "line-loop"), "T1"));
    deck_close(&s);
}

/* 10 ohm in each: they share the current by these, and nothing is left open. */
static void parallel_lossy_lines_are_no_open_loop(void)
{
    struct deck s;
    if (!operates(&s, "lossy\nV1 1 0 1\nR1 1 2 50\nO1 2 0 3 0 lm\nO2 2 0 3 0 lm\nR2 3 0 50\n"
                      ".model lm ltra r=10 l=250n g=0 c=100p len=1\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "i(o1#1)"), 0.5 / 105, 1e-12);
    CU_ASSERT_PTR_NULL(deck_said(&s, "line-loop"));
    deck_close(&s);
}

/* The sum of z0 i around the ring is 0, and each end of a resistance of 50 ohm at 0.25 V takes 5 mA. */
static void a_ring_of_lines_has_no_net_flux(void)
{
    struct deck s;
    if (!operates(&s,
                  "coupler\nV1 1 0 1\nR1 1 2 50\nR2 3 0 50\nR3 4 0 50\nR4 5 0 50\n"
                  "Ta 2 0 3 0 z0=35 f=1g\nTb 3 0 4 0 z0=50 f=1g\nTc 4 0 5 0 z0=35 f=1g\nTd 5 0 2 0 z0=50 f=1g\n.end\n"))
        return;
    const double a = deck_value(&s, "i(ta#1)");
    CHECK_NEAR(35 * a + 50 * (a - 5e-3) + 35 * (a - 10e-3) + 50 * (a - 15e-3), 0, 1e-9);
    CHECK_NEAR(deck_value(&s, "i(tb#1)"), a - 5e-3, 1e-12);
    CHECK_NEAR(deck_value(&s, "i(td#2)"), 15e-3 - a, 1e-12);
    CHECK_NEAR(deck_value(&s, "v(4)"), 0.25, 1e-9);
    deck_close(&s);
}

static void a_source_of_zero_volts_across_an_inductor_gives_no_current(void)
{
    struct deck s;
    if (!operates(&s, "zero\nV1 1 0 dc 0 sin(0 1 1k)\nL1 1 0 1m\nR1 1 0 50\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "i(l1)"), 0, 1e-12);
    CU_ASSERT_TRUE(deck_mentions(deck_said(&s, "inductor-loop"), "V1"));
    deck_close(&s);
}

/* ---- impossible ---- */

static void a_voltage_across_an_inductor_has_no_operating_point(void)
{
    struct deck s;
    const struct kn_diagnostic *said =
        refuses(&s, "short\nV1 1 0 1\nL1 1 2 1m\nL2 2 0 1m\n.end\n", KN_ERROR_CIRCUIT, "driven-inductor-loop");
    CU_ASSERT_TRUE(deck_mentions(said, "V1 (line 2)"));
    CU_ASSERT_TRUE(deck_mentions(said, "L1 (line 3)"));
    CU_ASSERT_TRUE(deck_mentions(said, "L2 (line 4)"));
    CU_ASSERT_TRUE(deck_mentions(said, "1 V"));
    deck_close(&s);
}

static void a_line_between_two_voltages_has_no_operating_point(void)
{
    struct deck s;
    const struct kn_diagnostic *said = refuses(&s, "short\nV1 1 0 5\nV2 2 0 3\nT1 1 0 2 0 z0=50 td=1n\n.end\n",
                                               KN_ERROR_CIRCUIT, "driven-inductor-loop");
    CU_ASSERT_TRUE(deck_mentions(said, "T1 (line 4)"));
    CU_ASSERT_TRUE(deck_mentions(said, "2 V across lines"));
    deck_close(&s);
}

static void a_current_into_capacitors_has_no_operating_point(void)
{
    struct deck s;
    const struct kn_diagnostic *said =
        refuses(&s, "fed\nI1 0 2 1m\nC1 2 0 1u\nR1 2 3 1k\nC2 3 0 1u\n.end\n", KN_ERROR_CIRCUIT, "fed-island");
    CU_ASSERT_TRUE(deck_mentions(said, "I1 (line 2)"));
    CU_ASSERT_TRUE(deck_mentions(said, "0.001 A"));
    CU_ASSERT_TRUE(deck_mentions(said, "v(2)"));
    CU_ASSERT_TRUE(deck_mentions(said, "v(3)"));
    deck_close(&s);
}

static void a_current_source_of_zero_into_capacitors_is_no_obstacle(void)
{
    struct deck s;
    if (!operates(&s, "fed by zero\nI1 0 2 dc 0 sin(0 1m 1k)\nC1 2 0 1u\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(2)"), 0, 1e-9);
    deck_close(&s);
}

static void a_controlled_current_into_capacitors_is_found_out(void)
{
    struct deck s;
    const struct kn_diagnostic *said =
        refuses(&s, "fed\nV1 1 0 2\nR1 1 0 1k\nG1 0 2 1 0 1m\nC1 2 0 1u\n.end\n", KN_ERROR_CIRCUIT, "fed-island");
    CU_ASSERT_TRUE(deck_mentions(said, "G1 (line 4)"));
    CU_ASSERT_TRUE(deck_mentions(said, "0.002 A"));
    deck_close(&s);
}

/* v^2 + 1 = 0 has no real solution: the message names the methods, the place and the elements. */
static void a_circuit_without_solution_gets_a_diagnosis(void)
{
    struct deck s;
    const struct kn_diagnostic *said =
        refuses(&s, "none\nB1 out 0 I='1m*(v(out)*v(out)+1)'\n.end\n", KN_ERROR_CONVERGENCE, "no-operating-point");
    CU_ASSERT_TRUE(deck_mentions(said, "gmin stepping"));
    CU_ASSERT_TRUE(deck_mentions(said, "source stepping"));
    CU_ASSERT_TRUE(deck_mentions(said, "pseudo-transient"));
    CU_ASSERT_TRUE(deck_mentions(said, "v(out)"));
    CU_ASSERT_TRUE(deck_mentions(said, "B1 (line 2)"));
    CU_ASSERT_EQUAL(s.report.method, OPERATING_NONE);
    deck_close(&s);
}

/* v(2) = v(2): nothing determines the node. */
static void a_source_that_controls_itself_is_found_singular(void)
{
    struct deck s;
    const struct kn_diagnostic *said =
        refuses(&s, "self\nV1 1 0 1\nR1 1 2 1k\nE1 2 0 2 0 1\n.end\n", KN_ERROR_CONVERGENCE, "no-operating-point");
    CU_ASSERT_TRUE(deck_mentions(said, "do not determine"));
    deck_close(&s);
}

/* ---- initial conditions ---- */

static bool holds(struct deck *s, const char *text)
{
    if (!deck_open(s, text))
        return false;
    const enum kn_status status = deck_operate(s, 1e-6, true);
    CU_ASSERT_EQUAL(status, KN_OK);
    if (status == KN_OK)
        return true;
    deck_print(s);
    deck_close(s);
    return false;
}

static void initial_nodes_are_held_and_the_rest_follows(void)
{
    struct deck s;
    if (!holds(&s, "held\nV1 1 0 10\nR1 1 2 1k\nC1 2 0 1u\nR2 2 3 1k\nR3 3 0 1k\n.ic v(2)=4\n.end\n"))
        return;
    CU_ASSERT_EQUAL(deck_value(&s, "v(2)"), 4);
    CHECK_NEAR(deck_value(&s, "v(3)"), 2, 1e-12);
    CHECK_NEAR(deck_value(&s, "i(v1)"), -6e-3, 1e-15);
    deck_close(&s);
}

static void an_initial_value_against_a_source_is_a_warning(void)
{
    struct deck s;
    if (!holds(&s, "against\nV1 1 0 10\nR1 1 0 1k\n.ic v(1)=4\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "v(1)"), 10, 1e-12);
    const struct kn_diagnostic *said = deck_said(&s, "initial-contradiction");
    CU_ASSERT_TRUE(deck_mentions(said, "v(1)") && said->severity == KN_WARNING && said->where.line == 4);
    deck_close(&s);
}

/* A charged tank: the inductor is no short between the held node and ground; its current starts from 0. */
static void an_inductor_at_a_held_node_starts_without_current(void)
{
    struct deck s;
    if (!holds(&s, "tank\nL1 1 0 1m\nC1 1 0 1u\nR1 1 0 1k\n.ic v(1)=5\n.end\n"))
        return;
    CU_ASSERT_EQUAL(deck_value(&s, "v(1)"), 5);
    CU_ASSERT_EQUAL(deck_value(&s, "i(l1)"), 0);
    deck_close(&s);
}

/* A held node without charge cannot stay once the transient begins: it follows, and nothing else moves. */
static void a_held_node_without_charge_follows_at_once(void)
{
    struct deck s;
    if (!holds(&s, "follows\nV1 1 0 10\nR1 1 2 1k\nR2 2 3 1k\nC1 3 0 1u\n.ic v(2)=4 v(3)=2\n.end\n"))
        return;
    CU_ASSERT_EQUAL(deck_value(&s, "v(3)"), 2);
    CHECK_NEAR(deck_value(&s, "v(2)"), 6, 1e-9);
    deck_close(&s);
}

/* i(v1) = -C dV/dt - V/R when the sine begins. */
static void the_start_of_a_transient_has_its_index_2_currents(void)
{
    struct deck s;
    if (!holds(&s, "index 2\nV1 1 0 sin(0 1 1k)\nC1 1 0 1u\nR1 1 0 1k\n.end\n"))
        return;
    CHECK_NEAR(deck_value(&s, "i(v1)"), -1e-6 * 2e3 * acos(-1), 1e-9);
    deck_close(&s);
}

/* ---- formulas that are singular where the search begins ---- */

static void check_voltage_of_b(const char *law, double expected)
{
    char text[200];
    snprintf(text, sizeof text, "law\nV1 a 0 4\nR1 a b 1\nV2 z 0 0\nB1 b 0 I=%s\n.end\n", law);
    struct deck s;
    if (!operates(&s, text))
        return;
    CHECK_NEAR(deck_value(&s, "v(b)"), expected, 1e-6);
    CU_ASSERT_EQUAL(s.report.method, OPERATING_NEWTON);
    deck_close(&s);
}

/* 4 - v = law(v), whose roots have closed forms. */
static void laws_without_value_or_slope_at_zero_are_no_obstacle(void)
{
    const double v_sqrt = pow((sqrt(17) - 1) / 2, 2);
    check_voltage_of_b("sqrt(v(b))", v_sqrt);
    check_voltage_of_b("sqrt(abs(v(b)))", v_sqrt);
    check_voltage_of_b("pow(v(b),0.5)", v_sqrt);
    check_voltage_of_b("v(b)/sqrt(abs(v(b)))", v_sqrt);
    check_voltage_of_b("1/v(a)", 3.75);
    check_voltage_of_b("log(v(a))", 4 - log(4));
    check_voltage_of_b("log(v(a)-v(z))", 4 - log(4));
    check_voltage_of_b("(v(a)-v(z))/v(a)", 3);
    check_voltage_of_b("atan2(v(a),v(a))", 4 - atan(1));
    check_voltage_of_b("v(a)^-2", 4 - 1.0 / 16);
    check_voltage_of_b("sqrt(abs(v(z)))", 4);
    check_voltage_of_b("sqrt(hypot(v(z),v(z)))", 4);
}

static void a_law_without_value_at_the_solution_is_named(void)
{
    struct deck s;
    const struct kn_diagnostic *said =
        refuses(&s, "none\nV1 a 0 0\nB1 b 0 V=log(v(a))\nR1 b 0 1\n.end\n", KN_ERROR_CONVERGENCE, "no-operating-point");
    CU_ASSERT(said && strstr(said->text, "no finite value") && strstr(said->text, "B1"));
    CU_ASSERT(said && said->where.line == 3);
    deck_close(&s);
}

static void factorisations_are_counted(void)
{
    struct deck s;
    if (!operates(&s, "divider\nV1 1 0 12\nR1 1 2 1k\nR2 2 0 2k\n.end\n"))
        return;
    CU_ASSERT_EQUAL(s.report.factorizations, 1);
    deck_close(&s);
}

/* ---- one method alone ---- */

/* From nothing by the pseudo-transient. */
static enum newton_outcome settles(struct deck *s, struct newton_statistics *statistics)
{
    struct augmented augmented = {0};
    struct newton newton = {0};
    struct homotopy h = {0};
    const struct newton_options options = {1e-6, 1e-3, 100, 0, false};
    struct arena *memory = arena_new();
    CU_ASSERT_PTR_NOT_NULL_FATAL(memory);
    const double *start = arena_array(memory, (size_t)mna_unknown_count(s->mna), sizeof *start);
    CU_ASSERT_PTR_NOT_NULL_FATAL(start);
    CU_ASSERT_EQUAL_FATAL(augmented_init(&augmented, memory, s->mna), KN_OK);
    CU_ASSERT_EQUAL_FATAL(newton_init(&newton, &augmented.dae, &options), KN_OK);
    CU_ASSERT_EQUAL_FATAL(homotopy_init(&h, memory, &augmented, &newton, 0, 100, start), KN_OK);
    const enum newton_outcome outcome = homotopy_pseudo_transient(&h, s->x);
    *statistics = newton.statistics;
    newton_free(&newton);
    arena_free(memory);
    return outcome;
}

/* Two amplifiers and an integrator in a loop.  With 1 nF at each of their nodes, against 20 pF that make them stable,
 * they would oscillate for ever. */
static void the_pseudo_transient_keeps_amplifiers_stable(void)
{
    static const char text[] =
        "amplifiers\n"
        ".model qn NPN(bf=150 rb=150 tf=0.4n tr=8n cje=2p cjc=1p cjs=2p vaf=80 is=2e-16)\n"
        ".model qp PNP(bf=25 rb=80 tf=20n tr=60n cje=3p cjc=2p vaf=40 is=1e-15)\n"
        ".subckt amplifier m g\n.global vcc vee\n"
        "Q1 c1 0 e1 qn\nQ2 c1 m e2 qn\nQ3 k3 b3 e1 qp\nQ4 k4 b3 e2 qp\nQ5 k3 f n5 qn\nQ6 k4 f n6 qn\nQ7 vcc k3 f qn\n"
        "R1 n5 vee 1.2k\nR2 n6 vee 1.2k\nR3 f vee 47k\nQ8 c1 c1 vcc qp\nQ9 b3 c1 vcc qp\nQ10 b3 r n10 qn\n"
        "R4 n10 vee 4.7k\nQ11 r r vee qn\nR5 s r 33k\nQ12 s s vcc qp\nQ13 t s vcc qp\nQ14 vcc k4 d qn\nR6 d vee 47k\n"
        "Q15 u d n15 qn\nR7 n15 vee 68\nQ16 t t v qn\nQ17 v v u qn\nQ18 vcc t a qn\nQ19 vee u g qp\nR8 a g 74\n"
        "Cc k4 t 20p\n.ends\n"
        "Vcc vcc 0 12\nVee vee 0 -12\nR1 m1 0 100k\nR2 g1 m1 100k\nR3 g3 m1 10k\nX1 m1 g1 amplifier\nR4 g1 m2 5k\n"
        "R5 g2 m2 100k\nX2 m2 g2 amplifier\nR6 g2 m3 100k\nC1 g3 m3 10n\nX3 m3 g3 amplifier\n.end\n";
    struct deck s;
    struct newton_statistics statistics;
    if (!deck_open(&s, text))
        return;
    CU_ASSERT_EQUAL(settles(&s, &statistics), NEWTON_CONVERGED);
    CU_ASSERT(statistics.iterations < 3000);
    CU_ASSERT(worst_residual(&s) < 1e-9);
    deck_close(&s);
}

/* ---- tolerances ---- */

/* A cell of enhancement loads in which less than a microampere flows: voltage of its nodes with the given option. */
static double output_of_weak_cell(const char *options)
{
    char text[900];
    snprintf(text, sizeof text,
             "memory cell\n.model m NMOS(vto=0.5 phi=0.7 kp=1u gamma=1.83 lambda=0.115)\nVdd d 0 5\nVw w 0 2\n"
             "M1 q qb 0 0 m w=250u l=5u\nM2 qb q 0 0 m w=250u l=5u\nM3 d d q 0 m w=5u l=5u\nM4 d d qb 0 m w=5u l=5u\n"
             "M5 qb w 0 0 m w=50u l=5u\n%s\n.end\n",
             options);
    struct deck s;
    if (!operates(&s, text))
        return NAN;
    const double value = deck_value(&s, "v(q)");
    deck_close(&s);
    return value;
}

static void a_coarse_abstol_does_not_spoil_the_operating_point(void)
{
    const double exact = output_of_weak_cell(".options abstol=1e-15");
    CU_ASSERT(exact > 1);
    CHECK_NEAR(output_of_weak_cell(".options abstol=1u vntol=1m"), exact, 1e-6);
}

/* ---- many ---- */

/* Ladders of resistors, diodes and transistors with random values: all converge, and all verify. */
static void random_nonlinear_ladders_converge(void)
{
    uint64_t state = 77;
    for (int trial = 0; trial < 30; trial++) {
        const unsigned seed = (unsigned)(state = state * UINT64_C(6364136223846793005) + 1442695040888963407) ^ 0;
        char text[4096];
        size_t used = (size_t)snprintf(text, sizeof text,
                                       "ladder\n.model d D(is=1e-14 n=1.1)\n.model q NPN(is=1e-15 bf=100 vaf=50)\n"
                                       "V1 n0 0 %d\n",
                                       5 + trial);
        for (int k = 0; k < 12; k++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
            const unsigned r = (unsigned)(state >> 33);
            used += (size_t)snprintf(text + used, sizeof text - used, "R%d n%d n%d %u\n", k, k, k + 1, 10 + r % 10000);
            const char *const forms[] = {"D%d n%d 0 d\n", "D%d 0 n%d d\n", "Q%d n%d n3 0 q\n", "Q%d n0 n%d n5 q\n"};
            used += (size_t)snprintf(text + used, sizeof text - used, forms[(r >> 16) % 4], k, k + 1);
        }
        snprintf(text + used, sizeof text - used, ".end\n");
        struct deck s;
        if (!operates(&s, text)) {
            fprintf(stderr, "\nseed %u trial %d\n%s", seed, trial, text);
            continue;
        }
        CU_ASSERT_TRUE(worst_residual(&s) < 1e-6);
        deck_close(&s);
    }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(divider_divides),
        CLAIM(diode_and_resistor_meet_at_lamberts_w),
        CLAIM(bjt_bias_agrees_with_ngspice),
        CLAIM(mos_stages_agree_with_ngspice),
        CLAIM(diode_bridge_agrees_with_ngspice),
        CLAIM(nine_stacked_diodes_converge),
        CLAIM(a_diode_fed_by_a_current_source_needs_no_help),
        CLAIM(schmitt_trigger_converges_at_any_input),
        CLAIM(nodesets_pick_the_branch_of_the_schmitt_trigger),
        CLAIM(the_effort_for_a_chain_of_inverters_grows_with_its_length_only),
        CLAIM(ring_oscillator_rests_at_the_threshold_of_its_stages),
        CLAIM(nodesets_set_a_latch),
        CLAIM(a_latch_without_a_hint_comes_to_one_of_its_solutions),
        CLAIM(op_amp_with_positive_feedback_saturates),
        CLAIM(inverting_amplifier_of_gain_one_million_is_exact),
        CLAIM(a_node_between_capacitors_carries_no_charge),
        CLAIM(an_island_with_a_resistor_inside_is_equipotential_and_uncharged),
        CLAIM(a_nodeset_chooses_the_charge_of_an_island),
        CLAIM(a_floating_gate_is_named),
        CLAIM(parallel_inductors_share_a_current_inversely),
        CLAIM(parallel_lines_share_a_current_as_inductors),
        CLAIM(parallel_lossy_lines_are_no_open_loop),
        CLAIM(a_ring_of_lines_has_no_net_flux),
        CLAIM(a_line_between_two_voltages_has_no_operating_point),
        CLAIM(a_source_of_zero_volts_across_an_inductor_gives_no_current),
        CLAIM(a_voltage_across_an_inductor_has_no_operating_point),
        CLAIM(a_current_into_capacitors_has_no_operating_point),
        CLAIM(a_current_source_of_zero_into_capacitors_is_no_obstacle),
        CLAIM(a_controlled_current_into_capacitors_is_found_out),
        CLAIM(a_circuit_without_solution_gets_a_diagnosis),
        CLAIM(a_source_that_controls_itself_is_found_singular),
        CLAIM(initial_nodes_are_held_and_the_rest_follows),
        CLAIM(an_initial_value_against_a_source_is_a_warning),
        CLAIM(an_inductor_at_a_held_node_starts_without_current),
        CLAIM(a_held_node_without_charge_follows_at_once),
        CLAIM(the_start_of_a_transient_has_its_index_2_currents),
        CLAIM(laws_without_value_or_slope_at_zero_are_no_obstacle),
        CLAIM(a_law_without_value_at_the_solution_is_named),
        CLAIM(factorisations_are_counted),
        CLAIM(the_pseudo_transient_keeps_amplifiers_stable),
        CLAIM(a_coarse_abstol_does_not_spoil_the_operating_point),
        CLAIM(random_nonlinear_ladders_converge),
    };
    return run_claims("operating_point", claims, sizeof claims / sizeof claims[0]);
}
