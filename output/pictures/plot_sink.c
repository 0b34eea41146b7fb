/* plot_sink.c - waveforms of a run drawn in characters: a quick look in the terminal, no viewer needed.
 *
 * Rows go into buckets (bounded memory); at the end each quantity gets a panel of its own (chart_terminal.c).
 */
#include "base/names.h"
#include "base/quantities.h"
#include "output/pictures/chart_terminal.h"
#include "output/sink_base.h"
#include "output/sinks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct trace {
    char *name;
    enum kn_quantity quantity;
    size_t column;
};

struct plot {
    struct sink_base base;
    FILE *to;
    struct kn_diagnostics *diagnostics;
    struct plot_options options; /* columns: our copies */
    char **wanted;
    size_t wanted_count;
    char *title;
    enum kn_quantity axis;
    struct trace traces[PLOT_COLUMNS];
    size_t trace_count;
    struct buckets buckets;
    bool begun;
};

/* ---- collecting ---- */

static void forget_table(struct plot *p)
{
    for (size_t i = 0; i < p->trace_count; i++)
        free(p->traces[i].name);
    p->trace_count = 0;
    free(p->title);
    p->title = NULL;
    buckets_free(&p->buckets);
}

static void plot_release(void *context)
{
    struct plot *p = context;
    forget_table(p);
    for (size_t i = 0; i < p->wanted_count; i++)
        free(p->wanted[i]);
    free(p->wanted);
    free(p);
}

static enum kn_status take_trace(struct plot *p, const struct kn_table *table, size_t column)
{
    struct trace *t = &p->traces[p->trace_count];
    *t = (struct trace){strdup(table->columns[column].name), table->columns[column].quantity, column};
    if (!t->name)
        return KN_ERROR_MEMORY;
    p->trace_count++;
    return KN_OK;
}

static bool find_column(const struct kn_table *table, const char *name, size_t *column)
{
    for (*column = 0; *column < table->column_count; ++*column)
        if (names_equal(table->columns[*column].name, name))
            return true;
    return false;
}

static enum kn_status choose_traces(struct plot *p, const struct kn_table *table)
{
    enum kn_status s = KN_OK;
    size_t column;
    if (p->wanted_count == 0)
        for (size_t i = 1; s == KN_OK && i < table->column_count && p->trace_count < PLOT_COLUMNS; i++)
            s = table->columns[i].quantity == KN_IMAGINARY ? KN_OK : take_trace(p, table, i);
    for (size_t i = 0; s == KN_OK && i < p->wanted_count && p->trace_count < PLOT_COLUMNS; i++)
        if (find_column(table, p->wanted[i], &column))
            s = take_trace(p, table, column);
        else
            diagnostics_add(p->diagnostics, KN_WARNING, "unknown-vector", NOWHERE, NULL,
                            "there is no vector '%s' to plot", p->wanted[i]);
    return s;
}

static enum kn_status plot_begin(void *context, const struct kn_table *table)
{
    struct plot *p = context;
    forget_table(p);
    if (table->column_count == 0)
        return KN_ERROR_ARGUMENT;
    p->title = strdup(table->title ? table->title : "");
    p->axis = table->columns[0].quantity;
    if (!p->title || choose_traces(p, table) != KN_OK || buckets_init(&p->buckets, p->trace_count) != KN_OK)
        return KN_ERROR_MEMORY;
    p->begun = true;
    return KN_OK;
}

static enum kn_status plot_row(void *context, const double *values)
{
    struct plot *p = context;
    double chosen[PLOT_COLUMNS];
    for (size_t i = 0; i < p->trace_count; i++)
        chosen[i] = values[p->traces[i].column];
    buckets_add(&p->buckets, values[0], chosen);
    return KN_OK;
}

/* ---- the picture ---- */

static void axis_range(const struct buckets *b, double *low, double *high)
{
    size_t last = b->used;
    while (last > 0 && !b->bucket[last - 1].used)
        last--;
    *low = b->origin;
    *high = last ? b->bucket[last - 1].last_x : b->origin;
}

static struct chart_panel *panel_of(struct chart *c, const struct plot *p, enum kn_quantity quantity)
{
    const char *unit = quantity_words[quantity].unit;
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->panels[i].y.unit, unit) == 0)
            return &c->panels[i];
    const struct chart_panel made = {
        .x = chart_axis_of(quantity_words[p->axis].name, quantity_words[p->axis].unit, false),
        .y = chart_axis_of(quantity_words[quantity].name, unit, false)};
    return chart_add_panel(c, &made);
}

static bool add_trace(struct chart *c, const struct plot *p, size_t number)
{
    const struct trace *t = &p->traces[number];
    struct chart_panel *panel = panel_of(c, p, t->quantity);
    return panel && chart_add_buckets(c, panel, &p->buckets, number,
                                      &(struct chart_trace){.name = t->name, .colour = (int)number});
}

static enum kn_status plot_end(void *context, enum kn_status outcome)
{
    struct plot *p = context;
    (void)outcome; /* what there is is drawn, whatever ended the run */
    if (!p->begun)
        return KN_OK;
    p->begun = false;
    double low, high;
    axis_range(&p->buckets, &low, &high);
    if (p->trace_count == 0 || !(high > low))
        return KN_OK;
    struct chart c;
    struct arena *a = arena_new();
    bool complete = a != NULL;
    chart_init(&c, a, p->title);
    for (size_t i = 0; complete && i < p->trace_count; i++)
        complete = add_trace(&c, p, i);
    const enum kn_status status = complete ? chart_terminal(&c, &p->options, p->to) : KN_ERROR_MEMORY;
    arena_free(a);
    return status;
}

enum kn_status terminal_plot_sink(FILE *to, const struct plot_options *o, struct kn_diagnostics *d, struct kn_sink *out)
{
    *out = (struct kn_sink){0};
    struct plot *p = calloc(1, sizeof *p);
    if (!p)
        return KN_ERROR_MEMORY;
    *p = (struct plot){.base = {plot_release}, .to = to, .diagnostics = d, .options = *o};
    p->wanted = calloc(o->column_count + 1, sizeof *p->wanted);
    bool complete = p->wanted != NULL;
    for (size_t i = 0; complete && i < o->column_count; i++, p->wanted_count++)
        complete = (p->wanted[i] = strdup(o->columns[i])) != NULL;
    if (!complete) {
        plot_release(p);
        return KN_ERROR_MEMORY;
    }
    *out = (struct kn_sink){p, plot_begin, plot_row, plot_end};
    return KN_OK;
}
