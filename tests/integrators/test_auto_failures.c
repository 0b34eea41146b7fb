/* test_auto_failures.c - where the method that `auto` has chosen does not get on, BDF takes over. */
#include "problems/run.h"

static const double SPOILT = 5; /* s */

/* x' = cos t - x - sin t, with the solution cos t, whose time derivative cannot be had from SPOILT on: only Rosenbrock
 * methods ask for it. */
static void spoilt(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    f[0] = x[0] - cos(t) + sin(t);
    q[0] = x[0];
    G[0] = C[0] = 1;
    dfdt[0] = t < SPOILT ? sin(t) + cos(t) : NAN;
}

static void spoilt_exact(double t, double *x)
{
    x[0] = cos(t);
}

static const struct problem spoilt_problem = {
    .name = "no time derivative", .n = 1, .linear = true, .evaluate = spoilt, .exact = spoilt_exact};

static void rodasp_ends_where_time_derivatives_do(void)
{
    const struct problem_settings s = {.stop = 20, .relative = 1e-3, .expect_failure = true};
    const struct problem_outcome out = problem_run(&spoilt_problem, &integrator_rodasp, &s);
    CU_ASSERT_NOT_EQUAL(out.status, KN_OK);
    CU_ASSERT(out.end < s.stop);
}

static void auto_goes_on_with_another_method(void)
{
    const struct problem_settings s = {.stop = 20, .relative = 1e-3};
    const struct problem_outcome out = problem_run(&spoilt_problem, &integrator_auto, &s);
    CU_ASSERT_EQUAL(out.status, KN_OK);
    CU_ASSERT_EQUAL(out.end, 20);
    CU_ASSERT(out.worst[0] < 3e-3);
    CU_ASSERT(out.statistics.accepted < 500);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(rodasp_ends_where_time_derivatives_do),
        CLAIM(auto_goes_on_with_another_method),
    };
    return run_claims("integrators/auto_failures", claims, sizeof claims / sizeof *claims);
}
