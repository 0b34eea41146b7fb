/* fronts.c - which fronts there are; see fronts.h.  Their numbers are in fronts_numbers.h. */
#include "sparse/factors/fronts.h"

#include "base/arena.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Neighbours of each pivot that are eliminated before it, in A + A'; some twice. */
struct neighbours {
    int *start, *before; /* [n + 1] */
};

static bool find_neighbours(struct arena *memory, const struct fronts_matrix *a, struct neighbours *s)
{
    int *const start = s->start = arena_array(memory, (size_t)a->n + 2, sizeof *start);
    s->before = arena_array(memory, (size_t)a->start[a->n] + 1, sizeof *s->before);
    if (!start || !s->before)
        return false;
    for (int j = 0; j < a->n; j++)
        for (int e = a->start[j]; e < a->start[j + 1]; e++)
            if (a->row[e] != j)
                start[(a->row[e] > j ? a->row[e] : j) + 2]++;
    for (int j = 1; j <= a->n; j++)
        start[j + 1] += start[j];
    for (int j = 0; j < a->n; j++)
        for (int e = a->start[j]; e < a->start[j + 1]; e++) {
            const int i = a->row[e];
            if (i != j)
                s->before[start[(i > j ? i : j) + 1]++] = i > j ? j : i;
        }
    return true;
}

/* The elimination tree (J. W. H. Liu, SIAM J. Matrix Anal. Appl. 11 (1990) 134-172): parent[n], -1 for roots. */
static bool find_tree(struct arena *memory, int n, const struct neighbours *s, int *parent)
{
    int *const ancestor = arena_array(memory, (size_t)n + 1, sizeof *ancestor);
    if (!ancestor)
        return false;
    for (int j = 0; j < n; j++) {
        parent[j] = ancestor[j] = -1;
        for (int e = s->start[j]; e < s->start[j + 1]; e++)
            for (int i = s->before[e], next; i >= 0 && i < j; i = next) {
                next = ancestor[i];
                ancestor[i] = j;
                if (next < 0)
                    parent[i] = j;
            }
    }
    return true;
}

/* Children before their parent, each with all that is below it; roots ascend. */
static bool walk_tree(struct arena *memory, int n, const int *parent, int *order)
{
    int *const child = arena_array(memory, (size_t)n + 1, sizeof *child);
    int *const sibling = arena_array(memory, (size_t)n + 1, sizeof *sibling);
    int *const path = arena_array(memory, (size_t)n + 1, sizeof *path);
    if (!child || !sibling || !path)
        return false;
    for (int j = 0; j < n; j++)
        child[j] = -1;
    for (int j = n; j-- > 0;)
        if (parent[j] >= 0) {
            sibling[j] = child[parent[j]];
            child[parent[j]] = j;
        }
    int count = 0;
    for (int root = 0; root < n; root++) {
        int depth = 0;
        if (parent[root] < 0)
            path[depth++] = root;
        while (depth > 0) {
            const int j = path[depth - 1], below = child[j];
            if (below < 0) {
                order[count++] = j;
                depth--;
            } else {
                child[j] = sibling[below];
                path[depth++] = below;
            }
        }
    }
    return true;
}

bool fronts_order(const struct fronts_matrix *a, int *order)
{
    struct arena *memory = arena_new();
    int *const parent = memory ? arena_array(memory, (size_t)a->n + 1, sizeof *parent) : NULL;
    struct neighbours s;
    const bool done = parent && find_neighbours(memory, a, &s) && find_tree(memory, a->n, &s, parent) &&
                      walk_tree(memory, a->n, parent, order);
    arena_free(memory);
    return done;
}

/* ---- fronts ---- */

/* length[j]: entries below the diagonal in column j of L. */
static bool count_columns(struct arena *memory, int n, const struct neighbours *s, const int *parent, int *length)
{
    int *const seen = arena_array(memory, (size_t)n + 1, sizeof *seen);
    if (!seen)
        return false;
    for (int i = 0; i < n; i++) {
        seen[i] = i + 1;
        for (int e = s->start[i]; e < s->start[i + 1]; e++)
            for (int j = s->before[e]; seen[j] != i + 1; j = parent[j]) {
                seen[j] = i + 1;
                length[j]++;
            }
    }
    return true;
}

/* A front of so many pivots takes up its last child if no more than that part of both is 0 then (as in CHOLMOD: Y. Chen, T. A.
 * Davis, W. W. Hager, S. Rajamanickam, ACM Trans. Math. Softw. 35 (2008) 22). */
static bool may_join(int pivots, double zeros, double entries)
{
    const double part = zeros / entries;
    return zeros == 0 || (pivots <= 4 && part < 0.8) || (pivots <= 16 && part < 0.2) || (pivots <= 48 && part < 0.1) ||
           part < 0.05;
}

static double triangle(double pivots, double others)
{
    return pivots * (pivots + 1) / 2 + pivots * others;
}

/* first[]: of each pivot the first one of its front; fronts grow towards smaller pivots. */
static bool join(struct arena *memory, int n, const int *parent, const int *length, int *first)
{
    double *const zeros = arena_array(memory, (size_t)n + 1, sizeof *zeros);
    if (!zeros)
        return false;
    for (int j = 0; j < n; j++)
        first[j] = j;
    for (int j = 1, begin = 0; j < n; j++) { /* columns of the same pattern */
        if (parent[j - 1] == j && length[j - 1] == length[j] + 1)
            first[j] = begin;
        begin = first[j];
    }
    for (int last = n - 1; last > 0; last = first[last] - 1)
        for (int begin = first[last]; begin > 0; begin = first[last]) {
            const int child = begin - 1, child_begin = first[child];
            if (parent[child] < begin || parent[child] > last)
                break;
            const double mine = last - begin + 1, its = child - child_begin + 1, beyond = length[last];
            const double together = triangle(mine + its, beyond);
            const double more =
                zeros[last] + zeros[child] + together - triangle(mine, beyond) - triangle(its, length[child]);
            if (!may_join((int)(mine + its), more, together))
                break;
            zeros[last] = more;
            first[last] = child_begin;
        }
    return true;
}

/* Numbers the fronts, from the last to the first; front_of[n]. */
static bool number_fronts(struct fronts *s, int n, const int *parent, const int *first, int *front_of)
{
    s->count = 0;
    for (int last = n - 1; last >= 0; last = first[last] - 1)
        s->count++;
    const size_t count = (size_t)s->count;
    s->first = calloc(count + 1, sizeof *s->first);
    s->parent = calloc(count, sizeof *s->parent);
    s->waiting = calloc(count, sizeof *s->waiting);
    s->others = calloc(count + 1, sizeof *s->others);
    s->lower_start = calloc(count + 1, sizeof *s->lower_start);
    s->upper_start = calloc(count + 1, sizeof *s->upper_start);
    s->entry_start = calloc(count + 2, sizeof *s->entry_start);
    if (!s->first || !s->parent || !s->waiting || !s->others || !s->lower_start || !s->upper_start || !s->entry_start)
        return false;
    s->first[s->count] = n;
    for (int last = n - 1, k = s->count; last >= 0; last = first[last] - 1) {
        s->first[--k] = first[last];
        for (int j = first[last]; j <= last; j++)
            front_of[j] = k;
        s->parent[k] = parent[last] < 0 ? -1 : front_of[parent[last]];
    }
    return true;
}

/* The others of all fronts: pivot i is one of those from which the tree leads to it.  With `other` they are put down. */
static void find_others(struct fronts *s, int n, const struct neighbours *a, const int *front_of, int *seen,
                        size_t *end)
{
    for (int k = 0; k < s->count; k++)
        seen[k] = -1;
    for (int i = 0; i < n; i++)
        for (int e = a->start[i]; e < a->start[i + 1]; e++)
            for (int k = front_of[a->before[e]]; k != front_of[i] && seen[k] != i; k = s->parent[k]) {
                seen[k] = i;
                if (s->other)
                    s->other[end[k]] = i;
                end[k]++;
            }
}

static bool list_others(struct arena *memory, struct fronts *s, int n, const struct neighbours *a, const int *front_of)
{
    int *const seen = arena_array(memory, (size_t)s->count + 1, sizeof *seen);
    size_t *const end = arena_array(memory, (size_t)s->count + 1, sizeof *end);
    if (!seen || !end)
        return false;
    find_others(s, n, a, front_of, seen, end);
    for (int k = 0; k < s->count; k++) {
        s->others[k + 1] = s->others[k] + end[k];
        end[k] = s->others[k];
    }
    s->other = calloc(s->others[s->count] + 1, sizeof *s->other);
    s->place = calloc(s->others[s->count] + 1, sizeof *s->place);
    if (!s->other || !s->place)
        return false;
    find_others(s, n, a, front_of, seen, end);
    return true;
}

/* at[j]: place of pivot j in a front. */
static void find_places(const struct fronts *s, int k, int *at)
{
    const int pivots = s->first[k + 1] - s->first[k];
    for (int i = 0; i < pivots; i++)
        at[s->first[k] + i] = i;
    for (size_t i = s->others[k]; i < s->others[k + 1]; i++)
        at[s->other[i]] = pivots + (int)(i - s->others[k]);
}

static bool place_others(struct arena *memory, struct fronts *s, int *at)
{
    int *const child = arena_array(memory, (size_t)s->count + 1, sizeof *child);
    int *const sibling = arena_array(memory, (size_t)s->count + 1, sizeof *sibling);
    if (!child || !sibling)
        return false;
    for (int k = 0; k < s->count; k++)
        child[k] = -1;
    for (int k = 0; k < s->count; k++)
        if (s->parent[k] >= 0) {
            sibling[k] = child[s->parent[k]];
            child[s->parent[k]] = k;
        }
    for (int parent = 0; parent < s->count; parent++) {
        find_places(s, parent, at);
        for (int k = child[parent]; k >= 0; k = sibling[k])
            for (size_t i = s->others[k]; i < s->others[k + 1]; i++)
                s->place[i] = at[s->other[i]];
    }
    return true;
}

static bool place_entries(struct fronts *s, const struct fronts_matrix *a, const int *front_of, int *at)
{
    const size_t entries = (size_t)a->start[a->n];
    int *const start = s->entry_start;
    s->entry = calloc(entries + 1, sizeof *s->entry);
    s->entry_place = calloc(entries + 1, sizeof *s->entry_place);
    int *const column = malloc((entries + 1) * sizeof *column);
    if (!s->entry || !s->entry_place || !column) {
        free(column);
        return false;
    }
    for (int j = 0; j < a->n; j++)
        for (int e = a->start[j]; e < a->start[j + 1]; e++)
            start[front_of[a->row[e] < j ? a->row[e] : j] + 2]++;
    for (int k = 1; k <= s->count; k++)
        start[k + 1] += start[k];
    for (int j = 0; j < a->n; j++)
        for (int e = a->start[j]; e < a->start[j + 1]; e++) {
            column[e] = j;
            s->entry[start[front_of[a->row[e] < j ? a->row[e] : j] + 1]++] = e;
        }
    for (int k = 0; k < s->count; k++) {
        const int size = s->first[k + 1] - s->first[k] + (int)(s->others[k + 1] - s->others[k]);
        find_places(s, k, at);
        for (int i = start[k]; i < start[k + 1]; i++)
            s->entry_place[i] = at[a->row[s->entry[i]]] + size * at[column[s->entry[i]]];
    }
    free(column);
    return true;
}

/* Sizes of all that has numbers; false where a place in a front is too large a number. */
static bool measure(struct fronts *s)
{
    size_t stack = 0;
    int depth = 0;
    s->front_size = s->stack_size = 0;
    s->operations = s->entries = 0;
    for (int k = 0; k < s->count; k++) {
        const size_t pivots = (size_t)(s->first[k + 1] - s->first[k]), others = s->others[k + 1] - s->others[k];
        const size_t size = pivots + others, front = size * size;
        if (size > INT_MAX || front > INT_MAX)
            return false;
        s->lower_start[k + 1] = s->lower_start[k] + pivots * size;
        s->upper_start[k + 1] = s->upper_start[k] + pivots * others;
        s->front_size = front > s->front_size ? front : s->front_size;
        for (size_t left = others; left < size; left++)
            s->operations += (double)left * (double)(2 * left + 1);
        while (depth > 0 && s->parent[s->waiting[depth - 1]] == k) {
            const int child = s->waiting[--depth];
            stack -= (s->others[child + 1] - s->others[child]) * (s->others[child + 1] - s->others[child]);
        }
        if (s->parent[k] >= 0)
            s->waiting[depth++] = k;
        stack += others * others;
        s->stack_size = stack > s->stack_size ? stack : s->stack_size;
    }
    s->entries = (double)s->lower_start[s->count] + (double)s->upper_start[s->count];
    return true;
}

static bool analyze(struct arena *memory, struct fronts *s, const struct fronts_matrix *a)
{
    const size_t n = (size_t)a->n + 1;
    int *const parent = arena_array(memory, n, sizeof *parent), *const length = arena_array(memory, n, sizeof *length);
    int *const first = arena_array(memory, n, sizeof *first), *const front_of =
                                                                  arena_array(memory, n, sizeof *front_of);
    struct neighbours near;
    return parent && length && first && front_of && find_neighbours(memory, a, &near) &&
           find_tree(memory, a->n, &near, parent) && count_columns(memory, a->n, &near, parent, length) &&
           join(memory, a->n, parent, length, first) && number_fronts(s, a->n, parent, first, front_of) &&
           list_others(memory, s, a->n, &near, front_of) && place_others(memory, s, length) &&
           place_entries(s, a, front_of, length);
}

bool fronts_analyze(struct fronts *s, const struct fronts_matrix *a)
{
    struct arena *memory = arena_new();
    *s = (struct fronts){0};
    const bool done = memory && analyze(memory, s, a);
    arena_free(memory);
    if (!done || !measure(s))
        fronts_free(s);
    return done;
}

/* ---- numbers ---- */

struct fronts_room fronts_room_new(const struct fronts *s, size_t number)
{
    struct fronts_room room = {calloc(s->front_size, number), calloc(s->stack_size + 1, number)};
    if (!room.front || !room.stack)
        fronts_room_free(&room);
    return room;
}

void fronts_room_free(struct fronts_room *room)
{
    free(room->front);
    free(room->stack);
    *room = (struct fronts_room){0};
}

static bool allocate_factors(struct fronts *s, int n, size_t number)
{
    s->lower = calloc(s->lower_start[s->count] + 1, number);
    s->upper = calloc(s->upper_start[s->count] + 1, number);
    s->sizes = calloc((size_t)n, sizeof *s->sizes);
    return s->lower && s->upper && s->sizes;
}

bool fronts_allocate(struct fronts *s, int n, size_t number)
{
    s->room = fronts_room_new(s, number);
    return s->room.front && allocate_factors(s, n, number);
}

bool fronts_borrow(const struct fronts *of, struct fronts_room room, int n, size_t number, struct fronts *out)
{
    *out = *of;
    out->borrowed = true;
    out->room = room;
    out->lower = out->upper = NULL;
    out->sizes = NULL;
    out->waiting = calloc((size_t)of->count, sizeof *out->waiting);
    return out->waiting && allocate_factors(out, n, number);
}

void fronts_free(struct fronts *s)
{
    void *const own[] = {s->waiting, s->lower, s->upper, s->sizes};
    void *const shape[] = {s->first,       s->parent, s->others,      s->other,       s->place,
                           s->entry_start, s->entry,  s->entry_place, s->lower_start, s->upper_start};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        free(own[i]);
    for (size_t i = 0; !s->borrowed && i < sizeof shape / sizeof *shape; i++)
        free(shape[i]);
    if (!s->borrowed)
        fronts_room_free(&s->room);
    *s = (struct fronts){0};
}
