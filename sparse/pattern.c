/* pattern.c - compressed-column patterns from coordinates, and products with their values. */
#include "sparse/sparse.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* A coordinate with the place where it was asked for; the diagonal's own have origin SIZE_MAX. */
struct coordinate {
    int row, column;
    size_t origin;
};

/* Stable counting sort by key (row or column), n keys. */
static void sort_by(const struct coordinate *from, struct coordinate *to, size_t count, int n, int *start, bool by_row)
{
    for (int k = 0; k <= n; k++)
        start[k] = 0;
    for (size_t i = 0; i < count; i++)
        start[(by_row ? from[i].row : from[i].column) + 1]++;
    for (int k = 0; k < n; k++)
        start[k + 1] += start[k];
    for (size_t i = 0; i < count; i++)
        to[start[by_row ? from[i].row : from[i].column]++] = from[i];
}

static struct sparse_pattern *pattern_alloc(int n, size_t most)
{
    struct sparse_pattern *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->n = n;
    p->column_start = calloc((size_t)n + 1, sizeof *p->column_start);
    p->row = calloc(most + 1, sizeof *p->row);
    p->asked = calloc((size_t)n, sizeof *p->asked);
    p->shared = calloc(1, sizeof *p->shared);
    if (!p->column_start || !p->row || !p->asked || !p->shared) {
        sparse_pattern_free(p);
        return NULL;
    }
    return p;
}

/* list is sorted by column, then row. */
static void merge(struct sparse_pattern *p, const struct coordinate *list, size_t count, int *slot)
{
    int entry = -1, row = -1, column = -1;
    for (size_t i = 0; i < count; i++) {
        if (list[i].row != row || list[i].column != column) {
            row = list[i].row;
            column = list[i].column;
            p->row[++entry] = row;
            p->column_start[column + 1] = entry + 1;
        }
        if (list[i].origin == SIZE_MAX)
            continue;
        if (row == column)
            p->asked[column] = true;
        if (slot)
            slot[list[i].origin] = entry;
    }
    p->entries = entry + 1;
    for (int j = 0; j < p->n; j++)
        if (p->column_start[j + 1] < p->column_start[j])
            p->column_start[j + 1] = p->column_start[j];
}

enum kn_status sparse_pattern_new(int n, const int *rows, const int *columns, size_t count, int *slot,
                                  struct sparse_pattern **out)
{
    *out = NULL;
    if (n < 1 || n == INT_MAX || count > (size_t)INT_MAX - (size_t)n - 1)
        return KN_ERROR_ARGUMENT;
    const size_t most = count + (size_t)n;
    struct coordinate *list = malloc(most * sizeof *list), *sorted = malloc(most * sizeof *sorted);
    int *start = malloc(((size_t)n + 1) * sizeof *start);
    struct sparse_pattern *p = pattern_alloc(n, most);
    enum kn_status status = KN_ERROR_MEMORY;
    if (!list || !sorted || !start || !p)
        goto done;
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (rows[i] >= 0 && columns[i] >= 0)
            list[used++] = (struct coordinate){rows[i], columns[i], i};
    for (int k = 0; k < n; k++)
        list[used++] = (struct coordinate){k, k, SIZE_MAX};
    sort_by(list, sorted, used, n, start, true);
    sort_by(sorted, list, used, n, start, false);
    merge(p, list, used, slot);
    for (size_t i = 0; slot && i < count; i++)
        if (rows[i] < 0 || columns[i] < 0)
            slot[i] = p->entries;
    *out = p;
    p = NULL;
    status = KN_OK;
done:
    sparse_pattern_free(p);
    free(list);
    free(sorted);
    free(start);
    return status;
}

void sparse_pattern_free(struct sparse_pattern *p)
{
    if (!p)
        return;
    free(p->column_start);
    free(p->row);
    free(p->asked);
    if (p->shared)
        sparse_analysis_free(p->shared->analysis);
    free(p->shared);
    free(p);
}

double *sparse_values(const struct sparse_pattern *p)
{
    return calloc((size_t)p->entries + 1, sizeof(double));
}

int sparse_pattern_find(const struct sparse_pattern *p, int row, int column)
{
    int low = p->column_start[column], high = p->column_start[column + 1] - 1;
    while (low <= high) {
        const int middle = low + (high - low) / 2;
        if (p->row[middle] == row)
            return middle;
        if (p->row[middle] < row)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

void sparse_multiply_add(const struct sparse_pattern *p, const double *values, const double *x, double *y)
{
    for (int j = 0; j < p->n; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++)
            y[p->row[k]] += values[k] * x[j];
}

void sparse_multiply_add_absolute(const struct sparse_pattern *p, const double *values, const double *x, double *y)
{
    for (int j = 0; j < p->n; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++)
            y[p->row[k]] += fabs(values[k] * x[j]);
}
