/* mosfet_level_3.c - level 3: a current of second order whose coefficients are fitted: threshold with a trapezoid of
 * bulk charge (Dang, IEEE J. Solid-State Circuits 14 (1979) 358), drain-induced lowering, mobility by the gate's and the
 * drain's field, a channel that shortens, weak inversion.  See mosfet_levels.h for the sources of the equations.
 *
 * With u = max(vgs, von) - vth, F the bulk's share and v = min(vds, vdsat):
 *     i = beta/(1 + theta u) (u - (1 + F)/2 v) v / (1 + v/vc) / (1 - dL/L),   vc = L vmax/mobility
 * Around vdsat, and in the linear region where no vmax is given, dL is that of SPICE's later versions (ngspice, Xyce),
 * which begins with (vds/vdsat)^4 and has no corner.
 */
#include "devices/channel/mosfet_levels.h"

typedef struct mosfet_value value;

struct state {
    value gate, drain, root; /* root: of phi - vbs */
    value share;             /* F */
    value threshold, on, scale;
    value driven;
};

/* The part of the bulk's charge under the gate that is the gate's: Dang's trapezoid, with the width of the cylindrical
 * depletion layer around a junction of depth xj fitted by a parabola of the plane one. */
static value gate_share(const struct mosfet_higher *m, value root)
{
    if (m->junction <= 0 || m->depletion <= 0)
        return value_constant(1);
    const double fit[3] = {0.0631353, 0.8013292, -0.01110777};
    const double lateral = m->lateral / m->junction;
    const value plane = value_scale(m->depletion / m->junction, root);
    const value cylinder =
        value_add(value_line(fit[1], plane, fit[0] + lateral), value_scale(fit[2], value_square(plane)));
    const value c = value_divide(plane, value_line(1, plane, 1));
    const value height = value_root(value_line(-1, value_square(c), 1));
    const double depth = m->junction / m->length;
    return value_line(-depth, value_multiply(cylinder, height), 1 + depth * lateral);
}

static void find_threshold(const struct mosfet_higher *m, double vgs, double vds, double vbs, struct state *s)
{
    s->gate = mosfet_gate_voltage(vgs);
    s->drain = mosfet_drain_voltage(vds);
    s->root = mosfet_bulk_root(m->phi, mosfet_bulk_voltage(vbs)).root;
    const value square = value_square(s->root);
    const value body = value_scale(m->gamma, gate_share(m, s->root));
    s->share = value_line(0.25, value_divide(body, s->root), m->narrow);
    const value bulk = value_add(value_multiply(body, s->root), value_scale(m->narrow, square));
    s->threshold = s->on = value_line(1, value_subtract(bulk, value_scale(m->feedback, s->drain)), m->built_in);
    s->scale = value_constant(0);
    if (m->surface_states > 0) {
        const value depletion = value_scale(0.5, value_divide(bulk, square));
        s->scale = value_line(m->thermal, depletion, m->thermal * (1 + m->surface_states));
        s->on = value_add(s->threshold, s->scale);
    }
    s->driven = value_larger(s->gate, s->on);
}

/* dL over L.  Without a limit of velocity: sqrt(kappa alpha (vds - 7/8 vdsat)), and (vds/vdsat)^4 of its value at vdsat
 * below.  With one: the field at the end of the channel that has reached it joins (Baum and Beneking 1970). */
static value shortening(const struct mosfet_higher *m, const struct state *s, value saturation, value reach)
{
    const double alpha = m->kappa * m->depletion * m->depletion / (m->length * m->length);
    const value beyond = value_subtract(s->drain, saturation);
    if (alpha <= 0 || (m->velocity > 0 && beyond.value <= 0))
        return value_constant(0);
    if (m->velocity > 0) {
        /* the field where the channel ends, times L: kappa i/(di/dvds) of the factor 1/(1 + vds/vc) */
        const value share = value_divide(saturation, reach);
        const value field = value_scale(m->kappa, value_divide(value_multiply(reach, value_line(1, share, 1)), share));
        const double depth = 0.5 * m->depletion * m->depletion / (m->length * m->length);
        const value start = value_scale(depth, field);
        return value_subtract(value_root(value_add(value_square(start), value_scale(alpha, beyond))), start);
    }
    if (beyond.value > 0)
        return value_root(value_scale(alpha, value_add(beyond, value_scale(0.125, saturation))));
    const value part = value_square(value_square(value_divide(s->drain, saturation)));
    return value_multiply(value_root(value_scale(0.125 * alpha, saturation)), part);
}

/* The rest of the length; what would be more than half of it approaches all of it at punch-through. */
static value remaining(value shorter)
{
    if (shorter.value > 0.5)
        return value_scale(0.25, value_invert(shorter));
    return value_line(-1, shorter, 1);
}

void mosfet_level_3(const struct mosfet_higher *m, double vgs, double vds, double vbs, struct mosfet_channel *out)
{
    struct state s;
    find_threshold(m, vgs, vds, vbs, &s);
    *out = (struct mosfet_channel){value_constant(0), s.on.value, 0};
    if (m->surface_states <= 0 && vgs <= s.on.value)
        return;
    const value over = value_subtract(s.driven, s.threshold);
    const value mobility = value_invert(value_line(m->theta, over, 1));
    const value pinched = value_divide(over, value_line(1, s.share, 1));
    value saturation = pinched, reach = value_constant(0);
    if (m->velocity > 0) {
        reach = value_scale(m->velocity * m->length / m->mobility, value_invert(mobility));
        saturation = value_subtract(value_add(pinched, reach),
                                    value_root(value_add(value_square(pinched), value_square(reach))));
    }
    out->saturation = saturation.value;
    if (!(saturation.value > 0))
        return;
    const value across = value_smaller(s.drain, saturation);
    const value charge = value_subtract(over, value_scale(0.5, value_multiply(value_line(1, s.share, 1), across)));
    value current = value_scale(m->beta, value_multiply(mobility, value_multiply(charge, across)));
    if (m->velocity > 0)
        current = value_divide(current, value_line(1, value_divide(across, reach), 1));
    current = value_divide(current, remaining(shortening(m, &s, saturation, reach)));
    out->current = value_multiply(current, mosfet_weak_inversion(s.gate, s.on, s.scale));
}
