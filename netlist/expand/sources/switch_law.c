/* switch_law.c - Xyce's S n+ n- model CONTROL={expression}: a switch whose control is a formula.
 *
 *     i = v(n+,n-) g,   g = exp(r s (3/2 - 2 s^2) - m),   s = (u - (on + off)/2)/(on - off) within -1/2 .. 1/2,
 * r = ln(roff/ron), m = ln(roff ron)/2: the law of smooth switches (devices/source/switch.c), as a B source's.
 */
#include "netlist/expand/expand_card.h"
#include "netlist/expression/expression_tree.h"

#include <math.h>

/* A parameter of the model under any of its names. */
static double value_of(const struct model *m, const char *names, double otherwise)
{
    double value = otherwise;
    for (size_t i = 0; i < m->setting_count; i++)
        if (name_is_among(names, m->settings[i].name) && m->settings[i].has_value && !m->settings[i].text)
            value = m->settings[i].value;
    return value;
}

/* (u - (on + off)/2)/(on - off) within -1/2 .. 1/2. */
static struct expression_node *position(const struct tree_maker *m, const struct expression_tree *control, double on,
                                        double off)
{
    struct expression_node *u = control ? make_closed(m, control->root) : NULL;
    struct expression_node *from = make_binary(m, u, OP_SUBTRACT, make_number(m, 0.5 * (on + off)));
    struct expression_node *part = make_binary(m, from, OP_DIVIDE, make_number(m, on - off));
    return make_call_of_two(m, "max", make_number(m, -0.5), make_call_of_two(m, "min", make_number(m, 0.5), part));
}

static struct expression_node *conductance(struct card *c, const struct model *m, const struct item *control)
{
    const struct tree_maker make = {c->x->deck->arena, control->where};
    const double on = value_of(m, "on von ion", 1), off = value_of(m, "off voff ioff", 0);
    const double ron = value_of(m, "ron", 1), roff = value_of(m, "roff", 1e6);
    if (!(ron > 0 && roff > 0) || on == off) {
        card_fail(c, "switch-model", m->where, "write .model s switch(on=1 off=0 ron=1 roff=1e6)",
                  "model '%s': ron and roff must be greater than 0, and on and off must differ", m->name);
        return NULL;
    }
    const struct expression_node *s = position(&make, expand_tree(c->x, control), on, off);
    struct expression_node *square =
        make_binary(&make, make_binary(&make, make_number(&make, 2), OP_MULTIPLY, s), OP_MULTIPLY, s);
    struct expression_node *linear = make_binary(&make, make_number(&make, log(roff / ron)), OP_MULTIPLY, s);
    struct expression_node *curve =
        make_binary(&make, linear, OP_MULTIPLY, make_binary(&make, make_number(&make, 1.5), OP_SUBTRACT, square));
    return make_call(&make, "exp", make_binary(&make, curve, OP_SUBTRACT, make_number(&make, 0.5 * log(roff * ron))));
}

bool card_controlled_switch(struct card *c, struct item *control)
{
    static const char *const taken[] = {"control", NULL};
    if (c->word_count < 3 || c->words[2]->kind != ITEM_WORD)
        return card_expected(c, "two nodes and the name of a model");
    struct instance *owner;
    const struct model_card *card = expand_model_card(c->at, c->words[2]->text, &owner);
    const struct catalogue *catalogue = c->x->deck->catalogue;
    const char letter = card && catalogue_find(catalogue, 'w', card->type, NAN) ? 'w' : 's';
    const struct element_kind *kind = catalogue_letter(catalogue, letter);
    const struct model *m = expand_model(c->x, c->at, c->words[2], &kind);
    c->kind = c->e->kind = catalogue_letter(c->x->deck->catalogue, 'b');
    c->nodes = kind_nodes(c->kind);
    if (!m || !card_nodes(c, 0))
        return false;
    const struct tree_maker make = {c->x->deck->arena, control->where};
    struct expression_node *g = conductance(c, m, control->value);
    struct expression_node *voltage = make_voltage(&make, c->words[0]->text, c->words[1]->text);
    return card_law_of_root(c, LAW_CURRENT, make_binary(&make, voltage, OP_MULTIPLY, g)) && card_settings(c, taken);
}
