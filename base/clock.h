/* clock.h - clocks in seconds. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <time.h>

/* CLOCK_MONOTONIC; CLOCK_THREAD_CPUTIME_ID does not count what else the machine does. */
static inline double clock_seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
