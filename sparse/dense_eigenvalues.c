/* dense_eigenvalues.c - eigenvalues of a pair of matrices by QZ (Moler and Stewart, SIAM J. Numer. Anal. 10, 1973),
 * with the chordal error bound of Stewart and Sun (Matrix Perturbation Theory, 1990, section VI.2.1).
 *
 * The second matrix is balanced by rows and columns first; Ward's balancing of both together (LAPACK's) may take it for
 * singular.
 */
#include "sparse/dense.h"

#include <complex.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>

enum { ROUNDS = 8 };

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
    const double of_a = dense_largest(a), of_b = dense_largest(b);
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

enum kn_status dense_eigenvalues(struct arena *memory, const struct dense *a, const struct dense *b,
                                 struct eigenvalue *out)
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
