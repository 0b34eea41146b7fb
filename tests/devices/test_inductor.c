/* test_inductor.c - L and K: flux by hand, flux laws with exact derivatives, mutual inductance, bad couplings. */
#include "harness.h"

static void the_branch_row_holds_voltage_and_minus_flux(void)
{
    struct rig r = rig_need("t\nL1 a b 3m\nR1 b 0 1\n");
    rig_set(&r, "v(a)", 5.0);
    rig_set(&r, "v(b)", 2.0);
    rig_set(&r, "i(l1)", 0.5);
    rig_evaluate(&r, 0.0, r.x);
    CHECK_NEAR(r.f[rig_unknown(&r, "i(l1)")], 3.0, 0.0);
    CHECK_NEAR(r.q[rig_unknown(&r, "i(l1)")], -1.5e-3, 1e-18);
    CHECK_NEAR(r.f[rig_unknown(&r, "v(a)")], 0.5, 0.0);
    CHECK_NEAR(r.f[rig_unknown(&r, "v(b)")], 2.0 - 0.5, 0.0);
    CHECK_NEAR(rig_current(&r, "l1", 0, 0.0), 0.5, 0.0);
    rig_close(&r);
}

static double inductance(const char *deck)
{
    struct rig r = rig_need(deck);
    const double l = -rig_entry(&r, r.C0, "i(l1)", "i(l1)");
    rig_close(&r);
    return l;
}

static void parallel_inductors_temperature_and_model_are_applied(void)
{
    CHECK_NEAR(inductance("t\nL1 a 0 1m m=4\n"), 2.5e-4, 1e-18);
    CHECK_NEAR(inductance("t\nL1 a 0 1m tc1=1e-3 dtemp=10\n"), 1.01e-3, 1e-17);
    CHECK_NEAR(inductance("t\nL1 a 0 coil\n.model coil L(ind=2u)\n"), 2e-6, 1e-20);
}

static void initial_currents_are_handed_on(void)
{
    struct rig r = rig_need("t\nL1 a 0 1m ic=0.25\nR1 a 0 1\n");
    struct initial_list list = rig_initial(&r);
    CU_ASSERT_EQUAL_FATAL(list.count, 1);
    CU_ASSERT_EQUAL(list.values[0].kind, INITIAL_CURRENT);
    CU_ASSERT_EQUAL(list.values[0].plus, rig_unknown(&r, "i(l1)"));
    CU_ASSERT_EQUAL(list.values[0].value, 0.25);
    initial_list_free(&list);
    rig_close(&r);
}

static void flux_law_saturates_as_written(void)
{
    struct rig r = rig_need("t\nL1 a 0 Flux='1m*tanh(I(L1)/2)'\nR1 a 0 1\n");
    rig_set(&r, "i(l1)", 1.0);
    rig_evaluate(&r, 0.0, r.x);
    CHECK_NEAR(r.q[rig_unknown(&r, "i(l1)")], -1e-3 * tanh(0.5), 1e-18);
    CHECK_NEAR(rig_entry(&r, r.C, "i(l1)", "i(l1)"), -0.5e-3 / (cosh(0.5) * cosh(0.5)), 1e-17);
    rig_close(&r);
}

static void derivatives_of_flux_laws_agree_with_differences(void)
{
    struct rig r = rig_need("t\nL1 a 0 Flux='1m*tanh(I(L1)/2)+1u*I(L2)^3+1m*V(b)*cos(time)'\nL2 b 0 1m\n"
                            "L3 a b Flux='2m*I(L3)+1m*I(L2)'\nR1 a 0 1\n");
    uint64_t seed = 21;
    for (int i = 0; i < 200; i++) {
        rig_random_point(&r, &seed, -3.0, 3.0);
        const double error = rig_derivative_error(&r, rig_random(&seed, 0.0, 9.0), 1e-2, 1e-2, 1e-6);
        if (!(error <= 1.0))
            fprintf(stderr, "\nseed 21, point %d: error %g\n", i, error);
        CU_ASSERT_TRUE(error <= 1.0);
    }
    rig_close(&r);
}

static void coupling_adds_the_mutual_inductance(void)
{
    struct rig r = rig_need("t\nL1 a 0 4m\nL2 b 0 9m m=1\nK1 L1 L2 0.5\nR1 a b 1\n");
    CHECK_NEAR(rig_entry(&r, r.C0, "i(l1)", "i(l2)"), -3e-3, 1e-17);
    CHECK_NEAR(rig_entry(&r, r.C0, "i(l2)", "i(l1)"), -3e-3, 1e-17);
    CHECK_NEAR(rig_entry(&r, r.C0, "i(l1)", "i(l1)"), -4e-3, 1e-17);
    rig_close(&r);
    r = rig_need("t\nL1 a 0 4m tc1=1e-2 dtemp=10\nL2 b 0 9m m=4\nK1 L1 L2 1\nR1 a b 1\n");
    CHECK_NEAR(rig_entry(&r, r.C0, "i(l1)", "i(l2)"), -sqrt(4.4e-3 * 2.25e-3), 1e-17);
    rig_close(&r);
}

static void one_card_may_couple_several_inductors(void)
{
    struct rig r = rig_need("t\nL1 a 0 1m\nL2 b 0 1m\nL3 c 0 1m\nK1 L1 L2 L3 -0.25\nR1 a b 1\nR2 b c 1\n");
    CHECK_NEAR(rig_entry(&r, r.C0, "i(l1)", "i(l2)"), 0.25e-3, 1e-17);
    CHECK_NEAR(rig_entry(&r, r.C0, "i(l1)", "i(l3)"), 0.25e-3, 1e-17);
    CHECK_NEAR(rig_entry(&r, r.C0, "i(l3)", "i(l2)"), 0.25e-3, 1e-17);
    struct branch_list list = rig_branches(&r);
    CU_ASSERT_EQUAL(list.coupling_count, 3);
    CHECK_NEAR(list.couplings[0].coefficient, -0.25, 0.0);
    branch_list_free(&list);
    rig_close(&r);
}

static void check_refused(const char *deck)
{
    struct rig r = rig_open(deck);
    CU_ASSERT_EQUAL(r.status, KN_ERROR_DECK);
    CU_ASSERT_TRUE(kn_diagnostics_errors(r.d) >= 1);
    CU_ASSERT_TRUE(kn_diagnostics_count(r.d) > 0 && kn_diagnostics_get(r.d, 0)->where.line > 0);
    rig_close(&r);
}

static void impossible_couplings_are_errors(void)
{
    check_refused("t\nL1 a 0 1m\nL2 b 0 1m\nK1 L1 L2 1.01\nR1 a b 1\n");
    check_refused("t\nL1 a 0 1m\nL2 b 0 -1m\nK1 L1 L2 0.5\nR1 a b 1\n");
    check_refused("t\nL1 a 0 1m\nL2 b 0 Flux='1m*I(L2)'\nK1 L1 L2 0.5\nR1 a b 1\n");
    check_refused("t\nL1 a 0 1m\nK1 L1 L1 0.5\nR1 a b 1\nR2 b 0 1\n");
    check_refused("t\nL1 a 0 1m\nK1 L1 R1 0.5\nR1 a 0 1\n");
    check_refused("t\nL1 a 0 Flux='1m*I(L1)' m=2\nR1 a 0 1\n");
}

static void a_second_coupling_of_a_pair_is_added_and_names_the_first(void)
{
    struct rig r = rig_open("t\nL1 a 0 1m\nL2 b 0 1m\nK1 L1 L2 0.5\nK2 L2 L1 0.25\nR1 a b 1\n");
    CU_ASSERT_EQUAL(r.status, KN_OK);
    CHECK_NEAR(rig_entry(&r, r.C0, "i(l1)", "i(l2)"), -0.75e-3, 1e-17);
    CHECK_NEAR(rig_entry(&r, r.C0, "i(l2)", "i(l1)"), -0.75e-3, 1e-17);
    const struct kn_diagnostic *m = rig_said(&r, "coupling");
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    CU_ASSERT_EQUAL(m->where.line, 5);
    CU_ASSERT_PTR_NOT_NULL(strstr(m->text, "K1"));
    rig_close(&r);
}

static bool warns_of_negative_energy(const char *couplings)
{
    char deck[400];
    snprintf(deck, sizeof deck, "t\nL1 a 0 1m\nL2 b 0 2m\nL3 c 0 3m\nL4 d 0 1m\n%sR1 a b 1\nR2 c d 1\n", couplings);
    struct rig r = rig_need(deck);
    const struct kn_diagnostic *m = rig_said(&r, "coupling");
    const bool warned = m && m->severity == KN_WARNING;
    rig_close(&r);
    return warned;
}

static void couplings_no_core_could_have_are_warned_of(void)
{
    CU_ASSERT_FALSE(warns_of_negative_energy("K1 L1 L2 L3 1\n"));
    CU_ASSERT_FALSE(warns_of_negative_energy("K1 L1 L2 L3 -0.5\n")); /* just singular */
    CU_ASSERT_TRUE(warns_of_negative_energy("K1 L1 L2 L3 -0.51\n"));
    CU_ASSERT_FALSE(warns_of_negative_energy("K1 L1 L2 0.7\nK2 L2 L3 0.7\n"));
    CU_ASSERT_TRUE(warns_of_negative_energy("K1 L1 L2 0.72\nK2 L2 L3 0.72\n"));
    CU_ASSERT_TRUE(warns_of_negative_energy("K1 L1 L2 1\nK2 L2 L3 0.01\n"));
    CU_ASSERT_FALSE(warns_of_negative_energy("K1 L1 L2 1\nK2 L3 L4 1\n"));
    CU_ASSERT_FALSE(warns_of_negative_energy("K1 L1 L2 L3 L4 0.999\n"));
    CU_ASSERT_FALSE(warns_of_negative_energy("K1 L1 L2 -1\nK2 L2 L3 -1\nK3 L1 L3 1\n"));
    CU_ASSERT_TRUE(warns_of_negative_energy("K1 L1 L2 -1\nK2 L2 L3 -1\nK3 L1 L3 -1\n"));
}

static void topology_sees_inductors_and_shorts(void)
{
    struct rig r = rig_need("t\nL1 a b 1m\nL2 b 0 0\nL3 a 0 Flux='tanh(I(L3))'\nL4 a 0 Flux='I(L1)*I(L4)'\n");
    struct branch_list list = rig_branches(&r);
    CU_ASSERT_EQUAL_FATAL(list.count, 4);
    const struct branch *b = list.branches;
    CU_ASSERT_EQUAL(b[0].kind, BRANCH_L);
    CHECK_NEAR(b[0].constant, 1e-3, 1e-18);
    CU_ASSERT_EQUAL(b[1].kind, BRANCH_V);
    CU_ASSERT_EQUAL(b[2].kind, BRANCH_L);
    CU_ASSERT_FALSE(b[2].controlled);
    CU_ASSERT_TRUE(b[3].controlled);
    branch_list_free(&list);
    rig_close(&r);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(the_branch_row_holds_voltage_and_minus_flux),
        CLAIM(parallel_inductors_temperature_and_model_are_applied),
        CLAIM(initial_currents_are_handed_on),
        CLAIM(flux_law_saturates_as_written),
        CLAIM(derivatives_of_flux_laws_agree_with_differences),
        CLAIM(coupling_adds_the_mutual_inductance),
        CLAIM(one_card_may_couple_several_inductors),
        CLAIM(impossible_couplings_are_errors),
        CLAIM(a_second_coupling_of_a_pair_is_added_and_names_the_first),
        CLAIM(couplings_no_core_could_have_are_warned_of),
        CLAIM(topology_sees_inductors_and_shorts),
    };
    return run_claims("devices/inductor", claims, sizeof claims / sizeof *claims);
}
