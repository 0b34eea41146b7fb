/* buckets.c - see buckets.h. */
#include "output/buckets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum kn_status buckets_init(struct buckets *b, size_t traces)
{
    *b = (struct buckets){.traces = traces};
    b->bucket = calloc(BUCKET_COUNT, sizeof *b->bucket);
    b->trace = calloc(BUCKET_COUNT * (traces ? traces : 1), sizeof *b->trace);
    if (b->bucket && b->trace)
        return KN_OK;
    buckets_free(b);
    return KN_ERROR_MEMORY;
}

void buckets_free(struct buckets *b)
{
    free(b->bucket);
    free(b->trace);
    *b = (struct buckets){0};
}

/* Adds what bucket `from` saw to bucket `to`, which lies before it or is empty. */
static void merge(struct buckets *b, size_t to, size_t from)
{
    struct bucket_trace *into = &b->trace[to * b->traces];
    const struct bucket_trace *other = &b->trace[from * b->traces];
    if (!b->bucket[to].used) {
        b->bucket[to] = b->bucket[from];
        memmove(into, other, b->traces * sizeof *into);
        return;
    }
    b->bucket[to].last_x = b->bucket[from].last_x;
    for (size_t i = 0; i < b->traces; i++) {
        into[i].last = other[i].last;
        into[i].least = fmin(into[i].least, other[i].least);
        into[i].greatest = fmax(into[i].greatest, other[i].greatest);
    }
}

static void double_width(struct buckets *b)
{
    for (size_t i = 1; i < BUCKET_COUNT; i++)
        if (b->bucket[i].used) {
            merge(b, i / 2, i);
            b->bucket[i].used = false;
        }
    b->width *= 2;
    b->used = (b->used + 1) / 2;
}

static size_t place_of(struct buckets *b, double x)
{
    if (b->used == 0)
        b->origin = x;
    if (b->width == 0)
        b->width = x - b->origin;
    if (!(x > b->origin))
        return 0;
    while ((x - b->origin) / b->width >= BUCKET_COUNT)
        double_width(b);
    return (size_t)((x - b->origin) / b->width);
}

static bool all_finite(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

void buckets_add(struct buckets *b, double x, const double *values)
{
    if (!isfinite(x) || !all_finite(values, b->traces))
        return;
    const size_t at = place_of(b, x);
    struct bucket *bucket = &b->bucket[at];
    struct bucket_trace *trace = &b->trace[at * b->traces];
    for (size_t i = 0; i < b->traces; i++) {
        const double v = values[i];
        if (!bucket->used)
            trace[i] = (struct bucket_trace){v, v, v, v};
        trace[i].last = v;
        trace[i].least = fmin(trace[i].least, v);
        trace[i].greatest = fmax(trace[i].greatest, v);
    }
    if (!bucket->used)
        bucket->first_x = x;
    bucket->last_x = x;
    bucket->used = true;
    if (at >= b->used)
        b->used = at + 1;
}
