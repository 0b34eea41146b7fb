/* outside.c - see devices/outside.h. */
#include "devices/outside.h"

#include <math.h>

/* Part of the run over which differences are taken where no derivative is given: their error is (1e-8 span/T)^2 for what
 * changes in a time T, their rounding 1e-16 T/(1e-8 span); both are below 1e-8 from T = 1e-4 span on. */
static const double DIFFERENCE = 1e-8;

static double asked(const struct outside *o, const struct element *e, double time, double *rate)
{
    double value = NAN;
    *rate = NAN;
    return o->value(o->context, e, time, &value, rate) ? value : NAN;
}

/* On which side of a corner a time is. */
static double seen_from(struct instant when)
{
    return isinf(when.time) ? 0 : when.over < when.time ? when.over : when.time;
}

double outside_value(const struct outside *o, const struct element *e, struct instant when)
{
    double rate;
    return asked(o, e, seen_from(when), &rate);
}

/* The derivative of the parabola through three points on one side (for instance E. Hairer, G. Wanner, Analysis by Its
 * History, II.6), which is the side of the corner beside which the time is. */
double outside_rate(const struct outside *o, const struct element *e, struct instant when)
{
    double rate, ignored;
    const double t = seen_from(when), v = asked(o, e, t, &rate);
    if (isinf(when.time) || !isnan(rate))
        return isinf(when.time) ? 0 : rate;
    const double side = when.over < when.time ? -1 : 1;
    const double near = t + side * fmax(DIFFERENCE * o->span, 1e-12 * fabs(t)), h = near - t;
    const double v1 = asked(o, e, near, &ignored), v2 = asked(o, e, t + 2 * h, &ignored);
    return (-3 * v + 4 * v1 - v2) / (2 * h);
}
