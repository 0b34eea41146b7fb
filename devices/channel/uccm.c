/* uccm.c - see uccm.h. */
#include "devices/channel/uccm.h"

#include "devices/channel/charge_control.h"
#include "devices/channel/mosfet_levels.h"

typedef struct mosfet_value value;

/* For bulks above the source SPICE's curve of the root, as at levels 2 and 3. */
static value threshold_of(const struct uccm *u, value bulk)
{
    const value root = mosfet_bulk_root(u->phi, bulk).root;
    const double most = u->gamma_line > 0 ? 0.5 * u->gamma_root / u->gamma_line : INFINITY;
    if (root.value >= most)
        return value_constant(u->base + u->gamma_line * most * most);
    return value_subtract(value_line(u->gamma_root, root, u->base), value_scale(u->gamma_line, value_square(root)));
}

/* sigma0/(1 + e^z) */
static value lowering(const struct uccm *u, value over)
{
    double slope;
    const double part = control_lowering((over.value - u->dibl_at) / u->dibl_width, &slope);
    return value_chain(over, u->dibl * part, u->dibl * slope / u->dibl_width);
}

/* 2 n0 ln(1 + e^x/2) */
static value carriers_of(const struct uccm *u, value x)
{
    double slope;
    const double sum = control_carriers(x.value, &slope);
    return value_chain(x, 2 * u->carriers * sum, 2 * u->carriers * slope);
}

static value hyperbolic_tangent(value y)
{
    const double t = tanh(y.value), c = fabs(y.value) < 300 ? cosh(y.value) : INFINITY;
    return value_chain(y, t, 1 / (c * c));
}

void uccm_channel(const struct uccm *u, double vgs, double vds, double vbs, struct uccm_channel *out)
{
    const value drain = mosfet_drain_voltage(vds), threshold = threshold_of(u, mosfet_bulk_voltage(vbs));
    const value over = value_subtract(mosfet_gate_voltage(vgs), threshold);
    const value above = value_add(over, value_multiply(lowering(u, over), drain));
    const value b = value_line(0.5 / u->thermal, above, -1);
    const value root = value_root(value_line(1, value_square(b), u->transition * u->transition));
    const value effective = value_line(u->thermal, value_add(b, root), 2 * u->thermal);
    const value field = value_line(2, threshold, 0), slow = value_line(u->degradation, value_add(effective, field), 1);
    const value carriers = carriers_of(u, value_scale(1 / (u->ideality * u->thermal), above));
    const value g = value_scale(u->sheet * u->mobility, value_divide(carriers, slow));
    const value across = value_square(value_scale(1 / u->saturation, effective));
    const value bend = value_root(value_add(value_line(2 * u->source, g, 1), across));
    const value sum = value_add(value_line(u->source, g, 1), bend);
    const value most = value_divide(value_multiply(g, effective), sum);
    /* isat/gch, which stays finite where both vanish */
    const value saturation = value_divide(value_multiply(effective, value_line(u->series, g, 1)), sum);
    const value part = hyperbolic_tangent(value_divide(drain, saturation));
    out->current = value_multiply(value_multiply(most, value_line(u->lambda, drain, 1)), part);
    out->threshold = threshold.value;
    out->saturation = saturation.value;
}
