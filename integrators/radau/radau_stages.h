/* radau_stages.h - the stage equations of one step of Radau IIA,
 *
 *     R_i = 1/h sum_j w_ij (q(X_j) - q_n) + f(X_i, t_n + c_i h) = 0,   i = 1..s,   W = A^-1,
 *
 * and their simplified Newton iteration, decoupled by the eigenvalues of W into systems (lambda/h) C + G on the
 * circuit's pattern (Hairer and Wanner, Solving ODEs II, 1996, IV.8).
 */
#ifndef INTEGRATORS_RADAU_RADAU_STAGES_H
#define INTEGRATORS_RADAU_RADAU_STAGES_H

#include "integrators/integrator.h"
#include "integrators/radau/radau_tableau.h"
#include "integrators/tolerance.h"

struct radau_stages {
    const struct dae *dae;
    const struct tolerance *tolerance; /* of the error estimate */
    const struct radau_tableau *tableau;
    double relative; /* reltol, of the result */
    double kappa;    /* part of the tolerance that Newton may leave, at most */

    /* Jacobians and factors. */
    double *G, *C;      /* [entries + 1] */
    bool have_jacobian; /* G, C are meant to serve the next step */
    double h;           /* for which there are factors; 0: none */
    struct sparse_lu *real;
    struct sparse_lu *end; /* with the slopes at the end of the step, where they are much smaller: `softer` */
    bool softer;
    struct sparse_zlu *pair[RADAU_PAIRS];

    double *X[RADAU_STAGES];  /* [n] starting values in, stages out */
    double *dq[RADAU_STAGES]; /* [n] q(X_i) - q_n */
    double *f, *q;            /* [n] at the last stage, after convergence */
    double *before;           /* [n] residual there before the last correction */
    double *bent;             /* [n] how far q is there from what corrections have made of it by slopes */
    double *end_G, *end_C;    /* [entries + 1] there, unless the problem is linear */

    /* What the iteration tells. */
    double contraction;         /* mean of the last two ratios of corrections */
    double shrink;              /* after NEWTON_SLOW: factor on the step that promises convergence */
    int iterations;             /* of the last solve */
    int worst;                  /* unknown with the largest correction */
    double correction;          /* its size in tolerances */
    double read_off_correction; /* of unknowns of index 2 and currents that are looked at, in units of reltol */
    enum kn_status status;

    double eta;                                          /* error after the next correction / this correction */
    double *residual[RADAU_STAGES], *work[RADAU_STAGES]; /* [n] */
    double *matrix;                                      /* [entries + 1] */
    double *tolerances, *allowed;                        /* [n] of unknowns and residuals */
    double *rounding, *noise;                            /* [n] see radau_stages_round; used up by it */
    double complex *complex_matrix, *complex_vector;     /* [entries + 1], [n] */
    long evaluations, jacobians, newton_iterations, solves;
};

/* Where the step starts. */
struct radau_point {
    double t;
    const double *x, *f, *q; /* [n] */
};

/* For tableaus of up to `most` stages, with vectors in an arena. */
enum kn_status radau_stages_init(struct radau_stages *s, struct arena *memory, const struct dae *dae,
                                 const struct tolerance *tolerance, int most);
void radau_stages_free(struct radau_stages *s);

void radau_stages_use(struct radau_stages *s, const struct radau_tableau *tableau);

/* dae->eval, counted; the Jacobians go to s->G and s->C. */
enum kn_status radau_stages_evaluate(struct radau_stages *s, double t, const double *x, unsigned what, double *f,
                                     double *q);
/* New Jacobians at (t, x). */
enum kn_status radau_stages_linearize(struct radau_stages *s, double t, const double *x);
/* The Jacobians at the end of the last solve. */
void radau_stages_linearize_end(struct radau_stages *s);
/* Whether the Jacobians at hand are of the size of those at the end of the last solve. */
bool radau_stages_is_sane(struct radau_stages *s, double h);
/* Means of the Jacobians at hand and those at (t, x): a law whose slope jumps from a to b inside the step gives
 * contraction |a - b| / (a + b) < 1 on both sides of the jump. */
enum kn_status radau_stages_average(struct radau_stages *s, double t, const double *x);

/* Iterates from the starting values in X.  Contraction and eta are those of the step before, or those of
 * radau_stages_doubt. */
enum newton_outcome radau_stages_solve(struct radau_stages *s, const struct radau_point *from, double h);
/* Nothing is known about the convergence to come. */
void radau_stages_doubt(struct radau_stages *s);

/* b := (gamma/h C + G)^-1 b, after a solve. */
void radau_stages_filter(struct radau_stages *s, double *b);
/* The same with the slopes at the end of the step, while `softer` tells that there are factors of it. */
void radau_stages_filter_end(struct radau_stages *s, double *b);
/* Finds out how far rounding of charges and currents at x moves the unknowns (s->rounding [n]). */
void radau_stages_round(struct radau_stages *s, const double *x);

#endif
