/* heated_vdmos.c - M with a model of type vdmos and the word thermal: a power MOSFET that heats itself, as in ngspice.
 *
 * Behind drain, gate and source stand nodes for junction and case, whose voltages are temperatures in degrees Celsius.
 * What channel, body diode and all resistances turn into heat flows into the junction as a current:
 *     cthj d(tj)/dt + (tj - tc)/rthjc = power,   (tj - tc)/rthjc = (tc - surroundings)/rthca + what is connected to tc,
 * with m transistors in parallel m times as much of each.  The law is that of vdmos.c at the temperature of the junction,
 * with its exact derivatives by that (number.h); the surroundings have the temperature of the element.
 */
#include "devices/families.h"
#include "devices/incidence.h"
#include "devices/junction/heat.h"
#include "devices/power/vdmos_law.h"
#include "devices/semiconductor/fet_quantities.h"

enum {
    DRAIN,
    GATE,
    SOURCE,
    JUNCTION,
    CASE,
    INNER_DRAIN,
    INNER_GATE,
    INNER_SOURCE,
    BODY,
    NODES,
    TERMINALS = INNER_DRAIN
};

struct heated_vdmos {
    struct fet frame; /* for its nodes; it has no entries of its own */
    int unknowns[NODES], same[NODES], slots[NODES][NODES];
    struct vdmos_gate gate;
    struct thermal ambient;
    double shunt, to_case, to_air; /* S, W/K; to_case 0: no heat */
    double stored;                 /* Ws/K */
    struct fet_voltages before;    /* of the evaluation before, for limiting */
    double body_before, warmth;
};

struct heated_batch {
    struct instances all;
    struct heated_vdmos *items; /* [count] */
};

/* A transistor where it is evaluated, and how far the point is from there. */
struct evaluated {
    const struct heated_vdmos *t;
    double gmin;
    struct fet_voltages at, far;
    double body, body_far, warmer; /* V, V, K */
    struct warm_vdmos_law law;
    struct warm_fet_value channel;
    warm_number current, conductance, charge, capacitance; /* of the body diode */
};

/* ---- set-up ---- */

static enum kn_status fill(void *batch, const struct device_input *in)
{
    static const struct instance_array arrays[] = {INSTANCE_ARRAY(heated_batch, items)};
    struct heated_batch *b = batch;
    const enum kn_status status = instances_read(&b->all, in);
    return status == KN_ERROR_MEMORY || !instances_allocate(&b->all, arrays, 1) ? KN_ERROR_MEMORY : status;
}

static bool number(void *batch, size_t k, struct device_setup *s)
{
    struct heated_batch *b = batch;
    struct heated_vdmos *t = &b->items[k];
    const struct element *e = b->all.base.elements[k];
    const double *p = b->all.model[k], m = b->all.own[k][VDMOS_OWN_M];
    t->frame.sign = vdmos_sign(e, p);
    vdmos_find_series(p, b->all.model_given[k], m, t->frame.series);
    if (!fet_number(&t->frame, e, s))
        return false;
    for (int i = 0; i < TERMINALS; i++)
        t->unknowns[i] = setup_node(s, e->nodes[i]);
    for (int i = 0; i < FET_NODES; i++)
        t->unknowns[INNER_DRAIN + i] = t->frame.inner[i];
    t->unknowns[BODY] = instance_inner_node(s, e, p[VDMOS_RB] > 0, t->unknowns[SOURCE], "body");
    t->gate = vdmos_gate_of(p, m);
    t->shunt = m / p[VDMOS_RDS];
    t->to_case = b->all.own[k][VDMOS_OWN_THERMAL] != 0 && p[VDMOS_RTHJC] > 0 ? m / p[VDMOS_RTHJC] : 0;
    t->to_air = m / p[VDMOS_RTHCA];
    t->stored = m * p[VDMOS_CTHJ];
    return t->unknowns[BODY] >= 0;
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    struct heated_vdmos *t = &((struct heated_batch *)batch)->items[k];
    return own_nodes_connect(s, NODES, t->unknowns, t->same, t->slots[0]);
}

static void prepare(void *batch, size_t k, double temperature)
{
    struct heated_batch *b = batch;
    b->items[k].ambient = instance_thermal(&b->all, k, temperature, VDMOS_OWN_TEMP, VDMOS_OWN_DTEMP, VDMOS_TNOM);
}

/* ---- the bias ---- */

static double body_voltage(const struct heated_vdmos *t, const double *x)
{
    return t->frame.sign * (x[t->unknowns[BODY]] - x[t->unknowns[DRAIN]]);
}

/* Of the junction above the surroundings. */
static double rise_at(const struct heated_vdmos *t, const double *x)
{
    return t->to_case > 0 ? x[t->unknowns[JUNCTION]] - (t->ambient.kelvin - DEVICE_KELVIN) : 0;
}

static struct evaluated evaluate(const struct heated_batch *b, size_t k, const double *x, struct fet_voltages v,
                                 double body, double rise)
{
    const struct heated_vdmos *t = &b->items[k];
    const double *p = b->all.model[k], m = b->all.own[k][VDMOS_OWN_M];
    const warm_number kelvin = heat_number(t->ambient.kelvin + rise, t->to_case > 0);
    const struct warm_thermal hot = warm_thermal_of(kelvin - DEVICE_KELVIN, t->ambient.nominal - DEVICE_KELVIN);
    const struct fet_voltages there = fet_voltages_at(&t->frame, x);
    struct evaluated e = {.t = t, .at = v, .body = body, .far = {there.gs - v.gs, there.ds - v.ds}};
    const struct warm_diode_law law = warm_vdmos_body_at(p, m, &hot);
    e.body_far = body_voltage(t, x) - body;
    e.warmer = rise_at(t, x) - rise;
    e.law = warm_vdmos_law_at(p, b->all.model_given[k], m, t->frame.sign, &hot);
    e.channel = warm_vdmos_channel(&e.law, v);
    e.current = warm_diode_current(&law, body, &e.conductance);
    e.charge = warm_diode_charge(&law, body, e.current, e.conductance, &e.capacitance);
    return e;
}

static struct evaluated evaluate_limited(struct heated_batch *b, size_t k, const struct device_point *at)
{
    struct heated_vdmos *t = &b->items[k];
    const double *p = b->all.model[k], m = b->all.own[k][VDMOS_OWN_M], kelvin = t->ambient.kelvin;
    const struct fet_voltages v = fet_voltages_at(&t->frame, at->x);
    const double body = body_voltage(t, at->x), rise = rise_at(t, at->x);
    if (!at->limit)
        return evaluate(b, k, at->x, v, body, rise);
    const double warmth = at->first ? rise_at(t, at->x_reference) : t->warmth;
    const struct thermal hot = thermal_of(fmax(kelvin + warmth, 1) - DEVICE_KELVIN, t->ambient.nominal - DEVICE_KELVIN);
    const struct vdmos_law law = vdmos_law_at(p, b->all.model_given[k], m, t->frame.sign, &hot);
    const struct diode_law diode = vdmos_body_at(p, m, &hot);
    t->before =
        fet_limit_insulated(v, at->first ? fet_voltages_at(&t->frame, at->x_reference) : t->before, law.threshold);
    t->body_before = diode_limit(&diode, body, at->first ? body_voltage(t, at->x_reference) : t->body_before);
    t->warmth = heat_limit(kelvin, rise, warmth);
    if (t->before.gs != v.gs || t->before.ds != v.ds || t->body_before != body || t->warmth != rise)
        *at->limited = true;
    return evaluate(b, k, at->x, t->before, t->body_before, t->warmth);
}

/* ---- the equations ---- */

struct sums {
    double value[NODES], slope[NODES][NODES];
};

/* What is exact in two voltages and the temperature: between which nodes the voltages lie, and the slopes by them. */
struct flow {
    int from, to;                 /* where it flows */
    double value;                 /* at the point */
    int plus[2], minus[2];        /* whose differences it depends on */
    double by[2], by_temperature; /* as currents of the circuit by voltages of it */
};

/* `power`: a heat, into the junction. */
static void add_flow(const struct flow *w, double weight, int row, struct sums *o)
{
    o->value[row] += weight * w->value;
    for (int i = 0; i < 2; i++) {
        o->slope[row][w->plus[i]] += weight * w->by[i];
        o->slope[row][w->minus[i]] -= weight * w->by[i];
    }
    o->slope[row][JUNCTION] += weight * w->by_temperature;
}

static void add_between(const struct flow *w, struct sums *o)
{
    add_flow(w, 1, w->from, o);
    add_flow(w, -1, w->to, o);
}

static double across(const struct evaluated *e, const double *x, int plus, int minus)
{
    return x[e->t->unknowns[plus]] - x[e->t->unknowns[minus]];
}

/* A resistance and its heat.  `slope`: of its conductance by the voltage drain to source. */
static void add_resistance(const struct evaluated *e, const double *x, int from, int to, warm_number conductance,
                           double slope, struct sums *f)
{
    if (e->t->unknowns[from] == e->t->unknowns[to])
        return;
    const double heats = e->t->to_case > 0, v = across(e, x, from, to);
    const double by_t = warm_slope(conductance), g = creal(conductance) + by_t * e->warmer;
    const struct flow current = {from, to, g * v, {from, DRAIN}, {to, SOURCE}, {g, slope * v}, by_t * v};
    const struct flow heat = {0, 0, g * v * v, {from, DRAIN}, {to, SOURCE}, {2 * g * v, slope * v * v}, by_t * v * v};
    add_between(&current, f);
    add_flow(&heat, -heats, JUNCTION, f);
}

static void add_resistances(const struct evaluated *e, const double *x, struct sums *f)
{
    const double sign = e->t->frame.sign;
    double slope;
    const warm_number drain = warm_vdmos_drain(&e->law, sign * across(e, x, DRAIN, SOURCE), &slope);
    add_resistance(e, x, DRAIN, INNER_DRAIN, drain, sign * slope, f);
    add_resistance(e, x, GATE, INNER_GATE, e->law.gate, 0, f);
    add_resistance(e, x, SOURCE, INNER_SOURCE, e->law.source, 0, f);
    add_resistance(e, x, SOURCE, BODY, e->law.body, 0, f);
    add_resistance(e, x, DRAIN, SOURCE, e->t->shunt, 0, f);
}

static void add_channel(const struct evaluated *e, struct sums *f)
{
    const double sign = e->t->frame.sign, heats = e->t->to_case > 0, vds = e->at.ds;
    const double i = creal(e->channel.value), gm = creal(e->channel.gs), gds = creal(e->channel.ds);
    const double by_t = warm_slope(e->channel.value);
    const double there = i + gm * e->far.gs + gds * e->far.ds + by_t * e->warmer;
    const double power = i * vds + gm * vds * e->far.gs + (gds * vds + i) * e->far.ds + by_t * vds * e->warmer;
    const struct flow current = {
        INNER_DRAIN, INNER_SOURCE, sign * there, {INNER_GATE, INNER_DRAIN}, {INNER_SOURCE, INNER_SOURCE},
        {gm, gds},   sign * by_t};
    const struct flow heat = {0,
                              0,
                              power,
                              {INNER_GATE, INNER_DRAIN},
                              {INNER_SOURCE, INNER_SOURCE},
                              {sign * gm * vds, sign * (gds * vds + i)},
                              by_t * vds};
    add_between(&current, f);
    add_flow(&heat, -heats, JUNCTION, f);
}

static void add_body(const struct evaluated *e, struct sums *f)
{
    const double sign = e->t->frame.sign, heats = e->t->to_case > 0, u = e->body, v = u + e->body_far;
    const double i = creal(e->current), g = creal(e->conductance), by_t = warm_slope(e->current);
    const double there = i + g * e->body_far + by_t * e->warmer + e->gmin * v;
    const double power = u * i + (i + u * g) * e->body_far + u * by_t * e->warmer + e->gmin * v * v;
    const struct flow current = {BODY, DRAIN, sign * there, {BODY, BODY}, {DRAIN, BODY}, {g + e->gmin, 0}, sign * by_t};
    const struct flow heat = {0,       0, power, {BODY, BODY}, {DRAIN, BODY}, {sign * (i + u * g + 2 * e->gmin * v), 0},
                              u * by_t};
    add_between(&current, f);
    add_flow(&heat, -heats, JUNCTION, f);
}

/* Without heat both temperatures are those of the surroundings. */
static void add_leads(const struct evaluated *e, const double *x, struct sums *f)
{
    const double out = e->t->to_case > 0 ? e->t->to_case : 1, on = e->t->to_air;
    const double warmer = across(e, x, JUNCTION, CASE), air = e->t->ambient.kelvin - DEVICE_KELVIN;
    const struct flow inside = {JUNCTION, CASE, out * warmer, {JUNCTION, CASE}, {CASE, CASE}, {out, 0}, 0};
    add_between(&inside, f);
    f->value[CASE] += on * (x[e->t->unknowns[CASE]] - air);
    f->slope[CASE][CASE] += on;
}

static void add_charges(const struct evaluated *e, const double *x, struct sums *q)
{
    const struct heated_vdmos *t = e->t;
    const double sign = t->frame.sign, gate_drain = e->at.gs - e->at.ds;
    double c;
    const double stored = vdmos_drain_charge(&t->gate, gate_drain, &c) + c * (e->far.gs - e->far.ds);
    const double by_t = warm_slope(e->charge), body = creal(e->capacitance);
    const struct flow source = {INNER_GATE,
                                INNER_SOURCE,
                                sign * t->gate.source * (e->at.gs + e->far.gs),
                                {INNER_GATE, INNER_GATE},
                                {INNER_SOURCE, INNER_GATE},
                                {t->gate.source, 0},
                                0};
    const struct flow drain = {
        INNER_GATE, INNER_DRAIN, sign * stored, {INNER_GATE, INNER_GATE}, {INNER_DRAIN, INNER_GATE}, {c, 0}, 0};
    const double diode = creal(e->charge) + body * e->body_far + by_t * e->warmer;
    const struct flow junction = {BODY, DRAIN, sign * diode, {BODY, BODY}, {DRAIN, BODY}, {body, 0}, sign * by_t};
    add_between(&source, q);
    add_between(&drain, q);
    add_between(&junction, q);
    q->value[JUNCTION] += t->stored * x[t->unknowns[JUNCTION]];
    q->slope[JUNCTION][JUNCTION] += t->stored;
}

static void gather(const void *instance, const struct device_point *at, bool charges, double *sums)
{
    const struct evaluated *e = instance;
    struct sums *o = (struct sums *)sums;
    if (charges) {
        add_charges(e, at->x, o);
        return;
    }
    add_channel(e, o);
    add_body(e, o);
    add_resistances(e, at->x, o);
    add_leads(e, at->x, o);
}

static void eval(void *batch, const struct device_point *at, const struct device_stamp *out)
{
    struct heated_batch *b = batch;
    for (size_t k = 0; k < b->all.base.count; k++) {
        const struct heated_vdmos *t = &b->items[k];
        const struct own_nodes nodes = {NODES, t->unknowns, t->same, t->slots[0]};
        struct evaluated e = evaluate_limited(b, k, at);
        e.gmin = at->gmin;
        own_nodes_give(&nodes, gather, &e, at, out);
    }
}

/* ---- what others ask ---- */

static struct evaluated probe(const struct heated_batch *b, size_t k, const struct device_probe *at)
{
    const struct heated_vdmos *t = &b->items[k];
    struct evaluated e =
        evaluate(b, k, at->x, fet_voltages_at(&t->frame, at->x), body_voltage(t, at->x), rise_at(t, at->x));
    e.gmin = at->gmin;
    return e;
}

/* Into junction and case flow powers. */
static double current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    static const int owner[NODES] = {DRAIN, GATE, SOURCE, JUNCTION, CASE, DRAIN, GATE, SOURCE, SOURCE};
    const struct heated_batch *b = batch;
    const struct evaluated e = probe(b, k, at);
    const struct own_nodes nodes = {NODES, e.t->unknowns, e.t->same, e.t->slots[0]};
    double into[NODES];
    own_nodes_flow(&nodes, gather, &e, at, into);
    double sum = 0;
    for (int i = 0; i < NODES; i++) {
        if (owner[i] != terminal || (i != terminal && e.t->same[i] == i))
            continue;
        sum += into[i];
    }
    return sum;
}

enum { Q_ID, Q_IG, Q_IS, Q_VGS, Q_VDS, Q_VTH, Q_GM, Q_GDS, Q_TEMP, Q_COUNT };

static const struct quantity_info quantity_rows[Q_COUNT] = {
    FET_QUANTITIES(Q_),
    [Q_IG] = {"ig", NULL, "A", "current into the gate"},
    [Q_VTH] = {"vth", "von", "V", "threshold of the gate against the end that acts as source"},
    [Q_GM] = {"gm", NULL, "S", "d id / d vgs of the channel"},
    [Q_GDS] = {"gds", NULL, "S", "d id / d vds of the channel"},
    [Q_TEMP] = {"temp", "tj", "degC", "temperature of the junction"},
};

static void observe(const void *batch, size_t k, const struct device_probe *at, double *values)
{
    const struct heated_batch *b = batch;
    const struct evaluated e = probe(b, k, at);
    const double sign = e.t->frame.sign;
    values[Q_ID] = current(batch, k, DRAIN, at);
    values[Q_IG] = current(batch, k, GATE, at);
    values[Q_IS] = current(batch, k, SOURCE, at);
    values[Q_VGS] = sign * e.at.gs;
    values[Q_VDS] = sign * e.at.ds;
    values[Q_VTH] = sign * creal(e.law.threshold);
    values[Q_GM] = creal(e.channel.gs);
    values[Q_GDS] = creal(e.channel.ds);
    values[Q_TEMP] = e.t->ambient.kelvin + rise_at(e.t, at->x) - DEVICE_KELVIN;
}

static bool noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list)
{
    const struct heated_batch *b = batch;
    const struct evaluated e = probe(b, k, at);
    double slope;
    const double v = e.t->frame.sign * across(&e, at->x, DRAIN, SOURCE);
    const struct vdmos_noise n = {.series = {[FET_DRAIN] = creal(warm_vdmos_drain(&e.law, v, &slope)),
                                             [FET_GATE] = creal(e.law.gate),
                                             [FET_SOURCE] = creal(e.law.source)},
                                  .body_series = creal(e.law.body),
                                  .shunt = e.t->shunt,
                                  .channel = creal(e.channel.value),
                                  .gm = creal(e.channel.gs),
                                  .body = creal(e.current) + at->gmin * e.body,
                                  .kelvin = e.t->ambient.kelvin + rise_at(e.t, at->x),
                                  .body_anode = e.t->unknowns[BODY]};
    return vdmos_add_noise(&e.t->frame, b->all.model[k], b->all.own[k][VDMOS_OWN_M], &n, list);
}

static bool initial(const void *batch, size_t k, struct initial_list *list)
{
    const struct heated_batch *b = batch;
    const int *u = b->items[k].unknowns;
    return instance_add_initial(&b->all, k, VDMOS_OWN_ICVDS, u[DRAIN], u[SOURCE], list) &&
           instance_add_initial(&b->all, k, VDMOS_OWN_ICVGS, u[GATE], u[SOURCE], list);
}

const struct device_class heated_vdmos_class = {
    .kind =
        {
            ELEMENT_KIND('m', "power MOSFET that heats itself", "drain gate source junction case", "model thermal",
                         CARD_MODEL),
            .short_noun = "heated-vdmos",
            .quantities = {quantity_rows, Q_COUNT},
            .instance = {vdmos_instance_rows, VDMOS_OWN_COUNT, NULL},
            .model = {vdmos_model_rows, VDMOS_MODEL_COUNT, vdmos_without_meaning},
            .types = vdmos_types,
        },
    FILLED_BATCH(struct heated_batch, fill),
    .number = number,
    .connect = connect,
    .prepare = prepare,
    .eval = eval,
    .current = current,
    .initial = initial,
    .observe = observe,
    .noise = noise,
};
