/* pss.c - .pss: the periodic steady state of driven circuits and of oscillators, by shooting. */
#include "analyses/columns.h"
#include "analyses/periodic/periodic.h"
#include "base/text.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

/* A multiplier within this of the unit circle is neither stable nor unstable. */
static const double MARGIN = 1e-6;
/* Part of a multiplier that is rounding. */
static const double ROUNDING = 1e-12;

struct pss {
    struct periodic found;
    struct columns columns;
    double *x, *dxdt, *row; /* [n], [n], [columns] */
    long rows;
};

/* ---- what is said of it ---- */

static void describe_multipliers(struct text *t, const struct eigenvalue *m, int count)
{
    for (int i = 0; i < count; i++) {
        const double re = creal(m[i].value), im = cimag(m[i].value);
        if (i > 0)
            text_add(t, ", ");
        if (fabs(im) <= ROUNDING * fabs(re))
            text_format(t, "%.6g", re);
        else
            text_format(t, "%.4g%+.4gj", re, im);
    }
}

static enum kn_status report(struct periodic *p)
{
    struct orbit *o = &p->orbit;
    int count = 0;
    struct arena *memory = arena_new();
    struct eigenvalue *m = memory ? arena_array(memory, (size_t)o->n + SHOOTING_SHOWN, sizeof *m) : NULL;
    struct text list = TEXT(300);
    const enum kn_status status = m ? shooting_multipliers(memory, o, m, &count) : KN_ERROR_MEMORY;
    if (status == KN_OK) {
        const int own = p->oscillates ? 1 : 0; /* the one of the phase */
        const double largest = count > own ? cabs(m[own].value) : 0;
        describe_multipliers(&list, m, count < SHOOTING_SHOWN ? count : SHOOTING_SHOWN);
        diagnostics_add(p->setup->diagnostics, KN_NOTE, "periodic-steady-state", p->where,
                        largest > 1 + MARGIN ? "it is unstable: no run in time stays on it" : NULL,
                        "period %.9g s (%.9g Hz), closed in %d iterations on %d steps, known to %.2g tolerances; "
                        "%s%s%s",
                        o->period, 1 / o->period, p->iterations, o->steps, p->error,
                        count > 0 ? "Floquet multipliers " : "Floquet multipliers were not found", list.at,
                        p->oscillates && count > 0 ? ": the first would be 1 without errors of the steps" : "");
        if (p->error > 1)
            diagnostics_add(p->setup->diagnostics, KN_WARNING, "periodic-error", p->where,
                            "a larger reltol asks for no more; smoother models have fewer corners inside a step",
                            "when the steps were last halved the orbit changed by %.2g tolerances", p->error);
    }
    arena_free(memory);
    return status;
}

/* ---- tables ---- */

static void fill(struct pss *p, double part)
{
    orbit_at(&p->found.orbit, part, p->x, p->dxdt);
    columns_fill(&p->columns, p->found.setup->mna, p->found.orbit.start + part * p->found.orbit.period, p->x, p->dxdt,
                 p->row);
}

static enum kn_status write_waveforms(struct pss *p, struct kn_sink *sink)
{
    const struct kn_table table = {
        p->found.setup->circuit->title, "Periodic Steady State", p->columns.names, p->columns.count, 0, 0};
    enum kn_status status = sink->begin(sink->context, &table);
    if (status != KN_OK)
        return status;
    for (int i = 0; i <= p->found.points && status == KN_OK; i++) {
        fill(p, (double)i / p->found.points);
        p->row[0] = p->found.orbit.period * i / p->found.points;
        status = sink->row(sink->context, p->row);
        p->rows += status == KN_OK;
    }
    const enum kn_status ended = sink->end(sink->context, status);
    return status == KN_OK ? ended : status;
}

/* Gauss-Legendre, 5 points on [0, 1]: exact for the polynomial of a step times what is left of a wave of a quarter of a
 * period in it. */
static const double gauss_at[] = {0.046910077030668, 0.2307653449471585, 0.5, 0.7692346550528415, 0.953089922969332};
static const double gauss_weight[] = {0.1184634425280945, 0.2393143352496832, 0.2844444444444444, 0.2393143352496832,
                                      0.1184634425280945};

/* phasors [(harmonics + 1) columns]: X_k = 2/T int x e^(-j k w t) dt, k = 0: half of it. */
static void add_point(struct pss *p, double part, double weight, double complex *phasors)
{
    const double complex turn = cexp(CMPLX(0, -2 * acos(-1) * part));
    double complex factor = weight;
    fill(p, part);
    for (int k = 0; k <= p->found.harmonics; k++, factor *= turn)
        for (size_t i = 1; i < p->columns.count; i++)
            phasors[(size_t)k * p->columns.count + i] += (k ? 2 : 1) * factor * p->row[i];
}

static void find_phasors(struct pss *p, double complex *phasors)
{
    const struct orbit *o = &p->found.orbit;
    for (int i = 0; i < o->steps; i++) {
        const double from = o->part[i], all = o->part[i + 1] - from;
        const int pieces = (int)ceil(4 * all * p->found.harmonics) + 1;
        for (int piece = 0; piece < pieces; piece++)
            for (int g = 0; g < 5; g++)
                add_point(p, from + all * (piece + gauss_at[g]) / pieces, all * gauss_weight[g] / pieces, phasors);
    }
}

static enum kn_status write_harmonics(struct pss *p, const char *plot, struct kn_sink *sink)
{
    const size_t count = p->columns.count, width = 2 * count;
    double complex *phasors = calloc((size_t)(p->found.harmonics + 1) * count, sizeof *phasors);
    struct kn_column *names = calloc(width, sizeof *names);
    double *row = calloc(width, sizeof *row);
    enum kn_status status = phasors && names && row ? KN_OK : KN_ERROR_MEMORY;
    if (status == KN_OK) {
        find_phasors(p, phasors);
        names[0] = (struct kn_column){"frequency", KN_FREQUENCY};
        for (size_t i = 1; i < count; i++) {
            names[2 * i - 1] = p->columns.names[i];
            names[2 * i] = (struct kn_column){p->columns.names[i].name, KN_IMAGINARY};
        }
        const struct kn_table table = {p->found.setup->circuit->title, plot, names, width - 1, 1, 0};
        status = sink->begin(sink->context, &table);
        for (int k = 0; k <= p->found.harmonics && status == KN_OK; k++) {
            row[0] = k / p->found.orbit.period;
            for (size_t i = 1; i < count; i++) {
                row[2 * i - 1] = creal(phasors[(size_t)k * count + i]);
                row[2 * i] = cimag(phasors[(size_t)k * count + i]);
            }
            status = sink->row(sink->context, row);
            p->rows += status == KN_OK;
        }
        const enum kn_status ended = sink->end(sink->context, status);
        status = status == KN_OK ? ended : status;
    }
    free(phasors);
    free(names);
    free(row);
    return status;
}

static enum kn_status prepare_tables(struct pss *p)
{
    const size_t n = (size_t)p->found.orbit.n + 1;
    const enum kn_status status = columns_init(&p->columns, p->found.setup->mna, true);
    p->x = calloc(n, sizeof *p->x);
    p->dxdt = calloc(n, sizeof *p->dxdt);
    p->row = calloc(p->columns.count + 1, sizeof *p->row);
    return status == KN_OK && !(p->x && p->dxdt && p->row) ? KN_ERROR_MEMORY : status;
}

/* The state of a card; `waves`: with its waveforms. */
static enum kn_status find_state(struct setup *s, const struct analysis_card *card, bool waves, struct kn_sink *sink,
                                 struct analysis_summary *summary)
{
    struct pss p = {.rows = 0};
    enum kn_status status = periodic_find(s, card, &p.found, summary);
    if (status == KN_OK)
        status = report(&p.found);
    if (status == KN_OK)
        status = prepare_tables(&p);
    if (status == KN_OK && waves)
        status = write_waveforms(&p, sink);
    if (status == KN_OK)
        status = write_harmonics(&p, waves ? "Periodic Steady State Harmonics" : "Harmonic Balance", sink);
    summary->method = "shooting";
    summary->rows = p.rows;
    columns_free(&p.columns);
    periodic_free(&p.found);
    free(p.x);
    free(p.dxdt);
    free(p.row);
    return status;
}

static enum kn_status run(struct setup *s, size_t number, struct kn_sink *sink, struct analysis_summary *summary)
{
    return find_state(s, analysis_card(s->circuit, ".pss", number), true, sink, summary);
}

static enum kn_status run_tones(struct setup *s, size_t number, struct kn_sink *sink, struct analysis_summary *summary)
{
    return find_state(s, analysis_card(s->circuit, ".hb", number), false, sink, summary);
}

const struct analysis analysis_periodic = {
    .card = ".pss",
    .doc = "periodic steady state: .pss frequency [tstab] [osc=node] [points=n] [harms=n]",
    .check = periodic_check,
    .run = run,
};

const struct analysis analysis_tones = {
    .card = ".hb",
    .doc = "harmonics and mixing products of tones with a common period: .hb f1 [f2 ..] [nharms=n]",
    .check = periodic_check,
    .run = run_tones,
};
