/* augmented.c - see augmented.h. */
#include "mna/start/augmented.h"

#include "base/groups.h"

#include <math.h>

static bool is_node(const struct augmented *a, int i)
{
    return mna_unknown(a->mna, i)->kind == UNKNOWN_VOLTAGE;
}

static void add_shunts(const struct augmented *a, const double *x, unsigned what, struct dae_values *out)
{
    for (int i = 0; i < a->dae.n; i++) {
        if (!is_node(a, i))
            continue;
        if (what & DAE_F)
            out->f[i] += a->shunt * x[i];
        if (what & DAE_Q)
            out->q[i] += a->node_capacitance * x[i];
        if (what & DAE_G)
            out->G[a->diagonal[i]] += a->shunt;
        if (what & DAE_C)
            out->C[a->diagonal[i]] += a->node_capacitance;
    }
}

/* Row `equation` says plus - minus - law = 0 of the current of that number: what it lacks is the voltage L di/dt. */
static void add_inductances(const struct augmented *a, const double *x, unsigned what, struct dae_values *out)
{
    size_t count;
    const struct dae_law *laws = mna_laws(a->mna, &count);
    for (size_t k = 0; k < count; k++) {
        const int i = laws[k].equation;
        if (what & DAE_Q)
            out->q[i] -= a->law_inductance * x[i];
        if (what & DAE_C)
            out->C[a->diagonal[i]] -= a->law_inductance;
    }
}

static double charge_of(const struct anchor *anchor, const double *x, const double *q)
{
    return anchor->inductance > 0 ? -anchor->inductance * x[anchor->row] : q[anchor->row];
}

static void add_anchors(const struct augmented *a, const double *x, unsigned what, struct dae_values *out)
{
    for (size_t k = 0; k < a->anchor_count; k++) {
        const struct anchor *anchor = &a->anchors[k];
        if (what & DAE_F)
            out->f[anchor->row] += anchor->rate * (charge_of(anchor, x, out->q) - anchor->offset);
        if (!(what & DAE_G))
            continue;
        if (anchor->inductance > 0)
            out->G[a->diagonal[anchor->row]] -= anchor->rate * anchor->inductance;
        for (int j = a->row_start[anchor->row]; j < a->row_start[anchor->row + 1]; j++)
            out->G[a->row_entry[j]] += anchor->rate * out->C[a->row_entry[j]];
    }
}

/* x_u - value = 0, in the unit of a conductance of 1 S (1 ohm for a current). */
static void impose_value(const struct augmented *a, const struct imposed_value *v, const double *x, unsigned what,
                         struct dae_values *out)
{
    const int i = v->unknown;
    if (what & DAE_F)
        out->f[i] = x[i] - a->imposed_scale * v->value;
    if (what & DAE_Q)
        out->q[i] = 0;
    if (what & DAE_T)
        out->dfdt[i] = out->dqdt[i] = 0;
    for (int j = a->row_start[i]; j < a->row_start[i + 1]; j++) {
        if (what & DAE_G)
            out->G[a->row_entry[j]] = a->row_entry[j] == a->diagonal[i];
        if (what & DAE_C)
            out->C[a->row_entry[j]] = 0;
    }
}

static enum kn_status evaluate(void *problem, double t, const double *x, unsigned what, struct dae_values *out)
{
    struct augmented *a = problem;
    unsigned all = what;
    if (a->anchor_count > 0)
        all |= (what & DAE_F ? DAE_Q : 0) | (what & DAE_G ? DAE_C : 0);
    if (!out->q)
        out->q = a->q;
    if (!out->C)
        out->C = a->C;
    const enum kn_status status = a->inner->eval(a->inner->problem, t, x, all, out);
    if (status != KN_OK)
        return status;
    add_anchors(a, x, what, out);
    if (a->shunt != 0 || a->node_capacitance != 0)
        add_shunts(a, x, all, out);
    if (a->law_inductance != 0)
        add_inductances(a, x, all, out);
    for (size_t k = 0; k < a->imposed_count; k++)
        if (a->imposed[k].active)
            impose_value(a, &a->imposed[k], x, all, out);
    return KN_OK;
}

static void bound_tolerances(struct augmented *a)
{
    for (int i = 0; i < a->inner->n; i++) {
        const bool node = is_node(a, i);
        a->absolute[i] = fmin(a->inner->absolute[i], node ? MNA_SPICE.vntol : MNA_SPICE.abstol);
        a->equation_absolute[i] = fmin(a->inner->equation_absolute[i], node ? MNA_SPICE.abstol : MNA_SPICE.vntol);
    }
    a->dae.absolute = a->absolute;
    a->dae.equation_absolute = a->equation_absolute;
}

static bool allocate(struct augmented *a, struct arena *memory)
{
    const size_t n = (size_t)a->inner->n, entries = (size_t)a->inner->pattern->entries;
    const struct sparse_pattern *p = a->inner->pattern;
    a->diagonal = arena_array(memory, n, sizeof *a->diagonal);
    for (int j = 0; a->diagonal && j < p->n; j++)
        a->diagonal[j] = sparse_pattern_find(p, j, j);
    return a->diagonal && groups_sort(memory, p->row, p->entries, p->n, &a->row_entry, &a->row_start) &&
           arena_vectors(memory, n, (double **const[]){&a->q, &a->absolute, &a->equation_absolute, NULL}) &&
           arena_vectors(memory, entries + 1, (double **const[]){&a->C, NULL});
}

enum kn_status augmented_init(struct augmented *a, struct arena *memory, struct mna *m)
{
    *a = (struct augmented){.mna = m, .inner = mna_dae(m), .imposed_scale = 1};
    dae_forward(a->inner, a, &a->dae);
    a->dae.eval = evaluate;
    a->dae.next_breakpoint = NULL;
    a->dae.accept = NULL;
    a->dae.hold_left = NULL;
    a->dae.switch_count = 0;
    a->dae.unknown_name = NULL;
    a->dae.describe = NULL;
    if (!allocate(a, memory))
        return KN_ERROR_MEMORY;
    bound_tolerances(a);
    return KN_OK;
}

void augmented_weigh(const struct augmented *a, double relative, double *weights)
{
    for (int i = 0; i < a->dae.n; i++)
        weights[i] = 1 / (relative * mna_typical_size(a->mna, i) + a->dae.absolute[i]);
}

enum kn_status augmented_rebase(struct augmented *a, double t, const double *x)
{
    struct dae_values out = {.q = a->q};
    const enum kn_status status = a->inner->eval(a->inner->problem, t, x, DAE_Q, &out);
    for (size_t k = 0; status == KN_OK && k < a->anchor_count; k++)
        a->anchors[k].offset = charge_of(&a->anchors[k], x, a->q);
    return status;
}
