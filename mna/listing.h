/* listing.h - elements and where they stand, in messages: "R1 (line 3), C2 (line 4), ..". */
#ifndef MNA_LISTING_H
#define MNA_LISTING_H

#include "base/text.h"
#include "netlist/circuit.h"

/* Adds "R1 (line 3)", with the file, too, where the element does not stand in the deck itself. */
void listing_add(struct text *t, const char *deck, const struct element *e);
/* The same as an item of a list; false when no more will be shown. */
bool listing_item(struct text_list *l, const char *deck, const struct element *e);

#endif
