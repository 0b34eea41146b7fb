/* topology_parts.h - the inside of the topological analysis, shared by the files that do its steps.
 *
 * The circuit is a graph of node voltages; edge i is branch i, followed by one edge for each voltage that controls
 * something and by those of EDGE_THROUGH.  What an edge is good for is a set of bits, so that each question of the
 * theory is a search with a mask.
 */
#ifndef MNA_TOPOLOGY_TOPOLOGY_PARTS_H
#define MNA_TOPOLOGY_TOPOLOGY_PARTS_H

#include "mna/topology/graph.h"
#include "mna/topology/topology.h"

enum {
    EDGE_OHMIC = 1 << 0,
    EDGE_PORT = 1 << 1, /* of a lossless line: a resistance for changes, but not for direct current */
    EDGE_R = EDGE_OHMIC | EDGE_PORT,
    EDGE_C = 1 << 2,
    EDGE_L = 1 << 3,
    EDGE_V = 1 << 4,
    EDGE_I = 1 << 5,       /* independent current */
    EDGE_STEERED = 1 << 6, /* controlled current */
    EDGE_CHANNEL = 1 << 7, /* with EDGE_STEERED: it depends on its own voltage, so it conducts like a resistor */
    EDGE_HELD = 1 << 13,   /* with EDGE_C: a charge whose value at rest is told */
    EDGE_RATE = 1 << 14,   /* with EDGE_STEERED: the rate of a function of other unknowns, ddt( ) of a formula */
    /* No branches: */
    EDGE_CONTROL = 1 << 8, /* the two nodes of a voltage that controls something */
    EDGE_THROUGH = 1 << 9, /* direct current from port to port of a line */
    /* Marks: */
    EDGE_TREE = 1 << 10, /* loop search: may be used by witnesses */
    EDGE_WIRE = 1 << 15, /* with EDGE_THROUGH: of a lossless line whose other ends are one node: a short at rest */
    EDGE_OPEN = 1 << 11, /* conditions: a current that is not (yet) known to be determined */
    EDGE_CALM = 1 << 12  /* conditions: voltage whose derivative no index-2 unknown enters */
};

struct analysis {
    struct arena *memory; /* of the analysis only; results live in t->memory */
    struct topology *t;
    int branch_count;
    int node_count;        /* of the graph; 0 is ground */
    int *node_of;          /* [unknown_count + 1] graph node of a voltage, -1 of a current */
    int *unknown_of;       /* [node_count] */
    int *branch_of;        /* [unknown_count + 1] branch of a current, -1 if none declared it */
    bool *current_is_used; /* [unknown_count + 1] a current that controls something */
    struct graph graph;
    struct path_search search;
    int first_through; /* edge: those of lines come last, two each */
    int *line_of;      /* [lines] the branch that is the first port */
    int *order;        /* [branch_count + 1] workspace: edges of a loop search */
    const char *doubt; /* V loop or I cutset that a controlled source may make harmless; NULL if none */
};

/* ---- branches as the equations see them ---- */

static inline const struct branch *analysis_branch(const struct analysis *a, int edge)
{
    return &a->t->list.branches[edge];
}

/* The same; of an edge through a line its first port. */
static inline const struct branch *analysis_passed(const struct analysis *a, int edge)
{
    return analysis_branch(a, edge < a->first_through ? edge : a->line_of[(edge - a->first_through) / 2]);
}

static inline bool edge_is(const struct analysis *a, int edge, unsigned kinds)
{
    return (a->graph.edges[edge].kinds & kinds) != 0;
}

/* It depends on other unknowns.  A formula of differences that vanish identically, v(a,a), does not. */
bool is_steered(const struct branch *b);

/* The k-th difference of unknowns that a controlled branch depends on; false when there are no more.  Where a device
 * does not name them, every node that controls it counts against its own minus node (a voltage: against ground). */
bool analysis_control(const struct analysis *a, int branch, size_t k, struct branch_control *out);

/* True when the control is a current (then `unknown` is its number). */
bool control_is_current(const struct analysis *a, const struct branch_control *c);

/* ---- steps; false without memory ---- */

bool find_loops(struct analysis *a);
bool find_parts(struct analysis *a);
bool find_floating(struct analysis *a);
bool check_conditions(struct analysis *a);
/* A sentence about the first group of coupled inductors whose matrix is not positive definite, and one of its branches;
 * *text is NULL if there is none. */
bool find_tight_coupling(struct analysis *a, int *edge, const char **text);

/* ---- results ---- */

bool append_branches(const struct analysis *a, struct branch_sets *sets, const int *edges, size_t count);
/* In the order of the deck. */
void sort_branches(struct branch_set *set);
bool append_nodes(const struct analysis *a, struct node_sets *sets, const int *unknowns, size_t count);

/* "E1 (line 7)", "the channel of M1 (line 3)"; "E1" alone where the branch stands in another file.  In t->memory. */
const char *name_branch(const struct analysis *a, int branch);
/* "E1 (line 7), V2 (line 8)" in order; at most a few. */
const char *name_edges(const struct analysis *a, const int *edges, size_t count);
/* "v(3)", "v(a,b)", "i(v1)" */
const char *name_control(const struct analysis *a, const struct branch_control *c);

#endif
