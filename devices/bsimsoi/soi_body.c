/* soi_body.c - currents of the body: junctions and their bipolar transistor, impact ionisation, tunnelling at the ends. */
#include "devices/bsimsoi/soi.h"

enum { DRAIN, SOURCE };

/* exp(-v/n v0/(v0 - v)), whose denominator stays above 1 mV. */
static struct soi_value trap(struct soi_value v, double v0, struct soi_value n)
{
    const struct soi_value left = v0 - v.value < 1e-3 ? soi_constant(1e-3) : soi_line(-1, v, v0);
    return soi_exp(soi_line(-v0, soi_divide(soi_divide(v, n), left), 0));
}

struct junctions {
    struct soi_value v[2], e[2]; /* voltage; exp of it */
    struct soi_value high[2];    /* high injection, 1/sqrt of it and 1 */
    struct soi_value beyond[2];
};

static void find_junctions(const struct soi_law *law, const struct soi_warmth *w, const struct soi_channel *c,
                           struct junctions *j)
{
    const struct soi_value rate = soi_line(law->p[SOI_NDIODE], w->thermal, 0);
    j->v[SOURCE] = c->v[SOI_BODY];
    j->v[DRAIN] = soi_subtract(c->v[SOI_BODY], c->v[SOI_DRAIN]);
    for (int i = 0; i < 2; i++) {
        j->e[i] = soi_exp(soi_divide(j->v[i], rate));
        j->beyond[i] = soi_multiply(w->high_injection, soi_line(1, j->e[i], -1));
        if (!(j->beyond[i].value > 0))
            j->beyond[i] = soi_constant(0);
        j->high[i] = soi_power(soi_line(1, j->beyond[i], 1), -0.5);
    }
}

/* Of one junction, of a width. */
static struct soi_value diode(const struct soi_law *law, const struct soi_warmth *w, const struct junctions *j, int i,
                              double width)
{
    const double area = width * law->card[SOI_CARD_TSI], *p = law->p;
    struct soi_value density = soi_multiply(w->injected, soi_line(1, j->e[i], -1));
    if (w->recombined.value != 0) {
        const struct soi_value forward = soi_exp(soi_divide(j->v[i], w->forward));
        const struct soi_value both = soi_subtract(forward, trap(j->v[i], p[SOI_VREC0], w->reverse));
        density = soi_add(density, soi_multiply(w->recombined, both));
    }
    if (w->tunnelling.value != 0) {
        const struct soi_value e = trap(j->v[i], p[SOI_VTUN0], soi_constant(0.026 * p[SOI_NTUN]));
        density = soi_add(density, soi_multiply(w->tunnelling, soi_line(-1, e, 1)));
    }
    return soi_line(area, density, 0);
}

/* Injection into the body, of both junctions, and what of it crosses. */
static struct soi_value bipolar(const struct soi_law *law, const struct soi_warmth *w, const struct junctions *j,
                                struct soi_point *o)
{
    const double area = law->width / law->segments * law->card[SOI_CARD_TSI];
    const struct soi_value density = soi_line(area, w->bipolar, 0);
    for (int i = 0; i < 2; i++) {
        struct soi_value *current = &o->current[i == DRAIN ? SOI_DRAIN_DIODE : SOI_SOURCE_DIODE];
        const struct soi_value injected = soi_multiply(density, soi_multiply(soi_line(1, j->e[i], -1), j->high[i]));
        *current = soi_accumulate((1 - law->bipolar_share) * law->lengthened, injected, *current);
        o->diffused[i] = soi_line(law->injection_share, injected, 0);
    }
    if (law->no_bipolar)
        return soi_constant(0);
    const struct soi_value early = soi_line(1 / law->early, soi_add(j->v[SOURCE], j->v[DRAIN]), 1);
    const struct soi_value high = soi_line(4, soi_add(j->beyond[SOURCE], j->beyond[DRAIN]), 0);
    const struct soi_value root = soi_root(soi_line(1, soi_add(soi_square(early), high), 1e-30));
    struct soi_value base = soi_line(0.5, soi_add(early, root), 0);
    if (base.value < 0.1)
        base = soi_constant(0.1);
    const struct soi_value across = soi_divide(soi_subtract(j->e[SOURCE], j->e[DRAIN]), base);
    return soi_line(law->bipolar_share * law->lengthened, soi_multiply(density, across), 0);
}

/* Carriers that the drain's field ionises, per carrier of the current. */
static struct soi_value ionisation(const struct soi_law *law, const struct soi_warmth *w, const struct soi_channel *c)
{
    const double *p = law->p, field = p[SOI_ESATII] * law->length;
    const struct soi_value decayed = soi_line(1, soi_invert(soi_line(p[SOI_SII1], c->over, 1)), p[SOI_SII2]);
    const struct soi_value by_drain = soi_line(p[SOI_SIID], c->v[SOI_DRAIN], 1);
    const struct soi_value step =
        soi_line(p[SOI_SII0] * field / (1 + field), soi_divide(soi_multiply(c->above, decayed), by_drain), 0);
    const struct soi_value at_threshold =
        soi_line(p[SOI_VDSATII0] * law->card[SOI_CARD_TII], w->over, p[SOI_VDSATII0] - p[SOI_LII] / law->length);
    const struct soi_value beyond = soi_subtract(c->v[SOI_DRAIN], soi_add(at_threshold, step));
    struct soi_value scale = soi_multiply(beyond, soi_line(p[SOI_BETA0], beyond, p[SOI_BETA1]));
    scale = soi_line(1, scale, p[SOI_BETA2]);
    if (scale.value < 1e-5)
        scale = soi_constant(1e-5);
    const struct soi_value ratio = soi_line(p[SOI_ALPHA0], soi_exp(soi_divide(beyond, scale)), 0);
    return ratio.value > 10 ? soi_constant(10) : ratio;
}

/* Tunnelling from band to band under the gate, by the voltage across the oxide there. */
static struct soi_value end_tunnelling(const struct soi_law *law, double width, struct soi_value across)
{
    const double *p = law->p;
    const struct soi_value field = soi_line(1 / (3 * law->card[SOI_CARD_TOX]), across, 0);
    const struct mosfet_value at = {field.value, 1, 0, 0};
    if (p[SOI_AGIDL] <= 0 || p[SOI_BGIDL] <= 0 || field.value <= 0)
        return soi_constant(0);
    const struct mosfet_value f = bsim_ionised(width * p[SOI_AGIDL], p[SOI_BGIDL], at);
    return soi_chain(field, f.value, f.gs);
}

void soi_find_body(const struct soi_law *law, const struct soi_warmth *w, bool reversed, struct soi_point *o)
{
    const struct soi_channel *c = &o->channel;
    const double widths[] = {law->ends[reversed ? SOURCE : DRAIN], law->ends[reversed ? DRAIN : SOURCE]};
    struct junctions j;
    struct soi_value crossing = soi_constant(0);
    o->heat = soi_multiply(c->current, c->v[SOI_DRAIN]);
    o->current[SOI_CHANNEL] = c->current;
    if (law->body == 2)
        return;
    find_junctions(law, w, c, &j);
    o->current[SOI_DRAIN_DIODE] = diode(law, w, &j, DRAIN, widths[DRAIN]);
    o->current[SOI_SOURCE_DIODE] = diode(law, w, &j, SOURCE, widths[SOURCE]);
    if (w->bipolar.value != 0)
        crossing = bipolar(law, w, &j, o);
    const struct soi_value across = soi_line(-1, c->gate, -law->p[SOI_NGIDL]);
    o->current[SOI_CHANNEL] = soi_add(c->current, crossing);
    o->current[SOI_IONISED] = end_tunnelling(law, widths[DRAIN], soi_add(c->v[SOI_DRAIN], across));
    o->current[SOI_SOURCE_TUNNEL] = end_tunnelling(law, widths[SOURCE], across);
    if (law->p[SOI_ALPHA0] > 0) {
        const struct soi_value carriers = soi_accumulate(law->p[SOI_FBJTII], crossing, c->current);
        o->current[SOI_IONISED] = soi_add(o->current[SOI_IONISED], soi_multiply(ionisation(law, w, c), carriers));
    }
}
