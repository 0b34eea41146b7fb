/* cutset_equations.c - see cutset_equations.h: evaluation and pattern. */
#include "mna/stabilised/cutset_equations.h"

#include "base/rounding.h"
#include "mna/stabilised/cutset_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- evaluation ---- */

static void add_up(const struct cutset_equations *s, double *restrict values)
{
    const struct term *t = s->terms;
    for (const struct term *const end = t + s->term_count; t < end; t++)
        values[t->equation] += t->factor * values[t->other];
}

static void forget_charges(const struct cutset_equations *s, double *restrict charges)
{
    const int *equation = s->uncharged;
    for (const int *const end = equation + s->uncharged_count; equation < end; equation++)
        charges[*equation] = 0;
}

/* Not as a sum of what flows inside, which leaves its rounding. */
static void balance_currents(const struct cutset_equations *s, const double *x, double *restrict f)
{
    const struct cut_current *const end = s->currents + s->current_count;
    for (const struct cut_current *c = s->currents; c < end; c++)
        f[c->equation] = 0;
    for (const struct cut_current *c = s->currents; c < end; c++)
        f[c->equation] += c->factor * x[c->unknown];
}

static void spread(const struct cutset_equations *s, const double *restrict inner, double *restrict values)
{
    const int *restrict place = s->place;
    for (int k = 0; k < s->inner->pattern->entries; k++)
        values[place[k]] = inner[k];
}

static void clear(const struct places *list, double *values)
{
    for (size_t k = 0; k < list->count; k++)
        values[list->at[k]] = 0;
}

/* Adds to the entry of G at their place the additions from `a` on that go there.  Conductances between nodes of a part are none of its
 * sum: what rounding leaves of them would be the time constant of a coil there (L G), and steps as short as that.  Returns where those of
 * the next place begin. */
static const struct addition *add_conductances(const struct cutset_equations *s, const struct addition *a, double *G)
{
    const struct addition *const end = s->additions + s->addition_count;
    const int to = a->to;
    double sum = G[to], size = fabs(sum);
    for (; a < end && a->to == to; a++) {
        sum += a->factor * s->G[a->from];
        size += fabs(a->factor * s->G[a->from]);
    }
    G[to] = fabs(sum) > ROUNDING_SUM * size ? sum : 0;
    return a;
}

static void spread_conductances(const struct cutset_equations *s, double *G)
{
    clear(&s->added, G);
    spread(s, s->G, G);
    for (const struct addition *a = s->additions; a < s->additions + s->addition_count;)
        a = add_conductances(s, a, G);
    clear(&s->of_currents, G);
    for (const struct cut_current *c = s->currents; c < s->currents + s->current_count; c++)
        G[c->place] += c->factor;
}

static void spread_capacitances(const struct cutset_equations *s, double *C)
{
    spread(s, s->C, C);
    clear(&s->of_sums, C);
}

static enum kn_status evaluate(void *problem, double t, const double *x, unsigned what, struct dae_values *out)
{
    const struct cutset_equations *s = problem;
    double *const G = out->G, *const C = out->C;
    out->G = s->G;
    out->C = s->C;
    const enum kn_status status = s->inner->eval(s->inner->problem, t, x, what, out);
    out->G = G;
    out->C = C;
    if (status != KN_OK)
        return status;
    if (what & DAE_F) {
        add_up(s, out->f);
        balance_currents(s, x, out->f);
    }
    if (what & DAE_Q)
        forget_charges(s, out->q);
    if (what & DAE_G)
        spread_conductances(s, G);
    if (what & DAE_C)
        spread_capacitances(s, C);
    if (what & DAE_T) {
        add_up(s, out->dfdt);
        for (const struct cut_current *c = s->currents; c < s->currents + s->current_count; c++)
            out->dfdt[c->equation] = 0;
        forget_charges(s, out->dqdt);
    }
    return KN_OK;
}

/* What flows inside of parts has left its rounding in their sums. */
static void add_cancelled(void *problem, const double *x, double *terms)
{
    const struct cutset_equations *s = problem;
    double *const size = s->sizes;
    memset(size, 0, (size_t)s->inner->n * sizeof *size);
    sparse_multiply_add_absolute(s->inner->pattern, s->G, x, size);
    for (const struct term *t = s->terms; t < s->terms + s->term_count; t++)
        if (!s->is_cut[t->equation])
            terms[t->equation] += fabs(t->factor) * size[t->other];
    for (int i = 0; i < s->inner->n; i++)
        if (s->replaced[i] && !s->is_cut[i])
            terms[i] += size[i];
}

/* ---- the pattern ---- */

/* The places for which `listed` [entries] holds. */
static enum kn_status list_places(struct cutset_equations *s, const bool *listed, struct places *out)
{
    out->at = arena_array(s->memory, (size_t)s->pattern->entries + 1, sizeof *out->at);
    for (int k = 0; out->at && k < s->pattern->entries; k++)
        if (listed[k])
            out->at[out->count++] = k;
    return out->at ? KN_OK : KN_ERROR_MEMORY;
}

static enum kn_status sort_places(struct cutset_equations *s)
{
    const size_t entries = (size_t)s->pattern->entries;
    bool *added = arena_array(s->memory, 3 * entries + 3, sizeof *added), *of_sums = added + entries + 1,
         *of_currents = of_sums + entries + 1;
    if (!added)
        return KN_ERROR_MEMORY;
    for (size_t k = 0; k < entries; k++) {
        added[k] = true;
        of_sums[k] = s->replaced[s->pattern->row[k]];
        of_currents[k] = s->is_cut[s->pattern->row[k]];
    }
    for (int k = 0; k < s->inner->pattern->entries; k++)
        added[s->place[k]] = false; /* of entries that are nowhere: the place behind the last, which nobody reads */
    enum kn_status status = list_places(s, added, &s->added);
    if (status == KN_OK)
        status = list_places(s, of_sums, &s->of_sums);
    return status == KN_OK ? list_places(s, of_currents, &s->of_currents) : status;
}

static int by_place(const void *a, const void *b)
{
    const struct addition *const x = a, *const y = b;
    return x->to != y->to ? (x->to > y->to) - (x->to < y->to) : (x->from > y->from) - (x->from < y->from);
}

static enum kn_status make_pattern(struct cutset_equations *s)
{
    const struct sparse_pattern *p = s->inner->pattern;
    size_t count = (size_t)p->entries;
    for (int k = 0; k < p->entries; k++)
        count += (size_t)(s->first[p->row[k] + 1] - s->first[p->row[k]]);
    count += s->current_count;
    int *rows = arena_array(s->memory, count + 1, sizeof *rows),
        *columns = arena_array(s->memory, count + 1, sizeof *columns);
    s->place = arena_array(s->memory, count + 1, sizeof *s->place);
    s->additions = arena_array(s->memory, count + 1, sizeof *s->additions);
    if (!rows || !columns || !s->place || !s->additions)
        return KN_ERROR_MEMORY;
    count = (size_t)p->entries;
    for (int j = 0; j < p->n; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
            const int row = p->row[k];
            rows[k] = s->is_cut[row] || (s->replaced[row] && !cutset_counts(s, row, j)) ? -1 : row; /* -1: nowhere */
            columns[k] = j;
            for (int t = s->first[row]; t < s->first[row + 1]; t++) {
                if (!cutset_counts(s, s->terms[t].equation, j))
                    continue;
                s->additions[s->addition_count++] = (struct addition){k, 0, s->terms[t].factor};
                rows[count] = s->terms[t].equation;
                columns[count++] = j;
            }
        }
    for (size_t k = 0; k < s->current_count; k++) {
        rows[count] = s->currents[k].equation;
        columns[count++] = s->currents[k].unknown;
    }
    const enum kn_status status = sparse_pattern_new(p->n, rows, columns, count, s->place, &s->pattern);
    for (size_t k = 0; k < s->addition_count; k++)
        s->additions[k].to = s->place[(size_t)p->entries + k];
    for (size_t k = 0; k < s->current_count; k++)
        s->currents[k].place = s->place[(size_t)p->entries + s->addition_count + k];
    qsort(s->additions, s->addition_count, sizeof *s->additions, by_place);
    return status == KN_OK ? sort_places(s) : status;
}

static enum kn_status list_uncharged(struct cutset_equations *s)
{
    s->uncharged = arena_array(s->memory, (size_t)s->inner->n, sizeof *s->uncharged);
    for (int i = 0; s->uncharged && i < s->inner->n; i++)
        if (s->replaced[i])
            s->uncharged[s->uncharged_count++] = i;
    return s->uncharged ? KN_OK : KN_ERROR_MEMORY;
}

static enum kn_status build(struct cutset_equations *s, const struct mna *m, double time, const double *x)
{
    const size_t n = (size_t)s->inner->n;
    s->memory = arena_new();
    if (!s->memory || !(s->terms = arena_array(s->memory, 2 * n, sizeof *s->terms)) ||
        !(s->first = arena_array(s->memory, n + 1, sizeof *s->first)) ||
        !(s->replaced = arena_array(s->memory, n, sizeof *s->replaced)) ||
        !(s->is_cut = arena_array(s->memory, n, sizeof *s->is_cut)) ||
        !(s->is_node = arena_array(s->memory, n, sizeof *s->is_node)) ||
        !arena_vectors(s->memory, (size_t)s->inner->pattern->entries + 1, (double **const[]){&s->G, &s->C, NULL}) ||
        !(s->sizes = arena_array(s->memory, n, sizeof *s->sizes)))
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < n; i++)
        s->is_node[i] = mna_unknown(m, (int)i)->kind == UNKNOWN_VOLTAGE;
    enum kn_status status = cutset_search(s, m, time, x);
    if (status == KN_OK)
        status = list_uncharged(s);
    if (status == KN_OK && s->term_count + s->current_count > 0)
        status = make_pattern(s);
    s->dae.pattern = s->pattern;
    return status;
}

enum kn_status cutset_equations_new(const struct mna *m, double time, const double *x, struct cutset_equations **out)
{
    return cutset_equations_around(mna_dae(m), m, time, x, out);
}

enum kn_status cutset_equations_around(const struct dae *inner, const struct mna *m, double time, const double *x,
                                       struct cutset_equations **out)
{
    struct cutset_equations *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return KN_ERROR_MEMORY;
    s->inner = inner;
    dae_forward(s->inner, s, &s->dae);
    s->dae.eval = evaluate;
    s->dae.cancelled = add_cancelled;
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

bool cutset_equations_have_cuts(const struct cutset_equations *s)
{
    return s->coil_currents > 0;
}

void cutset_equations_forget_charges(const struct cutset_equations *s, double *q)
{
    forget_charges(s, q);
}

const struct dae *cutset_equations_dae(const struct cutset_equations *s)
{
    return &s->dae;
}
