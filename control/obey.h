/* obey.h - a tree of commands is obeyed, with the plots held. */
#ifndef CONTROL_OBEY_H
#define CONTROL_OBEY_H

#include "control/commands.h"
#include "control/script/state.h"

/* One behind the other, also behind one that fails; the status tells of the first of these then. */
void obey(struct state *s, const struct command *c);

/* A line behind *# that is no command: vendors' files have such comments. */
bool obey_is_comment(const struct state *s, const struct command *c);
/* What the name of a command stands for; NULL with the error said where it may not be obeyed. */
const struct command_kind *obey_kind(struct state *s, const struct command *c);
/* The rest of its line with variables put in, exact: with all digits; of a command that is passed over the rest as it is. */
const char *obey_arguments(struct state *s, const struct command *c, const struct command_kind *kind, bool exact);

/* The condition of a block with variables put in; NULL, with a warning when it is obeyed, where there is no such variable:
 * as in ngspice that counts as false. */
const char *obey_condition(struct state *s, const struct command *c);

/* Memory of a command for as long as it runs. */
bool obey_with_scratch(struct state *s, const struct command *c,
                       bool (*work)(struct state *s, const struct command *c));

#endif
