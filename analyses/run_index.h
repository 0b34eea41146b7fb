/* run_index.h - what a run does with the index of its equations: tells it in one line, tells the integrators which
 * unknowns depend on derivatives, and stops where there is no unique solution.
 *
 * Topology knows most of it beforehand.  Where a controlled source breaks a condition of its theorems the numbers
 * decide (mna/index/index.h): at once where the circuit is linear, at the starting values otherwise.
 */
#ifndef ANALYSES_RUN_INDEX_H
#define ANALYSES_RUN_INDEX_H

#include "mna/index/index.h"

struct run_index {
    struct mna *mna;
    const struct topology *topology;
    struct index_analysis *numbers; /* NULL: not needed, or not known */
};

/* Classes of the unknowns; KN_ERROR_CIRCUIT, reported, where a linear circuit has no unique solution.  The rest must
 * outlive it; free with run_index_free. */
enum kn_status run_index_init(struct run_index *s, struct mna *m, const struct topology *t, struct kn_diagnostics *d);
/* The same at starting values x [n], for a nonlinear circuit that the topology cannot decide. */
enum kn_status run_index_start(struct run_index *s, const double *x);
void run_index_free(struct run_index *s);

/* Whether derivatives of the equations may have to hold, too. */
bool run_index_may_be_higher(const struct run_index *s);
/* The index where it is known and at least 2; 0 otherwise. */
int run_index_of_derivatives(const struct run_index *s);
/* Whether second derivatives have to, for sure: the topology alone never says so. */
bool run_index_is_above_2(const struct run_index *s);

/* One note where the index is 2 or more: cause and unknowns. */
void run_index_note(const struct run_index *s, struct kn_diagnostics *d);

/* The error where the topology cannot see that the equations depend on each other, but the numbers do. */
void run_index_singular(const struct run_index *s, struct kn_diagnostics *d);

#endif
