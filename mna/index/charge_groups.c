/* charge_groups.c - see charge_groups.h. */
#include "mna/index/charge_groups.h"

#include "base/groups.h"
#include "base/rounding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void join(struct charge_groups *g, const struct sparse_pattern *p, const double *C)
{
    for (int j = 0; j < p->n; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++)
            if (C[k] != 0)
                groups_unite(g->group, p->row[k] + 1, j + 1);
}

bool charge_groups_is_charge(double sum, double size)
{
    return fabs(sum) > ROUNDING_SAME * size;
}

/* Sums of the columns' and rows' entries; all entries of a column or row belong to one group. */
static void find_charged(struct charge_groups *g, const struct sparse_pattern *p, const double *C, double *row_sum,
                         double *row_size)
{
    for (int j = 0; j < p->n; j++) {
        double sum = 0, size = 0;
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++) {
            sum += C[k];
            size += fabs(C[k]);
            row_sum[p->row[k]] += C[k];
            row_size[p->row[k]] += fabs(C[k]);
        }
        if (charge_groups_is_charge(sum, size))
            g->sum_charged[groups_find(g->group, j + 1)] = true;
    }
    for (int i = 0; i < p->n; i++) {
        g->stores[i] = row_size[i] > 0;
        if (charge_groups_is_charge(row_sum[i], row_size[i]))
            g->shift_felt[groups_find(g->group, i + 1)] = true;
    }
}

enum kn_status charge_groups_init(struct charge_groups *g, const struct sparse_pattern *p, const double *C)
{
    const size_t n = (size_t)p->n;
    *g = (struct charge_groups){.n = p->n,
                                .group = groups_new(p->n),
                                .shift_felt = calloc(n + 1, sizeof *g->shift_felt),
                                .sum_charged = calloc(n + 1, sizeof *g->sum_charged),
                                .stores = calloc(n + 1, sizeof *g->stores),
                                .tied = calloc(n + 1, sizeof *g->tied),
                                .inflow = calloc(n + 1, sizeof *g->inflow)};
    double *sums = calloc(2 * n, sizeof *sums);
    const bool complete = g->group && g->shift_felt && g->sum_charged && g->stores && g->tied && g->inflow && sums;
    if (complete) {
        join(g, p, C);
        find_charged(g, p, C, sums, sums + n);
    } else {
        charge_groups_free(g);
    }
    free(sums);
    return complete ? KN_OK : KN_ERROR_MEMORY;
}

/* Whether unknown k is the current of a source: it enters by G only, and its own equation does not contain it. */
static bool is_source_current(const struct sparse_pattern *p, const double *G, const double *C, int k)
{
    for (int e = p->column_start[k]; e < p->column_start[k + 1]; e++)
        if (C[e] != 0 || (p->row[e] == k && G[e] != 0))
            return false;
    return true;
}

/* Fills g->inflow with what the current k brings into each group: nothing where it only goes round inside. */
static void gather(const struct charge_groups *g, const struct sparse_pattern *p, const double *G, int k)
{
    for (int e = p->column_start[k]; e < p->column_start[k + 1]; e++)
        g->inflow[groups_find(g->group, p->row[e] + 1)] += G[e];
}

static void forget(const struct charge_groups *g, const struct sparse_pattern *p, int k)
{
    for (int e = p->column_start[k]; e < p->column_start[k + 1]; e++)
        g->inflow[groups_find(g->group, p->row[e] + 1)] = 0;
}

static void tie_by_current(struct charge_groups *g, const struct sparse_pattern *p, const double *G, int k)
{
    gather(g, p, G, k);
    for (int e = p->column_start[k]; e < p->column_start[k + 1]; e++) {
        const int group = groups_find(g->group, p->row[e] + 1);
        g->tied[group] = g->tied[group] || g->inflow[group] != 0;
    }
    forget(g, p, k);
}

void charge_groups_find_tied(struct charge_groups *g, const struct sparse_pattern *p, const double *G, const double *C)
{
    for (int k = 0; k < p->n; k++)
        if (is_source_current(p, G, C, k))
            tie_by_current(g, p, G, k);
}

void charge_groups_free(struct charge_groups *g)
{
    free(g->group);
    free(g->shift_felt);
    free(g->sum_charged);
    free(g->stores);
    free(g->tied);
    free(g->inflow);
    memset(g, 0, sizeof *g);
}

int charge_groups_shift(const struct charge_groups *g, int i)
{
    const int representative = groups_find(g->group, i + 1);
    return g->shift_felt[representative] ? -1 : representative - 1;
}

int charge_groups_sum(const struct charge_groups *g, int i)
{
    const int representative = groups_find(g->group, i + 1);
    if (!g->sum_charged[representative])
        return representative - 1;
    return g->stores[i] ? -1 : i;
}

bool charge_groups_is_loose(const struct charge_groups *g, int i)
{
    const int representative = groups_find(g->group, i + 1);
    return !g->shift_felt[representative] && !g->tied[representative];
}

/* ---- time constants of groups ---- */

/* Groups by capacitances from `least` on. */
struct shifts {
    const struct sparse_pattern *p;
    const double *G, *C;
    struct charge_groups groups;
    double *capacitance, *size, *conductance; /* [n + 1] sums over a group, by representative */
};

static void find_range(const struct sparse_pattern *p, const double *C, double *least, double *most)
{
    *least = INFINITY;
    *most = 0;
    for (int j = 0; j < p->n; j++)
        for (int k = p->column_start[j]; k < p->column_start[j + 1]; k++)
            if (p->row[k] != j && C[k] != 0) {
                *least = fmin(*least, fabs(C[k]));
                *most = fmax(*most, fabs(C[k]));
            }
}

/* True if groups have grown. */
static bool join_from(struct shifts *s, double least)
{
    bool grown = false;
    for (int j = 0; j < s->p->n; j++)
        for (int k = s->p->column_start[j]; k < s->p->column_start[j + 1]; k++) {
            if (fabs(s->C[k]) < least || groups_connected(s->groups.group, s->p->row[k] + 1, j + 1))
                continue;
            groups_unite(s->groups.group, s->p->row[k] + 1, j + 1);
            grown = true;
        }
    return grown;
}

static void add_up(struct shifts *s)
{
    const size_t bytes = ((size_t)s->p->n + 1) * sizeof(double);
    memset(s->capacitance, 0, bytes);
    memset(s->size, 0, bytes);
    memset(s->conductance, 0, bytes);
    for (int j = 0; j < s->p->n; j++) {
        const int group = groups_find(s->groups.group, j + 1);
        for (int k = s->p->column_start[j]; k < s->p->column_start[j + 1]; k++) {
            if (groups_find(s->groups.group, s->p->row[k] + 1) != group)
                continue;
            s->capacitance[group] += s->C[k];
            s->size[group] += fabs(s->C[k]);
            s->conductance[group] += s->G[k];
        }
    }
}

static bool is_free(const struct shifts *s, int group)
{
    return !s->groups.tied[group] && fabs(s->capacitance[group]) > ROUNDING_SAME * s->size[group];
}

static double shortest_with_resistors(const struct shifts *s)
{
    double shortest = INFINITY;
    for (int r = 1; r <= s->p->n; r++)
        if (s->groups.group[r] == r && s->conductance[r] != 0 && is_free(s, r))
            shortest = fmin(shortest, fabs(s->capacitance[r] / s->conductance[r]));
    return shortest;
}

static double shortest_with_inductor(const struct shifts *s, int j, double inductance)
{
    double shortest = INFINITY;
    gather(&s->groups, s->p, s->G, j);
    for (int k = s->p->column_start[j]; k < s->p->column_start[j + 1]; k++) {
        const int group = groups_find(s->groups.group, s->p->row[k] + 1);
        const double turns = s->p->row[k] != j ? s->groups.inflow[group] : 0;
        if (turns != 0 && is_free(s, group))
            shortest = fmin(shortest, sqrt(fabs(s->capacitance[group] * inductance)) / fabs(turns));
    }
    forget(&s->groups, s->p, j);
    return shortest;
}

static double shortest_of(const struct shifts *s)
{
    double shortest = shortest_with_resistors(s);
    for (int j = 0; j < s->p->n; j++) {
        const double inductance = s->C[sparse_pattern_find(s->p, j, j)];
        if (inductance < 0) /* rows of inductors hold minus their flux */
            shortest = fmin(shortest, shortest_with_inductor(s, j, inductance));
    }
    return shortest;
}

static double over_all_sizes(struct shifts *s)
{
    double shortest = INFINITY, least, most;
    find_range(s->p, s->C, &least, &most);
    for (double from = most / 2; from > 0 && from >= least / 10; from /= 10) {
        if (!join_from(s, fmax(from, least)))
            continue;
        memset(s->groups.tied, 0, ((size_t)s->p->n + 1) * sizeof *s->groups.tied);
        charge_groups_find_tied(&s->groups, s->p, s->G, s->C);
        add_up(s);
        shortest = fmin(shortest, shortest_of(s));
    }
    return shortest;
}

static enum kn_status shifts_init(struct shifts *s, const struct sparse_pattern *p, const double *G, const double *C)
{
    const size_t n = (size_t)p->n;
    double *sums = calloc(3 * (n + 1), sizeof *sums);
    *s = (struct shifts){p,
                         G,
                         C,
                         {.n = p->n,
                          .group = groups_new(p->n),
                          .tied = calloc(n + 1, sizeof *s->groups.tied),
                          .inflow = calloc(n + 1, sizeof *s->groups.inflow)},
                         sums,
                         sums + n + 1,
                         sums + 2 * (n + 1)};
    return sums && s->groups.group && s->groups.tied && s->groups.inflow ? KN_OK : KN_ERROR_MEMORY;
}

static void shifts_free(struct shifts *s)
{
    charge_groups_free(&s->groups);
    free(s->capacitance);
}

enum kn_status charge_groups_shortest(const struct sparse_pattern *p, const double *G, const double *C,
                                      double *shortest)
{
    struct shifts s;
    const enum kn_status status = shifts_init(&s, p, G, C);
    *shortest = status == KN_OK ? over_all_sizes(&s) : INFINITY;
    shifts_free(&s);
    return status;
}

/* ---- of inductors ---- */

/* Joins nodes by currents of sources, of one end with ground (0). */
static void join_by_currents(struct shifts *s)
{
    for (int k = 0; k < s->p->n; k++) {
        double sum = 0;
        int first = 0;
        if (!is_source_current(s->p, s->G, s->C, k))
            continue;
        for (int e = s->p->column_start[k]; e < s->p->column_start[k + 1]; e++) {
            if (s->G[e] == 0)
                continue;
            first = first ? first : s->p->row[e] + 1;
            groups_unite(s->groups.group, first, s->p->row[e] + 1);
            sum += s->G[e];
        }
        if (sum != 0)
            groups_unite(s->groups.group, 0, first);
    }
}

/* L/R, or sqrt(LC) where a source joins the node with a capacitance that it does not show itself. */
static double shortest_of_coil(const struct shifts *s, int j, double inductance)
{
    double shortest = INFINITY;
    const int ground = groups_find(s->groups.group, 0);
    gather(&s->groups, s->p, s->G, j);
    for (int k = s->p->column_start[j]; k < s->p->column_start[j + 1]; k++) {
        const int group = groups_find(s->groups.group, s->p->row[k] + 1);
        const double turns = s->p->row[k] != j ? s->groups.inflow[group] : 0;
        const double capacitance = fabs(s->capacitance[group]);
        if (turns == 0 || group == ground)
            continue;
        if (s->size[group] == 0 && s->conductance[group] != 0)
            shortest = fmin(shortest, fabs(inductance * s->conductance[group]) / (turns * turns));
        else if (capacitance > ROUNDING_SAME * s->size[group])
            shortest = fmin(shortest, sqrt(capacitance * fabs(inductance)) / fabs(turns));
    }
    forget(&s->groups, s->p, j);
    return shortest;
}

enum kn_status charge_groups_shortest_with_coils(const struct sparse_pattern *p, const double *G, const double *C,
                                                 double *shortest)
{
    struct shifts s;
    const enum kn_status status = shifts_init(&s, p, G, C);
    *shortest = INFINITY;
    if (status == KN_OK) {
        join_by_currents(&s);
        add_up(&s);
    }
    for (int j = 0; j < p->n && status == KN_OK; j++) {
        const double inductance = C[sparse_pattern_find(p, j, j)];
        if (inductance != 0)
            *shortest = fmin(*shortest, shortest_of_coil(&s, j, inductance));
    }
    shifts_free(&s);
    return status;
}
