/* stimulus_file.h - files of states: over time, as XSPICE's d_source has them, and of a state machine, d_state's. */
#ifndef DEVICES_LOGIC_STIMULUS_FILE_H
#define DEVICES_LOGIC_STIMULUS_FILE_H

#include "devices/logic/logic.h"

/* Lines of a time (s) and a state for each of the outputs: 0 1 U and the strength s r z u.  Lines that begin with '*' are
 * comments.  The file is beside the deck or in the current folder.  Errors are reported. */
enum kn_status stimulus_read(struct logic_item *i, const char *name, size_t outputs, struct stimulus *out,
                             struct kn_diagnostics *d);
/* Rows of a state, its outputs, inputs, an arrow and the next state (machine_file.c); without the first two a row is one more
 * of the state above.  m->first must be there. */
enum kn_status machine_read(struct logic_item *i, const char *name, size_t inputs, size_t outputs, struct machine *m,
                            struct kn_diagnostics *d);

/* "0s", "Uz": false where it is none. */
bool state_read(const char *word, struct logic_state *state);

#endif
