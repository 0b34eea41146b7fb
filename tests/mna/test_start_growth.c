/* test_start_growth.c - modes that grow at an operating point, against closed forms. */
#include "deck.h"

#include "mna/start/start_growth.h"

static bool grows(struct deck *s, const char *text, double duration, struct start_growth *g)
{
    if (!deck_open(s, text))
        return false;
    const enum kn_status status = deck_operate(s, 1e-6, false);
    CU_ASSERT_EQUAL(status, KN_OK);
    const struct index_point at = {0, s->x};
    if (status == KN_OK && start_growth(s->mna, s->topology, &at, duration, g) == KN_OK)
        return true;
    deck_print(s);
    deck_close(s);
    return false;
}

/* 1 mH, 1 nF and -1 k beside it: s^2 - s/(RC) + 1/(LC) = 0. */
static void a_negative_resistance_makes_a_tank_grow(void)
{
    struct deck s;
    struct start_growth g;
    if (!grows(&s, "tank\nL1 a 0 1m\nC1 a 0 1n\nR1 a 0 -1k\n.end\n", 1, &g))
        return;
    CU_ASSERT_EQUAL(g.modes, 2);
    CHECK_NEAR(g.rate, 5e5, 1e-3);
    CHECK_NEAR(g.frequency, sqrt(1e12 - 2.5e11), 1);
    start_growth_free(&g);
    deck_close(&s);
}

/* dv/dt = v/(RC): the eigenvector has equal voltages on both ends of the resistor R2, which carries nothing. */
static void the_direction_is_the_eigenvector(void)
{
    struct deck s;
    struct start_growth g;
    if (!grows(&s, "node\nC1 a 0 1n\nR1 a 0 -1k\nR2 a b 1k\nE1 c 0 a 0 0.5\nR3 b 0 1g\nR4 c 0 1k\n.end\n", 1, &g))
        return;
    CU_ASSERT_EQUAL(g.modes, 1);
    CHECK_NEAR(g.rate, 1e6, 2);
    CHECK_NEAR(g.direction[deck_unknown(&s, "v(b)")] / g.direction[deck_unknown(&s, "v(a)")], 1, 1e-5);
    CHECK_NEAR(g.direction[deck_unknown(&s, "v(c)")] / g.direction[deck_unknown(&s, "v(a)")], 0.5, 1e-9);
    start_growth_free(&g);
    deck_close(&s);
}

static void growth_that_takes_longer_than_the_run_does_not_count(void)
{
    struct deck s;
    struct start_growth g;
    if (!grows(&s, "slow\nC1 a 0 1n\nR1 a 0 -1k\n.end\n", 0.9e-6, &g))
        return;
    CU_ASSERT_EQUAL(g.modes, 0);
    CU_ASSERT_PTR_NULL(g.direction);
    deck_close(&s);
}

/* Three integrating stages of gain -A in a ring: (1 + s T)^3 = -A^3 has the roots s T = -1 + A e^(+-i pi/3) to the
 * right of the axis for A > 2. */
static void a_ring_of_three_stages_oscillates_from_gain_2_on(void)
{
    for (int gain = 1; gain <= 4; gain++) {
        char text[300];
        snprintf(text, sizeof text,
                 "ring\nE1 a 0 z 0 -%d\nR1 a x 1k\nC1 x 0 1u\nE2 b 0 x 0 -%d\nR2 b y 1k\nC2 y 0 1u\n"
                 "E3 c 0 y 0 -%d\nR3 c z 1k\nC3 z 0 1u\n.end\n",
                 gain, gain, gain);
        struct deck s;
        struct start_growth g;
        if (gain == 2 || !grows(&s, text, 1, &g))
            continue;
        CU_ASSERT_EQUAL(g.modes, gain > 2 ? 2 : 0);
        if (gain > 2) {
            CHECK_NEAR(g.rate, 1e3 * (0.5 * gain - 1), 1e-3);
            CHECK_NEAR(g.frequency, 1e3 * gain * sqrt(0.75), 1e-2);
        }
        start_growth_free(&g);
        deck_close(&s);
    }
}

static void an_amplifier_with_feedback_is_stable(void)
{
    struct deck s;
    struct start_growth g;
    if (!grows(&s,
               "amplifier\nVcc vcc 0 10\nRc vcc c 4.7k\nRf c b 470k\nQ1 c b 0 q\nCi b 0 10n\nCl c 0 1n\n"
               ".model q npn(is=1e-15 bf=100 cje=2p cjc=1p tf=0.3n)\n.end\n",
               1, &g))
        return;
    CU_ASSERT_EQUAL(g.modes, 0);
    deck_close(&s);
}

static void a_symmetric_multivibrator_has_an_unstable_operating_point(void)
{
    struct deck s;
    struct start_growth g;
    if (!grows(&s,
               "multivibrator\nVcc vcc 0 5\nR1 vcc a 1k\nR2 vcc b 1k\nR3 vcc x 47k\nR4 vcc y 47k\nC1 a y 10n\n"
               "C2 b x 10n\nQ1 a x 0 q\nQ2 b y 0 q\n.model q npn(is=1e-15 bf=100 cje=2p cjc=1p tf=0.3n)\n.end\n",
               1e-3, &g))
        return;
    CU_ASSERT(g.modes >= 1 && g.rate > 1e5);
    /* One side up, the other down. */
    const double a = g.direction[deck_unknown(&s, "v(a)")], b = g.direction[deck_unknown(&s, "v(b)")];
    CHECK_NEAR(a, -b, 1e-6 * fabs(a));
    start_growth_free(&g);
    deck_close(&s);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(a_negative_resistance_makes_a_tank_grow),
        CLAIM(the_direction_is_the_eigenvector),
        CLAIM(growth_that_takes_longer_than_the_run_does_not_count),
        CLAIM(a_ring_of_three_stages_oscillates_from_gain_2_on),
        CLAIM(an_amplifier_with_feedback_is_stable),
        CLAIM(a_symmetric_multivibrator_has_an_unstable_operating_point),
    };
    return run_claims("start_growth", claims, sizeof claims / sizeof claims[0]);
}
