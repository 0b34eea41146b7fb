/* ac.c - .ac: the response to the phasors of all sources, frequency by frequency, about the operating point. */
#include "analyses/analysis.h"
#include "analyses/small_signal/frequencies.h"
#include "analyses/small_signal/phasors.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ac {
    struct setup *setup;
    const struct frequency_sweep *sweep;
    struct linear linear;
    struct response response;
    struct phasors phasors;
    double *row;
    struct kn_sink *sink;
    long rows;
    struct measurements *measurements; /* NULL where the deck asks for none */
    struct probes probes;              /* of what they measure */
    double *before, *values;           /* [signals_numbers] at the last frequency, and at this one */
    double last;                       /* Hz */
};

static size_t count(const struct circuit *c)
{
    return c->sweep_count;
}

static const struct analysis_card *sweep(const struct circuit *c, size_t number)
{
    return c->sweeps[number].outer;
}

/* ---- before the sweep ---- */

static void excite(struct ac *a)
{
    const struct circuit *c = a->setup->circuit;
    bool any = false;
    for (size_t i = 0; i < c->element_count; i++) {
        const struct source *s = &c->elements[i].source;
        if (s->ac_magnitude == 0)
            continue;
        any = true;
        a->response.sources[i] = mna_excite(a->setup->mna, (int)i, source_phasor(s), a->response.excitation);
    }
    if (!any)
        diagnostics_add(a->setup->diagnostics, KN_NOTE, "no-ac-source", a->sweep->where,
                        "give a source a magnitude: V1 in 0 DC 0 AC 1",
                        "no source has an AC value, so that all small signals are 0");
}

/* What differentiates: its phasor grows with the frequency beyond all bounds. */
static void note_derivatives(const struct setup *s)
{
    const struct dae *dae = mna_dae(s->mna);
    struct text names = TEXT(400);
    struct text_list list = text_list(&names, ", ", 5);
    for (int i = 0; i < dae->n; i++)
        if (dae->classes && dae->classes[i] == DAE_INDEX2)
            text_list_add(&list, mna_unknown(s->mna, i)->name);
    text_list_end_counted(&list);
    if (list.given > 0)
        diagnostics_add(s->diagnostics, KN_NOTE, "index-2", (struct kn_location){.file = s->circuit->file}, NULL,
                        "the circuit differentiates: %s may grow with the frequency without end", names.at);
}

static enum kn_status make_measurements(struct ac *a)
{
    static const struct measure_curve curve = {.domain = MEASURE_OF_AC, .anywhere = true, .exact = 1e-9, .unit = " Hz"};
    struct setup *s = a->setup;
    double *results = setup_results(s);
    const enum kn_status status =
        results ? measure_new(s->circuit, &curve, results, &a->measurements) : KN_ERROR_MEMORY;
    if (status != KN_OK || !a->measurements)
        return status;
    const struct signal_set *set = measure_signals(a->measurements);
    a->before = calloc(signals_numbers(set) + 1, sizeof *a->before);
    a->values = calloc(signals_numbers(set) + 1, sizeof *a->values);
    return probes_init(&a->probes, s->mna, set->variables, set->count) && a->before && a->values ? KN_OK
                                                                                                 : KN_ERROR_MEMORY;
}

static enum kn_status prepare(struct ac *a, struct analysis_summary *summary)
{
    struct setup *s = a->setup;
    enum kn_status status = linear_init(&a->linear, s, summary);
    if (status == KN_OK)
        status = run_index_start(&s->index, s->operating);
    if (status == KN_OK)
        status = linear_alternate(&a->linear);
    if (status != KN_OK)
        return status;
    status = response_init(&a->response, &a->linear);
    if (status != KN_OK)
        return status;
    excite(a);
    note_derivatives(s);
    status = phasors_init(&a->phasors, &a->response);
    a->row = status == KN_OK ? calloc(a->phasors.name_count, sizeof *a->row) : NULL;
    if (status == KN_OK && !a->row)
        status = KN_ERROR_MEMORY;
    return status == KN_OK && s->options->measured ? make_measurements(a) : status;
}

/* ---- the sweep ---- */

static enum kn_status look(void *context, double frequency, double *values)
{
    struct ac *a = context;
    const enum kn_status status =
        setup_is_stopped(a->setup) ? KN_INTERRUPTED : response_at(&a->response, frequency, true);
    if (status == KN_OK)
        response_read(&a->response, &a->probes, values);
    return status;
}

/* The way from the last frequency to this one, where the response has just been found. */
static enum kn_status measure(struct ac *a, size_t number, double frequency)
{
    double *swapped = a->before;
    a->before = a->values;
    a->values = swapped;
    response_read(&a->response, &a->probes, a->values);
    const struct measure_piece piece = {
        number == 0 ? frequency : a->last, frequency, number == 0 ? a->values : a->before, a->values, {a, look}};
    a->last = frequency;
    return measure_piece(a->measurements, &piece);
}

static enum kn_status write_point(void *context, size_t number, double frequency)
{
    struct ac *a = context;
    enum kn_status status = response_at(&a->response, frequency, a->phasors.needs_slopes || a->measurements);
    if (status != KN_OK)
        return status;
    phasors_fill(&a->phasors, a->row);
    status = a->sink->row(a->sink->context, a->row);
    a->rows += status == KN_OK;
    return status == KN_OK && a->measurements ? measure(a, number, frequency) : status;
}

static enum kn_status write_table(struct ac *a)
{
    const struct kn_table table = {
        a->setup->circuit->title, "AC Analysis", a->phasors.names, a->phasors.name_count, 1, 0};
    enum kn_status status = a->sink->begin(a->sink->context, &table);
    if (status != KN_OK)
        return status;
    status = frequencies_walk(a->setup, a->sweep, write_point, a);
    const enum kn_status ended = a->sink->end(a->sink->context, status);
    return status == KN_OK ? ended : status;
}

static enum kn_status run(struct setup *s, size_t number, struct kn_sink *sink, struct analysis_summary *summary)
{
    struct ac a = {.setup = s, .sweep = &s->circuit->sweeps[number], .sink = sink};
    enum kn_status status = prepare(&a, summary);
    if (status == KN_OK)
        status = write_table(&a);
    summary->rows = a.rows;
    if (status == KN_OK && a.measurements) {
        const struct measure_listener listener = setup_listener(s);
        status = measure_report(a.measurements, &(struct curve_look){&a, look}, &listener);
    }
    measure_free(a.measurements);
    probes_free(&a.probes);
    phasors_free(&a.phasors);
    response_free(&a.response);
    linear_end(&a.linear, summary);
    free(a.before);
    free(a.values);
    free(a.row);
    return status;
}

const struct analysis analysis_ac =
    SWEPT_ANALYSIS(".ac", "small-signal analysis over the frequency, about the operating point");
