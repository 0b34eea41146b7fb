/* soi_charge.c - charges: BSIM3's of the channel (capmod 2, and 3 with the depth of the layers), those of the body on the
 * substrate and in the junctions; overlaps and the bottoms of source and drain.
 */
#include "devices/bsimsoi/soi.h"
#include "devices/channel/bsim_charge.h"

static const double DELTA_3 = 0.02, DELTA_3_BODY = 0.08, DELTA_4 = 0.02; /* V: widths of bends */

/* ---- between two nodes alone ---- */

double soi_overlap(const struct soi_law *law, int side, double v, double *slope)
{
    double q = 0, by_v = 0;
    if (law->depleting[side] != 0)
        q = bsim_overlap(true, law->p[SOI_CKAPPA], law->depleting[side], v, &by_v);
    *slope = law->overlap[side] + by_v;
    return law->overlap[side] * v + q;
}

/* From one capacitance below `from` to another above `to` by two parabolas that meet at `turn`. */
static double stepped(double from, double turn, double to, double before, double behind, double bend, double v,
                      double *slope)
{
    const double wide = to - from, step = (before - behind) / (wide * wide);
    const double offset = wide * (before - behind) * (1 + bend) / 3 - behind * from;
    if (v < turn) {
        const double x = v - from, square = v > from ? step / bend * x * x : 0;
        *slope = before - square;
        return x * (before - square / 3);
    }
    const double x = v < to ? v - to : 0, square = step / (1 - bend) * x * x;
    *slope = behind + square;
    return behind * v + offset + square * x / 3;
}

double soi_bottom_charge(const struct soi_law *law, int side, double v, double *slope)
{
    const struct soi_bottom *b = &law->bottom[side];
    const double bend = law->card[SOI_CARD_ASD];
    double q = b->most * v;
    *slope = b->most;
    if (b->most != b->least)
        q = law->inverts ? stepped(law->flat, law->turn, law->threshold, b->most, b->least, bend, v, slope)
                         : stepped(law->threshold, law->turn, law->flat, b->least, b->most, bend, v, slope);
    *slope += b->wall;
    return q + b->wall * v;
}

/* ---- junctions ---- */

static struct soi_value junction_charge(const struct soi_law *law, const struct soi_warmth *w, int side,
                                        struct soi_value v)
{
    const double *card = law->card, grading = card[SOI_CARD_MJSWG], nominal = law->nominal;
    const struct soi_value phi =
        soi_line(-card[SOI_CARD_TPBSWG], w->kelvin, card[SOI_CARD_PBSWG] + card[SOI_CARD_TPBSWG] * nominal);
    const struct soi_value size = soi_line(law->junction[side] * card[SOI_CARD_TCJSWG], w->kelvin,
                                           law->junction[side] * (1 - card[SOI_CARD_TCJSWG] * nominal));
    const bool beyond = v.value > 0.9 * phi.value;
    const struct soi_value at = beyond ? soi_line(0.9, phi, 0) : v;
    const struct soi_value left = soi_line(-1, soi_divide(at, phi), 1), slope = soi_power(left, -grading);
    struct soi_value q = soi_multiply(soi_line(-1, soi_multiply(left, slope), 1), phi);
    q = soi_line(1 / (1 - grading), q, 0);
    if (beyond)
        q = soi_add(q, soi_multiply(slope, soi_subtract(v, at)));
    return soi_multiply(size, q);
}

/* ---- the channel ---- */

static struct soi_value charge_overdrive(const struct soi_law *law, const struct soi_warmth *w,
                                         const struct soi_channel *c)
{
    const double noff = law->p[SOI_NOFF];
    const struct soi_value scale = soi_multiply(c->swing, w->thermal);
    const struct soi_value x = soi_divide(c->above, scale);
    if (fabs(x.value) >= 2 * SOI_FAR)
        return c->over;
    const struct soi_value wide = soi_line(noff, scale, 0);
    const struct soi_value shifted = soi_subtract(x, soi_line(law->p[SOI_DELVT], soi_invert(wide), 0));
    return soi_multiply(wide, soi_softly(shifted));
}

/* What of the gate's voltage is below the flat band: that of the body's charge and the flat band as far as the gate goes. */
static struct soi_value below_flat_band(struct soi_value flat_band, struct soi_value gate, struct soi_value body,
                                        double delta)
{
    const struct soi_value under = soi_line(1, soi_subtract(soi_add(flat_band, body), gate), -delta);
    const double sign = flat_band.value > 0 ? 1 : -1;
    const struct soi_value inside = soi_accumulate(4 * delta * sign, flat_band, soi_square(under));
    return soi_line(0.5, soi_add(under, soi_root(inside)), 0);
}

/* Charge per oxide capacitance of the body at x above flat band. */
static struct soi_value depletion_of(const struct soi_law *law, struct soi_value x)
{
    const double half = 0.5 * law->k1;
    if (x.value <= 0)
        return law->k1 == 0 ? soi_constant(0) : x;
    const double root = sqrt(half * half + x.value);
    return soi_chain(x, law->k1 * x.value / (root + half), half / root);
}

/* Cox,eff/Cox of a charge at a depth. */
static struct soi_value share_of(const struct soi_law *law, struct soi_value depth)
{
    return soi_invert(soi_line(law->charge_oxide / BSIM_SILICON, depth, 1));
}

/* What the channel's law needs. */
struct layers {
    struct soi_value over, drain; /* overdrive of the charges, vds as far as they see it */
    struct soi_value bulk;        /* Abulk of the charges */
    struct soi_value body;        /* Qac0 + Qsub0, V */
    struct soi_value share;       /* Cox,eff/Cox of the inversion layer */
};

static struct soi_value flat_band_of_charges(const struct soi_law *law, const struct soi_warmth *w)
{
    const double *p = law->p, thickness = law->card[SOI_CARD_TOX] - (law->heats ? 0 : law->card[SOI_CARD_DTOXCV]);
    const double scale = law->characteristic * sqrt(law->depletion), l = law->length;
    const double x = exp(fmax(-0.5 * p[SOI_DVT1] * l / scale, -SOI_FAR));
    const double y = exp(fmax(-0.5 * p[SOI_DVT1W] * law->width * l / scale, -SOI_FAR));
    const double ends = p[SOI_DVT0] * (x + 2 * x * x) + p[SOI_DVT0W] * (y + 2 * y * y);
    const double fixed = law->sign * p[SOI_VTH0] + p[SOI_K3] * thickness * law->phi / (law->width + p[SOI_W0]) +
                         law->k1 * (sqrt(1 + p[SOI_NLX] / l) - 2) * law->root_phi - law->phi + ends * law->phi;
    return soi_accumulate(-ends, w->built_in, soi_line(p[SOI_KT1] + p[SOI_KT1L] / l, w->over, fixed + p[SOI_DELVT]));
}

/* Overdrive less what the surface potential rises by. */
static struct soi_value over_of_layer(const struct soi_law *law, const struct soi_warmth *w, struct soi_value over)
{
    const double moin = law->p[SOI_MOIN], k1 = law->k1;
    const double body = k1 > 0 ? k1 * law->root_phi : 0.5 * law->root_phi;
    const struct soi_value scale = soi_line(k1 > 0 ? moin * k1 * k1 : 0.25 * moin, w->thermal, 0);
    const struct soi_value inside = soi_divide(soi_multiply(over, soi_line(1, over, 2 * body)), scale);
    return soi_subtract(over, soi_multiply(w->thermal, soi_log(soi_line(1, inside, 1))));
}

static struct soi_value majority_share(const struct soi_law *law, struct soi_value above)
{
    const double tox = law->card[SOI_CARD_TOX] - law->card[SOI_CARD_DTOXCV], link = 1e-3 * tox;
    struct soi_value power = soi_line(law->p[SOI_ACDE] / (1e8 * tox), above, 0);
    if (fabs(power.value) >= SOI_FAR)
        power = soi_constant(power.value > 0 ? SOI_FAR : -SOI_FAR);
    const struct soi_value plain = soi_line(law->debye, soi_exp(power), 0);
    const struct soi_value left = soi_positive(soi_line(-1, plain, law->debye - link), 4 * link * law->debye);
    return share_of(law, soi_line(-1, left, law->debye));
}

static struct soi_value layer_share(const struct soi_law *law, const struct soi_channel *c, struct soi_value over,
                                    struct soi_value flat_band)
{
    const double tox = law->card[SOI_CARD_TOX] - law->card[SOI_CARD_DTOXCV];
    const struct soi_value offset = soi_line(4, soi_subtract(c->threshold, flat_band), -4 * law->phi);
    const struct soi_value field = soi_add(over, soi_positive(offset, 1e-4));
    const struct soi_value power = soi_power(soi_line(1 / (2e8 * tox), field, 1e-20), 0.7);
    return share_of(law, soi_line(1.9e-9, soi_invert(soi_line(1, power, 1)), 0));
}

static void find_layers(const struct soi_law *law, const struct soi_warmth *w, const struct soi_channel *c,
                        struct layers *o)
{
    const bool thick = law->card[SOI_CARD_CAPMOD] == 3;
    const struct soi_value over = charge_overdrive(law, w, c);
    const struct soi_value flat_band =
        thick ? flat_band_of_charges(law, w)
              : soi_line(1, soi_accumulate(-law->k1, c->root, c->threshold), law->p[SOI_DELVT] - law->phi);
    const struct soi_value above = soi_subtract(soi_subtract(c->gate, c->body), flat_band);
    const struct soi_value below = below_flat_band(flat_band, c->gate, c->body, thick ? DELTA_3 : DELTA_3_BODY);
    o->body = depletion_of(law, soi_subtract(soi_add(above, below), over));
    o->body = soi_subtract(o->body, below);
    o->over = over;
    o->share = soi_constant(1);
    if (thick) {
        o->body = soi_multiply(o->body, majority_share(law, above));
        o->over = over_of_layer(law, w, over);
        o->share = layer_share(law, c, over, flat_band);
    }
    o->bulk = soi_line(law->bulk_factor, c->bulk_plain, 0);
    o->drain = soi_smaller(soi_divide(o->over, o->bulk), c->v[SOI_DRAIN], DELTA_4);
}

/* The source's part of the inverted charge, V; `whole` is the sum of both. */
static struct soi_value source_part(double partition, struct soi_value v, struct soi_value across,
                                    struct soi_value inverse_middle, struct soi_value half)
{
    const struct soi_value square = soi_square(across);
    if (partition == 0.5)
        return half;
    if (partition > 0.5) {
        const struct soi_value bow = soi_line(1.0 / 24, soi_multiply(square, inverse_middle), 0);
        return soi_subtract(soi_subtract(bow, soi_line(0.5, v, 0)), soi_line(0.25, across, 0));
    }
    struct soi_value t = soi_multiply(v, soi_accumulate(-4.0 / 3, across, v));
    t = soi_multiply(v, soi_accumulate(2.0 / 3, square, t));
    t = soi_accumulate(-2.0 / 15, soi_multiply(square, across), t);
    return soi_line(-0.5, soi_multiply(t, soi_square(inverse_middle)), 0);
}

static void find_channel(const struct soi_law *law, const struct layers *l, struct soi_point *o)
{
    const double partition = law->card[SOI_CARD_XPART];
    const bool thick = law->card[SOI_CARD_CAPMOD] == 3;
    const struct soi_value across = soi_multiply(l->bulk, l->drain);
    const struct soi_value inverse_middle = soi_invert(soi_line(1, soi_accumulate(-0.5, across, l->over), 1e-20));
    const struct soi_value bow = soi_line(1.0 / 12, soi_multiply(across, inverse_middle), 0);
    const struct soi_value half = soi_subtract(soi_constant(0.5), bow);
    const struct soi_value inverted = soi_multiply(soi_subtract(l->over, soi_multiply(across, half)), l->share);
    struct soi_value bulk = soi_multiply(soi_line(-1, l->bulk, 1), soi_multiply(l->drain, half));
    bulk = law->body == 2 ? soi_constant(0) : soi_multiply(bulk, l->share);
    const struct soi_value in_body = soi_line(law->channel_body, bulk, 0);
    const struct soi_value in_channel = soi_line(law->channel, inverted, 0);
    const struct soi_value equal =
        thick ? soi_line(-0.5, inverted, 0)
              : soi_line(-0.5, soi_accumulate(law->channel_body / law->channel, bulk, inverted), 0);
    struct soi_value source = source_part(partition, l->over, across, inverse_middle, equal);
    if (partition != 0.5)
        source = soi_multiply(source, l->share);
    const struct soi_value of_body = law->body == 2 ? soi_constant(0) : soi_line(law->channel_body, l->body, 0);
    o->inversion = in_channel.value;
    o->charge[SOI_ON_SOURCE] = soi_line(law->channel, source, 0);
    o->charge[SOI_ON_GATE] = soi_add(in_channel, of_body);
    if (thick)
        o->charge[SOI_ON_GATE] = soi_subtract(o->charge[SOI_ON_GATE], in_body);
    o->charge[SOI_ON_BODY] = soi_subtract(in_body, of_body);
}

void soi_find_charges(const struct soi_law *law, const struct soi_warmth *w, bool reversed, struct soi_point *o)
{
    const double *card = law->card;
    const struct soi_channel *c = &o->channel;
    struct layers l;
    if (card[SOI_CARD_XPART] >= 0 && card[SOI_CARD_CAPMOD] >= 2) {
        find_layers(law, w, c, &l);
        find_channel(law, &l, o);
        if (law->body != 2) {
            const struct soi_value back = soi_subtract(soi_subtract(c->v[SOI_SUBSTRATE], w->substrate), c->v[SOI_BODY]);
            o->charge[SOI_ON_SUBSTRATE] = soi_line(law->back, back, 0);
            o->charge[SOI_ON_BODY] = soi_subtract(o->charge[SOI_ON_BODY], o->charge[SOI_ON_SUBSTRATE]);
        }
    }
    if (law->body == 2)
        return;
    for (int i = 0; i < 2; i++) {
        const struct soi_value v = i == 0 ? soi_subtract(c->v[SOI_BODY], c->v[SOI_DRAIN]) : c->v[SOI_BODY];
        const struct soi_value depleted = junction_charge(law, w, reversed ? 1 - i : i, v);
        o->charge[SOI_DRAIN_JUNCTION + i] = soi_accumulate(card[SOI_CARD_TT], o->diffused[i], depleted);
    }
}

void soi_evaluate(const struct soi_law *law, const struct soi_bias *at, bool charges, struct soi_point *o)
{
    struct soi_warmth own;
    const struct soi_warmth *w = &law->warmth;
    *o = (struct soi_point){.inversion = 0};
    for (int i = 0; i < SOI_VARIABLES; i++)
        o->channel.v[i] = soi_variable(at->at[i], (enum soi_variable)i);
    if (law->heats) {
        soi_warm(law, o->channel.v[SOI_HEAT], &own);
        w = &own;
    }
    soi_find_threshold(law, w, &o->channel);
    soi_find_current(law, w, &o->channel);
    soi_find_body(law, w, at->reversed, o);
    soi_find_tunnelling(law, w, o);
    const struct soi_value excess = soi_line(law->p[SOI_XRCRG2], soi_multiply(w->thermal, o->channel.conductance), 0);
    o->gate_resistance = soi_line(law->p[SOI_XRCRG1], soi_add(excess, o->channel.current), 0);
    if (charges)
        soi_find_charges(law, w, at->reversed, o);
}
