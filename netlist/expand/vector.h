/* vector.h - an array that grows while its items are found and then moves into an arena. */
#ifndef NETLIST_EXPAND_VECTOR_H
#define NETLIST_EXPAND_VECTOR_H

#include "base/arena.h"

#include <stdbool.h>

struct vector {
    void *items;
    size_t count, capacity;
    size_t size; /* of one item */
};

/* The new last item, or NULL without memory. */
void *vector_push(struct vector *v);
/* A copy of the item is the last; false without memory. */
bool vector_add(struct vector *v, const void *item);
/* Moves copies of the items into an arena; false without memory. */
bool vector_keep(struct vector *v, struct arena *a, const void **items, size_t *count);

#endif
