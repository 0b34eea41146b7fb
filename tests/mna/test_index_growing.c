/* test_index_growing.c - modes of large circuits that grow: found by shift and invert, against closed forms and all eigenvalues. */
#include "deck.h"
#include "exact_waves.h"

#include "base/text.h"
#include "mna/index/index.h"

#include <stdlib.h>

/* Both analyses of a circuit at the point where all unknowns are 0. */
struct both {
    struct deck deck;
    struct index_analysis *all, *found;
};

static void both_free(struct both *b)
{
    index_free(b->all);
    index_free(b->found);
    deck_close(&b->deck);
}

static bool both_find(struct both *b, const char *text, double slowest, bool dense)
{
    *b = (struct both){0};
    if (!deck_open(&b->deck, text))
        return false;
    const struct index_options options = {.spectrum = true};
    const int n = mna_unknown_count(b->deck.mna);
    for (int i = 0; i < n; i++)
        b->deck.x[i] = 0;
    const struct index_point at = {0, b->deck.x};
    b->found = calloc(1, sizeof *b->found);
    CU_ASSERT_PTR_NOT_NULL_FATAL(b->found);
    enum kn_status status = index_growing(b->deck.mna, &at, slowest, b->found);
    if (status == KN_OK && dense)
        status = index_analyze(b->deck.mna, b->deck.topology, &at, &options, &b->all);
    CU_ASSERT_EQUAL(status, KN_OK);
    if (status == KN_OK)
        return true;
    deck_print(&b->deck);
    both_free(b);
    return false;
}

static double complex fastest(const struct index_analysis *a)
{
    double complex found = 0;
    for (int k = 0; k < a->pole_count; k++)
        if (creal(a->poles[k]) > creal(found))
            found = a->poles[k];
    return found;
}

/* Stages of gain -A and time constant T in a ring: (1 + s T)^N = -A^N, s T = -1 + A e^(i pi (2 k + 1) / N) for odd N. */
static void a_ring_of_many_stages_grows_at_rates_of_its_closed_form(void)
{
    for (int n = 101; n <= 1001; n += 300) {
        const double T = 1e-6, A = 3, pi = acos(-1);
        struct text t = TEXT(100000);
        text_add(&t, "ring\n");
        for (int i = 0; i < n; i++)
            text_format(&t, "G%d 0 n%d n%d 0 -%gm\nR%d n%d 0 1k\nC%d n%d 0 1n\n", i, (i + 1) % n, i, A, i, i, i, i);
        text_add(&t, ".end\n");
        struct both b;
        if (!both_find(&b, t.at, 1e3, false))
            return;
        const double complex pole = fastest(b.found);
        CU_ASSERT(b.found->pole_count > 0);
        CHECK_NEAR(creal(pole), (A * cos(pi / n) - 1) / T, 0.05 * A / T);
        for (int i = 0; i < b.found->pole_count; i++) {
            const double complex stage = (1 + b.found->poles[i] * T) / A; /* e^(i pi (2 k + 1) / N) */
            CHECK_NEAR(cabs(stage), 1, 1e-6);
            const double turns = carg(stage) * n / pi; /* odd */
            CHECK_NEAR(fabs(remainder(turns, 2)), 1, 1e-3);
        }
        both_free(&b);
    }
}

/* Every node has a way to ground and a capacitor. */
static void add_ladder(struct text *t, uint64_t *seed, int nodes)
{
    for (int i = 1; i <= nodes; i++)
        text_format(t, "C%d %d 0 %ldp\nR%d %d %ld %ldk\n", i, i, between(seed, 1, 100), i, i, between(seed, 0, i - 1),
                    between(seed, 1, 100));
}

static void add_gains(struct text *t, uint64_t *seed, int nodes)
{
    for (long k = between(seed, 1, nodes); k > 0; k--)
        text_format(t, "G%ld %ld 0 %ld 0 %ldu\n", k, between(seed, 1, nodes), between(seed, 1, nodes),
                    between(seed, -300, 300));
    for (long k = between(seed, 0, 5); k > 0; k--)
        text_format(t, "L%ld %ld 0 %ldu\n", k, between(seed, 1, nodes), between(seed, 1, 1000));
}

/* Whether every pole that was found is one of all. */
static bool are_poles(const struct both *b)
{
    bool good = true;
    for (int i = 0; i < b->found->pole_count; i++) {
        double nearest = INFINITY;
        for (int j = 0; j < b->all->pole_count; j++)
            nearest = fmin(nearest, cabs(b->all->poles[j] - b->found->poles[i]));
        good = good && nearest < 1e-4 * cabs(b->found->poles[i]);
    }
    return good;
}

/* Of 289 unstable circuits of 300 none was missed, and of five another pole than the fastest was found, with half its rate or more. */
static void of_random_circuits_that_grow_none_is_missed(void)
{
    static const double SLOWEST = 100; /* 1/s */
    const uint64_t first = 20261128;
    uint64_t seed = first;
    for (int k = 0; k < 40; k++) {
        struct text t = TEXT(100000);
        struct both b;
        const int nodes = (int)between(&seed, 60, 150);
        text_add(&t, "random\n");
        add_ladder(&t, &seed, nodes);
        add_gains(&t, &seed, nodes);
        text_add(&t, ".end\n");
        if (!both_find(&b, t.at, SLOWEST, true))
            continue;
        const double rate = creal(fastest(b.all)), found = creal(fastest(b.found));
        const bool good = are_poles(&b) && (rate < SLOWEST || found > 0.5 * rate);
        CU_ASSERT(good);
        if (!good)
            fprintf(stderr, "\nseed %llu, circuit %d: fastest %g/s, found %g/s\n%s", (unsigned long long)first, k, rate,
                    found, t.at);
        both_free(&b);
    }
}

/* A tank with a negative resistance, hardly coupled to a ladder: it grows at 1/(2 R C), a part 1/(2 Q) of its frequency. */
static void a_tank_of_quality_1000_beside_a_ladder_is_found(void)
{
    const uint64_t first = 7;
    uint64_t seed = first;
    for (int k = 0; k < 40; k++) {
        struct text t = TEXT(100000);
        struct both b;
        const int nodes = (int)between(&seed, 100, 300);
        const double quality = 1000, L = 1e-6 * (double)between(&seed, 1, 10000),
                     C = 1e-12 * (double)between(&seed, 10, 10000);
        text_add(&t, "tank\n");
        add_ladder(&t, &seed, nodes);
        text_format(&t, "L t 0 %.17g\nCt t 0 %.17g\nRt t 0 %.17g\nCx t %ld 1f\n.end\n", L, C, -quality * sqrt(L / C),
                    between(&seed, 1, nodes));
        if (!both_find(&b, t.at, 1, false))
            continue;
        CU_ASSERT_EQUAL(b.found->pole_count, 2);
        CHECK_NEAR(creal(fastest(b.found)), 0.5 / (quality * sqrt(L * C)), 0.2 / (quality * sqrt(L * C)));
        CHECK_NEAR(fabs(cimag(fastest(b.found))), 1 / sqrt(L * C), 1e-3 / sqrt(L * C));
        both_free(&b);
    }
}

static void without_gain_nothing_grows(void)
{
    uint64_t seed = 11;
    for (int k = 0; k < 10; k++) {
        struct text t = TEXT(100000);
        struct both b;
        const int nodes = (int)between(&seed, 100, 300);
        text_add(&t, "ladder\n");
        add_ladder(&t, &seed, nodes);
        text_format(
            &t, "V1 in 0 1\nL1 in 1 1u\nL2 x 0 4u\nK1 L1 L2 0.9\nRx x 2 1\nD1 2 3 d\n.model d d(is=1f cjo=1p)\n.end\n");
        if (!both_find(&b, t.at, 1, false))
            continue;
        CU_ASSERT_EQUAL(b.found->pole_count, 0);
        both_free(&b);
    }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(a_ring_of_many_stages_grows_at_rates_of_its_closed_form),
        CLAIM(of_random_circuits_that_grow_none_is_missed),
        CLAIM(a_tank_of_quality_1000_beside_a_ladder_is_found),
        CLAIM(without_gain_nothing_grows),
    };
    return run_claims("index_growing", claims, sizeof claims / sizeof claims[0]);
}
