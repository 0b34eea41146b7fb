/* lapack.h - the routines of LAPACK that are used here, with their workspaces.
 *
 * Fortran's routines, not LAPACKE around them: that library binds 2,700 functions at each start of the program, which took
 * an eighth of the instructions of a short run.  Matrices are dense and stored by columns; what goes in is overwritten.
 * KN_ERROR_CONVERGENCE: not all values came out, there was a NaN, or the matrix is singular.
 */
#ifndef SPARSE_LAPACK_H
#define SPARSE_LAPACK_H

#include "base/diagnostics.h"

#include <complex.h>

/* b [n x columns] := a^-1 b (dgesv). */
enum kn_status lapack_solve(int n, double *a, int columns, double *b);

/* b [max(m, n)] := the x [n] of least |a x - b|, of those the shortest, a [m x n]; directions of a below `rank_part` of its largest
 * count as none (dgelsy). */
enum kn_status lapack_least_squares(int m, int n, double *a, double *b, double rank_part);

/* *sign of the determinant of a [n x n], 0 where a is singular (dgetrf). */
enum kn_status lapack_determinant_sign(int n, double *a, int *sign);

/* a [m x n] = u diag(sigma) vt; sigma [min(m, n)], u [m x m], vt [n x n] (dgesdd). */
enum kn_status lapack_singular_values(int m, int n, double *a, double *sigma, double *u, double *vt);

/* Eigenvalues values [n] of a symmetric matrix, of which the upper half is read (dsyevd). */
enum kn_status lapack_symmetric_eigenvalues(int n, double *a, double *values);

/* Eigenvalues re + i im [n] of a matrix (dgeev). */
enum kn_status lapack_eigenvalues(int n, double *a, double *re, double *im);
/* The same, not balanced, with the reciprocal condition numbers [n] of each (dgeevx). */
enum kn_status lapack_eigenvalues_with_conditions(int n, double *a, double *re, double *im, double *conditions);

/* Eigenvalues (re + i im) / beta [n] of a x = lambda b x (dggev). */
enum kn_status lapack_pair_eigenvalues(int n, double *a, double *b, double *re, double *im, double *beta);
/* The same, permuted only, with the reciprocal condition numbers [n] of each (dggevx). */
enum kn_status lapack_pair_eigenvalues_with_conditions(int n, double *a, double *b, double *re, double *im,
                                                       double *beta, double *conditions);

/* a := a^-1, and the reciprocal of its condition number in the norm of the largest row sum, 0 where a is singular (zgetrf,
 * zgecon, zgetri). */
enum kn_status lapack_complex_inverse(int n, double complex *a, double *reciprocal);

#endif
