/* sink_base.h - what every sink of this folder begins with, so that sink_free can release any of them. */
#ifndef OUTPUT_SINK_BASE_H
#define OUTPUT_SINK_BASE_H

#include "knoten.h"

/* First member of every sink's context. */
struct sink_base {
    void (*release)(void *context);
};

/* What the head of a column is written around: "re(" "v(out)" ")" of the parts of complex vectors, else nothing. */
struct column_frame {
    const char *before, *behind;
};

struct column_frame sink_column_frame(const struct kn_table *table, size_t column);

#endif
