/* test_capacitor.c - C: charges by hand, charge laws with exact derivatives, conservation. */
#include "harness.h"

static void charge_is_capacitance_times_voltage(void)
{
    struct rig r = rig_need("t\nC1 a b 2u\nR1 b 0 1\n");
    rig_set(&r, "v(a)", 5.0);
    rig_set(&r, "v(b)", 2.0);
    rig_evaluate(&r, 0.0, r.x);
    CHECK_NEAR(r.q[rig_unknown(&r, "v(a)")], 6e-6, 1e-20);
    CHECK_NEAR(r.q[rig_unknown(&r, "v(b)")], -6e-6, 1e-20);
    CHECK_NEAR(rig_entry(&r, r.C, "v(a)", "v(b)"), -2e-6, 1e-21);
    r.dxdt[rig_unknown(&r, "v(a)")] = 1e3;
    CHECK_NEAR(rig_current(&r, "c1", 0, 0.0), 2e-3, 1e-17);
    CHECK_NEAR(rig_current(&r, "c1", 1, 0.0), -2e-3, 1e-17);
    rig_close(&r);
}

static double capacitance(const char *deck)
{
    struct rig r = rig_need(deck);
    const double c = rig_entry(&r, r.C0, "v(a)", "v(a)");
    rig_close(&r);
    return c;
}

static void multiplier_temperature_and_model_are_applied(void)
{
    CHECK_NEAR(capacitance("t\nC1 a 0 1n m=3\n"), 3e-9, 1e-23);
    CHECK_NEAR(capacitance("t\nC1 a 0 1n tc1=1e-3 tc2=1e-5 temp=37\n"), 1e-9 * 1.011, 1e-23);
    CHECK_NEAR(capacitance("t\nC1 a 0 big\n.model big C(cap=5p)\n"), 5e-12, 1e-26);
    /* 1e-3 F/m^2 * 19u * 9u + 2 * 1e-10 F/m * (19u + 9u) */
    CHECK_NEAR(capacitance("t\nC1 a 0 big l=20u w=10u\n.model big C(cj=1m cjsw=1e-10 narrow=1u short=1u)\n"),
               1.71e-13 + 5.6e-15, 1e-26);
}

static void initial_voltages_are_handed_on_with_place(void)
{
    struct rig r = rig_need("t\nC1 a 0 1n ic=3.5\nC2 a b 1n\nR1 b 0 1\n");
    struct initial_list list = rig_initial(&r);
    CU_ASSERT_EQUAL_FATAL(list.count, 1);
    CU_ASSERT_EQUAL(list.values[0].kind, INITIAL_VOLTAGE);
    CU_ASSERT_EQUAL(list.values[0].plus, rig_unknown(&r, "v(a)"));
    CU_ASSERT_EQUAL(list.values[0].minus, 0);
    CU_ASSERT_EQUAL(list.values[0].value, 3.5);
    CU_ASSERT_EQUAL(list.values[0].element->where.line, 2);
    initial_list_free(&list);
    rig_close(&r);
}

static void charge_law_gives_charge_and_capacitance(void)
{
    /* Q = C0 (v + v^2/4): capacitance C0 (1 + v/2). */
    struct rig r = rig_need("t\nC1 a b Q='1u*(V(a,b)+V(a,b)^2/4)' m=2\nR1 b 0 1\n");
    rig_set(&r, "v(a)", 3.0);
    rig_set(&r, "v(b)", 1.0);
    rig_evaluate(&r, 0.0, r.x);
    CHECK_NEAR(r.q[rig_unknown(&r, "v(a)")], 6e-6, 1e-18);
    CHECK_NEAR(r.q[rig_unknown(&r, "v(b)")], -6e-6, 1e-18);
    CHECK_NEAR(rig_entry(&r, r.C, "v(a)", "v(a)"), 4e-6, 1e-18);
    r.dxdt[rig_unknown(&r, "v(a)")] = 10.0;
    CHECK_NEAR(rig_current(&r, "c1", 0, 0.0), 4e-5, 1e-17);
    rig_close(&r);
}

static const char *const law_deck = "t\n"
                                    "C1 a b Q='1u*tanh(V(a,b)/2)+2u*V(c)*V(a)+1u*V(b)*sin(time)'\n"
                                    "C2 c 0 Q='3u*V(c)'\n"
                                    "C3 b c 1u\n"
                                    "R1 b 0 1\n";

static void derivatives_of_charge_laws_agree_with_differences(void)
{
    struct rig r = rig_need(law_deck);
    uint64_t seed = 11;
    for (int i = 0; i < 200; i++) {
        rig_random_point(&r, &seed, -3.0, 3.0);
        const double time = rig_random(&seed, 0.0, 10.0);
        const double error = rig_derivative_error(&r, time, 1e-2, 1e-2, 1e-6);
        if (!(error <= 1.0))
            fprintf(stderr, "\nseed 11, point %d: error %g\n", i, error);
        CU_ASSERT_TRUE(error <= 1.0);
    }
    rig_close(&r);
}

static void charge_is_conserved_whatever_the_law(void)
{
    struct rig r = rig_need("t\nC1 a b Q='1u*V(a)*V(c)^3'\nR1 c 0 1\nR2 b 0 1\n");
    uint64_t seed = 12;
    for (int i = 0; i < 50; i++) {
        rig_random_point(&r, &seed, -3.0, 3.0);
        rig_evaluate(&r, 0.0, r.x);
        CHECK_NEAR(r.q[rig_unknown(&r, "v(a)")] + r.q[rig_unknown(&r, "v(b)")], 0.0, 0.0);
    }
    rig_close(&r);
}

static void a_linear_law_costs_nothing_in_the_loop(void)
{
    struct rig r = rig_need("t\nC1 a 0 Q='3u*V(a)+1u*V(b)'\nC2 b 0 1u\n");
    CU_ASSERT_FALSE(capacitor_class.nonlinear(r.families.families[0].batch));
    CHECK_NEAR(rig_entry(&r, r.C0, "v(a)", "v(a)"), 3e-6, 1e-20);
    CHECK_NEAR(rig_entry(&r, r.C0, "v(a)", "v(b)"), 1e-6, 1e-20);
    rig_close(&r);
    r = rig_need("t\nC1 a 0 Q='3u*V(a)^2'\n");
    CU_ASSERT_TRUE(capacitor_class.nonlinear(r.families.families[0].batch));
    rig_close(&r);
}

static void negative_capacitance_is_a_warning(void)
{
    struct rig r = rig_need("t\nC1 a 0 -1n\nR1 a 0 1\n");
    const struct kn_diagnostic *m = rig_said(&r, "negative-capacitance");
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    CU_ASSERT_EQUAL(m->severity, KN_WARNING);
    rig_close(&r);
}

static void topology_sees_what_a_capacitor_depends_on(void)
{
    struct rig r = rig_need("t\nC1 a b 1n\nC2 a b Q='1n*tanh(V(a,b))'\nC3 a b Q='1n*V(a)'\nC4 a b Q='V(c)*1n'\n"
                            "C5 a b Q='2n*(V(a)-V(b))'\nC6 a 0 0\nR1 c 0 1\nR2 b 0 1\n");
    struct branch_list list = rig_branches(&r);
    CU_ASSERT_EQUAL_FATAL(list.count, 7); /* the capacitor of zero farad is none */
    const struct branch *b = list.branches;
    while (b->element->kind->letter != 'c')
        b++;
    CHECK_NEAR(b[0].constant, 1e-9, 1e-24);
    for (int i = 0; i < 5; i++)
        CU_ASSERT_EQUAL(b[i].kind, BRANCH_C);
    CU_ASSERT_TRUE(!b[0].controlled && !b[1].controlled && b[2].controlled && b[3].controlled && !b[4].controlled);
    CU_ASSERT_TRUE(isnan(b[1].constant));
    CHECK_NEAR(b[4].constant, 2e-9, 1e-24);
    CU_ASSERT_EQUAL_FATAL(b[3].control_count, 1);
    CU_ASSERT_EQUAL(b[3].controls[0], rig_unknown(&r, "v(c)"));
    branch_list_free(&list);
    rig_close(&r);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(charge_is_capacitance_times_voltage),
        CLAIM(multiplier_temperature_and_model_are_applied),
        CLAIM(initial_voltages_are_handed_on_with_place),
        CLAIM(charge_law_gives_charge_and_capacitance),
        CLAIM(derivatives_of_charge_laws_agree_with_differences),
        CLAIM(charge_is_conserved_whatever_the_law),
        CLAIM(a_linear_law_costs_nothing_in_the_loop),
        CLAIM(negative_capacitance_is_a_warning),
        CLAIM(topology_sees_what_a_capacitor_depends_on),
    };
    return run_claims("devices/capacitor", claims, sizeof claims / sizeof *claims);
}
