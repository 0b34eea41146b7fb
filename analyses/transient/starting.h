/* starting.h - the values from which a run in time starts. */
#ifndef ANALYSES_TRANSIENT_STARTING_H
#define ANALYSES_TRANSIENT_STARTING_H

#include "analyses/setup.h"
#include "mna/start/consistent.h"

/* For consistent values in the course of a run. */
struct consistent starting_consistent(struct setup *s, const struct transient *request);

/* x [n] at time 0: by uic or by the operating point with what .ic imposes.  *c is what later jumps need, too; the caller
 * frees it, also after a failure. */
enum kn_status starting_values(struct setup *s, const struct transient *request, struct kn_diagnostics *d,
                               struct consistent *c, double *x, struct operating_report *report);

/* Who integrates.  A method that takes over without a past differentiates what the other has left: with index 3 that is seen.
 * damped: 1/s, of a mode that is not to be followed (set_off.h); 0: none.  The trapezoidal rule would leave it growing. */
const struct integrator_class *starting_method(struct setup *s, double damped);
/* s; INFINITY where the size of steps is given anyway. */
double starting_longest_step(const struct transient *request, double fixed_step);
/* Whether the run ends: its steps are at most as long as the shortest delay (s; INFINITY: there is none). */
enum kn_status starting_check_delays(struct setup *s, const struct transient *request, double shortest);

#endif
