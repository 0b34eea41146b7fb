/* periodic_ac.c - .pac: what small sources make of a periodic steady state, at their frequency and at its distances from the
 * harmonics of the orbit. */
#include "analyses/columns.h"
#include "analyses/list.h"
#include "analyses/periodic/periodic.h"
#include "analyses/periodic/range.h"
#include "analyses/periodic/waves.h"
#include "analyses/small_signal/frequencies.h"
#include "analyses/small_signal/linear.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { STAGES = 3, SIDEBANDS = 3, MOST_SIDEBANDS = 1000 };

static const char FORM[] = "write .pac dec points from to [sidebands=n]";

struct pac {
    struct setup *setup;
    struct periodic found;
    struct waves waves;
    struct frequency_sweep sweep;
    double sidebands;
    struct columns columns;
    int *plus, *minus;       /* [shown] unknowns from 0, -1: ground */
    struct kn_column *names; /* [2 shown + 1] */
    size_t shown;
    double complex *source;  /* [n] */
    double complex *y;       /* [3 steps n] */
    double *frequency;       /* [frequencies] */
    double complex *phasors; /* [frequencies][2 sidebands + 1][shown] */
};

static enum kn_status read(const struct setup *s, const struct analysis_card *card, struct frequency_sweep *sweep,
                           double *sidebands)
{
    const struct range_number numbers[] = {{"sidebands", 0, MOST_SIDEBANDS, sidebands}};
    const struct range_request r = {card, "pac-card", FORM, numbers, 1};
    *sidebands = SIDEBANDS;
    const enum kn_status status = range_read(s, &r, 0, sweep);
    if (status == KN_OK && analysis_count(&analysis_periodic, s->circuit) == 0) {
        diagnostics_add(s->diagnostics, KN_ERROR, "pac-card", card->where, "add .pss with the frequency of the sources",
                        "'.pac': there is no .pss card to say about which periodic state");
        return KN_ERROR_DECK;
    }
    return status;
}

static enum kn_status check(struct setup *s, const struct analysis_card *card)
{
    struct frequency_sweep sweep;
    double sidebands;
    return read(s, card, &sweep, &sidebands);
}

/* ---- what is shown ---- */

static bool add_column(struct pac *p, size_t column)
{
    const struct column_source *source = &p->columns.sources[column];
    if (source->kind != COLUMN_UNKNOWN && source->kind != COLUMN_DIFFERENCE)
        return false;
    p->plus[p->shown] = source->plus;
    p->minus[p->shown] = source->kind == COLUMN_DIFFERENCE ? source->minus : -1;
    p->names[2 * p->shown + 1] = p->columns.names[column];
    p->names[2 * p->shown + 2] = (struct kn_column){p->columns.names[column].name, KN_IMAGINARY};
    p->shown++;
    return true;
}

static enum kn_status choose_columns(struct pac *p)
{
    const struct setup *s = p->setup;
    const enum kn_status status = columns_init(&p->columns, s->mna, true);
    const size_t count = p->columns.count + 1;
    if (status != KN_OK)
        return status;
    p->plus = calloc(count, sizeof *p->plus);
    p->minus = calloc(count, sizeof *p->minus);
    p->names = calloc(2 * count + 1, sizeof *p->names);
    if (!p->plus || !p->minus || !p->names)
        return KN_ERROR_MEMORY;
    p->names[0] = (struct kn_column){"frequency", KN_FREQUENCY};
    for (size_t i = 1; i < p->columns.count; i++)
        if (p->columns.plain) {
            p->plus[p->shown] = (int)i - 1;
            p->minus[p->shown] = -1;
            p->names[2 * p->shown + 1] = p->columns.names[i];
            p->names[2 * p->shown++ + 2] = (struct kn_column){p->columns.names[i].name, KN_IMAGINARY};
        } else if (!add_column(p, i)) {
            diagnostics_add(s->diagnostics, KN_WARNING, "pac-column", p->sweep.where,
                            "a voltage source of 0 V in series has a current that is",
                            "'.pac' leaves %s out: it is no unknown of the equations", p->columns.names[i].name);
        }
    return KN_OK;
}

static enum kn_status make_source(struct pac *p)
{
    const struct circuit *c = p->setup->circuit;
    bool any = false;
    for (size_t i = 0; i < c->element_count; i++)
        if (c->elements[i].source.ac_magnitude != 0) {
            any = true;
            mna_excite(p->setup->mna, (int)i, source_phasor(&c->elements[i].source), p->source);
        }
    if (!any)
        diagnostics_add(p->setup->diagnostics, KN_NOTE, "no-ac-source", p->sweep.where,
                        "give a source a magnitude: V1 in 0 DC 0 AC 1",
                        "no source has an AC value, so that all small signals are 0");
    return KN_OK;
}

/* ---- the phasors ---- */

static double complex stage_value(const struct pac *p, size_t stage, size_t column)
{
    const double complex *y = p->y + stage * (size_t)p->waves.orbit->n;
    return (p->plus[column] >= 0 ? y[p->plus[column]] : 0) - (p->minus[column] >= 0 ? y[p->minus[column]] : 0);
}

/* Fourier coefficients by the quadrature of the stages. */
static void take_phasors(struct pac *p, double complex *to)
{
    const int bands = (int)p->sidebands;
    for (size_t stage = 0; stage < STAGES * (size_t)p->waves.orbit->steps; stage++) {
        const double weight = waves_weight(&p->waves, stage);
        const double angle = -2 * acos(-1) * waves_part(&p->waves, stage);
        for (int k = -bands; k <= bands; k++) {
            const double complex factor = weight * cexp(CMPLX(0, k * angle));
            for (size_t i = 0; i < p->shown; i++)
                to[(size_t)(k + bands) * p->shown + i] += factor * stage_value(p, stage, i);
        }
    }
}

static enum kn_status visit(void *context, size_t number, double frequency)
{
    struct pac *p = context;
    const size_t all = (size_t)(2 * p->sidebands + 1) * p->shown;
    enum kn_status status = waves_set(&p->waves, 2 * acos(-1) * frequency);
    if (status == KN_OK)
        status = waves_solve(&p->waves, p->source, p->y);
    p->frequency[number] = frequency;
    if (status == KN_OK)
        take_phasors(p, p->phasors + number * all);
    if (status == KN_ERROR_CONVERGENCE || status == KN_ERROR_CIRCUIT) {
        diagnostics_add(p->setup->diagnostics, KN_ERROR, "pac", p->sweep.where,
                        "keep away from frequencies at which the state itself rings without damping",
                        "'.pac': small signals of %g Hz have no periodic answer", frequency);
        status = KN_ERROR_CIRCUIT;
    }
    return status;
}

/* ---- tables ---- */

static enum kn_status write_band(const struct pac *p, int band, double *row, struct kn_sink *sink)
{
    char plot[100];
    const int bands = (int)p->sidebands;
    const size_t all = (size_t)(2 * bands + 1) * p->shown;
    snprintf(plot, sizeof plot, "Periodic AC Analysis, sideband %d", band);
    const struct kn_table table = {p->setup->circuit->title, plot, p->names, 2 * p->shown + 1, 1, 0};
    enum kn_status status = sink->begin(sink->context, &table);
    if (status != KN_OK)
        return status;
    for (size_t f = 0; f < frequencies_count(&p->sweep) && status == KN_OK; f++) {
        const double complex *from = p->phasors + f * all + (size_t)(band + bands) * p->shown;
        row[0] = p->frequency[f];
        for (size_t i = 0; i < p->shown; i++) {
            row[2 * i + 1] = creal(from[i]);
            row[2 * i + 2] = cimag(from[i]);
        }
        status = sink->row(sink->context, row);
    }
    const enum kn_status ended = sink->end(sink->context, status);
    return status == KN_OK ? ended : status;
}

static enum kn_status write_tables(const struct pac *p, struct kn_sink *sink)
{
    double *row = calloc(2 * p->shown + 1, sizeof *row);
    enum kn_status status = row ? KN_OK : KN_ERROR_MEMORY;
    for (int band = -(int)p->sidebands; band <= (int)p->sidebands && status == KN_OK; band++)
        status = write_band(p, band, row, sink);
    free(row);
    return status;
}

static enum kn_status prepare(struct pac *p, const struct analysis_card *card, struct analysis_summary *summary)
{
    enum kn_status status = read(p->setup, card, &p->sweep, &p->sidebands);
    if (status == KN_OK)
        status = periodic_find(p->setup, analysis_card(p->setup->circuit, ".pss", 0), &p->found, summary);
    if (status == KN_OK)
        status = periodic_for_sidebands(&p->found, (int)p->sidebands, card);
    if (status == KN_OK)
        status = waves_init(&p->waves, &p->found.orbit);
    if (status == KN_OK)
        status = choose_columns(p);
    if (status != KN_OK)
        return status;
    const size_t n = (size_t)p->found.orbit.n, count = frequencies_count(&p->sweep);
    p->source = calloc(n + 1, sizeof *p->source);
    p->y = calloc(STAGES * (size_t)p->found.orbit.steps * n + 1, sizeof *p->y);
    p->frequency = calloc(count, sizeof *p->frequency);
    p->phasors = calloc(count * (size_t)(2 * p->sidebands + 1) * p->shown + 1, sizeof *p->phasors);
    return p->source && p->y && p->frequency && p->phasors ? make_source(p) : KN_ERROR_MEMORY;
}

static enum kn_status run(struct setup *s, size_t number, struct kn_sink *sink, struct analysis_summary *summary)
{
    struct pac p = {.setup = s};
    enum kn_status status = prepare(&p, analysis_card(s->circuit, ".pac", number), summary);
    if (status == KN_OK)
        status = frequencies_walk(s, &p.sweep, visit, &p);
    if (status == KN_OK)
        status = write_tables(&p, sink);
    summary->method = "shooting";
    summary->rows = status == KN_OK ? (long)frequencies_count(&p.sweep) : 0;
    if (p.waves.orbit)
        waves_free(&p.waves);
    periodic_free(&p.found);
    columns_free(&p.columns);
    free(p.plus);
    free(p.minus);
    free(p.names);
    free(p.source);
    free(p.y);
    free(p.frequency);
    free(p.phasors);
    return status;
}

const struct analysis analysis_periodic_ac = {
    .card = ".pac",
    .doc = "small signals about the state of .pss, with its sidebands: .pac dec points from to [sidebands=n]",
    .check = check,
    .run = run,
};
