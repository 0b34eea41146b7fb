/* weber.h - singularly perturbed problems of S. Weber's dissertation (Halle 2013), with the corrections of our extract.
 */
#ifndef TESTS_PROBLEMS_WEBER_H
#define TESTS_PROBLEMS_WEBER_H

#include "problems/problem.h"

#include <complex.h>

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

/* ---- T10: four-bar linkage with an elastic coupler, driven at constant speed; index 2 after Gear, Gupta and
 * Leimkuhler.
 *
 * Angles of the three bars and four coordinates of the coupler (bending 1, 2; extension 3, 4), their velocities, three
 * multipliers of the constraints and three of their derivatives.  Momenta M(q) v are the charges, so the equations of
 * motion need the gradient of the kinetic energy only:  (M v)' = dT/dq - K z - D_e z' - G^T lambda.  M_e(3,3) is the
 * corrected one.  Jacobians by complex steps, exact to rounding. ---- */

enum { BARS = 3, SHAPES = 4, LINKAGE = BARS + SHAPES, LINKAGE_SIZE = 2 * LINKAGE + 2 * BARS };

struct linkage {
    double rho, m2, m3, L0, L1, L2, L3, J1, J2, J3, omega, phi0;
    double Me[SHAPES][SHAPES], K[SHAPES][SHAPES], De[SHAPES][SHAPES], B[SHAPES][SHAPES];
    double c1[SHAPES], c2[SHAPES], c12[SHAPES], c21[SHAPES];
    double frequency[2]; /* rad/s, of the two extensions */
};

static struct linkage linkage_data(void)
{
    static const double pi = 3.14159265358979323846, E = 2e11, h = 0.008, damping = 0.005;
    struct linkage d = {.rho = 7870,
                        .m2 = 0.151104,
                        .m3 = 0.36,
                        .L0 = 0.301,
                        .L1 = 0.15,
                        .L2 = 0.3,
                        .L3 = 0.15,
                        .J1 = 2.727e-3,
                        .J2 = 4.5339259e-3,
                        .J3 = 2.727e-3,
                        .omega = 10,
                        .phi0 = 10 * pi / 180};
    const double volume = h * h * d.L2, stiffness = E * h * h / d.L2, slender = h * h / (d.L2 * d.L2) * pow(pi, 4);
    const double Me[SHAPES][SHAPES] = {{0.5}, {0, 0.5}, {0, 0, 8.0 / 15, 1.0 / 15}, {0, 0, 1.0 / 15, 2.0 / 15}};
    const double K[SHAPES][SHAPES] = {
        {slender / 24}, {0, 2 * slender / 3}, {0, 0, 16.0 / 3, -8.0 / 3}, {0, 0, -8.0 / 3, 7.0 / 3}};
    d.L0 = d.L2 + d.L3 + 0.001 - d.L1;
    for (int i = 0; i < SHAPES; i++)
        for (int j = 0; j < SHAPES; j++) {
            d.Me[i][j] = d.rho * volume * Me[i][j] + (i == 3 && j == 3 ? d.m3 : 0);
            d.K[i][j] = stiffness * K[i][j];
        }
    /* det(K - w^2 M) = 0 for the extensions */
    const double a = d.Me[2][2] * d.Me[3][3] - d.Me[2][3] * d.Me[2][3],
                 c = d.K[2][2] * d.K[3][3] - d.K[2][3] * d.K[2][3];
    const double b = d.K[2][2] * d.Me[3][3] + d.K[3][3] * d.Me[2][2] - 2 * d.K[2][3] * d.Me[2][3];
    const double root = sqrt(b * b - 4 * a * c), w1 = sqrt((b + root) / (2 * a)), w2 = sqrt((b - root) / (2 * a));
    d.frequency[0] = w1, d.frequency[1] = w2;
    for (int i = 0; i < SHAPES; i++)
        for (int j = 0; j < SHAPES; j++)
            d.De[i][j] = 2 * damping / (w1 + w2) * (w1 * w2 * d.Me[i][j] + d.K[i][j]);
    d.B[0][2] = -16 / pow(pi, 3) * volume, d.B[0][3] = (8 / pow(pi, 3) - 1 / pi) * volume,
    d.B[1][3] = volume / (2 * pi);
    for (int i = 0; i < SHAPES; i++)
        for (int j = 0; j < i; j++)
            d.B[i][j] = -d.B[j][i];
    d.c1[2] = 2.0 / 3 * volume, d.c1[3] = volume / 6;
    d.c2[0] = 2 / pi * volume;
    d.c12[2] = volume * d.L2 / 3, d.c12[3] = volume * d.L2 / 6;
    d.c21[0] = volume * d.L2 / pi, d.c21[1] = -volume * d.L2 / (2 * pi);
    return d;
}

static double complex linkage_product(const double *a, const double complex *b)
{
    double complex sum = 0;
    for (int k = 0; k < SHAPES; k++)
        sum += a[k] * b[k];
    return sum;
}

/* Charges [7] (M v) and forces [7] dT/dq - K z - D_e z' of angles, shapes and their velocities. */
static void linkage_dynamics(const struct linkage *d, const double complex *q, const double complex *v,
                             double complex *momentum, double complex *force)
{
    const double complex *z = q + BARS, *zd = v + BARS, a = v[0], b = v[1], c = v[2];
    const double complex s12 = csin(q[0] - q[1]), c12 = ccos(q[0] - q[1]), s13 = csin(q[0] - q[2]);
    const double complex c13 = ccos(q[0] - q[2]), s23 = csin(q[1] - q[2]), c23 = ccos(q[1] - q[2]);
    const double half = d->L3 * d->m3 / 2;
    double complex Mez[SHAPES] = {0}, Mezd[SHAPES] = {0}, Bzd[SHAPES] = {0}, Btz[SHAPES] = {0};
    for (int i = 0; i < SHAPES; i++)
        for (int j = 0; j < SHAPES; j++) {
            Mez[i] += d->Me[i][j] * z[j], Mezd[i] += d->Me[i][j] * zd[j];
            Bzd[i] += d->B[i][j] * zd[j], Btz[i] += d->B[j][i] * z[j];
        }
    double complex zMez = 0, zBzd = 0;
    for (int i = 0; i < SHAPES; i++)
        zMez += z[i] * Mez[i], zBzd += z[i] * Bzd[i];
    /* along and across the coupler: first moments of it and of what hangs on its end, and their rates */
    const double complex A = d->L2 * (d->m2 / 2 + d->m3) + d->rho * linkage_product(d->c1, z) + d->m3 * z[3];
    const double complex S = d->rho * linkage_product(d->c2, z), end = d->L2 + z[3];
    const double complex Ad = d->rho * linkage_product(d->c1, zd) + d->m3 * zd[3];
    const double complex Sd = d->rho * linkage_product(d->c2, zd);
    const double complex m12 = d->L1 * (A * c12 + S * s12), m13 = d->L1 * half * c13, m23 = half * end * c23;
    const double complex m22 =
        d->J2 + d->m3 * d->L2 * d->L2 + zMez + 2 * d->rho * linkage_product(d->c12, z) + 2 * d->m3 * d->L2 * z[3];
    momentum[0] = (d->J1 + (d->m2 + d->m3) * d->L1 * d->L1) * a + m12 * b + m13 * c + d->L1 * (c12 * Sd - s12 * Ad);
    momentum[1] = m12 * a + m22 * b + m23 * c + d->rho * (linkage_product(d->c21, zd) + zBzd);
    momentum[2] = m13 * a + m23 * b + d->J3 * c + half * s23 * zd[3];
    const double complex turn = a * b * d->L1 * (S * c12 - A * s12) - a * d->L1 * (c12 * Ad + s12 * Sd);
    const double complex outer = a * c * d->L1 * half * s13, inner = b * c * half * end * s23 - c * half * c23 * zd[3];
    force[0] = turn - outer;
    force[1] = -turn - inner;
    force[2] = outer + inner;
    for (int k = 0; k < SHAPES; k++) {
        const double tip = k == 3, Az = d->rho * d->c1[k] + d->m3 * tip, Sz = d->rho * d->c2[k];
        momentum[BARS + k] =
            a * d->L1 * (c12 * Sz - s12 * Az) + b * d->rho * (d->c21[k] + Btz[k]) + c * half * s23 * tip + Mezd[k];
        force[BARS + k] = a * b * d->L1 * (Az * c12 + Sz * s12) +
                          b * b * (Mez[k] + d->rho * d->c12[k] + d->m3 * d->L2 * tip) + b * c * half * c23 * tip +
                          b * d->rho * Bzd[k];
        for (int j = 0; j < SHAPES; j++)
            force[BARS + k] -= d->K[k][j] * z[j] + d->De[k][j] * zd[j];
    }
}

/* Constraints g [3] and their derivatives G [3][7]; g_t = (0, 0, -omega). */
static void linkage_constraints(const struct linkage *d, double t, const double complex *q, double complex *g,
                                double complex G[BARS][LINKAGE])
{
    const double complex end = d->L2 + q[6];
    memset(G, 0, BARS * sizeof *G);
    g[0] = d->L1 * csin(q[0]) + end * csin(q[1]) + d->L3 * csin(q[2]);
    g[1] = d->L0 - d->L1 * ccos(q[0]) - end * ccos(q[1]) - d->L3 * ccos(q[2]);
    g[2] = q[0] - d->phi0 - d->omega * t;
    G[0][0] = d->L1 * ccos(q[0]), G[0][1] = end * ccos(q[1]), G[0][2] = d->L3 * ccos(q[2]), G[0][6] = csin(q[1]);
    G[1][0] = d->L1 * csin(q[0]), G[1][1] = end * csin(q[1]), G[1][2] = d->L3 * csin(q[2]), G[1][6] = -ccos(q[1]);
    G[2][0] = 1;
}

static void linkage_residual(const struct linkage *d, double t, const double complex *x, double complex *f,
                             double complex *q)
{
    const double complex *v = x + LINKAGE, *lambda = x + 2 * LINKAGE, *mu = lambda + BARS;
    double complex momentum[LINKAGE], force[LINKAGE], g[BARS], G[BARS][LINKAGE];
    linkage_dynamics(d, x, v, momentum, force);
    linkage_constraints(d, t, x, g, G);
    for (int i = 0; i < LINKAGE; i++) {
        q[i] = x[i];
        q[LINKAGE + i] = momentum[i];
        f[i] = -v[i];
        f[LINKAGE + i] = -force[i];
        for (int k = 0; k < BARS; k++) {
            f[i] += G[k][i] * mu[k];
            f[LINKAGE + i] += G[k][i] * lambda[k];
        }
    }
    for (int k = 0; k < BARS; k++) {
        f[2 * LINKAGE + k] = k == 2 ? -d->omega : 0;
        for (int i = 0; i < LINKAGE; i++)
            f[2 * LINKAGE + k] += G[k][i] * v[i];
        f[2 * LINKAGE + BARS + k] = g[k];
        q[2 * LINKAGE + k] = q[2 * LINKAGE + BARS + k] = 0;
    }
}

static void weber10(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    static const double tiny = 1e-100;
    const struct linkage d = linkage_data();
    double complex at[LINKAGE_SIZE], F[LINKAGE_SIZE], Q[LINKAGE_SIZE];
    for (int i = 0; i < LINKAGE_SIZE; i++)
        at[i] = x[i];
    for (int j = 0; j < LINKAGE_SIZE; j++) {
        at[j] += tiny * I;
        linkage_residual(&d, t, at, F, Q);
        at[j] = x[j];
        for (int i = 0; i < LINKAGE_SIZE; i++) {
            G[i * LINKAGE_SIZE + j] = cimag(F[i]) / tiny;
            C[i * LINKAGE_SIZE + j] = cimag(Q[i]) / tiny;
            f[i] = creal(F[i]), q[i] = creal(Q[i]);
        }
    }
    dfdt[LINKAGE_SIZE - 1] = -d.omega;
}

static const enum dae_class weber10_classes[LINKAGE_SIZE] = {
    [2 * LINKAGE] = DAE_INDEX2, DAE_INDEX2, DAE_INDEX2, DAE_INDEX2, DAE_INDEX2, DAE_INDEX2};
static const struct problem weber_t10 = {
    "Weber T10, four-bar linkage", LINKAGE_SIZE, false, weber10, NULL, weber10_classes, NULL};

/* Angles of the second and third bar when the coupler is rigid and the first one is at phi: L2 e(phi2) + L3 e(phi3) =
 * (X, Y) with phi2 >= 0 at the start. */
static void weber10_rigid(const struct linkage *d, double phi, double *phi2, double *phi3)
{
    const double X = d->L0 - d->L1 * cos(phi), Y = -d->L1 * sin(phi), distance = hypot(X, Y);
    const double along = (distance * distance + d->L2 * d->L2 - d->L3 * d->L3) / (2 * distance * d->L2);
    *phi2 = atan2(Y, X) + acos(along);
    *phi3 = atan2(Y - d->L2 * sin(*phi2), X - d->L2 * cos(*phi2));
}

/* Coupler at rest in its own coordinates; angular velocities from G v + g_t = 0. */
static void weber10_start(double *x)
{
    const struct linkage d = linkage_data();
    memset(x, 0, LINKAGE_SIZE * sizeof *x);
    x[0] = d.phi0;
    weber10_rigid(&d, d.phi0, &x[1], &x[2]);
    const double s = sin(x[1] - x[2]);
    x[LINKAGE] = d.omega;
    x[LINKAGE + 1] = -d.L1 * d.omega * sin(x[0] - x[2]) / (d.L2 * s);
    x[LINKAGE + 2] = d.L1 * d.omega * sin(x[0] - x[1]) / (d.L3 * s);
}

#endif
