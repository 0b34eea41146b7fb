/* completion.c - index-2 unknowns of a step, from derivatives of constraints (run_callbacks.complete).
 *
 * At the ends of steps as well as inside they are what these say: the current of a source across a capacitor is then C dV/dt with
 * the slope of the source, and neither the error of a difference quotient nor rounding divided by the step.  They are asked where
 * the equations hold with the slopes that the method has: what a junction's voltage is off by, within its tolerance, is otherwise a
 * current that only a slope of its own charge can take, and half of it goes through a source.  Whether the interpolant is as good as
 * that, both ends and the middle of a step tell.  Most ends at which the method vouches for its own slopes are not asked (stands).
 *
 * Of steps of a multistep method that output does not resolve the ends are asked only: where the interpolant is about right there,
 * what it lacks goes on a straight line, else the unknowns themselves do.  To ask inside them was more than half of the work of runs
 * that write currents of CMOS.
 */
#include "integrators/between_parts.h"

#include <math.h>
#include <string.h>

/* What the interpolant misses of index-2 unknowns is corrected by a parabola over the step, as long as that bends by no
 * more than so many tolerances. */
static const double STRAIGHT = 2;

/* Largest index-2 entry of e [n], in tolerances. */
static double size_of_index2(const struct between *s, const struct integrator *m, const double *e)
{
    return tolerance_norms(&s->tolerance, s->dae->classes, CLASS_BIT(DAE_INDEX2), m->watched, e).inside;
}

/* A correction leaves the square of its size, in tolerances, times a tolerance over the voltage in which a junction bends,
 * about 1; those behind it have its factors, and leave of themselves what they are of the one before.  Each is to be smaller than
 * that by a good contraction, and the first no larger than the tolerance. */
enum { MOST_CORRECTIONS = 4 };

/* Of a correction, which is `all` in the largest unknown: in those that drive the equations.  Others, mostly currents, count only where
 * that may show.  They are read off those or completed afterwards, and rounding of the charges that a source at rest holds is more than
 * the part of abstol that is asked for here: of CircuitSim90's add32 two thirds of the ends had a search of their own for the sake of
 * 1e-16 A. */
static double size_of_correction(const struct between *s, double all)
{
    if (!(all <= TOLERANCE_INVISIBLE))
        return all;
    return tolerance_norms(&s->tolerance, s->dae->classes, CLASSES_DRIVING, NULL, s->newton.update).inside;
}

/* s->x := solution near x, to that part of the tolerance; false where it is not as near as that. */
static bool settle_nearby(struct between *s, struct integrator *m, double time, double accuracy)
{
    const double alpha = between_alpha(m);
    between_right_side(s, m, time, alpha);
    const struct newton_problem problem = {.t = time,
                                           .alpha = alpha,
                                           .b = s->b,
                                           .weights = s->tolerance.weights,
                                           .dfdt = s->rates[0],
                                           .dqdt = s->rates[1]};
    double before = 1 / NEWTON_GOOD_CONTRACTION, size;
    for (int k = 0; k < MOST_CORRECTIONS; k++, before = size) {
        const enum newton_outcome outcome = newton_correct(&s->newton, &problem, k > 0, s->x, &size);
        if (outcome == NEWTON_FAILED)
            s->status = s->newton.status;
        if (outcome != NEWTON_CONVERGED)
            return false;
        size = size_of_correction(s, size);
        if (size > NEWTON_GOOD_CONTRACTION * before)
            return false;
        if (size * (k == 0 ? size : size / before) <= accuracy)
            return true;
    }
    return false;
}

enum settled { UNSETTLED, SETTLED, SETTLED_KNOWN };

/* s->x := solution near x, the method's point at that time, of the equations with the method's slopes of the charges.  What
 * Newton's method leaves is a slope of the charges of fast junctions, and of all that hangs on them: over their time constant,
 * picoseconds, instead of over the step.  So it leaves reltol^2 of the usual part: a correction or two from the end of a step, which
 * is a solution already, or its middle.  What they have evaluated is known there. */
static enum settled settle(struct between *s, struct integrator *m, double time, const double *x)
{
    const size_t bytes = (size_t)s->dae->n * sizeof *x;
    const double accuracy = s->tolerance.relative * s->tolerance.relative;
    if (!m->class->charges || !m->class->charges(m, time, s->q, s->rate)) {
        memcpy(s->x, x, bytes);
        return SETTLED;
    }
    between_begin(s, m, time, x);
    if (settle_nearby(s, m, time, TOLERANCE_INVISIBLE * accuracy)) {
        between_keep(s, time, !s->leaps && branches_differ(s, s->x, x), x);
        return SETTLED_KNOWN;
    }
    if (s->status == KN_OK && between_solve_at(s, m, time, x, accuracy))
        return SETTLED;
    memcpy(s->x, x, bytes);
    return UNSETTLED;
}

bool completion_find(struct between *s, struct integrator *m, double time, const double *x)
{
    const struct run_callbacks *callbacks = s->callbacks;
    const enum settled settled = settle(s, m, time, x);
    const struct newton *newton = &s->newton;
    const struct dae_values known = {
        .f = newton->f, .G = newton->G, .C = newton->C, .dfdt = s->rates[0], .dqdt = s->rates[1]};
    if (s->status == KN_OK && callbacks->complete)
        s->status = callbacks->complete(callbacks->context, time, m->t - m->previous,
                                        settled == SETTLED_KNOWN ? &known : NULL, s->x);
    if (!s->whole || s->status != KN_OK || settled == UNSETTLED)
        return settled != UNSETTLED;
    memcpy(s->whole, s->x, (size_t)s->dae->n * sizeof *s->whole);
    s->whole_time = time;
    return true;
}

/* Solves at x, the method's point at that time, completes the solution and puts unknowns of the classes `which` into x.  Returns by
 * how many tolerances unknowns below index 2 have changed. */
double completion_make(struct between *s, struct integrator *m, double time, unsigned which, double *x)
{
    const enum dae_class *classes = s->dae->classes;
    const bool found = completion_find(s, m, time, x);
    for (int i = 0; i < s->dae->n; i++) {
        s->b[i] = s->status == KN_OK && (CLASS_BIT(classes[i]) & which) ? s->x[i] - x[i] : 0;
        x[i] += s->b[i];
    }
    return found ? tolerance_norms(&s->tolerance, classes, CLASSES_ALL & ~CLASS_BIT(DAE_INDEX2), NULL, s->b).inside
                 : INFINITY;
}

/* By how much it misjudges itself at first, and what is left of the largest misjudgement at the next completed end. */
static const double MISJUDGED_AT_FIRST = 10;
/* So many ends in a row may go without; the next one tells whether that is right still. */
enum { MOST_UNASKED = 7 };

/* Whether index-2 unknowns of the method's own at an end are as good as derivatives of constraints would make them; unsure: what the
 * method says of them there (struct integrator).  Formulas of charges that bend, as those of simple transistors do, let the method err by
 * ten times what it says, others by less than that. */
static bool stands(struct between *s, double unsure)
{
    return !s->callbacks->everywhere && unsure <= 1 && s->misjudged * unsure <= BETWEEN_TRUSTED &&
           s->unasked < MOST_UNASKED;
}

/* From x, the method's, and s->end, completed. */
static void learn_from_end(struct between *s, const struct integrator *m, double unsure, const double *x)
{
    if (!(unsure <= 1))
        return;
    for (int i = 0; i < s->dae->n; i++)
        s->b[i] = s->end[i] - x[i];
    const double missed = fmax(size_of_index2(s, m, s->b) - TOLERANCE_INVISIBLE, 0);
    s->misjudged = fmax(1, fmax(missed / unsure, TOLERANCE_LEFT_BY_LONG * s->misjudged));
}

/* s->end := x, an end of the step, completed. */
static void complete_end(struct between *s, struct integrator *m, double time, double unsure, const double *x)
{
    memcpy(s->end, x, (size_t)s->dae->n * sizeof *s->end);
    s->turned = false;
    s->slopes = false; /* index-2 unknowns come from the hidden constraints */
    if (isnan(s->ended)) {
        between_begin_tolerance(s, m);
        s->misjudged = MISJUDGED_AT_FIRST;
    }
    if (stands(s, unsure)) {
        s->unasked++;
    } else {
        completion_make(s, m, time, CLASSES_MEMORYLESS, s->end);
        learn_from_end(s, m, unsure, x);
        s->unasked = 0;
    }
    tolerance_update(&s->tolerance, s->end, time - (isnan(s->ended) ? m->previous : s->ended));
    s->ended = time;
}

/* s->completes := whether somebody looks at index-2 unknowns. */
static bool completes(struct between *s, const struct integrator *m)
{
    s->completes = s->callbacks->complete && between_watches(m, CLASS_BIT(DAE_INDEX2));
    return s->completes;
}

/* Once per step, where somebody looks at index-2 unknowns: s->end := the end of the step, completed. */
void completion_of_end(struct between *s, struct integrator *m)
{
    if (s->ended == m->t || !completes(s, m))
        return;
    double *begin = s->end;
    s->end = s->begin;
    s->begin = begin;
    s->begins = s->ended == m->previous && !s->turned;
    complete_end(s, m, m->t, m->unsure_slopes[0], m->x);
}

void completion_of_begin(struct between *s, struct integrator *m, const double *x)
{
    if (s->ended != m->previous && s->ended != m->t && completes(s, m))
        complete_end(s, m, m->previous, m->unsure_slopes[1], x);
}

const double *completion_end(const struct between *s, const struct integrator *m)
{
    return s->completes ? s->end : m->x;
}

/* What the correction of index-2 unknowns is at that part of the step, of unknown i. */
static double parabola(const struct between *s, double part, int i)
{
    const double by[] = {(1 - part) * (1 - 2 * part), 4 * part * (1 - part), part * (2 * part - 1)};
    return by[0] * s->correction[0][i] + by[1] * s->correction[1][i] + by[2] * s->correction[2][i];
}

/* s->correction of the begin and the end. */
static void lack_at_ends(struct between *s, struct integrator *m)
{
    const double *const complete[] = {s->begin, s->end};
    for (int end = 0; end < 2; end++) {
        m->class->interpolate(m, end ? m->t : m->previous, s->x, NULL);
        for (int i = 0; i < s->dae->n; i++)
            s->correction[2 * end][i] = complete[end][i] - s->x[i];
    }
}

/* Three points tell nothing of a current that jumps where the parabola through them happens to be (a diode that takes over from another
 * one).  Where the interpolant is known to be unsure, a fourth one is looked at.  s->branch, the begin of the step, lends its place. */
static bool misses_fourth(struct between *s, struct integrator *m)
{
    const double part = 0.75, time = m->previous + part * (m->t - m->previous);
    if (m->unsure <= BETWEEN_TRUSTED)
        return false;
    m->class->interpolate(m, time, s->branch, NULL);
    completion_make(s, m, time, CLASSES_MEMORYLESS, s->branch);
    for (int i = 0; i < s->dae->n; i++)
        s->b[i] -= parabola(s, part, i);
    m->class->interpolate(m, m->previous, s->branch, NULL);
    return !(size_of_index2(s, m, s->b) <= STRAIGHT);
}

/* Once per step: completes its middle, and finds from it whether the interpolant is good enough, and by how much it misses
 * index-2 unknowns at both ends and in the middle.  A parabola through these three is what index-2 unknowns inside the
 * step are corrected by; its error is taken for a part of what its middle is off the straight line through its ends. */
void completion_look_inside(struct between *s, struct integrator *m, double middle)
{
    double *const *e = s->correction, *bend = s->b;
    for (int i = 0; i < s->dae->n; i++)
        e[1][i] = -s->middle[i];
    const unsigned which = s->trusted ? CLASSES_MEMORYLESS : CLASSES_ALL;
    s->trusted = completion_make(s, m, middle, which, s->middle) <= BETWEEN_TRUSTED_IN_MIDDLE || s->trusted;
    lack_at_ends(s, m);
    for (int i = 0; i < s->dae->n; i++) {
        e[1][i] += s->middle[i];
        bend[i] = e[1][i] - 0.5 * (e[0][i] + e[2][i]);
    }
    double worst = 0;
    for (int k = s->begins ? 0 : 1; k < 3; k++)
        worst = fmax(worst, size_of_index2(s, m, e[k]));
    if (s->callbacks->everywhere)
        s->inside = INSIDE_COMPLETED;
    else if (worst <= BETWEEN_TRUSTED_IN_MIDDLE)
        s->inside = INSIDE_INTERPOLATED;
    else
        s->inside = s->begins && size_of_index2(s, m, bend) <= STRAIGHT ? INSIDE_CORRECTED : INSIDE_COMPLETED;
    if (s->inside != INSIDE_COMPLETED && misses_fourth(s, m))
        s->inside = INSIDE_COMPLETED;
}

/* Of a step that output does not resolve: what index-2 unknowns of the interpolant lack goes on a line between its ends.  Where that is
 * much, the interpolant has a kink behind it, and they themselves are on such a line. */
void completion_join_ends(struct between *s, struct integrator *m)
{
    double *const *e = s->correction;
    lack_at_ends(s, m);
    for (int i = 0; i < s->dae->n; i++)
        e[1][i] = 0.5 * (e[0][i] + e[2][i]);
    const double worst = fmax(size_of_index2(s, m, e[0]), size_of_index2(s, m, e[2]));
    s->inside = worst <= STRAIGHT ? INSIDE_CORRECTED : INSIDE_LINES;
}

/* Adds to index-2 unknowns of x at time inside the step what the interpolant lacks. */
void completion_correct(struct between *s, struct integrator *m, double time, double *x)
{
    if (s->inside != INSIDE_CORRECTED && s->inside != INSIDE_LINES)
        return;
    const double p = (time - m->previous) / (m->t - m->previous);
    for (int i = 0; i < s->dae->n; i++) {
        if (s->dae->classes[i] != DAE_INDEX2)
            continue;
        x[i] = s->inside == INSIDE_LINES ? (1 - p) * s->begin[i] + p * s->end[i] : x[i] + parabola(s, p, i);
    }
}
