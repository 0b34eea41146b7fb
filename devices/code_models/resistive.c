/* resistive.c - A aswitch, pswitch, zener, ilimit: currents that voltages of the same time determine.
 *
 *     aswitch   i = v/r;  ln r (log) or r goes straight from r_off at cntl_off to r_on at cntl_on, and on beyond unless
 *               limit is set; r_on is 1 mohm at least.  pswitch: always kept between r_on and r_off, its ln r without bends,
 *               the cubic of PSpice's voltage-controlled switch (PSpice A/D Reference Guide, S)
 *     zener     i = i_sat (e^(v/(n 26 mV)) - 1) - i0 (e^(-k v) - 1) + .., see below
 *     ilimit    the output is driven from gain (in + in_offset), kept between the supplies, through a resistance with a
 *               limited current, which the supplies deliver
 */
#include "devices/code_models/code_model.h"
#include "devices/code_models/corner.h"
#include "devices/families.h"

#include <float.h>
#include <math.h>

/* ---- switches ---- */

enum { SWITCH_OFF, SWITCH_ON, SWITCH_LOG, SWITCH_ROFF, SWITCH_RON, SWITCH_LIMIT, SWITCH_ROWS };

static const struct parameter_info switch_rows[SWITCH_ROWS] = {
    [SWITCH_OFF] = CODE_ANY("cntl_off", "", 0, "control where the resistance is r_off"),
    [SWITCH_ON] = CODE_ANY("cntl_on", "", 1, "control where it is r_on"),
    [SWITCH_LOG] = CODE_FLAG("log", 1, "its logarithm goes straight between them, not itself"),
    [SWITCH_ROFF] = CODE_FROM("r_off", "ohm", 1e12, DBL_MIN, "resistance when off"),
    [SWITCH_RON] = CODE_FROM("r_on", "ohm", 1, DBL_MIN, "resistance when on"),
    [SWITCH_LIMIT] = CODE_FLAG("limit", 0, "the resistance stays between r_on and r_off"),
};

static const struct port_info switch_ports[] = {
    CODE_IN("cntl_in"), {.name = "out", .direction = PORT_BOTH, .type = PORT_GD, .allowed = 1u << PORT_GD}};

enum { SWITCH_RCNTL = SWITCH_LIMIT };

static const struct parameter_info pswitch_rows[SWITCH_ROWS] = {
    [SWITCH_OFF] = CODE_ANY("cntl_off", "", 0, "control where the resistance is r_off"),
    [SWITCH_ON] = CODE_ANY("cntl_on", "", 1, "control where it is r_on"),
    [SWITCH_LOG] = CODE_FLAG("log", 1, "its logarithm goes smoothly between them; else itself, straight"),
    [SWITCH_ROFF] = CODE_FROM("r_off", "ohm", 1e12, DBL_MIN, "resistance when off"),
    [SWITCH_RON] = CODE_FROM("r_on", "ohm", 1, DBL_MIN, "resistance when on"),
    [SWITCH_RCNTL] = CODE_FROM("r_cntl_in", "ohm", 1e12, DBL_MIN, "resistance of the control input"),
};

static const struct port_info pswitch_ports[] = {
    {.name = "cntl_in", .direction = PORT_BOTH, .type = PORT_GD, .allowed = 1u << PORT_G | 1u << PORT_GD},
    {.name = "out", .direction = PORT_BOTH, .type = PORT_GD, .allowed = 1u << PORT_GD}};

static enum kn_status switch_make(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    (void)arena;
    return i->p[SWITCH_ON] != i->p[SWITCH_OFF] ? KN_OK : code_fail(i, d, NULL, "cntl_on and cntl_off are the same");
}

/* ohm; its slope in the control */
static double switch_resistance(const struct code_item *i, double control, bool limit, double *slope)
{
    const double on = fmax(i->p[SWITCH_RON], 1e-3), off = i->p[SWITCH_ROFF], span = i->p[SWITCH_ON] - i->p[SWITCH_OFF];
    const bool logarithm = i->p[SWITCH_LOG] != 0;
    const double rate = (logarithm ? log(on / off) : on - off) / span, way = rate * (control - i->p[SWITCH_ON]);
    const double wanted = logarithm ? on * exp(way) : on + way;
    const double least = limit ? fmin(on, off) : 1e-9, most = limit ? fmax(on, off) : INFINITY;
    *slope = wanted < least || wanted > most ? 0 : logarithm ? wanted * rate : rate;
    return fmax(least, fmin(most, wanted));
}

/* ln r = ln off + (3 w^2 - 2 w^3) ln(on/off), w the way from cntl_off to cntl_on. */
static double smooth_resistance(const struct code_item *i, double control, double *slope)
{
    const double on = fmax(i->p[SWITCH_RON], 1e-3), off = i->p[SWITCH_ROFF], span = i->p[SWITCH_ON] - i->p[SWITCH_OFF];
    const double way = fmax(0, fmin(1, (control - i->p[SWITCH_OFF]) / span)), ratio = log(on / off);
    const double r = off * exp(way * way * (3 - 2 * way) * ratio);
    *slope = r * ratio * 6 * way * (1 - way) / span;
    return r;
}

/* i = v/r(control) of the switch itself. */
static void switch_current(const struct code_point *p, size_t row, double r, double slope)
{
    const double v = p->u[1];
    p->f[row] = v / r;
    p->df[row * 2 + 0] = -v * slope / (r * r);
    p->df[row * 2 + 1] = 1 / r;
}

static void aswitch_evaluate(const struct code_item *i, const struct code_point *p)
{
    double slope;
    const double r = switch_resistance(i, p->u[0], i->p[SWITCH_LIMIT] != 0, &slope);
    switch_current(p, 0, r, slope);
}

static void pswitch_evaluate(const struct code_item *i, const struct code_point *p)
{
    p->f[0] = p->u[0] / i->p[SWITCH_RCNTL];
    p->df[0] = 1 / i->p[SWITCH_RCNTL];
    double slope;
    const double r =
        i->p[SWITCH_LOG] != 0 ? smooth_resistance(i, p->u[0], &slope) : switch_resistance(i, p->u[0], true, &slope);
    switch_current(p, 1, r, slope);
}

const struct code_model aswitch_model = {
    CODE_KIND("aswitch", "analog switch", "cntl_in out", switch_ports, switch_rows), .make = switch_make,
    .evaluate = aswitch_evaluate};
const struct code_model pswitch_model = {
    CODE_KIND("pswitch", "power switch", "cntl_in out", pswitch_ports, pswitch_rows), .make = switch_make,
    .evaluate = pswitch_evaluate};

/* ---- current limiter ---- */

enum { I_OFFSET, I_GAIN, R_SOURCE, R_SINK, I_SOURCE, I_SINK, V_RANGE, I_SOURCE_RANGE, I_SINK_RANGE, R_DOMAIN, I_ROWS };

static const struct parameter_info ilimit_rows[I_ROWS] = {
    [I_OFFSET] = CODE_ANY("in_offset", "", 0, "added to the input"),
    [I_GAIN] = CODE_ANY("gain", "", 1, "factor"),
    [R_SOURCE] = {"r_out_source", "ohm", 1, 1e-9, 1e9, "resistance while it delivers current", NULL},
    [R_SINK] = {"r_out_sink", "ohm", 1, 1e-9, 1e9, "resistance while it takes current", NULL},
    [I_SOURCE] = CODE_FROM("i_limit_source", "A", 10e-3, 1e-12, "largest current delivered"),
    [I_SINK] = CODE_FROM("i_limit_sink", "A", 10e-3, 1e-12, "largest current taken"),
    [V_RANGE] = CODE_FROM("v_pwr_range", "V", 1e-6, 1e-15, "corners at the supplies are rounded within this"),
    [I_SOURCE_RANGE] = CODE_FROM("i_source_range", "A", 1e-9, 1e-15, "corner of delivered currents, likewise"),
    [I_SINK_RANGE] = CODE_FROM("i_sink_range", "A", 1e-9, 1e-15, "corner of currents taken, likewise"),
    [R_DOMAIN] = CODE_FROM("r_out_domain", "V", 1e-9, 1e-15, "range of voltage in which the resistance changes"),
};

#define POWER(port_name)                                                                                               \
    {                                                                                                                  \
        .name = port_name, .direction = PORT_BOTH, .type = PORT_G, .allowed = 1u << PORT_G | 1u << PORT_GD,            \
        .may_be_null = true                                                                                            \
    }

static const struct port_info ilimit_ports[] = {
    CODE_IN("in"),
    POWER("pos_pwr"),
    POWER("neg_pwr"),
    {.name = "out", .direction = PORT_BOTH, .type = PORT_G, .allowed = 1u << PORT_G | 1u << PORT_GD},
};

enum { ILIMIT_IN, ILIMIT_POSITIVE, ILIMIT_NEGATIVE, ILIMIT_OUT };
/* V: a supply that is not there. */
static const double NO_SUPPLY = 1e6;

/* A current through r from v, of which each sign has its own resistance: these meet at v = 0 within the domain. */
static double through_resistance(const struct code_item *i, double v, double *slope)
{
    return corner_round(v, i->p[R_DOMAIN], 1 / i->p[R_SINK], 1 / i->p[R_SOURCE], slope);
}

static void ilimit_evaluate(const struct code_item *i, const struct code_point *p)
{
    const bool has_positive = code_port_columns(i, ILIMIT_POSITIVE) > 0;
    const bool has_negative = code_port_columns(i, ILIMIT_NEGATIVE) > 0;
    const size_t positive = i->first_column[ILIMIT_POSITIVE], negative = i->first_column[ILIMIT_NEGATIVE];
    const size_t out = i->first_column[ILIMIT_OUT], n = i->column_count;
    const double upper = has_positive ? p->u[positive] : NO_SUPPLY, lower = has_negative ? p->u[negative] : -NO_SUPPLY;
    double kept[3], of_v, of_current, delivered_part;
    const double v =
        corner_limit(i->p[I_GAIN] * (p->u[0] + i->p[I_OFFSET]), lower, upper, i->p[V_RANGE], kept) - p->u[out];
    const double wanted = through_resistance(i, v, &of_v);
    const double range = wanted > 0 ? i->p[I_SOURCE_RANGE] : i->p[I_SINK_RANGE];
    double limits[3];
    const double current = corner_limit(wanted, -i->p[I_SINK], i->p[I_SOURCE], range, limits);
    of_current = limits[0] * of_v;
    const double of_in = of_current * kept[0] * i->p[I_GAIN];
    /* What flows out of the output comes from one supply or goes to the other. */
    const double delivered = corner_round(current, range, 0, 1, &delivered_part);
    const double values[3] = {delivered, current - delivered, -current};
    const double parts[3] = {delivered_part, 1 - delivered_part, -1};
    const size_t rows[3] = {i->first_row[ILIMIT_POSITIVE], i->first_row[ILIMIT_NEGATIVE], i->first_row[ILIMIT_OUT]};
    const bool there[3] = {has_positive, has_negative, true};
    for (int k = 0; k < 3; k++) {
        if (!there[k])
            continue;
        p->f[rows[k]] = values[k];
        p->df[rows[k] * n + 0] = parts[k] * of_in;
        p->df[rows[k] * n + out] = -parts[k] * of_current;
        if (has_positive)
            p->df[rows[k] * n + positive] = parts[k] * of_current * kept[2];
        if (has_negative)
            p->df[rows[k] * n + negative] = parts[k] * of_current * kept[1];
    }
}

const struct code_model ilimit_model = {
    CODE_KIND("ilimit", "current limiter", "in pos_pwr neg_pwr out", ilimit_ports, ilimit_rows),
    .evaluate = ilimit_evaluate};
