/* asides.c - see asides.h. */
#include "control/vectors/asides.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void forget(struct asides *a)
{
    free(a->columns);
    free(a->from);
    free(a->row);
    free(a->words);
    a->words = NULL;
    a->columns = NULL;
    a->from = NULL;
    a->row = NULL;
}

static bool make_room(struct asides *a, size_t count)
{
    forget(a);
    a->columns = calloc(2 * count + 1, sizeof *a->columns);
    a->from = calloc(2 * count + 1, sizeof *a->from);
    a->row = calloc(2 * count + 1, sizeof *a->row);
    a->words = strdup(a->names);
    if (!a->columns || !a->from || !a->row || !a->words)
        return false;
    for (char *at = a->words; *at; at++)
        if (*at == ' ')
            *at = '\0';
    a->others = a->columns + count;
    a->others_from = a->from + count;
    a->last = a->row + count;
    return true;
}

/* The vector that the column becomes, NULL where it is one of the results. */
static const char *vector_of(const struct asides *a, const char *column)
{
    const char *end = a->words + strlen(a->names);
    for (const char *at = a->words; at < end;) {
        const char *vector = at + strlen(at) + 1;
        if (strcasecmp(at, column) == 0)
            return vector;
        at = vector + strlen(vector) + 1;
    }
    return NULL;
}

static enum kn_status begin(void *context, const struct kn_table *t)
{
    struct asides *a = context;
    if (!make_room(a, t->column_count))
        return KN_ERROR_MEMORY;
    a->table = *t;
    a->table.columns = a->columns;
    a->table.column_count = a->other_count = 0;
    a->seen = false;
    for (size_t i = 0; i < t->column_count; i++) {
        const char *vector = vector_of(a, t->columns[i].name);
        if (vector) {
            a->others_from[a->other_count] = i;
            a->others[a->other_count++] = (struct kn_column){vector, t->columns[i].quantity};
        } else {
            a->from[a->table.column_count] = i;
            a->columns[a->table.column_count++] = t->columns[i];
        }
    }
    return a->sink->begin(a->sink->context, &a->table);
}

static enum kn_status row(void *context, const double *values)
{
    struct asides *a = context;
    for (size_t i = 0; i < a->table.column_count; i++)
        a->row[i] = values[a->from[i]];
    for (size_t i = 0; i < a->other_count; i++)
        a->last[i] = values[a->others_from[i]];
    a->seen = true;
    return a->sink->row(a->sink->context, a->row);
}

static enum kn_status end(void *context, enum kn_status outcome)
{
    struct asides *a = context;
    const enum kn_status status = a->sink->end(a->sink->context, outcome);
    const bool kept = !a->seen || plot_recorder_add(a->recorder, a->others, a->other_count, a->last);
    return kept ? status : KN_ERROR_MEMORY;
}

struct kn_sink asides_sink(struct asides *a)
{
    return (struct kn_sink){a, begin, row, end};
}

void asides_close(struct asides *a)
{
    forget(a);
}
