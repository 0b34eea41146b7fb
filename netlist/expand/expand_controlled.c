/* expand_controlled.c - element cards E, F, G, H (linear, POLY(n), TABLE and by expression) and B. */
#include "netlist/expand/expand_card.h"

#include <math.h>
#include <string.h>

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
    return item_is(next, "value") && next->next && next->next->kind == ITEM_EXPRESSION ? next->next : NULL;
}

static bool refuse_others(struct card *c)
{
    static const char *const kinds[] = {"vcr", "vccap", "laplace", "freq", "chebyshev",
                                        "and", "nand",  "or",      "nor",  "delay"};
    const struct item *i = card_peek(c);
    for (size_t k = 0; i && k < sizeof kinds / sizeof *kinds; k++)
        if (item_is(i, kinds[k]))
            return card_fail(c, "unsupported", i->where, "use an expression: E1 a b vol='..', G1 a b cur='..'",
                             "%s: '%s' is not supported", card_owner(c), i->text);
    return true;
}

/* ---- TABLE {expression} = (x1,y1) (x2,y2) ..: straight lines, constant beyond the ends ---- */

/* The numbers of "(x,y)", appended to x->words as items of their own. */
static bool push_pair(struct card *c, const struct item *i)
{
    struct arena *arena = c->x->deck->scratch;
    const char *text = i->text + (*i->text == '(');
    const size_t end = strlen(text) - (*i->text == '(' && text[0] && text[strlen(text) - 1] == ')');
    for (size_t begin = 0; begin < end;) {
        const size_t length = strcspn(text + begin, ",");
        struct item *number = arena_alloc(arena, sizeof *number), **slot = vector_push(&c->x->words);
        if (!number || !slot)
            return deck_no_memory(c->x->deck);
        const size_t kept = begin + length > end ? end - begin : length;
        *number = (struct item){.kind = ITEM_WORD, .text = arena_text(arena, text + begin, kept), .where = i->where};
        *slot = number;
        begin += length + 1;
    }
    return true;
}

/* Makes c->words the coordinates.  Those behind a `=` are values of the expression, those behind a blank are words. */
static bool collect_points(struct card *c, const struct item *control)
{
    struct item **behind = arena_array(c->x->deck->scratch, c->word_count + 1, sizeof *behind);
    const size_t count = c->word_count - c->next;
    if (!behind)
        return deck_no_memory(c->x->deck);
    memcpy(behind, c->words + c->next, count * sizeof *behind);
    c->x->words.count = 0;
    bool good = true;
    for (const struct item *i = control->value; i && good; i = i->next)
        good = push_pair(c, i);
    for (size_t i = 0; i < count && good; i++)
        good = push_pair(c, behind[i]);
    c->words = c->x->words.items;
    c->word_count = c->x->words.count;
    c->next = 0;
    return good;
}

static bool read_table(struct card *c, enum element_law law)
{
    struct arena *arena = c->x->deck->scratch;
    struct item *table = card_take(c), *control = table->next, *expression = arena_alloc(arena, sizeof *expression);
    const struct kn_location where = table->where;
    if (!expression)
        return deck_no_memory(c->x->deck);
    if (!control || control->kind != ITEM_EXPRESSION)
        return card_fail(c, "syntax", where, "write TABLE {V(a)} = (x1,y1) (x2,y2)",
                         "%s: expected an expression behind TABLE", card_owner(c));
    c->next += card_peek(c) == control;
    if (!collect_points(c, control))
        return false;
    if (c->word_count < 4 || c->word_count % 2 != 0)
        return card_fail(c, "syntax", where, "write TABLE {V(a)} = (x1,y1) (x2,y2)",
                         "%s: TABLE needs pairs of numbers, two at least, but has %zu numbers", card_owner(c),
                         c->word_count);
    const char *text = arena_format(arena, "pwl(min(max(%s,%s),%s)", control->text, c->words[0]->text,
                                    c->words[c->word_count - 2]->text);
    for (size_t i = 0; i < c->word_count && text; i++)
        text = arena_format(arena, "%s,%s", text, c->words[i]->text);
    text = text ? arena_format(arena, "%s)", text) : NULL;
    if (!text)
        return deck_no_memory(c->x->deck);
    *expression = (struct item){.kind = ITEM_EXPRESSION, .text = text, .where = control->where};
    expression->where.column -= (int)strlen("pwl(min(max("); /* messages speak of the user's part */
    return card_law(c, law, expression);
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
    if (!card_numbers(c, &c->e->polynomial, &c->e->polynomial_count))
        return false;
    return dimensions > 1 || c->e->polynomial_count > 1 || single_coefficient(c);
}

static bool read_gain(struct card *c)
{
    struct item *gain = card_take(c);
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
    if (item_is(card_peek(c), "value"))
        c->next += 2;
    return card_end(c) && card_law(c, law, expression) && card_settings(c, taken);
}

static bool read_controlled(struct card *c, bool by_voltage)
{
    enum element_law law;
    if (!card_nodes(c, 0))
        return false;
    struct item *expression = expression_of(c, &law);
    if (expression)
        return read_by_expression(c, expression, law);
    if (by_voltage && item_is(card_peek(c), "table"))
        return read_table(c, law);
    if (!refuse_others(c))
        return false;
    const bool polynomial = item_is(card_peek(c), "poly");
    size_t dimensions = 1;
    if (polynomial && !read_dimensions(c, &dimensions))
        return false;
    if (item_is(card_peek(c), by_voltage ? "vcvs" : "cccs") || item_is(card_peek(c), by_voltage ? "vccs" : "ccvs"))
        c->next++;
    if (!(by_voltage ? read_control_nodes(c, 2 * dimensions) : card_controls(c, dimensions)))
        return false;
    return (polynomial ? read_coefficients(c, dimensions) : read_gain(c)) && card_settings(c, NULL);
}

bool read_voltage_controlled(struct card *c)
{
    return read_controlled(c, true);
}

bool read_current_controlled(struct card *c)
{
    return read_controlled(c, false);
}

bool read_behavioural(struct card *c)
{
    static const char *const taken[] = {"v", "i", NULL};
    if (!card_nodes(c, 0) || !card_end(c))
        return false;
    struct item *voltage = card_assignment(c, "v"), *current = card_assignment(c, "i");
    if (voltage && current)
        return card_fail(c, "syntax", current->where, NULL, "%s has both V= and I=", card_owner(c));
    if (!voltage && !current)
        return card_expected(c, "I= or V= with an expression");
    return card_law(c, voltage ? LAW_VOLTAGE : LAW_CURRENT, voltage ? voltage->value : current->value) &&
           card_settings(c, taken) && card_parasitics(c);
}
