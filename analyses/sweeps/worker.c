/* worker.c - see worker.h. */
#include "analyses/sweeps/worker.h"

#include "analyses/sweeps/attempt.h"

struct worker {
    struct crew_desk *desk;
    struct journal *journal;
    uint64_t attempt; /* in the journal */
    bool final;       /* another attempt would give the same */
};

static bool put(void *context, const char *bytes, size_t size)
{
    const struct worker *w = context;
    if (w->journal)
        journal_piece(w->journal, w->attempt, bytes, size);
    return crew_put(w->desk, bytes, size);
}

static bool put_on_desk(void *context, const char *bytes, size_t size)
{
    return crew_put(context, bytes, size);
}

static bool stopped(void *context)
{
    return crew_is_stopped(((const struct worker *)context)->desk);
}

static void tell(void *context, double part)
{
    crew_tell(((const struct worker *)context)->desk, part);
}

/* Whether another attempt would give the same. */
static bool is_final(enum kn_status status)
{
    return status != KN_INTERRUPTED && status != KN_ERROR_MEMORY && status != KN_ERROR_IO;
}

static enum crew_outcome run_elsewhere(struct worker *w, const struct worker_place *at, size_t worker, size_t run)
{
    const struct kn_crew *crew = at->plan->request->options->crew;
    enum kn_status status = KN_INTERRUPTED;
    const struct kn_desk kn_desk = {w, put, stopped};
    const bool there = crew->perform(crew->context, worker, run, at->key, &kn_desk, &status);
    w->final = there && is_final(status);
    return there ? CREW_DONE : CREW_LOST;
}

static enum crew_outcome run_here(struct worker *w, const struct worker_place *at, size_t run)
{
    const struct attempt_output out = {w, put, stopped, tell};
    w->final = is_final(attempt_run(at->plan, run, &out));
    return CREW_DONE;
}

enum crew_outcome worker_run(const struct worker_place *at, size_t worker, size_t run, struct crew_desk *desk)
{
    const struct kn_options *o = at->plan->request->options;
    struct worker w = {.desk = desk, .journal = at->journal};
    if (w.journal && journal_has(w.journal, run)) {
        journal_play(w.journal, run, put_on_desk, desk);
        return CREW_DONE;
    }
    if (w.journal)
        w.attempt = journal_begin(w.journal);
    const bool elsewhere = o && o->crew && o->crew->workers > 0 && worker != CREW_NOBODY && run < at->known;
    const enum crew_outcome outcome = elsewhere ? run_elsewhere(&w, at, worker, run) : run_here(&w, at, run);
    if (w.journal && outcome == CREW_DONE && w.final)
        journal_done(w.journal, w.attempt, run);
    return outcome;
}
