/* check.h - `knoten check`: everything known about the index of a circuit's equations, gathered into one report. */
#ifndef ANALYSES_CHECK_CHECK_H
#define ANALYSES_CHECK_CHECK_H

#include "mna/index/index.h"
#include "mna/mna.h"
#include "mna/topology/topology.h"
#include "netlist/circuit.h"

/* Elements of a loop or cutset in order, each once. */
struct report_set {
    const struct element **elements;
    size_t count;
};

struct report_sets {
    struct report_set *sets;
    size_t count;
};

/* Why the equations contain a hidden one: a C-V loop, or an L-I cutset. */
struct report_constraint {
    bool cutset;
    size_t number;          /* index into cv_loops or li_cutsets */
    const char *constraint; /* "v(a) = V1(t) holds for a charge, so its derivative is a hidden equation:" */
    const char *hidden;     /* "i(v1) = -C1 * dV1/dt - v(a)/R1" */
    int *unknowns;          /* [unknown_count] 1-based: those of the loop or cutset that depend on derivatives */
    size_t unknown_count;
    const char *consequence; /* one sentence */
    const char *remedy;      /* "a resistance in series with V1 or C1" */
};

/* An element whose value rounding or tolerances cannot tell from one with another index. */
struct report_near {
    const struct element *element;
    const char *text; /* "R1 (line 3): 1e-15 ohm cannot be told from a short, with which the index is 2" */
};

struct names {
    const char **names;
    size_t count;
};

struct index_report {
    struct arena *arena; /* owns all strings and arrays */
    const struct circuit *circuit;
    struct mna *mna;
    struct topology *topology;
    struct index_analysis *numbers; /* NULL where there are none; `no_numbers` says why */

    int element_count, node_count; /* ground not counted */
    int unknowns;
    int index;             /* the verdict; -1: none, the circuit is singular */
    int topological_index; /* -1: singular or undecided */
    int numerical_index;   /* -1: singular or unknown */
    bool singular;
    int degrees_of_freedom; /* -1: none */

    const char *point;        /* "at the operating point" */
    const char *constancy;    /* whether N1, S1, im G1 stay along the run to the point; NULL where that was not asked */
    const char *no_numbers;   /* one sentence, or NULL */
    const char *undecided;    /* why topology cannot decide, or NULL */
    const char *disagreement; /* topology and numbers differ: both, and why; or NULL */
    const char *not_decided;  /* rounding hides the index: the elements whose values make it so; or NULL */

    struct report_sets cv_loops, li_cutsets, v_loops, i_cutsets;
    struct report_constraint *constraints; /* of the C-V loops, then of the L-I cutsets, while the index is 2 or more */
    size_t constraint_count;
    int *order;                    /* [unknowns + 1] highest derivative of the data that enters, 1-based: index - 1 */
    struct names index2_unknowns;  /* that depend on derivatives of the data: order 1 and more */
    struct names index2_by_values; /* those of them that no loop or cutset explains */
    struct names hidden;           /* one equation each */
    struct report_near *near;      /* what keeps the index as it is by nothing that a run can see */
    size_t near_count;
    struct names floating_nodes; /* without path to ground, or without one for direct current */
};

struct check_options {
    bool has_time;
    double time; /* s: the point is where a transient run has got to */
};

/* Analyses a circuit.  A singular one is an ordinary result; its defects are errors in the diagnostics. */
enum kn_status check_circuit(const struct circuit *c, const struct check_options *o, struct kn_diagnostics *d,
                             struct index_report **out);
void check_free(struct index_report *r);

/* check_text.c, check_json.c: the report in words, and as one JSON object. */
void check_write_text(const struct index_report *r, FILE *to);
void check_write_json(const struct index_report *r, FILE *to);
/* check_graph.c: the circuit's graph in Graphviz's language, loops and cutsets coloured; false without
 * memory. */
bool check_write_graph(const struct index_report *r, FILE *to);

/* ---- inside: check_constraints.c ---- */

/* Fills constraints and hidden from the loops and cutsets. */
enum kn_status check_constraints(struct index_report *r);

/* ---- inside: check_near.c ---- */

/* Fills `near`, of the equations linearised at x [n]; a large circuit has none. */
enum kn_status check_near(struct index_report *r, double time, const double *x);

#endif
