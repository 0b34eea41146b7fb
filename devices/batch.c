/* batch.c - see batch.h. */
#include "devices/batch.h"

static enum kn_status make_all(const struct device_class *class, const struct device_input *in, struct batch *b)
{
    enum kn_status status = class->fill ? class->fill(b, in) : KN_OK;
    for (size_t k = 0; class->make && k < in->count && status != KN_ERROR_MEMORY; k++) {
        const enum kn_status made = class->make(b, k, in);
        status = made != KN_OK ? made : status;
    }
    return status;
}

/* At first all are active. */
static bool make_active(const struct device_class *class, struct batch *b)
{
    if (!class->tangent)
        return true;
    b->active = arena_array(b->arena, b->count + 1, sizeof *b->active);
    b->calm = arena_array(b->arena, b->count + 1, sizeof *b->calm);
    if (!b->active || !b->calm)
        return false;
    for (size_t k = 0; k < b->count; k++)
        b->active[b->active_count++] = k;
    return true;
}

enum kn_status batch_new(const struct device_class *class, const struct device_input *in, void **out)
{
    struct arena *arena;
    struct batch *b = arena_object(class->batch_size, &arena);
    if (!b)
        return KN_ERROR_MEMORY;
    *b = (struct batch){.arena = arena, .elements = in->elements, .count = in->count, .diagnostics = in->diagnostics};
    const enum kn_status status = make_active(class, b) ? make_all(class, in, b) : KN_ERROR_MEMORY;
    if (status != KN_OK)
        batch_free(class, b);
    else
        *out = b;
    return status;
}

void batch_eval(void *batch, device_look *look, device_add *add, const struct device_point *at, void *room,
                const struct device_stamp *out)
{
    const size_t count = ((const struct batch *)batch)->active_count;
    for (size_t from = 0; from < count; from += BATCH_PIECE) {
        const size_t to = from + BATCH_PIECE < count ? from + BATCH_PIECE : count;
        look(batch, at, from, to, room);
        add(batch, at, from, to, room, out);
    }
}

static size_t count_of(const void *batch)
{
    return ((const struct batch *)batch)->count;
}

void batch_prepare(const struct device_class *class, void *batch, double temperature)
{
    for (size_t k = 0; class->prepare && k < count_of(batch); k++)
        class->prepare(batch, k, temperature);
}

bool batch_pass(bool (*pass)(void *batch, size_t k, struct device_setup *s), void *batch, struct device_setup *s)
{
    size_t k = 0;
    while (pass && k < count_of(batch) && pass(batch, k, s))
        k++;
    return !pass || k == count_of(batch);
}

bool batch_branches(const struct device_class *class, const void *batch, struct branch_list *list)
{
    size_t k = 0;
    while (k < count_of(batch) && class->branches(batch, k, list))
        k++;
    return k == count_of(batch);
}

bool batch_initial(const struct device_class *class, const void *batch, struct initial_list *list)
{
    size_t k = 0;
    while (class->initial && k < count_of(batch) && class->initial(batch, k, list))
        k++;
    return !class->initial || k == count_of(batch);
}

bool batch_noise(const struct device_class *class, const void *batch, const struct device_probe *at,
                 struct noise_list *list)
{
    size_t k = 0;
    while (class->noise && k < count_of(batch) && class->noise(batch, k, at, list))
        k++;
    return !class->noise || k == count_of(batch);
}

void batch_free(const struct device_class *class, void *batch)
{
    if (!batch)
        return;
    if (class->release)
        class->release(batch);
    arena_free(((struct batch *)batch)->arena);
}
