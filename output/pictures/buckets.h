/* buckets.h - a waveform of any length in bounded memory, fine enough for a plot.
 *
 * The axis is divided into buckets of equal width that keep first, last, smallest and largest value of every trace.
 * When the axis grows beyond the last bucket, neighbours are merged and the width doubles, so that between half and all
 * of the buckets are in use at any time: no spike is ever lost.
 */
#ifndef OUTPUT_PICTURES_BUCKETS_H
#define OUTPUT_PICTURES_BUCKETS_H

#include "knoten.h"

enum { BUCKET_COUNT = 1024 };

struct bucket_trace {
    double first, last, least, greatest;
    double least_x, greatest_x; /* where they are */
};

struct bucket {
    bool used;
    double first_x, last_x;
};

struct buckets {
    size_t traces, count;
    double origin, width;       /* width 0 until a second place on the axis is known */
    size_t used;                /* buckets from the first to the last used one */
    struct bucket *bucket;      /* [count] */
    struct bucket_trace *trace; /* [count][traces] */
};

enum kn_status buckets_init(struct buckets *b, size_t traces);
/* Of one trace from x0 to x1, which are known: all `count` buckets are used. */
enum kn_status buckets_init_between(struct buckets *b, size_t count, double x0, double x1);
void buckets_free(struct buckets *b);

/* A row at x >= all earlier x; values [traces].  Rows with a value that is not finite are left out. */
void buckets_add(struct buckets *b, double x, const double *values);

/* The points of a trace that a picture needs: of each bucket the first, the least, the greatest and the last, in the order of x
 * (U. Jugel, Z. Jerzak, G. Hackenbroich and V. Markl, M4: a visualization-oriented time series data aggregation, 2014).
 * x, y [4 * used]; the number of points. */
size_t buckets_points(const struct buckets *b, size_t trace, double *x, double *y);

#endif
