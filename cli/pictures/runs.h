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

/* Whether row i of a scale is the first of a run, of which the one before began at row `from`: time and frequencies go back;
 * what is swept comes back to its first value, and not step by step. */
bool run_begins_anew(const struct vector_kept *x, size_t from, size_t i);
/* Of all plots with more than a point, the oldest first.  analysis: "tran", "ac", "tran2"; NULL: all.  False without memory. */
bool families_find(const struct plots *plots, const char *analysis, struct arena *a, struct families *out);

static inline const struct vector_kept *run_scale(const struct run *r)
{
    return &r->plot->vectors[r->plot->scale];
}

#endif
