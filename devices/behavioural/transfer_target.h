/* transfer_target.h - what the waveforms of a table of frequencies or of a formula of s have to follow. */
#ifndef DEVICES_BEHAVIOURAL_TRANSFER_TARGET_H
#define DEVICES_BEHAVIOURAL_TRANSFER_TARGET_H

#include "base/arena.h"
#include "devices/behavioural/frequency_response.h"

struct frequency_band {
    double low, high; /* 1/s */
};

/* What waveforms are for. */
struct waveform_use {
    struct frequency_band band; /* where a formula is looked at: what is much slower and much faster than a run */
    bool prompt;                /* nothing may be late as a whole: a periodic steady state knows no past */
};

/* allowed: how far off it may be, relative to the value; told: it is a row of the table, or of a formula. */
struct target_sample {
    double w;
    double complex value;
    double allowed;
    bool told;
};

enum { TARGET_LAGS = 6 };

struct transfer_target {
    const struct response *response;
    struct phasor *workspace;      /* of a formula */
    double *slopes[2];             /* [table->count] nepers and radians over the frequency, 1/Hz */
    struct target_sample *samples; /* [count] at rising w */
    size_t count, told_count;
    double largest;           /* of |value| */
    double rest;              /* the value at 0 Hz; if it is not 0, the first sample is that */
    double lags[TARGET_LAGS]; /* s, by which it may be late as a whole; the first is 0 */
    size_t lag_count;
};

/* In the arena; false without memory. */
bool transfer_target_make(struct transfer_target *t, const struct response *r, const struct waveform_use *use,
                          struct arena *arena);
/* At w (1/s), without the delay that the response has besides. */
double complex transfer_target_value(const struct transfer_target *t, double w);
/* Of the range over which a table tells; of a formula from 0 to INFINITY. */
struct frequency_band transfer_target_band(const struct transfer_target *t);

#endif
