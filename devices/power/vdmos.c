/* vdmos.c - M with a model of type vdmos: the vertical power MOSFET of LTspice and ngspice.
 *
 * Between inner drain, gate and source, for vds >= 0 (drain and source change places otherwise):
 *     u = k ln(1 + e^((vgs - vto - shift)/k)),   w = mtriode vds,
 *     b = Kp (1 + lambda vds)/(1 + theta max(vgs - vto, 0))
 *     i = b u^2/2 for u <= w,   b w (u - w/2) otherwise
 * Cgs is constant; the charge between gate and drain is the integral of
 *     Cgd = s tanh(a v) + y for v = vgd > 0,  s atan(a v) + y below,  s = (Cgdmax - Cgdmin)/(1 + pi/2), y = Cgdmax - s.
 * From source to drain, outside Rs and Rd, lie the body diode with Rb in series, and the resistance Rds.  With rq and vq,
 * Rd grows by rq v/(v + |vq|), v = vds outside (quasi-saturation, d'Alessandro, Frisina and Rinaldi, EPE 2001).
 * Sources: LTspice's help, M; ngspice manual, 11.8 (the forms of u, Cgd and Rd are those of ngspice 39).  Noise: all
 * resistances, 4 k T (2/3) gm of the channel, flicker Kf |id|^Af/(f Cox^2) with Cox of 100 nm oxide, as in ngspice.
 */
#include "devices/families.h"
#include "devices/incidence.h"
#include "devices/power/vdmos_law.h"
#include "devices/semiconductor/fet_quantities.h"
#include "devices/semiconductor/pair_diode.h"
#include "knoten.h"

#include <float.h>
#include <string.h>

/* What fet.h asks for. */
struct vdmos_whole {
    struct vdmos_law law;
    struct vdmos_gate gate;
};

struct vdmos {
    struct fet frame; /* series[FET_DRAIN] is that of Rd alone */
    struct vdmos_whole whole;
    struct pair_diode body; /* its anode is the source, or a node of its own behind Rb */
    double shunt;
    int body_series_slots[4], shunt_slots[4], quasi_slots[4];
};

struct vdmos_batch {
    struct instances all;
    struct vdmos *items; /* [count] */
};

/* ---- the transistor's law ---- */

static void currents(const void *object, struct fet_voltages v, double gmin, struct fet_ends *out)
{
    const struct vdmos_whole *t = object;
    (void)gmin; /* it lies across the body diode only */
    out->drain = vdmos_channel(&t->law, v);
    out->source = (struct fet_value){-out->drain.value, -out->drain.gs, -out->drain.ds};
}

static void charges(const void *object, struct fet_voltages v, struct fet_ends *out)
{
    const struct vdmos_whole *t = object;
    double c;
    *out = (struct fet_ends){{0, 0, 0}, {0, 0, 0}};
    fet_add_gate_source(out, t->gate.source * v.gs, t->gate.source);
    const double q = vdmos_drain_charge(&t->gate, v.gs - v.ds, &c);
    fet_add_gate_drain(out, q, c);
}

static double threshold(const void *object)
{
    return ((const struct vdmos_whole *)object)->law.threshold;
}

static const struct fet_family family = {currents, charges, threshold, NULL};

/* ---- set-up ---- */

static const struct instance_array arrays[] = {INSTANCE_ARRAY(vdmos_batch, items)};

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct vdmos_batch *b = batch;
    const enum kn_status status = instances_read(&b->all, in);
    return status == KN_ERROR_MEMORY || !instances_allocate(&b->all, arrays, 1) ? KN_ERROR_MEMORY : status;
}

static enum kn_status make(void *batch, size_t k, const struct device_input *in)
{
    struct vdmos_batch *b = batch;
    struct vdmos *t = &b->items[k];
    const double *p = b->all.model[k], m = b->all.own[k][VDMOS_OWN_M];
    t->frame.sign = vdmos_sign(in->elements[k], p);
    vdmos_find_series(p, b->all.model_given[k], m, t->frame.series);
    t->whole.law.added = p[VDMOS_RQ] > 0 && b->all.model_given[k][VDMOS_VQ];
    return KN_OK;
}

static bool number(void *batch, size_t k, struct device_setup *s)
{
    struct vdmos_batch *b = batch;
    struct vdmos *t = &b->items[k];
    const struct element *e = b->all.base.elements[k];
    if (!fet_number(&t->frame, e, s))
        return false;
    t->body.sign = t->frame.sign;
    t->body.cathode = t->frame.outer[FET_DRAIN];
    t->body.anode = instance_inner_node(s, e, b->all.model[k][VDMOS_RB] > 0, t->frame.outer[FET_SOURCE], "body");
    return t->body.anode >= 0;
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    struct vdmos *t = &((struct vdmos_batch *)batch)->items[k];
    const int d = t->frame.outer[FET_DRAIN], source = t->frame.outer[FET_SOURCE], inner = t->frame.inner[FET_DRAIN];
    return fet_connect(&t->frame, s) && pair_diode_connect(&t->body, s) && setup_pair(s, d, source, t->shunt_slots) &&
           (t->body.anode == source || setup_pair(s, source, t->body.anode, t->body_series_slots)) &&
           (t->whole.law.added == 0 ||
            (setup_entry(s, d, d, &t->quasi_slots[0]) && setup_entry(s, d, source, &t->quasi_slots[1]) &&
             setup_entry(s, inner, d, &t->quasi_slots[2]) && setup_entry(s, inner, source, &t->quasi_slots[3])));
}

static void prepare(void *batch, size_t k, double temperature)
{
    struct vdmos_batch *b = batch;
    struct vdmos *t = &b->items[k];
    const double *p = b->all.model[k], m = b->all.own[k][VDMOS_OWN_M];
    const struct thermal at = instance_thermal(&b->all, k, temperature, VDMOS_OWN_TEMP, VDMOS_OWN_DTEMP, VDMOS_TNOM);
    t->whole = (struct vdmos_whole){vdmos_law_at(p, b->all.model_given[k], m, t->frame.sign, &at), vdmos_gate_of(p, m)};
    t->body.law = vdmos_body_at(p, m, &at);
    t->frame.series[FET_DRAIN] = t->whole.law.drain;
    t->frame.series[FET_GATE] = t->whole.law.gate;
    t->frame.series[FET_SOURCE] = t->whole.law.source;
    t->shunt = m / p[VDMOS_RDS];
}

static void stamp(const void *batch, double *G, double *C)
{
    const struct vdmos_batch *b = batch;
    (void)C;
    for (size_t k = 0; k < b->all.base.count; k++) {
        const struct vdmos *t = &b->items[k];
        struct fet constant = t->frame;
        if (t->whole.law.added > 0)
            constant.inner[FET_DRAIN] = constant.outer[FET_DRAIN]; /* no Rd: it changes with the bias, rq */
        fet_stamp(&constant, G);
        pair_stamp(t->shunt_slots, t->shunt, G);
        if (t->body.anode != t->frame.outer[FET_SOURCE])
            pair_stamp(t->body_series_slots, t->whole.law.body, G);
    }
}

/* ---- evaluation ---- */

static double drain_conductance(const struct vdmos *t, const double *x, double *slope)
{
    const double v = t->frame.sign * (x[t->frame.outer[FET_DRAIN]] - x[t->frame.outer[FET_SOURCE]]);
    return vdmos_drain(&t->whole.law, v, slope);
}

static void eval_drain(const struct vdmos *t, const struct device_point *at, const struct device_stamp *out)
{
    const int d = t->frame.outer[FET_DRAIN], inner = t->frame.inner[FET_DRAIN];
    double slope;
    const double v = at->x[d] - at->x[inner], g = drain_conductance(t, at->x, &slope);
    if (at->what & EVALUATE_F) {
        out->f[d] += g * v;
        out->f[inner] -= g * v;
    }
    if (!(at->what & EVALUATE_G))
        return;
    pair_stamp(t->frame.series_slots[FET_DRAIN], g, out->G);
    pair_stamp(t->quasi_slots, t->frame.sign * slope * v, out->G);
}

static void eval(void *batch, const struct device_point *at, const struct device_stamp *out)
{
    struct vdmos_batch *b = batch;
    for (size_t k = 0; k < b->all.base.count; k++) {
        struct vdmos *t = &b->items[k];
        fet_eval(&family, &t->frame, &t->whole, at, out);
        pair_diode_eval(&t->body, at, out);
        if (t->whole.law.added > 0)
            eval_drain(t, at, out);
    }
}

/* ---- what others ask ---- */

/* Through body diode and shunt: out of the drain, into the source. */
static double beside_channel(const struct vdmos *t, int terminal, const struct device_probe *at)
{
    const int source = t->frame.outer[FET_SOURCE];
    const double shunt = t->shunt * (at->x[source] - at->x[t->frame.outer[FET_DRAIN]]);
    if (terminal == FET_SOURCE && t->body.anode != source)
        return t->whole.law.body * (at->x[source] - at->x[t->body.anode]) + shunt;
    return pair_diode_flow(&t->body, at) + shunt;
}

static double current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct vdmos *t = &((const struct vdmos_batch *)batch)->items[k];
    const int d = t->frame.outer[FET_DRAIN], inner = t->frame.inner[FET_DRAIN];
    double slope;
    if (terminal >= FET_NODES)
        return 0; /* the substrate of a card with four nodes, which is not connected */
    const double i = terminal == FET_DRAIN && t->whole.law.added > 0
                         ? drain_conductance(t, at->x, &slope) * (at->x[d] - at->x[inner])
                         : fet_current(&family, &t->frame, &t->whole, terminal, at);
    const double beside = terminal == FET_GATE ? 0 : beside_channel(t, terminal, at);
    return terminal == FET_DRAIN ? i - beside : i + beside;
}

enum { Q_REGION, Q_ID, Q_IG, Q_IS, Q_VGS, Q_VDS, Q_VTH, Q_GM, Q_GDS, Q_CGS, Q_CGD, Q_CDS, Q_IBODY, Q_COUNT };

static const struct quantity_info quantity_rows[Q_COUNT] = {
    [Q_REGION] = FET_REGION,
    FET_QUANTITIES(Q_),
    [Q_IG] = {"ig", NULL, "A", "current into the gate"},
    [Q_VTH] = {"vth", "von", "V", "threshold of the gate against the end that acts as source"},
    [Q_GM] = {"gm", NULL, "S", "d id / d vgs of the channel"},
    [Q_GDS] = {"gds", NULL, "S", "d id / d vds of the channel"},
    [Q_CGS] = {"cgs", NULL, "F", "gate-source capacitance"},
    [Q_CGD] = {"cgd", NULL, "F", "gate-drain capacitance"},
    [Q_CDS] = {"cds", "cbd", "F", "capacitance of the body diode"},
    [Q_IBODY] = {"idio", NULL, "A", "current of body diode and Rds, out of the drain"},
};

static void observe(const void *batch, size_t k, const struct device_probe *at, double *values)
{
    const struct vdmos *t = &((const struct vdmos_batch *)batch)->items[k];
    const struct fet_voltages v = fet_voltages_at(&t->frame, at->x);
    const struct fet_value i = vdmos_channel(&t->whole.law, v);
    const double over = v.gs - fmin(v.ds, 0) - t->whole.law.threshold, body = pair_diode_voltage(&t->body, at->x);
    double g;
    values[Q_ID] = current(batch, k, FET_DRAIN, at);
    values[Q_IG] = current(batch, k, FET_GATE, at);
    values[Q_IS] = current(batch, k, FET_SOURCE, at);
    values[Q_REGION] = over <= 0 ? KN_OFF : t->whole.law.triode * fabs(v.ds) < over ? KN_LINEAR : KN_SATURATION;
    values[Q_VGS] = t->frame.sign * v.gs;
    values[Q_VDS] = t->frame.sign * v.ds;
    values[Q_VTH] = t->frame.sign * t->whole.law.threshold;
    values[Q_GM] = i.gs;
    values[Q_GDS] = i.ds;
    values[Q_CGS] = t->whole.gate.source;
    vdmos_drain_charge(&t->whole.gate, v.gs - v.ds, &values[Q_CGD]);
    const double diode = diode_current(&t->body.law, body, &g);
    diode_charge(&t->body.law, body, diode, g, &values[Q_CDS]);
    values[Q_IBODY] = beside_channel(t, FET_DRAIN, at);
}

static bool noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list)
{
    const struct vdmos_batch *b = batch;
    const struct vdmos *t = &b->items[k];
    const struct fet_value i = vdmos_channel(&t->whole.law, fet_voltages_at(&t->frame, at->x));
    const double v = pair_diode_voltage(&t->body, at->x);
    double slope, g;
    const struct vdmos_noise n = {.series = {[FET_DRAIN] = drain_conductance(t, at->x, &slope),
                                             [FET_GATE] = t->frame.series[FET_GATE],
                                             [FET_SOURCE] = t->frame.series[FET_SOURCE]},
                                  .body_series = t->whole.law.body,
                                  .shunt = t->shunt,
                                  .channel = i.value,
                                  .gm = i.gs,
                                  .body = diode_current(&t->body.law, v, &g) + at->gmin * v,
                                  .kelvin = b->all.kelvin[k],
                                  .body_anode = t->body.anode};
    return vdmos_add_noise(&t->frame, b->all.model[k], b->all.own[k][VDMOS_OWN_M], &n, list);
}

static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    const struct vdmos *t = &((const struct vdmos_batch *)batch)->items[k];
    const struct element *e = t->frame.element;
    const int d = t->frame.outer[FET_DRAIN], source = t->frame.outer[FET_SOURCE];
    const struct branch_place shunt = {e, d, source, "drain-source resistance", "ds"};
    const struct branch_place series = {e, source, t->body.anode, "body resistance", "b"};
    const struct branch_place body = {e, t->body.anode, d, "body diode", "bd"};
    const struct branch_place charge = {e, t->body.anode, d, "body diode charge", "bd"};
    return fet_add_series(&t->frame, list) && fet_add_branches(&t->frame, false, true, list) &&
           branch_add_resistance(list, shunt, 1 / t->shunt) &&
           branch_add_resistance(list, series, 1 / t->whole.law.body) &&
           branch_add_law(list, BRANCH_R, body, NULL, 0) &&
           (!diode_stores(&t->body.law) || branch_add_law(list, BRANCH_C, charge, NULL, 0));
}

static bool initial(const void *batch, size_t k, struct initial_list *list)
{
    const struct vdmos_batch *b = batch;
    const struct fet *t = &b->items[k].frame;
    return instance_add_initial(&b->all, k, VDMOS_OWN_ICVDS, t->outer[FET_DRAIN], t->outer[FET_SOURCE], list) &&
           instance_add_initial(&b->all, k, VDMOS_OWN_ICVGS, t->outer[FET_GATE], t->outer[FET_SOURCE], list);
}

const struct device_class vdmos_class = {
    .kind =
        {
            ELEMENT_KIND('m', "power MOSFET", "drain gate source [junction] [case]", "model", CARD_MODEL),
            .short_noun = "vdmos",
            .quantities = {quantity_rows, Q_COUNT},
            .instance = {vdmos_instance_rows, VDMOS_OWN_COUNT, NULL},
            .model = {vdmos_model_rows, VDMOS_MODEL_COUNT, vdmos_without_meaning},
            .types = vdmos_types,
            .heated = &heated_vdmos_class.kind,
        },
    BATCH_OF(struct vdmos_batch),
    USUAL_FUNCTIONS,
    .prepare = prepare,
    .eval = eval,
    .initial = initial,
    .observe = observe,
    .noise = noise,
};
