/* tolerance.c - see tolerance.h. */
#include "integrators/tolerance.h"

#include "base/array.h"
#include "base/larger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum kn_status tolerance_init(struct tolerance *s, const struct dae *dae, double relative)
{
    *s = (struct tolerance){.n = dae->n,
                            .relative = relative,
                            .part = 1,
                            .left = TOLERANCE_LEFT,
                            .short_sighted = !dae->bounded,
                            .absolute = dae->absolute,
                            .readings = dae->readings,
                            .reading_count = dae->reading_count,
                            .inner = dae->inner,
                            .inner_count = dae->inner_count};
    s->largest = calloc((size_t)dae->n, sizeof(double));
    s->recent = calloc((size_t)dae->n, sizeof(double));
    s->mean = calloc((size_t)dae->n, sizeof(double));
    s->seen = calloc((size_t)dae->n, sizeof(double));
    s->weights = calloc((size_t)dae->n, sizeof(double));
    s->rounding = calloc((size_t)dae->n, sizeof(double));
    if (s->largest && s->recent && s->mean && s->seen && s->weights && s->rounding)
        return KN_OK;
    tolerance_free(s);
    return KN_ERROR_MEMORY;
}

void tolerance_free(struct tolerance *s)
{
    ARRAYS_FREE(s->largest, s->recent, s->mean, s->seen, s->weights, s->rounding);
    s->largest = s->recent = s->mean = s->seen = s->weights = s->rounding = NULL;
}

/* Errors that many times as large as the bound of rounding are known to a few per cent, since that is hardly reached. */
static const double ABOVE_ROUNDING = 4;

static double weight_of(double whole, double part, double rounding)
{
    return 1 / larger_of(part * whole, smaller_of(ABOVE_ROUNDING * rounding, whole));
}

/* s is a copy of the caller's where this stands in a loop: then what is written cannot change it. */
static double weight(const struct tolerance *s, int i, double magnitude)
{
    return weight_of(s->relative * magnitude + s->absolute[i], s->part, s->rounding[i]);
}

/* Loops without a branch, for vectors; the sizes of a point and its weights in one pass each. */
static void follow_point(const struct tolerance *s, double left_of_mean, const double *restrict x,
                         double *restrict recent, double *restrict seen, double *restrict mean)
{
    const double left = s->left;
    for (int i = 0, n = s->n; i < n; i++) {
        const double size = fabs(x[i]);
        recent[i] = seen[i] = larger_of(size, left * recent[i]);
        mean[i] = left_of_mean * mean[i] + (1 - left_of_mean) * size;
    }
}

static void weigh_all(const struct tolerance *s, const double *restrict recent, const double *restrict mean,
                      double *restrict largest, const double *restrict absolute, const double *restrict rounding,
                      double *restrict weights)
{
    const double relative = s->relative, part = s->part;
    for (int i = 0, n = s->n; i < n; i++) {
        largest[i] = larger_of(recent[i], mean[i]);
        weights[i] = weight_of(relative * largest[i] + absolute[i], part, rounding[i]);
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
        s->largest[inner->unknown] = larger_of(s->largest[inner->unknown], least);
        s->weights[inner->unknown] = weight(s, inner->unknown, s->largest[inner->unknown]);
    }
}

static void weigh_by_largest(struct tolerance *s)
{
    weigh_all(s, s->recent, s->short_sighted ? s->recent : s->mean, s->largest, s->absolute, s->rounding, s->weights);
    share_sizes(s);
    s->weighed = false;
}

void tolerance_reset(struct tolerance *s, const double *x)
{
    for (int i = 0; i < s->n && x; i++) {
        s->recent[i] = s->mean[i] = fabs(x[i]);
        s->seen[i] = INFINITY;
    }
    weigh_by_largest(s);
}

void tolerance_weigh(struct tolerance *s, const double *x)
{
    const struct tolerance t = *s;
    bool weighed = false;
    for (int i = 0; i < t.n; i++) {
        const double size = fabs(x[i]);
        const bool above = size > t.largest[i];
        if (above || t.weighed)
            t.weights[i] = weight(&t, i, above ? size : t.largest[i]);
        weighed |= above;
    }
    s->weighed = weighed;
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
    follow_point(s, left_of_size(before, s->elapsed), x, s->recent, s->seen, s->mean);
    weigh_by_largest(s);
}

void tolerance_update_unseen(struct tolerance *s, const double *x, const enum dae_class *classes)
{
    const struct tolerance t = *s;
    for (int i = 0; i < t.n; i++) {
        const bool spike = classes && (classes[i] == DAE_INDEX1 || classes[i] == DAE_FOLLOWS);
        t.recent[i] = t.seen[i] = larger_of(spike ? 0 : fabs(x[i]), t.left * t.recent[i]);
    }
    weigh_by_largest(s);
}

void tolerance_inherit(struct tolerance *s, const struct tolerance *from)
{
    s->elapsed = from->elapsed;
    const size_t bytes = (size_t)s->n * sizeof(double);
    memcpy(s->recent, from->recent, bytes);
    memcpy(s->mean, from->mean, bytes);
    memcpy(s->seen, from->seen, bytes);
    weigh_by_largest(s);
}

/* Times what output has shown, or what the absolute tolerance stands for: more is a spike.  With 10 and 30 the converters of
 * tests/decks/hard are right, with 100 boost-converter has rows 90 V off. */
static const double FAR_ABOVE = 10;

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
        const double usual = lasts ? FAR_ABOVE * larger_of(t.seen[i], t.absolute[i] / t.relative) : INFINITY;
        const double most = larger_of(faded, smaller_of(size, usual));
        t.recent[i] = most + share * larger_of(size - most, 0);
    }
    weigh_by_largest(s);
}

double tolerance_see_rounding(struct tolerance *s, const double *rounding, const enum dae_class *classes)
{
    double size = 0;
    s->weighed = false;
    for (int i = 0; i < s->n; i++) {
        const double part = s->part * (s->relative * s->largest[i] + s->absolute[i]);
        if (!classes || (CLASS_BIT(classes[i]) & CLASSES_DRIVING))
            size = fmax(size, rounding[i] / part);
        s->rounding[i] = rounding[i];
        s->weights[i] = weight(s, i, s->largest[i]);
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
        const double whole = s->relative * s->largest[i] + s->readings[k].absolute;
        if ((!watched || watched[i]) && (!s->watched || s->watched[i]))
            enlarge(worst, fabs(e[i]) * (in_parts ? weight_of(whole, s->part, s->rounding[i]) : 1 / whole));
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
    return s->relative * s->largest[i] + s->absolute[i];
}

/* Times the largest value of an unknown.  At the wrong points of tests/decks/hard/forward-converter.cir it is 1e8 to 1e11, currents of
 * coupled coils that begin at zero come to 5e2. */
static const double NO_ROUNDING = 1e4;

void tolerance_beyond_rounding(const struct tolerance *s, const enum dae_class *classes, const double *rounding,
                               const double *e, double *beyond)
{
    for (int i = 0; i < s->n; i++) {
        const bool lasts = !classes || classes[i] == DAE_DIFFERENTIAL;
        const bool none = lasts && rounding[i] * s->relative > NO_ROUNDING * tolerance_of_reltol(s, i);
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
    const double relative = s->relative, *largest = s->largest, *absolute = s->absolute;
    for (int i = 0, n = s->n; i < n; i++) {
        const double size = fabs(e[i]) / (relative * largest[i] + absolute[i]); /* tolerance_of_reltol */
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

bool tolerance_leaps(const struct tolerance *s, const struct class_sizes *sizes)
{
    return s->relative * sizes->all[DAE_INDEX1] > LEAP;
}

bool tolerance_is_leap(const struct tolerance *s, double error)
{
    return s->relative * s->part * error > LEAP;
}
