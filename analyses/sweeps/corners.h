/* corners.h - .wc: the worst case, sought at the ends of all tolerances.
 *
 * Random values go to the ends of their tolerances: all combinations where there are few, else each alone, and then, for
 * each result of .measure, all of them to the ends that make it small, and to those that make it large.  That finds the
 * worst case of what is monotonic in each value (R. Spence and R. S. Soin, Tolerance Design of Electronic Circuits, 1988,
 * section 3.2).
 */
#ifndef ANALYSES_SWEEPS_CORNERS_H
#define ANALYSES_SWEEPS_CORNERS_H

#include "analyses/sweeps/sweep.h"

/* The sweep of the card: corner 0 is nominal.  KN_ERROR_DECK where the deck has no tolerances, or too many. */
enum kn_status corners_read(const struct sweep_reader *r, const struct analysis_card *card, struct sweeps *out);

/* What was measured at the corners of one batch. */
struct corners {
    struct arena *arena;
    const struct circuit *circuit;
    const struct sweep *first, *second; /* the sweep, and the one that follows from its results; NULL: none */
    struct name_table *measures;        /* name -> struct corner_values */
};

bool corners_open(struct corners *c, struct arena *arena, const struct circuit *circuit, const struct sweep *first);
/* A result at a corner of that number.  False without memory. */
bool corners_add(struct corners *c, const struct kn_measurement *m, double corner);
/* The sweep that follows: two corners for each measure.  NULL in *out where all corners are there. */
enum kn_status corners_follow(struct corners *c, struct sweep **out);
/* Notes of the largest and the smallest value of each measure and where they are. */
void corners_say(const struct corners *c, struct kn_diagnostics *d);

#endif
