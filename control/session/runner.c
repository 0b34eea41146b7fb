/* runner.c - see runner.h. */
#include "control/session/runner.h"

#include "base/diagnostics.h"

#include <locale.h>
#include <math.h>
#include <signal.h>
#include <string.h>

/* ---- in the thread of the analysis ---- */

static void tell_news(struct runner *r)
{
    for (; r->told < kn_diagnostics_count(r->diagnostics); r->told++)
        r->watch->tell(r->watch->context, kn_diagnostics_get(r->diagnostics, r->told));
}

/* Told with nothing held, so that whoever hears of it may ask for vectors; who waits goes on behind it. */
static void stand(struct runner *r, enum runner_state state)
{
    pthread_mutex_lock(&r->lock);
    r->state = state;
    r->settled = false;
    pthread_mutex_unlock(&r->lock);
    r->watch->stands(r->watch->context);
    pthread_mutex_lock(&r->lock);
    r->settled = true;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

/* Waits here where that is wished; false: the analysis is to end. */
static bool pass(struct runner *r)
{
    if (!atomic_load(&r->hold) || atomic_load(&r->stop))
        return !atomic_load(&r->stop);
    stand(r, RUNNER_HELD);
    pthread_mutex_lock(&r->lock);
    while (r->state == RUNNER_HELD && !atomic_load(&r->stop))
        pthread_cond_wait(&r->changed, &r->lock);
    r->state = RUNNER_AT_WORK;
    pthread_mutex_unlock(&r->lock);
    return !atomic_load(&r->stop);
}

static bool is_interrupted(void *context)
{
    struct runner *r = context;
    tell_news(r);
    if (r->host && r->host->interrupted && r->host->interrupted(r->host->context))
        atomic_store(&r->hold, true);
    return !pass(r) || job_is_left(r->job);
}

static enum kn_status begin(void *context, const struct kn_table *t)
{
    struct runner *r = context;
    r->plot = r->plots->first; /* which the recorder has just made */
    tell_news(r);
    r->watch->begins(r->watch->context, r->plot);
    return r->next ? r->next->begin(r->next->context, t) : KN_OK;
}

static enum kn_status row(void *context, const double *values)
{
    struct runner *r = context;
    const enum kn_status status = r->next ? r->next->row(r->next->context, values) : KN_OK;
    if (r->watch->row(r->watch->context, r->plot))
        atomic_store(&r->hold, true);
    if (status != KN_OK)
        return status;
    return pass(r) ? KN_OK : KN_INTERRUPTED;
}

static enum kn_status end(void *context, enum kn_status outcome)
{
    struct runner *r = context;
    return r->next ? r->next->end(r->next->context, outcome) : KN_OK;
}

static void *work(void *context)
{
    struct runner *r = context;
    struct kn_sink sink = {r, begin, row, end};
    pthread_mutex_lock(&r->lock); /* until the thread is known to all */
    pthread_mutex_unlock(&r->lock);
    /* Numbers have a point in them, whatever language the host speaks; its callbacks see that, too. */
    const locale_t numbers = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    const locale_t before = numbers ? uselocale(numbers) : (locale_t)0;
    job_run(r->job, r->plots, &sink, &r->options, r->diagnostics);
    tell_news(r);
    stand(r, RUNNER_ENDED);
    if (numbers) {
        uselocale(before);
        freelocale(numbers);
    }
    return NULL;
}

/* ---- what else the caller of the analysis wants to hear ---- */

static void progress(void *context, double fraction)
{
    const struct kn_options *o = ((struct runner *)context)->host;
    o->progress(o->context, fraction);
}

static void measured(void *context, const struct kn_measurement *m)
{
    const struct kn_options *o = ((struct runner *)context)->host;
    o->measured(o->context, m);
}

static void stepped(void *context, const char *const *names, const double *values, size_t count)
{
    const struct kn_options *o = ((struct runner *)context)->host;
    o->stepped(o->context, names, values, count);
}

static void attempted(void *context, const struct kn_attempt *attempt)
{
    const struct kn_options *o = ((struct runner *)context)->host;
    o->attempted(o->context, attempt);
}

static void summarised(void *context, const struct kn_statistics *s)
{
    const struct kn_options *o = ((struct runner *)context)->host;
    o->summarised(o->context, s);
}

/* ---- the partner of the host, where there is one, and steps that end where the analysis is to be held up ---- */

static bool source(void *context, const char *name, double time, double *value, double *rate)
{
    const struct kn_partner *p = ((struct runner *)context)->host->partner;
    return p->source(p->context, name, time, value, rate);
}

static double breakpoint(void *context, double time)
{
    const struct runner *r = context;
    const struct kn_partner *p = r->host ? r->host->partner : NULL;
    const double next = p && p->breakpoint ? p->breakpoint(p->context, time) : INFINITY;
    return fmin(next, r->watch->stop_time(r->watch->context, time));
}

static double shorten(void *context, double time, double step)
{
    const struct kn_partner *p = ((struct runner *)context)->host->partner;
    return p->shorten(p->context, time, step);
}

static bool agrees(void *context, double time, double step, double *again)
{
    const struct kn_partner *p = ((struct runner *)context)->host->partner;
    return p->agrees(p->context, time, step, again);
}

static void take_partner(struct runner *r)
{
    const struct kn_partner *p = r->host ? r->host->partner : NULL;
    r->partner = (struct kn_partner){.context = r,
                                     .source = p && p->source ? source : NULL,
                                     .breakpoint = breakpoint,
                                     .shorten = p && p->shorten ? shorten : NULL,
                                     .agrees = p && p->agrees ? agrees : NULL};
}

static struct kn_options options_of(struct runner *r)
{
    struct kn_options o = r->host ? *r->host : (struct kn_options){0};
    o.context = r;
    o.interrupted = is_interrupted;
    o.progress = o.progress ? progress : NULL;
    o.measured = o.measured ? measured : NULL;
    o.stepped = o.stepped ? stepped : NULL;
    o.attempted = o.attempted ? attempted : NULL;
    o.summarised = o.summarised ? summarised : NULL;
    take_partner(r);
    if (o.partner || r->watch->stop_time(r->watch->context, -INFINITY) < INFINITY)
        o.partner = &r->partner; /* otherwise none: the runs of sweeps are made one by one for it */
    return o;
}

/* ---- in the threads of the callers ---- */

enum kn_status runner_open(struct runner *r, struct plots *plots, const struct kn_options *host,
                           const struct runner_watch *watch)
{
    *r = (struct runner){.watch = watch, .host = host, .plots = plots};
    if (pthread_mutex_init(&r->lock, NULL) != 0)
        return KN_ERROR_MEMORY;
    if (pthread_cond_init(&r->changed, NULL) == 0)
        return KN_OK;
    pthread_mutex_destroy(&r->lock);
    return KN_ERROR_MEMORY;
}

void runner_close(struct runner *r)
{
    runner_abandon(r);
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->lock);
}

/* Signals are for the host's threads, but for those that a fault in this one raises. */
static int start_thread(struct runner *r)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    sigset_t most, before;
    sigfillset(&most);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigdelset(&most, faults[i]);
    pthread_sigmask(SIG_SETMASK, &most, &before);
    pthread_mutex_lock(&r->lock);
    const int failure = pthread_create(&r->thread, NULL, work, r);
    pthread_mutex_unlock(&r->lock);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failure;
}

enum kn_status runner_start(struct runner *r, struct job *j, const struct kn_sink *next,
                            const struct kn_diagnostics *sources)
{
    r->diagnostics = kn_diagnostics_new();
    if (!r->diagnostics) {
        job_free(j);
        return KN_ERROR_MEMORY;
    }
    diagnostics_sources(r->diagnostics, sources);
    r->job = j;
    r->next = next;
    r->told = 0;
    r->plot = NULL;
    r->options = options_of(r);
    atomic_store(&r->hold, false);
    atomic_store(&r->stop, false);
    r->state = RUNNER_AT_WORK;
    r->settled = false;
    if (start_thread(r) == 0)
        return KN_OK;
    kn_diagnostics_free(r->diagnostics);
    job_free(j);
    r->state = RUNNER_IDLE;
    return KN_ERROR_MEMORY;
}

enum runner_state runner_state(struct runner *r)
{
    pthread_mutex_lock(&r->lock);
    const enum runner_state state = r->state;
    pthread_mutex_unlock(&r->lock);
    return state;
}

bool runner_is_here(struct runner *r)
{
    pthread_mutex_lock(&r->lock);
    const bool here = r->state != RUNNER_IDLE && pthread_equal(pthread_self(), r->thread) != 0;
    pthread_mutex_unlock(&r->lock);
    return here;
}

enum runner_state runner_wait(struct runner *r)
{
    const bool here = runner_is_here(r);
    pthread_mutex_lock(&r->lock);
    while (!here && (r->state == RUNNER_AT_WORK || (r->state != RUNNER_IDLE && !r->settled)))
        pthread_cond_wait(&r->changed, &r->lock);
    const enum runner_state state = r->state;
    pthread_mutex_unlock(&r->lock);
    return state;
}

void runner_hold(struct runner *r)
{
    atomic_store(&r->hold, true);
}

struct job *runner_held(struct runner *r)
{
    return runner_state(r) == RUNNER_HELD ? r->job : NULL;
}

void runner_go_on(struct runner *r)
{
    pthread_mutex_lock(&r->lock);
    atomic_store(&r->hold, false);
    if (r->state == RUNNER_HELD)
        r->state = RUNNER_AT_WORK;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

bool runner_reap(struct runner *r, enum kn_status *status, struct kn_summary *summary)
{
    if (runner_state(r) != RUNNER_ENDED)
        return false;
    if (runner_is_here(r))
        pthread_detach(r->thread);
    else
        pthread_join(r->thread, NULL);
    *status = r->job->status;
    *summary = r->job->summary;
    job_free(r->job);
    kn_diagnostics_free(r->diagnostics);
    r->job = NULL;
    r->diagnostics = NULL;
    r->plot = NULL;
    r->state = RUNNER_IDLE;
    return true;
}

bool runner_abandon(struct runner *r)
{
    enum kn_status status;
    struct kn_summary summary;
    if (runner_state(r) == RUNNER_IDLE || runner_is_here(r))
        return false;
    pthread_mutex_lock(&r->lock);
    atomic_store(&r->stop, true);
    pthread_cond_broadcast(&r->changed);
    while (r->state != RUNNER_ENDED)
        pthread_cond_wait(&r->changed, &r->lock);
    pthread_mutex_unlock(&r->lock);
    return runner_reap(r, &status, &summary);
}
