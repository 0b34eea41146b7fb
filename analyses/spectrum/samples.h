/* samples.h - vectors over time at even times, and their spectra. */
#ifndef ANALYSES_SPECTRUM_SAMPLES_H
#define ANALYSES_SPECTRUM_SAMPLES_H

#include "base/arena.h"
#include "netlist/circuit.h"

#include <complex.h>

/* Numbers over times, which do not fall; between two of them there is a straight line. */
struct samples {
    const double complex *times, *values; /* [count], times by their real parts */
    size_t count;                         /* at least 2 */
};

/* The value at a time; *at, a place among the times, moves forwards. */
double complex samples_between(const struct samples *s, double time, size_t *at);
/* At `count` times from `begin` on. */
void samples_even(const struct samples *s, double begin, double step, double complex *out, size_t count);
/* Weights [count] of a window, such that the line of a sine is its amplitude. */
void samples_window(enum spectrum_window window, double *weights, size_t count);
/* Samples x [count] become, where they begin, the amplitudes with their phases of count/2 + 1 lines, the mean first.  False
 * without memory. */
bool samples_spectrum(struct arena *a, double complex *x, const double *weights, size_t count);
/* x [count] becomes its discrete Fourier transform, sums of x_n e^(-2 pi j k n/count) over count; the inverse gives x back.
 * False without memory. */
bool samples_transform(struct arena *a, double complex *x, size_t count, bool inverse);

#endif
