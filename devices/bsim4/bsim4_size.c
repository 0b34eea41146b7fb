/* bsim4_size.c - what size and temperature decide in a BSIM4 transistor (BSIM4.8 manual, chapters 1, 2, 12 and appendix).
 *
 * Every binned parameter is its own row plus parts by 1/L, 1/W and 1/(L W), L and W effective and in um unless binunit
 * says otherwise.
 */
#include "devices/bsim4/bsim4_batch.h"

#include <float.h>

struct sides {
    double drawn_length, length, width, charge_length, charge_width, junction_width;
};

static struct sides sides_of(const struct bsim_device *t)
{
    const double *p = t->p, l = t->own[MOSFET_L] + p[BSIM4_CARD_XL];
    const double w = t->own[MOSFET_W] / t->own[BSIM4_NF] + p[BSIM4_CARD_XW];
    const double ll = pow(l, p[BSIM4_CARD_LLN]), lw = pow(w, p[BSIM4_CARD_LWN]);
    const double wl = pow(l, p[BSIM4_CARD_WLN]), ww = pow(w, p[BSIM4_CARD_WWN]);
    const double wlc = bsim_or(t, BSIM4_CARD_WLC, BSIM4_CARD_WL), wwc = bsim_or(t, BSIM4_CARD_WWC, BSIM4_CARD_WW);
    const double wwlc = bsim_or(t, BSIM4_CARD_WWLC, BSIM4_CARD_WWL);
    const double dwc = bsim_or(t, BSIM4_CARD_DWC, BSIM4_CARD_WINT);
    const double dwj = t->given[BSIM4_CARD_DWJ] ? p[BSIM4_CARD_DWJ] : dwc;
    return (struct sides){
        .drawn_length = l,
        .length = l - 2 * bsim_lost(p[BSIM4_CARD_LINT], p[BSIM4_CARD_LL], p[BSIM4_CARD_LW], p[BSIM4_CARD_LWL], ll, lw),
        .width = w - 2 * bsim_lost(p[BSIM4_CARD_WINT], p[BSIM4_CARD_WL], p[BSIM4_CARD_WW], p[BSIM4_CARD_WWL], wl, ww),
        .charge_length =
            l - 2 * bsim_lost(bsim_or(t, BSIM4_CARD_DLC, BSIM4_CARD_LINT), bsim_or(t, BSIM4_CARD_LLC, BSIM4_CARD_LL),
                              bsim_or(t, BSIM4_CARD_LWC, BSIM4_CARD_LW), bsim_or(t, BSIM4_CARD_LWLC, BSIM4_CARD_LWL),
                              ll, lw),
        .charge_width = w - 2 * bsim_lost(dwc, wlc, wwc, wwlc, wl, ww),
        .junction_width = w - 2 * bsim_lost(dwj, wlc, wwc, wwlc, wl, ww)};
}

double bsim4_junction_width(const struct bsim_device *t)
{
    return sides_of(t).junction_width;
}

static bool is_given(const struct bsim_device *t, enum bsim4_binned symbol)
{
    return t->given[bsim4_row(symbol)];
}

/* Parameters that are those of another one where the card gives none, part by part: of the source what the drain has,
 * ketac; and those that another one gives for both sides. */
static const struct {
    enum bsim4_binned symbol, other;
    bool overruled;
} substitutes[] = {
    {BSIM4_AGISL, BSIM4_AGIDL, false}, {BSIM4_BGISL, BSIM4_BGIDL, false}, {BSIM4_CGISL, BSIM4_CGIDL, false},
    {BSIM4_EGISL, BSIM4_EGIDL, false}, {BSIM4_RGISL, BSIM4_RGIDL, false}, {BSIM4_KGISL, BSIM4_KGIDL, false},
    {BSIM4_FGISL, BSIM4_FGIDL, false}, {BSIM4_KETAC, BSIM4_KETA, false},  {BSIM4_CKAPPAD, BSIM4_CKAPPAS, false},
    {BSIM4_DSUB, BSIM4_DROUT, false},  {BSIM4_AIGS, BSIM4_AIGSD, true},   {BSIM4_AIGD, BSIM4_AIGSD, true},
    {BSIM4_BIGS, BSIM4_BIGSD, true},   {BSIM4_BIGD, BSIM4_BIGSD, true},   {BSIM4_CIGS, BSIM4_CIGSD, true},
    {BSIM4_CIGD, BSIM4_CIGSD, true},
};

static double default_of(const struct bsim_device *t, enum bsim4_binned symbol, double value)
{
    const int mobility = (int)t->p[BSIM4_CARD_MOBMOD];
    const bool n = t->sign > 0, factor = mobility == 1 || mobility == 5;
    switch (symbol) {
    case BSIM4_U0:
        return n ? 0.067 : 0.025;
    case BSIM4_EU:
    case BSIM4_UCS:
        return n ? 1.67 : 1;
    case BSIM4_UA:
        return mobility == 2 || mobility == 6 ? 1e-15 : 1e-9;
    case BSIM4_UC:
        return factor ? -0.0465 : -0.0465e-9;
    case BSIM4_UC1:
        return factor ? -0.056 : -0.056e-9;
    case BSIM4_AIGC:
    case BSIM4_AIGSD:
        return n ? 1.36e-2 : 9.8e-3;
    case BSIM4_BIGC:
    case BSIM4_BIGSD:
        return n ? 1.71e-3 : 7.59e-4;
    case BSIM4_CIGC:
    case BSIM4_CIGSD:
        return n ? 0.075 : 0.03;
    default:
        return value;
    }
}

/* The row of a part (0: the parameter itself) that holds for it. */
static size_t source_of(const struct bsim_device *t, enum bsim4_binned symbol, size_t part)
{
    const size_t row = bsim4_row(symbol) + part;
    for (size_t i = 0; i < sizeof substitutes / sizeof *substitutes; i++)
        if (substitutes[i].symbol == symbol) {
            const size_t other = bsim4_row(substitutes[i].other) + part;
            const bool instead = substitutes[i].overruled ? t->given[other] || !t->given[row] : !t->given[row];
            /* dsub and ckappad have parts of their own */
            return instead && (part == 0 || (symbol != BSIM4_DSUB && symbol != BSIM4_CKAPPAD)) ? other : row;
        }
    return row;
}

static double own_value(const struct bsim_device *t, enum bsim4_binned symbol)
{
    const size_t row = source_of(t, symbol, 0);
    const enum bsim4_binned source = (enum bsim4_binned)((row - BSIM4_COMMON_COUNT) / BSIM_PARTS);
    return t->given[row] ? t->p[row] : default_of(t, source, t->p[row]);
}

static void find_binned(const struct bsim_device *t, const struct sides *s, double *p)
{
    const double unit = t->p[BSIM4_CARD_BINUNIT] == 1 ? 1e-6 : 1;
    const double shares[BSIM_PARTS] = {1, unit / s->length, unit / s->width, unit / s->length * unit / s->width};
    for (int i = 0; i < BSIM4_BINNED_COUNT; i++) {
        p[i] = own_value(t, (enum bsim4_binned)i);
        for (size_t part = 1; part < BSIM_PARTS; part++)
            p[i] += t->p[source_of(t, (enum bsim4_binned)i, part)] * shares[part];
    }
}

/* ---- the oxide ---- */

struct oxide {
    double relative, electrical, physical, measured; /* m */
};

static struct oxide oxide_of(const struct bsim_device *t)
{
    const double *p = t->p;
    const bool material = p[BSIM4_CARD_MTRLMOD] != 0, given_physical = t->given[BSIM4_CARD_TOXP];
    struct oxide o = {p[BSIM4_CARD_EPSROX], p[BSIM4_CARD_TOXE], bsim_or(t, BSIM4_CARD_TOXP, BSIM4_CARD_TOXE), 0};
    o.measured = bsim_or(t, BSIM4_CARD_TOXM, BSIM4_CARD_TOXE);
    if (!material) {
        if (t->given[BSIM4_CARD_TOXE] && !given_physical)
            o.physical = o.electrical - p[BSIM4_CARD_DTOX];
        else if (!t->given[BSIM4_CARD_TOXE] && given_physical) {
            o.electrical = o.physical + p[BSIM4_CARD_DTOX];
            o.measured = t->given[BSIM4_CARD_TOXM] ? o.measured : o.electrical;
        }
        return o;
    }
    const double ratio = o.relative / 3.9;
    o.electrical = p[BSIM4_CARD_EOT];
    if (p[BSIM4_CARD_MTRLCOMPATMOD] != 0) {
        if (t->given[BSIM4_CARD_EOT] && !given_physical)
            o.physical = ratio * o.electrical - p[BSIM4_CARD_DTOX];
        else if (!t->given[BSIM4_CARD_EOT] && given_physical) {
            o.electrical = (o.physical + p[BSIM4_CARD_DTOX]) / ratio;
            o.measured = t->given[BSIM4_CARD_TOXM] ? o.measured : o.electrical;
        }
    }
    o.relative = 3.9;
    return o;
}

/* ---- temperature ---- */

static double gap_at(const struct bsim_device *t, double kelvin)
{
    const double *p = t->p;
    if (p[BSIM4_CARD_MTRLMOD] == 0)
        return thermal_gap(kelvin);
    return p[BSIM4_CARD_BG0SUB] - p[BSIM4_CARD_TBGASUB] * kelvin * kelvin / (kelvin + p[BSIM4_CARD_TBGBSUB]);
}

double bsim4_intrinsic_carriers(const struct bsim_device *t, double *gap)
{
    const double kelvin = t->nominal + DEVICE_KELVIN, voltage = BSIM_KELVIN * kelvin, ratio = kelvin / 300.15;
    *gap = gap_at(t, kelvin);
    if (t->p[BSIM4_CARD_MTRLMOD] == 0)
        return 1.45e10 * ratio * sqrt(ratio) * exp(21.5565981 - *gap / (2 * voltage));
    return t->p[BSIM4_CARD_NI0SUB] * ratio * sqrt(ratio) * exp((gap_at(t, 300.15) - *gap) / (2 * voltage));
}

/* (12): parameters by temperature. */
static void warm(const struct bsim_device *t, struct bsim4_law *law)
{
    static const struct {
        enum bsim4_binned symbol, rate;
    } of_mobility[] = {{BSIM4_UA, BSIM4_UA1}, {BSIM4_UB, BSIM4_UB1}, {BSIM4_UC, BSIM4_UC1}, {BSIM4_UD, BSIM4_UD1}};
    double *p = law->p;
    const double warmth = law->warmth, warmer = t->celsius - t->nominal, ratio = 1 + warmth;
    const double nominal = t->nominal + DEVICE_KELVIN, width = pow(law->width_junction * 1e6, p[BSIM4_WR]);
    const int mode = (int)t->p[BSIM4_CARD_TEMPMOD];
    for (size_t i = 0; i < sizeof of_mobility / sizeof *of_mobility; i++) {
        double *u = &p[of_mobility[i].symbol];
        const double rate = p[of_mobility[i].rate];
        *u = mode == 0 ? *u + rate * warmth : mode == 3 ? *u * pow(ratio, rate) : *u * (1 + rate * warmer);
    }
    const double factor = mode == 0 ? 1 : 1 + p[BSIM4_PRT] * warmer, added = mode == 0 ? p[BSIM4_PRT] * warmth : 0;
    law->velocity = mode == 0 ? p[BSIM4_VSAT] - p[BSIM4_AT] * warmth : p[BSIM4_VSAT] * (1 - p[BSIM4_AT] * warmer);
    p[BSIM4_UCS] = fmax(p[BSIM4_UCS] * pow(ratio, p[BSIM4_UCSTE]), 0);
    p[BSIM4_EU] = fmax(p[BSIM4_EU], 0);
    p[BSIM4_RDW] = fmax(p[BSIM4_RDW] * factor + added, 0) / width;
    p[BSIM4_RSW] = fmax(p[BSIM4_RSW] * factor + added, 0) / width;
    if (t->p[BSIM4_CARD_RDSMOD] == 0) {
        law->resistance = p[BSIM4_RDSW] < 0 ? 0 : fmax(p[BSIM4_RDSW] * factor + added, 0) / width;
        law->least_resistance = fmax(t->p[BSIM4_CARD_RDSWMIN] * factor + added, 0) / width;
    }
    if (p[BSIM4_U0] > 1)
        p[BSIM4_U0] *= 1e-4;
    law->mobility_0 = p[BSIM4_U0] * (1 - p[BSIM4_UP] * exp(-law->length / p[BSIM4_LP])) * pow(ratio, p[BSIM4_UTE]);
    p[BSIM4_VFBSDOFF] *= 1 + p[BSIM4_TVFBSDOFF] * warmer;
    p[BSIM4_VOFF] *= 1 + p[BSIM4_TVOFF] * warmer;
    p[BSIM4_VOFFCV] *= 1 + p[BSIM4_TVOFFCV] * warmer;
    p[BSIM4_NFACTOR] += p[BSIM4_TNFACTOR] * warmer / nominal;
    p[BSIM4_ETA0] += p[BSIM4_TETA0] * warmer / nominal;
}

/* Ranges into which Berkeley's program brings parameters. */
static void clamp(double *p)
{
    p[BSIM4_PRWG] = fmax(p[BSIM4_PRWG], 0);
    p[BSIM4_CKAPPAS] = fmax(p[BSIM4_CKAPPAS], 0.02);
    p[BSIM4_CKAPPAD] = fmax(p[BSIM4_CKAPPAD], 0.02);
    p[BSIM4_A2] = fmax(p[BSIM4_A2], 0.01);
    if (p[BSIM4_A2] > 1) {
        p[BSIM4_A2] = 1;
        p[BSIM4_A1] = 0;
    }
}

/* ---- the channel ---- */

/* Built-in potential, Fermi level and widths of the channel's doping, all at the nominal temperature. */
static void find_depletion(const struct bsim_device *t, struct bsim4_law *law, const struct oxide *o)
{
    double *p = law->p, gap;
    const double voltage = BSIM_KELVIN * (t->nominal + DEVICE_KELVIN), intrinsic = bsim4_intrinsic_carriers(t, &gap);
    if (!is_given(t, BSIM4_NDEP) && is_given(t, BSIM4_GAMMA1))
        p[BSIM4_NDEP] = 3.01248e22 * pow(p[BSIM4_GAMMA1] * law->oxide, 2);
    const double doping = 1e6 * p[BSIM4_NDEP];
    law->phi = voltage * log(p[BSIM4_NDEP] / intrinsic) + p[BSIM4_PHIN] + 0.4;
    law->root_phi = sqrt(law->phi);
    law->built_in = voltage * log(p[BSIM4_NSD] * p[BSIM4_NDEP] / (intrinsic * intrinsic));
    law->depletion = sqrt(2 * law->silicon / (BSIM_CHARGE * doping)) * law->root_phi;
    law->charges.debye = sqrt(law->silicon * voltage / (BSIM_CHARGE * doping)) / 3;
    const double ratio = law->material ? t->p[BSIM4_CARD_EPSRSUB] : 3 * 3.9;
    law->saturation_length = sqrt(ratio / o->relative * p[BSIM4_XJ] * o->electrical);
    law->decay = sqrt(law->silicon / (o->relative * BSIM4_VACUUM) * o->electrical);
    p[BSIM4_ACDE] *= pow(p[BSIM4_NDEP] / 2e16, -0.25);
    if (law->material) {
        const double level = fmin(voltage * log(p[BSIM4_NSD] / intrinsic), 0.5 * gap);
        law->edge_flat_band = t->p[BSIM4_CARD_PHIG] - (t->p[BSIM4_CARD_EASUB] + 0.5 * gap - t->sign * level);
    } else {
        law->edge_flat_band = p[BSIM4_NGATE] > 0 ? voltage * log(p[BSIM4_NGATE] / p[BSIM4_NSD]) : 0;
    }
    law->overlap_flat_band = law->edge_flat_band + p[BSIM4_VFBSDOFF];
    if (law->material && t->p[BSIM4_CARD_MTRLCOMPATMOD] == 0)
        law->work_offset = 2 * t->sign * (t->p[BSIM4_CARD_PHIG] - t->p[BSIM4_CARD_EASUB] - 0.5 * gap + 0.45);
}

/* Decay with the width of the depletion layer at vbs = 0. */
static double decay_of(const struct bsim4_law *law, double along)
{
    return bsim4_decayed(along, (struct bulk_value){law->decay * sqrt(law->depletion), 0}).value;
}

/* vth0 and vfb in the sense of an n-channel transistor, each from the other where one is absent. */
static void find_flat_band(const struct bsim_device *t, struct bsim4_law *law)
{
    double *p = law->p, gap;
    const double body = p[BSIM4_K1] * law->root_phi;
    const bool given = is_given(t, BSIM4_VTH0);
    if (!is_given(t, BSIM4_VFB)) {
        p[BSIM4_VFB] = given ? t->sign * p[BSIM4_VTH0] - law->phi - body : -1;
        if (!given && law->material && t->given[BSIM4_CARD_PHIG] && is_given(t, BSIM4_NSUB)) {
            const double voltage = BSIM_KELVIN * (t->nominal + DEVICE_KELVIN);
            const double intrinsic = bsim4_intrinsic_carriers(t, &gap);
            const double level = fmin(voltage * log(p[BSIM4_NSUB] / intrinsic), 0.5 * gap);
            p[BSIM4_VFB] = t->p[BSIM4_CARD_PHIG] - (t->p[BSIM4_CARD_EASUB] + 0.5 * gap + t->sign * level);
        }
    }
    if (!given)
        p[BSIM4_VTH0] = t->sign * (p[BSIM4_VFB] + law->phi + body);
}

static void find_threshold(const struct bsim_device *t, struct bsim4_law *law, const struct oxide *o,
                           const struct bsim4_surroundings *around)
{
    double *p = law->p;
    const double body = p[BSIM4_K1] * law->root_phi, across = law->built_in - law->phi;
    const double k2 = p[BSIM4_K2] + around->k2;
    const double shift = t->sign * t->own[BSIM4_DELVTO];
    const int mode = (int)t->p[BSIM4_CARD_TEMPMOD];
    law->sign_threshold = t->sign * (p[BSIM4_VTH0] + around->threshold) + shift;
    law->k1ox = p[BSIM4_K1] * o->electrical / o->measured;
    law->k2ox = k2 * o->electrical / o->measured;
    law->gate_from = p[BSIM4_VFB] + shift + law->phi;
    law->lateral = sqrt(1 + p[BSIM4_LPEB] / law->length);
    law->narrow = o->electrical * law->phi / (law->width + p[BSIM4_W0]);
    const double implants = law->k1ox * (sqrt(1 + p[BSIM4_LPE0] / law->length) - 1) * law->root_phi;
    const double warm = (p[BSIM4_KT1] + p[BSIM4_KT1L] / law->length) * law->warmth;
    law->threshold = law->sign_threshold - body * law->lateral + p[BSIM4_K3] * law->narrow + implants + warm;
    law->lowering = decay_of(law, p[BSIM4_DSUB] * law->length);
    law->output = p[BSIM4_PDIBLC1] * decay_of(law, p[BSIM4_DROUT] * law->length) + p[BSIM4_PDIBLC2];
    law->charges.flat_band = law->sign_threshold - law->phi - body + p[BSIM4_K3] * law->narrow + implants +
                             (mode < 2 ? warm : -p[BSIM4_KT1] * law->warmth) -
                             across * (p[BSIM4_DVT0] * decay_of(law, p[BSIM4_DVT1] * law->length) +
                                       p[BSIM4_DVT0W] * decay_of(law, p[BSIM4_DVT1W] * law->width * law->length));
    law->least_bulk = bsim_least_bulk(p[BSIM4_K1], k2, law->phi, p[BSIM4_VBM]);
    double slope;
    law->pocket_shift = p[BSIM4_DVTP5] + p[BSIM4_DVTP2] * bsim4_exp(-p[BSIM4_DVTP3] * log(law->length), &slope);
    const double above = law->sign_threshold - (law->gate_from - law->phi) - law->phi;
    law->mobility_offset = fmax((t->sign > 0 ? 2 : 2.5) * above, 0) + 1e-20;
    law->layer_offset = fmax(4 * above, 0);
}

/* Vgsteff at the threshold, for Coulomb scattering with mobmod = 3. */
static double overdrive_at_threshold(const struct bsim4_law *law)
{
    const struct mosfet_value n = value_at_least(value_constant(1 + law->rest.swing.value), 0.5, 0.375);
    return bsim_overdrive(&law->overdrive, value_constant(0), n).value;
}

/* Thickness of the oxide and what lies under it as one, where the card gives eot only (mtrlmod = 1): that of the gate at
 * vddeot. */
static double thickness_of(const struct bsim_device *t, const struct bsim4_law *law, const struct oxide *o)
{
    const double *p = law->p, length = t->p[BSIM4_CARD_LEFFEOT], width = t->p[BSIM4_CARD_WEFFEOT];
    const double kelvin = t->p[BSIM4_CARD_TEMPEOT], voltage = BSIM_KELVIN * kelvin,
                 vgs = t->given[BSIM4_CARD_VDDEOT] ? t->sign * t->p[BSIM4_CARD_VDDEOT] : 1.5;
    double gap;
    const double intrinsic = bsim4_intrinsic_carriers(t, &gap);
    const double built_in = voltage * log(p[BSIM4_NSD] * p[BSIM4_NDEP] / (intrinsic * intrinsic));
    const double phi = voltage * log(p[BSIM4_NDEP] / intrinsic) + p[BSIM4_PHIN] + 0.4, vfb = law->gate_from - law->phi;
    const double gate = bsim_gate(p[BSIM4_NGATE], law->gate_scale, vfb + phi, vgs).value;
    const double ends = decay_of(law, p[BSIM4_DVT1] * length);
    const double warm = (p[BSIM4_KT1] + p[BSIM4_KT1L] / length) * (kelvin / (t->nominal + DEVICE_KELVIN) - 1);
    const double n = bulk_at_least((struct bulk_value){1 + (p[BSIM4_NFACTOR] * law->silicon / law->depletion +
                                                            p[BSIM4_CDSC] * ends + p[BSIM4_CIT]) /
                                                               law->oxide,
                                                       0},
                                   0.5, 0.375)
                         .value;
    double threshold =
        law->sign_threshold + (law->k1ox - p[BSIM4_K1]) * sqrt(phi) * sqrt(1 + p[BSIM4_LPEB] / length) -
        (built_in - phi) * (p[BSIM4_DVT0] * ends + p[BSIM4_DVT0W] * decay_of(law, p[BSIM4_DVT1W] * width * length)) +
        p[BSIM4_K3] * o->electrical * phi / (width + p[BSIM4_W0]) +
        law->k1ox * (sqrt(1 + p[BSIM4_LPE0] / length) - 1) * sqrt(phi) + warm;
    if (p[BSIM4_DVTP0] > 0)
        threshold -= n * voltage * log(length / (length + 2 * p[BSIM4_DVTP0]));
    const double offset = fmax(4 * (law->sign_threshold - vfb - phi), 0), power = 0.7 * t->p[BSIM4_CARD_BDOS];
    double thickness = o->electrical, before;
    int count = 0;
    do {
        before = thickness;
        const double depth =
            t->p[BSIM4_CARD_ADOS] * 1.9e-9 / (1 + pow((gate - threshold + offset) / (2e8 * thickness), power));
        thickness = o->electrical - o->relative / t->p[BSIM4_CARD_EPSRSUB] * depth;
    } while (++count <= 4 && fabs(thickness - before) > 1e-12);
    return thickness;
}

/* ---- charges and tunnelling ---- */

static void find_charges(const struct bsim_device *t, const struct sides *s, const struct oxide *o,
                         struct bsim4_law *law)
{
    const double *p = law->p, fingers = t->own[MOSFET_M] * t->own[BSIM4_NF];
    struct bsim_charge_law *c = &law->charges;
    const double physical =
        law->material && t->p[BSIM4_CARD_MTRLCOMPATMOD] == 0 ? thickness_of(t, law, o) : o->physical;
    const double relative =
        law->material && t->p[BSIM4_CARD_MTRLCOMPATMOD] == 0 ? o->relative : t->p[BSIM4_CARD_EPSROX];
    c->thermal = law->thermal;
    c->k1 = law->k1ox;
    c->phi = law->phi;
    c->root_phi = law->root_phi;
    c->long_flat_band = p[BSIM4_VFBCV];
    c->channel = fingers * law->oxide * s->charge_width * s->charge_length;
    c->acde = p[BSIM4_ACDE];
    c->moin = p[BSIM4_MOIN];
    c->tox = physical;
    c->layer_depth = 1.9e-9 * t->p[BSIM4_CARD_ADOS];
    c->layer_power = 0.7 * t->p[BSIM4_CARD_BDOS];
    c->by_depth = law->oxide / law->silicon;
    c->by_depth_0 = law->oxide / (relative * BSIM4_VACUUM / physical);
    law->charge_bulk = 1 + pow(p[BSIM4_CLC] / s->charge_length, p[BSIM4_CLE]);
    law->overlap_source = c->kind > 0 ? fingers * p[BSIM4_CGSL] * s->charge_width : 0;
    law->overlap_drain = c->kind > 0 ? fingers * p[BSIM4_CGDL] * s->charge_width : 0;
}

static void find_overdrives(const struct bsim_device *t, struct bsim4_law *law)
{
    const double *p = law->p, length = law->length;
    const double depletion = sqrt(BSIM_CHARGE * law->silicon * p[BSIM4_NDEP] * 1e6 / 2 / law->phi);
    const double height = law->thermal * depletion / law->oxide;
    law->overdrive = (struct bsim_overdrive_law){.share = 0.5 + atan(p[BSIM4_MINV]) / BSIM_PI,
                                                 .offset = p[BSIM4_VOFF] + t->p[BSIM4_CARD_VOFFL] / length,
                                                 .thermal = law->thermal,
                                                 .height = height};
    law->charge_overdrive = t->p[BSIM4_CARD_CVCHARGEMOD] != 0;
    law->over_charges = law->overdrive;
    law->over_charges.share = 0.5 + atan(p[BSIM4_MINVCV]) / BSIM_PI;
    law->over_charges.offset = p[BSIM4_VOFFCV] + t->p[BSIM4_CARD_VOFFCVL] / length;
}

static struct bsim4_tunnel tunnel_of(double scale, double rate, const double *p, enum bsim4_binned a)
{
    return (struct bsim4_tunnel){scale, rate, p[a], p[a + 1], p[a + 2]};
}

static void find_tunnels(const struct bsim_device *t, const struct oxide *o, struct bsim4_law *law)
{
    const double *p = law->p, toxe = o->electrical, edge = toxe * p[BSIM4_POXEDGE];
    const double thin = pow(t->p[BSIM4_CARD_TOXREF] / toxe, p[BSIM4_NTOX]) / (toxe * toxe);
    const double thin_edge = pow(t->p[BSIM4_CARD_TOXREF] / edge, p[BSIM4_NTOX]) / (edge * edge);
    const double electrons = 4.97232e-7, holes = 3.42537e-7, area = law->width * law->length * thin;
    const double scale = t->sign > 0 ? electrons : holes, rate = t->sign > 0 ? 7.45669e11 : 1.16645e12;
    const double source = bsim_or(t, BSIM4_CARD_DLCIG, BSIM4_CARD_LINT);
    const double drain = t->given[BSIM4_CARD_DLCIGD] ? t->p[BSIM4_CARD_DLCIGD] : source;
    const double strip = scale * law->width * thin_edge;
    law->gate_channel = (int)t->p[BSIM4_CARD_IGCMOD];
    law->gate_bulk = (int)t->p[BSIM4_CARD_IGBMOD];
    law->channel = tunnel_of(scale * area, -rate * toxe, p, BSIM4_AIGC);
    law->source_oxide = tunnel_of(strip * fmax(source, 0), -rate * edge, p, BSIM4_AIGS);
    law->drain_oxide = tunnel_of(strip * fmax(drain, 0), -rate * edge, p, BSIM4_AIGD);
    law->accumulated = tunnel_of(electrons * area, -7.45669e11 * toxe, p, BSIM4_AIGBACC);
    law->inverted = tunnel_of(electrons * area * 0.7561, -7.45669e11 * toxe * 1.31724, p, BSIM4_AIGBINV);
    law->pigcd = is_given(t, BSIM4_PIGCD) ? p[BSIM4_PIGCD] : NAN;
    law->edge_law = (int)t->p[BSIM4_CARD_GIDLMOD];
    law->edge_clamp = t->p[BSIM4_CARD_GIDLCLAMP];
    law->edge_thickness = law->material ? t->p[BSIM4_CARD_EPSRSUB] * toxe / o->relative : 3 * toxe;
    law->drain_edge = (struct bsim4_edge){p[BSIM4_AGIDL] * law->width_junction,
                                          p[BSIM4_BGIDL],
                                          p[BSIM4_CGIDL],
                                          p[BSIM4_EGIDL],
                                          p[BSIM4_RGIDL],
                                          p[BSIM4_KGIDL],
                                          p[BSIM4_FGIDL]};
    law->source_edge = (struct bsim4_edge){p[BSIM4_AGISL] * law->width_junction,
                                           p[BSIM4_BGISL],
                                           p[BSIM4_CGISL],
                                           p[BSIM4_EGISL],
                                           p[BSIM4_RGISL],
                                           p[BSIM4_KGISL],
                                           p[BSIM4_FGISL]};
}

/* ---- all ---- */

static void find_modes(const struct bsim_device *t, const struct sides *s, const struct oxide *o, struct bsim4_law *law)
{
    static const int kinds[] = {0, 2, 3};
    law->mobility = (int)t->p[BSIM4_CARD_MOBMOD];
    law->material = t->p[BSIM4_CARD_MTRLMOD] != 0;
    law->charges.kind = kinds[(int)t->p[BSIM4_CARD_CAPMOD]];
    law->charges.partition = t->p[BSIM4_CARD_XPART];
    law->thermal = BSIM_KELVIN * (t->celsius + DEVICE_KELVIN);
    law->warmth = (t->celsius + DEVICE_KELVIN) / (t->nominal + DEVICE_KELVIN) - 1;
    law->pocket_thermal = law->tunnel_thermal =
        t->p[BSIM4_CARD_TEMPMOD] < 2 ? law->thermal : BSIM_KELVIN * (t->nominal + DEVICE_KELVIN);
    law->toxe = o->electrical;
    law->oxide = o->relative * BSIM4_VACUUM / o->electrical;
    law->silicon = law->material ? BSIM4_VACUUM * t->p[BSIM4_CARD_EPSRSUB] : BSIM_SILICON;
    const double gate = law->material ? BSIM4_VACUUM * t->p[BSIM4_CARD_EPSRGATE] : BSIM_SILICON;
    /* not BSIM_CHARGE: Berkeley's program has another number here */
    law->gate_scale = DEVICE_CHARGE * gate / (law->oxide * law->oxide);
    law->length = s->length;
    law->width = s->width;
    law->width_junction = s->junction_width;
}

bool bsim4_prepare_law(const struct bsim_device *t, struct bsim4_law *law)
{
    const struct sides s = sides_of(t);
    const struct oxide o = oxide_of(t);
    if (!(s.length > 0 && s.width > 0 && s.charge_length > 0 && s.charge_width > 0 && s.junction_width > 0))
        return false;
    find_modes(t, &s, &o, law);
    find_binned(t, &s, law->p);
    warm(t, law);
    clamp(law->p);
    find_depletion(t, law, &o);
    bsim_find_body_effect(law->p, &t->given[bsim4_row(0)], law->p[BSIM4_NDEP], law->phi, law->oxide);
    find_flat_band(t, law);
    const struct bsim4_surroundings around = bsim4_surroundings_of(t, law->p);
    law->p[BSIM4_ETA0] += around.eta0;
    law->mobility_0 *= around.mobility * t->own[BSIM4_MULU0];
    law->velocity *= around.velocity;
    law->critical = 2 * law->velocity * law->length / law->mobility_0;
    find_threshold(t, law, &o, &around);
    find_overdrives(t, law);
    find_charges(t, &s, &o, law);
    find_tunnels(t, &o, law);
    law->fringe = 1 + t->p[BSIM4_CARD_PDITSL] * law->length;
    if (is_given(t, BSIM4_VTL) && law->p[BSIM4_VTL] > 0) {
        const double back = law->length / (law->p[BSIM4_XN] * law->length + fmax(t->p[BSIM4_CARD_LC], 0));
        law->injection = law->p[BSIM4_VTL] * (1 - back) / (1 + back);
    }
    bsim4_prepare_body(law);
    law->coulomb = overdrive_at_threshold(law);
    return true;
}

struct mosfet_overlap bsim4_overlaps(const struct bsim_device *t, const struct bsim4_law *law)
{
    static const struct {
        int row;
        enum bsim4_binned depleting;
    } sides[] = {{BSIM4_CARD_CGSO, BSIM4_CGSL}, {BSIM4_CARD_CGDO, BSIM4_CGDL}};
    const struct sides s = sides_of(t);
    const struct oxide o = oxide_of(t);
    const double fingers = t->own[MOSFET_M] * t->own[BSIM4_NF], lost_length = t->p[BSIM4_CARD_DLC];
    const bool by_length = t->given[BSIM4_CARD_DLC] && lost_length > 0;
    const double fringe =
        law->p[BSIM4_CF] +
        (is_given(t, BSIM4_CF) ? 0 : 2 * o.relative * BSIM4_VACUUM / BSIM_PI * log(1 + 0.4e-6 / o.electrical));
    double overlap[2];
    for (int i = 0; i < 2; i++) {
        overlap[i] = t->given[sides[i].row] ? fmax(t->p[sides[i].row], 0)
                     : by_length            ? lost_length * law->oxide - t->p[bsim4_row(sides[i].depleting)]
                                            : 0.6 * t->p[bsim4_row(BSIM4_XJ)] * law->oxide;
        overlap[i] = fingers * s.charge_width * (overlap[i] + fringe);
    }
    const double bulk = t->given[BSIM4_CARD_CGBO] ? t->p[BSIM4_CARD_CGBO]
                                                  : 2 * bsim_or(t, BSIM4_CARD_DWC, BSIM4_CARD_WINT) * law->oxide;
    return (struct mosfet_overlap){
        .gate_source = overlap[0], .gate_drain = overlap[1], .gate_bulk = fingers * s.charge_length * bulk};
}
