/* topology_coupling.c - whether the matrix of coupled inductances is positive definite.
 *
 * With all inductances positive it is so exactly if the matrix of the coupling coefficients with ones on the diagonal
 * has a Cholesky factor.  Each group of inductors that couplings connect is a matrix of its own.
 */
#include "mna/topology/topology_parts.h"

#include "base/groups.h"
#include "base/rounding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Groups beyond this size are judged by diagonal dominance only. */
enum { MOST_COUPLED = 500 };

struct coils {
    struct analysis *a;
    int *place;  /* [element count] place of an inductor's element among the coils, -1 */
    int *branch; /* [count] */
    int count;
    int *groups;
    double *row_sum; /* [count] of |k| */
};

static int largest_number(const struct branch_list *list)
{
    int largest = 0;
    for (size_t i = 0; i < list->coupling_count; i++) {
        const int first = list->couplings[i].first->number, second = list->couplings[i].second->number;
        largest = first > largest ? first : largest;
        largest = second > largest ? second : largest;
    }
    return largest;
}

static bool coils_init(struct coils *c, struct analysis *a)
{
    const int numbers = largest_number(&a->t->list) + 1;
    *c = (struct coils){.a = a};
    c->place = arena_array(a->memory, (size_t)numbers, sizeof *c->place);
    c->branch = arena_array(a->memory, (size_t)a->branch_count + 1, sizeof *c->branch);
    c->row_sum = arena_array(a->memory, (size_t)a->branch_count + 1, sizeof *c->row_sum);
    if (!c->place || !c->branch || !c->row_sum)
        return false;
    for (int i = 0; i < numbers; i++)
        c->place[i] = -1;
    for (int e = 0; e < a->branch_count; e++) {
        const struct branch *b = analysis_branch(a, e);
        if (b->kind != BRANCH_L || b->element->number >= numbers)
            continue;
        c->place[b->element->number] = c->count;
        c->branch[c->count++] = e;
    }
    return (c->groups = groups_in(a->memory, c->count)) != NULL;
}

static bool has_coils(const struct coils *c, const struct coupling *k)
{
    return c->place[k->first->number] >= 0 && c->place[k->second->number] >= 0;
}

static bool dominates(const struct coils *c, const int *members, int count)
{
    for (int i = 0; i < count; i++)
        if (!(c->row_sum[members[i]] < 1))
            return false;
    return true;
}

/* Cholesky in place on the lower triangle of m [count][count]. */
static bool is_definite(double *m, int count)
{
    for (int j = 0; j < count; j++) {
        double pivot = m[j * count + j];
        for (int k = 0; k < j; k++)
            pivot -= m[j * count + k] * m[j * count + k];
        if (!(pivot > ROUNDING_SOLVED))
            return false;
        m[j * count + j] = sqrt(pivot);
        for (int i = j + 1; i < count; i++) {
            double sum = m[i * count + j];
            for (int k = 0; k < j; k++)
                sum -= m[i * count + k] * m[j * count + k];
            m[i * count + j] = sum / m[j * count + j];
        }
    }
    return true;
}

static void fill_coefficients(const struct coils *c, const int *place_in_group, int group, double *m, int count)
{
    for (int i = 0; i < count; i++)
        m[i * count + i] = 1;
    const struct branch_list *list = &c->a->t->list;
    for (size_t i = 0; i < list->coupling_count; i++) {
        const struct coupling *k = &list->couplings[i];
        if (!has_coils(c, k) || groups_find(c->groups, c->place[k->first->number]) != group)
            continue;
        const int p = place_in_group[c->place[k->first->number]], q = place_in_group[c->place[k->second->number]];
        m[p * count + q] += k->coefficient;
        m[q * count + p] += k->coefficient;
    }
}

/* members [count]: coils of one group; place_in_group: workspace [c->count]. */
static bool group_is_definite(const struct coils *c, const int *members, int count, int *place_in_group, bool *definite)
{
    *definite = dominates(c, members, count);
    for (int i = 0; i < count; i++) {
        place_in_group[members[i]] = i;
        if (analysis_branch(c->a, c->branch[members[i]])->constant < 0) {
            *definite = false;
            return true;
        }
    }
    if (*definite || count > MOST_COUPLED)
        return true;
    double *m = arena_array(c->a->memory, (size_t)count * (size_t)count, sizeof *m);
    if (!m)
        return false;
    fill_coefficients(c, place_in_group, groups_find(c->groups, members[0]), m, count);
    *definite = is_definite(m, count);
    return true;
}

static const char *coupling_text(const struct coils *c, const int *members, int count)
{
    int edges[6], shown = 0;
    for (; shown < count && shown < 6; shown++)
        edges[shown] = c->branch[members[shown]];
    return arena_format(c->a->t->memory,
                        "the inductors %s%s are coupled so tightly, or with such signs, that their matrix of "
                        "inductances is not positive definite",
                        name_edges(c->a, edges, (size_t)shown), count > shown ? ", .." : "");
}

/* Stops at the first group that is not definite. */
static bool check_groups(const struct coils *c, int *edge, const char **text)
{
    int *members, *first;
    int *place_in_group = arena_array(c->a->memory, (size_t)c->count + 1, sizeof *place_in_group);
    for (int i = 0; i < c->count; i++)
        c->groups[i] = groups_find(c->groups, i);
    if (!place_in_group || !groups_sort(c->a->memory, c->groups, c->count, c->count, &members, &first))
        return false;
    for (int k = 0; k < c->count; k++) {
        const int count = first[k + 1] - first[k];
        bool definite = true;
        if (count > 1 && !group_is_definite(c, members + first[k], count, place_in_group, &definite))
            return false;
        if (definite)
            continue;
        *edge = c->branch[members[first[k]]];
        *text = coupling_text(c, members + first[k], count);
        return *text != NULL;
    }
    return true;
}

bool find_tight_coupling(struct analysis *a, int *edge, const char **text)
{
    const struct branch_list *list = &a->t->list;
    *text = NULL;
    if (list->coupling_count == 0)
        return true;
    struct coils c;
    const bool good = coils_init(&c, a);
    for (size_t i = 0; good && i < list->coupling_count; i++) {
        const struct coupling *k = &list->couplings[i];
        if (!has_coils(&c, k))
            continue;
        groups_unite(c.groups, c.place[k->first->number], c.place[k->second->number]);
        c.row_sum[c.place[k->first->number]] += fabs(k->coefficient);
        c.row_sum[c.place[k->second->number]] += fabs(k->coefficient);
    }
    return good && check_groups(&c, edge, text);
}
