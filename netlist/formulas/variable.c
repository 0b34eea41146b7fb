/* variable.c - R, C and L whose value is a formula of voltages, currents or time.
 *
 *     R   i = v/R(..), and v = R(t) i where it begins with 0
 *     C   i = C(..) dv/dt      (ngspice and Xyce: C='..' is a capacitance, Q='..' a charge)
 *     L   v = L(..) di/dt
 *
 * Where C depends on the capacitor's own voltage only, or L on its own current, the charge or flux is the integral, which
 * a device keeps as such: nothing is lost over a cycle.  All others are behavioural sources, C and L with ddt( ) of their
 * voltage or current.
 */
#include "netlist/expand/expand_card.h"
#include "netlist/expression/expression_program.h"
#include "netlist/expression/expression_tree.h"
#include "netlist/formulas/formulas.h"

#include <math.h>
#include <string.h>

/* ---- resistors and B sources that are one ---- */

/* P v (3 - 2 |v|/w)/w^2 with w = max(|v|, vprx): P/v from vprx on, and P (3 - 2 |v|/vprx) (v/vprx)^2 below as the power. */
static struct expression_node *power_with_onset(const struct tree_maker *m, const struct expression_node *power,
                                                struct expression_node *v, double onset)
{
    struct expression_node *size = make_call(m, "abs", v);
    struct expression_node *w = make_call_of_two(m, "max", size, make_number(m, onset));
    struct expression_node *share =
        make_binary(m, make_number(m, 3), OP_SUBTRACT,
                    make_binary(m, make_binary(m, make_number(m, 2), OP_MULTIPLY, size), OP_DIVIDE, w));
    struct expression_node *above =
        make_binary(m, make_binary(m, make_closed(m, power), OP_MULTIPLY, v), OP_MULTIPLY, share);
    return make_binary(m, make_binary(m, above, OP_DIVIDE, w), OP_DIVIDE, w);
}

/* Below vprx the power sinks along a cubic to 0 at 0 V (LTspice's help, B; older versions have no word for it). */
bool card_power_law(struct card *c, const struct expression_tree *power, struct kn_location where)
{
    static const char *const names[] = {"vprx", "vprxover"};
    const struct tree_maker m = {c->x->deck->arena, where};
    double onset = 0;
    if (!power)
        return false;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const struct item *given = card_assignment(c, names[n]);
        if (given && !card_value(c, given->value, &onset))
            return false;
    }
    struct expression_node *v = make_voltage(&m, c->words[0]->text, c->words[1]->text);
    return card_law_of_root(c, LAW_CURRENT,
                            onset > 0 ? power_with_onset(&m, power->root, v, onset)
                                      : make_binary(&m, make_closed(&m, power->root), OP_DIVIDE, v));
}

bool card_resistance_law(struct card *c, const struct expression_tree *resistance, struct kn_location where)
{
    const struct tree_maker m = {c->x->deck->arena, where};
    if (!resistance)
        return false;
    struct expression_node *v = make_voltage(&m, c->words[0]->text, c->words[1]->text);
    c->e->reciprocal = true;
    return card_law_of_root(c, LAW_CURRENT, make_binary(&m, v, OP_DIVIDE, make_closed(&m, resistance->root)));
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

static double setting_of(const struct element *e, const char *name, double fallback)
{
    for (size_t i = 0; i < e->setting_count; i++)
        if (names_equal(e->settings[i].name, name) && e->settings[i].has_value)
            return e->settings[i].value;
    return fallback;
}

/* Whether 1 V would make a current without end when a run begins: a resistance of 0 that depends on time alone. */
static bool begins_as_short(struct expansion *x, const struct element *e, const struct expression *current, bool *zero)
{
    const size_t count = expression_variable_count(current);
    const struct expression_variable *all = expression_variables(current);
    double *v = arena_array(x->deck->scratch, count + 1, sizeof *v);
    double *work = arena_array(x->deck->scratch, expression_workspace(current) + 1, sizeof *work);
    if (!v || !work)
        return deck_no_memory(x->deck);
    *zero = current->uses_time && e->nodes[0] != e->nodes[1];
    for (size_t i = 0; i < count; i++) {
        *zero &= all[i].kind == EXPRESSION_NODE_VOLTAGE && (all[i].index == e->nodes[0] || all[i].index == e->nodes[1]);
        v[i] = all[i].index == (e->nodes[0] != 0 ? e->nodes[0] : e->nodes[1]);
    }
    const struct expression_point at = {.variables = v, .temperature = x->circuit->temperature};
    *zero = *zero && isinf(expression_evaluate(current, &at, work, NULL, NULL));
    return true;
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

static bool is_number(const struct expression *value)
{
    return value->input_count == 0 && !value->uses_time;
}

/* {2*r1:r} of a resistor r1 of a number is one as well, and has noise.  False with an error. */
static bool keep_resistance(struct expansion *x, const struct pending *p)
{
    struct element *e = p->element;
    const struct expression_node *root = p->law->root->last->node;
    const struct expression_tree *tree = formulas_asks_values(root) ? expression_tree_of(x->deck->arena, root) : NULL;
    const struct expression *value = tree ? expand_compile(x, p->at, tree, NULL) : NULL;
    if (!value || !is_number(value))
        return !tree || value;
    e->kind = catalogue_letter(x->deck->catalogue, 'r');
    e->reciprocal = false;
    return keep_number(x, e, value);
}

bool formulas_resistance(struct expansion *x, const struct pending *p)
{
    struct element *e = p->element;
    const struct tree_maker m = {x->deck->arena, e->where};
    bool zero = false;
    if (!keep_resistance(x, p) || e->has_value)
        return e->has_value;
    e->expression = expand_compile(x, p->at, p->law, NULL);
    if (!e->expression || !begins_as_short(x, e, e->expression, &zero) || !zero)
        return e->expression != NULL;
    struct expression_node *resistance = make_closed(&m, p->law->root->last->node);
    struct expression_node *each =
        make_binary(&m, make_current(&m, p->statement->items->text), OP_DIVIDE, make_number(&m, setting_of(e, "m", 1)));
    const struct expression_tree *tree = expression_tree_of(m.arena, make_binary(&m, resistance, OP_MULTIPLY, each));
    e->law = LAW_VOLTAGE;
    e->reciprocal = false;
    e->expression = tree ? expand_compile(x, p->at, tree, NULL) : NULL;
    return e->expression != NULL;
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

/* What age leaves of a capacitor, hours (Xyce reference guide, capacitor; devices/linear/capacitor.c has the same). */
static double aged(const struct element *e)
{
    return 1 - setting_of(e, "d", 0.0233) * log10(setting_of(e, "age", 1));
}

/* The source that a capacitor becomes has no age. */
static bool drop_age(struct expansion *x, struct element *e)
{
    struct setting *kept = arena_array(x->deck->arena, e->setting_count + 1, sizeof *kept);
    size_t count = 0;
    if (!kept)
        return deck_no_memory(x->deck);
    for (size_t i = 0; i < e->setting_count; i++)
        if (!names_equal(e->settings[i].name, "age") && !names_equal(e->settings[i].name, "d"))
            kept[count++] = e->settings[i];
    e->settings = kept;
    e->setting_count = count;
    return true;
}

/* The value times the rate of the voltage or the current. */
static const struct expression_tree *tree_of_rate(struct expansion *x, const struct pending *p)
{
    const struct element *e = p->element;
    const struct tree_maker at = {x->deck->arena, e->where};
    const bool capacitor = e->law == LAW_CAPACITANCE;
    const struct item *const first = p->statement->items->next;
    struct expression_node *of =
        capacitor ? make_voltage(&at, first->text, first->next->text) : make_current(&at, p->statement->items->text);
    const double factor = capacitor ? aged(e) : 1 / setting_of(e, "m", 1); /* v of m inductors with i/m each */
    struct expression_node *value =
        make_binary(&at, make_number(&at, factor), OP_MULTIPLY, make_closed(&at, p->law->root));
    return expression_tree_of(at.arena, make_binary(&at, value, OP_MULTIPLY, make_call(&at, "ddt", of)));
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
    if (is_number(value))
        return keep_number(x, e, value);
    if (depends_on_itself(value, e)) {
        e->expression = value;
        return true;
    }
    const struct expression_tree *tree = tree_of_rate(x, p);
    warn_of_initial(x, e);
    if (e->law == LAW_CAPACITANCE && !drop_age(x, e))
        return false;
    e->kind = catalogue_letter(x->deck->catalogue, e->kind->variable_letter);
    e->law = e->law == LAW_CAPACITANCE ? LAW_CURRENT : LAW_VOLTAGE;
    e->expression = tree ? expand_compile(x, p->at, tree, NULL) : NULL;
    return e->expression != NULL;
}

const struct expression *formulas_value_of(struct expansion *x, const struct element *e)
{
    const struct instance *at;
    const struct expression_node *root = formulas_tree_of(x, e, &at);
    const struct expression_tree *tree = root ? expression_tree_of(x->deck->arena, root) : NULL;
    return tree ? expand_compile(x, at, tree, NULL) : NULL;
}
