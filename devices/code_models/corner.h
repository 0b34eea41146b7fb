/* corner.h - functions with corners that are rounded: the parabola that goes on smoothly from one straight line to the
 * other within a distance of the corner, and chains of such.
 */
#ifndef DEVICES_CODE_MODELS_CORNER_H
#define DEVICES_CODE_MODELS_CORNER_H

#include "base/arena.h"

#include <math.h>
#include <stddef.h>

/* The function that has slope `below` for x < 0 and `above` for x > 0 and is 0 there, rounded in |x| < range: the value
 * is below x + (above - below) (x + range)^2/(4 range). */
static inline double corner_round(double x, double range, double below, double above, double *slope)
{
    if (x <= -range || x >= range) {
        *slope = x < 0 ? below : above;
        return *slope * x;
    }
    const double inside = x + range;
    *slope = below + (above - below) * inside / (2 * range);
    return below * x + (above - below) * inside * inside / (4 * range);
}

/* x kept between two limits, which may be infinite, corners rounded; derivatives with respect to x, lower and upper in
 * slopes[3]. */
static inline double corner_limit(double x, double lower, double upper, double range, double slopes[3])
{
    double of_lower = 1, of_upper = 1;
    const double above = isinf(lower) ? x : lower + corner_round(x - lower, range, 0, 1, &of_lower);
    const double kept = isinf(upper) ? above : upper + corner_round(above - upper, range, 1, 0, &of_upper);
    slopes[0] = of_lower * of_upper;
    slopes[1] = (1 - of_lower) * of_upper;
    slopes[2] = 1 - of_upper;
    return kept;
}

/* The straight lines through (x[i], y[i]), continued by the first and last one; corner i rounded within range[i] (NULL:
 * not at all). */
double corner_lines(const double *x, const double *y, size_t count, const double *range, double at, double *slope);

/* The ranges [count] of such lines: `domain`, or that part of the shorter line at a corner, and never more than half of
 * it.  NULL without memory. */
const double *corner_ranges(const double *x, size_t count, double domain, int fraction, struct arena *arena);

/* Whether x rises everywhere. */
static inline int corner_rises(const double *x, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (!(x[i] > x[i - 1]))
            return 0;
    return 1;
}

#endif
