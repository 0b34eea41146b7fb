/* one_step.h - problems and helpers that the tests of the one-step methods share. */
#ifndef TESTS_PROBLEMS_ONE_STEP_H
#define TESTS_PROBLEMS_ONE_STEP_H

#include "claims.h"
#include "integrators/methods.h"
#include "problems/arnold8.h"

/* Index 1 with a charge that is nonlinear in u: d/dt (u + u^3/6) = -u w + s(t), 0 = w (1 - sin(2t)/10) - 1 - u^2/4; s
 * chosen so that u = 1 + sin(t)/2. */
static inline double charged_source(double t)
{
    const double u = 1 + sin(t) / 2, slope = cos(t) / 2, d = 1 - 0.1 * sin(2 * t);
    return (1 + u * u / 2) * slope + u * (1 + u * u / 4) / d;
}

static inline double charged_source_rate(double t)
{
    const double u = 1 + sin(t) / 2, slope = cos(t) / 2, curvature = -sin(t) / 2;
    const double d = 1 - 0.1 * sin(2 * t), rate = -0.2 * cos(2 * t);
    return u * slope * slope + (1 + u * u / 2) * curvature + (slope + 0.75 * u * u * slope) / d -
           u * (1 + u * u / 4) * rate / (d * d);
}

static inline void charged(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    const double u = x[0], w = x[1], d = 1 - 0.1 * sin(2 * t);
    q[0] = u + u * u * u / 6;
    C[0] = 1 + u * u / 2;
    f[0] = u * w - charged_source(t);
    f[1] = w * d - 1 - u * u / 4;
    G[0] = w, G[1] = u, G[2] = -u / 2, G[3] = d;
    dfdt[0] = -charged_source_rate(t);
    dfdt[1] = -0.2 * cos(2 * t) * w;
}

static inline void charged_exact(double t, double *x)
{
    x[0] = 1 + sin(t) / 2;
    x[1] = (1 + x[0] * x[0] / 4) / (1 - 0.1 * sin(2 * t));
}

/* The index-2 circuit: source V(t) = 1 + sin(2t)/2 across the nonlinear charge v + v^3/3 and 1 Ohm to a second node u
 * with the charge u + u^2/2 that a current drives along u = cos t.  Unknowns v, current of the source, u. */
static inline void loop(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    const double v = x[0], i = x[1], u = x[2], V = 1 + sin(2 * t) / 2;
    const double drive = -(1 + cos(t)) * sin(t) + cos(t) - V; /* d/dt (u + u^2/2) + u - v along the solution */
    q[0] = v + v * v * v / 3;
    q[2] = u + u * u / 2;
    C[0] = 1 + v * v;
    C[8] = 1 + u;
    f[0] = i + v - u;
    f[1] = v - V;
    f[2] = u - v - drive;
    G[0] = 1, G[1] = 1, G[2] = -1, G[3] = 1, G[6] = -1, G[8] = 1;
    dfdt[1] = -cos(2 * t);
    dfdt[2] = -(sin(t) * sin(t) - (1 + cos(t)) * cos(t) - sin(t) - cos(2 * t));
}

static inline void loop_exact(double t, double *x)
{
    x[0] = 1 + sin(2 * t) / 2;
    x[2] = cos(t);
    x[1] = -(1 + x[0] * x[0]) * cos(2 * t) - x[0] + x[2];
}

static const enum dae_class loop_classes[] = {DAE_DIFFERENTIAL, DAE_INDEX2, DAE_DIFFERENTIAL};

static const struct problem charged_problem = {"nonlinear charge", 2, false, charged, charged_exact, NULL, NULL};
static const struct problem loop_problem = {"C-V loop", 3, false, loop, loop_exact, loop_classes, NULL};

/* Largest errors at the points of equal steps without error control, and between them. */
static inline void fixed_step_errors(const struct problem *p, const struct integrator_class *class, int order,
                                     double start, double stop, int steps, double absolute, double *errors,
                                     double *between)
{
    struct wrapped_problem w;
    struct integrator *m = NULL;
    double exact[PROBLEM_SIZE], x[PROBLEM_SIZE];
    const struct integrator_options options = {
        .relative = absolute > 1 ? 1 : 1e-3, .kappa = 1e-12, .max_order = order, .max_iterations = 30};
    CU_ASSERT_FATAL(problem_wrap(p, absolute, &w));
    CU_ASSERT_FATAL(class->create(&w.dae, &options, &m) == KN_OK);
    p->exact(start, x);
    CU_ASSERT_FATAL(class->restart(m, start, x) == KN_OK);
    for (int k = 0; k < p->n; k++)
        errors[k] = between[k] = 0;
    for (int i = 1; i <= steps; i++) {
        struct step_report report;
        class->step(m, start + (stop - start) * i / steps, &report);
        CU_ASSERT_FATAL(report.outcome == STEP_ACCEPTED);
        p->exact(m->t, exact);
        for (int k = 0; k < p->n; k++)
            errors[k] = fmax(errors[k], fabs(m->x[k] - exact[k]));
        const double inside = m->previous + 0.3 * (m->t - m->previous);
        class->interpolate(m, inside, x, NULL);
        p->exact(inside, exact);
        for (int k = 0; k < p->n; k++)
            between[k] = fmax(between[k], fabs(x[k] - exact[k]));
    }
    class->destroy(m);
    problem_unwrap(&w);
}

/* Observed orders of all unknowns between `steps` and twice as many. */
static inline void observed_orders(const struct problem *p, const struct integrator_class *class, int order,
                                   double start, double stop, int steps, double absolute, double *orders,
                                   double *between_orders)
{
    double coarse[PROBLEM_SIZE], fine[PROBLEM_SIZE], coarse_between[PROBLEM_SIZE], fine_between[PROBLEM_SIZE];
    fixed_step_errors(p, class, order, start, stop, steps, absolute, coarse, coarse_between);
    fixed_step_errors(p, class, order, start, stop, 2 * steps, absolute, fine, fine_between);
    for (int k = 0; k < p->n; k++) {
        orders[k] = log2(fmax(coarse[k], 1e-16) / fmax(fine[k], 1e-16));
        if (between_orders)
            between_orders[k] = log2(coarse_between[k] / fine_between[k]);
    }
}

/* ---- whole runs ---- */

struct whole_run {
    const struct problem *problem;
    double worst[PROBLEM_SIZE], worst_between[PROBLEM_SIZE];
    double final[PROBLEM_SIZE];
    enum kn_status status;
    struct integrator_statistics statistics;
};

static inline enum kn_status whole_run_follow(void *context, struct integrator *m, bool first)
{
    struct whole_run *run = context;
    double exact[PROBLEM_SIZE], x[PROBLEM_SIZE];
    if (!run->problem->exact)
        return KN_OK;
    run->problem->exact(m->t, exact);
    for (int k = 0; k < run->problem->n; k++)
        run->worst[k] = fmax(run->worst[k], fabs(m->x[k] - exact[k]));
    if (first)
        return KN_OK;
    const double between = m->previous + 0.37 * (m->t - m->previous);
    m->class->interpolate(m, between, x, NULL);
    run->problem->exact(between, exact);
    for (int k = 0; k < run->problem->n; k++)
        run->worst_between[k] = fmax(run->worst_between[k], fabs(x[k] - exact[k]));
    return KN_OK;
}

/* Integrates with error control from x0, or from the exact solution where that is NULL. */
static inline struct whole_run whole_run(const struct problem *p, const struct integrator_class *class, double relative,
                                         double start, double stop, const double *x0)
{
    struct whole_run out = {.problem = p};
    struct wrapped_problem w;
    struct integrator *m = NULL;
    struct kn_diagnostics *d = kn_diagnostics_new();
    const struct integrator_options options = {.relative = relative, .kappa = 0.05, .max_iterations = 10};
    const struct run_options run_options = {.start = start, .stop = stop, .max_step = INFINITY};
    const struct run_callbacks callbacks = {.context = &out, .accepted = whole_run_follow};
    double x[PROBLEM_SIZE];
    CU_ASSERT_FATAL(d && problem_wrap(p, 1e-3 * relative, &w));
    CU_ASSERT_FATAL(class->create(&w.dae, &options, &m) == KN_OK);
    if (x0)
        memcpy(x, x0, (size_t)p->n * sizeof *x);
    else
        p->exact(start, x);
    out.status = integrate(m, x, &run_options, &callbacks, d, &out.statistics);
    memcpy(out.final, m->x, (size_t)p->n * sizeof *x);
    for (size_t i = 0; i < kn_diagnostics_count(d); i++)
        kn_diagnostic_write(kn_diagnostics_get(d, i), stderr, false);
    class->destroy(m);
    problem_unwrap(&w);
    kn_diagnostics_free(d);
    return out;
}

#endif
