/* Radau IIA: coefficients, observed orders, whole runs against published and exact solutions. */
#include "claims.h"
#include "integrators/methods.h"
#include "integrators/radau/radau_tableau.h"
#include "problems/one_step.h"

/* Deuflhard/Bornemann 2008, 6.46: A of order 5. */
static void three_stages_are_the_published_method(void)
{
    const struct radau_tableau r = radau_tableaus[2];
    const double s6 = sqrt(6.0);
    const double A[3][3] = {{(88 - 7 * s6) / 360, (296 - 169 * s6) / 1800, (-2 + 3 * s6) / 225},
                            {(296 + 169 * s6) / 1800, (88 + 7 * s6) / 360, (-2 - 3 * s6) / 225},
                            {(16 - s6) / 36, (16 + s6) / 36, 1.0 / 9}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                sum += A[i][k] * r.W[k][j];
            CHECK_NEAR(sum, i == j, 1e-14);
        }
    CHECK_NEAR(r.c[0], (4 - s6) / 10, 1e-15);
    /* Hairer and Wanner 1996, IV.8.20: e = gamma/3 (-13-7 sqrt 6, -13+7 sqrt 6, -1) for A's eigenvalue 1/gamma. */
    const double gamma0 = 1 / r.gamma;
    CHECK_NEAR(r.e[0] * gamma0, gamma0 / 3 * (-13 - 7 * s6), 1e-12);
    CHECK_NEAR(r.e[1] * gamma0, gamma0 / 3 * (-13 + 7 * s6), 1e-12);
    CHECK_NEAR(r.e[2] * gamma0, gamma0 / 3 * -1, 1e-12);
}

/* P_s - P_{s-1}, Legendre polynomials shifted to [0, 1]. */
static double radau_polynomial(int s, double t)
{
    double before = 1, p = 2 * t - 1;
    for (int k = 1; k < s; k++) {
        const double next = ((2 * k + 1) * (2 * t - 1) * p - k * before) / (k + 1);
        before = p;
        p = next;
    }
    return p - before;
}

static void nodes_are_those_of_radau_and_slopes_those_of_collocation(void)
{
    for (int choice = 0; choice < RADAU_TABLEAUS; choice++) {
        const struct radau_tableau *r = &radau_tableaus[choice];
        for (int i = 0; i < r->stages; i++) {
            double product = 1, error = r->e[i];
            CHECK_NEAR(radau_polynomial(r->stages, r->c[i]), 0, 3e-14);
            CU_ASSERT(i == 0 || r->c[i] > r->c[i - 1]);
            for (int k = r->stages - 1; k >= 0; k--)
                product = product * r->c[i] + r->product[k];
            CHECK_NEAR(product, 0, 1e-14);
            for (int power = 1; power <= r->stages; power++) { /* W c^k = k c^(k-1) */
                double slope = 0, size = 0;
                for (int j = 0; j < r->stages; j++) {
                    slope += r->W[i][j] * pow(r->c[j], power);
                    size += fabs(r->W[i][j] * pow(r->c[j], power));
                }
                CHECK_NEAR(slope, power * pow(r->c[i], power - 1), 1e-15 * size + 1e-15);
            }
            for (int j = 0; j < r->stages; j++) { /* e = -l(0)^T W */
                double l = 1;
                for (int k = 0; k < r->stages; k++)
                    l *= k == j ? 1 : r->c[k] / (r->c[k] - r->c[j]);
                error += l * r->W[j][i];
            }
            CHECK_NEAR(error, 0, 1e-12);
        }
    }
}

static void transformation_diagonalises_the_inverse_matrix(void)
{
    for (int choice = 0; choice < RADAU_TABLEAUS; choice++) {
        const struct radau_tableau r = radau_tableaus[choice];
        const int s = r.stages;
        double D[RADAU_STAGES][RADAU_STAGES] = {{0}};
        int k = 0;
        if (r.has_real)
            D[k][k] = r.real, k++;
        for (int p = 0; p < r.pairs; p++, k += 2) {
            D[k][k] = D[k + 1][k + 1] = r.re[p];
            D[k][k + 1] = r.im[p];
            D[k + 1][k] = -r.im[p];
        }
        CU_ASSERT_EQUAL(k, s);
        CU_ASSERT(r.has_real == (s % 2 == 1));
        for (int i = 0; i < s; i++)
            for (int j = 0; j < s; j++) {
                double sum = 0, size = 0;
                for (int a = 0; a < s; a++)
                    for (int b = 0; b < s; b++) {
                        sum += r.T[i][a] * D[a][b] * r.inverse_T[b][j];
                        size += fabs(r.T[i][a] * D[a][b] * r.inverse_T[b][j]);
                    }
                CHECK_NEAR(sum, r.W[i][j], 1e-15 * size);
            }
    }
}

/* Index 1: x' = -x z + cos t, 0 = z - 1 - x^2 / 4 with charge x + x^3/6, no closed form: compared with a fine solution.
 */
static void nonlinear_index1(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    q[0] = x[0] + x[0] * x[0] * x[0] / 6;
    C[0] = 1 + x[0] * x[0] / 2;
    f[0] = x[0] * x[1] - cos(t);
    G[0] = x[1], G[1] = x[0];
    f[1] = x[1] - 1 - x[0] * x[0] / 4;
    G[2] = -x[0] / 2, G[3] = 1;
    dfdt[0] = sin(t);
}

static const struct problem index1 = {"index 1, nonlinear charge", 2, false, nonlinear_index1, NULL, NULL, NULL};

/* Solution at `stop` with `steps` equal steps, errors not controlled, Newton to rounding. */
static void fixed_steps(const struct problem *p, int order, const double *x0, double start, double stop, int steps,
                        double *x)
{
    struct wrapped_problem w;
    struct integrator *m;
    const struct integrator_options options = {
        .relative = 0.9, .kappa = 1e-13, .max_order = order, .max_iterations = 20};
    CU_ASSERT_FATAL(problem_wrap(p, 1, &w));
    const struct integrator_class *class = order == 5 ? &integrator_radau5 : &integrator_radau;
    CU_ASSERT_FATAL(class->create(&w.dae, &options, &m) == KN_OK);
    CU_ASSERT_FATAL(class->restart(m, start, x0) == KN_OK);
    for (int i = 1; i <= steps; i++) {
        struct step_report report;
        class->step(m, start + (stop - start) * i / steps, &report);
        CU_ASSERT(report.outcome == STEP_ACCEPTED);
    }
    memcpy(x, m->x, (size_t)p->n * sizeof *x);
    class->destroy(m);
    problem_unwrap(&w);
}

static double order_between(double coarse, double fine)
{
    return log2(fabs(coarse) / fabs(fine));
}

static void radau_reaches_order_2s_minus_1_on_index1(void)
{
    const double x0[2] = {1, 1.25};
    const int orders[] = {1, 3, 5}, steps[] = {200, 40, 10};
    double exact[2];
    fixed_steps(&index1, 5, x0, 0, 2, 160, exact);
    for (int i = 0; i < 3; i++) {
        double coarse[2], fine[2];
        fixed_steps(&index1, orders[i], x0, 0, 2, steps[i], coarse);
        fixed_steps(&index1, orders[i], x0, 0, 2, 2 * steps[i], fine);
        for (int k = 0; k < 2; k++)
            CHECK_NEAR(order_between(coarse[k] - exact[k], fine[k] - exact[k]), orders[i], 0.35);
    }
}

/* Largest errors at 0.3 of the steps but the first. */
static void errors_between(const struct problem *p, int steps, double *errors)
{
    struct wrapped_problem w;
    struct integrator *m;
    double x[PROBLEM_SIZE], exact[PROBLEM_SIZE];
    const struct integrator_options options = {.relative = 1e-3, .kappa = 1e-12, .max_iterations = 20};
    CU_ASSERT_FATAL(problem_wrap(p, 1, &w));
    CU_ASSERT_FATAL(integrator_radau5.create(&w.dae, &options, &m) == KN_OK);
    p->exact(0, x);
    CU_ASSERT_FATAL(m->class->restart(m, 0, x) == KN_OK);
    errors[0] = errors[1] = 0;
    for (int i = 1; i <= steps; i++) {
        struct step_report report;
        m->class->step(m, 2.0 * i / steps, &report);
        CU_ASSERT(report.outcome == STEP_ACCEPTED);
        const double t = (2.0 * i - 1.4) / steps;
        m->class->interpolate(m, t, x, NULL);
        p->exact(t, exact);
        for (int k = 0; k < 2 && i > 1; k++)
            errors[k] = fmax(errors[k], fabs(x[k] - exact[k]));
    }
    m->class->destroy(m);
    problem_unwrap(&w);
}

/* The collocation polynomial alone has order 4.  What algebraic unknowns and nonlinear charges miss is known from the
 * second step on. */
static void radau5_has_order_5_between_points(void)
{
    double coarse[2], fine[2];
    errors_between(&charged_problem, 20, coarse);
    errors_between(&charged_problem, 40, fine);
    for (int k = 0; k < 2; k++)
        CHECK_NEAR(order_between(coarse[k], fine[k]), 5, 0.4);
}

/* Hairer, Lubich, Roche 1989: order 2s-1 in the differential, s in the index-2 component. */
static void radau5_has_orders_5_and_3_on_index2(void)
{
    double x0[3], exact[3], coarse[3], fine[3];
    arnold8_exact(0.5, x0);
    arnold8_exact(1, exact);
    fixed_steps(&arnold_problem, 5, x0, 0.5, 1, 8, coarse);
    fixed_steps(&arnold_problem, 5, x0, 0.5, 1, 16, fine);
    CHECK_NEAR(order_between(coarse[0] - exact[0], fine[0] - exact[0]), 5, 0.5);
    CHECK_NEAR(order_between(coarse[2] - exact[2], fine[2] - exact[2]), 3, 0.5);
}

/* ---- whole runs with error control ---- */

/* Published end values (IVP Test Set): van der Pol, mu = 1000, t = 2000; Robertson, t = 1e11. */
static void vdpol(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    q[0] = x[0], q[1] = x[1];
    C[0] = C[3] = 1;
    f[0] = -x[1];
    f[1] = -1000 * (1 - x[0] * x[0]) * x[1] + x[0];
    G[1] = -1;
    G[2] = 2000 * x[0] * x[1] + 1;
    G[3] = -1000 * (1 - x[0] * x[0]);
}

static void robertson(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    const double decay = 0.04 * x[0], back = 1e4 * x[1] * x[2], product = 3e7 * x[1] * x[1];
    for (int i = 0; i < 3; i++)
        q[i] = x[i], C[4 * i] = 1;
    f[0] = decay - back;
    f[1] = -decay + back + product;
    f[2] = -product;
    G[0] = 0.04, G[1] = -1e4 * x[2], G[2] = -1e4 * x[1];
    G[3] = -0.04, G[4] = 1e4 * x[2] + 6e7 * x[1], G[5] = 1e4 * x[1];
    G[7] = -6e7 * x[1];
}

/* q has capacitance 1 below and 20 above 0 V, the conductance jumps from 3 to 300 there; the source is chosen so that
 * the charge is sin t. */
static const double UPPER_C = 20, LOWER_G = 3, UPPER_G = 300;

static double jumping_charge(double v)
{
    return v > 0 ? UPPER_C * v : v;
}

static double jumping_current(double v)
{
    return v > 0 ? UPPER_G * v : LOWER_G * v;
}

static void jumps_exact(double t, double *x)
{
    x[0] = sin(t) > 0 ? sin(t) / UPPER_C : sin(t);
}

static void jumps(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)dfdt;
    double v;
    jumps_exact(t, &v);
    q[0] = jumping_charge(x[0]);
    C[0] = x[0] > 0 ? UPPER_C : 1;
    f[0] = jumping_current(x[0]) - jumping_current(v) - cos(t);
    G[0] = x[0] > 0 ? UPPER_G : LOWER_G;
}

static void waveform(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)q, (void)C;
    f[0] = x[0] - sin(t);
    G[0] = 1;
    dfdt[0] = -cos(t);
}

static void waveform_exact(double t, double *x)
{
    x[0] = sin(t);
}

static const struct problem van_der_pol = {"van der Pol", 2, false, vdpol, NULL, NULL, NULL};
static const struct problem kinetics = {"Robertson", 3, false, robertson, NULL, NULL, NULL};
static const struct problem jumping = {"jumping slopes", 1, false, jumps, jumps_exact, NULL, NULL};
static const struct problem algebraic = {"algebraic waveform", 1, true, waveform, waveform_exact, NULL, NULL};

struct course {
    const struct problem *problem;
    double start, stop;
    double absolute;      /* tolerance of all unknowns */
    double output_step;   /* s, see struct integrator_options */
    double between;       /* largest error between points so far, against the exact solution */
    double x[4];          /* start in, end out */
    long order_steps[16]; /* accepted steps by order */
    struct integrator_statistics statistics;
};

static enum kn_status note_accepted(void *context, struct integrator *m, bool first)
{
    struct course *run = context;
    double x[4], exact[4];
    run->order_steps[m->order] += !first;
    for (int i = 1; !first && run->problem->exact && i < 10; i++) {
        const double t = m->previous + (m->t - m->previous) * i / 10;
        m->class->interpolate(m, t, x, NULL);
        run->problem->exact(t, exact);
        run->between = fmax(run->between, fabs(x[0] - exact[0]));
    }
    memcpy(run->x, m->x, (size_t)run->problem->n * sizeof *run->x);
    return KN_OK;
}

static bool carry_out(const struct integrator_class *class, double relative, struct course *run)
{
    struct wrapped_problem w;
    struct integrator *m = NULL;
    const struct integrator_options options = {
        .relative = relative, .kappa = 0.05, .max_iterations = 20, .output_step = run->output_step};
    const struct run_options times = {.start = run->start, .stop = run->stop, .max_step = INFINITY};
    const struct run_callbacks callbacks = {.context = run, .accepted = note_accepted};
    struct kn_diagnostics *d = kn_diagnostics_new();
    bool done = false;
    if (problem_wrap(run->problem, run->absolute, &w)) {
        if (d && class->create(&w.dae, &options, &m) == KN_OK) {
            double x[4];
            memcpy(x, run->x, sizeof x);
            done = integrate(m, x, &times, &callbacks, d, &run->statistics) == KN_OK;
            class->destroy(m);
        }
        problem_unwrap(&w);
    }
    kn_diagnostics_free(d);
    return done;
}

static const struct integrator_class *const radaus[] = {&integrator_radau5, &integrator_radau};

static void van_der_pols_equation_is_solved_within_the_tolerance_in_few_steps(void)
{
    for (int k = 0; k < 2; k++)
        for (double relative = 1e-3; relative > 1e-10; relative /= 100) {
            struct course run = {.problem = &van_der_pol,
                                 .start = 0,
                                 .stop = 2000,
                                 .absolute = 1e-3 * relative,
                                 .output_step = 0,
                                 .x = {2, 0}};
            CU_ASSERT_FATAL(carry_out(radaus[k], relative, &run));
            CHECK_NEAR(run.x[0], 1.706167732170469, 10 * relative);
            CHECK_NEAR(run.x[1], -0.8928097010248125e-3, 10 * relative * 1e-3);
            CHECK_NEAR((double)run.statistics.accepted, 0, k == 1 ? 400 : 250 * pow(relative / 1e-3, -1.0 / 6));
            CU_ASSERT(10 * (run.statistics.rejected_error + run.statistics.rejected_newton) <=
                      run.statistics.accepted + 100);
        }
}

static void robertsons_kinetics_decay_over_11_decades_of_time(void)
{
    for (int k = 0; k < 2; k++)
        for (double relative = 1e-4; relative > 1e-9; relative /= 100) {
            struct course run = {.problem = &kinetics,
                                 .start = 0,
                                 .stop = 1e11,
                                 .absolute = 1e-9 * relative,
                                 .output_step = 0,
                                 .x = {1, 0, 0}};
            CU_ASSERT_FATAL(carry_out(radaus[k], relative, &run));
            CHECK_NEAR(run.x[0], 0.2083340149701255e-7, 10 * relative * 0.2e-7);
            CHECK_NEAR(run.x[1], 0.8333360770334713e-13, 10 * relative * 0.8e-13);
            CHECK_NEAR(run.x[2], 0.9999999791665050, 1e-12);
            CU_ASSERT(run.statistics.accepted < 1000);
        }
}

/* Index 2: perturbations at 0.5 are 61 times as large at 1 (4500 times at 1.5); z, which does not drive the step, may
 * err ten times as much as y. */
static void tolerance_holds_for_arnolds_example_of_index_2(void)
{
    for (int k = 0; k < 2; k++)
        for (double relative = 1e-4; relative > 1e-9; relative /= 100) {
            struct course run = {.problem = &arnold_problem,
                                 .start = 0.5,
                                 .stop = 1,
                                 .absolute = 1e-3 * relative,
                                 .output_step = 0.01,
                                 .x = {0}};
            double exact[3];
            arnold8_exact(run.start, run.x);
            arnold8_exact(run.stop, exact);
            CU_ASSERT_FATAL(carry_out(radaus[k], relative, &run));
            CHECK_NEAR(run.x[0], exact[0], 10 * relative);
            CHECK_NEAR(run.x[1], exact[1], 10 * relative);
            CHECK_NEAR(run.x[2], exact[2], 100 * relative);
            CU_ASSERT(run.statistics.accepted < 50);
        }
}

/* Between points the corners of the waveform are resolved down to a tenth of the output step. */
static void capacitance_and_conductance_may_jump(void)
{
    for (int k = 0; k < 2; k++)
        for (double relative = 1e-3; relative > 1e-10; relative /= 10) {
            struct course run = {.problem = &jumping,
                                 .start = 0.5,
                                 .stop = 12,
                                 .absolute = 1e-3 * relative,
                                 .output_step = 1e-3,
                                 .x = {sin(0.5) / 20}};
            double exact;
            jumps_exact(run.stop, &exact);
            CU_ASSERT_FATAL(carry_out(radaus[k], relative, &run));
            CHECK_NEAR(run.x[0], exact, 10 * relative);
            CHECK_NEAR(run.between, 0, 1e-4 + 20 * pow(relative, 0.6));
            CU_ASSERT(run.statistics.accepted < 2000);
        }
}

/* No charge, no error estimate: only smoothness keeps the polynomials between the points on the waveform. */
static void waveforms_without_charge_are_followed_between_points(void)
{
    for (int k = 0; k < 2; k++) {
        struct course run = {
            .problem = &algebraic, .start = 0, .stop = 40, .absolute = 1e-9, .output_step = 0.1, .x = {0}};
        CU_ASSERT_FATAL(carry_out(radaus[k], 1e-6, &run));
        CHECK_NEAR(run.between, 0, 1e-4); /* the tolerance of the estimate is 1e-5 for order 5 */
        CU_ASSERT(run.statistics.accepted > 5);
        CU_ASSERT(run.statistics.accepted < 1000);
    }
}

static void order_rises_where_the_tolerance_is_tight(void)
{
    struct course loose = {.problem = &index1, .stop = 100, .absolute = 1e-6, .x = {1, 1.25}}, tight = loose;
    tight.absolute = 1e-13;
    CU_ASSERT_FATAL(carry_out(&integrator_radau, 1e-3, &loose));
    CU_ASSERT_FATAL(carry_out(&integrator_radau, 1e-10, &tight));
    CU_ASSERT(loose.order_steps[5] > loose.statistics.accepted * 3 / 4);
    const long high = tight.order_steps[9] + tight.order_steps[13];
    CU_ASSERT(high > tight.statistics.accepted * 3 / 4);
    CU_ASSERT(tight.statistics.accepted < 5 * loose.statistics.accepted);
}

static void high_order_saves_steps_and_order_5_stays_order_5(void)
{
    struct course five = {.problem = &van_der_pol, .stop = 2000, .absolute = 1e-13, .x = {2, 0}}, variable = five;
    CU_ASSERT_FATAL(carry_out(&integrator_radau5, 1e-10, &five));
    CU_ASSERT_FATAL(carry_out(&integrator_radau, 1e-10, &variable));
    CU_ASSERT(3 * variable.statistics.accepted < five.statistics.accepted);
    CU_ASSERT(variable.order_steps[13] > 50);
    CU_ASSERT(five.order_steps[5] == five.statistics.accepted);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(three_stages_are_the_published_method),
        CLAIM(nodes_are_those_of_radau_and_slopes_those_of_collocation),
        CLAIM(transformation_diagonalises_the_inverse_matrix),
        CLAIM(radau_reaches_order_2s_minus_1_on_index1),
        CLAIM(radau5_has_order_5_between_points),
        CLAIM(radau5_has_orders_5_and_3_on_index2),
        CLAIM(van_der_pols_equation_is_solved_within_the_tolerance_in_few_steps),
        CLAIM(robertsons_kinetics_decay_over_11_decades_of_time),
        CLAIM(tolerance_holds_for_arnolds_example_of_index_2),
        CLAIM(capacitance_and_conductance_may_jump),
        CLAIM(waveforms_without_charge_are_followed_between_points),
        CLAIM(order_rises_where_the_tolerance_is_tight),
        CLAIM(high_order_saves_steps_and_order_5_stays_order_5),
    };
    return run_claims("radau", claims, sizeof claims / sizeof claims[0]);
}
