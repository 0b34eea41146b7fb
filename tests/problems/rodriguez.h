/* rodriguez.h - linear index-2 examples of R. Rodriguez Santiesteban (Lamour's school, Humboldt-Universitaet zu Berlin)
 * on stability of discretisations: A x' + B(t) x = 0.
 */
#ifndef TESTS_PROBLEMS_RODRIGUEZ_H
#define TESTS_PROBLEMS_RODRIGUEZ_H

#include "problems/problem.h"

struct rodriguez_parameters {
    double lambda, eta;
    double theta; /* Ex. 4.2.12 */
};
static struct rodriguez_parameters rodriguez;

/* f := B x, q := A x with A = diag(1, 1, 0, ..); B is in G. */
static void rodriguez_finish(int n, int differential, const double *x, double *f, double *q, const double *G, double *C)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            f[i] += G[i * n + j] * x[j];
    for (int i = 0; i < differential; i++) {
        q[i] = x[i];
        C[i * n + i] = 1;
    }
}

/* ---- Ex. 3.0.8: x1 = e^(-lambda t), x2 = (eta t - 1) x1, x3 = -x2.  Stable, but not for implicit Euler. ---- */

static void rodriguez308(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    const double l = rodriguez.lambda, e = rodriguez.eta, s = e * t;
    const double B[9] = {l, -1, -1, s * (1 - s) - e, l, -s, 1 - s, 1, 0};
    memcpy(G, B, sizeof B);
    rodriguez_finish(3, 2, x, f, q, G, C);
    dfdt[1] = e * (1 - 2 * s) * x[0] - e * x[2];
    dfdt[2] = -e * x[0];
}

static void rodriguez308_exact(double t, double *x)
{
    x[0] = exp(-rodriguez.lambda * t);
    x[1] = (rodriguez.eta * t - 1) * x[0];
    x[2] = -x[1];
}

static const enum dae_class rodriguez_classes[] = {DAE_DIFFERENTIAL, DAE_DIFFERENTIAL, DAE_INDEX2, DAE_INDEX2};
static const struct problem rodriguez_308 = {"Rodriguez Ex. 3.0.8", 3,   false, rodriguez308, rodriguez308_exact,
                                             rodriguez_classes,     NULL};

/* ---- Ex. 3.2.1: the same with the constraint x1 = x2 fixed in space; x3 = (eta t - 1) x1. ---- */

static void rodriguez321(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    const double l = rodriguez.lambda, e = rodriguez.eta, s = e * t;
    const double B[9] = {l, (s - 1) * (s - 1), -(s - 1), s * (s - 1), l, -s, 1, -1, 0};
    memcpy(G, B, sizeof B);
    rodriguez_finish(3, 2, x, f, q, G, C);
    dfdt[0] = 2 * e * (s - 1) * x[1] - e * x[2];
    dfdt[1] = e * (2 * s - 1) * x[0] - e * x[2];
}

static void rodriguez321_exact(double t, double *x)
{
    x[0] = x[1] = exp(-rodriguez.lambda * t);
    x[2] = (rodriguez.eta * t - 1) * x[0];
}

static const struct problem rodriguez_321 = {"Rodriguez Ex. 3.2.1", 3,   false, rodriguez321, rodriguez321_exact,
                                             rodriguez_classes,     NULL};

/* ---- Ex. 4.2.12: 3.0.8 stabilised by Gear, Gupta and Leimkuhler, with a rotated extra column; mu = 0.  The sign of
 * cos in a2 is that of a rotation, not the printed one. ---- */

static void rodriguez4212(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    const double l = rodriguez.lambda, e = rodriguez.eta, s = e * t;
    const double phi = fabs(cos(t)) * rodriguez.theta, c = cos(phi), d = sin(phi);
    const double B[16] = {
        l, -1, -1, c * (1 - s) - d, s * (1 - s) - e, l, -s, d * (1 - s) + c, s * (s - 1), 1 - s, 1, 0, 1 - s, 1, 0, 0};
    const double turn = -(cos(t) >= 0 ? 1 : -1) * sin(t) * rodriguez.theta; /* phi' */
    memcpy(G, B, sizeof B);
    rodriguez_finish(4, 2, x, f, q, G, C);
    dfdt[0] = (-d * turn * (1 - s) - c * e - c * turn) * x[3];
    dfdt[1] = e * (1 - 2 * s) * x[0] - e * x[2] + (c * turn * (1 - s) - d * e - d * turn) * x[3];
    dfdt[2] = e * (2 * s - 1) * x[0] - e * x[1];
    dfdt[3] = -e * x[0];
}

static void rodriguez4212_exact(double t, double *x)
{
    rodriguez308_exact(t, x);
    x[3] = 0;
}

static const struct problem rodriguez_4212 = {"Rodriguez Ex. 4.2.12", 4,   false, rodriguez4212, rodriguez4212_exact,
                                              rodriguez_classes,      NULL};

#endif
