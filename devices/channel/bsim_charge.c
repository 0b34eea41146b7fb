/* bsim_charge.c - see bsim_charge.h. */
#include "devices/channel/bsim_charge.h"

static const double DELTA_1 = 0.02, DELTA_3 = 0.02, DELTA_4 = 0.02; /* V: widths of bends */

double bsim_overlap(bool bends, double kappa, double oxide, double v, double *slope)
{
    double depleted = v, by_v = 1; /* the voltage's part below 0 */
    if (bends) {
        const double t = v + DELTA_1, root = sqrt(t * t + 4 * DELTA_1);
        depleted = 0.5 * (t - root);
        by_v = 0.5 * (1 - t / root);
    } else if (v >= 0) {
        *slope = oxide;
        return oxide * v;
    }
    const double root = sqrt(1 - 4 * depleted / kappa);
    *slope = oxide * (1 - by_v * (1 - 1 / root));
    return oxide * (v - depleted - 0.5 * kappa * (root - 1));
}

struct mosfet_value bsim_charge_overdrive(double factor, double offset, struct mosfet_value over,
                                          struct mosfet_value swing)
{
    const double scale = factor * swing.value, v = over.value - offset, x = v / scale;
    double f, by_v;
    if (x > 34) {
        f = v;
        by_v = 1;
    } else {
        const double e = exp(fmax(x, -34));
        f = scale * log1p(e);
        by_v = x < -34 ? 0 : e / (1 + e);
    }
    const double by_n = x > 34 ? 0 : (f - by_v * v) / swing.value;
    return (struct mosfet_value){f, by_v * over.gs + by_n * swing.gs, by_v * over.ds + by_n * swing.ds,
                                 by_v * over.bs + by_n * swing.bs};
}

struct mosfet_value bsim_body_charge(const struct bsim_charge_law *law, struct mosfet_value x)
{
    const double half = 0.5 * law->k1;
    if (x.value <= 0)
        return x;
    const double root = sqrt(half * half + x.value);
    return value_chain(x, law->k1 * x.value / (root + half), half / root);
}

struct mosfet_value bsim_accumulation(const struct bsim_charge_law *law, struct mosfet_value above)
{
    const struct mosfet_value below = value_line(-1, above, -DELTA_3);
    const double root = sqrt(below.value * below.value + 4 * DELTA_3 * fabs(law->flat_band));
    const double drop = -0.5 * (below.value + root);
    return value_chain(below, drop, -0.5 * (1 + below.value / root));
}

/* Cox,eff over the oxide capacitance of law->channel, of a charge at a depth (m). */
static struct mosfet_value oxide_share(const struct bsim_charge_law *law, struct mosfet_value depth)
{
    return value_invert(value_line(law->by_depth, depth, law->by_depth_0));
}

/* Depth of the charge in accumulation and depletion, kept below Debye's length (B.4.2.4). */
static struct mosfet_value majority_depth(const struct bsim_charge_law *law, struct mosfet_value above)
{
    const double rate = law->acde / (1e8 * law->tox), x = rate * above.value, most = 34;
    const double debye = law->debye, link = 1e-3 * law->tox;
    const double plain = debye * exp(fmax(fmin(x, most), -most));
    const double left = debye - plain - link, root = sqrt(left * left + 4 * link * debye);
    const double slope = fabs(x) < most ? 0.5 * (1 + left / root) * rate * plain : 0;
    return value_chain(above, debye - 0.5 * (left + root), slope);
}

struct mosfet_value bsim_inversion_depth(const struct bsim_charge_law *law, struct mosfet_value over,
                                         struct mosfet_value offset)
{
    struct mosfet_value field = offset.value > 0 ? value_add(over, offset) : value_line(1, over, 1e-20);
    field = value_scale(1 / (2e8 * law->tox), field);
    const double power = exp(law->layer_power * log(field.value)), depth = law->layer_depth / (1 + power);
    return value_chain(field, depth, -depth / (1 + power) * law->layer_power * power / field.value);
}

/* Vgsteff less what the surface potential rises by beyond 2 phi_F (B.4.2.4). */
static struct mosfet_value overdrive_of_layer(const struct bsim_charge_law *law, struct mosfet_value over)
{
    const double moin = law->moin * law->thermal;
    const double scale = law->k1 > 0 ? moin * law->k1 * law->k1 : 0.25 * moin;
    const double body = law->k1 > 0 ? law->k1 * law->root_phi : 0.5 * law->root_phi;
    const double v = over.value, inside = v * (2 * body + v) / scale;
    const double t = v - law->thermal * log1p(inside) - 0.001;
    const double by_v = 1 - 2 * law->thermal * (body + v) / (scale * (1 + inside));
    const double root = sqrt(t * t + 0.004 * v);
    const double f = t > 0 ? 0.5 * (t + root) : 0.002 * v / (root - t);
    return value_chain(over, f, 0.5 * (by_v + (t * by_v + 0.002) / root));
}

/* vds, at most the saturation voltage of the charges; with a bend of width delta4 from capmod = 2 on. */
static struct mosfet_value effective_drain(const struct bsim_charge_law *law, struct mosfet_value saturation,
                                           double vds)
{
    if (law->kind < 2)
        return saturation.value <= vds ? saturation : (struct mosfet_value){vds, 0, 1, 0};
    const double s = saturation.value, under = s - vds - DELTA_4, root = sqrt(under * under + 4 * DELTA_4 * s);
    struct mosfet_value v =
        value_chain(saturation, 2 * s * vds / (s + vds + DELTA_4 + root), 0.5 * (1 - (under + 2 * DELTA_4) / root));
    v.ds += 0.5 * (1 + under / root);
    return v;
}

/* Of a channel with overdrive v, bulk charge a and drain voltage u, over Cox W L: with d = v - a u/2 + tiny
 *     gate     v - u/2 + a u^2/(12 d)
 *     bulk     (1 - a) (u/2 - a u^2/(12 d))
 *     source   -(v/2 + a u/4 - (a u)^2/(24 d))                                         xpart = 1
 *              -(v^3 - 4/3 v^2 a u + 2/3 v (a u)^2 - 2/15 (a u)^3)/(2 d^2)             xpart = 0, after Ward
 *              -(gate + bulk)/2                                                        xpart = 1/2 */
struct charges {
    struct mosfet_value gate, bulk, source;
};

static struct mosfet_value source_share(const struct bsim_charge_law *law, struct mosfet_value v,
                                        struct mosfet_value across, struct mosfet_value inverse_middle)
{
    if (law->partition > 0.5) {
        const struct mosfet_value square = value_multiply(value_square(across), inverse_middle);
        return value_add(value_scale(-0.5, v),
                         value_subtract(value_scale(1.0 / 24, square), value_scale(0.25, across)));
    }
    /* Horner in v: v (v (v - 4/3 w) + 2/3 w^2) - 2/15 w^3 */
    const struct mosfet_value square = value_square(across);
    struct mosfet_value t = value_multiply(v, value_subtract(v, value_scale(4.0 / 3, across)));
    t = value_multiply(v, value_add(t, value_scale(2.0 / 3, square)));
    t = value_subtract(t, value_scale(2.0 / 15, value_multiply(square, across)));
    return value_scale(-0.5, value_multiply(t, value_square(inverse_middle)));
}

static void find_channel(const struct bsim_charge_law *law, struct mosfet_value v, struct mosfet_value bulk,
                         struct mosfet_value u, struct charges *out)
{
    const struct mosfet_value across = value_multiply(bulk, u);
    const struct mosfet_value inverse_middle =
        value_invert(value_line(1, value_subtract(v, value_scale(0.5, across)), 1e-20));
    const struct mosfet_value bow = value_scale(1.0 / 12, value_multiply(value_multiply(across, u), inverse_middle));
    const struct mosfet_value half = value_subtract(value_scale(0.5, u), bow);
    out->gate = value_subtract(v, half);
    out->bulk = value_multiply(value_line(-1, bulk, 1), half);
    if (law->partition == 0.5)
        out->source = value_scale(-0.5, value_add(out->gate, out->bulk));
    else
        out->source = source_share(law, v, across, inverse_middle);
}

/* The voltages that capmod tells charges by: those of the layer and of the bulk per oxide, and Cox,eff/Cox of the layer. */
struct layers {
    struct mosfet_value over, body, share;
    bool thick; /* share is not 1 */
};

static void find_long_channel(const struct bsim_charge_law *law, const struct bsim_charge_bias *at, struct layers *out)
{
    const double flat_band = law->long_flat_band;
    const struct mosfet_value above = value_line(1, value_subtract(at->gate, value_of_bulk(at->body)), -flat_band);
    const struct mosfet_value threshold = value_line(law->k1, value_of_bulk(at->root), flat_band + law->phi);
    out->over = value_larger(value_subtract(at->gate, threshold), value_constant(0));
    out->body = bsim_body_charge(law, value_subtract(above, out->over));
}

static void find_layers(const struct bsim_charge_law *law, const struct bsim_charge_bias *at, struct layers *out)
{
    const struct mosfet_value above = value_line(1, value_subtract(at->gate, value_of_bulk(at->body)), -law->flat_band);
    out->over = at->over;
    if (law->kind == 1) {
        out->body = bsim_body_charge(law, value_subtract(above, out->over));
        return;
    }
    const struct mosfet_value drop = bsim_accumulation(law, above); /* the accumulated charge */
    out->body = value_add(drop, bsim_body_charge(law, value_subtract(value_subtract(above, drop), out->over)));
    if (law->kind == 2)
        return;
    out->thick = true;
    out->share = oxide_share(law, bsim_inversion_depth(law, out->over, at->layer_offset));
    out->body = value_multiply(out->body, oxide_share(law, majority_depth(law, above)));
    out->over = overdrive_of_layer(law, out->over);
}

void bsim_charges(const struct bsim_charge_law *law, const struct bsim_charge_bias *at, double vds,
                  struct bsim_terminal_charges *out)
{
    const double c = law->channel;
    const struct mosfet_value bulk = value_of_bulk(at->bulk);
    struct layers layers = {.thick = false};
    struct charges q;
    if (law->kind == 0)
        find_long_channel(law, at, &layers);
    else
        find_layers(law, at, &layers);
    find_channel(law, layers.over, bulk, effective_drain(law, value_divide(layers.over, bulk), vds), &q);
    struct mosfet_value *const parts[] = {&q.gate, &q.bulk, &q.source};
    for (int i = 0; i < 3; i++)
        *parts[i] = layers.thick ? value_multiply(*parts[i], value_scale(c, layers.share)) : value_scale(c, *parts[i]);
    const struct mosfet_value channel = value_add(q.gate, q.bulk); /* minus the inverted charge */
    out->source = q.source;
    out->drain = value_line(-1, value_add(channel, q.source), 0);
    out->bulk = value_subtract(q.bulk, value_scale(c, layers.body));
    out->inversion = channel.value;
}
