/* rounding.h - how far rounding of charges and currents moves the unknowns: errors and corrections below that are no
 * reason for shorter steps or further iterations.
 */
#ifndef INTEGRATORS_ROUNDING_H
#define INTEGRATORS_ROUNDING_H

#include "integrators/dae.h"

#include <float.h>

/* Sums below this part of their terms are rounding errors. */
#define ROUNDING (8 * DBL_EPSILON)

/* What is solved, and where. */
struct rounding_system {
    const struct dae *dae;
    const double *G, *C; /* [entries + 1] */
    const double *x;     /* [n] */
    struct sparse_lu *lu;
};

/* Used up, [n] each: sizes of the terms of q and of f, errors. */
struct rounding_work {
    double *q_terms, *f_terms, *errors;
};

enum { ROUNDING_SOLVES = 3 }; /* with lu in each call of rounding_find */

/* Fills rounding [n] with the effect on the unknowns of rounding errors of the charges times `charges` (1/s) and of the
 * currents times `currents` at x, through the factors at hand.  Some patterns of signs are tried: in one the effects of
 * two errors may cancel (the fluxes of two coupled inductors), hardly in all. */
void rounding_find(const struct rounding_system *s, double charges, double currents, double *rounding,
                   const struct rounding_work *work);

#endif
