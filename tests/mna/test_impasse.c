/* test_impasse.c - where a solution ends and where none does. */
#include "deck.h"

#include "mna/start/impasse.h"

/* The deck at rest at time 0, then looked at `time`, when the unknowns of the list are as given. */
struct moment {
    const char *text, *names[4];
    double values[4], time;
    const char *index2; /* an unknown, or NULL */
};

static void make_index2(struct deck *s, const char *name)
{
    enum dae_class classes[8];
    const int n = mna_unknown_count(s->mna);
    CU_ASSERT_FATAL(n <= 8);
    memcpy(classes, mna_dae(s->mna)->classes, (size_t)n * sizeof *classes);
    classes[deck_unknown(s, name)] = DAE_INDEX2;
    mna_set_classes(s->mna, classes);
}

static bool leaves(struct deck *s, const struct moment *at)
{
    bool left = false;
    if (!deck_open(s, at->text))
        return false;
    CU_ASSERT_EQUAL(deck_make_consistent(s, 0, 1e-6, true), KN_OK);
    for (int i = 0; i < 4 && at->names[i]; i++)
        s->x[deck_unknown(s, at->names[i])] = at->values[i];
    if (at->index2)
        make_index2(s, at->index2);
    const struct impasse_place place = {.time = at->time, .shortest = 1e-12 * s->run.span};
    CU_ASSERT_EQUAL(impasse_leave(&s->run, &place, s->diagnostics, s->x, &left), KN_OK);
    return left;
}

/* 1 ns in a run of 1 s: within a millionth of the run it has long been at rest. */
static void a_fast_charge_is_no_leap(void)
{
    struct deck s;
    CU_ASSERT_FALSE(
        leaves(&s, &(struct moment){"rc\nV1 a 0 1\nR1 a b 1k\nC1 b 0 1p ic=0\n.tran 1m 1 uic\n.end\n", .time = 0}));
    CHECK_NEAR(deck_value(&s, "v(b)"), 0, 1e-9);
    CU_ASSERT_PTR_NULL(deck_said(&s, "leap"));
    deck_close(&s);
}

static void a_fast_source_is_no_leap(void)
{
    struct deck s;
    CU_ASSERT_FALSE(leaves(
        &s, &(struct moment){"ramp\nV1 a 0 pwl(0 0 1n 1)\nR1 a b 1k\nR2 b 0 1k\n.tran 1m 1 uic\n.end\n", .time = 0}));
    CHECK_NEAR(deck_value(&s, "v(b)"), 0, 1e-9);
    deck_close(&s);
}

/* v(o) = 12 V tanh(1e3 (v(p) - v(m))) with v(p) = v(o)/2: where v(p) falls below the knee, there is but the other branch. */
#define COMPARATOR "B1 o 0 v=12*tanh(1e3*(v(p)-v(m)))\nR1 o p 1k\nR2 p 0 1k\nR3 o m 1k\nC1 m 0 10n ic=0\n"

static void a_comparator_leaps_and_keeps_its_charge(void)
{
    struct deck s;
    const struct moment at = {"comparator\n" COMPARATOR ".tran 1u 1m uic\n.end\n",
                              {"v(m)", "v(o)", "v(p)", "i(b1)"},
                              {5.994457115279537, 11.999001957079827, 5.999500978539913, -0.0120040458203402},
                              1e-5,
                              NULL};
    CU_ASSERT_TRUE(leaves(&s, &at));
    CHECK_NEAR(deck_value(&s, "v(o)"), -12, 1e-3);
    CHECK_NEAR(deck_value(&s, "v(m)"), 5.994457, 1e-5);
    CU_ASSERT(deck_mentions(deck_said(&s, "leap"), "v(o)"));
    deck_close(&s);
}

/* The capacitor at the output takes an impulse. */
static void a_comparator_with_a_load_leaps(void)
{
    struct deck s;
    const struct moment at = {"comparator\n" COMPARATOR "C2 o 0 1n\n.tran 1u 1m uic\n.end\n",
                              {"v(m)", "v(o)", "v(p)", "i(b1)"},
                              {5.994457115279537, 11.999001957079827, 5.999500978539913, -0.0120040458203402},
                              1e-5,
                              "i(b1)"};
    CU_ASSERT_TRUE(leaves(&s, &at));
    CHECK_NEAR(deck_value(&s, "v(o)"), -12, 1e-3);
    deck_close(&s);
}

static void a_comparator_before_the_fold_stays(void)
{
    struct deck s;
    const struct moment at = {"comparator\n" COMPARATOR ".tran 1u 1m uic\n.end\n",
                              {"v(m)", "v(o)", "v(p)", "i(b1)"},
                              {5.9, 12, 6, -0.0121},
                              1e-5,
                              NULL};
    CU_ASSERT_FALSE(leaves(&s, &at));
    CHECK_NEAR(deck_value(&s, "v(o)"), 12, 1e-6);
    deck_close(&s);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(a_fast_charge_is_no_leap),
        CLAIM(a_fast_source_is_no_leap),
        CLAIM(a_comparator_leaps_and_keeps_its_charge),
        CLAIM(a_comparator_with_a_load_leaps),
        CLAIM(a_comparator_before_the_fold_stays),
    };
    return run_claims("impasse", claims, sizeof claims / sizeof claims[0]);
}
