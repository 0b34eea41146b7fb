/* bsim3_noise.c - the noise of BSIM3 transistors: thermal in rd, rs and the channel, flicker.
 *
 * BSIM3v3.3 manual, B.6.  Channel: 8/3 k T (gm + gds + gmbs) (SPICE2, noimod 1 and 3; 5 and 6 with the factor
 * (3 - vds/vdsat)/2 in the linear region), or 4 k T G with
 *     G = ueff |Qinv|/(L^2 + ueff |Qinv| Rds)       noimod 2 and 4.
 * Flicker: Kf id^Af/(Cox L^2 f^Ef), or BSIM3's of traps that both number and mobility of carriers feel, Sw Ss/(Sw + Ss)
 * of a part in weak and one in strong inversion, where Berkeley's program has Abulk without keta.  Of m transistors in parallel each has its own.
 */
#include "devices/bsim3/bsim3_batch.h"
#include "devices/noise.h"

#define BOLTZMANN 8.62e-5 /* eV/K, Berkeley's in its flicker noise */

struct bias {
    struct bsim3_point of_all; /* m in parallel */
    double drain;              /* V, against the end that acts as source */
    double current;            /* of one, without its junctions, A */
};

static struct bias bias_of(const struct bsim3_batch *b, size_t k, const struct device_probe *at)
{
    const struct bsim3_law *law = &b->laws[b->mos.like[k]];
    const int *n = b->mos.nodes[k].inner;
    const double sign = b->mos.sign[k], source = at->x[n[MOSFET_SOURCE]];
    const double gs = sign * (at->x[n[MOSFET_GATE]] - source), ds = sign * (at->x[n[MOSFET_DRAIN]] - source);
    const double bs = sign * (at->x[n[MOSFET_BULK]] - source), end = fmin(ds, 0);
    struct bias o = {.drain = fabs(ds)};
    bsim3_evaluate(law, gs - end, o.drain, bs - end, BSIM3_CURRENTS | BSIM3_CHARGES, &o.of_all);
    o.current = fabs(o.of_all.current.value) / law->multiplicity;
    return o;
}

static double channel_conductance(const struct bsim3_law *law, int model, const struct bias *o)
{
    const struct bsim3_point *p = &o->of_all;
    const double all = fabs(p->current.gs + p->current.ds + p->current.bs);
    if (model == 1 || model == 3)
        return 2.0 / 3 * all;
    if (model > 4)
        return (3 - fmin(o->drain, p->state.saturation) / p->state.saturation) / 3 * all;
    const double mobile = p->state.mobility * (law->charges.partition < 0 ? 0 : fabs(p->charges.inversion));
    return mobile / (law->length * law->length + mobile / law->multiplicity * p->state.resistance);
}

/* Of one transistor at 1 Hz, A^2/Hz. */
static double trap_noise(const struct bsim3_law *law, const double *p, double sign, const bool *given,
                         const struct bias *o, double kelvin)
{
    const struct bsim_traps t = {
        .a = given[BSIM3_CARD_NOIA] ? p[BSIM3_CARD_NOIA]
             : sign > 0             ? 1e20
                                    : 9.9e18,
        .b = given[BSIM3_CARD_NOIB] ? p[BSIM3_CARD_NOIB]
             : sign > 0             ? 5e4
                                    : 2.4e3,
        .c = given[BSIM3_CARD_NOIC] ? p[BSIM3_CARD_NOIC]
             : sign > 0             ? -1.4e-12
                                    : 1.4e-12,
        .field = p[BSIM3_CARD_EM],
        .ends = 2e14,
        .least = 4e36,
        .unit = 1e8,
        .length = law->length - 2 * p[BSIM3_CARD_LINTNOI],
        .width = law->width,
        .whole = law->length,
        .critical = 2 * law->velocity / o->of_all.state.mobility,
        .reach = law->saturation_length,
        .oxide = law->oxide,
        .thermal = law->thermal,
        .charge = DEVICE_CHARGE,
        .energy = BOLTZMANN * kelvin,
        .current = o->current,
        .rest = o->drain - o->of_all.state.drain_effective,
    };
    return bsim_trap_noise(&t, &o->of_all.state);
}

bool bsim3_noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list)
{
    const struct bsim3_batch *b = batch;
    const struct element *e = b->mos.all.base.elements[k];
    const struct mosfet_nodes *n = &b->mos.nodes[k];
    const struct bsim3_law *law = &b->laws[b->mos.like[k]];
    const double *p = b->mos.all.model[k], kelvin = b->mos.all.kelvin[k];
    const int d = n->inner[MOSFET_DRAIN], s = n->inner[MOSFET_SOURCE], model = (int)p[BSIM3_CARD_NOIMOD];
    const struct bias o = bias_of(b, k, at);
    struct noise_source slow = {.at = {e, "1overf", d, s}, .exponent = p[BSIM3_CARD_EF]};
    const bool traps = model == 2 || model == 3 || model == 6;
    const double density =
        traps ? trap_noise(law, p, b->mos.sign[k], b->mos.all.model_given[k], &o, kelvin)
              : p[BSIM3_CARD_KF] * pow(o.current, p[BSIM3_CARD_AF]) / (law->length * law->length * law->oxide);
    slow.density = law->multiplicity * density;
    return noise_add_thermal(list, (struct noise_place){e, "rd", n->drain, d}, b->mos.series[k].drain, kelvin) &&
           noise_add_thermal(list, (struct noise_place){e, "rs", n->source, s}, b->mos.series[k].source, kelvin) &&
           noise_add_thermal(list, (struct noise_place){e, "id", d, s}, channel_conductance(law, model, &o), kelvin) &&
           ((!traps && p[BSIM3_CARD_KF] == 0) || d == s || noise_add(list, &slow));
}
