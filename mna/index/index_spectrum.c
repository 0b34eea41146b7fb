/* index_spectrum.c - the finite eigenvalues: poles of the linearised circuit.
 *
 * QZ (Moler and Stewart 1973) on the finite part, once for C^-1 G, whose large eigenvalues it finds, and once for G^-1
 * C, where the slow ones are large; of both the one with the smaller error bound is taken (chordal bound of Stewart and
 * Sun, Matrix Perturbation Theory (1990), section VI.2.1).  The matrix that is inverted is balanced by rows and columns
 * first; Ward's balancing of both together (LAPACK's) may take it for singular.
 */
#include "mna/index/index_parts.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

/* Relative error from which on a pole is not determined. */
static const double TOO_ROUGH = 1e-2;

enum { ROUNDS = 8 };

struct estimate {
    double complex value;
    double error; /* relative */
};

static int by_magnitude(const void *a, const void *b)
{
    const double complex x = ((const struct estimate *)a)->value, y = ((const struct estimate *)b)->value;
    const double d = cabs(x) - cabs(y);
    if (fabs(d) > 1e-9 * cabs(x))
        return d > 0 ? 1 : -1;
    return cimag(x) < cimag(y) ? 1 : cimag(x) > cimag(y) ? -1 : 0;
}

static double largest_in_row(const struct dense *m, int row)
{
    double largest = 0;
    for (int j = 0; j < m->columns; j++)
        largest = fmax(largest, fabs(*dense_at(m, row, j)));
    return largest;
}

static double largest_in_column(const struct dense *m, int column)
{
    double largest = 0;
    for (int i = 0; i < m->rows; i++)
        largest = fmax(largest, fabs(*dense_at(m, i, column)));
    return largest;
}

static double largest_of(const struct dense *m)
{
    double largest = 0;
    for (int j = 0; j < m->columns; j++)
        largest = fmax(largest, largest_in_column(m, j));
    return largest;
}

static void scale_row(struct dense *m, int row, int exponent)
{
    for (int j = 0; j < m->columns; j++)
        *dense_at(m, row, j) = ldexp(*dense_at(m, row, j), exponent);
}

static void scale_column(struct dense *m, int column, int exponent)
{
    for (int i = 0; i < m->rows; i++)
        *dense_at(m, i, column) = ldexp(*dense_at(m, i, column), exponent);
}

/* Rows of a and b together, and columns, by powers of 2 so that largest entries of b are about 1: only the eigenvectors
 * change. */
static void balance(struct dense *a, struct dense *b)
{
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < b->rows; i++) {
            const double largest = largest_in_row(b, i);
            const int exponent = largest > 0 ? -ilogb(largest) / (round < ROUNDS - 1 ? 2 : 1) : 0;
            scale_row(a, i, exponent);
            scale_row(b, i, exponent);
        }
        for (int j = 0; j < b->columns; j++) {
            const double largest = largest_in_column(b, j);
            const int exponent = largest > 0 ? -ilogb(largest) / 2 : 0;
            scale_column(a, j, exponent);
            scale_column(b, j, exponent);
        }
    }
}

/* Scales a to the size of b, that is, counts time in another unit: eigenvalues are to be multiplied by the power of 2
 * of the exponent returned. */
static int change_unit(struct dense *a, const struct dense *b)
{
    const double of_a = largest_of(a), of_b = largest_of(b);
    if (of_a == 0 || of_b == 0)
        return 0;
    const int exponent = ilogb(of_a) - ilogb(of_b);
    for (int j = 0; j < a->columns; j++)
        scale_column(a, j, -exponent);
    return exponent;
}

/* What a rounding of both matrices, of their norms, does to lambda; separation = |(y* a x, y* b x)| for unit vectors.
 */
static double relative_error(double complex lambda, double separation, double a_norm, double b_norm)
{
    const double whole = hypot(1, cabs(lambda));
    const double numerator = separation * cabs(lambda) / whole, denominator = separation / whole;
    const double error = DBL_EPSILON * (a_norm / numerator + b_norm / denominator);
    return isnan(error) ? INFINITY : error;
}

/* Eigenvalues of a v = lambda b v; INFINITY where b is singular. */
static enum kn_status solve_pencil(struct arena *memory, const struct dense *a, const struct dense *b,
                                   struct estimate *out)
{
    const int n = a->rows;
    struct dense left, right, numbers, y, x;
    if (!dense_select(memory, a, NULL, 0, NULL, 0, &left) || !dense_select(memory, b, NULL, 0, NULL, 0, &right) ||
        !dense_new(memory, n, 7, &numbers) || !dense_new(memory, n, n, &y) || !dense_new(memory, n, n, &x))
        return KN_ERROR_MEMORY;
    balance(&left, &right);
    const int unit = change_unit(&left, &right);
    double *re = dense_at(&numbers, 0, 0), *im = dense_at(&numbers, 0, 1), *beta = dense_at(&numbers, 0, 2);
    double *left_scale = dense_at(&numbers, 0, 3), *right_scale = dense_at(&numbers, 0, 4);
    double *separation = dense_at(&numbers, 0, 5);
    lapack_int low, high;
    double a_norm, b_norm;
    const lapack_int info =
        LAPACKE_dggevx(LAPACK_COL_MAJOR, 'P', 'V', 'V', 'E', n, left.at, n, right.at, n, re, im, beta, y.at, n, x.at, n,
                       &low, &high, left_scale, right_scale, &a_norm, &b_norm, separation, dense_at(&numbers, 0, 6));
    if (info != 0)
        return dense_lapack_status(info);
    for (int k = 0; k < n; k++) {
        const double complex lambda = fabs(beta[k]) > 0 ? (re[k] + I * im[k]) / beta[k] : INFINITY;
        out[k].error = relative_error(lambda, separation[k], a_norm, b_norm);
        out[k].value = isinf(cabs(lambda)) ? INFINITY : lambda * ldexp(1, unit);
    }
    return KN_OK;
}

/* Eigenvalues mu of G^-1 C to poles 1 / mu.  One without end belongs to a G that is singular: a pole at 0, unless
 * conductances may have been lost in sums with others (blurred). */
static void invert(struct estimate *slow, int n, bool blurred)
{
    for (int k = 0; k < n; k++) {
        const double size = cabs(slow[k].value);
        if (isinf(size))
            slow[k] = (struct estimate){0, blurred ? INFINITY : 0};
        else
            slow[k].value = size > 0 ? 1 / slow[k].value : INFINITY;
    }
}

/* Both [n] by magnitude; NAN for a pole that rounding hides. */
static void join(const struct estimate *fast, const struct estimate *slow, int n, double complex *out)
{
    for (int k = 0; k < n; k++) {
        const struct estimate *best = slow[k].error < fast[k].error ? &slow[k] : &fast[k];
        out[k] = best->error < TOO_ROUGH ? best->value : NAN;
    }
}

enum kn_status spectrum_find(struct arena *memory, const struct finite_part *finite, struct index_analysis *a)
{
    const int n = finite->C.rows;
    const struct dense *C = &finite->C;
    struct dense G;
    struct estimate *fast = arena_array(memory, (size_t)n + 1, sizeof *fast);
    struct estimate *slow = arena_array(memory, (size_t)n + 1, sizeof *slow);
    a->poles = calloc((size_t)n + 1, sizeof *a->poles);
    if (!fast || !slow || !a->poles || !dense_select(memory, &finite->G, NULL, 0, NULL, 0, &G))
        return KN_ERROR_MEMORY;
    if (n == 0)
        return KN_OK;
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
        G.at[i] = -G.at[i];
    enum kn_status status = solve_pencil(memory, &G, C, fast);
    if (status == KN_OK)
        status = solve_pencil(memory, C, &G, slow);
    if (status != KN_OK)
        return status;
    invert(slow, n, a->blurred);
    qsort(fast, (size_t)n, sizeof *fast, by_magnitude);
    qsort(slow, (size_t)n, sizeof *slow, by_magnitude);
    join(fast, slow, n, a->poles);
    a->pole_count = n;
    return KN_OK;
}
