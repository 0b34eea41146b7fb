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
#include "devices/power/body_diode.h"
#include "devices/power/vdmos_parameters.h"
#include "devices/semiconductor/fet.h"
#include "devices/semiconductor/fet_quantities.h"
#include "devices/semiconductor/instances.h"
#include "devices/semiconductor/pair_diode.h"
#include "knoten.h"

#include <float.h>
#include <string.h>

enum { I_M, I_TEMP, I_DTEMP, I_OFF, I_ICVDS, I_ICVGS, I_THERMAL, I_COUNT };

static const struct parameter_info instance_rows[] = {
    INSTANCE_ROWS(I_M, I_TEMP, I_DTEMP, I_OFF),
    [I_ICVDS] = {"icvds", "V", 0, -INFINITY, INFINITY, "drain-source voltage at the start of a transient with uic",
                 "ic"},
    [I_ICVGS] = {"icvgs", "V", 0, -INFINITY, INFINITY, "gate-source voltage at the start of a transient with uic",
                 "ic2"},
    [I_THERMAL] = {"thermal", "", 0, 0, 1, "self-heating, which is not modelled: an error", NULL},
};

static const struct model_type types[] = {
    {"vdmos", "vdmosn", "n-channel, unless the card says pchan"},
    {"vdmosp", NULL, "p-channel: vto is negative as a rule"},
    {NULL, NULL, NULL},
};

/* m and temperature are in the numbers. */
struct vdmos_law {
    double threshold, beta, lambda, theta, triode, slope, shift;
    double gate_source;      /* F */
    double step, base, rate; /* s and y (F) and a (1/V) of Cgd */
};

struct vdmos {
    struct fet frame; /* series[FET_DRAIN] is that of Rd alone */
    struct vdmos_law law;
    struct pair_diode body; /* its anode is the source, or a node of its own behind Rb */
    double body_series, shunt;
    double added, half; /* ohm and V of quasi-saturation; added 0: none */
    int body_series_slots[4], shunt_slots[4], quasi_slots[4];
};

struct vdmos_batch {
    struct instances all;
    struct vdmos *items; /* [count] */
};

/* ---- the transistor's law ---- */

static struct fet_value channel_forward(const struct vdmos_law *law, double vgs, double vds)
{
    const double over = vgs - law->threshold, z = (over - law->shift) / law->slope;
    const double u = law->slope * (z > 0 ? z + log1p(exp(-z)) : log1p(exp(z)));
    const double rise = z > 0 ? 1 / (1 + exp(-z)) : exp(z) / (1 + exp(z)); /* du/dvgs */
    const double above = over > 0 ? over : 0, mobility = 1 / (1 + law->theta * above);
    const double growth = 1 + law->lambda * vds, b = law->beta * growth * mobility;
    const double b_gs = over > 0 ? -b * law->theta * mobility : 0, b_ds = law->beta * law->lambda * mobility;
    const double w = law->triode * vds;
    if (u <= w)
        return (struct fet_value){0.5 * b * u * u, b * u * rise + 0.5 * b_gs * u * u, 0.5 * b_ds * u * u};
    const double shape = w * (u - 0.5 * w);
    return (struct fet_value){b * shape, b * w * rise + b_gs * shape, b * law->triode * (u - w) + b_ds * shape};
}

static struct fet_value channel(const struct vdmos_law *law, struct fet_voltages v)
{
    return v.ds >= 0 ? channel_forward(law, v.gs, v.ds) : fet_reversed(channel_forward(law, v.gs - v.ds, -v.ds));
}

static void currents(const void *law, struct fet_voltages v, double gmin, struct fet_ends *out)
{
    (void)gmin; /* it lies across the body diode only */
    out->drain = channel(law, v);
    out->source = (struct fet_value){-out->drain.value, -out->drain.gs, -out->drain.ds};
}

/* The integral of Cgd from 0 to v; ln cosh without overflow. */
static double drain_charge(const struct vdmos_law *law, double v, double *capacitance)
{
    const double z = law->rate * v;
    if (v > 0) {
        *capacitance = law->step * tanh(z) + law->base;
        return law->step / law->rate * (z + log1p(exp(-2 * z)) - log(2)) + law->base * v;
    }
    const double angle = atan(z);
    *capacitance = law->step * angle + law->base;
    return law->step / law->rate * (z * angle - 0.5 * log1p(z * z)) + law->base * v;
}

static void charges(const void *object, struct fet_voltages v, struct fet_ends *out)
{
    const struct vdmos_law *law = object;
    double c;
    *out = (struct fet_ends){{0, 0, 0}, {0, 0, 0}};
    fet_add_gate_source(out, law->gate_source * v.gs, law->gate_source);
    const double q = drain_charge(law, v.gs - v.ds, &c);
    fet_add_gate_drain(out, q, c);
}

static double threshold(const void *law)
{
    return ((const struct vdmos_law *)law)->threshold;
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

static double series_conductance(double ohms, double multiplicity, double rise, double first, double second)
{
    return ohms > 0 ? multiplicity / (ohms * (1 + rise * (first + rise * second))) : 0;
}

/* Quasi-saturation needs an Rd, if only a small one. */
static const double LEAST_DRAIN = 1e-6; /* ohm */

static enum kn_status make(void *batch, size_t k, const struct device_input *in)
{
    struct vdmos_batch *b = batch;
    struct vdmos *t = &b->items[k];
    const struct element *e = in->elements[k];
    const double *p = b->all.model[k], m = b->all.own[k][I_M];
    const bool quasi = p[VDMOS_RQ] > 0 && b->all.model_given[k][VDMOS_VQ];
    t->frame.sign = p[VDMOS_PCHAN] != 0 || strcmp(e->model->type, "vdmosp") == 0 ? -1 : 1;
    t->frame.series[FET_DRAIN] = p[VDMOS_RD] > 0 ? m / p[VDMOS_RD] : quasi ? m / LEAST_DRAIN : 0;
    t->frame.series[FET_GATE] = p[VDMOS_RG] > 0 ? m / p[VDMOS_RG] : 0;
    t->frame.series[FET_SOURCE] = p[VDMOS_RS] > 0 ? m / p[VDMOS_RS] : 0;
    t->added = quasi ? p[VDMOS_RQ] / m : 0;
    t->half = fabs(p[VDMOS_VQ]);
    if (b->all.own[k][I_THERMAL] == 0)
        return KN_OK;
    diagnostics_add(in->diagnostics, KN_ERROR, "unsupported", e->where,
                    "leave 'thermal' out and give temp= or dtemp= instead",
                    "power MOSFET '%s': self-heating is not modelled", e->name);
    return KN_ERROR_DECK;
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
           (t->added == 0 ||
            (setup_entry(s, d, d, &t->quasi_slots[0]) && setup_entry(s, d, source, &t->quasi_slots[1]) &&
             setup_entry(s, inner, d, &t->quasi_slots[2]) && setup_entry(s, inner, source, &t->quasi_slots[3])));
}

static void prepare_law(struct vdmos *t, const double *p, const bool *given, double m, const struct thermal *at)
{
    const double rise = at->kelvin - at->nominal, sign = t->frame.sign;
    const double vto = given[VDMOS_VTO] ? p[VDMOS_VTO] : sign * p[VDMOS_VTO];
    const double kp = given[VDMOS_KP] || sign > 0 ? p[VDMOS_KP] : 10;
    struct vdmos_law *law = &t->law;
    law->threshold = sign * (vto + p[VDMOS_VTOTC] * rise) - p[VDMOS_TCVTH] * rise;
    law->beta = m * kp * pow(at->ratio, p[VDMOS_BEX]);
    law->lambda = p[VDMOS_LAMBDA];
    law->theta = p[VDMOS_THETA];
    law->triode = p[VDMOS_MTRIODE];
    law->slope = p[VDMOS_KSUBTHRES] * (1 + rise * (p[VDMOS_TKSUBTHRES1] + rise * p[VDMOS_TKSUBTHRES2]));
    law->shift = p[VDMOS_SUBSHIFT];
    law->gate_source = m * p[VDMOS_CGS];
    law->step = m * (p[VDMOS_CGDMAX] - p[VDMOS_CGDMIN]) / (1 + acos(-1.0) / 2);
    law->base = m * p[VDMOS_CGDMAX] - law->step;
    law->rate = p[VDMOS_A];
}

static void prepare_body(struct vdmos *t, const double *p, double m, const struct thermal *at)
{
    const struct diode_card card = {
        .size = m, BODY_DIODE(p, VDMOS_), .nr = 1, .bv = fabs(p[VDMOS_BV]), .nbv = p[VDMOS_NBV]};
    diode_law_prepare(&t->body.law, &card, at);
}

static void prepare(void *batch, size_t k, double temperature)
{
    struct vdmos_batch *b = batch;
    struct vdmos *t = &b->items[k];
    const double *p = b->all.model[k], m = b->all.own[k][I_M];
    const bool *given = b->all.model_given[k];
    const struct thermal at = instance_thermal(&b->all, k, temperature, I_TEMP, I_DTEMP, VDMOS_TNOM);
    const double rise = at.kelvin - at.nominal, *trd = p + VDMOS_TRD1;
    prepare_law(t, p, given, m, &at);
    prepare_body(t, p, m, &at);
    t->frame.series[FET_DRAIN] = p[VDMOS_RD] <= 0     ? t->frame.series[FET_DRAIN]
                                 : given[VDMOS_TEXP0] ? m / (p[VDMOS_RD] * pow(at.ratio, p[VDMOS_TEXP0]))
                                                      : series_conductance(p[VDMOS_RD], m, rise, trd[0], trd[1]);
    t->frame.series[FET_GATE] = series_conductance(p[VDMOS_RG], m, rise, p[VDMOS_TRG1], p[VDMOS_TRG2]);
    t->frame.series[FET_SOURCE] = series_conductance(p[VDMOS_RS], m, rise, p[VDMOS_TRS1], p[VDMOS_TRS2]);
    t->body_series = series_conductance(p[VDMOS_RB], m, rise, p[VDMOS_TRB1], p[VDMOS_TRB2]);
    t->shunt = m / p[VDMOS_RDS];
    if (t->added > 0)
        t->added = p[VDMOS_RQ] / m * pow(at.ratio, p[VDMOS_TEXP1]);
}

static void stamp(const void *batch, double *G, double *C)
{
    const struct vdmos_batch *b = batch;
    (void)C;
    for (size_t k = 0; k < b->all.base.count; k++) {
        const struct vdmos *t = &b->items[k];
        struct fet constant = t->frame;
        if (t->added > 0)
            constant.inner[FET_DRAIN] = constant.outer[FET_DRAIN]; /* no Rd: it changes with the bias, rq */
        fet_stamp(&constant, G);
        pair_stamp(t->shunt_slots, t->shunt, G);
        if (t->body.anode != t->frame.outer[FET_SOURCE])
            pair_stamp(t->body_series_slots, t->body_series, G);
    }
}

/* ---- evaluation ---- */

/* Conductance of Rd with what quasi-saturation adds, and its slope by the outer vds. */
static double drain_conductance(const struct vdmos *t, const double *x, double *slope)
{
    const double v = t->frame.sign * (x[t->frame.outer[FET_DRAIN]] - x[t->frame.outer[FET_SOURCE]]);
    const double constant = t->frame.series[FET_DRAIN];
    *slope = 0;
    if (t->added == 0 || v <= 0 || constant == 0)
        return constant;
    const double sum = v + t->half, g = 1 / (1 / constant + t->added * v / sum);
    *slope = -g * g * t->added * t->half / (sum * sum);
    return g;
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
        fet_eval(&family, &t->frame, &t->law, at, out);
        pair_diode_eval(&t->body, at, out);
        if (t->added > 0)
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
        return t->body_series * (at->x[source] - at->x[t->body.anode]) + shunt;
    return pair_diode_flow(&t->body, at) + shunt;
}

static double current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct vdmos *t = &((const struct vdmos_batch *)batch)->items[k];
    const int d = t->frame.outer[FET_DRAIN], inner = t->frame.inner[FET_DRAIN];
    double slope;
    if (terminal >= FET_NODES)
        return 0; /* the substrate of a card with four nodes, which is not connected */
    const double i = terminal == FET_DRAIN && t->added > 0
                         ? drain_conductance(t, at->x, &slope) * (at->x[d] - at->x[inner])
                         : fet_current(&family, &t->frame, &t->law, terminal, at);
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
    const struct fet_value i = channel(&t->law, v);
    const double over = v.gs - fmin(v.ds, 0) - t->law.threshold, body = pair_diode_voltage(&t->body, at->x);
    double g;
    values[Q_ID] = current(batch, k, FET_DRAIN, at);
    values[Q_IG] = current(batch, k, FET_GATE, at);
    values[Q_IS] = current(batch, k, FET_SOURCE, at);
    values[Q_REGION] = over <= 0 ? KN_OFF : t->law.triode * fabs(v.ds) < over ? KN_LINEAR : KN_SATURATION;
    values[Q_VGS] = t->frame.sign * v.gs;
    values[Q_VDS] = t->frame.sign * v.ds;
    values[Q_VTH] = t->frame.sign * t->law.threshold;
    values[Q_GM] = i.gs;
    values[Q_GDS] = i.ds;
    values[Q_CGS] = t->law.gate_source;
    drain_charge(&t->law, v.gs - v.ds, &values[Q_CGD]);
    const double diode = diode_current(&t->body.law, body, &g);
    diode_charge(&t->body.law, body, diode, g, &values[Q_CDS]);
    values[Q_IBODY] = beside_channel(t, FET_DRAIN, at);
}

static bool noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list)
{
    static const double oxide = 3.9 * 8.8541878128e-12 / 1e-7; /* F/m^2 */
    const struct vdmos_batch *b = batch;
    const struct vdmos *t = &b->items[k];
    const struct element *e = t->frame.element;
    const double *p = b->all.model[k], kelvin = b->all.kelvin[k], m = b->all.own[k][I_M];
    const int d = t->frame.inner[FET_DRAIN], s = t->frame.inner[FET_SOURCE], source = t->frame.outer[FET_SOURCE];
    const struct fet_value i = channel(&t->law, fet_voltages_at(&t->frame, at->x));
    struct fet frame = t->frame;
    double slope, g;
    frame.series[FET_DRAIN] = drain_conductance(t, at->x, &slope);
    const double body = pair_diode_voltage(&t->body, at->x),
                 current = diode_current(&t->body.law, body, &g) + at->gmin * body;
    const struct noise_source flicker = {.at = {e, "1overf", d, s},
                                         .density =
                                             noise_flicker(p[VDMOS_KF], p[VDMOS_AF], i.value, m) / (oxide * oxide),
                                         .exponent = 1};
    return fet_add_series_noise(&frame, kelvin, list) &&
           noise_add_thermal(list, (struct noise_place){e, "rb", source, t->body.anode}, t->body_series, kelvin) &&
           noise_add_thermal(list, (struct noise_place){e, "rds", frame.outer[FET_DRAIN], source}, t->shunt, kelvin) &&
           noise_add_thermal(list, (struct noise_place){e, "id", d, s}, 2.0 / 3 * fabs(i.gs), kelvin) &&
           noise_add_shot(list, (struct noise_place){e, "body", t->body.anode, frame.outer[FET_DRAIN]}, current) &&
           (p[VDMOS_KF] == 0 || noise_add(list, &flicker));
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
           branch_add_resistance(list, series, 1 / t->body_series) && branch_add_law(list, BRANCH_R, body, NULL, 0) &&
           (!diode_stores(&t->body.law) || branch_add_law(list, BRANCH_C, charge, NULL, 0));
}

static bool initial(const void *batch, size_t k, struct initial_list *list)
{
    const struct vdmos_batch *b = batch;
    const struct fet *t = &b->items[k].frame;
    return instance_add_initial(&b->all, k, I_ICVDS, t->outer[FET_DRAIN], t->outer[FET_SOURCE], list) &&
           instance_add_initial(&b->all, k, I_ICVGS, t->outer[FET_GATE], t->outer[FET_SOURCE], list);
}

const struct device_class vdmos_class = {
    .kind =
        {
            ELEMENT_KIND('m', "power MOSFET", "drain gate source", "model", CARD_MODEL),
            .short_noun = "vdmos",
            .quantities = {quantity_rows, Q_COUNT},
            .instance = {instance_rows, I_COUNT, NULL},
            /* Ratings and texts of data sheets are ignored, and what only self-heating needs. */
            .model = {vdmos_model_rows, VDMOS_MODEL_COUNT,
                      "mfg vds ron qg type phi rthjc rthca cthj rth_ext derating vgs_max vgd_max vds_max vgsr_max "
                      "vgdr_max pd_max id_max idr_max te_max"},
            .types = types,
        },
    BATCH_OF(struct vdmos_batch),
    USUAL_FUNCTIONS,
    .prepare = prepare,
    .eval = eval,
    .initial = initial,
    .observe = observe,
    .noise = noise,
};
