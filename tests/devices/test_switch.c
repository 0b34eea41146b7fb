/* Claims about the switches S and W. */
#include "harness.h"

static const char sharp[] = "sharp\n"
                            "V1 c 0 0\n"
                            "V2 a 0 0\n"
                            "S1 a b c 0 sm\n"
                            "S2 a b c 0 sm on\n"
                            "W1 a b V1 wm\n"
                            ".model sm sw(vt=2 vh=0.5 ron=10 roff=1k)\n"
                            ".model wm csw(it=1m ih=0.2m ron=5 roff=1meg)\n"
                            ".op\n";

static double conductance(struct rig *r, const char *element)
{
    rig_set(r, "v(a)", 1);
    rig_set(r, "v(b)", 0);
    return rig_current(r, element, 0, 0);
}

/* The device class of an element letter and its batch. */
static const struct device_family *family_of(const struct rig *r, char letter)
{
    for (size_t i = 0; i < r->families.count; i++)
        if (r->families.families[i].class->kind.letter == letter)
            return &r->families.families[i];
    CU_FAIL_FATAL("no such family");
    return NULL;
}

static void free_switch_is_on_above_both_thresholds_and_off_below(void)
{
    struct rig r = rig_need(sharp);
    static const struct {
        double control, s1, s2;
    } points[] = {{1.49, 1e-3, 1e-3}, {1.51, 1e-3, 0.1}, {2.49, 1e-3, 0.1}, {2.51, 0.1, 0.1}};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        rig_set(&r, "v(c)", points[i].control);
        CHECK_NEAR(conductance(&r, "s1"), points[i].s1, 1e-15);
        CHECK_NEAR(conductance(&r, "s2"), points[i].s2, 1e-15);
    }
    rig_set(&r, "i(v1)", 1.19e-3);
    CHECK_NEAR(conductance(&r, "w1"), 1e-6, 1e-18);
    rig_set(&r, "i(v1)", 1.21e-3);
    CHECK_NEAR(conductance(&r, "w1"), 0.2, 1e-15);
    rig_close(&r);
}

/* Held on a side, the switch stays there whatever the control does, and the next threshold is the other one. */
static void held_switch_remembers(void)
{
    struct rig r = rig_need(sharp);
    const struct device_family *s = family_of(&r, 's');
    CU_ASSERT_EQUAL_FATAL(s->class->switch_count(s->batch), 2);
    CU_ASSERT(s->class->switches_remember);
    double g[2];
    rig_set(&r, "v(c)", 2);
    s->class->hold(s->batch, 0, 1);
    s->class->hold(s->batch, 1, -1);
    s->class->switches(s->batch, instant_at(0), r.x, g);
    CHECK_NEAR(g[0], 2 - 1.5, 1e-15);
    CHECK_NEAR(g[1], 2 - 2.5, 1e-15);
    CU_ASSERT_EQUAL(s->class->switch_at_zero(s->batch, 0), SWITCH_REST_KEEPS);
    CHECK_NEAR(conductance(&r, "s1"), 0.1, 1e-15);
    CHECK_NEAR(conductance(&r, "s2"), 1e-3, 1e-15);
    rig_close(&r);
}

static const char smooth[] = "smooth\n"
                             "V1 c 0 0\n"
                             "S1 a b c d sm\n"
                             "S2 a b c d vs\n"
                             "S3 a b a b vs\n"
                             "W1 a b V1 ws\n"
                             ".model sm sw(vt=0.5 vh=-0.3 ron=10 roff=100k)\n"
                             ".model vs vswitch(von=-1 voff=1 ron=1 roff=1meg)\n"
                             ".model ws iswitch(ion=2 ioff=-2)\n"
                             ".op\n";

/* Level 2 and limits, bent and sharp. */
static const char limited[] = "limited\n"
                              "V1 c 0 0\n"
                              "S1 a b c d two\n"
                              "S2 a b c d one m=2\n"
                              "W1 a b V1 ws\n"
                              ".model two sw(level=2 vt=0.5 vh=-0.3 ron=10 roff=100k ilimit=20m)\n"
                              ".model one sw(vt=0.5 vh=-0.6 ron=10 roff=100k ilimit=5m)\n"
                              ".model ws csw(level=2 it=0.1 ih=-0.4 ron=10 roff=1k ilimit=30m)\n"
                              ".op\n";

static void check_derivatives(const char *deck)
{
    struct rig r = rig_need(deck);
    uint64_t seed = 4;
    for (int i = 0; i < 50; i++) {
        rig_random_point(&r, &seed, -1.5, 1.5);
        CU_ASSERT(rig_derivative_error(&r, 0, 1e-4, 0, 1e-5) < 1);
    }
    rig_close(&r);
}

static void smooth_switch_has_exact_derivatives(void)
{
    check_derivatives(smooth);
    check_derivatives(limited);
}

/* The geometric mean of both resistances in the middle, and each of them from the ends of the transition on. */
static void smooth_switch_goes_between_its_resistances(void)
{
    struct rig r = rig_need(smooth);
    static const struct {
        double control, s1, s2;
    } points[] = {{0.2, 1e-5, 0}, {0.5, 1e-3, 0}, {0.8, 0.1, 0}, {3, 0.1, 1e-6}, {0, 0, 1e-3}, {-1, 1e-5, 1}};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        rig_set(&r, "v(c)", points[i].control);
        if (points[i].s1 > 0)
            CHECK_NEAR(conductance(&r, "s1"), points[i].s1, 1e-9 * points[i].s1);
        if (points[i].s2 > 0)
            CHECK_NEAR(conductance(&r, "s2"), points[i].s2, 1e-9 * points[i].s2);
    }
    const struct device_family *s = family_of(&r, 's');
    CU_ASSERT_EQUAL(s->class->switch_count(s->batch), 0);
    rig_close(&r);
}

static void models_that_contradict_themselves_are_refused(void)
{
    struct rig r = rig_open("equal\nV1 a 0 1\nS1 a 0 a 0 m\n.model m vswitch(von=1 voff=1)\n.op\n");
    CU_ASSERT_EQUAL(r.status, KN_ERROR_DECK);
    CU_ASSERT_PTR_NOT_NULL(rig_said(&r, "switch-model"));
    rig_close(&r);
    r = rig_open("both\nV1 a 0 1\nS1 a 0 a 0 m\n.model m sw(vt=1 von=1 voff=0)\n.op\n");
    CU_ASSERT_EQUAL(r.status, KN_OK);
    CU_ASSERT_PTR_NOT_NULL(rig_said(&r, "switch-model"));
    rig_close(&r);
    r = rig_open("no current\nR1 a 0 1\nW1 a 0 R1 m\n.model m csw(it=1)\n.op\n");
    CU_ASSERT_EQUAL(r.status, KN_ERROR_DECK);
    rig_close(&r);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(free_switch_is_on_above_both_thresholds_and_off_below),
        CLAIM(held_switch_remembers),
        CLAIM(smooth_switch_has_exact_derivatives),
        CLAIM(smooth_switch_goes_between_its_resistances),
        CLAIM(models_that_contradict_themselves_are_refused),
    };
    return run_claims("switches", claims, sizeof claims / sizeof claims[0]);
}
