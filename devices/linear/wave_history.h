/* wave_history.h - the past of a pair of waves, as a lossless line needs it: samples at the accepted steps,
 * interpolated to the order of the method, forgotten when older than the delay.
 *
 * A corner is a sample where derivatives (or, with two samples at one time, values) jump: no polynomial crosses it.
 * All lookups compare  sample time + delay <= over  (instant.h), the same sum that wave_history_next_arrival returns.
 */
#ifndef DEVICES_LINEAR_WAVE_HISTORY_H
#define DEVICES_LINEAR_WAVE_HISTORY_H

#include "base/arena.h"
#include "devices/instant.h"

#include <stdbool.h>
#include <stddef.h>

struct wave_sample {
    double time;
    double wave[2];
    int order;   /* of the method in the step that ended here */
    bool corner; /* no polynomial goes across */
    int age;     /* of a corner: how often it has been through a line already */
    int idle;    /* of a corner: how often in vain, that is as a weak one */
};

struct wave_corner {
    double time;
    double before[2], after[2];
    int age, idle; /* as in wave_sample */
    bool weak;     /* too small to be worth a breakpoint */
    bool judged;   /* whether it is weak is settled */
};

struct wave_history {
    double delay;                /* s, > 0 */
    double initial[2];           /* waves before the first sample */
    double largest;              /* magnitude of the waves so far */
    struct wave_sample *samples; /* ring */
    size_t capacity, first, count;
    struct wave_corner *corners; /* ascending in time */
    size_t corner_capacity, corner_count;
};

void wave_history_init(struct wave_history *h, double delay);
void wave_history_free(struct wave_history *h);
void wave_history_clear(struct wave_history *h);
/* Becomes a copy of another one but for its own delay; in the arena, or of its own memory where that is NULL.  false without memory. */
bool wave_history_copy(struct wave_history *h, const struct wave_history *from, struct arena *arena);

/* Appends a sample (time not before the last one).  false without memory. */
bool wave_history_add(struct wave_history *h, const struct wave_sample *s);

/* Time of the newest sample; there must be one. */
double wave_history_newest(const struct wave_history *h);

/* The waves one delay before, and their rate of change when rate is not NULL. */
void wave_history_delayed(const struct wave_history *h, struct instant when, double wave[2], double rate[2]);

/* The same a time `ago` (s, from 0 on) before, which may not be later than the newest sample; rate is not NULL. */
void wave_history_before(const struct wave_history *h, struct instant when, double ago, double wave[2], double rate[2]);

/* The first wave within a step whose end `time` has not been accepted, and where it is `now`: on the polynomial through that
 * and the newest samples of the same smooth piece, as many as the order of the method. */
struct wave_within {
    double value, rate;
    double by_time; /* change of value with the end of the step, at a fixed distance from it and with the same `now` */
    double by_now;  /* change with `now` */
};
struct wave_within wave_history_within(const struct wave_history *h, double time, double now, double ago);

/* The first time later than `over` at which a corner worth a breakpoint arrives. */
double wave_history_next_arrival(struct wave_history *h, double over);

/* What arrives at a time: corners at all, one worth a breakpoint, and the most that strong ones have aged and weak ones
 * have been idle (0 without any). */
struct wave_arrival {
    bool any, strong;
    int age, idle;
};

/* Adds to *a what arrives then, that is no further from the time than `over` is. */
void wave_history_arrival(struct wave_history *h, struct instant when, struct wave_arrival *a);

/* Whether a sample at the time of the newest one differs from it by more than solving the equations twice explains. */
bool wave_history_jumps(const struct wave_history *h, const struct wave_sample *s);

#endif
