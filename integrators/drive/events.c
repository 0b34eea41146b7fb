/* events.c - see events.h.
 *
 * Where a function changes by as much as is left of it, from end to end of a step or to its middle, the step is looked
 * at in a few points, lest one that crosses zero twice be missed.  The first root of all functions is bracketed
 * (first_root), and the end beyond it is taken: there the function has its new sign, unless the point, made consistent,
 * falls back by the error of the dense output. So a function of the wrong sign counts only after it has been on its
 * side at the end of a step, or when it is larger than reltol times the largest value that it has had.  That of a diode is
 * thousandths of a volt while it conducts, and was hundreds of volts while it blocked: one that rectifies counts as well where it
 * was on its side behind the event, or goes on from where it fell back to.  Of a comparator that holds its own threshold reltol is
 * the hysteresis, without which it would switch without end; or, where it has never been anywhere else, the tolerances of what it
 * compares.
 *
 * Whatever the number of functions, an event costs some ten points, and what follows one evaluation or a few.
 */
#include "integrators/drive/events_parts.h"

#include "base/rounding.h"
#include "base/time_resolution.h"
#include "integrators/bracket.h"
#include "integrators/tolerance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 6 };
/* Of a part between two of them: as of steps where what their interpolant misses bends (between_parts.h). */
enum { LEAP_HALVINGS = 7 };
/* Of the step, where functions are looked at. */
static const double PLACES[SAMPLES + 1] = {0, 1.0 / 16, 1.0 / 4, 1.0 / 2, 3.0 / 4, 15.0 / 16, 1};

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
    e->bend = calloc(count, sizeof *e->bend);
    e->fallen = calloc(count, sizeof *e->fallen);
    e->crossed = calloc(count, sizeof *e->crossed);
    e->hurried = calloc(count, sizeof *e->hurried);
    e->switched_at = calloc(count, sizeof *e->switched_at);
    e->rested_at = calloc(count, sizeof *e->rested_at);
    e->g = calloc(count, sizeof *e->g);
    e->samples = calloc(count * (SAMPLES + 1), sizeof *e->samples);
    e->g_begin = calloc(count, sizeof *e->g_begin);
    e->g_middle = calloc(count, sizeof *e->g_middle);
    e->g_end = calloc(count, sizeof *e->g_end);
    e->goes_to = calloc(count, sizeof *e->goes_to);
    e->counts = calloc(count, sizeof *e->counts);
    e->resting = calloc(count, sizeof *e->resting);
    e->g_left = calloc(count, sizeof *e->g_left);
    e->g_right = calloc(count, sizeof *e->g_right);
    e->largest = calloc(count, sizeof *e->largest);
    e->doubt = calloc(count, sizeof *e->doubt);
    e->tolerates = calloc(count, sizeof *e->tolerates);
    e->tolerated = calloc(count, sizeof *e->tolerated);
    double **const vectors[] = {&e->x, &e->moved, &e->width, &e->f, &e->f_across};
    bool complete = true;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        complete = (*vectors[i] = calloc((size_t)dae->n, sizeof(double))) != NULL && complete;
    for (int i = 0; i < dae->switch_count; i++)
        dae->hold(dae->problem, i, 0);
    for (int i = 0; e->rested_at && i < dae->switch_count; i++)
        e->rested_at[i] = -INFINITY;
    for (int i = 0; dae->rectifies && e->rectifies && e->bend && i < dae->switch_count; i++)
        e->rectifies[i] = dae->rectifies(dae->problem, i, e->bend[i]);
    const bool flags = e->side && e->released && e->armed && e->begun && e->rectifies && e->fallen && e->crossed &&
                       e->hurried && e->switched_at && e->rested_at && e->counts && e->resting && e->goes_to &&
                       e->tolerates;
    const bool values = e->g_middle && e->g_end && e->g && e->samples && e->g_begin && e->g_left && e->g_right &&
                        e->largest && e->doubt && e->tolerated && e->bend && complete;
    return flags && values ? KN_OK : KN_ERROR_MEMORY;
}

void events_free(struct events *e)
{
    void *const all[] = {e->side,    e->released,  e->armed,       e->begun,    e->rectifies, e->fallen,
                         e->crossed, e->hurried,   e->switched_at, e->g,        e->g_left,    e->g_right,
                         e->largest, e->x,         e->f,           e->f_across, e->g_begin,   e->rested_at,
                         e->samples, e->g_middle,  e->g_end,       e->counts,   e->goes_to,   e->resting,
                         e->moved,   e->tolerated, e->bend,        e->doubt,    e->tolerates, e->width};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    memset(e, 0, sizeof *e);
}

static bool conducts_by_parabola(const struct events *e, int i)
{
    return e->rectifies[i] && e->side[i] > 0 && e->bend[i][0] > 0;
}

/* About zero the sign of a rectifier's function says nothing: of one that has turned on within what rounding leaves of its voltage, 1e-15 V
 * of 8 V; where its law bends as far as errors of a current lead, which is to the geometric mean of its foot, 1e-4 of the bend where Roff
 * is 1e8 Ron, and the bend (1e-7 A of 9 A in a resonant converter are 40 feet; a rectifier that is left on with 700 of them shifts its output
 * by volts).  Those that went by it turned to and fro without end. */
static double doubtful(const struct events *e, int i)
{
    if (conducts_by_parabola(e, i))
        return sqrt(e->bend[i][0] * e->bend[i][1]);
    return e->rectifies[i] ? ROUNDING_SUM * e->largest[i] : events_doubt(e, i);
}

/* Beyond this a rectifier's function of the wrong sign turns it: at once where it was on its side where the run has begun anew, or beyond
 * twice what it has fallen back to, rounding included: a millivolt further it would carry amperes the wrong way. */
static double patience(const struct events *e, int i)
{
    if (conducts_by_parabola(e, i))
        return doubtful(e, i);
    return e->begun[i] ? 0 : fmax(2 * e->fallen[i], doubtful(e, i));
}

/* Within this of zero a function of the wrong sign stays where it is, until it has been on its side. */
static double width_of_zero(const struct events *e, int i)
{
    return fmax(fmax(e->relative * e->largest[i], e->tolerated[i]), e->doubt[i]);
}

static bool is_zero(const struct events *e, int i, const double *g)
{
    return fabs(g[i]) <= width_of_zero(e, i);
}

/* Whether a function of the wrong sign leaves its switch where it is.  A rectifier goes by rounding, since thousandths of a volt are
 * amperes on one side; but only once at an event, as long as it is about zero: values behind it are as exact as their errors.  On the
 * side that blocks, these are the tolerances of the voltages, of which 1e-12 A of a coil through 1 Gohm make half a millivolt. */
static bool stays(struct events *e, int i, double t, const double *x)
{
    if (!e->rectifies[i])
        return is_zero(e, i, e->g);
    if (fabs(e->g[i]) <= ROUNDING_SAME * e->largest[i])
        return true;
    if (e->switched_at[i] != t)
        return false;
    if (e->side[i] < 0)
        events_tolerate_one(e, i, t, x);
    return is_zero(e, i, e->g);
}

/* Whether function i is on the side where it is held. */
static bool is_on_side(const struct events *e, int i)
{
    return e->side[i] != 0 && events_sign(e->g[i]) == e->side[i] && fabs(e->g[i]) > doubtful(e, i);
}

bool events_hold_sides(struct events *e, double t, const double *x)
{
    bool turned = false;
    if (e->watched == 0)
        return false;
    e->dae->switches(e->dae->problem, t, x, e->g);
    memcpy(e->g_begin, e->g, (size_t)e->dae->switch_count * sizeof *e->g);
    events_measure(e, t, x, e->g);
    const double rounding = events_rounding_at(e, x);
    for (int i = 0; i < e->dae->switch_count; i++) {
        const int side = events_sign(e->g[i]);
        if (events_is_undecided(e, i)) {
            events_stand(e, i, t);
            turned = true;
        } else if (!e->released[i] && side != e->side[i] && !stays(e, i, t, x)) {
            e->switched_at[i] = t;
            turned |= side != 0 && e->side[i] != 0;
            events_hold(e, i, side);
        }
        e->fallen[i] = fabs(e->g[i]) + rounding;
        e->begun[i] = is_on_side(e, i);
        e->armed[i] |= e->begun[i] && fabs(e->g[i]) > e->relative * width_of_zero(e, i);
    }
    e->goes_on = true;
    return turned;
}

/* ---- where ---- */

/* One that keeps its side at zero does so whatever rounding says there. */
static double keeps_within(const struct events *e, int i)
{
    return events_at_zero(e, i) == DAE_REST_KEEPS ? events_doubt(e, i) : 0;
}

static bool has_left(const struct events *e, int i, const double *g)
{
    return e->side[i] != 0 && events_sign(g[i]) == -e->side[i] && fabs(g[i]) > keeps_within(e, i) &&
           (e->armed[i] || !is_zero(e, i, g) || (e->rectifies[i] && fabs(g[i]) > patience(e, i)));
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
        e->armed[i] = e->armed[i] || is_on_side(e, i);
    }
}

/* Functions that begin to matter, or have stood at zero, are held from now on. */
static void take_up(struct events *e)
{
    for (int i = 0; i < e->dae->switch_count; i++)
        if (!e->released[i] && e->side[i] == 0 && events_sign(e->g[i]) != 0 &&
            !(events_rests(e, i) ? events_are_near(e, i, e->g) : events_are_equal(e, i, e->g)))
            events_hold(e, i, events_sign(e->g[i]));
}

/* A rectifier that an error has left on the wrong side comes to its own within a few steps, or does not belong there: one whose current of
 * the wrong sign stayed what it was at the event discharged a multiplier by 2 %. */
static void lose_patience(struct events *e)
{
    for (int i = 0; i < e->dae->switch_count; i++)
        if (e->rectifies[i] && e->side[i] != 0 && events_sign(e->g[i]) == -e->side[i])
            e->fallen[i] *= 0.5;
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

/* How far beyond zero function i leaves its side: at the end of the hysteresis of one that has turned back and was not on its side
 * since. */
static double beyond_zero(const struct events *e, int i)
{
    if (e->armed[i])
        return keeps_within(e, i);
    if (e->rectifies[i])
        return fmin(width_of_zero(e, i), patience(e, i));
    return e->tolerated[i] > 0 ? width_of_zero(e, i) : 0;
}

/* How far function i in g is from where it leaves its side, of the sign of that side. */
static double margin(const struct events *e, int i, const double *g)
{
    return g[i] + e->side[i] * beyond_zero(e, i);
}

/* Where the first of the crossed functions has its root by false position. */
static double guess_root(const struct events *e, const struct part *p)
{
    const double width = p->right - p->left;
    double first = NAN;
    for (int i = 0; i < e->dae->switch_count; i++) {
        const double left = p->weight_left * margin(e, i, e->g_left),
                     right = p->weight_right * margin(e, i, e->g_right);
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

/* Whether a function that has left its side stood where it leaves it already where the part begins. */
static bool begins_at_root(const struct events *e)
{
    for (int i = 0; i < e->dae->switch_count; i++)
        if (e->crossed[i] && events_sign(margin(e, i, e->g_left)) != e->side[i])
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
    for (int round = 0; round < BRACKET_ROUNDS && p.right - p.left > BRACKET_WIDTH * fabs(p.right); round++) {
        const double t = guess_root(e, &p);
        if (!(t > p.left && t < p.right))
            return p.right;
        events_evaluate(e, m, t, e->g);
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
            events_evaluate(e, m, *right, e->g);
            if (any_has_left(e, e->g)) {
                memcpy(e->g_left, e->samples + sample * count, (size_t)count * sizeof *e->g);
                return true;
            }
        }
    memcpy(e->g, e->samples + SAMPLES * count, (size_t)count * sizeof *e->g);
    return false;
}

/* By how much function i leaps from a sample to the next one: what lines through the samples before and behind do not tell of its change,
 * whichever tells more. */
static double leap(const struct events *e, int i, int sample)
{
    const double *t = PLACES + sample, change = distance(e, i, sample + 1) - distance(e, i, sample);
    double least = INFINITY;
    if (sample > 0)
        least = fabs(change - (distance(e, i, sample) - distance(e, i, sample - 1)) / (t[0] - t[-1]) * (t[1] - t[0]));
    if (sample < SAMPLES - 1)
        least = fmin(least, fabs(change - (distance(e, i, sample + 2) - distance(e, i, sample + 1)) / (t[2] - t[1]) *
                                              (t[1] - t[0])));
    return least;
}

/* Halves a part of the step, with the functions at its ends in g_left and g_right, towards where function i leaps, as long as it leaps by
 * more than is left of it at both ends. */
static bool look_into_leap(struct events *e, struct integrator *m, int i, double *left, double *right)
{
    for (int halving = 0; halving < LEAP_HALVINGS; halving++) {
        const double from = e->g_left[i], to = e->g_right[i], middle = 0.5 * (*left + *right);
        if (fabs(to - from) < fmin(fabs(from), fabs(to)))
            return false;
        events_evaluate(e, m, middle, e->g);
        if (has_left(e, i, e->g)) {
            *right = middle;
            return true;
        }
        const bool first = fabs(e->g[i] - from) > fabs(to - e->g[i]);
        swap(&e->g, first ? &e->g_right : &e->g_left);
        *(first ? right : left) = middle;
    }
    return false;
}

/* By more than is left of it at both ends. */
static bool leaps_past(const struct events *e, int i, int sample)
{
    const double least = fmin(distance(e, i, sample), distance(e, i, sample + 1));
    return least > 0 && leap(e, i, sample) >= least;
}

/* Looks where a rectifier leaps from one sample to the next: a node that nothing holds between two switches, of which one opens as the
 * other one closes, goes from rail to rail in a twentieth of a step, and on its way to where its diode would conduct.  Not where there are
 * unknowns of index 2: points between steps are less exact then, and bridges had events where these were off. */
static bool find_leap(struct events *e, struct integrator *m, double *left, double *right)
{
    const size_t count = (size_t)e->dae->switch_count, bytes = count * sizeof *e->g;
    for (int sample = 0; sample < SAMPLES; sample++)
        for (int i = 0; i < e->dae->switch_count; i++) {
            if (!e->rectifies[i] || !leaps_past(e, i, sample))
                continue;
            if (tolerance_has_class(e->dae, NULL, CLASS_BIT(DAE_INDEX2)))
                return false;
            *left = place_of(m, sample);
            *right = place_of(m, sample + 1);
            memcpy(e->g_left, e->samples + (size_t)sample * count, bytes);
            memcpy(e->g_right, e->samples + (size_t)(sample + 1) * count, bytes);
            if (look_into_leap(e, m, i, left, right))
                return true;
            memcpy(e->g, e->samples + SAMPLES * count, bytes);
        }
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
        events_evaluate(e, m, *right, e->g);
        if (any_has_left(e, e->g))
            return true;
        look_at(e);
        memcpy(e->samples + sample * count, e->g, bytes);
    }
    return find_dip(e, m, left, right) || find_leap(e, m, left, right);
}

/* Functions that cross zero within rounding of t cross it at t. */
static void mark_crossed_at(struct events *e, struct integrator *m, double t)
{
    const double same = fmin(t + time_resolution_at(t, e->span), m->t);
    for (int i = 0; i < e->dae->switch_count; i++)
        e->crossed[i] = e->crossed[i] && events_sign(e->g[i]) != e->side[i];
    if (same > t)
        events_evaluate(e, m, same, e->g);
    for (int i = 0; i < e->dae->switch_count; i++)
        e->crossed[i] = e->crossed[i] || has_left(e, i, e->g);
}

/* ---- what is found ---- */

/* The first point where a side is left; without one the functions at the end of the step are in e->g. */
static bool find_crossing(struct events *e, struct integrator *m, double *t, double *x)
{
    double left, right;
    if (!may_have_crossed(e) || !find_part(e, m, &left, &right))
        return false;
    *t = first_root(e, m, left, right);
    events_evaluate(e, m, *t, e->g);
    memcpy(x, *t >= m->t && !e->solves ? m->x : e->x, (size_t)e->dae->n * sizeof *x);
    mark_crossed_at(e, m, *t);
    if (e->solves) { /* the run ends a step there, with a row */
        const enum kn_status status = integrator_solution(m, *t, true, x);
        e->status = e->status == KN_OK ? status : e->status;
    }
    return true;
}

/* Whether a rectifier has come to zero, or to where its law bends: a step may end there with a voltage within its tolerance of one side of
 * zero and a current on the other, which is kilovolts behind the event. */
static bool any_turns_off(const struct events *e)
{
    for (int i = 0; i < e->dae->switch_count; i++)
        if (e->rectifies[i] && e->side[i] > 0 && e->g[i] < e->bend[i][0])
            return true;
    return false;
}

bool events_find(struct events *e, struct integrator *m, double *t, double *x)
{
    const size_t bytes = (size_t)e->dae->switch_count * sizeof *e->g;
    if (e->watched == 0)
        return false;
    m->class->interpolate(m, 0.5 * (m->previous + m->t), e->x, NULL);
    e->dae->switches(e->dae->problem, 0.5 * (m->previous + m->t), e->x, e->g_left);
    memcpy(e->g_middle, e->g_left, bytes);
    if (e->end != m->t)
        events_evaluate(e, m, m->t, e->g);
    e->end = NAN;
    e->solves = any_turns_off(e);
    if (e->solves)
        events_evaluate(e, m, m->t, e->g);
    const bool crosses = find_crossing(e, m, t, x);
    e->rests = events_find_rest(e, m, crosses ? *t : m->t, t, x);
    e->solves = false;
    if (crosses || e->rests)
        return true;
    look_at(e);
    take_up(e);
    lose_patience(e);
    memcpy(e->g_begin, e->g, bytes);
    return false;
}

/* ---- what follows ---- */

/* Switch i goes to its other side, or free if equations do not jump there or if it never rests: then true.  One that turns back
 * EVENTS_MOST_TURNS times in a row, each time within ROUNDING_SAME of the present time or of the run, would do so without end. */
static bool turn(struct events *e, int i, double t, bool jumps)
{
    const bool hurries = t - e->switched_at[i] <= ROUNDING_SAME * fmax(fabs(t), e->span);
    e->hurried[i] = hurries ? e->hurried[i] + 1 : 0;
    e->switched_at[i] = t;
    const bool endless = jumps && e->hurried[i] > EVENTS_MOST_TURNS;
    e->released[i] = endless || !jumps;
    e->watched -= e->released[i];
    events_hold(e, i, e->released[i] ? 0 : -e->side[i]);
    return endless;
}

/* Whether one that has crossed was not on its side since it has turned last. */
static bool any_turns_back(const struct events *e)
{
    for (int i = 0; i < e->dae->switch_count; i++)
        if (e->crossed[i] && !e->armed[i])
            return true;
    return false;
}

enum kn_status events_turn(struct events *e, double t, const double *x, int *released)
{
    bool jumps;
    *released = -1;
    if (e->rests) {
        events_take_rest(e, t);
        e->rests = false;
        return KN_OK;
    }
    if (any_turns_back(e))
        events_tolerate(e, t, x);
    const enum kn_status status = events_find_jump(e, t, x, &jumps);
    for (int i = 0; i < e->dae->switch_count && status == KN_OK; i++)
        if (e->crossed[i] && turn(e, i, t, jumps || !events_may_be_left(e, i)))
            *released = i;
    return status;
}
