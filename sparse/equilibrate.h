/* equilibrate.h - the scaling before any decision about a rank: rows and columns times powers of 2, so that nothing is
 * rounded, until their largest entries are about 1 (Ruiz, RAL-TR-2001-034).
 *
 * Entries of a circuit's equations span many decades and units; singular values and conditions tell nothing without it.
 */
#ifndef SPARSE_EQUILIBRATE_H
#define SPARSE_EQUILIBRATE_H

#include <stdbool.h>
#include <stddef.h>

/* Entries of a rows x columns matrix in any order. */
struct entries {
    int rows, columns;
    size_t count;
    const int *row, *column; /* [count] */
    const double *value;     /* [count] */
};

/* row_factor [rows], column_factor [columns]; 1 where there are no entries.  false without memory. */
bool equilibrate(const struct entries *a, double *row_factor, double *column_factor);

#endif
