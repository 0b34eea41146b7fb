/* measure.c - see measure.h: what is measured, and the pieces as they come. */
#include "analyses/measure/measure_parts.h"

#include <math.h>
#include <stdlib.h>

/* ---- a piece ---- */

static void begin_items(struct measurements *all, double sign)
{
    all->sign = sign;
    for (size_t i = 0; i < all->count; i++)
        if (!all->items[i].card->depends)
            measure_begin(all, &all->items[i]);
}

static void watch_items(struct measurements *all)
{
    for (size_t i = 0; i < all->count; i++)
        if (!all->items[i].card->depends)
            measure_watch_piece(all, &all->items[i]);
}

static enum kn_status take_first_point(struct measurements *all, const struct measure_piece *piece)
{
    all->sign = 1;
    measure_take_piece(all, piece);
    all->sign = 0;
    all->has_point = true;
    return all->status;
}

void measure_watch_point(struct measurements *all)
{
    if (all->sign != 0 || !all->has_point)
        return;
    begin_items(all, 1);
    watch_items(all);
    if (all->keeps && all->status == KN_OK)
        all->status = measure_keep_point(all);
    measure_remember_end(all);
}

static bool begins(struct measurements *all, const struct measure_piece *piece)
{
    if (all->sign == 0)
        begin_items(all, piece->to >= piece->from ? 1 : -1);
    const bool forward = all->sign * (piece->to - piece->from) > 0;
    const bool back = all->sign * (piece->to - piece->from) < 0;
    if (all->curve.domain == MEASURE_OF_VECTORS)
        all->returned |= back; /* to the next sweep */
    else
        all->unordered |= back;
    return forward;
}

enum kn_status measure_piece(struct measurements *all, const struct measure_piece *piece)
{
    if (all->sign == 0 && piece->from == piece->to)
        return take_first_point(all, piece);
    if (!begins(all, piece))
        return KN_OK;
    measure_take_piece(all, piece);
    watch_items(all);
    if (all->keeps && all->status == KN_OK)
        all->status = measure_keep(all, piece);
    measure_remember_end(all);
    return all->status;
}

/* ---- the whole ---- */

static bool event_init(struct measurements *all, struct watched_event *e, const struct measure_event *event)
{
    if (!event->is_point && !event->signal)
        return true;
    e->event = event;
    return signal_init(&e->signal, &all->set, event->signal) && signal_init(&e->level, &all->set, event->level);
}

static bool item_init(struct measurements *all, struct measurement *item, size_t number)
{
    const struct measure *card = &all->circuit->measures[number];
    *item = (struct measurement){.card = card,
                                 .number = number,
                                 .given = NAN,
                                 .low = INFINITY,
                                 .high = -INFINITY,
                                 .low_there = INFINITY,
                                 .high_there = -INFINITY,
                                 .switching = {.since = NAN},
                                 .runs = {.extreme_u = NAN, .last_u = NAN}};
    if (isnan(card->on))
        item->reason = card->kind >= MEASURE_DUTY && card->kind <= MEASURE_OFF ? "ON=level is missing" : NULL;
    all->keeps |= card->depends && card->kind != MEASURE_FORMULA;
    return signal_init(&item->signal, &all->set, card->signal) && signal_init(&item->other, &all->set, card->other) &&
           event_init(all, &item->trigger, &card->trigger) && event_init(all, &item->target, &card->target);
}

static bool sample_init(const struct measurements *all, struct sample *s)
{
    s->u = INFINITY;
    s->values = calloc(all->numbers + 1, sizeof *s->values);
    return s->values != NULL;
}

static bool is_asked(const struct circuit *c, const struct measure_curve *curve, size_t number)
{
    return c->measures[number].domain == curve->domain && (!curve->chosen || curve->chosen[number]);
}

static bool fill(struct measurements *all)
{
    const struct circuit *c = all->circuit;
    bool good = (all->items = calloc(c->measure_count + 1, sizeof *all->items)) != NULL;
    for (size_t i = 0; i < c->measure_count && good; i++)
        if (is_asked(c, &all->curve, i))
            good = item_init(all, &all->items[all->count++], i);
    all->numbers = signals_numbers(&all->set);
    for (int k = 0; k < CURVE_POINTS && good; k++)
        good = sample_init(all, &all->points[k]);
    for (int k = 0; k < CURVE_TESTS && good; k++)
        good = sample_init(all, &all->tests[k]);
    all->scales = calloc(all->numbers + 1, sizeof *all->scales);
    all->split_workspace = calloc(curve_workspace(all->numbers), sizeof(double));
    all->workspace = calloc(curve_workspace(MEASURE_INTEGRATED), sizeof(double));
    return good && all->scales && all->split_workspace && all->workspace && sample_init(all, &all->spare) &&
           sample_init(all, &all->older) && sample_init(all, &all->last);
}

static bool wants_any(const struct circuit *c, const struct measure_curve *curve)
{
    for (size_t i = 0; i < c->measure_count; i++)
        if (is_asked(c, curve, i))
            return true;
    return false;
}

struct measure_curve measure_curve_of_transient(double exact, double relative)
{
    return (struct measure_curve){
        .domain = MEASURE_OF_TRANSIENT, .dense = true, .exact = exact, .apart = relative, .unit = " s"};
}

enum kn_status measure_new(const struct circuit *c, const struct measure_curve *curve, double *results,
                           struct measurements **out)
{
    *out = NULL;
    if (!wants_any(c, curve))
        return KN_OK;
    struct measurements *all = calloc(1, sizeof *all);
    if (!all)
        return KN_ERROR_MEMORY;
    const bool phasors = curve->domain == MEASURE_OF_AC || curve->domain == MEASURE_OF_SPECTRUM;
    all->circuit = c;
    all->curve = *curve;
    all->results = results;
    all->set = (struct signal_set){.circuit = c, .width = phasors ? SIGNAL_PHASOR : SIGNAL_REAL, .results = results};
    const bool good = fill(all);
    all->curve.chosen = NULL; /* fill() has used it; it dies with the caller */
    if (good) {
        *out = all;
        return KN_OK;
    }
    measure_free(all);
    return KN_ERROR_MEMORY;
}

void measure_give(struct measurements *all, size_t number, double value, const char *reason)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].number == number) {
            all->items[i].given = value;
            all->items[i].reason = reason ? reason : all->items[i].reason;
        }
}

struct measure_places measure_places(const struct measurements *all, size_t number)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct measurement *m = &all->items[i];
        if (m->number == number)
            return (struct measure_places){
                m->from,  m->to,    m->trigger.found ? m->trigger.u : NAN, m->target.found ? m->target.u : NAN,
                m->low_u, m->high_u};
    }
    return (struct measure_places){NAN, NAN, NAN, NAN, NAN, NAN};
}

const struct signal_set *measure_signals(const struct measurements *all)
{
    return &all->set;
}

static void event_free(struct watched_event *e)
{
    signal_free(&e->signal);
    signal_free(&e->level);
}

void measure_free(struct measurements *all)
{
    if (!all)
        return;
    for (size_t i = 0; all->items && i < all->circuit->measure_count; i++) {
        signal_free(&all->items[i].signal);
        signal_free(&all->items[i].other);
        event_free(&all->items[i].trigger);
        event_free(&all->items[i].target);
    }
    for (int k = 0; k < CURVE_POINTS; k++)
        free(all->points[k].values);
    for (int k = 0; k < CURVE_TESTS; k++)
        free(all->tests[k].values);
    for (size_t i = 0; i < all->kept_count; i++)
        free(all->kept[i].values);
    free(all->kept);
    free(all->older.values);
    free(all->spare.values);
    free(all->last.values);
    free(all->scales);
    free(all->split_workspace);
    free(all->workspace);
    free(all->set.variables);
    free(all->items);
    free(all);
}
