/* ramp.h - a straight way from one value to another, on which it stays. */
#ifndef DEVICES_RAMP_H
#define DEVICES_RAMP_H

#include "devices/instant.h"

#include <math.h>

struct ramp {
    double begin, end; /* s; -INFINITY: it has been there always */
    double from, to;
};

static inline double ramp_value(const struct ramp *r, struct instant when, double *slope)
{
    *slope = 0;
    if (isinf(when.time) || when.over >= r->end)
        return r->to;
    if (when.over < r->begin || when.time <= r->begin)
        return r->from;
    *slope = (r->to - r->from) / (r->end - r->begin);
    return r->from + *slope * (when.time - r->begin);
}

/* From where it is at `time` to another value; `duration` is that of a whole span. */
static inline void ramp_start(struct ramp *r, double time, double to, double duration, double span)
{
    double slope;
    const double from = ramp_value(r, instant_at(time), &slope);
    const double part = span > 0 ? fmin(fabs(to - from) / span, 1) : 1;
    *r = (struct ramp){time, time + duration * part, from, to};
}

static inline void ramp_rest(struct ramp *r, double at)
{
    *r = (struct ramp){-INFINITY, -INFINITY, at, at};
}

/* The same way to another value. */
static inline void ramp_shift(struct ramp *r, double to)
{
    r->from += to - r->to;
    r->to = to;
}

/* The next corner later than `over`, or INFINITY. */
static inline double ramp_corner(const struct ramp *r, double over)
{
    return r->begin > over ? r->begin : r->end > over ? r->end : INFINITY;
}

#endif
