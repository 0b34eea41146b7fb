/* plan.h - the runs that a deck with sweeps asks for, numbered through. */
#ifndef ANALYSES_SWEEPS_PLAN_H
#define ANALYSES_SWEEPS_PLAN_H

#include "analyses/run.h"
#include "analyses/sweeps/corners.h"
#include "analyses/sweeps/sweep.h"

/* One analysis for all of its steps. */
struct batch {
    const struct analysis *analysis;
    const struct variant *variants; /* of the deck: [sections of .step lib] */
    size_t number;                  /* the number-th of these analyses in the deck */
    struct sweeps sweeps;           /* none: one run */
    size_t parts;                   /* of the analysis, at each step */
    size_t first, points;           /* runs: from this number on, so many; parts change fastest */
    struct corners *corners;        /* where these are all that is swept; else NULL */
};

struct plan {
    const struct run_request *request;
    struct arena *arena;
    struct batch *batches;
    size_t batch_count, runs;
    size_t later;         /* runs that may follow from results, at most */
    size_t widest;        /* sweeps of a batch, at most */
    struct chance chance; /* of all runs alike: the seed */
};

/* Whether the deck asks for more than its analyses, once each. */
bool plan_is_needed(const struct run_request *r);
/* Adds the errors of the cards. */
enum kn_status plan_check(const struct run_request *r);
/* After the check; to be closed in any case. */
enum kn_status plan_open(struct plan *p, const struct run_request *r);
void plan_close(struct plan *p);
/* Adds the runs that follow from results of those before, if there are any. */
enum kn_status plan_follow(struct plan *p);
/* Notes of worst cases. */
void plan_say_corners(const struct plan *p);

/* A note where the deck has random values that nothing draws; p NULL: nothing is swept. */
void plan_note_nominal(const struct run_request *r, const struct plan *p);

const struct batch *plan_batch(const struct plan *p, size_t run);
/* The deck and circuit of a run with these values. */
const struct variant *plan_variant(const struct batch *b, const double *values);
/* Overrides that a run may have, at most: those of the request and what is swept. */
size_t plan_most_overrides(const struct plan *p);
/* values [sweeps.count] of a run, its overrides in items [plan_most_overrides]. */
struct overrides plan_values(const struct plan *p, size_t run, double *values, struct override *items);

#endif
