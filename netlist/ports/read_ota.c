/* read_ota.c - LTspice's A device OTA, of which its operational amplifiers are made:
 *
 *     Aname in- in+ m+ m- c c out c OTA G=1m Iout=10u [linear] Rout=1Meg Cout=1p ref=0 Vhigh=1 Vlow=-1 Rclamp=1
 *
 * A current I(G (V(in+,in-) - ref) V(m+,m-)) into out, Rout and Cout from there to the common node c.  `linear` is the
 * straight line, otherwise it is Iout tanh(x/Iout), and of Isource and Isink each for its own sign.  Without a second pair
 * of inputs, m+ being m-, the last factor is 1.  Above Vhigh and below Vlow, Rclamp leads to these voltages, over a
 * length of epsilon smoothly: the ideal diodes of LTspice.  Sources: Analog Devices' "LTspice Circuit Elements Reference",
 * which has G = 1, Vhigh = 2 and Vlow = 0 where they are not given, "Undocumented LTspice" of ltwiki.org, and the libraries
 * that come with the program: in those of operational amplifiers the second pair is what switches them off, and ref is what
 * biases their output stage while they are on, so that it belongs to the first pair.  Its noise (en, in ..) is left out.
 */
#include "netlist/expand/expand_card.h"
#include "netlist/expression/expression_tree.h"

#include <math.h>

enum { INVERTING, STRAIGHT, SECOND, FIFTH = 4, INVERTED_OUT, OUT, COMMON, PLACES };

static const double no_limit = 1e30; /* V; libraries write 1e308 */

struct ota {
    double g, ref;
    double high, low, clamp, epsilon; /* V, V, Ohm, V */
};

static struct arena *arena_of(const struct card *c)
{
    return c->x->deck->arena;
}

static struct kn_location place_of(const struct card *c)
{
    return c->statement->items->where;
}

static bool has_flag(const struct card *c, const char *flag)
{
    for (size_t i = PLACES + 1; i < c->word_count; i++)
        if (item_is(c->words[i], flag))
            return true;
    return false;
}

/* name=value, or what stands for it; false with an error. */
static bool number_of(struct card *c, const char *name, double fallback, double *value)
{
    const struct item *given = card_assignment(c, name);
    *value = fallback;
    return !given || card_value(c, given->value, value);
}

static bool same(const struct card *c, int place, int other)
{
    return names_equal(c->words[place]->text, c->words[other]->text);
}

static bool multiplies(const struct card *c)
{
    return !same(c, SECOND, SECOND + 1);
}

static bool check_limits(struct card *c, const struct ota *o)
{
    if (o->high < o->low || !(o->clamp > 0) || o->epsilon < 0)
        return card_fail(c, "value-range", place_of(c), NULL,
                         "'%s': Vlow must not be above Vhigh, Rclamp must be positive, epsilon not negative",
                         c->e->name);
    return true;
}

/* en=16n + 50f*freq: what follows one of its noises up to the next name=. */
static bool belongs_to_noise(const struct card *c, const struct item *word)
{
    bool noise = false;
    for (const struct item *i = c->statement->items; i && i != word; i = i->next)
        noise = i->value ? name_is_among("en enk in ink incm incmk", i->text) : noise;
    return noise;
}

static bool check(struct card *c, const struct ota *o)
{
    if (!same(c, INVERTED_OUT, COMMON) || !same(c, FIFTH, COMMON))
        return card_fail(c, "unsupported", c->words[INVERTED_OUT]->where, "its output is the seventh node",
                         "'%s': the fifth and sixth nodes of an OTA must be its eighth, the common node", c->e->name);
    for (size_t i = PLACES + 1; i < c->word_count; i++)
        if (!item_is(c->words[i], "linear") && !item_is(c->words[i], "asym") && !item_is(c->words[i], "noiseless") &&
            !belongs_to_noise(c, c->words[i]))
            return card_fail(c, "syntax", c->words[i]->where, "linear, asym or name=value stands behind OTA",
                             "'%s': '%s' is not known behind OTA", c->e->name, item_text(c->words[i]));
    return check_limits(c, o);
}

/* ---- the current ---- */

/* x = G (V(in+,in-) - ref) V(m+,m-), new for each place where it stands. */
static struct expression_node *drive(const struct card *c, double g, double ref)
{
    const struct tree_maker m = card_maker(c);
    struct expression_node *v = card_voltage(c, c->words[STRAIGHT], c->words[INVERTING]);
    v = make_binary(&m, v, OP_SUBTRACT, make_number(&m, ref));
    v = make_binary(&m, make_number(&m, g), OP_MULTIPLY, make_closed(&m, v));
    return multiplies(c) ? make_binary(&m, v, OP_MULTIPLY,
                                       make_closed(&m, card_voltage(c, c->words[SECOND], c->words[SECOND + 1])))
                         : v;
}

static struct expression_node *saturated(const struct card *c, double limit, double g, double ref)
{
    const struct tree_maker m = card_maker(c);
    if (limit == 0)
        return make_number(&m, 0);
    return make_binary(&m, make_number(&m, limit), OP_MULTIPLY, make_call(&m, "tanh", drive(c, g / limit, ref)));
}

static struct expression_node *current(struct card *c, double g, double ref)
{
    const struct tree_maker m = card_maker(c);
    double most, source, sink;
    if (!number_of(c, "iout", 10e-6, &most) || !number_of(c, "isource", most, &source) ||
        !number_of(c, "isrc", source, &source) || !number_of(c, "isink", -most, &sink))
        return NULL;
    if (g == 0)
        return make_number(&m, 0);
    if (has_flag(c, "linear"))
        return drive(c, g, ref);
    if (!(source >= 0)) {
        card_fail(c, "value-range", place_of(c), NULL, "'%s': Iout and Isource must not be negative", c->e->name);
        return NULL;
    }
    if (source == fabs(sink))
        return saturated(c, source, g, ref);
    struct expression_node *up = make_binary(&m, drive(c, g, ref), OP_GREATER, make_number(&m, 0));
    return node_condition(m.arena, up, saturated(c, source, g, ref), saturated(c, fabs(sink), g, ref), m.where);
}

/* How far the output is beyond a limit, in V: sign (V(out,c) - limit), 0 below it. */
static struct expression_node *beyond(const struct card *c, double sign, double limit)
{
    const struct tree_maker m = card_maker(c);
    struct expression_node *v = card_voltage(c, c->words[OUT], c->words[COMMON]);
    v = make_binary(&m, make_closed(&m, v), OP_SUBTRACT, make_number(&m, limit));
    return make_binary(&m, make_number(&m, sign), OP_MULTIPLY, make_closed(&m, v));
}

/* What a clamp takes, in A: of u = beyond, u/R, and over epsilon around u = 0 the parabola with that slope at its end. */
static struct expression_node *clamped(const struct card *c, const struct ota *o, double sign, double limit)
{
    const struct tree_maker m = card_maker(c);
    const double half = o->epsilon / 2;
    struct expression_node *i = make_call(
        &m, "uramp", beyond(c, sign, limit + sign * half)); /* the straight line, from the end of the parabola */
    if (half > 0) {
        struct expression_node *u = make_call(&m, "uramp", beyond(c, sign, limit - sign * half));
        u = make_binary(&m, u, OP_SUBTRACT, make_call(&m, "uramp", beyond(c, sign, limit + sign * half)));
        u = make_call(&m, "square", make_closed(&m, u));
        i = make_binary(&m, i, OP_ADD, make_binary(&m, make_number(&m, 1 / (2 * o->epsilon)), OP_MULTIPLY, u));
    }
    return make_binary(&m, make_number(&m, sign / o->clamp), OP_MULTIPLY, make_closed(&m, i));
}

static struct expression_node *limited(const struct card *c, const struct ota *o, struct expression_node *i)
{
    const struct tree_maker m = card_maker(c);
    if (i && o->g != 0 && o->high < no_limit)
        i = make_binary(&m, i, OP_SUBTRACT, clamped(c, o, 1, o->high));
    if (i && o->g != 0 && o->low > -no_limit)
        i = make_binary(&m, i, OP_SUBTRACT, clamped(c, o, -1, o->low));
    return i;
}

/* ---- the card ---- */

static bool add_part(struct card *c, char letter, const char *name)
{
    const struct item *given = card_assignment(c, name);
    double value;
    if (!given)
        return true;
    if (!card_value(c, given->value, &value))
        return false;
    if (value == 0 || value >= no_limit)
        return true;
    struct element *e = expand_new_part(c->x, c->e, letter, name, given->where);
    if (!e)
        return deck_no_memory(c->x->deck);
    e->nodes = c->e->nodes;
    e->node_count = 2;
    e->has_value = true;
    e->value = value;
    return true;
}

/* The source drives its current from the common node into the output. */
static bool read_nodes(struct card *c)
{
    int *nodes = arena_array(arena_of(c), 2, sizeof *nodes);
    static const int places[] = {COMMON, OUT};
    if (!nodes)
        return deck_no_memory(c->x->deck);
    for (int i = 0; i < 2; i++) {
        nodes[i] = expand_node(c->x, c->at, c->words[places[i]]);
        if (nodes[i] < 0)
            return false;
        expand_use_node(c->x, nodes[i], USE_TERMINAL);
    }
    c->e->nodes = nodes;
    c->e->node_count = 2;
    return true;
}

static void note_noise(struct card *c)
{
    if (c->x->ota_noted || !(card_assignment(c, "en") || card_assignment(c, "in")))
        return;
    deck_note(c->x->deck, "ota-noise", place_of(c), "'%s' has no noise here (en, in ..), nor has another OTA",
              c->e->name);
    c->x->ota_noted = true;
}

bool card_is_ota(const struct card *c)
{
    return c->word_count > PLACES && item_is(c->words[PLACES], "ota");
}

static bool read_numbers(struct card *c, struct ota *o)
{
    return number_of(c, "g", same(c, OUT, COMMON) ? 0 : 1, &o->g) && number_of(c, "ref", 0, &o->ref) &&
           number_of(c, "vhigh", 2, &o->high) && number_of(c, "vlow", 0, &o->low) &&
           number_of(c, "rclamp", 1, &o->clamp) && number_of(c, "epsilon", 0, &o->epsilon);
}

bool read_ota(struct card *c)
{
    static const char *const taken[] = {"g",     "iout", "isource", "isink",  "isrc",    "linear", "ref",
                                        "vhigh", "vlow", "rout",    "cout",   "en",      "enk",    "in",
                                        "ink",   "incm", "incmk",   "rclamp", "epsilon", NULL};
    struct ota o;
    c->kind = c->e->kind = catalogue_letter(c->x->deck->catalogue, 'b');
    if (!read_numbers(c, &o) || !check(c, &o) || !read_nodes(c))
        return false;
    note_noise(c);
    return card_law_of_root(c, LAW_CURRENT, limited(c, &o, current(c, o.g, o.ref))) && card_settings(c, taken) &&
           add_part(c, 'r', "rout") && add_part(c, 'c', "cout");
}
