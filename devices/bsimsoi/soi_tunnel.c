/* soi_tunnel.c - tunnelling through the gate's oxide: to the channel and the ends (igcmod), to the body (igbmod). */
#include "devices/bsimsoi/soi.h"

/* The oxide's voltage in accumulation and in depletion with inversion. */
struct oxide {
    struct soi_value accumulated, depleted;
    double flat_band;
};

static void find_oxide(const struct soi_law *law, const struct soi_channel *c, struct oxide *o)
{
    const double delta = 0.02, k1 = law->k1;
    o->flat_band = law->sign * law->p[SOI_VTH0] - law->phi - k1 * law->root_phi;
    const struct soi_value above = soi_subtract(c->gate, c->v[SOI_BODY]);
    /* how far the gate-body voltage is below the flat band, smoothly from 0 on */
    const struct soi_value below = soi_line(-1, above, o->flat_band - delta);
    o->accumulated = soi_positive(below, 4 * delta * fabs(o->flat_band));
    const struct soi_value band = soi_line(-1, o->accumulated, o->flat_band);
    if (o->accumulated.value < 0)
        o->accumulated = soi_constant(0);
    o->depleted = soi_constant(0);
    if (k1 == 0)
        return;
    const struct soi_value bent = soi_subtract(soi_subtract(soi_subtract(c->gate, c->over), band), c->body);
    struct soi_value root = soi_line(1 / k1, bent, 0);
    if (bent.value > 0) {
        const double r = sqrt(1 + 4 * bent.value / (k1 * k1));
        root = soi_chain(bent, 0.5 * k1 * (r - 1), 1 / (k1 * r));
    }
    o->depleted = soi_line(1, soi_subtract(above, soi_square(root)), -o->flat_band);
}

/* exp(b (a + (a c - b') v - b' c v^2)), three parameters in their order. */
static struct soi_value barrier(double height, const double *abc, struct soi_value v)
{
    const double linear = abc[0] * abc[2] - abc[1], square = abc[1] * abc[2];
    const struct soi_value power = soi_multiply(soi_line(height, v, 0), soi_line(-square, v, linear));
    return soi_exp(soi_line(1, power, height * abc[0]));
}

static struct soi_value to_end(const struct soi_law *law, struct soi_value v)
{
    const double *p = law->p, abc[] = {p[SOI_AIGSD], p[SOI_BIGSD], p[SOI_CIGSD]};
    const struct soi_value across = soi_root(soi_line(1, soi_square(soi_line(1, v, -law->edge_flat_band)), 1e-4));
    return soi_line(law->tunnel[2], soi_multiply(soi_multiply(v, across), barrier(law->tunnel[3], abc, across)), 0);
}

static void find_to_channel(const struct soi_law *law, const struct soi_warmth *w, const struct oxide *x,
                            struct soi_point *o)
{
    const double *p = law->p, abc[] = {p[SOI_AIGC], p[SOI_BIGC], p[SOI_CIGC]}, tiny = 1e-4;
    const struct soi_channel *c = &o->channel;
    const struct soi_value scale = soi_line(p[SOI_NIGC], w->thermal, 0);
    const struct soi_value over = soi_line(1, c->gate, -law->sign * p[SOI_VTH0]);
    const struct soi_value carriers = soi_multiply(scale, soi_softly(soi_divide(over, scale)));
    const struct soi_value whole = soi_line(
        law->tunnel[0], soi_multiply(soi_multiply(c->gate, carriers), barrier(law->tunnel[1], abc, x->depleted)), 0);
    const struct soi_value t = soi_line(-p[SOI_PIGCD], c->v[SOI_DRAIN], 0), e = soi_exp(t);
    const struct soi_value bottom = soi_line(1, soi_square(t), 2 * tiny);
    const struct soi_value source = soi_line(1, soi_subtract(e, t), tiny - 1);
    const struct soi_value drain = soi_line(1, soi_subtract(soi_multiply(t, e), e), 1 + tiny);
    const struct soi_value gate_drain = soi_subtract(c->v[SOI_GATE], c->v[SOI_DRAIN]);
    o->current[SOI_GATE_SOURCE] = soi_add(soi_multiply(whole, soi_divide(source, bottom)), to_end(law, c->v[SOI_GATE]));
    o->current[SOI_GATE_DRAIN] = soi_add(soi_multiply(whole, soi_divide(drain, bottom)), to_end(law, gate_drain));
}

/* A law of tunnelling to the body: area's factor, barrier, carriers' voltage and the oxide's. */
struct to_body {
    double factor, height, alpha, beta, limit;
    struct soi_value carriers, oxide;
};

static struct soi_value to_body(const struct soi_law *law, const struct soi_channel *c, const struct to_body *b)
{
    const double *card = law->card, most = card[SOI_CARD_VOXH], bend = card[SOI_CARD_DELTAVOX];
    const struct soi_value left = soi_positive(soi_line(-1, b->oxide, most - bend), 4 * bend * most);
    const struct soi_value v = soi_line(-1, left, most);
    struct soi_value room = b->limit != 0 ? soi_line(-1 / b->limit, v, 1) : soi_constant(1);
    if (room.value < 0.01)
        room = soi_constant(0.01);
    const struct soi_value power = soi_divide(soi_line(-b->height * b->beta, v, b->height * b->alpha), room);
    const struct soi_value area = soi_line(b->factor * law->oxide_ratio * law->length / law->segments, c->width, 0);
    const struct soi_value gate = soi_subtract(c->gate, c->v[SOI_BODY]);
    return soi_multiply(soi_multiply(area, gate), soi_multiply(b->carriers, soi_exp(power)));
}

static void find_to_body(const struct soi_law *law, const struct oxide *x, struct soi_point *o)
{
    const double *card = law->card, *p = law->p, vevb = card[SOI_CARD_VEVB], vecb = card[SOI_CARD_VECB];
    const double thickness = card[SOI_CARD_TOXQM] > 0 ? card[SOI_CARD_TOXQM] : card[SOI_CARD_TOX];
    const struct soi_channel *c = &o->channel;
    const struct soi_value gate = soi_subtract(c->gate, c->v[SOI_BODY]);
    struct to_body b;
    if (gate.value >= 0) {
        const double most = card[SOI_CARD_VOXH], bend = card[SOI_CARD_DELTAVOX];
        const struct soi_value left = soi_positive(soi_line(-1, x->depleted, most - bend), 4 * bend * most);
        const struct soi_value electrons = soi_softly(soi_line(-1 / vevb, left, (most - card[SOI_CARD_EBG]) / vevb));
        b = (struct to_body){3.7622e-7,           -3.1051e10 * thickness,       p[SOI_ALPHAGB1], p[SOI_BETAGB1],
                             card[SOI_CARD_VGB1], soi_line(vevb, electrons, 0), x->depleted};
    } else {
        const struct soi_value electrons = soi_softly(soi_line(-1 / vecb, gate, x->flat_band / vecb));
        b = (struct to_body){4.9758e-7,           -2.357e10 * thickness,        p[SOI_ALPHAGB2], p[SOI_BETAGB2],
                             card[SOI_CARD_VGB2], soi_line(vecb, electrons, 0), x->accumulated};
    }
    o->current[SOI_GATE_BODY] = to_body(law, c, &b);
}

void soi_find_tunnelling(const struct soi_law *law, const struct soi_warmth *w, struct soi_point *o)
{
    struct oxide x;
    if (!law->tunnels_to_channel && !law->tunnels_to_body)
        return;
    find_oxide(law, &o->channel, &x);
    if (law->tunnels_to_channel)
        find_to_channel(law, w, &x, o);
    if (law->tunnels_to_body)
        find_to_body(law, &x, o);
}
