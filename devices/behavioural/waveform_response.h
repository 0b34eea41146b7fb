/* waveform_response.h - sections that follow in time what is told for frequencies: a table or a formula of s. */
#ifndef DEVICES_BEHAVIOURAL_WAVEFORM_RESPONSE_H
#define DEVICES_BEHAVIOURAL_WAVEFORM_RESPONSE_H

#include "base/arena.h"
#include "base/diagnostics.h"
#include "devices/behavioural/transfer_target.h"

/* How well the sections follow. */
struct waveform_fit {
    double error;     /* the largest deviation, of what is allowed there (transfer_target.h) */
    double deviation; /* the largest one where it is told, of the largest value */
    double between;   /* the same everywhere */
    double frequency; /* Hz, where that is */
    bool is_off;      /* by more than is allowed */
    bool is_far;      /* waveforms would be those of something else */
};

/* *out: *r, with sections and a lag besides, in the arena; r is of frequencies and at least two of them tell it. */
enum kn_status waveform_response(const struct response *r, const struct waveform_use *use, struct arena *arena,
                                 struct response *out, struct waveform_fit *fit);

#endif
