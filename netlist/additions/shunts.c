/* shunts.c - .options rshunt, gshunt and cshunt: a resistor, or a conductance, and a capacitor from every node with a voltage
 * to ground, as in ngspice (rshunt, cshunt), LTspice and HSPICE (gshunt, cshunt).
 *
 * A resistor also ties a circuit that touches node 0 nowhere, in decks of programs for schematics: no current flows in it.
 *
 * The resistors are noiseless, as there.  Nodes that no card names, those inside devices and states of formulas, have none.
 */
#include "netlist/formulas/formulas.h"

#include <math.h>
#include <string.h>

static const struct setting noiseless[] = {{.name = "noisy", .has_value = true, .value = 0}};

/* The last one of a name that can be taken; 0: there is none. */
static double size_of(struct expansion *x, const char *name)
{
    const struct setting *s = circuit_option(x->circuit, name);
    if (!s)
        return 0;
    if (s->has_value && !s->text && s->value > 0 && isfinite(s->value))
        return s->value;
    const bool off = s->has_value && !s->text && s->value == 0;
    if (!off)
        deck_fail(x->deck, "option-value", s->where, "leave it away, or write .options rshunt=1e12",
                  "option '%s' needs a positive number", name);
    return 0;
}

/* Of elements that are there; states of logic are no voltages, and names with # are none of the deck. */
static bool *nodes_of_deck(struct expansion *x)
{
    const struct node *nodes = x->nodes.items;
    bool *has_voltage = arena_array(x->deck->scratch, x->nodes.count + 1, sizeof *has_voltage);
    for (size_t i = 0; has_voltage && i < x->element_count; i++) {
        const struct element *e = &x->elements[i];
        if (e->kind && !expand_mark_voltages(x, e, has_voltage))
            return NULL;
    }
    for (size_t n = 0; has_voltage && n < x->nodes.count; n++)
        has_voltage[n] = has_voltage[n] && n > 0 && !strchr(nodes[n].name, '#');
    return has_voltage;
}

static bool add_at(struct expansion *x, int node, const char *name, char letter, double value)
{
    const struct node *n = (const struct node *)x->nodes.items + node;
    struct element *e = arena_alloc(x->deck->arena, sizeof *e), **slot = vector_push(&x->states);
    int *ends = arena_array(x->deck->arena, 2, sizeof *ends);
    const char *own = arena_format(x->deck->arena, "%s#%s", name, n->name);
    if (!e || !slot || !ends || !own)
        return deck_no_memory(x->deck);
    *slot = e;
    ends[0] = node;
    *e = (struct element){.kind = catalogue_letter(x->deck->catalogue, letter),
                          .name = own,
                          .number = (int)(x->element_count + x->states.count - 1),
                          .where = n->where,
                          .nodes = ends,
                          .node_count = 2,
                          .multiplicity = 1,
                          .has_value = true,
                          .value = value,
                          .settings = letter == 'r' ? noiseless : NULL,
                          .setting_count = letter == 'r'};
    return true;
}

static bool add_at_all(struct expansion *x, const bool *wanted, const char *name, char letter, double value)
{
    bool good = true;
    for (size_t n = 1; value > 0 && good && n < x->nodes.count; n++)
        good = !wanted[n] || add_at(x, (int)n, name, letter, value);
    return good;
}

void expand_shunts(struct expansion *x)
{
    const double resistance = size_of(x, "rshunt"), conductance = size_of(x, "gshunt"),
                 capacitance = size_of(x, "cshunt");
    if (resistance == 0 && conductance == 0 && capacitance == 0)
        return;
    const bool *wanted = nodes_of_deck(x);
    if (!wanted)
        deck_no_memory(x->deck);
    else if (add_at_all(x, wanted, "rshunt", 'r', resistance) &&
             add_at_all(x, wanted, "gshunt", 'r', conductance > 0 ? 1 / conductance : 0) &&
             add_at_all(x, wanted, "cshunt", 'c', capacitance))
        formulas_keep_states(x);
}

/* ---- ground ---- */

static bool touches_ground(const struct expansion *x)
{
    for (size_t i = 0; i < x->element_count; i++)
        for (size_t n = 0; n < x->elements[i].node_count; n++)
            if (x->elements[i].nodes[n] == 0)
                return true;
    return false;
}

void expand_ground(struct expansion *x)
{
    const unsigned such = DIALECT_BIT(DIALECT_LTSPICE) | DIALECT_BIT(DIALECT_KICAD);
    if (!(such & DIALECT_BIT(x->deck->dialect)) || x->element_count == 0 || touches_ground(x))
        return;
    const bool *wanted = nodes_of_deck(x);
    size_t first = 1;
    while (wanted && first < x->nodes.count && !wanted[first])
        first++;
    if (!wanted || first == x->nodes.count)
        return;
    const struct node *node = (const struct node *)x->nodes.items + first;
    deck_warn(x->deck, "no-ground", node->where, "name the node that all voltages are measured against 0 (or gnd)",
              "the circuit has no ground: no element is connected to node 0; the voltage of node '%s' is taken as 0 V",
              node->name);
    if (add_at(x, (int)first, "ground", 'r', 1))
        formulas_keep_states(x);
}
