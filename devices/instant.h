/* instant.h - a time, and which corners are over then.
 *
 * Where a waveform jumps or has a kink, its value and slope have two sides, and times of one moment differ by rounding
 * (base/time_resolution.h).  So not a comparison of times here and there says on which side a waveform is, but the one
 * who runs the time loop (mna/evaluate.c): corners up to `over` are over, later ones are still to come, in sources,
 * formulas in time and waves on lines alike.  `over` is a little later than the time, so that all corners of one moment
 * are over together; when a step ends at that moment, `over` is earlier than the first of them.
 */
#ifndef DEVICES_INSTANT_H
#define DEVICES_INSTANT_H

struct instant {
    double time; /* s; -INFINITY: the operating point */
    double over; /* s */
};

/* Exactly this time, seen from the right. */
static inline struct instant instant_at(double time)
{
    return (struct instant){time, time};
}

#endif
