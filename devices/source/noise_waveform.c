/* noise_waveform.c - TRNOISE(na nt nalpha namp rtsam rtscapt rtsemt) and TRRANDOM(type ts td param1 param2).
 *
 * TRNOISE goes in straight lines between values at the multiples of nt, 0 at t = 0 (ngspice manual, 4.1.7): white noise of
 * the deviation na, and noise with the spectrum 1/f^nalpha, made of white noise of the deviation namp by the filter
 *     h_0 = 1,   h_k = h_(k-1) (nalpha/2 + k - 1)/k
 * (N. J. Kasdin, Proc. IEEE 83 (1995) 802, eq. 104), whose response to the whole past is a convolution.  A telegraph signal
 * of the amplitude rtsam is added, off and on for exponentially distributed times of the means rtscapt and rtsemt.
 * TRRANDOM stays at param2 until td and then for ts each at a value: 1 uniform between param2 - param1 and param2 + param1;
 * 2 normal, deviation param1, mean param2; 3 exponential, mean param1, 4 Poisson's, mean param1, both plus param2.
 *
 * The k-th number of a source is a function of the seed, the source's name and k alone (Philox), whatever the steps are.
 */
#include "devices/source/noise_waveform.h"

#include "base/philox.h"

#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* More corners than these are a mistake. */
static const double MOST_CORNERS = 2e7;

enum stream { STREAM_WHITE, STREAM_COLOURED, STREAM_CAPTURE, STREAM_EMISSION, STREAM_RANDOM };

static double uniform_at(uint64_t seed, enum stream stream, uint64_t k)
{
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    const uint32_t counter[4] = {(uint32_t)k, (uint32_t)(k >> 32), (uint32_t)stream, 0x6e6f6973};
    uint32_t bits[4];
    philox(key, counter, bits);
    return philox_uniform(bits);
}

static double normal_at(uint64_t seed, enum stream stream, uint64_t k)
{
    return normal_quantile(uniform_at(seed, stream, k));
}

static double exponential_at(uint64_t seed, enum stream stream, uint64_t k, double mean)
{
    return -mean * log(uniform_at(seed, stream, k));
}

static double given(const struct waveform *w, size_t i)
{
    return i < w->count ? w->values[i] : 0;
}

/* ---- coloured noise ---- */

/* Discrete Fourier transform of 2^bits numbers in place (Cooley and Tukey, Math. Comput. 19 (1965) 297); sign -1, or 1 for
 * the inverse without its factor. */
static void transform(double _Complex *a, int bits, double sign)
{
    const size_t n = (size_t)1 << bits;
    for (size_t i = 1, j = 0; i < n; i++) {
        size_t bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            const double _Complex swap = a[i];
            a[i] = a[j];
            a[j] = swap;
        }
    }
    for (size_t half = 1; half < n; half *= 2)
        for (size_t k = 0; k < half; k++) {
            const double angle = sign * acos(-1.0) * (double)k / (double)half;
            const double _Complex factor = cos(angle) + sin(angle) * _Complex_I;
            for (size_t i = k; i < n; i += 2 * half) {
                const double _Complex odd = factor * a[i + half];
                a[i + half] = a[i] - odd;
                a[i] += odd;
            }
        }
}

/* Adds filtered noise to values[1 .. count). */
static bool add_coloured(double *values, size_t count, double exponent, double amplitude, uint64_t seed)
{
    int bits = 1;
    while (((size_t)1 << bits) < 2 * count)
        bits++;
    const size_t n = (size_t)1 << bits;
    double _Complex *noise = calloc(n, sizeof *noise), *filter = calloc(n, sizeof *filter);
    if (noise && filter) {
        double h = 1;
        for (size_t k = 0; k < count; k++) {
            h *= k == 0 ? 1 : (exponent / 2 + (double)(k - 1)) / (double)k;
            filter[k] = h;
            noise[k] = k == 0 ? 0 : amplitude * normal_at(seed, STREAM_COLOURED, k);
        }
        transform(noise, bits, -1);
        transform(filter, bits, -1);
        for (size_t k = 0; k < n; k++)
            noise[k] *= filter[k];
        transform(noise, bits, 1);
        for (size_t k = 1; k < count; k++)
            values[k] += creal(noise[k]) / (double)n;
    }
    const bool good = noise && filter;
    free(noise);
    free(filter);
    return good;
}

/* ---- TRNOISE ---- */

enum { NOISE_WHITE, NOISE_STEP, NOISE_EXPONENT, NOISE_AMPLITUDE, NOISE_TELEGRAPH, NOISE_CAPTURE, NOISE_EMISSION };

static void add(struct noise_corners *c, double time, double value)
{
    c->times[c->count] = time;
    c->values[c->count++] = value;
}

/* The k-th time at which the telegraph turns, counted from the one before. */
static double turn_after(const struct waveform *w, uint64_t seed, size_t k)
{
    return k % 2 == 0 ? exponential_at(seed, STREAM_CAPTURE, k, given(w, NOISE_CAPTURE))
                      : exponential_at(seed, STREAM_EMISSION, k, given(w, NOISE_EMISSION));
}

/* A telegraph without times of its turns stays where it is, as in ngspice. */
static bool is_constant(const struct waveform *w)
{
    return w->count <= NOISE_CAPTURE;
}

static size_t count_turns(const struct waveform *w, double stop, uint64_t seed)
{
    size_t turns = 0;
    for (double t = turn_after(w, seed, 0); t <= stop && (double)turns < MOST_CORNERS; t += turn_after(w, seed, turns))
        turns++;
    return turns;
}

static double between(const double *grid, size_t points, double step, double time)
{
    if (points == 0)
        return 0;
    const double place = time / step;
    const size_t i = (size_t)fmin(floor(place), (double)(points - 2));
    return grid[i] + (grid[i + 1] - grid[i]) * (place - (double)i);
}

/* Values on the grid and turns of the telegraph in the order of time. */
static void merge(const struct waveform *w, const double *grid, size_t points, double stop, uint64_t seed, size_t turns,
                  struct noise_corners *out)
{
    const double step = given(w, NOISE_STEP), amplitude = given(w, NOISE_TELEGRAPH);
    double level = is_constant(w) ? amplitude : 0, next = turns > 0 ? turn_after(w, seed, 0) : INFINITY;
    size_t turned = 0;
    if (points == 0)
        add(out, 0, level);
    for (size_t i = 0; i < points || next <= stop;) {
        const double time = i < points ? (double)i * step : INFINITY;
        if (next < time && next <= stop) {
            const double base = between(grid, points, step, next);
            add(out, next, base + level);
            level = level == 0 ? amplitude : 0;
            add(out, next, base + level);
            next = ++turned < turns ? next + turn_after(w, seed, turned) : INFINITY;
        } else if (i < points) {
            add(out, time, grid[i++] + level);
        } else {
            break;
        }
    }
}

static enum kn_status make_noise(const struct waveform *w, double stop, uint64_t seed, struct arena *arena,
                                 struct noise_corners *out, const char **fault)
{
    const double step = given(w, NOISE_STEP);
    const bool telegraph = given(w, NOISE_TELEGRAPH) != 0 && !is_constant(w);
    if (step < 0 || given(w, NOISE_WHITE) < 0 || given(w, NOISE_AMPLITUDE) < 0)
        *fault = "no number of TRNOISE may be negative";
    else if (step == 0 && (given(w, NOISE_WHITE) > 0 || given(w, NOISE_AMPLITUDE) > 0))
        *fault = "nt, the time between two values of TRNOISE, must be greater than 0";
    else if (given(w, NOISE_EXPONENT) < 0 || given(w, NOISE_EXPONENT) > 2)
        *fault = "nalpha of TRNOISE must be between 0 and 2";
    else if (telegraph && !(given(w, NOISE_CAPTURE) > 0 && given(w, NOISE_EMISSION) > 0))
        *fault = "rtscapt and rtsemt of TRNOISE must be greater than 0";
    else if (step > 0 && stop / step > MOST_CORNERS)
        *fault = "TRNOISE has more values than can be kept: nt is too short for the length of the analysis";
    if (*fault)
        return KN_ERROR_DECK;
    const size_t points = step > 0 ? (size_t)ceil(stop / step) + 2 : 0;
    const size_t turns = telegraph ? count_turns(w, stop, seed) : 0;
    double *grid = arena_array(arena, points + 1, sizeof *grid);
    out->times = arena_array(arena, points + 2 * turns + 2, sizeof *out->times);
    out->values = arena_array(arena, points + 2 * turns + 2, sizeof *out->values);
    if (!grid || !out->times || !out->values)
        return KN_ERROR_MEMORY;
    for (size_t k = 1; k < points; k++)
        grid[k] = given(w, NOISE_WHITE) * normal_at(seed, STREAM_WHITE, k);
    const bool coloured = given(w, NOISE_EXPONENT) > 0 && given(w, NOISE_AMPLITUDE) > 0;
    if (coloured && !add_coloured(grid, points, given(w, NOISE_EXPONENT), given(w, NOISE_AMPLITUDE), seed))
        return KN_ERROR_MEMORY;
    merge(w, grid, points, stop, seed, turns, out);
    return KN_OK;
}

/* ---- TRRANDOM ---- */

enum { RANDOM_TYPE, RANDOM_STEP, RANDOM_DELAY, RANDOM_FIRST, RANDOM_SECOND };

/* Poisson's number of a mean, by adding up probabilities until they exceed a uniform number; in logarithms, so that large
 * means have room. */
static double poisson(double mean, double uniform)
{
    double k = 0, logarithm = -mean, sum = exp(logarithm);
    while (sum < uniform && k < mean + 40 * sqrt(mean) + 40) {
        logarithm += log(mean / ++k);
        sum += exp(logarithm);
    }
    return k;
}

static double random_value(const struct waveform *w, uint64_t seed, size_t k)
{
    const double first = w->count > RANDOM_FIRST ? w->values[RANDOM_FIRST] : 1, second = given(w, RANDOM_SECOND);
    const double uniform = uniform_at(seed, STREAM_RANDOM, k);
    switch ((int)given(w, RANDOM_TYPE)) {
    case 1:
        return second + first * (2 * uniform - 1);
    case 2:
        return second + first * normal_quantile(uniform);
    case 3:
        return second - first * log(uniform);
    default:
        return second + poisson(first, uniform);
    }
}

static enum kn_status make_random(const struct waveform *w, double stop, uint64_t seed, struct arena *arena,
                                  struct noise_corners *out, const char **fault)
{
    const double type = given(w, RANDOM_TYPE), step = given(w, RANDOM_STEP), delay = given(w, RANDOM_DELAY);
    if (!(type == 1 || type == 2 || type == 3 || type == 4))
        *fault = "the type of TRRANDOM must be 1 uniform, 2 normal, 3 exponential or 4 Poisson";
    else if (!(step > 0))
        *fault = "ts, the time between two values of TRRANDOM, must be greater than 0";
    else if (delay < 0)
        *fault = "td of TRRANDOM must not be negative";
    else if (type == 4 && w->count > RANDOM_FIRST && !(w->values[RANDOM_FIRST] > 0))
        *fault = "the mean of Poisson's numbers must be greater than 0";
    else if (stop / step > MOST_CORNERS)
        *fault = "TRRANDOM has more values than can be kept: ts is too short for the length of the analysis";
    if (*fault)
        return KN_ERROR_DECK;
    const size_t steps = stop > delay ? (size_t)floor((stop - delay) / step) + 1 : 0;
    out->times = arena_array(arena, 2 * steps + 1, sizeof *out->times);
    out->values = arena_array(arena, 2 * steps + 1, sizeof *out->values);
    if (!out->times || !out->values)
        return KN_ERROR_MEMORY;
    double value = delay > 0 || steps == 0 ? given(w, RANDOM_SECOND) : random_value(w, seed, 0);
    add(out, 0, value);
    for (size_t k = delay > 0 ? 0 : 1; k < steps; k++) {
        const double time = delay + (double)k * step;
        add(out, time, value);
        value = random_value(w, seed, k);
        add(out, time, value);
    }
    return KN_OK;
}

enum kn_status noise_corners_make(const struct waveform *w, double stop, uint64_t seed, struct arena *arena,
                                  struct noise_corners *out, const char **fault)
{
    *out = (struct noise_corners){NULL, NULL, 0};
    *fault = NULL;
    return w->kind == WAVEFORM_NOISE ? make_noise(w, stop, seed, arena, out, fault)
                                     : make_random(w, stop, seed, arena, out, fault);
}
