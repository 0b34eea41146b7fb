/* algebraic.c - see algebraic.h. */
#include "mna/quasistatic/algebraic.h"

#include "base/rounding.h"

#include <math.h>
#include <string.h>

static bool add_products(const struct pencil *p, const struct mapping *rows, const struct mapping *columns,
                         struct triplets *t)
{
    for (int j = 0; j < p->n; j++)
        for (int e = p->pattern->column_start[j]; e < p->pattern->column_start[j + 1]; e++) {
            const int i = p->pattern->row[e];
            for (int b = columns->start[j]; p->G[e] != 0 && b < columns->start[j + 1]; b++)
                for (int a = rows->start[i]; a < rows->start[i + 1]; a++)
                    if (!triplets_add(t, rows->target[a], columns->target[b],
                                      p->G[e] * rows->factor[a] * columns->factor[b]))
                        return false;
        }
    return true;
}

/* W^T J N. */
static enum kn_status factor(struct algebraic *a)
{
    const int n = a->pencil.n;
    struct mapping rows, columns;
    struct triplets t = {0};
    const struct border_places none = {0};
    const bool good = storage_mapping(a->memory, n, NULL, 0, &a->left, &rows) &&
                      storage_mapping(a->memory, n, NULL, 0, &a->null.right, &columns) &&
                      add_products(&a->pencil, &rows, &columns, &t);
    bordered_free(&a->matrix);
    const enum kn_status status =
        good ? bordered_find(a->memory, a->null.right.count, &t, &none, &a->matrix) : KN_ERROR_MEMORY;
    triplets_free(&t);
    return status;
}

/* Scalar product of the sparse vector `number` with x [n]. */
static double product(const struct vectors *v, int number, const double *x)
{
    double sum = 0;
    for (int e = v->start[number]; e < v->start[number + 1]; e++)
        sum += v->value[e] * x[v->row[e]];
    return sum;
}

void algebraic_answer(struct algebraic *a, const double *charge, double *x)
{
    const struct vectors *right = &a->null.right;
    memset(x, 0, (size_t)a->pencil.n * sizeof *x);
    if (a->empty)
        return;
    for (int k = 0; k < a->left.count; k++)
        a->small[k] = product(&a->left, k, charge);
    bordered_solve(&a->matrix, a->small, a->answer);
    for (int k = 0; k < right->count; k++)
        for (int e = right->start[k]; e < right->start[k + 1]; e++)
            x[right->row[e]] += right->value[e] * a->answer[k];
}

/* ---- constraints ---- */

/* The left null vector `column` as combination [n] of the equations. */
static void expand(const struct algebraic *a, int column, double *out)
{
    const struct vectors *left = &a->left;
    memset(out, 0, (size_t)a->pencil.n * sizeof *out);
    for (int k = 0; k < left->count; k++)
        for (int e = left->start[k]; e < left->start[k + 1]; e++)
            out[left->row[e]] += left->value[e] * *dense_at(&a->matrix.left, k, column);
}

/* Whether a parasitic brings charge into the combination: its ends differ by more than rounding. */
static bool is_excited(const struct stray *p, const double *combination)
{
    const double plus = unknown_value(combination, p->plus), minus = unknown_value(combination, p->minus);
    return fabs(plus - minus) > ROUNDING_SAME * (fabs(plus) + fabs(minus));
}

static bool note_excited(const struct parasitics *p, const double *combination, bool *excites)
{
    bool any = false;
    for (size_t i = 0; i < p->count; i++) {
        const bool excited = is_excited(&p->list[i], combination);
        excites[i] = excites[i] || excited;
        any = any || excited;
    }
    return any;
}

/* The part of E0 that is regular. */
static enum kn_status factor_held(const struct algebraic *a, struct factored *out)
{
    const int n = a->pencil.n, rank = a->null.rank;
    const struct sparse_pattern *pattern = a->pencil.pattern;
    int *row = arena_array(a->memory, (size_t)n + 1, sizeof *row);
    struct triplets t = {0};
    bool good = row != NULL;
    for (int i = 0; good && i < n; i++)
        row[i] = -1;
    for (int k = 0; good && k < rank; k++)
        row[a->null.row_kept[k]] = k;
    for (int k = 0; good && k < rank; k++) {
        const int j = a->null.column_kept[k];
        for (int e = pattern->column_start[j]; good && e < pattern->column_start[j + 1]; e++)
            good = row[pattern->row[e]] < 0 || a->pencil.C[e] == 0 ||
                   triplets_add(&t, row[pattern->row[e]], k, a->pencil.C[e]);
    }
    const enum kn_status status = good ? triplets_factor(rank, &t, out) : KN_ERROR_MEMORY;
    triplets_free(&t);
    return status;
}

/* out [n] := m with E0^T m = J^T combination. */
static void differentiate(const struct algebraic *a, const struct factored *held, const double *combination,
                          double *work, double *out)
{
    const struct sparse_pattern *pattern = a->pencil.pattern;
    for (int k = 0; k < a->null.rank; k++) {
        const int j = a->null.column_kept[k];
        work[k] = 0;
        for (int e = pattern->column_start[j]; e < pattern->column_start[j + 1]; e++)
            work[k] += a->pencil.G[e] * combination[pattern->row[e]];
    }
    sparse_lu_solve_transposed(held->lu, work);
    memset(out, 0, (size_t)a->pencil.n * sizeof *out);
    for (int k = 0; k < a->null.rank; k++)
        out[a->null.row_kept[k]] = work[k];
}

/* The vector of W that a null vector makes superfluous, among those that are still there. */
static int superfluous(const struct dense *null, int column, const bool *gone)
{
    int found = -1;
    for (int k = 0; k < null->rows; k++)
        if (!gone[k] && (found < 0 || fabs(*dense_at(null, k, column)) > fabs(*dense_at(null, found, column))))
            found = k;
    return found;
}

/* Null vectors come in echelon form only nearly: each takes its own largest place, and leaves the others' alone. */
static void clear_column(struct dense *null, int place, int column)
{
    for (int j = 0; j < null->columns; j++) {
        const double part = *dense_at(null, place, j) / *dense_at(null, place, column);
        for (int k = 0; j != column && part != 0 && k < null->rows; k++)
            *dense_at(null, k, j) -= part * *dense_at(null, k, column);
    }
}

/* W with the vectors in `columns` [n x count] at `places`. */
static bool replace(struct algebraic *a, const bool *gone, const struct dense *columns)
{
    const struct vectors old = a->left;
    const size_t room = (size_t)old.start[old.count] + (size_t)columns->rows * (size_t)columns->columns;
    struct vectors v = {.start = arena_array(a->memory, (size_t)old.count + 2, sizeof *v.start),
                        .row = arena_array(a->memory, room + 1, sizeof *v.row),
                        .value = arena_array(a->memory, room + 1, sizeof *v.value)};
    if (!v.start || !v.row || !v.value)
        return false;
    int used = 0, taken = 0;
    for (int k = 0; k < old.count; k++) {
        for (int e = old.start[k]; !gone[k] && e < old.start[k + 1]; e++, used++) {
            v.row[used] = old.row[e];
            v.value[used] = old.value[e];
        }
        for (int i = 0; gone[k] && i < columns->rows; i++)
            if (*dense_at(columns, i, taken) != 0) {
                v.row[used] = i;
                v.value[used++] = *dense_at(columns, i, taken);
            }
        taken += gone[k];
        v.start[++v.count] = used;
    }
    a->left = v;
    return true;
}

/* Derivatives of the constraints take their places. */
static enum kn_status state_derivatives(struct algebraic *a, double *combination)
{
    struct bordered *matrix = &a->matrix;
    struct factored held = {0};
    struct dense columns;
    const size_t n = (size_t)a->pencil.n;
    bool *gone = arena_array(a->memory, (size_t)a->left.count + 1, sizeof *gone);
    double *work = arena_array(a->memory, n + 1, sizeof *work);
    if (!gone || !work || !dense_new(a->memory, (int)n, matrix->left.columns, &columns))
        return KN_ERROR_MEMORY;
    enum kn_status status = factor_held(a, &held);
    for (int v = 0; status == KN_OK && held.lu && v < matrix->left.columns; v++) {
        expand(a, v, combination);
        differentiate(a, &held, combination, work, dense_at(&columns, 0, v));
    }
    for (int v = 0; v < matrix->left.columns; v++) {
        const int place = superfluous(&matrix->left, v, gone);
        gone[place] = true;
        clear_column(&matrix->left, place, v);
    }
    if (status == KN_OK && held.lu)
        status = replace(a, gone, &columns) ? factor(a) : KN_ERROR_MEMORY;
    factored_free(&held);
    return status;
}

/* ---- all of it ---- */

static enum kn_status find(struct algebraic *a, const struct parasitics *p, bool *excites,
                           enum algebraic_outcome *outcome)
{
    const int m = a->null.right.count;
    double *combination = arena_array(a->memory, (size_t)a->pencil.n + 1, sizeof *combination);
    a->left = a->null.left;
    a->empty = m == 0;
    *outcome = ALGEBRAIC_REGULAR;
    if (!combination || !arena_vectors(a->memory, (size_t)m + 1, (double **const[]){&a->small, &a->answer, NULL}))
        return KN_ERROR_MEMORY;
    if (a->empty)
        return KN_OK;
    enum kn_status status = factor(a);
    bool excited = false;
    if (status != KN_OK || (a->matrix.found && a->matrix.left.columns == 0))
        return status;
    *outcome = ALGEBRAIC_UNCLEAR;
    if (!a->matrix.found)
        return KN_OK;
    for (int v = 0; v < a->matrix.left.columns; v++) {
        expand(a, v, combination);
        excited = note_excited(p, combination, excites) || excited;
    }
    if (excited) {
        *outcome = ALGEBRAIC_EXCITED;
        return KN_OK;
    }
    status = state_derivatives(a, combination);
    if (status == KN_OK && a->matrix.found && a->matrix.left.columns == 0)
        *outcome = ALGEBRAIC_REGULAR;
    else if (status == KN_OK && a->matrix.found &&
             a->matrix.largest_dropped < INDEX_SURELY_ZERO) /* else a nearly vanishing charge may be why */
        *outcome = ALGEBRAIC_HIGHER;
    return status;
}

enum kn_status algebraic_find(struct arena *memory, struct mna *m, const struct topology *t, double time,
                              const double *x, const struct parasitics *p, bool *excites, struct algebraic *out,
                              enum algebraic_outcome *outcome)
{
    *out = (struct algebraic){.memory = memory};
    enum kn_status status = pencil_at(m, time, x, memory, &out->pencil);
    if (status == KN_OK)
        status = storage_find(memory, &out->pencil, t, INDEX_DENSE_BLOCK, &out->null);
    return status == KN_OK ? find(out, p, excites, outcome) : status;
}

void algebraic_free(struct algebraic *a)
{
    bordered_free(&a->matrix);
}
