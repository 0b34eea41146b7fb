/* topology_floating.c - parts of a circuit without a path for direct current, and those that controlled sources fix.
 *
 * A part that only C and I join to the rest has one equation too few for an operating point (the sum of its current
 * balances holds no own voltage) and one unknown too many (its level against the rest).  Controlled sources can close
 * the gap: a gm-C integrator in a feedback loop has an operating point, although only its capacitor leads to ground.
 * For almost all gains that is so if there is a path of influence from the level of each such part to the balance of
 * each, no two of them through the same source (the generic rank of a linear system is the size of a linking, van der
 * Woude, Math. Control Signals Systems 4, 1991).  Influence leads
 *   from the level of a part to a source controlled by a voltage between it and another part,
 *   from the inside of a part to a source controlled by a voltage or current there,
 *   from a source to the insides at its ends, and to the balances of two parts that it joins.
 * A node alone in a floating part has no inside, nor has one that independent V fix against ground.  Sources in
 * parallel count as independent of each other, which errs in contrived circuits only.
 *
 * The greatest number of such paths is a maximum flow with unit capacities (Ford and Fulkerson 1956).
 */
#include "mna/topology/topology_cutsets.h"

#include "base/array.h"
#include "base/groups.h"

static const unsigned DIRECT = EDGE_OHMIC | EDGE_THROUGH | EDGE_L | EDGE_V | EDGE_CHANNEL | EDGE_HELD;

/* Arcs that all searches may look at; parts not reached until then count as floating. */
enum { FLOW_WORK = 100000000 };

struct arc {
    int to, next;
    int room; /* flow it can still take; arc i ^ 1 is its reverse */
};

enum { NARROW = 1, WIDE = 1 << 30 };

/* Nodes: level and balance of each part, insides, then entry and exit of each source. */
struct flow {
    const struct analysis *a;
    const struct parts *parts;
    int node_count, arc_count;
    size_t arc_capacity;
    int *head; /* [node_count] first arc, -1 */
    int *via;  /* [node_count] arc a search came by */
    int *seen; /* [node_count] number of the last search that reached it */
    int searches;
    int *queue; /* [node_count] */
    struct arc *arcs;
    int *inside;   /* [graph nodes] the flow node of the inside it belongs to, -1 if none */
    bool *reached; /* [node_count] levels that a path leaves, balances that one reaches */
    bool *useless; /* [node_count] levels and balances that others already stand for */
    long work;
};

static int level_of(int part)
{
    return part;
}

static int balance_of(const struct flow *f, int part)
{
    return f->parts->count + part;
}

static int entry_of(const struct flow *f, int edge)
{
    return 2 * f->parts->count + f->a->node_count + 2 * edge;
}

/* ---- the network ---- */

static void put_arc(struct flow *f, int from, int to, int room)
{
    f->arcs[f->arc_count] = (struct arc){to, f->head[from], room};
    f->head[from] = f->arc_count++;
}

static bool add_arc(struct flow *f, int from, int to, int room)
{
    if (!array_reserve_in(f->a->memory, &f->arcs, (size_t)f->arc_count, (size_t)f->arc_count + 2, &f->arc_capacity,
                          sizeof *f->arcs))
        return false;
    put_arc(f, from, to, room);
    put_arc(f, to, from, 0);
    return true;
}

static int part_of(const struct flow *f, int node)
{
    return f->parts->component[node];
}

static bool add_reading(struct flow *f, int node, int entry)
{
    return f->inside[node] < 0 || add_arc(f, f->inside[node], entry, WIDE);
}

/* Ground has neither a level of its own nor a balance among the equations. */
static bool add_level(struct flow *f, int part, int entry)
{
    return part == 0 || add_arc(f, level_of(part), entry, WIDE);
}

static bool add_balance(struct flow *f, int exit, int part)
{
    return part == 0 || add_arc(f, exit, balance_of(f, part), WIDE);
}

static bool add_control(struct flow *f, const struct branch_control *c, int entry)
{
    const struct analysis *a = f->a;
    int p, q;
    if (control_is_current(a, c)) {
        const int branch = a->branch_of[c->plus];
        if (branch < 0)
            return true;
        p = a->graph.edges[branch].a;
        q = a->graph.edges[branch].b;
    } else {
        p = a->node_of[c->plus];
        q = a->node_of[c->minus];
        if (part_of(f, p) != part_of(f, q) &&
            !(add_level(f, part_of(f, p), entry) && add_level(f, part_of(f, q), entry)))
            return false;
    }
    return add_reading(f, p, entry) && add_reading(f, q, entry);
}

/* What a source acts on. */
static bool add_effects(struct flow *f, int edge)
{
    const int exit = entry_of(f, edge) + 1, a = f->a->graph.edges[edge].a, b = f->a->graph.edges[edge].b;
    const int p = part_of(f, a), q = part_of(f, b);
    if (p != q && !(add_balance(f, exit, p) && add_balance(f, exit, q)))
        return false;
    return (f->inside[a] < 0 || add_arc(f, exit, f->inside[a], WIDE)) &&
           (f->inside[b] < 0 || add_arc(f, exit, f->inside[b], WIDE));
}

static bool add_source(struct flow *f, int edge)
{
    struct branch_control c;
    bool good = add_arc(f, entry_of(f, edge), entry_of(f, edge) + 1, NARROW) && add_effects(f, edge);
    for (size_t k = 0; good && analysis_control(f->a, edge, k, &c); k++)
        good = add_control(f, &c, entry_of(f, edge));
    return good;
}

/* Parts that edges of these kinds join, but not to ground: one of them is useless, since the balances of parts between
 * which sources only shift current add up to nothing, and a common shift of levels controls nothing. */
static bool mark_useless(struct flow *f, unsigned kinds, int offset)
{
    const struct graph *g = &f->a->graph;
    int *p = groups_in(f->a->memory, f->parts->count);
    if (!p)
        return false;
    for (int e = 0; e < g->edge_count; e++)
        if (g->edges[e].kinds & kinds)
            groups_unite(p, f->parts->component[g->edges[e].a], f->parts->component[g->edges[e].b]);
    for (int part = 1; part < f->parts->count; part++)
        f->useless[offset + part] = groups_find(p, part) == part;
    return true;
}

static bool flow_allocate(struct flow *f)
{
    const size_t nodes = (size_t)f->node_count + 1;
    struct arena *memory = f->a->memory;
    int **const vectors[] = {&f->head, &f->via, &f->seen, &f->queue};
    bool complete = true;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        complete = (*vectors[i] = arena_array(memory, nodes, sizeof(int))) != NULL && complete;
    f->reached = arena_array(memory, nodes, sizeof *f->reached);
    f->useless = arena_array(memory, nodes, sizeof *f->useless);
    f->inside = arena_array(memory, (size_t)f->a->node_count + 1, sizeof *f->inside);
    for (int i = 0; f->head && i < f->node_count; i++)
        f->head[i] = -1;
    return complete && f->reached && f->useless && f->inside;
}

/* Nodes that independent V fix against ground separate the insides of its part.  A node alone in a floating part has no
 * voltage but the level. */
static bool find_insides(struct flow *f)
{
    const struct analysis *a = f->a;
    int *fixed = groups_in(a->memory, a->node_count), *joined = groups_in(a->memory, a->node_count);
    const bool good = fixed && joined;
    for (int e = 0; good && e < a->branch_count; e++)
        if (edge_is(a, e, EDGE_V) && !is_steered(analysis_branch(a, e)))
            groups_unite(fixed, a->graph.edges[e].a, a->graph.edges[e].b);
    for (int e = 0; good && e < a->graph.edge_count; e++) {
        const struct graph_edge *edge = &a->graph.edges[e];
        if ((edge->kinds & DIRECT) && !groups_connected(fixed, edge->a, 0) && !groups_connected(fixed, edge->b, 0))
            groups_unite(joined, edge->a, edge->b);
    }
    for (int i = 0; good && i < a->node_count; i++) {
        const int part = part_of(f, i);
        const bool alone = part > 0 && f->parts->first[part + 1] - f->parts->first[part] == 1;
        f->inside[i] = alone || groups_connected(fixed, i, 0) ? -1 : 2 * f->parts->count + groups_find(joined, i);
    }
    return good;
}

static bool flow_init(struct flow *f, const struct analysis *a, const struct parts *p)
{
    *f = (struct flow){.a = a, .parts = p, .node_count = 2 * p->count + a->node_count + 2 * a->branch_count};
    bool good = flow_allocate(f) && find_insides(f);
    for (int e = 0; good && e < a->branch_count; e++)
        if (edge_is(a, e, EDGE_STEERED | EDGE_V) && is_steered(analysis_branch(a, e)) &&
            a->graph.edges[e].a != a->graph.edges[e].b)
            good = add_source(f, e);
    return good && mark_useless(f, EDGE_STEERED, balance_of(f, 0)) && mark_useless(f, EDGE_CONTROL, level_of(0));
}

/* ---- paths ---- */

static bool is_free_balance(const struct flow *f, int node)
{
    const int part = node - f->parts->count;
    return part > 0 && part < f->parts->count && !f->reached[node] && !f->useless[node];
}

/* Breadth-first from a level to a balance that no path has reached yet, -1 if there is none. */
static int find_free_balance(struct flow *f, int level)
{
    int first = 0, last = 0;
    f->seen[level] = ++f->searches;
    f->queue[last++] = level;
    while (first < last) {
        const int node = f->queue[first++];
        if (is_free_balance(f, node))
            return node;
        for (int i = f->head[node]; i >= 0; i = f->arcs[i].next) {
            f->work++;
            const int to = f->arcs[i].to;
            if (f->arcs[i].room == 0 || f->seen[to] == f->searches)
                continue;
            f->seen[to] = f->searches;
            f->via[to] = i;
            f->queue[last++] = to;
        }
    }
    return -1;
}

static void push_flow(struct flow *f, int level, int balance)
{
    for (int node = balance; node != level; node = f->arcs[f->via[node] ^ 1].to) {
        f->arcs[f->via[node]].room--;
        f->arcs[f->via[node] ^ 1].room++;
    }
    f->reached[level] = f->reached[balance] = true;
}

/* Takes away the parts that controlled sources fix. */
static void keep_floating(struct flow *f, bool *floats)
{
    for (int part = 1; part < f->parts->count && f->work < FLOW_WORK; part++) {
        if (f->useless[level_of(part)] || f->head[level_of(part)] < 0)
            continue;
        const int balance = find_free_balance(f, level_of(part));
        if (balance >= 0)
            push_flow(f, level_of(part), balance);
    }
    for (int part = 1; part < f->parts->count; part++)
        if (f->reached[level_of(part)] && f->reached[balance_of(f, part)])
            floats[part] = false;
}

/* ---- the whole ---- */

/* Which parts capacitors join to the rest, and which current sources feed. */
static void mark_neighbours(const struct parts *p, bool *charged, bool *fed)
{
    for (int e = 0; e < p->super.edge_count; e++) {
        const struct graph_edge *edge = &p->super.edges[e];
        bool *mark = edge->kinds & EDGE_C ? charged : fed;
        mark[edge->a] = mark[edge->b] = true;
    }
}

static bool append_floating(struct analysis *a, const struct parts *p, const bool *floats, const bool *fed)
{
    struct topology *t = a->t;
    bool good = true;
    for (int part = 1; good && part < p->count; part++) {
        if (!floats[part])
            continue;
        t->floating_fed[t->floating.count] = fed[part];
        good = append_members(a, p, part, &t->floating);
    }
    return good;
}

bool find_floating(struct analysis *a)
{
    struct parts p;
    struct flow f = {0};
    bool good = parts_make(a, DIRECT, EDGE_C | EDGE_I | EDGE_STEERED, &p);
    const size_t parts = (size_t)p.count + 1;
    bool *floats = arena_array(a->memory, parts, sizeof *floats), *fed = arena_array(a->memory, parts, sizeof *fed);
    a->t->floating_fed = arena_array(a->t->memory, parts, sizeof *a->t->floating_fed);
    good = good && floats && fed && a->t->floating_fed && flow_init(&f, a, &p);
    if (good) {
        mark_neighbours(&p, floats, fed);
        floats[0] = false; /* ground */
        keep_floating(&f, floats);
        good = append_floating(a, &p, floats, fed);
    }
    return good;
}
