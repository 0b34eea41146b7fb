/* When Newton's method takes a point for a solution. */
#include "claims.h"
#include "integrators/newton.h"
#include "problems/problem.h"

#include <math.h>

/* A source of `common` V behind 0.1 Ohm at node 0, a diode of 1e-12 A from there to node 1, which gives 1 A away. */
static double common;

static void diode_evaluate(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    const double thermal = 0.0259, slope = 1e-12 * exp((x[0] - x[1]) / thermal), current = slope - 1e-12;
    (void)t, (void)q, (void)C, (void)dfdt;
    f[0] = 10 * (x[0] - common) + current;
    f[1] = 1 - current;
    G[0] = 10 + slope / thermal;
    G[1] = G[2] = -slope / thermal;
    G[3] = slope / thermal;
}

/* What the residual of node 1 may be, in A. */
static double allowed(double voltage)
{
    static const struct problem p = {"diode", 2, false, diode_evaluate, NULL, NULL, NULL};
    static const bool potentials[] = {true, true};
    static const double b[2];
    const struct newton_options options = {1e-3, 0.05, 50, 0, false};
    struct wrapped_problem w;
    struct newton newton;
    common = voltage;
    CU_ASSERT_FATAL(problem_wrap(&p, 1e-9, &w));
    w.dae.potentials = potentials;
    CU_ASSERT_FATAL(newton_init(&newton, &w.dae, &options) == KN_OK);
    double x[] = {voltage, voltage - 0.75};
    const struct newton_problem at = {.b = b};
    CU_ASSERT(newton_solve(&newton, &at, x) == NEWTON_CONVERGED);
    CU_ASSERT_DOUBLE_EQUAL(x[0] - x[1], 0.0259 * log(1e12), 1e-4);
    const double result = options.kappa / newton.row_weight[1];
    newton_free(&newton);
    problem_unwrap(&w);
    return result;
}

/* Its terms are the diode's slope, 39 S, times 0.72 V, not times 1000 V. */
static void a_voltage_that_both_ends_share_loosens_no_equation(void)
{
    const double alone = allowed(0), above = allowed(1000);
    CU_ASSERT(alone > 0 && alone < 5e-3);
    CU_ASSERT_DOUBLE_EQUAL(above, alone, 1e-3 * alone);
}

/* Charge of a diode with 95 ns of storage, 2e-14 A, at a node of 5 pF; the tolerance is that of a node of 800 V. */
static double charge_at(double v)
{
    return 5e-12 * v + 95e-9 * 2e-14 * expm1(v / 0.0259);
}

static void storage_evaluate(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    f[0] = G[0] = 0;
    q[0] = charge_at(x[0]);
    C[0] = 5e-12 + 95e-9 * 2e-14 / 0.0259 * exp(x[0] / 0.0259);
}

/* Newton's method comes from 1 V, 1e4 times the charge that there is, by 26 mV an iteration: the fortieth part of the tolerance. */
static void a_charge_is_not_taken_for_one_that_is_many_times_as_large(void)
{
    static const struct problem p = {"storage", 1, false, storage_evaluate, NULL, NULL, NULL};
    static const bool potentials[] = {true};
    const double alpha = 5e10, end = 0.7, b[] = {-alpha * charge_at(end)}, weights[] = {1 / 0.8};
    const struct newton_options options = {1e-3, 0.05, 50, 0, false};
    struct wrapped_problem w;
    struct newton newton;
    CU_ASSERT_FATAL(problem_wrap(&p, 1e-9, &w));
    w.dae.potentials = potentials;
    CU_ASSERT_FATAL(newton_init(&newton, &w.dae, &options) == KN_OK);
    double x[] = {1};
    const struct newton_problem at = {.alpha = alpha, .b = b, .weights = weights};
    CU_ASSERT(newton_solve(&newton, &at, x) == NEWTON_CONVERGED);
    CU_ASSERT_DOUBLE_EQUAL(charge_at(x[0]), charge_at(end), 0.01 * charge_at(end));
    newton_free(&newton);
    problem_unwrap(&w);
}

int main(void)
{
    static const struct claim claims[] = {CLAIM(a_voltage_that_both_ends_share_loosens_no_equation),
                                          CLAIM(a_charge_is_not_taken_for_one_that_is_many_times_as_large)};
    return run_claims("newton", claims, sizeof claims / sizeof claims[0]);
}
