/* between_points.c - a point of a step as a solution of the equations with the charges of the method there (between.c has the
 * equations), and who looks at it. */
#include "integrators/between_parts.h"

#include <string.h>

/* Whether delays need what is inside steps. */
bool between_remembers(const struct dae *dae)
{
    return dae->accept && dae->largest_step < INFINITY;
}

/* [n] unknowns that matter between steps, NULL: all, on which what a delay carries on may depend. */
const bool *between_watched(const struct integrator *m)
{
    return between_remembers(m->dae) ? NULL : m->watched;
}

/* Whether somebody looks at unknowns of these classes. */
bool between_watches(const struct integrator *m, unsigned which)
{
    const enum dae_class *classes = m->dae->classes;
    const bool *watched = between_watched(m);
    for (int i = 0; classes && i < m->dae->n; i++)
        if ((CLASS_BIT(classes[i]) & which) && (!watched || watched[i]))
            return true;
    return false;
}

/* From the interpolant, and where that is too wild a start, from the ends of the step.  Where its ends are on two branches of
 * solutions (hysteresis), from the end of its own. */
static bool solve(struct between *s, struct integrator *m, const struct newton_problem *problem, const double *x)
{
    const size_t bytes = (size_t)s->dae->n * sizeof *x;
    const bool begins = problem->t < s->leap;
    memcpy(s->x, s->leaps ? m->x : x, bytes);
    if (s->leaps && begins)
        m->class->interpolate(m, m->previous, s->x, NULL);
    if (between_solve_from(s, problem))
        return true;
    memcpy(s->x, s->leaps ? x : m->x, bytes);
    if (between_solve_from(s, problem))
        return true;
    m->class->interpolate(m, m->previous, s->x, NULL);
    return between_solve_from(s, problem);
}

/* s->x solves f + alpha (q - Q) + .. = 0, Q the charges of the method.  Index-2 unknowns are to obey the equations without
 * that term, which is taken off them by one Newton step.  Overwrites s->q. */
static void free_index2(struct between *s, double alpha)
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
    if (!between_solve_from(s, problem) || branches_differ(s, s->x, m->x))
        memcpy(s->x, s->other, bytes);
}

/* Solves at time from x, the interpolant there, into s->x, to that part of the tolerance; whether that has succeeded. */
bool between_solve_at(struct between *s, struct integrator *m, double time, const double *x, double accuracy)
{
    const double alpha = between_alpha(m);
    between_right_side(s, m, time, alpha);
    struct newton_problem problem = {
        .t = time, .alpha = alpha, .b = s->b, .weights = s->tolerance.weights, .accuracy = accuracy, .reference = m->x};
    problem.accuracy *= s->leaps ? BETWEEN_BRANCHES : 1;
    if (!solve(s, m, &problem, x)) {
        if (s->status == KN_OK && s->unsolved++ == 0)
            s->first_unsolved = time;
        return false;
    }
    if (!s->leaps && branches_differ(s, s->x, x))
        return_to_branch(s, m, &problem);
    if (s->slopes)
        free_index2(s, alpha);
    return true;
}
