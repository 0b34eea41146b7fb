/* spectral_measures.c - see spectral_measures.h. */
#include "analyses/spectrum/spectral_measures.h"

#include "base/names.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* ---- of which card ---- */

static bool mentions(const struct expression *e, const struct expression_variable *v)
{
    const struct expression_variable *all = expression_variables(e);
    for (size_t i = 0; i < expression_variable_count(e); i++)
        if (all[i].kind == v->kind && all[i].index == v->index)
            return true;
    return false;
}

/* Whether all voltages and currents of a measurement are in the signals of a card. */
static bool covers(const struct spectrum_request *card, const struct expression *signal)
{
    for (size_t i = 0; i < expression_variable_count(signal); i++) {
        const struct expression_variable *v = &expression_variables(signal)[i];
        bool found = v->kind == EXPRESSION_RESULT;
        for (size_t k = 0; k < card->signal_count && !found; k++)
            found = mentions(card->signals[k].expression, v);
        if (!found)
            return false;
    }
    return true;
}

static bool is_spectral(const struct measure *m)
{
    return m->kind >= MEASURE_DISTORTION && m->kind <= MEASURE_SPURIOUS_RANGE;
}

/* The signal of a card that has the measurement's formula; SIZE_MAX: there is none. */
static size_t signal_of(const struct spectrum_request *card, const struct measure *m)
{
    struct arena *a = arena_new();
    const char *label = a ? expression_print(a, m->signal, NULL) : NULL;
    size_t found = SIZE_MAX;
    for (size_t i = 0; label && i < card->signal_count && found == SIZE_MAX; i++) {
        const char *other = expression_print(a, card->signals[i].expression, NULL);
        found = other && names_equal(label, other) ? i : SIZE_MAX;
    }
    arena_free(a);
    return found;
}

static bool suits(const struct spectrum_request *card, const struct measure *m)
{
    const struct expression *signal = m->signal ? m->signal : m->target.signal;
    if (is_spectral(m) && m->kind != MEASURE_DISTORTION && !card->sampled)
        return false; /* integrals have no noise */
    if (is_spectral(m))
        return signal_of(card, m) != SIZE_MAX &&
               (card->sampled || m->fundamental == 0 || m->fundamental == card->fundamental);
    return signal && covers(card, signal);
}

/* The first that suits; formulas, and what suits none, wait for the last. */
static size_t card_of(const struct circuit *c, const struct measure *m, bool *found)
{
    *found = m->kind == MEASURE_FORMULA || m->kind == MEASURE_NOTHING;
    for (size_t i = 0; i < c->spectrum_count && !*found; i++)
        if (suits(&c->spectra[i], m)) {
            *found = true;
            return i;
        }
    return c->spectrum_count - 1;
}

static bool belongs(const struct circuit *c, size_t measure, size_t number, bool *found)
{
    const struct measure *m = &c->measures[measure];
    return m->domain == MEASURE_OF_SPECTRUM && card_of(c, m, found) == number;
}

enum kn_status spectral_measures_new(const struct circuit *c, size_t number, double *results, struct measurements **out)
{
    bool found, *chosen = calloc(c->measure_count + 1, sizeof *chosen);
    *out = NULL;
    if (!chosen)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < c->measure_count; i++)
        chosen[i] = belongs(c, i, number, &found);
    const struct measure_curve curve = {
        .domain = MEASURE_OF_SPECTRUM, .anywhere = true, .exact = 1e-9, .unit = " Hz", .chosen = chosen};
    const enum kn_status status = measure_new(c, &curve, results, out);
    free(chosen);
    return status;
}

/* ---- values ---- */

struct spectrum_look {
    const struct lines *lines;
};

static void put(const struct lines *l, size_t line, double *values)
{
    for (size_t i = 0; i < l->extra_count; i++) {
        const double complex z = lines_of(l, l->signal_count + i)[line];
        const double four[] = {creal(z), cimag(z), 0, 0};
        for (int k = 0; k < 4; k++)
            values[4 * i + (size_t)k] = four[k];
    }
}

/* Between lines there is nothing: the nearest one. */
static enum kn_status look(void *context, double frequency, double *values)
{
    const struct lines *l = ((const struct spectrum_look *)context)->lines;
    put(l, (size_t)fmin(fmax(round(frequency / l->base), 0), (double)(l->count - 1)), values);
    return KN_OK;
}

static enum kn_status walk(struct measurements *all, const struct lines *l, const struct curve_look *at)
{
    double *values = calloc(8 * l->extra_count + 1, sizeof *values);
    enum kn_status status = values ? KN_OK : KN_ERROR_MEMORY;
    for (size_t k = 1; k < l->count && status == KN_OK; k++) {
        put(l, k - 1, values);
        put(l, k, values + 4 * l->extra_count);
        const struct measure_piece piece = {(double)(k - 1) * l->base, (double)k * l->base, values,
                                            values + 4 * l->extra_count, *at};
        status = measure_piece(all, &piece);
    }
    free(values);
    return status;
}

static double value_of(const struct measure *m, const struct distortion *d)
{
    switch (m->kind) {
    case MEASURE_DISTORTION:
        return d->thd;
    case MEASURE_NOISE_RATIO:
        return d->snr;
    case MEASURE_NOISE_AND_DISTORTION_RATIO:
        return d->sndr;
    case MEASURE_BITS:
        return d->enob;
    default:
        return d->sfdr;
    }
}

/* False without memory. */
static bool give(struct measurements *all, const struct circuit *c, size_t measure, const struct lines *l)
{
    const struct measure *m = &c->measures[measure];
    struct distortion d;
    if (!is_spectral(m))
        return true;
    const size_t signal = signal_of(l->card, m); /* which it has, as was found before: else there is no memory now */
    if (signal == SIZE_MAX || !lines_distortion(l, signal, m->fundamental, m->harmonics, &d))
        return false;
    measure_give(all, measure, value_of(m, &d), NULL);
    return true;
}

enum kn_status spectral_measures_report(struct measurements *all, const struct circuit *c, size_t number,
                                        const struct lines *l, bool without, const struct measure_listener *listener)
{
    struct spectrum_look context = {l};
    const struct curve_look at = {&context, look};
    bool found;
    enum kn_status status = without ? KN_OK : walk(all, l, &at);
    for (size_t i = 0; i < c->measure_count && status == KN_OK; i++) {
        if (!belongs(c, i, number, &found))
            continue;
        if (!found)
            measure_give(all, i, NAN,
                         is_spectral(&c->measures[i]) && c->measures[i].kind != MEASURE_DISTORTION
                             ? "there is no .fft card of its signal"
                             : "there is no .four or .fft card of its signal");
        else if (without)
            measure_give(all, i, NAN, "its .four or .fft card was left out");
        else if (!give(all, c, i, l))
            status = KN_ERROR_MEMORY;
    }
    return status == KN_OK ? measure_report(all, &at, listener) : status;
}
