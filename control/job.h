/* job.h - an analysis that a command asks for.  What it works on belongs to it, so that it can be at work in another thread
 * while further commands are obeyed, and outlive the one that has asked. */
#ifndef CONTROL_JOB_H
#define CONTROL_JOB_H

#include "analyses/library.h"
#include "analyses/transient/carry.h"
#include "control/vectors/plots.h"

struct job {
    struct kn_circuit *made;    /* with the values at the beginning */
    struct kn_circuit *circuit; /* that runs: the same, until it goes on with other values */
    struct kn_circuit *next;    /* with which it is to go on; NULL: with the one it has */
    double step;                /* s, of a .tran of the deck */
    char *asides;               /* what no result has (asides.h); NULL: nothing */
    bool squares;               /* results of noise become vectors of powers: V^2/Hz, V^2 */
    struct carry carry;
    enum kn_status status;
    struct kn_summary summary;
};

/* Of a deck of its own, which is freed with it, also where it cannot be made; own NULL: of all that `of` stands for.
 * Overrides are copied.  NULL with the errors said, and why in *status. */
struct job *job_new(const struct kn_circuit *of, struct deck *own, const struct overrides *overrides,
                    struct kn_diagnostics *d, enum kn_status *status);
void job_free(struct job *j);

/* Other values from now on, while it is held up: false with the reason said where it cannot go on with them. */
bool job_change(struct job *j, const struct overrides *overrides, struct kn_diagnostics *d);
/* Whether the analysis is to end, since others values take it over. */
bool job_is_left(struct job *j);

/* Runs it; its tables become plots and go to `next`, which may be NULL. */
void job_run(struct job *j, struct plots *plots, const struct kn_sink *next, const struct kn_options *options,
             struct kn_diagnostics *d);

#endif
