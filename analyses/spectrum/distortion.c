/* distortion.c - see distortion.h. */
#include "analyses/spectrum/distortion.h"

#include <math.h>
#include <stdbool.h>

/* The number of the harmonic that a line belongs to, 0: the mean, -1: none. */
static long harmonic_of(size_t line, size_t fundamental, size_t width)
{
    const size_t nearest = (line + fundamental / 2) / fundamental, at = nearest * fundamental;
    const size_t distance = line > at ? line - at : at - line;
    return distance <= width ? (long)nearest : -1;
}

struct distortion distortion_of(const double *amplitudes, size_t count, size_t fundamental, size_t harmonics,
                                size_t width)
{
    double tone = 0, bent = 0, noise = 0, largest = 0;
    width = 2 * width < fundamental ? width : (fundamental - 1) / 2;
    for (size_t k = 0; k < count; k++) {
        const double power = amplitudes[k] * amplitudes[k];
        const long number = harmonic_of(k, fundamental, width);
        const bool is_harmonic = number > 1 && (size_t)number <= harmonics;
        if (number == 0)
            continue;
        if (number == 1)
            tone += power;
        else if (is_harmonic)
            bent += power;
        else
            noise += power;
        if (number != 1)
            largest = fmax(largest, amplitudes[k]);
    }
    struct distortion d = {.thd = 100 * sqrt(bent / tone), .snr = 10 * log10(tone / noise)};
    d.sndr = 10 * log10(tone / (noise + bent));
    d.enob = (d.sndr - 1.76) / 6.02;
    d.sfdr = 20 * log10(amplitudes[fundamental] / largest);
    return d;
}
