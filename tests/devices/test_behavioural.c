/* test_behavioural.c - B, and E and G with an expression: values by hand, exact derivatives, time, breakpoints. */
#include "harness.h"

static void current_and_voltage_laws_enter_the_right_rows(void)
{
    struct rig r = rig_need("t\nB1 a b I=V(a)^2\nB2 c 0 V=3*V(a)*V(b)\nR1 a b 1\nR2 b c 1\nR3 c 0 1\n");
    memset(r.G0, 0, (size_t)(r.n * r.n) * sizeof *r.G0);
    for (size_t i = 0; i < r.families.count; i++)
        if (r.families.families[i].class->kind.letter == 'b')
            r.families.families[i].class->stamp(r.families.families[i].batch, r.G0, r.C0);
    rig_set(&r, "v(a)", 2.0);
    rig_set(&r, "v(b)", 0.5);
    rig_set(&r, "v(c)", 1.0);
    rig_set(&r, "i(b2)", 0.25);
    rig_evaluate(&r, 0.0, r.x);
    CHECK_NEAR(r.f[rig_unknown(&r, "v(a)")], 4.0, 1e-15);
    CHECK_NEAR(r.f[rig_unknown(&r, "v(b)")], -4.0, 1e-15);
    CHECK_NEAR(r.f[rig_unknown(&r, "v(c)")], 0.25, 1e-15);
    CHECK_NEAR(r.f[rig_unknown(&r, "i(b2)")], 1.0 - 3.0, 1e-15);
    CHECK_NEAR(rig_entry(&r, r.G, "v(a)", "v(a)"), 4.0, 1e-15);
    CHECK_NEAR(rig_entry(&r, r.G, "i(b2)", "v(b)"), -6.0, 1e-15);
    CHECK_NEAR(rig_current(&r, "b1", 0, 0.0), 4.0, 1e-15);
    CHECK_NEAR(rig_current(&r, "b2", 0, 0.0), 0.25, 0.0);
    rig_close(&r);
}

static const char *const law_deck = "t\n"
                                    "B1 a b I=1m*exp(V(a,b)/2)*sin(V(c))+V(d)*cos(time)\n"
                                    "B2 c 0 V=atan(V(a)*V(b))+0.5*I(V1)^2+time^2\n"
                                    "E1 d 0 vol='tanh(V(a))/(2+V(b)^2)'\n"
                                    "G1 a 0 cur='sqrt(1+V(d)^2)*I(B2)'\n"
                                    "V1 e 0 1\nR1 a b 1\nR2 b c 1\nR3 d e 1\n";

static void derivatives_agree_with_differences(void)
{
    struct rig r = rig_need(law_deck);
    uint64_t seed = 51;
    for (int i = 0; i < 300; i++) {
        rig_random_point(&r, &seed, -2.0, 2.0);
        const double error = rig_derivative_error(&r, rig_random(&seed, 0.0, 10.0), 1e-2, 1e-2, 1e-6);
        if (!(error <= 1.0))
            fprintf(stderr, "\nseed 51, point %d: error %g\n", i, error);
        CU_ASSERT_TRUE(error <= 1.0);
    }
    rig_close(&r);
}

static void only_what_is_asked_for_is_computed(void)
{
    struct rig r = rig_need("t\nB1 a 0 I=V(a)^3\nR1 a 0 1\n");
    const struct device_family *family = NULL;
    for (size_t i = 0; i < r.families.count; i++)
        if (r.families.families[i].class->kind.letter == 'b')
            family = &r.families.families[i];
    CU_ASSERT_PTR_NOT_NULL_FATAL(family);
    double x[2] = {0.0, 2.0}, f[2] = {0.0, 0.0};
    struct device_point at = {.x = x, .what = EVALUATE_F, .source_scale = 1.0};
    const struct device_stamp out = {.f = f};
    family->class->eval(family->batch, &at, &out); /* no matrices to write to */
    CHECK_NEAR(f[1], 8.0, 1e-15);
    at.what = EVALUATE_Q | EVALUATE_C;
    family->class->eval(family->batch, &at, &(struct device_stamp){0});
    rig_close(&r);
}

static void affine_laws_become_stamps_and_sources(void)
{
    struct rig r = rig_need("t\nB1 a 0 I=2*V(a)-3*V(b)+5+sin(time)\nB2 b 0 V=4*V(a)\nR1 a b 1\n");
    for (size_t i = 0; i < r.families.count; i++)
        if (r.families.families[i].class->kind.letter == 'b')
            CU_ASSERT_FALSE(r.families.families[i].class->nonlinear(r.families.families[i].batch));
    CHECK_NEAR(rig_entry(&r, r.G0, "v(a)", "v(a)"), 1.0 + 2.0, 1e-15);
    CHECK_NEAR(rig_entry(&r, r.G0, "i(b2)", "v(a)"), -4.0, 1e-15);
    rig_set(&r, "v(a)", 1.0);
    rig_set(&r, "v(b)", 1.0);
    rig_evaluate(&r, 0.5, r.x);
    CHECK_NEAR(r.f[rig_unknown(&r, "v(a)")], 2.0 - 3.0 + 5.0 + sin(0.5), 1e-14);
    CHECK_NEAR(r.dfdt[rig_unknown(&r, "v(a)")], cos(0.5), 1e-14);
    CHECK_NEAR(rig_current(&r, "b1", 0, 0.5), 4.0 + sin(0.5), 1e-14);
    rig_close(&r);
}

static void source_stepping_scales_the_value_without_control(void)
{
    struct rig r = rig_need("t\nB1 a 0 I=(V(a)+2)^2\nR1 a 0 1\n");
    r.source_scale = 0.25;
    rig_evaluate(&r, 0.0, r.x);
    CHECK_NEAR(r.f[rig_unknown(&r, "v(a)")], 1.0, 1e-15); /* a quarter of 4 */
    rig_set(&r, "v(a)", 1.0);
    rig_evaluate(&r, 0.0, r.x);
    CHECK_NEAR(r.f[rig_unknown(&r, "v(a)")], 1.0 + 9.0 - 3.0, 1e-14);
    r.source_scale = 0.0;
    rig_set(&r, "v(a)", 0.0);
    rig_evaluate(&r, 0.0, r.x);
    CHECK_NEAR(r.f[rig_unknown(&r, "v(a)")], 0.0, 0.0); /* without sources, nothing flows */
    rig_close(&r);
}

static void switches_of_time_are_breakpoints(void)
{
    struct rig r = rig_need("t\nB1 a 0 V='time > 2m ? 1 : time < 0.5m ? 3 : 2'\nR1 a 0 1\n");
    CHECK_NEAR(rig_next_breakpoint(&r, 0.0), 0.5e-3, 0.0);
    CHECK_NEAR(rig_next_breakpoint(&r, 0.5e-3), 2e-3, 0.0);
    CU_ASSERT_TRUE(isinf(rig_next_breakpoint(&r, 2e-3)));
    rig_close(&r);
}

static void temperature_and_multiplier_scale_the_result(void)
{
    struct rig r = rig_need("t\nB1 a 0 I=2*V(a)^2 tc1=1e-2 temp=37 m=3\nB2 a 0 I='temper' dtemp=5\nR1 a 0 1\n");
    rig_set(&r, "v(a)", 1.0);
    CHECK_NEAR(rig_current(&r, "b1", 0, 0.0), 2.0 * 1.1 * 3.0, 1e-14);
    CHECK_NEAR(rig_current(&r, "b2", 0, 0.0), 32.0, 1e-12);
    rig_close(&r);
}

static void time_counts_as_zero_at_the_operating_point(void)
{
    struct rig r = rig_need("t\nB1 a 0 I=V(a)^2+cos(time)\nR1 a 0 1\n");
    rig_evaluate(&r, -INFINITY, r.x);
    CHECK_NEAR(r.f[rig_unknown(&r, "v(a)")], 1.0, 0.0);
    rig_close(&r);
}

static void topology_tells_resistors_sources_and_controlled_ones_apart(void)
{
    struct rig r =
        rig_need("t\nB1 a b I=tanh(V(a,b))\nB2 a b I=V(a)^2\nB3 a 0 I=V(a)^3\nB4 a 0 I=sin(time)\n"
                 "B5 c 0 V=V(a)*I(B5)\nB6 d 0 V=I(B6)^3\nB7 a b I=tanh(V(a)-V(b))*V(c)\nR1 b 0 1\nR2 c d 1\n");
    const enum branch_kind kinds[] = {BRANCH_R, BRANCH_I, BRANCH_R, BRANCH_I, BRANCH_V, BRANCH_R, BRANCH_I};
    const bool controlled[] = {false, true, false, false, true, false, true};
    const size_t controls[] = {0, 0, 0, 0, 2, 0, 1};
    struct branch_list list = rig_branches(&r);
    const struct branch *b = list.branches;
    while (b->element->kind->letter != 'b')
        b++;
    for (int i = 0; i < 7; i++) {
        const bool same =
            b[i].kind == kinds[i] && b[i].controlled == controlled[i] && b[i].control_count == controls[i];
        if (!same)
            fprintf(stderr, "\n%s: kind %d, controlled %d by %zu\n", b[i].element->name, (int)b[i].kind,
                    b[i].controlled, b[i].control_count);
        CU_ASSERT_TRUE(same);
    }
    branch_list_free(&list);
    rig_close(&r);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(current_and_voltage_laws_enter_the_right_rows),
        CLAIM(derivatives_agree_with_differences),
        CLAIM(only_what_is_asked_for_is_computed),
        CLAIM(affine_laws_become_stamps_and_sources),
        CLAIM(source_stepping_scales_the_value_without_control),
        CLAIM(switches_of_time_are_breakpoints),
        CLAIM(temperature_and_multiplier_scale_the_result),
        CLAIM(time_counts_as_zero_at_the_operating_point),
        CLAIM(topology_tells_resistors_sources_and_controlled_ones_apart),
    };
    return run_claims("devices/behavioural", claims, sizeof claims / sizeof *claims);
}
