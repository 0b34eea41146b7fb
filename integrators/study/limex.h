/* limex.h - the index monitor of the extrapolation method, for the closing line of a run and the tests. */
#ifndef INTEGRATORS_STUDY_LIMEX_H
#define INTEGRATORS_STUDY_LIMEX_H

#include "integrators/integrator.h"

/* What the first inner steps of different size say about the problem: their error falls as size^exponent, exponent 2
 * for differential and index-1 unknowns, 1 for index-2, 0 or less for index-3 unknowns. */
struct limex_index {
    int unknown;     /* with the smallest exponent, -1: nothing measured */
    double exponent; /* its mean over the accepted steps that tell */
    long steps;      /* how many did */
};

/* m must be of class integrator_limex. */
struct limex_index limex_observed_index(const struct integrator *m);

/* From now on every step has exactly so many rows, which is its order; for studies of the method. */
void limex_fix_rows(struct integrator *m, int rows);

#endif
