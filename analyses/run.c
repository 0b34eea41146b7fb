/* run.c - see run.h. */
#include "analyses/run.h"

#include "base/clock.h"
#include "devices/setup.h"

#include <string.h>
#include <unistd.h>

size_t run_threads(const struct kn_options *o)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return o && o->jobs > 0 ? (size_t)o->jobs : processors > 0 ? (size_t)processors : 1;
}

static enum kn_status take_options(struct analysis_options *a, const struct kn_options *o, struct kn_diagnostics *d)
{
    a->stills = true;
    a->mna.threads = run_threads(o);
    if (!o)
        return KN_OK;
    if (o->method && !(a->method = analysis_method(o->method, NOWHERE, d)))
        return KN_ERROR_ARGUMENT;
    if (o->reltol > 0)
        a->relative = o->reltol;
    if (o->maxord > 0)
        a->max_order = o->maxord;
    a->fixed_step = o->step;
    a->even = o->even;
    a->devices = o->devices;
    a->bias = o->bias;
    a->partner = o->partner;
    a->interrupted = o->interrupted;
    a->progress = o->progress;
    a->measured = o->measured;
    a->attempted = o->attempted;
    a->context = o->context;
    return KN_OK;
}

struct kn_summary run_summary(const struct analysis_summary *one, double seconds)
{
    const struct integrator_statistics *s = &one->steps;
    struct kn_summary all = {.analyses = 1,
                             .unknowns = one->unknowns,
                             .rows = one->rows,
                             .steps_accepted = s->accepted,
                             .steps_rejected = s->rejected_error + s->rejected_newton,
                             .newton_iterations = s->newton_iterations + one->operating.iterations,
                             .factorizations = s->factorizations + s->refactorizations + one->operating.factorizations,
                             .seconds = seconds,
                             .method = one->method};
    memcpy(all.choice, one->choice, sizeof all.choice);
    return all;
}

void run_add_up(struct kn_summary *total, const struct kn_summary *one)
{
    total->analyses += one->analyses;
    total->unknowns = one->unknowns > total->unknowns ? one->unknowns : total->unknowns;
    total->rows += one->rows;
    total->steps_accepted += one->steps_accepted;
    total->steps_rejected += one->steps_rejected;
    total->newton_iterations += one->newton_iterations;
    total->factorizations += one->factorizations;
    total->seconds += one->seconds;
    if (one->method) {
        total->method = one->method;
        memcpy(total->choice, one->choice, sizeof total->choice);
    }
}

void run_device_faults(const struct circuit *c, struct kn_diagnostics *d)
{
    struct device_families families;
    if (device_families_create(c, d, &families) == KN_OK)
        device_families_destroy(&families);
}

enum kn_status run_options(const struct run_request *r, const struct circuit *c, struct analysis_options *out)
{
    const enum kn_status status = analysis_options_of(c, r->diagnostics, out);
    if (status == KN_ERROR_DECK)
        run_device_faults(c, r->diagnostics);
    out->spectra = true;
    return status == KN_OK ? take_options(out, r->options, r->diagnostics) : status;
}

struct setup run_setup(const struct run_request *r, const struct analysis_options *o)
{
    struct setup s = setup_of(r->circuit, o, r->diagnostics);
    s.deck = r->deck;
    s.overrides = r->overrides;
    return s;
}

enum kn_status run_analysis(const struct run_request *r, const struct analysis *a, struct setup *s, size_t number,
                            struct kn_sink *sink)
{
    struct analysis_summary one = {0};
    const double begin = clock_seconds(CLOCK_MONOTONIC);
    const enum kn_status status = a->run(s, number, sink, &one);
    const struct kn_summary summary = run_summary(&one, clock_seconds(CLOCK_MONOTONIC) - begin);
    run_add_up(r->total, &summary);
    return status;
}

static enum kn_status begin_nothing(void *context, const struct kn_table *table)
{
    (void)context, (void)table;
    return KN_OK;
}

static enum kn_status take_nothing(void *context, const double *values)
{
    (void)context, (void)values;
    return KN_OK;
}

static enum kn_status end_nothing(void *context, enum kn_status outcome)
{
    (void)context;
    return outcome;
}

struct kn_sink run_sink_of_nothing(void)
{
    return (struct kn_sink){NULL, begin_nothing, take_nothing, end_nothing};
}
