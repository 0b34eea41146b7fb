/* interrupt.c - see interrupt.h.
 *
 * The signal handler sets a flag and wakes the watching thread through a pipe; that is all that a handler may do.
 */
#include "cli/interrupt.h"

#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 60 /* ms in which a run should look up */, HOLD = 40 /* ms in which a row should be written */ };

static atomic_bool stop_requested; /* lock-free, and so may be set by a signal */

/* One run at a time, as there is one terminal to be interrupted from. */
static struct watch {
    bool exists;
    pthread_t thread;
    int reading, writing; /* ends of the pipe */
    atomic_flag results; /* held while something is written: for each row, where a mutex costs as much as a short row */
    bool finished;       /* guarded by results */
    void (*abandon)(void *context);
    void *context;
} watch = {.results = ATOMIC_FLAG_INIT};

/* A second signal of the kind kills: SA_RESETHAND. */
static void request_stop(int signal_number)
{
    const int saved = errno;
    (void)signal_number;
    stop_requested = true;
    if (watch.exists && write(watch.writing, "s", 1) < 0)
        stop_requested = true; /* the flag is what counts */
    errno = saved;
}

/* Whether a byte came; timeout in ms, -1: none. */
static bool wait_for_byte(int timeout)
{
    struct pollfd in = {.fd = watch.reading, .events = POLLIN};
    char byte;
    int count;
    do
        count = poll(&in, 1, timeout);
    while (count < 0 && errno == EINTR);
    return count > 0 && read(watch.reading, &byte, 1) == 1;
}

static bool hold_within(int milliseconds)
{
    const struct timespec pause = {0, 1000000L};
    for (; atomic_flag_test_and_set(&watch.results); milliseconds--) {
        if (milliseconds <= 0)
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

/* Waits for a signal, then for the end of the run, and ends the program if that does not come. */
static void *watch_run(void *unused)
{
    (void)unused;
    if (!wait_for_byte(-1) || !stop_requested)
        return NULL;
    wait_for_byte(PATIENCE);
    if (!hold_within(HOLD)) {
        fputs("knoten: interrupted while a row was being written\n", stderr);
        _exit(EXIT_FAILED);
    }
    if (!watch.finished) {
        watch.abandon(watch.context);
        _exit(EXIT_FAILED);
    }
    interrupt_let();
    return NULL;
}

static void start_watch(void (*abandon)(void *context), void *context)
{
    int ends[2];
    sigset_t all, before;
    if (!abandon || pipe(ends) != 0)
        return;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    watch.reading = ends[0];
    watch.writing = ends[1];
    watch.finished = false;
    watch.abandon = abandon;
    watch.context = context;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the other thread's */
    watch.exists = pthread_create(&watch.thread, NULL, watch_run, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (watch.exists)
        return;
    close(ends[0]);
    close(ends[1]);
}

void interrupt_catch(void (*abandon)(void *context), void *context)
{
    struct sigaction action = {.sa_handler = request_stop, .sa_flags = (int)SA_RESETHAND};
    start_watch(abandon, context);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

void interrupt_release(void)
{
    if (!watch.exists)
        return;
    interrupt_hold();
    watch.finished = true;
    interrupt_let();
    const bool woken = write(watch.writing, "f", 1) == 1;
    if (woken)
        pthread_join(watch.thread, NULL);
    watch.exists = false;
    if (!woken)
        return;
    close(watch.reading);
    close(watch.writing);
}

bool interrupt_came(void *context)
{
    (void)context;
    return stop_requested;
}

void interrupt_hold(void)
{
    while (atomic_flag_test_and_set(&watch.results))
        sched_yield();
}

void interrupt_let(void)
{
    atomic_flag_clear(&watch.results);
}

/* ---- sinks ---- */

static enum kn_status guarded_begin(void *context, const struct kn_table *table)
{
    const struct kn_sink *sink = context;
    interrupt_hold();
    const enum kn_status status = sink->begin(sink->context, table);
    interrupt_let();
    return status;
}

static enum kn_status guarded_row(void *context, const double *values)
{
    const struct kn_sink *sink = context;
    interrupt_hold();
    const enum kn_status status = sink->row(sink->context, values);
    interrupt_let();
    return status;
}

static enum kn_status guarded_end(void *context, enum kn_status outcome)
{
    const struct kn_sink *sink = context;
    interrupt_hold();
    const enum kn_status status = sink->end(sink->context, outcome);
    interrupt_let();
    return status;
}

struct kn_sink interrupt_guard(struct kn_sink *sink)
{
    return (struct kn_sink){sink, guarded_begin, guarded_row, guarded_end};
}
