/* junction.h - what all semiconductor devices share: the pn junction.
 *
 * Current: Shockley 1949, i = Is (exp(v / (n Vt)) - 1), the same law on both sides of zero; the exponential goes on as
 * its tangent far beyond any bias a circuit can have, so that no intermediate result overflows.
 * Charge: the depletion charge of a graded junction, continued as a parabola above Fc Vj (Poon and Gummel 1969; SPICE's
 * F1, F2, F3, see Antognetti and Massobrio, Semiconductor Device Modeling with SPICE, 1.3).  Capacitances are its exact
 * derivatives.
 * Temperature: the laws of SPICE (Antognetti and Massobrio, 1.4); silicon's gap after Varshni 1967.
 */
#ifndef DEVICES_SEMICONDUCTOR_JUNCTION_H
#define DEVICES_SEMICONDUCTOR_JUNCTION_H

#include "devices/junction/number.h"

#include <stdbool.h>

/* Beyond this argument exp is continued linearly: exp(250) = 4e108, above any current and with room for its cube. */
#define JUNCTION_EXP_LIMIT 250.0
/* Below this argument exp is less than half a unit in the last place of the 1 it is compared with. */
#define JUNCTION_EXP_NOTHING (-37.5)

enum depletion_grading { GRADING_ABRUPT /* M = 1/2 */, GRADING_GENERAL, GRADING_LOGARITHMIC /* M = 1 */ };

/* Varshni's gap (eV) at a temperature (K): at_zero - slope T^2 / (T + offset). */
struct gap_law {
    double at_zero, slope, offset;
};

/* Silicon's energy gap (eV) at a temperature (K): 1.16 - 7.02e-4 T^2 / (T + 1108). */
double thermal_gap(double kelvin);

/* V: no junction has less built in, however hot. */
#define JUNCTION_LEAST_POTENTIAL 0.01

#define LAW(name)  name
#define LAW_NUMBER double
#include "devices/junction/junction_laws.h"
#undef LAW
#undef LAW_NUMBER

/* fc is the fraction of the potential up to which the power law holds, 0 <= fc < 1. */
struct depletion depletion_of(double capacitance, double potential, double grading, double fc);

/* Built-in potential (also 2 phi_F of a MOSFET) at the temperature, V; kept above 10 mV where a melt would be. */
double thermal_potential(const struct thermal *t, double nominal_potential);

/* Zero-bias depletion capacitance at the temperature. */
double thermal_capacitance(const struct thermal *t, double nominal_capacitance, double nominal_potential,
                           double grading);

/* Factor on a saturation current: exp((T/Tnom - 1) Eg / (n Vt) + (Xti / n) ln(T/Tnom)). */
double thermal_saturation(const struct thermal *t, double gap, double exponent, double emission);

/* The junction voltage where the characteristic bends most: n Vt ln(n Vt / (sqrt(2) Is)); at least n Vt. */
double junction_critical_voltage(const struct junction_law *law);

/* ---- limiting (Nagel 1975, section 4.1; pure functions) ---- */

/* Where a junction may be evaluated when Newton proposes `v` and the evaluation before was at `previous`.  `rate` is
 * 1/(n Vt).  Up to one thermal voltage above the larger of previous and critical voltage: v itself, and so for every
 * fall.  Beyond: the voltage where the exponential carries the current that its tangent at `previous` (at 0 for a
 * reverse-biased junction) has at v.  Kilovolts are not what a junction takes but what a chain of amplifiers makes of
 * the linearised circuit, in every iteration until the stages before have settled; nothing is learnt from their size.
 */
#define JUNCTION_SENSELESS 1e5 /* thermal voltages, 2.6 kV */
static inline double junction_limit(double v, double previous, double rate, double critical)
{
    if (!((v - (previous > critical ? previous : critical)) * rate > 1))
        return v;
    const double from = previous > 0 ? previous : 0, beyond = (v - from) * rate;
    if (beyond > JUNCTION_SENSELESS)
        return previous > critical ? previous : critical;
    return from + log(1 + beyond) / rate;
}

/* A cold start: Newton's first iteration for an operating point (time 0 or before) knows nothing of a junction that is
 * at exactly 0 V, now and in the reference.  SPICE2 evaluates the junctions that turn devices on at their critical
 * voltage then, so that the first linear circuit has conductances of the order of those to come. */
static inline bool junction_is_cold(double time, bool first, double v, double previous)
{
    return first && time <= 0 && v == 0 && previous == 0;
}

/* Gate-source voltage of a MOSFET (threshold of the evaluation before), V. */
double fet_limit_gate(double v, double previous, double threshold);

/* Drain-source voltage of a MOSFET, V. */
double fet_limit_drain(double v, double previous);

#endif
