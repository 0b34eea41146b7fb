/* triplets.c - see triplets.h. */
#include "mna/triplets.h"

#include <math.h>
#include <stdlib.h>

static bool grow(struct triplets *t)
{
    const size_t larger = t->capacity ? 2 * t->capacity : 1024;
    int *rows = realloc(t->row, larger * sizeof *rows);
    t->row = rows ? rows : t->row;
    int *columns = realloc(t->column, larger * sizeof *columns);
    t->column = columns ? columns : t->column;
    double *values = realloc(t->value, larger * sizeof *values);
    t->value = values ? values : t->value;
    if (!rows || !columns || !values)
        return false;
    t->capacity = larger;
    return true;
}

bool triplets_add(struct triplets *t, int row, int column, double value)
{
    if (t->count == t->capacity && !grow(t))
        return false;
    t->row[t->count] = row;
    t->column[t->count] = column;
    t->value[t->count++] = value;
    return true;
}

void triplets_free(struct triplets *t)
{
    free(t->row);
    free(t->column);
    free(t->value);
    *t = (struct triplets){0};
}

/* ---- scaling ---- */

static double power_of_two(double x)
{
    return x > 0 ? ldexp(1.0, -ilogb(x) / 2) : 1;
}

static void scale_once(int n, struct triplets *t, double *rows, double *columns)
{
    for (int i = 0; i < n; i++)
        rows[i] = columns[i] = 0;
    for (size_t e = 0; e < t->count; e++) {
        rows[t->row[e]] = fmax(rows[t->row[e]], fabs(t->value[e]));
        columns[t->column[e]] = fmax(columns[t->column[e]], fabs(t->value[e]));
    }
    for (int i = 0; i < n; i++) {
        rows[i] = power_of_two(rows[i]);
        columns[i] = power_of_two(columns[i]);
    }
    for (size_t e = 0; e < t->count; e++)
        t->value[e] *= rows[t->row[e]] * columns[t->column[e]];
}

bool triplets_scale(int n, struct triplets *t, double *rows, double *columns)
{
    double *once = malloc((2 * (size_t)n + 1) * sizeof *once);
    if (!once)
        return false;
    for (int i = 0; i < n; i++)
        rows[i] = columns[i] = 1;
    for (int round = 0; round < 12; round++) {
        scale_once(n, t, once, once + n);
        for (int i = 0; i < n; i++) {
            rows[i] *= once[i];
            columns[i] *= once[n + i];
        }
    }
    free(once);
    return true;
}

/* ---- factors ---- */

void factored_free(struct factored *f)
{
    sparse_lu_free(f->lu);
    sparse_pattern_free(f->pattern);
    free(f->values);
    *f = (struct factored){.condition = INFINITY};
}

static enum kn_status sum_up(int n, const struct triplets *t, struct factored *out)
{
    int *slot = malloc((t->count + 1) * sizeof *slot);
    enum kn_status status =
        slot ? sparse_pattern_new(n, t->row, t->column, t->count, slot, &out->pattern) : KN_ERROR_MEMORY;
    if (status == KN_OK && !(out->values = sparse_values(out->pattern)))
        status = KN_ERROR_MEMORY;
    for (size_t e = 0; status == KN_OK && e < t->count; e++)
        out->values[slot[e]] += t->value[e];
    free(slot);
    return status;
}

enum kn_status triplets_factor(int n, const struct triplets *t, struct factored *out)
{
    *out = (struct factored){.condition = INFINITY};
    enum kn_status status = sum_up(n, t, out);
    if (status == KN_OK)
        status = sparse_lu_new(out->pattern, &out->lu);
    if (status == KN_OK)
        status = sparse_lu_factor(out->lu, out->values);
    if (status == KN_OK)
        out->condition = sparse_lu_condition(out->lu, out->values);
    else
        factored_free(out);
    return status == KN_ERROR_CIRCUIT ? KN_OK : status;
}
