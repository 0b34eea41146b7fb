/* response.h - what an element of the kind "operator" makes of its argument: y = H x with a linear H in time.
 *
 * One description for all that is written with states: ddt( ), idt( ), delay( ), LAPLACE, FREQ, CHEBYSHEV, POLE and the
 * transfer functions of code models.
 */
#ifndef NETLIST_RESPONSE_H
#define NETLIST_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>

/* N(s)/D(s), coefficients in ascending powers of s (1/s); the last of each is not 0. */
struct rational {
    const double *numerator, *denominator;
    size_t numerator_count, denominator_count;
};

/* Magnitudes and phases at rising frequencies (Hz, dB, degrees), straight between them over the frequency; nothing passes
 * below the first and above the last. */
struct frequency_table {
    const double *frequency, *decibel, *phase;
    size_t count;
};

struct expression;

struct response {
    /* H of small signals and at rest, times e^(-s delay): a table, or a formula whose only variable, if it has one, is s and
     * which is no ratio of polynomials.  Both NULL: the sections. */
    const struct frequency_table *table;
    const struct expression *of_s;
    /* The product of the sections, which stand one behind the other, or their sum, times e^(-s delay).  Without sections
     * H is 1. */
    const struct rational *sections;
    size_t section_count;
    bool parallel;
    double delay; /* s */
    /* An integral whose value at rest is told, whatever its argument is there. */
    bool held;
    double rest;
};

/* Whether there is no waveform that follows from it. */
static inline bool response_is_of_frequencies(const struct response *r)
{
    return r->table || r->of_s;
}

#endif
