/* onestep.h - what the one-step methods (Rosenbrock, LIMEX, Gauss) share: tolerance, Jacobians and factors at the begin
 * of the step, PI step control, restart, dense output, rescue.
 */
#ifndef INTEGRATORS_ONESTEP_H
#define INTEGRATORS_ONESTEP_H

#include "integrators/control.h"
#include "integrators/rounding.h"

enum { ONESTEP_DEGREE = 6 }; /* of the polynomials between points, at most */

/* What has been evaluated at one point, see struct onestep. */
struct onestep_point {
    double *q, *f, *dfdt, *dqdt, *G, *C;
};

/* First member of each method's data. */
struct onestep {
    struct integrator base;
    struct integrator_options options;
    struct control control;
    double part;         /* of reltol for local errors */
    double *x, *q, *f;   /* [n] at base.t; q and f after onestep_linearize */
    double *dfdt, *dqdt; /* [n] there, where asked for */
    double *next;        /* [n] candidate for the end of the step */
    double *error;       /* [n] its estimated error */
    struct sparse_lu *lu;
    double *G, *C, *matrix; /* [entries + 1] at base.t */
    bool linearized;        /* f, q, G, C belong to (base.t, x) */
    bool visiting;          /* they belong to the candidate, and those of (base.t, x) are in `other` */
    struct onestep_point other;
    bool have_jacobian;   /* G, C hold: as above, or the problem is linear */
    double alpha;         /* lu holds G + alpha C of these; NaN: nothing */
    bool factors_of_step; /* lu still holds the matrix of the step when its error is judged */
    /* Dense output: x(previous + theta step) = sum_k coefficient[k] (theta - 1)^k. */
    double *coefficient[ONESTEP_DEGREE + 1]; /* [n] */
    int degree;
    double unsure;             /* see struct integrator, of the candidate */
    double accepted_step;      /* s, 0: no polynomial */
    struct step_growth growth; /* of the step being judged */
    double charge_gain;        /* times alpha: by how much rounding of charges enters `error` */
    bool certain;              /* what rounding may have made has been taken off `error` */
    /* 1/s, since the restart: at this alpha rounding was little of the error of unknowns that no equation needs; 0: not yet */
    double certain_soft_gain;
    double other_error;    /* weighted, of another estimate; onestep_judge counts it and sets it to 0 */
    enum kn_status status; /* of NEWTON_FAILED */
    const char *reason;    /* for the report, see there */
    int failures;          /* attempts since the last accepted step */
    double failed_step;    /* s, of the first of them */
    struct newton rescue;
    double *middle_charge; /* [n] of a rescue */
    double *rounding;      /* [n], and for finding it: */
    struct rounding_work work;
    long evaluations, jacobians, solves;
};

/* size: of the method's own struct, which begins with struct onestep. */
enum kn_status onestep_create(size_t size, const struct dae *dae, const struct integrator_options *o,
                              const struct integrator_class *class, struct onestep **out);
void onestep_destroy(struct integrator *base);
enum kn_status onestep_restart(struct integrator *base, double t, const double *x);

/* dae->eval with its count; false when it failed, with the reason in m->status. */
bool onestep_evaluate(struct onestep *m, double t, const double *x, unsigned what, struct dae_values *out);
/* f, q, G, C (and with `rates` dfdt, dqdt) at (t, x) unless they are there already. */
enum newton_outcome onestep_linearize(struct onestep *m, bool rates);
/* Evaluates the same at (to, next), the candidate, which can be accepted then, or left again by onestep_return; what
 * belongs to (base.t, x) is in `other` from then on. */
enum newton_outcome onestep_visit(struct onestep *m, double to);
void onestep_return(struct onestep *m);
/* The candidate that is visited has been moved. */
enum newton_outcome onestep_visit_again(struct onestep *m, double to);
/* Factors G + alpha C unless that is what lu holds. */
enum newton_outcome onestep_factor(struct onestep *m, double alpha);
/* b := (G + alpha C)^-1 b; false when the result is not finite. */
bool onestep_solve(struct onestep *m, double *b);
/* Takes off m->error what rounding of the charges at x times `gain` (1/s) and of the currents may make of it, by the
 * factors at hand. */
void onestep_subtract_rounding(struct onestep *m, const double *x, double gain);

/* Rejects the attempt. */
void onestep_reject(struct onestep *m, struct step_growth g, struct step_report *report);
/* The attempt failed: fills the report, a quarter of the step is proposed. */
void onestep_fail(struct onestep *m, enum newton_outcome outcome, struct step_report *report);
/* Largest weighted entry of an estimate [n] for a step: errors of unknowns that only follow count relative to their
 * values alone, 1 for 100 percent. */
double onestep_norm(const struct onestep *m, const double *error, int *worst);
/* Weighs m->error, which behaves as step^exponent; true if it is within the tolerance.  `growth` begins with what it
 * allows. */
bool onestep_judge(struct onestep *m, int exponent, struct step_report *report);
/* Weighs m->error as what the candidate misses the algebraic equations by, which should behave as step^exponent; true
 * if it is within the tolerance. */
bool onestep_judge_missed(struct onestep *m, int exponent, struct step_report *report);
/* Weighs m->error as that of the dense output, which behaves as step^exponent: limits the growth; false if the step must
 * be repeated for it.  The error of unknowns that only follow counts for a small part of it. */
bool onestep_judge_between(struct onestep *m, int exponent, struct step_report *report);
/* The straight line from m->x to m->next as polynomial between points. */
void onestep_set_line(struct onestep *m);
/* Accepts m->next and proposes a step by `growth`; coefficients of the polynomial are the method's to fill before. */
void onestep_advance(struct onestep *m, double to, int degree, struct step_report *report);

/* First thing in a step: after repeated failures, instead of an attempt, true when two halves of the step by implicit Euler from the charges
 * (NULL: of x) have been accepted; charges are then those of x again. */
bool onestep_rescue(struct onestep *m, double to, const double *charge, struct step_report *report);

/* out := b + sum_i w_i y_i, b may be NULL */
void onestep_combine(int n, const double *b, int count, const double *w, double *const *y, double *out);
bool onestep_finite(int n, const double *x);

void onestep_interpolate(struct integrator *base, double time, double *x, double *dxdt);
void onestep_statistics(const struct integrator *base, struct integrator_statistics *s);

#endif
