/* xyce.c - U devices of logic, as Xyce writes them: gates, an adder, flip-flops and latches between two rails.
 *
 *     Uname TYPE[(inputs)] power ground inputs .. outputs .. model [IC1=..]        .model name DIG(..)
 *
 * An input has RLOAD and CLOAD to ground.  It is 0 until it rises above S0VHI and S1VLO, then 1 until it falls below
 * both, against ground; at rest it is 1 above S0VHI.  An output has a resistance to each rail, S0RLO and S0RHI for 0, S1RLO and S1RHI for 1, with CLO and CHI beside
 * them; DELAY after an input has changed they go to those of the new state, within S0TSW or S1TSW: here the conductances
 * do so straight.  Preset and clear act when they are low; JKFF takes over where its clock falls, DFF and TFF where it
 * rises.  At the operating point IC1 is the state of an output whatever the inputs say, and D, J or T is that of flip-flops
 * without it; preset and clear at once make both outputs 1, and when they end the state is 1 (Xyce Reference Guide, "Digital
 * Devices", and Xyce's results).
 */
#include "devices/families.h"
#include "devices/logic/digital.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    ROW_CLO,
    ROW_CHI,
    ROW_S0RLO,
    ROW_S0RHI,
    ROW_S0TSW,
    ROW_S0VLO,
    ROW_S0VHI,
    ROW_S1RLO,
    ROW_S1RHI,
    ROW_S1TSW,
    ROW_S1VLO,
    ROW_S1VHI,
    ROW_RLOAD,
    ROW_CLOAD,
    ROW_DELAY,
    ROW_VREF,
    ROW_VLO,
    ROW_VHI,
    MODEL_ROWS
};

#define OHM(text, value, doc_text)                                                                                     \
    {                                                                                                                  \
        text, "ohm", value, DBL_MIN, INFINITY, doc_text, NULL                                                          \
    }
#define VOLT(text, value, doc_text)                                                                                    \
    {                                                                                                                  \
        text, "V", value, -INFINITY, INFINITY, doc_text, NULL                                                          \
    }
#define FROM_ZERO(text, unit, value, doc_text)                                                                         \
    {                                                                                                                  \
        text, unit, value, 0, INFINITY, doc_text, NULL                                                                 \
    }

static const struct parameter_info model_rows[MODEL_ROWS] = {
    [ROW_CLO] = FROM_ZERO("clo", "F", 1e-6, "capacitance of outputs to ground"),
    [ROW_CHI] = FROM_ZERO("chi", "F", 1e-6, "capacitance of outputs to power"),
    [ROW_S0RLO] = OHM("s0rlo", 100, "resistance to ground of a 0"),
    [ROW_S0RHI] = OHM("s0rhi", 100, "resistance to power of a 0"),
    [ROW_S0TSW] = FROM_ZERO("s0tsw", "s", 1e-8, "from 1 to 0"),
    [ROW_S0VLO] = VOLT("s0vlo", -1.5, "of no meaning here: the least input of a 0"),
    [ROW_S0VHI] = VOLT("s0vhi", 1.7, "the largest input of a 0"),
    [ROW_S1RLO] = OHM("s1rlo", 100, "resistance to ground of a 1"),
    [ROW_S1RHI] = OHM("s1rhi", 100, "resistance to power of a 1"),
    [ROW_S1TSW] = FROM_ZERO("s1tsw", "s", 1e-8, "from 0 to 1"),
    [ROW_S1VLO] = VOLT("s1vlo", 0.9, "the least input of a 1"),
    [ROW_S1VHI] = VOLT("s1vhi", 7, "of no meaning here: the largest input of a 1"),
    [ROW_RLOAD] = OHM("rload", 1000, "resistance of inputs to ground"),
    [ROW_CLOAD] = FROM_ZERO("cload", "F", 1e-6, "capacitance of inputs to ground"),
    [ROW_DELAY] = FROM_ZERO("delay", "s", 1e-8, "from inputs to outputs"),
    [ROW_VREF] = VOLT("vref", 0, "of Y devices only: here the node counts"),
    [ROW_VLO] = VOLT("vlo", 0, "of Y devices only"),
    [ROW_VHI] = VOLT("vhi", 0, "of Y devices only"),
};

enum { ROW_IC1, ROW_IC2, INSTANCE_ROWS };

static const struct parameter_info instance_rows[INSTANCE_ROWS] = {
    [ROW_IC1] = {"ic1", "", 0, 0, 1, "state of the first output at first", "ic"},
    [ROW_IC2] = {"ic2", "", 0, 0, 1, "of the second one, which follows the first in flip-flops", NULL},
};

enum { POWER, GROUND, FIRST_INPUT };

static const struct type {
    const char *name;
    enum { IS_GATE, IS_ADDER, IS_FLOP, IS_LATCH } what;
    enum gate_function function;
    bool inverts, many;
    enum flop_kind flop;
    int inputs[FLOP_INPUTS]; /* of flip-flops: place behind the rails of first second clock set reset; -1: none */
    size_t input_count, output_count;
} types[] = {
    {"inv", IS_GATE, GATE_BUFFER, true, false, FLOP_D, {0}, 1, 1},
    {"not", IS_GATE, GATE_BUFFER, true, false, FLOP_D, {0}, 1, 1},
    {"buf", IS_GATE, GATE_BUFFER, false, false, FLOP_D, {0}, 1, 1},
    {"and", IS_GATE, GATE_AND, false, true, FLOP_D, {0}, 2, 1},
    {"nand", IS_GATE, GATE_AND, true, true, FLOP_D, {0}, 2, 1},
    {"or", IS_GATE, GATE_OR, false, true, FLOP_D, {0}, 2, 1},
    {"nor", IS_GATE, GATE_OR, true, true, FLOP_D, {0}, 2, 1},
    {"xor", IS_GATE, GATE_XOR, false, false, FLOP_D, {0}, 2, 1},
    {"nxor", IS_GATE, GATE_XOR, true, false, FLOP_D, {0}, 2, 1},
    {"add", IS_ADDER, GATE_XOR, false, false, FLOP_D, {0}, 3, 2},
    {"dff", IS_FLOP, GATE_BUFFER, false, false, FLOP_D, {3, -1, 2, 0, 1}, 4, 2},
    {"jkff", IS_FLOP, GATE_BUFFER, false, false, FLOP_JK, {3, 4, 2, 0, 1}, 5, 2},
    {"tff", IS_FLOP, GATE_BUFFER, false, false, FLOP_T, {0, -1, 1, -1, -1}, 2, 2},
    {"dltch", IS_LATCH, GATE_BUFFER, false, false, FLOP_D, {3, -1, 2, 0, 1}, 4, 2},
};

static const struct type *type_named(const char *name)
{
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (names_equal(types[k].name, name))
            return &types[k];
    return types;
}

struct digital_gate digital_gate_named(const char *name)
{
    const struct type *t = type_named(name);
    return (struct digital_gate){t->function, t->inverts, t->many, t->input_count};
}

/* ---- inputs and outputs ---- */

static double conductance_of(const struct logic_item *i, int row)
{
    return 1 / i->p[row];
}

bool digital_add_conductance(struct logic_item *i, const struct digital_conductance *c)
{
    struct logic_actuator *a = logic_item_actuator(i, ACTUATOR_CONDUCTANCE, c->place, c->rail, c->net, false);
    if (!a)
        return false;
    a->levels[LOGIC_ZERO] = c->levels[0];
    a->levels[LOGIC_ONE] = c->levels[1];
    a->levels[LOGIC_UNKNOWN] = (c->levels[0] + c->levels[1]) / 2;
    a->to_zero = c->to_zero;
    a->to_one = c->to_one;
    a->capacitance = c->capacitance;
    ramp_rest(&a->ramp, c->levels[0]);
    return true;
}

static bool add_conductance(struct logic_item *i, struct digital_conductance c)
{
    c.to_zero = i->p[ROW_S0TSW];
    c.to_one = i->p[ROW_S1TSW];
    return digital_add_conductance(i, &c);
}

/* A net that follows the voltage of a place; -1 without memory. */
static int sense(struct logic_item *i, int place)
{
    const int net = logic_item_net(i, -1);
    struct logic_sensor *s = logic_item_sensor(i, place, GROUND, net);
    const double load = conductance_of(i, ROW_RLOAD);
    if (!s ||
        !add_conductance(
            i, (struct digital_conductance){
                   .place = place, .rail = GROUND, .net = net, .levels = {load, load}, .capacitance = i->p[ROW_CLOAD]}))
        return -1;
    s->low = fmin(i->p[ROW_S1VLO], i->p[ROW_S0VHI]);
    s->high = fmax(i->p[ROW_S1VLO], i->p[ROW_S0VHI]);
    s->initial = i->p[ROW_S0VHI] < i->p[ROW_S1VLO] ? LOGIC_ONE : LOGIC_ZERO;
    s->remembers = true;
    return net;
}

static bool add_output(struct logic_item *i, struct logic_part *p, size_t driver, int place)
{
    const int net = logic_item_net(i, -1);
    const struct digital_conductance low = {
        .place = place,
        .rail = GROUND,
        .net = net,
        .levels = {conductance_of(i, ROW_S0RLO), conductance_of(i, ROW_S1RLO)},
        .capacitance = i->p[ROW_CLO],
    };
    const struct digital_conductance high = {
        .place = place,
        .rail = POWER,
        .net = net,
        .levels = {conductance_of(i, ROW_S0RHI), conductance_of(i, ROW_S1RHI)},
        .capacitance = i->p[ROW_CHI],
    };
    return net >= 0 && logic_item_drive(i, p, driver, net, false) && add_conductance(i, low) &&
           add_conductance(i, high);
}

/* ---- parts ---- */

static enum logic_level start_of(const struct logic_item *i, int row)
{
    return i->values[row] != 0 ? LOGIC_ONE : LOGIC_ZERO;
}

static struct logic_part *make_part(struct logic_item *i, const struct type *t, size_t inputs)
{
    const double delay = i->p[ROW_DELAY];
    if (t->what == IS_GATE) {
        struct logic_part *p = logic_item_part(i, &gate_part, inputs, 1, sizeof(struct gate));
        if (p)
            *(struct gate *)p->own = (struct gate){.function = t->function,
                                                   .inverts = t->inverts,
                                                   .rise = delay,
                                                   .fall = delay,
                                                   .starts = i->values_given[ROW_IC1],
                                                   .start = start_of(i, ROW_IC1)};
        return p;
    }
    if (t->what == IS_ADDER) {
        struct logic_part *p = logic_item_part(i, &adder_part, inputs, 2, sizeof(struct adder));
        if (p)
            *(struct adder *)p->own = (struct adder){.rise = delay,
                                                     .fall = delay,
                                                     .starts = {i->values_given[ROW_IC1], i->values_given[ROW_IC2]},
                                                     .start = {start_of(i, ROW_IC1), start_of(i, ROW_IC2)}};
        return p;
    }
    struct logic_part *p = logic_item_part(i, &flop_part, FLOP_INPUTS, 2, sizeof(struct flop));
    const bool given = i->values_given[ROW_IC1] || i->values_given[ROW_IC2];
    const bool first =
        i->values_given[ROW_IC1] ? i->values[ROW_IC1] != 0 : i->values_given[ROW_IC2] && i->values[ROW_IC2] == 0;
    if (p)
        *(struct flop *)p->own =
            (struct flop){.kind = t->flop,
                          .latch = t->what == IS_LATCH,
                          .falling = t->flop == FLOP_JK,
                          .low_set = true,
                          .follows = !given,
                          .doubles = true,
                          .initial = first ? LOGIC_ONE : LOGIC_ZERO,
                          .delays = {{delay, delay}, {delay, delay}, {delay, delay}, {delay, delay}}};
    return p;
}

static bool connect_inputs(struct logic_item *i, const struct type *t, struct logic_part *p)
{
    for (size_t k = 0; k < p->input_count; k++) {
        const bool flop = t->what == IS_FLOP || t->what == IS_LATCH;
        const int place = flop ? t->inputs[k] : (int)k;
        if (place >= 0 && (p->inputs[k].net = sense(i, FIRST_INPUT + place)) < 0)
            return false;
    }
    return true;
}

static enum kn_status make(struct logic_item *i, struct kn_diagnostics *d)
{
    const struct element *e = i->element;
    const struct type *t = type_named(e->type);
    const size_t inputs = t->many && e->has_value ? (size_t)e->value : t->input_count;
    if (e->node_count != FIRST_INPUT + inputs + t->output_count) {
        diagnostics_add(d, KN_ERROR, "syntax", e->where,
                        diagnostics_hint(d, "power and ground, %zu inputs, %zu output%s, then the model", inputs,
                                         t->output_count, t->output_count == 1 ? "" : "s"),
                        "'%s' has %zu nodes; %s takes %zu", e->name, e->node_count, t->name,
                        FIRST_INPUT + inputs + t->output_count);
        return KN_ERROR_DECK;
    }
    struct logic_part *p = make_part(i, t, inputs);
    bool good = p && connect_inputs(i, t, p);
    for (size_t k = 0; good && k < t->output_count; k++)
        good = add_output(i, p, k, (int)(FIRST_INPUT + inputs + k));
    return good && logic_item_add(i, p) ? KN_OK : KN_ERROR_MEMORY;
}

const struct logic_kind digital_gate_logic = {
    .class = {.kind = {ELEMENT_KIND('u', "digital gate", "type[(inputs)] power ground inputs outputs", "model [IC1=..]",
                                    CARD_GATE),
                       .gates = "inv not buf and nand or nor xor nxor add dff jkff tff dltch",
                       .types = (const struct model_type[]){{"dig", NULL, NULL}, {NULL, NULL, NULL}},
                       .instance = {instance_rows, INSTANCE_ROWS, NULL}, .model = {model_rows, MODEL_ROWS, NULL}},
              .together = &logic_class},
    .make = make};
