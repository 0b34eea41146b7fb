/* plot.c - waveforms drawn in characters: a quick look in the terminal, no viewer needed.
 *
 * Rows go into buckets (bounded memory); at the end each quantity gets a panel of its own with labelled axes.  Without
 * colour braille dots of two traces cannot be told apart, so every trace gets its own panel then.
 */
#include "base/names.h"
#include "output/buckets.h"
#include "output/canvas.h"
#include "output/decimal.h"
#include "output/sink_base.h"
#include "output/sinks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 48, LEAST_ROWS = 4, LEAST_COLUMNS = 20, MOST_TICKS = 64 };

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

/* ---- axes ---- */

struct scale {
    double low, high, step;
    const char *unit;
    int digits; /* that tell neighbouring ticks apart */
};

static const char *unit_of(enum kn_quantity quantity)
{
    return quantity == KN_TIME ? "s" : quantity == KN_VOLTAGE ? "V" : quantity == KN_CURRENT ? "A" : "";
}

/* 1, 2 or 5 times a power of ten, at least `least`. */
static double round_step(double least)
{
    const double power = pow(10, floor(log10(least)));
    const double part = least / power;
    return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

static struct scale make_scale(double low, double high, int ticks, enum kn_quantity quantity)
{
    const double size = fmax(fabs(low), fabs(high));
    if (!(high - low > 1e-9 * size)) {
        const double margin = size > 0 ? 0.1 * size : 1;
        low -= margin;
        high += margin;
    }
    struct scale s = {low, high, round_step((high - low) / (ticks > 1 ? ticks : 1)), unit_of(quantity), 3};
    const double ratio = fmax(fabs(low), fabs(high)) / s.step;
    s.digits = ratio > 100 ? (int)ceil(log10(ratio)) + 1 : 3;
    return s;
}

/* The k-th tick of a scale; false beyond the end. */
static bool tick(const struct scale *s, int k, double *value)
{
    const double first = ceil(s->low / s->step - 1e-9);
    *value = (first + k) * s->step;
    return k < MOST_TICKS && *value <= s->high + 1e-9 * s->step;
}

static void tick_label(const struct plot *p, const struct scale *s, double value, char text[LABEL])
{
    decimal_engineering(value, s->digits, s->unit, p->options.utf8 ? "\xc2\xb5" : "u", text, LABEL);
}

/* Characters, not bytes. */
static int text_width(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static int place_on(const struct scale *s, double value, int dots)
{
    return (int)lround((value - s->low) / (s->high - s->low) * (dots - 1));
}

/* ---- panels ---- */

struct panel {
    const struct plot *plot;
    size_t traces[PLOT_COLUMNS]; /* numbers into plot->traces */
    size_t count;
    struct scale x, y;
    int margin; /* characters left of the axis */
    struct canvas canvas;
};

static void draw_trace(struct panel *panel, size_t number)
{
    const struct buckets *b = &panel->plot->buckets;
    const int width = canvas_width(&panel->canvas), height = canvas_height(&panel->canvas);
    int from_x = 0, from_y = 0;
    bool any = false;
    for (size_t i = 0; i < b->used; i++) {
        const struct bucket_trace *t = &b->trace[i * b->traces + number];
        if (!b->bucket[i].used)
            continue;
        const int x = place_on(&panel->x, b->bucket[i].first_x, width), y = place_on(&panel->y, t->first, height);
        const unsigned char pen = (unsigned char)number;
        canvas_line(&panel->canvas, any ? from_x : x, any ? from_y : y, x, y, pen);
        canvas_line(&panel->canvas, x, place_on(&panel->y, t->least, height), x,
                    place_on(&panel->y, t->greatest, height), pen);
        from_x = place_on(&panel->x, b->bucket[i].last_x, width);
        from_y = place_on(&panel->y, t->last, height);
        canvas_line(&panel->canvas, x, y, from_x, from_y, pen);
        any = true;
    }
}

/* Changes below this part of a value are rounding. */
static const double FLAT = 1e-9;

static void value_range(const struct panel *panel, double *low, double *high)
{
    const struct buckets *b = &panel->plot->buckets;
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < b->used; i++)
        for (size_t k = 0; b->bucket[i].used && k < panel->count; k++) {
            const struct bucket_trace *t = &b->trace[i * b->traces + panel->traces[k]];
            *low = fmin(*low, t->least);
            *high = fmax(*high, t->greatest);
        }
    if (*high - *low < FLAT * fmax(fabs(*low), fabs(*high)))
        *high = *low; /* rounding is no waveform */
}

static const char *colour_of(const struct plot *p, size_t number)
{
    static const char *const colours[PLOT_COLUMNS] = {"\033[36m", "\033[33m", "\033[32m",
                                                      "\033[35m", "\033[31m", "\033[34m"};
    return p->options.colour ? colours[number] : "";
}

static const char *plain(const struct plot *p)
{
    return p->options.colour ? "\033[0m" : "";
}

static char letter_of(size_t number)
{
    return "*o+x#@"[number];
}

static void put_legend(const struct panel *panel)
{
    const struct plot *p = panel->plot;
    fprintf(p->to, "%*s", panel->margin + 1, "");
    for (size_t k = 0; k < panel->count; k++) {
        const size_t n = panel->traces[k];
        if (p->options.utf8)
            fprintf(p->to, " %s\xe2\x94\x81\xe2\x94\x81 %s%s ", colour_of(p, n), p->traces[n].name, plain(p));
        else
            fprintf(p->to, " %s%c %s%s ", colour_of(p, n), letter_of(n), p->traces[n].name, plain(p));
    }
    fputc('\n', p->to);
}

/* The label of the tick that falls into this row of characters, if any. */
static bool row_label(const struct panel *panel, int row, char text[LABEL])
{
    double value;
    const int dots = canvas_height(&panel->canvas), per_row = dots / panel->canvas.rows;
    for (int k = 0; tick(&panel->y, k, &value); k++)
        if ((dots - 1 - place_on(&panel->y, value, dots)) / per_row == row) {
            tick_label(panel->plot, &panel->y, value, text);
            return true;
        }
    text[0] = '\0';
    return false;
}

static void put_cell(const struct panel *panel, int cell, int *pen)
{
    const struct plot *p = panel->plot;
    const struct canvas *c = &panel->canvas;
    const int wanted = c->dots[cell] ? c->pen[cell] : -1;
    if (wanted >= 0 && wanted != *pen) {
        fputs(colour_of(p, (size_t)wanted), p->to);
        *pen = wanted;
    }
    char braille[4];
    canvas_braille(c->dots[cell], braille);
    if (!c->dots[cell])
        fputc(' ', p->to);
    else if (c->braille)
        fputs(braille, p->to);
    else
        fputc(letter_of(c->pen[cell]), p->to);
}

static void put_rows(const struct panel *panel)
{
    const struct plot *p = panel->plot;
    for (int row = 0; row < panel->canvas.rows; row++) {
        char label[LABEL];
        const bool ticked = row_label(panel, row, label);
        const char *axis = p->options.utf8 ? (ticked ? "\xe2\x94\xa4" : "\xe2\x94\x82") : (ticked ? "+" : "|");
        fprintf(p->to, "%*s%s %s", panel->margin - 1 - text_width(label), "", label, axis);
        int pen = -1, last = panel->canvas.columns;
        while (last > 0 && !panel->canvas.dots[row * panel->canvas.columns + last - 1])
            last--;
        for (int column = 0; column < last; column++)
            put_cell(panel, row * panel->canvas.columns + column, &pen);
        fprintf(p->to, "%s\n", pen >= 0 ? plain(p) : "");
    }
}

static int tick_column(const struct panel *panel, double value)
{
    const int dots = canvas_width(&panel->canvas);
    return place_on(&panel->x, value, dots) * panel->canvas.columns / dots;
}

static void put_axis_line(const struct panel *panel)
{
    const struct plot *p = panel->plot;
    double value;
    int at = 0;
    fprintf(p->to, "%*s%s", panel->margin, "", p->options.utf8 ? "\xe2\x94\x94" : "+");
    for (int k = 0; tick(&panel->x, k, &value); k++) {
        for (; at < tick_column(panel, value); at++)
            fputs(p->options.utf8 ? "\xe2\x94\x80" : "-", p->to);
        fputs(p->options.utf8 ? "\xe2\x94\xac" : "+", p->to);
        at++;
    }
    for (; at < panel->canvas.columns; at++)
        fputs(p->options.utf8 ? "\xe2\x94\x80" : "-", p->to);
    fputc('\n', p->to);
}

/* Labels that would run into their neighbour or over the edge are left out. */
static void put_axis_labels(const struct panel *panel)
{
    const struct plot *p = panel->plot;
    double value;
    int at = 0;
    fprintf(p->to, "%*s", panel->margin + 1, "");
    for (int k = 0; tick(&panel->x, k, &value); k++) {
        char label[LABEL];
        tick_label(p, &panel->x, value, label);
        const int width = text_width(label), edge = panel->canvas.columns - width;
        int from = tick_column(panel, value) - width / 2;
        from = from < 0 ? 0 : from > edge ? edge : from;
        if (from < at)
            continue;
        fprintf(p->to, "%*s%s", from - at, "", label);
        at = from + width + 1;
        fputc(' ', p->to);
    }
    fputc('\n', p->to);
}

static void axis_range(const struct buckets *b, double *low, double *high)
{
    size_t last = b->used;
    while (last > 0 && !b->bucket[last - 1].used)
        last--;
    *low = b->origin;
    *high = last ? b->bucket[last - 1].last_x : b->origin;
}

static enum kn_status draw_panel(struct panel *panel, int rows)
{
    const struct plot *p = panel->plot;
    double low, high;
    value_range(panel, &low, &high);
    panel->y = make_scale(low, high, rows / 2 > 2 ? rows / 2 : 2, p->traces[panel->traces[0]].quantity);
    double value;
    char label[LABEL];
    panel->margin = 8;
    for (int k = 0; tick(&panel->y, k, &value); k++) {
        tick_label(p, &panel->y, value, label);
        panel->margin = text_width(label) + 2 > panel->margin ? text_width(label) + 2 : panel->margin;
    }
    const int room = p->options.width - panel->margin - 1;
    const int columns = room > LEAST_COLUMNS ? room : LEAST_COLUMNS;
    axis_range(&p->buckets, &low, &high);
    panel->x = make_scale(low, high, columns / 14 > 2 ? columns / 14 : 2, p->axis);
    if (canvas_init(&panel->canvas, columns, rows, p->options.utf8) != KN_OK)
        return KN_ERROR_MEMORY;
    for (size_t k = panel->count; k-- > 0;)
        draw_trace(panel, panel->traces[k]);
    put_legend(panel);
    put_rows(panel);
    put_axis_line(panel);
    put_axis_labels(panel);
    canvas_free(&panel->canvas);
    return KN_OK;
}

static bool together(const struct plot *p, const struct trace *a, const struct trace *b)
{
    return a->quantity == b->quantity && (p->options.colour || !p->options.utf8);
}

/* Traces by panel; returns the number of panels. */
static size_t share_out(const struct plot *p, struct panel panels[PLOT_COLUMNS])
{
    size_t count = 0;
    for (size_t i = 0; i < p->trace_count; i++) {
        size_t k = 0;
        while (k < count && !together(p, &p->traces[panels[k].traces[0]], &p->traces[i]))
            k++;
        if (k == count)
            panels[count++] = (struct panel){.plot = p};
        panels[k].traces[panels[k].count++] = i;
    }
    return count;
}

static enum kn_status plot_end(void *context, enum kn_status outcome)
{
    struct plot *p = context;
    struct panel panels[PLOT_COLUMNS];
    (void)outcome; /* what there is is drawn, whatever ended the run */
    if (!p->begun)
        return KN_OK;
    p->begun = false;
    double low, high;
    axis_range(&p->buckets, &low, &high);
    if (p->trace_count == 0 || !(high > low))
        return KN_OK;
    const size_t count = share_out(p, panels);
    const int around = 3; /* legend, axis, labels */
    int rows = (p->options.height - 1) / (int)count - around;
    rows = rows > LEAST_ROWS ? rows : LEAST_ROWS;
    fprintf(p->to, "%s\n", p->title);
    enum kn_status s = KN_OK;
    for (size_t k = 0; s == KN_OK && k < count; k++)
        s = draw_panel(&panels[k], rows);
    if (fflush(p->to) != 0 && s == KN_OK)
        s = KN_ERROR_IO;
    return s;
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
