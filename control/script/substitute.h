/* substitute.h - $name, $name[2], $#name, $?name, $&vector and {$name} in a line. */
#ifndef CONTROL_SCRIPT_SUBSTITUTE_H
#define CONTROL_SCRIPT_SUBSTITUTE_H

#include "control/script/state.h"

/* The line with what stands for them, in the scratch arena; NULL with the error said.  exact: numbers of vectors with all
 * their digits, else with those that people read.  Dry: names are looked at, what they stand for is 1. */
const char *substitute(struct state *s, const char *text, bool exact);
bool substitute_needed(const char *text);

#endif
