/* bsim3_current.c - overdrive, drain current and substrate current of a BSIM3 transistor. */
#include "devices/channel/bsim3.h"

/* exp beyond this is nothing beside 1, as in Berkeley's program. */
static const double FAR = 34;

static struct mosfet_value at_least(struct mosfet_value a, double from, double least)
{
    double slope;
    const double f = bsim3_at_least(a.value, from, least, &slope);
    return slope == 1 ? a : value_chain(a, f, slope);
}

/* factor a + b */
static struct mosfet_value accumulate(double factor, struct mosfet_value a, struct mosfet_value b)
{
    return (struct mosfet_value){factor * a.value + b.value, factor * a.gs + b.gs, factor * a.ds + b.ds,
                                 factor * a.bs + b.bs};
}

/* factor a + b of the bulk */
static struct mosfet_value raise(double factor, struct mosfet_value a, struct bsim3_slope b)
{
    return (struct mosfet_value){factor * a.value + b.value, factor * a.gs, factor * a.ds, factor * a.bs + b.bs};
}

/* a times what the bulk decides */
static struct mosfet_value weigh(struct mosfet_value a, struct bsim3_slope b)
{
    return (struct mosfet_value){a.value * b.value, a.gs * b.value, a.ds * b.value, a.bs * b.value + a.value * b.bs};
}

/* Gate voltage behind the depletion of a gate of polysilicon (B.2.3). */
static struct mosfet_value gate_of(const struct bsim3_law *law, double vgs)
{
    const double doping = law->p[BSIM3_NGATE], over = vgs - law->gate_flat_band - law->phi;
    if (!(doping > 1e18 && doping < 1e25 && over > 0))
        return mosfet_gate_voltage(vgs);
    const double scale = 1e6 * BSIM3_CHARGE * BSIM3_SILICON * doping / (law->oxide * law->oxide);
    const double root = sqrt(1 + 2 * over / scale), field = scale * (root - 1);
    const double left = 1.12 - 0.5 * field * field / scale - 0.05, end = sqrt(left * left + 0.224);
    return (struct mosfet_value){vgs - 1.12 + 0.5 * (left + end), 1 - 0.5 * (1 - 1 / root) * (1 + left / end), 0, 0};
}

/* Vgsteff of the overdrive and n (B.1.2). */
static struct mosfet_value overdrive_of(const struct bsim3_law *law, const struct bsim3_gate *g)
{
    const double n = g->swing.value, scale = 2 * n * law->thermal, v = g->over.value;
    const double x = v / scale, y = (2 * law->p[BSIM3_VOFF] - v) / scale;
    const double height = law->thermal * law->depletion_capacitance / law->oxide;
    if (x > FAR)
        return g->over;
    double f, by_v, by_n;
    if (y > FAR) {
        const double t = (v - law->p[BSIM3_VOFF]) / (n * law->thermal);
        f = height * exp(t);
        by_v = f / (n * law->thermal);
        by_n = -f * t / n;
    } else {
        const double e = exp(x), share = e / (1 + e), top = scale * log1p(e);
        const double weak = exp(y) / height, bottom = 1 + scale * weak;
        f = top / bottom;
        by_v = (share + f * weak) / bottom;
        by_n = (top - share * v - f * scale * weak * (1 - y)) / (n * bottom);
    }
    return (struct mosfet_value){f, by_v * g->over.gs, by_v * g->over.ds + by_n * g->swing.ds,
                                 by_v * g->over.bs + by_n * g->swing.bs};
}

/* Threshold (B.1.1) and n (B.2.1) at this drain voltage. */
static void find_gate(const struct bsim3_law *law, const struct bsim3_body *body, double vgs, double vds,
                      struct bsim3_gate *g)
{
    const struct bsim3_slope *low = &body->lowering, *n = &body->swing, *nd = &body->swing_drain;
    g->gate = gate_of(law, vgs);
    g->threshold = (struct mosfet_value){body->threshold.value - low->value * vds, 0, -low->value,
                                         body->threshold.bs - low->bs * vds};
    g->swing =
        at_least((struct mosfet_value){1 + n->value + nd->value * vds, 0, nd->value, n->bs + nd->bs * vds}, 0.5, 0.375);
    g->over = value_subtract(g->gate, g->threshold);
}

/* What u0 is divided by (B.3.1 .. 3). */
static struct mosfet_value fall_of_mobility(const struct bsim3_law *law, const struct bsim3_body *body,
                                            struct mosfet_value over, struct mosfet_value threshold)
{
    const double *p = law->p, inverse = 1 / law->tox;
    const struct mosfet_value field =
        law->mobility == 2 ? value_scale(inverse, over) : value_scale(inverse, accumulate(2, threshold, over));
    const struct mosfet_value fall =
        law->mobility == 3 ? weigh(value_multiply(field, value_line(p[BSIM3_UB], field, p[BSIM3_UA])), body->mobility)
                           : value_multiply(field, raise(p[BSIM3_UB], field, body->mobility));
    return at_least(value_line(1, fall, 1), 0.2, 0.1);
}

/* 1/lambda of (B.2.4.4): how far from a2 the gate brings the saturation. */
static struct mosfet_value inverse_lambda(const struct bsim3_law *law, struct mosfet_value over)
{
    const double a1 = law->p[BSIM3_A1], a2 = law->p[BSIM3_A2], delta = 1e-4;
    if (a1 == 0)
        return value_constant(1 / a2);
    const bool rises = a1 > 0;
    const double room = rises ? 1 - a2 : a2;
    const struct mosfet_value left = value_line(rises ? -a1 : a1, over, room - delta);
    const double root = sqrt(left.value * left.value + 4 * delta * room), kept = 0.5 * (left.value + root);
    const struct mosfet_value rest = value_chain(left, kept, 0.5 * (1 + left.value / root));
    return value_invert(rises ? value_line(-1, rest, 1) : rest);
}

/* Everything between the overdrive and the current. */
struct channel {
    struct mosfet_value over, over_thermal;      /* Vgsteff, Vgsteff + 2 kT/q */
    struct mosfet_value bulk, fall, critical;    /* Abulk, u0/ueff, Esat L */
    struct mosfet_value width, resistance, drop; /* Weff, Rds, Weff vsat Cox Rds */
    struct mosfet_value slack;                   /* 1/lambda */
    struct mosfet_value saturation, drain, rest; /* Vdsat, Vdseff, Vds - Vdseff */
    struct mosfet_value bulk_share;              /* Abulk/(Vgsteff + 2 kT/q) */
    bool resists;
};

/* (B.2.4.1 .. 4), the smaller root of a v^2 + b v + c = 0 in the form that holds for a = 0. */
static void find_saturation(struct channel *c)
{
    const struct mosfet_value along = value_multiply(c->bulk, c->critical);
    if (!c->resists && c->slack.value == 1) {
        c->saturation = value_divide(value_multiply(c->critical, c->over_thermal), value_add(c->over_thermal, along));
        return;
    }
    const struct mosfet_value bulk_drop = value_multiply(c->bulk, c->drop);
    const struct mosfet_value a = value_multiply(c->bulk, value_line(2, value_add(bulk_drop, c->slack), -2));
    const struct mosfet_value by_lambda = accumulate(3, bulk_drop, value_line(2, c->slack, -1));
    const struct mosfet_value b = value_add(value_multiply(c->over_thermal, by_lambda), along);
    const struct mosfet_value last =
        value_multiply(c->over_thermal, accumulate(2, value_multiply(c->over_thermal, c->drop), c->critical));
    const struct mosfet_value root = value_root(accumulate(-2, value_multiply(a, last), value_square(b)));
    c->saturation = value_divide(value_scale(2, last), value_add(b, root));
}

/* Vdseff (B.2.5): the smaller root of v^2 - (Vdsat + Vds + delta) v + Vdsat Vds = 0. */
static void find_drain(const struct bsim3_law *law, double vds, struct channel *c)
{
    const double delta = law->p[BSIM3_DELTA], s = c->saturation.value, under = s - vds - delta;
    const double root = sqrt(under * under + 4 * delta * s), whole = s + vds + delta + root;
    const double excess = under > 0 ? 4 * delta * s / (root + under) : root - under; /* whole - 2 s */
    const double drain = 2 * s * vds / whole;
    const double by_saturation = root > 0 ? 0.5 * (1 - (under + 2 * delta) / root) : 0;
    const double by_vds = root > 0 ? 0.5 * (1 + under / root) : 1;
    c->drain = value_chain(c->saturation, drain, by_saturation);
    c->drain.ds += by_vds;
    c->rest = value_chain(c->saturation, vds * excess / whole, -by_saturation);
    c->rest.ds += 1 - by_vds;
}

static void find_channel(const struct bsim3_law *law, const struct bsim3_body *body, const struct bsim3_gate *g,
                         double vds, struct channel *c)
{
    const double *p = law->p;
    c->over = overdrive_of(law, g);
    c->over_thermal = value_line(1, c->over, 2 * law->thermal);
    c->width = at_least(raise(-2 * p[BSIM3_DWG], c->over, body->width), 2e-8, 1e-8);
    const struct bsim3_slope fall = {-body->bulk_gate.value, -body->bulk_gate.bs};
    c->bulk = weigh(at_least(raise(1, weigh(c->over, fall), body->bulk), 0.1, 0.05), body->keta);
    c->fall = fall_of_mobility(law, body, c->over, g->threshold);
    c->critical = value_scale(law->critical, c->fall);
    c->slack = inverse_lambda(law, c->over);
    c->resists = law->resistance != 0;
    if (c->resists) {
        c->resistance =
            value_scale(law->resistance, at_least(raise(p[BSIM3_PRWG], c->over, body->resistance), 0.1, 0.05));
        c->drop = value_scale(law->velocity * law->oxide, value_multiply(c->width, c->resistance));
    } else {
        c->resistance = c->drop = value_constant(0);
    }
    find_saturation(c);
    find_drain(law, vds, c);
    c->bulk_share = value_divide(c->bulk, c->over_thermal);
}

/* Early voltage (B.2.6): at the bend, then of the channel's shortening and the barrier's lowering together. */
static struct mosfet_value early_voltage(const struct bsim3_law *law, const struct bsim3_body *body,
                                         const struct channel *c)
{
    const double *p = law->p;
    struct mosfet_value bend = value_add(c->critical, c->saturation);
    struct mosfet_value under = value_line(2, c->slack, -1);
    if (c->resists) {
        const struct mosfet_value left = value_line(-0.5, value_multiply(c->bulk_share, c->saturation), 1);
        bend = accumulate(2, value_multiply(value_multiply(c->drop, c->over), left), bend);
        under = value_add(under, value_multiply(c->drop, c->bulk));
    }
    bend = value_divide(bend, under);
    const struct mosfet_value gate = value_divide(c->over, c->critical);
    struct mosfet_value length = value_divide(value_multiply(value_add(c->bulk, gate), c->rest), c->bulk);
    length = value_scale(law->length / (p[BSIM3_PCLM] * law->saturation_length), length);
    if (law->output > 0) {
        struct mosfet_value barrier = value_divide(
            c->over_thermal, value_line(law->output, value_multiply(c->bulk_share, c->saturation), law->output));
        barrier = weigh(barrier, body->output);
        length = value_divide(value_multiply(length, barrier), value_add(length, barrier));
    }
    if (p[BSIM3_PVAG] != 0)
        length = value_multiply(length, at_least(value_line(p[BSIM3_PVAG], gate, 1), 0.1, 0.05));
    return value_add(bend, length);
}

/* factor x exp(-scale/x) of x >= 0. */
static struct mosfet_value ionised(double factor, double scale, struct mosfet_value x)
{
    if (!(scale < 700 * x.value))
        return value_constant(0);
    const double part = scale / x.value, e = factor * exp(-part);
    return value_chain(x, e * x.value, e * (1 + part));
}

/* (B.2.8) and (B.2.9). */
static void find_currents(const struct bsim3_law *law, const struct bsim3_body *body, const struct channel *c,
                          struct bsim3_point *out)
{
    const double *p = law->p, m = law->multiplicity;
    const struct mosfet_value conductance = value_scale(law->mobility_0 * law->oxide / law->length,
                                                        value_multiply(value_divide(c->width, c->fall), c->over));
    const struct mosfet_value charge = value_line(-0.5, value_multiply(c->bulk_share, c->drain), 1);
    struct mosfet_value i = value_multiply(conductance, charge);
    struct mosfet_value under = value_line(1, value_divide(c->drain, c->critical), 1);
    if (c->resists)
        under = value_add(under, value_multiply(i, c->resistance));
    i = value_divide(value_multiply(i, c->drain), under);
    const struct mosfet_value slope = value_divide(c->rest, early_voltage(law, body, c));
    i = value_multiply(i, value_line(m, slope, m));
    const double impact = p[BSIM3_ALPHA0] / law->length + p[BSIM3_ALPHA1];
    out->substrate = impact > 0 && p[BSIM3_BETA0] > 0 ? value_multiply(i, ionised(impact, p[BSIM3_BETA0], c->rest))
                                                      : value_constant(0);
    if (p[BSIM3_PSCBE2] > 0)
        i = value_multiply(
            i, value_line(1, ionised(p[BSIM3_PSCBE2] / law->length, p[BSIM3_PSCBE1] * law->saturation_length, c->rest),
                          1));
    out->current = i;
}

void bsim3_evaluate(const struct bsim3_law *law, double vgs, double vds, double vbs, unsigned what,
                    struct bsim3_point *out)
{
    struct bsim3_body own;
    const struct bsim3_body *body = &law->rest;
    struct bsim3_gate gate;
    if (vbs != 0)
        bsim3_body(law, vbs, &own), body = &own;
    find_gate(law, body, vgs, vds, &gate);
    out->threshold = gate.threshold.value;
    if (what & BSIM3_CURRENTS) {
        struct channel c;
        find_channel(law, body, &gate, vds, &c);
        find_currents(law, body, &c, out);
        out->saturation = c.saturation.value;
        out->overdrive = c.over.value;
        out->drain_effective = c.drain.value;
        out->bulk_charge = c.bulk.value;
        out->bulk_plain = c.bulk.value / body->keta.value;
        out->mobility = law->mobility_0 / c.fall.value;
        out->resistance = c.resistance.value;
    }
    if (what & BSIM3_CHARGES)
        bsim3_charges(law, body, &gate, vds, out);
}
