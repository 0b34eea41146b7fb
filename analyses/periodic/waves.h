/* waves.h - small signals on a periodic orbit: the equations along it are linear and repeat with its period T.
 *
 * What sources u e^(j w t) make of them is y(t) e^(j w t) with y of the period T (Telichevesky, Kundert and White, 33rd
 * Design Automation Conf., 1996):
 *
 *     d/dt (C y) + (G + j w C) y = u,   y(T) = y(0),
 *
 * on the steps and stages of the orbit; its Fourier coefficients are the phasors at w + 2 pi k / T.  A linear circuit has a
 * constant y, which is that of .ac to rounding.
 */
#ifndef ANALYSES_PERIODIC_WAVES_H
#define ANALYSES_PERIODIC_WAVES_H

#include "analyses/periodic/orbit.h"

#include <complex.h>

struct waves {
    struct orbit *orbit;
    double w;                /* 1/s */
    struct waves_step *kept; /* [steps] */
    double complex *matrix;  /* [entries of the stages + 1] */
    double complex *right;   /* [3 n] of a step */
    double complex *product; /* [n] */
};

/* The orbit must have been followed and stays where it is; free with waves_free, also after a failure. */
enum kn_status waves_init(struct waves *s, struct orbit *o);
void waves_free(struct waves *s);

/* Factors of all steps at w.  KN_ERROR_CIRCUIT: they have none. */
enum kn_status waves_set(struct waves *s, double w);

/* u [n], the same all along; y [3 steps n] of the stages. */
enum kn_status waves_solve(struct waves *s, const double complex *u, double complex *y);
/* What u of the stages [3 steps n] means to sum over stages of h b / T e^T y, e [n]: the derivative of that mean with respect to each,
 * over h b / T: a mean of products again. */
enum kn_status waves_adjoint(struct waves *s, const double complex *e, double complex *response);

/* h b / T of a stage: the mean of anything over the period is its sum with these. */
double waves_weight(const struct waves *s, size_t stage);
/* Part of the period where a stage is. */
double waves_part(const struct waves *s, size_t stage);

#endif
