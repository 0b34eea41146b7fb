/* The integral that a reset holds, idt(x,ic,reset). */
#include "harness.h"

/* Accepts the rig's point for all families that remember. */
static void go_on(struct rig *r, double time)
{
    for (size_t i = 0; i < r->families.count; i++) {
        const struct device_family *f = &r->families.families[i];
        if (f->class->accept)
            CU_ASSERT_TRUE(f->class->accept(f->batch, (struct instant){.time = time}, r->x, 1, true));
    }
}

static double row_of(struct rig *r)
{
    rig_evaluate(r, 0, r->x);
    return r->f[rig_unknown(r, "v(b1#idt)")];
}

/* y = r c + (1 - r)(u + o) with o = y - u where the last reset ended. */
static void what_is_held_goes_on_from_where_a_reset_ends(void)
{
    struct rig r = rig_need("t\nV1 a 0 1\nV2 b 0 1\nV3 c 0 1\nB1 y 0 V=idt(V(a),V(b),V(c)>0.5)\n");
    rig_set(&r, "v(b1#sum)", 0.25);
    rig_set(&r, "v(b1#initial)", 3);
    rig_set(&r, "v(b1#idt)", 3.25); /* before anything has begun: c + u */
    CHECK_NEAR(row_of(&r), 0, 1e-15);
    rig_set(&r, "v(b1#reset)", 1);
    rig_set(&r, "v(b1#idt)", 3);
    CHECK_NEAR(row_of(&r), 0, 1e-15);
    go_on(&r, 0);
    rig_set(&r, "v(b1#initial)", 5);
    rig_set(&r, "v(b1#idt)", 5);
    CHECK_NEAR(row_of(&r), 0, 1e-15);
    go_on(&r, 1); /* the reset ends with 5, u = 0.25 */
    rig_set(&r, "v(b1#reset)", 0);
    rig_set(&r, "v(b1#initial)", 7);
    rig_set(&r, "v(b1#sum)", 1.25);
    rig_set(&r, "v(b1#idt)", 6);
    CHECK_NEAR(row_of(&r), 0, 1e-15);
    go_on(&r, 2);
    rig_set(&r, "v(b1#sum)", 2.25);
    rig_set(&r, "v(b1#idt)", 7);
    CHECK_NEAR(row_of(&r), 0, 1e-15);
    rig_close(&r);
}

static void derivatives_are_exact_before_and_after_the_begin(void)
{
    struct rig r = rig_need("t\nV1 a 0 1\nV2 b 0 1\nV3 c 0 1\nB1 y 0 V=idt(V(a),V(b),V(c)>0.5)\n");
    uint64_t seed = 20261128;
    for (int i = 0; i < 20; i++) {
        rig_random_point(&r, &seed, -3, 3);
        if (fabs(r.x[rig_unknown(&r, "v(c)")] - 0.5) > 0.01) /* where the condition does not change */
            CU_ASSERT_TRUE(rig_derivative_error(&r, 0, 1e-2, 1e-2, 1e-6) <= 1.0);
        go_on(&r, i);
    }
    rig_close(&r);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(what_is_held_goes_on_from_where_a_reset_ends),
        CLAIM(derivatives_are_exact_before_and_after_the_begin),
    };
    return run_claims("held integrals", claims, sizeof claims / sizeof *claims);
}
