/* consistent_euler.h - implicit Euler steps of vanishing length: where given charges and fluxes take a DAE at once.
 *
 * With h -> 0 the solution of (q(x) - q_given)/h + f(x, t + h) = 0 keeps every charge that is free, obeys the algebraic
 * equations, and lets the others pass as impulses through the loops and cutsets that force them; a second step gives
 * the index-2 unknowns, too, which the impulse of the first has spoilt (Sincovec, Erisman, Yip and Epton, IEEE Trans.
 * AC-26 (1981) 139-147).  The limit is taken by extrapolation over h, h/2, h/4, exact to third order in h.
 */
#ifndef MNA_START_CONSISTENT_EULER_H
#define MNA_START_CONSISTENT_EULER_H

#include "integrators/newton.h"
#include "mna/index/charge_groups.h"
#include "mna/index/charge_moves.h"
#include "mna/start/augmented.h"

/* After a failure steps are shortened so: these attempts lead from START_STEP to where every charge stays. */
#define CONSISTENT_EULER_SHORTENING 1e-3
enum { CONSISTENT_EULER_ATTEMPTS = 4, EULER_LEVELS = 3 }; /* levels: steps of h, h/2, h/4 */

struct consistent_euler {
    struct augmented *augmented;
    struct cutset_equations
        *sums;     /* around augmented, solved in its place; NULL unless consistent_euler_add_up has found any */
    double *G, *C; /* [entries + 1] of augmented beside sums, which have those of newton */
    struct newton newton;
    double time;     /* s */
    double h;        /* s, longest of the three steps */
    double *b, *q;   /* [n] workspace */
    double *g;       /* [2][switch_count] the same */
    double *weights; /* [n] of Newton's norm */
    /* [n] junctions are limited against these values where the first solution is sought; NULL: against its start, which
     * must then be near a solution. */
    const double *reference;
    struct charge_groups groups;
    struct charge_moves moves; /* of C where layers are passed; without lu: charges tell of no values */
    bool third_step;
    bool turned_back; /* in values behind layers a switch that had just turned would be back where it was */
    double unsettled; /* tolerances by which voltages that no charge holds are off the limit of the last steps: round-off or an impulse */
    double *level[3]; /* [n] results with h, h/2, h/4 */
    double *impulse;  /* [n] limit of h x after the first step: C for a current, Wb for a voltage */
    double *impulse_level[EULER_LEVELS]; /* [n] h x for each h */
};

enum kn_status consistent_euler_init(struct consistent_euler *s, struct arena *memory, struct augmented *a, double time,
                                     double relative);
/* From here on the sums of parts that capacitances join (cutset_equations.h) stand in place of some of their equations, until
 * they are left again: steps may then be as short as L G of what holds such a part, in which charges would drown that.  Values of
 * nodes cannot be imposed.  x [n]: where the circuit stands.  coils: also where some of the parts hang on coils alone. */
enum kn_status consistent_euler_add_up(struct consistent_euler *s, struct arena *memory, const double *x, bool coils);
enum kn_status consistent_euler_leave_sums(struct consistent_euler *s);
/* The same for some steps, of coils as well, with the length of steps chosen as by consistent_euler_choose: *summed, or there are none or
 * have been some. */
enum kn_status consistent_euler_sum_cuts(struct consistent_euler *s, struct arena *memory, const double *x, double limit, bool *summed);
enum kn_status consistent_euler_leave_cuts(struct consistent_euler *s, const double *x, const double *reference, double limit);
void consistent_euler_free(struct consistent_euler *s);

/* The equations that the steps solve. */
const struct dae *consistent_euler_dae(const struct consistent_euler *s);

/* *h := the step (s) that is short against the shortest time constant, sqrt(C_ii C_jj / (G_ij G_ji)) for RC, L/R and LC
 * of single unknowns and the like of groups (charge_groups_shortest), and the distance from `time` to `limit` (may be
 * infinite), but not against the rounding error of time.  groups: of C and G; NULL: no shift of a group is left to conductances
 * alone beside charges.
 */
enum kn_status consistent_euler_length(const struct sparse_pattern *p, const double *G, const double *C,
                                       const struct charge_groups *groups, double time, double limit, double *h);

/* Chooses h so at x.  Junctions are taken at voltages limited against reference
 * [n]. */
enum kn_status consistent_euler_choose(struct consistent_euler *s, const double *x, const double *reference,
                                       double limit);

/* x [n]: in a start for Newton's method, out the limit after `steps` (1 or 2) steps from the charges q_given [n]. */
enum newton_outcome consistent_euler_take(struct consistent_euler *s, const double *q_given, int steps, double *x);

/* Passes over what is gone before any charge or flux has moved by what the tolerances [n] of values make of it, or values by as much as
 * these charges tell of them.  A switch that opens leaves the coil behind it the current that errors of a step have made of zero: through
 * megohms kilovolts, for less than a picosecond, which are no result, and where no step should begin.  Steps that end within
 * such a layer pass over nothing, and would take from the charges what they need not lose.  x [n], with the charges q_given [n] at the time itself: where the circuit stands
 * there without that, by steps of *h (s), longer than those chosen, which end before `limit` (s); *h 0: x is as it was. */
enum newton_outcome consistent_euler_pass(struct consistent_euler *s, const double *q_given, const double *tolerances, double limit,
                                          double *x, double *h);

/* x [n]: a solution of the first step by deforming the circuit, where Newton's method does not find it from there. */
enum newton_outcome consistent_euler_deform(struct consistent_euler *s, struct arena *memory, const double *q_given,
                                            double *x);

/* By how many tolerances steps of h, h/2 and h/4 leave voltages that no charge holds off their limit: what the third one adds to them. */
double consistent_euler_unsettled(const struct consistent_euler *s);

/* After steps that have led to x [n].  Parts of a circuit that sums hold may be on their way yet: what holds them, through nodes
 * without charge, is in no entry of G that the length of steps was chosen by.  With sums, shorter ones cost no digits; but what an
 * impulse leaves is no nearer to a limit with them, and then the longer one stands.  What they make worse may be round-off of charges,
 * divided by them: a longer one is tried, too.  work: [n]. */
enum newton_outcome consistent_euler_settle(struct consistent_euler *s, const double *q_given, int steps, double *work,
                                            double *x);

/* Value at h = 0 of the parabola through a (h), b (h/2), c (h/4). */
double limit_of(double a, double b, double c);

#endif
