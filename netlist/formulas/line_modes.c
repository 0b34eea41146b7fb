/* line_modes.c - see line_modes.h. */
#include "netlist/formulas/line_modes.h"

#include <math.h>
#include <string.h>

enum { MOST = LINE_MODES_MOST };

/* Lower K with K K^T = A. */
static bool cholesky(size_t n, const double *A, double *K)
{
    memset(K, 0, n * n * sizeof *K);
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++) {
            double sum = A[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= K[i * n + k] * K[j * n + k];
            if (i == j && !(sum > 1e-14 * A[i * n + i]))
                return false;
            K[i * n + j] = i == j ? sqrt(sum) : sum / K[j * n + j];
        }
    return true;
}

/* out = A^T B A, by B A first. */
static void congruent(size_t n, const double *A, const double *B, double *out)
{
    double product[MOST * MOST] = {0};
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < n; j++)
                product[i * n + j] += B[i * n + k] * A[k * n + j];
    memset(out, 0, n * n * sizeof *out);
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                out[i * n + j] += A[k * n + i] * product[k * n + j];
}

/* One rotation that makes A_pq zero, taken into Q as well (Golub and Van Loan, 8.5). */
static void rotate(size_t n, double *A, double *Q, size_t p, size_t q)
{
    const double apart = (A[q * n + q] - A[p * n + p]) / (2 * A[p * n + q]);
    const double t = (apart >= 0 ? 1 : -1) / (fabs(apart) + hypot(1, apart)), c = 1 / hypot(1, t), s = t * c;
    for (size_t k = 0; k < n; k++) {
        const double a = A[k * n + p], b = A[k * n + q], u = Q[k * n + p], v = Q[k * n + q];
        A[k * n + p] = c * a - s * b;
        A[k * n + q] = s * a + c * b;
        Q[k * n + p] = c * u - s * v;
        Q[k * n + q] = s * u + c * v;
    }
    for (size_t k = 0; k < n; k++) {
        const double a = A[p * n + k], b = A[q * n + k];
        A[p * n + k] = c * a - s * b;
        A[q * n + k] = s * a + c * b;
    }
}

/* Eigenvectors of the symmetric A as columns of Q, by Jacobi's rotations. */
static void eigenvectors(size_t n, double *A, double *Q)
{
    enum { SWEEPS = 60 };
    memset(Q, 0, n * n * sizeof *Q);
    for (size_t i = 0; i < n; i++)
        Q[i * n + i] = 1;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (size_t p = 0; p < n; p++)
            for (size_t q = p + 1; q < n; q++)
                if (fabs(A[p * n + q]) > 1e-16 * sqrt(fabs(A[p * n + p] * A[q * n + q])))
                    rotate(n, A, Q, p, q);
}

/* T^-T = L^-1 T diag(l), from T^T L^-1 T = diag(1/l): solves by K twice. */
static void inverse_transposed(size_t n, const double *K, const struct line_modes *m, double *out)
{
    for (size_t j = 0; j < n; j++) {
        double x[MOST];
        for (size_t i = 0; i < n; i++) {
            x[i] = m->transform[i * n + j] * m->l[j];
            for (size_t k = 0; k < i; k++)
                x[i] -= K[i * n + k] * x[k];
            x[i] /= K[i * n + i];
        }
        for (size_t i = n; i-- > 0;) {
            for (size_t k = i + 1; k < n; k++)
                x[i] -= K[k * n + i] * x[k];
            x[i] /= K[i * n + i];
            out[i * n + j] = x[i];
        }
    }
}

static bool is_diagonal(size_t n, const double *A)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(A[i * n + i]));
    for (size_t i = 0; i < n * n; i++)
        if (i / n != i % n && fabs(A[i]) > 1e-9 * largest)
            return false;
    return true;
}

bool line_modes_of(struct line_modes *m, size_t count, const double *R, const double *L, const double *G,
                   const double *C)
{
    const size_t n = count;
    double K[MOST * MOST], A[MOST * MOST], Q[MOST * MOST], back[MOST * MOST] = {0};
    *m = (struct line_modes){.count = n};
    if (!cholesky(n, C, A) || !cholesky(n, L, K))
        return false;
    congruent(n, K, C, A);
    eigenvectors(n, A, Q);
    for (size_t j = 0; j < n; j++) {
        double square = 0;
        for (size_t i = 0; i < n; i++) {
            double *t = &m->transform[i * n + j];
            for (size_t k = 0; k <= i; k++)
                *t += K[i * n + k] * Q[k * n + j];
            square += *t * *t;
        }
        for (size_t i = 0; i < n; i++)
            m->transform[i * n + j] /= sqrt(square);
        m->l[j] = square;
        m->c[j] = A[j * n + j] / square;
    }
    inverse_transposed(n, K, m, back);
    congruent(n, back, R, A);
    congruent(n, m->transform, G, Q);
    for (size_t j = 0; j < n; j++) {
        m->r[j] = A[j * n + j];
        m->g[j] = Q[j * n + j];
    }
    m->separate = is_diagonal(n, A) && is_diagonal(n, Q);
    return true;
}
