/* check.c - `knoten check DECK`: the index of the equations, its causes and what they mean; --json, --graph. */
#include "analyses/check/check.h"
#include "analyses/library.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/deck.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "netlist/expression/expression.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct settings {
    const char *deck, *graph;
    bool json, help;
    struct check_options check;
};

static void help(void)
{
    printf("\ncheck options:\n"
           "  --json           the report as one JSON object\n"
           "  --at TIME        numbers where a transient run has got to, instead of at its start\n"
           "  --graph FILE     draws the circuit with its loops and cutsets: .svg, .png or .pdf by Graphviz, or .dot\n"
           "exit status of check: 0 solvable, 1 singular, 2 bad deck or usage\n");
}

/* ---- the picture ---- */

static const char *extension(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : "";
}

/* The functions that draw return an exit status. */
static int write_dot(const struct index_report *r, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "knoten: cannot write '%s': %s\n", path, strerror(errno));
        return EXIT_FAILED;
    }
    check_write_graph(r, file);
    const bool failed = ferror(file) != 0;
    if (fclose(file) == 0 && !failed)
        return EXIT_DONE;
    fprintf(stderr, "knoten: cannot write '%s': %s\n", path, strerror(errno));
    return EXIT_FAILED;
}

/* Graphviz reads the graph from a file without name: no pipe that could fill up. */
static int run_graphviz(FILE *graph, const char *path, const char *format)
{
    char type[16], output[4096];
    snprintf(type, sizeof type, "-T%s", format);
    if (snprintf(output, sizeof output, "-o%s", path) >= (int)sizeof output)
        return EXIT_FAILED;
    char program[] = "dot";
    char *const arguments[] = {program, type, output, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return EXIT_FAILED;
    int error = posix_spawn_file_actions_adddup2(&actions, fileno(graph), STDIN_FILENO);
    if (error == 0)
        error = posix_spawnp(&child, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    while (error == 0 && waitpid(child, &status, 0) < 0)
        error = errno == EINTR ? 0 : errno;
    if (error == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return EXIT_DONE;
    const bool installed = error != ENOENT && !(error == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127);
    if (!installed)
        fprintf(stderr, "knoten: the picture needs Graphviz (program 'dot'), which is not installed; on Debian: apt "
                        "install graphviz; or write the graph itself with --graph FILE.dot\n");
    else
        fprintf(stderr, "knoten: Graphviz could not draw '%s'\n", path);
    return installed ? EXIT_FAILED : EXIT_USAGE;
}

/* Of the picture, by the ending of its name. */
static const char *const formats[] = {"svg", "png", "pdf", "dot", "gv"};
enum { PICTURES = 3 /* the first formats, which Graphviz draws */, FORMATS = sizeof formats / sizeof *formats };

/* FORMATS where it is none of them. */
static size_t format_of(const char *path)
{
    size_t i = 0;
    while (i < FORMATS && strcmp(extension(path), formats[i]) != 0)
        i++;
    return i;
}

static int draw(const struct index_report *r, const char *path)
{
    const size_t format = format_of(path);
    if (format >= PICTURES)
        return write_dot(r, path);
    FILE *graph = tmpfile();
    if (!graph) {
        perror("knoten: cannot make a temporary file");
        return EXIT_FAILED;
    }
    check_write_graph(r, graph);
    const bool good = fflush(graph) == 0 && fseek(graph, 0, SEEK_SET) == 0;
    const int drawn = good ? run_graphviz(graph, path, formats[format]) : EXIT_FAILED;
    fclose(graph);
    return drawn;
}

/* ---- command line ---- */

static bool read_time(const char *text, struct check_options *o)
{
    if (!text)
        return true;
    o->has_time = true;
    if (expression_number(text, strlen(text), &o->time) && o->time >= 0)
        return true;
    fprintf(stderr, "knoten: '%s' is no value for --at; it is a time in seconds such as 10u\n", text);
    return false;
}

static bool read_settings(int count, char **arguments, struct settings *s)
{
    const char *at = NULL;
    const struct option options[] = {
        {"--json", OPTION_FLAG, &s->json, NULL},    {"--at", OPTION_VALUE, NULL, &at},
        {"--graph", OPTION_VALUE, NULL, &s->graph}, {"--help", OPTION_FLAG, &s->help, NULL},
        {"-h", OPTION_FLAG, &s->help, NULL},
    };
    size_t decks;
    if (!arguments_read(count, arguments, options, sizeof options / sizeof *options, &s->deck, 1, &decks))
        return false;
    if (!s->help && decks == 0) {
        fprintf(stderr, "knoten: no deck given\nusage: knoten check %s\n", check_command.usage);
        return false;
    }
    if (s->graph && format_of(s->graph) == FORMATS) {
        fprintf(stderr, "knoten: cannot tell the format of '%s'; names end in .svg, .png, .pdf or .dot\n", s->graph);
        return false;
    }
    return read_time(at, &s->check);
}

/* ---- the command ---- */

static int exit_status(enum kn_status status)
{
    return status == KN_ERROR_DECK || status == KN_ERROR_ARGUMENT || status == KN_ERROR_IO ? EXIT_USAGE : EXIT_FAILED;
}

static int report(const struct settings *s, const struct circuit *c, struct messages *m)
{
    struct index_report *r = NULL;
    const enum kn_status status = check_circuit(c, &s->check, m->diagnostics, &r);
    messages_show(m);
    if (status != KN_OK) {
        if (status == KN_ERROR_MEMORY)
            fprintf(stderr, "knoten: out of memory\n");
        else if (kn_diagnostics_errors(m->diagnostics) == 0)
            fprintf(stderr, "knoten: the check failed\n");
        return exit_status(status);
    }
    if (s->json)
        check_write_json(r, stdout);
    else
        check_write_text(r, stdout);
    int result = r->singular ? EXIT_FAILED : EXIT_DONE;
    const int drawn = s->graph ? draw(r, s->graph) : EXIT_DONE;
    result = result == EXIT_DONE ? drawn : result;
    check_free(r);
    return result;
}

static int run(int count, char **arguments)
{
    struct settings s = {0};
    if (!read_settings(count, arguments, &s))
        return EXIT_USAGE;
    if (s.help) {
        printf("usage: knoten check %s\n", check_command.usage);
        help();
        return EXIT_DONE;
    }
    struct progress progress = {0};
    struct messages m = {kn_diagnostics_new(), &progress, 0, false};
    if (!m.diagnostics) {
        fprintf(stderr, "knoten: out of memory\n");
        return EXIT_FAILED;
    }
    struct kn_circuit *circuit = NULL;
    const enum kn_status status = deck_read(s.deck, m.diagnostics, &circuit);
    messages_show(&m);
    const struct output_use use = {s.graph, "the picture"};
    int result = EXIT_USAGE;
    if (status != KN_OK)
        result = exit_status(status);
    else if (files_are_apart(circuit->circuit, s.deck, &use, 1))
        result = report(&s, circuit->circuit, &m);
    kn_circuit_free(circuit);
    kn_diagnostics_free(m.diagnostics);
    return result;
}

const struct command check_command = {"check", "[--json] [--at TIME] [--graph FILE] DECK",
                                      "says which index the equations have, why, and what it means", run, help};
