/* vdmos_laws.h - the law of vdmos.c and what it is at a temperature: a template, see number.h.  struct LAW(fet_value) is
 * there before.
 */

/* m and temperature are in the numbers. */
struct LAW(vdmos_law) {
    LAW_NUMBER threshold, beta, slope;
    double lambda, theta, triode, shift;
    LAW_NUMBER drain, gate, source, body; /* S, of series resistances; 0: none */
    LAW_NUMBER added;                     /* ohm, of quasi-saturation; 0: none */
    double half;                          /* V */
};

static inline struct LAW(fet_value) LAW(vdmos_forward)(const struct LAW(vdmos_law) * law, double vgs, double vds)
{
    const LAW_NUMBER over = vgs - law->threshold, z = (over - law->shift) / law->slope;
    const bool on = number_value(z) > 0;
    const LAW_NUMBER e = number_exp(on ? -z : z);
    const LAW_NUMBER u = law->slope * (on ? z + number_log1p(e) : number_log1p(e));
    const LAW_NUMBER rise = on ? 1 / (1 + e) : e / (1 + e); /* du/dvgs */
    const bool above = number_value(over) > 0;
    const LAW_NUMBER mobility = 1 / (1 + law->theta * (above ? over : 0));
    const LAW_NUMBER b = law->beta * (1 + law->lambda * vds) * mobility;
    const LAW_NUMBER b_gs = above ? -b * law->theta * mobility : 0, b_ds = law->beta * law->lambda * mobility;
    const double w = law->triode * vds;
    if (number_value(u) <= w)
        return (struct LAW(fet_value)){0.5 * b * u * u, b * u * rise + 0.5 * b_gs * u * u, 0.5 * b_ds * u * u};
    const LAW_NUMBER shape = w * (u - 0.5 * w);
    return (struct LAW(fet_value)){b * shape, b * w * rise + b_gs * shape, b * law->triode * (u - w) + b_ds * shape};
}

static inline struct LAW(fet_value) LAW(vdmos_channel)(const struct LAW(vdmos_law) * law, struct fet_voltages v)
{
    if (v.ds >= 0)
        return LAW(vdmos_forward)(law, v.gs, v.ds);
    const struct LAW(fet_value) back = LAW(vdmos_forward)(law, v.gs - v.ds, -v.ds);
    return (struct LAW(fet_value)){-back.value, -back.gs, back.gs + back.ds};
}

/* Conductance of Rd with what quasi-saturation adds, and its slope by the outer vds. */
static inline LAW_NUMBER LAW(vdmos_drain)(const struct LAW(vdmos_law) * law, double v, double *slope)
{
    *slope = 0;
    if (number_value(law->added) == 0 || v <= 0 || number_value(law->drain) == 0)
        return law->drain;
    const double sum = v + law->half;
    const LAW_NUMBER g = 1 / (1 / law->drain + law->added * v / sum);
    *slope = number_value(-g * g * law->added * law->half / (sum * sum));
    return g;
}

static inline LAW_NUMBER LAW(vdmos_series)(double ohms, double m, LAW_NUMBER rise, const double *by)
{
    return ohms > 0 ? m / (ohms * (1 + rise * (by[0] + rise * by[1]))) : 0;
}

static inline struct LAW(vdmos_law)
    LAW(vdmos_law_at)(const double *p, const bool *given, double m, double sign, const struct LAW(thermal) * at)
{
    const LAW_NUMBER rise = at->kelvin - at->nominal;
    const double vto = given[VDMOS_VTO] ? p[VDMOS_VTO] : sign * p[VDMOS_VTO];
    const double kp = given[VDMOS_KP] || sign > 0 ? p[VDMOS_KP] : 10;
    const bool quasi = p[VDMOS_RQ] > 0 && given[VDMOS_VQ];
    struct LAW(vdmos_law) law = {.lambda = p[VDMOS_LAMBDA],
                                 .theta = p[VDMOS_THETA],
                                 .triode = p[VDMOS_MTRIODE],
                                 .shift = p[VDMOS_SUBSHIFT],
                                 .half = fabs(p[VDMOS_VQ])};
    law.threshold = sign * (vto + p[VDMOS_VTOTC] * rise) - p[VDMOS_TCVTH] * rise;
    law.beta = m * kp * number_pow(at->ratio, p[VDMOS_BEX]);
    law.slope = p[VDMOS_KSUBTHRES] * (1 + rise * (p[VDMOS_TKSUBTHRES1] + rise * p[VDMOS_TKSUBTHRES2]));
    law.drain = p[VDMOS_RD] <= 0     ? (quasi ? m / VDMOS_LEAST_DRAIN : 0)
                : given[VDMOS_TEXP0] ? m / (p[VDMOS_RD] * number_pow(at->ratio, p[VDMOS_TEXP0]))
                                     : LAW(vdmos_series)(p[VDMOS_RD], m, rise, p + VDMOS_TRD1);
    law.gate = LAW(vdmos_series)(p[VDMOS_RG], m, rise, p + VDMOS_TRG1);
    law.source = LAW(vdmos_series)(p[VDMOS_RS], m, rise, p + VDMOS_TRS1);
    law.body = LAW(vdmos_series)(p[VDMOS_RB], m, rise, p + VDMOS_TRB1);
    law.added = quasi ? p[VDMOS_RQ] / m * number_pow(at->ratio, p[VDMOS_TEXP1]) : 0;
    return law;
}

static inline struct LAW(diode_law) LAW(vdmos_body_at)(const double *p, double m, const struct LAW(thermal) * at)
{
    const struct LAW(diode_card)
        card = {.size = m, BODY_DIODE(p, VDMOS_), .nr = 1, .bv = fabs(p[VDMOS_BV]), .nbv = p[VDMOS_NBV]};
    struct LAW(diode_law) law;
    LAW(diode_law_prepare)(&law, &card, at);
    return law;
}
