/* results.c - kn_results: tables of vectors in memory.  The plots of .control keep them. */
#include "base/array.h"
#include "control/vectors/plots.h"

#include <stdlib.h>
#include <string.h>

struct table {
    struct plot *plot;
    size_t sweeps, steps;
};

struct kn_results {
    struct plots plots;
    struct plot_recorder recorder;
    struct kn_sink sink; /* of the recorder */
    struct table *tables;
    size_t count;
};

struct kn_results *kn_results_new(void)
{
    struct kn_results *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->plots = (struct plots){.lock = PTHREAD_MUTEX_INITIALIZER};
    r->recorder.plots = &r->plots;
    r->sink = plot_recorder_sink(&r->recorder);
    return r;
}

void kn_results_free(struct kn_results *r)
{
    if (!r)
        return;
    plot_recorder_close(&r->recorder);
    plots_close(&r->plots);
    free(r->tables);
    free(r);
}

static enum kn_status begin(void *context, const struct kn_table *t)
{
    struct kn_results *r = context;
    if (!array_resize(&r->tables, r->count + 1, sizeof *r->tables))
        return KN_ERROR_MEMORY;
    const enum kn_status status = r->sink.begin(r->sink.context, t);
    if (status == KN_OK)
        r->tables[r->count++] = (struct table){r->recorder.plot, t->sweeps, t->steps};
    return status;
}

static enum kn_status row(void *context, const double *values)
{
    struct kn_results *r = context;
    return r->sink.row(r->sink.context, values);
}

static enum kn_status end(void *context, enum kn_status outcome)
{
    struct kn_results *r = context;
    return r->sink.end(r->sink.context, outcome);
}

struct kn_sink kn_results_sink(struct kn_results *r)
{
    return (struct kn_sink){r, begin, row, end};
}

size_t kn_results_count(const struct kn_results *r)
{
    return r->count;
}

bool kn_results_table(const struct kn_results *r, size_t table, struct kn_results_table *out)
{
    if (table >= r->count)
        return false;
    const struct table *t = &r->tables[table];
    *out =
        (struct kn_results_table){t->plot->title, t->plot->label, t->plot->count, t->plot->rows, t->sweeps, t->steps};
    return true;
}

static void describe(const struct vector_kept *v, struct kn_vector *out)
{
    *out = (struct kn_vector){v->name, v->quantity, v->count, v->real, v->imaginary};
}

bool kn_results_vector(const struct kn_results *r, size_t table, size_t number, struct kn_vector *out)
{
    if (table >= r->count || number >= r->tables[table].plot->count)
        return false;
    describe(&r->tables[table].plot->vectors[number], out);
    return true;
}

bool kn_results_find(const struct kn_results *r, size_t table, const char *name, struct kn_vector *out)
{
    const struct vector_kept *v = table < r->count ? plot_find(r->tables[table].plot, name) : NULL;
    if (v)
        describe(v, out);
    return v != NULL;
}
