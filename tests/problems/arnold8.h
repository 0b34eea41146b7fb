/* arnold8.h - an index-2 problem with a known solution. */
#ifndef TESTS_PROBLEMS_ARNOLD8_H
#define TESTS_PROBLEMS_ARNOLD8_H

#include "problems/problem.h"

#include <math.h>

/* Arnold 1996, Ex. 8 with mu0 = 1, index 2: y1' = 4 y1^2 - y2^2 + z, y2' = (y1 y2 + 2 z^2) z, 0 = 4 y1 + y2 - 6 sin t;
 * exact y1 = sin t, y2 = 2 sin t, z = cos t. */
static inline void arnold8(double t, const double *x, double *f, double *q, double *G, double *C, double *dfdt)
{
    const double y1 = x[0], y2 = x[1], z = x[2];
    q[0] = y1, q[1] = y2;
    C[0] = C[4] = 1;
    f[0] = -(4 * y1 * y1 - y2 * y2 + z);
    f[1] = -(y1 * y2 + 2 * z * z) * z;
    f[2] = 4 * y1 + y2 - 6 * sin(t);
    G[0] = -8 * y1, G[1] = 2 * y2, G[2] = -1;
    G[3] = -y2 * z, G[4] = -y1 * z, G[5] = -y1 * y2 - 6 * z * z;
    G[6] = 4, G[7] = 1;
    dfdt[2] = -6 * cos(t);
}

static inline void arnold8_exact(double t, double *x)
{
    x[0] = sin(t), x[1] = 2 * sin(t), x[2] = cos(t);
}

static const enum dae_class arnold8_classes[] = {DAE_DIFFERENTIAL, DAE_DIFFERENTIAL, DAE_INDEX2};
static const struct problem arnold_problem = {"Arnold Ex. 8", 3, false, arnold8, arnold8_exact, arnold8_classes, NULL};

#endif
