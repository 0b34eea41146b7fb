/* mosfet_level_2.c - level 2: Grove and Frohman's current with the bulk's charge along the channel, corrected for short
 * and narrow channels, a mobility that falls with the field, saturation by pinch-off or by the velocity of carriers
 * (Baum and Beneking, IEEE Trans. Electron Devices 17 (1970) 481), and weak inversion (Swanson and Meindl, IEEE J.
 * Solid-State Circuits 7 (1972) 146).  See mosfet_levels.h for the sources of the equations.
 *
 * With V = (vgs - vbi - f (phi - vbs))/eta, eta = 1 + f, s = sqrt(phi - vbs), b = sqrt(phi - vbs + v):
 *     i = beta u/(1 - dL/L) (eta (V - v/2) v - 2/3 g (b^3 - s^3)),   v = min(vds, vdsat)
 * f is the narrow channel's share, g the body factor less what source and drain take of the bulk's charge.
 */
#include "devices/channel/mosfet_levels.h"

typedef struct mosfet_value value;

/* Everything that comes before the saturation voltage. */
struct state {
    value gate, drain, above; /* vgs, vds, phi - vbs */
    value source_root;        /* s */
    value body;               /* g */
    value base;               /* vbi + f (phi - vbs): the threshold without the bulk's charge below s */
    value threshold, on;      /* on: with the tail of weak inversion */
    value scale;              /* volts per e in weak inversion */
    value driven;             /* max(vgs, on) where there is weak inversion, else vgs */
    double eta;
};

/* What one junction takes of the bulk's charge: xj/(2L) (sqrt(1 + 2 w/xj) - 1), w the depletion layer's width. */
static value taken(const struct mosfet_higher *m, const struct mosfet_bulk_root *at, value *by_bulk)
{
    if (m->junction <= 0 || m->depletion <= 0) {
        *by_bulk = value_constant(0);
        return *by_bulk;
    }
    const value root = value_root(value_line(2 * m->depletion / m->junction, at->root, 1));
    *by_bulk = value_scale(0.5 * m->depletion / m->length, value_divide(at->slope, root));
    return value_line(0.5 * m->junction / m->length, root, -0.5 * m->junction / m->length);
}

static void find_threshold(const struct mosfet_higher *m, double vgs, double vds, double vbs, struct state *s)
{
    const value bulk = mosfet_bulk_voltage(vbs);
    s->gate = mosfet_gate_voltage(vgs);
    s->drain = mosfet_drain_voltage(vds);
    s->above = value_line(-1, bulk, m->phi);
    const struct mosfet_bulk_root source = mosfet_bulk_root(m->phi, bulk);
    const struct mosfet_bulk_root drain = mosfet_bulk_root(m->phi, value_subtract(bulk, s->drain));
    value source_slope, drain_slope;
    const value at_source = taken(m, &source, &source_slope), at_drain = taken(m, &drain, &drain_slope);
    s->source_root = source.root;
    s->body = value_line(-m->gamma, value_add(at_source, at_drain), m->gamma);
    s->eta = 1 + m->narrow;
    s->base = value_line(m->narrow, s->above, m->built_in);
    s->threshold = s->on = value_add(s->base, value_multiply(s->body, s->source_root));
    s->scale = value_constant(0);
    if (m->surface_states > 0) {
        /* 1 + q nfs/Cox + d(bulk's charge)/dvbs */
        const value body_slope = value_scale(-m->gamma, value_add(source_slope, drain_slope));
        const value depletion =
            value_add(value_multiply(s->body, source.slope), value_multiply(body_slope, source.root));
        s->scale = value_line(-m->thermal, depletion, m->thermal * (1 + m->surface_states + m->narrow));
        s->on = value_add(s->threshold, s->scale);
    }
    s->driven = m->surface_states > 0 ? value_larger(s->gate, s->on) : s->gate;
}

/* Factor of the mobility: (critical voltage / overdrive)^uexp. */
static value mobility_factor(const struct mosfet_higher *m, const struct state *s)
{
    const value over = value_subtract(s->gate, s->on);
    if (m->critical_exponent == 0 || over.value <= m->critical_voltage)
        return value_constant(1);
    return value_power(value_scale(1 / m->critical_voltage, over), -m->critical_exponent);
}

/* V - s^2 of the pinched-off channel, where the charge at the drain vanishes. */
static value pinch_off(const struct state *s)
{
    const value above_base = value_scale(1 / s->eta, value_subtract(s->driven, s->base));
    const value body = value_scale(1 / s->eta, s->body);
    if (body.value <= 0)
        return value_larger(above_base, value_constant(0));
    const value whole = value_add(above_base, s->above);
    if (whole.value <= 0)
        return value_constant(0);
    const value square = value_square(body);
    const value root = value_root(value_line(4, value_divide(whole, square), 1));
    const value end = value_add(above_base, value_scale(0.5, value_multiply(square, value_line(-1, root, 1))));
    return value_larger(end, value_constant(0));
}

/* Charge at the drain end times the largest velocity less the current, both over Cox W eta u/L: what is 0 where carriers
 * reach that velocity. `reach` = vmax L/u; slope: with respect to v. */
static value velocity_balance(const struct state *s, value v, value reach, double *slope)
{
    const value above_base = value_scale(1 / s->eta, value_subtract(s->driven, s->base));
    const value body = value_scale(1 / s->eta, s->body);
    const value root = value_root(value_add(s->above, v));
    const value charge = value_subtract(value_subtract(above_base, v), value_multiply(body, root));
    const value straight = value_multiply(value_line(-0.5, v, 0), v);
    const value bent = value_multiply(body, value_subtract(value_cube(root), value_cube(s->source_root)));
    const value current =
        value_subtract(value_add(value_multiply(above_base, v), straight), value_scale(2.0 / 3, bent));
    *slope = -charge.value - reach.value * (1 + (root.value > 0 ? 0.5 * body.value / root.value : 0));
    return value_subtract(value_multiply(reach, charge), current);
}

/* The balance falls with v and bends upwards: Newton's method from 0 comes to its root from the left. */
static value velocity_saturation(const struct state *s, value reach, value pinched)
{
    double v = 0, slope;
    for (int i = 0; i < 50; i++) {
        const double balance = velocity_balance(s, value_constant(v), reach, &slope).value;
        const double change = -balance / slope;
        if (!(slope < 0) || !(v + change > 0))
            return value_constant(0);
        v += change;
        if (fabs(change) <= 1e-15 * v)
            break;
    }
    if (v >= pinched.value)
        return pinched;
    const value balance = velocity_balance(s, value_constant(v), reach, &slope);
    return (value){v, -balance.gs / slope, -balance.ds / slope, -balance.bs / slope};
}

/* What the channel is shorter by when the drain is beyond saturation, over its length. */
static value shortening(const struct mosfet_higher *m, const struct state *s, value saturation, value mobility)
{
    if (m->lambda > 0 || m->depletion <= 0)
        return value_scale(m->lambda, s->drain);
    const value beyond = value_subtract(s->drain, saturation);
    if (m->velocity <= 0) {
        const value quarter = value_scale(0.25, beyond);
        const value root = value_root(value_line(1, value_square(quarter), 1));
        return value_scale(m->depletion / m->length, value_root(value_add(quarter, root)));
    }
    const double layer = m->depletion / sqrt(m->channel_charge);
    const value start = value_scale(0.5 * m->velocity * layer, value_invert(mobility));
    const value end = value_root(value_add(value_square(start), value_larger(beyond, value_constant(0))));
    return value_scale(layer / m->length, value_subtract(end, start));
}

/* The rest of the channel's length, over its length; never below the depletion layer at the drain without bias. */
static value remaining(const struct mosfet_higher *m, value shorter)
{
    const double layer = m->depletion > 0 ? m->depletion * m->bulk_root : 0.25e-6;
    const double least = layer / m->length;
    const value rest = value_line(-1, shorter, 1);
    if (rest.value >= least)
        return rest;
    /* least/(1 + (shorter - (1 - l))/least), l: the depletion layer over L, 0 where the card does not tell it */
    const double end = 1 - m->depletion * m->bulk_root / m->length;
    return value_scale(least, value_invert(value_line(1 / least, shorter, 1 - end / least)));
}

void mosfet_level_2(const struct mosfet_higher *m, double vgs, double vds, double vbs, struct mosfet_channel *out)
{
    struct state s;
    find_threshold(m, vgs, vds, vbs, &s);
    *out = (struct mosfet_channel){value_constant(0), s.on.value, 0};
    if (m->surface_states <= 0 && vgs <= s.base.value)
        return;
    const value factor = mobility_factor(m, &s), mobility = value_scale(m->mobility, factor);
    value saturation = pinch_off(&s);
    if (m->velocity > 0 && saturation.value > 0)
        saturation = velocity_saturation(&s, value_scale(m->velocity * m->length, value_invert(mobility)), saturation);
    out->saturation = saturation.value;
    const value across = value_smaller(s.drain, saturation);
    const value root = mosfet_bulk_root(m->phi, value_subtract(mosfet_bulk_voltage(vbs), across)).root;
    const value bent = value_multiply(s.body, value_subtract(value_cube(root), value_cube(s.source_root)));
    const value over = value_subtract(value_subtract(s.driven, s.base), value_scale(0.5 * s.eta, across));
    const value charge = value_subtract(value_multiply(over, across), value_scale(2.0 / 3, bent));
    const value rest = remaining(m, shortening(m, &s, saturation, mobility));
    const value beta = value_scale(m->beta, value_divide(factor, rest));
    out->current = value_multiply(value_multiply(beta, charge), mosfet_weak_inversion(s.gate, s.on, s.scale));
}
