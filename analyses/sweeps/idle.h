/* idle.h - swept values that change no result of any analysis: they are not used, or not where it was meant. */
#ifndef ANALYSES_SWEEPS_IDLE_H
#define ANALYSES_SWEEPS_IDLE_H

#include "analyses/sweeps/sweep.h"

#include <stdint.h>

struct idle {
    struct arena *arena;
    struct run_print *prints; /* [print_count] of the runs of a batch */
    size_t print_count, print_capacity;
    struct idle_sweep *sweeps; /* of all batches */
    size_t sweep_count, sweep_capacity;
};

/* The next run, with these values of the sweeps; rows of results; the last of a batch.  Without memory nothing is compared. */
void idle_begin(struct idle *s, const struct sweeps *sweeps, const double *values);
void idle_add(struct idle *s, const double *row, size_t count);
void idle_close(struct idle *s, const struct sweeps *sweeps);
/* A note for each; then all is freed. */
void idle_say(struct idle *s, struct kn_diagnostics *d);

#endif
