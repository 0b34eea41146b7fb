/* graph.c - adjacency and components; see graph.h. */
#include "mna/topology/graph.h"

#include "base/groups.h"

bool graph_init(struct arena *memory, struct graph *g, int node_count, int edge_count)
{
    *g = (struct graph){.node_count = node_count, .edge_count = edge_count};
    g->edges = arena_array(memory, (size_t)edge_count + 1, sizeof *g->edges);
    g->start = arena_array(memory, (size_t)node_count + 2, sizeof *g->start);
    g->halves = arena_array(memory, 2 * (size_t)edge_count + 1, sizeof *g->halves);
    return g->edges && g->start && g->halves;
}

/* Counting sort of the half edges by node: start[i + 1] moves from where node i begins to where it ends. */
void graph_link(struct graph *g)
{
    for (int e = 0; e < g->edge_count; e++)
        if (g->edges[e].a != g->edges[e].b) {
            g->start[g->edges[e].a + 2]++;
            g->start[g->edges[e].b + 2]++;
        }
    for (int i = 1; i < g->node_count; i++)
        g->start[i + 1] += g->start[i];
    for (int e = 0; e < g->edge_count; e++) {
        const struct graph_edge *edge = &g->edges[e];
        if (edge->a == edge->b)
            continue;
        g->halves[g->start[edge->a + 1]++] = (struct graph_half){e, edge->b};
        g->halves[g->start[edge->b + 1]++] = (struct graph_half){e, edge->a};
    }
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
