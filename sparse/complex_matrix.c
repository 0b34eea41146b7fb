/* complex_matrix.c - see complex_matrix.h. */
#include "sparse/complex_matrix.h"

#include "sparse/dense.h"

#include <lapacke.h>
#include <string.h>

void complex_multiply(int n, const double complex *a, const double complex *b, double complex *out)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double complex sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            out[i * n + j] = sum;
        }
}

void complex_multiply_conjugated(int n, const double complex *a, const double complex *b, double complex *out)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double complex sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * conj(b[j * n + k]);
            out[i * n + j] = sum;
        }
}

enum kn_status complex_invert(struct arena *memory, int n, const double complex *a, double complex *out,
                              double *reciprocal)
{
    lapack_int *pivots = arena_array(memory, (size_t)n, sizeof *pivots);
    double complex *lu = arena_array(memory, (size_t)n * (size_t)n, sizeof *lu);
    if (!pivots || !lu)
        return KN_ERROR_MEMORY;
    *reciprocal = 0;
    memcpy(lu, a, (size_t)n * (size_t)n * sizeof *lu);
    const double norm = LAPACKE_zlange(LAPACK_ROW_MAJOR, '1', n, n, lu, n);
    lapack_int info = LAPACKE_zgetrf(LAPACK_ROW_MAJOR, n, n, lu, n, pivots);
    if (info > 0)
        return KN_OK;
    if (info == 0)
        info = LAPACKE_zgecon(LAPACK_ROW_MAJOR, '1', n, lu, n, norm, reciprocal);
    if (info == 0)
        info = LAPACKE_zgetri(LAPACK_ROW_MAJOR, n, lu, n, pivots);
    memcpy(out, lu, (size_t)n * (size_t)n * sizeof *out);
    return dense_lapack_status(info);
}
