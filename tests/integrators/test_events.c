/* Switching functions: located on the dense output, followed on the other side; exact times known in closed form. */
#include "claims.h"
#include "integrators/methods.h"
#include "problems/problem.h"

static const struct integrator_class *const methods[] = {&integrator_bdf,   &integrator_radau,  &integrator_rodas,
                                                         &integrator_limex, &integrator_trbdf2, &integrator_auto};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* A problem with one switch and what has been seen of it. */
struct switched {
    struct wrapped_problem wrapped;
    int side;
    bool pending; /* has been told of a side, not made consistent yet */
    double times[4000];
    int sides[4000], count, switchings;
    double (*function)(const struct switched *s, double t, const double *x);
    void (*jump)(struct switched *s, double *x); /* NULL: x is continuous */
    double farthest;                             /* |x| at points and between them */
    bool equations_only;                         /* as comparisons in formulas are */
};

static _Thread_local struct switched *current; /* evaluate functions of problems have no context */

static void switches(void *context, double t, const double *x, double *g)
{
    (void)context;
    g[0] = current->function(current, t, x);
}

static void hold(void *context, int i, int side)
{
    (void)context, (void)i;
    current->pending = current->side != 0 && side != 0;
    current->side = side;
}

static enum kn_status reinitialize(void *context, const struct integrator *m, double t, double *x, bool is_switched)
{
    struct switched *s = context;
    (void)m;
    s->switchings += is_switched;
    if (!is_switched || !s->pending)
        return KN_OK;
    s->pending = false;
    CU_ASSERT_FATAL(s->count < 4000);
    s->sides[s->count] = s->side;
    s->times[s->count++] = t;
    if (s->jump)
        s->jump(s, x);
    return KN_OK;
}

static enum kn_status follow(void *context, struct integrator *m, bool first)
{
    struct switched *s = context;
    double x[PROBLEM_SIZE];
    for (int k = 0; k <= 4; k++) {
        if (first)
            break;
        m->class->interpolate(m, m->previous + 0.25 * k * (m->t - m->previous), x, NULL);
        s->farthest = fmax(s->farthest, fabs(x[0]));
    }
    return KN_OK;
}

static struct integrator_statistics run(struct switched *s, const struct problem *p,
                                        const struct integrator_class *class, double relative, const double *x0,
                                        double stop, enum kn_status *status)
{
    struct integrator *m;
    struct integrator_statistics statistics;
    struct kn_diagnostics *d = kn_diagnostics_new();
    const struct integrator_options options = {.relative = relative, .kappa = 0.01, .max_iterations = 20};
    const struct run_options run_options = {.stop = stop, .max_step = INFINITY};
    const struct run_callbacks callbacks = {.context = s, .accepted = follow, .reinitialize = reinitialize};
    CU_ASSERT_FATAL(d && problem_wrap(p, relative, &s->wrapped));
    current = s;
    s->wrapped.dae.switch_count = 1;
    s->wrapped.dae.switches = switches;
    s->wrapped.dae.hold = hold;
    s->wrapped.dae.switches_equations_only = s->equations_only;
    CU_ASSERT_FATAL(class->create(&s->wrapped.dae, &options, &m) == KN_OK);
    *status = integrate(m, x0, &run_options, &callbacks, d, &statistics);
    m->class->destroy(m);
    kn_diagnostics_free(d);
    problem_unwrap(&s->wrapped);
    return statistics;
}

/* ---- a ball that keeps 0.8 of its speed ---- */

enum { G = 10 };

static void ball(double t, const double *x, double *f, double *q, double *GG, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    q[0] = x[0], q[1] = x[1];
    C[0] = C[3] = 1;
    f[0] = -x[1], f[1] = G;
    GG[1] = -1;
}

static double height(const struct switched *s, double t, const double *x)
{
    (void)s, (void)t;
    return x[0];
}

static void bounce(struct switched *s, double *x)
{
    if (s->side < 0)
        x[0] = 0, x[1] = -0.8 * x[1];
}

static void bouncing_ball_hits_the_ground_when_it_should(void)
{
    const struct problem p = {"ball", 2, true, ball, NULL, NULL, NULL};
    const double x0[2] = {5, 0};
    for (int i = 0; i < METHODS; i++) {
        struct switched s = {.function = height, .jump = bounce};
        enum kn_status status;
        run(&s, &p, methods[i], 1e-6, x0, 7, &status);
        double expected = 1, flight = 2; /* falls for 1 s, then flies for 2 * 0.8^k s */
        int hits = 0;
        CU_ASSERT(status == KN_OK);
        for (int k = 0; k < s.count; k++) {
            if (s.sides[k] > 0)
                continue;
            CHECK_NEAR(s.times[k], expected, 2e-5);
            flight *= 0.8;
            expected += flight;
            hits++;
        }
        CU_ASSERT_EQUAL(hits, 7); /* 1, 2.6, 3.88, 4.904, 5.7232, 6.37856, 6.902848 */
        CHECK_NEAR(s.farthest, 5, 1e-6);
    }
}

/* ---- a relay: x' = side - x, to the other side at +-0.5 ---- */

static void relay(double t, const double *x, double *f, double *q, double *GG, double *C, double *dfdt)
{
    (void)t, (void)dfdt;
    const int side = current->side;
    q[0] = x[0];
    C[0] = 1;
    f[0] = x[0] - (side != 0 ? side : x[0] < 0.5 ? 1 : -1);
    GG[0] = 1;
}

static double to_threshold(const struct switched *s, double t, const double *x)
{
    (void)t;
    return (s->side < 0 ? -0.5 : 0.5) - x[0];
}

static void relay_switches_every_logarithm_of_three(void)
{
    const struct problem p = {"relay", 1, false, relay, NULL, NULL, NULL};
    const double x0[1] = {0};
    for (int i = 0; i < METHODS; i++) {
        struct switched s = {.function = to_threshold};
        enum kn_status status;
        const struct integrator_statistics st = run(&s, &p, methods[i], 1e-7, x0, 20, &status);
        CU_ASSERT(status == KN_OK);
        CU_ASSERT_EQUAL(s.count, 18);
        for (int k = 0; k < s.count; k++)
            CHECK_NEAR(s.times[k], log(2) + k * log(3), (k + 1) * 5e-6);
        CHECK_NEAR(s.farthest, 0.5, 2e-6); /* no one is told of the part of a step beyond the switch */
        CU_ASSERT_EQUAL(s.switchings, s.count);
        CU_ASSERT_EQUAL(st.rejected_newton, 0);
    }
}

/* ---- twice through zero within a step ---- */

static void parabola(double t, const double *x, double *f, double *q, double *GG, double *C, double *dfdt)
{
    (void)t, (void)x, (void)GG, (void)dfdt;
    q[0] = x[0];
    C[0] = 1;
    f[0] = -1;
}

static double valley(const struct switched *s, double t, const double *x)
{
    (void)s, (void)t;
    return (x[0] - 1) * (x[0] - 1) - 1.0 / 64; /* x = t: 7/8 and 9/8 */
}

static void two_crossings_in_one_step_are_found(void)
{
    const struct problem p = {"valley", 1, true, parabola, NULL, NULL, NULL};
    const double x0[1] = {0};
    for (int i = 0; i < METHODS; i++) {
        struct switched s = {.function = valley};
        enum kn_status status;
        run(&s, &p, methods[i], 1e-6, x0, 2, &status);
        CU_ASSERT(status == KN_OK);
        CU_ASSERT_EQUAL_FATAL(s.count, 2);
        CHECK_NEAR(s.times[0], 0.875, 1e-9);
        CHECK_NEAR(s.times[1], 1.125, 1e-9);
    }
}

/* ---- a relay without hysteresis stays at its threshold ---- */

static void slide(double t, const double *x, double *f, double *q, double *GG, double *C, double *dfdt)
{
    (void)t, (void)dfdt, (void)GG;
    const int side = current->side;
    q[0] = x[0];
    C[0] = 1;
    f[0] = -(side == DAE_AT_ZERO ? -1 : side != 0 ? side : x[0] < 1 ? 1 : -1);
}

static double below_one(const struct switched *s, double t, const double *x)
{
    (void)s, (void)t;
    return 1 - x[0];
}

static void sliding_mode_stays_within_the_tolerance(void)
{
    const struct problem p = {"slide", 1, false, slide, NULL, NULL, NULL};
    const double x0[1] = {0};
    for (int i = 0; i < METHODS; i++) {
        struct switched s = {.function = below_one};
        enum kn_status status;
        run(&s, &p, methods[i], 1e-2, x0, 3, &status);
        CU_ASSERT(status == KN_OK);
        CHECK_NEAR(s.farthest, 1, 0.05);
        CU_ASSERT(s.count > 10);
    }
}

/* The exact solution stays at 1. What compares may be off by its tolerance, reltol |x| + reltol here, to either side, also where x
 * begins at the threshold and the function has never been anywhere else. */
static void comparisons_slide_by_no_more_than_what_they_compare_is_off(void)
{
    const struct problem p = {"slide", 1, false, slide, NULL, NULL, NULL};
    const double reltol = 1e-2, tolerance = 2 * reltol, starts[] = {0, 1};
    for (int i = 0; i < METHODS; i++)
        for (int k = 0; k < 2; k++) {
            struct switched s = {.function = below_one, .equations_only = true};
            enum kn_status status;
            run(&s, &p, methods[i], reltol, starts + k, 3, &status);
            CU_ASSERT(status == KN_OK);
            CU_ASSERT_TRUE(s.farthest <= 1 + 1.1 * tolerance);
            CU_ASSERT_TRUE(s.count > 1 / tolerance && s.count < 3 / (0.45 * tolerance)); /* at 1 / s, there and back */
        }
}

int main(void)
{
    const struct claim claims[] = {
        CLAIM(bouncing_ball_hits_the_ground_when_it_should),
        CLAIM(relay_switches_every_logarithm_of_three),
        CLAIM(two_crossings_in_one_step_are_found),
        CLAIM(sliding_mode_stays_within_the_tolerance),
        CLAIM(comparisons_slide_by_no_more_than_what_they_compare_is_off),
    };
    return run_claims("events", claims, sizeof claims / sizeof claims[0]);
}
