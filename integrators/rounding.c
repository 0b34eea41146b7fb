/* rounding.c - see rounding.h. */
#include "integrators/rounding.h"

#include "base/scatter.h"

#include <math.h>
#include <string.h>

/* The entry of column j that belongs to the other end of a capacitor which is alone at this end; -1: charges are summed
 * up here. */
static int lonely_capacitor(const struct rounding_system *s, int j)
{
    const struct sparse_pattern *p = s->dae->pattern;
    int other = -1;
    double diagonal = 0;
    for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
        if (p->row[k] == j)
            diagonal = s->C[k];
        else if (s->C[k] != 0 && other >= 0)
            return -1;
        else if (s->C[k] != 0)
            other = k;
    }
    return other >= 0 && s->C[other] == -diagonal ? other : -1;
}

/* Rounding errors of the charges times gain, added to r.  Sums are rounded in each row by itself; a capacitor that is
 * alone at both of its nodes has the same charge in both rows, to the last bit. */
static void scatter_charges(const struct rounding_system *s, double gain, int pattern, const double *terms, double *r)
{
    for (int j = 0; j < s->dae->n; j++) {
        if (terms[j] == 0)
            continue;
        const int k = lonely_capacitor(s, j), i = k < 0 ? -1 : s->dae->pattern->row[k];
        if (i >= 0 && lonely_capacitor(s, i) >= 0) {
            const double error = gain * scatter(i < j ? i : j, pattern) * s->C[k] * (fabs(s->x[i]) + fabs(s->x[j]));
            r[j] += i < j ? error : -error;
        } else {
            r[j] += gain * scatter(j, pattern) * terms[j];
        }
    }
}

void rounding_find(const struct rounding_system *s, double charges, double currents, double *rounding,
                   const struct rounding_work *work)
{
    const int n = s->dae->n;
    const size_t size = (size_t)n * sizeof(double);
    memset(rounding, 0, size);
    memset(work->q_terms, 0, size);
    memset(work->f_terms, 0, size);
    sparse_multiply_add_absolute(s->dae->pattern, s->C, s->x, work->q_terms);
    sparse_multiply_add_absolute(s->dae->pattern, s->G, s->x, work->f_terms);
    if (s->dae->cancelled)
        s->dae->cancelled(s->dae->problem, s->x, work->f_terms);
    for (int pattern = 0; pattern < ROUNDING_SOLVES; pattern++) {
        for (int i = 0; i < n; i++)
            work->errors[i] = scatter(n + i, pattern) * currents * ROUNDING * work->f_terms[i];
        scatter_charges(s, charges * ROUNDING, pattern, work->q_terms, work->errors);
        sparse_lu_solve(s->lu, work->errors);
        for (int i = 0; i < n; i++)
            rounding[i] = fmax(rounding[i], fabs(work->errors[i]));
    }
}
