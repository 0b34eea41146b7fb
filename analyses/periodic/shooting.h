/* shooting.h - the start of an orbit that closes after a period, given or (oscillators) unknown. */
#ifndef ANALYSES_PERIODIC_SHOOTING_H
#define ANALYSES_PERIODIC_SHOOTING_H

#include "analyses/periodic/orbit.h"
#include "base/arena.h"
#include "sparse/dense.h"

struct shooting {
    struct orbit *orbit; /* with its first start and period */
    int phase;           /* unknown that keeps its value at the start while the period is sought; -1: it is given */
    /* What has come out. */
    int iterations;
    double left; /* the last correction, in units of orbit->scale */
};

/* KN_ERROR_CONVERGENCE: there is none near, or steps of it could not be solved (orbit->failed_step). */
enum kn_status shooting_solve(struct shooting *s);

/* Floquet multipliers, the largest first [n]: eigenvalues of the monodromy matrix. */
enum kn_status shooting_multipliers(struct arena *memory, const struct orbit *o, struct eigenvalue *out);

#endif
