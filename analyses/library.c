/* library.c - the functions of knoten.h that run a deck: the library's front door. */
#include "analyses/library.h"

#include "analyses/analysis.h"
#include "analyses/faults.h"
#include "base/names.h"
#include "netlist/netlist.h"
#include "output/sinks.h"

#include <stdlib.h>
#include <string.h>

const char *kn_version(void)
{
    return KNOTEN_VERSION;
}

/* ---- circuits ---- */

/* Cards of analyses that the reader knows nothing of. */
static bool hands_on(const char *card)
{
    for (size_t i = 0; analyses[i]; i++)
        if (!analyses[i]->count && names_equal(analyses[i]->card, card))
            return true;
    return false;
}

static const struct element_kind *const no_kinds[] = {NULL};
static const struct catalogue catalogue = {no_kinds, &device_catalogue, hands_on};

void kn_circuit_free(struct kn_circuit *c)
{
    if (c && c->circuit)
        circuit_free(c->circuit);
    if (c)
        deck_free(c->deck);
    free(c);
}

/* Takes the deck over. */
static enum kn_status expand(struct deck *deck, struct kn_diagnostics *d, struct kn_circuit **out)
{
    struct kn_circuit *c = malloc(sizeof *c);
    if (!c) {
        deck_free(deck);
        return KN_ERROR_MEMORY;
    }
    *c = (struct kn_circuit){.deck = deck};
    const enum kn_status status = deck_expand(deck, NULL, faults_of_deck, d, &c->circuit);
    if (status == KN_OK)
        *out = c;
    else
        kn_circuit_free(c);
    return status;
}

enum kn_status kn_circuit_read_file(const char *path, struct kn_diagnostics *d, struct kn_circuit **out)
{
    struct deck *deck = NULL;
    *out = NULL;
    const enum kn_status status = deck_parse_file(&catalogue, path, d, &deck);
    return status == KN_OK ? expand(deck, d, out) : status;
}

enum kn_status kn_circuit_read_text(const char *name, const char *text, size_t length, struct kn_diagnostics *d,
                                    struct kn_circuit **out)
{
    struct deck *deck = NULL;
    *out = NULL;
    const enum kn_status status = deck_parse_text(&catalogue, name, text, length, d, &deck);
    return status == KN_OK ? expand(deck, d, out) : status;
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
    if (one->method) {
        total->method = one->method;
        memcpy(total->choice, one->choice, sizeof total->choice);
    }
}

static enum kn_status run_one(const struct analysis *a, struct setup *s, size_t number, struct kn_sink *sink,
                              struct kn_summary *total)
{
    struct analysis_summary one = {0};
    const double begin = setup_clock();
    const enum kn_status status = a->run(s, number, sink, &one);
    add_up(total, &one);
    total->seconds += setup_clock() - begin;
    return status;
}

/* All cards are looked at, so that all errors are told. */
static enum kn_status check_cards(struct setup *s)
{
    enum kn_status status = KN_OK;
    for (size_t i = 0; analyses[i]; i++)
        for (size_t k = 0;
             analyses[i]->check && status != KN_ERROR_MEMORY && k < analysis_count(analyses[i], s->circuit); k++) {
            const enum kn_status checked = analyses[i]->check(s, analysis_card(s->circuit, analyses[i]->card, k));
            status = checked == KN_OK ? status : checked;
        }
    return status;
}

static enum kn_status run_all(struct setup *s, struct kn_sink *sink, struct kn_summary *total)
{
    enum kn_status status = check_cards(s);
    for (size_t i = 0; analyses[i]; i++)
        for (size_t k = 0; status == KN_OK && k < analysis_count(analyses[i], s->circuit); k++)
            status = run_one(analyses[i], s, k, sink, total);
    if (status == KN_OK && total->analyses == 0) {
        diagnostics_add(
            s->diagnostics, KN_WARNING, "no-analysis", NOWHERE,
            "add a line such as  .tran 1u 1m  for a transient analysis, or .op to ask for the operating point",
            "the deck asks for no analysis; its operating point is computed");
        status = run_one(analyses[0], s, 0, sink, total);
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
    if (status == KN_OK) {
        struct setup s = setup_of(circuit, &o, d);
        s.deck = c->deck;
        status = run_all(&s, sink, &total);
        setup_close(&s);
    }
    if (status == KN_ERROR_DECK &&
        diagnostics_exhausted(d)) /* devices report what they cannot read as an error of the deck */
        status = KN_ERROR_MEMORY;
    if (summary)
        *summary = total;
    return status;
}
