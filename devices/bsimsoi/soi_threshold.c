/* soi_threshold.c - the body's voltage as the channel sees it, threshold and overdrive. */
#include "devices/bsimsoi/soi.h"

/* What a voltage of the body makes of the threshold (BSIM3's law; 2.1 of the manual). */
struct threshold {
    struct soi_value root, depth, reach,
        value; /* sqrt(Phis), Xdep, Theta0, all but the root's part of the body effect */
};

/* e (1 + 2 e), e = exp(-x/2). */
static struct soi_value reach_of(struct soi_value x)
{
    const struct soi_value e = soi_exp(soi_line(-0.5, x, 0));
    return soi_add(e, soi_line(2, soi_square(e), 0));
}

/* How far an end reaches: exp falls with 1/lt, lt = characteristic length times sqrt(depth) times 1 + by b. */
static struct soi_value reach_along(const struct soi_law *law, double distance, double by, struct soi_value depth,
                                    struct soi_value body)
{
    const struct soi_value tilt = soi_at_least(soi_line(by, body, 1), 0.5, 0.375);
    const struct soi_value scale = soi_line(law->characteristic, soi_multiply(soi_root(depth), tilt), 0);
    const struct soi_value x = soi_line(distance, soi_invert(scale), 0);
    return x.value > 2 * SOI_FAR ? soi_constant(0) : reach_of(x);
}

static struct threshold threshold_of(const struct soi_law *law, const struct soi_warmth *w, struct soi_value body,
                                     struct soi_value drain)
{
    const double *p = law->p;
    const double narrow = law->card[SOI_CARD_TOX] * law->phi / (law->width + p[SOI_W0]);
    const struct soi_value above = soi_line(1, w->built_in, -law->phi);
    struct threshold o;
    o.root = soi_root(soi_line(-1, body, law->phi));
    o.depth = soi_line(law->depletion / law->root_phi, o.root, 0);
    o.reach = reach_along(law, p[SOI_DVT1] * law->length, p[SOI_DVT2], o.depth, body);
    const struct soi_value corner =
        reach_along(law, p[SOI_DVT1W] * law->width * law->length, p[SOI_DVT2W], o.depth, body);
    const struct soi_value ends =
        soi_join(o.reach, corner, p[SOI_DVT0] * o.reach.value + p[SOI_DVT0W] * corner.value, p[SOI_DVT0], p[SOI_DVT0W]);
    const struct soi_value by_heat = soi_line(p[SOI_KT2], body, p[SOI_KT1] + p[SOI_KT1L] / law->length);
    const struct soi_value dibl = soi_at_least(soi_line(p[SOI_ETAB], body, p[SOI_ETA0]), 1e-4, 0.5e-4);
    const double lateral = law->k1 * (sqrt(1 + p[SOI_NLX] / law->length) - 1) * law->root_phi;
    o.value = soi_line(p[SOI_K3B] * narrow - law->k2, body,
                       law->sign * p[SOI_VTH0] + p[SOI_K3] * narrow + lateral - law->k1 * law->root_phi);
    o.value = soi_subtract(o.value, soi_multiply(ends, above));
    o.value = soi_add(o.value, soi_multiply(by_heat, w->over));
    o.value = soi_accumulate(-law->drain_threshold, soi_multiply(dibl, drain), o.value);
    return o;
}

/* ---- full depletion (3.1 of the manual) ---- */

/* The body's voltage that depletes the film for a surface potential, and that with the substrate's part. */
struct depleted {
    struct soi_value whole, at; /* Vbs0t, Vbs0 */
};

static struct depleted depleted_at(const struct soi_law *law, const struct soi_warmth *w, struct soi_value surface,
                                   struct soi_value substrate)
{
    const double *card = law->card;
    const double x = card[SOI_CARD_DVBD1] * law->length / law->litl, y = card[SOI_CARD_DK2B] * law->length / law->litl;
    const double ends = card[SOI_CARD_DVBD0] * (exp(-0.5 * x) + 2 * exp(-x));
    const double short_part = card[SOI_CARD_K2B] * (exp(-0.5 * y) + 2 * exp(-y));
    const double offset = -0.5 * law->doping_charge / law->film + card[SOI_CARD_VBSA] - ends * law->phi;
    const double by_substrate = (card[SOI_CARD_K1B] - short_part) / (1 + law->film / law->buried);
    struct depleted o;
    o.whole = soi_line(1, soi_accumulate(ends, w->built_in, surface), offset);
    o.at = soi_line(by_substrate, soi_subtract(substrate, w->substrate), 0);
    o.at = soi_accumulate(1 / (1 + law->buried / law->film), o.whole, o.at);
    return o;
}

/* The body's voltage where the film is not depleted down to the buried oxide. */
static struct soi_value undepleted(const struct soi_law *law, struct soi_value whole, struct soi_value at)
{
    const struct soi_value missing = soi_positive(soi_line(1, soi_subtract(whole, at), -0.005), 2.5e-5);
    return soi_accumulate(-0.5 * law->film / law->doping_charge, soi_square(missing), at);
}

/* n kT/q ln(1 + exp((x - voff)/(n kT/q))) */
static struct soi_value softened(const struct soi_law *law, const struct soi_warmth *w, struct soi_value x)
{
    const struct soi_value scale = soi_line(law->card[SOI_CARD_NOFFFD], w->thermal, 0);
    return soi_multiply(scale, soi_softly(soi_divide(soi_line(1, x, -law->card[SOI_CARD_VOFFFD]), scale)));
}

/* The surface potential over the whole range of the gate. */
static struct soi_value surface_potential(const struct soi_law *law, const struct soi_warmth *w,
                                          const struct soi_channel *c)
{
    const struct depleted first = depleted_at(law, w, soi_constant(law->phi), c->v[SOI_SUBSTRATE]);
    const struct soi_value least = undepleted(law, first.whole, first.at);
    const double most = law->phi - 0.02;
    const struct soi_value body = soi_line(-1, soi_positive(soi_line(-1, least, most - 0.005), 0.02), most);
    const struct threshold t = threshold_of(law, w, body, c->v[SOI_DRAIN]);
    const struct soi_value above = soi_subtract(c->gate, soi_accumulate(law->k1, t.root, t.value));
    const struct soi_value over = softened(law, w, above), under = softened(law, w, soi_line(-1, above, 0));
    const struct soi_value scale = soi_line(law->card[SOI_CARD_MOINFD] * law->k1, soi_square(w->thermal), 0);
    const struct soi_value grown = soi_multiply(over, soi_line(1, over, 2 * law->k1 * law->root_phi));
    const struct soi_value rise = soi_multiply(w->thermal, soi_log(soi_line(1, soi_divide(grown, scale), 1)));
    const double coupled = law->oxide / (law->oxide + 1 / (1 / law->film + 1 / law->buried));
    return soi_line(1, soi_accumulate(-coupled, under, rise), law->phi);
}

/* What the channel sees of the body; where it has no voltage of its own, v[SOI_BODY] becomes what it floats at. */
static struct soi_value channel_body(const struct soi_law *law, const struct soi_warmth *w, struct soi_channel *c)
{
    if (law->body == 0)
        return c->v[SOI_BODY];
    const double offset = 0.02;
    const struct depleted d = depleted_at(law, w, surface_potential(law, w, c), c->v[SOI_SUBSTRATE]);
    struct soi_value floats = soi_line(1, d.at, offset);
    if (law->body == 1)
        floats = soi_add(floats, soi_positive(soi_line(1, soi_subtract(c->v[SOI_BODY], floats), -0.01), 1e-4));
    else
        c->v[SOI_BODY] = floats;
    return undepleted(law, d.whole, floats);
}

/* ---- overdrive ---- */

static struct soi_value overdrive(const struct soi_law *law, const struct soi_warmth *w, const struct soi_channel *c)
{
    const struct soi_value scale = soi_line(2, soi_multiply(c->swing, w->thermal), 0);
    const struct soi_value x = soi_divide(c->above, scale);
    const struct soi_value y = soi_divide(soi_line(-1, c->above, 2 * law->p[SOI_VOFF]), scale);
    const double height = law->diffused / law->oxide;
    if (x.value > SOI_FAR)
        return c->above;
    if (y.value > SOI_FAR) {
        const struct soi_value rate = soi_line(2, soi_divide(soi_line(1, c->above, -law->p[SOI_VOFF]), scale), 0);
        return soi_line(height, soi_multiply(w->thermal, soi_exp(rate)), 0);
    }
    const struct soi_value weak = soi_divide(soi_multiply(c->swing, soi_exp(y)), soi_constant(0.5 * height));
    return soi_divide(soi_multiply(scale, soi_softly(x)), soi_line(1, weak, 1));
}

void soi_find_threshold(const struct soi_law *law, const struct soi_warmth *w, struct soi_channel *c)
{
    const double *p = law->p;
    const struct mosfet_value gate = bsim_gate(p[SOI_NGATE], BSIM_CHARGE * BSIM_SILICON / (law->oxide * law->oxide),
                                               law->flat_band + law->phi, c->v[SOI_GATE].value);
    c->gate = soi_chain(c->v[SOI_GATE], gate.value, gate.gs);
    const struct soi_value seen = channel_body(law, w, c);
    const double high = 1.5, most = 0.95 * law->phi;
    const struct soi_value kept = soi_line(1, soi_positive(soi_line(1, seen, 5 - 0.001), 0.02), -5);
    c->body_high = soi_line(-1, soi_positive(soi_line(-1, kept, high - 0.002), 0.008 * high), high);
    c->body = soi_line(-1, soi_positive(soi_line(-1, c->body_high, most - 0.002), 0.008 * most), most);
    const struct threshold t = threshold_of(law, w, c->body, c->v[SOI_DRAIN]);
    const struct soi_value beyond = soi_subtract(c->body_high, c->body);
    c->root = t.root;
    c->depth = t.depth;
    c->threshold = soi_accumulate(law->k1, soi_accumulate(-2.2361 / law->root_phi, beyond, t.root), t.value);
    struct soi_value ends = soi_accumulate(p[SOI_CDSCB], c->body, soi_line(p[SOI_CDSCD], c->v[SOI_DRAIN], p[SOI_CDSC]));
    ends = soi_multiply(ends, t.reach);
    ends = soi_accumulate(p[SOI_NFACTOR] * BSIM_SILICON, soi_invert(c->depth), ends);
    c->swing = soi_at_least(soi_line(1 / law->oxide, ends, 1 + p[SOI_CIT] / law->oxide), 0.5, 0.375);
    c->above = soi_subtract(c->gate, c->threshold);
    c->over = overdrive(law, w, c);
    c->over_thermal = soi_accumulate(2, w->thermal, c->over);
}
