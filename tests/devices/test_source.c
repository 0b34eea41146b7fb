/* test_source.c - V and I: signs, DC against waveform, source stepping, derivative in time, breakpoints. */
#include "harness.h"

static void voltage_source_fixes_its_voltage_and_carries_a_current(void)
{
    struct rig r = rig_need("t\nV1 a b 5\nR1 b 0 1\nR2 a 0 1\n");
    rig_set(&r, "v(a)", 7.0);
    rig_set(&r, "v(b)", 2.5);
    rig_set(&r, "i(v1)", 0.5);
    rig_evaluate(&r, 0.0, r.x);
    CHECK_NEAR(r.f[rig_unknown(&r, "i(v1)")], -0.5, 1e-15);
    CHECK_NEAR(r.f[rig_unknown(&r, "v(a)")], 7.5, 1e-15); /* the current flows into a's side of the source */
    CHECK_NEAR(r.f[rig_unknown(&r, "v(b)")], 2.0, 1e-15);
    CHECK_NEAR(rig_current(&r, "v1", 0, 0.0), 0.5, 0.0);
    rig_close(&r);
}

static void current_source_drives_from_plus_through_itself_to_minus(void)
{
    struct rig r = rig_need("t\nI1 a b 2m m=3\nR1 a b 1\nR2 b 0 1\n");
    rig_evaluate(&r, 0.0, r.x);
    CHECK_NEAR(r.f[rig_unknown(&r, "v(a)")], 6e-3, 1e-18);
    CHECK_NEAR(r.f[rig_unknown(&r, "v(b)")], -6e-3, 1e-18);
    CHECK_NEAR(rig_current(&r, "i1", 0, 0.0), 6e-3, 1e-18);
    rig_close(&r);
}

static double voltage_at(const char *deck, double time)
{
    struct rig r = rig_need(deck);
    rig_evaluate(&r, time, r.x);
    const double v = -r.f[rig_unknown(&r, "i(v1)")];
    rig_close(&r);
    return v;
}

static void the_operating_point_takes_dc_and_the_transient_the_waveform(void)
{
    const char *both = "t\nV1 a 0 DC 3 SIN(1 2 1k)\nR1 a 0 1\n.tran 1u 1m\n";
    CHECK_NEAR(voltage_at(both, -INFINITY), 3.0, 0.0);
    CHECK_NEAR(voltage_at(both, 0.0), 1.0, 0.0);
    CHECK_NEAR(voltage_at(both, 0.25e-3), 3.0, 1e-12);
    const char *wave = "t\nV1 a 0 SIN(1 2 1k 0 0 90)\nR1 a 0 1\n.tran 1u 1m\n";
    CHECK_NEAR(voltage_at(wave, -INFINITY), 3.0, 1e-12);
    const char *dc = "t\nV1 a 0 4\nR1 a 0 1\n";
    CHECK_NEAR(voltage_at(dc, -INFINITY), 4.0, 0.0);
    CHECK_NEAR(voltage_at(dc, 1e6), 4.0, 0.0);
}

static void source_stepping_scales_all_sources(void)
{
    struct rig r = rig_need("t\nV1 a 0 5\nI1 b 0 2\nR1 a b 1\n");
    r.source_scale = 0.25;
    rig_evaluate(&r, 0.0, r.x);
    CHECK_NEAR(r.f[rig_unknown(&r, "i(v1)")], -1.25, 0.0);
    CHECK_NEAR(r.f[rig_unknown(&r, "v(b)")], 0.5, 0.0);
    rig_close(&r);
}

static void the_time_derivative_agrees_with_differences(void)
{
    struct rig r = rig_need("t\nV1 a 0 SIN(0 1 1 0.1 0.2)\nV2 b 0 EXP(0 1 0.2 1 3 2)\nI1 c 0 SFFM(0 1 0.5 2 0.1)\n"
                            "I2 c a AM(1 1 0.2 0.9 0.1)\nR1 b c 1\n.tran 1m 10\n");
    uint64_t seed = 31;
    for (int i = 0; i < 100; i++) {
        const double time = rig_random(&seed, 0.3, 2.8);
        const double error = rig_derivative_error(&r, time, 1e-2, 1e-3, 1e-6);
        if (!(error <= 1.0))
            fprintf(stderr, "\nseed 31, point %d: error %g\n", i, error);
        CU_ASSERT_TRUE(error <= 1.0);
    }
    rig_close(&r);
}

static void the_next_breakpoint_is_the_earliest_of_all_sources(void)
{
    struct rig r =
        rig_need("t\nV1 a 0 PULSE(0 1 2 1 1 3 10)\nI1 a 0 PWL(0 0 2.5 0 7 1)\nV2 b a SIN(0 1 1 5.5)\nR1 b 0 1\n"
                 ".tran 1m 20\n");
    const double expected[] = {2, 2.5, 3, 5.5, 6, 7, 12, 13, 16, 17, 22};
    double t = 0;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        t = rig_next_breakpoint(&r, t);
        CHECK_NEAR(t, expected[i], 1e-14);
    }
    rig_close(&r);
}

static void bad_waveforms_point_at_the_users_text(void)
{
    struct rig r = rig_open("t\nR1 a 0 1\nV1 a 0 PWL(0 0 2 1 1 0)\n.tran 1m 20\n");
    CU_ASSERT_EQUAL(r.status, KN_ERROR_DECK);
    CU_ASSERT_TRUE_FATAL(kn_diagnostics_count(r.d) >= 1);
    CU_ASSERT_EQUAL(kn_diagnostics_get(r.d, 0)->where.line, 3);
    rig_close(&r);
}

static void topology_sees_independent_sources(void)
{
    struct rig r = rig_need("t\nV1 a 0 5\nI1 a 0 2\n");
    struct branch_list list = rig_branches(&r);
    CU_ASSERT_EQUAL_FATAL(list.count, 2);
    CU_ASSERT_EQUAL(list.branches[0].kind, BRANCH_V);
    CU_ASSERT_EQUAL(list.branches[0].current, rig_unknown(&r, "i(v1)"));
    CU_ASSERT_EQUAL(list.branches[1].kind, BRANCH_I);
    CU_ASSERT_FALSE(list.branches[0].controlled || list.branches[1].controlled);
    branch_list_free(&list);
    rig_close(&r);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(voltage_source_fixes_its_voltage_and_carries_a_current),
        CLAIM(current_source_drives_from_plus_through_itself_to_minus),
        CLAIM(the_operating_point_takes_dc_and_the_transient_the_waveform),
        CLAIM(source_stepping_scales_all_sources),
        CLAIM(the_time_derivative_agrees_with_differences),
        CLAIM(the_next_breakpoint_is_the_earliest_of_all_sources),
        CLAIM(bad_waveforms_point_at_the_users_text),
        CLAIM(topology_sees_independent_sources),
    };
    return run_claims("devices/source", claims, sizeof claims / sizeof *claims);
}
