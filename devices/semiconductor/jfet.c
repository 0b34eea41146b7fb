/* jfet.c - J, Z and B of PSpice: field-effect transistors whose gate makes junctions with the channel.
 *
 * JFET (Shichman and Hodges, IEEE J. Solid-State Circuits 3 (1968) 285; with the doping tail b of Parker and Skellern's
 * modification as ngspice has it), u = vgs - vto, c = (1 - b)/(pb - vto), for 0 <= vds:
 *     i = 0                                                              u <= 0
 *     i = beta (1 + lambda vds) u^2 (b + c u)                            0 < u <= vds
 *     i = beta (1 + lambda vds) vds (vds (c vds - b) + u (2 b + 3 c (u - vds)))   vds < u
 * b = 1 is SPICE2's transistor.  Level 2 is jfet_parker.h in ngspice; Shockley's (Proc. IRE 40 (1952) 1365) as Xyce has it, with A = pb - vto:
 *     i = beta (1 + lambda vds)/(1 + theta u) (w - 2 A/3 ((1 - (u - w)/A)^(3/2) - (1 - u/A)^(3/2))),
 *     w = u min(vds/(u + delta), 1), and what is below a root is 0 at least
 * MESFET (Statz, Newman, Smith, Pucel and Haus, IEEE Trans. Electron Devices 34 (1987) 160):
 *     i = beta (1 + lambda vds) u^2/(1 + b u) (1 - (1 - alpha vds/3)^3),  the last factor 1 from vds = 3/alpha on
 * GaAs MESFET of PSpice (Reference Guide, "GaAs MESFET"): level 2 is Statz's, level 1 Curtice's (IEEE Trans. Microw. Theory
 * Tech. 28 (1980) 448), with depletion charges of both junctions:
 *     i = beta (1 + lambda vds) u^2 tanh(alpha vds)
 * and level 3 TriQuint's (McCamant, McCormack and Smith, IEEE Trans. Microw. Theory Tech. 38 (1990) 822), with Statz's charges:
 *     i = d/(1 + delta vds d),  d = beta (u + gamma vds)^q (1 - (1 - alpha vds/3)^3),  the last factor 1 from vds = 3/alpha on
 * In saturation impact ionisation adds a current from the drain of a JFET to its gate (PSpice A/D Reference Guide, JFET):
 *     i alpha d e^(-vk/d),   d = vds - u,  where 0 < u < vds
 * Drain and source change places for vds < 0.  Two junctions from the gate, with the recombination of PSpice (isr, nr).
 * Charges of the JFET: depletion charges of both junctions.  Of the MESFET, Statz's charge of the gate, in two parts,
 *     q1 = 2 cgs pb (1 - sqrt(1 - v/pb)), v a smooth max(max(vgs, vgd), vto), a straight line from v = 0.5 V on,
 *     q2 = cgd min(vgs, vgd),   max and min rounded over 1/alpha
 * of which q1 lies at the end that acts as source: w q1 + (1 - w) q2 at the source and the rest at the drain, with
 * w = (1 + vds/sqrt(vds^2 + 1/alpha^2))/2, so that all charges are functions of the voltages (ngspice shares out
 * capacitances instead, which is the same for vds well above 1/alpha).
 * Noise: 4 k T (2/3) gm, with nlev = 3 (8/3) k T beta u (1 + a + a^2)/(1 + a) gdsnoi, a = 1 - vds/u; flicker
 * kf |id|^af / f (ngspice manual, ch. 9 and 10).
 */
#include "devices/families.h"
#include "devices/semiconductor/fet.h"
#include "devices/semiconductor/fet_quantities.h"
#include "devices/semiconductor/instances.h"
#include "devices/semiconductor/jfet_parameters.h"
#include "devices/semiconductor/jfet_parker.h"
#include "knoten.h"

#include <math.h>

static const struct model_type types[] = {
    {"njf", NULL, "n-channel: current flows into the drain where v(g,s) is above vto"},
    {"pjf", NULL, "p-channel: vto is written as for an n-channel, a negative number as a rule"},
    {NULL, NULL, NULL},
};
static const struct model_level levels[] = {
    {1, "Shichman-Hodges"}, {2, "ngspice's, Parker-Skellern; Xyce's, after Shockley"}, {0, NULL}};
static const struct model_type mesfet_types[] = {
    {"nmf", NULL, "n-channel: current flows into the drain where v(g,s) is above vto"},
    {"pmf", NULL, "p-channel: vto is written as for an n-channel, a negative number as a rule"},
    {NULL, NULL, NULL},
};
static const struct model_level mesfet_levels[] = {{1, "Statz"}, {0, NULL}};
static const struct model_type gasfet_types[] = {
    {"gasfet", NULL, "n-channel: current flows into the drain where v(g,s) is above vto"},
    {NULL, NULL, NULL},
};
static const struct model_level gasfet_levels[] = {
    {1, "Curtice"}, {2, "Statz, called Raytheon's"}, {3, "TriQuint"}, {0, NULL}};

/* Area, multiplicity and temperature are in the numbers. */
struct jfet_law {
    double threshold, beta, lambda, b, c;
    double alpha;                       /* 1/V; 0: a JFET */
    bool curtice;                       /* and not Statz */
    double power, drop, heat;           /* TriQuint's q, gamma and delta (1/(A V)); q is 0 otherwise */
    double drain_source;                /* F */
    double ionisation, knee;            /* 1/V; V */
    double width, saturation, mobility; /* level 2: A, delta (V) and theta (1/V); A is 0 at level 1 */
    struct junction_law junction, recombination;
    struct depletion source, drain;
    struct parker_law parker;
};

struct jfet {
    struct fet frame;
    struct jfet_law law;
};

struct jfet_batch {
    struct instances all;
    enum dialect dialect;
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

static struct fet_value statz_forward(const struct jfet_law *law, double vgs, double vds)
{
    const double u = vgs - law->threshold, growth = 1 + law->lambda * vds;
    if (u <= 0)
        return (struct fet_value){0, 0, 0};
    const double d = 1 + law->b * u, square = law->beta * u * u / d, by_u = law->beta * u * (1 + d) / (d * d);
    const double left = fmax(1 - law->alpha * vds / 3, 0), part = 1 - left * left * left;
    return (struct fet_value){growth * square * part, growth * by_u * part,
                              square * (law->alpha * left * left * growth + part * law->lambda)};
}

static struct fet_value curtice_forward(const struct jfet_law *law, double vgs, double vds)
{
    const double u = vgs - law->threshold, growth = 1 + law->lambda * vds, knee = tanh(law->alpha * vds);
    if (u <= 0)
        return (struct fet_value){0, 0, 0};
    const double square = law->beta * u * u;
    return (struct fet_value){square * growth * knee, 2 * law->beta * u * growth * knee,
                              square * (law->lambda * knee + growth * law->alpha * (1 - knee * knee))};
}

static struct fet_value triquint_forward(const struct jfet_law *law, double vgs, double vds)
{
    const double u = vgs - law->threshold + law->drop * vds;
    if (u <= 0)
        return (struct fet_value){0, 0, 0};
    const double left = fmax(1 - law->alpha * vds / 3, 0), part = 1 - left * left * left;
    const double full = law->beta * pow(u, law->power), by_u = full * law->power / u * part;
    const double d = full * part, by_vds = by_u * law->drop + full * law->alpha * left * left;
    const double cool = 1 / (1 + law->heat * vds * d);
    return (struct fet_value){d * cool, by_u * cool * cool, (by_vds - law->heat * d * d) * cool * cool};
}

static struct fet_value shockley_forward(const struct jfet_law *law, double vgs, double vds)
{
    const double u = vgs - law->threshold, wide = law->width;
    if (u <= 0)
        return (struct fet_value){0, 0, 0};
    const double corner = u + law->saturation;
    const bool saturated = vds >= corner;
    const double w = saturated ? u : u * vds / corner;
    const double w_gs = saturated ? 1 : law->saturation * vds / (corner * corner), w_ds = saturated ? 0 : u / corner;
    const double at_drain = sqrt(fmax(1 - (u - w) / wide, 0)), at_source = sqrt(fmax(1 - u / wide, 0));
    const double shape = w - 2.0 / 3 * wide * (at_drain * at_drain * at_drain - at_source * at_source * at_source);
    const double by_w = 1 - at_drain, by_u = at_drain - at_source; /* of the shape, each with the other held */
    const double slow = 1 / (1 + law->mobility * u), beta = law->beta * slow, growth = 1 + law->lambda * vds;
    return (struct fet_value){beta * growth * shape,
                              beta * growth * (by_u + by_w * w_gs - law->mobility * slow * shape),
                              beta * (growth * by_w * w_ds + law->lambda * shape)};
}

static struct fet_value forward(const struct jfet_law *law, double vgs, double vds)
{
    if (law->width > 0)
        return shockley_forward(law, vgs, vds);
    if (law->curtice)
        return curtice_forward(law, vgs, vds);
    if (law->power > 0)
        return triquint_forward(law, vgs, vds);
    return law->alpha > 0 ? statz_forward(law, vgs, vds) : channel_forward(law, vgs, vds);
}

static struct fet_value channel(const struct jfet_law *law, struct fet_voltages v)
{
    if (law->parker.used)
        return parker_current(&law->parker, v);
    return v.ds >= 0 ? forward(law, v.gs, v.ds) : fet_reversed(forward(law, v.gs - v.ds, -v.ds));
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
    if (law->parker.breakdown > 0) {
        i += parker_breakdown(&law->parker, v, &g);
        *slope += g;
    }
    return i;
}

/* Of the channel's current i at vds >= 0, from the drain to the gate. */
static struct fet_value ionised(const struct jfet_law *law, const struct fet_value *i, double vgs, double vds)
{
    const double u = vgs - law->threshold, d = vds - u;
    if (u <= 0 || d <= 0)
        return (struct fet_value){0, 0, 0};
    const double part = law->ionisation * exp(-law->knee / d), share = part * d, slope = part * (1 + law->knee / d);
    return (struct fet_value){share * i->value, share * i->gs - slope * i->value, share * i->ds + slope * i->value};
}

static void add_ionisation(const struct jfet_law *law, struct fet_voltages v, struct fet_ends *out)
{
    const bool reversed = v.ds < 0;
    const double gs = reversed ? v.gs - v.ds : v.gs, ds = fabs(v.ds);
    const struct fet_value i = forward(law, gs, ds), ions = ionised(law, &i, gs, ds);
    struct fet_value *end = reversed ? &out->source : &out->drain;
    end->value += ions.value;
    end->gs += ions.gs;
    end->ds += reversed ? -ions.gs - ions.ds : ions.ds;
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
    if (law->ionisation > 0)
        add_ionisation(law, v, out);
}

static void add_drain_source(const struct jfet_law *law, double vds, struct fet_ends *out)
{
    out->drain.value += law->drain_source * vds;
    out->drain.ds += law->drain_source;
    out->source.value -= law->drain_source * vds;
    out->source.ds -= law->drain_source;
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
    add_drain_source(law, v.ds, out);
}

/* Where Statz's depletion charge goes over into a straight line, and the width of its ramp at threshold, V. */
static const double STATZ_END = 0.5, STATZ_RAMP = 0.2;

/* q1 of the effective voltage and its slope. */
static double statz_charge(const struct jfet_law *law, double effective, double *slope)
{
    const struct depletion *d = &law->source;
    const double above = effective - law->threshold, root = hypot(above, STATZ_RAMP);
    const double v = 0.5 * (effective + law->threshold + root), rise = 0.5 * (1 + above / root);
    const double end = fmin(STATZ_END, 0.9 * d->potential), within = fmin(v, end);
    const double rest = sqrt(1 - within / d->potential);
    *slope = d->capacitance / rest * rise;
    return d->capacitance * (2 * d->potential * (1 - rest) + (v - within) / rest);
}

static void statz_charges(const void *object, struct fet_voltages v, struct fet_ends *out)
{
    const struct jfet_law *law = object;
    const double root = hypot(v.ds, 1 / law->alpha), w = 0.5 * (1 + v.ds / root);
    const double bend = 0.5 / (law->alpha * law->alpha * root * root * root); /* dw/dvds */
    const double larger = v.gs + 0.5 * (root - v.ds), smaller = larger - root;
    double c1;
    const double q1 = statz_charge(law, larger, &c1), c2 = law->drain.capacitance, q2 = c2 * smaller;
    /* d larger/dvds = w - 1, d smaller/dvds = -w */
    const double q1_ds = c1 * (w - 1), q2_ds = -c2 * w;
    out->source.value = -(w * q1 + (1 - w) * q2);
    out->source.gs = -(w * c1 + (1 - w) * c2);
    out->source.ds = -(w * q1_ds + (1 - w) * q2_ds + bend * (q1 - q2));
    out->drain.value = -((1 - w) * q1 + w * q2);
    out->drain.gs = -((1 - w) * c1 + w * c2);
    out->drain.ds = -((1 - w) * q1_ds + w * q2_ds - bend * (q1 - q2));
    add_drain_source(law, v.ds, out);
}

static void parker_stored(const void *object, struct fet_voltages v, struct fet_ends *out)
{
    const struct jfet_law *law = object;
    parker_charges(&law->parker, v, out);
    add_drain_source(law, v.ds, out);
}

static double threshold(const void *law)
{
    return ((const struct jfet_law *)law)->threshold;
}

static const struct junction_law *junction(const void *law)
{
    return &((const struct jfet_law *)law)->junction;
}

static const struct fet_family families[] = {{currents, charges, threshold, junction},
                                             {currents, statz_charges, threshold, junction},
                                             {currents, parker_stored, threshold, junction}};

static const struct fet_family *family_of(const struct jfet_law *law)
{
    return &families[law->parker.used ? 2 : law->alpha > 0 && !law->curtice];
}

/* ---- set-up ---- */

static const struct instance_array arrays[] = {INSTANCE_ARRAY(jfet_batch, items)};

static bool check_level(const struct model *m, const double *p, const bool *given, const struct device_input *in)
{
    if (p[JFET_LEVEL] != 2 || kind_type(&gasfet_class.kind, m->type))
        return true;
    if (parker_is_meant(in->circuit->dialect, p, given))
        return parker_check(m, p, given, in->diagnostics);
    if (in->circuit->dialect != DIALECT_XYCE && !given[JFET_THETA]) {
        diagnostics_add(in->diagnostics, KN_ERROR, "model-level", m->where,
                        "with --dialect xyce, or where theta is given, it is Xyce's; with --dialect ngspice ngspice's",
                        "model '%s': level 2 is another model in every program", m->name);
        return false;
    }
    if (p[JFET_PB] > p[JFET_VTO])
        return true;
    diagnostics_add(in->diagnostics, KN_ERROR, "parameter-range", m->where, "vto is negative as a rule, also of a PJF",
                    "model '%s': vto must be below pb (%g V) at level 2, but is %g V", m->name, p[JFET_PB],
                    p[JFET_VTO]);
    return false;
}

static bool check_levels(const struct jfet_batch *b, const struct device_input *in)
{
    const struct model_cards *cards = &b->all.cards;
    bool good = true;
    for (size_t i = 0; i < cards->count; i++)
        good = check_level(cards->models[i], cards->values + i * cards->width, model_card_given(cards, i), in) && good;
    return good;
}

static const struct parameter_info *rows_of(const struct jfet_batch *b, size_t k)
{
    return b->all.base.elements[k]->kind->model.rows;
}

static bool is_gasfet(const struct jfet_batch *b, size_t k)
{
    return rows_of(b, k) == gasfet_model_rows;
}

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct jfet_batch *b = batch;
    const enum kn_status status = instances_read(&b->all, in);
    if (status == KN_ERROR_MEMORY || !instances_allocate(&b->all, arrays, 1))
        return KN_ERROR_MEMORY;
    b->dialect = in->circuit->dialect;
    if (!check_levels(b, in))
        return KN_ERROR_DECK;
    for (size_t k = 0; k < in->count; k++) {
        const double *p = b->all.model[k];
        const double size = b->all.own[k][JFET_AREA] * b->all.own[k][JFET_M];
        struct fet *t = &b->items[k].frame;
        t->sign = instance_sign(&b->all, k);
        t->series[FET_DRAIN] = p[JFET_RD] > 0 ? size / p[JFET_RD] : 0;
        t->series[FET_SOURCE] = p[JFET_RS] > 0 ? size / p[JFET_RS] : 0;
        t->series[FET_GATE] = is_gasfet(b, k) && p[GASFET_RG] > 0 ? size / p[GASFET_RG] : 0;
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

static void prepare_law(struct jfet_law *law, const double *p, const bool *given, double size, const struct thermal *t,
                        bool statz)
{
    const double rise = t->kelvin - t->nominal;
    const double change = given[JFET_VTOTC] ? p[JFET_VTOTC] * rise : -p[JFET_TCV] * rise;
    const double growth = given[JFET_BETATCE] ? pow(1.01, p[JFET_BETATCE] * rise) : pow(t->ratio, p[JFET_BEX]);
    const double gate = size * exp((t->ratio - 1) * p[JFET_EG] / (p[JFET_N] * t->voltage)) * pow(t->ratio, p[JFET_XTI]);
    law->threshold = p[JFET_VTO] + change;
    law->beta = size * p[JFET_BETA] * growth;
    law->lambda = p[JFET_LAMBDA];
    law->b = p[JFET_B];
    law->alpha = statz ? p[JFET_ALPHA] : 0;
    law->c = p[JFET_B] == 1 ? 0 : (1 - p[JFET_B]) / (p[JFET_PB] - p[JFET_VTO]);
    law->junction = (struct junction_law){gate * p[JFET_IS], 1 / (p[JFET_N] * t->voltage)};
    law->recombination = (struct junction_law){
        size * p[JFET_ISR] * thermal_saturation(t, p[JFET_EG], p[JFET_XTI], p[JFET_NR]), 1 / (p[JFET_NR] * t->voltage)};
    const double potential = thermal_potential(t, p[JFET_PB]);
    const bool shockley = !statz && p[JFET_LEVEL] == 2;
    law->width = shockley ? potential - law->threshold : 0;
    law->saturation = shockley ? p[JFET_DELTA] : 0;
    law->mobility = shockley ? p[JFET_THETA] : 0;
    law->ionisation = statz ? 0 : fmax(p[JFET_IONISATION], 0);
    law->knee = statz ? 0 : p[JFET_VK];
    law->source = depletion_of(size * thermal_capacitance(t, p[JFET_CGS], p[JFET_PB], p[JFET_GRADING]), potential,
                               p[JFET_GRADING], p[JFET_FC]);
    law->drain = depletion_of(size * thermal_capacitance(t, p[JFET_CGD], p[JFET_PB], p[JFET_GRADING]), potential,
                              p[JFET_GRADING], p[JFET_FC]);
}

static void prepare_gasfet(struct jfet_law *law, const double *p, double size, const struct thermal *t)
{
    const bool triquint = p[JFET_LEVEL] == 3;
    law->curtice = p[JFET_LEVEL] == 1;
    law->power = triquint ? p[GASFET_Q] : 0;
    law->drop = triquint ? p[GASFET_GAMMA] : 0;
    law->heat = triquint ? p[GASFET_DELTA] / size : 0;
    law->alpha *= pow(1.01, p[GASFET_ALPHATCE] * (t->kelvin - t->nominal));
    law->drain_source = size * p[GASFET_CDS];
}

static void prepare(void *batch, size_t k, double temperature)
{
    struct jfet_batch *b = batch;
    const struct thermal t = instance_thermal(&b->all, k, temperature, JFET_TEMP, JFET_DTEMP, JFET_TNOM);
    prepare_law(&b->items[k].law, b->all.model[k], b->all.model_given[k],
                b->all.own[k][JFET_AREA] * b->all.own[k][JFET_M], &t, rows_of(b, k) != jfet_model_rows);
    if (rows_of(b, k) == jfet_model_rows && parker_is_meant(b->dialect, b->all.model[k], b->all.model_given[k])) {
        struct jfet_law *law = &b->items[k].law;
        parker_prepare(&law->parker, b->all.model[k], b->all.own[k][JFET_AREA] * b->all.own[k][JFET_M], &t);
        law->junction.saturation = law->parker.gate;
        law->drain_source = law->parker.drain_source;
    }
    if (is_gasfet(b, k))
        prepare_gasfet(&b->items[k].law, b->all.model[k], b->all.own[k][JFET_AREA] * b->all.own[k][JFET_M], &t);
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
        fet_eval(family_of(&b->items[k].law), &b->items[k].frame, &b->items[k].law, at, out);
}

/* ---- what others ask ---- */

static double current(const void *batch, size_t k, int terminal, const struct device_probe *at)
{
    const struct jfet *j = &((const struct jfet_batch *)batch)->items[k];
    return fet_current(family_of(&j->law), &j->frame, &j->law, terminal, at);
}

enum { Q_REGION, Q_ID, Q_IG, Q_IS, Q_VGS, Q_VDS, Q_VTH, Q_GM, Q_GDS, Q_GGS, Q_GGD, Q_CGS, Q_CGD, Q_COUNT };

static const struct quantity_info quantity_rows[Q_COUNT] = {
    [Q_REGION] = FET_REGION,
    FET_QUANTITIES(Q_),
    [Q_IG] = {"ig", "cg", "A", "current into the gate"},
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
    struct fet_ends q;
    family_of(&j->law)->charges(&j->law, v, &q);
    values[Q_CGS] = -(q.source.gs + q.source.ds) - (q.drain.gs + q.drain.ds);
    values[Q_CGD] = q.source.ds + q.drain.ds;
}

/* S, whose thermal noise the channel has. */
static double noisy_conductance(const struct jfet_law *law, const double *p, struct fet_voltages v,
                                const struct fet_value *i)
{
    const double over = v.gs - fmin(v.ds, 0) - law->threshold;
    if (p[JFET_NLEV] < 3)
        return 2.0 / 3 * fabs(i->gs);
    if (over <= 0)
        return 0;
    const double a = over <= fabs(v.ds) ? 0 : 1 - fabs(v.ds) / over;
    return 2.0 / 3 * law->beta * over * (1 + a + a * a) / (1 + a) * p[JFET_GDSNOI];
}

static bool noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list)
{
    const struct jfet_batch *b = batch;
    const struct jfet *j = &b->items[k];
    const double *p = b->all.model[k];
    const int d = j->frame.inner[FET_DRAIN], s = j->frame.inner[FET_SOURCE];
    const struct fet_voltages v = fet_voltages_at(&j->frame, at->x);
    const struct fet_value i = channel(&j->law, v);
    const struct noise_source flicker = {.at = {j->frame.element, "1overf", d, s},
                                         .density =
                                             noise_flicker(p[JFET_KF], p[JFET_AF], i.value, b->all.own[k][JFET_M]),
                                         .exponent = 1};
    return fet_add_series_noise(&j->frame, b->all.kelvin[k], list) &&
           noise_add_thermal(list, (struct noise_place){j->frame.element, "id", d, s},
                             noisy_conductance(&j->law, p, v, &i), b->all.kelvin[k]) &&
           (p[JFET_KF] == 0 || noise_add(list, &flicker));
}

static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    const struct jfet *j = &((const struct jfet_batch *)batch)->items[k];
    const bool stores = j->law.source.capacitance > 0 || j->law.drain.capacitance > 0;
    const struct branch_place ends = {j->frame.element, j->frame.inner[FET_DRAIN], j->frame.inner[FET_SOURCE],
                                      "drain-source charge", "ds"};
    return fet_add_series(&j->frame, list) && fet_add_branches(&j->frame, true, stores, list) &&
           (!(j->law.drain_source > 0) || branch_add_law(list, BRANCH_C, ends, NULL, 0));
}

static bool initial(const void *batch, size_t k, struct initial_list *list)
{
    const struct jfet_batch *b = batch;
    const struct fet *t = &b->items[k].frame;
    return instance_add_initial(&b->all, k, JFET_ICVDS, t->outer[FET_DRAIN], t->outer[FET_SOURCE], list) &&
           instance_add_initial(&b->all, k, JFET_ICVGS, t->outer[FET_GATE], t->outer[FET_SOURCE], list);
}

/* The kinds differ by their cards only. */
#define GATE_JUNCTION_FUNCTIONS                                                                                        \
    .batch_size = sizeof(struct jfet_batch), .fill = fill, .number = number, .connect = connect, .prepare = prepare,   \
    .stamp = stamp, .eval = eval, .branches = branches, .initial = initial, .current = current, .observe = observe,    \
    .noise = noise

#define GATE_JUNCTION_KIND                                                                                             \
    .nodes = "drain gate source", .usage = "model [area]", .form = CARD_MODEL, .quantities = {quantity_rows, Q_COUNT}, \
    .instance = {jfet_instance_rows, JFET_INSTANCE_COUNT, NULL}, .values = "area"

const struct device_class jfet_class = {
    .kind =
        {
            .letter = 'j',
            GATE_JUNCTION_KIND,
            .laws = "jfet",
            .noun = "junction field-effect transistor",
            .short_noun = "jfet",
            .model = {jfet_model_rows, JFET_MODEL_COUNT, "mfg type"},
            .types = types,
            .levels = levels,
        },
    GATE_JUNCTION_FUNCTIONS,
};

const struct device_class mesfet_class = {
    .kind =
        {
            .letter = 'z',
            GATE_JUNCTION_KIND,
            .laws = "mesfet",
            .noun = "MESFET",
            .model = {mesfet_model_rows, MESFET_MODEL_COUNT, "mfg type"},
            .types = mesfet_types,
            .levels = mesfet_levels,
        },
    GATE_JUNCTION_FUNCTIONS,
};

const struct device_class gasfet_class = {
    .kind =
        {
            .letter = 'b',
            GATE_JUNCTION_KIND,
            .laws = "mesfet",
            .noun = "GaAs MESFET",
            .short_noun = "gasfet",
            .model = {gasfet_model_rows, GASFET_MODEL_COUNT, "mfg type"},
            .types = gasfet_types,
            .levels = gasfet_levels,
        },
    GATE_JUNCTION_FUNCTIONS,
};
