/* equal_steps.h - errors of a method at one order with equal steps, free of what its start would add.
 *
 * A method of variable order is first led to the order wanted under a tight tolerance, in short steps; then the steps
 * grow gently to their size and no error counts any more, so that the order stays.
 */
#ifndef TESTS_PROBLEMS_EQUAL_STEPS_H
#define TESTS_PROBLEMS_EQUAL_STEPS_H

#include "claims.h"
#include "integrators/multistep/multistep.h"
#include "problems/problem.h"

struct measured {
    const struct integrator_class *class;
    int max_order; /* given to the method */
    int order;     /* that its steps must have */
    const struct problem *problem;
    double start, stop; /* of the equal steps; an approach goes before */
    int steps;
    void (*before)(void); /* called when the equal steps begin; or NULL */
};

/* Tolerances: one so tight that a multistep method takes its highest order, one that no error exceeds. */
static const double TIGHT = 1e-12, FREE = 1e8;
static const double RATIO = 1.3;
enum { MOST_LEADING = 500, STEADY = 8 };

static bool is_multistep(const struct measured *s)
{
    return strncmp(s->class->name, "radau", 5) != 0;
}

static bool step_to(struct integrator *m, double to, struct step_report *report)
{
    m->class->step(m, to, report);
    return report->outcome == STEP_ACCEPTED;
}

static void set_tolerance(struct wrapped_problem *w, double absolute)
{
    for (int k = 0; k < w->dae.n; k++)
        w->absolute[k] = absolute;
}

/* Whether the order stays when no error counts any more: a changed tolerance counts from the second step on, and the
 * first may still choose another order for it. */
static bool is_set_free(struct integrator *m, struct wrapped_problem *w, const struct measured *s)
{
    struct step_report report;
    const double step = 0.5 * (m->t - m->previous);
    set_tolerance(w, FREE);
    if (step_to(m, m->t + step, &report) && step_to(m, m->t + step, &report) && m->order == s->order)
        return true;
    set_tolerance(w, TIGHT);
    return false;
}

/* Multistep methods raise their order where errors ask for it, Radau IIA its stages after ten equal steps. */
static void reach_order(struct integrator *m, struct wrapped_problem *w, const struct measured *s, double h)
{
    struct step_report report = {.next_step = 1e-3 * h};
    int steady = 0;
    bool set_free = false;
    for (int i = 0; i < MOST_LEADING && !set_free; i++) {
        const double step = is_multistep(s) ? fmin(report.next_step, 0.25 * h) : 1e-3 * h;
        if (step_to(m, m->t + step, &report))
            steady = m->order == s->order ? steady + 1 : 0;
        if (steady == STEADY) {
            set_free = is_set_free(m, w, s);
            steady = 0;
        }
    }
    CU_ASSERT(set_free);
}

/* From there to s->start in steps that grow gently to h, each RATIO times the one before, and fill the gap before with
 * equal ones.  Where no error counts the order stays. */
static void reach_start(struct integrator *m, const struct measured *s, double h)
{
    struct step_report report;
    const double least = m->t - m->previous;
    int grown = 0;
    double growing = 0; /* s, of all growing steps */
    for (double step = h / RATIO; step > least; step /= RATIO, grown++)
        growing += step;
    const double gap = s->start - growing - m->t, from = m->t;
    const int filling = (int)ceil(gap / least);
    CU_ASSERT(gap > 0);
    bool good = true;
    for (int i = 1; i <= filling; i++)
        good = step_to(m, from + gap * i / filling, &report) && good;
    CU_ASSERT(good);
    for (; grown > 0; grown--) {
        growing -= h * pow(RATIO, -grown);
        CU_ASSERT(step_to(m, s->start - growing, &report));
    }
}

/* Takes away what the approach has left as error: formulas that know the past by its points alone go on from exact
 * ones. */
static void make_past_exact(struct integrator *m, const struct measured *s)
{
    const struct integrator_class *c = s->class;
    if (c != &integrator_bdf && c != &integrator_gear && c != &integrator_euler)
        return;
    struct history *past = &((struct multistep *)m)->history;
    for (int i = 0; i < past->count; i++) {
        struct dae_values out = {.q = past->q[i]};
        s->problem->exact(past->t[i], past->x[i]);
        CU_ASSERT(m->dae->eval(m->dae->problem, past->t[i], past->x[i], DAE_Q, &out) == KN_OK);
    }
}

/* Largest errors at the ends of the equal steps and, unless `between` is NULL, in their middles. */
static inline void errors_of(const struct measured *s, double *errors, double *between)
{
    struct wrapped_problem w;
    struct integrator *m = NULL;
    struct step_report report;
    double exact[PROBLEM_SIZE], x[PROBLEM_SIZE];
    const struct integrator_options options = {.relative = is_multistep(s) ? TIGHT : FREE,
                                               .kappa = 1e-13 / FREE,
                                               .max_order = s->max_order,
                                               .max_iterations = 30};
    const double h = (s->stop - s->start) / s->steps;
    CU_ASSERT_FATAL(problem_wrap(s->problem, is_multistep(s) ? TIGHT : FREE, &w));
    for (int k = 0; k < s->problem->n; k++)
        w.equation_absolute[k] = 1e-100; /* no residual is negligible */
    CU_ASSERT_FATAL(s->class->create(&w.dae, &options, &m) == KN_OK);
    const double approach = s->start - (is_multistep(s) ? 12 : 4) * h;
    s->problem->exact(approach, exact);
    CU_ASSERT_FATAL(s->class->restart(m, approach, exact) == KN_OK);
    m->t = approach;
    reach_order(m, &w, s, h);
    reach_start(m, s, h);
    make_past_exact(m, s);
    if (s->before)
        s->before();
    memset(errors, 0, (size_t)s->problem->n * sizeof *errors);
    if (between)
        memset(between, 0, (size_t)s->problem->n * sizeof *between);
    for (int i = 1; i <= s->steps; i++) {
        CU_ASSERT(step_to(m, s->start + h * i, &report) && m->order == s->order);
        s->problem->exact(m->t, exact);
        for (int k = 0; k < s->problem->n; k++)
            errors[k] = fmax(errors[k], fabs(m->x[k] - exact[k]));
        if (!between)
            continue;
        const double middle = 0.5 * (m->previous + m->t);
        m->class->interpolate(m, middle, x, NULL);
        s->problem->exact(middle, exact);
        for (int k = 0; k < s->problem->n; k++)
            between[k] = fmax(between[k], fabs(x[k] - exact[k]));
    }
    s->class->destroy(m);
    problem_unwrap(&w);
}

#endif
