/* netlist.c - see netlist.h. */
#include "netlist/netlist.h"

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

void deck_free(struct deck *k)
{
    if (!k)
        return;
    kn_diagnostics_free(k->diagnostics);
    arena_free(k->scratch);
    arena_free(k->arena);
    free(k);
}

uint64_t deck_fingerprint(const struct deck *k)
{
    return k->fingerprint;
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

/* A deck without elements is an error of its own. */
static void check_content(struct deck *k, size_t length)
{
    const struct kn_location first = {k->file, 1, 0, 0};
    if (k->failed || k->top->elements.first)
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
                       .variant = variant ? *variant : (struct deck_variant){0, 0}};
    k->scratch = arena_new();
    k->arena = arena_new();
    k->diagnostics = listener ? kn_diagnostics_new() : NULL;
    k->globals = k->scratch ? name_table_new(k->scratch) : NULL;
    k->file = k->arena ? arena_text(k->arena, file, strlen(file)) : NULL;
    if (k->scratch && k->file && k->globals && (k->diagnostics || !listener))
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
        deck_take_stepped_parameters(k);
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
    c->names = arena_share(k->arena);
    c->file = own->file;
    c->title = own->title;
    c->included = own->included;
    expand_deck(own, overrides, c);
    deck_check_title(own, c);
    if (own->failed && !own->out_of_memory && check)
        check(c, own->diagnostics);
    return c;
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
