/* graph.h - undirected graphs with coloured edges, and the searches that the topology of circuits needs.
 *
 * An edge carries a set of bits (its kinds); every search is given a mask and sees only edges that share a bit with it,
 * so that one adjacency serves all subgraphs.  Parallel edges and loops of one edge are allowed.  Everything is
 * iterative and linear in nodes and edges, apart from graph_path.  Results live in an
 * arena; functions that return bool return false without memory.
 */
#ifndef MNA_TOPOLOGY_GRAPH_H
#define MNA_TOPOLOGY_GRAPH_H

#include "base/arena.h"

#include <stdbool.h>

struct graph_edge {
    int a, b;
    unsigned kinds;
};

struct graph_half {
    int edge, node; /* the edge and the node at its other end */
};

struct graph {
    int node_count, edge_count;
    struct graph_edge *edges;  /* kinds may be changed at any time, ends only before graph_link */
    int *start;                /* [node_count + 2]; the last one is workspace */
    struct graph_half *halves; /* those of node i are start[i] .. start[i + 1]; loops of one edge are left out */
};

/* Room for the edges, which the caller fills in; then graph_link. */
bool graph_init(struct arena *memory, struct graph *g, int node_count, int edge_count);
void graph_link(struct graph *g);

/* component[node_count]: numbers from 0 in the order of their first nodes, so that node 0 is in component 0. Returns
 * how many there are. */
int graph_components(const struct graph *g, unsigned mask, int *component);

/* ---- blocks: the maximal parts without a cut node (Tarjan, SIAM J. Comput. 1, 1972) ---- */

struct blocks {
    int count;
    int *block;       /* [edge_count] -1 for edges outside the mask and loops of one edge */
    int *size;        /* [count] edges; a block of one edge is a bridge */
    int *parent_edge; /* [node_count] towards the root of the search tree; -1 at roots. Roots: the smallest node of each
                         component */
    int *order;       /* [node_count] all nodes in the order of discovery */
};

bool blocks_find(struct arena *memory, const struct graph *g, unsigned mask, struct blocks *out);
/* False for edges outside the mask, too. */
bool blocks_is_bridge(const struct blocks *b, int edge);
/* True when a loop of at least two edges passes through the edge. */
bool blocks_on_loop(const struct blocks *b, int edge);

/* ---- shortest paths ---- */

/* Workspace for many searches in one graph; its size does not matter to the time of a search. */
struct path_search {
    const struct graph *graph;
    long work; /* half edges looked at so far */
    int stamp;
    int *seen[2];  /* [node_count] stamp of the search that reached the node from either end */
    int *via[2];   /* [node_count] edge it was reached by */
    int *queue[2]; /* [node_count] */
    int *path;     /* [node_count] edges from a to b, result of graph_path */
    int path_length;
};

bool path_search_init(struct arena *memory, struct path_search *s, const struct graph *g);
/* A path with the fewest edges from a to b, by breadth-first search from both ends, the cheaper frontier first: a node
 * with very many edges is not expanded when the other end has few.  False if there is none. */
bool graph_path(struct path_search *s, int a, int b, unsigned mask);

/* ---- forests, for paths that need not be short ---- */

struct forest {
    const struct graph *graph;
    int *parent_edge; /* [node_count] -1 at roots */
    int *depth;       /* [node_count] */
    int *queue;       /* [node_count] workspace */
};

bool forest_init(struct arena *memory, struct forest *f, const struct graph *g);
/* A breadth-first forest of the edges in the mask; roots as in blocks_find. */
void forest_grow(struct forest *f, unsigned mask);
/* The path from a to b, which are in one tree, into s->path. */
void forest_path(const struct forest *f, int a, int b, struct path_search *s);

#endif
