/* statistics.h - what the measurements of many runs have in common. */
#ifndef ANALYSES_SWEEPS_STATISTICS_H
#define ANALYSES_SWEEPS_STATISTICS_H

#include "base/arena.h"
#include "base/names.h"

struct statistics {
    struct arena *arena;
    struct name_table
        *all;         /* name -> struct kn_statistics, whose deviation is the sum of squares so far, and whose yield
                               is the number of good runs */
    double run;       /* the last one, NaN: none */
    size_t runs, bad; /* that have bounded results, and those with one that is not within */
    bool is_bounded, is_bad; /* the last one */
};

bool statistics_open(struct statistics *s, struct arena *arena);
/* A result of the run of this number.  False without memory. */
bool statistics_add(struct statistics *s, const struct kn_measurement *m, double run);
/* Tells them all and forgets them. */
void statistics_tell(struct statistics *s, void (*told)(void *context, const struct kn_statistics *one), void *context);

#endif
