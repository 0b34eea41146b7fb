/* expand_signal.c - expressions of voltages and currents on cards that ask for results: .print, .save, .measure.
 *
 * They may be written without braces, and then the scanner has cut them into items: what stands in the file from the
 * first of them to the last is the expression.
 */
#include "netlist/expand/expand.h"
#include "netlist/expression/expression_tree.h"
#include "netlist/formulas/formulas.h"

#include <string.h>

/* par('..'): the expression between the parentheses. */
static const struct item *without_par(const struct item *first, const struct item *end)
{
    const bool par = item_is(first, "par") && first->next != end && first->next && first->next->kind == ITEM_GROUP;
    return par ? first->next : first;
}

static const struct expression_tree *tree_of_items(struct expansion *x, const struct item *first,
                                                   const struct item *last, bool of_phasors)
{
    const bool brace = first->kind == ITEM_EXPRESSION && strlen(first->text) != (size_t)(first->end - first->begin);
    struct kn_location where = first->where;
    where.column -= brace;
    const size_t length = (size_t)(last->end - first->begin);
    return (of_phasors ? expression_parse_phasors : expression_parse)(x->deck->arena, first->begin, length, where,
                                                                      x->deck->dialect, x->deck->diagnostics);
}

/* Whose names they are. */
struct named_in {
    struct expansion *x;
    const struct instance *at;
    bool of_vectors;
};

static int find_result(void *context, const char *name)
{
    const struct expansion *x = ((const struct named_in *)context)->x;
    const struct measure *all = x->measures.items;
    for (size_t i = x->measures.count; i-- > 0;) /* the last of that name */
        if (names_equal(all[i].name, name))
            return (int)i;
    return -1;
}

static int keep_vector(struct expansion *x, const char *name)
{
    const char **all = x->vectors.items;
    for (size_t i = 0; i < x->vectors.count; i++)
        if (names_equal(all[i], name))
            return (int)i;
    const char **slot = vector_push(&x->vectors);
    if (!slot || !(*slot = arena_text(x->deck->arena, name, strlen(name)))) {
        deck_no_memory(x->deck);
        return -1;
    }
    return (int)x->vectors.count - 1;
}

/* "@x1.m1[gm]" by its element's path in the deck; -1 where there is no such quantity. */
static int name_quantity(const struct named_in *names, const char *name)
{
    struct arena *scratch = names->x->deck->scratch;
    const char *bracket = strchr(name, '['), *end = bracket ? strchr(bracket, ']') : NULL;
    const char *owner = end ? arena_text(scratch, name + 1, (size_t)(bracket - name - 1)) : NULL;
    const char *quantity = end ? arena_text(scratch, bracket + 1, (size_t)(end - bracket - 1)) : NULL;
    const struct element *e = owner && quantity ? expand_find_element(names->x, names->at, owner) : NULL;
    const int number = e && e->kind ? kind_quantity(e->kind, quantity) : -1;
    if (number < 0)
        return -1;
    const char *known = kind_quantity_info(e->kind, number)->name;
    const char *whole = arena_format(scratch, "@%s[%s]", e->name, known);
    return whole ? keep_vector(names->x, whole) : -1;
}

static int name_vector(void *context, const char *name)
{
    const struct named_in *names = context;
    if (name[0] == '@')
        return name_quantity(names, name);
    return names->of_vectors ? keep_vector(names->x, name) : -1;
}

bool expand_is_total_power(const struct expansion *x, const struct instance *at, const struct item *i)
{
    return x->deck->dialect == DIALECT_HSPICE && item_is(i, "power") && !i->value &&
           !(i->next && i->next->kind == ITEM_GROUP) && !scope_has_parameter(at->scope, i->text);
}

/* HSPICE's formulas may stand in double quotes. */
static const struct item *without_quotes(struct expansion *x, const struct item *i)
{
    struct item *inside = i->kind == ITEM_STRING && x->deck->dialect == DIALECT_HSPICE
                              ? arena_alloc(x->deck->arena, sizeof *inside)
                              : NULL;
    if (!inside)
        return i;
    *inside = *i;
    inside->kind = ITEM_EXPRESSION;
    inside->next = NULL;
    if (inside->begin && *inside->begin == '"') {
        inside->begin++;
        inside->end--;
        inside->where.column++;
    }
    return inside;
}

static const struct expression_tree *signal_tree(struct expansion *x, const struct instance *at,
                                                 const struct item *first, const struct item *end, bool of_phasors)
{
    first = without_par(first, end);
    const struct item *last = first;
    while (last->next && last->next != end)
        last = last->next;
    if (first == last) {
        if (expand_is_total_power(x, at, first))
            return expression_tree_of(x->deck->arena, formulas_total_power(x, at, first->where));
        first = last = without_quotes(x, first);
    }
    return first == last && first->kind != ITEM_GROUP && !of_phasors ? expand_tree(x, (struct item *)first)
                                                                     : tree_of_items(x, first, last, of_phasors);
}

const struct expression *expand_signal(struct expansion *x, const struct instance *at, const struct item *first,
                                       const struct item *end, const struct expansion_names *names)
{
    const struct expression_tree *tree = signal_tree(x, at, first, end, names->of_phasors);
    struct named_in named = {x, at, names->of_vectors};
    const struct name_finders finders = {&named, names->results ? find_result : NULL,
                                         names->of_vectors || !names->of_phasors ? name_vector : NULL,
                                         names->of_phasors};
    const struct expression *e = tree ? expand_compile(x, at, tree, &finders) : NULL;
    x->deck->failed |= !e;
    return e;
}

const struct expression *expand_signal_tree(struct expansion *x, const struct instance *at,
                                            const struct expression_tree *tree)
{
    struct named_in named = {x, at, false};
    const struct name_finders finders = {&named, NULL, name_vector, false};
    return expand_compile(x, at, tree, &finders);
}

const struct expression *expand_vector(struct expansion *x, const struct instance *at,
                                       const struct expression_tree *tree)
{
    struct named_in named = {x, at, true};
    const struct name_finders finders = {&named, NULL, name_vector, true};
    return expand_compile(x, at, tree, &finders);
}

char *expand_label(struct expansion *x, const struct expression *e)
{
    char *label = expression_print(x->deck->arena, e, NULL), *last = label;
    for (const char *c = label; c && *c; c++)
        if (*c != ' ')
            *last++ = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    if (label)
        *last = '\0';
    return label;
}
