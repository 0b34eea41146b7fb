/* fault.c - the formula that has no value where an evaluation of the equations had none. */
#include "mna/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sums that are not finite have a term that is not.  Four, since each term waits for the one before. */
static bool is_finite(const double *values, int n)
{
    double sum[4] = {0, 0, 0, 0};
    int i = 1;
    for (; i + 3 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += 0 * values[i + k];
    for (; i <= n; i++)
        sum[0] += 0 * values[i];
    return sum[0] + sum[1] + sum[2] + sum[3] == 0;
}

void mna_note_fault(struct mna *m, double t, unsigned what)
{
    if (!m->fault_x)
        return;
    const bool good = (!(what & DAE_F) || is_finite(m->f, m->dae.n)) && (!(what & DAE_Q) || is_finite(m->q, m->dae.n));
    if (good || !is_finite(m->x, m->dae.n))
        return;
    m->fault_time = t;
    memcpy(m->fault_x, m->x, ((size_t)m->dae.n + 1) * sizeof *m->x);
}

/* A resistance by a formula enters as v/R. */
static const char SHORT[] = "its resistance is 0 ohm, a short: write R={max(..,1m)}";

/* x begins behind ground. */
static double variable_at(const struct mna *m, const double *x, const struct expression_variable *v)
{
    if (v->kind == EXPRESSION_FREQUENCY)
        return 0;
    const int unknown =
        v->kind == EXPRESSION_NODE_VOLTAGE ? mna_node_unknown(m, v->index) : mna_current_unknown(m, v->index);
    return unknown < 0 ? 0 : x[unknown];
}

/* False without memory, too. */
static bool describe(const struct mna *m, const struct element *owner, char *text, size_t size)
{
    const struct expression *e = owner->expression;
    const size_t count = expression_variable_count(e);
    double *values = calloc(count + 1, sizeof *values),
           *workspace = calloc(expression_workspace(e) + 1, sizeof *workspace);
    for (size_t i = 0; i < count && values; i++)
        values[i] = variable_at(m, m->fault_x + 1, &expression_variables(e)[i]);
    const struct expression_point at = {values, isinf(m->fault_time) ? 0 : m->fault_time, m->circuit->temperature, NULL,
                                        false};
    const bool found = values && workspace &&
                       expression_describe_fault(e, &at, workspace, owner->reciprocal ? SHORT : NULL, text, size);
    free(values);
    free(workspace);
    return found;
}

const struct element *mna_describe_fault(const struct mna *m, double since, double *time, char *text, size_t size)
{
    const struct circuit *c = m->circuit;
    if (!(m->fault_time >= since)) /* NaN: none */
        return NULL;
    *time = m->fault_time;
    for (size_t i = 0; i < c->element_count; i++)
        if (c->elements[i].expression && describe(m, &c->elements[i], text, size))
            return &c->elements[i];
    return NULL;
}

enum flaw { ZERO_BY_ZERO, INFINITE_SLOPE };

static bool is_steep(const struct expression *e, const struct expression_point *at, double *workspace, double *gradient)
{
    bool steep = false;
    if (!isfinite(expression_evaluate(e, at, workspace, gradient, NULL)))
        return false;
    for (size_t i = 0; i < expression_variable_count(e); i++)
        steep = steep || !isfinite(gradient[i]);
    return steep;
}

/* Whether a formula has this flaw at a point; false without memory, too. */
static bool has_flaw(const struct mna *m, const struct expression *e, enum flaw flaw, double time, const double *x)
{
    const size_t count = expression_variable_count(e);
    double *values = calloc(2 * count + 1, sizeof *values),
           *workspace = calloc(expression_workspace(e) + 1, sizeof *workspace);
    for (size_t i = 0; i < count && values; i++)
        values[i] = variable_at(m, x, &expression_variables(e)[i]);
    const struct expression_point at = {values, isinf(time) ? 0 : time, m->circuit->temperature, NULL, true};
    const bool has = values && workspace &&
                     (flaw == ZERO_BY_ZERO ? expression_needs_bound(e, &at, workspace)
                                           : is_steep(e, &at, workspace, values + count));
    free(values);
    free(workspace);
    return has;
}

void mna_report_bounds(const struct mna *m, double time, const double *x, struct kn_diagnostics *d)
{
    const struct circuit *c = m->circuit;
    for (size_t i = 0; i < c->element_count; i++) {
        const struct element *e = &c->elements[i];
        if (e->expression && has_flaw(m, e->expression, ZERO_BY_ZERO, time, x))
            diagnostics_add(d, KN_NOTE, "zero-by-zero", e->where, "write what it shall be there, e.g. a/max(b,1e-9)",
                            "the formula of %s divides 0 by 0 at the operating point; that quotient is taken as 0, "
                            "there and wherever else it comes up",
                            e->name);
    }
}

void mna_report_slopes(const struct mna *m, double time, const double *x, struct kn_diagnostics *d)
{
    const struct circuit *c = m->circuit;
    for (size_t i = 0; i < c->element_count; i++) {
        const struct element *e = &c->elements[i];
        if (e->expression && has_flaw(m, e->expression, INFINITE_SLOPE, time, x))
            diagnostics_add(d, KN_WARNING, "infinite-slope", e->where,
                            "move the operating point from there, or round the formula, e.g. sqrt(u+1e-9)",
                            "the formula of %s has an infinite slope at the operating point; small signals get that of "
                            "a point 1 mV (or 1 mA) beside it, and what depends on it means nothing",
                            e->name);
    }
}
