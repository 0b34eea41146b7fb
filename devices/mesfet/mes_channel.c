/* mes_channel.c - channels and gate capacitances of MESFETs and HFETs, see mes_law.h. */
#include "devices/mesfet/mes_law.h"

#include "devices/channel/charge_control.h"
#include "devices/device.h"

typedef struct mes_value value;

/* ---- what all have ---- */

/* e^x below which nothing flows that could be measured, and nothing underflows yet. */
static const double FAR_BELOW = -200;

struct overdrive {
    value gate, drain;
    value by_gate;   /* d vgt/d vgs */
    value above;     /* vgt */
    value effective; /* vgte */
    value x;
};

/* vgt and its slope by vgs, 1 - vds sigma0/vsigma s/(1 + s)^2, which is a value of its own. */
static void find_above(const struct mes_channel *c, struct overdrive *o)
{
    const value over = mes_line(1, o->gate, -c->threshold);
    double slope;
    const double part = control_lowering((over.value - c->dibl_at) / c->dibl_width, &slope);
    const value lowering = mes_chain(over, c->dibl * part, c->dibl * slope / c->dibl_width);
    const value falls = mes_chain(over, c->dibl * slope / c->dibl_width,
                                  c->dibl * slope * (2 * part - 1) / (c->dibl_width * c->dibl_width));
    o->above = mes_add(over, mes_multiply(lowering, o->drain));
    o->by_gate = mes_line(1, mes_multiply(falls, o->drain), 1);
}

static struct overdrive overdrive_at(const struct mes_channel *c, double vgs, double vds)
{
    struct overdrive o = {.gate = mes_variable(vgs, MES_GATE), .drain = mes_variable(vds, MES_DRAIN)};
    find_above(c, &o);
    const value u = mes_line(0.5 / c->smooth, o.above, -1);
    const value root = mes_root(mes_line(1, mes_square(u), c->transition * c->transition));
    o.effective = mes_line(c->smooth, mes_add(u, root), 2 * c->smooth);
    o.x = mes_at_least(mes_scale(1 / c->ideality, o.above), FAR_BELOW);
    return o;
}

/* What the levels differ in. */
struct parts {
    value conductance; /* q W/L mu ns, S */
    value most;        /* isat, A */
    value knee;        /* m */
    value capacitance; /* C, F */
};

/* gch */
static value with_series(const struct mes_channel *c, value conductance)
{
    return mes_divide(conductance, mes_line(c->series, conductance, 1));
}

static value sheet(const struct mes_channel *c, value mobility, value carriers)
{
    return mes_scale(DEVICE_CHARGE * c->width / c->length, mes_multiply(mobility, carriers));
}

/* ---- levels 2 and 3: depletion layers ---- */

/* The depletion layer is this part of its depth at least, for the capacitance below it. */
static const double THINNEST = 0.1;

static value depletion_saturation(const struct mes_channel *c, const struct overdrive *o, value gain)
{
    const value a = mes_scale(2, mes_multiply(gain, o->effective));
    const value along = mes_scale(c->source, a);
    const value sum = mes_add(mes_line(1, along, 1), mes_root(mes_line(2, along, 1)));
    const value compressed = mes_multiply(sum, mes_line(c->compression, o->effective, 1));
    return mes_divide(mes_multiply(a, o->effective), compressed);
}

static void uniform_doping(const struct mes_channel *c, const struct overdrive *o, struct parts *out)
{
    /* not below a millionth, where a negative theta would turn it round */
    const value mobility = mes_at_least(mes_line(c->mobility_by_gate, o->above, c->mobility), 1e-6 * c->mobility);
    const value field = mes_scale(c->velocity * c->length, mes_invert(mobility));
    const value gain = mes_scale(c->gain, mes_invert(mes_line(3, field, c->full)));
    const value rest = mes_at_least(mes_line(-1 / c->full, o->effective, 1), 0);
    const value depth = rest.value > 0 ? mes_root(rest) : mes_constant(0);
    const value above = mes_line(-c->doping * c->depth, depth, c->doping * c->depth);
    const value below = mes_scale(c->carriers, mes_exp(o->x));
    const value weak = mes_scale(DEVICE_CHARGE * c->thermal * c->width / c->length, mes_multiply(mobility, below));
    out->conductance = sheet(c, mobility, mes_parallel(above, below));
    out->most = mes_parallel(depletion_saturation(c, o, gain), weak);
    out->knee = mes_line(c->knee_by_gate, o->effective, c->knee);
    const value left = mes_root(mes_at_least(mes_line(-1 / c->full, o->above, 1), THINNEST * THINNEST));
    out->capacitance = mes_scale(c->width * c->length * c->permittivity / c->depth,
                                 mes_invert(mes_add(left, mes_exp(mes_scale(-1, o->x)))));
}

/* Carriers of level 3 above threshold, and how much the depletion layer is thicker than du. */
static value delta_carriers(const struct mes_channel *c, value effective, value *depth)
{
    const double upper = c->full - c->at_layer, layer = c->layer_doping * c->layer, whole = c->doping * c->depth;
    if (effective.value > c->at_layer) {
        const value rest = mes_at_least(mes_line(-1 / upper, effective, c->full / upper), 0);
        *depth = rest.value > 0 ? mes_root(rest) : mes_constant(0);
        return mes_line(-whole, *depth, layer + whole);
    }
    const double ratio = c->doping / (c->layer_doping * upper);
    *depth = mes_root(mes_line(-ratio, effective, 1 + ratio * c->at_layer));
    return mes_line(-c->layer_doping * c->depth, *depth, c->layer_doping * (c->layer + c->depth));
}

static void delta_doping(const struct mes_channel *c, const struct overdrive *o, struct parts *out)
{
    value depth;
    const value above = delta_carriers(c, o->effective, &depth), e = mes_exp(o->x);
    const double whole = c->depth + c->layer;
    const value below = mes_scale(c->carriers * c->depth / whole, e);
    const value weak = mes_scale(DEVICE_CHARGE * c->carriers * c->thermal * c->width / c->length, e);
    out->conductance = sheet(c, mes_constant(c->mobility), mes_parallel(above, below));
    out->most = mes_parallel(depletion_saturation(c, o, mes_constant(c->gain)), weak);
    out->knee = mes_constant(c->knee);
    const value strong = mes_scale(c->permittivity / c->depth, mes_invert(mes_at_least(depth, THINNEST)));
    out->capacitance = mes_scale(c->width * c->length, mes_parallel(strong, mes_scale(c->permittivity / whole, e)));
}

/* ---- level 4 and HFETs: a sheet of carriers ---- */

/* nsm and its slope by vgt. */
static value sheet_carriers(const struct mes_channel *c, const struct overdrive *o, value *slope)
{
    double rise;
    const double sum = control_carriers(o->x.value, &rise), n = 2 * c->carriers;
    const value first = mes_chain(o->x, n * sum, n * rise);
    *slope = mes_chain(o->x, n * rise / c->ideality, n * rise * (1 - rise) / c->ideality);
    if (c->second_carriers == 0)
        return first;
    const value over = mes_line(1 / c->second_slope, o->above, (c->threshold - c->second_at) / c->second_slope);
    const value second = mes_scale(c->second_carriers, mes_exp(mes_at_least(over, FAR_BELOW)));
    const value share = mes_divide(first, second), whole = mes_line(1, share, 1);
    *slope = mes_divide(mes_add(*slope, mes_scale(1 / c->second_slope, mes_multiply(first, share))), mes_square(whole));
    return mes_divide(first, whole);
}

/* (1 + r^m)^(-1/m - 1), the slope of K(r, m). */
static value knee_slope(value r, double m)
{
    return mes_power(mes_line(1, mes_power(r, m), 1), -1 / m - 1);
}

static value outer_layer(const struct mes_channel *c, value gate)
{
    const value e = mes_exp(mes_line(-1 / c->outer_slope, gate, c->outer_at / c->outer_slope));
    return mes_invert(mes_line(c->outer_slope, e, c->outer_depth / c->permittivity));
}

static value sheet_capacitance(const struct mes_channel *c, const struct overdrive *o, value carriers, value slope)
{
    const double area = c->width * c->length;
    const value rest = knee_slope(mes_scale(1 / c->most, carriers), c->gamma);
    if (c->hfet) {
        const value inner = mes_scale(DEVICE_CHARGE, mes_multiply(mes_multiply(rest, slope), o->by_gate));
        return mes_scale(area, mes_add(inner, outer_layer(c, o->gate)));
    }
    const value weak = mes_scale(c->ideality / (c->weak * DEVICE_CHARGE * c->carriers), mes_exp(mes_scale(-1, o->x)));
    return mes_scale(area, mes_multiply(rest, mes_invert(mes_line(1, weak, c->depth / (c->strong * c->permittivity)))));
}

static void sheet_of_carriers(const struct mes_channel *c, const struct overdrive *o, struct parts *out)
{
    value slope;
    const value carriers = sheet_carriers(c, o, &slope), gamma = mes_constant(c->gamma);
    const value mobility = mes_constant(c->mobility), g = sheet(c, mobility, carriers);
    const value along = mes_scale(c->source, g),
                across = mes_scale(c->mobility / (c->velocity * c->length), o->effective);
    const value bend = mes_root(mes_add(mes_line(2, along, 1), mes_square(across)));
    const value most = mes_divide(mes_multiply(g, o->effective), mes_add(mes_line(1, along, 1), bend));
    const double full = DEVICE_CHARGE * c->most * c->velocity * c->width;
    out->conductance = sheet(c, mobility, mes_scale(c->most, mes_knee(mes_scale(1 / c->most, carriers), gamma)));
    out->most = mes_scale(full, mes_knee(mes_scale(1 / full, most), gamma));
    out->knee = mes_constant(c->knee);
    out->capacitance = sheet_capacitance(c, o, carriers, slope);
}

/* ---- the channel ---- */

/* cf + part C (1 - r^2) */
static value gate_capacitance(const struct mes_channel *c, value part, value capacitance, value r)
{
    return mes_line(1, mes_multiply(mes_multiply(part, capacitance), mes_line(-1, mes_square(r), 1)), c->fringe);
}

static void find_capacitances(const struct mes_channel *c, const struct parts *p, value along,
                              struct mes_channel_point *out)
{
    const value k = mes_knee(along, mes_constant(c->knee_c)), whole = mes_line(-1, k, 2);
    const value drain = mes_line(1 - c->share, mes_exp(mes_scale(-1, along)), c->share), sum = mes_line(1, drain, 1);
    const value source_part = mes_scale(4.0 / 3, mes_invert(sum)), drain_part = mes_multiply(source_part, drain);
    out->at_source = gate_capacitance(c, source_part, p->capacitance, mes_divide(mes_line(-1, k, 1), whole));
    out->at_drain = gate_capacitance(c, drain_part, p->capacitance, mes_invert(whole));
}

void mes_channel_at(const struct mes_channel *c, double vgs, double vds, struct mes_channel_point *out)
{
    static void (*const kinds[])(const struct mes_channel *c, const struct overdrive *o, struct parts *out) = {
        [MES_UNIFORM] = uniform_doping, [MES_DELTA] = delta_doping, [MES_SHEET] = sheet_of_carriers};
    const struct overdrive o = overdrive_at(c, vgs, vds);
    struct parts p;
    kinds[c->kind](c, &o, &p);
    const value conductance = with_series(c, p.conductance);
    out->saturation = mes_divide(p.most, conductance);
    out->effective = o.effective;
    const value along = mes_divide(o.drain, out->saturation);
    const value plain = mes_multiply(p.most, mes_knee(along, p.knee));
    out->current = mes_multiply(plain, mes_line(c->lambda, o.drain, 1));
    find_capacitances(c, &p, along, out);
    const double reached = plain.value / conductance.value; /* V */
    out->dispersed = mes_constant(0);
    out->dispersed.by[MES_GATE] = vds * reached * conductance.by[MES_GATE];
    out->dispersed.by[MES_DRAIN] = 2 * plain.value;
}
