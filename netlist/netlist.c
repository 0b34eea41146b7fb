/* netlist.c - see netlist.h. */
#include "netlist/netlist.h"

#include "base/names.h"
#include "netlist/cards.h"
#include "netlist/expand/expand.h"

#include <stdlib.h>
#include <string.h>

static const size_t most_comparisons = 500000; /* for likely corrections, in one deck */

static enum kn_status exhausted(const char *file, struct kn_diagnostics *d)
{
    diagnostics_add(d, KN_ERROR, "memory", NOWHERE, NULL, "memory is exhausted while reading '%s'", file);
    return KN_ERROR_MEMORY;
}

/* ---- reading ---- */

uint64_t deck_fingerprint(const struct deck *k)
{
    return k->fingerprint;
}

void deck_free(struct deck *k)
{
    if (!k)
        return;
    kn_diagnostics_free(k->diagnostics);
    arena_free(k->scratch);
    arena_free(k->arena);
    free(k);
}

void deck_forget(struct deck *k)
{
    arena_free(k->scratch);
    k->scratch = NULL;
}

size_t deck_alters(const struct deck *k)
{
    return k->alter_count;
}

size_t deck_sections(const struct deck *k)
{
    return k->section_count;
}

const char *deck_section(const struct deck *k, size_t section)
{
    const struct item *i = k->step_sections;
    while (section-- > 0)
        i = i->next;
    return i->text;
}

struct kn_location deck_section_step(const struct deck *k)
{
    return k->step_where;
}

/* A deck without elements is an error of its own, unless it is a script that needs none. */
static void check_content(struct deck *k, size_t length)
{
    const struct kn_location first = {k->file, 1, 0, 0};
    if (k->failed || k->top->elements.first || k->control)
        return;
    if (length == 0 || (k->statement_count == 0 && !*k->title))
        deck_fail(k, "empty-deck", first, "the first line of a netlist is its title; elements follow",
                  "the netlist is empty");
    else if (k->statement_count == 0)
        deck_fail(k, "empty-deck", first, "the first line of a netlist is always its title; elements follow",
                  "the netlist has a title, but no elements");
    else
        deck_fail(k, "empty-deck", first, NULL, "the netlist has no elements");
}

static struct deck *open_deck(const struct catalogue *catalogue, const char *file, const struct deck_variant *variant,
                              struct kn_diagnostics *listener)
{
    struct deck *k = malloc(sizeof *k);
    if (!k)
        return NULL;
    *k = (struct deck){.catalogue = catalogue,
                       .cards = dot_cards,
                       .listener = listener,
                       .suggestions_left = most_comparisons,
                       .fingerprint = HASH_BEGIN,
                       .variant = variant ? *variant : (struct deck_variant){NULL, 0, 0}};
    k->control_end = &k->control;
    k->scratch = arena_new();
    k->arena = arena_new();
    k->diagnostics = listener ? kn_diagnostics_new() : NULL;
    k->globals = k->scratch ? name_table_new(k->scratch) : NULL;
    k->joined = k->scratch ? name_table_new(k->scratch) : NULL;
    k->file = k->arena ? arena_text(k->arena, file, strlen(file)) : NULL;
    if (k->scratch && k->file && k->globals && k->joined && (k->diagnostics || !listener))
        k->top = k->current = level_new(k, NULL, (struct kn_location){k->file, 0, 0, 0}, NULL);
    if (k->top)
        return k;
    deck_free(k);
    return NULL;
}

enum kn_status deck_parse_text(const struct catalogue *catalogue, const char *file, const char *text, size_t length,
                               const struct deck_variant *variant, struct kn_diagnostics *d, struct deck **out)
{
    struct deck *k = open_deck(catalogue, file, variant, d);
    *out = NULL;
    if (k && deck_read_main(k, text, length) == KN_ERROR_MEMORY)
        deck_no_memory(k);
    if (k && !k->out_of_memory) {
        check_content(k, length);
        deck_check_data(k);
        deck_check_machine(k);
        deck_take_stepped_parameters(k);
        deck_put_texts(k);
        deck_take_types(k);
        expand_check(k);
    }
    if (!k || k->out_of_memory || diagnostics_exhausted(k->diagnostics)) {
        deck_free(k);
        return exhausted(file, d);
    }
    k->listener = NULL;
    *out = k;
    return KN_OK;
}

enum kn_status deck_parse_file(const struct catalogue *catalogue, const char *path, const struct deck_variant *variant,
                               struct kn_diagnostics *d, struct deck **out)
{
    char *text = NULL;
    size_t length = 0;
    const char *reason = "";
    *out = NULL;
    const enum kn_status loaded = deck_load(path, &text, &length, &reason);
    if (loaded == KN_ERROR_MEMORY)
        return exhausted(path, d);
    if (loaded != KN_OK) {
        diagnostics_add(d, KN_ERROR, "file", NOWHERE, NULL, "cannot open '%s': %s", path, reason);
        return loaded;
    }
    const enum kn_status status = deck_parse_text(catalogue, path, text, length, variant, d, out);
    free(text);
    return status;
}

const struct control_line *deck_control(const struct deck *k)
{
    return k->control;
}

const struct function_card *deck_functions(const struct deck *k)
{
    return k->top->functions;
}

/* ---- other analyses ---- */

/* Of what the deck keeps: what other analyses look at, too; without another one, all. */
static bool stays(const struct statement *s, const char *analysis)
{
    if (!analysis)
        return true;
    switch (s->card->phase) {
    case PHASE_OPTIONS:
    case PHASE_TEMPERATURE:
    case PHASE_NODE_VALUES:
        return true;
    case PHASE_ANALYSES:
        return s->card->read == read_data;
    case PHASE_VECTORS:
        return s->card->read == read_saves || s->card->read == read_probes;
    case PHASE_MEASURES:
        return s->items->next && item_is(s->items->next, analysis);
    case PHASE_NEVER:
    case PHASE_SPECTRA:
        break;
    }
    return false;
}

static bool keep_cards(struct deck *own, const struct level *top, const char *analysis)
{
    for (const struct statement *s = top->cards.first; s; s = s->next) {
        if (!stays(s, analysis))
            continue;
        struct statement *copy = arena_alloc(own->scratch, sizeof *copy);
        if (!copy)
            return false;
        *copy = *s;
        copy->next = NULL;
        statements_append(&own->top->cards, copy);
    }
    return true;
}

static bool add_cards(struct deck *own, const char *cards, struct kn_location where)
{
    const size_t length = strlen(cards);
    char *text = arena_alloc(own->scratch, length + 3);
    if (!text)
        return false;
    memcpy(text, cards, length + 1);
    text[length] = '\n';
    struct deck_text t = {.file = where.file, .text = text, .length = length + 1, .lines_before = where.line - 1};
    struct statements list = {0};
    struct open_file f = {.name = own->file};
    own->failed |= !deck_lines_prepare(&t, own->diagnostics);
    const enum kn_status status = deck_statements(own->scratch, &t, own->diagnostics, &own->counts, &list);
    own->failed |= status == KN_ERROR_DECK;
    own->open_file = &f;
    for (struct statement *s = list.first, *next; s; s = next) {
        next = s->next;
        s->next = NULL;
        deck_take(own, s);
    }
    own->open_file = NULL;
    return status != KN_ERROR_MEMORY;
}

/* The deck's own level with other cards; its subcircuits are those of the deck. */
static bool change_cards(struct deck *own, const struct deck *k, const char *analysis, const char *cards,
                         struct kn_location where)
{
    struct level *top = arena_alloc(own->scratch, sizeof *top);
    if (!top)
        return false;
    *top = *k->top;
    top->cards = (struct statements){0};
    own->top = own->current = top;
    return keep_cards(own, k->top, analysis) && add_cards(own, cards, where);
}

enum kn_status deck_with_cards(const struct deck *k, const char *analysis, const char *cards, struct kn_location where,
                               struct kn_diagnostics *d, struct deck **out)
{
    struct deck *own = malloc(sizeof *own);
    *out = NULL;
    if (!own)
        return exhausted(k->file, d);
    *own = *k;
    own->has_vectors = true;
    own->scratch = arena_new();
    own->arena = arena_new();
    own->diagnostics = kn_diagnostics_new();
    if (own->diagnostics && k->diagnostics)
        diagnostics_copy(own->diagnostics, k->diagnostics);
    const bool good = own->scratch && own->arena && own->diagnostics && change_cards(own, k, analysis, cards, where);
    if (!good || own->out_of_memory || diagnostics_exhausted(own->diagnostics)) {
        deck_free(own);
        return exhausted(k->file, d);
    }
    *out = own;
    return KN_OK;
}

/* ---- expanding ---- */

/* A head of its own for one expansion, which begins with what reading has found. */
static bool open_expansion(struct deck *own, const struct deck *k, struct kn_diagnostics *listener)
{
    *own = *k;
    own->listener = listener;
    own->scratch = arena_new();
    own->arena = arena_new();
    own->diagnostics = listener ? kn_diagnostics_new() : NULL;
    if (k->diagnostics && own->diagnostics)
        diagnostics_copy(own->diagnostics, k->diagnostics);
    return own->scratch && own->arena && (own->diagnostics || !listener);
}

static struct circuit *make_circuit(struct deck *own, const struct deck *k, const struct overrides *overrides,
                                    circuit_check *check)
{
    struct circuit *c = arena_alloc(own->arena, sizeof *c);
    if (!c) {
        deck_no_memory(own);
        return NULL;
    }
    c->arena = own->arena;
    c->catalogue = own->catalogue;
    c->dialect = own->dialect;
    c->names = arena_share(k->arena);
    c->file = own->file;
    c->title = own->title;
    c->included = own->included;
    expand_deck(own, overrides, c);
    deck_check_title(own, c);
    if (own->failed && !own->out_of_memory && check)
        check(c, k, own->diagnostics);
    return c;
}

static bool same_name(const char *a, const char *b)
{
    return a == b || (a && b && names_equal(a, b));
}

bool override_same(const struct override *a, const struct override *b)
{
    return a->kind == b->kind && same_name(a->name, b->name) &&
           (same_name(a->setting, b->setting) || (a->count > 0 && b->count > 0)); /* an element has one waveform */
}

enum kn_status deck_expand(const struct deck *k, const struct overrides *overrides, circuit_check *check,
                           struct kn_diagnostics *d, struct circuit **out)
{
    struct deck own;
    struct circuit *c = NULL;
    enum kn_status status = KN_OK;
    *out = NULL;
    if (open_expansion(&own, k, d))
        c = make_circuit(&own, k, overrides, check);
    deck_hand_on(&own);
    if (!c || own.out_of_memory || diagnostics_exhausted(own.diagnostics))
        status = exhausted(k->file, d);
    else if (own.failed)
        status = KN_ERROR_DECK;
    if (status == KN_OK)
        *out = c;
    else if (c)
        circuit_free(c);
    else
        arena_free(own.arena);
    kn_diagnostics_free(own.diagnostics);
    arena_free(own.scratch);
    return status;
}
