/* waveform.h - the time functions of independent sources with SPICE's definitions and defaults.
 *
 * Defaults that SPICE takes from the analysis (rise time = tstep, period = tstop, ..) come from the first .tran of the
 * deck; without one tstep is 10 ms and tstop 1 s, which only matters to programs that use the library without .tran.
 *
 * Corners are computed as delay + (k * period + corner), never summed up, and the same expression decides which segment
 * an instant lies in: the one after the last corner that is over (instant.h).  Beside that segment its nearer end
 * holds.
 */
#ifndef DEVICES_SOURCE_WAVEFORM_H
#define DEVICES_SOURCE_WAVEFORM_H

#include "base/arena.h"
#include "devices/device.h"

/* A waveform made ready for evaluation. */
struct signal {
    enum waveform_kind kind; /* PULSE has become PWL */
    double parameters[9];    /* SIN EXP SFFM AM: in SPICE's order, defaults filled in, phases in radians */
    /* PWL: corners (times ascending, equal ones are jumps) that repeat from `first_repeated` on. */
    double *times, *values;
    bool *kinked; /* whether the slope changes there */
    size_t count;
    double delay;
    size_t first_repeated;
    double period; /* 0: no repetition */
    double end;    /* after that the first value holds (PULSE with a number of pulses), else INFINITY */
};

/* SPICE's tstep and tstop for the defaults; how long random waveforms must go on, and their seed. */
struct waveform_scale {
    double step, stop, longest;
    uint64_t seed;
    bool zero_width; /* a pulse may have no width, as in LTspice: 0 is the length of the run elsewhere */
};
struct waveform_scale waveform_scale_of(const struct circuit *c);

/* KN_ERROR_DECK with a report for impossible numbers, KN_ERROR_MEMORY. */
enum kn_status signal_make(struct signal *s, const struct waveform *w, struct waveform_scale scale, struct owner owner,
                           struct arena *arena, struct kn_diagnostics *d);

double signal_value(const struct signal *s, struct instant when);
double signal_rate(const struct signal *s, struct instant when);
/* The first corner or jump later than `over`; INFINITY if none. */
double signal_next_corner(const struct signal *s, double over);

#endif
