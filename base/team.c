/* team.c - see team.h.
 *
 * Pieces are counted on over all works, so that a number names one piece for good: who has looked at an old limit finds
 * that `next` has reached it, and takes nothing.
 */
#include "base/team.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { LOOKS = 64 /* for work, each followed by an offer of the processor to others, before a thread sleeps */ };
enum { LINE = 64 /* bytes of a line of the cache */ };

struct team {
    struct team_work work;
    size_t first, end;  /* of its pieces */
    char gap[LINE];     /* lines of the cache, which only one thread at a time can write to */
    atomic_size_t next; /* to be begun */
    char second_gap[LINE];
    atomic_size_t limit; /* may not be begun yet, and those behind it neither */
    char third_gap[LINE];
    atomic_size_t done[TEAM_PLACES]; /* 1 + the last one that is done at this place */
    atomic_size_t asleep;
    pthread_mutex_t lock;
    pthread_cond_t news;
    bool over; /* guarded by the lock */
    size_t count;
    pthread_t threads[]; /* [count] */
};

bool team_begin_thread(pthread_t *thread, void *(*work)(void *), void *context)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool made = pthread_create(thread, NULL, work, context) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return made;
}

static bool is_open(struct team *t)
{
    return atomic_load(&t->next) < atomic_load(&t->limit);
}

static bool take(struct team *t, size_t *number)
{
    *number = atomic_load(&t->next);
    while (*number < atomic_load(&t->limit))
        if (atomic_compare_exchange_weak(&t->next, number, *number + 1))
            return true;
    return false;
}

static void perform(struct team *t, size_t number)
{
    const size_t place = number % TEAM_PLACES;
    t->work.piece(t->work.context, number - t->first, place);
    atomic_store_explicit(&t->done[place], number + 1, memory_order_release);
}

/* True: it is over. */
static bool sleep_until_open(struct team *t)
{
    pthread_mutex_lock(&t->lock);
    atomic_fetch_add(&t->asleep, 1);
    while (!t->over && !is_open(t))
        pthread_cond_wait(&t->news, &t->lock);
    atomic_fetch_sub(&t->asleep, 1);
    const bool over = t->over;
    pthread_mutex_unlock(&t->lock);
    return over;
}

static void *help(void *context)
{
    struct team *t = context;
    size_t number;
    for (int looks = 0;;) {
        if (take(t, &number)) {
            perform(t, number);
            looks = 0;
        } else if (looks++ < LOOKS) {
            sched_yield();
        } else if (sleep_until_open(t)) {
            return NULL;
        } else {
            looks = 0;
        }
    }
}

/* Who falls asleep says so before looking for the last time; so either it sees the limit or is seen here. */
static void set_limit(struct team *t, size_t limit)
{
    atomic_store(&t->limit, limit < t->end ? limit : t->end);
    if (atomic_load(&t->asleep) == 0)
        return;
    pthread_mutex_lock(&t->lock);
    pthread_cond_broadcast(&t->news);
    pthread_mutex_unlock(&t->lock);
}

void team_begin(struct team *t, const struct team_work *work)
{
    t->work = *work;
    t->first = t->end;
    t->end += work->count;
    set_limit(t, t->first + TEAM_PLACES);
}

size_t team_await(struct team *t, size_t number)
{
    const size_t awaited = t->first + number, place = awaited % TEAM_PLACES;
    size_t other;
    if (awaited + TEAM_PLACES > atomic_load(&t->limit) && atomic_load(&t->limit) < t->end)
        set_limit(t, awaited + TEAM_PLACES);
    while (atomic_load_explicit(&t->done[place], memory_order_acquire) != awaited + 1)
        if (take(t, &other))
            perform(t, other);
        else
            sched_yield();
    return place;
}

struct team *team_new(size_t threads)
{
    struct team *t = calloc(1, sizeof *t + threads * sizeof *t->threads);
    if (!t)
        return NULL;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->news, NULL);
    while (t->count + 1 < threads && team_begin_thread(&t->threads[t->count], help, t))
        t->count++;
    return t;
}

void team_free(struct team *t)
{
    if (!t)
        return;
    pthread_mutex_lock(&t->lock);
    t->over = true;
    pthread_cond_broadcast(&t->news);
    pthread_mutex_unlock(&t->lock);
    for (size_t i = 0; i < t->count; i++)
        pthread_join(t->threads[i], NULL);
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->news);
    free(t);
}
