/* thermal.c - Xyce's resistor that heats itself: R with a model that has RESISTIVITY and HEATCAPACITY, formulas of temp, and
 * with A (cross section) and L (length) on its card.
 *
 *     i = v A/(L resistivity(T)),     d/dt T = v i/(A L heatcapacity(T) + THERMAL_A THERMAL_L THERMAL_HEATCAPACITY)
 *
 * (Xyce Reference Guide, "Thermal (level=2) Resistor").  It becomes a behavioural source; T, which is TEMP or the
 * circuit's temperature at rest, is the voltage of a node r1#temp in degrees Celsius, kept by another one.
 */
#include "netlist/expand/expand_card.h"
#include "netlist/expression/expression_tree.h"

#include <string.h>

struct heated {
    struct card *c;
    struct tree_maker make;
    const struct model_card *model;
    struct instance *owner; /* of the model */
    const char *node;       /* of the temperature, as the card would call it */
    double at_first;        /* degrees Celsius */
};

/* The value of a name on the card or, if not there, the model's. */
static struct item *given(const struct heated *h, const char *name)
{
    struct item *on_card = card_assignment(h->c, name);
    if (on_card)
        return on_card->value;
    for (struct item *i = h->model->settings; i; i = i->next) {
        if (i->value && item_is(i, name))
            return i->value;
        for (struct item *inside = i->kind == ITEM_GROUP ? i->inside : NULL; inside; inside = inside->next)
            if (inside->value && item_is(inside, name))
                return inside->value;
    }
    return NULL;
}

/* A formula of the temperature there is: a function of temp, which nobody else can call since its name has a blank. */
static struct expression_node *of_temperature(const struct heated *h, const char *name)
{
    static const char *const argument[] = {"temp"};
    const struct expression_tree *tree = expand_tree(h->c->x, given(h, name));
    const char *called = arena_format(h->make.arena, "%s %s", h->c->e->name, name);
    if (!tree || !called ||
        !scope_function(h->owner->scope, called, argument, 1, tree, h->make.where, h->c->x->deck->diagnostics))
        return NULL;
    return make_call(&h->make, called, make_voltage(&h->make, h->node, NULL));
}

/* v A/(L resistivity) */
static struct expression_node *current_of(const struct heated *h, double area, double length)
{
    const struct tree_maker *m = &h->make;
    struct expression_node *v = make_voltage(m, h->c->words[0]->text, h->c->words[1]->text);
    struct expression_node *scaled = make_binary(m, make_number(m, area / length), OP_MULTIPLY, v);
    return make_binary(m, scaled, OP_DIVIDE, of_temperature(h, "resistivity"));
}

/* idt(v i/capacity, temperature at first) */
static const struct expression_tree *temperature_law(const struct heated *h, double area, double length, double beside)
{
    const struct tree_maker *m = &h->make;
    struct expression_node *v = make_voltage(m, h->c->words[0]->text, h->c->words[1]->text);
    struct expression_node *power = make_binary(m, v, OP_MULTIPLY, current_of(h, area, length));
    struct expression_node *own =
        make_binary(m, make_number(m, area * length), OP_MULTIPLY, of_temperature(h, "heatcapacity"));
    struct expression_node *capacity = make_binary(m, own, OP_ADD, make_number(m, beside));
    struct expression_node *rate = make_binary(m, power, OP_DIVIDE, make_closed(m, capacity));
    return expression_tree_of(m->arena, make_call_of_two(m, "idt", rate, make_number(m, h->at_first)));
}

/* 0 where it is not given. */
static bool read_number(const struct heated *h, const char *name, double *value)
{
    struct item *i = given(h, name);
    *value = 0;
    return !i || card_value(h->c, i, value);
}

static bool make(const struct heated *h, double area, double length, double beside)
{
    struct card *c = h->c;
    const int node = expand_new_internal_node(c->x, c->e, "temp", h->make.where);
    struct element *part = expand_new_part(c->x, c->e, 'b', "temperature", h->make.where);
    c->kind = c->e->kind = catalogue_letter(c->x->deck->catalogue, c->kind->variable_letter);
    c->e->model = NULL;
    const struct expression_tree *current = expression_tree_of(h->make.arena, current_of(h, area, length));
    const struct expression_tree *temperature = temperature_law(h, area, length, beside);
    if (c->x->deck->failed)
        return false;
    if (node < 0 || !current)
        return deck_no_memory(c->x->deck);
    return card_law_of_tree(c, LAW_CURRENT, current) && card_voltage_at(c, part, node, temperature);
}

bool card_is_heated(struct card *c)
{
    struct heated h = {.c = c};
    if (!c->e->model || c->e->has_value || !card_assignment(c, "a") || !card_assignment(c, "l"))
        return false;
    h.model = expand_model_card(c->at, c->e->model->name, &h.owner);
    return h.model && given(&h, "resistivity") && given(&h, "heatcapacity");
}

bool card_heated_resistor(struct card *c)
{
    struct heated h = {.c = c, .make = card_maker(c)};
    double area, length, beside[3];
    h.model = expand_model_card(c->at, c->e->model->name, &h.owner);
    h.node = arena_format(h.make.arena, "%s#temp", c->statement->items->text);
    if (!h.node)
        return deck_no_memory(c->x->deck);
    const struct item *temp = card_assignment(c, "temp");
    h.at_first = c->x->circuit->temperature;
    if (temp && !card_value(c, temp->value, &h.at_first))
        return false;
    if (!read_number(&h, "a", &area) || !read_number(&h, "l", &length) || !read_number(&h, "thermal_a", &beside[0]) ||
        !read_number(&h, "thermal_l", &beside[1]) || !read_number(&h, "thermal_heatcapacity", &beside[2]))
        return false;
    if (!(area > 0) || !(length > 0))
        return card_fail(c, "value-range", h.make.where, "write A=1e-5 L=0.1", "%s: A and L must be greater than 0",
                         card_owner(c));
    return make(&h, area, length, beside[0] * beside[1] * beside[2]);
}
