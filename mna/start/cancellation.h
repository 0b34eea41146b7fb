/* cancellation.h - operating points of linear circuits whose values cancel, or seem to in rounded numbers. */
#ifndef MNA_START_CANCELLATION_H
#define MNA_START_CANCELLATION_H

#include "mna/start/dc_plan.h"

/* Values may cancel, and exact arithmetic (exact.h) can tell. */
bool cancellation_may_be(const struct dc_plan *plan);

/* f [n] of the plain equations at x = 0.  KN_ERROR_CIRCUIT (reported): the equations, anchors included, leave an
 * unknown open, or contradict each other. */
enum kn_status cancellation_check(const struct dc_plan *plan, const double *f, struct kn_diagnostics *d);

/* Rounded numbers are singular, but the equations do determine all unknowns. */
bool cancellation_hides_solution(const struct dc_plan *plan);

#endif
