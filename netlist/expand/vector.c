/* vector.c - see vector.h. */
#include "netlist/expand/vector.h"

#include "base/array.h"

#include <string.h>

void *vector_push(struct vector *v)
{
    if (!array_reserve(&v->items, v->count + 1, &v->capacity, v->size))
        return NULL;
    return memset((char *)v->items + v->count++ * v->size, 0, v->size);
}

bool vector_add(struct vector *v, const void *item)
{
    void *slot = vector_push(v);
    return slot && memcpy(slot, item, v->size);
}

bool vector_keep(struct vector *v, struct arena *a, const void **items, size_t *count)
{
    void *kept = arena_array(a, v->count + 1, v->size);
    if (kept && v->count > 0)
        memcpy(kept, v->items, v->count * v->size);
    *items = kept;
    *count = kept ? v->count : 0;
    v->count = 0;
    return kept != NULL;
}
