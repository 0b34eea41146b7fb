/* cutset_equations.c - see cutset_equations.h. */
#include "mna/stabilised/cutset_equations.h"

#include "base/arena.h"
#include "base/groups.h"
#include "base/rounding.h"
#include "devices/setup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In equation `equation` stands `factor` times equation `other` beside its own. */
struct term {
    int equation, other;
    double factor;
};

/* The same for entries of G. */
struct addition {
    int from, to; /* places in the inner pattern and in this one */
    double factor;
};

struct cutset_equations {
    const struct dae *inner; /* first: dae_forward */
    struct dae dae;
    struct arena *memory;
    struct sparse_pattern *pattern;
    struct term *terms; /* [term_count] by `other`; what stands there is nowhere `equation` */
    size_t term_count;
    int *first;                 /* [n + 1] terms with the other one i begin at first[i] */
    bool *replaced;             /* [n] equations that are sums */
    int *place;                 /* [inner entries] in the pattern */
    struct addition *additions; /* [addition_count] */
    size_t addition_count;
    double *G, *C; /* [inner entries + 1] */
};

/* ---- evaluation ---- */

static void add_up(const struct cutset_equations *s, double *values)
{
    for (const struct term *t = s->terms; t < s->terms + s->term_count; t++)
        values[t->equation] += t->factor * values[t->other];
}

static void forget_charges(const struct cutset_equations *s, double *charges)
{
    for (const struct term *t = s->terms; t < s->terms + s->term_count; t++)
        charges[t->equation] = 0;
}

static void spread(const struct cutset_equations *s, const double *inner, double *values)
{
    memset(values, 0, ((size_t)s->pattern->entries + 1) * sizeof *values);
    for (int k = 0; k < s->inner->pattern->entries; k++)
        values[s->place[k]] = inner[k];
}

static void spread_conductances(const struct cutset_equations *s, double *G)
{
    spread(s, s->G, G);
    for (size_t k = 0; k < s->addition_count; k++)
        G[s->additions[k].to] += s->additions[k].factor * s->G[s->additions[k].from];
}

static void spread_capacitances(const struct cutset_equations *s, double *C)
{
    spread(s, s->C, C);
    for (int k = 0; k < s->inner->pattern->entries; k++)
        if (s->replaced[s->inner->pattern->row[k]])
            C[s->place[k]] = 0;
}

static enum kn_status evaluate(void *problem, double t, const double *x, unsigned what, struct dae_values *out)
{
    const struct cutset_equations *s = problem;
    struct dae_values inner = *out;
    inner.G = s->G;
    inner.C = s->C;
    const enum kn_status status = s->inner->eval(s->inner->problem, t, x, what, &inner);
    out->limited = inner.limited;
    if (status != KN_OK)
        return status;
    if (what & DAE_F)
        add_up(s, out->f);
    if (what & DAE_Q)
        forget_charges(s, out->q);
    if (what & DAE_G)
        spread_conductances(s, out->G);
    if (what & DAE_C)
        spread_capacitances(s, out->C);
    if (what & DAE_T) {
        add_up(s, out->dfdt);
        forget_charges(s, out->dqdt);
    }
    return KN_OK;
}

/* ---- which equations ---- */

/* Nodes that capacitances join, without ground: the last one's equation becomes the sum. */
static enum kn_status find_cutsets(struct cutset_equations *s, const struct branch_list *list)
{
    const int n = s->dae.n;
    int *group = groups_in(s->memory, n), *last = arena_array(s->memory, (size_t)n + 1, sizeof *last);
    if (!group || !last)
        return KN_ERROR_MEMORY;
    branch_list_unite(list, BRANCH_C, group);
    for (int i = 1; i <= n; i++)
        last[groups_find(group, i)] = i;
    for (int i = 1; i <= n; i++) {
        const int part = groups_find(group, i);
        if (part > 0 && last[part] != i)
            s->terms[s->term_count++] = (struct term){last[part] - 1, i - 1, 1};
    }
    return KN_OK;
}

/* The branch of a constant inductance, NULL if it is none. */
static const struct branch *coil_of(const struct branch_list *list, const struct element *inductor)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->branches[i].element == inductor && list->branches[i].kind == BRANCH_L &&
            !isnan(list->branches[i].constant))
            return &list->branches[i];
    return NULL;
}

/* Windings that share all their flux: voltages in the ratio of the first one's. */
static enum kn_status find_windings(struct cutset_equations *s, const struct branch_list *list)
{
    const struct sparse_pattern *p = s->inner->pattern;
    int *first = groups_in(s->memory, s->dae.n);
    if (!first)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < list->coupling_count; i++) {
        const struct coupling *c = &list->couplings[i];
        const struct branch *a = coil_of(list, c->first), *b = coil_of(list, c->second);
        if (a && b && fabs(c->coefficient) == 1)
            groups_unite(first, a->current, b->current);
    }
    for (int i = 1; i <= s->dae.n; i++) {
        const int base = groups_find(first, i) - 1, mutual = base == i - 1 ? -1 : sparse_pattern_find(p, i - 1, base);
        if (mutual >= 0)
            s->terms[s->term_count++] =
                (struct term){i - 1, base, -s->C[mutual] / s->C[sparse_pattern_find(p, base, base)]};
    }
    return KN_OK;
}

static int by_other(const void *a, const void *b)
{
    const struct term *s = a, *t = b;
    return (s->other > t->other) - (s->other < t->other);
}

static void sort_terms(struct cutset_equations *s)
{
    qsort(s->terms, s->term_count, sizeof *s->terms, by_other);
    for (int i = 0, t = 0; i <= s->dae.n; s->first[i++] = t)
        while (t < (int)s->term_count && s->terms[t].other < i)
            t++;
    for (size_t t = 0; t < s->term_count; t++)
        s->replaced[s->terms[t].equation] = true;
}

/* Adds what entry k of the matrix of charges gives to sums, and the sizes of that. */
static void gather(const struct cutset_equations *s, int k, double *sum, double *size)
{
    const int row = s->inner->pattern->row[k];
    if (s->replaced[row]) {
        sum[row] += s->C[k];
        size[row] += fabs(s->C[k]);
    }
    for (int t = s->first[row]; t < s->first[row + 1]; t++) {
        sum[s->terms[t].equation] += s->terms[t].factor * s->C[k];
        size[s->terms[t].equation] += fabs(s->terms[t].factor * s->C[k]);
    }
}

/* The same of a column is complete. */
static void judge(int equation, double *sum, double *size, bool *charged)
{
    charged[equation] |= fabs(sum[equation]) > ROUNDING_BALANCE * size[equation];
    sum[equation] = size[equation] = 0;
}

/* Sums whose charges are not none, as the numbers in C show, are no good. */
static enum kn_status keep_neutral(struct cutset_equations *s)
{
    const struct sparse_pattern *p = s->inner->pattern;
    const size_t n = (size_t)s->dae.n;
    double *sum, *size;
    bool *charged = arena_array(s->memory, n, sizeof *charged);
    if (!charged || !arena_vectors(s->memory, n, (double **const[]){&sum, &size, NULL}))
        return KN_ERROR_MEMORY;
    for (int j = 0; j < p->n; j++) {
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++)
            gather(s, k, sum, size);
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
            judge(p->row[k], sum, size, charged);
            for (int t = s->first[p->row[k]]; t < s->first[p->row[k] + 1]; t++)
                judge(s->terms[t].equation, sum, size, charged);
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < s->term_count; i++)
        if (!charged[s->terms[i].equation])
            s->terms[kept++] = s->terms[i];
    s->term_count = kept;
    memset(s->replaced, 0, n * sizeof *s->replaced);
    sort_terms(s);
    return KN_OK;
}

static enum kn_status find_sums(struct cutset_equations *s, const struct mna *m, double time, const double *x)
{
    struct branch_list list = {0};
    struct dae_values out = {.C = s->C};
    enum kn_status status = mna_branches(m, &list);
    if (status == KN_OK)
        status = s->inner->eval(s->inner->problem, time, x, DAE_C, &out);
    if (status == KN_OK)
        status = find_cutsets(s, &list);
    if (status == KN_OK)
        status = find_windings(s, &list);
    branch_list_free(&list);
    if (status != KN_OK || s->term_count == 0)
        return status;
    sort_terms(s);
    return keep_neutral(s);
}

/* ---- the pattern ---- */

static enum kn_status make_pattern(struct cutset_equations *s)
{
    const struct sparse_pattern *p = s->inner->pattern;
    size_t count = (size_t)p->entries;
    for (int k = 0; k < p->entries; k++)
        count += (size_t)(s->first[p->row[k] + 1] - s->first[p->row[k]]);
    int *rows = arena_array(s->memory, count + 1, sizeof *rows),
        *columns = arena_array(s->memory, count + 1, sizeof *columns);
    s->place = arena_array(s->memory, count + 1, sizeof *s->place);
    s->additions = arena_array(s->memory, count + 1, sizeof *s->additions);
    if (!rows || !columns || !s->place || !s->additions)
        return KN_ERROR_MEMORY;
    count = (size_t)p->entries;
    for (int j = 0; j < p->n; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
            rows[k] = p->row[k];
            columns[k] = j;
            for (int t = s->first[p->row[k]]; t < s->first[p->row[k] + 1]; t++) {
                s->additions[s->addition_count++] = (struct addition){k, 0, s->terms[t].factor};
                rows[count] = s->terms[t].equation;
                columns[count++] = j;
            }
        }
    const enum kn_status status = sparse_pattern_new(p->n, rows, columns, count, s->place, &s->pattern);
    for (size_t k = 0; k < s->addition_count; k++)
        s->additions[k].to = s->place[(size_t)p->entries + k];
    return status;
}

static enum kn_status build(struct cutset_equations *s, const struct mna *m, double time, const double *x)
{
    const size_t n = (size_t)s->inner->n;
    s->memory = arena_new();
    if (!s->memory || !(s->terms = arena_array(s->memory, 2 * n, sizeof *s->terms)) ||
        !(s->first = arena_array(s->memory, n + 1, sizeof *s->first)) ||
        !(s->replaced = arena_array(s->memory, n, sizeof *s->replaced)) ||
        !arena_vectors(s->memory, (size_t)s->inner->pattern->entries + 1, (double **const[]){&s->G, &s->C, NULL}))
        return KN_ERROR_MEMORY;
    enum kn_status status = find_sums(s, m, time, x);
    if (status == KN_OK && s->term_count > 0)
        status = make_pattern(s);
    s->dae.pattern = s->pattern;
    return status;
}

enum kn_status cutset_equations_new(const struct mna *m, double time, const double *x, struct cutset_equations **out)
{
    struct cutset_equations *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return KN_ERROR_MEMORY;
    s->inner = mna_dae(m);
    dae_forward(s->inner, s, &s->dae);
    s->dae.eval = evaluate;
    const enum kn_status status = build(s, m, time, x);
    if (status == KN_OK && s->pattern)
        *out = s;
    else
        cutset_equations_free(s);
    return status;
}

void cutset_equations_free(struct cutset_equations *s)
{
    if (!s)
        return;
    sparse_pattern_free(s->pattern);
    arena_free(s->memory);
    free(s);
}

const struct dae *cutset_equations_dae(const struct cutset_equations *s)
{
    return &s->dae;
}
