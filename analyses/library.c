/* library.c - the functions of knoten.h that run a deck: the library's front door. */
#include "analyses/library.h"

#include "analyses/compare/verify.h"
#include "analyses/faults.h"
#include "netlist/netlist.h"
#include "output/sinks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *kn_version(void)
{
    return KNOTEN_VERSION;
}

/* ---- circuits ---- */

static enum kn_status wrap(enum kn_status status, struct circuit *circuit, struct kn_circuit **out)
{
    *out = NULL;
    if (status != KN_OK)
        return status;
    struct kn_circuit *c = malloc(sizeof *c);
    if (!c) {
        circuit_free(circuit);
        return KN_ERROR_MEMORY;
    }
    c->circuit = circuit;
    *out = c;
    return KN_OK;
}

enum kn_status kn_circuit_read_file(const char *path, struct kn_diagnostics *d, struct kn_circuit **out)
{
    struct circuit *circuit = NULL;
    const enum kn_status status = circuit_read_file_and_check(&device_catalogue, path, faults_of_deck, d, &circuit);
    return wrap(status, circuit, out);
}

enum kn_status kn_circuit_read_text(const char *name, const char *text, size_t length, struct kn_diagnostics *d,
                                    struct kn_circuit **out)
{
    struct circuit *circuit = NULL;
    const enum kn_status status =
        circuit_read_text_and_check(&device_catalogue, name, text, length, faults_of_deck, d, &circuit);
    return wrap(status, circuit, out);
}

void kn_circuit_free(struct kn_circuit *c)
{
    if (c)
        circuit_free(c->circuit);
    free(c);
}

/* ---- sinks ---- */

enum kn_status kn_raw_file(const char *path, bool ascii, struct kn_diagnostics *d, struct kn_sink *out)
{
    return raw_sink(path, ascii ? RAW_ASCII : RAW_BINARY, d, out);
}

enum kn_status kn_csv_file(const char *path, struct kn_diagnostics *d, struct kn_sink *out)
{
    return csv_sink(path, d, out);
}

void kn_sink_free(struct kn_sink *sink)
{
    sink_free(sink);
}

/* ---- runs ---- */

static enum kn_status override(struct analysis_options *a, const struct kn_options *o, struct kn_diagnostics *d)
{
    if (!o)
        return KN_OK;
    if (o->method && !(a->method = analysis_method(o->method, NOWHERE, d)))
        return KN_ERROR_ARGUMENT;
    if (o->reltol > 0)
        a->relative = o->reltol;
    if (o->maxord > 0)
        a->max_order = o->maxord;
    a->even = o->even;
    a->interrupted = o->interrupted;
    a->progress = o->progress;
    a->measured = o->measured;
    a->context = o->context;
    return KN_OK;
}

static void add_up(struct kn_summary *total, const struct analysis_summary *one)
{
    const struct integrator_statistics *s = &one->steps;
    total->analyses++;
    total->unknowns = one->unknowns > total->unknowns ? one->unknowns : total->unknowns;
    total->rows += one->rows;
    total->steps_accepted += s->accepted;
    total->steps_rejected += s->rejected_error + s->rejected_newton;
    total->newton_iterations += s->newton_iterations + one->operating.iterations;
    total->factorizations += s->factorizations + s->refactorizations + one->operating.factorizations;
    total->seconds += one->wall;
    if (one->method) {
        total->method = one->method;
        memcpy(total->choice, one->choice, sizeof total->choice);
    }
}

/* ---- .options verify ---- */

/* Rows go to the caller and are kept. */
struct keeper {
    struct kn_sink *caller;
    struct recording rows;
    struct kn_sink recorder;
};

static enum kn_status keeper_begin(void *context, const struct kn_table *table)
{
    struct keeper *k = context;
    const enum kn_status status = k->recorder.begin(k->recorder.context, table);
    return status == KN_OK ? k->caller->begin(k->caller->context, table) : status;
}

static enum kn_status keeper_row(void *context, const double *values)
{
    struct keeper *k = context;
    const enum kn_status status = k->caller->row(k->caller->context, values);
    return status == KN_OK ? k->recorder.row(k->recorder.context, values) : status;
}

static enum kn_status keeper_end(void *context, enum kn_status outcome)
{
    struct keeper *k = context;
    return k->caller->end(k->caller->context, outcome);
}

static enum kn_status run_verified(const struct circuit *c, const struct transient *request,
                                   const struct analysis_options *o, struct kn_diagnostics *d, struct kn_sink *sink,
                                   struct analysis_summary *summary)
{
    struct keeper keeper = {.caller = sink};
    struct kn_sink both = {&keeper, keeper_begin, keeper_row, keeper_end};
    keeper.recorder = recording_sink(&keeper.rows);
    enum kn_status status = analysis_transient(c, request, o, d, &both, summary);
    if (status == KN_OK) {
        struct verification v;
        const struct verify_request verify = {
            .circuit = c,
            .transient = request,
            .options = o,
            .first_method = integrator_find(summary->method),
            .limit = INFINITY,
        };
        status = verify_rows(&verify, &keeper.rows, &v);
        if (status == KN_OK)
            verify_report(&v, d);
        verify_free(&v);
    }
    recording_free(&keeper.rows);
    return status;
}

static enum kn_status run_all(const struct circuit *c, const struct analysis_options *o, struct kn_diagnostics *d,
                              struct kn_sink *sink, struct kn_summary *total)
{
    enum kn_status status = KN_OK;
    if (c->has_operating_point || c->transient_count == 0) {
        struct analysis_summary one = {0};
        status = analysis_operating_point(c, o, d, sink, &one);
        add_up(total, &one);
    }
    for (size_t i = 0; status == KN_OK && i < c->transient_count; i++) {
        struct analysis_summary one = {0};
        status = o->verify ? run_verified(c, &c->transients[i], o, d, sink, &one)
                           : analysis_transient(c, &c->transients[i], o, d, sink, &one);
        add_up(total, &one);
    }
    return status;
}

enum kn_status kn_run(const struct kn_circuit *c, const struct kn_options *options, struct kn_diagnostics *d,
                      struct kn_sink *sink, struct kn_summary *summary)
{
    struct kn_summary total = {0};
    struct analysis_options o = {0};
    const struct circuit *circuit = c->circuit;
    enum kn_status status = analysis_options_of(circuit, d, &o);
    if (status == KN_ERROR_DECK)
        faults_of_devices(circuit, d);
    if (status == KN_OK)
        status = override(&o, options, d);
    if (status == KN_OK && !circuit->has_operating_point && circuit->transient_count == 0)
        diagnostics_add(
            d, KN_WARNING, "no-analysis", NOWHERE,
            "add a line such as  .tran 1u 1m  for a transient analysis, or .op to ask for the operating point",
            "the deck asks for no analysis; its operating point is computed");
    if (status == KN_OK)
        status = run_all(circuit, &o, d, sink, &total);
    if (status == KN_ERROR_DECK &&
        diagnostics_exhausted(d)) /* devices report what they cannot read as an error of the deck */
        status = KN_ERROR_MEMORY;
    if (summary)
        *summary = total;
    return status;
}
