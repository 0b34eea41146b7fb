/* memory.c - what devices remember besides charges, from equations to others of the same elements with other values. */
#include "base/names.h"
#include "mna/system.h"

bool mna_remember(const struct mna *m, struct arena *arena, struct name_table *memories)
{
    const struct device_families *f = &m->families;
    bool good = true;
    for (size_t i = 0; i < f->count; i++)
        for (size_t k = 0; good && f->families[i].class->memory && k < f->families[i].count; k++) {
            void *of = f->families[i].class->memory(f->families[i].batch, k, arena);
            good = of && name_table_put(memories, f->families[i].elements[k]->name, of);
        }
    return good;
}

const struct element *mna_recall(struct mna *m, const struct name_table *memories)
{
    const struct device_families *f = &m->families;
    for (size_t i = 0; i < f->count; i++)
        for (size_t k = 0; f->families[i].class->recall && k < f->families[i].count; k++) {
            const void *of = name_table_get(memories, f->families[i].elements[k]->name);
            if (of && !f->families[i].class->recall(f->families[i].batch, k, of))
                return f->families[i].elements[k];
        }
    return NULL;
}
