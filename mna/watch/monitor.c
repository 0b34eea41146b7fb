/* monitor.c - see monitor.h. */
#include "mna/watch/monitor.h"

#include "mna/index/charge_groups.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CUTSETS = 200 };

struct constraint {
    const struct branch_set *set; /* loop or cutset */
    int *rows;                    /* of a cutset: equations (from 0) of the nodes that it cuts off; NULL for a loop */
    size_t row_count;
    double residual, term; /* largest so far (V/s, A/s) */
    double time;           /* s, of the largest residual */
};

struct monitor {
    struct arena *memory;
    struct mna *mna;
    struct constraint *constraints;
    size_t count;
    double *f, *dfdt, *dqdt, *G, *C;
    double *slope; /* [n] x' */
    double *scale; /* [n] of the terms that make up a slope */
    double *slip;  /* [n] derivative of f along x' */
    struct sparse_lu *lu;
    long looks, blind; /* points, and those where charges do not determine their slopes */
};

/* ---- construction ---- */

/* All nodes that the branches of a cutset separate from ground, from those known to lie behind it. */
static size_t close_part(const struct topology *t, const struct branch_set *cutset, const struct node_set *part,
                         bool *inside)
{
    memset(inside, 0, ((size_t)t->unknown_count + 1) * sizeof *inside);
    for (size_t i = 0; i < part->count; i++)
        inside[part->nodes[i]] = true;
    size_t count = part->count;
    for (bool grown = true; grown;) {
        grown = false;
        for (size_t k = 0; k < t->list.count; k++) {
            const struct branch *b = &t->list.branches[k];
            if (inside[b->plus] == inside[b->minus] || b->plus == 0 || b->minus == 0)
                continue;
            bool cut = false;
            for (size_t i = 0; i < cutset->count; i++)
                cut |= cutset->branches[i] == b;
            if (cut)
                continue;
            inside[b->plus] = inside[b->minus] = grown = true;
            count++;
        }
    }
    return count;
}

static enum kn_status add_cutset(struct monitor *s, const struct topology *t, size_t k, bool *inside)
{
    struct constraint *c = &s->constraints[s->count++];
    c->set = &t->li_cutsets.sets[k];
    c->rows = arena_array(s->memory, close_part(t, c->set, &t->li_parts.sets[k], inside) + 1, sizeof *c->rows);
    if (!c->rows)
        return KN_ERROR_MEMORY;
    for (int i = 1; i <= t->unknown_count; i++)
        if (inside[i])
            c->rows[c->row_count++] = i - 1;
    return KN_OK;
}

static enum kn_status add_constraints(struct monitor *s, const struct topology *t)
{
    const size_t cutsets = t->li_cutsets.count < MOST_CUTSETS ? t->li_cutsets.count : MOST_CUTSETS;
    s->constraints = arena_array(s->memory, t->cv_loops.count + cutsets + 1, sizeof *s->constraints);
    bool *inside = arena_array(s->memory, (size_t)t->unknown_count + 1, sizeof *inside);
    enum kn_status status = s->constraints && inside ? KN_OK : KN_ERROR_MEMORY;
    for (size_t k = 0; status == KN_OK && k < t->cv_loops.count; k++)
        s->constraints[s->count++].set = &t->cv_loops.sets[k];
    for (size_t k = 0; status == KN_OK && k < cutsets; k++)
        status = add_cutset(s, t, k, inside);
    return status;
}

static enum kn_status allocate(struct monitor *s)
{
    const struct dae *dae = mna_dae(s->mna);
    double **const vectors[] = {&s->f, &s->dfdt, &s->dqdt, &s->slope, &s->slip, &s->scale, NULL};
    const bool complete =
        arena_vectors(s->memory, (size_t)dae->n, vectors) &&
        arena_vectors(s->memory, (size_t)dae->pattern->entries + 1, (double **const[]){&s->G, &s->C, NULL});
    return complete ? sparse_lu_new(dae->pattern, &s->lu) : KN_ERROR_MEMORY;
}

enum kn_status monitor_new(struct mna *m, const struct topology *t, struct monitor **out)
{
    struct arena *memory;
    struct monitor *s = arena_object(sizeof *s, &memory);
    *out = s;
    if (!s)
        return KN_ERROR_MEMORY;
    *s = (struct monitor){.memory = memory, .mna = m};
    enum kn_status status = add_constraints(s, t);
    if (status == KN_OK)
        status = allocate(s);
    if (status != KN_OK) {
        monitor_free(s);
        *out = NULL;
    }
    return status;
}

void monitor_free(struct monitor *s)
{
    if (!s)
        return;
    sparse_lu_free(s->lu);
    arena_free(s->memory);
}

/* ---- slopes from charges ---- */

/* Where charges leave an unknown (or the common slope of a group of nodes) open, its equation in C x' = -(f + q_t) is
 * redundant and gives way to x'_i = dxdt_i. */
static void close_open_slopes(struct monitor *s, const struct charge_groups *groups, const double *dxdt)
{
    const struct sparse_pattern *p = mna_dae(s->mna)->pattern;
    for (int j = 0; j < p->n; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++)
            if (charge_groups_shift(groups, p->row[k]) == p->row[k])
                s->C[k] = p->row[k] == j;
    for (int i = 0; i < p->n; i++)
        if (charge_groups_shift(groups, i) == i)
            s->slope[i] = dxdt[i];
}

/* Slopes are sums of currents (voltages) over capacitances (inductances); where these cancel, what is left is measured
 * by them. */
static void find_scales(struct monitor *s, const double *x)
{
    const struct sparse_pattern *p = mna_dae(s->mna)->pattern;
    memset(s->scale, 0, (size_t)p->n * sizeof *s->scale);
    sparse_multiply_add_absolute(p, s->G, x, s->scale);
    for (int i = 0; i < p->n; i++) {
        const int diagonal = sparse_pattern_find(p, i, i);
        const double C = diagonal >= 0 ? fabs(s->C[diagonal]) : 0;
        s->scale[i] = C > 0 ? (s->scale[i] + fabs(s->dqdt[i])) / C : 0;
    }
}

static enum kn_status find_slopes(struct monitor *s, double t, const double *x, const double *dxdt)
{
    const struct dae *dae = mna_dae(s->mna);
    struct charge_groups groups;
    struct dae_values out = {.f = s->f, .G = s->G, .C = s->C, .dfdt = s->dfdt, .dqdt = s->dqdt};
    enum kn_status status = dae->eval(dae->problem, t, x, DAE_F | DAE_G | DAE_C | DAE_T, &out);
    if (status == KN_OK)
        status = charge_groups_init(&groups, dae->pattern, s->C);
    if (status != KN_OK)
        return status;
    find_scales(s, x);
    for (int i = 0; i < dae->n; i++)
        s->slope[i] = -(s->f[i] + s->dqdt[i]);
    close_open_slopes(s, &groups, dxdt);
    charge_groups_free(&groups);
    status = sparse_lu_factor(s->lu, s->C);
    if (status == KN_OK)
        sparse_lu_solve(s->lu, s->slope);
    return status;
}

/* ---- residuals ---- */

/* Slope of the voltage of a branch: of a capacitor from its charge, of a source from its equation, which reads
 * v(plus) - v(minus) - .. = 0 up to its sign. */
static double voltage_slope(const struct monitor *s, const struct branch *b)
{
    const double across = branch_voltage(b, s->slope);
    if (b->kind != BRANCH_V || b->current == 0)
        return across;
    const struct sparse_pattern *p = mna_dae(s->mna)->pattern;
    const int row = b->current - 1, node = b->plus > 0 ? b->plus : b->minus;
    const int place = sparse_pattern_find(p, row, node - 1);
    const double sign = place >= 0 && (s->G[place] < 0) == (b->plus > 0) ? -1 : 1;
    return across - sign * s->slip[row];
}

static double loop_residual(const struct monitor *s, const struct branch_set *loop, double *term)
{
    int node = loop_begin(loop);
    double sum = 0;
    for (size_t i = 0; i < loop->count; i++) {
        const struct branch *b = loop->branches[i];
        const double slope = voltage_slope(s, b);
        sum += loop_pass(b, &node) * slope;
        *term = fmax(*term, fabs(slope));
        if (b->kind == BRANCH_C)
            *term = fmax(*term, fmax(unknown_value(s->scale, b->plus), unknown_value(s->scale, b->minus)));
    }
    return sum;
}

/* The equations of the nodes behind a cutset add up to the sum of its currents. */
static double cutset_residual(const struct monitor *s, const struct constraint *c, double *term)
{
    double sum = 0;
    for (size_t i = 0; i < c->row_count; i++)
        sum += s->slip[c->rows[i]];
    for (size_t i = 0; i < c->set->count; i++)
        if (c->set->branches[i]->kind == BRANCH_L)
            *term = fmax(*term, fmax(fabs(unknown_value(s->slope, c->set->branches[i]->current)),
                                     unknown_value(s->scale, c->set->branches[i]->current)));
    return sum;
}

static void note_residual(struct monitor *s, struct constraint *c, double t)
{
    double term = 0;
    const double residual = fabs(c->rows ? cutset_residual(s, c, &term) : loop_residual(s, c->set, &term));
    c->term = fmax(c->term, term);
    if (residual > c->residual) {
        c->residual = residual;
        c->time = t;
    }
}

enum kn_status monitor_look(struct monitor *s, double t, const double *x, const double *dxdt)
{
    if (s->count == 0)
        return KN_OK;
    s->looks++;
    const enum kn_status status = find_slopes(s, t, x, dxdt);
    if (status == KN_ERROR_CIRCUIT) {
        s->blind++;
        return KN_OK;
    }
    if (status != KN_OK)
        return status;
    const struct sparse_pattern *p = mna_dae(s->mna)->pattern;
    memcpy(s->slip, s->dfdt, (size_t)p->n * sizeof *s->slip);
    sparse_multiply_add(p, s->G, s->slope, s->slip);
    for (size_t i = 0; i < s->count; i++)
        note_residual(s, &s->constraints[i], t);
    return KN_OK;
}

/* ---- report ---- */

static double relative(const struct constraint *c)
{
    return c->term > 0 ? c->residual / c->term : 0;
}

static int worse_first(const void *a, const void *b)
{
    const double one = relative(a), other = relative(b);
    return (one < other) - (one > other);
}

static void report_one(const struct constraint *c, struct kn_diagnostics *d)
{
    struct text names = TEXT(300);
    struct text_list list = text_list(&names, " - ", 0);
    for (size_t i = 0; i < c->set->count; i++)
        text_list_add(&list, c->set->branches[i]->element->name);
    text_list_end(&list);
    diagnostics_add(
        d, KN_NOTE, "hidden-constraint", c->set->branches[0]->element->where, NULL,
        "%s %s: d/dt of its %s adds to zero within %.2g of the largest term (largest over the run, at t = %.4g s)",
        c->rows ? "L-I cutset" : "C-V loop", names.at, c->rows ? "currents" : "voltages", relative(c), c->time);
}

void monitor_report(struct monitor *s, struct kn_diagnostics *d)
{
    if (s->count == 0) {
        diagnostics_add(d, KN_NOTE, "hidden-constraint", NOWHERE, NULL,
                        "no hidden constraints: there are neither C-V loops nor L-I cutsets");
        return;
    }
    qsort(s->constraints, s->count, sizeof *s->constraints, worse_first);
    for (size_t i = 0; i < s->count && i < TOPOLOGY_MOST_LISTED; i++)
        report_one(&s->constraints[i], d);
    if (s->count > TOPOLOGY_MOST_LISTED)
        diagnostics_add(d, KN_NOTE, "hidden-constraint", NOWHERE, NULL,
                        "%zu more hidden constraints hold at least as well", s->count - TOPOLOGY_MOST_LISTED);
    if (s->blind > 0)
        diagnostics_add(d, KN_NOTE, "hidden-constraint", NOWHERE, NULL,
                        "at %ld of %ld points the charges did not determine the slopes; these are left out", s->blind,
                        s->looks);
}
