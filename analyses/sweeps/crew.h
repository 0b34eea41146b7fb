/* crew.h - numbered pieces of work done by several threads, what they put out handed on in order.
 *
 * Workers take numbers from a queue; what they put out waits in slots until its turn has come.  Both are bounded: nobody
 * begins a number too far ahead of the one whose turn it is, and who has filled its slot waits.  The one whose turn it is
 * never waits for others, so there is no deadlock, and memory does not grow with the number or the length of the runs.
 */
#ifndef ANALYSES_SWEEPS_CREW_H
#define ANALYSES_SWEEPS_CREW_H

#include "knoten.h"

enum crew_outcome {
    CREW_DONE,
    CREW_LOST /* the worker is gone, its number is given to another; what that one puts out is the same from the start */
};

/* A worker that is none of the crew's: nobody of it is left, and the work is done here. */
#define CREW_NOBODY ((size_t)-1)

/* Where one number's output goes. */
struct crew_desk;

struct crew_task {
    size_t count;   /* numbers from 0 */
    size_t workers; /* at least 1 */
    size_t room;    /* bytes of output that may wait for their turn, of all numbers */
    void *context;
    /* In the threads of the workers, for several numbers at a time. */
    enum crew_outcome (*perform)(void *context, size_t worker, size_t number, struct crew_desk *desk);
    /* In the caller's thread: pieces of the output in order, then the end of each number.  Other than KN_OK: the work ends. */
    enum kn_status (*take)(void *context, size_t number, const char *bytes, size_t size);
    enum kn_status (*finish)(void *context, size_t number);
    /* In the caller's thread, some fifty times a second: the part that is done.  False: the work is to end. */
    bool (*look)(void *context, double done);
};

/* KN_INTERRUPTED where `look` ended the work. */
enum kn_status crew_work(const struct crew_task *task);

/* Appends to the output, a whole piece: pieces are never torn.  False: the work is to end. */
bool crew_put(struct crew_desk *desk, const char *bytes, size_t size);
bool crew_is_stopped(const struct crew_desk *desk);
/* The part of this number that is done. */
void crew_tell(struct crew_desk *desk, double part);

#endif
