/* dense_blocks.c - null spaces of large matrices that fall apart into blocks, block by block.
 *
 * The matrices of a large circuit's loops and cutsets are mostly zeros: each feels a few neighbours.  Singular values
 * cost the cube of the size, so the blocks are looked for first.
 *
 * Where rows and columns in another order make a matrix block triangular, it is regular if the blocks of its diagonal are,
 * whatever stands beside them: stages behind each other amplify by 1e9 each, and singular values of the whole are round-off
 * of the largest then.
 */
#include "base/groups.h"
#include "sparse/dense.h"
#include "sparse/dense_triangle.h"

#include <math.h>
#include <stdlib.h>

/* Smaller matrices are not worth it. */
enum { LEAST_SIZE = 100 };

/* Rows and columns in the order of their blocks; those of block k are start[k] .. start[k + 1]. */
struct blocks {
    int count;
    int *row, *row_start, *column, *column_start;
};

struct assembly {
    const struct dense *a, *noise;
    struct blocks blocks;
    struct kernel *part; /* [blocks] */
};

/* group: rows 1 .. m, columns m + 1 .. */
static void unite_entries(const struct dense *a, int *group)
{
    for (int j = 0; j < a->columns; j++)
        for (int i = 0; i < a->rows; i++)
            if (*dense_at(a, i, j) != 0)
                groups_unite(group, i + 1, a->rows + j + 1);
}

static bool find_blocks(struct arena *memory, const struct dense *a, struct blocks *b)
{
    const int count = a->rows + a->columns;
    int *group = groups_new(count), *block = arena_array(memory, (size_t)count + 1, sizeof *block);
    b->count = 0;
    if (group && block) {
        unite_entries(a, group);
        for (int i = 0; i < count; i++) { /* the smallest of a group represents it */
            const int first = groups_find(group, i + 1) - 1;
            block[i] = first == i ? b->count++ : block[first];
        }
    }
    const bool good = group && block && groups_sort(memory, block, a->rows, b->count, &b->row, &b->row_start) &&
                      groups_sort(memory, block + a->rows, a->columns, b->count, &b->column, &b->column_start);
    free(group);
    return good;
}

static enum kn_status find_part(struct arena *memory, const struct assembly *s, int k, double tolerance)
{
    const struct blocks *b = &s->blocks;
    const int *row = b->row + b->row_start[k], *column = b->column + b->column_start[k];
    const int rows = b->row_start[k + 1] - b->row_start[k], columns = b->column_start[k + 1] - b->column_start[k];
    struct dense a, noise;
    if (!dense_select(memory, s->a, row, rows, column, columns, &a) ||
        (s->noise && !dense_select(memory, s->noise, row, rows, column, columns, &noise)))
        return KN_ERROR_MEMORY;
    return kernel_find_whole(memory, &a, s->noise ? &noise : NULL, tolerance, &s->part[k]);
}

/* One basis, its pivots and the places kept, from those of the blocks. */
static void put_side(const struct blocks *b, const struct kernel *part, bool left, struct kernel *out)
{
    const int *start = left ? b->row_start : b->column_start, *place = left ? b->row : b->column;
    struct dense *whole = left ? &out->left : &out->right;
    int *kept = left ? out->row_kept : out->column_kept, *pivot = left ? out->row_pivot : out->column_pivot;
    int vectors = 0, places = 0;
    for (int k = 0; k < b->count; k++) {
        const struct dense *basis = left ? &part[k].left : &part[k].right;
        const int *own_kept = left ? part[k].row_kept : part[k].column_kept;
        const int *own_pivot = left ? part[k].row_pivot : part[k].column_pivot;
        for (int i = 0; i < part[k].rank; i++)
            kept[places++] = place[start[k] + own_kept[i]];
        for (int j = 0; j < basis->columns; j++, vectors++) {
            pivot[vectors] = place[start[k] + own_pivot[j]];
            for (int i = 0; i < basis->rows; i++)
                *dense_at(whole, place[start[k] + i], vectors) = *dense_at(basis, i, j);
        }
    }
}

static bool assemble(struct arena *memory, const struct assembly *s, struct kernel *out)
{
    const int m = s->a->rows, n = s->a->columns;
    *out = (struct kernel){.smallest = 1, .condition = 1};
    for (int k = 0; k < s->blocks.count; k++) {
        out->rank += s->part[k].rank;
        out->smallest = fmin(out->smallest, s->part[k].smallest);
        out->largest_dropped = fmax(out->largest_dropped, s->part[k].largest_dropped);
        out->condition = fmax(out->condition, s->part[k].condition);
    }
    out->row_kept = arena_array(memory, (size_t)m + 1, sizeof *out->row_kept);
    out->row_pivot = arena_array(memory, (size_t)m + 1, sizeof *out->row_pivot);
    out->column_kept = arena_array(memory, (size_t)n + 1, sizeof *out->column_kept);
    out->column_pivot = arena_array(memory, (size_t)n + 1, sizeof *out->column_pivot);
    if (!out->row_kept || !out->row_pivot || !out->column_kept || !out->column_pivot ||
        !dense_new(memory, m, m - out->rank, &out->left) || !dense_new(memory, n, n - out->rank, &out->right))
        return false;
    put_side(&s->blocks, s->part, true, out);
    put_side(&s->blocks, s->part, false, out);
    return true;
}

/* ---- regular by the blocks of a diagonal ---- */

static enum kn_status look_at_diagonal(struct arena *memory, const struct assembly *s, const struct dense_triangle *t,
                                       struct kernel *out)
{
    enum kn_status status = KN_OK;
    *out = (struct kernel){.smallest = 1, .condition = 1};
    for (int k = 0; status == KN_OK && k < t->count; k++) {
        const int first = t->start[k], size = t->start[k + 1] - first;
        struct dense a, noise;
        struct kernel part;
        if (!dense_select(memory, s->a, t->row + first, size, t->column + first, size, &a) ||
            !dense_select(memory, s->noise, t->row + first, size, t->column + first, size, &noise))
            return KN_ERROR_MEMORY;
        status = kernel_find_whole(memory, &a, &noise, 0, &part);
        if (status != KN_OK)
            return status;
        out->rank += part.rank;
        out->smallest = fmin(out->smallest, part.smallest);
        out->condition = fmax(out->condition, part.condition);
    }
    return status;
}

static bool keep_all(struct arena *memory, int n, struct kernel *k)
{
    k->row_kept = arena_array(memory, (size_t)n + 1, sizeof *k->row_kept);
    k->column_kept = arena_array(memory, (size_t)n + 1, sizeof *k->column_kept);
    k->row_pivot = arena_array(memory, 1, sizeof *k->row_pivot);
    k->column_pivot = arena_array(memory, 1, sizeof *k->column_pivot);
    for (int i = 0; i < n && k->row_kept && k->column_kept; i++)
        k->row_kept[i] = k->column_kept[i] = i;
    return k->row_kept && k->column_kept && k->row_pivot && k->column_pivot && dense_new(memory, n, 0, &k->left) &&
           dense_new(memory, n, 0, &k->right);
}

/* Of a matrix whose entries have known errors, each of which is 0 where it is nothing else. */
static enum kn_status find_regular(struct arena *memory, const struct assembly *s, struct kernel *out, bool *regular)
{
    struct dense_triangle triangle;
    *regular = false;
    if (!s->noise || s->a->rows != s->a->columns)
        return KN_OK;
    if (!dense_triangle_find(memory, s->a, s->a, &triangle))
        return KN_ERROR_MEMORY;
    if (triangle.count < 2)
        return KN_OK;
    const enum kn_status status = look_at_diagonal(memory, s, &triangle, out);
    *regular = status == KN_OK && out->rank == s->a->rows;
    return *regular && !keep_all(memory, out->rank, out) ? KN_ERROR_MEMORY : status;
}

static enum kn_status find_kernel(struct arena *memory, const struct dense *a, const struct dense *noise,
                                  double tolerance, struct kernel *out)
{
    struct assembly s = {.a = a, .noise = noise};
    if (a->rows < LEAST_SIZE || a->columns < LEAST_SIZE)
        return kernel_find_whole(memory, a, noise, tolerance, out);
    if (!find_blocks(memory, a, &s.blocks))
        return KN_ERROR_MEMORY;
    if (s.blocks.count == 1)
        return kernel_find_whole(memory, a, noise, tolerance, out);
    s.part = arena_array(memory, (size_t)s.blocks.count, sizeof *s.part);
    enum kn_status status = s.part ? KN_OK : KN_ERROR_MEMORY;
    for (int k = 0; status == KN_OK && k < s.blocks.count; k++)
        status = find_part(memory, &s, k, tolerance);
    if (status != KN_OK)
        return status;
    return assemble(memory, &s, out) ? KN_OK : KN_ERROR_MEMORY;
}

enum kn_status kernel_find_noisy(struct arena *memory, const struct dense *a, const struct dense *noise,
                                 double tolerance, struct kernel *out)
{
    const struct assembly s = {.a = a, .noise = noise};
    bool regular = false;
    struct kernel whole;
    enum kn_status status = find_kernel(memory, a, noise, tolerance, &whole);
    if (status == KN_OK && whole.rank < a->rows && tolerance == 0)
        status = find_regular(memory, &s, out, &regular);
    if (!regular)
        *out = whole;
    return status;
}

enum kn_status kernel_find(struct arena *memory, const struct dense *a, double tolerance, struct kernel *out)
{
    return kernel_find_noisy(memory, a, NULL, tolerance, out);
}
