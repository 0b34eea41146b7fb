/* expand_title.c - a first line that was meant to be read: the title is never an element, whatever it says.
 *
 * It is taken for one when it reads like a card of its letter and speaks of this deck: its nodes, models, subcircuits
 * or elements are those of other lines.  Few sentences do.
 */
#include "netlist/expand/expand.h"

#include <stdlib.h>
#include <string.h>

struct title {
    struct deck *deck;
    const struct circuit *circuit;
    const struct item *name, *next;
    size_t known, unknown; /* nodes that other lines know, and others */
};

static bool is_name_of_model(const struct title *t, const struct item *i)
{
    return i && i->kind == ITEM_WORD && !i->value && name_table_get(t->deck->top->models, i->text);
}

static bool is_name_of_element(const struct title *t, const struct item *i)
{
    return i && i->kind == ITEM_WORD && !i->value && circuit_find_element(t->circuit, i->text) >= 0;
}

static bool is_value(const struct item *i)
{
    return i && !i->value && (i->kind == ITEM_EXPRESSION || i->is_number);
}

static bool is_one_of(const struct item *i, const char *const *words)
{
    for (; *words; words++)
        if (item_is(i, *words))
            return true;
    return false;
}

static bool take_nodes(struct title *t, size_t count)
{
    for (; count > 0; count--, t->next = t->next->next) {
        if (!t->next || t->next->kind != ITEM_WORD || t->next->value)
            return false;
        if (circuit_find_node(t->circuit, t->next->text) >= 0)
            t->known++;
        else
            t->unknown++;
    }
    return true;
}

static bool is_passive(struct title *t)
{
    static const char *const values[] = {"r", "c", "l", "q", "flux", "value", NULL};
    return take_nodes(t, 2) && (is_value(t->next) || is_name_of_model(t, t->next) ||
                                (t->next && t->next->value && is_one_of(t->next, values)));
}

static bool is_source(struct title *t)
{
    static const char *const words[] = {"dc", "ac", "pulse", "sin", "sine", "exp", "pwl", "sffm", "am", NULL};
    return take_nodes(t, 2) &&
           (!t->next || is_value(t->next) || t->next->kind == ITEM_GROUP || is_one_of(t->next, words));
}

static bool is_behavioural(struct title *t)
{
    static const char *const laws[] = {"v", "i", NULL};
    return take_nodes(t, 2) && t->next && t->next->value && is_one_of(t->next, laws);
}

static bool is_controlled(struct title *t)
{
    static const char *const words[] = {"poly", "table", "value", "vol", "cur", "vcvs", "vccs", NULL};
    return take_nodes(t, 2) && (is_one_of(t->next, words) || (take_nodes(t, 2) && is_value(t->next)));
}

static bool is_controlled_by_current(struct title *t)
{
    static const char *const words[] = {"poly", "value", "vol", "cur", NULL};
    return take_nodes(t, 2) &&
           (is_one_of(t->next, words) || (is_name_of_element(t, t->next) && is_value(t->next->next)));
}

/* Nodes and what controls, in front of a model. */
static bool is_of_model(struct title *t, const struct element_kind *kind)
{
    const struct node_counts nodes = kind_nodes(kind);
    if (!take_nodes(t, nodes.least))
        return false;
    for (size_t open = nodes.open; open > 0 && t->next && !is_name_of_model(t, t->next); open--)
        if (!take_nodes(t, 1))
            return false;
    if (!take_nodes(t, kind->control_nodes))
        return false;
    for (size_t i = 0; i < kind->control_elements; i++, t->next = t->next->next)
        if (!is_name_of_element(t, t->next))
            return false;
    return is_name_of_model(t, t->next);
}

static bool is_instance(struct title *t)
{
    while (t->next && t->next->next && !t->next->next->value && !item_is(t->next->next, "params:"))
        if (!take_nodes(t, 1))
            return false;
    return t->next && t->next->kind == ITEM_WORD && level_find(t->deck->top, t->next->text);
}

static bool is_coupling(struct title *t)
{
    size_t coils = 0;
    for (; is_name_of_element(t, t->next); t->next = t->next->next)
        coils++;
    t->known = coils;
    return coils >= 2 && is_value(t->next);
}

/* Whose last word names a model. */
static bool is_of_ports(struct title *t)
{
    while (t->next && t->next->next)
        t->next = t->next->next;
    t->known = 1;
    return t->next && t->next->kind == ITEM_WORD && !t->next->value &&
           name_table_get(t->deck->top->models, t->next->text);
}

static bool reads_like_its_letter(struct title *t, const struct element_kind *kind)
{
    switch (kind->form) {
    case CARD_PASSIVE:
        return is_passive(t);
    case CARD_COUPLING:
        return is_coupling(t);
    case CARD_SETTINGS:
        return take_nodes(t, kind_nodes(kind).least) && t->next && t->next->value;
    case CARD_SOURCE:
        return is_source(t);
    case CARD_BY_VOLTAGE:
        return is_controlled(t);
    case CARD_BY_CURRENT:
        return is_controlled_by_current(t);
    case CARD_LAW:
        return is_behavioural(t);
    case CARD_MODEL:
        return is_of_model(t, kind);
    case CARD_PORTS:
    case CARD_TYPED:
    case CARD_GATE:
        return is_of_ports(t);
    case CARD_Y:
    case CARD_COUPLED:
    case CARD_RC_LINE:
        return true;
    case CARD_MACHINE:
        return false;
    case CARD_INSTANCE:
        return is_instance(t);
    }
    return false;
}

/* The title as a statement; NULL where it is none, such as a comment. */
static const struct statement *statement_of(struct deck *k)
{
    const size_t length = strlen(k->title);
    char *text = arena_alloc(k->scratch, length + 3); /* a newline and two NUL behind the text */
    struct statements list = {0};
    if (!text) {
        deck_no_memory(k);
        return NULL;
    }
    memcpy(text, k->title, length);
    text[length] = '\n';
    struct deck_text t = {.file = k->file, .text = text, .length = length + 1};
    if (!deck_lines_prepare(&t, NULL))
        return NULL;
    struct deck_counts counts = {0};
    deck_statements(k->scratch, &t, NULL, &counts, &list);
    return list.first && !list.first->broken ? list.first : NULL;
}

/* R12 rather than Ripple. */
static bool is_numbered(const char *name)
{
    return name[1] && name[1 + strspn(name + 1, "0123456789")] == '\0';
}

static bool is_element(struct deck *k, const struct circuit *c)
{
    const struct statement *s = statement_of(k);
    if (!s || s->items->kind != ITEM_WORD || s->items->value)
        return false;
    deck_open_group(s->items);
    struct title t = {.deck = k, .circuit = c, .name = s->items, .next = s->items->next};
    const struct element_kind *kind = expand_kind(k, s);
    return kind && reads_like_its_letter(&t, kind) && t.known > 0 && (t.unknown == 0 || is_numbered(s->items->text));
}

void deck_check_title(struct deck *k, const struct circuit *c)
{
    const size_t length = strcspn(k->title, " \t");
    const char *word = arena_text(k->scratch, k->title, length);
    if (!word)
        deck_no_memory(k);
    else if (word[0] == '.' ? deck_card_without_dot(k, word + 1) != NULL : is_element(k, c))
        deck_warn(k, "title", (struct kn_location){k->file, 1, 1, (int)length}, "put a title line in front of it",
                  "the first line is the title; this '%s' is not read", word);
}
