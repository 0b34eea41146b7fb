/* analysis.h - what all factors of matrices of one pattern have in common: the block triangular form, the order in which
 * pivots are looked for, and where there is much fill the fronts of that order and the room in which they are factored.
 */
#ifndef SPARSE_ANALYSIS_H
#define SPARSE_ANALYSIS_H

#include "sparse/factors/arrangement.h"

struct sparse_analysis {
    klu_symbolic *symbolic;         /* of all of the pattern, for KLU */
    struct arrangement arrangement; /* fronts.count 0: factors are made by columns */
    struct fronts_room rooms[2];    /* of real and of complex fronts */
};

/* Products for each entry of the factors from which on fronts take less time than columns: bench/README.md. */
extern const double sparse_many_products;

/* That of a pattern, made once; *own: it belongs to the caller.  KN_ERROR_CIRCUIT when the pattern is structurally
 * singular. */
enum kn_status sparse_analysis_of(const struct sparse_pattern *p, struct sparse_analysis **out, bool *own);
/* Fronts for other numbers, all of which are factored in the same room, one after the other.  False without memory. */
bool sparse_analysis_fronts(struct sparse_analysis *s, bool is_complex, struct fronts *out);

/* KLU as it is used here: products that elimination takes are added to *products. */
klu_common sparse_analysis_settings(double *products);
/* The order in which pivots are looked for (order.c), KLU's user_order: entries of L, 0: without memory.  Adds the products
 * that elimination in that order takes to the double at common->user_data, if there is one. */
int pivot_order(int n, int *start, int *row, int *order, klu_common *common);

#endif
