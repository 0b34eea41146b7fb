/* supplies.c - nodes of digital devices that PSpice feeds by itself: $G_DPWR with 5 V, $G_DGND with 0, $D_HI and $D_LO as 1 and 0
 * (PSpice User Guide, "Digital power supplies").  A deck that connects a source of voltage to one of them has its own.  ngspice does
 * not look at pins of power at all: where nothing but such pins is, its decks get the voltages, too, whatever the node is called.
 */
#include "base/text.h"
#include "netlist/expand/expand_card.h"
#include "netlist/expression/expression_tree.h"

#include <string.h>

static const struct supply {
    const char *node, *part;
    double voltage;
} supplies[MOST_SUPPLIES] = {
    {"$G_DPWR", "power", 5}, {"$G_DGND", "ground", 0}, {"$D_HI", "high", 5}, {"$D_LO", "low", 0}};

/* The first digital device at the node; NULL if there is none, or if something else sets its voltage. */
static const struct element *user_of(const struct expansion *x, int node)
{
    const struct element *user = NULL;
    for (size_t i = 0; i < x->element_count; i++) {
        const struct element *e = &x->elements[i];
        for (size_t n = 0; e->kind && n < e->node_count; n++) {
            if (e->nodes[n] != node)
                continue;
            if (strchr("vehb", e->kind->letter))
                return NULL;
            user = !user && e->kind->letter == 'u' ? e : user;
        }
    }
    return user;
}

static bool add_source(struct expansion *x, const struct element *user, const struct supply *s, int node)
{
    int *nodes = arena_array(x->deck->arena, 2, sizeof *nodes);
    struct element *e = expand_new_part(x, user, 'v', s->part, user->where);
    if (!nodes || !e)
        return deck_no_memory(x->deck);
    nodes[0] = node;
    e->nodes = nodes;
    e->node_count = 2;
    e->multiplicity = 1;
    e->source.has_dc = true;
    e->source.dc = s->voltage;
    e->source.wave.repeat_from = -1;
    expand_use_node(x, node, USE_DRIVEN);
    expand_use_node(x, 0, USE_DRIVEN);
    return true;
}

/* ---- pins of power that lead nowhere ---- */

enum pin_use { UNUSED, POWER, GROUND, OTHER };

static void note_pins(const struct element *e, enum pin_use *uses)
{
    for (size_t n = 0; n < e->node_count; n++) {
        enum pin_use *use = &uses[e->nodes[n]];
        const enum pin_use pin = e->kind->letter != 'u' || n > 1 ? OTHER : n == 0 ? POWER : GROUND;
        *use = *use == UNUSED || *use == pin ? pin : OTHER;
    }
    for (size_t n = 0; n < e->control_node_count; n++)
        uses[e->control_nodes[n]] = OTHER;
}

static bool feed_idle_pins(struct expansion *x)
{
    enum pin_use *uses = arena_array(x->deck->scratch, x->nodes.count, sizeof *uses);
    if (!uses)
        return deck_no_memory(x->deck);
    const size_t count = x->element_count;
    for (size_t i = 0; i < count; i++)
        if (x->elements[i].kind)
            note_pins(&x->elements[i], uses);
    bool good = true;
    for (size_t n = 1; good && n < x->nodes.count; n++) {
        if (uses[n] != POWER && uses[n] != GROUND)
            continue;
        const struct node *node = (const struct node *)x->nodes.items + n;
        const struct supply idle = {node->name, uses[n] == POWER ? "power" : "ground", uses[n] == POWER ? 5 : 0};
        deck_warn(x->deck, "supply", node->where, "connect a source to it, or write $G_DPWR or $G_DGND",
                  "nothing feeds '%s', where pins of digital devices for their power are: it has %g V", idle.node,
                  idle.voltage);
        good = add_source(x, user_of(x, (int)n), &idle, (int)n);
    }
    return good;
}

bool expand_supplies(struct expansion *x)
{
    struct text names = TEXT(100);
    struct text_list list = text_list(&names, ", ", 0);
    const struct element *first = NULL;
    for (size_t k = 0; k < MOST_SUPPLIES; k++) {
        const int *number = name_table_get(x->circuit->node_table, supplies[k].node);
        const struct element *user = number && *number > 0 ? user_of(x, *number) : NULL;
        if (!user)
            continue;
        if (!add_source(x, user, &supplies[k], *number))
            return false;
        first = first ? first : user;
        text_list_add(&list, supplies[k].node);
    }
    text_list_end(&list);
    if (first)
        deck_note(x->deck, "supply", first->where, "as in PSpice power of digital devices is 5 V against 0: %s",
                  names.at);
    return x->deck->dialect != DIALECT_NGSPICE || feed_idle_pins(x);
}
