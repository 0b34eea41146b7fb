/* bsim3_current.c - overdrive, drain current and substrate current of a BSIM3 transistor. */
#include "devices/channel/bsim3.h"

static void find_gate(const struct bsim3_law *law, const struct bsim_body *body, double vgs, double vds,
                      struct bsim_gate_state *g)
{
    bsim_find_gate(body, vds, g);
    g->gate = bsim_gate(law->p[BSIM3_NGATE], BSIM_CHARGE * BSIM_SILICON / (law->oxide * law->oxide),
                        law->gate_flat_band + law->phi, vgs);
    g->over = value_subtract(g->gate, g->threshold);
}

/* What u0 is divided by (B.3.1 .. 3). */
static struct mosfet_value fall_of_mobility(const struct bsim3_law *law, const struct bsim_body *body,
                                            struct mosfet_value over, struct mosfet_value threshold)
{
    const double *p = law->p, inverse = 1 / law->tox;
    const struct mosfet_value field =
        law->mobility == 2 ? value_scale(inverse, over) : value_scale(inverse, value_accumulate(2, threshold, over));
    const struct mosfet_value fall =
        law->mobility == 3
            ? value_weigh(value_multiply(field, value_line(p[BSIM3_UB], field, p[BSIM3_UA])), body->mobility)
            : value_multiply(field, value_raise(p[BSIM3_UB], field, body->mobility));
    return value_at_least(value_line(1, fall, 1), 0.2, 0.1);
}

static void find_channel(const struct bsim3_law *law, const struct bsim_body *body, const struct bsim_gate_state *g,
                         double vds, struct bsim_channel *c)
{
    const double *p = law->p;
    bsim_find_width(&law->overdrive, p, body, g, c);
    c->fall = fall_of_mobility(law, body, c->over, g->threshold);
    c->critical = value_scale(law->critical, c->fall);
    c->resists = law->resistance != 0;
    if (c->resists)
        c->resistance = value_scale(law->resistance,
                                    value_at_least(value_raise(p[BSIM3_PRWG], c->over, body->resistance), 0.1, 0.05));
    bsim_find_rest(p, law->velocity * law->oxide, vds, c);
}

/* Early voltage (B.2.6): at the bend, then of the channel's shortening and the barrier's lowering together. */
static struct mosfet_value early_voltage(const struct bsim3_law *law, const struct bsim_body *body,
                                         const struct bsim_channel *c)
{
    const double *p = law->p;
    const struct mosfet_value bend = bsim_bend_voltage(c);
    const struct mosfet_value gate = value_divide(c->over, c->critical);
    struct mosfet_value length = value_divide(value_multiply(value_add(c->bulk, gate), c->rest), c->bulk);
    length = value_scale(law->length / (p[BSIM3_PCLM] * law->saturation_length), length);
    if (law->output > 0) {
        struct mosfet_value barrier = value_divide(
            c->over_thermal, value_line(law->output, value_multiply(c->bulk_share, c->saturation), law->output));
        barrier = value_weigh(barrier, body->output);
        length = value_divide(value_multiply(length, barrier), value_add(length, barrier));
    }
    if (p[BSIM3_PVAG] != 0)
        length = value_multiply(length, value_at_least(value_line(p[BSIM3_PVAG], gate, 1), 0.1, 0.05));
    return value_add(bend, length);
}

/* (B.2.8) and (B.2.9). */
static void find_currents(const struct bsim3_law *law, const struct bsim_body *body, const struct bsim_channel *c,
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
    out->substrate = impact > 0 && p[BSIM3_BETA0] > 0 ? value_multiply(i, bsim_ionised(impact, p[BSIM3_BETA0], c->rest))
                                                      : value_constant(0);
    if (p[BSIM3_PSCBE2] > 0)
        i = value_multiply(
            i,
            value_line(
                1, bsim_ionised(p[BSIM3_PSCBE2] / law->length, p[BSIM3_PSCBE1] * law->saturation_length, c->rest), 1));
    out->current = i;
}

static void find_charges(const struct bsim3_law *law, const struct bsim_body *body, const struct bsim_gate_state *g,
                         double vds, struct bsim3_point *out)
{
    struct bsim_charge_bias at = {
        .gate = g->gate, .body = body->charges, .root = body->root, .bulk = body->charge_bulk};
    if (law->charges.kind > 0)
        at.over = bsim_charge_overdrive(law->p[BSIM3_NOFF] * law->thermal, law->p[BSIM3_VOFFCV], g->over, g->swing);
    if (law->charges.kind > 2)
        at.layer_offset = value_line(4, g->threshold, -4 * (law->charges.flat_band + law->phi));
    bsim_charges(&law->charges, &at, vds, &out->charges);
}

BSIM_EVALUATION(bsim3, BSIM3, find_currents(law, body, &c, out))
