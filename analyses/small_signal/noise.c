/* noise.c - .noise: the noise of all devices at an output, frequency by frequency, and referred to an input.
 *
 * All sources of noise are small independent currents.  With A = G + j w C, one transposed solve A^T y = e_out gives the
 * response y at the output to a current into any equation (Rohrer, Nagel, Meyer and Weber, IEEE J. Solid-State Circuits 6
 * (1971) 204), so that
 *     S_out = sum_k |y_p - y_n|^2 S_k,   gain = y^T b,   S_in = S_out / |gain|^2.
 * Results are roots of densities, as in ngspice.
 */
#include "analyses/analysis.h"
#include "analyses/measure/measure_rows.h"
#include "analyses/small_signal/contributions.h"
#include "analyses/small_signal/frequencies.h"
#include "analyses/small_signal/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FREQUENCY, OUTPUT, INPUT, GAIN, LEAD };

struct noise {
    struct setup *setup;
    const struct noise_request *request;
    struct kn_sink *sink;
    struct linear linear;
    struct contributions contributions;
    double complex *unit; /* [n] e_out */
    double complex *b;    /* [n] of the input source, */
    int *driven;          /* [driven_count] and where it is not 0 */
    int driven_count;
    double complex *y; /* [n] */
    double *row;       /* [LEAD + contributors], later of the totals */
    long rows;
    double last[2], slope; /* frequency and density before, to tell how the noise grows at the end */
    bool deaf;             /* a frequency without gain has been reported */
};

static size_t count(const struct circuit *c)
{
    return c->noise_count;
}

static const struct analysis_card *sweep(const struct circuit *c, size_t number)
{
    return c->noises[number].sweep.outer;
}

/* ---- before the sweep ---- */

static enum kn_status prepare(struct noise *n, struct analysis_summary *summary)
{
    struct setup *s = n->setup;
    enum kn_status status = linear_init(&n->linear, s, summary);
    if (status == KN_OK)
        status = run_index_start(&s->index, s->operating);
    if (status == KN_OK)
        status = contributions_init(&n->contributions, s->mna, s->operating, n->request->summary > 0);
    if (status == KN_OK)
        status = linear_alternate(&n->linear);
    if (status != KN_OK)
        return status;
    const size_t size = (size_t)n->linear.n + 1;
    n->unit = calloc(3 * size, sizeof *n->unit);
    n->row = calloc(LEAD + 2 * n->contributions.count, sizeof *n->row);
    n->driven = calloc(size, sizeof *n->driven);
    if (!n->unit || !n->row || !n->driven)
        return KN_ERROR_MEMORY;
    n->b = n->unit + size;
    n->y = n->b + size;
    linear_output(&n->linear, &n->request->output, n->unit);
    mna_excite(s->mna, n->request->source, 1, n->b);
    for (int i = 0; i < n->linear.n; i++)
        if (n->b[i] != 0)
            n->driven[n->driven_count++] = i;
    return KN_OK;
}

/* ---- the spectrum ---- */

static const char *source_name(const struct noise *n)
{
    return n->setup->circuit->elements[n->request->source].name;
}

static void report_deafness(struct noise *n, double frequency)
{
    if (!n->deaf)
        diagnostics_add(n->setup->diagnostics, KN_WARNING, "no-gain", n->request->sweep.where,
                        "name a source that the output depends on",
                        "'.noise': at %g Hz nothing of %s arrives at %s, so that the noise referred to it is infinite",
                        frequency, source_name(n), n->request->output.label);
    n->deaf = true;
}

static double squared(double complex z)
{
    return creal(z) * creal(z) + cimag(z) * cimag(z);
}

static enum kn_status write_row(struct noise *n)
{
    const struct contributions *c = &n->contributions;
    for (size_t k = 0; k < c->count; k++)
        n->row[LEAD + k] = sqrt(contributions_density(c, k));
    const enum kn_status status = n->sink->row(n->sink->context, n->row);
    n->rows += status == KN_OK;
    return status;
}

static enum kn_status visit(void *context, size_t number, double frequency)
{
    struct noise *n = context;
    const struct linear *l = &n->linear;
    memcpy(n->y, n->unit, (size_t)l->n * sizeof *n->y);
    const enum kn_status status =
        linear_adjoint(&n->linear, frequency, frequencies_at(&n->request->sweep, number + 1), n->y);
    if (status != KN_OK)
        return status;
    double complex gain = 0;
    for (int k = 0; k < n->driven_count; k++)
        gain += n->y[n->driven[k]] * n->b[n->driven[k]];
    const double gain2 = squared(gain), density = contributions_visit(&n->contributions, frequency, n->y, gain2);
    if (gain2 == 0 && density > 0)
        report_deafness(n, frequency);
    if (number > 0)
        n->slope = log(density / n->last[1]) / log(frequency / n->last[0]);
    n->last[0] = frequency;
    n->last[1] = density;
    n->row[FREQUENCY] = frequency;
    n->row[OUTPUT] = sqrt(density);
    n->row[INPUT] = sqrt(contributions_referred(density, gain2));
    n->row[GAIN] = sqrt(gain2);
    return n->request->summary > 1 && number % n->request->summary != 0 ? KN_OK : write_row(n);
}

/* A voltage or current that depends on derivatives is as noisy as these: white noise grows with the frequency. */
static void note_growth(const struct noise *n)
{
    const struct dae *dae = mna_dae(n->setup->mna);
    bool differentiates = false;
    for (int i = 0; i < dae->n; i++)
        differentiates |= n->unit[i] != 0 && dae->classes[i] == DAE_INDEX2;
    if (differentiates && n->slope > 0.1)
        diagnostics_add(
            n->setup->diagnostics, KN_NOTE, "index-2", n->request->sweep.where, NULL,
            "the circuit differentiates: at %g Hz the density of the noise at %s (V^2/Hz or A^2/Hz) still grows "
            "as f^%.2g, so that its total depends on the last frequency",
            n->last[0], n->request->output.label, n->slope);
}

/* ---- tables ---- */

static enum kn_quantity input_quantity(const struct noise *n, bool density)
{
    const bool voltage = n->setup->circuit->elements[n->request->source].kind->sets_voltage;
    return density ? voltage ? KN_VOLTAGE_DENSITY : KN_CURRENT_DENSITY : voltage ? KN_VOLTAGE : KN_CURRENT;
}

static enum kn_quantity output_quantity(const struct noise *n, bool density)
{
    const bool voltage = n->request->output.kind == REQUEST_VOLTAGE;
    return density ? voltage ? KN_VOLTAGE_DENSITY : KN_CURRENT_DENSITY : voltage ? KN_VOLTAGE : KN_CURRENT;
}

static enum kn_status write_spectrum(struct noise *n, struct arena *a)
{
    const struct contributions *c = &n->contributions;
    const enum kn_quantity out = output_quantity(n, true);
    struct kn_column *columns = arena_array(a, LEAD + c->count, sizeof *columns);
    if (!columns)
        return KN_ERROR_MEMORY;
    columns[FREQUENCY] = (struct kn_column){"frequency", KN_FREQUENCY};
    columns[OUTPUT] = (struct kn_column){"onoise_spectrum", out};
    columns[INPUT] = (struct kn_column){"inoise_spectrum", input_quantity(n, true)};
    columns[GAIN] = (struct kn_column){"gain", KN_OTHER};
    for (size_t k = 0; k < c->count; k++) {
        columns[LEAD + k] = (struct kn_column){arena_format(a, "onoise_%s", c->list[k].name), out};
        if (!columns[LEAD + k].name)
            return KN_ERROR_MEMORY;
    }
    const struct kn_table table = {
        n->setup->circuit->title, "Noise Spectral Density Curves", columns, LEAD + c->count, 1, 0};
    enum kn_status status = n->sink->begin(n->sink->context, &table);
    if (status != KN_OK)
        return status;
    status = frequencies_walk(n->setup, &n->request->sweep, visit, n);
    const enum kn_status ended = n->sink->end(n->sink->context, status);
    return status == KN_OK ? ended : status;
}

/* The spectrum with what .measure noise asks of it. */
static enum kn_status measure_spectrum(struct noise *n, struct arena *a)
{
    struct kn_sink *const sink = n->sink;
    struct measure_rows rows;
    const struct measure_listener listener = setup_listener(n->setup);
    enum kn_status status =
        measure_rows_init(&rows, n->setup->circuit, MEASURE_OF_NOISE, setup_results(n->setup), &listener, sink);
    struct kn_sink measured = measure_rows_sink(&rows);
    n->sink = &measured;
    status = status == KN_OK ? write_spectrum(n, a) : status;
    n->sink = sink;
    measure_rows_free(&rows);
    return status;
}

static enum kn_status write_totals(struct noise *n, struct arena *a)
{
    const struct contributions *c = &n->contributions;
    const size_t shown = n->request->summary > 0 ? c->count : 0, columns = 2 * (shown + 1);
    struct kn_column *names = arena_array(a, columns, sizeof *names);
    double *row = arena_array(a, columns, sizeof *row);
    if (!names || !row)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < columns; i++) {
        const bool input = i % 2;
        const size_t k = i / 2;
        const char *const kind = input ? "inoise_total" : "onoise_total";
        names[i].name = k > 0 ? arena_format(a, "%s_%s", kind, c->list[k - 1].name) : kind;
        names[i].quantity = input ? input_quantity(n, false) : output_quantity(n, false);
        row[i] = sqrt(contributions_integral(c, k > 0 ? k - 1 : c->count, input));
        if (!names[i].name)
            return KN_ERROR_MEMORY;
    }
    return analysis_one_row(n->setup, "Integrated Noise", names, columns, row, n->sink);
}

static enum kn_status run(struct setup *s, size_t number, struct kn_sink *sink, struct analysis_summary *summary)
{
    struct noise n = {.setup = s, .request = &s->circuit->noises[number], .sink = sink};
    struct arena *a = arena_new();
    enum kn_status status = a ? prepare(&n, summary) : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = measure_spectrum(&n, a);
    if (status == KN_OK)
        note_growth(&n);
    if (status == KN_OK && frequencies_count(&n.request->sweep) > 1)
        status = write_totals(&n, a);
    summary->rows = n.rows;
    contributions_free(&n.contributions);
    linear_end(&n.linear, summary);
    free(n.unit);
    free(n.row);
    free(n.driven);
    arena_free(a);
    return status;
}

const struct analysis analysis_noise =
    SWEPT_ANALYSIS(".noise", "noise at an output, as a source at an input, and of each device, over the frequency");
