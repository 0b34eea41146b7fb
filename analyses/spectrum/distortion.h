/* distortion.h - what a spectrum says about a sine: harmonics, noise, and their ratios. */
#ifndef ANALYSES_SPECTRUM_DISTORTION_H
#define ANALYSES_SPECTRUM_DISTORTION_H

#include <stddef.h>

struct distortion {
    double thd;  /* percent of the fundamental */
    double snr;  /* dB, what is neither harmonic nor mean */
    double sndr; /* dB, that and the harmonics */
    double enob; /* bits: (sndr - 1.76)/6.02 */
    double sfdr; /* dB, the largest of them */
};

/* Amplitudes [count] of lines, the mean first; the fundamental and its harmonics take `width` lines beside their own.
 * harmonics: the number of the last one that counts. */
struct distortion distortion_of(const double *amplitudes, size_t count, size_t fundamental, size_t harmonics,
                                size_t width);

#endif
