/* index_split.c - large circuits that fall apart: what shares ground only has nothing to do with each other, and each
 * part can be decided with dense matrices.
 *
 * The pencil is block diagonal then.  The index is the largest of the parts, dimensions of null spaces add up.
 */
#include "base/groups.h"
#include "mna/index/index_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of longer Jordan blocks dense chains do not see all unknowns. */
enum { HIGHEST_INDEX = 4 };

struct split {
    const struct pencil *p;
    const struct storage *s;
    int *group;  /* [n + 1], of unknown + 1 */
    int *member; /* [n] unknowns, part after part */
    int *start;  /* [parts + 1] */
    int *place;  /* [n] of an unknown within its part */
    int *part;   /* [n] */
    int parts;
    bool *kept_row, *kept_column;  /* [n] */
    int *left, *right;             /* [n - rank] null vectors, part after part */
    int *first_left, *first_right; /* [parts + 1] */
};

/* ---- parts ---- */

static bool find_groups(struct split *t)
{
    const struct sparse_pattern *pattern = t->p->pattern;
    t->group = groups_new(t->p->n);
    for (int j = 0; t->group && j < t->p->n; j++)
        for (int e = pattern->column_start[j]; e < pattern->column_start[j + 1]; e++)
            if (t->p->G[e] != 0 || t->p->C[e] != 0)
                groups_unite(t->group, pattern->row[e] + 1, j + 1);
    return t->group != NULL;
}

/* The parts, and for each unknown its part and its place there. */
static bool find_parts(struct arena *memory, struct split *t)
{
    const int n = t->p->n;
    t->part = arena_array(memory, (size_t)n + 1, sizeof *t->part);
    t->place = arena_array(memory, (size_t)n + 1, sizeof *t->place);
    if (!t->part || !t->place)
        return false;
    for (int i = 0; i < n; i++) /* the representative is the smallest member and comes first */
        t->part[i] = groups_find(t->group, i + 1) == i + 1 ? t->parts++ : t->part[groups_find(t->group, i + 1) - 1];
    if (!groups_sort(memory, t->part, n, t->parts, &t->member, &t->start))
        return false;
    for (int k = 0; k < t->parts; k++)
        for (int e = t->start[k]; e < t->start[k + 1]; e++)
            t->place[t->member[e]] = e - t->start[k];
    return true;
}

static bool sort_vectors(struct arena *memory, const struct split *t, const struct vectors *v, int **list, int **start)
{
    int *part_of = arena_array(memory, (size_t)v->count + 1, sizeof *part_of);
    if (!part_of)
        return false;
    for (int k = 0; k < v->count; k++)
        part_of[k] = t->part[v->row[v->start[k]]];
    return groups_sort(memory, part_of, v->count, t->parts, list, start);
}

static bool mark_kept(struct arena *memory, struct split *t)
{
    t->kept_row = arena_array(memory, (size_t)t->p->n + 1, sizeof *t->kept_row);
    t->kept_column = arena_array(memory, (size_t)t->p->n + 1, sizeof *t->kept_column);
    for (int k = 0; t->kept_row && t->kept_column && k < t->s->rank; k++)
        t->kept_row[t->s->row_kept[k]] = t->kept_column[t->s->column_kept[k]] = true;
    return t->kept_row && t->kept_column;
}

static bool prepare(struct arena *memory, struct split *t)
{
    return find_groups(t) && find_parts(memory, t) && mark_kept(memory, t) &&
           sort_vectors(memory, t, &t->s->left, &t->left, &t->first_left) &&
           sort_vectors(memory, t, &t->s->right, &t->right, &t->first_right);
}

static bool is_cheap(const struct split *t, int most_dense)
{
    double cost = 0;
    for (int k = 0; k < t->parts; k++) {
        const double size = t->start[k + 1] - t->start[k];
        if (size > most_dense)
            return false;
        cost += size * size * size;
    }
    return cost <= (double)INDEX_MOST_DENSE * INDEX_MOST_DENSE * INDEX_MOST_DENSE;
}

/* ---- one part ---- */

static bool copy_vectors(struct arena *memory, const struct split *t, const struct vectors *from, const int *list,
                         int count, struct vectors *out)
{
    int entries = 0, used = 0;
    for (int k = 0; k < count; k++)
        entries += from->start[list[k] + 1] - from->start[list[k]];
    out->count = count;
    out->start = arena_array(memory, (size_t)count + 1, sizeof *out->start);
    out->row = arena_array(memory, (size_t)entries + 1, sizeof *out->row);
    out->value = arena_array(memory, (size_t)entries + 1, sizeof *out->value);
    if (!out->start || !out->row || !out->value)
        return false;
    for (int k = 0; k < count; k++) {
        for (int e = from->start[list[k]]; e < from->start[list[k] + 1]; e++, used++) {
            out->row[used] = t->place[from->row[e]];
            out->value[used] = from->value[e];
        }
        out->start[k + 1] = used;
    }
    return true;
}

static bool storage_of_part(struct arena *memory, const struct split *t, int part, struct storage *out)
{
    const int first = t->start[part], n = t->start[part + 1] - first;
    *out = (struct storage){.smallest = t->s->smallest, .condition = t->s->condition};
    out->row_kept = arena_array(memory, (size_t)n + 1, sizeof *out->row_kept);
    out->column_kept = arena_array(memory, (size_t)n + 1, sizeof *out->column_kept);
    if (!out->row_kept || !out->column_kept)
        return false;
    int columns = 0;
    for (int i = 0; i < n; i++) {
        if (t->kept_row[t->member[first + i]])
            out->row_kept[out->rank++] = i;
        if (t->kept_column[t->member[first + i]])
            out->column_kept[columns++] = i;
    }
    return copy_vectors(memory, t, &t->s->left, t->left + t->first_left[part],
                        t->first_left[part + 1] - t->first_left[part], &out->left) &&
           copy_vectors(memory, t, &t->s->right, t->right + t->first_right[part],
                        t->first_right[part + 1] - t->first_right[part], &out->right);
}

/* Free out->pattern in any case. */
static bool pencil_of_part(struct arena *memory, const struct split *t, int part, struct sparse_pattern **pattern,
                           struct pencil *out)
{
    const struct sparse_pattern *whole = t->p->pattern;
    size_t most = 0, count = 0;
    for (int k = t->start[part]; k < t->start[part + 1]; k++)
        most += (size_t)(whole->column_start[t->member[k] + 1] - whole->column_start[t->member[k]]);
    int *row = arena_array(memory, most + 1, sizeof *row), *column = arena_array(memory, most + 1, sizeof *column);
    int *slot = arena_array(memory, most + 1, sizeof *slot), *from = arena_array(memory, most + 1, sizeof *from);
    if (!row || !column || !slot || !from)
        return false;
    for (int k = t->start[part]; k < t->start[part + 1]; k++)
        for (int e = whole->column_start[t->member[k]]; e < whole->column_start[t->member[k] + 1]; e++)
            if (t->p->G[e] != 0 || t->p->C[e] != 0) {
                row[count] = t->place[whole->row[e]];
                column[count] = k - t->start[part];
                from[count++] = e;
            }
    out->n = t->start[part + 1] - t->start[part];
    if (sparse_pattern_new(out->n, row, column, count, slot, pattern) != KN_OK)
        return false;
    out->pattern = *pattern;
    out->G = arena_array(memory, (size_t)(*pattern)->entries + 1, sizeof *out->G);
    out->C = arena_array(memory, (size_t)(*pattern)->entries + 1, sizeof *out->C);
    for (size_t e = 0; out->G && out->C && e < count; e++) {
        out->G[slot[e]] = t->p->G[from[e]];
        out->C[slot[e]] = t->p->C[from[e]];
    }
    return out->G && out->C;
}

static enum kn_status run_part(struct arena *memory, const struct split *t, int part, struct index_analysis *a,
                               int *order)
{
    struct sparse_pattern *pattern = NULL;
    struct pencil pencil = {0};
    struct storage storage;
    struct finite_part finite;
    const int n = t->start[part + 1] - t->start[part];
    int *own = arena_array(memory, (size_t)n + 1, sizeof *own);
    *a = (struct index_analysis){.n = n, .smallest_kept = 1, .condition = 1};
    const bool good =
        own && storage_of_part(memory, t, part, &storage) && pencil_of_part(memory, t, part, &pattern, &pencil);
    const enum kn_status status = good ? chain_run(memory, &pencil, &storage, a, own, &finite) : KN_ERROR_MEMORY;
    for (int i = 0; status == KN_OK && i < n; i++)
        order[t->member[t->start[part] + i]] = own[i];
    sparse_pattern_free(pattern);
    return status;
}

/* ---- the whole ---- */

static void add(const struct index_analysis *part, struct index_analysis *a)
{
    note_rank(a, part->smallest_kept, part->largest_dropped);
    a->condition = fmax(a->condition, part->condition);
    a->index = part->index > a->index ? part->index : a->index;
    a->step_count = part->step_count > a->step_count ? part->step_count : a->step_count;
    for (int k = 0; k < part->step_count; k++)
        a->null_dimension[k] += part->null_dimension[k];
    a->degrees_of_freedom += part->degrees_of_freedom;
    if (part->outcome == INDEX_SINGULAR_PENCIL)
        a->outcome = INDEX_SINGULAR_PENCIL;
}

static void start(struct index_analysis *a)
{
    a->outcome = INDEX_KNOWN;
    a->index = a->degrees_of_freedom = 0;
    a->condition = 1;
}

static void leave_open(struct index_analysis *a, int *order)
{
    a->outcome = INDEX_OPEN;
    a->index = 2;
    a->step_count = 0;
    a->degrees_of_freedom = -1;
    memset(a->null_dimension, 0, sizeof a->null_dimension);
    memset(order, 0, (size_t)a->n * sizeof *order);
}

static enum kn_status run_parts(const struct split *t, struct index_analysis *a, int *order)
{
    enum kn_status status = KN_OK;
    start(a);
    for (int k = 0; status == KN_OK && k < t->parts; k++) {
        struct arena *memory = arena_new(); /* of one part only */
        struct index_analysis part;
        status = memory ? run_part(memory, t, k, &part, order) : KN_ERROR_MEMORY;
        if (status == KN_OK)
            add(&part, a);
        arena_free(memory);
    }
    if (status == KN_OK && a->outcome == INDEX_SINGULAR_PENCIL) {
        a->index = a->degrees_of_freedom = -1;
        a->step_count = 0;
    }
    if (status == KN_ERROR_CONVERGENCE || a->index > HIGHEST_INDEX)
        leave_open(a, order);
    return status == KN_ERROR_CONVERGENCE ? KN_OK : status;
}

enum kn_status split_run(struct arena *memory, const struct pencil *p, const struct storage *s, int most_dense,
                         struct index_analysis *a, int *order)
{
    struct split t = {.p = p, .s = s};
    enum kn_status status = prepare(memory, &t) ? KN_OK : KN_ERROR_MEMORY;
    if (status == KN_OK && t.parts > 1 && is_cheap(&t, most_dense))
        status = run_parts(&t, a, order);
    free(t.group);
    return status;
}
