/* expand_signal.c - expressions of voltages and currents on cards that ask for results: .print, .save, .measure.
 *
 * They may be written without braces, and then the scanner has cut them into items: what stands in the file from the
 * first of them to the last is the expression.
 */
#include "netlist/expand/expand.h"

#include <string.h>

/* par('..'): the expression between the parentheses. */
static const struct item *without_par(const struct item *first, const struct item *end)
{
    const bool par = item_is(first, "par") && first->next != end && first->next && first->next->kind == ITEM_GROUP;
    return par ? first->next : first;
}

static const struct expression_tree *tree_of_items(struct expansion *x, const struct item *first,
                                                   const struct item *last)
{
    const bool brace = first->kind == ITEM_EXPRESSION && strlen(first->text) != (size_t)(first->end - first->begin);
    struct kn_location where = first->where;
    where.column -= brace;
    return expression_parse(x->deck->arena, first->begin, (size_t)(last->end - first->begin), where,
                            x->deck->diagnostics);
}

const struct expression *expand_signal(struct expansion *x, const struct instance *at, const struct item *first,
                                       const struct item *end)
{
    first = without_par(first, end);
    const struct item *last = first;
    while (last->next && last->next != end)
        last = last->next;
    const bool whole = first == last && first->kind != ITEM_GROUP;
    const struct expression_tree *tree = whole ? expand_tree(x, first) : tree_of_items(x, first, last);
    const struct expression *e = tree ? expand_compile(x, at, tree) : NULL;
    x->deck->failed |= !e;
    return e;
}
