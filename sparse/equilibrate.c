/* equilibrate.c - see equilibrate.h. */
#include "sparse/equilibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Factors come within a few per cent of what further rounds would give. */
enum { ROUNDS = 12 };

/* Of the square root of 1/x. */
static double nearest_power_of_two(double x)
{
    return x > 0 ? ldexp(1.0, -ilogb(x) / 2) : 1;
}

static void scale_once(const struct entries *a, double *rows, double *columns, double *row_largest,
                       double *column_largest)
{
    memset(row_largest, 0, (size_t)a->rows * sizeof *row_largest);
    memset(column_largest, 0, (size_t)a->columns * sizeof *column_largest);
    for (size_t e = 0; e < a->count; e++) {
        const double size = fabs(a->value[e]) * rows[a->row[e]] * columns[a->column[e]];
        row_largest[a->row[e]] = fmax(row_largest[a->row[e]], size);
        column_largest[a->column[e]] = fmax(column_largest[a->column[e]], size);
    }
    for (int i = 0; i < a->rows; i++)
        rows[i] *= nearest_power_of_two(row_largest[i]);
    for (int j = 0; j < a->columns; j++)
        columns[j] *= nearest_power_of_two(column_largest[j]);
}

bool equilibrate(const struct entries *a, double *row_factor, double *column_factor)
{
    double *largest = malloc(((size_t)a->rows + (size_t)a->columns + 1) * sizeof *largest);
    if (!largest)
        return false;
    for (int i = 0; i < a->rows; i++)
        row_factor[i] = 1;
    for (int j = 0; j < a->columns; j++)
        column_factor[j] = 1;
    for (int round = 0; round < ROUNDS; round++)
        scale_once(a, row_factor, column_factor, largest, largest + a->rows);
    free(largest);
    return true;
}
