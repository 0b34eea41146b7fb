/* worker.h - what a worker does with the number of a run: it plays what the journal has of it, or makes it and writes it
 * down there. */
#ifndef ANALYSES_SWEEPS_WORKER_H
#define ANALYSES_SWEEPS_WORKER_H

#include "analyses/sweeps/crew.h"
#include "analyses/sweeps/journal.h"
#include "analyses/sweeps/plan.h"

/* Who makes runs: the number of a worker elsewhere, of those that the options of the plan name, or this thread. */
struct worker_place {
    const struct plan *plan;
    struct journal *journal; /* NULL: there is none */
    uint64_t key;            /* of deck and options */
    size_t known;            /* runs that workers elsewhere know; those that follow from results are made here */
};

enum crew_outcome worker_run(const struct worker_place *at, size_t worker, size_t run, struct crew_desk *desk);

#endif
