/* test_tutorial.c - the tunnel diode of docs/tutorial-device.md, in a catalogue that is put in front of the others. */
#include "devices/semiconductor/tunnel_diode.c" /* written by the build from the page */

#include "harness.h"

static const struct element_kind *const own[] = {&tunnel_diode_class.kind, NULL};
static const struct catalogue catalogue = {.kinds = own, .more = &device_catalogue};

static const char deck[] = "title\nD1 a b esaki\nD2 a b d\n.model esaki tunnel(ip=2m vp=80m is=1p cj=5p)\n.model d d\n";

static struct rig need(const char *text)
{
    struct rig r = rig_open_with(&catalogue, text);
    CU_ASSERT_EQUAL_FATAL(r.status, KN_OK);
    return r;
}

static const struct element *element(const struct rig *r, const char *name)
{
    return &r->c->elements[circuit_find_element(r->c, name)];
}

static void the_type_of_the_model_tells_the_kind(void)
{
    struct rig r = need(deck);
    CU_ASSERT_PTR_EQUAL(element(&r, "D1")->kind, &tunnel_diode_class.kind);
    CU_ASSERT_PTR_EQUAL(element(&r, "D2")->kind, &diode_class.kind);
    CU_ASSERT_EQUAL(r.families.count, 2);
    rig_close(&r);
}

/* The formula of the page at a few voltages, by hand; e^1 Ip/Vp is the slope in reverse. */
static void the_current_is_that_of_the_closed_form(void)
{
    struct rig r = need("title\nD1 a 0 esaki\n.model esaki tunnel(ip=2m vp=80m is=1p cj=5p)\n");
    const double thermal = 8.617333262e-5 * 300.15;
    for (double v = -0.5; v <= 0.6; v += 0.01) {
        const double tunnel = v > 0 ? 2e-3 * (v / 0.08) * exp(1 - v / 0.08) : 2e-3 * exp(1) / 0.08 * v;
        const double expected = tunnel + 1e-12 * (exp(v / thermal) - 1);
        rig_set(&r, "v(a)", v);
        r.gmin = 0;
        rig_evaluate(&r, 1, r.x);
        CHECK_NEAR(r.f[rig_unknown(&r, "v(a)")], expected, 1e-9 * fabs(expected) + 1e-20);
        CHECK_NEAR(r.q[rig_unknown(&r, "v(a)")], 5e-12 * v, 1e-24);
        CHECK_NEAR(rig_current(&r, "D1", 0, 1), expected, 1e-9 * fabs(expected) + 1e-20);
    }
    rig_close(&r);
}

/* At 0 V the second derivative jumps, which differences do not see sharply. */
static void derivatives_agree_with_differences(void)
{
    struct rig r = need(deck);
    uint64_t seed = 20261122;
    for (int i = 0; i < 200; i++) {
        const double v = rig_random(&seed, 0.01, 0.5);
        rig_set(&r, "v(b)", rig_random(&seed, -1, 1));
        r.x[rig_unknown(&r, "v(a)")] = r.x[rig_unknown(&r, "v(b)")] + (i % 2 ? v : -v);
        CU_ASSERT(rig_derivative_error(&r, 1, 1e-3, 1, 1e-7) <= 1);
    }
    rig_close(&r);
}

static void it_consists_of_a_junction_and_a_charge(void)
{
    struct rig r = need(deck);
    struct branch_list list = rig_branches(&r);
    CU_ASSERT_EQUAL_FATAL(list.count, 3);
    CU_ASSERT_EQUAL(list.branches[0].kind, BRANCH_R);
    CU_ASSERT_EQUAL(list.branches[1].kind, BRANCH_C);
    CU_ASSERT_PTR_EQUAL(list.branches[1].element, element(&r, "D1"));
    branch_list_free(&list);
    rig_close(&r);
}

static void a_wrong_parameter_is_said_with_its_noun(void)
{
    struct rig r = rig_open_with(&catalogue, "title\nD1 a 0 esaki zz=1\n.model esaki tunnel(ip=-1)\n");
    CU_ASSERT_EQUAL(r.status, KN_ERROR_DECK);
    CU_ASSERT_PTR_NOT_NULL(rig_said(&r, "parameter-range"));
    const struct kn_diagnostic *unknown = rig_said(&r, "unknown-parameter");
    CU_ASSERT_PTR_NOT_NULL_FATAL(unknown);
    CU_ASSERT_PTR_NOT_NULL(strstr(unknown->text, "tunnel diode 'D1'"));
    rig_close(&r);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(the_type_of_the_model_tells_the_kind),    CLAIM(the_current_is_that_of_the_closed_form),
        CLAIM(derivatives_agree_with_differences),      CLAIM(it_consists_of_a_junction_and_a_charge),
        CLAIM(a_wrong_parameter_is_said_with_its_noun),
    };
    return run_claims("tutorial", claims, sizeof claims / sizeof *claims);
}
