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
                                                   const struct item *last, bool of_phasors)
{
    const bool brace = first->kind == ITEM_EXPRESSION && strlen(first->text) != (size_t)(first->end - first->begin);
    struct kn_location where = first->where;
    where.column -= brace;
    const size_t length = (size_t)(last->end - first->begin);
    return (of_phasors ? expression_parse_phasors : expression_parse)(x->deck->arena, first->begin, length, where,
                                                                      x->deck->dialect, x->deck->diagnostics);
}

static int find_result(void *context, const char *name)
{
    const struct expansion *x = context;
    const struct measure *all = x->measures.items;
    for (size_t i = x->measures.count; i-- > 0;) /* the last of that name */
        if (names_equal(all[i].name, name))
            return (int)i;
    return -1;
}

static int name_vector(void *context, const char *name)
{
    struct expansion *x = context;
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

const struct expression *expand_signal(struct expansion *x, const struct instance *at, const struct item *first,
                                       const struct item *end, const struct expansion_names *names)
{
    first = without_par(first, end);
    const struct item *last = first;
    while (last->next && last->next != end)
        last = last->next;
    const bool whole = first == last && first->kind != ITEM_GROUP && !names->of_phasors;
    const struct expression_tree *tree =
        whole ? expand_tree(x, first) : tree_of_items(x, first, last, names->of_phasors);
    const struct name_finders finders = {x, names->results ? find_result : NULL, names->of_vectors ? name_vector : NULL,
                                         names->of_phasors};
    const struct expression *e = tree ? expand_compile(x, at, tree, &finders) : NULL;
    x->deck->failed |= !e;
    return e;
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
