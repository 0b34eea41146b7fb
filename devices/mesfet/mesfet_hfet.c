/* mesfet_hfet.c - Z with models of AIM-Spice: MESFETs of levels 2, 3 and 4, HFETs of levels 5 and 6.  mes_law.h has the
 * equations and where they come from, mes_batch.h the nodes.
 *
 * Noise, of which ngspice has none in these: 4 k T g of the resistances, 4 k T (2/3) gm of the channel.
 */
#include "devices/families.h"
#include "devices/mesfet/mes_batch.h"
#include "devices/noise.h"
#include "devices/semiconductor/fet_quantities.h"

#include <string.h>

/* ---- set-up ---- */

static const struct instance_array arrays[] = {INSTANCE_ARRAY(mes_batch, items)};

/* Of the k-th, without temperatures. */
static struct mes_cards cards_of(const struct mes_batch *b, size_t k)
{
    return (struct mes_cards){.model = b->all.model[k],
                              .own = b->all.own[k],
                              .given = b->all.model_given[k],
                              .sign = instance_sign(&b->all, k),
                              .nominal = b->all.nominal_temperature + DEVICE_KELVIN};
}

static void find_conductances(const struct mes_cards *c, mes_find_resistances *resistances, struct mes_transistor *t)
{
    double ohm[MES_RESISTORS];
    resistances(c, ohm);
    for (int i = 0; i < MES_RESISTORS; i++)
        t->conductance[i] = ohm[i] > 0 ? t->multiple / ohm[i] : 0;
}

static enum kn_status fill_with(void *batch, const struct device_input *in, mes_find_resistances *resistances)
{
    struct mes_batch *b = batch;
    const enum kn_status status = instances_read(&b->all, in);
    if (status == KN_ERROR_MEMORY || !instances_allocate(&b->all, arrays, 1))
        return KN_ERROR_MEMORY;
    for (size_t k = 0; k < in->count; k++) {
        struct mes_transistor *t = &b->items[k];
        struct mes_cards c = cards_of(b, k);
        t->element = in->elements[k];
        t->sign = c.sign;
        t->multiple = c.own[MES_M];
        c.kelvin[MES_SOURCE_END] = c.kelvin[MES_DRAIN_END] = c.nominal;
        find_conductances(&c, resistances, t);
    }
    return status;
}

static void prepare_with(struct mes_batch *b, size_t k, struct mes_cards *c, mes_find_resistances *resistances,
                         mes_find_law *law)
{
    struct mes_transistor *t = &b->items[k];
    memcpy(t->kelvin, c->kelvin, sizeof t->kelvin);
    b->all.kelvin[k] = c->kelvin[MES_SOURCE_END];
    find_conductances(c, resistances, t);
    law(c, &t->law);
}

/* K: what a row of the element gives in degrees Celsius, or the circuit's and dtemp. */
static double temperature_at(const struct mes_batch *b, size_t k, double celsius, int row)
{
    const double *own = b->all.own[k];
    return (b->all.own_given[k][row] ? own[row] : celsius + own[MES_DTEMP]) + DEVICE_KELVIN;
}

static void prepare_rows(void *batch, size_t k, double temperature, const int rows[MES_ENDS],
                         mes_find_resistances *resistances, mes_find_law *law)
{
    struct mes_batch *b = batch;
    struct mes_cards c = cards_of(b, k);
    const double celsius = model_temperature(b->items[k].element->model, temperature);
    c.circuit = temperature + DEVICE_KELVIN;
    for (int end = 0; end < MES_ENDS; end++)
        c.kelvin[end] = temperature_at(b, k, celsius, rows[end]);
    prepare_with(b, k, &c, resistances, law);
}

static enum kn_status fill_mesa(void *batch, const struct device_input *in)
{
    return fill_with(batch, in, mesa_resistances);
}

static enum kn_status fill_hfet1(void *batch, const struct device_input *in)
{
    return fill_with(batch, in, hfet1_resistances);
}

static enum kn_status fill_hfet2(void *batch, const struct device_input *in)
{
    return fill_with(batch, in, hfet2_resistances);
}

static void prepare_mesa(void *batch, size_t k, double temperature)
{
    static const int rows[MES_ENDS] = {[MES_SOURCE_END] = MES_TS, [MES_DRAIN_END] = MES_TD};
    prepare_rows(batch, k, temperature, rows, mesa_resistances, mesa_law);
}

static const int hfet_temperatures[MES_ENDS] = {MES_TEMP, MES_TEMP};

static void prepare_hfet1(void *batch, size_t k, double temperature)
{
    prepare_rows(batch, k, temperature, hfet_temperatures, hfet1_resistances, hfet1_law);
}

static void prepare_hfet2(void *batch, size_t k, double temperature)
{
    prepare_rows(batch, k, temperature, hfet_temperatures, hfet2_resistances, hfet2_law);
}

/* ---- what others ask ---- */

enum { Q_ID, Q_IG, Q_IS, Q_VGS, Q_VDS, Q_VTH, Q_VDSAT, Q_GM, Q_GDS, Q_GGS, Q_GGD, Q_CGS, Q_CGD, Q_COUNT };

static const struct quantity_info quantity_rows[Q_COUNT] = {
    FET_QUANTITIES(Q_),
    [Q_IG] = {"ig", "cg", "A", "current into the gate"},
    [Q_VTH] = {"vth", "vto", "V",
               "threshold of the gate against the end that acts as source, without the drain's effect"},
    [Q_VDSAT] = {"vdsat", NULL, "V", "saturation voltage"},
    [Q_GM] = {"gm", NULL, "S", "d id / d vgs of the channel"},
    [Q_GDS] = {"gds", NULL, "S", "d id / d vds of the channel"},
    [Q_GGS] = {"ggs", NULL, "S", "conductance of the gate-source junction"},
    [Q_GGD] = {"ggd", NULL, "S", "conductance of the gate-drain junction"},
    [Q_CGS] = {"cgs", NULL, "F", "capacitance between gate and source"},
    [Q_CGD] = {"cgd", NULL, "F", "capacitance between gate and drain"},
};

static void observe(const void *batch, size_t k, const struct device_probe *at, double *values)
{
    static const int rows[3] = {[MES_NODE_D] = Q_ID, [MES_NODE_G] = Q_IG, [MES_NODE_S] = Q_IS};
    const struct mes_transistor *t = &((const struct mes_batch *)batch)->items[k];
    const struct mes_bias v = mes_bias_at(t, at->x);
    struct mes_point o;
    mes_evaluate(&t->law, v, &o);
    for (int i = 0; i < 3; i++)
        values[rows[i]] = mes_current(batch, k, i, at);
    values[Q_VGS] = t->sign * v.gs;
    values[Q_VDS] = t->sign * v.ds;
    values[Q_VTH] = t->sign * (t->law.channel.threshold + v.lift);
    values[Q_VDSAT] = t->sign * o.saturation;
    values[Q_GM] = t->multiple * o.channel.by[MES_GATE];
    values[Q_GDS] = t->multiple * o.channel.by[MES_DRAIN];
    values[Q_GGS] = t->multiple * (o.gate[MES_SOURCE_END].by[MES_GATE] + at->gmin);
    values[Q_GGD] = t->multiple * (o.gate[MES_DRAIN_END].by[MES_GATE] + at->gmin);
    values[Q_CGS] = t->multiple * o.capacitance[MES_SOURCE_END].value;
    values[Q_CGD] = t->multiple * o.capacitance[MES_DRAIN_END].value;
}

static bool noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list)
{
    static const char *const mechanisms[MES_RESISTORS] = {"rd", "rg", "rs", "ri", "rf"};
    static const enum mes_end ends[MES_RESISTORS] = {[MES_R_DRAIN] = MES_DRAIN_END, [MES_R_GATE_DRAIN] = MES_DRAIN_END};
    const struct mes_transistor *t = &((const struct mes_batch *)batch)->items[k];
    struct mes_point o;
    bool good = true;
    mes_evaluate(&t->law, mes_bias_at(t, at->x), &o);
    for (int i = 0; i < MES_RESISTORS; i++) {
        const struct mes_pair e = mes_resistor_ends[i];
        const struct noise_place place = {t->element, mechanisms[i], t->unknowns[e.from], t->unknowns[e.to]};
        good = noise_add_thermal(list, place, t->conductance[i], t->kelvin[ends[i]]) && good;
    }
    const struct noise_place channel = {t->element, "id", t->unknowns[MES_NODE_DI], t->unknowns[MES_NODE_SI]};
    return good && noise_add_thermal(list, channel, 2.0 / 3 * t->multiple * fabs(o.channel.by[MES_GATE]),
                                     t->kelvin[MES_SOURCE_END]);
}

/* ---- pieces ---- */

static bool add_resistances(const struct mes_transistor *t, struct branch_list *list)
{
    static const char *const parts[MES_RESISTORS][2] = {{"drain resistance", "d"},
                                                        {"gate resistance", "g"},
                                                        {"source resistance", "s"},
                                                        {"gate-source resistance", "ri"},
                                                        {"gate-drain resistance", "rf"}};
    bool good = true;
    for (int i = 0; i < MES_RESISTORS; i++) {
        const struct mes_pair e = mes_resistor_ends[i];
        const struct branch_place at = {t->element, t->unknowns[e.from], t->unknowns[e.to], parts[i][0], parts[i][1]};
        good = branch_add_resistance(list, at, 1 / t->conductance[i]) && good;
    }
    return good;
}

/* The constant part of a capacitance, the rest, and the equation of the rate that this follows. */
static bool add_capacitance(const struct mes_transistor *t, enum mes_node node, enum mes_node rate, const char *part,
                            const char *symbol, struct branch_list *list)
{
    const int *u = t->unknowns, controls[4] = {u[rate], u[MES_NODE_GI], u[MES_NODE_DI], u[MES_NODE_SI]};
    const double unit = t->multiple * t->law.unit;
    const struct branch_place at = {t->element, u[MES_NODE_GI], u[node], part, symbol};
    const struct branch row = {.plus = u[rate], .element = t->element, .part = part, .short_name = symbol};
    const struct branch constant = {.kind = BRANCH_C,
                                    .plus = at.plus,
                                    .minus = at.minus,
                                    .element = t->element,
                                    .part = part,
                                    .short_name = symbol,
                                    .role = ROLE_VALUE,
                                    .constant = unit};
    return branch_add(list, &constant) && branch_add_law(list, BRANCH_I, at, controls, 4) &&
           branch_add_entry(list, &row, u[rate], 1, false) &&
           branch_add_entry(list, &row, u[MES_NODE_GI], -unit, true) &&
           branch_add_entry(list, &row, u[node], unit, true);
}

static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    const struct mes_transistor *t = &((const struct mes_batch *)batch)->items[k];
    const int d = t->unknowns[MES_NODE_DI], g = t->unknowns[MES_NODE_GI], s = t->unknowns[MES_NODE_SI];
    const struct branch_place channel = {t->element, d, s, "channel", "ds"};
    const struct branch_place source = {t->element, g, s, "gate-source junction", "gs"};
    const struct branch_place drain = {t->element, g, d, "gate-drain junction", "gd"};
    const struct branch capacitance = {.kind = BRANCH_C,
                                       .plus = d,
                                       .minus = s,
                                       .element = t->element,
                                       .part = "drain-source capacitance",
                                       .short_name = "cds",
                                       .role = ROLE_VALUE,
                                       .constant = t->multiple * t->law.drain_source};
    return branch_add_law(list, BRANCH_I, channel, &g, 1) && branch_add_law(list, BRANCH_R, source, NULL, 0) &&
           branch_add_law(list, BRANCH_R, drain, t->law.hot.there ? &s : NULL, t->law.hot.there) &&
           add_capacitance(t, MES_NODE_SJ, MES_RATE_GS, "gate-source capacitance", "cgs", list) &&
           add_capacitance(t, MES_NODE_DJ, MES_RATE_GD, "gate-drain capacitance", "cgd", list) &&
           branch_add(list, &capacitance) && add_resistances(t, list);
}

static bool initial(const void *batch, size_t k, struct initial_list *list)
{
    const struct mes_batch *b = batch;
    const int *u = b->items[k].unknowns;
    return instance_add_initial(&b->all, k, MES_ICVDS, u[MES_NODE_D], u[MES_NODE_S], list) &&
           instance_add_initial(&b->all, k, MES_ICVGS, u[MES_NODE_G], u[MES_NODE_S], list);
}

/* ---- kinds ---- */

static const struct model_type mesfets[] = {
    {"nmf", NULL, "n-channel: current flows into the drain where v(g,s) is above vto"},
    {"pmf", NULL, "p-channel: vto is written as for an n-channel, a negative number as a rule"},
    {NULL, NULL, NULL},
};
static const struct model_type hfets[] = {
    {"nhfet", NULL, "n-channel: current flows into the drain where v(g,s) is above vto"},
    {"phfet", NULL, "p-channel: it does out of it where v(g,s) is below vto, a negative number as a rule"},
    {NULL, NULL, NULL},
};
static const struct model_level mesfet_levels[] = {{2, "uniform doping (AIM-Spice)"},
                                                   {3, "delta doping (AIM-Spice)"},
                                                   {4, "sheet of carriers (AIM-Spice)"},
                                                   {0, NULL}};
static const struct model_level hfet1_levels[] = {{5, "HFET1 (AIM-Spice)"}, {0, NULL}};
static const struct model_level hfet2_levels[] = {{6, "HFET2 (AIM-Spice)"}, {0, NULL}};

#define MES_KIND(noun_)                                                                                                \
    ELEMENT_KIND('z', noun_, "drain gate source", "model L=value W=value", CARD_MODEL),                                \
        .quantities = {quantity_rows, Q_COUNT}

#define MES_FUNCTIONS                                                                                                  \
    .batch_size = sizeof(struct mes_batch), .number = mes_number, .connect = mes_connect, .eval = mes_eval,            \
    .delay = mes_delay, .branches = branches, .initial = initial, .current = mes_current, .observe = observe,          \
    .noise = noise

const struct device_class mesa_class = {
    .kind =
        {
            MES_KIND("MESFET of levels 2 to 4"),
            .instance = {mesa_instance_rows, MESA_INSTANCE_COUNT, NULL},
            .model = {mesa_model_rows, MESA_MODEL_COUNT, "mfg type nmf pmf"},
            .types = mesfets,
            .levels = mesfet_levels,
        },
    MES_FUNCTIONS,
    .fill = fill_mesa,
    .prepare = prepare_mesa,
};

/* HFETs of a level; `family` is what its names begin with. */
#define HFET_CLASS(level, family, row_count)                                                                           \
    {                                                                                                                  \
        .kind = {MES_KIND("heterostructure field-effect transistor of level " level),                                  \
                 .instance = {hfet_instance_rows, HFET_INSTANCE_COUNT, NULL},                                          \
                 .model = {family##_model_rows, row_count, "mfg type nhfet phfet"}, .types = hfets,                    \
                 .levels = family##_levels},                                                                           \
        MES_FUNCTIONS, .fill = fill_##family, .prepare = prepare_##family,                                             \
    }

const struct device_class hfet1_class = HFET_CLASS("5", hfet1, HFET1_MODEL_COUNT);
const struct device_class hfet2_class = HFET_CLASS("6", hfet2, HFET2_MODEL_COUNT);
