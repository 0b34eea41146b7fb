/* deck.h - the deck that a command line names. */
#ifndef CLI_DECK_H
#define CLI_DECK_H

#include "analyses/library.h"

/* "-" is standard input.  dialect: as --dialect takes it; NULL: what the deck itself tells.  check: who is asked about a
 * deck with errors. */
enum kn_status deck_read(const char *path, const char *dialect, circuit_check *check, struct kn_diagnostics *d,
                         struct kn_circuit **out);

#endif
