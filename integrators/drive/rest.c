/* rest.c - switching functions that stand at zero, see events.h.
 *
 * v(in) > 0 where a pulse is back at 0 V, or limit(v(a), 0, 1) >= 1: a function that reaches zero and stays does not
 * cross it, and what it says there is what equal numbers do.  Where it does so within a step is found by halves, as it has no
 * root to aim at, and so is where it leaves.
 */
#include "integrators/drive/events_parts.h"

#include "integrators/bracket.h"

#include <math.h>
#include <string.h>

/* ---- at the begin of a step ---- */

static bool stands_at_zero(const struct events *e, int i)
{
    return !e->released[i] && e->side[i] == 0 && events_may_be_left(e, i) &&
           (events_rests(e, i) || events_are_equal(e, i, e->g_begin));
}

static bool any_at_zero(const struct events *e)
{
    for (int i = 0; i < e->dae->switch_count; i++)
        if (stands_at_zero(e, i))
            return true;
    return false;
}

/* What lies at an end of a step and not within it: so small a part of it, in which one that crosses zero goes further than its points
 * are solved, reltol^2 of its largest value, unless it hardly moves in the step. */
static const double AT_THE_END = 1e-3;

/* The functions that stand at zero where the step begins and are on a side at once, and in its middle, where they are in g_left:
 * they are held on the other one, as if they crossed zero there. */
static bool leave_zero(struct events *e)
{
    bool any = false;
    for (int i = 0; i < e->dae->switch_count; i++) {
        const bool later = events_rests(e, i) && (events_are_near(e, i, e->g) || events_are_near(e, i, e->g_left));
        const int side = later || events_are_equal(e, i, e->g_left) ? 0 : events_sign(e->g_left[i]);
        e->crossed[i] = stands_at_zero(e, i) && side != 0;
        if (e->crossed[i])
            events_hold(e, i, -side);
        any |= e->crossed[i];
    }
    return any;
}

/* The functions in the middle of the step, in g_left, and near its begin, in g.  Points are solved where a rest is at stake, which
 * the corners of a limit would end on polynomials. */
static void look_into(struct events *e, struct integrator *m)
{
    const double middle = 0.5 * (m->previous + m->t);
    m->class->interpolate(m, middle, e->x, NULL);
    e->dae->switches(e->dae->problem, middle, e->x, e->g_left);
    events_measure(e, middle, e->x, e->g_left);
    bool rested = false;
    for (int i = 0; i < e->dae->switch_count; i++)
        rested |= events_rests(e, i) && !events_are_near(e, i, e->g_left);
    if (!rested)
        return;
    events_evaluate(e, m, m->previous + AT_THE_END * (m->t - m->previous), e->g);
    events_evaluate(e, m, middle, e->g_left);
}

bool events_leave_zero(struct events *e, struct integrator *m, const double *x)
{
    bool jumps = false;
    if (!any_at_zero(e))
        return false;
    look_into(e, m);
    if (!leave_zero(e))
        return false;
    e->status = events_find_jump(e, m->previous, x, &jumps);
    for (int i = 0; i < e->dae->switch_count && !jumps; i++)
        if (e->crossed[i])
            events_hold(e, i, -e->side[i]);
    return jumps;
}

void events_stand(struct events *e, int i, double t)
{
    events_hold(e, i, 0);
    e->rested_at[i] = t;
    e->dae->hold(e->dae->problem, i, DAE_AT_ZERO);
}

void events_settle(struct events *e, double t)
{
    for (int i = 0; i < e->dae->switch_count; i++)
        if (stands_at_zero(e, i) && !events_rests(e, i))
            events_stand(e, i, t);
}

/* Stands at zero where it comes there, or turns. */
static bool may_rest(const struct events *e, int i)
{
    return e->side[i] != 0 && (events_may_be_left(e, i) || (e->armed[i] && events_at_zero(e, i) == DAE_REST_TURNS));
}

/* The side on which one that comes to zero is held. */
static signed char side_at_zero(const struct events *e, int i)
{
    return (signed char)(events_may_be_left(e, i) ? 0 : -e->side[i]);
}

/* Those that are about zero at the end of the step: on a side, or undecided. */
static bool mark_equal(struct events *e)
{
    bool any = false;
    for (int i = 0; i < e->dae->switch_count; i++) {
        e->counts[i] = e->side[i] != 0 ? may_rest(e, i) && events_are_equal(e, i, e->g) : events_is_undecided(e, i);
        any |= e->counts[i];
    }
    return any;
}

/* Those of them that are at zero all over the step: zero is where they rest.  One that has left it there does not come back. */
static bool mark_resting(struct events *e, double begin)
{
    bool any = false;
    for (int i = 0; i < e->dae->switch_count; i++) {
        e->resting[i] = e->counts[i] && events_are_near(e, i, e->g_begin) && events_are_equal(e, i, e->g_left) &&
                        e->rested_at[i] != begin;
        e->goes_to[i] = side_at_zero(e, i);
        any |= e->resting[i];
    }
    return any;
}

/* Those that come to rest, or leave it, are held where they go; and back. */
static void hold_changed(struct events *e, bool changed)
{
    for (int i = 0; i < e->dae->switch_count; i++) {
        const int side = changed ? e->goes_to[i] : e->side[i];
        if (e->resting[i])
            e->dae->hold(e->dae->problem, i, side == 0 ? DAE_AT_ZERO : side);
    }
}

static enum kn_status compare_changed(struct events *e, double t, const double *x, bool *jumps)
{
    const struct dae *dae = e->dae;
    struct dae_values before = {.f = e->f}, behind = {.f = e->f_across};
    enum kn_status status = dae->eval(dae->problem, t, x, DAE_F, &before);
    hold_changed(e, true);
    if (status == KN_OK)
        status = dae->eval(dae->problem, t, x, DAE_F, &behind);
    hold_changed(e, false);
    *jumps = false;
    for (int i = 0; i < dae->switch_count; i++) /* a state changes, whatever equations say of it now */
        *jumps |= e->resting[i] && !events_may_be_left(e, i);
    for (int k = 0; k < dae->n && status == KN_OK; k++)
        *jumps |= events_differ(e, k);
    return status;
}

void events_take_rest(struct events *e, double t)
{
    for (int i = 0; i < e->dae->switch_count; i++)
        if (e->resting[i] && e->goes_to[i] == 0)
            events_stand(e, i, t);
        else if (e->resting[i])
            events_hold(e, i, e->goes_to[i]);
}

bool events_rest(struct events *e, struct integrator *m, const double *x)
{
    bool jumps = false;
    if (e->watched == 0)
        return false;
    events_evaluate(e, m, m->t, e->g);
    e->end = m->t;
    events_measure(e, m->t, m->x, e->g);
    if (!mark_equal(e))
        return false;
    events_evaluate(e, m, 0.5 * (m->previous + m->t), e->g_left);
    if (e->status != KN_OK || !mark_resting(e, m->previous))
        return false;
    e->status = compare_changed(e, m->previous, x, &jumps);
    for (int i = 0; i < e->dae->switch_count; i++)
        jumps |= e->resting[i] && e->side[i] == 0; /* where it was at zero, the step has gone with what rounding said */
    events_take_rest(e, m->previous);
    return jumps;
}

/* ---- within a step ---- */

/* The side on which function i is in g, but for what is solved. */
static int side_of(const struct events *e, int i, const double *g)
{
    return events_are_near(e, i, g) ? 0 : events_sign(g[i]);
}

/* Whether i rests where it is g, at the end of a step and near it.  One that moves little in the step would be as near to zero on its
 * way across: it has to be there. */
static bool is_at_rest(const struct events *e, int i, const double *g)
{
    const bool moves =
        AT_THE_END * fabs(e->g_begin[i]) > fmax(fabs(e->g[i]), e->relative * e->relative * e->largest[i]);
    return moves ? events_are_near(e, i, g) : events_are_equal(e, i, g);
}

/* A function that was on its side where the step began and rests at its end, or that stood at zero there and does not. */
static bool changes(const struct events *e, int i)
{
    if (events_rests(e, i))
        return stands_at_zero(e, i) && side_of(e, i, e->g) != 0;
    return may_rest(e, i) && side_of(e, i, e->g_begin) == e->side[i] && is_at_rest(e, i, e->g);
}

/* Whether it has done so in g. */
static bool has_changed(const struct events *e, int i, const double *g)
{
    return side_of(e, i, g) == (e->side[i] != 0 ? 0 : e->goes_to[i]);
}

/* Of those that still count. */
static bool any_has_changed(const struct events *e, const double *g)
{
    for (int i = 0; i < e->dae->switch_count; i++)
        if (e->counts[i] && has_changed(e, i, g))
            return true;
    return false;
}

static bool mark_changed(struct events *e, const double *g)
{
    bool any = false;
    for (int i = 0; i < e->dae->switch_count; i++) {
        e->resting[i] = e->counts[i] && has_changed(e, i, g);
        any |= e->resting[i];
    }
    return any;
}

/* Between left, where none of those that count has changed, and right, where some have.  e->g is left as at right. */
static void halve(struct events *e, struct integrator *m, double *left, double *right)
{
    while (*right - *left > BRACKET_WIDTH * fabs(*right)) {
        const double t = 0.5 * (*left + *right);
        if (!(t > *left && t < *right))
            break;
        events_evaluate(e, m, t, e->g);
        *(any_has_changed(e, e->g) ? right : left) = t;
    }
    events_evaluate(e, m, *right, e->g);
}

static bool any_comes_to_rest(const struct events *e)
{
    for (int i = 0; i < e->dae->switch_count; i++)
        if (e->resting[i] && e->side[i] != 0)
            return true;
    return false;
}

/* The first that have changed by `right`, where the functions are in e->g: true where equations jump as they do.  Others do not
 * count any more. */
static bool find_first(struct events *e, struct integrator *m, double right, double *t, double *x)
{
    double left = m->previous;
    bool jumps;
    halve(e, m, &left, &right);
    mark_changed(e, e->g);
    *t = any_comes_to_rest(e) ? right : left;
    events_evaluate(e, m, *t, e->g);
    memcpy(x, *t >= m->t ? m->x : e->x, (size_t)e->dae->n * sizeof *x);
    const enum kn_status status = compare_changed(e, *t, x, &jumps);
    e->status = e->status == KN_OK ? status : e->status;
    for (int i = 0; i < e->dae->switch_count; i++)
        e->counts[i] = e->counts[i] && (jumps || !e->resting[i]);
    return jumps;
}

/* Those that have changed by `right`, where they are in e->g, and not at an end only: one that is at zero at the end alone may be
 * on its way beyond, and one that leaves at the begin does so there (events_leave_zero). */
static bool count_changed(struct events *e, struct integrator *m, double right)
{
    const double width = right - m->previous;
    bool any = false;
    for (int i = 0; i < e->dae->switch_count; i++) {
        any |= e->counts[i] = changes(e, i);
        e->goes_to[i] = (signed char)(e->side[i] != 0 ? side_at_zero(e, i) : side_of(e, i, e->g));
    }
    if (!any)
        return false;
    events_evaluate(e, m, right - AT_THE_END * width, e->g_left);
    events_evaluate(e, m, m->previous + AT_THE_END * width, e->g_right);
    any = false;
    for (int i = 0; i < e->dae->switch_count; i++) {
        const bool rests = e->side[i] == 0 || is_at_rest(e, i, e->g_left);
        e->counts[i] = e->counts[i] && rests && has_changed(e, i, e->g_left) && !has_changed(e, i, e->g_right);
        any |= e->counts[i];
    }
    return any;
}

bool events_find_rest(struct events *e, struct integrator *m, double right, double *t, double *x)
{
    const double middle = 0.5 * (m->previous + m->t), ends[] = {fmin(middle, right), right};
    const size_t bytes = (size_t)e->dae->switch_count * sizeof *e->g;
    bool found = false;
    memcpy(e->g_end, e->g, bytes);
    for (int k = 0; k < 2 && !found; k++) {
        memcpy(e->g, k == 0 ? e->g_middle : e->g_end, bytes);
        bool any = (k == 1 || middle < right) && count_changed(e, m, ends[k]);
        while (any && !found && e->status == KN_OK) {
            found = find_first(e, m, ends[k], t, x);
            memcpy(e->g, k == 0 ? e->g_middle : e->g_end, bytes);
            any = any_has_changed(e, e->g);
        }
    }
    memcpy(e->g, e->g_end, bytes);
    return found;
}
