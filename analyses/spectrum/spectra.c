/* spectra.c - see spectra.h. */
#include "analyses/spectrum/spectra.h"

#include "analyses/spectrum/spectral_measures.h"
#include "analyses/spectrum/spectral_tables.h"

#include <math.h>
#include <stdlib.h>

/* What one card asks for. */
struct spectrum {
    struct lines lines;
    struct measurements *measurements; /* NULL: there are none */
    bool left_out;
};

struct spectra {
    const struct circuit *circuit;
    struct kn_diagnostics *diagnostics;
    struct signal_set set;
    struct spectrum *list;
    size_t count;
    double *numbers; /* [variables] */
};

/* Whether there is a line at the fundamental that a card names; a warning if not. */
static bool has_fundamental(const struct lines *l, struct kn_diagnostics *d)
{
    const double wanted = l->card->fundamental, highest = l->base * (double)(l->count - 1);
    if (!l->card->sampled || wanted == 0 || (wanted >= l->base / 2 && wanted <= highest))
        return true;
    diagnostics_add(d, KN_WARNING, "spectrum", l->card->where,
                    wanted < l->base ? "make the part of the run that it looks at longer" : "give it more points: np=",
                    "'.fft': there is no line at %g Hz, lines are from %g Hz to %g Hz; left out", wanted, l->base,
                    highest);
    return false;
}

/* Whether the run has what a card looks at; a warning if not. */
static bool fits(const struct lines *l, const struct transient *run, struct kn_diagnostics *d)
{
    const bool good = l->from < l->to && l->from >= run->start - 1e-9 * run->stop && l->to <= run->stop * (1 + 1e-9);
    if (!good && !l->card->sampled)
        diagnostics_add(d, KN_WARNING, "spectrum", l->card->where, "make the run longer, or the frequency higher",
                        "'.four': the run from %g s to %g s is shorter than the %g period%s of %g Hz; left out",
                        run->start, run->stop, fmax(1, l->card->periods), l->card->periods > 1 ? "s" : "",
                        l->card->fundamental);
    else if (!good)
        diagnostics_add(d, KN_WARNING, "spectrum", l->card->where, NULL,
                        "'.fft': from %g s to %g s there is no run, which is from %g s to %g s; left out", l->from,
                        l->to, run->start, run->stop);
    return good && has_fundamental(l, d);
}

static enum kn_status open(struct spectra *all, size_t number, const struct transient *run, double *results)
{
    const struct circuit *c = all->circuit;
    struct spectrum *s = &all->list[number];
    const enum kn_status status = results ? spectral_measures_new(c, number, results, &s->measurements) : KN_OK;
    if (status != KN_OK)
        return status;
    const struct signal_set *extras = s->measurements ? measure_signals(s->measurements) : NULL;
    const bool good = lines_init(&s->lines, &all->set, &c->spectra[number], run, extras);
    s->left_out = good && !fits(&s->lines, run, all->diagnostics);
    return good ? KN_OK : KN_ERROR_MEMORY;
}

static enum kn_status fill(struct spectra *all, const struct transient *run, double *results)
{
    all->list = calloc(all->circuit->spectrum_count + 1, sizeof *all->list);
    enum kn_status status = all->list ? KN_OK : KN_ERROR_MEMORY;
    while (all->count < all->circuit->spectrum_count && status == KN_OK)
        status = open(all, all->count++, run, results);
    all->numbers = calloc(all->set.count + 1, sizeof *all->numbers);
    return all->numbers ? status : KN_ERROR_MEMORY;
}

void spectra_free(struct spectra *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < all->count; i++) {
        measure_free(all->list[i].measurements);
        lines_free(&all->list[i].lines);
    }
    free(all->list);
    free(all->numbers);
    free(all->set.variables);
    free(all);
}

enum kn_status spectra_new(const struct circuit *c, const struct transient *run, struct kn_diagnostics *d,
                           double *results, struct spectra **out)
{
    *out = NULL;
    if (c->spectrum_count == 0)
        return KN_OK;
    struct spectra *all = calloc(1, sizeof *all);
    if (!all)
        return KN_ERROR_MEMORY;
    *all = (struct spectra){.circuit = c, .diagnostics = d, .set = {.circuit = c, .width = SIGNAL_REAL}};
    const enum kn_status status = fill(all, run, results);
    if (status == KN_OK)
        *out = all;
    else
        spectra_free(all);
    return status;
}

const struct signal_set *spectra_signals(const struct spectra *all)
{
    return &all->set;
}

enum kn_status spectra_piece(struct spectra *all, const struct measure_piece *piece)
{
    enum kn_status status = KN_OK;
    for (size_t i = 0; i < all->count && status == KN_OK; i++)
        if (!all->list[i].left_out)
            status = lines_piece(&all->list[i].lines, piece, all->numbers);
    return status;
}

static enum kn_status write(const struct spectra *all, size_t number, const struct measure_listener *listener,
                            struct kn_sink *sink)
{
    struct spectrum *s = &all->list[number];
    enum kn_status status = s->left_out ? KN_OK : lines_finish(&s->lines);
    if (status == KN_OK && !s->left_out)
        status = spectral_tables(all->circuit, &s->lines, sink);
    return status == KN_OK && s->measurements
               ? spectral_measures_report(s->measurements, all->circuit, number, &s->lines, s->left_out, listener)
               : status;
}

enum kn_status spectra_write(struct spectra *all, const struct measure_listener *listener, struct kn_sink *sink)
{
    enum kn_status status = KN_OK;
    for (size_t i = 0; i < all->count && status == KN_OK; i++)
        status = write(all, i, listener, sink);
    return status;
}
