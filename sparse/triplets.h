/* triplets.h - sparse matrices entry by entry, scaled and factored, for decisions about regularity. */
#ifndef SPARSE_TRIPLETS_H
#define SPARSE_TRIPLETS_H

#include "sparse/sparse.h"

/* Entries in any order; those of one place add up. */
struct triplets {
    int *row, *column;
    double *value;
    size_t count, capacity;
};

/* false without memory */
bool triplets_add(struct triplets *t, int row, int column, double value);
void triplets_free(struct triplets *t);

/* Scales rows and columns in place to largest entries of about 1; rows[n], columns[n] receive the factors, powers of 2
 * (equilibrate.h). */
bool triplets_scale(int n, struct triplets *t, double *rows, double *columns);

/* A matrix with its factors; pattern NULL: none. */
struct factored {
    struct sparse_pattern *pattern;
    double *values;
    struct sparse_lu *lu;
    double condition; /* estimate in the 1-norm; INFINITY: singular, and there are no factors */
};

/* Factors the n x n matrix of the triplets; a singular one is no error. */
enum kn_status triplets_factor(int n, const struct triplets *t, struct factored *out);
void factored_free(struct factored *f);

/* Scales the triplets and estimates their condition; INFINITY: singular. */
enum kn_status triplets_condition(int n, struct triplets *t, double *condition);

#endif
