/* between_points.c - a point of a step as a solution of the equations with the charges of the method there (between.c has the
 * equations), and who looks at it. */
#include "integrators/between_parts.h"

#include <math.h>
#include <string.h>

/* Whether somebody looks at unknowns of these classes. */
bool between_watches(const struct integrator *m, unsigned which)
{
    return tolerance_has_class(m->dae, m->watched, which);
}

/* Whether all that delays read has memory, and the method's polynomial is right in the step. */
bool between_knows_remembered(const struct integrator *m)
{
    const struct dae *dae = m->dae;
    return m->unsure <= BETWEEN_TRUSTED && dae->classes && dae->remembered &&
           !tolerance_has_class(dae, dae->remembered, CLASSES_MEMORYLESS);
}

void between_begin_tolerance(struct between *s, struct integrator *m)
{
    m->class->interpolate(m, m->previous, s->x, NULL);
    tolerance_reset(&s->tolerance, s->x);
}

/* The kept point nearest to time on one side of it, and nearer than the end of the step there; NULL: there is none. */
static const struct between_near *nearest(const struct between *s, const struct integrator *m, double time, bool before)
{
    const struct between_near *found = NULL;
    for (int k = 0; k < BETWEEN_NEAR && k < s->near_count; k++) {
        const double at = s->near[k].time, best = found ? found->time : before ? m->previous : m->t;
        if (before ? at <= time && at > best : at >= time && at < best)
            found = &s->near[k];
    }
    return found;
}

/* What is known on both sides of a time within the step. */
struct sides {
    const struct between_near *kept[2]; /* before, behind; NULL: the end of the step */
    double part;                        /* of the way between the two, where the time is */
};

static struct sides sides_of(const struct between *s, const struct integrator *m, double time)
{
    const struct between_near *const before = nearest(s, m, time, true), *const behind = nearest(s, m, time, false);
    const double from = before ? before->time : m->previous, to = behind ? behind->time : m->t;
    return (struct sides){{before, behind}, to > from ? (time - from) / (to - from) : 0};
}

/* An unknown without memory may be far off the interpolant all over a step (the voltage of two diodes that a current comes through
 * which changes its sign), and Newton's method comes down an exponential by one thermal voltage at a time: what is missed on both sides
 * of it, on a line between the two, is a better start. */
void between_begin(struct between *s, const struct integrator *m, double time, const double *x)
{
    const struct sides sides = sides_of(s, m, time);
    memcpy(s->x, x, (size_t)s->dae->n * sizeof *x);
    for (int side = 0; side < 2 && !s->leaps; side++) {
        const struct between_near *kept = sides.kept[side];
        const double part = side ? sides.part : 1 - sides.part;
        for (int i = 0; kept && kept->far && i < s->dae->n; i++)
            s->x[i] += part * kept->missed[i];
    }
}

/* to := solution that is known on one side of that time. */
static void known_beside(const struct between *s, struct integrator *m, const struct between_near *kept, bool behind, double *to)
{
    m->class->interpolate(m, kept ? kept->time : behind ? m->t : m->previous, to, NULL);
    for (int i = 0; kept && kept->far && i < s->dae->n; i++)
        to[i] += kept->missed[i];
}

/* Whether s->x at that time, found far from the interpolant, lies between what is known on both sides of it: then it is on their branch.
 * Overwrites s->other and s->beside. */
static bool is_between_known(struct between *s, struct integrator *m, double time)
{
    const struct sides sides = sides_of(s, m, time);
    known_beside(s, m, sides.kept[0], false, s->other);
    known_beside(s, m, sides.kept[1], true, s->beside);
    for (int i = 0; i < s->dae->n; i++) {
        const double low = fmin(s->other[i], s->beside[i]), high = fmax(s->other[i], s->beside[i]);
        s->other[i] = fmin(fmax(s->x[i], low), high);
    }
    return !branches_differ(s, s->x, s->other);
}

void between_keep(struct between *s, double time, bool far, const double *x)
{
    struct between_near *kept = &s->near[s->near_count++ % BETWEEN_NEAR];
    kept->time = time;
    kept->far = far;
    for (int i = 0; far && i < s->dae->n; i++)
        kept->missed[i] = s->x[i] - x[i];
}

/* Whether what Newton's method has found is no solution of this step, whose charges leave it no such way: on an exponential of 1e10 A of a
 * diode a residual of as much is nothing, and 1 GV and -180 A of a coil that carries 0.7 A stood in a row of
 * tests/decks/hard/floating-secondary.cir. */
static bool is_astray(const struct between *s)
{
    const struct tolerance *t = &s->tolerance;
    for (int i = 0; s->dae->classes && i < s->dae->n; i++)
        if (s->dae->classes[i] == DAE_DIFFERENTIAL &&
            !(fabs(s->x[i]) * t->relative <= TOLERANCE_FAR_ABOVE * tolerance_of_size(t, i)))
            return true;
    return false;
}

/* By factors from astray any residual is nothing: they would end the next search where it begins.  From 1e12 V across a thyristor that was
 * being fired between coils, the one behind it stood after one correction at 336 V of 194 V, 361 A off, which .measure took for a maximum. */
static bool solve_near(struct between *s, const struct newton_problem *problem)
{
    if (!between_solve_from(s, problem))
        return false;
    if (!is_astray(s))
        return true;
    newton_invalidate(&s->newton);
    return false;
}

/* From the interpolant, and where that is too wild a start, from the ends of the step.  Where its ends are on two branches of
 * solutions (hysteresis), from the end of its own. */
static bool solve(struct between *s, struct integrator *m, const struct newton_problem *problem, const double *x)
{
    const size_t bytes = (size_t)s->dae->n * sizeof *x;
    const bool begins = problem->t < s->leap;
    if (s->leaps && begins)
        m->class->interpolate(m, m->previous, s->x, NULL);
    else if (s->leaps)
        memcpy(s->x, m->x, bytes);
    else
        between_begin(s, m, problem->t, x);
    if (solve_near(s, problem))
        return true;
    memcpy(s->x, s->leaps ? x : m->x, bytes);
    if (solve_near(s, problem))
        return true;
    m->class->interpolate(m, m->previous, s->x, NULL);
    return solve_near(s, problem);
}

void between_free_index2(struct between *s, double alpha)
{
    for (int i = 0; i < s->dae->n; i++)
        s->q[i] = alpha * (s->newton.q[i] - s->q[i]);
    newton_back_solve(&s->newton, s->q);
    for (int i = 0; i < s->dae->n; i++)
        s->x[i] += s->dae->classes[i] == DAE_INDEX2 ? s->q[i] : 0;
}

/* Newton's method has gone far from the interpolant to s->x.  If that is another branch than that of both ends of the step, the
 * end leads back to theirs. */
static void return_to_branch(struct between *s, const struct integrator *m, const struct newton_problem *problem)
{
    const size_t bytes = (size_t)s->dae->n * sizeof *s->x;
    memcpy(s->other, s->x, bytes);
    memcpy(s->x, m->x, bytes);
    between_right_side(s, m, problem->t, problem->alpha);
    if (!solve_near(s, problem) || branches_differ(s, s->x, m->x))
        memcpy(s->x, s->other, bytes);
}

/* Solves at time from x, the interpolant there, into s->x, to that part of the tolerance; whether that has succeeded. */
bool between_solve_at(struct between *s, struct integrator *m, double time, const double *x, double accuracy)
{
    const double alpha = between_alpha(m);
    between_right_side(s, m, time, alpha);
    struct newton_problem problem = {
        .t = time, .alpha = alpha, .b = s->b, .weights = s->tolerance.weights, .accuracy = accuracy, .reference = m->x};
    problem.accuracy *= s->leaps || s->bends ? BETWEEN_CORNERS : 1;
    if (!solve(s, m, &problem, x)) {
        if (s->status == KN_OK && s->unsolved++ == 0)
            s->first_unsolved = time;
        return false;
    }
    /* in a step that leaps, points begin at its ends (solve), not at what is kept of others */
    const bool far = !s->leaps && branches_differ(s, s->x, x);
    if (far && !is_between_known(s, m, time))
        return_to_branch(s, m, &problem);
    if (s->exact ? s->freed : s->slopes)
        between_free_index2(s, alpha);
    between_keep(s, time, far, x);
    return true;
}

const double *integrator_rounding(struct integrator *m)
{
    struct between *s = m->between;
    if (!s || s->seen != m->t || s->near_count == 0 || !s->newton.have_jacobian)
        return NULL;
    newton_rounding(&s->newton, m->x, s->newton.alpha, 1);
    return s->newton.rounding;
}
