/* bsim_body.c - see bsim_body.h. */
#include "devices/channel/bsim_body.h"

/* 1 + rate Vbseff, bent below a half. */
static struct bulk_value bent(double rate, struct bulk_value bulk)
{
    return bulk_at_least(bulk_line(rate, bulk, 1), 0.5, 0.375);
}

/* 1/(1 + rate Vbseff), bent where that would have a pole. */
static struct bulk_value inverse_bent(double rate, struct bulk_value bulk)
{
    return bulk_inverse(bulk_at_least(bulk_line(rate, bulk, 1), 0.1, 0.05));
}

struct bsim_lengths bsim_lengths_of(const double *p, double decay, const struct bsim_depths *d)
{
    const struct bulk_value spread = bulk_line(decay, bulk_root(d->width), 0);
    return (struct bsim_lengths){.ends = bulk_product(spread, bent(p[BSIM_DVT2], d->bulk)),
                                 .corner = bulk_product(spread, bent(p[BSIM_DVT2W], d->bulk))};
}

/* (B.1.1) without the drain's part. */
static struct bulk_value threshold_of(const struct bsim_bulk_law *law, const double *p, const struct bsim_depths *d,
                                      const struct bsim_lengths *decays)
{
    struct bulk_value v = bulk_line(law->body_effect, d->root, law->threshold);
    v = bulk_sum(v, bulk_line(law->linear, d->bulk, 0));
    v = bulk_sum(v, bulk_line(-p[BSIM_DVT0] * law->across, decays->ends, 0));
    return bulk_sum(v, bulk_line(-p[BSIM_DVT0W] * law->across, decays->corner, 0));
}

/* (B.2.1): what n has above 1. */
static void find_swing(const struct bsim_bulk_law *law, const double *p, const struct bsim_depths *d,
                       struct bulk_value ends, struct bsim_body *out)
{
    const double inverse_oxide = 1 / law->oxide;
    const struct bulk_value depletion = bulk_line(p[BSIM_NFACTOR] * law->silicon, bulk_inverse(d->width), p[BSIM_CIT]);
    const struct bulk_value coupling = bulk_product(bulk_line(p[BSIM_CDSCB], d->bulk, p[BSIM_CDSC]), ends);
    out->swing = bulk_line(inverse_oxide, bulk_sum(depletion, coupling), 0);
    out->swing_drain = bulk_line(inverse_oxide * p[BSIM_CDSCD], ends, 0);
    out->depletion_capacitance = law->silicon / d->width.value;
}

/* Abulk (B.2.5) before the bends. */
static void find_bulk_charge(const struct bsim_bulk_law *law, const double *p, const struct bsim_depths *d,
                             struct bsim_body *out)
{
    const struct bulk_value body = bulk_line(0.5 * law->body_effect, bulk_inverse(d->root), law->bulk);
    const struct bulk_value reach = bulk_root(bulk_line(p[BSIM_XJ], d->width, 0));
    const struct bulk_value share = bulk_line(law->length, bulk_inverse(bulk_line(2, reach, law->length)), 0);
    const double narrow = p[BSIM_B0] / (law->width + p[BSIM_B1]);
    out->bulk = bulk_line(1, bulk_product(body, bulk_line(p[BSIM_A0], share, narrow)), 1);
    out->bulk_gate =
        bulk_line(p[BSIM_AGS] * p[BSIM_A0], bulk_product(body, bulk_product(share, bulk_product(share, share))), 0);
    out->keta = inverse_bent(p[BSIM_KETA], d->bulk);
    const struct bulk_value charge_keta = inverse_bent(law->charge_keta, d->bulk);
    out->charge_bulk = bulk_line(law->charge_bulk, bulk_product(bulk_at_least(out->bulk, 0.1, 0.05), charge_keta), 0);
}

void bsim_find_body(const struct bsim_bulk_law *law, const double *p, const struct bsim_depths *d,
                    const struct bsim_lengths *decays, struct bsim_body *out)
{
    const struct bulk_value rise = bulk_line(1, d->root, -law->root_phi);
    const struct bulk_value lowering = bulk_at_least(bulk_line(p[BSIM_ETAB], d->bulk, p[BSIM_ETA0]), 1e-4, 0.5e-4);
    out->root = d->root;
    out->threshold = threshold_of(law, p, d, decays);
    out->lowering = bulk_line(law->lowering, lowering, 0);
    find_swing(law, p, d, decays->ends, out);
    find_bulk_charge(law, p, d, out);
    out->width = bulk_line(-2 * p[BSIM_DWB], rise, law->width);
    out->resistance = bulk_line(p[BSIM_PRWB], rise, law->resistance);
    out->output = inverse_bent(p[BSIM_PDIBLCB], d->bulk);
}

void bsim_find_gate(const struct bsim_body *body, double vds, struct bsim_gate_state *g)
{
    const struct bulk_value *low = &body->lowering, *n = &body->swing, *nd = &body->swing_drain;
    g->threshold = (struct mosfet_value){body->threshold.value - low->value * vds, 0, -low->value,
                                         body->threshold.bs - low->bs * vds};
    g->swing = value_at_least((struct mosfet_value){1 + n->value + nd->value * vds, 0, nd->value, n->bs + nd->bs * vds},
                              0.5, 0.375);
}

void bsim_find_width(const struct bsim_overdrive_law *law, const double *p, const struct bsim_body *body,
                     const struct bsim_gate_state *g, struct bsim_channel *c)
{
    c->over = bsim_overdrive(law, g->over, g->swing);
    c->over_thermal = value_line(1, c->over, 2 * law->thermal);
    c->width = value_at_least(value_raise(-2 * p[BSIM_DWG], c->over, body->width), 2e-8, 1e-8);
    const struct bulk_value fall = {-body->bulk_gate.value, -body->bulk_gate.bs};
    const struct mosfet_value bulk = value_raise(1, value_weigh(c->over, fall), body->bulk);
    c->bulk = value_weigh(value_at_least(bulk, 0.1, 0.05), body->keta);
}

void bsim_find_rest(const double *p, double velocity_oxide, double vds, struct bsim_channel *c)
{
    c->slack = bsim_inverse_lambda(p[BSIM_A1], p[BSIM_A2], c->over);
    if (!c->resists)
        c->resistance = value_constant(0);
    c->drop = c->resists ? value_scale(velocity_oxide, value_multiply(c->width, c->resistance)) : value_constant(0);
    bsim_find_saturation(c);
    bsim_find_drain(p[BSIM_DELTA], vds, c);
    c->bulk_share = value_divide(c->bulk, c->over_thermal);
}

void bsim_tell_state(const struct bsim_body *body, const struct bsim_channel *c, double mobility,
                     struct bsim_state *out)
{
    out->saturation = c->saturation.value;
    out->overdrive = c->over.value;
    out->drain_effective = c->drain.value;
    out->bulk_charge = c->bulk.value;
    out->bulk_plain = c->bulk.value / body->keta.value;
    out->mobility = mobility / c->fall.value;
    out->resistance = c->resistance.value;
}
