/* dense_triangle.c - see dense_triangle.h. */
#include "sparse/dense_triangle.h"

#include <btf.h>

static void list_entries(const struct dense *a, const struct dense *b, int *column_start, int *row)
{
    int count = 0;
    for (int j = 0; j < a->columns; j++) {
        for (int i = 0; i < a->rows; i++)
            if (*dense_at(a, i, j) != 0 || *dense_at(b, i, j) != 0)
                row[count++] = i;
        column_start[j + 1] = count;
    }
}

static void take_whole(int n, struct dense_triangle *out)
{
    for (int i = 0; i < n; i++)
        out->row[i] = out->column[i] = i;
    out->count = n > 0;
    out->start[out->count] = n;
}

bool dense_triangle_find(struct arena *memory, const struct dense *a, const struct dense *b, struct dense_triangle *out)
{
    const size_t n = (size_t)a->rows;
    int *column_start = arena_array(memory, n + 1, sizeof *column_start);
    int *row = arena_array(memory, n * n + 1, sizeof *row), *work = arena_array(memory, 5 * n + 1, sizeof *work);
    *out = (struct dense_triangle){0};
    out->row = arena_array(memory, n + 1, sizeof *out->row);
    out->column = arena_array(memory, n + 1, sizeof *out->column);
    out->start = arena_array(memory, n + 2, sizeof *out->start);
    if (!column_start || !row || !work || !out->row || !out->column || !out->start)
        return false;
    list_entries(a, b, column_start, row);
    double effort;
    int matched = 0;
    if (n > 0)
        out->count =
            btf_order((int)n, column_start, row, 0, &effort, out->row, out->column, out->start, &matched, work);
    if (matched < (int)n)
        take_whole((int)n, out);
    return true;
}
