/* read_special.c - three of LTspice's A devices that are formulas, B sources here:
 *
 *     Aname fm am c c c cosine sine c MODULATOR mark=2k space=1k vhigh=1 vlow=-1
 *     Aname v- v+ c c c c out c VARISTOR rclamp=1
 *     Aname in+ in- clk s/h c c out c SAMPLEHOLD vhigh=10 vlow=-10 ref=0.5 rout=1 td=0 cout=0 tau=0
 *
 * The modulator's sine is V(am,c) sin(2 pi phase), 1 V in place of V(am,c) where am is c; its frequency, the slope of the
 * phase, is space at V(fm,c) = 0 and mark at 1 V.  It goes from Vlow to Vhigh.  The varistor takes no current
 * while V(out,c) is below V(v+,v-) in magnitude, and what is beyond through rclamp.  Source: LTspice's help, "Special
 * functions"; places of the terminals as in its symbols modulate2 and varistor.  The phase begins at 0, and the outputs are sources without resistance.
 *
 * The sample and hold gives V(in+,in-), not beyond Vlow and Vhigh, while V(s/h,c) is above Ref, and what that was where V(clk,c)
 * last rose above Ref otherwise.  A first integral of nothing, reset to the input, follows it while neither is above Ref, or
 * s/h is; a second one follows the first while clk or s/h is above Ref.  Source: LTspice's symbol sample, and docs/articles of
 * SpiceSharpParser, which compares itself with LTspice: Ref, Vhigh and Vlow where they are not given.
 */
#include "netlist/expand/expand_card.h"
#include "netlist/expression/expression_tree.h"

static const double TWO_PI = 6.283185307179586;

enum { FIRST, SECOND, CLOCK, FOLLOW, COSINE = 5, SINE, COMMON, PLACES };

static bool is_type(const struct card *c, const char *type)
{
    return c->word_count == PLACES + 1 && item_is(c->words[PLACES], type);
}

bool card_is_special(const struct card *c)
{
    return is_type(c, "modulator") || is_type(c, "modulate") || is_type(c, "varistor") || is_type(c, "samplehold");
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

struct sine {
    double mark, space, high, low;
};

/* middle + amplitude function(2 pi idt(space + (mark - space) V(fm,c))) */
static struct expression_node *wave(const struct card *c, const char *function, const struct sine *w)
{
    const struct tree_maker m = card_maker(c);
    const double middle = 0.5 * (w->high + w->low), size = 0.5 * (w->high - w->low);
    struct expression_node *f = make_number(&m, w->space);
    if (!is_open(c, FIRST))
        f = make_binary(&m, f, OP_ADD,
                        make_binary(&m, make_number(&m, w->mark - w->space), OP_MULTIPLY, voltage(c, FIRST)));
    struct expression_node *phase = make_binary(&m, make_number(&m, TWO_PI), OP_MULTIPLY, make_call(&m, "idt", f));
    struct expression_node *value = make_call(&m, function, phase);
    if (!is_open(c, SECOND))
        value = make_binary(&m, voltage(c, SECOND), OP_MULTIPLY, value);
    if (size != 1)
        value = make_binary(&m, make_number(&m, size), OP_MULTIPLY, value);
    return middle == 0 ? value : make_binary(&m, make_number(&m, middle), OP_ADD, value);
}

static bool read_modulator(struct card *c)
{
    static const char *const taken[] = {"mark", "space", "vhigh", "vlow", NULL};
    struct sine w;
    if (!number_of(c, "mark", 1e3, &w.mark) || !number_of(c, "space", 1e3, &w.space) ||
        !number_of(c, "vhigh", 1, &w.high) || !number_of(c, "vlow", -1, &w.low))
        return false;
    if (!card_assignment(c, "mark") || !card_assignment(c, "space"))
        return card_fail(c, "syntax", c->words[PLACES]->where, "write MODULATOR mark=2k space=1k",
                         "'%s': a modulator needs mark and space, its frequencies at 1 V and at 0", c->e->name);
    const int first = is_open(c, SINE) ? COSINE : SINE;
    if (!between(c, c->e, first) || !card_law_of_root(c, LAW_VOLTAGE, wave(c, first == SINE ? "sin" : "cos", &w)))
        return false;
    if (first == SINE && !is_open(c, COSINE)) {
        struct card part = *c;
        part.e = expand_new_part(c->x, c->e, 'b', "cos", c->words[COSINE]->where);
        if (!between(c, part.e, COSINE) || !card_law_of_root(&part, LAW_VOLTAGE, wave(c, "cos", &w)))
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

/* ---- the sample and hold ---- */

struct sample {
    double high, low, ref, rout, delay, capacitance;
};

static bool read_sample_numbers(struct card *c, struct sample *s)
{
    double tau;
    if (!number_of(c, "vhigh", 10, &s->high) || !number_of(c, "vlow", -10, &s->low) ||
        !number_of(c, "ref", 0.5, &s->ref) || !number_of(c, "rout", 1, &s->rout) || !number_of(c, "td", 0, &s->delay) ||
        !number_of(c, "cout", 0, &s->capacitance) || !number_of(c, "tau", 0, &tau))
        return false;
    if (s->high < s->low || !(s->rout > 0) || !(s->delay >= 0) || !(s->capacitance >= 0) || !(tau >= 0))
        return card_fail(c, "value-range", c->words[PLACES]->where, NULL,
                         "'%s': Vlow must not be above Vhigh, Rout must be positive, td, Cout and tau not negative",
                         c->e->name);
    s->capacitance += tau / s->rout;
    if (is_open(c, CLOCK) && is_open(c, FOLLOW))
        return card_fail(c, "syntax", c->words[CLOCK]->where, "connect the third node, CLK, or the fourth, S/H",
                         "'%s' never takes a sample: neither CLK nor S/H is connected", c->e->name);
    return true;
}

static struct expression_node *compared(const struct card *c, int place, enum operation op, double level)
{
    const struct tree_maker m = card_maker(c);
    return make_closed(&m, make_binary(&m, voltage(c, place), op, make_number(&m, level)));
}

/* Whether the clock is on one side of Ref, or s/h above it. */
static struct expression_node *follows(const struct card *c, enum operation clock, double ref)
{
    const struct tree_maker m = card_maker(c);
    if (is_open(c, CLOCK))
        return compared(c, FOLLOW, OP_GREATER, ref);
    struct expression_node *f = compared(c, CLOCK, clock, ref);
    return is_open(c, FOLLOW) ? f : make_closed(&m, make_binary(&m, f, OP_OR, compared(c, FOLLOW, OP_GREATER, ref)));
}

/* value while the condition is true, then what it was. */
static struct expression_node *held(const struct card *c, struct expression_node *value,
                                    const struct expression_node *condition)
{
    const struct tree_maker m = card_maker(c);
    return node_append(m.arena, make_call_of_two(&m, "idt", make_number(&m, 0), value), condition);
}

static struct expression_node *sampled(const struct card *c, const struct sample *s)
{
    const struct tree_maker m = card_maker(c);
    struct expression_node *v = card_voltage(c, c->words[FIRST], c->words[SECOND]);
    v = make_call_of_two(&m, "max", make_call_of_two(&m, "min", v, make_number(&m, s->high)), make_number(&m, s->low));
    if (!is_open(c, CLOCK))
        v = held(c, v, follows(c, OP_LESS_EQUAL, s->ref));
    v = held(c, v, follows(c, OP_GREATER, s->ref));
    return s->delay > 0 ? make_call_of_two(&m, "absdelay", v, make_number(&m, s->delay)) : v;
}

/* Rout and Cout of the output. */
static bool add_passive(struct card *c, char letter, const char *name, double value)
{
    struct element *e = value > 0 ? expand_new_part(c->x, c->e, letter, name, c->words[PLACES]->where) : NULL;
    if (!e)
        return value > 0 ? deck_no_memory(c->x->deck) : true;
    e->has_value = true;
    e->value = value;
    return between(c, e, SINE);
}

/* The source drives -V/Rout from the output into the common node. */
static bool read_sample_and_hold(struct card *c)
{
    static const char *const taken[] = {"vhigh", "vlow", "ref", "rout", "td", "cout", "tau", "tripdv", "tripdt", NULL};
    const struct tree_maker m = card_maker(c);
    struct sample s;
    if (!read_sample_numbers(c, &s))
        return false;
    struct expression_node *i = make_binary(&m, make_number(&m, -1 / s.rout), OP_MULTIPLY, sampled(c, &s));
    return between(c, c->e, SINE) && card_law_of_root(c, LAW_CURRENT, i) && card_settings(c, taken) &&
           add_passive(c, 'r', "rout", s.rout) && add_passive(c, 'c', "cout", s.capacitance);
}

/* ---- the output of a phase detector ---- */

/* What 1 ohm takes above Vhigh, and gives below Vlow.  An output on nothing but capacitors is at 0 V at first: 1 Tohm, as in
 * SpiceSharpParser. */
bool add_pump_parts(struct card *c)
{
    const struct tree_maker m = card_maker(c);
    double high, low, rout, cout;
    if (!number_of(c, "vhigh", 10, &high) || !number_of(c, "vlow", -10, &low) || !number_of(c, "rout", 1e12, &rout) ||
        !number_of(c, "cout", 0, &cout))
        return false;
    struct expression_node *i =
        make_call(&m, "uramp", make_binary(&m, voltage(c, SINE), OP_SUBTRACT, make_number(&m, high)));
    i = make_binary(&m, i, OP_SUBTRACT,
                    make_call(&m, "uramp", make_binary(&m, make_number(&m, low), OP_SUBTRACT, voltage(c, SINE))));
    struct card part = *c;
    part.e = expand_new_part(c->x, c->e, 'b', "clamp", c->words[PLACES]->where);
    return between(c, part.e, SINE) && card_law_of_root(&part, LAW_CURRENT, i) && add_passive(c, 'r', "rout", rout) &&
           add_passive(c, 'c', "cout", cout);
}

bool read_special(struct card *c)
{
    c->kind = c->e->kind = catalogue_letter(c->x->deck->catalogue, 'b');
    return is_type(c, "varistor")     ? read_varistor(c)
           : is_type(c, "samplehold") ? read_sample_and_hold(c)
                                      : read_modulator(c);
}
