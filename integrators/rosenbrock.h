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
    double *first_C;              /* [entries + 1] of a method with explicit rows: C must stay the same */
    bool *algebraic;              /* [n] rows without charge, of such a method */
};

/* The step from base.t to `to`: onestep.next and .error; base does not move. */
enum newton_outcome rosenbrock_attempt(struct rosenbrock *m, double to);

#endif
