/* index_shifted.h - the pencil by shift and invert, for poles of large circuits.
 *
 * (G + s C) x = 0 is (G + z C)^-1 C x = x / (z - s): the poles nearest to z are the largest eigenvalues of a map that
 * takes one sparse solution, and those at infinity are its zeros (Ericsson and Ruhe, Math. Comp. 35, 1980).  Where the
 * index is 2 or more the map has Jordan blocks there; some applications to the start take out what belongs to them
 * (Meerbergen and Spence, SIAM J. Matrix Anal. Appl. 18, 1997).
 */
#ifndef MNA_INDEX_INDEX_SHIFTED_H
#define MNA_INDEX_INDEX_SHIFTED_H

#include "mna/index/index_parts.h"

/* Steps of Newton's method to a pole, at most: one of a dense row of poles takes some twenty (test_index_growing). */
enum { SHIFTED_MOST_STEPS = 24 };

/* Relative distance of the shift from an eigenvalue, which itself would make the matrix singular: other eigenvectors lose a factor of
 * about this in each solution, and the matrix keeps half of its digits. */
#define SHIFTED_BESIDE sqrt(DBL_EPSILON)

struct shifted {
    const struct pencil *p;
    double complex shift;              /* 1/s, z */
    double complex *values;            /* [entries + 1] G + z C */
    double complex *product, *weights; /* [n] */
    struct sparse_zlu *lu;
    const struct mna *mna;
};

/* Vectors belong to the arena, the factors go with shifted_free. */
enum kn_status shifted_new(struct arena *memory, const struct pencil *p, const struct mna *m, struct shifted *s);
void shifted_free(struct shifted *s);

/* KN_ERROR_CIRCUIT: the matrix is singular there. */
enum kn_status shifted_factor(struct shifted *s, double complex shift);
/* x [n] := (G + z C)^-1 C x */
enum kn_status shifted_apply(const struct shifted *s, double complex *x);
/* x [n] := where an iteration begins, largest component 1. */
enum kn_status shifted_start(const struct shifted *s, double complex *x);
/* Moves *pole to the pole beside it; *is_pole: it has hardly moved, *error relative.  Overwrites u [n]. */
enum kn_status shifted_confirm(struct shifted *s, double complex *u, double complex *pole, double *error,
                               bool *is_pole);
/* *error := by how much of its size rounding of the entries of G and C moves a pole, to first order.  u [n] is overwritten. */
enum kn_status shifted_rounding(struct shifted *s, double complex *u, double complex pole, double *error);

#endif
