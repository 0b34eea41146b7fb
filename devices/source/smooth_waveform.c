/* smooth_waveform.c - see smooth_waveform.h.  Definitions: SPICE3f5 user's manual, section 3.2.1; ngspice manual, 4.1. */
#include "devices/source/smooth_waveform.h"

#include "base/larger.h"

#include <math.h>

/* Time since a corner that is over, else a negative number. */
static double time_since(double corner, struct instant when)
{
    return corner <= when.over ? larger_of(when.time - corner, 0) : -1.0;
}

static double sin_value(const double *p, struct instant when)
{
    const double t = time_since(p[SIN_DELAY], when);
    if (t < 0.0 || when.over >= p[SIN_END])
        return p[SIN_OFFSET] + p[SIN_AMPLITUDE] * sin(p[SIN_PHASE]);
    return p[SIN_OFFSET] +
           p[SIN_AMPLITUDE] * sin(SMOOTH_TWO_PI * p[SIN_FREQUENCY] * t + p[SIN_PHASE]) * exp(-t * p[SIN_DAMPING]);
}

static double sin_rate(const double *p, struct instant when)
{
    const double t = time_since(p[SIN_DELAY], when);
    if (t < 0.0 || when.over >= p[SIN_END])
        return 0.0;
    const double omega = SMOOTH_TWO_PI * p[SIN_FREQUENCY], angle = omega * t + p[SIN_PHASE];
    return p[SIN_AMPLITUDE] * exp(-t * p[SIN_DAMPING]) * (omega * cos(angle) - p[SIN_DAMPING] * sin(angle));
}

/* 1 - exp(-t/tau) after t = 0. */
static double charging(double t, double tau)
{
    return t > 0.0 ? -expm1(-t / tau) : 0.0;
}

static double charging_rate(double t, double tau)
{
    return t >= 0.0 ? exp(-t / tau) / tau : 0.0;
}

/* How many whole periods from `from` on are over. */
static double periods_over(double from, double period, double over)
{
    double k = floor((over - from) / period);
    k += from + (k + 1) * period <= over;
    k -= from + k * period > over;
    return larger_of(k, 0);
}

/* Where the last cycle of EXP that has begun began and the next one does, counted from td1. */
struct cycle {
    double begin, next;
};

static struct cycle exp_cycle(const double *p, double over)
{
    const double delay = p[EXP_RISE_DELAY], period = p[EXP_PERIOD], burst = p[EXP_BURST], cycles = p[EXP_CYCLES];
    if (period <= 0 || over < delay)
        return (struct cycle){0, INFINITY};
    const double bursts = burst > 0 ? periods_over(delay, burst, over) : 0;
    const double next_burst = burst > 0 ? (bursts + 1) * burst : INFINITY;
    double k = periods_over(delay + bursts * burst, period, over);
    if (cycles > 0)
        k = fmin(k, ceil(cycles) - 1);
    const bool more = cycles <= 0 || k + 1 < cycles;
    return (struct cycle){bursts * burst + k * period,
                          more ? fmin(bursts * burst + (k + 1) * period, next_burst) : next_burst};
}

/* The fall counts from td2, but not before the rise has begun. */
static double exp_value(const double *p, struct instant when)
{
    const double step = p[EXP_SECOND] - p[EXP_FIRST], begin = exp_cycle(p, when.over).begin;
    const double rising = time_since(p[EXP_RISE_DELAY] + begin, when);
    if (rising < 0.0)
        return p[EXP_FIRST];
    return p[EXP_FIRST] + step * charging(rising, p[EXP_RISE_TAU]) -
           step * charging(time_since(p[EXP_FALL_DELAY] + begin, when), p[EXP_FALL_TAU]);
}

static double exp_rate(const double *p, struct instant when)
{
    const double step = p[EXP_SECOND] - p[EXP_FIRST], begin = exp_cycle(p, when.over).begin;
    const double rising = time_since(p[EXP_RISE_DELAY] + begin, when);
    if (rising < 0.0)
        return 0.0;
    return step * charging_rate(rising, p[EXP_RISE_TAU]) -
           step * charging_rate(time_since(p[EXP_FALL_DELAY] + begin, when), p[EXP_FALL_TAU]);
}

/* Time since a beginning, which -INFINITY is none of; negative before it. */
static double time_of(double beginning, struct instant when)
{
    return isinf(beginning) ? larger_of(when.time, 0) : time_since(beginning, when);
}

static double sffm_value(const double *p, struct instant when)
{
    const double t = time_of(p[FM_DELAY], when);
    if (t < 0.0)
        return 0.0;
    const double modulation = p[FM_INDEX] * sin(SMOOTH_TWO_PI * p[FM_SIGNAL] * t + p[FM_SIGNAL_PHASE]);
    return p[FM_OFFSET] + p[FM_AMPLITUDE] * sin(SMOOTH_TWO_PI * p[FM_CARRIER] * t + p[FM_CARRIER_PHASE] + modulation);
}

static double sffm_rate(const double *p, struct instant when)
{
    const double t = time_of(p[FM_DELAY], when);
    if (t < 0.0)
        return 0.0;
    const double inner = SMOOTH_TWO_PI * p[FM_SIGNAL] * t + p[FM_SIGNAL_PHASE];
    const double outer = SMOOTH_TWO_PI * p[FM_CARRIER] * t + p[FM_CARRIER_PHASE] + p[FM_INDEX] * sin(inner);
    return p[FM_AMPLITUDE] * cos(outer) * SMOOTH_TWO_PI * (p[FM_CARRIER] + p[FM_INDEX] * p[FM_SIGNAL] * cos(inner));
}

static double am_value(const double *p, struct instant when)
{
    const double t = time_since(p[AM_DELAY], when);
    if (t < 0.0)
        return 0.0;
    const double envelope = p[AM_MEAN] + p[AM_DEPTH] * sin(SMOOTH_TWO_PI * p[AM_SIGNAL] * t + p[AM_SIGNAL_PHASE]);
    return p[AM_OFFSET] + envelope * sin(SMOOTH_TWO_PI * p[AM_CARRIER] * t + p[AM_CARRIER_PHASE]);
}

static double am_rate(const double *p, struct instant when)
{
    const double t = time_since(p[AM_DELAY], when);
    if (t < 0.0)
        return 0.0;
    const double signal = SMOOTH_TWO_PI * p[AM_SIGNAL] * t + p[AM_SIGNAL_PHASE];
    const double carrier = SMOOTH_TWO_PI * p[AM_CARRIER] * t + p[AM_CARRIER_PHASE];
    return SMOOTH_TWO_PI * (p[AM_DEPTH] * p[AM_SIGNAL] * cos(signal) * sin(carrier) +
                            p[AM_CARRIER] * (p[AM_MEAN] + p[AM_DEPTH] * sin(signal)) * cos(carrier));
}

/* Of a waveform that is no polygon: value and rate. */
static const struct {
    double (*value)(const double *p, struct instant when);
    double (*rate)(const double *p, struct instant when);
} smooth[] = {
    [WAVEFORM_SIN] = {sin_value, sin_rate},
    [WAVEFORM_EXP] = {exp_value, exp_rate},
    [WAVEFORM_SFFM] = {sffm_value, sffm_rate},
    [WAVEFORM_AM] = {am_value, am_rate},
};

double smooth_value(enum waveform_kind kind, const double *parameters, struct instant when)
{
    return smooth[kind].value(parameters, when);
}

double smooth_rate(enum waveform_kind kind, const double *parameters, struct instant when)
{
    return smooth[kind].rate(parameters, when);
}

/* ---- periods ---- */

/* Nearer to one of them than this part of a quarter, the next is the one behind it. */
static const double NEAR_QUARTER = 1e-3;

struct oscillation {
    double offset, amplitude, frequency; /* Hz, the highest there is */
    double begin, end;                   /* s */
};

static struct oscillation oscillation_of(enum waveform_kind kind, const double *p)
{
    switch (kind) {
    case WAVEFORM_SIN:
        return (struct oscillation){p[SIN_OFFSET], p[SIN_AMPLITUDE], p[SIN_FREQUENCY], p[SIN_DELAY], p[SIN_END]};
    case WAVEFORM_SFFM: {
        const double highest = fabs(p[FM_CARRIER]) + fabs(p[FM_INDEX] * p[FM_SIGNAL]);
        return (struct oscillation){p[FM_OFFSET], p[FM_AMPLITUDE], highest, p[FM_DELAY], INFINITY};
    }
    case WAVEFORM_AM: {
        const double highest = fabs(p[AM_CARRIER]) + fabs(p[AM_SIGNAL]);
        return (struct oscillation){p[AM_OFFSET], fabs(p[AM_MEAN]) + fabs(p[AM_DEPTH]), highest, p[AM_DELAY], INFINITY};
    }
    default:
        return (struct oscillation){0};
    }
}

double smooth_next_quarter(enum waveform_kind kind, const double *parameters, double time, double relative,
                           double *period)
{
    const struct oscillation o = oscillation_of(kind, parameters);
    const double frequency = fabs(o.frequency), size = fabs(o.offset) + fabs(o.amplitude);
    if (!(frequency > 0) || time < o.begin || time >= o.end || !(fabs(o.amplitude) > relative * size))
        return INFINITY;
    *period = fmin(*period, 1 / frequency);
    if (kind != WAVEFORM_SIN)
        return time + 0.25 / frequency;
    const double before = parameters[SIN_PHASE] / SMOOTH_TWO_PI * 4; /* quarters, at the delay */
    const double quarters = 4 * o.frequency * (time - parameters[SIN_DELAY]) + before;
    const double next = o.frequency > 0 ? floor(quarters + NEAR_QUARTER) + 1 : ceil(quarters - NEAR_QUARTER) - 1;
    return parameters[SIN_DELAY] + (next - before) / (4 * o.frequency);
}

/* ---- corners ---- */

static double first_later(double a, double b, double over)
{
    const double early = fmin(a, b), late = fmax(a, b);
    return early > over ? early : late > over ? late : INFINITY;
}

static double exp_next_corner(const double *p, double over)
{
    const struct cycle c = exp_cycle(p, over);
    const double here = first_later(p[EXP_RISE_DELAY] + c.begin, p[EXP_FALL_DELAY] + c.begin, over);
    return fmin(here, p[EXP_RISE_DELAY] + c.next);
}

double smooth_next_corner(enum waveform_kind kind, const double *p, double over)
{
    switch (kind) {
    case WAVEFORM_SIN:
        return first_later(p[SIN_DELAY], p[SIN_END], over);
    case WAVEFORM_EXP:
        return exp_next_corner(p, over);
    case WAVEFORM_AM:
        return first_later(p[AM_DELAY], p[AM_DELAY], over);
    case WAVEFORM_SFFM:
        return first_later(p[FM_DELAY], p[FM_DELAY], over);
    default:
        return INFINITY;
    }
}
