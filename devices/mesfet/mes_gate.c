/* mes_gate.c - gate currents of MESFETs and HFETs, and the whole transistor for either sign of vds, see mes_law.h. */
#include "devices/mesfet/mes_law.h"

#include "devices/device.h"

#include <float.h>

/* ---- junctions ---- */

/* ln(1 - share + share e^w) and its slope, 0 < share <= 1. */
static double mixed_log(double share, double w, double *slope)
{
    const double risen = log(share) + w, rest = log1p(-share), most = fmax(risen, rest);
    const double sum = most + log1p(exp(-fabs(risen - rest)));
    *slope = exp(risen - sum);
    return fabs(w) < 1 ? log1p(share * expm1(w)) : sum;
}

/* By Newton's method for the voltage u of the diode with the smaller current: what is to vanish rises with u and bends
 * upwards, so that from above u falls to the root without ever passing it. */
double mes_leak_current(const struct mes_leak *leak, double v, double *slope)
{
    enum { MOST_STEPS = 1000 };
    const int small = leak->current[0] <= leak->current[1] ? 0 : 1;
    const double is = leak->current[small], vt = leak->voltage[small], share = is / leak->current[1 - small];
    const double r = fmax(leak->resistance, 1e-9); /* ohm; keeps the overflow away, no circuit has so little */
    double u = v > 0 ? fmin(v, vt * log1p(v / (r * is))) : 0;
    for (int i = 0; i < MOST_STEPS; i++) {
        double by_w;
        const double e = is * expm1(u / vt), other = leak->voltage[1 - small] * mixed_log(share, u / vt, &by_w);
        const double excess = u + r * e + other - v;
        const double next = u - excess / (1 + (r * (e + is) + leak->voltage[1 - small] * by_w) / vt);
        if (!(next < u - 4 * DBL_EPSILON * fabs(u)))
            break;
        u = next;
    }
    const double i = is * expm1(u / vt), first = is * exp(u / vt), second = i + leak->current[1 - small];
    *slope = first > 0 ? 1 / (r + vt / first + leak->voltage[1 - small] / fmax(second, DBL_MIN)) : 0;
    return i;
}

/* At voltage v of the gate against one end. */
static double junction_at(const struct mes_gate *gate, enum mes_end end, double v, double *slope)
{
    const struct mes_leak *leak = &gate->leak[end];
    const bool leaks = leak->current[0] > 0 && leak->current[1] > 0;
    double e_slope;
    double i = leaks ? mes_leak_current(leak, v, slope) : junction_current(&gate->junction[end], v, slope);
    const double e = junction_exp(-v * gate->reverse_rate[end], &e_slope);
    i += gate->reverse * v * e;
    *slope += gate->reverse * (e - v * gate->reverse_rate[end] * e_slope);
    return i;
}

static void find_junctions(const struct mes_gate *gate, double vgs, double vds, struct mes_value out[MES_ENDS])
{
    double slope;
    const double source = junction_at(gate, MES_SOURCE_END, vgs, &slope);
    out[MES_SOURCE_END] = (struct mes_value){source, {[MES_GATE] = slope}};
    const double drain = junction_at(gate, MES_DRAIN_END, vgs - vds, &slope);
    out[MES_DRAIN_END] = (struct mes_value){drain, {[MES_GATE] = slope, [MES_DRAIN] = -slope}};
}

/* ---- hot electrons ---- */

/* A T^2 exp(-phib/(k T)) */
static struct mes_value saturation_at(const struct mes_hot_gate *h, struct mes_value kelvin)
{
    return mes_multiply(mes_scale(h->richardson, mes_square(kelvin)),
                        mes_exp(mes_scale(-h->barrier, mes_invert(kelvin))));
}

/* min(vds, most), rounded. */
static struct mes_value at_most(struct mes_value drain, struct mes_value most, double shape)
{
    return mes_multiply(most, mes_knee(mes_divide(drain, most), mes_constant(shape)));
}

static const double VOLT_PER_KELVIN = DEVICE_BOLTZMANN / DEVICE_CHARGE;

static struct mes_value hot_drain(const struct mes_hot_gate *h, const struct mes_channel_point *c,
                                  struct mes_value gate, struct mes_value drain, double ideality)
{
    const struct mes_value v = at_most(drain, mes_line(h->most_by, c->saturation, h->most), h->most_shape);
    const struct mes_value knee = at_most(v, mes_line(h->knee_by, c->saturation, h->knee), h->knee_shape);
    const struct mes_value kelvin = mes_line(h->rise, mes_multiply(v, knee), h->kelvin);
    const struct mes_value barrier = mes_divide(mes_subtract(gate, v), mes_scale(VOLT_PER_KELVIN * ideality, kelvin));
    const struct mes_value cold = saturation_at(h, mes_constant(h->kelvin));
    return mes_subtract(mes_multiply(saturation_at(h, kelvin), mes_exp(barrier)), cold);
}

static void add_hot(const struct mes_hot_gate *h, const double ideality[MES_ENDS], struct mes_bias v,
                    struct mes_channel_point *c, struct mes_value out[MES_ENDS])
{
    const struct mes_value gate = mes_variable(v.gs, MES_GATE), drain = mes_variable(v.ds, MES_DRAIN);
    const struct mes_value cold = saturation_at(h, mes_constant(h->kelvin));
    const struct mes_value rate = mes_scale(1 / (VOLT_PER_KELVIN * ideality[MES_SOURCE_END] * h->kelvin), gate);
    out[MES_SOURCE_END] = mes_multiply(cold, mes_line(1, mes_exp(rate), -1));
    out[MES_DRAIN_END] = hot_drain(h, c, gate, drain, ideality[MES_DRAIN_END]);
    if (h->to_channel == 0)
        return;
    const struct mes_value across = at_most(drain, mes_scale(h->correction, c->saturation), h->correction_shape);
    const struct mes_value share = mes_line(h->to_channel_by, mes_multiply(c->effective, across), 1);
    const struct mes_value more = mes_subtract(mes_multiply(share, out[MES_DRAIN_END]), out[MES_SOURCE_END]);
    c->current = mes_add(c->current, mes_scale(h->to_channel, more));
}

/* ---- the transistor ---- */

/* For vds >= 0; m2 of the end that acts as source and of the other one. */
static void evaluate_forward(const struct mes_law *law, const double ideality[MES_ENDS], struct mes_bias v,
                             struct mes_point *out)
{
    struct mes_channel_point c;
    mes_channel_at(&law->channel, v.gs - v.lift, v.ds, &c);
    if (law->hot.there)
        add_hot(&law->hot, ideality, v, &c, out->gate);
    out->channel = c.current;
    out->capacitance[MES_SOURCE_END] = c.at_source;
    out->capacitance[MES_DRAIN_END] = c.at_drain;
    out->saturation = c.saturation.value;
    out->dispersed = c.dispersed;
    if (law->channel.hfet)
        out->dispersed = (struct mes_value){0, {[MES_DRAIN] = c.current.by[MES_DRAIN]}};
}

static void exchange(struct mes_value ends[MES_ENDS])
{
    const struct mes_value source = mes_turned(ends[MES_DRAIN_END]);
    ends[MES_DRAIN_END] = mes_turned(ends[MES_SOURCE_END]);
    ends[MES_SOURCE_END] = source;
}

void mes_evaluate(const struct mes_law *law, struct mes_bias v, struct mes_point *out)
{
    const double *m2 = law->hot.ideality, turned[MES_ENDS] = {m2[MES_DRAIN_END], m2[MES_SOURCE_END]};
    if (v.ds >= 0) {
        evaluate_forward(law, m2, v, out);
    } else {
        evaluate_forward(law, turned, (struct mes_bias){v.gs - v.ds, -v.ds, v.lift}, out);
        out->channel = mes_scale(-1, mes_turned(out->channel));
        out->dispersed = mes_scale(-1, mes_turned(out->dispersed));
        exchange(out->capacitance);
        if (law->hot.there)
            exchange(out->gate);
    }
    if (!law->hot.there)
        find_junctions(&law->gate, v.gs, v.ds, out->gate);
}
