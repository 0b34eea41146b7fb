/* curve.h - a curve over time, or over what is swept, piece by piece, as those look at it who measure it.
 *
 * Within a piece numbers are looked at in its ends and in the eight points of the Gauss-Legendre formula of order 16 (M.
 * Abramowitz, I. Stegun, Handbook of Mathematical Functions, 1964, table 25.4), which integrates polynomials of degree
 * 15 exactly, so the square of one of degree seven.  Between them they are the polynomial through these points, by the
 * second barycentric formula (J.-P. Berrut, L. N. Trefethen, SIAM Review 46, 2004).
 */
#ifndef ANALYSES_MEASURE_CURVE_H
#define ANALYSES_MEASURE_CURVE_H

#include "knoten.h"

/* The ends and the points of Gauss between them. */
enum { CURVE_GAUSS = 8, CURVE_POINTS = CURVE_GAUSS + 2 };

/* Where they are: 0 .. 1. */
extern const double curve_nodes[CURVE_POINTS];
/* Of points 1 .. CURVE_GAUSS in the mean over the piece; 0 at the ends. */
extern const double curve_weights[CURVE_POINTS];

/* Where curve_split asks besides whether the polynomial is right. */
enum { CURVE_TESTS = 3 };
extern const double curve_tests[CURVE_TESTS];

static inline double curve_point(double from, double to, int k)
{
    return k == CURVE_POINTS - 1 ? to : from + (to - from) * curve_nodes[k];
}

/* The polynomial through values [CURVE_POINTS], `stride` apart, at a part of the piece, 0 .. 1; and its derivative with
 * respect to that part. */
double curve_value(const double *values, size_t stride, double part);
double curve_slope(const double *values, size_t stride, double part);

/* Numbers at a point s of the curve. */
struct curve_look {
    void *context;
    enum kn_status (*at)(void *context, double s, double *values);
};

/* Hands on parts of [from, to] on which `count` numbers are what the polynomials through their values [CURVE_POINTS][count]
 * say: the whole where that is so, else parts of it, halved and halved again at corners.  scales [count]: the largest sizes
 * of the numbers so far, which are updated; `exact` is the part of them that counts as equal, of their means over the whole
 * where parts are summed up. */
struct curve_splitter {
    struct curve_look look;
    size_t count;
    double *scales;
    double *workspace; /* [curve_workspace(count)] */
    double exact;
    bool sums;
    void *context;
    enum kn_status (*part)(void *context, double from, double to, const double *values);
};

size_t curve_workspace(size_t count);
enum kn_status curve_split(const struct curve_splitter *c, double from, double to);

#endif
