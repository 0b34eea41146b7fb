/* index_chain.c - the chain of null spaces in reduced form, with dense matrices.
 *
 * In coordinates (u, z) where C is C11 beside zeros (storage.c) the pencil is
 *
 *     C11 u' + G11 u + G12 z = 0,     G21 u + G22 z = 0.
 *
 * G22 regular: index 1 (0 without z), and C11 u' + (G11 - G12 G22^-1 G21) u = 0 is the finite part.  Otherwise the
 * regular part of G22 is eliminated; with V and W its right and left null vectors, z = V a + .. there remains
 *
 *     C11 u' + K u + B a = 0,  S u = 0,      B = G12 V,  S = W^T G21,  K = G11 - G12 G22^- G21,
 *
 * where dim V = dim N1 and Z V spans N cap S.  The derivative of S u = 0 is the hidden constraint; index 2 means that
 * M = S C11^-1 B, which determines a from it, is regular.  In any case u = R w with R a basis of ker S and a basis L of
 * ker B^T give the pencil (L^T C11 R, L^T K R), whose Jordan blocks at infinity are those of size 3 and more, each
 * shorter by 2, so that its index is lower by 2 and the same step can be repeated.  The pencil is singular when S or B
 * lacks rank.  Method: staircase reduction (Van Dooren, Linear Algebra Appl. 27 (1979) 103-140); projectors as in
 * index.h.
 */
#include "mna/index/index_parts.h"

#include "base/rounding.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct level {
    struct dense C11, G11, G12, G21, G22;
    struct dense noise, noise12, noise21; /* errors of G22 .. by cancellation; empty: not known */
    struct dense lift;                    /* [n x (u, z)]: the unknowns from the coordinates */
};

/* A level with its algebraic part eliminated. */
struct reduced {
    struct kernel algebraic; /* of G22 */
    struct dense eliminated; /* ker part: z[kept] = -eliminated u */
    struct dense K, B, S;
    struct dense slopes; /* C11^-1 B */
    struct kernel of_B, of_S, of_M;
};

/* ---- level 0 ---- */

/* L^T A R with L, R as mappings; sums that are round-off of their terms become 0. */
static bool project(struct arena *memory, const struct pencil *p, const double *values, const struct mapping *rows,
                    const struct mapping *columns, struct dense *out, struct dense *noise)
{
    if (!dense_new(memory, p->n, p->n, out) || !dense_new(memory, p->n, p->n, noise))
        return false;
    for (int j = 0; j < p->n; j++)
        for (int e = p->pattern->column_start[j]; e < p->pattern->column_start[j + 1]; e++) {
            const int i = p->pattern->row[e];
            for (int b = columns->start[j]; b < columns->start[j + 1]; b++)
                for (int a = rows->start[i]; a < rows->start[i + 1]; a++) {
                    const double term = values[e] * rows->factor[a] * columns->factor[b];
                    *dense_at(out, rows->target[a], columns->target[b]) += term;
                    *dense_at(noise, rows->target[a], columns->target[b]) += 2 * DBL_EPSILON * fabs(term);
                }
        }
    for (size_t k = 0; k < (size_t)p->n * (size_t)p->n; k++)
        if (fabs(out->at[k]) <= 4 * noise->at[k])
            out->at[k] = 0;
    return true;
}

static bool copy_block(struct arena *memory, const struct dense *a, int row, int rows, int column, int columns,
                       struct dense *out)
{
    if (!dense_new(memory, rows, columns, out))
        return false;
    for (int j = 0; j < columns; j++)
        memcpy(dense_at(out, 0, j), dense_at(a, row, column + j), (size_t)rows * sizeof *a->at);
    return true;
}

static bool split(struct arena *memory, const struct dense *C, const struct dense *G, int rank, struct level *l)
{
    const int rest = G->rows - rank;
    return copy_block(memory, C, 0, rank, 0, rank, &l->C11) && copy_block(memory, G, 0, rank, 0, rank, &l->G11) &&
           copy_block(memory, G, 0, rank, rank, rest, &l->G12) && copy_block(memory, G, rank, rest, 0, rank, &l->G21) &&
           copy_block(memory, G, rank, rest, rank, rest, &l->G22);
}

static bool first_level(struct arena *memory, const struct pencil *p, const struct storage *s, struct level *l)
{
    struct mapping rows, columns;
    struct dense C, G, noise_of_C, noise_of_G;
    if (!storage_mapping(memory, p->n, s->row_kept, s->rank, &s->left, &rows) ||
        !storage_mapping(memory, p->n, s->column_kept, s->rank, &s->right, &columns) ||
        !project(memory, p, p->C, &rows, &columns, &C, &noise_of_C) ||
        !project(memory, p, p->G, &rows, &columns, &G, &noise_of_G) || !split(memory, &C, &G, s->rank, l) ||
        !copy_block(memory, &noise_of_G, s->rank, p->n - s->rank, s->rank, p->n - s->rank, &l->noise) ||
        !copy_block(memory, &noise_of_G, 0, s->rank, s->rank, p->n - s->rank, &l->noise12) ||
        !copy_block(memory, &noise_of_G, s->rank, p->n - s->rank, 0, s->rank, &l->noise21) ||
        !dense_new(memory, p->n, p->n, &l->lift))
        return false;
    for (int i = 0; i < p->n; i++)
        for (int e = columns.start[i]; e < columns.start[i + 1]; e++)
            *dense_at(&l->lift, i, columns.target[e]) = columns.factor[e];
    return true;
}

/* ---- one step ---- */

/* left^T G21 */
static bool multiply_left(struct arena *memory, const struct level *l, const struct dense *left, double rough,
                          struct dense *out)
{
    struct dense G, noise, product;
    return dense_transpose(memory, &l->G21, &G) && (!l->noise.at || dense_transpose(memory, &l->noise21, &noise)) &&
           dense_multiply_rough(memory, &G, left, rough, l->noise.at ? &noise : NULL, &product) &&
           dense_transpose(memory, &product, out);
}

static enum kn_status eliminate_algebraic(struct arena *memory, const struct level *l, double tolerance,
                                          struct reduced *r)
{
    enum kn_status status =
        kernel_find_noisy(memory, &l->G22, l->noise.at ? &l->noise : NULL, tolerance, &r->algebraic);
    if (status != KN_OK)
        return status;
    const struct kernel *k = &r->algebraic;
    const bool known = l->noise.at != NULL;
    const double rough = known ? ROUNDING_SUM : ROUNDING_SOLVED;
    struct dense pivot, rows, columns, product;
    if (!dense_select(memory, &l->G22, k->row_kept, k->rank, k->column_kept, k->rank, &pivot) ||
        !dense_select(memory, &l->G21, k->row_kept, k->rank, NULL, 0, &rows) ||
        !dense_select(memory, &l->G12, NULL, 0, k->column_kept, k->rank, &columns))
        return KN_ERROR_MEMORY;
    status = dense_solve(memory, &pivot, &rows, &r->eliminated);
    if (status != KN_OK)
        return status;
    if (!dense_multiply(memory, &columns, &r->eliminated, &product) ||
        !dense_select(memory, &l->G11, NULL, 0, NULL, 0, &r->K) ||
        !dense_multiply_rough(memory, &l->G12, &k->right, rough, known ? &l->noise12 : NULL, &r->B) ||
        !multiply_left(memory, l, &k->left, rough, &r->S))
        return KN_ERROR_MEMORY;
    dense_subtract(&r->K, &product);
    return KN_OK;
}

/* Square roots of the largest entries of the rows of C11: voltages and currents times these have one unit. */
static double *storage_scale(struct arena *memory, const struct dense *C11)
{
    double *scale = arena_array(memory, (size_t)C11->rows + 1, sizeof *scale);
    for (int i = 0; scale && i < C11->rows; i++) {
        for (int j = 0; j < C11->rows; j++)
            scale[i] = fmax(scale[i], fabs(*dense_at(C11, i, j)));
        scale[i] = sqrt(scale[i]);
    }
    return scale;
}

/* Removes what linear equations leave where a solution vanishes. */
static bool clean_slopes(struct arena *memory, const struct dense *C11, struct dense *slopes)
{
    const double *scale = storage_scale(memory, C11);
    for (int j = 0; scale && j < slopes->columns; j++) {
        double largest = 0;
        for (int i = 0; i < slopes->rows; i++)
            largest = fmax(largest, fabs(*dense_at(slopes, i, j)) * scale[i]);
        for (int i = 0; i < slopes->rows; i++)
            if (fabs(*dense_at(slopes, i, j)) * scale[i] < ROUNDING_SOLVED * largest)
                *dense_at(slopes, i, j) = 0;
    }
    return scale != NULL;
}

/* Takes other combinations of the columns of a basis so that M falls apart by scales: echelon form where the largest
 * derivatives, those of the smallest C, come first. */
static bool separate_scales(struct arena *memory, const struct dense *C11, struct dense *basis)
{
    const size_t n = (size_t)C11->rows;
    const double *scale = storage_scale(memory, C11);
    int *pivot = arena_array(memory, n + 1, sizeof *pivot), *kept = arena_array(memory, n + 1, sizeof *kept);
    if (!scale || !pivot || !kept)
        return false;
    return dense_echelon(memory, basis, scale, pivot, kept);
}

static bool separate_constraints(struct arena *memory, const struct level *l, struct reduced *r)
{
    struct dense transposed;
    return separate_scales(memory, &l->C11, &r->B) && dense_transpose(memory, &r->S, &transposed) &&
           separate_scales(memory, &l->C11, &transposed) && dense_transpose(memory, &transposed, &r->S);
}

static enum kn_status find_hidden(struct arena *memory, const struct level *l, struct reduced *r)
{
    struct dense M;
    enum kn_status status = kernel_find(memory, &r->B, ROUNDING_RANK, &r->of_B);
    if (status == KN_OK)
        status = kernel_find(memory, &r->S, ROUNDING_RANK, &r->of_S);
    if (status != KN_OK || r->of_B.rank < r->B.columns || r->of_S.rank < r->S.rows)
        return status;
    if (!separate_constraints(memory, l, r))
        return KN_ERROR_MEMORY;
    status = dense_solve(memory, &l->C11, &r->B, &r->slopes);
    if (status == KN_OK && (!clean_slopes(memory, &l->C11, &r->slopes) ||
                            !dense_multiply_rough(memory, &r->S, &r->slopes, ROUNDING_SOLVED, NULL, &M)))
        status = KN_ERROR_MEMORY;
    return status == KN_OK ? kernel_find(memory, &M, ROUNDING_RANK, &r->of_M) : status;
}

/* (L^T A R) */
static bool sandwich(struct arena *memory, const struct dense *left, const struct dense *a, const struct dense *right,
                     struct dense *out)
{
    struct dense transposed, half;
    return dense_transpose(memory, left, &transposed) &&
           dense_multiply_rough(memory, &transposed, a, ROUNDING_SOLVED, NULL, &half) &&
           dense_multiply_rough(memory, &half, right, ROUNDING_SOLVED, NULL, out);
}

static bool remaining(struct arena *memory, const struct level *l, const struct reduced *r, struct finite_part *next)
{
    return sandwich(memory, &r->of_B.left, &l->C11, &r->of_S.right, &next->C) &&
           sandwich(memory, &r->of_B.left, &r->K, &r->of_S.right, &next->G);
}

/* ---- the next level ---- */

struct basis {
    struct dense vectors;
    int *pivot, *kept;
};

static bool echelon(struct arena *memory, struct basis *b)
{
    b->pivot = arena_array(memory, (size_t)b->vectors.rows + 1, sizeof *b->pivot);
    b->kept = arena_array(memory, (size_t)b->vectors.rows + 1, sizeof *b->kept);
    return b->pivot && b->kept && dense_echelon(memory, &b->vectors, NULL, b->pivot, b->kept);
}

/* Null spaces of L^T C11 R from those of M: R w = C11^-1 B a with M a = 0, and L w = C11^-T S^T c with M^T c = 0. */
static enum kn_status next_kernels(struct arena *memory, const struct level *l, const struct reduced *r,
                                   struct basis *left, struct basis *right)
{
    struct dense all, transposed, S, slopes;
    if (r->of_M.right.columns > r->of_S.right.columns || r->of_M.left.columns > r->of_B.left.columns)
        return KN_ERROR_CONVERGENCE; /* rounding has decided about ranks that contradict each other */
    if (!dense_multiply(memory, &r->slopes, &r->of_M.right, &all) ||
        !dense_select(memory, &all, r->of_S.column_pivot, r->of_S.right.columns, NULL, 0, &right->vectors) ||
        !dense_transpose(memory, &l->C11, &transposed) || !dense_transpose(memory, &r->S, &S))
        return KN_ERROR_MEMORY;
    const enum kn_status status = dense_solve(memory, &transposed, &S, &slopes);
    if (status != KN_OK)
        return status;
    if (!dense_multiply(memory, &slopes, &r->of_M.left, &all) ||
        !dense_select(memory, &all, r->of_B.row_pivot, r->of_B.left.columns, NULL, 0, &left->vectors))
        return KN_ERROR_MEMORY;
    return echelon(memory, left) && echelon(memory, right) ? KN_OK : KN_ERROR_MEMORY;
}

/* [unit vectors of kept | null vectors] */
static bool coordinates(struct arena *memory, const struct basis *b, struct dense *out)
{
    const int n = b->vectors.rows, nullity = b->vectors.columns;
    if (!dense_new(memory, n, n, out))
        return false;
    for (int k = 0; k < n - nullity; k++)
        *dense_at(out, b->kept[k], k) = 1;
    memcpy(dense_at(out, 0, n - nullity), b->vectors.at, (size_t)n * (size_t)nullity * sizeof *out->at);
    return true;
}

/* The unknowns from u where the algebraic part follows it. */
static bool lift_of_storage(struct arena *memory, const struct level *l, const struct reduced *r, struct dense *out)
{
    const int rank = l->C11.rows;
    struct dense follows, product;
    int *kept = arena_array(memory, (size_t)r->algebraic.rank + 1, sizeof *kept);
    if (!kept)
        return false;
    for (int k = 0; k < r->algebraic.rank; k++)
        kept[k] = rank + r->algebraic.column_kept[k];
    if (!copy_block(memory, &l->lift, 0, l->lift.rows, 0, rank, out) ||
        !dense_select(memory, &l->lift, NULL, 0, kept, r->algebraic.rank, &follows) ||
        !dense_multiply(memory, &follows, &r->eliminated, &product))
        return false;
    dense_subtract(out, &product);
    return true;
}

static enum kn_status next_level(struct arena *memory, const struct level *l, const struct reduced *r,
                                 const struct finite_part *rest, struct level *next)
{
    struct basis left, right;
    next->noise = (struct dense){0};
    const enum kn_status status = next_kernels(memory, l, r, &left, &right);
    if (status != KN_OK)
        return status;
    struct dense rows, columns, C, G, lift, inner;
    if (!coordinates(memory, &left, &rows) || !coordinates(memory, &right, &columns) ||
        !sandwich(memory, &rows, &rest->C, &columns, &C) || !sandwich(memory, &rows, &rest->G, &columns, &G) ||
        !split(memory, &C, &G, C.rows - right.vectors.columns, next) || !lift_of_storage(memory, l, r, &lift) ||
        !dense_multiply(memory, &lift, &r->of_S.right, &inner) ||
        !dense_multiply(memory, &inner, &columns, &next->lift))
        return KN_ERROR_MEMORY;
    return KN_OK;
}

/* ---- unknowns that depend on derivatives ---- */

static void mark(const struct pencil *p, const struct dense *directions, int *order)
{
    for (int j = 0; j < directions->columns; j++)
        note_order(p, dense_at(directions, 0, j), 1, order);
}

/* N cap S of the level; from the second level on the whole null space, since its equations contain derivatives. */
static bool mark_level(struct arena *memory, const struct pencil *p, const struct level *l, const struct reduced *r,
                       bool first, int *order)
{
    const int rank = l->C11.rows;
    struct dense z, directions;
    if (!copy_block(memory, &l->lift, 0, l->lift.rows, rank, l->lift.columns - rank, &z))
        return false;
    if (first ? !dense_multiply(memory, &z, &r->algebraic.right, &directions) : false)
        return false;
    mark(p, first ? &directions : &z, order);
    return true;
}

/* What S u = 0 determines, on levels whose equations contain derivatives. */
static bool mark_constrained(struct arena *memory, const struct pencil *p, const struct level *l,
                             const struct reduced *r, int *order)
{
    struct dense lift, directions;
    if (!lift_of_storage(memory, l, r, &lift) || !dense_multiply(memory, &lift, &r->slopes, &directions))
        return false;
    mark(p, &directions, order);
    return true;
}

/* ---- the chain ---- */

static void add_step(struct index_analysis *a, int dimension)
{
    if (dimension > 0 && a->step_count < INDEX_MOST_STEPS)
        a->null_dimension[a->step_count++] = dimension;
}

static void finish(struct index_analysis *a, double condition)
{
    a->outcome = INDEX_KNOWN;
    a->index = a->step_count;
    a->condition = condition;
}

/* True when the chain ends here. */
static enum kn_status one_step(struct arena *memory, const struct pencil *p, const struct level *l,
                               struct index_analysis *a, int *order, struct finite_part *rest, struct level *next,
                               bool *done)
{
    const bool first = a->step_count == 0;
    struct reduced r;
    add_step(a, l->G22.rows);
    enum kn_status status = eliminate_algebraic(memory, l, first ? 0 : ROUNDING_RANK, &r);
    if (status != KN_OK)
        return status;
    const int nullity = r.algebraic.right.columns;
    *done = true;
    note_rank(a, r.algebraic.smallest, r.algebraic.largest_dropped);
    if (!mark_level(memory, p, l, &r, first, order))
        return KN_ERROR_MEMORY;
    if (nullity == 0) {
        *rest = (struct finite_part){l->C11, r.K};
        if (a->step_count > 0)
            finish(a, r.algebraic.condition);
        return KN_OK;
    }
    add_step(a, nullity);
    status = find_hidden(memory, l, &r);
    if (status != KN_OK)
        return status;
    note_rank(a, fmin(r.of_B.smallest, r.of_S.smallest), fmax(r.of_B.largest_dropped, r.of_S.largest_dropped));
    if (r.of_B.rank < nullity || r.of_S.rank < nullity) {
        a->outcome = INDEX_SINGULAR_PENCIL;
        return KN_OK;
    }
    note_rank(a, r.of_M.smallest, r.of_M.largest_dropped);
    if (!first && !mark_constrained(memory, p, l, &r, order))
        return KN_ERROR_MEMORY;
    if (!remaining(memory, l, &r, rest))
        return KN_ERROR_MEMORY;
    if (r.of_M.rank == nullity) {
        finish(a, r.of_M.condition);
        return KN_OK;
    }
    *done = false;
    return next_level(memory, l, &r, rest, next);
}

enum kn_status chain_run(struct arena *memory, const struct pencil *p, const struct storage *s,
                         struct index_analysis *a, int *order, struct finite_part *finite)
{
    struct level levels[2];
    if (!first_level(memory, p, s, &levels[0]))
        return KN_ERROR_MEMORY;
    finish(a, s->condition);
    bool done = false;
    enum kn_status status = KN_OK;
    for (int step = 0; status == KN_OK && !done; step++)
        status = one_step(memory, p, &levels[step % 2], a, order, finite, &levels[(step + 1) % 2], &done);
    if (a->outcome == INDEX_SINGULAR_PENCIL) {
        a->index = -1;
        return status;
    }
    a->degrees_of_freedom = p->n;
    for (int k = 0; k < a->step_count; k++)
        a->degrees_of_freedom -= a->null_dimension[k];
    return status;
}
