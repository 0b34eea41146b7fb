/* keepsake.h - what an element remembers, piece by piece, for the same element with other values: one function names the pieces,
 * to keep them and to give them back.
 */
#ifndef DEVICES_MEMORY_KEEPSAKE_H
#define DEVICES_MEMORY_KEEPSAKE_H

#include "base/arena.h"

struct keepsake {
    struct arena *arena;  /* of what is kept; NULL: it is given back */
    unsigned char *bytes; /* each piece behind its size */
    size_t length, capacity, at;
    bool failed; /* no memory; or the pieces given back are others */
};

/* Nothing yet; NULL without memory. */
struct keepsake *keepsake_new(struct arena *arena);
/* The same pieces, to be given back in the same order. */
struct keepsake keepsake_again(const struct keepsake *kept);
void keepsake_piece(struct keepsake *k, void *piece, size_t size);
/* After the last piece: KN_ERROR_MEMORY, or KN_ERROR_CIRCUIT where pieces are others than those that were kept. */
enum kn_status keepsake_end(const struct keepsake *k);

#define KEEPSAKE_PIECE(k, object) keepsake_piece(k, &(object), sizeof(object))

#endif
