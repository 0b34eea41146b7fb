/* given.c - see given.h.
 *
 * Capacitors with ic= are edges that fix the difference of two node voltages: a union-find forest that keeps the
 * voltage of every node against its parent.  What hangs together with ground is then known; other groups are known up
 * to a shift, which is chosen so that the group as a whole carries no charge.
 */
#include "mna/given.h"

#include "mna/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two given voltages that differ by less say the same. */
static const double SAME_RELATIVE = 1e-9, SAME_VOLTAGE = 1e-12;
/* Rounds over groups without ground whose shifts depend on each other through capacitors. */
enum { SHIFT_ROUNDS = 8 };

struct forest {
    int *parent;     /* [n + 1] over unknown numbers */
    double *voltage; /* [n + 1] against the parent */
};

static int root_of(const struct forest *f, int u, double *voltage)
{
    *voltage = 0;
    for (; f->parent[u] != u; u = f->parent[u])
        *voltage += f->voltage[u];
    return u;
}

/* Hangs every node on the way directly under the root. */
static int compress(struct forest *f, int u, double *voltage)
{
    const int root = root_of(f, u, voltage);
    double rest = *voltage;
    while (f->parent[u] != root && u != root) {
        const int next = f->parent[u];
        const double step = f->voltage[u];
        f->parent[u] = root;
        f->voltage[u] = rest;
        rest -= step;
        u = next;
    }
    return root;
}

/* States v(plus) - v(minus) = value.  Returns the difference to what was already known, 0 if it was not. */
static double state(struct forest *f, int plus, int minus, double value)
{
    double at_plus, at_minus;
    const int a = compress(f, plus, &at_plus), b = compress(f, minus, &at_minus);
    if (a == b)
        return value - (at_plus - at_minus);
    if (a == 0) { /* ground stays a root */
        f->parent[b] = a;
        f->voltage[b] = at_plus - at_minus - value;
    } else {
        f->parent[a] = b;
        f->voltage[a] = value + at_minus - at_plus;
    }
    return 0;
}

static bool same(double difference, double value)
{
    return fabs(difference) <= SAME_RELATIVE * fabs(value) + SAME_VOLTAGE;
}

static void state_nodes(struct forest *f, const struct mna *m, struct kn_diagnostics *d)
{
    const struct circuit *c = mna_circuit(m);
    for (size_t i = 0; i < c->initial_count; i++) {
        const struct node_value *v = &c->initial[i];
        const double difference = state(f, mna_node_unknown(m, v->node) + 1, 0, v->value);
        if (!same(difference, v->value))
            diagnostics_add(d, KN_WARNING, "initial-contradiction", v->where, "remove one of the two entries",
                            ".ic gives node '%s' a second voltage, %.6g V above the first; the first is used",
                            c->nodes[v->node].name, difference);
    }
}

static void state_elements(struct forest *f, struct given *g, const struct initial_list *list, struct kn_diagnostics *d)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct initial_value *v = &list->values[i];
        if (v->kind == INITIAL_CURRENT) {
            g->x[v->plus - 1] = v->value;
            g->is_set[v->plus - 1] = true;
            continue;
        }
        const double difference = state(f, v->plus, v->minus, v->value);
        if (!same(difference, v->value))
            diagnostics_add(
                d, KN_WARNING, "initial-contradiction", v->where,
                "remove ic= from one capacitor of the loop, or correct the values",
                "ic=%.6g of %s contradicts the other initial values around its loop by %.6g V; those are used",
                v->value, v->element->name, difference);
    }
}

/* x from the forest; roots other than ground stand at 0 for the moment. */
static void read_voltages(struct forest *f, const struct mna *m, struct given *g)
{
    for (int i = 0; i < mna_unknown_count(m); i++) {
        if (mna_unknown(m, i)->kind != UNKNOWN_VOLTAGE)
            continue;
        double voltage;
        g->is_set[i] = compress(f, i + 1, &voltage) == 0;
        g->x[i] = voltage;
    }
}

/* Internal nodes of a device start at the voltage of the terminal they are joined to by a resistance: the initial
 * voltages of a transistor are those of its terminals.  Devices declare their resistances before their junctions. */
static void follow_terminals(const struct mna *m, const struct branch_list *list, struct given *g)
{
    for (size_t i = list->count; i-- > 0;) {
        const struct branch *b = &list->branches[i];
        if (b->kind != BRANCH_R || b->plus == 0)
            continue;
        const struct unknown *plus = mna_unknown(m, b->plus - 1);
        const struct unknown *minus = b->minus > 0 ? mna_unknown(m, b->minus - 1) : NULL;
        if (plus->element == b->element && (!minus || !minus->element))
            g->x[b->plus - 1] = minus ? g->x[b->minus - 1] : 0;
        else if (!plus->element && minus && minus->element == b->element)
            g->x[b->minus - 1] = g->x[b->plus - 1];
    }
}

/* ---- groups without ground ---- */

struct shift {
    double *charge, *capacitance; /* [n + 1] by root */
    int *members;                 /* [n + 1] by root; a node alone is no group */
    double *q, *C;
};

static void count_members(const struct forest *f, int n, int *members)
{
    double unused;
    for (int u = 1; u <= n; u++)
        members[root_of(f, u, &unused)]++;
}

/* One Newton step for the shift of each group: its charge against its capacitance to the rest. */
static enum kn_status shift_groups(const struct forest *f, const struct mna *m, struct given *g, struct shift *s)
{
    const struct dae *dae = mna_dae(m);
    const struct sparse_pattern *p = dae->pattern;
    struct dae_values out = {.q = s->q, .C = s->C};
    const enum kn_status status = dae->eval(dae->problem, 0, g->x, DAE_Q | DAE_C, &out);
    memset(s->charge, 0, ((size_t)p->n + 1) * sizeof *s->charge);
    memset(s->capacitance, 0, ((size_t)p->n + 1) * sizeof *s->capacitance);
    double unused;
    for (int j = 0; j < p->n; j++) {
        const int root = root_of(f, j + 1, &unused);
        s->charge[root] += s->q[j];
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++)
            if (root_of(f, p->row[k] + 1, &unused) == root)
                s->capacitance[root] += s->C[k];
    }
    for (int i = 0; i < p->n; i++) {
        const int root = root_of(f, i + 1, &unused);
        const double move = -s->charge[root] / s->capacitance[root];
        if (root != 0 && s->members[root] > 1 && isfinite(move))
            g->x[i] += move;
    }
    return status;
}

static bool has_loose_group(struct forest *f, int n)
{
    double unused;
    for (int u = 1; u <= n; u++)
        if (f->parent[u] != u && compress(f, u, &unused) != 0)
            return true;
    return false;
}

static enum kn_status settle_groups(struct forest *f, const struct mna *m, struct given *g)
{
    const size_t n = (size_t)mna_unknown_count(m);
    if (!has_loose_group(f, (int)n))
        return KN_OK;
    struct shift s = {.charge = calloc(n + 1, sizeof *s.charge),
                      .capacitance = calloc(n + 1, sizeof *s.capacitance),
                      .members = calloc(n + 1, sizeof *s.members),
                      .q = calloc(n, sizeof *s.q),
                      .C = sparse_values(mna_dae(m)->pattern)};
    const bool complete = s.charge && s.capacitance && s.members && s.q && s.C;
    enum kn_status status = complete ? KN_OK : KN_ERROR_MEMORY;
    if (complete)
        count_members(f, (int)n, s.members);
    for (int round = 0; round < SHIFT_ROUNDS && status == KN_OK; round++)
        status = shift_groups(f, m, g, &s);
    free(s.charge);
    free(s.capacitance);
    free(s.members);
    free(s.q);
    free(s.C);
    return status;
}

/* ---- the whole ---- */

static void mark_held(struct given *g, const struct mna *m, const struct topology *t, int *group)
{
    const struct circuit *c = mna_circuit(m);
    groups_unite_branches(group, &t->list, BRANCH_V);
    for (size_t i = 0; i < c->initial_count; i++) {
        const int unknown = mna_node_unknown(m, c->initial[i].node);
        if (unknown < 0 || groups_connected(group, unknown + 1, 0))
            continue;
        g->held[unknown] = true;
        groups_unite(group, unknown + 1, 0);
    }
}

static enum kn_status collect(struct given *g, struct forest *f, const struct mna *m, const struct topology *t,
                              struct kn_diagnostics *d)
{
    struct initial_list list;
    const enum kn_status status = mna_initial_values(m, &list);
    if (status != KN_OK)
        return status;
    state_nodes(f, m, d);
    state_elements(f, g, &list, d);
    initial_list_free(&list);
    read_voltages(f, m, g);
    const enum kn_status settled = settle_groups(f, m, g);
    follow_terminals(m, &t->list, g);
    return settled;
}

enum kn_status given_init(struct given *g, const struct mna *m, const struct topology *t, struct kn_diagnostics *d)
{
    const size_t n = (size_t)mna_unknown_count(m);
    struct forest forest = {.parent = groups_new((int)n), .voltage = calloc(n + 1, sizeof *forest.voltage)};
    int *group = groups_new((int)n);
    *g = (struct given){
        .x = calloc(n, sizeof *g->x), .is_set = calloc(n, sizeof *g->is_set), .held = calloc(n, sizeof *g->held)};
    enum kn_status status = KN_ERROR_MEMORY;
    if (g->x && g->is_set && g->held && forest.parent && forest.voltage && group)
        status = collect(g, &forest, m, t, d);
    if (status == KN_OK)
        mark_held(g, m, t, group);
    else
        given_free(g);
    free(forest.parent);
    free(forest.voltage);
    free(group);
    return status;
}

void given_free(struct given *g)
{
    free(g->x);
    free(g->is_set);
    free(g->held);
    *g = (struct given){0};
}
