/* sparse.h - compressed-column patterns and their LU factors.  The only user of KLU (Davis and Palamadai Natarajan,
 * ACM TOMS 37(3), 2010).
 *
 * Analysed once (BTF, leaves and AMD), factored with pivoting when needed, refactored with kept pivots when the values moved
 * little.  A refactorisation with stale pivots never returns garbage: where the growth of pivots costs more than
 * three digits, or a tenth of what fresh ones reach, a full one follows.
 */
#ifndef SPARSE_SPARSE_H
#define SPARSE_SPARSE_H

#include "knoten.h"

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

/* n x n, columns sorted by row.  Value arrays that belong to a pattern have entries + 1 elements: the last one is a bin
 * for what has no place (ground rows and columns). */
struct sparse_pattern {
    int n;
    int entries;
    int *column_start;            /* [n + 1] */
    int *row;                     /* [entries] */
    bool *asked;                  /* [n] whether somebody asked for that diagonal entry; NULL: for all */
    struct sparse_shared *shared; /* by factors of such matrices; NULL: nothing */
};

/* What the first factors of a pattern have found for all, which therefore belong to one thread; it lives as long as the
 * pattern. */
struct sparse_analysis;
struct sparse_shared {
    struct sparse_analysis *analysis;
};
void sparse_analysis_free(struct sparse_analysis *s);

/* From coordinates; duplicates are merged; every diagonal entry is added.  slot[i] receives the place of coordinate i;
 * row or column < 0 gets the bin.  slot may be NULL. */
enum kn_status sparse_pattern_new(int n, const int *rows, const int *columns, size_t count, int *slot,
                                  struct sparse_pattern **out);
void sparse_pattern_free(struct sparse_pattern *p);
/* Zeroed values for the pattern (entries + 1 doubles); free with free(). */
double *sparse_values(const struct sparse_pattern *p);
/* Place of (row, column), or -1. */
int sparse_pattern_find(const struct sparse_pattern *p, int row, int column);
/* y += A x */
void sparse_multiply_add(const struct sparse_pattern *p, const double *values, const double *x, double *y);
/* y += |A| |x|, the scale of the rows of A x. */
void sparse_multiply_add_absolute(const struct sparse_pattern *p, const double *values, const double *x, double *y);

struct sparse_statistics {
    long factorizations;   /* with pivoting */
    long searches;         /* of these the ones in which pivots had to be looked for */
    long refactorizations; /* with kept pivots */
    long repivots;         /* refactorisations thrown away because their pivots were bad */
    long solves;
};

struct sparse_lu;

/* Symbolic analysis.  KN_ERROR_CIRCUIT when the pattern is structurally singular. */
enum kn_status sparse_lu_new(const struct sparse_pattern *p, struct sparse_lu **out);
void sparse_lu_free(struct sparse_lu *lu);

/* Factors the matrix; keeps pivots if they are still good.  KN_ERROR_CIRCUIT when it is singular: then
 * sparse_lu_singular tells where. */
enum kn_status sparse_lu_factor(struct sparse_lu *lu, const double *values);
/* Column (unknown) at which the last factorisation found no pivot, -1 if none. */
int sparse_lu_singular(const struct sparse_lu *lu);
/* b := A^-1 b, n doubles. */
void sparse_lu_solve(struct sparse_lu *lu, double *b);
/* b := A^-T b */
void sparse_lu_solve_transposed(struct sparse_lu *lu, double *b);
/* Operations of a factorisation over those of a solve: about 1 for lines and trees, growing without end with meshes. */
double sparse_lu_effort(const struct sparse_lu *lu);
/* Memory of the factors. */
size_t sparse_lu_bytes(const struct sparse_lu *lu);
/* 1-norm condition estimate (Hager, Higham) of the matrix that has just been factored; costs a few solves. */
double sparse_lu_condition(struct sparse_lu *lu, const double *values);
const struct sparse_statistics *sparse_lu_statistics(const struct sparse_lu *lu);

/* The same for complex values (Radau's complex pairs, small-signal analyses); values has entries + 1 elements. */
struct sparse_zlu;
enum kn_status sparse_zlu_new(const struct sparse_pattern *p, struct sparse_zlu **out);
void sparse_zlu_free(struct sparse_zlu *lu);
enum kn_status sparse_zlu_factor(struct sparse_zlu *lu, const double complex *values);
int sparse_zlu_singular(const struct sparse_zlu *lu);
void sparse_zlu_solve(struct sparse_zlu *lu, double complex *b);
/* b := A^-T b */
void sparse_zlu_solve_transposed(struct sparse_zlu *lu, double complex *b);
/* b := A^-T b (without conjugation) for the next matrix of a sweep that has a single right side: keeps the pivots, and
 * judges them by what the solution leaves in the equations rather than by their growth.  workspace [n].  KN_ERROR_CIRCUIT
 * as from sparse_zlu_factor. */
enum kn_status sparse_zlu_next_transposed(struct sparse_zlu *lu, const double complex *values, double complex *b,
                                          double complex *workspace);
/* The same for several matrices of the sweep at once, each with its right side, in less time than one by one.  False, and
 * nothing done, where that does not go: there are no pivots yet, or they are not good enough for one of them. */
enum { SPARSE_LANES = 2 };
bool sparse_zlu_lanes_transposed(struct sparse_zlu *lu, const double complex *const values[SPARSE_LANES],
                                 double complex *const b[SPARSE_LANES]);
const struct sparse_statistics *sparse_zlu_statistics(const struct sparse_zlu *lu);

#endif
