/* time_resolution.h - when two times are one.
 *
 * The same moment reached on different ways differs by rounding.  A corner of a source is delay + (k period + corner):
 * three numbers read with half a unit of round-off each, and three operations, so that it is wrong by no more than
 * 3 DBL_EPSILON times the largest of these times, which for a negative delay may be the length of the run rather than
 * the time itself.  A wave that comes back has been given one more rounding by every passage, in the worst case always
 * in the same direction: DBL_EPSILON / 2 of the time each.  The resolution covers a thousand passages.
 *
 * Steps between two times this far apart still know their length to three digits (1 / 512).
 */
#ifndef BASE_TIME_RESOLUTION_H
#define BASE_TIME_RESOLUTION_H

#include "base/larger.h"

#include <float.h>
#include <math.h>

/* s: times that differ by no more than this are one.  span: length of the run, s. */
static inline double time_resolution_at(double time, double span)
{
    return 512 * DBL_EPSILON * larger_of(fabs(time), span);
}

/* s: steps are no shorter.  At the start of a run there is no rounding of the time, but nothing happens in so small a part of it. */
static inline double time_shortest_step(double time, double span)
{
    return larger_of(32 * DBL_EPSILON * fabs(time), 4e-20 * span);
}

#endif
