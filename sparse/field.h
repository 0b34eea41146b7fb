/* field.h - numbers modulo the prime 2^61 - 1, in which no rounding hides a rank.
 *
 * A rank found there is never larger than that of the matrix of fractions, and smaller only if a number that depends on
 * all values is by chance a multiple of the prime: once in 1e18 / (size of the matrix).
 */
#ifndef SPARSE_FIELD_H
#define SPARSE_FIELD_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t field; /* below FIELD_PRIME */
#define FIELD_PRIME ((UINT64_C(1) << 61) - 1)

field field_add(field a, field b);
field field_negate(field a);
field field_multiply(field a, field b);
field field_power(field a, uint64_t exponent);
field field_inverse(field a); /* a != 0 */

/* A number that has nothing to do with any value; different for each i, the same in each run. */
field field_scattered(uint64_t i);

/* The number that a finite value was meant to be.  Written with up to 12 digits, 0.1, or the reciprocal of such a
 * number, or a fraction of small numbers, it is taken for what it is, *exact stays; otherwise for what its bits say,
 * and *exact becomes false. */
field field_of(double value, bool *exact);

/* A number of up to 8 digits, its reciprocal, or a fraction of small numbers, up to rounding: what the ratio or product
 * of two values is that somebody computed from each other, and hardly ever that of others. */
bool field_is_simple(double value);

/* Row-major. */
struct field_matrix {
    int rows, columns;
    field *at;
};

static inline field *field_at(const struct field_matrix *a, int row, int column)
{
    return &a->at[(size_t)row * (size_t)a->columns + (size_t)column];
}

/* All that return bool return false without memory. */
bool field_matrix_new(struct arena *memory, int rows, int columns, struct field_matrix *out);
bool field_matrix_multiply(struct arena *memory, const struct field_matrix *a, const struct field_matrix *b,
                           struct field_matrix *out);
/* Brings the first `columns` columns to reduced row echelon form, doing the same to those behind; pivot[rows] (may be
 * NULL): the column of each row's 1.  Returns the rank. */
int field_matrix_reduce(struct field_matrix *a, int columns, int *pivot);
bool field_matrix_rank(struct arena *memory, const struct field_matrix *a, int *rank);
/* Basis of the right null space, its vectors as columns. */
bool field_matrix_kernel(struct arena *memory, const struct field_matrix *a, struct field_matrix *out);

#endif
