/* index_spectrum.c - the finite eigenvalues: poles of the linearised circuit.
 *
 * QZ on the finite part, once for C^-1 G, whose large eigenvalues it finds, and once for G^-1 C, where the slow ones
 * are large; of both the one with the smaller error bound is taken.
 */
#include "mna/index/index_parts.h"

#include "base/rounding.h"

#include <math.h>
#include <stdlib.h>

/* Relative error from which on a pole is not determined: two digits are shown of it. */
static const double TOO_ROUGH = 1e-2;

static int by_magnitude(const void *a, const void *b)
{
    const double complex x = ((const struct eigenvalue *)a)->value, y = ((const struct eigenvalue *)b)->value;
    const double d = cabs(x) - cabs(y);
    if (fabs(d) > ROUNDING_SAME * cabs(x))
        return d > 0 ? 1 : -1;
    return cimag(x) < cimag(y) ? 1 : cimag(x) > cimag(y) ? -1 : 0;
}

/* Eigenvalues mu of G^-1 C to poles 1 / mu.  One without end belongs to a G that is singular: a pole at 0, unless
 * conductances may have been lost in sums with others (blurred). */
static void invert(struct eigenvalue *slow, int n, bool blurred)
{
    for (int k = 0; k < n; k++) {
        const double size = cabs(slow[k].value);
        if (isinf(size))
            slow[k] = (struct eigenvalue){0, blurred ? INFINITY : 0};
        else
            slow[k].value = size > 0 ? 1 / slow[k].value : INFINITY;
    }
}

/* Both [n] by magnitude; NAN for a pole that rounding hides. */
static void join(const struct eigenvalue *fast, const struct eigenvalue *slow, int n, double complex *out)
{
    for (int k = 0; k < n; k++) {
        const struct eigenvalue *best = slow[k].error < fast[k].error ? &slow[k] : &fast[k];
        out[k] = best->error < TOO_ROUGH ? best->value : NAN;
    }
}

enum kn_status spectrum_find(struct arena *memory, const struct finite_part *finite, struct index_analysis *a)
{
    const int n = finite->C.rows;
    const struct dense *C = &finite->C;
    struct dense G;
    struct eigenvalue *fast = arena_array(memory, (size_t)n + 1, sizeof *fast);
    struct eigenvalue *slow = arena_array(memory, (size_t)n + 1, sizeof *slow);
    a->poles = calloc((size_t)n + 1, sizeof *a->poles);
    if (!fast || !slow || !a->poles || !dense_select(memory, &finite->G, NULL, 0, NULL, 0, &G))
        return KN_ERROR_MEMORY;
    if (n == 0)
        return KN_OK;
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
        G.at[i] = -G.at[i];
    enum kn_status status = dense_eigenvalues(memory, &G, C, fast);
    if (status == KN_OK)
        status = dense_eigenvalues(memory, C, &G, slow);
    if (status != KN_OK)
        return status;
    invert(slow, n, a->blurred);
    qsort(fast, (size_t)n, sizeof *fast, by_magnitude);
    qsort(slow, (size_t)n, sizeof *slow, by_magnitude);
    join(fast, slow, n, a->poles);
    a->pole_count = n;
    return KN_OK;
}
