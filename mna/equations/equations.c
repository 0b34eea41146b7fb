/* equations.c - the equations of a circuit, in the order in which they are found (see equations.h). */
#include "mna/equations/equations_parts.h"

#include "base/groups.h"

#include <stdlib.h>

static void fill_full(struct equation_builder *b)
{
    struct equation_system *s = &b->e->full;
    if (b->failed)
        return;
    s->potentials = builder_take(b, (size_t)b->e->unknown_count, sizeof *s->potentials);
    for (int u = 0; u <= b->e->unknown_count && s->potentials; u++)
        s->potentials[u].base = u;
    if (s->potentials)
        builder_fill_system(b, s);
}

/* By the numbers of their elements. */
static void order_branches(struct equation_builder *b)
{
    int *element = builder_take(b, b->list->count, sizeof *element), *first;
    for (size_t k = 0; element && k < b->list->count; k++)
        element[k] = b->list->branches[k].element->number;
    b->failed = b->failed || !groups_sort(b->e->arena, element, (int)b->list->count,
                                          (int)mna_circuit(b->m)->element_count, &b->order, &first);
}

static void find_currents(struct equation_builder *b)
{
    b->currents = builder_take(b, b->list->count, sizeof *b->currents);
    for (size_t k = 0; k < b->list->count && !b->failed; k++)
        b->currents[k] = builder_current(b, &b->list->branches[k]);
}

enum kn_status equations_new(const struct mna *m, const struct topology *t, struct equations **out)
{
    *out = NULL;
    struct equations *e = calloc(1, sizeof *e);
    if (!e)
        return KN_ERROR_MEMORY;
    e->arena = arena_new();
    e->topology = t;
    e->unknowns = t->unknowns;
    e->unknown_count = t->unknown_count;
    struct equation_builder b = {.e = e, .m = m, .list = &t->list, .failed = !e->arena};
    find_currents(&b);
    order_branches(&b);
    fill_full(&b);
    builder_reduce(&b, &e->reduced);
    builder_split(&b);
    builder_constraints(&b, t);
    if (b.failed) {
        equations_free(e);
        return KN_ERROR_MEMORY;
    }
    *out = e;
    return KN_OK;
}

void equations_free(struct equations *e)
{
    if (!e)
        return;
    arena_free(e->arena);
    free(e);
}
