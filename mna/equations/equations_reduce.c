/* equations_reduce.c - the balances of a circuit with the voltages of independent sources taken for known.
 *
 * Independent voltage sources and shorts form a forest.  Every node of a tree has the voltage of its root plus source
 * voltages, and the nodes of a tree share one balance; a source's current is the sum of what leaves the part that hangs
 * on it, away from the root.  A source whose current controls something is replaced in this way only if that sum is one
 * of plain currents, so that no derivative gets into a controlled source; otherwise it keeps its unknown.
 */
#include "mna/equations/equations_parts.h"

#include "mna/topology/graph.h"

/* Beyond this many pairs of source and branch the sources stay: nobody reads such equations. */
enum { MOST_WORK = 10000000 };

enum { EDGE_FIXED = 1, EDGE_KEPT = 2 };

enum current_use { USE_NONE, USE_LINEAR, USE_OTHER };

struct reduction {
    struct equation_builder *b;
    struct equation_system *s;
    struct graph graph; /* nodes: unknowns; edges: independent voltage sources */
    const struct branch **sources;
    size_t source_count;
    enum current_use *use; /* [source] */
    struct forest forest;
};

/* ---- which currents control something ---- */

static enum current_use use_by(const struct element *user, const struct element *source)
{
    for (size_t i = 0; i < user->control_element_count; i++)
        if (user->control_elements[i] == source->number)
            return user->kind->form == CARD_COUPLING || user->polynomial || user->control_element_count > 1
                       ? USE_OTHER
                       : USE_LINEAR;
    const size_t count = user->expression ? expression_variable_count(user->expression) : 0;
    for (size_t i = 0; i < count; i++) {
        const struct expression_variable *v = &expression_variables(user->expression)[i];
        if (v->kind == EXPRESSION_BRANCH_CURRENT && v->index == source->number)
            return USE_OTHER;
    }
    return USE_NONE;
}

static enum current_use use_of(const struct circuit *c, const struct element *source)
{
    enum current_use use = USE_NONE;
    for (size_t i = 0; i < c->element_count; i++) {
        const enum current_use one = use_by(&c->elements[i], source);
        use = one > use ? one : use;
    }
    return use;
}

/* ---- the forest ---- */

static bool collect_sources(struct reduction *r)
{
    struct equation_builder *b = r->b;
    const size_t count = b->list->count;
    size_t fixed = 0;
    for (size_t k = 0; k < count; k++)
        fixed += branch_is_fixed_voltage(&b->list->branches[k]);
    r->sources = builder_take(b, fixed, sizeof *r->sources);
    r->use = builder_take(b, fixed, sizeof *r->use);
    if (!r->sources || !r->use || !graph_init(b->e->arena, &r->graph, b->e->unknown_count + 1, (int)fixed) ||
        !forest_init(b->e->arena, &r->forest, &r->graph))
        return false;
    const bool small = fixed * count <= MOST_WORK;
    for (size_t k = 0; k < count; k++) {
        const struct branch *source = &b->list->branches[k];
        if (!branch_is_fixed_voltage(source))
            continue;
        const enum current_use use = small ? use_of(mna_circuit(b->m), source->element) : USE_OTHER;
        r->graph.edges[r->source_count] =
            (struct graph_edge){source->plus, source->minus, use == USE_OTHER ? EDGE_KEPT : EDGE_FIXED};
        r->use[r->source_count] = use;
        r->sources[r->source_count++] = source;
    }
    graph_link(&r->graph);
    return true;
}

static int parent_of(const struct reduction *r, int node)
{
    const int edge = r->forest.parent_edge[node];
    if (edge < 0)
        return -1;
    const struct graph_edge *e = &r->graph.edges[edge];
    return e->a == node ? e->b : e->a;
}

static bool hangs_below(const struct reduction *r, int node, int top)
{
    for (; node >= 0; node = parent_of(r, node))
        if (node == top)
            return true;
    return false;
}

/* A source of 0 V, as it measures currents, or a short. */
static bool adds_nothing(const struct branch *source)
{
    const struct source *s = &source->element->source;
    return branch_is_short(source) ||
           (element_is_constant_source(source->element) && (!s->has_dc || s->dc == 0) && s->ac_magnitude == 0);
}

static void find_potential(struct reduction *r, int node)
{
    struct potential *p = &r->s->potentials[node];
    const size_t depth = (size_t)r->forest.depth[node];
    *p = (struct potential){.base = node};
    p->sources = depth > 0 ? builder_take(r->b, depth, sizeof *p->sources) : NULL;
    while (r->forest.parent_edge[p->base] >= 0 && !r->b->failed) {
        const struct branch *source = r->sources[r->forest.parent_edge[p->base]];
        if (!adds_nothing(source))
            p->sources[p->source_count++] = (struct source_share){source->plus == p->base ? 1 : -1, source};
        p->base = parent_of(r, p->base);
    }
}

/* ---- currents of the sources ---- */

/* The node at the far end of a source in the forest, seen from the root; -1 if it closes a loop or keeps its unknown.
 */
static int far_end(const struct reduction *r, size_t source)
{
    const struct graph_edge *e = &r->graph.edges[source];
    if (r->forest.parent_edge[e->a] == (int)source)
        return e->a;
    return r->forest.parent_edge[e->b] == (int)source ? e->b : -1;
}

/* Sum of the currents that leave what hangs on the source, the source's own one on the other side of the equation. */
static void sum_currents(const struct reduction *r, size_t source, int top, struct equation *sum)
{
    const struct branch_list *list = r->b->list;
    const int sign = r->sources[source]->plus == top ? -1 : 1;
    sum->kind = EQUATION_SUM;
    for (size_t k = 0; k < list->count && !r->b->failed; k++) {
        const struct branch *branch = &list->branches[r->b->order[k]];
        if (branch == r->sources[source])
            continue;
        const int inside = (int)hangs_below(r, branch->plus, top) - (int)hangs_below(r, branch->minus, top);
        if (inside != 0)
            equation_add(r->b, sum, sign * inside, NULL, r->b->currents[r->b->order[k]]);
    }
    equation_tidy(sum);
}

/* Plain currents, none of them controlled by a current of an independent source. */
static bool is_plain(const struct equation *sum)
{
    for (size_t i = 0; i < sum->count; i++) {
        const struct quantity *q = sum->terms[i].quantity;
        if (q->rate || (q->kind == QUANTITY_GAIN && q->element->control_element_count > 0))
            return false;
    }
    return true;
}

/* Takes out of the forest what may not be eliminated; true if there was something. */
static bool keep_some(struct reduction *r)
{
    bool found = false;
    for (size_t i = 0; i < r->source_count && !r->b->failed; i++) {
        const int top = far_end(r, i);
        struct equation sum = {0};
        if (top < 0 || r->use[i] != USE_LINEAR)
            continue;
        sum_currents(r, i, top, &sum);
        if (is_plain(&sum))
            continue;
        r->graph.edges[i].kinds = EDGE_KEPT;
        found = true;
    }
    return found;
}

static void eliminate(struct reduction *r)
{
    struct equation_system *s = r->s;
    s->eliminated = builder_take(r->b, r->source_count, sizeof *s->eliminated);
    for (int linear = 1; linear >= 0 && s->eliminated; linear--) /* those that control something come first */
        for (size_t i = 0; i < r->source_count && !r->b->failed; i++) {
            const int top = far_end(r, i);
            if (top < 0 || (r->use[i] == USE_LINEAR) != linear)
                continue;
            struct source_current *out = &s->eliminated[s->eliminated_count];
            struct equation raw = {0};
            sum_currents(r, i, top, &raw);
            *out = (struct source_current){.source = r->sources[i], .sum = {.kind = EQUATION_SUM}};
            for (size_t k = 0; k < raw.count; k++)
                builder_add_seen(r->b, s, &out->sum, raw.terms[k].coefficient.number, raw.terms[k].quantity);
            equation_tidy(&out->sum);
            s->eliminated_count++;
        }
}

void builder_reduce(struct equation_builder *b, struct equation_system *s)
{
    struct reduction r = {.b = b, .s = s};
    s->potentials = builder_take(b, (size_t)b->e->unknown_count, sizeof *s->potentials);
    const bool good = s->potentials && collect_sources(&r);
    if (good)
        do
            forest_grow(&r.forest, EDGE_FIXED);
        while (keep_some(&r));
    for (int u = 0; u <= b->e->unknown_count && good; u++) {
        find_potential(&r, u);
        s->known_count += s->potentials[u].base != u;
    }
    if (good) {
        eliminate(&r);
        builder_fill_system(b, s);
    }
    b->failed = b->failed || !good;
}
