/* library.c - the functions of knoten.h that run a deck: the library's front door. */
#include "analyses/library.h"

#include "analyses/analysis.h"
#include "analyses/faults.h"
#include "analyses/sweeps/plan.h"
#include "analyses/sweeps/steps.h"
#include "base/names.h"
#include "netlist/netlist.h"
#include "output/sinks.h"

#include <stdlib.h>

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

/* All cards are looked at, so that all errors are told. */
static enum kn_status check_cards(const struct run_request *r, struct setup *s)
{
    enum kn_status status = steps_check(r);
    for (size_t i = 0; analyses[i]; i++)
        for (size_t k = 0;
             analyses[i]->check && status != KN_ERROR_MEMORY && k < analysis_count(analyses[i], s->circuit); k++) {
            const enum kn_status checked = analyses[i]->check(s, analysis_card(s->circuit, analyses[i]->card, k));
            status = checked == KN_OK ? status : checked;
        }
    return status;
}

/* Whether the deck asks for an analysis; said where it does not. */
static bool asks(const struct run_request *r)
{
    for (size_t i = 0; analyses[i]; i++)
        if (analysis_count(analyses[i], r->circuit) > 0)
            return true;
    diagnostics_add(r->diagnostics, KN_WARNING, "no-analysis", NOWHERE,
                    "add a line such as  .tran 1u 1m  for a transient analysis, or .op to ask for the operating point",
                    "the deck asks for no analysis; its operating point is computed");
    return false;
}

static enum kn_status run_all(const struct run_request *r, struct setup *s)
{
    enum kn_status status = check_cards(r, s);
    if (status != KN_OK)
        return status;
    const bool asked = asks(r);
    if (steps_wanted(r))
        return steps_run(r);
    plan_note_nominal(r, NULL);
    if (r->options && r->options->resume)
        diagnostics_add(r->diagnostics, KN_NOTE, "journal", NOWHERE, NULL,
                        "there is nothing to resume: the deck asks for no sweep, and runs from the beginning");
    if (!asked)
        return run_analysis(r, analyses[0], s, 0, r->sink);
    for (size_t i = 0; analyses[i]; i++)
        for (size_t k = 0; status == KN_OK && k < analysis_count(analyses[i], s->circuit); k++)
            status = run_analysis(r, analyses[i], s, k, r->sink);
    return status;
}

static enum kn_status run_deck(const struct run_request *r)
{
    struct analysis_options o = {0};
    enum kn_status status = run_options(r, r->circuit, &o);
    if (status == KN_OK) {
        struct setup s = setup_of(r->circuit, &o, r->diagnostics);
        s.deck = r->deck;
        status = run_all(r, &s);
        setup_close(&s);
    }
    return status;
}

enum kn_status kn_serve(const struct kn_circuit *c, const struct kn_options *options, struct kn_diagnostics *d,
                        const struct kn_service *service)
{
    struct kn_summary total = {0};
    const struct run_request request = {c->deck, c->circuit, options, d, NULL, &total};
    return steps_wanted(&request) ? steps_serve(&request, service) : KN_OK;
}

enum kn_status kn_run(const struct kn_circuit *c, const struct kn_options *options, struct kn_diagnostics *d,
                      struct kn_sink *sink, struct kn_summary *summary)
{
    struct kn_summary total = {0};
    const struct run_request request = {c->deck, c->circuit, options, d, sink, &total};
    enum kn_status status = run_deck(&request);
    if (status == KN_ERROR_DECK &&
        diagnostics_exhausted(d)) /* devices report what they cannot read as an error of the deck */
        status = KN_ERROR_MEMORY;
    if (summary)
        *summary = total;
    return status;
}
