/* steps.c - see steps.h.  Workers make transcripts of runs; here, in the caller's thread, they are played in order. */
#include "analyses/sweeps/steps.h"

#include "analyses/sweeps/attempt.h"
#include "analyses/sweeps/joined.h"
#include "analyses/sweeps/statistics.h"
#include "analyses/sweeps/transcript.h"
#include "analyses/sweeps/worker.h"
#include "base/hash.h"
#include "integrators/integrator.h"

#include <string.h>

/* Bytes of results that may wait for their turn. */
static const size_t ROOM = (size_t)64 << 20;

static const size_t NONE = (size_t)-1;

struct stepping {
    const struct run_request *request;
    struct plan plan;
    const struct batch *batch; /* whose tables are open */
    size_t run;                /* that is being played */
    size_t offset;             /* number of the first run of those that the crew makes now */
    struct arena *arena;
    double *values;
    const char **names;
    struct override *items;
    struct joined rows, even;
    struct idle idle; /* swept values that change nothing */
    struct statistics statistics;
    struct worker_place place;
    enum kn_status outcome; /* of the run being played, when it has ended */
    enum kn_status worst;
};

bool steps_wanted(const struct run_request *r)
{
    return plan_is_needed(r);
}

enum kn_status steps_check(const struct run_request *r)
{
    return plan_check(r);
}

/* ---- batches ---- */

static struct joined join(const struct stepping *s, const struct kn_sink *next)
{
    return (struct joined){.next = next,
                           .sweeps = &s->batch->sweeps,
                           .values = s->values,
                           .diagnostics = s->request->diagnostics,
                           .arena = s->arena};
}

static enum kn_status open_batch(struct stepping *s, const struct batch *b)
{
    const struct kn_options *o = s->request->options;
    s->batch = b;
    for (size_t k = 0; k < b->sweeps.count; k++)
        s->names[k] = b->sweeps.items[k].name;
    s->rows = join(s, s->request->sink);
    s->rows.idle = &s->idle;
    s->even = join(s, o ? o->even : NULL);
    return statistics_open(&s->statistics, s->arena) ? KN_OK : KN_ERROR_MEMORY;
}

/* The number of the current run, where the batch draws random values. */
static const double *number_of_run(const struct stepping *s)
{
    const struct sweeps *all = &s->batch->sweeps;
    for (size_t k = 0; k < all->count; k++)
        if (all->items[k].meaning == SWEEP_RUNS || all->items[k].meaning == SWEEP_CORNERS)
            return &s->values[k];
    for (size_t k = 0; k < all->count && s->batch->variants[0].circuit->random_count > 0; k++)
        if (all->items[k].draws)
            return &s->values[k];
    return NULL;
}

static enum kn_status close_batch(struct stepping *s, enum kn_status status)
{
    const struct kn_options *o = s->request->options;
    if (!s->batch)
        return status;
    status = joined_close(&s->rows, joined_close(&s->even, status));
    if (o && o->summarised)
        statistics_tell(&s->statistics, o->summarised, o->context);
    s->batch = NULL;
    return status;
}

/* ---- playing ---- */

static void hear_message(void *context, const struct kn_diagnostic *m)
{
    const struct stepping *s = context;
    diagnostics_add(s->request->diagnostics, m->severity, m->code, m->where, m->hint, "%s", m->text);
}

static void hear_measurement(void *context, const struct kn_measurement *m)
{
    struct stepping *s = context;
    const struct kn_options *o = s->request->options;
    const double *run = number_of_run(s);
    if (o && o->measured)
        o->measured(o->context, m);
    if (run && !statistics_add(&s->statistics, m, *run))
        s->worst = KN_ERROR_MEMORY;
    if (s->batch->corners && !corners_add(s->batch->corners, m, *s->values))
        s->worst = KN_ERROR_MEMORY;
}

static void hear_attempt(void *context, const struct kn_attempt *a)
{
    const struct kn_options *o = ((const struct stepping *)context)->request->options;
    if (o && o->attempted)
        o->attempted(o->context, a);
}

static void hear_outcome(void *context, enum kn_status status, const struct kn_summary *one)
{
    struct stepping *s = context;
    struct kn_summary lasting = *one;
    const struct integrator_class *method = one->method ? integrator_find(one->method) : NULL;
    lasting.method = method ? method->name : NULL;
    s->outcome = status;
    run_add_up(s->request->total, &lasting);
}

static enum kn_status begin_run(struct stepping *s, size_t run)
{
    const struct kn_options *o = s->request->options;
    const struct batch *b = plan_batch(&s->plan, run);
    enum kn_status status = b == s->batch ? KN_OK : close_batch(s, KN_OK);
    if (status == KN_OK && b != s->batch)
        status = open_batch(s, b);
    if (status != KN_OK)
        return status;
    s->run = run;
    s->outcome = KN_ERROR_IO; /* until it is heard */
    plan_values(&s->plan, run, s->values, s->items);
    joined_next(&s->rows);
    joined_next(&s->even);
    if (o && o->stepped && b->sweeps.count > 0)
        o->stepped(o->context, s->names, s->values, b->sweeps.count);
    return KN_OK;
}

static enum kn_status take(void *context, size_t run, const char *bytes, size_t size)
{
    struct stepping *s = context;
    const enum kn_status status = s->offset + run == s->run ? KN_OK : begin_run(s, s->offset + run);
    if (status != KN_OK)
        return status;
    const struct transcript_listener to = {
        .sinks = {joined_sink(&s->rows), s->even.next ? joined_sink(&s->even) : (struct kn_sink){0}},
        .context = s,
        .message = hear_message,
        .measurement = hear_measurement,
        .attempt = hear_attempt,
        .outcome = hear_outcome};
    return transcript_play(bytes, size, &to);
}

static void say_failure(const struct stepping *s)
{
    const struct sweeps *all = &s->batch->sweeps;
    struct text at = TEXT(SENTENCE);
    if (all->count == 0)
        return;
    sweeps_describe(all, s->values, &at);
    diagnostics_add(s->request->diagnostics, KN_ERROR, "step-failed", all->items[0].where, NULL,
                    "'%s': the run with %s failed", all->items[0].card, at.at);
}

/* Its transcript has been played. */
static enum kn_status finish(void *context, size_t run)
{
    struct stepping *s = context;
    enum kn_status status = s->offset + run == s->run ? s->outcome : KN_ERROR_IO;
    if (status == KN_INTERRUPTED || status == KN_ERROR_MEMORY || status == KN_ERROR_IO || s->worst == KN_ERROR_MEMORY)
        return status == KN_OK ? s->worst : status;
    if (status == KN_OK && (s->rows.differs || s->even.differs))
        status = KN_ERROR_CIRCUIT;
    if (status != KN_OK)
        say_failure(s);
    s->worst = status == KN_OK ? s->worst : status == KN_ERROR_DECK ? KN_ERROR_CIRCUIT : status;
    return KN_OK;
}

static bool look(void *context, double done)
{
    const struct stepping *s = context;
    const struct kn_options *o = s->request->options;
    if (o && o->progress)
        o->progress(o->context, done);
    return !(o && o->interrupted && o->interrupted(o->context));
}

/* ---- the whole ---- */

static enum crew_outcome perform(void *context, size_t worker, size_t run, struct crew_desk *desk)
{
    const struct stepping *s = context;
    return worker_run(&s->place, worker, s->offset + run, desk);
}

static size_t workers_of(const struct kn_options *o)
{
    if (o && o->crew && o->crew->workers > 0)
        return o->crew->workers;
    if (o && o->partner) /* a partner is one program and answers one run at a time */
        return 1;
    return run_threads(o);
}

/* Of all that results depend on. */
static uint64_t key_of(const struct plan *p)
{
    const struct kn_options *o = p->request->options;
    const uint64_t deck = deck_fingerprint(p->request->deck);
    uint64_t h = hash_bytes(HASH_BEGIN, &deck, sizeof deck);
    h = hash_bytes(h, &p->chance.seed, sizeof p->chance.seed);
    h = hash_bytes(h, KNOTEN_VERSION, sizeof KNOTEN_VERSION);
    if (o && o->method)
        h = hash_bytes(h, o->method, strlen(o->method));
    for (size_t i = 0; i < p->batch_count; i++)
        for (size_t k = 0; k < p->batches[i].sweeps.count; k++) {
            const struct sweep *s = &p->batches[i].sweeps.items[k];
            h = hash_bytes(h, s->values, s->count * sizeof *s->values);
        }
    const double numbers[] = {o ? o->reltol : 0, o ? o->maxord : 0, o ? o->step : 0, o && o->even, o && o->attempted};
    return hash_bytes(h, numbers, sizeof numbers);
}

static enum kn_status open_journal(struct stepping *s)
{
    const struct kn_options *o = s->request->options;
    struct worker_place *at = &s->place;
    *at = (struct worker_place){&s->plan, NULL, key_of(&s->plan), s->plan.runs};
    const struct journal_request r = {o ? o->journal : NULL, o && o->resume, at->key, s->plan.runs + s->plan.later,
                                      s->request->diagnostics};
    const enum kn_status status = r.path && r.runs > 1 ? journal_open(&r, &at->journal) : KN_OK;
    if (at->journal && journal_count(at->journal) > 0)
        diagnostics_add(s->request->diagnostics, KN_NOTE, "resumed", NOWHERE, NULL, "%zu of %zu runs are those of '%s'",
                        journal_count(at->journal), r.runs, r.path);
    return status;
}

static enum kn_status open(struct stepping *s)
{
    enum kn_status status = plan_open(&s->plan, s->request);
    if (status != KN_OK)
        return status;
    plan_note_nominal(s->request, &s->plan);
    const size_t widest = s->plan.widest + 1;
    s->arena = s->idle.arena = s->plan.arena;
    s->values = arena_array(s->arena, widest, sizeof *s->values);
    s->names = arena_array(s->arena, widest, sizeof *s->names);
    s->items = arena_array(s->arena, plan_most_overrides(&s->plan) + 1, sizeof *s->items);
    return s->values && s->names && s->items ? open_journal(s) : KN_ERROR_MEMORY;
}

/* Runs from one number on, to the last that the plan has so far. */
static enum kn_status make_runs(struct stepping *s, size_t from)
{
    const struct crew_task task = {.count = s->plan.runs - from,
                                   .workers = workers_of(s->request->options),
                                   .room = ROOM,
                                   .context = s,
                                   .perform = perform,
                                   .take = take,
                                   .finish = finish,
                                   .look = look};
    s->offset = from;
    return close_batch(s, crew_work(&task));
}

/* What follows from the results, and what is to be said of all. */
static enum kn_status follow(struct stepping *s)
{
    const size_t before = s->plan.runs;
    enum kn_status status = plan_follow(&s->plan);
    if (status == KN_OK && s->plan.runs > before)
        status = make_runs(s, before);
    if (status == KN_OK)
        plan_say_corners(&s->plan);
    return status;
}

enum kn_status steps_run(const struct run_request *r)
{
    struct stepping s = {.request = r, .run = NONE};
    enum kn_status status = open(&s);
    if (status == KN_OK)
        status = make_runs(&s, 0);
    if (status == KN_OK)
        status = follow(&s);
    idle_say(&s.idle, status == KN_OK && s.worst == KN_OK ? r->diagnostics : NULL);
    journal_close(s.place.journal, status == KN_OK, r->diagnostics);
    plan_close(&s.plan);
    return status == KN_OK ? s.worst : status;
}

/* ---- for a kn_run elsewhere ---- */

static void tell_nobody(void *context, double part)
{
    (void)context;
    (void)part;
}

enum kn_status steps_serve(const struct run_request *r, const struct kn_service *service)
{
    struct plan plan;
    const struct attempt_output out = {service->desk.context, service->desk.put, service->desk.stopped, tell_nobody};
    const enum kn_status status = plan_open(&plan, r);
    size_t run;
    while (status == KN_OK && service->next(service->context, key_of(&plan), &run))
        service->done(service->context, run < plan.runs ? attempt_run(&plan, run, &out) : KN_ERROR_ARGUMENT);
    plan_close(&plan);
    return status;
}
