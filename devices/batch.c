/* batch.c - see batch.h. */
#include "devices/batch.h"

enum kn_status batch_new(const struct device_class *class, const struct device_input *in, void **out)
{
    struct arena *arena;
    struct batch *b = arena_object(class->batch_size, &arena);
    if (!b)
        return KN_ERROR_MEMORY;
    b->arena = arena;
    const enum kn_status status = class->fill(b, in);
    if (status != KN_OK)
        batch_free(class, b);
    else
        *out = b;
    return status;
}

void batch_free(const struct device_class *class, void *batch)
{
    if (!batch)
        return;
    if (class->release)
        class->release(batch);
    arena_free(((struct batch *)batch)->arena);
}
