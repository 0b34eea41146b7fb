/* orders_plot.c - errors against the number of steps, one panel for each index there is, drawn by gnuplot. */
#include "cli/command.h"
#include "cli/comparison/compare_plot.h"
#include "cli/comparison/orders_table.h"
#include "output/pictures/gnuplot.h"

#include <math.h>

struct plot {
    const struct orders *orders;
    const char *title, *path;
};

static bool is_drawn(double error)
{
    return isfinite(error) && error > 0;
}

/* The data of one method and kind as a block of the script; false if it has no point. */
static bool write_data(const struct orders *o, size_t result, int kind, FILE *script)
{
    bool any = false;
    for (int k = 0; k < ORDERS_LEVELS; k++) {
        const double error = o->results[result].curves[kind].errors[k];
        if (!is_drawn(error))
            continue;
        if (!any)
            fprintf(script, "$d%zu_%d << END\n", result, kind);
        any = true;
        fprintf(script, "%ld %.6g\n", o->steps[k], error);
    }
    if (any)
        fputs("END\n", script);
    return any;
}

static void write_panel(const struct orders *o, int kind, const char *name, FILE *script)
{
    bool any = false;
    bool drawn[64] = {false};
    for (size_t i = 0; i < o->count && i < 64; i++)
        drawn[i] = write_data(o, i, kind, script);
    fprintf(script, "set title '%s'\nunset arrow\n", name);
    if (isfinite(o->limit[kind]) && o->limit[kind] > 0)
        fprintf(script, "set arrow from graph 0, first %.3g to graph 1, first %.3g nohead dashtype 3\n", o->limit[kind],
                o->limit[kind]);
    for (size_t i = 0; i < o->count && i < 64; i++) {
        if (!drawn[i])
            continue;
        fprintf(script, "%s$d%zu_%d with linespoints linetype %zu title '%s'", any ? ", \\\n  " : "plot ", i, kind,
                i + 1, o->results[i].method->label);
        any = true;
    }
    fputs(any ? "\n" : "plot NaN notitle\n", script);
}

static void write_plot(const void *context, FILE *script)
{
    static const char *const names[] = {"differential unknowns", "index 1", "index 2", "index 3"};
    const struct plot *plot = context;
    const struct orders *o = plot->orders;
    int panels = 0;
    for (int kind = 0; kind < ORDERS_KINDS; kind++)
        panels += o->members[kind] > 0;
    compare_plot_terminal(plot->path, script);
    compare_plot_styles(o->count, script);
    fprintf(script, "set multiplot layout %d,%d title ", panels > 1 ? 2 : 1, panels > 2 ? 2 : 1);
    gnuplot_text(script, plot->title);
    fprintf(script, " noenhanced\nset xrange [%g:%g]\n", 0.8 * (double)o->steps[0],
            1.25 * (double)o->steps[ORDERS_LEVELS - 1]);
    fputs("set logscale xy\nset format y '10^{%L}'\nset grid\nset key outside right font ',8'\n"
          "set xlabel 'equal steps in the run'\nset ylabel 'largest error, relative'\n",
          script);
    for (int kind = 0; kind < ORDERS_KINDS; kind++)
        if (o->members[kind] > 0)
            write_panel(o, kind, names[kind], script);
    fputs("unset multiplot\n", script);
}

int orders_plot(const struct orders *o, const char *title, const char *path, bool quiet)
{
    const struct plot plot = {o, title, path};
    return compare_plot_draw(write_plot, &plot, path, quiet);
}
