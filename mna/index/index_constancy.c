/* index_constancy.c - whether the spaces of the index-2 chain stay where they are along a run.
 *
 * With A(x) x' + b(x) = 0 linearised, Q the orthogonal projector onto N = ker A of the first point, P = I - Q:
 * G1 = A + B Q, N1 = ker G1, S1 = {z : B P z in im G1} (Rodriguez, Diss. HU Berlin 2000, sections 1 and 2).  BDF and
 * Radau treat an index-2 equation like the ordinary differential equation inside it where N1 or S1 is constant
 * (section 3.2 there).  The term (A(x) y)_x of B is left out: charges give it no component in Q and none outside im A,
 * so that none of the spaces sees it.
 */
#include "mna/index/index_parts.h"

#include "base/rounding.h"

#include <math.h>
#include <string.h>

struct system {
    struct dense A, B; /* scaled */
};

struct spaces {
    struct dense n1, s1, im_g1; /* orthonormal columns */
};

/* Scaling and projector of the first point. */
struct frame {
    struct scaling scaling;
    struct dense Q;
    int *charge_of; /* [n] number of the charge at a row, -1 if none */
    int charges;
};

/* ---- the matrices ---- */

static void fill(const struct pencil *p, const struct frame *f, enum index_form form, struct system *s)
{
    for (int j = 0; j < p->n; j++)
        for (int e = p->pattern->column_start[j]; e < p->pattern->column_start[j + 1]; e++) {
            const int i = p->pattern->row[e];
            *dense_at(&s->B, i, j) = p->G[e];
            if (form == INDEX_CLASSICAL)
                *dense_at(&s->A, i, j) = p->C[e];
            else if (f->charge_of[i] >= 0)
                *dense_at(&s->B, p->n + f->charge_of[i], j) = -p->C[e];
        }
    for (int i = 0; form == INDEX_CHARGE_ORIENTED && i < p->n; i++)
        if (f->charge_of[i] >= 0) {
            *dense_at(&s->A, i, p->n + f->charge_of[i]) = 1;
            *dense_at(&s->B, p->n + f->charge_of[i], p->n + f->charge_of[i]) = 1;
        }
}

static bool find_charges(struct arena *memory, const struct pencil *p, struct frame *f)
{
    f->charge_of = arena_array(memory, (size_t)p->n + 1, sizeof *f->charge_of);
    if (!f->charge_of)
        return false;
    for (int e = 0; e < p->pattern->entries; e++)
        if (p->C[e] != 0)
            f->charge_of[p->pattern->row[e]] = 1;
    for (int i = 0; i < p->n; i++)
        f->charge_of[i] = f->charge_of[i] ? f->charges++ : -1;
    return true;
}

/* One scaling for A and B together, A in the unit of time that makes both of one size. */
static bool find_frame_scaling(struct arena *memory, const struct system *s, struct frame *f)
{
    struct dense sum;
    const double unit = dense_largest(&s->A) > 0 ? dense_largest(&s->B) / dense_largest(&s->A) : 1;
    if (!dense_new(memory, s->A.rows, s->A.columns, &sum))
        return false;
    for (size_t k = 0; k < (size_t)sum.rows * (size_t)sum.columns; k++)
        sum.at[k] = unit * fabs(s->A.at[k]) + fabs(s->B.at[k]);
    return dense_scaling(memory, &sum, &f->scaling);
}

static void apply_scaling(const struct frame *f, struct system *s)
{
    for (int j = 0; j < s->A.columns; j++)
        for (int i = 0; i < s->A.rows; i++) {
            *dense_at(&s->A, i, j) *= f->scaling.rows[i] * f->scaling.columns[j];
            *dense_at(&s->B, i, j) *= f->scaling.rows[i] * f->scaling.columns[j];
        }
    const double unit = dense_largest(&s->A) > 0 ? 1 / dense_largest(&s->A) : 1;
    for (size_t k = 0; k < (size_t)s->A.rows * (size_t)s->A.columns; k++)
        s->A.at[k] *= unit; /* neither null spaces nor ranges change */
}

/* ---- spaces ---- */

static double column_product(const struct dense *a, int i, const struct dense *b, int j)
{
    double sum = 0;
    for (int k = 0; k < a->rows; k++)
        sum += *dense_at(a, k, i) * *dense_at(b, k, j);
    return sum;
}

static void remove_component(const struct dense *from, int i, struct dense *of, int j)
{
    const double share = column_product(from, i, of, j);
    for (int k = 0; k < of->rows; k++)
        *dense_at(of, k, j) -= share * *dense_at(from, k, i);
}

/* Gram and Schmidt, twice. */
static void orthonormalize(struct dense *a)
{
    for (int j = 0; j < a->columns; j++) {
        for (int round = 0; round < 2; round++)
            for (int i = 0; i < j; i++)
                remove_component(a, i, a, j);
        const double length = sqrt(column_product(a, j, a, j));
        for (int k = 0; length > 0 && k < a->rows; k++)
            *dense_at(a, k, j) /= length;
    }
}

static enum kn_status projector(struct arena *memory, const struct dense *A, struct dense *Q)
{
    struct kernel k;
    struct dense transposed;
    const enum kn_status status = kernel_find(memory, A, 0, &k);
    if (status != KN_OK)
        return status;
    orthonormalize(&k.right);
    return dense_transpose(memory, &k.right, &transposed) && dense_multiply(memory, &k.right, &transposed, Q)
               ? KN_OK
               : KN_ERROR_MEMORY;
}

/* S1 = ker (W1^T B P), im G1 the complement of W1, both as orthonormal bases; im G1 is represented by W1. */
static enum kn_status find_spaces(struct arena *memory, const struct system *s, const struct dense *Q,
                                  struct spaces *out)
{
    struct dense BQ, G1, BP, left, condition;
    struct kernel k, of_condition;
    if (!dense_multiply(memory, &s->B, Q, &BQ) || !dense_select(memory, &s->A, NULL, 0, NULL, 0, &G1) ||
        !dense_select(memory, &s->B, NULL, 0, NULL, 0, &BP))
        return KN_ERROR_MEMORY;
    for (size_t e = 0; e < (size_t)G1.rows * (size_t)G1.columns; e++)
        G1.at[e] += BQ.at[e];
    dense_subtract(&BP, &BQ);
    enum kn_status status = kernel_find(memory, &G1, ROUNDING_SOLVED, &k);
    if (status != KN_OK)
        return status;
    out->n1 = k.right;
    out->im_g1 = k.left;
    orthonormalize(&out->n1);
    orthonormalize(&out->im_g1);
    if (!dense_transpose(memory, &out->im_g1, &left) || !dense_multiply(memory, &left, &BP, &condition))
        return KN_ERROR_MEMORY;
    status = kernel_find(memory, &condition, ROUNDING_SOLVED, &of_condition);
    out->s1 = of_condition.right;
    if (status == KN_OK)
        orthonormalize(&out->s1);
    return status;
}

/* Frobenius norm of what of b lies outside a: the largest sine of an angle, or somewhat more. */
static double turned(const struct dense *a, struct dense *b)
{
    if (a->columns != b->columns)
        return 1;
    double sum = 0;
    for (int j = 0; j < b->columns; j++) {
        for (int round = 0; round < 2; round++)
            for (int i = 0; i < a->columns; i++)
                remove_component(a, i, b, j);
        sum += column_product(b, j, b, j);
    }
    return fmin(1, sqrt(sum));
}

/* ---- the comparison ---- */

static enum kn_status system_at(const struct mna *m, enum index_form form, const struct index_point *at,
                                struct arena *memory, struct frame *f, bool first, struct system *s)
{
    struct pencil p;
    enum kn_status status = pencil_at(m, at->time, at->x, memory, &p);
    if (status != KN_OK)
        return status;
    if (first && !find_charges(memory, &p, f))
        return KN_ERROR_MEMORY;
    const int size = p.n + (form == INDEX_CHARGE_ORIENTED ? f->charges : 0);
    if (!dense_new(memory, size, size, &s->A) || !dense_new(memory, size, size, &s->B))
        return KN_ERROR_MEMORY;
    fill(&p, f, form, s);
    if (first && !find_frame_scaling(memory, s, f))
        return KN_ERROR_MEMORY;
    apply_scaling(f, s);
    return first ? projector(memory, &s->A, &f->Q) : KN_OK;
}

static enum kn_status compare(const struct mna *m, enum index_form form, const struct index_point *points, int count,
                              struct arena *memory, struct index_constancy *out)
{
    struct frame f = {0};
    struct spaces first, now;
    for (int k = 0; k < count; k++) {
        struct system s;
        enum kn_status status = system_at(m, form, &points[k], memory, &f, k == 0, &s);
        if (status == KN_OK)
            status = find_spaces(memory, &s, &f.Q, k == 0 ? &first : &now);
        if (status != KN_OK)
            return status;
        if (k == 0) {
            out->index2 = first.n1.columns > 0;
            continue;
        }
        out->n1 = fmax(out->n1, turned(&first.n1, &now.n1));
        out->s1 = fmax(out->s1, turned(&first.s1, &now.s1));
        out->im_g1 = fmax(out->im_g1, turned(&first.im_g1, &now.im_g1));
    }
    return KN_OK;
}

enum kn_status index_compare(const struct mna *m, enum index_form form, const struct index_point *points, int count,
                             struct index_constancy *out)
{
    *out = (struct index_constancy){0};
    if (mna_unknown_count(m) > MNA_MOST_DENSE)
        return KN_ERROR_ARGUMENT;
    struct arena *memory = arena_new();
    const enum kn_status status = memory ? compare(m, form, points, count, memory, out) : KN_ERROR_MEMORY;
    arena_free(memory);
    return status;
}
