/* Claims about diodes and power MOSFETs that heat themselves: their derivatives by voltages and temperature. */
#include "harness.h"
#include "random_stand.h"

static const struct stand_range diode_ranges[] = {
    {"is", 1e-15, 1e-11},  {"n", 0.9, 2},         {"rs", 0.01, 1},       {"cjo", 1e-12, 1e-9},  {"vj", 0.5, 1},
    {"m", 0.3, 0.6},       {"tt", 1e-10, 1e-7},   {"bv", 5, 20},         {"ibv", 1e-6, 1e-3},   {"ikf", 1e-3, 1},
    {"isr", 1e-12, 1e-9},  {"nr", 1.5, 3},        {"trs1", -1e-3, 1e-2}, {"trs2", 0, 1e-5},     {"tcv", -1e-2, 1e-2},
    {"tikf", -1e-4, 1e-3}, {"jsw", 1e-9, 1e-6},   {"cjsw", 1e-10, 1e-7}, {"vjsw", 0.5, 1},      {"jtun", 1e-12, 1e-9},
    {"ikr", 1e-3, 1},      {"ttt1", -1e-3, 1e-3}, {"tm1", -1e-4, 1e-4},  {"tbv1", -1e-4, 1e-4}, {"ibvl", 1e-9, 1e-6},
    {"cta", -1e-3, 1e-3},  {"tpb", -1e-3, 1e-3},  {"xti", 2, 4},         {"eg", 0.7, 1.3},      {"fc", 0.3, 0.6},
};

static void draw_diode(struct stand_draw *o, uint64_t *seed, double heat)
{
    o->type = "d";
    draw_ranges(o, diode_ranges, sizeof diode_ranges / sizeof *diode_ranges, 0.5, seed);
    draw_add(o, "level", 1 + floor(stand_uniform(seed, 0, 2)));
    draw_add(o, "tlev", floor(stand_uniform(seed, 0, 3)));
    draw_add(o, "tlevc", floor(stand_uniform(seed, 0, 2)));
    draw_add(o, "rth0", heat);
    draw_add(o, "cth0", 1e-6);
    const struct stand_setting element[] = {{"area", stand_uniform(seed, 0.5, 4)},
                                            {"m", 1 + floor(stand_uniform(seed, 0, 3))},
                                            {"pj", stand_uniform(seed, 0, 1e-3)},
                                            {"n", stand_uniform(seed, 0, 1) < 0.8 ? 1 : 3},
                                            {"thermal", 1},
                                            {0}};
    memcpy(o->element, element, sizeof element);
}

/* From breakdown to where the junction carries amperes, up to 80 K above the surroundings. */
static void draw_diode_bias(const struct stand_draw *o, size_t n, double *x, uint64_t *seed)
{
    (void)o;
    x[1] = stand_uniform(seed, 0, 1) < 0.7 ? stand_uniform(seed, -0.2, 0.9) : stand_uniform(seed, -8, 0);
    x[2] = stand_uniform(seed, -0.1, 0.1);
    x[3] = stand_uniform(seed, 0, 80);
    for (size_t i = 4; i < n; i++)
        x[i] = x[1] - stand_uniform(seed, 0, 0.1);
}

static const struct stand_range vdmos_ranges[] = {
    {"kp", 1, 20},          {"lambda", 0, 0.02},      {"theta", 0, 0.2},
    {"mtriode", 0.3, 2},    {"ksubthres", 0.02, 0.3}, {"subshift", -0.1, 0.1},
    {"rd", 0.001, 0.1},     {"rs", 0.001, 0.1},       {"rg", 0.5, 5},
    {"rb", 0.001, 0.1},     {"rds", 1e3, 1e7},        {"rq", 0.01, 0.2},
    {"cgs", 1e-10, 1e-9},   {"cgdmin", 1e-12, 1e-11}, {"cgdmax", 1e-10, 1e-9},
    {"a", 0.3, 2},          {"is", 1e-14, 1e-10},     {"n", 1, 1.3},
    {"cjo", 1e-10, 1e-9},   {"vj", 0.5, 1},           {"tt", 1e-9, 1e-7},
    {"bv", 10, 30},         {"ibv", 1e-6, 1e-3},      {"tcvth", 1e-3, 1e-2},
    {"vtotc", -1e-2, 1e-2}, {"mu", -2, -1},           {"texp0", 1, 2},
    {"texp1", 0, 1},        {"trd1", -1e-3, 1e-2},    {"trg1", -1e-3, 1e-2},
    {"trs1", -1e-3, 1e-2},  {"trb1", -1e-3, 1e-2},    {"tksubthres1", -1e-3, 1e-3},
};

static void draw_vdmos(struct stand_draw *o, uint64_t *seed, double heat)
{
    o->type = stand_uniform(seed, 0, 1) < 0.5 ? "vdmosp" : "vdmos";
    draw_ranges(o, vdmos_ranges, sizeof vdmos_ranges / sizeof *vdmos_ranges, 0.6, seed);
    draw_add(o, "vto", o->type[5] ? -2 : 2);
    if (stand_uniform(seed, 0, 1) < 0.5)
        draw_add(o, "vq", 2);
    draw_add(o, "rthjc", heat);
    draw_add(o, "rthca", 10);
    draw_add(o, "cthj", 1e-6);
    const struct stand_setting element[] = {{"m", 1 + floor(stand_uniform(seed, 0, 3))}, {"thermal", 1}, {0}};
    memcpy(o->element, element, sizeof element);
}

static void draw_vdmos_bias(const struct stand_draw *o, size_t n, double *x, uint64_t *seed)
{
    const double sign = o->type[5] ? -1 : 1;
    x[1] = sign * (stand_uniform(seed, 0, 1) < 0.6 ? stand_uniform(seed, 0, 12) : stand_uniform(seed, -0.9, 0));
    x[2] = sign * stand_uniform(seed, 0, 6);
    x[4] = stand_uniform(seed, 20, 120);
    x[5] = stand_uniform(seed, 20, 80);
    for (size_t i = 6; i < n; i++)
        x[i] = sign * stand_uniform(seed, -0.1, 0.1) + (i == 6 ? x[1] : 0);
}

static const struct stand_family diode = {&heated_diode_class, 3, 3, 1, draw_diode, draw_diode_bias};
static const struct stand_family vdmos = {&heated_vdmos_class, 5, 5, 1, draw_vdmos, draw_vdmos_bias};

static void derivatives_of_diodes_are_exact(void)
{
    hold_at_random(&diode, derives, 1, 50);
    hold_at_random(&diode, derives, 2, 0);
}
static void derivatives_of_power_mosfets_are_exact(void)
{
    hold_at_random(&vdmos, derives, 3, 2);
    hold_at_random(&vdmos, derives, 4, 0);
}
static void limiting_ends_where_there_is_nothing_to_limit(void)
{
    hold_at_random(&diode, ends_limits, 5, 50);
    hold_at_random(&vdmos, ends_limits, 6, 2);
}
static void currents_of_terminals_hold_what_charges_take(void)
{
    hold_at_random(&diode, probes, 7, 50);
    hold_at_random(&vdmos, probes, 8, 2);
}

int main(void)
{
    static const struct claim claims[] = {
        CLAIM(derivatives_of_diodes_are_exact),
        CLAIM(derivatives_of_power_mosfets_are_exact),
        CLAIM(limiting_ends_where_there_is_nothing_to_limit),
        CLAIM(currents_of_terminals_hold_what_charges_take),
    };
    return run_claims("self-heating", claims, sizeof claims / sizeof *claims);
}
