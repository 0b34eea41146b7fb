/* transform.c - see transform.h.
 *
 * Windows by F. J. Harris, On the use of windows for harmonic analysis with the discrete Fourier transform, Proceedings of
 * the IEEE 66, 1978: Blackman's is his "exact" three-term one with the lowest side lobes (-67 dB), as in HSPICE, Harris's
 * the four-term one (-92 dB).  The transform is that of J. W. Cooley and J. W. Tukey, Mathematics of Computation 19, 1965.
 */
#include "analyses/spectrum/transform.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

static double cosines(const double *a, int count, double part)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (i % 2 ? -a[i] : a[i]) * cos(2 * PI * i * part);
    return sum;
}

/* I_0(x) = sum ((x/2)^k/k!)^2 (M. Abramowitz, I. Stegun, 9.6.12) */
static double bessel_i0(double x)
{
    double term = 1, sum = 1;
    for (int k = 1; k < 500 && term > 1e-17 * sum; k++) {
        term *= x * x / (4.0 * k * k);
        sum += term;
    }
    return sum;
}

static double weight(enum spectrum_window window, double shape, double part)
{
    static const double hann[] = {0.5, 0.5}, hamming[] = {0.54, 0.46};
    static const double blackman[] = {0.42323, 0.49755, 0.07922}, harris[] = {0.35875, 0.48829, 0.14128, 0.01168};
    const double from_middle = 2 * part - 1; /* -1 .. 1 */
    switch (window) {
    case WINDOW_BARTLETT:
        return 1 - fabs(from_middle);
    case WINDOW_HANN:
        return cosines(hann, 2, part);
    case WINDOW_HAMMING:
        return cosines(hamming, 2, part);
    case WINDOW_BLACKMAN:
        return cosines(blackman, 3, part);
    case WINDOW_HARRIS:
        return cosines(harris, 4, part);
    case WINDOW_GAUSS:
        return exp(-0.5 * shape * from_middle * shape * from_middle);
    case WINDOW_KAISER:
        return bessel_i0(PI * shape * sqrt(fmax(0, 1 - from_middle * from_middle))) / bessel_i0(PI * shape);
    default:
        return 1;
    }
}

void window_fill(enum spectrum_window window, double shape, double *weights, size_t count)
{
    for (size_t n = 0; n < count; n++)
        weights[n] = weight(window, shape, (double)n / (double)count);
}

int window_width(enum spectrum_window window)
{
    switch (window) {
    case WINDOW_RECTANGLE:
        return 0;
    case WINDOW_BARTLETT:
    case WINDOW_HANN:
    case WINDOW_HAMMING:
        return 1;
    case WINDOW_BLACKMAN:
        return 2;
    default:
        return 3;
    }
}

static void reverse_bits(double complex *x, size_t count)
{
    for (size_t i = 0, mirrored = 0; i < count; i++) {
        if (i < mirrored) {
            const double complex kept = x[i];
            x[i] = x[mirrored];
            x[mirrored] = kept;
        }
        size_t bit = count / 2;
        for (; bit > 0 && (mirrored & bit); bit /= 2)
            mirrored ^= bit;
        mirrored |= bit;
    }
}

void transform(double complex *x, size_t count)
{
    reverse_bits(x, count);
    for (size_t length = 2; length <= count; length *= 2)
        for (size_t k = 0; k < length / 2; k++) {
            const double angle = 2 * PI * (double)k / (double)length;
            const double complex turn = CMPLX(cos(angle), -sin(angle));
            for (size_t begin = k; begin < count; begin += length) {
                const double complex a = x[begin], b = turn * x[begin + length / 2];
                x[begin] = a + b;
                x[begin + length / 2] = a - b;
            }
        }
}
