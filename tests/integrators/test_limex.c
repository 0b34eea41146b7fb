/* LIMEX: observed orders, tolerance, index monitor. */
#define integrator_limex limex_seen_from_inside
#include "integrators/study/limex.c" /* the orders of single rows and the exponents of the monitor are seen inside only */
#include "problems/one_step.h"

static const double FREE = 1e30; /* absolute tolerance that accepts every step */

/* A step with the most rows there are: one is never accurate enough with fewer than wanted, of which one may be missing. */
static void step_of_all_rows(struct integrator *base, double to, struct step_report *report)
{
    struct limex *m = (struct limex *)base;
    m->target = m->rows + 1;
    m->onestep.control.first = false;
    limex_step(base, to, report);
}

/* To be created with max_order rows, of which every step has all. */
static struct integrator_class limex_of_all_rows(void)
{
    struct integrator_class class = integrator_limex;
    class.step = step_of_all_rows;
    return class;
}

/* Index 1: order k of T_kk in both kinds of unknowns; from k = 5 on that of differential ones is approached from so far
 * below that rounding comes first (see local_errors_..); index 2: 3 at most. */
static void orders_of_the_diagonal(void)
{
    for (int k = 2; k <= 6; k++) {
        double c[2], between[2], l[3];
        const struct integrator_class class = limex_of_all_rows();
        observed_orders(&charged_problem, &class, k, 0, 2, k < 4 ? 80 : 16, FREE, c, between);
        observed_orders(&loop_problem, &class, k, 0, 1, 10, FREE, l, NULL);
        printf("limex %d: differential %.2f index-1 %.2f between %.2f %.2f, loop i %.2f u %.2f\n", k, c[0], c[1],
               between[0], between[1], l[1], l[2]);
        CHECK_NEAR(c[0], k < 5 ? k : k - 0.7, 0.35);
        CHECK_NEAR(c[1], k, 0.35);
        CHECK_NEAR(l[1], k < 3 ? 2 : 3.1, 0.35);
        CU_ASSERT(l[2] > (k < 5 ? k : 5) - 0.5);
        CU_ASSERT(between[0] > (k < 5 ? k : 5) - 0.7 && between[1] > (k < 5 ? k : 5) - 0.7);
    }
}

/* charged_problem with a linear charge, in which u is a differential unknown. */
static void uncharged(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    const double u = x[0], w = x[1], d = 1 - 0.1 * sin(2 * t);
    double exact[2];
    charged_exact(t, exact);
    const double U = exact[0], W = exact[1], dU = cos(t) / 2, dW = (U * dU / 2 + 0.2 * cos(2 * t) * W) / d;
    q[0] = u;
    C[0] = 1;
    f[0] = u * w - U * W - dU;
    f[1] = w * d - 1 - u * u / 4;
    G[0] = w, G[1] = u, G[2] = -u / 2, G[3] = d;
    dfdt[0] = -dU * W - U * dW + sin(t) / 2;
    dfdt[1] = -0.2 * cos(2 * t) * w;
}

/* One step leaves an error of order k + 1 in differential unknowns, so that nothing is lost over many. */
static void local_errors_of_differential_unknowns_have_order_k_plus_1(void)
{
    const struct problem linear_charge = {"linear charge", 2, false, uncharged, charged_exact, NULL, NULL};
    static const double sizes[] = {0.025, 0.05, 0.1}; /* of rows 3, 4, 5: above rounding */
    for (int k = 3; k <= 5; k++) {
        double coarse[2], fine[2], between[2];
        const double h = sizes[k - 3];
        const struct integrator_class class = limex_of_all_rows();
        fixed_step_errors(&linear_charge, &class, k, 0.3, 0.3 + h, 1, FREE, coarse, between);
        fixed_step_errors(&linear_charge, &class, k, 0.3, 0.3 + h / 2, 1, FREE, fine, between);
        printf("limex %d: local %.2f\n", k, log2(coarse[0] / fine[0]));
        CHECK_NEAR(log2(coarse[0] / fine[0]), k + 1, 0.4);
    }
}

static void errors_follow_the_tolerance(void)
{
    for (double tolerance = 1e-3; tolerance > 1e-11; tolerance /= 10) {
        const struct whole_run c = whole_run(&charged_problem, &integrator_limex, tolerance, 0, 6, NULL);
        const struct whole_run a = whole_run(&arnold_problem, &integrator_limex, tolerance, 0.5, 1, NULL);
        const struct whole_run l = whole_run(&loop_problem, &integrator_limex, tolerance, 0, 1, NULL);
        printf(
            "%.0e: %ld+%ld errors %.1e %.1e between %.1e %.1e; arnold %ld+%ld %.1e %.1e; loop %ld+%ld i %.1e u %.1e\n",
            tolerance, c.statistics.accepted, c.statistics.rejected_error, c.worst[0], c.worst[1], c.worst_between[0],
            c.worst_between[1], a.statistics.accepted, a.statistics.rejected_error, a.worst[0], a.worst[2],
            l.statistics.accepted, l.statistics.rejected_error, l.worst[1], l.worst[2]);
        CU_ASSERT(c.status == KN_OK && a.status == KN_OK && l.status == KN_OK);
        const double bound = 2.2 * tolerance * (double)c.statistics.accepted;
        CHECK_NEAR(c.worst[0], 0, bound);
        CHECK_NEAR(c.worst[1], 0, bound);
        CHECK_NEAR(l.worst[2], 0, 10 * tolerance);
        CHECK_NEAR(a.worst[0], 0, 1000 * tolerance);
    }
}

/* Two differentiators in a row: x2 = x1', x3 = x2', x1 = sin t; index 3. */
static void chain(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    q[0] = x[0], q[1] = x[1];
    C[0] = C[4] = 1;
    f[0] = -x[1], f[1] = -x[2], f[2] = x[0] - sin(t);
    G[1] = G[5] = -1, G[6] = 1;
    dfdt[2] = -cos(t);
}

static void chain_exact(double t, double *x)
{
    x[0] = sin(t), x[1] = cos(t), x[2] = -sin(t);
}

static const enum dae_class chain_classes[] = {DAE_DIFFERENTIAL, DAE_INDEX2, DAE_INDEX2};

static struct observed_index observed_index(const struct problem *p, double relative, double start, double stop)
{
    struct wrapped_problem w;
    struct integrator *m;
    double x[PROBLEM_SIZE];
    const struct integrator_options options = {.relative = relative};
    CU_ASSERT_FATAL(problem_wrap(p, 1e-3 * relative, &w));
    CU_ASSERT_FATAL(integrator_limex.create(&w.dae, &options, &m) == KN_OK);
    p->exact(start, x);
    CU_ASSERT_FATAL(m->class->restart(m, start, x) == KN_OK);
    for (int i = 1; i <= 40; i++) {
        struct step_report report;
        m->class->step(m, start + (stop - start) * i / 40, &report);
        CU_ASSERT_FATAL(report.outcome == STEP_ACCEPTED);
    }
    const struct observed_index found = lowest_exponent(m);
    m->class->destroy(m);
    problem_unwrap(&w);
    return found;
}

static void the_monitor_tells_the_index(void)
{
    const struct problem chain_problem = {"two differentiators", 3, true, chain, chain_exact, chain_classes, NULL};
    const struct observed_index one = observed_index(&charged_problem, 1e-4, 0, 2),
                             two = observed_index(&loop_problem, 1e-4, 0, 1),
                             arnold = observed_index(&arnold_problem, 1e-7, 0.5, 1),
                             three = observed_index(&chain_problem, 1e-4, 0, 2);
    printf("exponents %.2f %.2f %.2f %.2f\n", one.exponent, two.exponent, arnold.exponent, three.exponent);
    CHECK_NEAR(one.exponent, 2, 0.4);
    CHECK_NEAR(two.exponent, 1, 0.4);
    CU_ASSERT_EQUAL(two.unknown, 1);
    CHECK_NEAR(arnold.exponent, 1, 0.4);
    CU_ASSERT_EQUAL(arnold.unknown, 2);
    CU_ASSERT(three.exponent < 0.4);
    CU_ASSERT_EQUAL(three.unknown, 2);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(orders_of_the_diagonal),
        CLAIM(local_errors_of_differential_unknowns_have_order_k_plus_1),
        CLAIM(errors_follow_the_tolerance),
        CLAIM(the_monitor_tells_the_index),
    };
    return run_claims("limex", claims, sizeof claims / sizeof claims[0]);
}
