/* between.c - see between.h.
 *
 * With the charges Q(t) that the method interpolates, x solves
 *     f(x, t) + Q'(t) + alpha (q(x, t) - Q(t)) = 0.
 * Combinations of equations without charge (w^T q = 0 for all x) are met exactly whatever alpha is; so are, but for
 * parts of alpha / rate, unknowns that a small charge makes nearly algebraic.  What the charges are off by is the
 * defect  f + Q'  over alpha: with alpha = ALPHA / step it is ALPHA times smaller than what a step of that defect adds
 * to them.  Index-2 unknowns are slopes of charges, in which q - Q appears times alpha: M^-1 alpha (q - Q), M the matrix
 * of Newton's method, takes that off again.  They also take over what Q' is off by, which jumps from step to step: at
 * both ends, where x is known, f + Q' tells, and a straight line between the two is taken off Q'.
 *
 * Where derivatives of constraints can be asked, these unknowns are what they say instead (completion.c).
 *
 * A multistep method's polynomial reaches back behind a step, past a kink there may be.  Where the slopes that it has at the ends
 * miss what is known there, and output shows no more of the step than these, straight lines are taken instead.
 */
#include "integrators/between_parts.h"
#include "integrators/methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of Newton's method, for points inside a step. */
enum { MOST_ITERATIONS = 40 };

void between_free(struct between *s)
{
    if (!s)
        return;
    newton_free(&s->newton);
    tolerance_free(&s->tolerance);
    tolerance_free(&s->ends);
    arena_free(s->memory);
}

static bool make_vectors(struct between *s)
{
    const size_t n = (size_t)s->dae->n;
    double **const vectors[] = {&s->b,
                                &s->q,
                                &s->rate,
                                &s->x,
                                &s->middle,
                                &s->branch,
                                &s->last,
                                &s->other,
                                &s->beside,
                                &s->begin,
                                &s->end,
                                &s->off[0],
                                &s->off[1],
                                &s->rates[0],
                                &s->rates[1],
                                &s->correction[0],
                                &s->correction[1],
                                &s->correction[2],
                                NULL};
    bool complete = arena_vectors(s->memory, n, vectors);
    for (int k = 0; k < BETWEEN_NEAR; k++)
        complete = arena_vectors(s->memory, n, (double **const[]){&s->near[k].missed, NULL}) && complete;
    if (dae_remembers(s->dae))
        complete =
            arena_vectors(s->memory, (2 * BETWEEN_HALVINGS + 1) * n, (double **const[]){&s->halves, NULL}) && complete;
    return complete;
}

static bool any_bends(const struct dae *dae)
{
    double bend[2] = {0};
    for (int i = 0; dae->rectifies && i < dae->switch_count; i++)
        if (dae->rectifies(dae->problem, i, bend) && bend[0] > 0)
            return true;
    return false;
}

enum kn_status between_new(const struct integrator *m, const struct run_callbacks *callbacks, struct between **out)
{
    const struct dae *dae = m->dae;
    struct arena *memory;
    struct between *s = arena_object(sizeof *s, &memory);
    *out = NULL;
    if (!s)
        return KN_ERROR_MEMORY;
    *s = (struct between){.memory = memory, .dae = dae, .callbacks = callbacks};
    s->bends = any_bends(dae);
    s->seen = s->ended = s->last_end = s->weighed_end = s->sloped[0] = s->sloped[1] = s->stepped = s->whole_time =
        s->off_end = s->lined = NAN;
    const struct newton_options newton = {m->relative, TOLERANCE_INVISIBLE, MOST_ITERATIONS, 0, true};
    enum kn_status status = newton_init(&s->newton, dae, &newton);
    if (status == KN_OK)
        status = tolerance_init(&s->tolerance, dae, m->relative);
    if (status == KN_OK)
        status = tolerance_init(&s->ends, dae, m->relative);
    if (status == KN_OK)
        status = make_vectors(s) ? KN_OK : KN_ERROR_MEMORY;
    if (status == KN_OK)
        *out = s;
    else
        between_free(s);
    return status;
}

double between_agreement(double relative)
{
    return TOLERANCE_INVISIBLE * relative;
}

/* By how much s->b [n], residuals of equations at s->x, would move what charges hold, in tolerances.  Where nothing switches, factors that
 * another point of the step has been solved with will do. */
static double moves(struct between *s, const struct integrator *m, double time)
{
    const bool solved = s->seen == m->t && s->near_count > 0 && !isnan(s->newton.alpha);
    const bool known = s->newton.have_jacobian || (solved && s->dae->switch_count == 0);
    if (!known && !newton_linearize(&s->newton, time, s->x, between_alpha(m)))
        return INFINITY;
    newton_back_solve(&s->newton, s->b);
    return tolerance_norm(&s->tolerance, s->dae->classes, CLASS_BIT(DAE_DIFFERENTIAL), s->b, NULL);
}

/* What Newton's method has left of equations without charge is not handed on from an end of the step to points inside, but where it would
 * move what charges hold: 16 uA that were left at a node without capacitance, between a coil and 2 pF, moved these by 15 mV. */
static void take_off_left(struct between *s, const struct integrator *m, double time, double *off)
{
    for (int i = 0; i < s->dae->n; i++)
        s->b[i] = s->rate[i] == 0 ? off[i] : 0;
    const bool handed_on = moves(s, m, time) > 1;
    for (int i = 0; i < s->dae->n && !handed_on; i++)
        off[i] = s->rate[i] == 0 ? 0 : off[i];
}

/* off := f + dq/dt at one end of the step, where x is known: 0 if the slope of the method's charges were exact there.  At the end of a
 * step that a switch has cut, the interpolant is not x. */
static void look_at_end(struct between *s, struct integrator *m, double time, double *off)
{
    const struct dae *dae = s->dae;
    struct dae_values out = {.f = off};
    if (time == m->t)
        memcpy(s->x, m->x, (size_t)dae->n * sizeof *s->x);
    else
        m->class->interpolate(m, time, s->x, NULL);
    m->class->charges(m, time, s->q, s->rate);
    s->newton.statistics.evaluations++;
    s->status = dae->eval(dae->problem, time, s->x, DAE_F, &out);
    for (int i = 0; i < dae->n; i++)
        off[i] += s->rate[i];
    if (s->status == KN_OK)
        take_off_left(s, m, time, off);
}

static void look_at_ends(struct between *s, struct integrator *m)
{
    if (s->off_end == m->t)
        return;
    if (s->status == KN_OK)
        look_at_end(s, m, m->previous, s->off[0]);
    if (s->status == KN_OK)
        look_at_end(s, m, m->t, s->off[1]);
    s->off_end = s->status == KN_OK ? m->t : NAN;
}

static void look_at_slopes(struct between *s, struct integrator *m)
{
    s->slopes = between_watches(m, CLASS_BIT(DAE_INDEX2));
    if (s->slopes)
        look_at_ends(s, m);
}

/* q and rate := those at x [n] in the step, and of the line between its ends. */
static void charges_by_line(struct between *s, struct integrator *m, double time, const double *x)
{
    const struct dae *dae = s->dae;
    struct dae_values values = {.q = s->rate};
    m->class->interpolate(m, m->previous, s->x, NULL);
    enum kn_status status = dae->eval(dae->problem, m->previous, s->x, DAE_Q, &values);
    values.q = s->q;
    if (status == KN_OK)
        status = dae->eval(dae->problem, m->t, m->x, DAE_Q, &values);
    for (int i = 0; i < dae->n; i++)
        s->rate[i] = (s->q[i] - s->rate[i]) / (m->t - m->previous);
    if (status == KN_OK)
        status = dae->eval(dae->problem, time, x, DAE_Q, &values);
    s->newton.statistics.evaluations += 3;
    s->status = s->status == KN_OK ? status : s->status;
}

/* Improves x, the interpolant at time; what that changes, in tolerances. */
static double improve(struct between *s, struct integrator *m, double time, double *x)
{
    const enum dae_class *classes = s->dae->classes;
    const bool known = m->class->charges && m->class->charges(m, time, NULL, NULL);
    if (!known && !s->exact)
        return 0;
    if (known && time != 0.5 * (m->previous + m->t) && !s->leaps)
        look_at_ends(s, m);
    if (known)
        m->class->charges(m, time, s->q, s->rate);
    else
        charges_by_line(s, m, time, x);
    if (!between_solve_at(s, m, time, x, s->exact ? BETWEEN_CORNERS : 1))
        return INFINITY;
    for (int i = 0; i < s->dae->n; i++) {
        const bool kept = classes && classes[i] == DAE_INDEX2 && !s->slopes && !s->exact;
        s->b[i] = kept ? 0 : s->x[i] - x[i];
        x[i] += s->b[i];
    }
    /* Completing a point takes all unknowns, also those that nobody looks at. */
    const bool *watched = s->completes ? NULL : m->watched;
    return tolerance_norms(&s->tolerance, classes, CLASSES_ALL, watched, s->b).inside;
}

/* Where a step leads an unknown without memory far, what an interpolant misses may change its sign in the middle, because a law
 * saturates in one half; that is seen in both. */
static bool misses_beside_middle(struct between *s, struct integrator *m)
{
    const double time = m->previous + 0.75 * (m->t - m->previous);
    if (!branches_differ(s, m->x, s->branch))
        return false;
    m->class->interpolate(m, time, s->branch, NULL);
    return !(improve(s, m, time, s->branch) <= BETWEEN_TRUSTED);
}

/* Largest entry of e [n] of unknowns that are read off the others, in tolerances. */
static double size_of_read_off(const struct between *s, const struct integrator *m, const double *e)
{
    const unsigned read_off = CLASSES_MEMORYLESS & ~CLASS_BIT(DAE_INDEX2);
    return tolerance_norms(&s->tolerance, s->dae->classes, read_off, m->watched, e).inside;
}

/* By how much the slopes of the method's charges at the ends of the step miss unknowns there, in tolerances. */
static double missed_at_ends(struct between *s, struct integrator *m)
{
    double missed = 0;
    look_at_ends(s, m);
    for (int k = 0; k < 2 && s->status == KN_OK; k++) {
        memcpy(s->b, s->off[k], (size_t)s->dae->n * sizeof *s->b);
        newton_back_solve(&s->newton, s->b);
        missed = fmax(missed, size_of_read_off(s, m, s->b));
    }
    return missed;
}

/* x := straight line through the ends of the step.  Charges of a junction that turns over within it swing as its current does, and so
 * do voltages that small ones of them hold. */
static void draw_line(struct between *s, struct integrator *m, double time, double *x)
{
    const enum dae_class *classes = s->dae->classes;
    const double part = (time - m->previous) / (m->t - m->previous);
    m->class->interpolate(m, m->previous, s->x, NULL);
    for (int i = 0; i < s->dae->n; i++)
        if (classes[i] != DAE_INDEX2)
            x[i] = (1 - part) * s->x[i] + part * m->x[i];
}

/* How far the middle of the step is off the line through its ends. */
static double missed_by_line(struct between *s, struct integrator *m)
{
    m->class->interpolate(m, m->previous, s->x, NULL);
    for (int i = 0; i < s->dae->n; i++)
        s->b[i] = s->middle[i] - 0.5 * (s->x[i] + m->x[i]);
    return size_of_read_off(s, m, s->b);
}

/* Whether the polynomial swings in a step of which output shows the ends only: through the past it does behind a kink, and currents of
 * charges with it.  Of smooth waveforms its slopes miss less than a tolerance, since errors of steps are much smaller.  That of a
 * one-step method, which may have a whole period within the step, swings where it misses an end by more than the line would the middle. */
static bool swings(struct between *s, struct integrator *m)
{
    if (!m->hidden || !s->dae->classes || s->status != KN_OK)
        return false;
    const double missed = missed_at_ends(s, m);
    return missed > 1 && (m->blind || missed > missed_by_line(s, m));
}

/* Once per step, where it matters: a middle that obeys the equations and is on the line stays there either way, and to ask takes a Jacobian
 * and its factors. */
static void decide_swing(struct between *s, struct integrator *m)
{
    s->straight = s->straight || (s->undecided && swings(s, m));
    s->undecided = false;
}

/* Whether a glance at points of the step does without asking derivatives of constraints between its ends. */
static bool may_glance(const struct between *s, const struct integrator *m)
{
    return s->completes && m->blind && s->begins && !s->callbacks->everywhere;
}

static void look_at_middle(struct between *s, struct integrator *m, double middle)
{
    m->class->interpolate(m, middle, s->middle, NULL);
    if (s->completes && !s->glances) {
        completion_look_inside(s, m, middle);
        return;
    }
    s->trusted = s->trusted || improve(s, m, middle, s->middle) <= BETWEEN_TRUSTED_IN_MIDDLE;
    if (s->completes)
        completion_join_ends(s, m);
    completion_correct(s, m, middle, s->middle);
}

/* Once per step: whether the interpolant is good enough in it, which its middle tells.  The estimate of a method is one
 * of smooth functions, which unknowns with memory are.  A point that another has led back to where it was, or three on a
 * line through a wave, tell nothing of the others. */
static void look_at_step(struct between *s, struct integrator *m, bool glance)
{
    if (s->seen == m->t)
        return;
    completion_of_end(s, m);
    s->glances = glance && may_glance(s, m);
    if (!s->completes && isnan(s->seen))
        between_begin_tolerance(s, m);
    if (!s->completes)
        tolerance_update(&s->tolerance, m->x, m->t - (isnan(s->seen) ? m->previous : s->seen));
    s->seen = m->t;
    s->near_count = 0;
    s->trusted = !m->class->charges ||
                 (m->unsure <= BETWEEN_TRUSTED && !between_watches(m, CLASSES_MEMORYLESS & ~CLASS_BIT(DAE_INDEX2)));
    s->inside = INSIDE_INTERPOLATED;
    s->leaps = s->straight = s->undecided = false;
    if ((s->trusted && !s->completes) || s->status != KN_OK)
        return;
    const double middle = 0.5 * (m->previous + m->t);
    if (!s->trusted && !m->class->charges(m, middle, NULL, NULL)) { /* a jump: the line between its ends */
        s->trusted = true;
        if (!s->completes)
            return;
    }
    if (!s->completes)
        look_at_slopes(s, m);
    m->class->interpolate(m, m->previous, s->branch, NULL);
    branches_weigh(s, m, s->branch);
    look_at_middle(s, m, middle);
    const bool whole = s->completes && !s->glances;
    if (s->trusted && !whole && s->status == KN_OK)
        s->trusted = !misses_beside_middle(s, m);
    s->undecided = !s->trusted && !whole;
    if (s->undecided && missed_by_line(s, m) > BETWEEN_TRUSTED)
        decide_swing(s, m);
    m->class->interpolate(m, middle, s->x, NULL);
    if (s->straight || s->trusted || !branches_differ(s, s->middle, s->x))
        return;
    decide_swing(s, m);
    if (s->straight)
        return;
    branches_look(s, m);
    if (s->leaps)
        look_at_middle(s, m, middle);
}

/* How well a point within the step is to be known. */
enum looked { LOOK_WHOLE, LOOK_GLANCE, LOOK_ABOUT };

/* Improves x [n], the interpolant of m at time within its last step; it stays what it is where the equations cannot be
 * solved from there.  A status of the equations is returned. */
static enum kn_status between_solve(struct between *s, struct integrator *m, double time, enum looked how, double *x)
{
    s->status = KN_OK;
    look_at_step(s, m, how != LOOK_WHOLE);
    if (s->status == KN_OK && s->glances && how == LOOK_WHOLE) {
        completion_make(s, m, time, s->trusted ? CLASSES_MEMORYLESS : CLASSES_ALL, x);
        return s->status;
    }
    if (s->status != KN_OK || (s->trusted && (s->inside == INSIDE_INTERPOLATED || how == LOOK_ABOUT)))
        return s->status;
    if (time != 0.5 * (m->previous + m->t))
        decide_swing(s, m);
    if (s->straight) {
        draw_line(s, m, time, x);
        completion_correct(s, m, time, x);
        return s->status;
    }
    if (time == 0.5 * (m->previous + m->t)) {
        memcpy(x, s->middle, (size_t)s->dae->n * sizeof *x);
        return s->status;
    }
    if (s->inside == INSIDE_COMPLETED) {
        completion_make(s, m, time, s->trusted ? CLASSES_MEMORYLESS : CLASSES_ALL, x);
        return s->status;
    }
    if (!s->trusted)
        improve(s, m, time, x);
    completion_correct(s, m, time, x);
    return s->status;
}

/* Delays put polynomials through points.  That of a one-step method, of a degree about the order, takes as many points to
 * hand on as its order is, or what it has within a step is lost between the ends; that of a multistep method goes through the ends
 * of its steps anyway. */
static bool is_coarse(const struct integrator *m, int halvings)
{
    return m->one_step && (2 << halvings) < m->order - 1;
}

/* Halves the piece [from, to] of the step as long as what the interpolant misses, `left` and `right` [n] at its ends,
 * bends by more than the tolerance within it, or points are too few, and hands them to the delays in the order of time. */
static enum kn_status remember_piece(struct between *s, struct integrator *m, double from, const double *left,
                                     double to, const double *right, int halvings)
{
    const struct dae *dae = s->dae;
    const bool known = between_knows_remembered(m);
    const size_t n = (size_t)dae->n;
    double *x = s->halves + (size_t)(2 * halvings + 1) * n, *missed = x + n, *bend = s->b;
    const double middle = 0.5 * (from + to);
    m->class->interpolate(m, middle, missed, NULL);
    memcpy(x, missed, n * sizeof *x);
    enum kn_status status = known ? KN_OK : between_solve(s, m, middle, LOOK_WHOLE, x);
    for (size_t i = 0; i < n; i++) {
        missed[i] = x[i] - missed[i];
        bend[i] = missed[i] - 0.5 * (left[i] + right[i]);
    }
    const unsigned lasting = CLASSES_ALL & ~CLASS_BIT(DAE_INDEX2);
    const bool bends =
        !known && tolerance_norms(&s->tolerance, dae->classes, lasting, dae->remembered, bend).inside > BETWEEN_TRUSTED;
    const bool halve = (bends || is_coarse(m, halvings)) && halvings + 1 < BETWEEN_HALVINGS;
    if (status == KN_OK && halve)
        status = remember_piece(s, m, from, left, middle, missed, halvings + 1);
    if (status == KN_OK)
        status = dae->accept(dae->problem, middle, x, m->order, DAE_INSIDE_STEP);
    if (status == KN_OK && halve)
        status = remember_piece(s, m, middle, missed, to, right, halvings + 1);
    return status;
}

static enum kn_status remember_step(struct between *s, struct integrator *m)
{
    s->status = KN_OK;
    const bool known = between_knows_remembered(m);
    if (!known)
        look_at_step(s, m, false);
    if (s->status != KN_OK || ((known || s->trusted) && !is_coarse(m, 0)))
        return s->status;
    return remember_piece(s, m, m->previous, s->halves, m->t, s->halves, 0);
}

enum kn_status between_remember(struct integrator *m)
{
    struct between *s = m->between;
    return s && s->halves && m->t > m->previous ? remember_step(s, m) : KN_OK;
}

void between_restart(struct between *s)
{
    s->turned = true;
    s->sloped[0] = s->sloped[1] = s->stepped = s->whole_time = s->lined = NAN;
}

long between_unsolved(const struct between *s, double *first)
{
    *first = s->first_unsolved;
    return s->unsolved;
}

void between_statistics(const struct between *s, struct integrator_statistics *statistics)
{
    newton_add_statistics(&s->newton, statistics);
}

static enum kn_status point(struct integrator *m, double time, enum looked how, double *x, double *dxdt)
{
    struct between *s = m->between;
    m->class->interpolate(m, time, x, dxdt);
    if (s && time > m->previous && time < m->t) {
        const bool about = how == LOOK_ABOUT || (how == LOOK_GLANCE && m->blind);
        const enum kn_status status = between_solve(s, m, time, how, x);
        return status == KN_OK && dxdt ? slopes_inside(s, m, time, about, x, dxdt) : status;
    }
    if (!s || time != m->t)
        return KN_OK;
    const double *end;
    const enum kn_status status = integrator_end(m, &end);
    memcpy(x, end, (size_t)m->dae->n * sizeof *x);
    return status == KN_OK && dxdt ? slopes_at_end(s, m, time, x, dxdt) : status;
}

enum kn_status integrator_point(struct integrator *m, double time, double *x, double *dxdt)
{
    return point(m, time, LOOK_WHOLE, x, dxdt);
}

enum kn_status integrator_solution(struct integrator *m, double time, bool row, double *x)
{
    struct between *s = m->between;
    m->class->interpolate(m, time, x, NULL);
    if (!s || !(time > m->previous))
        return KN_OK;
    s->status = KN_OK;
    look_at_step(s, m, false);
    s->exact = s->status == KN_OK;
    s->freed = row;
    if (s->exact)
        improve(s, m, time, x);
    s->exact = false;
    return s->status;
}

enum kn_status integrator_glance(struct integrator *m, double time, bool about, double *x, double *dxdt)
{
    return point(m, time, about && dxdt && !m->blind ? LOOK_ABOUT : LOOK_GLANCE, x, dxdt);
}

enum kn_status integrator_end(struct integrator *m, const double **x)
{
    struct between *s = m->between;
    *x = m->x;
    if (!s || !s->callbacks->complete || !(m->t > m->previous)) /* where it starts, x is consistent */
        return KN_OK;
    s->status = KN_OK;
    completion_of_end(s, m);
    *x = completion_end(s, m);
    return s->status;
}

enum kn_status integrator_begin(struct integrator *m, const double *end, const double **x)
{
    struct between *s = m->between;
    *x = end;
    if (!s || !s->callbacks->complete)
        return KN_OK;
    s->status = KN_OK;
    completion_of_begin(s, m, end);
    if (s->completes && s->ended == m->previous)
        *x = s->end;
    return s->status;
}

enum kn_status integrator_slopes(struct integrator *m, double time, double *x, double *dxdt)
{
    struct between *s = m->between;
    m->class->interpolate(m, time, s ? s->x : x, dxdt);
    return s ? slopes_at_end(s, m, time, x, dxdt) : KN_OK;
}
