/* index_series.c - any index of large circuits: the hidden constraints as a transfer function, at high frequencies.
 *
 * In coordinates (u, z) where C is C11 beside zeros, with V and W the null vectors of G22 (index_chain.c), there
 * remains
 *
 *     C11 u' + K u + B a = 0,  S u = 0,        B = G12 V,  S = W^T G21,  K = G11 - G12 G22^- G21,
 *
 * that is H a = 0 with the k x k transfer function H(s) = S (s C11 + K)^-1 B, k = dim N1.  With the Markov parameters
 *
 *     H(s) = (H_0 + H_1 / s + H_2 / s^2 + ..) / s,     H_j = S (-C11^-1 K)^j C11^-1 B,
 *
 * a zero of order m of H at infinity is a Jordan block of size m + 1 there (Verghese, Levy and Kailath, IEEE Trans.
 * AC-26 (1981) 811-831).  They are found one order after the other: what H_0 does not determine is separated by a Schur
 * complement, a power series in 1/s again and divisible by it.  All that is large is sparse; dense are k x k matrices
 * and k vectors for each order.
 *
 * The null vectors of G22 come from bordering (bordered.h); the topology knows where to put the borders for C-V loops
 * and L-I cutsets.
 */
#include "base/rounding.h"
#include "mna/index/index_parts.h"
#include "sparse/bordered.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ORDERS = 12 };

struct series {
    struct arena *memory;
    const struct pencil *p;
    const struct storage *s;
    struct mapping rows, columns;
    int n, rank, rest; /* of C, and what is left */
    struct factored C11;
    struct bordered G22;
    double *slope_scale;              /* [rank] square roots of capacitances */
    double *y, *size;                 /* [n + 1] workspace in the old coordinates */
    double *w, *w_size;               /* [n + 1] in the new ones */
    struct dense S_transposed;        /* [rank x k] */
    struct dense null;                /* [n x k] the unknowns from a */
    struct dense slopes[MOST_ORDERS]; /* [rank x k] (-C11^-1 K)^j C11^-1 B */
    struct dense lifted[MOST_ORDERS]; /* [n x k] the unknowns from these */
    struct dense H[MOST_ORDERS];      /* [k x k] */
    int k;
};

/* ---- from old to new coordinates ---- */

/* x := the unknowns from (u, z) in w */
static void lift(const struct series *r, const double *w, double *x)
{
    for (int i = 0; i < r->n; i++) {
        x[i] = 0;
        for (int e = r->columns.start[i]; e < r->columns.start[i + 1]; e++)
            x[i] += r->columns.factor[e] * w[r->columns.target[e]];
    }
}

/* w := the rows of G x in the new coordinates, sums that cancel set to 0. */
static void apply_G(struct series *r, const double *x)
{
    memset(r->y, 0, (size_t)r->n * sizeof *r->y);
    memset(r->size, 0, (size_t)r->n * sizeof *r->size);
    memset(r->w, 0, (size_t)r->n * sizeof *r->w);
    memset(r->w_size, 0, (size_t)r->n * sizeof *r->w_size);
    sparse_multiply_add(r->p->pattern, r->p->G, x, r->y);
    sparse_multiply_add_absolute(r->p->pattern, r->p->G, x, r->size);
    for (int i = 0; i < r->n; i++)
        for (int e = r->rows.start[i]; e < r->rows.start[i + 1]; e++) {
            r->w[r->rows.target[e]] += r->rows.factor[e] * r->y[i];
            r->w_size[r->rows.target[e]] += fabs(r->rows.factor[e]) * r->size[i];
        }
    for (int i = 0; i < r->n; i++)
        if (fabs(r->w[i]) <= ROUNDING_SOLVED * r->w_size[i])
            r->w[i] = 0;
}

/* ---- C11 ---- */

/* Places of the kept rows or columns. */
static int *places_of(struct arena *memory, int n, const int *kept, int rank)
{
    int *place = arena_array(memory, (size_t)n + 1, sizeof *place);
    for (int i = 0; place && i < n; i++)
        place[i] = -1;
    for (int k = 0; place && k < rank; k++)
        place[kept[k]] = k;
    return place;
}

static enum kn_status factor_C11(struct series *r)
{
    const struct sparse_pattern *pattern = r->p->pattern;
    const int *row = places_of(r->memory, r->n, r->s->row_kept, r->rank);
    const int *column = places_of(r->memory, r->n, r->s->column_kept, r->rank);
    r->slope_scale = arena_array(r->memory, (size_t)r->rank + 1, sizeof *r->slope_scale);
    struct triplets t = {0};
    bool good = row && column && r->slope_scale;
    for (int j = 0; good && j < r->n; j++)
        for (int e = pattern->column_start[j]; good && e < pattern->column_start[j + 1]; e++) {
            const int i = row[pattern->row[e]];
            if (i < 0 || column[j] < 0 || r->p->C[e] == 0)
                continue;
            r->slope_scale[i] = fmax(r->slope_scale[i], sqrt(fabs(r->p->C[e])));
            good = triplets_add(&t, i, column[j], r->p->C[e]);
        }
    enum kn_status status = good ? KN_OK : KN_ERROR_MEMORY;
    if (good && r->rank > 0)
        status = triplets_factor(r->rank, &t, &r->C11);
    triplets_free(&t);
    return status;
}

/* ---- G22 and its borders ---- */

/* Sums of several terms, those that are round-off left out. */
static bool add_sums(int n, const struct triplets *terms, struct triplets *out)
{
    struct sparse_pattern *pattern = NULL;
    int *slot = malloc((terms->count + 1) * sizeof *slot);
    double *sum = NULL, *size = NULL;
    bool good = slot && sparse_pattern_new(n, terms->row, terms->column, terms->count, slot, &pattern) == KN_OK;
    good = good && (sum = sparse_values(pattern)) && (size = sparse_values(pattern));
    for (size_t e = 0; good && e < terms->count; e++) {
        sum[slot[e]] += terms->value[e];
        size[slot[e]] += fabs(terms->value[e]);
    }
    for (int j = 0; good && j < n; j++)
        for (int e = pattern->column_start[j]; good && e < pattern->column_start[j + 1]; e++)
            if (fabs(sum[e]) > ROUNDING_SUM * size[e])
                good = triplets_add(out, pattern->row[e], j, sum[e]);
    sparse_pattern_free(pattern);
    free(slot);
    free(sum);
    free(size);
    return good;
}

static bool collect_G22(const struct series *r, struct triplets *out)
{
    const struct sparse_pattern *pattern = r->p->pattern;
    struct triplets terms = {0};
    bool good = true;
    for (int j = 0; good && j < r->n; j++)
        for (int e = pattern->column_start[j]; e < pattern->column_start[j + 1]; e++)
            for (int b = r->columns.start[j]; b < r->columns.start[j + 1]; b++)
                for (int a = r->rows.start[pattern->row[e]]; good && a < r->rows.start[pattern->row[e] + 1]; a++)
                    if (r->rows.target[a] >= r->rank && r->columns.target[b] >= r->rank && r->p->G[e] != 0)
                        good = triplets_add(&terms, r->rows.target[a] - r->rank, r->columns.target[b] - r->rank,
                                            r->p->G[e] * r->rows.factor[a] * r->columns.factor[b]);
    good = good && add_sums(r->rest, &terms, out);
    triplets_free(&terms);
    return good;
}

/* The place of an unknown among the null vectors, -1 if it has none. */
static int place_in_rest(const struct mapping *m, int rank, int unknown)
{
    for (int e = m->start[unknown]; e < m->start[unknown + 1]; e++)
        if (m->target[e] >= rank)
            return m->target[e] - rank;
    return -1;
}

/* Takes the first unknown (from 1) of a loop or part that no border has yet. */
static void add_place(const struct series *r, const int *unknowns, int count, bool *row_taken, bool *column_taken,
                      struct border_places *places)
{
    for (int i = 0; i < count; i++) {
        const int row = place_in_rest(&r->rows, r->rank, unknowns[i] - 1);
        const int column = place_in_rest(&r->columns, r->rank, unknowns[i] - 1);
        if (row < 0 || column < 0 || row_taken[row] || column_taken[column])
            continue;
        row_taken[row] = column_taken[column] = true;
        places->row[places->count] = row;
        places->column[places->count++] = column;
        return;
    }
}

static int loop_currents(const struct branch_set *loop, int *unknowns)
{
    int count = 0;
    for (size_t i = 0; i < loop->count; i++)
        if (loop->branches[i]->kind == BRANCH_V && loop->branches[i]->current > 0)
            unknowns[count++] = loop->branches[i]->current;
    return count;
}

static bool find_places(const struct series *r, const struct topology *t, struct border_places *places)
{
    const size_t sets = t->cv_loops.count + t->li_cutsets.count;
    bool *row_taken = arena_array(r->memory, (size_t)r->rest + 1, sizeof *row_taken);
    bool *column_taken = arena_array(r->memory, (size_t)r->rest + 1, sizeof *column_taken);
    int *unknowns = arena_array(r->memory, (size_t)r->n + 1, sizeof *unknowns);
    places->row = arena_array(r->memory, sets + 1, sizeof *places->row);
    places->column = arena_array(r->memory, sets + 1, sizeof *places->column);
    if (!row_taken || !column_taken || !unknowns || !places->row || !places->column)
        return false;
    for (size_t i = 0; i < t->cv_loops.count; i++)
        add_place(r, unknowns, loop_currents(&t->cv_loops.sets[i], unknowns), row_taken, column_taken, places);
    for (size_t i = 0; i < t->li_parts.count; i++)
        add_place(r, t->li_parts.sets[i].nodes, (int)t->li_parts.sets[i].count, row_taken, column_taken, places);
    return true;
}

static enum kn_status find_null_vectors(struct series *r, const struct topology *t)
{
    struct triplets G22 = {0};
    struct border_places places = {0};
    if (!collect_G22(r, &G22) || !find_places(r, t, &places)) {
        triplets_free(&G22);
        return KN_ERROR_MEMORY;
    }
    const enum kn_status status = bordered_find(r->memory, r->rest, &G22, &places, &r->G22);
    r->k = r->G22.right.columns;
    return status;
}

/* ---- B, S and the chain of slopes ---- */

/* S^T = G21^T W */
static bool find_S(struct series *r)
{
    const struct sparse_pattern *pattern = r->p->pattern;
    if (!dense_new(r->memory, r->rank, r->k, &r->S_transposed))
        return false;
    for (int c = 0; c < r->k; c++) {
        for (int i = 0; i < r->n; i++) {
            r->y[i] = 0;
            for (int e = r->rows.start[i]; e < r->rows.start[i + 1]; e++)
                if (r->rows.target[e] >= r->rank)
                    r->y[i] += r->rows.factor[e] * *dense_at(&r->G22.left, r->rows.target[e] - r->rank, c);
        }
        for (int j = 0; j < r->rank; j++) {
            const int column = r->s->column_kept[j];
            double sum = 0, size = 0;
            for (int e = pattern->column_start[column]; e < pattern->column_start[column + 1]; e++) {
                const double term = r->p->G[e] * r->y[pattern->row[e]];
                sum += term;
                size += fabs(term);
            }
            *dense_at(&r->S_transposed, j, c) = fabs(sum) > ROUNDING_SOLVED * size ? sum : 0;
        }
    }
    return true;
}

/* slope := sign C11^-1 w, the kept rows of w */
static void solve_slope(struct series *r, double sign, double *slope)
{
    memcpy(slope, r->w, (size_t)r->rank * sizeof *slope);
    if (r->rank > 0)
        sparse_lu_solve(r->C11.lu, slope);
    bordered_clean(slope, r->slope_scale, r->rank);
    for (int i = 0; i < r->rank; i++)
        slope[i] *= sign;
}

/* x := the unknowns from u, with the z that the regular part of G22 makes follow. */
static void lift_slope(struct series *r, const double *u, double *x)
{
    double *w = r->w_size; /* free until apply_G fills it */
    memset(w, 0, (size_t)r->n * sizeof *w);
    memcpy(w, u, (size_t)r->rank * sizeof *w);
    lift(r, w, x);
    apply_G(r, x);
    memcpy(r->w_size, u, (size_t)r->rank * sizeof *u);
    for (int i = r->rank; i < r->n; i++)
        r->w[i] = -r->w[i];
    bordered_solve(&r->G22, r->w + r->rank, r->w_size + r->rank);
    lift(r, r->w_size, x);
}

static bool lift_null_vectors(struct series *r, struct dense *out)
{
    if (!dense_new(r->memory, r->n, r->k, out))
        return false;
    for (int j = 0; j < r->k; j++) {
        memset(r->w, 0, (size_t)r->rank * sizeof *r->w);
        memcpy(r->w + r->rank, dense_at(&r->G22.right, 0, j), (size_t)r->rest * sizeof *r->w);
        lift(r, r->w, dense_at(out, 0, j));
    }
    return true;
}

/* The Markov parameter of this order; `from`: the unknowns whose G x drives the slopes. */
static bool add_order(struct series *r, int order, const struct dense *from)
{
    if (!dense_new(r->memory, r->rank, r->k, &r->slopes[order]) || !dense_new(r->memory, r->n, r->k, &r->lifted[order]))
        return false;
    for (int j = 0; j < r->k; j++) {
        apply_G(r, dense_at(from, 0, j));
        solve_slope(r, order == 0 ? 1 : -1, dense_at(&r->slopes[order], 0, j));
        lift_slope(r, dense_at(&r->slopes[order], 0, j), dense_at(&r->lifted[order], 0, j));
    }
    struct dense S;
    return dense_transpose(r->memory, &r->S_transposed, &S) &&
           dense_multiply_rough(r->memory, &S, &r->slopes[order], ROUNDING_SOLVED, NULL, &r->H[order]);
}

/* ---- zeros at infinity ---- */

/* A power series of matrices. */
struct power_series {
    struct dense at[MOST_ORDERS + 1];
    int count;
};

/* out += sign a b, size += |a| |b| */
static void accumulate(const struct dense *a, const struct dense *b, double sign, struct dense *out, struct dense *size)
{
    for (int j = 0; j < b->columns; j++)
        for (int k = 0; k < a->columns; k++) {
            const double factor = sign * *dense_at(b, k, j);
            for (int i = 0; factor != 0 && i < a->rows; i++) {
                *dense_at(out, i, j) += *dense_at(a, i, k) * factor;
                *dense_at(size, i, j) += fabs(*dense_at(a, i, k) * factor);
            }
        }
}

/* out := start + sign times the sum over t = first..i of a_t b_{i-t}; start may be NULL.  What cancels is 0. */
static bool convolve(const struct series *r, const struct dense *start, double sign, const struct power_series *a,
                     const struct power_series *b, int first, int i, struct dense *out)
{
    struct dense size;
    if (!dense_new(r->memory, a->at[0].rows, b->at[0].columns, out) ||
        !dense_new(r->memory, out->rows, out->columns, &size))
        return false;
    const size_t count = (size_t)out->rows * (size_t)out->columns;
    for (size_t e = 0; start && e < count; e++) {
        out->at[e] = start->at[e];
        size.at[e] = fabs(start->at[e]);
    }
    for (int t = first; t <= i; t++)
        accumulate(&a->at[t], &b->at[i - t], sign, out, &size);
    for (size_t e = 0; e < count; e++)
        if (fabs(out->at[e]) <= ROUNDING_SOLVED * size.at[e])
            out->at[e] = 0;
    return true;
}

/* H in the coordinates of the kernel of H_0: [a b; c d], where b, c and d begin with order 1. */
struct blocks_of_series {
    struct power_series a, b, c, d;
};

static bool split_series(const struct series *r, const struct power_series *H, const struct kernel *k,
                         struct blocks_of_series *out)
{
    struct dense left;
    if (!dense_transpose(r->memory, &k->left, &left))
        return false;
    out->a.count = out->b.count = out->c.count = out->d.count = H->count;
    for (int i = 0; i < H->count; i++) {
        struct dense rows, below;
        if (!dense_select(r->memory, &H->at[i], k->row_kept, k->rank, k->column_kept, k->rank, &out->a.at[i]) ||
            !dense_select(r->memory, &H->at[i], k->row_kept, k->rank, NULL, 0, &rows) ||
            !dense_multiply_rough(r->memory, &rows, &k->right, ROUNDING_SOLVED, NULL, &out->b.at[i]) ||
            !dense_multiply_rough(r->memory, &left, &H->at[i], ROUNDING_SOLVED, NULL, &below) ||
            !dense_select(r->memory, &below, NULL, 0, k->column_kept, k->rank, &out->c.at[i]) ||
            !dense_multiply_rough(r->memory, &below, &k->right, ROUNDING_SOLVED, NULL, &out->d.at[i]))
            return false;
    }
    return dense_new(r->memory, k->rank, k->right.columns, &out->b.at[0]) &&
           dense_new(r->memory, k->left.columns, k->rank, &out->c.at[0]);
}

/* X = a^-1 b, order by order. */
static enum kn_status divide_series(const struct series *r, const struct blocks_of_series *H, struct power_series *X)
{
    X->count = H->b.count;
    X->at[0] = H->b.at[0];
    for (int i = 1; i < X->count; i++) {
        struct dense right;
        if (!convolve(r, &H->b.at[i], -1, &H->a, X, 1, i, &right))
            return KN_ERROR_MEMORY;
        const enum kn_status status = dense_solve(r->memory, &H->a.at[0], &right, &X->at[i]);
        if (status != KN_OK)
            return status;
    }
    return KN_OK;
}

/* The directions of a that are left: T := T ([1 in the kept columns] (-X) + R).  X is a shorter series; what it lacks
 * would only add directions that longer blocks have marked before. */
static bool narrow(const struct series *r, const struct kernel *k, const struct power_series *X, struct power_series *T)
{
    struct power_series step = {.count = T->count}, product = {.count = T->count};
    for (int i = 0; i < T->count; i++) {
        if (!dense_new(r->memory, k->right.rows, k->right.columns, &step.at[i]))
            return false;
        for (int c = 0; i < X->count && c < k->right.columns; c++)
            for (int row = 0; row < k->rank; row++)
                *dense_at(&step.at[i], k->column_kept[row], c) = -*dense_at(&X->at[i], row, c);
    }
    for (size_t e = 0; e < (size_t)k->right.rows * (size_t)k->right.columns; e++)
        step.at[0].at[e] += k->right.at[e];
    for (int i = 0; i < T->count; i++)
        if (!convolve(r, NULL, 1, T, &step, 0, i, &product.at[i]))
            return false;
    *T = product;
    return true;
}

/* H := (d - c a^-1 b) s, one order shorter. */
static enum kn_status reduce(const struct series *r, const struct kernel *k, struct power_series *H,
                             struct power_series *T)
{
    struct blocks_of_series blocks;
    struct power_series X;
    if (!split_series(r, H, k, &blocks))
        return KN_ERROR_MEMORY;
    const enum kn_status status = divide_series(r, &blocks, &X);
    if (status != KN_OK)
        return status;
    struct power_series rest = {.count = H->count - 1};
    for (int i = 1; i < H->count; i++)
        if (!convolve(r, &blocks.d.at[i], -1, &blocks.c, &X, 1, i, &rest.at[i - 1]))
            return KN_ERROR_MEMORY;
    *H = rest;
    return narrow(r, k, &X, T) ? KN_OK : KN_ERROR_MEMORY;
}

/* out += sum over t = 0..last of a_t T_{last - t} */
static bool add_product(const struct series *r, const struct dense *a, const struct power_series *T, int last,
                        struct dense *out)
{
    struct power_series factors = {.count = last + 1};
    struct dense sum;
    memcpy(factors.at, a, (size_t)(last + 1) * sizeof *a);
    if (!convolve(r, out, 1, &factors, T, 0, last, &sum))
        return false;
    *out = sum;
    return true;
}

/* The directions a = s^m (T_0 + T_1 / s + ..) that are left at `level` belong to blocks of size m + 1, m >= level + 2;
 * the unknowns are V a plus the slopes of order 0, 1, .. over s, s^2, ..: derivatives of order m - i enter where the
 * coefficient of s^(m - i) is not 0. */
static bool mark_level(struct series *r, int level, const struct power_series *T, int *order)
{
    for (int i = 0; i <= level + 1 && i < T->count; i++) {
        struct dense sum;
        if (!dense_multiply_rough(r->memory, &r->null, &T->at[i], ROUNDING_SOLVED, NULL, &sum) ||
            (i > 0 && !add_product(r, r->lifted, T, i - 1, &sum)))
            return false;
        for (int j = 0; j < sum.columns; j++)
            note_order(r->p, dense_at(&sum, 0, j), level + 2 - i, order);
    }
    return true;
}

static bool identity(const struct series *r, int k, int count, struct power_series *T)
{
    T->count = count;
    for (int i = 0; i < count; i++)
        if (!dense_new(r->memory, k, k, &T->at[i]))
            return false;
    for (int i = 0; i < k; i++)
        *dense_at(&T->at[0], i, i) = 1;
    return true;
}

/* With the Markov parameters up to `order`; a stays open where they leave something undetermined. */
static enum kn_status count_zeros(struct series *r, int order, struct index_analysis *a, int *order_of)
{
    struct power_series H = {.count = order + 1}, T;
    memcpy(H.at, r->H, (size_t)(order + 1) * sizeof *r->H);
    if (!identity(r, r->k, order + 1, &T))
        return KN_ERROR_MEMORY;
    a->step_count = 2;
    for (int level = 0; level <= order; level++) {
        struct kernel kernel;
        enum kn_status status = kernel_find(r->memory, &H.at[0], ROUNDING_RANK, &kernel);
        if (status != KN_OK)
            return status;
        if (kernel.right.columns == 0) {
            note_rank(a, kernel.smallest, kernel.largest_dropped);
            a->condition = kernel.condition;
            a->outcome = INDEX_KNOWN;
            return KN_OK;
        }
        a->null_dimension[a->step_count++] = kernel.right.columns;
        status = reduce(r, &kernel, &H, &T);
        if (status == KN_OK && !mark_level(r, level, &T, order_of))
            status = KN_ERROR_MEMORY;
        if (status != KN_OK)
            return status;
    }
    return KN_OK;
}

/* ---- set-up ---- */

static bool allocate(struct series *r)
{
    double **const buffers[] = {&r->y, &r->size, &r->w, &r->w_size};
    for (int i = 0; i < 4; i++)
        if (!(*buffers[i] = arena_array(r->memory, (size_t)r->n + 1, sizeof(double))))
            return false;
    return storage_mapping(r->memory, r->n, r->s->row_kept, r->rank, &r->s->left, &r->rows) &&
           storage_mapping(r->memory, r->n, r->s->column_kept, r->rank, &r->s->right, &r->columns);
}

/* ---- the whole ---- */

static enum kn_status run_orders(struct series *r, struct index_analysis *a, int *order_of)
{
    if (!lift_null_vectors(r, &r->null) || !find_S(r))
        return KN_ERROR_MEMORY;
    a->null_dimension[0] = r->rest;
    a->null_dimension[1] = r->k;
    for (int order = 0; order < MOST_ORDERS && a->outcome == INDEX_OPEN; order++) {
        if (!add_order(r, order, order == 0 ? &r->null : &r->lifted[order - 1]))
            return KN_ERROR_MEMORY;
        memset(order_of, 0, (size_t)r->n * sizeof *order_of);
        for (int j = 0; j < r->k; j++)
            note_order(r->p, dense_at(&r->null, 0, j), 1, order_of);
        const enum kn_status status = count_zeros(r, order, a, order_of);
        if (status != KN_OK)
            return status;
    }
    if (a->outcome != INDEX_KNOWN) {
        a->step_count = 0;
        return KN_OK;
    }
    a->index = a->step_count;
    a->degrees_of_freedom = a->n;
    for (int k = 0; k < a->step_count; k++)
        a->degrees_of_freedom -= a->null_dimension[k];
    return KN_OK;
}

enum kn_status series_run(struct arena *memory, const struct pencil *p, const struct storage *s,
                          const struct topology *topology, struct index_analysis *a, int *order_of)
{
    struct series r = {.memory = memory, .p = p, .s = s, .n = p->n, .rank = s->rank, .rest = p->n - s->rank};
    enum kn_status status = allocate(&r) ? factor_C11(&r) : KN_ERROR_MEMORY;
    if (status == KN_OK && r.rest > 0 && (r.rank == 0 || r.C11.condition < ROUNDING_SINGULAR))
        status = find_null_vectors(&r, topology);
    if (status == KN_OK && r.k > 0) {
        note_rank(a, r.G22.smallest, r.G22.largest_dropped);
        status = run_orders(&r, a, order_of);
    }
    factored_free(&r.C11);
    bordered_free(&r.G22);
    if (status == KN_ERROR_CONVERGENCE) /* LAPACK gave up */
        a->outcome = INDEX_OPEN;
    return status == KN_ERROR_CONVERGENCE ? KN_OK : status;
}
