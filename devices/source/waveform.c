/* waveform.c - PULSE SIN EXP PWL SFFM AM TRNOISE TRRANDOM (see waveform.h).  Definitions: SPICE3f5 user's manual, section 3.2.1, with
 * ngspice's extensions (phases, number of pulses, PWL r= and td=).
 */
#include "devices/source/waveform.h"

#include "base/hash.h"
#include "devices/source/noise_waveform.h"
#include "devices/source/smooth_waveform.h"

#include <math.h>
#include <stdint.h>

struct maker {
    struct signal *signal;
    const struct waveform *wave;
    struct waveform_scale scale;
    struct owner owner;
    struct arena *arena;
    struct kn_diagnostics *diagnostics;
};

struct waveform_scale waveform_scale_of(const struct circuit *c)
{
    const struct setting *option = circuit_option(c, "seed");
    struct waveform_scale s = {.step = 0.01, .stop = 1.0, .seed = 1, .zero_width = c->dialect == DIALECT_LTSPICE};
    if (c->transient_count > 0) {
        s.step = c->transients[0].step;
        s.stop = c->transients[0].stop;
    }
    s.longest = circuit_longest_run(c);
    if (option && option->has_value && !option->text && option->value >= 0)
        s.seed = (uint64_t)option->value;
    return s;
}

/* ---- reading the numbers ---- */

/* The i-th number, or the default when it is not written. */
static double given_or(const struct maker *m, size_t i, double fallback)
{
    return i < m->wave->count ? m->wave->values[i] : fallback;
}

/* The i-th number, or the default when it is not written or zero (SPICE's rule for times and frequencies). */
static double nonzero_or(const struct maker *m, size_t i, double fallback)
{
    const double value = given_or(m, i, 0.0);
    return value != 0.0 ? value : fallback;
}

static double radians(const struct maker *m, size_t i)
{
    return given_or(m, i, 0.0) * SMOOTH_TWO_PI / 360.0;
}

static enum kn_status fault(const struct maker *m, const char *hint, const char *what, double value)
{
    diagnostics_add(m->diagnostics, KN_ERROR, "waveform", m->wave->where, hint, "%s '%s': %s (%g)", m->owner.noun,
                    m->owner.name, what, value);
    return KN_ERROR_DECK;
}

struct numbers {
    const char *name; /* "PULSE" */
    const char *list; /* "v1 v2 td .." for hints */
    size_t least, most;
};

static enum kn_status check_count(const struct maker *m, const struct numbers *n)
{
    const char *hint = diagnostics_hint(m->diagnostics, "write %s(%s)", n->name, n->list);
    if (m->wave->count < n->least) {
        diagnostics_add(m->diagnostics, KN_ERROR, "waveform", m->wave->where, hint,
                        "%s '%s': %s needs at least %zu numbers, but has %zu", m->owner.noun, m->owner.name, n->name,
                        n->least, m->wave->count);
        return KN_ERROR_DECK;
    }
    if (m->wave->count > n->most)
        diagnostics_add(m->diagnostics, KN_WARNING, "waveform", m->wave->where, hint,
                        "%s '%s': %s takes %zu numbers; the rest is ignored", m->owner.noun, m->owner.name, n->name,
                        n->most);
    return KN_OK;
}

/* ---- making corner lists ---- */

static bool allocate_corners(struct maker *m, size_t count)
{
    struct signal *s = m->signal;
    s->times = arena_array(m->arena, count, sizeof *s->times);
    s->values = arena_array(m->arena, count, sizeof *s->values);
    s->kinked = arena_array(m->arena, count, sizeof *s->kinked);
    return s->times && s->values && s->kinked;
}

static void add_corner(struct signal *s, double time, double value)
{
    s->times[s->count] = time;
    s->values[s->count++] = value;
}

/* Slope of the segment that begins at corner i; infinite at a jump, 0 beyond the ends. */
static double slope_after(const struct signal *s, size_t i)
{
    if (i + 1 >= s->count)
        return 0.0;
    const double rise = s->values[i + 1] - s->values[i];
    return rise == 0.0 ? 0.0 : rise / (s->times[i + 1] - s->times[i]);
}

static bool differ(double before, double after)
{
    return isinf(before) || isinf(after) || fabs(after - before) > 1e-12 * (fabs(after) + fabs(before));
}

/* Points in line with their neighbours are no corners.  The last corner of a repeated waveform is followed by the first
 * segment of the next pass. */
static void mark_kinks(struct signal *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const double before = i == 0 ? 0.0 : slope_after(s, i - 1);
        const bool seam = s->period > 0.0 && i + 1 == s->count;
        const bool jump = seam && s->values[i] != s->values[s->first_repeated];
        s->kinked[i] = jump || differ(before, slope_after(s, seam ? s->first_repeated : i));
    }
}

static double interpolate(const double *times, const double *values, size_t i, double time)
{
    return values[i] + (values[i + 1] - values[i]) * ((time - times[i]) / (times[i + 1] - times[i]));
}

/* Passes are counted in floating point; a period this short could not be told from round-off. */
static enum kn_status check_period(const struct maker *m, double period)
{
    if (period == 0.0 || period >= 1e-12 * m->scale.stop)
        return KN_OK;
    return fault(m, NULL, "the period is too short for the length of the analysis", period);
}

/* One period of a pulse, cut off where the period ends before the pulse does. */
static void add_pulse_corners(struct signal *s, const double *times, const double *values, double period)
{
    size_t i = 0;
    for (; i < 4 && (period == 0.0 || times[i] < period); i++)
        add_corner(s, times[i], values[i]);
    if (period > 0.0)
        add_corner(s, period, i < 4 ? interpolate(times, values, i - 1, period) : values[3]);
}

static enum kn_status make_pulse(struct maker *m)
{
    static const struct numbers numbers = {"PULSE", "v1 v2 td tr tf pw per np", 2, 8};
    enum kn_status status = check_count(m, &numbers);
    if (status != KN_OK)
        return status;
    static const char *const names[] = {"the rise time", "the fall time", "the pulse width", "the period",
                                        "the number of pulses"};
    for (size_t i = 3; i < 8; i++)
        if (given_or(m, i, 0.0) < 0.0)
            return fault(m, NULL, diagnostics_hint(m->diagnostics, "%s of PULSE must not be negative", names[i - 3]),
                         m->wave->values[i]);
    const double v1 = m->wave->values[0], v2 = m->wave->values[1];
    const double rise = nonzero_or(m, 3, m->scale.step), fall = nonzero_or(m, 4, m->scale.step);
    const double width = m->scale.zero_width ? given_or(m, 5, m->scale.stop) : nonzero_or(m, 5, m->scale.stop);
    const double top_end = rise + width;
    const double times[4] = {0.0, rise, top_end, top_end + fall}, values[4] = {v1, v2, v2, v1};
    struct signal *s = m->signal;
    if (!allocate_corners(m, 5))
        return KN_ERROR_MEMORY;
    /* Without a period SPICE takes tstop, so that a second pulse is never reached; 0, no period, does the same. */
    s->period = given_or(m, 6, 0.0);
    s->delay = given_or(m, 2, 0.0);
    const double pulses = given_or(m, 7, 0.0);
    s->end = pulses > 0.0 ? s->delay + pulses * nonzero_or(m, 6, m->scale.stop) : INFINITY;
    add_pulse_corners(s, times, values, s->period);
    mark_kinks(s);
    return check_period(m, s->period);
}

static enum kn_status check_order(const struct maker *m)
{
    const double *v = m->wave->values;
    for (size_t i = 2; i < m->wave->count; i += 2) {
        if (v[i] >= v[i - 2])
            continue;
        diagnostics_add(m->diagnostics, KN_ERROR, "waveform", m->wave->where, "write the times in ascending order",
                        "%s '%s': time %zu of PWL (%g) is before time %zu (%g)", m->owner.noun, m->owner.name,
                        i / 2 + 1, v[i], i / 2, v[i - 2]);
        return KN_ERROR_DECK;
    }
    return KN_OK;
}

/* Corners with one inserted where the repetition begins, if there is none. */
static void add_pwl_corners(struct signal *s, const struct waveform *w, double repeat_from)
{
    const double *v = w->values;
    bool inserted = !(repeat_from >= 0.0);
    for (size_t i = 0; i < w->count; i += 2) {
        if (!inserted && v[i] >= repeat_from) {
            s->first_repeated = s->count;
            inserted = true;
            if (v[i] > repeat_from)
                add_corner(s, repeat_from,
                           i == 0 ? v[1]
                                  : v[i - 1] + (v[i + 1] - v[i - 1]) * ((repeat_from - v[i - 2]) / (v[i] - v[i - 2])));
        }
        add_corner(s, v[i], v[i + 1]);
    }
}

static enum kn_status make_pwl(struct maker *m)
{
    const struct waveform *w = m->wave;
    static const struct numbers numbers = {"PWL", "t1 v1 t2 v2 ..", 2, SIZE_MAX};
    enum kn_status status = check_count(m, &numbers);
    if (status == KN_OK && w->count % 2 != 0)
        status = fault(m, "write pairs of time and value", "PWL has a time without a value", w->values[w->count - 1]);
    if (status == KN_OK)
        status = check_order(m);
    if (status != KN_OK)
        return status;
    const double last = w->values[w->count - 2];
    if (w->repeat_from >= 0.0 && !(w->repeat_from < last))
        return fault(m, "r= is the time from which the waveform repeats", "r of PWL must be before its last time",
                     w->repeat_from);
    struct signal *s = m->signal;
    if (!allocate_corners(m, w->count / 2 + 1))
        return KN_ERROR_MEMORY;
    s->delay = w->delay;
    s->period = w->repeat_from >= 0.0 ? last - w->repeat_from : 0.0;
    add_pwl_corners(s, w, w->repeat_from);
    mark_kinks(s);
    return check_period(m, s->period);
}

/* ---- random waveforms ---- */

static enum kn_status make_random(struct maker *m)
{
    struct noise_corners corners;
    const char *what = NULL;
    const uint64_t seed = hash_bytes(m->wave->stream, &m->scale.seed, sizeof m->scale.seed);
    const enum kn_status status = noise_corners_make(m->wave, m->scale.longest, seed, m->arena, &corners, &what);
    if (status == KN_ERROR_DECK)
        return fault(m, NULL, what, m->wave->count > 1 ? m->wave->values[1] : 0);
    struct signal *s = m->signal;
    s->times = corners.times;
    s->values = corners.values;
    s->count = corners.count;
    s->kinked = status == KN_OK ? arena_array(m->arena, s->count + 1, sizeof *s->kinked) : NULL;
    if (!s->kinked)
        return KN_ERROR_MEMORY;
    mark_kinks(s);
    return KN_OK;
}

/* ---- smooth waveforms ---- */

static enum kn_status make_sin(struct maker *m)
{
    static const struct numbers numbers = {"SIN", "vo va freq td theta phase cycles", 2, 7};
    double *p = m->signal->parameters;
    p[SIN_OFFSET] = given_or(m, 0, 0.0);
    p[SIN_AMPLITUDE] = given_or(m, 1, 0.0);
    p[SIN_FREQUENCY] = nonzero_or(m, 2, 1.0 / m->scale.stop);
    p[SIN_DELAY] = given_or(m, 3, 0.0);
    p[SIN_DAMPING] = given_or(m, 4, 0.0);
    p[SIN_PHASE] = radians(m, 5);
    const double cycles = given_or(m, 6, 0.0);
    p[SIN_END] = cycles > 0.0 ? p[SIN_DELAY] + cycles / p[SIN_FREQUENCY] : INFINITY;
    return check_count(m, &numbers);
}

/* LTspice's libraries have three values more, of which its manual says nothing: the whole begins again each period, for so many
 * cycles, and those again from burst to burst. */
static enum kn_status make_exp(struct maker *m)
{
    static const struct numbers numbers = {"EXP", "v1 v2 td1 tau1 td2 tau2 period cycles burst", 2, 9};
    double *p = m->signal->parameters;
    const double step = m->scale.step;
    p[EXP_FIRST] = given_or(m, 0, 0.0);
    p[EXP_SECOND] = given_or(m, 1, 0.0);
    p[EXP_RISE_DELAY] = given_or(m, 2, 0.0); /* as all manuals say; ngspice takes a delay of 0 for tstep */
    p[EXP_RISE_TAU] = nonzero_or(m, 3, step);
    p[EXP_FALL_DELAY] = nonzero_or(m, 4, p[EXP_RISE_DELAY] + step);
    p[EXP_FALL_TAU] = nonzero_or(m, 5, step);
    p[EXP_PERIOD] = given_or(m, 6, 0.0);
    p[EXP_CYCLES] = given_or(m, 7, 0.0);
    p[EXP_BURST] = given_or(m, 8, 0.0);
    if (p[EXP_RISE_TAU] < 0.0)
        return fault(m, NULL, "tau1 of EXP must not be negative", p[EXP_RISE_TAU]);
    if (p[EXP_FALL_TAU] < 0.0)
        return fault(m, NULL, "tau2 of EXP must not be negative", p[EXP_FALL_TAU]);
    return check_count(m, &numbers);
}

/* Eight values are SFFM(vo va fc mdi fm td phasem phasec), up to seven SFFM(vo va fc mdi fs phasec phases). */
static enum kn_status make_sffm(struct maker *m)
{
    static const struct numbers numbers = {"SFFM", "vo va fc mdi fs phasec phases", 2, 8};
    const bool delayed = m->wave->count == 8;
    double *p = m->signal->parameters;
    p[FM_OFFSET] = given_or(m, 0, 0.0);
    p[FM_AMPLITUDE] = given_or(m, 1, 0.0);
    p[FM_CARRIER] = nonzero_or(m, 2, 1.0 / m->scale.stop);
    p[FM_INDEX] = given_or(m, 3, 0.0);
    p[FM_SIGNAL] = nonzero_or(m, 4, 1.0 / m->scale.stop);
    p[FM_DELAY] = delayed ? given_or(m, 5, 0.0) : -INFINITY;
    p[FM_SIGNAL_PHASE] = radians(m, 6);
    p[FM_CARRIER_PHASE] = radians(m, delayed ? 7 : 5);
    return check_count(m, &numbers);
}

/* Eight values are AM(vo vmo vma fm fc td phasem phasec), up to seven AM(va vo mf fc td phasec phases), which is
 * va (vo + sin) sin. */
static enum kn_status make_am(struct maker *m)
{
    static const struct numbers numbers = {"AM", "va vo mf fc td phasec phases", 2, 8};
    const bool newer = m->wave->count == 8;
    const size_t from = newer ? 3 : 2;
    double *p = m->signal->parameters;
    p[AM_OFFSET] = newer ? given_or(m, 0, 0.0) : 0.0;
    p[AM_MEAN] = newer ? given_or(m, 1, 0.0) : given_or(m, 0, 0.0) * given_or(m, 1, 0.0);
    p[AM_DEPTH] = newer ? given_or(m, 2, 0.0) : given_or(m, 0, 0.0);
    p[AM_SIGNAL] = nonzero_or(m, from, 1.0 / m->scale.stop);
    p[AM_CARRIER] = given_or(m, from + 1, 0.0);
    p[AM_DELAY] = given_or(m, from + 2, 0.0);
    p[AM_SIGNAL_PHASE] = radians(m, 6);
    p[AM_CARRIER_PHASE] = radians(m, newer ? 7 : 5);
    return check_count(m, &numbers);
}

enum kn_status signal_make(struct signal *s, const struct waveform *w, struct waveform_scale scale, struct owner owner,
                           struct arena *arena, struct kn_diagnostics *d)
{
    const bool smooth_one = w->kind == WAVEFORM_SIN || w->kind == WAVEFORM_EXP || w->kind == WAVEFORM_SFFM ||
                            w->kind == WAVEFORM_AM || w->kind == WAVEFORM_NONE;
    const bool none = w->kind == WAVEFORM_EXTERNAL; /* the host of the library gives its values: see source.c */
    *s = (struct signal){.kind = none ? WAVEFORM_NONE : smooth_one ? w->kind : WAVEFORM_PWL, .end = INFINITY};
    struct maker m = {s, w, scale, owner, arena, d};
    switch (w->kind) {
    case WAVEFORM_PULSE:
        return make_pulse(&m);
    case WAVEFORM_PWL:
        return make_pwl(&m);
    case WAVEFORM_SIN:
        return make_sin(&m);
    case WAVEFORM_EXP:
        return make_exp(&m);
    case WAVEFORM_SFFM:
        return make_sffm(&m);
    case WAVEFORM_AM:
        return make_am(&m);
    case WAVEFORM_NOISE:
    case WAVEFORM_RANDOM:
        return make_random(&m);
    case WAVEFORM_NONE:
    case WAVEFORM_EXTERNAL:
        break;
    }
    return KN_OK;
}

/* ---- piecewise linear ---- */

/* A place in a corner list: corner `index` of pass `pass` is the last one that is over; index -1 is before the first.
 */
struct place {
    double pass;
    long index;
};

static double corner_time(const struct signal *s, double pass, size_t i)
{
    return s->delay + (pass * s->period + s->times[i]);
}

/* Largest i in [low, count) with corner_time(pass, i) <= over, or low - 1. */
static long search(const struct signal *s, double pass, size_t low, double over)
{
    size_t high = s->count, first = low;
    while (first < high) {
        const size_t middle = first + (high - first) / 2;
        if (corner_time(s, pass, middle) <= over)
            first = middle + 1;
        else
            high = middle;
    }
    return (long)first - 1;
}

static struct place locate(const struct signal *s, double over)
{
    const size_t last = s->count - 1;
    if (s->period == 0.0 || over < corner_time(s, 0.0, last))
        return (struct place){0.0, search(s, 0.0, 0, over)};
    /* By rounding the quotient may be one pass too many: begin a pass earlier and count by the corners. */
    double pass = fmax(0.0, floor((over - s->delay - s->times[s->first_repeated]) / s->period) - 1.0);
    while (corner_time(s, pass, last) <= over)
        pass += 1.0;
    const long index = search(s, pass, s->first_repeated, over);
    return (struct place){pass, index < (long)s->first_repeated ? (long)s->first_repeated : index};
}

static double pwl_value(const struct signal *s, struct instant when)
{
    if (when.over >= s->end)
        return s->values[0];
    const struct place p = locate(s, when.over);
    if (p.index < 0)
        return s->values[0];
    const size_t i = (size_t)p.index;
    if (i + 1 == s->count)
        return s->values[i];
    const double part = (when.time - corner_time(s, p.pass, i)) / (s->times[i + 1] - s->times[i]);
    return s->values[i] + (s->values[i + 1] - s->values[i]) * fmin(fmax(part, 0.0), 1.0);
}

static double pwl_rate(const struct signal *s, double over)
{
    if (over >= s->end)
        return 0.0;
    const struct place p = locate(s, over);
    return p.index < 0 ? 0.0 : slope_after(s, (size_t)p.index);
}

static double pwl_next_corner(const struct signal *s, double over)
{
    if (over >= s->end)
        return INFINITY;
    const struct place p = locate(s, over);
    double pass = p.pass;
    for (size_t i = (size_t)(p.index + 1), tried = 0; tried <= 2 * s->count; i++, tried++) {
        if (i == s->count) {
            if (s->period == 0.0)
                return s->end;
            pass += 1.0;
            i = s->first_repeated + 1; /* the first one of a pass is the last one of the pass before */
        }
        const double corner = corner_time(s, pass, i);
        if (corner >= s->end)
            return s->end;
        if (s->kinked[i] && corner > over)
            return corner;
    }
    return s->end; /* no corner in a whole pass: it is constant */
}

static bool is_polygon(const struct signal *s)
{
    return s->kind == WAVEFORM_PULSE || s->kind == WAVEFORM_PWL;
}

double signal_value(const struct signal *s, struct instant when)
{
    if (is_polygon(s))
        return pwl_value(s, when);
    return s->kind == WAVEFORM_NONE ? 0.0 : smooth_value(s->kind, s->parameters, when);
}

double signal_rate(const struct signal *s, struct instant when)
{
    if (is_polygon(s))
        return pwl_rate(s, when.over);
    return s->kind == WAVEFORM_NONE ? 0.0 : smooth_rate(s->kind, s->parameters, when);
}

double signal_next_corner(const struct signal *s, double over)
{
    if (is_polygon(s))
        return pwl_next_corner(s, over);
    return s->kind == WAVEFORM_NONE ? INFINITY : smooth_next_corner(s->kind, s->parameters, over);
}
