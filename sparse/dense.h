/* dense.h - small dense matrices and their null spaces, for the index analysis.
 *
 * Entries of a circuit's equations span many decades and units, so every decision about a rank is made on a matrix
 * whose rows and columns have been scaled to largest entries of about 1 (equilibrate.h), by singular values;
 * and what is left over where products cancel is set to 0, since scaling would blow it up.  Null spaces come in reduced
 * echelon form: the identity in some rows, so that the unit vectors of the others span a complement, and vectors as
 * sparse as possible.
 */
#ifndef SPARSE_DENSE_H
#define SPARSE_DENSE_H

#include "base/arena.h"
#include "sparse/sparse.h"

#include <complex.h>

/* Column-major; memory belongs to an arena. */
struct dense {
    int rows, columns;
    double *at;
};

static inline double *dense_at(const struct dense *a, int row, int column)
{
    return &a->at[(size_t)column * (size_t)a->rows + (size_t)row];
}

/* All functions below that return bool return false without memory. */
bool dense_new(struct arena *memory, int rows, int columns, struct dense *out);
bool dense_identity(struct arena *memory, int n, struct dense *out);
bool dense_of(struct arena *memory, const struct sparse_pattern *p, const double *values, struct dense *out);
/* rows, columns: which ones; NULL for all. */
bool dense_select(struct arena *memory, const struct dense *a, const int *rows, int row_count, const int *columns,
                  int column_count, struct dense *out);
bool dense_transpose(struct arena *memory, const struct dense *a, struct dense *out);
/* a b, entries that are round-off of their terms set to 0. */
bool dense_multiply(struct arena *memory, const struct dense *a, const struct dense *b, struct dense *out);
/* The same for factors whose entries have errors themselves: relative errors, or absolute ones of a (may be NULL). */
bool dense_multiply_rough(struct arena *memory, const struct dense *a, const struct dense *b, double relative,
                          const struct dense *noise, struct dense *out);
/* a -= b, likewise. */
void dense_subtract(struct dense *a, const struct dense *b);
/* a^-1 b for a regular square a. */
enum kn_status dense_solve(struct arena *memory, const struct dense *a, const struct dense *b, struct dense *out);
/* *sign of the determinant of a square matrix, which is used up; 0 where it is singular.  KN_ERROR_CONVERGENCE: it has a NaN. */
enum kn_status dense_determinant_sign(struct dense *a, int *sign);

struct eigenvalue {
    double complex value;
    double error; /* relative */
};

/* Of a v = lambda b v, [rows of a]; INFINITY where b is singular. */
enum kn_status dense_eigenvalues(struct arena *memory, const struct dense *a, const struct dense *b,
                                 struct eigenvalue *out);

/* Whether all of them surely have positive real parts (a pair that is positive stable: Horn and Johnson, Topics in Matrix
 * Analysis, 1991, chapter 2), not near 0 and known well enough: those of b^-1 a, which knows the large ones, must be the
 * inverses of those of a^-1 b, which knows the small ones.  Without eigenvectors: a tenth of the time. */
enum kn_status dense_is_positive_stable(struct arena *memory, const struct dense *a, const struct dense *b,
                                        bool *surely);

/* Of one matrix, those of large parts by the QR algorithm (Francis, Comput. J. 4, 1961), many times faster than as of a pair; each
 * is wrong by the rounding of the whole over its condition number, to the first order (Golub and Van Loan, Matrix
 * Computations, section 7.2.2). */
enum kn_status dense_matrix_eigenvalues(struct arena *memory, const struct dense *a, struct eigenvalue *out);

/* Of a matrix that is symmetric but for rounding, much faster: those of its symmetric part, each wrong by no more than the norm
 * of the rest and the rounding of the whole (Weyl 1912; Bauer and Fike, Numer. Math. 2, 1960). */
enum kn_status dense_symmetric_eigenvalues(struct arena *memory, const struct dense *a, struct eigenvalue *out);
/* Largest |a_ij - a_ji|/2 beside the largest entry. */
double dense_asymmetry(const struct dense *a);

/* Factors for the rows and columns, powers of 2, by which a matrix gets largest entries of about 1. */
struct scaling {
    double *rows, *columns;
};
bool dense_scaling(struct arena *memory, const struct dense *a, struct scaling *out);
double dense_largest(const struct dense *a);

/* Both null spaces of a matrix. */
struct kernel {
    int rank;
    struct dense right;               /* [columns x (columns - rank)] */
    struct dense left;                /* [rows x (rows - rank)] */
    int *row_kept, *column_kept;      /* [rank] the other rows and columns: there the matrix is regular */
    int *row_pivot, *column_pivot;    /* of the null vectors */
    double smallest, largest_dropped; /* singular values that were kept and that were not, relative to the largest */
    double condition;                 /* of the scaled matrix without its null space */
};

/* Singular values below tolerance times the largest count as 0; tolerance 0: what the round-off of entries explains. */
enum kn_status kernel_find(struct arena *memory, const struct dense *a, double tolerance, struct kernel *out);
/* The same where the errors of the entries are known to be larger. */
enum kn_status kernel_find_noisy(struct arena *memory, const struct dense *a, const struct dense *noise,
                                 double tolerance, struct kernel *out);

/* Brings the columns of a basis to reduced echelon form; scale[rows] tells what is large.  pivot[columns], kept[rows -
 * columns]: the other rows in order. */
bool dense_echelon(struct arena *memory, struct dense *basis, const double *scale, int *pivot, int *kept);
/* Without looking for blocks, in which the matrix may fall apart. */
enum kn_status kernel_find_whole(struct arena *memory, const struct dense *a, const struct dense *noise,
                                 double tolerance, struct kernel *out);

#endif
