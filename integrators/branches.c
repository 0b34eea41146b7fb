/* branches.c - steps that lead from one branch of solutions to another.
 *
 * Where the algebraic equations have several solutions, a step may begin on one and end on another: the first has ended within
 * it, at a fold (mna/start/impasse.h), or Newton's method has gone astray.  From the end of one, with the charges of the time
 * at the other, Newton's method then leads elsewhere.
 */
#include "integrators/between_parts.h"

#include <math.h>
#include <string.h>

/* alpha is this over the step, rounded up to a power of two, so that factors serve many steps. */
static const double ALPHA = 16;

double between_alpha(const struct integrator *m)
{
    return exp2(ceil(log2(ALPHA / (m->t - m->previous))));
}

/* How much of what Q' is off by at the begin and at the end of the step is taken off it at time.  Slopes that index-2 unknowns are
 * have it on a line between the two.  Others feel the charges that it would add up to, off / alpha, which are what it takes to be
 * continuous at both ends: without them the solution jumps there. */
static void parts_of_ends(const struct between *s, const struct integrator *m, double time, double alpha, double *parts)
{
    const double part = (time - m->previous) / (m->t - m->previous);
    parts[0] = s->slopes ? 1 - part : exp(-alpha * (time - m->previous));
    parts[1] = s->slopes ? part : exp(-alpha * (m->t - time));
}

void between_right_side(struct between *s, const struct integrator *m, double time, double alpha)
{
    double parts[2];
    for (int i = 0; i < s->dae->n; i++)
        s->b[i] = s->rate[i] - alpha * s->q[i];
    if (s->off_end != m->t)
        return;
    parts_of_ends(s, m, time, alpha, parts);
    for (int i = 0; i < s->dae->n; i++)
        if (!s->exact || s->rate[i] != 0)
            s->b[i] -= parts[0] * s->off[0][i] + parts[1] * s->off[1][i];
}

bool between_solve_from(struct between *s, const struct newton_problem *problem)
{
    const enum newton_outcome outcome = s->status == KN_OK ? newton_solve(&s->newton, problem, s->x) : NEWTON_FAILED;
    if (outcome == NEWTON_FAILED && s->status == KN_OK)
        s->status = s->newton.status;
    return outcome == NEWTON_CONVERGED;
}

/* The time of a leap is found to a thousandth of the step, by so many halvings. */
enum { LEAP_HALVINGS = 10, LEAP_PARTS = 16 };

/* How far apart two points [n] are in unknowns without memory, in tolerances. */
static double way(struct between *s, const double *x, const double *y)
{
    for (int i = 0; i < s->dae->n; i++)
        s->b[i] = x[i] - y[i];
    return tolerance_norm(&s->ends, s->dae->classes, CLASS_BIT(DAE_INDEX1), s->b, NULL);
}

void branches_weigh(struct between *s, const struct integrator *m, const double *begin)
{
    if (s->weighed_end == m->t)
        return;
    if (isnan(s->weighed_end))
        tolerance_reset(&s->ends, begin);
    else if (s->weighed_end != m->previous)
        tolerance_update(&s->ends, begin, m->previous - s->weighed_end);
    tolerance_update(&s->ends, m->x, m->t - m->previous);
    s->weighed_end = m->t;
}

/* Whether two points [n] are so far apart, rounding [n] (or NULL) taken off, that they are on two branches (tolerance_leaps). */
static bool differ_beyond(struct between *s, const double *x, const double *y, const double *rounding)
{
    for (int i = 0; i < s->dae->n; i++)
        s->b[i] = fdim(fabs(x[i] - y[i]), rounding ? rounding[i] : 0);
    return tolerance_leaps(&s->ends, s->dae->classes, s->b);
}

bool branches_differ(struct between *s, const double *x, const double *y)
{
    return differ_beyond(s, x, y, NULL);
}

/* s->x := solution of the equations at that time with charges s->q and their slopes s->rate, by Newton's method from the point
 * `from`; false where it finds none. */
static bool solve(struct between *s, const struct integrator *m, double time, double alpha, const double *from)
{
    between_right_side(s, m, time, alpha);
    const struct newton_problem problem = {.t = time,
                                           .alpha = alpha,
                                           .b = s->b,
                                           .weights = s->ends.weights,
                                           .accuracy = BETWEEN_CORNERS,
                                           .reference = m->x};
    memcpy(s->x, from, (size_t)s->dae->n * sizeof *s->x);
    return between_solve_from(s, &problem);
}

/* The same with the charges that the method's polynomial has at that time. */
static bool follow(struct between *s, struct integrator *m, double time, const double *from)
{
    m->class->charges(m, time, s->q, s->rate);
    return solve(s, m, time, between_alpha(m), from);
}

/* Whether the solution is at a time still on the branch of s->branch rather than on that of s->middle; the one it is on becomes
 * the point there.  A branch may be long, so that points far apart can be on one: it is that of the nearer one. */
static bool stays_until(struct between *s, struct integrator *m, double time)
{
    double *left = s->branch, *right = s->middle;
    const bool follows = follow(s, m, time, left), stays = follows && way(s, left, s->x) <= way(s, s->x, right);
    if (follows)
        memcpy(stays ? left : right, s->x, (size_t)s->dae->n * sizeof *s->x);
    return stays;
}

/* s->leap := time at which the solution leaves the branch it has at the begin of the step, s->branch, for that of its end: the
 * first of LEAP_PARTS parts in which it does, then by halving.  The charges of the step, which have to do with both branches, may
 * come back to where the first one exists.  Overwrites s->middle. */
static void find_leap(struct between *s, struct integrator *m)
{
    const double part = (m->t - m->previous) / LEAP_PARTS;
    double first = m->previous;
    s->leap = m->t;
    memcpy(s->middle, m->x, (size_t)s->dae->n * sizeof *s->middle);
    for (int k = 1; k < LEAP_PARTS && s->leap == m->t; k++) {
        const double time = m->previous + k * part;
        *(stays_until(s, m, time) ? &first : &s->leap) = time;
    }
    for (int parts = LEAP_PARTS; parts < 1 << LEAP_HALVINGS; parts *= 2) {
        const double middle = 0.5 * (first + s->leap);
        *(stays_until(s, m, middle) ? &first : &s->leap) = middle;
    }
}

/* Whether the branch of the end of the step, followed back, does not lead to the begin [n] of the step. */
static bool comes_from_elsewhere(struct between *s, struct integrator *m, const double *begin)
{
    return !follow(s, m, m->previous, m->x) || branches_differ(s, s->x, begin);
}

void branches_look(struct between *s, struct integrator *m)
{
    const double *begin = s->branch;
    m->class->interpolate(m, m->previous, s->branch, NULL);
    s->leaps = branches_differ(s, m->x, begin) &&
               (!follow(s, m, m->t, begin) || branches_differ(s, s->x, m->x) || comes_from_elsewhere(s, m, begin));
    if (s->leaps)
        find_leap(s, m);
}

/* s->off[1] := charges at the begin [n] of the step, s->off[0] := their slopes -f.  The step ends on another branch, so its own
 * polynomial says nothing of this one. */
static void find_charges(struct between *s, const struct integrator *m, const double *begin)
{
    struct dae_values out = {.f = s->off[0], .q = s->off[1]};
    s->newton.statistics.evaluations++;
    s->status = s->dae->eval(s->dae->problem, m->previous, begin, DAE_F | DAE_Q, &out);
    for (int i = 0; i < s->dae->n; i++)
        s->off[0][i] = -s->off[0][i];
}

/* A time (s) behind the begin, with charges that have gone on as they do there and may move within `shortest` (s); from one point. */
static bool go_on(struct between *s, const struct integrator *m, double time, double shortest, const double *from)
{
    for (int i = 0; i < s->dae->n; i++) {
        s->rate[i] = s->off[0][i];
        s->q[i] = s->off[1][i] + time * s->rate[i];
    }
    return solve(s, m, m->previous + time, 1 / shortest, from);
}

/* Whether another solution has the charges of x at the begin [n], near the end of the step.  A feedback that a charge slows down
 * has none, however short the time it takes beside the step.  Fluxes leave open what blocking diodes make of the last digits of their
 * currents. */
static bool is_beside_another(struct between *s, const struct integrator *m, const double *begin, double shortest)
{
    if (!go_on(s, m, 0, shortest, m->x) || !branches_differ(s, s->x, begin))
        return false;
    newton_rounding(&s->newton, s->x, 1 / shortest, 1);
    return differ_beyond(s, s->x, begin, s->newton.rounding);
}

/* How long (s) the branch of x at the begin [n] lasts. */
static double last_on(struct between *s, const struct integrator *m, const double *begin, double shortest)
{
    double lasts = 0, step = m->t - m->previous;
    for (int k = 0; k < LEAP_HALVINGS; k++) {
        step *= 0.5;
        if (go_on(s, m, lasts + step, shortest, begin) && !branches_differ(s, s->x, begin))
            lasts += step;
    }
    return lasts;
}

/* Whether the step leads an unknown without memory far, and most of the way is not that of the step before going on: a leap
 * does. */
static bool is_sudden(struct between *s, const struct integrator *m, const double *begin)
{
    const bool known = s->last_end == m->previous;
    const double longer = known ? (m->t - m->previous) / (s->last_end - s->last_begin) : 0;
    for (int i = 0; i < s->dae->n; i++) {
        const double way = m->x[i] - begin[i], expected = known ? longer * (begin[i] - s->last[i]) : 0;
        s->b[i] = fabs(way - expected) > 0.5 * fabs(way) ? way : 0;
    }
    return tolerance_leaps(&s->ends, s->dae->classes, s->b);
}

static void remember_begin(struct between *s, const struct integrator *m, const double *begin)
{
    memcpy(s->last, begin, (size_t)s->dae->n * sizeof *begin);
    s->last_begin = m->previous;
    s->last_end = m->t;
}

enum kn_status branches_part(struct integrator *m, const double *begin, double shortest, double *lasts)
{
    struct between *s = m->between;
    *lasts = INFINITY;
    s->status = KN_OK;
    if (!m->far || m->dae->linear || !m->dae->classes || !m->class->charges)
        return KN_OK;
    branches_weigh(s, m, begin);
    s->slopes = false;
    s->off_end = NAN;
    if (is_sudden(s, m, begin)) {
        find_charges(s, m, begin);
        /* a solution that leaps over a fold leaps to a branch that exists at the begin of the step already */
        if (s->status == KN_OK && is_beside_another(s, m, begin, shortest))
            *lasts = last_on(s, m, begin, shortest);
    }
    remember_begin(s, m, begin);
    return s->status;
}
