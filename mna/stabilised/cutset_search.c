/* cutset_search.c - which equations become sums, see cutset_equations.h. */
#include "base/array.h"
#include "base/groups.h"
#include "base/rounding.h"
#include "devices/setup.h"
#include "mna/stabilised/cutset_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Which node (from 1) of a part gives its equation away for the sum, [n + 1] by part: one where something leaves the part, since
 * that stands in the sum as well, rather resistances than coils. */
static bool find_bearers(struct cutset_equations *s, const struct branch_list *list, int *group, int **bearer)
{
    *bearer = arena_array(s->memory, (size_t)s->dae.n + 1, sizeof **bearer);
    for (int i = 1; *bearer && i <= s->dae.n; i++)
        (*bearer)[groups_find(group, i)] = i;
    for (int coils = 1; *bearer && coils >= 0; coils--)
        for (size_t i = 0; i < list->count; i++) {
            const struct branch *b = &list->branches[i];
            if ((b->kind == BRANCH_L) != coils || groups_connected(group, b->plus, b->minus))
                continue;
            (*bearer)[groups_find(group, b->plus)] = b->plus;
            (*bearer)[groups_find(group, b->minus)] = b->minus;
        }
    return *bearer != NULL;
}

/* What nodes without capacitance, numbered by their own group, hang on: NOWHERE so far, one part, or SEVERAL, ground among them. */
enum { HANGS_NOWHERE = -1, HANGS_ON_SEVERAL = 0 };

static void hang(int *part_of, int own, int part)
{
    part_of[own] = part_of[own] == HANGS_NOWHERE || part_of[own] == part ? part : HANGS_ON_SEVERAL;
}

/* Nodes without capacitance that hang on one part alone, as that between the secondary and its resistance, belong to it: what flows
 * into them from the part flows back, and in the sum 10 A of it would be 10 mA of tolerance, 10 kV at 1 Mohm. */
static enum kn_status absorb(struct cutset_equations *s, const struct branch_list *list, int *charged)
{
    const int n = s->dae.n;
    int *rest = groups_in(s->memory, n), *part_of = arena_array(s->memory, (size_t)n + 1, sizeof *part_of);
    bool *joined = arena_array(s->memory, (size_t)n + 1, sizeof *joined); /* with others, or with ground */
    if (!rest || !part_of || !joined)
        return KN_ERROR_MEMORY;
    for (int i = 0; i <= n; i++) {
        part_of[i] = HANGS_NOWHERE;
        if (groups_find(charged, i) != i || i == 0)
            joined[i] = joined[groups_find(charged, i)] = true;
    }
    for (size_t i = 0; i < list->count; i++)
        if (!joined[list->branches[i].plus] && !joined[list->branches[i].minus])
            groups_unite(rest, list->branches[i].plus, list->branches[i].minus);
    for (size_t i = 0; i < list->count; i++) {
        const int ends[] = {list->branches[i].plus, list->branches[i].minus};
        for (int e = 0; e < 2; e++)
            if (!joined[ends[e]] && joined[ends[1 - e]])
                hang(part_of, groups_find(rest, ends[e]), groups_find(charged, ends[1 - e]));
    }
    for (int i = 1; i <= n; i++)
        if (!joined[i] && part_of[groups_find(rest, i)] > 0)
            groups_unite(charged, i, part_of[groups_find(rest, i)]);
    return KN_OK;
}

/* Nodes that capacitances join, without ground: the equation of one becomes the sum. */
static enum kn_status find_cutsets(struct cutset_equations *s, const struct branch_list *list, int *charged)
{
    int *bearer;
    branch_list_unite(list, BRANCH_C, charged);
    if (absorb(s, list, charged) != KN_OK)
        return KN_ERROR_MEMORY;
    if (!find_bearers(s, list, charged, &bearer))
        return KN_ERROR_MEMORY;
    for (int i = 1; i <= s->dae.n; i++) {
        const int part = groups_find(charged, i);
        if (part > 0 && bearer[part] != i)
            s->terms[s->term_count++] = (struct term){bearer[part] - 1, i - 1, 1};
    }
    return KN_OK;
}

static bool add_reach(struct cutset_equations *s, int equation, int unknown)
{
    if (unknown < 0)
        return true;
    if (!array_reserve_in(s->memory, &s->reaches, s->reach_count, s->reach_count + 1, &s->reach_capacity,
                          sizeof *s->reaches))
        return false;
    s->reaches[s->reach_count++] = (struct reach){equation, unknown};
    return true;
}

/* What a branch that leaves a part brings into its sum. */
static bool add_branch(struct cutset_equations *s, int equation, const struct branch *b)
{
    bool done = add_reach(s, equation, b->plus - 1) && add_reach(s, equation, b->minus - 1) &&
                add_reach(s, equation, b->current - 1);
    for (size_t i = 0; i < b->control_count && done; i++)
        done = add_reach(s, equation, b->controls[i] - 1);
    return done;
}

static int by_equation(const void *a, const void *b)
{
    const struct reach *r = a, *t = b;
    return r->equation != t->equation ? (r->equation > t->equation) - (r->equation < t->equation)
                                      : (r->unknown > t->unknown) - (r->unknown < t->unknown);
}

/* On what sums of parts depend: on what leaves these.  Inside, conductances add to nothing but rounding. */
static enum kn_status find_reaches(struct cutset_equations *s, const struct branch_list *list, int *charged)
{
    int *bearer;
    bool done = find_bearers(s, list, charged, &bearer);
    for (size_t i = 0; i < list->count && done; i++) {
        const struct branch *b = &list->branches[i];
        const int parts[] = {groups_find(charged, b->plus), groups_find(charged, b->minus)};
        for (int end = 0; end < 2 && done && parts[0] != parts[1]; end++)
            if (parts[end] > 0)
                done = add_branch(s, bearer[parts[end]] - 1, b);
    }
    if (s->reach_count > 0)
        qsort(s->reaches, s->reach_count, sizeof *s->reaches, by_equation);
    return done ? KN_OK : KN_ERROR_MEMORY;
}

bool cutset_counts(const struct cutset_equations *s, int equation, int column)
{
    const struct reach key = {equation, column};
    return !s->is_node[equation] ||
           (s->reach_count > 0 && bsearch(&key, s->reaches, s->reach_count, sizeof key, by_equation));
}

/* Whether the equations of every part add up to its currents, as the numbers in G show; balanced [n + 1] by part. */
static enum kn_status judge_balances(const struct cutset_equations *s, int *group, bool *balanced)
{
    const struct sparse_pattern *p = s->inner->pattern;
    const size_t n = (size_t)p->n + 1;
    double *sum, *size;
    int *ends =
        arena_array(s->memory, 2 * n, sizeof *ends); /* the currents of coil j that leave parts, from 1; 0: none */
    if (!ends || !arena_vectors(s->memory, n, (double **const[]){&sum, &size, NULL}))
        return KN_ERROR_MEMORY;
    memset(balanced, true, n);
    for (size_t i = 0; i < s->current_count; i++)
        ends[2 * s->currents[i].unknown + (ends[2 * s->currents[i].unknown] != 0)] = (int)i + 1;
    for (int j = 0; j < p->n; j++) {
        for (int end = 0; end < 2 && ends[2 * j + end] > 0; end++) {
            const struct cut_current *c = &s->currents[ends[2 * j + end] - 1];
            sum[groups_find(group, c->equation + 1)] -= c->factor;
        }
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
            sum[groups_find(group, p->row[k] + 1)] += s->G[k];
            size[groups_find(group, p->row[k] + 1)] += fabs(s->G[k]);
        }
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
            const int part = groups_find(group, p->row[k] + 1);
            balanced[part] = balanced[part] && fabs(sum[part]) <= ROUNDING_BALANCE * size[part];
            sum[part] = size[part] = 0;
        }
    }
    return KN_OK;
}

static void add_current(struct cutset_equations *s, int *group, const int *bearer, const struct branch *b, int node)
{
    const int part = groups_find(group, node);
    const bool inside = part == groups_find(group, b->plus) && part == groups_find(group, b->minus);
    if (part > 0 && !inside && b->current > 0)
        s->currents[s->current_count++] =
            (struct cut_current){bearer[part] - 1, b->current - 1, 0, node == b->plus ? 1 : -1};
}

/* Parts that hang on coils alone: in place of the sum of an equation that charges drown, or of the last node's, the currents of
 * the coils add to zero. */
static enum kn_status find_coil_cutsets(struct cutset_equations *s, const struct branch_list *list, int *charged)
{
    int *group = groups_in(s->memory, s->dae.n), *bearer, *bearer_of_charges;
    int *size = arena_array(s->memory, (size_t)s->dae.n + 1, sizeof *size);
    bool *balanced = arena_array(s->memory, (size_t)s->dae.n + 1, sizeof *balanced);
    s->currents = arena_array(s->memory, 2 * list->count + 1, sizeof *s->currents);
    for (enum branch_kind kind = BRANCH_R; group && kind <= BRANCH_I; kind++)
        if (kind != BRANCH_L)
            branch_list_unite(list, kind, group);
    if (!group || !balanced || !size || !s->currents || !find_bearers(s, list, group, &bearer) ||
        !find_bearers(s, list, charged, &bearer_of_charges))
        return KN_ERROR_MEMORY;
    for (int i = 1; i <= s->dae.n; i++)
        size[groups_find(group, i)]++;
    for (size_t i = 0; i < list->count; i++)
        if (list->branches[i].kind == BRANCH_L) {
            add_current(s, group, bearer, &list->branches[i], list->branches[i].plus);
            add_current(s, group, bearer, &list->branches[i], list->branches[i].minus);
        }
    const enum kn_status status = judge_balances(s, group, balanced);
    size_t kept = 0;
    for (size_t i = 0; i < s->current_count && status == KN_OK; i++) {
        struct cut_current c = s->currents[i];
        const int part = groups_find(group, c.equation + 1);
        if (!balanced[part] || size[part] == 1) /* that of a single node is its own equation */
            continue;
        c.equation = bearer_of_charges[groups_find(charged, c.equation + 1)] - 1;
        s->currents[kept++] = c;
    }
    s->current_count = kept;
    s->coil_currents = kept;
    return status;
}

/* What a balance of currents replaces is no sum. */
static void leave_to_currents(struct cutset_equations *s)
{
    size_t kept = 0;
    for (const struct cut_current *c = s->currents; c < s->currents + s->current_count; c++)
        s->replaced[c->equation] = s->is_cut[c->equation] = true;
    for (size_t t = 0; t < s->term_count; t++)
        if (!s->is_cut[s->terms[t].equation])
            s->terms[kept++] = s->terms[t];
    s->term_count = kept;
}

/* Unknowns (from 1) of the currents of constant inductances by the number of the element, 0 for others. */
static int *list_coils(struct arena *memory, const struct mna *m, const struct branch_list *list)
{
    int *coils = arena_array(memory, mna_circuit(m)->element_count, sizeof *coils);
    for (size_t i = 0; coils && i < list->count; i++)
        if (list->branches[i].kind == BRANCH_L && !isnan(list->branches[i].constant))
            coils[list->branches[i].element->number] = list->branches[i].current;
    return coils;
}

/* Windings that share all their flux: voltages in the ratio of the first one's. */
static enum kn_status find_windings(struct cutset_equations *s, const struct mna *m, const struct branch_list *list)
{
    const struct sparse_pattern *p = s->inner->pattern;
    int *first = groups_in(s->memory, s->dae.n), *coils = list_coils(s->memory, m, list);
    if (!first || !coils)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < list->coupling_count; i++) {
        const struct coupling *c = &list->couplings[i];
        const int a = coils[c->first->number], b = coils[c->second->number];
        if (fabs(c->coefficient) == 1 && a > 0 && b > 0)
            groups_unite(first, a, b);
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

/* Adds what entry k of a matrix gives to sums, and the sizes of that. */
static void gather(const struct cutset_equations *s, const double *values, int k, double *sum, double *size)
{
    const int row = s->inner->pattern->row[k];
    if (s->replaced[row]) {
        sum[row] += values[k];
        size[row] += fabs(values[k]);
    }
    for (int t = s->first[row]; t < s->first[row + 1]; t++) {
        sum[s->terms[t].equation] += s->terms[t].factor * values[k];
        size[s->terms[t].equation] += fabs(s->terms[t].factor * values[k]);
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
            gather(s, s->C, k, sum, size);
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

/* A reach that no branch tells but the numbers in G show. */
static bool reaches_far(const struct cutset_equations *s, int equation, int column, double *sum, double *size)
{
    const bool far = fabs(sum[equation]) > ROUNDING_BALANCE * size[equation] && !cutset_counts(s, equation, column);
    sum[equation] = size[equation] = 0;
    return far;
}

/* Behind those that are sorted already. */
static bool add_late(struct cutset_equations *s, size_t *all, int equation, int unknown)
{
    const size_t sorted = s->reach_count;
    s->reach_count = *all;
    const bool done = add_reach(s, equation, unknown);
    *all = s->reach_count;
    s->reach_count = sorted;
    return done;
}

static enum kn_status complete_reaches(struct cutset_equations *s)
{
    const struct sparse_pattern *p = s->inner->pattern;
    double *sum, *size;
    bool done = arena_vectors(s->memory, (size_t)p->n, (double **const[]){&sum, &size, NULL});
    const size_t told = s->reach_count;
    size_t all = told;
    for (int j = 0; j < p->n && done; j++) {
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++)
            gather(s, s->G, k, sum, size);
        for (int k = p->column_start[j]; k < p->column_start[j + 1] && done; k++) {
            if (reaches_far(s, p->row[k], j, sum, size))
                done = add_late(s, &all, p->row[k], j);
            for (int t = s->first[p->row[k]]; t < s->first[p->row[k] + 1] && done; t++)
                if (reaches_far(s, s->terms[t].equation, j, sum, size))
                    done = add_late(s, &all, s->terms[t].equation, j);
        }
    }
    s->reach_count = all;
    if (all > told)
        qsort(s->reaches, all, sizeof *s->reaches, by_equation);
    return done ? KN_OK : KN_ERROR_MEMORY;
}

enum kn_status cutset_search(struct cutset_equations *s, const struct mna *m, double time, const double *x)
{
    struct branch_list list = {0};
    struct dae_values out = {.G = s->G, .C = s->C};
    int *charged = groups_in(s->memory, s->dae.n), *bearer;
    enum kn_status status = charged ? mna_branches(m, &list) : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = s->inner->eval(s->inner->problem, time, x, DAE_G | DAE_C, &out);
    if (status == KN_OK)
        status = find_cutsets(s, &list, charged);
    if (status == KN_OK)
        status = find_windings(s, m, &list);
    if (status == KN_OK)
        status = find_coil_cutsets(s, &list, charged);
    if (status == KN_OK)
        status = find_reaches(s, &list, charged);
    if (status != KN_OK) {
        branch_list_free(&list);
        return status;
    }
    sort_terms(s);
    status = keep_neutral(s);
    if (status == KN_OK)
        status =
            find_bearers(s, &list, charged, &bearer) ? cutset_balances(s, &list, charged, bearer) : KN_ERROR_MEMORY;
    branch_list_free(&list);
    leave_to_currents(s);
    sort_terms(s);
    return status == KN_OK ? complete_reaches(s) : status;
}
