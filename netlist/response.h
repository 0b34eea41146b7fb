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
 * below the first and above the last.  In time: waveform_response.h. */
struct frequency_table {
    const double *frequency, *decibel, *phase;
    size_t count;
};

struct expression;

struct response {
    /* H of small signals, times e^(-s delay): a table, or a formula whose only variable, if it has one, is s and which is no
     * ratio of polynomials.  Both NULL: the sections. */
    const struct frequency_table *table;
    const struct expression *of_s;
    /* The product of the sections, which stand one behind the other, times e^(-s (delay + lag)).  Without sections H is 1.  With
     * taps [2 section_count + 1] they are what follows a table or a formula in time: taps[0], and of what section k takes in, over
     * its denominator, taps[2k+1] + taps[2k+2] s. */
    const struct rational *sections;
    size_t section_count;
    const double *taps;
    double delay, lag; /* s */
    /* An integral whose value at rest is told, whatever its argument is there. */
    bool held;
    double rest;
};

/* Whether it is told for frequencies, and not by sections alone. */
static inline bool response_is_of_frequencies(const struct response *r)
{
    return r->table || r->of_s;
}

/* Such a one that has sections for what happens in time. */
static inline bool response_is_followed(const struct response *r)
{
    return response_is_of_frequencies(r) && r->taps;
}

/* s, in time. */
static inline double response_lateness(const struct response *r)
{
    return r->delay + r->lag;
}

#endif
