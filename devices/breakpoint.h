/* breakpoint.h - when two corners are one.
 *
 * The same moment reached on different ways (a period counted k times, delays of several lines added up) differs by
 * some hundred units of round-off.  Corners that close to the present time are over; a step between two of them would
 * be all round-off.
 */
#ifndef DEVICES_BREAKPOINT_H
#define DEVICES_BREAKPOINT_H

#include <math.h>

static inline double breakpoint_resolution(double time)
{
    return 1e-13 * fabs(time);
}

/* Corners after this are still to come. */
static inline double breakpoint_later_than(double time)
{
    return time + breakpoint_resolution(time);
}

#endif
