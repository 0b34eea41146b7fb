/* library.c - the functions of knoten.h that run a deck: the library's front door. */
#include "analyses/library.h"

#include "analyses/analysis.h"
#include "analyses/faults.h"
#include "analyses/list.h"
#include "analyses/sweeps/plan.h"
#include "analyses/sweeps/steps.h"
#include "analyses/transient/carry.h"
#include "base/arena.h"
#include "base/array.h"
#include "base/names.h"
#include "base/text.h"
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
    if (!c)
        return;
    for (size_t i = 0; c->variants && i < (c->alters + 1) * c->sections; i++) {
        circuit_free(c->variants[i].circuit);
        if (!c->lent)
            deck_free(c->variants[i].deck);
    }
    free(c->variants);
    arena_free(c->changes.memory);
    free(c);
}

/* A file, or a text with a name. */
struct deck_source {
    const char *name, *text; /* text NULL: a file */
    size_t length;
    const enum dialect *dialect; /* NULL: what the deck itself tells */
    circuit_check *check;
};

static enum kn_status read_variant(const struct deck_source *s, const struct deck_variant *which,
                                   struct kn_diagnostics *d, struct variant *out)
{
    enum kn_status status = s->text ? deck_parse_text(&catalogue, s->name, s->text, s->length, which, d, &out->deck)
                                    : deck_parse_file(&catalogue, s->name, which, d, &out->deck);
    return status == KN_OK ? deck_expand(out->deck, NULL, s->check, d, &out->circuit) : status;
}

/* The others; all errors are told, also those of changes to a deck that has some itself. */
static enum kn_status read_others(const struct deck_source *s, struct kn_diagnostics *d, struct kn_circuit *c)
{
    const size_t count = (c->alters + 1) * c->sections;
    enum kn_status status = array_resize(&c->variants, count, sizeof *c->variants) ? KN_OK : KN_ERROR_MEMORY;
    if (status != KN_OK) {
        c->alters = 0;
        c->sections = 1;
        return status;
    }
    memset(c->variants + 1, 0, (count - 1) * sizeof *c->variants);
    for (size_t i = 1; i < count && status != KN_ERROR_MEMORY; i++) {
        const struct deck_variant which = {s->dialect, i / c->sections, i % c->sections};
        const enum kn_status one = read_variant(s, &which, d, &c->variants[i]);
        status = one == KN_OK ? status : one;
    }
    return status;
}

static enum kn_status read_all(const struct deck_source *s, struct kn_diagnostics *d, struct kn_circuit *c)
{
    const struct deck_variant first = {s->dialect, 0, 0};
    const enum kn_status status = read_variant(s, &first, d, &c->variants[0]);
    c->deck = c->variants[0].deck;
    c->circuit = c->variants[0].circuit;
    if (status != KN_OK && (status != KN_ERROR_DECK || !c->deck))
        return status;
    c->alters = deck_alters(c->deck);
    c->sections = deck_sections(c->deck) > 0 ? deck_sections(c->deck) : 1;
    const enum kn_status others = read_others(s, d, c);
    return status == KN_OK || others == KN_ERROR_MEMORY ? others : status;
}

static struct kn_circuit *new_circuit(void)
{
    struct kn_circuit *c = calloc(1, sizeof *c);
    if (c && (c->variants = calloc(1, sizeof *c->variants))) {
        c->sections = 1;
        return c;
    }
    free(c);
    return NULL;
}

static enum kn_status read_circuit(const struct deck_source *s, struct kn_diagnostics *d, struct kn_circuit **out)
{
    struct kn_circuit *c = new_circuit();
    const enum kn_status status = c ? read_all(s, d, c) : KN_ERROR_MEMORY;
    *out = status == KN_OK ? c : NULL;
    if (status != KN_OK)
        kn_circuit_free(c);
    return status;
}

/* NULL: what the deck itself tells. */
static enum kn_status find_dialect(const char *name, struct kn_diagnostics *d, enum dialect *known)
{
    if (!name || dialect_by_name(name, known))
        return KN_OK;
    struct text names = TEXT(SENTENCE);
    struct text_list list = text_list(&names, ", ", 0);
    for (int i = 0; i < DIALECTS; i++)
        text_list_add(&list, dialect_name((enum dialect)i));
    text_list_end(&list);
    diagnostics_add(d, KN_ERROR, "dialect", NOWHERE, diagnostics_hint(d, "there are %s", names.at),
                    "there is no dialect '%s'", name);
    return KN_ERROR_DECK;
}

enum kn_status library_read(const char *name, const char *text, size_t length, const char *dialect,
                            circuit_check *check, struct kn_diagnostics *d, struct kn_circuit **out)
{
    enum dialect known;
    const struct deck_source source = {name, text, length, dialect ? &known : NULL, check};
    *out = NULL;
    const enum kn_status status = find_dialect(dialect, d, &known);
    return status == KN_OK ? read_circuit(&source, d, out) : status;
}

enum kn_status kn_circuit_read_file(const char *path, struct kn_diagnostics *d, struct kn_circuit **out)
{
    return kn_circuit_read_file_as(path, NULL, d, out);
}

enum kn_status kn_circuit_read_file_as(const char *path, const char *dialect, struct kn_diagnostics *d,
                                       struct kn_circuit **out)
{
    return library_read(path, NULL, 0, dialect, faults_of_deck, d, out);
}

enum kn_status kn_circuit_read_text(const char *name, const char *text, size_t length, struct kn_diagnostics *d,
                                    struct kn_circuit **out)
{
    return kn_circuit_read_text_as(name, text, length, NULL, d, out);
}

enum kn_status kn_circuit_read_text_as(const char *name, const char *text, size_t length, const char *dialect,
                                       struct kn_diagnostics *d, struct kn_circuit **out)
{
    return library_read(name, text, length, dialect, faults_of_deck, d, out);
}

/* ---- other values, other analyses ---- */

static bool keep(struct arena *a, const char **text)
{
    return !*text || (*text = arena_text(a, *text, strlen(*text)));
}

static bool keep_values(struct arena *a, struct override *o)
{
    double *values = arena_array(a, o->count + 1, sizeof *values);
    if (values && o->count)
        memcpy(values, o->values, o->count * sizeof *values);
    o->values = values;
    return values != NULL;
}

bool changes_copy(struct changes *out, const struct overrides *from)
{
    struct arena *memory = arena_new();
    struct override *items = memory ? arena_array(memory, from->count + 1, sizeof *items) : NULL;
    bool good = items != NULL;
    for (size_t i = 0; good && i < from->count; i++) {
        items[i] = from->items[i];
        good = keep(memory, &items[i].name) && keep(memory, &items[i].setting) && keep_values(memory, &items[i]);
    }
    if (!good) {
        arena_free(memory);
        return false;
    }
    *out = (struct changes){memory, *from};
    out->all.items = items;
    return true;
}

/* NULL: the values are the deck's. */
static const struct overrides *values_of(const struct kn_circuit *c)
{
    return c->changes.all.count > 0 ? &c->changes.all : NULL;
}

/* The decks of another circuit, without circuits yet. */
static bool lend_decks(const struct kn_circuit *of, struct kn_circuit *c)
{
    const size_t count = (of->alters + 1) * of->sections;
    if (!array_resize(&c->variants, count, sizeof *c->variants))
        return false;
    for (size_t i = 0; i < count; i++)
        c->variants[i] = (struct variant){of->variants[i].deck, NULL};
    c->lent = true;
    c->alters = of->alters;
    c->sections = of->sections;
    return true;
}

enum kn_status library_circuit(const struct kn_circuit *of, struct deck *own, const struct overrides *values,
                               struct kn_diagnostics *d, struct kn_circuit **out)
{
    struct kn_circuit *c = *out = new_circuit();
    if (!c) {
        deck_free(own);
        return KN_ERROR_MEMORY;
    }
    c->commanded = true;
    c->variants[0].deck = own;
    enum kn_status status = (own || lend_decks(of, c)) && changes_copy(&c->changes, values) ? KN_OK : KN_ERROR_MEMORY;
    for (size_t i = 0; status == KN_OK && i < (c->alters + 1) * c->sections; i++)
        status = deck_expand(c->variants[i].deck, values_of(c), faults_of_deck, d, &c->variants[i].circuit);
    c->deck = c->variants[0].deck;
    c->circuit = c->variants[0].circuit;
    if (status != KN_OK) {
        kn_circuit_free(c);
        *out = NULL;
    }
    return status;
}

enum kn_status library_with_card(const struct kn_circuit *c, const char *card, struct kn_diagnostics *d,
                                 struct kn_circuit **out)
{
    struct arena *memory = arena_new();
    const char *name = memory ? arena_text(memory, card, strcspn(card, " \t\n")) : NULL;
    const char *cards = name ? arena_format(memory, ".%s", card) : NULL;
    struct deck *deck = NULL;
    *out = NULL;
    enum kn_status status =
        cards ? deck_with_cards(c->deck, name, cards, (struct kn_location){"analysis", 1, 1, 0}, d, &deck)
              : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = library_circuit(NULL, deck, &c->changes.all, d, out);
    arena_free(memory);
    return status;
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

const struct kn_options *library_options(const struct kn_options *given, struct kn_options *known)
{
    if (!given)
        return NULL;
    /* Version 0.1 is not out yet: this is its size. */
    const size_t size = given->size == 0 || given->size > sizeof *known ? sizeof *known : given->size;
    *known = (struct kn_options){0};
    memcpy(known, given, size);
    return known;
}

bool library_asks(const struct circuit *c)
{
    for (size_t i = 0; analyses[i]; i++)
        if (analysis_count(analyses[i], c) > 0)
            return true;
    return false;
}

/* Said where the deck asks for none. */
static bool asks(const struct run_request *r)
{
    if (library_asks(r->circuit))
        return true;
    diagnostics_add(r->diagnostics, KN_WARNING, "no-analysis", NOWHERE,
                    "add a line such as  .tran 1u 1m  for a transient analysis, or .op to ask for the operating point",
                    "the deck asks for no analysis; its operating point is computed");
    return false;
}

/* Whether an analysis has ended before the transient in which the run goes on. */
static bool has_been(const struct carry *c, size_t analysis, size_t number)
{
    size_t left = 0;
    while (analyses[left] != &analysis_transient)
        left++;
    return c && c->again && (analysis < left || (analysis == left && number < c->number));
}

static enum kn_status run_all(const struct run_request *r, struct setup *s)
{
    enum kn_status status = KN_OK;
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
            if (!has_been(r->carry, i, k))
                status = run_analysis(r, analyses[i], s, k, r->sink);
    return status;
}

static enum kn_status check_variant(const struct run_request *r, const struct variant *v)
{
    struct analysis_options o = {0};
    struct run_request one = *r;
    one.deck = v->deck;
    one.circuit = v->circuit;
    enum kn_status status = run_options(&one, v->circuit, &o);
    if (status != KN_OK)
        return status;
    struct setup s = run_setup(&one, &o);
    status = faults_of_cards(&one, &s);
    setup_close(&s);
    return status;
}

static void list_faults(const struct variant *variants, size_t count, struct kn_diagnostics *d)
{
    for (size_t i = 0; i < count; i++)
        faults_of_deck(variants[i].circuit, variants[i].deck, d);
}

void library_faults(const struct kn_circuit *c, struct kn_diagnostics *d)
{
    list_faults(c->variants, (c->alters + 1) * c->sections, d);
}

/* Where one thing cannot be done, everything that cannot is listed. */
static enum kn_status check_all(const struct run_request *r, struct analysis_options *o)
{
    const size_t count = (r->alters + 1) * r->sections;
    enum kn_status status = run_options(r, r->circuit, o);
    for (size_t i = 0; status == KN_OK && i < count; i++)
        status = check_variant(r, &r->variants[i]);
    if (status == KN_ERROR_DECK || status == KN_ERROR_CIRCUIT)
        list_faults(r->variants, count, r->diagnostics);
    return status;
}

static enum kn_status run_deck(const struct run_request *r)
{
    struct analysis_options o = {0};
    enum kn_status status = check_all(r, &o);
    if (status == KN_OK) {
        o.carry = steps_wanted(r) ? NULL : r->carry;
        struct setup s = run_setup(r, &o);
        status = run_all(r, &s);
        setup_close(&s);
    }
    return status;
}

struct run_request library_request(const struct kn_circuit *c, const struct kn_options *options,
                                   struct kn_diagnostics *d, struct kn_sink *sink, struct kn_summary *total)
{
    return (struct run_request){c->deck,   c->circuit,  options,      d,       sink, total, c->variants,
                                c->alters, c->sections, values_of(c), c->carry};
}

void library_forget_deck(const struct kn_circuit *c, const struct kn_options *options)
{
    const struct run_request r = library_request(c, options, NULL, NULL, NULL);
    if (!c->lent && !steps_wanted(&r) && analysis_count(&analysis_dc, c->circuit) == 0)
        deck_forget(c->deck);
}

enum kn_status library_check(const struct kn_circuit *c, const struct kn_options *options, struct kn_diagnostics *d)
{
    struct kn_summary total = {0};
    const struct run_request r = library_request(c, options, d, NULL, &total);
    return check_variant(&r, &(struct variant){c->deck, c->circuit});
}

/* Commands are for the program to obey; what stands behind *# is one or a comment. */
static void warn_of_control(const struct kn_circuit *c, struct kn_diagnostics *d)
{
    const struct control_line *first = c->commanded ? NULL : deck_control(c->deck);
    while (first && first->in_comment)
        first = first->next;
    if (first)
        diagnostics_add(d, KN_WARNING, "control-block", first->where,
                        "knoten DECK runs it; here the cards count, .tran 1u 1m", "the '.control' block is not run");
}

enum kn_status kn_serve(const struct kn_circuit *c, const struct kn_options *options, struct kn_diagnostics *d,
                        const struct kn_service *service)
{
    struct kn_summary total = {0};
    struct kn_options known;
    const struct run_request request = library_request(c, library_options(options, &known), d, NULL, &total);
    return steps_wanted(&request) ? steps_serve(&request, service) : KN_OK;
}

enum kn_status kn_run(const struct kn_circuit *c, const struct kn_options *options, struct kn_diagnostics *d,
                      struct kn_sink *sink, struct kn_summary *summary)
{
    struct kn_summary total = {0};
    struct kn_options known;
    const struct run_request request = library_request(c, library_options(options, &known), d, sink, &total);
    warn_of_control(c, d);
    enum kn_status status = run_deck(&request);
    if (status == KN_ERROR_DECK &&
        diagnostics_exhausted(d)) /* devices report what they cannot read as an error of the deck */
        status = KN_ERROR_MEMORY;
    if (summary)
        *summary = total;
    return status;
}
