/* smooth_waveform.h - SIN EXP SFFM AM as functions of their parameters, which have their defaults and phases in radians. */
#ifndef DEVICES_SOURCE_SMOOTH_WAVEFORM_H
#define DEVICES_SOURCE_SMOOTH_WAVEFORM_H

#include "devices/device.h"

#define SMOOTH_TWO_PI 6.28318530717958647692

enum { SIN_OFFSET, SIN_AMPLITUDE, SIN_FREQUENCY, SIN_DELAY, SIN_DAMPING, SIN_PHASE, SIN_END };
/* Period, cycles of a burst and time from burst to burst are 0 where there are none. */
enum {
    EXP_FIRST,
    EXP_SECOND,
    EXP_RISE_DELAY,
    EXP_RISE_TAU,
    EXP_FALL_DELAY,
    EXP_FALL_TAU,
    EXP_PERIOD,
    EXP_CYCLES,
    EXP_BURST
};
enum { FM_OFFSET, FM_AMPLITUDE, FM_CARRIER, FM_INDEX, FM_SIGNAL, FM_DELAY, FM_SIGNAL_PHASE, FM_CARRIER_PHASE };
enum { AM_OFFSET, AM_MEAN, AM_DEPTH, AM_SIGNAL, AM_CARRIER, AM_DELAY, AM_SIGNAL_PHASE, AM_CARRIER_PHASE };

double smooth_value(enum waveform_kind kind, const double *parameters, struct instant when);
double smooth_rate(enum waveform_kind kind, const double *parameters, struct instant when);
/* The next crest or zero (SIN), or a quarter of a period (AM, SFFM), later than `time`, where it oscillates by more than `relative` of
 * its size; else INFINITY.  *period: made the shorter of itself and its shortest period (s). */
double smooth_next_quarter(enum waveform_kind kind, const double *parameters, double time, double relative,
                           double *period);
/* The first corner or jump later than `over`; INFINITY if none. */
double smooth_next_corner(enum waveform_kind kind, const double *parameters, double over);

#endif
