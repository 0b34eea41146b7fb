/* topology.h - what the graph of a circuit says about its equations before any numerics.
 *
 * Works on the two-terminal branches that every device declares.  Linear in the size of the circuit apart from the
 * witnesses, which are searched for defects only.  Criteria: Estevez Schwarz and Tischendorf, Int. J. Circ. Theory Appl.
 * 28 (2000) 131-162; Tischendorf, Surv. Math. Ind. 8 (1999) 187-199.
 */
#ifndef MNA_TOPOLOGY_H
#define MNA_TOPOLOGY_H

#include "mna/mna.h"

/* A loop or cutset as its branches, in order along the loop. */
struct branch_set {
    const struct branch **branches; /* into topology.list */
    size_t count;
};

struct branch_sets {
    struct branch_set *sets;
    size_t count;
};

/* Unknown numbers (1-based, as in struct branch). */
struct node_set {
    int *nodes;
    size_t count;
};

struct node_sets {
    struct node_set *sets;
    size_t count;
};

enum topology_verdict {
    TOPOLOGY_INDEX_0,
    TOPOLOGY_INDEX_1,
    TOPOLOGY_INDEX_2,
    TOPOLOGY_SINGULAR,  /* V loop, I cutset, or island without ground */
    TOPOLOGY_UNDECIDED  /* a controlled source breaks a condition of the theorems: `because` says which */
};

struct topology {
    struct branch_list list;
    struct branch_sets v_loops;    /* V only: no unique solution */
    struct branch_sets i_cutsets;  /* I only: no unique solution */
    struct branch_sets cv_loops;   /* C and at least one V, independent, each short */
    struct branch_sets li_cutsets; /* L and possibly I, at least one L */
    struct node_sets islands;      /* parts without a path of branches to ground */
    /* Parts that hang on the rest by capacitors (and current sources) only: no DC path.  driven[i]: a current source feeds
     * the part, so that no operating point exists unless the currents cancel. */
    struct node_sets floating;
    bool *floating_driven;
    struct branch_sets vl_loops; /* V and L (or L only) loops: a short at DC */
    enum topology_verdict verdict;
    const char *because; /* for TOPOLOGY_UNDECIDED, one sentence naming the elements; else NULL */
};

enum kn_status topology_new(const struct mna *m, struct topology **out);
void topology_free(struct topology *t);

/* Adds an error for each V loop, I cutset and island, with every culprit named; KN_ERROR_CIRCUIT if there was one. */
enum kn_status topology_report_defects(const struct topology *t, const struct mna *m, struct kn_diagnostics *d);

#endif
