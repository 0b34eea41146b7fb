/* moving_start.h - where a run with `uic` starts when a value of the circuit is another one.
 *
 * Charges and fluxes are given, and what they leave open follows from the equations: a step of a source at time 0 is divided
 * by the capacitors behind it, an ic= beside one that has none pulls it along. So the start moves with the values, and is
 * found again with each.
 */
#ifndef ANALYSES_ADJOINT_MOVING_START_H
#define ANALYSES_ADJOINT_MOVING_START_H

#include "analyses/setup.h"
#include "analyses/small_signal/derivative.h"

struct moving_start {
    const struct setup *setup;
    double span; /* s, of the run */
    struct altered altered;
    struct element *elements; /* of the whole circuit with another value */
    double *x;                /* [DERIVATIVE_POINTS n] the starts */
};

/* free with moving_start_free, also after a failure. */
enum kn_status moving_start_init(struct moving_start *m, const struct setup *s, double span);
void moving_start_free(struct moving_start *m);

/* The start x [n] of a run; what is to be said of it goes to d. */
enum kn_status moving_start_find(const struct setup *s, struct mna *m, const struct topology *t, double span,
                                 struct kn_diagnostics *d, double *x);

/* The starts with a value of number + derivative_step[k] h, in m->x; KN_ERROR_CONVERGENCE where one of them has none. */
enum kn_status moving_start_follow(struct moving_start *m, const struct value *v, double h);

#endif
