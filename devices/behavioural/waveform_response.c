/* waveform_response.c - see waveform_response.h.
 *
 * The fewest poles that follow the target as near as it allows, found by vector fitting; what is late as a whole is taken out
 * of it by parts, since poles that only delay are many.  Deviations count in proportion to the value, down to a floor, and where
 * no number of poles follows them so, to higher ones: what is nearly stopped is then followed less well than what passes.
 * Where nothing passes at rest but something at the lowest frequency w_1, a high-pass s/(s + a) stands in front, so slow that it is
 * 1 there as near as the target allows.
 */
#include "devices/behavioural/waveform_response.h"

#include "devices/behavioural/vector_fitting.h"

#include <math.h>
#include <string.h>

static const int orders[] = {1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64};
enum { MOST_POLES = 64, ORDERS = sizeof orders / sizeof *orders };
/* Parts of the largest value. */
static const double floors[] = {1e-6, 1e-3, 1};
enum { FLOORS = sizeof floors / sizeof *floors };
/* Of what is allowed: at rows no more than they are known by between them (transfer_target.c).  No other floor is tried then, and more
 * poles as long as so many orders take a third of it away. */
static const double NEAR = 30;
enum { SETTLING = 3 };
static const double WORTH = 0.7;
/* A lag with which the poles before were so much farther off than with another one is not tried again. */
static const double HOPELESS = 10;
/* Followed so far off, waveforms would be those of something else: at rows, which may have noise, between them, and of a formula, which
 * has none.  Parts of the largest value. */
static const double FAR_OFF = 0.03, FAR_OFF_BETWEEN = 0.1, FAR_OFF_FORMULA = 0.01;

/* A table lets nothing pass outside of its frequencies, which no poles do.  That little passes far above is asked of the sum of
 * squares, and that it has no peak there. */
enum { ABOVE = 8 };
static const double FARTHEST = 100, PEAK = 1.5;
/* Of the weight: the value at rest is that of the operating point. */
static const double OF_REST = 100;
/* With more samples the fits would only take longer: twelve of each of the most poles. */
enum { MOST_WEIGHTS = 12 * MOST_POLES };
/* Each row has two numbers, and each pole two, its own and its tap: so many times as much as is asked for decides. */
enum { ROWS_OF_A_POLE = 4 };

struct search {
    const struct transfer_target *target;
    struct transfer_sample *samples; /* [count] */
    size_t count, weights;
    double floor, lag;
    double corner; /* 1/s, of the high-pass; 0: there is none */
    struct chain_link found[MOST_POLES], best[MOST_POLES];
    struct tapped_chain chain; /* of `best` */
    int order;
    bool decided; /* by rows alone */
    double best_lag;
};

/* ---- what is to be followed, without a lag and down to a floor ---- */

static double size_of(const struct search *s, double complex value)
{
    return fmax(cabs(value), s->floor * s->target->largest);
}

static void push(struct search *s, double w, double complex value, double weight, double judged)
{
    s->samples[s->count++] = (struct transfer_sample){w, value, weight, judged};
    s->weights += weight > 0;
}

static void push_above(struct search *s)
{
    const struct transfer_target *t = s->target;
    for (int k = 1; k <= ABOVE && t->response->table; k++)
        push(s, transfer_target_band(t).high * pow(FARTHEST, (double)k / ABOVE), 0, 1 / t->largest, 0);
}

/* Of the high-pass and the lag. */
static double complex around(const struct search *s, double w)
{
    return (s->corner > 0 ? CMPLX(0, w) / CMPLX(s->corner, w) : 1) * cexp(CMPLX(0, -w * s->lag));
}

/* Rows that are many more than the numbers of the poles tell what is between them better than any interpolation: at 20 rows a
 * decade a resonance of Q = 5 is off by a tenth of its height there. */
static bool rows_decide(const struct transfer_target *t, int order)
{
    return t->told_count >= ROWS_OF_A_POLE * (size_t)order;
}

static void set_samples(struct search *s, int order, double floor, double lag)
{
    const struct transfer_target *t = s->target;
    const size_t stride = 1 + t->count / MOST_WEIGHTS;
    s->count = s->weights = 0;
    s->floor = floor;
    s->lag = lag;
    for (size_t k = 0; k < t->count; k++) {
        const struct target_sample *at = &t->samples[k];
        const double judged = 1 / (at->allowed * size_of(s, at->value));
        push(s, at->w, at->value / around(s, at->w), k % stride == 0 ? judged * (at->w == 0 ? OF_REST : 1) : 0,
             at->told || !rows_decide(t, order) ? judged : 0);
    }
    push_above(s);
}

/* ---- poles ---- */

/* How far off a resonance of the poles may be between samples, relative to the value there. */
static double allowed_between(const struct transfer_target *t, int order)
{
    const bool known = t->response->table && rows_decide(t, order);
    return known ? PEAK - 1 : fmax(t->samples[0].allowed, t->samples[t->count > 1].allowed);
}

/* Resonances between samples, and outside of a table. */
static double peaks(const struct search *s, const struct tapped_chain *chain, int order)
{
    const struct transfer_target *t = s->target;
    const double allowed = allowed_between(t, order);
    const struct frequency_band band = transfer_target_band(t);
    double most = 0;
    for (size_t k = 0; k < chain->count; k++) {
        const double w = cimag(chain->links[k].pole);
        const double complex value = tapped_chain_value(chain, w) * around(s, w);
        const bool inside = w >= band.low && w <= fmin(band.high, t->samples[t->count - 1].w);
        const double complex wanted = inside ? transfer_target_value(t, w) : 0;
        if (inside)
            most = fmax(most, cabs(value - wanted) / (allowed * size_of(s, wanted)));
        else if (t->response->table && cabs(value) > PEAK * t->largest)
            most = fmax(most, cabs(value) / t->largest);
    }
    return most;
}

/* The same as the error of the chain, of what is between rows. */
static double error_between(const struct search *s, const struct tapped_chain *chain)
{
    const struct transfer_target *t = s->target;
    double most = 0;
    for (size_t k = 0; k < t->count; k++) {
        const struct target_sample *at = &t->samples[k];
        const double off = cabs(tapped_chain_value(chain, at->w) * around(s, at->w) - at->value);
        most = fmax(most, off / (at->allowed * size_of(s, at->value)));
    }
    return most;
}

/* Whether so many poles turn the phase as far as a table does: each by at most half a turn. */
static bool can_turn(const struct search *s, int order)
{
    const struct frequency_table *t = s->target->response->table;
    if (!t)
        return true;
    const size_t last = t->count - 1;
    const double turned = cimag(frequency_table_exponent(t, last) - frequency_table_exponent(t, 0)) +
                          RESPONSE_TWO_PI * (t->frequency[last] - t->frequency[0]) * s->lag;
    return fabs(turned) <= RESPONSE_TWO_PI / 2 * (order + 1);
}

/* *error: its own, where it is tried. */
static enum kn_status try(struct search *s, int order, double *error)
{
    struct tapped_chain chain = {.links = s->found};
    const struct fit_problem problem = {s->samples, s->count, order, s->target->response->of_s != NULL};
    if (2 * (size_t)order > s->weights || !can_turn(s, order))
        return KN_OK;
    const enum kn_status status = vector_fit(&problem, &chain);
    if (status != KN_OK)
        return status;
    chain.error = fmax(chain.error, peaks(s, &chain, order));
    const bool decided = chain.error <= 1 && rows_decide(s->target, order);
    if (!decided)
        chain.error = fmax(chain.error, error_between(s, &chain));
    *error = chain.error;
    if (chain.error > 1 && !(chain.error < (order > s->order ? WORTH : 1) * s->chain.error))
        return KN_OK;
    s->order = order;
    s->decided = decided;
    memcpy(s->best, s->found, chain.count * sizeof *s->best);
    chain.links = s->best;
    s->chain = chain;
    s->best_lag = s->lag;
    return KN_OK;
}

/* Whether more poles are in vain: what is left of measured rows is their noise. */
static bool is_settled(const double *errors, size_t count)
{
    return count > SETTLING && errors[count - 1] < NEAR && errors[count - 1] > WORTH * errors[count - 1 - SETTLING];
}

static enum kn_status search_at(struct search *s, double floor)
{
    const struct transfer_target *t = s->target;
    double errors[ORDERS], last[TARGET_LAGS] = {0};
    s->order = 0;
    enum kn_status status = KN_OK;
    for (size_t o = 0; o < ORDERS && s->chain.error > 1 && !is_settled(errors, o); o++) {
        for (size_t k = 0; k < t->lag_count && s->chain.error > 1 && status == KN_OK; k++) {
            set_samples(s, orders[o], floor, t->lags[k]);
            if (last[k] <= HOPELESS * s->chain.error)
                status = try(s, orders[o], &last[k]);
        }
        errors[o] = s->chain.error;
    }
    return status;
}

static void measure(struct search *s, struct waveform_fit *fit)
{
    const struct transfer_target *t = s->target;
    s->lag = s->best_lag;
    *fit = (struct waveform_fit){.error = s->chain.error};
    for (size_t k = 0; k < t->count; k++) {
        const struct target_sample *at = &t->samples[k];
        const double complex value = tapped_chain_value(&s->chain, at->w) * around(s, at->w);
        const double off = cabs(value - at->value) / t->largest;
        if (at->told)
            fit->deviation = fmax(fit->deviation, off);
        if (off > fit->between && (at->told || !s->decided)) {
            fit->between = off;
            fit->frequency = at->w / RESPONSE_TWO_PI;
        }
    }
}

/* More than what is allowed, of the largest value. */
static bool is_off(const struct search *s, const struct waveform_fit *fit)
{
    const struct target_sample *samples = s->target->samples;
    return fit->deviation > samples[0].allowed || fit->between > samples[1].allowed || fit->error > NEAR;
}

static bool is_far(const struct search *s, const struct waveform_fit *fit)
{
    return s->target->response->table ? fit->deviation > FAR_OFF || fit->between > FAR_OFF_BETWEEN
                                      : fit->deviation > FAR_OFF_FORMULA;
}

static enum kn_status search_poles(struct search *s, struct waveform_fit *fit)
{
    enum kn_status status = KN_OK;
    s->chain.error = fit->error = INFINITY;
    for (size_t f = 0; f < FLOORS && (fit->error > NEAR || fit->is_far) && status == KN_OK; f++) {
        status = search_at(s, floors[f]);
        measure(s, fit);
        fit->is_far = is_far(s, fit);
        fit->is_off = is_off(s, fit);
    }
    return status;
}

/* ---- sections ---- */

/* D(-s) / D(s) */
static bool make_section(double complex pole, struct arena *arena, struct rational *r)
{
    double *const below = arena_array(arena, 6, sizeof *below), *const above = below + 3;
    if (!below)
        return false;
    const size_t count = chain_denominator(pole, below);
    for (size_t k = 0; k < count; k++)
        above[k] = k % 2 == 0 ? below[k] : -below[k];
    *r = (struct rational){above, below, count, count};
    return true;
}

/* s / (s + a), and a tap of it that takes what it keeps back out of what goes beside it. */
static bool make_high_pass(double corner, struct arena *arena, struct rational *r, double *taps)
{
    double *const above = arena_array(arena, 4, sizeof *above), *const below = above + 2;
    if (!above)
        return false;
    above[1] = below[1] = 1;
    below[0] = corner;
    taps[1] = -taps[0] * corner;
    *r = (struct rational){above, below, 2, 2};
    return true;
}

static bool make_sections(const struct search *s, struct arena *arena, struct response *out)
{
    const size_t first = s->corner > 0, count = s->chain.count + first;
    struct rational *list = arena_array(arena, count + 1, sizeof *list);
    double *taps = arena_array(arena, 2 * count + 1, sizeof *taps);
    if (!list || !taps)
        return false;
    out->sections = list;
    out->section_count = count;
    out->taps = taps;
    out->lag = s->best_lag;
    taps[0] = s->chain.direct;
    bool good = first == 0 || make_high_pass(s->corner, arena, &list[0], taps);
    for (size_t k = 0; k < s->chain.count && good; k++) {
        memcpy(&taps[2 * (k + first) + 1], s->best[k].taps, sizeof s->best[k].taps);
        good = make_section(s->best[k].pole, arena, &list[k + first]);
    }
    return good;
}

/* Nothing passes at rest. */
static double corner_of(const struct transfer_target *t)
{
    return t->rest == 0 && t->count > 0 ? t->samples[0].allowed * t->samples[0].w : 0;
}

static enum kn_status follow(struct search *s, struct arena *arena, struct response *out, struct waveform_fit *fit)
{
    *fit = (struct waveform_fit){0};
    const enum kn_status status = s->target->largest > 0 ? search_poles(s, fit) : KN_OK;
    return status == KN_OK && !make_sections(s, arena, out) ? KN_ERROR_MEMORY : status;
}

enum kn_status waveform_response(const struct response *r, const struct waveform_use *use, struct arena *arena,
                                 struct response *out, struct waveform_fit *fit)
{
    struct arena *own;
    struct search *s = arena_object(sizeof *s, &own);
    struct transfer_target target;
    enum kn_status status = KN_ERROR_MEMORY;
    *out = *r;
    if (s && transfer_target_make(&target, r, use, own) &&
        (s->samples = arena_array(own, target.count + ABOVE, sizeof *s->samples))) {
        s->target = &target;
        s->corner = corner_of(&target);
        status = follow(s, arena, out, fit);
    }
    arena_free(own);
    return status;
}
