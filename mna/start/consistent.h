/* consistent.h - initial values that satisfy the equations, hidden constraints included.
 *
 * Charges and fluxes are kept (those given by .ic, ic= or reached before a discontinuity), everything else follows: the
 * algebraic unknowns from f and the constraints, index-2 unknowns from the derivatives of the constraints.
 */
#ifndef MNA_START_CONSISTENT_H
#define MNA_START_CONSISTENT_H

#include "mna/mna.h"
#include "mna/topology/topology.h"

/* The start of a run with `uic`: from .ic node voltages and ic= of capacitors and inductors; what is not given starts
 * from zero, charges and fluxes are honoured as far as they are free, contradictions are reported.  x [n] out. */
enum kn_status consistent_start(struct mna *m, const struct topology *t, double time, double relative,
                                struct kn_diagnostics *d, double *x);

/* Makes x [n] consistent at `time` (sources taken there, right-sided) keeping its charges and fluxes as far as they are
 * free. */
enum kn_status consistent_restart(struct mna *m, const struct topology *t, double time, double relative,
                                  struct kn_diagnostics *d, double *x);

#endif
