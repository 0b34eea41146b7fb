/* gnuplot.c - see gnuplot.h.
 *
 * A panel has margins of its own in parts of the picture, so that all axes begin below each other; the panels of a group share one
 * line of numbers, below the last.  Numbers of an axis share one SI prefix, which stands at its unit. */
#include "output/pictures/gnuplot.h"

#include "output/pictures/buckets.h"
#include "output/pictures/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS = 2048,
    TEXT_WIDTH = 9,
    SAMPLE_WIDTH = 45,
    LINE_HEIGHT = 18
}; /* of curves; pixels: a letter, a sample, a line */

/* ---- what it is drawn on ---- */

void gnuplot_terminal(FILE *script, const struct picture_canvas *on)
{
    static const char font[] = "font 'DejaVu Sans,11'";
    const char *ground = on->dark ? "#16181d" : "#ffffff";
    fputs("set encoding utf8\n", script);
    switch (on->kind) {
    case PICTURE_SVG:
        fprintf(script, "set terminal svg size %d,%d dynamic background rgb '%s' font 'DejaVu Sans,13'\n", on->width,
                on->height, ground);
        break;
    case PICTURE_PNG:
        fprintf(script,
                "if (strstrt(GPVAL_TERMINALS, 'pngcairo')) { set terminal pngcairo size %d,%d background rgb '%s' %s } "
                "else { set terminal png size %d,%d }\n",
                on->width, on->height, ground, font, on->width, on->height);
        break;
    case PICTURE_PDF:
        fprintf(
            script,
            "if (!strstrt(GPVAL_TERMINALS, 'pdfcairo')) { print 'this gnuplot cannot write PDF (it has no pdfcairo)'; "
            "exit status 3 }\nset terminal pdfcairo size %.2fin,%.2fin background rgb '%s' %s\n",
            on->width / 96.0, on->height / 96.0, ground, font);
        break;
    }
}

/* In single quotes gnuplot obeys nothing but a quote, which is doubled (two at the very beginning end the text: a blank goes before
 * them); control characters would end the line, and a backquote is none of a name's business. */
void gnuplot_text(FILE *script, const char *text)
{
    putc('\'', script);
    if (*text == '\'' || *text == '`')
        putc(' ', script);
    for (; *text; text++) {
        if (*text == '\'' || *text == '`')
            putc('\'', script);
        putc((unsigned char)*text < ' ' ? ' ' : *text == '`' ? '\'' : *text, script);
    }
    putc('\'', script);
}

/* ---- axes ---- */

/* An axis whose numbers are divided by `power`. */
struct drawn_axis {
    const struct chart_axis *axis;
    double range[2], power;
    char unit[40];
};

static struct drawn_axis drawn(const struct chart_axis *axis, const double range[2])
{
    struct drawn_axis d = {axis, {range[0], range[1]}, 1, ""};
    snprintf(d.unit, sizeof d.unit, "%s%s", scale_prefix(range, axis, &d.power), axis->unit);
    return d;
}

static void write_axis_text(FILE *script, const struct drawn_axis *d)
{
    char text[200];
    snprintf(text, sizeof text, *d->unit ? "%s%s(%s)" : "%s", d->axis->label, *d->axis->label ? " " : "", d->unit);
    gnuplot_text(script, text);
    fputs(" noenhanced textcolor rgb ink", script);
}

/* Of the y axis, at the edge of the picture, so that all stand below each other: gnuplot's own place for it is reckoned from
 * the number of characters of the numbers and runs into wide ones. */
static void write_y_text(FILE *script, const struct drawn_axis *d, int width)
{
    fputs("set label ", script);
    write_axis_text(script, d);
    fprintf(script, " at screen %.5f, graph 0.5 center rotate\n", 16.0 / width);
}

/* Ends, numbers and lines of an axis; hidden: without the numbers. */
static void write_axis(FILE *script, const char *which, const struct drawn_axis *d, bool hidden, int ticks)
{
    const double margin =
        *which == 'y' && !d->axis->logarithmic && isnan(d->axis->from) ? 0.04 * (d->range[1] - d->range[0]) : 0;
    const double spread =
        *which == 'y' && d->axis->logarithmic && isnan(d->axis->from) ? pow(d->range[1] / d->range[0], 0.04) : 1;
    const double ends = d->axis->logarithmic ? 1 + 1e-9 : 1; /* a tick at the very end is drawn, too */
    const struct scale s = scale_make(d->range, ticks, d->axis);
    fprintf(script, "unset logscale %s\nset %srange [%.12g:%.12g]\nunset m%stics\n", which, which,
            (d->range[0] - margin) / d->power / spread / ends, (d->range[1] + margin) / d->power * spread * ends,
            which);
    if (!d->axis->logarithmic)
        fprintf(script, "set %stics %.12g textcolor rgb ink\n", which, s.step / d->power);
    if (d->axis->logarithmic) {
        double value;
        char label[48];
        fprintf(script, "set logscale %s\nset %stics (", which, which);
        for (int k = 0; scale_tick(&s, k, &value); k++) {
            scale_number(&s, value, 1, label, sizeof label);
            fprintf(script, "%s", k ? ", " : "");
            gnuplot_text(script, hidden ? "" : label);
            fprintf(script, " %.12g", value);
            for (int minor = 2; s.step == 1 && minor < 10; minor++)
                fprintf(script, ", '' %.12g 1", minor * value);
        }
        fputs(") textcolor rgb ink\n", script);
    } else {
        fprintf(script, "set format %s '%%.%dg'\n", which, s.digits + 2);
    }
    if (hidden)
        fprintf(script, "set format %s ''\n", which);
}

/* ---- curves ---- */

static void write_point(FILE *script, const struct drawn_axis *x, const struct drawn_axis *y, double here, double value,
                        bool *gap)
{
    const bool shown = isfinite(here) && isfinite(value) && (!x->axis->logarithmic || here > 0) &&
                       (!y->axis->logarithmic || value > 0);
    if (shown)
        fprintf(script, "%.10g %.10g\n", here / x->power, value / y->power);
    else if (!*gap)
        fputc('\n', script);
    *gap = !shown;
}

static double along(const struct drawn_axis *x, double value)
{
    return x->axis->logarithmic ? log10(value) : value;
}

/* Of a long curve what a picture can show. */
static enum kn_status write_thinned(FILE *script, const struct chart_trace *t, const struct drawn_axis *x,
                                    const struct drawn_axis *y)
{
    struct buckets b;
    const double *const from = t->x;
    double *xs = malloc(4 * COLUMNS * sizeof *xs), *ys = malloc(4 * COLUMNS * sizeof *ys);
    bool gap = true;
    enum kn_status status = buckets_init_between(&b, COLUMNS, along(x, x->range[0]), along(x, x->range[1]));
    if (status == KN_OK && (!xs || !ys))
        status = KN_ERROR_MEMORY;
    for (size_t i = 0; status == KN_OK && i < t->count; i++)
        if (from[i] >= x->range[0] && from[i] <= x->range[1])
            buckets_add(&b, along(x, from[i]), &t->y[i]);
    const size_t count = status == KN_OK ? buckets_points(&b, 0, xs, ys) : 0;
    for (size_t i = 0; i < count; i++)
        write_point(script, x, y, x->axis->logarithmic ? pow(10, xs[i]) : xs[i], ys[i], &gap);
    buckets_free(&b);
    free(xs);
    free(ys);
    return status;
}

static bool has_gaps(const struct chart_trace *t)
{
    for (size_t i = 0; i < t->count; i++)
        if (!isfinite(t->y[i]))
            return true;
    return false;
}

/* Neighbours that fall on one dot of a fine screen are one. */
static void write_all(FILE *script, const struct chart_trace *t, const struct drawn_axis *x, const struct drawn_axis *y)
{
    const double fine = 1 / 8192.0, width = x->range[1] - x->range[0], height = y->range[1] - y->range[0];
    bool gap = true;
    double last_x = NAN, last_y = NAN;
    const bool dense = t->count > 4 * COLUMNS && !x->axis->logarithmic && !y->axis->logarithmic;
    for (size_t i = 0; i < t->count; i++) {
        const bool same = dense && fabs(t->x[i] - last_x) < fine * width && fabs(t->y[i] - last_y) < fine * height;
        if (same && i + 1 < t->count)
            continue;
        write_point(script, x, y, t->x[i], t->y[i], &gap);
        last_x = t->x[i];
        last_y = t->y[i];
    }
}

static enum kn_status write_data(FILE *script, const struct chart_panel *p, size_t panel, const struct drawn_axis *x,
                                 const struct drawn_axis *y)
{
    enum kn_status status = KN_OK;
    for (size_t i = 0; status == KN_OK && i < p->count; i++) {
        fprintf(script, "$p%zu_%zu << END\n", panel, i);
        if (p->traces[i].count > 4 * COLUMNS && !p->disordered && !has_gaps(&p->traces[i]))
            status = write_thinned(script, &p->traces[i], x, y);
        else
            write_all(script, &p->traces[i], x, y);
        fputs("END\n", script);
    }
    return status;
}

/* Of data blocks without a point gnuplot complains. */
static bool has_points(const struct chart_panel *p, const struct chart_trace *t)
{
    for (size_t i = 0; i < t->count; i++)
        if (isfinite(t->x[i]) && isfinite(t->y[i]) && (!p->x.logarithmic || t->x[i] > 0) &&
            (!p->y.logarithmic || t->y[i] > 0))
            return true;
    return false;
}

static void write_curves(FILE *script, struct chart *c, const struct chart_panel *p, size_t panel, bool dark)
{
    for (size_t i = 0; i < p->count; i++) {
        const struct chart_trace *t = &p->traces[i];
        fputs(i ? ", \\\n  " : "plot ", script);
        if (has_points(p, t))
            fprintf(script, "$p%zu_%zu using 1:2", panel, i);
        else
            fputs("NaN", script);
        fprintf(script, " with lines linewidth %s linecolor rgb '%s' dashtype %d ",
                t->unlisted || p->count > 12 ? "1" : "1.7", chart_colour(t->colour, dark),
                t->colour / CHART_COLOURS % 3 + 1);
        if (t->unlisted) {
            fputs("notitle", script);
        } else {
            fputs("title ", script);
            gnuplot_text(script, chart_label(c, t));
        }
    }
    fputc('\n', script);
}

/* ---- marks ---- */

/* Texts beside points of a panel, so that none covers another. */
enum { MOST_TEXTS = 64, TEXT_HEIGHT = 17 }; /* pixels */
struct texts {
    int pixels; /* height of the panel */
    size_t count;
    double x[MOST_TEXTS], y[MOST_TEXTS]; /* parts of the width, pixels */
};

static bool is_covered(const struct texts *t, double x, double y)
{
    const double wide = 0.25;
    for (size_t i = 0; i < t->count; i++)
        if (fabs(t->x[i] - x) < wide && fabs(t->y[i] - y) < 0.8 * TEXT_HEIGHT)
            return true;
    return false;
}

/* In lines above the point: above it, or below where others are or the panel ends. */
static double text_offset(struct texts *t, const struct chart_mark *m, const struct drawn_axis *x,
                          const struct drawn_axis *y)
{
    const double across = (m->x - x->range[0]) / (x->range[1] - x->range[0]);
    const double height = (m->y - y->range[0]) / (y->range[1] - y->range[0]);
    double lines = height > 0.9 ? -0.9 : 0.7;
    for (int tries = 0; tries < 12 && is_covered(t, across, height * t->pixels + lines * TEXT_HEIGHT); tries++)
        lines -= lines > 0 ? 1.6 : 1;
    if (t->count < MOST_TEXTS) {
        t->x[t->count] = across;
        t->y[t->count++] = height * t->pixels + lines * TEXT_HEIGHT;
    }
    return lines;
}

static void write_marks(FILE *script, const struct chart *c, size_t panel, const struct drawn_axis *x,
                        const struct drawn_axis *y, int pixels)
{
    int number = 0;
    struct texts texts = {.pixels = pixels};
    fputs("unset arrow\nunset label\n", script);
    for (size_t i = 0; i < c->mark_count; i++) {
        const struct chart_mark *m = &c->marks[i];
        if (m->panel != panel)
            continue;
        const double here = m->x / x->power, height = 0.94 - 0.09 * (number++ % 9);
        const bool right = (m->x - x->range[0]) > 0.6 * (x->range[1] - x->range[0]);
        fputs("set label ", script);
        gnuplot_text(script, m->label);
        if (isfinite(m->y))
            fprintf(script, " at %.10g,%.10g %s point pointtype 7 pointsize 0.8 linecolor rgb ink offset %s,%.1f", here,
                    m->y / y->power, right ? "right" : "left", right ? "-0.8" : "0.8", text_offset(&texts, m, x, y));
        else
            fprintf(script, " at %.10g, graph %g %s offset %s,0", isfinite(m->to) ? m->to / x->power : here, height,
                    right ? "right" : "left", right && !isfinite(m->to) ? "-0.8" : "0.8");
        fputs(" noenhanced front font ',9' textcolor rgb ink\n", script);
        if (isfinite(m->to)) {
            fprintf(script,
                    "set arrow from %.10g, graph %g to %.10g, graph %g heads size screen 0.008,20 filled front "
                    "linecolor rgb ink\n",
                    here, height, m->to / x->power, height);
            fprintf(script, "set arrow from %.10g, graph 0 to %.10g, graph 1 nohead dashtype 3 linecolor rgb faint\n",
                    m->to / x->power, m->to / x->power);
        }
        fprintf(script, "set arrow from %.10g, graph 0 to %.10g, graph 1 nohead dashtype 3 linecolor rgb faint\n", here,
                here);
    }
}

/* ---- the picture ---- */

/* Places in pixels from the top. */
struct layout {
    int left, right, top, bottom; /* of the panel */
    int legend;                   /* lines above it */
};

static int legend_lines(struct chart *c, const struct chart_panel *p, int width)
{
    int widest = 0, count = 0;
    for (size_t i = 0; i < p->count; i++)
        if (!p->traces[i].unlisted) {
            const int here = TEXT_WIDTH * (int)strlen(chart_label(c, &p->traces[i])) + SAMPLE_WIDTH;
            widest = here > widest ? here : widest;
            count++;
        }
    const int columns = widest > 0 && width / widest > 0 ? width / widest : 1;
    return (count + columns - 1) / columns;
}

static bool is_last_of_group(const struct chart *c, size_t panel)
{
    return panel + 1 == c->count || c->panels[panel + 1].group != c->panels[panel].group;
}

/* Pixels above and below the axes of a panel. */
static int above(struct chart *c, size_t panel, int width)
{
    const int lines = legend_lines(c, &c->panels[panel], width), title = c->panels[panel].title ? 1 : 0;
    return LINE_HEIGHT * ((lines < 6 ? lines : 6) + title) + (title && panel > 0 ? 16 : 6);
}

static int below(const struct chart *c, size_t panel)
{
    return is_last_of_group(c, panel) ? 66 : 14;
}

static void write_panel(FILE *script, struct chart *c, size_t panel, const struct picture_canvas *on,
                        const struct layout *l)
{
    const struct chart_panel *p = &c->panels[panel];
    double x_range[2], y_range[2];
    if (!chart_ranges(p, x_range, y_range))
        return;
    const struct drawn_axis x = drawn(&p->x, x_range), y = drawn(&p->y, y_range);
    fprintf(script,
            "set lmargin at screen %.5f\nset rmargin at screen %.5f\nset tmargin at screen %.5f\nset bmargin at screen "
            "%.5f\n",
            (double)l->left / on->width, (double)l->right / on->width, 1 - (double)l->top / on->height,
            1 - (double)l->bottom / on->height);
    const bool hidden = !is_last_of_group(c, panel);
    write_axis(script, "x", &x, hidden, (l->right - l->left) / 90);
    fputs(hidden ? "unset xlabel" : "set xlabel ", script);
    if (!hidden)
        write_axis_text(script, &x);
    fputc('\n', script);
    write_axis(script, "y", &y, false, (l->bottom - l->top) / 36);
    write_marks(script, c, panel, &x, &y, l->bottom - l->top);
    write_y_text(script, &y, on->width);
    fprintf(script, "set key at screen %.5f, screen %.5f left top\n", (double)(l->left - 4) / on->width,
            1 - (double)(l->top - LINE_HEIGHT * l->legend - 6) / on->height);
    if (p->title) {
        fputs("set label ", script);
        gnuplot_text(script, p->title);
        fprintf(script, " at screen 0.5, screen %.5f center noenhanced textcolor rgb ink\n",
                1 - (double)(l->top - LINE_HEIGHT * l->legend - 14) / on->height);
    }
    write_curves(script, c, p, panel, on->dark);
}

static enum kn_status write_all_data(FILE *script, const struct chart *c)
{
    enum kn_status status = KN_OK;
    double x[2], y[2];
    for (size_t i = 0; status == KN_OK && i < c->count; i++) {
        if (!chart_ranges(&c->panels[i], x, y))
            continue;
        const struct drawn_axis along_x = drawn(&c->panels[i].x, x), along_y = drawn(&c->panels[i].y, y);
        status = write_data(script, &c->panels[i], i, &along_x, &along_y);
    }
    return status;
}

enum kn_status chart_gnuplot(const struct chart *given, const struct picture_canvas *on, FILE *script)
{
    struct chart copy = *given, *c = &copy;
    const int left = 86, right = on->width - 30, heading = 34;
    int used = heading;
    gnuplot_terminal(script, on);
    fprintf(script, "ink = '%s'; faint = '%s'\n", on->dark ? "#d7dae0" : "#22252a", on->dark ? "#3a3f4a" : "#b9bec7");
    const enum kn_status status = write_all_data(script, c);
    if (status != KN_OK)
        return status;
    for (size_t i = 0; i < c->count; i++)
        used += above(c, i, right - left) + below(c, i);
    const int height = c->count ? (on->height - used) / (int)c->count : 0;
    fputs("set multiplot title ", script);
    gnuplot_text(script, c->title);
    fputs(" noenhanced textcolor rgb ink\nset border 3 linecolor rgb ink\nset tics nomirror out scale 0.6\n"
          "set grid xtics ytics linetype 1 linewidth 0.5 linecolor rgb faint dashtype 3\n"
          "set key horizontal Left reverse noenhanced textcolor rgb ink samplen 2 maxrows 6\n",
          script);
    int at = heading;
    for (size_t i = 0; i < c->count; i++) {
        struct layout l = {left, right, at + above(c, i, right - left), 0,
                           legend_lines(c, &c->panels[i], right - left)};
        l.bottom = l.top + (height > 40 ? height : 40);
        write_panel(script, c, i, on, &l);
        at = l.bottom + below(c, i);
    }
    fputs("unset multiplot\n", script);
    return KN_OK;
}
