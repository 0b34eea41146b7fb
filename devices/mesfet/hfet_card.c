/* hfet_card.c - model cards of HFETs, levels 5 and 6, see mes_card.h. */
#include "devices/mesfet/mes_rows.h"
#include "devices/semiconductor/instances.h"

const struct parameter_info hfet_instance_rows[HFET_INSTANCE_COUNT] = {
    MES_POSITIVE(MES_L, "l", "m", 1e-6, "length of the gate"),
    MES_POSITIVE(MES_W, "w", "m", 20e-6, "width of the gate"),
    INSTANCE_ROWS(MES_M, MES_TEMP, MES_DTEMP, MES_OFF),
    MES_INITIAL_ROWS,
};

const struct parameter_info hfet1_model_rows[HFET1_MODEL_COUNT] = {
    [MES_LEVEL] = {"level", "", 5, 5, 5, "model level", NULL},
    HFET_ROWS,
    MES_NOT_NEGATIVE(MES_GGR, "ggr", "S/m^2", 40, "reverse conductance of the gate"),
#define HFET(symbol, ...)  [HFET_##symbol] = {__VA_ARGS__},
#define HFET1(symbol, ...) [HFET1_##symbol] = {__VA_ARGS__},
#include "devices/mesfet/mes_models.def"
};

const struct parameter_info hfet2_model_rows[HFET2_MODEL_COUNT] = {
    [MES_LEVEL] = {"level", "", 6, 6, 6, "model level", NULL},
    HFET_ROWS,
    MES_NOT_NEGATIVE(MES_GGR, "ggr", "S/m^2", 0, "reverse conductance of the gate"),
#define HFET(symbol, ...)  [HFET_##symbol] = {__VA_ARGS__},
#define HFET2(symbol, ...) [HFET2_##symbol] = {__VA_ARGS__},
#include "devices/mesfet/mes_models.def"
};

/* ---- at a temperature ---- */

static double rise_of(const struct mes_cards *c)
{
    return c->kelvin[MES_SOURCE_END] - c->nominal;
}

static double thermal_voltage(const struct mes_cards *c)
{
    return c->kelvin[MES_SOURCE_END] * (DEVICE_BOLTZMANN / DEVICE_CHARGE);
}

void hfet1_resistances(const struct mes_cards *c, double ohm[MES_RESISTORS])
{
    static const int rows[MES_RESISTORS] = {[MES_R_DRAIN] = MES_RD,
                                            [MES_R_GATE] = HFET1_RG,
                                            [MES_R_SOURCE] = MES_RS,
                                            [MES_R_GATE_SOURCE] = HFET1_RI,
                                            [MES_R_GATE_DRAIN] = HFET1_RF};
    for (int i = 0; i < MES_RESISTORS; i++)
        ohm[i] = c->model[rows[i]];
}

void hfet2_resistances(const struct mes_cards *c, double ohm[MES_RESISTORS])
{
    for (int i = 0; i < MES_RESISTORS; i++)
        ohm[i] = i == MES_R_DRAIN ? c->model[MES_RD] : i == MES_R_SOURCE ? c->model[MES_RS] : 0;
}

/* A default that a PHFET has another value for. */
static double either(const struct mes_cards *c, int row, double of_p)
{
    return c->sign < 0 && !c->given[row] ? of_p : c->model[row];
}

/* n0 of a sheet at a depth, 1/m^2 */
static double density(const struct mes_cards *c, double slope, double depth)
{
    return c->model[MES_EPSI] * slope / (2 * DEVICE_CHARGE * depth);
}

void hfet_channel(const struct mes_cards *c, struct mes_channel *out)
{
    const double *p = c->model, vt = thermal_voltage(c), rise = rise_of(c), slope = either(c, MES_ETA, 1.4) * vt;
    const double vto = either(c, MES_VTO, -0.15) * c->sign, depth = p[HFET_DI] + p[HFET_DELTAD];
    const bool second = c->given[HFET_ETA2] && c->given[HFET_D2];
    *out = (struct mes_channel){
        .kind = MES_SHEET,
        .hfet = true,
        .threshold = vto - p[HFET_KVTO] * rise,
        .dibl = p[MES_SIGMA0],
        .dibl_at = p[MES_VSIGMAT],
        .dibl_width = p[MES_VSIGMA],
        .thermal = vt,
        .smooth = vt,
        .ideality = slope,
        .transition = p[MES_TRANSITION],
        .length = c->own[MES_L],
        .width = c->own[MES_W],
        .mobility = either(c, MES_MU, 0.03) - p[HFET_KMU] * rise,
        .velocity = either(c, MES_VS, 0.8e5),
        .source = p[MES_RSI],
        .series = p[MES_RSI] + p[MES_RDI],
        .lambda = p[MES_LAMBDA] + p[HFET_KLAMBDA] * rise,
        .knee = p[MES_SHAPE],
        .knee_c = p[MES_MC],
        .permittivity = p[MES_EPSI],
        .depth = depth,
        .carriers = density(c, slope, depth),
        .most = p[MES_NMAX],
        .gamma = p[MES_GAMMA],
        .second_carriers = second ? density(c, p[HFET_ETA2] * vt, p[HFET_D2]) : 0,
        .second_slope = p[HFET_ETA2] * vt,
        .second_at = c->given[HFET_VT2] ? p[HFET_VT2] : vto,
        .outer_slope = p[HFET_ETA1] * vt,
        .outer_depth = p[HFET_D1],
        .outer_at = c->given[HFET_VT1] ? p[HFET_VT1] : vto + DEVICE_CHARGE * p[MES_NMAX] * p[HFET_DI] / p[MES_EPSI],
        .share = p[HFET_P],
    };
}

static double unit_of(const struct mes_channel *c)
{
    return c->fringe + c->width * c->length * c->permittivity / c->depth;
}

/* ---- level 5 ---- */

static struct mes_gate leaking_gate(const struct mes_cards *c)
{
    static const int rows[MES_ENDS][5] = {{HFET1_RGS, HFET1_JS1S, HFET1_JS2S, HFET1_M1S, HFET1_M2S},
                                          {HFET1_RGD, HFET1_JS1D, HFET1_JS2D, HFET1_M1D, HFET1_M2D}};
    const double *p = c->model, vt = thermal_voltage(c), area = c->own[MES_L] * c->own[MES_W] / 2;
    struct mes_gate g = {.reverse = hfet_reverse(c)};
    for (enum mes_end end = 0; end < MES_ENDS; end++) {
        const int *row = rows[end];
        g.leak[end] =
            (struct mes_leak){p[row[0]], {p[row[1]] * area, p[row[2]] * area}, {p[row[3]] * vt, p[row[4]] * vt}};
        g.junction[end].rate = 1 / vt;
        g.reverse_rate[end] = p[MES_DEL] / vt;
    }
    return g;
}

static struct mes_hot_gate hot_gate(const struct mes_cards *c)
{
    const double *p = c->model;
    return (struct mes_hot_gate){
        .there = p[HFET1_GATEMOD] != 0,
        .richardson = p[HFET1_ASTAR] * c->own[MES_L] * c->own[MES_W] / 2,
        .kelvin = c->kelvin[MES_SOURCE_END],
        .barrier = p[HFET1_PHIB] * DEVICE_CHARGE / DEVICE_BOLTZMANN,
        .ideality = {[MES_SOURCE_END] = p[HFET1_M2S], [MES_DRAIN_END] = p[HFET1_M2D]},
        .knee_by = p[HFET1_CK1],
        .knee = p[HFET1_CK2],
        .most_by = p[HFET1_CM1],
        .most = p[HFET1_CM2],
        .rise = p[HFET1_TALPHA],
        .knee_shape = p[HFET1_MT1],
        .most_shape = p[HFET1_MT2],
        .to_channel = p[HFET1_A1],
        .to_channel_by = p[HFET1_A2],
        .correction = p[HFET1_CM3],
        .correction_shape = p[HFET1_MV1],
    };
}

void hfet1_law(const struct mes_cards *c, struct mes_law *law)
{
    const double *p = c->model;
    const double traps =
        exp(c->kelvin[MES_SOURCE_END] / (c->given[HFET1_TF] ? p[HFET1_TF] + DEVICE_KELVIN : c->circuit));
    *law = (struct mes_law){
        .gate = leaking_gate(c),
        .hot = hot_gate(c),
        .drain_source = p[HFET1_CDS],
        .dispersion = {p[HFET1_KAPPA], p[HFET1_FGDS] * traps, p[HFET1_DELF] * traps},
    };
    hfet_channel(c, &law->channel);
    law->channel.fringe = 0.5 * p[MES_EPSI] * c->own[MES_W];
    law->unit = unit_of(&law->channel);
}

/* ---- level 6 ---- */

void hfet2_law(const struct mes_cards *c, struct mes_law *law)
{
    const double *p = c->model, vt = thermal_voltage(c);
    *law = (struct mes_law){.gate = {.reverse = hfet_reverse(c)}};
    for (enum mes_end end = 0; end < MES_ENDS; end++) {
        law->gate.junction[end] =
            (struct junction_law){p[HFET2_JS] * c->own[MES_L] * c->own[MES_W] / 2, 1 / (p[HFET2_N] * vt)};
        law->gate.reverse_rate[end] = p[MES_DEL] / vt;
    }
    hfet_channel(c, &law->channel);
    law->channel.fringe = p[HFET2_CF];
    law->channel.most = p[MES_NMAX] - p[HFET2_KNMAX] * rise_of(c);
    law->unit = unit_of(&law->channel);
}
