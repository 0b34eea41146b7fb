/* mosfet_level_6.c - level 6: Sakurai's and Newton's law of powers for short channels.  See mosfet_levels.h.
 *
 * With u = vgs - vth, vth = vbi + gamma s - gamma1 vbs - sigma vds, s = sqrt(phi - vbs):
 *     vdsat = Kv u^Nv,   isat = Kc W/L u^Nc (1 + (lambda0 - lambda1 vbs) vds)
 *     i = isat for vds >= vdsat,   isat (2 - vds/vdsat) vds/vdsat below
 */
#include "devices/channel/mosfet_levels.h"

typedef struct mosfet_value value;

void mosfet_level_6(const struct mosfet_higher *m, double vgs, double vds, double vbs, struct mosfet_channel *out)
{
    const value gate = mosfet_gate_voltage(vgs), drain = mosfet_drain_voltage(vds), bulk = mosfet_bulk_voltage(vbs);
    value root = value_root(value_line(-1, bulk, m->phi));
    if (vbs > 0) { /* SPICE: the root's tangent at vbs = 0 instead, where that is positive */
        const double at_zero = sqrt(m->phi);
        root = value_larger(value_line(-0.5 / at_zero, bulk, at_zero), value_constant(0));
    }
    const value straight = value_add(value_scale(m->straight_body, bulk), value_scale(m->feedback_6, drain));
    const value threshold = value_subtract(value_line(m->gamma, root, m->built_in), straight);
    const value over = value_subtract(gate, threshold);
    *out = (struct mosfet_channel){value_constant(0), threshold.value, 0};
    if (over.value <= 0)
        return;
    const value saturation = value_scale(m->saturation_factor, value_power(over, m->saturation_exponent));
    const value lambda = value_line(-m->lambda_body, bulk, m->lambda);
    const value growth = value_line(1, value_multiply(lambda, drain), 1);
    const value most = value_scale(m->beta, value_multiply(value_power(over, m->current_exponent), growth));
    out->saturation = saturation.value;
    out->current = most;
    if (vds >= saturation.value)
        return;
    const value part = value_divide(drain, saturation);
    out->current = value_multiply(most, value_multiply(part, value_line(-1, part, 2)));
}
