/* bsim4_current.c - overdrive, drain current and substrate current of a BSIM4 transistor. */
#include "devices/channel/bsim4.h"

/* Threshold (2.21 and 2.40) and n (3.2) at this drain voltage. */
static void find_gate(const struct bsim4_law *law, const struct bsim_body *body, double vgs, double vds,
                      struct bsim_gate_state *g)
{
    const double *p = law->p;
    bsim_find_gate(body, vds, g);
    g->gate = bsim_gate(p[BSIM4_NGATE], law->gate_scale, law->gate_from, vgs);
    if (p[BSIM4_DVTP0] > 0) {
        const double e = exp(-p[BSIM4_DVTP1] * vds), reach = law->length + p[BSIM4_DVTP0] * (1 + e);
        const struct mosfet_value shift = {law->pocket_thermal * log(reach / law->length), 0,
                                           -law->pocket_thermal * p[BSIM4_DVTP0] * p[BSIM4_DVTP1] * e / reach, 0};
        g->threshold = value_add(g->threshold, value_multiply(g->swing, shift));
    }
    if (p[BSIM4_DVTP4] != 0 && law->pocket_shift != 0) {
        const double t = tanh(p[BSIM4_DVTP4] * vds);
        g->threshold.value -= law->pocket_shift * t;
        g->threshold.ds -= law->pocket_shift * p[BSIM4_DVTP4] * (1 - t * t);
    }
    g->over = value_subtract(g->gate, g->threshold);
}

/* ud (v/(Vgsteff + 2 sqrt(v^2 + 0.0001)) toxe)^2 of a threshold v. */
static struct mosfet_value scattering(const struct bsim4_law *law, struct mosfet_value over, struct mosfet_value v)
{
    const double root = sqrt(v.value * v.value + 1e-4);
    const struct mosfet_value under = value_accumulate(2, value_chain(v, root, v.value / root), over);
    return value_scale(law->p[BSIM4_UD] * law->toxe * law->toxe, value_square(value_divide(v, under)));
}

/* What u0 is divided by (5.2). */
static struct mosfet_value fall_of_mobility(const struct bsim4_law *law, const struct bsim_body *body,
                                            struct mosfet_value over, struct mosfet_value threshold)
{
    const double *p = law->p, inverse = 1 / law->toxe;
    const struct mosfet_value shifted = value_line(1, over, law->mobility_offset);
    const int law_of = law->mobility;
    struct mosfet_value fall;
    if (law_of == 2 || law_of == 3 || law_of == 6) {
        const struct mosfet_value field = value_scale(law_of == 3 ? inverse * 1e-8 / 6 : inverse, shifted);
        fall = value_weigh(value_power(field, p[BSIM4_EU]), body->mobility);
    } else {
        const struct mosfet_value whole = law_of < 2 ? value_accumulate(2, threshold, over) : shifted;
        const struct mosfet_value field = value_line(inverse, whole, -inverse * law->work_offset);
        fall = law_of == 1 || law_of == 5
                   ? value_weigh(value_multiply(field, value_line(p[BSIM4_UB], field, p[BSIM4_UA])), body->mobility)
                   : value_multiply(field, value_raise(p[BSIM4_UB], field, body->mobility));
    }
    if (law_of == 3)
        fall = value_add(
            fall, value_scale(p[BSIM4_UD], value_power(value_line(0.5 / law->coulomb, over, 0.5), -p[BSIM4_UCS])));
    else if (p[BSIM4_UD] != 0)
        fall = value_add(fall, scattering(law, over, law_of < 3 ? threshold : value_constant(law->mobility_offset)));
    return value_at_least(value_line(1, fall, 1), 0.2, 0.1);
}

/* Rds (5.4). */
static struct mosfet_value resistance_of(const struct bsim4_law *law, const struct bsim_body *body,
                                         struct mosfet_value over)
{
    const struct mosfet_value gate = value_invert(value_line(law->p[BSIM4_PRWG], over, 1));
    const struct mosfet_value part = value_raise(1, gate, body->resistance);
    const double root = sqrt(part.value * part.value + 0.01), half = 0.5 * law->resistance;
    return value_chain(part, law->least_resistance + half * (part.value + root), half * (1 + part.value / root));
}

static void find_channel(const struct bsim4_law *law, const struct bsim_body *body, const struct bsim_gate_state *g,
                         double vds, struct bsim_channel *c)
{
    const double *p = law->p;
    bsim_find_width(&law->overdrive, p, body, g, c);
    c->fall = fall_of_mobility(law, body, c->over, g->threshold);
    c->critical = value_scale(law->critical, c->fall);
    c->resists = law->resistance != 0 || law->least_resistance != 0;
    if (c->resists)
        c->resistance = resistance_of(law, body, c->over);
    bsim_find_rest(p, law->velocity * law->oxide, vds, c);
}

/* Velocity overshoot (5.9): Esat L rises where the field does. */
static void overshoot(const struct bsim4_law *law, struct bsim_channel *c)
{
    const struct mosfet_value field =
        value_scale(law->length / law->saturation_length, value_divide(c->rest, c->critical));
    const struct mosfet_value along = value_square(value_line(1, field, 1));
    const struct mosfet_value share = value_line(-2, value_invert(value_line(1, along, 1)), 1);
    const double rate = law->p[BSIM4_LAMBDA] / (law->length * law->mobility_0);
    c->critical = value_multiply(c->critical, value_line(rate, value_multiply(c->fall, share), 1));
}

/* Inverse Early voltages of saturation, (5.5): the barrier's lowering, pocket implants, ionisation; shortening. */
struct slopes {
    struct mosfet_value barrier, pocket, ionised, shortening;
};

static struct slopes slopes_of(const struct bsim4_law *law, const struct bsim_body *body, const struct bsim_channel *c,
                               struct mosfet_value long_current, double vds)
{
    const double *p = law->p, least = 1.713908431e-15;
    const struct mosfet_value none = value_constant(0), one = value_constant(1);
    struct slopes s = {none, none, none, none};
    const struct mosfet_value gate =
        p[BSIM4_PVAG] == 0
            ? one
            : value_at_least(value_line(p[BSIM4_PVAG], value_divide(c->over, c->critical), 1), 0.1, 0.05);
    const struct mosfet_value implants =
        p[BSIM4_FPROUT] > 0
            ? value_invert(value_line(p[BSIM4_FPROUT] * sqrt(law->length), value_invert(c->over_thermal), 1))
            : one;
    if (law->output > least) {
        const struct mosfet_value barrier = value_divide(
            c->over_thermal, value_line(law->output, value_multiply(c->bulk_share, c->saturation), law->output));
        s.barrier = value_divide(c->rest, value_multiply(value_weigh(barrier, body->output), gate));
    }
    if (p[BSIM4_PDITS] > least) {
        const double e = law->fringe * exp(fmin(p[BSIM4_PDITSD] * vds, BSIM_FAR));
        const struct mosfet_value by_drain = {(1 + e) / p[BSIM4_PDITS], 0, e * p[BSIM4_PDITSD] / p[BSIM4_PDITS], 0};
        s.pocket = value_divide(c->rest, value_multiply(implants, by_drain));
    }
    if (p[BSIM4_PSCBE2] > 0 && p[BSIM4_PSCBE1] >= 0)
        s.ionised = bsim_ionised(p[BSIM4_PSCBE2] / law->length, p[BSIM4_PSCBE1] * law->saturation_length, c->rest);
    if (p[BSIM4_PCLM] > least) {
        const struct mosfet_value along = value_scale(law->length / (p[BSIM4_PCLM] * law->saturation_length),
                                                      value_line(1, value_divide(c->saturation, c->critical), 1));
        struct mosfet_value rate = value_multiply(value_multiply(implants, gate), along);
        if (c->resists)
            rate = value_multiply(rate, value_line(1, value_multiply(c->resistance, long_current), 1));
        const struct mosfet_value x = value_divide(value_multiply(rate, c->rest), bsim_bend_voltage(c));
        s.shortening = value_divide(value_chain(x, log1p(x.value), 1 / (1 + x.value)), rate);
    }
    return s;
}

/* Limit of velocity at the source's end (5.10): i/(1 + (i/limit)^6)^(1/6). */
static struct mosfet_value injected(const struct bsim4_law *law, const struct bsim_channel *c,
                                    struct mosfet_value oxide, struct mosfet_value i)
{
    if (!(i.value > 0))
        return i;
    const double tiny = 1e-30; /* A, where there is no channel */
    const struct mosfet_value most =
        value_line(law->injection, value_multiply(value_multiply(oxide, c->width), c->over), tiny);
    const struct mosfet_value ratio = value_cube(value_divide(i, most));
    return value_multiply(i, value_power(value_line(1, value_square(ratio), 1), -1.0 / 6));
}

/* 1 + a */
static struct mosfet_value above_one(struct mosfet_value a)
{
    return value_line(1, a, 1);
}

static void find_currents(const struct bsim4_law *law, const struct bsim_body *body, struct bsim_channel *c, double vds,
                          struct bsim4_point *out)
{
    const double *p = law->p;
    if (p[BSIM4_LAMBDA] > 0)
        overshoot(law, c);
    const struct mosfet_value depth = bsim_inversion_depth(&law->charges, c->over, value_constant(law->layer_offset));
    const struct bsim_charge_law *layer = &law->charges;
    const struct mosfet_value oxide =
        value_scale(law->oxide, value_invert(value_line(layer->by_depth, depth, layer->by_depth_0)));
    out->layer_oxide = oxide.value;
    out->conductance =
        value_scale(law->mobility_0 / law->length, value_multiply(value_divide(c->width, c->fall), oxide));
    const struct mosfet_value charge = value_line(-0.5, value_multiply(c->bulk_share, c->drain), 1);
    const struct mosfet_value under = above_one(value_divide(c->drain, c->critical));
    struct mosfet_value i = value_divide(value_multiply(out->conductance, value_multiply(c->over, charge)), under);
    out->long_conductance = i.value;
    if (c->resists)
        i = value_divide(i, above_one(value_multiply(i, c->resistance)));
    const struct slopes s = slopes_of(law, body, c, i, vds);
    i = value_multiply(value_multiply(i, above_one(s.barrier)), above_one(s.shortening));
    i = value_multiply(i, above_one(s.pocket));
    const double impact = p[BSIM4_ALPHA0] / law->length + p[BSIM4_ALPHA1];
    out->substrate = impact > 0 && p[BSIM4_BETA0] > 0
                         ? value_multiply(value_multiply(i, c->drain), bsim_ionised(impact, p[BSIM4_BETA0], c->rest))
                         : value_constant(0);
    out->slope = value_multiply(i, above_one(s.ionised));
    out->current = value_multiply(out->slope, c->drain);
    if (law->injection > 0)
        out->current = injected(law, c, oxide, out->current);
}

static void find_charges(const struct bsim4_law *law, const struct bsim_body *body, const struct bsim_gate_state *g,
                         double vds, struct bsim4_point *out)
{
    struct bsim_charge_bias at = {.gate = g->gate,
                                  .body = body->charges,
                                  .root = body->root,
                                  .bulk = body->charge_bulk,
                                  .layer_offset = value_constant(law->layer_offset)};
    if (law->charges.kind > 0)
        at.over = law->charge_overdrive ? bsim_overdrive(&law->over_charges, g->over, g->swing)
                                        : bsim_charge_overdrive(law->p[BSIM4_NOFF] * law->thermal, law->p[BSIM4_VOFFCV],
                                                                g->over, g->swing);
    bsim_charges(&law->charges, &at, vds, &out->charges);
}

static void find_all_currents(const struct bsim4_law *law, const struct bsim_body *body,
                              const struct bsim_gate_state *gate, struct bsim_channel *c, double vds,
                              struct bsim4_point *out)
{
    find_currents(law, body, c, vds, out);
    bsim4_tunnelling(law, body, gate, c, out);
    out->critical = c->critical.value;
    out->charge_bulk = body->charge_bulk.value;
    out->carriers = law->thermal / BSIM_CHARGE * (law->oxide + body->depletion_capacitance + law->p[BSIM4_CIT]);
}

BSIM_EVALUATION(bsim4, BSIM4, find_all_currents(law, body, &gate, &c, vds, out))
