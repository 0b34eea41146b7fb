/* exact_pencil.h - the structure of a pencil (C, G) by exact arithmetic, as a judge of floating point.
 *
 * Entries that are fractions with small powers of 2 as denominators become numbers modulo a prime.  The pencil is
 * regular when det(s C + G) is not 0 for some random s; and with the block Toeplitz matrices T_k of k block rows (C; G
 * C; 0 G C; ..), dim ker T_k is the sum of min(k, m_i) over the Jordan blocks m_i at infinity.
 */
#ifndef TESTS_MNA_EXACT_PENCIL_H
#define TESTS_MNA_EXACT_PENCIL_H

#include "mna/mna.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { EXACT_PRIME = 2147483647, EXACT_DENOMINATOR = 1 << 16 };

struct exact_structure {
    bool singular;
    int index, finite; /* -1, -1 when singular */
    int null_dimension[16];
};

static inline uint64_t exact_power(uint64_t base, uint64_t exponent)
{
    uint64_t result = 1;
    for (; exponent > 0; exponent >>= 1, base = base * base % EXACT_PRIME)
        if (exponent & 1)
            result = result * base % EXACT_PRIME;
    return result;
}

static inline uint64_t exact_number(double value)
{
    const double scaled = value * EXACT_DENOMINATOR;
    if (scaled != nearbyint(scaled) || fabs(scaled) > 1e15)
        abort(); /* the test's own values are wrong */
    const int64_t rest = (int64_t)scaled % EXACT_PRIME;
    return (uint64_t)(rest < 0 ? rest + EXACT_PRIME : rest);
}

/* Rank of a rows x columns matrix, row-major, which is destroyed. */
static inline int exact_rank(uint64_t *a, int rows, int columns)
{
    int rank = 0;
    for (int j = 0; j < columns && rank < rows; j++) {
        int pivot = rank;
        while (pivot < rows && a[pivot * columns + j] == 0)
            pivot++;
        if (pivot == rows)
            continue;
        for (int k = j; k < columns; k++) {
            const uint64_t kept = a[pivot * columns + k];
            a[pivot * columns + k] = a[rank * columns + k];
            a[rank * columns + k] = kept;
        }
        const uint64_t inverse = exact_power(a[rank * columns + j], EXACT_PRIME - 2);
        for (int i = rank + 1; i < rows; i++) {
            const uint64_t factor = a[i * columns + j] * inverse % EXACT_PRIME;
            for (int k = j; factor != 0 && k < columns; k++)
                a[i * columns + k] =
                    (a[i * columns + k] + (EXACT_PRIME - factor) * a[rank * columns + k]) % EXACT_PRIME;
        }
        rank++;
    }
    return rank;
}

static inline struct exact_structure exact_structure(const uint64_t *C, const uint64_t *G, int n)
{
    struct exact_structure s = {.singular = true, .index = -1, .finite = -1};
    uint64_t *work = malloc((size_t)(16 * n) * (size_t)(16 * n) * sizeof *work + 1);
    if (!work)
        abort();
    for (uint64_t trial = 1; trial <= 3 && s.singular; trial++) {
        const uint64_t shift = exact_power(7, 1000003 * trial);
        for (int i = 0; i < n * n; i++)
            work[i] = (C[i] * shift + G[i]) % EXACT_PRIME;
        s.singular = exact_rank(work, n, n) < n;
    }
    s.finite = s.singular ? -1 : n;
    for (int k = 1, before = 0; !s.singular && k <= 15; k++) {
        const int size = k * n;
        for (int i = 0; i < size * size; i++)
            work[i] = 0;
        for (int b = 0; b < k; b++)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) {
                    work[(b * n + i) * size + b * n + j] = C[i * n + j];
                    if (b > 0)
                        work[(b * n + i) * size + (b - 1) * n + j] = G[i * n + j];
                }
        const int nullity = size - exact_rank(work, size, size);
        s.null_dimension[k - 1] = nullity - before;
        if (nullity == before) {
            s.index = k - 1;
            break;
        }
        s.finite -= nullity - before;
        before = nullity;
    }
    free(work);
    return s;
}

/* At x = 0, which is any point where the circuit is linear. */
static inline struct exact_structure exact_structure_of(const struct mna *m)
{
    const struct dae *dae = mna_dae(m);
    const size_t n = (size_t)dae->n;
    double *G = sparse_values(dae->pattern), *C = sparse_values(dae->pattern), *x = calloc(n + 1, sizeof *x);
    uint64_t *exact_G = calloc(n * n + 1, sizeof *exact_G), *exact_C = calloc(n * n + 1, sizeof *exact_C);
    struct dae_values values = {.G = G, .C = C};
    if (!G || !C || !x || !exact_G || !exact_C || dae->eval(dae->problem, 0, x, DAE_G | DAE_C, &values) != KN_OK)
        abort();
    for (size_t j = 0; j < n; j++)
        for (int e = dae->pattern->column_start[j]; e < dae->pattern->column_start[j + 1]; e++) {
            exact_G[(size_t)dae->pattern->row[e] * n + j] = exact_number(G[e]);
            exact_C[(size_t)dae->pattern->row[e] * n + j] = exact_number(C[e]);
        }
    const struct exact_structure s = exact_structure(exact_C, exact_G, dae->n);
    free(G);
    free(C);
    free(x);
    free(exact_G);
    free(exact_C);
    return s;
}

#endif
