/* arena.h - memory that is taken piece by piece and given back all at once.
 *
 * A circuit description owns one arena; every name, element and expression lives in it and dies with it.  Pieces are
 * zeroed, and aligned for any type, but texts, which stand one behind the other.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "knoten.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct arena;

struct arena *arena_new(void);
/* One more owner, who frees it too: it dies with the last one.  Owners may be in different threads. */
struct arena *arena_share(struct arena *a);
void arena_free(struct arena *a);

/* size bytes, zeroed; NULL when memory is exhausted. */
void *arena_alloc(struct arena *a, size_t size);

/* Same for an array of count items; NULL also when count * size overflows. */
void *arena_array(struct arena *a, size_t count, size_t size);

/* Vectors of `count` doubles, zeroed, one into each of the pointers; the list ends in NULL.  False without memory. */
bool arena_vectors(struct arena *a, size_t count, double **const vectors[]);

/* An object in an arena of its own, which goes to *own and which freeing gives the object back with; both NULL without
 * memory. */
void *arena_object(size_t size, struct arena **own);

/* A copy of the given length, NUL-terminated. */
char *arena_text(struct arena *a, const char *text, size_t length);

/* printf into the arena; NULL when memory is exhausted. */
char *arena_format(struct arena *a, const char *format, ...) KN_PRINTF(2, 3);
char *arena_format_list(struct arena *a, const char *format, va_list arguments);

#endif
