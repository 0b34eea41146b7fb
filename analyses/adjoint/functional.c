/* functional.c - see functional.h.
 *
 * A value at a given time changes as the curve does there; a crossing of a level by s at t* as -ds(t*)/s'(t*); an integral
 * as the integral of the changes, and with its ends; an extreme as the curve does where it is, since the slope is 0 there;
 * a formula of results by the chain rule.
 */
#include "analyses/adjoint/functional.h"

#include "analyses/probes.h"

#include <math.h>
#include <stdlib.h>

enum { GAUSS = 5 };

/* Gauss-Legendre on [0, 1]: exact for the product of two polynomials of a step. */
static const double gauss_at[GAUSS] = {0.046910077030668, 0.2307653449471585, 0.5, 0.7692346550528415,
                                       0.953089922969332};
static const double gauss_weight[GAUSS] = {0.1184634425280945, 0.2393143352496832, 0.2844444444444444,
                                           0.2393143352496832, 0.1184634425280945};
/* Of a step: differences of slopes. */
static const double BESIDE = 1e-3;

static enum kn_status refuse(const struct functional *f, size_t number, const char *hint, const char *what)
{
    diagnostics_add(f->diagnostics, KN_ERROR, "sens-measure", f->where, hint, "'.sens': the result '%s' %s",
                    f->circuit->measures[number].name, what);
    return KN_ERROR_DECK;
}

/* ---- expressions along the orbit ---- */

/* One of them, its variables and its derivatives with respect to them. */
struct looked {
    double value, slope; /* per second */
    double *variables, *rates, *gradient, *workspace;
};

static bool looked_new(const struct expression *e, struct looked *out)
{
    const size_t count = expression_variable_count(e) + 1;
    *out = (struct looked){.variables = calloc(count, sizeof(double)),
                           .rates = calloc(count, sizeof(double)),
                           .gradient = calloc(count, sizeof(double)),
                           .workspace = calloc(expression_workspace(e) + 1, sizeof(double))};
    return out->variables && out->rates && out->gradient && out->workspace;
}

static void looked_free(struct looked *l)
{
    free(l->variables);
    free(l->rates);
    free(l->gradient);
    free(l->workspace);
}

static double part_of(const struct functional *f, double t)
{
    return fmin(fmax((t - f->orbit->start) / f->orbit->period, 0), 1);
}

/* Sum of the values of an unknown at the four points of a place, weighted. */
static double combine(const struct functional *f, const struct orbit_place *p, const double weights[4], int unknown)
{
    double sum = 0;
    for (size_t i = 0; i < 4; i++)
        sum += weights[i] * f->orbit->x[p->first + i * (size_t)f->orbit->n + (size_t)unknown];
    return sum;
}

static enum kn_status look_at(const struct functional *f, size_t number, const struct expression *e, double t,
                              struct looked *out)
{
    const struct expression_variable *list = expression_variables(e);
    const struct orbit_place place = orbit_place(f->orbit, part_of(f, t));
    if (!looked_new(e, out))
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < expression_variable_count(e); i++) {
        if (list[i].kind == EXPRESSION_RESULT) {
            out->variables[i] = f->results[list[i].index];
            continue;
        }
        const struct probe probe = probe_of(f->mna, &list[i]);
        if (probe.element >= 0)
            return refuse(f, number, "put a voltage source of 0 V in series and measure its current",
                          "is made of the current of an element that is no unknown of the equations");
        if (probe.unknown >= 0) {
            out->variables[i] = combine(f, &place, place.value, probe.unknown);
            out->rates[i] = combine(f, &place, place.slope, probe.unknown);
        }
    }
    const struct expression_point at = {out->variables, t, f->circuit->temperature, NULL, false};
    out->value = expression_evaluate(e, &at, out->workspace, out->gradient, &out->slope);
    for (size_t i = 0; i < expression_variable_count(e); i++)
        out->slope += out->gradient[i] * out->rates[i];
    return KN_OK;
}

/* What the points of the place count for in a value, or in a slope. */
static void spread(const struct functional *f, const struct orbit_place *p, const double weights[4], int unknown,
                   double factor, double *seed)
{
    for (size_t i = 0; i < 4; i++)
        seed[p->first + i * (size_t)f->orbit->n + (size_t)unknown] += factor * weights[i];
}

/* seed += factor d value; *out may be NULL. */
static enum kn_status add_value(const struct functional *f, size_t number, const struct expression *e, double t,
                                double factor, bool of_slope, double *seed, struct looked *out)
{
    struct looked l = {0};
    if (!e) {
        if (out)
            *out = l;
        return KN_OK;
    }
    enum kn_status status = look_at(f, number, e, t, &l);
    const struct orbit_place place = orbit_place(f->orbit, part_of(f, t));
    const struct expression_variable *list = expression_variables(e);
    for (size_t i = 0; i < expression_variable_count(e) && status == KN_OK && factor != 0; i++) {
        const int unknown = list[i].kind == EXPRESSION_RESULT ? -1 : probe_of(f->mna, &list[i]).unknown;
        if (list[i].kind == EXPRESSION_RESULT && l.gradient[i] != 0)
            status = functional_add(f, (size_t)list[i].index, of_slope ? 0 : factor * l.gradient[i], seed);
        else if (unknown >= 0)
            spread(f, &place, of_slope ? place.slope : place.value, unknown, factor * l.gradient[i], seed);
    }
    looked_free(&l);
    if (out)
        *out = (struct looked){.value = l.value, .slope = l.slope};
    return status;
}

static enum kn_status value_at(const struct functional *f, size_t number, const struct expression *e, double t,
                               struct looked *out)
{
    return add_value(f, number, e, t, 0, false, NULL, out);
}

/* ---- points of the scale ---- */

/* A number that may be a formula of results before it. */
static enum kn_status add_number(const struct functional *f, size_t number, const struct measure_number *n,
                                 double factor, double *seed)
{
    return n->formula ? add_value(f, number, n->formula, f->orbit->start, factor, false, seed, NULL) : KN_OK;
}

/* seed += factor d(point of the event), which is at t. */
static enum kn_status add_event(const struct functional *f, size_t number, const struct measure_event *e, double t,
                                double factor, double *seed)
{
    struct looked signal, level;
    if (e->is_point)
        return add_number(f, number, &e->point, factor, seed);
    if (!isfinite(t))
        return refuse(f, number, NULL, "was not found");
    enum kn_status status = value_at(f, number, e->signal, t, &signal);
    if (status == KN_OK)
        status = value_at(f, number, e->level, t, &level);
    if (status != KN_OK)
        return status;
    const double rate = signal.slope - level.slope;
    if (rate == 0)
        return refuse(f, number, NULL, "only touches its level: its point has no derivative");
    status = add_value(f, number, e->signal, t, -factor / rate, false, seed, NULL);
    return status == KN_OK ? add_value(f, number, e->level, t, factor / rate, false, seed, NULL) : status;
}

/* ---- results ---- */

static enum kn_status add_slope(const struct functional *f, size_t number, double t, double factor, double *seed)
{
    const struct measure *card = &f->circuit->measures[number];
    const struct orbit_place place = orbit_place(f->orbit, part_of(f, t));
    const double h = 3 / fmax(fabs(place.slope[3]), 3 / f->orbit->period) * BESIDE;
    struct looked before, behind;
    if (!expression_is_linear(card->signal))
        return refuse(f, number, "write it of a voltage or a current", "is the slope of a formula that is not linear");
    enum kn_status status = value_at(f, number, card->signal, t - h, &before);
    if (status == KN_OK)
        status = value_at(f, number, card->signal, t + h, &behind);
    if (status == KN_OK)
        status = add_value(f, number, card->signal, t, factor, true, seed, NULL);
    if (status == KN_OK)
        status = add_event(f, number, &card->target, t, factor * (behind.slope - before.slope) / (2 * h), seed);
    return status;
}

/* A mean, an integral or a root of a mean of squares over the window [from, to]. */
struct window {
    const struct functional *f;
    size_t number;
    const struct measure *card;
    double from, to, result;
};

/* d result / d value at a point, for each second of it. */
static double density(const struct window *w, double value)
{
    const double span = w->to - w->from;
    return w->card->kind == MEASURE_INTEGRAL  ? 1
           : w->card->kind == MEASURE_AVERAGE ? 1 / span
           : w->result > 0                    ? value / (w->result * span)
                                              : 0;
}

/* d result / d end, of a window that ends where the signal has this value. */
static double at_end(const struct window *w, double value)
{
    const double span = w->to - w->from;
    return w->card->kind == MEASURE_INTEGRAL  ? value
           : w->card->kind == MEASURE_AVERAGE ? (value - w->result) / span
           : w->result > 0                    ? (value * value - w->result * w->result) / (2 * w->result * span)
                                              : 0;
}

static enum kn_status add_piece(const struct window *w, double from, double to, double factor, double *seed)
{
    for (int g = 0; g < GAUSS; g++) {
        const double t = from + (to - from) * gauss_at[g];
        struct looked at;
        enum kn_status status = value_at(w->f, w->number, w->card->signal, t, &at);
        if (status == KN_OK)
            status = add_value(w->f, w->number, w->card->signal, t,
                               factor * gauss_weight[g] * (to - from) * density(w, at.value), false, seed, NULL);
        if (status != KN_OK)
            return status;
    }
    return KN_OK;
}

/* asked: where the window would end, event: where the event of that end is; t: where the run lets it end. */
static enum kn_status add_end(const struct window *w, const struct measure_event *e, const struct measure_number *n,
                              double event, double asked, double t, double factor, double *seed)
{
    struct looked at;
    const bool moves = e->signal && t == event;
    if (t != asked || (!moves && !n->formula))
        return KN_OK;
    const enum kn_status status = value_at(w->f, w->number, w->card->signal, t, &at);
    if (status != KN_OK)
        return status;
    factor *= at_end(w, at.value);
    return moves ? add_event(w->f, w->number, e, t, factor, seed) : add_number(w->f, w->number, n, factor, seed);
}

static enum kn_status add_window(const struct functional *f, size_t number, const struct measure_places *at,
                                 double factor, double *seed)
{
    const struct measure *card = &f->circuit->measures[number];
    const struct orbit *o = f->orbit;
    const struct window w = {
        f, number, card, fmax(at->from, o->start), fmin(at->to, o->start + o->period), f->results[number]};
    enum kn_status status = KN_OK;
    if (card->runs)
        return refuse(f, number, "give FROM and TO", "has a rise or fall for its window");
    for (int i = 0; i < o->steps && status == KN_OK; i++) {
        const double from = fmax(w.from, o->start + o->period * o->part[i]);
        const double to = fmin(w.to, o->start + o->period * o->part[i + 1]);
        status = from < to ? add_piece(&w, from, to, factor, seed) : KN_OK;
    }
    if (status == KN_OK)
        status = add_end(&w, &card->trigger, &card->from, at->trigger, at->from, w.from, -factor, seed);
    return status == KN_OK ? add_end(&w, &card->target, &card->to, at->target, at->to, w.to, factor, seed) : status;
}

static enum kn_status add_found(const struct functional *f, size_t number, double t, double factor, double *seed)
{
    const struct measure *card = &f->circuit->measures[number];
    struct looked at;
    const enum kn_status status = add_value(f, number, card->signal, t, factor, false, seed, &at);
    return status == KN_OK ? add_event(f, number, &card->target, t, factor * at.slope, seed) : status;
}

enum kn_status functional_add(const struct functional *f, size_t number, double factor, double *seed)
{
    const struct measure *card = &f->circuit->measures[number];
    const struct measure_places at = measure_places(f->measured, number);
    enum kn_status status;
    if (card->domain != MEASURE_OF_TRANSIENT || !isfinite(f->results[number]))
        return refuse(f, number, NULL,
                      card->domain != MEASURE_OF_TRANSIENT ? "is not one of a transient" : "was not found");
    switch (card->kind) {
    case MEASURE_DELAY:
        status = add_event(f, number, &card->target, at.target, factor, seed);
        return status == KN_OK ? add_event(f, number, &card->trigger, at.trigger, -factor, seed) : status;
    case MEASURE_WHEN:
        return add_event(f, number, &card->target, at.target, factor, seed);
    case MEASURE_FIND:
        return add_found(f, number, at.target, factor, seed);
    case MEASURE_DERIVATIVE:
        return add_slope(f, number, at.target, factor, seed);
    case MEASURE_AVERAGE:
    case MEASURE_RMS:
    case MEASURE_INTEGRAL:
        return add_window(f, number, &at, factor, seed);
    case MEASURE_MINIMUM:
        return add_value(f, number, card->signal, at.low, factor, false, seed, NULL);
    case MEASURE_MAXIMUM:
        return add_value(f, number, card->signal, at.high, factor, false, seed, NULL);
    case MEASURE_PEAK_TO_PEAK:
        status = add_value(f, number, card->signal, at.high, factor, false, seed, NULL);
        return status == KN_OK ? add_value(f, number, card->signal, at.low, -factor, false, seed, NULL) : status;
    case MEASURE_FORMULA:
        return add_value(f, number, card->signal, f->orbit->start, factor, false, seed, NULL);
    default:
        return refuse(f, number,
                      "those of FIND, WHEN, DERIV, TRIG/TARG, AVG, RMS, INTEG, MIN, MAX, PP and PARAM have one",
                      "is of a kind that has no derivative here");
    }
}
