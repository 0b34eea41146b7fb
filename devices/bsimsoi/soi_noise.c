/* soi_noise.c - noise of a transistor on insulator: resistances, channel, traps, a floating body, tunnelling. */
#include "devices/bsim/bsim.h"
#include "devices/bsimsoi/soi_batch.h"
#include "devices/noise.h"

/* Conductance whose thermal noise the channel has. */
static double channel_conductance(const struct soi_law *law, const struct soi_point *o)
{
    const struct soi_channel *c = &o->channel;
    const double *card = law->card;
    if (card[SOI_CARD_TNOIMOD] == 0) {
        const double moved = c->mobility.value * fabs(o->inversion);
        return card[SOI_CARD_NTNOI] * moved / (law->length * law->length + moved * c->resistance.value);
    }
    const struct soi_value *i = &o->current[SOI_CHANNEL];
    const double field = c->over.value / c->critical.value, square = field * field;
    const double beta = card[SOI_CARD_RNOIA] * (1 + square * card[SOI_CARD_TNOIA] * law->length);
    const double theta = card[SOI_CARD_RNOIB] * (1 + square * card[SOI_CARD_TNOIB] * law->length);
    const double by_gates = i->by[SOI_GATE] + i->by[SOI_BODY], by_drain = i->by[SOI_DRAIN];
    const double all = theta * (by_gates + by_drain), own = beta * by_gates + by_drain;
    return i->value != 0 ? fmax((own * own - all * all) * c->drain.value / i->value, 0) : by_drain;
}

/* Of traps (A^2), at 1 Hz; fnoimod 1, as BSIM3 has it. */
static double trap_noise(const struct soi_law *law, const struct soi_point *o, double kelvin)
{
    const double *card = law->card, q = BSIM_CHARGE;
    const struct soi_channel *c = &o->channel;
    const double ends = BSIM_KELVIN * kelvin / q * (law->oxide + BSIM_SILICON / c->depth.value + law->p[SOI_CIT]);
    const struct bsim_state at = {.overdrive = c->over.value,
                                  .drain_effective = c->drain.value,
                                  .bulk_charge = c->bulk.value,
                                  .bulk_plain = c->bulk.value,
                                  .mobility = c->mobility.value};
    const struct bsim_traps t = {
        .a = card[SOI_CARD_NOIA] != 0 ? card[SOI_CARD_NOIA]
             : law->sign > 0          ? 6.25e41
                                      : 6.188e40,
        .b = card[SOI_CARD_NOIB] != 0 ? card[SOI_CARD_NOIB]
             : law->sign > 0          ? 3.125e26
                                      : 1.5e25,
        .c = card[SOI_CARD_NOIC],
        .field = card[SOI_CARD_EM],
        .ends = ends,
        .least = 1e10 * ends * ends,
        .unit = 1e10,
        .length = law->length,
        .width = law->width,
        .whole = law->length,
        .critical = c->critical.value / law->length,
        .reach = law->litl,
        .oxide = law->oxide,
        .thermal = 0.5 * (c->over_thermal.value - c->over.value),
        .charge = q,
        .energy = SOI_BOLTZMANN * kelvin,
        .current =
            fabs(o->current[SOI_CHANNEL].value - o->current[SOI_DRAIN_DIODE].value + o->current[SOI_IONISED].value),
        .rest = c->rest.value,
    };
    return bsim_trap_noise(&t, &at);
}

static bool add_resistances(const struct soi_transistor *t, const struct element *e, double kelvin,
                            struct noise_list *list)
{
    const int *u = t->unknowns;
    const int electrode = t->gate_law == 3 ? u[SOI_MIDDLE_GATE] : u[SOI_INNER_GATE];
    return noise_add_thermal(list, (struct noise_place){e, "rd", u[SOI_NODE_DRAIN], u[SOI_INNER_DRAIN]},
                             t->drain_conductance, kelvin) &&
           noise_add_thermal(list, (struct noise_place){e, "rs", u[SOI_NODE_SOURCE], u[SOI_INNER_SOURCE]},
                             t->source_conductance, kelvin) &&
           noise_add_thermal(list, (struct noise_place){e, "rg", u[SOI_NODE_GATE], electrode},
                             t->parallel * t->law.gate_conductance, kelvin);
}

static bool add_shots(const struct soi_transistor *t, const struct element *e, const struct soi_point *o, bool reversed,
                      struct noise_list *list)
{
    const int *u = t->unknowns, gate = u[SOI_INNER_GATE];
    const int drain = u[reversed ? SOI_INNER_SOURCE : SOI_INNER_DRAIN];
    const int source = u[reversed ? SOI_INNER_DRAIN : SOI_INNER_SOURCE];
    const double m = t->parallel;
    bool good = true;
    if (t->law.body != 2)
        good = noise_add_shot(list, (struct noise_place){e, "fbe", source, u[SOI_NODE_BODY]},
                              2 * m * t->law.card[SOI_CARD_NOIF] * o->current[SOI_SOURCE_DIODE].value);
    if (t->law.tunnels_to_channel)
        good =
            good &&
            noise_add_shot(list, (struct noise_place){e, "igs", gate, source}, m * o->current[SOI_GATE_SOURCE].value) &&
            noise_add_shot(list, (struct noise_place){e, "igd", gate, drain}, m * o->current[SOI_GATE_DRAIN].value);
    if (t->law.tunnels_to_body)
        good = good && noise_add_shot(list, (struct noise_place){e, "igb", gate, u[SOI_NODE_BODY]},
                                      m * o->current[SOI_GATE_BODY].value);
    return good;
}

bool soi_noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list)
{
    const struct soi_batch *b = batch;
    const struct soi_transistor *t = &b->transistors[k];
    const struct element *e = b->all.base.elements[k];
    const struct soi_place p = soi_place_of(t, at->x);
    const double *card = t->law.card, kelvin = t->law.kelvin, m = t->parallel;
    const int drain = t->unknowns[SOI_INNER_DRAIN], source = t->unknowns[SOI_INNER_SOURCE];
    struct soi_point o;
    soi_evaluate(&t->law, &p.at, true, &o);
    const bool traps = card[SOI_CARD_FNOIMOD] != 0;
    struct noise_source slow = {.at = {e, "1overf", drain, source}, .exponent = card[SOI_CARD_EF]};
    slow.density = m * (traps ? trap_noise(&t->law, &o, kelvin)
                              : card[SOI_CARD_KF] * pow(fabs(o.current[SOI_CHANNEL].value), card[SOI_CARD_AF]) /
                                    (t->law.length * t->law.length * t->law.oxide));
    return add_resistances(t, e, kelvin, list) &&
           noise_add_thermal(list, (struct noise_place){e, "id", drain, source}, m * channel_conductance(&t->law, &o),
                             kelvin) &&
           add_shots(t, e, &o, p.at.reversed, list) &&
           ((!traps && card[SOI_CARD_KF] == 0) || drain == source || noise_add(list, &slow));
}
