/* quasistatic.c - see quasistatic.h. */
#include "analyses/transient/quasistatic.h"

#include "analyses/transient/starting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Unknowns times parasitics up to which a nonlinear circuit is looked at in every step. */
static const double EVERY_STEP = 2000;

struct quasistatic {
    struct setup *full;
    const struct transient *request;
    struct arena *memory;
    struct parasitics all;
    struct without without;
    struct model_error *error;
    double *start;     /* [n] of the circuit with its parasitics; NULL: the same as without */
    double *x;         /* [n] between steps */
    double slowest;    /* s: largest fast time constant of the run */
    double slowest_at; /* s */
    long steps;
    bool begun;
};

bool quasistatic_is_asked(const struct analysis_options *o)
{
    const struct parasitic_choice *c = &o->quasistatic;
    return c->names || c->most_capacitance > 0 || c->most_inductance > 0;
}

/* ---- the circuit without them ---- */

static bool take(const struct parasitics *all, const bool *taken, struct arena *memory, struct parasitics *out)
{
    out->list = arena_array(memory, all->count + 1, sizeof *out->list);
    for (size_t i = 0; out->list && i < all->count; i++)
        if (!taken || taken[i])
            out->list[out->count++] = all->list[i];
    return out->list != NULL;
}

enum kn_status without_open(struct setup *full, const struct parasitics *all, const bool *taken, struct without *out)
{
    *out = (struct without){.memory = arena_new()};
    if (!out->memory || !take(all, taken, out->memory, &out->parasitics) ||
        !parasitics_remove(full->circuit, &out->parasitics, out->memory, &out->circuit))
        return KN_ERROR_MEMORY;
    struct kn_diagnostics *aside = kn_diagnostics_new();
    if (!aside)
        return KN_ERROR_MEMORY;
    out->setup = *full;
    out->setup.circuit = &out->circuit;
    out->setup.diagnostics = aside;
    out->setup.mna = NULL;
    out->setup.topology = NULL;
    out->setup.index = (struct run_index){0};
    out->setup.operating = NULL;
    out->setup.results = NULL;
    enum kn_status status = setup_open(&out->setup);
    if (status == KN_ERROR_CIRCUIT) {
        const char *error = diagnostics_first_error(aside);
        out->unsolvable = true;
        out->why = arena_format(out->memory, "%s", error ? error : "they depend on each other");
        status = out->why ? KN_OK : KN_ERROR_MEMORY;
    }
    out->setup.diagnostics = full->diagnostics;
    kn_diagnostics_free(aside);
    return status;
}

void without_free(struct without *w)
{
    setup_close(&w->setup);
    arena_free(w->memory);
}

/* ---- words ---- */

static void add_names(const struct parasitics *p, const bool *which, struct text *t)
{
    struct text_list list = text_list(t, ", ", 5);
    for (size_t i = 0; i < p->count; i++)
        if (!which || which[i])
            text_list_add(&list, p->list[i].element->name);
    text_list_end_and(&list);
}

static bool has_one_of(const struct branch_set *set, const struct parasitics *p, const bool *which)
{
    for (size_t k = 0; k < set->count; k++)
        for (size_t i = 0; i < p->count; i++)
            if (which[i] && set->branches[k]->element->number == p->list[i].element->number)
                return true;
    return false;
}

static bool touches_one_of(const struct node_set *part, const struct parasitics *p, const bool *which)
{
    for (size_t i = 0; i < p->count; i++)
        if (which[i] && !p->list[i].inductor &&
            node_set_contains(part, p->list[i].plus) != node_set_contains(part, p->list[i].minus))
            return true;
    return false;
}

/* The loop or cutset that is left where the index would rise. */
static void add_cause(const struct without *w, const bool *blamed, struct text *t)
{
    const struct topology *g = w->setup.topology;
    for (size_t i = 0; i < g->li_cutsets.count; i++)
        if (touches_one_of(&g->li_parts.sets[i], &w->parasitics, blamed)) {
            text_add(t, ", since a cutset of inductors and current sources is left: ");
            branch_set_list(t, &g->li_cutsets.sets[i], g->file, " - ", 0);
            return;
        }
    for (size_t i = 0; i < g->cv_loops.count; i++)
        if (has_one_of(&g->cv_loops.sets[i], &w->parasitics, blamed)) {
            text_add(t, ", since a loop of capacitors and voltage sources is left: ");
            branch_set_list(t, &g->cv_loops.sets[i], g->file, " - ", 0);
            return;
        }
}

static void object_to_index(const struct without *w, const struct fast_part *fast, struct text *why)
{
    text_add(why, "undamped: without ");
    add_names(&w->parasitics, fast->blamed, why);
    text_add(why, " the index of the equations would rise");
    add_cause(w, fast->blamed, why);
}

static void object_to_mode(const struct fast_part *fast, struct text *why)
{
    const struct fast_mode *m = &fast->modes[fast->decisive];
    const double complex rate = -1 / m->constant;
    if (fast->verdict == FAST_UNSTABLE)
        text_format(why, "unstable: a fast mode grows like exp(t/%.3g s)", 1 / creal(rate));
    else
        text_add(why, "undamped: a fast oscillation does not decay");
    if (fabs(cimag(rate)) > 0)
        text_format(why, ", at %.4g Hz", fabs(cimag(rate)) / (2 * 3.14159265358979323846));
    text_add(why, fast->verdict == FAST_UNSTABLE ? "; the solution without them is not the limit" : "");
}

bool quasistatic_objection(const struct without *w, const struct fast_part *fast, struct text *why, struct text *hint)
{
    if (w->unsolvable) {
        text_format(why, "without them the equations have no unique solution: %s", w->why);
        text_add(hint, "leave out fewer");
        return true;
    }
    switch (fast->verdict) {
    case FAST_ATTRACTIVE:
        return false;
    case FAST_RAISES:
        object_to_index(w, fast, why);
        text_add(hint, "keep ");
        add_names(&w->parasitics, fast->blamed, hint);
        text_add(hint,
                 ", or give them a resistance beside them: parallel to an inductor's node, in series in the loop");
        return true;
    case FAST_UNDAMPED:
    case FAST_UNSTABLE:
        object_to_mode(fast, why);
        text_add(hint, fast->verdict == FAST_UNSTABLE ? "keep them: what they do decides where the circuit goes"
                                                      : "keep one of them, or damp what oscillates");
        return true;
    case FAST_OPEN:
        break;
    }
    text_format(why, "not decided: %s", fast->open);
    text_add(hint, "leave out fewer");
    return true;
}

static struct kn_location option_place(const struct circuit *c)
{
    const struct setting *s = circuit_option(c, "quasistatic");
    return s ? s->where : NOWHERE;
}

static enum kn_status refuse(const struct quasistatic *q, double t, const struct fast_part *fast)
{
    struct text why = TEXT(SENTENCE), hint = TEXT(SENTENCE), names = TEXT(SENTENCE);
    if (!quasistatic_objection(&q->without, fast, &why, &hint))
        return KN_OK;
    add_names(&q->without.parasitics, NULL, &names);
    struct kn_diagnostics *d = q->full->diagnostics;
    if (!q->begun || t <= 0)
        diagnostics_add(d, KN_ERROR, "quasistatic-refused", option_place(q->full->circuit),
                        diagnostics_hint(d, "%s; knoten parasitics tells which may go", hint.at),
                        "%s cannot be left out: %s", names.at, why.at);
    else
        diagnostics_add(d, KN_ERROR, "quasistatic-lost", option_place(q->full->circuit),
                        diagnostics_hint(d, "%s; with them the circuit jumps or oscillates here", hint.at),
                        "from t = %.6g s on %s must not be left out: %s", t, names.at, why.at);
    return KN_ERROR_CIRCUIT;
}

/* ---- the run ---- */

/* Where the run with parasitics starts, if values of the deck may make it start elsewhere. */
static enum kn_status find_start(struct quasistatic *q)
{
    struct setup *s = q->full;
    if (!q->request->uic && s->circuit->initial_count == 0)
        return KN_OK;
    struct consistent consistent;
    struct operating_report report;
    struct kn_diagnostics *aside = kn_diagnostics_new();
    q->start = arena_array(q->memory, (size_t)mna_unknown_count(s->mna) + 1, sizeof *q->start);
    if (!aside || !q->start) {
        kn_diagnostics_free(aside);
        return KN_ERROR_MEMORY;
    }
    const enum kn_status status = starting_values(s, q->request, aside, &consistent, q->start, &report);
    consistent_free(&consistent);
    if (status != KN_OK)
        diagnostics_copy(s->diagnostics, aside);
    kn_diagnostics_free(aside);
    return status;
}

static enum kn_status prepare(struct quasistatic *q)
{
    struct setup *s = q->full;
    enum kn_status status = setup_open(s);
    if (status == KN_OK)
        status = parasitics_find(s->circuit, s->topology, &s->options->quasistatic, q->memory, s->diagnostics, &q->all);
    if (status == KN_OK)
        status = without_open(s, &q->all, NULL, &q->without);
    if (status != KN_OK)
        return status;
    if (q->without.unsolvable)
        return refuse(q, 0, NULL);
    q->x = arena_array(q->memory, (size_t)mna_unknown_count(s->mna) + 1, sizeof *q->x);
    status = q->x ? find_start(q) : KN_ERROR_MEMORY;
    return status == KN_OK ? model_error_new(q->without.setup.mna, &q->without.parasitics, &q->error) : status;
}

static bool finds_none(const struct quasistatic *q)
{
    if (q->all.count > 0)
        return false;
    diagnostics_add(q->full->diagnostics, KN_WARNING, "quasistatic", option_place(q->full->circuit), NULL,
                    "no capacitor and no inductor is as small as quasistatic_cmax or quasistatic_lmax: the run is made "
                    "with all of them");
    return true;
}

static void quasistatic_free(struct quasistatic *q)
{
    q->without.setup.results = NULL; /* they are those of the full set-up */
    model_error_free(q->error);
    without_free(&q->without);
    arena_free(q->memory);
}

enum kn_status quasistatic_new(struct setup *full, const struct transient *request, struct quasistatic **out)
{
    struct arena *memory;
    struct quasistatic *q = arena_object(sizeof *q, &memory);
    *out = NULL;
    if (!q)
        return KN_ERROR_MEMORY;
    *q = (struct quasistatic){.full = full, .request = request, .memory = memory};
    enum kn_status status = prepare(q);
    if (status == KN_OK && !setup_results(full))
        status = KN_ERROR_MEMORY;
    q->without.setup.results = full->results;
    if (status == KN_OK && !finds_none(q))
        *out = q;
    else
        quasistatic_free(q);
    return status;
}

struct setup *quasistatic_setup(struct quasistatic *q)
{
    return &q->without.setup;
}

enum kn_status quasistatic_start(struct quasistatic *q, struct consistent *c, double *x,
                                 struct operating_report *report)
{
    struct setup *s = &q->without.setup;
    if (!q->start)
        return starting_values(s, q->request, s->diagnostics, c, x, report);
    *c = starting_consistent(s, q->request);
    memcpy(x, q->start, (size_t)mna_unknown_count(s->mna) * sizeof *x);
    return consistent_restart(c, 0, NULL, x);
}

/* The verdict at a point. */
static enum kn_status look(struct quasistatic *q, double t, const double *x, struct fast **out)
{
    struct setup *s = &q->without.setup;
    const struct index_point at = {t, x};
    enum kn_status status = fast_new(s->mna, s->topology, &q->without.parasitics, &at, out);
    if (status != KN_OK)
        return status;
    const struct fast_part *part = fast_result(*out);
    if (part->slowest > q->slowest) {
        q->slowest = part->slowest;
        q->slowest_at = t;
    }
    return refuse(q, t, part);
}

enum kn_status quasistatic_begin(struct quasistatic *q, double t, const double *x)
{
    struct fast *fast = NULL;
    enum kn_status status = look(q, t, x, &fast);
    if (status == KN_OK)
        status = model_error_begin(q->error, fast, t, q->start, x);
    q->begun = true;
    fast_free(fast);
    return status;
}

/* The error along the last step. */
static enum kn_status follow(struct quasistatic *q, struct integrator *m)
{
    const double least = (m->t - m->previous) / MODEL_ERROR_MOST_PARTS;
    double t = m->previous;
    for (;;) {
        const int parts = model_error_parts(q->error, m->t - t);
        const double length = fmax((m->t - t) / parts, least);
        const bool resolved = t + length > t; /* behind a fold steps are a few roundings of t long */
        if (parts <= 1 || !resolved || t + 1.5 * length > m->t)
            return model_error_step(q->error, m->t, m->x);
        t += length;
        enum kn_status status = integrator_point(m, t, q->x, NULL);
        if (status == KN_OK)
            status = model_error_step(q->error, t, q->x);
        if (status != KN_OK)
            return status;
    }
}

enum kn_status quasistatic_step(struct quasistatic *q, struct integrator *m)
{
    const struct setup *s = &q->without.setup;
    const double work = (double)mna_unknown_count(s->mna) * (double)q->without.parasitics.count;
    const long every = 1 + (long)(work / EVERY_STEP);
    if (q->steps++ % every == 0 && !mna_dae(s->mna)->linear) {
        struct fast *fast = NULL;
        const enum kn_status status = look(q, m->t, m->x, &fast);
        fast_free(fast);
        if (status != KN_OK)
            return status;
    }
    return follow(q, m);
}

/* The unknown whose error is largest beside the tolerance. */
static int worst_of(const struct quasistatic *q, const struct model_error_result *r)
{
    const struct setup *s = &q->without.setup;
    const struct dae *dae = mna_dae(s->mna);
    double largest = 0;
    int worst = -1;
    for (int i = 0; i < dae->n; i++) {
        const double beside = r->most[i] / (dae->absolute[i] + s->options->relative * r->size[i]);
        worst = beside > largest ? i : worst;
        largest = fmax(largest, beside);
    }
    return worst;
}

/* What was left out and what that does; of a run that failed, whether the fast part is why. */
static void report(struct quasistatic *q, enum kn_status status)
{
    const struct model_error_result r = model_error_result(q->error);
    struct kn_diagnostics *d = q->full->diagnostics;
    struct text names = TEXT(SENTENCE);
    add_names(&q->without.parasitics, NULL, &names);
    const struct left_out left = {.setup = &q->without.setup,
                                  .parasitics = &q->without.parasitics,
                                  .error = &r,
                                  .slowest = q->slowest,
                                  .slowest_at = q->slowest_at};
    if (q->full->options->left_out && q->begun)
        q->full->options->left_out(q->full->options->context, &left);
    if (status != KN_OK) {
        if (q->begun && status == KN_ERROR_CONVERGENCE)
            diagnostics_add(d, KN_NOTE, "quasistatic", option_place(q->full->circuit), NULL,
                            "the run was made without %s, whose largest time constant had grown to %.3g s at t = %.6g "
                            "s: with them it may go on",
                            names.at, q->slowest, q->slowest_at);
        return;
    }
    const int worst = worst_of(q, &r);
    if (worst < 0)
        diagnostics_add(d, KN_NOTE, "quasistatic", option_place(q->full->circuit), NULL,
                        "the run was made without %s, which changes nothing to the first order", names.at);
    else
        diagnostics_add(d, KN_NOTE, "quasistatic", option_place(q->full->circuit), NULL,
                        "the run was made without %s (fast time constants up to %.3g s): to the first order this "
                        "changes %s by up to %.3g %s, at t = %.4g s, and others less beside the tolerance%s",
                        names.at, q->slowest, mna_unknown(q->without.setup.mna, worst)->name, r.most[worst],
                        mna_unknown(q->without.setup.mna, worst)->kind == UNKNOWN_VOLTAGE ? "V" : "A", r.when[worst],
                        r.layers > 0 ? ". In the layers behind jumps it is as large as these" : "");
}

void quasistatic_end(struct quasistatic *q, enum kn_status status)
{
    if (!q)
        return;
    report(q, status);
    q->full->stopped = q->full->stopped || q->without.setup.stopped;
    quasistatic_free(q);
}
