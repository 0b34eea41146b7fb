/* topology_determined.h - what controlled sources may be controlled by without disturbing the index theorems: the sets
 * of voltages and currents that topology_conditions.c asks for.
 */
#ifndef MNA_TOPOLOGY_TOPOLOGY_DETERMINED_H
#define MNA_TOPOLOGY_TOPOLOGY_DETERMINED_H

#include "mna/topology/topology_parts.h"

struct determined {
    const struct analysis *a;

    /* Voltages between nodes joined by C and by V of determined voltage; currents of L, and of V in a cutset with L and
     * determined I only.  In short: functions of the states of C and L and of the sources. */
    int *joined;
    bool *value;   /* [branch_count] of a V: its voltage, of an I: its current is determined */
    bool *current; /* [branch_count] of a V: its current is determined */

    /* V whose current no I outside the determined ones disturbs that is itself controlled by such a current. */
    bool *undisturbed; /* [branch_count] */

    /* Voltages whose derivatives contain no index-2 unknown: between nodes joined by C outside of C-V loops, and by V
     * of calm voltage; currents of L if there is no L-I cutset. */
    int *calm;

    int *part_c;       /* [node_count] components of C, */
    int *part_cv;      /* of C and V, */
    int *part_crv;     /* of C, R and V, */
    int *part_channel; /* of those and currents that depend on their own voltage */
    struct blocks cv;  /* of the graph of C and V */
};

bool determined_find(struct analysis *a, struct determined *out);

bool is_determined(const struct determined *d, const struct branch_control *c);
bool is_undisturbed(const struct determined *d, const struct branch_control *c);
bool is_calm(const struct determined *d, const struct branch_control *c);
bool is_index2(const struct determined *d, const struct branch_control *c);

/* The same of all controls of a branch; *culprit (may be NULL) receives the first that is not. */
bool all_controls(const struct determined *d, int branch,
                  bool (*test)(const struct determined *, const struct branch_control *),
                  struct branch_control *culprit);

#endif
