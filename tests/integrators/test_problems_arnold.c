/* Examples and claims of M. Arnold's habilitation (1997): orders on index 2, noise in constraints, classes of stable
 * index. */
#include "problems/arnold.h"
#include "problems/equal_steps.h"
#include "problems/run.h"

/* ---- orders ---- */

/* Largest errors of two runs with fixed steps, the second with twice as many. */
static void observe(const struct problem *p, const char *method, int max_order, int steps, int component,
                    double expected)
{
    struct fixed_settings s = {.start = 0.5, .stop = 1, .steps = steps, .max_order = max_order, .kappa = 1e-11};
    const struct problem_outcome coarse = problem_fixed(p, integrator_find(method), &s);
    s.steps *= 2;
    const struct problem_outcome fine = problem_fixed(p, integrator_find(method), &s);
    CHECK_NEAR(observed_order(coarse.worst[component], fine.worst[component]), expected, 0.3);
}

/* BDF: order k in y and z (L3206).  Radau IIA with s stages: 2s - 1 and s (Hairer, Lubich, Roche 1989). */
static void methods_have_their_orders_on_index_2(void)
{
    static const struct {
        const char *method;
        int max_order, steps, differential, index2;
    } orders[] = {{"euler", 1, 400, 1, 1}, {"radau", 1, 400, 1, 1}, {"radau", 3, 32, 3, 2}, {"radau5", 5, 8, 5, 3}};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        observe(&arnold_ex8, orders[i].method, orders[i].max_order, orders[i].steps, 0, orders[i].differential);
        observe(&arnold_ex8, orders[i].method, orders[i].max_order, orders[i].steps, 2, orders[i].index2);
    }
}

static bool is_made_for_index2(const struct integrator_class *m)
{
    static const char *const names[] = {"bdf", "gear", "euler", "radau", "radau5", "row2", "rodasp", "auto"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(m->name, names[i]) == 0)
            return true;
    return false;
}

/* Steinebach's class B states that it needs differential and algebraic equations apart. */
static bool is_refused(const struct problem_outcome *o)
{
    return o->status == KN_ERROR_CIRCUIT && strncmp(o->problem->name, "Arnold", 6) == 0;
}

static void tolerances_are_reached_on_index_2(void)
{
    static const double magnification = 5; /* of disturbances by Ex. 8 between 0.5 and 1 */
    for (size_t i = 0; integrator_classes[i]; i++)
        for (double tolerance = 1e-3; tolerance > 1e-8 && is_made_for_index2(integrator_classes[i]); tolerance /= 10) {
            const struct problem_settings s = {.start = 0.5, .stop = 1, .relative = tolerance};
            const struct problem_outcome o = problem_run(&arnold_ex8, integrator_classes[i], &s);
            CU_ASSERT(o.status == KN_OK);
            CHECK_NEAR(o.worst[0], 0, magnification * promise(integrator_classes[i], tolerance, o.statistics.accepted));
        }
}

/* ---- Table 2.1: noise theta in the constraint; documented errors for theta = 1.8e-7, see the text of each test ----
 */

static const int noise_steps[] = {80, 320, 1280, 5120, 20480, 81920};
enum { NOISE_RUNS = sizeof noise_steps / sizeof noise_steps[0] };

static struct problem_outcome noisy_run(const struct problem *p, int steps)
{
    const struct fixed_settings s = {.start = 0.5, .stop = 1, .steps = steps, .max_order = 1};
    return problem_fixed(p, integrator_find("euler"), &s);
}

/* Figure 2.2 of the text as numbers, from an independent computation in extended precision. */
static void euler_reproduces_regions_A_B_and_C(void)
{
    static const double y[NOISE_RUNS] = {5.07e-3, 1.13e-3, 2.74e-4, 6.81e-5, 1.89e-5, 3.53e-5};
    static const double z[NOISE_RUNS] = {5.73e-2, 1.30e-2, 3.18e-3, 1.18e-3, 2.16e-3, 8.32e-3};
    for (int i = 0; i < NOISE_RUNS; i++) {
        const struct problem_outcome o = noisy_run(&arnold_ex8_noisy, noise_steps[i]);
        CHECK_NEAR(o.worst[0] / y[i], 1, 0.03);
        CHECK_NEAR(o.worst[2] / z[i], 1, 0.03);
    }
}

static void switch_noise_on(void)
{
    arnold.noise = 1;
}

/* The same for BDF of order 2, approached without noise.  Where noise decides, its other values at other points of time
 * change the largest error by less than a factor of 2; and it is that of Euler's method: the noise does not care about
 * the order (claim 7). */
static void bdf2_has_smaller_errors_but_the_same_noise(void)
{
    static const double y[NOISE_RUNS] = {2.58e-5, 1.69e-6, 1.66e-7, 4.21e-7, 6.27e-6, 1.01e-4};
    static const double z[NOISE_RUNS] = {2.93e-4, 6.44e-5, 2.34e-4, 9.71e-4, 3.05e-3, 1.30e-2};
    for (int i = 0; i < NOISE_RUNS; i++) {
        double errors[3];
        arnold = (struct arnold_parameters){0};
        const struct measured s = {&integrator_gear, 2, 2, &arnold_ex8_switched, 0.5, 1, noise_steps[i],
                                   switch_noise_on};
        errors_of(&s, errors, NULL);
        const bool noise_decides = i >= 2;
        CHECK_NEAR(log2(errors[0] / y[i]), 0, noise_decides ? 1 : 0.2);
        CHECK_NEAR(log2(errors[2] / z[i]), 0, noise_decides ? 1 : i ? 0.5 : 0.2);
    }
}

/* With f linear in z (mu0 = 0) the noise of y never exceeds theta: the error goes on falling with h. */
static void noise_of_y_stays_at_theta_where_z_enters_linearly(void)
{
    static const double y[NOISE_RUNS] = {4.33e-3, 9.79e-4, 2.39e-4, 5.94e-5, 1.49e-5, 3.73e-6};
    static const double z[NOISE_RUNS] = {8.49e-2, 1.93e-2, 4.74e-3, 1.88e-3, 3.81e-3, 1.46e-2};
    for (int i = 0; i < NOISE_RUNS; i++) {
        const struct problem_outcome o = noisy_run(&arnold_ex8_linear_noisy, noise_steps[i]);
        CHECK_NEAR(o.worst[0] / y[i], 1, 0.03);
        CHECK_NEAR(o.worst[2] / z[i], 1, 0.03);
    }
}

/* Ex. 9, sharp: y3(1) = Theta D + 2 mu D^2 and |z| = D with D = Theta/h. */
static void example_9_has_exactly_the_error_of_the_theory(void)
{
    for (int mu = 0; mu <= 1; mu++)
        for (int steps = 500; steps <= 1000; steps *= 2) {
            arnold = (struct arnold_parameters){.noise = 1e-5, .step = 1.0 / steps, .mu = mu};
            const double x0[5] = {0, arnold.noise, 0, 0, 0}, D = arnold.noise * steps;
            const struct fixed_settings s = {.stop = 1, .steps = steps, .x0 = x0};
            const struct problem_outcome o = problem_fixed(&arnold_ex9, integrator_find("euler"), &s);
            CHECK_NEAR(o.final[2] / (arnold.noise * D + 2 * mu * D * D), 1, 1e-4);
            CHECK_NEAR(o.final[3] / D, 1, 1e-6);
        }
}

/* Ex. 10: linear in z, but f_z depends on y: the error grows as theta^2/h, 0.0640 theta^2/h at t = 1 (recursion of the
 * text). Ex. 18: f_z constant, the error never exceeds theta.  So a hidden constraint added can hurt (claim 12). */
static void noise_squared_over_h_appears_only_where_f_z_depends_on_y(void)
{
    double drift[2];
    for (int i = 0; i < 2; i++) {
        const int steps = 50000 << i;
        arnold = (struct arnold_parameters){.noise = 1e-4, .step = 1.0 / steps};
        const struct fixed_settings s = {.stop = 1, .steps = steps};
        drift[i] = problem_fixed(&arnold_ex10, integrator_find("euler"), &s).final[1] - 1;
        const struct problem_outcome robust = problem_fixed(&arnold_ex18, integrator_find("euler"), &s);
        CHECK_NEAR(robust.worst[0], 0, arnold.noise);
        CHECK_NEAR(robust.worst[1], 0, arnold.noise);
    }
    CHECK_NEAR((drift[1] - drift[0]) / (0.0640 * 1e-8 * 50000), 1, 0.01);
}

/* Satz 8: theta in positions becomes theta/h in velocities, theta/h^2 in lambda, (theta/h)^2 in other positions. */
static void noise_on_index_3_is_divided_by_h_twice(void)
{
    struct problem_outcome o[2];
    for (int i = 0; i < 2; i++) {
        const int steps = 200 << i;
        arnold = (struct arnold_parameters){.noise = 1e-6, .step = 1.0 / steps};
        const double x0[8] = {0, arnold.noise};
        const struct fixed_settings s = {.stop = 1, .steps = steps, .x0 = x0};
        o[i] = problem_fixed(&arnold_ex12, integrator_find("euler"), &s);
    }
    CHECK_NEAR(observed_order(o[0].largest[3], o[1].largest[3]), -1, 0.05);
    CHECK_NEAR(observed_order(o[0].largest[6], o[1].largest[6]), -2, 0.05);
    CHECK_NEAR(observed_order(o[0].final[2], o[1].final[2]), -2, 0.05);
    CHECK_NEAR(o[0].largest[6] / (2 * 1e-6 * 200 * 200), 1, 0.05);
}

/* Ex. 13: errors of q1, v1 and lambda against the equation for q1 alone, at ninety points from 0.1 s, when the start is
 * forgotten, to 1 s. */
static void errors_on_the_parabola(int steps, double *errors)
{
    const int every = steps / 100;
    struct wrapped_problem w;
    struct integrator *m = NULL;
    const struct integrator_options options = {.relative = 0.9, .kappa = 1e-13, .max_iterations = 30};
    const double g = 9.81, x0[5] = {1, -1, 0, 0, g / 5}, start[2] = {1, 0};
    arnold = (struct arnold_parameters){.noise = 30, .step = 1.0 / steps};
    CU_ASSERT_FATAL(problem_wrap(&arnold_ex13, 1, &w));
    for (int k = 0; k < 5; k++)
        w.equation_absolute[k] = 1e-100;
    CU_ASSERT_FATAL(integrator_euler.create(&w.dae, &options, &m) == KN_OK);
    CU_ASSERT_FATAL(integrator_euler.restart(m, 0, x0) == KN_OK);
    for (int n = 1; n <= steps; n++) {
        struct step_report report;
        integrator_euler.step(m, (double)n / steps, &report);
        CU_ASSERT_FATAL(report.outcome == STEP_ACCEPTED);
        if (n % every != 0 || n < 10 * every)
            continue;
        const struct problem_settings s = {.stop = m->t, .relative = 1e-11, .x0 = start};
        const struct problem_outcome o = problem_run(&arnold_ex13_minimal, integrator_find("radau"), &s);
        const double q1 = o.final[0], v1 = o.final[1];
        const double pull = (4 * q1 * v1 * v1 + 2 * g * q1) / (1 + 4 * q1 * q1); /* -q1'' */
        errors[0] = fmax(errors[0], fabs(m->x[0] - q1));
        errors[1] = fmax(errors[1], fabs(m->x[2] - v1));
        errors[2] = fmax(errors[2], fabs(m->x[4] - (g + 2 * v1 * v1 - 2 * q1 * pull)));
    }
    m->class->destroy(m);
    problem_unwrap(&w);
}

/* Claim 8, index 3 with a state-dependent constraint: noise theta of some 1e-6 reaches lambda as theta/h^2 at once, v1
 * as theta/h when that exceeds the error of the method, of order h; q1 still has the latter. */
static void noise_of_the_mass_on_a_parabola_is_divided_by_h_twice(void)
{
    static const int steps[4] = {2000, 4000, 64000, 128000};
    double errors[4][3] = {{0}};
    for (int i = 0; i < 4; i++)
        errors_on_the_parabola(steps[i], errors[i]);
    CHECK_NEAR(observed_order(errors[0][0], errors[1][0]), 1, 0.3);
    CHECK_NEAR(observed_order(errors[0][2], errors[1][2]), -2, 0.3);
    CHECK_NEAR(observed_order(errors[2][1], errors[3][1]), -1, 0.3);
    CHECK_NEAR(observed_order(errors[2][2], errors[3][2]), -2, 0.3);
}

/* Claim 11: z does not enter the step control, so the noise of z, far above the tolerance, does not stop the run. */
static void noise_of_index_2_does_not_stop_the_step_control(void)
{
    static const char *const methods[] = {"bdf", "gear", "radau5"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        for (double tolerance = 1e-3; tolerance > 5e-6; tolerance /= 10) { /* local errors above the noise */
            const struct problem_settings s = {.start = 0.5, .stop = 1, .relative = tolerance};
            const struct problem_outcome clean = problem_run(&arnold_ex8, integrator_find(methods[i]), &s);
            const struct problem_outcome noisy = problem_run(&arnold_ex8_noisy, integrator_find(methods[i]), &s);
            CU_ASSERT(noisy.status == KN_OK);
            CHECK_NEAR((double)noisy.statistics.accepted / (double)clean.statistics.accepted, 1, 0.5);
        }
}

/* Below the noise no method can keep the tolerance; the run must end, either way, after a bounded number of attempts.
 */
static void a_tolerance_below_the_noise_ends_the_run_in_bounded_time(void)
{
    const struct problem_settings s = {.start = 0.5, .stop = 1, .relative = 1e-10, .expect_failure = true};
    const struct problem_outcome o = problem_run(&arnold_ex8_noisy, integrator_find("bdf"), &s);
    const long attempts = o.statistics.accepted + o.statistics.rejected_error + o.statistics.rejected_newton;
    CU_ASSERT(attempts > 0 && attempts < 200000);
    if (o.status == KN_OK)
        CHECK_NEAR(o.worst[0], 0, 1e-4);
    else
        CU_ASSERT(o.status == KN_ERROR_CONVERGENCE);
}

/* ---- classes of stable index ---- */

/* Lemma 3: however large alpha is, y does not depend on it; every method must cope. */
static void nearly_index_2_problems_are_solved_by_all_methods(void)
{
    for (size_t i = 0; integrator_classes[i]; i++)
        for (double alpha = 1; alpha < 2e4; alpha *= 100) {
            const struct integrator_class *m = integrator_classes[i];
            const double tolerance = m == &integrator_euler ? 1e-3 : 1e-5;
            arnold = (struct arnold_parameters){.noise = 1, .alpha = alpha, .epsilon = 0.1};
            const struct problem_settings s = {.stop = 1, .relative = tolerance, .expect_failure = true};
            const struct problem_outcome o = problem_run(&arnold_ex14, m, &s);
            if (is_refused(&o))
                continue;
            CU_ASSERT(o.status == KN_OK);
            CHECK_NEAR(o.worst[0], 0, promise(m, tolerance, o.statistics.accepted));
        }
}

/* Lemma 4: when rho = -2 no mode grows noticeably; with rho = 0 the one next to the critical wave number 2 does. */
static void the_discretised_field_follows_its_mode(void)
{
    for (int growing = 0; growing <= 1; growing++) {
        arnold = (struct arnold_parameters){.rho = growing ? 0 : -2};
        double fastest = 0;
        for (int mode = 1; mode <= ARNOLD16_POINTS; mode++)
            fastest = fmax(fastest, -arnold16_rate(mode));
        CU_ASSERT(growing ? fastest > 10 : fastest < 0.2);
        for (size_t i = 0; integrator_classes[i]; i++) {
            const struct problem_settings s = {.stop = growing ? 0.5 : 3, .relative = 1e-5};
            const struct problem_outcome o = problem_run(&arnold_ex16, integrator_classes[i], &s);
            const double magnification = 3 * exp(fastest * s.stop);
            CU_ASSERT(o.status == KN_OK);
            CHECK_NEAR(o.worst[0], 0, magnification * promise(integrator_classes[i], 1e-5, o.statistics.accepted));
        }
    }
}

/* ---- traps for Newton ---- */

static void spurious_solutions_are_not_found(void)
{
    for (size_t i = 0; integrator_classes[i]; i++) {
        if (!is_made_for_index2(integrator_classes[i]))
            continue;
        const struct problem_settings s = {.stop = 2, .relative = 1e-5};
        struct problem_outcome o = problem_run(&arnold_ex19, integrator_classes[i], &s);
        CU_ASSERT(o.status == KN_OK);
        CHECK_NEAR(o.worst[0] + o.worst[1] + o.worst[2] + o.worst[3], 0, 1e-12);
        o = problem_run(&arnold_remark_8, integrator_classes[i], &s); /* the second root is -y_n */
        CU_ASSERT(o.status == KN_OK);
        CHECK_NEAR(o.worst[0] + o.worst[1], 0, 1e-8);
    }
}

/* Ex. 23: after the period 4 K(sin 45 deg) sqrt(l/g) by the arithmetic-geometric mean the pendulum is back. */
static double pendulum_period(void)
{
    double a = 1, b = sqrt(0.5);
    for (int i = 0; i < 6; i++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 8 * atan(1.0) / a / sqrt(pendulum_gravity);
}

static void the_pendulum_returns_after_its_period(void)
{
    static const double x0[5] = {1, 0, 0, 0, 0};
    for (size_t i = 0; integrator_classes[i]; i++) {
        const struct integrator_class *m = integrator_classes[i];
        if (!is_made_for_index2(m))
            continue;
        const double tolerance = m == &integrator_euler ? 1e-5 : 1e-6;
        const struct problem_settings s = {.stop = pendulum_period(), .relative = tolerance, .x0 = x0};
        const struct problem_outcome o = problem_run(&arnold_ex23, m, &s);
        CU_ASSERT(o.status == KN_OK);
        CHECK_NEAR(o.final[0], 1, 20 * promise(m, tolerance, o.statistics.accepted));
        CHECK_NEAR(o.final[1], 0, 20 * promise(m, tolerance, o.statistics.accepted));
    }
}

/* ---- drift ---- */

static double deviation(const double *x)
{
    return x[0] * x[0] + x[1] * x[1] - 1;
}

/* Phi'' = 0 without stabilisation: what is wrong at the start grows linearly, Phi = delta + epsilon t.  With
 * Baumgarte's a = 10, b = a^2/4 it decays as (1 + a t/2) e^(-a t/2): Steinebach's claims for his vehicle axle, whose
 * equations are not published, on the pendulum. */
static void deviations_from_the_constraint_drift_or_decay_as_they_must(void)
{
    const double delta = 0.02, slope = 0.01, length = sqrt(1 + delta);
    for (int stabilised = 0; stabilised <= 1; stabilised++)
        for (size_t i = 0; integrator_classes[i]; i++) {
            const struct integrator_class *m = integrator_classes[i];
            const double tolerance = tolerance_for(m, 1e-6), stop = 0.8, a = stabilised ? 10 : 0, b = a * a / 4;
            /* Horizontal, with a velocity along the rod; lambda from Phi'' + a Phi' + b Phi = 0. */
            const double v = stabilised ? 0 : slope / (2 * length);
            const double lambda = (2 * v * v + 2 * a * length * v + b * delta) / (4 * length * length);
            const double x0[5] = {length, 0, v, 0, lambda};
            const struct problem_settings s = {.stop = stop, .relative = tolerance, .x0 = x0, .expect_failure = true};
            arnold = (struct arnold_parameters){.a = a, .b = b};
            const struct problem_outcome o = problem_run(&pendulum_of_index_1, m, &s);
            if (o.status == KN_ERROR_CIRCUIT)
                continue;
            const double expected = stabilised ? delta * (1 + a / 2 * stop) * exp(-a / 2 * stop) : delta + slope * stop;
            CU_ASSERT(o.status == KN_OK);
            CHECK_NEAR(deviation(o.final), expected, 10 * promise(m, tolerance, o.statistics.accepted));
        }
}

/* ---- Ex. 1 ---- */

/* Implicit methods differentiate q numerically: with equal steps the derivative has the error of the method. */
static void example_1_is_differentiated_with_order_one_by_euler(void)
{
    for (int i = 0; i < 2; i++) {
        const struct problem *p = i ? &arnold_ex1 : &arnold_ex1_index2;
        double exact[3];
        p->exact(1, exact);
        const struct fixed_settings coarse = {.stop = 1, .steps = 200}, fine = {.stop = 1, .steps = 400};
        const double a = problem_fixed(p, integrator_find("euler"), &coarse).final[0] - exact[0];
        const double b = problem_fixed(p, integrator_find("euler"), &fine).final[0] - exact[0];
        CHECK_NEAR(observed_order(a, b), 1, 0.1);
    }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(methods_have_their_orders_on_index_2),
        CLAIM(tolerances_are_reached_on_index_2),
        CLAIM(euler_reproduces_regions_A_B_and_C),
        CLAIM(bdf2_has_smaller_errors_but_the_same_noise),
        CLAIM(noise_of_y_stays_at_theta_where_z_enters_linearly),
        CLAIM(example_9_has_exactly_the_error_of_the_theory),
        CLAIM(noise_squared_over_h_appears_only_where_f_z_depends_on_y),
        CLAIM(noise_on_index_3_is_divided_by_h_twice),
        CLAIM(noise_of_the_mass_on_a_parabola_is_divided_by_h_twice),
        CLAIM(noise_of_index_2_does_not_stop_the_step_control),
        CLAIM(a_tolerance_below_the_noise_ends_the_run_in_bounded_time),
        CLAIM(nearly_index_2_problems_are_solved_by_all_methods),
        CLAIM(the_discretised_field_follows_its_mode),
        CLAIM(spurious_solutions_are_not_found),
        CLAIM(the_pendulum_returns_after_its_period),
        CLAIM(deviations_from_the_constraint_drift_or_decay_as_they_must),
        CLAIM(example_1_is_differentiated_with_order_one_by_euler),
    };
    return run_claims("problems of Arnold", claims, sizeof claims / sizeof claims[0]);
}
