/* controlled.c - E, F, G, H, B: sources controlled by voltages, currents and time, linear, POLY(n) or given by an
 * expression.
 *
 *     voltage   f[i] = v(plus) - v(minus) - g(..),   i is the element's own current, into plus
 *     current   f[plus] += g(..), f[minus] -= g(..)
 *
 * The linear forms are laws g = gain * u and so end in the constant matrices.
 */
#include "devices/families.h"
#include "devices/incidence.h"
#include "devices/law_batch.h"
#include "devices/linear/passive.h"
#include "devices/noise.h"

#include <float.h>
#include <math.h>

enum { ROW_M, ROW_TC1, ROW_TC2, ROW_TEMP, ROW_DTEMP, ROW_NOISY, ROW_SCALE, ROWS };

static const struct parameter_info rows[ROWS] = {
    {"m", "", 1.0, DBL_MIN, INFINITY, "number of elements in parallel (matters to current sources only)", NULL},
    {"tc1", "1/K", 0.0, -INFINITY, INFINITY, "first-order temperature coefficient", "tc"},
    {"tc2", "1/K^2", 0.0, -INFINITY, INFINITY, "second-order temperature coefficient", NULL},
    {"temp", "C", 27.0, -DEVICE_KELVIN, INFINITY, "temperature of this element", NULL},
    {"dtemp", "K", 0.0, -INFINITY, INFINITY, "difference to the circuit's temperature", NULL},
    {"noisy", "", 0.0, 0.0, 1.0, "1: a current is as noisy as the resistance that it makes", "noise"},
    {"scale", "", 1.0, -INFINITY, INFINITY, "factor of the value", NULL},
};

struct controlled {
    const struct element *element;
    struct law *law;
    bool is_voltage;
    bool noisy;
    double kelvin;
    struct passive scale; /* multiplier, scale and temperature coefficients */
    int plus, minus;
    int current; /* of a voltage, else 0 */
    struct incidence incidence;
};

struct controlled_batch {
    struct law_batch laws;
    struct controlled *items;
};

static bool gives_voltage(const struct element *e)
{
    if (e->law != LAW_NONE)
        return e->law == LAW_VOLTAGE;
    return e->kind->law == LAW_VOLTAGE;
}

/* R, C and L whose value is a formula: what their model says of temperatures, where the card does not. */
static void take_model(struct controlled *c, const struct device_input *in, const bool *given)
{
    const struct model *m = c->element->model;
    struct catalogue_walk w = catalogue_walk(in->circuit->catalogue);
    const struct element_kind *kind = m ? catalogue_next(&w) : NULL;
    while (kind && !(kind->form == CARD_PASSIVE && kind_type(kind, m->type)))
        kind = catalogue_next(&w);
    for (size_t i = 0; kind && i < m->setting_count; i++) {
        const struct setting *s = &m->settings[i];
        const size_t row = s->has_value && !s->text ? parameter_row(kind->model, s->name) : kind->model.count;
        if (row == PASSIVE_MODEL_TC1 && !given[ROW_TC1])
            c->scale.tc1 = s->value;
        else if (row == PASSIVE_MODEL_TC2 && !given[ROW_TC2])
            c->scale.tc2 = s->value;
        else if (row == PASSIVE_MODEL_TNOM)
            c->scale.nominal_temperature = s->value;
    }
}

static bool read_parameters(struct controlled *c, const struct device_input *in)
{
    const struct element *e = c->element;
    double values[ROWS];
    bool given[ROWS];
    if (!element_parameters_read(e, in->diagnostics, values, given))
        return false;
    c->noisy = values[ROW_NOISY] != 0 && !c->is_voltage;
    c->scale = (struct passive){.nominal = values[ROW_SCALE],
                                .tc1 = values[ROW_TC1],
                                .tc2 = values[ROW_TC2],
                                .nominal_temperature = in->circuit->nominal_temperature,
                                .own_temperature = given[ROW_TEMP] ? values[ROW_TEMP] : NAN,
                                .difference = values[ROW_DTEMP],
                                .multiplier = c->is_voltage ? 1.0 : values[ROW_M]};
    take_model(c, in, given);
    return true;
}

static enum kn_status make(void *batch, size_t k, const struct device_input *in)
{
    struct controlled_batch *b = batch;
    struct controlled *c = &b->items[k];
    const struct element *e = in->elements[k];
    c->element = e;
    c->is_voltage = gives_voltage(e);
    if (!read_parameters(c, in))
        return KN_ERROR_DECK;
    if (!e->expression && !e->polynomial && !e->has_value) {
        diagnostics_add(in->diagnostics, KN_ERROR, "missing-value", e->where, NULL, "%s '%s' has no gain",
                        e->kind->noun, e->name);
        return KN_ERROR_DECK;
    }
    c->law = law_batch_add(&b->laws, e, false);
    return c->law ? KN_OK : KN_ERROR_MEMORY;
}

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct controlled_batch *b = batch;
    b->items = arena_array(b->laws.base.arena, in->count + 1, sizeof *b->items);
    b->laws.ahead = in->circuit;
    return b->items && law_batch_init(&b->laws, in->count) ? KN_OK : KN_ERROR_MEMORY;
}

static bool number(void *batch, size_t k, struct device_setup *s)
{
    struct controlled *c = &((struct controlled_batch *)batch)->items[k];
    return !c->is_voltage || (c->current = setup_branch_current(s, c->element, NULL)) >= 0;
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    struct controlled_batch *b = batch;
    struct kn_diagnostics *d = b->laws.base.diagnostics;
    struct controlled *c = &b->items[k];
    c->plus = setup_node(s, c->element->nodes[0]);
    c->minus = setup_node(s, c->element->nodes[1]);
    if (!c->is_voltage)
        return law_connect(c->law, s, d, c->plus, c->minus);
    return incidence_connect(&c->incidence, s, c->plus, c->minus, c->current) &&
           law_connect(c->law, s, d, c->current, 0);
}

static void prepare(void *batch, size_t k, double temperature)
{
    struct controlled *c = &((struct controlled_batch *)batch)->items[k];
    const struct passive *p = &c->scale;
    c->kelvin = passive_temperature(p, temperature) + DEVICE_KELVIN;
    const double value = p->nominal * passive_factor(p, temperature);
    const double factor = p->multiplier * (c->element->reciprocal ? 1 / value : value);
    law_prepare(c->law, passive_temperature(p, temperature), c->is_voltage ? -factor : factor);
}

static void stamp(const void *batch, double *G, double *C)
{
    const struct controlled_batch *b = batch;
    for (size_t k = 0; k < b->laws.base.count; k++) {
        if (b->items[k].is_voltage)
            incidence_stamp(&b->items[k].incidence, G);
        law_stamp(b->items[k].law, G, C);
    }
}

static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    const struct controlled *c = &((const struct controlled_batch *)batch)->items[k];
    const struct branch shape = {
        .kind = c->is_voltage ? BRANCH_V : BRANCH_I, .plus = c->plus, .minus = c->minus, .current = c->current};
    return law_add_branch(c->law, &shape, list);
}

static double current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct controlled *c = &((const struct controlled_batch *)batch)->items[k];
    const double i = c->is_voltage ? at->x[c->current] : law_probe(c->law, at);
    return terminal == 0 ? i : terminal == 1 ? -i : 0.0;
}

/* S, of the current by its own voltage. */
static double slope(const struct controlled *c, const double *x)
{
    const struct law *l = c->law;
    double sum = 0;
    for (size_t i = 0; i < l->argument_count; i++)
        l->values[i] = x[l->arguments[i].plus] - x[l->arguments[i].minus];
    law_gradient_at(l, l->values);
    for (size_t i = 0; i < l->argument_count; i++)
        sum += l->scale * l->gradient[i] *
               ((l->arguments[i].plus == c->plus) - (l->arguments[i].minus == c->plus && c->plus > 0));
    return sum;
}

/* A resistor whose value depends on the circuit: 4 k T i/v, as ngspice has it. */
static bool noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list)
{
    const struct controlled *c = &((const struct controlled_batch *)batch)->items[k];
    const double v = at->x[c->plus] - at->x[c->minus];
    if (!c->noisy)
        return true;
    const double conductance = v != 0 ? law_value(c->law, at->when, at->x) / v : slope(c, at->x);
    return noise_add_thermal(list, (struct noise_place){c->element, "thermal", c->plus, c->minus}, conductance,
                             c->kelvin);
}

/* The families differ by their kind only. */
#define CONTROLLED_CLASS(...)                                                                                          \
    {                                                                                                                  \
        .kind = {.nodes = "n+ n-", .instance = {rows, ROWS, "tripdv tripdt ic"}, __VA_ARGS__}, LAW_BATCH_FUNCTIONS,    \
        .batch_size = sizeof(struct controlled_batch), .fill = fill, .make = make, .number = number,                   \
        .connect = connect, .prepare = prepare, .stamp = stamp, .force = law_batch_force,                              \
        .force_rate = law_batch_force_rate, .switch_count = law_batch_switch_count, .switches = law_batch_switches,    \
        .hold = law_batch_hold, .switch_owner = law_batch_switch_owner, .branches = branches, .current = current,      \
        .conducts_only = true, .noise = noise,                                                                         \
    }

const struct device_class vcvs_class =
    CONTROLLED_CLASS(.letter = 'e', .noun = "voltage-controlled voltage source",
                     .usage = "nc+ nc- gain, POLY(n) .. or vol='..'", .form = CARD_BY_VOLTAGE, .flat = true,
                     .sets_voltage = true, .law = LAW_VOLTAGE,
                     .variable_hint = "use E1 a b vol='..' or a B source: B1 a b V=..");
const struct device_class cccs_class =
    CONTROLLED_CLASS(.letter = 'f', .noun = "current-controlled current source", .usage = "Vsource gain, or POLY(n) ..",
                     .form = CARD_BY_CURRENT, .flat = true, .law = LAW_CURRENT);
const struct device_class vccs_class =
    CONTROLLED_CLASS(.letter = 'g', .noun = "voltage-controlled current source",
                     .usage = "nc+ nc- gain, POLY(n) .. or cur='..'", .form = CARD_BY_VOLTAGE, .flat = true,
                     .law = LAW_CURRENT, .variable_hint = "use G1 a b cur='..' or a B source: B1 a b I=..");
const struct device_class ccvs_class =
    CONTROLLED_CLASS(.letter = 'h', .noun = "current-controlled voltage source", .usage = "Vsource gain, or POLY(n) ..",
                     .form = CARD_BY_CURRENT, .flat = true, .sets_voltage = true, .law = LAW_VOLTAGE);
const struct device_class behavioural_class =
    CONTROLLED_CLASS(.letter = 'b', .noun = "behavioural source", .usage = "I=expression or V=expression",
                     .form = CARD_LAW, .sets_voltage = true, .parasitics = PARASITIC_RPAR | PARASITIC_CPAR);
