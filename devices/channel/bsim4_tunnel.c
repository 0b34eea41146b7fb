/* bsim4_tunnel.c - currents through the oxide (chapter 4) and from the ends under the gate (6.2) of a BSIM4 transistor. */
#include "devices/channel/bsim4.h"

/* exp, flat beyond e^34 and below e^-34. */
static struct mosfet_value limited_exp(struct mosfet_value x)
{
    if (fabs(x.value) > BSIM_FAR)
        return value_constant(exp(copysign(BSIM_FAR, x.value)));
    const double e = exp(x.value);
    return value_chain(x, e, e);
}

/* scale w exp(rate (a + (a c - b) x - b c x^2)). */
static struct mosfet_value through(const struct bsim4_tunnel *t, struct mosfet_value w, struct mosfet_value x)
{
    const struct mosfet_value inner = value_multiply(x, value_line(-t->b * t->c, x, t->a * t->c - t->b));
    return value_scale(t->scale, value_multiply(w, limited_exp(value_line(t->rate, inner, t->rate * t->a))));
}

/* f ln(1 + exp(v/f)) */
static struct mosfet_value bent(double f, struct mosfet_value v)
{
    return bsim_charge_overdrive(f, 0, v, value_constant(1));
}

/* Voltage over the oxide in depletion and inversion, in accumulation (4.1). */
struct oxide_voltages {
    struct mosfet_value above, accumulated, inverted;
};

static struct oxide_voltages voltages_of(const struct bsim4_law *law, const struct bsim_body *body,
                                         const struct bsim_gate_state *g, const struct bsim_channel *c)
{
    struct oxide_voltages v;
    v.above = value_line(1, value_subtract(g->gate, value_of_bulk(body->charges)), -law->charges.flat_band);
    const struct mosfet_value drop = bsim_accumulation(&law->charges, v.above);
    v.accumulated = drop.value < 0 ? value_scale(-1, drop) : value_constant(0);
    const struct mosfet_value rest = value_subtract(value_subtract(v.above, drop), c->over);
    const struct mosfet_value depleted = law->k1ox == 0   ? value_constant(0)
                                         : rest.value < 0 ? value_scale(-1, rest)
                                                          : bsim_body_charge(&law->charges, rest);
    v.inverted = value_add(depleted, c->over);
    return v;
}

/* Into the channel, and its division between source and drain (4.3.2 and 4.3.3). */
static void find_channel(const struct bsim4_law *law, const struct bsim_gate_state *g, const struct bsim_channel *c,
                         struct mosfet_value inverted, struct bsim4_point *out)
{
    const struct mosfet_value over = law->gate_channel == 1 ? value_line(1, g->gate, -law->sign_threshold) : g->over;
    const struct mosfet_value supply = bent(law->tunnel_thermal * law->p[BSIM4_NIGC], over);
    const struct mosfet_value i = through(&law->channel, value_multiply(g->gate, supply), inverted);
    struct mosfet_value part = value_constant(law->pigcd);
    if (isnan(law->pigcd)) {
        const struct mosfet_value inverse = value_invert(value_line(1, c->over, 1e-20));
        part = value_scale(-law->channel.rate, value_multiply(value_square(inverse),
                                                              value_line(-0.5, value_multiply(c->drain, inverse), 1)));
    }
    const struct mosfet_value x = value_scale(-1, value_multiply(part, c->drain)), e = limited_exp(x);
    const struct mosfet_value share = value_divide(i, value_line(1, value_square(x), 2e-4));
    const struct mosfet_value rise = value_line(1, e, -1);
    out->gate_source = value_multiply(share, value_line(1, value_subtract(rise, x), 1e-4));
    out->gate_drain = value_multiply(share, value_line(1, value_subtract(value_multiply(x, e), rise), 1e-4));
}

/* Into the bulk (4.3.1). */
static struct mosfet_value bulk_current(const struct bsim4_law *law, const struct bsim_body *body,
                                        const struct bsim_gate_state *g, const struct oxide_voltages *v)
{
    const double thermal = law->tunnel_thermal, *p = law->p;
    const struct mosfet_value across = value_subtract(g->gate, value_of_bulk(body->charges));
    const struct mosfet_value holes = bent(thermal * p[BSIM4_NIGBACC], value_scale(-1, v->above));
    const struct mosfet_value electrons =
        bent(thermal * p[BSIM4_NIGBINV], value_line(1, v->inverted, -p[BSIM4_EIGBINV]));
    return value_add(through(&law->accumulated, value_multiply(across, holes), v->accumulated),
                     through(&law->inverted, value_multiply(across, electrons), v->inverted));
}

void bsim4_tunnelling(const struct bsim4_law *law, const struct bsim_body *body, const struct bsim_gate_state *gate,
                      const struct bsim_channel *c, struct bsim4_point *out)
{
    out->gate_source = out->gate_drain = out->gate_bulk = value_constant(0);
    if (!law->gate_channel && !law->gate_bulk)
        return;
    const struct oxide_voltages v = voltages_of(law, body, gate, c);
    if (law->gate_channel)
        find_channel(law, gate, c, v.inverted, out);
    if (law->gate_bulk)
        out->gate_bulk = bulk_current(law, body, gate, &v);
}

/* Through the oxide over source or drain (4.3.3). */
static struct mosfet_value over_end(const struct bsim4_law *law, const struct bsim4_tunnel *t, struct mosfet_value gate)
{
    const double left = gate.value - law->overlap_flat_band, root = sqrt(left * left + 1e-4);
    const struct mosfet_value band = value_chain(gate, root, left / root);
    return through(t, value_multiply(gate, band), band);
}

/* Of gidlmod = 0 what the bulk lets pass, of 1 exp(k/(v - f)); v: the bulk's voltage against the end. */
static struct mosfet_value bulk_share(const struct bsim4_law *law, const struct bsim4_edge *e, struct mosfet_value v)
{
    if (law->edge_law == 0) {
        const double cube = -v.value * v.value * v.value, under = e->c + cube;
        return value_chain(v, cube / under, -3 * e->c * v.value * v.value / (under * under));
    }
    const double most = 100, left = v.value - e->f, kept = fmin(left, law->edge_clamp), x = e->k / kept;
    const double f = exp(fmin(x, most));
    return value_chain(v, f, x < most && left < law->edge_clamp ? -f * x / kept : 0);
}

/* gate: behind its depletion, against the end; across: the other end against it, bulk: the bulk against it. */
static struct mosfet_value from_end(const struct bsim4_law *law, const struct bsim4_edge *e, struct mosfet_value field,
                                    struct mosfet_value bulk)
{
    const double offset = law->material ? law->edge_flat_band : 0;
    const struct mosfet_value x = value_line(1 / law->edge_thickness, field, (offset - e->e) / law->edge_thickness);
    const bool closed = law->edge_law == 0 ? !(e->c > 0) || bulk.value > 0 : e->c < 0;
    if (!(e->scale > 0) || !(e->b > 0) || !(x.value > 0) || closed)
        return value_constant(0);
    return value_multiply(bsim_ionised(e->scale, e->b, x), bulk_share(law, e, bulk));
}

void bsim4_evaluate_ends(const struct bsim4_law *law, double vgs, double vds, double vbs, struct bsim4_ends *out)
{
    const struct mosfet_value drain = {vds, 0, 1, 0}, source_gate = {vgs, 1, 0, 0}, drain_gate = {vgs - vds, 1, -1, 0};
    const struct bsim4_edge *d = &law->drain_edge, *s = &law->source_edge;
    const double doping = law->p[BSIM4_NGATE];
    struct mosfet_value at_source = bsim_gate(doping, law->gate_scale, law->gate_from, vgs);
    struct mosfet_value at_drain = bsim_gate(doping, law->gate_scale, law->gate_from, vgs - vds);
    at_drain.ds = -at_drain.gs;
    out->gate_source = out->gate_drain = value_constant(0);
    if (law->gate_channel) {
        out->gate_source = over_end(law, &law->source_oxide, source_gate);
        out->gate_drain = over_end(law, &law->drain_oxide, drain_gate);
    }
    const bool scaled = law->edge_law != 0;
    out->drain_bulk = from_end(law, d, value_accumulate(scaled ? -d->r : -1, at_source, drain),
                               (struct mosfet_value){vbs - vds, 0, -1, 1});
    out->source_bulk = from_end(law, s, value_accumulate(scaled ? -s->r : -1, at_drain, value_scale(-1, drain)),
                                (struct mosfet_value){vbs, 0, 0, 1});
}
