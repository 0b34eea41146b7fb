/* deck_bases.c - models that are kinds of others, AKO:name, and leave their type to them, as in LTspice.
 *
 * The other one may come later in the deck, or from a level around; so types are found when all is read.
 */
#include "netlist/deck/deck_reader.h"

enum { MOST_BASES = 50 };

static struct model_card *model_of(const struct level *from, const char *name, const struct level **owner)
{
    for (; from; from = from->parent) {
        struct model_card *m = name_table_get(from->models, name);
        if (m) {
            *owner = from;
            return m;
        }
    }
    return NULL;
}

static bool fail(struct deck *k, struct model_card *m, const char *why)
{
    struct fault *f = arena_alloc(k->scratch, sizeof *f);
    const char *text = arena_format(k->arena, "model '%s' is a kind of '%s', which %s", m->name, m->base, why);
    m->broken = true;
    if (!f || !text)
        return deck_no_memory(k);
    *f = (struct fault){.code = "unknown-model", .text = text, .where = m->statement->items->next->where};
    m->faults = f;
    return false;
}

/* False where there is none, which is an error of the model if it is used. */
static bool take_type(struct deck *k, const struct level *at, struct model_card *m, int depth)
{
    if (m->type || m->broken || !m->base)
        return m->type;
    const struct level *owner = at;
    struct model_card *base = model_of(at, m->base, &owner);
    if (!base)
        return fail(k, m, "is unknown");
    if (depth > MOST_BASES || !take_type(k, owner, base, depth + 1))
        return fail(k, m, "has no type either");
    m->type = base->type;
    return true;
}

static void take_types(struct deck *k, const struct level *l)
{
    for (size_t i = 0; i < name_table_count(l->models); i++)
        for (struct model_card *m = name_table_value(l->models, i); m; m = m->other)
            take_type(k, l, m, 0);
    for (size_t i = 0; i < name_table_count(l->children); i++)
        for (const struct level *inner = name_table_value(l->children, i); inner; inner = inner->other)
            take_types(k, inner);
}

void deck_take_types(struct deck *k)
{
    if (k->has_bases)
        take_types(k, k->top);
}
