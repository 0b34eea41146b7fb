/* journal.h - a file beside the results with the transcripts of all runs that have ended, so that a sweep that was cut off
 * at any moment can be finished: what is missing is run, the rest is played again.
 */
#ifndef ANALYSES_SWEEPS_JOURNAL_H
#define ANALYSES_SWEEPS_JOURNAL_H

#include "base/diagnostics.h"

#include <stdint.h>

struct journal;

struct journal_request {
    const char *path;
    bool resume;  /* go on with the file that is there */
    uint64_t key; /* of deck and options: what a file must have been written with */
    size_t runs;  /* of the sweep */
    struct kn_diagnostics *diagnostics;
};

/* *out = NULL where there can be none, which is said and no failure; KN_ERROR_ARGUMENT where the file that is there is one
 * of another sweep, or none at all. */
enum kn_status journal_open(const struct journal_request *r, struct journal **out);

/* How many runs have ended. */
size_t journal_count(const struct journal *j);
bool journal_has(const struct journal *j, size_t run);
/* The pieces of a run that has ended, in order; false where `put` says so or the file cannot be read. */
bool journal_play(struct journal *j, size_t run, bool (*put)(void *context, const char *bytes, size_t size),
                  void *context);

/* Begins to write down a run; a number for the other two.  In any thread. */
uint64_t journal_begin(struct journal *j);
void journal_piece(struct journal *j, uint64_t attempt, const char *bytes, size_t size);
void journal_done(struct journal *j, uint64_t attempt, size_t run);

/* finished: the results are complete, and the file goes. */
void journal_close(struct journal *j, bool finished, struct kn_diagnostics *d);

#endif
