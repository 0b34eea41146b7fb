/* integrator.c - what every method is made of. */
#include "integrators/integrator.h"

void *integrator_new(size_t size, const struct integrator_class *class, const struct dae *dae,
                     const struct integrator_options *o)
{
    struct arena *memory;
    struct integrator *m = arena_object(size, &memory);
    if (!m)
        return NULL;
    m->memory = memory;
    m->class = class;
    m->dae = dae;
    m->relative = o->relative;
    return m;
}
