/* buckets.c - see buckets.h. */
#include "output/pictures/buckets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum kn_status make(struct buckets *b, size_t traces, size_t count)
{
    *b = (struct buckets){.traces = traces, .count = count};
    b->bucket = calloc(count, sizeof *b->bucket);
    b->trace = calloc(count * (traces ? traces : 1), sizeof *b->trace);
    if (b->bucket && b->trace)
        return KN_OK;
    buckets_free(b);
    return KN_ERROR_MEMORY;
}

enum kn_status buckets_init(struct buckets *b, size_t traces)
{
    return make(b, traces, BUCKET_COUNT);
}

enum kn_status buckets_init_between(struct buckets *b, size_t count, double x0, double x1)
{
    const enum kn_status status = make(b, 1, count);
    b->width = (x1 - x0) / (double)count * (1 + 1e-9); /* so that the last point is in the last one */
    return status;
}

void buckets_free(struct buckets *b)
{
    free(b->bucket);
    free(b->trace);
    *b = (struct buckets){0};
}

static void take_least(struct bucket_trace *t, double value, double x)
{
    if (value < t->least) {
        t->least = value;
        t->least_x = x;
    }
}

static void take_greatest(struct bucket_trace *t, double value, double x)
{
    if (value > t->greatest) {
        t->greatest = value;
        t->greatest_x = x;
    }
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
        take_least(&into[i], other[i].least, other[i].least_x);
        take_greatest(&into[i], other[i].greatest, other[i].greatest_x);
    }
}

static void double_width(struct buckets *b)
{
    for (size_t i = 1; i < b->count; i++)
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
    while ((x - b->origin) / b->width >= (double)b->count)
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
            trace[i] = (struct bucket_trace){v, v, v, v, x, x};
        trace[i].last = v;
        take_least(&trace[i], v, x);
        take_greatest(&trace[i], v, x);
    }
    if (!bucket->used)
        bucket->first_x = x;
    bucket->last_x = x;
    bucket->used = true;
    if (at >= b->used)
        b->used = at + 1;
}

size_t buckets_points(const struct buckets *b, size_t trace, double *x, double *y)
{
    size_t count = 0;
    for (size_t i = 0; i < b->used; i++) {
        const struct bucket_trace *t = &b->trace[i * b->traces + trace];
        const struct bucket *here = &b->bucket[i];
        const bool least_first = t->least_x < t->greatest_x;
        if (!here->used)
            continue;
        const double places[] = {here->first_x, least_first ? t->least_x : t->greatest_x,
                                 least_first ? t->greatest_x : t->least_x, here->last_x};
        const double values[] = {t->first, least_first ? t->least : t->greatest, least_first ? t->greatest : t->least,
                                 t->last};
        for (int k = 0; k < 4; k++)
            if (k == 0 || places[k] != places[k - 1] || values[k] != values[k - 1]) {
                x[count] = places[k];
                y[count++] = values[k];
            }
    }
    return count;
}
