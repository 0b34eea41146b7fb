/* topology_coupling.c - whether the matrix of coupled inductances is positive definite: with all inductances positive it
 * is so exactly if that of the coupling coefficients is (devices/couplings.h).
 */
#include "mna/topology/topology_parts.h"

#include "devices/couplings.h"

#include <stdlib.h>
#include <string.h>

/* Couplings of inductors that are inductive branches; edge [element numbers]: these, -1. */
static bool couplings_between(const struct analysis *a, const int *edge, struct coupling **out, size_t *count)
{
    const struct branch_list *list = &a->t->list;
    *count = 0;
    *out = arena_array(a->memory, list->coupling_count + 1, sizeof **out);
    for (size_t i = 0; *out && i < list->coupling_count; i++)
        if (edge[list->couplings[i].first->number] >= 0 && edge[list->couplings[i].second->number] >= 0)
            (*out)[(*count)++] = list->couplings[i];
    return *out != NULL;
}

/* The branch of every inductor, by the number of its element. */
static int *edges_of_inductors(const struct analysis *a)
{
    const int numbers = coupling_numbers(a->t->list.couplings, a->t->list.coupling_count);
    int *edge = arena_array(a->memory, (size_t)numbers + 1, sizeof *edge);
    for (int i = 0; edge && i < numbers; i++)
        edge[i] = -1;
    for (int e = 0; edge && e < a->branch_count; e++) {
        const struct branch *b = analysis_branch(a, e);
        if (b->kind == BRANCH_L && b->element->number < numbers)
            edge[b->element->number] = e;
    }
    return edge;
}

static bool is_definite(const struct analysis *a, const struct coupling_group *g, const int *edge)
{
    bool positive = g->energy == ENERGY_POSITIVE;
    for (int i = 0; i < g->count; i++)
        positive = positive && !(analysis_branch(a, edge[g->coils[i]->number])->constant < 0);
    return positive;
}

static const char *coupling_text(const struct analysis *a, const struct coupling_group *g, const int *edge)
{
    int edges[TOPOLOGY_MOST_NAMES], shown = 0;
    for (; shown < g->count && shown < TOPOLOGY_MOST_NAMES; shown++)
        edges[shown] = edge[g->coils[shown]->number];
    return arena_format(a->t->memory,
                        "the inductors %s%s are coupled so tightly, or with such signs, that their matrix of "
                        "inductances is not positive definite",
                        name_edges(a, edges, (size_t)shown), g->count > shown ? ", .." : "");
}

bool find_tight_coupling(struct analysis *a, int *edge, const char **text)
{
    struct coupling *list;
    struct coupling_group *groups;
    size_t couplings;
    int count;
    *text = NULL;
    if (a->t->list.coupling_count == 0)
        return true;
    const int *edges = edges_of_inductors(a);
    if (!edges || !couplings_between(a, edges, &list, &couplings) ||
        !coupling_groups(a->memory, list, couplings, MNA_MOST_DENSE, &groups,
                         &count) /* larger ones are judged by diagonal dominance only */)
        return false;
    for (int k = 0; k < count; k++)
        if (!is_definite(a, &groups[k], edges)) {
            *edge = edges[groups[k].coils[0]->number];
            *text = coupling_text(a, &groups[k], edges);
            return *text != NULL;
        }
    return true;
}
