/* run.c - `knoten DECK`: reads a netlist, does what it asks for, writes the results. */
#include "base/clock.h"
#include "base/names.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/pictures/picture_file.h"
#include "cli/pictures/run_picture.h"
#include "cli/ranks.h"
#include "cli/results/bias.h"
#include "cli/results/history.h"
#include "cli/results/measures.h"
#include "cli/results/outputs.h"
#include "cli/script.h"
#include "cli/summary.h"
#include "control/control.h"
#include "integrators/integrator.h"

#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct settings {
    struct common_settings common;
    const char *output;      /* NULL: from the deck's name */
    char made[NAME_MAX + 8]; /* from the deck's name */
    int format;              /* of formats */
    const char *method;      /* NULL: the deck's */
    double reltol;           /* 0: the deck's */
    int maxord;              /* 0: the deck's */
    double step;             /* s, fixed; 0: the deck's */
    const char *plot;        /* vectors, "": those of .print; NULL: none is wanted */
    struct run_picture picture;
    int jobs;                  /* 0: one for each processor */
    double seed;               /* negative: the deck's */
    unsigned long long number; /* the same */
    bool resume, no_journal, mpi;
    char journal[PATH_MAX]; /* "": none */
    const char *measures;   /* JSON file for results of .measure; NULL: none */
    const char *points;     /* JSON file for operating points; NULL: none */
    const char *history;    /* CSV file of steps; NULL: none */
};

/* ---- command line ---- */

static const char *const formats[] = {"auto", "raw", "ascii", "csv", "touchstone", NULL};
enum { AUTO = 0, FIRST_FORMAT = 1 }; /* of enum result_format, in their order */

static const struct option options[] = {
    {OPTION_FILE, "-o", "--output", "FILE", offsetof(struct settings, output),
     "result file; without it the deck's name with .raw or .csv in the current folder;\n"
     "'-' is standard output",
     WRITES("the results")},
    {OPTION_WORD, "--format", NULL, "FORMAT", offsetof(struct settings, format),
     "raw (binary), ascii (raw file in text), csv or touchstone (of .sp); auto, the default, is raw, but\n"
     "csv where the result file is called .csv, and touchstone where .s1p, .s2p ..",
     ONE_OF(formats)},
    {OPTION_TEXT, "--method", NULL, "NAME", offsetof(struct settings, method),
     "integration method (overrides .options method):", LISTED_BY(method_names)},
    RELTOL_OPTION("relative tolerance (overrides .options reltol)"),
    {OPTION_COUNT, "--maxord", NULL, "K", offsetof(struct settings, maxord),
     "highest order of the method (overrides .options maxord)", RANGE(1, 20, "a whole number from 1")},
    {OPTION_NUMBER, "--step", NULL, "H", offsetof(struct settings, step),
     "fixed step of transients in seconds, such as 1u (overrides .tran step=H)",
     RANGE(DBL_MIN, DBL_MAX, "a positive number of seconds such as 1u")},
    {OPTION_COUNT, "-j", "--jobs", "N", offsetof(struct settings, jobs),
     "threads: runs of .step, .mc and other sweeps at a time, or those that share one run of a large\n"
     "circuit; without it as many as there are processors",
     RANGE(1, 4096, "a whole number from 1")},
    {OPTION_NUMBER, "--seed", NULL, "S", offsetof(struct settings, seed),
     "seed of random values (overrides .options seed and that of .mc)", RANGE(0, 0x1p53, "a whole number from 0")},
    {OPTION_FLAG, "--resume", NULL, NULL, offsetof(struct settings, resume),
     "finishes a sweep that was cut off, from the journal beside its result file", ANYTHING},
    {OPTION_FLAG, "--mpi", NULL, NULL, offsetof(struct settings, mpi),
     "runs of sweeps on all ranks of MPI: mpirun -n 4 knoten --mpi DECK", ANYTHING},
    {OPTION_FLAG, "--no-journal", NULL, NULL, offsetof(struct settings, no_journal),
     "sweeps keep no journal, and cannot be resumed", ANYTHING},
    {OPTION_MAYBE, "--plot", NULL, "[=V,..]", offsetof(struct settings, plot),
     "draws vectors in the terminal: --plot='v(in),v(out)'; without names those of .print. With the name of a\n"
     "picture, --plot=x.svg or --plot='v(out),x.html', it draws that: .svg, .png and .pdf by gnuplot, .html a page",
     ANYTHING},
    {OPTION_FILE, "--measures", NULL, "FILE", offsetof(struct settings, measures),
     "results of .measure as JSON; '-' is standard output", WRITES("the results of .measure")},
    {OPTION_FILE, "--points", NULL, "FILE", offsetof(struct settings, points),
     "operating points with the quantities of all devices as JSON; '-' is standard output",
     WRITES("the operating points")},
    {OPTION_FILE, "--history", NULL, "FILE", offsetof(struct settings, history),
     "every attempt of a step as CSV: time, size, method, order, error, iterations, what limits it",
     WRITES("the history of steps")},
    JSON_OPTION("on standard output one JSON object instead of tables: what the run took, measurements, messages"),
    DIALECT_OPTION,
    QUIET_OPTION("errors and warnings only"),
    {.name = "--version",
     .doc = "the program's version",
     .kind = OPTION_FLAG,
     .place = offsetof(struct settings, common.version)},
    HELP_OPTION,
};

static const struct example examples[] = {
    {"knoten rectifier.cir", "the waveforms go to rectifier.raw"},
    {"knoten --plot='v(in),v(5)' schmitt-trigger.cir", "and two of them into the terminal"},
    {"knoten --format csv -o - rlc.cir | head -n 3", "as text, for other programs"},
    {"knoten --method radau --reltol 1e-6 rlc.cir", "another method, more digits"},
    {"knoten --json rectifier.cir", "steps, rows, measurements and messages as JSON"},
    {NULL, NULL},
};

static const struct settings defaults = {.seed = -1};

static bool is_touchstone(const char *path)
{
    const char *dot = path ? strrchr(path, '.') : NULL;
    if (!dot || (dot[1] | 0x20) != 's')
        return false;
    const size_t digits = strspn(dot + 2, "0123456789");
    return digits > 0 && (dot[2 + digits] | 0x20) == 'p' && dot[3 + digits] == '\0';
}

static enum result_format format_of(const struct settings *s)
{
    const char *dot = s->output ? strrchr(s->output, '.') : NULL;
    if (s->format == AUTO)
        return is_touchstone(s->output) ? FORMAT_TOUCHSTONE : dot && names_equal(dot, ".csv") ? FORMAT_CSV : FORMAT_RAW;
    return (enum result_format)(s->format - FIRST_FORMAT);
}

/* A file, or none yet; no device, beside which a journal has no place. */
static bool is_ordinary(const char *path)
{
    struct stat about;
    return stat(path, &about) != 0 || S_ISREG(about.st_mode);
}

static void name_journal(struct settings *s)
{
    if (strcmp(s->output, "-") != 0 && is_ordinary(s->output) && !s->no_journal &&
        strlen(s->output) + sizeof ".journal" <= sizeof s->journal)
        snprintf(s->journal, sizeof s->journal, "%s.journal", s->output);
}

/* "dir/amp.cir" -> "amp.raw", where no name is given. */
static bool understand(void *settings)
{
    struct settings *s = settings;
    const char *drawn = s->output && picture_file_known(s->output) ? s->output : NULL;
    if (drawn)
        s->output = NULL; /* the results go where they go without -o */
    if (!run_picture_ask(&s->picture, s->plot, drawn))
        return false;
    const char *deck = s->common.deck, *slash = strrchr(deck, '/');
    const char *name = strcmp(deck, "-") == 0 ? "stdin" : slash ? slash + 1 : deck;
    const char *dot = strrchr(name, '.');
    const int stem = (int)(dot && dot > name ? (size_t)(dot - name) : strlen(name));
    static const char *const endings[] = {
        [FORMAT_RAW] = "raw", [FORMAT_ASCII] = "raw", [FORMAT_CSV] = "csv", [FORMAT_TOUCHSTONE] = "snp"};
    snprintf(s->made, sizeof s->made, "%.*s.%s", stem, name, endings[format_of(s)]);
    s->output = s->output ? s->output : s->made;
    name_journal(s);
    s->number = s->seed > 0 ? (unsigned long long)s->seed : 0;
    if (s->common.json && (strcmp(s->output, "-") == 0 || s->measures)) {
        fprintf(stderr, "knoten: %s\n",
                s->measures ? "--json has the measurements in it; leave --measures out"
                            : "--json and the results cannot both go to standard output; -o FILE");
        return false;
    }
    if (s->seed < 0 || s->seed == (double)s->number)
        return true;
    fprintf(stderr, "knoten: --seed needs a whole number from 0\n");
    return false;
}

/* ---- the run ---- */

struct live {
    struct json report; /* of --json, being written; none: to is NULL */
    const char *journal;
    struct messages *messages;
    struct progress *progress;
    struct measures measures;
    struct history_file history;
    struct points points;
    struct bias bias;
    struct run_picture *picture;
    struct outputs outputs;
};

static void take_measurement(void *context, const struct kn_measurement *m)
{
    struct live *live = context;
    interrupt_hold();
    progress_clear(live->progress);
    measures_add(&live->measures, m);
    run_picture_measured(live->picture, m);
    interrupt_let();
}

static void take_step(void *context, const char *const *names, const double *values, size_t count)
{
    struct live *live = context;
    interrupt_hold();
    measures_step(&live->measures, names, values, count);
    interrupt_let();
}

static void take_attempt(void *context, const struct kn_attempt *a)
{
    struct live *live = context;
    interrupt_hold();
    history_add(&live->history, a);
    interrupt_let();
}

static void take_statistics(void *context, const struct kn_statistics *s)
{
    struct live *live = context;
    interrupt_hold();
    measures_summarise(&live->measures, s);
    interrupt_let();
}

static void show_progress(void *context, double fraction)
{
    const struct live *live = context;
    messages_show(live->messages);
    progress_show(live->progress, fraction);
}

static void closing_line(const struct kn_summary *s, const struct outputs *o, double seconds)
{
    fprintf(stderr, "knoten: %d unknown%s", s->unknowns, text_plural(s->unknowns));
    if (s->method)
        fprintf(stderr, ", %s, %ld step%s accepted, %ld rejected", s->method, s->steps_accepted,
                text_plural(s->steps_accepted), s->steps_rejected);
    if (s->choice[0])
        fprintf(stderr, " (%s)", s->choice);
    fprintf(stderr, ", %ld Newton iteration%s, %ld factorisation%s, %.3g s", s->newton_iterations,
            text_plural(s->newton_iterations), s->factorizations, text_plural(s->factorizations), seconds);
    if (strcmp(o->request.path, "-") != 0 && o->begun)
        fprintf(stderr, "; %ld row%s in %s", s->rows, text_plural(s->rows), o->request.path);
    else if (strcmp(o->request.path, "-") != 0)
        fprintf(stderr, "; no results, %s has not been written", o->request.path);
    fputc('\n', stderr);
}

/* What became of a run that did not reach its end, or of commands; the reason is in the diagnostics or is said here. */
static void explain_failure(enum kn_status status, const struct outputs *o, const char *journal, size_t errors,
                            bool of_commands)
{
    const bool kept = o->begun && status != KN_ERROR_IO && strcmp(o->request.path, "-") != 0;
    const char *reason = status == KN_INTERRUPTED    ? "interrupted"
                         : errors > 0 && of_commands ? "commands failed"
                         : errors > 0                ? "the run ended early"
                         : status == KN_ERROR_MEMORY ? "out of memory"
                                                     : "the run failed";
    if (kept)
        fprintf(stderr, "knoten: %s; %ld finished row%s kept in %s\n", reason, o->rows, text_plural(o->rows),
                o->request.path);
    else if (errors == 0)
        fprintf(stderr, "knoten: %s\n", reason);
    if (*journal && access(journal, F_OK) == 0)
        fprintf(stderr, "knoten: the same command with --resume goes on with the runs that are missing\n");
}

/* ---- --json ---- */

static void begin_report(const struct settings *s, struct live *live, struct job *j)
{
    live->report = json_begin(job_report(j));
    json_open(&live->report, NULL, '{');
    json_text(&live->report, "deck", s->common.deck);
    json_text(&live->report, "title", j->circuit->title);
    json_key(&live->report, "measurements");
}

/* Behind the measurements. */
static void end_report(struct live *live, enum kn_status status, const struct kn_summary *summary, double seconds)
{
    struct json *w = &live->report;
    if (!w->to)
        return;
    json_text(w, "outcome", outcome_of(status));
    json_text(w, "file", live->outputs.begun ? live->outputs.request.path : NULL);
    json_number(w, "rows", (double)live->outputs.rows);
    summary_write_json(summary, w);
    json_number(w, "seconds", seconds);
    messages_write_json(live->messages, w);
    json_close(w);
}

/* The run does not look up: its results so far are finished here (interrupt.h). */
static void abandon(void *context)
{
    struct live *live = context;
    progress_clear(live->progress);
    outputs_end_early(&live->outputs);
    fflush(stdout);
    measures_close(&live->measures);
    history_close(&live->history);
    points_close(&live->points);
    end_report(live, KN_INTERRUPTED, &(struct kn_summary){0}, 0);
    explain_failure(KN_INTERRUPTED, &live->outputs, live->journal, 0, false);
}

/* What is told to whom, and what the command line says. */
static struct kn_options options_of(const struct settings *s, struct live *live, const struct kn_sink *even)
{
    return (struct kn_options){.method = s->method,
                               .reltol = s->reltol,
                               .maxord = s->maxord,
                               .step = s->step,
                               .interrupted = interrupt_came,
                               .progress = show_progress,
                               .measured = take_measurement,
                               .stepped = take_step,
                               .attempted = s->history ? take_attempt : NULL,
                               .summarised = take_statistics,
                               .jobs = s->jobs,
                               .crew = s->mpi ? ranks_crew() : NULL,
                               .journal = *s->journal ? s->journal : NULL,
                               .resume = s->resume,
                               .seed = s->seed < 0 ? NULL : &s->number,
                               .context = live,
                               .even = outputs_prints(&live->outputs) ? even : NULL};
}

/* Makes runs for rank 0 and writes nothing. */
static int serve(const struct settings *s, const struct job *j, const struct outputs_request *request)
{
    struct live live = {.messages = NULL};
    const struct kn_sink even = {0};
    int result = EXIT_FAILED;
    if (outputs_open(&live.outputs, request) == KN_OK) {
        const struct kn_options o = options_of(s, &live, &even);
        result = ranks_serve(j->read, &o);
    }
    outputs_close(&live.outputs);
    return result;
}

/* Whether the files of .savebias are apart from what the deck reads and from the results; says what is not. */
static bool bias_is_apart(const struct circuit *c, const char *deck, const char *output)
{
    bool apart = true;
    for (size_t i = 0; i < c->card_count; i++) {
        const struct analysis_card *card = &c->cards[i];
        if (!names_equal(card->name, ".savebias") || card->setting_count == 0 || strchr(card->settings[0].name, '/'))
            continue;
        char *path = bias_path(output, card->settings[0].name);
        const struct output_use uses[] = {{output, "the results"}, {path, "the voltages of .savebias"}};
        apart = path && files_are_apart(c, deck, uses, 2) && apart;
        free(path);
    }
    return apart;
}

/* The .control block says what is done, and what is shown. */
static enum kn_status run_script(const struct settings *s, struct job *j, const struct kn_options *o,
                                 struct kn_sink *sink, FILE *screen, struct kn_summary *summary)
{
    const struct output_use outputs[] = {
        {s->output, "the result file"}, {s->measures, "the file of --measures"}, {s->history, "the file of --history"}};
    struct script script = {.job = j,
                            .deck = s->common.deck,
                            .outputs = outputs,
                            .output_count = sizeof outputs / sizeof *outputs,
                            .screen = screen,
                            .quiet = s->common.quiet};
    struct kn_options told = *o;
    told.journal = NULL;
    return script_run(&script, &told, sink, summary);
}

/* Whether the pictures are apart from what the deck reads, from the results and from each other; says what is not. */
static bool pictures_are_apart(const struct settings *s, const struct circuit *c)
{
    struct output_use uses[RUN_PICTURES + 1] = {{s->output, "the results"}};
    for (size_t i = 0; i < s->picture.path_count; i++)
        uses[i + 1] = (struct output_use){s->picture.paths[i], "the picture"};
    return files_are_apart(c, s->common.deck, uses, s->picture.path_count + 1);
}

/* What there is of a run that failed as well. */
static bool draw_pictures(const struct settings *s, struct live *live, enum kn_status status)
{
    if (!run_picture_wanted(live->picture) || (status != KN_OK && live->outputs.rows < 2))
        return true;
    const int drawn = run_picture_draw(live->picture, s->common.deck, live->messages->diagnostics, s->common.quiet);
    messages_show(live->messages);
    return drawn == EXIT_DONE;
}

/* Where the deck's own commands write a file of the name that the results would have, these are in "amp.all.raw". */
static void give_way(struct settings *s, const struct job *j)
{
    char ending[16];
    const char *dot = strrchr(s->made, '.');
    if (s->output != s->made || !control_writes(j->read, s->made))
        return;
    snprintf(ending, sizeof ending, "%s", dot);
    const size_t stem = (size_t)(dot - s->made), room = sizeof s->made - stem;
    if (snprintf(s->made + stem, room, ".all%s", ending) < (int)room)
        name_journal(s);
}

static int simulate(struct settings *s, struct job *j)
{
    give_way(s, j);
    const double start = clock_seconds(CLOCK_MONOTONIC);
    struct kn_diagnostics *d = j->messages.diagnostics;
    struct run_picture *picture = &s->picture;
    const bool on_screen = s->plot && !run_picture_wanted(picture);
    struct live live = {.messages = &j->messages, .progress = j->progress, .journal = s->journal, .picture = picture};
    const struct outputs_request request = {j->circuit,
                                            d,
                                            s->output,
                                            format_of(s),
                                            on_screen,
                                            &live.points,
                                            on_screen && *s->plot ? s->plot : NULL,
                                            control_wanted(j->read) || s->common.json};
    if (ranks_own() > 0)
        return serve(s, j, &request);
    struct outputs *out = &live.outputs;
    live.bias = (struct bias){.output = s->output, .circuit = j->circuit, .diagnostics = d};
    if (!bias_is_apart(j->circuit, s->common.deck, s->output) ||
        (run_picture_wanted(picture) && !pictures_are_apart(s, j->circuit)))
        return EXIT_USAGE;
    if (run_picture_wanted(picture) && !run_picture_open(picture, j->circuit))
        return command_out_of_memory();
    FILE *screen = strcmp(s->output, "-") == 0 || s->common.json ? stderr : stdout;
    if (s->common.json)
        begin_report(s, &live, j);
    if (!measures_open(&live.measures, screen, s->common.json ? "-" : s->measures) ||
        !history_open(&live.history, s->history) || !points_open(&live.points, s->points)) {
        measures_close(&live.measures);
        end_report(&live, KN_ERROR_IO, &(struct kn_summary){0}, 0);
        return EXIT_FAILED;
    }
    enum kn_status status = outputs_open(out, &request);
    const bool shows_tables = outputs_prints(out); /* which show progress enough */
    struct kn_summary summary = {0};
    if (status == KN_OK) {
        struct kn_sink results = outputs_sink(out), table = outputs_table(out), of_devices = outputs_devices(out);
        const struct kn_sink devices = interrupt_guard(&of_devices);
        struct kn_sink watched = run_picture_sink(picture, &results);
        struct kn_sink sink = interrupt_guard(&watched);
        const struct kn_sink even = interrupt_guard(&table);
        struct kn_options o = options_of(s, &live, &even);
        struct kn_sink voltages = bias_sink(&live.bias);
        const struct kn_sink bias = interrupt_guard(&voltages);
        o.devices = &devices;
        o.bias = &bias;
        if (!control_wanted(j->read))
            library_forget_deck(j->read, &o);
        job_begin(j, !s->common.quiet && !(shows_tables && isatty(STDOUT_FILENO)), abandon, &live);
        status = control_wanted(j->read) ? run_script(s, j, &o, &sink, screen, &summary)
                                         : kn_run(j->read, &o, d, &sink, &summary);
        job_end(j);
    }
    ranks_dismiss();
    messages_show(&j->messages);
    if (status != KN_OK && exit_status(status) != EXIT_USAGE)
        explain_failure(status, out, s->journal, kn_diagnostics_errors(d), control_wanted(j->read));
    else if (status == KN_OK && !s->common.quiet)
        closing_line(&summary, out, clock_seconds(CLOCK_MONOTONIC) - start);
    outputs_close(out);
    const bool listed = measures_close(&live.measures), told = points_close(&live.points) && listed;
    const bool drawn = draw_pictures(s, &live, status);
    const bool written = history_close(&live.history) && told && drawn;
    end_report(&live, status, &summary, clock_seconds(CLOCK_MONOTONIC) - start);
    return status == KN_OK && !written ? EXIT_FAILED : exit_status(status);
}

static int run_deck(void *settings, struct job *j)
{
    struct settings *s = settings;
    const int result = simulate(s, j);
    run_picture_close(&s->picture);
    return result;
}

const struct command run_command = {
    .name = "run",
    .obeys = true,
    .usage = "[options] DECK",
    .summary = "simulates a deck and writes the results",
    .about = "Reads a netlist (DECK; '-' is standard input), does what its cards ask for (.op, .dc, .ac, .tran ..;\n"
             "knoten cards lists them) and writes all results to one file.  What .print and .measure want is shown\n"
             "on the screen as well.  The word run may be left out: knoten DECK.",
    OPTIONS_OF(struct settings, &defaults),
    .undone = "simulated",
    .understand = understand,
    .work = run_deck,
};
