/* array.h - arrays that grow.
 *
 * `items` is the address of the pointer to the array (&v->items): NULL or from malloc(), to be freed with free().
 * Without memory the array stays as it was and false is returned.
 */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

/* Exactly `count` items of `size` bytes, those that were there kept. */
bool array_resize(void *items, size_t count, size_t size);

/* Room for `needed` items; *capacity is what there is, at least doubled where it does not suffice. */
bool array_reserve(void *items, size_t needed, size_t *capacity, size_t size);

/* The same in an arena, where the old array stays until the arena is freed; `count` items are moved. */
bool array_reserve_in(struct arena *a, void *items, size_t count, size_t needed, size_t *capacity, size_t size);

/* Frees all that are named. */
#define ARRAYS_FREE(...) arrays_free((void *const[]){__VA_ARGS__}, sizeof(void *const[]){__VA_ARGS__} / sizeof(void *))
void arrays_free(void *const *arrays, size_t count);

#endif
