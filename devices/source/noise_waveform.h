/* noise_waveform.h - TRNOISE and TRRANDOM: random waveforms, as corners of a polygon. */
#ifndef DEVICES_SOURCE_NOISE_WAVEFORM_H
#define DEVICES_SOURCE_NOISE_WAVEFORM_H

#include "base/arena.h"
#include "devices/device.h"

struct noise_corners {
    double *times, *values;
    size_t count;
};

/* The corners up to `stop` (s); seed: whose numbers they are.  KN_ERROR_DECK with *fault set, or KN_ERROR_MEMORY. */
enum kn_status noise_corners_make(const struct waveform *w, double stop, uint64_t seed, struct arena *arena,
                                  struct noise_corners *out, const char **fault);

#endif
