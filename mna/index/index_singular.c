/* index_singular.c - whether a pencil is singular: G + s C is so for all s, hence for a few that are as good as any.
 *
 * Where the element values cancel exactly, the chains of index_chain.c and index_series.c may take round-off for an
 * equation; here it cannot hide, since a matrix with one equation of pure round-off has a condition of 1/epsilon.
 */
#include "mna/index/index_parts.h"
#include "mna/linear/triplets.h"

#include <math.h>

enum { TRIALS = 3 };

/* Matrices with larger condition (scaled, 1-norm estimate) count as singular. */
static const double WORST_CONDITION = 1e14;

double pencil_middle_rate(const struct pencil *p)
{
    double sum = 0;
    int count = 0;
    for (int e = 0; e < p->pattern->entries; e++)
        if (p->C[e] != 0 && p->G[e] != 0) {
            sum += log(fabs(p->G[e] / p->C[e]));
            count++;
        }
    return count > 0 ? exp(sum / count) : 1;
}

/* Of G + s C, scaled. */
static enum kn_status condition_at(struct arena *memory, const struct pencil *p, double s, double *condition)
{
    double *rows = arena_array(memory, (size_t)p->n + 1, sizeof *rows);
    double *columns = arena_array(memory, (size_t)p->n + 1, sizeof *columns);
    struct triplets t = {0};
    struct factored f = {.condition = INFINITY};
    bool good = rows && columns;
    for (int j = 0; good && j < p->n; j++)
        for (int e = p->pattern->column_start[j]; good && e < p->pattern->column_start[j + 1]; e++) {
            const double value = p->G[e] + s * p->C[e];
            good = value == 0 || triplets_add(&t, p->pattern->row[e], j, value);
        }
    good = good && triplets_scale(p->n, &t, rows, columns);
    const enum kn_status status = good ? triplets_factor(p->n, &t, &f) : KN_ERROR_MEMORY;
    *condition = f.condition;
    factored_free(&f);
    triplets_free(&t);
    return status;
}

enum kn_status pencil_is_singular(struct arena *memory, const struct pencil *p, bool *singular)
{
    const double rate = 1.37 * pencil_middle_rate(p); /* no round number, which might be an eigenvalue */
    *singular = true;
    for (int trial = 0; trial < TRIALS && *singular; trial++) {
        double condition;
        const enum kn_status status = condition_at(memory, p, rate * pow(10, 3 * (trial - 1)), &condition);
        if (status != KN_OK)
            return status;
        *singular = !(condition < WORST_CONDITION);
    }
    return KN_OK;
}
