/* bjt_noise.c - the noise of bipolar transistors as SPICE has it: thermal in rc, rb, re, shot of collector and base
 * current, flicker of the base current (Antognetti and Massobrio 1988, 2.7; van der Ziel 1986). */
#include "devices/bipolar/bjt_batch.h"
#include "devices/noise.h"

/* The currents through the junctions inside, and the conductance of the base resistance at that bias. */
struct bias {
    double collector, base, base_conductance;
};

static struct bias bias_of(const struct bjt_batch *b, size_t k, const struct device_probe *at)
{
    const int *inner = b->nodes[k].inner;
    const double sign = b->sign[k], middle = at->x[inner[1]];
    const double vbc = sign * (middle - at->x[inner[0]]), vbe = sign * (middle - at->x[inner[2]]);
    struct bjt_currents i;
    bjt_currents(&b->laws[k], vbe, vbc, true, &i);
    if (b->series[k].base_varies)
        bjt_base_conductance(&b->laws[k], false, &i);
    const double collector = i.collector.value + at->gmin * vbc;
    return (struct bias){.collector = i.transport.value - collector,
                         .base = i.emitter.value + at->gmin * vbe + collector,
                         .base_conductance = b->series[k].base_varies ? i.base.value : b->series[k].base};
}

bool bjt_noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list)
{
    const struct bjt_batch *b = batch;
    const struct element *e = b->all.base.elements[k];
    const struct bjt_nodes *n = &b->nodes[k];
    const int c = n->inner[0], base = n->inner[1], emitter = n->inner[2];
    const double kelvin = b->all.kelvin[k];
    const struct bias bias = bias_of(b, k, at);
    const struct bjt_flicker f = b->flicker[k];
    const struct noise_source flicker = {.at = {e, "1overf", base, emitter},
                                         .density = noise_flicker(f.kf, f.af, bias.base, b->all.own[k][BJT_M]),
                                         .exponent = 1};
    return noise_add_thermal(list, (struct noise_place){e, "rc", n->collector, n->epi}, b->series[k].collector,
                             kelvin) &&
           noise_add_thermal(list, (struct noise_place){e, "rb", n->base, base}, bias.base_conductance, kelvin) &&
           noise_add_thermal(list, (struct noise_place){e, "re", n->emitter, emitter}, b->series[k].emitter, kelvin) &&
           noise_add_shot(list, (struct noise_place){e, "ic", c, emitter}, bias.collector) &&
           noise_add_shot(list, (struct noise_place){e, "ib", base, emitter}, bias.base) &&
           (f.kf == 0 || noise_add(list, &flicker));
}
