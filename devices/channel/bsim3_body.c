/* bsim3_body.c - what the bulk's voltage alone decides in a BSIM3 transistor. */
#include "devices/channel/bsim3.h"

static struct bsim3_slope line(double factor, struct bsim3_slope a, double offset)
{
    return (struct bsim3_slope){factor * a.value + offset, factor * a.bs};
}

static struct bsim3_slope sum(struct bsim3_slope a, struct bsim3_slope b)
{
    return (struct bsim3_slope){a.value + b.value, a.bs + b.bs};
}

static struct bsim3_slope product(struct bsim3_slope a, struct bsim3_slope b)
{
    return (struct bsim3_slope){a.value * b.value, a.bs * b.value + a.value * b.bs};
}

static struct bsim3_slope inverse(struct bsim3_slope a)
{
    const double f = 1 / a.value;
    return (struct bsim3_slope){f, -f * f * a.bs};
}

static struct bsim3_slope root_of(struct bsim3_slope a)
{
    const double f = sqrt(a.value);
    return (struct bsim3_slope){f, 0.5 / f * a.bs};
}

static struct bsim3_slope at_least(struct bsim3_slope a, double from, double least)
{
    double slope;
    const double f = bsim3_at_least(a.value, from, least, &slope);
    return (struct bsim3_slope){f, slope * a.bs};
}

/* Vbseff: vbs, kept above the least one (B.1.1, delta1 = 1 mV).  Near 0 in the form that loses no digits. */
static struct bsim3_slope effective_bulk(const struct bsim3_law *law, double vbs)
{
    if (vbs > 0)
        return (struct bsim3_slope){vbs, 1};
    const double delta = 0.001, depth = -law->least_bulk, over = vbs + depth - delta;
    const double root = sqrt(over * over + 4 * delta * depth);
    const double value = over > 0 ? vbs * (1 - 2 * delta / (root + over + 2 * delta)) : 0.5 * (over + root) - depth;
    return (struct bsim3_slope){value, 0.5 * (1 + over / root)};
}

/* x + 2 x^2 of x = exp(-along/length): the decay of what the ends do, in (B.1.1). */
static struct bsim3_slope decayed(double along, struct bsim3_slope length)
{
    const double exponent = along / length.value, most = 34;
    if (!(exponent < most)) {
        const double x = exp(-most);
        return (struct bsim3_slope){x * (1 + 2 * x), 0};
    }
    const double x = exp(-exponent);
    return (struct bsim3_slope){x * (1 + 2 * x), (1 + 4 * x) * x * exponent / length.value * length.bs};
}

struct depths {
    struct bsim3_slope bulk, surface, root, width; /* Vbseff, Phis, sqrt(Phis), Xdep */
};

static struct depths depths_of(const struct bsim3_law *law, double vbs)
{
    struct depths d = {.bulk = effective_bulk(law, vbs)};
    if (d.bulk.value > 0) {
        const double ratio = law->phi / (law->phi + d.bulk.value), half = law->phi + 0.5 * d.bulk.value;
        d.surface = (struct bsim3_slope){law->phi * ratio, -ratio * ratio * d.bulk.bs};
        d.root.value = law->root_phi * law->phi / half;
        d.root.bs = -0.5 * d.root.value / half * d.bulk.bs;
    } else {
        d.surface = line(-1, d.bulk, law->phi);
        d.root = root_of(d.surface);
    }
    d.width = line(law->depletion / law->root_phi, d.root, 0);
    return d;
}

/* (B.1.1) without the drain's part. */
static struct bsim3_slope threshold_of(const struct bsim3_law *law, const struct depths *d, struct bsim3_slope ends)
{
    const double *p = law->p, across = law->built_in - law->phi;
    const struct bsim3_slope spread = root_of(d->width);
    const struct bsim3_slope narrow_decay =
        product(line(law->decay, spread, 0), at_least(line(p[BSIM3_DVT2W], d->bulk, 1), 0.5, 0.375));
    const struct bsim3_slope corner = decayed(0.5 * p[BSIM3_DVT1W] * law->width * law->length, narrow_decay);
    const double linear = p[BSIM3_K3B] * law->narrow - law->k2 + p[BSIM3_KT2] * law->warmth;
    struct bsim3_slope v = line(law->k1, d->root, law->threshold);
    v = sum(v, line(linear, d->bulk, 0));
    v = sum(v, line(-p[BSIM3_DVT0] * across, ends, 0));
    return sum(v, line(-p[BSIM3_DVT0W] * across, corner, 0));
}

/* (B.2.1): what n has above 1. */
static void find_swing(const struct bsim3_law *law, const struct depths *d, struct bsim3_slope ends,
                       struct bsim3_body *out)
{
    const double *p = law->p, inverse_oxide = 1 / law->oxide;
    const struct bsim3_slope depletion = line(p[BSIM3_NFACTOR] * BSIM3_SILICON, inverse(d->width), p[BSIM3_CIT]);
    const struct bsim3_slope coupling = product(line(p[BSIM3_CDSCB], d->bulk, p[BSIM3_CDSC]), ends);
    out->swing = line(inverse_oxide, sum(depletion, coupling), 0);
    out->swing_drain = line(inverse_oxide * p[BSIM3_CDSCD], ends, 0);
}

/* Abulk (B.2.5) before the bends. */
static void find_bulk_charge(const struct bsim3_law *law, const struct depths *d, struct bsim3_body *out)
{
    const double *p = law->p;
    const struct bsim3_slope body = line(0.5 * law->k1, inverse(d->root), 0);
    const struct bsim3_slope reach = root_of(line(p[BSIM3_XJ], d->width, 0));
    const struct bsim3_slope share = line(law->length, inverse(line(2, reach, law->length)), 0);
    const double narrow = p[BSIM3_B0] / (law->width + p[BSIM3_B1]);
    out->bulk = line(1, product(body, line(p[BSIM3_A0], share, narrow)), 1);
    out->bulk_gate = line(p[BSIM3_AGS] * p[BSIM3_A0], product(body, product(share, product(share, share))), 0);
    out->keta = inverse(at_least(line(p[BSIM3_KETA], d->bulk, 1), 0.1, 0.05));
    out->charge_bulk = line(law->charge_bulk, product(at_least(out->bulk, 0.1, 0.05), out->keta), 0);
}

void bsim3_body(const struct bsim3_law *law, double vbs, struct bsim3_body *out)
{
    const double *p = law->p;
    const struct depths d = depths_of(law, vbs);
    const struct bsim3_slope short_decay =
        product(line(law->decay, root_of(d.width), 0), at_least(line(p[BSIM3_DVT2], d.bulk, 1), 0.5, 0.375));
    const struct bsim3_slope ends = decayed(0.5 * p[BSIM3_DVT1] * law->length, short_decay);
    const struct bsim3_slope rise = line(1, d.root, -law->root_phi);
    const bool factor = law->mobility == 3;
    out->root = d.root;
    out->threshold = threshold_of(law, &d, ends);
    out->lowering = line(law->lowering, at_least(line(p[BSIM3_ETAB], d.bulk, p[BSIM3_ETA0]), 1e-4, 0.5e-4), 0);
    find_swing(law, &d, ends, out);
    find_bulk_charge(law, &d, out);
    out->width = line(-2 * p[BSIM3_DWB], rise, law->width);
    out->resistance = line(p[BSIM3_PRWB], rise, 1);
    out->mobility = line(p[BSIM3_UC], d.bulk, factor ? 1 : p[BSIM3_UA]);
    out->output = inverse(at_least(line(p[BSIM3_PDIBLCB], d.bulk, 1), 0.1, 0.05));
    out->charges = line(-1, d.surface, law->phi);
    if (law->capacitance == 0 && d.bulk.value <= 0)
        out->charges = (struct bsim3_slope){vbs, 1};
}

void bsim3_prepare_body(struct bsim3_law *law)
{
    bsim3_body(law, 0, &law->rest);
}
