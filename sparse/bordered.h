/* bordered.h - both null spaces of a large sparse matrix, and equations with it.
 *
 * A matrix A bordered by enough columns U and rows T is regular, and so is [A U; T 0] (x, m) = (0, c).  Its m = D c is
 * 0 exactly if x is a null vector of A, so that the small matrix D has the nullity of A (Govaerts, SIAM 2000, section
 * 3.2).  Where the null vectors are about is known beforehand, a border can be one entry; a few dense ones take the
 * rest.  Of all these as many are kept as there are null vectors.
 */
#ifndef SPARSE_BORDERED_H
#define SPARSE_BORDERED_H

#include "sparse/dense.h"
#include "sparse/triplets.h"

/* Places of the borders of one entry: a row for a left null vector, a column for a right one. */
struct border_places {
    int *row, *column; /* [count], none twice */
    int count;
};

/* Borders of one entry, and dense ones, at most. */
enum { BORDERED_MOST_PLACES = 1500, BORDERED_MOST_DENSE = 12 };

struct bordered {
    int n;
    struct triplets matrix; /* scaled */
    double *row_scale, *column_scale;
    struct border_places places;
    int offered; /* borders of both kinds */
    struct factored factored;
    double *residual, *b; /* [n + offered] workspace */

    bool found;                       /* false: more null vectors than borders, or too badly conditioned */
    struct dense right, left;         /* [n x nullity] */
    double smallest, largest_dropped; /* singular values of D */
};

/* matrix: n x n, taken over (also when it fails); the places must outlive the result.  Free with bordered_free in any
 * case. */
enum kn_status bordered_find(struct arena *memory, int n, struct triplets *matrix, const struct border_places *places,
                             struct bordered *out);
void bordered_free(struct bordered *s);

/* x := a solution of A x = right as far as there is one. [n] each */
void bordered_solve(struct bordered *s, const double *right, double *x);

/* Sets to 0 what solving equations left where there is nothing: below a part of the largest; scale may be NULL. */
void bordered_clean(double *v, const double *scale, int count);

#endif
