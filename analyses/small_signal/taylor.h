/* taylor.h - how G and C change to second order along a direction from the operating point.
 *
 * G(x0 + t u) at t = +-h, +-2h, +-4h ..; odd and even differences of three neighbouring distances, extrapolated twice
 * (Richardson 1911; Romberg 1955), leave errors of h^6.  From the smallest distance on each entry takes the next larger one as
 * long as what it says differs by no more than rounding explains (Lepskii, Theory Probab. Appl. 35, 1990): beyond the first
 * bend, or where higher derivatives count, it does.  So an entry has the distance that suits its own device, whether another
 * one bends within a nanovolt or within volts.  What rounding does to an entry, of its own and of the unknowns that it is a
 * function of, even differences at the nearest distances show, where the function itself is straight, and unknowns shaken by
 * some roundings.
 */
#ifndef ANALYSES_SMALL_SIGNAL_TAYLOR_H
#define ANALYSES_SMALL_SIGNAL_TAYLOR_H

#include "analyses/small_signal/linear.h"

/* Differences at the latest distances, the farthest in front. */
enum { TAYLOR_DISTANCES = 3 };

/* All that is [entries] has G in front and C behind, each with one place more than it has entries. */
struct taylor {
    size_t entries;
    double *first, *second;             /* [entries] d/dt, d2/dt2 */
    double *first_error, *second_error; /* [entries] what rounding may do to them */
    bool *first_found, *second_found;   /* [entries] the next distance said something else */
    double *odd[TAYLOR_DISTANCES],
        *even[TAYLOR_DISTANCES];   /* [entries] (g(h) - g(-h))/2h, (g(h) - 2g(0) + g(-h))/h^2 */
    double *noise;                 /* [entries] of g, seen where nothing else can be */
    double *home, *forward, *back; /* [entries] at 0, h and -h */
    double *x;                     /* [n] */
    double *G1, *C1, *G2, *C2;     /* parts of first and second */
};

/* Arrays in the arena; false without memory. */
bool taylor_init(struct taylor *t, const struct linear *l, struct arena *a);
/* u [n] */
enum kn_status taylor_along(struct taylor *t, const struct linear *l, const double *u);

#endif
