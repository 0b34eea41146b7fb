/* names.c - unknowns by name and by circuit element, and the elements that meet at an unknown. */
#include "mna/system.h"

#include <stdio.h>
#include <string.h>

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

/* A list that is written item by item into a buffer of limited size. */
struct item_list {
    char *buffer;
    size_t size, used;
    bool full;
};

/* Room kept for the mark that something was left out. */
static const char MORE[] = ", ..";

static void add_item(struct item_list *list, const char *item)
{
    const char *separator = list->used > 0 ? ", " : "";
    const size_t length = strlen(separator) + strlen(item);
    if (list->full)
        return;
    if (list->used + length + sizeof MORE <= list->size) {
        list->used += (size_t)snprintf(list->buffer + list->used, list->size - list->used, "%s%s", separator, item);
        return;
    }
    list->full = true;
    if (list->used + sizeof MORE <= list->size)
        memcpy(list->buffer + list->used, MORE, sizeof MORE);
}

static void add_element(struct item_list *list, const struct circuit *c, const struct element *e)
{
    char item[256];
    const bool elsewhere = e->where.file && c->file && strcmp(e->where.file, c->file) != 0;
    if (elsewhere)
        snprintf(item, sizeof item, "%s (%s line %d)", e->name, e->where.file, e->where.line);
    else
        snprintf(item, sizeof item, "%s (line %d)", e->name, e->where.line);
    add_item(list, item);
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
    struct item_list list = {.buffer = buffer, .size = size};
    if (size == 0)
        return;
    buffer[0] = '\0';
    const struct unknown *u = mna_unknown(m, unknown);
    if (u->element) {
        add_element(&list, m->circuit, u->element);
        return;
    }
    for (size_t i = 0; i < m->circuit->element_count && !list.full; i++)
        if (touches(&m->circuit->elements[i], u->node))
            add_element(&list, m->circuit, &m->circuit->elements[i]);
}

void mna_describe_unknown(void *problem, int i, char *buffer, size_t size)
{
    mna_describe(problem, i, buffer, size);
}
