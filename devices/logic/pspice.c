/* pspice.c - U devices as PSpice writes them, with two models: one of delays and one of a family of logic.
 *
 *     Uname TYPE[(inputs)] power ground inputs .. outputs .. timing io [MNTYMXDLY=0..4] [IO_LEVEL=0..4]
 *     .model timing UGATE(tplhty=.. tphlty=..)        .model io UIO(drvh=.. drvl=.. inld=.. outld=.. tswlh1=.. tswhl1=..)
 *
 * Gates: BUF INV AND(n) NAND(n) OR(n) NOR(n) XOR NXOR; BUFA(n) INVA(n) XORA(n) NXORA(n) are n of them, ANDA(n,m) and so on m
 * of n inputs, all inputs before all outputs; AO(n,m) OA AOI OAI are m gates of n inputs that one of the other kind joins.  With 3
 * (BUF3, AND3A(n,m)) they have an enable behind the inputs and a model UTGATE; without it outputs leak (drvz).
 * Flip-flops: DFF(n) and JKFF(n) (UEFF: preset clear clock, then inputs, outputs, inverted outputs), gated latches SRFF(n), DLTCH(n)
 * (UGFF: preset clear gate ..).  Preset and clear act when 0, JKFF's clock where it falls.  They begin with 0.  Setup and hold
 * times and widths of pulses are not looked at.
 * PULLUP(n) and PULLDN(n) have a UIO model alone; STIM is read by netlist/ports/read_stimulus.c, LOGICEXP and PINDLY by
 * read_logic_program.c; CONSTRAINT, which only warns, does nothing.
 *
 * A delay that is not given follows from the others: 0.4, 1 and 1.6 times the typical one, which is the mean of the other two
 * where both are given (PSpice Reference Guide, "Digital devices", options DIGMNTYSCALE and DIGTYMXSCALE).  MNTYMXDLY chooses; 0
 * and 4, the worst case, are taken for typical.
 *
 * Interface subcircuits of PSpice's libraries are not read.  An input is 1 above 2 V, 0 below 0.8 V, the levels of TTL, against
 * the device's ground, and between them what it was.  An output has DRVL to ground or DRVH to power, which take over from
 * each other within TSWHL or TSWLH, so that they end when the delay does; INLD and OUTLD are capacitances to ground.
 */
#include "devices/logic/pspice.h"
#include "devices/families.h"

#include <math.h>
#include <string.h>

/* Setup and hold times and widths, which nothing checks. */
#define OF_CHECKS(which)                                                                                               \
    "twpcl" which " twclkl" which " twclkh" which " tsudclk" which " tsupcclkh" which " thdclk" which                  \
    " tsuceclk" which " thceclk" which " twgh" which " tsudg" which " tsupcgh" which " thdg" which " "

/* ---- gates ---- */

static bool add_output(struct logic_item *i, struct logic_part *p, size_t driver, size_t place)
{
    const int net = pspice_drive(i, p, driver, p->class == &gate_part);
    return net >= 0 && pspice_add_conductances(i, net, net, LOGIC_ZERO, (int)place);
}

/* ---- types ---- */

struct type {
    struct digital_gate gate;
    bool array, tristate, compound;
    size_t inputs, gates; /* of each gate; how many gates there are */
};

/* AO and OA, inverted with an I: the gate that joins, and what it joins. */
static bool compound_named(const char *name, struct type *t, enum gate_function *inner)
{
    const size_t length = strlen(name);
    const bool ao = strncmp(name, "ao", 2) == 0, oa = strncmp(name, "oa", 2) == 0;
    if ((!ao && !oa) || length > 3)
        return false;
    *inner = ao ? GATE_AND : GATE_OR;
    t->compound = true;
    t->gate = (struct digital_gate){ao ? GATE_OR : GATE_AND, length == 3, true, 2};
    return true;
}

static struct type type_of(const struct element *e, enum gate_function *inner)
{
    struct type t = {.gates = 1};
    char name[8] = "";
    size_t length = strlen(e->type);
    const double *numbers = e->numbers;
    const size_t first = e->number_count > 0 ? (size_t)numbers[0] : 1,
                 second = e->number_count > 1 ? (size_t)numbers[1] : 1;
    for (size_t k = 0; k < length && k + 1 < sizeof name; k++)
        name[k] = (char)(e->type[k] >= 'A' && e->type[k] <= 'Z' ? e->type[k] + 'a' - 'A' : e->type[k]);
    if (compound_named(name, &t, inner)) {
        t.inputs = first;
        t.gates = second;
        return t;
    }
    t.array = name[length - 1] == 'a';
    length -= t.array;
    t.tristate = name[length - 1] == '3';
    name[length - t.tristate] = '\0';
    t.gate = digital_gate_named(name);
    t.inputs = t.gate.many && e->number_count > 0 ? first : t.gate.inputs;
    t.gates = !t.array ? 1 : t.gate.many ? second : first;
    return t;
}

static enum kn_status wrong_count(const struct logic_item *i, struct kn_diagnostics *d, size_t inputs, size_t outputs)
{
    const struct element *e = i->element;
    const size_t nodes = PSPICE_FIRST_INPUT + inputs + outputs;
    if (e->node_count == nodes)
        return KN_OK;
    diagnostics_add(d, KN_ERROR, "syntax", e->where,
                    diagnostics_hint(d, "power and ground, %zu input%s, %zu output%s, then the models", inputs,
                                     inputs == 1 ? "" : "s", outputs, outputs == 1 ? "" : "s"),
                    "'%s' has %zu nodes; %s takes %zu", e->name, e->node_count, e->type, nodes);
    return KN_ERROR_DECK;
}

/* ---- gates ---- */

static struct logic_part *new_gate(struct logic_item *i, struct digital_gate g, size_t inputs, struct flop_delay delay)
{
    struct logic_part *p = logic_item_part(i, &gate_part, inputs, 1, sizeof(struct gate));
    if (p)
        *(struct gate *)p->own =
            (struct gate){.function = g.function, .inverts = g.inverts, .rise = delay.rise, .fall = delay.fall};
    return p;
}

static bool sense_all(struct logic_item *i, struct logic_part *p, size_t from)
{
    for (size_t k = 0; p && k < p->input_count; k++)
        if ((p->inputs[k].net = pspice_sense(i, (int)(from + k))) < 0)
            return false;
    return p != NULL;
}

/* One half of a three-state output: on where the data are 1, or 0 with `inverted`, and the enable is 1. */
static int add_half(struct logic_item *i, int data, int enable, bool inverted)
{
    const struct flop_delay off = pspice_delays(i, PSPICE_TO_NOWHERE), on = pspice_delays(i, PSPICE_FROM_NOWHERE);
    const struct flop_delay of_enable =
        inverted ? (struct flop_delay){on.fall, off.fall} : (struct flop_delay){on.rise, off.rise};
    const struct digital_gate buffer = {GATE_BUFFER, false, false, 1}, both = {GATE_AND, false, true, 2};
    struct logic_part *late = new_gate(i, buffer, 1, of_enable), *p = new_gate(i, both, 2, (struct flop_delay){0, 0});
    if (!late || !p)
        return -1;
    late->inputs[0].net = enable;
    p->inputs[0] = (struct logic_input){data, inverted};
    p->inputs[1].net = pspice_drive(i, late, 0, true);
    const int net = p->inputs[1].net < 0 ? -1 : pspice_drive(i, p, 0, false);
    return net >= 0 && logic_item_add(i, late) && logic_item_add(i, p) ? net : -1;
}

static bool add_tristate(struct logic_item *i, struct logic_part *p, int enable, size_t output)
{
    const int data = pspice_drive(i, p, 0, true);
    const int up = data < 0 ? -1 : add_half(i, data, enable, false),
              down = up < 0 ? -1 : add_half(i, data, enable, true);
    return down >= 0 && pspice_add_three_states(i, up, down, (int)output);
}

static enum kn_status make_gates(struct logic_item *i, const struct type *t)
{
    const size_t ends = PSPICE_FIRST_INPUT + t->gates * t->inputs;
    const int enable = t->tristate ? pspice_sense(i, (int)ends) : 0;
    bool good = enable >= 0;
    for (size_t k = 0; k < t->gates && good; k++) {
        struct logic_part *p = new_gate(i, t->gate, t->inputs, pspice_delays(i, PSPICE_BY_INPUT));
        good = sense_all(i, p, PSPICE_FIRST_INPUT + k * t->inputs) &&
               (t->tristate ? add_tristate(i, p, enable, ends + 1 + k) : add_output(i, p, 0, ends + k)) &&
               logic_item_add(i, p);
    }
    return good ? KN_OK : KN_ERROR_MEMORY;
}

/* Gates without delay, and one that joins them. */
static enum kn_status make_compound(struct logic_item *i, const struct type *t, enum gate_function inner)
{
    const struct digital_gate first = {inner, false, true, 2};
    struct logic_part *joint = new_gate(i, t->gate, t->gates, pspice_delays(i, PSPICE_BY_INPUT));
    bool good = joint != NULL;
    for (size_t k = 0; k < t->gates && good; k++) {
        struct logic_part *p = new_gate(i, first, t->inputs, (struct flop_delay){0, 0});
        good = sense_all(i, p, PSPICE_FIRST_INPUT + k * t->inputs) &&
               (joint->inputs[k].net = pspice_drive(i, p, 0, false)) >= 0 && logic_item_add(i, p);
    }
    return good && add_output(i, joint, 0, PSPICE_FIRST_INPUT + t->gates * t->inputs) && logic_item_add(i, joint)
               ? KN_OK
               : KN_ERROR_MEMORY;
}

/* ---- flip-flops and latches ---- */

static const struct flop_type {
    const char *name;
    enum flop_kind kind;
    bool latch;
} flop_types[] = {{"dff", FLOP_D, false}, {"jkff", FLOP_JK, false}, {"srff", FLOP_SR, true}, {"dltch", FLOP_D, true}};

static const struct flop_type *flop_named(const char *name)
{
    for (size_t k = 0; k < sizeof flop_types / sizeof *flop_types; k++)
        if (names_equal(flop_types[k].name, name))
            return &flop_types[k];
    return NULL;
}

static struct flop flop_of(const struct logic_item *i, const struct flop_type *t)
{
    const struct flop_delay set = pspice_delays(i, PSPICE_BY_PRESET);
    return (struct flop){.kind = t->kind,
                         .latch = t->latch,
                         .falling = t->kind == FLOP_JK,
                         .low_set = true,
                         .doubles = true,
                         .initial = LOGIC_ZERO,
                         .delays = {[FLOP_BY_DATA] = pspice_delays(i, PSPICE_BY_DATA),
                                    [FLOP_BY_CLOCK] = pspice_delays(i, t->latch ? PSPICE_BY_GATE : PSPICE_BY_CLOCK),
                                    [FLOP_BY_SET] = set,
                                    [FLOP_BY_RESET] = set}};
}

enum { COMMON = 3 }; /* preset, clear, clock */

static enum kn_status make_flops(struct logic_item *i, const struct flop_type *t, struct kn_diagnostics *d)
{
    const size_t n = i->element->number_count > 0 ? (size_t)i->element->numbers[0] : 1;
    const bool two = t->kind == FLOP_JK || t->kind == FLOP_SR;
    const size_t data = PSPICE_FIRST_INPUT + COMMON, ends = data + n * (two ? 2 : 1);
    int common[COMMON];
    bool good = true;
    if (wrong_count(i, d, ends - PSPICE_FIRST_INPUT, 2 * n) != KN_OK)
        return KN_ERROR_DECK;
    for (int k = 0; k < COMMON && good; k++)
        good = (common[k] = pspice_sense(i, PSPICE_FIRST_INPUT + k)) >= 0;
    for (size_t k = 0; k < n && good; k++) {
        struct logic_part *p = logic_item_part(i, &flop_part, FLOP_INPUTS, 2, sizeof(struct flop));
        if (!p)
            return KN_ERROR_MEMORY;
        *(struct flop *)p->own = flop_of(i, t);
        p->inputs[FLOP_SET].net = common[0];
        p->inputs[FLOP_RESET].net = common[1];
        p->inputs[FLOP_CLOCK].net = common[2];
        good = (p->inputs[FLOP_FIRST].net = pspice_sense(i, (int)(data + k))) >= 0 &&
               (!two || (p->inputs[FLOP_SECOND].net = pspice_sense(i, (int)(data + n + k))) >= 0) &&
               add_output(i, p, 0, ends + k) && add_output(i, p, 1, ends + n + k) && logic_item_add(i, p);
    }
    return good ? KN_OK : KN_ERROR_MEMORY;
}

/* ---- what drives and has no inputs ---- */

static enum kn_status make_pull(struct logic_item *i, bool up, struct kn_diagnostics *d)
{
    const size_t n = i->element->number_count > 0 ? (size_t)i->element->numbers[0] : 1;
    struct logic_part *p = logic_item_part(i, &constant_part, 0, 1, sizeof(struct logic_state));
    if (wrong_count(i, d, 0, n) != KN_OK)
        return KN_ERROR_DECK;
    if (!p)
        return KN_ERROR_MEMORY;
    *(struct logic_state *)p->own = logic_strong(LOGIC_ONE);
    const int net = pspice_drive(i, p, 0, false);
    bool good = net >= 0;
    for (size_t k = 0; k < n && good; k++)
        good = pspice_add_conductances(i, up ? net : -1, up ? -1 : net, LOGIC_ONE, (int)(PSPICE_FIRST_INPUT + k));
    return good && logic_item_add(i, p) ? KN_OK : KN_ERROR_MEMORY;
}

/* The states of the two nets of an output, to power and to ground, for what read_stimulus.c has for it. */
static void halves_of(double what, struct logic_state halves[2])
{
    const bool unknown = what == STIMULUS_UNKNOWN;
    halves[0] = logic_strong(unknown ? LOGIC_UNKNOWN : what == STIMULUS_ONE ? LOGIC_ONE : LOGIC_ZERO);
    halves[1] = logic_strong(unknown ? LOGIC_UNKNOWN : what == STIMULUS_ZERO ? LOGIC_ONE : LOGIC_ZERO);
}

static enum kn_status make_stimulus(struct logic_item *i, struct kn_diagnostics *d)
{
    const double *numbers = i->element->numbers, *rows = numbers + STIMULUS_HEAD;
    const size_t n = (size_t)numbers[STIMULUS_WIDTH], count = (i->element->number_count - STIMULUS_HEAD) / (n + 1);
    const bool repeats = numbers[STIMULUS_PERIOD] > 0;
    struct arena *arena = logic_item_arena(i);
    struct logic_part *p = logic_item_part(i, &stimulus_part, repeats, 2 * n + repeats, sizeof(struct stimulus));
    double *times = arena_array(arena, count, sizeof *times);
    struct logic_state *states = arena_array(arena, count * 2 * n, sizeof *states);
    if (wrong_count(i, d, 0, n) != KN_OK)
        return KN_ERROR_DECK;
    if (!p || !times || !states)
        return KN_ERROR_MEMORY;
    for (size_t r = 0; r < count; r++) {
        times[r] = rows[r * (n + 1)];
        for (size_t k = 0; k < n; k++)
            halves_of(rows[r * (n + 1) + 1 + k], &states[(r * n + k) * 2]);
    }
    *(struct stimulus *)p->own = (struct stimulus){.times = times,
                                                   .states = states,
                                                   .count = count,
                                                   .period = numbers[STIMULUS_PERIOD],
                                                   .again = (size_t)numbers[STIMULUS_AGAIN],
                                                   .begin = numbers[STIMULUS_BEGIN]};
    bool good = !repeats || (p->inputs[0].net = pspice_drive(i, p, 2 * n, false)) >= 0;
    for (size_t k = 0; k < n && good; k++) {
        const int up = pspice_drive(i, p, 2 * k, false), down = pspice_drive(i, p, 2 * k + 1, false);
        good = up >= 0 && down >= 0 && pspice_add_conductances(i, up, down, LOGIC_ONE, (int)(PSPICE_FIRST_INPUT + k));
    }
    return good && logic_item_add(i, p) ? KN_OK : KN_ERROR_MEMORY;
}

/* ---- all ---- */

static enum kn_status no_delays(const struct element *e, struct kn_diagnostics *d)
{
    diagnostics_add(d, KN_ERROR, "model-type", e->where, "first the model of delays, then that of type uio",
                    "'%s': '%s' has no delays", e->name, e->model->name);
    return KN_ERROR_DECK;
}

/* The type of model that has the delays of the device. */
static enum kn_status check_type(const struct element *e, const char *wanted, struct kn_diagnostics *d)
{
    if (names_equal(e->model->type, "uio"))
        return no_delays(e, d);
    if (names_equal(e->model->type, wanted))
        return KN_OK;
    diagnostics_add(d, KN_ERROR, "model-type", e->where,
                    diagnostics_hint(d, "its model of delays is of type %s", wanted),
                    "'%s': no %s with a model of type '%s'", e->name, e->type, e->model->type);
    return KN_ERROR_DECK;
}

static enum kn_status make(struct logic_item *i, struct kn_diagnostics *d)
{
    const struct element *e = i->element;
    const struct flop_type *flop = flop_named(e->type);
    enum gate_function inner;
    if (names_equal(e->type, "stim"))
        return make_stimulus(i, d);
    if (names_equal(e->type, "logicexp"))
        return pspice_make_logic(i);
    if (names_equal(e->type, "pindly"))
        return pspice_make_delays(i);
    if (names_equal(e->type, "constraint"))
        return KN_OK;
    if (names_equal(e->type, "pullup") || names_equal(e->type, "pulldn"))
        return make_pull(i, names_equal(e->type, "pullup"), d);
    if (flop)
        return check_type(e, flop->latch ? "ugff" : "ueff", d) == KN_OK ? make_flops(i, flop, d) : KN_ERROR_DECK;
    const struct type t = type_of(e, &inner);
    if (check_type(e, t.tristate ? "utgate" : "ugate", d) != KN_OK ||
        wrong_count(i, d, t.gates * t.inputs + t.tristate, t.compound ? 1 : t.gates) != KN_OK)
        return KN_ERROR_DECK;
    return t.compound ? make_compound(i, &t, inner) : make_gates(i, &t);
}

const struct logic_kind timed_gate_logic = {
    .class = {.kind = {ELEMENT_KIND('u', "timed gate", "type[(inputs)] power ground inputs outputs",
                                    "timing-model io-model", CARD_GATE),
                       .gates =
                           "inv buf and nand or nor xor nxor inva bufa anda nanda ora nora xora nxora ao oa aoi oai "
                           "inv3 buf3 and3 nand3 or3 nor3 xor3 nxor3 inv3a buf3a and3a nand3a or3a nor3a xor3a nxor3a "
                           "dff jkff srff dltch pullup pulldn stim logicexp pindly constraint",
                       .types = (const struct model_type[]){{"ugate", NULL, "delays of gates"},
                                                            {"utgate", NULL, "delays of gates with an enable"},
                                                            {"ueff", NULL, "delays of flip-flops"},
                                                            {"ugff", NULL, "delays of gated latches"},
                                                            {"uio", NULL, "what inputs and outputs of a family are"},
                                                            {NULL, NULL, NULL}},
                       .instance = {pspice_instance_rows, PSPICE_INSTANCE_ROWS, "io_level"},
                       .model = {pspice_model_rows, PSPICE_MODEL_ROWS,
                                 "inr tstoremn tpwrt digpower atod1 atod2 atod3 atod4 dtoa1 dtoa2 dtoa3 dtoa4 "
                                 "tswlh2 tswlh3 "
                                 "tswlh4 tswhl2 tswhl3 tswhl4 " OF_CHECKS("mn") OF_CHECKS("ty") OF_CHECKS("mx")}},
              .together = &logic_class},
    .make = make};
