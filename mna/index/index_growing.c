/* index_growing.c - modes of a large circuit that grow, where all eigenvalues would take too long.
 *
 * Arnoldi's method (Quart. Appl. Math. 9, 1951; Saad, Numerical Methods for Large Eigenvalue Problems, 2011, section 6.2) on
 * (G + z C)^-1 C, which at a shift z > 0 finds first what lies outermost among the 1 / (z - s): poles about as far from 0 as z, and to the
 * right or far above the others before all.  Shifts go down by decades, from the fastest rate of the circuit to that of the run.  A
 * Ritz value in the right half plane is led to the pole beside it by Newton's method, which confirms it or not: what is told has
 * been found, but there may be more.
 */
#include "mna/index/index_shifted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Vectors with which nothing leans to the right of the imaginary axis, or more are asked for. */
enum { FEW = 12, MANY = 24 };
/* Poles that are told, and steps of Newton's method to one that many vectors have moved: one of a dense row is seen by few. */
enum { MOST_GROWING = 16, FEW_ROUNDS = 8 };
/* Of 1 / z: values below belong to poles far from the shift, which others find better. */
static const double FAR = 0.03;
/* Relative change of a value with more vectors: they may bring one to the right that lies no further left of the imaginary axis.  And of a
 * small step of Newton's method, what the next one is at a pole at most: a zero of the function that has the poles makes a small step, too,
 * and then one of twice that. */
static const double SETTLED = 0.1;

struct krylov {
    struct shifted s;
    double complex *x; /* [n] */
    double *vectors;   /* [MANY + 1][n], orthonormal */
    double *H;         /* [MANY][MANY + 1], column by column */
    int steps;
    struct eigenvalue few[FEW], many[MANY];
    int few_count, many_count;
};

/* ---- circuits without gain ---- */

/* Equations of currents are those of branches, v - L di/dt - R i = 0: with the other sign currents leave nodes and store as charges do. */
static double sign_of_row(const struct mna *m, int i)
{
    return mna_unknown(m, i)->kind == UNKNOWN_VOLTAGE ? 1 : -1;
}

/* Whether the symmetric part of a matrix [entries] with these signs of rows is diagonally dominant: it is positive semidefinite then. */
static bool is_dominant(const struct pencil *p, const struct mna *m, const double *values, double *rest)
{
    const int *start = p->pattern->column_start, *row = p->pattern->row;
    for (int i = 0; i < p->n; i++)
        rest[i] = 0;
    for (int j = 0; j < p->n; j++)
        for (int e = start[j]; e < start[j + 1]; e++) {
            const int i = row[e], other = i == j ? e : sparse_pattern_find(p->pattern, j, i);
            const double value = sign_of_row(m, i) * values[e];
            const double mirrored = other < 0 ? 0 : sign_of_row(m, j) * values[other];
            rest[i] += i == j ? value : -0.5 * fabs(value + mirrored);
            rest[j] -= other < 0 ? 0.5 * fabs(value) : 0;
        }
    for (int i = 0; i < p->n; i++)
        if (rest[i] < -ROUNDING_SAME * fabs(values[sparse_pattern_find(p->pattern, i, i)]))
            return false;
    return true;
}

/* Without a source of power nothing grows: G + s C is regular for Re s > 0 where both symmetric parts are positive semidefinite and
 * that of C is all of it (Brune 1931; Vlach and Singhal, Computer Methods for Circuit Analysis and Design, 1994). */
static bool is_surely_passive(const struct pencil *p, const struct mna *m, double *workspace)
{
    return is_dominant(p, m, p->G, workspace) && is_dominant(p, m, p->C, workspace);
}

/* ---- Arnoldi's method at one shift ---- */

/* w -= V V^T w, twice, so that orthogonality is that of rounding (Giraud et al., Numer. Math. 101, 2005); returns its norm. */
static double orthogonalize(const struct krylov *k, int count, double *w, double *column)
{
    const int n = k->s.p->n;
    double square = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < count; j++) {
            const double *v = k->vectors + (size_t)j * (size_t)n;
            double product = 0;
            for (int i = 0; i < n; i++)
                product += v[i] * w[i];
            for (int i = 0; i < n; i++)
                w[i] -= product * v[i];
            column[j] += product;
        }
    for (int i = 0; i < n; i++)
        square += w[i] * w[i];
    return sqrt(square);
}

/* w := w / norm; false where nothing is left of it. */
static bool normalize(double *w, int n, double norm, double scale)
{
    if (!(norm > ROUNDING_SOLVED * scale) || !isfinite(norm))
        return false;
    for (int i = 0; i < n; i++)
        w[i] /= norm;
    return true;
}

/* Up to so many vectors, fewer where they span all there is. */
static enum kn_status extend(struct krylov *k, int most)
{
    const int n = k->s.p->n;
    for (bool more = true; more && k->steps < most; k->steps++) {
        const double *v = k->vectors + (size_t)k->steps * (size_t)n;
        double *w = k->vectors + (size_t)(k->steps + 1) * (size_t)n;
        double *column = k->H + (size_t)k->steps * (MANY + 1), scale = 0;
        for (int i = 0; i < n; i++)
            k->x[i] = v[i];
        const enum kn_status status = shifted_apply(&k->s, k->x);
        if (status != KN_OK)
            return status;
        for (int i = 0; i < n; i++) {
            w[i] = creal(k->x[i]);
            scale = hypot(scale, w[i]);
        }
        memset(column, 0, (MANY + 1) * sizeof *column);
        column[k->steps + 1] = orthogonalize(k, k->steps + 1, w, column);
        more = normalize(w, n, column[k->steps + 1], scale);
    }
    return KN_OK;
}

static enum kn_status find_ritz_values(const struct krylov *k, struct eigenvalue *out, int *count)
{
    struct arena *memory = arena_new();
    struct dense h;
    *count = 0;
    if (!memory || !dense_new(memory, k->steps, k->steps, &h)) {
        arena_free(memory);
        return KN_ERROR_MEMORY;
    }
    for (int j = 0; j < k->steps; j++)
        for (int i = 0; i < k->steps && i <= j + 1; i++)
            *dense_at(&h, i, j) = k->H[(size_t)j * (MANY + 1) + (size_t)i];
    const enum kn_status status = dense_matrix_eigenvalues(memory, &h, out);
    *count = status == KN_OK ? k->steps : 0;
    arena_free(memory);
    return status == KN_ERROR_CONVERGENCE ? KN_OK : status;
}

static bool is_near(double complex mu, double complex shift)
{
    return cabs(mu * shift) > FAR;
}

/* Whether a pole that grows may show among the values of few vectors. */
static bool leans(const struct krylov *k)
{
    for (int i = 0; i < k->few_count; i++) {
        const double complex pole = k->s.shift - 1 / k->few[i].value;
        if (is_near(k->few[i].value, k->s.shift) && creal(pole) > -SETTLED * cabs(pole))
            return true;
    }
    return false;
}

static bool has_settled(const struct krylov *k, double complex value)
{
    for (int i = 0; i < k->few_count; i++)
        if (cabs(k->few[i].value - value) < SETTLED * cabs(value))
            return true;
    return false;
}

static enum kn_status start(struct krylov *k, double shift)
{
    double square = 0;
    k->steps = 0;
    enum kn_status status = shifted_factor(&k->s, shift);
    if (status == KN_OK)
        status = shifted_start(&k->s, k->x);
    for (int i = 0; status == KN_OK && i < k->s.p->n; i++) {
        k->vectors[i] = creal(k->x[i]);
        square += k->vectors[i] * k->vectors[i];
    }
    if (status == KN_OK && !normalize(k->vectors, k->s.p->n, sqrt(square), 0))
        return KN_ERROR_CONVERGENCE;
    return status;
}

/* ---- poles ---- */

static bool is_known(const struct index_analysis *a, double complex pole, double apart)
{
    for (int k = 0; k < a->pole_count; k++)
        if (cabs(a->poles[k] - pole) <= apart * cabs(pole))
            return true;
    return false;
}

static void add(struct index_analysis *a, double complex pole, double error)
{
    a->poles[a->pole_count] = pole;
    a->pole_errors[a->pole_count++] = error;
}

/* The pole beside a Ritz value, if there is one to the right of the imaginary axis. */
static enum kn_status follow(struct krylov *k, double complex pole, int rounds, struct index_analysis *a)
{
    const double size = cabs(pole);
    double error = INFINITY;
    bool is_pole = false, moves = true;
    enum kn_status status = KN_OK;
    for (int i = 0; i < rounds && status == KN_OK && moves && cabs(pole) < 10 * size; i++) {
        const double before = is_pole ? error : 0;
        status = shifted_confirm(&k->s, k->x, &pole, &error, &is_pole);
        moves = !(is_pole && error <= fmax(SETTLED * before, ROUNDING_SAME));
    }
    if (status != KN_OK || moves || !(creal(pole) > 0))
        return status;
    const bool real = fabs(cimag(pole)) <= fmax(ROUNDING_SAME, error) * cabs(pole);
    pole = real ? creal(pole) : creal(pole) + I * fabs(cimag(pole));
    if (is_known(a, pole, SETTLED * SETTLED) || a->pole_count + 2 > MOST_GROWING)
        return KN_OK;
    add(a, pole, error);
    if (!real)
        add(a, conj(pole), error);
    return KN_OK;
}

static enum kn_status look_at(struct krylov *k, double shift, struct index_analysis *a)
{
    enum kn_status status = start(k, shift);
    if (status == KN_OK)
        status = extend(k, FEW);
    if (status == KN_OK)
        status = find_ritz_values(k, k->few, &k->few_count);
    if (status != KN_OK || !leans(k))
        return status;
    status = extend(k, MANY);
    if (status == KN_OK)
        status = find_ritz_values(k, k->many, &k->many_count);
    for (int i = 0; i < k->many_count && status == KN_OK; i++) {
        const double complex value = k->many[i].value, pole = shift - 1 / value;
        if (is_near(value, shift) && creal(pole) > 0 && cimag(pole) >= 0 && !is_known(a, pole, SETTLED))
            status = follow(k, pole, has_settled(k, value) ? SHIFTED_MOST_STEPS : FEW_ROUNDS, a);
    }
    return status;
}

/* Largest sum of a row of G over the entry of C on its diagonal: nothing grows faster where C is diagonal (Gershgorin 1931). */
static double fastest_rate(const struct pencil *p, double *sums)
{
    double fastest = 0;
    for (int i = 0; i < p->n; i++)
        sums[i] = 0;
    for (int e = 0; e < p->pattern->entries; e++)
        sums[p->pattern->row[e]] += fabs(p->G[e]);
    for (int i = 0; i < p->n; i++) {
        const double C = fabs(p->C[sparse_pattern_find(p->pattern, i, i)]);
        if (C > 0)
            fastest = fmax(fastest, sums[i] / C);
    }
    return fmin(fastest, FASTEST.light);
}

static enum kn_status look(struct arena *memory, struct krylov *k, double slowest, struct index_analysis *a)
{
    const size_t n = (size_t)k->s.p->n;
    k->x = arena_array(memory, n, sizeof *k->x);
    k->vectors = arena_array(memory, (MANY + 1) * n, sizeof *k->vectors);
    k->H = arena_array(memory, (size_t)MANY * (MANY + 1), sizeof *k->H);
    a->poles = calloc(MOST_GROWING, sizeof *a->poles);
    a->pole_errors = calloc(MOST_GROWING, sizeof *a->pole_errors);
    if (!k->x || !k->vectors || !k->H || !a->poles || !a->pole_errors)
        return KN_ERROR_MEMORY;
    if (is_surely_passive(k->s.p, k->s.mna, k->vectors))
        return KN_OK;
    enum kn_status status = KN_OK;
    for (double shift = fastest_rate(k->s.p, k->vectors); shift >= slowest && status == KN_OK; shift /= 10) {
        status = look_at(k, shift, a);
        if (status == KN_ERROR_CIRCUIT || status == KN_ERROR_CONVERGENCE) /* nothing is known there */
            status = KN_OK;
    }
    return status;
}

enum kn_status index_growing(struct mna *m, const struct index_point *at, double slowest, struct index_analysis *a)
{
    struct arena *memory = arena_new();
    struct pencil p;
    struct krylov k = {0};
    if (!memory)
        return KN_ERROR_MEMORY;
    enum kn_status status = pencil_at(m, at->time, at->x, memory, &p);
    if (status == KN_OK)
        status = shifted_new(memory, &p, m, &k.s);
    if (status == KN_OK)
        status = look(memory, &k, slowest, a);
    shifted_free(&k.s);
    arena_free(memory);
    return status;
}
