/* mosfet_model.c - see mosfet_model.h. */
#include "devices/channel/mosfet_model.h"

#include "devices/channel/vector.h"

#include <math.h>

/* ---- current ---- */

/* For vbs > 0 SPICE's tangent sqrt(phi) - vbs/(2 sqrt(phi)).  Where SPICE cuts it off at zero, at 2 phi, it ends here
 * in an exponential with the same slope, from this part of sqrt(phi) on. */
static const double ROUNDED = 0.02;

double mosfet_body_root(const struct mosfet_law *law, double vbs, double *slope)
{
    if (vbs <= 0) {
        const double root = sqrt(law->phi - vbs);
        *slope = -0.5 / root;
        return root;
    }
    const double left = 1 - 0.5 * vbs / law->phi;
    const double rounded = left >= ROUNDED ? 1 : exp((left - ROUNDED) / ROUNDED);
    *slope = -0.5 * rounded / law->root_phi;
    return law->root_phi * (left >= ROUNDED ? left : ROUNDED * rounded);
}

double mosfet_threshold(const struct mosfet_law *law, double vbs)
{
    double slope;
    return law->built_in + law->gamma * mosfet_body_root(law, vbs, &slope);
}

/* ---- charge ---- */

void mosfet_prepare_charge(struct mosfet_law *law)
{
    law->flat_band = law->built_in - law->phi;
    law->ramp = 0.25 * law->phi;
    law->inverse_phi = 1 / law->phi;
    law->per_ramp = 0.5 / law->ramp;
    /* The slopes 1 - X/phi and gamma/(2 sqrt(gamma^2/4 + X)) meet where, with y = X/phi and c = 4 phi/gamma^2,
     * c y^2 + (1 - 2c) y + c - 2 = 0; for c <= 2 the second is the larger one from the start. */
    law->parabola_end = law->phi;
    if (law->gamma > 0) {
        const double c = 4 * law->phi / (law->gamma * law->gamma);
        law->parabola_end = c > 2 ? law->phi * (2 * c - 1 - sqrt(4 * c + 1)) / (2 * c) : 0;
    }
    const double x = law->parabola_end;
    law->parabola_offset = x - 0.5 * x * x / law->phi - law->gamma * sqrt(0.25 * law->gamma * law->gamma + x);
}

/* ---- both, of several transistors at once ---- */

/* Their numbers side by side. */
struct laws {
    vector built_in, gamma, phi, inverse_phi, root_phi, beta, lambda, oxide, one_sided, flat_band, ramp, per_ramp,
        parabola_end, parabola_offset;
};

#define LAWS(of)                                                                                                       \
    (struct laws)                                                                                                      \
    {                                                                                                                  \
        of(built_in), of(gamma), of(phi), of(inverse_phi), of(root_phi), of(beta), of(lambda), of(oxide),              \
            of(one_sided), of(flat_band), of(ramp), of(per_ramp), of(parabola_end), of(parabola_offset)                \
    }
#define EACH(member)                                                                                                   \
    {                                                                                                                  \
        law[0]->member, law[1]->member, law[2]->member, law[3]->member                                                 \
    }
#define SAME(member) vector_of(law[0]->member)

VECTOR_FUNCTION struct laws laws_of(const struct mosfet_law *const law[VECTOR_LANES])
{
    if (law[0] == law[1] && law[0] == law[2] && law[0] == law[3])
        return LAWS(SAME);
    return LAWS(EACH);
}

/* A quantity and its derivatives with respect to vgs, vds, vbs, each times so many. */
struct values {
    vector value, gs, ds, bs;
};

/* mosfet_body_root of each; forward bias is rare. */
VECTOR_FUNCTION vector body_root(const struct laws *law, vector vbs, vector *slope)
{
    const vector_choice reverse = vbs <= 0;
    const vector root = vector_root(vector_choose(reverse, law->phi - vbs, law->phi));
    *slope = -0.5 / root;
    if (!vector_any(~reverse))
        return root;
    const vector left = 1 - 0.5 * vbs * law->inverse_phi;
    vector rounded = vector_of(1), forward = left;
    for (int i = 0; i < VECTOR_LANES; i++)
        if (!(left[i] >= ROUNDED)) {
            rounded[i] = exp((left[i] - ROUNDED) / ROUNDED);
            forward[i] = ROUNDED * rounded[i];
        }
    *slope = vector_choose(reverse, *slope, -0.5 * rounded / law->root_phi);
    return vector_choose(reverse, root, law->root_phi * forward);
}

/* 0 below threshold, the overdrive above: its slope is the cubic step over 2 * half. */
VECTOR_FUNCTION vector ramped(vector overdrive, vector half, vector per_width, vector *slope)
{
    const vector t = (overdrive + half) * per_width, zero = vector_of(0);
    const vector_choice below = t <= 0, above = t >= 1;
    *slope = vector_choose(below, zero, vector_choose(above, vector_of(1), t * t * (3 - 2 * t)));
    return vector_choose(below, zero, vector_choose(above, overdrive, half * t * t * t * (2 - t)));
}

/* b(X) and b'(X). */
VECTOR_FUNCTION vector depletion(const struct laws *law, vector x, vector *slope)
{
    const vector_choice accumulated = x <= 0, parabolic = x < law->parabola_end;
    const vector root = vector_root(0.25 * law->gamma * law->gamma + vector_choose(accumulated, vector_of(0), x));
    *slope = vector_choose(accumulated, vector_of(1),
                           vector_choose(parabolic, 1 - x * law->inverse_phi, 0.5 * law->gamma / root));
    return vector_choose(
        accumulated, x,
        vector_choose(parabolic, x - 0.5 * x * x * law->inverse_phi, law->parabola_offset + law->gamma * root));
}

/* One end of the channel. */
struct channel_end {
    vector overdrive, body_slope; /* above threshold; s' */
    vector ramped, ramped_slope;  /* and its derivative with respect to the overdrive */
    vector body_factor;           /* -gamma s'(vb): derivative of minus the overdrive with respect to v(b,end) */
    vector bulk, bulk_slope;      /* b(X), b'(X) */
};

VECTOR_FUNCTION struct channel_end channel_end_at(const struct laws *law, vector gate, vector body, vector above_flat)
{
    struct channel_end e;
    const vector root = body_root(law, body, &e.body_slope);
    e.body_factor = -law->gamma * e.body_slope;
    e.overdrive = gate - law->built_in - law->gamma * root;
    e.ramped = ramped(e.overdrive, law->ramp, law->per_ramp, &e.ramped_slope);
    e.bulk = depletion(law, above_flat - e.ramped, &e.bulk_slope);
    return e;
}

/* Level 1, of the end that acts as source. */
VECTOR_FUNCTION struct values current_of(const struct laws *law, vector vds, const struct channel_end *source,
                                         const struct channel_end *drain)
{
    const vector_choice forward = vds >= 0;
    const vector size = vector_choose(forward, vds, -vds), zero = vector_of(0);
    const vector overdrive = vector_choose(forward, source->overdrive, drain->overdrive);
    const vector body_slope = vector_choose(forward, source->body_slope, drain->body_slope);
    const vector across =
        vector_choose(overdrive < size, overdrive, size); /* the part of vds that lies across the channel */
    const vector modulation = 1 + law->lambda * size, plain = law->beta * across * (overdrive - 0.5 * across);
    const vector_choice off = overdrive <= 0;
    const struct values on = {
        vector_choose(off, zero, plain * modulation), vector_choose(off, zero, law->beta * modulation * across),
        vector_choose(off, zero, law->lambda * plain + law->beta * modulation * (overdrive - across)), zero};
    const vector bs = -on.gs * law->gamma * body_slope;
    return (struct values){vector_choose(forward, on.value, -on.value), vector_choose(forward, on.gs, -on.gs),
                           vector_choose(forward, on.ds, on.gs + on.ds + bs), vector_choose(forward, bs, -bs)};
}

/* Derivatives with respect to U, W and V become those with respect to vgs, vds, vbs. */
VECTOR_FUNCTION struct values chain(vector value, vector by_u, vector by_w, vector by_v,
                                    const struct channel_end *source, const struct channel_end *drain)
{
    const vector u = by_u * source->ramped_slope, w = by_w * drain->ramped_slope;
    return (struct values){value, u + w + by_v, -w * (1 + drain->body_factor),
                           u * source->body_factor + w * drain->body_factor - by_v};
}

/* Charge of the end whose overdrive is `near`, other end `far`, over -Cox: 2/15 (3 n^3 + 6 n^2 f + 4 n f^2 + 2 f^3) /
 * (n + f)^2, written in the shares of n and f so that nothing under- or overflows. */
struct partition {
    vector value, by_near, by_far;
};

VECTOR_FUNCTION struct partition partition_of(vector n, vector f, vector sum)
{
    const vector cubic = ((3 * n + 6 * f) * n + 4 * f * f) * n + 2 * f * f * f;
    const double scale = 2.0 / 15;
    return (struct partition){scale * sum * cubic, scale * ((9 * n + 12 * f) * n + 4 * f * f - 2 * cubic),
                              scale * ((6 * n + 8 * f) * n + 6 * f * f - 2 * cubic)};
}

/* The same where the end with the larger overdrive has all in saturation: n/2 + (n - f)/4 -+ .. (n - f)^2/(n + f). */
VECTOR_FUNCTION struct partition one_sided_of(vector n, vector f, vector sum)
{
    const vector d = vector_choose(n < f, 2 * n - 1, 1 - 2 * f), size = vector_choose(d < 0, -d, d); /* n + f = 1, exactly */
    const vector bent = d * (d - 2 * size) / 12, tilt = (d - 2 * size) / 6;
    return (struct partition){sum * (0.25 + 0.5 * d + bent), 0.75 + tilt - bent, -0.25 - tilt - bent};
}

VECTOR_FUNCTION struct partition partly(vector part, struct partition a, struct partition b)
{
    return (struct partition){b.value + part * (a.value - b.value), b.by_near + part * (a.by_near - b.by_near),
                              b.by_far + part * (a.by_far - b.by_far)};
}

enum { CURRENT, AT_DRAIN, AT_SOURCE, AT_BULK, QUANTITIES };

VECTOR_FUNCTION void charges_of(const struct laws *law, const struct channel_end *source,
                                const struct channel_end *drain, struct values q[QUANTITIES])
{
    const vector sum = source->ramped + drain->ramped, half = vector_of(0.5), c = -law->oxide;
    const vector_choice on = sum > 0;
    const vector part = 1 / sum, third = vector_of(1.0 / 3);
    const vector share = vector_choose(on, source->ramped * part, half),
                 rest = vector_choose(on, drain->ramped * part, half);
    struct partition at_drain = partition_of(rest, share, sum), at_source = partition_of(share, rest, sum);
    if (vector_any(law->one_sided != 0)) {
        at_drain = partly(law->one_sided, one_sided_of(rest, share, sum), at_drain);
        at_source = partly(law->one_sided, one_sided_of(share, rest, sum), at_source);
    }
    const vector source_weight = (1 + share) * third, drain_weight = (1 + rest) * third;
    const vector by_source = c * source_weight * source->bulk_slope, by_drain = c * drain_weight * drain->bulk_slope;
    const vector tilt = vector_choose(on, c * (source->bulk - drain->bulk) * third * part, vector_of(0));
    q[AT_DRAIN] = chain(c * at_drain.value, c * at_drain.by_far, c * at_drain.by_near, vector_of(0), source, drain);
    q[AT_SOURCE] = chain(c * at_source.value, c * at_source.by_near, c * at_source.by_far, vector_of(0), source, drain);
    q[AT_BULK] = chain(c * (source_weight * source->bulk + drain_weight * drain->bulk), tilt * rest - by_source,
                       -tilt * share - by_drain, by_source + by_drain, source, drain);
}

VECTOR_FUNCTION struct mosfet_value lane_of(const struct values *v, int lane)
{
    return (struct mosfet_value){v->value[lane], v->gs[lane], v->ds[lane], v->bs[lane]};
}

VECTOR_FUNCTION void find_all(const struct mosfet_law *const law[], const struct mosfet_bias at[],
                              struct mosfet_channel_values out[])
{
    const struct laws laws = laws_of(law);
    const vector gs = {at[0].gs, at[1].gs, at[2].gs, at[3].gs}, ds = {at[0].ds, at[1].ds, at[2].ds, at[3].ds};
    const vector bs = {at[0].bs, at[1].bs, at[2].bs, at[3].bs}, above_flat = gs - bs - laws.flat_band;
    const struct channel_end source = channel_end_at(&laws, gs, bs, above_flat);
    const struct channel_end drain = channel_end_at(&laws, gs - ds, bs - ds, above_flat);
    struct values all[QUANTITIES];
    all[CURRENT] = current_of(&laws, ds, &source, &drain);
    charges_of(&laws, &source, &drain, all);
    for (int i = 0; i < VECTOR_LANES; i++)
        out[i] = (struct mosfet_channel_values){
            lane_of(&all[CURRENT], i),
            {lane_of(&all[AT_DRAIN], i), lane_of(&all[AT_SOURCE], i), lane_of(&all[AT_BULK], i)}};
}

VECTOR_TWICE(find_lanes, find_all,
             (const struct mosfet_law *const law[], const struct mosfet_bias at[], struct mosfet_channel_values out[]),
             (law, at, out))

static void take_higher_level(const struct mosfet_law *law, const struct mosfet_bias *at, struct mosfet_value *current)
{
    struct mosfet_channel all;
    mosfet_channel(law, at->gs, at->ds, at->bs, &all);
    *current = all.current;
}

void mosfet_channels(const struct mosfet_law *const law[MOSFET_TOGETHER], const struct mosfet_bias at[MOSFET_TOGETHER],
                     struct mosfet_channel_values out[MOSFET_TOGETHER])
{
    find_lanes(law, at, out);
    for (int i = 0; i < MOSFET_TOGETHER; i++)
        if (law[i]->channel)
            take_higher_level(law[i], &at[i], &out[i].current);
}

/* ---- one ---- */

static void find_one(const struct mosfet_law *law, double vgs, double vds, double vbs,
                     struct mosfet_channel_values *out)
{
    const struct mosfet_law *const same[MOSFET_TOGETHER] = {law, law, law, law};
    const struct mosfet_bias v = {vgs, vds, vbs}, at[MOSFET_TOGETHER] = {v, v, v, v};
    struct mosfet_channel_values all[MOSFET_TOGETHER];
    find_lanes(same, at, all);
    *out = all[0];
}

void mosfet_channel(const struct mosfet_law *law, double vgs, double vds, double vbs, struct mosfet_channel *out)
{
    const double end = vds < 0 ? vds : 0;
    struct mosfet_channel_values all;
    if (law->channel) {
        law->channel(law->higher, vgs - end, fabs(vds), vbs - end, out);
        if (vds < 0)
            out->current = mosfet_value_reversed(out->current);
        return;
    }
    find_one(law, vgs, vds, vbs, &all);
    out->threshold = mosfet_threshold(law, vbs - end);
    out->saturation = fmax(vgs - end - out->threshold, 0);
    out->current = all.current;
}

void mosfet_charges(const struct mosfet_law *law, double vgs, double vds, double vbs, struct mosfet_charges *out)
{
    struct mosfet_channel_values all;
    find_one(law, vgs, vds, vbs, &all);
    *out = all.charges;
}
