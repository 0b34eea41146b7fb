/* runs.h - which plots and which parts of them are runs of one thing: .step in one table, plots of one kind, swept twice. */
#ifndef CLI_PICTURES_RUNS_H
#define CLI_PICTURES_RUNS_H

#include "control/vectors/plots.h"

struct run {
    const struct plot *plot;
    size_t from, count; /* rows */
    const char *label;  /* "R1 = 1 k"; NULL: there is one run */
};

/* Runs over one scale, of the same vectors. */
struct family {
    struct run *runs; /* in the arena */
    size_t count, capacity;
    size_t steps; /* vectors behind the scale that .step gave */
};

struct families {
    struct family *at; /* in the arena */
    size_t count, capacity;
};

/* Of all plots with more than a point, the oldest first.  analysis: "tran", "ac", "tran2"; NULL: all.  False without memory. */
bool families_find(const struct plots *plots, const char *analysis, struct arena *a, struct families *out);

static inline const struct vector_kept *run_scale(const struct run *r)
{
    return &r->plot->vectors[r->plot->scale];
}

#endif
