/* events.h - switching functions: on which side each is held, where one leaves it within a step, and what follows.
 *
 * Between switching points the problem is held on one side of every switching function (dae.h), so that steps go
 * smoothly beyond a point where one changes its sign.  That point is found on the dense output to round-off, and the
 * run goes on from there on the other side (Hairer, Norsett, Wanner, Solving ODEs I, 1993, II.6).
 */
#ifndef INTEGRATORS_EVENTS_H
#define INTEGRATORS_EVENTS_H

#include "integrators/integrator.h"

/* Switches that turn one after the other at one time, times that one turns back there, and leaps: more would go on without end. */
enum { EVENTS_MOST_TURNS = 20 };

struct events {
    const struct dae *dae;
    double relative;     /* reltol */
    double span;         /* s, of the run */
    signed char *side;   /* [switch_count] where each is held, 0: free */
    bool *released;      /* [switch_count] free for good: switches without end, or equations are continuous across it */
    bool *armed;         /* [switch_count] has ended a step on that side; before, its sign may be that of an error */
    bool *begun;         /* [switch_count] was on that side where the run has begun anew since */
    bool *rectifies;     /* [switch_count] struct dae */
    double (*bend)[2];   /* [switch_count] of those, struct dae */
    double *fallen;      /* [switch_count] of |g| where the run has begun anew since; INFINITY: not yet */
    bool *crossed;       /* [switch_count] past its zero at the last point found */
    int *hurried;        /* [switch_count] times it has switched again at once */
    double *switched_at; /* [switch_count] s */
    double *rested_at;   /* [switch_count] s, where each has come to rest at zero last */
    double *g;           /* [switch_count] at the point looked at last */
    double end;          /* s, of the step, if events_rest has left g there; else another time */
    double *g_left, *g_right; /* [switch_count] at the ends of a part of the step */
    double *g_begin;          /* [switch_count] where the last step ended */
    double *g_middle, *g_end; /* [switch_count] in the step, and kept of its end */
    bool *counts, *resting;   /* [switch_count] looked at for coming to rest, and doing so at the point found */
    signed char *goes_to;     /* [switch_count] the side on which those are then, 0: at rest */
    bool goes_on;             /* the run has begun */
    bool rests;               /* the point found is one of these */
    bool solves;              /* points looked at are solved for */
    int watched;              /* not released */
    double *samples;          /* [7][switch_count] in the step */
    double *largest;          /* [switch_count] of |g| so far */
    double *doubt;     /* [switch_count] of |g|, by rounding of what it compares, if it was about zero since it began */
    double *tolerated; /* [switch_count] of |g|, by the tolerances of what it compares, where it has turned back last */
    bool *tolerates;   /* [switch_count] is asked for that */
    double *x, *moved; /* [n] */
    double *width;     /* [n] by which those are moved */
    double *f, *f_across;  /* [n] on both sides of a switch */
    enum kn_status status; /* of the equations between steps; the run ends where it is not KN_OK */
};

enum kn_status events_init(struct events *e, const struct dae *dae, double relative, double span);
void events_free(struct events *e);

/* Holds every switch on the side on which it is at (t, x), after the point has been made consistent.  True when one was
 * held on the other side, so that x is consistent no more. */
bool events_hold_sides(struct events *e, double t, const double *x);

/* After a step of m from x [n]: functions that have been at zero in it stand there from its begin on, as that of v(in) > 0 where a
 * pulse is back at 0 V.  True where equations jump as they do, so that the step was made beside them; e->status tells what went
 * wrong. */
bool events_rest(struct events *e, struct integrator *m, const double *x);

/* After a step of m from x [n]: true where functions that stood at zero at its begin have left it, and equations jump as they
 * do, as those of u(v(in)) where a source begins at 0 V.  The step was then made across that jump, and events_turn at its begin
 * is what follows; e->status tells what went wrong. */
bool events_leave_zero(struct events *e, struct integrator *m, const double *x);

/* Where a step from t has failed: functions that stand at zero there, free, keep the value of equal numbers until they have left it, as
 * a comparator that begins at its threshold.  Iterations would change its side for ever. */
void events_settle(struct events *e, double t);

/* Looks for the first switching point within the last step of m: true with its time in *t and the solution there in x
 * [n].  What crosses zero at times that are one (base/time_resolution.h) is one point.  Switches stay as they are, so
 * that what was before can still be evaluated. */
bool events_find(struct events *e, struct integrator *m, double *t, double *x);

/* The switches that have been found there are held on their other sides, or left free for good where equations do not
 * jump. *released receives one that has switched back and forth so often without time passing that it is left free,
 * too, else -1. */
enum kn_status events_turn(struct events *e, double t, const double *x, int *released);

#endif
