/* lu.c - sparse LU factors by KLU (Davis and Palamadai Natarajan, ACM TOMS 37(3), 2010), real and complex from one
 * source.
 *
 * Refactorisation keeps the pivots of the last full factorisation.  It is trusted only if the reciprocal pivot growth is
 * not much worse than that of the full one; otherwise the matrix is factored again with pivoting.  Real factors are
 * taken from KLU and made again by kept_pivots.c; complex ones stay with KLU.
 */
#include "sparse/kept_pivots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A refactorisation may lose this much of pivot growth against the last pivoting before it is thrown away. */
static const double GROWTH_LOSS = 1e-3;

struct lu {
    const struct sparse_pattern *pattern;
    bool is_complex;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;    /* complex factors */
    struct kept_pivots kept; /* real ones */
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

static void drop_factors(struct lu *s)
{
    s->factored = false;
    if (s->numeric)
        klu_z_free_numeric(&s->numeric, &s->common);
}

static enum kn_status lu_analyze(struct lu *s, const struct sparse_pattern *p, bool is_complex)
{
    s->pattern = p;
    s->is_complex = is_complex;
    s->singular = -1;
    klu_defaults(&s->common);
    s->common.btf = 1;
    s->common.ordering = 0; /* AMD */
    s->common.halt_if_singular = 1;
    s->symbolic = klu_analyze(p->n, p->column_start, p->row, &s->common);
    if (!s->symbolic)
        return s->common.status == KLU_SINGULAR ? KN_ERROR_CIRCUIT : KN_ERROR_MEMORY;
    return is_complex ? KN_OK : kept_pivots_init(&s->kept, p, s->symbolic);
}

static void lu_free(struct lu *s)
{
    if (!s)
        return;
    drop_factors(s);
    kept_pivots_free(&s->kept);
    if (s->symbolic)
        klu_free_symbolic(&s->symbolic, &s->common);
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

/* Reciprocal pivot growth of the complex factors at hand; false when they are useless. */
static bool find_growth(struct lu *s, double *values, double *growth)
{
    const struct sparse_pattern *p = s->pattern;
    klu_z_rcond(s->symbolic, s->numeric, &s->common);
    klu_z_rgrowth(p->column_start, p->row, values, s->symbolic, s->numeric, &s->common);
    *growth = s->common.rgrowth;
    return s->common.rcond > 0 && isfinite(s->common.rcond) && isfinite(*growth);
}

static bool refactor_complex(struct lu *s, double *values, double *growth)
{
    const struct sparse_pattern *p = s->pattern;
    return klu_z_refactor(p->column_start, p->row, values, s->symbolic, s->numeric, &s->common) &&
           s->common.status == KLU_OK && find_growth(s, values, growth);
}

static bool refactor(struct lu *s, double *values)
{
    double growth;
    s->statistics.refactorizations++;
    const bool done =
        s->is_complex ? refactor_complex(s, values, &growth) : kept_pivots_factor(&s->kept, values, &growth);
    if (done && growth >= GROWTH_LOSS * s->growth)
        return true;
    s->statistics.repivots++;
    return false;
}

static void count_operations(struct lu *s, const klu_numeric *numeric, int counted)
{
    const double entries = (double)numeric->lnz + numeric->unz + numeric->nzoff;
    s->effort = counted ? s->common.flops / (2 * entries) : 0;
}

static enum kn_status pivot_complex(struct lu *s, double *values)
{
    const struct sparse_pattern *p = s->pattern;
    s->numeric = klu_z_factor(p->column_start, p->row, values, s->symbolic, &s->common);
    if (!s->numeric || s->common.status != KLU_OK || !find_growth(s, values, &s->growth))
        return KN_ERROR_CIRCUIT;
    count_operations(s, s->numeric, klu_z_flops(s->symbolic, s->numeric, &s->common));
    return KN_OK;
}

static enum kn_status pivot_real(struct lu *s, double *values)
{
    const struct sparse_pattern *p = s->pattern;
    klu_numeric *numeric = klu_factor(p->column_start, p->row, values, s->symbolic, &s->common);
    enum kn_status status = numeric && s->common.status == KLU_OK ? KN_OK : KN_ERROR_CIRCUIT;
    if (status == KN_OK) {
        count_operations(s, numeric, klu_flops(s->symbolic, numeric, &s->common));
        status = kept_pivots_take(&s->kept, p, s->symbolic, numeric, &s->common);
    }
    if (numeric)
        klu_free_numeric(&numeric, &s->common);
    if (status == KN_OK && !kept_pivots_factor(&s->kept, values, &s->growth))
        status = KN_ERROR_CIRCUIT;
    return status;
}

static enum kn_status factor_with_pivoting(struct lu *s, double *values)
{
    drop_factors(s);
    s->statistics.factorizations++;
    s->common.singular_col = -1;
    const enum kn_status status = s->is_complex ? pivot_complex(s, values) : pivot_real(s, values);
    s->factored = status == KN_OK;
    if (s->factored)
        return KN_OK;
    s->singular = s->common.singular_col >= 0 && s->common.singular_col < s->pattern->n ? s->common.singular_col : -1;
    const bool memory = status == KN_ERROR_MEMORY || s->common.status == KLU_OUT_OF_MEMORY;
    drop_factors(s);
    return memory ? KN_ERROR_MEMORY : KN_ERROR_CIRCUIT;
}

static enum kn_status lu_factor(struct lu *s, double *values)
{
    s->singular = -1;
    if (s->factored && refactor(s, values))
        return KN_OK;
    return factor_with_pivoting(s, values);
}

static void lu_solve(struct lu *s, double *b, bool transposed)
{
    const int n = s->pattern->n;
    s->statistics.solves++;
    if (s->is_complex && transposed)
        klu_z_tsolve(s->symbolic, s->numeric, n, 1, b, 0, &s->common);
    else if (s->is_complex)
        klu_z_solve(s->symbolic, s->numeric, n, 1, b, &s->common);
    else if (transposed)
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

/* KLU does not write to the values, but its prototypes do not say so. */
enum kn_status sparse_lu_factor(struct sparse_lu *s, const double *values)
{
    return lu_factor(&s->lu, (double *)values);
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

/* KLU's estimate wants KLU's factors. */
double sparse_lu_condition(struct sparse_lu *s, const double *values)
{
    struct lu *lu = &s->lu;
    const struct sparse_pattern *p = lu->pattern;
    if (!lu->factored)
        return INFINITY;
    klu_numeric *numeric = klu_factor(p->column_start, p->row, (double *)values, lu->symbolic, &lu->common);
    if (!numeric || lu->common.status != KLU_OK)
        lu->common.condest = INFINITY;
    else
        klu_condest(p->column_start, (double *)values, lu->symbolic, numeric, &lu->common);
    if (numeric)
        klu_free_numeric(&numeric, &lu->common);
    return lu->common.condest;
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
    return lu_factor(&s->lu, (double *)values);
}

int sparse_zlu_singular(const struct sparse_zlu *s)
{
    return s->lu.singular;
}

void sparse_zlu_solve_transposed(struct sparse_zlu *s, double complex *b)
{
    lu_solve(&s->lu, (double *)b, true);
}

void sparse_zlu_solve(struct sparse_zlu *s, double complex *b)
{
    lu_solve(&s->lu, (double *)b, false);
}

/* ---- along a sweep ---- */

/* What a solution may leave in an equation, of the sizes of its terms: the change of the matrix for which it would be
 * exact (Oettli and Prager, Numer. Math. 6 (1964) 405).  Good pivots leave 1e-15. */
static const double LEFT_OVER = 1e-11;

/* Row scaling serves the choice of pivots, and none are chosen here. */
static bool refactor_unjudged(struct lu *s, double *values)
{
    const int scale = s->common.scale;
    s->common.scale = -1; /* none, and no checks of the pattern */
    s->statistics.refactorizations++;
    const int done =
        klu_z_refactor(s->pattern->column_start, s->pattern->row, values, s->symbolic, s->numeric, &s->common);
    s->common.scale = scale;
    return done && s->common.status == KLU_OK;
}

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
    if (s->factored && refactor_unjudged(s, (double *)values)) {
        memcpy(workspace, b, bytes);
        lu_solve(s, (double *)workspace, true);
        if (solves_transposed(s->pattern, values, workspace, b)) {
            memcpy(b, workspace, bytes);
            return KN_OK;
        }
        s->statistics.repivots++;
    }
    const enum kn_status status = factor_with_pivoting(s, (double *)values);
    if (status == KN_OK)
        lu_solve(s, (double *)b, true);
    return status;
}

const struct sparse_statistics *sparse_zlu_statistics(const struct sparse_zlu *s)
{
    return &s->lu.statistics;
}
