/* memory.c - what devices remember besides charges, from equations to others of the same elements with other values. */
#include "base/names.h"
#include "mna/system.h"

#include <math.h>
#include <string.h>

bool mna_remember(const struct mna *m, struct arena *arena, struct name_table *memories)
{
    const struct device_families *f = &m->families;
    bool good = true;
    for (size_t i = 0; i < f->count; i++)
        for (size_t k = 0; good && f->families[i].class->memory && k < f->families[i].count; k++) {
            const char *name = f->families[i].elements[k]->name; /* which dies with the circuit */
            const char *kept = arena_text(arena, name, strlen(name));
            void *of = f->families[i].class->memory(f->families[i].batch, k, arena);
            good = of && kept && name_table_put(memories, kept, of);
        }
    return good;
}

static enum kn_status recall(const struct device_family *f, const struct name_table *memories,
                             const struct element **lost)
{
    enum kn_status status = KN_OK;
    for (size_t k = 0; f->class->recall && k < f->count && status == KN_OK; k++) {
        *lost = f->elements[k];
        const void *of = name_table_get(memories, f->elements[k]->name);
        status = of ? f->class->recall(f->batch, k, of) : KN_ERROR_CIRCUIT;
    }
    return status;
}

enum kn_status mna_recall(struct mna *m, const struct name_table *memories, const struct element **lost)
{
    enum kn_status status = KN_OK;
    for (size_t i = 0; i < m->families.count && status == KN_OK; i++)
        status = recall(&m->families.families[i], memories, lost);
    m->known.from = NAN; /* there are other corners */
    return status;
}
