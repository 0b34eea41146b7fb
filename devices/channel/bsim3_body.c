/* bsim3_body.c - what the bulk's voltage alone decides in a BSIM3 transistor. */
#include "devices/channel/bsim3.h"

/* Vbseff: vbs, kept above the least one (B.1.1, delta1 = 1 mV).  Near 0 in the form that loses no digits. */
static struct bulk_value effective_bulk(const struct bsim3_law *law, double vbs)
{
    if (vbs > 0)
        return (struct bulk_value){vbs, 1};
    const double delta = 0.001, depth = -law->least_bulk, over = vbs + depth - delta;
    const double root = sqrt(over * over + 4 * delta * depth);
    const double value = over > 0 ? vbs * (1 - 2 * delta / (root + over + 2 * delta)) : 0.5 * (over + root) - depth;
    return (struct bulk_value){value, 0.5 * (1 + over / root)};
}

/* x + 2 x^2 of x = exp(-along/length): the decay of what the ends do, in (B.1.1). */
static struct bulk_value decayed(double along, struct bulk_value length)
{
    const double exponent = along / length.value, most = 34;
    if (!(exponent < most)) {
        const double x = exp(-most);
        return (struct bulk_value){x * (1 + 2 * x), 0};
    }
    const double x = exp(-exponent);
    return (struct bulk_value){x * (1 + 2 * x), (1 + 4 * x) * x * exponent / length.value * length.bs};
}

struct depths {
    struct bulk_value bulk, surface, root, width; /* Vbseff, Phis, sqrt(Phis), Xdep */
};

static struct depths depths_of(const struct bsim3_law *law, double vbs)
{
    struct depths d = {.bulk = effective_bulk(law, vbs)};
    if (d.bulk.value > 0) {
        const double ratio = law->phi / (law->phi + d.bulk.value), half = law->phi + 0.5 * d.bulk.value;
        d.surface = (struct bulk_value){law->phi * ratio, -ratio * ratio * d.bulk.bs};
        d.root.value = law->root_phi * law->phi / half;
        d.root.bs = -0.5 * d.root.value / half * d.bulk.bs;
    } else {
        d.surface = bulk_line(-1, d.bulk, law->phi);
        d.root = bulk_root(d.surface);
    }
    d.width = bulk_line(law->depletion / law->root_phi, d.root, 0);
    return d;
}

/* (B.1.1) without the drain's part. */
static struct bulk_value threshold_of(const struct bsim3_law *law, const struct depths *d, struct bulk_value ends)
{
    const double *p = law->p, across = law->built_in - law->phi;
    const struct bulk_value spread = bulk_root(d->width);
    const struct bulk_value narrow_decay = bulk_product(
        bulk_line(law->decay, spread, 0), bulk_at_least(bulk_line(p[BSIM3_DVT2W], d->bulk, 1), 0.5, 0.375));
    const struct bulk_value corner = decayed(0.5 * p[BSIM3_DVT1W] * law->width * law->length, narrow_decay);
    const double linear = p[BSIM3_K3B] * law->narrow - law->k2 + p[BSIM3_KT2] * law->warmth;
    struct bulk_value v = bulk_line(law->k1, d->root, law->threshold);
    v = bulk_sum(v, bulk_line(linear, d->bulk, 0));
    v = bulk_sum(v, bulk_line(-p[BSIM3_DVT0] * across, ends, 0));
    return bulk_sum(v, bulk_line(-p[BSIM3_DVT0W] * across, corner, 0));
}

/* (B.2.1): what n has above 1. */
static void find_swing(const struct bsim3_law *law, const struct depths *d, struct bulk_value ends,
                       struct bsim3_body *out)
{
    const double *p = law->p, inverse_oxide = 1 / law->oxide;
    const struct bulk_value depletion =
        bulk_line(p[BSIM3_NFACTOR] * BSIM_SILICON, bulk_inverse(d->width), p[BSIM3_CIT]);
    const struct bulk_value coupling = bulk_product(bulk_line(p[BSIM3_CDSCB], d->bulk, p[BSIM3_CDSC]), ends);
    out->swing = bulk_line(inverse_oxide, bulk_sum(depletion, coupling), 0);
    out->swing_drain = bulk_line(inverse_oxide * p[BSIM3_CDSCD], ends, 0);
}

/* Abulk (B.2.5) before the bends. */
static void find_bulk_charge(const struct bsim3_law *law, const struct depths *d, struct bsim3_body *out)
{
    const double *p = law->p;
    const struct bulk_value body = bulk_line(0.5 * law->k1, bulk_inverse(d->root), 0);
    const struct bulk_value reach = bulk_root(bulk_line(p[BSIM3_XJ], d->width, 0));
    const struct bulk_value share = bulk_line(law->length, bulk_inverse(bulk_line(2, reach, law->length)), 0);
    const double narrow = p[BSIM3_B0] / (law->width + p[BSIM3_B1]);
    out->bulk = bulk_line(1, bulk_product(body, bulk_line(p[BSIM3_A0], share, narrow)), 1);
    out->bulk_gate =
        bulk_line(p[BSIM3_AGS] * p[BSIM3_A0], bulk_product(body, bulk_product(share, bulk_product(share, share))), 0);
    out->keta = bulk_inverse(bulk_at_least(bulk_line(p[BSIM3_KETA], d->bulk, 1), 0.1, 0.05));
    out->charge_bulk = bulk_line(law->charge_bulk, bulk_product(bulk_at_least(out->bulk, 0.1, 0.05), out->keta), 0);
}

void bsim3_body(const struct bsim3_law *law, double vbs, struct bsim3_body *out)
{
    const double *p = law->p;
    const struct depths d = depths_of(law, vbs);
    const struct bulk_value short_decay = bulk_product(bulk_line(law->decay, bulk_root(d.width), 0),
                                                       bulk_at_least(bulk_line(p[BSIM3_DVT2], d.bulk, 1), 0.5, 0.375));
    const struct bulk_value ends = decayed(0.5 * p[BSIM3_DVT1] * law->length, short_decay);
    const struct bulk_value rise = bulk_line(1, d.root, -law->root_phi);
    const bool factor = law->mobility == 3;
    out->root = d.root;
    out->threshold = threshold_of(law, &d, ends);
    out->lowering =
        bulk_line(law->lowering, bulk_at_least(bulk_line(p[BSIM3_ETAB], d.bulk, p[BSIM3_ETA0]), 1e-4, 0.5e-4), 0);
    find_swing(law, &d, ends, out);
    find_bulk_charge(law, &d, out);
    out->width = bulk_line(-2 * p[BSIM3_DWB], rise, law->width);
    out->resistance = bulk_line(p[BSIM3_PRWB], rise, 1);
    out->mobility = bulk_line(p[BSIM3_UC], d.bulk, factor ? 1 : p[BSIM3_UA]);
    out->output = bulk_inverse(bulk_at_least(bulk_line(p[BSIM3_PDIBLCB], d.bulk, 1), 0.1, 0.05));
    out->charges = bulk_line(-1, d.surface, law->phi);
    if (law->charges.kind == 0 && d.bulk.value <= 0)
        out->charges = (struct bulk_value){vbs, 1};
}

void bsim3_prepare_body(struct bsim3_law *law)
{
    bsim3_body(law, 0, &law->rest);
}
