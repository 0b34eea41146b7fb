/* Claims about what all junctions share: exponential, depletion charge, temperature laws, limiting. */
#include "claims.h"
#include "devices/device.h"
#include "devices/junction/junction.h"

#include <float.h>

static void exponential_goes_on_as_its_tangent(void)
{
    double slope;
    CU_ASSERT_EQUAL(junction_exp(3, &slope), exp(3));
    CU_ASSERT_EQUAL(slope, exp(3));
    const double top = exp(JUNCTION_EXP_LIMIT);
    CHECK_NEAR(junction_exp(JUNCTION_EXP_LIMIT + 2, &slope) / top, 3, 1e-14);
    CHECK_NEAR(slope / top, 1, 1e-14);
    CU_ASSERT(isfinite(junction_exp(1e6, &slope)));
}

static void current_is_that_of_shockley_down_to_round_off(void)
{
    const struct junction_law law = {1e-14, 40};
    for (double v = -2; v < 1; v += 1e-3) {
        double g;
        const double i = junction_current(&law, v, &g);
        CHECK_NEAR(i, 1e-14 * (exp(40 * v) - 1), 2e-16 * (fabs(i) + 1e-14));
        CHECK_NEAR(g, 4e-13 * exp(40 * v), 1e-15 * g + 4e-13 * 6e-17);
    }
}

/* Antiderivatives of Cj0 (1 - v/Vj)^-M by hand. */
static void depletion_charge_by_hand(void)
{
    double c;
    const struct depletion abrupt = depletion_of(2, 0.8, 0.5, 0.5); /* Q = 2 Cj0 Vj (1 - sqrt(1 - v/Vj)) */
    CHECK_NEAR(depletion_charge(&abrupt, -2.4, &c), 2 * 2 * 0.8 * (1 - 2), 1e-14);
    CHECK_NEAR(c, 1, 1e-15);
    const struct depletion cubic = depletion_of(1, 1, 2.0 / 3, 0.5); /* Q = 3 Cj0 Vj (1 - cbrt(1 - v/Vj)) */
    CHECK_NEAR(depletion_charge(&cubic, -7, &c), 3 * (1 - 2), 1e-14);
    CHECK_NEAR(c, 0.25, 1e-15);
    const struct depletion hyper = depletion_of(1, 0.5, 1, 0.5); /* Q = -Cj0 Vj ln(1 - v/Vj) */
    CHECK_NEAR(depletion_charge(&hyper, -0.5, &c), -0.5 * log(2), 1e-15);
    CHECK_NEAR(c, 0.5, 1e-15);
    const struct depletion steep = depletion_of(1, 1, 1.5, 0.5); /* Q = 2 Cj0 Vj ((1 - v/Vj)^-1/2 - 1) */
    CHECK_NEAR(depletion_charge(&steep, -3, &c), -1, 1e-14);
    CHECK_NEAR(c, 0.125, 1e-15);
    CHECK_NEAR(depletion_charge(&steep, 0, &c), 0, 0);
}

static void depletion_above_the_bend_is_spices_parabola(void)
{
    /* SPICE: Q = Cj0 (F1 + (F3 (v - Fc Vj) + M/(2 Vj) (v^2 - (Fc Vj)^2)) / F2), C = Cj0/F2 (F3 + M v/Vj),
     * F1 = Vj/(1-M) (1 - (1-Fc)^(1-M)), F2 = (1-Fc)^(1+M), F3 = 1 - Fc (1+M). */
    const double cj = 3e-12, vj = 0.7, m = 0.35, fc = 0.6, bend = fc * vj;
    const double f1 = vj / (1 - m) * (1 - pow(1 - fc, 1 - m)), f2 = pow(1 - fc, 1 + m), f3 = 1 - fc * (1 + m);
    const struct depletion d = depletion_of(cj, vj, m, fc);
    for (double v = bend + 0.01; v < 3; v += 0.1) {
        double c;
        const double q = depletion_charge(&d, v, &c);
        CHECK_NEAR(q, cj * (f1 + (f3 * (v - bend) + m / (2 * vj) * (v * v - bend * bend)) / f2), 1e-14 * q);
        CHECK_NEAR(c, cj / f2 * (f3 + m * v / vj), 1e-14 * c);
    }
}

static void depletion_is_smooth_and_its_capacitance_is_the_derivative(void)
{
    static const double gradings[] = {0, 0.2, 0.5, 1, 1.3};
    for (size_t k = 0; k < sizeof gradings / sizeof *gradings; k++) {
        const struct depletion d = depletion_of(1, 0.75, gradings[k], 0.5);
        const double h = 1e-5;
        for (double v = -5.0003; v < 2; v += 0.01) {
            double c, c_up, c_down;
            depletion_charge(&d, v, &c);
            const double up = depletion_charge(&d, v + h, &c_up), down = depletion_charge(&d, v - h, &c_down);
            CHECK_NEAR((up - down) / (2 * h), c, 1e-8 * c);
            CU_ASSERT(c_up >= c_down);
            CU_ASSERT(c_up - c_down < 1e-3);
        }
    }
}

static void gap_of_silicon_is_varshnis(void)
{
    /* 1.16 - 7.02e-4 * 300.15^2 / (300.15 + 1108) = 1.115088 eV */
    CHECK_NEAR(thermal_gap(300.15), 1.1150877, 1e-7);
}

static void nominal_temperature_changes_nothing(void)
{
    const struct thermal t = thermal_of(27, 27);
    CHECK_NEAR(thermal_potential(&t, 0.8), 0.8, 1e-15);
    CHECK_NEAR(thermal_capacitance(&t, 2e-12, 0.8, 0.4), 2e-12, 1e-27);
    CHECK_NEAR(thermal_saturation(&t, 1.11, 3, 1.5), 1, 1e-15);
    CHECK_NEAR(t.voltage, 0.025864926, 1e-8);
}

static void hot_junction_by_hand(void)
{
    /* T = 400.15 K, Tn = 300.15 K: ratio 1.3331667, Vt = 0.03448226, Eg(T) = 1.16 - 7.02e-4 * 160120.02 / 1508.15 =
     * 1.0854688.  Vj = 0.75: 1.3331667 * (0.75 - 1.1150877) + 1.0854688 - 3 * 0.03448226 * ln(1.3331667) = 0.5689991.
     * Cj: 1 + 0.4 (4e-4 * 100 - (0.5689991 - 0.75)/0.75) = 1.1125338. */
    const struct thermal t = thermal_of(127, 27);
    CHECK_NEAR(thermal_potential(&t, 0.75), 0.5689991, 1e-7);
    CHECK_NEAR(thermal_capacitance(&t, 1, 0.75, 0.4), 1.1125338, 2e-7);
    /* Is: (ratio - 1) 1.11 / Vt = 10.7247931, + 3 ln ratio = 0.8626714: exp(11.5874645) = 107738.7 */
    CHECK_NEAR(thermal_saturation(&t, 1.11, 3, 1) / 107738.7, 1, 1e-6);
}

static void capacitance_law_refers_to_27_degrees_whatever_the_nominal_temperature(void)
{
    /* Moving from 50 to 27 and from 27 to 50 degrees are inverse to each other. */
    const struct thermal down = thermal_of(27, 50), up = thermal_of(50, 27);
    const double potential = thermal_potential(&down, 0.7), capacitance = thermal_capacitance(&down, 1e-12, 0.7, 0.33);
    CHECK_NEAR(thermal_potential(&up, potential), 0.7, 1e-15);
    CHECK_NEAR(thermal_capacitance(&up, capacitance, potential, 0.33), 1e-12, 1e-26);
}

static void junction_far_from_critical_is_not_limited(void)
{
    const double rate = 40, critical = 0.7;
    CU_ASSERT_EQUAL(junction_limit(0.6, -20, rate, critical), 0.6);     /* below critical: any jump */
    CU_ASSERT_EQUAL(junction_limit(-100, 0.9, rate, critical), -100.0); /* falling */
    CU_ASSERT_EQUAL(junction_limit(0.9, 0.88, rate, critical), 0.9);    /* less than a thermal voltage */
    CU_ASSERT_EQUAL(junction_limit(0.72, -3, rate, critical), 0.72);    /* the same, seen from the critical one */
}

static void junction_rises_logarithmically_and_monotonically(void)
{
    const double rate = 40, critical = 0.7;
    CHECK_NEAR(junction_limit(5, 0, rate, critical), log(201) / 40, 1e-15);
    CHECK_NEAR(junction_limit(5, -8, rate, critical), log(201) / 40, 1e-15);
    CHECK_NEAR(junction_limit(5, 0.5, rate, critical), 0.5 + log(181) / 40, 1e-15);
    CHECK_NEAR(junction_limit(1.75, 0.75, rate, critical), 0.75 + log(41) / 40, 1e-15);
    double before = 0.75;
    for (double v = 0.85; v < 1000; v *= 1.3) {
        const double limited = junction_limit(v, 0.75, rate, critical);
        CU_ASSERT(limited >= before && limited <= v);
        before = limited;
    }
    CU_ASSERT(isnan(junction_limit(NAN, 0.5, rate, critical))); /* a broken proposal stays visible */
}

static void junction_without_saturation_current_is_never_limited(void)
{
    const struct junction_law law = {0, 40};
    CU_ASSERT_EQUAL(junction_limit(50, 0, 40, junction_critical_voltage(&law)), 50.0);
}

static void critical_voltage_is_at_least_a_thermal_voltage(void)
{
    const struct junction_law huge = {10, 40}; /* otherwise -0.158 V */
    const double critical = junction_critical_voltage(&huge);
    CHECK_NEAR(critical, 1.0 / 40, 1e-15);
    CU_ASSERT(junction_limit(0.1, -3, 40, critical) > 0);
}

static void gate_and_drain_limits_are_those_of_nagel(void)
{
    /* threshold 1 V; off: up to half a volt above; on: at most down to half a volt below or up to 4 V above */
    CHECK_NEAR(fet_limit_gate(5, 0, 1), 1.5, 1e-15);
    CHECK_NEAR(fet_limit_gate(1.2, 0, 1), 1.2, 0);
    CHECK_NEAR(fet_limit_gate(-5, 0, 1), -5, 0);
    CHECK_NEAR(fet_limit_gate(-5, 2, 1), 0.5, 1e-15);
    CHECK_NEAR(fet_limit_gate(9, 2, 1), 5, 1e-15);
    CHECK_NEAR(fet_limit_gate(100, 11, 1), 11 + 22, 1e-13); /* well on: 2 (11 - 1) + 2 up */
    CHECK_NEAR(fet_limit_gate(-100, 11, 1), 3, 1e-15);
    CHECK_NEAR(fet_limit_drain(10, 1), 4, 0);
    CHECK_NEAR(fet_limit_drain(-3, 1), -0.5, 0);
    CHECK_NEAR(fet_limit_drain(100, 5), 17, 0);
    CHECK_NEAR(fet_limit_drain(0, 5), 2, 0);
    CHECK_NEAR(fet_limit_drain(4, 5), 4, 0);
}

/* mosfet.c asks for no limits then. */
static void small_changes_of_gate_and_drain_are_not_limited(void)
{
    for (double threshold = -3; threshold <= 3; threshold += 0.37)
        for (double previous = -6; previous <= 6; previous += 0.13)
            for (double change = -0.499; change < 0.5; change += 0.0499) {
                CU_ASSERT_EQUAL(fet_limit_gate(previous + change, previous, threshold), previous + change);
                if (previous >= 0)
                    CU_ASSERT_EQUAL(fet_limit_drain(previous + change, previous), previous + change);
            }
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(exponential_goes_on_as_its_tangent),
        CLAIM(current_is_that_of_shockley_down_to_round_off),
        CLAIM(depletion_charge_by_hand),
        CLAIM(depletion_above_the_bend_is_spices_parabola),
        CLAIM(depletion_is_smooth_and_its_capacitance_is_the_derivative),
        CLAIM(gap_of_silicon_is_varshnis),
        CLAIM(nominal_temperature_changes_nothing),
        CLAIM(hot_junction_by_hand),
        CLAIM(capacitance_law_refers_to_27_degrees_whatever_the_nominal_temperature),
        CLAIM(junction_far_from_critical_is_not_limited),
        CLAIM(junction_rises_logarithmically_and_monotonically),
        CLAIM(junction_without_saturation_current_is_never_limited),
        CLAIM(critical_voltage_is_at_least_a_thermal_voltage),
        CLAIM(gate_and_drain_limits_are_those_of_nagel),
        CLAIM(small_changes_of_gate_and_drain_are_not_limited),
    };
    return run_claims("junction", claims, sizeof claims / sizeof *claims);
}
