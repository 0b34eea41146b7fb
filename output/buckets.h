/* buckets.h - a waveform of any length in bounded memory, fine enough for a plot.
 *
 * The axis is divided into buckets of equal width that keep first, last, smallest and largest value of every trace.
 * When the axis grows beyond the last bucket, neighbours are merged and the width doubles, so that between half and all
 * of the buckets are in use at any time: no spike is ever lost.
 */
#ifndef OUTPUT_BUCKETS_H
#define OUTPUT_BUCKETS_H

#include "knoten.h"

enum { BUCKET_COUNT = 1024 };

struct bucket_trace {
    double first, last, least, greatest;
};

struct bucket {
    bool used;
    double first_x, last_x;
};

struct buckets {
    size_t traces;
    double origin, width;       /* width 0 until a second place on the axis is known */
    size_t used;                /* buckets from the first to the last used one */
    struct bucket *bucket;      /* [BUCKET_COUNT] */
    struct bucket_trace *trace; /* [BUCKET_COUNT][traces] */
};

enum kn_status buckets_init(struct buckets *b, size_t traces);
void buckets_free(struct buckets *b);

/* A row at x >= all earlier x; values [traces].  Rows with a value that is not finite are left out. */
void buckets_add(struct buckets *b, double x, const double *values);

#endif
