/* batch.h - making and dropping a family's batch that lives, with everything in it, in one arena. */
#ifndef DEVICES_BATCH_H
#define DEVICES_BATCH_H

#include "base/arena.h"
#include "devices/device.h"

/* First member of such a batch. */
struct batch {
    struct arena *arena;
};

/* Allocates `size` zeroed bytes and lets fill complete them; *out is set on KN_OK only, otherwise all is freed. */
enum kn_status batch_create(const struct device_input *in, size_t size,
                            enum kn_status (*fill)(void *batch, const struct device_input *in), void **out);

void batch_destroy(void *batch);

#endif
