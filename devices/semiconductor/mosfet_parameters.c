/* mosfet_parameters.c - parameters, temperature and geometry of MOSFETs.
 *
 * Physical parameters give the electrical ones where these are absent, as in SPICE (Antognetti and Massobrio 1988,
 * ch. 3): KP = Uo Cox, gamma = sqrt(2 q eps_Si Nsub)/Cox, phi = 2 Vt ln(Nsub/ni), Vto from the work functions of gate
 * and substrate, Nss, gamma and phi.  Temperature: KP by (T/Tn)^-1.5, phi and the bulk potential by the junction law,
 * saturation currents by exp(Eg(Tn)/Vtn - Eg(T)/Vt).
 */
#include "devices/semiconductor/mosfet_batch.h"

#include <float.h>

#define VACUUM_PERMITTIVITY  8.8541878128e-12 /* F/m */
#define OXIDE_PERMITTIVITY   (3.9 * VACUUM_PERMITTIVITY)
#define SILICON_PERMITTIVITY (11.7 * VACUUM_PERMITTIVITY)
#define PI                   3.14159265358979323846
#define INTRINSIC_DENSITY    1.45e16 /* 1/m^3, silicon at 300 K as SPICE takes it */

const struct parameter_info mosfet_instance_rows[MOSFET_INSTANCE_COUNT] = {
    [MOSFET_L] = {"l", "m", 1e-4, DBL_MIN, INFINITY, "channel length as drawn", NULL},
    [MOSFET_W] = {"w", "m", 1e-4, DBL_MIN, INFINITY, "channel width", NULL},
    MOSFET_SHARED_ROWS,
};

enum {
#define ROW(symbol, ...) P_##symbol,
#include "devices/semiconductor/mosfet_model.def"
#undef ROW
    P_COUNT
};

const struct parameter_info mosfet_model_rows[MOSFET_MODEL_COUNT] = {
#define ROW(symbol, ...) {__VA_ARGS__},
#include "devices/semiconductor/mosfet_model.def"
#undef ROW
};

/* Levels that use a row, as bits 1 << level; rows that are not here serve all. */
enum { AT_2 = 1 << 2, AT_3 = 1 << 3, AT_6 = 1 << 6 };
static const unsigned level_of_row[P_COUNT] = {
    [P_NFS] = AT_2 | AT_3, [P_XJ] = AT_2 | AT_3, [P_DELTA] = AT_2 | AT_3, [P_VMAX] = AT_2 | AT_3, [P_UCRIT] = AT_2,
    [P_UEXP] = AT_2,       [P_UTRA] = AT_2,      [P_NEFF] = AT_2,         [P_THETA] = AT_3,       [P_ETA] = AT_3,
    [P_KAPPA] = AT_3,      [P_KV] = AT_6,        [P_NV] = AT_6,           [P_KC] = AT_6,          [P_NC] = AT_6,
    [P_NVTH] = AT_6,       [P_PS] = AT_6,        [P_GAMMA1] = AT_6,       [P_SIGMA] = AT_6,       [P_LAMBDA0] = AT_6,
    [P_LAMBDA1] = AT_6,    [P_DELVTO] = AT_3,
};

static const struct instance_array common_arrays[] = {
    INSTANCE_ARRAY(mosfet_batch, sign),         INSTANCE_ARRAY(mosfet_batch, laws),
    INSTANCE_ARRAY(mosfet_batch, drain_diodes), INSTANCE_ARRAY(mosfet_batch, source_diodes),
    INSTANCE_ARRAY(mosfet_batch, series),       INSTANCE_ARRAY(mosfet_batch, overlaps),
    INSTANCE_ARRAY(mosfet_batch, nodes),        INSTANCE_ARRAY(mosfet_batch, slots),
    INSTANCE_ARRAY(mosfet_batch, previous),     INSTANCE_ARRAY(mosfet_batch, ties),
    INSTANCE_ARRAY(mosfet_batch, stores),       INSTANCE_ARRAY(mosfet_batch, tangents),
    INSTANCE_ARRAY(mosfet_batch, like),         INSTANCE_ARRAY(mosfet_batch, followed)};
static const struct instance_array level_arrays[] = {
    INSTANCE_ARRAY(mosfet_batch, geometry), INSTANCE_ARRAY(mosfet_batch, noise), INSTANCE_ARRAY(mosfet_batch, higher),
    INSTANCE_ARRAY(mosfet_batch, outer)};

bool mosfet_allocate(struct mosfet_batch *b)
{
    return instances_allocate(&b->all, common_arrays, sizeof common_arrays / sizeof *common_arrays);
}

/* ---- model card ---- */

/* F/m^2 */
static double oxide_capacitance(const double *p)
{
    return p[P_TOX] > 0 ? OXIDE_PERMITTIVITY / p[P_TOX] : 0;
}

/* Gate work function minus that of the substrate, V.  sign is 1 for an n-channel; electron affinity 3.25 V, aluminium
 * 3.2 V, both against silicon dioxide. */
static double work_function_difference(const double *p, double sign, double gap)
{
    const double fermi = sign * 0.5 * p[P_PHI];
    const double gate = p[P_TPG] == 0 ? 3.2 : 3.25 + 0.5 * gap - sign * p[P_TPG] * 0.5 * gap;
    return gate - (3.25 + 0.5 * gap + fermi);
}

/* Of silicon at the nominal temperature, 1/m^3: SPICE3 and ngspice move it from 300 K at level 3,
 * n (T/300)^1.5 exp(Eg(T)/2 (1/300 - 1/T) q/k), and leave it where it is at all others. */
static double intrinsic_density(const double *p, const struct thermal *t)
{
    if (p[P_LEVEL] != 3)
        return INTRINSIC_DENSITY;
    const double ratio = t->nominal / 300;
    return INTRINSIC_DENSITY * ratio * sqrt(ratio) * exp(0.5 * t->nominal_gap / t->nominal_voltage * (ratio - 1));
}

/* Electrical parameters from the doping, all at the nominal temperature. */
static void derive_from_doping(double *p, const bool *given, double sign, const struct thermal *t)
{
    const double oxide = oxide_capacitance(p);
    const double doping = 1e6 * p[P_NSUB];
    if (!given[P_PHI])
        p[P_PHI] = fmax(2 * t->voltage * log(doping / intrinsic_density(p, t)), 0.1);
    if (!given[P_GAMMA])
        p[P_GAMMA] = sqrt(2 * SILICON_PERMITTIVITY * DEVICE_CHARGE * doping) / oxide;
    if (!given[P_VTO]) {
        const double flat_band =
            work_function_difference(p, sign, t->nominal_gap) - 1e4 * p[P_NSS] * DEVICE_CHARGE / oxide;
        p[P_VTO] = flat_band + sign * (p[P_GAMMA] * sqrt(p[P_PHI]) + p[P_PHI]);
    }
}

/* A card may give everything there is as long as it gives it the value that it has without; another value is left out, and that is said. */
static void drop_idle_rows(const struct model *m, double *p, const bool *given, struct kn_diagnostics *d)
{
    const unsigned level = 1u << (int)p[P_LEVEL];
    for (int row = 0; row < P_COUNT; row++)
        if (level_of_row[row] && !(level_of_row[row] & level) && given[row] && p[row] != 0 &&
            p[row] != mosfet_model_rows[row].fallback) {
            p[row] = mosfet_model_rows[row].fallback;
            diagnostics_add(d, KN_WARNING, "parameter-unused", m->where, NULL,
                            "model '%s': %s has no meaning at level %d; it is left out", m->name,
                            mosfet_model_rows[row].name, (int)p[P_LEVEL]);
        }
}

/* Levels 2 and 3 have one of 100 nm where the card is silent.  Such cards are those of macromodels, made with Meyer's capacitances:
 * with a share of its charge the drain of an output stage that has no other capacitance has a pole at +gm/(4/15 Cox W L). */
static void take_oxide_of_spice(double *p, const bool *given)
{
    p[P_TOX] = 1e-7;
    if (!given[P_XQC])
        p[P_XQC] = 0;
}

static bool derive_card(const struct model *m, double *p, const bool *given, double nominal_celsius,
                        struct kn_diagnostics *d)
{
    drop_idle_rows(m, p, given, d);
    if (!(p[P_TOX] > 0) && (p[P_LEVEL] == 2 || p[P_LEVEL] == 3))
        take_oxide_of_spice(p, given);
    if (p[P_XQC] > 0.5) /* SPICE2: Meyer's capacitances */
        p[P_XQC] = 0;
    if (!(p[P_TOX] > 0))
        return true;
    if (!given[P_KC])
        p[P_KC] = 0.5e-4 * p[P_UO] * oxide_capacitance(p);
    if (!given[P_KP])
        p[P_KP] = 1e-4 * p[P_UO] * oxide_capacitance(p);
    if (!given[P_NSUB])
        return true;
    const double nominal = given[P_TNOM] ? p[P_TNOM] : nominal_celsius;
    const struct thermal t = thermal_of(nominal, nominal);
    const double least = intrinsic_density(p, &t);
    if (1e6 * p[P_NSUB] <= least) {
        diagnostics_add(d, KN_ERROR, "parameter-range", m->where, "nsub is in 1/cm^3, for instance 1e16",
                        "model '%s': nsub = %g is below the intrinsic density %.3g of silicon", m->name, p[P_NSUB],
                        1e-6 * least);
        return false;
    }
    derive_from_doping(p, given, m->type[0] == 'p' ? -1 : 1, &t);
    return true;
}

static bool derive_cards(struct mosfet_batch *b, struct kn_diagnostics *d)
{
    bool good = true;
    for (size_t i = 0; i < b->all.cards.count; i++)
        good = derive_card(b->all.cards.models[i], b->all.cards.values + i * b->all.cards.width,
                           model_card_given(&b->all.cards, i), b->all.nominal_temperature, d) &&
               good;
    return good;
}

/* ---- element line ---- */

static bool set_geometry(struct mosfet_geometry *g, const double *own, const bool *own_given, const double *p,
                         const struct element *e, struct kn_diagnostics *d)
{
    const double drawn = own_given[MOSFET_L] ? own[MOSFET_L] : p[P_L];
    const double wide = own_given[MOSFET_W] ? own[MOSFET_W] : p[P_W];
    *g = (struct mosfet_geometry){.length = drawn + p[P_XL] - 2 * p[P_LD],
                                  .width = wide + p[P_XW] - 2 * p[P_WD],
                                  .drain_area = own[MOSFET_AD],
                                  .source_area = own[MOSFET_AS],
                                  .drain_edge = own[MOSFET_PD],
                                  .source_edge = own[MOSFET_PS],
                                  .drain_squares = own[MOSFET_NRD],
                                  .source_squares = own[MOSFET_NRS],
                                  .multiplicity = own[MOSFET_M]};
    if (!(g->length > 0))
        diagnostics_add(d, KN_ERROR, "parameter-range", e->where, "the effective length is l + xl - 2 ld",
                        "element '%s': l = %g m leaves no channel between lateral diffusions of ld = %g m", e->name,
                        drawn, p[P_LD]);
    if (!(g->width > 0))
        diagnostics_add(d, KN_ERROR, "parameter-range", e->where, "the effective width is w + xw - 2 wd",
                        "element '%s': w = %g m leaves no channel with wd = %g m", e->name, wide, p[P_WD]);
    return g->length > 0 && g->width > 0;
}

static bool set_geometries(struct mosfet_batch *b, struct kn_diagnostics *d)
{
    bool good = true;
    for (size_t k = 0; k < b->all.base.count; k++) {
        b->sign[k] = instance_sign(&b->all, k);
        good = set_geometry(&b->geometry[k], b->all.own[k], b->all.own_given[k], b->all.model[k],
                            b->all.base.elements[k], d) &&
               good;
    }
    return good;
}

enum kn_status mosfet_fill(void *batch, const struct device_input *in)
{
    struct mosfet_batch *b = batch;
    const enum kn_status status = instances_read(&b->all, in);
    if (status == KN_ERROR_MEMORY || !mosfet_allocate(b) ||
        !instances_allocate(&b->all, level_arrays, sizeof level_arrays / sizeof *level_arrays))
        return KN_ERROR_MEMORY;
    b->into = mosfet_outer_current_into;
    const bool cards_good = derive_cards(b, in->diagnostics);
    return set_geometries(b, in->diagnostics) && cards_good ? status : KN_ERROR_DECK;
}

/* ---- temperature ---- */

static void prepare_channel(struct mosfet_law *law, const double *p, double sign, const struct mosfet_geometry *g,
                            const struct thermal *t)
{
    const double squares = g->multiplicity * g->width / g->length;
    law->gamma = p[P_GAMMA];
    law->phi = thermal_potential(t, p[P_PHI]);
    law->root_phi = sqrt(law->phi);
    law->built_in = sign * (p[P_VTO] + p[P_DELVTO]) - p[P_GAMMA] * sqrt(p[P_PHI]) + sign * 0.5 * (t->nominal_gap - t->gap) +
                    0.5 * (law->phi - p[P_PHI]);
    law->beta = squares * p[P_KP] / (t->ratio * sqrt(t->ratio));
    law->lambda = p[P_LAMBDA];
    law->oxide = oxide_capacitance(p) * g->multiplicity * g->width * g->length;
    law->one_sided = 1 - p[P_XQC] / 0.4;
    mosfet_prepare_charge(law);
}

/* Short and narrow channels, for levels above 1; law is ready. */
static void prepare_higher(struct mosfet_higher *m, struct mosfet_law *law, const double *p, const bool *given,
                           const struct mosfet_geometry *g, const struct thermal *t)
{
    static mosfet_level *const levels[] = {[2] = mosfet_level_2, [3] = mosfet_level_3, [6] = mosfet_level_6};
    const int level = (int)p[P_LEVEL];
    law->channel = level > 1 ? levels[level] : NULL;
    law->higher = m;
    if (level == 1)
        return;
    const double oxide = oxide_capacitance(p), doping = given[P_NSUB] ? 1e6 * p[P_NSUB] : 0, length = g->length;
    const double edge = PI * SILICON_PERMITTIVITY * p[P_DELTA] / (oxide * g->width);
    const double cooled = 1 / (t->ratio * sqrt(t->ratio));
    *m = (struct mosfet_higher){
        .level = level,
        .built_in = law->built_in,
        .phi = law->phi,
        .gamma = law->gamma,
        .beta = level == 6 ? g->multiplicity * g->width / length * p[P_KC] * cooled : law->beta,
        .thermal = t->voltage,
        .length = length,
        .junction = p[P_XJ],
        .lateral = p[P_LD],
        .depletion = doping > 0 ? sqrt(2 * SILICON_PERMITTIVITY / (DEVICE_CHARGE * doping)) : 0,
        .narrow = level == 2 ? 0.25 * edge : 0.5 * edge,
        .surface_states = 1e4 * DEVICE_CHARGE * p[P_NFS] / oxide,
        .mobility = 1e-4 * p[P_UO] * (level == 2 ? 1 : cooled), /* SPICE's level 2 has vmax/Uo the same at all T */
        .velocity = p[P_VMAX],
        .lambda = level == 6 && given[P_LAMBDA0] ? p[P_LAMBDA0] : p[P_LAMBDA],
        .critical_voltage = 100 * p[P_UCRIT] * SILICON_PERMITTIVITY / oxide,
        .critical_exponent = p[P_UEXP],
        .channel_charge = p[P_NEFF],
        .bulk_root = sqrt(thermal_potential(t, p[P_PB])),
        .theta = p[P_THETA],
        .feedback = 8.15e-22 * p[P_ETA] / (oxide * length * length * length),
        .kappa = p[P_KAPPA],
        .saturation_factor = p[P_KV],
        .saturation_exponent = p[P_NV],
        .current_exponent = p[P_NC],
        .straight_body = p[P_GAMMA1],
        .feedback_6 = p[P_SIGMA],
        .lambda_body = p[P_LAMBDA1],
    };
}

/* One side: its area and edge, and the zero-bias capacitance of the whole side where the model card has it. */
struct side {
    double area, edge, saturation, whole;
    bool whole_given;
};

static void prepare_diode(struct bulk_diode *diode, const double *p, const bool *given, const struct side *side,
                          double multiplicity, const struct thermal *t)
{
    const double growth = exp(t->nominal_gap / t->nominal_voltage - t->gap / t->voltage);
    diode->law = (struct junction_law){multiplicity * side->saturation * growth, 1 / (p[P_N] * t->voltage)};
    diode->knee = HUGE_VAL;
    diode->critical_voltage = junction_critical_voltage(&diode->law);
    diode->transit = p[P_TT];
    const double potential = thermal_potential(t, p[P_PB]), wall = given[P_PBSW] ? p[P_PBSW] : p[P_PB];
    const double bottom = multiplicity * (side->whole_given ? side->whole : p[P_CJ] * side->area);
    const double sidewall = multiplicity * p[P_CJSW] * side->edge;
    diode->bottom = depletion_of(thermal_capacitance(t, bottom, p[P_PB], p[P_MJ]), potential, p[P_MJ], p[P_FC]);
    diode->sidewall =
        depletion_of(thermal_capacitance(t, sidewall, wall, p[P_MJSW]), thermal_potential(t, wall), p[P_MJSW], p[P_FC]);
}

static double series_conductance(const double *p, const bool *given, int resistance, double squares,
                                 double multiplicity)
{
    const double ohms = given[resistance] ? p[resistance] : p[P_RSH] * squares;
    return ohms > 0 ? multiplicity / ohms : 0;
}

/* SPICE takes 100 nm where the model gives no oxide. */
static struct mosfet_noise noise_parameters(const double *p, const struct mosfet_geometry *g)
{
    return (struct mosfet_noise){.kf = p[P_KF],
                                 .af = p[P_AF],
                                 .level = p[P_NLEV],
                                 .gdsnoi = p[P_GDSNOI],
                                 .oxide = p[P_TOX] > 0 ? oxide_capacitance(p) : OXIDE_PERMITTIVITY / 1e-7,
                                 .width = g->width,
                                 .length = g->length,
                                 .parallel = g->multiplicity};
}

static void prepare_one(struct mosfet_batch *b, size_t k, const struct thermal *t)
{
    const double *p = b->all.model[k];
    const bool *given = b->all.model_given[k];
    const struct mosfet_geometry *g = &b->geometry[k];
    const double m = g->multiplicity;
    prepare_channel(&b->laws[k], p, b->sign[k], g, t);
    prepare_higher(&b->higher[k], &b->laws[k], p, given, g, t);
    const bool by_area = p[P_JS] > 0 && g->drain_area > 0 && g->source_area > 0;
    const struct side drain = {g->drain_area, g->drain_edge,
                               by_area ? p[P_JS] * g->drain_area + p[P_JSSW] * g->drain_edge : p[P_IS], p[P_CBD],
                               given[P_CBD]};
    const struct side source = {g->source_area, g->source_edge,
                                by_area ? p[P_JS] * g->source_area + p[P_JSSW] * g->source_edge : p[P_IS], p[P_CBS],
                                given[P_CBS]};
    prepare_diode(&b->drain_diodes[k], p, given, &drain, m, t);
    prepare_diode(&b->source_diodes[k], p, given, &source, m, t);
    b->series[k] = (struct mosfet_series){series_conductance(p, given, P_RD, g->drain_squares, m),
                                          series_conductance(p, given, P_RS, g->source_squares, m)};
    struct mosfet_outer *o = &b->outer[k];
    o->gate = p[P_RG] > 0 ? m / p[P_RG] : 0;
    o->bulk = p[P_RB] > 0 ? m / p[P_RB] : 0;
    o->shunt = p[P_RDS] > 0 ? m / p[P_RDS] : 0;
    b->overlaps[k] = (struct mosfet_overlap){.gate_source = m * p[P_CGSO] * g->width,
                                             .gate_drain = m * p[P_CGDO] * g->width,
                                             .gate_bulk = m * p[P_CGBO] * g->length};
    b->noise[k] = noise_parameters(p, g);
    const struct bulk_diode *sides[2] = {&b->drain_diodes[k], &b->source_diodes[k]};
    b->stores[k] = b->laws[k].oxide > 0;
    for (int i = 0; i < 2; i++)
        b->stores[k] = b->stores[k] || bulk_diode_stores(sides[i]);
    b->tangents[k].at.gs = NAN;
}

/* ---- the same numbers ---- */

/* The rest of a depletion charge follows from these. */
static bool is_same_depletion(const struct depletion *a, const struct depletion *b)
{
    return a->capacitance == b->capacitance && a->potential == b->potential && a->grading == b->grading &&
           a->bend == b->bend;
}

static bool bulk_diode_is_same(const struct bulk_diode *a, const struct bulk_diode *b)
{
    return a->law.saturation == b->law.saturation && a->law.rate == b->law.rate && a->knee == b->knee &&
           a->transit == b->transit && is_same_depletion(&a->bottom, &b->bottom) &&
           is_same_depletion(&a->sidewall, &b->sidewall) && is_same_depletion(&a->gate_wall, &b->gate_wall);
}

bool mosfet_diodes_are_same(const struct mosfet_batch *b, size_t i, size_t j)
{
    return bulk_diode_is_same(&b->drain_diodes[i], &b->drain_diodes[j]) &&
           bulk_diode_is_same(&b->source_diodes[i], &b->source_diodes[j]);
}

/* Of level 1; others have more numbers. */
static bool is_same_law(const struct mosfet_law *a, const struct mosfet_law *b)
{
    return !a->channel && !b->channel && a->built_in == b->built_in && a->gamma == b->gamma && a->phi == b->phi &&
           a->beta == b->beta && a->lambda == b->lambda && a->oxide == b->oxide && a->one_sided == b->one_sided;
}

static bool is_same(const struct mosfet_batch *b, size_t i, size_t j)
{
    return is_same_law(&b->laws[i], &b->laws[j]) && mosfet_diodes_are_same(b, i, j);
}

/* Those that looked at transistor k, whose numbers have changed, have the same numbers of their own. */
static void dismiss_followers(struct mosfet_batch *b, size_t k)
{
    for (size_t i = 0; i < b->all.base.count && b->followed[k]; i++)
        if (b->like[i] == k)
            b->like[i] = i;
    b->followed[k] = false;
}

void mosfet_find_like(struct mosfet_batch *b, size_t k, mosfet_comparison *same)
{
    dismiss_followers(b, k);
    b->like[k] = k;
    for (size_t m = 0; m < b->model_count && m < MOSFET_MODELS_REMEMBERED; m++) {
        const size_t model = b->models[m];
        if (model != k && same(b, k, model)) {
            b->like[k] = model;
            b->followed[model] = true;
            return;
        }
    }
    b->models[b->model_count++ % MOSFET_MODELS_REMEMBERED] = k;
}

void mosfet_prepare(void *batch, size_t k, double temperature)
{
    struct mosfet_batch *b = batch;
    const struct thermal t = instance_thermal(&b->all, k, temperature, MOSFET_TEMP, MOSFET_DTEMP, P_TNOM);
    prepare_one(b, k, &t);
    mosfet_find_like(b, k, is_same);
}
