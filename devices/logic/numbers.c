/* numbers.c - A d_to_real, real_gain, real_delay, real_to_v after XSPICE: nets whose state is a number.
 *
 *     d_to_real     zero, one, or the middle of both where the state is not known; 0 where enable is not 1
 *     real_gain     gain (in + in_offset) + out_offset
 *     real_delay    takes its input over where the clock rises; 0 at first
 *     real_to_v     gain in, on a straight way of transition_time
 *
 * Each follows its input after its delay, at rest at once (manual of ngspice, chapter 12).
 */
#include "devices/families.h"
#include "devices/logic/logic.h"

#include <string.h>

#define LOGIC_PORT(text, which)                                                                                        \
    {                                                                                                                  \
        .name = text, .direction = which, .type = PORT_LOGIC, .allowed = 1u << PORT_LOGIC                              \
    }
#define ANY(text, value, doc_text)                                                                                     \
    {                                                                                                                  \
        text, "", value, -INFINITY, INFINITY, doc_text, NULL                                                           \
    }
#define SECONDS(text, doc_text)                                                                                        \
    {                                                                                                                  \
        text, "s", 1e-9, 0, INFINITY, doc_text, NULL                                                                   \
    }
#define KIND(type_name, what, nodes_text, port_rows, parameter_rows)                                                   \
    .class = PORT_CLASS(type_name, what, nodes_text, port_rows, parameter_rows,                                        \
                        sizeof(parameter_rows) / sizeof *(parameter_rows), NULL, &logic_class)

static const struct port_info in_out[] = {LOGIC_PORT("in", PORT_IN), LOGIC_PORT("out", PORT_OUT)};
static const struct port_info in_enable_out[] = {
    LOGIC_PORT("in", PORT_IN),
    {.name = "enable", .direction = PORT_IN, .type = PORT_LOGIC, .allowed = 1u << PORT_LOGIC, .may_be_null = true},
    LOGIC_PORT("out", PORT_OUT)};
static const struct port_info in_clk_out[] = {LOGIC_PORT("in", PORT_IN), LOGIC_PORT("clk", PORT_IN),
                                              LOGIC_PORT("out", PORT_OUT)};

static void post(struct logic *l, const struct logic_part *p, double number, double delay)
{
    logic_post(l, p->drivers[0], (struct logic_state){LOGIC_ZERO, LOGIC_STRONG, number}, delay);
}

static double read_number(const struct logic *l, const struct logic_part *p)
{
    return logic_state_of(l, p->inputs[0].net).number;
}

/* The inputs and behind them the output of a part are the ports of the card; those that are left out stay unconnected. */
static enum kn_status connect(struct logic_item *i, const struct logic_part_class *class, size_t own)
{
    const struct element *e = i->element;
    const size_t inputs = e->kind->port_count - 1;
    struct logic_part *p = logic_item_part(i, class, inputs, 1, own);
    for (size_t k = 0; p && k < e->connection_count; k++) {
        const struct connection *at = &e->connections[k];
        const int net = logic_item_net(i, at->plus);
        if (net < 0 || (at->port == inputs && !logic_item_drive(i, p, 0, net, false)))
            return KN_ERROR_MEMORY;
        if (at->port < inputs)
            p->inputs[at->port] = (struct logic_input){net, at->inverted};
    }
    if (!p)
        return KN_ERROR_MEMORY;
    p->p = i->p;
    return logic_item_add(i, p) ? KN_OK : KN_ERROR_MEMORY;
}

/* ---- a number of a state ---- */

enum { TO_ZERO, TO_ONE, TO_DELAY };

static const struct parameter_info to_real_rows[] = {
    [TO_ZERO] = ANY("zero", 0, "number of 0"),
    [TO_ONE] = ANY("one", 1, "number of 1"),
    [TO_DELAY] = SECONDS("delay", "until the output follows"),
};

static void to_real_react(struct logic *l, struct logic_part *p)
{
    const enum logic_level level = logic_read(l, p, 0, LOGIC_UNKNOWN);
    const double zero = p->p[TO_ZERO], one = p->p[TO_ONE];
    const double number = level == LOGIC_ZERO ? zero : level == LOGIC_ONE ? one : (zero + one) / 2;
    post(l, p, logic_read(l, p, 1, LOGIC_ONE) == LOGIC_ONE ? number : 0, p->p[TO_DELAY]);
}

static enum kn_status make_to_real(struct logic_item *i, struct kn_diagnostics *d)
{
    static const struct logic_part_class part = {.react = to_real_react};
    (void)d;
    return connect(i, &part, 0);
}

const struct logic_kind d_to_real_logic = {
    KIND("d_to_real", "bridge from states to numbers", "in enable out", in_enable_out, to_real_rows),
    .make = make_to_real};

/* ---- gain ---- */

enum { GAIN_IN, GAIN_GAIN, GAIN_OUT, GAIN_DELAY };

static const struct parameter_info gain_rows[] = {
    [GAIN_IN] = ANY("in_offset", 0, "added to the input"),
    [GAIN_GAIN] = ANY("gain", 1, "factor"),
    [GAIN_OUT] = ANY("out_offset", 0, "added to the output"),
    [GAIN_DELAY] = SECONDS("delay", "until the output follows"),
    ANY("ic", 0, "of no meaning here: at rest the output follows the input"),
};

static void gain_react(struct logic *l, struct logic_part *p)
{
    post(l, p, p->p[GAIN_GAIN] * (read_number(l, p) + p->p[GAIN_IN]) + p->p[GAIN_OUT], p->p[GAIN_DELAY]);
}

static enum kn_status make_gain(struct logic_item *i, struct kn_diagnostics *d)
{
    static const struct logic_part_class part = {.react = gain_react};
    (void)d;
    return connect(i, &part, 0);
}

const struct logic_kind real_gain_logic = {KIND("real_gain", "gain of numbers", "in out", in_out, gain_rows),
                                           .make = make_gain};

/* ---- delay by a clock ---- */

static const struct parameter_info delay_rows[] = {SECONDS("delay", "from the clock")};

static void delay_react(struct logic *l, struct logic_part *p)
{
    enum logic_level *clock = p->own;
    const enum logic_level before = *clock, now = logic_read(l, p, 1, LOGIC_UNKNOWN);
    *clock = now;
    if (logic_settles(l))
        post(l, p, 0, 0);
    else if (now == LOGIC_ONE && before != LOGIC_ONE)
        post(l, p, read_number(l, p), p->p[0]);
}

static void delay_forget(struct logic_part *p)
{
    *(enum logic_level *)p->own = LOGIC_UNKNOWN;
}

static void delay_remember(struct logic_part *p, struct keepsake *k)
{
    keepsake_piece(k, p->own, sizeof(enum logic_level));
}

static enum kn_status make_delay(struct logic_item *i, struct kn_diagnostics *d)
{
    static const struct logic_part_class part = {
        .react = delay_react, .forget = delay_forget, .remember = delay_remember};
    (void)d;
    return connect(i, &part, sizeof(enum logic_level));
}

const struct logic_kind real_delay_logic = {
    KIND("real_delay", "register of numbers", "in clk out", in_clk_out, delay_rows), .make = make_delay};

/* ---- a voltage of a number ---- */

static const struct parameter_info to_v_rows[] = {
    ANY("gain", 1, "factor"),
    SECONDS("transition_time", "from one output to the next"),
};
static const struct port_info to_v_ports[] = {LOGIC_PORT("in", PORT_IN),
                                              {.name = "out",
                                               .direction = PORT_OUT,
                                               .type = PORT_V,
                                               .allowed = 1u << PORT_V | 1u << PORT_VD | 1u << PORT_I | 1u << PORT_ID}};

static enum kn_status make_to_v(struct logic_item *i, struct kn_diagnostics *d)
{
    const struct connection *at = i->element->connections, *out = &at[1];
    const bool current = out->type == PORT_I || out->type == PORT_ID;
    struct logic_actuator *a = logic_item_actuator(i, current ? ACTUATOR_CURRENT : ACTUATOR_VOLTAGE, out->plus,
                                                   out->minus, logic_item_net(i, at[0].plus), false);
    (void)d;
    if (!a)
        return KN_ERROR_MEMORY;
    a->of_number = true;
    a->factor = i->p[0];
    a->to_one = a->to_zero = i->p[1];
    ramp_rest(&a->ramp, 0);
    return KN_OK;
}

const struct logic_kind real_to_v_logic = {
    KIND("real_to_v", "bridge from numbers to voltages", "in out", to_v_ports, to_v_rows), .make = make_to_v};
