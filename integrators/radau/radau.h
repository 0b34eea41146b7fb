/* radau.h - what the parts of the Radau IIA method share: radau.c (steps) and radau_polynomial.c (dense output).
 */
#ifndef INTEGRATORS_RADAU_RADAU_H
#define INTEGRATORS_RADAU_RADAU_H

#include "integrators/radau/radau_stages.h"

enum { STAGE_CHOICES = 5, FIRST_CHOICE = 2 };

/* Unsmooth waveforms shorten steps down to these parts of tstep: those of unknowns that only follow, and the others. */
#define RADAU_FINEST_OF_FOLLOWERS 0.1
#define RADAU_FINEST              0.001

struct radau {
    struct integrator base;
    struct integrator_options options;
    struct radau_tableau tableaus[STAGE_CHOICES];
    int lowest, highest, choice; /* of stage_counts */
    struct tolerance tolerance;
    double *absolute; /* [n] of the tolerance, for the estimate's order */
    struct radau_stages stages;
    struct newton rescue;
    double *x, *q, *f;     /* [n] at t */
    double *error, *point; /* [n] */
    double *predicted;     /* [n] last stage, extrapolated */

    /* The polynomial of the last accepted step. */
    const struct radau_tableau *polynomial;
    double polynomial_step;  /* 0: none */
    double *begin;           /* [n] x where the step began */
    double *X[RADAU_STAGES]; /* [n] stages */
    double *smooth, *rest;   /* [n] its corrections, times radau_smooth_nodal and radau_nodal */
    double *next_rest;       /* [n] */
    bool charges_known;      /* the charges of its stages are those in `stages` */
    double back;             /* how far before the step they have been found, in steps */

    bool first, rejected, started;
    bool slopes_here;                 /* the stages hold the Jacobians at t as those of their end */
    bool extrapolated;                /* `predicted` comes from the polynomial */
    bool predictable;                 /* and was near the solution in the last step */
    int failures;                     /* of Newton's method since the last accepted step */
    int standing;                     /* steps in a row that did not grow for the sake of their error */
    double error_before, step_before; /* for the predictive controller; 0: not known */
    double smooth_contraction;        /* for the choice of stages */
    int steps_with_stages;
};

/* How far waveforms may be from the corrected polynomial between its nodes, in units of reltol. */
struct radau_roughness {
    double controlled, followers;
    double all; /* of all unknowns but those of index 2; INFINITY: not known */
};

void radau_interpolate(struct integrator *base, double time, double *x, double *dxdt);
bool radau_charges(struct integrator *base, double time, double *q, double *dqdt);

/* Starting values of the stages, and `predicted`, for a step of size h. */
void radau_predict_stages(struct radau *m, double h);

/* The prediction by the polynomial before misses by the same derivative.  Uses up `predicted`. */
struct radau_roughness radau_roughness(struct radau *m, double h);
/* What the equations miss between the nodes; leaves what x misses in `predicted`. */
struct radau_roughness radau_missed_between(struct radau *m, double h);
/* What the slope of the charges at the end misses for unknowns that follow. */
double radau_missed_slope(struct radau *m, double h);
/* e [n], times `part`. */
struct radau_roughness radau_roughness_of(const struct radau *m, const double *e, double part);
/* The larger of both where it asks for a shorter step than h, else 0. */
double radau_excess(const struct radau *m, double h, struct radau_roughness rough);
/* Steps are not shortened below this for the sake of smoothness; one of the parts above. */
double radau_finest(const struct radau *m, double part);

/* What the collocation polynomial of the new step (the stages) misses in leading order. */
void radau_correct_polynomial(struct radau *m, double h);

#endif
