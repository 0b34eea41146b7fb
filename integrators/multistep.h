/* multistep.h - what BDF and the trapezoidal rule share: Newton, tolerances, history, restart, dense output. */
#ifndef INTEGRATORS_MULTISTEP_H
#define INTEGRATORS_MULTISTEP_H

#include "integrators/history.h"
#include "integrators/integrator.h"
#include "integrators/methods.h"

/* First member of each method's data. */
struct multistep {
    struct integrator base;
    struct integrator_options options;
    struct newton newton;
    struct tolerance tolerance;
    struct history history;
    double *b;     /* [n] constant part of the residual */
    double *error; /* [n] local error */
    double *predicted; /* [n] x by extrapolation */
    bool starting;     /* the step being solved is the slope-finding one */
};

/* Sizes of steps; the same for all methods of the family. */
#define MULTISTEP_SAFETY 0.5           /* aim at this part of the tolerance */
#define MULTISTEP_GROWTH 2.0           /* most per step */
#define MULTISTEP_WORTHWHILE_GROWTH 1.2 /* below, the step is kept and with it the factors */
#define MULTISTEP_NEWTON_SHRINK 0.25

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
enum newton_outcome multistep_start(struct multistep *m, double to, enum newton_outcome (*solve)(struct multistep *, double),
                                    void (*push)(struct multistep *, double));

/* error := factor (q - extrapolation of q by the newest points); its weighted norm through the factored matrix. */
double multistep_error(struct multistep *m, double to, int points, double factor, int *worst);

/* Fills the common parts of the report after a solve; true if Newton converged. */
bool multistep_report(struct multistep *m, double to, enum newton_outcome outcome, struct step_report *report);
/* The factor on the step that error^(1/exponent) suggests, with the limits for accepted or rejected steps. */
double multistep_growth(double error, int exponent);
double multistep_accepted_factor(double growth, double most);
double multistep_rejected_factor(double growth);
/* Moves the base to the newest point of the history. */
void multistep_advance(struct multistep *m, int order);

/* Algebraic unknowns have no local error at the points, but between them: the factor on the step that keeps interpolation by
 * a polynomial through `points` points within the tolerance (large: no objection). Uses up `predicted`. */
double multistep_smooth_factor(struct multistep *m, double to, int points);

void multistep_interpolate(struct multistep *m, int points, double time, double *x, double *dxdt);
void multistep_statistics(const struct integrator *base, struct integrator_statistics *s);

#endif
