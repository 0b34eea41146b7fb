/* read_y_card.c - Xyce's Y cards: a type, a name of its own, nodes, perhaps a model.  Elements of other letters do what
 * they do:
 *
 *     YDELAY name out+ out- in+ in- TD=time    a voltage source of the voltage between in+ and in- the time before
 *     YADC name node node model [R=ohms]       the input resistance of a converter to a program outside
 *
 * Both words are the name, as Xyce has it: yadc!name.
 */
#include "netlist/expand/expand_card.h"
#include "netlist/expression/expression_tree.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static bool as_letter(struct card *c, char letter)
{
    c->kind = c->e->kind = catalogue_letter(c->x->deck->catalogue, letter);
    c->nodes = kind_nodes(c->kind);
    return card_nodes(c, 0);
}

static bool read_delay(struct card *c)
{
    static const char *const taken[] = {"td", "bpenabled", "extrapolation", "linearinterp", NULL};
    const struct item *td = card_assignment(c, "td");
    struct arena *arena = c->x->deck->arena;
    double time;
    if (!as_letter(c, 'e'))
        return false;
    if (c->word_count != c->next + 2 || !td)
        return card_fail(c, "syntax", c->statement->end, "write YDELAY name out+ out- in+ in- TD=time",
                         "'%s' needs four nodes and TD", c->e->name);
    if (!card_value(c, td->value, &time))
        return false;
    const struct item *plus = card_take(c), *minus = card_take(c);
    const struct circuit_name low = {minus->text, minus->where};
    const struct circuit_name name = {"absdelay", c->statement->items->where};
    struct expression_node *call = node_call(arena);
    call = node_append(arena, call,
                       node_voltage(arena, (struct circuit_name){plus->text, plus->where}, &low, plus->where));
    call = node_append(arena, call, node_number(arena, time, NULL, td->where));
    const struct expression_tree *law = expression_tree_of(arena, node_close_call(call, name, plus->where));
    return law ? card_law_of_tree(c, LAW_VOLTAGE, law) && card_settings(c, taken) : deck_no_memory(c->x->deck);
}

/* Without R= a conductance of 0. */
static bool read_converter(struct card *c)
{
    const struct item *r = card_assignment(c, "r");
    if (!as_letter(c, 'r'))
        return false;
    c->e->has_value = true;
    c->e->value = INFINITY;
    deck_note(c->x->deck, "converter", c->statement->items->where,
              "'%s': its digital side is a program outside; here only its resistance counts", c->e->name);
    return !r || card_value(c, r->value, &c->e->value);
}

static const struct y_type {
    const char *name;
    bool (*read)(struct card *c);
} types[] = {{"ydelay", read_delay}, {"yadc", read_converter}};

/* The type of the card, whether its name has been joined or not. */
static const struct y_type *type_of(const struct statement *s)
{
    const size_t length = strcspn(s->items->text, "!");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == length && strncasecmp(s->items->text, types[i].name, length) == 0)
            return &types[i];
    return NULL;
}

bool y_card_is_known(const struct statement *s)
{
    const struct item *second = s->items->next;
    return type_of(s) && (strchr(s->items->text, '!') || (second && second->kind == ITEM_WORD && !second->value));
}

bool y_card_join_name(struct deck *k, struct statement *s)
{
    struct item *first = s->items;
    if (strchr(first->text, '!'))
        return true;
    const char *joined = arena_format(k->arena, "%s!%s", first->text, first->next->text);
    if (!joined)
        return deck_no_memory(k);
    first->text = joined;
    first->next = first->next->next;
    return true;
}

bool read_y_card(struct card *c)
{
    return type_of(c->statement)->read(c);
}
