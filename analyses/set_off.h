/* set_off.h - a transient that starts at an unstable operating point is set off in the direction that grows. */
#ifndef ANALYSES_SET_OFF_H
#define ANALYSES_SET_OFF_H

#include "mna/topology.h"
#include "netlist/circuit.h"

/* x [n]: an operating point at time 0; where it is unstable it is moved, and a note says so.  *rate: of the growth, in
 * 1/s; 0 where x stays. */
enum kn_status set_off(struct mna *m, const struct topology *t, const struct transient *request,
                       struct kn_diagnostics *d, double *x, double *rate);

#endif
