/* select.c - a sink that passes on chosen columns, and the release of any sink. */
#include "base/names.h"
#include "output/sink_base.h"
#include "output/sinks.h"

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

struct column_frame sink_column_frame(const struct kn_table *table, size_t column)
{
    const struct kn_column *c = &table->columns[column];
    if (c->quantity == KN_IMAGINARY)
        return (struct column_frame){"im(", ")"};
    if (column + 1 < table->column_count && c[1].quantity == KN_IMAGINARY)
        return (struct column_frame){"re(", ")"};
    return (struct column_frame){"", ""};
}

struct select {
    struct sink_base base;
    struct kn_sink next;
    struct kn_diagnostics *diagnostics;
    char **names;
    size_t count;
    size_t *places; /* [chosen] in the current table */
    struct kn_column *columns;
    double *row;
    size_t chosen; /* at most 2 count */
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
static struct name_table *index_columns(struct arena *a, const struct kn_table *table)
{
    struct name_table *index = a ? name_table_new(a) : NULL;
    for (size_t i = table->column_count; index && i-- > 0;)
        if (!name_table_put(index, table->columns[i].name, (void *)(uintptr_t)(i + 1)))
            return NULL;
    return index;
}

/* A complex vector is two columns. */
static size_t width_of(const struct kn_table *table, size_t column)
{
    return column + 1 < table->column_count && table->columns[column + 1].quantity == KN_IMAGINARY ? 2 : 1;
}

static void take(struct select *s, const struct kn_table *table, size_t column)
{
    for (size_t k = 0; k < width_of(table, column); k++) {
        s->places[s->chosen] = column + k;
        s->columns[s->chosen++] = table->columns[column + k];
    }
}

static bool choose_columns(struct select *s, const struct kn_table *table, const struct name_table *index)
{
    bool all_found = true;
    s->chosen = 0;
    for (size_t i = 0; i < s->count; i++) {
        const uintptr_t number = (uintptr_t)name_table_get(index, s->names[i]);
        if (number > 0) {
            take(s, table, (size_t)number - 1);
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
    struct arena *arena = arena_new();
    const struct name_table *index = index_columns(arena, table);
    const enum kn_status status = !index                            ? KN_ERROR_MEMORY
                                  : choose_columns(s, table, index) ? KN_OK
                                                                    : KN_ERROR_ARGUMENT;
    arena_free(arena);
    if (status != KN_OK)
        return status;
    const struct kn_table chosen = {table->title, table->plot, s->columns, s->chosen, 0, 0};
    s->begun = true;
    return s->next.begin(s->next.context, &chosen);
}

static enum kn_status select_row(void *context, const double *values)
{
    struct select *s = context;
    for (size_t i = 0; i < s->chosen; i++)
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
    s->places = calloc(2 * count, sizeof *s->places);
    s->columns = calloc(2 * count, sizeof *s->columns);
    s->row = calloc(2 * count, sizeof *s->row);
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
