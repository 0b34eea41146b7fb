/* derived_branches.c - see derived_branches.h. */
#include "devices/derived_branches.h"

#include "devices/batch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 8 };
static const double GMIN = 1e-12; /* S: that there is one */

/* One element alone.  Its unknowns: ground, its nodes, its controlling nodes, then what it asks for. */
struct alone {
    const struct device_class *class;
    struct arena *memory;
    struct element element;
    const struct element *elements[1];
    struct circuit circuit;
    struct device_setup *setup;
    void *batch;
    int n;
    bool *flow, *charge; /* [n x n] entries of G and C that are not zero somewhere */
    int *global;         /* [n] unknowns of the whole circuit */
};

/* ---- setting up ---- */

static bool separate_nodes(struct alone *a, const struct element *e, const struct circuit *c)
{
    const size_t count = e->node_count + e->control_node_count;
    struct node *nodes = arena_array(a->memory, count + 1, sizeof *nodes);
    int *numbers = arena_array(a->memory, count + 1, sizeof *numbers);
    if (!nodes || !numbers)
        return false;
    for (size_t i = 0; i <= count; i++)
        nodes[i].name = "";
    for (size_t i = 0; i < count; i++)
        numbers[i] = (int)i + 1;
    a->element = *e;
    a->element.number = 0;
    a->element.nodes = numbers;
    a->element.control_nodes = numbers + e->node_count;
    a->elements[0] = &a->element;
    a->circuit = *c;
    a->circuit.nodes = nodes;
    a->circuit.node_count = count + 1;
    a->circuit.elements = &a->element;
    a->circuit.element_count = 1;
    return true;
}

static enum kn_status set_up(struct alone *a)
{
    const struct device_input in = {a->elements, 1, &a->circuit, NULL};
    const enum kn_status status = batch_new(a->class, &in, &a->batch);
    if (status != KN_OK)
        return status;
    a->setup = device_setup_new(&a->circuit);
    batch_prepare(a->class, a->batch, a->circuit.temperature);
    if (!a->setup || !batch_pass(a->class->number, a->batch, a->setup) ||
        !batch_pass(a->class->connect, a->batch, a->setup))
        return KN_ERROR_MEMORY;
    a->n = (int)a->setup->unknown_count;
    int *slots = arena_array(a->memory, a->setup->request_count + 1, sizeof *slots);
    if (!slots)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < a->setup->request_count; i++)
        slots[i] = a->setup->requests[i].row * a->n + a->setup->requests[i].column;
    device_setup_fix(a->setup, slots);
    return KN_OK;
}

/* Its own unknowns come in the order in which it asks for them, here as there; *cursor moves over those of the circuit,
 * which has the elements of a family in order. */
static bool find_global(struct alone *a, const struct element *e, const struct device_setup *s, size_t *cursor)
{
    a->global = arena_array(a->memory, (size_t)a->n, sizeof *a->global);
    if (!a->global)
        return false;
    size_t local = 1;
    for (size_t i = 0; i < e->node_count; i++)
        a->global[local++] = setup_node(s, e->nodes[i]);
    for (size_t i = 0; i < e->control_node_count; i++)
        a->global[local++] = setup_node(s, e->control_nodes[i]);
    for (; local < (size_t)a->n; local++) {
        while (*cursor < s->unknown_count && s->unknowns[*cursor].element != e)
            ++*cursor;
        if (*cursor == s->unknown_count)
            return false;
        a->global[local] = (int)(*cursor)++;
    }
    return true;
}

/* ---- what depends on what ---- */

static void note(const double *values, int count, bool *seen)
{
    for (int i = 0; i < count; i++)
        seen[i] |= values[i] != 0;
}

static bool find_entries(struct alone *a)
{
    const size_t n = (size_t)a->n;
    double *G = arena_array(a->memory, 2 * n * n, sizeof *G), *C = G + n * n;
    double *x = arena_array(a->memory, 3 * n, sizeof *x), *f = x + n, *q = f + n;
    a->flow = arena_array(a->memory, n * n, sizeof *a->flow);
    a->charge = arena_array(a->memory, n * n, sizeof *a->charge);
    if (!G || !x || !a->flow || !a->charge)
        return false;
    bool limited = false;
    for (int point = 0; point < POINTS; point++) {
        for (size_t i = 1; i < n; i++) /* golden section: spread over -1 .. 1, all different */
            x[i] = 2 * fmod(0.6180339887498949 * (double)(point * (int)n + (int)i), 1) - 1;
        memset(G, 0, 2 * n * n * sizeof *G);
        const struct device_point at = {.when = instant_at(0),
                                        .x = x,
                                        .what = EVALUATE_ALL,
                                        .gmin = GMIN,
                                        .source_scale = 1,
                                        .x_reference = x,
                                        .limited = &limited};
        const struct device_stamp out = {.f = f, .q = q, .G = G, .C = C};
        if (a->class->stamp)
            a->class->stamp(a->batch, G, C);
        if (a->class->eval && (!a->class->nonlinear || a->class->nonlinear(a->batch)))
            a->class->eval(a->batch, &at, &out);
        note(G, a->n * a->n, a->flow);
        note(C, a->n * a->n, a->charge);
    }
    return true;
}

static bool is_node(const struct alone *a, int i)
{
    return a->setup->unknowns[i].kind == UNKNOWN_VOLTAGE;
}

static bool has(const struct alone *a, const bool *entries, int row, int column)
{
    return entries[row * a->n + column];
}

/* Same nonzero entries in two rows. */
static bool same_rows(const struct alone *a, const bool *entries, int i, int j)
{
    return memcmp(entries + i * a->n, entries + j * a->n, (size_t)a->n * sizeof *entries) == 0;
}

/* ---- branches ---- */

/* A branch between i and j, or the one of `current`.  What flows is in both rows and so depends on what both depend on.
 */
static bool add(struct alone *a, struct branch_list *out, enum branch_kind kind, const bool *entries, int i, int j,
                int current)
{
    int *controls = arena_array(a->memory, (size_t)a->n, sizeof *controls);
    struct branch b = {.kind = kind,
                       .plus = a->global[i],
                       .minus = a->global[j],
                       .element = a->elements[0],
                       .role = ROLE_LAW,
                       .controls = controls,
                       .current = a->global[current]};
    if (!controls)
        return false;
    const int first = current ? current : i, second = current ? current : j;
    for (int k = 1; k < a->n; k++)
        if (k != i && k != j && k != current && has(a, entries, first, k) && has(a, entries, second, k))
            controls[b.control_count++] = a->global[k];
    b.controlled = b.control_count > 0;
    if (kind == BRANCH_R && b.controlled)
        b.kind = BRANCH_I;
    b.increasing = false; /* nothing is known of its sign */
    return branch_add(out, &b);
}

/* A current that leaves row i alone, and where it goes to: one that only others determine, or a conductance to ground. */
static bool add_source(struct alone *a, struct branch_list *out, const bool *entries, int i, bool *done)
{
    bool any = false;
    for (int k = 1; k < a->n; k++)
        any = any || has(a, entries, i, k);
    if (!any || done[i])
        return true;
    int from = 0;
    for (int j = i + 1; j < a->n && !from; j++)
        if (!done[j] && is_node(a, j) && same_rows(a, entries, i, j))
            from = j;
    done[i] = done[from] = true;
    const enum branch_kind flow = has(a, entries, i, i) && from == 0 ? BRANCH_R : BRANCH_I;
    return add(a, out, entries == a->charge ? BRANCH_C : flow, entries, i, from, 0);
}

static bool add_between_nodes(struct alone *a, struct branch_list *out, const bool *entries)
{
    bool *done = arena_array(a->memory, (size_t)a->n, sizeof *done);
    bool good = done != NULL;
    for (int i = 1; i < a->n; i++)
        for (int j = i + 1; good && j < a->n; j++)
            if (is_node(a, i) && is_node(a, j) && has(a, entries, i, j) && has(a, entries, j, i)) {
                good = add(a, out, entries == a->charge ? BRANCH_C : BRANCH_R, entries, i, j, 0);
                done[i] = done[j] = true;
            }
    for (int i = 1; i < a->n; i++) /* what currents of their own bring has branches already */
        for (int k = 1; good && k < a->n; k++)
            done[i] = done[i] || (!is_node(a, k) && has(a, a->flow, i, k));
    for (int i = 1; good && i < a->n; i++)
        good = !is_node(a, i) || add_source(a, out, entries, i, done);
    return good;
}

/* The first two nodes that a current leaves or enters. */
static bool add_current(struct alone *a, struct branch_list *out, int current)
{
    int ends[2] = {0, 0}, count = 0;
    for (int i = 1; i < a->n && count < 2; i++)
        if (is_node(a, i) && has(a, a->flow, i, current))
            ends[count++] = i;
    const bool flux = has(a, a->charge, current, current);
    return add(a, out, flux ? BRANCH_L : BRANCH_V, flux ? a->charge : a->flow, ends[0], ends[1], current);
}

static bool add_all(struct alone *a, struct branch_list *out)
{
    bool good = add_between_nodes(a, out, a->flow) && add_between_nodes(a, out, a->charge);
    for (int i = 1; good && i < a->n; i++)
        good = is_node(a, i) || add_current(a, out, i);
    return good;
}

static enum kn_status derive(const struct device_class *class, const struct element *e, const struct device_setup *s,
                             size_t *cursor, struct branch_list *out)
{
    struct alone a = {.class = class, .memory = arena_new()};
    enum kn_status status = a.memory && separate_nodes(&a, e, s->circuit) ? set_up(&a) : KN_ERROR_MEMORY;
    if (status == KN_OK && !(find_global(&a, e, s, cursor) && find_entries(&a)))
        status = KN_ERROR_MEMORY;
    a.elements[0] = e;
    if (status == KN_OK && !add_all(&a, out))
        status = KN_ERROR_MEMORY;
    batch_free(class, a.batch);
    device_setup_free(a.setup);
    arena_free(a.memory);
    return status;
}

enum kn_status derived_branches(const struct device_family *family, const struct device_setup *s,
                                struct branch_list *out)
{
    enum kn_status status = KN_OK;
    size_t cursor = s->circuit->node_count;
    for (size_t k = 0; k < family->count && status == KN_OK; k++)
        status = derive(family->class, family->elements[k], s, &cursor, out);
    return status;
}
