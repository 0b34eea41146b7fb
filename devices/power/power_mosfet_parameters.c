/* power_mosfet_parameters.c - parameters, geometry and temperature of power MOSFETs.  Names and defaults are Xyce's (Reference Guide). */
#include "devices/power/body_diode.h"
#include "devices/power/power_mosfet.h"

#include <float.h>
#include <math.h>

#define OXIDE_PERMITTIVITY   (3.9 * 8.8541878128e-12)
#define SILICON_PERMITTIVITY (11.7 * 8.8541878128e-12)
#define INTRINSIC_DENSITY    1.45e16 /* 1/m^3, as SPICE has it */

const struct parameter_info power_instance_rows[POWER_INSTANCE_COUNT] = {
    [POWER_L] = {"l", "m", 1e-4, DBL_MIN, INFINITY, "channel length as drawn; the model's L0 when absent", NULL},
    [POWER_W] = {"w", "m", 1e-4, DBL_MIN, INFINITY, "channel width; the model's W0 when absent", NULL},
    [POWER_AD] = {"ad", "m^2", 0, 0, INFINITY, "drain area", NULL},
    [POWER_AS] = {"as", "m^2", 0, 0, INFINITY, "source area", NULL},
    [POWER_PD] = {"pd", "m", 0, 0, INFINITY, "drain perimeter", NULL},
    [POWER_PS] = {"ps", "m", 0, 0, INFINITY, "source perimeter", NULL},
    [POWER_NRD] = {"nrd", "", 1, 0, INFINITY, "squares of the drain diffusion", NULL},
    [POWER_NRS] = {"nrs", "", 1, 0, INFINITY, "squares of the source diffusion", NULL},
    INSTANCE_ROWS(POWER_M, POWER_TEMP, POWER_DTEMP, POWER_OFF),
};

const struct parameter_info power_model_rows[POWER_MODEL_COUNT] = {
    [POWER_LEVEL] = {"level", "", 18, -INFINITY, INFINITY, "model level: 18", NULL},
    [POWER_L0] = {"l0", "m", 1e-4, DBL_MIN, INFINITY, "channel length of elements that give none, and of the gammas",
                  "l"},
    [POWER_W0] = {"w0", "m", 1e-4, DBL_MIN, INFINITY, "channel width, likewise", "w"},
    [POWER_VTO] = {"vto", "V", 0, -INFINITY, INFINITY, "threshold voltage at vbs = 0; from Nsub when absent", "vt0"},
    [POWER_PHI] = {"phi", "V", 0.6, DBL_MIN, INFINITY, "surface potential; from Nsub when absent", NULL},
    [POWER_UO] = {"uo", "cm^2/Vs", 280, DBL_MIN, INFINITY, "surface mobility", "u0"},
    [POWER_TOX] = {"tox", "m", 1e-7, DBL_MIN, INFINITY, "oxide thickness", NULL},
    [POWER_LD] = {"ld", "m", 0, -INFINITY, INFINITY, "lateral diffusion, on either side", NULL},
    [POWER_VMAX] = {"vmax", "m/s", 4e4, DBL_MIN, INFINITY, "largest velocity of carriers", NULL},
    [POWER_LAMBDA] = {"lambda", "1/V", 0.048, 0, INFINITY, "output conductance", NULL},
    [POWER_THETA] = {"theta", "m/V", 0, 0, INFINITY, "fall of the mobility with the gate's field", NULL},
    [POWER_DELTA] = {"delta", "", 5, DBL_MIN, INFINITY, "width of the transition about threshold", NULL},
    [POWER_ETA] = {"eta", "", 1.32, DBL_MIN, INFINITY, "ideality below threshold", NULL},
    [POWER_SIGMA0] = {"sigma0", "", 0.048, 0, INFINITY, "lowering of the threshold by the drain", NULL},
    [POWER_VSIGMAT] = {"vsigmat", "V", 1.7, -INFINITY, INFINITY, "overdrive where it has half of that", NULL},
    [POWER_VSIGMA] = {"vsigma", "V", 0.2, DBL_MIN, INFINITY, "width of its fall", NULL},
    [POWER_GAMMAS0] = {"gammas0", "V^0.5", 0.5, 0, INFINITY, "body effect by the root; from Nsub when absent", NULL},
    [POWER_GAMMAL0] = {"gammal0", "", 0, 0, INFINITY, "body effect by the voltage", NULL},
    [POWER_LGAMMAS] = {"lgammas", "V^0.5", 0, -INFINITY, INFINITY, "growth of gammas with the length, (1 - L0/L)",
                       NULL},
    [POWER_WGAMMAS] = {"wgammas", "V^0.5", 0, -INFINITY, INFINITY, "growth of gammas with the width", NULL},
    [POWER_LGAMMAL] = {"lgammal", "", 0, -INFINITY, INFINITY, "growth of gammal with the length", NULL},
    [POWER_WGAMMAL] = {"wgammal", "", 0, -INFINITY, INFINITY, "growth of gammal with the width", NULL},
    [POWER_NSUB] = {"nsub", "1/cm^3", 0, 0, INFINITY, "substrate doping", NULL},
    [POWER_RD] = {"rd", "ohm", 0, 0, INFINITY, "drain resistance", NULL},
    [POWER_RG] = {"rg", "ohm", 0, 0, INFINITY, "gate resistance", NULL},
    [POWER_RS] = {"rs", "ohm", 0, 0, INFINITY, "source resistance", NULL},
    [POWER_RSH] = {"rsh", "ohm", 0, 0, INFINITY, "sheet resistance of drain and source, where Rd, Rs are 0", NULL},
    [POWER_DRIFT] = {"driftparama", "ohm", 0.08, 0, INFINITY, "resistance of the drift region", NULL},
    [POWER_DRIFT_BY_V] = {"driftparamb", "ohm/V", 0.013, 0, INFINITY, "its growth with the voltage across it", NULL},
    [POWER_RDSSHUNT] = {"rdsshunt", "ohm", 0, 0, INFINITY, "resistance between drain and source; 0: none", NULL},
    [POWER_IS] = {"is", "A", 1e-14, 0, INFINITY, "bulk junction saturation current", NULL},
    [POWER_JS] = {"js", "A/m^2", 0, 0, INFINITY, "the same per area, used when Ad and As are given", NULL},
    [POWER_PB] = {"pb", "V", 0.8, DBL_MIN, INFINITY, "bulk junction potential", NULL},
    [POWER_CBD] = {"cbd", "F", 0, 0, INFINITY, "bulk-drain capacitance at zero bias; Cj Ad when absent", NULL},
    [POWER_CBS] = {"cbs", "F", 0, 0, INFINITY, "bulk-source capacitance at zero bias; Cj As when absent", NULL},
    [POWER_CJ] = {"cj", "F/m^2", 0, 0, INFINITY, "bulk junction bottom capacitance at zero bias", NULL},
    [POWER_MJ] = {"mj", "", 0.5, 0, 10, "bottom grading coefficient", NULL},
    [POWER_CJSW] = {"cjsw", "F/m", 0, 0, INFINITY, "bulk junction sidewall capacitance at zero bias", NULL},
    [POWER_MJSW] = {"mjsw", "", 0.5, 0, 10, "sidewall grading coefficient", NULL},
    [POWER_FC] = {"fc", "", 0.5, 0, 0.99, "fraction of Pb where depletion charges become parabolas", NULL},
    [POWER_CGSO] = {"cgso", "F/m", 0, 0, INFINITY, "gate-source overlap capacitance per width", NULL},
    [POWER_CGDO] = {"cgdo", "F/m", 0, 0, INFINITY, "gate-drain overlap capacitance per width", NULL},
    [POWER_CGBO] = {"cgbo", "F/m", 0, 0, INFINITY, "gate-bulk overlap capacitance per length", NULL},
    [POWER_TNOM] = {"tnom", "degC", 27, -DEVICE_KELVIN, INFINITY,
                    "temperature of the parameters; .options tnom when absent", "tref"},
    [POWER_D1IS] = {"d1is", "A", 1e-14, 0, INFINITY, "saturation current of the body diode", NULL},
    [POWER_D1RS] = {"d1rs", "ohm", 0, 0, INFINITY, "its series resistance", NULL},
    [POWER_D1N] = {"d1n", "", 1, DBL_MIN, INFINITY, "its emission coefficient", NULL},
    [POWER_D1TT] = {"d1tt", "s", 0, 0, INFINITY, "its transit time", NULL},
    [POWER_D1CJO] = {"d1cjo", "F", 0, 0, INFINITY, "its depletion capacitance at zero bias", NULL},
    [POWER_D1VJ] = {"d1vj", "V", 1, DBL_MIN, INFINITY, "its junction potential", NULL},
    [POWER_D1M] = {"d1m", "", 0.5, 0, 10, "its grading coefficient", NULL},
    [POWER_D1EG] = {"d1eg", "eV", 1.11, DBL_MIN, INFINITY, "its energy gap", NULL},
    [POWER_D1XTI] = {"d1xti", "", 3, -INFINITY, INFINITY, "temperature exponent of d1is", NULL},
    [POWER_D1FC] = {"d1fc", "", 0.5, 0, 0.99, "fraction of d1vj where its depletion charge becomes a parabola", NULL},
    [POWER_D1BV] = {"d1bv", "V", 1e99, 0, INFINITY, "its breakdown voltage", NULL},
    [POWER_D1IBV] = {"d1ibv", "A", 1e-3, 0, INFINITY, "current at the breakdown voltage", NULL},
    [POWER_D1IKF] = {"d1ikf", "A", 0, 0, INFINITY, "its knee of high injection; 0: none", NULL},
    [POWER_D1ISR] = {"d1isr", "A", 0, 0, INFINITY, "its recombination saturation current", NULL},
    [POWER_D1NR] = {"d1nr", "", 2, DBL_MIN, INFINITY, "emission coefficient of the recombination", NULL},
};

/* ---- model card ---- */

static const struct instance_array arrays[] = {INSTANCE_ARRAY(power_batch, items)};

static void derive_from_doping(double *p, const bool *given, double sign, double nominal)
{
    const struct thermal t = thermal_of(nominal, nominal);
    const double oxide = OXIDE_PERMITTIVITY / p[POWER_TOX], doping = 1e6 * p[POWER_NSUB];
    if (!given[POWER_PHI])
        p[POWER_PHI] = fmax(2 * t.voltage * log(doping / INTRINSIC_DENSITY), 0.1);
    const double gamma = sqrt(2 * SILICON_PERMITTIVITY * DEVICE_CHARGE * doping) / oxide;
    if (!given[POWER_GAMMAS0])
        p[POWER_GAMMAS0] = gamma;
    if (!given[POWER_VTO]) /* gate doped opposite to the substrate */
        p[POWER_VTO] = sign * (0.5 * p[POWER_PHI] + gamma * sqrt(p[POWER_PHI]) - 0.5 * t.nominal_gap);
}

static bool derive_card(const struct model *m, double *p, const bool *given, double nominal, struct kn_diagnostics *d)
{
    const double sign = m->type[0] == 'p' || m->type[0] == 'P' ? -1 : 1;
    if (!given[POWER_NSUB])
        return true;
    if (1e6 * p[POWER_NSUB] <= INTRINSIC_DENSITY) {
        diagnostics_add(d, KN_ERROR, "parameter-range", m->where, "nsub is in 1/cm^3, for instance 1e16",
                        "model '%s': nsub = %g is below the intrinsic density 1.45e10 of silicon", m->name,
                        p[POWER_NSUB]);
        return false;
    }
    derive_from_doping(p, given, sign, given[POWER_TNOM] ? p[POWER_TNOM] : nominal);
    return true;
}

enum kn_status power_fill(void *batch, const struct device_input *in)
{
    struct power_batch *b = batch;
    const enum kn_status status = instances_read(&b->all, in);
    if (status == KN_ERROR_MEMORY || !instances_allocate(&b->all, arrays, 1))
        return KN_ERROR_MEMORY;
    const struct model_cards *cards = &b->all.cards;
    bool good = true;
    for (size_t i = 0; i < cards->count; i++)
        good = derive_card(cards->models[i], cards->values + i * cards->width, model_card_given(cards, i),
                           b->all.nominal_temperature, in->diagnostics) &&
               good;
    return good ? status : KN_ERROR_DECK;
}

static double drawn(const struct power_batch *b, size_t k, int own, int model)
{
    return b->all.own_given[k][own] ? b->all.own[k][own] : b->all.model[k][model];
}

enum kn_status power_make(void *batch, size_t k, const struct device_input *in)
{
    struct power_batch *b = batch;
    struct power_mosfet *t = &b->items[k];
    const double *p = b->all.model[k], length = drawn(b, k, POWER_L, POWER_L0);
    t->element = in->elements[k];
    t->sign = instance_sign(&b->all, k);
    t->drift_at_zero = p[POWER_DRIFT] / b->all.own[k][POWER_M];
    t->drift_growth = p[POWER_DRIFT_BY_V] / b->all.own[k][POWER_M];
    if (length > 2 * p[POWER_LD])
        return KN_OK;
    diagnostics_add(in->diagnostics, KN_ERROR, "parameter-range", t->element->where, "the effective length is l - 2 ld",
                    "element '%s': l = %g m leaves no channel between lateral diffusions of ld = %g m",
                    t->element->name, length, p[POWER_LD]);
    return KN_ERROR_DECK;
}

double power_end_resistance(const double *p, int own, double squares)
{
    return p[own] > 0 ? p[own] : p[POWER_RSH] * squares;
}

/* ---- temperature ---- */

/* The threshold is that of mosfet_parameters.c, but for the bulk's charge it was made of. */
static void prepare_channel(struct power_mosfet *t, const double *p, const struct thermal *at, double width,
                            double length, double m)
{
    const double phi = thermal_potential(at, p[POWER_PHI]), effective = length - 2 * p[POWER_LD];
    const double by_length = 1 - p[POWER_L0] / length, by_width = 1 - p[POWER_W0] / width;
    const double doped = p[POWER_NSUB] > 0 ? sqrt(2e6 * SILICON_PERMITTIVITY * DEVICE_CHARGE * p[POWER_NSUB]) *
                                                 p[POWER_TOX] / OXIDE_PERMITTIVITY
                                           : 0;
    struct uccm *u = &t->channel;
    const double threshold = t->sign * p[POWER_VTO] - doped * (sqrt(p[POWER_PHI]) - sqrt(phi)) +
                             t->sign * 0.5 * (at->nominal_gap - at->gap) + 0.5 * (phi - p[POWER_PHI]);
    u->gamma_root = p[POWER_GAMMAS0] + p[POWER_LGAMMAS] * by_length + p[POWER_WGAMMAS] * by_width;
    u->gamma_line = p[POWER_GAMMAL0] + p[POWER_LGAMMAL] * by_length + p[POWER_WGAMMAL] * by_width;
    u->base = threshold + u->gamma_line * phi - u->gamma_root * sqrt(phi);
    u->phi = phi;
    u->thermal = at->voltage;
    u->ideality = p[POWER_ETA];
    u->dibl = p[POWER_SIGMA0];
    u->dibl_at = p[POWER_VSIGMAT];
    u->dibl_width = p[POWER_VSIGMA];
    u->transition = p[POWER_DELTA];
    u->mobility = 1e-4 * p[POWER_UO] / (at->ratio * sqrt(at->ratio));
    u->degradation = p[POWER_THETA] / p[POWER_TOX];
    u->carriers = 0.5 * OXIDE_PERMITTIVITY * u->ideality * u->thermal / (DEVICE_CHARGE * p[POWER_TOX]);
    u->sheet = DEVICE_CHARGE * m * width / effective;
    u->source = p[POWER_RS] / m;
    u->series = (p[POWER_RS] + p[POWER_RD]) / m;
    u->saturation = p[POWER_VMAX] * effective / u->mobility;
    u->lambda = p[POWER_LAMBDA];
    t->charge = (struct mosfet_law){.built_in = u->base,
                                    .gamma = u->gamma_root,
                                    .phi = phi,
                                    .root_phi = sqrt(phi),
                                    .oxide = OXIDE_PERMITTIVITY / p[POWER_TOX] * m * width * effective};
    mosfet_prepare_charge(&t->charge);
}

static struct diode_card body_card(const double *p, double m)
{
    return (struct diode_card){.size = m,
                               BODY_DIODE(p, POWER_D1),
                               .isr = p[POWER_D1ISR],
                               .nr = p[POWER_D1NR],
                               .ikf = p[POWER_D1IKF],
                               .bv = p[POWER_D1BV] < 1e90 ? p[POWER_D1BV] : 0,
                               .nbv = 1,
                               .root_injection = true};
}

/* Of drain or source; saturation currents follow silicon's gap as those of all MOSFETs do. */
static struct diode_card bulk_card(const double *p, const double *own, const bool *given, bool drain,
                                   const struct thermal *at)
{
    const double area = own[drain ? POWER_AD : POWER_AS], edge = own[drain ? POWER_PD : POWER_PS], m = own[POWER_M];
    const int whole = drain ? POWER_CBD : POWER_CBS;
    const bool by_area = p[POWER_JS] > 0 && own[POWER_AD] > 0 && own[POWER_AS] > 0;
    const double growth = exp(at->nominal_gap / at->nominal_voltage - at->gap / at->voltage);
    return (struct diode_card){.size = m,
                               .edge = m * edge,
                               .is = growth * (by_area ? p[POWER_JS] * area : p[POWER_IS]),
                               .n = 1,
                               .ns = 1,
                               .nr = 1,
                               .nbv = 1,
                               .nbvl = 1,
                               .cjo = given[whole] ? p[whole] : p[POWER_CJ] * area,
                               .vj = p[POWER_PB],
                               .m = p[POWER_MJ],
                               .fc = p[POWER_FC],
                               .cjsw = p[POWER_CJSW],
                               .vjsw = p[POWER_PB],
                               .mjsw = p[POWER_MJSW],
                               .fcs = p[POWER_FC]};
}

void power_prepare(void *batch, size_t k, double temperature)
{
    struct power_batch *b = batch;
    struct power_mosfet *t = &b->items[k];
    const double *p = b->all.model[k], *own = b->all.own[k], m = own[POWER_M];
    const bool *given = b->all.model_given[k];
    const struct thermal at = instance_thermal(&b->all, k, temperature, POWER_TEMP, POWER_DTEMP, POWER_TNOM);
    const double width = drawn(b, k, POWER_W, POWER_W0), length = drawn(b, k, POWER_L, POWER_L0);
    prepare_channel(t, p, &at, width, length, m);
    const struct diode_card cards[POWER_DIODES] = {[POWER_D_BODY] = body_card(p, m),
                                                   [POWER_D_DRAIN] = bulk_card(p, own, given, true, &at),
                                                   [POWER_D_SOURCE] = bulk_card(p, own, given, false, &at)};
    for (int i = 0; i < POWER_DIODES; i++)
        diode_law_prepare(&t->diodes[i].law, &cards[i], &at);
    const double ohms[POWER_RESISTORS] = {[POWER_R_DRAIN] = power_end_resistance(p, POWER_RD, own[POWER_NRD]),
                                          [POWER_R_GATE] = p[POWER_RG],
                                          [POWER_R_SOURCE] = power_end_resistance(p, POWER_RS, own[POWER_NRS]),
                                          [POWER_R_SHUNT] = p[POWER_RDSSHUNT],
                                          [POWER_R_BODY] = p[POWER_D1RS]};
    for (int i = 0; i < POWER_RESISTORS; i++)
        t->links[i].g = ohms[i] > 0 ? m / ohms[i] : 0;
    t->overlaps[0] = m * p[POWER_CGSO] * width;
    t->overlaps[1] = m * p[POWER_CGDO] * width;
    t->overlaps[2] = m * p[POWER_CGBO] * (length - 2 * p[POWER_LD]);
}
