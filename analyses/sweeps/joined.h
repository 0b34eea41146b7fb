/* joined.h - the tables of all runs of a sweep as one, with the swept values in columns of their own.
 *
 * Where runs have several tables, those of one place become one table: rows of the first go through as they come, those of
 * the others wait in temporary files.  Tables of one row, such as poles, and those of sensitivities may have other columns in
 * other runs, and are then as many as there are kinds of them; other tables may not.
 */
#ifndef ANALYSES_SWEEPS_JOINED_H
#define ANALYSES_SWEEPS_JOINED_H

#include "analyses/sweeps/idle.h"

struct joined_table;

/* Gets the tables of all runs, hands on one with their values behind the scale, or in front where there is none. */
struct joined {
    const struct kn_sink *next; /* NULL: not wanted */
    const struct sweeps *sweeps;
    const double *values; /* of the current run */
    struct kn_diagnostics *diagnostics;
    struct arena *arena;
    struct joined_table *tables;  /* those of the first run that had so many */
    struct joined_table *place;   /* the current run's, NULL: before the first .. */
    struct joined_table *current; /* .. and the one with its columns */
    struct idle *idle;            /* gets the rows; NULL: nobody */
    bool differs;                 /* the current run has other columns than those before: it is left out */
};

struct kn_sink joined_sink(struct joined *j);
/* The next tables are those of the next run. */
void joined_next(struct joined *j);
/* The tables end; returns the status, or, where that is KN_OK, what the sink says. */
enum kn_status joined_close(struct joined *j, enum kn_status status);

#endif
