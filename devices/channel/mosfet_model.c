/* mosfet_model.c - see mosfet_model.h. */
#include "devices/channel/mosfet_model.h"

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

/* vds >= 0. */
static void forward_current(const struct mosfet_law *law, double vgs, double vds, double vbs, struct mosfet_value *out)
{
    double body_slope;
    const double overdrive = vgs - law->built_in - law->gamma * mosfet_body_root(law, vbs, &body_slope);
    if (overdrive <= 0) {
        *out = (struct mosfet_value){0, 0, 0, 0};
        return;
    }
    const double modulation = 1 + law->lambda * vds;
    const double across = fmin(overdrive, vds); /* the part of vds that lies across the channel */
    const double plain = law->beta * across * (overdrive - 0.5 * across);
    out->value = plain * modulation;
    out->gs = law->beta * modulation * across;
    out->ds = law->lambda * plain + law->beta * modulation * (overdrive - across);
    out->bs = -out->gs * law->gamma * body_slope;
}

void mosfet_channel(const struct mosfet_law *law, double vgs, double vds, double vbs, struct mosfet_channel *out)
{
    const double end = vds < 0 ? vds : 0;
    if (law->channel) {
        law->channel(law->higher, vgs - end, fabs(vds), vbs - end, out);
    } else {
        out->threshold = mosfet_threshold(law, vbs - end);
        out->saturation = fmax(vgs - end - out->threshold, 0);
        forward_current(law, vgs - end, fabs(vds), vbs - end, &out->current);
    }
    if (vds < 0)
        out->current = mosfet_value_reversed(out->current);
}

void mosfet_current(const struct mosfet_law *law, double vgs, double vds, double vbs, struct mosfet_value *out)
{
    if (law->channel) {
        struct mosfet_channel all;
        mosfet_channel(law, vgs, vds, vbs, &all);
        *out = all.current;
        return;
    }
    if (vds >= 0) {
        forward_current(law, vgs, vds, vbs, out);
        return;
    }
    forward_current(law, vgs - vds, -vds, vbs - vds, out);
    *out = mosfet_value_reversed(*out);
}

/* ---- charge ---- */

void mosfet_prepare_charge(struct mosfet_law *law)
{
    law->flat_band = law->built_in - law->phi;
    law->ramp = 0.25 * law->phi;
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

/* 0 below threshold, the overdrive above: its slope is the cubic step over 2 * half. */
static double ramped(double overdrive, double half, double *slope)
{
    const double t = 0.5 * (overdrive + half) / half;
    if (t <= 0)
        return *slope = 0;
    if (t >= 1) {
        *slope = 1;
        return overdrive;
    }
    *slope = t * t * (3 - 2 * t);
    return half * t * t * t * (2 - t);
}

/* b(X) and b'(X). */
static double depletion(const struct mosfet_law *law, double x, double *slope)
{
    if (x <= 0) {
        *slope = 1;
        return x;
    }
    if (x < law->parabola_end) {
        *slope = 1 - x / law->phi;
        return x - 0.5 * x * x / law->phi;
    }
    const double root = sqrt(0.25 * law->gamma * law->gamma + x);
    *slope = root > 0 ? 0.5 * law->gamma / root : 0;
    return law->parabola_offset + law->gamma * root;
}

/* One end of the channel: ramped overdrive, body charge there, and their derivatives. */
struct channel_end {
    double overdrive, overdrive_slope; /* with respect to the true overdrive */
    double body_factor;      /* -gamma s'(vb): derivative of minus the true overdrive with respect to v(b,end) */
    double bulk, bulk_slope; /* b(X), b'(X) */
};

static struct channel_end channel_end_at(const struct mosfet_law *law, double gate, double body, double above_flat)
{
    struct channel_end e;
    double root_slope;
    const double root = mosfet_body_root(law, body, &root_slope);
    e.body_factor = -law->gamma * root_slope;
    e.overdrive = ramped(gate - law->built_in - law->gamma * root, law->ramp, &e.overdrive_slope);
    e.bulk = depletion(law, above_flat - e.overdrive, &e.bulk_slope);
    return e;
}

/* Derivatives with respect to U, W and V become those with respect to vgs, vds, vbs. */
static void chain(struct mosfet_value *q, double by_u, double by_w, double by_v, const struct channel_end *source,
                  const struct channel_end *drain)
{
    const double u = by_u * source->overdrive_slope, w = by_w * drain->overdrive_slope;
    q->gs = u + w + by_v;
    q->ds = -w * (1 + drain->body_factor);
    q->bs = u * source->body_factor + w * drain->body_factor - by_v;
}

/* Charge of the end whose overdrive is `near`, other end `far`, over -Cox: 2/15 (3 n^3 + 6 n^2 f + 4 n f^2 + 2 f^3) /
 * (n + f)^2, written in the shares of n and f so that nothing under- or overflows. */
struct partition {
    double value, by_near, by_far;
};

static struct partition partition_of(double near_share, double far_share, double sum)
{
    const double n = near_share, f = far_share;
    const double cubic = ((3 * n + 6 * f) * n + 4 * f * f) * n + 2 * f * f * f;
    const double scale = 2.0 / 15;
    return (struct partition){scale * sum * cubic, scale * ((9 * n + 12 * f) * n + 4 * f * f - 2 * cubic),
                              scale * ((6 * n + 8 * f) * n + 6 * f * f - 2 * cubic)};
}

void mosfet_charges(const struct mosfet_law *law, double vgs, double vds, double vbs, bool derivatives,
                    struct mosfet_charges *out)
{
    const double above_flat = vgs - vbs - law->flat_band;
    const struct channel_end source = channel_end_at(law, vgs, vbs, above_flat);
    const struct channel_end drain = channel_end_at(law, vgs - vds, vbs - vds, above_flat);
    const double sum = source.overdrive + drain.overdrive;
    const double share = sum > 0 ? source.overdrive / sum : 0.5;
    const double rest = sum > 0 ? drain.overdrive / sum : 0.5;
    const struct partition at_drain = partition_of(rest, share, sum);
    const struct partition at_source = partition_of(share, rest, sum);
    const double source_weight = (1 + share) / 3, drain_weight = (1 + rest) / 3;
    *out = (struct mosfet_charges){
        .drain = {.value = -law->oxide * at_drain.value},
        .source = {.value = -law->oxide * at_source.value},
        .bulk = {.value = -law->oxide * (source_weight * source.bulk + drain_weight * drain.bulk)},
    };
    if (!derivatives)
        return;
    const double c = -law->oxide;
    chain(&out->drain, c * at_drain.by_far, c * at_drain.by_near, 0, &source, &drain);
    chain(&out->source, c * at_source.by_near, c * at_source.by_far, 0, &source, &drain);
    const double by_source = c * source_weight * source.bulk_slope, by_drain = c * drain_weight * drain.bulk_slope;
    const double tilt = sum > 0 ? c * (source.bulk - drain.bulk) / (3 * sum) : 0;
    chain(&out->bulk, tilt * rest - by_source, -tilt * share - by_drain, by_source + by_drain, &source, &drain);
}
