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

/* ---- 9.2: transistor amplifier of two stages, C x' = f; as in the IVP Test Set (transamp), from which the values come
 * that the report leaves out.  Voltages of nodes 1 to 8. ---- */

struct steinebach_amplifier {
    double amplitude, frequency; /* of the input, V and Hz; 0 Hz: constant */
};
static struct steinebach_amplifier steinebach_amplifier;

/* Capacitor of k uF between two nodes, or to ground. */
static void amplifier_capacitor(double value, int a, int b, const double *x, double *q, double *C)
{
    const double charge = value * (x[a] - (b >= 0 ? x[b] : 0));
    q[a] += charge;
    C[8 * a + a] += value;
    if (b < 0)
        return;
    q[b] -= charge;
    C[8 * b + b] += value, C[8 * a + b] -= value, C[8 * b + a] -= value;
}

/* Conductance to a voltage. */
static void amplifier_resistor(double R, int a, double to, const double *x, double *f, double *G)
{
    f[a] += (x[a] - to) / R;
    G[8 * a + a] += 1 / R;
}

/* Base, emitter, collector: f(u) = beta (e^(u/UF) - 1) leaves at the emitter, alpha of it enters at the collector. */
static void amplifier_transistor(int b, int e, int c, const double *x, double *f, double *G)
{
    static const double beta = 1e-6, UF = 0.026, alpha = 0.99;
    const double current = beta * expm1((x[b] - x[e]) / UF), slope = (current + beta) / UF;
    const double share[3] = {1 - alpha, -1, alpha};
    const int nodes[3] = {b, e, c};
    for (int i = 0; i < 3; i++) {
        f[nodes[i]] += share[i] * current;
        G[8 * nodes[i] + b] += share[i] * slope;
        G[8 * nodes[i] + e] -= share[i] * slope;
    }
}

static void steinebach_amplify(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    static const double R0 = 1e3, R = 9e3, Ub = 6;
    static const int at_supply[] = {1, 3, 4, 6}, at_ground[] = {1, 2, 4, 5, 7};
    const double w = 8 * atan(1.0) * steinebach_amplifier.frequency, amplitude = steinebach_amplifier.amplitude;
    amplifier_capacitor(1e-6, 0, 1, x, q, C);
    amplifier_capacitor(2e-6, 2, -1, x, q, C);
    amplifier_capacitor(3e-6, 3, 4, x, q, C);
    amplifier_capacitor(4e-6, 5, -1, x, q, C);
    amplifier_capacitor(5e-6, 6, 7, x, q, C);
    amplifier_resistor(R0, 0, w > 0 ? amplitude * sin(w * t) : amplitude, x, f, G);
    for (int i = 0; i < 4; i++)
        amplifier_resistor(R, at_supply[i], Ub, x, f, G);
    for (int i = 0; i < 5; i++)
        amplifier_resistor(R, at_ground[i], 0, x, f, G);
    amplifier_transistor(1, 2, 3, x, f, G);
    amplifier_transistor(4, 5, 6, x, f, G);
    dfdt[0] = w > 0 ? -amplitude * w * cos(w * t) / R0 : 0;
}

static const struct problem steinebach_9_2 = {
    "Steinebach 9.2, amplifier", 8, false, steinebach_amplify, NULL, NULL, NULL};

/* Rest without input, and what follows from it at 100 Hz and 0.1 V after 0.01 s; Radau IIA in extended precision. */
static const double amplifier_rest[8] = {
    0, 2.985819203452059, 2.836159309588143, 3.192202283507738, 2.985819203452059, 2.836159309588143, 3.192202283507738,
    0};
static const double amplifier_later[8] = {-0.0047849400, 3.0029847676, 2.8463646923, 2.9112398741,
                                          2.7082206531,  2.7623342422, 4.6120726455, 1.3957256634};
/* The start of the IVP Test Set, and the published end at 0.2 s. */
static const double amplifier_start[8] = {0, 3, 3, 6, 3, 3, 6, 0};
static const double amplifier_published[8] = {-0.00556214501226, 3.00652247190304, 2.84995878860813, 2.92642253620624,
                                              2.70461786501055,  2.76183777839314, 4.77092763161677, 1.23699586809155};
/* A constant input of 0.1 V that is consistent with node 1: the output after 0.02 s. */
static const double amplifier_step_start[8] = {0.1, 3, 3, 6, 3, 3, 6, 0};
static const double amplifier_step_output = -1.2583162761;

#endif
