/* Claims about windings on cores: exact derivatives, and the smooth law against Jiles and Atherton's own. */
#include "devices/magnetic/hysteresis.h"
#include "harness.h"

static void derivatives_are_exact(void)
{
    uint64_t seed = 20261122;
    struct rig r = rig_need(
        "core\nV1 a 0 1\nL1 a 0 200\nL2 b c 100\nL3 d 0 -30\nR2 b c 1\nR3 d 0 5\nR4 c 0 1\nK1 L1 L2 L3 0.9 iron\n"
        ".model iron core(c=0.3 gap=0.01 a=1e5 k=1e5 betah=0.1 betam=0.1 delvscaling=3)\n");
    for (int i = 0; i < 100; i++) {
        rig_random_point(&r, &seed, -0.8, 0.8);
        CU_ASSERT(rig_derivative_error(&r, 0, 1e-4, 1e-3, 1e-9) < 1);
    }
    rig_close(&r);
}

/* Central differences of the slope itself, over fields, magnetisations and signs of all sizes. */
static void the_slope_of_the_slope_is_exact(void)
{
    uint64_t seed = 7;
    for (int i = 0; i < 1000; i++) {
        const struct hysteresis h = {.saturation = 4e5,
                                     .shape = rig_random(&seed, 10, 2000),
                                     .pinning = rig_random(&seed, 20, 1000),
                                     .flexing = rig_random(&seed, 0, 1),
                                     .domains = rig_random(&seed, 0, 1e-4),
                                     .gap = rig_random(&seed, 0, 0.02),
                                     .round_field = 20,
                                     .round_distance = 1e3};
        const double field = rig_random(&seed, -3000, 3000), m = rig_random(&seed, -4e5, 4e5),
                     sign = rig_random(&seed, -1, 1);
        const struct hysteresis_slope at = hysteresis_slope(&h, field, m, sign);
        const double d[3] = {0.1, 10, 1e-5};
        const double differences[3] = {
            (hysteresis_slope(&h, field + d[0], m, sign).value - hysteresis_slope(&h, field - d[0], m, sign).value) /
                (2 * d[0]),
            (hysteresis_slope(&h, field, m + d[1], sign).value - hysteresis_slope(&h, field, m - d[1], sign).value) /
                (2 * d[1]),
            (hysteresis_slope(&h, field, m, sign + d[2]).value - hysteresis_slope(&h, field, m, sign - d[2]).value) /
                (2 * d[2])};
        CU_ASSERT(at.value >= 0);
        CHECK_NEAR(at.field, differences[0], 1e-3 * fabs(differences[0]) + 1e-9 * at.value);
        CHECK_NEAR(at.magnetisation, differences[1], 1e-3 * fabs(differences[1]) + 1e-10 * at.value);
        CHECK_NEAR(at.sign, differences[2], 1e-5 * fabs(differences[2]) + 1e-8 * at.value);
    }
}

/* Where nothing is rounded: Mirr' = (Man - M)/k while the field moves towards Man, 0 while it moves away. */
static void far_from_the_curve_it_is_jiles_and_athertons(void)
{
    const struct hysteresis h = {
        .saturation = 1e6, .shape = 1e3, .pinning = 500, .round_field = 1e-9, .round_distance = 1e-9};
    const double man = 1e6 * 500 / 1500;
    CHECK_NEAR(hysteresis_slope(&h, 500, 1e5, 1).value, (man - 1e5) / 500, 1e-9);
    CHECK_NEAR(hysteresis_slope(&h, 500, 1e5, -1).value, 0, 1e-9);
    CHECK_NEAR(hysteresis_slope(&h, 500, 5e5, -1).value, (5e5 - man) / 500, 1e-9);
}

static void a_winding_needs_turns_and_one_core(void)
{
    struct rig none = rig_open("core\nL1 a 0 0\nR1 a 0 1\nK1 L1 1 iron\n.model iron core\n");
    CU_ASSERT_PTR_NOT_NULL(rig_said(&none, "core"));
    rig_close(&none);
    struct rig both = rig_open("core\nL1 a 0 10\nL2 a 0 10\nR1 a 0 1\nK1 L1 1 iron\nK2 L1 L2 0.5\n.model iron core\n");
    CU_ASSERT_PTR_NOT_NULL(rig_said(&both, "coupling"));
    rig_close(&both);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(derivatives_are_exact),
        CLAIM(the_slope_of_the_slope_is_exact),
        CLAIM(far_from_the_curve_it_is_jiles_and_athertons),
        CLAIM(a_winding_needs_turns_and_one_core),
    };
    return run_claims("core", claims, sizeof claims / sizeof *claims);
}
