/* command.h - the sub-commands of the program: a table of options each, and what is done with the deck. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/arguments.h"
#include "cli/messages.h"
#include "cli/terminal.h"
#include "netlist/circuit.h"

/* Exit statuses, the same for every command. */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* Every command's settings begin with these. */
struct common_settings {
    const char *deck; /* or what else stands without an option */
    int dialect;      /* which of dialect_words */
    bool quiet, help;
};

/* "auto", then the names in the order of enum dialect. */
extern const char *const dialect_words[];

/* The deck of a command, read, and what it says meanwhile. */
struct job {
    const struct kn_circuit *read;
    const struct circuit *circuit;
    struct progress *progress;
    struct messages messages;
};

struct command {
    const char *name;
    const char *usage;   /* "[options] DECK" */
    const char *summary; /* one line */
    const char *notes;   /* below them; NULL: none */
    struct option_table table;
    const char *undone; /* what nothing was where the deck has errors: "simulated"; NULL: the command takes no deck */
    /* What the table cannot check; NULL: nothing. */
    bool (*understand)(void *settings);
    /* With the deck read and the outputs apart from it and each other; an exit status. */
    int (*work)(void *settings, struct job *job);
};

/* Options of all or several commands. */
#define HELP_OPTION                                                                                                    \
    {                                                                                                                  \
        .name = "--help", .other = "-h", .doc = "this text", .kind = OPTION_FLAG,                                      \
        .place = offsetof(struct common_settings, help)                                                                \
    }
#define DIALECT_OPTION                                                                                                 \
    {                                                                                                                  \
        OPTION_WORD, "--dialect", NULL, "NAME", offsetof(struct common_settings, dialect),                             \
            "whose deck it is: auto (default), spice, ngspice, ltspice, pspice, hspice, xyce,\nkicad",                 \
            ONE_OF(dialect_words)                                                                                      \
    }
#define QUIET_OPTION(text)                                                                                             \
    {                                                                                                                  \
        .name = "--quiet", .other = "-q", .doc = text, .kind = OPTION_FLAG,                                            \
        .place = offsetof(struct common_settings, quiet)                                                               \
    }

/* Reads the command line (arguments[0] is the command's name) and, if the command takes one, the deck; then the work. */
int command_run(const struct command *c, int count, char **arguments);
void command_help(const struct command *c);

/* Around a run that can be interrupted: `abandon` is told in another thread that it does not look up (interrupt.h). */
void job_begin(struct job *j, bool progress, void (*abandon)(void *context), void *context);
void job_end(struct job *j);

int exit_status(enum kn_status status);

/* cli/run.c: the default command, `knoten DECK` is `knoten run DECK`. */
extern const struct command run_command;
extern const struct command check_command, explain_command, devices_command, cards_command, functions_command,
    compare_command, verify_command;

#endif
