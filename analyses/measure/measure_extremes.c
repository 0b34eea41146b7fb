/* measure_extremes.c - largest and smallest values, where they are, and the rises and falls between them.
 *
 * An extreme is a root of the derivative: of the polynomial through the points of a piece, or of a phasor's exact one.
 * Where the signal has a corner, golden section finds it (J. Kiefer, Proceedings of the American Mathematical Society 4,
 * 1953).
 */
#include "analyses/measure/measure_parts.h"
#include "integrators/bracket.h"

#include <math.h>

enum { MOST_ROUNDS = 100 };

/* Of a value beside the extremes so far, none yet: none. */
static double rounding_of(const struct measurement *item)
{
    return isfinite(item->low) ? 1e-13 * (fabs(item->high) + fabs(item->low)) : 0;
}

/* Of what is as large within rounding, as all along the top of a pulse, the first is kept. */
static void offer(struct measurement *item, double u, double value)
{
    const double rounding = rounding_of(item);
    if (value < item->low_there - rounding) {
        item->low_there = value;
        item->low_u = u;
    }
    if (value > item->high_there + rounding) {
        item->high_there = value;
        item->high_u = u;
    }
    item->low = fmin(item->low, value);
    item->high = fmax(item->high, value);
}

/* The same of a root from `from` on: what is as large within rounding there gives way to it. */
static void offer_root(struct measurement *item, double u, double value, double from, double sign)
{
    offer(item, u, value);
    const double rounding = rounding_of(item);
    if (sign > 0 && value >= item->high - rounding && item->high_u >= from)
        item->high_u = u;
    if (sign < 0 && value <= item->low + rounding && item->low_u >= from)
        item->low_u = u;
}

static double value_at(struct measurements *all, const struct measurement *item, double u)
{
    measure_look(all, u, &all->spare);
    return measure_value_of(all, &item->signal, &all->spare);
}

/* The extreme (sign 1: largest, -1: smallest) between `from` and `to`, where the signal has one peak. */
static void search(struct measurements *all, struct measurement *item, double from, double to, double sign)
{
    static const double golden = 0.6180339887498949, enough = 1e-10; /* part of the bracket: a parabola is flat there */
    const double width = to - from;
    for (int round = 0; round < MOST_ROUNDS && to - from > enough * width && all->status == KN_OK; round++) {
        const double first = to - golden * (to - from), second = from + golden * (to - from);
        const double a = value_at(all, item, first), b = value_at(all, item, second);
        offer(item, first, a);
        offer(item, second, b);
        if (sign * a > sign * b)
            to = second;
        else
            from = first;
    }
}

/* A piece [from, to] with its values; the derivative with respect to the part of it. */
struct slopes {
    struct measurements *all;
    const struct measurement *item;
    double from, to;
    const double *values; /* [CURVE_POINTS]; NULL: of phasors */
};

static double slope_at(const struct slopes *s, double u)
{
    if (s->values)
        return curve_slope(s->values, 1, (u - s->from) / (s->to - s->from));
    measure_look(s->all, u, &s->all->spare);
    return s->all->sign * signal_slope(&s->item->signal, s->all->sign * u, s->all->spare.values);
}

/* Where the slope changes its sign; NaN where it does not. */
static double root_of_slope(const struct slopes *s, double from, double to)
{
    const double left = slope_at(s, from), right = slope_at(s, to);
    if (!(left * right < 0))
        return NAN;
    struct bracket b = {from, to, left, right, 0, 0};
    for (double u; bracket_next(&b, &u) && s->all->status == KN_OK;) {
        const double slope = slope_at(s, u);
        bracket_narrow(&b, u, slope, left < 0 ? slope >= 0 : slope <= 0);
    }
    return b.right;
}

static void refine(const struct slopes *s, struct measurement *item, double from, double to, double sign)
{
    const double u = s->values || s->all->set.width == SIGNAL_PHASOR ? root_of_slope(s, from, to) : NAN;
    if (!isnan(u)) {
        const double value = value_at(s->all, item, u), size = fmax(fabs(item->high), fabs(item->low));
        const double expected = s->values ? curve_value(s->values, 1, (u - s->from) / (s->to - s->from)) : value;
        offer_root(item, u, value, from, sign);
        if (fabs(value - expected) <= 1e-9 * size)
            return;
    }
    search(s->all, item, from, to, sign);
}

/* The peak beside the k-th of so many points; beside the first or last there is one where the slope says so. */
static void refine_beside(const struct slopes *s, struct measurement *item, const double *u, int count, int k,
                          double sign)
{
    const double from = u[k > 0 ? k - 1 : 0], to = u[k < count - 1 ? k + 1 : k];
    if ((k > 0 && k < count - 1) || (s->values && !isnan(root_of_slope(s, from, to))))
        refine(s, item, from, to, sign);
}

/* Values at points in order; a peak between them is higher than they are by less than their range. */
static void watch_values(const struct slopes *s, struct measurement *item, const double *u, const double *values,
                         int count)
{
    const double low = item->low, high = item->high;
    int lowest = 0, highest = 0;
    for (int k = 0; k < count; k++) {
        offer(item, u[k], values[k]);
        lowest = values[k] < values[lowest] ? k : lowest;
        highest = values[k] > values[highest] ? k : highest;
    }
    if (s->all->curve.straight)
        return;
    const double range = values[highest] - values[lowest];
    if (range <= rounding_of(item)) /* level: slopes are rounding */
        return;
    if (values[highest] + range > high)
        refine_beside(s, item, u, count, highest, 1);
    if (values[lowest] - range < low)
        refine_beside(s, item, u, count, lowest, -1);
}

/* Rows: a peak is where the middle one of three is the highest. */
static void watch_rows(struct measurements *all, struct measurement *item, double from, double to)
{
    double u[3], values[3];
    int count = 0;
    if (!all->curve.straight && all->goes_on && all->older.u < all->points[0].u && all->points[0].u == from) {
        u[0] = fmax(all->older.u, item->from);
        values[0] =
            u[0] == all->older.u ? measure_value_of(all, &item->signal, &all->older) : value_at(all, item, u[0]);
        count += u[0] < from;
    }
    const double ends[] = {from, to};
    for (int k = 0; k < 2; k++, count++) {
        const struct sample *at = &all->points[k == 0 ? 0 : CURVE_POINTS - 1];
        u[count] = ends[k];
        values[count] = at->u == ends[k] ? measure_value_of(all, &item->signal, at) : value_at(all, item, ends[k]);
    }
    watch_values(&(struct slopes){.all = all, .item = item}, item, u, values, count);
}

void watch_extremes(struct measurements *all, struct measurement *item, double from, double to)
{
    double u[CURVE_POINTS], values[CURVE_POINTS];
    if (!all->curve.dense) {
        watch_rows(all, item, from, to);
        return;
    }
    const bool whole = from == all->points[0].u && to == all->points[CURVE_POINTS - 1].u;
    measure_fill(all);
    for (int k = 0; k < CURVE_POINTS; k++) {
        u[k] = curve_point(from, to, k);
        values[k] = whole ? measure_value_of(all, &item->signal, &all->points[k]) : value_at(all, item, u[k]);
    }
    watch_values(&(struct slopes){all, item, from, to, values}, item, u, values, CURVE_POINTS);
}

/* ---- rises and falls ---- */

/* Where the extreme between the neighbours of the largest or smallest sample is. */
static double turning_point(struct measurements *all, const struct measurement *item, const struct runs *r)
{
    if (all->curve.straight)
        return r->extreme_u;
    struct measurement m = *item;
    m.low = m.low_there = INFINITY;
    m.high = m.high_there = -INFINITY;
    offer(&m, r->extreme_u, r->extreme);
    search(all, &m, r->left_u, r->right_u, r->direction);
    return r->direction > 0 ? m.high_u : m.low_u;
}

/* The signal goes in this direction from u on. */
static void turn(struct runs *r, const struct measure *card, double u, int direction)
{
    const enum crossing now = direction > 0 ? CROSSING_RISE : CROSSING_FALL;
    if (r->open) {
        r->to = u;
        r->open = false;
        r->done = card->run_count > 0;
    }
    r->direction = direction;
    r->counts[now]++;
    if (now == card->run && !r->done && (card->run_count == 0 || r->counts[now] == card->run_count)) {
        r->open = true;
        r->from = u;
        r->to = INFINITY;
    }
}

/* The next sample.  A way back by less than `enough` is none: the curve is as wavy as its tolerance. */
static void follow(struct measurements *all, struct measurement *item, double u, double value, double enough)
{
    struct runs *r = &item->runs;
    if (r->direction == 0) {
        const double change = value - r->extreme;
        if (!isnan(r->extreme_u) && fabs(change) <= enough)
            return;
        if (!isnan(r->extreme_u))
            turn(r, item->card, r->extreme_u, change > 0 ? 1 : -1);
    }
    if (isnan(r->extreme_u) || r->direction * (value - r->extreme) > 0) {
        r->left_u = isnan(r->last_u) ? u : r->last_u;
        r->extreme = value;
        r->extreme_u = r->right_u = u;
    } else {
        r->right_u = r->right_u == r->extreme_u ? u : r->right_u;
        if (r->direction * (r->extreme - value) > enough) {
            turn(r, item->card, turning_point(all, item, r), -r->direction);
            r->left_u = r->last_u;
            r->extreme = value;
            r->extreme_u = r->right_u = u;
        }
    }
    r->last_u = u;
}

void watch_runs(struct measurements *all, struct measurement *item)
{
    static const double wave = 1e-4; /* part of the largest size so far */
    struct runs *r = &item->runs;
    measure_fill(all);
    for (int k = 0; k < CURVE_POINTS && !r->done; k = measure_next_point(all, k)) {
        const double value = measure_value_of(all, &item->signal, &all->points[k]);
        r->scale = fmax(r->scale, fabs(value));
        follow(all, item, all->points[k].u, value, wave * r->scale);
    }
}
