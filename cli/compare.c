/* compare.c - `knoten compare DECK`: a work-precision table of the integration methods on one circuit, and its plot. */
#include "analyses/compare/compare.h"
#include "cli/command.h"
#include "cli/comparison/compare_plot.h"
#include "cli/comparison/orders_table.h"
#include "cli/interrupt.h"
#include "netlist/expression/expression.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_METHODS = 32, RUNS = 3 };

struct settings {
    struct common_settings common;
    const char *plot, *names, *tolerances;
    const struct integrator_class *methods[MOST_METHODS];
    struct compare_request request;
    bool orders, drawn; /* --orders; --plot */
    int steps;          /* of the coarsest run of --orders */
    int format;
};

static const char *const formats[] = {"table", "csv", NULL};
enum { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON };

static const struct option options[] = {
    {OPTION_TEXT, "--methods", NULL, "LIST", offsetof(struct settings, names),
     "all (the default), or names separated by commas: radau,bdf", NAMED_BY(method_names)},
    {OPTION_TEXT, "--tol", NULL, "RANGE", offsetof(struct settings, tolerances),
     "tolerances in decades, loosest first; 1e-3:1e-9 without it", ANYTHING},
    {OPTION_FILE, "-o", "--output", "FILE", offsetof(struct settings, plot), "the plot, .svg or .png (needs gnuplot)",
     WRITES("the plot")},
    {OPTION_WORD, "--format", NULL, "FORMAT", offsetof(struct settings, format), "table (the default) or csv",
     ONE_OF(formats)},
    JSON_OPTION("all numbers as one JSON object"),
    {OPTION_FLAG, "--orders", NULL, NULL, offsetof(struct settings, orders),
     "observed orders instead, by halving fixed steps, in unknowns of each index", ANYTHING},
    {OPTION_COUNT, "--steps", NULL, "N", offsetof(struct settings, steps),
     "of --orders: equal steps of the coarsest run, doubled seven times; 10 without it",
     RANGE(4, 1000000, "a whole number from 4 to 1000000")},
    {OPTION_FLAG, "--plot", NULL, NULL, offsetof(struct settings, drawn), "of --orders: drawn in the terminal, too",
     ANYTHING},
    {OPTION_COUNT, "--runs", NULL, "N", offsetof(struct settings, request.runs),
     "runs of each, of which the median time is shown; 3 without it", RANGE(1, 99, "a whole number from 1 to 99")},
    {OPTION_NUMBER, "--limit", NULL, "SECONDS", offsetof(struct settings, request.limit),
     "gives up runs that take longer; 20 without it", RANGE(DBL_MIN, 1e6, "a number up to 1e6")},
    DIALECT_OPTION,
    QUIET_OPTION("no notes, no progress bar"),
    HELP_OPTION,
};

static const struct example examples[] = {
    {"knoten compare --methods bdf,radau,trap --tol 1e-3:1e-5 rlc.cir", "three methods at three tolerances"},
    {"knoten compare --tol 1e-3:1e-4 --format csv rlc.cir", "for a spreadsheet"},
    {"knoten compare --methods bdf,radau --tol 1e-3:1e-6 -o work.svg rlc.cir", "the work-precision diagram"},
    {"knoten compare --orders --methods bdf,radau rlc.cir", "observed orders by halving fixed steps"},
    {NULL, NULL},
};

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
        const char *names[MOST_METHODS + 1] = {NULL};
        for (size_t i = 0; integrator_classes[i] && i < MOST_METHODS; i++)
            names[i] = integrator_classes[i]->name;
        const int known = integrator_find(word) ? 0 : arguments_choose("--methods", word, names);
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

static bool understand(void *settings)
{
    struct settings *s = settings;
    s->format = s->common.json ? FORMAT_JSON : s->format;
    if (!read_methods(s->names, s) || !read_tolerances(s->tolerances, &s->request))
        return false;
    for (size_t i = 0; s->orders && s->names && i < s->request.method_count; i++)
        if (strcmp(s->names, "all") != 0 && !orders_knows(s->methods[i])) {
            fprintf(stderr, "knoten: %s has no order of its own; name others\n", s->methods[i]->name);
            return false;
        }
    return !s->plot || compare_plot_knows(s->plot);
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

static void print_methods_to_learn_from(const struct comparison *c)
{
    const struct integrator_class *told = NULL;
    for (size_t i = 0; i < c->count; i++) {
        const struct integrator_class *m = c->points[i].method;
        if (m->good_for && m != told)
            printf("%s, to learn from: good for %s; %s\n", m->name, m->good_for, m->fails);
        told = m;
    }
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

static void write_json_point(struct json *j, const struct comparison *c, const struct compare_point *p)
{
    const struct compare_reference *judge = compare_judge(c, p->method);
    const bool done = p->status == KN_OK;
    json_open(j, NULL, '{');
    json_text(j, "method", p->method->name);
    json_number(j, "reltol", p->reltol);
    json_text(j, "outcome", outcome(p));
    json_text(j, "reason", done || p->too_long ? NULL : p->reason);
    json_number(j, "error", done ? p->error : NAN);
    json_number(j, "final", done ? p->final_error : NAN);
    json_text(j, "worst", done ? c->names[p->worst] : NULL);
    json_number(j, "accepted", (double)p->accepted);
    json_number(j, "rejected", (double)p->rejected);
    json_number(j, "newton", (double)p->newton_iterations);
    json_number(j, "factorizations", (double)p->factorizations);
    json_number(j, "seconds", p->seconds);
    json_text(j, "reference", judge ? judge->method->name : NULL);
    json_close(j);
}

static void write_json(struct job *job, const struct comparison *c)
{
    struct json w = json_begin(job_report(job));
    json_open(&w, NULL, '{');
    json_text(&w, "title", job->circuit->title);
    json_number(&w, "disagreement", c->disagreement);
    json_open(&w, "points", '[');
    for (size_t i = 0; i < c->count; i++)
        write_json_point(&w, c, &c->points[i]);
    json_close(&w);
    json_close(&w);
}

/* ---- what shows meanwhile ---- */

struct live {
    struct progress *progress;
    int format;
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

/* Whoever waits for the slow methods has the rows of the fast ones already: the last of `rows`, if the format has rows. */
static int begin_row(struct live *live, size_t rows)
{
    interrupt_hold();
    progress_clear(live->progress);
    live->shown = rows;
    return live->format;
}

static void end_row(void)
{
    fflush(stdout);
    interrupt_let();
}

static void show_point(void *context, const struct comparison *c)
{
    const int format = begin_row(context, c->count);
    if (format == FORMAT_CSV)
        print_last_csv(c);
    else if (format == FORMAT_TABLE)
        print_last(c);
    end_row();
}

static void show_orders(void *context, const struct orders *o)
{
    const int format = begin_row(context, o->count);
    if (format == FORMAT_CSV)
        orders_print_last_csv(o);
    else if (format == FORMAT_TABLE)
        orders_print_last(o);
    end_row();
}

/* Options of a run that is compared. */
static enum kn_status options_of(struct job *j, struct live *live, struct analysis_options *o)
{
    const enum kn_status status = analysis_options_of(j->circuit, j->messages.diagnostics, o);
    messages_show(&j->messages);
    o->context = live;
    o->interrupted = interrupt_came;
    return status;
}

/* ---- orders ---- */

static enum kn_status measure_orders(struct settings *s, struct job *j, struct live *live, struct orders *out)
{
    struct analysis_options o;
    const enum kn_status understood = options_of(j, live, &o);
    if (understood != KN_OK)
        return understood;
    const struct orders_request request = {.methods = s->methods,
                                           .method_count = s->request.method_count,
                                           .steps = s->steps,
                                           .limit = s->request.limit,
                                           .progress = show_progress,
                                           .done = show_orders};
    job_begin(j, !s->common.quiet, abandon, live);
    const enum kn_status status = orders_run(j->circuit, &o, &request, j->messages.diagnostics, out);
    job_end(j);
    return status;
}

static int compare_orders(struct settings *s, struct job *j)
{
    struct orders orders = {0};
    struct live live = {j->progress, s->format, 0};
    const enum kn_status status = measure_orders(s, j, &live, &orders);
    int result = exit_status(status);
    if (orders.count > 0 && s->format == FORMAT_TABLE)
        orders_print_legend(&orders);
    if (orders.count > 0 && s->format == FORMAT_JSON)
        orders_write_json(&orders, j->circuit->title, job_report(j));
    if (orders.count > 0 && s->drawn)
        orders_draw(&orders, s->format == FORMAT_TABLE ? stdout : stderr);
    fflush(stdout);
    messages_show(&j->messages);
    if (status == KN_ERROR_MEMORY)
        command_out_of_memory();
    else if (status == KN_INTERRUPTED)
        say_interrupted(orders.count);
    else if (status != KN_OK)
        fprintf(stderr, "knoten: nothing was compared\n");
    if (orders.count > 0 && s->plot && orders_plot(&orders, j->circuit->title, s->plot, s->common.quiet) != EXIT_DONE)
        result = EXIT_FAILED;
    orders_free(&orders);
    return result;
}

/* ---- the command ---- */

static enum kn_status measure(struct settings *s, struct job *j, struct comparison *c)
{
    struct analysis_options o;
    struct live live = {j->progress, s->format, 0};
    const enum kn_status understood = options_of(j, &live, &o);
    if (understood != KN_OK)
        return understood;
    s->request.progress = show_progress;
    s->request.done = show_point;
    job_begin(j, !s->common.quiet, abandon, &live);
    const enum kn_status status = compare_run(j->circuit, &o, &s->request, j->messages.diagnostics, c);
    job_end(j);
    return status;
}

static int compare(void *settings, struct job *j)
{
    struct settings *s = settings;
    if (s->orders)
        return compare_orders(s, j);
    struct comparison c = {0};
    const enum kn_status status = measure(s, j, &c);
    int result = exit_status(status);
    if (c.count > 0 && s->format == FORMAT_TABLE) {
        print_references(&c);
        print_methods_to_learn_from(&c);
    }
    if (c.count > 0 && s->format == FORMAT_JSON)
        write_json(j, &c);
    fflush(stdout);
    if (status == KN_ERROR_MEMORY)
        command_out_of_memory();
    else if (status == KN_INTERRUPTED)
        say_interrupted(c.count);
    else if (status == KN_ERROR_CONVERGENCE && kn_diagnostics_errors(j->messages.diagnostics) == 0)
        fprintf(stderr, "knoten: no run that could be the reference ended in time; --limit gives more\n");
    else if (status != KN_OK)
        fprintf(stderr, "knoten: nothing was compared\n");
    if (c.count > 0 && s->plot && compare_plot(&c, j->circuit->title, s->plot, s->common.quiet) != EXIT_DONE)
        result = EXIT_FAILED;
    compare_free(&c);
    return result;
}

static const struct settings defaults = {.steps = 10, .request = {.runs = RUNS, .limit = 20}};

const struct command compare_command = {
    .name = "compare",
    .usage = "[options] DECK",
    .summary = "compares the integration methods on a deck: error against work",
    .about = "Runs the first .tran of the deck with every method at every tolerance and shows the true error, against\n"
             "a reference by another method, with the work and the time it took: the work-precision diagram.  With "
             "--orders the\n"
             "order of each method is observed instead, in unknowns of each index.",
    OPTIONS_OF(struct settings, &defaults),
    .undone = "compared",
    .understand = understand,
    .work = compare,
};
