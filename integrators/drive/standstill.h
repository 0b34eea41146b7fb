/* standstill.h - a run that has come to rest, perhaps where a circuit would not stay: a ring of inverters whose supply has risen
 * rests at half of it in exact arithmetic, and there is nothing that an error control would see.
 */
#ifndef INTEGRATORS_DRIVE_STANDSTILL_H
#define INTEGRATORS_DRIVE_STANDSTILL_H

#include "integrators/integrator.h"

struct standstill {
    const struct dae *dae;
    double *seen;  /* [n] where it was last asked whether the circuit stays, at first where the run began; NULL: nobody asks */
    double since;  /* s, of the last corner or event */
    long left;     /* steps until it may be asked again where the rest is short beside the run */
    bool placed;   /* asked is of a long rest behind the last corner alone, where something with a memory is elsewhere */
    bool asked;    /* of that */
    double rate;   /* 1/s, of a small disturbance that shall grow; 0: there is none */
    double from;   /* s, when that has begun */
};

/* x [n], at the start of the run.  Free with standstill_free. */
enum kn_status standstill_init(struct standstill *s, const struct dae *dae, const double *x, const struct run_options *o,
                               bool wanted);
void standstill_free(struct standstill *s);

struct standstill_ahead {
    const struct run_callbacks *callbacks;
    double until; /* s, of the next corner, or the end of the run where there is none */
    bool last;    /* it is the end */
};

/* At the end of an accepted step that began at x [n]: whether all that has a memory moves so little that it would stay within its
 * tolerance until then, elsewhere than where it was asked before, and the circuit has left: to x. */
bool standstill_left(struct standstill *s, const struct integrator *m, const struct standstill_ahead *ahead, double *x,
                     enum kn_status *status);

/* s, the longest step from t, at most `longest`, with which the disturbance grows. */
double standstill_longest(const struct standstill *s, double t, double longest);

#endif
