/* chord.h - a straight line from the last row that is written, for as long as it may stand for the ends of steps behind it.
 *
 * Points that lie on the line within a tolerance of their own need no row.  Each leaves, of each column, the slopes with which a
 * line from the row passes it; a line to a later point passes all of them if its slopes are among what all have left (C. M. Williams,
 * Computer Graphics and Image Processing 8, 1978, 286).
 */
#ifndef ANALYSES_TRANSIENT_CHORD_H
#define ANALYSES_TRANSIENT_CHORD_H

#include <stdbool.h>
#include <stddef.h>

struct chord {
    size_t count;         /* columns */
    double from;          /* s: of the row */
    double *row;          /* [count] */
    double *least, *most; /* [count] 1/s: slopes that pass all points so far */
};

/* false without memory; then chord_free is still to be called. */
bool chord_init(struct chord *c, size_t count);
void chord_free(struct chord *c);

/* The line begins at that row. */
void chord_begin(struct chord *c, double time, const double *row);
/* Whether it may go on to that row, later than all others. */
bool chord_reaches(const struct chord *c, double time, const double *row);
/* It may pass that row within allowed [count] of it, in each column. */
void chord_pass(struct chord *c, double time, const double *row, const double *allowed);

#endif
