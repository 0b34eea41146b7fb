/* measure.c - see measure.h.
 *
 * Within a step a signal is looked at in its ends and in the eight points of the Gauss-Legendre formula of order 16 (M.
 * Abramowitz, I. Stegun, Handbook of Mathematical Functions, 1964, table 25.4), which integrates the square of a
 * polynomial of degree seven exactly.  A crossing between two of these points is located by bracket.h, an extreme
 * next to one of them by golden section (J. Kiefer, Proceedings of the American Mathematical Society 4, 1953).
 */
#include "analyses/transient/measure.h"

#include "analyses/observable.h"
#include "integrators/bracket.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GAUSS = 8, POINTS = GAUSS + 2, MOST_ROUNDS = 100 };

static const double gauss_node[GAUSS / 2] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                             0.9602898564975363};
static const double gauss_weight[GAUSS / 2] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                               0.1012285362903763};

/* ---- data ---- */

/* The solution at one time. */
struct sample {
    double t;
    double *x, *dxdt; /* [n] */
};

struct watched_event {
    const struct measure_event *event;
    struct observable signal, level;
    double before; /* signal minus level where the last step ended; NaN: there was none */
    long crossings;
    bool found;
    double time;  /* s */
    double value; /* of the measured signal there */
};

struct measurement {
    const struct measure *card;
    struct observable signal;
    struct watched_event trigger, target;
    double low, high, low_time, high_time;
    double sum;  /* integral of the signal or its square */
    double span; /* s: of the window, so far */
};

struct measurements {
    struct mna *mna;
    size_t n;
    double start;
    struct measurement *items;
    double *results; /* [count of cards] as they are found, for formulas of them */
    size_t count;
    bool needs_slopes;            /* a signal wants the current of an element without an unknown of its own */
    struct sample points[POINTS]; /* of the step; the first is where it began */
    struct sample spare;
};

static double value_at(const struct measurements *all, const struct observable *s, const struct sample *at)
{
    return observable_value(s, all->mna, at->t, at->x, at->dxdt);
}

static double distance_at(const struct measurements *all, const struct watched_event *e, const struct sample *at)
{
    return value_at(all, &e->signal, at) - value_at(all, &e->level, at);
}

/* ---- samples ---- */

static void interpolate(const struct measurements *all, struct integrator *m, double t, struct sample *out)
{
    out->t = t;
    integrator_point(m, t, out->x, all->needs_slopes ? out->dxdt : NULL);
}

/* k-th of the points in [from, to]: the ends and the nodes of Gauss between. */
static double point_time(double from, double to, int k)
{
    if (k == 0)
        return from;
    if (k == POINTS - 1)
        return to;
    const int i = k - 1;
    const double node = i < GAUSS / 2 ? -gauss_node[GAUSS / 2 - 1 - i] : gauss_node[i - GAUSS / 2];
    return 0.5 * (from + to) + 0.5 * (to - from) * node;
}

static double weight_of(int k)
{
    const int i = k - 1;
    return gauss_weight[i < GAUSS / 2 ? GAUSS / 2 - 1 - i : i - GAUSS / 2];
}

/* A point of the part [from, to] of the step: that of the step where the part is all of it. */
static const struct sample *part_point(struct measurements *all, struct integrator *m, double from, double to, int k)
{
    if (from == all->points[0].t && to == m->t)
        return &all->points[k];
    interpolate(all, m, point_time(from, to, k), &all->spare);
    return &all->spare;
}

/* ---- derivatives ---- */

/* Of the signal at t in the step: that of the polynomial through its values at the points of the step, by the second
 * barycentric formula (J.-P. Berrut, L. N. Trefethen, SIAM Review 46, 2004, section 9.3).  So it is as exact for
 * currents of elements, whose slopes are slopes of slopes, as for voltages. */
static double derivative_at(struct measurements *all, struct integrator *m, const struct observable *signal, double t)
{
    double times[POINTS], weights[POINTS], values[POINTS];
    const double begin = all->points[0].t, length = m->t - begin;
    for (int k = 0; k < POINTS; k++) {
        times[k] = (all->points[k].t - begin) / length;
        values[k] = value_at(all, signal, &all->points[k]);
        weights[k] = 1;
    }
    for (int k = 0; k < POINTS; k++)
        for (int i = 0; i < POINTS; i++)
            weights[k] /= i == k ? 1 : times[k] - times[i];
    const double at = fmin(fmax((t - begin) / length, 0), 1);
    double slope = 0;
    for (int k = 0; k < POINTS; k++)
        if (at == times[k]) {
            for (int i = 0; i < POINTS; i++)
                slope += i == k ? 0 : weights[i] / weights[k] * (values[i] - values[k]) / (at - times[i]);
            return slope / length;
        }
    double sum = 0, value = 0;
    for (int k = 0; k < POINTS; k++) {
        sum += weights[k] / (at - times[k]);
        value += weights[k] / (at - times[k]) * values[k];
    }
    value /= sum;
    for (int k = 0; k < POINTS; k++)
        slope += weights[k] / (at - times[k]) * (value - values[k]) / (at - times[k]);
    return slope / sum / length;
}

/* What FIND or DERIV takes from the signal when its event happens. */
static void take_event(struct measurements *all, const struct measurement *item, struct watched_event *e,
                       struct integrator *m, const struct sample *at)
{
    e->found = true;
    e->time = at->t;
    if (item->card->kind == MEASURE_FIND)
        e->value = value_at(all, &item->signal, at);
    else if (item->card->kind == MEASURE_DERIVATIVE)
        e->value = derivative_at(all, m, &item->signal, at->t);
}

/* ---- events ---- */

static bool is_complete(const struct watched_event *e)
{
    return e->found && !e->event->is_time && e->event->count > 0;
}

static bool is_crossing(const struct measure_event *e, double before, double after)
{
    const bool rises = before < 0 && after >= 0, falls = before > 0 && after <= 0;
    return (rises && e->crossing != CROSSING_FALL) || (falls && e->crossing != CROSSING_RISE);
}

static bool is_in_window(const struct measurement *item, const struct watched_event *e, double t)
{
    return t >= e->event->delay && t >= item->card->from && t <= item->card->to;
}

/* The event happens at a sample, if it is the one that counts. */
static void count_crossing(struct measurements *all, const struct measurement *item, struct watched_event *e,
                           struct integrator *m, const struct sample *at)
{
    if (!is_in_window(item, e, at->t))
        return;
    e->crossings++;
    if (e->event->count == 0 || e->crossings == e->event->count)
        take_event(all, item, e, m, at);
}

/* Leaves the sample at the crossing in all->spare. */
static void locate(struct measurements *all, struct integrator *m, const struct watched_event *e, double left,
                   double d_left, double right, double d_right)
{
    struct bracket b = {left, right, d_left, d_right, 0, 0};
    const bool rises = d_left < 0;
    for (double t; bracket_next(&b, &t);) {
        interpolate(all, m, t, &all->spare);
        const double d = distance_at(all, e, &all->spare);
        bracket_narrow(&b, t, d, rises ? d >= 0 : d <= 0);
    }
    interpolate(all, m, b.right, &all->spare);
}

/* At a jump the value behind it counts, which the next step has. */
static void watch_time(struct measurements *all, struct measurement *item, struct watched_event *e,
                       struct integrator *m)
{
    const double t = e->event->time;
    if (t < all->points[0].t || t > m->t)
        return;
    if (t > all->points[0].t)
        interpolate(all, m, t, &all->spare);
    take_event(all, item, e, m, t > all->points[0].t ? &all->spare : &all->points[0]);
}

static void watch_event(struct measurements *all, struct measurement *item, struct watched_event *e,
                        struct integrator *m)
{
    if (!e->event || is_complete(e))
        return;
    if (e->event->is_time) {
        watch_time(all, item, e, m);
        return;
    }
    double before = distance_at(all, e, &all->points[0]);
    if (is_crossing(e->event, e->before, before)) /* by a jump */
        count_crossing(all, item, e, m, &all->points[0]);
    for (int k = 1; k < POINTS; k++) {
        const double after = distance_at(all, e, &all->points[k]);
        if (is_crossing(e->event, before, after)) {
            locate(all, m, e, all->points[k - 1].t, before, all->points[k].t, after);
            count_crossing(all, item, e, m, &all->spare);
        }
        before = after;
    }
    e->before = before;
}

/* ---- extremes ---- */

static void offer(struct measurement *item, double t, double value)
{
    if (value < item->low) {
        item->low = value;
        item->low_time = t;
    }
    if (value > item->high) {
        item->high = value;
        item->high_time = t;
    }
}

/* The extreme (sign 1: largest, -1: smallest) between `from` and `to`, where the signal has one peak. */
static void refine(struct measurements *all, struct measurement *item, struct integrator *m, double from, double to,
                   double sign)
{
    static const double golden = 0.6180339887498949, enough = 1e-10; /* part of the bracket: a parabola is flat there */
    const double width = to - from;
    for (int round = 0; round < MOST_ROUNDS && to - from > enough * width; round++) {
        const double first = to - golden * (to - from), second = from + golden * (to - from);
        interpolate(all, m, first, &all->spare);
        const double a = value_at(all, &item->signal, &all->spare);
        offer(item, first, a);
        interpolate(all, m, second, &all->spare);
        const double b = value_at(all, &item->signal, &all->spare);
        offer(item, second, b);
        if (sign * a > sign * b)
            to = second;
        else
            from = first;
    }
}

static void watch_extremes(struct measurements *all, struct measurement *item, struct integrator *m, double from,
                           double to)
{
    double times[POINTS], values[POINTS];
    for (int k = 0; k < POINTS; k++) {
        const struct sample *at = part_point(all, m, from, to, k);
        times[k] = at->t;
        values[k] = value_at(all, &item->signal, at);
    }
    const double low = item->low, high = item->high;
    int lowest = 0, highest = 0;
    for (int k = 0; k < POINTS; k++) {
        offer(item, times[k], values[k]);
        lowest = values[k] < values[lowest] ? k : lowest;
        highest = values[k] > values[highest] ? k : highest;
    }
    const double range = values[highest] - values[lowest]; /* a peak between points is higher by less than that */
    if (highest > 0 && highest < POINTS - 1 && values[highest] + range > high)
        refine(all, item, m, times[highest - 1], times[highest + 1], 1);
    if (lowest > 0 && lowest < POINTS - 1 && values[lowest] - range < low)
        refine(all, item, m, times[lowest - 1], times[lowest + 1], -1);
}

/* ---- integrals ---- */

static void watch_integral(struct measurements *all, struct measurement *item, struct integrator *m, double from,
                           double to)
{
    double sum = 0;
    for (int k = 1; k <= GAUSS; k++) {
        const double value = value_at(all, &item->signal, part_point(all, m, from, to, k));
        sum += weight_of(k) * (item->card->kind == MEASURE_RMS ? value * value : value);
    }
    item->sum += 0.5 * (to - from) * sum;
    item->span += to - from;
}

/* ---- the whole ---- */

static void watch(struct measurements *all, struct measurement *item, struct integrator *m)
{
    watch_event(all, item, &item->trigger, m);
    watch_event(all, item, &item->target, m);
    const double from = fmax(fmax(m->previous, all->start), item->card->from), to = fmin(m->t, item->card->to);
    if (!(from < to))
        return;
    switch (item->card->kind) {
    case MEASURE_AVERAGE:
    case MEASURE_RMS:
    case MEASURE_INTEGRAL:
        watch_integral(all, item, m, from, to);
        break;
    case MEASURE_MINIMUM:
    case MEASURE_MAXIMUM:
    case MEASURE_PEAK_TO_PEAK:
    case MEASURE_MINIMUM_TIME:
    case MEASURE_MAXIMUM_TIME:
        watch_extremes(all, item, m, from, to);
        break;
    case MEASURE_DELAY:
    case MEASURE_WHEN:
    case MEASURE_FIND:
    case MEASURE_DERIVATIVE:
    case MEASURE_NOTHING:
    case MEASURE_FORMULA:
        break;
    }
}

void measure_point(struct measurements *all, double t, const double *x)
{
    struct sample *here = &all->points[0];
    here->t = t;
    memcpy(here->x, x, all->n * sizeof *x);
}

/* The points of a step that begins where the last one ended, or at `start`. */
static void fill_points(struct measurements *all, struct integrator *m, double from)
{
    if (from > m->previous) {
        interpolate(all, m, from, &all->points[0]);
    } else if (all->needs_slopes) {
        interpolate(all, m, from, &all->spare);
        memcpy(all->points[0].dxdt, all->spare.dxdt, all->n * sizeof(double));
    }
    for (int k = 1; k < POINTS; k++)
        interpolate(all, m, point_time(from, m->t, k), &all->points[k]);
    memcpy(all->points[POINTS - 1].x, m->x, all->n * sizeof *m->x);
}

void measure_step(struct measurements *all, struct integrator *m)
{
    const double from = fmax(m->previous, all->start);
    if (!(from < m->t)) {
        measure_point(all, m->t, m->x); /* where tstart is the end of a step, the next one begins */
        return;
    }
    fill_points(all, m, from);
    for (size_t i = 0; i < all->count; i++)
        watch(all, &all->items[i], m);
    const struct sample began = all->points[0];
    all->points[0] = all->points[POINTS - 1];
    all->points[POINTS - 1] = began;
}

static bool take_signal(struct measurements *all, struct observable *s, const struct expression *e)
{
    const bool good = observable_init(s, all->mna, e, all->results);
    all->needs_slopes |= s->needs_slopes;
    return good;
}

static bool event_init(struct measurements *all, struct watched_event *e, const struct measure_event *event)
{
    if (!event->is_time && !event->signal)
        return true;
    e->event = event;
    e->before = NAN;
    return take_signal(all, &e->signal, event->signal) && take_signal(all, &e->level, event->level);
}

static bool sample_init(struct sample *s, size_t n)
{
    s->x = calloc(n, sizeof *s->x);
    s->dxdt = calloc(n, sizeof *s->dxdt);
    return s->x && s->dxdt;
}

static bool fill(struct measurements *all, const struct circuit *c)
{
    all->items = calloc(c->measure_count + 1, sizeof *all->items);
    all->results = calloc(c->measure_count + 1, sizeof *all->results);
    bool good = all->items && all->results && sample_init(&all->spare, all->n);
    for (int k = 0; k < POINTS && good; k++)
        good = sample_init(&all->points[k], all->n);
    for (; all->count < c->measure_count && good; all->count++) {
        struct measurement *item = &all->items[all->count];
        item->card = &c->measures[all->count];
        item->low = INFINITY;
        item->high = -INFINITY;
        good = take_signal(all, &item->signal, item->card->signal) &&
               event_init(all, &item->trigger, &item->card->trigger) &&
               event_init(all, &item->target, &item->card->target);
    }
    return good;
}

enum kn_status measure_new(struct mna *m, int n, double start, struct measurements **out)
{
    struct measurements *all = calloc(1, sizeof *all);
    *out = all;
    if (!all)
        return KN_ERROR_MEMORY;
    all->mna = m;
    all->n = (size_t)n;
    all->start = start;
    if (fill(all, mna_circuit(m)))
        return KN_OK;
    measure_free(all);
    *out = NULL;
    return KN_ERROR_MEMORY;
}

void measure_watch(const struct measurements *all, bool *watched)
{
    for (int i = 0; i < mna_unknown_count(all->mna) && all->needs_slopes; i++)
        watched[i] = true; /* of a device without a current of its own */
    for (size_t i = 0; i < all->count; i++) {
        const struct measurement *item = &all->items[i];
        const struct observable *const signals[] = {&item->signal, &item->trigger.signal, &item->trigger.level,
                                                    &item->target.signal, &item->target.level};
        for (size_t k = 0; k < sizeof signals / sizeof signals[0]; k++)
            observable_watch(signals[k], watched);
    }
}

static void event_free(struct watched_event *e)
{
    observable_free(&e->signal);
    observable_free(&e->level);
}

void measure_free(struct measurements *all)
{
    if (!all)
        return;
    for (size_t i = 0; all->items && i < mna_circuit(all->mna)->measure_count; i++) {
        observable_free(&all->items[i].signal);
        event_free(&all->items[i].trigger);
        event_free(&all->items[i].target);
    }
    for (int k = 0; k < POINTS; k++) {
        free(all->points[k].x);
        free(all->points[k].dxdt);
    }
    free(all->spare.x);
    free(all->spare.dxdt);
    free(all->results);
    free(all->items);
    free(all);
}

/* ---- results ---- */

/* "v(out) rises through 2.5 4 times, not 7" */
static void explain_crossings(const struct watched_event *e, const struct measure *card, const char *role,
                              struct kn_diagnostics *d)
{
    static const char *const ways[] = {"crosses", "rises through", "falls through"};
    const struct measure_event *event = e->event;
    const bool window = event->delay > 0 || card->from > 0 || isfinite(card->to);
    const char *where = window ? "from TD or FROM on, up to TO" : "in the run";
    struct arena *scratch = arena_new();
    const char *signal = scratch ? expression_print(scratch, event->signal, NULL) : NULL;
    const char *level = scratch ? expression_print(scratch, event->level, NULL) : NULL;
    signal = signal ? signal : "the signal";
    level = level ? level : "the level";
    if (e->crossings == 0)
        diagnostics_add(d, KN_WARNING, "measure-failed", card->where, "--plot shows the waveform",
                        "%s: %s%s never %s %s %s", card->name, role, signal, ways[event->crossing], level, where);
    else
        diagnostics_add(d, KN_WARNING, "measure-failed", card->where, NULL, "%s: %s%s %s %s %s %ld time%s, not %ld",
                        card->name, role, signal, ways[event->crossing], level, where, e->crossings,
                        e->crossings == 1 ? "" : "s", event->count);
    arena_free(scratch);
}

static void report_event(const struct watched_event *e, const struct measure *card, const char *role,
                         struct kn_diagnostics *d)
{
    if (!e->event || e->found)
        return;
    if (e->event->is_time)
        diagnostics_add(d, KN_WARNING, "measure-failed", card->where, NULL, "%s: %s%g s is not within the run",
                        card->name, role, e->event->time);
    else
        explain_crossings(e, card, role, d);
}

static void report_extreme(const struct measurement *item, double value, double t, struct kn_measurement *out)
{
    const bool time_wanted = item->card->kind == MEASURE_MINIMUM_TIME || item->card->kind == MEASURE_MAXIMUM_TIME;
    out->value = !isfinite(value) ? NAN : time_wanted ? t : value;
    out->at = time_wanted || !isfinite(value) ? NAN : t;
}

static void fill_result(const struct measurements *all, const struct measurement *item, struct kn_measurement *out)
{
    const struct watched_event *trigger = &item->trigger, *target = &item->target;
    const double average = item->sum / item->span; /* NaN where the window was empty */
    switch (item->card->kind) {
    case MEASURE_DELAY:
        out->from = trigger->found ? trigger->time : NAN;
        out->to = target->found ? target->time : NAN;
        out->value = out->to - out->from;
        break;
    case MEASURE_WHEN:
        out->value = target->found ? target->time : NAN;
        break;
    case MEASURE_FIND:
    case MEASURE_DERIVATIVE:
        out->value = target->found ? target->value : NAN;
        out->at = target->found ? target->time : NAN;
        break;
    case MEASURE_AVERAGE:
        out->value = average;
        break;
    case MEASURE_RMS:
        out->value = sqrt(average);
        break;
    case MEASURE_INTEGRAL:
        out->value = item->span > 0 ? item->sum : NAN;
        break;
    case MEASURE_MINIMUM:
    case MEASURE_MINIMUM_TIME:
        report_extreme(item, item->low, item->low_time, out);
        break;
    case MEASURE_MAXIMUM:
    case MEASURE_MAXIMUM_TIME:
        report_extreme(item, item->high, item->high_time, out);
        break;
    case MEASURE_PEAK_TO_PEAK:
        out->value = isfinite(item->low) ? item->high - item->low : NAN;
        break;
    case MEASURE_NOTHING:
        break;
    case MEASURE_FORMULA:
        out->value = observable_value(&item->signal, all->mna, 0, NULL, NULL);
        break;
    }
}

void measure_report(struct measurements *all, struct kn_diagnostics *d,
                    void (*measured)(void *context, const struct kn_measurement *m), void *context)
{
    for (size_t i = 0; i < all->count; i++) {
        struct measurement *item = &all->items[i];
        struct kn_measurement out = {.name = item->card->name, .value = NAN, .at = NAN, .from = NAN, .to = NAN};
        fill_result(all, item, &out);
        all->results[i] = out.value;
        report_event(&item->trigger, item->card, "TRIG: ", d);
        report_event(&item->target, item->card, item->card->kind == MEASURE_DELAY ? "TARG: " : "", d);
        if (isnan(out.value) && item->card->kind == MEASURE_FORMULA)
            diagnostics_add(d, KN_WARNING, "measure-failed", item->card->where, NULL,
                            "%s: a result in its formula was not found, or the formula has no value there",
                            item->card->name);
        else if (isnan(out.value) && !item->target.event && item->card->kind != MEASURE_NOTHING)
            diagnostics_add(d, KN_WARNING, "measure-failed", item->card->where, NULL,
                            "%s: there is no result between FROM and TO, or it is not finite", item->card->name);
        if (measured)
            measured(context, &out);
    }
}
