/* zener.c - A zener: a diode with a breakdown that is told by a point and its resistance.
 *
 *     forward     i = i_sat (e^(v/(n VT)) - 1),  VT = 26 mV, down to the voltage v12 = n VT ln(n VT/10)
 *     between     a straight line of slope i_sat/10
 *     breakdown   i = c - i0 e^(-k (v - v0)),  k = 1/(i_breakdown r_breakdown),  i0 = 1 uA,
 *                 v0 = -v_breakdown + ln(i_breakdown/i0)/k, below v23 = ln(10/(i_sat r_breakdown))/k - v_breakdown
 * and i_rev v/v_breakdown beside it.  Where v23 is above v12 both exponentials meet at 0 V, and the one that is flatter
 * there has a conductance in parallel that makes their slopes equal (XSPICE's model; its manual, "zener").
 */
#include "devices/code_models/code_model.h"
#include "devices/families.h"
#include "devices/junction/junction.h"

#include <math.h>

enum { Z_V, Z_I, Z_R, Z_REVERSE, Z_SATURATION, Z_EMISSION, Z_SWITCH, Z_ROWS };

static const struct parameter_info rows[Z_ROWS] = {
    [Z_V] = {"v_breakdown", "V", NAN, 1e-6, 1e6, "breakdown voltage, to be given", NULL},
    [Z_I] = CODE_FROM("i_breakdown", "A", 2e-2, 1e-9, "current there"),
    [Z_R] = CODE_FROM("r_breakdown", "ohm", 1, 1e-12, "resistance there"),
    [Z_REVERSE] = CODE_FROM("i_rev", "A", 1e-6, 1e-9, "leakage at the breakdown voltage"),
    [Z_SATURATION] = CODE_FROM("i_sat", "A", 1e-12, 1e-15, "saturation current"),
    [Z_EMISSION] = {"n_forward", "", 1, 0.1, 10, "emission coefficient", NULL},
    [Z_SWITCH] = CODE_FLAG("limit_switch", 0, "of no meaning here: Newton's method is always kept in bounds"),
};

static const struct port_info ports[] = {
    {.name = "z", .direction = PORT_BOTH, .type = PORT_GD, .allowed = 1u << PORT_GD}};

struct zener {
    struct junction_law forward, breakdown;
    double thermal;        /* n VT, V */
    double forward_begins; /* v12, V */
    double breaks;         /* v23, V */
    double offset;         /* of the straight line at 0 V, A */
    double level;          /* c, A */
    double scale;          /* i0 e^(k (v0 + v_breakdown)), A: the breakdown current is scale e^(-k (v + v_breakdown)) */
    double rate;           /* k, 1/V */
    double parallel[2];    /* S, of the branch in reverse and forward, where both meet at 0 V */
    bool meets;
    double previous; /* V, of the evaluation before, for limiting */
};

static enum kn_status make(struct code_item *i, struct arena *arena, struct kn_diagnostics *d)
{
    struct zener *z = arena_alloc(arena, sizeof *z);
    const double *p = i->p;
    if (!z)
        return KN_ERROR_MEMORY;
    if (!i->given[Z_V])
        return code_fail(i, d, "write v_breakdown=5.6, say", "a zener needs its breakdown voltage");
    i->own = z;
    z->thermal = p[Z_EMISSION] * 0.026;
    z->rate = 1 / (p[Z_I] * p[Z_R]);
    z->forward_begins = z->thermal * log(z->thermal / 10);
    z->breaks = log(10 / (p[Z_SATURATION] * p[Z_R])) / z->rate - p[Z_V];
    z->meets = z->breaks >= z->forward_begins;
    z->forward = (struct junction_law){.saturation = p[Z_SATURATION], .rate = 1 / z->thermal};
    z->breakdown = (struct junction_law){.saturation = p[Z_I], .rate = z->rate};
    if (z->meets) {
        z->scale = -p[Z_I] / expm1(-z->rate * p[Z_V]);
        z->level = z->scale * exp(-z->rate * p[Z_V]);
        const double steeper = z->level * z->rate - p[Z_SATURATION] / z->thermal;
        z->parallel[1] = fmax(steeper, 0);
        z->parallel[0] = fmax(-steeper, 0);
        return KN_OK;
    }
    z->scale = p[Z_I];
    z->offset = p[Z_SATURATION] * (expm1(z->forward_begins / z->thermal) - z->forward_begins / 10);
    z->level = p[Z_SATURATION] / 10 * z->breaks + z->offset + z->scale * exp(-z->rate * (z->breaks + p[Z_V]));
    return KN_OK;
}

static double zener_current(const struct code_item *i, double v, double *slope)
{
    const struct zener *z = i->own;
    const double saturation = i->p[Z_SATURATION], leak = i->p[Z_REVERSE] / i->p[Z_V];
    const bool forward = v >= (z->meets ? 0 : z->forward_begins);
    *slope = leak;
    if (forward) {
        double rate;
        const double growth = junction_exp(v / z->thermal, &rate);
        *slope += saturation * rate / z->thermal + z->parallel[1];
        return saturation * (growth - 1) + (leak + z->parallel[1]) * v;
    }
    if (!z->meets && v >= z->breaks) {
        *slope += saturation / 10;
        return saturation / 10 * v + z->offset + leak * v;
    }
    double rate;
    const double growth = z->scale * junction_exp(-z->rate * (v + i->p[Z_V]), &rate);
    *slope += z->rate * z->scale * rate + z->parallel[0];
    return z->level - growth + (leak + z->parallel[0]) * v;
}

/* Where it is evaluated when Newton proposes v: limited as a junction in each of its exponentials. */
static double evaluation_voltage(const struct code_item *i, const struct code_point *p)
{
    struct zener *z = i->own;
    const double v = p->u[0];
    const double *x = p->step->x_reference;
    const double previous = p->step->first ? x[i->columns[0].plus] - x[i->columns[0].minus] : z->previous;
    const double sign = v >= 0 ? 1 : -1, from = v >= 0 ? 0 : i->p[Z_V]; /* where its exponential counts */
    const struct junction_law *law = v >= 0 ? &z->forward : &z->breakdown;
    const double wanted = sign * v - from;
    const double limited = junction_limit(wanted, sign * previous - from, law->rate, junction_critical_voltage(law));
    z->previous = limited == wanted ? v : sign * (limited + from);
    if (limited != wanted)
        *p->step->limited = true;
    return z->previous;
}

static void evaluate(const struct code_item *i, const struct code_point *p)
{
    const double v = p->step ? evaluation_voltage(i, p) : p->u[0];
    p->f[0] = zener_current(i, v, &p->df[0]);
    p->f[0] += p->df[0] * (p->u[0] - v);
}

const struct code_model zener_model = {CODE_KIND("zener", "zener diode", "z+ z-", ports, rows), .make = make,
                                       .evaluate = evaluate};
