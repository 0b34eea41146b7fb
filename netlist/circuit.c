/* circuit.c - a netlist read from text or file to a flat circuit, and its look-ups. */
#include "netlist/circuit.h"

#include "netlist/expand/expand.h"

#include <stdlib.h>
#include <string.h>

static const size_t most_comparisons = 500000; /* for likely corrections, in one deck */

static void free_levels(struct deck *k)
{
    for (struct level *l = k->allocated; l; l = l->next_allocated) {
        name_table_free(l->port_table);
        name_table_free(l->parameter_table);
        name_table_free(l->function_table);
        name_table_free(l->models);
        name_table_free(l->children);
    }
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

static void read_deck(struct deck *k, struct circuit *c, const char *text, size_t length, circuit_check *check)
{
    k->top = k->current = level_new(k, NULL, (struct kn_location){k->file, 0, 0, 0}, NULL);
    if (!k->top || deck_read_main(k, text, length) == KN_ERROR_MEMORY)
        deck_no_memory(k);
    if (k->out_of_memory)
        return;
    check_content(k, length);
    expand_deck(k, c);
    deck_check_title(k, c);
    c->title = k->title;
    c->included = k->included;
    if (k->failed && !k->out_of_memory && check)
        check(c, k->diagnostics);
}

static enum kn_status outcome(struct deck *k)
{
    deck_hand_on(k);
    if (k->out_of_memory || diagnostics_exhausted(k->diagnostics)) {
        diagnostics_add(k->listener, KN_ERROR, "memory", NOWHERE, NULL, "memory is exhausted while reading '%s'",
                        k->file);
        return KN_ERROR_MEMORY;
    }
    return k->failed ? KN_ERROR_DECK : KN_OK;
}

static bool open_deck(struct deck *k, const struct catalogue *catalogue, const char *file,
                      struct kn_diagnostics *listener)
{
    *k =
        (struct deck){.catalogue = catalogue, .file = file, .listener = listener, .suggestions_left = most_comparisons};
    k->scratch = arena_new();
    k->arena = arena_new();
    k->diagnostics = listener ? kn_diagnostics_new() : NULL;
    k->globals = name_table_new();
    if (!k->scratch || !k->arena || !k->globals || (listener && !k->diagnostics))
        return deck_no_memory(k);
    k->file = arena_text(k->arena, file, strlen(file));
    k->file = k->file ? k->file : file;
    return k->file != file || deck_no_memory(k);
}

static void close_deck(struct deck *k)
{
    free_levels(k);
    name_table_free(k->globals);
    kn_diagnostics_free(k->diagnostics);
    arena_free(k->scratch);
}

enum kn_status circuit_read_text_and_check(const struct catalogue *catalogue, const char *file, const char *text,
                                           size_t length, circuit_check *check, struct kn_diagnostics *d,
                                           struct circuit **out)
{
    struct deck k;
    *out = NULL;
    const bool opened = open_deck(&k, catalogue, file, d);
    struct circuit *c = opened ? arena_alloc(k.arena, sizeof *c) : NULL;
    if (c) {
        c->arena = k.arena;
        c->catalogue = catalogue;
        c->file = k.file;
        read_deck(&k, c, text, length, check);
    } else {
        deck_no_memory(&k);
    }
    const enum kn_status status = outcome(&k);
    close_deck(&k);
    if (status == KN_OK)
        *out = c;
    else if (c)
        circuit_free(c);
    else
        arena_free(k.arena);
    return status;
}

enum kn_status circuit_read_text(const struct catalogue *catalogue, const char *file, const char *text, size_t length,
                                 struct kn_diagnostics *d, struct circuit **out)
{
    return circuit_read_text_and_check(catalogue, file, text, length, NULL, d, out);
}

enum kn_status circuit_read_file_and_check(const struct catalogue *catalogue, const char *path, circuit_check *check,
                                           struct kn_diagnostics *d, struct circuit **out)
{
    char *text = NULL;
    size_t length = 0;
    const char *reason = "";
    *out = NULL;
    const enum kn_status loaded = deck_load(path, &text, &length, &reason);
    if (loaded == KN_ERROR_MEMORY)
        diagnostics_add(d, KN_ERROR, "memory", NOWHERE, NULL, "memory is exhausted while reading '%s'", path);
    else if (loaded != KN_OK)
        diagnostics_add(d, KN_ERROR, "file", NOWHERE, NULL, "cannot open '%s': %s", path, reason);
    if (loaded != KN_OK)
        return loaded;
    const enum kn_status status = circuit_read_text_and_check(catalogue, path, text, length, check, d, out);
    free(text);
    return status;
}

enum kn_status circuit_read_file(const struct catalogue *catalogue, const char *path, struct kn_diagnostics *d,
                                 struct circuit **out)
{
    return circuit_read_file_and_check(catalogue, path, NULL, d, out);
}

void circuit_free(struct circuit *c)
{
    if (!c)
        return;
    name_table_free(c->node_table);
    name_table_free(c->element_table);
    arena_free(c->arena);
}

/* ---- look-ups ---- */

int circuit_find_node(const struct circuit *c, const char *name)
{
    if (names_equal(name, "0") || names_equal(name, "gnd"))
        return 0;
    if (c->node_table) {
        const int *number = name_table_get(c->node_table, name);
        return number ? *number : -1;
    }
    for (size_t i = 0; i < c->node_count; i++)
        if (names_equal(c->nodes[i].name, name))
            return (int)i;
    return -1;
}

int circuit_find_element(const struct circuit *c, const char *name)
{
    if (c->element_table) {
        const struct element *e = name_table_get(c->element_table, name);
        return e ? e->number : -1;
    }
    for (size_t i = 0; i < c->element_count; i++)
        if (names_equal(c->elements[i].name, name))
            return (int)i;
    return -1;
}

const struct setting *circuit_option(const struct circuit *c, const char *name)
{
    for (size_t i = c->option_count; i-- > 0;)
        if (names_equal(c->options[i].name, name))
            return &c->options[i];
    return NULL;
}

/* ---- names in formulas ---- */

static const char *name_of_node(const void *circuit, int number)
{
    return ((const struct circuit *)circuit)->nodes[number].name;
}

static const char *name_of_element(const void *circuit, int number)
{
    return ((const struct circuit *)circuit)->elements[number].name;
}

char *circuit_formula(struct arena *arena, const struct circuit *c, const struct expression *e)
{
    const struct expression_naming naming = {c, name_of_node, name_of_element};
    return expression_print(arena, e, &naming);
}

bool element_is_constant_source(const struct element *e)
{
    return e->kind->form == CARD_SOURCE && e->source.wave.kind == WAVEFORM_NONE;
}
