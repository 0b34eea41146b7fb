/* lines.c - see lines.h. */
#include "analyses/spectrum/lines.h"

#include "analyses/spectrum/fourier.h"
#include "analyses/spectrum/transform.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

/* ---- what is looked at ---- */

static void frame(struct lines *l, const struct transient *run)
{
    const struct spectrum_request *card = l->card;
    l->to = card->sampled && !isnan(card->stop) ? card->stop : run->stop;
    l->from = card->sampled && !isnan(card->start) ? card->start : run->start;
    if (card->sampled) {
        l->base = 1 / (l->to - l->from);
        l->count = (size_t)card->points / 2 + 1;
        return;
    }
    const double most = floor((run->stop - run->start) * card->fundamental * (1 + 1e-9));
    l->from = run->stop - (card->periods > 0 ? card->periods : most) / card->fundamental;
    l->base = card->fundamental;
    l->count = (size_t)card->harmonics + 1;
}

static size_t total(const struct lines *l)
{
    return l->signal_count + l->extra_count;
}

static bool add_signals(struct lines *l, struct signal_set *set, const struct signal_set *extras)
{
    l->signals = calloc(l->card->signal_count + 1, sizeof *l->signals);
    l->extras = calloc(extras ? extras->count + 1 : 1, sizeof *l->extras);
    bool good = l->signals && l->extras;
    for (size_t i = 0; i < l->card->signal_count && good; i++)
        good = signal_init(&l->signals[l->signal_count++], set, l->card->signals[i].expression);
    for (size_t i = 0; extras && i < extras->count && good; i++) {
        l->extras[l->extra_count++] = signal_variable(set, &extras->variables[i]);
        good = l->extras[i] < SIZE_MAX;
    }
    return good;
}

bool lines_init(struct lines *l, struct signal_set *set, const struct spectrum_request *card,
                const struct transient *run, const struct signal_set *extras)
{
    *l = (struct lines){.card = card};
    frame(l, run);
    const bool good = add_signals(l, set, extras);
    const size_t signals = total(l);
    l->phasors = calloc(signals * l->count + 1, sizeof *l->phasors);
    l->samples = calloc(card->sampled ? signals * (size_t)card->points + 1 : 1, sizeof *l->samples);
    l->scales = calloc(signals + 1, sizeof *l->scales);
    l->workspace = calloc(curve_workspace(signals), sizeof *l->workspace);
    return good && l->phasors && l->samples && l->scales && l->workspace;
}

void lines_free(struct lines *l)
{
    for (size_t i = 0; i < l->signal_count; i++)
        signal_free(&l->signals[i]);
    free(l->signals);
    free(l->extras);
    free(l->phasors);
    free(l->samples);
    free(l->scales);
    free(l->workspace);
}

/* ---- a piece of the run ---- */

struct look {
    struct lines *lines;
    const struct measure_piece *piece;
    double *numbers;
};

static enum kn_status look_at_signals(void *context, double t, double *values)
{
    const struct look *at = context;
    const enum kn_status status = at->piece->look.at(at->piece->look.context, t, at->numbers);
    for (size_t i = 0; i < at->lines->signal_count && status == KN_OK; i++)
        values[i] = signal_at(&at->lines->signals[i], t, at->numbers);
    for (size_t i = 0; i < at->lines->extra_count && status == KN_OK; i++)
        values[at->lines->signal_count + i] = at->numbers[at->lines->extras[i]];
    return status;
}

static enum kn_status integrate(void *context, double from, double to, const double *values)
{
    const struct look *at = context;
    const struct lines *l = at->lines;
    for (size_t i = 0; i < total(l); i++)
        fourier_add(from, to, values + i, total(l), l->from, 2 * PI * l->base, lines_of(l, i), l->count);
    return KN_OK;
}

static double sample_time(const struct lines *l, size_t n)
{
    return l->from + (l->to - l->from) * (double)n / (double)l->card->points;
}

/* At a jump the value behind it counts, which the next piece has. */
static enum kn_status take_samples(struct look *at, bool last)
{
    struct lines *l = at->lines;
    const size_t points = (size_t)l->card->points;
    enum kn_status status = KN_OK;
    for (; l->sampled < points && status == KN_OK; l->sampled++) {
        const double t = sample_time(l, l->sampled);
        if (t > at->piece->to || (t == at->piece->to && !last))
            break;
        status = look_at_signals(at, fmax(t, at->piece->from), l->scales);
        for (size_t i = 0; i < total(l); i++)
            l->samples[i * points + l->sampled] = l->scales[i];
    }
    return status;
}

enum kn_status lines_piece(struct lines *l, const struct measure_piece *piece, double *numbers)
{
    struct look at = {l, piece, numbers};
    const double from = fmax(piece->from, l->from), to = fmin(piece->to, l->to);
    if (!(from < to))
        return KN_OK;
    if (l->card->sampled)
        return take_samples(&at, piece->to >= l->to);
    const struct curve_splitter splitter = {.look = {&at, look_at_signals},
                                            .count = total(l),
                                            .scales = l->scales,
                                            .workspace = l->workspace,
                                            .exact = 1e-7,
                                            .sums = true,
                                            .context = &at,
                                            .part = integrate};
    return curve_split(&splitter, from, to);
}

/* ---- phasors ---- */

/* Of y = Y_0 + sum |Y_k| sin(k w (t - from) + arg Y_k), as SPICE has them: c_k = (2/T) integral of y e^(-j k w t) is -j Y_k. */
static void finish_integrals(const struct lines *l, double complex *phasors)
{
    const double length = l->to - l->from;
    phasors[0] /= length;
    for (size_t k = 1; k < l->count; k++)
        phasors[k] *= 2 * _Complex_I / length;
}

/* Of y = Y_0 + sum |Y_k| cos(k w (t - from) + arg Y_k); a sine on a line has its amplitude whatever the window. */
static enum kn_status finish_samples(const struct lines *l, const double *samples, double complex *phasors)
{
    const size_t points = (size_t)l->card->points;
    double complex *x = calloc(points, sizeof *x);
    double *weights = calloc(points, sizeof *weights), sum = 0;
    const bool good = x && weights;
    if (good)
        window_fill(l->card->window, l->card->shape, weights, points);
    for (size_t n = 0; n < points && good; n++) {
        x[n] = weights[n] * samples[n];
        sum += weights[n];
    }
    if (good)
        transform(x, points);
    for (size_t k = 0; k < l->count && good; k++)
        phasors[k] = (k == 0 || 2 * k == points ? 1 : 2) * x[k] / sum;
    free(x);
    free(weights);
    return good ? KN_OK : KN_ERROR_MEMORY;
}

enum kn_status lines_finish(struct lines *l)
{
    enum kn_status status = KN_OK;
    for (size_t i = 0; i < total(l) && status == KN_OK; i++) {
        if (l->card->sampled)
            status = finish_samples(l, l->samples + i * (size_t)l->card->points, lines_of(l, i));
        else
            finish_integrals(l, lines_of(l, i));
    }
    return status;
}

/* ---- distortions ---- */

static size_t line_at(const struct lines *l, double frequency)
{
    return (size_t)fmax(1, round(frequency / l->base));
}

size_t lines_first(const struct lines *l, const double complex *phasors)
{
    const size_t width = l->card->sampled ? (size_t)window_width(l->card->window) : 0;
    size_t first = 1;
    while (first <= width && first + 1 < l->count &&
           cabs(phasors[first]) <= (first == 1 ? 2 : 1) * cabs(phasors[first - 1]))
        first++;
    return first;
}

/* Which line is the fundamental of a signal: that of the card, or the largest. */
static size_t find_fundamental(const struct lines *l, size_t signal)
{
    const double complex *phasors = lines_of(l, signal);
    size_t largest = lines_first(l, phasors);
    if (!l->card->sampled)
        return 1;
    if (l->card->fundamental > 0)
        return line_at(l, l->card->fundamental);
    for (size_t k = largest; k < l->count; k++)
        largest = cabs(phasors[k]) > cabs(phasors[largest]) ? k : largest;
    return largest;
}

bool lines_distortion(const struct lines *l, size_t signal, double frequency, long harmonics, struct distortion *out)
{
    const size_t fundamental = frequency > 0 ? line_at(l, frequency) : find_fundamental(l, signal);
    double *amplitudes = calloc(l->count + 1, sizeof *amplitudes);
    if (!amplitudes)
        return false;
    for (size_t k = 0; k < l->count; k++)
        amplitudes[k] = cabs(lines_of(l, signal)[k]);
    *out = (struct distortion){NAN, NAN, NAN, NAN, NAN};
    if (fundamental < l->count)
        *out = distortion_of(amplitudes, l->count, fundamental, harmonics > 0 ? (size_t)harmonics : l->count,
                             l->card->sampled ? (size_t)window_width(l->card->window) : 0);
    free(amplitudes);
    return true;
}
