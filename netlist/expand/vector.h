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
/* Copies the items into an arena and frees the vector; false without memory. */
bool vector_keep(struct vector *v, struct arena *a, const void **items, size_t *count);

#endif
