/* noise.h - what perturbations of the equations do to the index-2 unknowns of a run.
 *
 * A perturbation theta of a constraint (rounding, what Newton's method leaves over) enters an unknown of index 2 as its
 * derivative, theta / h in a step h (Arnold 1996, Table 2.1; Remark 9 for variable steps).  Where that exceeds the
 * tolerance of the unknown, noise decides about its error and not the method: steps below a limit only make it worse
 * (region B there).  Where the equations are nonlinear in that unknown, (theta / h)^2 enters the others, and below a
 * second limit they are spoilt, too (region C).
 */
#ifndef MNA_WATCH_NOISE_H
#define MNA_WATCH_NOISE_H

#include "mna/mna.h"
#include "mna/topology/topology.h"

struct noise;

struct noise_settings {
    double relative; /* reltol */
    double duration; /* s, of the run */
    int index;       /* of the equations; 0: not known */
    bool completed;  /* rows show what derivatives of constraints say: only other unknowns can be spoilt */
};

/* *out is NULL when no unknown is of index 2 (mna_dae(m)->classes). */
enum kn_status noise_new(struct mna *m, const struct topology *t, const struct noise_settings *o, struct noise **out);
void noise_free(struct noise *s);

/* A step of length h to (t, x) by a formula of this order, accepted. */
enum kn_status noise_step(struct noise *s, double t, double h, int order, const double *x);

/* After a run: a note where noise has dominated for more than a few steps.  It names the unknown, its loop or cutset,
 * theta, the uncertainty and the limit; a warning where it has spoilt other unknowns, too. */
void noise_report(struct noise *s, struct kn_diagnostics *d);

#endif
