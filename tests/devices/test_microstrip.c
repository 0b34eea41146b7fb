/* Claims about microstrip/: what an imaginary step of the frequency tells, and where the formulas meet. */
#include "claims.h"
#include "devices/microstrip/microstrip.h"

static const struct microstrip alumina = {.width = 1e-3,
                                          .height = 1e-3,
                                          .thickness = 35e-6,
                                          .gap = 0.3e-3,
                                          .permittivity = 9.8,
                                          .loss = 1e-3,
                                          .resistivity = 0.022e-6,
                                          .roughness = 0.15e-6};

static struct microstrip_wave at(const struct microstrip *m, double complex f)
{
    const struct microstrip_rest rest = microstrip_at_rest(m);
    return microstrip_at(m, &rest, f);
}

/* Against the difference over 1e-4 of the frequency, whose error is of third order: 1e-8 of what the formulas bend. */
static void check_slope(double complex told, double before, double after, double step)
{
    const double slope = (after - before) / step;
    CHECK_NEAR(cimag(told) * 1e30, slope, 1e-6 * fabs(slope) + 1e-7 * fabs(creal(told)));
}

static void check_slopes(struct microstrip m)
{
    for (double f = 1e8; f < 3e10; f *= 1.7) {
        const double part = 1e-4;
        const struct microstrip_wave told = at(&m, f + I * 1e-30 * f), before = at(&m, f * (1 - part / 2)),
                                     after = at(&m, f * (1 + part / 2));
        check_slope(told.impedance, creal(before.impedance), creal(after.impedance), part);
        check_slope(told.attenuation, creal(before.attenuation), creal(after.attenuation), part);
        check_slope(told.phase, creal(before.phase), creal(after.phase), part);
        CU_ASSERT(creal(told.impedance) > 0 && creal(told.attenuation) > 0 && creal(told.phase) > 0);
    }
}

static void an_imaginary_step_of_the_frequency_is_a_derivative(void)
{
    for (int dispersion = DISPERSION_KIRSCHNING; dispersion <= DISPERSION_NONE; dispersion++) {
        struct microstrip m = alumina;
        m.dispersion = (enum microstrip_dispersion)dispersion;
        check_slopes(m);
        m.width = 0.5e-3; /* where Kobayashi's exponent depends on the frequency */
        check_slopes(m);
    }
    for (int mode = STRIP_EVEN; mode <= STRIP_ODD; mode++)
        for (int dispersion = DISPERSION_KIRSCHNING; dispersion <= DISPERSION_NONE; dispersion++) {
            struct microstrip m = alumina;
            m.mode = (enum microstrip_mode)mode;
            m.dispersion = (enum microstrip_dispersion)dispersion;
            if (dispersion == DISPERSION_KIRSCHNING || dispersion == DISPERSION_GETSINGER)
                check_slopes(m);
        }
}

/* Kirschning and Jansen tell both pairs' formulas to be those of the same field; theirs are exact within 0.6 % and 0.5 %. */
static void formulas_of_pairs_agree(void)
{
    for (double u = 0.3; u < 5; u *= 1.6)
        for (double g = 0.15; g < 5; g *= 1.6)
            for (int mode = STRIP_EVEN; mode <= STRIP_ODD; mode++) {
                struct microstrip m = alumina;
                m.width = u * m.height;
                m.gap = g * m.height;
                m.thickness = 0;
                m.mode = (enum microstrip_mode)mode;
                const struct microstrip_rest a = microstrip_at_rest(&m);
                m.model = STRIP_KIRSCHNING;
                const struct microstrip_rest b = microstrip_at_rest(&m);
                CHECK_NEAR(a.impedance, b.impedance, 0.02 * b.impedance);
                CHECK_NEAR(a.permittivity, b.permittivity, 0.03 * b.permittivity);
            }
}

static void far_apart_both_modes_are_a_strip_alone(void)
{
    for (int model = STRIP_HAMMERSTAD; model <= STRIP_KIRSCHNING; model++)
        for (int mode = STRIP_EVEN; mode <= STRIP_ODD; mode++) {
            struct microstrip m = alumina;
            m.thickness = 0;
            m.gap = 30 * m.height;
            m.mode = (enum microstrip_mode)mode;
            m.model = (enum microstrip_model)model;
            const struct microstrip_rest pair = microstrip_at_rest(&m);
            CHECK_NEAR(pair.impedance, pair.alone_impedance, 0.01 * pair.alone_impedance);
            CHECK_NEAR(pair.permittivity, pair.alone_permittivity, 0.01 * pair.alone_permittivity);
        }
}

static void without_a_substrate_nothing_is_dispersed_or_lost_in_it(void)
{
    struct microstrip m = alumina;
    m.permittivity = 1;
    m.resistivity = 0;
    for (int dispersion = DISPERSION_KIRSCHNING; dispersion <= DISPERSION_NONE; dispersion++) {
        m.dispersion = (enum microstrip_dispersion)dispersion;
        const struct microstrip_rest rest = microstrip_at_rest(&m);
        const struct microstrip_wave wave = microstrip_at(&m, &rest, 1e10);
        CU_ASSERT_EQUAL(creal(wave.impedance), rest.impedance);
        CU_ASSERT_EQUAL(creal(wave.attenuation), 0);
    }
}

int main(void)
{
    const struct claim claims[] = {
        CLAIM(an_imaginary_step_of_the_frequency_is_a_derivative),
        CLAIM(formulas_of_pairs_agree),
        CLAIM(far_apart_both_modes_are_a_strip_alone),
        CLAIM(without_a_substrate_nothing_is_dispersed_or_lost_in_it),
    };
    return run_claims("microstrip", claims, sizeof claims / sizeof *claims);
}
