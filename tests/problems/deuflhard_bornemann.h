/* deuflhard_bornemann.h - problems of P. Deuflhard and F. Bornemann, Numerische Mathematik 2: Gewoehnliche
 * Differentialgleichungen, de Gruyter 2008.  The numbers E.. are those of our list of its examples.
 */
#ifndef TESTS_PROBLEMS_DEUFLHARD_BORNEMANN_H
#define TESTS_PROBLEMS_DEUFLHARD_BORNEMANN_H

#include "problems/problem.h"

/* ---- E1, exercise 6.1: Robertson's kinetics ---- */

static void robertson(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    for (int i = 0; i < 3; i++) {
        q[i] = x[i];
        C[4 * i] = 1;
    }
    f[0] = 0.04 * x[0] - 1e4 * x[1] * x[2];
    f[2] = -3e7 * x[1] * x[1];
    f[1] = -f[0] - f[2];
    G[0] = 0.04, G[1] = -1e4 * x[2], G[2] = -1e4 * x[1];
    G[7] = -6e7 * x[1];
    for (int j = 0; j < 3; j++)
        G[3 + j] = -G[j] - G[6 + j];
}

static const struct problem deuflhard_e1 = {"E1, Robertson", 3, false, robertson, NULL, NULL, NULL};
static const double deuflhard_e1_end[3] = {9.886739393819e-1, 3.447715743689e-5, 1.129158346063e-2}; /* at 0.3 */

/* ---- E4, exercise 4.4: Arenstorf orbit, x1, x2 and velocities; periodic with 17.0652166 ---- */

static void arenstorf(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    static const double mu = 0.012277471;
    const double a = x[0] + mu, b = x[0] - (1 - mu), y2 = x[1] * x[1];
    const double ra = a * a + y2, rb = b * b + y2, A = pow(ra, 1.5), B = pow(rb, 1.5);
    (void)t, (void)dfdt;
    for (int i = 0; i < 4; i++) {
        q[i] = x[i];
        C[5 * i] = 1;
    }
    f[0] = -x[2], f[1] = -x[3];
    G[2] = G[7] = -1;
    f[2] = -(x[0] + 2 * x[3] - (1 - mu) * a / A - mu * b / B);
    f[3] = -(x[1] - 2 * x[2] - (1 - mu) * x[1] / A - mu * x[1] / B);
    const double pull = (1 - mu) / A + mu / B;
    const double mixed = 3 * x[1] * ((1 - mu) * a / (A * ra) + mu * b / (B * rb));
    G[8] = -(1 - pull + 3 * ((1 - mu) * a * a / (A * ra) + mu * b * b / (B * rb)));
    G[9] = -mixed, G[11] = -2;
    G[12] = -mixed, G[14] = 2;
    G[13] = -(1 - pull + 3 * y2 * ((1 - mu) / (A * ra) + mu / (B * rb)));
}

static const struct problem deuflhard_e4 = {"E4, Arenstorf orbit", 4, false, arenstorf, NULL, NULL, NULL};
static const double deuflhard_e4_start[4] = {0.994, 0, 0, -2.001585106};
static const double deuflhard_e4_period = 17.0652166;

/* ---- E6, 6.10: x1' = x2, x2' = -x1 ---- */

static void oscillator(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    q[0] = x[0], q[1] = x[1];
    C[0] = C[3] = 1;
    f[0] = -x[1], f[1] = x[0];
    G[1] = -1, G[2] = 1;
}

static void oscillator_exact(double t, double *x)
{
    x[0] = cos(t), x[1] = -sin(t);
}

static const struct problem deuflhard_e6 = {"E6, oscillator", 2, true, oscillator, oscillator_exact, NULL, NULL};

/* ---- E10, 6.52: dissipative, but one trapezoidal step of 36/7 from -2 ends at 2.5 ---- */

static void not_b_stable(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    q[0] = x[0];
    C[0] = 1;
    f[0] = x[0] <= 0 ? x[0] * x[0] * x[0] : x[0] * x[0];
    G[0] = x[0] <= 0 ? 3 * x[0] * x[0] : 2 * x[0];
}

static const struct problem deuflhard_e10 = {"E10, not B-stable", 1, false, not_b_stable, NULL, NULL, NULL};

/* ---- E12, 2.12 to 2.14: solutions that end ---- */

static void square(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    q[0] = x[0];
    C[0] = 1;
    f[0] = -x[0] * x[0];
    G[0] = -2 * x[0];
}

static void root(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    q[0] = x[0];
    C[0] = 1;
    f[0] = 1 / sqrt(x[0]);
    G[0] = -0.5 / (x[0] * sqrt(x[0]));
}

static void oscillating(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    q[0] = x[0];
    C[0] = 1;
    f[0] = 2 - sin(1 / x[0]);
    G[0] = cos(1 / x[0]) / (x[0] * x[0]);
}

/* x(0) = 1; they end at 1, 2/3 and 0.767411. */
static const struct problem deuflhard_e12[] = {{"E12, x' = x^2", 1, false, square, NULL, NULL, NULL},
                                               {"E12, x' = -x^(-1/2)", 1, false, root, NULL, NULL, NULL},
                                               {"E12, x' = sin(1/x) - 2", 1, false, oscillating, NULL, NULL, NULL}};
static const double deuflhard_e12_end[] = {1, 2.0 / 3, 0.767411};

/* ---- E13, exercise 2.1: x' = t^2 + x^2 ---- */

static void riccati(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    q[0] = x[0];
    C[0] = 1;
    f[0] = -(t * t + x[0] * x[0]);
    G[0] = -2 * x[0];
    dfdt[0] = -2 * t;
}

static const struct problem deuflhard_e13 = {"E13, Riccati", 1, false, riccati, NULL, NULL, NULL};
static const double deuflhard_e13_end = 0.0417911461546; /* at 1/2 */

/* ---- E14, 3.29: x' = A(t) x with the constant spectrum (-1 +- i sqrt 7)/4 and a solution that grows ---- */

static void frozen(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    const double c = cos(t), s = sin(t);
    q[0] = x[0], q[1] = x[1];
    C[0] = C[3] = 1;
    G[0] = 1 - 1.5 * c * c, G[1] = -(1 - 1.5 * c * s);
    G[2] = 1 + 1.5 * s * c, G[3] = 1 - 1.5 * s * s;
    f[0] = G[0] * x[0] + G[1] * x[1], f[1] = G[2] * x[0] + G[3] * x[1];
    dfdt[0] = 3 * c * s * x[0] + 1.5 * (c * c - s * s) * x[1];
    dfdt[1] = 1.5 * (c * c - s * s) * x[0] - 3 * s * c * x[1];
}

static void frozen_exact(double t, double *x)
{
    x[0] = cos(t) * exp(t / 2), x[1] = -sin(t) * exp(t / 2);
}

static const struct problem deuflhard_e14 = {"E14, frozen eigenvalues", 2, false, frozen, frozen_exact, NULL, NULL};

/* ---- E22, exercise 4.14: x' = |1.1 - x| + 1, a kink at t = ln 1.1 ---- */

static void kinked(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    q[0] = x[0];
    C[0] = 1;
    f[0] = -(fabs(1.1 - x[0]) + 1);
    G[0] = x[0] < 1.1 ? 1 : -1;
}

static void kinked_exact(double t, double *x)
{
    const double kink = log(1.1);
    x[0] = t < kink ? 2.1 - 1.1 * exp(-t) : 0.1 + exp(t - kink);
}

static const struct problem deuflhard_e22 = {"E22, kink", 1, false, kinked, kinked_exact, NULL, NULL};

/* ---- 8.2: ring oscillator of five MOS stages; its period is 6.2983 ---- */

enum { RING_STAGES = 5 };

static double over(double v)
{
    return v > 0 ? v : 0;
}

static void ring(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    static const double K = 0.2, UT = 1, U0 = 0, Uop = 5, R = 5, C0 = 0.21, Cp = 5e-3;
    const int n = RING_STAGES;
    (void)t, (void)dfdt;
    for (int i = 0; i < n; i++) {
        const int before = (i + n - 1) % n, after = (i + 1) % n;
        const double saturated = over(x[before] - U0 - UT), reverse = over(x[before] - x[i] - UT);
        q[i] = (2 * Cp + C0) * x[i] - Cp * (x[before] + x[after]);
        C[i * n + i] = 2 * Cp + C0, C[i * n + before] = C[i * n + after] = -Cp;
        f[i] = (x[i] - Uop) / R + K * (saturated * saturated - reverse * reverse);
        G[i * n + i] = 1 / R + 2 * K * reverse;
        G[i * n + before] = 2 * K * (saturated - reverse);
    }
}

static const struct problem deuflhard_ring = {"ring oscillator", RING_STAGES, false, ring, NULL, NULL, NULL};
static const double deuflhard_ring_period = 6.2983;

#endif
