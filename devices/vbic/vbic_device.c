/* vbic_device.c - unknowns of a VBIC transistor and what it adds to their equations.
 *
 * Its delay (excess phase) is the second-order filter of Weil and McNamara (1978), 1/(1 + s td + (s td)^2/3), between the
 * forward transport current and the collector; its heat flows through rth and cth to a temperature of 0 K of rise.
 */
#include "devices/vbic/vbic_batch.h"

#include <string.h>

const struct vbic_ends vbic_current_ends[VBIC_CURRENTS] = {
#define CURRENT(symbol, from, to) {VBIC_##from, VBIC_##to},
#include "devices/vbic/vbic_ends.def"
};
static const struct vbic_ends charge_ends[VBIC_CHARGES] = {
#define CHARGE(symbol, from, to) {VBIC_##from, VBIC_##to},
#include "devices/vbic/vbic_ends.def"
};

/* Between which nodes the voltages lie that everything depends on; the temperature has none. */
static const struct vbic_ends variable_ends[VBIC_HEAT] = {
    [VBIC_BEI] = {VBIC_BI, VBIC_EI}, [VBIC_BEX] = {VBIC_BX, VBIC_EI}, [VBIC_BCI] = {VBIC_BI, VBIC_CI},
    [VBIC_BCX] = {VBIC_BI, VBIC_CX}, [VBIC_BEP] = {VBIC_BX, VBIC_BP}, [VBIC_BCP] = {VBIC_SI, VBIC_BP},
};

static const struct outer_resistance {
    enum vbic_warm resistance;
    enum vbic_node outer, inner;
} outer_resistances[] = {
    {VBIC_RCX, VBIC_C, VBIC_CX}, {VBIC_RBX, VBIC_B, VBIC_BX}, {VBIC_RE, VBIC_E, VBIC_EI}, {VBIC_RS, VBIC_S, VBIC_SI}};

enum { OUTER_COUNT = sizeof outer_resistances / sizeof *outer_resistances };

/* ---- nodes ---- */

/* Levels 10 and 11 are Xyce's transistors of three terminals, whose fourth node is the temperature. */
static bool has_substrate(const struct vbic_law *law)
{
    const double level = law->card[VBIC_CARD_LEVEL];
    return level != 10 && level != 11;
}

static void find_outer(struct vbic_transistor *t, const struct element *e, const struct device_setup *s)
{
    const size_t named = e->named_nodes > 0 ? e->named_nodes : e->node_count;
    size_t next = 3;
    for (int i = 0; i < 3; i++)
        t->unknowns[i] = setup_node(s, e->nodes[i]);
    t->unknowns[VBIC_S] = t->law.substrate && named > 3 ? setup_node(s, e->nodes[next++]) : 0;
    t->unknowns[VBIC_DT] = named > next ? setup_node(s, e->nodes[next]) : -1;
}

/* The rise of temperature in K and the power in W, to 1 mK and 1 nW.  Without rth there is neither, whatever is connected to a
 * node that the card has for it, as in ngspice. */
static bool find_heat(struct vbic_transistor *t, const struct element *e, bool allowed, struct device_setup *s)
{
    const double kelvin = 1e3;
    int *heat = &t->unknowns[VBIC_DT];
    t->law.heats = (*heat >= 0 || allowed) && t->law.card[VBIC_CARD_SELFT] != 0 && t->law.card[VBIC_CARD_RTH] > 0;
    if (!t->law.heats || *heat >= 0)
        return true;
    *heat = setup_internal_node(s, e, "temperature");
    setup_signal(s, *heat, UNKNOWN_VOLTAGE, kelvin, kelvin);
    return *heat >= 0;
}

static bool find_delay(struct vbic_transistor *t, const struct element *e, struct device_setup *s)
{
    const double ampere = 1e-6; /* tolerances: those of currents */
    if (!(t->law.card[VBIC_CARD_TD] > 0))
        return true;
    for (int i = VBIC_DELAYED_1; i <= VBIC_DELAYED_2; i++) {
        t->unknowns[i] = setup_internal_node(s, e, i == VBIC_DELAYED_1 ? "delay" : "delayed");
        setup_signal(s, t->unknowns[i], UNKNOWN_VOLTAGE, ampere, 1);
        if (t->unknowns[i] < 0)
            return false;
    }
    return true;
}

static bool add_inner(struct vbic_transistor *t, const struct element *e, struct device_setup *s, enum vbic_node inner,
                      enum vbic_node outer, enum vbic_card resistance, const char *name)
{
    const bool separate = vbic_resistance(t->law.card[resistance]) > 0;
    t->unknowns[inner] = instance_inner_node(s, e, separate, t->unknowns[outer], name);
    return t->unknowns[inner] >= 0;
}

static bool add_substrate(struct vbic_transistor *t, const struct element *e, struct device_setup *s)
{
    t->unknowns[VBIC_SI] = t->unknowns[VBIC_S];
    return !t->law.substrate || add_inner(t, e, s, VBIC_SI, VBIC_S, VBIC_CARD_RS, "si");
}

bool vbic_number(void *batch, size_t k, struct device_setup *s)
{
    struct vbic_batch *b = batch;
    struct vbic_transistor *t = &b->transistors[k];
    const struct element *e = b->all.base.elements[k];
    for (int i = 0; i < VBIC_NODES; i++)
        t->unknowns[i] = -1;
    t->parallel = b->all.own[k][VBIC_AREA] * b->all.own[k][VBIC_M];
    t->multiple = b->all.own[k][VBIC_M];
    t->law.card = b->all.model[k];
    t->law.substrate = has_substrate(&t->law);
    find_outer(t, e, s);
    return add_inner(t, e, s, VBIC_CX, VBIC_C, VBIC_CARD_RCX, "cx") &&
           add_inner(t, e, s, VBIC_CI, VBIC_CX, VBIC_CARD_RCI, "ci") &&
           add_inner(t, e, s, VBIC_BX, VBIC_B, VBIC_CARD_RBX, "bx") &&
           add_inner(t, e, s, VBIC_BI, VBIC_BX, VBIC_CARD_RBI, "bi") &&
           add_inner(t, e, s, VBIC_EI, VBIC_E, VBIC_CARD_RE, "ei") &&
           add_inner(t, e, s, VBIC_BP, VBIC_CX, VBIC_CARD_RBP, "bp") && add_substrate(t, e, s) &&
           find_heat(t, e, b->all.own[k][VBIC_SW_ET] != 0, s) && find_delay(t, e, s);
}

bool vbic_connect(void *batch, size_t k, struct device_setup *s)
{
    struct vbic_transistor *t = &((struct vbic_batch *)batch)->transistors[k];
    return own_nodes_connect(s, VBIC_NODES, t->unknowns, t->same, t->slots[0]);
}

/* ---- the bias ---- */

struct place {
    double at[VBIC_VARIABLES], shift[VBIC_VARIABLES]; /* where it is evaluated, and how far the point is from there */
};

static double at_node(const struct vbic_transistor *t, const double *x, enum vbic_node node)
{
    return t->unknowns[node] < 0 ? 0 : x[t->unknowns[node]];
}

void vbic_voltages(const struct vbic_transistor *t, const double *x, double v[VBIC_VARIABLES])
{
    for (int i = 0; i < VBIC_HEAT; i++)
        v[i] = t->sign * (at_node(t, x, variable_ends[i].from) - at_node(t, x, variable_ends[i].to));
    v[VBIC_HEAT] = at_node(t, x, VBIC_DT);
}

static struct place exactly(const struct vbic_transistor *t, const double *x)
{
    struct place p = {.shift = {0}};
    vbic_voltages(t, x, p.at);
    return p;
}

static double critical(const struct vbic_law *law, enum vbic_warm current)
{
    const double vt = law->warm[VBIC_VT].value, is = law->warm[current].value;
    return is > 0 ? vt * log(vt / (sqrt(2) * is)) : INFINITY;
}

/* Junctions as SPICE limits them, the temperature within 5 K of what was before. */
static struct place limited(struct vbic_transistor *t, const struct device_point *at)
{
    static const enum vbic_warm currents[VBIC_HEAT] = {VBIC_IS, VBIC_IS, VBIC_IS, VBIC_IS, VBIC_IBEIP, VBIC_IBCIP};
    const double rate = 1 / t->law.warm[VBIC_VT].value;
    struct place p = exactly(t, at->x);
    double *before = t->previous, proposed[VBIC_VARIABLES];
    if (!at->limit)
        return p;
    if (at->first)
        vbic_voltages(t, at->x_reference, before);
    memcpy(proposed, p.at, sizeof proposed);
    for (int i = 0; i < VBIC_HEAT; i++) {
        const double vcrit = critical(&t->law, currents[i]);
        p.at[i] = junction_limit(proposed[i], before[i], rate, isfinite(vcrit) ? vcrit : critical(&t->law, VBIC_IS));
    }
    if (junction_is_cold(at->when.time, at->first, p.at[VBIC_BEI], before[VBIC_BEI]) && p.at[VBIC_BCI] == 0)
        p.at[VBIC_BEI] = critical(&t->law, VBIC_IS);
    p.at[VBIC_HEAT] = fmax(fmin(proposed[VBIC_HEAT], before[VBIC_HEAT] + 5), before[VBIC_HEAT] - 5);
    for (int i = 0; i < VBIC_VARIABLES; i++) {
        p.shift[i] = proposed[i] - p.at[i];
        *at->limited |= p.shift[i] != 0;
    }
    memcpy(before, p.at, sizeof p.at);
    return p;
}

/* ---- a matrix of its own ---- */

/* As own_nodes_gather has them. */
struct sums {
    double value[VBIC_NODES], slope[VBIC_NODES][VBIC_NODES];
};

/* A value that the bias gives, `weight` times in the equation of a node. */
static void add_in_row(const struct vbic_transistor *t, const struct place *p, enum vbic_node row,
                       const struct vbic_value *a, double weight, struct sums *o)
{
    double value = a->value;
    for (int i = 0; i < VBIC_VARIABLES; i++)
        value += a->by[i] * p->shift[i];
    o->value[row] += weight * value;
    for (int i = 0; i < VBIC_HEAT; i++) {
        const double by = weight * t->sign * a->by[i];
        o->slope[row][variable_ends[i].from] += by;
        o->slope[row][variable_ends[i].to] -= by;
    }
    o->slope[row][VBIC_DT] += weight * a->by[VBIC_HEAT];
}

static void add_between(const struct vbic_transistor *t, const struct place *p, struct vbic_ends ends,
                        const struct vbic_value *a, struct sums *o)
{
    const double weight = t->sign * t->parallel;
    add_in_row(t, p, ends.from, a, weight, o);
    add_in_row(t, p, ends.to, a, -weight, o);
}

static void add_pair(enum vbic_node from, enum vbic_node to, double value, double slope, struct sums *o)
{
    o->value[from] += value;
    o->value[to] -= value;
    o->slope[from][from] += slope;
    o->slope[from][to] -= slope;
    o->slope[to][from] -= slope;
    o->slope[to][to] += slope;
}

static double across(const struct vbic_transistor *t, const double *x, enum vbic_node from, enum vbic_node to)
{
    return at_node(t, x, from) - at_node(t, x, to);
}

/* ---- currents ---- */

static struct vbic_value conductance(const struct vbic_point *o, const struct place *p, enum vbic_warm resistance)
{
    struct vbic_value g = vbic_divide(vbic_constant(1), o->warm[resistance]);
    g.value += g.by[VBIC_HEAT] * p->shift[VBIC_HEAT];
    return g;
}

static void add_outer(const struct vbic_transistor *t, const double *x, const struct place *p,
                      const struct vbic_point *o, struct sums *f)
{
    for (int i = 0; i < OUTER_COUNT; i++) {
        const enum vbic_node outer = outer_resistances[i].outer, inner = outer_resistances[i].inner;
        if (t->unknowns[outer] == t->unknowns[inner])
            continue;
        const struct vbic_value g = conductance(o, p, outer_resistances[i].resistance);
        const double v = across(t, x, outer, inner), m = t->parallel;
        add_pair(outer, inner, m * g.value * v, m * g.value, f);
        f->slope[outer][VBIC_DT] += m * g.by[VBIC_HEAT] * v;
        f->slope[inner][VBIC_DT] -= m * g.by[VBIC_HEAT] * v;
    }
}

/* V in ends.from against ends.to of what the bias gives. */
static struct vbic_value voltage_between(const struct place *p, struct vbic_ends ends)
{
    /* the voltages, with their signs, that add up to that of a node against ei */
    static const int terms[VBIC_NODES][VBIC_HEAT] = {
        [VBIC_BI] = {[VBIC_BEI] = 1},
        [VBIC_BX] = {[VBIC_BEX] = 1},
        [VBIC_CI] = {[VBIC_BEI] = 1, [VBIC_BCI] = -1},
        [VBIC_CX] = {[VBIC_BEI] = 1, [VBIC_BCX] = -1},
        [VBIC_BP] = {[VBIC_BEX] = 1, [VBIC_BEP] = -1},
        [VBIC_SI] = {[VBIC_BEX] = 1, [VBIC_BEP] = -1, [VBIC_BCP] = 1},
    };
    struct vbic_value v = vbic_constant(0);
    for (int i = 0; i < VBIC_HEAT; i++) {
        v.by[i] = terms[ends.from][i] - terms[ends.to][i];
        v.value += v.by[i] * p->at[i];
    }
    return v;
}

/* Out of the node of the temperature, W/K. */
static void lead_heat(const struct vbic_transistor *t, const double *x, double conductance, struct sums *f)
{
    f->value[VBIC_DT] += conductance * at_node(t, x, VBIC_DT);
    f->slope[VBIC_DT][VBIC_DT] += conductance;
}

static void add_heat(const struct vbic_transistor *t, const double *x, const struct place *p,
                     const struct vbic_point *o, struct sums *f)
{
    const double m = t->parallel;
    for (int i = 0; i < VBIC_CURRENTS; i++) {
        const struct vbic_value power = vbic_multiply(o->current[i], voltage_between(p, vbic_current_ends[i]));
        add_in_row(t, p, VBIC_DT, &power, -m, f);
    }
    for (int i = 0; i < OUTER_COUNT; i++) {
        const enum vbic_node outer = outer_resistances[i].outer, inner = outer_resistances[i].inner;
        if (t->unknowns[outer] == t->unknowns[inner])
            continue;
        const struct vbic_value g = conductance(o, p, outer_resistances[i].resistance);
        const double v = across(t, x, outer, inner);
        f->value[VBIC_DT] -= m * g.value * v * v;
        f->slope[VBIC_DT][outer] -= 2 * m * g.value * v;
        f->slope[VBIC_DT][inner] += 2 * m * g.value * v;
        f->slope[VBIC_DT][VBIC_DT] -= m * g.by[VBIC_HEAT] * v * v;
    }
    lead_heat(t, x, m / t->law.card[VBIC_CARD_RTH], f);
}

/* What the collector gets is the second of two currents behind the transport current i, where
 *     td d(i1 - i2/3)/dt + i1 = i,   td/3 d(i2)/dt + i2 = i1 */
static void add_delayed(const struct vbic_transistor *t, const double *x, const struct place *p,
                        const struct vbic_point *o, struct sums *f)
{
    const double first = at_node(t, x, VBIC_DELAYED_1), second = at_node(t, x, VBIC_DELAYED_2);
    const double weight = t->sign * t->parallel;
    const struct vbic_ends ends = vbic_current_ends[VBIC_ITF];
    f->value[ends.from] += weight * second;
    f->value[ends.to] -= weight * second;
    f->slope[ends.from][VBIC_DELAYED_2] += weight;
    f->slope[ends.to][VBIC_DELAYED_2] -= weight;
    add_in_row(t, p, VBIC_DELAYED_1, &o->current[VBIC_ITF], -1, f);
    f->value[VBIC_DELAYED_1] += first;
    f->slope[VBIC_DELAYED_1][VBIC_DELAYED_1] += 1;
    f->value[VBIC_DELAYED_2] += second - first;
    f->slope[VBIC_DELAYED_2][VBIC_DELAYED_2] += 1;
    f->slope[VBIC_DELAYED_2][VBIC_DELAYED_1] -= 1;
}

static void add_gmin(const struct vbic_transistor *t, const double *x, double gmin, struct sums *f)
{
    static const enum vbic_variable junctions[] = {VBIC_BEI, VBIC_BCI, VBIC_BEP, VBIC_BCP};
    const size_t count = sizeof junctions / sizeof *junctions - !t->law.substrate;
    for (size_t i = 0; i < count; i++) {
        const struct vbic_ends e = variable_ends[junctions[i]];
        add_pair(e.from, e.to, gmin * across(t, x, e.from, e.to), gmin, f);
    }
}

static void add_currents(const struct vbic_transistor *t, const double *x, const struct place *p,
                         const struct vbic_point *o, double gmin, struct sums *f)
{
    const bool delayed = t->unknowns[VBIC_DELAYED_1] >= 0;
    for (int i = 0; i < VBIC_CURRENTS; i++)
        if (i != VBIC_ITF || !delayed)
            add_between(t, p, vbic_current_ends[i], &o->current[i], f);
    if (delayed)
        add_delayed(t, x, p, o, f);
    add_outer(t, x, p, o, f);
    add_gmin(t, x, gmin, f);
    if (t->law.heats)
        add_heat(t, x, p, o, f);
    else if (t->unknowns[VBIC_DT] > 0) /* the node may have nothing else */
        lead_heat(t, x, gmin, f);
}

/* ---- charges ---- */

static void add_linear(const struct vbic_transistor *t, const double *x, enum vbic_node from, enum vbic_node to,
                       double c, struct sums *q)
{
    add_pair(from, to, c * across(t, x, from, to), c, q);
}

static void add_stored(const struct vbic_transistor *t, const double *x, enum vbic_node node, double factor,
                       struct sums *q)
{
    q->value[node] += factor * at_node(t, x, node);
    q->slope[node][node] += factor;
}

static void add_charges(const struct vbic_transistor *t, const double *x, const struct place *p,
                        const struct vbic_point *o, struct sums *q)
{
    const double *card = t->law.card, m = t->parallel, td = card[VBIC_CARD_TD];
    for (int i = 0; i < VBIC_CHARGES; i++)
        add_between(t, p, charge_ends[i], &o->charge[i], q);
    add_linear(t, x, VBIC_B, VBIC_E, m * card[VBIC_CARD_CBEO], q);
    add_linear(t, x, VBIC_B, VBIC_C, m * card[VBIC_CARD_CBCO], q);
    if (t->law.heats)
        add_stored(t, x, VBIC_DT, m * card[VBIC_CARD_CTH], q);
    if (t->unknowns[VBIC_DELAYED_1] >= 0) {
        add_stored(t, x, VBIC_DELAYED_1, td, q);
        add_stored(t, x, VBIC_DELAYED_2, td / 3, q);
        q->value[VBIC_DELAYED_1] -= td / 3 * at_node(t, x, VBIC_DELAYED_2);
        q->slope[VBIC_DELAYED_1][VBIC_DELAYED_2] -= td / 3;
    }
}

/* ---- the equations ---- */

struct evaluated {
    const struct vbic_transistor *t;
    struct place place;
    struct vbic_point point;
};

static void gather(const void *instance, const struct device_point *at, bool charges, double *sums)
{
    const struct evaluated *e = instance;
    if (charges)
        add_charges(e->t, at->x, &e->place, &e->point, (struct sums *)sums);
    else
        add_currents(e->t, at->x, &e->place, &e->point, at->gmin, (struct sums *)sums);
}

static struct own_nodes nodes_of(const struct vbic_transistor *t)
{
    return (struct own_nodes){VBIC_NODES, t->unknowns, t->same, t->slots[0]};
}

static bool is_delayed(const struct vbic_transistor *t)
{
    return t->unknowns[VBIC_DELAYED_1] >= 0;
}

static bool is_exact(const struct place *p)
{
    bool exact = true;
    for (int i = 0; i < VBIC_VARIABLES; i++)
        exact &= p->shift[i] == 0;
    return exact;
}

/* Whether the kept tangent answers. */
static bool answers(struct vbic_transistor *t, const struct device_point *at, const struct device_stamp *out)
{
    const struct own_nodes nodes = nodes_of(t);
    if (!own_tangent_answers(&nodes, &t->tangent, at))
        return false;
    vbic_voltages(t, at->x, t->previous);
    own_tangent_add(&nodes, &t->tangent, at->x, at->what, 1, out);
    return true;
}

static void evaluate_one(struct vbic_transistor *t, const struct device_point *at, const struct device_stamp *out)
{
    const struct own_nodes nodes = nodes_of(t);
    struct evaluated e = {.t = t, .place = limited(t, at)};
    vbic_evaluate(&t->law, e.place.at, at->what & (EVALUATE_Q | EVALUATE_C), &e.point);
    own_tangent_give(&nodes, gather, &e, at, is_exact(&e.place) && !is_delayed(t), &t->tangent, out);
}

void vbic_eval(void *batch, const struct device_point *at, const struct device_stamp *out)
{
    struct vbic_batch *b = batch;
    for (size_t a = 0; a < b->all.base.active_count; a++) {
        const size_t k = b->all.base.active[a];
        const bool near = answers(&b->transistors[k], at, out);
        batch_count_calm(&b->all.base, k, near);
        if (!near)
            evaluate_one(&b->transistors[k], at, out);
    }
}

size_t vbic_ends(const void *batch, size_t k, int unknowns[DEVICE_MOST_ENDS])
{
    const struct vbic_transistor *t = &((const struct vbic_batch *)batch)->transistors[k];
    const struct own_nodes nodes = nodes_of(t);
    return is_delayed(t) ? 0 : own_nodes_ends(&nodes, unknowns);
}

void vbic_tangent(const void *batch, size_t k, double gmin, double sign, const struct device_stamp *out)
{
    (void)gmin; /* in the kept one */
    const struct vbic_transistor *t = &((const struct vbic_batch *)batch)->transistors[k];
    const struct own_nodes nodes = nodes_of(t);
    own_tangent_add(&nodes, &t->tangent, NULL, EVALUATE_ALL, sign, out);
}

/* ---- what others ask ---- */

/* Nodes inside that are the terminal itself, where resistances are 0. */
static bool is_terminal(const struct vbic_transistor *t, int node, int terminal)
{
    static const enum vbic_node owner[VBIC_NODES] = {[VBIC_C] = VBIC_C,
                                                     [VBIC_B] = VBIC_B,
                                                     [VBIC_E] = VBIC_E,
                                                     [VBIC_S] = VBIC_S,
                                                     [VBIC_DT] = VBIC_DT,
                                                     [VBIC_CX] = VBIC_C,
                                                     [VBIC_CI] = VBIC_C,
                                                     [VBIC_BX] = VBIC_B,
                                                     [VBIC_BI] = VBIC_B,
                                                     [VBIC_EI] = VBIC_E,
                                                     [VBIC_BP] = VBIC_C,
                                                     [VBIC_SI] = VBIC_S,
                                                     [VBIC_DELAYED_1] = VBIC_DELAYED_1,
                                                     [VBIC_DELAYED_2] = VBIC_DELAYED_2};
    return (int)owner[node] == terminal && t->unknowns[node] == t->unknowns[terminal];
}

/* Into all nodes, inner ones among them. */
static void find_flows(const struct vbic_transistor *t, const struct device_probe *at, double into[VBIC_NODES])
{
    const struct own_nodes nodes = nodes_of(t);
    struct evaluated e = {.t = t, .place = exactly(t, at->x)};
    vbic_evaluate(&t->law, e.place.at, true, &e.point);
    own_nodes_flow(&nodes, gather, &e, at, into);
}

double vbic_current_into(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct vbic_transistor *t = &((const struct vbic_batch *)batch)->transistors[k];
    const int node = terminal == VBIC_S && !t->law.substrate ? VBIC_DT : terminal;
    struct device_flows own;
    if (node > VBIC_DT || t->unknowns[node] < 0)
        return 0;
    struct device_flows *const kept = device_flows(at, t, &own);
    if (!kept->known)
        find_flows(t, at, kept->into);
    double sum = 0;
    for (int i = 0; i < VBIC_NODES; i++)
        sum += is_terminal(t, i, node) ? kept->into[i] : 0;
    return sum;
}
