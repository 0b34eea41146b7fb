/* topology.c - the graph of a circuit, the order of the questions put to it, and the verdict; see topology.h. */
#include "mna/topology/topology_parts.h"

#include "mna/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- branches as edges ---- */

static bool depends_on_own_voltage(const struct branch *b)
{
    for (size_t k = 0; k < b->pair_count; k++) {
        const struct branch_control *p = &b->pairs[k];
        if ((p->plus == b->plus && p->minus == b->minus) || (p->plus == b->minus && p->minus == b->plus))
            return true;
    }
    return b->pair_count == 0;
}

static unsigned kinds_of(const struct branch *b)
{
    switch (b->kind) {
    case BRANCH_R:
        return is_steered(b) ? EDGE_STEERED | EDGE_CHANNEL : b->role == ROLE_PORT ? EDGE_PORT : EDGE_OHMIC;
    case BRANCH_C:
        if (is_steered(b) && b->pair_count > 0 && !depends_on_own_voltage(b))
            return EDGE_STEERED | EDGE_RATE;
        return b->held ? EDGE_C | EDGE_HELD : EDGE_C;
    case BRANCH_L:
        return EDGE_L;
    case BRANCH_V:
        return EDGE_V;
    case BRANCH_I:
        break;
    }
    if (!is_steered(b))
        return EDGE_I;
    return depends_on_own_voltage(b) ? EDGE_STEERED | EDGE_CHANNEL : EDGE_STEERED;
}

/* Branches i and i + 1 are the ports of a line, or meet between two of its sections. */
static bool is_line(const struct analysis *a, int i)
{
    return i + 1 < a->branch_count && analysis_branch(a, i)->element == analysis_branch(a, i + 1)->element &&
           kinds_of(analysis_branch(a, i)) == EDGE_PORT && kinds_of(analysis_branch(a, i + 1)) == EDGE_PORT;
}

static bool find_lines(struct analysis *a, int *count)
{
    a->line_of = arena_array(a->memory, (size_t)a->branch_count + 1, sizeof *a->line_of);
    *count = 0;
    for (int i = 0; a->line_of && i < a->branch_count; i++)
        if (is_line(a, i))
            a->line_of[(*count)++] = i;
    return a->line_of != NULL;
}

/* In at one port and out at the other, along either wire. */
static void add_through_edges(struct analysis *a, int lines)
{
    for (int k = 0; k < lines; k++) {
        const struct branch *near = analysis_branch(a, a->line_of[k]), *far = near + 1;
        struct graph_edge *edge = &a->graph.edges[a->first_through + 2 * k];
        edge[0] = (struct graph_edge){a->node_of[near->plus], a->node_of[far->plus], EDGE_THROUGH};
        edge[1] = (struct graph_edge){a->node_of[near->minus], a->node_of[far->minus], EDGE_THROUGH};
        if (near->delay > 0 && edge[1].a == edge[1].b)
            edge[0].kinds |= EDGE_WIRE;
        else if (near->delay > 0 && edge[0].a == edge[0].b)
            edge[1].kinds |= EDGE_WIRE;
    }
}

static int count_control_edges(const struct analysis *a)
{
    int count = 0;
    struct branch_control c;
    for (int i = 0; i < a->branch_count; i++)
        for (size_t k = 0; analysis_control(a, i, k, &c); k++)
            count += !control_is_current(a, &c);
    return count;
}

static void add_control_edges(struct analysis *a)
{
    int edge = a->branch_count;
    struct branch_control c;
    for (int i = 0; i < a->branch_count; i++)
        for (size_t k = 0; analysis_control(a, i, k, &c); k++) {
            if (control_is_current(a, &c))
                a->current_is_used[c.plus] = true;
            else
                a->graph.edges[edge++] = (struct graph_edge){a->node_of[c.plus], a->node_of[c.minus], EDGE_CONTROL};
        }
}

static bool make_graph(struct analysis *a)
{
    int lines;
    a->first_through = a->branch_count + count_control_edges(a);
    if (!find_lines(a, &lines) || !graph_init(a->memory, &a->graph, a->node_count, a->first_through + 2 * lines))
        return false;
    for (int i = 0; i < a->branch_count; i++) {
        const struct branch *b = analysis_branch(a, i);
        a->graph.edges[i] = (struct graph_edge){a->node_of[b->plus], a->node_of[b->minus], kinds_of(b)};
    }
    add_control_edges(a);
    add_through_edges(a, lines);
    graph_link(&a->graph);
    return true;
}

/* ---- set-up ---- */

static bool allocate(struct analysis *a)
{
    const size_t unknowns = (size_t)a->t->unknown_count + 1;
    a->node_of = arena_array(a->memory, unknowns, sizeof *a->node_of);
    a->unknown_of = arena_array(a->memory, unknowns, sizeof *a->unknown_of);
    a->branch_of = arena_array(a->memory, unknowns, sizeof *a->branch_of);
    a->current_is_used = arena_array(a->memory, unknowns, sizeof *a->current_is_used);
    a->order = arena_array(a->memory, (size_t)a->branch_count + 1, sizeof *a->order);
    return a->node_of && a->unknown_of && a->branch_of && a->current_is_used && a->order;
}

static void number_nodes(struct analysis *a)
{
    a->node_count = 1; /* ground */
    for (int u = 1; u <= a->t->unknown_count; u++) {
        const bool is_node = a->t->unknowns[u].kind == UNKNOWN_VOLTAGE;
        a->node_of[u] = is_node ? a->node_count : -1;
        if (is_node)
            a->unknown_of[a->node_count++] = u;
    }
    for (int u = 0; u <= a->t->unknown_count; u++)
        a->branch_of[u] = -1;
    for (int i = 0; i < a->branch_count; i++)
        if (analysis_branch(a, i)->current > 0)
            a->branch_of[analysis_branch(a, i)->current] = i;
}

static bool analysis_init(struct analysis *a, struct topology *t)
{
    *a = (struct analysis){.memory = arena_new(), .t = t, .branch_count = (int)t->list.count};
    if (!a->memory || !allocate(a))
        return false;
    number_nodes(a);
    return make_graph(a) && path_search_init(a->memory, &a->search, &a->graph);
}

/* ---- index-2 unknowns ---- */

/* Currents of the V on loops of C and V, then the voltages of the parts behind L-I cutsets. */
static bool list_index2(struct analysis *a)
{
    struct topology *t = a->t;
    struct blocks cv;
    t->index2 = arena_array(t->memory, (size_t)t->unknown_count + 1, sizeof *t->index2);
    if (!t->index2 || !blocks_find(a->memory, &a->graph, EDGE_C | EDGE_V, &cv))
        return false;
    for (int e = 0; e < a->branch_count; e++) {
        const int current = analysis_branch(a, e)->current;
        if (edge_is(a, e, EDGE_V) && current > 0 && blocks_on_loop(&cv, e))
            t->index2[t->index2_count++] = (struct index2_unknown){current, INDEX2_SOURCE_CURRENT};
    }
    for (size_t i = 0; i < t->li_parts.count; i++)
        for (size_t k = 0; k < t->li_parts.sets[i].count; k++)
            t->index2[t->index2_count++] = (struct index2_unknown){t->li_parts.sets[i].nodes[k], INDEX2_CUTSET_VOLTAGE};
    return true;
}

/* ---- verdict ---- */

static int count_kind(const struct analysis *a, unsigned kind)
{
    int count = 0;
    for (int e = 0; e < a->branch_count; e++)
        count += edge_is(a, e, kind);
    return count;
}

/* A current that is no state of an inductor makes an equation without derivative. */
static bool has_algebraic_current(const struct analysis *a)
{
    for (int u = 1; u <= a->t->unknown_count; u++)
        if (a->node_of[u] < 0 && (a->branch_of[u] < 0 || !edge_is(a, a->branch_of[u], EDGE_L)))
            return true;
    return false;
}

static bool find_verdict(struct analysis *a)
{
    struct topology *t = a->t;
    int *component = arena_array(a->memory, (size_t)a->node_count + 1, sizeof *component);
    if (!component)
        return false;
    const int c_parts = graph_components(&a->graph, EDGE_C, component);
    const int constraints = (int)(t->cv_loops.count + t->li_cutsets.count);
    t->degrees_of_freedom = -1;
    if (t->v_loops.count + t->i_cutsets.count + t->islands.count > 0) {
        t->verdict = TOPOLOGY_SINGULAR;
        t->because = NULL;
    } else if (t->because)
        t->verdict = TOPOLOGY_UNDECIDED;
    else {
        t->degrees_of_freedom = a->node_count - c_parts + count_kind(a, EDGE_L) - constraints;
        t->verdict = constraints > 0                             ? TOPOLOGY_INDEX_2
                     : c_parts == 1 && !has_algebraic_current(a) ? TOPOLOGY_INDEX_0
                                                                 : TOPOLOGY_INDEX_1;
    }
    return true;
}

enum kn_status topology_analyze(struct branch_list *list, const struct topology_names *names, struct topology **out)
{
    *out = NULL;
    struct topology *t = calloc(1, sizeof *t);
    if (!t) {
        branch_list_free(list);
        return KN_ERROR_MEMORY;
    }
    t->list = *list;
    *list = (struct branch_list){0};
    t->unknowns = names->unknowns;
    t->unknown_count = names->count;
    t->file = names->file;
    t->memory = arena_new();
    struct analysis a = {0};
    const bool good = t->memory && analysis_init(&a, t) && find_loops(&a) && find_parts(&a) && find_floating(&a) &&
                      list_index2(&a) && check_conditions(&a) && find_verdict(&a);
    arena_free(a.memory);
    if (!good) {
        topology_free(t);
        return KN_ERROR_MEMORY;
    }
    *out = t;
    return KN_OK;
}

enum kn_status topology_new(const struct mna *m, struct topology **out)
{
    struct branch_list list;
    *out = NULL;
    const enum kn_status status = mna_branches(m, &list);
    if (status != KN_OK)
        return status;
    const struct topology_names names = {m->setup->unknowns, mna_unknown_count(m), mna_circuit(m)->file};
    return topology_analyze(&list, &names, out);
}

void topology_free(struct topology *t)
{
    if (!t)
        return;
    arena_free(t->memory);
    branch_list_free(&t->list);
    free(t);
}
