/* bridges.c - a node that has a logic state and, by elements without logic, a voltage is two, and a bridge joins them, as
 * in ngspice since version 38. Ground is 0 for inputs; what outputs do there nobody sees.
 *
 * The voltage keeps the name, the state is that of a node element#name.  Where an output of logic is connected, a dac_bridge of 0 V and vcc
 * drives the voltage, else an adc_bridge of the threshold vcc/2 tells the state.  vcc is the parameter of that name as the
 * innermost element of logic at the node sees it, and 3.3 V where there is none.
 */
#include "base/text.h"
#include "netlist/expand/expand_card.h"
#include "netlist/expression/expression_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double USUAL_SUPPLY = 3.3; /* V, as in ngspice */

/* What is connected to a node of both kinds. */
struct bridged_node {
    int state; /* node of the logic state; 0: not made yet */
    bool driven;
    const struct element *owner; /* the innermost element of logic, .. */
    const struct instance *at;   /* .. and where it stands */
    int depth;
};

struct bridges {
    struct expansion *x;
    bool *has_voltage;          /* [count], nodes at first */
    struct bridged_node *nodes; /* [count] */
    size_t count;
};

bool expand_mark_voltages(struct expansion *x, const struct element *e, bool *has_voltage)
{
    bool *is_logic = e->connection_count > 0 ? arena_array(x->deck->scratch, e->node_count, sizeof *is_logic) : NULL;
    if (e->connection_count > 0 && !is_logic)
        return deck_no_memory(x->deck);
    for (size_t k = 0; k < e->connection_count; k++)
        if (e->connections[k].type == PORT_LOGIC && e->connections[k].plus >= 0)
            is_logic[e->connections[k].plus] = true;
    for (size_t n = 0; n < e->node_count; n++)
        has_voltage[e->nodes[n]] |= !(is_logic && is_logic[n]);
    return true;
}

static bool find_voltages(struct bridges *b)
{
    for (size_t i = 0; i < b->x->element_count; i++) {
        const struct element *e = &b->x->elements[i];
        if (e->kind && !expand_mark_voltages(b->x, e, b->has_voltage))
            return false;
        for (size_t n = 0; e->kind && n < e->control_node_count; n++)
            b->has_voltage[e->control_nodes[n]] = true;
    }
    return true;
}

static int depth_of(const struct instance *at)
{
    int depth = 0;
    for (; at->parent; at = at->parent)
        depth++;
    return depth;
}

static const struct node *node_at(const struct expansion *x, int node)
{
    return (const struct node *)x->nodes.items + node;
}

/* The state of a connection, in place of the node that has the voltage. */
static bool move(struct bridges *b, const struct logic_use *use, const struct connection *c)
{
    int *nodes = (int *)use->element->nodes;
    const int node = nodes[c->plus];
    struct bridged_node *at = &b->nodes[node];
    const struct port_info *port = &use->element->kind->ports[c->port];
    if (at->state == 0) {
        at->state = expand_new_internal_node(b->x, use->element, node_at(b->x, node)->name, node_at(b->x, node)->where);
        at->depth = -1;
        if (at->state < 0)
            return false;
    }
    expand_use_node(b->x, at->state, USE_TERMINAL);
    at->driven |= port->direction != PORT_IN;
    if (depth_of(use->at) > at->depth) {
        at->depth = depth_of(use->at);
        at->owner = use->element;
        at->at = use->at;
    }
    nodes[c->plus] = at->state;
    return true;
}

static bool is_bridged(const struct bridges *b, const struct element *e, const struct connection *c)
{
    if (c->type != PORT_LOGIC || c->plus < 0)
        return false;
    const int node = e->nodes[c->plus];
    return b->has_voltage[node] && (node > 0 || e->kind->ports[c->port].direction == PORT_IN);
}

static bool move_all(struct bridges *b)
{
    const struct logic_use *uses = b->x->logic.items;
    for (size_t i = 0; i < b->x->logic.count; i++)
        for (size_t k = 0; uses[i].element->kind && k < uses[i].element->connection_count; k++) {
            const struct connection *c = &uses[i].element->connections[k];
            if (is_bridged(b, uses[i].element, c) && !move(b, &uses[i], c))
                return false;
        }
    return true;
}

static double supply(const struct bridges *b, const struct bridged_node *c)
{
    struct deck *k = b->x->deck;
    double vcc = USUAL_SUPPLY;
    if (!scope_has_parameter(c->at->scope, "vcc"))
        return vcc;
    const struct expression_tree *tree = expression_tree_of(k->arena, node_name(k->arena, "vcc", c->owner->where));
    return tree && scope_evaluate(c->at->scope, tree, k->diagnostics, &vcc) ? vcc : USUAL_SUPPLY;
}

static const struct model *new_model(struct bridges *b, const struct bridged_node *c)
{
    const double vcc = supply(b, c);
    const struct kn_location where = c->owner->where;
    const struct setting levels[] = {
        {.name = c->driven ? "out_low" : "in_low", .has_value = true, .value = c->driven ? 0 : vcc / 2, .where = where},
        {.name = c->driven ? "out_high" : "in_high",
         .has_value = true,
         .value = c->driven ? vcc : vcc / 2,
         .where = where},
    };
    return expand_model_of(b->x, c->driven ? "auto_dac" : "auto_adc", c->driven ? "dac_bridge" : "adc_bridge", levels,
                           2, where);
}

/* Ports of both bridges are "in" and "out". */
static bool add_bridge(struct bridges *b, int node)
{
    const struct bridged_node *c = &b->nodes[node];
    struct expansion *x = b->x;
    struct arena *arena = x->deck->arena;
    struct element *e = expand_new_part(x, c->owner, 'a', node_at(x, node)->name, c->owner->where);
    int *nodes = arena_array(arena, 2, sizeof *nodes);
    struct connection *ends = arena_array(arena, 2, sizeof *ends);
    const struct model *model = new_model(b, c);
    if (!e || !nodes || !ends || !model)
        return false;
    nodes[0] = c->driven ? c->state : node;
    nodes[1] = c->driven ? node : c->state;
    for (int k = 0; k < 2; k++)
        ends[k] = (struct connection){.port = (size_t)k,
                                      .type = (k == 0) == c->driven ? PORT_LOGIC : PORT_V,
                                      .plus = k,
                                      .minus = -1,
                                      .control = -1};
    e->kind = catalogue_find(x->deck->catalogue, 'a', model->type, NAN);
    e->model = model;
    e->nodes = nodes;
    e->node_count = 2;
    e->connections = ends;
    e->connection_count = 2;
    expand_use_node(x, c->state, USE_TERMINAL);
    expand_use_node(x, node, c->driven ? USE_DRIVEN : USE_TERMINAL);
    return true;
}

static void note(const struct bridges *b)
{
    struct text names = TEXT(300);
    struct text_list list = text_list(&names, ", ", 12);
    const struct bridged_node *first = NULL;
    for (size_t n = 1; n < b->count; n++) {
        if (b->nodes[n].state == 0)
            continue;
        first = first ? first : &b->nodes[n];
        text_list_add(&list, node_at(b->x, (int)n)->name);
    }
    text_list_end_counted(&list);
    if (first)
        deck_note(
            b->x->deck, "automatic-bridge", first->owner->where,
            "logic and other elements meet at %s: bridges join states and voltages, 1 is vcc, %g V without a parameter "
            "of that name",
            names.at, USUAL_SUPPLY);
}

bool expand_bridges(struct expansion *x)
{
    if (x->logic.count == 0)
        return true;
    struct bridges b = {.x = x, .count = x->nodes.count};
    b.has_voltage = calloc(b.count + 1, sizeof *b.has_voltage);
    b.nodes = calloc(b.count + 1, sizeof *b.nodes);
    bool good = b.has_voltage && b.nodes && find_voltages(&b) && move_all(&b);
    for (size_t n = 0; good && n < b.count; n++)
        good = b.nodes[n].state == 0 || add_bridge(&b, (int)n);
    if (good)
        note(&b);
    free(b.has_voltage);
    free(b.nodes);
    return good || deck_no_memory(x->deck);
}
