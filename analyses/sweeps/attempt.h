/* attempt.h - one run of a sweep, by a worker: an expansion of the deck, an analysis, and its transcript. */
#ifndef ANALYSES_SWEEPS_ATTEMPT_H
#define ANALYSES_SWEEPS_ATTEMPT_H

#include "analyses/sweeps/plan.h"

/* Where the bytes of a run's transcript go. */
struct attempt_output {
    void *context;
    bool (*put)(void *context, const char *bytes, size_t size); /* false: the run is to end */
    bool (*stopped)(void *context);
    void (*tell)(void *context, double part); /* of the run that is done */
};

/* The status of the run; KN_INTERRUPTED where the output has ended it. */
enum kn_status attempt_run(const struct plan *p, size_t run, const struct attempt_output *out);

#endif
