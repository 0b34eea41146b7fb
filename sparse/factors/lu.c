/* lu.c - sparse LU factors by KLU (Davis and Palamadai Natarajan, ACM TOMS 37(3), 2010), real and complex from one
 * source.
 *
 * Refactorisation keeps the pivots of the last full factorisation.  It is trusted only if the reciprocal pivot growth is
 * not much worse than that of the full one; otherwise the matrix is factored again with pivoting.  KLU chooses the
 * pivots; factors are made and solved with by kept_pivots.c.
 */
#include "sparse/factors/kept_pivots.h"
#include "sparse/factors/lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pivots are kept while the reciprocal growth is above the first, which costs three digits of sixteen; or, where fresh ones
 * do not reach that (KLU prefers the diagonal to entries up to 1000 times as large), while it is the second times less. */
static const double GROWTH = 1e-3, GROWTH_LOSS = 10;

struct lu {
    const struct sparse_pattern *pattern;
    klu_common common;
    struct sparse_analysis *analysis; /* of the pattern */
    bool own;                         /* not shared with other factors */
    struct kept_pivots kept;
    struct lanes_room lanes; /* of complex ones along a sweep */
    bool factored;
    double growth; /* reciprocal pivot growth of the last full factorisation */
    double effort; /* operations of a factorisation over those of a solve */
    int singular;
    struct sparse_statistics statistics;
};

/* Two types, so that nobody takes one for the other. */
struct sparse_lu {
    struct lu lu;
};

struct sparse_zlu {
    struct lu lu;
};

static enum kn_status lu_analyze(struct lu *s, const struct sparse_pattern *p, bool is_complex)
{
    s->pattern = p;
    s->singular = -1;
    s->common = sparse_analysis_settings(NULL);
    const enum kn_status status = sparse_analysis_of(p, &s->analysis, &s->own);
    return status == KN_OK ? kept_pivots_init(&s->kept, p, s->analysis, is_complex) : status;
}

static void lu_free(struct lu *s)
{
    if (!s)
        return;
    kept_pivots_free(&s->kept);
    lanes_free(&s->lanes);
    if (s->own)
        sparse_analysis_free(s->analysis);
    free(s);
}

static enum kn_status lu_new(const struct sparse_pattern *p, bool is_complex, struct lu **out)
{
    struct lu *s = calloc(1, sizeof *s);
    const enum kn_status status = s ? lu_analyze(s, p, is_complex) : KN_ERROR_MEMORY;
    *out = status == KN_OK ? s : NULL;
    if (status != KN_OK)
        lu_free(s);
    return status;
}

static bool refactor(struct lu *s, const void *values)
{
    double growth;
    s->statistics.refactorizations++;
    if (kept_pivots_factor(&s->kept, values, &growth) && growth >= fmin(GROWTH, s->growth / GROWTH_LOSS))
        return true;
    s->statistics.repivots++;
    return false;
}

/* KLU does not write to the values, but its prototypes do not say so. */
static klu_numeric *choose_pivots(struct lu *s, const void *values)
{
    const struct sparse_pattern *p = s->pattern;
    double *a = (double *)values;
    return s->kept.is_complex ? klu_z_factor(p->column_start, p->row, a, s->analysis->symbolic, &s->common)
                              : klu_factor(p->column_start, p->row, a, s->analysis->symbolic, &s->common);
}

static void free_numeric(struct lu *s, klu_numeric *numeric)
{
    if (s->kept.is_complex)
        klu_z_free_numeric(&numeric, &s->common);
    else
        klu_free_numeric(&numeric, &s->common);
}

static void count_operations(struct lu *s, klu_numeric *numeric)
{
    const double entries = (double)numeric->lnz + numeric->unz + numeric->nzoff;
    const int counted = s->kept.is_complex ? klu_z_flops(s->analysis->symbolic, numeric, &s->common)
                                           : klu_flops(s->analysis->symbolic, numeric, &s->common);
    s->effort = counted ? s->common.flops / (2 * entries) : 0;
}

static enum kn_status factor_with_pivoting(struct lu *s, const void *values)
{
    s->statistics.factorizations++;
    s->factored = kept_pivots_try(&s->kept, values, s->common.tol, &s->growth);
    if (s->factored) {
        s->effort = s->kept.fronts.operations / (2 * s->kept.fronts.entries);
        return KN_OK;
    }
    s->statistics.searches++;
    s->common.singular_col = -1;
    klu_numeric *numeric = choose_pivots(s, values);
    if (!numeric || s->common.status != KLU_OK) {
        const int column = s->common.singular_col;
        s->singular = column >= 0 && column < s->pattern->n ? column : -1;
        const bool memory = s->common.status == KLU_OUT_OF_MEMORY;
        if (numeric)
            free_numeric(s, numeric);
        return memory ? KN_ERROR_MEMORY : KN_ERROR_CIRCUIT;
    }
    count_operations(s, numeric);
    const enum kn_status status = kept_pivots_take(&s->kept, s->pattern, s->analysis->symbolic, numeric, &s->common);
    free_numeric(s, numeric);
    if (status != KN_OK)
        return status;
    s->factored = kept_pivots_factor(&s->kept, values, &s->growth);
    return s->factored ? KN_OK : KN_ERROR_CIRCUIT;
}

static enum kn_status lu_factor(struct lu *s, const void *values)
{
    s->singular = -1;
    if (s->factored && refactor(s, values))
        return KN_OK;
    return factor_with_pivoting(s, values);
}

static void lu_solve(struct lu *s, void *b, bool transposed)
{
    s->statistics.solves++;
    if (transposed)
        kept_pivots_solve_transposed(&s->kept, b);
    else
        kept_pivots_solve(&s->kept, b);
}

/* ---- real ---- */

enum kn_status sparse_lu_new(const struct sparse_pattern *p, struct sparse_lu **out)
{
    struct lu *lu;
    const enum kn_status status = lu_new(p, false, &lu);
    *out = (struct sparse_lu *)lu;
    return status;
}

void sparse_lu_free(struct sparse_lu *s)
{
    lu_free((struct lu *)s);
}

enum kn_status sparse_lu_factor(struct sparse_lu *s, const double *values)
{
    return lu_factor(&s->lu, values);
}

int sparse_lu_singular(const struct sparse_lu *s)
{
    return s->lu.singular;
}

void sparse_lu_solve(struct sparse_lu *s, double *b)
{
    lu_solve(&s->lu, b, false);
}

void sparse_lu_solve_transposed(struct sparse_lu *s, double *b)
{
    lu_solve(&s->lu, b, true);
}

double sparse_lu_effort(const struct sparse_lu *s)
{
    return s->lu.effort;
}

size_t sparse_lu_bytes(const struct sparse_lu *s)
{
    return kept_pivots_bytes(&s->lu.kept);
}

/* ---- condition ---- */

static double sum_of_sizes(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += fabs(x[i]);
    return sum;
}

static double norm_1(const struct sparse_pattern *p, const double *values)
{
    double largest = 0;
    for (int j = 0; j < p->n; j++)
        largest = fmax(largest, sum_of_sizes(p->column_start[j + 1] - p->column_start[j], values + p->column_start[j]));
    return largest;
}

/* A lower estimate of the 1-norm of the inverse (N. J. Higham, ACM Trans. Math. Softw. 14 (1988) 381-396, algorithm 4.1); x
 * and z: [n]. */
static double inverse_norm(struct lu *s, double *x, double *z)
{
    enum { ROUNDS = 5 };
    const int n = s->pattern->n;
    double norm = 0;
    for (int i = 0; i < n; i++)
        x[i] = 1.0 / n;
    for (int round = 0; round < ROUNDS; round++) {
        memcpy(z, x, (size_t)n * sizeof *z);
        lu_solve(s, z, false);
        const double found = sum_of_sizes(n, z);
        if (!(found > norm) && round > 0)
            break;
        norm = found;
        int largest = 0;
        double along = 0;
        for (int i = 0; i < n; i++)
            z[i] = z[i] < 0 ? -1 : 1;
        lu_solve(s, z, true);
        for (int i = 0; i < n; i++) {
            along += z[i] * x[i];
            largest = fabs(z[i]) > fabs(z[largest]) ? i : largest;
        }
        if (!(fabs(z[largest]) > along))
            break;
        memset(x, 0, (size_t)n * sizeof *x);
        x[largest] = 1;
    }
    for (int i = 0; i < n; i++)
        x[i] = (i % 2 ? -1 : 1) * (1 + i / fmax(n - 1, 1));
    lu_solve(s, x, false);
    return fmax(norm, 2 * sum_of_sizes(n, x) / (3.0 * n));
}

double sparse_lu_condition(struct sparse_lu *s, const double *values)
{
    struct lu *lu = &s->lu;
    const size_t n = (size_t)lu->pattern->n;
    double *const x = malloc(2 * n * sizeof *x);
    const double condition = lu->factored && x ? norm_1(lu->pattern, values) * inverse_norm(lu, x, x + n) : INFINITY;
    free(x);
    return isnan(condition) ? INFINITY : condition;
}

const struct sparse_statistics *sparse_lu_statistics(const struct sparse_lu *s)
{
    return &s->lu.statistics;
}

/* ---- complex; C17 6.2.5 fixes that a complex number is laid out as two doubles, as KLU wants them ---- */

enum kn_status sparse_zlu_new(const struct sparse_pattern *p, struct sparse_zlu **out)
{
    struct lu *lu;
    const enum kn_status status = lu_new(p, true, &lu);
    *out = (struct sparse_zlu *)lu;
    return status;
}

void sparse_zlu_free(struct sparse_zlu *s)
{
    lu_free((struct lu *)s);
}

enum kn_status sparse_zlu_factor(struct sparse_zlu *s, const double complex *values)
{
    return lu_factor(&s->lu, values);
}

int sparse_zlu_singular(const struct sparse_zlu *s)
{
    return s->lu.singular;
}

void sparse_zlu_solve_transposed(struct sparse_zlu *s, double complex *b)
{
    lu_solve(&s->lu, b, true);
}

void sparse_zlu_solve(struct sparse_zlu *s, double complex *b)
{
    lu_solve(&s->lu, b, false);
}

/* ---- along a sweep ---- */

/* What a solution may leave in an equation, of the sizes of its terms: the change of the matrix for which it would be
 * exact (Oettli and Prager, Numer. Math. 6 (1964) 405).  Good pivots leave 1e-15. */
static const double LEFT_OVER = 1e-11;

static double size(double complex z)
{
    return fabs(creal(z)) + fabs(cimag(z));
}

/* Whether A^T x = b. */
static bool solves_transposed(const struct sparse_pattern *p, const double complex *values, const double complex *x,
                              const double complex *b)
{
    bool good = true;
    for (int j = 0; j < p->n; j++) {
        double complex rest = b[j];
        double scale = size(b[j]);
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
            const double *a = (const double *)&values[k], *y = (const double *)&x[p->row[k]];
            const double re = a[0] * y[0] - a[1] * y[1], im = a[0] * y[1] + a[1] * y[0];
            rest -= CMPLX(re, im);
            scale += fabs(re) + fabs(im);
        }
        good &= size(rest) <= LEFT_OVER * scale;
    }
    return good;
}

enum kn_status sparse_zlu_next_transposed(struct sparse_zlu *lu, const double complex *values, double complex *b,
                                          double complex *workspace)
{
    struct lu *s = &lu->lu;
    const size_t bytes = (size_t)s->pattern->n * sizeof *b;
    s->singular = -1;
    s->statistics.refactorizations += s->factored;
    if (s->factored && kept_pivots_factor(&s->kept, values, NULL)) {
        memcpy(workspace, b, bytes);
        lu_solve(s, workspace, true);
        if (solves_transposed(s->pattern, values, workspace, b)) {
            memcpy(b, workspace, bytes);
            return KN_OK;
        }
        s->statistics.repivots++;
    }
    const enum kn_status status = factor_with_pivoting(s, values);
    if (status == KN_OK)
        lu_solve(s, b, true);
    return status;
}

bool sparse_zlu_lanes_transposed(struct sparse_zlu *lu, const double complex *const values[SPARSE_LANES],
                                 double complex *const b[SPARSE_LANES])
{
    struct lu *s = &lu->lu;
    if (!s->factored || !lanes_solve_transposed(&s->lanes, &s->kept, s->pattern, values, b, LEFT_OVER))
        return false;
    s->statistics.refactorizations += SPARSE_LANES;
    s->statistics.solves += SPARSE_LANES;
    return true;
}

const struct sparse_statistics *sparse_zlu_statistics(const struct sparse_zlu *s)
{
    return &s->lu.statistics;
}
