/* runner.h - an analysis at work in a thread of its own, which can be held up and go on.
 *
 * The thread stops to ask between evaluations and behind every row.  One analysis at a time; what it tells, it tells in its
 * own thread, with no lock held.
 */
#ifndef CONTROL_SESSION_RUNNER_H
#define CONTROL_SESSION_RUNNER_H

#include "control/job.h"

#include <pthread.h>
#include <stdatomic.h>

enum runner_state { RUNNER_IDLE, RUNNER_AT_WORK, RUNNER_HELD, RUNNER_ENDED };

struct runner_watch {
    void *context;
    void (*tell)(void *context, const struct kn_diagnostic *item);
    void (*begins)(void *context, const struct plot *p); /* a table, as a plot without rows yet */
    bool (*row)(void *context, const struct plot *p);    /* one more; true: the analysis is to be held up here */
    void (*stands)(void *context);                       /* it is held up, or has ended */
    /* The first time after `time` (s) where a step is to end, so that it can be held up there; INFINITY: none. */
    double (*stop_time)(void *context, double time);
};

struct runner {
    const struct runner_watch *watch;
    const struct kn_options *host; /* may be NULL */
    struct plots *plots;

    pthread_mutex_t lock; /* of the following */
    pthread_cond_t changed;
    enum runner_state state;
    bool settled; /* and has told so */
    pthread_t thread;

    atomic_bool hold, stop; /* what is wished */

    struct job *job; /* of the thread until it has ended */
    const struct kn_sink *next;
    struct kn_diagnostics *diagnostics;
    struct kn_options options;
    struct kn_partner partner; /* the host's, and where steps are to end */
    struct plot *plot;
    size_t told; /* messages */
};

/* What it points to must outlive it. */
enum kn_status runner_open(struct runner *r, struct plots *plots, const struct kn_options *host,
                           const struct runner_watch *watch);
/* Ends what is at work. */
void runner_close(struct runner *r);

/* Begins with an analysis, which then belongs to it; its messages can show lines that `sources` knows.  Nothing may be at work or held
 * up.  Without a thread j is freed and KN_ERROR_MEMORY returned. */
enum kn_status runner_start(struct runner *r, struct job *j, const struct kn_sink *next,
                            const struct kn_diagnostics *sources);
enum runner_state runner_state(struct runner *r);
/* Whether the caller is in the thread of the analysis: then it hears of something just now, and cannot wait for itself. */
bool runner_is_here(struct runner *r);
/* Until it is held up or has ended. */
enum runner_state runner_wait(struct runner *r);
/* Wishes that it be held up; runner_wait tells when it is. */
void runner_hold(struct runner *r);
/* Lets what is held up go on. */
void runner_go_on(struct runner *r);
/* What is held up, to be changed; NULL: nothing is. */
struct job *runner_held(struct runner *r);
/* Ends what is held up or at work, and gives up what it has been; true where there was something. */
bool runner_abandon(struct runner *r);
/* What has ended: its status and sums; false where nothing has. */
bool runner_reap(struct runner *r, enum kn_status *status, struct kn_summary *summary);

#endif
