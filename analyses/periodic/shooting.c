/* shooting.c - see shooting.h.
 *
 * With r = x_end - x_0 and the monodromy matrix M, m periods more lead, to first order, to
 *
 *     x_0 + phi_m(M) r,   phi_m(M) = I + M + .. + M^(m-1),
 *
 * and m -> infinity is Newton's step (I - M)^-1 r where all of M decays.  Where some of it grows (an oscillator about
 * its rest) Newton would go back to the unstable solution; as many periods as the orbit may change by go forward
 * instead, as envelope following does (Petzold, SIAM J. Numer. Anal. 18, 1981).  phi_2m = phi_m + M^m phi_m: so a
 * million periods cost twenty products.  An unknown period makes M that of the return to a plane x_k = const:
 * (I - v e_k^T / v_k) M with v = dx_end/dperiod.
 */
#include "analyses/periodic/shooting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITERATIONS = 200, MOST_DOUBLINGS = 40, MOST_HALVINGS = 10 };

/* Part of its swing by which an orbit that grows may change in an iteration, and of its period. */
static const double TRUSTED = 0.5, TRUSTED_PERIOD = 0.2;
/* A bias that drifts hardly swings: it may change by this part of what the largest swing of its kind may. */
static const double TRUSTED_DRIFT = 0.05;
/* What stays as it is (the charge of a floating node, the current of a loop of inductors: a multiplier 1) does not decay,
 * and r has no part of it but rounding, of which 2^40 periods make no more than this (orbit->scale). */
static const double STEADY = 0.1;
/* Relative error of a period that is found. */
static const double PERIOD_CLOSED = 1e-9;
/* From here on corrections that no longer halve are what the steps leave to rounding. */
static const double NEARLY = 1e3;
/* Entries of a power of M below this have decayed, above that they grow. */
static const double DECAYED = 1e-12, GROWN = 1e8;

struct correction {
    struct dense map; /* [n x n] M, or that of the return */
    double *r;        /* [n] */
    double *delta;    /* [n] of the start */
    double *work;     /* [n] */
    double period;    /* s, of the period */
    double *swing;    /* [n], or what stands for it where that is small */
};

static bool correction_new(struct arena *memory, int n, struct correction *c)
{
    const size_t count = (size_t)n + 1;
    c->r = arena_array(memory, count, sizeof(double));
    c->delta = arena_array(memory, count, sizeof(double));
    c->work = arena_array(memory, count, sizeof(double));
    c->swing = arena_array(memory, count, sizeof(double));
    return dense_new(memory, n, n, &c->map) && c->r && c->delta && c->work && c->swing;
}

/* Voltages and currents have tolerances of their own, by which they are told. */
static void look_at_swings(const struct orbit *o, struct correction *c)
{
    const double *kind = o->dae->absolute;
    for (int i = 0; i < o->n; i++)
        c->work[i] = orbit_swing(o, i);
    for (int i = 0; i < o->n; i++) {
        c->swing[i] = c->work[i];
        for (int j = 0; j < o->n; j++)
            if (kind[j] == kind[i])
                c->swing[i] = fmax(c->swing[i], TRUSTED_DRIFT * c->work[j]);
    }
}

static void look_at_return(const struct shooting *s, struct correction *c)
{
    const struct orbit *o = s->orbit;
    const double *end = orbit_end(o), *v = o->by_period;
    const int n = o->n, k = s->phase;
    for (int i = 0; i < n; i++)
        c->r[i] = end[i] - o->x[i];
    look_at_swings(o, c);
    memcpy(c->map.at, o->monodromy, (size_t)n * (size_t)n * sizeof(double));
    if (k < 0)
        return;
    const double missed = c->r[k] / v[k];
    for (int i = 0; i < n; i++)
        c->r[i] = i == k ? 0 : c->r[i] - v[i] * missed;
    for (int j = 0; j < n; j++) {
        const double part = *dense_at(&c->map, k, j) / v[k];
        for (int i = 0; i < n; i++)
            *dense_at(&c->map, i, j) = i == k ? 0 : *dense_at(&c->map, i, j) - v[i] * part;
    }
}

/* Of the change of an orbit, in parts of its swings. */
static double relative_size(const struct orbit *o, const struct correction *c, const double *delta)
{
    double size = 0;
    for (int i = 0; i < o->n; i++)
        size = fmax(size, fabs(delta[i]) / fmax(c->swing[i], 1 / o->scale[i]));
    return size;
}

/* work := delta + map delta */
static void twice_as_far(struct correction *c)
{
    const int n = c->map.rows;
    memcpy(c->work, c->delta, (size_t)n * sizeof(double));
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            c->work[i] += *dense_at(&c->map, i, j) * c->delta[j];
}

/* By the last doubling, in units of orbit->scale. */
static double largest_change(const struct orbit *o, const struct correction *c)
{
    double size = 0;
    for (int i = 0; i < o->n; i++)
        size = fmax(size, fabs(c->work[i] - c->delta[i]) * o->scale[i]);
    return size;
}

/* phi_m r, m as large as it may be; *whole: it is Newton's step. */
static enum kn_status go_forward(struct arena *memory, const struct shooting *s, struct correction *c, bool *whole)
{
    const struct orbit *o = s->orbit;
    const size_t bytes = (size_t)o->n * sizeof(double);
    double *trusted = arena_array(memory, (size_t)o->n + 1, sizeof(double));
    struct dense square;
    bool beyond = false;
    *whole = false;
    if (!trusted)
        return KN_ERROR_MEMORY;
    memcpy(c->delta, c->r, bytes);
    memcpy(trusted, c->r, bytes);
    for (int i = 0; i < MOST_DOUBLINGS && !*whole; i++) {
        twice_as_far(c);
        const double change = largest_change(o, c);
        memcpy(c->delta, c->work, bytes);
        beyond |= relative_size(o, c, c->delta) > TRUSTED;
        if (!beyond)
            memcpy(trusted, c->delta, bytes);
        if (!dense_multiply(memory, &c->map, &c->map, &square))
            return KN_ERROR_MEMORY;
        c->map = square;
        const double largest = dense_largest(&c->map);
        *whole = largest < DECAYED || (i + 1 == MOST_DOUBLINGS && largest < GROWN && change <= STEADY);
        if (!(largest < GROWN))
            break;
    }
    if (*whole && (s->phase < 0 || !beyond))
        return KN_OK;
    *whole = false;
    memcpy(c->delta, trusted, bytes);
    const double size = relative_size(o, c, c->delta);
    for (int i = 0; i < o->n && size > TRUSTED; i++)
        c->delta[i] *= TRUSTED / size;
    return KN_OK;
}

/* By which the plane is met again from the corrected start. */
static double period_of(const struct shooting *s, const struct correction *c)
{
    const struct orbit *o = s->orbit;
    const int n = o->n, k = s->phase;
    if (k < 0)
        return 0;
    double off = orbit_end(o)[k] - o->x[k];
    for (int j = 0; j < n; j++)
        off += o->monodromy[(size_t)j * (size_t)n + (size_t)k] * c->delta[j];
    const double change = -off / o->by_period[k], most = TRUSTED_PERIOD * o->period;
    return fmax(-most, fmin(change, most));
}

static double in_tolerances(const struct shooting *s, const struct correction *c)
{
    const struct orbit *o = s->orbit;
    double size = 0;
    for (int i = 0; i < o->n; i++)
        size = fmax(size, fabs(c->delta[i]) * o->scale[i]);
    return s->phase < 0 ? size : fmax(size, fabs(c->period / o->period) / PERIOD_CLOSED);
}

/* One iteration from an orbit that has been followed. */
static enum kn_status improve(struct shooting *s, bool *closed)
{
    struct arena *memory = arena_new();
    struct orbit *o = s->orbit;
    struct correction c = {0};
    bool whole = false;
    const double before = s->iterations > 0 ? s->left : INFINITY;
    enum kn_status status = memory && correction_new(memory, o->n, &c) ? KN_OK : KN_ERROR_MEMORY;
    if (status == KN_OK && s->phase >= 0 && o->by_period[s->phase] == 0)
        status = KN_ERROR_CONVERGENCE;
    if (status == KN_OK) {
        orbit_rescale(o);
        look_at_return(s, &c);
        status = go_forward(memory, s, &c, &whole);
    }
    if (status == KN_OK) {
        c.period = period_of(s, &c);
        s->left = in_tolerances(s, &c);
        *closed = whole && (s->left <= 1 || (s->left <= NEARLY && s->left > 0.5 * before));
        for (int i = 0; i < o->n; i++)
            o->x[i] += c.delta[i];
        o->period += c.period;
        status = isfinite(s->left) ? KN_OK : KN_ERROR_CONVERGENCE;
    }
    arena_free(memory);
    return status;
}

/* Follows the orbit; where its steps cannot be solved, from a start half way back to the one before. */
static enum kn_status follow(struct shooting *s, double *good, double *good_period)
{
    struct orbit *o = s->orbit;
    const size_t bytes = (size_t)o->n * sizeof(double);
    enum kn_status status = orbit_follow(o);
    for (int i = 0; i < MOST_HALVINGS && s->iterations > 0; i++) {
        if (status != KN_ERROR_CONVERGENCE && status != KN_ERROR_CIRCUIT)
            break;
        for (int k = 0; k < o->n; k++)
            o->x[k] = 0.5 * (o->x[k] + good[k]);
        o->period = 0.5 * (o->period + *good_period);
        status = orbit_follow(o);
    }
    memcpy(good, o->x, bytes);
    *good_period = o->period;
    return status;
}

enum kn_status shooting_solve(struct shooting *s)
{
    struct orbit *o = s->orbit;
    double *good = calloc((size_t)o->n + 1, sizeof(double)), good_period = o->period;
    bool closed = false;
    enum kn_status status = good ? KN_OK : KN_ERROR_MEMORY;
    for (s->iterations = 0; status == KN_OK && !closed && s->iterations < MOST_ITERATIONS; s->iterations++) {
        status = follow(s, good, &good_period);
        if (status == KN_OK)
            status = improve(s, &closed);
    }
    if (status == KN_OK)
        status = closed ? orbit_follow(o) : KN_ERROR_CONVERGENCE;
    free(good);
    return status;
}

static int by_size(const void *a, const void *b)
{
    const double x = cabs(((const struct eigenvalue *)a)->value), y = cabs(((const struct eigenvalue *)b)->value);
    return (x < y) - (x > y);
}

enum kn_status shooting_multipliers(struct arena *memory, const struct orbit *o, struct eigenvalue *out)
{
    struct dense m, unit;
    if (!dense_new(memory, o->n, o->n, &m) || !dense_new(memory, o->n, o->n, &unit))
        return KN_ERROR_MEMORY;
    memcpy(m.at, o->monodromy, (size_t)o->n * (size_t)o->n * sizeof(double));
    for (int i = 0; i < o->n; i++)
        *dense_at(&unit, i, i) = 1;
    const enum kn_status status = dense_eigenvalues(memory, &m, &unit, out);
    if (status == KN_OK)
        qsort(out, (size_t)o->n, sizeof *out, by_size);
    return status;
}
