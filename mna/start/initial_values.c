/* initial_values.c - see initial_values.h.
 *
 * Elements with ic= are edges that fix the difference of two node voltages: a union-find forest that keeps the voltage
 * of every node against its parent.  What hangs together with ground is then known.  ic= goes before .ic, as in SPICE.
 *
 * Where .nodeset counts, a node of it is one of .ic here.  Charges are those of every element on its own: of a capacitor with
 * ic= that of its value, of any other that of the .ic voltages of its nodes, where nodes without .ic count as 0 V.  So it is
 * empty if neither of its nodes has .ic.
 */
#include "mna/start/initial_values.h"

#include "base/groups.h"
#include "base/rounding.h"
#include "mna/start/augmented.h"
#include "sparse/dense.h"

#include <math.h>

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

/* Two given voltages that differ by no more say the same. */
static bool same(double difference, double value)
{
    return fabs(difference) <= ROUNDING_SAME * fabs(value) + FAR_BELOW * MNA_SPICE.vntol;
}

/* SPICE 3 and ngspice put the voltages of .nodeset, then those of .ic over them, where devices look for what ic= does not say (CKTic).
 * HSPICE, PSpice and Xyce have .nodeset for operating points. */
static bool guesses_count(const struct circuit *c)
{
    return DIALECT_BIT(c->dialect) &
           (DIALECT_BIT(DIALECT_SPICE) | DIALECT_BIT(DIALECT_NGSPICE) | DIALECT_BIT(DIALECT_KICAD));
}

/* Of a node that is given twice the last guess, and none beside its .ic. */
static void state_guesses(struct forest *f, const struct mna *m, struct kn_diagnostics *d)
{
    const struct circuit *c = mna_circuit(m);
    if (guesses_count(c))
        for (size_t i = c->guess_count; i > 0; i--)
            state(f, mna_node_unknown(m, c->guesses[i - 1].node) + 1, 0, c->guesses[i - 1].value);
    else if (c->guess_count > 0)
        diagnostics_add(d, KN_NOTE, "nodeset-with-uic", c->guesses[0].where, "give these voltages by .ic",
                        ".nodeset does not count with uic in decks of %s: there is no operating point to look for",
                        dialect_title(c->dialect));
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
    state_guesses(f, m, d);
}

/* The same voltages, of_nodes [n], behind those of elements, where they may be too late. */
static void state_nodes_again(struct forest *f, const struct mna *m, const struct node_value *list, size_t count,
                              const double *of_nodes, struct kn_diagnostics *d)
{
    for (size_t i = 0; i < count; i++) {
        const int u = mna_node_unknown(m, list[i].node);
        const double value = unknown_value(of_nodes, u + 1), difference = state(f, u + 1, 0, value);
        if (!same(difference, value))
            diagnostics_add(d, KN_WARNING, "initial-contradiction", list[i].where,
                            "leave out ic= of the elements there, or this entry",
                            ".ic gives node '%s' %.6g V, ic= of elements %.6g V: these are used, as in SPICE",
                            mna_circuit(m)->nodes[list[i].node].name, value, value - difference);
    }
}

static void state_element(struct forest *f, const struct initial_value *v, struct kn_diagnostics *d)
{
    const double difference = state(f, v->plus, v->minus, v->value);
    if (!same(difference, v->value))
        diagnostics_add(d, KN_WARNING, "initial-contradiction", v->element->where,
                        "remove ic= from one capacitor of the loop, or correct the values",
                        "ic=%.6g of %s contradicts the other initial values around its loop by %.6g V; those are used",
                        v->value, v->element->name, difference);
}

static void read_voltages(struct forest *f, const struct mna *m, double *x)
{
    for (int i = 0; i < mna_unknown_count(m); i++)
        if (mna_unknown(m, i)->kind == UNKNOWN_VOLTAGE)
            compress(f, i + 1, &x[i]);
}

static void mark_known(struct forest *f, const struct mna *m, bool *is_set)
{
    double unused;
    for (int i = 0; i < mna_unknown_count(m); i++)
        if (mna_unknown(m, i)->kind == UNKNOWN_VOLTAGE)
            is_set[i] = compress(f, i + 1, &unused) == 0;
}

/* ---- the stages: nodes of .ic alone, devices, capacitors with ic=, nodes, the other capacitors ---- */

struct stages {
    const struct mna *m;
    const struct branch_list *branches;
    struct initial_list list;
    struct forest forest;
    struct arena *memory;
    bool *is_plain;   /* [elements] a capacitor with a constant: its charge follows from its own voltage */
    bool *is_device;  /* [elements] a device with ic= between its terminals */
    double *voltage;  /* [elements] ic= of those that are plain, NAN where not given */
    double *of_nodes; /* [n] of initial_values */
};

/* ---- inside devices: the initial voltages of a transistor are those of its terminals ---- */

static bool is_inside(const struct mna *m, int number, const struct element *e)
{
    return number > 0 && mna_unknown(m, number - 1)->element == e;
}

/* An internal node starts at the voltage of the terminal, or of the node found before, that it is joined to. */
static bool follow(const struct mna *m, const struct branch *b, int from, int to, bool *found, double *x)
{
    const bool known = from == 0 || !mna_unknown(m, from - 1)->element || found[from - 1];
    if (!known || !is_inside(m, to, b->element) || found[to - 1])
        return false;
    x[to - 1] = from > 0 ? x[from - 1] : 0;
    return found[to - 1] = true;
}

/* Along resistances, one behind the other, wherever among its pieces a device declares them. */
static void follow_resistances(const struct stages *s, bool *found, double *x)
{
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = 0; i < s->branches->count; i++) {
            const struct branch *b = &s->branches->branches[i];
            if (b->kind == BRANCH_R && b->role == ROLE_VALUE && b->part)
                moved |= follow(s->m, b, b->plus, b->minus, found, x) || follow(s->m, b, b->minus, b->plus, found, x);
        }
    }
}

/* Along what conducts by a law: such resistances are declared before junctions. */
static void follow_laws(const struct stages *s, bool *found, double *x)
{
    for (size_t i = 0; i < s->branches->count; i++) {
        const struct branch *b = &s->branches->branches[i];
        if (b->kind == BRANCH_R && !s->is_device[b->element->number] && !follow(s->m, b, b->plus, b->minus, found, x))
            follow(s->m, b, b->minus, b->plus, found, x);
    }
}

static bool is_open(const struct stages *s, int i, const bool *found)
{
    const struct unknown *u = mna_unknown(s->m, i);
    return u->kind == UNKNOWN_VOLTAGE && u->element && s->is_device[u->element->number] && !found[i];
}

/* x [first .. end - 1], inside one device, from those around: what conducts in it at 0 V, G, are its resistances. */
static enum kn_status rest_between(const struct stages *s, const double *G, int first, int end, double *x)
{
    const struct sparse_pattern *p = mna_dae(s->m)->pattern;
    struct dense a, b, found;
    if (!dense_new(s->memory, end - first, end - first, &a) || !dense_new(s->memory, end - first, 1, &b))
        return KN_ERROR_MEMORY;
    for (int j = 0; j < p->n; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
            const int row = p->row[k];
            if (row < first || row >= end)
                continue;
            if (j >= first && j < end)
                *dense_at(&a, row - first, j - first) += G[k];
            else
                *dense_at(&b, row - first, 0) -= G[k] * x[j];
        }
    const enum kn_status status = dense_solve(s->memory, &a, &b, &found);
    for (int i = first; i < end && status == KN_OK; i++)
        x[i] = *dense_at(&found, i - first, 0);
    return status == KN_ERROR_MEMORY ? status : KN_OK; /* what nothing determines stays */
}

/* Nodes that only laws lead to, in devices with ic=; those of one device have numbers behind each other. */
static enum kn_status rest_inside(const struct stages *s, const bool *found, double *x)
{
    const struct dae *dae = mna_dae(s->m);
    double *G = NULL, *zero = NULL;
    enum kn_status status = KN_OK;
    for (int i = 0, end; i < dae->n && status == KN_OK; i = end) {
        end = i + 1;
        if (!is_open(s, i, found))
            continue;
        while (end < dae->n && is_open(s, end, found) &&
               mna_unknown(s->m, end)->element == mna_unknown(s->m, i)->element)
            end++;
        if (!G && (!arena_vectors(s->memory, (size_t)dae->pattern->entries + 1, (double **const[]){&G, NULL}) ||
                   !arena_vectors(s->memory, (size_t)dae->n + 1, (double **const[]){&zero, NULL})))
            return KN_ERROR_MEMORY;
        struct dae_values out = {.G = G};
        status = dae->eval(dae->problem, 0, zero, DAE_G, &out);
        if (status == KN_OK)
            status = rest_between(s, G, i, end, x);
    }
    return status;
}

static enum kn_status fill_devices(const struct stages *s, double *x)
{
    bool *found = arena_array(s->memory, (size_t)mna_unknown_count(s->m) + 1, sizeof *found);
    if (!found)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < s->list.count; i++) { /* stated as they are */
        const struct initial_value *v = &s->list.values[i];
        if (v->kind == INITIAL_VOLTAGE && is_inside(s->m, v->plus, v->element))
            found[v->plus - 1] = true;
    }
    follow_resistances(s, found, x);
    follow_laws(s, found, x);
    return rest_inside(s, found, x);
}

/* ---- the stages, one by one ---- */

static bool is_plain_capacitor(const struct branch *b)
{
    return b->kind == BRANCH_C && !b->part && isfinite(b->constant);
}

static void find_givers(struct stages *s)
{
    for (size_t i = 0; i < s->branches->count; i++)
        if (is_plain_capacitor(&s->branches->branches[i]))
            s->is_plain[s->branches->branches[i].element->number] = true;
    for (size_t i = 0; i < mna_circuit(s->m)->element_count; i++)
        s->voltage[i] = NAN;
    for (size_t i = 0; i < s->list.count; i++)
        if (s->list.values[i].kind == INITIAL_VOLTAGE && s->is_plain[s->list.values[i].element->number])
            s->voltage[s->list.values[i].element->number] = s->list.values[i].value;
    for (size_t i = 0; i < s->list.count; i++) {
        const struct element *e = s->list.values[i].element;
        if (s->list.values[i].kind == INITIAL_VOLTAGE && !s->is_plain[e->number] && e->kind->form == CARD_MODEL)
            s->is_device[e->number] = true;
    }
}

static void state_elements(struct stages *s, bool plain, struct kn_diagnostics *d)
{
    for (size_t i = 0; i < s->list.count; i++) {
        const struct initial_value *v = &s->list.values[i];
        if (v->kind == INITIAL_VOLTAGE && s->is_plain[v->element->number] == plain)
            state_element(&s->forest, v, d);
    }
}

static void set_currents(const struct stages *s, struct initial_values *g)
{
    for (size_t i = 0; i < s->list.count; i++) {
        const struct initial_value *v = &s->list.values[i];
        if (v->kind != INITIAL_CURRENT)
            continue;
        g->x[v->plus - 1] = v->value;
        g->is_set[v->plus - 1] = true;
    }
}

static double voltage_of(const struct stages *s, const struct branch *b)
{
    const double given = s->voltage[b->element->number];
    return isnan(given) ? branch_voltage(b, s->of_nodes) : given;
}

/* Charges at the voltages of .ic and of devices, x; those of capacitors corrected one by one, since node voltages alone
 * cannot say what is in the capacitors of a loop. */
static enum kn_status find_charges(const struct stages *s, const double *x, double *q)
{
    const struct dae *dae = mna_dae(s->m);
    struct dae_values out = {.q = q};
    const enum kn_status status = dae->eval(dae->problem, 0, x, DAE_Q, &out);
    for (size_t i = 0; i < s->branches->count && status == KN_OK; i++) {
        const struct branch *b = &s->branches->branches[i];
        if (!is_plain_capacitor(b))
            continue;
        const double charge = b->constant * (voltage_of(s, b) - branch_voltage(b, x));
        if (b->plus > 0)
            q[b->plus - 1] += charge;
        if (b->minus > 0)
            q[b->minus - 1] -= charge;
    }
    return status;
}

/* Where no loop decides otherwise the other capacitors keep their voltages, too: a good guess of the values. */
static void state_other_capacitors(struct stages *s)
{
    for (size_t i = 0; i < s->branches->count; i++) {
        const struct branch *b = &s->branches->branches[i];
        if (is_plain_capacitor(b) && isnan(s->voltage[b->element->number]))
            state(&s->forest, b->plus, b->minus, voltage_of(s, b));
    }
}

/* Elements with ic=, then the nodes. */
static void state_given(struct stages *s, bool plain, struct kn_diagnostics *of_devices, struct kn_diagnostics *d)
{
    const struct circuit *c = mna_circuit(s->m);
    for (int i = 0; i <= mna_unknown_count(s->m); i++) {
        s->forest.parent[i] = i;
        s->forest.voltage[i] = 0;
    }
    state_elements(s, false, of_devices);
    if (plain)
        state_elements(s, true, d);
    state_nodes_again(&s->forest, s->m, c->initial, c->initial_count, s->of_nodes, d);
    if (guesses_count(c))
        state_nodes_again(&s->forest, s->m, c->guesses, c->guess_count, s->of_nodes, NULL);
}

static enum kn_status collect(struct stages *s, struct initial_values *g, struct kn_diagnostics *d)
{
    find_givers(s);
    set_currents(s, g);
    state_nodes(&s->forest, s->m, d);
    read_voltages(&s->forest, s->m, s->of_nodes);
    state_given(s, false, d, NULL);
    read_voltages(&s->forest, s->m, g->x);
    enum kn_status status = fill_devices(s, g->x);
    if (status == KN_OK)
        status = find_charges(s, g->x, g->q);
    state_given(s, true, NULL, d);
    mark_known(&s->forest, s->m, g->is_set);
    state_other_capacitors(s);
    read_voltages(&s->forest, s->m, g->x);
    return status == KN_OK ? fill_devices(s, g->x) : status;
}

static enum kn_status run_stages(struct initial_values *g, const struct mna *m, const struct topology *t,
                                 struct kn_diagnostics *d)
{
    const size_t n = (size_t)mna_unknown_count(m), elements = mna_circuit(m)->element_count;
    struct stages s = {.m = m,
                       .branches = &t->list,
                       .forest = {groups_in(g->memory, (int)n), NULL},
                       .memory = g->memory,
                       .of_nodes = g->of_nodes,
                       .is_plain = arena_array(g->memory, elements + 1, sizeof *s.is_plain),
                       .is_device = arena_array(g->memory, elements + 1, sizeof *s.is_device)};
    const bool good = s.forest.parent && s.is_plain && s.is_device &&
                      arena_vectors(g->memory, n + 1, (double **const[]){&s.forest.voltage, NULL}) &&
                      arena_vectors(g->memory, elements + 1, (double **const[]){&s.voltage, NULL});
    enum kn_status status = mna_initial_values(m, &s.list);
    if (status == KN_OK && !good)
        status = KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = collect(&s, g, d);
    initial_list_free(&s.list);
    return status;
}

/* ---- the whole ---- */

static void mark_nodes(struct initial_values *g, const struct mna *m, const struct node_value *values, size_t count,
                       int *group)
{
    for (size_t i = 0; i < count; i++) {
        const int unknown = mna_node_unknown(m, values[i].node);
        if (unknown < 0 || groups_connected(group, unknown + 1, 0) ||
            !same(g->x[unknown] - g->of_nodes[unknown], g->of_nodes[unknown]))
            continue;
        g->imposed[unknown] = g->imposes = true;
        groups_unite(group, unknown + 1, 0);
    }
}

static void mark_imposed(struct initial_values *g, const struct mna *m, const struct topology *t, int *group)
{
    const struct circuit *c = mna_circuit(m);
    branch_list_unite(&t->list, BRANCH_V, group);
    mark_nodes(g, m, c->initial, c->initial_count, group);
    if (guesses_count(c))
        mark_nodes(g, m, c->guesses, c->guess_count, group);
}

enum kn_status initial_values_init(struct initial_values *g, const struct mna *m, const struct topology *t,
                                   struct kn_diagnostics *d)
{
    const size_t n = (size_t)mna_unknown_count(m);
    *g = (struct initial_values){.memory = arena_new()};
    int *group = g->memory ? groups_in(g->memory, (int)n) : NULL;
    enum kn_status status = KN_ERROR_MEMORY;
    if (group && arena_vectors(g->memory, n, (double **const[]){&g->x, &g->q, &g->of_nodes, NULL}) &&
        (g->is_set = arena_array(g->memory, n, sizeof *g->is_set)) &&
        (g->imposed = arena_array(g->memory, n, sizeof *g->imposed)))
        status = run_stages(g, m, t, d);
    if (status == KN_OK)
        mark_imposed(g, m, t, group);
    else
        initial_values_free(g);
    return status;
}

void initial_values_free(struct initial_values *g)
{
    arena_free(g->memory);
    *g = (struct initial_values){0};
}
