/* bsim_channel.c - see bsim_channel.h. */
#include "devices/channel/bsim_channel.h"

struct mosfet_value bsim_gate(double doping, double scale, double from, double vgs)
{
    const double over = vgs - from;
    if (!(doping > 1e18 && doping < 1e25 && over > 0 && scale > 0))
        return (struct mosfet_value){vgs, 1, 0, 0};
    const double height = 1e6 * scale * doping, root = sqrt(1 + 2 * over / height), field = height * (root - 1);
    const double left = 1.12 - 0.5 * field * field / height - 0.05, end = sqrt(left * left + 0.224);
    return (struct mosfet_value){vgs - 1.12 + 0.5 * (left + end), 1 - 0.5 * (1 - 1 / root) * (1 + left / end), 0, 0};
}

void bsim_body_effect(const struct bsim_doping *d, double phi, double oxide, double *k1, double *k2)
{
    const double near = isnan(d->near) ? 5.753e-12 * sqrt(d->channel) / oxide : d->near;
    const double far = isnan(d->far) ? 5.753e-12 * sqrt(d->substrate) / oxide : d->far;
    const double edge = -fabs(isnan(d->edge) ? phi - 7.7348e-4 * d->channel * d->depth * d->depth : d->edge);
    const double most = -fabs(d->most);
    const double rise = sqrt(phi - edge) - sqrt(phi), whole = sqrt(phi * (phi - most)) - phi;
    *k2 = (near - far) * rise / (2 * whole + most);
    *k1 = far - 2 * *k2 * sqrt(phi - most);
}

struct mosfet_value bsim_overdrive(const struct bsim_overdrive_law *law, struct mosfet_value over,
                                   struct mosfet_value swing)
{
    const double m = law->share, n = swing.value, wide = n * law->thermal, scale = wide / m, v = over.value;
    const double x = v / scale, y = (law->offset - (1 - m) * v) / wide;
    double f, by_v, by_n;
    if (x > BSIM_FAR && y < -BSIM_FAR)
        return over;
    if (y > BSIM_FAR && x < -BSIM_FAR) {
        const double t = (v - law->offset) / wide;
        f = law->height * exp(t);
        by_v = f / wide;
        by_n = -f * t / n;
    } else {
        const double e = x > BSIM_FAR ? 0 : exp(x), share = x > BSIM_FAR ? 1 : e / (1 + e);
        const double top = x > BSIM_FAR ? v : scale * log1p(e);
        const double weak = exp(fmin(y, 700)) / law->height, bottom = 1 + scale * weak;
        f = top / bottom;
        by_v = (share + f * weak * (1 - m) / m) / bottom;
        by_n = (top - share * v - f * scale * weak * (1 - y)) / (n * bottom);
    }
    return (struct mosfet_value){f, by_v * over.gs + by_n * swing.gs, by_v * over.ds + by_n * swing.ds,
                                 by_v * over.bs + by_n * swing.bs};
}

struct mosfet_value bsim_inverse_lambda(double a1, double a2, struct mosfet_value over)
{
    const double delta = 1e-4;
    if (a1 == 0)
        return value_constant(1 / a2);
    const bool rises = a1 > 0;
    const double room = rises ? 1 - a2 : a2;
    const struct mosfet_value left = value_line(rises ? -a1 : a1, over, room - delta);
    const double root = sqrt(left.value * left.value + 4 * delta * room), kept = 0.5 * (left.value + root);
    const struct mosfet_value rest = value_chain(left, kept, 0.5 * (1 + left.value / root));
    return value_invert(rises ? value_line(-1, rest, 1) : rest);
}

/* (B.2.4.1 .. 4), the smaller root of a v^2 + b v + c = 0 in the form that holds for a = 0. */
void bsim_find_saturation(struct bsim_channel *c)
{
    const struct mosfet_value along = value_multiply(c->bulk, c->critical);
    if (!c->resists && c->slack.value == 1) {
        c->saturation = value_divide(value_multiply(c->critical, c->over_thermal), value_add(c->over_thermal, along));
        return;
    }
    const struct mosfet_value bulk_drop = value_multiply(c->bulk, c->drop);
    const struct mosfet_value a = value_multiply(c->bulk, value_line(2, value_add(bulk_drop, c->slack), -2));
    const struct mosfet_value by_lambda = value_accumulate(3, bulk_drop, value_line(2, c->slack, -1));
    const struct mosfet_value b = value_add(value_multiply(c->over_thermal, by_lambda), along);
    const struct mosfet_value last =
        value_multiply(c->over_thermal, value_accumulate(2, value_multiply(c->over_thermal, c->drop), c->critical));
    const struct mosfet_value root = value_root(value_accumulate(-2, value_multiply(a, last), value_square(b)));
    c->saturation = value_divide(value_scale(2, last), value_add(b, root));
}

/* Vdseff (B.2.5): the smaller root of v^2 - (Vdsat + Vds + delta) v + Vdsat Vds = 0. */
void bsim_find_drain(double delta, double vds, struct bsim_channel *c)
{
    const double s = c->saturation.value, under = s - vds - delta;
    const double root = sqrt(under * under + 4 * delta * s), whole = s + vds + delta + root;
    const double excess = under > 0 ? 4 * delta * s / (root + under) : root - under; /* whole - 2 s */
    const double drain = 2 * s * vds / whole;
    const double by_saturation = root > 0 ? 0.5 * (1 - (under + 2 * delta) / root) : 0;
    const double by_vds = root > 0 ? 0.5 * (1 + under / root) : 1;
    c->drain = value_chain(c->saturation, drain, by_saturation);
    c->drain.ds += by_vds;
    c->rest = value_chain(c->saturation, vds * excess / whole, -by_saturation);
    c->rest.ds += 1 - by_vds;
}

struct mosfet_value bsim_bend_voltage(const struct bsim_channel *c)
{
    struct mosfet_value bend = value_add(c->critical, c->saturation);
    struct mosfet_value under = value_line(2, c->slack, -1);
    if (c->resists) {
        const struct mosfet_value left = value_line(-0.5, value_multiply(c->bulk_share, c->saturation), 1);
        bend = value_accumulate(2, value_multiply(value_multiply(c->drop, c->over), left), bend);
        under = value_add(under, value_multiply(c->drop, c->bulk));
    }
    return value_divide(bend, under);
}

struct mosfet_value bsim_ionised(double factor, double scale, struct mosfet_value x)
{
    if (!(scale < 700 * x.value))
        return value_constant(0);
    const double part = scale / x.value, e = factor * exp(-part);
    return value_chain(x, e * x.value, e * (1 + part));
}
