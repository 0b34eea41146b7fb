/* Components, blocks, shortest paths and forests against small known graphs and brute force. */
#include "claims.h"
#include "mna/topology/graph.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 9, EDGES = 14, RED = 1, BLUE = 2 };

static uint64_t state;
static struct arena *memory; /* of all graphs */

static int below(int limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)(state % (uint64_t)limit);
}

static void make_graph(struct graph *g, int nodes, int (*ends)[2], int edges)
{
    CU_ASSERT_FATAL(graph_init(memory, g, nodes, edges));
    for (int e = 0; e < edges; e++)
        g->edges[e] = (struct graph_edge){ends[e][0], ends[e][1], RED};
    graph_link(g);
}

static void random_graph(struct graph *g, uint64_t seed)
{
    state = seed * 0x9E3779B97F4A7C15u + 1;
    int ends[EDGES][2];
    const int nodes = 2 + below(NODES - 1), edges = below(EDGES + 1);
    for (int e = 0; e < edges; e++)
        for (int k = 0; k < 2; k++)
            ends[e][k] = below(nodes);
    make_graph(g, nodes, ends, edges);
    for (int e = 0; e < edges; e++)
        g->edges[e].kinds = below(3) ? RED : BLUE;
}

/* distance[i][k]: fewest edges of the mask, without edge `without` (-1: none); NODES where there is no path (Floyd). */
static void find_distances(const struct graph *g, unsigned mask, int without, int distance[NODES][NODES])
{
    for (int i = 0; i < NODES; i++)
        for (int k = 0; k < NODES; k++)
            distance[i][k] = i == k ? 0 : NODES;
    for (int e = 0; e < g->edge_count; e++)
        if (e != without && (g->edges[e].kinds & mask) && g->edges[e].a != g->edges[e].b)
            distance[g->edges[e].a][g->edges[e].b] = distance[g->edges[e].b][g->edges[e].a] = 1;
    for (int via = 0; via < NODES; via++)
        for (int i = 0; i < NODES; i++)
            for (int k = 0; k < NODES; k++)
                if (distance[i][via] + distance[via][k] < distance[i][k])
                    distance[i][k] = distance[i][via] + distance[via][k];
}

static void components_are_numbered_from_the_first_node(void)
{
    struct graph g;
    int component[5];
    make_graph(&g, 5, (int[][2]){{4, 1}, {2, 3}, {0, 0}}, 3);
    CU_ASSERT_EQUAL(graph_components(&g, RED, component), 3);
    const int expected[5] = {0, 1, 2, 2, 1};
    CU_ASSERT(memcmp(component, expected, sizeof expected) == 0);
    CU_ASSERT_EQUAL(graph_components(&g, BLUE, component), 5);
}

static void components_are_what_paths_connect(void)
{
    for (uint64_t seed = 1; seed <= 500; seed++) {
        struct graph g;
        int component[NODES], distance[NODES][NODES];
        random_graph(&g, seed);
        graph_components(&g, RED, component);
        find_distances(&g, RED, -1, distance);
        for (int i = 0; i < g.node_count; i++)
            for (int k = 0; k < g.node_count; k++)
                CU_ASSERT((component[i] == component[k]) == (distance[i][k] < NODES));
    }
}

static void bridges_are_the_edges_whose_loss_disconnects(void)
{
    for (uint64_t seed = 1; seed <= 500; seed++) {
        struct graph g;
        struct blocks b;
        random_graph(&g, seed);
        CU_ASSERT_FATAL(blocks_find(memory, &g, RED, &b));
        for (int e = 0; e < g.edge_count; e++) {
            int distance[NODES][NODES];
            find_distances(&g, RED, e, distance);
            const bool in_mask = (g.edges[e].kinds & RED) && g.edges[e].a != g.edges[e].b;
            const bool apart = distance[g.edges[e].a][g.edges[e].b] >= NODES;
            CU_ASSERT(blocks_is_bridge(&b, e) == (in_mask && apart));
            CU_ASSERT(blocks_on_loop(&b, e) == (in_mask && !apart));
        }
    }
}

/* Two edges at one node are in one block exactly if the node's loss leaves their other ends connected, or they end at
 * the same node. */
static bool still_connected(const struct graph *g, int node, int from, int to)
{
    bool reached[NODES] = {false};
    reached[from] = true;
    for (int round = 0; round < NODES; round++)
        for (int e = 0; e < g->edge_count; e++) {
            const int a = g->edges[e].a, b = g->edges[e].b;
            if ((g->edges[e].kinds & RED) && a != node && b != node && reached[a] != reached[b])
                reached[a] = reached[b] = true;
        }
    return reached[to];
}

static void blocks_are_the_parts_without_cut_nodes(void)
{
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct graph g;
        struct blocks b;
        random_graph(&g, seed);
        CU_ASSERT_FATAL(blocks_find(memory, &g, RED, &b));
        for (int node = 0; node < g.node_count; node++)
            for (int i = g.start[node]; i < g.start[node + 1]; i++)
                for (int k = g.start[node]; k < g.start[node + 1]; k++) {
                    const struct graph_half p = g.halves[i], q = g.halves[k];
                    if ((g.edges[p.edge].kinds & RED) && (g.edges[q.edge].kinds & RED))
                        CU_ASSERT((b.block[p.edge] == b.block[q.edge]) == still_connected(&g, node, p.node, q.node));
                }
    }
}

static void deep_graphs_need_no_recursion(void)
{
    enum { LENGTH = 300000 };
    struct graph g;
    struct blocks b;
    CU_ASSERT_FATAL(graph_init(memory, &g, LENGTH, LENGTH));
    for (int i = 0; i < LENGTH; i++)
        g.edges[i] = (struct graph_edge){i, (i + 1) % LENGTH, RED};
    graph_link(&g);
    CU_ASSERT_FATAL(blocks_find(memory, &g, RED, &b));
    CU_ASSERT_EQUAL(b.count, 1);
    CU_ASSERT_EQUAL(b.size[0], LENGTH);
}

static int walk(const struct graph *g, int node, const int *path, int length, unsigned mask)
{
    for (int i = 0; i < length; i++) {
        const struct graph_edge *e = &g->edges[path[i]];
        if (!(e->kinds & mask) || (e->a != node && e->b != node))
            return -1;
        node = e->a == node ? e->b : e->a;
    }
    return node;
}

static void paths_are_shortest_and_lead_there(void)
{
    for (uint64_t seed = 1; seed <= 500; seed++) {
        struct graph g;
        struct path_search s;
        int distance[NODES][NODES];
        random_graph(&g, seed);
        find_distances(&g, RED | BLUE, -1, distance);
        CU_ASSERT_FATAL(path_search_init(memory, &s, &g));
        for (int a = 0; a < g.node_count; a++)
            for (int b = 0; b < g.node_count; b++) {
                CU_ASSERT(graph_path(&s, a, b, RED | BLUE) == (distance[a][b] < NODES));
                if (distance[a][b] >= NODES)
                    continue;
                CU_ASSERT_EQUAL(s.path_length, distance[a][b]);
                CU_ASSERT_EQUAL(walk(&g, a, s.path, s.path_length, RED | BLUE), b);
            }
    }
}

static void forests_lead_there_without_going_back(void)
{
    for (uint64_t seed = 1; seed <= 500; seed++) {
        struct graph g;
        struct path_search s;
        struct forest f;
        int component[NODES];
        random_graph(&g, seed);
        graph_components(&g, RED, component);
        CU_ASSERT_FATAL(path_search_init(memory, &s, &g) && forest_init(memory, &f, &g));
        forest_grow(&f, RED);
        for (int a = 0; a < g.node_count; a++)
            for (int b = 0; b < g.node_count; b++) {
                if (component[a] != component[b])
                    continue;
                forest_path(&f, a, b, &s);
                CU_ASSERT(s.path_length < g.node_count);
                CU_ASSERT_EQUAL(walk(&g, a, s.path, s.path_length, RED), b);
            }
    }
}

static void a_hub_costs_nothing_when_the_other_end_is_small(void)
{
    enum { SPOKES = 100000 };
    struct graph g;
    struct path_search s;
    CU_ASSERT_FATAL(graph_init(memory, &g, SPOKES + 1, SPOKES));
    for (int i = 0; i < SPOKES; i++)
        g.edges[i] = (struct graph_edge){0, i + 1, RED};
    graph_link(&g);
    CU_ASSERT_FATAL(path_search_init(memory, &s, &g));
    for (int i = 1; i <= SPOKES; i++)
        CU_ASSERT_FATAL(graph_path(&s, 0, i, RED) && s.path_length == 1);
    CU_ASSERT(s.work <= 2 * SPOKES);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(components_are_numbered_from_the_first_node),
        CLAIM(components_are_what_paths_connect),
        CLAIM(bridges_are_the_edges_whose_loss_disconnects),
        CLAIM(blocks_are_the_parts_without_cut_nodes),
        CLAIM(deep_graphs_need_no_recursion),
        CLAIM(paths_are_shortest_and_lead_there),
        CLAIM(forests_lead_there_without_going_back),
        CLAIM(a_hub_costs_nothing_when_the_other_end_is_small),
    };
    memory = arena_new();
    const int failed = !memory || run_claims("graph", claims, sizeof claims / sizeof claims[0]);
    arena_free(memory);
    return failed;
}
