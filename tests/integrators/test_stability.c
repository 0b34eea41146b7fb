/* Oscillations that formulas of order 3 to 5 would excite: where they would, that they are found, and what they cost.
 */
#include "claims.h"
#include "integrators/methods.h"
#include "integrators/stability.h"
#include "problems/problem.h"

#include <stdio.h>

/* ---- the formulas ---- */

/* z for which a root is zeta. */
static double complex locus(int order, double complex zeta)
{
    double complex z = 0, power = 1;
    for (int j = 1; j <= order; j++) {
        power *= 1 - 1 / zeta;
        z += power / j;
    }
    return z;
}

static double uniform(unsigned *seed)
{
    *seed = *seed * 1103515245u + 12345u;
    return (double)(*seed >> 8) / (1 << 24);
}

/* Hairer/Wanner 1996, V.2, Table 2.1. */
static void formulas_are_stable_in_sectors_of_86_73_and_52_degrees(void)
{
    static const double alpha[] = {86.03, 73.35, 51.84};
    const double degree = acos(-1) / 180;
    for (int order = 3; order <= 5; order++) {
        bool inside = true, outside = true;
        for (double size = 0.01; size < 20; size *= 1.01) {
            inside = inside && stability_holds(order, -size * cexp(I * (alpha[order - 3] - 0.02) * degree), 1);
            outside = outside && stability_holds(order, -size * cexp(I * (alpha[order - 3] + 0.02) * degree), 1);
        }
        CU_ASSERT(inside && !outside);
    }
}

/* The boundary of the region is the locus of |zeta| = 1; here are its crossings of the imaginary axis. */
static void limits_on_the_imaginary_axis_are_those_of_the_locus(void)
{
    static const double limits[][2] = {{3, 1.94}, {4, 4.71}, {5, 0.71}, {5, 9.39}};
    const double step = 1e-4;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const int order = (int)limits[i][0];
        double y = 0, nearest = INFINITY;
        for (double angle = step; angle < acos(-1); angle += step) {
            const double complex before = locus(order, cexp(I * (angle - step))), now = locus(order, cexp(I * angle));
            const bool crosses = creal(before) * creal(now) < 0 && fabs(cimag(now) - limits[i][1]) < 0.01;
            if (crosses)
                y = cimag(now), nearest = fabs(y - limits[i][1]);
        }
        CU_ASSERT_FATAL(nearest < 0.01);
        const bool stable_above = y > 1;
        CU_ASSERT(stability_holds(order, I * (y + 2e-3), 1) == stable_above);
        CU_ASSERT(stability_holds(order, I * (y - 2e-3), 1) != stable_above);
    }
}

static void orders_1_and_2_excite_nothing(void)
{
    for (double y = 0.01; y < 1e4; y *= 1.3)
        for (int order = 1; order <= 2; order++)
            CU_ASSERT(stability_holds(order, I * y, 1));
}

static void growth_is_bounded_by_the_largest_root(void)
{
    unsigned seed = 4711;
    for (int i = 0; i < 2000; i++) {
        const int order = 1 + i % 5;
        const double complex zeta = (0.2 + uniform(&seed)) * cexp(2 * I * acos(-1) * uniform(&seed));
        CU_ASSERT(!stability_holds(order, locus(order, zeta), 0.999 * cabs(zeta)));
    }
    for (double y = 0.1; y < 10; y *= 1.1) /* order 1: 1 / |1 - z| */
        for (double x = -3; x < 0; x += 0.1) {
            const double growth = 1 / cabs(1 - (x + I * y));
            CU_ASSERT(stability_holds(1, x + I * y, 1.001 * growth));
            CU_ASSERT(!stability_holds(1, x + I * y, 0.999 * growth));
        }
}

/* ---- problems ---- */

/* A forced decay x0' = sin t - x0, and resonators a' = omega b, b' = -omega (a - x0) - 2 sigma b that x0 drives. */
enum { MOST_RESONATORS = 4 };
struct resonators {
    int count;
    double omega[MOST_RESONATORS], sigma;
    double detuning; /* omega is omega (1 + detuning x0) */
    double pulse;    /* jump of x0' at t = 1 */
};

static struct resonators set; /* of the problem under test */

static void resonators_evaluate(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    const int n = 1 + 2 * set.count;
    (void)dfdt;
    f[0] = x[0] - sin(t) - (t >= 1 ? set.pulse : 0);
    q[0] = x[0];
    G[0] = C[0] = 1;
    for (int i = 0; i < set.count; i++) {
        const int a = 1 + 2 * i, b = a + 1;
        const double tuned = 1 + set.detuning * x[0], omega = set.omega[i] * tuned, slope = set.omega[i] * set.detuning;
        q[a] = x[a], q[b] = x[b];
        C[a * n + a] = C[b * n + b] = 1;
        f[a] = -omega * x[b];
        f[b] = omega * (x[a] - x[0]) + 2 * set.sigma * x[b];
        G[a * n + b] = -omega;
        G[a * n] = -slope * x[b];
        G[b * n + a] = omega;
        G[b * n + b] = 2 * set.sigma;
        G[b * n] = -omega + slope * (x[a] - x[0]);
    }
}

static double pulse_breakpoint(double t)
{
    return t < 1 ? 1 : INFINITY;
}

struct outcome {
    struct integrator_statistics statistics;
    long highest; /* steps of order 5 */
    double worst; /* largest distance of a resonator from x0 */
};

static enum kn_status measure(void *context, struct integrator *m, bool first)
{
    struct outcome *out = context;
    out->highest += !first && m->order == 5;
    for (int i = 0; i < set.count; i++) /* a follows x0: a + (a' / omega)' / omega = x0, x0'' is at most about 1 */
        out->worst = fmax(out->worst, fabs(m->x[1 + 2 * i] - m->x[0]));
    return KN_OK;
}

static struct outcome run(int max_order, double relative, double stop, const double *x0)
{
    const int n = 1 + 2 * set.count;
    const struct problem p = {
        "resonators", n, set.detuning == 0, resonators_evaluate, NULL, NULL, set.pulse != 0 ? pulse_breakpoint : NULL};
    const struct integrator_options options = {
        .relative = relative, .kappa = 0.05, .max_order = max_order, .max_iterations = 10};
    struct outcome out = {0};
    const struct run_options run_options = {.stop = stop, .max_step = INFINITY};
    const struct run_callbacks callbacks = {.context = &out, .accepted = measure};
    struct wrapped_problem w;
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct integrator *m = NULL;
    CU_ASSERT_FATAL(problem_wrap(&p, 1e-3 * relative, &w));
    CU_ASSERT_FATAL(integrator_bdf.create(&w.dae, &options, &m) == KN_OK);
    CU_ASSERT(integrate(m, x0, &run_options, &callbacks, d, &out.statistics) == KN_OK);
    m->class->destroy(m);
    problem_unwrap(&w);
    kn_diagnostics_free(d);
    return out;
}

/* ---- finding ---- */

struct finding {
    struct wrapped_problem wrapped;
    struct newton newton;
    struct tolerance tolerance;
    struct arena *memory;
    struct stability stability;
};

/* Newton's factors for steps of order 5 and the given size, at rest. */
static void finding_begin(struct finding *s, double step)
{
    static struct problem p;
    p = (struct problem){"resonators", 1 + 2 * set.count, true, resonators_evaluate, NULL, NULL, NULL};
    double x[PROBLEM_SIZE] = {0}, b[PROBLEM_SIZE] = {0};
    const struct newton_options options = {1e-4, 0.05, 10, 0, false};
    CU_ASSERT_FATAL(problem_wrap(&p, 1e-6, &s->wrapped));
    CU_ASSERT_FATAL(newton_init(&s->newton, &s->wrapped.dae, &options) == KN_OK);
    CU_ASSERT_FATAL(tolerance_init(&s->tolerance, &s->wrapped.dae, 1e-4) == KN_OK);
    s->memory = arena_new();
    CU_ASSERT_FATAL(s->memory && stability_init(&s->stability, p.n, s->memory));
    tolerance_reset(&s->tolerance, x);
    const struct newton_problem at = {.alpha = 137 / (60 * step), .b = b, .weights = s->tolerance.weights};
    CU_ASSERT_FATAL(newton_solve(&s->newton, &at, x) == NEWTON_CONVERGED);
}

static void finding_end(struct finding *s)
{
    arena_free(s->memory);
    tolerance_free(&s->tolerance);
    newton_free(&s->newton);
    problem_unwrap(&s->wrapped);
}

static void look(struct finding *s, const double *e)
{
    static const double still[PROBLEM_SIZE] = {0};
    const struct stability_step step = {.order = 3, .size = 5e-5, .error = e, .begin = still, .end = still};
    stability_look(&s->stability, &s->newton, &s->tolerance, &step);
}

static void rate_of_an_oscillation_is_found_below_a_slow_error(void)
{
    set = (struct resonators){.count = 1, .omega = {1e4}, .sigma = 3};
    struct finding s;
    finding_begin(&s, 5e-5);
    const double e[] = {1, 1.001, 0.02}; /* in a and b: 1e-3 and 2e-2 of what x0 has not */
    look(&s, e);
    CU_ASSERT_FATAL(s.stability.count == 1);
    CU_ASSERT(cabs(s.stability.modes[0].rate - (-3 + 1e4 * I)) < 0.005 * 1e4);
    CU_ASSERT(stability_allows(&s.stability, 2, 5e-5));
    CU_ASSERT(!stability_allows(&s.stability, 3, 5e-5)); /* h omega = 0.5 */
    CU_ASSERT(!stability_allows(&s.stability, 4, 5e-5));
    CU_ASSERT(stability_allows(&s.stability, 5, 5e-5));
    CU_ASSERT(!stability_allows(&s.stability, 5, 2e-4)); /* 2 */
    CU_ASSERT(stability_allows(&s.stability, 3, 2e-4));
    CU_ASSERT(stability_allows(&s.stability, 5, 1e-3)); /* 10 */
    finding_end(&s);
}

static bool is_of_the_circuit(double complex rate)
{
    for (int k = 0; k < set.count; k++)
        if (cabs(rate - (-set.sigma + I * set.omega[k])) < 0.005 * set.omega[k])
            return true;
    return false;
}

/* No oscillations but those of the circuit. */
static void noise_shows_what_the_circuit_has(void)
{
    set = (struct resonators){.count = 4, .omega = {1e2, 1e4, 1e6, 1e8}, .sigma = 1};
    unsigned seed = 42;
    struct finding s;
    finding_begin(&s, 1e-4);
    for (int i = 0; i < 100; i++) {
        double e[PROBLEM_SIZE];
        for (int j = 0; j < 9; j++)
            e[j] = uniform(&seed) - 0.5;
        look(&s, e);
    }
    for (int i = 0; i < s.stability.count; i++)
        CU_ASSERT(is_of_the_circuit(s.stability.modes[i].rate));
    finding_end(&s);
}

/* Rate (-0.5 + 0.87 i) 1e4/s, 60 degrees from the negative axis: a period leaves 3 per cent. */
static void oscillations_that_the_circuit_damps_well_are_not_kept_by_orders_that_would(void)
{
    set = (struct resonators){.count = 1, .omega = {1e4}, .sigma = 5e3};
    struct finding s;
    finding_begin(&s, 5e-5);
    const double e[] = {0, 1, 0.5};
    look(&s, e);
    CU_ASSERT_FATAL(s.stability.count == 1);
    CU_ASSERT(stability_allows(&s.stability, 5, 5e-5)); /* h lambda = 0.5: followed */
    CU_ASSERT(!stability_allows(&s.stability, 5, 2e-4));
    CU_ASSERT(!stability_allows(&s.stability, 5, 4e-4));
    CU_ASSERT(!stability_allows(&s.stability, 4, 2e-4)); /* it leaves 0.89 of it */
    CU_ASSERT(stability_allows(&s.stability, 4, 4e-4));
    CU_ASSERT(stability_allows(&s.stability, 3, 2e-4));
    CU_ASSERT(stability_allows(&s.stability, 5, 1e-3)); /* 10 */
    finding_end(&s);
}

/* 25 degrees. */
static void oscillations_that_no_order_keeps_are_left_alone(void)
{
    set = (struct resonators){.count = 1, .omega = {1e4}, .sigma = 9e3};
    struct finding s;
    finding_begin(&s, 5e-5);
    const double e[] = {0, 1, 0.5};
    look(&s, e);
    CU_ASSERT(s.stability.count == 0);
    finding_end(&s);
}

/* ---- runs ---- */

static const double at_rest[PROBLEM_SIZE];

/* Largest distance of a from x0, from which it starts with x0'' = 1, is 2 / omega^2. */
static void costs_no_more_than_order_2(double relative)
{
    const struct outcome free = run(0, relative, 20, at_rest), low = run(2, relative, 20, at_rest);
    printf("%ld steps, %ld with order 2 ", free.statistics.accepted, low.statistics.accepted);
    CU_ASSERT(free.statistics.accepted <= low.statistics.accepted);
    double slowest = INFINITY;
    for (int i = 0; i < set.count; i++)
        slowest = fmin(slowest, set.omega[i]);
    CU_ASSERT(free.worst <= 10 * relative + 4 / (slowest * slowest));
}

static void resonance_beside_a_slow_solution_costs_nothing(void)
{
    for (double omega = 1e2; omega < 2e6; omega *= 10)
        for (double loss = 1e-5; loss < 2e-3; loss *= 10) {
            set = (struct resonators){.count = 1, .omega = {omega}, .sigma = loss * omega};
            costs_no_more_than_order_2(1e-4);
        }
}

static void several_resonances_cost_nothing(void)
{
    set = (struct resonators){.count = 4, .omega = {1e3, 7e3, 1e5, 3e6}, .sigma = 0.1};
    costs_no_more_than_order_2(1e-4);
}

static void resonance_that_moves_with_the_solution_costs_nothing(void)
{
    set = (struct resonators){.count = 2, .omega = {1e3, 5e4}, .sigma = 0.1, .detuning = 0.5};
    costs_no_more_than_order_2(1e-4);
}

/* Physically excited: it is followed while it lasts, for some 1 / sigma = 10 ms, not for the rest of 20 s. */
static void steps_grow_again_when_an_excited_resonance_has_died_down(void)
{
    set = (struct resonators){.count = 1, .omega = {1e4}, .sigma = 100, .pulse = 1};
    const struct outcome out = run(0, 1e-4, 20, at_rest);
    printf("%ld steps ", out.statistics.accepted);
    CU_ASSERT(out.statistics.accepted < 3000);
}

/* From (0, 1, 0) without loss: nothing but the oscillation, over 100 periods. */
static void oscillation_that_is_the_solution_keeps_order_5(void)
{
    double x[PROBLEM_SIZE] = {0, 1, 0};
    set = (struct resonators){.count = 1, .omega = {1e3}};
    const struct outcome out = run(0, 1e-6, 0.2 * acos(-1), x);
    printf("%ld of %ld steps of order 5 ", out.highest, out.statistics.accepted);
    CU_ASSERT(out.highest >= 0.95 * (double)out.statistics.accepted);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(formulas_are_stable_in_sectors_of_86_73_and_52_degrees),
        CLAIM(limits_on_the_imaginary_axis_are_those_of_the_locus),
        CLAIM(orders_1_and_2_excite_nothing),
        CLAIM(growth_is_bounded_by_the_largest_root),
        CLAIM(rate_of_an_oscillation_is_found_below_a_slow_error),
        CLAIM(noise_shows_what_the_circuit_has),
        CLAIM(oscillations_that_the_circuit_damps_well_are_not_kept_by_orders_that_would),
        CLAIM(oscillations_that_no_order_keeps_are_left_alone),
        CLAIM(resonance_beside_a_slow_solution_costs_nothing),
        CLAIM(several_resonances_cost_nothing),
        CLAIM(resonance_that_moves_with_the_solution_costs_nothing),
        CLAIM(steps_grow_again_when_an_excited_resonance_has_died_down),
        CLAIM(oscillation_that_is_the_solution_keeps_order_5),
    };
    return run_claims("stability", claims, sizeof claims / sizeof claims[0]);
}
