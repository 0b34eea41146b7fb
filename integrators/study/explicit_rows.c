/* explicit_rows.c - methods whose differential equations are explicit and only the algebraic ones implicit (Steinebach
 * 1988, class B, (7.2)), for problems that are not stiff: rows with charge are  C k_i = -h f(a_i),  rows without
 *     G (k_i + sum_{j<i} gamma_ij/gamma k_j) = -(f(a_i) + h gamma_i f_t) / gamma.
 * C must be constant, its rows with entries linearly independent, and q_t = 0; other problems are refused.
 */
#include "integrators/study/rosenbrock_study.h"

#include <math.h>
#include <string.h>

struct explicit_rows {
    struct rosenbrock rosenbrock;
    double *first_C; /* [entries + 1] of the first step */
};

/* Rows without an entry of C; false when C is not the one of the first step. */
static bool split_rows(struct explicit_rows *e)
{
    struct rosenbrock *m = &e->rosenbrock;
    const struct onestep *o = &m->onestep;
    const struct sparse_pattern *p = o->base.dae->pattern;
    const bool first = o->control.first && !o->control.repeated;
    for (int i = 0; i < p->n && first; i++)
        m->algebraic[i] = true;
    for (int k = 0; k < p->entries; k++) {
        if (first && o->C[k] != 0)
            m->algebraic[p->row[k]] = false;
        if (first)
            e->first_C[k] = o->C[k];
        else if (fabs(o->C[k] - e->first_C[k]) > 1e-9 * fabs(e->first_C[k]))
            return false;
    }
    return true;
}

static const double SPLIT = 0; /* alpha of the split matrix */

/* Whatever alpha is wanted. */
static enum newton_outcome factor_split(struct onestep *o, double alpha)
{
    const struct rosenbrock *m = (const struct rosenbrock *)o;
    (void)alpha;
    const struct sparse_pattern *p = o->base.dae->pattern;
    if (o->alpha == SPLIT)
        return NEWTON_CONVERGED;
    for (int k = 0; k < p->entries; k++)
        o->matrix[k] = m->algebraic[p->row[k]] ? o->G[k] : o->C[k];
    o->alpha = NAN;
    o->status = sparse_lu_factor(o->lu, o->matrix);
    if (o->status != KN_OK)
        return o->status == KN_ERROR_MEMORY ? NEWTON_FAILED : NEWTON_SINGULAR;
    o->alpha = SPLIT;
    return NEWTON_CONVERGED;
}

static enum newton_outcome explicit_stage(struct rosenbrock *m, int i, double h)
{
    struct onestep *o = &m->onestep;
    const int n = o->base.dae->n;
    const double gamma = m->tableau->gamma, rate = h * m->sums.rate[i];
    const enum newton_outcome outcome = rosenbrock_evaluate_stage(m, i, h);
    if (outcome != NEWTON_CONVERGED)
        return outcome;
    onestep_combine(n, NULL, i, m->tableau->gammas[i], m->k, m->point);
    memset(m->right, 0, (size_t)n * sizeof *m->right);
    sparse_multiply_add(o->base.dae->pattern, o->G, m->point, m->right);
    for (int r = 0; r < n; r++)
        m->right[r] = m->algebraic[r] ? -(m->f[r] + rate * o->dfdt[r] + m->right[r]) / gamma : -h * m->f[r];
    if (!onestep_solve(o, m->right))
        return NEWTON_NOT_FINITE;
    memcpy(m->k[i], m->right, (size_t)n * sizeof *m->right);
    return NEWTON_CONVERGED;
}

static enum newton_outcome refuse(struct rosenbrock *m, const char *reason)
{
    m->onestep.status = KN_ERROR_CIRCUIT;
    m->onestep.reason = reason;
    return NEWTON_FAILED;
}

static enum newton_outcome explicit_stages(struct explicit_rows *e, double h)
{
    struct rosenbrock *m = &e->rosenbrock;
    const bool first = m->onestep.control.first && !m->onestep.control.repeated;
    if (!split_rows(e))
        return refuse(m, "capacitances and inductances must be constant");
    for (int i = 0; i < m->onestep.base.dae->n; i++)
        if (m->onestep.dqdt[i] != 0)
            return refuse(m, "charges and fluxes must not depend on time");
    enum newton_outcome outcome = factor_split(&m->onestep, SPLIT);
    if (outcome == NEWTON_SINGULAR && first)
        return refuse(m,
                      "its differential and algebraic equations must be separate, as with capacitors to ground only");
    for (int i = 0; i < m->tableau->stages && outcome == NEWTON_CONVERGED; i++)
        outcome = explicit_stage(m, i, h);
    return outcome;
}

enum newton_outcome explicit_rows_attempt(struct rosenbrock *m, double to)
{
    enum newton_outcome outcome = onestep_linearize(&m->onestep, true);
    if (outcome == NEWTON_CONVERGED)
        outcome = explicit_stages((struct explicit_rows *)m, to - m->onestep.base.t);
    if (outcome == NEWTON_CONVERGED)
        rosenbrock_combine(m);
    return outcome;
}

void explicit_rows_step(struct integrator *base, double to, struct step_report *report)
{
    struct rosenbrock *m = (struct rosenbrock *)base;
    if (!rosenbrock_begin(m, to, report))
        rosenbrock_end(m, to, explicit_rows_attempt(m, to), report);
}

enum kn_status explicit_rows_create(const struct rosenbrock_tableau *tableau, const struct integrator_class *class,
                                    const struct dae *dae, const struct integrator_options *o, struct integrator **out)
{
    const enum kn_status status = rosenbrock_create(sizeof(struct explicit_rows), tableau, class, dae, o, out);
    if (status != KN_OK)
        return status;
    struct explicit_rows *e = (struct explicit_rows *)*out;
    e->rosenbrock.factor = factor_split;
    e->rosenbrock.onestep.factors_of_step = false;
    e->first_C = arena_array((*out)->memory, (size_t)dae->pattern->entries + 1, sizeof *e->first_C);
    if (e->first_C)
        return KN_OK;
    onestep_destroy(*out);
    *out = NULL;
    return KN_ERROR_MEMORY;
}
