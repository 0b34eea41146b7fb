/* jfet.c - J: the junction field-effect transistor of level 1.
 *
 * Channel (Shichman and Hodges, IEEE J. Solid-State Circuits 3 (1968) 285; with the doping tail b of Parker and Skellern's
 * modification as ngspice has it), u = vgs - vto, c = (1 - b)/(pb - vto), for 0 <= vds:
 *     i = 0                                                              u <= 0
 *     i = beta (1 + lambda vds) u^2 (b + c u)                            0 < u <= vds
 *     i = beta (1 + lambda vds) vds (vds (c vds - b) + u (2 b + 3 c (u - vds)))   vds < u
 * Drain and source change places for vds < 0.  b = 1 is SPICE2's transistor.  Two junctions from the gate, with the
 * recombination of PSpice (isr, nr), and their depletion charges.
 * Noise: 4 k T (2/3) gm, with nlev = 3 (8/3) k T beta u (1 + a + a^2)/(1 + a) gdsnoi, a = 1 - vds/u; flicker
 * kf |id|^af / f (ngspice manual, ch. 9).
 */
#include "devices/families.h"
#include "devices/semiconductor/fet.h"
#include "devices/semiconductor/instances.h"
#include "knoten.h"

#include <float.h>

enum { I_AREA, I_M, I_TEMP, I_DTEMP, I_OFF, I_ICVDS, I_ICVGS, I_COUNT };

static const struct parameter_info instance_rows[] = {
    [I_AREA] = {"area", "", 1, DBL_MIN, INFINITY, "area factor: multiplies currents and charges, divides Rd and Rs",
                NULL},
    [I_M] = {"m", "", 1, DBL_MIN, INFINITY, "number of devices in parallel", NULL},
    [I_TEMP] = {"temp", "degC", 27, -DEVICE_KELVIN, INFINITY, "temperature of this device", NULL},
    [I_DTEMP] = {"dtemp", "K", 0, -INFINITY, INFINITY, "temperature above that of the circuit", NULL},
    [I_OFF] = {"off", "", 0, 0, 1, "accepted; the operating point needs no such hint", NULL},
    [I_ICVDS] = {"icvds", "V", 0, -INFINITY, INFINITY, "drain-source voltage at the start of a transient with uic",
                 "ic ic-vds"},
    [I_ICVGS] = {"icvgs", "V", 0, -INFINITY, INFINITY, "gate-source voltage at the start of a transient with uic",
                 "ic2 ic-vgs"},
};

enum {
    P_LEVEL,
    P_VTO,
    P_BETA,
    P_LAMBDA,
    P_RD,
    P_RS,
    P_CGS,
    P_CGD,
    P_PB,
    P_IS,
    P_N,
    P_FC,
    P_B,
    P_M,
    P_ISR,
    P_NR,
    P_TNOM,
    P_TCV,
    P_VTOTC,
    P_BEX,
    P_BETATCE,
    P_XTI,
    P_EG,
    P_KF,
    P_AF,
    P_NLEV,
    P_GDSNOI,
    P_COUNT
};

static const struct parameter_info model_rows[] = {
    [P_LEVEL] = {"level", "", 1, -INFINITY, INFINITY, "model level; knoten has level 1", NULL},
    [P_VTO] = {"vto", "V", -2, -INFINITY, INFINITY, "threshold voltage", "vt0"},
    [P_BETA] = {"beta", "A/V^2", 1e-4, 0, INFINITY, "transconductance parameter", NULL},
    [P_LAMBDA] = {"lambda", "1/V", 0, 0, INFINITY, "channel length modulation", NULL},
    [P_RD] = {"rd", "ohm", 0, 0, INFINITY, "drain resistance", NULL},
    [P_RS] = {"rs", "ohm", 0, 0, INFINITY, "source resistance", NULL},
    [P_CGS] = {"cgs", "F", 0, 0, INFINITY, "gate-source depletion capacitance at zero bias", NULL},
    [P_CGD] = {"cgd", "F", 0, 0, INFINITY, "gate-drain depletion capacitance at zero bias", NULL},
    [P_PB] = {"pb", "V", 1, DBL_MIN, INFINITY, "gate junction potential", NULL},
    [P_IS] = {"is", "A", 1e-14, 0, INFINITY, "saturation current of the gate junctions", NULL},
    [P_N] = {"n", "", 1, DBL_MIN, INFINITY, "their emission coefficient", NULL},
    [P_FC] = {"fc", "", 0.5, 0, 0.99, "fraction of Pb where the depletion charges become parabolas", NULL},
    [P_B] = {"b", "", 1, -INFINITY, INFINITY, "doping tail; 1: SPICE2's square law", NULL},
    [P_M] = {"m", "", 0.5, 0, 10, "grading coefficient", NULL},
    [P_ISR] = {"isr", "A", 0, 0, INFINITY, "recombination saturation current", NULL},
    [P_NR] = {"nr", "", 2, DBL_MIN, INFINITY, "recombination emission coefficient", NULL},
    [P_TNOM] = {"tnom", "degC", 27, -DEVICE_KELVIN, INFINITY,
                "temperature of the parameters; .options tnom when absent", "tref t_measured"},
    [P_TCV] = {"tcv", "V/K", 0, -INFINITY, INFINITY, "decrease of Vto with temperature", NULL},
    [P_VTOTC] = {"vtotc", "V/K", 0, -INFINITY, INFINITY, "increase of Vto with temperature, instead of tcv", NULL},
    [P_BEX] = {"bex", "", 0, -INFINITY, INFINITY, "Beta grows as (T/Tnom)^bex", NULL},
    [P_BETATCE] = {"betatce", "%/K", 0, -INFINITY, INFINITY, "Beta grows as 1.01^(betatce (T - Tnom)), instead of bex",
                   NULL},
    [P_XTI] = {"xti", "", 0, -INFINITY, INFINITY, "exponent of T/Tnom in Is", NULL},
    [P_EG] = {"eg", "eV", 1.11, DBL_MIN, INFINITY, "energy gap", NULL},
    [P_KF] = {"kf", "", 0, 0, INFINITY, "flicker noise: Kf |id|^Af / f", NULL},
    [P_AF] = {"af", "", 1, 0, INFINITY, "exponent of the current in the flicker noise", NULL},
    [P_NLEV] = {"nlev", "", 2, 0, 3, "channel's noise: 3 for one that does not vanish at vds = 0", NULL},
    [P_GDSNOI] = {"gdsnoi", "", 1, 0, INFINITY, "factor of the channel's noise for nlev = 3", NULL},
};

static const struct model_type types[] = {
    {"njf", NULL, "n-channel: current flows into the drain where v(g,s) is above vto"},
    {"pjf", NULL, "p-channel: vto is written as for an n-channel, a negative number as a rule"},
    {NULL, NULL, NULL},
};
static const struct model_level levels[] = {{1, "Shichman-Hodges"}, {0, NULL}};

/* Area, multiplicity and temperature are in the numbers. */
struct jfet_law {
    double threshold, beta, lambda, b, c;
    struct junction_law junction, recombination;
    struct depletion source, drain;
};

struct jfet {
    struct fet frame;
    struct jfet_law law;
};

struct jfet_batch {
    struct instances all;
    struct jfet *items; /* [count] */
};

/* ---- the law ---- */

static struct fet_value channel_forward(const struct jfet_law *law, double vgs, double vds)
{
    const double u = vgs - law->threshold, growth = law->beta * (1 + law->lambda * vds);
    if (u <= 0)
        return (struct fet_value){0, 0, 0};
    if (u <= vds) {
        const double shape = u * u * (law->b + law->c * u);
        return (struct fet_value){growth * shape, growth * u * (2 * law->b + 3 * law->c * u),
                                  law->beta * law->lambda * shape};
    }
    const double part = 2 * law->b + 3 * law->c * (u - vds);
    const double shape = vds * (vds * (law->c * vds - law->b) + u * part);
    return (struct fet_value){growth * shape, growth * vds * (part + 3 * law->c * u),
                              growth * (u - vds) * part + law->beta * law->lambda * shape};
}

static struct fet_value channel(const struct jfet_law *law, struct fet_voltages v)
{
    return v.ds >= 0 ? channel_forward(law, v.gs, v.ds) : fet_reversed(channel_forward(law, v.gs - v.ds, -v.ds));
}

static double gate_current(const struct jfet_law *law, double v, double gmin, double *slope)
{
    double g;
    double i = junction_current(&law->junction, v, slope) + gmin * v;
    *slope += gmin;
    if (law->recombination.saturation > 0) {
        i += junction_current(&law->recombination, v, &g);
        *slope += g;
    }
    return i;
}

static void currents(const void *object, struct fet_voltages v, double gmin, struct fet_ends *out)
{
    const struct jfet_law *law = object;
    double slope;
    out->drain = channel(law, v);
    out->source = (struct fet_value){-out->drain.value, -out->drain.gs, -out->drain.ds};
    const double source = gate_current(law, v.gs, gmin, &slope);
    fet_add_gate_source(out, source, slope);
    const double drain = gate_current(law, v.gs - v.ds, gmin, &slope);
    fet_add_gate_drain(out, drain, slope);
}

static void charges(const void *object, struct fet_voltages v, struct fet_ends *out)
{
    const struct jfet_law *law = object;
    double c;
    *out = (struct fet_ends){{0, 0, 0}, {0, 0, 0}};
    if (law->source.capacitance > 0) {
        const double q = depletion_charge(&law->source, v.gs, &c);
        fet_add_gate_source(out, q, c);
    }
    if (law->drain.capacitance > 0) {
        const double q = depletion_charge(&law->drain, v.gs - v.ds, &c);
        fet_add_gate_drain(out, q, c);
    }
}

static double threshold(const void *law)
{
    return ((const struct jfet_law *)law)->threshold;
}

static const struct junction_law *junction(const void *law)
{
    return &((const struct jfet_law *)law)->junction;
}

static const struct fet_family family = {currents, charges, threshold, junction};

/* ---- set-up ---- */

static const struct instance_array arrays[] = {INSTANCE_ARRAY(jfet_batch, items)};

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct jfet_batch *b = batch;
    const enum kn_status status = instances_read(&b->all, in);
    if (status == KN_ERROR_MEMORY || !instances_allocate(&b->all, arrays, 1))
        return KN_ERROR_MEMORY;
    for (size_t k = 0; k < in->count; k++) {
        const double *p = b->all.model[k];
        const double size = b->all.own[k][I_AREA] * b->all.own[k][I_M];
        struct fet *t = &b->items[k].frame;
        t->sign = instance_sign(&b->all, k);
        t->series[FET_DRAIN] = p[P_RD] > 0 ? size / p[P_RD] : 0;
        t->series[FET_SOURCE] = p[P_RS] > 0 ? size / p[P_RS] : 0;
    }
    return status;
}

static bool number(void *batch, size_t k, struct device_setup *s)
{
    struct jfet_batch *b = batch;
    return fet_number(&b->items[k].frame, b->all.base.elements[k], s);
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    return fet_connect(&((struct jfet_batch *)batch)->items[k].frame, s);
}

static void prepare_law(struct jfet_law *law, const double *p, const bool *given, double size, const struct thermal *t)
{
    const double rise = t->kelvin - t->nominal;
    const double change = given[P_VTOTC] ? p[P_VTOTC] * rise : -p[P_TCV] * rise;
    const double growth = given[P_BETATCE] ? pow(1.01, p[P_BETATCE] * rise) : pow(t->ratio, p[P_BEX]);
    const double gate = size * exp((t->ratio - 1) * p[P_EG] / (p[P_N] * t->voltage)) * pow(t->ratio, p[P_XTI]);
    law->threshold = p[P_VTO] + change;
    law->beta = size * p[P_BETA] * growth;
    law->lambda = p[P_LAMBDA];
    law->b = p[P_B];
    law->c = p[P_B] == 1 ? 0 : (1 - p[P_B]) / (p[P_PB] - p[P_VTO]);
    law->junction = (struct junction_law){gate * p[P_IS], 1 / (p[P_N] * t->voltage)};
    law->recombination = (struct junction_law){size * p[P_ISR] * thermal_saturation(t, p[P_EG], p[P_XTI], p[P_NR]),
                                               1 / (p[P_NR] * t->voltage)};
    const double potential = thermal_potential(t, p[P_PB]);
    law->source = depletion_of(size * thermal_capacitance(t, p[P_CGS], p[P_PB], p[P_M]), potential, p[P_M], p[P_FC]);
    law->drain = depletion_of(size * thermal_capacitance(t, p[P_CGD], p[P_PB], p[P_M]), potential, p[P_M], p[P_FC]);
}

static void prepare(void *batch, size_t k, double temperature)
{
    struct jfet_batch *b = batch;
    const struct thermal t = instance_thermal(&b->all, k, temperature, I_TEMP, I_DTEMP, P_TNOM);
    prepare_law(&b->items[k].law, b->all.model[k], b->all.model_given[k], b->all.own[k][I_AREA] * b->all.own[k][I_M],
                &t);
}

static void stamp(const void *batch, double *G, double *C)
{
    const struct jfet_batch *b = batch;
    (void)C;
    for (size_t k = 0; k < b->all.base.count; k++)
        fet_stamp(&b->items[k].frame, G);
}

static void eval(void *batch, const struct device_point *at, const struct device_stamp *out)
{
    struct jfet_batch *b = batch;
    for (size_t k = 0; k < b->all.base.count; k++)
        fet_eval(&family, &b->items[k].frame, &b->items[k].law, at, out);
}

/* ---- what others ask ---- */

static double current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct jfet *j = &((const struct jfet_batch *)batch)->items[k];
    return fet_current(&family, &j->frame, &j->law, terminal, at);
}

enum { Q_REGION, Q_ID, Q_IG, Q_IS, Q_VGS, Q_VDS, Q_VTH, Q_GM, Q_GDS, Q_GGS, Q_GGD, Q_CGS, Q_CGD, Q_COUNT };

static const struct quantity_info quantity_rows[Q_COUNT] = {
    [Q_REGION] = {"region", NULL, "region", "off, linear or saturation"},
    [Q_ID] = {"id", "cd", "A", "current into the drain"},
    [Q_IG] = {"ig", "cg", "A", "current into the gate"},
    [Q_IS] = {"is", NULL, "A", "current into the source"},
    [Q_VGS] = {"vgs", NULL, "V", "gate-source voltage behind the series resistances"},
    [Q_VDS] = {"vds", NULL, "V", "drain-source voltage behind the series resistances"},
    [Q_VTH] = {"vth", "vto", "V", "threshold of the gate against the end that acts as source"},
    [Q_GM] = {"gm", NULL, "S", "d id / d vgs of the channel"},
    [Q_GDS] = {"gds", NULL, "S", "d id / d vds of the channel"},
    [Q_GGS] = {"ggs", NULL, "S", "conductance of the gate-source junction"},
    [Q_GGD] = {"ggd", NULL, "S", "conductance of the gate-drain junction"},
    [Q_CGS] = {"cgs", NULL, "F", "capacitance of the gate-source junction"},
    [Q_CGD] = {"cgd", NULL, "F", "capacitance of the gate-drain junction"},
};

static void observe(const void *batch, size_t k, const struct device_probe *at, double *values)
{
    const struct jfet *j = &((const struct jfet_batch *)batch)->items[k];
    const struct fet_voltages v = fet_voltages_at(&j->frame, at->x);
    const struct fet_value i = channel(&j->law, v);
    const double over = v.gs - fmin(v.ds, 0) - j->law.threshold;
    static const int terminals[] = {[FET_DRAIN] = Q_ID, [FET_GATE] = Q_IG, [FET_SOURCE] = Q_IS};
    for (int t = 0; t < FET_NODES; t++)
        values[terminals[t]] = current(batch, k, t, at);
    values[Q_REGION] = over <= 0 ? KN_OFF : fabs(v.ds) < over ? KN_LINEAR : KN_SATURATION;
    values[Q_VGS] = j->frame.sign * v.gs;
    values[Q_VDS] = j->frame.sign * v.ds;
    values[Q_VTH] = j->frame.sign * j->law.threshold;
    values[Q_GM] = i.gs;
    values[Q_GDS] = i.ds;
    gate_current(&j->law, v.gs, at->gmin, &values[Q_GGS]);
    gate_current(&j->law, v.gs - v.ds, at->gmin, &values[Q_GGD]);
    depletion_charge(&j->law.source, v.gs, &values[Q_CGS]);
    depletion_charge(&j->law.drain, v.gs - v.ds, &values[Q_CGD]);
}

/* S, whose thermal noise the channel has. */
static double noisy_conductance(const struct jfet_law *law, const double *p, struct fet_voltages v,
                                const struct fet_value *i)
{
    const double over = v.gs - fmin(v.ds, 0) - law->threshold;
    if (p[P_NLEV] < 3)
        return 2.0 / 3 * fabs(i->gs);
    if (over <= 0)
        return 0;
    const double a = over <= fabs(v.ds) ? 0 : 1 - fabs(v.ds) / over;
    return 2.0 / 3 * law->beta * over * (1 + a + a * a) / (1 + a) * p[P_GDSNOI];
}

static bool noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list)
{
    const struct jfet_batch *b = batch;
    const struct jfet *j = &b->items[k];
    const double *p = b->all.model[k];
    const int d = j->frame.inner[FET_DRAIN], s = j->frame.inner[FET_SOURCE];
    const struct fet_voltages v = fet_voltages_at(&j->frame, at->x);
    const struct fet_value i = channel(&j->law, v);
    const struct noise_source flicker = {
        {j->frame.element, "1overf", d, s}, noise_flicker(p[P_KF], p[P_AF], i.value, b->all.own[k][I_M]), 1};
    return fet_add_series_noise(&j->frame, b->all.kelvin[k], list) &&
           noise_add_thermal(list, (struct noise_place){j->frame.element, "id", d, s},
                             noisy_conductance(&j->law, p, v, &i), b->all.kelvin[k]) &&
           (p[P_KF] == 0 || noise_add(list, &flicker));
}

static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    const struct jfet *j = &((const struct jfet_batch *)batch)->items[k];
    const bool stores = j->law.source.capacitance > 0 || j->law.drain.capacitance > 0;
    return fet_add_series(&j->frame, list) && fet_add_branches(&j->frame, true, stores, list);
}

static bool initial(const void *batch, size_t k, struct initial_list *list)
{
    const struct jfet_batch *b = batch;
    const struct fet *t = &b->items[k].frame;
    return instance_add_initial(&b->all, k, I_ICVDS, t->outer[FET_DRAIN], t->outer[FET_SOURCE], list) &&
           instance_add_initial(&b->all, k, I_ICVGS, t->outer[FET_GATE], t->outer[FET_SOURCE], list);
}

const struct device_class jfet_class = {
    .kind =
        {
            .letter = 'j',
            .noun = "junction field-effect transistor",
            .short_noun = "jfet",
            .nodes = "drain gate source",
            .usage = "model [area]",
            .form = CARD_MODEL,
            .quantities = {quantity_rows, Q_COUNT},
            .instance = {instance_rows, I_COUNT, NULL},
            .model = {model_rows, P_COUNT, "mfg type"},
            .types = types,
            .levels = levels,
            .values = "area",
        },
    .batch_size = sizeof(struct jfet_batch),
    .fill = fill,
    .number = number,
    .connect = connect,
    .prepare = prepare,
    .stamp = stamp,
    .eval = eval,
    .branches = branches,
    .initial = initial,
    .current = current,
    .observe = observe,
    .noise = noise,
};
