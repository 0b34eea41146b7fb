/* compare_plot.c - see compare_plot.h. */
#include "cli/comparison/compare_plot.h"

#include "cli/command.h"
#include "cli/results/picture.h"
#include "output/pictures/gnuplot.h"

#include <math.h>
#include <stdio.h>

enum { MOST_METHODS = 32 };

static const char *const endings[] = {"svg", "png", NULL};

bool compare_plot_knows(const char *path)
{
    if (picture_format(path, endings) >= 0)
        return true;
    fprintf(stderr, "knoten: the plot '%s' must end in .svg or .png\n", path);
    return false;
}

struct plot {
    const struct comparison *comparison;
    const char *title, *path;
};

static bool is_drawn(const struct compare_point *p)
{
    return p->status == KN_OK && p->error > 0 && isfinite(p->error) && p->seconds > 0;
}

/* The data of one method as a block of the script; false if it has no point. */
static bool write_data(const struct comparison *c, size_t from, size_t number, FILE *script)
{
    bool any = false;
    for (size_t i = from; i < c->count && c->points[i].method == c->points[from].method; i++)
        if (is_drawn(&c->points[i])) {
            if (!any)
                fprintf(script, "$m%zu << END\n", number);
            any = true;
            fprintf(script, "%.6g %.6g\n", c->points[i].error, c->points[i].seconds);
        }
    if (any)
        fputs("END\n", script);
    return any;
}

/* Methods without a point are named below the axis. */
static void write_missing(const struct comparison *c, FILE *script)
{
    bool any = false;
    for (size_t i = 0, end = 0; i < c->count; i = end) {
        bool drawn = false;
        for (end = i; end < c->count && c->points[end].method == c->points[i].method; end++)
            drawn |= is_drawn(&c->points[end]);
        if (drawn)
            continue;
        fprintf(script, "%s%s", any ? ", " : "set label \"no result: ", c->points[i].method->name);
        any = true;
    }
    if (any)
        fputs("\" at screen 0.99,0.02 right font ',9'\n", script);
}

/* Where errors cannot be told from that of the reference. */
static void write_limit(const struct comparison *c, FILE *script)
{
    double least = INFINITY;
    for (size_t i = 0; i < c->count; i++)
        if (is_drawn(&c->points[i]))
            least = fmin(least, c->points[i].error);
    if (c->disagreement > least)
        fprintf(script,
                "set arrow from %.3g, graph 0 to %.3g, graph 1 nohead dashtype 3\n"
                "set label 'limit of the references' at %.3g, graph 0.98 right offset -0.5,0 rotate by 90 font ',9'\n",
                c->disagreement, c->disagreement, c->disagreement);
}

/* Colours that stay apart in print and for the colour-blind (M. Okabe, K. Ito, 2008, without the yellow, and two more);
 * the second ten methods are dashed. */
void compare_plot_styles(size_t count, FILE *script)
{
    static const char *const colours[] = {"#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                          "#e69f00", "#56b4e9", "#7f3c8d", "#8c564b", "#7f7f7f"};
    static const int shapes[] = {7, 5, 9, 11, 13, 6, 4, 8, 10, 12};
    enum { COLOURS = sizeof colours / sizeof *colours };
    for (size_t i = 0; i < count; i++)
        fprintf(script, "set linetype %zu linecolor rgb '%s' linewidth 1.5 dashtype %d pointtype %d pointsize 0.9\n",
                i + 1, colours[i % COLOURS], i < COLOURS ? 1 : 2, shapes[i % COLOURS]);
}

void compare_plot_terminal(const char *path, FILE *script)
{
    const enum picture_kind kind = picture_format(path, endings) == 0 ? PICTURE_SVG : PICTURE_PNG;
    gnuplot_terminal(script, &(struct picture_canvas){kind, 900, 650, false});
}

static void write_plot(const void *context, FILE *script)
{
    const struct plot *plot = context;
    const struct comparison *c = plot->comparison;
    const char *names[MOST_METHODS];
    size_t count = 0;
    compare_plot_terminal(plot->path, script);
    for (size_t i = 0; i < c->count && count < MOST_METHODS; i++)
        if (i == 0 || c->points[i].method != c->points[i - 1].method)
            if (write_data(c, i, count, script))
                names[count++] = c->points[i].method->name;
    fputs("set logscale xy\nset format '10^{%L}'\nset grid\nset key outside right\n"
          "set xlabel 'largest error, as part of the range of the waveform'\nset ylabel 'processor time in s'\n"
          "set xrange [] reverse\nset bmargin 4.5\nset title ",
          script);
    gnuplot_text(script, plot->title);
    fputs(" noenhanced\n", script);
    compare_plot_styles(count, script);
    write_missing(c, script);
    write_limit(c, script);
    for (size_t i = 0; i < count; i++)
        fprintf(script, "%s$m%zu with linespoints linetype %zu title '%s'%s", i ? "  " : "plot ", i, i + 1, names[i],
                i + 1 < count ? ", \\\n" : "\n");
}

int compare_plot_draw(void (*write)(const void *context, FILE *to), const void *context, const char *path, bool quiet)
{
    char program[] = "gnuplot", script[] = "-";
    char *const arguments[] = {program, script, NULL};
    switch (picture_draw(arguments, write, context, path)) {
    case PICTURE_DRAWN:
        if (!quiet)
            fprintf(stderr, "knoten: the plot is in %s\n", path);
        return EXIT_DONE;
    case PICTURE_NO_PROGRAM:
        fprintf(stderr, "knoten: note: gnuplot is not installed, so there is no plot; the table is complete\n");
        return EXIT_DONE;
    case PICTURE_FAILED:
        break;
    }
    fprintf(stderr, "knoten: gnuplot could not draw %s\n", path);
    return EXIT_FAILED;
}

int compare_plot(const struct comparison *c, const char *title, const char *path, bool quiet)
{
    const struct plot plot = {c, title, path};
    bool any = false;
    for (size_t i = 0; i < c->count; i++)
        any |= is_drawn(&c->points[i]);
    if (any)
        return compare_plot_draw(write_plot, &plot, path, quiet);
    fprintf(stderr, "knoten: no method has a result to draw\n");
    return EXIT_FAILED;
}
