/* index_spectrum.c - the finite eigenvalues: poles of the linearised circuit.
 *
 * QZ (Moler and Stewart 1973) on the finite part, balanced first.  Its errors are round-off of the largest eigenvalue,
 * so the slow half of a stiff spectrum is taken from the inverse problem, where it is the large one.
 */
#include "mna/index_parts.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

static int by_magnitude(const void *a, const void *b)
{
    const double complex *x = a, *y = b;
    const double d = cabs(*x) - cabs(*y);
    if (fabs(d) > 1e-9 * cabs(*x))
        return d > 0 ? 1 : -1;
    return cimag(*x) < cimag(*y) ? 1 : cimag(*x) > cimag(*y) ? -1 : 0;
}

/* Rows of C and G together scaled to largest entries of 1, then columns of C: only the eigenvectors change. */
static void balance(struct dense *C, struct dense *G)
{
    const int n = C->rows;
    for (int round = 0; round < 8; round++) {
        for (int i = 0; i < n; i++) {
            double largest = 0;
            for (int j = 0; j < n; j++)
                largest = fmax(largest, fabs(*dense_at(C, i, j)));
            const double factor = largest > 0 ? ldexp(1, -ilogb(largest) / (round < 7 ? 2 : 1)) : 1;
            for (int j = 0; j < n; j++) {
                *dense_at(C, i, j) *= factor;
                *dense_at(G, i, j) *= factor;
            }
        }
        for (int j = 0; j < n; j++) {
            double largest = 0;
            for (int i = 0; i < n; i++)
                largest = fmax(largest, fabs(*dense_at(C, i, j)));
            const double factor = largest > 0 ? ldexp(1, -ilogb(largest) / 2) : 1;
            for (int i = 0; i < n; i++) {
                *dense_at(C, i, j) *= factor;
                *dense_at(G, i, j) *= factor;
            }
        }
    }
}

/* Eigenvalues of a v = lambda b v; INFINITY where b is singular. */
static enum kn_status solve_pencil(struct arena *memory, const struct dense *a, const struct dense *b,
                                   double complex *out)
{
    const int n = a->rows;
    struct dense left, right, numbers;
    if (!dense_select(memory, a, NULL, 0, NULL, 0, &left) || !dense_select(memory, b, NULL, 0, NULL, 0, &right) ||
        !dense_new(memory, n, 6, &numbers))
        return KN_ERROR_MEMORY;
    double *re = dense_at(&numbers, 0, 0), *im = dense_at(&numbers, 0, 1), *beta = dense_at(&numbers, 0, 2);
    double *left_scale = dense_at(&numbers, 0, 3), *right_scale = dense_at(&numbers, 0, 4);
    lapack_int low, high;
    double a_norm, b_norm;
    lapack_int info = LAPACKE_dggevx(LAPACK_COL_MAJOR, 'B', 'N', 'N', 'N', n, left.at, n, right.at, n, re, im, beta,
                                     NULL, 1, NULL, 1, &low, &high, left_scale, right_scale, &a_norm, &b_norm,
                                     dense_at(&numbers, 0, 5), dense_at(&numbers, 0, 5));
    if (info != 0)
        return info < 0 ? KN_ERROR_MEMORY : KN_ERROR_CONVERGENCE;
    for (int k = 0; k < n; k++)
        out[k] = fabs(beta[k]) > 0 ? (re[k] + I * im[k]) / beta[k] : INFINITY;
    return KN_OK;
}

/* fast[n] from C^-1 G and slow[n] as the inverses of eigenvalues of G^-1 C, both by magnitude. */
static void join(const double complex *fast, const double complex *slow, int n, double complex *out)
{
    const double largest = cabs(fast[n - 1]);
    for (int k = 0; k < n; k++)
        out[k] = cabs(fast[k]) < 1e-7 * largest && isfinite(cabs(slow[k])) ? slow[k] : fast[k];
}

enum kn_status spectrum_find(struct arena *memory, const struct finite_part *finite, struct index_analysis *a)
{
    const int n = finite->C.rows;
    struct dense C = finite->C, G = finite->G;
    double complex *fast = arena_array(memory, (size_t)n + 1, sizeof *fast);
    double complex *slow = arena_array(memory, (size_t)n + 1, sizeof *slow);
    a->poles = calloc((size_t)n + 1, sizeof *a->poles);
    if (!fast || !slow || !a->poles)
        return KN_ERROR_MEMORY;
    if (n == 0)
        return KN_OK;
    balance(&C, &G);
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
        G.at[i] = -G.at[i];
    enum kn_status status = solve_pencil(memory, &G, &C, fast);
    if (status == KN_OK)
        status = solve_pencil(memory, &C, &G, slow);
    if (status != KN_OK)
        return status;
    qsort(fast, (size_t)n, sizeof *fast, by_magnitude);
    double largest = cabs(fast[n - 1]);
    for (int k = 0; k < n; k++)
        slow[k] = cabs(slow[k]) * largest * DBL_EPSILON * DBL_EPSILON < 1 ? 1 / slow[k] : 0;
    qsort(slow, (size_t)n, sizeof *slow, by_magnitude);
    join(fast, slow, n, a->poles);
    a->pole_count = n;
    return KN_OK;
}
