/* batch.h - making and dropping a family's batch that lives, with everything in it, in one arena. */
#ifndef DEVICES_BATCH_H
#define DEVICES_BATCH_H

#include "base/arena.h"
#include "devices/device.h"

/* First member of every batch. */
struct batch {
    struct arena *arena;
};

/* *out is set on KN_OK only, otherwise all is freed. */
enum kn_status batch_new(const struct device_class *class, const struct device_input *in, void **out);

/* NULL is allowed. */
void batch_free(const struct device_class *class, void *batch);

#endif
