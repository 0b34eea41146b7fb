/* test_own_laws.c - what is known of formulas of the deck's own, and which unknowns they make grow (drive/growth.h). */
#include "deck.h"

#include "integrators/drive/growth.h"

static bool are_formulas_alone(const char *text)
{
    struct deck s;
    if (!deck_open(&s, text))
        return false;
    const bool alone = mna_dae(s.mna)->formulas;
    deck_close(&s);
    return alone;
}

static void formulas_are_told_from_circuits(void)
{
    CU_ASSERT(are_formulas_alone("prey\nB1 0 x I=V(x)*(1-V(y))\nC1 x 0 1\nB2 0 y I=V(y)*(V(x)-1)\nC2 y 0 1\n.end\n"));
    CU_ASSERT_FALSE(are_formulas_alone("linear\nB1 0 x I=2*V(x)\nC1 x 0 1\n.end\n"));
    CU_ASSERT_FALSE(are_formulas_alone("diode\nB1 0 x I=V(x)^2\nC1 x 0 1\nD1 x 0 d\n.model d d\n.end\n"));
    CU_ASSERT_FALSE(are_formulas_alone("switching\nB1 0 x I=V(x)>1 ? V(x) : 0\nC1 x 0 1\n.end\n"));
    CU_ASSERT_FALSE(are_formulas_alone("line\nB1 0 x I=V(x)^2\nC1 x 0 1\nT1 x 0 y 0 Z0=50 TD=1\nR1 y 0 50\n.end\n"));
}

/* The unknowns of a deck, and its growth at x. */
static bool begin(struct deck *s, struct growth *g, const char *text, const double *x)
{
    if (!deck_open(s, text))
        return false;
    if (growth_init(g, mna_dae(s->mna), 1e-3, 0, x) == KN_OK)
        return true;
    CU_FAIL("no memory");
    growth_free(g);
    deck_close(s);
    return false;
}

/* x grows by 1 - y, which is less than 0 at the start and 1 beside nothing else; y by x - 1, the other way round; z falls. */
static void what_grows_is_marked_where_the_run_begins(void)
{
    struct deck s;
    struct growth g;
    const double x[] = {10, 15, 1};
    if (!begin(&s, &g,
               "prey\nB1 0 x I=V(x)*(1-V(y))\nC1 x 0 1\nB2 0 y I=V(y)*(V(x)-1)\nC2 y 0 1\n"
               "B3 0 z I=-V(z)*(1+V(x)^2)\nC3 z 0 1\n.end\n",
               x))
        return;
    const bool *grows = mna_dae(s.mna)->grows;
    CU_ASSERT(grows[deck_unknown(&s, "v(x)")]);
    CU_ASSERT(grows[deck_unknown(&s, "v(y)")]);
    CU_ASSERT_FALSE(grows[deck_unknown(&s, "v(z)")]);
    growth_free(&g);
    deck_close(&s);
}

/* s' = s (n - 1), n = 0 at the start: it is marked when it has grown for some steps, and not before. */
static void what_grows_from_little_is_marked_on_its_way(void)
{
    struct deck s;
    struct growth g;
    struct grown found;
    double before[] = {1e-9, 0}, x[] = {0, 0};
    if (!begin(&s, &g, "light\nB1 0 s I=V(s)*(V(n)-1)\nC1 s 0 1\nB2 0 n I=3-V(n)\nC2 n 0 1\n.end\n", before))
        return;
    const int light = deck_unknown(&s, "v(s)"), pump = deck_unknown(&s, "v(n)");
    const bool *grows = mna_dae(s.mna)->grows;
    CU_ASSERT_FALSE(grows[light]);
    before[pump] = x[pump] = 3; /* grows by 2 */
    for (int k = 1; k <= 4; k++) {
        x[light] = before[light] * exp(2 * 0.1);
        growth_look(&g, 0.1 * k, 0.1, before, x, &found);
        before[light] = x[light];
    }
    CU_ASSERT(grows[light]);
    CU_ASSERT_FALSE(grows[pump]);
    growth_free(&g);
    deck_close(&s);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(formulas_are_told_from_circuits),
        CLAIM(what_grows_is_marked_where_the_run_begins),
        CLAIM(what_grows_from_little_is_marked_on_its_way),
    };
    return run_claims("own_laws", claims, sizeof claims / sizeof claims[0]);
}
