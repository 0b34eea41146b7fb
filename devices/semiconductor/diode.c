/* diode.c - D: SPICE's junction diode, level 1, with PSpice's parameters as level 2 and ngspice's sidewall as level 3.
 *
 * Between internal anode and cathode, v the junction voltage:
 *     i = id(v) + gmin v,   q = Tt id(v) + Qj(v),
 * with the law of diode_law.h; Rs leads from the anode to an internal node.
 *
 * Level 2 (PSpice, Xyce): high injection by a root, a second breakdown exponential, Bv and Ikf with temperature
 * coefficients.  Level 3 (ngspice): area w l and perimeter 2 (w + l) where w and l are given.  Otherwise all levels have
 * all parameters.  Temperature: junction.h, tlev and tlevc as in ngspice 39, tlev 2 by Varshni's gap.
 */
#include "devices/families.h"
#include "devices/incidence.h"
#include "devices/noise.h"
#include "devices/semiconductor/diode_law.h"
#include "devices/semiconductor/instances.h"

#include <float.h>

enum { I_AREA, I_M, I_TEMP, I_DTEMP, I_IC, I_OFF, I_PJ, I_W, I_L, I_LM, I_LP, I_WM, I_WP, I_N, I_COUNT };

static const struct parameter_info instance_rows[] = {
    [I_AREA] = {"area", "", 1, DBL_MIN, INFINITY, "area factor: multiplies currents and charges, divides Rs", NULL},
    INSTANCE_ROWS(I_M, I_TEMP, I_DTEMP, I_OFF),
    [I_IC] = {"ic", "V", 0, -INFINITY, INFINITY, "junction voltage at the start of a transient with uic", NULL},
    [I_PJ] = {"pj", "m", 0, 0, INFINITY, "perimeter, for jsw and cjsw", "perim"},
    [I_W] = {"w", "m", 0, 0, INFINITY, "width; with l, level 3: area w l and perimeter 2 (w + l)", NULL},
    [I_L] = {"l", "m", 0, 0, INFINITY, "length", NULL},
    [I_LM] = {"lm", "m", 0, 0, INFINITY, "length of the metal above, level 3", NULL},
    [I_LP] = {"lp", "m", 0, 0, INFINITY, "length of the polysilicon above, level 3", NULL},
    [I_WM] = {"wm", "m", 0, 0, INFINITY, "width of the metal", NULL},
    [I_WP] = {"wp", "m", 0, 0, INFINITY, "width of the polysilicon", NULL},
    [I_N] = {"n", "", 1, DBL_MIN, INFINITY, "number of diodes in series", NULL},
};

enum {
    P_LEVEL,
    P_IS,
    P_N,
    P_RS,
    P_CJO,
    P_VJ,
    P_M,
    P_TT,
    P_BV,
    P_IBV,
    P_NBV,
    P_IKF,
    P_ISR,
    P_NR,
    P_EG,
    P_XTI,
    P_FC,
    P_TNOM,
    P_TRS1,
    P_TRS2,
    P_TCV,
    P_KF,
    P_AF,
    P_IBVL,
    P_NBVL,
    P_TIKF,
    P_TBV1,
    P_TBV2,
    P_JSW,
    P_NS,
    P_CJSW,
    P_VJSW,
    P_MJSW,
    P_FCS,
    P_AREA,
    P_PJ,
    P_W,
    P_L,
    P_JTUN,
    P_JTUNSW,
    P_NTUN,
    P_XTITUN,
    P_KEG,
    P_IKR,
    P_TTT1,
    P_TTT2,
    P_TM1,
    P_TM2,
    P_TLEV,
    P_GAP1,
    P_GAP2,
    P_TLEVC,
    P_CTA,
    P_CTP,
    P_TPB,
    P_TPHP,
    P_LM,
    P_LP,
    P_WM,
    P_WP,
    P_XOM,
    P_XOI,
    P_XM,
    P_XP,
    P_COUNT
};

static const struct parameter_info model_rows[] = {
    [P_LEVEL] = {"level", "", 1, -INFINITY, INFINITY, "model level: 1, 2 with PSpice's high injection, 3 with w and l",
                 NULL},
    [P_IS] = {"is", "A", 1e-14, 0, INFINITY, "saturation current", "js"},
    [P_N] = {"n", "", 1, DBL_MIN, INFINITY, "emission coefficient", NULL},
    [P_RS] = {"rs", "ohm", 0, 0, INFINITY, "series resistance", NULL},
    [P_CJO] = {"cjo", "F", 0, 0, INFINITY, "depletion capacitance at zero bias", "cj0 cj"},
    [P_VJ] = {"vj", "V", 1, DBL_MIN, INFINITY, "junction potential", "pb phi"},
    [P_M] = {"m", "", 0.5, 0, 10, "grading coefficient", "mj"},
    [P_TT] = {"tt", "s", 0, -INFINITY, INFINITY, "transit time; below 0 it is taken as 0", NULL},
    [P_BV] = {"bv", "V", 0, -INFINITY, INFINITY, "reverse breakdown voltage, of either sign; 0: none", "vb vrb"},
    [P_IBV] = {"ibv", "A", 1e-3, -INFINITY, INFINITY, "current at the breakdown voltage, of either sign", "ib"},
    [P_NBV] = {"nbv", "", 1, DBL_MIN, INFINITY, "emission coefficient of the breakdown; N when not given", NULL},
    [P_IKF] = {"ikf", "A", 0, 0, INFINITY, "forward knee current; 0: no high injection", "ik"},
    [P_ISR] = {"isr", "A", 0, 0, INFINITY, "recombination saturation current", NULL},
    [P_NR] = {"nr", "", 2, DBL_MIN, INFINITY, "recombination emission coefficient", NULL},
    [P_EG] = {"eg", "eV", 1.11, -INFINITY, INFINITY,
              "energy gap, of any sign where a current is to have that change with temperature; 1.16 when not given at "
              "tlev 2",
              NULL},
    [P_XTI] = {"xti", "", 3, -INFINITY, INFINITY, "temperature exponent of Is", "pt"},
    [P_FC] = {"fc", "", 0.5, 0, 0.99, "fraction of Vj where the depletion charge becomes a parabola", NULL},
    [P_TNOM] = {"tnom", "degC", 27, -DEVICE_KELVIN, INFINITY,
                "temperature of the parameters; .options tnom when absent", "tref"},
    [P_TRS1] = {"trs1", "1/K", 0, -INFINITY, INFINITY, "linear temperature coefficient of Rs", "trs"},
    [P_TRS2] = {"trs2", "1/K^2", 0, -INFINITY, INFINITY, "quadratic temperature coefficient of Rs", NULL},
    [P_TCV] = {"tcv", "V/K", 0, -INFINITY, INFINITY, "decrease of Bv with temperature", NULL},
    [P_KF] = {"kf", "", 0, 0, INFINITY, "flicker noise: Kf i^Af / f", NULL},
    [P_AF] = {"af", "", 1, 0, INFINITY, "exponent of the current in the flicker noise", NULL},
    [P_IBVL] = {"ibvl", "A", 0, 0, INFINITY, "current of a second breakdown exponential at Bv", NULL},
    [P_NBVL] = {"nbvl", "", 1, DBL_MIN, INFINITY, "its emission coefficient", NULL},
    [P_TIKF] = {"tikf", "1/K", 0, -INFINITY, INFINITY, "linear temperature coefficient of Ikf", NULL},
    [P_TBV1] = {"tbv1", "1/K", 0, -INFINITY, INFINITY, "linear temperature coefficient of Bv", NULL},
    [P_TBV2] = {"tbv2", "1/K^2", 0, -INFINITY, INFINITY, "quadratic temperature coefficient of Bv", NULL},
    [P_JSW] = {"jsw", "A/m", 0, 0, INFINITY, "saturation current of the sidewall per perimeter", "isw"},
    [P_NS] = {"ns", "", 1, DBL_MIN, INFINITY, "emission coefficient of the sidewall; N when not given", NULL},
    [P_CJSW] = {"cjsw", "F/m", 0, 0, INFINITY, "depletion capacitance of the sidewall per perimeter", "cjp"},
    [P_VJSW] = {"vjsw", "V", 1, DBL_MIN, INFINITY, "junction potential of the sidewall", "php"},
    [P_MJSW] = {"mjsw", "", 0.33, 0, 10, "grading coefficient of the sidewall", NULL},
    [P_FCS] = {"fcs", "", 0.5, 0, 0.99, "fraction of Vjsw where its depletion charge becomes a parabola", NULL},
    [P_AREA] = {"area", "", 1, DBL_MIN, INFINITY, "area factor of diodes that have none of their own", NULL},
    [P_PJ] = {"pj", "m", 0, 0, INFINITY, "perimeter of diodes that have none of their own", NULL},
    [P_W] = {"w", "m", 0, 0, INFINITY, "width of diodes that have none of their own, level 3", NULL},
    [P_L] = {"l", "m", 0, 0, INFINITY, "length of diodes that have none of their own, level 3", NULL},
    [P_JTUN] = {"jtun", "A", 0, 0, INFINITY, "saturation current of tunnelling", NULL},
    [P_JTUNSW] = {"jtunsw", "A/m", 0, 0, INFINITY, "saturation current of tunnelling per perimeter", NULL},
    [P_NTUN] = {"ntun", "", 30, DBL_MIN, INFINITY, "emission coefficient of tunnelling", NULL},
    [P_XTITUN] = {"xtitun", "", 3, -INFINITY, INFINITY, "temperature exponent of Jtun", NULL},
    [P_KEG] = {"keg", "", 1, -INFINITY, INFINITY, "factor on the energy gap for tunnelling", NULL},
    [P_IKR] = {"ikr", "A", 0, 0, INFINITY, "reverse knee current; 0: none", NULL},
    [P_TTT1] = {"ttt1", "1/K", 0, -INFINITY, INFINITY, "linear temperature coefficient of Tt", NULL},
    [P_TTT2] = {"ttt2", "1/K^2", 0, -INFINITY, INFINITY, "quadratic temperature coefficient of Tt", NULL},
    [P_TM1] = {"tm1", "1/K", 0, -INFINITY, INFINITY, "linear temperature coefficient of M", NULL},
    [P_TM2] = {"tm2", "1/K^2", 0, -INFINITY, INFINITY, "quadratic temperature coefficient of M", NULL},
    [P_TLEV] = {"tlev", "", 0, -INFINITY, INFINITY,
                "temperature law: 1 and 2 Tcv in 1/K, 2 gap Eg - Gap1 T^2/(T + Gap2)", NULL},
    [P_GAP1] = {"gap1", "eV/K", 7.02e-4, -INFINITY, INFINITY, "first coefficient of the gap, tlev 2", NULL},
    [P_GAP2] = {"gap2", "K", 1108, 0, INFINITY, "second coefficient of the gap, tlev 2", NULL},
    [P_TLEVC] = {"tlevc", "", 0, -INFINITY, INFINITY, "temperature law of the depletion: 1 with Cta, Ctp, Tpb and Tphp",
                 NULL},
    [P_CTA] = {"cta", "1/K", 0, -INFINITY, INFINITY, "temperature coefficient of Cjo from 27 degC, tlevc 1", "ctc"},
    [P_CTP] = {"ctp", "1/K", 0, -INFINITY, INFINITY, "temperature coefficient of Cjsw from 27 degC, tlevc 1", NULL},
    [P_TPB] = {"tpb", "V/K", 0, -INFINITY, INFINITY, "decrease of Vj from 27 degC, tlevc 1", "tvj"},
    [P_TPHP] = {"tphp", "V/K", 0, -INFINITY, INFINITY, "decrease of Vjsw from 27 degC, tlevc 1", NULL},
    [P_LM] = {"lm", "m", 0, 0, INFINITY, "length of the metal above, level 3", NULL},
    [P_LP] = {"lp", "m", 0, 0, INFINITY, "length of the polysilicon above, level 3", NULL},
    [P_WM] = {"wm", "m", 0, 0, INFINITY, "width of the metal", NULL},
    [P_WP] = {"wp", "m", 0, 0, INFINITY, "width of the polysilicon", NULL},
    [P_XOM] = {"xom", "Angstrom", 1e4, DBL_MIN, INFINITY, "thickness of the oxide under the metal", NULL},
    [P_XOI] = {"xoi", "Angstrom", 1e4, DBL_MIN, INFINITY, "thickness of the oxide under the polysilicon", NULL},
    [P_XM] = {"xm", "m", 0, -INFINITY, INFINITY, "what masks and etching add to lm and wm", NULL},
    [P_XP] = {"xp", "m", 0, -INFINITY, INFINITY, "what masks and etching add to lp and wp", NULL},
};

static const struct model_type types[] = {{"d", NULL, NULL}, {NULL, NULL, NULL}};
static const struct model_level levels[] = {{1, NULL}, {2, "PSpice's and Xyce's"}, {3, "with sidewall"}, {0, NULL}};

/* Current and charge of the junction, without gmin, and where they were evaluated. */
struct diode_tangent {
    double voltage; /* NaN before */
    double current, conductance, charge, capacitance;
};

struct diode_batch {
    struct instances all;
    struct diode_law *laws;       /* [count] */
    double *series;               /* [count] conductance of Rs, S; 0: no internal node */
    int *anode, *inner, *cathode; /* [count] unknowns; inner is the anode when there is no Rs */
    int (*junction_slots)[4];     /* [count] */
    int (*series_slots)[4];
    double *previous;               /* [count] junction voltage of the evaluation before, for limiting */
    struct diode_tangent *tangents; /* [count] of the last evaluation with derivatives, see DEVICE_NEAR */
    bool has_charge;
};

/* ---- set-up ---- */

static const struct instance_array arrays[] = {
    INSTANCE_ARRAY(diode_batch, laws),         INSTANCE_ARRAY(diode_batch, series),
    INSTANCE_ARRAY(diode_batch, anode),        INSTANCE_ARRAY(diode_batch, inner),
    INSTANCE_ARRAY(diode_batch, cathode),      INSTANCE_ARRAY(diode_batch, junction_slots),
    INSTANCE_ARRAY(diode_batch, series_slots), INSTANCE_ARRAY(diode_batch, previous),
    INSTANCE_ARRAY(diode_batch, tangents)};

#define VACUUM_PERMITTIVITY 8.8541878128e-12 /* F/m */

/* The diode's own value of a size, else that of its model. */
static double size_of(const struct instances *all, size_t k, int own, int model)
{
    return all->own_given[k][own] ? all->own[k][own] : all->model[k][model];
}

/* Farads of a plate of these sides over an oxide of that many Angstrom. */
static double plate(double width, double length, double oxide)
{
    return 3.9 * VACUUM_PERMITTIVITY / (1e-10 * oxide) * fmax(width, 0) * fmax(length, 0);
}

/* Metal and polysilicon of level 3 (ngspice manual, junction diodes). */
static double fixed_capacitance(const struct instances *all, size_t k)
{
    const double *p = all->model[k];
    if (p[P_LEVEL] != 3)
        return 0;
    return all->own[k][I_M] *
           (plate(size_of(all, k, I_WM, P_WM) + p[P_XM], size_of(all, k, I_LM, P_LM) + p[P_XM], p[P_XOM]) +
            plate(size_of(all, k, I_WP, P_WP) + p[P_XP], size_of(all, k, I_LP, P_LP) + p[P_XP], p[P_XOI]));
}

/* HSPICE has tlevc 2 and 3 besides. */
static void take_known_law(struct model_cards *cards, size_t card, int row, int most, struct kn_diagnostics *d)
{
    double *law = &cards->values[card * cards->width + (size_t)row];
    if (*law == 0 || *law == 1 || *law == most)
        return;
    const struct model *m = cards->models[card];
    diagnostics_add(d, KN_WARNING, "model-level", m->where, NULL,
                    "model '%s': %s = %g is a temperature law that there is not; taken as 0", m->name,
                    model_rows[row].name, *law);
    *law = 0;
}

/* Models of P-channel transistors may have a breakdown below 0, and fits of vendors a transit time. */
static void take_usual_signs(double *p, const struct model *m, struct kn_diagnostics *d)
{
    p[P_BV] = fabs(p[P_BV]);
    p[P_IBV] = fabs(p[P_IBV]);
    if (p[P_TT] < 0)
        diagnostics_add(d, KN_WARNING, "parameter-range", m->where, NULL,
                        "model '%s': tt = %g s is below 0; taken as 0", m->name, p[P_TT]);
    p[P_TT] = fmax(p[P_TT], 0);
}

static enum kn_status fill(void *batch, const struct device_input *in)
{
    struct diode_batch *b = batch;
    const enum kn_status status = instances_read(&b->all, in);
    if (status == KN_ERROR_MEMORY || !instances_allocate(&b->all, arrays, sizeof arrays / sizeof *arrays))
        return KN_ERROR_MEMORY;
    for (size_t i = 0; i < b->all.cards.count; i++) {
        take_known_law(&b->all.cards, i, P_TLEV, 2, in->diagnostics);
        take_known_law(&b->all.cards, i, P_TLEVC, 1, in->diagnostics);
        take_usual_signs(b->all.cards.values + i * b->all.cards.width, b->all.cards.models[i], in->diagnostics);
    }
    for (size_t k = 0; k < b->all.base.count; k++)
        b->has_charge |= b->all.model[k][P_CJO] > 0 || b->all.model[k][P_TT] > 0 || b->all.model[k][P_CJSW] > 0 ||
                         fixed_capacitance(&b->all, k) > 0;
    return status;
}

static bool number(void *batch, size_t k, struct device_setup *s)
{
    struct diode_batch *b = batch;
    const struct element *e = b->all.base.elements[k];
    b->anode[k] = setup_node(s, e->nodes[0]);
    b->cathode[k] = setup_node(s, e->nodes[1]);
    b->inner[k] = instance_inner_node(s, e, b->all.model[k][P_RS] > 0, b->anode[k], "internal");
    return b->inner[k] >= 0;
}

static bool connect(void *batch, size_t k, struct device_setup *s)
{
    struct diode_batch *b = batch;
    return setup_pair(s, b->inner[k], b->cathode[k], b->junction_slots[k]) &&
           (b->inner[k] == b->anode[k] || setup_pair(s, b->anode[k], b->inner[k], b->series_slots[k]));
}

/* ---- temperature ---- */

#define SILICON_GAP 1.16 /* eV at 0 K: eg of tlev 2, as in HSPICE */

/* w and l of level 3, where both are there, count instead of area and perimeter, as in ngspice. */
static void set_geometry(struct diode_card *card, const struct instances *all, size_t k)
{
    const double w = size_of(all, k, I_W, P_W), l = size_of(all, k, I_L, P_L), m = all->own[k][I_M];
    const bool sides = all->model[k][P_LEVEL] == 3 && w > 0 && l > 0;
    card->size = m * (sides ? w * l : size_of(all, k, I_AREA, P_AREA));
    card->fixed = fixed_capacitance(all, k);
    card->in_series = all->own[k][I_N];
    card->edge = m * (sides ? 2 * (w + l) : size_of(all, k, I_PJ, P_PJ));
}

/* Bv with PSpice's coefficients and with ngspice's tcv, which is relative from tlev 1 on. */
static double hot_breakdown(const double *p, double rise)
{
    const double change = 1 + rise * (p[P_TBV1] + rise * p[P_TBV2]);
    return p[P_BV] > 0 ? fmax(p[P_BV] * change - p[P_TCV] * rise * (p[P_TLEV] >= 1 ? p[P_BV] : 1), 0) : 0;
}

/* tlevc 1: straight lines from 27 degC on, whatever tnom is, as in ngspice. */
static void heat_depletion(struct diode_card *card, const double *p, double kelvin)
{
    const double rise = kelvin - (27 + DEVICE_KELVIN);
    card->depletion_is_hot = true;
    card->cjo = fmax(p[P_CJO] * (1 + p[P_CTA] * rise), 0);
    card->cjsw = fmax(p[P_CJSW] * (1 + p[P_CTP] * rise), 0);
    card->vj = fmax(p[P_VJ] - p[P_TPB] * rise, JUNCTION_LEAST_POTENTIAL);
    card->vjsw = fmax(p[P_VJSW] - p[P_TPHP] * rise, JUNCTION_LEAST_POTENTIAL);
}

static struct diode_card card_of(const double *p, const bool *given, double rise)
{
    return (struct diode_card){.is = p[P_IS],
                               .n = p[P_N],
                               .jsw = p[P_JSW],
                               .ns = given[P_NS] ? p[P_NS] : p[P_N],
                               .isr = p[P_ISR],
                               .nr = p[P_NR],
                               .ikf = p[P_IKF] * fmax(1 + rise * p[P_TIKF], 0),
                               .bv = hot_breakdown(p, rise),
                               .ibv = p[P_IBV],
                               .nbv = given[P_NBV] ? p[P_NBV] : p[P_N],
                               .ibvl = p[P_IBVL],
                               .nbvl = p[P_NBVL],
                               .cjo = p[P_CJO],
                               .vj = p[P_VJ],
                               .m = fmax(p[P_M] * (1 + rise * (p[P_TM1] + rise * p[P_TM2])), 0),
                               .fc = p[P_FC],
                               .cjsw = p[P_CJSW],
                               .vjsw = p[P_VJSW],
                               .mjsw = p[P_MJSW],
                               .fcs = p[P_FCS],
                               .jtun = p[P_JTUN],
                               .jtunsw = p[P_JTUNSW],
                               .ntun = p[P_NTUN],
                               .xtitun = p[P_XTITUN],
                               .keg = p[P_KEG],
                               .ikr = p[P_IKR],
                               .tt = fmax(p[P_TT] * (1 + rise * (p[P_TTT1] + rise * p[P_TTT2])), 0),
                               .eg = p[P_EG],
                               .xti = p[P_XTI],
                               .root_injection = p[P_LEVEL] == 2,
                               .gap_moves = p[P_TLEV] == 2};
}

static void prepare(void *batch, size_t k, double temperature)
{
    struct diode_batch *b = batch;
    const double *p = b->all.model[k];
    const bool *given = b->all.model_given[k];
    struct thermal t = instance_thermal(&b->all, k, temperature, I_TEMP, I_DTEMP, P_TNOM);
    const double rise = t.kelvin - t.nominal;
    struct diode_card card = card_of(p, given, rise);
    if (card.gap_moves)
        thermal_set_gap(&t, (struct gap_law){given[P_EG] ? p[P_EG] : SILICON_GAP, p[P_GAP1], p[P_GAP2]});
    if (p[P_TLEVC] == 1)
        heat_depletion(&card, p, t.kelvin);
    set_geometry(&card, &b->all, k);
    diode_law_prepare(&b->laws[k], &card, &t);
    b->tangents[k].voltage = NAN;
    const double rs = p[P_RS] * card.in_series * (1 + rise * (p[P_TRS1] + rise * p[P_TRS2]));
    b->series[k] = p[P_RS] > 0 ? card.size / rs : 0;
}

/* ---- evaluation ---- */

/* The voltage diode k is evaluated at: v, or nearer to the one before. */
static double evaluation_voltage(struct diode_batch *b, size_t k, double v, const struct device_point *at)
{
    if (!at->limit)
        return v;
    const double *reference = at->x_reference;
    const double previous = at->first ? reference[b->inner[k]] - reference[b->cathode[k]] : b->previous[k];
    const double critical = b->laws[k].critical_voltage;
    const bool cold = critical < HUGE_VAL && junction_is_cold(at->when.time, at->first, v, previous);
    const double u = cold ? critical : diode_limit(&b->laws[k], v, previous);
    if (u != v)
        *at->limited = true;
    return b->previous[k] = u;
}

static double junction_voltage(const struct diode_batch *b, size_t k, const double *x)
{
    return x[b->inner[k]] - x[b->cathode[k]];
}

/* The tangent at u, its charge only where asked for. */
static void evaluate_at(const struct diode_law *law, double u, bool charge, struct diode_tangent *t)
{
    t->voltage = u;
    t->current = diode_current(law, u, &t->conductance);
    if (charge)
        t->charge = diode_charge(law, u, t->current, t->conductance, &t->capacitance);
}

static const struct diode_tangent *tangent_at(struct diode_batch *b, size_t k, const struct device_point *at,
                                              struct diode_tangent *partial)
{
    const double v = junction_voltage(b, k, at->x);
    struct diode_tangent *kept = &b->tangents[k];
    const bool cold = at->limit && at->first && at->when.time <= 0;
    const bool near = fabs(v - kept->voltage) <= at->near && !cold;
    batch_count_calm(&b->all.base, k, near);
    if (near) {
        b->previous[k] = v;
        return kept;
    }
    const bool whole = makes_tangents(at->what);
    struct diode_tangent *t = whole ? kept : partial;
    const bool charge = b->has_charge && (whole || (at->what & (EVALUATE_Q | EVALUATE_C)));
    evaluate_at(&b->laws[k], evaluation_voltage(b, k, v, at), charge, t);
    return t;
}

/* What the tangent gives where the junction's voltage is v. */
static void add_tangent(const struct diode_batch *b, size_t k, const struct device_point *at, double v,
                        const struct diode_tangent *t, const struct device_stamp *out)
{
    const int p = b->inner[k], n = b->cathode[k];
    const double distance = v - t->voltage;
    if (at->what & EVALUATE_F) {
        const double current = t->current + t->conductance * distance + at->gmin * v;
        out->f[p] += current;
        out->f[n] -= current;
    }
    if (at->what & EVALUATE_G)
        pair_stamp(b->junction_slots[k], t->conductance + at->gmin, out->G);
    if (b->has_charge && (at->what & EVALUATE_Q)) {
        const double charge = t->charge + t->capacitance * distance;
        out->q[p] += charge;
        out->q[n] -= charge;
    }
    if (b->has_charge && (at->what & EVALUATE_C))
        pair_stamp(b->junction_slots[k], t->capacitance, out->C);
}

LOOK_AT_TANGENTS(struct diode_batch, struct diode_tangent)

static void add(const void *object, const struct device_point *at, size_t from, size_t to, const void *room,
                const struct device_stamp *out)
{
    const struct diode_batch *b = object;
    const struct room *r = room;
    for (size_t i = 0; i < to - from; i++) {
        const size_t k = b->all.base.active[from + i];
        add_tangent(b, k, at, junction_voltage(b, k, at->x), r->tangents[i], out);
    }
}

static void eval(void *object, const struct device_point *at, const struct device_stamp *out)
{
    struct room room;
    batch_eval(object, look, add, at, &room, out);
}

static size_t ends(const void *batch, size_t k, int unknowns[DEVICE_MOST_ENDS])
{
    const struct diode_batch *b = batch;
    unknowns[0] = b->inner[k];
    unknowns[1] = b->cathode[k];
    return 2;
}

static void tangent(const void *batch, size_t k, double gmin, double sign, const struct device_stamp *out)
{
    const struct diode_batch *b = batch;
    const struct device_point at = {.what = EVALUATE_ALL, .gmin = sign * gmin};
    const struct diode_tangent *t = &b->tangents[k];
    const struct diode_tangent scaled = {t->voltage, sign * t->current, sign * t->conductance, sign * t->charge,
                                         sign * t->capacitance};
    add_tangent(b, k, &at, 0, &scaled, out);
}

static void stamp(const void *object, double *G, double *C)
{
    const struct diode_batch *b = object;
    (void)C;
    for (size_t k = 0; k < b->all.base.count; k++)
        if (b->inner[k] != b->anode[k])
            pair_stamp(b->series_slots[k], b->series[k], G);
}

/* ---- what others ask ---- */

static double current(const void *object, size_t k, int terminal, const struct device_probe *at)
{
    const struct diode_batch *b = object;
    const double sign = terminal == 0 ? 1 : -1;
    const int a = b->anode[k], p = b->inner[k], n = b->cathode[k];
    if (p != a)
        return sign * b->series[k] * (at->x[a] - at->x[p]);
    const struct diode_law *law = &b->laws[k];
    const double v = at->x[p] - at->x[n];
    double g, c;
    const double i = diode_current(law, v, &g);
    diode_charge(law, v, i, g, &c);
    return sign * (i + at->gmin * v + c * (at->dxdt[p] - at->dxdt[n]));
}

enum { Q_REGION, Q_ID, Q_VD, Q_GD, Q_CD, Q_COUNT };

static const struct quantity_info quantity_rows[Q_COUNT] = {
    [Q_REGION] = {"region", NULL, "region", "off, on or breakdown"},
    [Q_ID] = {"id", NULL, "A", "current into the anode"},
    [Q_VD] = {"vd", NULL, "V", "voltage of the junction, behind the series resistance"},
    [Q_GD] = {"gd", NULL, "S", "conductance of the junction"},
    [Q_CD] = {"cd", "capd", "F", "capacitance of the junction, of depletion and transit time"},
};

/* On from half of the critical voltage on, where the current begins to bend. */
static void observe(const void *batch, size_t k, const struct device_probe *at, double *values)
{
    const struct diode_batch *b = batch;
    const struct diode_law *law = &b->laws[k];
    const double v = at->x[b->inner[k]] - at->x[b->cathode[k]];
    double g, c;
    const double i = diode_current(law, v, &g);
    diode_charge(law, v, i, g, &c);
    values[Q_REGION] = v > law->critical_voltage / 2 ? KN_ON : v < -law->breakdown_voltage ? KN_BREAKDOWN : KN_OFF;
    values[Q_ID] = current(batch, k, 0, at);
    values[Q_VD] = v;
    values[Q_GD] = g + at->gmin;
    values[Q_CD] = c;
}

/* Shot noise of the whole junction current, that through gmin included, as in SPICE (Antognetti and Massobrio, 1.6). */
static bool noise(const void *batch, size_t k, const struct device_probe *at, struct noise_list *list)
{
    const struct diode_batch *b = batch;
    const struct element *e = b->all.base.elements[k];
    const double *p = b->all.model[k];
    const int inner = b->inner[k], cathode = b->cathode[k];
    double g, v = at->x[inner] - at->x[cathode], count = b->all.own[k][I_N];
    const double i = diode_current(&b->laws[k], v, &g) + at->gmin * v;
    const struct noise_source flicker = {.at = {e, "1overf", inner, cathode},
                                         .density = noise_flicker(p[P_KF], p[P_AF], i, b->all.own[k][I_M]) / count,
                                         .exponent = 1};
    return noise_add_thermal(list, (struct noise_place){e, "rs", b->anode[k], inner}, b->series[k], b->all.kelvin[k]) &&
           noise_add_shot(list, (struct noise_place){e, "id", inner, cathode}, i / count) &&
           (p[P_KF] == 0 || noise_add(list, &flicker));
}

static bool add_junction(struct branch_list *list, enum branch_kind kind, struct branch_place place, bool blocks)
{
    const bool added = branch_add_law(list, kind, place, NULL, 0);
    if (added)
        list->branches[list->count - 1].blocks = blocks;
    return added;
}

static bool branches(const void *batch, size_t k, struct branch_list *list)
{
    const struct diode_batch *b = batch;
    const struct diode_law *law = &b->laws[k];
    const struct element *e = b->all.base.elements[k];
    const int a = b->anode[k], p = b->inner[k], n = b->cathode[k];
    const struct branch_place charge = {e, p, n, "junction charge", NULL};
    const bool blocks = isinf(law->breakdown_voltage) && !(law->tunnel.saturation > 0),
               depletes =
                   law->depletion.capacitance > 0 || law->side_depletion.capacitance > 0 || law->fixed_capacitance > 0;
    return branch_add_resistance(list, (struct branch_place){e, a, p, "series resistance", "s"}, 1 / b->series[k]) &&
           add_junction(list, BRANCH_R, (struct branch_place){e, p, n, "junction", NULL}, blocks) &&
           (!diode_stores(law) || add_junction(list, BRANCH_C, charge, blocks && !depletes));
}

static bool initial(const void *batch, size_t k, struct initial_list *list)
{
    const struct diode_batch *b = batch;
    return instance_add_initial(&b->all, k, I_IC, b->anode[k], b->cathode[k], list);
}

const struct device_class diode_class = {
    .kind =
        {
            ELEMENT_KIND('d', "diode", "anode cathode", "model [area]", CARD_MODEL),
            .laws = "diode",
            .quantities = {quantity_rows, Q_COUNT},
            /* Ratings and texts of data sheets are ignored. */
            MODEL_TABLES(instance_rows, I_COUNT, model_rows, P_COUNT,
                         "mfg type iave vpk ipk vrev irms diss vp fv_max bv_max id_max pd_max te_max"),
            .values = "area",
        },
    FILLED_BATCH(struct diode_batch, fill),
    USUAL_FUNCTIONS,
    LOOK_FUNCTIONS,
    .prepare = prepare,
    .noise = noise,
};
