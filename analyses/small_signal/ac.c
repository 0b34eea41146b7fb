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
    struct phasors phasors;
    double complex *excitation; /* [n] B, the same at all frequencies */
    double complex *sources;    /* [elements] */
    double complex *X, *slope;  /* [n] */
    double *row;
    struct kn_sink *sink;
    long rows;
};

static size_t count(const struct circuit *c)
{
    return c->sweep_count;
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
        const double angle = acos(-1) / 180 * s->ac_phase;
        const double complex value = CMPLX(s->ac_magnitude * cos(angle), s->ac_magnitude * sin(angle));
        a->sources[i] = mna_excite(a->setup->mna, (int)i, value, a->excitation);
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

static enum kn_status prepare(struct ac *a, struct analysis_summary *summary)
{
    struct setup *s = a->setup;
    enum kn_status status = linear_init(&a->linear, s, summary);
    if (status == KN_OK)
        status = run_index_start(&s->index, s->operating);
    if (status != KN_OK)
        return status;
    const size_t n = (size_t)a->linear.n + 1;
    a->excitation = calloc(n, sizeof *a->excitation);
    a->X = calloc(n, sizeof *a->X);
    a->slope = calloc(n, sizeof *a->slope);
    a->sources = calloc(s->circuit->element_count + 1, sizeof *a->sources);
    if (!a->excitation || !a->X || !a->slope || !a->sources)
        return KN_ERROR_MEMORY;
    excite(a);
    note_derivatives(s);
    status = phasors_init(&a->phasors, &a->linear, a->sources);
    a->row = status == KN_OK ? calloc(a->phasors.name_count, sizeof *a->row) : NULL;
    return a->row || status != KN_OK ? status : KN_ERROR_MEMORY;
}

/* ---- the sweep ---- */

static enum kn_status write_point(void *context, size_t number, double frequency)
{
    struct ac *a = context;
    const struct linear *l = &a->linear;
    const enum kn_status status = linear_factor(&a->linear, frequency);
    (void)number;
    if (status != KN_OK)
        return status;
    memcpy(a->X, a->excitation, (size_t)l->n * sizeof *a->X);
    linear_solve(l, a->X);
    if (a->phasors.needs_slopes) {
        linear_slope(l, a->X, a->slope);
        linear_solve(l, a->slope);
    }
    phasors_fill(&a->phasors, frequency, a->X, a->slope, a->row);
    const enum kn_status written = a->sink->row(a->sink->context, a->row);
    a->rows += written == KN_OK;
    return written;
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
    summary->operating.factorizations += linear_factorizations(&a.linear);
    phasors_free(&a.phasors);
    linear_free(&a.linear);
    free(a.excitation);
    free(a.sources);
    free(a.X);
    free(a.slope);
    free(a.row);
    return status;
}

static const struct analysis_card *sweep(const struct circuit *c, size_t number)
{
    return c->sweeps[number].outer;
}

const struct analysis analysis_ac = {
    .card = ".ac",
    .doc = "small-signal analysis over the frequency, about the operating point",
    .count = count,
    .sweep = sweep,
    .run = run,
};
