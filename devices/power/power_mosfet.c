/* power_mosfet.c - M of level 18, Xyce's power MOSFET: the channel of uccm.h, a drift region in front of the drain, a body
 * diode from source to drain, bulk diodes.
 *
 *     drain --drift-- Rd --channel-- Rs -- source,  gate -- Rg --,  bulk
 *     drift: v/(a + b |v|);  body diode in series with d1rs, and the shunt, from source to drain outside all of these
 *
 * (Xyce Reference Guide, MOSFET level 18.)  The channel's charges are those of all MOSFETs here (mosfet_model.h), which
 * conserve charge, instead of Meyer's capacitances.  Its law has Rs and Rd in it besides, as Xyce has it.
 */
#include "devices/power/power_mosfet.h"
#include "devices/families.h"
#include "devices/incidence.h"
#include "devices/noise.h"
#include "devices/semiconductor/fet.h"
#include "devices/semiconductor/fet_quantities.h"

enum { DRAIN = POWER_DRAIN, GATE = POWER_GATE, SOURCE = POWER_SOURCE, BULK = POWER_BULK, TERMINALS = POWER_TERMINALS };
enum { END_DRAIN, END_SOURCE, END_BULK, ENDS };

/* What leaves the ends, in the sense of an n-channel; the gate has the rest. */
struct power_ends {
    struct mosfet_value at[ENDS];
};

/* ---- the law ---- */

static void channel_at(const struct uccm *u, struct power_voltages v, struct uccm_channel *out)
{
    const double end = fmin(v.ds, 0);
    uccm_channel(u, v.gs - end, fabs(v.ds), v.bs - end, out);
    if (v.ds < 0)
        out->current = mosfet_value_reversed(out->current);
}

static void currents_at(const struct power_mosfet *t, struct power_voltages v, struct power_ends *out)
{
    struct uccm_channel c;
    channel_at(&t->channel, v, &c);
    out->at[END_DRAIN] = c.current;
    out->at[END_SOURCE] = value_scale(-1, c.current);
    out->at[END_BULK] = value_constant(0);
}

static void charges_at(const struct power_mosfet *t, struct power_voltages v, struct power_ends *out)
{
    struct mosfet_charges q;
    mosfet_charges(&t->charge, v.gs, v.ds, v.bs, &q);
    const struct mosfet_value gate = mosfet_gate_voltage(v.gs), drain = mosfet_drain_voltage(v.ds);
    const struct mosfet_value bulk = mosfet_bulk_voltage(v.bs);
    out->at[END_SOURCE] = value_subtract(q.source, value_scale(t->overlaps[0], gate));
    out->at[END_DRAIN] = value_subtract(q.drain, value_scale(t->overlaps[1], value_subtract(gate, drain)));
    out->at[END_BULK] = value_subtract(q.bulk, value_scale(t->overlaps[2], value_subtract(gate, bulk)));
}

/* Resistance of the drift region: current and its slope. */
static double drift_current(const struct power_mosfet *t, double v, double *slope)
{
    const double r = t->drift_at_zero + t->drift_growth * fabs(v);
    *slope = t->drift_at_zero / (r * r);
    return v / r;
}

/* ---- unknowns and matrix entries ---- */

static void link_nodes(struct power_mosfet *t)
{
    const int pairs[POWER_RESISTORS][2] = {[POWER_R_DRAIN] = {t->drift, t->inner[DRAIN]},
                                           [POWER_R_GATE] = {t->outer[GATE], t->inner[GATE]},
                                           [POWER_R_SOURCE] = {t->outer[SOURCE], t->inner[SOURCE]},
                                           [POWER_R_SHUNT] = {t->outer[DRAIN], t->outer[SOURCE]},
                                           [POWER_R_BODY] = {t->outer[SOURCE], t->diodes[POWER_D_BODY].anode}};
    for (int i = 0; i < POWER_RESISTORS; i++) {
        t->links[i].a = pairs[i][0];
        t->links[i].b = pairs[i][1];
    }
}

static bool number(void *batch, size_t k, struct device_setup *s)
{
    struct power_batch *b = batch;
    struct power_mosfet *t = &b->items[k];
    const struct element *e = t->element;
    const double *p = b->all.model[k], *own = b->all.own[k];
    for (int i = 0; i < TERMINALS; i++)
        t->outer[i] = t->inner[i] = setup_node(s, e->nodes[i]);
    const bool drifts = t->drift_at_zero > 0 || t->drift_growth > 0;
    const bool drain = power_end_resistance(p, POWER_RD, own[POWER_NRD]) > 0;
    const bool source = power_end_resistance(p, POWER_RS, own[POWER_NRS]) > 0;
    t->drift = instance_inner_node(s, e, drifts, t->outer[DRAIN], "drift");
    t->inner[DRAIN] = instance_inner_node(s, e, drain, t->drift, "drain");
    t->inner[GATE] = instance_inner_node(s, e, p[POWER_RG] > 0, t->outer[GATE], "gate");
    t->inner[SOURCE] = instance_inner_node(s, e, source, t->outer[SOURCE], "source");
    const int anode = instance_inner_node(s, e, p[POWER_D1RS] > 0, t->outer[SOURCE], "body");
    const int pairs[POWER_DIODES][2] = {[POWER_D_BODY] = {anode, t->outer[DRAIN]},
                                        [POWER_D_DRAIN] = {t->inner[BULK], t->inner[DRAIN]},
                                        [POWER_D_SOURCE] = {t->inner[BULK], t->inner[SOURCE]}};
    for (int i = 0; i < POWER_DIODES; i++) {
        t->diodes[i].sign = t->sign;
        t->diodes[i].anode = pairs[i][0];
        t->diodes[i].cathode = pairs[i][1];
    }
    link_nodes(t);
    return t->drift >= 0 && t->inner[DRAIN] >= 0 && t->inner[GATE] >= 0 && t->inner[SOURCE] >= 0 && anode >= 0;
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    struct power_mosfet *t = &((struct power_batch *)batch)->items[k];
    bool good = true;
    for (int i = 0; i < TERMINALS * TERMINALS; i++)
        good = setup_entry(s, t->inner[i / TERMINALS], t->inner[i % TERMINALS], &t->block[i]) && good;
    for (int i = 0; i < POWER_RESISTORS; i++)
        good =
            (t->links[i].a == t->links[i].b || setup_pair(s, t->links[i].a, t->links[i].b, t->links[i].slots)) && good;
    for (int i = 0; i < POWER_DIODES; i++)
        good = pair_diode_connect(&t->diodes[i], s) && good;
    return good && (t->drift == t->outer[DRAIN] || setup_pair(s, t->outer[DRAIN], t->drift, t->drift_slots));
}

static void stamp(const void *batch, double *G, double *C)
{
    const struct power_batch *b = batch;
    (void)C;
    for (size_t k = 0; k < b->all.base.count; k++)
        for (int i = 0; i < POWER_RESISTORS; i++) {
            const struct power_link *l = &b->items[k].links[i];
            if (l->a != l->b)
                pair_stamp(l->slots, l->g, G);
        }
}

/* ---- evaluation ---- */

static struct power_voltages voltages_at(const struct power_mosfet *t, const double *x)
{
    const double source = x[t->inner[SOURCE]];
    return (struct power_voltages){.gs = t->sign * (x[t->inner[GATE]] - source),
                                   .ds = t->sign * (x[t->inner[DRAIN]] - source),
                                   .bs = t->sign * (x[t->inner[BULK]] - source)};
}

/* Gate and drain in the order of SPICE (fet_limit_insulated); the bulk is what it is. */
static struct power_voltages limited(struct power_mosfet *t, struct power_voltages v, const struct device_point *at)
{
    if (!at->limit)
        return v;
    const struct power_voltages p = at->first ? voltages_at(t, at->x_reference) : t->previous;
    const double threshold = mosfet_threshold(&t->charge, p.bs - fmin(p.ds, 0));
    const struct fet_voltages now =
        fet_limit_insulated((struct fet_voltages){v.gs, v.ds}, (struct fet_voltages){p.gs, p.ds}, threshold);
    if (now.gs != v.gs || now.ds != v.ds)
        *at->limited = true;
    return t->previous = (struct power_voltages){now.gs, now.ds, v.bs};
}

static void add_vector(const struct power_mosfet *t, const struct power_ends *ends, struct power_voltages excess,
                       double *to)
{
    static const int nodes[ENDS] = {[END_DRAIN] = DRAIN, [END_SOURCE] = SOURCE, [END_BULK] = BULK};
    for (int i = 0; i < ENDS; i++) {
        const struct mosfet_value *a = &ends->at[i];
        const double out = t->sign * (a->value + a->gs * excess.gs + a->ds * excess.ds + a->bs * excess.bs);
        to[t->inner[nodes[i]]] += out;
        to[t->inner[GATE]] -= out;
    }
}

static void add_row(const int *row, const struct mosfet_value *a, double factor, double *matrix)
{
    matrix[row[GATE]] += factor * a->gs;
    matrix[row[DRAIN]] += factor * a->ds;
    matrix[row[BULK]] += factor * a->bs;
    matrix[row[SOURCE]] -= factor * (a->gs + a->ds + a->bs);
}

static void add_matrix(const struct power_mosfet *t, const struct power_ends *ends, double *to)
{
    static const int nodes[ENDS] = {[END_DRAIN] = DRAIN, [END_SOURCE] = SOURCE, [END_BULK] = BULK};
    for (int i = 0; i < ENDS; i++) {
        add_row(t->block + TERMINALS * nodes[i], &ends->at[i], 1, to);
        add_row(t->block + TERMINALS * GATE, &ends->at[i], -1, to);
    }
}

static void eval_drift(const struct power_mosfet *t, const struct device_point *at, const struct device_stamp *out)
{
    double slope;
    const double i = drift_current(t, at->x[t->outer[DRAIN]] - at->x[t->drift], &slope);
    if (at->what & EVALUATE_F) {
        out->f[t->outer[DRAIN]] += i;
        out->f[t->drift] -= i;
    }
    if (at->what & EVALUATE_G)
        pair_stamp(t->drift_slots, slope, out->G);
}

static void eval_one(struct power_mosfet *t, const struct device_point *at, const struct device_stamp *out)
{
    const struct power_voltages proposed = voltages_at(t, at->x), v = limited(t, proposed, at);
    const struct power_voltages excess = {proposed.gs - v.gs, proposed.ds - v.ds, proposed.bs - v.bs};
    struct power_ends ends;
    if (at->what & (EVALUATE_F | EVALUATE_G)) {
        currents_at(t, v, &ends);
        if (at->what & EVALUATE_F)
            add_vector(t, &ends, excess, out->f);
        if (at->what & EVALUATE_G)
            add_matrix(t, &ends, out->G);
    }
    if (at->what & (EVALUATE_Q | EVALUATE_C)) {
        charges_at(t, v, &ends);
        if (at->what & EVALUATE_Q)
            add_vector(t, &ends, excess, out->q);
        if (at->what & EVALUATE_C)
            add_matrix(t, &ends, out->C);
    }
}

static void eval(void *batch, const struct device_point *at, const struct device_stamp *out)
{
    struct power_batch *b = batch;
    for (size_t k = 0; k < b->all.base.count; k++) {
        struct power_mosfet *t = &b->items[k];
        eval_one(t, at, out);
        for (int i = 0; i < POWER_DIODES; i++)
            pair_diode_eval(&t->diodes[i], at, out);
        if (t->drift != t->outer[DRAIN])
            eval_drift(t, at, out);
    }
}

/* ---- what others ask ---- */

/* Into the channel's ends, displacement included, in the sense of the circuit. */
static void channel_flows(const struct power_mosfet *t, const struct device_probe *at, double into[TERMINALS])
{
    static const int nodes[ENDS] = {[END_DRAIN] = DRAIN, [END_SOURCE] = SOURCE, [END_BULK] = BULK};
    const struct power_voltages v = voltages_at(t, at->x), rate = voltages_at(t, at->dxdt);
    struct power_ends i, q;
    currents_at(t, v, &i);
    charges_at(t, v, &q);
    into[GATE] = 0;
    for (int e = 0; e < ENDS; e++) {
        const struct mosfet_value *c = &q.at[e];
        into[nodes[e]] = t->sign * (i.at[e].value + c->gs * rate.gs + c->ds * rate.ds + c->bs * rate.bs);
        into[GATE] -= into[nodes[e]];
    }
}

static double link_current(const struct power_link *l, const struct device_probe *at)
{
    return l->g * (at->x[l->a] - at->x[l->b]);
}

static double current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct power_mosfet *t = &((const struct power_batch *)batch)->items[k];
    double into[TERMINALS], slope;
    channel_flows(t, at, into);
    const double drain = pair_diode_flow(&t->diodes[POWER_D_DRAIN], at),
                 source = pair_diode_flow(&t->diodes[POWER_D_SOURCE], at);
    const double body = t->links[POWER_R_BODY].a != t->links[POWER_R_BODY].b
                            ? link_current(&t->links[POWER_R_BODY], at)
                            : pair_diode_flow(&t->diodes[POWER_D_BODY], at);
    const double shunt = link_current(&t->links[POWER_R_SHUNT], at);
    const struct power_link *of[TERMINALS] = {&t->links[POWER_R_DRAIN], &t->links[POWER_R_GATE],
                                              &t->links[POWER_R_SOURCE], NULL};
    const double beside[TERMINALS] = {[DRAIN] = -drain, [SOURCE] = -source, [BULK] = drain + source};
    double i = of[terminal] && of[terminal]->a != of[terminal]->b ? link_current(of[terminal], at)
                                                                  : into[terminal] + beside[terminal];
    if (terminal == DRAIN && t->drift != t->outer[DRAIN])
        i = drift_current(t, at->x[t->outer[DRAIN]] - at->x[t->drift], &slope);
    return terminal == DRAIN    ? i - pair_diode_flow(&t->diodes[POWER_D_BODY], at) + shunt
           : terminal == SOURCE ? i + body - shunt
                                : i;
}

enum { Q_ID, Q_IG, Q_IS, Q_IB, Q_VGS, Q_VDS, Q_VBS, Q_VTH, Q_VDSAT, Q_GM, Q_GDS, Q_GMBS, Q_COUNT };

static const struct quantity_info quantity_rows[Q_COUNT] = {
    MOSFET_QUANTITIES(Q_),
};

static void observe(const void *batch, size_t k, const struct device_probe *at, double *values)
{
    const struct power_mosfet *t = &((const struct power_batch *)batch)->items[k];
    const struct power_voltages v = voltages_at(t, at->x);
    struct uccm_channel c;
    channel_at(&t->channel, v, &c);
    static const int rows[TERMINALS] = {[DRAIN] = Q_ID, [GATE] = Q_IG, [SOURCE] = Q_IS, [BULK] = Q_IB};
    for (int i = 0; i < TERMINALS; i++)
        values[rows[i]] = current(batch, k, i, at);
    values[Q_VGS] = t->sign * v.gs;
    values[Q_VDS] = t->sign * v.ds;
    values[Q_VBS] = t->sign * v.bs;
    values[Q_VTH] = t->sign * c.threshold;
    values[Q_VDSAT] = t->sign * c.saturation;
    values[Q_GM] = c.current.gs;
    values[Q_GDS] = c.current.ds;
    values[Q_GMBS] = c.current.bs;
}

static const char *const link_parts[POWER_RESISTORS][2] = {[POWER_R_DRAIN] = {"drain resistance", "d"},
                                                           [POWER_R_GATE] = {"gate resistance", "g"},
                                                           [POWER_R_SOURCE] = {"source resistance", "s"},
                                                           [POWER_R_SHUNT] = {"drain-source resistance", "shunt"},
                                                           [POWER_R_BODY] = {"body resistance", "b"}};
static const char *const diode_parts[POWER_DIODES][3] = {
    [POWER_D_BODY] = {"body diode", "body diode charge", "body"},
    [POWER_D_DRAIN] = {"bulk-drain junction", "bulk-drain charge", "bd"},
    [POWER_D_SOURCE] = {"bulk-source junction", "bulk-source charge", "bs"}};

/* Thermal noise of resistances and channel, shot noise of junctions. */
static bool noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list)
{
    const struct power_batch *b = batch;
    const struct power_mosfet *t = &b->items[k];
    const double kelvin = b->all.kelvin[k];
    struct uccm_channel c;
    double slope, g;
    channel_at(&t->channel, voltages_at(t, at->x), &c);
    bool good = noise_add_thermal(list, (struct noise_place){t->element, "id", t->inner[DRAIN], t->inner[SOURCE]},
                                  2.0 / 3 * fabs(c.current.gs), kelvin);
    for (int i = 0; i < POWER_RESISTORS; i++)
        good = noise_add_thermal(list, (struct noise_place){t->element, link_parts[i][1], t->links[i].a, t->links[i].b},
                                 t->links[i].g, kelvin) &&
               good;
    for (int i = 0; i < POWER_DIODES; i++) {
        const struct pair_diode *d = &t->diodes[i];
        good = noise_add_shot(list, (struct noise_place){t->element, diode_parts[i][2], d->anode, d->cathode},
                              diode_current(&d->law, pair_diode_voltage(d, at->x), &g)) &&
               good;
    }
    if (t->drift == t->outer[DRAIN])
        return good;
    drift_current(t, at->x[t->outer[DRAIN]] - at->x[t->drift], &slope);
    return good &&
           noise_add_thermal(list, (struct noise_place){t->element, "drift", t->outer[DRAIN], t->drift}, slope, kelvin);
}

static bool add_storing(const struct power_mosfet *t, struct branch_list *list)
{
    const int *n = t->inner;
    static const int ends[3] = {SOURCE, DRAIN, BULK};
    static const char *const parts[3][2] = {
        {"gate-source charge", "gs"}, {"gate-drain charge", "gd"}, {"gate-bulk charge", "gb"}};
    bool good = true;
    for (int i = 0; i < 3; i++) {
        const int controls[2] = {n[ends[(i + 1) % 3]], n[ends[(i + 2) % 3]]};
        const struct branch_place at = {t->element, n[GATE], n[ends[i]], parts[i][0], parts[i][1]};
        good = branch_add_law(list, BRANCH_C, at, controls, 2) && good;
    }
    for (int i = 0; i < 2; i++) {
        const int controls[2] = {n[GATE], n[ends[1 - i]]};
        const struct branch_place at = {t->element, n[BULK], n[ends[i]],
                                        diode_parts[i ? POWER_D_DRAIN : POWER_D_SOURCE][1],
                                        diode_parts[i ? POWER_D_DRAIN : POWER_D_SOURCE][2]};
        good = branch_add_law(list, BRANCH_C, at, controls, 2) && good;
    }
    return good;
}

static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    const struct power_mosfet *t = &((const struct power_batch *)batch)->items[k];
    const int controls[2] = {t->inner[GATE], t->inner[BULK]};
    const struct branch_place channel = {t->element, t->inner[DRAIN], t->inner[SOURCE], "channel", "ds"};
    const struct branch_place drift = {t->element, t->outer[DRAIN], t->drift, "drift region", "drift"};
    bool good = branch_add_law(list, BRANCH_I, channel, controls, 2) &&
                (drift.plus == drift.minus || branch_add_law(list, BRANCH_R, drift, NULL, 0));
    for (int i = 0; i < POWER_RESISTORS; i++) {
        const struct power_link *l = &t->links[i];
        const struct branch_place at = {t->element, l->a, l->b, link_parts[i][0], link_parts[i][1]};
        good = (l->g == 0 || branch_add_resistance(list, at, 1 / l->g)) && good;
    }
    for (int i = 0; i < POWER_DIODES; i++) {
        const struct pair_diode *d = &t->diodes[i];
        const struct branch_place at = {t->element, d->anode, d->cathode, diode_parts[i][0], diode_parts[i][2]};
        good = branch_add_law(list, BRANCH_R, at, NULL, 0) && good;
    }
    const struct pair_diode *body = &t->diodes[POWER_D_BODY];
    const struct branch_place charge = {t->element, body->anode, body->cathode, diode_parts[POWER_D_BODY][1], "body"};
    return good && add_storing(t, list) &&
           (!diode_stores(&body->law) || branch_add_law(list, BRANCH_C, charge, NULL, 0));
}

static const struct model_type types[] = {
    {"nmos", NULL, "n-channel"}, {"pmos", NULL, "p-channel: vto is negative as a rule"}, {NULL, NULL, NULL}};
static const struct model_level levels[] = {{18, "Xyce's power MOSFET"}, {0, NULL}};

const struct device_class power_mosfet_class = {
    .kind =
        {
            ELEMENT_KIND('m', "power MOSFET of level 18", "drain gate source bulk", "model L=value W=value",
                         CARD_MODEL),
            .quantities = {quantity_rows, Q_COUNT},
            .instance = {power_instance_rows, POWER_INSTANCE_COUNT, NULL},
            /* Of charges and currents of the substrate that Xyce has besides. */
            .model = {power_model_rows, POWER_MODEL_COUNT,
                      "m mc cv cve fpe xqc mcv vfb alpha nss tpg xj kappa nfs cbso d1kf d1af d1tnom mfg"},
            .types = types,
            .levels = levels,
            .values = "l w ad as",
        },
    .batch_size = sizeof(struct power_batch),
    .fill = power_fill,
    .make = power_make,
    USUAL_FUNCTIONS,
    .prepare = power_prepare,
    .eval = eval,
    .observe = observe,
    .noise = noise,
};
