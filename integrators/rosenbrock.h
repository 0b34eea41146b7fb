/* rosenbrock.h - one step of a Rosenbrock-Wanner method; drive.c and the tests judge it. */
#ifndef INTEGRATORS_ROSENBROCK_H
#define INTEGRATORS_ROSENBROCK_H

#include "integrators/onestep.h"
#include "integrators/rosenbrock_tableaus.h"

/* Sums of coefficients that the stages need. */
struct rosenbrock_sums {
    double abscissa[ROSENBROCK_STAGES];                /* sum_j alpha_ij */
    double rate[ROSENBROCK_STAGES];                    /* sum_j gamma_ij, diagonal included: factor of h^2 d/dt */
    double beta[ROSENBROCK_STAGES][ROSENBROCK_STAGES]; /* alpha_ij + gamma_ij, j < i */
    bool same_point[ROSENBROCK_STAGES];                /* as the stage before: f and q are there already */
    double embedded[ROSENBROCK_STAGES];                /* b - embedded */
    double plain[ROSENBROCK_STAGES], charge[ROSENBROCK_STAGES]; /* weights of the error estimates */
};

/* What the polynomial between points is made of: rosenbrock_dense.c. */
struct rosenbrock_ends {
    bool known;         /* the last step has a polynomial, and end_slope is dx/dt at its end */
    double before_step; /* s, size of the step before; 0: not known */
    double *begin_x, *begin_q, *begin_f, *begin_slope; /* [n] at base.previous */
    double *before_x, *before_q;                       /* [n] one step earlier */
    double *end_slope;                                 /* [n] at base.t */
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
    struct rosenbrock_ends ends;
    double proposed; /* s, step proposed last */
    double *first_C; /* [entries + 1] of a method with explicit rows: C must stay the same */
    bool *algebraic; /* [n] rows without charge, of such a method */
};

/* The step from base.t to `to`: onestep.next and .error; base does not move. */
enum newton_outcome rosenbrock_attempt(struct rosenbrock *m, double to);

/* Factors rows of C where there is charge, rows of G elsewhere, unless that is what lu holds. */
enum newton_outcome rosenbrock_factor_split(struct rosenbrock *m);

/* Before a step is accepted: keeps what is known of its begin. */
void rosenbrock_remember(struct rosenbrock *m);
/* After a step was accepted with a polynomial of any degree: a better one, if slopes at its ends can be found.  next:
 * size (s) of the next step, for whose sake the matrix is factored. */
void rosenbrock_find_polynomial(struct rosenbrock *m, double next);
/* onestep.error := error between points of the step to `to`, judged by how far the polynomial of the step before,
 * continued, misses the new point. */
void rosenbrock_estimate_between(struct rosenbrock *m, double to);

#endif
