/* job.c - see job.h. */
#include "control/job.h"

#include "control/vectors/asides.h"

#include <stdlib.h>

struct job *job_new(const struct kn_circuit *of, struct deck *own, const struct overrides *overrides,
                    struct kn_diagnostics *d, enum kn_status *status)
{
    struct job *j = calloc(1, sizeof *j);
    if (!j)
        deck_free(own);
    *status = j ? library_circuit(of, own, overrides, d, &j->made) : KN_ERROR_MEMORY;
    if (*status != KN_OK) {
        free(j);
        return NULL;
    }
    const struct circuit *c = j->made->circuit;
    j->circuit = j->made;
    j->circuit->carry = &j->carry;
    j->step = c->transient_count ? c->transients[0].step : 0;
    return j;
}

/* The circuit that runs, unless it is the one that the job was made with, which has the deck. */
static void leave_circuit(struct job *j)
{
    if (j->circuit != j->made)
        kn_circuit_free(j->circuit);
}

void job_free(struct job *j)
{
    if (!j)
        return;
    leave_circuit(j);
    kn_circuit_free(j->next);
    kn_circuit_free(j->made);
    free(j->asides);
    carry_forget(&j->carry);
    free(j);
}

/* ---- other values under way ---- */

static bool can_go_on(struct job *j, struct kn_diagnostics *d)
{
    const bool in_time = atomic_load(&j->carry.under_way);
    if (!in_time)
        diagnostics_add(d, KN_ERROR, "values-changed", NOWHERE, "run begins it anew, with these values",
                        "values have been changed since the analysis has begun; only a transient goes on with others, "
                        "and without .step, .options quasistatic and .options verify");
    return in_time;
}

bool job_change(struct job *j, const struct overrides *overrides, struct kn_diagnostics *d)
{
    struct kn_circuit *changed;
    if (!can_go_on(j, d) || library_circuit(j->circuit, NULL, overrides, d, &changed) != KN_OK)
        return false;
    kn_circuit_free(j->next);
    j->next = changed;
    changed->carry = &j->carry;
    atomic_store(&j->carry.wished, true);
    return true;
}

bool job_is_left(struct job *j)
{
    return atomic_load(&j->carry.wished);
}

static void take_over(struct job *j)
{
    leave_circuit(j);
    j->circuit = j->next;
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

/* ---- quantities of devices ---- */

/* They become vectors of the plot of their operating point, and go on to whoever else wants them. */
struct device_recorder {
    struct plot_recorder *points;
    const struct kn_sink *next; /* or NULL */
    const struct kn_table *table;
};

static enum kn_status devices_begin(void *context, const struct kn_table *t)
{
    struct device_recorder *r = context;
    r->table = t;
    return r->next ? r->next->begin(r->next->context, t) : KN_OK;
}

static enum kn_status devices_row(void *context, const double *values)
{
    struct device_recorder *r = context;
    const bool kept = plot_recorder_add(r->points, r->table->columns, r->table->column_count, values);
    return !kept ? KN_ERROR_MEMORY : r->next ? r->next->row(r->next->context, values) : KN_OK;
}

static enum kn_status devices_end(void *context, enum kn_status outcome)
{
    const struct device_recorder *r = context;
    return r->next ? r->next->end(r->next->context, outcome) : KN_OK;
}

void job_run(struct job *j, struct plots *plots, const struct kn_sink *next, const struct kn_options *options,
             struct kn_diagnostics *d)
{
    struct plot_recorder recorder = {.plots = plots, .next = next, .step = j->step, .squares = j->squares};
    const struct kn_sink records = plot_recorder_sink(&recorder);
    struct asides asides = {.names = j->asides, .recorder = &recorder, .sink = &records};
    const struct kn_sink without = asides_sink(&asides);
    struct whole whole = {.sink = j->asides ? &without : &records, .job = j};
    struct kn_sink sink = {&whole, begin, row, end};
    struct kn_summary part;
    struct device_recorder devices = {.points = &recorder, .next = options ? options->devices : NULL};
    const struct kn_sink device_sink = {&devices, devices_begin, devices_row, devices_end};
    struct kn_options with_devices = options ? *options : (struct kn_options){0};
    with_devices.devices = &device_sink;
    j->status = kn_run(j->circuit, &with_devices, d, &sink, &j->summary);
    while (j->status == KN_INTERRUPTED && j->next) {
        take_over(j);
        j->status = kn_run(j->circuit, &with_devices, d, &sink, &part);
        run_add_up(&j->summary, &part);
    }
    if (whole.open) /* a table that the next run was to continue, if that has not begun */
        whole.sink->end(whole.sink->context, j->status);
    asides_close(&asides);
    plot_recorder_close(&recorder);
}
