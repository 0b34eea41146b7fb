/* lanes.h - several complex matrices of one pattern factored and solved with at once, by the pivots of the last of them
 * that was factored alone: the loops over indices are walked once for all, and a compiler finds numbers of all lanes next to
 * each other, which a processor takes together. */
#ifndef SPARSE_LANES_H
#define SPARSE_LANES_H

#include "sparse/factors/kept_pivots.h"

#include <complex.h>

/* Numbers of all lanes, in one block that grows; all zero: none yet. */
struct lanes_room {
    void *numbers;
    size_t capacity;
};

void lanes_free(struct lanes_room *room);
/* b[l] := A[l]^-T b[l] (without conjugation).  False, and b as it was, where a pivot is 0, a solution leaves more than
 * left_over of the sizes of its terms in an equation, or memory is out: then they are to be solved one by one. */
bool lanes_solve_transposed(struct lanes_room *room, const struct kept_pivots *k, const struct sparse_pattern *p,
                            const double complex *const values[SPARSE_LANES], double complex *const b[SPARSE_LANES],
                            double left_over);

#endif
