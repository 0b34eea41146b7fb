/* assign.h - commands that make and forget vectors, variables and plots. */
#ifndef CONTROL_ASSIGN_H
#define CONTROL_ASSIGN_H

#include "control/script/state.h"

command_function assign_let, assign_unlet, assign_set, assign_unset, assign_option, assign_define, assign_undefine,
    assign_seed, assign_compare, assign_find, assign_slice, assign_shift, assign_setplot, assign_setscale,
    assign_destroy;
/* The name of what `set` sets, at the beginning of its line; NULL: none. */
const char *assign_set_name(struct state *s, const char *rest);

#endif
