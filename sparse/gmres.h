/* gmres.h - equations with a large linear map by the generalised minimal residual method (Saad and Schultz, SIAM J. Sci.
 * Stat. Comput. 7, 1986), for maps near the identity but for few directions. */
#ifndef SPARSE_GMRES_H
#define SPARSE_GMRES_H

#include "sparse/arnoldi.h"

/* A x = b: x [n] is where it begins and what comes out; restarted when `basis` vectors are there.  Ends with a residual of
 * `relative` times |b|, or KN_ERROR_CONVERGENCE; *applications counts (may be NULL). */
enum kn_status gmres_solve(const struct linear_map *map, const double complex *b, double relative, int basis,
                           double complex *x, int *applications);

#endif
