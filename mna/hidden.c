/* hidden.c - see hidden.h.
 *
 * Equations without charge are rows of zeros in C, and sums of rows over nodes that capacitances join with each other
 * but not with ground: the cokernel of C for every circuit whose charges depend on voltage differences.  It is taken
 * from the numbers in C; a set of rows that does not add to zero simply counts as having charge.
 */
#include "mna/hidden.h"

#include "mna/groups.h"
#include "mna/limit_step.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sums of capacitances that cancel to this are zero. */
static const double CANCELLED = 1e-9;
static const double TIME_ROUNDING = 16 * DBL_EPSILON;
enum { LEVELS = 3 };

struct hidden {
    const struct dae *dae;
    int *group;    /* [n + 1] rows joined by C, numbers from 1; 0: with ground */
    bool *charged; /* [n + 1] by representative */
    struct sparse_pattern *pattern;
    int *slot;     /* [entries] place of G's (and C's) own entry */
    int *sum_slot; /* [entries] place in the row of the sum; the bin where there is none */
    double *f, *dfdt, *dqdt, *G, *C;
    double *matrix;
    double *increment[LEVELS]; /* [n] */
};

static double *vector(const struct hidden *s)
{
    return calloc((size_t)s->dae->n, sizeof(double));
}

static enum kn_status hidden_init(struct hidden *s, const struct dae *dae)
{
    const size_t n = (size_t)dae->n, entries = (size_t)dae->pattern->entries;
    *s = (struct hidden){.dae = dae};
    s->group = groups_new(dae->n);
    s->charged = calloc(n + 1, sizeof *s->charged);
    s->slot = calloc(2 * entries, sizeof *s->slot);
    s->f = vector(s);
    s->dfdt = vector(s);
    s->dqdt = vector(s);
    s->G = sparse_values(dae->pattern);
    s->C = sparse_values(dae->pattern);
    bool complete = s->group && s->charged && s->slot && s->f && s->dfdt && s->dqdt && s->G && s->C;
    for (int k = 0; k < LEVELS; k++)
        complete = (s->increment[k] = vector(s)) != NULL && complete;
    s->sum_slot = s->slot ? s->slot + entries : NULL;
    return complete ? KN_OK : KN_ERROR_MEMORY;
}

static void hidden_free(struct hidden *s)
{
    sparse_pattern_free(s->pattern);
    free(s->group);
    free(s->charged);
    free(s->slot);
    free(s->f);
    free(s->dfdt);
    free(s->dqdt);
    free(s->G);
    free(s->C);
    free(s->matrix);
    for (int k = 0; k < LEVELS; k++)
        free(s->increment[k]);
}

/* f, G, C at time; the time derivatives just after it, on the right of a corner whose time may have been rounded. */
static enum kn_status evaluate(struct hidden *s, double time, const double *x)
{
    const double after = time + TIME_ROUNDING * fabs(time);
    struct dae_values out = {.f = s->f, .G = s->G, .C = s->C, .dfdt = s->dfdt, .dqdt = s->dqdt};
    const enum kn_status status = s->dae->eval(s->dae->problem, time, x, DAE_F | DAE_G | DAE_C, &out);
    return status == KN_OK ? s->dae->eval(s->dae->problem, after, x, DAE_T, &out) : status;
}

/* ---- which equations have no charge ---- */

static void join_by_charge(struct hidden *s)
{
    const struct sparse_pattern *p = s->dae->pattern;
    for (int j = 0; j < p->n; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++)
            if (s->C[k] != 0)
                groups_unite(s->group, p->row[k] + 1, j + 1);
}

/* Groups whose rows of C do not add to zero, column by column: all entries of column j lie in the group of j. */
static void mark_charged(struct hidden *s)
{
    const struct sparse_pattern *p = s->dae->pattern;
    for (int j = 0; j < p->n; j++) {
        double sum = 0, size = 0;
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
            sum += s->C[k];
            size += fabs(s->C[k]);
        }
        if (fabs(sum) > CANCELLED * size)
            s->charged[groups_find(s->group, j + 1)] = true;
    }
}

/* Row (from 0) that takes the sum of the equations of row i's group; -1 when the group has charge. */
static int sum_row(const struct hidden *s, int i)
{
    const int representative = groups_find(s->group, i + 1);
    return s->charged[representative] ? -1 : representative - 1;
}

/* ---- the system of the increments ---- */

static enum kn_status make_pattern(struct hidden *s)
{
    const struct sparse_pattern *p = s->dae->pattern;
    const size_t entries = (size_t)p->entries;
    int *rows = malloc(2 * entries * sizeof *rows), *columns = malloc(2 * entries * sizeof *columns);
    enum kn_status status = KN_ERROR_MEMORY;
    if (rows && columns) {
        for (int j = 0; j < p->n; j++)
            for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
                const int sum = sum_row(s, p->row[k]);
                rows[k] = sum == p->row[k] ? -1 : p->row[k];
                rows[entries + (size_t)k] = sum;
                columns[k] = columns[entries + (size_t)k] = j;
            }
        status = sparse_pattern_new(p->n, rows, columns, 2 * entries, s->slot, &s->pattern);
    }
    free(rows);
    free(columns);
    if (status != KN_OK)
        return status;
    s->matrix = sparse_values(s->pattern);
    return s->matrix ? KN_OK : KN_ERROR_MEMORY;
}

static void fill(struct hidden *s, double h, double *right)
{
    const struct sparse_pattern *p = s->dae->pattern;
    memset(s->matrix, 0, ((size_t)s->pattern->entries + 1) * sizeof *s->matrix);
    for (int k = 0; k < p->entries; k++) {
        s->matrix[s->slot[k]] += s->G[k] + s->C[k] / h;
        s->matrix[s->sum_slot[k]] += s->G[k];
    }
    for (int i = 0; i < p->n; i++)
        right[i] = 0;
    for (int i = 0; i < p->n; i++) {
        const int sum = sum_row(s, i);
        if (sum != i)
            right[i] -= s->f[i] + s->dqdt[i] + h * s->dfdt[i];
        if (sum >= 0)
            right[sum] -= h * s->dfdt[i];
    }
}

static enum kn_status solve_levels(struct hidden *s, double h)
{
    struct sparse_lu *lu;
    enum kn_status status = sparse_lu_new(s->pattern, &lu);
    for (int k = 0; k < LEVELS && status == KN_OK; k++) {
        fill(s, ldexp(h, -k), s->increment[k]);
        status = sparse_lu_factor(lu, s->matrix);
        if (status == KN_OK)
            sparse_lu_solve(lu, s->increment[k]);
    }
    sparse_lu_free(lu);
    return status;
}

static void add_limits(const struct hidden *s, double *x)
{
    for (int i = 0; i < s->dae->n; i++) {
        const double add = limit_of(s->increment[0][i], s->increment[1][i], s->increment[2][i]);
        if (isfinite(add))
            x[i] += add;
    }
}

enum kn_status hidden_complete(struct mna *m, double time, double h, double *x)
{
    struct hidden s;
    enum kn_status status = hidden_init(&s, mna_dae(m));
    if (status == KN_OK)
        status = evaluate(&s, time, x);
    if (status == KN_OK) {
        join_by_charge(&s);
        mark_charged(&s);
        status = make_pattern(&s);
    }
    if (status == KN_OK)
        status = solve_levels(&s, h);
    if (status == KN_OK)
        add_limits(&s, x);
    hidden_free(&s);
    return status == KN_ERROR_CIRCUIT ? KN_OK : status;
}
