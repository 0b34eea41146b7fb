/* expand_card.c - what all element cards have in common: nodes, values, settings, and what must wait. */
#include "netlist/expand/expand_card.h"
#include "netlist/expression/expression_tree.h"

#include <stdio.h>
#include <string.h>

const char *card_decimal_comma(struct card *c, const struct item *i)
{
    return deck_decimal_comma_before(c->x->deck, c->statement->items, i);
}

const char *card_owner(struct card *c)
{
    const char *text = arena_format(c->x->deck->scratch, "%s '%s'", c->kind->noun, c->e->name);
    return text ? text : c->kind->noun;
}

struct item *card_peek(const struct card *c)
{
    return c->next < c->word_count ? c->words[c->next] : NULL;
}

struct item *card_take(struct card *c)
{
    return c->next < c->word_count ? c->words[c->next++] : NULL;
}

const char *card_usage_hint(struct card *c)
{
    const char *usage = kind_usage(c->kind, c->x->deck->scratch);
    return usage ? diagnostics_hint(c->x->deck->diagnostics, "write %s", usage) : NULL;
}

/* A card whose name is that of a dot card probably lacks the dot. */
static const char *usage_hint(struct card *c)
{
    const char *dot = deck_card_without_dot(c->x->deck, c->statement->items->text);
    return dot ? diagnostics_hint(c->x->deck->diagnostics, "did you mean '%s'?", dot) : card_usage_hint(c);
}

bool card_expected(struct card *c, const char *what)
{
    const struct item *found = card_peek(c);
    const char *comma = found ? card_decimal_comma(c, found) : NULL;
    if (found)
        return card_fail(c, "syntax", found->where, comma ? comma : usage_hint(c), "%s: expected %s, found '%s'",
                         card_owner(c), what, item_text(found));
    return card_fail(c, "syntax", c->statement->end, usage_hint(c), "%s: expected %s", card_owner(c), what);
}

/* ---- nodes ---- */

/* LTspice's {n+1}: the node of that number, 3 or 1.5. */
static bool read_numbered(struct card *c, struct item *given, struct item *name)
{
    double number;
    if (!card_value(c, given, &number))
        return false;
    *name = *given;
    name->kind = ITEM_WORD;
    name->text = arena_format(c->x->deck->arena, "%.12g", number == 0 ? 0.0 : number);
    return name->text || deck_no_memory(c->x->deck);
}

bool card_node_list(struct card *c, size_t count, const int **nodes, enum node_use use, const char *what)
{
    int *list = arena_array(c->x->deck->arena, count + c->nodes.open + 1, sizeof *list);
    if (!list)
        return deck_no_memory(c->x->deck);
    *nodes = list;
    for (size_t i = 0; i < count; i++) {
        struct item numbered, *name = card_peek(c);
        if (name && name->kind == ITEM_EXPRESSION && !read_numbered(c, name, &numbered))
            return false;
        name = name && name->kind == ITEM_EXPRESSION ? &numbered : name;
        if (!name || (name->kind != ITEM_WORD && name->kind != ITEM_STRING))
            return card_expected(c, what);
        list[i] = expand_node(c->x, c->at, name);
        if (list[i] < 0)
            return false;
        expand_use_node(c->x, list[i], use);
        c->next++;
    }
    return true;
}

bool card_nodes(struct card *c, size_t open)
{
    const size_t count = c->nodes.least + open;
    char what[80] = "the name of a node";
    if (c->word_count < count)
        snprintf(what, sizeof what, "%zu nodes, found %zu", count, c->word_count);
    const enum node_use use = c->kind->sets_voltage ? USE_DRIVEN : USE_TERMINAL;
    const bool good = card_node_list(c, count, &c->e->nodes, use, what);
    c->e->node_count = good ? c->nodes.least + c->nodes.open : 0;
    c->e->named_nodes = good ? count : 0;
    c->x->missing_nodes |= !good;
    return good;
}

/* ---- values ---- */

bool card_is_constant(struct card *c, struct item *i)
{
    const bool name = i->kind == ITEM_WORD && item_is_name(i) && scope_has_parameter(c->at->scope, i->text);
    if (i->kind != ITEM_EXPRESSION && !name)
        return true;
    const struct expression_tree *tree = expand_tree(c->x, i);
    return !tree || scope_is_constant(c->at->scope, tree);
}

bool card_value(struct card *c, struct item *i, double *value)
{
    if (!card_is_constant(c, i))
        return card_fail(c, "not-constant", i->where,
                         c->kind->variable_hint ? c->kind->variable_hint : "use a B source instead",
                         "%s: this value cannot depend on voltages, currents or time", card_owner(c));
    return expand_value(c->x, c->at, i, value);
}

bool card_numbers(struct card *c, const double **numbers, size_t *count)
{
    const size_t left = c->word_count - c->next;
    double *list = arena_array(c->x->deck->arena, left + 1, sizeof *list);
    if (!list)
        return deck_no_memory(c->x->deck);
    bool good = true;
    for (size_t i = 0; i < left; i++)
        good = card_value(c, card_take(c), &list[i]) && good;
    *numbers = list;
    *count = left;
    return good;
}

bool card_end(struct card *c)
{
    return c->next == c->word_count || card_expected(c, "no more values");
}

/* ---- settings ---- */

static bool is_taken(const struct item *i, const char *const *taken)
{
    for (; taken && *taken; taken++)
        if (item_is(i, *taken))
            return true;
    return false;
}

/* HSPICE calls an inductor's resistance r. */
static bool is_hspice_resistance(const struct card *c, const struct item *i)
{
    return c->x->deck->dialect == DIALECT_HSPICE && kind_is_inductor(c->kind) && item_is(i, "r");
}

bool card_is_parasitic(const struct card *c, const struct item *i)
{
    return i->kind == ITEM_WORD && (kind_has_parasitic(c->kind, i->text) || is_hspice_resistance(c, i));
}

bool card_settings(struct card *c, const char *const *taken)
{
    bool good = true;
    for (struct item *i = c->statement->items->next; i; i = i->next)
        if (i->value && i != c->control && !is_taken(i, taken) && !card_is_parasitic(c, i))
            good = expand_setting(c->x, c->at, i) && good;
    return card_keep_settings(c) && good;
}

/* HSPICE's and ngspice's factor of lengths on element cards, its square of areas. */
static void scale_settings(struct card *c)
{
    const struct setting *scale = circuit_option(c->x->circuit, "scale");
    if (!scale || !scale->has_value || scale->text || !(scale->value > 0) || scale->value == 1)
        return;
    const struct parameter_table table = c->e->kind->instance;
    struct setting *all = c->x->settings.items;
    for (size_t i = 0; i < c->x->settings.count; i++) {
        const size_t row = parameter_row(table, all[i].name);
        const char *unit = row < table.count ? table.rows[row].unit : "";
        all[i].value *= strcmp(unit, "m") == 0     ? scale->value
                        : strcmp(unit, "m^2") == 0 ? scale->value * scale->value
                                                   : 1;
    }
}

bool card_keep_settings(struct card *c)
{
    scale_settings(c);
    return expand_keep_settings(c->x, &c->e->settings, &c->e->setting_count);
}

struct item *card_assignment(const struct card *c, const char *name)
{
    for (struct item *i = c->statement->items->next; i; i = i->next)
        if (i->value && item_is(i, name))
            return i;
    return NULL;
}

/* ---- what waits until all names are known ---- */

static struct pending *postpone(struct card *c)
{
    struct pending *last = c->x->last_pending;
    if (last && last->element == c->e)
        return last;
    struct pending *p = arena_alloc(c->x->deck->scratch, sizeof *p);
    if (!p) {
        deck_no_memory(c->x->deck);
        return NULL;
    }
    p->element = c->e;
    p->statement = c->statement;
    p->at = c->at;
    if (last)
        last->next = p;
    else
        c->x->first_pending = p;
    c->x->last_pending = p;
    return p;
}

bool card_law_of_tree(struct card *c, enum element_law law, const struct expression_tree *tree)
{
    struct pending *p = tree ? postpone(c) : NULL;
    if (!p)
        return false;
    c->e->law = law;
    p->law = tree;
    return true;
}

bool card_law_of_root(struct card *c, enum element_law law, const struct expression_node *root)
{
    const struct expression_tree *tree = root ? expression_tree_of(c->x->deck->arena, root) : NULL;
    return tree ? card_law_of_tree(c, law, tree) : !c->x->deck->failed && deck_no_memory(c->x->deck);
}

struct tree_maker card_maker(const struct card *c)
{
    return (struct tree_maker){c->x->deck->arena, c->statement->items->where};
}

struct expression_node *card_voltage(const struct card *c, const struct item *plus, const struct item *minus)
{
    const struct circuit_name first = {plus->text, plus->where};
    const struct circuit_name second = {minus ? minus->text : NULL, minus ? minus->where : plus->where};
    return node_voltage(c->x->deck->arena, first, minus ? &second : NULL, plus->where);
}

bool card_voltage_at(struct card *c, struct element *e, int node, const struct expression_tree *law)
{
    int *nodes = arena_array(c->x->deck->arena, 2, sizeof *nodes);
    struct card of = *c;
    if (!nodes || !e || !law)
        return deck_no_memory(c->x->deck);
    nodes[0] = node;
    nodes[1] = 0;
    e->nodes = nodes;
    e->node_count = 2;
    of.e = e;
    return card_law_of_tree(&of, LAW_VOLTAGE, law);
}

bool card_law_through(struct card *c, enum element_law law, const struct expression_tree *argument, const char *part,
                      const struct response *response)
{
    if (!card_law_of_tree(c, law, argument))
        return false;
    struct pending *p = postpone(c);
    if (p) {
        p->response = response;
        p->part = part;
    }
    return p != NULL;
}

bool card_law(struct card *c, enum element_law law, struct item *expression)
{
    if (expression->kind != ITEM_WORD && expression->kind != ITEM_EXPRESSION)
        return card_fail(c, "syntax", expression->where, usage_hint(c), "%s: expected an expression, found '%s'",
                         card_owner(c), item_text(expression));
    if (expression->next && !expression->next->value)
        return card_fail(c, "syntax", expression->next->where, usage_hint(c), "%s: expected a single expression",
                         card_owner(c));
    return card_law_of_tree(c, law, expand_tree(c->x, expression));
}

bool card_controls(struct card *c, size_t count)
{
    struct pending *p = postpone(c);
    int *elements = arena_array(c->x->deck->arena, count + 1, sizeof *elements);
    if (!p || !elements || !(p->controls = arena_array(c->x->deck->scratch, count + 1, sizeof *p->controls)))
        return deck_no_memory(c->x->deck);
    c->e->control_elements = p->numbers = elements;
    for (size_t i = 0; i < count; i++) {
        struct item *name = card_peek(c);
        if (!name || name->kind != ITEM_WORD)
            return card_expected(c, c->kind->form == CARD_COUPLING ? "the name of an inductor"
                                                                   : "the name of a voltage source");
        p->controls[p->control_count++] = name;
        c->next++;
    }
    return true;
}
