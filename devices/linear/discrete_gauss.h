/* discrete_gauss.h - many points of weight one as a few with weights: Gauss quadrature of a discrete measure. */
#ifndef DEVICES_LINEAR_DISCRETE_GAUSS_H
#define DEVICES_LINEAR_DISCRETE_GAUSS_H

#include <stddef.h>

enum { GAUSS_NODES = 4 };

/* places and weights [GAUSS_NODES] whose moments up to the seventh are those of points [count], which ascend; returns how
 * many there are: fewer points stay as they are. */
size_t discrete_gauss(const double *points, size_t count, double places[GAUSS_NODES], double weights[GAUSS_NODES]);

#endif
