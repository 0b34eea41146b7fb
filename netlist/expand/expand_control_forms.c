/* expand_control_forms.c - E and G in the forms that HSPICE has beside those of SPICE, all made formulas of V(c+,c-).
 *
 *     PWL(1) c+ c- x1,y1 x2,y2 ..        straight lines, constant beyond the ends
 *     AND(n) .. NAND(n) OR(n) NOR(n)     the same of the smallest (AND, NAND) or the largest of n voltages
 *     DELAY c+ c- TD=t                   V(c+,c-) of t ago
 *     VCR c+ c- f, VCR PWL(1) ..         G: a resistance of f V(c+,c-), or of those straight lines
 *     VCCAP c+ c- k, VCCAP PWL(1) ..    G: a capacitance, k V(c+,c-) or of the curve, times the slope of V(a,b)
 *     OPAMP c+ c-                        E: whatever voltage makes V(c+,c-) zero, a nullor
 *     TRANSFORMER c+ c- k                E: an ideal one, V(c+,c-) = k V(a,b), the current into c+ 1/k of that out of a
 *     c+ c- table(x1,y1,x2,y2 ..)        LTspice's
 *     c+ c- gain vto=v dir=1             G of LTspice's libraries: gain (V(c+,c-) - v)^2 where that is positive, else 0;
 *                                        of dir=-1 the mirror image: -gain (v - V(c+,c-))^2 where that is, else 0
 *
 * and min=, max= and scale= of what comes out, which hold for linear ones too.  Source: Star-HSPICE Manual, release 2001.2,
 * chapter "Using passive devices and independent sources", E and G elements.  vto and dir are in no manual of LTspice; that
 * they are this square is what circuits say that use them (a true RMS value of two of them and a mean in Bordodynov's RMS0;
 * the other way the limit of the current of LTspice's LT1175, which turns its transistor off).
 */
#include "netlist/expand/expand_card.h"
#include "netlist/expression/expression_tree.h"

#include <math.h>

enum { MOST_INPUTS = 100 };

static const struct form {
    const char *name;
    const char *choice; /* of several voltages, or NULL: there is one */
} curves[] = {{"pwl", NULL}, {"and", "min"}, {"nand", "min"}, {"or", "max"}, {"nor", "max"}};

static const char *const own_settings[] = {"min", "max", "scale", "td", "vol", "cur", "value", NULL};

/* V(c+,c-) of the next two words. */
static struct expression_node *control(struct card *c)
{
    const struct item *plus = card_take(c), *minus = plus ? card_take(c) : NULL;
    if (!minus) {
        card_expected(c, "a controlling node");
        return NULL;
    }
    return card_voltage(c, plus, minus);
}

/* The number in the parentheses of AND(2), which are flattened away. */
static bool read_inputs(struct card *c, size_t *count)
{
    double n = 0;
    struct item *i = card_take(c);
    if (!i)
        return card_expected(c, "the number of voltages: AND(2)");
    if (!card_value(c, i, &n))
        return false;
    if (!(n >= 1 && n <= MOST_INPUTS && n == (double)(size_t)n))
        return card_fail(c, "value-range", i->where, NULL, "%s: expected a number of voltages from 1 to %d, found '%s'",
                         card_owner(c), MOST_INPUTS, item_text(i));
    *count = (size_t)n;
    return true;
}

/* The straight lines between the pairs up to the end of the card. */
static struct expression_node *curve(struct card *c, const struct item *form, const struct expression_node *of)
{
    const double *numbers;
    size_t count = 0;
    if (!of || !card_numbers(c, &numbers, &count))
        return NULL;
    if (count < 4 || count % 2 != 0) {
        card_fail(c, "syntax", form->where, "write PWL(1) c+ c- x1,y1 x2,y2",
                  "%s: %s needs pairs of numbers, two at least, but has %zu numbers", card_owner(c), form->text, count);
        return NULL;
    }
    const struct tree_maker m = {c->x->deck->arena, form->where};
    struct expression_node *made = make_call(&m, "table", of);
    for (size_t i = 0; i < count; i++)
        made = node_append(m.arena, made, make_number(&m, numbers[i]));
    return made;
}

static const struct form *curve_form(const struct item *i)
{
    for (size_t k = 0; i && k < sizeof curves / sizeof *curves; k++)
        if (item_is(i, curves[k].name))
            return &curves[k];
    return NULL;
}

static struct expression_node *read_curve(struct card *c)
{
    const struct item *form = card_take(c);
    const struct form *kind = curve_form(form);
    const struct tree_maker m = card_maker(c);
    size_t count = 1;
    if (!read_inputs(c, &count))
        return NULL;
    struct expression_node *chosen = control(c);
    for (size_t i = 1; chosen && i < count; i++)
        chosen = make_call_of_two(&m, kind->choice ? kind->choice : "max", chosen, control(c));
    return curve(c, form, chosen);
}

/* ---- min=, max=, scale= ---- */

bool card_has_limits(const struct card *c)
{
    return card_assignment(c, "min") || card_assignment(c, "max") || card_assignment(c, "scale");
}

static const struct expression_node *limited(struct card *c, const struct expression_node *value)
{
    static const char *const names[] = {"scale", "max", "min"};
    const struct tree_maker m = card_maker(c);
    for (size_t k = 0; value && k < sizeof names / sizeof *names; k++) {
        struct item *given = card_assignment(c, names[k]);
        double limit;
        if (!given)
            continue;
        if (!card_value(c, given->value, &limit))
            return NULL;
        if (k > 0)
            value = make_call_of_two(&m, k == 1 ? "min" : "max", value, make_number(&m, limit)); /* not more than max */
        else
            value = make_binary(&m, make_number(&m, limit), OP_MULTIPLY, value);
    }
    return value;
}

bool card_limited_law(struct card *c, enum element_law law, const struct expression_node *value)
{
    return card_law_of_root(c, law, limited(c, value)) && card_settings(c, own_settings);
}

/* f V(c+,c-), with the gain f as the last word. */
static struct expression_node *proportional(struct card *c, const char *what)
{
    struct expression_node *of = control(c);
    struct item *gain = of ? card_take(c) : NULL;
    double f;
    if (of && !gain)
        card_expected(c, what);
    if (!gain || !card_value(c, gain, &f) || !card_end(c))
        return NULL;
    const struct tree_maker m = card_maker(c);
    return make_binary(&m, make_number(&m, f), OP_MULTIPLY, of);
}

bool read_limited_gain(struct card *c)
{
    return card_limited_law(c, c->kind->law, proportional(c, "the gain"));
}

/* ---- the forms ---- */

static bool is_square(const struct card *c)
{
    return c->kind->law == LAW_CURRENT && (card_assignment(c, "vto") || card_assignment(c, "dir"));
}

static bool read_square(struct card *c)
{
    static const char *const taken[] = {"vto", "dir", "m", NULL};
    const struct item *given[] = {card_assignment(c, "vto"), card_assignment(c, "dir"), card_assignment(c, "m")};
    double value[] = {0, 1, 1}, gain;
    struct expression_node *of = control(c);
    struct item *factor = of ? card_take(c) : NULL;
    for (int k = 0; k < 3; k++)
        if (given[k] && !card_value(c, given[k]->value, &value[k]))
            return false;
    if (!factor)
        return of && card_expected(c, "the gain");
    const double way = value[1];
    if (fabs(way) != 1)
        return card_fail(c, "unsupported", given[1]->where, "write a B source: B1 a b I=..",
                         "%s: only dir=1 and dir=-1 are known", card_owner(c));
    if (!card_value(c, factor, &gain) || !card_end(c))
        return false;
    const struct tree_maker m = card_maker(c);
    struct expression_node *beyond = make_binary(&m, of, OP_SUBTRACT, make_number(&m, value[0]));
    beyond = make_call(&m, "uramp", make_binary(&m, make_number(&m, way), OP_MULTIPLY, beyond));
    struct expression_node *square = make_call(&m, "square", beyond);
    return card_law_of_root(c, LAW_CURRENT,
                            make_binary(&m, make_number(&m, way * gain * value[2]), OP_MULTIPLY, square)) &&
           card_settings(c, taken);
}

static bool read_delay(struct card *c)
{
    struct item *td = card_assignment(c, "td");
    double delay = 0;
    c->next++;
    struct expression_node *of = control(c);
    if (!of || !card_end(c) || (td && !card_value(c, td->value, &delay)))
        return false;
    if (!td)
        return card_expected(c, "TD=, the delay in seconds");
    const struct tree_maker m = card_maker(c);
    return card_limited_law(c, c->kind->law, make_call_of_two(&m, "absdelay", of, make_number(&m, delay)));
}

static bool read_resistance(struct card *c)
{
    const struct item *word = card_take(c);
    const struct expression_node *value =
        limited(c, curve_form(card_peek(c)) ? read_curve(c) : proportional(c, "a factor in ohm/V"));
    const struct expression_tree *tree = value ? expression_tree_of(c->x->deck->arena, value) : NULL;
    return tree && card_resistance_law(c, tree, word->where) && card_settings(c, own_settings);
}

/* The capacitance times the slope of the voltage across it. */
static bool read_capacitance(struct card *c)
{
    c->next++;
    struct expression_node *value = curve_form(card_peek(c)) ? read_curve(c) : proportional(c, "a factor in F/V");
    struct expression_node *own = card_voltage(c, c->words[0], c->words[1]);
    const struct tree_maker m = card_maker(c);
    const struct expression_node *f = value ? limited(c, value) : NULL;
    return f && card_law_of_root(c, LAW_CURRENT, make_binary(&m, make_call(&m, "ddt", own), OP_MULTIPLY, f)) &&
           card_settings(c, own_settings);
}

/* The equation of a voltage source whose value is its own voltage and V(c+,c-) says that this is 0. */
static bool read_nullor(struct card *c)
{
    const struct item *word = card_take(c);
    struct expression_node *of = control(c), *own = card_voltage(c, c->words[0], c->words[1]);
    if (!of || !card_end(c))
        return false;
    return card_limited_law(c, LAW_VOLTAGE, node_binary(c->x->deck->arena, own, OP_ADD, of, word->where));
}

/* E1 a b OPAMP c+ c-; not a gain behind a node of that name. */
static bool is_nullor(const struct card *c)
{
    return c->kind->law == LAW_VOLTAGE && item_is(card_peek(c), "opamp") && c->word_count == c->next + 3 &&
           (c->x->deck->dialect == DIALECT_HSPICE || !c->words[c->next + 2]->is_number ||
            item_is(c->words[c->next + 2], "0"));
}

static bool is_transformer(const struct card *c)
{
    return c->kind->law == LAW_VOLTAGE && item_is(card_peek(c), "transformer");
}

/* The source of the ratio's part of V(c+,c-), and one of its current at c+ and c-. */
static bool read_transformer(struct card *c)
{
    const struct item *word = card_take(c);
    const struct tree_maker m = card_maker(c);
    const int *nodes;
    double ratio;
    const size_t first = c->next;
    if (!card_node_list(c, 2, &nodes, USE_TERMINAL, "a node of the other winding"))
        return false;
    struct item *given = card_take(c);
    if (!given)
        return card_expected(c, "the ratio of turns");
    if (!card_value(c, given, &ratio) || !card_end(c))
        return false;
    if (!(ratio != 0))
        return card_fail(c, "value-range", given->where, NULL, "%s: the ratio must not be 0", card_owner(c));
    struct card primary = *c;
    primary.e = expand_new_part(c->x, c->e, 'b', "primary", word->where);
    if (!primary.e)
        return false;
    primary.e->nodes = nodes;
    primary.e->node_count = 2;
    struct expression_node *v = card_voltage(c, c->words[first], c->words[first + 1]);
    struct expression_node *i = make_current(&m, c->statement->items->text);
    return card_law_of_root(c, LAW_VOLTAGE, make_binary(&m, v, OP_MULTIPLY, make_number(&m, 1 / ratio))) &&
           card_law_of_root(&primary, LAW_CURRENT, make_binary(&m, make_number(&m, -1 / ratio), OP_MULTIPLY, i)) &&
           card_settings(c, own_settings);
}

/* LTspice's E1 a b c+ c- table(x1,y1,x2,y2), with table=(x1 y1,x2 y2) too. */
static bool has_table(const struct card *c)
{
    return (c->word_count > c->next + 2 && item_is(c->words[c->next + 2], "table")) ||
           (c->word_count == c->next + 2 && card_assignment(c, "table"));
}

static bool read_table_of_nodes(struct card *c)
{
    struct expression_node *of = control(c);
    const struct item *assigned = card_assignment(c, "table"), *word = of && !assigned ? card_take(c) : NULL;
    if (of && assigned)
        return read_table_of(c, assigned, of);
    return word && card_limited_law(c, c->kind->law, curve(c, word, of));
}

bool card_has_control_form(const struct card *c)
{
    const struct item *i = card_peek(c);
    if (has_table(c) || is_square(c) || is_transformer(c))
        return true;
    const bool of_current = c->kind->law == LAW_CURRENT && (item_is(i, "vcr") || item_is(i, "vccap"));
    return i && (curve_form(i) || item_is(i, "delay") || of_current || is_nullor(c));
}

bool read_control_form(struct card *c)
{
    const struct item *i = card_peek(c);
    if (has_table(c))
        return read_table_of_nodes(c);
    if (is_square(c))
        return read_square(c);
    if (is_transformer(c))
        return read_transformer(c);
    if (item_is(i, "delay"))
        return read_delay(c);
    if (item_is(i, "vcr"))
        return read_resistance(c);
    if (item_is(i, "vccap"))
        return read_capacitance(c);
    return item_is(i, "opamp") ? read_nullor(c) : card_limited_law(c, c->kind->law, read_curve(c));
}
