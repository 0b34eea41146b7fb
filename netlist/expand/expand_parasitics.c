/* expand_parasitics.c - the parasitic elements that LTspice has on cards of C, L, V and B, as elements of their own:
 *
 *     C   first --Rser-- c1#rser --Lser-- c1#lser --C-- second, RLshunt across Lser, Rpar and Cpar across all of it
 *     L   first --Rser-- l1#rser --L-- second, Rpar and Cpar across all of it
 *     V   first --Rser-- v1#rser --V-- second, Cpar across all of it
 *     B   Rpar and Cpar across it
 *
 * (LTspice's help, pages on C, L, V and B).  They are called c1#rser and so on, as the nodes behind them are.  What is
 * 0 or absent is not there; LTspice's own defaults, such as 1 mOhm in every inductor, are not assumed.
 */
#include "netlist/expand/expand_card.h"

#include "base/names.h"

#include <string.h>

enum part { RSER, LSER, RLSHUNT, RPAR, CPAR, PARTS };

/* The letters of the elements they become. */
static const char letters[PARTS] = {'r', 'l', 'r', 'r', 'c'};

struct parasitics {
    struct item *items[PARTS]; /* NULL: not given, or 0 */
    double values[PARTS];
    const struct setting *parallel; /* the element's m, which multiplies them too; or NULL */
};

static struct item *part_item(struct card *c, enum part which)
{
    struct item *i = card_assignment(c, parasitic_names[which]);
    if (!i && which == RSER)
        i = card_assignment(c, "r");
    return i && card_is_parasitic(c, i) ? i : NULL;
}

static bool read_part(struct card *c, struct parasitics *p, enum part which)
{
    struct item *i = part_item(c, which);
    double *value = &p->values[which];
    if (!i)
        return true;
    if (!card_value(c, i->value, value))
        return false;
    if (*value < 0.0)
        return card_fail(c, "value-range", i->value->where, NULL, "%s: %s must not be negative, but is %g",
                         card_owner(c), i->text, *value);
    p->items[which] = *value > 0.0 ? i : NULL;
    return true;
}

static bool read_parts(struct card *c, struct parasitics *p)
{
    bool good = true;
    for (enum part which = 0; which < PARTS; which++)
        good = read_part(c, p, which) && good;
    const bool in_series = p->items[RSER] || p->items[LSER];
    for (size_t i = 0; i < c->e->setting_count; i++)
        if (names_equal(c->e->settings[i].name, "m"))
            p->parallel = &c->e->settings[i];
    const bool by_current = c->e->law == LAW_FLUX || c->e->law == LAW_INDUCTANCE; /* the same all along */
    if (in_series && c->e->law != LAW_NONE && !by_current)
        return card_fail(
            c, "unsupported", c->statement->items->where, "put elements of their own in series or parallel",
            "%s: a law, which knows the outer nodes only, cannot be combined with elements in series", card_owner(c));
    return good;
}

/* The element a part stands for, between two nodes; without one there is nothing to do. */
static bool add_part(struct card *c, const struct parasitics *p, enum part which, int first, int second)
{
    if (!p->items[which])
        return true;
    int *nodes = arena_array(c->x->deck->arena, 2, sizeof *nodes);
    struct element *e = expand_new_part(c->x, c->e, letters[which], parasitic_names[which], p->items[which]->where);
    if (!nodes || !e)
        return deck_no_memory(c->x->deck);
    nodes[0] = first;
    nodes[1] = second;
    e->nodes = nodes;
    e->node_count = 2;
    e->has_value = true;
    e->value = p->values[which];
    e->settings = p->parallel;
    e->setting_count = p->parallel != NULL;
    return true;
}

/* Puts a part in series, in front of what is left; *first becomes the node behind it. */
static bool add_in_series(struct card *c, const struct parasitics *p, enum part which, int *first)
{
    if (!p->items[which])
        return true;
    const int before = *first;
    *first = expand_new_internal_node(c->x, c->e, parasitic_names[which], p->items[which]->where);
    return *first >= 0 && add_part(c, p, which, before, *first);
}

/* ---- ports ---- */

/* The generator of a measurement, whose noise is no part of the circuit's. */
static const struct setting noiseless[] = {{.name = "noisy", .has_value = true, .value = 0}};

static bool has_parts(struct card *c)
{
    for (enum part which = 0; which < PARTS; which++) {
        if (part_item(c, which))
            return true;
    }
    return false;
}

bool card_port(struct card *c, struct kn_location where, double z0)
{
    static const char part[] = "z0";
    if (has_parts(c))
        return card_fail(c, "unsupported", c->statement->items->where, "put elements of their own at the port",
                         "%s: a port has its z0 only, no Rser or Cpar", card_owner(c));
    where = where.line > 0 ? where : c->statement->items->where;
    const int inner = expand_new_internal_node(c->x, c->e, part, where);
    struct element *e = expand_new_part(c->x, c->e, 'r', part, where);
    int *nodes = arena_array(c->x->deck->arena, 4, sizeof *nodes);
    if (inner < 0 || !e || !nodes)
        return deck_no_memory(c->x->deck);
    nodes[0] = c->e->nodes[0];
    nodes[1] = nodes[2] = inner;
    nodes[3] = c->e->nodes[1];
    e->nodes = nodes;
    e->node_count = 2;
    e->has_value = true;
    e->value = z0;
    e->settings = noiseless;
    e->setting_count = 1;
    c->e->nodes = nodes + 2;
    return true;
}

/* ---- parasitics ---- */

bool card_parasitics(struct card *c)
{
    struct parasitics p = {{NULL}, {0}, NULL};
    if (!read_parts(c, &p))
        return false;
    const int first = c->e->nodes[0], second = c->e->nodes[1];
    int inner = first;
    if (!add_part(c, &p, RPAR, first, second) || !add_part(c, &p, CPAR, first, second) ||
        !add_in_series(c, &p, RSER, &inner))
        return false;
    const int before_coil = inner;
    if (!add_in_series(c, &p, LSER, &inner) || (inner != before_coil && !add_part(c, &p, RLSHUNT, before_coil, inner)))
        return false;
    if (inner == first)
        return true;
    int *nodes = arena_array(c->x->deck->arena, 2, sizeof *nodes);
    if (!nodes)
        return deck_no_memory(c->x->deck);
    nodes[0] = inner;
    nodes[1] = second;
    c->e->nodes = nodes;
    return true;
}
