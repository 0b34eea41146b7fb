/* crew.c - see crew.h. */
#include "analyses/sweeps/crew.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PATIENCE = 20 /* ms between looks */, AHEAD = 4 /* numbers that may wait, for each worker */, LEAST_AHEAD = 16 };

static const size_t LEAST_ROOM = 65536; /* bytes of a slot */

/* What has come of one number so far; guarded by the lock but for `part`. */
struct crew_desk {
    struct crew *crew;
    size_t number;
    char *bytes;
    size_t used, capacity;
    size_t received; /* bytes in all, those that have been handed on included */
    size_t put;      /* by who is at work now: the first `received` of these are there already */
    bool done, lost;
    _Atomic double part;
};

struct crew {
    const struct crew_task *task;
    pthread_mutex_t lock;
    pthread_cond_t news; /* for the caller: output, or the end of a number */
    pthread_cond_t room; /* for workers: slots and numbers */
    struct crew_desk *desks;
    size_t window, slot; /* desks; bytes of one */
    size_t next, head;   /* number to begin, and whose turn it is */
    size_t at_work;      /* workers that are not lost */
    atomic_bool stopped;
    bool out_of_memory;
};

/* One of them. */
struct worker {
    struct crew *crew;
    size_t index;
    pthread_t thread;
};

static struct crew_desk *desk_of(struct crew *c, size_t number)
{
    return &c->desks[number % c->window];
}

bool crew_is_stopped(const struct crew_desk *desk)
{
    return atomic_load_explicit(&desk->crew->stopped, memory_order_relaxed);
}

void crew_tell(struct crew_desk *desk, double part)
{
    atomic_store_explicit(&desk->part, part, memory_order_relaxed);
}

/* With the lock. */
static void stop(struct crew *c)
{
    atomic_store(&c->stopped, true);
    pthread_cond_broadcast(&c->room);
    pthread_cond_signal(&c->news);
}

/* ---- the workers' side ---- */

static bool append(struct crew_desk *d, const char *bytes, size_t size)
{
    struct crew *c = d->crew;
    if (!array_reserve(&d->bytes, d->used + size, &d->capacity, 1)) {
        c->out_of_memory = true;
        stop(c);
        return false;
    }
    memcpy(d->bytes + d->used, bytes, size);
    d->used += size;
    d->received += size;
    if (d->number == c->head)
        pthread_cond_signal(&c->news);
    return true;
}

bool crew_put(struct crew_desk *d, const char *bytes, size_t size)
{
    struct crew *c = d->crew;
    pthread_mutex_lock(&c->lock);
    const size_t known = d->received > d->put ? d->received - d->put : 0;
    const size_t skipped = known < size ? known : size;
    d->put += size;
    while (!c->stopped && d->used > 0 && d->used + size - skipped > c->slot)
        pthread_cond_wait(&c->room, &c->lock);
    const bool good = !c->stopped && (size == skipped || append(d, bytes + skipped, size - skipped));
    pthread_mutex_unlock(&c->lock);
    return good;
}

/* A number that another has lost, or the next one; NULL: there is none now.  With the lock. */
static struct crew_desk *take_number(struct crew *c)
{
    for (size_t i = c->head; i < c->next; i++)
        if (desk_of(c, i)->lost) {
            desk_of(c, i)->lost = false;
            desk_of(c, i)->put = 0;
            return desk_of(c, i);
        }
    if (c->next == c->task->count || c->next >= c->head + c->window)
        return NULL;
    struct crew_desk *d = desk_of(c, c->next);
    d->number = c->next++;
    d->used = d->received = d->put = 0;
    d->done = false;
    atomic_store(&d->part, 0);
    return d;
}

static void perform(struct worker *w, struct crew_desk *d)
{
    struct crew *c = w->crew;
    pthread_mutex_unlock(&c->lock);
    const enum crew_outcome outcome = c->task->perform(c->task->context, w->index, d->number, d);
    pthread_mutex_lock(&c->lock);
    d->done = outcome == CREW_DONE;
    d->lost = outcome == CREW_LOST;
    if (d->done && d->number == c->head)
        pthread_cond_signal(&c->news);
    if (!d->lost)
        return;
    if (--c->at_work == 0) {
        c->at_work = 1;
        w->index = CREW_NOBODY;
    }
    pthread_cond_broadcast(&c->room);
}

static void *work(void *context)
{
    struct worker *w = context;
    struct crew *c = w->crew;
    const size_t index = w->index;
    bool here = true;
    pthread_mutex_lock(&c->lock);
    while (here && !c->stopped) {
        struct crew_desk *d = take_number(c);
        if (!d) {
            pthread_cond_wait(&c->room, &c->lock);
            continue;
        }
        perform(w, d);
        here = !d->lost || w->index != index; /* the last one stays */
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* ---- the caller's side ---- */

/* With the lock. */
static double part_done(struct crew *c)
{
    double done = (double)c->head;
    for (size_t i = c->head; i < c->next; i++)
        done += desk_of(c, i)->done ? 1 : atomic_load(&desk_of(c, i)->part);
    return done / (double)c->task->count;
}

/* Hands on what has come of the number whose turn it is.  With the lock, which is let go meanwhile. */
static enum kn_status take_output(struct crew *c, char **spare, size_t *capacity)
{
    struct crew_desk *d = desk_of(c, c->head);
    char *bytes = d->bytes;
    const size_t used = d->used, held = d->capacity, number = c->head;
    d->bytes = *spare;
    d->capacity = *capacity;
    d->used = 0;
    pthread_cond_broadcast(&c->room);
    pthread_mutex_unlock(&c->lock);
    const enum kn_status status = c->task->take(c->task->context, number, bytes, used);
    *spare = bytes;
    *capacity = held;
    pthread_mutex_lock(&c->lock);
    return status;
}

static enum kn_status finish(struct crew *c)
{
    const size_t number = c->head;
    pthread_mutex_unlock(&c->lock);
    const enum kn_status status = c->task->finish(c->task->context, number);
    pthread_mutex_lock(&c->lock);
    c->head++;
    pthread_cond_broadcast(&c->room);
    return status;
}

static void wait_for_news(struct crew *c)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += PATIENCE * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_cond_timedwait(&c->news, &c->lock, &until);
}

/* With the lock. */
static enum kn_status hand_on(struct crew *c)
{
    char *spare = NULL;
    size_t capacity = 0;
    double looked = 0;
    enum kn_status status = KN_OK;
    while (status == KN_OK && c->head < c->task->count) {
        const struct crew_desk *d = desk_of(c, c->head);
        const bool begun = c->head < c->next;
        if (c->out_of_memory)
            status = KN_ERROR_MEMORY;
        else if (begun && d->used > 0)
            status = take_output(c, &spare, &capacity);
        else if (begun && d->done)
            status = finish(c);
        else
            wait_for_news(c);
        if (status != KN_OK || clock_seconds(CLOCK_MONOTONIC) - looked < 1e-3 * PATIENCE)
            continue;
        const double done = part_done(c);
        pthread_mutex_unlock(&c->lock);
        status = c->task->look(c->task->context, done) ? KN_OK : KN_INTERRUPTED;
        pthread_mutex_lock(&c->lock);
        looked = clock_seconds(CLOCK_MONOTONIC);
    }
    free(spare);
    return status;
}

/* ---- both ---- */

static bool open_crew(struct crew *c, const struct crew_task *task)
{
    const size_t wanted = AHEAD * task->workers > LEAST_AHEAD ? AHEAD * task->workers : LEAST_AHEAD;
    *c = (struct crew){.task = task, .window = wanted < task->count ? wanted : task->count};
    c->slot = task->room / c->window > LEAST_ROOM ? task->room / c->window : LEAST_ROOM;
    c->desks = calloc(c->window, sizeof *c->desks);
    for (size_t i = 0; c->desks && i < c->window; i++)
        c->desks[i].crew = c;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->news, &monotonic);
    pthread_cond_init(&c->room, NULL);
    pthread_condattr_destroy(&monotonic);
    return c->desks;
}

static void close_crew(struct crew *c)
{
    for (size_t i = 0; c->desks && i < c->window; i++)
        free(c->desks[i].bytes);
    free(c->desks);
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->news);
    pthread_cond_destroy(&c->room);
}

/* Returns how many there are. */
static size_t start(struct crew *c, struct worker *workers, size_t count)
{
    size_t made = 0;
    for (; made < count; made++) {
        workers[made] = (struct worker){.crew = c, .index = made};
        if (!team_begin_thread(&workers[made].thread, work, &workers[made]))
            break;
    }
    return made;
}

enum kn_status crew_work(const struct crew_task *task)
{
    struct crew c;
    if (task->count == 0)
        return KN_OK;
    const size_t count = task->workers < task->count ? task->workers : task->count;
    struct worker *workers = calloc(count, sizeof *workers);
    enum kn_status status = open_crew(&c, task) && workers ? KN_OK : KN_ERROR_MEMORY;
    if (status == KN_OK) {
        pthread_mutex_lock(&c.lock); /* nobody begins before it is known how many there are */
        const size_t made = start(&c, workers, count);
        c.at_work = made;
        status = made > 0 ? hand_on(&c) : KN_ERROR_MEMORY; /* EAGAIN: the system has no room for a thread */
        stop(&c);
        pthread_mutex_unlock(&c.lock);
        for (size_t i = 0; i < made; i++)
            pthread_join(workers[i].thread, NULL);
    }
    close_crew(&c);
    free(workers);
    return status;
}
