/* topology_cutsets.c - cutsets of I, of L and I, and islands.
 *
 * Parts are the components of the graph of some kinds of branches; the other branches join them to a graph of parts.
 * The cutset of a part consists of the branches that join it to the side of ground: where the part is a cut node of the
 * graph of parts, what lies behind it is cut off together with it.  Then both sides are connected, so the cutset is
 * minimal, and the cutsets of all parts but the one with ground are independent.  The branches wanted are those that
 * lie in one block with the part's edge towards the root of a depth-first search from ground.
 *
 * A part that hangs on I only has a null row (the sum of its current balances holds sources only) if no controlled
 * source joins it to the rest, and a null column (its voltage appears nowhere) if no voltage between it and the rest
 * controls anything.  Only if neither is the case can controlled sources make the circuit solvable.
 */
#include "mna/topology/topology_cutsets.h"

#include "base/groups.h"

static bool sort_members(const struct analysis *a, struct parts *p)
{
    if (!groups_sort(a->memory, p->component, a->node_count, p->count, &p->members, &p->first))
        return false;
    for (int i = 0; i < a->node_count; i++)
        p->members[i] = a->unknown_of[p->members[i]];
    return true;
}

/* The ends of super edge `edge` lie in different parts, so that it is a cut. */
static bool joins_parts(const struct analysis *a, const struct parts *p, int edge, unsigned joining)
{
    const struct graph_edge *e = &a->graph.edges[edge];
    return (e->kinds & joining) && p->component[e->a] != p->component[e->b];
}

static bool make_super(const struct analysis *a, struct parts *p, unsigned joining)
{
    int count = 0;
    for (int e = 0; e < a->branch_count; e++)
        count += joins_parts(a, p, e, joining);
    p->branch = arena_array(a->memory, (size_t)count + 1, sizeof *p->branch);
    if (!p->branch || !graph_init(a->memory, &p->super, p->count, count))
        return false;
    count = 0;
    for (int e = 0; e < a->branch_count; e++) {
        if (!joins_parts(a, p, e, joining))
            continue;
        p->super.edges[count] = (struct graph_edge){p->component[a->graph.edges[e].a],
                                                    p->component[a->graph.edges[e].b], a->graph.edges[e].kinds};
        p->branch[count++] = e;
    }
    graph_link(&p->super);
    return blocks_find(a->memory, &p->super, ~0u, &p->blocks);
}

bool parts_make(const struct analysis *a, unsigned inside, unsigned joining, struct parts *p)
{
    *p = (struct parts){0};
    p->component = arena_array(a->memory, (size_t)a->node_count + 1, sizeof *p->component);
    if (!p->component)
        return false;
    p->count = graph_components(&a->graph, inside, p->component);
    return sort_members(a, p) && make_super(a, p, joining);
}

/* The branches that join a part to the side of ground, into cutset[]; none for roots. */
static size_t part_cutset(const struct parts *p, int part, int *cutset)
{
    const int parent = p->blocks.parent_edge[part];
    size_t count = 0;
    for (int h = p->super.start[part]; parent >= 0 && h < p->super.start[part + 1]; h++)
        if (p->blocks.block[p->super.halves[h].edge] == p->blocks.block[parent])
            cutset[count++] = p->branch[p->super.halves[h].edge];
    return count;
}

bool append_members(const struct analysis *a, const struct parts *p, int part, struct node_sets *sets)
{
    return append_nodes(a, sets, p->members + p->first[part], (size_t)(p->first[part + 1] - p->first[part]));
}

static bool append_cutset(struct analysis *a, const struct parts *p, int part, struct branch_sets *cutsets,
                          struct node_sets *nodes)
{
    const size_t count = part_cutset(p, part, a->order);
    if (count == 0)
        return true;
    if (!append_branches(a, cutsets, a->order, count))
        return false;
    sort_branches(&cutsets->sets[cutsets->count - 1]);
    return append_members(a, p, part, nodes);
}

/* ---- islands ---- */

static const unsigned BRANCHES = EDGE_R | EDGE_C | EDGE_L | EDGE_V | EDGE_I | EDGE_STEERED;

static bool find_islands(struct analysis *a)
{
    struct parts p;
    bool good = parts_make(a, BRANCHES, 0, &p);
    for (int part = 1; good && part < p.count; part++)
        good = append_members(a, &p, part, &a->t->islands);
    return good;
}

/* ---- cutsets of I ---- */

static const unsigned PASSIVE = EDGE_R | EDGE_C | EDGE_L | EDGE_V;

/* A part whose nodes another question has found to be cut off already. */
static bool is_known(const struct analysis *a, const struct parts *p, int part, const int *known)
{
    for (int i = p->first[part]; known && i < p->first[part + 1]; i++)
        if (known[a->node_of[p->members[i]]] != 0)
            return true;
    return false;
}

static bool append_current_cutsets(struct analysis *a, const struct parts *p, const int *known)
{
    bool good = true;
    for (int part = 1; good && part < p->count; part++)
        good = is_known(a, p, part, known) || append_cutset(a, p, part, &a->t->i_cutsets, &a->t->i_parts);
    return good;
}

/* A part that is joined to ground neither for its balance nor for its voltage, yet by controlled sources; -1 if none.
 */
static int find_doubtful_part(const struct analysis *a, const struct parts *rows, const struct parts *columns,
                              const struct parts *p)
{
    for (int part = 1; part < p->count; part++) {
        const int node = a->node_of[p->members[p->first[part]]];
        if (p->blocks.parent_edge[part] >= 0 && rows->component[node] == 0 && columns->component[node] == 0)
            return part;
    }
    return -1;
}

static bool note_doubtful_part(struct analysis *a, const struct parts *p, int part)
{
    if (part < 0 || a->doubt)
        return true;
    const size_t count = part_cutset(p, part, a->order), shown = count < 8 ? count : 8;
    a->doubt = arena_format(
        a->t->memory,
        "current sources only (%s%s) feed %s: it depends on the controlled one among them whether a "
        "voltage is determined there",
        name_edges(a, a->order, shown), count > shown ? ", .." : "", a->t->unknowns[p->members[p->first[part]]].name);
    return a->doubt != NULL;
}

static bool find_current_cutsets(struct analysis *a)
{
    struct parts rows = {0}, columns = {0}, plain = {0};
    bool good = parts_make(a, PASSIVE | EDGE_STEERED, EDGE_I, &rows) &&
                parts_make(a, PASSIVE | EDGE_CHANNEL | EDGE_CONTROL, EDGE_I | EDGE_STEERED, &columns) &&
                parts_make(a, PASSIVE | EDGE_CHANNEL, EDGE_I | EDGE_STEERED, &plain) &&
                append_current_cutsets(a, &rows, NULL) && append_current_cutsets(a, &columns, rows.component) &&
                note_doubtful_part(a, &plain, find_doubtful_part(a, &rows, &columns, &plain));
    return good;
}

/* ---- cutsets of L and I ---- */

/* One part of each group that L join, and I only to ground, is left out: the cutset of that group is one of I. */
static bool append_inductive_cutsets(struct analysis *a, const struct parts *p, const int *group, bool *entered)
{
    bool good = true;
    entered[0] = true;
    for (int i = 0; good && i < p->count; i++) {
        const int part = p->blocks.order[i];
        const int own = group[a->node_of[p->members[p->first[part]]]];
        if (part == 0)
            continue;
        if (entered[own])
            good = append_cutset(a, p, part, &a->t->li_cutsets, &a->t->li_parts);
        entered[own] = true;
    }
    return good;
}

static bool find_inductive_cutsets(struct analysis *a)
{
    const unsigned inside = EDGE_R | EDGE_C | EDGE_V | EDGE_CHANNEL;
    struct parts p = {0};
    int *group = arena_array(a->memory, (size_t)a->node_count + 1, sizeof *group);
    bool *entered = arena_array(a->memory, (size_t)a->node_count + 1, sizeof *entered);
    bool good = group && entered && parts_make(a, inside, EDGE_L | EDGE_I | EDGE_STEERED, &p);
    if (good) {
        graph_components(&a->graph, inside | EDGE_L, group);
        good = append_inductive_cutsets(a, &p, group, entered);
    }
    return good;
}

bool find_parts(struct analysis *a)
{
    return find_islands(a) && find_current_cutsets(a) && find_inductive_cutsets(a);
}
