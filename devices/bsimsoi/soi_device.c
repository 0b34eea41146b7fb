/* soi_device.c - unknowns of a transistor on insulator and what it adds to their equations.
 *
 * Between the nodes lie currents and charges that the bias of the intrinsic transistor gives; those of ends that have changed
 * places go by the nodes that they have then.  Everything is added in a matrix of its own first.
 */
#include "devices/bsimsoi/soi_batch.h"

#include <string.h>

/* Junctions carry so little that gmin is that part of it (as in Berkeley's programs; .options device b3soigminscaling=0 of
 * Xyce takes it whole), and that the body's equation wants tolerances smaller by as much. */
static const double SMALL = 1e-6;

/* ---- nodes ---- */

/* The next of the nodes that the card names; -1 when there are no more. */
static int next_node(const struct device_setup *s, const struct element *e, size_t *next, size_t count)
{
    return *next < count ? setup_node(s, e->nodes[(*next)++]) : -1;
}

/* Nodes beyond the fourth: contact, body, temperature (tnodeout), as many as there are. */
static void find_outer(struct soi_batch *b, size_t k, const struct device_setup *s)
{
    struct soi_transistor *t = &b->transistors[k];
    const struct element *e = b->all.base.elements[k];
    const bool warm = b->all.own[k][SOI_TNODEOUT] != 0;
    const size_t named = e->named_nodes > 0 ? e->named_nodes : e->node_count,
                 plain = warm && named > 4 ? named - 1 : named;
    size_t next = 0;
    for (int i = 0; i < SOI_NODES; i++)
        t->unknowns[i] = -1;
    for (int i = SOI_NODE_DRAIN; i <= SOI_NODE_SUBSTRATE; i++)
        t->unknowns[i] = next_node(s, e, &next, plain);
    t->unknowns[SOI_NODE_CONTACT] = next_node(s, e, &next, plain);
    t->unknowns[SOI_NODE_BODY] = next_node(s, e, &next, plain);
    if (plain < named)
        t->unknowns[SOI_NODE_HEAT] = setup_node(s, e->nodes[plain]);
    else
        t->unknowns[SOI_NODE_HEAT] = next_node(s, e, &next, named);
}

static bool find_body(struct soi_batch *b, size_t k, struct device_setup *s)
{
    struct soi_transistor *t = &b->transistors[k];
    const double *card = b->all.model[k];
    const bool resists = card[SOI_CARD_RBODY] != 0 || card[SOI_CARD_RBSH] != 0;
    int *body = &t->unknowns[SOI_NODE_BODY], contact = t->unknowns[SOI_NODE_CONTACT];
    if (t->law.body == 2)
        return true;
    t->contact = contact >= 0 && (resists || *body >= 0);
    if (*body < 0 && contact >= 0 && !resists)
        *body = contact;
    if (*body >= 0)
        return true;
    *body = setup_internal_node(s, b->all.base.elements[k], "body");
    if (*body > 0)
        setup_signal(s, *body, UNKNOWN_VOLTAGE, 1, SMALL);
    return *body >= 0;
}

static bool find_heat(struct soi_batch *b, size_t k, struct device_setup *s)
{
    int *heat = &b->transistors[k].unknowns[SOI_NODE_HEAT];
    const double kelvin = 1e3; /* tolerances, of those of voltages and currents: 1 mK, 1 nW */
    if (!b->transistors[k].law.heats || *heat >= 0)
        return true;
    *heat = setup_internal_node(s, b->all.base.elements[k], "temperature");
    if (*heat > 0)
        setup_signal(s, *heat, UNKNOWN_VOLTAGE, kelvin, kelvin);
    return *heat >= 0;
}

bool soi_number(void *batch, size_t k, struct device_setup *s)
{
    struct soi_batch *b = batch;
    struct soi_transistor *t = &b->transistors[k];
    const struct element *e = b->all.base.elements[k];
    const double *own = b->all.own[k], *card = b->all.model[k], rsh = card[SOI_CARD_RSH];
    int *u = t->unknowns;
    t->parallel = own[MOSFET_M];
    t->gmin_part = b->whole_gmin ? 1 : SMALL;
    t->drain_conductance = rsh * own[MOSFET_NRD] > 0 ? t->parallel / (rsh * own[MOSFET_NRD]) : 0;
    t->source_conductance = rsh * own[MOSFET_NRS] > 0 ? t->parallel / (rsh * own[MOSFET_NRS]) : 0;
    t->gate_law = (int)(b->all.own_given[k][SOI_RGATEMOD_OWN] ? own[SOI_RGATEMOD_OWN] : card[SOI_CARD_RGATEMOD]);
    find_outer(b, k, s);
    u[SOI_INNER_DRAIN] = instance_inner_node(s, e, t->drain_conductance > 0, u[SOI_NODE_DRAIN], "drain");
    u[SOI_INNER_SOURCE] = instance_inner_node(s, e, t->source_conductance > 0, u[SOI_NODE_SOURCE], "source");
    u[SOI_INNER_GATE] = instance_inner_node(s, e, t->gate_law > 0, u[SOI_NODE_GATE], "gate");
    u[SOI_MIDDLE_GATE] = u[SOI_INNER_GATE];
    if (t->gate_law == 3)
        u[SOI_MIDDLE_GATE] = setup_internal_node(s, e, "electrode");
    return u[SOI_INNER_DRAIN] >= 0 && u[SOI_INNER_SOURCE] >= 0 && u[SOI_INNER_GATE] >= 0 && u[SOI_MIDDLE_GATE] >= 0 &&
           find_body(b, k, s) && find_heat(b, k, s);
}

bool soi_connect(void *batch, size_t k, struct device_setup *s)
{
    struct soi_transistor *t = &((struct soi_batch *)batch)->transistors[k];
    return own_nodes_connect(s, SOI_NODES, t->unknowns, t->same, t->slots[0]);
}

/* ---- the bias ---- */

static double at_node(const struct soi_transistor *t, const double *x, int node)
{
    return t->unknowns[node] < 0 ? 0 : x[t->unknowns[node]];
}

/* Against the source, in the sense of an n-channel. */
static void find_voltages(const struct soi_transistor *t, const double *x, double v[SOI_VARIABLES])
{
    const double sign = t->law.sign, source = at_node(t, x, SOI_INNER_SOURCE);
    v[SOI_GATE] = sign * (at_node(t, x, SOI_INNER_GATE) - source);
    v[SOI_DRAIN] = sign * (at_node(t, x, SOI_INNER_DRAIN) - source);
    v[SOI_BODY] = t->unknowns[SOI_NODE_BODY] < 0 ? 0 : sign * (at_node(t, x, SOI_NODE_BODY) - source);
    v[SOI_SUBSTRATE] = sign * (at_node(t, x, SOI_NODE_SUBSTRATE) - source);
    v[SOI_HEAT] = at_node(t, x, SOI_NODE_HEAT);
}

/* From voltages against the source to those against the drain. */
static void turn(double v[SOI_VARIABLES])
{
    for (int i = 0; i < SOI_HEAT; i++)
        if (i != SOI_DRAIN)
            v[i] -= v[SOI_DRAIN];
    v[SOI_DRAIN] = -v[SOI_DRAIN];
}

/* Evaluated at u where v is proposed, both against the source. */
static struct soi_place place_at(const double u[SOI_VARIABLES], const double v[SOI_VARIABLES])
{
    struct soi_place p;
    double proposed[SOI_VARIABLES];
    memcpy(p.at.at, u, sizeof p.at.at);
    memcpy(proposed, v, sizeof proposed);
    p.at.reversed = u[SOI_DRAIN] < 0;
    if (p.at.reversed) {
        turn(p.at.at);
        turn(proposed);
    }
    for (int i = 0; i < SOI_VARIABLES; i++)
        p.shift[i] = proposed[i] - p.at.at[i];
    return p;
}

struct soi_place soi_place_of(const struct soi_transistor *t, const double *x)
{
    double v[SOI_VARIABLES];
    find_voltages(t, x, v);
    return place_at(v, v);
}

static double within(double v, double from, double most)
{
    return fmax(fmin(v, from + most), from - most);
}

static bool is_exact(const struct soi_place *p)
{
    bool exact = true;
    for (int i = 0; i < SOI_VARIABLES; i++)
        exact &= p->shift[i] == 0;
    return exact;
}

/* Where it is evaluated: junctions within 0.2 V, all else within 3 V and 5 K of what was before. */
static struct soi_place limited_place(struct soi_transistor *t, const struct device_point *at)
{
    double v[SOI_VARIABLES], u[SOI_VARIABLES], *before = t->previous;
    find_voltages(t, at->x, v);
    if (!at->limit)
        return place_at(v, v);
    if (at->first)
        find_voltages(t, at->x_reference, before);
    for (int i = 0; i < SOI_VARIABLES; i++)
        u[i] = within(v[i], before[i], i == SOI_HEAT ? 5 : 3);
    if (u[SOI_DRAIN] >= 0)
        u[SOI_BODY] = within(v[SOI_BODY], before[SOI_BODY], 0.2);
    else
        u[SOI_BODY] = within(v[SOI_BODY] - v[SOI_DRAIN], before[SOI_BODY] - before[SOI_DRAIN], 0.2) + u[SOI_DRAIN];
    for (int i = 0; i < SOI_VARIABLES; i++)
        if (fabs(u[i] - v[i]) > 1e-12)
            *at->limited = true;
    memcpy(before, u, sizeof u);
    return place_at(u, v);
}

/* ---- a matrix of its own ---- */

/* As own_nodes_gather has them. */
struct sums {
    double value[SOI_NODES], slope[SOI_NODES][SOI_NODES];
};

/* A value from one node to another that the bias gives, times `factor`. */
static void add_value(const struct soi_transistor *t, const struct soi_place *p, int from, int to,
                      const struct soi_value *a, double factor, struct sums *o)
{
    const int source = p->at.reversed ? SOI_INNER_DRAIN : SOI_INNER_SOURCE;
    const int columns[SOI_VARIABLES] = {SOI_INNER_GATE, p->at.reversed ? SOI_INNER_SOURCE : SOI_INNER_DRAIN,
                                        SOI_NODE_BODY, SOI_NODE_SUBSTRATE, SOI_NODE_HEAT};
    const double sign = t->law.sign;
    double value = a->value, rest = 0;
    for (int i = 0; i < SOI_VARIABLES; i++) {
        const double by = factor * (i == SOI_HEAT ? sign : 1) * a->by[i];
        value += a->by[i] * p->shift[i];
        o->slope[from][columns[i]] += by;
        o->slope[to][columns[i]] -= by;
        if (i != SOI_HEAT)
            rest -= by;
    }
    o->slope[from][source] += rest;
    o->slope[to][source] -= rest;
    o->value[from] += sign * factor * value;
    o->value[to] -= sign * factor * value;
}

static void add_pair(int from, int to, double value, double slope, struct sums *o)
{
    o->value[from] += value;
    o->value[to] -= value;
    o->slope[from][from] += slope;
    o->slope[from][to] -= slope;
    o->slope[to][from] -= slope;
    o->slope[to][to] += slope;
}

static void add_conductance(const struct soi_transistor *t, const double *x, int from, int to, double g, struct sums *o)
{
    add_pair(from, to, g * (at_node(t, x, from) - at_node(t, x, to)), g, o);
}

/* ---- currents ---- */

/* The gate's resistance: of the electrode, of the channel by the bias. */
static void add_gate(const struct soi_transistor *t, const double *x, const struct soi_place *p,
                     const struct soi_point *o, struct sums *f)
{
    const double electrode = t->law.gate_conductance, m = t->parallel;
    const int outer = t->gate_law == 3 ? SOI_MIDDLE_GATE : SOI_NODE_GATE;
    struct soi_value channel = o->gate_resistance;
    if (t->gate_law == 1 || t->gate_law == 3)
        add_conductance(t, x, SOI_NODE_GATE, t->gate_law == 3 ? SOI_MIDDLE_GATE : SOI_INNER_GATE, m * electrode, f);
    if (t->gate_law < 2)
        return;
    if (t->gate_law == 2)
        channel = soi_divide(soi_line(electrode, channel, 0), soi_line(1, channel, electrode));
    for (int i = 0; i < SOI_VARIABLES; i++)
        channel.value += channel.by[i] * p->shift[i];
    const double across = at_node(t, x, outer) - at_node(t, x, SOI_INNER_GATE);
    add_conductance(t, x, outer, SOI_INNER_GATE, m * channel.value, f);
    /* The conductance depends on the bias: that part of the current's slopes, whose value at the bias is 0. */
    struct soi_value rest = soi_line(t->law.sign * across, channel, 0);
    rest.value = 0;
    for (int i = 0; i < SOI_VARIABLES; i++)
        rest.value -= rest.by[i] * p->shift[i];
    add_value(t, p, outer, SOI_INNER_GATE, &rest, m, f);
}

static void add_heat(const struct soi_transistor *t, const double *x, const struct soi_place *p,
                     const struct soi_point *o, struct sums *f)
{
    const double m = t->parallel, g = 1 / t->law.heat_resistance;
    struct soi_value power = soi_line(-t->law.sign, o->heat, 0);
    struct sums alone;
    memset(&alone, 0, sizeof alone);
    add_value(t, p, SOI_NODE_HEAT, SOI_INNER_SOURCE, &power, m, &alone);
    f->value[SOI_NODE_HEAT] += alone.value[SOI_NODE_HEAT] + m * g * at_node(t, x, SOI_NODE_HEAT);
    for (int j = 0; j < SOI_NODES; j++)
        f->slope[SOI_NODE_HEAT][j] += alone.slope[SOI_NODE_HEAT][j];
    f->slope[SOI_NODE_HEAT][SOI_NODE_HEAT] += m * g;
}

static void add_currents(const struct soi_transistor *t, const double *x, const struct soi_place *p,
                         const struct soi_point *o, double gmin, struct sums *f)
{
    const int drain = p->at.reversed ? SOI_INNER_SOURCE : SOI_INNER_DRAIN;
    const int source = p->at.reversed ? SOI_INNER_DRAIN : SOI_INNER_SOURCE, body = SOI_NODE_BODY;
    const int from[SOI_CURRENTS] = {drain, drain, source, body, body, SOI_INNER_GATE, SOI_INNER_GATE, SOI_INNER_GATE};
    const int to[SOI_CURRENTS] = {source, body, body, drain, source, body, source, drain};
    for (int i = 0; i < SOI_CURRENTS; i++)
        if (t->law.body != 2 || (from[i] != body && to[i] != body))
            add_value(t, p, from[i], to[i], &o->current[i], t->parallel, f);
    if (t->drain_conductance > 0)
        add_conductance(t, x, SOI_NODE_DRAIN, SOI_INNER_DRAIN, t->drain_conductance, f);
    if (t->source_conductance > 0)
        add_conductance(t, x, SOI_NODE_SOURCE, SOI_INNER_SOURCE, t->source_conductance, f);
    if (t->gate_law > 0)
        add_gate(t, x, p, o, f);
    if (t->contact)
        add_conductance(t, x, SOI_NODE_CONTACT, body, t->parallel * t->law.contact_conductance, f);
    if (t->law.body != 2)
        add_conductance(t, x, body, SOI_INNER_SOURCE, t->gmin_part * gmin, f);
    if (t->law.heats)
        add_heat(t, x, p, o, f);
}

/* ---- charges ---- */

static void add_charges(const struct soi_transistor *t, const double *x, const struct soi_place *p,
                        const struct soi_point *o, struct sums *q)
{
    const int drain = p->at.reversed ? SOI_INNER_SOURCE : SOI_INNER_DRAIN;
    const int source = p->at.reversed ? SOI_INNER_DRAIN : SOI_INNER_SOURCE;
    const int on[SOI_CHARGES] = {SOI_INNER_GATE,     source,        SOI_NODE_BODY,
                                 SOI_NODE_SUBSTRATE, SOI_NODE_BODY, SOI_NODE_BODY};
    const int other[SOI_CHARGES] = {drain, drain, drain, drain, drain, source};
    const int ends[] = {SOI_INNER_DRAIN, SOI_INNER_SOURCE}, gate = t->gate_law == 3 ? SOI_MIDDLE_GATE : SOI_INNER_GATE;
    const double m = t->parallel, sign = t->law.sign;
    double slope;
    for (int i = 0; i < SOI_CHARGES; i++)
        if (t->law.body != 2 || on[i] != SOI_NODE_BODY)
            add_value(t, p, on[i], other[i], &o->charge[i], m, q);
    for (int i = 0; i < 2; i++) {
        const double end = at_node(t, x, ends[i]), v = sign * (at_node(t, x, gate) - end);
        const double charge = soi_overlap(&t->law, i, v, &slope);
        add_pair(gate, ends[i], m * sign * charge, m * slope, q);
        const double bottom = soi_bottom_charge(&t->law, i, end - at_node(t, x, SOI_NODE_SUBSTRATE), &slope);
        add_pair(ends[i], SOI_NODE_SUBSTRATE, m * bottom, m * slope, q);
    }
    add_conductance(t, x, gate, SOI_NODE_SUBSTRATE, m * t->law.substrate_overlap, q);
    if (t->law.heats) {
        q->value[SOI_NODE_HEAT] += m * t->law.heat_capacity * at_node(t, x, SOI_NODE_HEAT);
        q->slope[SOI_NODE_HEAT][SOI_NODE_HEAT] += m * t->law.heat_capacity;
    }
}

/* ---- the equations ---- */

/* An instance where it stands. */
struct evaluated {
    const struct soi_transistor *t;
    struct soi_place place;
    struct soi_point point;
};

static void gather(const void *instance, const struct device_point *at, bool charges, double *sums)
{
    const struct evaluated *e = instance;
    struct sums *s = (struct sums *)sums;
    if (charges)
        add_charges(e->t, at->x, &e->place, &e->point, s);
    else
        add_currents(e->t, at->x, &e->place, &e->point, at->gmin, s);
}

static struct own_nodes nodes_of(const struct soi_transistor *t)
{
    return (struct own_nodes){SOI_NODES, t->unknowns, t->same, t->slots[0]};
}

/* Whether the kept tangent answers. */
static bool answers(struct soi_transistor *t, const struct device_point *at, const struct device_stamp *out)
{
    const struct own_nodes nodes = nodes_of(t);
    if (!own_tangent_answers(&nodes, &t->tangent, at))
        return false;
    find_voltages(t, at->x, t->previous);
    own_tangent_add(&nodes, &t->tangent, at->x, at->what, 1, out);
    return true;
}

static void evaluate_one(struct soi_transistor *t, const struct device_point *at, const struct device_stamp *out)
{
    const struct own_nodes nodes = nodes_of(t);
    struct evaluated e = {.t = t, .place = limited_place(t, at)};
    soi_evaluate(&t->law, &e.place.at, at->what & (EVALUATE_Q | EVALUATE_C), &e.point);
    own_tangent_give(&nodes, gather, &e, at, is_exact(&e.place), &t->tangent, out);
}

void soi_eval(void *batch, const struct device_point *at, const struct device_stamp *out)
{
    struct soi_batch *b = batch;
    for (size_t a = 0; a < b->all.base.active_count; a++) {
        const size_t k = b->all.base.active[a];
        const bool near = answers(&b->transistors[k], at, out);
        batch_count_calm(&b->all.base, k, near);
        if (!near)
            evaluate_one(&b->transistors[k], at, out);
    }
}

size_t soi_ends(const void *batch, size_t k, int unknowns[DEVICE_MOST_ENDS])
{
    const struct own_nodes nodes = nodes_of(&((const struct soi_batch *)batch)->transistors[k]);
    return own_nodes_ends(&nodes, unknowns);
}

void soi_tangent(const void *batch, size_t k, double gmin, double sign, const struct device_stamp *out)
{
    (void)gmin; /* in the kept one */
    const struct soi_transistor *t = &((const struct soi_batch *)batch)->transistors[k];
    const struct own_nodes nodes = nodes_of(t);
    own_tangent_add(&nodes, &t->tangent, NULL, EVALUATE_ALL, sign, out);
}

/* ---- what others ask ---- */

bool soi_initial(const void *batch, size_t k, struct initial_list *list)
{
    const struct soi_batch *b = batch;
    const struct soi_transistor *t = &b->transistors[k];
    const int rows[] = {MOSFET_ICVDS, MOSFET_ICVGS, MOSFET_ICVBS, SOI_ICVES, SOI_ICVPS};
    const int nodes[] = {SOI_NODE_DRAIN, SOI_NODE_GATE, SOI_NODE_BODY, SOI_NODE_SUBSTRATE, SOI_NODE_CONTACT};
    bool good = true;
    for (int i = 0; good && i < 5; i++)
        good = t->unknowns[nodes[i]] < 0 || instance_add_initial(&b->all, k, (size_t)rows[i], t->unknowns[nodes[i]],
                                                                 t->unknowns[SOI_NODE_SOURCE], list);
    return good;
}

/* What leaves all nodes, inner ones among them, into the transistor. */
static void find_flows(const struct soi_transistor *t, const struct device_probe *at, double into[SOI_NODES])
{
    const struct own_nodes nodes = nodes_of(t);
    struct evaluated e = {.t = t, .place = soi_place_of(t, at->x)};
    soi_evaluate(&t->law, &e.place.at, true, &e.point);
    own_nodes_flow(&nodes, gather, &e, at, into);
}

/* What leaves the node of a terminal into the transistor, with other nodes inside that are the same. */
double soi_current_into(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct soi_transistor *t = &((const struct soi_batch *)batch)->transistors[k];
    /* the order of the card: what lies behind the substrate depends on how many nodes it names */
    const int node = terminal, inner[] = {SOI_INNER_DRAIN, SOI_INNER_GATE, SOI_INNER_SOURCE};
    struct device_flows own;
    if (node >= SOI_TERMINALS || t->unknowns[node] < 0)
        return 0;
    struct device_flows *const kept = device_flows(at, t, &own);
    if (!kept->known)
        find_flows(t, at, kept->into);
    double sum = 0;
    for (int i = 0; i < SOI_NODES; i++) {
        const bool collapsed = node < 3 && i == inner[node] && t->unknowns[i] == t->unknowns[node];
        const bool middle = node == SOI_NODE_GATE && i == SOI_MIDDLE_GATE && t->gate_law == 0;
        const bool body = node == SOI_NODE_CONTACT && i == SOI_NODE_BODY && t->unknowns[i] == t->unknowns[node];
        sum += i == node || collapsed || middle || body ? kept->into[i] : 0;
    }
    return sum;
}
