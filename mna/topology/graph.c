/* graph.c - adjacency and components; see graph.h. */
#include "mna/topology/graph.h"

#include "base/groups.h"

#include <stdlib.h>
#include <string.h>

bool graph_init(struct graph *g, int node_count, int edge_count)
{
    *g = (struct graph){.node_count = node_count, .edge_count = edge_count};
    g->edges = calloc((size_t)edge_count + 1, sizeof *g->edges);
    g->start = calloc((size_t)node_count + 2, sizeof *g->start);
    g->halves = calloc(2 * (size_t)edge_count + 1, sizeof *g->halves);
    if (g->edges && g->start && g->halves)
        return true;
    graph_free(g);
    return false;
}

void graph_free(struct graph *g)
{
    free(g->edges);
    free(g->start);
    free(g->halves);
    *g = (struct graph){0};
}

/* Counting sort of the half edges by node, through start[] shifted by one. */
bool graph_link(struct graph *g)
{
    int *next = calloc((size_t)g->node_count + 1, sizeof *next);
    if (!next)
        return false;
    for (int e = 0; e < g->edge_count; e++)
        if (g->edges[e].a != g->edges[e].b) {
            g->start[g->edges[e].a + 1]++;
            g->start[g->edges[e].b + 1]++;
        }
    for (int i = 0; i < g->node_count; i++) {
        g->start[i + 1] += g->start[i];
        next[i] = g->start[i];
    }
    for (int e = 0; e < g->edge_count; e++) {
        const struct graph_edge *edge = &g->edges[e];
        if (edge->a == edge->b)
            continue;
        g->halves[next[edge->a]++] = (struct graph_half){e, edge->b};
        g->halves[next[edge->b]++] = (struct graph_half){e, edge->a};
    }
    free(next);
    return true;
}

int graph_components(const struct graph *g, unsigned mask, int *component)
{
    groups_separate(component, g->node_count - 1);
    for (int e = 0; e < g->edge_count; e++)
        if (g->edges[e].kinds & mask)
            groups_unite(component, g->edges[e].a, g->edges[e].b);
    for (int i = 0; i < g->node_count; i++)
        component[i] = groups_find(component, i);
    int count = 0;
    for (int i = 0; i < g->node_count; i++) /* a root comes before the nodes it stands for */
        component[i] = component[i] == i ? count++ : component[component[i]];
    return count;
}
