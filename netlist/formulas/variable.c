/* variable.c - R, C and L whose value is a formula of voltages, currents or time.
 *
 *     R   i = v/R(..)
 *     C   i = C(..) dv/dt      (ngspice and Xyce: C='..' is a capacitance, Q='..' a charge)
 *     L   v = L(..) di/dt
 *
 * Where C depends on the capacitor's own voltage only, or L on its own current, the charge or flux is the integral, which
 * a device keeps as such: nothing is lost over a cycle.  All others are behavioural sources, C and L with ddt( ) of their
 * voltage or current.
 */
#include "netlist/expand/expand_card.h"
#include "netlist/expression/expression_program.h"
#include "netlist/formulas/formulas.h"

#include <math.h>
#include <string.h>

/* ---- trees ---- */

struct place {
    struct arena *arena;
    struct kn_location where;
};

static struct expression_node *binary(const struct place *p, struct expression_node *left, enum operation op,
                                      const struct expression_node *right)
{
    return node_binary(p->arena, left, op, right, p->where);
}

static struct expression_node *number(const struct place *p, double value)
{
    return node_number(p->arena, value, NULL, p->where);
}

/* A copy in parentheses, for others to go on with. */
static struct expression_node *closed(const struct place *p, const struct expression_tree *tree)
{
    struct expression_node *copy = arena_alloc(p->arena, sizeof *copy);
    if (copy) {
        *copy = *tree->root;
        copy->closed = true;
    }
    return copy;
}

static struct expression_node *voltage(const struct place *p, const char *first, const char *second)
{
    const struct circuit_name plus = {first, p->where}, minus = {second, p->where};
    return node_voltage(p->arena, plus, &minus, p->where);
}

static struct expression_node *rate(const struct place *p, const struct expression_node *of)
{
    return node_close_call(node_append(p->arena, node_call(p->arena), of), (struct circuit_name){"ddt", p->where},
                           p->where);
}

/* ---- resistors and B sources that are one ---- */

bool card_power_law(struct card *c, const struct expression_tree *power, struct kn_location where)
{
    const struct place p = {c->x->deck->arena, where};
    if (!power)
        return false;
    const struct expression_tree *law = expression_tree_of(
        p.arena, binary(&p, closed(&p, power), OP_DIVIDE, voltage(&p, c->words[0]->text, c->words[1]->text)));
    return law ? card_law_of_tree(c, LAW_CURRENT, law) : deck_no_memory(c->x->deck);
}

bool card_resistance_law(struct card *c, const struct expression_tree *resistance, struct kn_location where)
{
    const struct place p = {c->x->deck->arena, where};
    if (!resistance)
        return false;
    const struct expression_tree *law = expression_tree_of(
        p.arena, binary(&p, voltage(&p, c->words[0]->text, c->words[1]->text), OP_DIVIDE, closed(&p, resistance)));
    c->e->reciprocal = true;
    return law ? card_law_of_tree(c, LAW_CURRENT, law) : deck_no_memory(c->x->deck);
}

bool card_variable_value(struct card *c, struct item *i)
{
    const struct expression_tree *value = expand_tree(c->x, i);
    if (!value)
        return false;
    if (c->kind->law == LAW_NONE) {
        c->e->kind = catalogue_letter(c->x->deck->catalogue, c->kind->variable_letter);
        return card_resistance_law(c, value, i->where);
    }
    return card_law_of_tree(c, c->kind->law == LAW_CHARGE ? LAW_CAPACITANCE : LAW_INDUCTANCE, value);
}

/* ---- capacitors and inductors ---- */

static bool is_input(const struct expression *e, const struct expression_input *in, enum expression_variable_kind kind,
                     int plus, int minus)
{
    const struct expression_variable *all = e->variables;
    const int first = in->plus >= 0 ? all[in->plus].index : 0, second = in->minus >= 0 ? all[in->minus].index : 0;
    const bool of_kind = (in->plus < 0 || all[in->plus].kind == kind) && (in->minus < 0 || all[in->minus].kind == kind);
    return of_kind && ((first == plus && second == minus) ||
                       (kind == EXPRESSION_NODE_VOLTAGE && first == minus && second == plus));
}

/* Whether nothing but its own voltage or current is in it. */
static bool depends_on_itself(const struct expression *e, const struct element *owner)
{
    for (size_t i = 0; i < e->input_count; i++) {
        const struct expression_input *in = &e->inputs[i];
        if (owner->law == LAW_CAPACITANCE ? !is_input(e, in, EXPRESSION_NODE_VOLTAGE, owner->nodes[0], owner->nodes[1])
                                          : !is_input(e, in, EXPRESSION_BRANCH_CURRENT, owner->number, 0))
            return false;
    }
    return !e->uses_time;
}

static double setting_of(const struct element *e, const char *name, double fallback)
{
    for (size_t i = 0; i < e->setting_count; i++)
        if (names_equal(e->settings[i].name, name) && e->settings[i].has_value)
            return e->settings[i].value;
    return fallback;
}

/* The value times the rate of the voltage or the current. */
static const struct expression_tree *tree_of_rate(struct expansion *x, const struct pending *p)
{
    const struct element *e = p->element;
    const struct place at = {x->deck->arena, e->where};
    const bool capacitor = e->law == LAW_CAPACITANCE;
    const struct item *const first = p->statement->items->next;
    const struct circuit_name own = {p->statement->items->text, e->where};
    struct expression_node *of =
        capacitor ? voltage(&at, first->text, first->next->text) : node_current(at.arena, own, e->where);
    const double factor = capacitor ? 1 : 1 / setting_of(e, "m", 1); /* v of m inductors with i/m each */
    struct expression_node *value = binary(&at, number(&at, factor), OP_MULTIPLY, closed(&at, p->law));
    return expression_tree_of(at.arena, binary(&at, value, OP_MULTIPLY, rate(&at, of)));
}

/* 1n*(1+0*v(a)) is a number after all. */
static bool keep_number(struct expansion *x, struct element *e, const struct expression *value)
{
    const struct expression_point at = {.temperature = x->circuit->temperature};
    double *work = arena_array(x->deck->scratch, expression_workspace(value) + 1, sizeof *work);
    if (!work)
        return deck_no_memory(x->deck);
    e->has_value = true;
    e->value = expression_evaluate(value, &at, work, NULL, NULL);
    e->law = LAW_NONE;
    return true;
}

/* What is a rate of change times a value keeps no charge of its own that could be set. */
static void warn_of_initial(struct expansion *x, const struct element *e)
{
    const bool capacitor = e->law == LAW_CAPACITANCE;
    if (!isnan(setting_of(e, "ic", NAN)))
        deck_warn(x->deck, "initial-left-out", e->where,
                  capacitor ? "give the voltage of its nodes by .ic, or its charge by Q=" : "give its flux by Flux=",
                  "ic of '%s' is left out: its value depends on more than its own %s", e->name,
                  capacitor ? "voltage" : "current");
}

bool formulas_variable(struct expansion *x, const struct pending *p)
{
    struct element *e = p->element;
    const struct expression *value = expand_compile(x, p->at, p->law, NULL);
    if (!value)
        return false;
    if (value->input_count == 0 && !value->uses_time)
        return keep_number(x, e, value);
    if (depends_on_itself(value, e)) {
        e->expression = value;
        return true;
    }
    const struct expression_tree *tree = tree_of_rate(x, p);
    warn_of_initial(x, e);
    e->kind = catalogue_letter(x->deck->catalogue, e->kind->variable_letter);
    e->law = e->law == LAW_CAPACITANCE ? LAW_CURRENT : LAW_VOLTAGE;
    e->expression = tree ? expand_compile(x, p->at, tree, NULL) : NULL;
    return e->expression != NULL;
}
