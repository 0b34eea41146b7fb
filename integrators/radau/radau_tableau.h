/* radau_tableau.h - Radau IIA methods of 1, 2, 3, 5 and 7 stages, and their collocation polynomials. */
#ifndef INTEGRATORS_RADAU_RADAU_TABLEAU_H
#define INTEGRATORS_RADAU_RADAU_TABLEAU_H

#include <stdbool.h>

enum { RADAU_STAGES = 7, RADAU_PAIRS = 3, RADAU_TABLEAUS = 5 };

/* Of RADAU (Hairer and Wanner, Solving ODEs II, 1996, IV.8; J. Comp. Appl. Math. 111, 1999). */
static const struct {
    double kappa;         /* goal of Newton's method, in tolerances, at most (FNEWT) */
    double keep_jacobian; /* contraction below which G and C serve another step (THET) */
    double raise, lower;  /* contraction below which more stages pay and above which fewer do (VITU, VITD) .. */
    double steady_least, steady_most; /* .. where steps change by no more than that (HHOD, HHOU) */
} RADAU_CODE = {
    .kappa = 0.03, .keep_jacobian = 1e-3, .raise = 2e-3, .lower = 0.8, .steady_least = 0.8, .steady_most = 1.2};

struct radau_tableau {
    int stages;                           /* order 2 stages - 1 */
    double largest_nodal;                 /* largest |radau_nodal| in [0, 1] */
    double c[RADAU_STAGES];               /* nodes, the last is 1 */
    double W[RADAU_STAGES][RADAU_STAGES]; /* inverse of the Runge-Kutta matrix A */
    /* W = T diag(real, blocks) T^-1; each complex pair re +- i im gives the block [re im; -im re]. */
    double T[RADAU_STAGES][RADAU_STAGES];
    double inverse_T[RADAU_STAGES][RADAU_STAGES];
    bool has_real;
    double real;
    int pairs;
    double re[RADAU_PAIRS], im[RADAU_PAIRS];
    /* Error estimate (Hairer and Wanner 1996, IV.8.20):  (filter C + G)^-1 ( -f(x_n) + 1/h sum e_j (q(X_j) - q_n) )
     * with filter = gamma / h. */
    double gamma;
    double e[RADAU_STAGES];
    double product[RADAU_STAGES + 1]; /* prod_i (x - c_i) in powers of x */
};

/* By increasing number of stages. */
extern const struct radau_tableau radau_tableaus[RADAU_TABLEAUS];

/* Collocation polynomial through x_n, X_1 .. X_s at t_n + theta h: value = w_0 x_n + sum_i w_i X_i, h times slope
 * likewise. w: [stages + 1]. */
void radau_value_weights(const struct radau_tableau *r, double theta, double *w);
void radau_slope_weights(const struct radau_tableau *r, double theta, double *w);
/* theta prod_i (theta - c_i), to which the error of the polynomial is proportional in algebraic unknowns, and its
 * slope. */
double radau_nodal(const struct radau_tableau *r, double theta);
double radau_nodal_slope(const struct radau_tableau *r, double theta);
/* The same for differential unknowns: the integral from 0 to theta of prod_i (x - c_i), which is 0 at 1 from two stages
 * on.  One stage: theta (theta - 1). */
double radau_smooth_nodal(const struct radau_tableau *r, double theta);
double radau_smooth_nodal_slope(const struct radau_tableau *r, double theta);

#endif
