/* pspice.c - U devices of gates as PSpice writes them, with two models: one of delays and one of a family of logic.
 *
 *     Uname TYPE[(inputs)] power ground inputs .. outputs .. timing io [MNTYMXDLY=0..4] [IO_LEVEL=0..4]
 *     .model timing UGATE(tplhty=.. tphlty=..)        .model io UIO(drvh=.. drvl=.. inld=.. outld=.. tswlh1=.. tswhl1=..)
 *
 * BUFA, INVA, XORA and NXORA are as many gates as the number says, whose inputs come before their outputs.  A delay that is not
 * given follows from the others: 0.4, 1 and 1.6 times the typical one, which is the mean of the other two where both are given
 * (PSpice Reference Guide, "Digital devices", options DIGMNTYSCALE and DIGTYMXSCALE).  MNTYMXDLY chooses; 0 and 4, the worst case,
 * are taken for typical.
 *
 * Interface subcircuits of PSpice's libraries are not read.  An input is 1 above 2 V, 0 below 0.8 V, the levels of TTL, against
 * the device's ground, and between them what it was.  An output has DRVL to ground or DRVH to power, which take over from
 * each other within TSWHL or TSWLH, so that they end when the delay does; INLD and OUTLD are capacitances to ground.
 */
#include "devices/families.h"
#include "devices/logic/digital.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double INPUT_LOW = 0.8, INPUT_HIGH = 2; /* V */

/* ---- parameters ---- */

#define LEVEL_ROWS(index)                                                                                              \
    [index(DRVH)] = {"drvh", "ohm", 50, DBL_MIN, INFINITY, "resistance of a 1 to power", NULL},                        \
    [index(DRVL)] = {"drvl", "ohm", 50, DBL_MIN, INFINITY, "resistance of a 0 to ground", NULL},                       \
    [index(INLD)] = {"inld", "F", 0, 0, INFINITY, "capacitance of inputs", NULL},                                      \
    [index(OUTLD)] = {"outld", "F", 0, 0, INFINITY, "capacitance of outputs", NULL},                                   \
    [index(TSWLH)] = {"tswlh1", "s", 0, 0, INFINITY, "time to a 1, within the delay", "tswlh"},                        \
    [index(TSWHL)] = {"tswhl1", "s", 0, 0, INFINITY, "time to a 0, within the delay", "tswhl"}

#define INSTANCE(row)  I_##row
#define MODEL(row)     M_##row
#define LEVELS(prefix) prefix(DRVH), prefix(DRVL), prefix(INLD), prefix(OUTLD), prefix(TSWLH), prefix(TSWHL)

/* The card's I/O model is put among the parameters of the element when it is read (read_gate_card.c). */
enum { LEVELS(INSTANCE), I_SELECT, I_COUNT };
enum { LEVELS(MODEL), M_RISE, M_FALL = M_RISE + 3, M_COUNT = M_FALL + 3 }; /* minimum, typical, maximum */
enum { LEAST, TYPICAL, MOST };

static const struct parameter_info instance_rows[I_COUNT] = {
    LEVEL_ROWS(INSTANCE),
    [I_SELECT] = {"mntymxdly", "", 0, 0, 4, "which delay: 1 least, 3 largest, else typical", NULL},
};

#define DELAY_ROWS(row, name, what)                                                                                    \
    [row] = {name "mn", "s", 0, 0, INFINITY, "delay to a " what ", least", NULL},                                      \
    [row + TYPICAL] = {name "ty", "s", 0, 0, INFINITY, "the same, typical", NULL},                                     \
    [row + MOST] = {name "mx", "s", 0, 0, INFINITY, "the same, largest", NULL}

static const struct parameter_info model_rows[M_COUNT] = {
    LEVEL_ROWS(MODEL),
    DELAY_ROWS(M_RISE, "tplh", "1"),
    DELAY_ROWS(M_FALL, "tphl", "0"),
};

/* Of LEAST, TYPICAL and MOST that which is asked for (s). */
static double delay_of(const struct logic_item *i, int row)
{
    const bool *given = &i->given[row];
    const double *p = &i->p[row], least = 0.4, most = 1.6, select = i->values[I_SELECT];
    const double typical = given[TYPICAL]                ? p[TYPICAL]
                           : given[LEAST] && given[MOST] ? (p[LEAST] + p[MOST]) / 2
                           : given[LEAST]                ? p[LEAST] / least
                                                         : p[MOST] / most;
    if (select == 1)
        return given[LEAST] ? p[LEAST] : least * typical;
    if (select == 3)
        return given[MOST] ? p[MOST] : most * typical;
    return typical;
}

/* ---- inputs, outputs, gates ---- */

enum { POWER, GROUND, FIRST_INPUT };

static int sense(struct logic_item *i, int place)
{
    const int net = logic_item_net(i, -1);
    struct logic_sensor *s = logic_item_sensor(i, place, GROUND, net);
    const double load = i->values[I_INLD];
    const struct digital_conductance none = {.place = place, .rail = GROUND, .net = net, .capacitance = load};
    if (!s || (load > 0 && !digital_add_conductance(i, &none)))
        return -1;
    s->low = INPUT_LOW;
    s->high = INPUT_HIGH;
    s->remembers = true;
    return net;
}

static bool add_output(struct logic_item *i, struct logic_part *p, int place)
{
    const int net = logic_item_net(i, -1);
    struct digital_conductance c = {
        .place = place, .rail = GROUND, .net = net, .to_zero = i->values[I_TSWHL], .to_one = i->values[I_TSWLH]};
    c.levels[LOGIC_ZERO] = 1 / i->values[I_DRVL];
    c.capacitance = i->values[I_OUTLD];
    if (net < 0 || !logic_item_drive(i, p, 0, net, true) || !digital_add_conductance(i, &c))
        return false;
    c.rail = POWER;
    c.levels[LOGIC_ZERO] = 0;
    c.levels[LOGIC_ONE] = 1 / i->values[I_DRVH];
    c.capacitance = 0;
    return digital_add_conductance(i, &c);
}

/* One gate from `inputs` places on to an output. */
static bool add_gate(struct logic_item *i, const struct digital_gate *g, size_t inputs, size_t from, size_t output)
{
    struct logic_part *p = logic_item_part(i, &gate_part, inputs, 1, sizeof(struct gate));
    if (!p)
        return false;
    *(struct gate *)p->own = (struct gate){.function = g->function,
                                           .inverts = g->inverts,
                                           .rise = fmax(delay_of(i, M_RISE) - i->values[I_TSWLH], 0),
                                           .fall = fmax(delay_of(i, M_FALL) - i->values[I_TSWHL], 0)};
    for (size_t k = 0; k < inputs; k++)
        if ((p->inputs[k].net = sense(i, (int)(from + k))) < 0)
            return false;
    return add_output(i, p, (int)output) && logic_item_add(i, p);
}

static enum kn_status make(struct logic_item *i, struct kn_diagnostics *d)
{
    const struct element *e = i->element;
    char name[8] = ""; /* without the a of arrays */
    const size_t length = strlen(e->type) - (strchr("aA", e->type[strlen(e->type) - 1]) ? 1 : 0);
    const bool array = length < strlen(e->type);
    memcpy(name, e->type, length < sizeof name ? length : sizeof name - 1);
    const struct digital_gate g = digital_gate_named(name);
    const size_t number = e->has_value ? (size_t)e->value : 1, gates = array ? number : 1;
    const size_t inputs = !array && g.many && e->has_value ? number : g.inputs, ends = FIRST_INPUT + gates * inputs;
    if (names_equal(e->model->type, "uio")) {
        diagnostics_add(d, KN_ERROR, "model-type", e->where, "first the model of type ugate, then that of type uio",
                        "'%s': '%s' has no delays", e->name, e->model->name);
        return KN_ERROR_DECK;
    }
    if (e->node_count != ends + gates) {
        diagnostics_add(d, KN_ERROR, "syntax", e->where,
                        diagnostics_hint(d, "power and ground, %zu inputs, %zu output%s, then two models",
                                         gates * inputs, gates, gates == 1 ? "" : "s"),
                        "'%s' has %zu nodes; %s takes %zu", e->name, e->node_count, e->type, ends + gates);
        return KN_ERROR_DECK;
    }
    for (size_t k = 0; k < gates; k++)
        if (!add_gate(i, &g, inputs, FIRST_INPUT + k * inputs, ends + k))
            return KN_ERROR_MEMORY;
    return KN_OK;
}

const struct logic_kind timed_gate_logic = {
    .class = {.kind = {ELEMENT_KIND('u', "timed gate", "type[(inputs)] power ground inputs outputs",
                                    "timing-model io-model", CARD_GATE),
                       .gates = "inv buf and nand or nor xor nxor inva bufa xora nxora",
                       .types = (const struct model_type[]){{"ugate", NULL, "delays of gates"},
                                                            {"uio", NULL, "what inputs and outputs of a family are"},
                                                            {NULL, NULL, NULL}},
                       .instance = {instance_rows, I_COUNT, "io_level"},
                       .model = {model_rows, M_COUNT,
                                 "drvz inr tstoremn tpwrt digpower atod1 atod2 atod3 atod4 dtoa1 dtoa2 dtoa3 dtoa4 "
                                 "tswlh2 tswlh3 "
                                 "tswlh4 tswhl2 tswhl3 tswhl4"}},
              .together = &logic_class},
    .make = make};
