/* job.c - see job.h. */
#include "control/job.h"

#include "analyses/faults.h"

#include <stdlib.h>
#include <string.h>

static bool keep(struct arena *a, const char **text)
{
    return !*text || (*text = arena_text(a, *text, strlen(*text)));
}

static bool take_overrides(struct job *j, const struct overrides *from, struct overrides *to)
{
    struct override *items = arena_array(j->arena, from->count + 1, sizeof *items);
    bool good = items != NULL;
    for (size_t i = 0; good && i < from->count; i++) {
        items[i] = from->items[i];
        good = keep(j->arena, &items[i].name) && keep(j->arena, &items[i].setting);
    }
    *to = *from;
    to->items = items;
    return good;
}

/* NULL where there are none. */
static const struct overrides *any(const struct overrides *o)
{
    return o->count ? o : NULL;
}

struct job *job_new(struct deck *deck, bool own, const struct overrides *overrides, struct kn_diagnostics *d,
                    enum kn_status *status)
{
    struct arena *arena;
    struct job *j = arena_object(sizeof *j, &arena);
    *status = KN_ERROR_MEMORY;
    if (!j) {
        if (own)
            deck_free(deck);
        return NULL;
    }
    j->arena = arena;
    j->own = own ? deck : NULL;
    j->as_it_stands.deck = deck;
    j->circuit = (struct kn_circuit){.deck = deck, .variants = &j->as_it_stands, .sections = 1, .commanded = true};
    j->circuit.carry = &j->carry;
    if (take_overrides(j, overrides, &j->overrides)) {
        j->circuit.overrides = any(&j->overrides);
        *status = deck_expand(deck, j->circuit.overrides, faults_of_deck, d, &j->circuit.circuit);
    }
    if (*status != KN_OK) {
        job_free(j);
        return NULL;
    }
    j->as_it_stands.circuit = j->circuit.circuit;
    j->step = j->circuit.circuit->transient_count ? j->circuit.circuit->transients[0].step : 0;
    return j;
}

void job_free(struct job *j)
{
    if (!j)
        return;
    if (j->circuit.circuit)
        circuit_free(j->circuit.circuit);
    if (j->next)
        circuit_free(j->next);
    carry_forget(&j->carry);
    deck_free(j->own);
    arena_free(j->arena);
}

/* ---- other values under way ---- */

static bool can_go_on(struct job *j, struct kn_diagnostics *d)
{
    static const char hint[] = "run begins it anew, with these values";
    const struct element *e = carry_obstacle(j->circuit.circuit);
    const bool in_time = atomic_load(&j->carry.under_way);
    if (!in_time)
        diagnostics_add(d, KN_ERROR, "values-changed", NOWHERE, hint,
                        "values have been changed since the analysis has begun; only a transient goes on with others, "
                        "and without .step, .options quasistatic and .options verify");
    else if (e)
        diagnostics_add(d, KN_ERROR, "values-changed", e->where, hint,
                        "values have been changed, but %s remembers what has happened, which cannot be carried over",
                        e->name);
    return in_time && !e;
}

bool job_change(struct job *j, const struct overrides *overrides, struct kn_diagnostics *d)
{
    struct circuit *changed = NULL;
    struct overrides all;
    if (!can_go_on(j, d))
        return false;
    if (!take_overrides(j, overrides, &all)) {
        diagnostics_add(d, KN_ERROR, "memory", NOWHERE, NULL, "memory is exhausted");
        return false;
    }
    if (deck_expand(j->circuit.deck, any(&all), faults_of_deck, d, &changed) != KN_OK)
        return false;
    if (j->next)
        circuit_free(j->next);
    j->next = changed;
    j->next_overrides = all;
    atomic_store(&j->carry.wished, true);
    return true;
}

bool job_is_left(struct job *j)
{
    return atomic_load(&j->carry.wished);
}

static void take_over(struct job *j)
{
    circuit_free(j->circuit.circuit);
    j->circuit.circuit = j->as_it_stands.circuit = j->next;
    j->overrides = j->next_overrides;
    j->circuit.overrides = any(&j->overrides);
    j->next = NULL;
    j->carry.again = true;
    atomic_store(&j->carry.wished, false);
}

/* The tables of a run that goes on with other values: those that have begun go on, too. */
struct whole {
    const struct kn_sink *sink;
    struct job *job;
    bool open, goes_on; /* a table; the next one that begins is that one */
    size_t columns;
};

static enum kn_status begin(void *context, const struct kn_table *t)
{
    struct whole *w = context;
    const bool goes_on = w->goes_on;
    w->goes_on = false;
    if (goes_on)
        return t->column_count == w->columns ? KN_OK : KN_ERROR_CIRCUIT;
    w->columns = t->column_count;
    w->open = true;
    return w->sink->begin(w->sink->context, t);
}

static enum kn_status row(void *context, const double *values)
{
    const struct whole *w = context;
    return w->sink->row(w->sink->context, values);
}

static enum kn_status end(void *context, enum kn_status outcome)
{
    struct whole *w = context;
    w->goes_on = outcome == KN_INTERRUPTED && job_is_left(w->job);
    if (w->goes_on)
        return KN_OK;
    w->open = false;
    return w->sink->end(w->sink->context, outcome);
}

void job_run(struct job *j, struct plots *plots, const struct kn_sink *next, const struct kn_options *options,
             struct kn_diagnostics *d)
{
    struct plot_recorder recorder = {.plots = plots, .next = next, .step = j->step};
    const struct kn_sink records = plot_recorder_sink(&recorder);
    struct whole whole = {.sink = &records, .job = j};
    struct kn_sink sink = {&whole, begin, row, end};
    struct kn_summary part;
    j->status = kn_run(&j->circuit, options, d, &sink, &j->summary);
    while (j->status == KN_INTERRUPTED && j->next) {
        take_over(j);
        j->status = kn_run(&j->circuit, options, d, &sink, &part);
        run_add_up(&j->summary, &part);
    }
    if (whole.open) /* which was to go on, and has not begun again */
        records.end(records.context, j->status);
    plot_recorder_close(&recorder);
}
