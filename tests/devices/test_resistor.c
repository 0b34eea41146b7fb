/* test_resistor.c - R: currents by hand, temperature, models, the true short. */
#include "harness.h"

static void current_flows_from_plus_to_minus_through_the_conductance(void)
{
    struct rig r = rig_need("t\nR1 a b 2k\nR2 b 0 500\n.end\n");
    rig_set(&r, "v(a)", 5.0);
    rig_set(&r, "v(b)", 1.0);
    rig_evaluate(&r, 0.0, r.x);
    CHECK_NEAR(r.f[rig_unknown(&r, "v(a)")], 2e-3, 1e-18);
    CHECK_NEAR(r.f[rig_unknown(&r, "v(b)")], -2e-3 + 2e-3, 1e-18);
    CHECK_NEAR(rig_entry(&r, r.G, "v(a)", "v(b)"), -5e-4, 1e-19);
    CHECK_NEAR(rig_current(&r, "r1", 0, 0.0), 2e-3, 1e-18);
    CHECK_NEAR(rig_current(&r, "r1", 1, 0.0), -2e-3, 1e-18);
    CU_ASSERT_EQUAL(r.n, 3); /* no currents of their own */
    rig_close(&r);
}

static void resistor_of_zero_ohm_is_a_true_short(void)
{
    struct rig r = rig_need("t\nR1 a b 0\nR2 b 0 1\n.end\n");
    CU_ASSERT_EQUAL(r.n, 4);
    rig_set(&r, "v(a)", 3.0);
    rig_set(&r, "v(b)", 3.0);
    rig_set(&r, "i(r1)", 0.25);
    rig_evaluate(&r, 0.0, r.x);
    CHECK_NEAR(r.f[rig_unknown(&r, "i(r1)")], 0.0, 0.0);
    CHECK_NEAR(r.f[rig_unknown(&r, "v(a)")], 0.25, 0.0);
    CHECK_NEAR(r.f[rig_unknown(&r, "v(b)")], 3.0 - 0.25, 0.0);
    CHECK_NEAR(rig_current(&r, "r1", 0, 0.0), 0.25, 0.0);
    rig_set(&r, "v(b)", 2.0);
    rig_evaluate(&r, 0.0, r.x);
    CHECK_NEAR(r.f[rig_unknown(&r, "i(r1)")], 1.0, 0.0); /* v(a) - v(b) must vanish */
    rig_close(&r);
}

static double conductance(const char *deck)
{
    struct rig r = rig_need(deck);
    const double g = rig_entry(&r, r.G0, "v(a)", "v(a)");
    rig_close(&r);
    return g;
}

static void temperature_coefficients_count_from_tnom(void)
{
    CHECK_NEAR(conductance("t\nR1 a 0 1k tc1=1e-3 tc2=2e-5 temp=77\n"), 1e-3 / (1 + 0.05 + 0.05), 1e-15);
    CHECK_NEAR(conductance("t\nR1 a 0 1k tc1=1e-3 dtemp=10\n"), 1e-3 / 1.01, 1e-15);
    CHECK_NEAR(conductance("t\nR1 a 0 1k tc1=1e-3\n.temp 127\n"), 1e-3 / 1.1, 1e-15);
    CHECK_NEAR(conductance("t\nR1 a 0 1k tc1=1e-3\n.options tnom=17\n"), 1e-3 / 1.01, 1e-15);
    CHECK_NEAR(conductance("t\nR1 a 0 1k tc=1e-3,2e-5 temp=77\n"), 1e-3 / 1.1, 1e-15);
}

static void multiplier_means_parallel_and_scale_means_factor(void)
{
    CHECK_NEAR(conductance("t\nR1 a 0 1k m=4\n"), 4e-3, 1e-17);
    CHECK_NEAR(conductance("t\nR1 a 0 1k scale=2\n"), 5e-4, 1e-18);
    CHECK_NEAR(conductance("t\nR1 a 0 r=100\n"), 1e-2, 1e-17);
}

static void model_gives_value_geometry_and_coefficients(void)
{
    CHECK_NEAR(conductance("t\nR1 a 0 big\n.model big R(r=2k)\n"), 5e-4, 1e-18);
    CHECK_NEAR(conductance("t\nR1 a 0 big l=20u w=3u\n.model big R(rsh=100 narrow=1u)\n"), 1e-3, 1e-15);
    CHECK_NEAR(conductance("t\nR1 a 0 1k big\n.model big R(tc1=1e-2 tnom=17)\n"), 1e-3 / 1.1, 1e-15);
    /* The element's own coefficient wins. */
    CHECK_NEAR(conductance("t\nR1 a 0 1k big tc1=0 temp=99\n.model big R(tc1=1e-2)\n"), 1e-3, 1e-15);
}

static void negative_resistance_is_allowed_with_a_note(void)
{
    struct rig r = rig_need("t\nR1 a 0 -50\n");
    CHECK_NEAR(rig_entry(&r, r.G0, "v(a)", "v(a)"), -0.02, 1e-17);
    const struct kn_diagnostic *note = rig_said(&r, "negative-resistance");
    CU_ASSERT_PTR_NOT_NULL_FATAL(note);
    CU_ASSERT_EQUAL(note->severity, KN_NOTE);
    CU_ASSERT_EQUAL(note->where.line, 2);
    rig_close(&r);
}

static void coefficients_that_turn_the_sign_are_an_error(void)
{
    struct rig r = rig_open("t\nR1 a 0 1k tc1=-0.1 temp=77\n");
    CU_ASSERT_EQUAL(r.status, KN_ERROR_DECK);
    CU_ASSERT_PTR_NOT_NULL(rig_said(&r, "temperature-factor"));
    rig_close(&r);
}

static void a_model_without_value_is_an_error_and_misspelt_parameters_are_warnings(void)
{
    struct rig r = rig_open("t\nR1 a 0 big\n.model big R(tc1=0)\n");
    CU_ASSERT_EQUAL(r.status, KN_ERROR_DECK);
    CU_ASSERT_PTR_NOT_NULL(rig_said(&r, "missing-value"));
    rig_close(&r);
    r = rig_need("t\nR1 a 0 1k tc11=3\nR2 a 0 1k big\nR3 a 0 1k big\n.model big R(tnim=4)\n");
    CU_ASSERT_EQUAL(kn_diagnostics_count(r.d), 2); /* the model's fault once, not once per element */
    CU_ASSERT_PTR_NOT_NULL(rig_said(&r, "unknown-parameter"));
    rig_close(&r);
    r = rig_open("t\nR1 a 0 1k m=0\n");
    CU_ASSERT_EQUAL(r.status, KN_ERROR_DECK);
    CU_ASSERT_PTR_NOT_NULL(rig_said(&r, "parameter-range"));
    rig_close(&r);
}

static void topology_sees_resistors_and_shorts(void)
{
    struct rig r = rig_need("t\nR1 a b 2k\nR2 b 0 0\n");
    struct branch_list list = rig_branches(&r);
    CU_ASSERT_EQUAL_FATAL(list.count, 2);
    CU_ASSERT_EQUAL(list.branches[0].kind, BRANCH_R);
    CHECK_NEAR(list.branches[0].constant, 2000.0, 1e-9);
    CU_ASSERT_EQUAL(list.branches[1].kind, BRANCH_V);
    CU_ASSERT_STRING_EQUAL(list.branches[1].part, "short");
    CU_ASSERT_EQUAL(list.branches[1].current, rig_unknown(&r, "i(r2)"));
    CU_ASSERT_FALSE(list.branches[1].controlled);
    branch_list_free(&list);
    rig_close(&r);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(current_flows_from_plus_to_minus_through_the_conductance),
        CLAIM(resistor_of_zero_ohm_is_a_true_short),
        CLAIM(temperature_coefficients_count_from_tnom),
        CLAIM(multiplier_means_parallel_and_scale_means_factor),
        CLAIM(model_gives_value_geometry_and_coefficients),
        CLAIM(negative_resistance_is_allowed_with_a_note),
        CLAIM(coefficients_that_turn_the_sign_are_an_error),
        CLAIM(a_model_without_value_is_an_error_and_misspelt_parameters_are_warnings),
        CLAIM(topology_sees_resistors_and_shorts),
    };
    return run_claims("devices/resistor", claims, sizeof claims / sizeof *claims);
}
