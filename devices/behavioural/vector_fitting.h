/* vector_fitting.h - poles that follow a transfer function, as a chain of all-pass sections with taps:
 *
 *     H(s) = direct + sum_k (t_k0 + t_k1 s) / D_k(s) prod_(i<k) D_i(-s) / D_i(s)
 *
 * where D_k = (s - p)(s - p*), of a real pole D_k = s - p without t_k1.  Its terms are orthogonal, so that none is larger than H; the
 * terms r/(s - p) of a sum of poles that lie near each other cancel to a ten thousandth (P. S. C. Heuberger, P. M. J. Van den Hof
 * and B. Wahlberg (eds.), Modelling and Identification with Rational Orthogonal Basis Functions, 2005, chapter 2).
 */
#ifndef DEVICES_BEHAVIOURAL_VECTOR_FITTING_H
#define DEVICES_BEHAVIOURAL_VECTOR_FITTING_H

#include "base/diagnostics.h"

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

struct transfer_sample {
    double w; /* 1/s, from 0 on */
    double complex value;
    double weight; /* in the sum of squares; 0: it is not among them */
    double judged; /* times a deviation there: what is to be small; 0: it is not looked at */
};

struct chain_link {
    double complex pole; /* 1/s; where its imaginary part is above 0, the conjugate is one too */
    double taps[2];
};

struct tapped_chain {
    struct chain_link *links; /* [count] */
    size_t count;
    double direct; /* the value at infinity */
    double error;  /* the largest deviation from a sample, times `judged` */
};

struct fit_problem {
    const struct transfer_sample *samples;
    size_t count;
    int order;   /* poles, conjugates too */
    bool direct; /* may there be a value at infinity? */
};

/* Coefficients of D_k, ascending; returns their number. */
size_t chain_denominator(double complex pole, double d[3]);
/* At w (1/s). */
double complex tapped_chain_value(const struct tapped_chain *c, double w);

/* The chain of `order` poles, none of which grows, that deviates least; out->links has room for `order`.  At least twice as many
 * samples as poles have a weight. */
enum kn_status vector_fit(const struct fit_problem *p, struct tapped_chain *out);

#endif
