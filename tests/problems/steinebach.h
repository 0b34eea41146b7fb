/* steinebach.h - constructed test problems of G. Steinebach's report on semi-implicit and semi-explicit pairs for
 * index-1 DAEs (examples 2.1 to 2.3 and (9.9) of our extract).
 */
#ifndef TESTS_PROBLEMS_STEINEBACH_H
#define TESTS_PROBLEMS_STEINEBACH_H

#include "problems/problem.h"

/* ---- Ex. 1: y' = z, 0 = y^2 + z^2 - 1; sin, cos; g_z vanishes at pi/2 ---- */

static void steinebach1(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    q[0] = x[0];
    C[0] = 1;
    f[0] = -x[1];
    f[1] = x[0] * x[0] + x[1] * x[1] - 1;
    G[1] = -1;
    G[2] = 2 * x[0], G[3] = 2 * x[1];
}

static void steinebach1_exact(double t, double *x)
{
    x[0] = sin(t), x[1] = cos(t);
}

static const struct problem steinebach_1 = {"Steinebach Ex. 1", 2, false, steinebach1, steinebach1_exact, NULL, NULL};

/* ---- Ex. 2: y1' = z y2^3/2, y2' = y2 z/6, 0 = z + 6 y1/y2^3; e^-3x, e^-x, -6; unstable in y2 ---- */

static void steinebach2(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    const double y1 = x[0], y2 = x[1], z = x[2], cube = y2 * y2 * y2;
    (void)t, (void)dfdt;
    q[0] = y1, q[1] = y2;
    C[0] = C[4] = 1;
    f[0] = -0.5 * z * cube, f[1] = -y2 * z / 6, f[2] = z + 6 * y1 / cube;
    G[1] = -1.5 * z * y2 * y2, G[2] = -0.5 * cube;
    G[4] = -z / 6, G[5] = -y2 / 6;
    G[6] = 6 / cube, G[7] = -18 * y1 / (cube * y2), G[8] = 1;
}

static void steinebach2_exact(double t, double *x)
{
    x[0] = exp(-3 * t), x[1] = exp(-t), x[2] = -6;
}

static const struct problem steinebach_2 = {"Steinebach Ex. 2", 3, false, steinebach2, steinebach2_exact, NULL, NULL};

/* ---- Ex. 3: y1' = z1, y2' = -z2^(1/4)/2, 0 = y1^2 + z1^2 - y2^4/z2, 0 = z2 - y2^4; sin x, e^(-x/2), cos x, e^(-2x)
 * ---- */

static void steinebach3(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    const double y1 = x[0], y2 = x[1], z1 = x[2], z2 = x[3], root = pow(z2, 0.25), cube = y2 * y2 * y2;
    (void)t, (void)dfdt;
    q[0] = y1, q[1] = y2;
    C[0] = C[5] = 1;
    f[0] = -z1, f[1] = 0.5 * root;
    f[2] = y1 * y1 + z1 * z1 - cube * y2 / z2;
    f[3] = z2 - cube * y2;
    G[2] = -1;
    G[7] = 0.125 * root / z2;
    G[8] = 2 * y1, G[9] = -4 * cube / z2, G[10] = 2 * z1, G[11] = cube * y2 / (z2 * z2);
    G[13] = -4 * cube, G[15] = 1;
}

static void steinebach3_exact(double t, double *x)
{
    x[0] = sin(t), x[1] = exp(-t / 2), x[2] = cos(t), x[3] = exp(-2 * t);
}

static const struct problem steinebach_3 = {"Steinebach Ex. 3", 4, false, steinebach3, steinebach3_exact, NULL, NULL};

/* ---- (9.9): [[1, 1], [1, 1]] y' = (y1 + y2, 2 y1 + 5): a singular matrix before y' ---- */

static void steinebach99(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    q[0] = q[1] = x[0] + x[1];
    C[0] = C[1] = C[2] = C[3] = 1;
    f[0] = -(x[0] + x[1]), f[1] = -(2 * x[0] + 5);
    G[0] = G[1] = -1, G[2] = -2;
}

static void steinebach99_exact(double t, double *x)
{
    x[0] = (3 * exp(t) - 5) / 2, x[1] = (3 * exp(t) + 5) / 2;
}

static const struct problem steinebach_9_9 = {"Steinebach (9.9)", 2,    true, steinebach99,
                                              steinebach99_exact, NULL, NULL};

#endif
