/* shooting.h - the start of an orbit that closes after a period, given or (oscillators) unknown. */
#ifndef ANALYSES_PERIODIC_SHOOTING_H
#define ANALYSES_PERIODIC_SHOOTING_H

#include "analyses/periodic/orbit.h"
#include "base/arena.h"
#include "sparse/dense.h"

struct shooting {
    struct orbit *orbit; /* with its first start and period */
    int phase;           /* unknown that keeps its value at the start while the period is sought; -1: it is given */
    bool whole;          /* Newton's steps from the beginning, also to an orbit that is unstable */
    /* Replaces an orbit whose steps cannot be solved, or do not fit, by one on other steps from the same start; NULL:
     * nothing does. */
    enum kn_status (*anew)(void *context, struct orbit *orbit);
    void *context;
    /* What has come out. */
    int iterations;
    double left;   /* the last correction, in units of orbit->scale */
    double missed; /* by which the orbit did not close, in parts of its swings */
    bool expects;  /* it to become less: the last correction was Newton's */
    int renewals;
};

/* KN_ERROR_CONVERGENCE: there is none near, or steps of it could not be solved (orbit->failed_step). */
enum kn_status shooting_solve(struct shooting *s);

enum { SHOOTING_SHOWN = 4 };

/* Floquet multipliers, the largest first: eigenvalues of the monodromy matrix.  out [n + SHOOTING_SHOWN]; all, or of large
 * circuits the SHOOTING_SHOWN largest, as far as they can be found. */
enum kn_status shooting_multipliers(struct arena *memory, struct orbit *o, struct eigenvalue *out, int *count);

#endif
