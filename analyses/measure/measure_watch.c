/* measure_watch.c - what the next piece of the curve says about a measurement, by its kind. */
#include "analyses/measure/measure_parts.h"

#include <math.h>

/* The number that a card means, as a point u. */
static double point_of(const struct measurements *all, const struct measure_number *number)
{
    double value = number->value;
    if (number->formula) {
        struct signal s;
        struct signal_set set = all->set;
        value = signal_init(&s, &set, number->formula) ? signal_at(&s, 0, NULL) : NAN;
        signal_free(&s);
    }
    return all->sign * value;
}

void measure_watch_piece(struct measurements *all, struct measurement *item)
{
    const bool is_event = item->card->kind <= MEASURE_DERIVATIVE;
    if (is_event) {
        watch_event(all, item, &item->trigger);
        watch_event(all, item, &item->target);
        return;
    }
    if (item->card->kind == MEASURE_DISTANCE) {
        watch_comparison(all, item);
        return;
    }
    const double from = fmax(all->points[0].u, item->from), to = fmin(all->points[CURVE_POINTS - 1].u, item->to);
    const bool is_point = all->points[0].u == all->points[CURVE_POINTS - 1].u;
    if (is_point ? !(from <= to) : !(from < to))
        return;
    switch (item->card->kind) {
    case MEASURE_AVERAGE:
    case MEASURE_RMS:
    case MEASURE_INTEGRAL:
    case MEASURE_ERROR_SQUARE:
    case MEASURE_ERROR_ABSOLUTE:
    case MEASURE_ERROR_LOGARITHM:
        if (is_point)
            watch_mean_point(all, item, from);
        else
            watch_integral(all, item, from, to);
        break;
    case MEASURE_DUTY:
    case MEASURE_FREQUENCY:
    case MEASURE_ON:
    case MEASURE_OFF:
        watch_switching(all, item, from, to);
        break;
    case MEASURE_MINIMUM:
    case MEASURE_MAXIMUM:
    case MEASURE_PEAK_TO_PEAK:
    case MEASURE_MINIMUM_AT:
    case MEASURE_MAXIMUM_AT:
        watch_extremes(all, item, from, to);
        break;
    default:
        break;
    }
}

static void begin_event(const struct measurements *all, struct watched_event *e)
{
    e->before = NAN;
    e->side = 0;
    if (!e->event)
        return;
    e->point = point_of(all, &e->event->point);
    e->delay = e->event->delay.value == 0 && !e->event->delay.formula ? -INFINITY : point_of(all, &e->event->delay);
}

void measure_begin(const struct measurements *all, struct measurement *item)
{
    const double from = point_of(all, &item->card->from), to = point_of(all, &item->card->to);
    item->from = fmin(from, to);
    item->to = fmax(from, to);
    if (isnan(from) || isnan(to))
        item->from = item->to = NAN;
    begin_event(all, &item->trigger);
    begin_event(all, &item->target);
}
