/* transcript.h - what one run says, as bytes: its tables, messages, measurements and how it ended.
 *
 * Threads, other machines and a journal hand it on alike; played back, it says the same to the caller's sinks.  Records
 * are a head (kind, size) and what belongs to it in the machine's own form: it is read where it was written, or on machines
 * of its kind.
 */
#ifndef ANALYSES_SWEEPS_TRANSCRIPT_H
#define ANALYSES_SWEEPS_TRANSCRIPT_H

#include "knoten.h"

/* Where the rows of a table go. */
enum transcript_target { TRANSCRIPT_ROWS, TRANSCRIPT_EVEN, TRANSCRIPT_TARGETS };

/* Collects records and hands them on in pieces of whole ones. */
struct transcript {
    char *bytes;
    size_t used, capacity;
    size_t columns[TRANSCRIPT_TARGETS]; /* of the current tables */
    bool failed;                        /* no memory, or `put` did not take a piece */
    void *context;
    bool (*put)(void *context, const char *bytes, size_t size);
};

/* A sink that writes to a transcript. */
struct transcript_writer {
    struct transcript *transcript;
    enum transcript_target target;
};
struct kn_sink transcript_sink(struct transcript_writer *w);

void transcript_message(struct transcript *t, const struct kn_diagnostic *m);
void transcript_measurement(struct transcript *t, const struct kn_measurement *m);
void transcript_attempt(struct transcript *t, const struct kn_attempt *a);
/* The last record. */
void transcript_outcome(struct transcript *t, enum kn_status status, const struct kn_summary *summary);
/* Hands on what is collected. */
bool transcript_flush(struct transcript *t);
void transcript_free(struct transcript *t);

/* Who listens to one that is played; sinks without functions hear nothing, other pointers may be NULL. */
struct transcript_listener {
    struct kn_sink sinks[TRANSCRIPT_TARGETS];
    void *context;
    void (*message)(void *context, const struct kn_diagnostic *m);
    void (*measurement)(void *context, const struct kn_measurement *m);
    void (*attempt)(void *context, const struct kn_attempt *a);
    void (*outcome)(void *context, enum kn_status status, const struct kn_summary *summary);
};

/* Plays whole records; the first failure of a sink, or KN_ERROR_IO where the bytes are none. */
enum kn_status transcript_play(const char *bytes, size_t size, const struct transcript_listener *to);

#endif
