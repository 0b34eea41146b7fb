/* Gauss methods: orders, tolerance, energy of lossless circuits. */
#include "problems/one_step.h"

static const struct integrator_class *const methods[] = {&integrator_gauss2, &integrator_gauss4};

/* Order 2s in differential and index-1 unknowns at the points, s + 1 and more between them (collocation polynomial);
 * index-2 unknowns lose most of it (Hairer, Lubich, Roche 1989). */
static void orders_at_points_and_between(void)
{
    for (int i = 0; i < 2; i++) {
        double c[2], between[2], l[3];
        observed_orders(&charged_problem, methods[i], 0, 0, 2, i ? 10 : 40, 1, c, between);
        observed_orders(&loop_problem, methods[i], 0, 0, 1, 20, 1, l, NULL);
        printf("%s: differential %.2f index-1 %.2f between %.2f %.2f, loop i %.2f u %.2f\n", methods[i]->name, c[0],
               c[1], between[0], between[1], l[1], l[2]);
        CHECK_NEAR(c[0], 2 * (i + 1), 0.35);
        CHECK_NEAR(c[1], 2 * (i + 1), 0.35);
        CU_ASSERT(between[0] > i + 1.7 && between[1] > i + 1.7);
        CHECK_NEAR(l[1], 1, 0.35);
        CU_ASSERT(l[2] > i + 1.65);
    }
}

static void errors_follow_the_tolerance(void)
{
    for (int i = 0; i < 2; i++)
        for (double tolerance = 1e-3; tolerance > 1e-9; tolerance /= 10) {
            const struct whole_run c = whole_run(&charged_problem, methods[i], tolerance, 0, 6, NULL);
            const double bound = 2.2 * tolerance * (double)c.statistics.accepted;
            CU_ASSERT(c.status == KN_OK);
            CHECK_NEAR(c.worst[0], 0, bound);
            CHECK_NEAR(c.worst[1], 0, bound);
            CU_ASSERT(c.statistics.rejected_error <= 3);
        }
}

/* ---- lossless circuits ---- */

/* LC tank, 1 uF and 1 mH: C v' + i = 0, -L i' + v = 0 (rows of the node and of the inductor). */
static const double C_TANK = 1e-6, L_TANK = 1e-3;

static void tank(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    q[0] = C_TANK * x[0], q[1] = -L_TANK * x[1];
    C[0] = C_TANK, C[3] = -L_TANK;
    f[0] = x[1], f[1] = x[0];
    G[1] = G[2] = 1;
}

/* The same with an algebraic unknown, the sum v + i, and a capacitor q = C (v + v^3/3): energy C (v^2/2 + v^4/4) + L
 * i^2/2. */
static void nonlinear_tank(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    const double v = x[0];
    q[0] = C_TANK * (v + v * v * v / 3), q[1] = -L_TANK * x[1];
    C[0] = C_TANK * (1 + v * v), C[4] = -L_TANK;
    f[0] = x[1], f[1] = x[0], f[2] = x[2] - v - x[1];
    G[1] = G[3] = 1, G[6] = G[7] = -1, G[8] = 1;
}

static double linear_energy(const double *x)
{
    return 0.5 * C_TANK * x[0] * x[0] + 0.5 * L_TANK * x[1] * x[1];
}

static double nonlinear_energy(const double *x)
{
    const double v2 = x[0] * x[0];
    return C_TANK * (v2 / 2 + v2 * v2 / 4) + 0.5 * L_TANK * x[1] * x[1];
}

/* Largest relative deviation of the energy from its start over equal steps; *algebraic: of x[2] from x[0] + x[1]. */
static double energy_drift(const struct problem *p, const struct integrator_class *class,
                           double (*energy)(const double *), int periods, int per_period, double *algebraic)
{
    struct wrapped_problem w;
    struct integrator *m;
    const double period = 2 * acos(-1) * sqrt(L_TANK * C_TANK), x0[3] = {1, 0, 1};
    const struct integrator_options options = {.relative = 1e-2, .kappa = 0.05};
    CU_ASSERT_FATAL(problem_wrap(p, 1e-3, &w));
    CU_ASSERT_FATAL(class->create(&w.dae, &options, &m) == KN_OK);
    CU_ASSERT_FATAL(class->restart(m, 0, x0) == KN_OK);
    double worst = 0;
    for (long i = 1; i <= (long)periods * per_period; i++) {
        struct step_report report;
        m->class->step(m, period * (double)i / per_period, &report);
        if (report.outcome != STEP_ACCEPTED) {
            CU_FAIL("step rejected");
            break;
        }
        worst = fmax(worst, fabs(energy(m->x) / energy(x0) - 1));
        if (algebraic)
            *algebraic = fmax(*algebraic, fabs(m->x[2] - m->x[0] - m->x[1]));
    }
    m->class->destroy(m);
    problem_unwrap(&w);
    return worst;
}

static void energy_of_the_tank_stays_over_ten_thousand_periods(void)
{
    const struct problem tank_problem = {"tank", 2, true, tank, NULL, NULL, NULL};
    for (int i = 0; i < 2; i++) {
        const double drift = energy_drift(&tank_problem, methods[i], linear_energy, 10000, 40, NULL);
        printf("%s: energy of 10000 periods deviates by %.1e\n", methods[i]->name, drift);
        CHECK_NEAR(drift, 0, 1e-9);
    }
}

/* Symplectic: the energy of a nonlinear tank oscillates with the step size but does not drift. */
static void energy_of_a_nonlinear_tank_does_not_drift(void)
{
    const struct problem tank_problem = {"nonlinear tank", 3, false, nonlinear_tank, NULL, NULL, NULL};
    for (int i = 0; i < 2; i++) {
        double algebraic = 0;
        const double few = energy_drift(&tank_problem, methods[i], nonlinear_energy, 10, 40, &algebraic);
        const double many = energy_drift(&tank_problem, methods[i], nonlinear_energy, 1000, 40, &algebraic);
        printf("%s: energy deviates by %.1e in 10 periods, %.1e in 1000\n", methods[i]->name, few, many);
        CHECK_NEAR(many, few, 0.1 * few);
        CHECK_NEAR(algebraic, 0, 1e-9);
    }
    CU_ASSERT(energy_drift(&tank_problem, &integrator_rodas, nonlinear_energy, 100, 40, NULL) > 1e-3);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(orders_at_points_and_between),
        CLAIM(errors_follow_the_tolerance),
        CLAIM(energy_of_the_tank_stays_over_ten_thousand_periods),
        CLAIM(energy_of_a_nonlinear_tank_does_not_drift),
    };
    return run_claims("gauss", claims, sizeof claims / sizeof claims[0]);
}
