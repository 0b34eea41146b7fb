/* arnold.h - examples of M. Arnold, Zur Theorie und zur numerischen Loesung von Anfangswertproblemen fuer
 * differentiell-algebraische Systeme von hoeherem Index, habilitation, Rostock 1997.
 */
#ifndef TESTS_PROBLEMS_ARNOLD_H
#define TESTS_PROBLEMS_ARNOLD_H

#include "problems/problem.h"

/* Parameters of the example in hand; a test sets them before it runs. */
struct arnold_parameters {
    double noise; /* Theta */
    double step;  /* s, of the integration, for noise that alternates from step to step */
    double mu;
    double alpha, epsilon; /* Ex. 14 */
    double rho;            /* Ex. 16 */
    double a, b;           /* Baumgarte's, of the pendulum */
};
static struct arnold_parameters arnold;

/* ---- Ex. 1: N x' + x = q with nilpotent N of size 3; index 3.  q = (sin t, cos 2t, exp(-t)). ---- */

static void arnold1(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    f[0] = x[0] - sin(t), f[1] = x[1] - cos(2 * t), f[2] = x[2] - exp(-t);
    q[0] = x[1], q[1] = x[2];
    G[0] = G[4] = G[8] = 1;
    C[1] = C[5] = 1;
    dfdt[0] = -cos(t), dfdt[1] = 2 * sin(2 * t), dfdt[2] = exp(-t);
}

static void arnold1_exact(double t, double *x)
{
    x[2] = exp(-t);
    x[1] = cos(2 * t) + exp(-t);              /* q2 - q3' */
    x[0] = sin(t) + 2 * sin(2 * t) + exp(-t); /* q1 - q2' + q3'' */
}

static const enum dae_class arnold1_classes[] = {DAE_INDEX2, DAE_INDEX2, DAE_DIFFERENTIAL};
static const struct problem arnold_ex1 = {"Arnold Ex. 1, index 3", 3,   true, arnold1, arnold1_exact,
                                          arnold1_classes,         NULL};

/* The same of size 2: index 2. */
static void arnold1_small(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    f[0] = x[0] - cos(2 * t), f[1] = x[1] - exp(-t);
    q[0] = x[1];
    G[0] = G[3] = 1;
    C[1] = 1;
    dfdt[0] = 2 * sin(2 * t), dfdt[1] = exp(-t);
}

static void arnold1_small_exact(double t, double *x)
{
    x[1] = exp(-t);
    x[0] = cos(2 * t) + exp(-t);
}

static const enum dae_class arnold1_small_classes[] = {DAE_INDEX2, DAE_DIFFERENTIAL};
static const struct problem arnold_ex1_index2 = {"Arnold Ex. 1, index 2", 2,   true, arnold1_small, arnold1_small_exact,
                                                 arnold1_small_classes,   NULL};

/* ---- Ex. 8: the reference test of index 2, mu0 = 1 and 0; noise: the constraint's sine in single precision. ---- */

static void arnold8_of(double mu, double sine, double t, const double *x, double *f, double *q, double *G, double *C,
                       double *dfdt)
{
    const double y1 = x[0], y2 = x[1], z = x[2], root = sqrt(1 - y1 * y1);
    q[0] = y1, q[1] = y2;
    C[0] = C[4] = 1;
    f[0] = -(4 * y1 * y1 - y2 * y2 + z + 0.5 * (1 - mu) * (root - z));
    f[1] = -(y1 * y2 + 2 * (1 - mu) * (1 - y1 * y1) + 2 * mu * z * z) * z;
    f[2] = 4 * y1 + y2 - 6 * sine;
    G[0] = -8 * y1 + 0.5 * (1 - mu) * y1 / root, G[1] = 2 * y2, G[2] = -1 + 0.5 * (1 - mu);
    G[3] = -(y2 - 4 * (1 - mu) * y1) * z, G[4] = -y1 * z;
    G[5] = -(y1 * y2 + 2 * (1 - mu) * (1 - y1 * y1) + 6 * mu * z * z);
    G[6] = 4, G[7] = 1;
    dfdt[2] = -6 * cos(t);
}

static void arnold8(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    arnold8_of(1, sin(t), t, x, f, q, G, C, dfdt);
}

static void arnold8_linear(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    arnold8_of(0, sin(t), t, x, f, q, G, C, dfdt);
}

static void arnold8_noisy(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    arnold8_of(1, (double)(float)sin(t), t, x, f, q, G, C, dfdt);
}

/* With noise once arnold.noise is set. */
static void arnold8_switched(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    arnold8_of(1, arnold.noise > 0 ? (double)(float)sin(t) : sin(t), t, x, f, q, G, C, dfdt);
}

static void arnold8_linear_noisy(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    arnold8_of(0, (double)(float)sin(t), t, x, f, q, G, C, dfdt);
}

static void arnold8_exact(double t, double *x)
{
    x[0] = sin(t), x[1] = 2 * sin(t), x[2] = cos(t);
}

static const enum dae_class arnold8_classes[] = {DAE_DIFFERENTIAL, DAE_DIFFERENTIAL, DAE_INDEX2};
static const struct problem arnold_ex8 = {"Arnold Ex. 8", 3, false, arnold8, arnold8_exact, arnold8_classes, NULL};
static const struct problem arnold_ex8_linear = {"Arnold Ex. 8, mu0 = 0", 3,   false, arnold8_linear, arnold8_exact,
                                                 arnold8_classes,         NULL};
static const struct problem arnold_ex8_noisy = {"Arnold Ex. 8 with noise", 3,   false, arnold8_noisy, arnold8_exact,
                                                arnold8_classes,           NULL};
static const struct problem arnold_ex8_switched = {
    "Arnold Ex. 8, noise later", 3, false, arnold8_switched, arnold8_exact, arnold8_classes, NULL};
static const struct problem arnold_ex8_linear_noisy = {
    "Arnold Ex. 8, mu0 = 0, with noise", 3, false, arnold8_linear_noisy, arnold8_exact, arnold8_classes, NULL};

/* ---- Ex. 9: f_zz = mu; noise turns by a quarter from step to step: 0 = y1 - Theta sin(pi t/2h), .. cos. ---- */

static void arnold9(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    const double y1 = x[0], y2 = x[1], z1 = x[3], z2 = x[4];
    const double turn = 2 * atan(1.0) / arnold.step, angle = turn * t;
    q[0] = y1, q[1] = y2, q[2] = x[2];
    C[0] = C[6] = C[12] = 1;
    f[0] = -z1, f[1] = -z2;
    f[2] = -(y2 * z1 - y1 * z2 + arnold.mu * (z1 * z1 + z2 * z2));
    f[3] = y1 - arnold.noise * sin(angle), f[4] = y2 - arnold.noise * cos(angle);
    G[3] = -1, G[9] = -1;
    G[10] = z2, G[11] = -z1, G[13] = -(y2 + 2 * arnold.mu * z1), G[14] = y1 - 2 * arnold.mu * z2;
    G[15] = 1, G[21] = 1;
    dfdt[3] = -arnold.noise * turn * cos(angle), dfdt[4] = arnold.noise * turn * sin(angle);
}

static const enum dae_class arnold9_classes[] = {DAE_DIFFERENTIAL, DAE_DIFFERENTIAL, DAE_DIFFERENTIAL, DAE_INDEX2,
                                                 DAE_INDEX2};
static const struct problem arnold_ex9 = {"Arnold Ex. 9", 5, false, arnold9, NULL, arnold9_classes, NULL};

/* ---- Ex. 10: y' = -g_y^T z, 0 = y1 + y2^2 - 1 + noise that changes sign from step to step; Ex. 18: y' = (z, z). ----
 */

static double arnold_alternating(double t)
{
    const long step = lround(t / arnold.step);
    return step <= 0 ? 0 : step % 2 ? -arnold.noise : arnold.noise;
}

static void arnold10(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    const double y1 = x[0], y2 = x[1], z = x[2];
    (void)dfdt;
    q[0] = y1, q[1] = y2;
    C[0] = C[4] = 1;
    f[0] = z, f[1] = 2 * y2 * z;
    f[2] = y1 + y2 * y2 - 1 - arnold_alternating(t);
    G[2] = 1, G[4] = 2 * z, G[5] = 2 * y2;
    G[6] = 1, G[7] = 2 * y2;
}

static void arnold18(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    const double y1 = x[0], y2 = x[1], z = x[2];
    (void)dfdt;
    q[0] = y1, q[1] = y2;
    C[0] = C[4] = 1;
    f[0] = f[1] = -z;
    f[2] = y1 + y2 * y2 - 1 - arnold_alternating(t);
    G[2] = G[5] = -1;
    G[6] = 1, G[7] = 2 * y2;
}

static void arnold10_exact(double t, double *x)
{
    (void)t;
    x[0] = 0, x[1] = 1, x[2] = 0;
}

static const struct problem arnold_ex10 = {"Arnold Ex. 10", 3, false, arnold10, arnold10_exact, arnold8_classes, NULL};
static const struct problem arnold_ex18 = {"Arnold Ex. 18", 3, false, arnold18, arnold10_exact, arnold8_classes, NULL};

/* ---- Ex. 12: index 3, q'' = (l1, l2, v1^2 + v2^2), 0 = (q1, q2) with the noise of Ex. 9; q, v, lambda. ---- */

static void arnold12(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    const double turn = 2 * atan(1.0) / arnold.step, angle = turn * t;
    (void)dfdt;
    for (int i = 0; i < 6; i++) {
        q[i] = x[i];
        C[8 * i + i] = 1;
    }
    for (int i = 0; i < 3; i++) {
        f[i] = -x[3 + i];
        G[8 * i + 3 + i] = -1;
    }
    f[3] = -x[6], f[4] = -x[7];
    G[8 * 3 + 6] = G[8 * 4 + 7] = -1;
    f[5] = -(x[3] * x[3] + x[4] * x[4]);
    G[8 * 5 + 3] = -2 * x[3], G[8 * 5 + 4] = -2 * x[4];
    f[6] = x[0] - arnold.noise * sin(angle), f[7] = x[1] - arnold.noise * cos(angle);
    G[8 * 6] = 1, G[8 * 7 + 1] = 1;
}

static const enum dae_class arnold12_classes[] = {DAE_DIFFERENTIAL, DAE_DIFFERENTIAL, DAE_DIFFERENTIAL, DAE_INDEX2,
                                                  DAE_INDEX2,       DAE_INDEX2,       DAE_INDEX2,       DAE_INDEX2};
static const struct problem arnold_ex12 = {"Arnold Ex. 12", 8, false, arnold12, NULL, arnold12_classes, NULL};

/* ---- Ex. 13 without friction: a mass on the parabola q2 + q1^2 = 0, pulled along q2; index 3; q, v, lambda.  Noise in
 * the constraint, 30 times the rounding of a sine to single precision, from the third step on. ---- */

static double arnold13_noise(double t)
{
    return t > 2.5 * arnold.step ? arnold.noise * (sin(t) - (double)(float)sin(t)) : 0;
}

static void arnold13(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    static const double gravity = 9.81;
    (void)dfdt;
    for (int i = 0; i < 4; i++) {
        q[i] = x[i];
        C[6 * i] = 1;
    }
    f[0] = -x[2], f[1] = -x[3];
    f[2] = 2 * x[0] * x[4], f[3] = x[4] - gravity;
    f[4] = x[1] + x[0] * x[0] - arnold13_noise(t);
    G[2] = -1, G[8] = -1;
    G[10] = 2 * x[4], G[14] = 2 * x[0];
    G[19] = 1;
    G[20] = 2 * x[0], G[21] = 1;
}

static const enum dae_class arnold13_classes[] = {DAE_DIFFERENTIAL, DAE_DIFFERENTIAL, DAE_INDEX2, DAE_INDEX2,
                                                  DAE_INDEX2};
static const struct problem arnold_ex13 = {"Arnold Ex. 13", 5, false, arnold13, NULL, arnold13_classes, NULL};

/* The same as an ordinary differential equation for q1: (1 + 4 q1^2) q1'' + 4 q1 q1'^2 = -2 g q1; q1 and v1. */
static void arnold13_minimal(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    const double gravity = 9.81, inertia = 1 + 4 * x[0] * x[0], v2 = x[1] * x[1];
    const double force = (4 * x[0] * v2 + 2 * gravity * x[0]) / inertia;
    (void)t, (void)dfdt;
    q[0] = x[0], q[1] = x[1];
    C[0] = C[3] = 1;
    f[0] = -x[1], f[1] = force;
    G[1] = -1;
    G[2] = (4 * v2 + 2 * gravity - 8 * x[0] * force) / inertia;
    G[3] = 8 * x[0] * x[1] / inertia;
}

static const struct problem arnold_ex13_minimal = {
    "Arnold Ex. 13, minimal", 2, false, arnold13_minimal, NULL, NULL, NULL};

/* ---- Ex. 14: y1' = y2' = z, 0 = (2 z)/alpha + y1 + y2 - Theta cos(t/epsilon) (Baumgarte). ---- */

static void arnold14(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    q[0] = x[0], q[1] = x[1];
    C[0] = C[4] = 1;
    f[0] = f[1] = -x[2];
    f[2] = 2 * x[2] / arnold.alpha + x[0] + x[1] - arnold.noise * cos(t / arnold.epsilon);
    G[2] = G[5] = -1;
    G[6] = G[7] = 1, G[8] = 2 / arnold.alpha;
    dfdt[2] = arnold.noise / arnold.epsilon * sin(t / arnold.epsilon);
}

/* Lemma 3: w = y1 + y2 obeys w' + alpha w = alpha Theta cos(t/epsilon). */
static void arnold14_exact(double t, double *x)
{
    const double product = arnold.epsilon * arnold.alpha, size = arnold.noise / (1 + product * product);
    const double c = cos(t / arnold.epsilon), s = sin(t / arnold.epsilon);
    const double w = size * (product * product * c + product * s), w0 = size * product * product;
    x[0] = 0.5 * (w - w0);
    x[1] = w - x[0];
    x[2] = 0.5 * size * (-product * product * s + product * c) / arnold.epsilon;
}

static const struct problem arnold_ex14 = {"Arnold Ex. 14", 3, true, arnold14, arnold14_exact, NULL, NULL};

/* ---- Ex. 16: u_t - v_xx/4 + rho v = 0, -u_xx/4 + v_xx/4 + v = 0 on [0, pi], six inner points. ---- */

enum { ARNOLD16_POINTS = 6 };

static double arnold16_wave_squared(int mode)
{
    const double pi = 4 * atan(1.0), dx = pi / (ARNOLD16_POINTS + 1);
    const double root = 2 * sin(mode * pi / (2 * (ARNOLD16_POINTS + 1))) / dx;
    return root * root;
}

/* alpha of U' + alpha U = 0. */
static double arnold16_rate(int mode)
{
    const double w = arnold16_wave_squared(mode) / 4;
    return -w * (arnold.rho + w) / (1 - w);
}

static void arnold16(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    const double pi = 4 * atan(1.0), dx = pi / (ARNOLD16_POINTS + 1), k = 0.25 / (dx * dx);
    const int n = 2 * ARNOLD16_POINTS;
    (void)t, (void)dfdt;
    for (int i = 0; i < ARNOLD16_POINTS; i++) {
        const int u = i, v = ARNOLD16_POINTS + i;
        q[u] = x[u];
        C[u * n + u] = 1;
        G[u * n + v] += 2 * k + arnold.rho;
        G[v * n + u] += 2 * k;
        G[v * n + v] += 1 - 2 * k;
        for (int side = -1; side <= 1; side += 2)
            if (i + side >= 0 && i + side < ARNOLD16_POINTS) {
                G[u * n + v + side] -= k;
                G[v * n + u + side] -= k;
                G[v * n + v + side] += k;
            }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            f[i] += G[i * n + j] * x[j];
}

static void arnold16_exact(double t, double *x)
{
    const double pi = 4 * atan(1.0), w = arnold16_wave_squared(1) / 4, size = exp(-arnold16_rate(1) * t);
    for (int i = 0; i < ARNOLD16_POINTS; i++) {
        x[i] = size * sin(pi * (i + 1) / (ARNOLD16_POINTS + 1));
        x[ARNOLD16_POINTS + i] = -w / (1 - w) * x[i];
    }
}

static const struct problem arnold_ex16 = {
    "Arnold Ex. 16", 2 * ARNOLD16_POINTS, true, arnold16, arnold16_exact, NULL, NULL};

/* ---- Ex. 19: y1' = z, y2' = z, s = 0, 0 = y1 + y2 + s^2; the solution is zero. ---- */

static void arnold19(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    q[0] = x[0], q[1] = x[1];
    C[0] = C[5] = 1;
    f[0] = f[1] = -x[2];
    f[2] = -x[3];
    f[3] = x[0] + x[1] + x[3] * x[3];
    G[2] = G[6] = -1;
    G[11] = -1;
    G[12] = G[13] = 1, G[15] = 2 * x[3];
}

static void arnold19_exact(double t, double *x)
{
    (void)t;
    x[0] = x[1] = x[2] = x[3] = 0;
}

static const enum dae_class arnold19_classes[] = {DAE_DIFFERENTIAL, DAE_DIFFERENTIAL, DAE_INDEX2, DAE_INDEX1};
static const struct problem arnold_ex19 = {"Arnold Ex. 19", 4, false, arnold19, arnold19_exact, arnold19_classes, NULL};

/* ---- Ex. 23: pendulum with m = l = 1, g = 9.81, constraint on the velocity (index 2): x, y, vx, vy, lambda. ---- */

static const double pendulum_gravity = 9.81;

static void arnold23(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    for (int i = 0; i < 4; i++) {
        q[i] = x[i];
        C[6 * i] = 1;
    }
    f[0] = -x[2], f[1] = -x[3];
    f[2] = 2 * x[0] * x[4];
    f[3] = pendulum_gravity + 2 * x[1] * x[4];
    f[4] = x[0] * x[2] + x[1] * x[3];
    G[2] = -1, G[8] = -1;
    G[10] = 2 * x[4], G[14] = 2 * x[0];
    G[16] = 2 * x[4], G[19] = 2 * x[1];
    G[20] = x[2], G[21] = x[3], G[22] = x[0], G[23] = x[1];
}

static const enum dae_class arnold23_classes[] = {DAE_DIFFERENTIAL, DAE_DIFFERENTIAL, DAE_DIFFERENTIAL,
                                                  DAE_DIFFERENTIAL, DAE_INDEX2};
static const struct problem arnold_ex23 = {"Arnold Ex. 23, pendulum", 5, false, arnold23, NULL, arnold23_classes, NULL};

/* The same with Phi = x^2 + y^2 - 1 twice differentiated and stabilised after Baumgarte: Phi'' + a Phi' + b Phi = 0,
 * index 1. */
static void pendulum_baumgarte(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    const double a = arnold.a, b = arnold.b, g = pendulum_gravity, length2 = x[0] * x[0] + x[1] * x[1];
    (void)t, (void)dfdt;
    arnold23(t, x, f, q, G, C, dfdt);
    f[4] = 2 * (x[2] * x[2] + x[3] * x[3] - g * x[1] - 2 * x[4] * length2) + 2 * a * (x[0] * x[2] + x[1] * x[3]) +
           b * (length2 - 1);
    G[20] = -8 * x[4] * x[0] + 2 * a * x[2] + 2 * b * x[0];
    G[21] = -2 * g - 8 * x[4] * x[1] + 2 * a * x[3] + 2 * b * x[1];
    G[22] = 4 * x[2] + 2 * a * x[0], G[23] = 4 * x[3] + 2 * a * x[1];
    G[24] = -4 * length2;
}

static const enum dae_class pendulum_classes[] = {DAE_DIFFERENTIAL, DAE_DIFFERENTIAL, DAE_DIFFERENTIAL,
                                                  DAE_DIFFERENTIAL, DAE_INDEX1};
static const struct problem pendulum_of_index_1 = {"pendulum of index 1", 5,   false, pendulum_baumgarte, NULL,
                                                   pendulum_classes,      NULL};

/* ---- Remark 8: y' = -2 y z, 0 = y1^2 + y2^2 - 1: implicit Euler has a second root -y_n. ---- */

static void arnold_remark8(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    q[0] = x[0], q[1] = x[1];
    C[0] = C[4] = 1;
    f[0] = 2 * x[0] * x[2], f[1] = 2 * x[1] * x[2];
    f[2] = x[0] * x[0] + x[1] * x[1] - 1;
    G[0] = 2 * x[2], G[2] = 2 * x[0];
    G[4] = 2 * x[2], G[5] = 2 * x[1];
    G[6] = 2 * x[0], G[7] = 2 * x[1];
}

static void arnold_remark8_exact(double t, double *x)
{
    (void)t;
    x[0] = 0.6, x[1] = 0.8, x[2] = 0;
}

static const struct problem arnold_remark_8 = {"Arnold Remark 8", 3,   false, arnold_remark8, arnold_remark8_exact,
                                               arnold8_classes,   NULL};

#endif
