/* set_off.h - a transient that starts, or has come to rest, at an unstable point is set off in the direction that grows. */
#ifndef ANALYSES_SET_OFF_H
#define ANALYSES_SET_OFF_H

#include "mna/start/consistent.h"
#include "netlist/circuit.h"

/* 1/s; 0: none */
struct set_off {
    double growth; /* with which x leaves the operating point */
    double damped; /* of a mode so fast that x stays, and that the run is not to follow */
};

/* x [n]: an operating point at time 0, or where the run has come to rest at another time (s); where it is unstable it is moved, and a
 * note says so (d NULL: nothing does). */
enum kn_status set_off(struct mna *m, const struct topology *t, const struct transient *request,
                       struct kn_diagnostics *d, double time, double *x, struct set_off *out);

/* The same; where no mode grows, what has no memory and stands on a ridge leaps (impasse.h).  *moved: by either.  off, in: what is damped
 * already, beside which nothing is sought. */
enum kn_status set_off_or_leap(struct consistent *c, const struct transient *request, struct kn_diagnostics *d, double time, double *x,
                               struct set_off *off, bool *moved);

/* For derivatives, which do not follow that: KN_ERROR_CIRCUIT (reported, of the card at `where`) where a run that rests at a time > 0
 * would be put beside x. */
enum kn_status set_off_refuse(struct mna *m, const struct topology *t, const struct transient *request,
                              struct kn_diagnostics *d, double time, double *x, struct kn_location where);

#endif
