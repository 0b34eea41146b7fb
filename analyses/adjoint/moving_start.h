/* moving_start.h - where a run with `uic` starts when a value of the circuit is another one.
 *
 * Charges and fluxes are given, and what they leave open follows from the equations: a step of a source at time 0 is divided
 * by the capacitors behind it, an ic= beside one that has none pulls it along. So the start moves with the values: as the
 * equations say that are linear about it (start_response.h), and where it is no solution of these it is found again with each value.
 */
#ifndef ANALYSES_ADJOINT_MOVING_START_H
#define ANALYSES_ADJOINT_MOVING_START_H

#include "analyses/setup.h"
#include "analyses/small_signal/derivative.h"
#include "mna/start/initial_values.h"

struct moving_start {
    struct setup *setup;
    double span; /* s, of the run */
    struct altered altered;
    struct element *elements; /* of the whole circuit with another value */
    double *x;                /* [2 n] starts, or [DERIVATIVE_POINTS (n + values)] what is given */
    struct initial_values given;
    size_t values; /* that are given: initial_values_list */
};

/* free with moving_start_free, also after a failure. */
enum kn_status moving_start_init(struct moving_start *m, struct setup *s, double span);
void moving_start_free(struct moving_start *m);

/* The start x [n] of a run; what is to be said of it goes to d. */
enum kn_status moving_start_find(const struct setup *s, struct mna *m, const struct topology *t, double span,
                                 struct kn_diagnostics *d, double *x);

/* The starts with values of number + h and number - h, in m->x; KN_ERROR_CONVERGENCE where one of them has none. */
enum kn_status moving_start_follow(struct moving_start *m, const struct value *v, double h);

/* What is given, likewise, with number + derivative_step[k] h: charges, of ic= in capacitors that have other values, and behind them values. */
enum kn_status moving_start_given(struct moving_start *m, const struct value *v, double h);

#endif
