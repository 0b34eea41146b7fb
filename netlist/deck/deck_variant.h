/* deck_variant.h - which of the decks that a text with .alter and .step lib stands for. */
#ifndef NETLIST_DECK_DECK_VARIANT_H
#define NETLIST_DECK_DECK_VARIANT_H

#include "netlist/dialect.h"

#include <stddef.h>

struct deck_variant {
    const enum dialect *dialect; /* NULL: what the deck itself tells */
    size_t alter;                /* so many .alter blocks count */
    size_t section;              /* of those on .step lib, from 0 */
};

#endif
