/* junction.c - the parts of junction.h that are not in the time loop: temperature laws, the constants of the depletion
 * charge, and the limiting rules.
 */
#include "devices/semiconductor/junction.h"

#include "devices/device.h"

/* Silicon parameters in SPICE refer to 27 degrees Celsius. */
#define REFERENCE_KELVIN 300.15

struct depletion depletion_of(double capacitance, double potential, double grading, double fc)
{
    struct depletion d = {.capacitance = capacitance,
                          .potential = potential,
                          .grading = grading,
                          .kind = grading == 0.5   ? GRADING_ABRUPT
                                  : grading == 1.0 ? GRADING_LOGARITHMIC
                                                   : GRADING_GENERAL,
                          .inverse_potential = 1 / potential,
                          .bend = HUGE_VAL};
    if (d.kind != GRADING_LOGARITHMIC)
        d.scale = capacitance * potential / (1 - grading);
    d.bend_charge = depletion_charge(&d, fc * potential, &d.bend_capacitance);
    d.bend_slope = d.bend_capacitance * grading / (potential * (1 - fc));
    d.bend = fc * potential;
    return d;
}

static double gap_at(struct gap_law law, double kelvin)
{
    return law.at_zero - law.slope * kelvin * kelvin / (kelvin + law.offset);
}

static const struct gap_law silicon = {1.16, 7.02e-4, 1108};

double thermal_gap(double kelvin)
{
    return gap_at(silicon, kelvin);
}

void thermal_set_gap(struct thermal *t, struct gap_law law)
{
    t->law = law;
    t->gap = gap_at(law, t->kelvin);
    t->nominal_gap = gap_at(law, t->nominal);
}

struct thermal thermal_of(double celsius, double nominal_celsius)
{
    struct thermal t = {.kelvin = celsius + DEVICE_KELVIN, .nominal = nominal_celsius + DEVICE_KELVIN};
    t.voltage = t.kelvin * (DEVICE_BOLTZMANN / DEVICE_CHARGE);
    t.nominal_voltage = t.nominal * (DEVICE_BOLTZMANN / DEVICE_CHARGE);
    t.ratio = t.kelvin / t.nominal;
    thermal_set_gap(&t, silicon);
    return t;
}

/* phi(T) = phi(T0) T/T0 - 3 Vt ln(T/T0) - Eg(T0) T/T0 + Eg(T). */
static double move_potential(struct gap_law gap, double potential, double from, double to)
{
    const double ratio = to / from;
    const double voltage = to * (DEVICE_BOLTZMANN / DEVICE_CHARGE);
    return ratio * (potential - gap_at(gap, from)) - 3 * voltage * log(ratio) + gap_at(gap, to);
}

double thermal_potential(const struct thermal *t, double nominal_potential)
{
    return fmax(move_potential(t->law, nominal_potential, t->nominal, t->kelvin), JUNCTION_LEAST_POTENTIAL);
}

/* 1 + M (4e-4 (T - Tref) - (phi(T) - phi(Tref)) / phi(Tref)): capacitance relative to the one at the reference. */
static double capacitance_growth(double potential, double kelvin, double reference_potential, double grading)
{
    return 1 + grading * (4e-4 * (kelvin - REFERENCE_KELVIN) - (potential - reference_potential) / reference_potential);
}

double thermal_capacitance(const struct thermal *t, double nominal_capacitance, double nominal_potential,
                           double grading)
{
    const double reference = move_potential(t->law, nominal_potential, t->nominal, REFERENCE_KELVIN);
    const double hot = thermal_potential(t, nominal_potential);
    return nominal_capacitance * capacitance_growth(hot, t->kelvin, reference, grading) /
           capacitance_growth(nominal_potential, t->nominal, reference, grading);
}

double thermal_saturation(const struct thermal *t, double gap, double exponent, double emission)
{
    return exp(((t->ratio - 1) * gap / t->voltage + exponent * log(t->ratio)) / emission);
}

double junction_critical_voltage(const struct junction_law *law)
{
    if (!(law->saturation > 0))
        return HUGE_VAL;
    return fmax(log(1 / (law->rate * sqrt(2) * law->saturation)), 1) / law->rate;
}

/* A device that is well on may double its overdrive, one that turns on is first evaluated half a volt above threshold,
 * one that turns off half a volt below (Nagel 1975, as in SPICE2; falling further inside the off region needs no
 * limit). */
double fet_limit_gate(double v, double previous, double threshold)
{
    const double overdrive = previous - threshold;
    const double largest_rise = 2 * fabs(overdrive) + 2;
    const double largest_fall = 0.5 * largest_rise + 2;
    if (overdrive < 0) {
        if (v <= previous)
            return v;
        return fmin(v, v <= threshold + 0.5 ? previous + largest_fall : threshold + 0.5);
    }
    if (overdrive < 3.5)
        return v <= previous ? fmax(v, threshold - 0.5) : fmin(v, threshold + 4);
    if (v > previous)
        return fmin(v, previous + largest_rise);
    return fmax(v, v >= threshold + 3.5 ? previous - largest_fall : threshold + 2);
}

double fet_limit_drain(double v, double previous)
{
    if (previous >= 3.5)
        return v > previous ? fmin(v, 3 * previous + 2) : v >= 3.5 ? v : fmax(v, 2);
    return v > previous ? fmin(v, 4) : fmax(v, -0.5);
}
