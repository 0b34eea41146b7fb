/* Examples of R. Rodriguez Santiesteban: where implicit methods lose the stability of an index-2 equation, and where
 * not. */
#include "problems/rodriguez.h"
#include "problems/run.h"

static const double h = 0.1, end = 10;

/* Implicit Euler with steps of 0.1 from exact values; of the first step it makes two, see multistep_start. */
static struct problem_outcome euler(const struct problem *p, double lambda, double eta)
{
    const struct fixed_settings s = {.stop = end, .steps = 100, .relative = 1e6, .kappa = 1e-18};
    rodriguez = (struct rodriguez_parameters){.lambda = lambda, .eta = eta, .theta = 4 * atan(1.0) / 3};
    return problem_fixed(p, integrator_find("euler"), &s);
}

/* log10 of what 100 steps make of x1, if a step of size k multiplies it by factor(k). */
static double growth(double (*factor)(double k))
{
    return log10(fabs(factor(0.01 * h))) + log10(fabs(factor(0.99 * h))) + 99 * log10(fabs(factor(h)));
}

static double factor_308(double k)
{
    return (1 + k * rodriguez.eta) / (1 + k * (rodriguez.eta + rodriguez.lambda));
}

static double factor_321(double k)
{
    return 1 / (1 + k * rodriguez.lambda);
}

/* Ex. 3.0.8: x1 is multiplied by (1 + h eta)/(1 + h (eta + lambda)) in each step, whose size exceeds 1 where
 * lambda + 2 eta < -2/h, although the solution decays: log10 |x1(10)|, computed independently in exact arithmetic. */
static void implicit_euler_explodes_exactly_where_the_theory_says(void)
{
    static const struct {
        double lambda, eta, log10;
    } points[] = {{1, -50, 1.1},   {1, -20, 4.6},   {2, -20, 9.7},   {5, -30, 12.5},  {5, -20, 30.1},
                  {10, -50, 12.5}, {30, -50, 60.2}, {1, -5, -7.9},   {5, -5, -30.1},  {10, 0, -30.1},
                  {20, 5, -36.8},  {40, 50, -22.2}, {30, -30, 30.1}, {20, -15, -47.7}};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        const double lambda = points[i].lambda, eta = points[i].eta;
        const struct problem_outcome o = euler(&rodriguez_308, lambda, eta);
        const double factor = factor_308(h);
        CU_ASSERT(o.status == KN_OK);
        CHECK_NEAR(log10(fabs(o.final[0])), growth(factor_308), 1e-6);
        CHECK_NEAR(100 * log10(fabs(factor)), points[i].log10, 0.06);
        CU_ASSERT((fabs(factor) > 1) == (lambda + 2 * eta < -2 / h));
    }
}

/* Ex. 3.2.1: where the constraint stays fixed, x1 is divided by 1 + h lambda for every eta and the hidden constraint
 * holds. */
static void nothing_explodes_where_the_constraint_is_fixed(void)
{
    static const double etas[] = {-50, -20, -5, 0, 1, 20, 50};
    for (size_t i = 0; i < sizeof etas / sizeof etas[0]; i++)
        for (double lambda = 1; lambda < 50; lambda *= 3) {
            const struct problem_outcome o = euler(&rodriguez_321, lambda, etas[i]);
            CU_ASSERT(o.status == KN_OK);
            const double expected = growth(factor_321); /* of 1, whose rounding stays */
            CHECK_NEAR(log10(o.final[0]), expected, 1e-6 + 2e-16 / pow(10, expected));
            CHECK_NEAR(o.final[2] / o.final[0], etas[i] * end - 1, 1e-8 * (1 + fabs(etas[i]) * end));
        }
}

/* Ex. 4.2.12: with the hidden constraint stated as well (GGL) the decay is that of eta = 0; Euler of step 0.1. */
static void stating_the_hidden_constraint_restores_the_decay(void)
{
    static const struct {
        double eta, log10;
    } points[] = {{-50, -31.3}, {-20, -31.0}, {-5, -30.7}, {0, -30.1}, {2, -31.3}, {10, -30.8}, {50, -30.7}};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        const struct problem_outcome o = euler(&rodriguez_4212, 10, points[i].eta);
        CU_ASSERT(o.status == KN_OK);
        CHECK_NEAR(log10(fabs(o.final[0])), points[i].log10, 0.5);
    }
}

/* With error control no method may follow the explosion: steps must become short enough. */
static void error_control_protects_from_the_explosion(void)
{
    static const char *const methods[] = {"bdf", "gear", "euler", "radau", "radau5", "row2", "rodasp", "auto"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        for (int k = 0; k < 3; k++) {
            static const double etas[] = {-30, -5, 20};
            const struct integrator_class *m = integrator_find(methods[i]);
            const double tolerance = m == &integrator_euler ? 1e-3 : 1e-5;
            const struct problem_settings s = {.stop = 2, .relative = tolerance};
            rodriguez = (struct rodriguez_parameters){.lambda = 5, .eta = etas[k]};
            const struct problem_outcome o = problem_run(&rodriguez_308, m, &s);
            CU_ASSERT(o.status == KN_OK);
            CHECK_NEAR(o.worst[0], 0, 30 * tolerance);
        }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(implicit_euler_explodes_exactly_where_the_theory_says),
        CLAIM(nothing_explodes_where_the_constraint_is_fixed),
        CLAIM(stating_the_hidden_constraint_restores_the_decay),
        CLAIM(error_control_protects_from_the_explosion),
    };
    return run_claims("problems of Rodriguez", claims, sizeof claims / sizeof claims[0]);
}
