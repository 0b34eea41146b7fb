/* topology.h - what the graph of a circuit says about its equations before any numerics.
 *
 * Works on the two-terminal branches that every device declares.  Linear in the size of the circuit apart from the
 * witnesses, which are searched for defects only.  Criteria: Estevez Schwarz and Tischendorf, Int. J. Circ. Theory
 * Appl. 28 (2000) 131-162; Tischendorf, Surv. Math. Ind. 8 (1999) 187-199.  With A_C, A_R, A_L, A_V, A_I the reduced
 * incidence matrices of the branches by kind, and conductance, capacitance and inductance matrices positive definite:
 *
 *   Solvable: no loop of V only (A_V has full column rank), no cutset of I only ([A_C A_R A_L A_V] full row rank).
 *
 *   Index 0: no V (nor any other algebraic branch current), and every node joined to ground by C (A_C full row rank).
 *
 *   Index <= 1: no C-V loop with at least one V (Q_C^T A_V full column rank, Q_C a projector onto ker A_C^T), and no
 *       cutset of L and I only ([A_C A_R A_V] full row rank).
 *
 *   Index 2: otherwise.  What depends on derivatives of the data are the currents of the V in C-V loops and the
 * voltages of the parts that hang on L and I only.
 *
 *   Degrees of freedom: rank A_C + number of L - independent C-V loops - independent L-I cutsets (order of complexity,
 *       Bryant, Proc. IEE 106C, 1959).
 *
 * These hold with controlled sources, too, as long as those satisfy conditions that keep the matrices of the proof
 * nonsingular whatever their gains are; topology_conditions.c states and checks them.
 */
#ifndef MNA_TOPOLOGY_TOPOLOGY_H
#define MNA_TOPOLOGY_TOPOLOGY_H

#include "base/text.h"
#include "mna/mna.h"

/* What one message lists: findings of one kind, the rest is counted, and elements of one of them. */
enum { TOPOLOGY_MOST_LISTED = 20, TOPOLOGY_MOST_NAMES = 8 };

/* A loop or cutset as its branches, in order along the loop. */
struct branch_set {
    const struct branch **branches; /* into topology.list */
    size_t count;
};

/* Adds "V1 (line 2) - C1 (line 3)"; deck: file of the deck (may be NULL), whose name need not be said.  most: elements
 * shown, 0: all that fit. */
void branch_set_list(struct text *text, const struct branch_set *set, const char *deck, const char *separator,
                     size_t most);

/* Between which nodes a branch of a loop leads: of line_loops the port of a line to the other one, where these are not one node. */
struct branch_control loop_ends(const struct branch *b);

/* A walk along a loop: the node where it begins, and from *node through a branch to its other end.  1 where that leads
 * from plus to minus, -1 the other way. */
int loop_begin(const struct branch_set *loop);
int loop_pass(const struct branch *b, int *node);

/* x [n] of unknown numbers, 0 at ground; the voltage across a branch. */
static inline double unknown_value(const double *x, int unknown)
{
    return unknown > 0 ? x[unknown - 1] : 0;
}

static inline double branch_voltage(const struct branch *b, const double *x)
{
    return unknown_value(x, b->plus) - unknown_value(x, b->minus);
}

struct branch_sets {
    struct branch_set *sets;
    size_t count, capacity;
};

/* Unknown numbers (1-based, as in struct branch). */
struct node_set {
    int *nodes;
    size_t count;
};

bool node_set_contains(const struct node_set *set, int unknown);

struct node_sets {
    struct node_set *sets;
    size_t count, capacity;
};

enum topology_verdict {
    TOPOLOGY_INDEX_0,
    TOPOLOGY_INDEX_1,
    TOPOLOGY_INDEX_2,
    TOPOLOGY_SINGULAR, /* V loop, I cutset, or island without ground */
    TOPOLOGY_UNDECIDED /* a controlled source breaks a condition of the theorems: `because` says which */
};

/* An unknown that depends on derivatives of the data (as far as the theorems apply). */
enum index2_cause {
    INDEX2_SOURCE_CURRENT, /* of a V in a C-V loop */
    INDEX2_CUTSET_VOLTAGE  /* of a node on a part that hangs on L and I only */
};

struct index2_unknown {
    int unknown; /* 1-based */
    enum index2_cause cause;
};

/* Why a controlled branch, or a passive one, does not disturb the theorems, or that it does (topology_conditions.c). */
enum condition_rule {
    CONDITION_DETERMINED, /* its controls are determined by C, V and inductor currents */
    CONDITION_ACROSS_C,   /* a current between nodes joined by C: controls free */
    CONDITION_ACROSS_CV,  /* a current between nodes joined by C and V: controls free apart from currents it feeds */
    CONDITION_OUTPUT,     /* a transistor's current of which only one own end is not determined: acts as a resistor */
    CONDITION_VIOLATED
};

struct topology_condition {
    const struct branch *branch;
    enum condition_rule rule;
    const char *violation; /* one sentence naming the element; NULL unless violated, and after the first few */
};

struct topology {
    struct branch_list list;
    const struct unknown *unknowns; /* [unknown_count + 1], [0] is ground; not owned */
    int unknown_count;
    const char *file; /* of the deck, for "(line 3)"; may be NULL */

    struct branch_sets v_loops;    /* V only: no unique solution */
    struct branch_sets i_cutsets;  /* I only: no unique solution */
    struct node_sets i_parts;      /* what each of i_cutsets cuts off */
    struct branch_sets cv_loops;   /* C and at least one V, independent, each short */
    struct branch_sets li_cutsets; /* L and possibly I, at least one L */
    struct node_sets li_parts;     /* the part that hangs on each of li_cutsets */
    struct node_sets islands;      /* parts without a path of branches to ground */
    /* Parts that hang on the rest by capacitors (and current sources) only: no DC path.  driven[i]: a current source
     * feeds the part, so that no operating point exists unless the currents cancel. */
    struct node_sets floating;
    bool *floating_fed;
    struct branch_sets vl_loops; /* V and L (or L only) loops: a short at DC */
    /* The same of lines, with V and L or without; a line is its first port, the second one the branch behind that.  Only of lines
     * with two ends at one node, as at ground. */
    struct branch_sets line_loops;

    struct index2_unknown *index2;
    size_t index2_count;
    struct topology_condition *conditions; /* one per controlled branch, and the passive ones that violate one */
    size_t condition_count;
    enum topology_verdict verdict;
    int degrees_of_freedom; /* -1: undecided or singular */
    const char *because;    /* for TOPOLOGY_UNDECIDED, one sentence naming the elements; else NULL */
    struct arena *memory;   /* of all this, and of the sentences */
};

enum kn_status topology_new(const struct mna *m, struct topology **out);

/* What the analysis knows beyond the branches. */
struct topology_names {
    const struct unknown *unknowns; /* [count + 1], [0] is ground; must outlive the result */
    int count;
    const char *file; /* may be NULL */
};

/* The same from a list of branches, which it takes over (also when it fails). */
enum kn_status topology_analyze(struct branch_list *list, const struct topology_names *names, struct topology **out);
void topology_free(struct topology *t);

/* Adds an error for each V loop, I cutset and island, with every culprit named; KN_ERROR_CIRCUIT if there was one. */
enum kn_status topology_report_defects(const struct topology *t, const struct mna *m, struct kn_diagnostics *d);

/* Whether there are islands and each has a node of the circuit. */
bool topology_can_tie_islands(const struct topology *t);
/* The circuit where a node of each island is 0 V, in `memory`; a warning each.  Nothing else changes: an island without a
 * path to ground leaves its common voltage free. */
enum kn_status topology_tie_islands(const struct topology *t, const struct mna *m, struct kn_diagnostics *d,
                                    struct arena *memory, struct circuit *out);

#endif
