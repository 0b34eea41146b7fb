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
static struct expression_node *shorted(const struct tree_maker *m, const struct card *c)
{
    return make_binary(m, make_voltage(m, c->words[0]->text, c->words[1]->text), OP_DIVIDE, make_number(m, resistance));
}

/* The median of a, 0 and b is max(min(a, 0), min(max(a, 0), b)). */
static struct expression_node *current_law(struct card *c, const char *node)
{
    const struct tree_maker m = card_maker(c);
    struct expression_node *low = make_call_of_two(&m, "min", shorted(&m, c), make_number(&m, 0));
    struct expression_node *high = make_call_of_two(&m, "max", shorted(&m, c), make_number(&m, 0));
    return make_call_of_two(&m, "max", low, make_call_of_two(&m, "min", high, make_voltage(&m, node, NULL)));
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
    return card_law_of_root(c, LAW_CURRENT, current_law(c, name));
}
