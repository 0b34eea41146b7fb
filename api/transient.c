/* transient.c - kn_transient_..: a transient that waits for the program around it.
 *
 * It is the run of analyses/transient/ with its end put off.  Sources that the caller sets are `external` ones that jump
 * where the run waits; the caller's partner, where there is one, is asked for the others.
 */
#include "analyses/transient/transient.h"
#include "analyses/columns.h"
#include "analyses/faults.h"
#include "analyses/library.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/names.h"
#include "netlist/netlist.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A source with a value from the caller. */
struct held {
    const struct element *source;
    double before, after; /* V or A */
    double since;         /* s: from here on it is `after` */
    bool set;             /* by the caller: nobody else is asked */
};

/* A vector that has been read, of an expansion of the deck that knows it. */
struct reading {
    char *name;
    struct kn_circuit *made;
    struct columns columns;
};

struct kn_transient {
    struct kn_circuit *made; /* of the card; NULL: the caller's is it */
    const struct kn_circuit *circuit;
    struct kn_diagnostics *diagnostics;
    struct kn_options options;
    const struct kn_partner *partner; /* the caller's; NULL: none */
    struct kn_partner own;            /* in its place */
    struct analysis_options analysis;
    struct setup setup;
    struct kn_sink nothing;
    struct kn_summary total;
    struct analysis_summary summary;
    struct transient_course *run;
    enum kn_status status;
    bool stepped; /* slopes are known */
    double began; /* s, of the clock */
    struct held *sources;
    size_t source_count;
    double *breakpoints; /* s */
    size_t breakpoint_count;
    struct reading *readings;
    size_t reading_count;
    double *x, *dxdt; /* [n] */
};

/* ---- what the run asks ---- */

static struct held *held_of(const struct kn_transient *t, const char *name)
{
    for (size_t i = 0; i < t->source_count; i++)
        if (t->sources[i].source->name == name || names_equal(t->sources[i].source->name, name))
            return &t->sources[i];
    return NULL;
}

static bool source_value(void *context, const char *name, double time, double *value, double *rate)
{
    const struct kn_transient *t = context;
    const struct kn_partner *p = t->partner;
    const struct held *h = held_of(t, name);
    if (p && p->source && !h->set)
        return p->source(p->context, name, time, value, rate);
    *value = time < h->since ? h->before : h->after;
    *rate = 0;
    return true;
}

static double next_breakpoint(void *context, double time)
{
    const struct kn_transient *t = context;
    const struct kn_partner *p = t->partner;
    double next = p && p->breakpoint ? p->breakpoint(p->context, time) : INFINITY;
    for (size_t i = 0; i < t->breakpoint_count; i++)
        if (t->breakpoints[i] > time)
            next = fmin(next, t->breakpoints[i]);
    return next;
}

static double shorten(void *context, double time, double step)
{
    const struct kn_partner *p = ((const struct kn_transient *)context)->partner;
    return p->shorten(p->context, time, step);
}

static bool agrees(void *context, double time, double step, double *again)
{
    struct kn_transient *t = context;
    t->stepped = true;
    return t->partner->agrees(t->partner->context, time, step, again);
}

/* ---- beginning ---- */

static bool is_external(const struct element *e)
{
    return e->kind->form == CARD_SOURCE && e->source.wave.kind == WAVEFORM_EXTERNAL;
}

static enum kn_status find_sources(struct kn_transient *t)
{
    const struct circuit *c = t->circuit->circuit;
    size_t count = 0;
    for (size_t i = 0; i < c->element_count; i++)
        count += is_external(&c->elements[i]);
    if (!array_resize(&t->sources, count + 1, sizeof *t->sources))
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < c->element_count; i++) {
        const struct element *e = &c->elements[i];
        if (is_external(e))
            t->sources[t->source_count++] = (struct held){e, e->source.dc, e->source.dc, -INFINITY, false};
    }
    return KN_OK;
}

static void take_partner(struct kn_transient *t)
{
    const struct kn_partner *p = t->partner;
    t->own = (struct kn_partner){.context = t,
                                 .source = source_value,
                                 .breakpoint = next_breakpoint,
                                 .shorten = p && p->shorten ? shorten : NULL,
                                 .agrees = p && p->agrees ? agrees : NULL};
    t->options.partner = &t->own;
}

static enum kn_status begin(struct kn_transient *t, struct kn_sink *sink)
{
    struct run_request r = library_request(t->circuit, &t->options, t->diagnostics, sink, &t->total);
    const struct circuit *c = t->circuit->circuit;
    if (c->transient_count == 0) {
        diagnostics_add(t->diagnostics, KN_ERROR, "no-analysis", NOWHERE, "hand one over, \"tran 1u 1m\"",
                        "the circuit asks for no transient");
        return KN_ERROR_ARGUMENT;
    }
    enum kn_status status = run_options(&r, c, &t->analysis);
    if (status == KN_OK)
        status = find_sources(t);
    if (status != KN_OK)
        return status;
    t->setup = run_setup(&r, &t->analysis);
    return transient_begin(&t->setup, &c->transients[0], sink, &t->summary, &t->run);
}

enum kn_status kn_transient_begin(const struct kn_circuit *c, const char *card, const struct kn_options *options,
                                  struct kn_diagnostics *d, struct kn_sink *sink, struct kn_transient **out)
{
    struct kn_transient *t = *out = calloc(1, sizeof *t);
    if (!t)
        return KN_ERROR_MEMORY;
    t->diagnostics = d;
    t->began = clock_seconds(CLOCK_MONOTONIC);
    library_options(options, &t->options);
    t->partner = t->options.partner;
    t->nothing = run_sink_of_nothing();
    take_partner(t);
    t->status = card ? library_with_card(c, card, d, &t->made) : KN_OK;
    t->circuit = card ? t->made : c;
    if (t->status == KN_OK)
        t->status = begin(t, sink ? sink : &t->nothing);
    return t->status;
}

/* ---- going on ---- */

double kn_transient_time(const struct kn_transient *t)
{
    return t->run && t->status == KN_OK ? transient_now(t->run).time : NAN;
}

double kn_transient_stop(const struct kn_transient *t)
{
    const struct circuit *c = t->circuit ? t->circuit->circuit : NULL;
    return c && c->transient_count > 0 ? c->transients[0].stop : NAN;
}

static bool has_ended(const struct kn_transient *t)
{
    return kn_transient_time(t) >= kn_transient_stop(t);
}

enum kn_status kn_transient_advance(struct kn_transient *t, double time)
{
    if (t->status != KN_OK || has_ended(t) || !(time > kn_transient_time(t)))
        return t->status;
    t->status = transient_to(t->run, time);
    t->stepped = true;
    return t->status;
}

enum kn_status kn_transient_step(struct kn_transient *t)
{
    if (t->status != KN_OK || has_ended(t))
        return t->status;
    t->status = transient_step(t->run);
    t->stepped = true;
    return t->status;
}

static enum kn_status complain(const struct kn_transient *t, const char *hint, const char *format, const char *name)
{
    diagnostics_add(t->diagnostics, KN_ERROR, "argument", NOWHERE, hint, format, name);
    return KN_ERROR_ARGUMENT;
}

enum kn_status kn_transient_set(struct kn_transient *t, const char *source, double value)
{
    if (t->status != KN_OK)
        return t->status;
    struct held *h = held_of(t, source);
    const double now = kn_transient_time(t);
    if (!h)
        return complain(t, "write V1 a 0 external, or alter the setting `external` of a source before the run",
                        "there is no source '%s' whose values come from outside", source);
    if (!isfinite(value))
        return complain(t, NULL, "the value of '%s' must be a number", source);
    if (h->since < now) {
        const struct kn_partner *p = t->partner;
        double rate = NAN;
        h->before = h->after;
        if (p && p->source && !h->set && !p->source(p->context, h->source->name, now, &h->before, &rate))
            return t->status = KN_INTERRUPTED;
        h->since = now;
    }
    h->after = value;
    h->set = true;
    transient_jump(t->run);
    return KN_OK;
}

enum kn_status kn_transient_breakpoint(struct kn_transient *t, double time)
{
    const double now = kn_transient_time(t);
    size_t kept = 0;
    for (size_t i = 0; i < t->breakpoint_count; i++)
        if (t->breakpoints[i] > now)
            t->breakpoints[kept++] = t->breakpoints[i];
    t->breakpoint_count = kept;
    if (!(time > now))
        return t->status;
    if (!array_resize(&t->breakpoints, kept + 1, sizeof *t->breakpoints))
        return KN_ERROR_MEMORY;
    t->breakpoints[t->breakpoint_count++] = time;
    return t->status;
}

/* ---- reading ---- */

/* Expanded once more, the deck knows what the name means; nodes and elements have the same numbers in it, unless the
 * vector needs some of its own. */
static enum kn_status look_up(struct kn_transient *t, const char *name, struct reading *r)
{
    struct arena *memory = arena_new();
    const char *card = memory ? arena_format(memory, "save %s", name) : NULL;
    enum kn_status status = card ? library_with_card(t->circuit, card, t->diagnostics, &r->made) : KN_ERROR_MEMORY;
    arena_free(memory);
    if (status != KN_OK)
        return status;
    const struct circuit *c = r->made->circuit, *own = t->circuit->circuit;
    const size_t known = own->save_count < c->save_count ? own->save_count : c->save_count;
    if (c->save_count == known)
        return complain(t, "kn_diagnostics says why", "there is no vector '%s' in this transient", name);
    if (c->element_count != own->element_count || c->node_count != own->node_count)
        return complain(t, "write it as .save of the deck", "'%s' adds equations to the circuit", name);
    return columns_init_requests(&r->columns, t->setup.mna, &c->saves[known], 1);
}

static enum kn_status find_reading(struct kn_transient *t, const char *name, struct reading **out)
{
    for (size_t i = 0; i < t->reading_count; i++)
        if (strcmp(t->readings[i].name, name) == 0) {
            *out = &t->readings[i];
            return KN_OK;
        }
    if (!array_resize(&t->readings, t->reading_count + 1, sizeof *t->readings))
        return KN_ERROR_MEMORY;
    struct reading *r = *out = &t->readings[t->reading_count];
    *r = (struct reading){.name = malloc(strlen(name) + 1)};
    enum kn_status status = r->name ? KN_OK : KN_ERROR_MEMORY;
    if (status == KN_OK) {
        strcpy(r->name, name);
        status = look_up(t, name, r);
    }
    if (status == KN_OK && r->columns.count != 1)
        status = complain(t, NULL, "'%s' is not one vector", name);
    t->reading_count += status == KN_OK;
    if (status != KN_OK) {
        columns_free(&r->columns);
        kn_circuit_free(r->made);
        free(r->name);
    }
    return status;
}

/* dx/dt where the run is: at rest at an operating point; else from the last step. */
static enum kn_status slopes(struct kn_transient *t, const char *name)
{
    const struct transient *request = &t->circuit->circuit->transients[0];
    const struct transient_point at = transient_now(t->run);
    const size_t n = (size_t)at.method->dae->n;
    if (!t->stepped && (request->uic || t->circuit->circuit->initial_count > 0))
        return complain(t, "it is known after the first step", "'%s' depends on how values change", name);
    if (!t->x && (!(t->x = calloc(n, sizeof *t->x)) || !(t->dxdt = calloc(n, sizeof *t->dxdt))))
        return KN_ERROR_MEMORY;
    if (t->stepped)
        return integrator_slopes(at.method, at.time, t->x, t->dxdt);
    return KN_OK;
}

enum kn_status kn_transient_read(struct kn_transient *t, const char *vector, double *value)
{
    struct reading *r = NULL;
    *value = NAN;
    if (t->status != KN_OK)
        return t->status;
    enum kn_status status = find_reading(t, vector, &r);
    if (status == KN_OK && r->columns.needs_slopes)
        status = slopes(t, vector);
    if (status != KN_OK)
        return status;
    const struct transient_point at = transient_now(t->run);
    columns_fill(&r->columns, t->setup.mna, at.time, at.x, t->dxdt, value);
    return KN_OK;
}

/* ---- the end ---- */

static void release(struct kn_transient *t)
{
    for (size_t i = 0; i < t->reading_count; i++) {
        columns_free(&t->readings[i].columns);
        kn_circuit_free(t->readings[i].made);
        free(t->readings[i].name);
    }
    setup_close(&t->setup);
    kn_circuit_free(t->made);
    free(t->readings);
    free(t->sources);
    free(t->breakpoints);
    free(t->x);
    free(t->dxdt);
    free(t);
}

enum kn_status kn_transient_end(struct kn_transient *t, struct kn_summary *summary)
{
    if (!t)
        return KN_OK;
    enum kn_status status = t->status;
    if (status == KN_OK && !has_ended(t))
        status = KN_INTERRUPTED;
    status = transient_end(t->run, status);
    if (summary)
        *summary = run_summary(&t->summary, clock_seconds(CLOCK_MONOTONIC) - t->began);
    release(t);
    return status;
}
