/* mes_device.c - unknowns of a MESFET or HFET and what it adds to their equations, see mes_batch.h. */
#include "devices/incidence.h"
#include "devices/mesfet/mes_batch.h"
#include "devices/semiconductor/fet.h"

#include <complex.h>
#include <string.h>

const struct mes_pair mes_resistor_ends[MES_RESISTORS] = {
    [MES_R_DRAIN] = {MES_NODE_D, MES_NODE_DI},       [MES_R_GATE] = {MES_NODE_G, MES_NODE_GI},
    [MES_R_SOURCE] = {MES_NODE_S, MES_NODE_SI},      [MES_R_GATE_SOURCE] = {MES_NODE_SI, MES_NODE_SJ},
    [MES_R_GATE_DRAIN] = {MES_NODE_DI, MES_NODE_DJ},
};

/* A capacitance of the gate: the end that it belongs to, its far node, and the rate of its voltage. */
static const struct gate_capacitance {
    enum mes_end end;
    enum mes_node node, rate;
} gate_capacitances[MES_ENDS] = {{MES_SOURCE_END, MES_NODE_SJ, MES_RATE_GS}, {MES_DRAIN_END, MES_NODE_DJ, MES_RATE_GD}};

/* ---- nodes ---- */

/* s.  A rate matters as little as what would change a voltage by its own tolerance in that time. */
static const double PICOSECOND = 1e-12;

static bool add_rates(struct mes_transistor *t, struct device_setup *s)
{
    static const char *const names[MES_ENDS] = {"rate_gs", "rate_gd"};
    for (int i = 0; i < MES_ENDS; i++) {
        int *rate = &t->unknowns[gate_capacitances[i].rate];
        *rate = setup_internal_node(s, t->element, names[i]);
        if (*rate < 0)
            return false;
        setup_signal(s, *rate, UNKNOWN_VOLTAGE, t->multiple * t->law.unit / PICOSECOND,
                     t->multiple * t->law.unit / PICOSECOND);
    }
    return true;
}

bool mes_number(void *batch, size_t k, struct device_setup *s)
{
    static const char *const names[MES_RESISTORS] = {"drain", "gate", "source", "gs", "gd"};
    struct mes_transistor *t = &((struct mes_batch *)batch)->items[k];
    for (int i = 0; i < 3; i++)
        t->unknowns[i] = setup_node(s, t->element->nodes[i]);
    for (int i = 0; i < MES_RESISTORS; i++) {
        const struct mes_pair e = mes_resistor_ends[i];
        t->unknowns[e.to] = instance_inner_node(s, t->element, t->conductance[i] > 0, t->unknowns[e.from], names[i]);
        if (t->unknowns[e.to] < 0)
            return false;
    }
    return add_rates(t, s);
}

bool mes_connect(void *batch, size_t k, struct device_setup *s)
{
    struct mes_transistor *t = &((struct mes_batch *)batch)->items[k];
    return own_nodes_connect(s, MES_NODES, t->unknowns, t->same, t->slots[0]);
}

/* ---- the bias ---- */

/* Where the transistor is evaluated, and how far the point is from there. */
struct place {
    struct mes_bias at;
    double shift[MES_VARIABLES];
};

static double at_node(const struct mes_transistor *t, const double *x, enum mes_node node)
{
    return x[t->unknowns[node]];
}

struct mes_bias mes_bias_at(const struct mes_transistor *t, const double *x)
{
    const double source = at_node(t, x, MES_NODE_SI);
    return (struct mes_bias){.gs = t->sign * (at_node(t, x, MES_NODE_GI) - source),
                             .ds = t->sign * (at_node(t, x, MES_NODE_DI) - source),
                             .lift = t->law.side * (t->sign * source - t->law.side_at)};
}

static struct place exactly(const struct mes_transistor *t, const double *x)
{
    return (struct place){.at = mes_bias_at(t, x)};
}

/* As SPICE limits MESFETs: junctions of the gate, then its voltage about the threshold. */
static struct place limited(struct mes_transistor *t, const struct device_point *at)
{
    struct place p = exactly(t, at->x);
    if (!at->limit)
        return p;
    const struct mes_bias b = at->first ? mes_bias_at(t, at->x_reference) : t->previous;
    const struct fet_voltages proposed = {p.at.gs, p.at.ds}, before = {b.gs, b.ds};
    const struct junction_law *junction = &t->law.gate.junction[MES_SOURCE_END];
    const struct fet_voltages now =
        fet_limit_junctions(proposed, before, junction->saturation > 0 ? junction : NULL, t->law.channel.threshold);
    p.at.gs = now.gs;
    p.at.ds = now.ds;
    p.shift[MES_GATE] = proposed.gs - now.gs;
    p.shift[MES_DRAIN] = proposed.ds - now.ds;
    *at->limited |= p.shift[MES_GATE] != 0 || p.shift[MES_DRAIN] != 0;
    t->previous = p.at;
    return p;
}

/* ---- a matrix of its own ---- */

/* As own_nodes_gather has them. */
struct sums {
    double value[MES_NODES], slope[MES_NODES][MES_NODES];
};

/* What the bias gives, as a tangent at the place. */
static double extended(const struct place *p, const struct mes_value *a)
{
    return a->value + a->by[MES_GATE] * p->shift[MES_GATE] + a->by[MES_DRAIN] * p->shift[MES_DRAIN];
}

/* Slopes of a value that the bias gives, `weight` times in the equation of a node; `side`: how the source's own voltage
 * moves the gate's, too. */
static void add_slopes(const struct mes_value *a, double weight, double side, double row[MES_NODES])
{
    const double gate = weight * a->by[MES_GATE], drain = weight * a->by[MES_DRAIN];
    row[MES_NODE_GI] += gate;
    row[MES_NODE_DI] += drain;
    row[MES_NODE_SI] -= gate * (1 + side) + drain;
}

/* A current from one node to another. */
static void add_between(const struct mes_transistor *t, const struct place *p, struct mes_pair ends,
                        const struct mes_value *a, double side, struct sums *f)
{
    const double value = t->sign * t->multiple * extended(p, a);
    f->value[ends.from] += value;
    f->value[ends.to] -= value;
    add_slopes(a, t->multiple, side, f->slope[ends.from]);
    add_slopes(a, -t->multiple, side, f->slope[ends.to]);
}

static void add_pair(const struct mes_transistor *t, const double *x, struct mes_pair ends, double g, struct sums *f)
{
    const double value = g * (at_node(t, x, ends.from) - at_node(t, x, ends.to));
    f->value[ends.from] += value;
    f->value[ends.to] -= value;
    f->slope[ends.from][ends.from] += g;
    f->slope[ends.from][ends.to] -= g;
    f->slope[ends.to][ends.from] -= g;
    f->slope[ends.to][ends.to] += g;
}

/* ---- currents ---- */

static void add_channel(const struct mes_transistor *t, const struct place *p, const struct mes_point *o,
                        struct sums *f)
{
    static const struct mes_pair channel = {MES_NODE_DI, MES_NODE_SI};
    add_between(t, p, channel, &o->channel, t->law.side, f);
    if (t->law.correction == 0)
        return;
    const struct mes_value difference = mes_subtract(o->gate[MES_SOURCE_END], o->gate[MES_DRAIN_END]);
    const struct mes_value less = mes_scale(-t->law.correction, difference);
    add_between(t, p, channel, &less, 0, f);
}

static void add_junctions(const struct mes_transistor *t, const double *x, const struct place *p,
                          const struct mes_point *o, double gmin, struct sums *f)
{
    static const struct mes_pair ends[MES_ENDS] = {
        [MES_SOURCE_END] = {MES_NODE_GI, MES_NODE_SI}, [MES_DRAIN_END] = {MES_NODE_GI, MES_NODE_DI}};
    for (int i = 0; i < MES_ENDS; i++) {
        add_between(t, p, ends[i], &o->gate[i], 0, f);
        add_pair(t, x, ends[i], t->multiple * gmin, f);
    }
}

/* (c/unit - 1) r beside what `unit` stores, and the equation of the rate r. */
static void add_displacement(const struct mes_transistor *t, const double *x, const struct place *p,
                             const struct gate_capacitance *c, const struct mes_value *capacitance, struct sums *f)
{
    const double rate = at_node(t, x, c->rate), ratio = extended(p, capacitance) / t->law.unit - 1;
    f->value[MES_NODE_GI] += ratio * rate;
    f->value[c->node] -= ratio * rate;
    f->slope[MES_NODE_GI][c->rate] += ratio;
    f->slope[c->node][c->rate] -= ratio;
    add_slopes(capacitance, t->sign * rate / t->law.unit, t->law.side, f->slope[MES_NODE_GI]);
    add_slopes(capacitance, -t->sign * rate / t->law.unit, t->law.side, f->slope[c->node]);
    f->value[c->rate] += rate;
    f->slope[c->rate][c->rate] += 1;
}

static void add_currents(const struct mes_transistor *t, const double *x, const struct place *p,
                         const struct mes_point *o, double gmin, struct sums *f)
{
    add_channel(t, p, o, f);
    add_junctions(t, x, p, o, gmin, f);
    for (int i = 0; i < MES_ENDS; i++)
        add_displacement(t, x, p, &gate_capacitances[i], &o->capacitance[gate_capacitances[i].end], f);
    for (int i = 0; i < MES_RESISTORS; i++)
        if (t->conductance[i] > 0)
            add_pair(t, x, mes_resistor_ends[i], t->conductance[i], f);
}

/* ---- charges ---- */

static void add_charges(const struct mes_transistor *t, const double *x, struct sums *q)
{
    static const struct mes_pair channel = {MES_NODE_DI, MES_NODE_SI};
    const double unit = t->multiple * t->law.unit;
    add_pair(t, x, channel, t->multiple * t->law.drain_source, q);
    for (int i = 0; i < MES_ENDS; i++) {
        const struct gate_capacitance *c = &gate_capacitances[i];
        add_pair(t, x, (struct mes_pair){MES_NODE_GI, c->node}, unit, q);
        q->value[c->rate] -= unit * (at_node(t, x, MES_NODE_GI) - at_node(t, x, c->node));
        q->slope[c->rate][MES_NODE_GI] -= unit;
        q->slope[c->rate][c->node] += unit;
    }
}

/* ---- the equations ---- */

struct evaluated {
    const struct mes_transistor *t;
    struct place place;
    struct mes_point point;
};

static void gather(const void *instance, const struct device_point *at, bool charges, double *sums)
{
    const struct evaluated *e = instance;
    if (charges)
        add_charges(e->t, at->x, (struct sums *)sums);
    else
        add_currents(e->t, at->x, &e->place, &e->point, at->gmin, (struct sums *)sums);
}

void mes_eval(void *batch, const struct device_point *at, const struct device_stamp *out)
{
    struct mes_batch *b = batch;
    for (size_t k = 0; k < b->all.base.count; k++) {
        struct mes_transistor *t = &b->items[k];
        const struct own_nodes nodes = {MES_NODES, t->unknowns, t->same, t->slots[0]};
        struct evaluated e = {.t = t, .place = limited(t, at)};
        if (at->what & (EVALUATE_F | EVALUATE_G)) {
            mes_evaluate(&t->law, e.place.at, &e.point);
            memcpy(t->dispersed, e.point.dispersed.by, sizeof t->dispersed);
        }
        own_nodes_give(&nodes, gather, &e, at, out);
    }
}

/* ---- small signals ---- */

/* By traps the channel's slopes change with the frequency; what is at rest has none of it. */
static void add_dispersion(const struct mes_transistor *t, double w, double complex *A, double complex *dAdw)
{
    const double turn = 2 * 3.14159265358979323846;
    const struct mes_dispersion *d = &t->law.dispersion;
    const double bend = tanh((w / turn - d->at) / d->width);
    const double share = 0.5 * d->amount * (1 + bend), rate = 0.5 * d->amount * (1 - bend * bend) / (d->width * turn);
    const struct mes_value slopes = {0, {t->dispersed[MES_GATE], t->dispersed[MES_DRAIN]}};
    double row[MES_NODES] = {0};
    add_slopes(&slopes, t->multiple, t->law.side, row);
    for (int i = 0; i < MES_NODES; i++) {
        const int from = t->slots[t->same[MES_NODE_DI]][t->same[i]], to = t->slots[t->same[MES_NODE_SI]][t->same[i]];
        if (row[i] == 0)
            continue;
        A[from] += share * row[i];
        A[to] -= share * row[i];
        dAdw[from] += rate * row[i];
        dAdw[to] -= rate * row[i];
    }
}

void mes_delay(const void *batch, double w, double complex *A, double complex *dAdw)
{
    const struct mes_batch *b = batch;
    for (size_t k = 0; k < b->all.base.count && w != 0; k++)
        if (b->items[k].law.dispersion.width > 0 && b->items[k].law.dispersion.amount != 0)
            add_dispersion(&b->items[k], w, A, dAdw);
}

/* ---- what others ask ---- */

/* Nodes inside that are the terminal itself, where resistances are 0. */
static bool is_terminal(const struct mes_transistor *t, int node, int terminal)
{
    static const enum mes_node owner[MES_NODES] = {
        [MES_NODE_D] = MES_NODE_D,   [MES_NODE_G] = MES_NODE_G,  [MES_NODE_S] = MES_NODE_S,
        [MES_NODE_DI] = MES_NODE_D,  [MES_NODE_GI] = MES_NODE_G, [MES_NODE_SI] = MES_NODE_S,
        [MES_NODE_DJ] = MES_NODE_D,  [MES_NODE_SJ] = MES_NODE_S, [MES_RATE_GS] = MES_RATE_GS,
        [MES_RATE_GD] = MES_RATE_GD,
    };
    return (int)owner[node] == terminal && t->unknowns[node] == t->unknowns[terminal];
}

/* Into all nodes, inner ones among them. */
static void find_flows(const struct mes_transistor *t, const struct device_probe *at, double into[MES_NODES])
{
    const struct own_nodes nodes = {MES_NODES, t->unknowns, t->same, t->slots[0]};
    struct evaluated e = {.t = t, .place = exactly(t, at->x)};
    mes_evaluate(&t->law, e.place.at, &e.point);
    own_nodes_flow(&nodes, gather, &e, at, into);
}

double mes_current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct mes_transistor *t = &((const struct mes_batch *)batch)->items[k];
    struct device_flows own;
    struct device_flows *const kept = device_flows(at, t, &own);
    if (!kept->known)
        find_flows(t, at, kept->into);
    double sum = 0;
    for (int i = 0; i < MES_NODES; i++)
        sum += is_terminal(t, i, terminal) ? kept->into[i] : 0;
    return sum;
}
