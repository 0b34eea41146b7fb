/* diode_card_bodies.h - what a card of diodes says at a temperature: a template, see number.h. */

/* w and l of level 3, where both are there, count instead of area and perimeter, as in ngspice. */
static void LAW(set_geometry)(struct LAW(diode_card) * card, const struct instances *all, size_t k)
{
    const double w = size_of(all, k, DIODE_OWN_W, DIODE_W), l = size_of(all, k, DIODE_OWN_L, DIODE_L),
                 m = all->own[k][DIODE_OWN_M];
    const bool sides = all->model[k][DIODE_LEVEL] == 3 && w > 0 && l > 0;
    card->size = m * (sides ? w * l : size_of(all, k, DIODE_OWN_AREA, DIODE_AREA));
    card->fixed = diode_fixed_capacitance(all, k);
    card->in_series = all->own[k][DIODE_OWN_N];
    card->edge = m * (sides ? 2 * (w + l) : size_of(all, k, DIODE_OWN_PJ, DIODE_PJ));
}

/* Bv with PSpice's coefficients and with ngspice's tcv, which is relative from tlev 1 on. */
static LAW_NUMBER LAW(hot_breakdown)(const double *p, LAW_NUMBER rise)
{
    const LAW_NUMBER change = 1 + rise * (p[DIODE_TBV1] + rise * p[DIODE_TBV2]);
    return p[DIODE_BV] > 0
               ? number_fmax(p[DIODE_BV] * change - p[DIODE_TCV] * rise * (p[DIODE_TLEV] >= 1 ? p[DIODE_BV] : 1), 0)
               : 0;
}

/* tlevc 1: straight lines from 27 degC on, whatever tnom is, as in ngspice. */
static void LAW(heat_depletion)(struct LAW(diode_card) * card, const double *p, LAW_NUMBER kelvin)
{
    const LAW_NUMBER rise = kelvin - (27 + DEVICE_KELVIN);
    card->depletion_is_hot = true;
    card->cjo = number_fmax(p[DIODE_CJO] * (1 + p[DIODE_CTA] * rise), 0);
    card->cjsw = number_fmax(p[DIODE_CJSW] * (1 + p[DIODE_CTP] * rise), 0);
    card->vj = number_fmax(p[DIODE_VJ] - p[DIODE_TPB] * rise, JUNCTION_LEAST_POTENTIAL);
    card->vjsw = number_fmax(p[DIODE_VJSW] - p[DIODE_TPHP] * rise, JUNCTION_LEAST_POTENTIAL);
}

static struct LAW(diode_card) LAW(card_of)(const double *p, const bool *given, LAW_NUMBER rise)
{
    return (struct LAW(diode_card)){
        .is = p[DIODE_IS],
        .n = p[DIODE_N],
        .jsw = p[DIODE_JSW],
        .ns = given[DIODE_NS] ? p[DIODE_NS] : p[DIODE_N],
        .isr = p[DIODE_ISR],
        .nr = p[DIODE_NR],
        .ikf = p[DIODE_IKF] * number_fmax(1 + rise * p[DIODE_TIKF], 0),
        .bv = LAW(hot_breakdown)(p, rise),
        .ibv = p[DIODE_IBV],
        .nbv = given[DIODE_NBV] ? p[DIODE_NBV] : p[DIODE_N],
        .ibvl = p[DIODE_IBVL],
        .nbvl = p[DIODE_NBVL],
        .cjo = p[DIODE_CJO],
        .vj = p[DIODE_VJ],
        .m = number_fmax(p[DIODE_M] * (1 + rise * (p[DIODE_TM1] + rise * p[DIODE_TM2])), 0),
        .fc = p[DIODE_FC],
        .cjsw = p[DIODE_CJSW],
        .vjsw = p[DIODE_VJSW],
        .mjsw = p[DIODE_MJSW],
        .fcs = p[DIODE_FCS],
        .jtun = p[DIODE_JTUN],
        .jtunsw = p[DIODE_JTUNSW],
        .ntun = p[DIODE_NTUN],
        .xtitun = p[DIODE_XTITUN],
        .keg = p[DIODE_KEG],
        .ikr = p[DIODE_IKR],
        .tt = number_fmax(p[DIODE_TT] * (1 + rise * (p[DIODE_TTT1] + rise * p[DIODE_TTT2])), 0),
        .eg = p[DIODE_EG],
        .xti = p[DIODE_XTI],
        .root_injection = p[DIODE_LEVEL] == 2,
        .gap_moves = p[DIODE_TLEV] == 2};
}

struct LAW(diode_law) LAW(diode_at)(const struct instances *all, size_t k, struct LAW(thermal) t, LAW_NUMBER *series)
{
    const double *p = all->model[k];
    const bool *given = all->model_given[k];
    const LAW_NUMBER rise = t.kelvin - t.nominal;
    struct LAW(diode_card) card = LAW(card_of)(p, given, rise);
    if (card.gap_moves)
        LAW(thermal_set_gap)
    (&t, (struct gap_law){given[DIODE_EG] ? p[DIODE_EG] : SILICON_GAP, p[DIODE_GAP1], p[DIODE_GAP2]});
    if (p[DIODE_TLEVC] == 1)
        LAW(heat_depletion)(&card, p, t.kelvin);
    LAW(set_geometry)(&card, all, k);
    struct LAW(diode_law) law;
    LAW(diode_law_prepare)(&law, &card, &t);
    const LAW_NUMBER rs = p[DIODE_RS] * card.in_series * (1 + rise * (p[DIODE_TRS1] + rise * p[DIODE_TRS2]));
    *series = p[DIODE_RS] > 0 ? card.size / rs : 0;
    return law;
}
