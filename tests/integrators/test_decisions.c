/* test_decisions.c - what the drive and `auto` decide, with methods that do as they are told: a step never fails unless
 * it shall, its cost and the size of the next one are given.
 */
#include "claims.h"
#include "integrators/auto.h"
#include "integrators/control.h"
#include "integrators/methods.h"
#include "integrators/newton.h"
#include "problems/problem.h"

enum { MOST_STEPS = 4000 };

/* What one of the methods does. */
struct told {
    double step;          /* s */
    double late_step;     /* s, from the step `late` on */
    long late;            /* 0: never */
    long work;            /* evaluations of a step */
    double fails_from;    /* s; every step that ends behind this fails; 0: none */
    double slows_from;    /* s; from there on each step must be shorter than the one before; 0: nowhere */
    long steps, restarts; /* made */
};
static struct told told[AUTO_CANDIDATES];
static double ends[MOST_STEPS];
static long end_count;

struct obedient {
    struct integrator base;
    struct told *told;
    double x[1];
    double last; /* s, the step before, since the last restart */
    long evaluations;
};

static enum kn_status create(int which, const struct integrator_class *class, const struct dae *dae,
                             struct integrator **out)
{
    struct obedient *m = calloc(1, sizeof *m);
    if (!m)
        return KN_ERROR_MEMORY;
    m->base = (struct integrator){.class = class, .dae = dae, .relative = 1e-3, .x = m->x};
    m->told = &told[which];
    *out = &m->base;
    return KN_OK;
}

static void destroy(struct integrator *m)
{
    free(m);
}

static enum kn_status restart(struct integrator *base, double t, const double *x)
{
    struct obedient *m = (struct obedient *)base;
    m->x[0] = x[0];
    m->last = INFINITY;
    base->t = base->previous = t;
    m->told->restarts++;
    return KN_OK;
}

static void step(struct integrator *base, double to, struct step_report *report)
{
    struct obedient *m = (struct obedient *)base;
    const struct told *s = m->told;
    m->evaluations += s->work;
    *report = (struct step_report){.order = 1, .next_step = s->late && s->steps >= s->late ? s->late_step : s->step};
    if (s->fails_from > 0 && to > s->fails_from) {
        report->outcome = STEP_NEWTON_FAILED;
        report->next_step = 0.25 * (to - base->t);
        return;
    }
    if (s->slows_from > 0 && base->t > s->slows_from && to - base->t > 0.95 * m->last) {
        report->outcome = STEP_ERROR_TOO_LARGE;
        report->next_step = 0.94 * m->last;
        return;
    }
    m->last = to - base->t;
    base->previous = base->t;
    base->t = to;
    m->told->steps++;
    if (end_count < MOST_STEPS)
        ends[end_count++] = to;
}

static void interpolate(struct integrator *base, double t, double *x, double *dxdt)
{
    (void)t;
    x[0] = base->x[0];
    if (dxdt)
        dxdt[0] = 0;
}

static void statistics(const struct integrator *base, struct integrator_statistics *s)
{
    s->evaluations += ((const struct obedient *)base)->evaluations;
}

#define OBEDIENT(id, which)                                                                                            \
    static const struct integrator_class id;                                                                           \
    static enum kn_status id##_create(const struct dae *dae, const struct integrator_options *o,                       \
                                      struct integrator **out)                                                         \
    {                                                                                                                  \
        (void)o;                                                                                                       \
        return create(which, &id, dae, out);                                                                           \
    }                                                                                                                  \
    static const struct integrator_class id = {.name = #id,                                                            \
                                               .create = id##_create,                                                  \
                                               .destroy = destroy,                                                     \
                                               .restart = restart,                                                     \
                                               .step = step,                                                           \
                                               .interpolate = interpolate,                                             \
                                               .statistics = statistics}
OBEDIENT(cheap, AUTO_BDF);
OBEDIENT(direct, AUTO_ROSENBROCK);
OBEDIENT(high, AUTO_RADAU);

static const struct auto_rule rules[AUTO_CANDIDATES] = {
    {&cheap, 0, 6, 40, 200, 1}, {&direct, 0, 6, 12, 200, 1}, {&high, 0, 6, 12, 450, 1}};
/* The same where a unit of work of one costs more in circuits that are not linear. */
static const struct auto_rule dear[AUTO_CANDIDATES] = {
    {&cheap, 0, 6, 40, 200, 1}, {&direct, 0, 6, 12, 200, 1.5}, {&high, 0, 6, 12, 450, 1}};
static const struct auto_rule *used = rules;

static void decay(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    f[0] = x[0];
    q[0] = x[0];
    G[0] = C[0] = 1;
}

static double corner_at_third(double t)
{
    return t < 1.0 / 3 ? 1.0 / 3 : INFINITY;
}

static const struct problem smooth = {"smooth", 1, false, decay, NULL, NULL, NULL};
static const struct problem cornered = {"with a corner", 1, false, decay, NULL, NULL, corner_at_third};

struct outcome {
    enum kn_status status;
    struct integrator_statistics statistics;
    char line[200];
};

static struct outcome go(const struct problem *p, bool automatic, const struct run_options *run)
{
    static const double x0[1] = {0};
    const struct integrator_options o = {.relative = 1e-3, .kappa = 0.01, .max_iterations = 20};
    const struct run_callbacks none = {0};
    struct kn_diagnostics *d = kn_diagnostics_new();
    struct wrapped_problem w;
    struct integrator *m = NULL;
    struct outcome out = {0};
    for (int i = 0; i < AUTO_CANDIDATES; i++)
        told[i].steps = told[i].restarts = 0;
    end_count = 0;
    CU_ASSERT_FATAL(d && problem_wrap(p, 1e-3, &w));
    CU_ASSERT_FATAL((automatic ? auto_create_from(used, &w.dae, &o, &m) : cheap_create(&w.dae, &o, &m)) == KN_OK);
    out.status = integrate(m, x0, run, &none, d, &out.statistics);
    if (m->class->describe)
        m->class->describe(m, out.line, sizeof out.line);
    m->class->destroy(m);
    kn_diagnostics_free(d);
    problem_unwrap(&w);
    return out;
}

/* ---- auto ---- */

static void who_gets_furthest_per_work_makes_most_steps(void)
{
    for (int best = 0; best < AUTO_CANDIDATES; best++) {
        for (int i = 0; i < AUTO_CANDIDATES; i++)
            told[i] = (struct told){.step = i == best ? 2e-4 : 1e-4, .work = 3};
        const struct run_options run = {.stop = 1, .max_step = INFINITY};
        const struct outcome out = go(&smooth, true, &run);
        CU_ASSERT_EQUAL(out.status, KN_OK);
        CU_ASSERT(told[best].steps > 0.8 * (double)out.statistics.accepted);
        CU_ASSERT(strstr(out.line, best == AUTO_BDF     ? "cheap got 2 times"
                                   : best == AUTO_RADAU ? "high got 2 times"
                                                        : "direct got 2 times") != NULL);
    }
}

/* Twice as far in a step that costs three times as much is no gain. */
static void long_steps_that_cost_more_lose(void)
{
    told[AUTO_BDF] = (struct told){.step = 1e-4, .work = 2};
    told[AUTO_ROSENBROCK] = told[AUTO_RADAU] = (struct told){.step = 2e-4, .work = 6};
    const struct run_options run = {.stop = 1, .max_step = INFINITY};
    const struct outcome out = go(&smooth, true, &run);
    CU_ASSERT(told[AUTO_BDF].steps > 0.9 * (double)out.statistics.accepted);
}

/* 1.4 times as far per step, each of which costs 1.5 times what was counted; in a linear circuit it is no more than that. */
static void work_costs_more_where_the_circuit_is_not_linear(void)
{
    for (int linear = 0; linear < 2; linear++) {
        told[AUTO_BDF] = told[AUTO_RADAU] = (struct told){.step = 1e-4, .work = 3};
        told[AUTO_ROSENBROCK] = (struct told){.step = 1.4e-4, .work = 3};
        const struct run_options run = {.stop = 1, .max_step = INFINITY};
        struct problem p = smooth;
        p.linear = linear;
        used = dear;
        const struct outcome out = go(&p, true, &run);
        used = rules;
        CU_ASSERT(told[linear ? AUTO_ROSENBROCK : AUTO_BDF].steps > 0.8 * (double)out.statistics.accepted);
    }
}

/* Trials that are lost are few: each costs the work of a trial, and starts the champion anew. */
static void who_has_lost_is_not_tried_again_soon(void)
{
    told[AUTO_BDF] = (struct told){.step = 1e-5, .work = 3};
    told[AUTO_ROSENBROCK] = told[AUTO_RADAU] = (struct told){.step = 0.5e-5, .work = 3};
    const struct run_options run = {.stop = 0.1, .max_step = INFINITY};
    go(&smooth, true, &run);
    const long lost = told[AUTO_ROSENBROCK].steps + told[AUTO_RADAU].steps;
    CU_ASSERT(lost > 20);
    CU_ASSERT(lost < 75); /* of 10,000; more with pauses half as long */
}

/* It wins its trial and then slows down: when it has lost what it had won the run goes back to the champion, so that
 * all in all no more work is done than the champion alone would have had. */
static void who_does_not_keep_its_promise_loses_what_it_has_won(void)
{
    told[AUTO_BDF] = told[AUTO_RADAU] = (struct told){.step = 1e-4, .work = 3};
    told[AUTO_ROSENBROCK] = (struct told){.step = 4e-4, .work = 3, .late = 60, .late_step = 0.2e-4};
    const struct run_options run = {.stop = 1, .max_step = INFINITY};
    const struct outcome out = go(&smooth, true, &run);
    CU_ASSERT(told[AUTO_ROSENBROCK].steps > 60);
    CU_ASSERT(told[AUTO_ROSENBROCK].steps < 1000);
    CU_ASSERT(out.statistics.evaluations < 1.02 * 3 * 10000);
}

/* Long steps of a quiet time, in which it has won, do not outweigh those of a busy one for thousands of steps. */
static void who_wins_in_a_quiet_time_must_keep_up_in_a_busy_one(void)
{
    told[AUTO_BDF] = (struct told){.step = 1e-4, .work = 3};
    told[AUTO_ROSENBROCK] = (struct told){.step = 0.5e-4, .work = 3};
    told[AUTO_RADAU] = (struct told){.step = 1e-2, .work = 3, .late = 40, .late_step = 0.2e-4};
    const struct run_options run = {.stop = 1, .max_step = INFINITY};
    go(&smooth, true, &run);
    CU_ASSERT(told[AUTO_RADAU].steps > 40);
    CU_ASSERT(told[AUTO_RADAU].steps < 200);
}

static void who_fails_hands_over_and_is_not_asked_again_soon(void)
{
    told[AUTO_BDF] = (struct told){.step = 1e-4, .work = 3};
    told[AUTO_ROSENBROCK] = (struct told){.step = 4e-4, .work = 3, .fails_from = 0.5};
    told[AUTO_RADAU] = (struct told){.step = 0.5e-4, .work = 3};
    const struct run_options run = {.stop = 1, .max_step = INFINITY};
    const struct outcome out = go(&smooth, true, &run);
    CU_ASSERT_EQUAL(out.status, KN_OK);
    CU_ASSERT(told[AUTO_ROSENBROCK].steps > 500);
    CU_ASSERT(told[AUTO_BDF].steps > 3000);
    CU_ASSERT(out.statistics.rejected_newton < 100);
}

/* Each failure is followed by a step, so that there are never many in a row, and each step is about as long as the one before. */
static void who_does_not_get_on_hands_over(void)
{
    told[AUTO_BDF] = (struct told){.step = 1e-4, .work = 3};
    told[AUTO_ROSENBROCK] = (struct told){.step = 4e-4, .work = 3, .slows_from = 0.5};
    told[AUTO_RADAU] = (struct told){.step = 0.5e-4, .work = 3};
    const struct run_options run = {.stop = 1, .max_step = INFINITY};
    const struct outcome out = go(&smooth, true, &run);
    CU_ASSERT_EQUAL(out.status, KN_OK);
    CU_ASSERT(told[AUTO_ROSENBROCK].steps > 500);
    CU_ASSERT(told[AUTO_BDF].steps > 3000);
}

/* The closing line counts the steps that were made. */
static void closing_line_tells_the_steps_of_each(void)
{
    for (int i = 0; i < AUTO_CANDIDATES; i++)
        told[i] = (struct told){.step = 0.1, .work = 1};
    const struct run_options run = {.stop = 1, .max_step = INFINITY};
    struct outcome out = go(&smooth, true, &run);
    char wanted[40];
    snprintf(wanted, sizeof wanted, "%ld cheap; too short a run", out.statistics.accepted);
    CU_ASSERT(strncmp(out.line, wanted, strlen(wanted)) == 0);
}

/* ---- the drive ---- */

static void steps_end_at_breakpoints_and_share_the_rest_evenly(void)
{
    told[AUTO_BDF] = (struct told){.step = 0.2, .work = 1};
    const struct run_options run = {.stop = 1, .max_step = INFINITY, .first_step = 0.2};
    const struct outcome out = go(&cornered, false, &run);
    CU_ASSERT_EQUAL(out.status, KN_OK);
    CU_ASSERT_EQUAL(told[AUTO_BDF].restarts, 2); /* at the start and at the corner */
    long at = 0;
    while (at < end_count && ends[at] != 1.0 / 3)
        at++;
    CU_ASSERT_FATAL(at > 0 && at < end_count);
    const double before = at > 1 ? ends[at - 2] : 0;
    CHECK_NEAR(ends[at] - ends[at - 1], ends[at - 1] - before, 0.2); /* no sliver is left */
    CU_ASSERT(ends[at] - ends[at - 1] > 0.01);
    CU_ASSERT_EQUAL(ends[end_count - 1], 1);
}

static void no_step_is_longer_than_tmax(void)
{
    told[AUTO_BDF] = (struct told){.step = 0.5, .work = 1};
    const struct run_options run = {.stop = 1, .max_step = 0.07};
    go(&smooth, false, &run);
    for (long i = 1; i < end_count; i++)
        CU_ASSERT(ends[i] - ends[i - 1] <= 0.07 * (1 + 1e-12));
}

static void a_disturbance_that_shall_grow_is_followed_by_short_steps(void)
{
    told[AUTO_BDF] = (struct told){.step = 0.1, .work = 1};
    const struct run_options run = {.stop = 1, .max_step = INFINITY, .growth_rate = 100};
    go(&smooth, false, &run);
    for (long i = 1; i < end_count && ends[i - 1] < 0.19; i++) /* e^20 is reached at 0.2 s */
        CU_ASSERT(ends[i] - ends[i - 1] <= 0.3 / 100 * (1 + 1e-12));
    CU_ASSERT(ends[end_count - 1] - ends[end_count - 2] > 0.04);
}

static void steps_that_shrink_to_nothing_end_the_run_with_an_error(void)
{
    told[AUTO_BDF] = (struct told){.step = 0.1, .work = 1, .fails_from = 0.5};
    const struct run_options run = {.stop = 1, .max_step = INFINITY};
    const struct outcome out = go(&smooth, false, &run);
    CU_ASSERT_EQUAL(out.status, KN_ERROR_CONVERGENCE);
    CU_ASSERT(out.statistics.rejected_newton < 60);
    CU_ASSERT(ends[end_count - 1] > 0.499);
}

/* ---- the controller ---- */

/* A step of 1 ms with rows each 1 ms. */
static struct control controller(const struct control_rule *rule, struct wrapped_problem *w)
{
    const struct integrator_options o = {.relative = 1e-3, .output_step = 1e-3};
    struct control c;
    CU_ASSERT_FATAL(problem_wrap(&smooth, 1e-3, w) && control_init(&c, &w->dae, &o, rule) == KN_OK);
    const double x[1] = {1};
    control_restart(&c, x, true);
    control_begin(&c, 0, 1e-3);
    return c;
}

static void the_reason_of_a_step_is_what_limits_it(void)
{
    struct wrapped_problem w;
    struct control c = controller(&control_multistep, &w);
    struct step_report report = {0};
    control_accept(&c, control_growth(&c, 1e-9, 2), false, &report);
    CU_ASSERT_EQUAL(report.limit, LIMIT_NONE);
    CHECK_NEAR(report.next_step, 2e-3, 1e-12);
    control_accept(&c, control_growth(&c, 0.5, 2), false, &report);
    CU_ASSERT_EQUAL(report.limit, LIMIT_ERROR);
    CHECK_NEAR(report.next_step, 1e-3 * sqrt(0.25 / 0.5), 1e-12);
    control_accept(&c, control_least(control_growth(&c, 0.01, 2), control_soft_growth(&c, 4, 2, LIMIT_BETWEEN)), false,
                   &report);
    CU_ASSERT_EQUAL(report.limit, LIMIT_BETWEEN);
    CHECK_NEAR(report.next_step, 0.25e-3, 1e-12);
    control_reject(&c, control_growth(&c, 1e9, 2), &report);
    CU_ASSERT_EQUAL(report.limit, LIMIT_ERROR);
    CHECK_NEAR(report.next_step, 1e-4, 1e-12);
    control_accept(&c, control_growth(&c, 1e-9, 2), false, &report); /* after a rejection steps do not grow */
    CHECK_NEAR(report.next_step, 1e-3, 1e-12);
    control_fail(&c, CVODE.shrink, &report);
    CU_ASSERT_EQUAL(report.limit, LIMIT_CONVERGENCE);
    control_free(&c);
    problem_unwrap(&w);
}

static void soft_errors_stop_where_output_shows_nothing(void)
{
    struct wrapped_problem w;
    struct control c = controller(&control_multistep, &w);
    CHECK_NEAR(1e-3 * control_soft_growth(&c, 1e12, 2, LIMIT_BETWEEN).factor, 1e-4, 1e-12);
    CU_ASSERT(!control_is_hidden(&c) && !control_is_fine(&c));
    control_begin(&c, 0, 0.99e-4);
    CU_ASSERT(control_is_hidden(&c) && !control_is_fine(&c));
    control_begin(&c, 0, 0.99e-6);
    CU_ASSERT(control_is_fine(&c));
    control_free(&c);
    problem_unwrap(&w);
}

static double corner_at_a_second(void *problem, double t)
{
    (void)problem;
    return t < 1 ? 1 : INFINITY;
}

static void the_end_of_a_hidden_step_is_shown_at_a_corner(void)
{
    struct wrapped_problem w;
    struct control c = controller(&control_multistep, &w);
    w.dae.next_breakpoint = corner_at_a_second;
    control_begin(&c, 1 - 2e-6, 1 - 1e-6);
    CU_ASSERT(control_is_hidden(&c) && !control_shows_end(&c));
    control_begin(&c, 1 - 1e-6, 1);
    CU_ASSERT(control_is_hidden(&c) && control_shows_end(&c));
    control_begin(&c, 1, 1 + 1e-6);
    CU_ASSERT(!control_shows_end(&c));
    control_begin(&c, 1, 1 + 1e-3);
    CU_ASSERT(!control_is_hidden(&c) && control_shows_end(&c));
    control_free(&c);
    problem_unwrap(&w);
}

/* Errors that do not fall although the step is cut a hundredfold are a jump; those that fall with it are not. */
static void a_jump_is_told_from_an_error(void)
{
    struct wrapped_problem w;
    struct control c = controller(&control_multistep, &w);
    control_begin(&c, 0, 1e-6);
    CU_ASSERT(!control_sees_jump(&c, 0.5, 1000));
    control_begin(&c, 0, 1e-7);
    CU_ASSERT(!control_sees_jump(&c, 0.5, 900));
    CU_ASSERT(control_sees_jump(&c, 0.5, 1100));
    control_begin(&c, 0, 0.9e-8);
    CU_ASSERT(control_sees_jump(&c, 0.5, 900));
    CU_ASSERT(!control_sees_jump(&c, 0.5, 9));
    control_forget_jump(&c);
    CU_ASSERT(!control_sees_jump(&c, 0.5, 900));
    CU_ASSERT(control_is_noise(10, 0.5) && !control_is_noise(10, 2) && !control_is_noise(1.2, 0.9));
    control_free(&c);
    problem_unwrap(&w);
}

/* Whether an Euler step of C x' + x = .. whose end is off by a hundred tolerances crosses a jump; what later ones inherit of it, in
 * parts of a tolerance. */
static bool crosses(struct control *c, double C, double step, double *left)
{
    struct sparse_lu *lu;
    CU_ASSERT_FATAL(sparse_lu_new(c->dae->pattern, &lu) == KN_OK);
    const double matrix[2] = {1 + C / step}, values[2] = {C};
    double error[1] = {100 / c->tolerance.weights[0]}, work[1];
    const struct control_end end = {lu, values, 1 / step};
    control_begin(c, 0, step);
    CU_ASSERT(sparse_lu_factor(lu, matrix) == KN_OK);
    const bool so = control_crosses_jump(c, &end, error, work, left);
    sparse_lu_free(lu);
    return so;
}

/* Three steps of implicit Euler leave 1/(1 + h/tau)^3 of an error, nothing where there is no charge. */
static void a_jump_leaves_nothing_to_later_steps(void)
{
    struct wrapped_problem w;
    struct control c = controller(&control_multistep, &w);
    double left;
    CU_ASSERT(crosses(&c, 0, 1e-8, &left));
    CU_ASSERT_DOUBLE_EQUAL(left, 0, 0);
    CU_ASSERT(crosses(&c, 1e-10, 1e-8, &left));
    CU_ASSERT_DOUBLE_EQUAL(left, 100 / pow(101, 3) / TOLERANCE_NEGLIGIBLE, 1e-10);
    CU_ASSERT(!crosses(&c, 1e-8, 1e-8, &left));
    CU_ASSERT(!crosses(&c, 1e-5, 1e-8, &left));
    control_begin(&c, 0, 1e-6);
    control_sees_jump(&c, 0.5, 1000);
    control_begin(&c, 0, 0.9e-8);
    control_sees_jump(&c, 0.5, 900); /* in vain */
    CU_ASSERT(crosses(&c, 1e-5, 0.9e-8, &left));
    control_free(&c);
    problem_unwrap(&w);
}

/* What tolerances refer to, after so many steps of a unit of time at that value, one after the other. */
static double size_after(const double *values, const int *steps, size_t count)
{
    struct wrapped_problem w;
    struct tolerance s;
    const double start[1] = {0};
    CU_ASSERT_FATAL(problem_wrap(&smooth, 1e-3, &w));
    w.dae.bounded = true;
    CU_ASSERT_FATAL(tolerance_init(&s, &w.dae, 1e-3) == KN_OK);
    tolerance_reset(&s, start);
    for (size_t k = 0; k < count; k++)
        for (int i = 0; i < steps[k]; i++)
            tolerance_update(&s, &values[k], 1);
    const double size = s.largest[0];
    tolerance_free(&s);
    problem_unwrap(&w);
    return size;
}

/* What reltol refers to for an unknown that begins at 10 and moves to `to`, in a circuit whose laws are bounded or not, and where
 * somebody looks at it or not. */
static double scale_after(double to, bool bounded, bool watched)
{
    struct wrapped_problem w;
    struct tolerance s;
    const double start[1] = {10}, none[1] = {0};
    double scale;
    CU_ASSERT_FATAL(problem_wrap(&smooth, 1e-3, &w));
    w.dae.bounded = bounded;
    CU_ASSERT_FATAL(tolerance_init(&s, &w.dae, 1e-3) == KN_OK);
    s.watched = &watched;
    tolerance_reset(&s, start);
    tolerance_weigh(&s, &to);
    const double weight = s.weights[0];
    tolerance_update(&s, &to, 1);
    scale = s.scale[0];
    CHECK_NEAR(weight * tolerance_of_reltol(&s, 0), 1, 1e-12); /* the end of a step that is judged counts already */
    CU_ASSERT(tolerance_of_size(&s, 0) >= tolerance_of_reltol(&s, 0));
    /* leaps are told by sizes */
    CU_ASSERT(!tolerance_leaps(&s, (const enum dae_class[]){DAE_INDEX1}, (const double[]){0.5}));
    CU_ASSERT(tolerance_leaps(&s, (const enum dae_class[]){DAE_INDEX1}, (const double[]){1.5}));
    CU_ASSERT(!tolerance_leaps(&s, (const enum dae_class[]){DAE_INDEX1}, none));
    tolerance_free(&s);
    problem_unwrap(&w);
    return scale;
}

/* A hundredth of the range at a reltol of 1e-3: ten times 0.05.  Less than 0.03 of the size it never is. */
static void a_ripple_on_a_bias_has_a_tolerance_of_its_own(void)
{
    CHECK_NEAR(scale_after(10.05, true, true), 0.5, 1e-12);
    CHECK_NEAR(scale_after(10, true, true), 0.3, 1e-12);
    CHECK_NEAR(scale_after(10.001, true, true), 0.30003, 1e-12);
    CHECK_NEAR(scale_after(11.2, true, true), 11.2, 1e-12);
    CHECK_NEAR(scale_after(10.05, false, true), 10.05, 1e-12);
    CHECK_NEAR(scale_after(10.05, true, false), 10.05, 1e-12);
}

/* Of a voltage, the current into a line of 50 ohm there, and that of a source at the same node, at x. */
static void sizes_on_a_line(const double x[3], double sizes[3])
{
    static const double absolute[3] = {1e-6, 1e-12, 1e-12}, start[3] = {0}, higher[3] = {6};
    static const struct dae_wave waves[] = {{1, 0, 50, true}, {2, 0, 50, false}};
    const struct dae dae = {.n = 3, .bounded = true, .absolute = absolute, .waves = waves, .wave_count = 2};
    struct tolerance s;
    CU_ASSERT_FATAL(tolerance_init(&s, &dae, 1e-3) == KN_OK);
    tolerance_reset(&s, start);
    tolerance_update(&s, x, 1);
    tolerance_weigh(&s, higher);
    tolerance_weigh(&s, higher); /* all of them, since one was above its largest value */
    for (int i = 0; i < 3; i++) {
        sizes[i] = s.largest[i];
        CU_ASSERT(s.weights[i] * tolerance_of_reltol(&s, i) < 1 + 1e-12);
    }
    tolerance_free(&s);
}

static void currents_into_lines_are_held_to_their_waves(void)
{
    double sizes[3];
    sizes_on_a_line((const double[]){5, 0, 0}, sizes); /* an open end */
    CHECK_NEAR(sizes[1], 0.1, 1e-12);
    CHECK_NEAR(sizes[2], 0.1, 1e-12);
    sizes_on_a_line((const double[]){0, 2, 0}, sizes); /* a short */
    CHECK_NEAR(sizes[0], 100, 1e-12);
    sizes_on_a_line((const double[]){1, 0, 2}, sizes); /* what a source feeds is no wave */
    CHECK_NEAR(sizes[0], 1, 1e-12);
    CHECK_NEAR(sizes[2], 2, 1e-12);
}

/* 5 V until t = 200, then 0 V until 400: the mean is 5 (200/400)^3, by last steps alone it would be 5 0.97^200 = 0.011. */
static void a_gate_at_rest_is_not_held_to_microvolts(void)
{
    CHECK_NEAR(size_after((const double[]){5, 0}, (const int[]){200, 200}, 2), 0.625, 1e-12);
}

/* 55 kV for one step after 200, then 400 of 5 V: the mean has 31 V of it, 55e3 (3/201) (201/601)^3; the largest value would be 2 kV. */
static void a_spike_hardly_loosens_what_follows(void)
{
    const double size = size_after((const double[]){5, 55e3, 5}, (const int[]){200, 1, 400}, 3);
    CU_ASSERT(size > 5 && size < 40);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(currents_into_lines_are_held_to_their_waves),
        CLAIM(a_gate_at_rest_is_not_held_to_microvolts),
        CLAIM(a_spike_hardly_loosens_what_follows),
        CLAIM(a_ripple_on_a_bias_has_a_tolerance_of_its_own),
        CLAIM(who_gets_furthest_per_work_makes_most_steps),
        CLAIM(long_steps_that_cost_more_lose),
        CLAIM(work_costs_more_where_the_circuit_is_not_linear),
        CLAIM(who_has_lost_is_not_tried_again_soon),
        CLAIM(who_does_not_keep_its_promise_loses_what_it_has_won),
        CLAIM(who_wins_in_a_quiet_time_must_keep_up_in_a_busy_one),
        CLAIM(who_fails_hands_over_and_is_not_asked_again_soon),
        CLAIM(who_does_not_get_on_hands_over),
        CLAIM(closing_line_tells_the_steps_of_each),
        CLAIM(steps_end_at_breakpoints_and_share_the_rest_evenly),
        CLAIM(no_step_is_longer_than_tmax),
        CLAIM(a_disturbance_that_shall_grow_is_followed_by_short_steps),
        CLAIM(steps_that_shrink_to_nothing_end_the_run_with_an_error),
        CLAIM(the_reason_of_a_step_is_what_limits_it),
        CLAIM(soft_errors_stop_where_output_shows_nothing),
        CLAIM(the_end_of_a_hidden_step_is_shown_at_a_corner),
        CLAIM(a_jump_is_told_from_an_error),
        CLAIM(a_jump_leaves_nothing_to_later_steps),
    };
    return run_claims("integrators/decisions", claims, sizeof claims / sizeof *claims);
}
