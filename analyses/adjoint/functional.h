/* functional.h - how the result of a .measure card changes with the curve it is measured of, a transient on Radau's steps. */
#ifndef ANALYSES_ADJOINT_FUNCTIONAL_H
#define ANALYSES_ADJOINT_FUNCTIONAL_H

#include "analyses/measure/measure.h"
#include "analyses/periodic/orbit.h"
#include "mna/mna.h"

struct functional {
    const struct circuit *circuit;
    struct mna *mna;
    const struct orbit *orbit;
    const struct measurements *measured; /* which have been reported */
    const double *results;               /* [measure_count] */
    struct kn_diagnostics *diagnostics;
    struct kn_location where; /* of the card that wants to know */
};

/* seed [(3 steps + 1) n] += factor times the derivative of a result with respect to the points of the orbit.
 * KN_ERROR_DECK, reported: it has none that could be told. */
enum kn_status functional_add(const struct functional *f, size_t number, double factor, double *seed);

#endif
