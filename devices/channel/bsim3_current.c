/* bsim3_current.c - overdrive, drain current and substrate current of a BSIM3 transistor. */
#include "devices/channel/bsim3.h"

/* Threshold (B.1.1) and n (B.2.1) at this drain voltage. */
static void find_gate(const struct bsim3_law *law, const struct bsim3_body *body, double vgs, double vds,
                      struct bsim3_gate *g)
{
    const struct bulk_value *low = &body->lowering, *n = &body->swing, *nd = &body->swing_drain;
    g->gate = bsim_gate(law->p[BSIM3_NGATE], BSIM_CHARGE * BSIM_SILICON / (law->oxide * law->oxide),
                        law->gate_flat_band + law->phi, vgs);
    g->threshold = (struct mosfet_value){body->threshold.value - low->value * vds, 0, -low->value,
                                         body->threshold.bs - low->bs * vds};
    g->swing = value_at_least((struct mosfet_value){1 + n->value + nd->value * vds, 0, nd->value, n->bs + nd->bs * vds},
                              0.5, 0.375);
    g->over = value_subtract(g->gate, g->threshold);
}

/* What u0 is divided by (B.3.1 .. 3). */
static struct mosfet_value fall_of_mobility(const struct bsim3_law *law, const struct bsim3_body *body,
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

static void find_channel(const struct bsim3_law *law, const struct bsim3_body *body, const struct bsim3_gate *g,
                         double vds, struct bsim_channel *c)
{
    const double *p = law->p;
    c->over = bsim_overdrive(&law->overdrive, g->over, g->swing);
    c->over_thermal = value_line(1, c->over, 2 * law->thermal);
    c->width = value_at_least(value_raise(-2 * p[BSIM3_DWG], c->over, body->width), 2e-8, 1e-8);
    const struct bulk_value fall = {-body->bulk_gate.value, -body->bulk_gate.bs};
    c->bulk =
        value_weigh(value_at_least(value_raise(1, value_weigh(c->over, fall), body->bulk), 0.1, 0.05), body->keta);
    c->fall = fall_of_mobility(law, body, c->over, g->threshold);
    c->critical = value_scale(law->critical, c->fall);
    c->slack = bsim_inverse_lambda(p[BSIM3_A1], p[BSIM3_A2], c->over);
    c->resists = law->resistance != 0;
    if (c->resists) {
        c->resistance = value_scale(law->resistance,
                                    value_at_least(value_raise(p[BSIM3_PRWG], c->over, body->resistance), 0.1, 0.05));
        c->drop = value_scale(law->velocity * law->oxide, value_multiply(c->width, c->resistance));
    } else {
        c->resistance = c->drop = value_constant(0);
    }
    bsim_find_saturation(c);
    bsim_find_drain(p[BSIM3_DELTA], vds, c);
    c->bulk_share = value_divide(c->bulk, c->over_thermal);
}

/* Early voltage (B.2.6): at the bend, then of the channel's shortening and the barrier's lowering together. */
static struct mosfet_value early_voltage(const struct bsim3_law *law, const struct bsim3_body *body,
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
static void find_currents(const struct bsim3_law *law, const struct bsim3_body *body, const struct bsim_channel *c,
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

static void find_charges(const struct bsim3_law *law, const struct bsim3_body *body, const struct bsim3_gate *g,
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
        struct bsim_channel c;
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
        find_charges(law, body, &gate, vds, out);
}
