/* recording.c - see recording.h. */
#include "analyses/transient/recording.h"

#include "analyses/transient/transient.h"
#include "base/array.h"
#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void recording_reason(const struct kn_diagnostics *d, char *reason, size_t size)
{
    const char *text = diagnostics_first_error(d);
    snprintf(reason, size, "%s", text ? text : "it failed without a message");
    reason[strcspn(reason, "\n")] = '\0';
}

/* ---- the sink ---- */

static bool copy_columns(struct recording *out, const struct kn_table *table)
{
    const size_t count = table->column_count;
    out->names = calloc(count, sizeof *out->names);
    out->quantities = calloc(count, sizeof *out->quantities);
    out->low = calloc(count, sizeof *out->low);
    out->high = calloc(count, sizeof *out->high);
    if (!out->names || !out->quantities || !out->low || !out->high)
        return false;
    out->columns = count;
    for (size_t i = 0; i < count; i++) {
        out->names[i] = strdup(table->columns[i].name);
        if (!out->names[i])
            return false;
        out->quantities[i] = table->columns[i].quantity;
        out->low[i] = INFINITY;
        out->high[i] = -INFINITY;
    }
    return true;
}

static enum kn_status begin(void *context, const struct kn_table *table)
{
    return copy_columns(context, table) ? KN_OK : KN_ERROR_MEMORY;
}

static void extend_range(struct recording *out, const double *values)
{
    for (size_t i = 0; i < out->columns; i++) {
        out->low[i] = fmin(out->low[i], values[i]);
        out->high[i] = fmax(out->high[i], values[i]);
    }
}

static enum kn_status append(struct recording *out, const double *values)
{
    if (!array_reserve(&out->values, out->rows + 1, &out->capacity, out->columns * sizeof *out->values))
        return KN_ERROR_MEMORY;
    memcpy(out->values + out->rows++ * out->columns, values, out->columns * sizeof *values);
    return KN_OK;
}

static enum kn_status keep_row(void *context, const double *values)
{
    extend_range(context, values);
    return append(context, values);
}

static enum kn_status end(void *context, enum kn_status outcome)
{
    (void)context, (void)outcome;
    return KN_OK;
}

struct kn_sink recording_sink(struct recording *out)
{
    *out = (struct recording){0};
    return (struct kn_sink){out, begin, keep_row, end};
}

/* ---- rows besides the samples ---- */

struct recorder {
    const struct recording_request *request;
    struct recording *out; /* rows */
    long asked;            /* times whether the run is to end */
    double deadline;
    bool too_long;
};

static enum kn_status recorder_begin(void *context, const struct kn_table *table)
{
    struct recorder *r = context;
    if (r->request->curve)
        *r->request->curve = (struct recording){.columns = table->column_count};
    return begin(r->out, table);
}

static enum kn_status recorder_row(void *context, const double *values)
{
    struct recorder *r = context;
    const enum kn_status status = keep_row(r->out, values);
    return status == KN_OK && r->request->curve ? append(r->request->curve, values) : status;
}

static enum kn_status recorder_other(void *context, const double *values)
{
    struct recorder *r = context;
    extend_range(r->out, values);
    return r->request->curve ? append(r->request->curve, values) : KN_OK;
}

/* ---- the run ---- */

/* The clock is looked at every so often: reading it takes as long as evaluating a small circuit. */
enum { LOOK_EVERY = 16 };

static bool interrupted(void *context)
{
    struct recorder *r = context;
    const struct analysis_options *o = r->request->options;
    if (o->interrupted && o->interrupted(o->context))
        return true;
    if (isfinite(r->deadline) && r->asked++ % LOOK_EVERY == 0)
        r->too_long = clock_seconds(CLOCK_THREAD_CPUTIME_ID) > r->deadline;
    return r->too_long;
}

static void progress(void *context, double fraction)
{
    const struct analysis_options *o = ((struct recorder *)context)->request->options;
    if (o->progress)
        o->progress(o->context, fraction);
}

enum kn_status recording_make(const struct recording_request *request, struct kn_diagnostics *d, struct recording *out,
                              struct recording_outcome *outcome)
{
    const double start = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    struct recorder r = {.request = request, .out = out, .deadline = start + request->limit};
    const struct kn_sink others = {.context = &r, .row = recorder_other};
    struct kn_sink sink = {&r, recorder_begin, recorder_row, end};
    struct analysis_options o = *request->options;
    *out = (struct recording){0};
    if (request->curve)
        *request->curve = (struct recording){0};
    *outcome = (struct recording_outcome){0};
    o.context = &r;
    o.interrupted = interrupted;
    o.progress = progress;
    o.measured = NULL;
    o.spectra = false;
    o.even = NULL;
    o.stills = false;
    o.bias = NULL;
    o.rows = request->whole_range || request->curve ? &others : NULL;
    const enum kn_status status =
        transient_alone(request->circuit, request->transient, &o, d, &sink, &outcome->summary);
    outcome->too_long = status == KN_INTERRUPTED && r.too_long;
    outcome->seconds = clock_seconds(CLOCK_THREAD_CPUTIME_ID) - start;
    return status;
}

void recording_free(struct recording *r)
{
    for (size_t i = 0; i < r->columns && r->names; i++)
        free(r->names[i]);
    free(r->names);
    free(r->quantities);
    free(r->low);
    free(r->high);
    free(r->values);
    memset(r, 0, sizeof *r);
}
