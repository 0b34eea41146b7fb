/* cards.h - the dot cards that a deck may contain. */
#ifndef NETLIST_CARDS_H
#define NETLIST_CARDS_H

#include "netlist/deck/deck_reader.h"

/* Ends with a NULL name. */
extern const struct deck_card dot_cards[];

#endif
