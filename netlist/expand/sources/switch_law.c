/* switch_law.c - Xyce's S n+ n- model CONTROL={expression}: a switch whose control is a formula.
 *
 * A source of its own, s1#control, puts the formula's value between a node of its name and ground; the switch is an ordinary
 * one (devices/source/switch.c) that looks there, whatever its model calls the control.
 */
#include "netlist/expand/expand_card.h"

/* The source, and what it puts out as the switch's control. */
static bool add_control(struct card *c, struct item *control)
{
    struct expansion *x = c->x;
    const int node = expand_new_internal_node(x, c->e, "control", control->where);
    struct element *source = expand_new_part(x, c->e, 'b', "control", control->where);
    int *pair = arena_array(x->deck->arena, 2, sizeof *pair);
    if (node < 0 || !source || !pair)
        return deck_no_memory(x->deck);
    pair[0] = node;
    pair[1] = 0;
    c->e->control_nodes = pair;
    c->e->control_node_count = 2;
    expand_use_node(x, node, USE_CONTROL);
    source->multiplicity = 1;
    return card_voltage_at(c, source, node, expand_tree(x, control->value));
}

bool card_controlled_switch(struct card *c, struct item *control)
{
    static const char *const taken[] = {"control", NULL};
    if (c->word_count < 3 || c->words[2]->kind != ITEM_WORD)
        return card_expected(c, "two nodes and the name of a model");
    c->kind = c->e->kind = catalogue_letter(c->x->deck->catalogue, 's');
    c->nodes = kind_nodes(c->kind);
    c->e->model = expand_model(c->x, c->at, c->words[2], &c->e->kind);
    if (!c->e->model || !card_nodes(c, 0) || !add_control(c, control))
        return false;
    for (size_t i = 3; i < c->word_count; i++)
        if (!expand_setting(c->x, c->at, c->words[i]))
            return false;
    return card_settings(c, taken);
}
