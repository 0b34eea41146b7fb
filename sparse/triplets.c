/* triplets.c - see triplets.h. */
#include "sparse/triplets.h"

#include "base/array.h"
#include "sparse/equilibrate.h"

#include <math.h>
#include <stdlib.h>

static bool grow(struct triplets *t)
{
    size_t rows = t->capacity, columns = t->capacity; /* the three grow alike */
    return array_reserve(&t->row, t->count + 1, &rows, sizeof *t->row) &&
           array_reserve(&t->column, t->count + 1, &columns, sizeof *t->column) &&
           array_reserve(&t->value, t->count + 1, &t->capacity, sizeof *t->value);
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

bool triplets_scale(int n, struct triplets *t, double *rows, double *columns)
{
    const struct entries a = {n, n, t->count, t->row, t->column, t->value};
    if (!equilibrate(&a, rows, columns))
        return false;
    for (size_t e = 0; e < t->count; e++)
        t->value[e] *= rows[t->row[e]] * columns[t->column[e]];
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

enum kn_status triplets_condition(int n, struct triplets *t, double *condition)
{
    struct factored f = {.condition = INFINITY};
    double *factors = malloc(2 * ((size_t)n + 1) * sizeof *factors);
    const bool scaled = factors && triplets_scale(n, t, factors, factors + n);
    const enum kn_status status = scaled ? triplets_factor(n, t, &f) : KN_ERROR_MEMORY;
    *condition = f.condition;
    factored_free(&f);
    free(factors);
    return status;
}
