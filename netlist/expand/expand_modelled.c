/* expand_modelled.c - element cards with a model, such as D, Q, M, S and W: nodes, what controls, model, values, flags.
 *
 * A letter may belong to several kinds, which take models of other types or levels and may have other nodes.  A card is
 * of the first kind whose model stands where that kind has it.
 */
#include "netlist/expand/expand_card.h"

#include <string.h>

static struct model_card *model_at(struct card *c, size_t word, struct instance **owner)
{
    return word < c->word_count && c->words[word]->kind == ITEM_WORD
               ? expand_model_card(c->at, c->words[word]->text, owner)
               : NULL;
}

static bool is_model(struct card *c, size_t word)
{
    struct instance *owner;
    return model_at(c, word, &owner);
}

static bool is_flag(const struct item *i)
{
    return item_is(i, "noiseless") || item_is(i, "off") || item_is(i, "on") || item_is(i, "thermal") ||
           item_is(i, "tnodeout");
}

/* ---- which kind ---- */

/* How many nodes of a kind that may be left out are there: those in front of the model; without one a node is where what
 * follows can be a model. */
static size_t open_nodes(struct card *c, struct node_counts nodes)
{
    size_t open = 0;
    for (size_t before = 0; before <= nodes.open && nodes.least + before < c->word_count; before++)
        if (is_model(c, nodes.least + before))
            return before;
    for (size_t place = nodes.least; open < nodes.open && !is_model(c, place) && c->word_count > place + 1;
         place++, open++)
        if (is_flag(c->words[place + 1]) || (!is_model(c, place + 1) && c->words[place + 1]->is_number))
            break;
    return open;
}

/* The word that names the model, if the card is of this kind. */
static size_t place_of_model(struct card *c, const struct element_kind *kind)
{
    const struct node_counts nodes = kind_nodes(kind);
    return nodes.least + open_nodes(c, nodes) + kind->control_nodes + kind->control_elements;
}

/* Sets c->kind; false with an error, or silently where the model is broken. */
static bool fits(struct card *c, const struct element_kind *kind)
{
    struct instance *owner;
    const size_t place = place_of_model(c, kind);
    const struct model_card *card = model_at(c, place, &owner);
    if (!card || (!expand_model_is_broken(c->x, card) && !kind_type(kind, card->type)))
        return false;
    const struct element_kind *found = kind;
    if (kind->levels && !expand_model_is_broken(c->x, card))
        expand_model(c->x, c->at, c->words[place], &found);
    return found == kind;
}

static const struct element_kind *kind_that_fits(struct card *c)
{
    const struct element_kind *kind;
    for (struct catalogue_walk w = catalogue_walk(c->x->deck->catalogue); (kind = catalogue_next(&w));)
        if (kind->letter == c->kind->letter && fits(c, kind))
            return kind;
    return NULL;
}

/* Where the model is, and its level if that is the reason why the kind is not known. */
static const char *hint_for_place(struct card *c, struct instance *owner, struct model_card *card)
{
    const char *where = deck_place(c->x->deck, card->statement->items->where);
    const struct catalogue *catalogue = c->x->deck->catalogue;
    const struct model *m = expand_model_is_broken(c->x, card) ? NULL : expand_made_model(c->x, owner, card);
    const char *levels =
        m && kind_type(c->kind, m->type) && !catalogue_find(catalogue, c->kind->letter, m->type, m->level)
            ? catalogue_levels(catalogue, c->kind->letter, m->type, c->x->deck->scratch)
            : NULL;
    return levels ? diagnostics_hint(c->x->deck->diagnostics, "the model at %s has level %g; knoten has %s", where,
                                     m->level, levels)
                  : diagnostics_hint(c->x->deck->diagnostics, "the model is at %s", where);
}

static bool has_word(const struct card *c, const char *word)
{
    size_t i = 0;
    while (i < c->word_count && !item_is(c->words[i], word))
        i++;
    return i < c->word_count;
}

/* The kind that takes a model, wherever that stands; c->kind where none does.  NULL for a level that is not known: then
 * nobody can say how many nodes are right. */
static const struct element_kind *kind_of_card(struct card *c, struct instance *owner, struct model_card *card)
{
    const struct catalogue *catalogue = c->x->deck->catalogue;
    const struct element_kind *of_type = catalogue_find(catalogue, c->kind->letter, card->type, NAN);
    const struct model *m = of_type ? expand_made_model(c->x, owner, card) : NULL;
    return m ? catalogue_find(catalogue, c->kind->letter, m->type, m->level) : c->kind;
}

/* A model elsewhere than where it should be: a node was forgotten, or the device is one that is not known here. */
static bool check_place(struct card *c)
{
    struct instance *owner;
    const size_t right = place_of_model(c, c->kind), nodes = right - c->kind->control_elements;
    size_t place = 1;
    while (place < c->word_count && !is_model(c, place))
        place++;
    if (is_model(c, right) || place >= c->word_count || c->kind->control_elements > 0)
        return true;
    struct model_card *card = model_at(c, place, &owner);
    const bool broken = expand_model_is_broken(c->x, card);
    const struct element_kind *kind = broken ? NULL : kind_of_card(c, owner, card);
    if (!kind) {
        kind = c->kind;
        return expand_model(c->x, c->at, c->words[place], &kind) != NULL; /* which says once what is wrong with it */
    }
    if (kind != c->kind) {
        c->kind = c->e->kind = kind;
        c->nodes = kind_nodes(kind);
        return check_place(c);
    }
    const struct foreign_kind *foreign =
        catalogue_type(c->x->deck->catalogue, card->type) ? NULL : foreign_type(card->type);
    if (foreign && foreign->nouns)
        return card_fail(c, "unsupported", c->words[place]->where, hint_for_place(c, owner, card),
                         "%s: %s are not supported yet", card_owner(c), foreign->nouns);
    if (place < nodes)
        return card_fail(c, "syntax", c->words[place]->where, card_usage_hint(c),
                         "%s: expected %zu nodes in front of model '%s', found %zu", card_owner(c), nodes,
                         c->words[place]->text, place);
    const bool thermal = has_word(c, "thermal") || has_word(c, "tnodeout");
    return card_fail(c, "unsupported", c->words[nodes]->where,
                     thermal ? "self-heating is not modelled: leave thermal nodes and 'thermal' out"
                             : hint_for_place(c, owner, card),
                     "%s has %zu nodes in front of model '%s'; a %s has %zu", card_owner(c), place,
                     c->words[place]->text, c->kind->noun, nodes);
}

/* ---- the rest of the card ---- */

static bool read_controls(struct card *c)
{
    c->e->control_node_count = c->kind->control_nodes;
    if (c->kind->control_nodes > 0)
        return card_node_list(c, c->kind->control_nodes, &c->e->control_nodes, USE_CONTROL, "a controlling node");
    return c->kind->control_elements == 0 || card_controls(c, c->kind->control_elements);
}

/* *name becomes the word that names it. */
static bool read_model(struct card *c, const struct item **name)
{
    *name = card_peek(c);
    if (!*name || (*name)->kind != ITEM_WORD)
        return card_expected(c, "the name of a model");
    c->next++;
    c->e->model = expand_model(c->x, c->at, *name, &c->e->kind);
    return c->e->model != NULL;
}

/* The next of the parameters that bare numbers stand for; NULL when there are no more. */
static const char *next_value(struct card *c, const char **names)
{
    if (!*names || !**names)
        return NULL;
    const size_t length = strcspn(*names, " ");
    const char *name = arena_text(c->x->deck->arena, *names, length);
    *names += length + strspn(*names + length, " ");
    return name;
}

static bool read_value(struct card *c, struct item *i, const char **names)
{
    const char *name = next_value(c, names);
    if (!name)
        return card_expected(c, "no more values");
    double value = 0.0;
    struct item alone = {.kind = ITEM_WORD, .text = name, .where = i->where};
    return card_value(c, i, &value) && expand_setting_with_blank(c->x, c->at, &alone, i);
}

static bool read_rest(struct card *c)
{
    const char *names = c->kind->values;
    bool good = true;
    for (struct item *i; good && (i = card_peek(c)); c->next++)
        if (item_is(i, "noiseless"))
            c->e->noiseless = true;
        else
            good = is_flag(i) ? expand_setting(c->x, c->at, i) : read_value(c, i, &names);
    for (struct item *i = c->statement->items->next; i; i = i->next)
        if (i->value)
            good = expand_setting(c->x, c->at, i) && good;
    return card_keep_settings(c) && good;
}

/* With `thermal` an element heats itself, where its kind can and the card has all nodes for it. */
static bool take_heat(struct card *c)
{
    const struct element_kind *heated = c->e->kind->heated;
    if (!heated || !(has_word(c, "thermal") || card_assignment(c, "thermal")))
        return true;
    const size_t nodes = kind_nodes(heated).least;
    if (c->e->named_nodes >= nodes) {
        c->e->kind = heated;
        for (size_t i = kind_nodes(c->kind).least; i < nodes; i++) /* the surroundings are there as well */
            expand_use_node(c->x, c->e->nodes[i], USE_TERMINAL);
        return true;
    }
    diagnostics_add(c->x->deck->diagnostics, KN_WARNING, "thermal", c->e->where, NULL,
                    "%s says 'thermal', but has no node for the temperature: it does not heat itself", card_owner(c));
    return true;
}

bool read_with_model(struct card *c)
{
    const struct item *name;
    struct item *control =
        c->kind->control_nodes + c->kind->control_elements > 0 ? card_assignment(c, "control") : NULL;
    if (control)
        return card_controlled_switch(c, control);
    const struct element_kind *kind = kind_that_fits(c);
    if (kind) {
        c->kind = c->e->kind = kind;
        c->nodes = kind_nodes(kind);
    } else if (!check_place(c))
        return false;
    return card_nodes(c, open_nodes(c, c->nodes)) && read_controls(c) && read_model(c, &name) && read_rest(c) &&
           card_choose_bin(c, name) && take_heat(c);
}
