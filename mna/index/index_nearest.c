/* index_nearest.c - the poles of a large circuit that lie nearest to a point, by shift and invert.
 *
 * (G + s C) x = 0 is (G + z C)^-1 C x = x / (z - s): the poles nearest to z are the largest eigenvalues of a map that
 * takes one sparse solution, and those at infinity are its zeros (Ericsson and Ruhe, Math. Comp. 35, 1980).  Where the
 * index is 2 or more the map has Jordan blocks there; some applications to the start take out what belongs to them
 * (Meerbergen and Spence, SIAM J. Matrix Anal. Appl. 18, 1997).
 */
#include "mna/index/index_parts.h"
#include "sparse/arnoldi.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

struct shifted {
    const struct pencil *p;
    double complex shift;
    double complex *values, *product, *weights;
    struct sparse_zlu *lu;
    const struct mna *mna;
};

enum { CLEANING = 4 };

/* x := (G + z C)^-1 C x */
static enum kn_status apply(void *context, double complex *x)
{
    const struct shifted *s = context;
    const struct sparse_pattern *pattern = s->p->pattern;
    if (mna_interrupted(s->mna))
        return KN_INTERRUPTED;
    for (int i = 0; i < s->p->n; i++)
        s->product[i] = 0;
    for (int j = 0; j < s->p->n; j++)
        for (int e = pattern->column_start[j]; e < pattern->column_start[j + 1]; e++)
            s->product[pattern->row[e]] += s->p->C[e] * x[j];
    sparse_zlu_solve(s->lu, s->product);
    for (int i = 0; i < s->p->n; i++)
        x[i] = s->product[i];
    return KN_OK;
}

static enum kn_status factor_at(struct shifted *s, double complex shift)
{
    s->shift = shift;
    for (int e = 0; e < s->p->pattern->entries; e++)
        s->values[e] = s->p->G[e] + shift * s->p->C[e];
    return sparse_zlu_factor(s->lu, s->values);
}

/* Parts of the circuit's middle rate by which the point moves to the right where a pole lies on it. */
static const double ASIDE[] = {0, 1e-9, 1e-6, 1e-3, 0.7};

static enum kn_status factor(struct shifted *s, double complex near)
{
    enum kn_status status = sparse_zlu_new(s->p->pattern, &s->lu);
    if (status != KN_OK)
        return status;
    const double rate = pencil_middle_rate(s->p);
    status = KN_ERROR_CIRCUIT;
    for (size_t k = 0; k < sizeof ASIDE / sizeof *ASIDE && status == KN_ERROR_CIRCUIT; k++)
        status = factor_at(s, near + ASIDE[k] * rate);
    if (status == KN_ERROR_CIRCUIT && near != 0 && factor_at(s, ASIDE[1] * rate) == KN_OK)
        return KN_ERROR_CONVERGENCE; /* the matrix can be factored far from `near` only: nothing is known of poles there */
    return status;
}

/* No vector of ones: of a symmetric circuit it would see the symmetric half. */
static void fill_at_random(int n, uint64_t state, double complex *x)
{
    for (int i = 0; i < n; i++) { /* xorshift, Marsaglia 2003 */
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        x[i] = (double)(state >> 11) / 9007199254740992.0 - 0.5;
    }
}

static enum kn_status make_start(struct shifted *s, double complex *x)
{
    enum kn_status status = KN_OK;
    fill_at_random(s->p->n, 0x9E3779B97F4A7C15u, x);
    for (int k = 0; status == KN_OK && k < CLEANING; k++) {
        double largest = 0;
        status = apply(s, x);
        for (int i = 0; i < s->p->n; i++)
            largest = fmax(largest, cabs(x[i]));
        for (int i = 0; i < s->p->n && largest > 0; i++)
            x[i] /= largest;
    }
    return status;
}

/* ---- what was found ----
 *
 * Of a long Jordan block at infinity rounding makes eigenvalues far from 0 that satisfy the equations well: they are no
 * poles.  g(s) = v^T (G + s C)^-1 u with any u, v has all poles, and near one of them, p, g / g' = p - s: a step of
 * Newton's method that a pole hardly moves, and anything else by some part of its size. */

static const double MOVED_TOO_FAR = 1e-4; /* relative; Arnoldi's residuals are far below */

/* *pole after that step; false where it is none. */
static enum kn_status confirm(struct shifted *s, double complex *u, double complex *pole, double *error, bool *is_pole)
{
    const int n = s->p->n;
    double complex g = 0, slope = 0;
    const enum kn_status status = factor_at(s, *pole);
    *error = DBL_EPSILON;
    *is_pole = true;
    if (status != KN_OK)
        return status == KN_ERROR_CIRCUIT ? KN_OK : status; /* singular: *pole is a pole to the last digit */
    double complex *v = s->weights;
    fill_at_random(n, 1, u);
    fill_at_random(n, 2, v);
    sparse_zlu_solve(s->lu, u);
    for (int i = 0; i < n; i++)
        g += v[i] * u[i];
    const enum kn_status applied = apply(s, u); /* u becomes -du/ds */
    for (int i = 0; i < n; i++)
        slope -= v[i] * u[i];
    const double complex step = g / slope;
    *error = fmax(cabs(step) / cabs(*pole), DBL_EPSILON);
    *is_pole = *error < MOVED_TOO_FAR;
    *pole += step;
    return applied;
}

static void add_pole(struct index_analysis *a, double complex pole, double error)
{
    for (int k = 0; k < a->pole_count; k++)
        if (cabs(a->poles[k] - pole) <= 1e-9 * cabs(pole) && cimag(pole) != 0)
            return;
    a->poles[a->pole_count] = pole;
    a->pole_errors[a->pole_count++] = error;
}

static int by_size(const void *a, const void *b)
{
    const struct ritz_value *x = a, *y = b;
    return cabs(x->value) < cabs(y->value) ? 1 : cabs(x->value) > cabs(y->value) ? -1 : 0;
}

/* Rounding of a value that is small beside its distance from the shift. */
static bool is_zero(double complex pole, double complex shift)
{
    return cabs(pole) <= 16 * DBL_EPSILON * cabs(shift);
}

/* Poles of a real pencil come in pairs; of a point off the real axis one of a pair may be too far away. */
static enum kn_status take_poles(struct shifted *s, struct ritz_value *found, int count, double complex *workspace,
                                 struct index_analysis *a)
{
    const double complex shift = s->shift;
    enum kn_status status = KN_OK;
    qsort(found, (size_t)count, sizeof *found, by_size);
    for (int k = 0; status == KN_OK && k < count; k++) {
        double complex pole = shift - 1 / found[k].value;
        double error = DBL_EPSILON;
        bool is_pole = true;
        if (is_zero(pole, shift))
            pole = 0;
        else
            status = confirm(s, workspace, &pole, &error, &is_pole);
        if (!is_pole || status != KN_OK)
            continue;
        const bool real = fabs(cimag(pole)) <= fmax(1e-10, error) * cabs(pole);
        add_pole(a, real ? creal(pole) : pole, error);
        if (!real)
            add_pole(a, conj(pole), error);
    }
    return status;
}

static enum kn_status find(struct arena *memory, struct shifted *s, double complex near, int wanted,
                           struct index_analysis *a)
{
    double complex *start = arena_array(memory, (size_t)s->p->n + 1, sizeof *start);
    struct ritz_value *found = arena_array(memory, (size_t)wanted + 1, sizeof *found);
    int count = 0;
    s->values = arena_array(memory, (size_t)s->p->pattern->entries + 1, sizeof *s->values);
    s->product = arena_array(memory, (size_t)s->p->n + 1, sizeof *s->product);
    s->weights = arena_array(memory, (size_t)s->p->n + 1, sizeof *s->weights);
    a->poles = calloc(2 * (size_t)wanted + 1, sizeof *a->poles);
    a->pole_errors = calloc(2 * (size_t)wanted + 1, sizeof *a->pole_errors);
    if (!start || !found || !s->values || !s->product || !s->weights || !a->poles || !a->pole_errors)
        return KN_ERROR_MEMORY;
    enum kn_status status = factor(s, near);
    if (status == KN_OK)
        status = make_start(s, start);
    const struct linear_map map = {s->p->n, s, apply};
    if (status == KN_OK)
        status = arnoldi_largest(&map, start, wanted, found, &count);
    if (status == KN_OK)
        status = take_poles(s, found, count, start, a);
    sparse_zlu_free(s->lu);
    return status;
}

bool index_finds_nearest(void)
{
    return arnoldi_is_there();
}

enum kn_status index_nearest(struct mna *m, const struct index_point *at, const struct index_options *o,
                             double complex near, int wanted, struct index_analysis *a)
{
    struct arena *memory = arena_new();
    struct pencil p;
    if (!memory)
        return KN_ERROR_MEMORY;
    enum kn_status status = pencil_at(m, at->time, at->x, memory, &p);
    if (status == KN_OK && o->alternating)
        mna_alternate(m, p.G);
    if (status == KN_OK && o->border_count > 0 && !pencil_add_borders(memory, o->borders, o->border_count, &p))
        status = KN_ERROR_MEMORY;
    struct shifted s = {.p = &p, .mna = m};
    if (status == KN_OK)
        status = find(memory, &s, near, wanted, a);
    arena_free(memory);
    return status;
}
