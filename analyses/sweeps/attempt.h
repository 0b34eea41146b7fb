/* attempt.h - one run of a sweep, by a worker: an expansion of the deck, an analysis, and its transcript. */
#ifndef ANALYSES_SWEEPS_ATTEMPT_H
#define ANALYSES_SWEEPS_ATTEMPT_H

#include "analyses/sweeps/crew.h"
#include "analyses/sweeps/plan.h"

void attempt_run(const struct plan *p, size_t run, struct crew_desk *desk);

#endif
