/* junction_bodies.h - the functions of junction_laws.h that are not in the time loop: temperature laws and the constants of
 * the depletion charge.  A template, see number.h; LAW_OWN is
 * static where only the file that includes it wants them.
 */

/* Silicon parameters in SPICE refer to 27 degrees Celsius. */
#define REFERENCE_KELVIN 300.15

LAW_OWN struct LAW(depletion)
    LAW(depletion_of)(LAW_NUMBER capacitance, LAW_NUMBER potential, LAW_NUMBER grading, double fc)
{
    struct LAW(depletion) d = {.capacitance = capacitance,
                               .potential = potential,
                               .grading = grading,
                               .kind = grading == 0.5   ? GRADING_ABRUPT
                                       : grading == 1.0 ? GRADING_LOGARITHMIC
                                                        : GRADING_GENERAL,
                               .inverse_potential = 1 / potential,
                               .bend = HUGE_VAL};
    if (d.kind != GRADING_LOGARITHMIC)
        d.scale = capacitance * potential / (1 - grading);
    d.bend_charge = LAW(depletion_charge)(&d, fc * potential, &d.bend_capacitance);
    d.bend_slope = d.bend_capacitance * grading / (potential * (1 - fc));
    d.bend = fc * potential;
    return d;
}

static LAW_NUMBER gap_at(struct gap_law law, LAW_NUMBER kelvin)
{
    return law.at_zero - law.slope * kelvin * kelvin / (kelvin + law.offset);
}

static const struct gap_law silicon = {1.16, 7.02e-4, 1108};

void LAW(thermal_set_gap)(struct LAW(thermal) * t, struct gap_law law)
{
    t->law = law;
    t->gap = gap_at(law, t->kelvin);
    t->nominal_gap = gap_at(law, t->nominal);
}

struct LAW(thermal) LAW(thermal_of)(LAW_NUMBER celsius, double nominal_celsius)
{
    struct LAW(thermal) t = {.kelvin = celsius + DEVICE_KELVIN, .nominal = nominal_celsius + DEVICE_KELVIN};
    t.voltage = t.kelvin * (DEVICE_BOLTZMANN / DEVICE_CHARGE);
    t.nominal_voltage = t.nominal * (DEVICE_BOLTZMANN / DEVICE_CHARGE);
    t.ratio = t.kelvin / t.nominal;
    LAW(thermal_set_gap)(&t, silicon);
    return t;
}

/* phi(T) = phi(T0) T/T0 - 3 Vt ln(T/T0) - Eg(T0) T/T0 + Eg(T). */
static LAW_NUMBER move_potential(struct gap_law gap, LAW_NUMBER potential, LAW_NUMBER from, LAW_NUMBER to)
{
    const LAW_NUMBER ratio = to / from;
    const LAW_NUMBER voltage = to * (DEVICE_BOLTZMANN / DEVICE_CHARGE);
    return ratio * (potential - gap_at(gap, from)) - 3 * voltage * number_log(ratio) + gap_at(gap, to);
}

LAW_OWN LAW_NUMBER LAW(thermal_potential)(const struct LAW(thermal) * t, LAW_NUMBER nominal_potential)
{
    return number_fmax(move_potential(t->law, nominal_potential, t->nominal, t->kelvin), JUNCTION_LEAST_POTENTIAL);
}

/* 1 + M (4e-4 (T - Tref) - (phi(T) - phi(Tref)) / phi(Tref)): capacitance relative to the one at the reference. */
static LAW_NUMBER capacitance_growth(LAW_NUMBER potential, LAW_NUMBER kelvin, LAW_NUMBER reference_potential,
                                     LAW_NUMBER grading)
{
    return 1 + grading * (4e-4 * (kelvin - REFERENCE_KELVIN) - (potential - reference_potential) / reference_potential);
}

LAW_OWN LAW_NUMBER LAW(thermal_capacitance)(const struct LAW(thermal) * t, LAW_NUMBER nominal_capacitance,
                                            LAW_NUMBER nominal_potential, LAW_NUMBER grading)
{
    const LAW_NUMBER reference = move_potential(t->law, nominal_potential, t->nominal, REFERENCE_KELVIN);
    const LAW_NUMBER hot = LAW(thermal_potential)(t, nominal_potential);
    return nominal_capacitance * capacitance_growth(hot, t->kelvin, reference, grading) /
           capacitance_growth(nominal_potential, t->nominal, reference, grading);
}

LAW_OWN LAW_NUMBER LAW(thermal_saturation)(const struct LAW(thermal) * t, double gap, double exponent, double emission)
{
    return number_exp(((t->ratio - 1) * gap / t->voltage + exponent * number_log(t->ratio)) / emission);
}

LAW_OWN LAW_NUMBER LAW(junction_critical_voltage)(const struct LAW(junction_law) * law)
{
    if (!(number_value(law->saturation) > 0))
        return HUGE_VAL;
    return number_fmax(number_log(1 / (law->rate * sqrt(2) * law->saturation)), 1) / law->rate;
}
