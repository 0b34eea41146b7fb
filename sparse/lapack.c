/* lapack.c - see lapack.h. */
#include "sparse/lapack.h"

#include <lapack.h>
#include <math.h>
#include <stdlib.h>

/* Vectors of n that a routine may want, and columns of the blocks in which it works: with less it would be slower, with
 * the least that its documentation names it would still do.  dgehrd keeps a factor of 65 x 64 besides. */
enum { VECTORS = 10, BLOCK = 64, FACTOR = 65 * 64 };

static double *workspace(int n)
{
    return malloc(((VECTORS + BLOCK) * (size_t)n + FACTOR) * sizeof(double));
}

static lapack_int *integers(int n)
{
    return malloc(((size_t)n + 1) * sizeof(lapack_int));
}

/* LAPACK need not end where there is one. */
static bool has_nan(int rows, int columns, const double *a)
{
    const size_t count = (size_t)rows * (size_t)columns;
    size_t i = 0;
    while (i < count && !isnan(a[i]))
        i++;
    return i < count;
}

/* Between columns: Fortran takes no distance below 1. */
static lapack_int distance(int rows)
{
    return rows > 1 ? rows : 1;
}

static enum kn_status outcome(bool enough, lapack_int info)
{
    return !enough ? KN_ERROR_MEMORY : info == 0 ? KN_OK : KN_ERROR_CONVERGENCE;
}

enum kn_status lapack_solve(int n, double *a, int columns, double *b)
{
    const lapack_int size = n, count = columns, apart = distance(n);
    lapack_int info = -1, *pivots = integers(n);
    if (pivots && !has_nan(n, n, a) && !has_nan(n, columns, b))
        LAPACK_dgesv(&size, &count, a, &apart, pivots, b, &apart, &info);
    const enum kn_status status = outcome(pivots, info);
    free(pivots);
    return status;
}

enum kn_status lapack_least_squares(int m, int n, double *a, double *b, double rank_part)
{
    const lapack_int rows = m, columns = n, one = 1, a_apart = distance(m), b_apart = distance(m > n ? m : n),
                     length = (VECTORS + BLOCK) * (m + n) + FACTOR;
    lapack_int info = -1, rank, *pivots = calloc((size_t)n + 1, sizeof *pivots);
    double *work = workspace(m + n);
    const bool enough = work && pivots;
    if (enough && !has_nan(m, n, a) && !has_nan(m, 1, b))
        LAPACK_dgelsy(&rows, &columns, &one, a, &a_apart, b, &b_apart, pivots, &rank_part, &rank, work, &length, &info);
    free(work);
    free(pivots);
    return outcome(enough, info);
}

enum kn_status lapack_determinant_sign(int n, double *a, int *sign)
{
    const lapack_int size = n, apart = distance(n);
    lapack_int info = -1, *pivots = integers(n);
    if (pivots && !has_nan(n, n, a))
        LAPACK_dgetrf(&size, &size, a, &apart, pivots, &info);
    *sign = info == 0;
    for (int k = 0; k < n && info == 0; k++)
        if ((pivots[k] != k + 1) == (a[(size_t)k * (size_t)n + (size_t)k] > 0))
            *sign = -*sign;
    const enum kn_status status = outcome(pivots, info > 0 ? 0 : info);
    free(pivots);
    return status;
}

enum kn_status lapack_singular_values(int m, int n, double *a, double *sigma, double *u, double *vt)
{
    const int least = m < n ? m : n;
    const size_t wanted = 4 * (size_t)least * (size_t)least + (6 + BLOCK) * (size_t)(m + n) + 1;
    const lapack_int rows = m, columns = n, u_apart = distance(m), vt_apart = distance(n), length = (lapack_int)wanted;
    lapack_int info = -1, *numbers = integers(8 * least);
    double *work = malloc(wanted * sizeof *work);
    const bool enough = work && numbers;
    if (enough && !has_nan(m, n, a))
        LAPACK_dgesdd("A", &rows, &columns, a, &u_apart, sigma, u, &u_apart, vt, &vt_apart, work, &length, numbers,
                      &info);
    free(work);
    free(numbers);
    return outcome(enough, info);
}

enum kn_status lapack_symmetric_eigenvalues(int n, double *a, double *values)
{
    const lapack_int size = n, apart = distance(n), length = (VECTORS + BLOCK) * n + FACTOR, one = 1;
    lapack_int info = -1, number;
    double *work = workspace(n);
    if (work && !has_nan(n, n, a))
        LAPACK_dsyevd("N", "U", &size, a, &apart, values, work, &length, &number, &one, &info);
    const enum kn_status status = outcome(work, info);
    free(work);
    return status;
}

enum kn_status lapack_eigenvalues(int n, double *a, double *re, double *im)
{
    const lapack_int size = n, apart = distance(n), length = (VECTORS + BLOCK) * n + FACTOR;
    lapack_int info = -1;
    double *work = workspace(n), none;
    if (work && !has_nan(n, n, a))
        LAPACK_dgeev("N", "N", &size, a, &apart, re, im, &none, &apart, &none, &apart, work, &length, &info);
    const enum kn_status status = outcome(work, info);
    free(work);
    return status;
}

enum kn_status lapack_eigenvalues_with_conditions(int n, double *a, double *re, double *im, double *conditions)
{
    const lapack_int size = n, apart = distance(n), length = (VECTORS + BLOCK) * n + FACTOR;
    lapack_int info = -1, low, high, *numbers = integers(2 * n);
    const size_t square = (size_t)n * (size_t)n;
    double *work = workspace(n), *vectors = malloc((2 * square + (size_t)n + 1) * sizeof *vectors), norm;
    const bool enough = work && vectors && numbers;
    if (enough && !has_nan(n, n, a))
        LAPACK_dgeevx("N", "V", "V", "E", &size, a, &apart, re, im, vectors, &apart, vectors + square, &apart, &low,
                      &high, vectors + 2 * square, &norm, conditions, NULL, work, &length, numbers, &info);
    free(work);
    free(vectors);
    free(numbers);
    return outcome(enough, info);
}

enum kn_status lapack_pair_eigenvalues(int n, double *a, double *b, double *re, double *im, double *beta)
{
    const lapack_int size = n, apart = distance(n), length = (VECTORS + BLOCK) * n + FACTOR;
    lapack_int info = -1;
    double *work = workspace(n), none;
    if (work && !has_nan(n, n, a) && !has_nan(n, n, b))
        LAPACK_dggev("N", "N", &size, a, &apart, b, &apart, re, im, beta, &none, &apart, &none, &apart, work, &length,
                     &info);
    const enum kn_status status = outcome(work, info);
    free(work);
    return status;
}

enum kn_status lapack_pair_eigenvalues_with_conditions(int n, double *a, double *b, double *re, double *im,
                                                       double *beta, double *conditions)
{
    const lapack_int size = n, apart = distance(n), length = (VECTORS + BLOCK) * n + FACTOR;
    lapack_int info = -1, low, high, *numbers = integers(3 * n + 6); /* one array for integers, one for logicals */
    const size_t square = (size_t)n * (size_t)n;
    double *work = workspace(n), *vectors = malloc((2 * square + 2 * (size_t)n + 1) * sizeof *vectors);
    double *const scales = vectors + 2 * square, a_norm, b_norm;
    const bool enough = work && vectors && numbers;
    if (enough && !has_nan(n, n, a) && !has_nan(n, n, b))
        LAPACK_dggevx("P", "V", "V", "E", &size, a, &apart, b, &apart, re, im, beta, vectors, &apart, vectors + square,
                      &apart, &low, &high, scales, scales + n, &a_norm, &b_norm, conditions, NULL, work, &length,
                      numbers, numbers + n + 6, &info);
    free(work);
    free(vectors);
    free(numbers);
    return outcome(enough, info);
}

enum kn_status lapack_complex_inverse(int n, double complex *a, double *reciprocal)
{
    const lapack_int size = n, apart = distance(n), length = BLOCK * distance(n);
    lapack_int info = -1, *pivots = integers(n);
    double complex *work = malloc((size_t)length * sizeof *work);
    double *reals = malloc((2 * (size_t)n + 1) * sizeof *reals);
    const bool enough = pivots && work && reals;
    *reciprocal = 0;
    if (enough && !has_nan(2 * n, n, (const double *)a)) {
        const double norm = LAPACK_zlange("I", &size, &size, a, &apart, reals);
        LAPACK_zgetrf(&size, &size, a, &apart, pivots, &info);
        const bool singular = info > 0;
        if (info == 0)
            LAPACK_zgecon("I", &size, a, &apart, &norm, reciprocal, work, reals, &info);
        if (info == 0)
            LAPACK_zgetri(&size, a, &apart, pivots, work, &length, &info);
        info = singular ? 0 : info;
    }
    free(pivots);
    free(work);
    free(reals);
    return outcome(enough, info);
}
