/* index_spectrum.c - the finite eigenvalues: poles of the linearised circuit.
 *
 * QZ on the finite part, once for C^-1 G, whose large eigenvalues it finds, and once for G^-1 C, where the slow ones
 * are large; of both the one with the smaller error bound is taken.  Where the bound is large, since the finite part mixes what is far
 * apart, Newton's method on the equations themselves (index_shifted.h) tells the pole beside it.
 */
#include "mna/index/index_shifted.h"

#include "base/rounding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    double nearest = INDEX_TOO_ROUGH * cabs(one->value);
    for (int k = 0; k < n && one->error < INDEX_TOO_ROUGH; k++) {
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
        const bool rough = !(values[k].error < INDEX_TOO_ROUGH),
                   before = found >= 0 && !(values[found].error < INDEX_TOO_ROUGH);
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
        a->poles[k] = fast[k].value;
        a->pole_errors[k] = fast[k].error;
    }
    a->pole_count = n;
    return KN_OK;
}

/* ---- rough ones ---- */

/* Relative errors from here on are looked at. */
static const double ROUGH = 1e-6;
/* Where those at 0 are counted, beside the smallest of the others, and how near to a whole number that must be: any other one counts as
 * less than 1 - WHOLE from WHOLE times that distance on. */
static const double BESIDE_ZERO = 1e-3, WHOLE = 1e-4;

/* None of those that are known: a start that is nothing but rounding leads to any. */
static bool is_new(const struct index_analysis *a, double complex pole)
{
    for (int i = 0; i < a->pole_count; i++)
        if (a->pole_errors[i] <= ROUGH && cabs(a->poles[i] - pole) <= ROUGH * cabs(pole))
            return false;
    return true;
}

/* Goes from *pole to the one beside it, until steps shrink no longer; *error INFINITY where none is there. */
static enum kn_status approach(struct shifted *s, double complex *u, double complex *pole, double *error)
{
    double before;
    bool is_pole = false;
    enum kn_status status = KN_OK;
    *error = INFINITY;
    for (int i = 0; i < SHIFTED_MOST_STEPS && status == KN_OK; i++) {
        before = *error;
        status = shifted_confirm(s, u, pole, error, &is_pole);
        if (is_pole && !(*error < before / 2))
            break;
    }
    double rounding = INFINITY;
    if (status == KN_OK && is_pole)
        status = shifted_rounding(s, u, *pole, &rounding);
    *error = fmax(*error, rounding);
    if (fabs(cimag(*pole)) <= fmax(ROUNDING_SAME, *error) * cabs(*pole))
        *pole = creal(*pole);
    return status;
}

/* Follows a start for pole k, which the one found becomes if that is better. */
static enum kn_status follow(struct shifted *s, double complex *u, double complex start, int k,
                             struct index_analysis *a)
{
    double error;
    if (!isfinite(cabs(start)) || start == 0)
        return KN_OK;
    const enum kn_status status = approach(s, u, &start, &error);
    if (status == KN_OK && error < a->pole_errors[k] && is_new(a, start)) {
        a->poles[k] = start;
        a->pole_errors[k] = error;
    }
    return status;
}

static int next_rough(const struct index_analysis *a, int k)
{
    while (k < a->pole_count && !(a->pole_errors[k] > ROUGH))
        k++;
    return k;
}

static enum kn_status follow_rough(struct shifted *s, double complex *u, struct index_analysis *a)
{
    enum kn_status status = KN_OK;
    for (int k = next_rough(a, 0); k < a->pole_count && status == KN_OK; k = next_rough(a, k + 1))
        status = follow(s, u, a->poles[k], k, a);
    return status;
}

/* Eigenvalues of the whole pencil, those at infinity among them, are starts as well: what the finite part has lost may stand there. */
static enum kn_status follow_whole(struct arena *memory, struct shifted *s, double complex *u, struct index_analysis *a)
{
    const struct pencil *p = s->p;
    struct dense G, C;
    struct eigenvalue *start = arena_array(memory, (size_t)p->n, sizeof *start);
    if (!start || !dense_new(memory, p->n, p->n, &G) || !dense_new(memory, p->n, p->n, &C))
        return KN_ERROR_MEMORY;
    for (int j = 0; j < p->n; j++)
        for (int e = p->pattern->column_start[j]; e < p->pattern->column_start[j + 1]; e++) {
            *dense_at(&G, p->pattern->row[e], j) = -p->G[e];
            *dense_at(&C, p->pattern->row[e], j) = p->C[e];
        }
    enum kn_status status = dense_eigenvalues(memory, &G, &C, start);
    for (int i = 0, k = next_rough(a, 0); i < p->n && k < a->pole_count && status == KN_OK; i++, k = next_rough(a, 0))
        status = follow(s, u, start[i].value, k, a);
    return status;
}

/* A step from beside 0, by what the smallest of the others could be off by, that ends there, but for rounding, has found a
 * pole at 0: a gain at rest that vanishes by numbers. */
static enum kn_status look_at_zero(struct shifted *s, double complex *u, int k, struct index_analysis *a)
{
    double smallest = INFINITY, error;
    bool is_pole;
    for (int i = 0; i < a->pole_count; i++)
        if (a->pole_errors[i] <= ROUGH)
            smallest = fmin(smallest, cabs(a->poles[i]));
    if (smallest == 0 || k == a->pole_count)
        return KN_OK;
    const double start = ROUGH * (isfinite(smallest) ? smallest : 1);
    double complex pole = start;
    const enum kn_status status = shifted_confirm(s, u, &pole, &error, &is_pole);
    if (status == KN_OK && cabs(pole) <= ROUNDING_SAME * start) {
        a->poles[k] = 0;
        a->pole_errors[k] = 0;
    }
    return status;
}

/* *count := how many eigenvalues are at 0, -1: not told.  Of all of them sum 1 / (s - z_k) = tr((G + s C)^-1 C); near 0, beside the smallest
 * of those known elsewhere, what is left of s times that without them is a whole number, unless one that is not known lies
 * there and not at 0. */
static enum kn_status count_at_zero(struct shifted *s, double complex *u, double smallest,
                                    const struct index_analysis *a, int *count)
{
    const double at = BESIDE_ZERO * smallest;
    double complex sum = 0;
    enum kn_status status = shifted_factor(s, at);
    *count = -1;
    for (int j = 0; j < s->p->n && status == KN_OK; j++) {
        memset(u, 0, (size_t)s->p->n * sizeof *u);
        u[j] = 1;
        status = shifted_apply(s, u);
        sum += at * u[j];
    }
    for (int i = 0; i < a->pole_count; i++)
        if (a->pole_errors[i] < INDEX_TOO_ROUGH && a->poles[i] != 0)
            sum -= at / (at - a->poles[i]);
    if (status == KN_OK && cabs(sum - round(creal(sum))) <= WHOLE)
        *count = (int)round(creal(sum));
    return status == KN_ERROR_CIRCUIT ? KN_OK : status;
}

/* Several at 0 - each coupling capacitor of an amplifier makes one of its zeros - are one of a Jordan block, of which rounding makes any
 * number up to the root of its own size, so that nothing is told of them.  What is told, however roughly, stays, and where none
 * has been found at 0, what rounding hides may as well be beside it. */
static enum kn_status look_for_blocks_at_zero(struct shifted *s, double complex *u, struct index_analysis *a)
{
    double smallest = INFINITY;
    int count = 0, known = 0, hidden = 0;
    for (int i = 0; i < a->pole_count; i++) {
        const bool told = a->pole_errors[i] < INDEX_TOO_ROUGH;
        hidden += !told;
        known += told && a->poles[i] == 0;
        if (told && a->poles[i] != 0)
            smallest = fmin(smallest, cabs(a->poles[i]));
    }
    enum kn_status status = KN_OK;
    if (known > 0 && hidden > 0 && isfinite(smallest))
        status = count_at_zero(s, u, smallest, a, &count);
    for (int k = 0; k < a->pole_count && known < count && status == KN_OK; k++)
        if (!(a->pole_errors[k] < INDEX_TOO_ROUGH)) {
            a->poles[k] = 0;
            a->pole_errors[k] = 0;
            known++;
        }
    return status;
}

/* By magnitude; what is not determined is none. */
static void settle(struct index_analysis *a, struct eigenvalue *sorted)
{
    for (int k = 0; k < a->pole_count; k++)
        sorted[k] = (struct eigenvalue){a->poles[k], a->pole_errors[k]};
    qsort(sorted, (size_t)a->pole_count, sizeof *sorted, by_magnitude);
    for (int k = 0; k < a->pole_count; k++) {
        a->poles[k] = sorted[k].error < INDEX_TOO_ROUGH ? sorted[k].value : NAN;
        a->pole_errors[k] = sorted[k].error;
    }
}

enum kn_status spectrum_confirm(struct arena *memory, const struct pencil *p, const struct mna *m, bool of_transfer,
                                struct index_analysis *a)
{
    struct shifted s;
    double complex *u = arena_array(memory, (size_t)p->n + 1, sizeof *u);
    struct eigenvalue *sorted = arena_array(memory, (size_t)a->pole_count + 1, sizeof *sorted);
    if (!u || !sorted)
        return KN_ERROR_MEMORY;
    enum kn_status status = KN_OK;
    if (next_rough(a, 0) < a->pole_count) {
        status = shifted_new(memory, p, m, &s);
        if (status == KN_OK)
            status = follow_rough(&s, u, a);
        if (status == KN_OK && next_rough(a, 0) < a->pole_count)
            status = follow_whole(memory, &s, u, a);
        if (status == KN_OK)
            status = look_at_zero(&s, u, next_rough(a, 0), a);
        if (status == KN_OK && of_transfer)
            status = look_for_blocks_at_zero(&s, u, a);
        shifted_free(&s);
    }
    settle(a, sorted);
    return status;
}
