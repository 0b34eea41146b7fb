/* combine.c - sinks that pass rows on: to several others (tee), chosen columns (select), at even times (resample). */
#include "base/names.h"
#include "output/sink_base.h"
#include "output/sinks.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void sink_free(struct kn_sink *sink)
{
    if (sink && sink->context)
        ((struct sink_base *)sink->context)->release(sink->context);
    if (sink)
        *sink = (struct kn_sink){0};
}

/* ---- tee ---- */

struct tee {
    struct sink_base base;
    struct kn_sink *parts;
    size_t count;
};

static void tee_release(void *context)
{
    struct tee *t = context;
    for (size_t i = 0; i < t->count; i++)
        sink_free(&t->parts[i]);
    free(t->parts);
    free(t);
}

static enum kn_status tee_begin(void *context, const struct kn_table *table)
{
    const struct tee *t = context;
    enum kn_status s = KN_OK;
    for (size_t i = 0; s == KN_OK && i < t->count; i++)
        s = t->parts[i].begin(t->parts[i].context, table);
    return s;
}

static enum kn_status tee_row(void *context, const double *values)
{
    const struct tee *t = context;
    enum kn_status s = KN_OK;
    for (size_t i = 0; s == KN_OK && i < t->count; i++)
        s = t->parts[i].row(t->parts[i].context, values);
    return s;
}

/* Every part is ended whatever happens to the others; the first failure is the outcome. */
static enum kn_status tee_end(void *context, enum kn_status outcome)
{
    const struct tee *t = context;
    enum kn_status first = KN_OK;
    for (size_t i = 0; i < t->count; i++) {
        const enum kn_status s = t->parts[i].end(t->parts[i].context, outcome);
        first = first == KN_OK ? s : first;
    }
    return first;
}

enum kn_status tee_sink(struct kn_sink *parts, size_t count, struct kn_sink *out)
{
    *out = (struct kn_sink){0};
    struct tee *t = calloc(1, sizeof *t);
    struct kn_sink *copies = calloc(count ? count : 1, sizeof *copies);
    if (!t || !copies) {
        for (size_t i = 0; i < count; i++)
            sink_free(&parts[i]);
        free(t);
        free(copies);
        return KN_ERROR_MEMORY;
    }
    if (count)
        memcpy(copies, parts, count * sizeof *copies);
    *t = (struct tee){{tee_release}, copies, count};
    *out = (struct kn_sink){t, tee_begin, tee_row, tee_end};
    return KN_OK;
}

/* ---- select ---- */

struct select {
    struct sink_base base;
    struct kn_sink next;
    struct kn_diagnostics *diagnostics;
    char **names;
    size_t *places; /* in the current table */
    struct kn_column *columns;
    double *row;
    size_t count;
    bool begun;
};

static void select_release(void *context)
{
    struct select *s = context;
    sink_free(&s->next);
    for (size_t i = 0; s->names && i < s->count; i++)
        free(s->names[i]);
    free(s->names);
    free(s->places);
    free(s->columns);
    free(s->row);
    free(s);
}

/* The names of a table by number, counted from 1; of two equal names the first.  NULL without memory. */
static struct name_table *index_columns(const struct kn_table *table)
{
    struct name_table *index = name_table_new();
    for (size_t i = table->column_count; index && i-- > 0;)
        if (!name_table_put(index, table->columns[i].name, (void *)(uintptr_t)(i + 1))) {
            name_table_free(index);
            return NULL;
        }
    return index;
}

static bool choose_columns(struct select *s, const struct kn_table *table, const struct name_table *index)
{
    bool all_found = true;
    for (size_t i = 0; i < s->count; i++) {
        const uintptr_t number = (uintptr_t)name_table_get(index, s->names[i]);
        if (number > 0) {
            s->places[i] = (size_t)number - 1;
            s->columns[i] = table->columns[s->places[i]];
            continue;
        }
        diagnostics_add(s->diagnostics, KN_ERROR, "unknown-vector", NOWHERE, NULL, "there is no vector '%s' in the %s",
                        s->names[i], table->plot);
        all_found = false;
    }
    return all_found;
}

static enum kn_status select_begin(void *context, const struct kn_table *table)
{
    struct select *s = context;
    struct name_table *index = index_columns(table);
    if (!index)
        return KN_ERROR_MEMORY;
    const bool all_found = choose_columns(s, table, index);
    name_table_free(index);
    if (!all_found)
        return KN_ERROR_ARGUMENT;
    const struct kn_table chosen = {table->title, table->plot, s->columns, s->count};
    s->begun = true;
    return s->next.begin(s->next.context, &chosen);
}

static enum kn_status select_row(void *context, const double *values)
{
    struct select *s = context;
    for (size_t i = 0; i < s->count; i++)
        s->row[i] = values[s->places[i]];
    return s->next.row(s->next.context, s->row);
}

static enum kn_status select_end(void *context, enum kn_status outcome)
{
    struct select *s = context;
    if (!s->begun)
        return KN_OK;
    s->begun = false;
    return s->next.end(s->next.context, outcome);
}

static enum kn_status copy_names(struct select *s, const char *const *names)
{
    const size_t count = s->count ? s->count : 1;
    s->names = calloc(count, sizeof *s->names);
    s->places = calloc(count, sizeof *s->places);
    s->columns = calloc(count, sizeof *s->columns);
    s->row = calloc(count, sizeof *s->row);
    bool complete = s->names && s->places && s->columns && s->row;
    for (size_t i = 0; complete && i < s->count; i++)
        complete = (s->names[i] = strdup(names[i])) != NULL;
    return complete ? KN_OK : KN_ERROR_MEMORY;
}

enum kn_status select_sink(const struct kn_sink *next, const char *const *names, size_t count, struct kn_diagnostics *d,
                           struct kn_sink *out)
{
    struct kn_sink taken = *next;
    *out = (struct kn_sink){0};
    struct select *s = calloc(1, sizeof *s);
    if (!s) {
        sink_free(&taken);
        return KN_ERROR_MEMORY;
    }
    *s = (struct select){.base = {select_release}, .next = taken, .diagnostics = d, .count = count};
    if (copy_names(s, names) != KN_OK) {
        select_release(s);
        return KN_ERROR_MEMORY;
    }
    *out = (struct kn_sink){s, select_begin, select_row, select_end};
    return KN_OK;
}

/* ---- resample ---- */

struct resample {
    struct sink_base base;
    struct kn_sink next;
    double start, step;
    double *previous, *between; /* [columns] the last incoming row and the one being passed on */
    size_t columns;
    long index; /* of the next even time, start + index step */
    bool any, begun;
    double passed; /* time of the last row passed on */
};

static void resample_release(void *context)
{
    struct resample *r = context;
    sink_free(&r->next);
    free(r->previous);
    free(r->between);
    free(r);
}

static enum kn_status resample_begin(void *context, const struct kn_table *table)
{
    struct resample *r = context;
    r->columns = table->column_count;
    const size_t count = r->columns ? r->columns : 1;
    double *previous = realloc(r->previous, count * sizeof *previous);
    r->previous = previous ? previous : r->previous;
    double *between = realloc(r->between, count * sizeof *between);
    r->between = between ? between : r->between;
    if (!previous || !between)
        return KN_ERROR_MEMORY;
    r->index = 0;
    r->any = false;
    r->passed = -INFINITY;
    r->begun = true;
    return r->next.begin(r->next.context, table);
}

static enum kn_status pass_on(struct resample *r, const double *values)
{
    r->passed = values[0];
    return r->next.row(r->next.context, values);
}

/* The straight line from the last row to this one, at time t. */
static enum kn_status pass_interpolated(struct resample *r, const double *values, double t)
{
    const double part = (t - r->previous[0]) / (values[0] - r->previous[0]);
    for (size_t i = 0; i < r->columns; i++)
        r->between[i] = r->previous[i] + part * (values[i] - r->previous[i]);
    r->between[0] = t;
    return pass_on(r, r->between);
}

/* Even times that miss a row by round-off only are that row. */
static enum kn_status resample_row(void *context, const double *values)
{
    struct resample *r = context;
    const double slack = 1e-9 * r->step;
    enum kn_status s = KN_OK;
    for (double t = r->start + (double)r->index * r->step; s == KN_OK && t <= values[0] + slack;
         t = r->start + (double)++r->index * r->step) {
        if (fabs(t - values[0]) <= slack)
            s = pass_on(r, values);
        else if (r->any && r->previous[0] < t)
            s = pass_interpolated(r, values, t);
    }
    memcpy(r->previous, values, r->columns * sizeof *values);
    r->any = true;
    return s;
}

static enum kn_status resample_end(void *context, enum kn_status outcome)
{
    struct resample *r = context;
    if (!r->begun)
        return KN_OK;
    r->begun = false;
    enum kn_status s = KN_OK;
    if (r->any && r->previous[0] > r->passed + 1e-9 * r->step)
        s = r->next.row(r->next.context, r->previous);
    const enum kn_status ended = r->next.end(r->next.context, outcome);
    return s == KN_OK ? ended : s;
}

enum kn_status resample_sink(const struct kn_sink *next, double start, double step, struct kn_sink *out)
{
    struct kn_sink taken = *next;
    *out = (struct kn_sink){0};
    struct resample *r = step > 0 ? calloc(1, sizeof *r) : NULL;
    if (!r) {
        sink_free(&taken);
        return step > 0 ? KN_ERROR_MEMORY : KN_ERROR_ARGUMENT;
    }
    *r = (struct resample){.base = {resample_release}, .next = taken, .start = start, .step = step};
    *out = (struct kn_sink){r, resample_begin, resample_row, resample_end};
    return KN_OK;
}
