/* report.c - `knoten report DECK -o report.html`: a circuit and its run on one page that needs nothing else. */
#include "analyses/check/check.h"
#include "base/clock.h"
#include "base/html.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/report/circuit_part.h"
#include "cli/report/page.h"
#include "cli/report/steps.h"
#include "cli/report/waveforms.h"
#include "cli/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    struct common_settings common;
    const char *output, *vectors;
    const char *method; /* NULL: that of the deck */
    double reltol;
};

static const struct option options[] = {
    {OPTION_FILE, "-o", "--output", "FILE", offsetof(struct settings, output),
     "the page; without it the deck's name with .html, with '-' standard output", WRITES("the page")},
    {OPTION_TEXT, "--vectors", NULL, "LIST", offsetof(struct settings, vectors),
     "waveforms that are shown, such as v(out),i(v1); without it those of .print, or the first few", ANYTHING},
    {OPTION_TEXT, "--method", NULL, "NAME", offsetof(struct settings, method), "integration method", ANYTHING},
    RELTOL_OPTION("relative tolerance"),
    JSON_OPTION("no page, but what it tells beside pictures and equations as JSON, to standard output"),
    QUIET_OPTION("no progress and no notes on the screen"),
    DIALECT_OPTION,
    HELP_OPTION,
};

static const struct example examples[] = {
    {"knoten report rectifier.cir -o rectifier.html", "everything about a rectifier on one page"},
    {"knoten report --vectors 'v(a),i(v1)' cv-loop.cir -o -", "two waveforms, to standard output"},
    {"knoten report --json rectifier.cir", "index, steps, what limited them, measurements as JSON"},
    {NULL, NULL},
};

/* What there is to be told. */
struct account {
    const struct settings *settings;
    struct job *job;
    struct index_report *index; /* NULL: the equations could not be made */
    struct waveforms *waves;
    struct steps *steps;
    struct kn_summary summary;
    enum kn_status outcome;
    char *measured; /* rows of a table */
    size_t measured_size;
    FILE *measurements;
    struct json measured_json; /* of --json: the same */
};

/* ---- the run ---- */

static void take_attempt(void *context, const struct kn_attempt *a)
{
    steps_add(((struct account *)context)->steps, a);
}

static void take_measurement(void *context, const struct kn_measurement *m)
{
    struct account *a = context;
    FILE *to = a->measurements;
    if (a->settings->common.json) {
        json_open(&a->measured_json, NULL, '{');
        json_text(&a->measured_json, "name", m->name);
        json_number(&a->measured_json, "value", m->value);
        json_bool(&a->measured_json, "found", m->found);
        json_close(&a->measured_json);
        return;
    }
    fputs("<tr><td class=\"mono\">", to);
    html_write(to, m->name);
    if (isnan(m->value))
        fputs("</td><td class=\"n\">not found</td><td></td></tr>\n", to);
    else
        fprintf(to, "</td><td class=\"n\">%.6g</td><td>%s</td></tr>\n", m->value,
                m->found ? "" : "default: it was not found");
}

static void show_progress(void *context, double fraction)
{
    progress_show(((struct account *)context)->job->progress, fraction);
}

static void abandon(void *context)
{
    progress_clear(((struct account *)context)->job->progress);
    fprintf(stderr, "knoten: interrupted; no page was written\n");
}

static void make_run(struct account *a)
{
    const struct settings *s = a->settings;
    struct kn_sink waves = waveforms_sink(a->waves);
    struct kn_sink sink = interrupt_guard(&waves);
    const struct kn_options o = {.method = s->method,
                                 .reltol = s->reltol,
                                 .interrupted = interrupt_came,
                                 .progress = show_progress,
                                 .measured = take_measurement,
                                 .attempted = take_attempt,
                                 .context = a};
    job_begin(a->job, !s->common.quiet, abandon, a);
    a->outcome = kn_run(a->job->read, &o, a->job->messages.diagnostics, &sink, &a->summary);
    job_end(a->job);
}

/* ---- the page ---- */

static const struct {
    const char *id, *name;
} contents[] = {{"circuit", "Circuit"},         {"index", "Index"},
                {"waveforms", "Waveforms"},     {"steps", "Steps"},
                {"eigenvalues", "Eigenvalues"}, {"statistics", "Statistics"},
                {"messages", "Messages"},       {"equations", "Equations"}};

static const char *outcome_words(const struct account *a)
{
    return a->index && a->index->singular ? "no unique solution: nothing was simulated"
           : a->outcome == KN_OK          ? "simulated to its end"
           : a->outcome == KN_INTERRUPTED ? "interrupted: what there was until then"
                                          : "the run failed: what there was until then, and why";
}

static void write_head(const struct account *a, FILE *to)
{
    const struct circuit *c = a->job->circuit;
    page_begin(to, c->title && *c->title ? c->title : "Circuit");
    fputs("<header>\n<h1>", to);
    html_write(to, c->title && *c->title ? c->title : "Circuit");
    fputs("</h1>\n<p class=\"small\">", to);
    html_write(to, strcmp(a->settings->common.deck, "-") == 0 ? "standard input" : a->settings->common.deck);
    fprintf(to, " \xC2\xB7 knoten %s \xC2\xB7 %s</p>\n</header>\n<nav>\n", kn_version(), outcome_words(a));
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++)
        fprintf(to, "<a href=\"#%s\">%s</a>\n", contents[i].id, contents[i].name);
    fputs("</nav>\n", to);
}

static void write_tile(FILE *to, const char *value, const char *name)
{
    fputs("<div class=\"tile\"><b>", to);
    html_write(to, value);
    fprintf(to, "</b><span>%s</span></div>\n", name);
}

static void write_count(FILE *to, long count, const char *name)
{
    char text[40];
    snprintf(text, sizeof text, "%ld", count);
    write_tile(to, text, name);
}

static void write_tiles(const struct account *a, FILE *to)
{
    const struct index_report *r = a->index;
    const struct kn_summary *s = &a->summary;
    fputs("<div class=\"tiles\">\n", to);
    if (r) {
        write_count(to, r->element_count, "elements");
        write_count(to, r->unknowns, "unknowns");
        if (r->singular || r->index < 0)
            write_tile(to, r->singular ? "none" : "open", r->singular ? "unique solution" : "index");
        else
            write_count(to, r->index, "index");
        if (r->degrees_of_freedom >= 0)
            write_count(to, r->degrees_of_freedom, "degrees of freedom");
    }
    if (s->steps_accepted > 0)
        write_count(to, s->steps_accepted, "steps accepted");
    if (s->steps_accepted > 0)
        write_count(to, s->steps_rejected, "steps rejected");
    if (s->method)
        write_tile(to, s->method, "method");
    fputs("</div>\n", to);
}

static void write_statistics(const struct account *a, FILE *to)
{
    const struct kn_summary *s = &a->summary;
    char seconds[40];
    page_number(seconds, sizeof seconds, s->seconds, "s");
    page_facts_begin(to);
    page_fact(to, "analyses", "%d", s->analyses);
    page_fact(to, "unknowns", "%d", s->unknowns);
    page_fact(to, "rows of results", "%ld", s->rows);
    page_fact(to, "steps", "%ld accepted, %ld rejected", s->steps_accepted, s->steps_rejected);
    page_fact(to, "Newton iterations", "%ld, with those of starts and of rows between the steps", s->newton_iterations);
    page_fact(to, "factorisations", "%ld", s->factorizations);
    if (s->method)
        page_fact(to, "method", "%s%s%s", s->method, *s->choice ? ": " : "", s->choice);
    page_fact(to, "time of the run", "%s", seconds);
    page_facts_end(to);
    if (a->measured_size > 0)
        fprintf(to,
                "<h3>Measurements</h3>\n<div class=\"wide\"><table class=\"list\">\n<tr><th>name</th><th "
                "class=\"n\">value</th><th></th></tr>\n%s</table></div>\n",
                a->measured);
}

static void write_message(const struct kn_diagnostic *m, FILE *to)
{
    static const char *const severities[] = {[KN_NOTE] = "note", [KN_WARNING] = "warning", [KN_ERROR] = "error"};
    fprintf(to, "<div class=\"message %s\"><span class=\"kind\">%s</span>", severities[m->severity],
            severities[m->severity]);
    if (m->where.file && m->where.line > 0) {
        fputs(" <span class=\"soft small\">", to);
        html_write(to, m->where.file);
        fprintf(to, ", line %d</span>", m->where.line);
    }
    const char *rest = strchr(m->text, '\n');
    fputs("<br>", to);
    for (const char *at = m->text; *at && at != rest; at++) {
        const char one[2] = {*at, 0};
        html_write(to, one);
    }
    if (rest) {
        fputs("<pre>", to);
        html_write(to, rest + 1);
        fputs("</pre>", to);
    }
    if (m->source_line) {
        fputs("<pre>", to);
        html_write(to, m->source_line);
        fputs("</pre>", to);
    }
    if (m->hint) {
        fputs("<div class=\"soft small\">Hint: ", to);
        html_write(to, m->hint);
        fputs("</div>", to);
    }
    fputs("</div>\n", to);
}

static void write_messages(const struct kn_diagnostics *d, FILE *to)
{
    const size_t count = kn_diagnostics_count(d);
    if (count == 0)
        fputs("<p>There are none.</p>\n", to);
    for (int severity = KN_ERROR; severity >= KN_NOTE; severity--)
        for (size_t i = 0; i < count; i++)
            if ((int)kn_diagnostics_get(d, i)->severity == severity)
                write_message(kn_diagnostics_get(d, i), to);
}

static void write_waveforms(const struct account *a, FILE *to)
{
    if (!waveforms_write(a->waves, to))
        fputs("<p>There are no results.</p>\n", to);
}

static void write_steps(const struct account *a, FILE *to)
{
    if (!steps_write(a->steps, to))
        fputs("<p>No transient was run.</p>\n", to);
}

/* Of the contents, in their order. */
static enum kn_status write_content(const struct account *a, size_t number, FILE *to)
{
    static void (*const of_index[])(const struct index_report *, FILE *) = {
        [0] = circuit_write_graph, [1] = circuit_write_index, [4] = circuit_write_eigenvalues};
    switch (number) {
    case 2:
        write_waveforms(a, to);
        break;
    case 3:
        write_steps(a, to);
        break;
    case 5:
        write_statistics(a, to);
        break;
    case 6:
        write_messages(a->job->messages.diagnostics, to);
        break;
    default:
        if (!a->index)
            fputs("<p>The equations could not be made; see the messages.</p>\n", to);
        else if (number == 7)
            return circuit_write_equations(a->index, to);
        else
            of_index[number](a->index, to);
    }
    return KN_OK;
}

static enum kn_status write_page(const struct account *a, FILE *to)
{
    enum kn_status status = KN_OK;
    write_head(a, to);
    write_tiles(a, to);
    for (size_t i = 0; status == KN_OK && i < sizeof contents / sizeof *contents; i++) {
        page_section(to, contents[i].id, contents[i].name);
        status = write_content(a, i, to);
        page_section_end(to);
    }
    page_end(to);
    return status;
}

/* ---- as data ---- */

static void write_json(const struct account *a, enum kn_status outcome)
{
    struct json w = json_begin(job_report(a->job));
    json_open(&w, NULL, '{');
    json_text(&w, "deck", a->settings->common.deck);
    json_text(&w, "title", a->job->circuit->title);
    json_text(&w, "outcome", outcome_of(outcome));
    json_key(&w, "index");
    if (a->index)
        check_write_json(a->index, w.to);
    else
        fputs("null", w.to);
    json_key(&w, "measurements");
    fputs(a->measured_size > 0 ? a->measured : "[]", w.to);
    summary_write_json(&a->summary, &w);
    json_open(&w, "transients", '[');
    steps_write_json(a->steps, &w);
    json_close(&w);
    messages_write_json(&a->job->messages, &w);
    json_close(&w);
}

/* ---- the command ---- */

/* deck.cir -> deck.html, in the folder where the program is run. */
static const char *name_of(const struct settings *s, char *buffer, size_t size)
{
    const char *deck = strcmp(s->common.deck, "-") == 0 ? "report" : s->common.deck, *slash = strrchr(deck, '/');
    if (s->output)
        return s->output;
    snprintf(buffer, size, "%s", slash ? slash + 1 : deck);
    char *dot = strrchr(buffer, '.');
    if (dot && dot > buffer)
        *dot = 0;
    snprintf(buffer + strlen(buffer), size - strlen(buffer), ".html");
    return buffer;
}

static enum kn_status write_file(const struct account *a, const char *path)
{
    FILE *to = files_open(path);
    const enum kn_status status = to ? write_page(a, to) : KN_ERROR_IO;
    return to && files_close(to, path) ? status : KN_ERROR_IO;
}

static enum kn_status gather(struct account *a)
{
    const struct check_options o = {0};
    struct kn_diagnostics *d = a->job->messages.diagnostics;
    a->waves = waveforms_new(a->job->circuit, a->settings->vectors);
    a->steps = steps_new(a->job->circuit);
    a->measurements = open_memstream(&a->measured, &a->measured_size);
    if (!a->waves || !a->steps || !a->measurements)
        return KN_ERROR_MEMORY;
    const enum kn_status status = check_circuit(a->job->circuit, &o, d, &a->index);
    if (status == KN_ERROR_MEMORY || status == KN_INTERRUPTED)
        return status;
    a->outcome = status == KN_OK && a->index->singular ? KN_ERROR_CIRCUIT : status;
    if (a->settings->common.json) {
        a->measured_json = json_begin(a->measurements);
        json_open(&a->measured_json, NULL, '[');
    }
    if (a->outcome == KN_OK)
        make_run(a);
    if (a->settings->common.json)
        json_close(&a->measured_json);
    return fflush(a->measurements) == 0 ? KN_OK : KN_ERROR_MEMORY;
}

static bool is_proper(void *settings)
{
    const struct settings *s = settings;
    if (s->common.json && s->output)
        fprintf(stderr, "knoten: with --json there is no page; leave -o out\n");
    return !s->common.json || !s->output;
}

static int report(void *settings, struct job *j)
{
    struct account a = {.settings = settings, .job = j};
    char name[4096];
    const char *path = name_of(a.settings, name, sizeof name);
    enum kn_status status = gather(&a);
    messages_show(&j->messages);
    const bool as_data = a.settings->common.json;
    if (status == KN_OK && as_data)
        write_json(&a, a.outcome);
    else if (status == KN_OK)
        status = write_file(&a, path);
    if (status == KN_ERROR_MEMORY)
        command_out_of_memory();
    else if (status == KN_OK && !as_data && strcmp(path, "-") != 0 && !a.settings->common.quiet)
        fprintf(stderr, "knoten: the report is in %s\n", path);
    const enum kn_status result = status == KN_OK ? a.outcome : status;
    check_free(a.index);
    waveforms_free(a.waves);
    steps_free(a.steps);
    if (a.measurements)
        fclose(a.measurements);
    free(a.measured);
    return exit_status(result);
}

const struct command report_command = {
    .name = "report",
    .usage = "[-o FILE.html | --json] [--vectors LIST] DECK",
    .summary = "runs a deck and tells all about it on one page of HTML",
    .about =
        "Writes one page that needs nothing else, without scripts, for a screen of any size and for paper: the "
        "circuit\n"
        "as a graph (Graphviz), its index and what causes it, its equations, its eigenvalues, waveforms, the steps\n"
        "of the run with what limited each, statistics and messages.",
    .exits = "0 done, 1 the circuit or the simulation failed, which the page tells, 2 bad deck or usage",
    OPTIONS_OF(struct settings, NULL),
    .undone = "reported",
    .understand = is_proper,
    .work = report,
};
