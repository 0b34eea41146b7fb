/* orbit.h - a solution of d/dt q(x, t) + f(x, t) = 0 over one period on given steps, and how its end depends on its
 * start.
 *
 * Steps are those of Radau IIA with three stages (order 5; Hairer and Wanner, Solving ODEs II, 1996, IV.5),
 *
 *     1/h sum_j w_ij (q(X_j) - q(x_n)) + f(X_i, t_n + c_i h) = 0,   W = A^-1,   x_n+1 = X_3,
 *
 * which ask the start for its charges alone: whatever x_0 is, all constraints hold at the end, hidden ones included.
 * Differentiated with the Jacobians at the solution they give dX/dx_n exactly, so that Newton's method for the start
 * of a periodic orbit converges quadratically on fixed steps (shooting: Aprille and Trick, Proc. IEEE 60, 1972).
 */
#ifndef ANALYSES_PERIODIC_ORBIT_H
#define ANALYSES_PERIODIC_ORBIT_H

#include "integrators/integrator.h"
#include "integrators/radau/radau_tableau.h"

struct orbit {
    const struct dae *dae;
    const struct radau_tableau *tableau;
    int n, steps;
    double *part;            /* [steps + 1] of the period, from 0 to 1 */
    double start, period;    /* s */
    double *x;               /* [(3 steps + 1) n] the start, then the stages of each step */
    double *monodromy;       /* [n x n] dx_end/dx_0, by columns; NULL where that is too large: orbit_apply has it too */
    double *by_period;       /* [n] dx_end/dperiod where nothing depends on the time itself */
    double accuracy;         /* relative tolerance of a run in time with such steps */
    double relative, closed; /* reltol, and the part of a tolerance that counts */
    double *scale;           /* [n] 1 over that, by orbit_rescale */
    long iterations, factorizations;
    int failed_step, failed_unknown; /* of KN_ERROR_CONVERGENCE */
    struct orbit_work *work;
    struct orbit_slopes *kept; /* [steps] of large circuits */
    size_t kept_bytes;
};

/* Memory for an orbit of so many steps; free with orbit_free. */
enum kn_status orbit_new(const struct dae *dae, int steps, struct orbit *out);
void orbit_free(struct orbit *o);

/* For an orbit that is no period: no monodromy matrix, but the slopes of its steps as far as there is memory. */
enum kn_status orbit_keep_slopes(struct orbit *o);

/* Solves the steps one after the other from o->x, with what x holds behind it as starting values of Newton's method;
 * then monodromy and by_period are those of this solution.  KN_ERROR_CONVERGENCE, KN_ERROR_CIRCUIT: a step cannot be
 * solved; or a status of the equations. */
enum kn_status orbit_follow(struct orbit *o);

/* v [n] := dx_end/dx_0 v, or its transposed times v, of the orbit that was followed last.  Of large circuits by the factors
 * of each step, which are kept as far as memory for them may grow, and made again behind that (Telichevesky, Kundert and
 * White, 32nd Design Automation Conf., 1995). */
enum kn_status orbit_apply(struct orbit *o, double *v, bool transposed);

/* The slopes of one step, until the next call of anything here. */
struct orbit_slopes_at {
    double h;                            /* s */
    const double *G[3], *C[3], *begin_C; /* [entries + 1] at the stages, and where it begins */
};
enum kn_status orbit_slopes_at(struct orbit *o, int step, struct orbit_slopes_at *out);
/* The equations of the three stages of a step together: entry k of block (i, j) is slots[(3 i + j) entries + k]. */
const struct sparse_pattern *orbit_pattern(const struct orbit *o);
const int *orbit_slots(const struct orbit *o);
/* Weights b of the stages. */
extern const double orbit_node_weight[3];

/* What a current into the equations at a point of an orbit makes of a linear functional of its end. */
struct orbit_visit {
    void *context;
    /* response [n]: of the functional to 1 As into each equation at the point x [n]; the integral of anything over the
     * period is the sum of its values here times `weight` (s). */
    enum kn_status (*point)(void *context, const double *x, const double *response, double weight);
};
/* From the end to the start; functional [n]: of x_end, used up. */
enum kn_status orbit_adjoint(struct orbit *o, double *functional, const struct orbit_visit *visit);

/* Of a functional of the orbit (its points as o->x has them, also over a stretch of time that is no period):
 * d functional = sum over stages of -equations [3 steps n] . d(what is left in the equation)
 *              + charges [(3 steps + 1) n] . d(charges at a point)  +  start [n] . d(x_0),
 * where charges do not move with x. seed [(3 steps + 1) n]: its derivative with respect to the points (adjoint of a fixed
 * discretisation: Cao, Li, Petzold and Serban, SIAM J. Sci. Comput. 24, 2003). */
struct orbit_gradient {
    double *equations, *charges, *start;
};
enum kn_status orbit_gradient(struct orbit *o, const double *seed, const struct orbit_gradient *out);

/* What a point of an orbit has of its step's values: the x before and those of the stages, from here on in o->x. */
struct orbit_place {
    size_t first;              /* in o->x, a multiple of n */
    double value[4], slope[4]; /* weights of the four; of dx/dt in 1/s */
};
struct orbit_place orbit_place(const struct orbit *o, double part);

/* The steps of a run in time by Radau's method, as they are accepted, and the orbit on them. */
struct orbit_record {
    size_t n, steps;
    double *ends, *stages; /* [steps] s, [steps 3 n] */
};
enum kn_status orbit_record_step(struct orbit_record *r, struct integrator *m);
void orbit_record_free(struct orbit_record *r);
/* x [n]: where the run began.  Made like one of orbit_new. */
enum kn_status orbit_of_record(const struct dae *dae, const struct orbit_record *r, double from, double duration,
                               const double *x, struct orbit *out);

/* The same orbit on steps half as long, made like one of orbit_new. */
enum kn_status orbit_halve_steps(const struct orbit *o, struct orbit *out);
/* Largest distance of an unknown at the steps of `coarse` in units of weights [n]; weight 0: it does not count; INFINITY
 * without memory. */
double orbit_distance(const struct orbit *coarse, const struct orbit *fine, const double *weights);

/* x [n], and where not NULL dx/dt, at a part of the period. */
void orbit_at(const struct orbit *o, double part, double *x, double *dxdt);
const double *orbit_end(const struct orbit *o);
/* By the largest values at present. */
void orbit_rescale(struct orbit *o);
/* Largest less smallest value of an unknown. */
double orbit_swing(const struct orbit *o, int unknown);

#endif
