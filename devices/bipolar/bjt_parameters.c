/* bjt_parameters.c - parameters, temperature and geometry of bipolar transistors.
 *
 * Temperature laws: SPICE (Antognetti and Massobrio 1988, 2.6): Is by exp((T/Tn - 1) Eg/Vt) (T/Tn)^Xti, gains by
 * (T/Tn)^Xtb, or by coefficients tbf1, tbf2 .. that take its place for the gain alone (HSPICE's and ngspice's; those of
 * other parameters multiply them, and the emission coefficient that a leakage current grows by is the nominal one), leakage currents
 * by the Ne-th (Nc-th) root of Is's factor over that of the gain; junction potentials and capacitances as in junction.h.
 * tlev = 1: gains by 1 + Xtb (T - Tn).  tlev = 3: currents I^(1 + tis1 (T - Tn) + tis2 (T - Tn)^2), gains by their coefficients alone.
 * tlevc = 1: C (1 + cte (T - Tn)), V - tvje (T - Tn).  Areas: areab scales Isc and Cjc, areac Iss and Cjs, of lateral transistors
 * the other way round.  Both: HSPICE's manual of BJT models, temperature compensation and element areas; ngspice manual, 8.2.
 */
#include "devices/bipolar/bjt_batch.h"

#include <float.h>

/* The netlist's ic=vbe,vce arrives as ic and ic2. */
const struct parameter_info bjt_instance_rows[BJT_INSTANCE_COUNT] = {
    [BJT_AREA] = {"area", "", 1, DBL_MIN, INFINITY, "area factor: multiplies currents and charges, divides resistances",
                  NULL},
    [BJT_AREAB] =
        {"areab", "", 0, 0, INFINITY,
         "area of the base, for what lies at the collector (of lateral ones at the substrate); area when not given",
         NULL},
    [BJT_AREAC] = {"areac", "", 0, 0, INFINITY,
                   "area of the collector, for what lies at the substrate (of lateral ones at the collector); area "
                   "when not given",
                   NULL},
    INSTANCE_ROWS(BJT_M, BJT_TEMP, BJT_DTEMP, BJT_OFF),
    [BJT_ICVBE] = {"icvbe", "V", 0, -INFINITY, INFINITY, "base-emitter voltage at the start of a transient with uic",
                   "ic"},
    [BJT_ICVCE] = {"icvce", "V", 0, -INFINITY, INFINITY,
                   "collector-emitter voltage at the start of a transient with uic", "ic2"},
};

enum {
#define ROW(symbol, ...) P_##symbol,
#include "devices/bipolar/bjt_model.def"
#undef ROW
    P_COUNT
};

const struct parameter_info bjt_model_rows[BJT_MODEL_COUNT] = {
#define ROW(symbol, ...) {__VA_ARGS__},
#include "devices/bipolar/bjt_model.def"
#undef ROW
};

static const struct instance_array arrays[] = {
    INSTANCE_ARRAY(bjt_batch, sign),     INSTANCE_ARRAY(bjt_batch, substrate_sign),
    INSTANCE_ARRAY(bjt_batch, lateral),  INSTANCE_ARRAY(bjt_batch, has_substrate),
    INSTANCE_ARRAY(bjt_batch, laws),     INSTANCE_ARRAY(bjt_batch, series),
    INSTANCE_ARRAY(bjt_batch, nodes),    INSTANCE_ARRAY(bjt_batch, slots),
    INSTANCE_ARRAY(bjt_batch, previous), INSTANCE_ARRAY(bjt_batch, tangents),
    INSTANCE_ARRAY(bjt_batch, flicker),  INSTANCE_ARRAY(bjt_batch, delay)};

/* What the ranges of the table cannot say.  Fills in defaults that depend on other parameters. */
static void check_card(const struct model *m, double *p, const bool *given, struct kn_diagnostics *d)
{
    if (!given[P_RBM])
        p[P_RBM] = p[P_RB];
    if (p[P_RBM] > p[P_RB] && p[P_RB] > 0) {
        diagnostics_add(d, KN_WARNING, "parameter-range", m->where, "rbm is the base resistance at high currents",
                        "model '%s': rbm = %g ohm is larger than rb = %g ohm; rbm = rb is taken", m->name, p[P_RBM],
                        p[P_RB]);
        p[P_RBM] = p[P_RB];
    }
    if (!given[P_ISE])
        p[P_ISE] = p[P_C2] * p[P_IS];
    if (!given[P_ISC])
        p[P_ISC] = p[P_C4] * p[P_IS];
    if (!given[P_SUBS])
        p[P_SUBS] = m->type[0] == 'p' ? -1 : 1;
    if (p[P_TLEV] != 0 && p[P_TLEV] != 1 && p[P_TLEV] != 3) {
        diagnostics_add(d, KN_WARNING, "unsupported", m->where, "tlev is 0, 1 or 3",
                        "model '%s': the temperature law tlev = %g is not known; that of 0 is taken", m->name,
                        p[P_TLEV]);
        p[P_TLEV] = 0;
    }
    if (m->type[0] == 'p') {
        p[P_CN] = given[P_CN] ? p[P_CN] : 2.2;
        p[P_D] = given[P_D] ? p[P_D] : 0.52;
    }
}

static void check_cards(struct bjt_batch *b, struct kn_diagnostics *d)
{
    for (size_t i = 0; i < b->all.cards.count; i++) {
        double *p = b->all.cards.values + i * b->all.cards.width;
        check_card(b->all.cards.models[i], p, model_card_given(&b->all.cards, i), d);
        b->has_charge |= p[P_CJE] > 0 || p[P_CJC] > 0 || p[P_TF] > 0 || p[P_TR] > 0 || p[P_CJS] > 0 ||
                         (p[P_RCO] > 0 && p[P_QCO] > 0);
    }
}

static const double PI = 3.14159265358979323846;

static void set_geometry(struct bjt_batch *b, size_t k)
{
    const double *p = b->all.model[k];
    b->sign[k] = instance_sign(&b->all, k);
    b->lateral[k] = p[P_SUBS] < 0;
    b->substrate_sign[k] = b->lateral[k] ? -b->sign[k] : b->sign[k];
    b->has_substrate[k] = p[P_CJS] > 0 || p[P_ISS] > 0;
    b->delay[k] = p[P_PTF] * (PI / 180) * p[P_TF];
}

enum kn_status bjt_fill(void *batch, const struct device_input *in)
{
    struct bjt_batch *b = batch;
    const enum kn_status status = instances_read(&b->all, in);
    if (status == KN_ERROR_MEMORY || !instances_allocate(&b->all, arrays, sizeof arrays / sizeof *arrays))
        return KN_ERROR_MEMORY;
    check_cards(b, in->diagnostics);
    for (size_t k = 0; k < b->all.base.count; k++)
        set_geometry(b, k);
    return status;
}

/* ---- temperature ---- */

static double inverse_or_zero(double value)
{
    return value > 0 && value < INFINITY ? 1 / value : 0;
}

/* Fits of vendors have Early voltages below 0 too: currents then fall where the voltage grows. */
static double inverse_early(double voltage)
{
    return voltage < 0 ? -inverse_or_zero(-voltage) : inverse_or_zero(voltage);
}

/* The quadratic coefficient stands behind the linear one. */
static double warm(const double *p, int parameter, int coefficient, double rise)
{
    return p[parameter] * (1 + rise * (p[coefficient] + rise * p[coefficient + 1]));
}

/* The gain at a temperature: by its coefficients, or else by Xtb. */
static double warm_gain(const double *p, int gain, int coefficient, double rise, double by_exponent)
{
    const bool own = p[coefficient] != 0 || p[coefficient + 1] != 0;
    return own ? warm(p, gain, coefficient, rise) : p[gain] * by_exponent;
}

/* Emitter, collector and substrate side. */
struct areas {
    double emitter, collector, substrate;
};

static struct areas areas_of(const struct bjt_batch *b, size_t k)
{
    const double *own = b->all.own[k], m = own[BJT_M], area = own[BJT_AREA];
    const double base = own[BJT_AREAB] > 0 ? own[BJT_AREAB] : area,
                 collector = own[BJT_AREAC] > 0 ? own[BJT_AREAC] : area;
    return b->lateral[k] ? (struct areas){m * area, m * collector, m * base}
                         : (struct areas){m * area, m * base, m * collector};
}

/* A saturation current of unit area; the emission coefficient is that its temperature factor is a root of. */
static double warm_current(const double *p, const struct thermal *t, int current, int coefficient, double emission)
{
    if (p[P_TLEV] != 3)
        return p[current] * thermal_saturation(t, p[P_EG], p[P_XTI], emission);
    const double rise = t->kelvin - t->nominal;
    return p[current] > 0 ? pow(p[current], 1 + rise * (p[coefficient] + rise * p[coefficient + 1])) : 0;
}

/* What gains grow by where they have no coefficients. */
static double gain_factor(const double *p, const struct thermal *t)
{
    return p[P_TLEV] == 3 ? 1 : p[P_TLEV] == 1 ? 1 + p[P_XTB] * (t->kelvin - t->nominal) : pow(t->ratio, p[P_XTB]);
}

static void prepare_currents(struct bjt_law *law, const double *p, const struct areas *areas, const struct thermal *t)
{
    const double size = areas->emitter, saturation = size * warm_current(p, t, P_IS, P_TIS1, 1);
    const double gain = gain_factor(p, t), rise = t->kelvin - t->nominal;
    law->forward = (struct junction_law){saturation, 1 / (warm(p, P_NF, P_TNF1, rise) * t->voltage)};
    law->reverse = (struct junction_law){saturation, 1 / (warm(p, P_NR, P_TNR1, rise) * t->voltage)};
    law->emitter_leak = (struct junction_law){size * warm_current(p, t, P_ISE, P_TISE1, p[P_NE]) / gain,
                                              1 / (warm(p, P_NE, P_TNE1, rise) * t->voltage)};
    law->collector_leak = (struct junction_law){areas->collector * warm_current(p, t, P_ISC, P_TISC1, p[P_NC]) / gain,
                                                1 / (warm(p, P_NC, P_TNC1, rise) * t->voltage)};
    law->substrate = (struct junction_law){areas->substrate * warm_current(p, t, P_ISS, P_TISS1, 1),
                                           1 / (warm(p, P_NS, P_TNS1, rise) * t->voltage)};
    law->inverse_bf = 1 / warm_gain(p, P_BF, P_TBF1, rise, gain);
    law->inverse_br = 1 / warm_gain(p, P_BR, P_TBR1, rise, gain);
    law->inverse_vaf = inverse_early(warm(p, P_VAF, P_TVAF1, rise));
    law->inverse_var = inverse_early(warm(p, P_VAR, P_TVAR1, rise));
    law->inverse_ikf = inverse_or_zero(warm(p, P_IKF, P_TIKF1, rise)) / size;
    law->inverse_ikr = inverse_or_zero(warm(p, P_IKR, P_TIKR1, rise)) / size;
    law->roll_off = p[P_NK];
    law->critical_emitter = junction_critical_voltage(&law->forward);
    law->critical_collector = junction_critical_voltage(&law->reverse);
    law->critical_substrate = junction_critical_voltage(&law->substrate);
}

/* A depletion charge: its card's C, V and M (with the coefficients of M), and the coefficients of C and V. */
struct depletion_card {
    int capacitance, potential, grading, grading_coefficient, capacitance_coefficient, potential_coefficient;
};

static struct depletion prepare_depletion(const double *p, const struct depletion_card *c, double size, double fc,
                                          const struct thermal *t)
{
    const double rise = t->kelvin - t->nominal, nominal = p[c->potential];
    const double grading = warm(p, c->grading, c->grading_coefficient, rise);
    const bool linear = p[P_TLEVC] == 1;
    const double capacitance = linear ? p[c->capacitance] * (1 + p[c->capacitance_coefficient] * rise)
                                      : thermal_capacitance(t, p[c->capacitance], nominal, grading);
    const double potential = linear ? fmax(nominal - p[c->potential_coefficient] * rise, JUNCTION_LEAST_POTENTIAL)
                                    : thermal_potential(t, nominal);
    return depletion_of(size * capacitance, potential, grading, fc);
}

static void prepare_charges(struct bjt_law *law, const double *p, const struct areas *areas, const struct thermal *t)
{
    static const struct depletion_card emitter = {P_CJE, P_VJE, P_MJE, P_TMJE1, P_CTE, P_TVJE};
    static const struct depletion_card collector = {P_CJC, P_VJC, P_MJC, P_TMJC1, P_CTC, P_TVJC};
    static const struct depletion_card substrate = {P_CJS, P_VJS, P_MJS, P_TMJS1, P_CTS, P_TVJS};
    const double rise = t->kelvin - t->nominal;
    law->tf = warm(p, P_TF, P_TTF1, rise);
    law->tr = warm(p, P_TR, P_TTR1, rise);
    law->xtf = p[P_XTF];
    law->vtf_rate = inverse_or_zero(1.44 * p[P_VTF]);
    law->itf = areas->emitter * warm(p, P_ITF, P_TITF1, rise);
    law->emitter = prepare_depletion(p, &emitter, areas->emitter, p[P_FC], t);
    law->collector = prepare_depletion(p, &collector, p[P_XCJC] * areas->collector, p[P_FC], t);
    law->outer = prepare_depletion(p, &collector, (1 - p[P_XCJC]) * areas->collector, p[P_FC], t);
    law->to_substrate = prepare_depletion(p, &substrate, areas->substrate, 0, t);
}

/* At any temperature: unknowns and places do not follow it. */
static bool has_two_bases(const double *p)
{
    return p[P_RB] > 0 && (p[P_RBM] != p[P_RB] || p[P_TRM1] != p[P_TRB1] || p[P_TRM2] != p[P_TRB2]);
}

static void prepare_resistances(struct bjt_law *law, struct bjt_series *series, const double *p, double size,
                                double rise)
{
    const double base = warm(p, P_RB, P_TRB1, rise), least = p[P_RB] > 0 ? warm(p, P_RBM, P_TRM1, rise) : 0;
    law->base_minimum = least / size;
    law->base_variable = (base - least) / size;
    law->inverse_irb = inverse_or_zero(warm(p, P_IRB, P_TIRB1, rise)) / size;
    *series = (struct bjt_series){.collector = inverse_or_zero(warm(p, P_RC, P_TRC1, rise)) * size,
                                  .base = inverse_or_zero(base) * size,
                                  .emitter = inverse_or_zero(warm(p, P_RE, P_TRE1, rise)) * size,
                                  .base_varies = has_two_bases(p)};
}

/* Temperature: PSpice A/D Reference Guide, bipolar transistor, quasi-saturation. */
static void prepare_epi(struct bjt_epi_law *law, const double *p, double size, const struct thermal *t)
{
    const bool warms = p[P_QUASIMOD] != 0;
    const double resistance = p[P_RCO] * (warms ? pow(t->ratio, p[P_CN]) : 1);
    const double saturation = p[P_VO] * (warms ? pow(t->ratio, p[P_CN] - p[P_D]) : 1);
    const double doping =
        p[P_GAMMA] * (warms ? pow(t->ratio, 3) * exp(p[P_VG] * (1 / t->nominal_voltage - 1 / t->voltage)) : 1);
    *law = (struct bjt_epi_law){.conductance = inverse_or_zero(resistance) * size,
                                .inverse_vo = inverse_or_zero(saturation),
                                .gamma = doping,
                                .rate = 1 / t->voltage,
                                .charge = p[P_RCO] > 0 ? p[P_QCO] * size : 0};
}

void bjt_prepare(void *batch, size_t k, double temperature)
{
    struct bjt_batch *b = batch;
    const double *p = b->all.model[k], size = b->all.own[k][BJT_AREA] * b->all.own[k][BJT_M]; /* of the emitter */
    const struct thermal t = instance_thermal(&b->all, k, temperature, BJT_TEMP, BJT_DTEMP, P_TNOM);
    const struct areas areas = areas_of(b, k);
    prepare_currents(&b->laws[k], p, &areas, &t);
    prepare_charges(&b->laws[k], p, &areas, &t);
    prepare_resistances(&b->laws[k], &b->series[k], p, size, t.kelvin - t.nominal);
    prepare_epi(&b->laws[k].epi, p, size, &t);
    b->flicker[k] = (struct bjt_flicker){p[P_KF], p[P_AF]};
    b->tangents[k].at.vbe = NAN;
}
