/* spectral_tables.c - see spectral_tables.h. */
#include "analyses/spectrum/spectral_tables.h"

#include <math.h>

static const double DEGREES = 57.29577951308232088; /* 180/pi */

struct writing {
    const struct circuit *circuit;
    const struct lines *lines;
    struct arena *arena;
    struct kn_sink *sink;
    struct kn_column *columns;
    double *row;
    size_t width; /* columns */
};

static bool add(struct writing *w, const char *format, const char *label, enum kn_quantity quantity)
{
    struct kn_column *c = &w->columns[w->width++];
    *c = (struct kn_column){label ? arena_format(w->arena, "%s(%s)", format, label) : format, quantity};
    return c->name != NULL;
}

static bool make_room(struct writing *w)
{
    const size_t most = 2 + 5 * w->lines->card->signal_count;
    w->width = 0;
    w->columns = arena_array(w->arena, most, sizeof *w->columns);
    w->row = arena_array(w->arena, most, sizeof *w->row);
    return w->columns && w->row;
}

static enum kn_status begin(const struct writing *w, const char *plot, size_t sweeps)
{
    const struct kn_table table = {w->circuit->title, plot, w->columns, w->width, sweeps, 0};
    return w->sink->begin(w->sink->context, &table);
}

static enum kn_status end(const struct writing *w, enum kn_status status)
{
    const enum kn_status ended = w->sink->end(w->sink->context, status);
    return status == KN_OK ? ended : status;
}

/* ---- lines ---- */

static double degrees(double complex z)
{
    return DEGREES * carg(z);
}

/* Relative to the fundamental, between -180 and 180 degrees: a harmonic's phase where the fundamental begins. */
static double relative_phase(double complex z, double complex fundamental)
{
    return remainder(degrees(z) - degrees(fundamental), 360);
}

static double largest_of(const struct lines *l, const double complex *phasors)
{
    double largest = 0;
    for (size_t k = lines_first(l, phasors); k < l->count; k++)
        largest = fmax(largest, cabs(phasors[k]));
    return largest;
}

static size_t put_harmonic(const struct lines *l, size_t signal, size_t k, double *row)
{
    const double complex *phasors = lines_of(l, signal), fundamental = phasors[1];
    row[0] = k == 0 ? creal(phasors[0]) : cabs(phasors[k]);
    row[1] = k == 0 ? 0 : degrees(phasors[k]);
    row[2] = cabs(phasors[k]) / cabs(fundamental);
    row[3] = k == 0 ? 0 : relative_phase(phasors[k], fundamental);
    return 4;
}

static size_t put_line(const struct lines *l, size_t signal, size_t k, double *row)
{
    const double complex *phasors = lines_of(l, signal);
    const double size = cabs(phasors[k]), whole = l->card->normalised ? largest_of(l, phasors) : 1;
    row[0] = size / whole;
    row[1] = 20 * log10(size / whole);
    row[2] = degrees(phasors[k]);
    return 3;
}

static bool name_lines(struct writing *w)
{
    const struct spectrum_request *card = w->lines->card;
    bool good = make_room(w) && (card->sampled || add(w, "harmonic", NULL, KN_HARMONIC)) &&
                add(w, "frequency", NULL, KN_FREQUENCY);
    for (size_t i = 0; i < card->signal_count && good; i++) {
        const char *label = card->signals[i].label;
        good = add(w, "mag", label, KN_OTHER);
        if (card->sampled)
            good = good && add(w, "db", label, KN_DECIBEL) && add(w, "phase", label, KN_PHASE);
        else
            good = good && add(w, "phase", label, KN_PHASE) && add(w, "norm_mag", label, KN_OTHER) &&
                   add(w, "norm_phase", label, KN_PHASE);
    }
    return good;
}

static bool is_wanted(const struct lines *l, double frequency)
{
    const struct spectrum_request *card = l->card;
    const double slack = 1e-6 * l->base;
    return !card->sampled || ((isnan(card->lowest) || frequency >= card->lowest - slack) &&
                              (isnan(card->highest) || frequency <= card->highest + slack));
}

static enum kn_status write_lines(struct writing *w)
{
    const struct lines *l = w->lines;
    if (!name_lines(w))
        return KN_ERROR_MEMORY;
    enum kn_status status = begin(w, l->card->sampled ? "FFT Analysis" : "Fourier Analysis", 1);
    if (status != KN_OK)
        return status;
    for (size_t k = 0; k < l->count && status == KN_OK; k++) {
        size_t at = 0;
        const double frequency = (double)k * l->base;
        if (!is_wanted(l, frequency))
            continue;
        if (!l->card->sampled)
            w->row[at++] = (double)k;
        w->row[at++] = frequency;
        for (size_t i = 0; i < l->card->signal_count; i++)
            at += l->card->sampled ? put_line(l, i, k, w->row + at) : put_harmonic(l, i, k, w->row + at);
        status = w->sink->row(w->sink->context, w->row);
    }
    return end(w, status);
}

/* ---- distortions ---- */

static enum kn_status write_distortions(struct writing *w)
{
    const struct lines *l = w->lines;
    const struct spectrum_request *card = l->card;
    bool good = make_room(w);
    for (size_t i = 0; i < card->signal_count && good; i++) {
        struct distortion d;
        const char *label = card->signals[i].label;
        good = lines_distortion(l, i, 0, 0, &d);
        w->row[w->width] = d.thd;
        good = good && add(w, "thd", label, KN_OTHER);
        const double numbers[] = {d.snr, d.sndr, d.sfdr, d.enob};
        static const char *const names[] = {"snr", "sndr", "sfdr", "enob"};
        for (int k = 0; k < 4 && good && card->sampled; k++) {
            w->row[w->width] = numbers[k];
            good = add(w, names[k], label, k < 3 ? KN_DECIBEL : KN_OTHER);
        }
    }
    if (!good)
        return KN_ERROR_MEMORY;
    enum kn_status status = begin(w, "Distortion", 0);
    if (status != KN_OK)
        return status;
    status = w->sink->row(w->sink->context, w->row);
    return end(w, status);
}

enum kn_status spectral_tables(const struct circuit *c, const struct lines *l, struct kn_sink *sink)
{
    struct writing w = {.circuit = c, .lines = l, .arena = arena_new(), .sink = sink};
    enum kn_status status = w.arena ? write_lines(&w) : KN_ERROR_MEMORY;
    if (status == KN_OK && l->count > 1)
        status = write_distortions(&w);
    arena_free(w.arena);
    return status;
}
