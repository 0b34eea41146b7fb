/* outputs.c - see outputs.h.  For every table of a run the sinks of the screen are put together anew, because each
 * analysis shows something else: a listing for .op, the .print table and the plot for .tran. */
#include "cli/results/outputs.h"

#include "cli/terminal.h"
#include "output/device_table.h"
#include "output/sinks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of the .print cards that concern it; 0: none, what is written is on the card of the analysis. */
static enum request_domain domain_of(const struct kn_table *table)
{
    static const struct {
        const char *plot;
        enum request_domain domain;
    } plots[] = {{"Transient Analysis", REQUEST_IN_TIME},
                 {"Operating Point", REQUEST_AT_REST},
                 {"DC transfer characteristic", REQUEST_AT_REST},
                 {"AC Analysis", REQUEST_IN_FREQUENCY},
                 {"Noise Spectral Density Curves", REQUEST_IN_NOISE},
                 {"SP Analysis", REQUEST_AT_PORTS},
                 {"Periodic Steady State", REQUEST_IN_PERIOD},
                 {"Periodic Steady State Harmonics", REQUEST_IN_PERIOD}};
    for (size_t i = 0; i < sizeof plots / sizeof *plots; i++)
        if (strcmp(table->plot, plots[i].plot) == 0)
            return plots[i].domain;
    return 0;
}

static bool any_print(const struct outputs *o, enum request_domain domain)
{
    const struct circuit *c = o->request.circuit;
    bool any = false;
    for (size_t i = 0; i < c->print_count; i++)
        any |= request_is_in(&c->prints[i], domain);
    return any;
}

static bool has_prints(const struct outputs *o, enum request_domain domain)
{
    const bool is_table = o->request.format == FORMAT_CSV; /* the result itself */
    return any_print(o, domain) && !is_table && strcmp(o->request.path, "-") != 0;
}

/* Rows over time or a sweep; else one point. */
static bool has_rows(const struct kn_table *table)
{
    return table->column_count > 0 && (table->columns[0].quantity == KN_TIME || table->sweeps + table->steps > 0);
}

/* Time, what is swept and stepped, and the vectors of .print; an array to free, whose strings are the table's and the circuit's.
 */
static const char **printed_names(const struct circuit *c, const struct kn_table *table, size_t *count)
{
    const bool is_timed = table->columns[0].quantity == KN_TIME;
    const size_t lead = table->sweeps + table->steps + is_timed;
    const char **names = malloc((lead + c->print_count * table->column_count) * sizeof *names);
    *count = 0;
    if (!names)
        return NULL;
    while (*count < lead) {
        names[*count] = table->columns[*count].name;
        ++*count;
    }
    for (size_t i = 0; i < c->print_count; i++) {
        if (!request_is_in(&c->prints[i], domain_of(table)))
            continue;
        if (c->prints[i].kind != REQUEST_ALL)
            names[(*count)++] = c->prints[i].label;
        for (size_t k = lead; c->prints[i].kind == REQUEST_ALL && k < table->column_count; k++)
            if (table->columns[k].quantity != KN_IMAGINARY)
                names[(*count)++] = table->columns[k].name;
    }
    return names;
}

/* Lets only the vectors of .print through to *sink. */
static enum kn_status select_printed(const struct outputs *o, const struct kn_table *table, struct kn_sink *sink)
{
    size_t count;
    const char **names = printed_names(o->request.circuit, table, &count);
    if (!names)
        return KN_ERROR_MEMORY;
    const enum kn_status status = select_sink(sink, names, count, o->request.diagnostics, sink);
    free(names);
    return status;
}

static enum kn_status printed_table(const struct outputs *o, const struct kn_table *table, struct kn_sink *sink)
{
    const enum kn_status status = table_sink(stdout, o->request.diagnostics, sink);
    return status == KN_OK ? select_printed(o, table, sink) : status;
}

size_t outputs_split(char *text, const char **vectors, size_t most)
{
    size_t count = 0;
    int depth = 0;
    char *begin = text;
    for (char *c = text;; c++) {
        const char here = *c;
        depth += (here == '(') - (here == ')');
        if (here != '\0' && (here != ',' || depth > 0))
            continue;
        *c = '\0';
        begin += strspn(begin, " ");
        if (*begin && count < most)
            vectors[count++] = begin;
        begin = c + 1;
        if (here == '\0')
            return count;
    }
}

struct plot_options outputs_plot_options(void)
{
    struct plot_options p = {.width = terminal_width(stdout), .height = terminal_height(stdout) - 1};
    p.width = p.width > 120 ? 120 : p.width;
    p.utf8 = terminal_utf8();
    p.colour = terminal_colour(stdout);
    return p;
}

static enum kn_status asked_plot(struct outputs *o, struct kn_sink *out)
{
    const char *vectors[PLOT_COLUMNS];
    char *text = strdup(o->request.plot_vectors);
    if (!text)
        return KN_ERROR_MEMORY;
    struct plot_options p = outputs_plot_options();
    p.column_count = outputs_split(text, vectors, PLOT_COLUMNS);
    p.columns = vectors;
    const enum kn_status status = terminal_plot_sink(stdout, &p, o->request.diagnostics, out);
    free(text);
    return status;
}

/* The vectors asked for; else those of .print; else the first few. */
static enum kn_status plot_sink(struct outputs *o, const struct kn_table *table, struct kn_sink *out)
{
    if (o->request.plot_vectors)
        return asked_plot(o, out);
    const struct plot_options p = outputs_plot_options();
    const enum kn_status status = terminal_plot_sink(stdout, &p, o->request.diagnostics, out);
    if (status != KN_OK || !any_print(o, domain_of(table)))
        return status;
    return select_printed(o, table, out);
}

/* What the screen shows of this table at the end of its rows: nothing, a listing or a plot. */
static enum kn_status open_screen(struct outputs *o, const struct kn_table *table)
{
    if (table->column_count == 0 || o->request.only_file || strcmp(o->request.path, "-") == 0)
        return KN_OK;
    if (table->columns[0].quantity == KN_HARMONIC)
        return table_sink(stdout, o->request.diagnostics, &o->screen);
    if (!has_rows(table))
        return listing_sink(stdout, terminal_utf8(), o->request.diagnostics, &o->screen);
    if (o->request.plot)
        return plot_sink(o, table, &o->screen);
    const enum request_domain domain = domain_of(table); /* a transient's table has rows of its own */
    const bool shown = domain != REQUEST_IN_TIME && has_prints(o, domain);
    return shown ? printed_table(o, table, &o->screen) : KN_OK;
}

bool outputs_prints(const struct outputs *o)
{
    return !o->request.only_file && has_prints(o, REQUEST_IN_TIME);
}

static void headline(struct outputs *o, const struct kn_table *table)
{
    if (o->tables++ > 0)
        putchar('\n');
    if (!o->request.plot || !has_rows(table))
        printf("%s\n", table->plot);
}

/* ---- the result ---- */

static enum kn_status outputs_begin(void *context, const struct kn_table *table)
{
    struct outputs *o = context;
    enum kn_status status = o->file.begin(o->file.context, table);
    points_begin(o->request.points, table, false);
    o->open = status == KN_OK;
    o->begun = o->begun || o->open;
    if (status == KN_OK)
        status = open_screen(o, table);
    if (status != KN_OK)
        return status;
    if (o->screen.context || (domain_of(table) == REQUEST_IN_TIME && outputs_prints(o)))
        headline(o, table);
    return o->screen.context ? o->screen.begin(o->screen.context, table) : KN_OK;
}

static enum kn_status outputs_row(void *context, const double *values)
{
    struct outputs *o = context;
    const enum kn_status status = o->file.row(o->file.context, values);
    o->rows += status == KN_OK;
    points_row(o->request.points, values);
    if (status != KN_OK || !o->screen.context)
        return status;
    return o->screen.row(o->screen.context, values);
}

/* A file without a row would look like a result. */
static void remove_empty(struct outputs *o)
{
    struct stat s;
    const char *path = o->request.path;
    if (o->rows > 0 || strcmp(path, "-") == 0 || lstat(path, &s) != 0 || !S_ISREG(s.st_mode))
        return;
    o->begun = unlink(path) != 0;
}

static enum kn_status outputs_end(void *context, enum kn_status outcome)
{
    struct outputs *o = context;
    const enum kn_status written = o->file.end(o->file.context, outcome);
    o->open = false;
    if (outcome != KN_OK)
        remove_empty(o);
    enum kn_status shown = KN_OK;
    if (o->screen.context)
        shown = o->screen.end(o->screen.context, outcome);
    sink_free(&o->screen);
    return written == KN_OK ? shown : written;
}

/* ---- devices ---- */

static enum kn_status devices_begin(void *context, const struct kn_table *table)
{
    struct outputs *o = context;
    points_begin(o->request.points, table, true);
    if (strcmp(o->request.path, "-") == 0)
        return KN_OK;
    const enum kn_status status =
        device_table_sink(stdout, terminal_utf8(), terminal_width(stdout), o->request.diagnostics, &o->screen);
    return status == KN_OK ? o->screen.begin(o->screen.context, table) : status;
}

static enum kn_status devices_row(void *context, const double *values)
{
    struct outputs *o = context;
    points_row(o->request.points, values);
    return o->screen.context ? o->screen.row(o->screen.context, values) : KN_OK;
}

static enum kn_status devices_end(void *context, enum kn_status outcome)
{
    struct outputs *o = context;
    const enum kn_status status = o->screen.context ? o->screen.end(o->screen.context, outcome) : KN_OK;
    sink_free(&o->screen);
    return status;
}

/* ---- the table of .print ---- */

static enum kn_status table_begin(void *context, const struct kn_table *table)
{
    struct outputs *o = context;
    const enum kn_status status = printed_table(o, table, &o->table);
    o->table_open = status == KN_OK;
    return status == KN_OK ? o->table.begin(o->table.context, table) : status;
}

static enum kn_status table_row(void *context, const double *values)
{
    const struct outputs *o = context;
    return o->table.row(o->table.context, values);
}

static enum kn_status table_end(void *context, enum kn_status outcome)
{
    struct outputs *o = context;
    const enum kn_status status = o->table.end(o->table.context, outcome);
    o->table_open = false;
    sink_free(&o->table);
    return status;
}

/* ---- both ---- */

enum kn_status outputs_open(struct outputs *o, const struct outputs_request *request)
{
    *o = (struct outputs){.request = *request};
    switch (request->format) {
    case FORMAT_RAW:
        return raw_sink(request->path, RAW_BINARY, request->diagnostics, &o->file);
    case FORMAT_ASCII:
        return raw_sink(request->path, RAW_ASCII, request->diagnostics, &o->file);
    case FORMAT_CSV:
        return csv_sink(request->path, request->diagnostics, &o->file);
    case FORMAT_TOUCHSTONE:
        return touchstone_sink(request->path, request->diagnostics, &o->file);
    }
    return KN_ERROR_ARGUMENT;
}

struct kn_sink outputs_sink(struct outputs *o)
{
    return (struct kn_sink){o, outputs_begin, outputs_row, outputs_end};
}

struct kn_sink outputs_devices(struct outputs *o)
{
    return (struct kn_sink){o, devices_begin, devices_row, devices_end};
}

struct kn_sink outputs_table(struct outputs *o)
{
    return (struct kn_sink){o, table_begin, table_row, table_end};
}

void outputs_end_early(struct outputs *o)
{
    if (o->table_open)
        table_end(o, KN_INTERRUPTED);
    if (o->open)
        outputs_end(o, KN_INTERRUPTED);
}

void outputs_close(struct outputs *o)
{
    sink_free(&o->screen);
    sink_free(&o->table);
    sink_free(&o->file);
}
