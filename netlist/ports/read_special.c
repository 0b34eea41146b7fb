/* read_special.c - two of LTspice's A devices that are formulas, B sources here:
 *
 *     Aname fm am c c c cosine sine c MODULATOR mark=2k space=1k
 *     Aname v- v+ c c c c out c VARISTOR rclamp=1
 *
 * The modulator's sine is V(am,c) sin(2 pi phase), 1 V in place of V(am,c) where am is c; its frequency, the slope of the
 * phase, is space at V(fm,c) = 0 and mark at 1 V.  The varistor takes no current while V(out,c) is below V(v+,v-) in
 * magnitude, and what is beyond through rclamp.  Source: LTspice's help, "Special functions"; places of the terminals as in
 * its symbols modulate2 and varistor.  The phase begins at 0, and the outputs are sources without resistance.
 */
#include "netlist/expand/expand_card.h"
#include "netlist/expression/expression_tree.h"

static const double TWO_PI = 6.283185307179586;

enum { FIRST, SECOND, COSINE = 5, SINE, COMMON, PLACES };

static bool is_type(const struct card *c, const char *type)
{
    return c->word_count == PLACES + 1 && item_is(c->words[PLACES], type);
}

bool card_is_special(const struct card *c)
{
    return is_type(c, "modulator") || is_type(c, "modulate") || is_type(c, "varistor");
}

static bool is_open(const struct card *c, int place)
{
    return names_equal(c->words[place]->text, c->words[COMMON]->text);
}

static struct expression_node *voltage(const struct card *c, int place)
{
    return card_voltage(c, c->words[place], c->words[COMMON]);
}

static bool number_of(struct card *c, const char *name, double fallback, double *value)
{
    const struct item *given = card_assignment(c, name);
    *value = fallback;
    return !given || card_value(c, given->value, value);
}

/* From a place to the common node: the element of the card, or a part of it. */
static bool between(struct card *c, struct element *e, int place)
{
    int *nodes = arena_array(c->x->deck->arena, 2, sizeof *nodes);
    const int places[] = {place, COMMON};
    if (!nodes || !e)
        return deck_no_memory(c->x->deck);
    for (int i = 0; i < 2; i++) {
        nodes[i] = expand_node(c->x, c->at, c->words[places[i]]);
        if (nodes[i] < 0)
            return false;
        expand_use_node(c->x, nodes[i], USE_TERMINAL);
    }
    e->nodes = nodes;
    e->node_count = 2;
    return true;
}

/* ---- the modulator ---- */

/* amplitude function(2 pi idt(space + (mark - space) V(fm,c))) */
static struct expression_node *wave(const struct card *c, const char *function, double mark, double space)
{
    const struct tree_maker m = card_maker(c);
    struct expression_node *f = make_number(&m, space);
    if (!is_open(c, FIRST))
        f = make_binary(&m, f, OP_ADD, make_binary(&m, make_number(&m, mark - space), OP_MULTIPLY, voltage(c, FIRST)));
    struct expression_node *phase = make_binary(&m, make_number(&m, TWO_PI), OP_MULTIPLY, make_call(&m, "idt", f));
    struct expression_node *value = make_call(&m, function, phase);
    return is_open(c, SECOND) ? value : make_binary(&m, voltage(c, SECOND), OP_MULTIPLY, value);
}

static bool read_modulator(struct card *c)
{
    static const char *const taken[] = {"mark", "space", NULL};
    double mark, space;
    if (!number_of(c, "mark", 1e3, &mark) || !number_of(c, "space", 1e3, &space))
        return false;
    if (!card_assignment(c, "mark") || !card_assignment(c, "space"))
        return card_fail(c, "syntax", c->words[PLACES]->where, "write MODULATOR mark=2k space=1k",
                         "'%s': a modulator needs mark and space, its frequencies at 1 V and at 0", c->e->name);
    const int first = is_open(c, SINE) ? COSINE : SINE;
    if (!between(c, c->e, first) ||
        !card_law_of_root(c, LAW_VOLTAGE, wave(c, first == SINE ? "sin" : "cos", mark, space)))
        return false;
    if (first == SINE && !is_open(c, COSINE)) {
        struct card part = *c;
        part.e = expand_new_part(c->x, c->e, 'b', "cos", c->words[COSINE]->where);
        if (!between(c, part.e, COSINE) || !card_law_of_root(&part, LAW_VOLTAGE, wave(c, "cos", mark, space)))
            return false;
    }
    return card_settings(c, taken);
}

/* ---- the varistor ---- */

/* What is beyond the breakdown voltage on one side: uramp(sign V(out,c) - V(v+,v-)). */
static struct expression_node *beyond(const struct card *c, double sign)
{
    const struct tree_maker m = card_maker(c);
    struct expression_node *v = make_binary(&m, make_number(&m, sign), OP_MULTIPLY, voltage(c, SINE));
    struct expression_node *limit = card_voltage(c, c->words[SECOND], c->words[FIRST]);
    return make_call(&m, "uramp", make_binary(&m, v, OP_SUBTRACT, make_closed(&m, limit)));
}

static bool read_varistor(struct card *c)
{
    static const char *const taken[] = {"rclamp", NULL};
    const struct tree_maker m = card_maker(c);
    double clamp;
    if (!number_of(c, "rclamp", 1, &clamp))
        return false;
    if (!(clamp > 0))
        return card_fail(c, "value-range", c->words[PLACES]->where, NULL, "'%s': Rclamp must be positive", c->e->name);
    struct expression_node *i = make_binary(&m, beyond(c, 1), OP_SUBTRACT, beyond(c, -1));
    i = make_binary(&m, make_number(&m, 1 / clamp), OP_MULTIPLY, make_closed(&m, i));
    return between(c, c->e, SINE) && card_law_of_root(c, LAW_CURRENT, i) && card_settings(c, taken);
}

bool read_special(struct card *c)
{
    c->kind = c->e->kind = catalogue_letter(c->x->deck->catalogue, 'b');
    return is_type(c, "varistor") ? read_varistor(c) : read_modulator(c);
}
