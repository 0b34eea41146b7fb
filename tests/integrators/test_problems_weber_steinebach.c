/* Problems of Weber (2013), singularly perturbed, and of Steinebach, constructed index-1 DAEs, solved by every method.
 */
#include "problems/run.h"
#include "problems/steinebach.h"
#include "problems/weber.h"

/* Runs every method; components with an exact solution must be within magnification times the promise of its range. */
static void check_all(const struct problem *p, double stop, double tight, double magnification)
{
    for (size_t i = 0; integrator_classes[i]; i++) {
        const struct integrator_class *m = integrator_classes[i];
        const double tolerance = tolerance_for(m, tight);
        const struct problem_settings s = {.stop = stop, .relative = tolerance, .expect_failure = true};
        const struct problem_outcome o = problem_run(p, m, &s);
        if (o.status == KN_ERROR_CIRCUIT && o.statistics.accepted == 0)
            continue; /* class B says that it needs the differential equations apart */
        if (o.status != KN_OK ||
            o.worst[0] > magnification * promise(m, tolerance, o.statistics.accepted) * o.largest[0])
            fprintf(stderr, "%s on %s: status %d, t = %g\n", m->name, p->name, o.status, o.end);
        CU_ASSERT(o.status == KN_OK);
        for (int k = 0; k < p->n; k++)
            CHECK_NEAR(o.worst[k], 0, magnification * promise(m, tolerance, o.statistics.accepted) * o.largest[k]);
    }
}

/* ---- Steinebach ---- */

static void steinebach_example_1_is_solved_up_to_its_singularity(void)
{
    check_all(&steinebach_1, 1, 1e-6, 3);
}

static void steinebach_example_2_is_solved_although_unstable(void)
{
    check_all(&steinebach_2, 1, 1e-7, 60); /* disturbances of y2 grow as e^2x, those of z in proportion */
}

static void steinebach_example_3_is_solved(void)
{
    check_all(&steinebach_3, 1, 1e-6, 10);
}

static void a_singular_matrix_before_the_derivative_is_no_obstacle(void)
{
    check_all(&steinebach_9_9, 2, 1e-6, 3);
}

/* ---- the amplifier ---- */

/* Every method from x0 to `stop`; unknowns from `first` on against what is known, in units of the supply of 6 V. */
static void check_amplifier(const double *x0, double stop, double tight, const double *wanted, int first)
{
    for (size_t i = 0; integrator_classes[i]; i++) {
        const struct integrator_class *m = integrator_classes[i];
        const double tolerance = tolerance_for(m, tight);
        const struct problem_settings s = {.stop = stop, .relative = tolerance, .x0 = x0, .expect_failure = true};
        const struct problem_outcome o = problem_run(&steinebach_9_2, m, &s);
        if (o.status == KN_ERROR_CIRCUIT)
            continue; /* class B needs the differential equations apart, Gauss methods no stiff parts: both say so */
        const double allowed = 6 * promise(m, tolerance, o.statistics.accepted);
        if (o.status != KN_OK || fabs(o.final[7] - wanted[7]) > allowed)
            fprintf(stderr, "%s: status %d at t = %g\n", m->name, o.status, o.end);
        CU_ASSERT(o.status == KN_OK);
        for (int k = first; k < 8; k++)
            CHECK_NEAR(o.final[k], wanted[k], allowed);
    }
}

static void the_amplifier_rests_where_it_should(void)
{
    double f[8] = {0}, q[8] = {0}, G[64] = {0}, C[64] = {0}, dfdt[8] = {0};
    steinebach_amplifier = (struct steinebach_amplifier){0};
    steinebach_amplify(0, amplifier_rest, f, q, G, C, dfdt);
    for (int k = 0; k < 8; k++)
        CHECK_NEAR(f[k], 0, 1e-15);
}

static void the_amplifier_amplifies_from_rest(void)
{
    steinebach_amplifier = (struct steinebach_amplifier){.amplitude = 0.1, .frequency = 100};
    check_amplifier(amplifier_rest, 0.01, 1e-6, amplifier_later, 0);
}

static void the_amplifier_forgets_a_step(void)
{
    const double wanted[8] = {[7] = amplifier_step_output};
    steinebach_amplifier = (struct steinebach_amplifier){.amplitude = 0.1};
    check_amplifier(amplifier_step_start, 0.02, 1e-6, wanted, 7);
}

/* Ten digits, published: Radau IIA at a tolerance of 1e-11. */
static void radau_reaches_ten_published_digits_of_the_amplifier(void)
{
    const struct problem_settings s = {.stop = 0.2, .relative = 1e-11, .x0 = amplifier_start};
    steinebach_amplifier = (struct steinebach_amplifier){.amplitude = 0.1, .frequency = 100};
    const struct problem_outcome o = problem_run(&steinebach_9_2, integrator_find("radau"), &s);
    CU_ASSERT(o.status == KN_OK);
    for (int k = 0; k < 8; k++)
        CHECK_NEAR(o.final[k] / amplifier_published[k], 1, 1e-10);
}

/* ---- Weber ---- */

/* Errors of the quasi-static limit fall with epsilon: 4.890e-4, 4.888e-5, .. in q1 for t = 2 .. 10; here at t = 5. */
static void the_quasi_static_limit_is_of_order_epsilon(void)
{
    static const double full[4] = {0, 0.1, 0, 0}, reduced[4] = {0, 0.1, 25, 0};
    double difference[2];
    for (int k = 0; k < 2; k++) {
        const double epsilon = k ? 5e-4 : 5e-3;
        const struct integrator_class *m = integrator_find("radau5");
        struct problem_settings s = {.stop = 5, .relative = 1e-9, .x0 = full};
        weber_epsilon = epsilon;
        const struct problem_outcome a = problem_run(&weber_t2, m, &s);
        weber_epsilon = 0;
        s.x0 = reduced; /* (d1 + d2) v1 = d2 v2 + c2 q2 - (c1 + c2) q1 */
        const struct problem_outcome b = problem_run(&weber_t2, m, &s);
        CU_ASSERT(a.status == KN_OK && b.status == KN_OK);
        difference[k] = a.final[0] - b.final[0];
        CHECK_NEAR(difference[k], 0, 0.1 * epsilon);
    }
    CHECK_NEAR(difference[0] / difference[1], 10, 0.3);
}

/* A start with N terms leaves a boundary layer of order N + 1: remainders 1.22e-3, 1.31e-5, 2.5e-7, 6.8e-9 for 0.01. */
static void slow_starts_leave_a_layer_of_the_next_order(void)
{
    static const double expected[4] = {1.22e-3, 1.31e-5, 2.5e-7, 6.8e-9};
    weber_epsilon = 0.01;
    /* z on the slow manifold itself: the solution that starts long before, integrated back from nowhere is attracted to
     * it; as a reference a start far up the manifold, y = 2.5, of which no trace is left when y passes 2. */
    const struct integrator_class *m = integrator_find("radau5");
    double low = 0, high = 1;
    double z = 0;
    for (int i = 0; i < 60; i++) { /* when y passes 2 */
        const double x0[2] = {2.5, 2.5 / (1 - 2.5 * 2.5)}, middle = 0.5 * (low + high);
        const struct problem_settings s = {.stop = middle, .relative = 1e-12, .x0 = x0};
        const struct problem_outcome o = problem_run(&weber_t5, m, &s);
        z = o.final[1];
        if (o.final[0] > 2)
            low = middle;
        else
            high = middle;
    }
    for (int terms = 0; terms < 4; terms++)
        CHECK_NEAR(fabs(weber5_slow_start(terms) - z) / expected[terms], 1, 0.03);
}

static void a_boundary_layer_is_resolved_by_every_method(void)
{
    for (double epsilon = 1e-2; epsilon > 1e-6; epsilon /= 100) {
        weber_epsilon = epsilon;
        check_all(&weber_t6, 1, 1e-6, 10);
    }
}

/* T9: the fast mode, 8729 rad/s and damped, carries next to nothing; the stiff methods agree on the slow motion. */
static void the_beam_turns_alike_with_all_stiff_methods(void)
{
    static const double x0[4] = {0, 0, 5.41, 0};
    static const char *const methods[] = {"bdf", "radau", "rodas", "trbdf2", "auto"};
    const struct problem_settings reference = {.stop = 1, .relative = 1e-10, .absolute = 1e-13, .x0 = x0};
    const struct problem_outcome r = problem_run(&weber_t9, integrator_find("radau5"), &reference);
    CU_ASSERT(r.status == KN_OK);
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        const struct problem_settings s = {.stop = 1, .relative = 1e-6, .absolute = 1e-9, .x0 = x0};
        const struct problem_outcome o = problem_run(&weber_t9, integrator_find(methods[i]), &s);
        CU_ASSERT(o.status == KN_OK);
        CHECK_NEAR(o.final[0], r.final[0], 1e-3);
        CHECK_NEAR(o.final[2], r.final[2], 1e-3);
    }
}

/* T10: with the corrected mass matrix the extensions have the published frequencies (the printed 1/15 gives 154853). */
static void the_coupler_has_the_published_frequencies(void)
{
    const struct linkage d = linkage_data();
    CHECK_NEAR(d.frequency[0], 55382, 1);
    CHECK_NEAR(d.frequency[1], 10182, 1);
}

/* The coupler is stiff, its extensions stay below 1e-6 m: the bars move as rigid ones do.  Both levels of constraints
 * hold, their multipliers mu vanish, and methods of all families agree on the vibration within the absolute tolerance,
 * 1e-8; the larger relative one of the angles is not used up, since the constraints dictate them. */
static void the_linkage_moves_alike_with_methods_of_all_families(void)
{
    static const char *const methods[] = {"radau", "radau5", "bdf", "trbdf2", "auto"};
    const struct linkage d = linkage_data();
    const double stop = 0.01, tolerance = 1e-5;
    double x0[LINKAGE_SIZE], phi2, phi3;
    weber10_start(x0);
    weber10_rigid(&d, d.phi0 + d.omega * stop, &phi2, &phi3);
    struct problem_settings s = {.stop = stop, .relative = 1e-7, .absolute = 1e-10, .x0 = x0};
    const struct problem_outcome reference = problem_run(&weber_t10, integrator_find("radau5"), &s);
    CU_ASSERT(reference.status == KN_OK);
    CHECK_NEAR(reference.final[1], phi2, 1e-5);
    CHECK_NEAR(reference.final[2], phi3, 1e-5);
    s.relative = tolerance, s.absolute = 1e-3 * tolerance;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        const struct problem_outcome o = problem_run(&weber_t10, integrator_find(methods[i]), &s);
        CU_ASSERT(o.status == KN_OK);
        for (int k = 0; k < LINKAGE; k++)
            CHECK_NEAR(o.final[k], reference.final[k], promise(integrator_find(methods[i]), tolerance, 1) * 1e-3);
        for (int k = 0; k < BARS; k++)
            CHECK_NEAR(o.final[2 * LINKAGE + BARS + k], 0, 1e-6 * d.omega);
    }
}

/* What is noise in the multipliers is no slow convergence: fewer stages would ask for shorter steps, which have more.
 */
static void noise_in_multipliers_leaves_radau_its_stages(void)
{
    static const char *const methods[] = {"radau", "radau5"};
    double x0[LINKAGE_SIZE], ends[2];
    weber10_start(x0);
    const struct problem_settings s = {.stop = 1e-3, .relative = 1e-7, .absolute = 1e-10, .x0 = x0};
    for (int i = 0; i < 2; i++) {
        const struct problem_outcome o = problem_run(&weber_t10, integrator_find(methods[i]), &s);
        CU_ASSERT(o.status == KN_OK);
        CU_ASSERT(o.statistics.accepted < 1000);
        ends[i] = o.final[1];
    }
    CHECK_NEAR(ends[0], ends[1], 1e-9);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(steinebach_example_1_is_solved_up_to_its_singularity),
        CLAIM(steinebach_example_2_is_solved_although_unstable),
        CLAIM(steinebach_example_3_is_solved),
        CLAIM(a_singular_matrix_before_the_derivative_is_no_obstacle),
        CLAIM(the_amplifier_rests_where_it_should),
        CLAIM(the_amplifier_amplifies_from_rest),
        CLAIM(the_amplifier_forgets_a_step),
        CLAIM(radau_reaches_ten_published_digits_of_the_amplifier),
        CLAIM(the_quasi_static_limit_is_of_order_epsilon),
        CLAIM(slow_starts_leave_a_layer_of_the_next_order),
        CLAIM(a_boundary_layer_is_resolved_by_every_method),
        CLAIM(the_beam_turns_alike_with_all_stiff_methods),
        CLAIM(the_coupler_has_the_published_frequencies),
        CLAIM(the_linkage_moves_alike_with_methods_of_all_families),
        CLAIM(noise_in_multipliers_leaves_radau_its_stages),
    };
    return run_claims("problems of Weber and Steinebach", claims, sizeof claims / sizeof claims[0]);
}
