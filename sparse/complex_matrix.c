/* complex_matrix.c - see complex_matrix.h. */
#include "sparse/complex_matrix.h"

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
