/* parasitics.c - see parasitics.h.
 *
 * Whether one may go depends on which others do: where all cannot, the largest part that is found by halving, small
 * values first, is what may.  Many of one scale go together (nested reduction, Weber, Diss. Halle 2013, Theorem 2.27).
 */
#include "analyses/parasitics/parasitics.h"

#include "analyses/run.h"
#include "analyses/transient/quasistatic.h"
#include "analyses/transient/recording.h"
#include "analyses/transient/starting.h"
#include "analyses/transient/transient.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Choices looked at before the rest is kept. */
enum { MOST_TRIED = 120, MOST_TRIED_OF_MANY = 12 };

/* Unknowns up to which indices and poles are found. */
enum { MOST_UNKNOWNS = 400 };

struct inquiry {
    struct parasitics_report *report;
    struct setup *full;
    const struct transient *request; /* NULL: the operating point counts */
    double *start;                   /* [n] where the circuit with all of them starts */
    int *order;                      /* [parasitics] small values first */
    bool *taken;                     /* [parasitics] */
};

/* ---- the point ---- */

static enum kn_status operate(struct setup *s, double *x)
{
    struct operating_report report;
    const struct operating_options op = {.relative = SETUP_OPERATING_PART * s->options->relative,
                                         .time = SETUP_OPERATING_TIME,
                                         .max_iterations = s->options->op_iterations};
    return operating_point(s->mna, s->topology, &op, s->diagnostics, x, &report);
}

static enum kn_status find_start(struct inquiry *q)
{
    struct setup *s = q->full;
    struct consistent consistent = {0};
    struct operating_report report;
    if (!q->request)
        return operate(s, q->start);
    const enum kn_status status = starting_values(s, q->request, s->diagnostics, &consistent, q->start, &report);
    consistent_free(&consistent);
    return status;
}

/* Where the circuit without them starts: from the same slow charges; x [n]. */
static enum kn_status start_without(const struct inquiry *q, struct without *w, double *x)
{
    static const struct transient at_rest;
    struct consistent c = starting_consistent(&w->setup, q->request ? q->request : &at_rest);
    memcpy(x, q->start, (size_t)mna_unknown_count(w->setup.mna) * sizeof *x);
    const bool moves = q->request && (q->request->uic || w->circuit.initial_count > 0);
    const enum kn_status status = moves ? consistent_restart(&c, 0, NULL, x) : KN_OK;
    consistent_free(&c);
    return status;
}

/* ---- one choice ---- */

static const char *point_words(const struct inquiry *q)
{
    return mna_dae(q->full->mna)->linear ? "everywhere: the circuit is linear"
           : !q->request                 ? "at the operating point"
           : q->request->uic             ? "at the initial values (uic)"
                                         : "at the start of the transient";
}

static enum kn_status describe(struct inquiry *q, const struct without *w, const struct fast_part *part,
                               struct leaving *out)
{
    struct arena *a = q->report->arena;
    struct text why = TEXT(SENTENCE), hint = TEXT(SENTENCE);
    static const struct fast_part none = {.verdict = FAST_OPEN};
    const bool objected = quasistatic_objection(w, part ? part : &none, &why, &hint);
    out->verdict = part ? part->verdict : FAST_OPEN;
    out->unsolvable = w->unsolvable;
    out->why = objected ? text_keep(&why, a) : NULL;
    out->hint = objected ? text_keep(&hint, a) : NULL;
    return objected && (!out->why || !out->hint) ? KN_ERROR_MEMORY : KN_OK;
}

static enum kn_status keep_modes(struct inquiry *q, const struct fast_part *part, struct leaving *out)
{
    out->modes = arena_array(q->report->arena, part->mode_count + 1, sizeof *out->modes);
    if (!out->modes)
        return KN_ERROR_MEMORY;
    if (part->mode_count > 0)
        memcpy(out->modes, part->modes, part->mode_count * sizeof *out->modes);
    out->mode_count = part->mode_count;
    out->without = part->without;
    out->contraction = part->contraction;
    out->slowest = part->slowest;
    return KN_OK;
}

/* Without the elements in q->taken; `part_of` sees what was found before it is gone. */
static enum kn_status look(struct inquiry *q, struct leaving *out,
                           enum kn_status (*more)(struct inquiry *q, struct without *w, const double *x,
                                                  const struct fast_part *part, struct leaving *out))
{
    struct without w;
    struct fast *fast = NULL;
    *out = (struct leaving){.contraction = NAN, .index = -1, .fastest_slow = NAN, .point = point_words(q)};
    enum kn_status status = without_open(q->full, &q->report->parasitics, q->taken, &w);
    double *x = calloc((size_t)mna_unknown_count(q->full->mna) + 1, sizeof *x);
    out->count = w.parasitics.count;
    q->report->tried++;
    if (status == KN_OK)
        status = x ? KN_OK : KN_ERROR_MEMORY;
    if (status == KN_OK && w.unsolvable) {
        status = describe(q, &w, NULL, out);
    } else if (status == KN_OK) {
        status = start_without(q, &w, x);
        const struct index_point at = {0, x};
        if (status == KN_OK)
            status = fast_new(w.setup.mna, w.setup.topology, &w.parasitics, &at, &fast);
        if (status == KN_OK)
            status = describe(q, &w, fast_result(fast), out);
        if (status == KN_OK)
            status = keep_modes(q, fast_result(fast), out);
        if (status == KN_OK && more)
            status = more(q, &w, x, fast_result(fast), out);
        if (status == KN_ERROR_CONVERGENCE || status == KN_ERROR_CIRCUIT) {
            out->verdict = FAST_OPEN;
            out->why = "not decided: without them no starting point was found";
            out->hint = "leave out fewer";
            status = KN_OK;
        }
    }
    fast_free(fast);
    without_free(&w);
    free(x);
    return status;
}

/* ---- what is told of a choice beyond its verdict ---- */

static int by_topology(const struct topology *t)
{
    return t->verdict == TOPOLOGY_INDEX_0   ? 0
           : t->verdict == TOPOLOGY_INDEX_1 ? 1
           : t->verdict == TOPOLOGY_INDEX_2 ? 2
                                            : -1;
}

static enum kn_status find_poles(struct setup *s, const double *x, int *index, double *fastest)
{
    struct index_analysis *a = NULL;
    const struct index_options options = {.spectrum = true};
    const struct index_point at = {0, x};
    *index = by_topology(s->topology);
    *fastest = NAN;
    if (mna_unknown_count(s->mna) > MOST_UNKNOWNS)
        return KN_OK;
    enum kn_status status = index_analyze(s->mna, s->topology, &at, &options, &a);
    if (status == KN_OK && a->outcome == INDEX_KNOWN)
        *index = a->index;
    if (status == KN_OK && a->poles) {
        double most = 0;
        for (int k = 0; k < a->pole_count; k++)
            most = isnan(creal(a->poles[k])) ? NAN : fmax(most, cabs(a->poles[k]));
        *fastest = most > 0 ? 1 / most : isnan(most) ? NAN : INFINITY;
    }
    index_free(a);
    return status == KN_ERROR_CONVERGENCE ? KN_OK : status;
}

/* With all stores of energy taken away, at the same point. */
static enum kn_status find_dissipation(struct inquiry *q, const double *x, struct fast_dissipation *out)
{
    const struct setup *s = q->full;
    const struct parasitic_choice every = {.most_capacitance = INFINITY, .most_inductance = INFINITY};
    struct parasitics stores;
    struct without w = {0};
    struct fast *fast = NULL;
    const struct index_point at = {0, x};
    bool *is_fast;
    enum kn_status status = parasitics_find(s->circuit, s->topology, &every, q->report->arena, s->diagnostics, &stores);
    if (status != KN_OK || stores.count > MOST_UNKNOWNS || !mna_dae(s->mna)->linear)
        return status;
    if (!(is_fast = arena_array(q->report->arena, stores.count + 1, sizeof *is_fast)))
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < stores.count; i++)
        for (size_t k = 0; k < q->report->parasitics.count; k++)
            is_fast[i] = is_fast[i] || (q->taken[k] && stores.list[i].element == q->report->parasitics.list[k].element);
    status = without_open(q->full, &stores, NULL, &w);
    if (status == KN_OK && !w.unsolvable)
        status = fast_new(w.setup.mna, w.setup.topology, &stores, &at, &fast);
    if (status == KN_OK && fast && fast_result(fast)->verdict != FAST_RAISES)
        status = fast_find_dissipation(fast, is_fast, out);
    fast_free(fast);
    without_free(&w);
    return status == KN_ERROR_CONVERGENCE ? KN_OK : status;
}

static enum kn_status tell_more(struct inquiry *q, struct without *w, const double *x, const struct fast_part *part,
                                struct leaving *out)
{
    struct parasitics_report *r = q->report;
    if (out->count == r->parasitics.count) {
        memcpy(r->own, part->own, out->count * sizeof *r->own);
        memcpy(r->resistance, part->resistance, out->count * sizeof *r->resistance);
    }
    const enum kn_status status = find_poles(&w->setup, x, &out->index, &out->fastest_slow);
    return status == KN_OK ? find_dissipation(q, x, &out->dissipation) : status;
}

/* ---- which may go ---- */

struct size {
    bool inductor;
    double value;
    int number;
};

static int by_size(const void *a, const void *b)
{
    const struct size *x = a, *y = b;
    if (x->inductor != y->inductor)
        return x->inductor - y->inductor;
    return x->value < y->value ? -1 : x->value > y->value ? 1 : x->number - y->number;
}

static enum kn_status put_in_order(struct inquiry *q)
{
    const struct parasitics *p = &q->report->parasitics;
    struct size *sizes = arena_array(q->report->arena, p->count + 1, sizeof *sizes);
    if (!sizes)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < p->count; i++)
        sizes[i] = (struct size){p->list[i].inductor, fabs(p->list[i].value), (int)i};
    qsort(sizes, p->count, sizeof *sizes, by_size);
    for (size_t i = 0; i < p->count; i++)
        q->order[i] = sizes[i].number;
    return KN_OK;
}

static void take(struct inquiry *q, size_t first, size_t count, bool taken)
{
    for (size_t i = first; i < first + count; i++)
        q->taken[q->order[i]] = taken;
}

/* Adds to what is taken as much as may go of `count` in order from `first` on. */
static enum kn_status add_what_may(struct inquiry *q, size_t first, size_t count)
{
    struct parasitics_report *r = q->report;
    struct leaving l;
    if (count == 0)
        return KN_OK;
    if (r->tried >= (r->parasitics.count > MNA_MOST_DENSE ? MOST_TRIED_OF_MANY : MOST_TRIED)) {
        r->cut_short = true;
        for (size_t i = first; i < first + count; i++)
            r->why_not[q->order[i]] = "not looked at: too many cannot go";
        return KN_OK;
    }
    take(q, first, count, true);
    enum kn_status status = look(q, &l, NULL);
    if (status != KN_OK || !l.why)
        return status;
    take(q, first, count, false);
    if (count == 1) {
        r->why_not[q->order[first]] = l.why;
        return KN_OK;
    }
    status = add_what_may(q, first, count / 2);
    return status == KN_OK ? add_what_may(q, first + count / 2, count - count / 2) : status;
}

static enum kn_status find_some(struct inquiry *q)
{
    struct parasitics_report *r = q->report;
    const size_t count = r->parasitics.count;
    if (!r->all.why) {
        memset(r->may_go, 1, count * sizeof *r->may_go);
        r->some = r->all;
        return KN_OK;
    }
    memset(q->taken, 0, count * sizeof *q->taken);
    enum kn_status status = put_in_order(q);
    if (status == KN_OK)
        status = add_what_may(q, 0, count / 2);
    if (status == KN_OK)
        status = add_what_may(q, count / 2, count - count / 2);
    memcpy(r->may_go, q->taken, count * sizeof *r->may_go);
    return status == KN_OK ? look(q, &r->some, tell_more) : status;
}

/* ---- the run without them ---- */

struct ranked {
    struct node_error error;
    double beside; /* the tolerance */
    int number;
};

static int by_error(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return x->beside > y->beside ? -1 : x->beside < y->beside ? 1 : x->number - y->number;
}

/* The caller's callbacks, and what the run tells. */
struct told {
    struct parasitics_report *report;
    const struct analysis_options *options;
    enum kn_status status;
};

static bool is_interrupted(void *context)
{
    const struct analysis_options *o = ((struct told *)context)->options;
    return o->interrupted && o->interrupted(o->context);
}

static void show_progress(void *context, double fraction)
{
    const struct analysis_options *o = ((struct told *)context)->options;
    if (o->progress)
        o->progress(o->context, fraction);
}

static enum kn_status keep_errors(struct parasitics_report *r, const struct left_out *left)
{
    const struct mna *m = left->setup->mna;
    const size_t n = (size_t)mna_unknown_count(m);
    const struct model_error_result *e = left->error;
    struct ranked *ranked = arena_array(r->arena, n + 1, sizeof *ranked);
    r->errors = arena_array(r->arena, n + 1, sizeof *r->errors);
    if (!ranked || !r->errors)
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        const struct unknown *u = mna_unknown(m, (int)i);
        const char *name = arena_format(r->arena, "%s", u->name);
        const double tolerance = mna_dae(m)->absolute[i] + left->setup->options->relative * e->size[i];
        if (!name)
            return KN_ERROR_MEMORY;
        ranked[i] = (struct ranked){{name, u->kind == UNKNOWN_VOLTAGE ? "V" : "A", e->most[i], e->when[i], e->size[i]},
                                    e->most[i] / tolerance,
                                    (int)i};
    }
    qsort(ranked, n, sizeof *ranked, by_error);
    for (size_t i = 0; i < n; i++)
        r->errors[r->error_count++] = ranked[i].error;
    for (size_t i = 0, k = 0; i < r->parasitics.count; i++)
        r->jump[i] = r->may_go[i] ? e->jump[k++] : 0;
    r->steps = e->steps;
    r->outside = e->outside;
    r->layers = e->layers;
    r->run_slowest = left->slowest;
    r->run_slowest_at = left->slowest_at;
    r->has_run = true;
    return KN_OK;
}

static void keep_what_is_told(void *context, const struct left_out *left)
{
    struct told *t = context;
    t->status = keep_errors(t->report, left);
}

static enum kn_status run(struct inquiry *q)
{
    struct parasitics_report *r = q->report;
    struct told told = {r, q->full->options, KN_OK};
    struct analysis_options o = *q->full->options;
    struct analysis_summary summary = {0};
    struct kn_sink nowhere = run_sink_of_nothing();
    struct text names = text_growing(r->arena);
    for (size_t i = 0; i < r->parasitics.count; i++)
        if (r->may_go[i])
            text_format(&names, "%s ", r->parasitics.list[i].element->name);
    o.quasistatic = (struct parasitic_choice){.names = text_take(&names)};
    o.measured = NULL;
    o.spectra = o.stills = o.verify = false;
    o.context = &told;
    o.interrupted = is_interrupted;
    o.progress = show_progress;
    o.left_out = keep_what_is_told;
    struct kn_diagnostics *aside = kn_diagnostics_new();
    if (!aside)
        return KN_ERROR_MEMORY;
    enum kn_status status = transient_alone(r->circuit, q->request, &o, aside, &nowhere, &summary);
    char reason[SENTENCE] = "it did not converge";
    recording_reason(aside, reason, sizeof reason);
    if (status == KN_ERROR_CIRCUIT || status == KN_ERROR_CONVERGENCE || status == KN_ERROR_DECK) {
        r->no_run = arena_text(r->arena, reason, strlen(reason));
        r->has_run = false;
        status = r->no_run ? KN_OK : KN_ERROR_MEMORY;
    }
    kn_diagnostics_free(aside);
    return status == KN_OK ? told.status : status;
}

/* ---- all of it ---- */

static enum kn_status say_nothing_chosen(const struct inquiry *q)
{
    const bool asked = quasistatic_is_asked(q->full->options);
    diagnostics_add(q->full->diagnostics, KN_ERROR, "no-parasitics", NOWHERE,
                    "give --cmax 10p, --lmax 1n or --elements \"C1 x1.c*\"",
                    asked ? "no capacitor and no inductor is as small as that" : "which parasitics shall go?");
    return KN_ERROR_DECK;
}

static enum kn_status say_too_many(const struct inquiry *q)
{
    diagnostics_add(q->full->diagnostics, KN_ERROR, "too-many-parasitics", NOWHERE,
                    "lower --cmax or --lmax, or name those of one part of the circuit",
                    "%zu capacitors and inductors are chosen; at most %d can be looked at together",
                    q->report->parasitics.count, FAST_MOST_PARASITICS);
    return KN_ERROR_DECK;
}

static bool make_room(struct inquiry *q)
{
    struct parasitics_report *r = q->report;
    const size_t count = r->parasitics.count + 1;
    q->start = arena_array(r->arena, (size_t)mna_unknown_count(q->full->mna) + 1, sizeof *q->start);
    q->order = arena_array(r->arena, count, sizeof *q->order);
    q->taken = arena_array(r->arena, count, sizeof *q->taken);
    r->may_go = arena_array(r->arena, count, sizeof *r->may_go);
    r->why_not = arena_array(r->arena, count, sizeof *r->why_not);
    if (!q->start || !q->order || !q->taken || !r->may_go || !r->why_not ||
        !arena_vectors(r->arena, count, (double **const[]){&r->resistance, &r->own, &r->jump, NULL}))
        return false;
    for (size_t i = 0; i < count; i++)
        r->resistance[i] = r->own[i] = NAN;
    memset(q->taken, 1, count * sizeof *q->taken);
    return true;
}

static enum kn_status find(struct inquiry *q)
{
    struct parasitics_report *r = q->report;
    struct setup *s = q->full;
    double aside;
    enum kn_status status = setup_open(s);
    if (status == KN_OK)
        status = parasitics_find(s->circuit, s->topology, &s->options->quasistatic, r->arena, s->diagnostics,
                                 &r->parasitics);
    if (status != KN_OK)
        return status;
    if (r->parasitics.count == 0)
        return say_nothing_chosen(q);
    if (r->parasitics.count > FAST_MOST_PARASITICS)
        return say_too_many(q);
    status = make_room(q) ? find_start(q) : KN_ERROR_MEMORY;
    if (status == KN_OK)
        status = find_poles(s, q->start, &r->index, &aside);
    if (status == KN_OK)
        status = look(q, &r->all, tell_more);
    if (status == KN_OK)
        status = find_some(q);
    if (status != KN_OK || r->some.count == 0)
        return status;
    if (!q->request) {
        r->no_run = "the deck asks for no transient analysis";
        return KN_OK;
    }
    return run(q);
}

enum kn_status parasitics_report_of(const struct circuit *c, const struct analysis_options *o, struct kn_diagnostics *d,
                                    struct parasitics_report **out)
{
    struct arena *arena;
    struct parasitics_report *r = arena_object(sizeof *r, &arena);
    *out = NULL;
    if (!r)
        return KN_ERROR_MEMORY;
    r->arena = arena;
    r->circuit = c;
    struct setup s = setup_of(c, o, d);
    struct inquiry q = {.report = r, .full = &s, .request = c->transient_count > 0 ? &c->transients[0] : NULL};
    const enum kn_status status = find(&q);
    setup_close(&s);
    if (status == KN_OK)
        *out = r;
    else
        parasitics_report_free(r);
    return status;
}

void parasitics_report_free(struct parasitics_report *r)
{
    if (r)
        arena_free(r->arena);
}
