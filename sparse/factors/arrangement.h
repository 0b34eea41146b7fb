/* arrangement.h - in which order pivots are taken and where the entries of a matrix stand then; of matrices with much fill
 * the fronts.  No numbers: all factors of a pattern whose pivots are where they are looked for first share one.
 */
#ifndef SPARSE_ARRANGEMENT_H
#define SPARSE_ARRANGEMENT_H

#include "sparse/factors/fronts.h"
#include "sparse/sparse.h"

#include <klu.h>

/* Entries of A by columns, and where in A each comes from. */
struct places {
    int *start; /* [n + 1] */
    int *row, *slot;
};

struct arrangement {
    int n, blocks;
    int *block_start;            /* [blocks + 1] */
    int *row, *column;           /* [n] of A, in the order of the pivots */
    int *place_of;               /* [n] of a row of A in that order */
    struct places inside, above; /* the blocks */
    int *left_out;               /* diagonal entries of A that nobody asked for, which count as 0 */
    int left_out_count;
    struct fronts fronts; /* without numbers; none where there is little fill */
};

/* Room for the order of a pattern, with so many entries above the blocks.  False: without memory; free it then as well. */
bool arrangement_init(struct arrangement *a, const struct sparse_pattern *p, int above);
void arrangement_free(struct arrangement *a);
/* The order in which KLU has been told to look for pivots, or in which it has chosen them. */
void arrangement_take(struct arrangement *a, const klu_symbolic *symbolic, const int *rows);
/* Puts down where entries stand in the order at hand. */
void arrangement_place(struct arrangement *a, const struct sparse_pattern *p);
/* Finds the fronts of the order at hand, and moves pivots within their blocks so that those of a front follow each other; none
 * where a front would be too large.  Places entries.  False without memory. */
bool arrangement_find_fronts(struct arrangement *a, const struct sparse_pattern *p);

#endif
