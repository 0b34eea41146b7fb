/* line_card.c - see line_card.h. */
#include "netlist/ports/line_card.h"

#include <string.h>

bool line_find_model(struct line_card *l, const char *type, const char *hint)
{
    return line_find_named(l, l->c->words[l->c->word_count - 1], type, hint);
}

bool line_find_named(struct line_card *l, const struct item *name, const char *type, const char *hint)
{
    struct card *c = l->c;
    const struct model_card *m = expand_model_card(c->at, name->text, &l->owner);
    l->model = m;
    if (!m)
        return card_fail(c, "unknown-model", name->where, expand_model_hint(c->x, hint), "unknown model '%s'",
                         name->text);
    if (m->broken || !m->type)
        return false;
    return strcmp(m->type, type) == 0 ||
           card_fail(c, "model-type", name->where,
                     diagnostics_hint(c->x->deck->diagnostics, "a %s needs type %s", c->kind->noun, type),
                     "model '%s' has type '%s'", m->name, m->type);
}

static struct item *first_setting(const struct line_card *l)
{
    struct item *i = l->model->settings;
    return i && i->kind == ITEM_GROUP ? i->inside : i;
}

struct item *line_setting(const struct line_card *l, const char *name)
{
    struct item *i = first_setting(l);
    while (i && !(i->value && item_is(i, name)))
        i = i->next;
    return i;
}

void line_check_settings(const struct line_card *l, const char *names)
{
    for (const struct item *i = first_setting(l); i; i = i->next)
        if (i->value && !name_is_among(names, i->text))
            deck_warn(l->c->x->deck, "unknown-parameter", i->where,
                      diagnostics_hint(l->c->x->deck->diagnostics, "its parameters are %s", names),
                      "model '%s' has no parameter '%s'; it is ignored", l->model->name, i->text);
}

struct element *line_element(struct line_card *l, char letter, const char *part, const int *nodes, size_t count)
{
    struct card *c = l->c;
    struct element *e = !part ? NULL : l->begun ? expand_new_part(c->x, c->e, letter, part, line_place(l)) : c->e;
    int *kept = arena_array(line_arena(l), count, sizeof *kept);
    if (!e || !kept) {
        deck_no_memory(c->x->deck);
        return NULL;
    }
    l->begun = true;
    e->kind = catalogue_letter(c->x->deck->catalogue, letter);
    memcpy(kept, nodes, count * sizeof *kept);
    e->nodes = kept;
    e->node_count = count;
    return e;
}

bool line_two_terminal(struct line_card *l, char letter, const char *part, const int nodes[2], double value)
{
    struct element *e = line_element(l, letter, part, nodes, 2);
    if (!e)
        return false;
    e->has_value = true;
    e->value = value;
    return true;
}

struct setting line_model_value(const struct line_card *l, const char *name, double value)
{
    return (struct setting){.name = name, .has_value = true, .value = value, .where = line_place(l)};
}
