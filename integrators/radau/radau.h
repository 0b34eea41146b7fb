/* radau.h - what the parts of the Radau IIA method share: radau.c (the method), radau_step.c, radau_rescue.c
 * and radau_polynomial.c (dense output). */
#ifndef INTEGRATORS_RADAU_RADAU_H
#define INTEGRATORS_RADAU_RADAU_H

#include "integrators/control.h"
#include "integrators/radau/radau_stages.h"

enum { FIRST_CHOICE = 2 }; /* of the tableaus, at each start */

struct radau {
    struct integrator base;
    struct integrator_options options;
    int lowest, highest, choice; /* of radau_tableaus */
    struct control control;      /* its tolerance is that of the estimate */
    double *absolute;            /* [n] of the tolerance, for the estimate's order */
    struct radau_stages stages;
    struct newton rescue;
    double *x, *q, *f;     /* [n] at t */
    double *error, *point; /* [n] */
    double *predicted;     /* [n] last stage, extrapolated */

    /* The polynomial of the last accepted step. */
    const struct radau_tableau *polynomial;
    double polynomial_step; /* 0: none */
    struct radau_slope {
        double missed, step;               /* reltol, s; step 0: not known */
    } slope, slope_before;                 /* of the step that is judged, and of the last one (radau_step.c) */
    double *begin;                         /* [n] x where the step began */
    double *X[RADAU_STAGES];               /* [n] stages */
    double *smooth, *rest;                 /* [n] its corrections, times radau_smooth_nodal and radau_nodal */
    double *next_rest;                     /* [n] */
    double *carried_smooth, *carried_rest; /* [n] the same of the charges, of the step that ends at .. */
    double carried_at;                     /* s; NaN: of none */
    bool charges_known;                    /* the charges of its stages are those in `stages` */
    double layer; /* reltol: what the step that is judged misses at its begin, behind a corner, of a stiff waveform */
    bool across;  /* the step that is judged leads across a jump of unknowns without memory, if it stands */
    bool bent;    /* it is rejected for what its end or what is between misses, which shorter steps resolve */
    double back;  /* how far before the step they have been found, in steps */

    bool started;
    bool slopes_here;          /* the stages hold the Jacobians at t as those of their end */
    bool extrapolated;         /* `predicted` comes from the polynomial */
    bool predictable;          /* and was near the solution in the last step */
    int failures;              /* of Newton's method since the last accepted step */
    int standing;              /* steps in a row that did not grow for the sake of their error */
    double smooth_contraction; /* for the choice of stages */
    int steps_with_stages;
};

/* How far waveforms may be from the corrected polynomial between its nodes, in units of reltol. */
struct radau_roughness {
    double controlled, followers;
    double all; /* of all unknowns but those of index 2; INFINITY: not known */
    double end; /* at its last node, what the error of the step does not see */
};

void radau_interpolate(struct integrator *base, double time, double *x, double *dxdt);
bool radau_charges(struct integrator *base, double time, double *q, double *dqdt);

double radau_in_reltol(const struct radau *m, double norm); /* of an error's norm, which is in tolerances of a step */

/* Starting values of the stages, and `predicted`, for a step of size h. */
void radau_predict_stages(struct radau *m, double h);

/* The prediction by the polynomial before misses by the same derivative.  Uses up `predicted`. */
struct radau_roughness radau_roughness(struct radau *m, double h);
/* What the equations miss between the nodes; leaves what x misses in `predicted`. */
struct radau_roughness radau_missed_between(struct radau *m, double h);
/* What the slope of the charges at the end misses there for unknowns that follow and in stiff components. */
struct radau_roughness radau_missed_slope(struct radau *m, double h);
/* e [n], times `part`. */
struct radau_roughness radau_roughness_of(const struct radau *m, const double *e, double part);
/* The largest of them that rejects the step, else 0. */
double radau_excess(const struct radau *m, struct radau_roughness rough);

/* From now on. */
void radau_use_stages(struct radau *m, int choice);
/* Of a step of size h from here, into those of `stages`. */
enum newton_outcome radau_solve_stages(struct radau *m, double h);
/* The tolerance becomes that of the estimate of the tableau. */
void radau_use_tolerance_of(struct radau *m, const struct radau_tableau *tableau);
/* Jacobians at the begin of the step. */
enum kn_status radau_linearize_here(struct radau *m);
enum newton_outcome radau_solve_from_starting_values(struct radau *m, double h);
/* What of m->error is more than rounding [n]. */
double radau_error_beyond(struct radau *m, const double *rounding, int *worst);
/* The errors of the stages just solved: accepted or rejected. */
void radau_judge(struct radau *m, double to, struct step_report *report);
/* The step to `to` with the stages of `tableau` becomes the last one; its error is for the prediction. */
void radau_advance(struct radau *m, double to, const struct radau_tableau *tableau, double error);

/* After repeated failures: true when the report is complete. */
bool radau_rescue(struct radau *m, double to, struct step_report *report);

/* A rejected step that output does not show, by implicit Euler instead: what diodes without charge leave to it, stages in front of a
 * jump and behind it swing through. */
void radau_cross(struct radau *m, double to, struct step_report *report);

/* What the collocation polynomial of the new step (the stages) misses in leading order. */
void radau_correct_polynomial(struct radau *m, double h);

#endif
