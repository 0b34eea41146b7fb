/* Circuits with closed forms, solved by every method: steps of RLC circuits in all damping cases, coupled inductors, a
 * diode behind a resistor by Lambert's W.
 */
#include "problems/run.h"

#include <complex.h>

/* ---- RLC: unknowns v of the capacitor, i of the inductor, and the current or voltage of the resistor ---- */

struct rlc {
    double R, L, C;
    double step; /* V or A, from t = 0 on */
};
static struct rlc rlc;

/* A source, R, L and C in one loop:  C v' = i,  L i' = V - v - u,  u = R i. */
static void series(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    q[0] = rlc.C * x[0], q[1] = rlc.L * x[1];
    C[0] = rlc.C, C[4] = rlc.L;
    f[0] = -x[1], f[1] = x[0] + x[2] - rlc.step, f[2] = x[2] - rlc.R * x[1];
    G[1] = -1, G[3] = 1, G[5] = 1, G[7] = -rlc.R, G[8] = 1;
}

/* A current source across all three:  C v' = I - i - j,  L i' = v,  j = v/R. */
static void parallel(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    q[0] = rlc.C * x[0], q[1] = rlc.L * x[1];
    C[0] = rlc.C, C[4] = rlc.L;
    f[0] = x[1] + x[2] - rlc.step, f[1] = -x[0], f[2] = x[2] - x[0] / rlc.R;
    G[1] = 1, G[2] = 1, G[3] = -1, G[6] = -1 / rlc.R, G[8] = 1;
}

/* Step response y'' + 2 a y' + w^2 y = w^2, y(0) = y'(0) = 0, and its slope. */
static double step_response(double a, double w, double t, double *slope)
{
    const double d = a * a - w * w;
    if (fabs(d) <= 1e-12 * w * w) {
        *slope = a * a * t * exp(-a * t);
        return 1 - (1 + a * t) * exp(-a * t);
    }
    const double complex root = csqrt(d), s1 = -a + root, s2 = -a - root;
    *slope = creal(w * w * (cexp(s1 * t) - cexp(s2 * t)) / (s1 - s2));
    return creal(1 + (s2 * cexp(s1 * t) - s1 * cexp(s2 * t)) / (s1 - s2));
}

static void series_exact(double t, double *x)
{
    const double w = 1 / sqrt(rlc.L * rlc.C);
    double slope;
    x[0] = rlc.step * step_response(rlc.R / (2 * rlc.L), w, t, &slope);
    x[1] = rlc.step * rlc.C * slope;
    x[2] = rlc.R * x[1];
}

static void parallel_exact(double t, double *x)
{
    const double w = 1 / sqrt(rlc.L * rlc.C);
    double slope;
    x[1] = rlc.step * step_response(1 / (2 * rlc.R * rlc.C), w, t, &slope);
    x[0] = rlc.step * rlc.L * slope;
    x[2] = x[0] / rlc.R;
}

static const enum dae_class rlc_classes[] = {DAE_DIFFERENTIAL, DAE_DIFFERENTIAL, DAE_INDEX1};
static const struct problem series_rlc = {"series RLC", 3, true, series, series_exact, rlc_classes, NULL};
static const struct problem parallel_rlc = {"parallel RLC", 3, true, parallel, parallel_exact, rlc_classes, NULL};

/* ---- coupled inductors: V = R1 i1 + L1 i1' + M i2', 0 = R2 i2 + M i1' + L2 i2' ---- */

static const double R1 = 10, L1 = 1e-3, TURNS = 2, COUPLING = 0.98; /* R2 = n^2 R1, L2 = n^2 L1, M = k n L1 */

static void transformer(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    const double n = TURNS, M = COUPLING * n * L1;
    (void)t, (void)dfdt;
    q[0] = L1 * x[0] + M * x[1], q[1] = M * x[0] + n * n * L1 * x[1];
    C[0] = L1, C[1] = C[2] = M, C[3] = n * n * L1;
    f[0] = R1 * x[0] - 1, f[1] = n * n * R1 * x[1];
    G[0] = R1, G[3] = n * n * R1;
}

/* i1 +- n i2 are independent, with inductances L1 (1 +- k). */
static void transformer_exact(double t, double *x)
{
    const double sum = -expm1(-t * R1 / (L1 * (1 + COUPLING))) / R1;
    const double difference = -expm1(-t * R1 / (L1 * (1 - COUPLING))) / R1;
    x[0] = 0.5 * (sum + difference);
    x[1] = 0.5 * (sum - difference) / TURNS;
}

static const struct problem transformer_problem = {"coupled inductors", 2,    true, transformer,
                                                   transformer_exact,   NULL, NULL};

/* ---- diode behind a resistor; a capacitor follows it without load ---- */

static const double IS = 1e-14, VT = 0.02585, RD = 1e3, TAU = 1e-4, OMEGA = 6283.185307179586;

/* w with w e^w = e^logarithm, by Newton's method for w + ln w. */
static double lambert_w(double logarithm)
{
    double w = logarithm > 1 ? logarithm - log(logarithm) : exp(logarithm);
    for (int i = 0; i < 50; i++)
        w -= (w + log(w) - logarithm) / (1 + 1 / w);
    return w;
}

static double drive(double t)
{
    return 2 + 3 * sin(OMEGA * t);
}

static void diode(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    const double current = IS * expm1(x[0] / VT);
    q[1] = TAU * x[1];
    C[3] = TAU;
    f[0] = current + (x[0] - drive(t)) / RD;
    f[1] = x[1] - x[0];
    G[0] = (current + IS) / VT + 1 / RD;
    G[2] = -1, G[3] = 1;
    dfdt[0] = -3 * OMEGA * cos(OMEGA * t) / RD;
}

/* v = V + Is R - Vt W(Is R / Vt e^((V + Is R)/Vt)); the capacitor is not compared. */
static void diode_exact(double t, double *x)
{
    const double v = drive(t) + IS * RD;
    x[0] = v - VT * lambert_w(log(IS * RD / VT) + v / VT);
    x[1] = 0;
}

static const enum dae_class diode_classes[] = {DAE_INDEX1, DAE_DIFFERENTIAL};
static const struct problem diode_problem = {"diode and resistor", 2, false, diode, diode_exact, diode_classes, NULL};

/* ---- claims ---- */

/* Every method, errors of the first `compared` unknowns within the promise of the tolerance for their range. */
static void check_all(const struct problem *p, double stop, double tight, int compared)
{
    double x0[PROBLEM_SIZE];
    p->exact(0, x0);
    for (size_t i = 0; integrator_classes[i]; i++) {
        const struct integrator_class *m = integrator_classes[i];
        const double tolerance = tolerance_for(m, tight);
        const struct problem_settings s = {.stop = stop, .relative = tolerance, .x0 = x0};
        const struct problem_outcome o = problem_run(p, m, &s);
        const double allowed = promise(m, tolerance, o.statistics.accepted);
        CU_ASSERT(o.status == KN_OK);
        for (int k = 0; k < compared; k++) {
            if (!(o.worst[k] <= allowed * o.largest[k]))
                fprintf(stderr, "%s on %s, unknown %d\n", m->name, p->name, k);
            CHECK_NEAR(o.worst[k], 0, allowed * o.largest[k]);
        }
    }
}

static void steps_of_rlc_circuits_have_their_closed_form_in_all_damping_cases(void)
{
    const double L = 1e-3, C = 1e-6, wave = sqrt(L / C);
    const double dampings[] = {0.05, 1, 20}; /* over the critical one */
    for (int k = 0; k < 3; k++) {
        rlc = (struct rlc){.R = 2 * wave * dampings[k], .L = L, .C = C, .step = 1};
        check_all(&series_rlc, 0.5e-3, 1e-6, 3);
        rlc = (struct rlc){.R = wave / (2 * dampings[k]), .L = L, .C = C, .step = 1};
        check_all(&parallel_rlc, 0.5e-3, 1e-6, 3);
    }
}

/* No damping at all: series R = 0, the tank rings for ten periods. */
static void an_undamped_tank_rings_on(void)
{
    rlc = (struct rlc){.R = 0, .L = 1e-3, .C = 1e-6, .step = 1};
    check_all(&series_rlc, 10 * 8 * atan(1.0) * sqrt(1e-9), 1e-6, 2);
}

static void coupled_inductors_have_their_closed_form(void)
{
    check_all(&transformer_problem, 1e-3, 1e-6, 2);
}

static void lambert_w_solves_its_equation(void)
{
    CHECK_NEAR(lambert_w(1), 1, 1e-15);
    CHECK_NEAR(lambert_w(0), 0.56714329040978387, 1e-15);
    CHECK_NEAR(lambert_w(-20), 2.0611536181902037e-09, 1e-23);
    const double w = lambert_w(200);
    CHECK_NEAR(w + log(w), 200, 1e-12);
}

static void a_diode_behind_a_resistor_follows_lamberts_w(void)
{
    check_all(&diode_problem, 2e-3, 1e-6, 1);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(steps_of_rlc_circuits_have_their_closed_form_in_all_damping_cases),
        CLAIM(an_undamped_tank_rings_on),
        CLAIM(coupled_inductors_have_their_closed_form),
        CLAIM(lambert_w_solves_its_equation),
        CLAIM(a_diode_behind_a_resistor_follows_lamberts_w),
    };
    return run_claims("closed forms", claims, sizeof claims / sizeof claims[0]);
}
