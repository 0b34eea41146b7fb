/* samples.c - see samples.h. */
#include "analyses/spectrum/samples.h"

#include "analyses/spectrum/transform.h"

#include <math.h>

static const double full_turn = 6.28318530717958647692; /* rad */

double complex samples_between(const struct samples *s, double time, size_t *at)
{
    while (*at + 2 < s->count && creal(s->times[*at + 1]) < time)
        ++*at;
    const double from = creal(s->times[*at]), to = creal(s->times[*at + 1]);
    const double complex *y = s->values + *at;
    return to > from ? y[0] + (y[1] - y[0]) * ((time - from) / (to - from)) : y[1];
}

void samples_even(const struct samples *s, double begin, double step, double complex *out, size_t count)
{
    size_t at = 0;
    for (size_t i = 0; i < count; i++)
        out[i] = samples_between(s, begin + step * (double)i, &at);
}

void samples_window(enum spectrum_window window, double *weights, size_t count)
{
    double sum = 0;
    window_fill(window, 2.5, weights, count);
    for (size_t n = 0; n < count; n++)
        sum += weights[n];
    for (size_t n = 0; n < count; n++)
        weights[n] *= (double)count / sum;
}

/* ---- spectra ---- */

/* Sums x_n e^(-2 pi j k n/count) for any count, as a convolution of powers of two: k n = (k^2 + n^2 - (k - n)^2)/2 (L. I.
 * Bluestein, IEEE Trans. Audio Electroacoust. 18, 1970). */
static bool any_transform(struct arena *arena, double complex *x, size_t count)
{
    size_t size = 1;
    while (size < 2 * count)
        size *= 2;
    double complex *a = arena_array(arena, size, sizeof *a), *b = arena_array(arena, size, sizeof *b);
    if (!a || !b)
        return false;
    for (size_t n = 0; n < count; n++) {
        const double turn = full_turn / 2 * (double)(n * n % (2 * count)) / (double)count;
        b[n] = CMPLX(cos(turn), sin(turn));
        if (n)
            b[size - n] = b[n];
        a[n] = x[n] * conj(b[n]);
    }
    const double complex *chirp = b;
    double complex *kept = arena_array(arena, count, sizeof *kept);
    if (!kept)
        return false;
    for (size_t n = 0; n < count; n++)
        kept[n] = conj(chirp[n]);
    transform(a, size);
    transform(b, size);
    for (size_t n = 0; n < size; n++)
        a[n] = conj(a[n] * b[n]); /* the inverse transform is the conjugate of that of the conjugate */
    transform(a, size);
    for (size_t n = 0; n < count; n++)
        x[n] = conj(a[n]) / (double)size * kept[n];
    return true;
}

bool samples_spectrum(struct arena *a, double complex *x, const double *weights, size_t count)
{
    for (size_t n = 0; n < count; n++)
        x[n] *= weights[n];
    if (!any_transform(a, x, count))
        return false;
    for (size_t k = 0; k < count / 2 + 1; k++)
        x[k] *= (k == 0 || 2 * k == count ? 1.0 : 2.0) / (double)count;
    return true;
}

bool samples_transform(struct arena *a, double complex *x, size_t count, bool inverse)
{
    for (size_t n = 0; n < count && inverse; n++)
        x[n] = conj(x[n]);
    if (!any_transform(a, x, count))
        return false;
    for (size_t n = 0; n < count; n++)
        x[n] = inverse ? conj(x[n]) : x[n] / (double)count;
    return true;
}
