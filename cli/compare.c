/* compare.c - `knoten compare DECK`: a work-precision table of the integration methods on one circuit, and its plot. */
#include "analyses/compare/compare.h"
#include "analyses/library.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/gnuplot.h"
#include "cli/interrupt.h"
#include "cli/messages.h"
#include "cli/terminal.h"
#include "netlist/expression/expression.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_METHODS = 32, MOST_RUNS = 99, RUNS = 3 };

struct settings {
    const char *deck, *plot;
    const struct integrator_class *methods[MOST_METHODS];
    struct compare_request request;
    bool csv, quiet, help;
};

static void help(void)
{
    printf("\nknoten compare:\n"
           "  --methods LIST   all (the default), or names separated by commas: radau,bdf\n"
           "  --tol RANGE      tolerances in decades, loosest first; 1e-3:1e-9 without it\n"
           "  -o FILE          the plot, .svg or .png (needs gnuplot)\n"
           "  --format FORMAT  table (the default) or csv\n"
           "  --runs N         runs of each, of which the median time is shown; 3 without it\n"
           "  --limit SECONDS  gives up runs that take longer; 20 without it\n"
           "  --quiet          no notes, no progress bar\n");
}

/* ---- command line ---- */

static bool read_methods(const char *text, struct settings *s)
{
    s->request.methods = s->methods;
    if (!text || strcmp(text, "all") == 0) {
        for (size_t i = 0; integrator_classes[i] && i < MOST_METHODS; i++)
            s->methods[s->request.method_count++] = integrator_classes[i];
        return true;
    }
    for (const char *name = text; *name && s->request.method_count < MOST_METHODS;) {
        const size_t length = strcspn(name, ",");
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)length, name);
        const char *names[MOST_METHODS];
        size_t count = 0;
        for (; integrator_classes[count] && count < MOST_METHODS; count++)
            names[count] = integrator_classes[count]->name;
        const int known = integrator_find(word) ? 0 : arguments_choose("--methods", word, names, count);
        if (known < 0)
            return false;
        s->methods[s->request.method_count++] = integrator_find(word);
        name += length + (name[length] == ',');
    }
    return true;
}

static bool read_tolerances(const char *text, struct compare_request *r)
{
    r->loosest = 1e-3;
    r->tightest = 1e-9;
    if (!text)
        return true;
    const char *colon = strchr(text, ':');
    const size_t first = colon ? (size_t)(colon - text) : strlen(text);
    const char *second = colon ? colon + 1 : text;
    if (expression_number(text, first, &r->loosest) && expression_number(second, strlen(second), &r->tightest) &&
        r->loosest < 1 && r->tightest >= 1e-14 && r->loosest >= r->tightest)
        return true;
    fprintf(stderr, "knoten: '%s' is no range for --tol; it is two numbers, the larger first, such as 1e-3:1e-9\n",
            text);
    return false;
}

static bool read_number(const char *option, const char *text, double most, double *value)
{
    if (!text || (expression_number(text, strlen(text), value) && *value > 0 && *value <= most))
        return true;
    fprintf(stderr, "knoten: '%s' is no value for %s; it is a number up to %g\n", text, option, most);
    return false;
}

static bool read_format(const char *text, bool *csv)
{
    static const char *const names[] = {"table", "csv"};
    const int choice = text ? arguments_choose("--format", text, names, 2) : 0;
    *csv = choice == 1;
    return choice >= 0;
}

static bool read_plot(const char *path)
{
    if (!path || gnuplot_knows(path))
        return true;
    fprintf(stderr, "knoten: the plot '%s' must end in .svg or .png\n", path);
    return false;
}

static bool read_settings(int count, char **arguments, struct settings *s)
{
    const char *methods = NULL, *tolerances = NULL, *format = NULL, *runs = NULL, *limit = NULL;
    const struct option options[] = {
        {"--methods", OPTION_VALUE, NULL, &methods}, {"--tol", OPTION_VALUE, NULL, &tolerances},
        {"-o", OPTION_VALUE, NULL, &s->plot},        {"--output", OPTION_VALUE, NULL, &s->plot},
        {"--format", OPTION_VALUE, NULL, &format},   {"--runs", OPTION_VALUE, NULL, &runs},
        {"--limit", OPTION_VALUE, NULL, &limit},     {"--quiet", OPTION_FLAG, &s->quiet, NULL},
        {"-q", OPTION_FLAG, &s->quiet, NULL},        {"--help", OPTION_FLAG, &s->help, NULL},
        {"-h", OPTION_FLAG, &s->help, NULL},
    };
    size_t decks;
    if (!arguments_read(count, arguments, options, sizeof options / sizeof *options, &s->deck, 1, &decks))
        return false;
    if (s->help)
        return true;
    if (decks == 0) {
        fprintf(stderr, "knoten: no deck given\nusage: knoten compare %s\n", compare_command.usage);
        return false;
    }
    double repetitions = RUNS;
    s->request.limit = 20;
    const bool good = read_methods(methods, s) && read_tolerances(tolerances, &s->request) &&
                      read_format(format, &s->csv) && read_plot(s->plot) &&
                      read_number("--runs", runs, MOST_RUNS, &repetitions) &&
                      read_number("--limit", limit, 1e6, &s->request.limit);
    s->request.runs = (int)fmax(1, floor(repetitions));
    return good;
}

/* ---- table ---- */

static void print_row(const struct comparison *c, const struct compare_point *p)
{
    printf("%-8s %7.0e ", p->method->name, p->reltol);
    if (p->too_long)
        printf("   given up after %.3g s\n", p->seconds);
    else if (p->status != KN_OK)
        printf("   failed: %s\n", p->reason);
    else
        printf("%9.2e %9.2e %9ld %8ld %9ld %9ld %10.3g  %s\n", p->error, p->final_error, p->accepted, p->rejected,
               p->newton_iterations, p->factorizations, 1e3 * p->seconds, c->names[p->worst]);
}

static void print_references(const struct comparison *c)
{
    const struct compare_reference *const r = c->references;
    printf("\nerror: largest deviation at %d common times over %zu waveforms, relative to the range of each;\n"
           "final: the same at tstop; worst: the waveform with the largest error; time: on the processor, median of "
           "the runs\n",
           COMPARE_TIMES, c->columns - 1);
    for (size_t i = 0; i < 2; i++)
        if (r[i].method)
            printf("reference%s: %s at reltol %.0e, %.3g s\n", i ? " for radau's family" : "", r[i].method->name,
                   r[i].reltol, r[i].seconds);
    if (!isnan(c->disagreement))
        printf("the two references differ by %.1e; errors below that cannot be told\n", c->disagreement);
}

static void print_head(void)
{
    printf("%-8s %7s %9s %9s %9s %8s %9s %9s %10s  %s\n", "method", "reltol", "error", "final", "accepted", "rejected",
           "Newton", "factor.", "time/ms", "worst");
}

/* The last point; methods are set apart. */
static void print_last(const struct comparison *c)
{
    const struct compare_point *last = &c->points[c->count - 1];
    if (c->count == 1)
        print_head();
    else if (last->method != last[-1].method)
        putchar('\n');
    print_row(c, last);
}

static const char *outcome(const struct compare_point *p)
{
    return p->status == KN_OK ? "ok" : p->too_long ? "too long" : "failed";
}

static void print_last_csv(const struct comparison *c)
{
    const struct compare_point *p = &c->points[c->count - 1];
    const struct compare_reference *judge = compare_judge(c, p->method);
    if (c->count == 1)
        printf("method,reltol,outcome,error,final,accepted,rejected,newton,factorizations,seconds,reference,"
               "disagreement\n");
    printf("%s,%.0e,%s,%.3e,%.3e,%ld,%ld,%ld,%ld,%.6g,%s,%.1e\n", p->method->name, p->reltol, outcome(p),
           p->status == KN_OK ? p->error : NAN, p->status == KN_OK ? p->final_error : NAN, p->accepted, p->rejected,
           p->newton_iterations, p->factorizations, p->seconds, judge ? judge->method->name : "", c->disagreement);
}

/* ---- plot ---- */

struct picture {
    const struct comparison *comparison;
    const char *title;
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
static void write_styles(size_t count, FILE *script)
{
    static const char *const colours[] = {"#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                          "#e69f00", "#56b4e9", "#7f3c8d", "#8c564b", "#7f7f7f"};
    static const int shapes[] = {7, 5, 9, 11, 13, 6, 4, 8, 10, 12};
    enum { COLOURS = sizeof colours / sizeof *colours };
    for (size_t i = 0; i < count; i++)
        fprintf(script, "set linetype %zu linecolor rgb '%s' linewidth 1.5 dashtype %d pointtype %d pointsize 0.9\n",
                i + 1, colours[i % COLOURS], i < COLOURS ? 1 : 2, shapes[i % COLOURS]);
}

static void write_plot(const void *context, FILE *script)
{
    const struct picture *picture = context;
    const struct comparison *c = picture->comparison;
    const char *names[MOST_METHODS];
    size_t count = 0;
    for (size_t i = 0; i < c->count && count < MOST_METHODS; i++)
        if (i == 0 || c->points[i].method != c->points[i - 1].method)
            if (write_data(c, i, count, script))
                names[count++] = c->points[i].method->name;
    fputs("set logscale xy\nset format '10^{%L}'\nset grid\nset key outside right\n"
          "set xlabel 'largest error, as part of the range of the waveform'\nset ylabel 'processor time in s'\n"
          "set xrange [] reverse\nset bmargin 4.5\nset title \"",
          script);
    for (const char *t = picture->title; *t; t++)
        putc(*t == '"' || *t == '\\' || *t == '`' || *t == '\n' ? ' ' : *t, script);
    fputs("\" noenhanced\n", script);
    write_styles(count, script);
    write_missing(c, script);
    write_limit(c, script);
    for (size_t i = 0; i < count; i++)
        fprintf(script, "%s$m%zu with linespoints linetype %zu title '%s'%s", i ? "  " : "plot ", i, i + 1, names[i],
                i + 1 < count ? ", \\\n" : "\n");
}

static int draw(const struct settings *s, const struct kn_circuit *circuit, const struct comparison *c)
{
    const struct picture picture = {c, circuit->circuit->title};
    bool any = false;
    for (size_t i = 0; i < c->count; i++)
        any |= is_drawn(&c->points[i]);
    if (!any) {
        fprintf(stderr, "knoten: no method has a result to draw\n");
        return EXIT_FAILED;
    }
    switch (gnuplot_draw(s->plot, write_plot, &picture)) {
    case GNUPLOT_DRAWN:
        if (!s->quiet)
            fprintf(stderr, "knoten: the plot is in %s\n", s->plot);
        return EXIT_DONE;
    case GNUPLOT_MISSING:
        fprintf(stderr, "knoten: note: gnuplot is not installed, so there is no plot; the table is complete\n");
        return EXIT_DONE;
    case GNUPLOT_FAILED:
        break;
    }
    fprintf(stderr, "knoten: gnuplot could not draw %s\n", s->plot);
    return EXIT_FAILED;
}

/* ---- the command ---- */

struct live {
    struct progress *progress;
    bool csv;
    size_t shown; /* rows */
};

static void say_interrupted(size_t rows)
{
    fprintf(stderr, "knoten: interrupted; %s\n", rows > 0 ? "the rows so far are complete" : "nothing was compared");
}

/* The run does not look up (interrupt.h). */
static void abandon(void *context)
{
    const struct live *live = context;
    progress_clear(live->progress);
    say_interrupted(live->shown);
}

static void show_progress(void *context, double fraction)
{
    const struct live *live = context;
    progress_show(live->progress, fraction);
}

/* Whoever waits for the slow methods has the rows of the fast ones already. */
static void show_point(void *context, const struct comparison *c)
{
    struct live *live = context;
    interrupt_hold();
    progress_clear(live->progress);
    live->shown = c->count;
    if (live->csv)
        print_last_csv(c);
    else
        print_last(c);
    fflush(stdout);
    interrupt_let();
}

static enum kn_status measure(struct settings *s, const struct kn_circuit *circuit, struct messages *m,
                              struct comparison *c)
{
    struct analysis_options o;
    struct live live = {m->progress, s->csv, 0};
    const enum kn_status understood = analysis_options_of(circuit->circuit, m->diagnostics, &o);
    messages_show(m);
    if (understood != KN_OK)
        return understood;
    o.context = &live;
    o.interrupted = interrupt_came;
    s->request.progress = show_progress;
    s->request.done = show_point;
    interrupt_catch(abandon, &live);
    progress_start(m->progress, !s->quiet);
    const enum kn_status status = compare_run(circuit->circuit, &o, &s->request, m->diagnostics, c);
    interrupt_release();
    progress_clear(m->progress);
    messages_show(m);
    return status;
}

static int compare(struct settings *s, const struct kn_circuit *circuit, struct messages *m)
{
    struct comparison c = {0};
    const enum kn_status status = measure(s, circuit, m, &c);
    int result = status == KN_OK ? EXIT_DONE : status == KN_ERROR_DECK ? EXIT_USAGE : EXIT_FAILED;
    if (c.count > 0 && !s->csv)
        print_references(&c);
    fflush(stdout);
    if (status == KN_ERROR_MEMORY)
        fprintf(stderr, "knoten: out of memory\n");
    else if (status == KN_INTERRUPTED)
        say_interrupted(c.count);
    else if (status == KN_ERROR_CONVERGENCE && kn_diagnostics_errors(m->diagnostics) == 0)
        fprintf(stderr, "knoten: no run that could be the reference ended in time; --limit gives more\n");
    else if (status != KN_OK)
        fprintf(stderr, "knoten: nothing was compared\n");
    if (c.count > 0 && s->plot && draw(s, circuit, &c) != EXIT_DONE)
        result = EXIT_FAILED;
    compare_free(&c);
    return result;
}

static int run(int count, char **arguments)
{
    struct settings s = {0};
    if (!read_settings(count, arguments, &s))
        return EXIT_USAGE;
    if (s.help) {
        printf("usage: knoten compare %s\n", compare_command.usage);
        help();
        return EXIT_DONE;
    }
    struct progress progress = {0};
    struct messages m = {kn_diagnostics_new(), &progress, 0, s.quiet};
    if (!m.diagnostics) {
        fprintf(stderr, "knoten: out of memory\n");
        return EXIT_FAILED;
    }
    struct kn_circuit *circuit = NULL;
    const enum kn_status status = kn_circuit_read_file(s.deck, m.diagnostics, &circuit);
    messages_show(&m);
    const struct output_use use = {s.plot, "the plot"};
    int result = status == KN_ERROR_MEMORY ? EXIT_FAILED : EXIT_USAGE;
    if (status == KN_OK && files_are_apart(circuit->circuit, s.deck, &use, 1))
        result = compare(&s, circuit, &m);
    kn_circuit_free(circuit);
    kn_diagnostics_free(m.diagnostics);
    return result;
}

const struct command compare_command = {"compare", "[options] DECK",
                                        "compares the integration methods on a deck: error against work", run, help};
