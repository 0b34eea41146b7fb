/* test_many_switches.c - what an event costs does not depend on the number of switches; those that switch at times that
 * are one, but for rounding, are one event.  The problem is x' = 1 from 0, so that x is the time.
 */
#include "claims.h"
#include "integrators/methods.h"
#include "problems/problem.h"

#include <float.h>
#include <string.h>

enum { MANY = 2000 };

static const struct integrator_class *const methods[] = {&integrator_bdf, &integrator_radau, &integrator_rodasp,
                                                         &integrator_trbdf2};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* Functions scale (x - threshold), what has been asked and what has been found. */
struct many {
    struct wrapped_problem wrapped;
    double threshold[MANY], scale[MANY];
    double rate[MANY]; /* what a switch that is on adds to x' */
    int side[MANY];
    int count, looks, evaluations, freed;
    double times[MANY];
    int events, switchings;
};

static _Thread_local struct many *current; /* evaluate functions of problems have no context */

static void with_switches(double t, const double *x, double *f, double *q, double *GG, double *C, double *dfdt)
{
    (void)t, (void)GG, (void)dfdt;
    current->evaluations++;
    q[0] = x[0];
    C[0] = 1;
    f[0] = -1;
    for (int i = 0; i < current->count; i++) {
        const bool on = current->side[i] ? current->side[i] > 0 : x[0] > current->threshold[i];
        f[0] -= on ? current->rate[i] : 0;
    }
}

static void switches(void *context, double t, const double *x, double *g)
{
    (void)context, (void)t;
    current->looks++;
    for (int i = 0; i < current->count; i++)
        g[i] = current->scale[i] * (x[0] - current->threshold[i]);
}

static void hold(void *context, int i, int side)
{
    (void)context;
    current->freed += side == 0 && current->side[i] != 0;
    current->side[i] = side;
}

static enum kn_status reinitialize(void *context, const struct integrator *m, double t, double *x, bool is_switched)
{
    struct many *s = context;
    (void)m;
    (void)x;
    s->switchings += is_switched;
    if (is_switched && (s->events == 0 || t > s->times[s->events - 1]))
        s->times[s->events++] = t;
    return KN_OK;
}

static struct integrator_statistics run(struct many *s, const struct integrator_class *class, bool equations_only)
{
    static const struct problem p = {"many", 1, false, with_switches, NULL, NULL, NULL};
    static const double x0[1] = {0};
    struct integrator *m;
    struct integrator_statistics statistics;
    struct kn_diagnostics *d = kn_diagnostics_new();
    const struct integrator_options options = {.relative = 1e-3, .kappa = 0.01, .max_iterations = 20};
    const struct run_options run_options = {.stop = 1, .max_step = INFINITY};
    const struct run_callbacks callbacks = {.context = s, .reinitialize = reinitialize};
    s->looks = s->evaluations = s->freed = s->events = s->switchings = 0;
    memset(s->side, 0, sizeof s->side);
    CU_ASSERT_FATAL(d && problem_wrap(&p, 1e-3, &s->wrapped));
    current = s;
    s->wrapped.dae.switch_count = s->count;
    s->wrapped.dae.switches = switches;
    s->wrapped.dae.hold = hold;
    s->wrapped.dae.switches_equations_only = equations_only;
    CU_ASSERT_FATAL(class->create(&s->wrapped.dae, &options, &m) == KN_OK);
    CU_ASSERT_EQUAL(integrate(m, x0, &run_options, &callbacks, d, &statistics), KN_OK);
    m->class->destroy(m);
    kn_diagnostics_free(d);
    problem_unwrap(&s->wrapped);
    return statistics;
}

/* Scales over fifteen decades, thresholds at 0.7 but for rounding. */
static void meet_at_one_moment(struct many *s, int count)
{
    *s = (struct many){.count = count};
    for (int i = 0; i < count; i++) {
        s->threshold[i] = 0.7 * (1 + (i % 17 - 8) * DBL_EPSILON);
        s->scale[i] = (i % 2 ? -1 : 1) * pow(10, i % 16 - 9);
    }
}

static void switches_that_differ_by_rounding_are_one_event_at_the_cost_of_one(void)
{
    static struct many s;
    for (int i = 0; i < METHODS; i++) {
        meet_at_one_moment(&s, 1);
        run(&s, methods[i], false);
        const int looks = s.looks;
        meet_at_one_moment(&s, MANY);
        run(&s, methods[i], false);
        CU_ASSERT_EQUAL(s.switchings, 1);
        CU_ASSERT_EQUAL(s.events, 1);
        CHECK_NEAR(s.times[0], 0.7, 3e-14); /* RODASP: coefficients of 16 digits that sum to 40 */
        CU_ASSERT_TRUE(s.looks <= looks + 8);
    }
}

/* Thresholds on a grid, in no order. */
static void each_of_many_events_is_found_in_its_turn(void)
{
    static struct many s;
    enum { EVENTS = 300 };
    for (int i = 0; i < METHODS; i++) {
        s = (struct many){.count = EVENTS};
        for (int k = 0; k < EVENTS; k++) {
            s.threshold[k] = (double)(k * 7 % EVENTS + 1) / (EVENTS + 1);
            s.scale[k] = pow(10, k % 13 - 6);
        }
        run(&s, methods[i], false);
        CU_ASSERT_EQUAL(s.switchings, EVENTS);
        CU_ASSERT_EQUAL_FATAL(s.events, EVENTS);
        for (int k = 0; k < EVENTS; k++)
            CHECK_NEAR(s.times[k], (k + 1.0) / (EVENTS + 1), 3e-14);
        CU_ASSERT_TRUE(s.looks <= 12 * EVENTS);
    }
}

static void what_is_continuous_is_left_free_with_a_few_evaluations(void)
{
    static struct many s;
    for (int i = 0; i < METHODS; i++) {
        meet_at_one_moment(&s, MANY);
        run(&s, methods[i], true);
        CU_ASSERT_EQUAL(s.freed, MANY);
        CU_ASSERT_EQUAL(s.events, 1);
        CU_ASSERT_TRUE(s.evaluations <= 150);
    }
}

/* Two adjacent, two far apart, three. */
static void jumps_that_cancel_each_other_are_no_continuity(void)
{
    static struct many s;
    static const double rates[][6] = {{1, -1}, {0, 3, 0, 0, -3}, {0, 0, 1, 1, 0, -2}};
    for (int i = 0; i < METHODS; i++)
        for (int k = 0; k < 3; k++) {
            meet_at_one_moment(&s, 6);
            for (int j = 0; j < 6; j++) {
                s.rate[j] = rates[k][j];
                s.scale[j] = fabs(s.scale[j]);
            }
            run(&s, methods[i], true);
            CU_ASSERT_EQUAL(s.freed, 0);
            CU_ASSERT_EQUAL(s.events, 1);
        }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(switches_that_differ_by_rounding_are_one_event_at_the_cost_of_one),
        CLAIM(each_of_many_events_is_found_in_its_turn),
        CLAIM(what_is_continuous_is_left_free_with_a_few_evaluations),
        CLAIM(jumps_that_cancel_each_other_are_no_continuity),
    };
    return run_claims("integrators/many_switches", claims, sizeof claims / sizeof *claims);
}
