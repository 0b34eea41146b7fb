/* worker.c - see worker.h. */
#include "analyses/sweeps/worker.h"

#include "analyses/sweeps/attempt.h"

struct worker {
    struct crew_desk *desk;
    struct journal *journal;
    uint64_t attempt; /* in the journal */
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

enum crew_outcome worker_run(const struct plan *p, struct journal *journal, size_t run, struct crew_desk *desk)
{
    struct worker w = {desk, journal, 0};
    const struct attempt_output out = {&w, put, stopped, tell};
    if (journal && journal_has(journal, run)) {
        journal_play(journal, run, put_on_desk, desk);
        return CREW_DONE;
    }
    if (journal)
        w.attempt = journal_begin(journal);
    if (is_final(attempt_run(p, run, &out)) && journal)
        journal_done(journal, w.attempt, run);
    return CREW_DONE;
}
