/* expand.c - the whole way from levels to the flat circuit: elements of all instances first, then what refers to
 * names. */
#include "netlist/formulas/formulas.h"

#include <stdlib.h>

/* ---- what refers to names ---- */

static bool resolve_control(struct expansion *x, struct pending *p, size_t i)
{
    const struct item *name = p->controls[i];
    struct element *e = p->element;
    const struct element *found = expand_find_element(x, p->at, name->text);
    const bool coupling = e->kind->form == CARD_COUPLING;
    const struct element_kind *taken_as = e->kind->taken_as;
    const bool taken = taken_as && found && found->kind == taken_as;
    if (found && !taken && (!coupling || !found->kind || found->kind->law == LAW_FLUX)) {
        p->numbers[e->control_element_count++] = found->number;
        if (taken_as && found->kind)
            x->elements[found->number].kind = taken_as;
        return true;
    }
    x->deck->failed = true;
    if (taken)
        return deck_fail(x->deck, "core", name->where, "an inductor can be on one core only",
                         "'%s': '%s' is on a core already", e->name, name->text);
    if (found)
        return deck_fail(x->deck, "not-an-inductor", name->where, NULL, "'%s' couples inductors, but '%s' is none",
                         e->name, name->text);
    if (expand_excuses_element(x, name->text))
        return false;
    const char *guess = expand_closest_element(x, p->at, name->text);
    const char *hint = diagnostics_meant(x->deck->diagnostics, guess);
    return deck_fail(x->deck, "unknown-element", name->where, hint,
                     coupling ? "'%s' couples '%s', but there is no such inductor"
                              : "'%s' is controlled by '%s', but there is no such element",
                     e->name, name->text);
}

static bool resolve_law(struct expansion *x, struct pending *p)
{
    if (!p->law)
        return true;
    x->formula_owner = p->element->name;
    const enum element_law law = p->element->law;
    bool good = true;
    if (law == LAW_CAPACITANCE || law == LAW_INDUCTANCE)
        good = formulas_variable(x, p);
    else if (p->element->kind->form == CARD_COUPLING)
        good = formulas_coupling(x, p);
    else if (p->element->reciprocal)
        good = formulas_resistance(x, p);
    else
        p->element->expression = p->response ? formulas_through(x, p) : expand_compile(x, p->at, p->law, NULL);
    x->formula_owner = NULL;
    return good && (p->element->expression || p->element->has_value);
}

static void resolve(struct expansion *x, struct pending *p)
{
    bool good = true;
    bool *failed = &x->failed[p->statement->number];
    if (*failed) {
        p->element->kind = NULL;
        return;
    }
    for (size_t i = 0; i < p->control_count; i++)
        good = resolve_control(x, p, i) && good;
    draws_enter(&x->draws, 'l', p->at->path, p->statement->items->text);
    good = resolve_law(x, p) && good;
    *failed = !good; /* said once, not for every instance */
    x->deck->failed |= !good;
    if (!good)
        p->element->kind = NULL;
}

/* ---- the whole ---- */

/* What is found out about the deck's parts, by their numbers. */
static bool prepare_states(struct expansion *x)
{
    const struct deck *k = x->deck;
    x->items = arena_array(k->scratch, k->counts.items / ITEM_PAGE + 1, sizeof *x->items);
    x->failed = arena_array(k->scratch, k->counts.statements + 1, sizeof *x->failed);
    x->looked_into = arena_array(k->scratch, k->counts.statements + 1, sizeof *x->looked_into);
    x->models = arena_array(k->scratch, k->model_count + 1, sizeof *x->models);
    x->parameters_checked = arena_array(k->scratch, k->level_count + 1, sizeof *x->parameters_checked);
    x->override_used = arena_array(k->scratch, x->overrides ? x->overrides->count + 1 : 1, sizeof *x->override_used);
    return x->items && x->failed && x->looked_into && x->models && x->parameters_checked && x->override_used;
}

static bool prepare(struct expansion *x, struct deck *k, const struct overrides *overrides, struct circuit *c)
{
    *x = (struct expansion){.deck = k, .overrides = overrides, .circuit = c, .draws = {.arena = k->arena}};
    if (overrides)
        x->draws.chance = overrides->chance;
#define LIST(type, items, count) x->items.size = sizeof(type);
#include "netlist/circuit_lists.def"
#undef LIST
    x->uses.size = sizeof(struct node_uses);
    x->programs.size = sizeof(const struct expression *);
    x->settings.size = sizeof(struct setting);
    x->words.size = sizeof(struct item *);
    x->numbers.size = x->points.size = sizeof(double);
    x->later.size = sizeof(struct instance *);
    x->logic.size = sizeof(struct logic_use);
    x->states.size = sizeof(struct element *);
    x->binned.size = sizeof(struct binned);
    x->models_end = &x->first_model;
    c->node_table = name_table_new(k->arena);
    c->element_table = name_table_new(k->arena);
    x->instances = name_table_new(k->scratch);
    x->element_capacity = k->top->flat_elements + MOST_SUPPLIES;
    x->elements = arena_array(k->arena, x->element_capacity + 1, sizeof *x->elements);
    struct node *ground = vector_push(&x->nodes);
    if (!prepare_states(x) || !c->node_table || !c->element_table || !x->instances || !x->elements || !ground ||
        !name_table_reserve(c->element_table, x->element_capacity))
        return deck_no_memory(k);
    *ground = (struct node){"0", {k->file, 0, 0, 0}};
    return true;
}

static bool keep(struct expansion *x)
{
    struct circuit *c = x->circuit;
    struct arena *a = x->deck->arena;
    c->elements = x->elements;
    c->element_count = x->element_count;
    c->random = x->draws.names;
    c->random_count = x->draws.count;
    bool good = !x->draws.failed;
#define LIST(type, items, count) good = good && vector_keep(&x->items, a, (const void **)&c->items, &c->count);
#include "netlist/circuit_lists.def"
#undef LIST
    return good && expand_keep_models(x);
}

static void clean_up(struct expansion *x)
{
    struct vector *all[] = {
#define LIST(type, items, count) &x->items,
#include "netlist/circuit_lists.def"
#undef LIST
        &x->settings, &x->words,    &x->numbers, &x->later,  &x->logic, &x->name,
        &x->uses,     &x->programs, &x->states,  &x->points, &x->binned};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]->items);
}

static void read_cards(struct expansion *x, struct instance *at, enum card_phase phase)
{
    for (struct statement *s = at->level->cards.first; s; s = s->next)
        if (s->card->phase == phase && !x->failed[s->number] && expand_counts(at, s->branch)) {
            draws_enter(&x->draws, 'c', at->path, s->items->text);
            s->card->read(x, at, s);
        }
}

static void read_cards_of_instances(struct expansion *x, enum card_phase phase)
{
    struct instance *const *later = x->later.items;
    for (size_t i = 0; i < x->later.count; i++)
        read_cards(x, later[i], phase);
}

/* Inner instances come before outer ones in `later`, so that the last .ic for a node is the outermost. */
static void expand_requests(struct expansion *x, struct instance *top)
{
    read_cards_of_instances(x, PHASE_NODE_VALUES);
    read_cards(x, top, PHASE_NODE_VALUES);
    read_cards(x, top, PHASE_VECTORS);
    read_cards_of_instances(x, PHASE_VECTORS);
    save_currents(x, top);
    read_cards(x, top, PHASE_ANALYSES);
    read_cards(x, top, PHASE_SPECTRA);
    read_cards(x, top, PHASE_MEASURES);
}

/* What expressions may depend on. */
static void expand_settings(struct expansion *x, struct instance *top)
{
    expand_scope(x, top);
    x->settings.count = 0;
    read_cards(x, top, PHASE_OPTIONS);
    expand_take_options(x);
    read_cards(x, top, PHASE_TEMPERATURE);
    expand_take_temperature(x, top);
    expand_scope_check(x, top);
}

static void expand_all(struct expansion *x, struct instance *top)
{
    expand_settings(x, top);
    expand_deck_models(x, top);
    expand_elements(x, top);
    expand_bridges(x);
    expand_supplies(x);
    expand_override_elements(x); /* formulas may use values of elements */
    expand_choose_bins_again(x);
    formulas_order(x);
    for (struct pending *p = x->first_pending; p; p = p->next)
        resolve(x, p);
    x->circuit->is_whole = !x->deck->failed && !x->deck->out_of_memory;
    expand_requests(x, top);
    formulas_keep_states(x);
    if (x->circuit->is_whole && !x->deck->out_of_memory)
        expand_drop_unused(x);
    if (x->circuit->is_whole && !x->deck->out_of_memory)
        expand_shunts(x);
    if (x->circuit->is_whole && !x->deck->out_of_memory)
        expand_ground(x);
    if (!x->deck->failed && !x->deck->out_of_memory)
        expand_note_single(x);
}

/* Who is controlled by or couples what could not be read cannot be judged either. */
static void give_up_users(struct expansion *x)
{
    for (size_t i = 0; i < x->element_count; i++) {
        struct element *e = &x->elements[i];
        for (size_t n = 0; n < e->control_element_count; n++)
            if (!x->elements[e->control_elements[n]].kind)
                e->kind = NULL;
    }
}

void expand_deck(struct deck *k, const struct overrides *overrides, struct circuit *c)
{
    struct expansion x;
    const struct point_reader points = {&x, formulas_points};
    struct instance top = {.x = &x, .level = k->top, .path = "", .multiplicity = 1, .scope = scope_new(k->arena, NULL)};
    if (prepare(&x, k, overrides, c) && top.scope) {
        scope_dialect(top.scope, k->dialect);
        scope_points(top.scope, &points);
        scope_draws(top.scope, &x.draws);
        expand_all(&x, &top);
        if (k->failed)
            give_up_users(&x);
        if (!k->out_of_memory && !keep(&x))
            deck_no_memory(k);
        else if (x.asks_frequency && circuit_runs_in_time(c))
            deck_warn(k, "frequency", x.frequency_where, "a LAPLACE source has a response in time",
                      "hertz is 0 in waveforms, as in ngspice");
    } else {
        deck_no_memory(k);
    }
    clean_up(&x);
}
