/* topology_determined.c - see topology_determined.h.  Each set is the smallest that its definition allows: rounds over
 * the controlled sources, until nothing is added, alternately forwards and backwards, so that chains of sources take
 * few rounds in either order.
 */
#include "mna/topology/topology_determined.h"

#include "base/groups.h"

/* More rounds than this only delay a verdict of "undecided". */
enum { MOST_ROUNDS = 64 };

static int branch_of_current(const struct analysis *a, const struct branch_control *c)
{
    return a->branch_of[c->plus];
}

static bool joins(const struct analysis *a, int *p, const struct branch_control *c)
{
    return groups_connected(p, a->node_of[c->plus], a->node_of[c->minus]);
}

static bool ends_joined(const struct analysis *a, int *p, int edge)
{
    return groups_connected(p, a->graph.edges[edge].a, a->graph.edges[edge].b);
}

static void unite_ends(const struct analysis *a, int *p, int edge)
{
    groups_unite(p, a->graph.edges[edge].a, a->graph.edges[edge].b);
}

bool is_determined(const struct determined *d, const struct branch_control *c)
{
    const struct analysis *a = d->a;
    if (!control_is_current(a, c))
        return joins(a, d->joined, c);
    const int branch = branch_of_current(a, c);
    if (branch < 0)
        return false;
    return edge_is(a, branch, EDGE_L) || d->current[branch] ||
           (edge_is(a, branch, EDGE_R) && ends_joined(a, d->joined, branch));
}

bool is_undisturbed(const struct determined *d, const struct branch_control *c)
{
    const struct analysis *a = d->a;
    if (!control_is_current(a, c))
        return true;
    const int branch = branch_of_current(a, c);
    return branch >= 0 && (edge_is(a, branch, EDGE_L | EDGE_R) || d->current[branch] || d->undisturbed[branch]);
}

bool is_calm(const struct determined *d, const struct branch_control *c)
{
    const struct analysis *a = d->a;
    if (!control_is_current(a, c))
        return joins(a, d->calm, c);
    const int branch = branch_of_current(a, c);
    return branch >= 0 && edge_is(a, branch, EDGE_L) && a->t->li_cutsets.count == 0;
}

bool is_index2(const struct determined *d, const struct branch_control *c)
{
    const struct analysis *a = d->a;
    if (!control_is_current(a, c))
        return d->part_channel[a->node_of[c->plus]] != d->part_channel[a->node_of[c->minus]];
    const int branch = branch_of_current(a, c);
    return branch < 0 || (edge_is(a, branch, EDGE_V) && blocks_on_loop(&d->cv, branch));
}

bool all_controls(const struct determined *d, int branch,
                  bool (*test)(const struct determined *, const struct branch_control *),
                  struct branch_control *culprit)
{
    struct branch_control c;
    for (size_t k = 0; analysis_control(d->a, branch, k, &c); k++)
        if (!test(d, &c)) {
            if (culprit)
                *culprit = c;
            return false;
        }
    return true;
}

/* ---- determined voltages and currents ---- */

/* One round; true if something was added. */
static bool determine_sources(struct determined *d, struct analysis *a, bool backwards)
{
    bool added = false;
    for (int i = 0; i < a->branch_count; i++) {
        const int e = backwards ? a->branch_count - 1 - i : i;
        if (!edge_is(a, e, EDGE_V | EDGE_STEERED) || d->value[e] || !all_controls(d, e, is_determined, NULL))
            continue;
        d->value[e] = added = true;
        a->graph.edges[e].kinds &= ~(unsigned)EDGE_OPEN;
        if (edge_is(a, e, EDGE_V))
            unite_ends(a, d->joined, e);
    }
    return added;
}

/* Marks the V that are bridges in the graph of these kinds; *added: there was one not marked before. */
static bool mark_bridges(const struct analysis *a, unsigned kinds, bool *marked, bool *added)
{
    struct arena *memory = arena_new();
    struct blocks b;
    const bool good = memory && blocks_find(memory, &a->graph, kinds, &b);
    for (int e = 0; good && e < a->branch_count; e++)
        if (edge_is(a, e, EDGE_V) && !marked[e] && blocks_is_bridge(&b, e))
            marked[e] = *added = true;
    arena_free(memory);
    return good;
}

static bool has_sensing_source(const struct analysis *a)
{
    for (int e = 0; e < a->branch_count; e++)
        if (edge_is(a, e, EDGE_V) && a->current_is_used[analysis_branch(a, e)->current])
            return true;
    return false;
}

static bool determine(struct determined *d, struct analysis *a)
{
    const bool sensing = has_sensing_source(a);
    for (int e = 0; e < a->branch_count; e++) {
        if (edge_is(a, e, EDGE_C))
            unite_ends(a, d->joined, e);
        if (edge_is(a, e, EDGE_STEERED))
            a->graph.edges[e].kinds |= EDGE_OPEN;
    }
    bool added = true, good = true;
    for (int round = 0; good && added && round < MOST_ROUNDS; round++) {
        added = determine_sources(d, a, round % 2 != 0);
        /* Where a V is a bridge once L and determined I are taken away, its current is the sum of theirs: determined as well. */
        good = !sensing || mark_bridges(a, EDGE_C | EDGE_R | EDGE_V | EDGE_OPEN, d->current, &added);
    }
    return good;
}

/* ---- undisturbed currents ---- */

/* I across C and V that are controlled by currents not (yet) undisturbed are open: they add to the currents of the V
 * between their nodes. */
static void open_currents(struct determined *d, struct analysis *a)
{
    for (int e = 0; e < a->branch_count; e++) {
        unsigned *kinds = &a->graph.edges[e].kinds;
        const bool across = d->part_cv[a->graph.edges[e].a] == d->part_cv[a->graph.edges[e].b];
        const bool open = (*kinds & EDGE_STEERED) && across && !all_controls(d, e, is_undisturbed, NULL);
        *kinds = open ? *kinds | EDGE_OPEN : *kinds & ~(unsigned)EDGE_OPEN;
    }
}

static bool find_undisturbed(struct determined *d, struct analysis *a)
{
    bool added = true, good = true;
    for (int round = 0; good && added && round < MOST_ROUNDS; round++) {
        open_currents(d, a);
        added = false;
        good = mark_bridges(a, EDGE_C | EDGE_V | EDGE_OPEN, d->undisturbed, &added);
    }
    return good;
}

/* ---- calm voltages ---- */

/* C whose block in the graph of C and V contains no V. */
static bool join_calm_capacitors(struct determined *d, struct analysis *a)
{
    bool *has_source = arena_array(a->memory, (size_t)d->cv.count + 1, sizeof *has_source);
    if (!has_source)
        return false;
    for (int e = 0; e < a->branch_count; e++)
        if (edge_is(a, e, EDGE_V) && d->cv.block[e] >= 0)
            has_source[d->cv.block[e]] = true;
    for (int e = 0; e < a->branch_count; e++)
        if (edge_is(a, e, EDGE_C) && d->cv.block[e] >= 0 && !has_source[d->cv.block[e]])
            unite_ends(a, d->calm, e);
    return true;
}

static bool calm_round(struct determined *d, struct analysis *a, bool backwards)
{
    bool added = false;
    for (int i = 0; i < a->branch_count; i++) {
        const int e = backwards ? a->branch_count - 1 - i : i;
        if (!edge_is(a, e, EDGE_V) || edge_is(a, e, EDGE_CALM) || !all_controls(d, e, is_calm, NULL))
            continue;
        a->graph.edges[e].kinds |= EDGE_CALM;
        unite_ends(a, d->calm, e);
        added = true;
    }
    return added;
}

static bool find_calm(struct determined *d, struct analysis *a)
{
    if (!join_calm_capacitors(d, a))
        return false;
    bool added = true;
    for (int round = 0; added && round < MOST_ROUNDS; round++)
        added = calm_round(d, a, round % 2 != 0);
    return true;
}

/* ---- the whole ---- */

static bool allocate(struct determined *d, const struct analysis *a)
{
    const size_t branches = (size_t)a->branch_count + 1, nodes = (size_t)a->node_count + 1;
    d->value = arena_array(a->memory, branches, sizeof *d->value);
    d->current = arena_array(a->memory, branches, sizeof *d->current);
    d->undisturbed = arena_array(a->memory, branches, sizeof *d->undisturbed);
    d->part_c = arena_array(a->memory, nodes, sizeof *d->part_c);
    d->part_cv = arena_array(a->memory, nodes, sizeof *d->part_cv);
    d->part_crv = arena_array(a->memory, nodes, sizeof *d->part_crv);
    d->part_channel = arena_array(a->memory, nodes, sizeof *d->part_channel);
    return d->value && d->current && d->undisturbed && d->part_c && d->part_cv && d->part_crv && d->part_channel &&
           (d->joined = groups_in(a->memory, a->node_count)) && (d->calm = groups_in(a->memory, a->node_count));
}

bool determined_find(struct analysis *a, struct determined *out)
{
    *out = (struct determined){.a = a};
    if (!allocate(out, a))
        return false;
    graph_components(&a->graph, EDGE_C, out->part_c);
    graph_components(&a->graph, EDGE_C | EDGE_V, out->part_cv);
    graph_components(&a->graph, EDGE_C | EDGE_R | EDGE_V, out->part_crv);
    graph_components(&a->graph, EDGE_C | EDGE_R | EDGE_V | EDGE_CHANNEL, out->part_channel);
    return blocks_find(a->memory, &a->graph, EDGE_C | EDGE_V, &out->cv) && determine(out, a) &&
           find_undisturbed(out, a) && find_calm(out, a);
}
