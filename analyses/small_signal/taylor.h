/* taylor.h - how G and C change to second order along a direction from the operating point.
 *
 * G(x0 + t u) at six t = +-h, +-h/2, +-h/4; odd and even differences, extrapolated twice, leave errors of h^6.  h is such that
 * some entry changes by a hundredth or so, or as long as nothing changes.
 */
#ifndef ANALYSES_SMALL_SIGNAL_TAYLOR_H
#define ANALYSES_SMALL_SIGNAL_TAYLOR_H

#include "analyses/small_signal/linear.h"

struct taylor {
    double *G1, *C1, *G2, *C2; /* [entries + 1] dG/dt, dC/dt, d2G/dt2, d2C/dt2 */
};

/* Arrays in the arena; false without memory. */
bool taylor_init(struct taylor *t, const struct linear *l, struct arena *a);
/* u [n]; x [n] and G, C [entries + 1] are for it to work with. */
enum kn_status taylor_along(struct taylor *t, const struct linear *l, const double *u, double *x, double *G, double *C);

#endif
