/* command.h - the sub-commands of the program: a table of options each, and what is done with the deck. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/arguments.h"
#include "cli/messages.h"
#include "cli/terminal.h"
#include "netlist/circuit.h"

#include <float.h>

/* Exit statuses, the same for every command. */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* Every command's settings begin with these. */
struct common_settings {
    const char *deck; /* or what else stands without an option */
    int dialect;      /* which of dialect_words */
    bool quiet, help, version;
    bool json; /* one JSON value on standard output, whatever happens */
};

/* "auto", then the names in the order of enum dialect. */
extern const char *const dialect_words[];

/* The deck of a command, read, and what it says meanwhile. */
struct job {
    const struct kn_circuit *read;
    const struct circuit *circuit;
    struct progress *progress;
    struct messages messages;
    bool reported; /* with --json: the report has been written; else the frame says what went wrong */
};

/* A command line that works in the folder of examples, and what it is good for. */
struct example {
    const char *command, *doc;
};

/* What a command is made of.  --help, the manual pages and the completions of the shells are written from this alone. */
struct command {
    const char *name;
    const char *usage;              /* "[options] DECK" */
    const char *summary;            /* one line */
    const char *about;              /* paragraphs, an empty line between them; NULL: the summary says it */
    const char *exits;              /* what its exit statuses mean, where not as EXIT_MEANINGS */
    const struct example *examples; /* end with a command NULL */
    argument_lister *names;         /* what may stand where a deck would, for completion; NULL: a file, or nothing */
    struct option_table table;
    bool obeys;         /* .control blocks */
    const char *undone; /* what nothing was where the deck has errors: "simulated"; NULL: the command takes no deck */
    /* What the table cannot check; NULL: nothing. */
    bool (*understand)(void *settings);
    /* With the deck read and the outputs apart from it and each other; an exit status. */
    int (*work)(void *settings, struct job *job);
};

#define EXIT_MEANINGS "0 done, 1 the circuit or the simulation failed, 2 bad deck or usage"

/* The file's options, of settings of a type with these defaults or NULL; with its examples. */
#define TABLE_OF(type, defaults)   .table = {options, sizeof options / sizeof *options, sizeof(type), defaults, 0}
#define OPTIONS_OF(type, defaults) .examples = examples, TABLE_OF(type, defaults)

/* A command that tells of the program itself: it has no deck, and its examples, {line, what it is for}, say the rest. */
#define SELF_COMMAND(name_, usage_, summary_, names_, settings_type, work_, ...)                                       \
    {                                                                                                                  \
        .name = name_, .usage = usage_, .summary = summary_, .names = names_, TABLE_OF(settings_type, NULL),           \
        .work = work_, .examples = (const struct example[])                                                            \
        {                                                                                                              \
            __VA_ARGS__,                                                                                               \
            {                                                                                                          \
                NULL, NULL                                                                                             \
            }                                                                                                          \
        }                                                                                                              \
    }

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
#define JSON_OPTION(text)                                                                                              \
    {                                                                                                                  \
        .name = "--json", .doc = text, .kind = OPTION_FLAG, .place = offsetof(struct common_settings, json)            \
    }
#define QUIET_OPTION(text)                                                                                             \
    {                                                                                                                  \
        .name = "--quiet", .other = "-q", .doc = text, .kind = OPTION_FLAG,                                            \
        .place = offsetof(struct common_settings, quiet)                                                               \
    }
/* Of a command whose settings have a `reltol`. */
#define RELTOL_OPTION(text)                                                                                            \
    {                                                                                                                  \
        OPTION_NUMBER, "--reltol", NULL, "X", offsetof(struct settings, reltol), text,                                 \
            RANGE(DBL_MIN, 1 - DBL_EPSILON, "a number between 0 and 1 such as 1e-6")                                   \
    }

/* Reads the command line (arguments[0] is the command's name) and, if the command takes one, the deck; then the work. */
int command_run(const struct command *c, int count, char **arguments);

/* Of integration methods, for options that take one (LISTED_BY, NAMED_BY). */
const char *method_names(size_t i, const char **title);

/* Begins the report of --json: what is missing on standard output will not be told by the frame. */
FILE *job_report(struct job *j);

/* Around a run that can be interrupted: `abandon` is told in another thread that it does not look up (interrupt.h). */
void job_begin(struct job *j, bool progress, void (*abandon)(void *context), void *context);
void job_end(struct job *j);

int exit_status(enum kn_status status);
/* Says so; an exit status. */
int command_out_of_memory(void);

/* cli/run.c: the default command, `knoten DECK` is `knoten run DECK`. */
extern const struct command run_command;
extern const struct command check_command, explain_command, compare_command, verify_command, parasitics_command,
    report_command, plot_command, prompt_command;
/* cli/self/: what the program tells of itself. */
extern const struct command devices_command, cards_command, functions_command, help_command, completion_command,
    doctor_command;

/* cli/main.c: all of them, run_command first; ends with NULL. */
extern const struct command *const commands[];

#endif
