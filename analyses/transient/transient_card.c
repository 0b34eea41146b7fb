/* transient_card.c - .tran: a run in time, and a second one to compare it with where .options verify asks for it. */
#include "analyses/analysis.h"
#include "analyses/compare/verify.h"
#include "analyses/transient/carry.h"
#include "analyses/transient/quasistatic.h"
#include "analyses/transient/transient.h"

#include <math.h>

static size_t count(const struct circuit *c)
{
    return c->transient_count;
}

static const struct analysis_card *sweep(const struct circuit *c, size_t number)
{
    return c->transients[number].outer;
}

/* Rows go to the caller and are kept. */
struct keeper {
    struct kn_sink *caller;
    struct recording rows;
    struct kn_sink recorder;
    bool complete; /* what follows are other tables */
};

static enum kn_status keeper_begin(void *context, const struct kn_table *table)
{
    struct keeper *k = context;
    const enum kn_status status = k->complete ? KN_OK : k->recorder.begin(k->recorder.context, table);
    return status == KN_OK ? k->caller->begin(k->caller->context, table) : status;
}

static enum kn_status keeper_row(void *context, const double *values)
{
    struct keeper *k = context;
    const enum kn_status status = k->caller->row(k->caller->context, values);
    return status == KN_OK && !k->complete ? k->recorder.row(k->recorder.context, values) : status;
}

static enum kn_status keeper_end(void *context, enum kn_status outcome)
{
    struct keeper *k = context;
    k->complete = true;
    return k->caller->end(k->caller->context, outcome);
}

static enum kn_status compare(struct setup *s, const struct transient *request, const struct recording *rows,
                              const struct analysis_summary *summary)
{
    struct verification v;
    const struct verify_request verify = {
        .circuit = s->circuit,
        .transient = request,
        .options = s->options,
        .first_method = integrator_find(summary->method),
        .limit = INFINITY,
    };
    const enum kn_status status = verify_rows(&verify, rows, &v);
    if (status == KN_OK)
        verify_report(&v, s->diagnostics);
    verify_free(&v);
    return status;
}

/* One whose values may be changed under way. */
static enum kn_status run_once(struct setup *s, size_t number, struct kn_sink *sink, struct analysis_summary *summary)
{
    struct carry *carry = quasistatic_is_asked(s->options) ? NULL : s->options->carry;
    if (carry) {
        carry->number = number;
        atomic_store(&carry->under_way, true);
    }
    const enum kn_status status = transient_run(s, &s->circuit->transients[number], sink, summary);
    if (carry)
        atomic_store(&carry->under_way, false);
    return status;
}

static enum kn_status run(struct setup *s, size_t number, struct kn_sink *sink, struct analysis_summary *summary)
{
    const struct transient *request = &s->circuit->transients[number];
    if (!s->options->verify)
        return run_once(s, number, sink, summary);
    struct keeper keeper = {.caller = sink};
    struct kn_sink both = {&keeper, keeper_begin, keeper_row, keeper_end};
    keeper.recorder = recording_sink(&keeper.rows);
    enum kn_status status = transient_run(s, request, &both, summary);
    if (status == KN_OK)
        status = compare(s, request, &keeper.rows, summary);
    recording_free(&keeper.rows);
    return status;
}

const struct analysis analysis_transient =
    SWEPT_ANALYSIS(".tran", "waveforms: .tran tstep tstop [tstart [tmax]] [uic]");
