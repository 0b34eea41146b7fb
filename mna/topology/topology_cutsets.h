/* topology_cutsets.h - a circuit as parts that some kinds of branches hold together and other kinds join. */
#ifndef MNA_TOPOLOGY_TOPOLOGY_CUTSETS_H
#define MNA_TOPOLOGY_TOPOLOGY_CUTSETS_H

#include "mna/topology/topology_parts.h"

struct parts {
    int count;
    int *component;       /* [node_count] part of each graph node */
    int *first;           /* [count + 1] members of part p are members[first[p]] .. members[first[p + 1]] */
    int *members;         /* [node_count] unknown numbers (0: ground) */
    struct graph super;   /* nodes: parts; edges: joining branches */
    int *branch;          /* [super.edge_count] */
    struct blocks blocks; /* of super */
};

/* Parts of the kinds `inside`, joined by the kinds `joining`; part 0 has ground.  */
bool parts_make(const struct analysis *a, unsigned inside, unsigned joining, struct parts *p);

bool append_members(const struct analysis *a, const struct parts *p, int part, struct node_sets *sets);

#endif
