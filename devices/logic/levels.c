/* levels.c - see levels.h. */
#include "devices/logic/levels.h"

#include <float.h>
#include <math.h>

/* A voltage is known to a few units of the last place, as sums and solutions of equations are. */
static const double ROUNDING = 8 * DBL_EPSILON;

double sensor_voltage(const struct logic_sensor *s, const double *x)
{
    return x[s->plus] - x[s->minus];
}

/* A voltage at a threshold, within rounding, is beyond it: what comes from low is 0, else what comes from high is 1, as in
 * ngspice; and it does not change its mind with the last bits. */
static double beyond(const struct logic_sensor *s, const double *x, double threshold)
{
    return ROUNDING * (fabs(x[s->plus]) + fabs(x[s->minus]) + fabs(threshold));
}

double sensor_high(const struct logic_sensor *s, const double *x)
{
    return s->high + (s->low < s->high ? -1 : 1) * beyond(s, x, s->high);
}

double sensor_low(const struct logic_sensor *s, const double *x)
{
    return s->low + beyond(s, x, s->low);
}

enum logic_level sensor_level_before(const struct logic_sensor *s)
{
    return s->goes_on ? s->level : s->initial;
}

enum logic_level sensor_level(const struct logic_sensor *s, const double *x)
{
    const double v = sensor_voltage(s, x);
    if (v >= sensor_high(s, x))
        return LOGIC_ONE;
    return v <= sensor_low(s, x) ? LOGIC_ZERO : s->remembers ? sensor_level_before(s) : LOGIC_UNKNOWN;
}

enum logic_level sensor_level_of_nothing(const struct logic_sensor *s)
{
    struct logic_sensor grounded = *s;
    const double ground = 0;
    grounded.plus = grounded.minus = 0;
    return sensor_level(&grounded, &ground);
}

enum logic_level sensor_level_by_sides(const struct logic_sensor *s)
{
    if (s->held[0] > 0)
        return LOGIC_ONE;
    return s->remembers || s->low == s->high || s->held[1] < 0 ? LOGIC_ZERO : LOGIC_UNKNOWN;
}
