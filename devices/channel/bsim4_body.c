/* bsim4_body.c - what the bulk's voltage alone decides in a BSIM4 transistor. */
#include "devices/channel/bsim4.h"

/* Vbseff: vbs, kept above the least one and below 0.95 phi (2.9.1). */
static struct bulk_value effective_bulk(const struct bsim4_law *law, double vbs)
{
    const double delta = 0.001, depth = -law->least_bulk, most = 0.95 * law->phi;
    const double over = vbs + depth - delta, root = sqrt(over * over + 4 * delta * depth);
    const double kept = over >= 0 ? 0.5 * (over + root) - depth : 2 * delta * depth / (root - over) - depth;
    const double left = most - kept - delta, end = sqrt(left * left + 4 * delta * most);
    return (struct bulk_value){most - 0.5 * (left + end), 0.25 * (1 + over / root) * (1 + left / end)};
}

struct bulk_value bsim4_decayed(double along, struct bulk_value length)
{
    const double exponent = along / length.value, least = exp(-BSIM_FAR), most = 1 / least;
    if (!(exponent < BSIM_FAR))
        return (struct bulk_value){1 / (most - 2), 0};
    const double x = exp(exponent), f = x / ((x - 1) * (x - 1) + 2 * x * least);
    return (struct bulk_value){f, (x - 1 / x) * f * f * exponent / length.value * length.bs};
}

struct depths {
    struct bulk_value bulk, root, width, spread; /* Vbseff, sqrt(Phis), Xdep, sqrt(Xdep) */
};

/* 1 + rate Vbseff, bent below a half. */
static struct bulk_value bent(double rate, struct bulk_value bulk)
{
    return bulk_at_least(bulk_line(rate, bulk, 1), 0.5, 0.375);
}

/* (2.21) without the drain's part. */
static struct bulk_value threshold_of(const struct bsim4_law *law, const struct depths *d, struct bulk_value ends)
{
    const double *p = law->p, across = law->built_in - law->phi;
    const struct bulk_value narrow_length =
        bulk_product(bulk_line(law->decay, d->spread, 0), bent(p[BSIM4_DVT2W], d->bulk));
    const struct bulk_value corner = bsim4_decayed(p[BSIM4_DVT1W] * law->width * law->length, narrow_length);
    const double linear = p[BSIM4_K3B] * law->narrow - law->k2ox + p[BSIM4_KT2] * law->warmth;
    struct bulk_value v = bulk_line(law->k1ox * law->lateral, d->root, law->threshold);
    v = bulk_sum(v, bulk_line(linear, d->bulk, 0));
    v = bulk_sum(v, bulk_line(-p[BSIM4_DVT0] * across, ends, 0));
    return bulk_sum(v, bulk_line(-p[BSIM4_DVT0W] * across, corner, 0));
}

/* (3.2): what n has above 1. */
static void find_swing(const struct bsim4_law *law, const struct depths *d, struct bulk_value ends,
                       struct bsim4_body *out)
{
    const double *p = law->p, inverse_oxide = 1 / law->oxide;
    const struct bulk_value depletion =
        bulk_line(p[BSIM4_NFACTOR] * law->silicon, bulk_inverse(d->width), p[BSIM4_CIT]);
    const struct bulk_value coupling = bulk_product(bulk_line(p[BSIM4_CDSCB], d->bulk, p[BSIM4_CDSC]), ends);
    out->swing = bulk_line(inverse_oxide, bulk_sum(depletion, coupling), 0);
    out->swing_drain = bulk_line(inverse_oxide * p[BSIM4_CDSCD], ends, 0);
    out->depletion_capacitance = law->silicon / d->width.value;
}

/* 1/(1 + rate Vbseff), bent where that would have a pole. */
static struct bulk_value inverse_bent(double rate, struct bulk_value bulk)
{
    return bulk_inverse(bulk_at_least(bulk_line(rate, bulk, 1), 0.1, 0.05));
}

/* Abulk (5.1) before the bends. */
static void find_bulk_charge(const struct bsim4_law *law, const struct depths *d, struct bsim4_body *out)
{
    const double *p = law->p;
    const struct bulk_value body =
        bulk_line(0.5 * law->k1ox * law->lateral, bulk_inverse(d->root), law->k2ox - p[BSIM4_K3B] * law->narrow);
    const struct bulk_value reach = bulk_root(bulk_line(p[BSIM4_XJ], d->width, 0));
    const struct bulk_value share = bulk_line(law->length, bulk_inverse(bulk_line(2, reach, law->length)), 0);
    const double narrow = p[BSIM4_B0] / (law->width + p[BSIM4_B1]);
    out->bulk = bulk_line(1, bulk_product(body, bulk_line(p[BSIM4_A0], share, narrow)), 1);
    out->bulk_gate =
        bulk_line(p[BSIM4_AGS] * p[BSIM4_A0], bulk_product(body, bulk_product(share, bulk_product(share, share))), 0);
    out->keta = inverse_bent(p[BSIM4_KETA], d->bulk);
    out->charge_bulk = bulk_line(
        law->charge_bulk, bulk_product(bulk_at_least(out->bulk, 0.1, 0.05), inverse_bent(p[BSIM4_KETAC], d->bulk)), 0);
}

void bsim4_body(const struct bsim4_law *law, double vbs, struct bsim4_body *out)
{
    const double *p = law->p;
    struct depths d = {.bulk = effective_bulk(law, vbs)};
    d.root = bulk_root(bulk_line(-1, d.bulk, law->phi));
    d.width = bulk_line(law->depletion / law->root_phi, d.root, 0);
    d.spread = bulk_root(d.width);
    const struct bulk_value short_length =
        bulk_product(bulk_line(law->decay, d.spread, 0), bent(p[BSIM4_DVT2], d.bulk));
    const struct bulk_value ends = bsim4_decayed(p[BSIM4_DVT1] * law->length, short_length);
    const struct bulk_value rise = bulk_line(1, d.root, -law->root_phi);
    const bool factor = law->mobility == 1 || law->mobility == 5;
    out->root = d.root;
    out->effective = d.bulk;
    out->threshold = threshold_of(law, &d, ends);
    out->lowering =
        bulk_line(law->lowering, bulk_at_least(bulk_line(p[BSIM4_ETAB], d.bulk, p[BSIM4_ETA0]), 1e-4, 0.5e-4), 0);
    find_swing(law, &d, ends, out);
    find_bulk_charge(law, &d, out);
    out->width = bulk_line(-2 * p[BSIM4_DWB], rise, law->width);
    out->resistance = bulk_line(p[BSIM4_PRWB], rise, 0);
    out->mobility = bulk_line(p[BSIM4_UC], d.bulk, factor ? 1 : p[BSIM4_UA]);
    out->output = inverse_bent(p[BSIM4_PDIBLCB], d.bulk);
}

void bsim4_prepare_body(struct bsim4_law *law)
{
    bsim4_body(law, 0, &law->rest);
}
