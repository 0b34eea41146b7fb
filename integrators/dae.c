/* dae.c - a problem around another one: see dae_forward in dae.h. */
#include "integrators/dae.h"

#include "base/rounding.h"

#include <math.h>

static const struct dae *inner_of(const void *problem)
{
    return *(const struct dae *const *)problem;
}

static enum kn_status forward_eval(void *problem, double t, const double *x, unsigned what, struct dae_values *out)
{
    const struct dae *inner = inner_of(problem);
    return inner->eval(inner->problem, t, x, what, out);
}

static void forward_begin_newton(void *problem, const double *x_reference)
{
    const struct dae *inner = inner_of(problem);
    inner->begin_newton(inner->problem, x_reference);
}

static double forward_step_now(void *problem)
{
    const struct dae *inner = inner_of(problem);
    return inner->step_now(inner->problem);
}

static double forward_next_breakpoint(void *problem, double t)
{
    const struct dae *inner = inner_of(problem);
    return inner->next_breakpoint(inner->problem, t);
}

static double forward_next_quarter(void *problem, double t, double relative, double *period)
{
    const struct dae *inner = inner_of(problem);
    return inner->next_quarter(inner->problem, t, relative, period);
}

static void forward_hold_left(void *problem, double t)
{
    const struct dae *inner = inner_of(problem);
    inner->hold_left(inner->problem, t);
}

static enum kn_status forward_accept(void *problem, double t, const double *x, int order, enum dae_accepted how)
{
    const struct dae *inner = inner_of(problem);
    return inner->accept(inner->problem, t, x, order, how);
}

static enum kn_status forward_arrive(void *problem, double t, const double *x)
{
    const struct dae *inner = inner_of(problem);
    return inner->arrive(inner->problem, t, x);
}

static void forward_cancelled(void *problem, const double *x, double *terms)
{
    const struct dae *inner = inner_of(problem);
    inner->cancelled(inner->problem, x, terms);
}

static void forward_switches(void *problem, double t, const double *x, double *g)
{
    const struct dae *inner = inner_of(problem);
    inner->switches(inner->problem, t, x, g);
}

static void forward_hold(void *problem, int i, int side)
{
    const struct dae *inner = inner_of(problem);
    inner->hold(inner->problem, i, side);
}

static bool forward_rectifies(void *problem, int i, double bend[2])
{
    const struct dae *inner = inner_of(problem);
    return inner->rectifies(inner->problem, i, bend);
}

static bool forward_may_be_left(void *problem, int i)
{
    const struct dae *inner = inner_of(problem);
    return inner->may_be_left(inner->problem, i);
}

static enum dae_rest forward_at_zero(void *problem, int i)
{
    const struct dae *inner = inner_of(problem);
    return inner->at_zero(inner->problem, i);
}

static const char *forward_unknown_name(void *problem, int i)
{
    const struct dae *inner = inner_of(problem);
    return inner->unknown_name(inner->problem, i);
}

static void forward_describe(void *problem, int i, char *buffer, size_t size)
{
    const struct dae *inner = inner_of(problem);
    inner->describe(inner->problem, i, buffer, size);
}

static void forward_describe_switch(void *problem, int i, char *buffer, size_t size)
{
    const struct dae *inner = inner_of(problem);
    inner->describe_switch(inner->problem, i, buffer, size);
}

void dae_forward(const struct dae *inner, void *problem, struct dae *out)
{
    *out = *inner;
    out->grows = NULL; /* it may have other unknowns */
    out->problem = problem;
    out->eval = inner->eval ? forward_eval : NULL;
    out->begin_newton = inner->begin_newton ? forward_begin_newton : NULL;
    out->step_now = inner->step_now ? forward_step_now : NULL;
    out->next_breakpoint = inner->next_breakpoint ? forward_next_breakpoint : NULL;
    out->next_quarter = inner->next_quarter ? forward_next_quarter : NULL;
    out->hold_left = inner->hold_left ? forward_hold_left : NULL;
    out->accept = inner->accept ? forward_accept : NULL;
    out->arrive = inner->arrive ? forward_arrive : NULL;
    out->cancelled = inner->cancelled ? forward_cancelled : NULL;
    out->switches = inner->switches ? forward_switches : NULL;
    out->hold = inner->hold ? forward_hold : NULL;
    out->rectifies = inner->rectifies ? forward_rectifies : NULL;
    out->may_be_left = inner->may_be_left ? forward_may_be_left : NULL;
    out->at_zero = inner->at_zero ? forward_at_zero : NULL;
    out->unknown_name = inner->unknown_name ? forward_unknown_name : NULL;
    out->describe = inner->describe ? forward_describe : NULL;
    out->describe_switch = inner->describe_switch ? forward_describe_switch : NULL;
}

double dae_longest_step(const struct dae *dae, double most)
{
    return dae->step_now ? fmin(most, dae->step_now(dae->problem)) : most;
}

bool dae_remembers(const struct dae *dae)
{
    return dae->accept && dae->largest_step < INFINITY;
}

void dae_watch_remembered(const struct dae *dae, bool *watched)
{
    for (int i = 0; dae_remembers(dae) && i < dae->n; i++)
        watched[i] = watched[i] || !dae->remembered || dae->remembered[i];
}

/* ---- what stands in an equation ---- */

void dae_find_levels(const struct dae *dae, int *level)
{
    const struct sparse_pattern *p = dae->pattern;
    for (int i = 0; i < dae->n; i++)
        level[i] = dae->potentials && dae->potentials[i] ? i : -1;
    for (int j = 0; j < dae->n; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1] && dae->potentials && dae->potentials[j]; k++)
            if (level[p->row[k]] < 0)
                level[p->row[k]] = j;
}

/* Sums of currents at nodes, of which index-2 unknowns are none. */
static void mark_balances(const struct dae *dae, double *tolerance)
{
    const struct sparse_pattern *p = dae->pattern;
    for (int i = 0; i < dae->n; i++)
        tolerance[i] = dae->potentials && dae->potentials[i] ? dae->equation_absolute[i] : INFINITY;
    for (int j = 0; j < dae->n; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1] && dae->classes && dae->classes[j] == DAE_INDEX2; k++)
            tolerance[p->row[k]] = INFINITY;
}

void dae_balance_tolerances(const struct dae *dae, const struct dae_linear *at, const double *x, double relative,
                            double *to_ground, double *tolerance)
{
    const struct sparse_pattern *p = dae->pattern;
    mark_balances(dae, tolerance);
    for (int i = 0; i < dae->n; i++)
        to_ground[i] = 0;
    for (int j = 0; j < dae->n; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
            const int i = p->row[k];
            const double size = fabs(at->G[k]) + at->alpha * fabs(at->C[k]);
            const bool potential = dae->potentials && dae->potentials[j];
            const double off = relative * fabs(potential ? x[j] - x[i] : x[j]);
            tolerance[i] += size * (off + ROUNDING_SUM * fabs(x[j]) + dae->absolute[j]);
            to_ground[i] += potential ? at->G[k] + at->alpha * at->C[k] : 0;
        }
    for (int i = 0; i < dae->n; i++)
        tolerance[i] += relative * fabs(to_ground[i] * x[i]);
}
