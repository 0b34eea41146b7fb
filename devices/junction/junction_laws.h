/* junction_laws.h - what junction.h has for each kind of number: a template, see number.h. */

static inline LAW_NUMBER LAW(junction_exp)(LAW_NUMBER argument, LAW_NUMBER *slope)
{
    if (number_value(argument) <= JUNCTION_EXP_LIMIT)
        return *slope = number_exp(argument);
    const double e = exp(JUNCTION_EXP_LIMIT);
    *slope = e;
    return e * (1 + argument - JUNCTION_EXP_LIMIT);
}

/* ---- current ---- */

struct LAW(junction_law) {
    LAW_NUMBER saturation; /* A */
    LAW_NUMBER rate;       /* 1 / (n Vt), 1/V */
};

/* Is (number_exp(rate v) - 1) and its derivative (S). */
static inline LAW_NUMBER LAW(junction_current)(const struct LAW(junction_law) * law, LAW_NUMBER v,
                                               LAW_NUMBER *conductance)
{
    const LAW_NUMBER argument = law->rate * v;
    if (v == 0) { /* bulk at source */
        *conductance = law->saturation * law->rate;
        return 0;
    }
    if (number_value(argument) < JUNCTION_EXP_NOTHING) {
        *conductance = 0;
        return -law->saturation;
    }
    LAW_NUMBER slope;
    const LAW_NUMBER e = LAW(junction_exp)(argument, &slope);
    *conductance = law->saturation * law->rate * slope;
    return law->saturation * (e - 1);
}

/* ---- depletion charge ---- */

struct LAW(depletion) {
    LAW_NUMBER capacitance; /* at zero bias, F; 0: no charge at all */
    LAW_NUMBER potential;   /* V */
    LAW_NUMBER grading;
    enum depletion_grading kind;
    LAW_NUMBER inverse_potential; /* 1/V */
    LAW_NUMBER scale;             /* Cj0 Vj / (1 - M), C */
    LAW_NUMBER bend;              /* Fc Vj: the parabola begins here, V */
    LAW_NUMBER bend_charge, bend_capacitance, bend_slope;
};

/* Charge (C) and capacitance (F) at v.  Around zero bias the charge is accurate relative to itself, not only to Cj0 Vj:
 * divided by a short time step its rounding error is a current.  With u = v/Vj and p = (1 - u)^-M - 1 it is
 * Cj0 Vj / (1 - M) times  1 - (1 - u)^(1-M) = u - (1 - u) p.  From u = -1 on the left side is as accurate, and one power
 * is a third of the work of two functions made for small numbers. */
static inline LAW_NUMBER LAW(depletion_charge)(const struct LAW(depletion) * d, LAW_NUMBER v, LAW_NUMBER *capacitance)
{
    if (number_value(v) > number_value(d->bend)) {
        const LAW_NUMBER beyond = v - d->bend;
        *capacitance = d->bend_capacitance + d->bend_slope * beyond;
        return d->bend_charge + beyond * (d->bend_capacitance + 0.5 * d->bend_slope * beyond);
    }
    if (v == 0) {
        *capacitance = d->capacitance;
        return 0;
    }
    const LAW_NUMBER u = v * d->inverse_potential, rest = 1 - u;
    if (d->kind == GRADING_ABRUPT) {
        const LAW_NUMBER root = number_sqrt(rest);
        *capacitance = d->capacitance / root;
        return d->scale * u / (1 + root);
    }
    if (d->kind == GRADING_LOGARITHMIC) {
        *capacitance = d->capacitance / rest;
        return -d->capacitance * d->potential * number_log1p(-u);
    }
    if (number_value(rest) >= 2) {
        const LAW_NUMBER power = number_exp(-d->grading * number_log(rest));
        *capacitance = d->capacitance * power;
        return d->scale * (1 - rest * power);
    }
    const LAW_NUMBER growth = number_expm1(-d->grading * number_log1p(-u));
    *capacitance = d->capacitance * (1 + growth);
    return d->scale * (u - rest * growth);
}

/* ---- temperature ---- */

/* Numbers of one temperature against the nominal one at which the model parameters were measured. */
struct LAW(thermal) {
    LAW_NUMBER kelvin, nominal;          /* K */
    LAW_NUMBER voltage, nominal_voltage; /* kT/q, V */
    LAW_NUMBER ratio;                    /* T / Tnom */
    LAW_NUMBER gap, nominal_gap;         /* silicon unless thermal_set_gap says otherwise, eV */
    struct gap_law law;
};

struct LAW(thermal) LAW(thermal_of)(LAW_NUMBER celsius, double nominal_celsius);

/* Another gap than silicon's, for potentials and capacitances too. */
void LAW(thermal_set_gap)(struct LAW(thermal) * t, struct gap_law law);
