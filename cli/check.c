/* check.c - `knoten check DECK`: the index of the equations, its causes and what they mean; --json, --graph. */
#include "analyses/check/check.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/results/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct settings {
    struct common_settings common;
    const char *graph;
    double at; /* s; NAN: at the start */
};

static const struct option options[] = {
    JSON_OPTION("the report as one JSON object"),
    {OPTION_NUMBER, "--at", NULL, "TIME", offsetof(struct settings, at),
     "numbers where a transient run has got to, instead of at its start",
     RANGE(0, HUGE_VAL, "a time in seconds such as 10u")},
    {OPTION_FILE, "--graph", NULL, "FILE", offsetof(struct settings, graph),
     "draws the circuit with its loops and cutsets: .svg, .png or .pdf by Graphviz, or .dot", WRITES("the picture")},
    DIALECT_OPTION,
    HELP_OPTION,
};

static const struct example examples[] = {
    {"knoten check cv-loop.cir", "a loop of a capacitor and a voltage source: index 2"},
    {"knoten check --json van-der-pol.cir", "for other programs"},
    {"knoten check --graph cv-loop.svg cv-loop.cir", "the circuit as a graph with the loop marked"},
    {NULL, NULL},
};

/* ---- the picture ---- */

/* The functions that draw return an exit status. */
static int write_dot(const struct index_report *r, const char *path)
{
    FILE *file = files_open(path);
    const bool drawn = file && check_write_graph(r, file);
    return file && files_close(file, path) && drawn ? EXIT_DONE : EXIT_FAILED;
}

/* Of the picture, by the ending of its name. */
static const char *const formats[] = {"svg", "png", "pdf", "dot", "gv", NULL};
enum { PICTURES = 3 /* the first formats, which Graphviz draws */ };

static void write_graph(const void *report, FILE *to)
{
    (void)check_write_graph(report, to); /* of nothing Graphviz makes no picture */
}

static int draw(const struct index_report *r, const char *path)
{
    const int format = picture_format(path, formats);
    if (format >= PICTURES)
        return write_dot(r, path);
    char type[16], program[] = "dot";
    snprintf(type, sizeof type, "-T%s", formats[format]);
    char *const arguments[] = {program, type, NULL};
    switch (picture_draw(arguments, write_graph, r, path)) {
    case PICTURE_DRAWN:
        return EXIT_DONE;
    case PICTURE_NO_PROGRAM:
        fprintf(stderr, "knoten: the picture needs Graphviz (program 'dot'), which is not installed; on Debian: apt "
                        "install graphviz; or write the graph itself with --graph FILE.dot\n");
        return EXIT_USAGE;
    case PICTURE_FAILED:
        break;
    }
    fprintf(stderr, "knoten: Graphviz could not draw '%s'\n", path);
    return EXIT_FAILED;
}

/* ---- the command ---- */

static bool understand(void *settings)
{
    const struct settings *s = settings;
    if (!s->graph || picture_format(s->graph, formats) >= 0)
        return true;
    fprintf(stderr, "knoten: cannot tell the format of '%s'; names end in .svg, .png, .pdf or .dot\n", s->graph);
    return false;
}

static int check(void *settings, struct job *j)
{
    const struct settings *s = settings;
    const struct check_options o = {.has_time = !isnan(s->at), .time = s->at};
    struct index_report *r = NULL;
    const enum kn_status status = check_circuit(j->circuit, &o, j->messages.diagnostics, &r);
    messages_show(&j->messages);
    if (status == KN_ERROR_MEMORY)
        command_out_of_memory();
    else if (status != KN_OK && kn_diagnostics_errors(j->messages.diagnostics) == 0)
        fprintf(stderr, "knoten: the check failed\n");
    if (status != KN_OK)
        return exit_status(status);
    if (s->common.json)
        check_write_json(r, job_report(j));
    else
        check_write_text(r, stdout);
    int result = r->singular ? EXIT_FAILED : EXIT_DONE;
    const int drawn = s->graph ? draw(r, s->graph) : EXIT_DONE;
    result = result == EXIT_DONE ? drawn : result;
    check_free(r);
    return result;
}

static const struct settings defaults = {.at = NAN};

const struct command check_command = {
    .name = "check",
    .usage = "[--json] [--at TIME] [--graph FILE] DECK",
    .summary = "says which index the equations have, why, and what it means",
    .about = "Builds the equations of the circuit without simulating it and says which index they have, which loops\n"
             "of capacitors and voltage sources and which cutsets of inductors and current sources cause it, how many\n"
             "initial values may be chosen, and what all this means for a simulation.",
    .exits = "0 solvable, 1 singular, 2 bad deck or usage",
    OPTIONS_OF(struct settings, &defaults),
    .undone = "checked",
    .understand = understand,
    .work = check,
};
