/* listing.h - lists of names in messages: "R1 (line 3), C2 (line 4), ..". */
#ifndef MNA_LISTING_H
#define MNA_LISTING_H

#include "netlist/circuit.h"

/* Written item by item into a buffer of limited size; what no longer fits is replaced by "..". */
struct item_list {
    char *buffer;
    size_t size, used;
    bool full;
};

struct item_list item_list_start(char *buffer, size_t size);
void item_list_add(struct item_list *list, const char *item);
/* Name and place of an element; the file too where it is not the deck itself. */
void item_list_element(struct item_list *list, const struct circuit *c, const struct element *e);

#endif
