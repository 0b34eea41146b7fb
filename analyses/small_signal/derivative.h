/* derivative.h - the derivatives of f, G and C of a circuit with respect to one of its values.
 *
 * The elements that a value concerns are set up and evaluated with six numbers beside it, v +- h, v +- h/2, v +- h/4;
 * central differences, extrapolated twice (Richardson 1911; Romberg 1955), leave an error of h^6.  They are compared with
 * those of the two nearer pairs, extrapolated once.  h is v/256, less where the two differ by more than 1e-6 or
 * one of the numbers cannot be, and less for a long delay.  What rounding does is of the order of 1e-16 v/h.
 */
#ifndef ANALYSES_SMALL_SIGNAL_DERIVATIVE_H
#define ANALYSES_SMALL_SIGNAL_DERIVATIVE_H

#include "analyses/small_signal/values.h"
#include "mna/variant.h"

enum { DERIVATIVE_POINTS = 6 };

/* Where a function is evaluated, in h, and its weights: h dg/dv = sum of weight[k] g(v + step[k] h). */
extern const double derivative_step[DERIVATIVE_POINTS], derivative_weight[DERIVATIVE_POINTS];
/* The same, extrapolated once, to compare. */
extern const double derivative_lower[DERIVATIVE_POINTS];

struct derivative {
    struct mna_variants *variants;
    struct altered altered;
    const double *x; /* [n] where all is evaluated */
    int n;
    double fastest; /* 1/s: the largest w that will be asked for */
    double h;
    double doubt;                                  /* relative difference of the two extrapolations */
    struct mna_variant *points[DERIVATIVE_POINTS]; /* of the current value */
    double *f;                                     /* [n] df/dv */
    double *terms;                                 /* [n] sizes of the terms of f */
    double *G, *C;                                 /* [count] dG/dv, dC/dv .. */
    size_t count, room;
    int *row, *column;      /* .. in these places, -1: ground */
    double complex *delays; /* [count] */
};

/* free with derivative_free, also after a failure. */
enum kn_status derivative_init(struct derivative *d, struct mna *m, const double *x, double fastest);
void derivative_free(struct derivative *d);

/* Of a value; *there is false where the circuit has none: a default that is not the number that counts, or a number beside
 * which others cannot be. */
enum kn_status derivative_of(struct derivative *d, const struct value *v, bool *there);
/* y^T dA/dv x at w (1/s), A = G + j w C and delays. */
double complex derivative_form(struct derivative *d, double w, const double complex *y, const double complex *x);

#endif
