/* bsim4_noise.c - the noise of BSIM4 transistors (BSIM4.8 manual, chapter 9): thermal in resistances and channel, flicker,
 * shot noise of tunnelling.
 *
 * Channel, 4 k T G: tnoimod = 0  G = ueff |Qinv|/(L^2 + ueff |Qinv| Rds) ntnoi; 1  G = (beta_n (gm + gmbs) + gds)^2/(id/vds),
 * a part of which is in the resistance of the source where there is one; 2  G = gamma gd0.  Of m transistors in parallel each has its own.
 */
#include "devices/bsim4/bsim4_batch.h"
#include "devices/noise.h"

struct bias {
    struct bsim4_point at; /* of one finger */
    struct bsim4_ends ends;
    bool reversed;
    double drain; /* V, against the end that acts as source */
};

static struct bias bias_of(const struct bsim4_batch *b, size_t k, const struct device_probe *probe)
{
    const struct bsim4_law *law = &b->laws[b->mos.like[k]];
    const int *n = b->mos.nodes[k].inner;
    const double sign = b->mos.sign[k], source = probe->x[n[MOSFET_SOURCE]];
    const double gs = sign * (probe->x[n[MOSFET_GATE]] - source), ds = sign * (probe->x[n[MOSFET_DRAIN]] - source);
    const double bs = sign * (probe->x[n[MOSFET_BULK]] - source), end = fmin(ds, 0);
    struct bias o = {.reversed = ds < 0, .drain = fabs(ds)};
    bsim4_evaluate(law, gs - end, o.drain, bs - end, BSIM4_CURRENTS, &o.at);
    bsim4_evaluate_ends(law, gs, ds, bs, &o.ends);
    return o;
}

/* tnoimod = 1 and 2: factors of conductances that grow with the field. */
static double raised(const struct bsim4_law *law, const struct bias *o, double level, double rate)
{
    const double field = o->at.state.overdrive / o->at.critical;
    return level * (1 + field * field * rate * law->length);
}

static double share_in_source(const struct bsim4_law *law, const double *p, const struct bias *o)
{
    const double channel = raised(law, o, p[BSIM4_CARD_RNOIA], p[BSIM4_CARD_TNOIA]);
    return fmin(fmin(raised(law, o, p[BSIM4_CARD_RNOIB], p[BSIM4_CARD_TNOIB]), 0.9), 0.9 * channel);
}

/* (9.2.2): of all fingers of one transistor. */
static double by_conductances(const struct bsim4_law *law, const double *p, const struct bias *o, double nf,
                              bool resists)
{
    const double slope = fmax(o->at.slope.value, p[BSIM4_CARD_IDOVVDSC]);
    const struct mosfet_value *i = &o->at.current;
    const double channel = raised(law, o, p[BSIM4_CARD_RNOIA], p[BSIM4_CARD_TNOIA]) * (i->gs + i->bs) + i->ds;
    const double whole = i->gs + i->bs + i->ds, share = share_in_source(law, p, o);
    return nf * (channel * channel - (resists ? share * share * whole * whole : 0)) / slope;
}

/* (9.2.3), gamma gd0. */
static double holistic(const struct bsim4_law *law, const double *p, const struct bias *o, double nf)
{
    const struct bsim4_point *at = &o->at;
    const double along = at->state.bulk_charge / (at->state.overdrive + 2 * law->thermal) * at->state.drain_effective;
    const double eta = 1 - along, sum = 1 + eta,
                 under = sum + 2 * at->state.bulk_charge * law->thermal / at->state.overdrive;
    const double shortened = 1 / (1 + at->state.drain_effective / at->critical);
    const double level = raised(law, o, p[BSIM4_CARD_RNOIA], p[BSIM4_CARD_TNOIA]);
    const double at_rest =
        nf * at->conductance.value * at->state.overdrive / (1 + at->long_conductance * at->state.resistance);
    return shortened * (0.5 * sum + along * along / (6 * under)) * 3 * level * level * at_rest;
}

/* Charge of the channel of all, C: as if its overdrive were that of the current (9.2.1). */
static double inverted(const struct bsim4_law *law, const struct bias *o)
{
    const double v = o->at.state.overdrive, a = o->at.charge_bulk, saturation = v / a, delta = 0.02;
    const double under = saturation - o->drain - delta, root = sqrt(under * under + 4 * delta * saturation);
    const double across = a * 2 * saturation * o->drain / (saturation + o->drain + delta + root);
    const double middle = v - 0.5 * across + 1e-20;
    return o->at.layer_oxide / law->oxide * law->charges.channel * (middle + across * across / (12 * middle));
}

static double channel_conductance(const struct bsim4_law *law, const double *p, const struct bias *o, double m,
                                  double nf, bool resists)
{
    const int model = (int)p[BSIM4_CARD_TNOIMOD];
    if (model == 1)
        return m * by_conductances(law, p, o, nf, resists);
    if (model == 2)
        return m * holistic(law, p, o, nf);
    const double mobile = o->at.state.mobility * inverted(law, o) / m;
    const double under = mobile * o->at.state.resistance / nf + law->length * law->length;
    return m * p[BSIM4_CARD_NTNOI] * mobile / under;
}

/* Of one transistor at 1 Hz, A^2/Hz (9.1). */
static double trap_noise(const struct bsim4_law *law, const double *p, const bool *given, double sign,
                         const struct bias *o, double nf, double kelvin)
{
    const double ends = o->at.carriers;
    const struct bsim_traps t = {
        .a = given[BSIM4_CARD_NOIA] ? p[BSIM4_CARD_NOIA]
             : sign > 0             ? 6.25e41
                                    : 6.188e40,
        .b = given[BSIM4_CARD_NOIB] ? p[BSIM4_CARD_NOIB]
             : sign > 0             ? 3.125e26
                                    : 1.5e25,
        .c = p[BSIM4_CARD_NOIC],
        .field = p[BSIM4_CARD_EM],
        .ends = ends,
        .least = 1e10 * ends * ends,
        .unit = 1e10,
        .length = law->length - 2 * p[BSIM4_CARD_LINTNOI],
        .width = law->width * nf,
        .whole = law->length,
        .critical = 2 * law->velocity / o->at.state.mobility,
        .reach = law->saturation_length,
        .oxide = law->oxide,
        .thermal = law->thermal,
        .charge = DEVICE_CHARGE,
        .energy = DEVICE_BOLTZMANN * kelvin,
        .current = nf * fabs(o->at.current.value),
        .rest = o->drain - o->at.state.drain_effective,
    };
    return bsim_trap_noise(&t, &o->at.state);
}

struct resistance {
    const char *name;
    int a, b;
    double conductance;
};

static bool add_resistances(const struct bsim4_batch *b, size_t k, const struct device_probe *probe,
                            const struct bias *o, struct noise_list *list)
{
    const struct bsim4_shell *s = &b->shells[k];
    const struct mosfet_nodes *n = &b->mos.nodes[k];
    const struct element *e = b->mos.all.base.elements[k];
    const double *p = b->mos.all.model[k], m = b->mos.all.own[k][MOSFET_M], nf = b->mos.all.own[k][BSIM4_NF];
    double end[2], electrode = s->gate_law != 0 ? s->gate_conductance : 0;
    bsim4_end_conductances(b, k, probe->x, end);
    if (p[BSIM4_CARD_TNOIMOD] == 1) { /* what the channel induces in the gate */
        const struct bsim4_law *law = &b->laws[b->mos.like[k]];
        const double share = share_in_source(law, p, o), slope = fmax(nf * o->at.slope.value, p[BSIM4_CARD_IDOVVDSC]);
        double *source = &end[o->reversed ? 0 : 1];
        *source *= 1 + share * share * *source / (m * slope);
    }
    if (s->gate_law > 1) {
        const struct bsim4_law *law = &b->laws[b->mos.like[k]];
        const double channel = law->p[BSIM4_XRCRG1] * nf * m *
                               (law->p[BSIM4_XRCRG2] * law->thermal * o->at.conductance.value + o->at.slope.value);
        const double share = channel / (channel + electrode);
        electrode *= share * share;
    }
    const struct resistance all[] = {{"rd", n->drain, n->inner[MOSFET_DRAIN], end[0]},
                                     {"rs", n->source, n->inner[MOSFET_SOURCE], end[1]},
                                     {"rg", s->gate, n->inner[MOSFET_GATE], electrode},
                                     {"rbpb", s->bulk, n->inner[MOSFET_BULK], s->to_bulk},
                                     {"rbpd", n->inner[MOSFET_BULK], s->junctions[0], s->to_junctions[0]},
                                     {"rbps", n->inner[MOSFET_BULK], s->junctions[1], s->to_junctions[1]},
                                     {"rbdb", s->bulk, s->junctions[0], s->bulk_to_junctions[0]},
                                     {"rbsb", s->bulk, s->junctions[1], s->bulk_to_junctions[1]}};
    const size_t count = sizeof all / sizeof *all - (s->body ? 0 : 5);
    bool good = true;
    for (size_t i = 0; i < count; i++)
        good = noise_add_thermal(list, (struct noise_place){e, all[i].name, all[i].a, all[i].b}, all[i].conductance,
                                 b->mos.all.kelvin[k]) &&
               good;
    return good;
}

static bool add_shots(const struct bsim4_batch *b, size_t k, const struct bias *o, struct noise_list *list)
{
    const struct element *e = b->mos.all.base.elements[k];
    const struct bsim4_law *law = &b->laws[b->mos.like[k]];
    const int *n = b->mos.nodes[k].inner;
    const double drain = o->reversed ? o->at.gate_source.value : o->at.gate_drain.value;
    const double source = o->reversed ? o->at.gate_drain.value : o->at.gate_source.value;
    const double *f = &b->fingers[k];
    if (!law->gate_channel && !law->gate_bulk)
        return true;
    return noise_add_shot(list, (struct noise_place){e, "igs", n[MOSFET_GATE], n[MOSFET_SOURCE]},
                          *f * (source + o->ends.gate_source.value)) &&
           noise_add_shot(list, (struct noise_place){e, "igd", n[MOSFET_GATE], n[MOSFET_DRAIN]},
                          *f * (drain + o->ends.gate_drain.value)) &&
           noise_add_shot(list, (struct noise_place){e, "igb", n[MOSFET_GATE], n[MOSFET_BULK]},
                          *f * o->at.gate_bulk.value);
}

bool bsim4_noise(const void *batch, size_t k, const struct device_probe *probe, struct noise_list *list)
{
    const struct bsim4_batch *b = batch;
    const struct element *e = b->mos.all.base.elements[k];
    const struct mosfet_nodes *n = &b->mos.nodes[k];
    const struct bsim4_law *law = &b->laws[b->mos.like[k]];
    const double *p = b->mos.all.model[k], kelvin = b->mos.all.kelvin[k], m = b->mos.all.own[k][MOSFET_M];
    const double nf = b->mos.all.own[k][BSIM4_NF];
    const int d = n->inner[MOSFET_DRAIN], s = n->inner[MOSFET_SOURCE];
    const struct bias o = bias_of(b, k, probe);
    const bool traps = p[BSIM4_CARD_FNOIMOD] != 0, resists = s != n->source || d != n->drain;
    struct noise_source slow = {.at = {e, "1overf", d, s}, .exponent = p[BSIM4_CARD_EF]};
    slow.density = m * (traps ? trap_noise(law, p, b->mos.all.model_given[k], b->mos.sign[k], &o, nf, kelvin)
                              : p[BSIM4_CARD_KF] * pow(nf * fabs(o.at.current.value), p[BSIM4_CARD_AF]) /
                                    (law->length * law->length * law->oxide));
    return add_resistances(b, k, probe, &o, list) &&
           noise_add_thermal(list, (struct noise_place){e, "id", d, s}, channel_conductance(law, p, &o, m, nf, resists),
                             kelvin) &&
           add_shots(b, k, &o, list) && ((!traps && p[BSIM4_CARD_KF] == 0) || d == s || noise_add(list, &slow));
}
