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

#include <math.h>
#include <stdbool.h>

/* Beyond this argument exp is continued linearly: exp(250) = 4e108, above any current and with room for its cube. */
#define JUNCTION_EXP_LIMIT 250.0
/* Below this argument exp is less than half a unit in the last place of the 1 it is compared with. */
#define JUNCTION_EXP_NOTHING (-37.5)

static inline double junction_exp(double argument, double *slope)
{
    if (argument <= JUNCTION_EXP_LIMIT)
        return *slope = exp(argument);
    const double e = exp(JUNCTION_EXP_LIMIT);
    *slope = e;
    return e * (1 + argument - JUNCTION_EXP_LIMIT);
}

/* ---- current ---- */

struct junction_law {
    double saturation; /* A */
    double rate;       /* 1 / (n Vt), 1/V */
};

/* Is (exp(rate v) - 1) and its derivative (S). */
static inline double junction_current(const struct junction_law *law, double v, double *conductance)
{
    const double argument = law->rate * v;
    if (v == 0) { /* bulk at source */
        *conductance = law->saturation * law->rate;
        return 0;
    }
    if (argument < JUNCTION_EXP_NOTHING) {
        *conductance = 0;
        return -law->saturation;
    }
    double slope;
    const double e = junction_exp(argument, &slope);
    *conductance = law->saturation * law->rate * slope;
    return law->saturation * (e - 1);
}

/* ---- depletion charge ---- */

enum depletion_grading { GRADING_ABRUPT /* M = 1/2 */, GRADING_GENERAL, GRADING_LOGARITHMIC /* M = 1 */ };

struct depletion {
    double capacitance; /* at zero bias, F; 0: no charge at all */
    double potential;   /* V */
    double grading;
    enum depletion_grading kind;
    double inverse_potential; /* 1/V */
    double scale;             /* Cj0 Vj / (1 - M), C */
    double bend;              /* Fc Vj: the parabola begins here, V */
    double bend_charge, bend_capacitance, bend_slope;
};

/* fc is the fraction of the potential up to which the power law holds, 0 <= fc < 1. */
struct depletion depletion_of(double capacitance, double potential, double grading, double fc);

/* Charge (C) and capacitance (F) at v.  Around zero bias the charge is accurate relative to itself, not only to Cj0 Vj:
 * divided by a short time step its rounding error is a current.  With u = v/Vj and p = (1 - u)^-M - 1 it is
 * Cj0 Vj / (1 - M) times  1 - (1 - u)^(1-M) = u - (1 - u) p.  From u = -1 on the left side is as accurate, and one power
 * is a third of the work of two functions made for small numbers. */
static inline double depletion_charge(const struct depletion *d, double v, double *capacitance)
{
    if (v > d->bend) {
        const double beyond = v - d->bend;
        *capacitance = d->bend_capacitance + d->bend_slope * beyond;
        return d->bend_charge + beyond * (d->bend_capacitance + 0.5 * d->bend_slope * beyond);
    }
    if (v == 0) {
        *capacitance = d->capacitance;
        return 0;
    }
    const double u = v * d->inverse_potential, rest = 1 - u;
    if (d->kind == GRADING_ABRUPT) {
        const double root = sqrt(rest);
        *capacitance = d->capacitance / root;
        return d->scale * u / (1 + root);
    }
    if (d->kind == GRADING_LOGARITHMIC) {
        *capacitance = d->capacitance / rest;
        return -d->capacitance * d->potential * log1p(-u);
    }
    if (rest >= 2) {
        const double power = exp(-d->grading * log(rest));
        *capacitance = d->capacitance * power;
        return d->scale * (1 - rest * power);
    }
    const double growth = expm1(-d->grading * log1p(-u));
    *capacitance = d->capacitance * (1 + growth);
    return d->scale * (u - rest * growth);
}

/* ---- temperature ---- */

/* Varshni's gap (eV) at a temperature (K): at_zero - slope T^2 / (T + offset). */
struct gap_law {
    double at_zero, slope, offset;
};

/* Numbers of one temperature against the nominal one at which the model parameters were measured. */
struct thermal {
    double kelvin, nominal;          /* K */
    double voltage, nominal_voltage; /* kT/q, V */
    double ratio;                    /* T / Tnom */
    double gap, nominal_gap;         /* silicon unless thermal_set_gap says otherwise, eV */
    struct gap_law law;
};

struct thermal thermal_of(double celsius, double nominal_celsius);

/* Another gap than silicon's, for potentials and capacitances too. */
void thermal_set_gap(struct thermal *t, struct gap_law law);

/* Silicon's energy gap (eV) at a temperature (K): 1.16 - 7.02e-4 T^2 / (T + 1108). */
double thermal_gap(double kelvin);

/* V: no junction has less built in, however hot. */
#define JUNCTION_LEAST_POTENTIAL 0.01

/* Built-in potential (also 2 phi_F of a MOSFET) at the temperature, V; kept above 10 mV where a melt would be. */
double thermal_potential(const struct thermal *t, double nominal_potential);

/* Zero-bias depletion capacitance at the temperature. */
double thermal_capacitance(const struct thermal *t, double nominal_capacitance, double nominal_potential,
                           double grading);

/* Factor on a saturation current: exp((T/Tnom - 1) Eg / (n Vt) + (Xti / n) ln(T/Tnom)). */
double thermal_saturation(const struct thermal *t, double gap, double exponent, double emission);

/* ---- limiting (Nagel 1975, section 4.1; pure functions) ---- */

/* The junction voltage where the characteristic bends most: n Vt ln(n Vt / (sqrt(2) Is)); at least n Vt. */
double junction_critical_voltage(const struct junction_law *law);

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
