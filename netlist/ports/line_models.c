/* line_models.c - models of types that the catalogue has not: lines become parts, whose models their cards make. */
#include "netlist/expand/expand_card.h"

#include <string.h>

const struct model_card *card_model_of_type(struct card *c, const char *type, const char *hint, struct instance **owner)
{
    const struct item *name = c->words[c->word_count - 1];
    const struct model_card *m = expand_model_card(c->at, name->text, owner);
    if (!m)
        card_fail(c, "unknown-model", name->where, hint, "unknown model '%s'", name->text);
    else if (!m->broken && m->type && strcmp(m->type, type) != 0)
        card_fail(c, "model-type", name->where,
                  diagnostics_hint(c->x->deck->diagnostics, "a %s needs type %s", c->kind->noun, type),
                  "model '%s' has type '%s'", m->name, m->type);
    return m && !m->broken && m->type && strcmp(m->type, type) == 0 ? m : NULL;
}

struct item *card_model_setting(const struct model_card *m, const char *name)
{
    struct item *i = m->settings;
    if (i && i->kind == ITEM_GROUP)
        i = i->inside;
    while (i && !(i->value && item_is(i, name)))
        i = i->next;
    return i;
}
