/* controlled.c - E, F, G, H: controlled sources, linear, POLY(n) or given by an expression.
 *
 *     voltage   f[i] = v(plus) - v(minus) - g(..),   i is the element's own current, into plus
 *     current   f[plus] += g(..), f[minus] -= g(..)
 *
 * The linear forms are laws g = gain * u and so end in the constant matrices.
 */
#include "devices/source/controlled.h"
#include "devices/batch.h"
#include "devices/families.h"
#include "devices/incidence.h"
#include "devices/law.h"
#include "devices/linear/passive.h"

#include <float.h>
#include <math.h>

const struct parameter_info controlled_rows[CONTROLLED_ROWS] = {
    {"m", "", 1.0, DBL_MIN, INFINITY, "number of elements in parallel (matters to current sources only)", NULL},
    {"tc1", "1/K", 0.0, -INFINITY, INFINITY, "first-order temperature coefficient", "tc"},
    {"tc2", "1/K^2", 0.0, -INFINITY, INFINITY, "second-order temperature coefficient", NULL},
    {"temp", "C", 27.0, -DEVICE_KELVIN, INFINITY, "temperature of this element", NULL},
    {"dtemp", "K", 0.0, -INFINITY, INFINITY, "difference to the circuit's temperature", NULL},
};

struct controlled {
    const struct element *element;
    struct law *law;
    bool is_voltage;
    struct passive scale; /* multiplier and temperature coefficients; the nominal value is 1 */
    int plus, minus;
    int current; /* of a voltage, else 0 */
    struct incidence incidence;
};

struct controlled_batch {
    struct batch base;
    struct kn_diagnostics *diagnostics;
    struct controlled *items;
    size_t count;
    struct law_list laws;
};

static bool gives_voltage(const struct element *e)
{
    if (e->law != LAW_NONE)
        return e->law == LAW_VOLTAGE;
    return e->kind->law == LAW_VOLTAGE;
}

static bool read_parameters(struct controlled *c, const struct device_input *in)
{
    const struct element *e = c->element;
    double values[CONTROLLED_ROWS];
    bool given[CONTROLLED_ROWS];
    if (!element_parameters_read(e, in->diagnostics, values, given))
        return false;
    c->scale = (struct passive){.nominal = 1.0,
                                .tc1 = values[CONTROLLED_TC1],
                                .tc2 = values[CONTROLLED_TC2],
                                .nominal_temperature = in->circuit->nominal_temperature,
                                .own_temperature = given[CONTROLLED_TEMP] ? values[CONTROLLED_TEMP] : NAN,
                                .difference = values[CONTROLLED_DTEMP],
                                .multiplier = c->is_voltage ? 1.0 : values[CONTROLLED_M]};
    return true;
}

static enum kn_status make(struct controlled_batch *b, const struct device_input *in, size_t k)
{
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
    c->law = law_list_add(&b->laws, e, false, b->base.arena);
    return c->law ? KN_OK : KN_ERROR_MEMORY;
}

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct controlled_batch *b = batch;
    b->diagnostics = in->diagnostics;
    b->count = in->count;
    b->items = arena_array(b->base.arena, in->count + 1, sizeof *b->items);
    if (!b->items || !law_list_init(&b->laws, in->count, b->base.arena))
        return KN_ERROR_MEMORY;
    enum kn_status status = KN_OK;
    for (size_t k = 0; k < in->count && status != KN_ERROR_MEMORY; k++) {
        const enum kn_status made = make(b, in, k);
        status = made != KN_OK ? made : status;
    }
    return status;
}

enum kn_status controlled_create(const struct device_input *in, void **batch)
{
    return batch_create(in, sizeof(struct controlled_batch), fill, batch);
}

bool controlled_number(void *batch, struct device_setup *s)
{
    struct controlled_batch *b = batch;
    for (size_t k = 0; k < b->count; k++) {
        struct controlled *c = &b->items[k];
        if (c->is_voltage && (c->current = setup_branch_current(s, c->element, NULL)) < 0)
            return false;
    }
    return true;
}

static bool connect_item(struct controlled_batch *b, struct device_setup *s, struct controlled *c)
{
    c->plus = setup_node(s, c->element->nodes[0]);
    c->minus = setup_node(s, c->element->nodes[1]);
    if (!c->is_voltage)
        return law_connect(c->law, s, b->diagnostics, c->plus, c->minus);
    return incidence_connect(&c->incidence, s, c->plus, c->minus, c->current) &&
           law_connect(c->law, s, b->diagnostics, c->current, 0);
}

bool controlled_connect(void *batch, struct device_setup *s)
{
    struct controlled_batch *b = batch;
    for (size_t k = 0; k < b->count; k++)
        if (!connect_item(b, s, &b->items[k]))
            return false;
    return true;
}

void controlled_prepare(void *batch, double temperature)
{
    struct controlled_batch *b = batch;
    for (size_t k = 0; k < b->count; k++) {
        const struct controlled *c = &b->items[k];
        const struct passive *p = &c->scale;
        const double factor = p->multiplier * passive_factor(p, temperature);
        law_prepare(c->law, passive_temperature(p, temperature), c->is_voltage ? -factor : factor);
    }
}

void controlled_stamp(const void *batch, double *G, double *C)
{
    const struct controlled_batch *b = batch;
    for (size_t k = 0; k < b->count; k++) {
        if (b->items[k].is_voltage)
            incidence_stamp(&b->items[k].incidence, G);
        law_stamp(b->items[k].law, G, C);
    }
}

void controlled_drive(const void *batch, struct instant when, double source_scale, double *f)
{
    law_list_drive(&((const struct controlled_batch *)batch)->laws, when, source_scale, f);
}

void controlled_drive_rate(const void *batch, struct instant when, double source_scale, double *dfdt)
{
    law_list_drive_rate(&((const struct controlled_batch *)batch)->laws, when, source_scale, dfdt);
}

void controlled_eval(void *batch, const struct device_point *at, const struct device_stamp *out)
{
    law_list_eval(&((struct controlled_batch *)batch)->laws, at, out);
}

bool controlled_nonlinear(const void *batch)
{
    return ((const struct controlled_batch *)batch)->laws.nonlinear;
}

double controlled_next_breakpoint(const void *batch, double over)
{
    return law_list_next_breakpoint(&((const struct controlled_batch *)batch)->laws, over);
}

size_t controlled_switch_count(const void *batch)
{
    return law_list_switch_count(&((const struct controlled_batch *)batch)->laws);
}

void controlled_switches(const void *batch, struct instant when, const double *x, double *g)
{
    law_list_switches(&((const struct controlled_batch *)batch)->laws, when, x, g);
}

void controlled_hold(void *batch, size_t number, int side)
{
    law_list_hold(&((struct controlled_batch *)batch)->laws, number, side);
}

const struct element *controlled_switch_owner(const void *batch, size_t number)
{
    return law_list_switch_owner(&((const struct controlled_batch *)batch)->laws, number);
}

bool controlled_branches(const void *batch, struct branch_list *list)
{
    const struct controlled_batch *b = batch;
    for (size_t k = 0; k < b->count; k++) {
        const struct controlled *c = &b->items[k];
        const struct branch shape = {
            .kind = c->is_voltage ? BRANCH_V : BRANCH_I, .plus = c->plus, .minus = c->minus, .current = c->current};
        if (!law_add_branch(c->law, &shape, list))
            return false;
    }
    return true;
}

double controlled_current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct controlled *c = &((const struct controlled_batch *)batch)->items[k];
    const double i = c->is_voltage ? at->x[c->current] : law_value(c->law, at->when, at->x);
    return terminal == 0 ? i : terminal == 1 ? -i : 0.0;
}

const struct device_class vcvs_class =
    CONTROLLED_CLASS(.letter = 'e', .noun = "voltage-controlled voltage source", .nodes = "n+ n-",
                     .usage = "nc+ nc- gain, POLY(n) .. or vol='..'", .form = CARD_BY_VOLTAGE, .flat = true,
                     .sets_voltage = true, .law = LAW_VOLTAGE,
                     .variable_hint = "use E1 a b vol='..' or a B source: B1 a b V=..");
const struct device_class cccs_class =
    CONTROLLED_CLASS(.letter = 'f', .noun = "current-controlled current source", .nodes = "n+ n-",
                     .usage = "Vsource gain, or POLY(n) ..", .form = CARD_BY_CURRENT, .flat = true, .law = LAW_CURRENT);
const struct device_class vccs_class =
    CONTROLLED_CLASS(.letter = 'g', .noun = "voltage-controlled current source", .nodes = "n+ n-",
                     .usage = "nc+ nc- gain, POLY(n) .. or cur='..'", .form = CARD_BY_VOLTAGE, .flat = true,
                     .law = LAW_CURRENT, .variable_hint = "use G1 a b cur='..' or a B source: B1 a b I=..");
const struct device_class ccvs_class =
    CONTROLLED_CLASS(.letter = 'h', .noun = "current-controlled voltage source", .nodes = "n+ n-",
                     .usage = "Vsource gain, or POLY(n) ..", .form = CARD_BY_CURRENT, .flat = true,
                     .sets_voltage = true, .law = LAW_VOLTAGE);
