/* run.c - `knoten DECK`: reads a netlist, does what it asks for, writes the results. */
#include "analyses/library.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/deck.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/measures.h"
#include "cli/messages.h"
#include "cli/outputs.h"
#include "cli/terminal.h"
#include "integrators/integrator.h"
#include "netlist/expression/expression.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct settings {
    const char *deck;
    const char *output; /* NULL: from the deck's name */
    enum result_format format;
    struct kn_options options;
    bool quiet, plot, help;
    const char *plot_vectors;
    const char *measures; /* JSON file for results of .measure; NULL: none */
};

/* ---- command line ---- */

static void help(void)
{
    printf("\noptions:\n"
           "  -o FILE          result file; without it the deck's name with .raw or .csv in the current folder;\n"
           "                   '-' is standard output\n"
           "  --format FORMAT  raw (binary, the default), ascii (raw file in text) or csv\n"
           "  --method NAME    integration method (overrides .options method):\n");
    for (size_t i = 0; integrator_classes[i]; i++)
        printf("                     %-8s %s\n", integrator_classes[i]->name, integrator_classes[i]->title);
    printf("  --reltol X       relative tolerance (overrides .options reltol)\n"
           "  --maxord K       highest order of the method (overrides .options maxord)\n"
           "  --plot[=V,..]    draws vectors in the terminal: --plot='v(in),v(out)'; without names those of .print\n"
           "  --measures FILE  results of .measure as JSON; '-' is standard output\n"
           "  --quiet          errors and warnings only\n"
           "  --version        the program's version\n"
           "  --help           this text\n"
           "\n"
           "DECK is a netlist; '-' reads it from standard input.\n");
}

static bool read_reltol(const char *text, double *value)
{
    if (!text)
        return true;
    if (expression_number(text, strlen(text), value) && *value > 0 && *value < 1)
        return true;
    fprintf(stderr, "knoten: '%s' is no value for --reltol; it is a number between 0 and 1 such as 1e-6\n", text);
    return false;
}

static bool read_maxord(const char *text, int *value)
{
    if (!text)
        return true;
    char *end;
    const long order = strtol(text, &end, 10);
    *value = (int)order;
    if (*text && !*end && order >= 1 && order <= 20)
        return true;
    fprintf(stderr, "knoten: '%s' is no value for --maxord; it is a whole number from 1\n", text);
    return false;
}

static bool read_format(const char *text, enum result_format *format)
{
    static const char *const names[] = {"raw", "ascii", "csv"};
    if (!text)
        return true;
    const int choice = arguments_choose("--format", text, names, 3);
    *format = choice < 0 ? FORMAT_RAW : (enum result_format)choice;
    return choice >= 0;
}

static bool read_settings(int count, char **arguments, struct settings *s)
{
    const char *format = NULL, *reltol = NULL, *maxord = NULL;
    const struct option options[] = {
        {"-o", OPTION_VALUE, NULL, &s->output},
        {"--output", OPTION_VALUE, NULL, &s->output},
        {"--format", OPTION_VALUE, NULL, &format},
        {"--method", OPTION_VALUE, NULL, &s->options.method},
        {"--reltol", OPTION_VALUE, NULL, &reltol},
        {"--maxord", OPTION_VALUE, NULL, &maxord},
        {"--plot", OPTION_MAYBE, &s->plot, &s->plot_vectors},
        {"--measures", OPTION_VALUE, NULL, &s->measures},
        {"--quiet", OPTION_FLAG, &s->quiet, NULL},
        {"-q", OPTION_FLAG, &s->quiet, NULL},
        {"--help", OPTION_FLAG, &s->help, NULL},
        {"-h", OPTION_FLAG, &s->help, NULL},
        {"--version", OPTION_FLAG, &s->help, NULL},
    };
    size_t decks;
    if (!arguments_read(count, arguments, options, sizeof options / sizeof *options, &s->deck, 1, &decks))
        return false;
    if (s->help)
        return true;
    if (decks == 0) {
        fprintf(stderr, "knoten: no deck given\nusage: knoten %s\nknoten --help tells more\n", run_command.usage);
        return false;
    }
    return read_format(format, &s->format) && read_reltol(reltol, &s->options.reltol) &&
           read_maxord(maxord, &s->options.maxord);
}

/* ---- output ---- */

/* "dir/amp.cir" -> "amp.raw"; the caller's to free. */
static char *default_output(const struct settings *s)
{
    const char *slash = strrchr(s->deck, '/');
    const char *name = strcmp(s->deck, "-") == 0 ? "stdin" : slash ? slash + 1 : s->deck;
    const char *dot = strrchr(name, '.');
    const int stem = (int)(dot && dot > name ? (size_t)(dot - name) : strlen(name));
    const size_t size = strlen(name) + 8;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%.*s.%s", stem, name, s->format == FORMAT_CSV ? "csv" : "raw");
    return path;
}

/* ---- the run ---- */

struct live {
    struct messages *messages;
    struct progress *progress;
    struct measures measures;
    struct outputs outputs;
};

static void take_measurement(void *context, const struct kn_measurement *m)
{
    struct live *live = context;
    interrupt_hold();
    progress_clear(live->progress);
    measures_add(&live->measures, m);
    interrupt_let();
}

static void show_progress(void *context, double fraction)
{
    const struct live *live = context;
    messages_show(live->messages);
    progress_show(live->progress, fraction);
}

static int exit_status(enum kn_status status)
{
    switch (status) {
    case KN_OK:
        return EXIT_DONE;
    case KN_ERROR_DECK:
    case KN_ERROR_ARGUMENT:
        return EXIT_USAGE;
    case KN_ERROR_CIRCUIT:
    case KN_ERROR_CONVERGENCE:
    case KN_ERROR_MEMORY:
    case KN_ERROR_IO:
    case KN_INTERRUPTED:
        break;
    }
    return EXIT_FAILED;
}

static const char *plural(long count)
{
    return count == 1 ? "" : "s";
}

static void closing_line(const struct kn_summary *s, const struct outputs *o, double seconds)
{
    fprintf(stderr, "knoten: %d unknown%s", s->unknowns, plural(s->unknowns));
    if (s->method)
        fprintf(stderr, ", %s, %ld step%s accepted, %ld rejected", s->method, s->steps_accepted,
                plural(s->steps_accepted), s->steps_rejected);
    if (s->choice[0])
        fprintf(stderr, " (%s)", s->choice);
    fprintf(stderr, ", %ld Newton iteration%s, %ld factorisation%s, %.3g s", s->newton_iterations,
            plural(s->newton_iterations), s->factorizations, plural(s->factorizations), seconds);
    if (strcmp(o->request.path, "-") != 0)
        fprintf(stderr, "; %ld row%s in %s", s->rows, plural(s->rows), o->request.path);
    fputc('\n', stderr);
}

/* What became of a run that did not reach its end; the reason is in the diagnostics or is said here. */
static void explain_failure(enum kn_status status, const struct outputs *o, size_t errors)
{
    const bool kept = o->begun && status != KN_ERROR_IO && strcmp(o->request.path, "-") != 0;
    const char *reason = status == KN_INTERRUPTED    ? "interrupted"
                         : errors > 0                ? "the run ended early"
                         : status == KN_ERROR_MEMORY ? "out of memory"
                                                     : "the run failed";
    if (kept)
        fprintf(stderr, "knoten: %s; %ld finished row%s kept in %s\n", reason, o->rows, plural(o->rows),
                o->request.path);
    else if (errors == 0)
        fprintf(stderr, "knoten: %s\n", reason);
}

/* The run does not look up: its results so far are finished here (interrupt.h). */
static void abandon(void *context)
{
    struct live *live = context;
    progress_clear(live->progress);
    outputs_end_early(&live->outputs);
    fflush(stdout);
    measures_close(&live->measures);
    explain_failure(KN_INTERRUPTED, &live->outputs, 0);
}

static int simulate(const struct settings *s, const struct kn_circuit *c, struct messages *m, const char *output)
{
    const double start = seconds_now();
    const struct outputs_request request = {c->circuit, m->diagnostics, output, s->format, s->plot, s->plot_vectors};
    struct live live = {.messages = m, .progress = m->progress};
    struct outputs *out = &live.outputs;
    FILE *screen = strcmp(output, "-") == 0 ? stderr : stdout;
    if (!measures_open(&live.measures, screen, s->measures))
        return EXIT_FAILED;
    enum kn_status status = outputs_open(out, &request);
    const bool shows_tables = outputs_prints(out); /* which show progress enough */
    struct kn_summary summary = {0};
    if (status == KN_OK) {
        struct kn_options options = s->options;
        options.interrupted = interrupt_came;
        options.progress = show_progress;
        options.measured = take_measurement;
        options.context = &live;
        struct kn_sink results = outputs_sink(out), table = outputs_table(out);
        struct kn_sink sink = interrupt_guard(&results);
        const struct kn_sink even = interrupt_guard(&table);
        options.even = outputs_prints(out) ? &even : NULL;
        interrupt_catch(abandon, &live);
        progress_start(m->progress, !s->quiet && !(shows_tables && isatty(STDOUT_FILENO)));
        status = kn_run(c, &options, m->diagnostics, &sink, &summary);
        interrupt_release();
        progress_clear(m->progress);
    }
    fflush(stdout);
    messages_show(m);
    if (status != KN_OK && exit_status(status) != EXIT_USAGE)
        explain_failure(status, out, kn_diagnostics_errors(m->diagnostics));
    else if (status == KN_OK && !s->quiet)
        closing_line(&summary, out, seconds_now() - start);
    outputs_close(out);
    const bool written = measures_close(&live.measures);
    return status == KN_OK && !written ? EXIT_FAILED : exit_status(status);
}

static int run_deck(const struct settings *s, const struct kn_circuit *c, struct messages *m)
{
    char *made = s->output ? NULL : default_output(s);
    const char *output = s->output ? s->output : made;
    const struct output_use uses[] = {{output, "the results"}, {s->measures, "the results of .measure"}};
    int status = EXIT_USAGE;
    if (!output) {
        fprintf(stderr, "knoten: out of memory\n");
        status = EXIT_FAILED;
    } else if (files_are_apart(c->circuit, s->deck, uses, 2)) {
        status = simulate(s, c, m, output);
    }
    free(made);
    return status;
}

/* A deck that cannot be read is a mistake of usage. */
static int refused(const struct settings *s, enum kn_status status, size_t errors)
{
    if (status == KN_ERROR_DECK)
        fprintf(stderr, "knoten: %zu error%s in %s; nothing was simulated\n", errors, plural((long)errors),
                strcmp(s->deck, "-") == 0 ? "standard input" : s->deck);
    else if (status == KN_ERROR_MEMORY)
        fprintf(stderr, "knoten: out of memory\n");
    return status == KN_ERROR_IO ? EXIT_USAGE : exit_status(status);
}

static int run(int count, char **arguments)
{
    struct settings s = {0};
    if (!read_settings(count, arguments, &s))
        return EXIT_USAGE;
    if (s.help) {
        printf("usage: knoten %s\n", run_command.usage);
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
    const enum kn_status status = deck_read(s.deck, m.diagnostics, &circuit);
    messages_show(&m);
    const int exit_code =
        status == KN_OK ? run_deck(&s, circuit, &m) : refused(&s, status, kn_diagnostics_errors(m.diagnostics));
    kn_circuit_free(circuit);
    kn_diagnostics_free(m.diagnostics);
    return exit_code;
}

const struct command run_command = {"run", "[options] DECK", "simulates a deck (.op, .tran) and writes the results",
                                    run, help};
