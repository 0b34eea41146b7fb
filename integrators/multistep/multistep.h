/* multistep.h - what BDF and the trapezoidal rule share: Newton, tolerances, history, restart, dense output. */
#ifndef INTEGRATORS_MULTISTEP_MULTISTEP_H
#define INTEGRATORS_MULTISTEP_MULTISTEP_H

#include "integrators/integrator.h"
#include "integrators/methods.h"
#include "integrators/multistep/history.h"

/* First member of each method's data. */
struct multistep {
    struct integrator base;
    struct integrator_options options;
    struct newton newton;
    struct tolerance tolerance;
    struct history history;
    double *b;            /* [n] constant part of the residual */
    double *error;        /* [n] local error */
    double *predicted;    /* [n] x by extrapolation */
    double alpha;         /* of the last solve */
    double gain;          /* 1/s: by which round-off of the charges at the points enters `error` */
    double certain_error; /* weighted error without the part that may be rounding, by multistep_acceptable */
    double soft_error;    /* weighted error of the unknowns that only follow, by the last multistep_error */
    double unsure;        /* see struct integrator, by the last multistep_roughness */
    bool starting;        /* the step being solved is the slope-finding one */
    bool across;          /* the last accepted step was one across a jump, a straight line between its ends */
    bool jumped;          /* the step being accepted contains a jump: the history begins anew behind it */
    double floor;         /* s: steps are no shorter for their error, see multistep_create */
    int unsolved;         /* attempts in a row in which Newton failed */
};

/* Sizes of steps; the same for all methods of the family. */
#define MULTISTEP_SAFETY            0.25 /* aim at this part of the tolerance */
#define MULTISTEP_GROWTH            2.0  /* most per step */
#define MULTISTEP_WORTHWHILE_GROWTH 1.2  /* below, the step is kept and with it the factors */
#define MULTISTEP_NEWTON_SHRINK     0.25

/* size: of the method's own struct. NULL without memory. */
enum kn_status multistep_create(size_t size, const struct dae *dae, const struct integrator_options *o,
                                const struct integrator_class *class, struct multistep **out);
void multistep_destroy(struct integrator *base);
enum kn_status multistep_restart(struct integrator *base, double t, const double *x);

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

/* error := factor (q - extrapolation of q by the newest points); its weighted norm through the factored matrix. */
double multistep_error(struct multistep *m, double to, int points, double factor, int *worst);

/* Whether a step with this error is to be accepted: within the tolerance, or nothing but round-off of the charges
 * divided by the step (Arnold 1996, Table 2.1: theta/h), which a shorter step would only make worse, or a jump that no
 * step resolves.  Uses up `error`. */
bool multistep_acceptable(struct multistep *m, double to, struct step_report *report);

/* How much the candidate deviates from the extrapolation, as the weighted error of interpolation by a polynomial
 * through `points` points: algebraic unknowns have no error at the points, but between them.  Uses up `predicted`. */
double multistep_roughness(struct multistep *m, int points);

/* Whether soft errors (of unknowns that only follow, and between points) may still shorten this step. */
bool multistep_is_coarse(const struct multistep *m, double to);

/* Fills the common parts of the report after a solve; true if Newton converged. */
bool multistep_report(struct multistep *m, double to, enum newton_outcome outcome, struct step_report *report);
/* The factor on the step that error^(1/exponent) suggests. */
double multistep_growth(double error, int exponent);
/* Accepted: the next step from the growth that hard and soft errors allow, at most `most`. */
double multistep_next_step(const struct multistep *m, double step, double hard, double soft, double most);
/* Rejected: into the report. */
void multistep_reject(struct multistep *m, double to, double growth, struct step_report *report);
/* Moves the base to the newest point of the history. */
void multistep_advance(struct multistep *m, int order);

bool multistep_charges(struct multistep *m, int points, double time, double *q, double *dqdt);
void multistep_interpolate(struct multistep *m, int points, double time, double *x, double *dxdt);
void multistep_statistics(const struct integrator *base, struct integrator_statistics *s);

#endif
