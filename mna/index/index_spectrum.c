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
    const double p = cabs(x), q = cabs(y);
    if (isinf(p) != isinf(q) || fabs(p - q) > ROUNDING_SAME * p)
        return p > q ? 1 : -1;
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

/* The eigenvalue among the others that is the same as one, -1: none. */
static int find_same(const struct eigenvalue *one, const struct eigenvalue *others, const bool *taken, int n)
{
    int found = -1;
    double nearest = TOO_ROUGH * cabs(one->value);
    for (int k = 0; k < n && one->error < TOO_ROUGH; k++) {
        const double distance = cabs(others[k].value - one->value);
        if (taken[k] || !(distance <= nearest))
            continue;
        nearest = distance;
        found = k;
    }
    return found;
}

/* Brings the slow ones into the order of the fast ones: what both found first, the others by magnitude. */
static bool pair(struct arena *memory, const struct eigenvalue *fast, struct eigenvalue *slow, int n)
{
    struct eigenvalue *ordered = arena_array(memory, (size_t)n + 1, sizeof *ordered);
    bool *taken = arena_array(memory, (size_t)n + 1, sizeof *taken);
    bool *paired = arena_array(memory, (size_t)n + 1, sizeof *paired);
    if (!ordered || !taken || !paired)
        return false;
    for (int k = 0; k < n; k++) {
        const int same = find_same(&fast[k], slow, taken, n);
        if (same < 0)
            continue;
        ordered[k] = slow[same];
        taken[same] = paired[k] = true;
    }
    for (int k = 0, next = 0; k < n; k++) {
        while (!paired[k] && taken[next])
            next++;
        if (!paired[k])
            ordered[k] = slow[next++];
    }
    for (int k = 0; k < n; k++)
        slow[k] = ordered[k];
    return true;
}

/* Which of the values rounding has made of a 0: one that is nothing but rounding, the smallest of these. */
static int find_hidden_zero(const struct eigenvalue *values, const bool *known, int n)
{
    int found = -1;
    for (int k = 0; k < n; k++) {
        if (known[k])
            continue;
        const bool rough = !(values[k].error < TOO_ROUGH), before = found >= 0 && !(values[found].error < TOO_ROUGH);
        if (found < 0 || (rough && !before) || (rough == before && cabs(values[k].value) < cabs(values[found].value)))
            found = k;
    }
    return found;
}

/* The better one of each pair, in the place of the fast ones, by magnitude.  Those that are known to be 0 are; where these
 * are all, no other is. */
static bool choose(struct arena *memory, struct eigenvalue *fast, const struct eigenvalue *slow, int n,
                   struct exact_zeros at_zero)
{
    bool *known = arena_array(memory, (size_t)n + 1, sizeof *known);
    for (int k = 0; known && k < n; k++)
        if (slow[k].error < fast[k].error && !(at_zero.all && slow[k].value == 0))
            fast[k] = slow[k];
    for (int k = 0; known && k < at_zero.count && k < n; k++) {
        const int zero = find_hidden_zero(fast, known, n);
        fast[zero] = (struct eigenvalue){0, 0};
        known[zero] = true;
    }
    qsort(fast, (size_t)n, sizeof *fast, by_magnitude);
    return known != NULL;
}

enum kn_status spectrum_find(struct arena *memory, const struct finite_part *finite, struct exact_zeros at_zero,
                             struct index_analysis *a)
{
    const int n = finite->C.rows;
    const struct dense *C = &finite->C;
    struct dense G;
    struct eigenvalue *fast = arena_array(memory, (size_t)n + 1, sizeof *fast);
    struct eigenvalue *slow = arena_array(memory, (size_t)n + 1, sizeof *slow);
    a->poles = calloc((size_t)n + 1, sizeof *a->poles);
    a->pole_errors = calloc((size_t)n + 1, sizeof *a->pole_errors);
    if (!fast || !slow || !a->poles || !a->pole_errors || !dense_select(memory, &finite->G, NULL, 0, NULL, 0, &G))
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
    if (!pair(memory, fast, slow, n) || !choose(memory, fast, slow, n, at_zero))
        return KN_ERROR_MEMORY;
    for (int k = 0; k < n; k++) {
        a->poles[k] = fast[k].error < TOO_ROUGH ? fast[k].value : NAN;
        a->pole_errors[k] = fast[k].error;
    }
    a->pole_count = n;
    return KN_OK;
}
