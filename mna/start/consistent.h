/* consistent.h - values that satisfy the equations, hidden constraints included: at the start of a run and behind
 * jumps.
 *
 * What can be chosen are charges and fluxes: those given by .ic and ic=, or reached before a discontinuity.  With the
 * first null spaces of the index chain, W^T C = 0 (equations without charge) and C Z = 0 (unknowns without), consistent
 * values of d/dt q(x) + f(x, t) = 0 at a time t obey
 *
 *     q(x) = q_given + an impulse,    W^T f(x, t) = 0,    W^T d/dt f(x(t), t) = 0,
 *
 * the impulse in the span of G Z V, V the null vectors of W^T G Z: what goes through C-V loops and L-I cutsets at once
 * (Sincovec, Erisman, Yip and Epton, IEEE Trans. AC-26 (1981) 139-147).  The last line are the hidden constraints, from
 * which the index-2 unknowns Z V follow (Estevez Schwarz and Tischendorf, Int. J. Circ. Theor. Appl. 28 (2000)
 * 131-162). No rank is decided for it:
 *   1. two implicit Euler steps of vanishing length keep the charges that are free, obey W^T f = 0 and let the impulses
 *      pass (consistent_euler.h);
 *   2. charges are corrected until values of ic= come true, where they can (initial_values_kept.h);
 *   3. where the index may be 2 or more, one linear system with W^T d/dt f = 0 in it gives what depends on derivatives
 *      (hidden_constraints.h), free of the round-off of W^T f over the length of a step.
 * At an event, where sources have a left and a right value, a jump of f takes all three steps, a jump of its time
 * derivative the third one only.
 */
#ifndef MNA_START_CONSISTENT_H
#define MNA_START_CONSISTENT_H

#include "mna/mna.h"
#include "mna/topology/topology.h"

struct hidden_constraints;
struct standing_alone;

/* What a run needs whenever values are made consistent.  The first members are the caller's, the others 0 at first. */
struct consistent {
    struct mna *mna;
    const struct topology *topology;
    double relative;
    /* [n] of values behind an event: what is gone before anything has moved by that much is passed over; NULL: nothing is. */
    const double *tolerances;
    double span;  /* s, of the run, beside which steps are short; INFINITY where there is none */
    bool index_1; /* hidden constraints are known not to exist: the index is 0 or 1 */
    int index;    /* where it is known and above 1, or 0 */

    bool without_sums;                          /* there are none that hold behind jumps, as the first one has shown */
    bool without_cuts;                          /* nor any that hold on coils, as the first event has shown */
    bool *reported;                             /* [n] impulses that were told already */
    bool unsettled;                             /* the last restart left voltages to round-off */
    bool leapt;                                 /* the first leap (impasse.h) was told */
    struct hidden_constraints *hidden, *inside; /* at events; at points of the run */
    double *sides;                              /* [5 n] f and its derivatives on both sides of an event */
    struct standing_alone *alone;               /* what values at events are found of one by one */
};

void consistent_free(struct consistent *c);

/* What compares with zero what is zero at x [n] stays so while values are made consistent: rounding would choose a side.  held: from now
 * on, or no longer; x and time as before then. */
enum kn_status consistent_hold_at_zero(struct mna *m, double time, const double *x, bool held);

/* The start of a run with `uic`: from node voltages of .ic (.nodeset) and ic= of capacitors and inductors; what is not given starts
 * from zero, charges and fluxes are honoured as far as they are free, contradictions are reported.  x [n] out. */
enum kn_status consistent_start(struct consistent *c, double time, struct kn_diagnostics *d, double *x);

/* Makes x [n] consistent at `time` (sources taken there, right-sided) keeping its charges and fluxes as far as they are
 * free.  d NULL: impulses are not reported. */
enum kn_status consistent_restart(struct consistent *c, double time, struct kn_diagnostics *d, double *x);

/* The same with charges and fluxes q [n] that are not those of x: of a circuit whose values have been others. */
enum kn_status consistent_carry(struct consistent *c, double time, const double *q, struct kn_diagnostics *d,
                                double *x);

/* Unknowns of a higher index in x [n], consistent at `time` but for them, by steps of h (s). */
enum kn_status consistent_complete(struct consistent *c, double time, double h, double *x);

/* What depends on second derivatives and higher ones in x [n], consistent at `time` but for them, where c->index says that
 * something does. */
enum kn_status consistent_high_index(struct consistent *c, double time, double *x);

/* A point x [n] of a run at time t within a step of that size (s), as hidden_constraints_follow. */
enum kn_status consistent_follow(struct consistent *c, double t, double step, const struct dae_values *known,
                                 double *x);

/* The slope [n] at a point of a run, as hidden_constraints_slope_inside. */
enum kn_status consistent_slope_inside(struct consistent *c, const struct dae_point *at, double *slope);

/* slope [n] := x' at x [n], which is consistent at `time`: x moves over the step h (s), linearised, divided by h. */
enum kn_status consistent_slope(struct consistent *c, double time, double h, const double *x, double *slope);

/* Whether somebody would see, by c->tolerances, what is between x [n] and y [n]. */
bool consistent_is_seen(const struct consistent *c, const double *x, const double *y);

/* Of an event what needs no restart: unknowns of index 2, which depend on slopes, where only these jump, and what stands alone
 * (alone.h).  *moved: a value was changed, or could have been; *restarts: charges have to tell the others, x is as it came. */
enum kn_status consistent_turn(struct consistent *c, double time, double *x, bool *moved, bool *restarts);

/* An event: x [n], consistent on the left side of `time`, becomes so on the right.  *moved: a value was changed, or
 * could have been. */
enum kn_status consistent_event(struct consistent *c, double time, struct kn_diagnostics *d, double *x, bool *moved);

#endif
