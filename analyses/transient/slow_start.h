/* slow_start.h - a start without the layer in which parasitics swing in (.options slow_start).
 *
 * Charges and fluxes of all other elements are what the deck says; those that are named start on the slow manifold to the
 * first order of their sizes.  With x0 the consistent values of the circuit without them and x0' their slope, x0 + e obeys
 *
 *     E0 e = 0,    W^T (J e + E1 x0') = 0,    e = -N (W^T J N)^-1 W^T E1 x0'
 *
 * (the terms z_0 and z_1 of the outer expansion: Weber, Diss. Halle 2013, Theorem 2.14; symbols as in
 * mna/quasistatic/fast.h), so that a layer of the second order is left.
 */
#ifndef ANALYSES_TRANSIENT_SLOW_START_H
#define ANALYSES_TRANSIENT_SLOW_START_H

#include "analyses/setup.h"
#include "mna/start/consistent.h"

/* x [n] := the start of a run by its deck (starting_values), the slow one where the options ask for it; c is what later jumps
 * need, too, and is the caller's to free.
 * KN_ERROR_CIRCUIT, reported, where what is named would not have swung in. */
enum kn_status slow_start(struct setup *s, const struct transient *request, struct consistent *c, double *x,
                          struct operating_report *report);

#endif
