/* The multistep methods and the drive on problems with known answers. */
#include "claims.h"
#include "integrators/methods.h"
#include "integrators/multistep/history.h"
#include "problems/arnold8.h"

/* ---- problems ---- */

/* x' = -x + sin 3t + 3 cos 3t, x = sin 3t + e^-t. */
static void forced_decay(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    f[0] = x[0] - sin(3 * t) - 3 * cos(3 * t);
    q[0] = x[0];
    G[0] = 1;
    C[0] = 1;
    dfdt[0] = -3 * cos(3 * t) + 9 * sin(3 * t);
}

static void forced_decay_exact(double t, double *x)
{
    x[0] = sin(3 * t) + exp(-t);
}

static const struct problem decay = {"forced decay", 1, true, forced_decay, forced_decay_exact, NULL, NULL};

/* Nonlinear charge: d/dt (x + x^3/3) = -x, exact by implicit relation ln x + x^2/2 = ln x0 + x0^2/2 - t. */
static void nonlinear_charge(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    f[0] = x[0];
    q[0] = x[0] + x[0] * x[0] * x[0] / 3;
    G[0] = 1;
    C[0] = 1 + x[0] * x[0];
}

static void nonlinear_charge_exact(double t, double *x)
{
    const double target = log(2.0) + 2 - t;
    double y = 1;
    for (int i = 0; i < 60; i++)
        y -= (log(y) + y * y / 2 - target) / (1 / y + y);
    x[0] = y;
}

static const struct problem charge = {"nonlinear charge",     1,    false, nonlinear_charge,
                                      nonlinear_charge_exact, NULL, NULL};

/* x' = sgn-like ramp source with a corner at t = 1/3: x' = 0 before, t - 1/3 after. */
static void corner(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)G;
    f[0] = -(t > 1.0 / 3 ? t - 1.0 / 3 : 0);
    q[0] = x[0];
    C[0] = 1;
    dfdt[0] = t > 1.0 / 3 ? -1 : 0;
}

static double corner_breakpoint(double t)
{
    return t < 1.0 / 3 ? 1.0 / 3 : INFINITY;
}

static const struct problem cornered = {"corner", 1, true, corner, NULL, NULL, corner_breakpoint};

/* ---- running ---- */

struct trace {
    const struct problem *problem;
    double worst[PROBLEM_SIZE]; /* largest error at accepted points */
    double worst_between[PROBLEM_SIZE];
    double seen_corner;
    bool stop_now;
};

static enum kn_status follow(void *context, struct integrator *m, bool first)
{
    struct trace *trace = context;
    double exact[PROBLEM_SIZE], x[PROBLEM_SIZE];
    if (fabs(m->t - 1.0 / 3) < 1e-12)
        trace->seen_corner = m->t;
    if (!trace->problem->exact)
        return KN_OK;
    trace->problem->exact(m->t, exact);
    for (int i = 0; i < trace->problem->n; i++)
        trace->worst[i] = fmax(trace->worst[i], fabs(m->x[i] - exact[i]));
    if (first)
        return KN_OK;
    const double middle = 0.5 * (m->t + m->previous);
    m->class->interpolate(m, middle, x, NULL);
    trace->problem->exact(middle, exact);
    for (int i = 0; i < trace->problem->n; i++)
        trace->worst_between[i] = fmax(trace->worst_between[i], fabs(x[i] - exact[i]));
    return KN_OK;
}

static bool stop_at_once(void *context)
{
    return ((struct trace *)context)->stop_now;
}

struct outcome {
    enum kn_status status;
    struct trace trace;
    struct integrator_statistics statistics;
    double final[PROBLEM_SIZE];
};

static struct outcome run(const struct problem *p, const char *method, int order, double relative, double start,
                          double stop, double max_step, const double *x0)
{
    struct outcome out = {.trace = {.problem = p}};
    struct wrapped_problem w;
    struct kn_diagnostics *d = kn_diagnostics_new();
    const struct integrator_options options = {
        .relative = relative, .kappa = 0.05, .max_order = order, .max_iterations = 10};
    const struct run_options run_options = {.start = start, .stop = stop, .max_step = max_step};
    const struct run_callbacks callbacks = {.context = &out.trace, .accepted = follow};
    struct integrator *m = NULL;
    CU_ASSERT_FATAL(problem_wrap(p, 1e-3 * relative, &w));
    CU_ASSERT_FATAL(integrator_find(method)->create(&w.dae, &options, &m) == KN_OK);
    double x[PROBLEM_SIZE];
    if (x0)
        memcpy(x, x0, (size_t)p->n * sizeof *x);
    else
        p->exact(start, x);
    out.status = integrate(m, x, &run_options, &callbacks, d, &out.statistics);
    memcpy(out.final, m->x, (size_t)p->n * sizeof *x);
    for (size_t i = 0; i < kn_diagnostics_count(d); i++)
        kn_diagnostic_write(kn_diagnostics_get(d, i), stderr, false);
    m->class->destroy(m);
    problem_unwrap(&w);
    kn_diagnostics_free(d);
    return out;
}

/* ---- claims ---- */

static void weights_reproduce_polynomials(void)
{
    struct history h;
    struct arena *memory = arena_new();
    CU_ASSERT_FATAL(memory && history_make(&h, 1, memory));
    const double times[] = {0, 0.3, 0.45, 1.1, 1.5, 1.55};
    for (int degree = 0; degree <= 5; degree++) {
        double x = pow(times[0], degree);
        history_restart(&h, times[0], &x, &x);
        for (int i = 1; i < 6; i++) {
            *history_candidate_x(&h) = *history_candidate_q(&h) = pow(times[i], degree);
            history_push(&h, times[i]);
        }
        double w[HISTORY_POINTS], y;
        history_value_weights(&h, degree + 1, 1.9, w);
        history_combine(h.x, 1, degree + 1, w, &y);
        CHECK_NEAR(y, pow(1.9, degree), 1e-11);
        history_slope_weights(&h, degree + 1, 1.1, w); /* at a node */
        history_combine(h.x, 1, degree + 1, w, &y);
        CHECK_NEAR(y, degree ? degree * pow(1.1, degree - 1) : 0, 1e-11);
        const double alpha = history_bdf_weights(&h, degree > 0 ? degree : 1, 1.9, w);
        history_combine(h.q, 1, degree > 0 ? degree : 1, w, &y);
        CHECK_NEAR(y + alpha * pow(1.9, degree), degree ? degree * pow(1.9, degree - 1) : 0, 1e-11);
    }
    arena_free(memory);
}

/* By how much the problem itself magnifies a disturbance of its start until the end. */
static double arnold_magnification(void)
{
    const double disturbance = 1e-4;
    double x[3];
    arnold8_exact(0.5, x);
    x[0] += disturbance;
    x[1] -= 4 * disturbance; /* stays on the constraint */
    const struct outcome out = run(&arnold_problem, "bdf", 0, 1e-9, 0.5, 1, INFINITY, x);
    return fabs(out.final[0] - sin(1.0)) / disturbance;
}

/* The local error is controlled relative to the largest value, so the global one may reach
 * steps x tolerance x largest value x magnification. */
static void global_error_stays_below_steps_times_tolerance(void)
{
    const char *const methods[] = {"bdf", "gear", "trap", "trbdf2", "radau5", "radau", "auto"};
    const struct problem *const problems[] = {&decay, &charge, &arnold_problem};
    const double magnification[] = {2, 2, arnold_magnification()};
    for (size_t p = 0; p < 3; p++)
        for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
            for (double tolerance = 1e-3; tolerance > 1e-8; tolerance /= 10) {
                if (problems[p] == &arnold_problem && (i == 2 || i == 3))
                    continue; /* the trapezoidal rule is not made for index 2 */
                const struct outcome out =
                    run(problems[p], methods[i], 0, tolerance, p == 2 ? 0.5 : 0, p == 2 ? 1 : 2, INFINITY, NULL);
                /* Radau's few steps have no estimate of their own order; its tolerance is carried over, see radau.c. */
                const double bound = i < 4 ? tolerance * magnification[p] * (double)out.statistics.accepted
                                           : pow(tolerance, 2.0 / 3) * magnification[p];
                CU_ASSERT(out.status == KN_OK);
                CHECK_NEAR(out.trace.worst[0], 0, bound);
                /* Radau's dense output has the order of the stages, like its error estimate. */
                const double between = i < 4 ? 2 * bound : pow(tolerance, 2.0 / 3) * magnification[p];
                CHECK_NEAR(out.trace.worst_between[0], 0, between);
            }
}

/* Largest errors of the run fall as steps^-k when the tolerance is tightened and the order held at k. */
static double observed_order(const struct problem *p, const char *method, int k, int component)
{
    double error[2], steps[2];
    for (int tight = 0; tight < 2; tight++) {
        const double tolerance = (k > 3 ? 1e-8 : 1e-6) * (tight ? 1e-2 : 1);
        const struct outcome out =
            run(p, method, k, tolerance, p == &arnold_problem ? 0.5 : 0, p == &arnold_problem ? 1 : 8, INFINITY, NULL);
        error[tight] = out.trace.worst[component];
        steps[tight] = (double)out.statistics.accepted;
    }
    return log(error[0] / error[1]) / log(steps[1] / steps[0]);
}

static void bdf_keeps_order_in_differential_components(void)
{
    for (int k = 1; k <= 5; k++)
        CHECK_NEAR(observed_order(&decay, "bdf", k, 0), k, 0.5);
    for (int k = 1; k <= 2; k++) /* the interval is too short for more to show */
        CHECK_NEAR(observed_order(&arnold_problem, "bdf", k, 0), k, 0.6);
    CHECK_NEAR(observed_order(&decay, "trap", 0, 0), 2, 0.2);
    CHECK_NEAR(observed_order(&charge, "trap", 0, 0), 2, 0.2);
    CHECK_NEAR(observed_order(&decay, "trbdf2", 0, 0), 2, 0.2);
    CHECK_NEAR(observed_order(&charge, "trbdf2", 0, 0), 2, 0.2);
}

static void bdf_keeps_order_on_index2_component(void)
{
    for (int k = 1; k <= 2; k++)
        CHECK_NEAR(observed_order(&arnold_problem, "bdf", k, 2), k, 0.6);
}

static void breakpoints_are_hit_exactly(void)
{
    const double zero = 0;
    const struct outcome out = run(&cornered, "bdf", 0, 1e-6, 0, 1, INFINITY, &zero);
    CU_ASSERT(out.status == KN_OK);
    CU_ASSERT(out.trace.seen_corner == 1.0 / 3);
    CHECK_NEAR(out.final[0], 2.0 / 9, 1e-6);
    CU_ASSERT(out.statistics.restarts == 2);
}

static void a_run_can_be_interrupted(void)
{
    struct wrapped_problem w;
    struct integrator *m;
    struct trace trace = {.problem = &decay, .stop_now = true};
    const struct integrator_options options = {.relative = 1e-3, .kappa = 0.05, .max_iterations = 10};
    const struct run_options run_options = {.stop = 1, .max_step = INFINITY};
    const struct run_callbacks callbacks = {.context = &trace, .accepted = follow, .interrupted = stop_at_once};
    struct integrator_statistics statistics;
    const double x0 = 1;
    CU_ASSERT_FATAL(problem_wrap(&decay, 1e-6, &w));
    CU_ASSERT_FATAL(integrator_bdf.create(&w.dae, &options, &m) == KN_OK);
    CU_ASSERT(integrate(m, &x0, &run_options, &callbacks, NULL, &statistics) == KN_INTERRUPTED);
    m->class->destroy(m);
    problem_unwrap(&w);
}

/* x' = x^2 blows up at t = 1: the run must end with a diagnosis before it (Deuflhard/Bornemann 2008, 2.12). */
static void blow_up(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    f[0] = -x[0] * x[0];
    q[0] = x[0];
    G[0] = -2 * x[0];
    C[0] = 1;
}

static const struct problem blow = {"blow-up", 1, false, blow_up, NULL, NULL, NULL};

static void collapse_of_the_step_is_explained_by_the_last_attempts(void)
{
    struct wrapped_problem w;
    struct integrator *m;
    struct kn_diagnostics *d = kn_diagnostics_new();
    const struct integrator_options options = {.relative = 1e-4, .kappa = 0.05, .max_iterations = 10};
    const struct run_options run_options = {.stop = 2, .max_step = INFINITY};
    const struct run_callbacks callbacks = {0};
    struct integrator_statistics statistics;
    const double x0 = 1;
    CU_ASSERT_FATAL(problem_wrap(&blow, 1e-9, &w));
    CU_ASSERT_FATAL(integrator_bdf.create(&w.dae, &options, &m) == KN_OK);
    CU_ASSERT(integrate(m, &x0, &run_options, &callbacks, d, &statistics) == KN_ERROR_CONVERGENCE);
    CHECK_NEAR(m->t, 1, 2e-3);
    CU_ASSERT_EQUAL_FATAL(kn_diagnostics_errors(d), 1);
    const struct kn_diagnostic *message = kn_diagnostics_get(d, 0);
    CU_ASSERT(strstr(message->text, "unknown 1") && strstr(message->text, "residual"));
    m->class->destroy(m);
    problem_unwrap(&w);
    kn_diagnostics_free(d);
}

static void methods_to_learn_from_say_what_they_are_good_for_and_where_they_fail(void)
{
    static const char *const study[] = {"row2",    "dae3s", "dae4sf", "dae3ns", "dae33ns",
                                        "dae34ns", "limex", "gauss2", "gauss4"};
    size_t told = 0;
    for (size_t i = 0; integrator_classes[i]; i++)
        told += integrator_classes[i]->good_for && integrator_classes[i]->fails;
    CU_ASSERT_EQUAL(told, sizeof study / sizeof *study);
    for (size_t i = 0; i < sizeof study / sizeof *study; i++)
        CU_ASSERT_PTR_NOT_NULL(integrator_find(study[i])->good_for);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(weights_reproduce_polynomials),
        CLAIM(global_error_stays_below_steps_times_tolerance),
        CLAIM(bdf_keeps_order_in_differential_components),
        CLAIM(bdf_keeps_order_on_index2_component),
        CLAIM(breakpoints_are_hit_exactly),
        CLAIM(a_run_can_be_interrupted),
        CLAIM(methods_to_learn_from_say_what_they_are_good_for_and_where_they_fail),
        CLAIM(collapse_of_the_step_is_explained_by_the_last_attempts),
    };
    return run_claims("integrators", claims, sizeof claims / sizeof claims[0]);
}
