/* logic.c - see logic.h: sensors, actuators and nodes of logic as parts of the equations. */
#include "devices/logic/logic.h"

#include "base/array.h"
#include "devices/families.h"
#include "devices/logic/levels.h"
#include "devices/logic/nodes.h"
#include "devices/logic/past.h"
#include "devices/model_cards.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sensors may change so often in one search of an operating point; then they stay as they are, lest circuits without
 * rest have no beginning. */
enum { MOST_CHANGES = 60 };

struct logic_batch {
    struct batch base;
    struct model_cards cards;
    struct logic_item *items;
    struct logic *engine;
    struct logic_sensor **sensors;
    struct logic_actuator **actuators;
    struct logic_node *nodes;
    size_t sensor_count, sensor_capacity, actuator_count, actuator_capacity, node_count, node_capacity;
    int *place_of_node; /* [circuit nodes] 1 + place in nodes; 0: none */
    double ran;         /* s: when events were run last; -INFINITY: never */
    bool rests, settled;
    int changes;
    enum kn_status status;
};

/* ---- for those who make items ---- */

struct arena *logic_item_arena(const struct logic_item *i)
{
    return i->batch->base.arena;
}

static int new_node(struct logic_item *i, int node)
{
    struct logic_batch *b = i->batch;
    const int net = logic_add_net(b->engine);
    if (net < 0 || !array_reserve_in(b->base.arena, &b->nodes, b->node_count, b->node_count + 1, &b->node_capacity,
                                     sizeof *b->nodes))
        return -1;
    b->nodes[b->node_count++] = (struct logic_node){.node = node, .net = net, .owner = i};
    b->place_of_node[node] = (int)b->node_count;
    return net;
}

int logic_item_net(struct logic_item *i, int place)
{
    struct logic_batch *b = i->batch;
    if (place < 0)
        return logic_add_net(b->engine);
    const int node = i->element->nodes[place];
    return b->place_of_node[node] > 0 ? b->nodes[b->place_of_node[node] - 1].net : new_node(i, node);
}

struct logic_part *logic_item_part(struct logic_item *i, const struct logic_part_class *class, size_t inputs,
                                   size_t drivers, size_t own)
{
    struct arena *arena = i->batch->base.arena;
    struct logic_part *p = arena_alloc(arena, sizeof *p);
    if (!p)
        return NULL;
    *p = (struct logic_part){.class = class, .owner = i->element, .input_count = inputs, .driver_count = drivers};
    p->inputs = arena_array(arena, inputs + 1, sizeof *p->inputs);
    p->drivers = arena_array(arena, drivers + 1, sizeof *p->drivers);
    p->own = arena_alloc(arena, own + 1);
    if (!p->inputs || !p->drivers || !p->own)
        return NULL;
    for (size_t k = 0; k < inputs; k++)
        p->inputs[k].net = -1;
    for (size_t k = 0; k < drivers; k++)
        p->drivers[k] = -1;
    return p;
}

bool logic_item_drive(struct logic_item *i, struct logic_part *p, size_t driver, int net, bool inertial)
{
    return net >= 0 && (p->drivers[driver] = logic_add_driver(i->batch->engine, net, inertial)) >= 0;
}

void logic_item_begin_at_zero(struct logic_item *i, int net)
{
    logic_begin_at_zero(i->batch->engine, net);
}

bool logic_item_add(struct logic_item *i, struct logic_part *p)
{
    if (p->class->forget)
        p->class->forget(p);
    if (!array_reserve_in(i->batch->base.arena, &i->parts, i->part_count, i->part_count + 1, &i->part_capacity,
                          sizeof *i->parts))
        return false;
    i->parts[i->part_count++] = p;
    return logic_add_part(i->batch->engine, p);
}

/* Adds to lists of pointers of the batch and of one of its items. */
#define ADD_TO_BOTH(arena, b, i, list, count, capacity, added)                                                         \
    (array_reserve_in(arena, &(b)->list, (b)->count, (b)->count + 1, &(b)->capacity, sizeof *(b)->list) &&             \
     array_reserve_in(arena, &(i)->list, (i)->count, (i)->count + 1, &(i)->capacity, sizeof *(i)->list) &&             \
     ((b)->list[(b)->count++] = (i)->list[(i)->count++] = (added)) != NULL)

struct logic_sensor *logic_item_sensor(struct logic_item *i, int plus, int minus, int net)
{
    struct logic_batch *b = i->batch;
    struct arena *arena = b->base.arena;
    struct logic_sensor *s = arena_alloc(arena, sizeof *s);
    if (!s || net < 0 || !ADD_TO_BOTH(arena, b, i, sensors, sensor_count, sensor_capacity, s))
        return NULL;
    *s = (struct logic_sensor){.item = i, .initial = LOGIC_ZERO};
    s->node[0] = plus < 0 ? -1 : i->element->nodes[plus];
    s->node[1] = minus < 0 ? -1 : i->element->nodes[minus];
    s->driver = logic_add_driver(b->engine, net, false);
    return s->driver < 0 ? NULL : s;
}

static bool towards_one(const struct logic_actuator *a, double to)
{
    return (to > a->ramp.to) == (a->levels[LOGIC_ONE] > a->levels[LOGIC_ZERO]);
}

/* What it gives to the state of its net: V, A or S. */
static double actuator_goal(const struct logic *l, const struct logic_actuator *a)
{
    return a->of_number ? a->factor * logic_state_of(l, a->input.net).number
                        : a->levels[logic_read(l, &a->part, 0, LOGIC_UNKNOWN)];
}

/* Each change of a number takes the whole time, however far it goes. */
static void actuator_react(struct logic *l, struct logic_part *p)
{
    struct logic_actuator *a = p->own;
    const double to = actuator_goal(l, a);
    const double span = a->of_number ? 0 : fabs(a->levels[LOGIC_ONE] - a->levels[LOGIC_ZERO]);
    const bool rises = a->of_number || towards_one(a, to);
    if (logic_settles(l))
        ramp_rest(&a->ramp, to);
    else if (to != a->ramp.to)
        ramp_start(&a->ramp, logic_now(l), to, rises ? a->to_one : a->to_zero, span);
}

static const struct logic_part_class actuator_part = {.react = actuator_react};

struct logic_actuator *logic_item_actuator(struct logic_item *i, enum actuator_kind kind, int plus, int minus, int net,
                                           bool inverted)
{
    struct logic_batch *b = i->batch;
    struct arena *arena = b->base.arena;
    struct logic_actuator *a = arena_alloc(arena, sizeof *a);
    if (!a || net < 0 || !ADD_TO_BOTH(arena, b, i, actuators, actuator_count, actuator_capacity, a))
        return NULL;
    *a = (struct logic_actuator){.item = i, .kind = kind, .input = {net, inverted}};
    a->node[0] = plus < 0 ? -1 : i->element->nodes[plus];
    a->node[1] = minus < 0 ? -1 : i->element->nodes[minus];
    a->part = (struct logic_part){
        .class = &actuator_part, .owner = i->element, .inputs = &a->input, .input_count = 1, .own = a};
    return logic_add_part(b->engine, &a->part) ? a : NULL;
}

/* ---- making ---- */

static const struct logic_kind *kind_of(const struct element *e)
{
    return (const struct logic_kind *)(const void *)e->kind;
}

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct logic_batch *b = batch;
    b->items = arena_array(b->base.arena, in->count + 1, sizeof *b->items);
    b->place_of_node = arena_array(b->base.arena, in->circuit->node_count + 1, sizeof *b->place_of_node);
    b->engine = logic_new(b->base.arena);
    b->rests = true;
    b->ran = -INFINITY;
    return b->items && b->place_of_node && b->engine ? model_cards_read(in, b->base.arena, &b->cards) : KN_ERROR_MEMORY;
}

static void release(void *batch)
{
    logic_free(((struct logic_batch *)batch)->engine);
}

/* An element without logic that is connected to a node of logic. */
static enum kn_status report_mixed(const struct logic_batch *b, const struct device_input *in, const struct element *e,
                                   int node)
{
    const struct logic_node *n = &b->nodes[b->place_of_node[node] - 1];
    diagnostics_add(in->diagnostics, KN_ERROR, "logic-node", e->where,
                    "put an adc_bridge or a dac_bridge between: A1 [analog] [logic] bridge",
                    "node '%s' has a logic state of '%s', not a voltage; '%s' cannot be connected to it",
                    in->circuit->nodes[node].name, n->owner->element->name, e->name);
    return KN_ERROR_DECK;
}

/* After all items have been made. */
static enum kn_status check_nodes(const struct logic_batch *b, const struct device_input *in)
{
    for (size_t k = 0; k < in->circuit->element_count && b->node_count > 0; k++) {
        const struct element *e = &in->circuit->elements[k];
        for (size_t n = 0; n < e->node_count && e->kind && device_class_of(e->kind)->together != &logic_class; n++)
            if (e->nodes[n] != 0 && b->place_of_node[e->nodes[n]] > 0)
                return report_mixed(b, in, e, e->nodes[n]);
    }
    /* Nor may a sensor or an actuator have a node of logic where it needs a voltage. */
    for (size_t k = 0; k < b->sensor_count + b->actuator_count; k++) {
        const bool sensor = k < b->sensor_count;
        const int *ends = sensor ? b->sensors[k]->node : b->actuators[k - b->sensor_count]->node;
        const struct logic_item *i = sensor ? b->sensors[k]->item : b->actuators[k - b->sensor_count]->item;
        for (int end = 0; end < 2; end++)
            if (ends[end] > 0 && b->place_of_node[ends[end]] > 0)
                return report_mixed(b, in, i->element, ends[end]);
    }
    return KN_OK;
}

static enum kn_status make(void *batch, size_t k, const struct device_input *in)
{
    struct logic_batch *b = batch;
    struct logic_item *i = &b->items[k];
    const struct element *e = in->elements[k];
    const size_t count = e->kind->instance.count;
    i->batch = b;
    i->element = e;
    i->values = arena_array(b->base.arena, count + 1, sizeof *i->values);
    i->values_given = arena_array(b->base.arena, count + 1, sizeof *i->values_given);
    if (!i->values || !i->values_given)
        return KN_ERROR_MEMORY;
    if (e->model) {
        const size_t card = model_cards_find(&b->cards, e->model);
        i->p = model_card_values(&b->cards, card);
        i->given = model_card_given(&b->cards, card);
    }
    if (!element_parameters_read(e, in->diagnostics, i->values, i->values_given))
        return KN_ERROR_DECK;
    i->first_node = b->node_count;
    const enum kn_status status = kind_of(e)->make(i, in->diagnostics);
    i->behind_nodes = b->node_count;
    return status == KN_OK && k + 1 == b->base.count ? check_nodes(b, in) : status;
}

/* ---- unknowns ---- */

static bool number(void *batch, size_t k, struct device_setup *s)
{
    struct logic_item *i = &((struct logic_batch *)batch)->items[k];
    char part[24];
    for (size_t a = 0; a < i->actuator_count; a++) {
        snprintf(part, sizeof part, "out%zu", a);
        if (i->actuators[a]->kind == ACTUATOR_VOLTAGE &&
            (i->actuators[a]->current = setup_branch_current(s, i->element, part)) < 0)
            return false;
    }
    return true;
}

static int unknown_of(const struct device_setup *s, int node)
{
    return node < 0 ? 0 : setup_node(s, node);
}

static bool connect_nodes(struct logic_batch *b, size_t k, struct device_setup *s)
{
    for (size_t n = b->items[k].first_node; n < b->items[k].behind_nodes; n++) {
        struct logic_node *node = &b->nodes[n];
        node->unknown = setup_node(s, node->node);
        if (!setup_entry(s, node->unknown, node->unknown, &node->slot))
            return false;
    }
    return true;
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    struct logic_batch *b = batch;
    struct logic_item *i = &b->items[k];
    for (size_t n = 0; n < i->sensor_count; n++) {
        i->sensors[n]->plus = unknown_of(s, i->sensors[n]->node[0]);
        i->sensors[n]->minus = unknown_of(s, i->sensors[n]->node[1]);
    }
    for (size_t n = 0; n < i->actuator_count; n++) {
        struct logic_actuator *a = i->actuators[n];
        a->plus = unknown_of(s, a->node[0]);
        a->minus = unknown_of(s, a->node[1]);
        if (a->kind == ACTUATOR_VOLTAGE && !incidence_connect(&a->incidence, s, a->plus, a->minus, a->current))
            return false;
        if (a->kind >= ACTUATOR_RESISTIVE && !setup_pair(s, a->plus, a->minus, a->slots))
            return false;
    }
    return connect_nodes(b, k, s);
}

static void stamp(const void *batch, double *G, double *C)
{
    const struct logic_batch *b = batch;
    for (size_t n = 0; n < b->node_count; n++)
        G[b->nodes[n].slot] += 1;
    for (size_t n = 0; n < b->actuator_count; n++) {
        const struct logic_actuator *a = b->actuators[n];
        const double m = element_multiplicity(a->item->element);
        if (a->kind == ACTUATOR_VOLTAGE)
            incidence_stamp(&a->incidence, G);
        if (a->kind < ACTUATOR_RESISTIVE)
            continue;
        if (a->kind == ACTUATOR_RESISTIVE)
            pair_stamp(a->slots, m * a->conductance, G);
        pair_stamp(a->slots, m * a->capacitance, C);
    }
}

/* ---- states at rest ---- */

static void note_restless(const struct logic_batch *b, const struct logic_sensor *s)
{
    const struct element *e = s ? s->item->element : NULL;
    diagnostics_add(b->base.diagnostics, KN_NOTE, "logic-restless", e ? e->where : NOWHERE,
                    "a transient shows what the circuit does; an operating point of it means nothing",
                    "logic at '%s' has no state of rest: each one turns itself over; it is left in one of them",
                    e ? e->name : "");
}

static enum kn_status settle_once(struct logic_batch *b)
{
    logic_begin(b->engine);
    for (size_t n = 0; n < b->sensor_count; n++)
        logic_post(b->engine, b->sensors[n]->driver, logic_strong(b->sensors[n]->level), 0);
    return logic_settle(b->engine);
}

/* The states follow from the voltages; without any, from 0 V, as in XSPICE. */
static void settle(struct logic_batch *b, const double *x)
{
    bool changed = !b->settled;
    const struct logic_sensor *last = NULL;
    for (size_t n = 0; n < b->sensor_count && (b->changes < MOST_CHANGES || !b->settled); n++) {
        struct logic_sensor *s = b->sensors[n];
        const enum logic_level level = x ? sensor_level(s, x) : sensor_level_of_nothing(s);
        last = level != s->level ? s : last;
        changed |= level != s->level;
        s->level = level;
    }
    if (!changed)
        return;
    b->changes += b->settled;
    if (b->changes == MOST_CHANGES)
        note_restless(b, last);
    do /* states of a loop in which none fits, as of a ring of three inverters, are not known */
        b->status = settle_once(b);
    while (b->status == KN_ERROR_CIRCUIT && logic_doubt(b->engine));
    b->settled = true;
}

/* States that no operating point has settled follow the voltages that a run with `uic` begins with, until it has begun. */
static void rest(void *batch, bool rests)
{
    struct logic_batch *b = batch;
    b->rests = rests || !b->settled;
    if (rests) {
        b->settled = false;
        b->ran = -INFINITY;
        b->changes = 0;
        b->status = KN_OK;
        for (size_t n = 0; n < b->sensor_count; n++)
            b->sensors[n]->goes_on = false;
    }
    if (!b->settled) /* states that are not known yet would be half-way voltages, which again make none */
        settle(b, NULL);
}

/* ---- evaluation ---- */

/* What the actuator gives, or how fast it changes. */
static void add_actuator(const struct logic_actuator *a, double value, const double *x, double *to)
{
    const double m = element_multiplicity(a->item->element);
    if (a->kind == ACTUATOR_VOLTAGE) {
        to[a->current] -= value;
        return;
    }
    const double current = a->kind == ACTUATOR_CURRENT       ? m * value
                           : a->kind == ACTUATOR_CONDUCTANCE ? m * value * (x[a->plus] - x[a->minus])
                                                             : -m * a->conductance * value;
    to[a->plus] += current;
    to[a->minus] -= current;
}

static void eval(void *batch, const struct device_point *at, const struct device_stamp *out)
{
    struct logic_batch *b = batch;
    /* Without currents or their slopes asked for, x need not be the operating point: states stay as they are. */
    if ((b->rests || isinf(at->when.time)) && at->what & (EVALUATE_F | EVALUATE_G | EVALUATE_T))
        settle(b, at->x);
    for (size_t n = 0; n < b->node_count && at->what & EVALUATE_F; n++)
        out->f[b->nodes[n].unknown] -= logic_node_value(&b->nodes[n], b->engine, at->when, b->ran);
    for (size_t n = 0; n < b->actuator_count && at->what & (EVALUATE_F | EVALUATE_G | EVALUATE_T); n++) {
        const struct logic_actuator *a = b->actuators[n];
        double slope;
        const double value = ramp_value(&a->ramp, at->when, &slope);
        if (at->what & EVALUATE_F)
            add_actuator(a, value, at->x, out->f);
        if (at->what & EVALUATE_G && a->kind == ACTUATOR_CONDUCTANCE)
            pair_stamp(a->slots, element_multiplicity(a->item->element) * value, out->G);
        if (at->what & EVALUATE_T)
            add_actuator(a, slope, at->x, out->dfdt);
    }
}

/* ---- going on with other values ---- */

static void *memory(const void *batch, size_t k, struct arena *arena)
{
    const struct logic_batch *b = batch;
    return logic_item_keep(&b->items[k], b->engine, arena);
}

/* What actuators give changes with their values at once, as that of a source. */
static enum kn_status recall(void *batch, size_t k, const void *kept)
{
    struct logic_batch *b = batch;
    b->settled = true;
    b->rests = false;
    const enum kn_status status = logic_item_recall(&b->items[k], b->engine, kept);
    for (size_t n = 0; k + 1 == b->base.count && n < b->actuator_count; n++)
        ramp_shift(&b->actuators[n]->ramp, actuator_goal(b->engine, b->actuators[n]));
    return status;
}

/* ---- time ---- */

static size_t switch_count(const void *batch)
{
    return 2 * ((const struct logic_batch *)batch)->sensor_count;
}

static void switches(const void *batch, struct instant when, const double *x, double *g)
{
    const struct logic_batch *b = batch;
    (void)when;
    for (size_t n = 0; n < b->sensor_count; n++) {
        const struct logic_sensor *s = b->sensors[n];
        const double v = sensor_voltage(s, x);
        const bool is_one = s->held[0] != 0 ? s->held[0] > 0 : sensor_level_before(s) == LOGIC_ONE;
        g[2 * n] = v - (s->remembers && is_one ? sensor_low(s, x) : sensor_high(s, x));
        g[2 * n + 1] = s->remembers || s->low == s->high ? NAN : v - sensor_low(s, x);
    }
}

static void hold(void *batch, size_t number, int side)
{
    struct logic_sensor *s = ((struct logic_batch *)batch)->sensors[number / 2];
    s->held[number % 2] = (signed char)side;
    s->changed = true;
}

static const struct element *switch_owner(const void *batch, size_t number)
{
    return ((const struct logic_batch *)batch)->sensors[number / 2]->item->element;
}

static enum kn_status report_loop(const struct logic_batch *b)
{
    const struct element *e = logic_culprit(b->engine);
    diagnostics_add(b->base.diagnostics, KN_ERROR, "logic-loop", e ? e->where : NOWHERE,
                    "give a gate of the loop a delay", "logic around '%s' changes without end and without time passing",
                    e ? e->name : "");
    return KN_ERROR_CIRCUIT;
}

static enum kn_status arrive(void *batch, struct instant when, const double *x)
{
    struct logic_batch *b = batch;
    b->rests = false;
    if (!b->settled)
        settle(b, x);
    for (size_t n = 0; n < b->node_count; n++)
        b->nodes[n].before = logic_node_shows(&b->nodes[n], b->engine);
    b->ran = when.time;
    if (b->status == KN_OK) {
        logic_at(b->engine, when.time);
        for (size_t n = 0; n < b->sensor_count; n++) {
            struct logic_sensor *s = b->sensors[n];
            const enum logic_level level = s->held[0] != 0 || s->held[1] != 0 ? sensor_level_by_sides(s) : s->level;
            if (s->changed && level != s->level)
                logic_post(b->engine, s->driver, logic_strong(level),
                           level == LOGIC_ONE || (level == LOGIC_UNKNOWN && s->level == LOGIC_ZERO) ? s->rise
                                                                                                    : s->fall);
            s->level = level;
            s->changed = false;
        }
        b->status = logic_run(b->engine, when.over);
    }
    return b->status == KN_ERROR_CIRCUIT ? report_loop(b) : b->status;
}

static double next_breakpoint(const void *batch, double over)
{
    const struct logic_batch *b = batch;
    double next = b->rests ? INFINITY : logic_next(b->engine, over);
    for (size_t n = 0; n < b->actuator_count; n++)
        next = fmin(next, ramp_corner(&b->actuators[n]->ramp, over));
    return next;
}

/* ---- what others see ---- */

/* A node that shows a state: a source of a current through one ohm. */
static bool node_branches(const struct logic_node *n, struct branch_list *list)
{
    const struct branch_place place = {n->owner->element, n->unknown, 0, "state", "state"};
    const struct branch source = {.kind = BRANCH_I,
                                  .plus = n->unknown,
                                  .element = n->owner->element,
                                  .part = "state",
                                  .short_name = "state",
                                  .role = ROLE_LAW,
                                  .constant = NAN};
    return branch_add_resistance(list, place, 1) && branch_add(list, &source);
}

static bool actuator_branches(const struct logic_actuator *a, struct branch_list *list)
{
    const struct branch_place place = {a->item->element, a->plus, a->minus, "output", "out"};
    const struct branch source = {.kind = a->kind == ACTUATOR_VOLTAGE ? BRANCH_V : BRANCH_I,
                                  .plus = a->plus,
                                  .minus = a->minus,
                                  .element = a->item->element,
                                  .part = "output",
                                  .short_name = "out",
                                  .role = ROLE_LAW,
                                  .constant = NAN,
                                  .current = a->current};
    if (a->kind == ACTUATOR_CONDUCTANCE ? !branch_add_law(list, BRANCH_R, place, NULL, 0) : !branch_add(list, &source))
        return false;
    return (a->kind != ACTUATOR_RESISTIVE || branch_add_resistance(list, place, 1 / a->conductance)) &&
           (a->capacitance == 0 || branch_add_law(list, BRANCH_C, place, NULL, 0));
}

static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    const struct logic_batch *b = batch;
    const struct logic_item *i = &b->items[k];
    for (size_t n = i->first_node; n < i->behind_nodes; n++)
        if (!node_branches(&b->nodes[n], list))
            return false;
    for (size_t n = 0; n < i->actuator_count; n++)
        if (!actuator_branches(i->actuators[n], list))
            return false;
    return true;
}

static double actuator_current(const struct logic_actuator *a, const struct device_probe *at)
{
    double slope;
    const double value = ramp_value(&a->ramp, at->when, &slope), m = element_multiplicity(a->item->element);
    if (a->kind == ACTUATOR_VOLTAGE)
        return at->x[a->current];
    if (a->kind == ACTUATOR_CURRENT)
        return m * value;
    const double v = at->x[a->plus] - at->x[a->minus];
    return m * ((a->kind == ACTUATOR_CONDUCTANCE ? value * v : a->conductance * (v - value)) +
                a->capacitance * (at->dxdt[a->plus] - at->dxdt[a->minus]));
}

/* Into the node at a place of the card. */
static double current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct logic_item *i = &((const struct logic_batch *)batch)->items[k];
    const int node = i->element->nodes[terminal];
    double sum = 0;
    for (int t = 0; t < terminal; t++)
        if (i->element->nodes[t] == node)
            return 0; /* of the first place that is connected there */
    for (size_t n = 0; n < i->actuator_count; n++) {
        const struct logic_actuator *a = i->actuators[n];
        sum += ((a->node[0] == node) - (a->node[1] == node)) * actuator_current(a, at);
    }
    return sum;
}

const struct device_class logic_class = {
    BATCH_OF(struct logic_batch),
    .release = release,
    USUAL_FUNCTIONS,
    .eval = eval,
    .next_breakpoint = next_breakpoint,
    SWITCH_FUNCTIONS,
    .switches_remember = true,
    MEMORY_FUNCTIONS,
    .arrive = arrive,
    .rest = rest,
};
