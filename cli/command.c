/* command.c - the frame of all sub-commands: command line, deck, messages, exit status. */
#include "cli/command.h"

#include "analyses/faults.h"
#include "analyses/library.h"
#include "base/json.h"
#include "cli/deck.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/self/help.h"
#include "control/control.h"
#include "integrators/integrator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OUTPUTS = 4 };

int exit_status(enum kn_status status)
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

int command_out_of_memory(void)
{
    fprintf(stderr, "knoten: out of memory\n");
    return EXIT_FAILED;
}

static bool outputs_are_apart(const struct command *c, const void *settings, const struct job *j, const char *deck)
{
    struct output_use uses[MOST_OUTPUTS];
    size_t count = 0;
    for (size_t i = 0; i < c->table.count && count < MOST_OUTPUTS; i++) {
        const struct option *o = &c->table.options[i];
        if (o->kind == OPTION_FILE)
            uses[count++] =
                (struct output_use){*(const char *const *)(const void *)((const char *)settings + o->place), o->what};
    }
    return files_are_apart(j->circuit, deck, uses, count);
}

/* A deck that cannot be read is a mistake of usage. */
static int refused(const struct command *c, const char *deck, enum kn_status status, size_t errors)
{
    if (status == KN_ERROR_MEMORY)
        return command_out_of_memory();
    if (status == KN_ERROR_DECK)
        fprintf(stderr, "knoten: %zu error%s in %s; nothing was %s\n", errors, errors == 1 ? "" : "s",
                strcmp(deck, "-") == 0 ? "standard input" : deck, c->undone);
    return EXIT_USAGE;
}

const char *const dialect_words[] = {"auto", "spice", "ngspice", "ltspice", "pspice", "hspice", "xyce", "kicad", NULL};

const char *method_names(size_t i, const char **title)
{
    const struct integrator_class *method = integrator_classes[i];
    *title = method ? method->title : NULL;
    return method ? method->name : NULL;
}

/* ---- --json ---- */

FILE *job_report(struct job *j)
{
    j->reported = true;
    return stdout;
}

/* Where a command came to no report of its own. */
static void report_failure(struct job *j, int status)
{
    struct json w = json_begin(job_report(j));
    json_open(&w, NULL, '{');
    json_text(&w, "outcome", status == EXIT_USAGE ? "refused" : interrupt_came(NULL) ? "interrupted" : "failed");
    messages_write_json(&j->messages, &w);
    json_close(&w);
}

/* ---- the command ---- */

static int with_deck(const struct command *c, void *settings, struct job *j, const char *deck)
{
    struct kn_circuit *circuit = NULL;
    const int dialect = ((const struct common_settings *)settings)->dialect;
    const enum kn_status status =
        deck_read(deck, dialect ? dialect_words[dialect] : NULL, c->obeys ? control_faults : faults_of_deck,
                  j->messages.diagnostics, &circuit);
    messages_show(&j->messages);
    int result = EXIT_USAGE;
    if (status != KN_OK) {
        result = refused(c, deck, status, kn_diagnostics_errors(j->messages.diagnostics));
    } else {
        j->read = circuit;
        j->circuit = circuit->circuit;
        if (outputs_are_apart(c, settings, j, deck))
            result = c->work(settings, j);
    }
    kn_circuit_free(circuit);
    return result;
}

static int run_with(const struct command *c, void *settings, int count, char **arguments)
{
    struct common_settings *s = settings;
    struct progress progress = {0};
    if (!arguments_read(count, arguments, &c->table, settings, &s->deck))
        return EXIT_USAGE;
    if (s->help || s->version)
        return s->help ? help_show(c) : help_version();
    if (c->undone && !s->deck) {
        fprintf(stderr, "knoten: no deck given\n");
        help_usage(c, stderr);
        fprintf(stderr, "knoten --help tells more\n");
        return EXIT_USAGE;
    }
    if (c->understand && !c->understand(settings))
        return EXIT_USAGE;
    struct job j = {.progress = &progress, .messages = {kn_diagnostics_new(), &progress, 0, s->quiet}};
    if (!j.messages.diagnostics)
        return command_out_of_memory();
    const int result = c->undone ? with_deck(c, settings, &j, s->deck) : c->work(settings, &j);
    if (s->json && !j.reported)
        report_failure(&j, result);
    kn_diagnostics_free(j.messages.diagnostics);
    return result;
}

int command_run(const struct command *c, int count, char **arguments)
{
    void *settings = calloc(1, c->table.settings_size);
    if (!settings)
        return command_out_of_memory();
    if (c->table.defaults)
        memcpy(settings, c->table.defaults, c->table.settings_size);
    const int result = run_with(c, settings, count, arguments);
    free(settings);
    return result;
}

/* ---- runs ---- */

void job_begin(struct job *j, bool progress, void (*abandon)(void *context), void *context)
{
    interrupt_catch(abandon, context);
    progress_start(j->progress, progress);
}

void job_end(struct job *j)
{
    interrupt_release();
    progress_clear(j->progress);
    fflush(stdout);
    messages_show(&j->messages);
}
