/* waveforms.c - see waveforms.h. */
#include "cli/report/waveforms.h"

#include "base/arena.h"
#include "base/html.h"
#include "base/names.h"
#include "base/quantities.h"
#include "base/text.h"
#include "cli/report/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_TABLES = 24, MOST_TRACES = 32, MOST_RUNS = 12, MOST_BY_ITSELF = 6, MOST_IN_CHART = 6 };

static const double NOTHING = -600; /* dB */

struct trace {
    const char *name;
    const char *unit;
    size_t column;
    bool decibels; /* of a complex vector */
};

struct table {
    const char *plot, *axis, *axis_unit;
    bool logarithmic;
    struct trace traces[MOST_TRACES];
    size_t trace_count, left_out, columns;
    struct buckets runs[MOST_RUNS]; /* of a sweep, in which the axis begins again */
    size_t run_count, runs_left_out;
    double last_x;
    long rows;
    double *only; /* [columns] the last row */
};

struct waveforms {
    struct arena *arena;
    const struct circuit *circuit;
    const char *vectors;
    struct table tables[MOST_TABLES];
    size_t table_count, tables_left_out;
    struct table *current; /* NULL: of one that is not kept */
};

struct waveforms *waveforms_new(const struct circuit *c, const char *vectors)
{
    struct arena *arena;
    struct waveforms *w = arena_object(sizeof *w, &arena);
    if (w)
        *w = (struct waveforms){.arena = arena, .circuit = c, .vectors = vectors};
    return w;
}

void waveforms_free(struct waveforms *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->table_count; i++)
        for (size_t k = 0; k < w->tables[i].run_count; k++)
            buckets_free(&w->tables[i].runs[k]);
    arena_free(w->arena);
}

/* ---- which vectors ---- */

static const char *decibels_of(enum kn_quantity quantity)
{
    return quantity == KN_VOLTAGE ? "dBV" : quantity == KN_CURRENT ? "dBA" : "dB";
}

static bool is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; *at;) {
        at += strspn(at, " ,");
        int depth = 0;
        size_t used = 0;
        for (; at[used] && (depth > 0 || (at[used] != ',' && at[used] != ' ')); used++)
            depth += (at[used] == '(') - (at[used] == ')');
        if (used == length && strncasecmp(at, name, length) == 0)
            return true;
        at += used;
    }
    return false;
}

static bool is_printed(const struct circuit *c, const char *name)
{
    for (size_t i = 0; i < c->print_count; i++)
        if (c->prints[i].label && names_equal(c->prints[i].label, name))
            return true;
    return false;
}

static bool has_printed(const struct circuit *c, const struct kn_table *t)
{
    for (size_t i = 0; i < t->column_count; i++)
        if (is_printed(c, t->columns[i].name))
            return true;
    return false;
}

static bool is_imaginary(const struct kn_table *t, size_t i)
{
    return t->columns[i].quantity == KN_IMAGINARY;
}

static size_t count_of_unit(const struct table *t, const char *unit)
{
    size_t count = 0;
    for (size_t i = 0; i < t->trace_count; i++)
        count += strcmp(t->traces[i].unit, unit) == 0;
    return count;
}

/* Without a wish the first few of each unit, inside subcircuits none. */
static bool is_wanted(const struct waveforms *w, const struct kn_table *t, bool printed, const struct table *own,
                      size_t i)
{
    const char *name = t->columns[i].name;
    if (w->vectors)
        return is_listed(w->vectors, name);
    if (printed)
        return is_printed(w->circuit, name);
    return !strchr(name, '.') && !strchr(name, '#') &&
           count_of_unit(own, quantity_words[t->columns[i].quantity].unit) < MOST_BY_ITSELF;
}

static bool choose(struct waveforms *w, const struct kn_table *t, size_t first, struct table *own)
{
    const bool printed = has_printed(w->circuit, t);
    for (size_t i = first; i < t->column_count; i++) {
        if (is_imaginary(t, i))
            continue;
        const bool is_complex = i + 1 < t->column_count && is_imaginary(t, i + 1);
        if (!is_wanted(w, t, printed, own, i) || own->trace_count == MOST_TRACES) {
            own->left_out++;
            continue;
        }
        const char *name = arena_format(w->arena, "%s", t->columns[i].name);
        if (!name)
            return false;
        own->traces[own->trace_count++] = (struct trace){
            name, is_complex ? decibels_of(t->columns[i].quantity) : quantity_words[t->columns[i].quantity].unit, i,
            is_complex};
    }
    return true;
}

/* ---- the sink ---- */

/* Columns before the vectors: the axis, and what .step gave. */
static size_t first_vector(const struct kn_table *t)
{
    const bool has_axis = t->sweeps > 0 || t->columns[0].quantity == KN_TIME ||
                          t->columns[0].quantity == KN_FREQUENCY || t->columns[0].quantity == KN_HARMONIC;
    return (has_axis ? (t->sweeps > 1 ? t->sweeps : 1) : 0) + t->steps;
}

static enum kn_status begin(void *context, const struct kn_table *t)
{
    struct waveforms *w = context;
    w->current = NULL;
    if (w->table_count == MOST_TABLES || t->column_count == 0) {
        w->tables_left_out++;
        return KN_OK;
    }
    struct table *own = &w->tables[w->table_count];
    *own = (struct table){.plot = arena_format(w->arena, "%s", t->plot ? t->plot : "Results"),
                          .axis = arena_format(w->arena, "%s", t->columns[0].name),
                          .axis_unit = quantity_words[t->columns[0].quantity].unit,
                          .columns = t->column_count,
                          .last_x = -INFINITY,
                          .only = arena_array(w->arena, t->column_count, sizeof *own->only)};
    own->logarithmic = t->columns[0].quantity == KN_FREQUENCY;
    if (!own->plot || !own->axis || !own->only || !choose(w, t, first_vector(t), own))
        return KN_ERROR_MEMORY;
    w->table_count++;
    w->current = own;
    return KN_OK;
}

/* Nothing has some decibels, too: a row with an infinite value would not be drawn. */
static double value_of(const struct trace *trace, const double *values)
{
    const double value = values[trace->column];
    if (!trace->decibels)
        return value == -INFINITY && strncmp(trace->unit, "dB", 2) == 0 ? NOTHING : value;
    const double size = hypot(values[trace->column], values[trace->column + 1]);
    return fmax(20 * log10(size), NOTHING);
}

static enum kn_status row(void *context, const double *values)
{
    struct table *t = ((struct waveforms *)context)->current;
    double traced[MOST_TRACES];
    if (!t)
        return KN_OK;
    memcpy(t->only, values, t->columns * sizeof *values);
    t->rows++;
    const double x = t->logarithmic ? log10(fmax(values[0], 1e-30)) : values[0];
    if (t->run_count == 0 || x < t->last_x) {
        if (t->run_count == MOST_RUNS)
            t->runs_left_out++;
        else if (buckets_init(&t->runs[t->run_count], t->trace_count) != KN_OK)
            return KN_ERROR_MEMORY;
        t->run_count += t->run_count < MOST_RUNS;
    }
    t->last_x = x;
    for (size_t i = 0; i < t->trace_count; i++)
        traced[i] = value_of(&t->traces[i], values);
    if (t->runs_left_out == 0)
        buckets_add(&t->runs[t->run_count - 1], x, traced);
    return KN_OK;
}

static enum kn_status end(void *context, enum kn_status outcome)
{
    ((struct waveforms *)context)->current = NULL;
    return outcome;
}

struct kn_sink waveforms_sink(struct waveforms *w)
{
    return (struct kn_sink){w, begin, row, end};
}

/* ---- charts ---- */

/* Traces of one unit, of all runs. */
static bool add_panel(const struct table *t, const size_t *which, size_t count, struct chart *c)
{
    struct text title = text_growing(c->arena);
    const struct chart_panel as = {.x = chart_axis_of(t->axis, t->axis_unit, t->logarithmic),
                                   .y = chart_axis_of("", t->traces[which[0]].unit, false)};
    struct chart_panel *p = chart_add_panel(c, &as);
    for (size_t k = 0; p && k < count; k++) {
        const char *name = t->traces[which[k]].name;
        text_format(&title, "%s%s", k ? ", " : "", name);
        for (size_t i = 0; i < t->run_count; i++)
            if (!chart_add_buckets(c, p, &t->runs[i], which[k],
                                   &(struct chart_trace){.name = name, .colour = (int)k, .unlisted = i > 0}))
                return false;
    }
    return p && (p->title = text_take(&title));
}

/* Traces of one unit share charts. */
static bool add_panels(const struct table *t, struct chart *c)
{
    bool done[MOST_TRACES] = {false}, good = true;
    for (size_t first = 0; good && first < t->trace_count; first++) {
        size_t which[MOST_IN_CHART], count = 0;
        for (size_t i = first; !done[first] && i < t->trace_count && count < MOST_IN_CHART; i++)
            if (!done[i] && strcmp(t->traces[i].unit, t->traces[first].unit) == 0)
                which[count++] = i;
        for (size_t k = 0; k < count; k++)
            done[which[k]] = true;
        good = count == 0 || add_panel(t, which, count, c);
    }
    return good;
}

static void write_charts(const struct table *t, FILE *to)
{
    struct chart c;
    struct arena *memory = arena_new();
    chart_init(&c, memory, t->plot);
    page_charts(memory && add_panels(t, &c) ? &c : NULL, to);
    arena_free(memory);
}

static void write_numbers(const struct table *t, FILE *to)
{
    fputs("<div class=\"wide\"><table class=\"list\">\n<tr><th>vector</th><th class=\"n\">value</th></tr>\n", to);
    for (size_t i = 0; i < t->trace_count; i++) {
        char number[60];
        const struct trace *trace = &t->traces[i];
        page_number(number, sizeof number, value_of(trace, t->only), trace->unit);
        fputs("<tr><td class=\"mono\">", to);
        html_write(to, trace->name);
        fprintf(to, "</td><td class=\"n\">%s</td></tr>\n", number);
    }
    fputs("</table></div>\n", to);
}

static void write_table(const struct table *t, FILE *to)
{
    fputs("<h3>", to);
    html_write(to, t->plot);
    fputs("</h3>\n", to);
    if (t->rows == 0)
        fputs("<p class=\"soft\">No rows.</p>\n", to);
    else if (t->trace_count == 0)
        fputs("<p class=\"soft\">None of the vectors that were asked for is among its results.</p>\n", to);
    else if (t->rows == 1)
        write_numbers(t, to);
    else
        write_charts(t, to);
    fprintf(to, "<p class=\"soft small\">%ld row%s", t->rows, t->rows == 1 ? "" : "s");
    if (t->run_count > 1)
        fprintf(to, " of %zu%s runs", t->run_count, t->runs_left_out ? " and more" : "");
    if (t->left_out > 0)
        fprintf(to, "; %zu more vector%s (--vectors chooses)", t->left_out, t->left_out == 1 ? "" : "s");
    fputs(".</p>\n", to);
}

bool waveforms_write(const struct waveforms *w, FILE *to)
{
    for (size_t i = 0; i < w->table_count; i++)
        write_table(&w->tables[i], to);
    if (w->tables_left_out > 0)
        fprintf(to, "<p class=\"soft small\">%zu more results are not shown.</p>\n", w->tables_left_out);
    return w->table_count > 0;
}
