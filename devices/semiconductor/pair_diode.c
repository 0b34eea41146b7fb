/* pair_diode.c - see pair_diode.h. */
#include "devices/semiconductor/pair_diode.h"

#include "devices/incidence.h"

bool pair_diode_connect(struct pair_diode *d, struct device_setup *s)
{
    return setup_pair(s, d->anode, d->cathode, d->slots);
}

double pair_diode_voltage(const struct pair_diode *d, const double *x)
{
    return d->sign * (x[d->anode] - x[d->cathode]);
}

static double evaluated_voltage(struct pair_diode *d, double v, const struct device_point *at)
{
    if (!at->limit)
        return v;
    const double previous = at->first ? pair_diode_voltage(d, at->x_reference) : d->previous;
    d->previous = diode_limit(&d->law, v, previous);
    if (d->previous != v)
        *at->limited = true;
    return d->previous;
}

void pair_diode_eval(struct pair_diode *d, const struct device_point *at, const struct device_stamp *out)
{
    const double v = pair_diode_voltage(d, at->x), u = evaluated_voltage(d, v, at);
    double g, c;
    const double i = diode_current(&d->law, u, &g);
    const double q = diode_charge(&d->law, u, i, g, &c);
    const double current = d->sign * (i + g * (v - u) + at->gmin * v), charge = d->sign * (q + c * (v - u));
    if (at->what & EVALUATE_F) {
        out->f[d->anode] += current;
        out->f[d->cathode] -= current;
    }
    if (at->what & EVALUATE_G)
        pair_stamp(d->slots, g + at->gmin, out->G);
    if (at->what & EVALUATE_Q) {
        out->q[d->anode] += charge;
        out->q[d->cathode] -= charge;
    }
    if (at->what & EVALUATE_C)
        pair_stamp(d->slots, c, out->C);
}

double pair_diode_flow(const struct pair_diode *d, const struct device_probe *at)
{
    const double v = pair_diode_voltage(d, at->x), rate = pair_diode_voltage(d, at->dxdt);
    double g, c;
    const double i = diode_current(&d->law, v, &g);
    diode_charge(&d->law, v, i, g, &c);
    return d->sign * (i + at->gmin * v + c * rate);
}
