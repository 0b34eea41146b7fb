/* kept_pivots.c - see kept_pivots.h. */
#include "sparse/kept_pivots.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- taking over ---- */

/* What a change of pivots may add to the entries without new memory. */
static const size_t SPARE_PART = 4;

/* Room for a number of entries and a quarter more. */
static bool part_reserve(struct part *p, int n, size_t entries)
{
    size_t rows = p->capacity, values = p->capacity;
    const size_t needed = p->capacity >= entries + 1 ? 0 : entries + entries / SPARE_PART + 1;
    if (!p->start)
        p->start = calloc((size_t)n + 1, sizeof *p->start);
    if (!p->start || !array_reserve(&p->row, needed, &rows, sizeof *p->row) ||
        !array_reserve(&p->value, needed, &values, sizeof *p->value))
        return false;
    p->capacity = rows < values ? rows : values;
    p->start[0] = 0;
    return true;
}

static void part_free(struct part *p)
{
    free(p->start);
    free(p->row);
    free(p->value);
}

void kept_pivots_free(struct kept_pivots *k)
{
    part_free(&k->lower);
    part_free(&k->upper);
    part_free(&k->above);
    part_free(&k->inside);
    int *const numbers[] = {k->block_start, k->row, k->column, k->place_of, k->inside_slot, k->above_slot};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        free(numbers[i]);
    free(k->pivot);
    free(k->work);
    *k = (struct kept_pivots){0};
}

/* As many as the analysis expects in L or U, or as in A where it does not say. */
static size_t expected(double entries, const struct sparse_pattern *p)
{
    return entries > 0 ? (size_t)fmin(entries, 1e9) : (size_t)p->entries;
}

enum kn_status kept_pivots_init(struct kept_pivots *k, const struct sparse_pattern *p, const klu_symbolic *symbolic)
{
    const size_t n = (size_t)p->n, entries = (size_t)p->entries;
    int **const numbers[] = {&k->block_start, &k->row, &k->column, &k->place_of};
    bool done = true;
    k->n = p->n;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        done = (*numbers[i] = calloc(n + 1, sizeof **numbers[i])) && done;
    k->inside_slot = calloc(entries + 1, sizeof *k->inside_slot);
    k->above_slot = calloc(entries + 1, sizeof *k->above_slot);
    k->pivot = calloc(n, sizeof *k->pivot);
    k->work = calloc(n, sizeof *k->work);
    done = done && k->inside_slot && k->above_slot && k->pivot && k->work && part_reserve(&k->above, p->n, entries) &&
           part_reserve(&k->inside, p->n, entries) && part_reserve(&k->lower, p->n, expected(symbolic->lnz, p)) &&
           part_reserve(&k->upper, p->n, expected(symbolic->unz, p));
    if (done)
        return KN_OK;
    kept_pivots_free(k);
    return KN_ERROR_MEMORY;
}

/* Takes the diagonal out of a triangular part. */
static void drop_diagonal(struct part *p, int n)
{
    int kept = 0, begin = 0;
    for (int j = 0; j < n; j++) {
        const int end = p->start[j + 1];
        for (int e = begin; e < end; e++)
            if (p->row[e] != j)
                p->row[kept++] = p->row[e];
        begin = end;
        p->start[j + 1] = kept;
    }
}

/* Where the entries of A go: into the blocks, or above them. */
static void place_entries(struct kept_pivots *k, const struct sparse_pattern *p)
{
    int inside = 0, above = 0;
    for (int i = 0; i < k->n; i++)
        k->place_of[k->row[i]] = i;
    for (int b = 0; b < k->blocks; b++)
        for (int j = k->block_start[b]; j < k->block_start[b + 1]; j++) {
            for (int e = p->column_start[k->column[j]]; e < p->column_start[k->column[j] + 1]; e++) {
                const int row = k->place_of[p->row[e]];
                if (row < k->block_start[b]) {
                    k->above.row[above] = row;
                    k->above_slot[above++] = e;
                } else {
                    k->inside.row[inside] = row;
                    k->inside_slot[inside++] = e;
                }
            }
            k->above.start[j + 1] = above;
            k->inside.start[j + 1] = inside;
        }
}

enum kn_status kept_pivots_take(struct kept_pivots *k, const struct sparse_pattern *p, klu_symbolic *symbolic,
                                klu_numeric *numeric, klu_common *common)
{
    const bool done =
        part_reserve(&k->lower, p->n, (size_t)numeric->lnz) && part_reserve(&k->upper, p->n, (size_t)numeric->unz) &&
        klu_sort(symbolic, numeric, common) &&
        klu_extract(numeric, symbolic, k->lower.start, k->lower.row, k->lower.value, k->upper.start, k->upper.row,
                    k->upper.value, NULL, NULL, NULL, k->row, k->column, NULL, k->block_start, common);
    if (!done)
        return KN_ERROR_MEMORY;
    k->blocks = symbolic->nblocks;
    drop_diagonal(&k->lower, k->n);
    drop_diagonal(&k->upper, k->n);
    place_entries(k, p);
    memset(k->work, 0, (size_t)k->n * sizeof *k->work); /* a factorisation that met no number may have left some */
    return KN_OK;
}

size_t kept_pivots_bytes(const struct kept_pivots *k)
{
    const size_t entries =
        k->blocks ? (size_t)k->lower.start[k->n] + (size_t)k->upper.start[k->n] + (size_t)k->above.start[k->n] : 0;
    return entries * (sizeof(double) + sizeof(int));
}

/* ---- factoring ---- */

/* y -= x times column j. */
static inline void subtract_column(const struct part *p, int j, double x, double *restrict y)
{
    for (int e = p->start[j]; e < p->start[j + 1]; e++)
        y[p->row[e]] -= p->value[e] * x;
}

/* Scatters column j of A; the sum of its sizes. */
static double load_column(struct kept_pivots *k, const double *values, int j)
{
    double sum = 0;
    for (int e = k->inside.start[j]; e < k->inside.start[j + 1]; e++) {
        const double a = values[k->inside_slot[e]];
        k->work[k->inside.row[e]] = a;
        sum += fabs(a);
    }
    for (int e = k->above.start[j]; e < k->above.start[j + 1]; e++)
        k->above.value[e] = values[k->above_slot[e]];
    return sum;
}

/* Column j of U, and what is left for that of L in work; the sum of sizes in U. */
static double eliminate(struct kept_pivots *k, int j)
{
    double *work = k->work, sum = 0;
    for (int e = k->upper.start[j]; e < k->upper.start[j + 1]; e++) {
        const int i = k->upper.row[e];
        const double u = work[i];
        work[i] = 0;
        k->upper.value[e] = u;
        sum += fabs(u);
        if (u != 0)
            subtract_column(&k->lower, i, u, work);
    }
    return sum;
}

static void divide(struct kept_pivots *k, int j)
{
    const double pivot = k->work[j];
    k->pivot[j] = pivot;
    k->work[j] = 0;
    for (int e = k->lower.start[j]; e < k->lower.start[j + 1]; e++) {
        const int i = k->lower.row[e];
        k->lower.value[e] = k->work[i] / pivot;
        k->work[i] = 0;
    }
}

bool kept_pivots_factor(struct kept_pivots *k, const double *values, double *growth)
{
    bool good = true;
    *growth = 1;
    for (int j = 0; j < k->n; j++) {
        const double before = load_column(k, values, j), above = eliminate(k, j);
        divide(k, j);
        const double ratio = before / (above + fabs(k->pivot[j]));
        good &= isfinite(ratio) && k->pivot[j] != 0; /* sums keep what is not a number */
        *growth = fmin(*growth, ratio);
    }
    return good;
}

/* ---- solving ---- */

void kept_pivots_solve(struct kept_pivots *k, double *b)
{
    double *x = k->work;
    for (int i = 0; i < k->n; i++)
        x[i] = b[k->row[i]];
    for (int block = k->blocks; block-- > 0;) {
        const int begin = k->block_start[block], end = k->block_start[block + 1];
        for (int j = begin; j < end; j++)
            if (x[j] != 0)
                subtract_column(&k->lower, j, x[j], x);
        for (int j = end; j-- > begin;) {
            x[j] /= k->pivot[j];
            if (x[j] != 0)
                subtract_column(&k->upper, j, x[j], x);
        }
        for (int j = begin; j < end; j++)
            subtract_column(&k->above, j, x[j], x);
    }
    for (int i = 0; i < k->n; i++)
        b[k->column[i]] = x[i];
    memset(x, 0, (size_t)k->n * sizeof *x);
}

static inline double dot_column(const struct part *p, int j, const double *x)
{
    double sum = 0;
    for (int e = p->start[j]; e < p->start[j + 1]; e++)
        sum += p->value[e] * x[p->row[e]];
    return sum;
}

void kept_pivots_solve_transposed(struct kept_pivots *k, double *b)
{
    double *x = k->work;
    for (int i = 0; i < k->n; i++)
        x[i] = b[k->column[i]];
    for (int block = 0; block < k->blocks; block++) {
        const int begin = k->block_start[block], end = k->block_start[block + 1];
        for (int j = begin; j < end; j++)
            x[j] -= dot_column(&k->above, j, x);
        for (int j = begin; j < end; j++)
            x[j] = (x[j] - dot_column(&k->upper, j, x)) / k->pivot[j];
        for (int j = end; j-- > begin;)
            x[j] -= dot_column(&k->lower, j, x);
    }
    for (int i = 0; i < k->n; i++)
        b[k->row[i]] = x[i];
    memset(x, 0, (size_t)k->n * sizeof *x);
}
