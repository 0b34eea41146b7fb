/* order.c - which laws are resolved first: those whose element's value others ask for.  What is a number is then known as one, and
 * is not written out again wherever it is asked for. */
#include "netlist/expression/expression_tree.h"
#include "netlist/formulas/formulas.h"

#include <stdlib.h>
#include <string.h>

struct asker {
    struct pending *pending;
    size_t next, end; /* of what it asks for, among all that is asked */
    bool begun;
};

struct order {
    struct expansion *x;
    struct asker *askers;
    size_t count;
    size_t *number;      /* [element_count] of the asker that an element is, from 1; 0: of none */
    struct vector asked; /* size_t: such numbers */
    struct asker **path; /* [count] from one to whom it asks, .. */
};

static void collect(struct order *o, const struct instance *at, const struct expression_node *node)
{
    const char *colon = node->kind == NODE_NAME ? strrchr(node->name, ':') : NULL;
    const char *owner = colon ? arena_text(o->x->deck->scratch, node->name, (size_t)(colon - node->name)) : NULL;
    const struct element *e = owner ? expand_find_element(o->x, at, owner) : NULL;
    if (e && o->number[e->number] > 0)
        expand_add(o->x, &o->asked, &o->number[e->number]);
    for (const struct expression_operand *of = node->operands; of; of = of->next)
        collect(o, at, of->node);
}

/* Takes those that ask for values out of the list. */
static void take_askers(struct order *o)
{
    struct expansion *x = o->x;
    struct pending **end = &x->first_pending;
    x->last_pending = NULL;
    for (struct pending *p = x->first_pending, *next; p; p = next) {
        next = p->next;
        if (p->law && formulas_asks_values(p->law->root)) {
            o->askers[o->count++].pending = p;
            o->number[p->element->number] = o->count;
        } else {
            *end = x->last_pending = p;
            end = &p->next;
        }
    }
    *end = NULL;
}

static void put_back(struct expansion *x, struct pending *p)
{
    *(x->last_pending ? &x->last_pending->next : &x->first_pending) = p;
    x->last_pending = p;
    p->next = NULL;
}

/* Whom it asks before it, without recursion; of a circle anyone. */
static void arrange(struct order *o, struct asker *first)
{
    const size_t *const asked = o->asked.items;
    size_t depth = 0;
    if (first->begun)
        return;
    first->begun = true;
    o->path[depth++] = first;
    while (depth > 0) {
        struct asker *top = o->path[depth - 1];
        struct asker *next = top->next < top->end ? &o->askers[asked[top->next++] - 1] : NULL;
        if (!next) {
            put_back(o->x, top->pending);
            depth--;
        } else if (!next->begun) {
            next->begun = true;
            o->path[depth++] = next;
        }
    }
}

void formulas_order(struct expansion *x)
{
    struct order o = {.x = x, .asked = {.size = sizeof(size_t)}};
    size_t count = 0;
    for (const struct pending *p = x->first_pending; p; p = p->next)
        count += p->law && formulas_asks_values(p->law->root);
    if (count == 0)
        return;
    o.askers = arena_array(x->deck->scratch, count, sizeof *o.askers);
    o.path = arena_array(x->deck->scratch, count, sizeof(struct asker *));
    o.number = arena_array(x->deck->scratch, x->element_count + 1, sizeof *o.number);
    if (!o.askers || !o.path || !o.number) {
        deck_no_memory(x->deck);
        return;
    }
    take_askers(&o);
    for (size_t i = 0; i < count; i++) {
        o.askers[i].next = o.asked.count;
        collect(&o, o.askers[i].pending->at, o.askers[i].pending->law->root);
        o.askers[i].end = o.asked.count;
    }
    for (size_t i = 0; i < count; i++)
        arrange(&o, &o.askers[i]);
    free(o.asked.items);
}
