/* csv.c - comma-separated values (RFC 4180): vector names, then the shortest numbers that read back exactly. */
#include "output/decimal.h"
#include "output/file.h"
#include "output/sink_base.h"
#include "output/sinks.h"

#include <stdlib.h>
#include <string.h>

struct csv {
    struct sink_base base;
    struct output_file file;
    size_t columns;
    size_t steps; /* columns that are moved in front of the first */
    bool begun, separate;
};

static void csv_release(void *context)
{
    struct csv *c = context;
    file_free(&c->file);
    free(c);
}

/* Names with separators are quoted: "v(a,b)". */
static void put_name(struct output_file *to, const char *name, struct column_frame frame)
{
    const bool quoted = strpbrk(name, ",\"\r\n") != NULL;
    if (quoted)
        file_write(to, "\"", 1);
    file_write(to, frame.before, strlen(frame.before));
    for (const char *c = name; *c; c++)
        file_write(to, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    file_write(to, frame.behind, strlen(frame.behind));
    if (quoted)
        file_write(to, "\"", 1);
}

/* The column of the table that is the i-th of the file: what is stepped comes first. */
static size_t place(const struct csv *c, size_t i)
{
    return i < c->steps ? i + 1 : i == c->steps ? 0 : i;
}

static enum kn_status csv_begin(void *context, const struct kn_table *table)
{
    struct csv *c = context;
    c->columns = table->column_count;
    c->steps = table->sweeps > 0 || (c->columns > 0 && table->columns[0].quantity == KN_TIME) ? table->steps : 0;
    if (file_open(&c->file, c->columns * DECIMAL_TEXT) != KN_OK)
        return c->file.status;
    if (c->separate)
        file_write(&c->file, "\n", 1);
    c->separate = c->begun = true;
    for (size_t i = 0; i < c->columns; i++) {
        put_name(&c->file, table->columns[place(c, i)].name, sink_column_frame(table, place(c, i)));
        file_write(&c->file, i + 1 < c->columns ? "," : "\n", 1);
    }
    return c->file.status;
}

static enum kn_status csv_row(void *context, const double *values)
{
    struct csv *c = context;
    char *const room = file_reserve(&c->file, c->columns * DECIMAL_TEXT), *end = room;
    if (!room)
        return c->file.status;
    for (size_t i = 0; i < c->columns; i++) {
        end += decimal_shortest(values[place(c, i)], end);
        *end++ = i + 1 < c->columns ? ',' : '\n';
    }
    file_advance(&c->file, (size_t)(end - room));
    return KN_OK;
}

static enum kn_status csv_end(void *context, enum kn_status outcome)
{
    struct csv *c = context;
    (void)outcome; /* rows so far are valid whatever ended the run */
    if (!c->begun)
        return KN_OK;
    c->begun = false;
    return file_flush(&c->file);
}

enum kn_status csv_sink(const char *path, struct kn_diagnostics *d, struct kn_sink *out)
{
    *out = (struct kn_sink){0};
    struct csv *c = calloc(1, sizeof *c);
    if (!c || !file_init(&c->file, path, d)) {
        free(c);
        return KN_ERROR_MEMORY;
    }
    c->base.release = csv_release;
    *out = (struct kn_sink){c, csv_begin, csv_row, csv_end};
    return KN_OK;
}
