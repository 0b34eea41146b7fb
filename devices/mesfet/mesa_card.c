/* mesa_card.c - model cards of MESFETs of levels 2, 3 and 4, see mes_card.h. */
#include "devices/mesfet/mes_rows.h"

const struct parameter_info mesa_instance_rows[MESA_INSTANCE_COUNT] = {
    MES_POSITIVE(MES_L, "l", "m", 1e-6, "length of the gate"),
    MES_POSITIVE(MES_W, "w", "m", 20e-6, "width of the gate"),
    MES_POSITIVE(MES_M, "m", "", 1, "number of devices in parallel"),
    [MES_OFF] = {"off", "", 0, 0, 1, "accepted; the operating point needs no such hint", NULL},
    MES_INITIAL_ROWS,
    MES_ANY(MES_DTEMP, "dtemp", "K", 0, "temperature above that of the circuit"),
    MES_DEGREES(MES_TD, "td", 27, "temperature of the drain's end"),
    MES_DEGREES(MES_TS, "ts", 27, "temperature of the source's end and of the channel"),
};

const struct parameter_info mesa_model_rows[MESA_MODEL_COUNT] = {
    [MES_LEVEL] = {"level", "", 2, 2, 4, "2: uniform doping, 3: delta doping, 4: sheet of carriers", NULL},
    [MES_VTO] = {"vto", "V", -1.26, -INFINITY, INFINITY, "threshold voltage", "vt0"},
    MES_ANY(MES_LAMBDA, "lambda", "1/V", 0.045, "channel length modulation"),
    MES_RESISTANCE_ROWS,
    MES_CHANNEL_ROWS,
    MES_POSITIVE(MES_ETA, "eta", "", 1.73, "ideality below threshold"),
    MES_POSITIVE(MES_SHAPE, "m", "", 2.5, "shape of the knee"),
    MES_ANY(MES_SIGMA0, "sigma0", "", 0.081, "how far the drain lowers the threshold"),
    MES_ANY(MES_VSIGMAT, "vsigmat", "V", 1.01, "overdrive at which half of that is left"),
    MES_POSITIVE(MES_MU, "mu", "m^2/Vs", 0.23, "mobility"),
    MES_POSITIVE(MES_TRANSITION, "delta", "", 5, "width of the transition at threshold"),
    MES_POSITIVE(MES_VS, "vs", "m/s", 1.5e5, "saturation velocity"),
    MES_NOT_NEGATIVE(MES_GGR, "ggr", "S/m^2", 40, "reverse conductance of the gate"),
#define MESA(symbol, ...) [MESA_##symbol] = {__VA_ARGS__},
#include "devices/mesfet/mes_models.def"
};

/* ---- at a temperature ---- */

static double rise_of(const struct mes_cards *c, enum mes_end end)
{
    return c->kelvin[end] - c->nominal;
}

static double warm_resistance(const struct mes_cards *c, int row, enum mes_end end)
{
    const double *p = c->model, rise = rise_of(c, end);
    return p[row] * (1 + p[MESA_RTC1] * rise + p[MESA_RTC2] * rise * rise);
}

void mesa_resistances(const struct mes_cards *c, double ohm[MES_RESISTORS])
{
    ohm[MES_R_DRAIN] = warm_resistance(c, MES_RD, MES_DRAIN_END);
    ohm[MES_R_GATE] = warm_resistance(c, MESA_RG, MES_SOURCE_END);
    ohm[MES_R_SOURCE] = warm_resistance(c, MES_RS, MES_SOURCE_END);
    ohm[MES_R_GATE_SOURCE] = warm_resistance(c, MESA_RI, MES_SOURCE_END);
    ohm[MES_R_GATE_DRAIN] = warm_resistance(c, MESA_RF, MES_DRAIN_END);
}

/* Matthiessen's rule for impurities and phonons. */
static double mobility_at(const double *p, double kelvin)
{
    const double reference = p[MESA_TMU] + DEVICE_KELVIN;
    const double impurities = p[MES_MU] * pow(kelvin / reference, p[MESA_XTM0]);
    if (p[MESA_MU1] == 0 && p[MESA_MU2] == 0)
        return impurities;
    const double phonons =
        p[MESA_MU1] * pow(reference / kelvin, p[MESA_XTM1]) + p[MESA_MU2] * pow(reference / kelvin, p[MESA_XTM2]);
    return 1 / (1 / impurities + 1 / phonons);
}

static double ideality_at(const struct mes_cards *c)
{
    const double *p = c->model, kelvin = c->kelvin[MES_SOURCE_END];
    const double more = c->given[MESA_TETA1] ? (p[MESA_TETA1] + DEVICE_KELVIN) / kelvin : 0;
    return p[MES_ETA] * (1 + kelvin / (p[MESA_TETA0] + DEVICE_KELVIN)) + more;
}

/* What a channel of any level has. */
static struct mes_channel plain_channel(const struct mes_cards *c)
{
    const double *p = c->model, kelvin = c->kelvin[MES_SOURCE_END], vt = kelvin * (DEVICE_BOLTZMANN / DEVICE_CHARGE);
    const double source = warm_resistance(c, MES_RSI, MES_SOURCE_END);
    return (struct mes_channel){
        .threshold = p[MES_VTO] - p[MESA_TVTO] * rise_of(c, MES_SOURCE_END),
        .dibl = p[MES_SIGMA0],
        .dibl_at = p[MES_VSIGMAT],
        .dibl_width = p[MES_VSIGMA],
        .thermal = vt,
        .smooth = vt / 2,
        .ideality = ideality_at(c) * vt,
        .transition = p[MES_TRANSITION],
        .length = c->own[MES_L],
        .width = c->own[MES_W],
        .mobility = mobility_at(p, kelvin),
        .velocity = p[MES_VS],
        .source = source,
        .series = source + warm_resistance(c, MES_RDI, MES_DRAIN_END),
        .lambda = p[MES_LAMBDA] * (1 - kelvin / (p[MESA_TLAMBDA] + DEVICE_KELVIN)),
        .knee = p[MES_SHAPE],
        .knee_c = p[MES_MC],
        .permittivity = MES_PERMITTIVITY,
        .compression = p[MESA_TC],
        .most = p[MES_NMAX],
        .gamma = p[MES_GAMMA],
        .strong = p[MESA_CAS],
        .weak = p[MESA_CBS],
        .share = 1,
    };
}

/* V that deplete a layer. */
static double depleting(double doping, double thickness, double moment)
{
    return DEVICE_CHARGE * doping * thickness * moment / (2 * MES_PERMITTIVITY);
}

static void make_uniform(const double *p, struct mes_channel *c)
{
    c->kind = MES_UNIFORM;
    c->mobility_by_gate = p[MESA_THETA];
    c->knee_by_gate = p[MESA_ALPHA];
    c->depth = p[MESA_D];
    c->doping = p[MESA_ND];
    c->full = depleting(p[MESA_ND], p[MESA_D], p[MESA_D]);
    c->gain = 2 * MES_PERMITTIVITY * p[MES_VS] * p[MESA_ZETA] * c->width / p[MESA_D];
}

static void make_delta(const double *p, struct mes_channel *c)
{
    c->kind = MES_DELTA;
    c->depth = p[MESA_DU];
    c->doping = p[MESA_NDU];
    c->layer_doping = p[MESA_NDELTA];
    c->layer = p[MESA_TH];
    c->at_layer = depleting(p[MESA_NDELTA], p[MESA_TH], 2 * p[MESA_DU] + p[MESA_TH]);
    c->full = c->at_layer + depleting(p[MESA_NDU], p[MESA_DU], p[MESA_DU]);
    c->gain = p[MESA_BETA];
}

static void make_sheet(const double *p, struct mes_channel *c)
{
    c->kind = MES_SHEET;
    c->smooth = c->thermal;
    c->permittivity = p[MES_EPSI];
    c->depth = p[MESA_D];
}

/* Richardson's law for half of the gate. */
static struct junction_law junction_at(const struct mes_cards *c, enum mes_end end)
{
    const double *p = c->model, kelvin = c->kelvin[end], vt = kelvin * (DEVICE_BOLTZMANN / DEVICE_CHARGE);
    const double barrier = p[MESA_PHIB] - p[MESA_PHIB1] * rise_of(c, MES_SOURCE_END);
    const double area = c->own[MES_L] * c->own[MES_W] / 2;
    return (struct junction_law){area * p[MESA_ASTAR] * kelvin * kelvin * exp(-barrier / vt), 1 / (p[MESA_N] * vt)};
}

static struct mes_gate gate_at(const struct mes_cards *c)
{
    const double *p = c->model;
    struct mes_gate g = {.reverse = p[MES_GGR] * c->own[MES_L] * c->own[MES_W] *
                                    exp(p[MESA_XCHI] * rise_of(c, MES_SOURCE_END))};
    for (enum mes_end end = 0; end < MES_ENDS; end++) {
        g.junction[end] = junction_at(c, end);
        g.reverse_rate[end] = p[MES_DEL] / (c->kelvin[end] * (DEVICE_BOLTZMANN / DEVICE_CHARGE));
    }
    return g;
}

static struct mes_dispersion dispersion_at(const struct mes_cards *c)
{
    const double *p = c->model, kelvin = c->kelvin[MES_SOURCE_END];
    const double traps = exp(kelvin / (c->given[MESA_TF] ? p[MESA_TF] + DEVICE_KELVIN : c->circuit));
    const double change = c->given[MESA_LAMBDAHF] ? p[MESA_LAMBDAHF] - p[MES_LAMBDA] : 0;
    return (struct mes_dispersion){change * (1 - kelvin / (p[MESA_TLAMBDA] + DEVICE_KELVIN)), p[MESA_FLO] * traps,
                                   p[MESA_DELFO] * traps};
}

void mesa_law(const struct mes_cards *c, struct mes_law *law)
{
    static void (*const levels[])(const double *p, struct mes_channel *c) = {make_uniform, make_delta, make_sheet};
    const double *p = c->model;
    struct mes_channel channel = plain_channel(c);
    levels[(int)p[MES_LEVEL] - 2](p, &channel);
    channel.fringe = 0.5 * channel.permittivity * channel.width;
    channel.carriers = channel.permittivity * channel.ideality / (DEVICE_CHARGE * channel.depth) *
                       (channel.kind == MES_SHEET ? 0.5 : 1);
    *law =
        (struct mes_law){.channel = channel,
                         .gate = gate_at(c),
                         .correction = p[MESA_AG],
                         .side = p[MESA_KS],
                         .side_at = p[MESA_VSG],
                         .unit = channel.fringe + channel.width * channel.length * channel.permittivity / channel.depth,
                         .dispersion = dispersion_at(c)};
}
