/* events.c - see events.h.
 *
 * Where a function changes by as much as is left of it, from end to end of a step or to its middle, the step is looked
 * at in a few points, lest one that crosses zero twice be missed.  The first root of all functions is bracketed
 * (first_root), and the end beyond it is taken: there the function has its new sign, unless the point, made consistent,
 * falls back by the error of the dense output. So a function of the wrong sign counts only after it has been on its
 * side at the end of a step, or when it is larger than reltol times the largest value that it has had.  That of a diode is
 * thousandths of a volt while it conducts, and was hundreds of volts while it blocked: one that rectifies counts as well where it
 * was on its side behind the event, or goes on from where it fell back to.  Of a comparator that holds its own threshold reltol is
 * the hysteresis, without which it would switch without end.
 *
 * Whatever the number of functions, an event costs some ten points, and what follows one evaluation or a few.
 */
#include "integrators/drive/events.h"

#include "base/time_resolution.h"
#include "integrators/bracket.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 6, MOST_ROUNDS = 100 };
/* Of the step, where functions are looked at. */
static const double PLACES[SAMPLES + 1] = {0, 1.0 / 16, 1.0 / 4, 1.0 / 2, 3.0 / 4, 15.0 / 16, 1};
/* A switch that turns back MOST_HURRIED times in a row, each time within AT_ONCE of the present time or AT_ONCE_OF_RUN of the
 * run, would do so without end. */
static const double AT_ONCE = 1e-10, AT_ONCE_OF_RUN = 1e-9;
enum { MOST_HURRIED = 12 };
/* An equation is continuous at a switch if its values on both sides differ by no more than this part. */
static const double SAME = 1e-6;

enum kn_status events_init(struct events *e, const struct dae *dae, double relative, double span)
{
    *e = (struct events){.dae = dae, .relative = relative, .span = span, .watched = dae->switch_count, .end = NAN};
    const size_t count = (size_t)dae->switch_count;
    if (count == 0)
        return KN_OK;
    e->side = calloc(count, sizeof *e->side);
    e->released = calloc(count, sizeof *e->released);
    e->armed = calloc(count, sizeof *e->armed);
    e->begun = calloc(count, sizeof *e->begun);
    e->rectifies = calloc(count, sizeof *e->rectifies);
    e->fallen = calloc(count, sizeof *e->fallen);
    e->crossed = calloc(count, sizeof *e->crossed);
    e->hurried = calloc(count, sizeof *e->hurried);
    e->switched_at = calloc(count, sizeof *e->switched_at);
    e->rested_at = calloc(count, sizeof *e->rested_at);
    e->g = calloc(count, sizeof *e->g);
    e->samples = calloc(count * (SAMPLES + 1), sizeof *e->samples);
    e->g_begin = calloc(count, sizeof *e->g_begin);
    e->g_left = calloc(count, sizeof *e->g_left);
    e->g_right = calloc(count, sizeof *e->g_right);
    e->largest = calloc(count, sizeof *e->largest);
    double **const vectors[] = {&e->x, &e->f, &e->f_across};
    bool complete = true;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        complete = (*vectors[i] = calloc((size_t)dae->n, sizeof(double))) != NULL && complete;
    for (int i = 0; i < dae->switch_count; i++)
        dae->hold(dae->problem, i, 0);
    for (int i = 0; e->rested_at && i < dae->switch_count; i++)
        e->rested_at[i] = -INFINITY;
    for (int i = 0; dae->rectifies && e->rectifies && i < dae->switch_count; i++)
        e->rectifies[i] = dae->rectifies(dae->problem, i);
    const bool flags = e->side && e->released && e->armed && e->begun && e->rectifies && e->fallen && e->crossed &&
                       e->hurried && e->switched_at && e->rested_at;
    const bool values = e->g && e->samples && e->g_begin && e->g_left && e->g_right && e->largest && complete;
    return flags && values ? KN_OK : KN_ERROR_MEMORY;
}

void events_free(struct events *e)
{
    void *const all[] = {e->side,    e->released,    e->armed,   e->begun,     e->rectifies, e->fallen,  e->crossed,
                         e->hurried, e->switched_at, e->g,       e->g_left,    e->g_right,   e->largest, e->x,
                         e->f,       e->f_across,    e->g_begin, e->rested_at, e->samples};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    memset(e, 0, sizeof *e);
}

/* A step leaves two values that are equal so far apart, as a part of the larger one: rodasp 1.2e-14 of the value of a source
 * (tests/decks/conformance/ngspice/compared-with-a-rail.cir), of which a thousandfold is taken. */
static const double EQUAL = 1e-11;

static bool is_rounding(const struct events *e, int i, const double *g)
{
    return fabs(g[i]) <= EQUAL * e->largest[i];
}

static int sign_of(double g)
{
    return g > 0 ? 1 : g < 0 ? -1 : 0; /* NaN: none */
}

static void hold(struct events *e, int i, int side)
{
    e->side[i] = (signed char)side;
    e->armed[i] = e->begun[i] = false;
    e->fallen[i] = INFINITY;
    e->dae->hold(e->dae->problem, i, side);
}

/* Whether a function of the wrong sign was on its side where the run has begun anew, or is beyond twice what it has fallen back to and
 * reltol^2 of its largest value, to which points between steps are solved. */
static bool goes_on(const struct events *e, int i, const double *g)
{
    return e->begun[i] || fabs(g[i]) > 2 * e->fallen[i] + e->relative * e->relative * e->largest[i];
}

/* A function at zero stays where it is. */
static bool is_zero(const struct events *e, int i, const double *g)
{
    return fabs(g[i]) <= e->relative * e->largest[i];
}

bool events_hold_sides(struct events *e, double t, const double *x)
{
    bool turned = false;
    if (e->watched == 0)
        return false;
    e->dae->switches(e->dae->problem, t, x, e->g);
    memcpy(e->g_begin, e->g, (size_t)e->dae->switch_count * sizeof *e->g);
    for (int i = 0; i < e->dae->switch_count; i++) {
        const int side = sign_of(e->g[i]);
        if (!e->released[i] && side != e->side[i] && !is_zero(e, i, e->g)) {
            turned |= side != 0 && e->side[i] != 0;
            hold(e, i, side);
        }
        e->fallen[i] = fabs(e->g[i]);
        e->begun[i] = side != 0 && side == e->side[i];
    }
    return turned;
}

/* ---- where ---- */

static void evaluate(struct events *e, struct integrator *m, double t, double *g)
{
    const double *x = e->x;
    if (t >= m->t) {
        x = m->x;
    } else {
        const enum kn_status status = integrator_point(m, t, e->x, NULL);
        e->status = e->status == KN_OK ? status : e->status;
    }
    e->dae->switches(e->dae->problem, t, x, g);
}

static bool has_left(const struct events *e, int i, const double *g)
{
    return e->side[i] != 0 && sign_of(g[i]) == -e->side[i] &&
           (e->armed[i] || !is_zero(e, i, g) || (e->rectifies[i] && goes_on(e, i, g)));
}

static bool any_has_left(const struct events *e, const double *g)
{
    for (int i = 0; i < e->dae->switch_count; i++)
        if (has_left(e, i, g))
            return true;
    return false;
}

static void look_at(struct events *e)
{
    for (int i = 0; i < e->dae->switch_count; i++) {
        e->largest[i] = fmax(e->largest[i], fabs(e->g[i])); /* NaN does not count */
        e->armed[i] = e->armed[i] || sign_of(e->g[i]) == e->side[i];
    }
}

/* Functions that begin to matter, or have stood at zero, are held from now on. */
static void take_up(struct events *e)
{
    for (int i = 0; i < e->dae->switch_count; i++)
        if (!e->released[i] && e->side[i] == 0 && sign_of(e->g[i]) != 0 && !is_rounding(e, i, e->g))
            hold(e, i, sign_of(e->g[i]));
}

/* The functions that have left their sides at the point in g. */
static void mark_crossed(struct events *e)
{
    for (int i = 0; i < e->dae->switch_count; i++)
        e->crossed[i] = has_left(e, i, e->g);
}

/* A part of the step at whose left end no function has left its side, and at whose right end the crossed ones have. */
struct part {
    double left, right;               /* s */
    double weight_left, weight_right; /* of the values there in the false position */
    int moved;                        /* which end was moved last: 1 right, -1 left */
};

/* Where the first of the crossed functions has its root by false position. */
static double guess_root(const struct events *e, const struct part *p)
{
    const double width = p->right - p->left;
    double first = NAN;
    for (int i = 0; i < e->dae->switch_count; i++) {
        const double left = p->weight_left * e->g_left[i], right = p->weight_right * e->g_right[i];
        if (e->crossed[i])
            first = fmin(first, p->right - right * width / (right - left)); /* NaN does not count */
    }
    return bracket_inside(first, p->left, p->right);
}

static void swap(double **a, double **b)
{
    double *const kept = *a;
    *a = *b;
    *b = kept;
}

/* Moves an end to t, where the functions are g.  An end that stays a second time counts half, lest the other one crawl
 * (the Illinois variant of false position: M. Dowell, P. Jarratt, BIT 11, 1971). */
static void narrow(struct events *e, struct part *p, double t)
{
    if (any_has_left(e, e->g)) {
        mark_crossed(e);
        swap(&e->g, &e->g_right);
        p->right = t;
        p->weight_right = 1;
        p->weight_left *= p->moved == 1 ? 0.5 : 1;
        p->moved = 1;
    } else {
        swap(&e->g, &e->g_left);
        p->left = t;
        p->weight_left = 1;
        p->weight_right *= p->moved == -1 ? 0.5 : 1;
        p->moved = -1;
    }
}

/* Whether a function that has left its side stood at zero where the part begins. */
static bool begins_at_root(const struct events *e)
{
    for (int i = 0; i < e->dae->switch_count; i++)
        if (e->crossed[i] && sign_of(e->g_left[i]) != e->side[i])
            return true;
    return false;
}

/* The first point in (left, right] where a side is left, given the functions at both in g_left and g. */
static double first_root(struct events *e, struct integrator *m, double left, double right)
{
    struct part p = {left, right, 1, 1, 0};
    mark_crossed(e);
    swap(&e->g, &e->g_right);
    if (begins_at_root(e))
        return left;
    for (int round = 0; round < MOST_ROUNDS && p.right - p.left > BRACKET_WIDTH * fabs(p.right); round++) {
        const double t = guess_root(e, &p);
        if (!(t > p.left && t < p.right))
            return p.right;
        evaluate(e, m, t, e->g);
        narrow(e, &p, t);
    }
    return p.right;
}

/* Whether a function may have crossed zero in the step, at whose end it is g and in whose middle g_left: it has left
 * its side, or it changes by as much as is left of it. */
static bool may_have_crossed(const struct events *e)
{
    for (int i = 0; i < e->dae->switch_count; i++) {
        const double begin = e->g_begin[i], middle = isnan(e->g_left[i]) ? begin : e->g_left[i], end = e->g[i];
        const double least = fmin(fabs(begin), fmin(fabs(middle), fabs(end)));
        const double change = fmax(begin, fmax(middle, end)) - fmin(begin, fmin(middle, end));
        if (e->side[i] != 0 && (has_left(e, i, e->g) || change >= least))
            return true;
    }
    return false;
}

static double place_of(const struct integrator *m, int sample)
{
    return sample == SAMPLES ? m->t : m->previous + (m->t - m->previous) * PLACES[sample];
}

/* Function i at a sample, as far as it is from zero on its side. */
static double distance(const struct events *e, int i, int sample)
{
    return e->side[i] * e->samples[sample * e->dae->switch_count + i];
}

/* Where between a sample and the next one function i may be beyond zero, though it is not at them: where the lines through it and the
 * sample before, and through the next and the one behind, meet beyond zero, as those of abs(x) - 0.1.  NaN: nowhere. */
static double dip(const struct events *e, int i, int sample)
{
    const double *t = PLACES + sample, fall = (distance(e, i, sample) - distance(e, i, sample - 1)) / (t[0] - t[-1]),
                 rise = (distance(e, i, sample + 2) - distance(e, i, sample + 1)) / (t[2] - t[1]);
    const double here = distance(e, i, sample), next = distance(e, i, sample + 1);
    const double way = (next - rise * (t[1] - t[0]) - here) / (fall - rise);
    return e->side[i] != 0 && way > 0 && way < t[1] - t[0] && here + fall * way < 0 ? t[0] + way : NAN;
}

/* Looks into the dips between the samples, all of which are on their sides. */
static bool find_dip(struct events *e, struct integrator *m, double *left, double *right)
{
    const int count = e->dae->switch_count;
    for (int sample = 1; sample < SAMPLES - 1; sample++)
        for (int i = 0; i < count; i++) {
            const double place = dip(e, i, sample);
            if (isnan(place))
                continue;
            *left = place_of(m, sample);
            *right = m->previous + (m->t - m->previous) * place;
            evaluate(e, m, *right, e->g);
            if (any_has_left(e, e->g)) {
                memcpy(e->g_left, e->samples + sample * count, (size_t)count * sizeof *e->g);
                return true;
            }
        }
    memcpy(e->g, e->samples + SAMPLES * count, (size_t)count * sizeof *e->g);
    return false;
}

/* The first part of the step in which a side is left, with the functions at its ends in g_left and g. */
static bool find_part(struct events *e, struct integrator *m, double *left, double *right)
{
    const int count = e->dae->switch_count;
    const size_t bytes = (size_t)count * sizeof *e->g;
    *right = m->previous;
    memcpy(e->g, e->g_begin, bytes);
    memcpy(e->samples, e->g_begin, bytes);
    for (int sample = 1; sample <= SAMPLES; sample++) {
        memcpy(e->g_left, e->g, bytes);
        *left = *right;
        *right = place_of(m, sample);
        evaluate(e, m, *right, e->g);
        if (any_has_left(e, e->g))
            return true;
        look_at(e);
        memcpy(e->samples + sample * count, e->g, bytes);
    }
    return find_dip(e, m, left, right);
}

/* Functions that cross zero within rounding of t cross it at t. */
static void mark_crossed_at(struct events *e, struct integrator *m, double t)
{
    const double same = fmin(t + time_resolution_at(t, e->span), m->t);
    for (int i = 0; i < e->dae->switch_count; i++)
        e->crossed[i] = e->crossed[i] && sign_of(e->g[i]) != e->side[i];
    if (same > t)
        evaluate(e, m, same, e->g);
    for (int i = 0; i < e->dae->switch_count; i++)
        e->crossed[i] = e->crossed[i] || has_left(e, i, e->g);
}

/* ---- whether equations jump ---- */

/* A switch whose side is no state, and that changes nothing but equations, is left free where these are continuous. */
static bool may_be_left(const struct events *e, int i)
{
    const struct dae *dae = e->dae;
    return dae->switches_equations_only && (!dae->may_be_left || dae->may_be_left(dae->problem, i));
}

enum { ALL = -1 };

/* Holds a group of the crossed switches that may be left on their sides (1) or on the other ones (-1): all of them, or
 * those that have a bit set in their numbers. */
static void hold_group(struct events *e, int bit, int sign)
{
    for (int i = 0; i < e->dae->switch_count; i++)
        if (e->crossed[i] && (bit == ALL || (i >> bit & 1)) && may_be_left(e, i))
            e->dae->hold(e->dae->problem, i, sign * e->side[i]);
}

/* Whether equation k has another value on the other sides. */
static bool differs(const struct events *e, int k)
{
    const double size = fmax(fabs(e->f[k]), fabs(e->f_across[k]));
    return !(fabs(e->f[k] - e->f_across[k]) <= SAME * size + e->dae->equation_absolute[k]);
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
        *jumps |= differs(e, k);
    return status;
}

/* Whether an equation jumps when the crossed switches that may be left go to their other sides.  They are asked
 * together, since thousands may share a control; and in groups, since jumps that cancel each other are no continuity:
 * of any two switches one has a bit in its number that the other has not. */
static enum kn_status find_jump(struct events *e, double t, const double *x, bool *jumps)
{
    int last = -1;
    for (int i = 0; i < e->dae->switch_count; i++)
        last = e->crossed[i] && may_be_left(e, i) ? i : last;
    *jumps = false;
    if (last < 0)
        return KN_OK;
    struct dae_values here = {.f = e->f};
    enum kn_status status = e->dae->eval(e->dae->problem, t, x, DAE_F, &here);
    for (int bit = ALL; status == KN_OK && !*jumps && (bit == ALL || last >> bit > 0); bit++)
        status = compare_sides(e, bit, t, x, jumps);
    return status;
}

/* ---- functions that stand at zero ---- */

static bool stands_at_zero(const struct events *e, int i)
{
    return !e->released[i] && e->side[i] == 0 && is_rounding(e, i, e->g_begin) && may_be_left(e, i);
}

static bool any_at_zero(const struct events *e)
{
    for (int i = 0; i < e->dae->switch_count; i++)
        if (stands_at_zero(e, i))
            return true;
    return false;
}

/* The functions that stand at zero where the step begins and are on a side in its middle, where they are in g_left: they
 * are held on the other one, as if they crossed zero there. */
static bool leave_zero(struct events *e)
{
    bool any = false;
    for (int i = 0; i < e->dae->switch_count; i++) {
        const int side = is_rounding(e, i, e->g_left) ? 0 : sign_of(e->g_left[i]);
        e->crossed[i] = stands_at_zero(e, i) && side != 0;
        if (e->crossed[i])
            hold(e, i, -side);
        any |= e->crossed[i];
    }
    return any;
}

bool events_leave_zero(struct events *e, struct integrator *m, const double *x)
{
    bool jumps = false;
    if (!any_at_zero(e))
        return false;
    const double middle = 0.5 * (m->previous + m->t);
    m->class->interpolate(m, middle, e->x, NULL);
    e->dae->switches(e->dae->problem, middle, e->x, e->g_left);
    if (!leave_zero(e))
        return false;
    e->status = find_jump(e, m->previous, x, &jumps);
    for (int i = 0; i < e->dae->switch_count && !jumps; i++)
        if (e->crossed[i])
            hold(e, i, -e->side[i]);
    return jumps;
}

/* Stands at zero from now on, whatever rounding makes of it. */
static void rest(struct events *e, int i, double t)
{
    hold(e, i, 0);
    e->rested_at[i] = t;
    e->dae->hold(e->dae->problem, i, DAE_AT_ZERO);
}

/* Those held on a side that were at zero in the middle of the step and are so at its end: zero is where they rest.  One that has
 * left it there does not come back. */
static bool mark_resting(struct events *e, double begin)
{
    bool any = false;
    for (int i = 0; i < e->dae->switch_count; i++) {
        e->crossed[i] = e->side[i] != 0 && is_rounding(e, i, e->g) && is_rounding(e, i, e->g_left) &&
                        may_be_left(e, i) && !e->rectifies[i] && e->rested_at[i] != begin;
        any |= e->crossed[i];
    }
    return any;
}

static enum kn_status rest_and_compare(struct events *e, double t, const double *x, bool *jumps)
{
    const struct dae *dae = e->dae;
    struct dae_values before = {.f = e->f}, behind = {.f = e->f_across};
    enum kn_status status = dae->eval(dae->problem, t, x, DAE_F, &before);
    for (int i = 0; i < dae->switch_count; i++)
        if (e->crossed[i])
            rest(e, i, t);
    if (status == KN_OK)
        status = dae->eval(dae->problem, t, x, DAE_F, &behind);
    for (int k = 0; k < dae->n && status == KN_OK; k++)
        *jumps |= differs(e, k);
    return status;
}

bool events_rest(struct events *e, struct integrator *m, const double *x)
{
    const struct dae *dae = e->dae;
    bool jumps = false, any = false;
    if (e->watched == 0)
        return false;
    evaluate(e, m, m->t, e->g);
    e->end = m->t;
    for (int i = 0; i < dae->switch_count && !any; i++)
        any = e->side[i] != 0 && is_rounding(e, i, e->g);
    if (!any)
        return false;
    evaluate(e, m, 0.5 * (m->previous + m->t), e->g_left);
    if (e->status == KN_OK && mark_resting(e, m->previous))
        e->status = rest_and_compare(e, m->previous, x, &jumps);
    return jumps;
}

/* ---- what is found ---- */

bool events_find(struct events *e, struct integrator *m, double *t, double *x)
{
    double left, right;
    if (e->watched == 0)
        return false;
    m->class->interpolate(m, 0.5 * (m->previous + m->t), e->x, NULL);
    e->dae->switches(e->dae->problem, 0.5 * (m->previous + m->t), e->x, e->g_left);
    if (e->end != m->t)
        evaluate(e, m, m->t, e->g);
    e->end = NAN;
    if (!may_have_crossed(e) || !find_part(e, m, &left, &right)) {
        look_at(e);
        take_up(e);
        memcpy(e->g_begin, e->g, (size_t)e->dae->switch_count * sizeof *e->g);
        return false;
    }
    *t = first_root(e, m, left, right);
    evaluate(e, m, *t, e->g);
    memcpy(x, *t >= m->t ? m->x : e->x, (size_t)e->dae->n * sizeof *x);
    mark_crossed_at(e, m, *t);
    return true;
}

/* ---- what follows ---- */

/* Switch i goes to its other side, or free if equations do not jump there or if it never rests: then true. */
static bool turn(struct events *e, int i, double t, bool jumps)
{
    const bool hurries = t - e->switched_at[i] <= fmax(AT_ONCE * fabs(t), AT_ONCE_OF_RUN * e->span);
    e->hurried[i] = hurries ? e->hurried[i] + 1 : 0;
    e->switched_at[i] = t;
    const bool endless = jumps && e->hurried[i] > MOST_HURRIED;
    e->released[i] = endless || !jumps;
    e->watched -= e->released[i];
    hold(e, i, e->released[i] ? 0 : -e->side[i]);
    return endless;
}

enum kn_status events_turn(struct events *e, double t, const double *x, int *released)
{
    bool jumps;
    const enum kn_status status = find_jump(e, t, x, &jumps);
    *released = -1;
    for (int i = 0; i < e->dae->switch_count && status == KN_OK; i++)
        if (e->crossed[i] && turn(e, i, t, jumps || !may_be_left(e, i)))
            *released = i;
    return status;
}
