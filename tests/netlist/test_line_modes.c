/* Claims about the modes of coupled lines. */
#include "netlist/formulas/line_modes.h"

#include "claims.h"

#include <math.h>
#include <stdint.h>

enum { MOST = LINE_MODES_MOST };

static double random_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53 - 0.5;
}

/* A symmetric matrix whose diagonal exceeds the sums of the rest. */
static void random_matrix(size_t n, double scale, uint64_t *seed, double *A)
{
    for (size_t i = 0; i < n; i++) {
        A[i * n + i] = scale * (1.5 + random_number(seed));
        for (size_t j = 0; j < i; j++)
            A[i * n + j] = A[j * n + i] = scale * random_number(seed) / (double)n;
    }
}

/* sum over k of A_ki B_k C_kj; B NULL: ones */
static double product(size_t n, const double *A, const double *B, const double *C, size_t i, size_t j)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += A[k * n + i] * (B ? B[k] : 1) * C[k * n + j];
    return sum;
}

/* L = T diag(l) T^T and T^T C T = diag(c). */
static void modes_diagonalise_both_matrices(void)
{
    uint64_t seed = 11;
    for (int trial = 0; trial < 60; trial++) {
        const size_t n = 1 + (size_t)trial % 9;
        double L[MOST * MOST], C[MOST * MOST], zero[MOST * MOST] = {0}, T[MOST * MOST], CT[MOST * MOST];
        struct line_modes m;
        random_matrix(n, 3e-7, &seed, L);
        random_matrix(n, 1e-10, &seed, C);
        CU_ASSERT_FATAL(line_modes_of(&m, n, zero, L, zero, C));
        CU_ASSERT(m.separate);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                T[i * n + j] = m.transform[j * n + i]; /* transposed */
                CT[i * n + j] = 0;
                for (size_t k = 0; k < n; k++)
                    CT[i * n + j] += C[i * n + k] * m.transform[k * n + j];
            }
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                CHECK_NEAR(product(n, T, m.l, T, i, j), L[i * n + j], 1e-12 * 3e-7);
                CHECK_NEAR(product(n, m.transform, NULL, CT, i, j), i == j ? m.c[i] : 0, 1e-11 * 1e-10);
            }
    }
}

/* R = rho L and G = sigma C are those of the modes; R of one value is not, where L and C differ. */
static void losses_in_proportion_stay_with_their_modes(void)
{
    uint64_t seed = 12;
    for (int trial = 0; trial < 20; trial++) {
        const size_t n = 2 + (size_t)trial % 5;
        double L[MOST * MOST], C[MOST * MOST], R[MOST * MOST], G[MOST * MOST], equal[MOST * MOST] = {0};
        struct line_modes m;
        random_matrix(n, 3e-7, &seed, L);
        random_matrix(n, 1e-10, &seed, C);
        for (size_t i = 0; i < n * n; i++) {
            R[i] = 1e7 * L[i];
            G[i] = 3e6 * C[i];
        }
        CU_ASSERT_FATAL(line_modes_of(&m, n, R, L, G, C));
        CU_ASSERT(m.separate);
        for (size_t j = 0; j < n; j++) {
            CHECK_NEAR(m.r[j], 1e7 * m.l[j], 1e-9 * m.r[j]);
            CHECK_NEAR(m.g[j], 3e6 * m.c[j], 1e-9 * m.g[j]);
            equal[j * n + j] = 1;
        }
        CU_ASSERT_FATAL(line_modes_of(&m, n, equal, L, G, C));
        CU_ASSERT(!m.separate);
    }
}

static void matrices_that_are_not_positive_are_refused(void)
{
    const double good[4] = {2, 1, 1, 2}, bad[4] = {2, 3, 3, 2}, zero[4] = {0, 0, 0, 0};
    struct line_modes m;
    CU_ASSERT(line_modes_of(&m, 2, zero, good, zero, good));
    CU_ASSERT(!line_modes_of(&m, 2, zero, bad, zero, good));
    CU_ASSERT(!line_modes_of(&m, 2, zero, good, zero, bad));
    CU_ASSERT(!line_modes_of(&m, 2, zero, zero, zero, good));
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(modes_diagonalise_both_matrices),
        CLAIM(losses_in_proportion_stay_with_their_modes),
        CLAIM(matrices_that_are_not_positive_are_refused),
    };
    return run_claims("line_modes", claims, sizeof claims / sizeof *claims);
}
