/* expand_controlled.c - element cards E, F, G, H (linear, POLY(n), TABLE and by expression) and B. */
#include "netlist/expand/expand_card.h"
#include "netlist/expression/expression_tree.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { MOST_DIMENSIONS = 100 };

/* E and G by expression: vol=, cur= or value=; also PSpice's `value {..}`. */
static struct item *expression_of(struct card *c, enum element_law *law)
{
    struct item *found = card_assignment(c, "vol");
    *law = LAW_VOLTAGE;
    if (!found && (found = card_assignment(c, "cur")))
        *law = LAW_CURRENT;
    if (!found && (found = card_assignment(c, "value")))
        *law = c->kind->law;
    if (found)
        return found->value;
    *law = c->kind->law;
    struct item *next = card_peek(c);
    if (!item_is(next, "value") || !next->next)
        return NULL;
    return next->next->kind == ITEM_EXPRESSION ? next->next : card_rest(c, next);
}

static bool refuse_others(struct card *c)
{
    static const char *const kinds[] = {"vcr", "opamp"};
    const struct item *i = card_peek(c);
    for (size_t k = 0; i && k < sizeof kinds / sizeof *kinds; k++)
        if (item_is(i, kinds[k]))
            return card_fail(c, "unsupported", i->where, "use an expression: E1 a b vol='..', G1 a b cur='..'",
                             "%s: '%s' is not supported", card_owner(c), i->text);
    return true;
}

/* POLY(n), with the parentheses flattened away: poly n. */
static bool read_dimensions(struct card *c, size_t *dimensions)
{
    double n = 0.0;
    c->next++;
    struct item *count = card_peek(c);
    if (!count)
        return card_expected(c, "the number of dimensions: POLY(n)");
    if (!card_value(c, count, &n))
        return false;
    if (!(n >= 1.0 && n <= MOST_DIMENSIONS && n == floor(n)))
        return card_fail(c, "value-range", count->where, NULL,
                         "%s: POLY needs a whole number of dimensions from 1 to %d, found '%s'", card_owner(c),
                         MOST_DIMENSIONS, count->text);
    c->next++;
    *dimensions = (size_t)n;
    return true;
}

/* SPICE2: a single coefficient of a polynomial in one variable is p1, not p0. */
static bool single_coefficient(struct card *c)
{
    double *both = arena_array(c->x->deck->arena, 2, sizeof *both);
    if (!both)
        return deck_no_memory(c->x->deck);
    both[1] = c->e->polynomial[0];
    c->e->polynomial = both;
    c->e->polynomial_count = 2;
    return true;
}

static bool read_coefficients(struct card *c, size_t dimensions)
{
    if (!card_peek(c))
        return card_expected(c, "the coefficients of POLY");
    c->e->ordered_products = c->x->deck->dialect == DIALECT_XYCE;
    if (!card_numbers(c, &c->e->polynomial, &c->e->polynomial_count))
        return false;
    return dimensions > 1 || c->e->polynomial_count > 1 || single_coefficient(c);
}

static bool read_gain(struct card *c)
{
    const struct item *named = card_peek(c) ? NULL : card_assignment(c, "gain"); /* ngspice's gain=2 */
    struct item *gain = named ? named->value : card_take(c);
    if (!gain)
        return card_expected(c, "the gain");
    c->e->has_value = true;
    return card_value(c, gain, &c->e->value) && card_end(c);
}

static bool read_control_nodes(struct card *c, size_t count)
{
    c->e->control_node_count = count;
    return card_node_list(c, count, &c->e->control_nodes, USE_CONTROL, "a controlling node");
}

static bool read_by_expression(struct card *c, struct item *expression, enum element_law law)
{
    static const char *const taken[] = {"vol", "cur", "value", NULL};
    if (item_is(card_peek(c), "value") && card_peek(c)->next == expression)
        c->next += 2;
    else if (item_is(card_peek(c), "value")) /* the rest of the card */
        return card_law(c, law, expression);
    if (card_end(c) && card_has_limits(c)) {
        const struct expression_tree *tree = expand_tree(c->x, expression);
        return tree && card_limited_law(c, law, tree->root);
    }
    return card_end(c) && card_law(c, law, expression) && card_settings(c, taken);
}

/* VCVS and the like say what the letter says. */
static void skip_name_of_kind(struct card *c)
{
    static const char *const names[] = {"vcvs", "vccs", "cccs", "ccvs"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (item_is(card_peek(c), names[k])) {
            c->next++;
            return;
        }
}

/* TABLE = {expression} (x1 y1) .., where LTspice's table=(..) stands behind controlling nodes. */
static const struct item *table_behind_nodes(const struct card *c)
{
    const struct item *i = c->statement->items->next;
    for (size_t k = 0; i && k < c->nodes.least; k++)
        i = i->value || i->kind != ITEM_WORD ? NULL : i->next;
    return i && i->value && i->next && item_is(i, "table") ? i : NULL;
}

static bool read_controlled(struct card *c, bool by_voltage)
{
    enum element_law law;
    if (!card_nodes(c, 0))
        return false;
    skip_name_of_kind(c);
    struct item *expression = expression_of(c, &law);
    if (expression)
        return read_by_expression(c, expression, law);
    if (by_voltage && item_is(card_peek(c), "table"))
        return read_table(c, law, card_take(c));
    const struct item *table = by_voltage ? table_behind_nodes(c) : NULL;
    if (table)
        return read_table(c, law, table);
    if (by_voltage && card_has_transfer(c))
        return read_transfer_function(c);
    if (by_voltage && card_has_control_form(c))
        return read_control_form(c);
    if (!refuse_others(c))
        return false;
    const bool polynomial = item_is(card_peek(c), "poly");
    size_t dimensions = 1;
    if (polynomial && !read_dimensions(c, &dimensions))
        return false;
    skip_name_of_kind(c); /* POLY(2) VCVS .. */
    if (by_voltage && !polynomial && card_has_limits(c))
        return read_limited_gain(c);
    if (!(by_voltage ? read_control_nodes(c, 2 * dimensions) : card_controls(c, dimensions)))
        return false;
    static const char *const taken[] = {"gain", NULL};
    return polynomial ? read_coefficients(c, dimensions) && card_settings(c, NULL)
                      : read_gain(c) && card_settings(c, taken);
}

bool read_voltage_controlled(struct card *c)
{
    return read_controlled(c, true);
}

bool read_current_controlled(struct card *c)
{
    return read_controlled(c, false);
}

/* V=, I=, and of LTspice R=, v = R i, and P=, the power that it takes. */
static bool read_behavioural_law(struct card *c, const struct item *given)
{
    struct item *value = given->value;
    const enum element_law law = item_is(given, "v") ? LAW_VOLTAGE : LAW_CURRENT;
    if (card_assignment(c, "laplace") && (item_is(given, "v") || item_is(given, "i")))
        return read_transfer_of(c, law, expand_tree(c->x, value));
    if (item_is(given, "r"))
        return card_resistance_law(c, expand_tree(c->x, value), value->where);
    return item_is(given, "p") ? card_power_law(c, expand_tree(c->x, value), value->where) : card_law(c, law, value);
}

/* LTspice's libraries have NoJacob behind a formula, which tells its program to do without derivatives. */
static bool drop_advice(struct card *c, struct item *value)
{
    static const char advice[] = "nojacob";
    size_t length = value->text ? strlen(value->text) : 0;
    while (length > 0 && strchr(" \t", value->text[length - 1]))
        length--;
    const size_t word = sizeof advice - 1;
    if (value->kind != ITEM_EXPRESSION || length <= word || !strchr(" \t)}", value->text[length - word - 1]) ||
        strncasecmp(value->text + length - word, advice, word) != 0)
        return true;
    value->text = arena_text(c->x->deck->scratch, value->text, length - word);
    return value->text || deck_no_memory(c->x->deck);
}

/* B of PSpice: drain gate source model. */
static bool is_gasfet(struct card *c)
{
    enum { MODEL = 3 };
    struct instance *owner;
    return c->word_count > MODEL && c->words[MODEL]->kind == ITEM_WORD &&
           (c->x->deck->dialect == DIALECT_PSPICE || expand_model_card(c->at, c->words[MODEL]->text, &owner));
}

static bool read_gasfet(struct card *c)
{
    c->kind = c->e->kind = catalogue_find(c->x->deck->catalogue, c->kind->letter, "gasfet", NAN);
    c->nodes = kind_nodes(c->kind);
    return read_with_model(c);
}

bool read_behavioural(struct card *c)
{
    if (is_gasfet(c))
        return read_gasfet(c);
    static const char *const taken[] = {"v",       "i",      "r",    "p",    "vprx",  "vprxover",
                                        "laplace", "window", "nfft", "mtol", "cache", NULL};
    const struct item *given = NULL;
    if (!card_nodes(c, 0))
        return false;
    if (card_peek(c) && item_is(card_peek(c), "nojacob"))
        card_take(c);
    if (!card_end(c))
        return false;
    for (int k = 0; k < 4; k++) {
        const struct item *found = card_assignment(c, taken[k]);
        if (found && given)
            return card_fail(c, "syntax", found->where, NULL, "%s has both %s= and %s=", card_owner(c), given->text,
                             found->text);
        given = found ? found : given;
    }
    if (!given)
        return card_expected(c, "I= or V= with an expression");
    if (!drop_advice(c, given->value))
        return false;
    return read_behavioural_law(c, given) && card_settings(c, taken) && card_parasitics(c);
}
