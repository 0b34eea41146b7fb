/* load.c - LTspice's I1 a b .. load: a current source that takes power and never gives any.
 *
 * Where the voltage is zero or of the other sign there is no current (LTspice's help, page on I).  The source itself feeds a
 * resistor of 1 ohm at a node of its own, i1#load, and the current of the card is the median of 0, the voltage there, and
 * that across the load over 1 mOhm, the resistance LTspice has in series with inductors and switches have at least.
 */
#include "netlist/expand/sources/waveforms.h"
#include "netlist/expression/expression_tree.h"

static const double resistance = 1e-3; /* ohm, between no current and all of it */

/* A part between ground and the node. */
static struct element *part(struct card *c, char letter, const char *name, int node, bool towards)
{
    const struct kn_location where = c->statement->items->where;
    struct element *e = expand_new_part(c->x, c->e, letter, name, where);
    int *nodes = arena_array(c->x->deck->arena, 2, sizeof *nodes);
    if (!e || !nodes) {
        deck_no_memory(c->x->deck);
        return NULL;
    }
    nodes[towards ? 0 : 1] = node;
    e->multiplicity = 1;
    e->nodes = nodes;
    e->node_count = 2;
    return e;
}

/* v(a,b)/resistance */
static struct expression_node *shorted(struct card *c)
{
    struct arena *arena = c->x->deck->arena;
    const struct kn_location where = c->statement->items->where;
    const struct circuit_name plus = {c->words[0]->text, where}, minus = {c->words[1]->text, where};
    return node_binary(arena, node_voltage(arena, plus, &minus, where), OP_DIVIDE,
                       node_number(arena, resistance, NULL, where), where);
}

static struct expression_node *call_of_two(struct card *c, const char *name, struct expression_node *a,
                                           struct expression_node *b)
{
    struct arena *arena = c->x->deck->arena;
    const struct kn_location where = c->statement->items->where;
    struct expression_node *call = node_append(arena, node_append(arena, node_call(arena), a), b);
    return node_close_call(call, (struct circuit_name){name, where}, where);
}

/* The median of a, 0 and b is max(min(a, 0), min(max(a, 0), b)). */
static const struct expression_tree *current_law(struct card *c, const char *node)
{
    struct arena *arena = c->x->deck->arena;
    const struct kn_location where = c->statement->items->where;
    struct expression_node *wanted = node_voltage(arena, (struct circuit_name){node, where}, NULL, where);
    struct expression_node *low = call_of_two(c, "min", shorted(c), node_number(arena, 0, NULL, where));
    struct expression_node *high = call_of_two(c, "max", shorted(c), node_number(arena, 0, NULL, where));
    return expression_tree_of(arena, call_of_two(c, "max", low, call_of_two(c, "min", high, wanted)));
}

bool source_only_takes(struct card *c)
{
    const struct kn_location where = c->statement->items->where;
    const int node = expand_new_internal_node(c->x, c->e, "load", where);
    const char *name = arena_format(c->x->deck->arena, "%s#load", c->statement->items->text);
    struct element *source = part(c, 'i', "set", node, false), *unit = part(c, 'r', "unit", node, true);
    if (node < 0 || !name || !source || !unit)
        return deck_no_memory(c->x->deck);
    source->source = c->e->source;
    source->settings = c->e->settings;
    source->setting_count = c->e->setting_count;
    unit->has_value = true;
    unit->value = 1;
    c->e->source = (struct source){0};
    c->e->settings = NULL;
    c->e->setting_count = 0;
    c->kind = c->e->kind = catalogue_letter(c->x->deck->catalogue, 'b');
    const struct expression_tree *law = current_law(c, name);
    return law ? card_law_of_tree(c, LAW_CURRENT, law) : deck_no_memory(c->x->deck);
}
