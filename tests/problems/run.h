/* run.h - runs of a method on a problem: with error control, or with fixed steps for observing orders. */
#ifndef TESTS_PROBLEMS_RUN_H
#define TESTS_PROBLEMS_RUN_H

#include "claims.h"
#include "integrators/methods.h"
#include "problems/problem.h"

struct problem_outcome {
    enum kn_status status;
    const struct problem *problem;
    double worst[PROBLEM_SIZE]; /* largest errors at accepted points, where the exact solution is known */
    double final[PROBLEM_SIZE];
    double end;                   /* s, the last point */
    double largest[PROBLEM_SIZE]; /* magnitudes */
    struct integrator_statistics statistics;
};

static enum kn_status problem_follow(void *context, struct integrator *m, bool first)
{
    struct problem_outcome *out = context;
    double exact[PROBLEM_SIZE];
    (void)first;
    for (int i = 0; i < out->problem->n; i++)
        out->largest[i] = fmax(out->largest[i], fabs(m->x[i]));
    if (!out->problem->exact)
        return KN_OK;
    out->problem->exact(m->t, exact);
    for (int i = 0; i < out->problem->n; i++)
        out->worst[i] = fmax(out->worst[i], fabs(m->x[i] - exact[i]));
    return KN_OK;
}

struct problem_settings {
    double start, stop;
    double relative, absolute; /* absolute 0: a thousandth of relative */
    int max_order;
    double kappa;       /* 0: 0.05 */
    double output_step; /* s, see integrator.h */
    const double *x0;   /* NULL: exact(start) */
    bool expect_failure;
};

/* Runs with error control. */
static struct problem_outcome problem_run(const struct problem *p, const struct integrator_class *method,
                                          const struct problem_settings *s)
{
    struct problem_outcome out = {.problem = p};
    struct wrapped_problem w;
    struct integrator *m = NULL;
    struct kn_diagnostics *d = kn_diagnostics_new();
    const struct integrator_options options = {.relative = s->relative,
                                               .kappa = s->kappa > 0 ? s->kappa : 0.05,
                                               .max_order = s->max_order,
                                               .max_iterations = 12,
                                               .output_step = s->output_step};
    const struct run_options run = {.start = s->start, .stop = s->stop, .max_step = INFINITY};
    const struct run_callbacks callbacks = {.context = &out, .accepted = problem_follow};
    double x[PROBLEM_SIZE];
    if (s->x0)
        memcpy(x, s->x0, (size_t)p->n * sizeof *x);
    else
        p->exact(s->start, x);
    CU_ASSERT_FATAL(problem_wrap(p, s->absolute > 0 ? s->absolute : 1e-3 * s->relative, &w));
    CU_ASSERT_FATAL(method->create(&w.dae, &options, &m) == KN_OK);
    out.status = integrate(m, x, &run, &callbacks, d, &out.statistics);
    memcpy(out.final, m->x, (size_t)p->n * sizeof *x);
    out.end = m->t;
    for (size_t i = 0; i < kn_diagnostics_count(d) && !s->expect_failure; i++)
        kn_diagnostic_write(kn_diagnostics_get(d, i), stderr, false);
    if (out.status != KN_OK && !s->expect_failure)
        fprintf(stderr, "%s fails on %s at tolerance %g, t = %g\n", method->name, p->name, s->relative, m->t);
    m->class->destroy(m);
    problem_unwrap(&w);
    kn_diagnostics_free(d);
    return out;
}

/* What a tolerance promises at the end of a run: the local error is controlled, so the global one may reach steps times
 * tolerance.  Radau's estimate is of the order of the stages and its tolerance carried over to it, see radau.c. */
static inline double promise(const struct integrator_class *m, double tolerance, long steps)
{
    const bool radau = strncmp(m->name, "radau", 5) == 0 || strcmp(m->name, "auto") == 0;
    return radau ? pow(tolerance, 2.0 / 3) : tolerance * (double)steps;
}

/* Euler's method takes too many steps for tight tolerances. */
static inline double tolerance_for(const struct integrator_class *m, double tight)
{
    return m == &integrator_euler ? fmax(tight, 1e-4) : tight;
}

struct fixed_settings {
    double start, stop;
    int steps, max_order;
    const double *x0; /* NULL: exact(start) */
    double kappa;     /* 0: 1e-13 */
    double relative;  /* 0: 0.9; more where even errors of the size of the solution are to be accepted */
};

/* Equal steps, errors not controlled, Newton to rounding. */
static inline struct problem_outcome problem_fixed(const struct problem *p, const struct integrator_class *method,
                                                   const struct fixed_settings *s)
{
    struct problem_outcome out = {.problem = p};
    struct wrapped_problem w;
    struct integrator *m = NULL;
    const struct integrator_options options = {.relative = s->relative > 0 ? s->relative : 0.9,
                                               .kappa = s->kappa > 0 ? s->kappa : 1e-13,
                                               .max_order = s->max_order,
                                               .max_iterations = 30};
    double x[PROBLEM_SIZE];
    if (s->x0)
        memcpy(x, s->x0, (size_t)p->n * sizeof *x);
    else
        p->exact(s->start, x);
    CU_ASSERT_FATAL(problem_wrap(p, 1, &w));
    for (int i = 0; i < p->n; i++)
        w.equation_absolute[i] = 1e-100;
    CU_ASSERT_FATAL(method->create(&w.dae, &options, &m) == KN_OK);
    CU_ASSERT_FATAL(method->restart(m, s->start, x) == KN_OK);
    out.status = KN_OK;
    for (int i = 1; i <= s->steps && out.status == KN_OK; i++) {
        struct step_report report;
        method->step(m, s->start + (s->stop - s->start) * i / s->steps, &report);
        if (report.outcome == STEP_ACCEPTED)
            problem_follow(&out, m, false);
        else
            out.status = KN_ERROR_CONVERGENCE;
    }
    if (out.status != KN_OK)
        fprintf(stderr, "%s fails on %s with %d steps at t = %g\n", method->name, p->name, s->steps, m->t);
    memcpy(out.final, m->x, (size_t)p->n * sizeof *x);
    out.end = m->t;
    m->class->destroy(m);
    problem_unwrap(&w);
    return out;
}

static inline double observed_order(double coarse, double fine)
{
    return log2(fabs(coarse) / fabs(fine));
}

#endif
