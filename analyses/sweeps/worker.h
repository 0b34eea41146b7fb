/* worker.h - what a worker does with the number of a run: it plays what the journal has of it, or makes it and writes it
 * down there. */
#ifndef ANALYSES_SWEEPS_WORKER_H
#define ANALYSES_SWEEPS_WORKER_H

#include "analyses/sweeps/crew.h"
#include "analyses/sweeps/journal.h"
#include "analyses/sweeps/plan.h"

/* journal NULL: there is none. */
enum crew_outcome worker_run(const struct plan *p, struct journal *journal, size_t run, struct crew_desk *desk);

#endif
