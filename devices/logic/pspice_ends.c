/* pspice_ends.c - see pspice.h: parameters of U devices and their models, delays, inputs and outputs. */
#include "devices/logic/pspice.h"

#include <float.h>
#include <math.h>

static const double INPUT_LOW = 0.8, INPUT_HIGH = 2; /* V */

/* ---- parameters ---- */

#define LEVEL_ROWS(index)                                                                                              \
    [index(DRVH)] = {"drvh", "ohm", 50, DBL_MIN, INFINITY, "resistance of a 1 to power", NULL},                        \
    [index(DRVL)] = {"drvl", "ohm", 50, DBL_MIN, INFINITY, "resistance of a 0 to ground", NULL},                       \
    [index(DRVZ)] = {"drvz", "ohm", 250e3, DBL_MIN, INFINITY, "resistance of an output that leads nowhere", NULL},     \
    [index(INLD)] = {"inld", "F", 0, 0, INFINITY, "capacitance of inputs", NULL},                                      \
    [index(OUTLD)] = {"outld", "F", 0, 0, INFINITY, "capacitance of outputs", NULL},                                   \
    [index(TSWLH)] = {"tswlh1", "s", 0, 0, INFINITY, "time to a 1, within the delay", "tswlh"},                        \
    [index(TSWHL)] = {"tswhl1", "s", 0, 0, INFINITY, "time to a 0, within the delay", "tswhl"}

#define INSTANCE(row) I_##row
#define MODEL(row)    M_##row
#define LEVELS(prefix)                                                                                                 \
    prefix(DRVH), prefix(DRVL), prefix(DRVZ), prefix(INLD), prefix(OUTLD), prefix(TSWLH), prefix(TSWHL)

/* The card's I/O model is put among the parameters of the element when it is read (read_gate_card.c). */
enum { LEVELS(INSTANCE), I_SELECT, I_COUNT };
enum { LEVELS(MODEL), M_DELAYS };
enum { LEAST = PSPICE_LEAST, TYPICAL, MOST, SELECTIONS = PSPICE_SELECTIONS };
_Static_assert((int)I_COUNT == (int)PSPICE_INSTANCE_ROWS && (int)M_DELAYS == (int)PSPICE_LEVELS,
               "tables and their enums belong together");

const struct parameter_info pspice_instance_rows[PSPICE_INSTANCE_ROWS] = {
    LEVEL_ROWS(INSTANCE),
    [I_SELECT] = {"mntymxdly", "", 0, 0, 4, "which delay: 1 least, 3 largest, else typical", NULL},
};

#define DELAY_ROW(cause, fall, name, what)                                                                             \
    [M_DELAYS + ((cause)*2 + (fall)) *                                                                                 \
        SELECTIONS] = {name "mn", "s", 0, -INFINITY, INFINITY, what ", least; below 0: not given", NULL},              \
        [M_DELAYS + ((cause)*2 + (fall)) * SELECTIONS +                                                                \
            TYPICAL] = {name "ty", "s", 0, -INFINITY, INFINITY, "typical", NULL},                                      \
        [M_DELAYS + ((cause)*2 + (fall)) * SELECTIONS +                                                                \
            MOST] = {name "mx", "s", 0, -INFINITY, INFINITY, "largest", NULL}
#define DELAY_ROWS(cause, rise_name, fall_name, rise_what, fall_what)                                                  \
    DELAY_ROW(cause, 0, rise_name, rise_what), DELAY_ROW(cause, 1, fall_name, fall_what)

const struct parameter_info pspice_model_rows[PSPICE_MODEL_ROWS] = {
    LEVEL_ROWS(MODEL),
    DELAY_ROWS(PSPICE_BY_INPUT, "tplh", "tphl", "delay to a 1", "delay to a 0"),
    DELAY_ROWS(PSPICE_TO_NOWHERE, "tphz", "tplz", "from a 1 to nowhere", "from a 0 to nowhere"),
    DELAY_ROWS(PSPICE_FROM_NOWHERE, "tpzh", "tpzl", "from nowhere to a 1", "from nowhere to a 0"),
    DELAY_ROWS(PSPICE_BY_PRESET, "tppcqlh", "tppcqhl", "from preset or clear to a 1", "to a 0"),
    DELAY_ROWS(PSPICE_BY_CLOCK, "tpclkqlh", "tpclkqhl", "from the clock to a 1", "to a 0"),
    DELAY_ROWS(PSPICE_BY_DATA, "tpdqlh", "tpdqhl", "from the data of a latch to a 1", "to a 0"),
    DELAY_ROWS(PSPICE_BY_GATE, "tpgqlh", "tpgqhl", "from the gate of a latch to a 1", "to a 0"),
};

double pspice_choose(const struct logic_item *i, const double p[SELECTIONS], const bool given[SELECTIONS])
{
    const double least = 0.4, most = 1.6, select = i->values[I_SELECT];
    const bool has_least = given[LEAST] && p[LEAST] >= 0, has_most = given[MOST] && p[MOST] >= 0;
    const double typical = given[TYPICAL] && p[TYPICAL] >= 0 ? p[TYPICAL]
                           : has_least && has_most           ? (p[LEAST] + p[MOST]) / 2
                           : has_least                       ? p[LEAST] / least
                           : has_most                        ? p[MOST] / most
                                                             : 0;
    if (select == 1)
        return has_least ? p[LEAST] : least * typical;
    if (select == 3)
        return has_most ? p[MOST] : most * typical;
    return typical;
}

static double delay_of(const struct logic_item *i, int cause, int fall)
{
    const int row = M_DELAYS + (cause * 2 + fall) * SELECTIONS;
    return pspice_choose(i, &i->p[row], &i->given[row]);
}

struct flop_delay pspice_delays(const struct logic_item *i, int cause)
{
    return (struct flop_delay){fmax(delay_of(i, cause, 0) - i->values[I_TSWLH], 0),
                               fmax(delay_of(i, cause, 1) - i->values[I_TSWHL], 0)};
}

struct flop_delay pspice_beginning(const struct logic_item *i, double delay)
{
    return (struct flop_delay){fmax(delay - i->values[I_TSWLH], 0), fmax(delay - i->values[I_TSWHL], 0)};
}

/* ---- inputs and outputs ---- */

enum { POWER = PSPICE_POWER, GROUND = PSPICE_GROUND };

int pspice_sense(struct logic_item *i, int place)
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

bool pspice_add_conductances(struct logic_item *i, int up, int down, enum logic_level sinks, int place)
{
    struct digital_conductance c = {
        .place = place, .rail = GROUND, .net = down, .to_zero = i->values[I_TSWHL], .to_one = i->values[I_TSWLH]};
    if (sinks == LOGIC_ONE) {
        c.to_zero = i->values[I_TSWLH];
        c.to_one = i->values[I_TSWHL];
    }
    c.levels[sinks] = 1 / i->values[I_DRVL];
    c.capacitance = i->values[I_OUTLD];
    if (down >= 0 && !digital_add_conductance(i, &c))
        return false;
    c = (struct digital_conductance){
        .place = place, .rail = POWER, .net = up, .to_zero = i->values[I_TSWHL], .to_one = i->values[I_TSWLH]};
    c.levels[LOGIC_ONE] = 1 / i->values[I_DRVH];
    return up < 0 || digital_add_conductance(i, &c);
}

/* It leaks to half of the supply, half of the conductance to either rail. */
static bool leak(struct logic_item *i, int nowhere, int place)
{
    struct digital_conductance c = {.place = place, .rail = GROUND, .net = nowhere};
    c.levels[LOGIC_ONE] = 0.5 / i->values[I_DRVZ];
    if (!digital_add_conductance(i, &c))
        return false;
    c.rail = POWER;
    return digital_add_conductance(i, &c);
}

bool pspice_add_three_states(struct logic_item *i, int up, int down, int place)
{
    struct logic_part *p = logic_item_part(i, &gate_part, 2, 1, sizeof(struct gate));
    if (!p)
        return false;
    *(struct gate *)p->own = (struct gate){.function = GATE_OR, .inverts = true};
    p->inputs[0].net = up;
    p->inputs[1].net = down;
    const int nowhere = pspice_drive(i, p, 0, false);
    return nowhere >= 0 && logic_item_add(i, p) && leak(i, nowhere, place) &&
           pspice_add_conductances(i, up, down, LOGIC_ONE, place);
}

int pspice_drive(struct logic_item *i, struct logic_part *p, size_t driver, bool inertial)
{
    const int net = logic_item_net(i, -1);
    return net >= 0 && logic_item_drive(i, p, driver, net, inertial) ? net : -1;
}
