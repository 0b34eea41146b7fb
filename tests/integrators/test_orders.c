/* Orders of all methods by halving the step, in differential, index-1 and index-2 unknowns: what docs/methods.md says.
 *
 * Theory.  BDF of order k: k everywhere, on index 2 as well (Arnold 1997, L3206; Hairer and Wanner 1996, VII.3).  Radau
 * IIA with s stages: 2s - 1, index-2 unknowns s (Hairer, Lubich and Roche, Lecture Notes in Mathematics 1409, 1989).
 * Trapezoidal rule and TR-BDF2: 2.  Rosenbrock methods, LIMEX and the Gauss methods have tests of their own.
 */
#include "problems/equal_steps.h"
#include "problems/one_step.h"
#include "problems/steinebach.h"

/* A linear circuit with all kinds of unknowns: u' + u = .., 0 = w - 2 u - .., a capacitor with a resistor to u across a
 * source, its voltage v and the current i of the source.  Newton's method is exact for it, so that its errors can be
 * followed down to 1e-15. */
enum { OMEGA = 10 };

static void driven(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    const double u = x[0], w = x[1], v = x[2], i = x[3], s = sin(OMEGA * t), c = cos(OMEGA * t);
    q[0] = u, q[2] = v;
    C[0] = C[10] = 1;
    f[0] = u - OMEGA * c - s;
    f[1] = w - 2 * u - c;
    f[2] = i + v - u;
    f[3] = v - s - c;
    G[0] = 1, G[4] = -2, G[5] = 1, G[8] = -1, G[10] = 1, G[11] = 1, G[14] = 1;
    dfdt[0] = OMEGA * (OMEGA * s - c), dfdt[1] = OMEGA * s, dfdt[3] = OMEGA * (s - c);
}

static void driven_exact(double t, double *x)
{
    const double s = sin(OMEGA * t), c = cos(OMEGA * t);
    x[0] = s, x[1] = 2 * s + c, x[2] = s + c, x[3] = OMEGA * (s - c) - c;
}

static const enum dae_class driven_classes[] = {DAE_DIFFERENTIAL, DAE_INDEX1, DAE_DIFFERENTIAL, DAE_INDEX2};
static const struct problem driven_problem = {"linear circuit", 4, true, driven, driven_exact, driven_classes, NULL};

static void print_orders(const char *where, const double *coarse, const double *fine, int n, double ratio,
                         double *orders)
{
    printf(" %s", where);
    for (int k = 0; k < n; k++) {
        orders[k] = log(fmax(coarse[k], 1e-300) / fmax(fine[k], 1e-300)) / log(ratio);
        printf(" %5.2f (%.0e)", orders[k], fine[k]);
    }
}

/* At the ends of steps and, where `between` is not NULL, in their middles. */
static void orders_between(struct measured s, int more_steps, double *orders, double *between)
{
    const double ratio = (double)more_steps / s.steps;
    double coarse[PROBLEM_SIZE], fine[PROBLEM_SIZE], coarse_middle[PROBLEM_SIZE], fine_middle[PROBLEM_SIZE];
    errors_of(&s, coarse, between ? coarse_middle : NULL);
    s.steps = more_steps;
    errors_of(&s, fine, between ? fine_middle : NULL);
    printf("%-6s %2d %-16s", s.class->name, s.order, s.problem->name);
    print_orders("", coarse, fine, s.problem->n, ratio, orders);
    if (between)
        print_orders("between", coarse_middle, fine_middle, s.problem->n, ratio, between);
    printf("\n");
}

/* ---- claims ---- */

/* Steps for the nonlinear charge on [0, 2], the C-V loop on [0, 1] and Arnold's Ex. 8 on [0.5, 1], doubled once: few
 * enough to stay above rounding and what the approach leaves, enough for leading error terms. */
struct expected {
    const char *label; /* of its row in docs/methods.md */
    const struct integrator_class *class;
    int max_order, order, index2;
    int charge_steps, loop_steps, arnold_steps;
};

static const struct expected all[] = {
    {"`bdf`, order 1", &integrator_bdf, 1, 1, 1, 200, 200, 200},
    {"`bdf`, order 2", &integrator_bdf, 2, 2, 2, 100, 100, 100},
    {"`bdf`, order 3", &integrator_bdf, 3, 3, 3, 80, 80, 80},
    {"`bdf`, order 4", &integrator_bdf, 4, 4, 4, 60, 60, 30},
    {"`bdf`, order 5", &integrator_bdf, 5, 5, 5, 60, 60, 30},
    {"`gear`", &integrator_gear, 0, 2, 2, 100, 100, 100},
    {"`euler`", &integrator_euler, 0, 1, 1, 200, 200, 200},
    {"`trap`", &integrator_trapezoidal, 0, 2, 2, 100, 100, 100},
    {"`trbdf2`", &integrator_trbdf2, 0, 2, 2, 100, 100, 100},
    {"`radau`, 1 stage", &integrator_radau, 1, 1, 1, 200, 200, 200},
    {"`radau`, 2 stages", &integrator_radau, 3, 3, 2, 40, 40, 40},
    {"`radau`, 3 stages; `radau5`", &integrator_radau, 5, 5, 3, 10, 10, 10},
    {"`radau`, 3 stages; `radau5`", &integrator_radau5, 0, 5, 3, 10, 10, 10},
};
enum { ALL = sizeof all / sizeof all[0] };

/* ---- the documentation ---- */

enum {
    DIFFERENTIAL = 2,
    INDEX1 = 3,
    BETWEEN = 4,
    LOOP = 5,
    NONLINEAR_Y = 6,
    NONLINEAR_Z = 7
}; /* columns of the observed orders */

/* A number of the table of observed orders; NaN where there is none. */
static double documented(const char *label, int column)
{
    FILE *file = fopen(KNOTEN_SOURCE_DIR "/docs/methods.md", "r");
    char line[1000], row[100];
    double value = NAN;
    bool inside = false;
    snprintf(row, sizeof row, "| %s |", label);
    while (file && fgets(line, sizeof line, file)) {
        inside = line[0] == '|' && (inside || strstr(line, "| between points |"));
        if (!inside || strncmp(line, row, strlen(row)) != 0)
            continue;
        const char *at = line;
        for (int bar = 0; at && bar < column; bar++)
            at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL;
        char *end;
        const double number = at ? strtod(at, &end) : NAN;
        value = at && end != at ? number : value;
    }
    if (file)
        fclose(file);
    return value;
}

/* The order is what theory says and what the documentation says. */
static void check_order(const struct expected *e, int column, double observed, double theory)
{
    CHECK_NEAR(observed, theory, 0.3);
    const double said = documented(e->label, column);
    if (!(fabs(observed - said) <= 0.1))
        fprintf(stderr, "\n%s: docs/methods.md says %g, observed is %.2f\n", e->label, said, observed);
    CU_ASSERT(fabs(observed - said) <= 0.1);
}

static struct measured measure(const struct expected *e, const struct problem *p, double start, double stop, int steps)
{
    return (struct measured){e->class, e->max_order, e->order, p, start, stop, steps, NULL};
}

/* Dense output: multistep methods interpolate, up to three stages of Radau reach order s + 2 = 3 and 5. */
static void differential_and_index1_unknowns_have_the_full_order_also_between_points(void)
{
    for (int i = 0; i < ALL; i++) {
        double orders[2], between[2];
        orders_between(measure(&all[i], &charged_problem, 0, 2, all[i].charge_steps), 2 * all[i].charge_steps, orders,
                       between);
        check_order(&all[i], DIFFERENTIAL, orders[0], all[i].order);
        check_order(&all[i], INDEX1, orders[1], all[i].order);
        check_order(&all[i], BETWEEN, fmin(between[0], between[1]), all[i].order);
    }
}

static void the_current_of_a_cv_loop_has_the_order_of_index2(void)
{
    for (int i = 0; i < ALL; i++) {
        double orders[3];
        orders_between(measure(&all[i], &loop_problem, 0, 1, all[i].loop_steps), 2 * all[i].loop_steps, orders, NULL);
        check_order(&all[i], LOOP, orders[1], all[i].index2);
        CHECK_NEAR(orders[2], all[i].order, 0.3);
    }
}

static void a_nonlinear_index2_unknown_costs_differential_ones_no_order(void)
{
    for (int i = 0; i < ALL; i++) {
        double orders[3];
        orders_between(measure(&all[i], &arnold_problem, 0.5, 1, all[i].arnold_steps), 2 * all[i].arnold_steps, orders,
                       NULL);
        check_order(&all[i], NONLINEAR_Y, orders[0], all[i].order);
        CHECK_NEAR(orders[1], all[i].order, 0.3);
        check_order(&all[i], NONLINEAR_Z, orders[2], all[i].index2);
    }
}

/* Between the step where the leading term of order 13 rules and the one where rounding does lies a factor of 1.5. */
static void five_and_seven_stages_have_orders_9_and_13(void)
{
    double orders[4];
    orders_between((struct measured){&integrator_radau, 9, 9, &driven_problem, 0, 6, 42, NULL}, 84, orders, NULL);
    CHECK_NEAR(orders[0], 9, 0.3);
    CHECK_NEAR(orders[1], 9, 0.3);
    CHECK_NEAR(orders[3], 5, 0.3);
    orders_between((struct measured){&integrator_radau, 13, 13, &driven_problem, 0, 6, 20, NULL}, 30, orders, NULL);
    CHECK_NEAR(orders[0], 13, 1);
    CHECK_NEAR(orders[1], 13, 1);
    CHECK_NEAR(orders[3], 7, 0.3);
}

/* They need constant capacitances: Steinebach's examples, whose orders he states as 3; some unknowns do better. */
static void methods_with_explicit_rows_have_order_3_on_index1(void)
{
    static const struct integrator_class *const methods[] = {&integrator_dae3ns, &integrator_dae33ns,
                                                             &integrator_dae34ns};
    static const struct problem *const problems[] = {&steinebach_1, &steinebach_3};
    for (int i = 0; i < 3; i++) {
        double least = INFINITY;
        printf("%-7s", methods[i]->name);
        for (int k = 0; k < 2; k++) {
            double orders[4];
            observed_orders(problems[k], methods[i], 0, 0, 1, 80, 1e30, orders, NULL);
            for (int j = 0; j < problems[k]->n; j++) {
                printf(" %.2f", orders[j]);
                least = fmin(least, orders[j]);
            }
        }
        printf("\n");
        CHECK_NEAR(least, 3, 0.3);
    }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(differential_and_index1_unknowns_have_the_full_order_also_between_points),
        CLAIM(the_current_of_a_cv_loop_has_the_order_of_index2),
        CLAIM(a_nonlinear_index2_unknown_costs_differential_ones_no_order),
        CLAIM(methods_with_explicit_rows_have_order_3_on_index1),
        CLAIM(five_and_seven_stages_have_orders_9_and_13),
    };
    return run_claims("orders", claims, sizeof claims / sizeof claims[0]);
}
