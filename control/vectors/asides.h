/* asides.h - quantities of devices that a script asks for without having saved them: what ngspice has of them behind an analysis is
 * their value at its last point.  They are columns of the run that no result has, and numbers of its plot for those who name them. */
#ifndef CONTROL_VECTORS_ASIDES_H
#define CONTROL_VECTORS_ASIDES_H

#include "control/vectors/plots.h"

struct asides {
    const char *names; /* pairs of words, a column and the vector that it becomes: "i(d1) @d1[id]"; NULL: none */
    char *words;       /* the same, each with an end of its own */
    struct plot_recorder *recorder;
    const struct kn_sink *sink;         /* gets the tables without them */
    struct kn_table table;              /* that it has */
    struct kn_column *columns, *others; /* [table.column_count], [other_count]; of one block */
    size_t *from, *others_from;         /* their columns in the table of the run */
    double *row, *last;                 /* [table.column_count], [other_count] */
    size_t other_count;
    bool seen; /* a row */
};

struct kn_sink asides_sink(struct asides *a);
void asides_close(struct asides *a);

#endif
