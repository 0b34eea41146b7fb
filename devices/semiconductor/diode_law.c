/* diode_law.c - see diode_law.h. */
#include "devices/semiconductor/diode_law.h"

#include <float.h>

/* ---- temperature ---- */

/* Where the breakdown exponential of strength Is starts so that the current at -Bv is Ibv by SPICE's matching rule
 * Is (e^((Bv - Vb)/(Nbv Vt)) - 1 + Vb/Vt) = Ibv, solved by fixed-point iteration, which contracts by Nbv Is / Ibv.  A
 * saturation current too large for that leaves Vb = Bv, as in SPICE. */
static double breakdown_voltage(double bv, double ibv, double saturation, double slope_voltage, double thermal)
{
    if (!(saturation > 0) || ibv < saturation * bv / thermal)
        return bv;
    double vb = bv - slope_voltage * log(1 + ibv / saturation);
    for (int i = 0; i < 100; i++) {
        const double next = bv - slope_voltage * log(ibv / saturation + 1 - vb / thermal);
        if (fabs(next - vb) <= 4 * DBL_EPSILON * bv)
            return next;
        vb = next;
    }
    return vb;
}

static void prepare_breakdown(struct diode_law *law, const struct diode_card *c, const struct thermal *t)
{
    double slope;
    law->breakdown_voltage = INFINITY;
    if (!(c->bv > 0 && c->bv < INFINITY))
        return;
    const double slope_voltage = c->nbv * t->voltage;
    law->breakdown_voltage =
        breakdown_voltage(c->bv, c->size * c->ibv, law->forward.saturation, slope_voltage, t->voltage);
    law->breakdown_rate = 1 / slope_voltage;
    law->breakdown_offset =
        law->forward.saturation * junction_exp(-law->breakdown_voltage * law->breakdown_rate, &slope);
    law->low_breakdown = c->size * c->ibvl;
    law->low_voltage = c->bv;
    law->low_rate = law->low_breakdown > 0 ? 1 / (c->nbvl * t->voltage) : 0;
}

/* `share` of the gap counts. */
static double growth(const struct diode_card *c, const struct thermal *t, double share, double exponent,
                     double emission)
{
    if (!c->gap_moves)
        return thermal_saturation(t, share * c->eg, exponent, emission);
    const double barrier = t->nominal_gap / t->nominal_voltage - t->gap / t->voltage;
    return exp((share * barrier + exponent * log(t->ratio)) / emission);
}

static struct junction_law junction_at(double saturation, double emission, const struct diode_card *c,
                                       const struct thermal *t)
{
    return (struct junction_law){saturation * growth(c, t, 1, c->xti, emission), 1 / (emission * t->voltage)};
}

static void prepare_tunnel(struct diode_law *law, const struct diode_card *c, const struct thermal *t)
{
    const double saturation = c->size * c->jtun + c->edge * c->jtunsw;
    if (!(saturation > 0))
        return;
    law->tunnel =
        (struct junction_law){saturation * growth(c, t, c->keg, c->xtitun, c->ntun), 1 / (c->ntun * t->voltage)};
    law->tunnel_critical = junction_critical_voltage(&law->tunnel);
}

static struct depletion depletion_at(const struct diode_card *c, double capacitance, double potential, double grading,
                                     double fc, const struct thermal *t)
{
    if (c->depletion_is_hot)
        return depletion_of(capacitance, potential, grading, fc);
    return depletion_of(thermal_capacitance(t, capacitance, potential, grading), thermal_potential(t, potential),
                        grading, fc);
}

static void share_depletion(struct depletion *d, double count, double fc)
{
    *d = depletion_of(d->capacitance / count, d->potential * count, d->grading, fc);
}

/* `count` equal junctions in series: all have the same current, and each a part of the voltage. */
static void share_voltage(struct diode_law *law, double count, const struct diode_card *c)
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
    law->critical_voltage = junction_critical_voltage(&law->forward);
    law->tunnel_critical = junction_critical_voltage(&law->tunnel);
}

void diode_law_prepare(struct diode_law *law, const struct diode_card *c, const struct thermal *t)
{
    *law = (struct diode_law){.forward = junction_at(c->size * c->is, c->n, c, t),
                              .sidewall = junction_at(c->edge * c->jsw, c->ns, c, t),
                              .recombination = junction_at(c->size * c->isr, c->nr, c, t),
                              .inverse_knee = c->ikf > 0 ? 1 / (c->size * c->ikf) : 0,
                              .inverse_reverse_knee = c->ikr > 0 ? 1 / (c->size * c->ikr) : 0,
                              .root_injection = c->root_injection,
                              .transit_time = c->tt,
                              .fixed_capacitance = c->fixed,
                              .depletion = depletion_at(c, c->size * c->cjo, c->vj, c->m, c->fc, t),
                              .side_depletion = depletion_at(c, c->edge * c->cjsw, c->vjsw, c->mjsw, c->fcs, t)};
    law->critical_voltage = junction_critical_voltage(&law->forward);
    prepare_breakdown(law, c, t);
    prepare_tunnel(law, c, t);
    if (c->in_series > 0 && c->in_series != 1)
        share_voltage(law, c->in_series, c);
}

/* ---- current ---- */

/* -strength (e^argument) for what is above round-off. */
static double add_reverse(double strength, double argument, double rate, double current, double *conductance)
{
    if (argument < JUNCTION_EXP_NOTHING)
        return current;
    double slope;
    const double e = junction_exp(argument, &slope);
    *conductance += strength * rate * slope;
    return current - strength * e;
}

static double add_breakdown(const struct diode_law *law, double v, double current, double *conductance)
{
    double slope;
    current = add_reverse(law->forward.saturation, -(v + law->breakdown_voltage) * law->breakdown_rate,
                          law->breakdown_rate, current + law->breakdown_offset, conductance);
    if (!(law->low_breakdown > 0))
        return current;
    current += law->low_breakdown * junction_exp(-law->low_voltage * law->low_rate, &slope);
    return add_reverse(law->low_breakdown, -(v + law->low_voltage) * law->low_rate, law->low_rate, current,
                       conductance);
}

/* Isr (e^(v/(Nr Vt)) - 1) ((1 - v/Vj)^2 + 0.005)^(M/2). */
static double add_recombination(const struct diode_law *law, double v, double current, double *conductance)
{
    const struct depletion *d = &law->depletion;
    double g;
    const double i = junction_current(&law->recombination, v, &g);
    const double rest = 1 - v * d->inverse_potential;
    const double square = rest * rest + 0.005;
    const double width = pow(square, 0.5 * d->grading);
    *conductance += g * width - i * width * d->grading * rest * d->inverse_potential / square;
    return current + i * width;
}

/* i sqrt(Ikf/(Ikf + i)). */
static double root_injection(double inverse_knee, double i, double *conductance)
{
    const double ratio = 1 + i * inverse_knee, factor = 1 / sqrt(ratio);
    *conductance *= factor * (1 - 0.5 * i * inverse_knee / ratio);
    return i * factor;
}

static double reduced_injection(double inverse_knee, double i, double *conductance)
{
    const double root = sqrt(i * inverse_knee), reduction = 1 / (1 + root);
    *conductance *= reduction * reduction * (1 + 0.5 * root);
    return i * reduction;
}

double diode_current(const struct diode_law *law, double v, double *conductance)
{
    double i = junction_current(&law->forward, v, conductance), g;
    if (law->root_injection && law->inverse_knee > 0 && i > 0)
        i = root_injection(law->inverse_knee, i, conductance);
    if (law->sidewall.saturation > 0) {
        i += junction_current(&law->sidewall, v, &g);
        *conductance += g;
    }
    if (law->breakdown_voltage < INFINITY)
        i = add_breakdown(law, v, i, conductance);
    if (law->recombination.saturation > 0)
        i = add_recombination(law, v, i, conductance);
    if (law->tunnel.saturation > 0) {
        i -= junction_current(&law->tunnel, -v, &g);
        *conductance += g;
    }
    if (law->inverse_reverse_knee > 0 && i < 0)
        i = -reduced_injection(law->inverse_reverse_knee, -i, conductance);
    if (!law->root_injection && law->inverse_knee > 0 && i > 0)
        i = reduced_injection(law->inverse_knee, i, conductance);
    return i;
}

double diode_charge(const struct diode_law *law, double v, double current, double conductance, double *capacitance)
{
    double bottom = 0, side = 0;
    double charge = law->transit_time * current + law->fixed_capacitance * v;
    if (law->depletion.capacitance > 0)
        charge += depletion_charge(&law->depletion, v, &bottom);
    if (law->side_depletion.capacitance > 0)
        charge += depletion_charge(&law->side_depletion, v, &side);
    *capacitance = bottom + side + law->fixed_capacitance + law->transit_time * conductance;
    return charge;
}

/* The reverse side where tunnelling makes it exponential. */
static double limit_tunnel(const struct diode_law *law, double v, double previous)
{
    return law->tunnel.saturation > 0 ? -junction_limit(-v, -previous, law->tunnel.rate, law->tunnel_critical) : v;
}

double diode_limit(const struct diode_law *law, double v, double previous)
{
    if (v < 0)
        v = limit_tunnel(law, v, previous);
    if (v < 0 && law->breakdown_voltage < INFINITY) {
        const double beyond = -(v + law->breakdown_voltage);
        const double previous_beyond = -(previous + law->breakdown_voltage);
        const double allowed = junction_limit(beyond, previous_beyond, law->breakdown_rate, law->critical_voltage);
        return allowed == beyond ? v : -law->breakdown_voltage - allowed; /* v itself: the sum below would round it */
    }
    return junction_limit(v, previous, law->forward.rate, law->critical_voltage);
}
