/* names.c - unknowns by name and by circuit element, and the elements that meet at an unknown. */
#include "mna/listing.h"
#include "mna/system.h"

const struct circuit *mna_circuit(const struct mna *m)
{
    return m->circuit;
}

const struct dae *mna_dae(const struct mna *m)
{
    return &m->dae;
}

int mna_unknown_count(const struct mna *m)
{
    return m->dae.n;
}

const struct unknown *mna_unknown(const struct mna *m, int i)
{
    return &m->setup->unknowns[i + 1];
}

const struct dae_law *mna_laws(const struct mna *m, size_t *count)
{
    *count = m->law_count;
    return m->laws;
}

double mna_typical_size(const struct mna *m, int i)
{
    return mna_unknown(m, i)->kind == UNKNOWN_VOLTAGE ? 1 : 1e-3;
}

struct kn_location mna_unknown_place(const struct mna *m, int i)
{
    const struct unknown *u = mna_unknown(m, i);
    return u->element ? u->element->where : u->node > 0 ? m->circuit->nodes[u->node].where : NOWHERE;
}

int mna_node_unknown(const struct mna *m, int node)
{
    return setup_node(m->setup, node) - 1;
}

int mna_current_unknown(const struct mna *m, int element)
{
    return m->setup->current_of[element] - 1;
}

const char *mna_unknown_name(void *problem, int i)
{
    return mna_unknown(problem, i)->name;
}

static bool touches(const struct element *e, int node)
{
    for (size_t k = 0; k < e->node_count; k++)
        if (e->nodes[k] == node)
            return true;
    return false;
}

void mna_describe(const struct mna *m, int unknown, char *buffer, size_t size)
{
    struct text text = text_in(buffer, size);
    struct text_list list = text_list(&text, ", ", 0);
    const struct unknown *u = mna_unknown(m, unknown);
    bool more = true;
    if (u->element)
        more = listing_item(&list, m->circuit->file, u->element);
    for (size_t i = 0; !u->element && i < m->circuit->element_count && more; i++)
        if (touches(&m->circuit->elements[i], u->node))
            more = listing_item(&list, m->circuit->file, &m->circuit->elements[i]);
    text_list_end(&list);
}

void mna_describe_unknown(void *problem, int i, char *buffer, size_t size)
{
    mna_describe(problem, i, buffer, size);
}
