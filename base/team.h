/* team.h - threads that share the pieces of one piece of work after another, of tens of microseconds and more each.
 *
 * Pieces are taken in the order of their numbers, and their owner, who needs what they leave in the same order, works at
 * them as well instead of waiting.  So nothing depends on how many threads there are, as long as a piece touches nothing
 * of another.  Threads that find nothing to do look for work for some microseconds, then they sleep.
 */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* A thread to which no signals go: those are for who has begun it.  False: the system has no room for one. */
bool team_begin_thread(pthread_t *thread, void *(*work)(void *), void *context);

/* Pieces that may have been begun and not yet been waited for. */
enum { TEAM_PLACES = 16 };

struct team_work {
    size_t count; /* of pieces */
    /* In any of the threads.  What it leaves at its place, one of TEAM_PLACES, stays until the next piece is waited for. */
    void (*piece)(void *context, size_t number, size_t place);
    void *context;
};

struct team;

/* As many threads as there is room for, up to `threads` with the caller's.  NULL without memory. */
struct team *team_new(size_t threads);
/* NULL is allowed. */
void team_free(struct team *t);

/* Not before all pieces of the work before have been waited for. */
void team_begin(struct team *t, const struct team_work *work);
/* Until that piece is done; each once, in order.  Returns its place. */
size_t team_await(struct team *t, size_t number);
#endif
