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

static void body_at(const struct bsim4_law *law, double vbs, struct bsim_body *out)
{
    const double *p = law->p;
    struct bsim_depths d = {.bulk = effective_bulk(law, vbs)};
    d.root = bulk_root(bulk_line(-1, d.bulk, law->phi));
    d.width = bulk_line(law->depletion / law->root_phi, d.root, 0);
    const struct bsim_lengths lengths = bsim_lengths_of(p, law->decay, &d);
    const struct bsim_lengths decays = {.ends = bsim4_decayed(p[BSIM4_DVT1] * law->length, lengths.ends),
                                        .corner =
                                            bsim4_decayed(p[BSIM4_DVT1W] * law->width * law->length, lengths.corner)};
    bsim_find_body(&law->bulk, p, &d, &decays, out);
    out->mobility = bulk_line(p[BSIM4_UC], d.bulk, law->mobility == 1 || law->mobility == 5 ? 1 : p[BSIM4_UA]);
    out->charges = d.bulk;
}

const struct bsim_body *bsim4_body(const struct bsim4_law *law, double vbs, struct bsim_body *own)
{
    if (vbs == 0)
        return &law->rest;
    body_at(law, vbs, own);
    return own;
}

void bsim4_prepare_body(struct bsim4_law *law)
{
    const double *p = law->p, narrow = p[BSIM4_K3B] * law->narrow - law->k2ox;
    law->bulk = (struct bsim_bulk_law){
        .silicon = law->silicon,
        .oxide = law->oxide,
        .length = law->length,
        .width = law->width,
        .root_phi = law->root_phi,
        .across = law->built_in - law->phi,
        .threshold = law->threshold,
        .body_effect = law->k1ox * law->lateral,
        .linear = narrow + p[BSIM4_KT2] * law->warmth,
        .bulk = -narrow,
        .lowering = law->lowering,
        .charge_bulk = law->charge_bulk,
        .charge_keta = p[BSIM4_KETAC],
    };
    body_at(law, 0, &law->rest);
}
