/* weber.h - singularly perturbed problems of S. Weber's dissertation (Halle 2013), with the corrections of our extract.
 */
#ifndef TESTS_PROBLEMS_WEBER_H
#define TESTS_PROBLEMS_WEBER_H

#include "problems/problem.h"

/* The small parameter of the problem in hand; a test sets it before it runs. */
static double weber_epsilon;

/* ---- T2, Ex. 1.2: two masses, the first of them epsilon; q1, q2 and velocities.  epsilon = 0: its quasi-static limit.
 * ---- */

static void weber2(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    static const double d1 = 0.02, d2 = 0.02, c1 = 10, c2 = 10, force = 0.1;
    const double e = weber_epsilon;
    (void)t, (void)dfdt;
    q[0] = x[0], q[1] = x[1], q[2] = e * x[2], q[3] = x[3];
    C[0] = C[5] = C[15] = 1, C[10] = e;
    f[0] = -x[2], f[1] = -x[3];
    f[2] = d1 * x[2] - d2 * (x[3] - x[2]) + c1 * x[0] - c2 * (x[1] - x[0]);
    f[3] = d2 * (x[3] - x[2]) + c2 * (x[1] - x[0]) - force;
    G[2] = -1, G[7] = -1;
    G[8] = c1 + c2, G[9] = -c2, G[10] = d1 + d2, G[11] = -d2;
    G[12] = -c2, G[13] = c2, G[14] = -d2, G[15] = d2;
}

static const struct problem weber_t2 = {"Weber T2", 4, false, weber2, NULL, NULL, NULL};

/* ---- T5, Ex. 2.7: van der Pol, y' = z, epsilon z' = (1 - y^2) z - y, y(0) = 2 ---- */

static void weber5(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    q[0] = x[0], q[1] = weber_epsilon * x[1];
    C[0] = 1, C[3] = weber_epsilon;
    f[0] = -x[1];
    f[1] = -(1 - x[0] * x[0]) * x[1] + x[0];
    G[1] = -1;
    G[2] = 2 * x[0] * x[1] + 1, G[3] = -(1 - x[0] * x[0]);
}

static const struct problem weber_t5 = {"Weber T5, van der Pol", 2, false, weber5, NULL, NULL, NULL};

/* z(0) on the slow manifold up to epsilon^terms; the last coefficient is the corrected one. */
static double weber5_slow_start(int terms)
{
    static const double coefficients[] = {-2.0 / 3, 10.0 / 81, -292.0 / 2187, 15266.0 / 59049};
    double z = 0;
    for (int k = terms; k >= 0; k--)
        z = z * weber_epsilon + coefficients[k];
    return z;
}

/* ---- T6, Ex. 2.16: y' = y + z - 1, epsilon z' = -z, y(0) = 1, z(0) = 1 ---- */

static void weber6(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    q[0] = x[0], q[1] = weber_epsilon * x[1];
    C[0] = 1, C[3] = weber_epsilon;
    f[0] = -(x[0] + x[1] - 1), f[1] = x[1];
    G[0] = G[1] = -1, G[3] = 1;
}

static void weber6_exact(double t, double *x)
{
    const double e = weber_epsilon;
    x[0] = 1 + e / (1 + e) * (exp(t) - exp(-t / e));
    x[1] = exp(-t / e);
}

static const struct problem weber_t6 = {"Weber T6", 2, false, weber6, weber6_exact, NULL, NULL};

/* ---- T9, Ex. 4.6: flexible beam that turns; phi, z and momenta' velocities.  Charges are momenta:
 * (I(z) phi')' and z'. ---- */

static const double beam_mass = 3.15, beam_length = 1, beam_gravity = 9.81, beam_height = 0.02, beam_damping = 0.05;
static const double beam_stiffness = 2e11 * 0.02 * 0.02 * 1; /* E d h L */

static void weber9(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    const double m = beam_mass, L = beam_length, g = beam_gravity, h = beam_height, K = beam_stiffness;
    const double third = m * L * L / 3, w = sqrt(K / third), D = beam_damping * (w * third + K / w);
    const double phi = x[0], z = x[1], vp = x[2], vz = x[3];
    const double inertia = third * (1 + z) * (1 + z) + m * h * h / 12, slope = 2 * third * (1 + z);
    (void)t, (void)dfdt;
    q[0] = phi, q[1] = z, q[2] = inertia * vp, q[3] = third * vz;
    C[0] = C[5] = 1;
    C[9] = slope * vp, C[10] = inertia, C[15] = third;
    f[0] = -vp, f[1] = -vz;
    /* (I phi')' = I phi'' + I_z z' phi' = -m (1 + z) g L/2 cos phi, since I_z = 2 m L^2 (1 + z)/3 */
    f[2] = m * (1 + z) * g * L / 2 * cos(phi);
    f[3] = -third * vp * vp * (1 + z) + m * g * L / 2 * sin(phi) + K * z + D * vz;
    G[2] = -1, G[7] = -1;
    G[8] = -m * (1 + z) * g * L / 2 * sin(phi), G[9] = m * g * L / 2 * cos(phi);
    G[12] = m * g * L / 2 * cos(phi), G[13] = -third * vp * vp + K, G[14] = -2 * third * vp * (1 + z), G[15] = D;
}

static const struct problem weber_t9 = {"Weber T9, beam", 4, false, weber9, NULL, NULL, NULL};

#endif
