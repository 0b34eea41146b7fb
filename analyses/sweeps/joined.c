/* joined.c - see joined.h. */
#include "analyses/sweeps/joined.h"

#include <stdio.h>
#include <string.h>

struct joined_table {
    struct kn_table table;      /* with the columns of the values */
    size_t scale, columns;      /* columns in front of the values; of a run's table */
    double *row;                /* [table.column_count] */
    FILE *spool;                /* rows that wait; NULL: they go through */
    struct joined_table *next;  /* of the next place */
    struct joined_table *other; /* of the same place, with other columns */
};

/* ---- tables ---- */

static const char *keep(struct joined *j, const char *text)
{
    return arena_text(j->arena, text, strlen(text));
}

/* Circuits come and go with their names. */
static struct kn_column *keep_columns(struct joined *j, const struct kn_table *t, size_t scale)
{
    const size_t steps = j->sweeps->count;
    struct kn_column *columns = arena_array(j->arena, t->column_count + steps, sizeof *columns);
    for (size_t i = 0; columns && i < t->column_count; i++) {
        const struct kn_column column = {keep(j, t->columns[i].name), t->columns[i].quantity};
        if (!column.name)
            return NULL;
        columns[i < scale ? i : i + steps] = column;
    }
    for (size_t k = 0; columns && k < steps; k++)
        columns[scale + k] = (struct kn_column){j->sweeps->items[k].name, KN_OTHER};
    return columns;
}

/* Rows of a time, or of something swept; else it has one row. */
static bool has_scale(const struct kn_table *t)
{
    return t->sweeps > 0 || (t->column_count > 0 && t->columns[0].quantity == KN_TIME);
}

/* Whether they are vectors of the circuit, which .save names.  What an analysis finds in it, as poles and what an output is
 * sensitive to, comes and goes with values. */
static bool has_vectors(const struct kn_table *t)
{
    bool any = false;
    for (size_t i = 1; i < t->column_count && has_scale(t); i++)
        any |= t->columns[i].quantity != KN_OTHER && t->columns[i].quantity != KN_IMAGINARY;
    return any;
}

/* NULL without memory. */
static struct joined_table *new_table(struct joined *j, const struct kn_table *t)
{
    const size_t steps = j->sweeps->count;
    struct joined_table *made = arena_alloc(j->arena, sizeof *made);
    if (!made)
        return NULL;
    made->columns = t->column_count;
    made->scale = has_scale(t);
    made->row = arena_array(j->arena, t->column_count + steps, sizeof *made->row);
    made->table = (struct kn_table){keep(j, t->title),       keep(j, t->plot), keep_columns(j, t, made->scale),
                                    t->column_count + steps, t->sweeps,        steps};
    return made->row && made->table.title && made->table.plot && made->table.columns ? made : NULL;
}

static enum kn_status begin_new(struct joined *j, const struct kn_table *t, struct joined_table **last)
{
    struct joined_table *made = new_table(j, t);
    if (!made)
        return KN_ERROR_MEMORY;
    if (last != &j->tables && !(made->spool = tmpfile()))
        return KN_ERROR_IO;
    *last = j->current = made;
    return made->spool ? KN_OK : j->next->begin(j->next->context, &made->table);
}

/* Whether a run's table has the columns of those before it. */
static bool fits(const struct joined *j, const struct joined_table *known, const struct kn_table *t)
{
    bool same = known->columns == t->column_count;
    for (size_t i = 0; same && i < t->column_count; i++) {
        const struct kn_column *column = &known->table.columns[i < known->scale ? i : i + j->sweeps->count];
        same = column->quantity == t->columns[i].quantity && names_equal(column->name, t->columns[i].name);
    }
    return same;
}

static void say_difference(struct joined *j, const struct joined_table *known, const struct kn_table *t)
{
    struct text at = TEXT(SENTENCE);
    sweeps_describe(j->sweeps, j->values, &at);
    if (t->column_count != known->columns)
        diagnostics_add(j->diagnostics, KN_ERROR, "sweep", j->sweeps->items[0].where, "name the vectors in .save",
                        "with %s the circuit has %zu vectors, with the first values %zu", at.at, t->column_count,
                        known->columns);
    else
        diagnostics_add(j->diagnostics, KN_ERROR, "sweep", j->sweeps->items[0].where, "name the vectors in .save",
                        "with %s the circuit has other vectors than with the first values", at.at);
}

/* ---- the sink ---- */

/* The one of this place that fits; NULL: none does, and *end is where it would be. */
static struct joined_table *find_fitting(const struct joined *j, const struct kn_table *t, struct joined_table ***end)
{
    for (*end = &j->place->other; **end && !fits(j, **end, t); *end = &(**end)->other)
        ;
    return fits(j, j->place, t) ? j->place : **end;
}

static enum kn_status joined_begin(void *context, const struct kn_table *t)
{
    struct joined *j = context;
    struct joined_table **slot = j->place ? &j->place->next : &j->tables, **end;
    if (!*slot) {
        const enum kn_status status = begin_new(j, t, slot);
        j->place = *slot;
        return status;
    }
    j->place = *slot;
    j->current = find_fitting(j, t, &end);
    if (j->current)
        return KN_OK;
    if (!has_vectors(t))
        return begin_new(j, t, end);
    j->current = j->place;
    if (!j->differs)
        say_difference(j, j->current, t);
    j->differs = true;
    return KN_OK;
}

static enum kn_status joined_row(void *context, const double *values)
{
    const struct joined *j = context;
    const struct joined_table *t = j->current;
    const size_t steps = j->sweeps->count;
    if (j->differs)
        return KN_OK;
    if (j->idle)
        idle_add(j->idle, values, t->columns);
    memcpy(t->row, values, t->scale * sizeof *values);
    memcpy(t->row + t->scale, j->values, steps * sizeof *values);
    memcpy(t->row + t->scale + steps, values + t->scale, (t->columns - t->scale) * sizeof *values);
    if (!t->spool)
        return j->next->row(j->next->context, t->row);
    return fwrite(t->row, sizeof *t->row, t->table.column_count, t->spool) == t->table.column_count ? KN_OK
                                                                                                    : KN_ERROR_IO;
}

/* The table goes on with the next run. */
static enum kn_status joined_end(void *context, enum kn_status outcome)
{
    (void)context;
    (void)outcome;
    return KN_OK;
}

struct kn_sink joined_sink(struct joined *j)
{
    return (struct kn_sink){j, joined_begin, joined_row, joined_end};
}

void joined_next(struct joined *j)
{
    j->place = j->current = NULL;
    j->differs = false;
    if (j->idle)
        idle_begin(j->idle, j->sweeps, j->values);
}

/* Rows that have waited. */
static enum kn_status play_spool(const struct joined *j, const struct joined_table *t)
{
    enum kn_status status = j->next->begin(j->next->context, &t->table);
    if (status != KN_OK)
        return status;
    rewind(t->spool);
    while (status == KN_OK && fread(t->row, sizeof *t->row, t->table.column_count, t->spool) == t->table.column_count)
        status = j->next->row(j->next->context, t->row);
    return status == KN_OK && ferror(t->spool) ? KN_ERROR_IO : status;
}

static enum kn_status close_table(struct joined *j, struct joined_table *t, enum kn_status status)
{
    const bool waits = t->spool && status == KN_ERROR_IO; /* after an error of writing, rows that wait are not played */
    enum kn_status one = t->spool && !waits ? play_spool(j, t) : KN_OK;
    const enum kn_status ended = waits ? status : j->next->end(j->next->context, status == KN_OK ? one : status);
    one = one == KN_OK ? ended : one;
    if (t->spool)
        fclose(t->spool);
    return status == KN_OK ? one : status;
}

enum kn_status joined_close(struct joined *j, enum kn_status status)
{
    for (struct joined_table *t = j->tables; t; t = t->next)
        for (struct joined_table *kind = t; kind; kind = kind->other)
            status = close_table(j, kind, status);
    if (j->idle)
        idle_close(j->idle, j->sweeps);
    j->tables = j->place = j->current = NULL;
    return status;
}
