/* measure_events.c - crossings of levels, and what happens at them.  A crossing between two points of a piece is located by
 * bracket.h. */
#include "analyses/measure/measure_parts.h"
#include "integrators/bracket.h"

#include <float.h>
#include <math.h>

/* Of the largest value, what the sum of a few of that size is off by. */
static const double ROUNDING = 64 * DBL_EPSILON;

/* Phases are those between -180 and 180 degrees of many; so is their distance from a level, which they cross at any of these. */
static const double TURN = 360;

/* level: NULL, or a signal that the number is added to. */
static double distance_of(const struct measurements *all, const struct signal *signal, const struct signal *level,
                          double number, const struct sample *at)
{
    const double distance = measure_value_of(all, signal, at) - (level ? measure_value_of(all, level, at) : 0);
    return (signal->is_phase ? remainder(distance, TURN) : distance) - number;
}

/* Where the signal crosses the level, which is that of distance_of, between the points; the sample there is all->spare. */
static void locate(struct measurements *all, const struct signal *signal, const struct signal *level, double number,
                   const struct sample *left, const struct sample *right)
{
    const double d_left = distance_of(all, signal, level, number, left);
    const double d_right = distance_of(all, signal, level, number, right);
    struct bracket b = {left->u, right->u, d_left, d_right, 0, 0};
    const bool rises = d_left < 0;
    for (double u; bracket_next(&b, &u) && all->status == KN_OK;) {
        measure_look(all, u, &all->spare);
        const double d = distance_of(all, signal, level, number, &all->spare);
        bracket_narrow(&b, u, d, rises ? d >= 0 : d <= 0);
    }
    measure_look(all, b.right, &all->spare);
}

/* ---- derivatives ---- */

/* The part of the piece without corners in which a point lies, and the slope there. */
struct tangent {
    struct measurements *all;
    const struct signal *signal;
    double u, slope;
};

static enum kn_status look_at_signal(void *context, double u, double *values)
{
    const struct tangent *t = context;
    measure_look(t->all, u, &t->all->spare);
    *values = measure_value_of(t->all, t->signal, &t->all->spare);
    return t->all->status;
}

static enum kn_status take_slope(void *context, double from, double to, const double *values)
{
    struct tangent *t = context;
    if (t->u >= from && t->u <= to) /* of two parts the later one, as at a jump */
        t->slope = curve_slope(values, 1, (t->u - from) / (to - from)) / (to - from);
    return KN_OK;
}

/* With respect to the scale. */
static double derivative_at(struct measurements *all, struct measurement *item, double u)
{
    if (all->set.width == SIGNAL_PHASOR) {
        measure_look(all, u, &all->spare);
        return signal_slope(&item->signal, all->sign * u, all->spare.values);
    }
    if (all->points[0].u == all->points[CURVE_POINTS - 1].u)
        return NAN; /* of one point */
    struct tangent t = {all, &item->signal, u, NAN};
    const struct curve_splitter splitter = {.look = {&t, look_at_signal},
                                            .count = 1,
                                            .scales = item->scales,
                                            .workspace = all->workspace,
                                            .exact = all->curve.exact,
                                            .context = &t,
                                            .part = take_slope};
    curve_split(&splitter, all->points[0].u, all->points[CURVE_POINTS - 1].u);
    return all->sign * t.slope;
}

/* What FIND or DERIV takes from the signal when its event happens. */
static void take_event(struct measurements *all, struct measurement *item, struct watched_event *e,
                       const struct sample *at)
{
    e->found = true;
    e->u = at->u; /* which may be the spare one */
    if (item->card->kind == MEASURE_FIND)
        e->value = measure_value_of(all, &item->signal, at);
    else if (item->card->kind == MEASURE_DERIVATIVE)
        e->value = derivative_at(all, item, e->u);
}

/* ---- events ---- */

static bool is_complete(const struct watched_event *e)
{
    return e->found && !e->event->is_point && e->event->count > 0;
}

/* What the distance from the level is off by where it is zero: of two numbers that are no zeros themselves. */
static double rounding_of(const struct watched_event *e)
{
    return ROUNDING * e->size;
}

/* Points between steps are solved to reltol^2 of themselves: a source that rests on the level crosses it no more. */
static double noise_of(const struct measurements *all, const struct watched_event *e)
{
    return fmax(all->curve.apart * all->curve.apart * e->largest, rounding_of(e));
}

/* On to that signal minus the level; whether that is a crossing that counts.  What comes to rest on the level is there but for
 * rounding, which crosses zero at any later time. */
static bool goes_across(const struct measurements *all, struct watched_event *e, double now)
{
    const double there = rounding_of(e);
    const bool rises = e->side < 0 && now >= -there, falls = e->side > 0 && now <= there;
    e->largest = fmax(e->largest, fabs(now));
    const double noise = noise_of(all, e);
    e->side = now > noise ? 1 : now < -noise ? -1 : rises || falls ? 0 : e->side;
    return (rises && e->event->crossing != CROSSING_FALL) || (falls && e->event->crossing != CROSSING_RISE);
}

/* Signal minus level at a sample of the piece. */
static double watch_distance(const struct measurements *all, struct watched_event *e, const struct sample *at)
{
    const double value = measure_value_of(all, &e->signal, at);
    const double level = e->level.expression ? measure_value_of(all, &e->level, at) : 0;
    e->size = fmax(e->size, fmax(fabs(value), fabs(level)));
    return e->signal.is_phase ? remainder(value - level, TURN) : value - level;
}

/* A phase that has come half a turn away from the level between the points is on its other side, but has not crossed it. */
static void pass_behind(struct watched_event *e, double before, double after)
{
    if (e->signal.is_phase && fabs(after - before) > TURN / 2)
        e->side = after > 0 ? 1 : -1;
}

/* With what a piece begins: with the end of the one before, where it is just across.  A level at which something switches is met
 * within the tolerance by both, from either side. */
static double joined(const struct measurements *all, double ended, double begins, double largest)
{
    const bool flips = (ended < 0) != (begins < 0), apart = fabs(begins) > all->curve.apart * largest;
    return flips && !apart ? ended : begins;
}

/* The event happens at a sample, if it is the one that counts. */
static void count_crossing(struct measurements *all, struct measurement *item, struct watched_event *e,
                           const struct sample *at)
{
    if (at->u < e->delay || at->u < item->from || at->u > item->to)
        return;
    e->crossings++;
    if (e->event->count == 0 || e->crossings == e->event->count)
        take_event(all, item, e, at);
}

/* At a jump the value behind it counts, which the next piece has. */
static void watch_point(struct measurements *all, struct measurement *item, struct watched_event *e)
{
    const double u = e->point;
    const struct sample *begin = &all->points[0], *end = &all->points[CURVE_POINTS - 1];
    if (u < begin->u || u > end->u)
        return;
    if (u > begin->u && u < end->u)
        measure_look(all, u, &all->spare);
    take_event(all, item, e, u == begin->u ? begin : u == end->u ? end : &all->spare);
}

void watch_event(struct measurements *all, struct measurement *item, struct watched_event *e)
{
    if (!e->event || is_complete(e))
        return;
    if (e->event->is_point && e->found && all->returned) /* the first sweep has it */
        return;
    if (e->event->is_point) {
        watch_point(all, item, e);
        return;
    }
    const struct signal *level = e->level.expression ? &e->level : NULL;
    measure_fill(all);
    const double begins = watch_distance(all, e, &all->points[0]);
    double before = joined(all, e->before, begins, e->largest);
    pass_behind(e, e->before, before);
    if (goes_across(all, e, before)) /* by a jump */
        count_crossing(all, item, e, &all->points[0]);
    for (int k = 0, next; (next = measure_next_point(all, k)) < CURVE_POINTS; k = next) {
        const double after = watch_distance(all, e, &all->points[next]);
        pass_behind(e, before, after);
        if (goes_across(all, e, after)) {
            const bool there = k == 0 && before != begins && (begins < 0) == (after < 0);
            if (!there)
                locate(all, &e->signal, level, copysign(rounding_of(e), before), &all->points[k], &all->points[next]);
            count_crossing(all, item, e, there ? &all->points[0] : &all->spare);
        }
        before = after;
    }
    e->before = before;
}

/* ---- on and off ---- */

static void go_on(struct switching *s, double u)
{
    if (!s->is_on && !isnan(s->since)) {
        s->offs++;
        s->whole_off += u - s->since;
    }
    s->first = s->starts++ == 0 ? u : s->first;
    s->last = u;
    s->is_on = true;
    s->since = u;
}

static void go_off(struct switching *s, double u)
{
    if (s->is_on && !isnan(s->since)) {
        s->ons++;
        s->whole_on += u - s->since;
    }
    s->is_on = false;
    s->since = u;
}

/* Whether the value calls for the other state. */
static bool is_across(const struct switching *s, const double levels[2], double value)
{
    return s->is_on ? value < levels[1] : value >= levels[0];
}

static void go_along(struct switching *s, double from, double to)
{
    if (s->is_on)
        s->time_on += to - from;
    else
        s->time_off += to - from;
}

static void toggle(struct switching *s, double u)
{
    (s->is_on ? go_off : go_on)(s, u);
}

/* With the first piece it is known what is on; others may begin with a jump. */
static void begin_piece(const struct measurements *all, struct switching *s, const double levels[2],
                        const struct sample *at, double value)
{
    if (!s->known)
        *s = (struct switching){.known = true, .is_on = value >= levels[0], .since = NAN};
    else if (is_across(s, levels, value) && fabs(value - levels[s->is_on]) > all->curve.apart * s->largest)
        toggle(s, at->u);
}

void watch_switching(struct measurements *all, struct measurement *item, double from, double to)
{
    struct switching *s = &item->switching;
    const double levels[] = {item->card->on, item->card->off}; /* to go on, to go off */
    double here = from;
    measure_fill(all);
    double before = measure_value_of(all, &item->signal, &all->points[0]);
    begin_piece(all, s, levels, &all->points[0], before);
    for (int k = 0, next; (next = measure_next_point(all, k)) < CURVE_POINTS; k = next) {
        const struct sample *left = &all->points[k], *right = &all->points[next];
        const double after = measure_value_of(all, &item->signal, right);
        const bool crosses = is_across(s, levels, after), there = is_across(s, levels, before);
        s->largest = fmax(s->largest, fmax(fabs(before), fabs(after)));
        before = after;
        if (!crosses)
            continue;
        if (!there)
            locate(all, &item->signal, NULL, levels[s->is_on], left, right);
        const double u = there ? left->u : all->spare.u;
        if (u >= from && u <= to) {
            go_along(s, here, u);
            toggle(s, u);
            here = u;
        } else {
            s->is_on = !s->is_on;
            s->since = NAN;
        }
    }
    go_along(s, here, to);
}
