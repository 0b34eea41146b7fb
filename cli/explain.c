/* explain.c - `knoten explain DECK`: the equations of a circuit as text, LaTeX or HTML. */
#include "analyses/explain/explain.h"
#include "cli/command.h"
#include "cli/files.h"

#include <stdio.h>

struct settings {
    struct common_settings common;
    const char *output; /* NULL: standard output */
    int format;         /* enum explain_format */
};

static const char *const formats[] = {"text", "latex", "html", "json", NULL};

static const struct option options[] = {
    {OPTION_WORD, "--format", NULL, "FORMAT", offsetof(struct settings, format),
     "text (the default), latex (a document), html (a page without scripts) or json", ONE_OF(formats)},
    JSON_OPTION("the same as --format json"),
    {OPTION_FILE, "-o", "--output", "FILE", offsetof(struct settings, output),
     "where to write it; without it, or with '-', standard output", WRITES("the text")},
    DIALECT_OPTION,
    HELP_OPTION,
};

static const struct example examples[] = {
    {"knoten explain cv-loop.cir", "nodal analysis, charges, hidden equations"},
    {"knoten explain --format html -o rlc.html rlc.cir", "a page with formulas"},
    {NULL, NULL},
};

static int explain(void *settings, struct job *j)
{
    const struct settings *s = settings;
    const char *path = s->output ? s->output : "-";
    FILE *to = files_open(path);
    if (!to)
        return EXIT_FAILED;
    const enum explain_format format = s->common.json ? EXPLAIN_JSON : (enum explain_format)s->format;
    const enum kn_status status = explain_circuit(j->circuit, format, to, j->messages.diagnostics);
    j->reported = to != stdout || status != KN_ERROR_MEMORY;
    const bool written = to == stdout ? fflush(stdout) == 0 : files_close(to, path);
    messages_show(&j->messages);
    if (status == KN_ERROR_MEMORY)
        command_out_of_memory();
    return written ? exit_status(status) : EXIT_FAILED;
}

const struct command explain_command = {
    .name = "explain",
    .usage = "[options] DECK",
    .summary = "prints the equations of a circuit: text, LaTeX, HTML or JSON",
    .about = "Writes the equations of modified nodal analysis for the circuit in symbols, reduces them, and splits\n"
             "them into differential, algebraic and hidden ones; with numbers at the operating point.",
    OPTIONS_OF(struct settings, NULL),
    .undone = "explained",
    .work = explain,
};
