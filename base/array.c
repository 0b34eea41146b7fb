/* array.c - see array.h. */
#include "base/array.h"

#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST = 8 };

/* All object pointers look alike in memory (POSIX), whatever they point to. */
static void *pointer_at(const void *items)
{
    void *array;
    memcpy(&array, items, sizeof array);
    return array;
}

static void set_pointer(void *items, void *array)
{
    memcpy(items, &array, sizeof array);
}

/* 0 where so many cannot be. */
static size_t larger(size_t capacity, size_t needed, size_t size)
{
    if (needed > SIZE_MAX / 4 / size)
        return 0;
    const size_t doubled = capacity < SMALLEST / 2 ? SMALLEST : 2 * capacity;
    return doubled < needed ? needed : doubled;
}

bool array_resize(void *items, size_t count, size_t size)
{
    void *moved = count <= SIZE_MAX / size ? realloc(pointer_at(items), (count ? count : 1) * size) : NULL;
    if (moved)
        set_pointer(items, moved);
    return moved != NULL;
}

bool array_reserve(void *items, size_t needed, size_t *capacity, size_t size)
{
    if (needed <= *capacity)
        return true;
    const size_t count = larger(*capacity, needed, size);
    if (count == 0 || !array_resize(items, count, size))
        return false;
    *capacity = count;
    return true;
}

bool array_reserve_in(struct arena *a, void *items, size_t count, size_t needed, size_t *capacity, size_t size)
{
    if (needed <= *capacity)
        return true;
    const size_t room = larger(*capacity, needed, size);
    void *moved = room > 0 ? arena_array(a, room, size) : NULL;
    if (!moved)
        return false;
    if (count > 0)
        memcpy(moved, pointer_at(items), count * size);
    set_pointer(items, moved);
    *capacity = room;
    return true;
}

void arrays_free(void *const *arrays, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(arrays[i]);
}
