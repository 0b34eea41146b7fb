/* deck.h - the deck that a command line names. */
#ifndef CLI_DECK_H
#define CLI_DECK_H

#include "knoten.h"

/* "-" is standard input. */
/* dialect: as --dialect takes it; NULL: what the deck itself tells. */
enum kn_status deck_read(const char *path, const char *dialect, struct kn_diagnostics *d, struct kn_circuit **out);

#endif
