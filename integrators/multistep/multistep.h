/* multistep.h - what BDF and the trapezoidal rule share: Newton, tolerances, history, restart, dense output. */
#ifndef INTEGRATORS_MULTISTEP_MULTISTEP_H
#define INTEGRATORS_MULTISTEP_MULTISTEP_H

#include "integrators/control.h"
#include "integrators/methods.h"
#include "integrators/multistep/history.h"

/* What the tolerance has been told of rounding. */
struct seen_rounding {
    double size; /* in tolerances */
    double gain; /* 1/s */
    int left;    /* steps until it is looked at again in any case */
};

/* First member of each method's data. */
struct multistep {
    struct integrator base;
    struct integrator_options options;
    struct newton newton;
    struct control control;
    struct history history;
    double *b;         /* [n] constant part of the residual */
    double *error;     /* [n] local error */
    double *predicted; /* [n] x by extrapolation */
    double *defect;    /* [n] what `error` was before the factors carried it to x, where newton.gone_on */
    double *beside;    /* [n] work: x where the extrapolation ends */
    struct {
        double to;
        int points;
        double weights[HISTORY_POINTS];
    } ahead;                  /* of the points of the history, by which that is extrapolated */
    double alpha, end;        /* 1/s and s, of the last solve */
    double gain;              /* 1/s: by which round-off of the charges at the points enters `error` */
    double certain_error;     /* weighted error without the part that may be rounding, by multistep_stands */
    double certain_gain;      /* the largest since the restart at which that part was found to be little */
    double certain_soft_gain; /* the same of soft_error */
    struct seen_rounding seen;
    bool certain;      /* `error` is without rounding */
    double soft_error; /* weighted error of the unknowns that only follow, by the last estimate; by multistep_stands
                                 * without what may be rounding */
    double rough;      /* weighted error between the points, by multistep_find_roughness */
    double unsure, unsure_algebraic; /* see struct integrator, by the same */
    double unsure_slopes; /* see there, at the end of the step being accepted; INFINITY unless the method sets it */
    bool far;             /* see there, too */
    struct integrator *starter; /* makes the first steps where steps are fixed; NULL: it needs none */
    int stages;                 /* of the step being judged, the newest points of the history */
    bool starting;              /* the step being solved is the slope-finding one */
    bool across;                /* the last accepted step is a straight line between its ends .. */
    bool crossed;               /* .. since there is a jump between them */
    bool damped;                /* the candidate is that of implicit Euler instead of the method */
    bool jumped;                /* the step being accepted contains a jump: the history begins anew behind it */
    bool kinked;                /* .. or a kink: the same */
    bool leapt;   /* unknowns without memory have gone far in the last step: Newton's method starts at its end */
    int unsolved; /* attempts in a row in which Newton failed */
};

/* size: of the method's own struct. NULL without memory. */
enum kn_status multistep_create(size_t size, const struct dae *dae, const struct integrator_options *o,
                                const struct integrator_class *class, struct multistep **out);
void multistep_destroy(struct integrator *base);
enum kn_status multistep_restart(struct integrator *base, double t, const double *x);

/* Where steps are fixed, a formula of k points whose first k - 1 steps were of lower orders would keep their errors: Radau
 * IIA of order 5 makes them, in steps of the same size. */
enum kn_status multistep_add_starter(struct multistep *m);
/* A step of the starter becomes one of the history. */
void multistep_step_of_starter(struct multistep *m, double to, struct step_report *report);

struct multistep_formula {
    double to;    /* s, end of the step */
    double alpha; /* the equation is f + alpha q + b = 0 */
    int points;   /* of the history that predict x */
};
/* Solves for the candidate of the history, from the predicted x or, if that fails, from the newest point. */
enum newton_outcome multistep_solve(struct multistep *m, const struct multistep_formula *formula);

/* The first step after a restart is made of two, the first of which, a hundredth of the whole and solved far below the
 * tolerance, supplies the slope for predictor and error estimate.  `solve` attempts a step to a time, `push` makes its
 * candidate a point. */
enum newton_outcome multistep_start(struct multistep *m, double to,
                                    enum newton_outcome (*solve)(struct multistep *, double),
                                    void (*push)(struct multistep *, double));

/* Takes back points of the history behind the begin of an attempt that has failed. */
void multistep_take_back(struct multistep *m, const struct step_report *report);

/* Carries the local error of the charges in `error` [n] to x through the factored matrix; gain: see above.  Its weighted
 * norm. */
double multistep_carry_error(struct multistep *m, double gain, int *worst);
/* The same of factor (q - extrapolation of q by the newest points). */
double multistep_error(struct multistep *m, double to, int points, double factor, int *worst);

/* How much the candidate deviates from the extrapolation, as the weighted error of interpolation by a polynomial
 * through `points` points: algebraic unknowns have no error at the points, but between them.  Uses up `predicted`. */
void multistep_find_roughness(struct multistep *m, int points);

/* Whether a step with this error stands: within the tolerance, or nothing but round-off of the charges divided by the
 * step, which a shorter step would only make worse, or a jump that no step resolves; and waveforms between the points
 * no further off than CONTROL_SOFT_EXCESS.  Uses up `error`. */
bool multistep_stands(struct multistep *m, struct step_report *report);

/* Fills the common parts of the report after a solve; true if Newton converged. */
bool multistep_report(struct multistep *m, double to, enum newton_outcome outcome, struct step_report *report);
/* The growth that soft errors allow, that between points among them, which all behave as step^exponent. */
struct step_growth multistep_soft_growth(const struct multistep *m, double exponent);
/* After an estimate of a method of fixed order, whose error behaves as step^exponent: accepted or rejected. */
bool multistep_judge(struct multistep *m, int points, double exponent, struct step_report *report);
/* Moves the base to the newest point of the history. */
void multistep_advance(struct multistep *m, int order);

/* By the polynomial through a point more than the order of the last step; not across a jump, where nothing is known of what is
 * between its ends. */
bool multistep_charges(struct integrator *base, double time, double *q, double *dqdt);
void multistep_interpolate(struct integrator *base, double time, double *x, double *dxdt);
void multistep_statistics(const struct integrator *base, struct integrator_statistics *s);

/* What the classes of such methods have in common. */
#define MULTISTEP_FUNCTIONS(create_, restart_, step_)                                                                  \
    .create = create_, .restart = restart_, .step = step_, .destroy = multistep_destroy,                               \
    .interpolate = multistep_interpolate, .charges = multistep_charges, .statistics = multistep_statistics

#endif
