/* explain.c - `knoten explain DECK`: the equations of a circuit as text, LaTeX or HTML. */
#include "analyses/explain/explain.h"
#include "analyses/library.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/deck.h"
#include "cli/files.h"
#include "cli/messages.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct settings {
    const char *deck, *output;
    enum explain_format format;
    bool help;
};

static void help(void)
{
    printf("\nexplain options:\n"
           "  --format FORMAT  text (the default), latex (a document) or html (a page without scripts)\n"
           "  -o FILE          where to write it; without it, or with '-', standard output\n");
}

static bool read_settings(int count, char **arguments, struct settings *s)
{
    static const char *const formats[] = {"text", "latex", "html"};
    const char *format = NULL;
    const struct option options[] = {
        {"--format", OPTION_VALUE, NULL, &format},    {"-o", OPTION_VALUE, NULL, &s->output},
        {"--output", OPTION_VALUE, NULL, &s->output}, {"--help", OPTION_FLAG, &s->help, NULL},
        {"-h", OPTION_FLAG, &s->help, NULL},
    };
    size_t decks;
    if (!arguments_read(count, arguments, options, sizeof options / sizeof *options, &s->deck, 1, &decks))
        return false;
    if (!s->help && decks == 0) {
        fprintf(stderr, "knoten: no deck given\nusage: knoten explain %s\n", explain_command.usage);
        return false;
    }
    const int choice = format ? arguments_choose("--format", format, formats, 3) : 0;
    s->format = choice < 0 ? EXPLAIN_TEXT : (enum explain_format)choice;
    return choice >= 0;
}

static int exit_status(enum kn_status status)
{
    if (status == KN_OK)
        return EXIT_DONE;
    return status == KN_ERROR_DECK || status == KN_ERROR_ARGUMENT ? EXIT_USAGE : EXIT_FAILED;
}

/* A file that could not be written is a failure of its own. */
static int close_output(FILE *to, const char *path, int status)
{
    if (to == stdout)
        return status;
    const bool failed = ferror(to) != 0;
    if (fclose(to) == 0 && !failed)
        return status;
    fprintf(stderr, "knoten: cannot write '%s': %s\n", path, strerror(errno));
    return EXIT_FAILED;
}

static int explain(const struct settings *s, const struct kn_circuit *c, struct messages *m)
{
    const bool to_file = s->output && strcmp(s->output, "-") != 0;
    const struct output_use use = {s->output, "the text"};
    if (!files_are_apart(c->circuit, s->deck, &use, 1))
        return EXIT_USAGE;
    FILE *to = to_file ? fopen(s->output, "w") : stdout;
    if (!to) {
        fprintf(stderr, "knoten: cannot write '%s': %s\n", s->output, strerror(errno));
        return EXIT_FAILED;
    }
    const enum kn_status status = explain_circuit(c->circuit, s->format, to, m->diagnostics);
    if (!to_file)
        fflush(stdout);
    messages_show(m);
    if (status == KN_ERROR_MEMORY)
        fprintf(stderr, "knoten: out of memory\n");
    return close_output(to, s->output, exit_status(status));
}

static int run(int count, char **arguments)
{
    struct settings s = {0};
    if (!read_settings(count, arguments, &s))
        return EXIT_USAGE;
    if (s.help) {
        printf("usage: knoten explain %s\n", explain_command.usage);
        help();
        return EXIT_DONE;
    }
    struct progress progress = {0};
    struct messages m = {kn_diagnostics_new(), &progress, 0, false};
    struct kn_circuit *circuit = NULL;
    if (!m.diagnostics) {
        fprintf(stderr, "knoten: out of memory\n");
        return EXIT_FAILED;
    }
    const enum kn_status status = deck_read(s.deck, m.diagnostics, &circuit);
    messages_show(&m);
    const int exit_code = status == KN_OK             ? explain(&s, circuit, &m)
                          : status == KN_ERROR_MEMORY ? EXIT_FAILED
                                                      : EXIT_USAGE;
    kn_circuit_free(circuit);
    kn_diagnostics_free(m.diagnostics);
    return exit_code;
}

const struct command explain_command = {"explain", "[options] DECK",
                                        "prints the equations of a circuit: text, LaTeX or HTML", run, help};
