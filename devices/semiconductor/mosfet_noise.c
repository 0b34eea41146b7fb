/* mosfet_noise.c - the noise of MOSFETs: thermal in rd, rs, rg, rb and the channel, flicker.
 *
 * Channel: 4 k T (2/3) gm (SPICE2; van der Ziel 1986), with nlev = 3
 *     (8/3) k T beta u (1 + a + a^2)/(1 + a) gdsnoi,   u = vgs - vth,  a = 1 - vds/vdsat, 0 in saturation,
 * which holds for vds = 0 too, where gm vanishes but not the noise.  Flicker, of each of m transistors in parallel:
 *     Kf |id|^Af / (f W Leff Cox^2)     nlev absent: SPICE's, also ngspice's up to version 39
 *     Kf |id|^Af / (f Leff^2 Cox)       nlev = 0
 *     Kf |id|^Af / (f W Leff Cox)       nlev = 1
 *     Kf gm^2 / (f^Af W Leff Cox)       nlev = 2, 3
 * (Star-HSPICE manual, MOSFET noise models; ngspice manual, ch. 11.)
 */
#include "devices/noise.h"
#include "devices/semiconductor/mosfet_batch.h"

#include <math.h>

struct channel {
    double current; /* of the drain, its junction included, as in SPICE */
    double gm;
    double gate, drain, threshold, saturation; /* against the end that acts as source */
};

static struct channel channel_of(const struct mosfet_batch *b, size_t k, const struct device_probe *at)
{
    const int *n = b->nodes[k].inner;
    const double sign = b->sign[k], source = at->x[n[MOSFET_SOURCE]];
    const double gs = sign * (at->x[n[MOSFET_GATE]] - source), ds = sign * (at->x[n[MOSFET_DRAIN]] - source);
    const double bs = sign * (at->x[n[MOSFET_BULK]] - source);
    struct mosfet_channel c;
    mosfet_channel(&b->laws[b->like[k]], gs, ds, bs, &c);
    double g;
    const double leak = junction_current(&b->drain_diodes[b->like[k]].law, bs - ds, &g) + at->gmin * (bs - ds);
    const double end = fmin(ds, 0);
    return (struct channel){.current = c.current.value - leak,
                            .gm = fabs(c.current.gs),
                            .gate = gs - end,
                            .drain = fabs(ds),
                            .threshold = c.threshold,
                            .saturation = c.saturation};
}

static double thermal_conductance(const struct mosfet_law *law, const struct mosfet_noise *p, const struct channel *c)
{
    if (p->level < 3)
        return 2.0 / 3 * c->gm;
    const double over = c->gate - c->threshold;
    if (over <= 0)
        return 0;
    const double a = c->saturation <= c->drain ? 0 : 1 - c->drain / c->saturation;
    return 2.0 / 3 * law->beta * over * (1 + a + a * a) / (1 + a) * p->gdsnoi;
}

static struct noise_source flicker(const struct mosfet_noise *p, const struct channel *c, struct noise_place at)
{
    const double by_current = noise_flicker(p->kf, p->af, c->current, p->parallel);
    const double area = p->width * p->length;
    struct noise_source s = {.at = at, .exponent = 1};
    if (p->level < 0) {
        s.density = by_current / (area * p->oxide * p->oxide);
    } else if (p->level < 1) {
        s.density = by_current / (p->length * p->length * p->oxide);
    } else if (p->level < 2) {
        s.density = by_current / (area * p->oxide);
    } else {
        s.density = p->kf * c->gm * c->gm / (p->parallel * area * p->oxide);
        s.exponent = p->af;
    }
    return s;
}

bool mosfet_noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list)
{
    const struct mosfet_batch *b = batch;
    const struct element *e = b->all.base.elements[k];
    const struct mosfet_nodes *n = &b->nodes[k];
    const struct mosfet_noise *p = &b->noise[k];
    const struct mosfet_outer *o = &b->outer[k];
    const int d = n->inner[MOSFET_DRAIN], s = n->inner[MOSFET_SOURCE];
    const double kelvin = b->all.kelvin[k];
    const struct channel c = channel_of(b, k, at);
    const struct noise_source slow = flicker(p, &c, (struct noise_place){e, "1overf", d, s});
    return noise_add_thermal(list, (struct noise_place){e, "rd", n->drain, d}, b->series[k].drain, kelvin) &&
           noise_add_thermal(list, (struct noise_place){e, "rs", n->source, s}, b->series[k].source, kelvin) &&
           noise_add_thermal(list, (struct noise_place){e, "rg", o->gate_node, n->inner[MOSFET_GATE]}, o->gate,
                             kelvin) &&
           noise_add_thermal(list, (struct noise_place){e, "rb", o->bulk_node, n->inner[MOSFET_BULK]}, o->bulk,
                             kelvin) &&
           noise_add_thermal(list, (struct noise_place){e, "id", d, s},
                             thermal_conductance(&b->laws[b->like[k]], p, &c), kelvin) &&
           (p->kf == 0 || d == s || noise_add(list, &slow));
}
