/* rosenbrock.h - what the parts of the Rosenbrock-Wanner methods share: rosenbrock.c (steps) and rosenbrock_dense.c
 * (points between). */
#ifndef INTEGRATORS_ROSENBROCK_ROSENBROCK_H
#define INTEGRATORS_ROSENBROCK_ROSENBROCK_H

#include "integrators/onestep.h"
#include "integrators/rosenbrock/rosenbrock_tableaus.h"

/* Sums of coefficients that the stages need. */
struct rosenbrock_sums {
    double abscissa[ROSENBROCK_STAGES];                /* sum_j alpha_ij */
    double rate[ROSENBROCK_STAGES];                    /* sum_j gamma_ij, diagonal included: factor of h^2 d/dt */
    double beta[ROSENBROCK_STAGES][ROSENBROCK_STAGES]; /* alpha_ij + gamma_ij, j < i */
    bool same_point[ROSENBROCK_STAGES];                /* as the stage before: f and q are there already */
    double embedded[ROSENBROCK_STAGES];                /* b - embedded */
    double charge_gain;    /* of roundings of the charges, times 1 / (gamma h), in the error estimate */
    bool stiffly_accurate; /* the last stage gives the new point: b_i = beta_si */
};

/* What is known for the polynomial between points, beside the two ends of a step: rosenbrock_dense.c. */
struct rosenbrock_past {
    bool known;        /* the last step has a polynomial; the arrays hold */
    double back;       /* s, size of the step before it, if its polynomial made use of that; else 0 */
    double *x, *q;     /* [n] at the begin of the last step */
    double *slope;     /* [n] dx/dt at base.t */
    double *end_slope; /* [n] workspace: dx/dt at the end of the step being made */
    double *rate[2];   /* [n] of the charges at the begin of the last step, and at its end, by these slopes of x */
};

struct rosenbrock {
    struct onestep onestep;
    const struct rosenbrock_tableau *tableau;
    struct rosenbrock_sums sums;
    double *k[ROSENBROCK_STAGES]; /* [n] increments of x */
    double *l[ROSENBROCK_STAGES]; /* [n] increments of the charges */
    double *charge;               /* [n] at base.t as the method carries it */
    double *next_charge;          /* [n] */
    bool have_charge;             /* else it is q(x) */
    double *point, *f, *q;        /* [n] of the stage */
    double *right;                /* [n] right-hand side, then sum_j gamma_ij k_j */
    struct rosenbrock_past past;
    bool ends_known;             /* f and q at both ends of the last step are those in onestep */
    double proposed;             /* s, step proposed last */
    bool *algebraic;             /* [n] rows without charge at the candidate */
    double *balance, *to_ground; /* [n] tolerances of currents at nodes there, and work */
    double unbalanced;           /* the largest of those currents, in these */
    /* Factors the method's matrix at the candidate that is being visited: onestep_factor, or one of separate rows. */
    enum newton_outcome (*factor)(struct onestep *o, double alpha);
};

/* f and q at the point of stage i. */
enum newton_outcome rosenbrock_evaluate_stage(struct rosenbrock *m, int i, double h);

/* A step from base.t to `to` in its parts.  First: true where it has been made by a rescue, and there is nothing to add. */
bool rosenbrock_begin(struct rosenbrock *m, double to, struct step_report *report);
/* Its stages: onestep.next and .error; base does not move. */
enum newton_outcome rosenbrock_attempt(struct rosenbrock *m, double to);
/* The end of an attempt whose stages k are there. */
void rosenbrock_combine(struct rosenbrock *m);
/* What becomes of the attempt: accepted or rejected. */
void rosenbrock_end(struct rosenbrock *m, double to, enum newton_outcome attempted, struct step_report *report);

/* While the candidate at the end of a step of size h is visited and the matrix of the step is still factored: the slope
 * at its begin, unless that is known. */
bool rosenbrock_find_begin_slope(struct rosenbrock *m, double h);
/* The same with the matrix of the candidate: its slope. */
bool rosenbrock_find_end_slope(struct rosenbrock *m, double h);
/* With both slopes, before the candidate is accepted: the polynomial of the step, whose degree is returned. */
int rosenbrock_fill_polynomial(struct rosenbrock *m, double h);
/* After a rescue: the charges of the last step are on a straight line. */
void rosenbrock_remember_rescue(struct rosenbrock *m);
/* The charges of the last step, a cubic by their values and slopes at both ends; false where these are not known. */
bool rosenbrock_charges(struct integrator *base, double time, double *q, double *dqdt);
/* onestep.error := error between points of the step to `to`, judged by how far the polynomial of the step before,
 * continued, misses the new point. */
void rosenbrock_estimate_between(struct rosenbrock *m, double to);

/* `size` bytes begin with a struct rosenbrock. */
enum kn_status rosenbrock_create(size_t size, const struct rosenbrock_tableau *tableau,
                                 const struct integrator_class *class, const struct dae *dae,
                                 const struct integrator_options *o, struct integrator **out);
enum kn_status rosenbrock_restart(struct integrator *base, double t, const double *x);
void rosenbrock_step(struct integrator *base, double to, struct step_report *report);

/* A class of its own for a tableau rosenbrock_<id>. */
#define ROSENBROCK_CLASS(id, text, good, bad, create_function, step_function, linear_part, nonlinear_part, p)          \
    const struct integrator_class integrator_##id = {                                                                  \
        .name = #id,                                                                                                   \
        .title = text,                                                                                                 \
        .good_for = good,                                                                                              \
        .fails = bad,                                                                                                  \
        .calibration = {linear_part, nonlinear_part, nonlinear_part, p},                                               \
        .create = create_function,                                                                                     \
        .destroy = onestep_destroy,                                                                                    \
        .restart = rosenbrock_restart,                                                                                 \
        .step = step_function,                                                                                         \
        .interpolate = onestep_interpolate,                                                                            \
        .charges = rosenbrock_charges,                                                                                 \
        .statistics = onestep_statistics,                                                                              \
    }
#define ROSENBROCK_CREATE(id)                                                                                          \
    static enum kn_status id##_create(const struct dae *dae, const struct integrator_options *o,                       \
                                      struct integrator **out)                                                         \
    {                                                                                                                  \
        return rosenbrock_create(sizeof(struct rosenbrock), &rosenbrock_##id, &integrator_##id, dae, o, out);          \
    }

#endif
