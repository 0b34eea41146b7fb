/* xspice.c - A devices of logic after XSPICE: bridges, gates, flip-flops, dividers, tables, memories and sources. */
#include "devices/families.h"
#include "devices/logic/logic.h"
#include "devices/logic/stimulus_file.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables ---- */

#define LOGIC (1u << PORT_LOGIC)
#define LOGIC_PORT(text, which, many, open)                                                                            \
    {                                                                                                                  \
        .name = text, .direction = which, .type = PORT_LOGIC, .allowed = LOGIC, .list = many, .may_be_null = open      \
    }
#define IN(text)       LOGIC_PORT(text, PORT_IN, false, false)
#define IN_LIST(text)  LOGIC_PORT(text, PORT_IN, true, false)
#define IN_OPEN(text)  LOGIC_PORT(text, PORT_IN, false, true)
#define OUT(text)      LOGIC_PORT(text, PORT_OUT, false, false)
#define OUT_LIST(text) LOGIC_PORT(text, PORT_OUT, true, false)
#define OUT_OPEN(text) LOGIC_PORT(text, PORT_OUT, false, true)

/* s; XSPICE has none below 1 ps */
#define DELAY(text, value, doc_text)                                                                                   \
    {                                                                                                                  \
        text, "s", value, 0, INFINITY, doc_text, NULL                                                                  \
    }
#define FLAG(text, value, doc_text)                                                                                    \
    {                                                                                                                  \
        text, "", value, 0, 1, doc_text, NULL                                                                          \
    }
#define COUNTS(text, value, least, doc_text)                                                                           \
    {                                                                                                                  \
        text, "", value, least, 1e9, doc_text, NULL                                                                    \
    }

/* Loads on inputs say nothing to parts without capacitances. */
static const char loads[] = "input_load data_load clk_load set_load reset_load enable_load t_load jk_load sr_load load "
                            "address_load select_load freq_in_load family";

#define KIND(type_name, what, nodes_text, port_rows, parameter_rows)                                                   \
    .class = PORT_CLASS(type_name, what, nodes_text, port_rows, parameter_rows,                                        \
                        sizeof(parameter_rows) / sizeof *(parameter_rows), loads, &logic_class)

/* ---- connecting ---- */

static size_t members_of(const struct logic_item *i, size_t port)
{
    size_t count = 0;
    for (size_t c = 0; c < i->element->connection_count; c++)
        count += i->element->connections[c].port == port;
    return count;
}

/* NULL where the port has fewer.  Connections are in the order of the ports: the first that is not of an earlier one. */
static const struct connection *member_of(const struct logic_item *i, size_t port, size_t member)
{
    const struct connection *all = i->element->connections;
    size_t from = 0, to = i->element->connection_count;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (all[middle].port < port)
            from = middle + 1;
        else
            to = middle;
    }
    const size_t at = from + member;
    return at < i->element->connection_count && all[at].port == port ? &all[at] : NULL;
}

static bool connect_input(struct logic_item *i, struct logic_part *p, size_t input, size_t port, size_t member)
{
    const struct connection *at = member_of(i, port, member);
    if (!at)
        return true;
    p->inputs[input] = (struct logic_input){logic_item_net(i, at->plus), at->inverted};
    return p->inputs[input].net >= 0;
}

static const struct gate at_once = {.function = GATE_BUFFER, .inverts = true};

/* An output with ~ goes through an inverter that takes no time. */
static int inverted_net(struct logic_item *i, int net)
{
    struct logic_part *p = logic_item_part(i, &gate_part, 1, 1, sizeof at_once);
    const int inside = logic_item_net(i, -1);
    if (!p || inside < 0 || !logic_item_drive(i, p, 0, net, false))
        return -1;
    memcpy(p->own, &at_once, sizeof at_once);
    p->inputs[0].net = inside;
    return logic_item_add(i, p) ? inside : -1;
}

static bool connect_output(struct logic_item *i, struct logic_part *p, size_t driver, size_t port, size_t member,
                           bool inertial)
{
    const struct connection *at = member_of(i, port, member);
    if (!at)
        return true;
    int net = logic_item_net(i, at->plus);
    if (net >= 0)
        logic_item_begin_at_zero(i, net);
    if (net >= 0 && at->inverted)
        net = inverted_net(i, net);
    return logic_item_drive(i, p, driver, net, inertial);
}

/* Inputs and outputs of a part are those of the card in turn. */
static bool connect_in_turn(struct logic_item *i, struct logic_part *p, size_t in_port, size_t out_port, bool inertial)
{
    for (size_t k = 0; k < p->input_count; k++)
        if (!connect_input(i, p, k, in_port, k))
            return false;
    for (size_t k = 0; k < p->driver_count; k++)
        if (!connect_output(i, p, k, out_port, k, inertial))
            return false;
    return logic_item_add(i, p);
}

static enum kn_status fail(const struct logic_item *i, struct kn_diagnostics *d, const char *hint, const char *text)
{
    diagnostics_add(d, KN_ERROR, "code-model", i->element->where, hint, "'%s': %s", i->element->name, text);
    return KN_ERROR_DECK;
}

/* ---- gates ---- */

enum { GATE_RISE, GATE_FALL, GATE_INERTIAL };

static const struct parameter_info gate_rows[] = {
    [GATE_RISE] = DELAY("rise_delay", 1e-9, "until the output is 1"),
    [GATE_FALL] = DELAY("fall_delay", 1e-9, "until it is 0"),
    [GATE_INERTIAL] = FLAG("inertial_delay", 0, "pulses shorter than the delay are swallowed"),
};
static const struct parameter_info open_c_rows[] = {
    [GATE_RISE] = DELAY("open_delay", 1e-9, "until the output is open"),
    [GATE_FALL] = DELAY("fall_delay", 1e-9, "until it is 0"),
    [GATE_INERTIAL] = FLAG("inertial_delay", 0, "pulses shorter than the delay are swallowed"),
};
static const struct parameter_info open_e_rows[] = {
    [GATE_RISE] = DELAY("rise_delay", 1e-9, "until the output is 1"),
    [GATE_FALL] = DELAY("open_delay", 1e-9, "until it is open"),
    [GATE_INERTIAL] = FLAG("inertial_delay", 0, "pulses shorter than the delay are swallowed"),
};

static const struct port_info one_input[] = {IN("in"), OUT("out")};
static const struct port_info many_inputs[] = {IN_LIST("in"), OUT("out")};

static enum kn_status make_gate(struct logic_item *i, struct gate g)
{
    struct logic_part *p = logic_item_part(i, &gate_part, members_of(i, 0), 1, sizeof g);
    if (!p)
        return KN_ERROR_MEMORY;
    g.rise = i->p[GATE_RISE];
    g.fall = i->p[GATE_FALL];
    memcpy(p->own, &g, sizeof g);
    return connect_in_turn(i, p, 0, 1, i->p[GATE_INERTIAL] != 0) ? KN_OK : KN_ERROR_MEMORY;
}

#define GATE_KIND(name, what, nodes_text, ports, rows, ...)                                                            \
    static enum kn_status make_##name(struct logic_item *i, struct kn_diagnostics *d)                                  \
    {                                                                                                                  \
        (void)d;                                                                                                       \
        return make_gate(i, (struct gate){__VA_ARGS__});                                                               \
    }                                                                                                                  \
    const struct logic_kind name##_logic = {KIND(#name, what, nodes_text, ports, rows), .make = make_##name}

GATE_KIND(d_buffer, "buffer", "in out", one_input, gate_rows, .function = GATE_BUFFER);
GATE_KIND(d_inverter, "inverter", "in out", one_input, gate_rows, .function = GATE_BUFFER, .inverts = true);
GATE_KIND(d_and, "and gate", "[in ..] out", many_inputs, gate_rows, .function = GATE_AND);
GATE_KIND(d_nand, "nand gate", "[in ..] out", many_inputs, gate_rows, .function = GATE_AND, .inverts = true);
GATE_KIND(d_or, "or gate", "[in ..] out", many_inputs, gate_rows, .function = GATE_OR);
GATE_KIND(d_nor, "nor gate", "[in ..] out", many_inputs, gate_rows, .function = GATE_OR, .inverts = true);
GATE_KIND(d_xor, "xor gate", "[in ..] out", many_inputs, gate_rows, .function = GATE_XOR);
GATE_KIND(d_xnor, "xnor gate", "[in ..] out", many_inputs, gate_rows, .function = GATE_XOR, .inverts = true);
GATE_KIND(d_open_c, "open-collector buffer", "in out", one_input, open_c_rows, .function = GATE_BUFFER,
          .strength = {LOGIC_STRONG, LOGIC_OFF, LOGIC_UNDETERMINED});
GATE_KIND(d_open_e, "open-emitter buffer", "in out", one_input, open_e_rows, .function = GATE_BUFFER,
          .strength = {LOGIC_OFF, LOGIC_STRONG, LOGIC_UNDETERMINED});

/* ---- tri-state, pull-up, pull-down ---- */

static const struct parameter_info tristate_rows[] = {
    DELAY("delay", 1e-9, "until the output follows"),
    FLAG("inertial_delay", 0, "pulses shorter than the delay are swallowed"),
};
static const struct port_info tristate_ports[] = {IN("in"), IN("enable"), OUT("out")};

static enum kn_status make_tristate(struct logic_item *i, struct kn_diagnostics *d)
{
    const struct tristate t = {i->p[0]};
    struct logic_part *p = logic_item_part(i, &tristate_part, 2, 1, sizeof t);
    (void)d;
    if (!p)
        return KN_ERROR_MEMORY;
    memcpy(p->own, &t, sizeof t);
    const bool good = connect_input(i, p, 0, 0, 0) && connect_input(i, p, 1, 1, 0) &&
                      connect_output(i, p, 0, 2, 0, i->p[1] != 0) && logic_item_add(i, p);
    return good ? KN_OK : KN_ERROR_MEMORY;
}

const struct logic_kind d_tristate_logic = {
    KIND("d_tristate", "tri-state buffer", "in enable out", tristate_ports, tristate_rows), .make = make_tristate};

static const struct parameter_info pull_rows[] = {DELAY("delay", 1e-12, "of no meaning: the output never changes")};
static const struct port_info pull_ports[] = {OUT("out")};

static enum kn_status make_pull(struct logic_item *i, enum logic_level level)
{
    const struct logic_state state = {level, LOGIC_RESISTIVE, 0};
    struct logic_part *p = logic_item_part(i, &constant_part, 0, 1, sizeof state);
    if (!p)
        return KN_ERROR_MEMORY;
    memcpy(p->own, &state, sizeof state);
    return connect_in_turn(i, p, 0, 0, false) ? KN_OK : KN_ERROR_MEMORY;
}

static enum kn_status make_pullup(struct logic_item *i, struct kn_diagnostics *d)
{
    (void)d;
    return make_pull(i, LOGIC_ONE);
}

static enum kn_status make_pulldown(struct logic_item *i, struct kn_diagnostics *d)
{
    (void)d;
    return make_pull(i, LOGIC_ZERO);
}

const struct logic_kind d_pullup_logic = {KIND("d_pullup", "pull-up", "out", pull_ports, pull_rows),
                                          .make = make_pullup};
const struct logic_kind d_pulldown_logic = {KIND("d_pulldown", "pull-down", "out", pull_ports, pull_rows),
                                            .make = make_pulldown};

/* ---- flip-flops ---- */

enum { FF_CLOCK_DELAY, FF_SET_DELAY, FF_RESET_DELAY, FF_IC, FF_RISE, FF_FALL, FF_DATA_DELAY };

#define FLOP_ROWS(clock_name)                                                                                          \
    [FF_CLOCK_DELAY] = DELAY(clock_name, 1e-9, "from the clock"),                                                      \
    [FF_SET_DELAY] = DELAY("set_delay", 1e-9, "from set"),                                                             \
    [FF_RESET_DELAY] = DELAY("reset_delay", 1e-9, "from reset"), [FF_IC] = {"ic",                                      \
                                                                            "",                                        \
                                                                            0,                                         \
                                                                            0,                                         \
                                                                            2,                                         \
                                                                            "state at first: 0, 1, or 2, not known",   \
                                                                            NULL},                                     \
    [FF_RISE] = {"rise_delay", "s", 1e-9, 0, INFINITY, "added where an output becomes 1", NULL},                       \
    [FF_FALL] = {"fall_delay", "s", 1e-9, 0, INFINITY, "added where it becomes 0", NULL}

static const struct parameter_info flop_rows[] = {FLOP_ROWS("clk_delay")};
static const struct parameter_info latch_rows[] = {
    FLOP_ROWS("enable_delay"), [FF_DATA_DELAY] = DELAY("data_delay", 1e-9, "from the data")};
static const struct parameter_info sr_latch_rows[] = {
    FLOP_ROWS("enable_delay"), [FF_DATA_DELAY] = DELAY("sr_delay", 1e-9, "from s and r")};

#define FLOP_TAIL IN_OPEN("set"), IN_OPEN("reset"), OUT_OPEN("out"), OUT_OPEN("nout")
static const struct port_info d_ports[] = {IN("data"), IN("clk"), FLOP_TAIL};
static const struct port_info t_ports[] = {IN("t"), IN("clk"), FLOP_TAIL};
static const struct port_info jk_ports[] = {IN("j"), IN("k"), IN("clk"), FLOP_TAIL};
static const struct port_info sr_ports[] = {IN("s"), IN("r"), IN("clk"), FLOP_TAIL};
static const struct port_info d_latch_ports[] = {IN("data"), IN("enable"), FLOP_TAIL};
static const struct port_info sr_latch_ports[] = {IN("s"), IN("r"), IN("enable"), FLOP_TAIL};

/* From an input, and that of the output, which is added to it (s). */
static struct flop_delay delay_from(const struct logic_item *i, double input)
{
    return (struct flop_delay){input + i->p[FF_RISE], input + i->p[FF_FALL]};
}

static enum kn_status make_flop(struct logic_item *i, enum flop_kind kind, bool latch)
{
    struct logic_part *p = logic_item_part(i, &flop_part, FLOP_INPUTS, 2, sizeof(struct flop));
    const bool two = kind == FLOP_JK || kind == FLOP_SR;
    if (!p)
        return KN_ERROR_MEMORY;
    struct flop *f = p->own;
    *f = (struct flop){.kind = kind,
                       .latch = latch,
                       .initial = (enum logic_level)lround(i->p[FF_IC]),
                       .delays = {[FLOP_BY_DATA] = delay_from(i, latch ? i->p[FF_DATA_DELAY] : 0),
                                  [FLOP_BY_CLOCK] = delay_from(i, i->p[FF_CLOCK_DELAY]),
                                  [FLOP_BY_SET] = delay_from(i, i->p[FF_SET_DELAY]),
                                  [FLOP_BY_RESET] = delay_from(i, i->p[FF_RESET_DELAY])}};
    const size_t clock = two ? 2 : 1;
    const bool good = connect_input(i, p, FLOP_FIRST, 0, 0) && (!two || connect_input(i, p, FLOP_SECOND, 1, 0)) &&
                      connect_input(i, p, FLOP_CLOCK, clock, 0) && connect_input(i, p, FLOP_SET, clock + 1, 0) &&
                      connect_input(i, p, FLOP_RESET, clock + 2, 0) && connect_output(i, p, 0, clock + 3, 0, false) &&
                      connect_output(i, p, 1, clock + 4, 0, false) && logic_item_add(i, p);
    return good ? KN_OK : KN_ERROR_MEMORY;
}

#define FLOP_KIND(name, what, nodes_text, ports, rows, kind, latch)                                                    \
    static enum kn_status make_##name(struct logic_item *i, struct kn_diagnostics *d)                                  \
    {                                                                                                                  \
        (void)d;                                                                                                       \
        return make_flop(i, kind, latch);                                                                              \
    }                                                                                                                  \
    const struct logic_kind name##_logic = {KIND(#name, what, nodes_text, ports, rows), .make = make_##name}

FLOP_KIND(d_dff, "D flip-flop", "data clk set reset out nout", d_ports, flop_rows, FLOP_D, false);
FLOP_KIND(d_tff, "T flip-flop", "t clk set reset out nout", t_ports, flop_rows, FLOP_T, false);
FLOP_KIND(d_jkff, "JK flip-flop", "j k clk set reset out nout", jk_ports, flop_rows, FLOP_JK, false);
FLOP_KIND(d_srff, "SR flip-flop", "s r clk set reset out nout", sr_ports, flop_rows, FLOP_SR, false);
FLOP_KIND(d_dlatch, "D latch", "data enable set reset out nout", d_latch_ports, latch_rows, FLOP_D, true);
FLOP_KIND(d_srlatch, "SR latch", "s r enable set reset out nout", sr_latch_ports, sr_latch_rows, FLOP_SR, true);

/* ---- divider, table, memory, source ---- */

static const struct parameter_info divider_rows[] = {
    COUNTS("div_factor", 2, 1, "input pulses for one of the output"),
    COUNTS("high_cycles", 1, 1, "of these the output is 1"),
    COUNTS("i_count", 0, 0, "count at first"),
    DELAY("rise_delay", 1e-9, "until the output is 1"),
    DELAY("fall_delay", 1e-9, "until it is 0"),
};
static const struct port_info divider_ports[] = {IN("freq_in"), OUT("freq_out")};

static enum kn_status make_divider(struct logic_item *i, struct kn_diagnostics *d)
{
    struct logic_part *p = logic_item_part(i, &divider_part, 1, 1, sizeof(struct divider));
    if (!p)
        return KN_ERROR_MEMORY;
    if (i->p[1] >= i->p[0])
        return fail(i, d, NULL, "high_cycles is not less than div_factor");
    *(struct divider *)p->own = (struct divider){
        .factor = lround(i->p[0]), .high = lround(i->p[1]), .first = lround(i->p[2]), .rise = i->p[3], .fall = i->p[4]};
    return connect_in_turn(i, p, 0, 1, false) ? KN_OK : KN_ERROR_MEMORY;
}

const struct logic_kind d_fdiv_logic = {
    KIND("d_fdiv", "frequency divider", "freq_in freq_out", divider_ports, divider_rows), .make = make_divider};

static const struct parameter_info table_rows[] = {
    {"table_values", "\"\"", 0, 0, 0, "outputs, of the input number 0 first: \"0110\"", NULL},
    DELAY("rise_delay", 1e-9, "until the output is 1"),
    DELAY("fall_delay", 1e-9, "until it is 0"),
};

static const struct parameter_info tables_rows[] = {
    {"table_values", "\"\"", 0, 0, 0, "as of d_lut, of one output behind the other: \"01100001\"", NULL},
    {"rise_delay", "[s]", 1e-9, 0, INFINITY, "until each output is 1", NULL},
    {"fall_delay", "[s]", 1e-9, 0, INFINITY, "until each is 0", NULL},
    {"input_delay", "[s]", 0, 0, INFINITY, "until the table sees each input; of several at once the longest counts", NULL},
};
static const struct port_info many_to_many[] = {IN_LIST("in"), OUT_LIST("out")};

/* The k-th number of a list, the last one of a shorter list; of a number that one. */
static double number_of(const struct logic_item *i, const char *name, size_t k, double otherwise)
{
    const struct model *m = i->element->model;
    const struct setting *s = setting_find(m->settings, m->setting_count, name);
    if (s && s->list && s->list_count > 0)
        return s->list[k < s->list_count ? k : s->list_count - 1];
    return s && s->has_value ? s->value : otherwise;
}

/* false without memory. */
static bool set_late(const struct logic_item *i, size_t inputs, struct table *t)
{
    double *late = arena_array(logic_item_arena(i), inputs + 1, sizeof *late), most = 0;
    t->inputs = arena_array(logic_item_arena(i), inputs + 1, sizeof *t->inputs);
    for (size_t k = 0; k < inputs && late; k++)
        most = fmax(most, late[k] = number_of(i, "input_delay", k, 0));
    t->late = most > 0 ? late : NULL;
    return late && t->inputs;
}

/* A table for each output. */
static enum kn_status make_tables(struct logic_item *i, struct kn_diagnostics *d)
{
    const size_t inputs = members_of(i, 0), outputs = members_of(i, 1);
    const struct model *m = i->element->model;
    const struct setting *s = setting_find(m->settings, m->setting_count, "table_values");
    if (!s || !s->text || inputs > 20 || strlen(s->text) != outputs << inputs)
        return fail(i, d, "write table_values=\"0001\" for two inputs",
                    "table_values needs one character for each combination of inputs");
    for (size_t k = 0; k < outputs; k++) {
        struct logic_part *p = logic_item_part(i, &table_part, inputs, 1, sizeof(struct table));
        if (!p)
            return KN_ERROR_MEMORY;
        *(struct table *)p->own = (struct table){.values = s->text + (k << inputs),
                                                 .rise = number_of(i, "rise_delay", k, 1e-9),
                                                 .fall = number_of(i, "fall_delay", k, 1e-9)};
        bool good = set_late(i, inputs, p->own) && connect_output(i, p, 0, 1, k, false);
        for (size_t n = 0; n < inputs; n++)
            good = good && connect_input(i, p, n, 0, n);
        if (!good || !logic_item_add(i, p))
            return KN_ERROR_MEMORY;
    }
    return KN_OK;
}

const struct logic_kind d_lut_logic = {KIND("d_lut", "lookup table", "[in ..] out", many_inputs, table_rows),
                                       .make = make_tables};
const struct logic_kind d_genlut_logic = {
    KIND("d_genlut", "lookup table of several outputs", "[in ..] [out ..]", many_to_many, tables_rows),
    .make = make_tables};

enum { RAM_SELECT, RAM_IC, RAM_DELAY };

static const struct parameter_info ram_rows[] = {
    [RAM_SELECT] = COUNTS("select_value", 1, 0, "what the select inputs must say; the last one is the bit of value 1"),
    [RAM_IC] = {"ic", "", 2, 0, 2, "contents at first: 0, 1, or 2, not known", NULL},
    [RAM_DELAY] = DELAY("read_delay", 100e-9, "until the output follows"),
};
static const struct port_info ram_ports[] = {IN_LIST("data_in"), OUT_LIST("data_out"), IN_LIST("address"),
                                             IN("write_en"), IN_LIST("select")};

static enum kn_status make_ram(struct logic_item *i, struct kn_diagnostics *d)
{
    const size_t width = members_of(i, 0), bits = members_of(i, 2), selects = members_of(i, 4);
    if (members_of(i, 1) != width || bits > 20)
        return fail(i, d, NULL, "a memory needs as many outputs as inputs and at most 20 address lines");
    struct logic_part *p =
        logic_item_part(i, &memory_part, width + bits + 1 + selects, width, sizeof(struct memory) + (width << bits));
    if (!p)
        return KN_ERROR_MEMORY;
    struct memory *m = p->own;
    *m = (struct memory){.width = width,
                         .bits = bits,
                         .selects = selects,
                         .select = (unsigned long)i->p[RAM_SELECT],
                         .initial = (enum logic_level)lround(i->p[RAM_IC]),
                         .delay = i->p[RAM_DELAY],
                         .cells = (unsigned char *)(m + 1),
                         .cell_count = width << bits};
    bool good = connect_input(i, p, width + bits, 3, 0);
    for (size_t k = 0; k < width; k++)
        good = good && connect_input(i, p, k, 0, k) && connect_output(i, p, k, 1, k, false);
    for (size_t k = 0; k < bits; k++)
        good = good && connect_input(i, p, width + k, 2, k);
    for (size_t k = 0; k < selects; k++)
        good = good && connect_input(i, p, width + bits + 1 + k, 4, k);
    return good && logic_item_add(i, p) ? KN_OK : KN_ERROR_MEMORY;
}

const struct logic_kind d_ram_logic = {
    KIND("d_ram", "memory", "[data_in ..] [data_out ..] [address ..] write_en [select ..]", ram_ports, ram_rows),
    .make = make_ram};

static const struct parameter_info source_rows[] = {
    {"input_file", "\"\"", 0, 0, 0, "file of lines: time, then a state such as 0s 1s Uz for each output", NULL},
};
static const struct port_info source_ports[] = {OUT_LIST("out")};

static enum kn_status make_source(struct logic_item *i, struct kn_diagnostics *d)
{
    const struct model *m = i->element->model;
    const struct setting *s = setting_find(m->settings, m->setting_count, "input_file");
    struct logic_part *p = logic_item_part(i, &stimulus_part, 0, members_of(i, 0), sizeof(struct stimulus));
    if (!p)
        return KN_ERROR_MEMORY;
    const enum kn_status status = stimulus_read(i, s && s->text ? s->text : "source.txt", p->driver_count, p->own, d);
    if (status != KN_OK)
        return status;
    return connect_in_turn(i, p, 0, 0, false) ? KN_OK : KN_ERROR_MEMORY;
}

const struct logic_kind d_source_logic = {KIND("d_source", "source of states", "[out ..]", source_ports, source_rows),
                                          .make = make_source};

enum { STATE_CLOCK_DELAY, STATE_RESET_DELAY, STATE_FIRST };

static const struct parameter_info state_rows[] = {
    [STATE_CLOCK_DELAY] = DELAY("clk_delay", 1e-9, "from the clock until the outputs follow"),
    [STATE_RESET_DELAY] = DELAY("reset_delay", 1e-9, "from reset"),
    [STATE_FIRST] = COUNTS("reset_state", 0, -1e9, "the state at first and after reset"),
    {"state_file", "\"\"", 0, 0, 0, "file of rows: state, outputs 0s .., inputs 0 1 x .., ->, next state", NULL},
};
static const struct port_info state_ports[] = {LOGIC_PORT("in", PORT_IN, true, true), IN("clk"), IN_OPEN("reset"),
                                               OUT_LIST("out")};

static enum kn_status make_machine(struct logic_item *i, struct kn_diagnostics *d)
{
    const struct model *m = i->element->model;
    const struct setting *s = setting_find(m->settings, m->setting_count, "state_file");
    const size_t inputs = members_of(i, 0), outputs = members_of(i, 3);
    struct logic_part *p = logic_item_part(i, &machine_part, MACHINE_FIRST + inputs, outputs, sizeof(struct machine));
    if (!p)
        return KN_ERROR_MEMORY;
    struct machine *own = p->own;
    *own = (struct machine){.first = lround(i->p[STATE_FIRST]),
                            .clock_delay = i->p[STATE_CLOCK_DELAY],
                            .reset_delay = i->p[STATE_RESET_DELAY]};
    const enum kn_status status = machine_read(i, s && s->text ? s->text : "state.txt", inputs, outputs, own, d);
    if (status != KN_OK)
        return status;
    bool good = connect_input(i, p, MACHINE_CLOCK, 1, 0) && connect_input(i, p, MACHINE_RESET, 2, 0);
    for (size_t k = 0; k < inputs; k++)
        good = good && connect_input(i, p, MACHINE_FIRST + k, 0, k);
    for (size_t k = 0; k < outputs; k++)
        good = good && connect_output(i, p, k, 3, k, false);
    return good && logic_item_add(i, p) ? KN_OK : KN_ERROR_MEMORY;
}

const struct logic_kind d_state_logic = {
    KIND("d_state", "state machine", "[in ..] clk reset [out ..]", state_ports, state_rows), .make = make_machine};

/* ---- bridges ---- */

enum { ADC_LOW, ADC_HIGH, ADC_RISE, ADC_FALL };

static const struct parameter_info adc_rows[] = {
    [ADC_LOW] = {"in_low", "V", 0.1, -INFINITY, INFINITY, "up to it the state is 0", NULL},
    [ADC_HIGH] = {"in_high", "V", 0.9, -INFINITY, INFINITY, "from it on it is 1; between, it is not known", NULL},
    [ADC_RISE] = DELAY("rise_delay", 1e-9, "until the state is 1"),
    [ADC_FALL] = DELAY("fall_delay", 1e-9, "until it is 0"),
};

#define VOLTAGES (1u << PORT_V | 1u << PORT_VD)
static const struct port_info adc_ports[] = {
    {.name = "in", .direction = PORT_IN, .type = PORT_V, .allowed = VOLTAGES, .list = true}, OUT_LIST("out")};

static enum kn_status make_adc(struct logic_item *i, struct kn_diagnostics *d)
{
    const size_t count = members_of(i, 0);
    if (members_of(i, 1) != count)
        return fail(i, d, NULL, "a bridge needs as many outputs as inputs");
    const double low = i->p[ADC_LOW], high = fmax(low, i->p[ADC_HIGH]); /* SPICE looks at in_low first */
    if (low > i->p[ADC_HIGH])
        diagnostics_add(d, KN_WARNING, "code-model", i->element->where,
                        "for hysteresis take a Schmitt trigger: the thresholds of a bridge are in_low < in_high",
                        "'%s': in_low is above in_high; an input above in_low is 1, as in ngspice", i->element->name);
    for (size_t k = 0; k < count; k++) {
        const struct connection *in = member_of(i, 0, k), *out = member_of(i, 1, k);
        int net = logic_item_net(i, out->plus);
        if (net >= 0 && out->inverted)
            net = inverted_net(i, net);
        struct logic_sensor *s = logic_item_sensor(i, in->plus, in->minus, net);
        if (!s)
            return KN_ERROR_MEMORY;
        s->low = low;
        s->high = high;
        s->rise = i->p[ADC_RISE];
        s->fall = i->p[ADC_FALL];
    }
    return KN_OK;
}

const struct logic_kind adc_bridge_logic = {
    KIND("adc_bridge", "bridge from voltages to states", "[in ..] [out ..]", adc_ports, adc_rows), .make = make_adc};

enum { DAC_LOW, DAC_HIGH, DAC_UNDEFINED, DAC_RISE, DAC_FALL };

static const struct parameter_info dac_rows[] = {
    [DAC_LOW] = {"out_low", "V", 0, -INFINITY, INFINITY, "output of 0", NULL},
    [DAC_HIGH] = {"out_high", "V", 1, -INFINITY, INFINITY, "output of 1", NULL},
    [DAC_UNDEFINED] = {"out_undef", "V", 0.5, -INFINITY, INFINITY, "output of a state that is not known", NULL},
    [DAC_RISE] = DELAY("t_rise", 1e-9, "from out_low to out_high"),
    [DAC_FALL] = DELAY("t_fall", 1e-9, "from out_high to out_low"),
};
static const struct port_info dac_ports[] = {IN_LIST("in"),
                                             {.name = "out",
                                              .direction = PORT_OUT,
                                              .type = PORT_V,
                                              .allowed = VOLTAGES | 1u << PORT_I | 1u << PORT_ID,
                                              .list = true}};

/* An output that nobody looks at, as schematics have it. */
static bool is_grounded(const struct logic_item *i, const struct connection *c)
{
    const int *nodes = i->element->nodes;
    return nodes[c->plus] == 0 && (c->minus < 0 || nodes[c->minus] == 0);
}

static enum kn_status make_dac(struct logic_item *i, struct kn_diagnostics *d)
{
    const size_t count = members_of(i, 0);
    if (members_of(i, 1) != count)
        return fail(i, d, NULL, "a bridge needs as many outputs as inputs");
    for (size_t k = 0; k < count; k++) {
        const struct connection *in = member_of(i, 0, k), *out = member_of(i, 1, k);
        const bool current = out->type == PORT_I || out->type == PORT_ID;
        const int net = logic_item_net(i, in->plus);
        if (is_grounded(i, out)) {
            diagnostics_add(d, KN_WARNING, "v-loop", i->element->where,
                            "connect it to another node, or leave the bridge out",
                            "output %zu of '%s' is connected to ground and left out", k + 1, i->element->name);
            continue;
        }
        struct logic_actuator *a = logic_item_actuator(i, current ? ACTUATOR_CURRENT : ACTUATOR_VOLTAGE, out->plus,
                                                       out->minus, net, in->inverted);
        if (!a)
            return KN_ERROR_MEMORY;
        a->levels[LOGIC_ZERO] = i->p[DAC_LOW];
        a->levels[LOGIC_ONE] = i->p[DAC_HIGH];
        a->levels[LOGIC_UNKNOWN] = i->given[DAC_UNDEFINED] ? i->p[DAC_UNDEFINED] : (i->p[DAC_LOW] + i->p[DAC_HIGH]) / 2;
        a->to_one = i->p[DAC_RISE];
        a->to_zero = i->p[DAC_FALL];
        ramp_rest(&a->ramp, a->levels[LOGIC_UNKNOWN]);
    }
    return KN_OK;
}

const struct logic_kind dac_bridge_logic = {
    KIND("dac_bridge", "bridge from states to voltages", "[in ..] [out ..]", dac_ports, dac_rows), .make = make_dac};
