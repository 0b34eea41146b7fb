/* measure_report.c - results of measurements, and why there are none. */
#include "analyses/measure/measure_parts.h"

#include <math.h>

/* ---- what depends on results ---- */

static void watch_trigger(struct measurements *all, struct measurement *item)
{
    watch_event(all, item, &item->trigger);
}

static void watch_target(struct measurements *all, struct measurement *item)
{
    watch_event(all, item, &item->target);
}

/* The window between two events; of a rise of the signal, which may last to the end. */
static void frame_events(struct measurements *all, struct measurement *item, const struct curve_look *live)
{
    const bool of_runs = item->card->runs;
    if (item->trigger.event)
        measure_replay(all, item, live, watch_trigger);
    if (of_runs && item->trigger.found)
        item->target.delay = nextafter(item->trigger.u, INFINITY);
    if (item->target.event)
        measure_replay(all, item, live, watch_target);
    if (item->trigger.event)
        item->from = item->trigger.found ? fmax(item->from, item->trigger.u) : NAN;
    if (item->target.event && (item->target.found || !of_runs))
        item->to = item->target.found ? fmin(item->to, item->target.u) : NAN;
}

static void frame_run(struct measurements *all, struct measurement *item, const struct curve_look *live)
{
    static const char *const missing[] = {"the signal has no such crossing", "the signal does not rise so often",
                                          "the signal does not fall so often"};
    struct runs *r = &item->runs;
    measure_replay(all, item, live, watch_runs);
    const bool found = r->open || r->done || (item->card->run_count == 0 && r->counts[item->card->run] > 0);
    item->from = found ? fmax(item->from, r->from) : NAN;
    item->to = found ? fmin(item->to, r->open ? INFINITY : r->to) : NAN;
    item->reason = found ? item->reason : missing[item->card->run];
}

static void measure_dependent(struct measurements *all, struct measurement *item, const struct curve_look *live)
{
    const bool is_event = item->card->kind <= MEASURE_DERIVATIVE;
    measure_begin(all, item);
    const double numbers[] = {item->from,          item->to,           item->trigger.point,
                              item->trigger.delay, item->target.point, item->target.delay};
    bool known = true;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        known &= !isnan(numbers[i]);
    if (!known) {
        item->reason = "a result that it depends on was not found";
        return;
    }
    if (item->card->runs && !item->trigger.event)
        frame_run(all, item, live);
    else if (!is_event)
        frame_events(all, item, live);
    measure_replay(all, item, live, measure_watch_piece);
}

/* ---- why there is no result ---- */

static const struct signal *named(const struct signal *s)
{
    return s->expression ? s : NULL;
}

/* "v(out) rises through 2.5 4 times, not 7" */
static void explain_crossings(const struct watched_event *e, const struct measure *card, const char *role,
                              struct kn_diagnostics *d)
{
    static const char *const ways[] = {"crosses", "rises through", "falls through"};
    const struct measure_event *event = e->event;
    const bool window = event->delay.value != 0 || event->delay.formula || isfinite(card->from.value) ||
                        isfinite(card->to.value) || card->from.formula || card->to.formula;
    const char *where = window ? "from TD or FROM on, up to TO" : "in the run";
    struct arena *scratch = arena_new();
    const char *signal = scratch ? expression_print(scratch, event->signal, NULL) : NULL;
    const char *level = scratch && named(&e->level) ? expression_print(scratch, event->level, NULL) : NULL;
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

/* Whether it has told. */
static bool explain_event(const struct measurements *all, const struct watched_event *e, const struct measure *card,
                          const char *role, struct kn_diagnostics *d)
{
    if (!e->event || e->found)
        return false;
    if (e->event->is_point)
        diagnostics_add(d, KN_WARNING, "measure-failed", card->where, NULL, "%s: %s%g%s is not within the run",
                        card->name, role, all->sign * e->point, all->curve.unit);
    else
        explain_crossings(e, card, role, d);
    return true;
}

static void explain(const struct measurements *all, const struct measurement *item, struct kn_diagnostics *d)
{
    const struct measure *card = item->card;
    const bool two = card->kind > MEASURE_WHEN || card->kind == MEASURE_DELAY;
    const bool events = card->kind == MEASURE_DELAY || card->depends;
    const char *reason = item->reason;
    if (card->kind == MEASURE_NOTHING)
        return; /* said when it was read */
    if (all->unordered)
        reason = "the values of the sweep do not go up or down all the way";
    else if (!reason && all->sign == 0)
        reason = "there is no point of the curve";
    else if (!reason && card->kind == MEASURE_DISTANCE && item->compared < card->point_count)
        reason = "the file has points behind the run";
    if (!reason && explain_event(all, &item->trigger, card, two && events ? "TRIG: " : "", d) +
                       explain_event(all, &item->target, card,
                                     card->kind == MEASURE_DELAY || card->kind > MEASURE_DERIVATIVE ? "TARG: " : "", d))
        return;
    if (!reason && card->kind == MEASURE_FORMULA)
        reason = "a result in its formula was not found, or the formula has no value there";
    else if (!reason)
        reason = "there is no result between FROM and TO, or it is not finite";
    diagnostics_add(d, KN_WARNING, "measure-failed", card->where, NULL, "%s: %s", card->name, reason);
}

/* ---- results ---- */

static void take_extreme(const struct measurements *all, const struct measurement *item, double value, double u,
                         struct kn_measurement *out)
{
    const bool point_wanted = item->card->kind == MEASURE_MINIMUM_AT || item->card->kind == MEASURE_MAXIMUM_AT;
    out->value = !isfinite(value) ? NAN : point_wanted ? all->sign * u : value;
    out->at = isfinite(value) ? all->sign * u : NAN;
}

static void take_switching(const struct measurement *item, struct kn_measurement *out)
{
    const struct switching *s = &item->switching;
    switch (item->card->kind) {
    case MEASURE_DUTY:
        out->value = s->time_on / (s->time_on + s->time_off);
        break;
    case MEASURE_FREQUENCY:
        out->value = s->starts > 1 ? (double)(s->starts - 1) / (s->last - s->first) : NAN;
        break;
    case MEASURE_ON:
        out->value = s->ons > 0 ? s->whole_on / (double)s->ons : NAN;
        break;
    default:
        out->value = s->offs > 0 ? s->whole_off / (double)s->offs : NAN;
        break;
    }
}

/* Voltages and currents in it are those where the curve ends. */
static double formula_value(const struct measurements *all, const struct measurement *item)
{
    const struct expression *e = item->card->signal;
    bool needs_curve = expression_uses_time(e);
    for (size_t i = 0; i < expression_variable_count(e); i++)
        needs_curve |= expression_variables(e)[i].kind != EXPRESSION_RESULT;
    return needs_curve && all->sign == 0 ? NAN : measure_value_of(all, &item->signal, &all->last);
}

static void take_result(const struct measurements *all, const struct measurement *item, struct kn_measurement *out)
{
    const struct watched_event *trigger = &item->trigger, *target = &item->target;
    const double mean = item->sum / item->span; /* NaN where the window was empty */
    switch (item->card->kind) {
    case MEASURE_DELAY:
        out->from = trigger->found ? all->sign * trigger->u : NAN;
        out->to = target->found ? all->sign * target->u : NAN;
        out->value = out->to - out->from;
        break;
    case MEASURE_WHEN:
        out->value = out->at = target->found ? all->sign * target->u : NAN;
        break;
    case MEASURE_FIND:
    case MEASURE_DERIVATIVE:
        out->value = target->found ? target->value : NAN;
        out->at = target->found ? all->sign * target->u : NAN;
        break;
    case MEASURE_AVERAGE:
    case MEASURE_ERROR_ABSOLUTE:
    case MEASURE_ERROR_LOGARITHM:
        out->value = mean;
        break;
    case MEASURE_RMS:
    case MEASURE_ERROR_SQUARE:
        out->value = sqrt(mean);
        break;
    case MEASURE_DISTANCE:
        out->value = item->span == 0 ? NAN : item->card->norm == NORM_SQUARES ? sqrt(item->sum) : item->sum;
        break;
    case MEASURE_INTEGRAL:
        out->value = item->span > 0 ? item->sum : NAN;
        if (all->curve.domain == MEASURE_OF_NOISE) /* of densities: the root of what their squares add up to */
            out->value = sqrt(out->value);
        break;
    case MEASURE_MINIMUM:
    case MEASURE_MINIMUM_AT:
        take_extreme(all, item, item->low, item->low_u, out);
        break;
    case MEASURE_MAXIMUM:
    case MEASURE_MAXIMUM_AT:
        take_extreme(all, item, item->high, item->high_u, out);
        break;
    case MEASURE_PEAK_TO_PEAK:
        out->value = isfinite(item->low) ? item->high - item->low : NAN;
        break;
    case MEASURE_DUTY:
    case MEASURE_FREQUENCY:
    case MEASURE_ON:
    case MEASURE_OFF:
        take_switching(item, out);
        break;
    case MEASURE_FORMULA:
        out->value = formula_value(all, item);
        break;
    default:
        out->value = item->given;
        break;
    }
}

static void tell(struct measurements *all, struct measurement *item, const struct measure_listener *listener)
{
    const struct measure *card = item->card;
    struct kn_measurement out = {.name = card->name,
                                 .value = NAN,
                                 .at = NAN,
                                 .from = NAN,
                                 .to = NAN,
                                 .unit = all->curve.unit,
                                 .goal = card->has_goal ? card->goal : NAN,
                                 .weight = card->weight,
                                 .lowest = card->lowest,
                                 .highest = card->highest};
    const bool short_of = card->kind == MEASURE_DISTANCE && item->compared < card->point_count;
    if (!item->reason && !all->unordered && !short_of)
        take_result(all, item, &out);
    out.value = isfinite(out.value) ? out.value : NAN;
    out.found = !isnan(out.value);
    out.at = out.found ? out.at : NAN;
    all->results[item->number] = out.value;
    if (!out.found)
        explain(all, item, listener->diagnostics);
    if (!out.found && card->has_default)
        all->results[item->number] = out.value = card->otherwise;
    struct arena *names = listener->behind ? arena_new() : NULL;
    const char *name = names ? arena_format(names, "%s%s", card->name, listener->behind) : NULL;
    out.name = name ? name : out.name;
    if (listener->measured)
        listener->measured(listener->context, &out);
    arena_free(names);
}

enum kn_status measure_report(struct measurements *all, const struct curve_look *look,
                              const struct measure_listener *listener)
{
    measure_watch_point(all);
    for (size_t i = 0; i < all->count && all->status == KN_OK; i++) {
        struct measurement *item = &all->items[i];
        if (item->card->depends && item->card->kind != MEASURE_FORMULA && all->sign != 0 && !item->reason)
            measure_dependent(all, item, look);
        if (all->status == KN_OK)
            tell(all, item, listener);
    }
    return all->status;
}
