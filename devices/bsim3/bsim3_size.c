/* bsim3_size.c - what size and temperature decide in a BSIM3 transistor (BSIM3v3.3 manual, appendix B.1 and B.5).
 *
 * Every binned parameter is its own row plus parts by 1/L, 1/W and 1/(L W), L and W effective and in um unless binunit
 * says otherwise.
 */
#include "devices/bsim3/bsim3_batch.h"

#include <float.h>

struct sides {
    double length, width, charge_length, charge_width;
};

static struct sides sides_of(const struct bsim_device *t)
{
    const double *p = t->p, l = t->own[MOSFET_L], w = t->own[MOSFET_W];
    const double ll = pow(l, p[BSIM3_CARD_LLN]), lw = pow(w, p[BSIM3_CARD_LWN]);
    const double wl = pow(l, p[BSIM3_CARD_WLN]), ww = pow(w, p[BSIM3_CARD_WWN]);
    const double length = l + p[BSIM3_CARD_XL], width = w + p[BSIM3_CARD_XW];
    return (struct sides){.length = length - 2 * bsim_lost(p[BSIM3_CARD_LINT], p[BSIM3_CARD_LL], p[BSIM3_CARD_LW],
                                                           p[BSIM3_CARD_LWL], ll, lw),
                          .width = width - 2 * bsim_lost(p[BSIM3_CARD_WINT], p[BSIM3_CARD_WL], p[BSIM3_CARD_WW],
                                                         p[BSIM3_CARD_WWL], wl, ww),
                          .charge_length = length - 2 * bsim_lost(bsim_or(t, BSIM3_CARD_DLC, BSIM3_CARD_LINT),
                                                                  bsim_or(t, BSIM3_CARD_LLC, BSIM3_CARD_LL),
                                                                  bsim_or(t, BSIM3_CARD_LWC, BSIM3_CARD_LW),
                                                                  bsim_or(t, BSIM3_CARD_LWLC, BSIM3_CARD_LWL), ll, lw),
                          .charge_width = width - 2 * bsim_lost(bsim_or(t, BSIM3_CARD_DWC, BSIM3_CARD_WINT),
                                                                bsim_or(t, BSIM3_CARD_WLC, BSIM3_CARD_WL),
                                                                bsim_or(t, BSIM3_CARD_WWC, BSIM3_CARD_WW),
                                                                bsim_or(t, BSIM3_CARD_WWLC, BSIM3_CARD_WWL), wl, ww)};
}

/* Berkeley's program takes doping above what a crystal can have as one per m^3. */
static double per_cubic_centimetre(double doping, double most)
{
    return doping > most ? 1e-6 * doping : doping;
}

static bool is_given(const struct bsim_device *t, enum bsim3_binned symbol)
{
    return t->given[bsim3_row(symbol)];
}

/* The card's value, or what stands for it where that depends on others. */
static double own_value(const struct bsim_device *t, enum bsim3_binned symbol)
{
    const double value = t->p[bsim3_row(symbol)];
    const bool third = t->p[BSIM3_CARD_MOBMOD] == 3;
    if (symbol == BSIM3_NCH)
        return per_cubic_centimetre(value, 1e20);
    if (symbol == BSIM3_NGATE)
        return per_cubic_centimetre(value, 1e23);
    if (is_given(t, symbol))
        return value;
    switch (symbol) {
    case BSIM3_DSUB:
        return t->p[bsim3_row(BSIM3_DROUT)];
    case BSIM3_UC:
        return third ? -0.0465 : -0.0465e-9;
    case BSIM3_UC1:
        return third ? -0.056 : -0.056e-9;
    case BSIM3_U0:
        return t->sign > 0 ? 0.067 : 0.025;
    case BSIM3_CF:
        return 2 * BSIM3_OXIDE / BSIM_PI * log(1 + 0.4e-6 / t->p[BSIM3_CARD_TOX]);
    default:
        return value;
    }
}

static void find_binned(const struct bsim_device *t, const struct sides *s, double *p)
{
    const double unit = t->p[BSIM3_CARD_BINUNIT] == 1 ? 1e-6 : 1;
    const double by_length = unit / s->length, by_width = unit / s->width;
    for (int i = 0; i < BSIM3_BINNED_COUNT; i++) {
        const double *parts = t->p + bsim3_row((enum bsim3_binned)i);
        p[i] = own_value(t, (enum bsim3_binned)i) + parts[1] * by_length + parts[2] * by_width +
               parts[3] * by_length * by_width;
    }
}

/* (B.1.5): parameters by temperature. */
static void warm(const struct bsim_device *t, struct bsim3_law *law)
{
    double *p = law->p;
    p[BSIM3_UA] += p[BSIM3_UA1] * law->warmth;
    p[BSIM3_UB] += p[BSIM3_UB1] * law->warmth;
    p[BSIM3_UC] += p[BSIM3_UC1] * law->warmth;
    if (p[BSIM3_U0] > 1)
        p[BSIM3_U0] *= 1e-4;
    law->mobility_0 = p[BSIM3_U0] * pow(1 + law->warmth, p[BSIM3_UTE]) * t->own[BSIM3_MULU0];
    law->velocity = p[BSIM3_VSAT] - p[BSIM3_AT] * law->warmth;
    law->resistance = (p[BSIM3_RDSW] + p[BSIM3_PRT] * law->warmth) / pow(law->width * 1e6, p[BSIM3_WR]);
    law->critical = 2 * law->velocity * law->length / law->mobility_0;
    if (t->p[BSIM3_CARD_PARAMCHK] != 1)
        return;
    p[BSIM3_A2] = fmax(p[BSIM3_A2], 0.01);
    if (p[BSIM3_A2] > 1) {
        p[BSIM3_A2] = 1;
        p[BSIM3_A1] = 0;
    }
    if (p[BSIM3_RDSW] < 0 || law->resistance < 0)
        law->resistance = 0;
}

/* Built-in potential, Fermi level and widths of the channel's doping, all at the nominal temperature. */
static void find_depletion(const struct bsim_device *t, struct bsim3_law *law)
{
    double *p = law->p;
    const double kelvin = t->nominal + DEVICE_KELVIN, voltage = BSIM_KELVIN * kelvin, warmth = kelvin / 300.15;
    const double intrinsic = 1.45e10 * warmth * sqrt(warmth) * exp(21.5565981 - thermal_gap(kelvin) / (2 * voltage));
    if (!is_given(t, BSIM3_NCH) && is_given(t, BSIM3_GAMMA1))
        p[BSIM3_NCH] = 3.021e22 * pow(p[BSIM3_GAMMA1] * law->oxide, 2);
    const double doping = 1e6 * p[BSIM3_NCH];
    law->phi = 2 * voltage * log(p[BSIM3_NCH] / intrinsic);
    law->root_phi = sqrt(law->phi);
    law->built_in = voltage * log(1e20 * p[BSIM3_NCH] / (intrinsic * intrinsic));
    law->depletion = sqrt(2 * BSIM_SILICON / (BSIM_CHARGE * doping)) * law->root_phi;
    law->depletion_capacitance = sqrt(BSIM_CHARGE * BSIM_SILICON * doping / 2 / law->phi);
    law->charges.debye = sqrt(BSIM_SILICON * voltage / (BSIM_CHARGE * doping)) / 3;
    law->saturation_length = sqrt(3 * p[BSIM3_XJ] * law->tox);
    p[BSIM3_ACDE] *= pow(p[BSIM3_NCH] / 2e16, -0.25);
}

/* k1 and k2 (B.1.1), or from the doping at the surface and below (B.1.3). */
static void find_body_effect(const struct bsim_device *t, struct bsim3_law *law)
{
    double *p = law->p;
    bsim_find_body_effect(p, &t->given[bsim3_row(0)], p[BSIM3_NCH], law->phi, law->oxide);
    law->k1 = p[BSIM3_K1] * law->tox / bsim_or(t, BSIM3_CARD_TOXM, BSIM3_CARD_TOX);
    law->k2 = p[BSIM3_K2] * law->tox / bsim_or(t, BSIM3_CARD_TOXM, BSIM3_CARD_TOX);
    law->least_bulk = bsim_least_bulk(p[BSIM3_K1], p[BSIM3_K2], law->phi, p[BSIM3_VBM]);
}

/* Decay x + 2 x^2 of x = exp(-rate L/2/lt) with the width of the depletion layer at vbs = 0. */
static double decay_of(const struct bsim3_law *law, double rate)
{
    const double x = exp(-0.5 * rate * law->length / (law->decay * sqrt(law->depletion)));
    return x + 2 * x * x;
}

static void find_threshold(const struct bsim_device *t, struct bsim3_law *law)
{
    double *p = law->p;
    const double body = p[BSIM3_K1] * law->root_phi, shift = t->sign * t->own[BSIM3_DELVTO];
    if (!is_given(t, BSIM3_VFB))
        p[BSIM3_VFB] = is_given(t, BSIM3_VTH0) ? t->sign * p[BSIM3_VTH0] - law->phi - body : -1;
    if (!is_given(t, BSIM3_VTH0))
        p[BSIM3_VTH0] = t->sign * (p[BSIM3_VFB] + law->phi + body);
    law->gate_flat_band = p[BSIM3_VFB] + shift;
    law->narrow = law->tox * law->phi / (law->width + p[BSIM3_W0]);
    law->threshold = t->sign * p[BSIM3_VTH0] + shift - body + p[BSIM3_K3] * law->narrow +
                     law->k1 * (sqrt(1 + p[BSIM3_NLX] / law->length) - 1) * law->root_phi +
                     (p[BSIM3_KT1] + p[BSIM3_KT1L] / law->length) * law->warmth;
    law->lowering = decay_of(law, p[BSIM3_DSUB]);
    law->output = p[BSIM3_PDIBLC1] * decay_of(law, p[BSIM3_DROUT]) + p[BSIM3_PDIBLC2];
}

static void find_charges(const struct bsim_device *t, const struct sides *s, struct bsim3_law *law)
{
    const double *p = law->p, m = t->own[MOSFET_M];
    law->charges.channel = m * law->oxide * s->charge_width * s->charge_length;
    law->charge_bulk = 1 + pow(p[BSIM3_CLC] / s->charge_length, p[BSIM3_CLE]);
    const bool depletes = law->charges.kind > 0;
    law->overlap_source = depletes ? m * p[BSIM3_CGSL] * s->charge_width : 0;
    law->overlap_drain = depletes ? m * p[BSIM3_CGDL] * s->charge_width : 0;
}

/* What overdrive and charges take from all that is found before. */
static void finish_law(struct bsim3_law *law)
{
    struct bsim_charge_law *c = &law->charges;
    law->overdrive = (struct bsim_overdrive_law){.share = 0.5,
                                                 .offset = law->p[BSIM3_VOFF],
                                                 .thermal = law->thermal,
                                                 .height = law->thermal * law->depletion_capacitance / law->oxide};
    c->thermal = law->thermal;
    c->k1 = law->k1;
    c->phi = law->phi;
    c->root_phi = law->root_phi;
    c->flat_band = law->rest.threshold.value - law->phi - law->k1 * law->root_phi;
    c->long_flat_band = law->p[BSIM3_VFBCV];
    c->acde = law->p[BSIM3_ACDE];
    c->moin = law->p[BSIM3_MOIN];
    c->tox = law->tox;
    c->layer_depth = 1.9e-9;
    c->layer_power = 0.7;
    c->by_depth = law->oxide / BSIM_SILICON;
    c->by_depth_0 = 1;
}

bool bsim3_prepare_law(const struct bsim_device *t, struct bsim3_law *law)
{
    const struct sides s = sides_of(t);
    if (!(s.length > 0 && s.width > 0 && s.charge_length > 0 && s.charge_width > 0))
        return false;
    law->mobility = (int)t->p[BSIM3_CARD_MOBMOD];
    law->charges.kind = (int)t->p[BSIM3_CARD_CAPMOD];
    law->charges.partition = t->p[BSIM3_CARD_XPART];
    law->thermal = BSIM_KELVIN * (t->celsius + DEVICE_KELVIN);
    law->warmth = (t->celsius + DEVICE_KELVIN) / (t->nominal + DEVICE_KELVIN) - 1;
    law->tox = t->p[BSIM3_CARD_TOX];
    law->oxide = BSIM3_OXIDE / law->tox;
    law->length = s.length;
    law->width = s.width;
    law->multiplicity = t->own[MOSFET_M];
    law->decay = sqrt(BSIM_SILICON / BSIM3_OXIDE * law->tox);
    find_binned(t, &s, law->p);
    warm(t, law);
    find_depletion(t, law);
    find_body_effect(t, law);
    find_threshold(t, law);
    find_charges(t, &s, law);
    bsim3_prepare_body(law);
    finish_law(law);
    return true;
}

/* Cox times the overlap's length where the card gives one as dlc, else from the depth of source and drain. */
static double overlap_of(const struct bsim_device *t, int row, enum bsim3_binned depleting, double oxide)
{
    const double clamp = t->p[BSIM3_CARD_PARAMCHK] == 1 ? 0 : -INFINITY;
    if (t->given[row])
        return fmax(t->p[row], clamp);
    if (t->given[BSIM3_CARD_DLC] && t->p[BSIM3_CARD_DLC] > 0)
        return fmax(t->p[BSIM3_CARD_DLC] * oxide - t->p[bsim3_row(depleting)], clamp);
    return 0.6 * t->p[bsim3_row(BSIM3_XJ)] * oxide;
}

struct mosfet_overlap bsim3_overlaps(const struct bsim_device *t, const struct bsim3_law *law)
{
    const struct sides s = sides_of(t);
    const double m = law->multiplicity, width = m * s.charge_width, fringe = law->p[BSIM3_CF];
    const double bulk = t->given[BSIM3_CARD_CGBO] ? t->p[BSIM3_CARD_CGBO]
                                                  : 2 * bsim_or(t, BSIM3_CARD_DWC, BSIM3_CARD_WINT) * law->oxide;
    return (struct mosfet_overlap){
        .gate_source = width * (overlap_of(t, BSIM3_CARD_CGSO, BSIM3_CGSL, law->oxide) + fringe),
        .gate_drain = width * (overlap_of(t, BSIM3_CARD_CGDO, BSIM3_CGDL, law->oxide) + fringe),
        .gate_bulk = m * s.charge_length * (t->p[BSIM3_CARD_PARAMCHK] == 1 ? fmax(bulk, 0) : bulk)};
}
