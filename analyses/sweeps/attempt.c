/* attempt.c - see attempt.h. */
#include "analyses/sweeps/attempt.h"

#include "analyses/sweeps/transcript.h"

#include <stdlib.h>

struct attempt {
    const struct plan *plan;
    const struct batch *batch;
    size_t run;
    const struct attempt_output *out;
    struct kn_diagnostics *said; /* without texts of files, which belong to the caller's */
    size_t told;                 /* of these */
    struct transcript transcript;
    struct override *items;
    double *values;
};

static bool put(void *context, const char *bytes, size_t size)
{
    const struct attempt_output *out = ((const struct attempt *)context)->out;
    return out->put(out->context, bytes, size);
}

static void tell_messages(struct attempt *a)
{
    for (; a->told < kn_diagnostics_count(a->said); a->told++)
        transcript_message(&a->transcript, kn_diagnostics_get(a->said, a->told));
}

static bool interrupted(void *context)
{
    struct attempt *a = context;
    tell_messages(a);
    return a->out->stopped(a->out->context);
}

static void progress(void *context, double fraction)
{
    const struct attempt_output *out = ((const struct attempt *)context)->out;
    out->tell(out->context, fraction > 0 ? fraction : 0);
}

static void measured(void *context, const struct kn_measurement *m)
{
    transcript_measurement(&((struct attempt *)context)->transcript, m);
}

static void attempted(void *context, const struct kn_attempt *step)
{
    transcript_attempt(&((struct attempt *)context)->transcript, step);
}

/* ---- analyses in front of this one, for their measurements only ---- */

static void measure_nothing(void *context, const struct kn_measurement *m)
{
    (void)context;
    (void)m;
}

/* Whether a result of one analysis may be part of that of another. */
static bool results_wander(const struct circuit *c)
{
    bool depends = false, several = false;
    for (size_t i = 0; i < c->measure_count; i++) {
        depends |= c->measures[i].depends;
        several |= c->measures[i].domain != c->measures[0].domain;
    }
    return depends && several;
}

/* Their results stay in the set-up; whether they fail is said where they are the analysis of a run. */
static void run_earlier(const struct attempt *a, struct setup *s, struct analysis_options *o)
{
    struct kn_sink nowhere = run_sink_of_nothing();
    const struct analysis_options before = *o;
    const struct setup given = *s;
    struct kn_summary ignored = {0};
    struct run_request own = *a->plan->request;
    own.total = &ignored;
    s->diagnostics = NULL;
    s->part = s->parts = 0;
    o->measured = measure_nothing;
    o->even = NULL;
    o->attempted = NULL;
    bool here = false;
    for (size_t i = 0; analyses[i] && !here; i++)
        for (size_t k = 0; k < analysis_count(analyses[i], s->circuit) && !here; k++) {
            here = analyses[i] == a->batch->analysis && k == a->batch->number;
            if (!here)
                run_analysis(&own, analyses[i], s, k, &nowhere);
        }
    *o = before;
    s->diagnostics = given.diagnostics;
    s->part = given.part;
    s->parts = given.parts;
}

/* ---- the run ---- */

/* With the circuit of this run. */
static enum kn_status run_circuit(struct attempt *a, const struct run_request *own, const struct circuit *c,
                                  const struct overrides *all)
{
    struct transcript_writer writer = {&a->transcript, TRANSCRIPT_ROWS};
    struct kn_sink rows = transcript_sink(&writer);
    struct analysis_options o = {0};
    enum kn_status status = run_options(own, c, &o);
    if (status != KN_OK)
        return status;
    struct setup setup = setup_of(c, &o, own->diagnostics);
    setup.deck = own->deck;
    setup.overrides = all;
    setup.part = (a->run - a->batch->first) % a->batch->parts;
    setup.parts = a->batch->parts > 1 ? a->batch->parts : 0;
    if (results_wander(c))
        run_earlier(a, &setup, &o);
    status = run_analysis(own, a->batch->analysis, &setup, a->batch->number, &rows);
    setup_close(&setup);
    return status;
}

static enum kn_status run(struct attempt *a, size_t number, struct kn_summary *summary)
{
    struct transcript_writer writer = {&a->transcript, TRANSCRIPT_EVEN};
    const struct kn_sink even = transcript_sink(&writer);
    const struct kn_options *told = a->plan->request->options;
    struct kn_options options = told ? *told : (struct kn_options){0};
    options.interrupted = interrupted;
    options.progress = progress;
    options.measured = measured;
    options.attempted = options.attempted ? attempted : NULL;
    options.even = options.even ? &even : NULL;
    options.devices = options.bias = NULL;
    options.jobs = 1; /* the other threads make other runs */
    options.context = a;
    struct run_request own = *a->plan->request;
    own.options = &options;
    own.diagnostics = a->said;
    own.sink = NULL;
    own.total = summary;
    struct circuit *c = NULL;
    const struct overrides all = plan_values(a->plan, number, a->values, a->items);
    own.deck = plan_variant(a->batch, a->values)->deck;
    enum kn_status status = deck_expand(own.deck, &all, NULL, a->said, &c);
    if (status != KN_OK)
        return status;
    status = run_circuit(a, &own, c, &all);
    circuit_free(c);
    return status;
}

enum kn_status attempt_run(const struct plan *p, size_t number, const struct attempt_output *out)
{
    struct kn_summary summary = {0};
    struct attempt a = {
        .plan = p, .batch = plan_batch(p, number), .run = number, .out = out, .said = kn_diagnostics_new()};
    a.transcript.context = &a;
    a.transcript.put = put;
    a.items = calloc(plan_most_overrides(p) + 1, sizeof *a.items);
    a.values = calloc(p->widest + 1, sizeof *a.values);
    enum kn_status status = KN_ERROR_MEMORY;
    if (a.said && a.items && a.values)
        status = run(&a, number, &summary);
    if (a.said)
        tell_messages(&a);
    transcript_outcome(&a.transcript, status, &summary);
    if (!transcript_flush(&a.transcript))
        status = KN_INTERRUPTED;
    transcript_free(&a.transcript);
    free(a.items);
    free(a.values);
    kn_diagnostics_free(a.said);
    return status;
}
