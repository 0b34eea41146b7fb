/* test_positive_stable.c - whether all eigenvalues of a pair lie on the right, of pairs whose eigenvalues are known. */
#include "claims.h"
#include "sparse/dense.h"

#include <math.h>

enum { N = 12, PAIRS = 300 };

static double random_part(uint64_t *state) /* -1 .. 1, xorshift (Marsaglia 2003) */
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

static void fill(struct dense *a, uint64_t *state, double part)
{
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            *dense_at(a, i, j) = (i == j) + part * random_part(state);
}

/* left (values + coupling above the diagonal) right and left right. */
static bool judge(struct arena *memory, const double *values, double coupling, uint64_t *state)
{
    struct dense left, right, middle, product, a, b;
    bool surely = true;
    CU_ASSERT_FATAL(dense_new(memory, N, N, &left) && dense_new(memory, N, N, &right) &&
                    dense_new(memory, N, N, &middle));
    fill(&left, state, 0.2);
    fill(&right, state, 0.2);
    for (int j = 0; j < N; j++)
        for (int i = 0; i <= j; i++)
            *dense_at(&middle, i, j) = i == j ? values[i] : coupling * fmin(fabs(values[i]), fabs(values[j]));
    CU_ASSERT_FATAL(dense_multiply(memory, &left, &middle, &product) && dense_multiply(memory, &product, &right, &a) &&
                    dense_multiply(memory, &left, &right, &b));
    CU_ASSERT_EQUAL(dense_is_positive_stable(memory, &a, &b, &surely), KN_OK);
    return surely;
}

/* Of `decades` decades; place >= 0: that one has the other sign. */
static int count_stable(double decades, double coupling, int place)
{
    uint64_t state = 0x2545F4914F6CDD1Du;
    int count = 0;
    for (int pair = 0; pair < PAIRS; pair++) {
        struct arena *memory = arena_new();
        double values[N];
        CU_ASSERT_FATAL(memory != NULL);
        for (int i = 0; i < N; i++)
            values[i] = pow(10, 3 + 0.5 * decades * (1 + random_part(&state)));
        if (place >= 0)
            values[place] = -values[place];
        count += judge(memory, values, coupling, &state);
        arena_free(memory);
    }
    return count;
}

static void eigenvalues_on_the_right_are_seen_there(void)
{
    CU_ASSERT_EQUAL(count_stable(6, 0.5, -1), PAIRS);
    CU_ASSERT(count_stable(10, 0.5, -1) > PAIRS / 2);
}

static void one_on_the_left_is_never_missed(void)
{
    for (int place = 0; place < N; place++) {
        CU_ASSERT_EQUAL(count_stable(3, 0.5, place), 0);
        CU_ASSERT_EQUAL(count_stable(9, 0.5, place), 0);
        CU_ASSERT_EQUAL(count_stable(16, 1, place), 0);
    }
}

/* Which rounding moves apart in all directions, by its twelfth root. */
static void equal_ones_that_are_coupled_are_not_mistaken(void)
{
    uint64_t state = 1;
    double values[N];
    for (int place = -1; place < N; place++) {
        struct arena *memory = arena_new();
        CU_ASSERT_FATAL(memory != NULL);
        for (int i = 0; i < N; i++)
            values[i] = i == place ? -1e6 : 1e6;
        const bool surely = judge(memory, values, 1, &state);
        CU_ASSERT(place < 0 || !surely);
        arena_free(memory);
    }
}

static void none_is_sure_where_one_is_zero_or_without_end(void)
{
    uint64_t state = 7;
    double values[N];
    for (int i = 0; i < N; i++)
        values[i] = i == 5 ? 0 : 1 + i;
    struct arena *memory = arena_new();
    CU_ASSERT_FATAL(memory != NULL);
    CU_ASSERT_FALSE(judge(memory, values, 0.5, &state));
    arena_free(memory);
}

static void none_at_all_lie_on_the_right(void)
{
    struct arena *memory = arena_new();
    struct dense a, b;
    bool surely = false;
    CU_ASSERT_FATAL(memory && dense_new(memory, 0, 0, &a) && dense_new(memory, 0, 0, &b));
    CU_ASSERT_EQUAL(dense_is_positive_stable(memory, &a, &b, &surely), KN_OK);
    CU_ASSERT(surely);
    arena_free(memory);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(eigenvalues_on_the_right_are_seen_there),
        CLAIM(one_on_the_left_is_never_missed),
        CLAIM(equal_ones_that_are_coupled_are_not_mistaken),
        CLAIM(none_is_sure_where_one_is_zero_or_without_end),
        CLAIM(none_at_all_lie_on_the_right),
    };
    return run_claims("positive_stable", claims, sizeof claims / sizeof claims[0]);
}
