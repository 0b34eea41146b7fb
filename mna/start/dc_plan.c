/* dc_plan.c - see dc_plan.h. */
#include "mna/start/dc_plan.h"

#include "base/groups.h"
#include "mna/index/exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- imposed values ---- */

static void impose(struct dc_plan *plan, int unknown, double value, struct imposed_origin origin)
{
    plan->imposed[plan->imposed_count] =
        (struct imposed_value){.unknown = unknown, .value = value, .active = origin.permanent && !origin.determined};
    plan->origins[plan->imposed_count++] = origin;
}

/* .ic: nodes that sources fix cannot be imposed. */
static void impose_initial_nodes(struct dc_plan *plan, const struct circuit *c)
{
    for (size_t i = 0; i < c->initial_count; i++) {
        const int unknown = mna_node_unknown(plan->mna, c->initial[i].node);
        if (unknown < 0)
            continue;
        const bool determined = groups_connected(plan->group, unknown + 1, 0);
        impose(plan, unknown, c->initial[i].value,
               (struct imposed_origin){.permanent = true, .determined = determined, .where = c->initial[i].where});
        groups_unite(plan->group, unknown + 1, 0);
    }
}

static void impose_node(struct dc_plan *plan, int node, double value, const struct initial_value *v)
{
    if (groups_connected(plan->group, node, 0))
        return;
    impose(plan, node - 1, value, (struct imposed_origin){.permanent = true, .where = v->element->where});
    groups_unite(plan->group, node, 0);
}

/* ic= of a capacitor or transistor to ground, or of an inductor.  Between two other nodes the voltage is no single unknown. */
static void impose_at_rest(struct dc_plan *plan, const struct initial_value *v)
{
    if (v->kind == INITIAL_CURRENT)
        impose(plan, v->plus - 1, v->value, (struct imposed_origin){.permanent = true, .where = v->element->where});
    else if (v->minus == 0)
        impose_node(plan, v->plus, v->value, v);
    else if (v->plus == 0)
        impose_node(plan, v->minus, -v->value, v);
    else
        plan->unheld = v->element;
}

/* What elements hold at rest, the value of an integral; initial: and where a transient starts. */
static enum kn_status impose_held(struct dc_plan *plan, bool initial)
{
    struct initial_list list;
    const enum kn_status status = mna_initial_values(plan->mna, &list);
    for (size_t i = 0; status == KN_OK && i < list.count; i++) {
        const struct initial_value *v = &list.values[i];
        if (initial && v->at_rest)
            impose_at_rest(plan, v);
        else if (v->held)
            impose_node(plan, v->plus, v->value, v);
        else if (initial && v->stored && !v->settled && !plan->unused &&
                 mna_circuit(plan->mna)->dialect == DIALECT_SPICE)
            plan->unused = v->element;
    }
    if (status == KN_OK)
        initial_list_free(&list);
    return status;
}

/* An inductor whose ends are both determined, by imposed nodes and not by sources alone, cannot be a short: its current
 * starts from 0.  `plain` are the groups without imposed values.  On return group has the inductors united, too. */
static void release_inductors(struct dc_plan *plan, int *plain)
{
    const struct branch_list *list = &plan->topology->list;
    branch_list_unite(list, BRANCH_V, plain);
    for (size_t i = 0; i < list->count; i++) {
        const struct branch *b = &list->branches[i];
        if (b->kind != BRANCH_L || b->current == 0 || dc_plan_replaces(plan, b->current - 1))
            continue;
        const bool loop = groups_connected(plain, b->plus, b->minus);
        if (!loop && groups_connected(plan->group, b->plus, b->minus))
            impose(plan, b->current - 1, 0, (struct imposed_origin){.permanent = true, .inductor = true});
        groups_unite(plain, b->plus, b->minus);
        groups_unite(plan->group, b->plus, b->minus);
    }
}

/* Floating island of an unknown number, -1 if none. */
static int island_of(const struct topology *t, int unknown_number)
{
    for (size_t i = 0; i < t->floating.count; i++)
        for (size_t k = 0; k < t->floating.sets[i].count; k++)
            if (t->floating.sets[i].nodes[k] == unknown_number)
                return (int)i;
    return -1;
}

static void mark_imposed_islands(struct dc_plan *plan)
{
    for (size_t k = 0; k < plan->imposed_count; k++) {
        const int island = island_of(plan->topology, plan->imposed[k].unknown + 1);
        if (island >= 0 && !plan->origins[k].inductor)
            plan->island_imposed[island] = true;
    }
}

/* .nodeset: a hint, except in a floating island, where it chooses the one of many solutions. */
static void impose_guessed_nodes(struct dc_plan *plan, const struct circuit *c)
{
    for (size_t i = 0; i < c->guess_count; i++) {
        const int unknown = mna_node_unknown(plan->mna, c->guesses[i].node);
        if (unknown < 0 || groups_connected(plan->group, unknown + 1, 0))
            continue;
        const int island = island_of(plan->topology, unknown + 1);
        const bool chooses = island >= 0 && !plan->island_imposed[island];
        if (chooses)
            plan->island_imposed[island] = true;
        else
            plan->has_hints = true;
        impose(plan, unknown, c->guesses[i].value,
               (struct imposed_origin){.permanent = chooses, .where = c->guesses[i].where});
        groups_unite(plan->group, unknown + 1, 0);
    }
}

/* ---- loops of inductors and sources ---- */

static bool has_controlled_source(const struct branch_set *loop)
{
    for (size_t k = 0; k < loop->count; k++)
        if (loop->branches[k]->kind == BRANCH_V && loop->branches[k]->controlled)
            return true;
    return false;
}

static bool has_free_current(const struct branch_set *loop, const bool *is_free)
{
    for (size_t k = 0; k < loop->count; k++)
        if (loop->branches[k]->kind == BRANCH_L && loop->branches[k]->current > 0 &&
            is_free[loop->branches[k]->current - 1])
            return true;
    return false;
}

bool dc_plan_is_in_doubt(const struct dc_plan *plan)
{
    for (size_t i = 0; i < plan->topology->vl_loops.count; i++)
        if (plan->loops[i] == LOOP_DOUBTFUL)
            return true;
    return false;
}

void dc_plan_dispel_doubt(struct dc_plan *plan)
{
    for (size_t i = 0; i < plan->topology->vl_loops.count; i++)
        if (plan->loops[i] == LOOP_DOUBTFUL)
            plan->loops[i] = LOOP_DETERMINED;
}

/* Without imposed values, which are not in G. */
static enum kn_status decide_exactly(struct dc_plan *plan, struct arena *memory)
{
    struct mna_terms terms;
    struct exact_direct direct;
    enum kn_status status = mna_terms_find(plan->mna, memory, &terms);
    if (status == KN_OK)
        status = exact_direct_find(memory, &terms, NULL, &direct);
    for (size_t i = 0; status == KN_OK && i < plan->topology->vl_loops.count; i++)
        if (plan->loops[i] == LOOP_DOUBTFUL && !has_free_current(&plan->topology->vl_loops.sets[i], direct.free))
            plan->loops[i] = LOOP_DETERMINED;
    return status;
}

static enum kn_status decide_loops(struct dc_plan *plan)
{
    for (size_t i = 0; i < plan->topology->vl_loops.count; i++)
        plan->loops[i] = has_controlled_source(&plan->topology->vl_loops.sets[i]) ? LOOP_DOUBTFUL : LOOP_OPEN;
    const struct dae *dae = mna_dae(plan->mna);
    if (!dc_plan_is_in_doubt(plan) || plan->imposed_count > 0 || !dae->linear || dae->n > EXACT_MOST_UNKNOWNS)
        return KN_OK;
    struct arena *memory = arena_new();
    const enum kn_status status = memory ? decide_exactly(plan, memory) : KN_ERROR_MEMORY;
    arena_free(memory);
    return status;
}

/* ---- anchors ---- */

bool dc_plan_replaces(const struct dc_plan *plan, int row)
{
    for (size_t k = 0; k < plan->imposed_count; k++)
        if (plan->imposed[k].unknown == row && plan->origins[k].permanent && !plan->origins[k].determined)
            return true;
    return false;
}

static bool is_anchored(const struct dc_plan *plan, int row)
{
    for (size_t k = 0; k < plan->anchor_count; k++)
        if (plan->anchors[k].row == row)
            return true;
    return false;
}

static void anchor_islands(struct dc_plan *plan)
{
    const struct topology *t = plan->topology;
    for (size_t i = 0; i < t->floating.count; i++)
        for (size_t k = 0; k < t->floating.sets[i].count && !plan->island_imposed[i]; k++)
            plan->anchors[plan->anchor_count++] = (struct anchor){.row = t->floating.sets[i].nodes[k] - 1};
}

static void anchor_inductance(struct dc_plan *plan, const struct branch *b, double inductance)
{
    const int row = b->current - 1;
    if (row >= 0 && !dc_plan_replaces(plan, row) && !is_anchored(plan, row))
        plan->anchors[plan->anchor_count++] = (struct anchor){.row = row, .inductance = inductance};
}

static void anchor_loops(struct dc_plan *plan)
{
    const struct branch_sets *loops = &plan->topology->vl_loops;
    for (size_t i = 0; i < loops->count; i++)
        for (size_t k = 0; k < loops->sets[i].count && plan->loops[i] != LOOP_DETERMINED; k++) {
            const struct branch *b = loops->sets[i].branches[k];
            if (b->kind == BRANCH_L)
                anchor_inductance(plan, b, 0);
        }
}

/* Both ports of a line, v1 - v2 = z0 (i1 + i2) and the same of the other one: with -L i_k in each, v1 - v2 = L i1. */
static void anchor_lines(struct dc_plan *plan)
{
    const struct branch_sets *loops = &plan->topology->line_loops;
    for (size_t i = 0; i < loops->count; i++)
        for (size_t k = 0; k < loops->sets[i].count; k++) {
            const struct branch *b = loops->sets[i].branches[k];
            if (b->kind == BRANCH_L)
                anchor_inductance(plan, b, 0);
            for (int port = 0; b->role == ROLE_PORT && port < 2; port++)
                anchor_inductance(plan, b + port, b->constant * b->delay);
        }
}

/* Rows are anchored so weakly that the disturbance vanishes in a few corrections (augmented_rebase), 1e-6 of what
 * conductances of 1 S determine, and so strongly that pivots stay clear of round-off, 1e10 times it.  Inductors
 * likewise, in the unit of a branch equation with some 1e3 ohm. */
static const double ANCHOR_CONDUCTANCE = 1e-6; /* S, for the largest capacitance of an island */
static const double ANCHOR_RESISTANCE = 1e-3;  /* ohm, for the largest inductance */
static const double ANCHOR_RATE = 1e6;         /* 1/s where the charges do not say */

static double diagonal_size(const struct dc_plan *plan, const double *C, const struct anchor *anchor)
{
    const int row = anchor->row;
    if (anchor->inductance > 0)
        return anchor->inductance;
    const int place = sparse_pattern_find(mna_dae(plan->mna)->pattern, row, row);
    return place >= 0 ? fabs(C[place]) : 0;
}

/* Rows first .. last, of one island, share a rate: in the sum of their equations f cancels, and anchors must not bring it back. */
static void scale_group(struct dc_plan *plan, const double *C, size_t first, size_t last, double target)
{
    double largest = 0;
    for (size_t k = first; k < last; k++)
        largest = fmax(largest, diagonal_size(plan, C, &plan->anchors[k]));
    for (size_t k = first; k < last; k++)
        plan->anchors[k].rate = largest > 0 ? target / largest : ANCHOR_RATE;
}

void dc_plan_scale_anchors(struct dc_plan *plan, const double *C)
{
    const struct topology *t = plan->topology;
    size_t first = 0;
    for (size_t i = 0; i < t->floating.count; i++) {
        if (plan->island_imposed[i])
            continue;
        scale_group(plan, C, first, first + t->floating.sets[i].count, ANCHOR_CONDUCTANCE);
        first += t->floating.sets[i].count;
    }
    scale_group(plan, C, first, plan->anchor_count, ANCHOR_RESISTANCE);
}

/* ---- the whole ---- */

/* Every node imposed or anchored, every current at most once. */
static bool allocate(struct dc_plan *plan, struct arena *memory, const struct circuit *c)
{
    const struct topology *t = plan->topology;
    const size_t n = (size_t)mna_unknown_count(plan->mna);
    const size_t imposed = c->initial_count + c->guess_count + t->list.count + n + 1;
    plan->imposed = arena_array(memory, imposed, sizeof *plan->imposed);
    plan->origins = arena_array(memory, imposed, sizeof *plan->origins);
    plan->anchors = arena_array(memory, n + 1, sizeof *plan->anchors);
    plan->island_imposed = arena_array(memory, t->floating.count + 1, sizeof *plan->island_imposed);
    plan->loops = arena_array(memory, t->vl_loops.count + 1, sizeof *plan->loops);
    plan->group = groups_in(memory, (int)n);
    return plan->imposed && plan->loops && plan->origins && plan->anchors && plan->island_imposed && plan->group;
}

enum kn_status dc_plan_init(struct dc_plan *plan, struct arena *memory, struct mna *m, const struct topology *t,
                            bool initial)
{
    const struct circuit *c = mna_circuit(m);
    int *plain = groups_in(memory, mna_unknown_count(m));
    *plan = (struct dc_plan){.mna = m, .topology = t};
    if (!plain || !allocate(plan, memory, c))
        return KN_ERROR_MEMORY;
    branch_list_unite(&t->list, BRANCH_V, plan->group);
    if (initial)
        impose_initial_nodes(plan, c);
    enum kn_status status = impose_held(plan, initial);
    if (status != KN_OK)
        return status;
    release_inductors(plan, plain);
    mark_imposed_islands(plan);
    impose_guessed_nodes(plan, c);
    status = decide_loops(plan);
    if (status != KN_OK)
        return status;
    anchor_islands(plan);
    anchor_loops(plan);
    anchor_lines(plan);
    return KN_OK;
}

enum kn_status dc_plan_rates(struct arena *memory, struct mna *m, const struct topology *t, const double *C,
                             double *rates, double *resistances)
{
    struct dc_plan plan = {.mna = m, .topology = t};
    if (!allocate(&plan, memory, mna_circuit(m)))
        return KN_ERROR_MEMORY;
    anchor_islands(&plan);
    anchor_loops(&plan);
    anchor_lines(&plan);
    dc_plan_scale_anchors(&plan, C);
    for (size_t k = 0; k < plan.anchor_count; k++) {
        rates[plan.anchors[k].row] = plan.anchors[k].rate;
        resistances[plan.anchors[k].row] = plan.anchors[k].rate * plan.anchors[k].inductance;
    }
    return KN_OK;
}

void dc_plan_use_hints(struct dc_plan *plan, bool use)
{
    for (size_t k = 0; k < plan->imposed_count; k++)
        if (!plan->origins[k].permanent)
            plan->imposed[k].active = use;
}
