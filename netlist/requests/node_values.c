/* node_values.c - .ic, .nodeset and what other programs call them: voltages of nodes to begin with.  They change results, so
 * their mistakes are errors, but for nodes that do not exist.
 */
#include "netlist/requests/requests.h"

#include <string.h>

/* ---- .ic v(node)=value .. and .nodeset ---- */

/* i(l1)=value: as ic= on the inductor's card. */
static bool read_current(const struct request_card *r, const struct item *group, struct item *value)
{
    struct deck *k = r->x->deck;
    const struct item *name = group->inside;
    struct element *e = name && name->kind == ITEM_WORD ? expand_find_element(r->x, r->at, name->text) : NULL;
    double current;
    if (!e)
        return request_unknown_element(r, name ? name : group, item_text(name ? name : group));
    if (!e->kind || !kind_is_inductor(e->kind))
        return deck_fail(k, "unsupported", name->where, "give v(node)=value, or i(..) of an inductor",
                         "'%s' takes currents of inductors only", r->card);
    return expand_value(r->x, r->at, value, &current) && expand_set_on_element(r->x, e, "ic", current);
}

/* What is given, by the item of the name or the group behind v; the value is that behind `=`, or the next item. */
struct given {
    struct item *quantity; /* v, i; NULL: a node's name alone */
    struct item *node, *value, *rest;
};

static struct given next_given(struct item *i)
{
    struct item *group = i->next && i->next->kind == ITEM_GROUP && !i->value ? i->next : NULL;
    struct item *named = group ? group : i;
    struct given g = {.quantity = group ? i : NULL, .node = group ? group->inside : i, .value = named->value};
    g.rest = named->next;
    if (!g.value && g.rest && !g.rest->value && (g.rest->is_number || g.rest->kind == ITEM_EXPRESSION)) {
        g.value = g.rest;
        g.rest = g.rest->next;
    }
    return g;
}

/* A node that does not exist is a warning, as in all programs; *found is false then. */
static bool find_node(const struct request_card *r, const struct item *name, int *node, bool *found)
{
    struct leniency lenient;
    if (!deck_begin_lenient(r->x->deck, &lenient))
        return false;
    *found = request_find_node(r, name, node);
    deck_end_lenient(r->x->deck, &lenient, "its value is left out");
    return true;
}

/* What a node is given so far; ground has 0. */
static bool is_given(const struct vector *values, int node, double *value)
{
    const struct node_value *all = values->items;
    *value = 0;
    for (size_t i = values->count; node > 0 && i-- > 0;)
        if (all[i].node == node) {
            *value = all[i].value;
            return true;
        }
    return node == 0;
}

/* v(a,b)=value of PSpice, as the value of that of both nodes which has none yet. */
static bool read_difference(const struct request_card *r, const struct given *g, struct vector *values)
{
    const struct item *one = g->node, *other = one->next;
    struct node_value v = {.where = one->where};
    int minus;
    bool found, both;
    double reference, difference;
    if (other->kind != ITEM_WORD || other->next)
        return deck_fail(r->x->deck, "syntax", other->where, "write v(node)=value or v(node,node)=value",
                         "'%s': expected one or two nodes in v(..)", r->card);
    if (!find_node(r, one, &v.node, &found) || !find_node(r, other, &minus, &both) ||
        !expand_value(r->x, r->at, g->value, &difference))
        return false;
    if (!found || !both)
        return true;
    if (is_given(values, minus, &reference)) {
        v.value = reference + difference;
    } else if (is_given(values, v.node, &reference)) {
        v.node = minus;
        v.value = reference - difference;
    } else {
        return deck_fail(r->x->deck, "syntax", other->where, "write v(node)=value for one of both in front of it",
                         "'%s': no voltage of these nodes against ground is known", r->card);
    }
    return v.node == 0 || expand_add(r->x, values, &v);
}

static bool read_node_value(const struct request_card *r, struct item *i, const struct given *g, struct vector *values)
{
    struct deck *k = r->x->deck;
    if (g->quantity && item_is(g->quantity, "i") && g->value)
        return read_current(r, i->next, g->value);
    if ((g->quantity && !item_is(g->quantity, "v")) || !g->node || !g->value || g->node->kind != ITEM_WORD)
        return deck_fail(k, "syntax", i->where, "write v(node)=value", "'%s': expected v(node)=value, found '%s'",
                         r->card, item_text(i));
    if (g->quantity && g->node->next)
        return read_difference(r, g, values);
    struct node_value v = {.where = g->node->where};
    bool found;
    if (!find_node(r, g->node, &v.node, &found) || !expand_value(r->x, r->at, g->value, &v.value))
        return false;
    if (found && v.node == 0 && v.value != 0)
        deck_warn(k, "ground", g->node->where, "voltages are those against ground",
                  "'%s': ground is at 0 V; its value is left out", r->card);
    return !found || v.node == 0 || expand_add(r->x, values, &v);
}

/* .nodeset all=value: of all nodes that no other card speaks of; other values come behind and count. */
static bool read_guess_of_all(const struct request_card *r, struct item *all)
{
    struct expansion *x = r->x;
    double value;
    if (!expand_value(x, r->at, all->value, &value))
        return false;
    const size_t others = x->nodes.count - 1, count = x->guesses.count;
    if (others == 0)
        return true;
    for (size_t i = 0; i < others; i++)
        if (!vector_push(&x->guesses))
            return deck_no_memory(x->deck);
    struct node_value *list = x->guesses.items;
    memmove(list + others, list, count * sizeof *list);
    for (size_t i = 0; i < others; i++)
        list[i] = (struct node_value){.node = (int)i + 1, .value = value, .where = all->where};
    return true;
}

/* ---- .initcond element ic=value,value .. ---- */

/* Xyce: as ic= on the element's card, which it takes the place of. */
static bool read_state(const struct request_card *r, const struct item *name, struct item *states)
{
    struct expansion *x = r->x;
    struct element *e = expand_find_element(x, r->at, name->text);
    if (!e)
        return request_unknown_element(r, name, name->text);
    x->settings.count = 0;
    if (!expand_setting(x, r->at, states))
        return false;
    const size_t count = x->settings.count;
    struct setting *given = arena_alloc(x->deck->arena, count * sizeof *given);
    if (!given)
        return deck_no_memory(x->deck);
    memcpy(given, x->settings.items, count * sizeof *given);
    for (size_t i = 0; i < count; i++)
        if (!expand_set_on_element(x, e, given[i].name, given[i].value))
            return false;
    return true;
}

/* The item of ic= behind an element's name; NULL. */
static struct item *states_behind(const struct request_card *r, const struct item *i)
{
    struct item *next = i->next;
    const bool pair = names_equal(r->card, ".initcond") && i->kind == ITEM_WORD && !i->value && next && next->value;
    return pair && item_is(next, "ic") ? next : NULL;
}

static void read_node_values(const struct request_card *r, struct vector *values)
{
    struct item *i = r->statement->items->next;
    if (!i) /* programs that write decks leave it so */
        deck_warn(r->x->deck, "syntax", r->statement->end, "write v(node)=value", "'%s' without values says nothing",
                  r->card);
    while (i) {
        const struct given g = next_given(i);
        struct item *states = states_behind(r, i);
        const bool all = values == &r->x->guesses && item_is(i, "all") && i->value;
        if (!(states ? read_state(r, i, states) : all ? read_guess_of_all(r, i) : read_node_value(r, i, &g, values)))
            r->x->failed[r->statement->number] = true;
        i = states ? states->next : g.rest;
    }
}

void read_initial_values(struct expansion *x, struct instance *at, struct statement *s)
{
    read_node_values(&(struct request_card){.x = x, .at = at, .statement = s, .card = s->items->text}, &x->initial);
}

void read_guesses(struct expansion *x, struct instance *at, struct statement *s)
{
    read_node_values(&(struct request_card){.x = x, .at = at, .statement = s, .card = s->items->text}, &x->guesses);
}
