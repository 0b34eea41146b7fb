/* test_controlled.c - E, F, G, H: signs by hand, POLY(n) in SPICE's order with exact derivatives, missing currents. */
#include "harness.h"

static const char *const linear_deck =
    "t\nE1 a 0 c d 3\nG1 b 0 c d 2m\nF1 c 0 V1 5\nH1 d 0 V1 7\nV1 e 0 1\nR1 a b 1\nR2 c e 1\n";

static void linear_sources_have_spices_signs(void)
{
    struct rig r = rig_need(linear_deck);
    rig_set(&r, "v(c)", 4.0);
    rig_set(&r, "v(d)", 1.5);
    rig_set(&r, "i(v1)", 0.1);
    memset(r.G0, 0, (size_t)(r.n * r.n) * sizeof *r.G0);
    for (size_t i = 0; i < r.families.count; i++) /* the controlled ones only */
        if (strchr("efgh", r.families.families[i].class->kind.letter))
            r.families.families[i].class->stamp(r.families.families[i].batch, r.G0, r.C0);
    rig_evaluate(&r, 0.0, r.x);
    CHECK_NEAR(r.f[rig_unknown(&r, "i(e1)")], -3.0 * 2.5, 1e-15);
    CHECK_NEAR(r.f[rig_unknown(&r, "v(b)")], 2e-3 * 2.5, 1e-15);
    CHECK_NEAR(r.f[rig_unknown(&r, "v(c)")], 0.5, 1e-15);
    CHECK_NEAR(r.f[rig_unknown(&r, "i(h1)")], 1.5 - 0.7, 1e-15);
    CHECK_NEAR(rig_current(&r, "g1", 0, 0.0), 5e-3, 1e-15);
    CHECK_NEAR(rig_current(&r, "f1", 1, 0.0), -0.5, 1e-15);
    rig_close(&r);
}

static void linear_sources_cost_nothing_in_the_loop(void)
{
    struct rig r = rig_need(linear_deck);
    for (size_t i = 0; i < r.families.count; i++)
        if (strchr("efgh", r.families.families[i].class->kind.letter))
            CU_ASSERT_FALSE(r.families.families[i].class->nonlinear(r.families.families[i].batch));
    rig_close(&r);
}

static void multiplier_counts_for_currents_only(void)
{
    struct rig r = rig_need("t\nG1 a 0 b 0 2m m=3\nE1 b 0 a 0 2 m=3\nR1 a b 1\nR2 b 0 1\n");
    rig_set(&r, "v(b)", 1.0);
    CHECK_NEAR(rig_current(&r, "g1", 0, 0.0), 6e-3, 1e-17);
    CHECK_NEAR(rig_entry(&r, r.G0, "i(e1)", "v(a)"), -2.0, 0.0);
    rig_close(&r);
}

static void polynomial_coefficients_are_in_graded_lexicographic_order(void)
{
    /* p0, x y z, xx xy xz yy yz zz, xxx: prime coefficients leave no doubt which one went where. */
    struct rig r = rig_need(
        "t\nG1 o 0 POLY(3) a 0 b 0 c 0 2 3 5 7 11 13 17 19 23 29 31\nR1 a o 1\nR2 b o 1\nR3 c o 1\nR4 o 0 1\n");
    const double x = 0.3, y = -0.7, z = 1.1;
    rig_set(&r, "v(a)", x);
    rig_set(&r, "v(b)", y);
    rig_set(&r, "v(c)", z);
    const double expected = 2 + 3 * x + 5 * y + 7 * z + 11 * x * x + 13 * x * y + 17 * x * z + 19 * y * y + 23 * y * z +
                            29 * z * z + 31 * x * x * x;
    CHECK_NEAR(rig_current(&r, "g1", 0, 0.0), expected, 1e-13);
    rig_close(&r);
}

static void one_coefficient_of_poly_1_is_the_linear_one(void)
{
    struct rig r = rig_need("t\nE1 a 0 POLY(1) b 0 4\nR1 a b 1\nR2 b 0 1\n");
    CHECK_NEAR(rig_entry(&r, r.G0, "i(e1)", "v(b)"), -4.0, 0.0);
    rig_close(&r);
}

static void an_affine_polynomial_is_part_of_the_constant_matrices(void)
{
    struct rig r = rig_need("t\nE1 a 0 POLY(2) b 0 c 0 0.5 2 3\nR1 a b 1\nR2 b c 1\nR3 c 0 1\n");
    CHECK_NEAR(rig_entry(&r, r.G0, "i(e1)", "v(c)"), -3.0, 0.0);
    rig_evaluate(&r, 0.0, r.x);
    CHECK_NEAR(r.f[rig_unknown(&r, "i(e1)")], -0.5, 0.0);
    r.source_scale = 0.5; /* p0 is a source */
    rig_evaluate(&r, 0.0, r.x);
    CHECK_NEAR(r.f[rig_unknown(&r, "i(e1)")], -0.25, 0.0);
    rig_close(&r);
}

static void derivatives_of_polynomials_agree_with_differences(void)
{
    struct rig r = rig_need("t\nE1 a 0 POLY(2) b c d 0 0.1 0.2 0.3 0.4 0.5 0.6 0.7\nG1 b d POLY(1) c a 0 1 2 3\n"
                            "F1 c 0 POLY(2) V1 V2 0 0 0 0 1 0 0 2\nH1 d 0 POLY(1) V1 0 1 0.5 0.25\n"
                            "V1 e 0 1\nV2 f 0 1\nR1 a b 1\nR2 c e 1\nR3 d f 1\n");
    uint64_t seed = 41;
    for (int i = 0; i < 200; i++) {
        rig_random_point(&r, &seed, -3.0, 3.0);
        const double error = rig_derivative_error(&r, 0.0, 1e-2, 0.0, 1e-6);
        if (!(error <= 1.0))
            fprintf(stderr, "\nseed 41, point %d: error %g\n", i, error);
        CU_ASSERT_TRUE(error <= 1.0);
    }
    rig_close(&r);
}

static void a_control_without_current_is_an_error_with_a_way_out(void)
{
    struct rig r = rig_open("t\nV1 a 0 1\nR1 a 0 1\nF1 a 0 R1 2\n");
    CU_ASSERT_EQUAL(r.status, KN_ERROR_DECK);
    CU_ASSERT_TRUE_FATAL(kn_diagnostics_count(r.d) >= 1);
    const struct kn_diagnostic *m = kn_diagnostics_get(r.d, 0);
    CU_ASSERT_EQUAL(m->where.line, 4);
    CU_ASSERT_PTR_NOT_NULL(m->hint);
    rig_close(&r);
}

/* A source of 0 V in series is made for it; its column of G holds the 2 of the law. */
static void a_law_may_use_the_current_of_any_element(void)
{
    struct rig r = rig_need("t\nV1 a 0 1\nR1 a 0 1\nB1 a 0 I=2*I(R1)+3*I(R1)\n");
    CHECK_NEAR(rig_entry(&r, r.G0, "v(r1#i)", "i(r1#i)"), -1.0, 0.0);
    CHECK_NEAR(rig_entry(&r, r.G0, "i(r1#i)", "v(a)"), 1.0, 0.0);
    CHECK_NEAR(rig_entry(&r, r.G0, "i(r1#i)", "v(r1#i)"), -1.0, 0.0);
    rig_close(&r);
}

static void any_element_with_a_current_may_control(void)
{
    struct rig r =
        rig_need("t\nL1 a 0 1m\nE1 b 0 a 0 2\nR0 c 0 0\nF1 a 0 L1 2\nF2 b 0 E1 3\nF3 c 0 R0 4\nR1 a b 1\nR2 b c 1\n");
    CHECK_NEAR(rig_entry(&r, r.G0, "v(c)", "i(r0)"), 1.0 + 4.0, 0.0);
    rig_close(&r);
}

static void topology_sees_what_controls_what(void)
{
    struct rig r =
        rig_need("t\nE1 a 0 c d 3\nG1 b 0 c d 2m\nF1 c 0 V1 5\nH1 d 0 V1 7\nV1 e 0 1\nG2 a b a b 1m\nH2 c e H2 5\n");
    struct branch_list list = rig_branches(&r);
    CU_ASSERT_EQUAL_FATAL(list.count, 7);
    for (size_t i = 0; i < list.count; i++) {
        const struct branch *b = &list.branches[i];
        if (strcmp(b->element->name, "E1") == 0) {
            CU_ASSERT_TRUE(b->kind == BRANCH_V && b->controlled && b->control_count == 2);
            CU_ASSERT_EQUAL(b->controls[0], rig_unknown(&r, "v(c)"));
            CU_ASSERT_EQUAL(b->controls[1], rig_unknown(&r, "v(d)"));
            CU_ASSERT_EQUAL(b->current, rig_unknown(&r, "i(e1)"));
        } else if (strcmp(b->element->name, "F1") == 0) {
            CU_ASSERT_TRUE(b->kind == BRANCH_I && b->controlled && b->control_count == 1);
            CU_ASSERT_EQUAL(b->controls[0], rig_unknown(&r, "i(v1)"));
        } else if (strcmp(b->element->name, "G2") == 0) {
            CU_ASSERT_TRUE(b->kind == BRANCH_R && !b->controlled); /* controlled by its own voltage: a resistor */
            CHECK_NEAR(b->constant, 1000.0, 1e-9);
        } else if (strcmp(b->element->name, "H2") == 0) {
            CU_ASSERT_TRUE(b->kind == BRANCH_R && !b->controlled);
            CHECK_NEAR(b->constant, 5.0, 1e-12);
        }
    }
    branch_list_free(&list);
    rig_close(&r);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(linear_sources_have_spices_signs),
        CLAIM(linear_sources_cost_nothing_in_the_loop),
        CLAIM(multiplier_counts_for_currents_only),
        CLAIM(polynomial_coefficients_are_in_graded_lexicographic_order),
        CLAIM(one_coefficient_of_poly_1_is_the_linear_one),
        CLAIM(an_affine_polynomial_is_part_of_the_constant_matrices),
        CLAIM(derivatives_of_polynomials_agree_with_differences),
        CLAIM(a_control_without_current_is_an_error_with_a_way_out),
        CLAIM(a_law_may_use_the_current_of_any_element),
        CLAIM(any_element_with_a_current_may_control),
        CLAIM(topology_sees_what_controls_what),
    };
    return run_claims("devices/controlled", claims, sizeof claims / sizeof *claims);
}
