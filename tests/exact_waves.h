/* exact_waves.h - random sources of round numbers, as text of a deck and as lists of corners in whole numbers.
 *
 * Times are whole numbers of nanoseconds, written in different ways (50n, 0.05u, 0.00005m), so that the program's times
 * of one moment differ by rounding while the expected ones, computed in integers, do not.
 */
#ifndef TESTS_EXACT_WAVES_H
#define TESTS_EXACT_WAVES_H

#include "claims.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_CORNERS = 4000 };
static const double UNIT = 1e-9; /* s */

static inline uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 33;
}

static inline long between(uint64_t *seed, long low, long high)
{
    return low + (long)(next_random(seed) % (uint64_t)(high - low + 1));
}

/* A waveform as the list of all its corners up to the end of the run, in units; equal times are jumps. */
struct exact {
    long times[MOST_CORNERS], values[MOST_CORNERS];
    int count;
    bool goes_on; /* straight beyond its ends, else constant there */
};

static inline void add(struct exact *w, long time, long value)
{
    CU_ASSERT_TRUE_FATAL(w->count < MOST_CORNERS);
    w->times[w->count] = time;
    w->values[w->count++] = value;
}

/* Value and slope as fractions: value / width in V, rise / width in V per unit. */
struct side {
    long value, rise, width;
};

/* On the segment that begins at corner i, -1: before the first. */
static inline struct side on_segment(const struct exact *w, int i, long time)
{
    if (w->goes_on)
        i = i < 0 ? 0 : i + 1 == w->count ? i - 1 : i;
    if (i < 0 || i + 1 == w->count)
        return (struct side){w->values[i < 0 ? 0 : i], 0, 1};
    const long width = w->times[i + 1] - w->times[i], rise = w->values[i + 1] - w->values[i];
    return (struct side){w->values[i] * width + rise * (time - w->times[i]), rise, width};
}

static inline struct side left_of(const struct exact *w, long time)
{
    int i = 0;
    while (i < w->count && w->times[i] < time)
        i++;
    return on_segment(w, i - 1, time);
}

static inline struct side right_of(const struct exact *w, long time)
{
    int i = 0;
    while (i < w->count && w->times[i] <= time)
        i++;
    return on_segment(w, i - 1, time);
}

static inline bool has_corner(const struct exact *w, long time)
{
    const struct side a = left_of(w, time), b = right_of(w, time);
    return a.value * b.width != b.value * a.width || a.rise * b.width != b.rise * a.width;
}

/* ---- the deck's text ---- */

struct written {
    char at[6000];
    size_t used;
};

static inline void append(struct written *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    t->used += (size_t)vsnprintf(t->at + t->used, sizeof t->at - t->used, format, arguments);
    va_end(arguments);
    CU_ASSERT_TRUE_FATAL(t->used < sizeof t->at);
}

static inline void append_time(struct written *t, uint64_t *seed, long time)
{
    const char *sign = time < 0 ? "-" : "";
    const long size = labs(time);
    switch (between(seed, 0, 3)) {
    case 0:
        append(t, " %s%ldn", sign, size);
        break;
    case 1:
        append(t, " %s%ld.%03ldu", sign, size / 1000, size % 1000);
        break;
    case 2:
        append(t, " %s0.%06ldm", sign, size);
        break;
    default:
        append(t, " %s%lde-9", sign, size);
    }
}

/* PULSE with round numbers, often the same ones: multiples of a grid. */
static inline void make_pulse(struct written *t, struct exact *w, uint64_t *seed, long grid, long stop)
{
    const long low = between(seed, -5, 0), high = between(seed, 1, 9);
    const long delay = grid * between(seed, -3, 4), period = grid * between(seed, 2, 8);
    const long rise = between(seed, 0, 1) ? 1 : grid / 2, fall = between(seed, 0, 1) ? 1 : grid / 2;
    const long width = between(seed, 0, 1) ? grid - rise : grid / 2;
    append(t, "PULSE(%ld %ld", low, high);
    append_time(t, seed, delay);
    append_time(t, seed, rise);
    append_time(t, seed, fall);
    append_time(t, seed, width);
    append_time(t, seed, period);
    append(t, ")");
    for (long start = delay; start <= stop; start += period) {
        add(w, start, low);
        add(w, start + rise, high);
        add(w, start + rise + width, high);
        add(w, start + rise + width + fall, low);
    }
}

#endif
