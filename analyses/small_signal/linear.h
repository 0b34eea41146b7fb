/* linear.h - the equations about the operating point: (G + j w C) X = B with G = df/dx and C = dq/dx, and lines exactly. */
#ifndef ANALYSES_SMALL_SIGNAL_LINEAR_H
#define ANALYSES_SMALL_SIGNAL_LINEAR_H

#include "analyses/small_signal/zero_hertz.h"

#include <complex.h>

struct linear {
    struct setup *setup; /* with its operating point */
    int n;
    double *G, *C;             /* [entries + 1] */
    double complex *A, *dA;    /* [entries + 1] at the frequency factored last, and its derivative with respect to w */
    double complex *workspace; /* [n] */
    struct {
        double frequency;
        double complex *A, *Y; /* [entries + 1], [n] */
    } ahead;                   /* what was solved beside the last frequency; frequency NAN: nothing */
    struct sparse_zlu *lu;
    struct zero_hertz *zero_hertz; /* what 0 Hz leaves open; NULL: nothing, or not asked yet */
    bool completed;                /* the factors are those of its equations */
};

/* Magnitude and phase (degrees) of a source as a number. */
double complex source_phasor(const struct source *s);
double complex phasor_of(double magnitude, double phase);

/* e of an output e^T X, a voltage or the current of a voltage source: added to unit [n]. */
void linear_output(const struct linear *l, const struct request *output, double complex *unit);

/* G and C at the operating point, which is found if need be; free with linear_free. */
enum kn_status linear_init(struct linear *l, struct setup *s, struct analysis_summary *summary);
void linear_free(struct linear *l);
/* The same, and the summary counts its factorizations. */
void linear_end(struct linear *l, struct analysis_summary *summary);
/* G from now on as small signals see it, where that is something else than the slope of direct currents (R with ac=); and
 * that slope again. */
enum kn_status linear_alternate(struct linear *l);
enum kn_status linear_direct(struct linear *l);

/* A = G + j w C and its factors; where it has none, an error names the unknown.  At 0 Hz solutions are limits where the
 * circuit leaves something open there; what has none is infinite, and a warning names it. */
enum kn_status linear_factor(struct linear *l, double frequency);
/* The same for a single solution, Y := A^-T Y [n]; next: the frequency that will be asked for after it, with the same Y, or
 * NAN. */
enum kn_status linear_adjoint(struct linear *l, double frequency, double next, double complex *Y);
/* B [n] := A^-1 B */
void linear_solve(const struct linear *l, double complex *B);
/* B [n] := A^-T B */
void linear_solve_transposed(const struct linear *l, double complex *B);
/* B := -(dA/dw) X, the right side of dX/dw. */
void linear_slope(const struct linear *l, const double complex *X, double complex *B);

#endif
