/* ltspice.c - LTspice's A devices of logic: BUF INV AND OR XOR, Schmitt triggers, DFLOP and SRFLOP, COUNTER and
 * PHASEDET.
 *
 *     Aname in1 in2 in3 in4 in5 notout out common TYPE [Vhigh=.. Vlow=.. Td=.. ..]
 *
 * Inputs and outputs that are connected to the common terminal are not there.  An input is 1 above Ref, against common;
 * that of a Schmitt trigger above Vt + Vh until it is below Vt - Vh.  An output is a voltage Vlow or Vhigh behind Rout, Td
 * later, on a straight way of Trise or Tfall, with Cout and Tau/Rout across it.  Source: LTspice's help, "Special
 * functions".  XOR is 1 where exactly one input is.
 *
 * COUNTER (clk reset) is 1 in the first duty of `cycles` rises of its clock, and begins there; PHASEDET (a b) drives Iout into its
 * output from a rise of a to one of b, and takes it the other way round.  Source: LTspice's symbols counter and phidet, and
 * docs/articles of SpiceSharpParser, which compares itself with LTspice.
 */
#include "devices/families.h"
#include "devices/logic/logic.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    ROW_HIGH,
    ROW_LOW,
    ROW_TD,
    ROW_RISE,
    ROW_FALL,
    ROW_TAU,
    ROW_COUT,
    ROW_ROUT,
    ROW_REF,
    ROW_VT,
    ROW_VH,
    ROW_IC,
    ROW_CYCLES,
    ROW_DUTY,
    ROW_IOUT,
    ROWS
};

static const struct parameter_info rows[ROWS] = {
    [ROW_HIGH] = {"vhigh", "V", 1, -INFINITY, INFINITY, "output of 1", NULL},
    [ROW_LOW] = {"vlow", "V", 0, -INFINITY, INFINITY, "output of 0", NULL},
    [ROW_TD] = {"td", "s", 0, 0, INFINITY, "delay", NULL},
    [ROW_RISE] = {"trise", "s", 0, 0, INFINITY, "from Vlow to Vhigh", NULL},
    [ROW_FALL] = {"tfall", "s", 0, 0, INFINITY, "from Vhigh to Vlow; Trise where it is not given", NULL},
    [ROW_TAU] = {"tau", "s", 0, 0, INFINITY, "time constant of the output", NULL},
    [ROW_COUT] = {"cout", "F", 0, 0, INFINITY, "capacitance of the output", NULL},
    [ROW_ROUT] = {"rout", "ohm", 1, DBL_MIN, INFINITY, "resistance of the output", "rhigh rlow"},
    [ROW_REF] = {"ref", "V", 0, -INFINITY, INFINITY, "threshold of inputs; half of Vhigh + Vlow where it is not given",
                 NULL},
    [ROW_VT] = {"vt", "V", 0, -INFINITY, INFINITY, "middle of the thresholds of a Schmitt trigger; as Ref", NULL},
    [ROW_VH] = {"vh", "V", 0.01, -INFINITY, INFINITY, "half of their distance; below 0 there is none", NULL},
    [ROW_IC] = {"ic", "", 0, 0, 1, "state of a flip-flop at first", NULL},
    [ROW_CYCLES] = {"cycles", "", 2, 1, 1e9, "rises of the clock that a COUNTER counts", NULL},
    [ROW_DUTY] = {"duty", "", 0.5, 0, 1, "part of them in which it is 1, at least one rise and not all", NULL},
    [ROW_IOUT] = {"iout", "A", 0, 0, INFINITY, "current of a PHASEDET, to be given", NULL},
};

/* Of no meaning to a program whose steps end at the edges. */
static const char ignored[] = "tripdt temp";

enum { INPUTS = 5, PLACE_INVERSE = 5, PLACE_OUT = 6, PLACE_COMMON = 7 };

static const struct type {
    const char *name;
    enum gate_function function;
    bool schmitt, difference; /* difference: of the first two inputs */
    enum { IS_GATE, IS_D, IS_SR, IS_COUNTER, IS_DETECTOR } what;
} types[] = {
    {"buf", GATE_BUFFER, false, false, IS_GATE},
    {"buf1", GATE_BUFFER, false, false, IS_GATE},
    {"inv", GATE_BUFFER, false, false, IS_GATE},
    {"and", GATE_AND, false, false, IS_GATE},
    {"or", GATE_OR, false, false, IS_GATE},
    {"xor", GATE_ONE, false, false, IS_GATE},
    {"schmitt", GATE_BUFFER, true, false, IS_GATE},
    {"schmtbuf", GATE_BUFFER, true, false, IS_GATE},
    {"schmtinv", GATE_BUFFER, true, false, IS_GATE},
    {"diffschmitt", GATE_BUFFER, true, true, IS_GATE},
    {"diffschmtbuf", GATE_BUFFER, true, true, IS_GATE},
    {"diffschmtinv", GATE_BUFFER, true, true, IS_GATE},
    {"dflop", GATE_BUFFER, false, false, IS_D},
    {"srflop", GATE_BUFFER, false, false, IS_SR},
    {"counter", GATE_BUFFER, false, false, IS_COUNTER},
    {"phasedet", GATE_BUFFER, false, false, IS_DETECTOR},
};

static const struct model_type type_names[] = {
    {"buf", NULL, NULL},      {"buf1", NULL, NULL},        {"inv", NULL, NULL},          {"and", NULL, NULL},
    {"or", NULL, NULL},       {"xor", NULL, NULL},         {"schmitt", NULL, NULL},      {"schmtbuf", NULL, NULL},
    {"schmtinv", NULL, NULL}, {"diffschmitt", NULL, NULL}, {"diffschmtbuf", NULL, NULL}, {"diffschmtinv", NULL, NULL},
    {"dflop", NULL, NULL},    {"srflop", NULL, NULL},      {"counter", NULL, NULL},      {"phasedet", NULL, NULL},
    {NULL, NULL, NULL},
};

static const struct type *type_of(const struct element *e)
{
    const struct type *t = types;
    while (!names_equal(t->name, e->type))
        t++;
    return t;
}

static bool is_connected(const struct logic_item *i, int place)
{
    return i->element->nodes[place] != i->element->nodes[PLACE_COMMON];
}

static double middle(const struct logic_item *i, const struct type *t, int row)
{
    if (t->what == IS_DETECTOR && !i->values_given[row]) /* its Vhigh and Vlow are limits of the output */
        return 0.5;
    return i->values_given[row] ? i->values[row] : (i->values[ROW_HIGH] + i->values[ROW_LOW]) / 2;
}

/* A net that the voltage between two places decides; -1 without memory. */
static int sense(struct logic_item *i, const struct type *t, int plus, int minus)
{
    const int net = logic_item_net(i, -1);
    struct logic_sensor *s = logic_item_sensor(i, plus, minus, net);
    const double threshold = middle(i, t, t->schmitt ? ROW_VT : ROW_REF),
                 half = t->schmitt ? fmax(i->values[ROW_VH], 0) : 0;
    if (!s)
        return -1;
    s->low = threshold - half;
    s->high = threshold + half;
    s->remembers = t->schmitt;
    return net;
}

static bool sense_into(struct logic_item *i, const struct type *t, struct logic_part *p, size_t input, int place)
{
    return !is_connected(i, place) || (p->inputs[input].net = sense(i, t, place, PLACE_COMMON)) >= 0;
}

static struct logic_part *make_gate(struct logic_item *i, const struct type *t)
{
    const struct gate g = {.function = t->function, .rise = i->values[ROW_TD], .fall = i->values[ROW_TD]};
    struct logic_part *p = logic_item_part(i, &gate_part, INPUTS, 1, sizeof g);
    if (!p)
        return NULL;
    memcpy(p->own, &g, sizeof g);
    if (t->difference)
        return (p->inputs[0].net = sense(i, t, 0, 1)) >= 0 ? p : NULL;
    for (int k = 0; k < (t->function == GATE_BUFFER ? 1 : INPUTS); k++)
        if (!sense_into(i, t, p, (size_t)k, k))
            return NULL;
    return p;
}

static struct logic_part *make_flop(struct logic_item *i, const struct type *t)
{
    struct logic_part *p = logic_item_part(i, &flop_part, FLOP_INPUTS, 2, sizeof(struct flop));
    const double td = i->values[ROW_TD];
    if (!p)
        return NULL;
    *(struct flop *)p->own = (struct flop){.kind = FLOP_D,
                                           .initial = i->values[ROW_IC] != 0 ? LOGIC_ONE : LOGIC_ZERO,
                                           .delays = {[FLOP_BY_CLOCK] = {td, td}, {td, td}, {td, td}}};
    const bool good = t->what == IS_SR ? sense_into(i, t, p, FLOP_SET, 0) && sense_into(i, t, p, FLOP_RESET, 1)
                                       : sense_into(i, t, p, FLOP_FIRST, 0) && sense_into(i, t, p, FLOP_CLOCK, 2) &&
                                             sense_into(i, t, p, FLOP_SET, 3) && sense_into(i, t, p, FLOP_RESET, 4);
    return good ? p : NULL;
}

static bool make_output(struct logic_item *i, int place, int net)
{
    if (!is_connected(i, place))
        return true;
    struct logic_actuator *a =
        logic_item_actuator(i, ACTUATOR_RESISTIVE, place, PLACE_COMMON, net, place == PLACE_INVERSE);
    if (!a)
        return false;
    a->levels[LOGIC_ZERO] = i->values[ROW_LOW];
    a->levels[LOGIC_ONE] = i->values[ROW_HIGH];
    a->levels[LOGIC_UNKNOWN] = (i->values[ROW_LOW] + i->values[ROW_HIGH]) / 2;
    a->to_one = i->values[ROW_RISE];
    a->to_zero = i->values[i->values_given[ROW_FALL] ? ROW_FALL : ROW_RISE];
    a->conductance = 1 / i->values[ROW_ROUT];
    a->capacitance = i->values[ROW_COUT] + i->values[ROW_TAU] / i->values[ROW_ROUT];
    ramp_rest(&a->ramp, a->levels[LOGIC_ZERO]);
    return true;
}

static struct logic_part *make_counter(struct logic_item *i, const struct type *t)
{
    struct logic_part *p = logic_item_part(i, &counter_part, COUNTER_INPUTS, 1, sizeof(struct counter));
    const double cycles = round(i->values[ROW_CYCLES]);
    if (!p)
        return NULL;
    *(struct counter *)p->own =
        (struct counter){.cycles = (long)cycles,
                         .high = (long)fmin(fmax(round(i->values[ROW_DUTY] * cycles), 1), fmax(cycles - 1, 1)),
                         .delay = i->values[ROW_TD]};
    return sense_into(i, t, p, COUNTER_CLOCK, 0) && sense_into(i, t, p, COUNTER_RESET, 1) ? p : NULL;
}

/* A current from one place to the other while the net is 1. */
static bool make_pump(struct logic_item *i, struct logic_part *p, size_t driver, int from, int to)
{
    const int net = logic_item_net(i, -1);
    struct logic_actuator *a = logic_item_actuator(i, ACTUATOR_CURRENT, from, to, net, false);
    if (!a || !logic_item_drive(i, p, driver, net, false))
        return false;
    a->levels[LOGIC_ONE] = i->values[ROW_IOUT];
    a->levels[LOGIC_UNKNOWN] = 0;
    a->to_one = i->values[ROW_RISE];
    a->to_zero = i->values[i->values_given[ROW_FALL] ? ROW_FALL : ROW_RISE];
    return true;
}

static enum kn_status make_detector(struct logic_item *i, const struct type *t, struct kn_diagnostics *d)
{
    struct logic_part *p = logic_item_part(i, &phase_detector_part, 2, 2, sizeof(struct phase_detector));
    if (!i->values_given[ROW_IOUT]) {
        diagnostics_add(d, KN_ERROR, "syntax", i->element->where, "write PHASEDET Iout=100u",
                        "'%s': a phase detector needs Iout, its current", i->element->name);
        return KN_ERROR_DECK;
    }
    if (p)
        *(struct phase_detector *)p->own = (struct phase_detector){.delay = i->values[ROW_TD]};
    const bool good = p && sense_into(i, t, p, 0, 0) && sense_into(i, t, p, 1, 1) &&
                      make_pump(i, p, 0, PLACE_COMMON, PLACE_OUT) && make_pump(i, p, 1, PLACE_OUT, PLACE_COMMON) &&
                      logic_item_add(i, p);
    return good ? KN_OK : KN_ERROR_MEMORY;
}

static enum kn_status make(struct logic_item *i, struct kn_diagnostics *d)
{
    const struct type *t = type_of(i->element);
    if (t->what == IS_DETECTOR)
        return make_detector(i, t, d);
    struct logic_part *p = t->what == IS_GATE      ? make_gate(i, t)
                           : t->what == IS_COUNTER ? make_counter(i, t)
                                                   : make_flop(i, t);
    const int net = logic_item_net(i, -1);
    const bool good = p && net >= 0 && logic_item_drive(i, p, 0, net, false) && logic_item_add(i, p) &&
                      make_output(i, PLACE_OUT, net) && make_output(i, PLACE_INVERSE, net);
    return good ? KN_OK : KN_ERROR_MEMORY;
}

const struct logic_kind ltspice_gate_logic = {
    .class = {.kind = {ELEMENT_KIND('a', "gate", "in1 in2 in3 in4 in5 notout out common", "type [Vhigh=..]",
                                    CARD_TYPED),
                       .types = type_names, .instance = {rows, ROWS, ignored}},
              .together = &logic_class},
    .make = make};
