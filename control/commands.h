/* commands.h - the commands there are. */
#ifndef CONTROL_COMMANDS_H
#define CONTROL_COMMANDS_H

#include "control/script/state.h"

struct command_kind {
    const char *name;
    command_function *run; /* NULL: refused */
    const char *why;       /* it is refused, and what to do instead */
    bool shows;            /* people read what it makes of numbers */
    bool of_circuit;       /* there must be one */
};

/* It draws on the screen and nothing else: what it lacks is a warning, as for .print. */
bool command_only_draws(const struct command_kind *kind);
/* NULL: there is none. */
const struct command_kind *command_find(const char *name);
/* The names of all; NULL behind the last. */
const char *command_name(size_t i);
const char *command_closest(const char *name);

#endif
