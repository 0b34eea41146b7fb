/* newton.h - Newton's method for  r(x) = f(x, t) + alpha q(x, t) + b = 0  on the factored matrix G + alpha C.
 *
 * One solver for all implicit formulas with one real alpha (alpha = 0: operating point).  It keeps the factors between
 * calls and uses them as long as they contract (simplified Newton); on slow convergence it goes over to full Newton from
 * where it stands.  It stops when the update test  theta/(1-theta) |dx| <= kappa  (Deuflhard/Bornemann 2008, 6.12; norms
 * weighted by the tolerance) and the residual test |r_i| <= tolerance of equation i are both passed, with no junction
 * limited.  q, f at the solution are those of the final evaluation at x itself, never extrapolated.
 */
#ifndef INTEGRATORS_NEWTON_H
#define INTEGRATORS_NEWTON_H

#include "integrators/dae.h"

struct newton_options {
    double relative;    /* reltol */
    double kappa;       /* part of the tolerance that Newton may leave as error */
    int max_iterations; /* per solve */
};

enum newton_outcome {
    NEWTON_CONVERGED,
    NEWTON_SLOW,       /* iteration limit or no contraction */
    NEWTON_NOT_FINITE, /* the problem could not be evaluated, even after damping */
    NEWTON_SINGULAR,
    NEWTON_FAILED /* eval returned a status, kept in `status` */
};

struct newton_statistics {
    long iterations, evaluations, jacobians, solves, failures;
};

struct newton {
    const struct dae *dae;
    struct newton_options options;
    struct sparse_lu *lu;
    double *matrix; /* G + alpha C as factored */
    double *G, *C;
    double *f, *q;       /* at the last evaluated point; at the solution after NEWTON_CONVERGED */
    double *residual;    /* [n] */
    double *update;      /* [n] */
    double *trial;       /* [n] point before the last update, for damping */
    double *row_scale;   /* [n] magnitude of the terms in each row, from the last Jacobian */
    double alpha;        /* of the factors; NaN when there are none */
    bool jacobian_current;
    double rate; /* contraction of the last solves */
    enum kn_status status;
    int worst; /* unknown with the largest weighted update, for messages */
    double worst_update;   /* weighted */
    int worst_row;         /* equation with the largest weighted residual */
    double worst_residual; /* in the unit of f */
    int last_iterations;
    struct newton_statistics statistics;
};

enum kn_status newton_init(struct newton *s, const struct dae *dae, const struct newton_options *options);
void newton_free(struct newton *s);

/* Forgets the factors (after a discontinuity or when the problem itself has changed). */
void newton_invalidate(struct newton *s);

struct newton_problem {
    double t;
    double alpha;
    const double *b;         /* [n] */
    const double *weights;   /* [n] 1 / (tolerance of unknown i) */
    const double *reference; /* [n] last accepted point, for limiting; may be NULL: the starting point */
};

/* x: start in, solution out [n]. */
enum newton_outcome newton_solve(struct newton *s, const struct newton_problem *p, double *x);

/* b := (G + alpha C)^-1 b with the factors at hand. */
void newton_back_solve(struct newton *s, double *b);

#endif
