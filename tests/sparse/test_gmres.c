/* test_gmres.c - GMRES against equations whose solution is known. */
#include "claims.h"
#include "sparse/gmres.h"

#include <math.h>
#include <string.h>

enum { N = 60 };

/* The identity, and a part that turns two neighbours into each other, `few` times that. */
struct turned {
    int few, applications;
    double part;
};

static enum kn_status apply(void *context, double complex *x)
{
    struct turned *t = context;
    t->applications++;
    for (int i = 0; i + 1 < N && i < 2 * t->few; i += 2) {
        const double complex a = x[i], b = x[i + 1];
        x[i] = a + t->part * (i + 1) * b;
        x[i + 1] = b - t->part * I * a;
    }
    return KN_OK;
}

static void solve(struct turned *t, int basis)
{
    double complex x[N], b[N], found[N] = {0};
    const struct linear_map map = {.n = N, .context = t, .apply = apply};
    int applications = 0;
    for (int i = 0; i < N; i++)
        x[i] = b[i] = CMPLX(sin(i), cos(3 * i));
    apply(t, b);
    t->applications = 0;
    CU_ASSERT_EQUAL(gmres_solve(&map, b, 1e-12, basis, found, &applications), KN_OK);
    CU_ASSERT_EQUAL(applications, t->applications);
    for (int i = 0; i < N; i++)
        CHECK_NEAR(cabs(found[i] - x[i]), 0, 1e-10);
}

static void as_many_products_as_there_are_directions_are_enough(void)
{
    struct turned two = {.few = 2, .part = 0.7}, many = {.few = N / 2, .part = 0.3};
    solve(&two, N);
    CU_ASSERT(two.applications <= 8);
    solve(&many, N);
    CU_ASSERT(many.applications <= N + 2);
}

static void a_short_basis_is_restarted(void)
{
    struct turned t = {.few = N / 2, .part = 0.01};
    solve(&t, 5);
    CU_ASSERT(t.applications > 5);
}

static enum kn_status nothing(void *context, double complex *x)
{
    (void)context;
    x[0] = 0;
    return KN_OK;
}

static void a_singular_map_is_solved_where_it_can_be_and_told_where_not(void)
{
    const struct linear_map map = {.n = 3, .apply = nothing};
    double complex x[3] = {0}, within[3] = {0, 1, 2}, without[3] = {1, 1, 2};
    CU_ASSERT_EQUAL(gmres_solve(&map, within, 1e-10, 3, x, NULL), KN_OK);
    CHECK_NEAR(cabs(x[2] - 2), 0, 1e-10);
    memset(x, 0, sizeof x);
    CU_ASSERT_EQUAL(gmres_solve(&map, without, 1e-10, 3, x, NULL), KN_ERROR_CONVERGENCE);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(as_many_products_as_there_are_directions_are_enough),
        CLAIM(a_short_basis_is_restarted),
        CLAIM(a_singular_map_is_solved_where_it_can_be_and_told_where_not),
    };
    return run_claims("gmres", claims, sizeof claims / sizeof *claims);
}
