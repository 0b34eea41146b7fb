/* index_storage.c - the null spaces of the capacitance matrix.
 *
 * C falls into blocks that share no row or column: the nodes joined by charges, the coupled inductors.  The sums of
 * capacitances at a node forget a small one beside a large one, so a block of passive capacitances gets its null space
 * from the graph: (1, .., 1) where none of them leads to ground, nothing otherwise.  Other blocks are decomposed
 * numerically.
 */
#include "base/array.h"
#include "base/groups.h"
#include "mna/index/index_parts.h"

#include "base/groups.h"
#include "mna/topology/graph.h"
#include "sparse/triplets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct growing {
    struct vectors *v;
    size_t capacity; /* of row and value */
};

struct search {
    struct arena *memory;
    const struct pencil *p;
    int most_dense;
    bool *trusted;  /* [n] all charges at this node are passive */
    bool *grounded; /* [n] one of them leads to ground; or no node voltage */
    int *block_of;  /* [2 n] rows, then columns; -1: no entry in C */
    int *place;     /* [n] workspace */
    struct growing left, right;
    struct storage *out;
    int column_rank; /* columns kept so far; rank counts rows */
};

static bool make_room(struct arena *memory, struct growing *g, int more)
{
    struct vectors *v = g->v;
    const size_t used = (size_t)v->start[v->count], needed = used + (size_t)more;
    size_t rows = g->capacity; /* the two grow alike */
    return array_reserve_in(memory, &v->row, used, needed, &rows, sizeof *v->row) &&
           array_reserve_in(memory, &v->value, used, needed, &g->capacity, sizeof *v->value);
}

/* rows[count]: where the entries belong; values NULL: all 1. Zeros are left out. */
static bool add_vector(struct arena *memory, struct growing *g, const int *rows, const double *values, int count)
{
    if (!make_room(memory, g, count))
        return false;
    struct vectors *v = g->v;
    int used = v->start[v->count];
    for (int i = 0; i < count; i++)
        if (!values || values[i] != 0) {
            v->row[used] = rows[i];
            v->value[used++] = values ? values[i] : 1;
        }
    v->start[++v->count] = used;
    return true;
}

static bool start_vectors(struct arena *memory, int n, struct growing *g, struct vectors *v)
{
    g->v = v;
    g->capacity = 0;
    v->start = arena_array(memory, (size_t)n + 2, sizeof *v->start);
    return v->start && make_room(memory, g, 2 * n + 1);
}

/* ---- what the graph knows ---- */

/* A charge whose capacitance is positive wherever the circuit stands. */
static bool is_passive(const struct branch *b)
{
    return b->constant > 0 || (b->increasing && !b->controlled);
}

static void read_branches(struct search *s, const struct topology *t)
{
    for (int i = 0; i < s->p->n; i++) {
        s->trusted[i] = t->unknowns[i + 1].kind == UNKNOWN_VOLTAGE;
        s->grounded[i] = !s->trusted[i];
    }
    for (size_t i = 0; i < t->list.count; i++) {
        const struct branch *b = &t->list.branches[i];
        if (b->kind != BRANCH_C || b->plus == b->minus)
            continue;
        const int ends[2] = {b->plus, b->minus};
        for (int k = 0; k < 2; k++) {
            if (ends[k] == 0)
                continue;
            s->trusted[ends[k] - 1] = s->trusted[ends[k] - 1] && is_passive(b);
            s->grounded[ends[k] - 1] = s->grounded[ends[k] - 1] || ends[1 - k] == 0;
        }
    }
}

/* ---- blocks ---- */

struct block {
    int number;
    const int *rows, *columns;
    int row_count, column_count;
};

static bool keep(struct search *s, const int *rows, int row_count, const int *columns, int column_count)
{
    for (int i = 0; i < row_count; i++)
        s->out->row_kept[s->out->rank++] = rows[i];
    for (int j = 0; j < column_count; j++)
        s->out->column_kept[s->column_rank++] = columns[j];
    return true;
}

/* From the graph, which may claim so of passive charges, and of large blocks until the sparse factors contradict. */
static bool take_graph_block(struct search *s, const struct block *b)
{
    bool grounded = false;
    for (int i = 0; i < b->row_count; i++)
        grounded = grounded || s->grounded[b->rows[i]];
    if (grounded)
        return keep(s, b->rows, b->row_count, b->columns, b->column_count);
    return keep(s, b->rows + 1, b->row_count - 1, b->columns + 1, b->column_count - 1) &&
           add_vector(s->memory, &s->left, b->rows, NULL, b->row_count) &&
           add_vector(s->memory, &s->right, b->columns, NULL, b->column_count);
}

static bool fill_block(struct search *s, const struct block *b, struct dense *a)
{
    if (!dense_new(s->memory, b->row_count, b->column_count, a))
        return false;
    for (int i = 0; i < b->row_count; i++)
        s->place[b->rows[i]] = i;
    for (int j = 0; j < b->column_count; j++) {
        const int column = b->columns[j];
        for (int e = s->p->pattern->column_start[column]; e < s->p->pattern->column_start[column + 1]; e++)
            if (s->p->C[e] != 0)
                *dense_at(a, s->place[s->p->pattern->row[e]], j) = s->p->C[e];
    }
    return true;
}

static bool take_kernel(struct search *s, const struct block *b, const struct kernel *k)
{
    for (int i = 0; i < k->rank; i++) {
        s->out->row_kept[s->out->rank++] = b->rows[k->row_kept[i]];
        s->out->column_kept[s->column_rank++] = b->columns[k->column_kept[i]];
    }
    for (int j = 0; j < k->left.columns; j++)
        if (!add_vector(s->memory, &s->left, b->rows, dense_at(&k->left, 0, j), b->row_count))
            return false;
    for (int j = 0; j < k->right.columns; j++)
        if (!add_vector(s->memory, &s->right, b->columns, dense_at(&k->right, 0, j), b->column_count))
            return false;
    return true;
}

/* Scaled condition below which a block is regular beyond doubt: half of the digits are left. */
#define CLEARLY_REGULAR (1 / sqrt(DBL_EPSILON))

/* Its entries but those of one of its columns, without[row_count], NULL: all. */
static bool block_entries(struct search *s, const struct block *b, int left_out, double *without, struct triplets *t)
{
    const struct sparse_pattern *pattern = s->p->pattern;
    bool good = true;
    for (int i = 0; i < b->row_count; i++)
        s->place[b->rows[i]] = i;
    for (int j = 0; good && j < b->column_count; j++)
        for (int e = pattern->column_start[b->columns[j]]; good && e < pattern->column_start[b->columns[j] + 1]; e++) {
            const int row = s->place[pattern->row[e]];
            if (s->p->C[e] == 0)
                continue;
            if (j == left_out)
                without[row] = s->p->C[e];
            else
                good = triplets_add(t, row, j - (left_out >= 0 && j > left_out), s->p->C[e]);
        }
    return good;
}

static enum kn_status block_condition(struct search *s, const struct block *b, double *condition)
{
    struct triplets t = {0};
    const bool good = block_entries(s, b, -1, NULL, &t);
    const enum kn_status status = good ? triplets_condition(b->row_count, &t, condition) : KN_ERROR_MEMORY;
    triplets_free(&t);
    return status;
}

/* Whether it is regular takes sparse factors and no singular values. */
static enum kn_status take_large_block(struct search *s, const struct block *b, bool *taken)
{
    double condition;
    const enum kn_status status = block_condition(s, b, &condition);
    *taken = status == KN_OK && condition < CLEARLY_REGULAR;
    if (!*taken)
        return status;
    s->out->smallest = fmin(s->out->smallest, 1 / condition);
    s->out->condition = fmax(s->out->condition, condition);
    return keep(s, b->rows, b->row_count, b->columns, b->column_count) ? KN_OK : KN_ERROR_MEMORY;
}

/* The column with the most entries. */
static int fullest_column(const struct search *s, const struct block *b)
{
    const int *start = s->p->pattern->column_start;
    int fullest = 0;
    for (int j = 1; j < b->column_count; j++)
        if (start[b->columns[j] + 1] - start[b->columns[j]] >
            start[b->columns[fullest] + 1] - start[b->columns[fullest]])
            fullest = j;
    return fullest;
}

/* A z = right, in place; *condition: of A, scaled, INFINITY: there is no z. */
static enum kn_status solve_scaled(struct arena *memory, int n, struct triplets *t, double *right, double *condition)
{
    struct factored f = {.condition = INFINITY};
    double *rows = arena_array(memory, (size_t)n, sizeof *rows),
           *columns = arena_array(memory, (size_t)n, sizeof *columns);
    const bool scaled = rows && columns && triplets_scale(n, t, rows, columns);
    const enum kn_status status = scaled ? triplets_factor(n, t, &f) : KN_ERROR_MEMORY;
    *condition = f.condition;
    if (status == KN_OK && f.lu) {
        for (int i = 0; i < n; i++)
            right[i] *= rows[i];
        sparse_lu_solve(f.lu, right);
        for (int j = 0; j < n; j++)
            right[j] *= columns[j];
    }
    factored_free(&f);
    return status;
}

/* One column more than rows, as where coils share a common current (devices/linear/coupling.c).  Where the others are regular beyond doubt,
 * A z + a = 0 gives the null vector. */
static enum kn_status take_wide_block(struct search *s, const struct block *b, bool *taken)
{
    const int n = b->row_count, last = fullest_column(s, b);
    double condition;
    double *null = arena_array(s->memory, (size_t)n + 1, sizeof *null);
    int *columns = arena_array(s->memory, (size_t)n + 1, sizeof *columns);
    struct triplets t = {0};
    *taken = false;
    enum kn_status status = null && columns && block_entries(s, b, last, null, &t) ? KN_OK : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = solve_scaled(s->memory, n, &t, null, &condition);
    triplets_free(&t);
    if (status != KN_OK || !(condition < CLEARLY_REGULAR))
        return status;
    *taken = true;
    s->out->smallest = fmin(s->out->smallest, 1 / condition);
    s->out->condition = fmax(s->out->condition, condition);
    for (int j = 0; j < n; j++)
        columns[j] = b->columns[j + (j >= last)];
    columns[n] = b->columns[last];
    null[n] = -1;
    return keep(s, b->rows, n, columns, n) && add_vector(s->memory, &s->right, columns, null, n + 1) ? KN_OK
                                                                                                     : KN_ERROR_MEMORY;
}

static enum kn_status take_dense_block(struct search *s, const struct block *b)
{
    struct dense a;
    struct kernel k;
    if (!fill_block(s, b, &a))
        return KN_ERROR_MEMORY;
    const enum kn_status status = kernel_find(s->memory, &a, 0, &k);
    if (status != KN_OK)
        return status;
    s->out->smallest = fmin(s->out->smallest, k.smallest);
    s->out->condition = fmax(s->out->condition, k.condition);
    s->out->largest_dropped = fmax(s->out->largest_dropped, k.largest_dropped);
    return take_kernel(s, b, &k) ? KN_OK : KN_ERROR_MEMORY;
}

/* Node voltages and their balances of one set of nodes whose charges are all passive. */
static bool graph_knows(const struct search *s, const struct block *b)
{
    if (b->row_count != b->column_count)
        return false;
    if (b->row_count > s->most_dense)
        return true;
    for (int i = 0; i < b->row_count; i++)
        if (!s->trusted[b->rows[i]] || s->block_of[s->p->n + b->rows[i]] != b->number)
            return false;
    return true;
}

static enum kn_status take_block(struct search *s, const struct block *b)
{
    if (b->row_count == 1 && b->column_count == 1)
        return keep(s, b->rows, 1, b->columns, 1) ? KN_OK : KN_ERROR_MEMORY;
    if (graph_knows(s, b))
        return take_graph_block(s, b) ? KN_OK : KN_ERROR_MEMORY;
    bool taken = false;
    const int wider = b->column_count - b->row_count;
    if (b->row_count >= INDEX_DENSE_BLOCK && (wider == 0 || wider == 1)) {
        const enum kn_status status = wider ? take_wide_block(s, b, &taken) : take_large_block(s, b, &taken);
        if (status != KN_OK || taken)
            return status;
    }
    return take_dense_block(s, b);
}

/* block_of from the entries of C that are not 0; *count of them. */
static bool find_blocks(struct search *s, int *count)
{
    const struct sparse_pattern *pattern = s->p->pattern;
    const int n = s->p->n;
    int *together;
    int *number = arena_array(s->memory, 2 * (size_t)n + 1, sizeof *number);
    if (!number || !(together = groups_new(2 * n)))
        return false;
    for (int i = 0; i < 2 * n; i++)
        s->block_of[i] = -1;
    for (int j = 0; j < n; j++)
        for (int e = pattern->column_start[j]; e < pattern->column_start[j + 1]; e++)
            if (s->p->C[e] != 0) {
                groups_unite(together, pattern->row[e], n + j);
                s->block_of[pattern->row[e]] = s->block_of[n + j] = 0;
            }
    *count = 0;
    for (int i = 0; i < 2 * n; i++)
        if (s->block_of[i] == 0) {
            int *own = &number[groups_find(together, i)];
            s->block_of[i] = (*own ? *own : (*own = ++*count)) - 1;
        }
    free(together);
    return true;
}

static enum kn_status take_blocks(struct search *s, int count)
{
    int *row_first, *rows, *column_first, *columns;
    if (!groups_sort(s->memory, s->block_of, s->p->n, count, &rows, &row_first) ||
        !groups_sort(s->memory, s->block_of + s->p->n, s->p->n, count, &columns, &column_first))
        return KN_ERROR_MEMORY;
    enum kn_status status = KN_OK;
    for (int k = 0; status == KN_OK && k < count; k++) {
        const struct block b = {k, rows + row_first[k], columns + column_first[k], row_first[k + 1] - row_first[k],
                                column_first[k + 1] - column_first[k]};
        status = take_block(s, &b);
    }
    return status;
}

static enum kn_status take_free_rows(struct search *s)
{
    for (int i = 0; i < s->p->n; i++) {
        if (s->block_of[i] < 0 && !add_vector(s->memory, &s->left, &i, NULL, 1))
            return KN_ERROR_MEMORY;
        if (s->block_of[s->p->n + i] < 0 && !add_vector(s->memory, &s->right, &i, NULL, 1))
            return KN_ERROR_MEMORY;
    }
    return KN_OK;
}

enum kn_status storage_find(struct arena *memory, const struct pencil *p, const struct topology *t, int most_dense,
                            struct storage *out)
{
    const size_t n = (size_t)p->n;
    struct search s = {.memory = memory, .p = p, .most_dense = most_dense, .out = out};
    *out = (struct storage){.smallest = 1, .condition = 1};
    s.trusted = arena_array(memory, n + 1, sizeof *s.trusted);
    s.grounded = arena_array(memory, n + 1, sizeof *s.grounded);
    s.block_of = arena_array(memory, 2 * n + 1, sizeof *s.block_of);
    s.place = arena_array(memory, n + 1, sizeof *s.place);
    out->row_kept = arena_array(memory, n + 1, sizeof *out->row_kept);
    out->column_kept = arena_array(memory, n + 1, sizeof *out->column_kept);
    if (!s.trusted || !s.grounded || !s.block_of || !s.place || !out->row_kept || !out->column_kept ||
        !start_vectors(memory, p->n, &s.left, &out->left) || !start_vectors(memory, p->n, &s.right, &out->right))
        return KN_ERROR_MEMORY;
    read_branches(&s, t);
    int count;
    if (!find_blocks(&s, &count))
        return KN_ERROR_MEMORY;
    const enum kn_status status = take_blocks(&s, count);
    return status == KN_OK ? take_free_rows(&s) : status;
}

/* ---- coordinates ---- */

bool storage_mapping(struct arena *memory, int n, const int *kept, int rank, const struct vectors *null,
                     struct mapping *out)
{
    const int entries = rank + null->start[null->count];
    out->start = arena_array(memory, (size_t)n + 2, sizeof *out->start);
    out->target = arena_array(memory, (size_t)entries + 1, sizeof *out->target);
    out->factor = arena_array(memory, (size_t)entries + 1, sizeof *out->factor);
    if (!out->start || !out->target || !out->factor)
        return false;
    for (int k = 0; k < rank; k++)
        out->start[kept[k] + 2]++;
    for (int e = 0; e < null->start[null->count]; e++)
        out->start[null->row[e] + 2]++;
    for (int i = 0; i < n; i++)
        out->start[i + 1] += out->start[i];
    for (int k = 0; k < rank; k++) {
        const int at = out->start[kept[k] + 1]++;
        out->target[at] = k;
        out->factor[at] = 1;
    }
    for (int v = 0; v < null->count; v++)
        for (int e = null->start[v]; e < null->start[v + 1]; e++) {
            const int at = out->start[null->row[e] + 1]++;
            out->target[at] = rank + v;
            out->factor[at] = null->value[e];
        }
    return true;
}
