/* corner.c - see corner.h. */
#include "devices/code_models/corner.h"

/* The segment of the line that holds at `at`. */
static size_t segment_of(const double *x, size_t count, double at)
{
    size_t low = 0, high = count - 1;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (at < x[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

static double slope_of(const double *x, const double *y, size_t segment)
{
    return (y[segment + 1] - y[segment]) / (x[segment + 1] - x[segment]);
}

double corner_lines(const double *x, const double *y, size_t count, const double *range, double at, double *slope)
{
    const size_t s = segment_of(x, count, at);
    const double here = slope_of(x, y, s);
    const size_t near = at - x[s] < x[s + 1] - at ? s : s + 1; /* the corner that may be rounded here */
    if (!range || near == 0 || near == count - 1 || fabs(at - x[near]) >= range[near]) {
        *slope = here;
        return y[s] + here * (at - x[s]);
    }
    const double below = slope_of(x, y, near - 1), above = slope_of(x, y, near);
    return y[near] + corner_round(at - x[near], range[near], below, above, slope);
}

const double *corner_ranges(const double *x, size_t count, double domain, int fraction, struct arena *arena)
{
    double *range = arena_array(arena, count, sizeof *range);
    for (size_t k = 1; range && k + 1 < count; k++) {
        const double shorter = fmin(x[k] - x[k - 1], x[k + 1] - x[k]);
        range[k] = fmin(domain * (fraction ? shorter : 1), shorter / 2);
    }
    return range;
}
