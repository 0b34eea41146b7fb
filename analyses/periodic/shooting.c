/* shooting.c - see shooting.h.
 *
 * With r = x_end - x_0 and the monodromy matrix M, m periods more lead, to first order, to
 *
 *     x_0 + phi_m(M) r,   phi_m(M) = I + M + .. + M^(m-1),
 *
 * and m -> infinity is Newton's step (I - M)^-1 r where all of M decays.  Where some of it grows (an oscillator about
 * its rest) Newton would go back to the unstable solution; as many periods as the orbit may change by go forward
 * instead, as envelope following does (Petzold, SIAM J. Numer. Anal. 18, 1981).  phi_2m = phi_m + M^m phi_m: so a
 * million periods cost twenty products.  A driven circuit that grows on its own has nothing but its unstable state: where no
 * way forward leads to one, Newton's step does.  So it does in large circuits, by GMRES with products M v (Telichevesky,
 * Kundert and White, 32nd Design Automation Conf., 1995).  An unknown period makes M that of the return to a plane x_k = const:
 * (I - v e_k^T / v_k) M with v = dx_end/dperiod.
 */
#include "analyses/periodic/shooting.h"

#include "sparse/gmres.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITERATIONS = 200, MOST_DOUBLINGS = 40, MOST_HALVINGS = 10, FORWARD = 40, MOST_RENEWALS = 30, BASIS = 80 };

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
/* Residual of GMRES. */
static const double SOLVED = 1e-8;
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

static bool correction_new(struct arena *memory, int n, bool dense, struct correction *c)
{
    const size_t count = (size_t)n + 1;
    c->r = arena_array(memory, count, sizeof(double));
    c->delta = arena_array(memory, count, sizeof(double));
    c->work = arena_array(memory, count, sizeof(double));
    c->swing = arena_array(memory, count, sizeof(double));
    return (!dense || dense_new(memory, n, n, &c->map)) && c->r && c->delta && c->work && c->swing;
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

/* r */
static void look_at_return(const struct shooting *s, struct correction *c)
{
    const struct orbit *o = s->orbit;
    const double *end = orbit_end(o), *v = o->by_period;
    const int n = o->n, k = s->phase;
    for (int i = 0; i < n; i++)
        c->r[i] = end[i] - o->x[i];
    look_at_swings(o, c);
    if (k < 0)
        return;
    const double missed = c->r[k] / v[k];
    for (int i = 0; i < n; i++)
        c->r[i] = i == k ? 0 : c->r[i] - v[i] * missed;
}

/* M, or that of the return. */
static void make_map(const struct shooting *s, struct correction *c)
{
    const struct orbit *o = s->orbit;
    const double *v = o->by_period;
    const int n = o->n, k = s->phase;
    memcpy(c->map.at, o->monodromy, (size_t)n * (size_t)n * sizeof(double));
    for (int j = 0; j < n && k >= 0; j++) {
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

static void shorten(const struct orbit *o, struct correction *c)
{
    const double size = relative_size(o, c, c->delta);
    for (int i = 0; i < o->n && size > TRUSTED; i++)
        c->delta[i] *= TRUSTED / size;
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
    make_map(s, c);
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
    shorten(o, c);
    return KN_OK;
}

/* ---- Newton's step ---- */

/* (I - M) delta = r where M is there. */
static enum kn_status solve_dense(struct arena *memory, const struct shooting *s, struct correction *c)
{
    const int n = s->orbit->n;
    struct dense r, delta;
    if (!dense_new(memory, n, 1, &r))
        return KN_ERROR_MEMORY;
    make_map(s, c);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            *dense_at(&c->map, i, j) = (i == j) - *dense_at(&c->map, i, j);
    memcpy(r.at, c->r, (size_t)n * sizeof(double));
    const enum kn_status status = dense_solve(memory, &c->map, &r, &delta);
    if (status == KN_OK)
        memcpy(c->delta, delta.at, (size_t)n * sizeof(double));
    return status;
}

/* M of an orbit, or of the return, for unknowns in units of their tolerances. */
struct scaled_map {
    struct orbit *orbit;
    int phase;
    bool unit; /* I - M */
    double *v; /* [n] */
};

static enum kn_status apply_scaled(void *context, double complex *x)
{
    const struct scaled_map *m = context;
    struct orbit *o = m->orbit;
    double part[2] = {0, 0};
    for (int p = 0; p < 2; p++) {
        bool zero = true;
        for (int i = 0; i < o->n; i++) {
            m->v[i] = (p ? cimag(x[i]) : creal(x[i])) / o->scale[i];
            zero &= m->v[i] == 0;
        }
        if (zero)
            continue;
        const enum kn_status status = orbit_apply(o, m->v, false);
        if (status != KN_OK)
            return status;
        part[p] = m->phase < 0 ? 0 : m->v[m->phase] / o->by_period[m->phase];
        for (int i = 0; i < o->n; i++) {
            const double to = (m->v[i] - part[p] * o->by_period[i]) * o->scale[i] * (i != m->phase);
            const double from = p ? cimag(x[i]) : creal(x[i]), all = m->unit ? from - to : to;
            x[i] = p ? CMPLX(creal(x[i]), all) : CMPLX(all, cimag(x[i]));
        }
    }
    return KN_OK;
}

static enum kn_status solve_large(struct arena *memory, const struct shooting *s, struct correction *c)
{
    struct orbit *o = s->orbit;
    const int n = o->n;
    double complex *b = arena_array(memory, (size_t)n + 1, sizeof *b);
    double complex *x = arena_array(memory, (size_t)n + 1, sizeof *x);
    struct scaled_map map = {.orbit = o, .phase = s->phase, .unit = true, .v = c->work};
    const struct linear_map linear = {.n = n, .context = &map, .apply = apply_scaled};
    if (!b || !x)
        return KN_ERROR_MEMORY;
    for (int i = 0; i < n; i++)
        b[i] = c->r[i] * o->scale[i];
    const enum kn_status status = gmres_solve(&linear, b, SOLVED, BASIS, x, NULL);
    for (int i = 0; i < n; i++)
        c->delta[i] = creal(x[i]) / o->scale[i];
    return status;
}

/* *whole: not shortened. */
static enum kn_status go_at_once(struct arena *memory, const struct shooting *s, struct correction *c, bool *whole)
{
    const enum kn_status status = s->orbit->monodromy ? solve_dense(memory, s, c) : solve_large(memory, s, c);
    *whole = s->phase < 0 || relative_size(s->orbit, c, c->delta) <= TRUSTED;
    if (!*whole)
        shorten(s->orbit, c);
    return status == KN_ERROR_CIRCUIT ? KN_ERROR_CONVERGENCE : status;
}

/* By which the plane is met again from the corrected start. */
static enum kn_status find_period(const struct shooting *s, struct correction *c)
{
    struct orbit *o = s->orbit;
    const int k = s->phase;
    if (k < 0)
        return KN_OK;
    memcpy(c->work, c->delta, (size_t)o->n * sizeof(double));
    const enum kn_status status = orbit_apply(o, c->work, false);
    const double off = orbit_end(o)[k] - o->x[k] + c->work[k], change = -off / o->by_period[k];
    const double most = TRUSTED_PERIOD * o->period;
    c->period = fmax(-most, fmin(change, most));
    return status;
}

static double in_tolerances(const struct shooting *s, const struct correction *c)
{
    const struct orbit *o = s->orbit;
    double size = 0;
    for (int i = 0; i < o->n; i++)
        size = fmax(size, fabs(c->delta[i]) * o->scale[i]);
    return s->phase < 0 ? size : fmax(size, fabs(c->period / o->period) / PERIOD_CLOSED);
}

/* Whether Newton's correction has not brought the orbit nearer to closing.  Edges that move out of the steps that were
 * short for them are still solved for by longer ones, but at wrong times. */
static bool is_no_better(struct shooting *s, const struct correction *c)
{
    const double before = s->missed;
    s->missed = relative_size(s->orbit, c, c->r);
    return s->expects && s->missed > 0.5 * before && s->anew && s->renewals < MOST_RENEWALS;
}

/* Newton's correction or a way forward, from r. */
static enum kn_status correct(struct arena *memory, struct shooting *s, struct correction *c, bool *closed)
{
    struct orbit *o = s->orbit;
    const double before = s->iterations > 0 ? s->left : INFINITY;
    const bool at_once = s->whole || !o->monodromy;
    bool whole = false;
    enum kn_status status = at_once ? go_at_once(memory, s, c, &whole) : go_forward(memory, s, c, &whole);
    if (status == KN_OK)
        status = find_period(s, c);
    if (status != KN_OK)
        return status;
    s->left = in_tolerances(s, c);
    s->expects = whole;
    *closed = whole && (s->left <= 1 || (s->left <= NEARLY && s->left > 0.5 * before));
    for (int i = 0; i < o->n; i++)
        o->x[i] += c->delta[i];
    o->period += c->period;
    return isfinite(s->left) ? KN_OK : KN_ERROR_CONVERGENCE;
}

/* One iteration from an orbit that has been followed; or *misfit: other steps are wanted first. */
static enum kn_status improve(struct shooting *s, bool *closed, bool *misfit)
{
    struct arena *memory = arena_new();
    struct orbit *o = s->orbit;
    struct correction c = {0};
    enum kn_status status = memory && correction_new(memory, o->n, o->monodromy, &c) ? KN_OK : KN_ERROR_MEMORY;
    if (status == KN_OK && s->phase >= 0 && o->by_period[s->phase] == 0)
        status = KN_ERROR_CONVERGENCE;
    if (status == KN_OK) {
        orbit_rescale(o);
        look_at_return(s, &c);
        *misfit = is_no_better(s, &c);
        status = *misfit ? KN_OK : correct(memory, s, &c, closed);
    }
    arena_free(memory);
    return status;
}

static bool cannot_be_solved(enum kn_status status)
{
    return status == KN_ERROR_CONVERGENCE || status == KN_ERROR_CIRCUIT;
}

/* Follows the orbit; where its steps cannot be solved, as where edges have left the short steps made for them, on other
 * steps; then from a start half way back to the one before. */
static enum kn_status follow(struct shooting *s, double *good, double *good_period)
{
    struct orbit *o = s->orbit;
    const size_t bytes = (size_t)o->n * sizeof(double);
    enum kn_status status = orbit_follow(o);
    if (cannot_be_solved(status) && s->anew) {
        const enum kn_status made = s->anew(s->context, o);
        status = made == KN_OK ? orbit_follow(o) : cannot_be_solved(made) ? status : made;
    }
    for (int i = 0; i < MOST_HALVINGS && s->iterations > 0 && cannot_be_solved(status); i++) {
        for (int k = 0; k < o->n; k++)
            o->x[k] = 0.5 * (o->x[k] + good[k]);
        o->period = 0.5 * (o->period + *good_period);
        status = orbit_follow(o);
    }
    memcpy(good, o->x, bytes);
    *good_period = o->period;
    return status;
}

static enum kn_status renew(struct shooting *s)
{
    s->renewals++;
    s->expects = false;
    const enum kn_status status = s->anew(s->context, s->orbit);
    return cannot_be_solved(status) ? KN_OK : status;
}

/* A small correction is not yet a closed orbit: it may have been small beside values that are gone, and where disturbances
 * grow beyond all digits the smallest one opens it. */
static enum kn_status check_closed(const struct shooting *s, bool *closed)
{
    struct orbit *o = s->orbit;
    const enum kn_status status = orbit_follow(o);
    double size = 0;
    if (status != KN_OK)
        return status;
    orbit_rescale(o);
    for (int i = 0; i < o->n; i++)
        size = fmax(size, fabs(orbit_end(o)[i] - o->x[i]) * o->scale[i]);
    *closed = size <= NEARLY;
    return KN_OK;
}

static enum kn_status approach(struct shooting *s, int most)
{
    struct orbit *o = s->orbit;
    double *good = calloc((size_t)o->n + 1, sizeof(double)), good_period = o->period;
    bool closed = false, misfit = false;
    enum kn_status status = good ? KN_OK : KN_ERROR_MEMORY;
    s->expects = false;
    s->renewals = 0;
    for (s->iterations = 0; status == KN_OK && !closed && s->iterations < most; s->iterations++) {
        status = follow(s, good, &good_period);
        if (status == KN_OK)
            status = improve(s, &closed, &misfit);
        if (status == KN_OK && misfit)
            status = renew(s);
        if (status == KN_OK && closed)
            status = check_closed(s, &closed);
    }
    if (status == KN_OK && !closed)
        status = KN_ERROR_CONVERGENCE;
    free(good);
    return status;
}

/* Of a linear circuit the first step says whether there is a way forward. */
enum kn_status shooting_solve(struct shooting *s)
{
    struct orbit *o = s->orbit;
    const bool chooses = s->phase < 0 && !s->whole && o->monodromy;
    const int forward = o->dae->linear ? 3 : FORWARD;
    const size_t bytes = (size_t)o->n * sizeof(double);
    double *first = malloc(bytes + sizeof *first);
    if (!first)
        return KN_ERROR_MEMORY;
    memcpy(first, o->x, bytes);
    enum kn_status status = approach(s, chooses ? forward : MOST_ITERATIONS);
    if (status == KN_ERROR_CONVERGENCE && chooses) {
        const int before = s->iterations;
        memcpy(o->x, first, bytes);
        s->whole = true;
        status = approach(s, MOST_ITERATIONS);
        s->iterations += before;
    }
    free(first);
    return status;
}

static int by_size(const void *a, const void *b)
{
    const double x = cabs(((const struct eigenvalue *)a)->value), y = cabs(((const struct eigenvalue *)b)->value);
    return (x < y) - (x > y);
}

static enum kn_status largest_multipliers(struct arena *memory, struct orbit *o, struct eigenvalue *out, int *count)
{
    double complex *start = arena_array(memory, (size_t)o->n + 1, sizeof *start);
    struct scaled_map map = {.orbit = o, .phase = -1, .v = arena_array(memory, (size_t)o->n + 1, sizeof(double))};
    const struct linear_map linear = {.n = o->n, .context = &map, .apply = apply_scaled};
    struct ritz_value found[SHOOTING_SHOWN];
    if (!start || !map.v)
        return KN_ERROR_MEMORY;
    for (int i = 0; i < o->n; i++)
        start[i] = 1 + 0.5 * sin(i);
    const enum kn_status status = arnoldi_largest(&linear, start, SHOOTING_SHOWN, found, count);
    for (int i = 0; i < *count; i++)
        out[i] = (struct eigenvalue){found[i].value, found[i].residual};
    return status == KN_ERROR_ARGUMENT || status == KN_ERROR_CONVERGENCE ? KN_OK : status;
}

enum kn_status shooting_multipliers(struct arena *memory, struct orbit *o, struct eigenvalue *out, int *count)
{
    struct dense m, unit;
    enum kn_status status = KN_OK;
    *count = o->n;
    if (!o->monodromy) {
        status = largest_multipliers(memory, o, out, count);
    } else if (!dense_new(memory, o->n, o->n, &m) || !dense_identity(memory, o->n, &unit)) {
        status = KN_ERROR_MEMORY;
    } else {
        memcpy(m.at, o->monodromy, (size_t)o->n * (size_t)o->n * sizeof(double));
        status = dense_eigenvalues(memory, &m, &unit, out);
    }
    if (status == KN_OK)
        qsort(out, (size_t)*count, sizeof *out, by_size);
    return status;
}
