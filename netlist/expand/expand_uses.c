/* expand_uses.c - what the nodes are used for: those that only unused ports of subcircuits know are left out of the
 * circuit, and those that a single element knows are worth a note, since they are often misspelt.
 */
#include "netlist/expand/expand.h"

#include "base/text.h"

#include <string.h>

void expand_use_node(struct expansion *x, int node, enum node_use use)
{
    if (node < 0)
        return;
    while (x->uses.count <= (size_t)node)
        if (!vector_push(&x->uses)) {
            deck_no_memory(x->deck);
            return;
        }
    struct node_uses *uses = (struct node_uses *)x->uses.items + node;
    uses->count[use]++;
}

/* Of a node that nothing has named yet there is no entry. */
static struct node_uses uses_of(const struct expansion *x, size_t node)
{
    return node < x->uses.count ? ((const struct node_uses *)x->uses.items)[node] : (struct node_uses){{0}};
}

/* ---- lists of names for messages ---- */

enum { MOST_NAMED = 8 };

struct name_list {
    struct text text; /* "'a', 'b' and 5 more" */
    struct text_list names;
    struct kn_location first;
};

static void begin_list(struct expansion *x, struct name_list *list)
{
    list->text = text_growing(x->deck->scratch);
    list->names = text_list(&list->text, ", ", MOST_NAMED);
}

static void add_name(struct name_list *list, const struct node *n)
{
    if (list->names.given == 0)
        list->first = n->where;
    text_list_format(&list->names, "'%s'", n->name);
}

/* A note about them, if there are any. */
static void note_list(struct expansion *x, struct name_list *list, const char *code, const char *what)
{
    if (list->names.given == 0)
        return;
    text_list_end_counted(&list->names);
    deck_note(x->deck, code, list->first, "node%s %s: %s", list->names.given == 1 ? "" : "s", text_take(&list->text),
              what);
}

/* ---- nodes that only unused ports know ---- */

static bool is_unused(const struct expansion *x, size_t node)
{
    const struct node_uses uses = uses_of(x, node);
    return node > 0 && uses.count[USE_PORT] > 0 && uses.count[USE_TERMINAL] == 0 && uses.count[USE_DRIVEN] == 0 &&
           uses.count[USE_CONTROL] == 0;
}

/* map[old number]: the new one, or -1.  Returns how many nodes are left. */
static size_t number_again(struct expansion *x, int *map)
{
    struct name_list dropped;
    struct node *nodes = x->nodes.items;
    size_t left = 0;
    begin_list(x, &dropped);
    for (size_t i = 0; i < x->nodes.count; i++) {
        const bool unused = is_unused(x, i);
        if (unused)
            add_name(&dropped, &nodes[i]);
        map[i] = unused ? -1 : (int)left++;
        int *number = name_table_get(x->circuit->node_table, nodes[i].name);
        if (number)
            *number = map[i];
    }
    note_list(x, &dropped, "unused-port", "connected only to ports that their subcircuits do not use; left out");
    return left;
}

static void map_list(const int *list, size_t count, const int *map)
{
    int *numbers = (int *)list; /* the expansion's own, not handed out yet */
    for (size_t i = 0; i < count; i++)
        numbers[i] = map[numbers[i]];
}

/* Initial voltages of nodes that are no longer there mean nothing. */
static void map_values(struct vector *values, const int *map)
{
    struct node_value *list = values->items;
    size_t kept = 0;
    for (size_t i = 0; i < values->count; i++)
        if (map[list[i].node] >= 0) {
            list[kept] = list[i];
            list[kept++].node = map[list[i].node];
        }
    values->count = kept;
}

/* Whether it is still there. */
static bool map_request(struct expansion *x, struct request *r, const int *map)
{
    if (r->kind != REQUEST_VOLTAGE)
        return true;
    if (map[r->plus] < 0 || map[r->minus] < 0) {
        deck_warn(x->deck, "unused-port", r->where, NULL, "%s is left out: nothing is connected to the node", r->label);
        return false;
    }
    r->plus = map[r->plus];
    r->minus = map[r->minus];
    return true;
}

static void map_requests(struct expansion *x, struct vector *requests, const int *map)
{
    struct request *list = requests->items;
    size_t kept = 0;
    for (size_t i = 0; i < requests->count; i++)
        if (map_request(x, &list[i], map))
            list[kept++] = list[i];
    requests->count = kept;
}

/* Of cards that begin with their output. */
static void map_outputs(struct expansion *x, struct vector *cards, const int *map)
{
    char *list = cards->items;
    size_t kept = 0;
    for (size_t i = 0; i < cards->count; i++)
        if (map_request(x, (struct request *)(list + i * cards->size), map))
            memmove(list + kept++ * cards->size, list + i * cards->size, cards->size);
    cards->count = kept;
}

static void map_all(struct expansion *x, const int *map)
{
    for (size_t i = 0; i < x->element_count; i++) {
        const struct element *e = &x->elements[i];
        map_list(e->nodes, e->node_count, map);
        map_list(e->control_nodes, e->control_node_count, map);
    }
    const struct expression *const *programs = x->programs.items;
    for (size_t i = 0; i < x->programs.count; i++)
        expression_renumber_nodes(programs[i], map);
    map_values(&x->initial, map);
    map_values(&x->guesses, map);
    map_requests(x, &x->prints, map);
    map_requests(x, &x->saves, map);
    map_outputs(x, &x->transfers, map);
    map_outputs(x, &x->noises, map);
    map_outputs(x, &x->sensitivities, map);
}

static void move_nodes(struct expansion *x, const int *map, size_t left)
{
    struct node *nodes = x->nodes.items;
    struct node_uses *uses = x->uses.items;
    for (size_t i = 0; i < x->nodes.count; i++) {
        if (map[i] < 0)
            continue;
        nodes[map[i]] = nodes[i];
        if (i < x->uses.count)
            uses[map[i]] = uses[i];
    }
    x->nodes.count = left;
    x->uses.count = x->uses.count < left ? x->uses.count : left;
}

void expand_drop_unused(struct expansion *x)
{
    bool any = false;
    for (size_t i = 0; i < x->nodes.count && !any; i++)
        any = is_unused(x, i);
    if (!any)
        return;
    int *map = arena_array(x->deck->scratch, x->nodes.count, sizeof *map);
    if (!map) {
        deck_no_memory(x->deck);
        return;
    }
    const size_t left = number_again(x, map);
    map_all(x, map);
    move_nodes(x, map, left);
}

/* ---- nodes that a single element knows ---- */

/* A source may well drive a node for its own sake, to be looked at; a port belongs to whoever wrote the subcircuit. */
static bool is_single(const struct expansion *x, size_t node)
{
    const struct node_uses uses = uses_of(x, node);
    return node > 0 && uses.count[USE_TERMINAL] == 1 && uses.count[USE_DRIVEN] == 0 && uses.count[USE_PORT] == 0 &&
           uses.count[USE_CONTROL] == 0 && uses.count[USE_REQUEST] == 0;
}

void expand_note_single(struct expansion *x)
{
    struct name_list single;
    const struct node *nodes = x->nodes.items;
    begin_list(x, &single);
    for (size_t i = 0; i < x->nodes.count; i++)
        if (is_single(x, i))
            add_name(&single, &nodes[i]);
    note_list(x, &single, "single-use", "only one element is connected here; misspelt?");
}
