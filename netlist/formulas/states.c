/* states.c - the unknowns that formulas ask for with ddt( ), idt( ) and delay( ): elements of their own, behind all that
 * the deck names.
 */
#include "netlist/formulas/formulas.h"

#include <string.h>

/* ---- elements ---- */

/* "ddt", or "ddt2" where b1#ddt is taken; NULL without memory. */
static const char *free_part(struct expansion *x, const char *owner, const char *part)
{
    const char *tried = part;
    for (int number = 2; tried; number++) {
        const char *name = arena_format(x->deck->scratch, "%s#%s", owner, tried);
        if (!name || !name_table_get(x->circuit->node_table, name))
            return name ? tried : NULL;
        tried = arena_format(x->deck->scratch, "%s%d", part, number);
    }
    return NULL;
}

/* An element behind all that the deck names; its first node is new and has its name. */
static struct element *add_element(struct expansion *x, const struct state_owner *owner, const char *part, char letter)
{
    struct element *e = arena_alloc(x->deck->arena, sizeof *e), **slot = vector_push(&x->states);
    int *nodes = arena_array(x->deck->arena, 2, sizeof *nodes);
    const char *name = arena_format(x->deck->arena, "%s#%s", owner->name, part);
    if (!e || !slot || !nodes || !name)
        return NULL;
    *slot = e;
    *e = (struct element){.kind = catalogue_letter(x->deck->catalogue, letter),
                          .name = name,
                          .number = (int)(x->element_count + x->states.count - 1),
                          .where = owner->where,
                          .nodes = nodes,
                          .node_count = 2};
    nodes[0] = expand_new_internal_node(x, e, NULL, owner->where);
    return nodes[0] >= 0 ? e : NULL;
}

int formulas_add_state(struct expansion *x, struct state_owner owner, const struct expression *argument,
                       const struct response *response)
{
    owner.name = owner.name ? owner.name : "result";
    const char *part = free_part(x, owner.name, owner.part);
    struct element *e = part ? add_element(x, &owner, part, KIND_OPERATOR) : NULL;
    if (!e) {
        deck_no_memory(x->deck);
        return -1;
    }
    e->law = LAW_CURRENT;
    e->expression = argument;
    e->response = response;
    expand_use_node(x, e->nodes[0], USE_DRIVEN);
    return e->nodes[0];
}

/* ---- currents ---- */

static bool has_current(const struct element *e)
{
    return !e->kind || e->node_count < 2 || strchr("vleh", e->kind->letter) || e->law == LAW_VOLTAGE ||
           kind_quantity(e->kind, "i") < 0;
}

/* The element's node of that place becomes one of its own, and the source stands between the old one and that. */
static bool put_in_series(struct expansion *x, struct element *e, size_t place, struct element *source,
                          const int *source_nodes)
{
    int *nodes = arena_array(x->deck->arena, e->node_count, sizeof *nodes),
        *ends = arena_array(x->deck->arena, 2, sizeof *ends);
    if (!nodes || !ends)
        return deck_no_memory(x->deck);
    memcpy(nodes, e->nodes, e->node_count * sizeof *nodes);
    ends[0] = nodes[place];
    ends[1] = nodes[place] = source_nodes[0];
    e->nodes = nodes;
    source->nodes = ends;
    source->multiplicity = e->multiplicity;
    expand_use_node(x, ends[1], USE_TERMINAL);
    expand_use_node(x, ends[1], USE_DRIVEN);
    return name_table_put(x->circuit->element_table, source->name, source) || deck_no_memory(x->deck);
}

static int current_into(struct expansion *x, struct element *e, size_t place, const char *part)
{
    const char *name = arena_format(x->deck->scratch, "%s#%s", e->name, part);
    const struct element *known = name ? name_table_get(x->circuit->element_table, name) : NULL;
    if (known)
        return known->number;
    const struct state_owner owner = {e->name, part, e->where};
    struct element *source = name ? add_element(x, &owner, part, 'v') : NULL;
    if (!source)
        deck_no_memory(x->deck);
    return source && put_in_series(x, e, place, source, source->nodes) ? source->number : e->number;
}

int formulas_current(struct expansion *x, struct element *e)
{
    return has_current(e) ? e->number : current_into(x, e, 0, "i");
}

int formulas_terminal_current(struct expansion *x, struct element *e, const char *quantity)
{
    static const struct {
        char letter;
        const char *currents[4]; /* into the nodes of the card */
    } all[] = {{'m', {"id", "ig", "is", "ib"}},
               {'q', {"ic", "ib", "ie", NULL}},
               {'j', {"id", "ig", "is", NULL}},
               {'z', {"id", "ig", "is", NULL}}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t place = 1; e->kind->letter == all[i].letter && place < 4 && place < e->node_count; place++)
            if (all[i].currents[place] && names_equal(all[i].currents[place], quantity))
                return current_into(x, e, place, all[i].currents[place]);
    return -1;
}

/* ---- behind the others ---- */

/* The tables of names lead to elements, which have moved. */
static bool refer_to(struct expansion *x, struct element *moved)
{
    struct name_table *names = x->circuit->element_table;
    bool good = true;
    for (size_t i = 0; i < name_table_count(names); i++) {
        const struct element *before = name_table_value(names, i);
        good = name_table_put(names, name_table_name(names, i), &moved[before->number]) && good;
    }
    return good;
}

void formulas_keep_states(struct expansion *x)
{
    struct element *const *states = x->states.items;
    const size_t count = x->element_count + x->states.count;
    if (x->states.count == 0)
        return;
    struct element *moved = arena_array(x->deck->arena, count + 1, sizeof *moved);
    if (!moved || !refer_to(x, moved)) {
        deck_no_memory(x->deck);
        return;
    }
    memcpy(moved, x->elements, x->element_count * sizeof *moved);
    for (size_t i = 0; i < x->states.count; i++)
        moved[x->element_count + i] = *states[i];
    x->elements = moved;
    x->element_count = x->element_capacity = count;
    x->states.count = 0;
}

/* ---- calls ---- */

static const double one[] = {1}, s_alone[] = {0, 1};
static const struct rational derivative = {s_alone, one, 2, 1}, integral = {one, s_alone, 1, 2};

/* An unknown of its own for what an expression gives. */
static int add_value(struct expansion *x, const struct expression_state *state, const char *part,
                     const struct expression *value)
{
    static const struct response prompt = {0};
    const struct state_owner owner = {x->formula_owner, part, state->where};
    return expand_add(x, &x->programs, &value) ? formulas_add_state(x, owner, value, &prompt) : -1;
}

/* An element whose equation is about unknowns of these nodes [places], of which the first is new and the others are filled in later;
 * NULL without memory. */
static struct element *add_relation(struct expansion *x, const struct expression_state *state, char letter, int *nodes,
                                    size_t places)
{
    const struct state_owner owner = {x->formula_owner ? x->formula_owner : "result", state->function, state->where};
    const char *part = free_part(x, owner.name, owner.part);
    const struct state_owner named = {owner.name, part, owner.where};
    struct element *e = nodes && part ? add_element(x, &named, part, letter) : NULL;
    if (!e) {
        deck_no_memory(x->deck);
        return NULL;
    }
    nodes[0] = e->nodes[0];
    e->nodes = nodes;
    e->node_count = places;
    expand_use_node(x, nodes[0], USE_DRIVEN);
    return e;
}

/* The integral of devices/behavioural/holder.c. */
static int add_holder(struct expansion *x, const struct expression_state *state)
{
    static const struct response sum = {.sections = &integral, .section_count = 1, .held = true};
    enum { OUT, INTEGRAL, INITIAL, RESET, PLACES };
    int *nodes = arena_array(x->deck->arena, PLACES, sizeof *nodes);
    if (!add_relation(x, state, KIND_HOLDER, nodes, PLACES))
        return -1;
    const char *owner = x->formula_owner ? x->formula_owner : "result";
    nodes[INTEGRAL] = formulas_add_state(x, (struct state_owner){owner, "sum", state->where}, state->argument, &sum);
    nodes[INITIAL] = add_value(x, state, "initial", state->initial);
    nodes[RESET] = add_value(x, state, "reset", state->reset);
    return nodes[INTEGRAL] < 0 || nodes[INITIAL] < 0 || nodes[RESET] < 0 ? -1 : nodes[OUT];
}

/* What x was a time before that is an unknown itself: devices/behavioural/late.c. */
static int add_late(struct expansion *x, const struct expression_state *state, const struct response *longest)
{
    enum { OUT, ARGUMENT, DELAY, PLACES };
    int *nodes = arena_array(x->deck->arena, PLACES, sizeof *nodes);
    struct element *e = add_relation(x, state, KIND_LATE, nodes, PLACES);
    if (!e)
        return -1;
    e->response = longest;
    nodes[ARGUMENT] = add_value(x, state, "early", state->argument);
    nodes[DELAY] = add_value(x, state, "time", state->late);
    return nodes[ARGUMENT] < 0 || nodes[DELAY] < 0 ? -1 : nodes[OUT];
}

static struct response response_of(const struct expression_state *state)
{
    switch (state->kind) {
    case EXPRESSION_DERIVATIVE:
        return (struct response){.sections = &derivative, .section_count = 1};
    case EXPRESSION_INTEGRAL:
        return (struct response){.sections = &integral, .section_count = 1, .held = true, .rest = state->number};
    case EXPRESSION_DELAY:
        break;
    }
    return (struct response){.delay = state->number};
}

int formulas_state(struct expansion *x, const struct expression_state *state)
{
    struct response *response = arena_alloc(x->deck->arena, sizeof *response);
    if (!response) {
        deck_no_memory(x->deck);
        return -1;
    }
    *response = response_of(state);
    if (!expand_add(x, &x->programs, &state->argument))
        return -1;
    if (state->reset)
        return add_holder(x, state);
    if (state->late)
        return add_late(x, state, response);
    return formulas_add_state(x, (struct state_owner){x->formula_owner, state->function, state->where}, state->argument,
                              response);
}
