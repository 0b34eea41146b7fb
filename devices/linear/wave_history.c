/* wave_history.c - ring of samples with polynomial interpolation (see wave_history.h).
 *
 * Interpolation: Neville's scheme with derivative, on the points nearest to the interval and on the same side of all
 * corners; one degree more than the order of the method, so that its error stays below that of the method.
 */
#include "devices/linear/wave_history.h"

#include "base/array.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_DEGREE = 7, KEPT_BEHIND = LARGEST_DEGREE + 2 };

/* A corner is weak when it makes a wave deviate, within one delay or until the next corner, by less than this part of
 * the largest value so far.  Slopes come from a numerical solution; so that its noise does not keep an echo alive for
 * ever, the limit rises with every passage, up to a value above the noise. */
static const double weak_part = 1e-3, weak_growth = 1.1, weak_most = 0.02;

/* Slopes at a corner are taken from this part of the delay on either side. */
static const double window_part = 1.0 / 64.0;

static const struct wave_sample *sample(const struct wave_history *h, size_t i)
{
    return &h->samples[(h->first + i) % h->capacity];
}

static struct wave_sample *newest(struct wave_history *h)
{
    return &h->samples[(h->first + h->count - 1) % h->capacity];
}

double wave_history_newest(const struct wave_history *h)
{
    return sample(h, h->count - 1)->time;
}

void wave_history_init(struct wave_history *h, double delay)
{
    *h = (struct wave_history){.delay = delay};
}

void wave_history_free(struct wave_history *h)
{
    free(h->samples);
    free(h->corners);
    wave_history_init(h, h->delay);
}

void wave_history_clear(struct wave_history *h)
{
    h->first = h->count = h->corner_count = 0;
    h->largest = 0.0;
}

/* ---- growing and forgetting ---- */

static bool grow_samples(struct wave_history *h)
{
    if (h->count < h->capacity)
        return true;
    if (h->capacity > SIZE_MAX / 2 / sizeof *h->samples)
        return false;
    const size_t larger = h->capacity ? 2 * h->capacity : 64;
    struct wave_sample *moved = malloc(larger * sizeof *moved);
    if (!moved)
        return false;
    for (size_t i = 0; i < h->count; i++)
        moved[i] = *sample(h, i);
    free(h->samples);
    h->samples = moved;
    h->capacity = larger;
    h->first = 0;
    return true;
}

bool wave_history_copy(struct wave_history *h, const struct wave_history *from, struct arena *arena)
{
    const size_t samples = from->count + 1, corners = from->corner_count + 1;
    struct wave_history copy = *from;
    copy.samples = arena ? arena_array(arena, samples, sizeof *copy.samples) : calloc(samples, sizeof *copy.samples);
    copy.corners = arena ? arena_array(arena, corners, sizeof *copy.corners) : calloc(corners, sizeof *copy.corners);
    copy.delay = h->delay;
    copy.capacity = samples;
    copy.corner_capacity = corners;
    copy.first = 0;
    for (size_t i = 0; copy.samples && i < from->count; i++)
        copy.samples[i] = *sample(from, i);
    if (copy.corners && from->corner_count > 0)
        memcpy(copy.corners, from->corners, from->corner_count * sizeof *copy.corners);
    if (!arena)
        wave_history_free(h);
    *h = copy;
    return copy.samples && copy.corners;
}

/* What lies behind the delay is needed only as support of polynomials. */
static void forget(struct wave_history *h)
{
    const double needed = newest(h)->time - h->delay;
    while (h->count > KEPT_BEHIND && sample(h, KEPT_BEHIND)->time < needed) {
        memcpy(h->initial, sample(h, 0)->wave, sizeof h->initial);
        h->first = (h->first + 1) % h->capacity;
        h->count--;
    }
    size_t gone = 0;
    while (gone + 1 < h->corner_count && h->corners[gone + 1].time < needed)
        gone++;
    if (gone == 0)
        return;
    h->corner_count -= gone;
    memmove(h->corners, h->corners + gone, h->corner_count * sizeof *h->corners);
}

static bool add_corner(struct wave_history *h, const struct wave_sample *s, const double before[2])
{
    if (!array_reserve(&h->corners, h->corner_count + 1, &h->corner_capacity, sizeof *h->corners))
        return false;
    struct wave_corner *c = &h->corners[h->corner_count++];
    *c = (struct wave_corner){.time = s->time, .age = s->age, .idle = s->idle};
    memcpy(c->before, before, sizeof c->before);
    memcpy(c->after, s->wave, sizeof c->after);
    return true;
}

static bool append(struct wave_history *h, const struct wave_sample *s)
{
    if (!grow_samples(h))
        return false;
    h->count++;
    *newest(h) = *s;
    h->largest = fmax(h->largest, fmax(fabs(s->wave[0]), fabs(s->wave[1])));
    return true;
}

/* A corner at the time of the newest sample: a jump makes a second sample, a kink marks the first. */
static bool turn_into_corner(struct wave_history *h, const struct wave_sample *s)
{
    struct wave_sample *last = newest(h);
    const struct wave_sample before = *last;
    const bool jump = s->wave[0] != last->wave[0] || s->wave[1] != last->wave[1];
    if (!add_corner(h, s, before.wave))
        return false;
    last->corner = true;
    return !jump || append(h, s);
}

bool wave_history_add(struct wave_history *h, const struct wave_sample *s)
{
    const bool same_time = h->count > 0 && newest(h)->time == s->time;
    if (same_time && s->corner)
        return turn_into_corner(h, s);
    if (same_time) {
        memcpy(newest(h)->wave, s->wave, sizeof s->wave);
        return true;
    }
    if (s->corner && !add_corner(h, s, h->count > 0 ? s->wave : h->initial))
        return false;
    if (!append(h, s))
        return false;
    forget(h);
    return true;
}

/* ---- interpolation ---- */

/* Number of samples with time + shift <= over. */
static size_t count_over(const struct wave_history *h, double over, double shift)
{
    size_t low = 0, high = h->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sample(h, middle)->time + shift <= over)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The samples a polynomial goes through. */
struct support {
    size_t points[LARGEST_DEGREE + 1];
    size_t count;
    size_t low, high; /* first and last of them */
};

/* The next sample below (step -1) or above (+1) `from` at least `gap` away from it without crossing a corner; `from`
 * itself if there is none. */
static size_t neighbour(const struct wave_history *h, size_t from, int step, double gap)
{
    size_t i = from;
    while (!sample(h, i)->corner && (step < 0 ? i > 0 : i + 1 < h->count)) {
        i = step < 0 ? i - 1 : i + 1;
        if (fabs(sample(h, i)->time - sample(h, from)->time) >= gap)
            return i;
    }
    return from;
}

/* The samples at left and left + 1 and those nearest to them in the same smooth piece, one more than the degree. Points
 * nearer than `gap` to the one before are passed over: much closer together than the interval is long they would amplify round-off. */
static struct support choose_support(const struct wave_history *h, size_t left, double gap)
{
    struct support s = {.points = {left, left + 1}, .count = 2, .low = left, .high = left + 1};
    const double middle = 0.5 * (sample(h, left)->time + sample(h, left + 1)->time);
    const int order = sample(h, left + 1)->order;
    const size_t degree = (size_t)(order < 1 ? 1 : order + 1 > LARGEST_DEGREE ? LARGEST_DEGREE : order + 1);
    while (s.count <= degree) {
        const size_t lower = neighbour(h, s.low, -1, gap), upper = neighbour(h, s.high, 1, gap);
        if (lower == s.low && upper == s.high)
            break;
        const double below = lower < s.low ? middle - sample(h, lower)->time : INFINITY;
        const double above = upper > s.high ? sample(h, upper)->time - middle : INFINITY;
        s.points[s.count++] = below <= above ? lower : upper;
        s.low = below <= above ? lower : s.low;
        s.high = below <= above ? s.high : upper;
    }
    return s;
}

/* Values of a wave at times after (s) one of them, which keeps the digits. */
struct points {
    double t[LARGEST_DEGREE + 1], value[LARGEST_DEGREE + 1];
    size_t count;
};

struct tangent {
    double value, rate;
};

/* Neville's scheme. */
static struct tangent neville(const struct points *points, double offset)
{
    double p[LARGEST_DEGREE + 1], d[LARGEST_DEGREE + 1] = {0};
    const double *const t = points->t;
    memcpy(p, points->value, points->count * sizeof *p);
    for (size_t level = 1; level < points->count; level++)
        for (size_t i = 0; i + level < points->count; i++) {
            const double a = offset - t[i], b = offset - t[i + level], width = t[i + level] - t[i];
            d[i] = (p[i + 1] + a * d[i + 1] - p[i] - b * d[i]) / width;
            p[i] = (a * p[i + 1] - b * p[i]) / width;
        }
    return (struct tangent){p[0], d[0]};
}

/* One wave at `offset` after sample `left`. */
static struct tangent interpolate(const struct wave_history *h, const struct support *s, size_t left, int wave,
                                  double offset)
{
    struct points p = {.count = s->count};
    for (size_t i = 0; i < s->count; i++) {
        p.t[i] = sample(h, s->points[i])->time - sample(h, left)->time;
        p.value[i] = sample(h, s->points[i])->wave[wave];
    }
    return neville(&p, offset);
}

/* Whether the polynomials miss a sample beside the interval that has been passed over because it is nearer than `gap`. */
static bool misses_neighbours(const struct wave_history *h, const struct support *s, size_t left, double gap)
{
    const size_t sides[] = {neighbour(h, left, -1, 0.0), neighbour(h, left + 1, 1, 0.0)};
    bool missed = false;
    for (int i = 0; i < 2; i++) {
        const double away = fabs(sample(h, sides[i])->time - sample(h, left + (size_t)i)->time);
        bool passed = away > 0.0 && away < gap;
        for (size_t k = 0; k < s->count; k++)
            passed = passed && s->points[k] != sides[i];
        for (int w = 0; w < 2 && passed; w++) {
            const struct tangent at = interpolate(h, s, left, w, sample(h, sides[i])->time - sample(h, left)->time);
            missed = missed || fabs(at.value - sample(h, sides[i])->wave[w]) > weak_part * h->largest;
        }
    }
    return missed;
}

/* The points of a support up to the first that changes the polynomial of a wave more than either of the two before it did, by more
 * than a weak corner does: that one, or the next, lies within a steep part of the wave which has begun or ended without
 * being a corner.  (At an inflection a parabola changes nothing, and what a cubic does says nothing.)  Newton's divided differences, in the
 * middle of the interval. */
static size_t count_smooth(const struct wave_history *h, const struct support *s, int wave)
{
    double t[LARGEST_DEGREE + 1], difference[LARGEST_DEGREE + 1], product = 1.0, before = INFINITY, last = INFINITY;
    const double start = sample(h, s->points[0])->time, middle = 0.5 * (sample(h, s->points[1])->time - start);
    for (size_t k = 0; k < s->count; k++) {
        t[k] = sample(h, s->points[k])->time - start;
        difference[k] = sample(h, s->points[k])->wave[wave];
        for (size_t j = 0; j < k; j++)
            difference[k] = (difference[k] - difference[j]) / (t[k] - t[j]);
        const double correction = fabs(difference[k] * product);
        if (k > 2 && correction > fmax(before, last) && correction > weak_part * h->largest)
            return k;
        before = last;
        last = correction;
        product *= middle - t[k];
    }
    return s->count;
}

/* Steps may grow by 8 behind a steep part of a wave: a parabola through a point within that part overshoots by a tenth of
 * it where the wave has settled.  The points passed over tell; then nearer ones count, and if those tell so too, a straight line does no
 * harm. */
static struct support find_support(const struct wave_history *h, size_t left)
{
    const double length = sample(h, left + 1)->time - sample(h, left)->time, gaps[] = {length / 2, length / 8};
    struct support s = {.count = 0};
    bool missed = true;
    for (int i = 0; i < 2 && missed; i++) {
        s = choose_support(h, left, gaps[i]);
        const size_t smooth[] = {count_smooth(h, &s, 0), count_smooth(h, &s, 1)};
        s.count = smooth[0] < smooth[1] ? smooth[0] : smooth[1];
        missed = misses_neighbours(h, &s, left, gaps[i]);
    }
    if (missed)
        s.count = 2;
    return s;
}

static void set_constant(const double from[2], double wave[2], double rate[2])
{
    memcpy(wave, from, 2 * sizeof *wave);
    if (rate)
        rate[0] = rate[1] = 0.0;
}

/* Waves a time `shift` before. */
static void evaluate(const struct wave_history *h, struct instant when, double shift, double wave[2], double rate[2])
{
    const size_t past = count_over(h, when.over, shift);
    if (past == 0) {
        set_constant(h->initial, wave, rate);
        return;
    }
    size_t left = past - 1;
    const double offset_from = sample(h, left)->time + shift;
    if (past == h->count) {
        /* At or (by round-off) beyond the newest sample. */
        if (left == 0 || sample(h, left)->corner) {
            set_constant(sample(h, left)->wave, wave, rate);
            return;
        }
        left--;
    }
    const double offset = when.time - offset_from + (sample(h, past - 1)->time - sample(h, left)->time);
    const struct support s = find_support(h, left);
    for (int w = 0; w < 2; w++) {
        const struct tangent at = interpolate(h, &s, left, w, offset);
        wave[w] = at.value;
        if (rate)
            rate[w] = at.rate;
    }
}

void wave_history_delayed(const struct wave_history *h, struct instant when, double wave[2], double rate[2])
{
    evaluate(h, when, h->delay, wave, rate);
}

void wave_history_before(const struct wave_history *h, struct instant when, double ago, double wave[2], double rate[2])
{
    evaluate(h, when, ago, wave, rate);
}

/* With l the Lagrange polynomial of the end, whose value elsewhere is that point's weight: the end that moves alone changes
 * the polynomial by -rate(end) l. */
struct wave_within wave_history_within(const struct wave_history *h, double time, double now, double ago)
{
    struct points p = {.t = {0}, .value = {now}, .count = 1};
    struct wave_within w = {.by_now = 1};
    size_t i = h->count - 1;
    const int order = sample(h, i)->order;
    const size_t most = (size_t)(order < 1 ? 1 : order < LARGEST_DEGREE ? order : LARGEST_DEGREE);
    for (bool goes_on = true; goes_on && p.count <= most; i--) {
        p.t[p.count] = sample(h, i)->time - time;
        p.value[p.count] = sample(h, i)->wave[0];
        w.by_now *= (-ago - p.t[p.count]) / -p.t[p.count];
        p.count++;
        goes_on = i > 0 && !sample(h, i)->corner;
    }
    const struct tangent at = neville(&p, -ago), end = neville(&p, 0);
    w.value = at.value;
    w.rate = at.rate;
    w.by_time = at.rate - w.by_now * end.rate;
    return w;
}

/* ---- corners ---- */

/* One-sided slopes at a corner from the values 0, 1/3, 2/3 and 3/3 of `width` away (third-order differences); a
 * negative width looks to the left. */
static void one_sided_slopes(const struct wave_history *h, double at, const double start[2], double width,
                             double slopes[2])
{
    double w[3][2];
    for (int i = 0; i < 3; i++) {
        const double t = at + width * (i + 1) / 3.0;
        /* The far end may be a corner, where values jump: of both, that on the side of `at` counts. */
        evaluate(h, instant_at(i == 2 ? nextafter(t, at) : t), 0.0, w[i], NULL);
    }
    for (int k = 0; k < 2; k++)
        slopes[k] = (-11.0 * start[k] + 18.0 * w[0][k] - 9.0 * w[1][k] + 2.0 * w[2][k]) / (2.0 * width);
}

/* How far apart the waves with and without the corner can get within `reach`. */
static double strength(const struct wave_history *h, const struct wave_corner *c, double before, double after,
                       double reach)
{
    double left[2], right[2], worst = 0.0;
    one_sided_slopes(h, c->time, c->before, -before, left);
    one_sided_slopes(h, c->time, c->after, after, right);
    for (int w = 0; w < 2; w++)
        worst = fmax(worst, fabs(c->after[w] - c->before[w]) + fabs(right[w] - left[w]) * reach);
    return worst;
}

/* Judges corner k if the waves after it are known; false while they are not.  What it makes the waves deviate by lasts until the next corner
 * that is not weak, `next` (or corner_count), at most one delay: corners that other lines have at about the same time end
 * nothing here. */
static bool judge(struct wave_history *h, size_t k, size_t next)
{
    struct wave_corner *c = &h->corners[k];
    const double window = window_part * h->delay;
    const double before = k > 0 ? fmin(window, c->time - h->corners[k - 1].time) : window;
    const double following = k + 1 < h->corner_count ? h->corners[k + 1].time - c->time : INFINITY;
    const double reach = next < h->corner_count ? fmin(h->delay, h->corners[next].time - c->time) : h->delay;
    const double after = fmin(window, following);
    if (!(before > 0.0 && after > 0.0 && wave_history_newest(h) >= c->time + after))
        return false;
    const double limit = fmin(weak_most, weak_part * pow(weak_growth, c->age));
    c->weak = strength(h, c, before, after, reach) <= limit * h->largest;
    c->judged = c->weak || next < h->corner_count;
    return true;
}

/* Whether corner k is known to be weak. */
static bool is_weak(struct wave_history *h, size_t k)
{
    size_t end = k, next;
    while (end < h->corner_count && !h->corners[end].judged)
        end++;
    for (next = end; next < h->corner_count && h->corners[next].weak;)
        next++;
    for (size_t i = end; i-- > k;)
        if (judge(h, i, next) && !h->corners[i].weak)
            next = i;
    return h->corners[k].weak;
}

/* The first corner that arrives later than `over`. */
static size_t first_after(const struct wave_history *h, double over)
{
    size_t low = 0, high = h->corner_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (h->corners[middle].time + h->delay <= over)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double wave_history_next_arrival(struct wave_history *h, double over)
{
    for (size_t k = first_after(h, over); k < h->corner_count; k++)
        if (!is_weak(h, k))
            return h->corners[k].time + h->delay;
    return INFINITY;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

void wave_history_arrival(struct wave_history *h, struct instant when, struct wave_arrival *a)
{
    const double early = nextafter(when.time - (when.over - when.time), -INFINITY);
    for (size_t k = first_after(h, early); k < h->corner_count; k++) {
        const struct wave_corner *c = &h->corners[k];
        if (c->time + h->delay > when.over)
            return;
        const bool weak = is_weak(h, k);
        a->any = true;
        a->strong = a->strong || !weak;
        a->age = larger(a->age, weak ? 0 : c->age);
        a->idle = larger(a->idle, weak ? c->idle : 0);
    }
}

bool wave_history_jumps(const struct wave_history *h, const struct wave_sample *s)
{
    if (h->count == 0 || wave_history_newest(h) != s->time)
        return false;
    const double *last = sample(h, h->count - 1)->wave;
    const double difference = fmax(fabs(s->wave[0] - last[0]), fabs(s->wave[1] - last[1]));
    return difference > 1e-6 * fmax(h->largest, fmax(fabs(s->wave[0]), fabs(s->wave[1])));
}
