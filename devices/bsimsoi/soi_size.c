/* soi_size.c - numbers of a transistor on insulator that follow from its card, its size and its temperature. */
#include "devices/bsimsoi/soi_batch.h"

#include <math.h>

/* ---- sizes ---- */

struct sides {
    double length, width;               /* of the current */
    double charge_length, charge_width; /* of charges */
};

static double or_else(const struct soi_device *t, enum soi_common row, double otherwise)
{
    return t->given[row] ? t->p[row] : otherwise;
}

static bool has(const struct soi_device *t, enum soi_binned symbol)
{
    return t->given[soi_row(symbol)];
}

/* What both sides lose together. */
static double lost(double offset, const double *by, double l, double w)
{
    return 2 * (offset + by[0] * l + by[1] * w + by[2] * l * w);
}

static struct sides sides_of(const struct soi_device *t)
{
    const double *p = t->p, l = t->own[MOSFET_L], w = t->own[MOSFET_W], contacts = t->own[SOI_NBC];
    const double ll = pow(l, -p[SOI_CARD_LLN]), lw = pow(w, -p[SOI_CARD_LWN]);
    const double wl = pow(l, -p[SOI_CARD_WLN]), ww = pow(w, -p[SOI_CARD_WWN]);
    const double of_length[] = {p[SOI_CARD_LL], p[SOI_CARD_LW], p[SOI_CARD_LWL]};
    const double of_width[] = {p[SOI_CARD_WL], p[SOI_CARD_WW], p[SOI_CARD_WWL]};
    const double charge_length[] = {p[SOI_CARD_LLC], p[SOI_CARD_LWC], p[SOI_CARD_LWLC]};
    const double charge_width[] = {p[SOI_CARD_WLC], p[SOI_CARD_WWC], p[SOI_CARD_WWLC]};
    const double sides = (2 - contacts) / 2, start = w - contacts * p[SOI_CARD_DWBC];
    return (struct sides){.length = l - lost(p[SOI_CARD_LINT], of_length, ll, lw),
                          .width = start - sides * lost(p[SOI_CARD_WINT], of_width, wl, ww),
                          .charge_length = l - lost(or_else(t, SOI_CARD_DLC, p[SOI_CARD_LINT]), charge_length, ll, lw),
                          .charge_width =
                              start - sides * lost(or_else(t, SOI_CARD_DWC, p[SOI_CARD_WINT]), charge_width, wl, ww)};
}

/* ---- values of the card ---- */

/* Rows whose value when absent depends on others: of an n-channel and of a p-channel. */
static const struct {
    enum soi_binned symbol;
    double n, p;
} by_type[] = {{SOI_U0, 0.067, 0.025},  {SOI_AIGC, 0.43, 0.31},    {SOI_BIGC, 0.054, 0.024}, {SOI_CIGC, 0.075, 0.03},
               {SOI_AIGSD, 0.43, 0.31}, {SOI_BIGSD, 0.054, 0.024}, {SOI_CIGSD, 0.075, 0.03}};

static double absent(const struct soi_device *t, enum soi_binned symbol, double otherwise)
{
    const bool by_field = soi_by_field(t->p);
    for (size_t i = 0; i < sizeof by_type / sizeof *by_type; i++)
        if (by_type[i].symbol == symbol)
            return t->sign > 0 ? by_type[i].n : by_type[i].p;
    switch (symbol) {
    case SOI_UC:
        return by_field ? -0.0465 : -0.0465e-9;
    case SOI_UC1:
        return by_field ? -0.056 : -0.056e-9;
    case SOI_DSUB:
        return t->p[soi_row(SOI_DROUT)];
    case SOI_XJ:
        return t->p[SOI_CARD_TSI];
    case SOI_XDIF:
        return t->p[soi_row(SOI_XBJT)];
    default:
        return otherwise;
    }
}

static void bin(const struct soi_device *t, struct soi_law *law)
{
    const double unit = t->p[SOI_CARD_BINUNIT] == 1 ? 1e-6 : 1;
    const double l = unit / law->length, w = unit / law->width;
    for (int i = 0; i < SOI_BINNED_COUNT; i++) {
        const double *part = t->p + soi_row((enum soi_binned)i);
        const double value = has(t, (enum soi_binned)i) ? part[0] : absent(t, (enum soi_binned)i, part[0]);
        law->p[i] = value + part[1] * l + part[2] * w + part[3] * l * w;
    }
    double *p = law->p;
    p[SOI_ACDE] *= pow(p[SOI_NCH] / 2e16, -0.25);
    if (p[SOI_U0] > 1)
        p[SOI_U0] /= 1e4;
    if (!has(t, SOI_NCH) && t->given[SOI_CARD_GAMMA1]) {
        const double body = t->p[SOI_CARD_GAMMA1] * law->oxide;
        p[SOI_NCH] = 3.021e22 * body * body;
    }
}

/* ---- temperature ---- */

/* Carriers of pure silicon, 1/cm^3. */
static struct soi_value intrinsic(struct soi_value kelvin, struct soi_value thermal)
{
    const double t = kelvin.value;
    const struct soi_value gap =
        soi_chain(kelvin, 1.16 - 7.02e-4 * t * t / (t + 1108), -7.02e-4 * t * (t + 2216) / ((t + 1108) * (t + 1108)));
    const struct soi_value power = soi_line(-0.5, soi_divide(gap, thermal), 21.5565981);
    const struct soi_value grown = soi_power(soi_line(1 / 300.15, kelvin, 0), 1.5);
    return soi_line(1.45e10, soi_multiply(grown, soi_exp(power)), 0);
}

static struct soi_value saturation(double current, double power, double emission, struct soi_value excited)
{
    return soi_line(current, soi_exp(soi_line(power / emission, excited, 0)), 0);
}

void soi_warm(const struct soi_law *law, struct soi_value rise, struct soi_warmth *w)
{
    const double *p = law->p;
    w->kelvin = soi_line(1, rise, law->kelvin);
    w->over = soi_line(1 / law->nominal, w->kelvin, -1);
    w->thermal = soi_line(BSIM_KELVIN, w->kelvin, 0);
    const struct soi_value ni = intrinsic(w->kelvin, w->thermal), none = soi_invert(soi_square(ni));
    w->built_in = soi_multiply(w->thermal, soi_log(soi_line(1e20 * p[SOI_NCH], none, 0)));
    const struct soi_value doping =
        p[SOI_NSUB] > 0 ? soi_constant(p[SOI_NCH] / p[SOI_NSUB]) : soi_line(-p[SOI_NCH] * p[SOI_NSUB], none, 0);
    w->substrate = soi_line(-law->sign, soi_multiply(w->thermal, soi_log(doping)), 0);
    const struct soi_value excited = soi_divide(soi_line(1.115, w->over, 0), w->thermal);
    w->bipolar = saturation(p[SOI_ISBJT], p[SOI_XBJT], p[SOI_NDIODE], excited);
    w->high_injection = saturation(p[SOI_AHLI], p[SOI_XBJT], p[SOI_NDIODE], excited);
    w->injected = saturation(p[SOI_ISDIF], p[SOI_XDIF], p[SOI_NDIODE], excited);
    w->recombined = saturation(p[SOI_ISREC], p[SOI_XREC], p[SOI_NRECF0], excited);
    w->tunnelling = saturation(p[SOI_ISTUN], p[SOI_XTUN], 1, w->over);
    w->mobility = soi_line(p[SOI_U0], soi_power(soi_line(1, w->over, 1), p[SOI_UTE]), 0);
    w->velocity = soi_line(-p[SOI_AT], w->over, p[SOI_VSAT]);
    w->resistance = soi_line(p[SOI_PRT] / law->width_power, w->over, p[SOI_RDSW] / law->width_power);
    w->ua = soi_line(p[SOI_UA1], w->over, p[SOI_UA]);
    w->ub = soi_line(p[SOI_UB1], w->over, p[SOI_UB]);
    w->uc = soi_line(p[SOI_UC1], w->over, p[SOI_UC]);
    w->forward = soi_line(0.026 * p[SOI_NRECF0] * p[SOI_NTRECF], w->over, 0.026 * p[SOI_NRECF0]);
    w->reverse = soi_line(0.026 * p[SOI_NRECR0] * p[SOI_NTRECR], w->over, 0.026 * p[SOI_NRECR0]);
}

/* ---- derived numbers ---- */

/* e (1 + 2 e), e = exp(-x/2): how far ends reach along a channel. */
static double reach(double x)
{
    const double e = exp(fmax(-0.5 * x, -SOI_FAR));
    return e + 2 * e * e;
}

/* Body effect from the dopings where the card has neither k1 nor k2. */
static void find_body_effect(const struct soi_device *t, struct soi_law *law)
{
    double *p = law->p;
    if (has(t, SOI_K1) || has(t, SOI_K2)) {
        if (!has(t, SOI_K1))
            p[SOI_K1] = 0.53;
        if (!has(t, SOI_K2))
            p[SOI_K2] = -0.0186;
        return;
    }
    const struct bsim_doping doping = {.channel = p[SOI_NCH],
                                       .substrate = fabs(p[SOI_NSUB]),
                                       .near = or_else(t, SOI_CARD_GAMMA1, NAN),
                                       .far = or_else(t, SOI_CARD_GAMMA2, NAN),
                                       .depth = t->p[SOI_CARD_XT],
                                       .edge = or_else(t, SOI_CARD_VBX, NAN),
                                       .most = t->p[SOI_CARD_VBM]};
    bsim_body_effect(&doping, law->phi, law->oxide, &p[SOI_K1], &p[SOI_K2]);
}

static void find_channel(const struct soi_device *t, struct soi_law *law)
{
    double *p = law->p;
    const double ni = intrinsic(soi_constant(law->kelvin), soi_constant(BSIM_KELVIN * law->kelvin)).value;
    const double doping = 1e6 * BSIM_CHARGE * p[SOI_NCH];
    law->phi = 2 * BSIM_KELVIN * law->kelvin * log(p[SOI_NCH] / ni);
    law->root_phi = sqrt(law->phi);
    law->depletion = sqrt(2 * BSIM_SILICON / doping) * law->root_phi;
    law->litl = sqrt(3 * p[SOI_XJ] * t->p[SOI_CARD_TOX]);
    law->diffused = sqrt(BSIM_SILICON * doping / 2 / law->phi);
    law->debye = sqrt(BSIM_SILICON * BSIM_KELVIN * law->nominal / doping) / 3;
    find_body_effect(t, law);
    law->k1 = p[SOI_K1] * (1 + p[SOI_K1W1] / fmax(law->width + p[SOI_K1W2], 1e-8));
    law->flat_band = has(t, SOI_VTH0) ? law->sign * p[SOI_VTH0] - law->phi - law->k1 * law->root_phi : -1;
    p[SOI_VTH0] = law->sign * (law->flat_band + law->phi + law->k1 * law->root_phi);
    const double thickness = t->p[SOI_CARD_TOX] / or_else(t, SOI_CARD_TOXM, t->p[SOI_CARD_TOX]);
    law->k1 *= thickness;
    law->k2 = p[SOI_K2] * thickness;
    const double end = law->characteristic * sqrt(law->depletion);
    law->drain_threshold = reach(p[SOI_DSUB] * law->length / end);
    law->drain_output = p[SOI_PDIBLC1] * reach(p[SOI_DROUT] * law->length / end) + p[SOI_PDIBLC2];
    law->doping_charge =
        BSIM_CHARGE * t->p[soi_row(SOI_NCH)] * (1 + p[SOI_NLX] / law->length) * 1e6 * t->p[SOI_CARD_TSI];
}

static void find_bipolar(const struct soi_device *t, struct soi_law *law)
{
    const double *p = law->p, ln = fmax(t->p[SOI_CARD_LN], 1e-15), x = law->length / ln;
    const double inverse = p[SOI_LBJT0] * (1 / law->length + 1 / ln);
    law->bipolar_share = exp(fmax(-0.5 * x * x, -SOI_FAR));
    law->lengthened = pow(inverse, p[SOI_NBJT]);
    law->injection_share = 1 + t->p[SOI_CARD_LDIF0] * pow(inverse, p[SOI_NDIF]);
    law->early = fmax(p[SOI_VABJT] + p[SOI_AELY] * law->length, 1);
}

static void find_tunnelling(const struct soi_device *t, struct soi_law *law)
{
    const double *p = law->p, thickness = or_else(t, SOI_CARD_TOXQM, t->p[SOI_CARD_TOX]);
    const double reference = pow(t->p[SOI_CARD_TOXREF] / thickness, t->p[SOI_CARD_NTOX]) / (thickness * thickness);
    const double thicker = p[SOI_POXEDGE], width = law->width / law->segments;
    const double at_edge = reference * pow(thicker, -t->p[SOI_CARD_NTOX]) / (thicker * thicker);
    const double a = law->sign > 0 ? 4.97232e-7 : 3.42537e-7, b = law->sign > 0 ? 7.45669e11 : 1.16645e12;
    law->oxide_ratio = reference;
    law->tunnel[0] = a * width * law->length * reference;
    law->tunnel[1] = -b * thickness;
    law->tunnel[2] = a * width * or_else(t, SOI_CARD_DLCIG, t->p[SOI_CARD_LINT]) * at_edge;
    law->tunnel[3] = -b * thickness * thicker;
    law->edge_flat_band = p[SOI_NGATE] > 0 ? BSIM_KELVIN * law->nominal * log(p[SOI_NGATE] / 1e20) : 0;
}

/* ---- charges ---- */

static void find_overlaps(const struct soi_device *t, const struct sides *s, struct soi_law *law)
{
    const double *card = t->p, *p = law->p, tox = card[SOI_CARD_TOX];
    const double fringe = or_else(t, SOI_CARD_CF, 2 * SOI_OXIDE / BSIM_PI * log(1 + 0.4e-6 / tox));
    const double dlc = or_else(t, SOI_CARD_DLC, card[SOI_CARD_LINT]);
    const double xj = has(t, SOI_XJ) ? card[soi_row(SOI_XJ)] : card[SOI_CARD_TSI];
    const bool by_length = t->given[SOI_CARD_DLC] && dlc > 0;
    const enum soi_common rows[] = {SOI_CARD_CGDO, SOI_CARD_CGSO};
    const enum soi_binned depleting[] = {SOI_CGDL, SOI_CGSL};
    const int more[] = {SOI_PDBCP, SOI_PSBCP};
    for (int i = 0; i < 2; i++) {
        const double width = s->charge_width / law->segments + t->own[more[i]];
        const double otherwise = by_length ? dlc * law->oxide - card[soi_row(depleting[i])] : 0.6 * xj * law->oxide;
        law->overlap[i] = (or_else(t, rows[i], otherwise) + fringe) * width;
        law->depleting[i] = p[depleting[i]] * width;
        law->junction[i] = card[SOI_CARD_CJSWG] * width * card[SOI_CARD_TSI] / 1e-7;
    }
    law->substrate_overlap = card[SOI_CARD_CGEO] * s->charge_length;
}

/* Source and drain on the buried oxide. */
static void find_bottoms(const struct soi_device *t, struct soi_law *law)
{
    const double *card = t->p, *p = law->p, doping = fabs(p[SOI_NSUB]), thermal = BSIM_KELVIN * law->kelvin;
    const double ni = intrinsic(soi_constant(law->kelvin), soi_constant(thermal)).value;
    const double phi = 2 * thermal * log(doping / ni), gamma = 5.753e-12 * sqrt(doping) / law->buried;
    const double flat = p[SOI_NSUB] > 0   ? -law->sign * (thermal * log(1e20 * doping / (ni * ni)) - 0.3)
                        : p[SOI_NSUB] < 0 ? -law->sign * (thermal * log(1e20 / doping) + 0.3)
                                          : 0;
    law->inverts = (p[SOI_NSUB] > 0) == (law->sign > 0);
    law->flat = has(t, SOI_VSDFB) ? p[SOI_VSDFB] : flat;
    const double bent = phi + gamma * sqrt(phi);
    law->threshold = has(t, SOI_VSDTH) ? p[SOI_VSDTH] : law->flat + (law->inverts ? bent : -bent);
    const double in_series = BSIM_SILICON / sqrt(2 * BSIM_SILICON * phi / (BSIM_CHARGE * doping * 1e6));
    const double least = or_else(t, SOI_CARD_CSDMIN, in_series * law->buried / (in_series + law->buried));
    const double area[] = {t->own[MOSFET_AD], t->own[MOSFET_AS]}, edge[] = {t->own[MOSFET_PD], t->own[MOSFET_PS]};
    const double fringe = card[SOI_CARD_CSDESW] * log(1 + card[SOI_CARD_TSI] / card[SOI_CARD_TBOX]);
    for (int i = 0; i < 2; i++)
        law->bottom[i] =
            (struct soi_bottom){law->buried * area[i], least != 0 ? least * area[i] : law->buried * area[i],
                                fringe * fmax(edge[i] - t->own[MOSFET_W], 0)};
    law->turn = law->inverts ? law->flat + card[SOI_CARD_ASD] * (law->threshold - law->flat)
                             : law->threshold + card[SOI_CARD_ASD] * (law->flat - law->threshold);
}

static void find_charges(const struct soi_device *t, const struct sides *s, struct soi_law *law)
{
    const double *card = t->p, width = s->charge_width / law->segments;
    const double body_length = s->charge_length - card[SOI_CARD_DLCB];
    const double thin =
        card[SOI_CARD_CAPMOD] == 3 ? card[SOI_CARD_TOX] / (card[SOI_CARD_TOX] - card[SOI_CARD_DTOXCV]) : 1;
    law->charge_oxide = thin * law->oxide;
    law->channel = law->charge_oxide * (width * s->charge_length + t->own[SOI_AGBCP]);
    law->channel_body = card[SOI_CARD_FBODY] * law->charge_oxide * (width * body_length + t->own[SOI_AGBCP]);
    law->back = law->p[SOI_KB1] * card[SOI_CARD_FBODY] * law->buried *
                (width * (body_length + 2 * card[SOI_CARD_DLBG]) + t->own[SOI_AEBCP]);
    law->bulk_factor = 1 + pow(card[SOI_CARD_CLC] / law->length, card[SOI_CARD_CLE]);
    find_overlaps(t, s, law);
    find_bottoms(t, law);
}

/* ---- around the transistor ---- */

static void find_shell(const struct soi_device *t, struct soi_law *law)
{
    const double *card = t->p, *own = t->own, contacts = card[SOI_CARD_NGCON];
    const double warm_width = law->width + card[SOI_CARD_WTH0];
    const double rth0 = t->own_given[SOI_RTH0_OWN] ? own[SOI_RTH0_OWN] : card[SOI_CARD_RTH0];
    const double cth0 = t->own_given[SOI_CTH0_OWN] ? own[SOI_CTH0_OWN] : card[SOI_CARD_CTH0];
    law->heats = card[SOI_CARD_SHMOD] == 1 && rth0 != 0;
    law->heat_resistance = rth0 / warm_width * law->segments;
    law->heat_capacity = cth0 * warm_width / law->segments;
    const double gate = card[SOI_CARD_RSHG] * (card[SOI_CARD_XGW] + law->width / law->segments / 3 / contacts) /
                        (contacts * (own[MOSFET_L] - card[SOI_CARD_XGL]));
    law->gate_conductance = gate > 0 ? 1 / gate : 1e3;
    const double rbody = card[SOI_CARD_RBODY], rhalo = card[SOI_CARD_RHALO],
                 outside = own[SOI_NRB] * card[SOI_CARD_RBSH];
    const double inside =
        rbody > 0 ? own[SOI_FRBODY] * rbody * rhalo / (2 * rbody + rhalo * law->length) * law->width / law->segments
                  : 0;
    law->contact_conductance = 1 / (inside < 1e-3 ? fmax(outside, 1e-3) : inside + outside);
}

static int body_of(const struct soi_device *t, const struct soi_law *law)
{
    const double *card = t->p;
    const double mod = t->own_given[SOI_SOIMOD_OWN] ? t->own[SOI_SOIMOD_OWN] : card[SOI_CARD_SOIMOD];
    const double charge = BSIM_CHARGE * card[soi_row(SOI_NCH)] * (1 + card[soi_row(SOI_NLX)] / t->own[MOSFET_L]) * 1e6 *
                          card[SOI_CARD_TSI];
    const double built_in = 0.8 - 0.5 * charge / law->film + card[SOI_CARD_VBSA];
    if (mod != 3)
        return (int)mod;
    return built_in > card[SOI_CARD_VBS0FD] ? 2 : built_in < card[SOI_CARD_VBS0PD] ? 0 : 1;
}

bool soi_prepare_law(const struct soi_device *t, struct soi_law *law)
{
    const double *card = t->p;
    const struct sides s = sides_of(t);
    law->card = card;
    law->sign = t->sign;
    law->kelvin = t->kelvin;
    law->nominal = t->nominal;
    law->segments = t->own[SOI_NSEG];
    law->edges = t->own[SOI_NBC];
    law->no_bipolar = t->own[SOI_BJTOFF] == 1;
    law->tunnels_to_channel = card[SOI_CARD_IGCMOD] != 0;
    law->length = s.length;
    law->width = s.width;
    law->ends[0] = s.width / law->segments + t->own[SOI_PDBCP];
    law->ends[1] = s.width / law->segments + t->own[SOI_PSBCP];
    law->oxide = SOI_OXIDE / card[SOI_CARD_TOX];
    law->buried = SOI_OXIDE / card[SOI_CARD_TBOX];
    law->film = BSIM_SILICON / card[SOI_CARD_TSI];
    law->characteristic = sqrt(BSIM_SILICON / SOI_OXIDE * card[SOI_CARD_TOX]);
    law->body = body_of(t, law);
    law->tunnels_to_body = card[SOI_CARD_IGBMOD] != 0 && law->body != 2;
    if (!(s.length > 0 && s.width > 0 && s.charge_length > 0 && s.charge_width > 0))
        return false;
    bin(t, law);
    law->width_power = pow(law->width * 1e6, law->p[SOI_WR]);
    find_channel(t, law);
    find_bipolar(t, law);
    find_tunnelling(t, law);
    find_charges(t, &s, law);
    find_shell(t, law);
    soi_warm(law, soi_constant(0), &law->warmth);
    return true;
}
