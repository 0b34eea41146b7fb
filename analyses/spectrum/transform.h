/* transform.h - windows and the fast Fourier transform of equidistant samples. */
#ifndef ANALYSES_SPECTRUM_TRANSFORM_H
#define ANALYSES_SPECTRUM_TRANSFORM_H

#include "netlist/circuit.h"

#include <complex.h>

/* weights [count] of samples at n/count of the length; periodic, so that a sine with a whole number of periods meets few
 * lines: w(n) = w(count - n). */
void window_fill(enum spectrum_window window, double shape, double *weights, size_t count);
/* How many lines beside that of a sine belong to it. */
int window_width(enum spectrum_window window);

/* x [count], a power of two, becomes sum x_n e^(-2 pi j k n/count), in place. */
void transform(double complex *x, size_t count);

#endif
