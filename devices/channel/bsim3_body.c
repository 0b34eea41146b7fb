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

static struct bsim_depths depths_of(const struct bsim3_law *law, double vbs, struct bulk_value *surface)
{
    struct bsim_depths d = {.bulk = effective_bulk(law, vbs)};
    if (d.bulk.value > 0) {
        const double ratio = law->phi / (law->phi + d.bulk.value), half = law->phi + 0.5 * d.bulk.value;
        *surface = (struct bulk_value){law->phi * ratio, -ratio * ratio * d.bulk.bs};
        d.root.value = law->root_phi * law->phi / half;
        d.root.bs = -0.5 * d.root.value / half * d.bulk.bs;
    } else {
        *surface = bulk_line(-1, d.bulk, law->phi);
        d.root = bulk_root(*surface);
    }
    d.width = bulk_line(law->depletion / law->root_phi, d.root, 0);
    return d;
}

static void body_at(const struct bsim3_law *law, double vbs, struct bsim_body *out)
{
    const double *p = law->p;
    struct bulk_value surface;
    const struct bsim_depths d = depths_of(law, vbs, &surface);
    const struct bsim_lengths lengths = bsim_lengths_of(p, law->decay, &d);
    const struct bsim_lengths decays = {.ends = decayed(0.5 * p[BSIM3_DVT1] * law->length, lengths.ends),
                                        .corner =
                                            decayed(0.5 * p[BSIM3_DVT1W] * law->width * law->length, lengths.corner)};
    bsim_find_body(&law->bulk, p, &d, &decays, out);
    out->mobility = bulk_line(p[BSIM3_UC], d.bulk, law->mobility == 3 ? 1 : p[BSIM3_UA]);
    out->charges = bulk_line(-1, surface, law->phi);
    if (law->charges.kind == 0 && d.bulk.value <= 0)
        out->charges = (struct bulk_value){vbs, 1};
}

const struct bsim_body *bsim3_body(const struct bsim3_law *law, double vbs, struct bsim_body *own)
{
    if (vbs == 0)
        return &law->rest;
    body_at(law, vbs, own);
    return own;
}

void bsim3_prepare_body(struct bsim3_law *law)
{
    const double *p = law->p;
    law->bulk = (struct bsim_bulk_law){
        .silicon = BSIM_SILICON,
        .oxide = law->oxide,
        .length = law->length,
        .width = law->width,
        .root_phi = law->root_phi,
        .across = law->built_in - law->phi,
        .threshold = law->threshold,
        .body_effect = law->k1,
        .linear = p[BSIM3_K3B] * law->narrow - law->k2 + p[BSIM3_KT2] * law->warmth,
        .lowering = law->lowering,
        .charge_bulk = law->charge_bulk,
        .charge_keta = p[BSIM3_KETA],
        .resistance = 1,
    };
    body_at(law, 0, &law->rest);
}
