/* index_sparse.c - index 0, 1 and 2 of large circuits by sparse factors, no dense matrix; index_split.c and
 * index_series.c take the rest.
 *
 * With Z, W sparse bases of the null spaces of C (storage.c), C_d the kept rows of C:
 *
 *     index <= 1   iff   E = [C_d; W^T G] is regular.
 *
 * If it is not, its null space contains Z V with V the null space of W^T G Z, which the topology knows: the loop
 * currents of C-V loops and the voltages of the parts behind L-I cutsets.  By bordering (Govaerts, SIAM 2000,
 * section 3.2)
 *
 *     index 2, with that null space and no other,   iff   [E, (G_d Z V; 0); P^T, 0] is regular,
 *
 * P^T picking one component of each vector of Z V: the Schur complement there is the matrix M of index_chain.c.
 */
#include "base/rounding.h"
#include "mna/index/index_parts.h"
#include "sparse/triplets.h"

#include <math.h>
#include <string.h>

/* E: for each row its new place; C counts where it is kept, G in the null vectors. */
static bool build_E(const struct pencil *p, const struct mapping *rows, int rank, struct triplets *t)
{
    for (int j = 0; j < p->n; j++)
        for (int e = p->pattern->column_start[j]; e < p->pattern->column_start[j + 1]; e++) {
            const int i = p->pattern->row[e];
            for (int a = rows->start[i]; a < rows->start[i + 1]; a++) {
                const double value = (rows->target[a] < rank ? p->C : p->G)[e] * rows->factor[a];
                if (value != 0 && !triplets_add(t, rows->target[a], j, value))
                    return false;
            }
        }
    return true;
}

/* ---- borders ---- */

/* One vector of Z V as the topology knows it: entries (unknown from 0, value). */
struct direction {
    int *unknown;
    double *value;
    int count;
};

/* The current around a C-V loop: only those of V are unknowns.  Signs from the walk along the loop. */
static bool loop_direction(struct arena *memory, const struct branch_set *loop, struct direction *d)
{
    d->unknown = arena_array(memory, loop->count + 1, sizeof *d->unknown);
    d->value = arena_array(memory, loop->count + 1, sizeof *d->value);
    if (!d->unknown || !d->value)
        return false;
    d->count = 0;
    int node = loop_begin(loop);
    for (size_t i = 0; i < loop->count; i++) {
        const struct branch *b = loop->branches[i];
        const int sign = loop_pass(b, &node);
        if (b->kind == BRANCH_V && b->current > 0) {
            d->unknown[d->count] = b->current - 1;
            d->value[d->count++] = sign;
        }
    }
    return true;
}

static bool part_direction(struct arena *memory, const struct node_set *part, struct direction *d)
{
    d->unknown = arena_array(memory, part->count + 1, sizeof *d->unknown);
    d->value = arena_array(memory, part->count + 1, sizeof *d->value);
    if (!d->unknown || !d->value)
        return false;
    d->count = (int)part->count;
    for (int i = 0; i < d->count; i++) {
        d->unknown[i] = part->nodes[i] - 1;
        d->value[i] = 1;
    }
    return true;
}

/* Whether the null rows of G do not see the direction: otherwise it is no null vector of E. */
static bool is_null_direction(const struct pencil *p, const struct mapping *rows, int rank, const struct direction *d,
                              double *sum, double *size)
{
    bool null = true;
    for (int pass = 0; pass < 3; pass++) /* sums are cleared, made, and looked at */
        for (int k = 0; k < d->count; k++) {
            const int j = d->unknown[k];
            for (int e = p->pattern->column_start[j]; e < p->pattern->column_start[j + 1]; e++)
                for (int a = rows->start[p->pattern->row[e]]; a < rows->start[p->pattern->row[e] + 1]; a++) {
                    const int row = rows->target[a];
                    const double term = p->G[e] * rows->factor[a] * d->value[k];
                    sum[row] = pass == 0 ? 0 : pass == 1 ? sum[row] + term : sum[row];
                    size[row] = pass == 0 ? 0 : pass == 1 ? size[row] + fabs(term) : size[row];
                    null = null && (pass < 2 || row < rank || fabs(sum[row]) <= ROUNDING_BALANCE * size[row]);
                }
        }
    return null;
}

/* Border column: the kept rows of G times the direction.  Border row: a component that no earlier border took. */
static bool add_border(const struct pencil *p, const struct mapping *rows, int rank, const struct direction *d,
                       int number, bool *taken, struct triplets *t)
{
    for (int k = 0; k < d->count; k++) {
        const int j = d->unknown[k];
        for (int e = p->pattern->column_start[j]; e < p->pattern->column_start[j + 1]; e++)
            for (int a = rows->start[p->pattern->row[e]]; a < rows->start[p->pattern->row[e] + 1]; a++)
                if (rows->target[a] < rank && p->G[e] != 0 &&
                    !triplets_add(t, rows->target[a], p->n + number, p->G[e] * rows->factor[a] * d->value[k]))
                    return false;
    }
    for (int k = 0; k < d->count; k++)
        if (!taken[d->unknown[k]]) {
            taken[d->unknown[k]] = true;
            return triplets_add(t, p->n + number, d->unknown[k], 1);
        }
    return true; /* an empty row: singular, so nothing is claimed */
}

static bool add_borders(struct arena *memory, const struct pencil *p, const struct mapping *rows, int rank,
                        const struct topology *topology, struct triplets *t, int *order, bool *null)
{
    bool *taken = arena_array(memory, (size_t)p->n + 1, sizeof *taken);
    double *sum = arena_array(memory, (size_t)p->n + 1, sizeof *sum);
    double *size = arena_array(memory, (size_t)p->n + 1, sizeof *size);
    if (!taken || !sum || !size)
        return false;
    *null = true;
    int number = 0;
    for (size_t i = 0; i < topology->cv_loops.count + topology->li_cutsets.count; i++) {
        struct direction d;
        const size_t part = i - topology->cv_loops.count;
        const bool made = i < topology->cv_loops.count ? loop_direction(memory, &topology->cv_loops.sets[i], &d)
                                                       : part_direction(memory, &topology->li_parts.sets[part], &d);
        if (!made || !add_border(p, rows, rank, &d, number++, taken, t))
            return false;
        *null = *null && is_null_direction(p, rows, rank, &d, sum, size);
        for (int k = 0; k < d.count; k++)
            order[d.unknown[k]] = 1;
    }
    return true;
}

/* ---- order ---- */

/* Where the rows of E belong so that its pattern is nearly that of the circuit, which elimination in the order of
 * minimum degree needs: kept rows where they were, sums of rows at the one of them that is not kept. */
static void find_places(const struct storage *s, int n, int borders, int *place, bool *is_kept)
{
    for (int k = 0; k < s->rank; k++) {
        place[k] = s->row_kept[k];
        is_kept[s->row_kept[k]] = true;
    }
    for (int v = 0; v < s->left.count; v++)
        for (int e = s->left.start[v]; e < s->left.start[v + 1]; e++)
            if (!is_kept[s->left.row[e]])
                place[s->rank + v] = s->left.row[e];
    for (int k = 0; k < borders; k++)
        place[n + k] = n + k;
}

/* A border that picks an unknown takes the row of that unknown, for the diagonal's sake, and gives it its own. */
static void swap_picked(const struct triplets *t, int n, int *place, int *at)
{
    for (size_t e = 0; e < t->count; e++)
        if (t->row[e] >= n) {
            const int border = t->row[e], other = at[t->column[e]], kept = place[border];
            place[border] = place[other];
            place[other] = kept;
            at[place[border]] = border;
            at[place[other]] = other;
        }
}

static bool put_in_order(struct arena *memory, const struct storage *s, int n, int borders, struct triplets *t)
{
    const size_t size = (size_t)(n + borders) + 1;
    int *place = arena_array(memory, size, sizeof *place), *at = arena_array(memory, size, sizeof *at);
    bool *is_kept = arena_array(memory, size, sizeof *is_kept);
    if (!place || !at || !is_kept)
        return false;
    find_places(s, n, borders, place, is_kept);
    for (int i = 0; i < n + borders; i++)
        at[place[i]] = i;
    swap_picked(t, n, place, at);
    for (size_t e = 0; e < t->count; e++)
        t->row[e] = place[t->row[e]];
    return true;
}

/* ---- the decision ---- */

static void conclude(struct index_analysis *a, int index, int first, int second, double condition)
{
    a->outcome = INDEX_KNOWN;
    a->index = index;
    a->condition = condition;
    a->smallest_kept = 1 / condition;
    a->null_dimension[0] = first;
    a->null_dimension[1] = second;
    a->step_count = (first > 0) + (second > 0);
    a->degrees_of_freedom = a->n - first - second;
}

/* E, or E with its borders. */
static enum kn_status condition_of_E(struct arena *memory, const struct pencil *p, const struct storage *s,
                                     const struct mapping *rows, int borders, struct triplets *t, double *condition)
{
    if (!build_E(p, rows, s->rank, t) || !put_in_order(memory, s, p->n, borders, t))
        return KN_ERROR_MEMORY;
    return triplets_condition(p->n + borders, t, condition);
}

static enum kn_status try_index2(struct arena *memory, const struct pencil *p, const struct storage *s,
                                 const struct mapping *rows, const struct topology *topology, struct index_analysis *a,
                                 int *order)
{
    const int borders = (int)(topology->cv_loops.count + topology->li_cutsets.count);
    struct triplets t = {0};
    double condition = INFINITY;
    bool null = false;
    enum kn_status status = KN_OK;
    if (borders > 0)
        status = add_borders(memory, p, rows, s->rank, topology, &t, order, &null) ? KN_OK : KN_ERROR_MEMORY;
    if (status == KN_OK && null)
        status = condition_of_E(memory, p, s, rows, borders, &t, &condition);
    triplets_free(&t);
    if (condition < ROUNDING_SINGULAR)
        conclude(a, 2, p->n - s->rank, borders, condition);
    else
        memset(order, 0, (size_t)p->n * sizeof *order);
    return status;
}

static enum kn_status try_index1(struct arena *memory, const struct pencil *p, const struct storage *s,
                                 const struct mapping *rows, struct index_analysis *a)
{
    struct triplets t = {0};
    double condition = INFINITY;
    const int nullity = p->n - s->rank;
    const enum kn_status status = condition_of_E(memory, p, s, rows, 0, &t, &condition);
    triplets_free(&t);
    if (status == KN_OK && condition < ROUNDING_SINGULAR)
        conclude(a, nullity > 0, nullity, 0, condition);
    return status;
}

enum kn_status sparse_run(struct arena *memory, const struct pencil *p, const struct storage *s,
                          const struct topology *topology, struct index_analysis *a, int *order)
{
    struct mapping rows;
    a->sparse = true;
    a->outcome = INDEX_OPEN;
    a->index = 2; /* the least it can be if the equations are not singular */
    enum kn_status status =
        storage_mapping(memory, p->n, s->row_kept, s->rank, &s->left, &rows) ? KN_OK : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = try_index2(memory, p, s, &rows, topology, a, order);
    if (status == KN_OK && a->outcome == INDEX_OPEN)
        status = try_index1(memory, p, s, &rows, a);
    return status;
}
