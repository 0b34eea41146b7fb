/* complex_matrix.h - small dense complex matrices, row-major [n x n]: those of the ports of a circuit. */
#ifndef SPARSE_COMPLEX_MATRIX_H
#define SPARSE_COMPLEX_MATRIX_H

#include "base/arena.h"
#include "knoten.h"

#include <complex.h>

/* out := a b */
void complex_multiply(int n, const double complex *a, const double complex *b, double complex *out);

#endif
