/* batch.c - see batch.h. */
#include "devices/batch.h"

enum kn_status batch_create(const struct device_input *in, size_t size,
                            enum kn_status (*fill)(void *batch, const struct device_input *in), void **out)
{
    struct arena *arena;
    struct batch *b = arena_object(size, &arena);
    enum kn_status status = KN_ERROR_MEMORY;
    if (b) {
        b->arena = arena;
        status = fill(b, in);
    }
    if (status != KN_OK)
        arena_free(arena);
    else
        *out = b;
    return status;
}

void batch_destroy(void *batch)
{
    arena_free(((struct batch *)batch)->arena);
}
