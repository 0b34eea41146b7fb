/* dense_triangle.h - the block triangular form of two matrices together, by BTF (Duff and Reid, ACM TOMS 4, 1978; Davis and
 * Palamadai Natarajan, ACM TOMS 37(3), 2010). */
#ifndef SPARSE_DENSE_TRIANGLE_H
#define SPARSE_DENSE_TRIANGLE_H

#include "sparse/dense.h"

/* Rows and columns in their new order; blocks start[k] .. start[k + 1] do not fall apart further. */
struct dense_triangle {
    int count;
    int *row, *column; /* [rows] */
    int *start;        /* [count + 1] */
};

/* Of square matrices; one block where no order gives a diagonal.  false without memory. */
bool dense_triangle_find(struct arena *memory, const struct dense *a, const struct dense *b,
                         struct dense_triangle *out);

#endif
