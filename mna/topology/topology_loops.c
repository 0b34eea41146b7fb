/* topology_loops.c - loops of V, of C and V, of V and L, of lines that are shorts at rest.
 *
 * The loops that pass through branches of a kind `extra` and otherwise through a kind `base` form, modulo those of base
 * alone, a space whose dimension is the number of extra branches that close a loop when added to base one after the
 * other.  Each of those is completed by a shortest path in base, the extra branches of the forest, and those that
 * closed a loop before it: so the loops are independent and every one contains an extra branch.
 *
 * A loop of V has a null row (its voltages contradict or repeat each other) if all its sources are independent, and a
 * null column (the current around it is arbitrary) if none of its currents controls anything.  Only if neither is the
 * case can controlled sources make the circuit solvable.
 */
#include "mna/topology/topology_parts.h"

#include "base/groups.h"

/* Half edges that all searches of shortest witnesses may look at; beyond, paths along a forest take their place. */
enum { WITNESS_WORK = 20000000 };

struct loop_search {
    struct analysis *a;
    unsigned base;
    int count; /* edges in a->order: the extra ones */
    struct branch_sets *out;
    int *loop;            /* [node_count + 1] */
    struct forest forest; /* made when needed */
};

static bool allowed_path(struct loop_search *s, int edge)
{
    const struct graph_edge *e = &s->a->graph.edges[edge];
    const unsigned mask = s->base | EDGE_TREE;
    if (s->a->search.work < WITNESS_WORK)
        return graph_path(&s->a->search, e->a, e->b, mask);
    if (!s->forest.graph) {
        if (!forest_init(s->a->memory, &s->forest, &s->a->graph))
            return false;
        forest_grow(&s->forest, mask);
    }
    forest_path(&s->forest, e->a, e->b, &s->a->search);
    return true;
}

static int element_number(const struct analysis *a, int edge)
{
    return analysis_passed(a, edge)->element->number;
}

static void reverse(int *list, int count)
{
    for (int i = 0; i < count / 2; i++) {
        const int kept = list[i];
        list[i] = list[count - 1 - i];
        list[count - 1 - i] = kept;
    }
}

/* Turns the loop so that it starts at the element that comes first in the deck, towards the neighbour that comes first.
 */
static void order_as_written(const struct analysis *a, int *loop, int count)
{
    int first = 0;
    for (int i = 1; i < count; i++)
        if (element_number(a, loop[i]) < element_number(a, loop[first]))
            first = i;
    reverse(loop, first);
    reverse(loop + first, count - first);
    reverse(loop, count);
    if (count > 2 && element_number(a, loop[count - 1]) < element_number(a, loop[1]))
        reverse(loop + 1, count - 1);
}

static bool append_loop(struct loop_search *s, int edge)
{
    if (!allowed_path(s, edge))
        return false;
    s->loop[0] = edge;
    for (int i = 0; i < s->a->search.path_length; i++)
        s->loop[i + 1] = s->a->search.path[s->a->search.path_length - 1 - i];
    order_as_written(s->a, s->loop, s->a->search.path_length + 1);
    return append_branches(s->a, s->out, s->loop, (size_t)s->a->search.path_length + 1);
}

/* Those of order[] that join apart nodes get EDGE_TREE, the others move to its front. Returns how many those are. */
static int close_loops(struct loop_search *s, int *p)
{
    struct graph_edge *edges = s->a->graph.edges;
    int closing = 0;
    for (int i = 0; i < s->count; i++) {
        const int e = s->a->order[i];
        if (groups_unite(p, edges[e].a, edges[e].b))
            edges[e].kinds |= EDGE_TREE;
        else
            s->a->order[closing++] = e;
    }
    return closing;
}

/* closing (may be NULL): receives the number of edges that close a loop, now at the front of a->order. */
static bool collect_loops(struct analysis *a, unsigned base, int count, struct branch_sets *out, int *closing)
{
    struct loop_search s = {.a = a, .base = base, .count = count, .out = out};
    int *p = groups_in(a->memory, a->node_count);
    s.loop = arena_array(a->memory, (size_t)a->node_count + 2, sizeof *s.loop);
    bool good = s.loop && p;
    for (int e = 0; good && e < a->branch_count; e++)
        if (edge_is(a, e, base))
            groups_unite(p, a->graph.edges[e].a, a->graph.edges[e].b);
    const int found = good ? close_loops(&s, p) : 0;
    for (int i = 0; good && i < found; i++) {
        good = append_loop(&s, a->order[i]);
        a->graph.edges[a->order[i]].kinds |= EDGE_TREE;
    }
    for (int e = 0; e < a->graph.edge_count; e++)
        a->graph.edges[e].kinds &= ~(unsigned)EDGE_TREE;
    if (closing)
        *closing = found;
    return good;
}

/* ---- loops of V ---- */

static bool is_controlling(const struct analysis *a, int edge)
{
    const int current = analysis_branch(a, edge)->current;
    return current > 0 && a->current_is_used[current];
}

/* Fills a->order with the V of one kind; returns the new count. */
static int add_sources(struct analysis *a, int count, bool controlled, bool controlling)
{
    for (int e = 0; e < a->branch_count; e++)
        if (edge_is(a, e, EDGE_V) && is_steered(analysis_branch(a, e)) == controlled &&
            is_controlling(a, e) == controlling)
            a->order[count++] = e;
    return count;
}

/* What closes a loop of V takes no part in the further analysis. */
static void remove_sources(struct analysis *a, int count)
{
    for (int i = 0; i < count; i++)
        a->graph.edges[a->order[i]].kinds = 0;
}

static bool collect_v_loops(struct analysis *a, int count, struct branch_sets *out)
{
    int closing = 0;
    const bool good = collect_loops(a, 0, count, out, &closing);
    remove_sources(a, closing);
    return good;
}

static const char *doubt_about_loop(const struct analysis *a, const struct branch_set *loop)
{
    int edges[8];
    size_t count = 0;
    for (; count < loop->count && count < 8; count++)
        edges[count] = (int)(loop->branches[count] - a->t->list.branches);
    return arena_format(a->t->memory,
                        "a loop of voltage sources only (%s%s): it depends on the controlled one among them "
                        "whether the current around it is determined",
                        name_edges(a, edges, count), loop->count > count ? ", .." : "");
}

static bool find_v_loops(struct analysis *a)
{
    struct branch_sets doubtful = {0};
    bool good = collect_v_loops(a, add_sources(a, add_sources(a, 0, false, false), false, true), &a->t->v_loops) &&
                collect_v_loops(a, add_sources(a, add_sources(a, 0, false, false), true, false), &a->t->v_loops);
    int count = add_sources(a, add_sources(a, 0, false, false), false, true);
    count = add_sources(a, add_sources(a, count, true, false), true, true);
    good = good && collect_v_loops(a, count, &doubtful);
    const bool doubt = good && doubtful.count > 0;
    if (doubt)
        a->doubt = doubt_about_loop(a, &doubtful.sets[0]);
    return good && (!doubt || a->doubt);
}

/* ---- the others ---- */

static bool collect_mixed(struct analysis *a, unsigned base, unsigned extra, struct branch_sets *out)
{
    int count = 0;
    for (int e = 0; e < a->graph.edge_count; e++)
        if (edge_is(a, e, extra))
            a->order[count++] = e;
    return collect_loops(a, base, count, out, NULL);
}

bool find_loops(struct analysis *a)
{
    return find_v_loops(a) && collect_mixed(a, EDGE_C, EDGE_V, &a->t->cv_loops) &&
           collect_mixed(a, EDGE_V, EDGE_L, &a->t->vl_loops) &&
           collect_mixed(a, EDGE_V | EDGE_L, EDGE_WIRE, &a->t->line_loops);
}
