/* command.h - the sub-commands of the program. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>

/* Exit statuses, the same for every command. */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

struct command {
    const char *name;
    const char *usage;   /* "[options] DECK" */
    const char *summary; /* one line */
    /* arguments[0] is the command's name. */
    int (*run)(int count, char **arguments);
    void (*help)(void);
};

/* cli/run.c: the default command, `knoten DECK` is `knoten run DECK`. */
extern const struct command run_command;

/* cli/check.c */
extern const struct command check_command;

/* cli/explain.c */
extern const struct command explain_command;

/* cli/devices.c */
extern const struct command devices_command;

/* cli/compare.c */
extern const struct command compare_command;

/* cli/verify.c */
extern const struct command verify_command;

#endif
