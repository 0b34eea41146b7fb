/* assign.h - commands that make and forget vectors, variables and plots. */
#ifndef CONTROL_ASSIGN_H
#define CONTROL_ASSIGN_H

#include "control/script/state.h"

bool assign_let(struct state *s, const char *rest);
bool assign_unlet(struct state *s, const char *rest);
bool assign_set(struct state *s, const char *rest);
bool assign_unset(struct state *s, const char *rest);
bool assign_option(struct state *s, const char *rest);
bool assign_define(struct state *s, const char *rest);
bool assign_undefine(struct state *s, const char *rest);
bool assign_seed(struct state *s, const char *rest);
bool assign_compare(struct state *s, const char *rest);
bool assign_find(struct state *s, const char *rest);
bool assign_slice(struct state *s, const char *rest);
bool assign_shift(struct state *s, const char *rest);
bool assign_setplot(struct state *s, const char *rest);
bool assign_setscale(struct state *s, const char *rest);
bool assign_destroy(struct state *s, const char *rest);
/* The name of what `set` sets, at the beginning of its line; NULL: none. */
const char *assign_set_name(struct state *s, const char *rest);

#endif
