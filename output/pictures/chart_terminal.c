/* chart_terminal.c - see chart_terminal.h.  Without colour braille dots of two traces cannot be told apart, so every trace gets
 * a panel of its own then, unless there are too many for that. */
#include "output/pictures/chart_terminal.h"

#include "output/pictures/canvas.h"
#include "output/pictures/scale.h"

#include <math.h>
#include <string.h>

enum { LABEL = 48, LEAST_ROWS = 4, LEAST_COLUMNS = 20, COLOURS = 6 };

/* A panel of the chart, or one of its traces. */
struct view {
    const struct chart *chart;
    const struct plot_options *options;
    FILE *to;
    const struct chart_panel *panel;
    size_t from, until; /* traces */
    struct scale x, y;
    int margin; /* characters left of the axis */
    struct canvas canvas;
};

static void tick_label(const struct view *v, const struct scale *s, double value, char text[LABEL])
{
    scale_label(s, value, s->unit, v->options->utf8 ? "\xc2\xb5" : "u", text, LABEL);
}

/* Characters, not bytes. */
static int text_width(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

/* ---- traces ---- */

static int place_on(const struct scale *s, double value, int dots)
{
    return (int)lround(fmin(fmax(scale_part(s, value), -1), 2) * (dots - 1));
}

static bool is_shown(const struct scale *s, double value)
{
    return isfinite(value) && (!s->logarithmic || value > 0);
}

static void draw_trace(struct view *v, size_t number)
{
    const struct chart_trace *t = &v->panel->traces[number];
    const int width = canvas_width(&v->canvas), height = canvas_height(&v->canvas);
    int from_x = 0, from_y = 0;
    bool any = false;
    for (size_t i = 0; i < t->count; i++) {
        const bool shown = is_shown(&v->x, t->x[i]) && is_shown(&v->y, t->y[i]);
        if (shown) {
            const int x = place_on(&v->x, t->x[i], width), y = place_on(&v->y, t->y[i], height);
            canvas_line(&v->canvas, any ? from_x : x, any ? from_y : y, x, y, (unsigned char)(t->colour % COLOURS));
            from_x = x;
            from_y = y;
        }
        any = shown;
    }
}

static const char *colour_of(const struct view *v, int pen)
{
    static const char *const colours[COLOURS] = {"\033[36m", "\033[33m", "\033[32m",
                                                 "\033[35m", "\033[31m", "\033[34m"};
    return v->options->colour ? colours[pen % COLOURS] : "";
}

static const char *plain(const struct view *v)
{
    return v->options->colour ? "\033[0m" : "";
}

static char letter_of(int pen)
{
    return "*o+x#@"[pen % COLOURS];
}

/* ---- lines of text ---- */

static void put_name(const struct view *v, const struct chart_trace *t)
{
    char label[2 * LABEL + 160];
    snprintf(label, sizeof label, "%s%s%s", t->name, t->run ? ", " : "", t->run ? t->run : "");
    if (v->options->utf8)
        fprintf(v->to, " %s\xe2\x94\x81\xe2\x94\x81 %s%s ", colour_of(v, t->colour), label, plain(v));
    else
        fprintf(v->to, " %s%c %s%s ", colour_of(v, t->colour), letter_of(t->colour), label, plain(v));
}

/* As many names as fit, one at least. */
static void put_legend(const struct view *v)
{
    int used = v->margin + 1;
    size_t left_out = 0;
    bool any = false;
    fprintf(v->to, "%*s", used, "");
    for (size_t k = v->from; k < v->until; k++) {
        const struct chart_trace *t = &v->panel->traces[k];
        if (t->unlisted)
            continue;
        used += text_width(t->name) + (t->run ? text_width(t->run) + 2 : 0) + 5;
        left_out += any && used > v->options->width;
        if (!any || used <= v->options->width)
            put_name(v, t);
        any = true;
    }
    if (left_out)
        fprintf(v->to, " and %zu more", left_out);
    fputc('\n', v->to);
}

/* The label of the tick that falls into this row of characters, if any. */
static bool row_label(const struct view *v, int row, char text[LABEL])
{
    double value;
    const int dots = canvas_height(&v->canvas), per_row = dots / v->canvas.rows;
    for (int k = 0; scale_tick(&v->y, k, &value); k++)
        if ((dots - 1 - place_on(&v->y, value, dots)) / per_row == row) {
            tick_label(v, &v->y, value, text);
            return true;
        }
    text[0] = '\0';
    return false;
}

static void put_cell(const struct view *v, int cell, int *pen)
{
    const struct canvas *c = &v->canvas;
    const int wanted = c->dots[cell] ? c->pen[cell] : -1;
    if (wanted >= 0 && wanted != *pen) {
        fputs(colour_of(v, wanted), v->to);
        *pen = wanted;
    }
    char braille[4];
    canvas_braille(c->dots[cell], braille);
    if (!c->dots[cell])
        fputc(' ', v->to);
    else if (c->braille)
        fputs(braille, v->to);
    else
        fputc(letter_of(c->pen[cell]), v->to);
}

static void put_rows(const struct view *v)
{
    for (int row = 0; row < v->canvas.rows; row++) {
        char label[LABEL];
        const bool ticked = row_label(v, row, label), utf8 = v->options->utf8;
        const char *axis = utf8 ? (ticked ? "\xe2\x94\xa4" : "\xe2\x94\x82") : (ticked ? "+" : "|");
        fprintf(v->to, "%*s%s %s", v->margin - 1 - text_width(label), "", label, axis);
        int pen = -1, last = v->canvas.columns;
        while (last > 0 && !v->canvas.dots[row * v->canvas.columns + last - 1])
            last--;
        for (int column = 0; column < last; column++)
            put_cell(v, row * v->canvas.columns + column, &pen);
        fprintf(v->to, "%s\n", pen >= 0 ? plain(v) : "");
    }
}

static int tick_column(const struct view *v, double value)
{
    const int dots = canvas_width(&v->canvas);
    return place_on(&v->x, value, dots) * v->canvas.columns / dots;
}

static void put_axis_line(const struct view *v)
{
    double value;
    int at = 0;
    fprintf(v->to, "%*s%s", v->margin, "", v->options->utf8 ? "\xe2\x94\x94" : "+");
    for (int k = 0; scale_tick(&v->x, k, &value); k++) {
        for (; at < tick_column(v, value); at++)
            fputs(v->options->utf8 ? "\xe2\x94\x80" : "-", v->to);
        fputs(v->options->utf8 ? "\xe2\x94\xac" : "+", v->to);
        at++;
    }
    for (; at < v->canvas.columns; at++)
        fputs(v->options->utf8 ? "\xe2\x94\x80" : "-", v->to);
    fputc('\n', v->to);
}

/* Labels that would run into their neighbour or over the edge are left out. */
static void put_axis_labels(const struct view *v)
{
    double value;
    int at = 0;
    fprintf(v->to, "%*s", v->margin + 1, "");
    for (int k = 0; scale_tick(&v->x, k, &value); k++) {
        char label[LABEL];
        tick_label(v, &v->x, value, label);
        const int width = text_width(label), edge = v->canvas.columns - width;
        int from = tick_column(v, value) - width / 2;
        from = from < 0 ? 0 : from > edge ? edge : from;
        if (from < at)
            continue;
        fprintf(v->to, "%*s%s", from - at, "", label);
        at = from + width + 1;
        fputc(' ', v->to);
    }
    fputc('\n', v->to);
}

/* ---- panels ---- */

static int margin_of(const struct view *v)
{
    double value;
    char label[LABEL];
    int margin = 8;
    for (int k = 0; scale_tick(&v->y, k, &value); k++) {
        tick_label(v, &v->y, value, label);
        margin = text_width(label) + 2 > margin ? text_width(label) + 2 : margin;
    }
    return margin;
}

static enum kn_status draw_view(struct view *v, int rows)
{
    struct chart_panel part = *v->panel;
    double x[2], y[2], whole[2], all[2];
    part.traces += v->from;
    part.count = v->until - v->from;
    if (!chart_ranges(v->panel, x, whole) || !chart_ranges(&part, all, y))
        return KN_OK; /* nothing that could be drawn */
    v->y = scale_make(y, rows / 2 > 2 ? rows / 2 : 2, &v->panel->y);
    v->margin = margin_of(v);
    const int room = v->options->width - v->margin - 1;
    const int columns = room > LEAST_COLUMNS ? room : LEAST_COLUMNS;
    v->x = scale_make(x, columns / 14 > 2 ? columns / 14 : 2, &v->panel->x);
    if (canvas_init(&v->canvas, columns, rows, v->options->utf8) != KN_OK)
        return KN_ERROR_MEMORY;
    for (size_t k = v->until; k-- > v->from;)
        draw_trace(v, k);
    put_legend(v);
    put_rows(v);
    put_axis_line(v);
    put_axis_labels(v);
    canvas_free(&v->canvas);
    return KN_OK;
}

/* How many views a panel is drawn in. */
static size_t views_of(const struct chart_panel *p, const struct plot_options *o)
{
    const bool apart = o->utf8 && !o->colour && p->count <= PLOT_COLUMNS;
    return apart ? p->count : p->count > 0;
}

enum kn_status chart_terminal(const struct chart *c, const struct plot_options *o, FILE *to)
{
    const int around = 3; /* legend, axis, labels */
    size_t views = 0;
    enum kn_status s = KN_OK;
    for (size_t i = 0; i < c->count; i++)
        views += views_of(&c->panels[i], o);
    int rows = views > 0 ? (o->height - 1) / (int)views - around : 0;
    rows = rows > LEAST_ROWS ? rows : LEAST_ROWS;
    fprintf(to, "%s\n", c->title);
    for (size_t i = 0; s == KN_OK && i < c->count; i++) {
        const struct chart_panel *p = &c->panels[i];
        const size_t count = views_of(p, o);
        if (p->title)
            fprintf(to, "%s\n", p->title);
        for (size_t k = 0; s == KN_OK && k < count; k++) {
            struct view v = {.chart = c,
                             .options = o,
                             .to = to,
                             .panel = p,
                             .from = count > 1 ? k : 0,
                             .until = count > 1 ? k + 1 : p->count};
            s = draw_view(&v, rows);
        }
    }
    if (fflush(to) != 0 && s == KN_OK)
        s = KN_ERROR_IO;
    return s;
}
