/* index_pencil.c - the pencil (C, G) of the equations at a point, and how large its parts are beside each other. */
#include "mna/index/index_parts.h"
#include "sparse/triplets.h"

#include <math.h>

/* C beside G in the equation and at the unknown, both of which an entry of C needs to be slow enough for. */
static bool drop_capacitances_of_nothing(struct arena *memory, const struct pencil *p)
{
    const int *start = p->pattern->column_start, *row = p->pattern->row;
    double *rows = arena_array(memory, (size_t)p->n + 1, sizeof *rows);
    double *columns = arena_array(memory, (size_t)p->n + 1, sizeof *columns);
    for (int j = 0; rows && columns && j < p->n; j++)
        for (int e = start[j]; e < start[j + 1]; e++) {
            rows[row[e]] = fmax(rows[row[e]], fabs(p->G[e]));
            columns[j] = fmax(columns[j], fabs(p->G[e]));
        }
    for (int j = 0; rows && columns && j < p->n; j++)
        for (int e = start[j]; e < start[j + 1]; e++)
            if (FASTEST.planck * fabs(p->C[e]) < fmin(rows[row[e]], columns[j]))
                p->C[e] = 0;
    return rows && columns;
}

enum kn_status pencil_at(const struct mna *m, double time, const double *x, struct arena *memory, struct pencil *p)
{
    const struct dae *dae = mna_dae(m);
    const size_t entries = (size_t)dae->pattern->entries + 1;
    *p = (struct pencil){.n = dae->n, .pattern = dae->pattern};
    p->G = arena_array(memory, entries, sizeof *p->G);
    p->C = arena_array(memory, entries, sizeof *p->C);
    if (!p->G || !p->C)
        return KN_ERROR_MEMORY;
    struct dae_values values = {.G = p->G, .C = p->C};
    const enum kn_status status = dae->eval(dae->problem, time, x, DAE_G | DAE_C, &values);
    for (size_t e = 0; status == KN_OK && e + 1 < entries; e++)
        if (!isfinite(p->G[e]) || !isfinite(p->C[e]))
            return KN_ERROR_CONVERGENCE;
    if (status == KN_OK && !dae->linear && !drop_capacitances_of_nothing(memory, p))
        return KN_ERROR_MEMORY;
    return status;
}

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

/* |G| + rate |C|, or G + rate C. */
static enum kn_status combine(const struct pencil *p, double rate, bool absolute, struct triplets *out)
{
    for (int j = 0; j < p->n; j++)
        for (int e = p->pattern->column_start[j]; e < p->pattern->column_start[j + 1]; e++) {
            const double value = absolute ? fabs(p->G[e]) + rate * fabs(p->C[e]) : p->G[e] + rate * p->C[e];
            if (value != 0 && !triplets_add(out, p->pattern->row[e], j, value))
                return KN_ERROR_MEMORY;
        }
    return KN_OK;
}

bool pencil_find_sizes(struct arena *memory, struct pencil *p)
{
    struct triplets t = {0};
    double *rows = arena_array(memory, (size_t)p->n + 1, sizeof *rows);
    p->size = arena_array(memory, (size_t)p->n + 1, sizeof *p->size);
    const bool good = rows && p->size && combine(p, pencil_middle_rate(p), true, &t) == KN_OK &&
                      triplets_scale(p->n, &t, rows, p->size);
    triplets_free(&t);
    return good;
}

enum kn_status pencil_condition(const struct pencil *p, double s, double *condition)
{
    struct triplets t = {0};
    enum kn_status status = combine(p, s, false, &t);
    if (status == KN_OK)
        status = triplets_condition(p->n, &t, condition);
    triplets_free(&t);
    return status;
}
