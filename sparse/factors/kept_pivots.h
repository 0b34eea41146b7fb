/* kept_pivots.h - the factors of a matrix whose pivots were chosen by KLU, made again for other values, and solutions with
 * them.
 *
 * Column by column from the left (Gilbert and Peierls, SIAM J. Sci. Stat. Comput. 9 (1988) 862-874) over the patterns that
 * the factorisation with pivoting found, A(P, Q) = L U + F with L and U block diagonal and F above the blocks.  klu_refactor
 * does the same; here the growth of the pivots is measured on the way, rows are weighted for that but not scaled, and the
 * numbers stand in plain arrays.  Real and complex matrices go through the same lines (kept_pivots_numbers.h).
 */
#ifndef SPARSE_KEPT_PIVOTS_H
#define SPARSE_KEPT_PIVOTS_H

#include "sparse/factors/analysis.h"

/* Columns of a triangular or off-diagonal part. */
struct part {
    int *start; /* [n + 1] */
    int *row;
    void *value;     /* double or double complex */
    size_t capacity; /* of row and value */
};

/* ---- small matrices ----
 *
 * There loops over columns of no or a few entries are most of the work of a solution: instead one list of all operations,
 * in their order. */

/* Unknowns up to which real matrices count as small.  With larger ones time is spent waiting for the unknowns before, not
 * in loops: bench/README.md. */
enum { STRAIGHT_MOST = 32 };

/* b[to] -= value b[from], unknowns by their rows in A */
struct straight_operation {
    double value;
    int to, from;
};

/* Where its number comes from, and what that is multiplied by; NULL: nothing. */
struct straight_source {
    const double *value, *divisor;
};

struct straight {
    struct straight_operation *operations;
    struct straight_source *sources;
    size_t room; /* of both */
    int count;
};

struct kept_pivots {
    bool is_complex;
    int n;
    struct arrangement at;    /* without fronts */
    bool borrowed;            /* that of all factors of the pattern, none of it their own */
    struct part lower;        /* without its diagonal of ones */
    struct part upper;        /* without its diagonal; rows ascend, so that each is final when it is used */
    struct part above;        /* the blocks; start and row are those of the arrangement */
    void *divisor;            /* [n] pivots; of complex ones reciprocals, which not every quotient must make again */
    double *row_weight;       /* [n] reciprocal of the largest entry of a row in the blocks */
    void *work;               /* [n], zero between calls */
    struct straight straight; /* of small real matrices */
    struct fronts fronts;     /* instead of lower and upper where these have many entries */
};

/* Room for factors of matrices of a pattern, by fronts where its analysis has some.  KN_ERROR_MEMORY: nothing is held. */
enum kn_status kept_pivots_init(struct kept_pivots *k, const struct sparse_pattern *p, struct sparse_analysis *analysis,
                                bool is_complex);
/* Factors with pivots on the diagonal of the order in which they are looked for; false where KLU would, by `least`, choose
 * another one, or the factors are not made by fronts. */
bool kept_pivots_try(struct kept_pivots *k, const void *values, double least, double *growth);
/* From the factors that KLU has just made, in the memory of those before. KN_ERROR_MEMORY. */
enum kn_status kept_pivots_take(struct kept_pivots *k, const struct sparse_pattern *p, klu_symbolic *symbolic,
                                klu_numeric *numeric, klu_common *common);
void kept_pivots_free(struct kept_pivots *k);
/* Factors other values; *growth: the least ratio of the weighted sums of sizes in a column of A and in that of U, which is
 * small where pivots are bad; NULL: the caller looks at solutions instead.  False when a pivot is 0 or, with growth, a number
 * is not finite. */
bool kept_pivots_factor(struct kept_pivots *k, const void *values, double *growth);
/* b := A^-1 b, and A^-T b (without conjugation) */
void kept_pivots_solve(struct kept_pivots *k, void *b);
void kept_pivots_solve_transposed(struct kept_pivots *k, void *b);
size_t kept_pivots_bytes(const struct kept_pivots *k);

#endif
