/* events_parts.c - see events_parts.h. */
#include "integrators/drive/events_parts.h"

#include "base/rounding.h"

#include <math.h>

/* A step leaves two values that are equal ROUNDING_SOLVED of the larger one apart: rodasp 1.2e-14 of the value of a source
 * (tests/decks/conformance/ngspice/compared-with-a-rail.cir). */

bool events_are_equal(const struct events *e, int i, const double *g)
{
    return fabs(g[i]) <= ROUNDING_SOLVED * e->largest[i];
}

bool events_are_near(const struct events *e, int i, const double *g)
{
    return fabs(g[i]) <= fmax(ROUNDING_SOLVED, e->relative * e->relative) * e->largest[i];
}

int events_sign(double g)
{
    return g > 0 ? 1 : g < 0 ? -1 : 0; /* NaN: none */
}

void events_hold(struct events *e, int i, int side)
{
    e->side[i] = (signed char)side;
    e->armed[i] = e->begun[i] = false;
    e->fallen[i] = INFINITY;
    e->dae->hold(e->dae->problem, i, side);
}

void events_evaluate(struct events *e, struct integrator *m, double t, double *g)
{
    const bool is_known = t >= m->t && !e->solves;
    if (!is_known) {
        const enum kn_status status =
            e->solves ? integrator_solution(m, t, false, e->x) : integrator_point(m, t, e->x, NULL);
        e->status = e->status == KN_OK ? status : e->status;
    }
    e->dae->switches(e->dae->problem, t, is_known ? m->x : e->x, g);
}

bool events_rests(const struct events *e, int i)
{
    return e->side[i] == 0 && e->rested_at[i] > -INFINITY;
}

/* ---- how well functions are known ---- */

enum { ALL = -1 };

/* x with each unknown moved by its tolerance: upwards, or (bit) downwards where its number has that bit. */
static void move(const struct events *e, int bit, const double *x)
{
    for (int k = 0; k < e->dae->n; k++) {
        const double tolerance = e->relative * fabs(x[k]) + e->dae->absolute[k];
        e->moved[k] = x[k] + (bit != ALL && (k >> bit & 1) ? -tolerance : tolerance);
    }
}

/* Whose tolerance is asked: that of one function, or (ALL) those that have crossed and may rest. */
static bool is_tolerated(const struct events *e, int i, int one)
{
    return one == ALL ? e->crossed[i] && !e->rectifies[i] && events_may_be_left(e, i) : i == one;
}

/* Of any two unknowns one has a bit in its number that the other has not, so that a difference of two moves as their sum does. */
static void tolerate(struct events *e, int one, double t, const double *x)
{
    const struct dae *dae = e->dae;
    dae->switches(dae->problem, t, x, e->g_left);
    for (int bit = ALL; bit == ALL || (dae->n - 1) >> bit > 0; bit++) {
        move(e, bit, x);
        dae->switches(dae->problem, t, e->moved, e->g_right);
        for (int i = 0; i < dae->switch_count; i++)
            if (is_tolerated(e, i, one))
                e->tolerated[i] = fmax(e->tolerated[i], fabs(e->g_right[i] - e->g_left[i]));
    }
}

void events_tolerate(struct events *e, double t, const double *x)
{
    for (int i = 0; i < e->dae->switch_count; i++)
        e->tolerated[i] = e->crossed[i] ? 0 : e->tolerated[i];
    tolerate(e, ALL, t, x);
}

void events_tolerate_one(struct events *e, int i, double t, const double *x)
{
    e->tolerated[i] = 0;
    tolerate(e, i, t, x);
}

/* ---- whether equations jump ---- */

/* A switch whose side is no state, and that changes nothing but equations, is left free where these are continuous; but for rectifiers,
 * whose corners Newton's method cannot be trusted with. */
bool events_may_be_left(const struct events *e, int i)
{
    const struct dae *dae = e->dae;
    return !e->rectifies[i] && dae->switches_equations_only && (!dae->may_be_left || dae->may_be_left(dae->problem, i));
}

/* Holds a group of the crossed switches that may be left on their sides (1) or on the other ones (-1): all of them, or
 * those that have a bit set in their numbers. */
static void hold_group(struct events *e, int bit, int sign)
{
    for (int i = 0; i < e->dae->switch_count; i++)
        if (e->crossed[i] && (bit == ALL || (i >> bit & 1)) && events_may_be_left(e, i))
            e->dae->hold(e->dae->problem, i, sign * e->side[i]);
}

/* Whether equation k has another value on the other sides. */
bool events_differ(const struct events *e, int k)
{
    const double size = fmax(fabs(e->f[k]), fabs(e->f_across[k]));
    return !(fabs(e->f[k] - e->f_across[k]) <= ROUNDING_SAME * size + e->dae->equation_absolute[k]);
}

/* Whether an equation has another value when a group goes to the other sides at (t, x); on these sides it is e->f. */
static enum kn_status compare_sides(struct events *e, int bit, double t, const double *x, bool *jumps)
{
    const struct dae *dae = e->dae;
    struct dae_values across = {.f = e->f_across};
    hold_group(e, bit, -1);
    const enum kn_status status = dae->eval(dae->problem, t, x, DAE_F, &across);
    hold_group(e, bit, 1);
    for (int k = 0; k < dae->n && status == KN_OK; k++)
        *jumps |= events_differ(e, k);
    return status;
}

/* Whether an equation jumps when the crossed switches that may be left go to their other sides.  They are asked
 * together, since thousands may share a control; and in groups, since jumps that cancel each other are no continuity:
 * of any two switches one has a bit in its number that the other has not. */
enum kn_status events_find_jump(struct events *e, double t, const double *x, bool *jumps)
{
    int last = -1;
    for (int i = 0; i < e->dae->switch_count; i++)
        last = e->crossed[i] && events_may_be_left(e, i) ? i : last;
    *jumps = false;
    if (last < 0)
        return KN_OK;
    struct dae_values here = {.f = e->f};
    enum kn_status status = e->dae->eval(e->dae->problem, t, x, DAE_F, &here);
    for (int bit = ALL; status == KN_OK && !*jumps && (bit == ALL || last >> bit > 0); bit++)
        status = compare_sides(e, bit, t, x, jumps);
    return status;
}
