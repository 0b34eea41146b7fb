/* diode_bodies.h - the functions of diode_laws.h: a template, see number.h. */
#include <float.h>

/* ---- temperature ---- */

/* Where the breakdown exponential of strength Is starts so that the current at -Bv is Ibv by SPICE's matching rule
 * Is (e^((Bv - Vb)/(Nbv Vt)) - 1 + Vb/Vt) = Ibv, solved by fixed-point iteration, which contracts by Nbv Is / Ibv.  A
 * saturation current too large for that leaves Vb = Bv, as in SPICE. */
static LAW_NUMBER breakdown_voltage(LAW_NUMBER bv, double ibv, LAW_NUMBER saturation, LAW_NUMBER slope_voltage,
                                    LAW_NUMBER thermal)
{
    if (!(number_value(saturation) > 0) || ibv < number_value(saturation * bv / thermal))
        return bv;
    LAW_NUMBER vb = bv - slope_voltage * number_log(1 + ibv / saturation);
    for (int i = 0; i < 100; i++) {
        const LAW_NUMBER next = bv - slope_voltage * number_log(ibv / saturation + 1 - vb / thermal);
        if (fabs(number_value(next - vb)) <= 4 * DBL_EPSILON * number_value(bv))
            return next;
        vb = next;
    }
    return vb;
}

static void prepare_breakdown(struct LAW(diode_law) * law, const struct LAW(diode_card) * c,
                              const struct LAW(thermal) * t)
{
    LAW_NUMBER slope;
    law->breakdown_voltage = INFINITY;
    if (!(number_value(c->bv) > 0 && number_value(c->bv) < INFINITY))
        return;
    const LAW_NUMBER slope_voltage = c->nbv * t->voltage;
    law->breakdown_voltage =
        breakdown_voltage(c->bv, c->size * c->ibv, law->forward.saturation, slope_voltage, t->voltage);
    law->breakdown_rate = 1 / slope_voltage;
    law->breakdown_offset =
        law->forward.saturation * LAW(junction_exp)(-law->breakdown_voltage * law->breakdown_rate, &slope);
    law->low_breakdown = c->size * c->ibvl;
    law->low_voltage = c->bv;
    law->low_rate = number_value(law->low_breakdown) > 0 ? 1 / (c->nbvl * t->voltage) : 0;
}

/* `share` of the gap counts. */
static LAW_NUMBER growth(const struct LAW(diode_card) * c, const struct LAW(thermal) * t, double share, double exponent,
                         double emission)
{
    if (!c->gap_moves)
        return LAW(thermal_saturation)(t, share * c->eg, exponent, emission);
    const LAW_NUMBER barrier = t->nominal_gap / t->nominal_voltage - t->gap / t->voltage;
    return number_exp((share * barrier + exponent * number_log(t->ratio)) / emission);
}

static struct LAW(junction_law)
    junction_at(double saturation, double emission, const struct LAW(diode_card) * c, const struct LAW(thermal) * t)
{
    return (struct LAW(junction_law)){saturation * growth(c, t, 1, c->xti, emission), 1 / (emission * t->voltage)};
}

static void prepare_tunnel(struct LAW(diode_law) * law, const struct LAW(diode_card) * c, const struct LAW(thermal) * t)
{
    const double saturation = c->size * c->jtun + c->edge * c->jtunsw;
    if (!(saturation > 0))
        return;
    law->tunnel =
        (struct LAW(junction_law)){saturation * growth(c, t, c->keg, c->xtitun, c->ntun), 1 / (c->ntun * t->voltage)};
    law->tunnel_critical = LAW(junction_critical_voltage)(&law->tunnel);
}

static struct LAW(depletion)
    depletion_at(const struct LAW(diode_card) * c, LAW_NUMBER capacitance, LAW_NUMBER potential, LAW_NUMBER grading,
                 LAW_NUMBER fc, const struct LAW(thermal) * t)
{
    if (c->depletion_is_hot)
        return LAW(depletion_of)(capacitance, potential, grading, fc);
    return LAW(depletion_of)(LAW(thermal_capacitance)(t, capacitance, potential, grading),
                             LAW(thermal_potential)(t, potential), grading, fc);
}

static void share_depletion(struct LAW(depletion) * d, LAW_NUMBER count, LAW_NUMBER fc)
{
    *d = LAW(depletion_of)(d->capacitance / count, d->potential * count, d->grading, fc);
}

/* `count` equal junctions in series: all have the same current, and each a part of the voltage. */
static void share_voltage(struct LAW(diode_law) * law, LAW_NUMBER count, const struct LAW(diode_card) * c)
{
    law->forward.rate /= count;
    law->sidewall.rate /= count;
    law->recombination.rate /= count;
    law->tunnel.rate /= count;
    law->breakdown_voltage *= count;
    law->breakdown_rate /= count;
    law->low_voltage *= count;
    law->low_rate /= count;
    law->fixed_capacitance /= count;
    share_depletion(&law->depletion, count, c->fc);
    share_depletion(&law->side_depletion, count, c->fcs);
    law->critical_voltage = LAW(junction_critical_voltage)(&law->forward);
    law->tunnel_critical = LAW(junction_critical_voltage)(&law->tunnel);
}

void LAW(diode_law_prepare)(struct LAW(diode_law) * law, const struct LAW(diode_card) * c,
                            const struct LAW(thermal) * t)
{
    *law = (struct LAW(diode_law)){.forward = junction_at(c->size * c->is, c->n, c, t),
                                   .sidewall = junction_at(c->edge * c->jsw, c->ns, c, t),
                                   .recombination = junction_at(c->size * c->isr, c->nr, c, t),
                                   .inverse_knee = number_value(c->ikf) > 0 ? 1 / (c->size * c->ikf) : 0,
                                   .inverse_reverse_knee = c->ikr > 0 ? 1 / (c->size * c->ikr) : 0,
                                   .root_injection = c->root_injection,
                                   .transit_time = c->tt,
                                   .fixed_capacitance = c->fixed,
                                   .depletion = depletion_at(c, c->size * c->cjo, c->vj, c->m, c->fc, t),
                                   .side_depletion = depletion_at(c, c->edge * c->cjsw, c->vjsw, c->mjsw, c->fcs, t)};
    law->critical_voltage = LAW(junction_critical_voltage)(&law->forward);
    prepare_breakdown(law, c, t);
    prepare_tunnel(law, c, t);
    if (c->in_series > 0 && c->in_series != 1)
        share_voltage(law, c->in_series, c);
}

/* ---- current ---- */

/* -strength (e^argument) for what is above round-off. */
static LAW_NUMBER add_reverse(LAW_NUMBER strength, LAW_NUMBER argument, LAW_NUMBER rate, LAW_NUMBER current,
                              LAW_NUMBER *conductance)
{
    if (number_value(argument) < JUNCTION_EXP_NOTHING)
        return current;
    LAW_NUMBER slope;
    const LAW_NUMBER e = LAW(junction_exp)(argument, &slope);
    *conductance += strength * rate * slope;
    return current - strength * e;
}

static LAW_NUMBER add_breakdown(const struct LAW(diode_law) * law, LAW_NUMBER v, LAW_NUMBER current,
                                LAW_NUMBER *conductance)
{
    LAW_NUMBER slope;
    current = add_reverse(law->forward.saturation, -(v + law->breakdown_voltage) * law->breakdown_rate,
                          law->breakdown_rate, current + law->breakdown_offset, conductance);
    if (!(number_value(law->low_breakdown) > 0))
        return current;
    current += law->low_breakdown * LAW(junction_exp)(-law->low_voltage * law->low_rate, &slope);
    return add_reverse(law->low_breakdown, -(v + law->low_voltage) * law->low_rate, law->low_rate, current,
                       conductance);
}

/* Isr (e^(v/(Nr Vt)) - 1) ((1 - v/Vj)^2 + 0.005)^(M/2). */
static LAW_NUMBER add_recombination(const struct LAW(diode_law) * law, LAW_NUMBER v, LAW_NUMBER current,
                                    LAW_NUMBER *conductance)
{
    const struct LAW(depletion) *d = &law->depletion;
    LAW_NUMBER g;
    const LAW_NUMBER i = LAW(junction_current)(&law->recombination, v, &g);
    const LAW_NUMBER rest = 1 - v * d->inverse_potential;
    const LAW_NUMBER square = rest * rest + 0.005;
    const LAW_NUMBER width = number_pow(square, 0.5 * d->grading);
    *conductance += g * width - i * width * d->grading * rest * d->inverse_potential / square;
    return current + i * width;
}

/* i sqrt(Ikf/(Ikf + i)). */
static LAW_NUMBER root_injection(LAW_NUMBER inverse_knee, LAW_NUMBER i, LAW_NUMBER *conductance)
{
    const LAW_NUMBER ratio = 1 + i * inverse_knee, factor = 1 / number_sqrt(ratio);
    *conductance *= factor * (1 - 0.5 * i * inverse_knee / ratio);
    return i * factor;
}

static LAW_NUMBER reduced_injection(LAW_NUMBER inverse_knee, LAW_NUMBER i, LAW_NUMBER *conductance)
{
    const LAW_NUMBER root = number_sqrt(i * inverse_knee), reduction = 1 / (1 + root);
    *conductance *= reduction * reduction * (1 + 0.5 * root);
    return i * reduction;
}

LAW_NUMBER LAW(diode_current)(const struct LAW(diode_law) * law, LAW_NUMBER v, LAW_NUMBER *conductance)
{
    LAW_NUMBER i = LAW(junction_current)(&law->forward, v, conductance), g;
    if (law->root_injection && number_value(law->inverse_knee) > 0 && number_value(i) > 0)
        i = root_injection(law->inverse_knee, i, conductance);
    if (number_value(law->sidewall.saturation) > 0) {
        i += LAW(junction_current)(&law->sidewall, v, &g);
        *conductance += g;
    }
    if (number_value(law->breakdown_voltage) < INFINITY)
        i = add_breakdown(law, v, i, conductance);
    if (number_value(law->recombination.saturation) > 0)
        i = add_recombination(law, v, i, conductance);
    if (number_value(law->tunnel.saturation) > 0) {
        i -= LAW(junction_current)(&law->tunnel, -v, &g);
        *conductance += g;
    }
    if (law->inverse_reverse_knee > 0 && number_value(i) < 0)
        i = -reduced_injection(law->inverse_reverse_knee, -i, conductance);
    if (!law->root_injection && number_value(law->inverse_knee) > 0 && number_value(i) > 0)
        i = reduced_injection(law->inverse_knee, i, conductance);
    return i;
}

LAW_NUMBER LAW(diode_charge)(const struct LAW(diode_law) * law, LAW_NUMBER v, LAW_NUMBER current,
                             LAW_NUMBER conductance, LAW_NUMBER *capacitance)
{
    LAW_NUMBER bottom = 0, side = 0;
    LAW_NUMBER charge = law->transit_time * current + law->fixed_capacitance * v;
    if (number_value(law->depletion.capacitance) > 0)
        charge += LAW(depletion_charge)(&law->depletion, v, &bottom);
    if (number_value(law->side_depletion.capacitance) > 0)
        charge += LAW(depletion_charge)(&law->side_depletion, v, &side);
    *capacitance = bottom + side + law->fixed_capacitance + law->transit_time * conductance;
    return charge;
}
