/* tolerance.c - see tolerance.h. */
#include "integrators/tolerance.h"

#include "base/array.h"
#include "base/larger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of sizes, whatever reltol is: no more is asked for the sake of a ripple. */
static const double LEAST_TOLERANCE = 3e-5;

enum kn_status tolerance_init(struct tolerance *s, const struct dae *dae, double relative)
{
    *s = (struct tolerance){.n = dae->n,
                            .relative = relative,
                            .part = 1,
                            .least_scale = fmin(1, LEAST_TOLERANCE / relative),
                            .left = TOLERANCE_LEFT,
                            .short_sighted = !dae->bounded,
                            .by_range = dae->bounded,
                            .absolute = dae->absolute,
                            .readings = dae->readings,
                            .reading_count = dae->reading_count,
                            .inner = dae->inner,
                            .inner_count = dae->inner_count,
                            .waves = dae->waves,
                            .wave_count = dae->wave_count,
                            .grows = dae->grows,
                            .lines = dae_remembers(dae)};
    s->largest = calloc((size_t)dae->n, sizeof(double));
    s->recent = calloc((size_t)dae->n, sizeof(double));
    s->mean = calloc((size_t)dae->n, sizeof(double));
    s->low = calloc((size_t)dae->n, sizeof(double));
    s->high = calloc((size_t)dae->n, sizeof(double));
    s->scale = calloc((size_t)dae->n, sizeof(double));
    s->seen = calloc((size_t)dae->n, sizeof(double));
    s->weights = calloc((size_t)dae->n, sizeof(double));
    s->rounding = calloc((size_t)dae->n, sizeof(double));
    if (s->largest && s->recent && s->mean && s->low && s->high && s->scale && s->seen && s->weights && s->rounding)
        return KN_OK;
    tolerance_free(s);
    return KN_ERROR_MEMORY;
}

void tolerance_free(struct tolerance *s)
{
    ARRAYS_FREE(s->largest, s->recent, s->mean, s->low, s->high, s->scale, s->seen, s->weights, s->rounding);
    s->largest = s->recent = s->mean = s->low = s->high = s->scale = s->seen = s->weights = s->rounding = NULL;
}

/* Errors that many times as large as the bound of rounding are known to a few per cent, since that is hardly reached. */
static const double ABOVE_ROUNDING = 4;

/* most: by the size, of which rounding may take all, also where the scale is less. */
static double weight_of(double whole, double most, double part, double rounding)
{
    return 1 / larger_of(part * whole, smaller_of(ABOVE_ROUNDING * rounding, most));
}

/* What grows by its own law does so from far below what anybody would see of it.  By reltol squared, so that this too is known the better the
 * tighter reltol is: from 1.8e-11 of 25, at a vntol of 1e-6, prey comes back within a hundredth of a period
 * (tests/decks/hard/lotka-volterra.cir). */
static inline double absolute_of(const struct tolerance *s, int i)
{
    return s->grows && s->grows[i] ? s->relative * s->relative * s->absolute[i] : s->absolute[i];
}

/* s is a copy of the caller's where this stands in a loop: then what is written cannot change it. */
static double weight(const struct tolerance *s, int i, double scale, double size)
{
    const double absolute = absolute_of(s, i);
    return weight_of(s->relative * scale + absolute, s->relative * size + absolute, s->part, s->rounding[i]);
}

/* Of ranges (tolerance.h).  With 10 the errors of 1,900 random circuits that were above 3 % of a range are below 1.5 %, and logic, which
 * has moved through its whole range once it has moved, takes as many steps as before. */
static const double OF_RANGE = 10;

static inline double scale_of(double size, double range, double least)
{
    return smaller_of(size, larger_of(OF_RANGE * range, least * size));
}

static void extend(int n, const double *restrict x, double *restrict low, double *restrict high)
{
    for (int i = 0; i < n; i++) {
        low[i] = smaller_of(low[i], x[i]);
        high[i] = larger_of(high[i], x[i]);
    }
}

/* Loops without a branch, for vectors; the sizes of a point and its weights in one pass each. */
static void follow_point(const struct tolerance *s, double left_of_mean, const double *restrict x,
                         double *restrict recent, double *restrict seen, double *restrict mean)
{
    const double left = s->left;
    for (int i = 0, n = s->n; i < n; i++) {
        const double size = fabs(x[i]);
        recent[i] = seen[i] = larger_of(size, left * recent[i]);
    }
    if (s->lines)
        for (int i = 0, n = s->n; i < n; i++)
            mean[i] = larger_of(fabs(x[i]), left_of_mean * mean[i]);
    else
        for (int i = 0, n = s->n; i < n; i++)
            mean[i] = left_of_mean * mean[i] + (1 - left_of_mean) * fabs(x[i]);
}

static void weigh_all(const struct tolerance *s, const double *restrict recent, const double *restrict mean,
                      double *restrict largest, double *restrict scale, double *restrict weights)
{
    const double *restrict low = s->low, *restrict high = s->high;
    const double *restrict absolute = s->absolute, *restrict rounding = s->rounding;
    const double relative = s->relative, part = s->part, least = s->least_scale;
    for (int i = 0, n = s->n; i < n; i++) {
        largest[i] = larger_of(recent[i], mean[i]);
        scale[i] = scale_of(largest[i], high[i] - low[i], least);
        weights[i] =
            weight_of(relative * scale[i] + absolute[i], relative * largest[i] + absolute[i], part, rounding[i]);
    }
}

/* Inner potentials that nobody looks at are held to the tightest tolerance around them. */
static void share_sizes(const struct tolerance *s)
{
    for (size_t k = 0; k < s->inner_count; k++) {
        const struct dae_inner *inner = &s->inner[k];
        if (!s->watched || s->watched[inner->unknown])
            continue;
        double least = s->largest[inner->ends[0]];
        for (size_t i = 1; i < inner->end_count; i++)
            least = smaller_of(least, s->largest[inner->ends[i]]);
        s->largest[inner->unknown] = s->scale[inner->unknown] = larger_of(s->largest[inner->unknown], least);
        s->weights[inner->unknown] = weight(s, inner->unknown, s->scale[inner->unknown], s->largest[inner->unknown]);
    }
}

static void raise(const struct tolerance *s, int i, double largest, double scale)
{
    s->largest[i] = larger_of(s->largest[i], largest);
    s->scale[i] = larger_of(s->scale[i], scale);
    s->weights[i] = weight(s, i, s->scale[i], s->largest[i]);
}

static void share_waves(const struct tolerance *s)
{
    for (size_t k = 0; k < s->wave_count; k++) {
        const int v = s->waves[k].voltage, i = s->waves[k].current;
        const double z = s->waves[k].impedance;
        raise(s, i, s->largest[v] / z, s->scale[v] / z);
        if (s->waves[k].port)
            raise(s, v, s->largest[i] * z, s->scale[i] * z);
    }
}

static void weigh_by_largest(struct tolerance *s)
{
    weigh_all(s, s->recent, s->short_sighted ? s->recent : s->mean, s->largest, s->scale, s->weights);
    for (int i = 0; s->grows && i < s->n; i++)
        s->weights[i] = s->grows[i] ? weight(s, i, s->scale[i], s->largest[i]) : s->weights[i];
    share_sizes(s);
    share_waves(s);
    s->weighed = false;
}

void tolerance_reset(struct tolerance *s, const double *x)
{
    for (int i = 0; i < s->n && x; i++) {
        s->recent[i] = s->mean[i] = fabs(x[i]);
        const bool shown = s->by_range && (!s->watched || s->watched[i]);
        s->low[i] = shown ? x[i] : -INFINITY;
        s->high[i] = shown ? x[i] : INFINITY;
        s->seen[i] = INFINITY;
    }
    weigh_by_largest(s);
}

void tolerance_weigh(struct tolerance *s, const double *x)
{
    const struct tolerance t = *s;
    bool weighed = false;
    for (int i = 0; i < t.n; i++) {
        const bool above = x[i] > t.high[i] || x[i] < t.low[i] || fabs(x[i]) > t.largest[i];
        if (above || t.weighed) {
            const double size = larger_of(fabs(x[i]), t.largest[i]);
            const double range = larger_of(t.high[i], x[i]) - smaller_of(t.low[i], x[i]);
            t.weights[i] = weight(&t, i, larger_of(t.scale[i], scale_of(size, range, t.least_scale)), size);
        }
        weighed |= above;
    }
    s->weighed = weighed;
}

static void forget_growing(const struct tolerance *s)
{
    for (int i = 0; s->grows && i < s->n; i++)
        s->recent[i] *= s->grows[i] ? TOLERANCE_LEFT_OF_GROWING : 1;
}

/* Part of the mean at t that is from before the time t1, both since the start: (t1/t)^3. */
static double left_of_size(double t1, double t)
{
    const double part = t > 0 ? t1 / t : 1;
    return part * part * part;
}

void tolerance_update(struct tolerance *s, const double *x, double after)
{
    const double before = s->elapsed;
    s->elapsed += after;
    forget_growing(s);
    follow_point(s, left_of_size(before, s->elapsed), x, s->recent, s->seen, s->mean);
    extend(s->n, x, s->low, s->high);
    weigh_by_largest(s);
}

void tolerance_update_unseen(struct tolerance *s, const double *x, const enum dae_class *classes)
{
    const struct tolerance t = *s;
    forget_growing(s);
    for (int i = 0; i < t.n; i++) {
        const bool spike = classes && (classes[i] == DAE_INDEX1 || classes[i] == DAE_FOLLOWS);
        t.recent[i] = t.seen[i] = larger_of(spike ? 0 : fabs(x[i]), t.left * t.recent[i]);
    }
    extend(s->n, x, s->low, s->high);
    weigh_by_largest(s);
}

void tolerance_inherit(struct tolerance *s, const struct tolerance *from)
{
    s->elapsed = from->elapsed;
    const size_t bytes = (size_t)s->n * sizeof(double);
    memcpy(s->recent, from->recent, bytes);
    memcpy(s->mean, from->mean, bytes);
    memcpy(s->seen, from->seen, bytes);
    memcpy(s->low, from->low, bytes);
    memcpy(s->high, from->high, bytes);
    weigh_by_largest(s);
}

/* Of what output resolves: so long a step takes as much of recent sizes as a usual one. */
static const double USUAL_SHARE = 0.1;

void tolerance_update_hidden(struct tolerance *s, const double *x, double after, double share,
                             const enum dae_class *classes)
{
    const struct tolerance t = *s;
    const double left = pow(t.left, smaller_of(1, share / USUAL_SHARE));
    s->elapsed += after;
    for (int i = 0; i < t.n; i++) {
        const double size = fabs(x[i]), faded = left * t.recent[i];
        const bool lasts = !classes || classes[i] == DAE_DIFFERENTIAL;
        const double usual =
            lasts ? TOLERANCE_FAR_ABOVE * larger_of(t.seen[i], absolute_of(&t, i) / t.relative) : INFINITY;
        const double most = larger_of(faded, smaller_of(size, usual));
        t.recent[i] = most + share * larger_of(size - most, 0);
    }
    extend(s->n, x, s->low, s->high);
    weigh_by_largest(s);
}

double tolerance_see_rounding(struct tolerance *s, const double *rounding, const enum dae_class *classes)
{
    double size = 0;
    s->weighed = false;
    for (int i = 0; i < s->n; i++) {
        const double part = s->part * tolerance_of_reltol(s, i);
        if (!classes || (CLASS_BIT(classes[i]) & CLASSES_DRIVING))
            size = fmax(size, rounding[i] / part);
        s->rounding[i] = rounding[i];
        s->weights[i] = weight(s, i, s->scale[i], s->largest[i]);
    }
    return size;
}

static inline void enlarge(double *worst, double size)
{
    if (!(size <= *worst))
        *worst = isnan(size) ? INFINITY : size;
}

/* *worst := the largest of itself and the readings of e [n]: in parts of what one step may use up, or in tolerances. */
static void enlarge_by_readings(const struct tolerance *s, bool in_parts, const bool *watched, const double *e,
                                double *worst)
{
    for (size_t k = 0; k < s->reading_count; k++) {
        const int i = s->readings[k].unknown;
        const double whole = s->relative * s->scale[i] + s->readings[k].absolute;
        const double most = s->relative * s->largest[i] + s->readings[k].absolute;
        if ((!watched || watched[i]) && (!s->watched || s->watched[i]))
            enlarge(worst, fabs(e[i]) * (in_parts ? weight_of(whole, most, s->part, s->rounding[i]) : 1 / whole));
    }
}

struct norm tolerance_norms(const struct tolerance *s, const enum dae_class *classes, unsigned set, const bool *watched,
                            const double *e)
{
    const double *weights = s->weights;
    double inside = 0, outside = 0;
    int worst = -1;
    for (int i = 0, count = s->n; i < count; i++) {
        const double size = fabs(e[i]) * weights[i];
        if (watched && !watched[i])
            continue;
        if (!(set >> (classes ? classes[i] : DAE_DIFFERENTIAL) & 1)) { /* CLASS_BIT, by one instruction */
            if (!(size <= outside))
                outside = isnan(size) ? INFINITY : size;
        } else if (!(size <= inside)) {
            inside = isnan(size) ? INFINITY : size;
            worst = i;
        }
    }
    struct norm n = {inside, outside, worst};
    if (s->reading_count > 0)
        enlarge_by_readings(s, true, watched, e, set & CLASS_BIT(DAE_FOLLOWS) ? &n.inside : &n.outside);
    return n;
}

/* Not the weights: these grow with what rounding makes of the errors of steps. */
double tolerance_of_reltol(const struct tolerance *s, int i)
{
    return s->relative * s->scale[i] + absolute_of(s, i);
}

double tolerance_of_size(const struct tolerance *s, int i)
{
    return s->relative * s->largest[i] + absolute_of(s, i);
}

void tolerance_beyond_rounding(const struct tolerance *s, const enum dae_class *classes, const double *rounding,
                               const double *e, double *beyond)
{
    for (int i = 0; i < s->n; i++) {
        const bool lasts = !classes || classes[i] == DAE_DIFFERENTIAL;
        const bool none = lasts && rounding[i] * s->relative > TOLERANCE_NOTHING_LIKE * tolerance_of_size(s, i);
        beyond[i] = none ? fabs(e[i]) : larger_of(fabs(e[i]) - rounding[i], 0);
    }
}

static void add_readings(const struct tolerance *s, const bool *watched, const double *e, struct class_sizes *sizes)
{
    enlarge_by_readings(s, false, NULL, e, &sizes->all[DAE_FOLLOWS]);
    enlarge_by_readings(s, false, watched, e, &sizes->watched[DAE_FOLLOWS]);
}

struct class_sizes tolerance_class_sizes(const struct tolerance *s, const enum dae_class *classes, const bool *watched,
                                         const double *e)
{
    struct class_sizes sizes = {{0}, {0}};
    const double relative = s->relative, *scale = s->scale;
    for (int i = 0, n = s->n; i < n; i++) {
        const double size = fabs(e[i]) / (relative * scale[i] + absolute_of(s, i)); /* tolerance_of_reltol */
        const enum dae_class class = classes ? classes[i] : DAE_DIFFERENTIAL;
        enlarge(&sizes.all[class], size);
        if (watched && watched[i])
            enlarge(&sizes.watched[class], size);
    }
    if (!watched)
        memcpy(sizes.watched, sizes.all, sizeof sizes.all);
    if (s->reading_count > 0)
        add_readings(s, watched, e, &sizes);
    return sizes;
}

double tolerance_norm(const struct tolerance *s, const enum dae_class *classes, unsigned set, const double *e,
                      int *worst)
{
    const struct norm n = tolerance_norms(s, classes, set, NULL, e);
    if (worst && n.worst >= 0)
        *worst = n.worst;
    return n.inside;
}

static const double LEAP = 0.1;

bool tolerance_leaps(const struct tolerance *s, const enum dae_class *classes, const double *e)
{
    for (int i = 0; classes && i < s->n; i++)
        if (classes[i] == DAE_INDEX1 && !(s->relative * fabs(e[i]) <= LEAP * tolerance_of_size(s, i)))
            return true;
    return false;
}

bool tolerance_is_leap(const struct tolerance *s, double error)
{
    return s->relative * s->part * error > LEAP;
}

bool tolerance_has_class(const struct dae *dae, const bool *set, unsigned which)
{
    for (int i = 0; dae->classes && i < dae->n; i++)
        if ((CLASS_BIT(dae->classes[i]) & which) && (!set || set[i]))
            return true;
    return false;
}
