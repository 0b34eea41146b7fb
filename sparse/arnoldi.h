/* arnoldi.h - the largest eigenvalues of a large linear map: the implicitly restarted Arnoldi method (Sorensen, SIAM J.
 * Matrix Anal. Appl. 13, 1992) by ARPACK, its only user.  The program can be built without. */
#ifndef SPARSE_ARNOLDI_H
#define SPARSE_ARNOLDI_H

#include "knoten.h"

#include <complex.h>
#include <stdbool.h>

struct linear_map {
    int n;
    void *context;
    enum kn_status (*apply)(void *context, double complex *x); /* x [n] := A x */
};

struct ritz_value {
    double complex value;
    double residual; /* |A v - value v| / |value| for a unit vector v */
};

bool arnoldi_is_there(void);

/* The `wanted` largest by magnitude, fewer where n is small or the method does not converge: out [wanted].  start [n]:
 * where the method begins, destroyed; real vectors and maps keep everything real.  KN_ERROR_ARGUMENT: built without. */
enum kn_status arnoldi_largest(const struct linear_map *map, double complex *start, int wanted, struct ritz_value *out,
                               int *found);

#endif
