/* switch_law.c - Xyce's S n+ n- model CONTROL={expression}: a switch whose control is a formula.
 *
 *     i = v(n+,n-) g,   g = exp(r s (3/2 - 2 s^2) - m),   s = (u - (on + off)/2)/(on - off) within -1/2 .. 1/2,
 * r = ln(roff/ron), m = ln(roff ron)/2: the law of smooth switches (devices/source/switch.c), as a B source's.
 */
#include "netlist/expand/expand_card.h"
#include "netlist/expression/expression_tree.h"

#include <math.h>
#include <string.h>

/* A parameter of the model under any of its names. */
static double value_of(const struct model *m, const char *names, double otherwise)
{
    double value = otherwise;
    for (size_t i = 0; i < m->setting_count; i++)
        if (name_is_among(names, m->settings[i].name) && m->settings[i].has_value && !m->settings[i].text)
            value = m->settings[i].value;
    return value;
}

static const struct expression_tree *conductance(struct card *c, const struct model *m, const struct item *control)
{
    struct deck *k = c->x->deck;
    const double on = value_of(m, "on von ion", 1), off = value_of(m, "off voff ioff", 0);
    const double ron = value_of(m, "ron", 1), roff = value_of(m, "roff", 1e6);
    if (!(ron > 0 && roff > 0) || on == off) {
        card_fail(c, "switch-model", m->where, "write .model s switch(on=1 off=0 ron=1 roff=1e6)",
                  "model '%s': ron and roff must be greater than 0, and on and off must differ", m->name);
        return NULL;
    }
    const char *s =
        arena_format(k->arena, "max(-0.5,min(0.5,((%s)-(%.17g))/(%.17g)))", control->text, 0.5 * (on + off), on - off);
    const char *g = s ? arena_format(k->arena, "exp((%.17g)*(%s)*(1.5-2*(%s)*(%s))-(%.17g))", log(roff / ron), s, s, s,
                                     0.5 * log(roff * ron))
                      : NULL;
    if (!g) {
        deck_no_memory(k);
        return NULL;
    }
    return expression_parse(k->arena, g, strlen(g), control->where, k->dialect, k->diagnostics);
}

bool card_controlled_switch(struct card *c, struct item *control)
{
    struct arena *arena = c->x->deck->arena;
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
    const struct item *const *nodes = (const struct item *const *)c->words;
    const struct circuit_name first = {nodes[0]->text, nodes[0]->where}, second = {nodes[1]->text, nodes[1]->where};
    const struct expression_tree *g = conductance(c, m, control->value);
    if (!g) {
        c->x->deck->failed = true;
        return false;
    }
    struct expression_node *voltage = node_voltage(arena, first, &second, control->where);
    const struct expression_tree *law =
        expression_tree_of(arena, node_binary(arena, voltage, OP_MULTIPLY, g->root, control->where));
    return (law ? card_law_of_tree(c, LAW_CURRENT, law) : deck_no_memory(c->x->deck)) && card_settings(c, taken);
}
