/* events_parts.c - see events_parts.h. */
#include "integrators/drive/events_parts.h"

#include "base/rounding.h"

#include <math.h>

/* A step leaves two values that are equal ROUNDING_SOLVED of the larger one apart: rodasp 1.2e-14 of the value of a source
 * (tests/decks/conformance/ngspice/compared-with-a-rail.cir). */

/* One that goes by its sign, as logic does, makes room for rounding itself. */
static bool goes_by_sign(const struct events *e, int i)
{
    return !events_may_be_left(e, i) && events_at_zero(e, i) == DAE_REST_BY_SIGN;
}

double events_doubt(const struct events *e, int i)
{
    return goes_by_sign(e, i) ? 0 : fmax(ROUNDING_SOLVED * e->largest[i], e->doubt[i]);
}

bool events_are_equal(const struct events *e, int i, const double *g)
{
    return fabs(g[i]) <= events_doubt(e, i);
}

bool events_are_near(const struct events *e, int i, const double *g)
{
    return fabs(g[i]) <= e->relative * e->relative * e->largest[i] || events_are_equal(e, i, g);
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

/* What comes to zero from its side where a step ends, with the wrong sign by rounding, has not crossed it: it is to come to rest there. */
static void arrive(const struct events *e, double *g)
{
    for (int i = 0; i < e->dae->switch_count; i++)
        if (e->side[i] != 0 && events_sign(g[i]) == -e->side[i] && events_may_be_left(e, i) &&
            events_are_equal(e, i, g))
            g[i] = 0;
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
    if (is_known)
        arrive(e, g);
}

enum dae_rest events_at_zero(const struct events *e, int i)
{
    return !e->rectifies[i] && e->dae->at_zero ? e->dae->at_zero(e->dae->problem, i) : DAE_REST_BY_SIGN;
}

bool events_rests(const struct events *e, int i)
{
    return e->side[i] == 0 && e->rested_at[i] > -INFINITY;
}

/* ---- how well functions are known ---- */

enum { ALL = -1 };

/* x with each unknown moved by its width: upwards, or (bit) downwards where its number has that bit. */
static void move(const struct events *e, int bit, const double *x)
{
    for (int k = 0; k < e->dae->n; k++)
        e->moved[k] = x[k] + (bit != ALL && (k >> bit & 1) ? -e->width[k] : e->width[k]);
}

/* Raises result [switch_count] of the functions that are asked for to what widths of unknowns make of them.  Of any two unknowns one has
 * a bit in its number that the other has not, so that a difference of two moves as their sum does. */
static void spread(struct events *e, double t, const double *x, double *result)
{
    const struct dae *dae = e->dae;
    double *const here = e->samples, *const moved = e->samples + dae->switch_count;
    dae->switches(dae->problem, t, x, here);
    for (int bit = ALL; bit == ALL || (dae->n - 1) >> bit > 0; bit++) {
        move(e, bit, x);
        dae->switches(dae->problem, t, e->moved, moved);
        for (int i = 0; i < dae->switch_count; i++)
            if (e->tolerates[i])
                result[i] = fmax(result[i], fabs(moved[i] - here[i]));
    }
}

static void take_tolerances(struct events *e, const double *x)
{
    for (int k = 0; k < e->dae->n; k++)
        e->width[k] = e->relative * fabs(x[k]) + e->dae->absolute[k];
}

void events_tolerate(struct events *e, double t, const double *x)
{
    for (int i = 0; i < e->dae->switch_count; i++) {
        e->tolerated[i] = e->crossed[i] ? 0 : e->tolerated[i];
        e->tolerates[i] = e->crossed[i] && !e->rectifies[i] && events_may_be_left(e, i);
    }
    take_tolerances(e, x);
    spread(e, t, x, e->tolerated);
}

void events_tolerate_one(struct events *e, int i, double t, const double *x)
{
    e->tolerated[i] = 0;
    for (int k = 0; k < e->dae->switch_count; k++)
        e->tolerates[k] = k == i;
    take_tolerances(e, x);
    spread(e, t, x, e->tolerated);
}

double events_rounding_at(const struct events *e, const double *x)
{
    double largest = 0;
    for (int k = 0; k < e->dae->n; k++)
        largest = fmax(largest, fabs(x[k]));
    return ROUNDING_SAME * largest;
}

static bool is_potential(const struct dae *dae, int k)
{
    return dae->potentials && dae->potentials[k];
}

/* What rounding leaves of unknowns: of their size, and where a run begins, perhaps where another one has left it, of sums with the largest
 * of their kind.  Later these would hide what has just begun to rise. */
static void take_roundings(struct events *e, const double *x)
{
    double largest[2] = {0, 0};
    for (int k = 0; k < e->dae->n; k++)
        largest[is_potential(e->dae, k)] = fmax(largest[is_potential(e->dae, k)], fabs(x[k]));
    for (int k = 0; k < e->dae->n; k++)
        e->width[k] = ROUNDING_SOLVED * fabs(x[k]) + (e->goes_on ? 0 : ROUNDING_SUM * largest[is_potential(e->dae, k)]);
}

/* One that is about zero where a run begins, and has been so since, tells nothing of the size of what it compares; how rounding of
 * unknowns moves it does. */
void events_measure(struct events *e, double t, const double *x, const double *g)
{
    const double rounding = events_rounding_at(e, x);
    bool any = false;
    for (int i = 0; i < e->dae->switch_count; i++) {
        e->tolerates[i] = g[i] != 0 && fabs(g[i]) <= rounding && e->largest[i] <= rounding && !goes_by_sign(e, i) &&
                          fabs(g[i]) > TOLERANCE_INVISIBLE * events_doubt(e, i);
        any |= e->tolerates[i];
    }
    if (!any)
        return;
    take_roundings(e, x);
    spread(e, t, x, e->doubt);
}

bool events_is_undecided(const struct events *e, int i)
{
    return e->side[i] == 0 && !e->released[i] && !events_rests(e, i) && events_may_be_left(e, i) && e->g[i] != 0 &&
           events_are_equal(e, i, e->g);
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
