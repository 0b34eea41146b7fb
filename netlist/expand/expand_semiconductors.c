/* expand_semiconductors.c - element cards D, Q and M, and of switches S and W: nodes, model, area or geometry, flags.
 */
#include "netlist/expand/expand_card.h"

static bool is_model(struct card *c, size_t word)
{
    struct instance *owner;
    return word < c->word_count && c->words[word]->kind == ITEM_WORD &&
           expand_model_card(c->at, c->words[word]->text, &owner);
}

static bool read_model(struct card *c, const char *const *types)
{
    const struct item *name = card_peek(c);
    if (!name || name->kind != ITEM_WORD)
        return card_expected(c, "the name of a model");
    c->next++;
    c->e->model = expand_model(c->x, c->at, name, types, c->reader->noun);
    return c->e->model != NULL;
}

/* A model where a node should be: one node was forgotten. */
static bool check_nodes(struct card *c, size_t nodes)
{
    const struct item *last = nodes <= c->word_count ? c->words[nodes - 1] : NULL;
    if (!last || !is_model(c, nodes - 1) || is_model(c, nodes))
        return true;
    return card_fail(c, "syntax", last->where, diagnostics_hint(c->x->deck->diagnostics, "write %s", c->reader->usage),
                     "%s: expected %zu nodes in front of model '%s', found %zu", card_owner(c), nodes, last->text,
                     nodes - 1);
}

static bool is_flag(const struct item *i)
{
    return item_is(i, "off") || item_is(i, "on") || item_is(i, "thermal") || item_is(i, "tnodeout");
}

/* A bare number behind the model. */
static bool named_value(struct card *c, const char *name, struct item *i)
{
    double value = 0.0;
    struct item alone = {.kind = ITEM_WORD, .text = name, .where = i->where, .value = i};
    struct item *next = i->next;
    if (!name) {
        c->e->has_value = true;
        return card_value(c, i, &c->e->value);
    }
    i->next = NULL; /* one value, not a list */
    const bool good = card_value(c, i, &value) && expand_setting(c->x, c->at, &alone);
    i->next = next;
    return good;
}

/* Words behind the model: flags, and numbers that stand for the given names in turn; "" ends them, NULL is the area. */
static bool read_rest(struct card *c, const char *const *names)
{
    bool good = true;
    for (struct item *i; good && (i = card_peek(c)); c->next++) {
        if (is_flag(i))
            good = expand_setting(c->x, c->at, i);
        else if (*names && !**names)
            good = card_expected(c, "no more values");
        else
            good = named_value(c, *names++, i);
    }
    for (struct item *i = c->statement->items->next; i; i = i->next)
        if (i->value)
            good = expand_setting(c->x, c->at, i) && good;
    return expand_keep_settings(c->x, &c->e->settings, &c->e->setting_count) && good;
}

static const char *const area[] = {NULL, ""};

bool read_diode(struct card *c)
{
    static const char *const types[] = {"d", NULL};
    return check_nodes(c, 2) && card_nodes(c, 2) && read_model(c, types) && read_rest(c, area);
}

/* c b e [s] model: the fourth word is the substrate node unless it is a model. */
bool read_bipolar(struct card *c)
{
    static const char *const types[] = {"npn", "pnp", NULL};
    const bool substrate = !is_model(c, 3) && c->word_count > 4 && !is_flag(c->words[4]) &&
                           (is_model(c, 4) || !item_is_number(c->words[4]));
    if (!check_nodes(c, 3) || !card_nodes(c, substrate ? 4 : 3))
        return false;
    if (!substrate) {
        int *nodes = arena_array(c->x->deck->arena, 4, sizeof *nodes); /* ground for the substrate */
        if (!nodes)
            return deck_no_memory(c->x->deck);
        for (int i = 0; i < 3; i++)
            nodes[i] = c->e->nodes[i];
        c->e->nodes = nodes;
        c->e->node_count = 4;
    }
    return read_model(c, types) && read_rest(c, area);
}

/* The level of a model card; 1 where it gives none. */
static double level_of(struct card *c, const struct item *name)
{
    static const char *const types[] = {"nmos", "pmos", NULL};
    const struct model *m = expand_model(c->x, c->at, name, types, c->reader->noun);
    double level = 1.0;
    for (size_t i = 0; m && i < m->setting_count; i++)
        if (names_equal(m->settings[i].name, "level") && m->settings[i].has_value && !m->settings[i].text)
            level = m->settings[i].value;
    return level;
}

/* Where the model stands tells what transistor it is: VDMOS have three nodes or five, SOI transistors five and more. */
static bool check_kind(struct card *c)
{
    struct instance *owner;
    size_t place = 2;
    while (place < c->word_count && !is_model(c, place))
        place++;
    if (place >= c->word_count)
        return true;
    const struct item *name = c->words[place];
    const struct model_card *card = expand_model_card(c->at, name->text, &owner);
    const char *where = deck_place(c->x->deck, card->statement->items->where);
    if (card->broken)
        return true;
    if (names_equal(card->type, "vdmos"))
        return card_fail(c, "unsupported", name->where,
                         diagnostics_hint(c->x->deck->diagnostics,
                                          "the model is at %s; a model of type nmos, level 1, "
                                          "comes near",
                                          where),
                         "%s: transistors of type VDMOS are not supported yet", card_owner(c));
    if (place < 5)
        return true;
    const double level = level_of(c, name);
    return card_fail(c, "unsupported", c->words[4]->where,
                     level == 1.0 ? diagnostics_hint(c->x->deck->diagnostics, "the model is at %s", where)
                                  : diagnostics_hint(c->x->deck->diagnostics,
                                                     "the model at %s has level %g; knoten has level 1", where, level),
                     "%s has %zu nodes in front of model '%s'; transistors here have 4", card_owner(c), place,
                     name->text);
}

bool read_mosfet(struct card *c)
{
    static const char *const types[] = {"nmos", "pmos", NULL}, *const geometry[] = {"l", "w", "ad", "as", ""};
    return check_kind(c) && check_nodes(c, 4) && card_nodes(c, 4) && read_model(c, types) && read_rest(c, geometry);
}

/* ---- S and W: what controls them stands between nodes and model ---- */

static const char *const no_values[] = {""};

bool read_voltage_switch(struct card *c)
{
    static const char *const types[] = {"sw", "vswitch", NULL};
    if (!check_nodes(c, 4) || !card_nodes(c, 2) ||
        !card_node_list(c, 2, &c->e->control_nodes, USE_CONTROL, "a controlling node"))
        return false;
    c->e->control_node_count = 2;
    return read_model(c, types) && read_rest(c, no_values);
}

bool read_current_switch(struct card *c)
{
    static const char *const types[] = {"csw", "iswitch", NULL};
    return card_nodes(c, 2) && card_controls(c, 1) && read_model(c, types) && read_rest(c, no_values);
}
